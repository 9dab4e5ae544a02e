"""Certificates of two policies: the game in integers, and each player's policy.

The checker computes the best replies (`certify/check.py`).
"""

import json
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from sevenout.certify import ProofFile
from sevenout.certify.certificate import VERSION
from sevenout.certify.claim import text
from sevenout.model import Model, state_name
from sevenout.model.process import Mixture
from sevenout.solving.goal import Goal, goal_of
from sevenout.solving.hidden.sequence_form import in_order, subgames

if TYPE_CHECKING:
    from sevenout.solving.hidden.mixed_optimum import MixedOptimum


@dataclass(frozen=True, eq=False)
class MixedCertificate(ProofFile):
    """The input of `check.py`, made by `MixedOptimum.certificate`."""

    game: str
    best: "MixedOptimum"

    @property
    def header(self) -> dict[str, Any]:
        """The first line."""
        best = self.best
        low, high = text(best.value - best.bound), text(best.value + best.bound)
        return _header(best.model, best.goal) | {"game": self.game, "low": low, "high": high}

    def data(self) -> Iterator[dict[str, Any]]:
        """Each line: the header, the information sets with the policy, the nodes in order of
        play.
        """
        yield self.header
        yield from _rows(self.best.model, self.best.policy)

    def __repr__(self) -> str:
        return f"<MixedCertificate of {self.game}: {self.best.goal.name}>"


def _header(model: Model, goal: Goal) -> dict[str, Any]:
    """The header's description of the game."""
    wants = [goal.sense if player == goal.player else -goal.sense for player in model.players]
    wants = [*wants, -wants[0]][:2]
    return {
        "format": "sevenout certificate of two policies",
        "version": VERSION,
        "game": "",
        "of": goal.name.partition(" ")[2],
        "players": [*model.players, "nobody"][:2],
        "wants": ["most" if want > 0 else "least" for want in wants],
        "rollables": [
            {"rolls": list(map(state_name, r.law)), "weights": list(r.law.weights)}
            for r in model.rollables
        ],
        "outcomes": [
            {"name": outcome.label, "worth": text(goal.value(outcome))}
            for outcome in model.outcomes
        ],
        "sets": len(model.asked),
        "nodes": len(model.states),
    }


def _rows(model: Model, policy: Mapping[Any, Mixture]) -> Iterator[dict[str, Any]]:
    """The information sets, with the policy if there is one; and the nodes in topological order."""
    numbers: dict[Hashable, int] = {}
    for asked, node in model.asked.items():
        numbers[asked] = len(numbers)
        row: dict[str, Any] = {"sees": state_name(model.seen[node])}
        row["player"] = model.players.index(model.choosers[node])
        row["options"] = list(model.menus[node])
        yield row | ({"plays": list(map(text, policy[asked].values()))} if policy else {})
    roots, order = subgames(model), in_order(model)
    place = {s: i for i, s in enumerate(order)}
    for s in order:
        row = {"position": state_name(model.states[s])} | ({"root": True} if s in roots else {})
        if s in model.choosers:
            row["set"] = numbers[model.question(s)]
        elif not model.menus[s]:
            row["roll"] = model.rolled[s]
        targets = model.targets[model.first[s] : model.first[s + 1]]
        yield row | {"to": [place.get(t, t) for t in targets]}


def mixed_difference(lines: Iterable[bytes], model: Model) -> str:
    """Where a checked certificate differs from this game; empty if nowhere.

    >>> import sevenout as so
    >>> rock, pennies = (so.games(name) for name in ("rock-paper-scissors", "matching-pennies"))
    >>> proof = so.best(rock).certificate()
    >>> mixed_difference(proof.lines(), so.explore(rock))
    ''
    >>> mixed_difference(proof.lines(), so.explore(pennies))
    'line 1: this is not what the rules of the game say'
    """
    found = [json.loads(line) for line in lines]
    if not {"wants", "of", "players"} <= set(found[0]):
        return "line 1: this is not a certificate of two policies"
    of, players = found[0]["of"], found[0]["players"]
    sense = found[0]["wants"][players.index(of) if of in players else 0]
    goal = goal_of(model, **{sense: of})
    made = [_header(model, goal), *_rows(model, {})]
    for n, (one, two) in enumerate(zip_longest(found, made), 1):
        if one is None or two is None or _rules(one) != _rules(two):
            return f"line {n}: this is not what the rules of the game say"
    return ""


def _rules(line: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in line.items() if key not in DONE}


DONE = ("game", "low", "high", "plays")
"""A line's keys besides the game."""
