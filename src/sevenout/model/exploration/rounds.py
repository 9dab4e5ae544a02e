"""Games that are rolled: each is explored once, and not again in every state that rolls it.

What `rules.Flat` says of a game of games step by step is found here at once: the same states, in
the same order. A gambler's evening of a million states asks its rules for a step for each result of
a bet, not for each roll of the dice, and only once for each amount of money.
"""

from collections.abc import Callable, Hashable, Sequence
from operator import itemgetter
from typing import Any

from sevenout.model.chain import Chain
from sevenout.rules import Outcome
from sevenout.rules.outcome import Counts


class RolledGame:
    """A game as it is rolled in a state of another.

    An *arrow* is a target of its chain, with the counters that advance on the way; arrow 0 leads to
    the start.

    Attributes:
        names: for each of its states, its name.
        rolled: for each of its states, what is rolled.
        which: the same as the index in the model that is explored; None until it is met.
        results: its outcomes.
        arrows: the target and the counters of each arrow.
        alike: for each arrow, the first that leads to the same target.
        kinds: for each of its states, the arrows that lead on from it, each once.
        picks: for each of its states, what takes from a list by arrow one entry for each roll.
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
    """A round that is played in a state.

    Attributes:
        round: the round.
        state: the state of the game in which it is played.
        targets: for each arrow, the node that it leads to, or ~k for outcome k; None until known.
        tagged: for each arrow, its tag.
        settles: whether the game may be settled here.
    """

    __slots__ = ("round", "settles", "state", "tagged", "targets")

    def __init__(self, its: RolledGame, state: Hashable, node: int) -> None:
        self.round, self.state, self.settles = its, state, False
        self.targets: list[Any] = [None] * len(its.arrows)
        self.targets[0] = node
        self.tagged = [0] * len(its.arrows)


def round_of(chain: Chain, start: Hashable) -> RolledGame:
    """A game that is rolled, from its chain and its start."""
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
