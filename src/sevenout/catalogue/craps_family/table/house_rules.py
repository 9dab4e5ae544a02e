"""What a craps house allows and pays: its options."""

from dataclasses import dataclass
from typing import Any

from sevenout.catalogue.craps_family.bets.side import SIDE
from sevenout.catalogue.craps_family.craps_variants import CRAPLESS_POINTS
from sevenout.catalogue.craps_family.table.craps_table import POINTS, TWO_DICE
from sevenout.catalogue.craps_family.table.spots import CRAPS
from sevenout.errors import RulesError, shown
from sevenout.numerals import Number, exact
from sevenout.rules.casino.felt import Felt, Money, whole

_SEVERAL = (("odds", 3), ("outer", 2), ("field", 2), ("hard", 2), ("bonus", 3))


@dataclass(frozen=True)
class HouseRules(Felt):
    """What a house allows and pays.

    Args:
        minimum: of each bet; odds may be less.
        maximum: of each bet without odds; None for no limit.
        props: the minimum of hard ways, hops, bets on the next roll and side bets; `minimum` by
            default.
        crapless: whether 2, 3, 11 and 12 are points; there are no don't bets then.
        odds: the multiple of the flat bet allowed as odds on 4 and 10, 5 and 9, 6 and 8; or one
            number for all.
        outer: the same for 2 and 12, 3 and 11, at crapless.
        lay: the multiple of the flat bet that may be laid behind the don't side.
        bar: the total that returns the don't side on its come-out.
        field: the payment of the field to 1 on a 2 and on a 12.
        commission: below 1 a share of the stake on buy bets, of the win on lay bets; from 1 on
            money. At most the win when it is taken from one.
        vig: when the commission is paid: "on win", or "up front". In the second case it
            is put down with the bet. Each win pays it, a loss loses it, and it comes back if the
            bet is taken down or stands at the end.
        hard: the payments to 1 of the hard 4 and 10, and the hard 6 and 8.
        bonus: the payments to 1 of the small, the tall and the all.
        breakage: wins and commissions are rounded down to a multiple of this, commissions to no
            less than one multiple; 0 for no rounding.
        working: whether place, buy and hard way bets, and odds behind come bets, are on at the
            come-out. Lay bets, big 6 and 8, and odds behind don't come bets always are.
        put: whether the pass line may be bet and raised after the come-out.
        side: replacements of side bets, as games by name.
    """

    minimum: Number = 1
    maximum: Number | None = None
    props: Number | None = None
    crapless: bool = False
    odds: tuple[int, int, int] = (3, 4, 5)
    outer: tuple[int, int] = (1, 2)
    lay: int = 6
    bar: int = 12
    field: tuple[Number, Number] = (2, 3)
    commission: Number = "1/20"
    vig: str = "on win"
    hard: tuple[Number, Number] = (7, 9)
    bonus: tuple[Number, Number, Number] = (34, 34, 175)
    breakage: Number = 1
    working: bool = False
    put: bool = False
    side: Any = ()
    dice = TWO_DICE
    ways = 36

    def __post_init__(self) -> None:
        for name, many in _SEVERAL:
            given = getattr(self, name)
            if name == "odds" and type(given) is int:
                given = (given,) * many
            if not (isinstance(given, tuple) and len(given) == many):
                raise RulesError(f"{name}={shown(given)}; give {many} numbers")
            self._set(name, tuple(self._amount(name, each) for each in given))
        for name in ("minimum", "maximum", "props", "lay", "commission", "breakage"):
            if (given := getattr(self, name)) is not None or name not in ("maximum", "props"):
                self._set(name, self._amount(name, given))
        if self.maximum is not None and exact(self.maximum) < exact(self.minimum):
            raise RulesError(f"maximum={self.maximum}; give no less than the minimum")
        for name in ("working", "put", "crapless"):
            if type(given := getattr(self, name)) is not bool:
                raise RulesError(f"{name}={shown(given)}; give True or False")
        if self.vig not in ("on win", "up front"):
            raise RulesError(f"vig={shown(self.vig)}; give 'on win' or 'up front'")
        if self.bar not in CRAPS:
            raise RulesError(f"bar={shown(self.bar)}; the don't side bars 2, 3 or 12")
        side = dict(self.side)
        for name, game in side.items():
            if name not in SIDE or type(game) is not type(SIDE[name]):
                raise RulesError(
                    f"side={shown(name)}; change the pays of one of these: {', '.join(SIDE)}"
                )
        self._set("side", tuple(side.items()))

    @property
    def points(self) -> tuple[int | None, ...]:  # type: ignore[override]
        """The possible points; None for the come-out."""
        return (None, *self.numbers)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers that can be points."""
        return CRAPLESS_POINTS if self.crapless else POINTS

    def _set(self, name: str, given: Any) -> None:
        object.__setattr__(self, name, given)

    def _amount(self, name: str, given: Any) -> Money:
        amount = whole(exact(given))
        if amount < 0:
            raise RulesError(f"{name}={shown(given)}; give 0 or more")
        return amount
