"""A walk over the faces of pools: how often each face is shown, and what a step makes of it.

A pool is a multiset. So a step sees each face once, with the number of dice that show it in each
pool, and returns a state. (A. Liu, "Icepool: Efficient Computation of Dice Pool Probabilities",
AIIDE 2022.) The walk goes forward, face by face, without recursion:

    layer[state][dice left in each group] = number of ways so far

A *group* is a number of equal dice of one pool. Of n dice left, k show a face of weight w in
comb(n, k) w^k ways; the others show later faces. Four tricks keep it short:

- Dice that are alike on the faces to come become one group: a d8 that showed neither 8 nor 7 is a
  d6 from then on.
- Once no die of a pool can count any more, the rest of it is shown at once.
- The moves from "dice left" are listed once per face, whatever the state.
- The next state of a contest that is decided doesn't depend on the counts. Its pools show the face
  one after another: the moves of each are added, not multiplied.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from math import comb, gcd, prod
from typing import Any, NamedTuple

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, shown

Left = tuple[int, ...]
"""The number of dice left in each group."""
Layer = dict[Any, dict[Left, int]]
"""By state, then by dice left, the number of ways so far."""
SEPARATE_FROM = 16
"""With fewer ways to have dice left, asking whether a state is decided costs more than it saves."""
STEP_SECONDS = 3e-7
"""Seconds per move, for the budget."""


class Group(NamedTuple):
    """Equal dice of one pool, or equal cards of a deck.

    Attributes:
        pool: the index of the pool.
        weights: the weight of each face; of cards, how many are in the deck.
        size: the number of dice, or of cards dealt.
        cards: whether a face can be shown only as often as it is in the deck.
    """

    pool: int
    weights: Mapping[Any, int]
    size: int
    cards: bool = False


class Keeping(NamedTuple):
    """Which dice of a pool count, in the order of the walk.

    Attributes:
        before: how much the first k dice count together, for each k.
        settled: from this many dice on, none of the others counts.
    """

    before: list[int]
    settled: int


def walk(
    pools: Sequence[tuple[Sequence[Group], Sequence[int] | None]],
    step: Callable[..., Any],
    start: Any,
    order: str | Sequence[Any] = "down",
    faces: Iterable[Any] = (),
) -> dict[Any, int]:
    """The weight of each last state.

    >>> dice = [Group(0, {1: 1, 2: 1}, 3)]
    >>> walk([(dice, None)], lambda twos, face, count: twos + count * (face == 2), 0)
    {0: 1, 1: 3, 2: 3, 3: 1}

    Args:
        pools: the groups of each pool, and how often each die counts in ascending order, or None.
        step: the state after a face, from the state, the face, and the count in each pool.
        start: the first state.
        order: "down" from the highest face, "up", or the faces that come first.
        faces: further faces that the step is to see, with counts of 0.

    Raises:
        RulesError: no such order, or an order of your own for pools that keep some dice.
        TooMuchWorkError: more steps than the budget allows.
    """
    # empty groups would double the keys of every layer
    groups = [group for members, _ in pools for group in members if group.size]
    ordered = _ordered_faces(groups, faces, order)
    keeping = [_keeping(places, order) for _, places in pools]
    sizes = [sum(group.size for group in members) for members, _ in pools]
    afford(
        f"a walk over {len(ordered)} faces of {sum(sizes)} dice",
        seconds=STEP_SECONDS * len(ordered) * _most_moves(groups),
        instead="roll fewer dice",
    )
    layer: Layer = {start: {tuple(group.size for group in groups): 1}}
    for place, face in enumerate(ordered):
        # before the moves are listed: fewer groups, fewer moves
        layer, groups = _merged_groups(layer, groups, ordered[place:])
        moves = _Moves(face, ordered[place + 1 :], groups, keeping, sizes)
        after: Layer = {}
        for state, lefts in layer.items():
            if moves.separable and len(lefts) >= SEPARATE_FROM:
                target = moves.only_target(state, step, lefts)
                if target is not None:
                    moves.leave_one_by_one(lefts, after.setdefault(target[0], {}))
                    continue
            # the step may be slow: it is called once per count, not once per number of dice left
            reached_by_counts: dict[Left, dict[Left, int]] = {}
            for left, weight in lefts.items():
                for counts, rest, ways in moves[left]:
                    reached = reached_by_counts.get(counts)
                    if reached is None:
                        reached = after.setdefault(step(state, face, *counts), {})
                        reached_by_counts[counts] = reached
                    reached[rest] = reached.get(rest, 0) + weight * ways
        layer = after
    return {state: total for state, lefts in layer.items() if (total := sum(lefts.values()))}


def _ordered_faces(
    groups: Sequence[Group], more: Iterable[Any], order: str | Sequence[Any]
) -> list[Any]:
    # a dict keeps the order of appearance; a set of labels would change it from run to run
    listed = dict.fromkeys([face for group in groups for face in group.weights])
    listed |= dict.fromkeys(more)
    if not isinstance(order, str):
        first = dict.fromkeys(order)  # wild faces, say
        return [*first, *(face for face in listed if face not in first)]
    if order not in ("up", "down"):
        raise RulesError(f"order={shown(order)}; give 'down', from the highest face, or 'up'")
    try:
        return sorted(listed, reverse=order == "down")
    except TypeError:  # labels beside numbers: the order of their first appearance
        return list(listed) if order == "up" else list(reversed(listed))


def _keeping(places: Sequence[int] | None, order: str | Sequence[Any]) -> Keeping | None:
    if places is None:
        return None
    if not isinstance(order, str):
        raise RulesError(
            f"order={shown(order)} of dice of which some are kept; give 'down' or 'up', in which "
            "the highest and the lowest are known"
        )
    # running sums: how much of a pool counts is then a difference of two of them
    before, settled = [0], 0
    for k, count in enumerate(places if order == "up" else reversed(places), 1):
        before.append(before[-1] + count)
        if count:
            settled = k
    return Keeping(before, settled)


class _Moves(dict[Left, list[tuple[Left, Left, int]]]):
    """What one face may take from the dice left: counts in the pools, the rest, and the ways.

    The moves of each number of dice left are listed when they are first asked for.

    Attributes:
        face: the face.
        groups: the groups of dice.
        keeping: which dice of each pool count; None if all do.
        sizes: the number of dice in each pool.
        ways: for each group and each number of its dice left, how many may show the face and in how
            many ways.
        later: the weight of the faces to come, in each group.
    """

    def __init__(
        self,
        face: Any,
        later: Sequence[Any],
        groups: Sequence[Group],
        keeping: Sequence[Keeping | None],
        sizes: Sequence[int],
    ) -> None:
        self.face, self.groups, self.keeping, self.sizes = face, groups, keeping, sizes
        self.later = [sum(group.weights.get(f, 0) for f in later) for group in groups]
        self.ways = [
            _ways_of_group(group, face, forced=not rest)
            for group, rest in zip(groups, self.later, strict=True)
        ]

    @property
    def separable(self) -> bool:
        """Whether decided states may leave pool by pool."""
        # On its last face a group must show all its dice, so that fewer dice left don't allow
        # fewer counts, and the largest numbers of dice left don't speak for the others.
        return len(self.sizes) > 1 and not any(self.keeping) and all(self.later)

    def __missing__(self, left: Left) -> list[tuple[Left, Left, int]]:
        if len(left) == 1 and len(self.sizes) == 1 and not self.keeping[0]:
            (n,) = left
            listed: list[tuple[Left, Left, int]] = [
                ((k,), (n - k,), ways) for k, ways in self.ways[0][n]
            ]
        else:
            listed = [(*key, ways) for key, ways in self._merged_moves(left).items()]
        self[left] = listed
        return listed

    def _merged_moves(self, left: Left) -> dict[tuple[Left, Left], int]:
        shown_before = list(self.sizes)
        for group, n in zip(self.groups, left, strict=True):
            shown_before[group.pool] -= n
        merged: dict[tuple[Left, Left], int] = {}
        for choice in self._choices(left):
            ways, counts, rest = 1, [0] * len(self.sizes), []
            for (k, group_ways), group, n in zip(choice, self.groups, left, strict=True):
                ways *= group_ways
                counts[group.pool] += k
                rest.append(n - k)
            for pool, keeping in enumerate(self.keeping):
                if keeping is None:
                    continue
                shown_after = shown_before[pool] + counts[pool]
                counts[pool] = keeping.before[shown_after] - keeping.before[shown_before[pool]]
                if shown_after >= keeping.settled:
                    ways *= self._show_the_rest(pool, rest)
            if ways:
                key = tuple(counts), tuple(rest)
                merged[key] = merged.get(key, 0) + ways
        return merged

    def _choices(self, left: Left) -> Iterable[tuple[tuple[int, int], ...]]:
        return product(*(table[n] for table, n in zip(self.ways, left, strict=True)))

    def _show_the_rest(self, pool: int, rest: list[int]) -> int:
        """In how many ways the dice of a pool that no longer count show later faces."""
        ways = 1
        for g, group in enumerate(self.groups):
            if group.pool == pool and rest[g]:
                later = self.later[g]
                ways *= comb(later, rest[g]) if group.cards else later ** rest[g]
                rest[g] = 0
        return ways

    def only_target(
        self, state: Any, step: Callable[..., Any], lefts: Iterable[Left]
    ) -> tuple[Any] | None:
        """The one state that every reachable count leads to; None if there are several.

        Fewer dice left allow fewer counts, so only the largest numbers of dice left are tried.
        """
        largest: list[Left] = []
        for left in sorted(lefts, reverse=True):
            if not any(
                all(a <= b for a, b in zip(left, larger, strict=True)) for larger in largest
            ):
                largest.append(left)
        target: tuple[Any] | None = None
        tried = set()
        for left in largest:
            for choice in self._choices(left):
                counts = [0] * len(self.sizes)
                for (k, _), group in zip(choice, self.groups, strict=True):
                    counts[group.pool] += k
                if (key := tuple(counts)) in tried:
                    continue
                tried.add(key)
                reached = step(state, self.face, *counts)
                if target is None:
                    target = (reached,)
                elif target[0] != reached:
                    return None
        return target

    def leave_one_by_one(self, lefts: dict[Left, int], reached: dict[Left, int]) -> None:
        """Show the face in one group after another, whatever the counts."""
        for g, table in enumerate(self.ways):
            rest_ways: dict[Left, int] = {}
            for left, weight in lefts.items():
                for k, ways in table[left[g]]:
                    rest = (*left[:g], left[g] - k, *left[g + 1 :])
                    rest_ways[rest] = rest_ways.get(rest, 0) + weight * ways
            lefts = rest_ways
        for rest, weight in lefts.items():
            reached[rest] = reached.get(rest, 0) + weight


def _ways_of_group(group: Group, face: Any, *, forced: bool) -> list[list[tuple[int, int]]]:
    """For each number of dice left: how many may show the face, and in how many ways.

    Args:
        group: the dice or cards.
        face: the face.
        forced: whether no other face is to come, so that all dice left must show this one.
    """
    weight = group.weights.get(face, 0)
    table: list[list[tuple[int, int]]] = []
    for left in range(group.size + 1):
        if group.cards:
            counts: Iterable[int] = (left,) if forced else range(min(left, weight) + 1)
            table.append([(k, comb(weight, k)) for k in counts if k <= weight])
        elif forced:
            table.append([(left, weight**left)] if weight or not left else [])
        elif weight:
            table.append([(k, comb(left, k) * weight**k) for k in range(left + 1)])
        else:
            table.append([(0, 1)])
    return table


def _merged_groups(
    layer: Layer, groups: Sequence[Group], faces: Sequence[Any]
) -> tuple[Layer, list[Group]]:
    """The same layer where dice of one pool that are alike on the faces to come are one group."""
    # the usual case is left first, since this runs once per face
    if len(groups) < 2:
        return layer, list(groups)
    index_by_kind: dict[Any, int] = {}
    merged: list[Group] = []
    merged_index, factors = [], []
    for g, group in enumerate(groups):
        rest = [group.weights.get(face, 0) for face in faces]
        scale = gcd(*rest)  # weights are equal up to a factor, which each die left carries along
        kind: Any = g if group.cards or not scale else (group.pool, tuple(w // scale for w in rest))
        if kind not in index_by_kind:
            index_by_kind[kind] = len(merged)
            weights = group.weights
            if not group.cards and scale:
                weights = {face: w // scale for face, w in zip(faces, rest, strict=True) if w}
            merged.append(group._replace(weights=weights, size=0))
        i = index_by_kind[kind]
        merged[i] = merged[i]._replace(size=merged[i].size + group.size)
        merged_index.append(i)
        factors.append(1 if group.cards or not scale else scale)
    if len(merged) == len(groups):
        return layer, list(groups)
    after: Layer = {}
    for state, lefts in layer.items():
        joined = after[state] = {}
        for left, weight in lefts.items():
            rest_counts = [0] * len(merged)
            for g, n in enumerate(left):
                rest_counts[merged_index[g]] += n
            key = tuple(rest_counts)
            ways = weight * prod(factor**n for factor, n in zip(factors, left, strict=True))
            joined[key] = joined.get(key, 0) + ways
    return after, merged


def _most_moves(groups: Sequence[Group]) -> float:
    """About the most moves of one face: pairs of dice left and dice shown, of all groups.

    Standard dice of a pool count as one group, as they become alike on the way.
    """
    sizes: dict[Any, int] = {}
    for g, group in enumerate(groups):
        plain = not group.cards and set(group.weights) == set(range(1, len(group.weights) + 1))
        kind = (group.pool, "standard") if plain and set(group.weights.values()) == {1} else g
        sizes[kind] = sizes.get(kind, 0) + group.size
    return min(prod((n + 1.0) * (n + 2) / 2 for n in sizes.values()), 1e15)
