"""Seven designs for rolling 2 to 12 like two dice, five of them without the 7.

All are `Rollable`, so `comparison` can give each the same faults. For dice of N sides the missing
total is N + 1.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, shown
from sevenout.rolling.convolution import ESTIMATE_CAP
from sevenout.rolling.die import Dice, Die
from sevenout.rolling.distribution import T_co, U
from sevenout.rolling.faults import Sensitivity, Worst, afford_sensitivities, sensitivity, worst
from sevenout.rolling.laws import Law, PlainRollable, Rollable, Source, W
from sevenout.rolling.ranked import SkipFrom, repainted, tatham
from sevenout.wrong_arguments import public


@dataclass(frozen=True, eq=False)
class Rerolled(PlainRollable[T_co]):
    """A roll that is repeated while it shows an unwanted outcome.

    >>> from sevenout.rolling.notation import parse_dice
    >>> Rerolled(parse_dice("2d6").totals, 7).law[6]
    Fraction(1, 6)

    Attributes:
        source: what is rolled.
        unwanted: the outcome that is rolled again.

    Raises:
        RulesError: every outcome is unwanted.
    """

    source: Rollable[T_co]
    unwanted: object

    @property
    def _identity(self) -> tuple[object, ...]:
        return self.source, self.unwanted

    def __post_init__(self) -> None:
        if set(self.source.law) <= {self.unwanted}:
            raise RulesError(
                f"these dice roll only {self.unwanted!r}, so rerolling would never end"
            )

    @property
    def sources(self) -> tuple[Source, ...]:
        return self.source.sources

    def weigh(self, weights: Sequence[Sequence[W]]) -> dict[T_co, W]:
        """The weight of each outcome that is kept."""
        weighed = self.source.weigh(weights)
        return {outcome: w for outcome, w in weighed.items() if outcome != self.unwanted}


@public
def one_die(law: Law[U]) -> Die[U]:
    """One fair die with a given distribution: the number of faces of an outcome is its weight.

    >>> from sevenout.rolling.notation import parse_dice
    >>> len(one_die(Rerolled(parse_dice("2d6").totals, 7).law).faces)
    30
    """
    return Die([x for x, weight in zip(law, law.weights, strict=True) for _ in range(weight)])


@public
def designs(sides: int = 6) -> dict[str, Rollable]:
    """The designs by name, read as totals.

    The ordinary pair and the ranked pair roll every total; the others leave out N + 1 and have
    equal distributions.

    >>> print(*designs(), sep=" | ")
    2d6 | ranked pair | re-rolled 2d6 | ranked, 7 left off | ranked on d6 and d10
    | d6 + d5, one added | relabelled d30

    Raises:
        RulesError: fewer than 3 sides.
    """
    if sides < 3:
        raise RulesError(f"designs for dice with {sides} sides; give 3 or more")
    rolls = min(sides, ESTIMATE_CAP) ** 2
    afford(f"designs for dice with {shown(sides)} sides", seconds=rolls * 3e-5, memory=rolls * 800)
    left_off = sides + 1
    plain = Dice([Die.standard(sides)] * 2).totals
    pair, without_total = tatham(sides), tatham(sides, without=left_off)
    even, odd = without_total.dice
    # the die that lost its face is painted twice
    if sides % 2:
        even = repainted(even, 2)
    else:
        odd = repainted(odd, 2)
    doubled = Dice([even, odd], without_total.total, without_total.hard)
    shifted = Dice([Die.standard(sides), Die.standard(sides - 1)], SkipFrom(left_off))
    rerolled = Rerolled(plain, left_off)
    single = one_die(rerolled.law)
    return {
        f"2d{sides}": plain,
        "ranked pair": pair.totals,
        f"re-rolled 2d{sides}": rerolled,
        f"ranked, {left_off} left off": without_total.totals,
        f"ranked on d{sides} and d{2 * sides - 2}": doubled.totals,
        f"d{sides} + d{sides - 1}, one added": shifted.totals,
        f"relabelled d{len(single.faces)}": single,
    }


@dataclass(frozen=True)
class FaultEffect:
    """The effect of faults on one design.

    Attributes:
        name: the design.
        sensitivity: of each result to each face.
        worst: the greatest change by one face that is heavier by the share.
        rolls: rolls needed to detect the worst fault; None if not asked for or if there is no
            effect.
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
        """The distribution with the fault of the greatest chi-square distance."""
        fault = self.worst.faults[1]
        column = self.sensitivity.faces.index((fault.die, fault.face))
        return self.sensitivity.faulty_law(column, fault.share)


RollsNeeded = Callable[[Law, Law], int | None]
"""The number of rolls needed to tell a distribution from a faulty one."""


@public
def comparison(
    rollables: dict[str, Rollable], share: Fraction, rolls: RollsNeeded | None = None
) -> tuple[FaultEffect, ...]:
    """The effect of one fault on each design: the worst face, heavier by the share.

    >>> effects = {effect.name: effect for effect in comparison(designs(), Fraction(1, 4))}
    >>> effects["2d6"].worst.chi_square < effects["ranked pair"].worst.chi_square
    True

    Args:
        rollables: the designs, by name.
        share: the fault's share.
        rolls: the number of rolls needed to tell two distributions apart.
    """
    afford_sensitivities(rollables.values())
    effects = []
    for name, rollable in rollables.items():
        sensitivities = sensitivity(rollable)
        effect = FaultEffect(name, sensitivities, worst(sensitivities, share))
        needed = rolls(sensitivities.law, effect.faulty) if rolls else None
        effects.append(replace(effect, rolls=needed))
    return tuple(effects)
