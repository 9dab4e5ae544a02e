"""The sections on how the game is played: rules, worked rounds, the state diagram."""

from functools import partial

from sevenout.documents import Block, Page, Picture, Table, Text, code, prose
from sevenout.model import chain_of
from sevenout.papers.pictures.state_diagram import MOST_CARDS, diagram
from sevenout.papers.sections.award_sections import beside
from sevenout.papers.sections.example_rounds import examples, paid
from sevenout.papers.sections.payments import payments
from sevenout.papers.sections.rules_in_words import (
    bets_of,
    describe,
    listed,
    parts,
    sentences,
    state_in_words,
)
from sevenout.papers.subject import Subject
from sevenout.rules import Flat, Game

MOST_DIAGRAMS = 6
LEGEND = Text(
    "States that behave alike share a card. A card lists how the game can end there, with the "
    "probabilities. “Again” is a roll that changes nothing. Arrows lead to the next states.",
    tone="note",
)


def rules(subject: Subject, seed: int) -> Page:
    blocks = words(subject)
    if (table := _rounds(subject, seed)) is not None:
        note = (
            f"The first round with each kind of result, from seed {seed}. “→” shows the state "
            "after the roll."
        )
        blocks += [table, Text(note, tone="note")]
    return Page("The rules", *blocks)


def words(subject: Subject) -> list[Block]:
    derived = sentences(subject.game)
    blocks: list[Block] = [*prose(subject.text)]
    if not blocks and not derived:
        told = describe(subject.game) or [
            "The rules are given as a program; the state diagram and the tables follow from it."
        ]
        blocks += prose("\n\n".join(told))
    if blocks and derived:
        blocks.append(Text("In full, as declared:", tone="note"))
    return blocks + [Text(text) for text in (*derived, *payments(subject.game))]


def _rounds(subject: Subject, seed: int) -> Table | None:
    rows = []
    for each in examples(subject.game, seed, optimum=subject.optimum):
        steps = (f"{shown} → {then}" if then else shown for shown, then in each.rolls)
        also = beside(subject, each.settled)
        rows.append(("; ".join(steps), paid(each.settled, subject.names) + also))
    if not rows:
        return None
    if not subject.names:
        return Table(["roll by roll"], [row[:1] for row in rows], caption="A round")
    return Table(["roll by roll", "settled"], rows, caption="Worked rounds")


def states(subject: Subject) -> Page:
    """The state diagram; one per game if several share the rolls."""
    blocks: list[Block] = []
    games = parts(subject.game)
    for part in games[:MOST_DIAGRAMS]:
        chain = subject.chain if len(games) == 1 else chain_of(part)
        named = listed(f"“{bet}”" for bet in bets_of(part)) if len(games) > 1 else ""
        caption = f"The states of {named}" if named else "The states of the game"
        picture = diagram(chain, partial(state_in_words, _namer(part)), caption)
        if picture is not None:
            blocks.append(picture)
        else:
            blocks.append(
                Text(
                    f"{caption} are too many to draw: {len(chain.states):,} states of more than "
                    f"{MOST_CARDS} kinds. ",
                    code("sevenout diagram"),
                    " prints them all.",
                )
            )
    if len(games) > MOST_DIAGRAMS:
        blocks.append(Text(f"{len(games) - MOST_DIAGRAMS} more games are played alike."))
    if any(isinstance(block, Picture) for block in blocks):
        blocks.append(LEGEND)
    return Page("State diagram", *blocks)


def _namer(game: Game) -> Game:
    """The game that names a chain's states: a game of games is explored flat."""
    rolls = hasattr(game, "dice") or type(game).rolls is not Game.rolls
    return Flat(game) if rolls and isinstance(game.rolls(game.start), Game) else game
