"""A chain with questions in it: a Markov decision process with integer weights.

A game with choices is explored into a `Model` (Puterman 1994). Its nodes are of two kinds: at a
roll chance chooses among the moves, at a question a player does. A policy answers the questions,
and `model.under(policy)` is a `Chain` again, so that every engine serves every policy.

Where turns pass between two players, a node is seen by the player to move, and the model keeps half
of what it would need if it said whose turn it is: a move that `passes` turns the interest over.
"""

from array import array
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from sevenout.chain.chain import Chain, state_name
from sevenout.chain.ending import must_end
from sevenout.chain.explore import not_collecting
from sevenout.dice import Rollable
from sevenout.errors import RulesError, shown
from sevenout.rules import Objective, Outcome
from sevenout.rules.outcome import Counts, added

Policy = Callable[[Any], str] | Mapping[Any, str]
"""What a player does: the option by state, as a function or as a table."""

SEATS = ("first", "second")


def is_seated(found: "Chain | Model") -> bool:
    """Whether the states of a chain say whose turn it is, as `Model.under` has them."""
    start = found.states[0]
    named = isinstance(start, tuple) and len(start) == 2 and start[0] in SEATS
    return named and isinstance(found, Chain)


class Tag(NamedTuple):
    """What happens on a move besides where it leads.

    Attributes:
        counts: the counters it advances, by how much.
        passes: the turn passes to the other player.
    """

    counts: Counts
    passes: bool


@dataclass(frozen=True, eq=False)
class Model:
    """A finite Markov decision process; node 0 is the start.

    The moves of node s are those from `first[s]` up to `first[s + 1]`: one for each outcome of what
    is rolled, in its law's order; or one for each option of the question, in the order of its menu.

    Attributes:
        states: for each node, its state; one state may be both a question and a roll.
        menus: for each node, the names of the options; none at a roll.
        rolled: for each node, the index of what is rolled there; -1 at a question.
        first: for each node, and one past the last, the index of its first move.
        targets: for each move, a node; or, from `len(states)` on, an outcome.
        tagged: for each move, the index of its tag.
        tags: what else may happen on a move.
        outcomes: the settled outcomes, as the player to move sees them.
        rollables: what is rolled, each once.
        stakes: the stake of each bet, where it is not 1.
        choosers: the player who is asked, by node, where there are several.
        traps: the nodes in which the players could together prolong the game for ever.
        coordinates: the names of the parts of a state, for people; none if the rules don't say.
        goal: what the game is played for; None if the rules don't say.
    """

    states: Sequence[Hashable]
    menus: Sequence[tuple[str, ...]]
    rolled: "array[int]"
    first: "array[int]"
    targets: "array[int]"
    tagged: "array[int]"
    tags: tuple[Tag, ...]
    outcomes: tuple[Outcome, ...]
    rollables: tuple[Rollable, ...]
    stakes: Mapping[str, Fraction]
    choosers: Mapping[int, str]
    traps: frozenset[int]
    coordinates: Sequence[str] = ()
    goal: Objective | None = None

    @cached_property
    def questions(self) -> Sequence[int]:
        """The nodes at which a player is asked, and has not answered once for all."""
        named = self.choosers
        return [s for s, menu in enumerate(self.menus) if menu and (not named or s in named)]

    @cached_property
    def asked(self) -> dict[Hashable, int]:
        """The node of each state in which a player is asked."""
        return {self.states[s]: s for s in self.questions}

    @property
    def passes(self) -> bool:
        """Whether turns pass between two players."""
        return any(tag.passes for tag in self.tags)

    @cached_property
    def players(self) -> tuple[str, ...]:
        """Those who choose, where the rules name them."""
        return tuple(dict.fromkeys(self.choosers.values()))

    @cached_property
    def bets(self) -> tuple[str, ...]:
        """The names of the bets."""
        return tuple(dict.fromkeys(bet for outcome in self.outcomes for bet, _ in outcome.pays))

    @cached_property
    def counters(self) -> tuple[str, ...]:
        """The names of the counters, "rolls" first."""
        return tuple(dict.fromkeys(["rolls", *(n for tag in self.tags for n, _ in tag.counts)]))

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels of the outcomes."""
        return tuple(dict.fromkeys(outcome.label for outcome in self.outcomes))

    def options(self, state: Any) -> tuple[str, ...]:
        """What the player may do in a state.

        Raises:
            RulesError: nobody is asked in that state.
        """
        try:
            known = state in self.asked
        except TypeError:  # unhashable
            known = False
        if not known:
            some = ", ".join(state_name(s) for s in list(self.asked)[:8])
            raise RulesError(
                f"nobody is asked anything in state {shown(state)}; questions come in: {some}, ..."
            )
        return self.menus[self.asked[state]]

    def answer(self, policy: Policy, node: int) -> int:
        """The move that a policy chooses at a question.

        Raises:
            RulesError: the policy says nothing there, or names what may not be done.
        """
        state, menu = self.states[node], self.menus[node]
        if isinstance(policy, Mapping):
            if state not in policy:
                raise RulesError(
                    f"the policy does not say what to do in state {shown(state)}; "
                    f"it may be: {', '.join(menu)}"
                )
            option = policy[state]
        elif callable(policy):
            option = policy(state)
        else:
            raise RulesError(
                f"{shown(policy)} is no policy; give the option by state, as a function or a table"
            )
        if option not in menu:
            raise RulesError(
                f"the policy says {shown(option)} in state {shown(state)}; "
                f"it may be: {', '.join(menu)}"
            )
        return self.first[node] + menu.index(option)

    def under(self, policy: Policy, other: Policy | None = None) -> Chain:
        """The chain in which the questions are answered by a policy.

        >>> import sevenout as so
        >>> class Turn(so.Game):
        ...     dice, start = so.d6, 0
        ...     def choices(self, worth):
        ...         return {"roll": worth, "hold": so.settle("hold", {"turn": worth})}
        ...     def step(self, worth, face):
        ...         return so.settle("pig", {"turn": 0}) if face == 1 else min(worth + face, 30)
        >>> held = so.explore(Turn()).under(lambda worth: "roll" if worth < 20 else "hold")
        >>> so.solve(held).bet("turn").mean
        Fraction(492303203, 60466176)

        Where turns pass, the states are (seat, state) with the seats "first" and "second", and the
        bets are paid as the first player sees them.

        Args:
            policy: what the player does; of two players, the first.
            other: what the others do; as the first if not given.

        Raises:
            RulesError: the policy names what may not be done, or settles the game before a roll.
            EndlessGameError: the game would go on for ever.
        """
        with not_collecting():
            return _Following(self, policy, policy if other is None else other).chain()


class _Following:
    """The chain of a policy, state by state from the start.

    A place is a node and a seat in one number: twice the node, and the seat.
    """

    def __init__(self, model: Model, policy: Policy, other: Policy) -> None:
        self.model = model
        self.policies = (policy, other)
        self.order: list[int] = []  # the places where something is rolled
        self.ends: dict[Outcome, int] = {}
        self.answers: dict[int, int] = {}  # the move, by place
        self.known: dict[int, tuple[int, Counts]] = {}  # what follows a place: ~k is outcome k
        self.passes = [int(tag.passes) for tag in model.tags]
        self.counts = [tag.counts for tag in model.tags]

    def chain(self) -> Chain:
        model, n = self.model, len(self.model.states)
        start, counts = self._on(0)
        if start >> 1 >= n:
            raise RulesError(
                "the policy settles the game before anything is rolled: "
                f"{model.outcomes[(start >> 1) - n].label}"
            )
        # What is counted before the first roll is counted on the first roll, in a state of its own.
        self.order.append(start)
        if not counts:
            self.known[start] = 0, ()
        known, passes, counted = self.known, self.passes, self.counts
        at, targets, tagged = array("q", [0]), array("i"), array("i")
        tags: dict[Counts, int] = {(): 0}
        lead, tag_it = targets.append, tagged.append
        for place in self.order:  # grows as we go
            node, seat = place >> 1, place & 1
            for m in range(model.first[node], model.first[node + 1]):
                tag = model.tagged[m]
                then = model.targets[m] << 1 | (seat ^ passes[tag])
                target, more = known.get(then) or self._follow(then)
                if counts or more or counted[tag]:
                    more = added(added(counts, counted[tag]), more)
                lead(target)
                tag_it(tags.setdefault(more, len(tags)) if more else 0)
            at.append(len(targets))
            counts = ()
        n = len(self.order)
        for i, target in enumerate(targets):
            if target < 0:
                targets[i] = n + ~target
        states = tuple([self._name(place) for place in self.order])
        must_end(states, at, targets)
        return Chain(
            states=states,
            outcomes=tuple(self.ends),
            rollables=model.rollables,
            rolled=array("i", [model.rolled[place >> 1] for place in self.order]),
            first=at,
            targets=targets,
            tagged=tagged,
            tags=tuple(tags),
            stakes=dict(model.stakes),
        )

    def _follow(self, place: int) -> tuple[int, Counts]:
        """What follows a place that is met for the first time."""
        model, n = self.model, len(self.model.states)
        then, counts = self._on(place)
        if then >> 1 >= n:
            outcome = model.outcomes[(then >> 1) - n]
            if model.passes:
                outcome = seen_by_first(outcome, then & 1)
            found = ~self.ends.setdefault(outcome, len(self.ends)), counts
        else:
            if then not in self.known:
                self.known[then] = len(self.order), ()
                self.order.append(then)
            found = self.known[then][0], counts
        self.known[place] = found
        return found

    def _on(self, place: int) -> tuple[int, Counts]:
        """Past the questions: to a roll or an outcome, and what is counted on the way."""
        model, n = self.model, len(self.model.states)
        asked: set[int] = set()
        counts: Counts = ()
        while place >> 1 < n and model.menus[place >> 1]:
            if place in asked:
                raise RulesError(
                    f"the policy asks itself in a circle in state {shown(model.states[place >> 1])}"
                )
            asked.add(place)
            if place not in self.answers:
                self.answers[place] = self._answer(place >> 1, place & 1)
            move = self.answers[place]
            tag = model.tagged[move]
            place = model.targets[move] << 1 | ((place & 1) ^ self.passes[tag])
            if self.counts[tag]:
                counts = added(counts, self.counts[tag])
        return place, counts

    def _answer(self, node: int, seat: int) -> int:
        model = self.model
        if not model.players:
            return model.answer(self.policies[seat], node)
        if node not in model.choosers:  # answered already, once for all
            return model.first[node]
        who = model.players.index(model.choosers[node])
        return model.answer(self.policies[min(who, 1)], node)

    def _name(self, place: int) -> Hashable:
        state = self.model.states[place >> 1]
        return (SEATS[place & 1], state) if self.model.passes else state


def seen_by_first(outcome: Outcome, seat: int) -> Outcome:
    """An outcome, settled by the player of a seat, as the first player sees it.

    >>> from sevenout.rules import win
    >>> seen_by_first(win("100 points"), 1).profit("pass")
    Fraction(-1, 1)
    """
    pays = outcome.pays
    if seat:
        pays = tuple((bet, pay._replace(profit=-pay.profit)) for bet, pay in pays)
    return Outcome(f"{SEATS[seat]}: {outcome.label}", pays)
