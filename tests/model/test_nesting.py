"""A game of games explored at once is the chain that its rules give roll by roll."""

from fractions import Fraction
from typing import Any

import pytest

import sevenout as so
from sevenout.errors import RulesError, SevenoutError, TooManyStatesError
from sevenout.evenings import one_bet
from sevenout.model import Chain
from sevenout.model.exploration import Explorer
from sevenout.rolling import Law
from sevenout.rules import FlatGame, Game, PointGame, Streak, counted, lose, win

CRAPS = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
COIN = Law({win(): 1, lose(): 1})


class Counting(Game):
    """A game that counts on the way, with two arrows to one state and to one outcome."""

    dice = so.dice("1d6")
    start = "go"

    def step(self, state: Any, roll: Any) -> Any:
        match roll.total:
            case 1:
                return counted("go", ones=1)
            case 2:
                return "on"
            case 3:
                return counted("on", threes=1)
            case 4:
                return counted(win(), fours=1)
            case 5:
                return win()
        return lose()


class Thirds(Game):
    """A bet that pays a third."""

    dice = so.d6

    def step(self, state: Any, roll: Any) -> Any:
        return win(profit="1/3") if roll > 2 else lose()


class Alternating(Game):
    """Rolls now a game, now a coin, now another game."""

    start = 0

    def rolls(self, state: int) -> Any:
        return (Counting(), Law({win(): 2, lose(): 1}), CRAPS)[state % 3]

    def step(self, state: int, roll: Any) -> Any:
        if state == 5:
            return counted(roll, fives=1)
        return counted(state + 1, ones=1) if roll.profit("pass") > 0 else state


GAMES: dict[str, Game] = {
    "a turn": Streak(CRAPS),
    "a session": one_bet(CRAPS, bankroll=5, target=10).game,
    "an evening": one_bet(CRAPS, bankroll=12, target=20, bets=9).game,
    "an evening of thirds": one_bet(Thirds(), bankroll=2, bets=6, amount="1/2").game,
    "an evening that counts": one_bet(Counting(), bankroll=3, bets=4).game,
    "turns of turns": Streak(one_bet(CRAPS, bankroll=2, bets=3).game, losses=3, bet="evening"),
    "now this, now that": Alternating(),
    "hazard's turn": so.games["hazard-turn"],
}


def parts(chain: Chain) -> list[Any]:
    """All that a chain is, names and order included."""
    return [
        chain.states,
        chain.outcomes,
        chain.rollables,
        chain.moves,
        list(chain.rollable_index),
        chain.stakes,
        chain.counters,
    ]


@pytest.mark.parametrize("name", GAMES)
def test_at_once_as_roll_by_roll(name: str) -> None:
    game = GAMES[name]
    fast, slow = so.explore(game), Explorer(FlatGame(game), 10_000).model()
    assert parts(fast) == parts(slow)
    assert fast.fingerprint == slow.fingerprint


def test_money_is_whole_where_it_can_be() -> None:
    chain = so.explore(one_bet(CRAPS, bankroll=3, bets=3).game)
    assert {type(money) for (_, money), _ in chain.states} == {int}
    thirds = so.explore(GAMES["an evening of thirds"])
    assert {money for (_, money) in {state[0] for state in thirds.states}} >= {2, Fraction(13, 6)}


def test_an_evening_has_the_law_of_the_walk_that_it_is() -> None:
    evening = so.solve(one_bet(COIN, bankroll=3, target=5, bets=4).game)
    assert evening.labels["ruin"] == Fraction(2, 16)  # LLL; LWLL would take 5
    assert sum(evening.labels.values()) == 1


def test_a_million_states_are_counted_before_they_are_named() -> None:
    with pytest.raises(TooManyStatesError, match="more than 1,000 states"):
        so.explore(one_bet(CRAPS, bankroll=500, bets=500).game, max_states=1_000)


class Asking(Game):
    """A game that asks."""

    dice = so.d6
    start = 0
    bets = ("pass",)

    def choices(self, state: Any) -> Any:
        return {"go on": state + 1, "stop": win()} if state < 3 else {}

    def step(self, state: Any, roll: Any) -> Any:
        return lose() if roll == 6 else state


class Wrong(Game):
    """Steps to what is no state."""

    dice = CRAPS
    start = 0

    def __init__(self, then: Any) -> None:
        self.then = then

    def step(self, state: Any, roll: Any) -> Any:
        return self.then


@pytest.mark.parametrize(
    ("game", "says"),
    [
        (Wrong(None), "returned None; a `return` is missing"),
        (Wrong([1]), "which is not hashable"),
        (Wrong(print), "which is not a state"),
        (Streak(Asking()), "the game has choices in state 0"),
    ],
)
def test_what_cannot_be_explored_is_refused(game: Game, says: str) -> None:
    with pytest.raises(RulesError, match=says):
        so.explore(game)


def test_what_is_rolled_must_be_dice() -> None:
    class Nothing(Game):
        start = 0

        def rolls(self, state: int) -> Any:
            return CRAPS if state == 0 else "2d6"

        def step(self, state: int, roll: Any) -> Any:
            return state + 1

    with pytest.raises(SevenoutError, match="'2d6' can't be rolled"):
        so.explore(Nothing())
