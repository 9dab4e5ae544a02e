"""Whatever has a distribution, made into dice, distributions and pools.

`law` takes text in the notation, dice, weights, lists of faces, one certain outcome or an
`icepool.Die`, and so do all functions of a `DiceSource`; `dice` and `pool` take what is dice.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, Generic, TypeVar, TypeVarTuple, Union, overload

from sevenout import rolling
from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, shown
from sevenout.numerals import is_whole
from sevenout.rolling.calculations import Calculates
from sevenout.rolling.convolution import ESTIMATE_CAP, Vector, fold_dice
from sevenout.rolling.die import AddsUp, Dice, Die
from sevenout.rolling.distribution import Distribution, U, sum_by_key
from sevenout.rolling.events import Event
from sevenout.rolling.laws import Law, bounded, extreme_of
from sevenout.rolling.notation import parse_dice, pool_of_text, roll
from sevenout.rolling.pools import Pool, S, Start
from sevenout.wrong_arguments import public

if TYPE_CHECKING:  # the outcomes of each part: unknown if it is a text
    from typing_extensions import TypeVar as Variable

    from sevenout.rolling.unbounded import UnboundedLaw

    A = Variable("A", default=Any)
    B = Variable("B", default=Any)
    C = Variable("C", default=Any)
    D = Variable("D", default=Any)
    E = Variable("E", default=Any)
else:
    A, B, C, D, E = map(TypeVar, "ABCDE")

Ts = TypeVarTuple("Ts")
Part = TypeVar("Part", bound=Calculates)
Certain = TypeVar("Certain", int, Fraction, tuple[Any, ...])
DiceSource = Union[
    str,
    Calculates[A],
    "UnboundedLaw",
    Mapping[A, int],
    Mapping[A, Fraction],
    Iterable[Hashable],
    int,
    Fraction,
]
"""What has a distribution: text, dice, weights or probabilities, faces, one certain outcome."""


@overload
def dice(source: str) -> Dice: ...


@overload
def dice(source: AddsUp[U]) -> Dice[U]: ...


@overload
def dice(source: Mapping[int, int] | Iterable[Die[int]]) -> Dice[int]: ...


@overload
def dice(source: Mapping[Any, int] | Iterable[Die]) -> Dice: ...


def dice(source: object) -> Dice:
    """Dice from text, or from anything with outcomes and integer weights.

    The outcome of a roll is a `Roll` with faces and a total, also of a single die; as a
    distribution dice are that of their total. What kind of number the total of a text is, or if it
    is one, is known when the text is read, so to a type checker it is any.

    >>> dice("2d6").p(7), dice("2d6").totals.law[7]
    (Fraction(1, 6), Fraction(1, 6))
    >>> print(dice({1: 1, 2: 2, 3: 1}), dice(dice("d4").dice * 3))
    d3{1,2:2,3} 3d4

    Args:
        source: text such as "2d6" or "d6{1,2,2,3,3,4}"; a die, or a list of them; a distribution, a
            Counter, an `icepool.Die` or any mapping of outcomes to weights.

    Raises:
        NotationError: the text is not dice.
        RulesError: any other object that can't be rolled, or a weight that is not a whole number.
    """
    if isinstance(source, str):
        return parse_dice(source)
    if isinstance(source, Dice):
        return source
    if isinstance(source, Die):
        return Dice([source])
    if isinstance(source, Mapping):
        weights = source if isinstance(source, Law) else Law(source)
        return Dice([Die(weights.faces, weights.weights)])
    if isinstance(source, Iterable):
        return Dice(list(source))
    if type(source) is int and source > 0:
        raise RulesError(f"dice={shown(source)}; write sevenout.dice('d{shown(source)}')")
    raise RulesError(f"dice={shown(source)} can't be rolled; write sevenout.dice('2d6')")


@overload
def law(source: Calculates[U]) -> Law[U]: ...


@overload
def law(source: "str | UnboundedLaw") -> "Law | UnboundedLaw": ...  # type: ignore[overload-overlap]


@overload
def law(source: Mapping[U, int] | Mapping[U, Fraction]) -> Law[U]: ...


@overload
def law(source: Certain) -> Law[Certain]: ...


@overload
def law(source: Iterable[U]) -> Law[U]: ...


def law(source: "DiceSource") -> "Law | UnboundedLaw":
    """The distribution of anything: text, a number, dice, faces, weights, an `icepool.Die`.

    >>> law("2d6")[7], law([1, 1, 2])[1], law({1: 2, 2: 1})[1], law(5)[5]
    (Fraction(1, 6), Fraction(2, 3), Fraction(2, 3), Fraction(1, 1))

    Args:
        source: text in the notation; a mapping of outcomes to whole weights or to probabilities; a
            list of equally likely outcomes; one certain outcome; anything that has a distribution.
            Probabilities are fractions that add up to 1.

    Raises:
        NotationError: the text is not dice.
        RulesError: weights that are neither whole numbers nor probabilities, or no outcome.
    """
    if isinstance(source, Calculates):
        return source.own_law
    # asked of distributions alone: the class of such totals takes a while to load
    if isinstance(source, Distribution) and isinstance(source, rolling.UnboundedLaw):
        return source
    if isinstance(source, str):
        return roll(source)
    if isinstance(source, Mapping):
        weights: dict[Any, Any] = {_vector(x): weight for x, weight in source.items()}
        if not any(isinstance(weight, Fraction) for weight in weights.values()):
            return Law(weights)
        # whole fractions are weights
        if not all(map(is_whole, weights.values())) and (
            any(not isinstance(p, int | Fraction) for p in weights.values())
            or sum(weights.values()) != 1
        ):
            raise RulesError(
                f"{shown(source)}; give whole weights, or fractions with a sum of exactly 1; "
                ".given(...) conditions a distribution"
            )
        return Law.of_probabilities(weights)
    if isinstance(source, int | Fraction | tuple):
        return Law({source: 1})
    if isinstance(source, bytes) or not isinstance(source, Iterable):
        raise RulesError(f"{shown(source)} has no distribution; write so.law('2d6') or a mapping")
    return Law(Counter(source))


def _vector(outcome: U) -> U | Vector:
    """An outcome of an icepool.Die: an icepool vector becomes a `Vector`."""
    if type(outcome).__name__ == "Vector" and type(outcome).__module__.startswith("icepool"):
        return Vector(*outcome)  # type: ignore[misc]
    return outcome


@overload
def pool(*sources: Die[U] | Dice[U] | Law[U] | Pool[U]) -> Pool[U]: ...


@overload
def pool(*sources: str | Die | Dice | Law | Pool | Sequence[Die | Law]) -> Pool: ...


def pool(*sources: str | Die | Dice | Law | Pool | Sequence[Die | Law]) -> Pool:
    """Dice whose faces are counted: text such as "10d6", dice, distributions of one die, pools.

    >>> pool("3d6").sort_pair(">", pool("2d6"))
    Law({0: 2275, 1: 2611, 2: 2890})
    >>> pool("10d6", "5d8").highest(3).sum().mean > 19
    True

    Raises:
        RulesError: something that is not dice.
        NotationError: text that is a total or has a reading, or dice that explode without end.
    """
    groups = (group for source in sources for group in _pool_groups(source))
    return Pool(tuple(sum_by_key(groups).items()))


def _pool_groups(source: object) -> Iterable[tuple[Law, int]]:
    """The distributions of a source's dice, each with the number of such dice."""
    if type(source) is Pool and source.multiplicities is None:
        return source.groups
    if isinstance(source, str):
        return [(law, 1) for law in pool_of_text(source)]
    if isinstance(source, Dice):
        return [(die.law, 1) for die in source.dice]
    if isinstance(source, Die | Law):
        return [(source.own_law, 1)]
    if isinstance(source, list | tuple):
        return [group for part in source for group in _pool_groups(part)]
    raise RulesError(f"{shown(source)} is not dice; write so.pool('10d6') or so.d6.pool(10)")


class Each(Calculates[tuple[*Ts]], Generic[*Ts]):
    """Independent dice side by side; functions take one argument for each.

    Attributes:
        laws: the distribution of each.
    """

    def __init__(self, laws: Sequence[Law]) -> None:
        self.laws = tuple(laws)

    @property
    def _identity(self) -> tuple[Hashable, ...]:
        return self.laws

    def _weighed_outcomes(self) -> Iterator[tuple[tuple[Any, ...], int]]:
        """Each joint outcome, and its weight."""
        size = prod(map(len, self.laws))
        afford(
            f"{size:,} joint outcomes",
            seconds=6e-7 * size,
            instead="so.pool(...).by_face(...) walks over the faces of pools",
        )
        for pairs in product(*(law.counts.items() for law in self.laws)):
            yield tuple(x for x, _ in pairs), prod(w for _, w in pairs)

    @cached_property
    def own_law(self) -> Law[tuple[*Ts]]:
        """The joint distribution, of tuples."""
        return Law.of_weights(dict(self._weighed_outcomes()))

    @overload  # type: ignore[override]  # the outcomes, not the tuple of them
    def map(self, function: Callable[[*Ts], Calculates[U]]) -> Law[U]: ...

    @overload
    def map(self, function: Callable[[*Ts], Calculates[U] | U]) -> Law[U]: ...

    @overload
    def map(self, function: Mapping[Any, Calculates[U] | U]) -> Law[tuple[*Ts] | U]: ...

    def map(self, function: Callable[..., object] | Mapping[Any, object]) -> Law:
        """The distribution of a function of the outcomes, one argument for each."""
        if isinstance(function, Mapping):
            return super().map(function)
        return Law.mixture((function(*outcomes), w) for outcomes, w in self._weighed_outcomes())

    def given(self, event: Callable[[*Ts], object] | Event[Any]) -> Law[tuple[*Ts]]:
        """The joint distribution given a condition on the outcomes, one argument for each."""
        return super().given(_of_each(event))

    def p(self, event: Callable[[*Ts], object] | Event[Any] = True) -> Fraction:
        """The probability of a condition on the outcomes, one argument for each."""
        return super().p(_of_each(event))

    def __repr__(self) -> str:
        return f"<Each of {len(self.laws)} distributions>"


def _of_each(event: Callable[..., object] | Event[Any]) -> Event[Any]:
    """A condition with an argument for each outcome, as one on the tuple of them."""
    return (lambda outcomes: event(*outcomes)) if callable(event) else event


@overload
def each(a: DiceSource[A], /) -> Each[A]: ...


@overload
def each(a: DiceSource[A], b: DiceSource[B], /) -> Each[A, B]: ...


@overload
def each(a: DiceSource[A], b: DiceSource[B], c: DiceSource[C], /) -> Each[A, B, C]: ...


@overload
def each(
    a: DiceSource[A], b: DiceSource[B], c: DiceSource[C], d: DiceSource[D], /
) -> Each[A, B, C, D]: ...


@overload
def each(
    a: DiceSource[A], b: DiceSource[B], c: DiceSource[C], d: DiceSource[D], e: DiceSource[E], /
) -> Each[A, B, C, D, E]: ...


@overload
def each(*sources: "DiceSource") -> Each[*tuple[Any, ...]]: ...


def each(*sources: "DiceSource") -> Each[*tuple[Any, ...]]:
    """Independent dice side by side; functions take one argument for each.

    >>> each("d6", "d8").map(lambda a, b: max(a, b)).mean
    Fraction(251, 48)

    Args:
        sources: dice, as `law` takes them.
    """
    return Each([bounded(law(source)) for source in sources])


@overload
def highest(*sources: Calculates[U]) -> Law[U]: ...


@overload
def highest(*sources: "DiceSource") -> "Law | UnboundedLaw": ...


def highest(*sources: "DiceSource") -> "Law | UnboundedLaw":
    """The highest of independent dice; `so.pool("4d6").highest(3)` keeps dice of a pool.

    >>> highest("d8", "d6").mean, highest("d8!", "d6!").at_least(10)
    (Fraction(251, 48), Fraction(47, 256))
    """
    return _extreme(sources, highest=True)


@overload
def lowest(*sources: Calculates[U]) -> Law[U]: ...


@overload
def lowest(*sources: "DiceSource") -> "Law | UnboundedLaw": ...


def lowest(*sources: "DiceSource") -> "Law | UnboundedLaw":
    """The lowest of independent dice.

    >>> lowest("d8", "d6").mean
    Fraction(133, 48)
    """
    return _extreme(sources, highest=False)


def _extreme(sources: Sequence[DiceSource], *, highest: bool) -> "Law | UnboundedLaw":
    """The highest or lowest of two or more independent totals."""
    # The highest of one roll would be its total: "the highest of 2d20" means the higher die.
    if len(sources) < 2:
        name = "highest" if highest else "lowest"
        rolls = ", ".join(map(shown, sources))
        raise RulesError(
            f"so.{name}({rolls}) compares rolls; give two or more, such as so.{name}('d8', 'd6'), "
            f"or keep dice of a pool: so.pool('2d20').{name}()"
        )
    return extreme_of([law(source) for source in sources], highest=highest)


@overload
def mixture(parts: Calculates[U], *others: Calculates[U]) -> Law[U]: ...


@overload
def mixture(
    parts: Mapping[Die[U], int] | Mapping[Law[U], int] | Iterable[tuple[Calculates[U], int]],
) -> Law[U]: ...


@overload
def mixture(parts: Mapping[Part, int] | Mapping[str, int] | Iterable[tuple[str, int]]) -> Law: ...


@overload
def mixture(parts: Mapping[U, int] | Iterable[tuple[Calculates[U] | U, int]]) -> Law[U]: ...


@overload
def mixture(parts: Calculates | str, *others: Calculates | str) -> Law: ...


@public
def mixture(
    parts: Mapping[Any, int] | Iterable[tuple[Any, int]] | Calculates | str,
    *others: Calculates | str,
) -> Law:
    """A distribution chosen at random: a mapping, or pairs of (dice or outcome, integer weight).

    Several dice, one after another, are equally likely.

    >>> mixture([("d6", 1), ("d8", 1)]).mean, mixture({0: 1, 6: 2}).mean, mixture("d6", "d8").mean
    (Fraction(4, 1), Fraction(4, 1), Fraction(4, 1))

    Raises:
        RulesError: a part without a weight, a weight that is not a whole number from 0 up, or none
            above 0; dice after parts with weights.
    """
    if isinstance(parts, Calculates | str):
        parts = [(part, 1) for part in (parts, *others)]
    elif others:
        raise RulesError(
            f"mixture({shown(parts)}, {shown(others[0])}) mixes weighted parts and dice; give all "
            "parts with their weights, or dice alone"
        )
    pairs = list(parts.items() if isinstance(parts, Mapping) else parts)
    for pair in pairs:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise RulesError(f"{shown(pair)} is no part with its weight; write ('d6', 1)")
        value, weight = pair
        if type(weight) is not int or weight < 0:
            raise RulesError(
                f"the weight of {shown(value)} is {shown(weight)}; give a whole number, 0 or more"
            )
    if not any(weight for _, weight in pairs):
        raise RulesError("no part has a weight above 0; give one at least")
    return Law.mixture(
        (law(value) if isinstance(value, str) else value, weight)
        for value, weight in pairs
        if weight
    )


@overload
def repeat(
    step: Callable[[Start | S, U], S], source: Calculates[U], times: DiceSource, start: Start
) -> Law[Start | S]: ...


@overload
def repeat(
    step: Callable[..., Hashable],
    source: str | int | Fraction | list[Any] | dict[Any, int],
    times: DiceSource,
    start: Hashable,
) -> Law: ...


@public
def repeat(
    step: Callable[..., Hashable], source: "DiceSource", times: "DiceSource", start: Hashable
) -> Law:
    """The state after a die was rolled some times: step(state, face) gives the next state.

    >>> repeat(lambda best, face: max(best, face), "d6", 3, start=0) == highest("d6", "d6", "d6")
    True

    Args:
        step: the state after a face, from the state before.
        source: the die, as `law` takes it.
        times: a number, or dice that say how often.
        start: the first state.

    Raises:
        RulesError: `times` may be no whole number, or below 0.
        TooMuchWorkError: more rolls than the budget allows.
    """
    # forward, as one chain: a recursion over the rolls would repeat every state
    die, count = bounded(law(source)), bounded(law(times))
    for n in count:
        if not is_whole(n) or n < 0:
            raise RulesError(f"times={shown(n)}; give a whole number, 0 or more, or dice of such")
    most = int(max(count))
    afford(
        f"{shown(most)} rolls one after another",
        seconds=1e-6 * min(most, ESTIMATE_CAP) * (5 + len(die)),
        instead="roll fewer times",
    )
    states: dict[Hashable, int] = {start: 1}
    parts: list[tuple[Law, int]] = []
    for n in range(most + 1):
        if n:
            states = fold_dice(states, [(die.faces, die.weights)], step)
        if n in count:
            parts.append((Law.of_weights(dict(states)), count.counts[n]))
    return Law.mixture(parts)
