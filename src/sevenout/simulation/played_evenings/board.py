"""Evenings as tables of integers, and their NumPy engine, a chunk at a time."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sevenout.errors import RulesError
from sevenout.evenings.evening_plan import Plan
from sevenout.evenings.positions import Positions, Step
from sevenout.evenings.settlement import SettledStandings
from sevenout.rolling import Dice
from sevenout.rules.casino.ends import LOSS, TIME, WIN, at_last
from sevenout.rules.casino.felt import NOTHING, Throw
from sevenout.simulation.played_evenings.eveningdice import FACES, IN_CALL, IN_WORD, words_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

NEVER = (1 << 62) - 1
FOUND = ("end", "money", "rolls", "low", "high")
"""The results recorded for each evening."""


@dataclass(frozen=True, eq=False)
class Board:
    """Positions as tables of integers; money is in units above the least possible amount.

    Attributes:
        to: (rows, 36) the row or end after each roll.
        last: (rows, 36) the same after the last roll: the row from which standing bets are played
            out, or an end.
        gain: (rows, 36) the money won by each roll.
        safe: (rows,) with less money, another row replaces this one.
        base: (rows,) the offset in `short`, to which the money is added.
        short: the replacing rows.
        floor: the player leaves with this or less.
        ceiling: the player leaves with this or more.
    """

    to: "Ints"
    last: "Ints"
    gain: "Ints"
    safe: "Ints"
    base: "Ints"
    short: "Ints"
    first: int
    money: int
    floor: int
    ceiling: int

    @classmethod
    def of(cls, plan: Plan) -> "Board":
        """The tables of an evening."""
        import numpy as np

        positions, felt = plan.positions, plan.bettor.felt
        if not isinstance(felt.dice, Dice) or felt.ways != 36:
            raise RulesError("evenings are played with two dice; this felt has others")
        positions.complete()
        left = plan.left_at_the_end() or (lambda _: NOTHING)
        positions.complete()  # standing bets may add amounts between the others
        unit = positions.unit
        split = SplitRows.of(positions)
        stood = dict.fromkeys(left(step.stands) for _, steps in split.rows for step in steps)
        out = SettledStandings(felt, stood)
        explored = len(split.rows)
        rows = explored + len(out.nodes)
        row_of = {stands: explored + i for i, stands in enumerate(out.nodes)} | {NOTHING: TIME}
        to, last, gain = (np.zeros((rows, 36), dtype=np.int64) for _ in range(3))
        rolls = [felt.dice.roll(faces) for faces in FACES]

        def at_time(step: Step) -> int:
            end = at_last(step.to)
            return row_of[left(step.stands)] if end == TIME else end

        @lru_cache
        def which(throws: tuple[Throw, ...]) -> "Ints":
            return np.array([felt.which(throws, roll) for roll in rolls])

        for i, (row, steps) in enumerate(split.rows):
            if not steps:
                continue
            at = which(tuple(felt.throws(positions.rows[row].seat.bets)))
            for table, values in (
                (to, [step.to for step in steps]),
                (last, [at_time(step) for step in steps]),
                (gain, [int(step.gain / unit) for step in steps]),
            ):
                table[i] = np.array(values, dtype=np.int64)[at]
        for stands, follows in out.follows():
            at = which(tuple(felt.throws(stands[1])))
            i = row_of[stands]
            to[i] = np.array([row_of[then] for then, _ in follows], dtype=np.int64)[at]
            gain[i] = np.array([int(won / unit) for _, won in follows], dtype=np.int64)[at]
        first, money = split.first
        floor, top = positions.ends.columns(unit, split.zero)
        return cls(
            to=to,
            last=last,
            gain=gain,
            safe=np.array([split.safe.get(i, -1) for i in range(rows)]),
            base=np.array([split.base.get(i, -1) for i in range(rows)]),
            short=np.array(split.short or [0], dtype=np.int64),
            first=first,
            money=money,
            floor=-NEVER if floor is None else floor,
            ceiling=NEVER if top is None else top,
        )


@dataclass(frozen=True)
class SplitRows:
    """Rows of positions, split where less money changes the steps of the same bets.

    Attributes:
        rows: the steps of each row; the split rows are last.
        safe: the least units with which each row's own steps hold.
        base: the offset of each row in `short`, less its units there.
        short: the replacing row, by units of money.
        zero: the money of 0 units.
        first: the initial row and units.
    """

    rows: list[tuple[int, list[Step]]]
    safe: dict[int, int]
    base: dict[int, int]
    short: list[int]
    zero: Fraction
    first: tuple[int, int]

    @classmethod
    def of(cls, positions: Positions) -> "SplitRows":
        """The rows of complete positions."""
        unit = positions.unit
        zero = Fraction(positions.bankroll) % unit

        def units(money: Any) -> int:
            return -int((zero - money) // unit)

        rows = list(enumerate(positions.steps))
        short: list[int] = []
        safe, base = {}, {}
        for i in range(len(positions.rows)):
            if not positions.short[i]:
                continue
            least = units(positions.least(i))
            cuts = {units(m) for move in positions.moves(i) for m in move[:2] if m is not None}
            lows = sorted({least, *(cut for cut in cuts if cut > least)})
            for low, high in pairwise(lows):
                short += [len(rows)] * (high - low)
                rows.append((i, positions.steps_at(i, zero + low * unit)))
            safe[i], base[i] = lows[-1], len(short) - lows[-1]
        row, money = positions.first[0], units(positions.bankroll)
        first = short[base[row] + money] if money < safe.get(row, -1) else row
        return cls(rows, safe, base, short, zero, (first, money))


Chunk = Callable[[Board, int, int, int, int], dict[str, "Ints"]]


def in_numpy(board: Board, seed: int, first: int, evenings: int, rolls: int) -> "dict[str, Ints]":
    """Play a chunk of evenings in step.

    Args:
        board: the positions.
        seed: of the run.
        first: the number of the first evening.
        evenings: their number.
        rolls: the most rolls of each, apart from bets played out.
    """
    import numpy as np

    row = np.full(evenings, board.first, dtype=np.int64)
    money = np.full(evenings, board.money, dtype=np.int64)
    low, high = money.copy(), money.copy()
    dice = _BoardDice(np.arange(first, first + evenings), seed)
    found = {name: np.zeros(evenings, dtype=np.int64) for name in FOUND}
    alive = np.arange(evenings)
    while len(alive):
        face = dice.roll()
        money = money + board.gain[row, face]
        low, high = np.minimum(low, money), np.maximum(high, money)
        then = board.to[row, face]
        if dice.rolls == rolls:
            then = board.last[row, face]
        then = np.where(money >= board.ceiling, WIN, then)
        then = np.where(money <= board.floor, LOSS, then)
        over = then < 0
        if over.any() or dice.rolls == rolls:
            _write(found, alive, then, money, dice.rolls, low, high)
            if dice.rolls == rolls:
                break
            on = ~over
            dice.keep(on)
            alive, row, face, then, money, low, high = (
                x[on] for x in (alive, row, face, then, money, low, high)
            )
        few = money < board.safe[then]
        then[few] = board.short[board.base[then[few]] + money[few]]
        row = then
    while (on := found["end"][alive] >= 0).any():
        dice.keep(on)
        alive, face = alive[on], dice.roll()
        row = found["end"][alive]
        found["money"][alive] += board.gain[row, face]
        found["end"][alive] = board.to[row, face]
    return found


class _BoardDice:
    """The dice of several evenings.

    Attributes:
        rolls: the number made.
    """

    def __init__(self, evenings: "Ints", seed: int) -> None:
        self.evenings, self.seed, self.rolls = evenings, seed, 0
        self._words = self._word = evenings[:0]

    def roll(self) -> "Ints":
        """The next roll of each evening, by digit."""
        import numpy as np

        if self.rolls % IN_CALL == 0:
            self._words = words_of(self.evenings, self.rolls // IN_CALL, self.seed)
        if self.rolls % IN_WORD == 0:
            self._word = self._words[self.rolls % IN_CALL // IN_WORD]
        self._word, face = np.divmod(self._word, 36)
        self.rolls += 1
        return face

    def keep(self, some: Any) -> None:
        """Keep some of the evenings."""
        self.evenings, self._word = self.evenings[some], self._word[some]
        self._words = self._words[:, some]


def _write(found: "dict[str, Ints]", at: Any, *values: Any) -> None:
    for name, value in zip(FOUND, values, strict=True):
        found[name][at] = value
