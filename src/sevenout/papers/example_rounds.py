"""Worked example rounds: dice rolled from a seed, and stepped through the rules."""

from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from sevenout.documents import Block, Table, Text
from sevenout.model.process import drawn, seen_by_first
from sevenout.papers.bet_tables import short_list
from sevenout.papers.subject import Subject
from sevenout.papers.wording import listed, state_in_words
from sevenout.rolling import Dice, Rollable
from sevenout.rolling.throw import Faces
from sevenout.rules import Game, Outcome
from sevenout.rules.combined_games import bottom
from sevenout.rules.position import Position

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sevenout.solving import Optimum
    from sevenout.verify.records import Book, LoggedMove

FEW_BETS = 6
"""With more bets than this only the winners are named."""
LONGEST = 9
"""The most rolls of an example."""
TRIES = 400
"""The rounds that are tried for different ends."""


def example_table(subject: Subject, seed: int) -> list[Block]:
    """The first round with each kind of result, from a seed, and what it pays."""
    rows = []
    for example in examples(subject.game, seed, optimum=subject.optimum):
        steps = (f"{shown} → {then}" if then else shown for shown, then in example.rolls)
        also = _award(subject, example.settled)
        rows.append(("; ".join(steps), paid(example.settled, subject.names) + also))
    if not rows:
        return []
    note = (
        f"The first round with each kind of result, from seed {seed}. “→” shows the state after "
        "the roll."
    )
    if not subject.names:
        table = Table(["roll by roll"], [row[:1] for row in rows], caption="A round")
    else:
        table = Table(["roll by roll", "settled"], rows, caption="Worked rounds")
    return [table, Text(note, tone="note")]


def _award(subject: Subject, settled: Outcome) -> str:
    """The awards that an outcome wins, in words; empty for none."""
    won = [
        f"“{bet}”"
        for bet, award in subject.awards.items()
        if any(name == bet and pay.event in award.rule.on for name, pay in settled.pays)
    ]
    return f", and the award of {listed(won)}" if won else ""


class ExampleRound(NamedTuple):
    """A round as played.

    Attributes:
        rolls: (the dice, the game's state afterwards) for each roll.
    """

    rolls: tuple[tuple[str, str], ...]
    settled: Outcome


def _shown(rolled: Rollable, faces: Faces) -> str:
    rolled = bottom(rolled)
    if not isinstance(rolled, Dice):
        face = faces[0]
        return face.label if isinstance(face, Outcome) else _plain(face)
    text = "+".join(map(str, faces))
    return f"{text} = {rolled.roll(faces).total}" if len(faces) > 1 else text


def _unsaid(state: Any) -> str:
    """A state as text; empty for a program's internal state."""
    return state if isinstance(state, str) else ""


def _plain(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def retold(book: "Book", moves: "Iterable[LoggedMove]") -> ExampleRound:
    """A round of known moves, each shown by the first faces that make it.

    Raises:
        SevenoutError: the moves are not possible.
    """
    position = Position(book.game)
    steps: list[tuple[str, str]] = []
    for move in moves:
        if position.options:
            text = position.options[move.place]
            position.choose(text)
        else:
            rolled, faces = position.rollable, book.faces(move)
            text = _shown(rolled, faces)
            position.roll(faces)
        if not position.settled:
            steps.append((text, state_in_words(book.game, position.state, _unsaid)))
    settled = position.settled
    assert settled is not None, "a book tells games to their end"
    return ExampleRound((*steps, (text, "")), book.seen(settled, position.seat))


def play(game: Game, random: Random, optimum: "Optimum | None" = None) -> ExampleRound | None:
    """A round through the game's own step, with optimal choices; None if too long for an
    example.
    """
    position = Position(game)
    steps: list[tuple[str, str]] = []
    while len(steps) < LONGEST:
        if position.options:
            assert optimum is not None
            text = drawn(optimum.policy[position.question], random)
            position.choose(text)
        else:
            rolled = position.rollable
            text = _shown(rolled, position.throw(random))
        settled = position.settled
        if settled:
            if optimum is not None and optimum.model.passes:
                settled = seen_by_first(settled, position.seat)
            label = " · ".join(dict.fromkeys(settled.label.split(" · ")))
            steps.append((text, "" if label == text else label))
            return ExampleRound(tuple(steps), settled)
        steps.append((text, state_in_words(game, position.state, _unsaid)))
    return None


def examples(
    game: Game, seed: int = 1, most: int = 5, optimum: "Optimum | None" = None
) -> list[ExampleRound]:
    """Example rounds with different ends, in the order in which the seed gives them.

    >>> from sevenout.catalogue import games
    >>> [each.settled.label for each in examples(games["craps"], most=3)]
    ['natural', 'seven out', 'point']
    """
    random = Random(seed)
    found: dict[str, ExampleRound] = {}
    for _ in range(TRIES):
        each = play(game, random, optimum)
        if each is not None:
            found.setdefault(each.settled.label, each)
        if len(found) == most:
            break
    return list(found.values())


def paid(settled: Outcome, bets: tuple[str, ...]) -> str:
    """What each bet is paid, in words.

    >>> from sevenout.rules import win
    >>> paid(win("natural"), ("pass",))
    'pass wins 1'
    """
    if len(bets) > FEW_BETS:
        return _together(settled, bets)

    def words(bet: str) -> str:
        profit: Fraction = settled.profit(bet)
        if profit == 0:
            return f"{bet} is returned"
        return f"{bet} {'wins' if profit > 0 else 'loses'} {abs(profit)}"

    return listed((words(bet) for bet in bets), "and")


def _together(settled: Outcome, bets: tuple[str, ...]) -> str:
    """The same for many bets: the winners by name, and the number lost or returned."""
    won: dict[Fraction, list[str]] = {}
    for bet in bets:
        won.setdefault(settled.profit(bet), []).append(bet)
    said = []
    for profit, names in sorted(won.items(), reverse=True):
        one = len(names) == 1
        do = f"{'win' if profit > 0 else 'lose'}{'s' if one else ''} {abs(profit)}"
        who = short_list(names, 4) if profit > 0 else names[0] if one else f"{len(names)} others"
        said.append(f"{who} {do if profit else 'is returned' if one else 'are returned'}")
    return listed(said, "and")
