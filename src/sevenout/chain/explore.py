"""Rules ► chain: play every roll once, in every state that can be reached."""

import gc
from array import array
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sevenout.chain.chain import Chain, stakes_of, state_name
from sevenout.chain.ending import must_end
from sevenout.cost import afford
from sevenout.dice import Rollable
from sevenout.errors import RulesError, TooManyStatesError, shown
from sevenout.rules import Counted, Game, Outcome, Passed
from sevenout.rules.game import must_be_a_game, no_state, not_a_state, start_of

if TYPE_CHECKING:
    from sevenout.chain.model import Model

MAX_STATES = 1_000_000
SOON_STATES = 60_000
"""So many are explored in a moment: every game of the catalogue has fewer."""
QUESTION = -1
"""What is rolled where a player is asked."""


def chain_of(game: "Game | Chain", max_states: int = MAX_STATES) -> Chain:
    """The chain of a game that asks nobody anything; a chain is its own.

    >>> from sevenout.rules import PointGame
    >>> chain = chain_of(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7))
    >>> chain_of(chain) is chain
    True

    Raises:
        RulesError: not a game, or a game with choices and nobody to make them.
    """
    found = game if isinstance(game, Chain) else explore(game, max_states)
    if not isinstance(found, Chain):
        some = state_name(found.states[found.questions[0]])
        raise RulesError(
            f"the game asks what to do in state {some}; say who answers: sevenout.best(game), or "
            "sevenout.explore(game).under(policy)"
        )
    return found


def explore(game: Game, max_states: int = MAX_STATES) -> "Chain | Model":
    """The chain of a game; of a game with choices, its model.

    A game of games is played out on the dice at the bottom; its states are those of `rules.Flat`.

    >>> from sevenout.rules import PointGame
    >>> explore(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7))
    <Chain of 7 states and 4 outcomes>

    Args:
        game: the rules.
        max_states: refuse a game with more states.

    Raises:
        TooManyStatesError: more states than `max_states`.
        TooMuchWorkError: more states and rolls than the budget allows.
        EndlessGameError: a state from which no outcome can be reached.
        RulesError: a step that returns something that is neither a state nor an outcome.
    """
    must_be_a_game(game)
    game.afford()
    with not_collecting():
        if type(game).choices is Game.choices:
            found = _explored(game, max_states)
            if found is not None:
                return found
        from sevenout.chain.asking import explore_choices

        model = explore_choices(game, max_states)
    return model if any(model.menus) else model.under({})


@contextmanager
def not_collecting() -> Iterator[None]:
    """A million states are no garbage, and looking for some takes a third of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _explored(game: Game, max_states: int) -> Chain | None:
    """The chain; None where turns pass, so that a state is seen by the player to move."""
    found = Found(game, max_states)
    start = start_of(game)
    index: dict[Hashable, int] = {start: 0}
    states: list[Hashable] = [start]
    step, tags = game.step, found.tags
    lead, tag_it = found.targets.append, found.tagged.append
    last: object = found  # nothing that is rolled, not even None
    which = 0
    for state in states:  # grows as we go
        what = game.rolls(state)
        if what is not last:  # most games roll one thing, and hashing it takes a while
            if isinstance(what, Game):
                from sevenout.chain.nesting import explore_nested

                return explore_nested(game, max_states)
            last, which = what, found.roll_what(what)
        for roll in found.laws[which]:
            then = step(state, roll)
            if isinstance(then, Counted):
                tag_it(tags.setdefault(then.counts, len(tags)))
                then = then.then
            else:
                tag_it(0)
            if isinstance(then, Outcome):
                lead(found.settle(then))
                continue
            try:
                target = index.setdefault(then, len(states))
            except TypeError:
                if isinstance(then, Passed):
                    return None
                raise RulesError(no_state(then, state, roll)) from None
            if then is None:  # it may be known as the start
                raise RulesError(no_state(then, state, roll))
            if target == len(states):
                if isinstance(then, Passed):
                    return None
                if not_a_state(then):
                    raise RulesError(no_state(then, state, roll))
                states.append(then)
            lead(target)
        found.close(which, len(states))
    return found.chain(states)


def must_roll(what: Any) -> Rollable:
    """Refuse what can't be rolled.

    Raises:
        RulesError: it is neither dice nor a law.
    """
    if not isinstance(what, Rollable):
        raise RulesError(f"{shown(what)} can't be rolled; write sevenout.dice('2d6')")
    return what


class Found:
    """What exploring writes down, as it is found."""

    def __init__(self, game: Game, most: int) -> None:
        self.game, self.most = game, most
        self.outcomes = {outcome: k for k, outcome in enumerate(game.outcomes)}
        self.tags: dict[Any, int] = {(): 0}
        self.rollables: dict[Rollable, int] = {}
        self.laws: list[tuple[Any, ...]] = []
        self.rolled, self.first = array("i"), array("q", [0])
        self.targets, self.tagged = array("i"), array("i")
        self.settling = array("q")  # the moves that settle the game: ~k is outcome k until the end
        self.known = self.closed = 0  # how many make it ask the budget again

    def roll_what(self, what: Any) -> int:
        """The index of what is rolled."""
        which = self.rollables.setdefault(must_roll(what), len(self.rollables))
        if which == len(self.laws):
            self.laws.append(tuple(what.law))
        return which

    def settle(self, outcome: Outcome) -> int:
        """Where the next move leads, if it settles the game."""
        self.settling.append(len(self.targets))
        return ~self.outcomes.setdefault(outcome, len(self.outcomes))

    def close(self, which: int, states: int) -> None:
        """A state has all its moves; so many states are known."""
        self.rolled.append(which)
        self.first.append(len(self.targets))
        closed = len(self.rolled)
        if closed > 1 and (states > self.known or closed > self.closed):
            # The first roll, which may be a draw among many states, says nothing of the others.
            self.known, self.closed = min(2 * states, self.most), 2 * closed
            _afford(states, 0 if which == QUESTION else len(self.laws[which]))
            if states > self.most:
                raise TooManyStatesError(
                    f"more than {self.most:,} states; choose less, forget what the rules do not "
                    "need to remember, or raise max_states in Python"
                )

    def chain(self, states: Iterable[Hashable]) -> Chain:
        """The chain of all that was found."""
        game, states, targets = self.game, tuple(states), self.targets
        n = len(states)
        kept = in_order(game, self.outcomes, {~targets[i] for i in self.settling})
        place = {~k: n + i for i, (_, k) in enumerate(kept)}
        for i in self.settling:
            targets[i] = place[targets[i]]
        must_end(states, self.first, targets)
        return Chain(
            states=states,
            outcomes=tuple([outcome for outcome, _ in kept]),
            rollables=tuple(self.rollables),
            rolled=self.rolled,
            first=self.first,
            targets=targets,
            tagged=self.tagged,
            tags=tuple(self.tags),
            stakes=stakes_of([outcome for outcome, _ in kept]),
            declared=tuple(game.counters),
        )


def _afford(states: int, width: int) -> None:
    """Ask whether so many states with so many rolls each can be explored."""
    afford(
        f"{states:,} states, each with {width:,} rolls,",
        seconds=states * (2e-5 + width * 5e-7),
        memory=states * (400 + width * 12),
        instead="forget what the rules do not need to remember",
    )


def in_order(
    game: Game, outcomes: Mapping[Outcome, int], reached: Collection[int]
) -> list[tuple[Outcome, int]]:
    """The outcomes that were reached, in the order of the rule book, and their numbers.

    Args:
        game: the rules.
        outcomes: those that are known, with their numbers.
        reached: the numbers of those that were.
    """
    kept = [(outcome, k) for outcome, k in outcomes.items() if k in reached]
    if not game.outcomes:
        kept.sort(key=_rank(game))
    return kept


def _rank(game: Game) -> Callable[[tuple[Outcome, int]], list[int]]:
    """The place of an outcome in the order of the rule book, as each of its bets has it."""
    places = {
        bet: {pay: place for place, pay in enumerate(game.pays_of(bet))} for bet in game.bets or ()
    }

    def rank(kept: tuple[Outcome, int]) -> list[int]:
        paid = dict(kept[0].pays)
        return [place.get(paid[bet], -1) if bet in paid else -1 for bet, place in places.items()]

    return rank
