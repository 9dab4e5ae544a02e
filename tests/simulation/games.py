"""Games to simulate, built from the rules alone."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sevenout.evenings import one_bet
from sevenout.model import Chain, explore
from sevenout.rolling import Dice, Die, Law, d6, dice
from sevenout.rules import (
    Game,
    JointGame,
    PayTable,
    PointGame,
    RenamedGame,
    Streak,
    counted,
    settle,
    win,
)
from sevenout.simulation.lazy_tally import LazyBook
from sevenout.simulation.tally import Tally

CRAPS = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
WAYS = dict(CRAPS.dice.totals.law)


def hazard(main: int) -> PointGame:
    naturals = {5: [5], 6: [6, 12], 7: [7, 11], 8: [8, 12], 9: [9]}[main]
    return PointGame(naturals, {2, 3, 11, 12} - set(naturals), out=main)


def limited(pays: int) -> PointGame:
    return PointGame([7, 11], [2, 3, 12], 7, limit=3, bets={"brick": PayTable(point=pays)})


def odd() -> PointGame:
    """Weights with a denominator of more than 100 bits."""
    die = Die(range(1, 7), [10**12 + 39, 10**12 + 1, 10**12 + 7, 3, 2, 10**13])
    other = Die(range(1, 7), [7**20, 1, 5**9, 11**11, 2**61, 3**30])
    return PointGame([7, 11], [2, 3, 12], out=7, dice=Dice([die, other]))


@dataclass(frozen=True)
class Long(Game):
    """Ten million states: everything that was rolled is remembered."""

    many: int = 10
    dice = dice("1d5")
    start = ()

    def step(self, state: Any, roll: Any) -> Any:
        then = (*state, roll.total)
        if len(then) == self.many:
            total = sum(then)
            profit = total - 3 * self.many
            return settle("high" if profit > 0 else "low", {"sum": (profit, 3 * self.many)})
        return then


@dataclass(frozen=True)
class Mixed(Game):
    """A die, a game of craps, a die, ..., all of it remembered; many dice come first."""

    many: int = 4
    start = ()

    def rolls(self, state: Any) -> Any:
        return CRAPS if len(state) % 2 and len(state) >= self.many - 4 else d6

    def step(self, state: Any, roll: Any) -> Any:
        then = (*state, getattr(roll, "label", roll))
        return then if len(then) < self.many else settle("end", {"pass": 0})


class Wide(Game):
    """A thousand edges from one state, half of whose choices are refused.

    A lone game often needs more coins than one draw has for it.
    """

    dice = Dice([Die.standard(1025)])
    start = 0

    def step(self, state: int, roll: Any) -> Any:
        return counted(0, sum=roll.total) if roll.total % 5 else win(f"{roll.total}")


GAMES: dict[str, Game] = {
    "craps": CRAPS,
    "fast craps": limited(3),
    "pass and brick": JointGame(CRAPS, limited(3)),
    **{f"hazard, main {main}": hazard(main) for main in range(5, 10)},
    "a turn": Streak(hazard(7)),
    "a session": one_bet(CRAPS, bankroll=5, target=10).game,
    "an evening": one_bet(CRAPS, bankroll=60, target=100, bets=20).game,
    "loaded": PointGame([7, 11], [2, 3, 12], 7, dice=Dice([d6.reweigh({6: 2}), d6])),
    "odd weights": odd(),
    "a thousand edges": Wide(),
    "three d20": PointGame([21, 30], [3, 4, 60], 30, dice=Dice([Die.standard(20)] * 3)),
    "two tables": JointGame(CRAPS, RenamedGame(hazard(6), {"pass": "hazard"})),
}


def mutated(total: int) -> PointGame:
    """Craps on dice that roll one total 37 times in place of 36."""
    law = {t: 1296 * p for t, p in WAYS.items()}
    law[total] = law[total] * Fraction(37, 36)
    return PointGame([7, 11], [2, 3, 12], 7, dice=Law({t: int(w) for t, w in law.items()}))


def chain_of(name: str) -> Chain:
    return explore(GAMES[name])


def expected(chain: Chain, rolls: int) -> dict[tuple[int, int, int], float]:
    """The probability of (state before the last roll, rolls, outcome), by stepping the chain."""
    n = len(chain.states)
    rows = [
        [(e.target, float(Fraction(e.weight, chain.denominator))) for e in row]
        for row in chain.rows
    ]
    here: dict[int, float] = {0: 1.0}
    cells: dict[tuple[int, int, int], float] = {}
    for roll in range(1, rolls + 1):
        there: dict[int, float] = {}
        for s, p in here.items():
            for target, q in rows[s]:
                if target < n:
                    there[target] = there.get(target, 0.0) + p * q
                else:
                    key: Any = s, roll, target - n
                    cells[key] = cells.get(key, 0.0) + p * q
        here = there
    return cells


def met(game: Game, games: int) -> Tally:
    """The tally of a game that is played without being explored."""
    book = LazyBook(game, 11)
    parts = book.task(0, games)()
    assert parts is not None
    book.add(parts)
    return book.tally
