"""Certificates of two policies in a game of hidden hands.

A policy is listed only where it can get to: 33 million positions take 4,000 lines. The checker
computes the best replies (`certify/check.py`).
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from sevenout.certify import ProofFile
from sevenout.certify.certificate import VERSION
from sevenout.certify.claim import text
from sevenout.errors import TooMuchWorkError
from sevenout.model import Model, explore, state_name
from sevenout.rules import HiddenHands
from sevenout.rules.families.hidden_hands import LateDeal
from sevenout.solving.goal import Goal, goal_of
from sevenout.solving.hidden.public_tree.hands_game import SEATS, HandsGame
from sevenout.solving.hidden.public_tree.undominated import Node, bits
from sevenout.solving.hidden.sequences.subgames import in_order

if TYPE_CHECKING:
    from sevenout.solving.hidden.hands_optimum import HandsOptimum

FORMAT = "sevenout certificate of hidden hands"
MOST_HISTORIES = 200_000
"""The most histories in a file."""
DONE = ("game", "histories", "low", "high")
"""The header's keys besides the game."""


@dataclass(frozen=True, eq=False)
class HandsCertificate(ProofFile):
    """The input of `check.py`, made by `HandsOptimum.certificate`."""

    game: str
    best: "HandsOptimum"

    def data(self) -> Iterator[dict[str, Any]]:
        """Each line: the header, the tables, and the policies after each history."""
        best = self.best
        low, high = best.proved_interval
        header, *tables = _tables(best.tables, best.goal)
        rows = list(self._rows())
        claimed = {"game": self.game, "histories": len(rows), "low": text(low), "high": text(high)}
        yield header | claimed
        yield from tables
        yield from rows

    def _rows(self) -> Iterator[dict[str, Any]]:
        root, n = self.best.tree.root, 0
        for seat in (0, 1):
            for row in self._played(seat, root, (), 0, list(bits(root.alive[seat]))):
                n += 1
                if n > MOST_HISTORIES:
                    raise TooMuchWorkError(
                        f"the two policies come to more than {MOST_HISTORIES:,} histories, too "
                        "many for a certificate; take fewer dice or sides, or method='exact'"
                    )
                yield row

    def _played(
        self, seat: int, node: Node, done: tuple[int, ...], base: int, hands: Sequence[int]
    ) -> Iterator[dict[str, Any]]:
        """A player's policy with some hands from a history on, against any play."""
        if node.payoffs >= 0:
            return
        bases = self.best.bases(node, base)
        after = dict.fromkeys(range(len(node.table.menu)), hands)
        if node.table.seat == seat:
            plays = self.best.plays(node, done, base, hands)
            said = [list(map(text, shares)) for shares in plays]
            yield {"after": list(done), "hands": list(hands), "plays": said}
            both = list(zip(hands, plays, strict=True))
            after = {k: [hand for hand, shares in both if shares[k]] for k in after}
        for option, _, then in node.branches:
            if after[option]:
                further = (*done, option), bases.get(option, -1), after[option]
                yield from self._played(seat, then, *further)

    def __repr__(self) -> str:
        return f"<HandsCertificate of {self.game}: {self.best.goal.name}>"


def _tables(model: Model, goal: Goal) -> Iterator[dict[str, Any]]:
    """The header's description of the game, then its tables in topological order."""
    game = HandsGame.of(model, [Fraction(goal.value(outcome)) for outcome in model.outcomes])
    wants = [goal.sense if player == goal.player else -goal.sense for player in SEATS]
    order = in_order(model)
    yield {
        "format": FORMAT,
        "version": VERSION,
        "game": "",
        "of": goal.name.partition(" ")[2],
        "players": list(SEATS),
        "wants": ["most" if want > 0 else "least" for want in wants],
        "hands": [list(map(state_name, hands)) for hands in game.hands],
        "weights": list(map(list, game.weights)),
        "outcomes": [
            {"name": outcome.label, "worth": text(goal.value(outcome))}
            for outcome in model.outcomes
        ],
        "tables": len(order),
    }
    one, two = ({hand: k for k, hand in enumerate(hands)} for hands in game.hands)
    place = {s: k for k, s in enumerate(order)}
    for s in order:
        row: dict[str, Any] = {"table": state_name(model.states[s])}
        targets = model.targets[model.first[s] : model.first[s + 1]]
        if model.menus[s]:
            row |= {"player": SEATS.index(model.choosers[s]), "options": list(model.menus[s])}
            yield row | {"to": [place[t] for t in targets]}
            continue
        shown: list[list[int | None]] = [[None] * len(two) for _ in one]
        for (x, y), t in zip(model.rollables[model.rolled[s]].law, targets, strict=True):
            shown[one[x]][two[y]] = t - len(model.states)
        yield row | {"ends": shown}


def hands_difference(lines: Iterable[bytes], game: HiddenHands) -> str:
    """Where a checked certificate differs from this game; empty if nowhere.

    >>> import sevenout as so
    >>> kuhn, dice = (so.games(name) for name in ("kuhn", "liars-dice"))
    >>> proof = so.best(kuhn).certificate()
    >>> hands_difference(proof.lines(), kuhn)
    ''
    >>> hands_difference(proof.lines(), dice)
    'line 1: this is not what the rules of the game say'
    """
    head, *found = map(json.loads, lines)
    if head["format"] != FORMAT:
        return "line 1: this is not a certificate of hidden hands"
    model = explore(LateDeal(game))
    sense = head["wants"][SEATS.index(head["of"])] if head["of"] in SEATS else head["wants"][0]
    made = _tables(model, goal_of(model, **{sense: head["of"]}))
    said = {key: value for key, value in head.items() if key not in DONE}
    tables = found[: head["tables"]]
    for n, (line, ours) in enumerate(zip_longest([said, *tables], made), 1):
        if line is None or ours is None or line | {"game": ""} != ours | {"game": ""}:
            return f"line {n}: this is not what the rules of the game say"
    return ""
