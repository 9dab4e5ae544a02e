"""Seats: a model with a state per seat, or with some players' policies fixed."""

from array import array
from collections.abc import Mapping

from sevenout.errors import RulesError, shown
from sevenout.model.exploration.end_components import traps_of
from sevenout.model.exploration.explore import not_collecting
from sevenout.model.model import SEATS, Model, Policy, seen_by_first
from sevenout.rules import Outcome
from sevenout.rules.outcome import Counts

UNSEEN = -(1 << 31)
"""The number of a place that no move has led to so far."""


def seated(model: Model) -> Model:
    """The model whose states include the seat, with outcomes as the first player sees them.

    The states are (seat, state); the choosers are "first" and "second".

    >>> from sevenout.model import explore
    >>> from sevenout.rolling import d6
    >>> from sevenout.rules import Game, passed, win
    >>> class FirstSix(Game):
    ...     dice, start = d6, "roll"
    ...     def choices(self, state):
    ...         return {"roll": "roll", "wait": passed("must")} if state == "roll" else {}
    ...     def step(self, state, face):
    ...         return win() if face == 6 else passed("roll")
    >>> seated(explore(FirstSix())).states[:2]
    [('first', 'roll'), ('first', 'roll')]
    """
    return answered(model, {}) if model.passes else model


def answered(model: Model, policies: Mapping[str, Policy]) -> Model:
    """The model in which some players follow policies, without unreachable states.

    If turns pass, the players are the seats and the states (seat, state); with one remaining
    player, the states are the game's.

    Args:
        model: the game.
        policies: by player; each then has one option in each state.

    Raises:
        RulesError: no such player, or a policy that has no entry for a state or names an unknown
            option.
    """
    players = SEATS if model.passes else model.players
    for player in policies:
        if player not in players:
            known = ", ".join(players) or "one"
            raise RulesError(f"no player {shown(player)} makes choices; the players are: {known}")
    with not_collecting():
        return _walked(model, policies)


def _walked(model: Model, policies: Mapping[str, Policy]) -> Model:
    walk = _SeatWalk(model, policies)
    walk.go()
    order, targets = walk.order, walk.targets
    for i, target in enumerate(targets):
        if target < 0:
            targets[i] = len(order) + ~target
    states = [model.states[place >> 1] for place in order]
    for s, place in enumerate(order):
        if model.passes and (not policies or SEATS[place & 1] in policies):
            states[s] = (SEATS[place & 1], states[s])
    return Model(
        states=states,
        menus=walk.menus,
        rolled=array("i", [model.rolled[place >> 1] for place in order]),
        first=walk.first,
        targets=targets,
        tagged=walk.tagged,
        tags=tuple(walk.tags),
        outcomes=tuple(walk.outcomes),
        rollables=model.rollables,
        stakes=model.stakes,
        declared=model.declared,
        choosers=walk.choosers,
        traps=traps_of(states, walk.menus, walk.first, targets) if model.traps else frozenset(),
        coordinates=model.coordinates,
        goal=model.goal,
        seen={s: model.seen[order[s] >> 1] for s in walk.choosers if order[s] >> 1 in model.seen},
    )


class _SeatWalk:
    """What can be reached; a place is twice the node, and one more for the second seat."""

    def __init__(self, model: Model, policies: Mapping[str, Policy]) -> None:
        self.model, self.policies = model, policies
        self.number = array("i", [UNSEEN]) * (2 * (len(model.states) + len(model.outcomes)))
        self.number[0] = 0
        self.order = [0]
        self.menus: list[tuple[str, ...]] = []
        self.choosers: dict[int, str] = {}
        self.outcomes: dict[Outcome, int] = {}
        self.tags: dict[Counts, int] = {}
        self.passes = list(map(int, model.passing))
        self.plain = [self.tags.setdefault(counts, len(self.tags)) for counts in model.tags]
        self.first, self.targets, self.tagged = array("q", [0]), array("i"), array("i")

    def go(self) -> None:
        """Write down the moves of every place, in the order in which they are found."""
        number, passes, plain = self.number, self.passes, self.plain
        targets, tagged = self.model.targets, self.model.tagged
        lead, tag_it, count = self.targets.append, self.tagged.append, self.first.append
        for s, place in enumerate(self.order):  # grows as it goes
            seat = place & 1
            for move in self.moves(s, place):
                tag = tagged[move]
                then = targets[move] << 1 | (seat ^ passes[tag])
                if number[then] == UNSEEN:
                    number[then] = self.numbered(then)
                lead(number[then])
                tag_it(plain[tag])
            count(len(self.targets))

    def moves(self, s: int, place: int) -> range:
        """The moves that a policy leaves; notes what may be chosen and by whom."""
        model, node = self.model, place >> 1
        menu = model.menus[node]
        moves = range(model.first[node], model.first[node + 1])
        player = SEATS[place & 1] if model.passes else model.choosers.get(node, "")
        if menu and player in self.policies:
            move = model.answer(self.policies[player], node)
            menu = (menu[move - moves[0]],)
            moves = range(move, move + 1)
        elif menu and player:
            self.choosers[s] = player
        self.menus.append(menu)
        return moves

    def numbered(self, place: int) -> int:
        """The number of a new place; that of an outcome is inverted until all are known."""
        n = len(self.model.states)
        if place < 2 * n:
            self.order.append(place)
            return len(self.order) - 1
        outcome = self.model.outcomes[(place >> 1) - n]
        if self.model.passes:
            outcome = seen_by_first(outcome, place & 1)
        return ~self.outcomes.setdefault(outcome, len(self.outcomes))
