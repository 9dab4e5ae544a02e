"""Hold or roll, and races, against a program of the same rules."""

from dataclasses import dataclass
from typing import Any

import pytest

import sevenout as so
from sevenout.certify.certificate import model_sha256
from sevenout.rules import counted, pass_turn, settle, win
from sevenout.rules.game import Frozen
from sevenout.rules.race_games import HoldGame, Race


@dataclass(frozen=True)
class HoldByHand(so.Game):
    """The rules of `HoldGame` as a step and choices of their own."""

    game: HoldGame

    @property
    def dice(self) -> Any:
        return self.game.dice

    @property
    def start(self) -> Any:
        return {"turn": 0, "alone": (0, 0), "two": (0, 0, 0)}[self.game.play]

    @property
    def outcomes(self) -> Any:
        return self.game.outcomes

    def ended(self, label: str, scores: list[int], turn: int) -> Any:
        if not scores:
            return counted(settle(label), points=turn)
        if len(scores) == 1:
            return counted((scores[0] + turn, 0), turns=1)
        return pass_turn((scores[1], scores[0] + turn, 0))

    def choices(self, state: Any) -> Any:
        *scores, turn = state if isinstance(state, tuple) else (state,)
        return {"roll": state, "hold": self.ended("hold", scores, turn)} if turn else {}

    def step(self, state: Any, roll: Any) -> Any:
        *scores, turn = state if isinstance(state, tuple) else (state,)
        if roll == "bust":
            return self.ended("bust", scores, 0)
        turn += roll
        if turn + sum(scores[:1]) < self.game.target:
            return (*scores, turn) if scores else turn
        if not scores:
            return self.ended("home", scores, turn)
        return win("home") if len(scores) == 2 else counted(settle("home"), turns=1)


@dataclass(frozen=True)
class RaceByHand(so.Game):
    """The rules of `Race` as a step of their own."""

    race: Race

    @property
    def dice(self) -> Any:
        return self.race.die.totals

    @property
    def start(self) -> Any:
        return 0 if self.race.players == 1 else (0, 0)

    @property
    def outcomes(self) -> Any:
        return self.race.outcomes

    def step(self, state: Any, roll: int) -> Any:
        race = self.race
        mine, *others = state if isinstance(state, tuple) else (state,)
        square = mine + roll
        if square > race.to:
            square = mine if race.exact else race.to
        square = race.jumps.get(square, square)
        if square == race.to:
            return race.outcomes[0]
        if not others:
            return square
        return (square, *others) if roll in race.again else pass_turn((*others, square))


@pytest.mark.parametrize("play", ["turn", "alone", "two"])
@pytest.mark.parametrize(
    ("dice", "bust", "target"),
    [
        ("d6", (1,), 20),
        ("2d6", (1, 6), 30),
        ("d2{0,1}", (0,), 6),
        ("d6{1,2,3,4,5,skull}+d4", ("skull", 1), 17),
    ],
)
def test_hold_or_roll_is_the_game_of_its_program(play, dice, bust, target):
    game = HoldGame(so.dice(dice), bust, target, play)
    one, other = so.explore(game), so.explore(HoldByHand(game))
    assert list(one.states) == list(other.states)
    assert model_sha256(one) == model_sha256(other)


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize(
    ("dice", "jumps", "again"),
    [
        ("d6", {}, ()),
        ("2d6", {3: 10, 7: 2, 19: 25}, (6, 12)),
        ("d4", {3: 25, 5: 0}, (2, 4)),
    ],
)
def test_a_race_is_the_game_of_its_program(players, exact, dice, jumps, again):
    if exact and dice == "2d6":
        dice, again = "d6", (6,)  # two dice would wait for ever on the last square but one
    race = Race(so.dice(dice), 25, Frozen(jumps), players, exact, again)
    one, other = so.explore(race), so.explore(RaceByHand(race))
    assert list(one.states) == list(other.states)
    assert model_sha256(one) == model_sha256(other)
