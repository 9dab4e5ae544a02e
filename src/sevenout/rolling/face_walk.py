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

DiceLeft = tuple[int, ...]
"""The number of dice left in each group."""
Layer = dict[Any, dict[DiceLeft, int]]
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
        cumulative: how much the first k dice count together, for each k.
        last_counting: from this many dice on, none of the others counts.
    """

    cumulative: list[int]
    last_counting: int


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
    keeping = [_keeping(multiplicities, order) for _, multiplicities in pools]
    sizes = [sum(group.size for group in members) for members, _ in pools]
    afford(
        f"a walk over {len(ordered)} faces of {sum(sizes)} dice",
        seconds=STEP_SECONDS * len(ordered) * _max_moves(groups),
        instead="roll fewer dice",
    )
    layer: Layer = {start: {tuple(group.size for group in groups): 1}}
    for index, face in enumerate(ordered):
        # before the moves are listed: fewer groups, fewer moves
        layer, groups = _merged_groups(layer, groups, ordered[index:])
        moves = _Moves(face, ordered[index + 1 :], groups, keeping, sizes)
        next_layer: Layer = {}
        for state, weight_by_left in layer.items():
            if moves.separable and len(weight_by_left) >= SEPARATE_FROM:
                target = moves.only_target(state, step, weight_by_left)
                if target is not None:
                    moves.show_one_by_one(weight_by_left, next_layer.setdefault(target[0], {}))
                    continue
            # the step may be slow: it is called once per count, not once per number of dice left
            reached_by_counts: dict[DiceLeft, dict[DiceLeft, int]] = {}
            for left, weight in weight_by_left.items():
                for counts, left_after, ways in moves[left]:
                    reached = reached_by_counts.get(counts)
                    if reached is None:
                        reached = next_layer.setdefault(step(state, face, *counts), {})
                        reached_by_counts[counts] = reached
                    reached[left_after] = reached.get(left_after, 0) + weight * ways
        layer = next_layer
    totals = {state: sum(weight_by_left.values()) for state, weight_by_left in layer.items()}
    return {state: total for state, total in totals.items() if total}


def _ordered_faces(
    groups: Sequence[Group], extra_faces: Iterable[Any], order: str | Sequence[Any]
) -> list[Any]:
    """The faces in the order of the walk.

    Raises:
        RulesError: no such order.
    """
    # a dict keeps the order of appearance; a set of labels would change it from run to run
    all_faces = dict.fromkeys([face for group in groups for face in group.weights])
    all_faces |= dict.fromkeys(extra_faces)
    if not isinstance(order, str):
        first_faces = dict.fromkeys(order)  # wild faces, say
        return [*first_faces, *(face for face in all_faces if face not in first_faces)]
    if order not in ("up", "down"):
        raise RulesError(f"order={shown(order)}; give 'down', from the highest face, or 'up'")
    try:
        return sorted(all_faces, reverse=order == "down")
    except TypeError:  # labels beside numbers: the order of their first appearance
        return list(all_faces) if order == "up" else list(reversed(all_faces))


def _keeping(multiplicities: Sequence[int] | None, order: str | Sequence[Any]) -> Keeping | None:
    """Which dice of a pool count; None if all do."""
    if multiplicities is None:
        return None
    if not isinstance(order, str):
        raise RulesError(
            f"order={shown(order)} of dice of which some are kept; give 'down' or 'up', in which "
            "the highest and the lowest are known"
        )
    # running sums: how much of a pool counts is then a difference of two of them
    cumulative, last_counting = [0], 0
    for k, count in enumerate(multiplicities if order == "up" else reversed(multiplicities), 1):
        cumulative.append(cumulative[-1] + count)
        if count:
            last_counting = k
    return Keeping(cumulative, last_counting)


class _Moves(dict[DiceLeft, list[tuple[DiceLeft, DiceLeft, int]]]):
    """What one face may take from the dice left: counts in the pools, dice left after, and ways.

    The moves of each number of dice left are listed when they are first asked for.

    Attributes:
        face: the face.
        groups: the groups of dice.
        keeping: which dice of each pool count; None if all do.
        sizes: the number of dice in each pool.
        ways_to_show: for each group and each number of its dice left, how many may show the face
            and in how many ways.
        later_weights: the weight of the faces to come, in each group.
    """

    def __init__(
        self,
        face: Any,
        later_faces: Sequence[Any],
        groups: Sequence[Group],
        keeping: Sequence[Keeping | None],
        sizes: Sequence[int],
    ) -> None:
        self.face, self.groups, self.keeping, self.sizes = face, groups, keeping, sizes
        self.later_weights = [sum(group.weights.get(f, 0) for f in later_faces) for group in groups]
        self.ways_to_show = [
            _ways_to_show(group, face, forced=not later_weight)
            for group, later_weight in zip(groups, self.later_weights, strict=True)
        ]

    @property
    def separable(self) -> bool:
        """Whether decided states may leave pool by pool."""
        # On its last face a group must show all its dice, so that fewer dice left don't allow
        # fewer counts, and the largest numbers of dice left don't speak for the others.
        return len(self.sizes) > 1 and not any(self.keeping) and all(self.later_weights)

    def __missing__(self, left: DiceLeft) -> list[tuple[DiceLeft, DiceLeft, int]]:
        if len(left) == 1 and len(self.sizes) == 1 and not self.keeping[0]:
            (n,) = left
            moves: list[tuple[DiceLeft, DiceLeft, int]] = [
                ((k,), (n - k,), ways) for k, ways in self.ways_to_show[0][n]
            ]
        else:
            moves = [(*key, ways) for key, ways in self._merged_moves(left).items()]
        self[left] = moves
        return moves

    def _merged_moves(self, left: DiceLeft) -> dict[tuple[DiceLeft, DiceLeft], int]:
        """The ways of each (counts in the pools, dice left after), if there are several groups."""
        shown_before = list(self.sizes)
        for group, n in zip(self.groups, left, strict=True):
            shown_before[group.pool] -= n
        merged: dict[tuple[DiceLeft, DiceLeft], int] = {}
        for choice in self._choices(left):
            ways, counts, left_after = 1, [0] * len(self.sizes), []
            for (k, group_ways), group, n in zip(choice, self.groups, left, strict=True):
                ways *= group_ways
                counts[group.pool] += k
                left_after.append(n - k)
            for pool, keeping in enumerate(self.keeping):
                if keeping is None:
                    continue
                shown_after = shown_before[pool] + counts[pool]
                counts[pool] = (
                    keeping.cumulative[shown_after] - keeping.cumulative[shown_before[pool]]
                )
                if shown_after >= keeping.last_counting:
                    ways *= self._show_the_rest(pool, left_after)
            if ways:
                key = tuple(counts), tuple(left_after)
                merged[key] = merged.get(key, 0) + ways
        return merged

    def _choices(self, left: DiceLeft) -> Iterable[tuple[tuple[int, int], ...]]:
        return product(*(table[n] for table, n in zip(self.ways_to_show, left, strict=True)))

    def _show_the_rest(self, pool: int, left_after: list[int]) -> int:
        """In how many ways the dice of a pool that no longer count show later faces."""
        ways = 1
        for g, group in enumerate(self.groups):
            if group.pool == pool and left_after[g]:
                later = self.later_weights[g]
                ways *= comb(later, left_after[g]) if group.cards else later ** left_after[g]
                left_after[g] = 0
        return ways

    def only_target(
        self, state: Any, step: Callable[..., Any], reachable: Iterable[DiceLeft]
    ) -> tuple[Any] | None:
        """The one state that every reachable count leads to; None if there are several.

        Fewer dice left allow fewer counts, so only the largest numbers of dice left are tried.
        """
        largest: list[DiceLeft] = []
        for left in sorted(reachable, reverse=True):
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

    def show_one_by_one(
        self, weight_by_left: dict[DiceLeft, int], reached: dict[DiceLeft, int]
    ) -> None:
        """Show the face in one group after another, whatever the counts; add to `reached`."""
        for g, table in enumerate(self.ways_to_show):
            next_weights: dict[DiceLeft, int] = {}
            for left, weight in weight_by_left.items():
                for k, ways in table[left[g]]:
                    left_after = (*left[:g], left[g] - k, *left[g + 1 :])
                    next_weights[left_after] = next_weights.get(left_after, 0) + weight * ways
            weight_by_left = next_weights
        for left_after, weight in weight_by_left.items():
            reached[left_after] = reached.get(left_after, 0) + weight


def _ways_to_show(group: Group, face: Any, *, forced: bool) -> list[list[tuple[int, int]]]:
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
        later_weights = [group.weights.get(face, 0) for face in faces]
        # weights may be equal up to a factor, which each die left carries along
        scale = 0 if group.cards else gcd(*later_weights)
        kind: Any = (group.pool, tuple(w // scale for w in later_weights)) if scale else g
        if kind not in index_by_kind:
            index_by_kind[kind] = len(merged)
            weights = group.weights
            if scale:
                pairs = zip(faces, later_weights, strict=True)
                weights = {face: w // scale for face, w in pairs if w}
            merged.append(group._replace(weights=weights, size=0))
        i = index_by_kind[kind]
        merged[i] = merged[i]._replace(size=merged[i].size + group.size)
        merged_index.append(i)
        factors.append(scale or 1)
    if len(merged) == len(groups):
        return layer, list(groups)
    next_layer: Layer = {}
    for state, weight_by_left in layer.items():
        merged_weights = next_layer[state] = {}
        for left, weight in weight_by_left.items():
            merged_left = [0] * len(merged)
            for g, n in enumerate(left):
                merged_left[merged_index[g]] += n
            key = tuple(merged_left)
            ways = weight * prod(factor**n for factor, n in zip(factors, left, strict=True))
            merged_weights[key] = merged_weights.get(key, 0) + ways
    return next_layer, merged


def _max_moves(groups: Sequence[Group]) -> float:
    """About the largest number of moves of one face: pairs of dice left and shown, of all groups.

    Standard dice of a pool count as one group, as they become alike on the way.
    """
    sizes: dict[Any, int] = {}
    for g, group in enumerate(groups):
        plain = not group.cards and set(group.weights) == set(range(1, len(group.weights) + 1))
        kind = (group.pool, "standard") if plain and set(group.weights.values()) == {1} else g
        sizes[kind] = sizes.get(kind, 0) + group.size
    return min(prod((n + 1.0) * (n + 2) / 2 for n in sizes.values()), 1e15)
