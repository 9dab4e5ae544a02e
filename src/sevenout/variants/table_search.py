"""Search for tables: every structure is solved, then its pays searched and ranked.

A *structure* is a choice of the open numbers that are not pays (limits, totals, stakes). Bets that
share no open number and no order between their numbers are searched separately, since their tables
combine freely. A bound on an edge or a hit frequency bounds a sum of functions of one number each.
So does a bound on the mean square, which follows from those on volatility and edge; the volatility
itself is checked last.

Tables are ranked by floats, and ties within their error by integers (`Ranking`). Where no table is
within the bounds, `why_none` says what can be reached.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import lcm, prod
from typing import Any, Literal

from sevenout.budgets.estimates import afford
from sevenout.documents.numbers import decimal, percent
from sevenout.errors import RulesError, SevenoutError, TooMuchWorkError
from sevenout.rules.gamefiles.gamekeys import PROGRESSIVE
from sevenout.rules.gamefiles.open_parameters import Opened
from sevenout.variants.bet_figures import (
    BetForm,
    Between,
    FigureBounds,
    Margin,
    forms_of,
    optimal_policies,
)
from sevenout.variants.bounded_search import (
    Block,
    BoundedSearch,
    Roughness,
    WeightedSum,
    closed,
    ways,
)

Wish = Literal["plain", "edge", "calm", "top"]
WISHES: tuple[Wish, ...] = ("plain", "edge", "calm", "top")
CLOSE = 1e-9
"""The relative difference that floats can't resolve."""

Key = tuple[Fraction, Fraction, int]
"""Score, distance from the target edges, and cost; less is better."""

SOLVE, CHOICE, LONG_CHOICE = 0.02, 2.5e-7, 1.5e-5
"""Seconds to solve a structure, and per choice, in 64 bits and more."""

FEW_TABLES = 200_000
"""With fewer tables the cost of the search is not estimated."""

Values = dict[str, Fraction]
Item = tuple[Key, Values]
"""A table: its rank and its open numbers."""


Range = tuple[float, float]
NO_CHOICE = "no choice of the open numbers keeps their order"


@dataclass(frozen=True)
class Structure:
    """Solved values of the numbers that are not pays, for one policy.

    Attributes:
        opened: the game.
        values: the values left to each open number; one for those fixed.
        forms: its bets.
        roughness: the cost of its tables.
        margins: where the policy is optimal.
    """

    opened: Opened
    values: Mapping[str, tuple[Fraction, ...]]
    forms: Mapping[str, BetForm]
    roughness: Roughness
    margins: tuple[Margin, ...] = ()

    @cached_property
    def components(self) -> tuple[tuple[tuple[str, ...], tuple[BetForm, ...]], ...]:
        """Open numbers that are connected, and the bets that they pay."""
        ties = [set(form.chances) for form in self.forms.values()]
        ties += [set(pair[:2]) for pair in self.opened.order]
        if self.margins:
            ties.append(set(self.opened.pays))
        # each tie joins the groups that it touches
        groups: list[set[str]] = []
        for tie in [*ties, *({name} for name in self.values)]:
            joined = [group for group in groups if group & tie]
            groups = [g for g in groups if not g & tie] + [tie.union(*joined)]
        parts = []
        for group in groups:
            names = tuple(name for name in self.values if name in group)
            forms = tuple(f for f in self.forms.values() if f.chances and set(f.chances) <= group)
            parts.append((names, forms))
        return tuple(part for part in parts if part[0])

    @cached_property
    def size(self) -> tuple[int, bool]:
        """The number of its tables, and whether it is exact."""
        return ways(self.values, self.opened.order)

    def fits_fixed(self, bounds: Mapping[str, FigureBounds]) -> bool:
        """Whether the bets without open pays keep their bounds."""
        for name, form in self.forms.items():
            if not form.chances:
                edge, hit, variance = form.figures({})
                own = bounds[name]
                if not (own.edge.holds(edge) and own.hit.holds(hit)):
                    return False
                if not _squared(own.volatility).holds(variance):
                    return False
        return True

    def walk(
        self, names: Sequence[str], forms: Sequence[BetForm], bounds: Mapping[str, FigureBounds]
    ) -> BoundedSearch:
        """The search of one component; its sums are the means, then other bounds."""
        sums = [self._mean(form, names, bounds[form.bet].edge) for form in forms]
        for form in forms:
            own = bounds[form.bet]
            if not own.hit.is_open:
                sums.append(self._hit(form, names, own.hit))
            if not own.volatility.is_open:
                sums.append(self._square(form, names, own))
        values = {name: self.values[name] for name in names}
        # the policy is optimal only where each of its margins holds
        sums += [m.sum(values) for m in self.margins if m.gain.by.keys() & values.keys()]
        return BoundedSearch(values, self.opened.order, sums, self.roughness)

    def _sum(
        self, form: BetForm, names: Sequence[str], function: Any, ends: Any, *, rises: bool = True
    ) -> WeightedSum:
        """Σ p(i) f(x(i)) over the open pays, within these ends."""
        value = {
            n: [form.chances.get(n, Fraction()) * function(x / form.stake) for x in self.values[n]]
            for n in names
        }
        least, most = ends
        return WeightedSum(value, least, most, rises)

    def _mean(self, form: BetForm, names: Sequence[str], edge: Between) -> WeightedSum:
        low = None if edge.high is None else -edge.high - form.mean - form.added
        high = None if edge.low is None else -edge.low - form.mean - form.added
        return self._sum(form, names, Fraction, (low, high))

    def _hit(self, form: BetForm, names: Sequence[str], hit: Between) -> WeightedSum:
        ends = [None if end is None else end - form.hit for end in hit[:2]]
        return self._sum(form, names, lambda x: Fraction(x > 0), ends)

    def mean_ends(self, form: BetForm) -> list[Fraction]:
        """The least and greatest mean profit of a bet, ignoring the order."""
        return [
            sum((p * end(self.values[n]) / form.stake for n, p in form.chances.items()), form.mean)
            for end in (min, max)
        ]

    def _square(self, form: BetForm, names: Sequence[str], own: FigureBounds) -> WeightedSum:
        """A bound on the mean square: the variance plus the squared mean."""
        far = max(map(abs, self.mean_ends(form)))
        # the mean is within the edge's bounds, and its square no larger than theirs
        if own.edge.low is not None and own.edge.high is not None:
            ends = own.edge.low + form.added, own.edge.high + form.added
            far = min(far, max(map(abs, ends)))
        low, high = _squared(own.volatility)[:2]
        low = None if low is None else low - form.square
        high = None if high is None else high + far * far - form.square
        return self._sum(form, names, lambda x: x * x, (low, high), rises=False)


def _squared(volatility: Between) -> Between:
    """The bounds of the variance; a negative upper bound stays one that nothing meets."""
    low, high = volatility[:2]
    return Between(
        None if low is None else max(low, Fraction()) ** 2,
        None if high is None else high * abs(high),
    )


def structures(opened: Opened) -> tuple[list[Structure], int]:
    """Every valid structure and optimal policy, and the number of invalid structures.

    Raises:
        SevenoutError: none is valid; the message is that of the first.
        TooMuchWorkError: too many to solve.
    """
    choices = [opened.numbers[name] for name in opened.structure]
    count = prod(map(len, choices))
    afford(
        f"{count:,} structures, each solved,",
        seconds=count * SOLVE,
        instead="leave fewer limits, totals or stakes open",
    )
    order = [p for p in opened.order if {p.more, p.less} <= {*opened.structure}]
    # an order that contradicts itself is refused before anything is solved
    closed(opened.order, [*opened.numbers])
    solved: list[Structure] = []
    refused, first = 0, None
    for chosen in product(*choices):
        settled = dict(zip(opened.structure, chosen, strict=True))
        if any(
            settled[p.more] < settled[p.less] or (p.strictly and settled[p.more] == settled[p.less])
            for p in order
        ):
            continue
        try:
            policies = _solved(opened, settled)
        except TooMuchWorkError:
            raise
        except SevenoutError as error:
            # some choices of totals are no game; if none is, the first error says why
            refused, first = refused + 1, first or error
            continue
        values = {n: (settled[n],) if n in settled else opened.numbers[n] for n in opened.numbers}
        for forms, margins in policies:
            roughness = Roughness.of(opened, {bet: form.chances for bet, form in forms.items()})
            solved.append(Structure(opened, values, forms, roughness, margins))
    if not solved:
        raise first or RulesError("no limits, totals or stakes keep the order; leave a pair out")
    return solved, refused


def _solved(
    opened: Opened, settled: Mapping[str, Fraction]
) -> list[tuple[Mapping[str, BetForm], tuple[Margin, ...]]]:
    # with a meter the values of options are not linear in the pays
    if opened.asks and PROGRESSIVE in opened.data:
        raise RulesError(
            "a progressive award on a bet with surrender makes optimal play depend on the meter; "
            "leave the award or the offers out"
        )
    if not opened.asks:
        return [(forms_of(opened, settled), ())]
    policies = optimal_policies(opened, settled)
    return [({policy.form.bet: policy.form}, policy.margins) for policy in policies]


@dataclass(frozen=True)
class Ranking:
    """The figures of a search's tables, and the best of them.

    Attributes:
        walk: the search; its k-th sum is the mean of the k-th bet.
        forms: the bets.
        bounds: by bet; the middle of its edge's interval is the target.
        wish: the criterion that ranks tables.
    """

    walk: BoundedSearch
    forms: Sequence[BetForm]
    bounds: Mapping[str, FigureBounds]
    wish: Wish = "plain"

    def means(self, block: Block, k: int) -> Any:
        """The mean profit of the k-th bet, in floats."""
        return (block.sums[k] / self.walk.scales[k]).astype(float) + float(self.forms[k].mean)

    def variances(self, block: Block, k: int) -> Any:
        """The variance of its profit, in floats."""
        import numpy as np

        form, walk = self.forms[k], self.walk
        square: Any = np.full(len(block), float(form.square))
        for i, name in enumerate(walk.names):
            if p := form.chances.get(name):
                square = square + float(p) * (walk.floats[block.ranks[i]] / float(form.stake)) ** 2
        # rounding may leave a variance of 0 below 0
        return (square - self.means(block, k) ** 2).clip(0)

    def leaders(
        self, block: Block, top: int, worst: tuple[float, float] | None
    ) -> list[tuple[Key, int]]:
        """The best tables and their rows; ties go to the nearer edge, then plainer."""
        import numpy as np

        score, near, off = self._floats(block)
        # roughness is a whole number, and floats hold it exactly
        doubt = 0.0 if self.wish == "plain" else off
        rows: Any = np.arange(len(block))
        # first by the worst table so far, then by the worst of this block's own best
        for _ in range(2):
            if worst is not None:
                s, n = score[rows], near[rows]
                keep = s <= worst[0] + doubt
                # only their ties are resolved by floats
                if self.wish in ("plain", "edge"):
                    keep &= (s < worst[0] - doubt) | (n <= worst[1] + off)
                rows = rows[keep]
            if len(rows) > top:
                last = rows[np.lexsort((near[rows], score[rows]))[top - 1]]
                worst = float(score[last]), float(near[last])
        few = block.take(rows)
        exact = self._exact(few)
        # Python's integers are ranked first: `lexsort` takes no objects
        ranks = [np.unique(numbers, return_inverse=True)[1] for numbers, _ in exact]
        values = [few.ranks[self.walk.names.index(name)] for name in self.walk.file_order]
        keys: Any = (*reversed(values), few.cost, *reversed(ranks))
        best = np.lexsort(keys)[:top].tolist()
        (scores, finer), (nears, unit) = exact
        return [
            ((Fraction(scores[i], finer), Fraction(nears[i], unit), int(few.cost[i])), int(rows[i]))
            for i in best
        ]

    def _floats(self, block: Block) -> tuple[Any, Any, float]:
        """Each table's score and distance, and their error bound."""
        import numpy as np

        near: Any = np.zeros(len(block))
        size: Any = np.zeros(len(block))
        score: Any = np.zeros(len(block))
        for k, form in enumerate(self.forms):
            mean = self.means(block, k)
            size = size + mean**2
            aim = self.bounds[form.bet].edge.middle
            if aim is not None:
                near = near + abs(mean + float(form.added + aim))
            if self.wish == "calm":
                score = score + self.variances(block, k)
            elif self.wish == "top":
                score = score - self.walk.floats[self._highest(block, form)] / float(form.stake)
        if self.wish == "plain":
            score = block.cost.astype(float)
        off = CLOSE * (1 + float((size + abs(score)).max(initial=0)))
        return (near if self.wish == "edge" else score), near, off

    def _exact(self, block: Block) -> tuple[tuple[Any, int], tuple[Any, int]]:
        """The score and distance as integers, with divisors."""
        import numpy as np

        walk, forms = self.walk, self.forms
        aims = [self.bounds[form.bet].edge.middle for form in forms]
        ends = [x for x in (*aims, *(x for f in forms for x in (f.mean, f.added))) if x is not None]
        unit = lcm(1, *walk.scales[: len(forms)], *(x.denominator for x in ends))
        near: Any = np.zeros(len(block), object)
        own = [
            block.sums[k].astype(object) * (unit // walk.scales[k]) + int(form.mean * unit)
            for k, form in enumerate(forms)
        ]
        for aim, form, mean in zip(aims, forms, own, strict=True):
            if aim is not None:
                near = near + abs(mean + int((form.added + aim) * unit))
        if self.wish == "edge":
            return (near, unit), (near, unit)
        if self.wish == "plain":
            return (block.cost.astype(object), 1), (near, unit)
        score: Any = np.zeros(len(block), object)
        if self.wish == "calm":
            squares = [
                (i, [form.chances[n] * (x / form.stake) ** 2 for x in walk.all])
                for form in forms
                for i, n in enumerate(walk.names)
                if n in form.chances
            ]
            fixed = sum((form.square for form in forms), Fraction())
            terms = [fixed, *(x for _, by_rank in squares for x in by_rank)]
            finer = lcm(unit**2, *(x.denominator for x in terms))
            for i, by_rank in squares:
                by_value = np.array([int(x * finer) for x in by_rank], object)
                score = score + by_value[block.ranks[i]]
            score = score - sum(mean * mean for mean in own) * (finer // unit**2)
            return (score + int(fixed * finer), finer), (near, unit)
        finer = lcm(1, *((x / form.stake).denominator for form in forms for x in walk.all))
        for form in forms:
            paid = np.array([int(x / form.stake * finer) for x in walk.all], object)
            score = score - paid[self._highest(block, form)]
        return (score, finer), (near, unit)

    def _highest(self, block: Block, form: BetForm) -> Any:
        """The highest pay of a bet, by rank."""
        import numpy as np

        names = zip(self.walk.names, block.ranks, strict=True)
        return np.maximum.reduce([rank for name, rank in names if name in form.chances])


@dataclass(frozen=True)
class Seeker:
    """The search criteria for a structure's components.

    Attributes:
        bounds: by bet, of its figures.
        wish: the criterion that ranks tables.
        top: the number of tables kept.
    """

    bounds: Mapping[str, FigureBounds]
    wish: Wish
    top: int

    def must_be_affordable(self, solved: Sequence[Structure], size: int) -> None:
        """Refuse a search over the budget.

        Raises:
            TooMuchWorkError: the estimate is over the budget.
        """
        # fewer are searched within a second, and an estimate would take as long
        if size < FEW_TABLES:
            return
        seconds = 0.0
        for structure in solved:
            for names, forms in structure.components:
                seconds += seconds_of(structure.walk(names, forms, self.bounds))
        afford(
            f"a search of {size:,} tables",
            seconds=seconds,
            instead="narrow the bounds, leave fewer numbers open, or write down their order",
        )

    def best(self, structure: Structure) -> tuple[int, list[Item]]:
        """The number of tables within the bounds, and the best."""
        if not structure.fits_fixed(self.bounds):
            return 0, []
        count, best = 1, list[Item]([((Fraction(), Fraction(), 0), {})])
        for names, forms in structure.components:
            n, own = self._component(structure, self.ranking(structure, names, forms))
            count *= n
            if not n:
                return 0, []
            # scores of components add up, so the best tables combine the best of each
            best = self._sorted(
                structure,
                [((a[0] + b[0], a[1] + b[1], a[2] + b[2]), x | y) for a, x in best for b, y in own],
            )
        return count, best

    def ranking(
        self, structure: Structure, names: Sequence[str], forms: Sequence[BetForm]
    ) -> Ranking:
        """The search of a component, with its criterion."""
        walk = structure.walk(names, forms, self.bounds)
        return Ranking(walk, forms, self.bounds, self.wish)

    def _sorted(self, structure: Structure, items: list[Item]) -> list[Item]:
        names = [*structure.values]
        items.sort(key=lambda item: (item[0], [item[1][n] for n in names if n in item[1]]))
        return items[: self.top]

    def _component(self, structure: Structure, ranking: Ranking) -> tuple[int, list[Item]]:
        count, best = 0, list[Item]()
        worst: tuple[float, float] | None = None
        for block in self.kept(ranking):
            count += len(block)
            if self.top:
                own = ranking.leaders(block, self.top, worst)
                best += [(key, ranking.walk.value(block, row)) for key, row in own]
                best = self._sorted(structure, best)
            # a table must be better than the last one kept
            if 0 < self.top == len(best):
                worst = float(best[-1][0][0]), float(best[-1][0][1])
        return count, best

    def kept(self, ranking: Ranking) -> "Iterator[Block]":
        """The tables of a component within every bound, block by block."""
        import numpy as np

        walk = ranking.walk
        bounded = [
            (k, form, _squared(self.bounds[form.bet].volatility))
            for k, form in enumerate(ranking.forms)
            if not self.bounds[form.bet].volatility.is_open
        ]
        for whole in walk.blocks():
            block = whole
            for k, form, bounds in bounded:
                variance = ranking.variances(block, k)
                # near a bound floats can't tell, and fractions decide
                off = CLOSE * (1 + variance + ranking.means(block, k) ** 2)
                keep = np.ones(len(block), bool)
                unsure = np.zeros(len(block), bool)
                for bound, sign in ((bounds.low, 1.0), (bounds.high, -1.0)):
                    if bound is not None:
                        over = sign * (variance - float(bound))
                        keep &= over >= 0
                        unsure |= abs(over) <= off
                for row in np.flatnonzero(unsure).tolist():
                    keep[row] = bounds.holds(form.figures(walk.value(block, row)).variance)
                block = block.take(np.flatnonzero(keep))
            if len(block):
                yield block


def seconds_of(walk: BoundedSearch) -> float:
    """The estimated seconds of a search."""
    seconds_each = LONG_CHOICE if walk.is_long else CHOICE
    # the bounds of the remaining numbers are added up for each choice
    return walk.estimate() * seconds_each * (1 + len(walk.names) / 4)


def why_none(solved: Sequence[Structure], bounds: Mapping[str, FigureBounds]) -> list[str]:
    """Why there is no table, in sentences."""
    if not any(structure.size[0] for structure in solved):
        return [f"{NO_CHOICE.capitalize()}."]
    notes = []
    for bet, own in bounds.items():
        if own.edge.is_open:
            continue
        try:
            ranges = [r for s in solved if (r := _with_edge(s, bet, own.edge)) is not None]
        except TooMuchWorkError as error:
            notes.append(f"{bet}: {error}.")
            continue
        if not ranges:
            notes.append(
                f"{bet}: no edge of {own.edge} can be reached; {_nearest(solved, bet, own.edge)}."
            )
        elif not (own.hit.is_open and own.volatility.is_open):
            (least, most), (calm, wild) = map(_hull, zip(*ranges, strict=True))
            notes.append(
                f"{bet}: with an edge of {own.edge} the hit frequency is from {percent(least)} to "
                f"{percent(most)}, and the volatility from {decimal(calm)} to {decimal(wild)}."
            )
    return notes or ["Each bound can be kept, but not all of them together."]


def _nearest(solved: Sequence[Structure], bet: str, interval: Between) -> str:
    """The nearest edges below and above an interval, in words."""
    parts = []
    for up, end in ((False, interval.low), (True, interval.high)):
        if end is None:
            continue
        by_structure = [_nearest_edge(s, s.forms[bet], end, up) for s in solved]
        edges = [edge for edge in by_structure if edge is not None]
        if edges:
            nearest = min(edges) if up else max(edges)
            parts.append(f"{_edge_text(nearest)} {'above' if up else 'below'}")
    if not parts:
        return NO_CHOICE
    return f"the nearest {'are' if len(parts) > 1 else 'is'} {' and '.join(parts)}"


def _with_edge(structure: Structure, bet: str, edge: Between) -> tuple[Range, Range] | None:
    """The ranges of hit frequency and volatility with an edge; None without a table."""
    form = structure.forms[bet]
    if not form.chances:
        figures = form.figures({})
        hit, spread = float(figures.hit), figures.volatility
        return ((hit, hit), (spread, spread)) if edge.holds(figures.edge) else None
    bounds = {bet: FigureBounds(edge)}
    walk = structure.walk(_tied(structure, form), [form], bounds)
    ranking = Ranking(walk, [form], bounds)
    afford(
        f"a search of the tables with an edge of {edge}, for what comes with it,",
        seconds=seconds_of(walk),
        instead="narrow the edge",
    )
    ranges: list[tuple[Range, Range]] = []
    for block in walk.blocks():
        hits = 0 * ranking.means(block, 0) + float(form.hit)
        for i, name in enumerate(walk.names):
            hits += float(form.chances.get(name, 0)) * (walk.floats[block.ranks[i]] > 0)
        roots = ranking.variances(block, 0) ** 0.5
        ranges.append(
            ((float(hits.min()), float(hits.max())), (float(roots.min()), float(roots.max())))
        )
    if not ranges:
        return None
    hit_ends, root_ends = zip(*ranges, strict=True)
    return _hull(hit_ends), _hull(root_ends)


def _hull(ends: Sequence[Range]) -> Range:
    return min(low for low, _ in ends), max(high for _, high in ends)


def _tied(structure: Structure, form: BetForm) -> tuple[str, ...]:
    """The open numbers that affect a bet, directly or through the order."""
    paid = set(structure.opened.pays) if structure.margins else set(form.chances)
    # the order is closed, so one step reaches all that are tied to a pay
    names, tied = [*structure.values], set(paid)
    for i, j in closed(structure.opened.order, names):
        if names[i] in paid or names[j] in paid:
            tied |= {names[i], names[j]}
    return tuple(n for n in names if n in tied)


def _nearest_edge(structure: Structure, form: BetForm, edge: Fraction, up: bool) -> Fraction | None:
    """A bet's nearest possible edge above or below a number, if any.

    A window beside the number is widened until it contains one.
    """
    least, most = (mean + form.added for mean in structure.mean_ends(form))
    far = -least if up else -most
    # each window is four times as wide, so few tables are listed in vain
    width = Fraction(1, 10**7)
    names = _tied(structure, form)
    while True:
        end = edge + width if up else edge - width
        window = Between(edge, end) if up else Between(end, edge)
        walk = structure.walk(names, [form], {form.bet: FigureBounds(window)})
        # the sum is the mean in units of 1/scale: its extreme is the nearest edge
        ends = (int(b.sums[0].max() if up else b.sums[0].min()) for b in walk.blocks())
        best = max(ends, default=None) if up else min(ends, default=None)
        if best is not None:
            return -Fraction(best, walk.scales[0]) - form.mean - form.added
        # no table has an edge so far out
        if (end > far) if up else (end < far):
            return None
        width *= 4


def _edge_text(edge: Fraction) -> str:
    """An edge in words."""
    # the fraction too, unless it fills half a line
    return f"{percent(edge)} ({edge})" if len(str(edge)) < 30 else percent(edge)
