"""The chain that a policy induces."""

from array import array
from collections.abc import Hashable

from sevenout.errors import RulesError, shown
from sevenout.model.chain import Chain
from sevenout.model.exploration.end_components import traps_of
from sevenout.model.exploration.explore import not_collecting
from sevenout.model.model import SEATS, Model, Policy, seen_by_first
from sevenout.rules import Outcome
from sevenout.rules.outcome import Counts, added


def induced(model: Model, policy: Policy, other: Policy) -> Chain:
    """The chain under two policies; `Model.under` calls this."""
    if isinstance(model, Chain):
        return model
    with not_collecting():
        return _Following(model, policy, other).chain()


class _Following:
    """The chain of a policy, built from the start.

    A place encodes a node and a seat: 2 node + seat.
    """

    def __init__(self, model: Model, policy: Policy, other: Policy) -> None:
        self.model = model
        self.policies = (policy, other)
        self.order: list[int] = []  # the places with a roll
        self.ends: dict[Outcome, int] = {}
        self.answers: dict[int, int] = {}  # the chosen move, by place
        self.known: dict[int, tuple[int, Counts]] = {}  # what follows a place: ~k is outcome k
        self.passes = list(map(int, model.passing))
        self.counts = model.tags

    def chain(self) -> Chain:
        model, n = self.model, len(self.model.states)
        start, counts = self._on(0)
        if start >> 1 >= n:
            raise RulesError(
                "the policy ends the game before the first roll: "
                f"{model.outcomes[(start >> 1) - n].label}"
            )
        # Counts before the first roll get a roll of their own, in an extra state.
        self.order.append(start)
        if not counts:
            self.known[start] = 0, ()
        known, passes, counted = self.known, self.passes, self.counts
        at, targets, tagged = array("q", [0]), array("i"), array("i")
        tags: dict[Counts, int] = {(): 0}
        lead, tag_it = targets.append, tagged.append
        for place in self.order:  # grows during the loop
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
        traps_of(states, (), at, targets)
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
            coordinates=() if model.passes else model.coordinates,
        )

    def _follow(self, place: int) -> tuple[int, Counts]:
        """The successor of a new place."""
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
        """The next roll or outcome after decisions, and the counts on the way."""
        model, n = self.model, len(self.model.states)
        asked: set[int] = set()
        counts: Counts = ()
        while place >> 1 < n and model.menus[place >> 1]:
            if place in asked:
                raise RulesError(
                    "the policy's choices repeat forever in state "
                    f"{shown(model.states[place >> 1])}"
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
        if node not in model.choosers:  # this decision is fixed
            return model.first[node]
        who = model.players.index(model.choosers[node])
        return model.answer(self.policies[min(who, 1)], node)

    def _name(self, place: int) -> Hashable:
        state = self.model.states[place >> 1]
        return (SEATS[place & 1], state) if self.model.passes else state
