"""Inner games (rounds): each is explored once, not in every state that plays it.

The result equals that of `rules.Flat`, with the same states in the same order, but the outer rules
are called once per result of a round and amount of money.
"""

from collections.abc import Callable, Hashable, Sequence
from operator import itemgetter
from typing import Any

from sevenout.model.chain import Chain
from sevenout.rules import Outcome
from sevenout.rules.outcome import Counts


class RolledGame:
    """An inner game.

    An *arrow* is a target of its chain with the counters advanced on the way; arrow 0 leads to the
    start.

    Attributes:
        names: the name of each state.
        rolled: the rollable of each state.
        which: its index in the outer model; None until known.
        results: its outcomes.
        arrows: the target and the counters of each arrow.
        alike: for each arrow, the first with the same target.
        kinds: the distinct arrows out of each state.
        picks: for each state, a function that takes a list by arrow to a tuple by roll.
    """

    def __init__(
        self,
        names: Sequence[tuple[Hashable, ...]],
        rolled: Sequence[Any],
        rows: Sequence[Sequence[tuple[int, Counts]]],
        results: Sequence[Outcome],
    ) -> None:
        self.names, self.rolled, self.results = names, rolled, results
        self.which: list[int | None] = [None] * len(names)
        arrows: dict[tuple[int, Counts], int] = {(0, ()): 0}
        numbers = [[arrows.setdefault(arrow, len(arrows)) for arrow in row] for row in rows]
        self.arrows = list(arrows)
        first: dict[int, int] = {}
        self.alike = [first.setdefault(target, a) for a, (target, _) in enumerate(self.arrows)]
        self.kinds = [list(dict.fromkeys(row)) for row in numbers]
        self.picks = [_picker(row) for row in numbers]


class Visit:
    """A round played in a state.

    Attributes:
        round: the round.
        state: the outer state.
        targets: by arrow: its node, ~k for outcome k, or None until known.
        tagged: the tag of each arrow.
        settles: whether the outer game may be settled here.
    """

    __slots__ = ("round", "settles", "state", "tagged", "targets")

    def __init__(self, its: RolledGame, state: Hashable, node: int) -> None:
        self.round, self.state, self.settles = its, state, False
        self.targets: list[Any] = [None] * len(its.arrows)
        self.targets[0] = node
        self.tagged = [0] * len(its.arrows)


def round_of(chain: Chain, start: Hashable) -> RolledGame:
    """The inner game of a chain and its start."""
    nested = chain.states[0] != start
    return RolledGame(
        names=[(state if nested else (state,),) for state in chain.states],
        rolled=[chain.rollables[which] for which in chain.rolled],
        rows=chain.moves,
        results=chain.outcomes,
    )


def _picker(row: list[int]) -> Callable[[list[Any]], tuple[Any, ...]]:
    pick = itemgetter(*row)
    return pick if len(row) > 1 else lambda at: (pick(at),)
