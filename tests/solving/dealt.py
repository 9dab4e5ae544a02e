"""Random games in which two players are dealt something in secret, and then choose in turn."""

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from sevenout.rolling import Law
from sevenout.rules import HiddenGame, choose_again, settle


@dataclass(frozen=True)
class Fork:
    """A choice: whose, whether the other player sees what was chosen, and what follows."""

    player: str
    open: bool
    after: tuple[Any, ...]


@dataclass(frozen=True)
class Flip:
    """Chance in mid-game, which both see."""

    weights: tuple[int, ...]
    after: tuple[Any, ...]


@dataclass(frozen=True)
class Dealt(HiddenGame):
    """The state is (the first hand, the second, the path, what each player knows of it)."""

    weights: tuple[tuple[int, ...], ...]
    tree: Any
    start = "deal"

    def at(self, path):
        node = self.tree
        for k in path:
            node = node.after[k]
        return node

    def rolls(self, state):
        if state == "deal":
            rows = enumerate(self.weights)
            return Law({(i, j): w for i, row in rows for j, w in enumerate(row) if w})
        return Law(dict(enumerate(self.at(state[2]).weights)))

    def step(self, state, roll):
        if state == "deal":
            return (*roll, (), (), ())
        one, two, path, *known = state
        then = (one, two, (*path, roll), *((*k, f"flip {roll}") for k in known))
        return self.end(then) if isinstance(self.at(then[2]), tuple) else then

    def end(self, state):
        amount = self.at(state[2])[state[0]][state[1]]
        risk = max(1, abs(amount))
        return settle(str(amount), {"first": (amount, risk), "second": (-amount, risk)})

    def chooser(self, state):
        return self.at(state[2]).player

    def sees(self, state, player):
        seat = int(player == "second")
        return state[seat], *state[3 + seat]

    def choices(self, state):
        if state == "deal" or not isinstance(node := self.at(state[2]), Fork):
            return {}
        one, two, path, *known = state
        own = int(node.player == "second")
        options = {}
        for k, after in enumerate(node.after):
            now = list(known)
            now[own] = (*known[own], f"chose {k}")
            now[1 - own] = (*known[1 - own], f"saw {k}" if node.open else "saw nothing")
            then = (one, two, (*path, k), *now)
            options[str(k)] = (
                choose_again(then)
                if isinstance(after, Fork)
                else then
                if isinstance(after, Flip)
                else self.end(then)
            )
        return options


def leaves(hands):
    row = st.tuples(*[st.integers(-3, 3)] * hands[1])
    return st.tuples(*[row] * hands[0])


@st.composite
def shapes(draw, depth):
    """A tree without its payoffs; options that the other player can't see lead to the same."""
    kind = draw(st.sampled_from(["fork", "fork", "fork", "flip", "leaf"])) if depth else "leaf"
    if kind == "leaf":
        return None
    below = shapes(depth - 1)
    if kind == "flip":
        return kind, draw(st.sampled_from([(1, 1), (2, 1)])), [draw(below), draw(below)]
    player, is_open = draw(st.sampled_from(["first", "second"])), draw(st.booleans())
    n = draw(st.integers(2, 3))
    after = [draw(below) for _ in range(n)] if is_open else [draw(below)] * n
    return kind, (player, is_open), after


def filled(draw, shape, hands):
    if shape is None:
        return draw(leaves(hands))
    kind, how, after = shape
    below = tuple(filled(draw, each, hands) for each in after)
    return Fork(*how, below) if kind == "fork" else Flip(how, below)


@st.composite
def dealt(draw, depth=3):
    """A game in which both players choose at least once."""
    hands = draw(st.sampled_from([(1, 1), (2, 1), (1, 2), (2, 2)]))
    rows = [[draw(st.integers(0, 3)) for _ in range(hands[1])] for _ in range(hands[0])]
    rows[0][0] += 1
    weights = tuple(map(tuple, rows))
    shapes_below = [draw(shapes(depth - 1))] * 2
    opening = Fork("first", False, tuple(filled(draw, each, hands) for each in shapes_below))
    return Dealt(weights, Fork("second", False, (opening, filled(draw, _as(opening), hands))))


def _as(node):
    """The shape of a tree."""
    if isinstance(node, Fork):
        return "fork", (node.player, node.open), [_as(each) for each in node.after]
    if isinstance(node, Flip):
        return "flip", node.weights, [_as(each) for each in node.after]
    return None
