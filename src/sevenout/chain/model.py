"""A chain with questions in it: a Markov decision process with integer weights.

A game with choices is explored into a `Model` (Puterman 1994). Its nodes are of two kinds: at a
roll chance chooses among the moves, at a question a player does. A policy answers the questions,
and `model.under(policy)` is a `Chain` again, so that every engine serves every policy.

Where turns pass between two players, a node is seen by the player to move, and the model keeps half
of what it would need if it said whose turn it is: a move that `passes` turns the interest over.
"""

from array import array
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from sevenout.chain.chain import Chain, state_name
from sevenout.chain.ending import must_end
from sevenout.dice import Rollable
from sevenout.errors import RulesError, shown
from sevenout.rules import Outcome
from sevenout.rules.game import Counts, added

Policy = Callable[[Any], str] | Mapping[Any, str]
"""What a player does: the option by state, as a function or as a table."""

SEATS = ("first", "second")


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

    @property
    def questions(self) -> Iterator[int]:
        """The nodes at which a player is asked."""
        return (s for s, menu in enumerate(self.menus) if menu)

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
        if state not in self.asked:
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
        return _Following(self, policy, policy if other is None else other).chain()


class _Following:
    """The chain of a policy, state by state from the start."""

    def __init__(self, model: Model, policy: Policy, other: Policy) -> None:
        self.model = model
        self.policies = (policy, other)
        self.place: dict[tuple[int, int], int] = {}
        self.order: list[tuple[int, int]] = []
        self.ends: dict[Outcome, int] = {}
        self.answers: dict[tuple[int, int], int] = {}  # the move, by question and seat

    def chain(self) -> Chain:
        model = self.model
        start, seat, counts = self._on(0, 0, ())
        if start >= len(model.states):
            raise RulesError(
                "the policy settles the game before anything is rolled: "
                f"{model.outcomes[start - len(model.states)].label}"
            )
        # What is counted before the first roll is counted on the first roll, in a state of its own.
        self.order.append((start, seat))
        if not counts:
            self.place[start, seat] = 0
        rows: list[list[tuple[int, Counts]]] = []
        for node, seat in self.order:  # grows as we go
            before = counts if not rows else ()
            rows.append([self._move(m, seat, before) for m in self._moves(node)])
        n = len(rows)
        chain = Chain.of_moves(
            states=map(self._name, self.order),
            outcomes=self.ends,
            rollables=model.rollables,
            rolled=(model.rolled[node] for node, _ in self.order),
            moves=([(t if t >= 0 else n + ~t, c) for t, c in row] for row in rows),
            stakes=dict(model.stakes),
        )
        must_end(chain.states, chain.first, chain.targets)
        return chain

    def _moves(self, node: int) -> range:
        return range(self.model.first[node], self.model.first[node + 1])

    def _on(self, node: int, seat: int, counts: Counts) -> tuple[int, int, Counts]:
        """Past the questions: to a roll or an outcome."""
        model, n = self.model, len(self.model.states)
        asked = set()
        while node < n and model.menus[node]:
            if (node, seat) in asked:
                raise RulesError(
                    f"the policy asks itself in a circle in state {shown(model.states[node])}"
                )
            asked.add((node, seat))
            if (node, seat) not in self.answers:
                self.answers[node, seat] = self._answer(node, seat)
            move = self.answers[node, seat]
            tag = model.tags[model.tagged[move]]
            node, seat = model.targets[move], seat ^ tag.passes
            counts = added(counts, tag.counts)
        return node, seat, counts

    def _answer(self, node: int, seat: int) -> int:
        model = self.model
        if not model.players:
            return model.answer(self.policies[seat], node)
        if node not in model.choosers:  # answered already, once for all
            return model.first[node]
        who = model.players.index(model.choosers[node])
        return model.answer(self.policies[min(who, 1)], node)

    def _move(self, move: int, seat: int, before: Counts) -> tuple[int, Counts]:
        model = self.model
        tag = model.tags[model.tagged[move]]
        node, seat, counts = self._on(
            model.targets[move], seat ^ tag.passes, added(before, tag.counts)
        )
        if node >= len(model.states):
            outcome = model.outcomes[node - len(model.states)]
            if model.passes:
                outcome = seen_by_first(outcome, seat)
            return ~self.ends.setdefault(outcome, len(self.ends)), counts
        target = self.place.setdefault((node, seat), len(self.order))
        if target == len(self.order):
            self.order.append((node, seat))
        return target, counts

    def _name(self, at: tuple[int, int]) -> Hashable:
        node, seat = at
        state = self.model.states[node]
        return (SEATS[seat], state) if self.model.passes else state


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
