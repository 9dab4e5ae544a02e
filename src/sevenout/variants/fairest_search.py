"""The fairest variants, with proof and without enumeration.

For a target, the search goes through the bundles of cells, by one of two exact methods. *Residues*
are sums modulo one: their whole parts are nearly free, since naturals of any weight can be found.
Where they are not free (bounded sizes, heavy weights, no free naturals) all *sums* are listed, see
`half_sums`. `lists_sums` chooses.

Among residues, bisection finds for each sum of one half its partners in the other that give a sum
in a window beside the target (Horowitz and Sahni 1974). The pairs of a window are completed with
naturals in order of distance. The first that can be completed is the best of its bundle, since all
nearer ones have been ruled out. While there is none, the window moves away and doubles, until it is
farther than the best known.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import islice
from math import ceil, prod
from typing import Any, Literal, NamedTuple

from sevenout.budgets.estimates import afford
from sevenout.documents import Column, Fact, Facts, HasPage, Page, Table, Text
from sevenout.documents.kinds import COUNT, FRACTION, LABEL, SCIENTIFIC
from sevenout.documents.numbers import percent, quantity
from sevenout.errors import RulesError, printable, shown
from sevenout.extras import is_installed
from sevenout.variants.bundles import Bundle, CellGroup, Direction, bundles_of, nearest_integer
from sevenout.variants.family import Family, TooManyVariantsError, family_of
from sevenout.variants.half_sums import (
    SumHalves,
    expected_choices,
    expected_sums,
    lists_sums,
)
from sevenout.variants.interval_counts import between, count, parse_probability
from sevenout.variants.residues import Halves, halve
from sevenout.variants.variant import DiceLike, Variant

Side = Literal["below", "above", "nearest"]
Method = Literal["residues", "sums"]

AROUND_SEARCHES = 6
"""The searches of `around` in the budget: three, and three more to count their variants."""

FEW_PAIRS = 64
"""The pairs of half-sums that are expected in the first window beside a target."""

MAX_EXPECTED_SUMS = 2_000_000
"""The most half-sums, as estimated, that are listed where residues fail."""

MAX_PAIRS = 200_000
"""The most pairs of half-sums tried near a target; more show that naturals are too rare there."""

SECONDS_PER_CHOICE = 3e-5
CHOICES_PER_CHECK = 4_096
"""The choices tried between two checks of the budget."""

SECONDS_PER_KEY, SECONDS_PER_SUM = 4e-8, 2e-7
"""Per half-sum, modulo one and with its whole part."""

SLOWDOWN_WITHOUT_NUMPY = 25

DENSE_SHARE = 0.4
"""The share of weights made by naturals at which nearly every choice can be completed."""

CANONICAL_WORK = 12
"""The work of the canonical labelling, relative to the whole family."""


class NoVariantError(RulesError):
    """No variant of a family has the requested win probability."""


@dataclass(frozen=True)
class Fairest(HasPage):
    """The variants nearest to a target, with proof.

    Attributes:
        family: the family that was searched.
        target: the win probability aimed at.
        side: the side of the target that was searched.
        p_win: the win probability nearest to the target.
        examined: the number of pairs of half-sums near the target that were completed or ruled out
            one by one.
        bundles: the number of bundles searched.
        method: "residues" if sums were searched modulo one, "sums" if all were listed.
    """

    family: Family
    target: Fraction
    side: Side
    p_win: Fraction
    examined: int = field(compare=False)
    bundles: int = field(compare=False)
    method: Method = field(compare=False)

    @property
    def distance(self) -> Fraction:
        """The distance of the best from the target."""
        return abs(self.target - self.p_win)

    @cached_property
    def multiplicity(self) -> int:
        """The number of best variants.

        Raises:
            TooManyVariantsError: too many to count in memory.
        """
        return count(self.family, self.p_win, self.p_win)

    def __iter__(self) -> Iterator[Variant]:
        """The variants, one at a time."""
        return between(self.family, self.p_win, self.p_win)

    def first(self, n: int) -> list[Variant]:
        """The first n variants, or all if there are fewer.

        >>> [str(v) for v in fairest(Family("2d6")).first(1)]
        ['2,5,10,12/8,9/5']
        """
        return list(islice(self, n))

    @property
    def proof(self) -> str:
        """The proof in words."""
        claim = {
            "below": f"No win probability strictly below {self.target} is above {self.p_win}",
            "above": f"No win probability strictly above {self.target} is below {self.p_win}",
            "nearest": f"No win probability is nearer to {self.target} than {self.p_win}",
        }[self.side]
        # the method's steps, so that a reader can repeat it
        steps = {
            "residues": (
                "In each, the sums of the points' contributions were paired, those nearest to the "
                f"target first (modulo 1/{self.family.denominator}). Of the pairs up to the best "
                f"({self.examined:,}), each was completed with naturals or shown to have none. "
                "Every other pair is at least as far, whatever its naturals."
            ),
            "sums": (
                "In each, all sums were listed in two halves. For each sum of one half, the "
                "nearest of the other was found."
            ),
        }[self.method]
        bundles = quantity(self.bundles, "bundle")
        return f"{claim}. The search covers {bundles} of like variants. {steps}"

    @property
    def multiplicity_or_none(self) -> int | None:
        """The multiplicity; None if it can't be counted."""
        try:
            return self.multiplicity
        except TooManyVariantsError:
            return None

    def page(self) -> Page:
        """The result, with proof."""
        return Page(
            f"fairest of {self.family}",
            Facts(
                Fact("win probability", self.p_win, FRACTION),
                Fact("in percent", percent(self.p_win, 6, distinct_from=self.target), LABEL),
                Fact(f"distance from {self.target}", self.distance, SCIENTIFIC),
                Fact("attained by", self.multiplicity_or_none or "too many to count", COUNT),
                Fact("of variants", self.family.size, COUNT),
                Fact("for example", str(self.first(1)[0]), LABEL),
            ),
            Text(self.proof, tone="note"),
        )

    def to_dict(self) -> dict[str, Any]:
        """The result as data; null for a multiplicity that can't be counted."""
        return {
            "family": str(self.family),
            "size": self.family.size,
            "target": str(self.target),
            "side": self.side,
            "p_win": str(self.p_win),
            "percent": percent(self.p_win, 6, distinct_from=self.target),
            "distance": float(self.distance),
            "multiplicity": self.multiplicity_or_none,
            "variants": [str(variant) for variant in self.first(12)],
            "proof": self.proof,
        }


def fairest(
    family: Family | DiceLike, target: Fraction | str = Fraction(1, 2), side: Side = "below"
) -> Fairest:
    """The variants nearest to a target; `around` searches both sides.

    >>> best = fairest(Family("2d6"))
    >>> best.p_win, best.multiplicity
    (Fraction(5669, 11340), 80)
    >>> fairest(Family("2d6", labelling="canonical")).p_win
    Fraction(5039, 10080)

    Args:
        family: the family, or dice for all their variants.
        target: an exact win probability; a house edge e at even money is the target (1 - e)/2.
        side: "below" or "above" for strictly on one side, "nearest" for either or equal.

    Raises:
        NoVariantError: there is none on that side.
        RulesError: a float, a target outside 0 to 1, or an unknown side.
        TooManyVariantsError: the family is too large.
        TooMuchWorkError: it would exceed the budget.
    """
    family, target = family_of(family), parse_probability("target", target)
    if side not in ("below", "above", "nearest"):
        raise RulesError(f"side={shown(side)}; give 'below', 'above' or 'nearest'")
    must_be_affordable(family)
    goals: tuple[tuple[Direction, bool], ...] = {
        "below": ((-1, True),),
        "above": ((1, True),),
        "nearest": ((-1, False), (1, True)),
    }[side]  # type: ignore[assignment]
    bundles = bundles_of(family)
    best: Fraction | None = None
    examined = 0
    methods: set[Method] = set()
    for direction, strict in goals:
        search = DistanceSearch(target * family.denominator, direction, strict)
        distance, method = _least_distance(bundles, search)
        examined += search.examined
        methods.add(method)
        if distance is not None and (best is None or distance < abs(best - target)):
            best = target + direction * distance
        # equality is only sought from below, and nothing is nearer
        if best == target:
            break
    if best is None:
        region = "in it" if side == "nearest" else f"{side} {printable(str(target), 60)}"
        raise NoVariantError(f"{family}: no variant has a win probability {region}")
    method = "sums" if "sums" in methods else "residues"
    return Fairest(family, target, side, best, examined, len(bundles), method)


@dataclass(frozen=True)
class NearestVariants(HasPage):
    """The variants nearest to a target, on each side of it and at it.

    >>> nearest = around("2d6")
    >>> nearest.target, nearest.at.multiplicity, nearest.at.p_win
    (Fraction(1, 2), 1521, Fraction(1, 2))

    Attributes:
        family: the family that was searched.
        target: the win probability aimed at.
        below: the nearest strictly below; None if there is none.
        at: those at the target; None if there is none.
        above: the nearest strictly above; None if there is none.
    """

    family: Family
    target: Fraction
    below: Fairest | None
    at: Fairest | None
    above: Fairest | None

    @property
    def by_side(self) -> dict[str, Fairest | None]:
        """The three, by name."""
        return {
            "nearest below": self.below,
            f"exactly {self.target}": self.at,
            "nearest above": self.above,
        }

    @property
    def nearest(self) -> Fairest:
        """Those at the target, or else the nearest to it; below in a tie."""
        sides = [side for side in (self.at, self.below, self.above) if side is not None]
        return min(sides, key=lambda side: side.distance)

    def page(self) -> Page:
        """The nearest on each side, with one example and the proof."""
        columns = [f"fairest of {self.family}", Column("p win", FRACTION), Column("percent", LABEL)]
        columns += [Column("distance", SCIENTIFIC), Column("variants", COUNT)]
        rows: list[list[object]] = []
        for side, best in self.by_side.items():
            if best is None:
                rows.append([side, *[None] * 4, "none"])
                continue
            in_percent = percent(best.p_win, 6, distinct_from=self.target)
            number = best.multiplicity_or_none or "too many to count"
            example = str(best.first(1)[0])
            rows.append([side, best.p_win, in_percent, best.distance, number, example])
        proofs = [best.proof for best in (self.below, self.above) if best is not None]
        notes = [Text(proof, tone="note") for proof in proofs]
        note = Text(f"of {self.family.size:,} variants", tone="note")
        return Page("", Table([*columns, "for example"], rows), note, *notes)

    def to_dict(self) -> dict[str, Any]:
        """The three as data; null for none."""
        sides = {"below": self.below, "at": self.at, "above": self.above}
        return {
            "family": str(self.family),
            "size": self.family.size,
            "target": str(self.target),
            **{side: best and best.to_dict() for side, best in sides.items()},
        }


def around(family: Family | DiceLike, target: Fraction | str = Fraction(1, 2)) -> NearestVariants:
    """The variants nearest to a target below, at and above it.

    >>> [(str(best.p_win), best.multiplicity) for best in around("2d6").by_side.values()]
    [('5669/11340', 80), ('1/2', 1521), ('4537/9072', 4)]

    Args:
        family: the family, or dice for all their variants.
        target: an exact win probability; a house edge e at even money is the target (1 - e)/2.

    Raises:
        RulesError: a float, a target outside 0 to 1, or a family without variants.
        TooManyVariantsError: the family is too large.
        TooMuchWorkError: it would exceed the budget.
    """
    family, target = family_of(family), parse_probability("target", target)
    if not family.size:
        raise RulesError(f"{family} has no variants; loosen its constraints")
    must_be_affordable(family, AROUND_SEARCHES)
    # the nearest is one of the three already, and only the other sides are searched
    at = fairest(family, target, "nearest")
    below = replace(at, side="below") if at.p_win < target else _on_side(family, target, "below")
    above = replace(at, side="above") if at.p_win > target else _on_side(family, target, "above")
    return NearestVariants(family, target, below, None if at.distance else at, above)


def _on_side(family: Family, target: Fraction, side: Side) -> Fairest | None:
    """The fairest on one side; None if there is none."""
    try:
        return fairest(family, target, side)
    except NoVariantError:
        return None


class StartingSum(NamedTuple):
    """The nearest sum to a target that a cell group may have on one side of it.

    Attributes:
        units: the sum, in units of 1/modulus above the group's base.
        distance: its distance from the target, in units of 1/D.
    """

    units: int
    distance: Fraction


@dataclass
class DistanceSearch:
    """A search for the smallest distance on one side of a target.

    Bundles are searched one after another; the best distance so far bounds the later ones.
    Distances are in units of 1/D, D the sum of the weights.

    Attributes:
        target: the win probability, times D.
        direction: -1 for sums below the target, 1 for sums above.
        strict: whether equality is excluded.
        distance: the smallest distance found; None at first.
        examined: the number of pairs of half-sums completed or ruled out one by one.
        tried: the number of their choices.
    """

    target: Fraction
    direction: Direction
    strict: bool = True
    distance: Fraction | None = None
    examined: int = field(default=0)
    tried: int = field(default=0)

    def search(self, bundle: Bundle) -> None:
        """Search a bundle for smaller distances, below one unit, among residues."""
        halves = halve(bundle)
        for cells, start in self.starting_sums(bundle):
            self._search_windows(halves, cells, start)

    def starting_sums(self, bundle: Bundle) -> Iterator[tuple[CellGroup, StartingSum]]:
        """The cell groups of a bundle that reach this side of the target, and where they start."""
        for cells in bundle.cell_groups:
            target = (self.target - cells.base) * bundle.modulus
            units = nearest_integer(target, self.direction, self.strict)
            if not bundle.is_out_of_reach(units, self.direction):
                yield cells, StartingSum(units, abs(target - units) / bundle.modulus)

    def _search_windows(self, halves: Halves, cells: CellGroup, start: StartingSum) -> None:
        """Look through windows beside the target, each three times as wide as all before it."""
        # the number of sums already looked at, and of those that the first window adds
        begin, width = 0, halves.window_width(FEW_PAIRS)
        while begin < (end := min(begin + width, self._count_nearer_sums(halves.bundle, start))):
            ends = (start.units + self.direction * n for n in (begin, end - 1))
            pairs = halves.pairs(*sorted(ends))
            self._complete_pairs(halves, cells, start, pairs)
            begin, width = end, 3 * end

    def _count_nearer_sums(self, bundle: Bundle, start: StartingSum) -> int:
        """The number of sums beside the target that would be nearer than the best so far."""
        if self.distance is None:
            return bundle.modulus
        return min(bundle.modulus, ceil((self.distance - start.distance) * bundle.modulus))

    def _complete_pairs(
        self,
        halves: Halves,
        cells: CellGroup,
        start: StartingSum,
        pairs: Iterable[tuple[int, int]],
    ) -> None:
        """Record the smallest distance among some pairs of keys, looking at the nearest first.

        Raises:
            TooManyVariantsError: too many pairs can't be completed.
        """
        bundle, scale, direction = halves.bundle, halves.scale, self.direction
        # two rounded keys, and the rounding of the centre, which is moved so that no gap is below 0
        slack = halves.slack + 1 if halves.slack else 0
        centre = start.units % bundle.modulus * scale // bundle.modulus - direction * slack
        by_gap = sorted((direction * (a + b - centre) % scale, a, b) for a, b in pairs)
        for gap, key, partner in by_gap:
            # all pairs to come are at least as far
            if self.distance is not None and (
                gap > (self.distance - start.distance) * scale + 2 * slack
            ):
                return
            self.examined += 1
            if self.examined > MAX_PAIRS:
                raise TooManyVariantsError(
                    f"{bundle.family}: more than {MAX_PAIRS:,} pairs near the target can't be "
                    "completed; constrain the family"
                )
            for moved in halves.moves([(key, partner)]):
                self._count_choice(bundle)
                total = bundle.moved_sum(moved)
                units = (direction * (total - start.units)) % bundle.modulus
                distance = start.distance + Fraction(units, bundle.modulus)
                # rounded keys bring pairs that are farther than their gap says
                if self.distance is not None and distance >= self.distance:
                    continue
                naturals = (start.units + direction * units - total) // bundle.modulus
                if bundle.count_assignments(cells, moved, naturals):
                    self.distance = distance
                    # with exact keys all further pairs, and choices of this one, are no nearer
                    if not slack:
                        return

    def _count_choice(self, bundle: Bundle) -> None:
        """Count a choice that is tried.

        Raises:
            TooMuchWorkError: all choices together exceed the budget.
        """
        self.tried += 1
        if self.tried % CHOICES_PER_CHECK == 0:
            afford(
                f"the search of {bundle.family}, where few sums near the target can be had,",
                seconds=SECONDS_PER_CHOICE * self.tried,
                instead="constrain the family",
            )


def _least_distance(
    bundles: list[Bundle], search: DistanceSearch
) -> tuple[Fraction | None, Method]:
    """The smallest distance of a win probability from the target, and the method that found it."""
    if not bundles:
        return None, "residues"
    family = bundles[0].family
    if not lists_sums(bundles):
        try:
            for bundle in bundles:
                search.search(bundle)
            # beyond one unit residues prove nothing: a nearer pair may need a different whole part
            if search.distance is not None and search.distance <= 1:
                return search.distance / family.denominator, "residues"
        except TooManyVariantsError:
            # where residues fail, sums can still be listed if there are not too many
            if max(map(expected_sums, bundles)) > MAX_EXPECTED_SUMS:
                raise
    distance = _least_distance_by_sums(bundles, search)
    return None if distance is None else distance / family.denominator, "sums"


def _least_distance_by_sums(bundles: list[Bundle], search: DistanceSearch) -> Fraction | None:
    """The smallest distance among all sums, in units of 1/D; None if no bundle has one.

    Raises:
        TooManyVariantsError: too many sums to list.
    """
    distances: list[Fraction] = []
    for bundle in bundles:
        sums = SumHalves(bundle)
        for cells, start in search.starting_sums(bundle):
            # bounded sizes have too few sums to be refused by this estimate
            if not bundle.family.has_size_bounds and expected_sums(bundle) > MAX_EXPECTED_SUMS:
                raise TooManyVariantsError(
                    f"{bundle.family} makes too many half-sums to be listed; constrain the family"
                )
            nearest = sums.nearest(cells, start.units, search.direction)
            if nearest is not None:
                beyond_start = Fraction(abs(nearest - start.units), bundle.modulus)
                distances.append(start.distance + beyond_start)
    return min(distances, default=None)


def must_be_affordable(family: Family, times: int = 1) -> None:
    """Refuse slow searches early; the family is searched `times` times.

    Raises:
        TooManyVariantsError, TooMuchWorkError: as `fairest`.
    """
    family.must_be_affordable()
    if family.labelling == "canonical":
        # this labelling has hundreds of bundles; those of the whole family are few, and as large
        times, family = times * CANONICAL_WORK, family.with_attributes(labelling="all")
    for seconds in _cumulative_seconds(bundles_of(family)):
        afford(f"the search of {family}", seconds=times * seconds, instead="constrain the family")


def _cumulative_seconds(bundles: list[Bundle]) -> Iterator[float]:
    """The cumulative seconds of a search, bundle by bundle."""
    total, by_sums = 0.0, lists_sums(bundles)
    for bundle in bundles:
        seconds = _seconds_by_sums(bundle) if by_sums else _seconds_by_residues(bundle)
        # once for the half-sums, and once more for each cell group
        total += seconds * (1 + len(bundle.cell_groups))
        yield total


def _seconds_by_sums(bundle: Bundle) -> float:
    """The estimated time to list the half-sums of a bundle."""
    return SECONDS_PER_SUM * expected_choices(bundle)


def _seconds_by_residues(bundle: Bundle) -> float:
    """The estimated time to search a bundle by residues, or by sums where they are too many."""
    try:
        halves = halve(bundle)
    except TooManyVariantsError:
        # the search turns to sums here too
        if expected_sums(bundle) > MAX_EXPECTED_SUMS:
            raise
        return _seconds_by_sums(bundle)
    seconds_per_key = SECONDS_PER_KEY * (1 if is_installed("numpy") else SLOWDOWN_WITHOUT_NUMPY)
    return seconds_per_key * halves.size + SECONDS_PER_CHOICE * expected_tries(halves)


def expected_tries(halves: Halves) -> float:
    """The expected number of choices before free naturals complete one.

    If naturals make most weights, the first choice suffices. If they make few, a key's choices are
    tried in order until a whole part fits, or there is none.
    """
    bundle, half = halves.bundle, halves.cluster_half
    # bit k: naturals of weight k exist
    weights = 1
    for group in bundle.groups:
        for _ in range(group.count if group.free_weight else 0):
            weights |= weights << group.free_weight
    lowest, highest = bundle.sum_range
    share = weights.bit_count() * bundle.modulus / max(highest - lowest, 1)
    if share > DENSE_SHARE:
        return 1
    choices_per_key = prod(bundle.groups[i].n_choices for i in half.cluster) / half.period
    return min(max(choices_per_key, 1 / share), bundle.family.size)
