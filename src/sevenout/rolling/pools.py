"""Pools: dice of which only the number showing each face counts, and how to read them.

A pool is read face by face (`face_walk`): `by_face` takes any step, and the named reads (`count`,
`sets`, `sort_pair`, ...) are steps that are often asked for.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any, Never, NoReturn, TypedDict, TypeVar, Unpack, overload

from sevenout.documents.numbers import quantity
from sevenout.errors import RulesError, shown
from sevenout.numerals import is_whole
from sevenout.rolling.calculations import Calculates, Exact, Operand
from sevenout.rolling.convolution import Vector, convolve, sum_kind
from sevenout.rolling.distribution import T_co, U, sum_by_key
from sevenout.rolling.events import Event, event_of
from sevenout.rolling.face_walk import Group, walk
from sevenout.rolling.laws import Law, bounded, extreme_of

S = TypeVar("S")
"""A state of a walk."""
Start = TypeVar("Start")
T = TypeVar("T")
Step = Callable[[Start | S, T, int], S]
"""The state after a face, from the start or the state before, the face, and its count."""
Order = str | Sequence[object]
"""The order of the faces in a walk; see `Pool.by_face`."""


class WalkOptions(TypedDict, total=False):
    """The order of the faces in a walk, and further faces."""

    order: Order
    faces: Iterable[object]


class WalkFromAnyStart(WalkOptions, total=False):
    """The same options for a walk over several pools, with any start."""

    start: object


MAX_REMEMBERED = 128
"""The most results that are kept of each read."""
Read = TypeVar("Read", bound=Callable[..., Law])


def remembered(read: Read) -> Read:
    """A read whose results are kept: it is a pure function of the pool."""
    cached_read = lru_cache(maxsize=MAX_REMEMBERED)(read)

    @wraps(read)
    def read_once(*args: Any, **kwargs: Any) -> Law:
        try:
            hash((args, *kwargs.values()))
        except TypeError:
            # an argument that can't be hashed is a wrong one, and the read says so
            return read(*args, **kwargs)
        return cached_read(*args, **kwargs)

    return read_once  # type: ignore[return-value]


@dataclass(frozen=True, eq=False, repr=False)
class Pool(Calculates[T_co]):
    """Independent dice of which only the number on each face counts.

    It calculates as the sum of the faces that count. Named reads (`sum`, `count`, `sets`, ...) are
    remembered, `by_face` isn't: its step may be any function.

    >>> die = Law(dict.fromkeys(range(1, 7), 1))
    >>> die.pool(4).highest(3).sum().mean, die.pool(5).largest_set()[5]
    (Fraction(15869, 1296), Fraction(1, 1296))

    Attributes:
        groups: the distribution of a die, and the number of such dice.
        multiplicities: how often each die counts, in ascending order, below 0 if it is taken away
            from sums; None if all count once.

    Raises:
        RulesError: no groups of dice, or not one whole number for each die.
    """

    groups: tuple[tuple[Law[T_co], int], ...]
    multiplicities: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.groups, tuple):
            raise RulesError(f"{shown(self.groups)} is not a pool; write so.pool('10d6')")
        for _, count in self.groups:
            if type(count) is not int or count < 0:
                raise RulesError(f"{shown(count)} dice in a pool; give a whole number, 0 or more")
        counts = self.multiplicities
        if counts is not None and len(counts) != len(self):
            numbers = quantity(len(counts), "number")
            raise RulesError(f"{numbers} for {len(self)} dice; give one for each")
        for count in counts or ():
            if type(count) is not int:
                raise RulesError(f"a die counts {shown(count)} times; give a whole number")

    @property
    def _identity(self) -> tuple[Hashable, ...]:
        return self.groups, self.multiplicities

    if not TYPE_CHECKING:  # checkers know that a pool has no items

        def __getitem__(self, index: object) -> NoReturn:
            raise RulesError(
                f"pool[{shown(index)}]: write .keep(0, 1, 1) for how often each die counts from "
                "the lowest up, .highest(2), .lowest(2) or .middle()"
            )

    def __len__(self) -> int:
        return sum(count for _, count in self.groups)

    def __repr__(self) -> str:
        counting = f", which count {self.multiplicities} from the lowest up"
        suffix = "" if self.multiplicities is None else counting
        return f"<{type(self).__name__} of {len(self)}{suffix}>"

    @overload  # type: ignore[override]  # pools are joined
    def __add__(self, other: "Pool[U]") -> "Pool[T_co | U]": ...  # type: ignore[overload-overlap]

    @overload
    def __add__(self: "Pool[int]", other: "Calculates[int] | int") -> Law[int]: ...

    @overload
    def __add__(self, other: "Operand") -> Law: ...

    def __add__(self, other: "Operand") -> "Pool | Law":
        """Both pools in one; with anything else, the sum of the faces and it."""
        # cards of one deck are not independent, and dice kept of one pool are not those of both
        pools = [pool for pool in (self, other) if type(pool) is Pool]
        if len(pools) < 2 or any(pool.multiplicities is not None for pool in pools):
            return self._sum(other, 1)
        return Pool(tuple(sum_by_key(group for pool in pools for group in pool.groups).items()))

    def __sub__(self, other: "Operand") -> Law:
        if isinstance(other, Pool):  # + joins pools, so - might take dice away
            raise RulesError(
                "a pool less a pool; write a.sum() - b.sum() for the totals, or a.by_face(step, b) "
                "for the faces that are left"
            )
        return self._sum(other, -1)

    @property
    def own_law(self) -> Law[T_co]:
        pool: Pool = self
        return pool.sum()

    @property
    @remembered
    def hands(self: "Pool") -> Law[tuple[T_co, ...]]:
        """The distribution of hands: the faces in ascending order, as often as they count.

        Raises:
            RulesError: a die counts less than 0 times.
        """
        self._check_hand()
        return self.by_face(lambda hand, face, n: hand + (face,) * n, start=(), order="up")

    def _check_hand(self) -> None:
        """Refuse dice that are taken away: a sum has them, a hand of faces hasn't."""
        if min(self.multiplicities or (0,)) < 0:
            raise RulesError("no hand has a die less than 0 times; take the sum")

    def _walk_groups(self, pool_index: int) -> list[Group]:
        return [Group(pool_index, law.counts, count) for law, count in self.groups]

    # Choosing the dice that count

    def keep(self, *multiplicities: int | Iterable[int]) -> "Pool[T_co]":
        """Say how often each die counts, in ascending order; `keep(0, 1, 1)` drops the lowest.

        >>> die = Law(dict.fromkeys(range(1, 7), 1))
        >>> die.pool(2).keep(-1, 1).sum().mean  # the highest less the lowest
        Fraction(35, 18)

        Args:
            multiplicities: a number for each die, or one iterable of them.

        Raises:
            RulesError: not one whole number for each die.
        """
        counts: list[Any] = []
        for item in multiplicities:
            counts += item if isinstance(item, Iterable) else [item]
        return self._with_multiplicities(tuple(counts))

    def highest(self, count: int = 1, drop: int = 0) -> "Pool[T_co]":
        """The highest `count` dice, after the highest `drop` are taken away."""
        size = len(self)
        for name, n in (("count", count), ("drop", drop)):
            if type(n) is not int or n < 0:
                raise RulesError(f"{name}={shown(n)}; give a whole number from 0 to {size}")
        if self.multiplicities is not None:
            raise RulesError("some of these dice are kept already; keep them in one step")
        if count + drop > size:
            raise RulesError(f"keep {count} of {size - drop} dice; keep at most {size - drop}")
        top = size - drop
        return self._with_multiplicities(tuple(int(top - count <= i < top) for i in range(size)))

    def lowest(self, count: int = 1, drop: int = 0) -> "Pool[T_co]":
        """The lowest `count` dice, after the lowest `drop` are taken away."""
        mirrored = self.highest(count, drop).multiplicities or ()
        return self._with_multiplicities(tuple(reversed(mirrored)))

    def middle(self, count: int = 1) -> "Pool[T_co]":
        """The middle `count` dice; one more is dropped above than below if it can't be even."""
        if type(count) is not int or not 0 <= count <= len(self):
            raise RulesError(
                f"the middle {shown(count)} of {len(self)} dice; keep 0 to {len(self)}"
            )
        return self.highest(count, drop=(len(self) - count + 1) // 2)

    def _with_multiplicities(self, multiplicities: tuple[int, ...]) -> "Pool[T_co]":
        return type(self)(self.groups, multiplicities)

    # Reading the pool

    @overload
    def sum(self: "Pool[Never]") -> Law: ...

    @overload
    def sum(self: "Pool[int]") -> Law[int]: ...

    @overload
    def sum(self: "Pool[Exact]") -> Law[Exact]: ...

    @overload
    def sum(self: "Pool[Vector]") -> Law[Vector]: ...

    def sum(self: "Pool") -> Law:
        """The sum of the faces that count."""
        return self._total()

    @remembered
    def _total(self: "Pool") -> Law:
        """The sum, which a pool of dealt cards finds otherwise; its types are those of `sum`."""
        if self.multiplicities is None:
            return Law.of_weights(convolve([(law.counts, n) for law, n in self.groups]))
        first = next(iter(self.groups[0][0]), 0) if self.groups else 0
        zero = 0 * first if type(first) is Vector else 0
        sum_kind(dict.fromkeys(x for law, _ in self.groups for x in law))  # refuses labels
        # a deal has no independent dice, and no products of distribution functions
        if type(self) is Pool and self.multiplicities.count(0) == len(self) - 1:
            for index in (0, -1):
                # a walk over the faces takes three times as long
                if self.multiplicities[index] == 1:
                    laws = [law for law, n in self.groups for _ in range(n)]
                    return bounded(extreme_of(laws, highest=index == -1))
        return self.by_face(lambda total, face, n: total + face * n, start=zero)

    def count(self, event: Event[T_co]) -> Law[int]:
        """How many dice show a face: a face, a set of faces, or a function of the face."""
        # a function isn't remembered: what it closes over may change; a list is by its faces
        if callable(event):
            return self._count(event)
        return self._remembered_count(frozenset(event) if isinstance(event, list | set) else event)

    def _count(self: "Pool", event: Event[Any]) -> Law[int]:
        walk_groups = self._walk_groups(0)
        happens = event_of(event, {x for group in walk_groups for x in group.weights})
        # a binomial sum per kind of die; cards and kept dice need the walk
        if self.multiplicities is None and not any(group.cards for group in walk_groups):
            hits = [(law.map(lambda x: int(bool(happens(x)))), n) for law, n in self.groups]
            return Law.of_weights(convolve([(law.counts, n) for law, n in hits]))
        return self.by_face(lambda hits, face, n: hits + n * bool(happens(face)), start=0)

    _remembered_count = remembered(_count)

    @remembered
    def largest_set(self: "Pool") -> Law[int]:
        """The size of the largest set of equal faces."""
        self._check_hand()
        return self.by_face(lambda size, face, n: max(size, n), start=0)

    @remembered
    def best_set(self: "Pool") -> Law[tuple[int, T_co]]:
        """(size, face) of the largest set, with the highest face among equals."""
        self._check_hand()

        # upwards: among equal sizes the last face is the highest, and labels are not compared
        def step(best: tuple[int, Any], face: Any, n: int) -> tuple[int, Any]:
            return (n, face) if n and n >= best[0] else best

        return self.by_face(step, start=(0, 0), order="up")

    @remembered
    def sets(self: "Pool", min_size: int = 2) -> Law[tuple[int, ...]]:
        """The sizes of the sets of equal faces, largest first: (3, 2) is a full house.

        Args:
            min_size: of the sets that are listed, from 1 up.

        Raises:
            RulesError: another `min_size`, or a die counts less than 0 times.
        """
        if type(min_size) is not int or min_size < 1:
            raise RulesError(f"min_size={shown(min_size)}; give a whole number, 1 or more")
        self._check_hand()

        def step(sizes: tuple[int, ...], face: Any, n: int) -> tuple[int, ...]:
            return tuple(sorted((*sizes, n), reverse=True)) if n >= min_size else sizes

        return self.by_face(step, start=())

    @remembered
    def longest_run(self: "Pool") -> Law[int]:
        """The length of the longest run of consecutive whole numbers.

        Raises:
            RulesError: other faces, or a die counts less than 0 times.
        """
        self._check_hand()
        for face in (face for group in self._walk_groups(0) for face in group.weights):
            if not is_whole(face):
                raise RulesError(f"{shown(face)} is in no run; a run is of whole numbers")

        def step(state: tuple[int, int, Any], face: Any, n: int) -> tuple[int, int, Any]:
            longest, run, last = state
            if not n:
                return longest, 0, None
            run = run + 1 if last == face - 1 else 1
            return max(longest, run), run, face

        return self.by_face(step, start=(0, 0, None), order="up", finish=lambda state: state[0])

    @remembered
    def sort_pair(self, operator: str, other: "Pool") -> Law[int]:
        """How many dice win if both pools are lined up, highest against highest, as in Risk.

        >>> die = Law(dict.fromkeys(range(1, 7), 1))
        >>> die.pool(3).sort_pair(">", die.pool(2))
        Law({0: 2275, 1: 2611, 2: 2890})

        Args:
            operator: when a die wins against the one it is paired with: ">", ">=", "<" or "<=".
            other: the other pool; dice without a partner don't count.

        Raises:
            RulesError: another operator, or pools of which some dice are kept.
        """
        if operator not in (">", ">=", "<", "<="):
            raise RulesError(f"sort_pair({shown(operator)}): give '>', '>=', '<' or '<='")
        _check_pool(other)
        if self.multiplicities is not None or other.multiplicities is not None:
            raise RulesError("sort_pair pairs all dice, highest first; give the whole pools")
        # those of all pairs that the other side doesn't win
        if operator in ("<", "<="):
            pairs = min(len(self), len(other))
            opposite = ">=" if operator == "<" else ">"
            losses = self.sort_pair(opposite, other)
            return losses.map(lambda n: pairs - n)
        max_pairs = len(other)

        def step(
            state: tuple[int, int, int], face: Any, count: int, other_count: int
        ) -> tuple[int, int, int]:
            # from the highest face down: the dice of each pool that are lined up already
            lined_up, other_lined_up, wins = state
            # own dice of this face win against partners that have a lower face
            first_lower = other_lined_up if operator == ">=" else other_lined_up + other_count
            won = range(max(lined_up, first_lower), min(lined_up + count, max_pairs))
            return lined_up + count, other_lined_up + other_count, wins + len(won)

        return self.by_face(step, other, start=(0, 0, 0), finish=lambda state: state[2])

    @overload
    def by_face(
        self,
        step: Step[Start, S, T_co],
        *,
        start: Start,
        finish: None = None,
        **walk: Unpack[WalkOptions],
    ) -> Law[S]: ...

    @overload
    def by_face(
        self,
        step: Step[Start, S, T_co],
        *,
        start: Start,
        finish: Callable[[S], Calculates[U]],
        **walk: Unpack[WalkOptions],
    ) -> Law[U]: ...

    @overload
    def by_face(
        self,
        step: Step[Start, S, T_co],
        *,
        start: Start,
        finish: Callable[[S], Calculates[U] | U],
        **walk: Unpack[WalkOptions],
    ) -> Law[U]: ...

    @overload
    def by_face(
        self,
        step: Callable[..., S],
        other: "Pool",
        /,
        *others: "Pool",
        **walk: Unpack[WalkFromAnyStart],
    ) -> Law[S]: ...

    @overload
    def by_face(
        self,
        step: Callable[..., object],
        other: "Pool",
        /,
        *others: "Pool",
        finish: Callable[..., Calculates[U] | U],
        **walk: Unpack[WalkFromAnyStart],
    ) -> Law[U]: ...

    @overload
    def by_face(
        self,
        step: Callable[..., object],
        *,
        finish: Callable[..., object] | None = None,
        **walk: Unpack[WalkOptions],
    ) -> Law: ...

    def by_face(
        self,
        step: Callable[..., Hashable],
        *others: "Pool",
        start: object = None,
        finish: Callable[[Any], object] | None = None,
        order: Order = "down",
        faces: Iterable[object] = (),
    ) -> Law:
        """Walk over the faces: step(state, face, count, *counts of the others) gives a state.

        >>> die = Law(dict.fromkeys(range(1, 7), 1))
        >>> die.pool(10).by_face(lambda sixes, face, n: sixes + n * (face == 6), start=0).mean
        Fraction(5, 3)

        Args:
            step: the state after a face, from the state, the face, and the count in each pool. A
                state is any hashable value.
            others: pools that are walked over at the same time.
            start: the first state.
            finish: the outcome of the last state; it may be further dice. Default the state.
            order: "down" from the highest face, "up", or the faces that come first: ("wild",).
            faces: further faces that the step is to see, with counts of 0.

        Raises:
            RulesError: something that is no pool, no such order, or an order of your own for pools
                that keep some dice.
            TooMuchWorkError: more steps than the budget allows.
        """
        for pool in others:
            _check_pool(pool)
        pools = [
            (pool._walk_groups(i), pool.multiplicities) for i, pool in enumerate((self, *others))
        ]
        states = walk(pools, step, start, order, faces)
        if finish is None:
            return Law.of_weights(states)
        return Law.mixture((finish(state), weight) for state, weight in states.items())


def _check_pool(source: object) -> None:
    """Refuse what is no pool, such as its text."""
    if not isinstance(source, Pool):
        raise RulesError(f"{shown(source)} is not a pool; write so.pool('2d6')")
