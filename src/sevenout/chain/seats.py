"""Who plays: a model in which each player has a seat of his own, or a player follows a policy."""

from array import array

from sevenout.chain.ending import traps_of
from sevenout.chain.explore import not_collecting
from sevenout.chain.model import SEATS, Model, Policy, Tag, seen_by_first
from sevenout.errors import RulesError, shown
from sevenout.rules import Outcome


def seated(model: Model, second: Policy | None = None) -> Model:
    """The model in which a state says whose turn it is, and outcomes are as the first player sees.

    The states are (seat, state); the choosers are the seats, "first" and "second". Where the second
    follows a policy, the first has the states of the game: he plays alone.

    >>> from sevenout.chain import explore
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

    Args:
        model: the game.
        second: what the second player does, if he follows a policy: he has one option at each
            question then, and what he does not do is left out.

    Raises:
        RulesError: the policy says nothing in some state, or names what may not be done.
    """
    if not model.passes:
        return model
    with not_collecting():
        return _seated(model, second)


def _seated(model: Model, second: Policy | None) -> Model:
    """A place is a node and a seat in one number: twice the node, and the seat."""
    n = len(model.states)
    known = array("i", [-1]) * (2 * n)
    known[0] = 0
    order = [0]
    menus: list[tuple[str, ...]] = []
    choosers: dict[int, str] = {}
    outcomes: dict[Outcome, int] = {}
    ends: dict[int, int] = {}  # to hash an outcome takes a while
    tags: dict[Tag, int] = {}
    passes = [int(tag.passes) for tag in model.tags]
    plain = [tags.setdefault(Tag(tag.counts, False), len(tags)) for tag in model.tags]
    first, targets, tagged = array("q", [0]), array("i"), array("i")
    lead, tag_it = targets.append, tagged.append
    for s, place in enumerate(order):  # grows as we go
        node, seat = place >> 1, place & 1
        menu = model.menus[node]
        moves = range(model.first[node], model.first[node + 1])
        if menu and second is not None and seat:
            move = model.answer(second, node)
            menu = (menu[move - moves[0]],)
            moves = range(move, move + 1)
        elif menu:
            choosers[s] = SEATS[seat]
        menus.append(menu)
        for move in moves:
            tag = model.tagged[move]
            then = model.targets[move] << 1 | (seat ^ passes[tag])
            if then >= 2 * n:
                if then not in ends:
                    outcome = seen_by_first(model.outcomes[(then >> 1) - n], then & 1)
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
        if second is None or place & 1:
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
        choosers=choosers,
        traps=traps_of(states, menus, first, targets) if model.traps else frozenset(),
    )


def answered(model: Model, policy: Policy, player: str) -> Model:
    """The model in which one of the players follows a policy: he has one option at each question.

    Raises:
        RulesError: there is no such player, or the policy names what may not be done.
    """
    if player not in model.players:
        raise RulesError(
            f"no player {shown(player)}; those who choose are: {', '.join(model.players) or 'one'}"
        )
    first, targets, tagged = array("q", [0]), array("i"), array("i")
    menus = list(model.menus)
    choosers = dict(model.choosers)
    for s, menu in enumerate(model.menus):
        moves = range(model.first[s], model.first[s + 1])
        if menu and choosers.get(s) == player:
            move = model.answer(policy, s)
            menus[s] = (menu[move - moves[0]],)
            moves = range(move, move + 1)
            del choosers[s]
        targets.extend(model.targets[moves[0] : moves[-1] + 1])
        tagged.extend(model.tagged[moves[0] : moves[-1] + 1])
        first.append(len(targets))
    return Model(
        states=model.states,
        menus=menus,
        rolled=model.rolled,
        first=first,
        targets=targets,
        tagged=tagged,
        tags=model.tags,
        outcomes=model.outcomes,
        rollables=model.rollables,
        stakes=model.stakes,
        choosers=choosers,
        traps=traps_of(model.states, menus, first, targets) if model.traps else frozenset(),
    )
