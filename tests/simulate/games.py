"""Games to simulate, built from the rules alone."""

from fractions import Fraction
from typing import Any

from sevenout.chain import Chain, explore
from sevenout.dice import Dice, Die, Law, d6
from sevenout.exact.sessions import one_bet
from sevenout.rules import (
    Game,
    PayTable,
    PointGame,
    Renamed,
    Streak,
    Together,
    counted,
    win,
)

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
    "pass and brick": Together(CRAPS, limited(3)),
    **{f"hazard, main {main}": hazard(main) for main in range(5, 10)},
    "a turn": Streak(hazard(7)),
    "a session": one_bet(CRAPS, bankroll=5, target=10).game,
    "an evening": one_bet(CRAPS, bankroll=60, target=100, rounds=20).game,
    "loaded": PointGame([7, 11], [2, 3, 12], 7, dice=Dice([d6.reweigh({6: 2}), d6])),
    "odd weights": odd(),
    "a thousand edges": Wide(),
    "three d20": PointGame([21, 30], [3, 4, 60], 30, dice=Dice([Die.standard(20)] * 3)),
    "two tables": Together(CRAPS, Renamed(hazard(6), {"pass": "hazard"})),
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
