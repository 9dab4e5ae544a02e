"""Six ways to roll 2 to 12 as two dice do, and five of them without the 7, side by side.

All are `Rollable`, so what is measured of one is measured of all: `comparison` gives each of them
the same faults. For dice of N sides the total that is missing is N + 1.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sevenout.cost import afford
from sevenout.dice.die import Die
from sevenout.dice.faulty.effects import Sensitivity, Worst, afford_following, sensitivity, worst
from sevenout.dice.law import MANY, Law, Rollable, Source
from sevenout.dice.roll import Dice, Faces
from sevenout.dice.special.ranked import repainted, tatham
from sevenout.errors import RulesError


@dataclass(frozen=True)
class SkipFrom:
    """The reading of dice whose total is raised by one from `total` up, so that it is never rolled.

    >>> [SkipFrom(7)((4, 2)), SkipFrom(7)((4, 3))]
    [6, 8]
    """

    total: int

    def __call__(self, faces: Faces) -> int:
        """The total, or the next one."""
        plain: int = sum(faces)
        return plain + (plain >= self.total)


@dataclass(frozen=True)
class Rerolled(Rollable):
    """A roll made again as often as it shows something unwanted, as it is settled in the end.

    >>> from sevenout.dice.notation import parse_dice
    >>> Rerolled(parse_dice("2d6").totals, 7).law[6]
    Fraction(1, 6)

    Raises:
        RulesError: nothing else can be rolled.
    """

    source: Rollable
    unwanted: Hashable

    def __post_init__(self) -> None:
        if set(self.source.law) <= {self.unwanted}:
            raise RulesError(
                f"these dice roll only {self.unwanted!r}, so rerolling would never end"
            )

    @property
    def sources(self) -> tuple[Source, ...]:
        return self.source.sources

    def weigh(self, weights: Sequence[Sequence[Any]]) -> dict[Hashable, Any]:
        """The weight of each outcome that is kept."""
        weighed = self.source.weigh(weights)
        return {outcome: w for outcome, w in weighed.items() if outcome != self.unwanted}


def one_die(law: Law) -> Die:
    """One fair die with a distribution of its own: as many faces of each outcome as it has weight.

    >>> from sevenout.dice.notation import parse_dice
    >>> len(one_die(Rerolled(parse_dice("2d6").totals, 7).law).faces)
    30
    """
    return Die([x for x, weight in zip(law, law.weights, strict=True) for _ in range(weight)])


def designs(sides: int = 6) -> dict[str, Rollable]:
    """The designs by name: how they are rolled, read as totals.

    The ordinary pair and the ranked pair roll every total; the others leave out N + 1, all with the
    same distribution.

    >>> print(*designs(), sep=" | ")
    2d6 | ranked pair | re-rolled 2d6 | ranked, 7 left off | ranked on d6 and d10
    | d6 + d5, one added | relabelled d30

    Raises:
        RulesError: fewer than 3 sides.
    """
    if sides < 3:
        raise RulesError(f"designs for dice with {sides} sides; give 3 or more")
    many = min(sides, MANY) ** 2
    afford("designs for so many sides", seconds=many * 3e-5, memory=many * 800)
    out = sides + 1
    plain = Dice([Die.standard(sides)] * 2).totals
    pair, less = tatham(sides), tatham(sides, without=out)
    doubled = Dice([less.dice[0], repainted(less.dice[1], 2)], less.total, less.hard)
    if sides % 2:  # the die that lost its face is then the even one
        doubled = Dice([repainted(less.dice[0], 2), less.dice[1]], less.total, less.hard)
    shifted = Dice([Die.standard(sides), Die.standard(sides - 1)], SkipFrom(out))
    rerolled = Rerolled(plain, out)
    single = one_die(rerolled.law)
    return {
        f"2d{sides}": plain,
        "ranked pair": pair.totals,
        f"re-rolled 2d{sides}": rerolled,
        f"ranked, {out} left off": less.totals,
        f"ranked on d{sides} and d{2 * sides - 2}": doubled.totals,
        f"d{sides} + d{sides - 1}, one added": shifted.totals,
        f"relabelled d{len(single.faces)}": single,
    }


@dataclass(frozen=True)
class FaultEffect:
    """What faults do to one design.

    Attributes:
        name: the design.
        sensitivity: each result with respect to each face.
        worst: the most that one face heavier by the share can do.
        rolls: how many rolls it takes to notice the worst of it; None if no one said how to tell,
            or there is nothing to notice.
    """

    name: str
    sensitivity: Sensitivity
    worst: Worst
    rolls: int | None = None

    @property
    def fragility(self) -> Fraction:
        """The mean chi-square distance per unit of variance of random faults."""
        return self.sensitivity.fragility

    @property
    def faulty(self) -> Law:
        """The distribution of the results with the fault of the greatest chi-square distance."""
        fault = self.worst.by[1]
        column = self.sensitivity.faces.index((fault.die, fault.face))
        return self.sensitivity.after(column, fault.share)


Rolls = Callable[[Law, Law], int | None]
"""How many rolls it takes to tell a distribution from a faulty one."""


def comparison(
    rollables: dict[str, Rollable], share: Fraction, rolls: Rolls | None = None
) -> tuple[FaultEffect, ...]:
    """The same fault in every design: one face, the worst there is, heavier by a share.

    >>> found = {one.name: one for one in comparison(designs(), Fraction(1, 4))}
    >>> found["2d6"].worst.chi_square < found["ranked pair"].worst.chi_square
    True

    Args:
        rollables: the designs, by name.
        share: by how much a face is heavier.
        rolls: how many rolls it takes to tell two distributions apart: the planning of a test.
    """
    afford_following(rollables.values())
    found = []
    for name, rollable in rollables.items():
        follows = sensitivity(rollable)
        one = FaultEffect(name, follows, worst(follows, share))
        needed = rolls(follows.law, one.faulty) if rolls else None
        found.append(FaultEffect(name, follows, one.worst, needed))
    return tuple(found)
