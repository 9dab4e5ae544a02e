"""When a bettor leaves: the ends of an evening, and which of them a roll has come to.

The order of precedence stands here alone. A roll is first looked at for the money (`stop`), then
for the shooters, then for the time (`rolled`); only anyone who stays bets again, and comes to the
end of the rounds, or to ruin (`betting`). Where the money is not known yet, the stops wait until it
is (`known`). Engines of many evenings at once read the same from columns of money (`columns`).
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import get_args

from sevenout.errors import RulesError, shown
from sevenout.numerals import Number, exact
from sevenout.rules.casino.felt import Money, whole
from sevenout.rules.casino.standing import Stood

RUIN, LOSS, WIN, SHOOTERS, TIME, ROUNDS = -1, -2, -3, -4, -5, -6
"""Where a roll may end the evening, in place of a position."""
ENDS = {
    **{RUIN: "ruin", LOSS: "stop loss", WIN: "target"},
    **{SHOOTERS: "shooters", TIME: "time", ROUNDS: "rounds"},
}
"""What each is called."""
STOPS = LOSS, WIN


@dataclass(frozen=True)
class Ends:
    """When a bettor leaves, besides ruin.

    >>> ends = Ends(rolls=60, floor=50, ceiling=200)
    >>> ends.rolled(200, rolls=60) == WIN, ends.rolled(100, rolls=60) == TIME
    (True, True)

    Attributes:
        rolls: after this many; None for never.
        shooters: when this many are out.
        rounds: when this many bets are settled; anyone a player who can't pay for one more is
            ruined.
        floor, ceiling: with no more, and with no less, than this.
        standing: how what stands when the rolls are made is counted.
    """

    rolls: int | None = None
    shooters: int | None = None
    rounds: int | None = None
    floor: Money | None = None
    ceiling: Money | None = None
    standing: Stood = "staked"

    @classmethod
    def of(
        cls,
        bankroll: Fraction,
        *,
        rolls: int | None = None,
        shooters: int | None = None,
        rounds: int | None = None,
        stop_loss: Number | None = None,
        stop_win: Number | None = None,
        target: Number | None = None,
        standing: Stood = "staked",
    ) -> "Ends":
        """The ends of an evening, as they are given.

        >>> Ends.of(Fraction(100), stop_loss=40, stop_win=50)
        Ends(rolls=None, shooters=None, rounds=None, floor=60, ceiling=150, standing='staked')

        Raises:
            RulesError: no end in sight, or one that can't be.
        """
        for what, n in {"rolls": rolls, "shooters": shooters, "rounds": rounds}.items():
            check_count(what, n)
        if stop_win is not None:
            if target is not None:
                raise RulesError(
                    "stop_win and target are both given; give one, because they mean the same"
                )
            target = bankroll + exact(stop_win)
        ceiling = None if target is None else whole(exact(target))
        if ceiling is not None and ceiling <= bankroll:
            raise RulesError(f"the target {ceiling} is reached already by {bankroll}")
        if stop_loss is not None and exact(stop_loss) <= 0:
            raise RulesError(f"stop_loss={shown(stop_loss)}; give a loss above 0")
        if standing not in get_args(Stood):
            raise RulesError(f"standing={shown(standing)}; it is 'staked', 'down' or 'out'")
        floor = None if stop_loss is None else whole(bankroll - exact(stop_loss))
        ends = cls(rolls, shooters, rounds, floor, ceiling, standing)
        if not ends.in_sight:
            raise RulesError(
                "the evening has no end; give rolls, hours, shooters, rounds, a target or a "
                "stop_win"
            )
        return ends

    @property
    def in_sight(self) -> bool:
        """Whether one of them comes for anyone who wins, too."""
        return (self.rolls, self.shooters, self.rounds, self.ceiling) != (None,) * 4

    def stop(self, money: Money) -> int | None:
        """The end that an amount of money is."""
        if self.floor is not None and money <= self.floor:
            return LOSS
        if self.ceiling is not None and money >= self.ceiling:
            return WIN
        return None

    def rolled(self, money: Money | None, *, rolls: int, shooters: int = 0) -> int | None:
        """The end to which a roll has come, before anything is bet again.

        Args:
            money: after it; None where it is not known yet.
            rolls: how many were made.
            shooters: how many are out.
        """
        if money is not None and (stopped := self.stop(money)) is not None:
            return stopped
        if self.shooters is not None and shooters >= self.shooters:
            return SHOOTERS
        return TIME if rolls == self.rolls else None

    def settled(self, rounds: int) -> bool:
        """Whether these were all the bets, so that those that are wanted next are not made."""
        return self.rounds is not None and rounds >= self.rounds

    def betting(self, rounds: int, *, broke: bool) -> int | None:
        """The end to which anyone who stays comes as they bet.

        Args:
            rounds: how many bets are settled.
            broke: whether nothing stands, and nothing that is wanted can be paid.
        """
        if broke:
            return RUIN
        return ROUNDS if self.settled(rounds) else None

    def known(self, to: int, money: Money, *, last: bool = False) -> int:
        """Where a step leads, now that the money is known: to a stop, to the time, or on.

        Args:
            to: the position, or the end, that it leads to otherwise.
            money: after it.
            last: whether the rolls are made.
        """
        stopped = self.stop(money)
        return (at_last(to) if last else to) if stopped is None else stopped

    def columns(self, unit: Money, least: Money = 0) -> tuple[int | None, int | None]:
        """The stops, where money is counted in units from the least on: the last column at which
        the floor is reached, and the first at which the ceiling is.

        >>> Ends(floor=7, ceiling=20).columns(Fraction(3), least=1)
        (2, 7)
        """
        low, top = self.floor, self.ceiling
        return (
            None if low is None else int((low - least) // unit),
            None if top is None else -int(-(top - least) // unit),
        )


def at_last(to: int) -> int:
    """The end to which the last roll comes where it leads to this: the time, unless the last
    shooter is out with it.
    """
    return SHOOTERS if to == SHOOTERS else TIME


def check_count(what: str, n: int | None) -> None:
    """Refuse a number that is no count.

    Raises:
        RulesError: it is not a whole number from 1 on.
    """
    if n is not None and (type(n) is not int or n < 1):
        raise RulesError(f"{what}={shown(n)}; give a whole number from 1 on")
