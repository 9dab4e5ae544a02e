"""The ends of an evening, their order of precedence, and the bets that stand then.

After a roll the money is checked (`stop`), then the shooters and the time (`after_roll`). Only a
bettor who stays bets again, and may then reach the end of the bets, or ruin (`before_bets`). Where
the money is not known yet, the stops are checked later (`with_known_money`). Engines that play many
evenings at once use columns of money (`columns`).

After the last roll a bet may still stand. A bet that is played out is settled once, and then comes
down.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from sevenout.errors import RulesError, shown
from sevenout.numerals import Number, exact_money
from sevenout.rules.casino.felt import (
    NOTHING,
    Felt,
    FeltRoll,
    Money,
    Paid,
    Stands,
    Throw,
    sorted_bets,
)

# Below 0, where no position is numbered.
RUIN, LOSS, WIN, SHOOTERS, TIME, BETS = -1, -2, -3, -4, -5, -6
"""The codes of the ends, used in place of a position."""
ENDS = {RUIN: "ruin", LOSS: "stop loss", WIN: "target"}
ENDS |= {SHOOTERS: "shooters", TIME: "time", BETS: "bets"}
"""The name of each end."""
STOPS = LOSS, WIN


Stood = Literal["staked", "down", "out"]
""""staked" counts stakes, "down" takes down what the house allows and plays out the rest, "out"
plays out all.
"""


@dataclass(frozen=True)
class Ends:
    """When a bettor leaves, besides ruin.

    >>> ends = Ends(rolls=60, floor=50, ceiling=200)
    >>> ends.after_roll(200, rolls=60) == WIN, ends.after_roll(100, rolls=60) == TIME
    (True, True)

    Attributes:
        rolls: after this number of rolls; None for never.
        shooters: when this number of shooters are out.
        bets: when this number of bets are settled. A player who can't pay for the next one is
            ruined.
        floor, ceiling: at this amount of money or less, and at this amount or more.
        standing: how the bets that stand after the last roll are counted.
        by_win: whether the ceiling was given as a win, which the end is then called by.

    Raises:
        RulesError: a number below 1, or no such way to count standing bets.
    """

    rolls: int | None = None
    shooters: int | None = None
    bets: int | None = None
    floor: Money | None = None
    ceiling: Money | None = None
    standing: Stood = "staked"
    by_win: bool = False

    def __post_init__(self) -> None:
        for name in ("rolls", "shooters", "bets"):
            check_count(name, getattr(self, name))
        if self.standing not in get_args(Stood):
            raise RulesError(f"standing={shown(self.standing)}; give 'staked', 'down' or 'out'")

    @classmethod
    def from_limits(
        cls,
        bankroll: Number,
        *,
        rolls: int | None = None,
        shooters: int | None = None,
        bets: int | None = None,
        stop_loss: Number | None = None,
        stop_win: Number | None = None,
        target: Number | None = None,
        standing: Stood = "staked",
    ) -> "Ends":
        """The ends of an evening, from its limits.

        >>> ends = Ends.from_limits(100, stop_loss=40, stop_win=50)
        >>> ends.floor, ends.ceiling
        (60, 150)

        Raises:
            RulesError: no end is certain, or a limit is impossible.
        """
        money = exact_money(bankroll)
        if money < 0:
            raise RulesError(f"bankroll={shown(bankroll)}; give 0 or more")
        for name, change in {"stop_win": stop_win, "stop_loss": stop_loss}.items():
            if change is not None and exact_money(change) <= 0:
                raise RulesError(f"{name}={shown(change)}; give an amount above 0")
        if stop_win is not None:
            if target is not None:
                raise RulesError("stop_win and target both say when a winner leaves; give one")
            target = money + exact_money(stop_win)
        ceiling = None if target is None else exact_money(target)
        # The player would leave before the first roll.
        if ceiling is not None and ceiling <= money:
            raise RulesError(
                f"the bankroll of {money} already reaches the target, {ceiling}; give a "
                "higher target"
            )
        floor = None if stop_loss is None else exact_money(money - exact_money(stop_loss))
        if floor is not None and floor < 0:
            raise RulesError(f"stop_loss={stop_loss} of a bankroll of {money}; give that or less")
        ends = cls(rolls, shooters, bets, floor, ceiling, standing, stop_win is not None)
        # A bettor who always wins meets neither ruin nor a stop loss.
        if not ends.is_certain:
            raise RulesError(
                "the evening has no end; give rolls, hours, shooters, bets, a target or a stop_win"
            )
        return ends

    @property
    def is_certain(self) -> bool:
        """Whether an end comes even to a bettor who always wins."""
        return (self.rolls, self.shooters, self.bets, self.ceiling) != (None,) * 4

    def name_of(self, end: str) -> str:
        """The name of an end in a result: "stop win" for a target that was given as a win.

        >>> Ends.from_limits(100, stop_win=50).name_of("target")
        'stop win'
        """
        return "stop win" if end == ENDS[WIN] and self.by_win else end

    def stop(self, money: Money) -> int | None:
        """The end reached at an amount of money; None if the bettor stays."""
        # The loss comes first: no amount is at both stops.
        if self.floor is not None and money <= self.floor:
            return LOSS
        if self.ceiling is not None and money >= self.ceiling:
            return WIN
        return None

    def after_roll(self, money: Money | None, *, rolls: int, shooters: int = 0) -> int | None:
        """The end reached by a roll; `money` is None if not known yet."""
        # Money ends an evening before shooters and time do.
        if money is not None and (stopped := self.stop(money)) is not None:
            return stopped
        if self.shooters is not None and shooters >= self.shooters:
            return SHOOTERS
        return TIME if self.rolls is not None and rolls >= self.rolls else None

    def all_bets_settled(self, bets: int) -> bool:
        """Whether all bets are settled."""
        return self.bets is not None and bets >= self.bets

    def before_bets(self, bets: int, *, broke: bool) -> int | None:
        """The end reached on betting again.

        `broke` says that nothing stands and no requested bet can be paid.
        """
        if broke:
            return RUIN
        return BETS if self.all_bets_settled(bets) else None

    def with_known_money(self, to: int, money: Money, *, last: bool = False) -> int:
        """A position or end `to`, corrected by the money, which is known only now."""
        stopped = self.stop(money)
        if stopped is not None:
            return stopped
        return at_last(to) if last else to

    def columns(self, unit: Money, least: Money = 0) -> tuple[int | None, int | None]:
        """The stops as columns, for money counted in units from `least`.

        These are the last column at or below the floor, and the first at or above the ceiling.

        >>> Ends(floor=7, ceiling=20).columns(3, least=1)
        (2, 7)
        """
        low, top = self.floor, self.ceiling
        return (
            None if low is None else int((low - least) // unit),
            None if top is None else -int(-(top - least) // unit),
        )


def at_last(to: int) -> int:
    """The end at the last roll: time, unless it puts the last shooter out."""
    # Both may come on one roll, and shooters precede time.
    return SHOOTERS if to == SHOOTERS else TIME


def check_count(name: str, n: int | None) -> None:
    """Refuse anything but a whole number of at least 1.

    Raises:
        RulesError: it is not.
    """
    if n is not None and (type(n) is not int or n < 1):
        raise RulesError(f"{name}={shown(n)}; give a whole number, 1 or more")


# --- bets that stand after the last roll ----------------------------------------------------------


def bets_to_play_out(felt: Felt, stands: Stands, counted: Stood) -> Stands:
    """The bets to play out after the last roll.

    >>> from sevenout.catalogue.craps_family.craps_felt import House
    >>> bets_to_play_out(House(), (8, (("pass", 1), ("pass odds", 5))), "down")
    (8, (('pass', 1),))
    """
    if counted == "staked":
        return NOTHING
    point, standing = stands[0], dict(stands[1])
    if counted == "down":
        for bet in sorted(standing, key=len, reverse=True):  # odds before their base bets
            if felt.allows(point, standing, bet, 0):
                del standing[bet]
    return (point, tuple(standing.items())) if standing else NOTHING


def play_out_roll(felt: Felt, stands: Stands, throw: Throw) -> tuple[Stands, FeltRoll]:
    """The bets after a roll that plays them out, and the roll; settled bets come down."""
    after = felt.roll(*stands, throw)
    standing = sorted_bets(unsettled_bets(after.bets, after.paid))
    return (after.point, standing), FeltRoll(throw, after.paid, after.out)


def unsettled_bets(standing: Mapping[str, Money], paid: Sequence[Paid]) -> dict[str, Money]:
    """The bets that stand after a roll, if settled bets come down."""
    settled = {payment.bet for payment in paid}
    return {bet: amount for bet, amount in standing.items() if bet not in settled}
