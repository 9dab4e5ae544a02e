"""How the faces of some dice make a total: sums, kept dice, successes, maxima, comparisons.

An expression takes the next few dice of a roll, in order, and holds no dice itself: the same total
can be read from other dice, such as faulty ones. It gives the total of one roll, weights in any
ring (for gradients), a distribution (which may have no highest total), and its notation.

    >>> best = DiceGroup(4, Keep(lowest=1))
    >>> best([5, 1, 6, 4]), Sum.of([(1, best), (-1, DiceGroup(1))], 2)([5, 1, 6, 4, 3])
    (15, 14)
"""

import operator
from abc import ABC, abstractmethod
from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, islice
from math import comb, prod
from typing import TYPE_CHECKING, Any

from sevenout import rolling  # opens `UnboundedLaw` when dice first explode without end
from sevenout.budgets.estimates import afford
from sevenout.errors import NotationError
from sevenout.rolling.convolution import (
    MANY,
    combined,
    folded,
    quotient,
    sum_products,
    summed_rows,
    whole_if_possible,
)
from sevenout.rolling.distribution import summed
from sevenout.rolling.laws import Law, Truth, extreme_of
from sevenout.rolling.pools import Pool

if TYPE_CHECKING:
    from sevenout.rolling.unbounded import UnboundedLaw

Number = int | Fraction
Row = tuple[Sequence[Any], Sequence[Any]]
"""The faces of a die and their weights."""

COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
    "!=": operator.ne,
}


OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "*": operator.mul,
    "/": quotient,
    "//": operator.floordiv,
    **COMPARISONS,
}


@dataclass(frozen=True)
class Exploding:
    """A die that is rolled again and added on some faces, without end or to a depth.

    Attributes:
        law: the distribution of one roll.
        again: the faces on which it is rolled again.
        depth: the most times that it is rolled again; None without end.
    """

    law: Law
    again: frozenset[Any]
    depth: int | None = None

    def total(self, worth: Callable[[Any], int] | None = None) -> "Law | UnboundedLaw":
        """The distribution of the sum of its rolls, or of what each of them is worth."""
        if self.depth is None:
            return self.law.explode(self.again, worth=worth)
        return self.law.explode(self.again, depth=self.depth, worth=worth)


Parts = Sequence[Any]
"""Dice of an expression: each a `Law` or `Exploding`."""


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
    def weigh(self, rows: Sequence[Row]) -> dict[Any, Any]:
        """The weight of each total, from the faces and weights of each die, in any ring."""

    @abstractmethod
    def law(self, dice: Parts) -> Any:
        """The distribution: a `Law`, or an `UnboundedLaw`."""

    @abstractmethod
    def addends(self, names: Sequence[str]) -> list[str]:
        """The notation, as texts to be added, from those of the dice; [] if it has none."""

    def work(self, rows: Sequence[Row]) -> float:
        """About the number of products that `weigh` needs."""
        return min(float(prod(len(set(faces)) for faces, _ in rows)), float(MANY))

    def text(self, names: Sequence[str]) -> str:
        """The notation; "" if it has none."""
        return "+".join(self.addends(names))

    def in_brackets(self, names: Sequence[str]) -> str:
        """The notation as a factor."""
        text = self.text(names)
        return f"({text})" if text else ""


@dataclass(frozen=True)
class Keep:
    """Which dice of a group are kept: all but this many of the lowest and of the highest.

    >>> print(Keep(lowest=1).text(4), Keep(lowest=1, highest=1).text(4))
    kh3 dl1dh1
    """

    lowest: int = 0
    highest: int = 0

    def kept(self, faces: Sequence[Any]) -> Sequence[Any]:
        """The faces that are kept, in ascending order."""
        return sorted(faces)[self.lowest : len(faces) - self.highest]

    def places(self, dice: int) -> tuple[int, ...]:
        """1 for each die that is kept, in ascending order, else 0."""
        return tuple(int(self.lowest <= i < dice - self.highest) for i in range(dice))

    def text(self, dice: int) -> str:
        """The shortest notation."""
        few = dice - self.lowest - self.highest
        if self.lowest and self.highest:
            return f"dl{self.lowest}dh{self.highest}"
        return f"kl{few}" if self.highest else f"kh{few}"


@dataclass(frozen=True)
class Successes:
    """A comparison that counts dice.

    >>> Successes(">=", 8).worth(10), str(Successes("<", 3))
    (1, '<3')

    Attributes:
        sign: the comparison, one of `COMPARISONS`.
        number: what each face is compared with.
    """

    sign: str
    number: Number

    def worth(self, face: Any) -> int:
        """1 for a success, else 0."""
        return int(COMPARISONS[self.sign](face, self.number))

    def __str__(self) -> str:
        return f"{self.sign}{self.number}"


@dataclass(frozen=True)
class DiceGroup(Expression):
    """A few dice that are added up, kept or counted together.

    Attributes:
        dice: how many.
        read: which are kept, or what counts; None for the sum of all.
    """

    dice: int
    read: Keep | Successes | None = None

    @property
    def size(self) -> int:
        return self.dice

    def __call__(self, faces: Sequence[Any]) -> Any:
        if isinstance(self.read, Successes):
            return sum(map(self.read.worth, faces))
        return sum(faces if self.read is None else self.read.kept(faces))

    def weigh(self, rows: Sequence[Row]) -> dict[Any, Any]:
        if isinstance(self.read, Keep):
            return _weigh_kept(rows, self.read)
        return summed_rows(self._worth(rows))

    def _worth(self, rows: Sequence[Row]) -> Sequence[Row]:
        if not isinstance(self.read, Successes):
            return rows
        worth = self.read.worth
        return [([worth(face) for face in faces], weights) for faces, weights in rows]

    def work(self, rows: Sequence[Row]) -> float:
        return (
            super().work(rows) if isinstance(self.read, Keep) else sum_products(self._worth(rows))
        )

    def law(self, dice: Parts) -> Any:
        if isinstance(self.read, Successes):
            worth = self.read.worth
            counts = [_worth_of(die, worth) for die in dice]
            return _total_of(counts)
        totals = [die.total() if isinstance(die, Exploding) else die for die in dice]
        if self.read is None:
            return _total_of(totals)
        laws = Counter(law for law in totals if isinstance(law, Law))
        if laws.total() == len(totals):
            return Pool(tuple(laws.items()), self.read.places(self.dice)).sum()
        return _kept_unbounded(dice, totals, self.read)

    def addends(self, names: Sequence[str]) -> list[str]:
        runs = [(name, len(list(run))) for name, run in groupby(names)]
        texts = [name if n == 1 else f"{n}{name}" for name, n in runs]
        if not isinstance(self.read, Keep):
            return [f"{text}{self.read or ''}" for text in texts]
        if len(texts) == 1:
            return [f"{texts[0]}{self.read.text(self.dice)}"]
        if self.dice - self.read.lowest - self.read.highest == 1 and not (
            self.read.lowest and self.read.highest
        ):
            return [f"{'max' if self.read.lowest else 'min'}({','.join(names)})"]
        return [f"({'+'.join(texts)}){self.read.text(self.dice)}"]


@dataclass(frozen=True)
class Sum(Expression):
    """A sum of expressions, each times a factor, and a number.

    Attributes:
        terms: (factor, expression), in the order of the dice.
        plus: the number added.
    """

    terms: tuple[tuple[Number, Expression], ...]
    plus: Number = 0

    @classmethod
    def of(cls, terms: Iterable[tuple[Number, Expression]], plus: Number = 0) -> Expression:
        """The sum in the fewest terms; the term itself if there is only one.

        >>> Sum.of([(1, DiceGroup(1)), (1, DiceGroup(2))])
        DiceGroup(dice=3, read=None)
        """
        flat: list[tuple[Number, Expression]] = []
        for factor, term in terms:
            inner: list[tuple[Number, Expression]] = [(factor, term)]
            if isinstance(term, Sum):
                plus += factor * term.plus
                inner = [(factor * f, t) for f, t in term.terms]
            for f, t in inner:
                last_factor, last = flat[-1] if flat else (0, None)
                if _joins(last, t) and f == last_factor:
                    assert isinstance(last, DiceGroup)  # only groups join
                    flat[-1] = f, DiceGroup(last.dice + t.size, last.read)
                else:
                    flat.append((f, t))
        whole = whole_if_possible(Fraction(plus))
        if len(flat) == 1 and flat[0][0] == 1 and not whole:
            return flat[0][1]
        return cls(tuple((whole_if_possible(Fraction(f)), t) for f, t in flat), whole)

    @property
    def size(self) -> int:
        return sum(term.size for _, term in self.terms)

    def _split(self, dice: Sequence[Any]) -> Iterable[tuple[Number, Expression, list[Any]]]:
        rest = iter(dice)
        return ((f, term, list(islice(rest, term.size))) for f, term in self.terms)

    def __call__(self, faces: Sequence[Any]) -> Any:
        return self.plus + sum(f * term(few) for f, term, few in self._split(faces))

    def weigh(self, rows: Sequence[Row]) -> dict[Any, Any]:
        terms = [_scaled(term.weigh(few), f) for f, term, few in self._split(rows)]
        terms.append(([self.plus], [1]))
        return summed_rows(terms)

    def work(self, rows: Sequence[Row]) -> float:
        return sum(term.work(few) for _, term, few in self._split(rows))

    def law(self, dice: Parts) -> Any:
        total: Any = Law.of_weights({self.plus: 1})
        for factor, term, few in self._split(dice):
            law = term.law(few)
            total = total + (law if factor == 1 else -law if factor == -1 else factor * law)
        return total

    def addends(self, names: Sequence[str]) -> list[str]:
        return [self.text(names)]

    def text(self, names: Sequence[str]) -> str:
        parts = []
        for factor, term, few in self._split(names):
            texts = term.addends(few)
            if not texts or not all(texts):
                return ""
            sign = "-" if factor < 0 else "+"
            times = "" if abs(factor) == 1 else f"*{abs(factor)}"
            parts += [f"{sign}{text}{times}" for text in texts]
        if self.plus or not parts:
            parts.append(f"{'-' if self.plus < 0 else '+'}{abs(self.plus)}")
        return "".join(parts).removeprefix("+")


def _joins(last: Expression | None, term: Expression) -> bool:
    """Whether two neighbours with one factor are one group: plain sums, or equal counts."""
    if not isinstance(last, DiceGroup) or not isinstance(term, DiceGroup):
        return False
    return last.read == term.read and not isinstance(term.read, Keep)


@dataclass(frozen=True)
class Extreme(Expression):
    """The highest or lowest of several totals.

    Attributes:
        parts: the totals, in the order of the dice.
        highest: whether the highest counts; else the lowest.
    """

    parts: tuple[Expression, ...]
    highest: bool

    @classmethod
    def of(cls, parts: Sequence[Expression], *, highest: bool) -> Expression:
        """The highest of single dice is a kept die."""
        if len(parts) == 1:
            return parts[0]
        # a kept die has the shorter notation: 2d6kh1, not max(d6,d6)
        if all(part == DiceGroup(1) for part in parts):
            others = len(parts) - 1
            return DiceGroup(len(parts), Keep(lowest=others) if highest else Keep(highest=others))
        return cls(tuple(parts), highest)

    @property
    def size(self) -> int:
        return sum(part.size for part in self.parts)

    def _split(self, dice: Sequence[Any]) -> Iterable[tuple[Expression, list[Any]]]:
        rest = iter(dice)
        return ((part, list(islice(rest, part.size))) for part in self.parts)

    def __call__(self, faces: Sequence[Any]) -> Any:
        totals = [part(few) for part, few in self._split(faces)]
        return max(totals) if self.highest else min(totals)

    def weigh(self, rows: Sequence[Row]) -> dict[Any, Any]:
        best: Callable[[Any, Any], Any] = max if self.highest else min
        weights: dict[Any, Any] | None = None
        for part, few in self._split(rows):
            weighed = part.weigh(few)
            weights = weighed if weights is None else combined(weights, weighed, best)
        return weights or {}

    def law(self, dice: Parts) -> Any:
        laws = [part.law(few) for part, few in self._split(dice)]
        return extreme_of(laws, highest=self.highest)

    def addends(self, names: Sequence[str]) -> list[str]:
        texts = [part.text(few) for part, few in self._split(names)]
        if not all(texts):
            return []
        return [f"{'max' if self.highest else 'min'}({','.join(texts)})"]


@dataclass(frozen=True)
class Operation(Expression):
    """A product, a quotient or a comparison of two totals; a comparison is True or False.

    Attributes:
        sign: one of `OPERATIONS`.
        left: the first operand, of the first dice.
        right: the second operand, of the others.
    """

    sign: str
    left: Expression
    right: Expression

    @property
    def size(self) -> int:
        return self.left.size + self.right.size

    def __call__(self, faces: Sequence[Any]) -> Any:
        n = self.left.size
        return OPERATIONS[self.sign](self.left(faces[:n]), self.right(faces[n:]))

    def weigh(self, rows: Sequence[Row]) -> dict[Any, Any]:
        n = self.left.size
        left, right = self.left.weigh(rows[:n]), self.right.weigh(rows[n:])
        return combined(left, right, OPERATIONS[self.sign])

    def law(self, dice: Parts) -> Any:
        n = self.left.size
        left, right = self.left.law(dice[:n]), self.right.law(dice[n:])
        if self.sign in ("=", "!="):
            ties = left.ties(right)
            return Truth.of_chance(ties if self.sign == "=" else 1 - ties)
        if self.sign == "/":
            return left / right
        return OPERATIONS[self.sign](left, right)

    def addends(self, names: Sequence[str]) -> list[str]:
        n = self.left.size
        left, right = self.left.in_brackets(names[:n]), self.right.in_brackets(names[n:])
        return [f"{left}{self.sign}{right}"] if left and right else []


def constant(number: Number) -> Expression:
    """A number without dice.

    >>> constant(3)([])
    3
    """
    return Sum((), number)


def _scaled(weighed: dict[Any, Any], factor: Number) -> Row:
    values = [value if factor == 1 else factor * value for value in weighed]
    return values, list(weighed.values())


def _worth_of(die: Any, worth: Callable[[Any], int]) -> Any:
    return die.total(worth) if isinstance(die, Exploding) else die.map(worth)


def _total_of(laws: Sequence[Any]) -> Any:
    """The sum of independent totals; equal ones are a power."""
    bounded = [law for law in laws if isinstance(law, Law)]
    total: Any = Pool(tuple(Counter(bounded).items())).sum()
    for law, n in Counter(law for law in laws if not isinstance(law, Law)).items():
        total = total + n @ law
    return total


def _weigh_kept(rows: Sequence[Row], keep: Keep) -> dict[Any, Any]:
    """Die by die, remembering the dice to keep, or the sum and the dice to drop: the fewer."""
    few = len(rows) - keep.lowest - keep.highest
    if keep.lowest and keep.highest:  # the middle: only whole hands tell
        hands = folded({(): 1}, rows, hand_with)
        return summed(
            (sum(hand[keep.lowest : len(hand) - keep.highest]), w) for hand, w in hands.items()
        )
    # of 10 dice that keep 8, the 2 dropped are the shorter memory
    keeping = 2 * few <= len(rows)
    most = few if keeping else len(rows) - few
    highest_held = keeping != bool(keep.highest)
    faces = len({face for row, _ in rows for face in row})
    states = comb(faces + most, most) * (1 if keeping else len(rows) * faces)
    afford(
        f"the {few} to keep of {len(rows)} dice",
        seconds=1e-6 * min(states * sum(len(row) for row, _ in rows), MANY),
        instead="keep fewer, of dice with fewer sides",
    )

    def step(state: Any, face: Any) -> Any:
        total, hand = state
        held = list(hand)
        insort(held, face)
        if len(held) > most:
            held.pop(0 if highest_held else -1)
        return 0 if keeping else total + face, tuple(held)

    states_weights = folded({(0, ()): 1}, rows, step)
    return summed(
        (sum(hand) if keeping else total - sum(hand), w)
        for (total, hand), w in states_weights.items()
    )


def hand_with(hand: tuple[Any, ...], face: Any) -> tuple[Any, ...]:
    """The hand with one more die, in ascending order.

    >>> hand_with((1, 4), 2)
    (1, 2, 4)
    """
    held = list(hand)
    insort(held, face)
    return tuple(held)


def _kept_unbounded(dice: Parts, totals: Sequence[Any], keep: Keep) -> Any:
    few = len(dice) - keep.lowest - keep.highest
    if few == 1 and not (keep.lowest and keep.highest):
        return extreme_of(totals, highest=bool(keep.lowest))
    one = dice[0]
    alike = all(die == one for die in dice)
    # only then are exploding dice above all calm ones, which the recursion below needs
    top_only = alike and isinstance(one, Exploding) and one.again == {max(one.law)}
    if not top_only or (keep.lowest and keep.highest):
        raise NotationError(
            "kept dice that explode without end must be equal, explode on their highest face only, "
            "and be the highest or the lowest; give the explosion a depth, as in 4d6!^10dl1dh1"
        )
    return rolling.UnboundedLaw.kept(one.law, len(dice), few, lowest=bool(keep.highest))
