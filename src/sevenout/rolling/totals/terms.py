"""Totals of dice in independent terms: `4d6kh3`, `2d6+3`, `8d10>=8`, `d20-d4`.

A term takes the next few dice: the sum of all their faces, of the highest or lowest, or the number
of successes.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import islice
from operator import ge, gt, le, lt
from typing import Any

from sevenout.rolling.law import Law, Reading
from sevenout.rolling.totals.pools import KeepFaces, Kept
from sevenout.rolling.totals.sums import Sums, summed

COMPARED = {">=": ge, "<=": le, ">": gt, "<": lt}


@dataclass(frozen=True)
class Successes:
    """The number of faces that pass a comparison.

    >>> Successes(">=", 8).of([10, 8, 7, 1])
    2

    Attributes:
        sign: one of >=, <=, > and <.
        number: the right-hand side.
    """

    sign: str
    number: int | Fraction

    def of(self, faces: Sequence[Any]) -> int:
        """The number of successes."""
        return sum(map(self.one, faces))

    def one(self, face: Any) -> int:
        """1 for a success, else 0."""
        return int(COMPARED[self.sign](face, self.number))

    def __str__(self) -> str:
        return f"{self.sign}{self.number}"


@dataclass(frozen=True)
class Term:
    """A few dice of a roll, and what they add to the total.

    Attributes:
        dice: the number of dice.
        read: which faces are kept or succeed; None for the sum.
        times: the factor; -1 to subtract.
    """

    dice: int
    read: KeepFaces | Successes | None = None
    times: int | Fraction = 1


@dataclass(frozen=True)
class Terms:
    """A total that is a sum of terms and a number.

    >>> Terms((Term(3, KeepFaces(2)), Term(1, times=-1)), plus=10)((1, 6, 4, 2))
    18

    Attributes:
        terms: the terms, in the order of the dice.
        plus: the number added.
    """

    terms: tuple[Term, ...]
    plus: int | Fraction = 0

    def __call__(self, faces: Sequence[Any]) -> Any:
        """The total of a roll."""
        total: Any = self.plus
        for term, few in self.split(faces):
            total += term.times * (sum(few) if term.read is None else term.read.of(few))
        return total

    def split(self, dice: Sequence[Any]) -> Iterator[tuple[Term, tuple[Any, ...]]]:
        """Each term with its dice, or with the texts of them."""
        rest = iter(dice)
        return ((term, tuple(islice(rest, term.dice))) for term in self.terms)

    @classmethod
    def fewest(cls, terms: Iterable[Term], plus: Fraction | int = 0) -> "Terms | None":
        """The same total in the fewest terms; None if it is the sum of all faces.

        >>> Terms.fewest([Term(1), Term(2)]), Terms.fewest([Term(1), Term(2)], plus=1)
        (None, Terms(terms=(Term(dice=3, read=None, times=1),), plus=1))
        """
        found: list[Term] = []
        for term in terms:
            last = found[-1] if found else None
            alike = last and (last.read, last.times) == (term.read, term.times)
            if last and alike and not isinstance(term.read, KeepFaces):
                found[-1] = Term(last.dice + term.dice, term.read, term.times)
            else:
                found.append(term)
        if not plus and all(term.read is None and term.times == 1 for term in found):
            return None
        return cls(tuple(found), int(plus) if plus == int(plus) else plus)

    def fits(self, dice: Sequence[Any]) -> bool:
        """Whether the terms take all the dice."""
        return sum(term.dice for term in self.terms) == len(dice)


@dataclass(frozen=True)
class Totals(Reading):
    """The total of dice that are read in terms."""

    @cached_property
    def _terms(self) -> tuple[tuple[Term, Reading], ...]:
        """Each term, with its reading of its dice."""
        from sevenout.rolling.roll import Dice, total_of

        source: Any = self.source
        found: list[tuple[Term, Reading]] = []
        for term, dice in source.total.split(source.dice):
            if isinstance(term.read, KeepFaces):
                found.append((term, Kept(Dice(dice), term.read)))
            else:
                read = term.read
                painted = dice if read is None else [die.relabel(read.one) for die in dice]
                found.append((term, Sums(Dice(painted), total_of)))
        return tuple(found)

    @property
    def work(self) -> float:
        """The sum of the terms' work."""
        return sum(reading.work for _, reading in self._terms)

    @cached_property
    def law(self) -> Law:
        """The exact distribution: a convolution of the terms' distributions."""
        laws = (reading.law for _, reading in self._terms)
        return Law(self._added([dict(zip(law, law.weights, strict=True)) for law in laws]))

    def weigh(self, weights: Sequence[Sequence[Any]]) -> dict[Hashable, Any]:
        rest = iter(weights)
        return self._added(
            [reading.weigh(list(islice(rest, term.dice))) for term, reading in self._terms]
        )

    def _added(self, weighed: list[dict[Any, Any]]) -> dict[Hashable, Any]:
        rows = [
            ([term.times * value for value in row], list(row.values()))
            for (term, _), row in zip(self._terms, weighed, strict=True)
        ]
        source: Any = self.source
        faces, values = rows[0]
        rows[0] = [face + source.total.plus for face in faces], values
        return summed(rows)
