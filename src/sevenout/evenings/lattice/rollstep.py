"""What a roll does to a position: its step, and the bets wanted next."""

from typing import NamedTuple

from sevenout.rules.casino.betting import Seat, Wished
from sevenout.rules.casino.felt import NOTHING, Felt, FeltRoll, Money, Stands


class Step(NamedTuple):
    """The effect of a roll in a row.

    Attributes:
        weight: of the roll, out of `ways`.
        need: in a row without money of its own, the least money for which this step holds.
        stands: the bets after the roll, before any is taken down or made.
    """

    weight: int
    to: int
    gain: Money
    settled: Money
    bets: int
    refused: int
    need: Money
    out: bool
    stands: Stands = NOTHING


class MoneyMove(NamedTuple):
    """A step, and the amounts of money for which a row makes it.

    Attributes:
        high: the first amount above; None if unbounded.
    """

    low: Money
    high: Money | None
    step: Step


class PositionRow(NamedTuple):
    """A layout and its number; `money` is None unless the strategy looks at it."""

    seat: Seat
    money: Money | None
    layout: int


class Entered(NamedTuple):
    """The layout after the bets are made; `RUIN` if no bet stands and none can be afforded."""

    layout: int
    refused: tuple[str, ...]


class Wanting:
    """The bets wanted after a roll.

    Attributes:
        seat: with the bets that are left.
        standing: the money on the felt then, with commissions, before new bets.
        need: the money after the roll that covers all wanted bets.
        entered: the layouts then, by refused bets.
    """

    __slots__ = ("entered", "need", "seat", "standing", "wished")

    def __init__(self, seat: Seat, wished: Wished, felt: Felt) -> None:
        self.seat, self.wished = seat, wished
        self.standing = felt.cost(seat.bets)
        self.need = self.standing + sum([wish.more + wish.fee for wish in wished.wishes])
        self.entered: dict[tuple[str, ...], Entered] = {}


class RollEffect:
    """The effect of a roll on a layout, for any money and counts.

    Attributes:
        gain, settled, paid: the money won, the stakes settled, and their number.
        out: whether the shooter is out.
        stands: the point and the bets left by the roll, before any is taken down.
        rich: the steps with all the money that is wanted, by counts before the roll.
        poor: the steps with less, by counts and refused bets.
    """

    __slots__ = ("gain", "out", "paid", "poor", "rich", "settled", "stands", "wanting", "weight")

    def __init__(self, rolled: FeltRoll, stands: Stands, wanting: Wanting) -> None:
        self.weight, self.gain, self.settled = rolled.throw.weight, rolled.net, rolled.settled
        self.paid, self.out = len(rolled.paid), rolled.out
        self.stands, self.wanting = stands, wanting
        self.rich: dict[tuple[int, int], Step] = {}
        self.poor: dict[tuple[tuple[int, int], tuple[str, ...]], Step] = {}
