"""How the faces of some dice make a total: sums, kept dice, successes, maxima, comparisons.

An expression takes the next few dice of a roll, in order, and holds no dice itself: the same total
can be read from other dice, such as faulty ones. It gives the total of one roll, weights in any
ring (for gradients), a distribution (which may have no highest total), and its notation.

    >>> best = DiceGroup(4, Drop(lowest=1))
    >>> best([5, 1, 6, 4]), Sum.of([(1, best), (-1, DiceGroup(1))], 2)([5, 1, 6, 4, 3])
    (15, 14)
"""

from abc import ABC, abstractmethod
from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, groupby, pairwise, starmap
from math import comb, prod
from operator import eq, floordiv, ge, gt, le, lt, mul, ne
from typing import TYPE_CHECKING, Any

from sevenout import rolling  # opens `UnboundedLaw` when dice first explode without end
from sevenout.budgets.estimates import afford
from sevenout.errors import NotationError
from sevenout.numerals import int_if_whole
from sevenout.rolling.convolution import (
    ESTIMATE_CAP,
    combine,
    count_products,
    fold_dice,
    quotient,
    sum_dice,
)
from sevenout.rolling.distribution import sum_by_key
from sevenout.rolling.laws import Law, Truth, extreme_of
from sevenout.rolling.pools import Pool

if TYPE_CHECKING:
    from sevenout.rolling.unbounded import UnboundedLaw

Number = int | Fraction
WeighedDie = tuple[Sequence[Any], Sequence[Any]]
"""The faces of a die, and their weights in any ring."""

COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    ">=": ge,
    "<=": le,
    ">": gt,
    "<": lt,
    "=": eq,
    "!=": ne,
}


OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "*": mul,
    "/": quotient,
    "//": floordiv,
    **COMPARISONS,
}


@dataclass(frozen=True)
class Exploding:
    """A die that is rolled again and added on some faces, without end or to a depth.

    Attributes:
        law: the distribution of one roll.
        exploding_faces: the faces on which it is rolled again.
        depth: the most times that it is rolled again; None without end.
    """

    law: Law
    exploding_faces: frozenset[Any]
    depth: int | None = None

    def total(self, score: Callable[[Any], int] | None = None) -> "Law | UnboundedLaw":
        """The distribution of the sum of its rolls, or of their scores."""
        if self.depth is None:
            return self.law.explode(self.exploding_faces, score=score)
        return self.law.explode(self.exploding_faces, depth=self.depth, score=score)


DieLaws = Sequence[Any]
"""The dice of an expression: for each its `Law`, or an `Exploding`."""


class Expression(ABC):
    """A total, from the next few dice."""

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of dice it takes."""

    @abstractmethod
    def __call__(self, faces: Sequence[Any]) -> Any:
        """The total of one roll, from the face of each die."""

    @abstractmethod
    def weigh(self, weighed_dice: Sequence[WeighedDie]) -> dict[Any, Any]:
        """The weight of each total, from the faces and weights of each die, in any ring."""

    @abstractmethod
    def law(self, dice: DieLaws) -> Any:
        """The distribution: a `Law`, or an `UnboundedLaw`."""

    @abstractmethod
    def addends(self, names: Sequence[str]) -> list[str]:
        """The notation, as texts to be added, from those of the dice; [] if it has none."""

    def work(self, weighed_dice: Sequence[WeighedDie]) -> float:
        """About the number of products that `weigh` needs."""
        return min(float(prod(len(set(faces)) for faces, _ in weighed_dice)), float(ESTIMATE_CAP))

    def text(self, names: Sequence[str]) -> str:
        """The notation; "" if it has none."""
        return "+".join(self.addends(names))

    def in_brackets(self, names: Sequence[str]) -> str:
        """The notation as a factor."""
        text = self.text(names)
        return f"({text})" if text else ""


@dataclass(frozen=True)
class Drop:
    """How many of the lowest and of the highest dice of a group don't count.

    >>> print(Drop(lowest=1).text(4), Drop(lowest=1, highest=1).text(4))
    kh3 dl1dh1
    """

    lowest: int = 0
    highest: int = 0

    @property
    def is_middle(self) -> bool:
        """Whether dice are dropped at both ends."""
        return bool(self.lowest and self.highest)

    def kept_count(self, dice: int) -> int:
        """How many of this many dice are kept."""
        return dice - self.lowest - self.highest

    def kept_faces(self, faces: Iterable[Any]) -> Sequence[Any]:
        """The faces that are kept, in ascending order."""
        ascending = sorted(faces)
        return ascending[self.lowest : len(ascending) - self.highest]

    def multiplicities(self, dice: int) -> tuple[int, ...]:
        """How often each die counts, in ascending order: 1 if it is kept, else 0."""
        return tuple(int(self.lowest <= i < dice - self.highest) for i in range(dice))

    def text(self, dice: int) -> str:
        """The shortest notation, which names the dice that are kept if it can."""
        if self.is_middle:
            return f"dl{self.lowest}dh{self.highest}"
        return f"kl{self.kept_count(dice)}" if self.highest else f"kh{self.kept_count(dice)}"


@dataclass(frozen=True)
class Successes:
    """A comparison that counts dice.

    >>> Successes(">=", 8).score(10), str(Successes("<", 3))
    (1, '<3')

    Attributes:
        operator: the comparison, one of `COMPARISONS`.
        threshold: what each face is compared with.
    """

    operator: str
    threshold: Number

    def score(self, face: Any) -> int:
        """1 for a success, else 0."""
        return int(COMPARISONS[self.operator](face, self.threshold))

    def __str__(self) -> str:
        return f"{self.operator}{self.threshold}"


@dataclass(frozen=True)
class DiceGroup(Expression):
    """A few dice that are added up, kept or counted together.

    Attributes:
        dice: how many.
        selection: which are dropped, or which succeed; None for the sum of all.
    """

    dice: int
    selection: Drop | Successes | None = None

    @property
    def size(self) -> int:
        return self.dice

    def __call__(self, faces: Sequence[Any]) -> Any:
        if isinstance(self.selection, Successes):
            return sum(map(self.selection.score, faces))
        return sum(faces if self.selection is None else self.selection.kept_faces(faces))

    def weigh(self, weighed_dice: Sequence[WeighedDie]) -> dict[Any, Any]:
        if isinstance(self.selection, Drop):
            return _weigh_kept(weighed_dice, self.selection)
        return sum_dice(self._scored(weighed_dice))

    def _scored(self, weighed_dice: Sequence[WeighedDie]) -> Sequence[WeighedDie]:
        if not isinstance(self.selection, Successes):
            return weighed_dice
        score = self.selection.score
        return [([score(face) for face in faces], weights) for faces, weights in weighed_dice]

    def work(self, weighed_dice: Sequence[WeighedDie]) -> float:
        if isinstance(self.selection, Drop):
            return super().work(weighed_dice)
        return count_products(self._scored(weighed_dice))

    def law(self, dice: DieLaws) -> Any:
        if isinstance(self.selection, Successes):
            score = self.selection.score
            return _sum_laws(
                [die.total(score) if isinstance(die, Exploding) else die.map(score) for die in dice]
            )
        totals = [die.total() if isinstance(die, Exploding) else die for die in dice]
        if self.selection is None:
            return _sum_laws(totals)
        laws = Counter(law for law in totals if isinstance(law, Law))
        if laws.total() == len(totals):
            return Pool(tuple(laws.items()), self.selection.multiplicities(self.dice)).sum()
        return _kept_unbounded(dice, totals, self.selection)

    def addends(self, names: Sequence[str]) -> list[str]:
        runs = [(name, len(list(run))) for name, run in groupby(names)]
        texts = [name if n == 1 else f"{n}{name}" for name, n in runs]
        if not isinstance(self.selection, Drop):
            return [f"{text}{self.selection or ''}" for text in texts]
        if len(texts) == 1:
            return [f"{texts[0]}{self.selection.text(self.dice)}"]
        if self.selection.kept_count(self.dice) == 1 and not self.selection.is_middle:
            return [f"{'max' if self.selection.lowest else 'min'}({','.join(names)})"]
        return [f"({'+'.join(texts)}){self.selection.text(self.dice)}"]


class Compound(Expression):
    """An expression of other expressions, each of which takes the next few dice."""

    @property
    @abstractmethod
    def parts(self) -> Sequence[Expression]:
        """The other expressions, in the order of the dice."""

    @property
    def size(self) -> int:
        return sum(part.size for part in self.parts)

    @cached_property
    def _slices(self) -> list[tuple[Expression, slice]]:
        """Each part, and where its dice are: a total is called for every roll."""
        stops = list(accumulate((part.size for part in self.parts), initial=0))
        return list(zip(self.parts, starmap(slice, pairwise(stops)), strict=True))

    def _split(self, dice: Sequence[Any]) -> list[tuple[Expression, Sequence[Any]]]:
        """Each part with its own dice."""
        return [(part, dice[own]) for part, own in self._slices]


@dataclass(frozen=True)
class Sum(Compound):
    """A sum of expressions, each times a factor, and a number.

    Attributes:
        terms: (factor, expression), in the order of the dice.
        plus: the number that is added.
    """

    terms: tuple[tuple[Number, Expression], ...]
    plus: Number = 0

    @classmethod
    def of(cls, terms: Iterable[tuple[Number, Expression]], plus: Number = 0) -> Expression:
        """The sum in the fewest terms; the term itself if there is only one.

        >>> Sum.of([(1, DiceGroup(1)), (1, DiceGroup(2))])
        DiceGroup(dice=3, selection=None)
        """
        summands: list[tuple[Number, Expression]] = []
        for outer_factor, outer in terms:
            inner_terms: Iterable[tuple[Number, Expression]] = [(1, outer)]
            if isinstance(outer, Sum):
                plus += outer_factor * outer.plus
                inner_terms = outer.terms
            for inner_factor, term in inner_terms:
                factor = int_if_whole(Fraction(outer_factor * inner_factor))
                last_factor, last = summands[-1] if summands else (0, None)
                if _can_join(last, term) and factor == last_factor:
                    assert isinstance(last, DiceGroup)  # only groups join
                    summands[-1] = factor, DiceGroup(last.dice + term.size, last.selection)
                else:
                    summands.append((factor, term))
        plus = int_if_whole(Fraction(plus))
        if len(summands) == 1 and summands[0][0] == 1 and not plus:
            return summands[0][1]
        return cls(tuple(summands), plus)

    @cached_property
    def parts(self) -> Sequence[Expression]:
        return [term for _, term in self.terms]

    @cached_property
    def _factored_slices(self) -> list[tuple[Number, Expression, slice]]:
        """The factor of each term, the expression, and where its dice are."""
        return [
            (factor, term, own)
            for (factor, _), (term, own) in zip(self.terms, self._slices, strict=True)
        ]

    def __call__(self, faces: Sequence[Any]) -> Any:
        # written out, as a call for every roll is half of the time
        return self.plus + sum([f * term(faces[own]) for f, term, own in self._factored_slices])

    def weigh(self, weighed_dice: Sequence[WeighedDie]) -> dict[Any, Any]:
        terms = [_scaled(t.weigh(weighed_dice[own]), f) for f, t, own in self._factored_slices]
        terms.append(([self.plus], [1]))
        return sum_dice(terms)

    def work(self, weighed_dice: Sequence[WeighedDie]) -> float:
        return sum(term.work(weighed_dice[own]) for _, term, own in self._factored_slices)

    def law(self, dice: DieLaws) -> Any:
        total: Any = Law.of_weights({self.plus: 1})
        for factor, term, own in self._factored_slices:
            law = term.law(dice[own])
            # not -1 * law: dice that explode without end say why they can't be subtracted
            if abs(factor) == 1:
                total = total + (law if factor == 1 else -law)
            else:
                total = total + factor * law
        return total

    def addends(self, names: Sequence[str]) -> list[str]:
        return [self.text(names)]

    def text(self, names: Sequence[str]) -> str:
        signed_texts = []
        for factor, term, own in self._factored_slices:
            texts = term.addends(names[own])
            if not texts or not all(texts):
                return ""
            sign = "-" if factor < 0 else "+"
            times = "" if abs(factor) == 1 else f"*{abs(factor)}"
            signed_texts += [f"{sign}{text}{times}" for text in texts]
        if self.plus or not signed_texts:
            signed_texts.append(f"{'-' if self.plus < 0 else '+'}{abs(self.plus)}")
        return "".join(signed_texts).removeprefix("+")


def _can_join(last: Expression | None, term: Expression) -> bool:
    """Whether two neighbours with one factor are one group: plain sums, or equal counts."""
    if not isinstance(last, DiceGroup) or not isinstance(term, DiceGroup):
        return False
    return last.selection == term.selection and not isinstance(term.selection, Drop)


@dataclass(frozen=True)
class Extreme(Compound):
    """The highest or lowest of several totals.

    Attributes:
        totals: in the order of the dice.
        highest: whether the highest counts; else the lowest.
    """

    totals: tuple[Expression, ...]
    highest: bool

    @classmethod
    def of(cls, totals: Sequence[Expression], *, highest: bool) -> Expression:
        """The highest of single dice is a kept die."""
        if len(totals) == 1:
            return totals[0]
        # a kept die has the shorter notation: 2d6kh1, not max(d6,d6)
        if all(total == DiceGroup(1) for total in totals):
            dropped = len(totals) - 1
            return DiceGroup(
                len(totals), Drop(lowest=dropped) if highest else Drop(highest=dropped)
            )
        return cls(tuple(totals), highest)

    @property
    def parts(self) -> Sequence[Expression]:
        return self.totals

    def __call__(self, faces: Sequence[Any]) -> Any:
        values = [total(own_faces) for total, own_faces in self._split(faces)]
        return max(values) if self.highest else min(values)

    def weigh(self, weighed_dice: Sequence[WeighedDie]) -> dict[Any, Any]:
        choose: Callable[[Any, Any], Any] = max if self.highest else min
        weights: dict[Any, Any] | None = None
        for total, own_dice in self._split(weighed_dice):
            weighed = total.weigh(own_dice)
            weights = weighed if weights is None else combine(weights, weighed, choose)
        return weights or {}

    def law(self, dice: DieLaws) -> Any:
        laws = [total.law(own_dice) for total, own_dice in self._split(dice)]
        return extreme_of(laws, highest=self.highest)

    def addends(self, names: Sequence[str]) -> list[str]:
        texts = [total.text(own_names) for total, own_names in self._split(names)]
        if not all(texts):
            return []
        return [f"{'max' if self.highest else 'min'}({','.join(texts)})"]


@dataclass(frozen=True)
class Operation(Compound):
    """A product, a quotient or a comparison of two totals; a comparison is True or False.

    Attributes:
        operator: one of `OPERATIONS`.
        left: the first operand, of the first dice.
        right: the second operand, of the others.
    """

    operator: str
    left: Expression
    right: Expression

    @property
    def parts(self) -> Sequence[Expression]:
        return (self.left, self.right)

    def __call__(self, faces: Sequence[Any]) -> Any:
        # written out, as a call for every roll is half of the time
        size = self.left.size
        return OPERATIONS[self.operator](self.left(faces[:size]), self.right(faces[size:]))

    def weigh(self, weighed_dice: Sequence[WeighedDie]) -> dict[Any, Any]:
        left, right = (part.weigh(own_dice) for part, own_dice in self._split(weighed_dice))
        return combine(left, right, OPERATIONS[self.operator])

    def law(self, dice: DieLaws) -> Any:
        left, right = (part.law(own_dice) for part, own_dice in self._split(dice))
        if self.operator in ("=", "!="):
            ties = left.ties(right)
            return Truth.of_chance(ties if self.operator == "=" else 1 - ties)
        if self.operator == "/":
            return left / right
        return OPERATIONS[self.operator](left, right)

    def addends(self, names: Sequence[str]) -> list[str]:
        left, right = (part.in_brackets(own_names) for part, own_names in self._split(names))
        return [f"{left}{self.operator}{right}"] if left and right else []


def constant(number: Number) -> Expression:
    """A number without dice.

    >>> constant(3)([])
    3
    """
    return Sum((), number)


def _scaled(weighed: dict[Any, Any], factor: Number) -> WeighedDie:
    """Totals times a factor, as the faces of one die with their weights."""
    values = [value if factor == 1 else factor * value for value in weighed]
    return values, list(weighed.values())


def _sum_laws(laws: Sequence[Any]) -> Any:
    """The sum of independent totals; equal ones are a power."""
    finite = [law for law in laws if isinstance(law, Law)]
    total: Any = Pool(tuple(Counter(finite).items())).sum()
    for law, n in Counter(law for law in laws if not isinstance(law, Law)).items():
        total = total + n @ law
    return total


def _weigh_kept(weighed_dice: Sequence[WeighedDie], drop: Drop) -> dict[Any, Any]:
    """The weight of each total of kept dice, in any ring.

    Die by die: a state holds the dice to keep so far, or the sum so far and the dice to drop,
    whichever are fewer.
    """
    if drop.is_middle:  # only whole hands tell
        hands = fold_dice({(): 1}, weighed_dice, add_to_hand)
        return sum_by_key((sum(drop.kept_faces(hand)), w) for hand, w in hands.items())
    # of 10 dice that keep 8, the 2 dropped are the shorter memory
    kept = drop.kept_count(len(weighed_dice))
    holds_kept = 2 * kept <= len(weighed_dice)
    size = kept if holds_kept else len(weighed_dice) - kept
    holds_highest = holds_kept != bool(drop.highest)
    faces = len({face for row, _ in weighed_dice for face in row})
    states = comb(faces + size, size) * (1 if holds_kept else len(weighed_dice) * faces)
    afford(
        f"the {kept} to keep of {len(weighed_dice)} dice",
        seconds=1e-6 * min(states * sum(len(row) for row, _ in weighed_dice), ESTIMATE_CAP),
        instead="keep fewer, of dice with fewer sides",
    )

    def step(state: Any, face: Any) -> Any:
        total, hand = state
        held = add_to_hand(hand, face)
        if len(held) > size:
            held = held[1:] if holds_highest else held[:-1]
        return 0 if holds_kept else total + face, held

    return sum_by_key(
        (sum(hand) if holds_kept else total - sum(hand), w)
        for (total, hand), w in fold_dice({(0, ()): 1}, weighed_dice, step).items()
    )


def add_to_hand(hand: tuple[Any, ...], face: Any) -> tuple[Any, ...]:
    """The hand with one more die, in ascending order.

    >>> add_to_hand((1, 4), 2)
    (1, 2, 4)
    """
    held = list(hand)
    insort(held, face)
    return tuple(held)


def _kept_unbounded(dice: DieLaws, totals: Sequence[Any], drop: Drop) -> Any:
    """The distribution of the dice that are kept, if some explode without end."""
    kept = drop.kept_count(len(dice))
    if kept == 1 and not drop.is_middle:
        return extreme_of(totals, highest=bool(drop.lowest))
    die = dice[0]
    are_equal = all(other == die for other in dice)
    # only then is each die that explodes above all others, as the recursion in `kept` needs
    top_only = are_equal and isinstance(die, Exploding) and die.exploding_faces == {max(die.law)}
    if not top_only or drop.is_middle:
        raise NotationError(
            "kept dice that explode without end must be equal, explode on their highest face only, "
            "and be the highest or the lowest; give the explosion a depth, as in 4d6!^10dl1dh1"
        )
    return rolling.UnboundedLaw.kept(die.law, len(dice), kept, lowest=bool(drop.highest))
