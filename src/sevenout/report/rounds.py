"""Worked example rounds: dice rolled from a seed, and stepped through the rules."""

from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

from sevenout.dice import Dice, Reading, Rollable
from sevenout.report.words import listed, state_in_words
from sevenout.rules import Flat, Game, Settled
from sevenout.rules.game import reach

LONGEST = 9
"""A round of more rolls is no example."""
TRIES = 400


class Round(NamedTuple):
    """A round as it was played.

    Attributes:
        rolls: (what the dice show, where the game stands then) for each roll.
        settled: the outcome.
    """

    rolls: tuple[tuple[str, str], ...]
    settled: Settled


def roll(rolled: Rollable, random: Random) -> tuple[str, Any]:
    """One roll: what is shown, and what the rules read.

    Each source is rolled by itself with its integer weights, so that large pools cost nothing.
    """
    if isinstance(rolled, Reading):
        shown, value = roll(rolled.source, random)
        return shown, rolled.function(value)
    if isinstance(rolled, Dice):
        faces = [_draw(die.faces, die.weights, random) for die in rolled.dice]
        result = rolled.roll(faces)
        shown = "+".join(map(str, faces))
        return (f"{shown} = {result.total}" if len(faces) > 1 else shown), result
    law = rolled.law
    value = _draw(law.faces, law.weights, random)
    return (value.label if isinstance(value, Settled) else _plain(value)), value


def _unsaid(state: Any) -> str:
    """What a program keeps in mind is no news to a reader; a text may be."""
    return state if isinstance(state, str) else ""


def _plain(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def _draw(faces: Any, weights: Any, random: Random) -> Any:
    at = random.getrandbits(64) % sum(weights)
    for face, weight in zip(faces, weights, strict=True):
        at -= weight
        if at < 0:
            return face
    raise AssertionError("weights that do not add up")


def play(game: Game, random: Random) -> Round | None:
    """One round through the game's own step; None if it is too long for an example."""
    state: Any = game.start
    what = game.rolls(state)
    if isinstance(what, Game):
        return play(Flat(game), random)
    steps: list[tuple[str, str]] = []
    while len(steps) < LONGEST:
        what = game.rolls(state)
        if isinstance(what, Game):
            return play(Flat(game), random)
        shown, value = roll(what, random)
        then, _ = reach(game, state, value)
        if isinstance(then, Settled):
            steps.append((shown, " · ".join(dict.fromkeys(then.label.split(" · ")))))
            return Round(tuple(steps), then)
        state = then
        steps.append((shown, state_in_words(game, state, _unsaid)))
    return None


def examples(game: Game, seed: int = 1, most: int = 5) -> list[Round]:
    """Example rounds with different ends, the first of each as the seed has them.

    >>> from sevenout.games import catalogue
    >>> [each.settled.label for each in examples(catalogue["craps"], most=3)]
    ['point', 'craps', 'seven out']
    """
    random = Random(seed)
    found: dict[str, Round] = {}
    for _ in range(TRIES):
        each = play(game, random)
        if each is not None:
            found.setdefault(each.settled.label, each)
        if len(found) == most:
            break
    return list(found.values())


def paid(settled: Settled, bets: tuple[str, ...]) -> str:
    """What each bet is paid, in words.

    >>> from sevenout.rules import win
    >>> paid(win("natural"), ("pass",))
    'pass wins 1'
    """

    def words(bet: str) -> str:
        profit: Fraction = settled.profit(bet)
        if profit == 0:
            return f"{bet} is returned"
        return f"{bet} {'wins' if profit > 0 else 'loses'} {abs(profit)}"

    return listed((words(bet) for bet in bets), "and")
