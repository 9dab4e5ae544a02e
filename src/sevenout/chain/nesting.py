"""Games of games ► chain: the game that is rolled is explored once, and not in every state again.

What `rules.Flat` says of such a game step by step is found here at once: the same states, in the
same order. A gambler's evening of a million states asks its rules for a step for each result of a
bet, not for each roll of the dice, and only once for each money that he may have.
"""

from collections.abc import Callable, Hashable, Sequence
from operator import itemgetter
from typing import Any

from sevenout.chain.chain import Chain
from sevenout.chain.explore import Found, chain_of, must_roll
from sevenout.errors import RulesError
from sevenout.rules import Counted, Game, Outcome
from sevenout.rules.game import no_state, not_a_state, start_of
from sevenout.rules.outcome import Counts, added


def explore_nested(game: Game, max_states: int) -> Chain:
    """The chain of a game of games; see `explore`, which calls this."""
    return _Nesting(game, max_states).chain()


class _Round:
    """What is rolled in a state of the outer game: a game, or dice as a game of one roll.

    An *arrow* is a target with the counters that advance on the way; arrow 0 leads to the start.
    """

    def __init__(
        self,
        names: Sequence[tuple[Any, ...]],
        rolled: Sequence[Any],
        rows: Sequence[Sequence[tuple[int, Counts]]],
        results: Sequence[Any],
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


def _picker(row: list[int]) -> Callable[[list[int]], tuple[int, ...]]:
    pick = itemgetter(*row)
    return pick if len(row) > 1 else lambda at: (pick(at),)


def _round(what: Any, max_states: int) -> _Round:
    if not isinstance(what, Game):
        law = tuple(must_roll(what).law)
        return _Round([()], [what], [[(1 + i, ()) for i in range(len(law))]], law)
    chain = chain_of(what, max_states)
    nested = chain.states[0] != what.start
    return _Round(
        names=[(state if nested else (state,),) for state in chain.states],
        rolled=[chain.rollables[which] for which in chain.rolled],
        rows=chain.moves,
        results=chain.outcomes,
    )


UNKNOWN = -(1 << 31)
"""Where an arrow leads, before that is known; ~k is outcome k."""


class _Nesting:
    def __init__(self, game: Game, max_states: int) -> None:
        self.game, self.most = game, max_states
        self.found = Found(game, max_states)
        self.outer: list[int] = []  # for each state of the chain, the state of the outer game
        self.inner: list[int] = []  # and that of what is rolled there
        self.index: dict[Hashable, int] = {}
        self.states: list[Hashable] = []  # of the outer game
        self.rounds: list[_Round] = []
        self.at: list[list[int]] = []  # for each of them, where each arrow leads
        self.tagged: list[list[int]] = []
        self.settles: list[bool] = []
        self.known: dict[tuple[int, Any], _Round] = {}
        self.last: Any = None
        self.round: _Round | None = None

    def chain(self) -> Chain:
        found = self.found
        self._enter(start_of(self.game))
        targets, tagged, settling = found.targets, found.tagged, found.settling
        for s, o in enumerate(self.outer):  # grows as we go
            its, i, here = self.rounds[o], self.inner[s], self.at[o]
            for arrow in its.kinds[i]:
                if here[arrow] == UNKNOWN:
                    self._follow(o, arrow)
            pick, which = its.picks[i], its.which[i]
            if which is None:
                which = its.which[i] = found.roll_what(its.rolled[i])
            row, m = pick(here), len(targets)
            if self.settles[o]:
                settling.extend([m + j for j, target in enumerate(row) if target < 0])
            targets.extend(row)
            tagged.extend(pick(self.tagged[o]))
            found.close(which, len(self.outer))
        names = zip(self.outer, self.inner, strict=True)
        return found.chain([(self.states[o], *self.rounds[o].names[i]) for o, i in names])

    def _enter(self, state: Hashable) -> int:
        """The start of what is rolled in a state of the outer game."""
        o = self.index.setdefault(state, len(self.states))
        if o == len(self.states):
            its = self._rolled(state)
            self.states.append(state)
            self.rounds.append(its)
            self.at.append([UNKNOWN] * len(its.arrows))
            self.tagged.append([0] * len(its.arrows))
            self.settles.append(False)
            self.at[o][0] = self._add(o, 0)
        return self.at[o][0]

    def _add(self, o: int, i: int) -> int:
        self.outer.append(o)
        self.inner.append(i)
        return len(self.outer) - 1

    def _rolled(self, state: Hashable) -> _Round:
        what = self.game.rolls(state)
        if what is not self.last or self.round is None:
            self.last = what
            key: tuple[int, Any]
            try:
                key = hash(what), what
            except TypeError:
                key = id(what), None
            self.round = self.known.get(key) or _round(what, self.most)
            self.known[key] = self.round
        return self.round

    def _follow(self, o: int, arrow: int) -> None:
        """Find where an arrow leads."""
        its, here = self.rounds[o], self.at[o]
        target, counts = its.arrows[arrow]
        n = len(its.names)
        if target < n:
            alike = its.alike[arrow]
            if here[alike] == UNKNOWN:
                here[alike] = self._add(o, target)
            here[arrow] = here[alike]
        else:
            state, roll = self.states[o], its.results[target - n]
            then = self.game.step(state, roll)
            if isinstance(then, Counted):
                counts = added(counts, then.counts) if counts else then.counts
                then = then.then
            if isinstance(then, Outcome):
                outcomes = self.found.outcomes
                here[arrow] = ~outcomes.setdefault(then, len(outcomes))
                self.settles[o] = True
            else:
                if not_a_state(then):
                    raise RulesError(no_state(then, state, roll))
                try:
                    here[arrow] = self._enter(then)
                except TypeError as error:
                    if "unhashable" not in str(error):
                        raise
                    raise RulesError(no_state(then, state, roll)) from None
        tags = self.found.tags
        self.tagged[o][arrow] = tags.setdefault(counts, len(tags))
