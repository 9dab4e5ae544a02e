"""Seats: a model in which each player has a seat of their own, or a player follows a policy."""

from array import array
from collections.abc import Mapping

from sevenout.errors import RulesError, shown
from sevenout.model.exploration.end_components import traps_of
from sevenout.model.exploration.explore import not_collecting
from sevenout.model.model import SEATS, Model, Policy, seen_by_first
from sevenout.rules import Outcome
from sevenout.rules.outcome import Counts


def seated(model: Model) -> Model:
    """The model in which a state says whose turn it is, and outcomes are as the first player sees.

    The states are (seat, state); the choosers are the seats, "first" and "second".

    >>> from sevenout.model import explore
    >>> from sevenout.dice import d6
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
    """The model in which some of the players follow policies: what they don't do is left out.

    Where turns pass, the players are the seats, and a state is (seat, state); but a player who
    alone still chooses has the states of the game.

    Args:
        model: the game.
        policies: by player; that player then has one option in each state.

    Raises:
        RulesError: there is no such player, or a policy says nothing in some state, or names what
            may not be done.
    """
    players = SEATS if model.passes else model.players
    for player in policies:
        if player not in players:
            known = ", ".join(players) or "one"
            raise RulesError(f"no player {shown(player)} makes choices; the players are: {known}")
    with not_collecting():
        return _walked(model, policies)


def _walked(model: Model, policies: Mapping[str, Policy]) -> Model:
    """A place is a node and a seat in one number: twice the node, and the seat."""
    n = len(model.states)
    known = array("i", [-1]) * (2 * n)
    known[0] = 0
    order = [0]
    menus: list[tuple[str, ...]] = []
    choosers: dict[int, str] = {}
    outcomes: dict[Outcome, int] = {}
    ends: dict[int, int] = {}  # to hash an outcome takes a while
    tags: dict[Counts, int] = {}
    passes = list(map(int, model.passing))
    plain = [tags.setdefault(counts, len(tags)) for counts in model.tags]
    first, targets, tagged = array("q", [0]), array("i"), array("i")
    lead, tag_it = targets.append, tagged.append
    for s, place in enumerate(order):  # grows as we go
        node, seat = place >> 1, place & 1
        menu = model.menus[node]
        moves = range(model.first[node], model.first[node + 1])
        player = SEATS[seat] if model.passes else model.choosers.get(node, "")
        if menu and player in policies:
            move = model.answer(policies[player], node)
            menu = (menu[move - moves[0]],)
            moves = range(move, move + 1)
        elif menu and player:
            choosers[s] = player
        menus.append(menu)
        for move in moves:
            tag = model.tagged[move]
            then = model.targets[move] << 1 | (seat ^ passes[tag])
            if then >= 2 * n:
                if then not in ends:
                    outcome = model.outcomes[(then >> 1) - n]
                    outcome = seen_by_first(outcome, then & 1) if model.passes else outcome
                    ends[then] = ~outcomes.setdefault(outcome, len(outcomes))
                lead(ends[then])
            else:
                target = known[then]
                if target < 0:
                    target = known[then] = len(order)
                    order.append(then)
                lead(target)
            tag_it(plain[tag])
        first.append(len(targets))
    for i, target in enumerate(targets):
        if target < 0:
            targets[i] = len(order) + ~target
    states = [model.states[place >> 1] for place in order]
    for s, place in enumerate(order):
        if model.passes and (not policies or SEATS[place & 1] in policies):
            states[s] = (SEATS[place & 1], states[s])
    return Model(
        states=states,
        menus=menus,
        rolled=array("i", [model.rolled[place >> 1] for place in order]),
        first=first,
        targets=targets,
        tagged=tagged,
        tags=tuple(tags),
        outcomes=tuple(outcomes),
        rollables=model.rollables,
        stakes=model.stakes,
        declared=model.declared,
        choosers=choosers,
        traps=traps_of(states, menus, first, targets) if model.traps else frozenset(),
        coordinates=model.coordinates,
        goal=model.goal,
        seen={s: model.seen[order[s] >> 1] for s in choosers if order[s] >> 1 in model.seen},
    )
