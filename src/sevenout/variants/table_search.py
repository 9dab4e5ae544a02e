"""Search for tables: every structure is solved, then its pays searched and ranked.

A *structure* is a choice of the open numbers that are not pays (limits, totals, stakes). Bets that
share no open number and no order between their numbers are searched separately, since their tables
combine freely. A bound on an edge or a hit frequency bounds a sum of functions of one number each.
So does a bound on the mean square, which follows from those on volatility and edge; the volatility
itself is checked last.

Tables are ranked by floats, and ties within their error by integers (`Ranking`). Where no table is
within the bounds, `why_no_table` says what can be reached.
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
from sevenout.rules.gamefiles.open_parameters import Greater, Opened
from sevenout.variants.bet_figures import (
    BetForm,
    FigureBounds,
    FigureInterval,
    OptimalityCondition,
    bet_forms,
    optimal_policies,
)
from sevenout.variants.bounded_search import (
    Assignments,
    BoundedSearch,
    BoundedSum,
    Roughness,
    count_assignments,
    transitive_closure,
)

Wish = Literal["plain", "edge", "calm", "top"]
WISHES: tuple[Wish, ...] = ("plain", "edge", "calm", "top")
FLOAT_ERROR = 1e-9
"""The relative difference that floats can't resolve."""

RankKey = tuple[Fraction, Fraction, int]
"""Score, distance from the target edges, and cost; less is better."""

SECONDS_PER_STRUCTURE = 0.02
SECONDS_PER_ASSIGNMENT, SECONDS_PER_LONG_ASSIGNMENT = 2.5e-7, 1.5e-5
"""To search, with sums of 64 bits and with longer ones."""

FEW_TABLES = 200_000
"""With fewer tables the cost of the search is not estimated."""

NumberValues = dict[str, Fraction]
RankedTable = tuple[RankKey, NumberValues]
"""A table: what it is ranked by, and its open numbers."""

Range = tuple[float, float]
NO_CHOICE = "no choice of the open numbers keeps their order"


@dataclass(frozen=True)
class Structure:
    """The game with values for the numbers that are not pays, solved for one policy.

    Attributes:
        opened: the game.
        values: the values left to each open number: one if it is not a pay.
        forms: the bets by name.
        roughness: the costs of the tables.
        conditions: the conditions under which the policy is optimal; none without choices.
    """

    opened: Opened
    values: Mapping[str, tuple[Fraction, ...]]
    forms: Mapping[str, BetForm]
    roughness: Roughness
    conditions: tuple[OptimalityCondition, ...] = ()

    @cached_property
    def components(self) -> tuple[tuple[tuple[str, ...], tuple[BetForm, ...]], ...]:
        """Open numbers that are connected, and the bets that they pay."""
        # a bet, or an order between two numbers, connects the numbers that it is about
        ties = [set(form.chances) for form in self.forms.values()]
        ties += [set(pair[:2]) for pair in self.opened.order]
        if self.conditions:
            ties.append(set(self.opened.pays))
        # each tie joins the components that it touches
        connected: list[set[str]] = []
        for tie in [*ties, *({name} for name in self.values)]:
            touched = [numbers for numbers in connected if numbers & tie]
            connected = [n for n in connected if not n & tie] + [tie.union(*touched)]
        components = []
        for numbers in filter(None, connected):
            names = tuple(name for name in self.values if name in numbers)
            forms = tuple(f for f in self.forms.values() if f.chances and set(f.chances) <= numbers)
            components.append((names, forms))
        return tuple(components)

    @cached_property
    def size(self) -> tuple[int, bool]:
        """The number of its tables, and whether it is exact."""
        return count_assignments(self.values, self.opened.order)

    def fixed_bets_fit(self, bounds: Mapping[str, FigureBounds]) -> bool:
        """Whether the bets without open pays keep their bounds."""
        return all(
            form.chances or bounds[name].contains(form.figures({}))
            for name, form in self.forms.items()
        )

    def search(
        self, names: Sequence[str], forms: Sequence[BetForm], bounds: Mapping[str, FigureBounds]
    ) -> BoundedSearch:
        """The search of one component; its sums are the means, then other bounds."""
        sums = [self._mean_sum(form, names, bounds[form.bet].edge) for form in forms]
        for form in forms:
            allowed = bounds[form.bet]
            if not allowed.hit.is_unbounded:
                sums.append(self._hit_sum(form, names, allowed.hit))
            if not allowed.volatility.is_unbounded:
                sums.append(self._square_sum(form, names, allowed))
        values = {name: self.values[name] for name in names}
        # the policy is optimal only where each of its conditions holds
        sums += [
            condition.bounded_sum(values)
            for condition in self.conditions
            if condition.gain.factors.keys() & values.keys()
        ]
        return BoundedSearch(values, self.opened.order, sums, self.roughness)

    def _pay_sum(
        self,
        form: BetForm,
        names: Sequence[str],
        function: Any,
        bounds: tuple[Fraction | None, Fraction | None],
        *,
        is_monotone: bool = True,
    ) -> BoundedSum:
        """Σ p(i) f(x(i)) over the open pays, between these bounds."""
        terms = {
            n: [form.chances.get(n, Fraction()) * function(x / form.stake) for x in self.values[n]]
            for n in names
        }
        return BoundedSum(terms, *bounds, is_monotone)

    def _mean_sum(self, form: BetForm, names: Sequence[str], edge: FigureInterval) -> BoundedSum:
        """The bounds of an edge as a bounded sum of means."""
        low = None if edge.high is None else -edge.high - form.mean - form.award
        high = None if edge.low is None else -edge.low - form.mean - form.award
        return self._pay_sum(form, names, Fraction, (low, high))

    def _hit_sum(self, form: BetForm, names: Sequence[str], hit: FigureInterval) -> BoundedSum:
        """The bounds of a hit frequency as a bounded sum of probabilities."""
        low = None if hit.low is None else hit.low - form.hit
        high = None if hit.high is None else hit.high - form.hit
        return self._pay_sum(form, names, lambda x: Fraction(x > 0), (low, high))

    def mean_range(self, form: BetForm) -> list[Fraction]:
        """The least and greatest mean profit of a bet, ignoring the order."""
        ranges = [(p, self.values[name]) for name, p in form.chances.items()]
        return [
            sum((p * extreme(values) / form.stake for p, values in ranges), form.mean)
            for extreme in (min, max)
        ]

    def _square_sum(self, form: BetForm, names: Sequence[str], allowed: FigureBounds) -> BoundedSum:
        """A bound on the mean square: the variance plus the squared mean."""
        largest_mean = max(map(abs, self.mean_range(form)))
        # the mean is within the edge's bounds, and its square no larger than theirs
        if allowed.edge.low is not None and allowed.edge.high is not None:
            means = allowed.edge.low + form.award, allowed.edge.high + form.award
            largest_mean = min(largest_mean, max(map(abs, means)))
        variance = allowed.variance
        low = None if variance.low is None else variance.low - form.square
        high = None if variance.high is None else variance.high + largest_mean**2 - form.square
        return self._pay_sum(form, names, lambda x: x * x, (low, high), is_monotone=False)


def solved_structures(opened: Opened) -> tuple[list[Structure], int]:
    """Every valid structure with each of its optimal policies, and the number of invalid ones.

    Raises:
        SevenoutError: none is valid; the message is that of the first.
        TooMuchWorkError: too many to solve.
    """
    choices = [opened.numbers[name] for name in opened.structure]
    count = prod(map(len, choices))
    afford(
        f"{count:,} structures, each solved,",
        seconds=count * SECONDS_PER_STRUCTURE,
        instead="leave fewer limits, totals or stakes open",
    )
    # an order that contradicts itself is refused before anything is solved
    transitive_closure(opened.order, [*opened.numbers])
    solved: list[Structure] = []
    refused, first_error = 0, None
    for chosen in product(*choices):
        structure = dict(zip(opened.structure, chosen, strict=True))
        if not _keeps_order(structure, opened.order):
            continue
        try:
            policies = _solved_policies(opened, structure)
        except TooMuchWorkError:
            raise
        except SevenoutError as error:
            # some choices of totals are no game; if none is, the first error says why
            refused, first_error = refused + 1, first_error or error
            continue
        values = {**opened.numbers, **{name: (value,) for name, value in structure.items()}}
        for forms, conditions in policies:
            roughness = Roughness.of(opened, {bet: form.chances for bet, form in forms.items()})
            solved.append(Structure(opened, values, forms, roughness, conditions))
    if not solved:
        raise first_error or RulesError(
            "no limits, totals or stakes keep the order; leave a pair out"
        )
    return solved, refused


def _keeps_order(structure: Mapping[str, Fraction], order: Sequence[Greater]) -> bool:
    """Whether the numbers that are not pays keep the order between them."""
    return all(
        structure[more] > structure[less] or (structure[more] == structure[less] and not strictly)
        for more, less, strictly in order
        if {more, less} <= structure.keys()
    )


def _solved_policies(
    opened: Opened, structure: Mapping[str, Fraction]
) -> list[tuple[Mapping[str, BetForm], tuple[OptimalityCondition, ...]]]:
    """The forms of the bets under each optimal policy, and where it is optimal."""
    # with a meter the values of options are not linear in the pays
    if opened.has_offers and PROGRESSIVE in opened.data:
        raise RulesError(
            "a progressive award on a bet with surrender makes optimal play depend on the meter; "
            "leave the award or the offers out"
        )
    if not opened.has_offers:
        return [(bet_forms(opened, structure), ())]
    policies = optimal_policies(opened, structure)
    return [({policy.form.bet: policy.form}, policy.conditions) for policy in policies]


@dataclass(frozen=True)
class Ranking:
    """The figures of a search's tables, and the best of them.

    Attributes:
        search: the search; its k-th sum is the mean of the k-th bet.
        forms: the bets.
        bounds: by bet; the middle of its edge's interval is the target.
        wish: the criterion that ranks tables.
    """

    search: BoundedSearch
    forms: Sequence[BetForm]
    bounds: Mapping[str, FigureBounds]
    wish: Wish = "plain"

    def means(self, tables: Assignments, k: int) -> Any:
        """The mean profit of the k-th bet, in floats."""
        return (tables.sums[k] / self.search.scales[k]).astype(float) + float(self.forms[k].mean)

    def variances(self, tables: Assignments, k: int) -> Any:
        """The variance of its profit, in floats."""
        import numpy as np

        form, search = self.forms[k], self.search
        square: Any = np.full(len(tables), float(form.square))
        profits = search.float_values / float(form.stake)
        for i, name in enumerate(search.names):
            if p := form.chances.get(name):
                square = square + float(p) * profits[tables.ranks[i]] ** 2
        # rounding may leave a variance of 0 below 0
        return (square - self.means(tables, k) ** 2).clip(0)

    def leaders(
        self, tables: Assignments, top: int, worst: tuple[float, float] | None
    ) -> list[tuple[RankKey, int]]:
        """The best `top` tables, as (key, row); ties go to the nearer edge, then the plainer table.

        Args:
            tables: complete assignments.
            top: the number of tables kept.
            worst: the score and distance of the last table kept so far; None if there is room.
        """
        import numpy as np

        score, distance, float_error = self._float_keys(tables)
        # roughness is a whole number, and floats hold it exactly
        score_error = 0.0 if self.wish == "plain" else float_error
        rows: Any = np.arange(len(tables))
        # first by the worst table kept so far, then by the worst of the best of these
        for _ in range(2):
            if worst is not None:
                row_scores = score[rows]
                keep = row_scores <= worst[0] + score_error
                # only their ties are resolved by floats
                if self.wish in ("plain", "edge"):
                    nearer = distance[rows] <= worst[1] + float_error
                    keep &= (row_scores < worst[0] - score_error) | nearer
                rows = rows[keep]
            if len(rows) > top:
                last = rows[np.lexsort((distance[rows], score[rows]))[top - 1]]
                worst = float(score[last]), float(distance[last])
        candidates = tables.take(rows)
        (scores, score_unit), (distances, unit) = self._exact_keys(candidates)
        # Python's integers are ranked first: `lexsort` takes no objects
        ranks = [np.unique(numbers, return_inverse=True)[1] for numbers in (scores, distances)]
        names = self.search.names
        values = [candidates.ranks[names.index(name)] for name in self.search.file_order]
        keys: Any = (*reversed(values), candidates.cost, *reversed(ranks))
        leaders = []
        for i in np.lexsort(keys)[:top].tolist():
            exact_score = Fraction(scores[i], score_unit)
            key = exact_score, Fraction(distances[i], unit), int(candidates.cost[i])
            leaders.append((key, int(rows[i])))
        return leaders

    def _float_keys(self, tables: Assignments) -> tuple[Any, Any, float]:
        """Each table's score and distance, and their error bound."""
        import numpy as np

        distance: Any = np.zeros(len(tables))
        squares: Any = np.zeros(len(tables))
        score: Any = np.zeros(len(tables))
        for k, form in enumerate(self.forms):
            mean = self.means(tables, k)
            squares = squares + mean**2
            aim = self.bounds[form.bet].edge.middle
            if aim is not None:
                distance = distance + abs(mean + float(form.award + aim))
            if self.wish == "calm":
                score = score + self.variances(tables, k)
            elif self.wish == "top":
                highest = self.search.float_values[self._highest_pay(tables, form)]
                score = score - highest / float(form.stake)
        if self.wish == "plain":
            score = tables.cost.astype(float)
        # figures are differences of terms as large as the squared means
        float_error = FLOAT_ERROR * (1 + float((squares + abs(score)).max(initial=0)))
        return (distance if self.wish == "edge" else score), distance, float_error

    def _exact_keys(self, tables: Assignments) -> tuple[tuple[Any, int], tuple[Any, int]]:
        """The score and the distance, each as integers and their common denominator."""
        import numpy as np

        search, forms = self.search, self.forms
        aims = [self.bounds[form.bet].edge.middle for form in forms]
        fixed = [*aims, *(form.mean for form in forms), *(form.award for form in forms)]
        denominators = [x.denominator for x in fixed if x is not None]
        unit = lcm(1, *search.scales[: len(forms)], *denominators)
        means = [
            tables.sums[k].astype(object) * (unit // search.scales[k]) + int(form.mean * unit)
            for k, form in enumerate(forms)
        ]
        distance: Any = np.zeros(len(tables), object)
        for aim, form, mean in zip(aims, forms, means, strict=True):
            if aim is not None:
                distance = distance + abs(mean + int((form.award + aim) * unit))
        if self.wish == "edge":
            score = distance, unit
        elif self.wish == "plain":
            score = tables.cost.astype(object), 1
        elif self.wish == "calm":
            score = self._exact_variances(tables, means, unit)
        else:
            score = self._exact_highest_pays(tables)
        return score, (distance, unit)

    def _exact_variances(
        self, tables: Assignments, means: Sequence[Any], unit: int
    ) -> tuple[Any, int]:
        """The sum of the bets' variances, as integers and their common denominator.

        Args:
            tables: complete assignments.
            means: the mean profit of each bet, in units of 1/unit.
            unit: their common denominator.
        """
        import numpy as np

        search = self.search
        squares = [
            (i, [form.chances[n] * (x / form.stake) ** 2 for x in search.sorted_values])
            for form in self.forms
            for i, n in enumerate(search.names)
            if n in form.chances
        ]
        fixed = sum((form.square for form in self.forms), Fraction())
        terms = [fixed, *(x for _, by_rank in squares for x in by_rank)]
        score_unit = lcm(unit**2, *(x.denominator for x in terms))
        variances: Any = np.full(len(tables), int(fixed * score_unit), object)
        for i, by_rank in squares:
            column = np.array([int(x * score_unit) for x in by_rank], object)
            variances = variances + column[tables.ranks[i]]
        return variances - sum(mean * mean for mean in means) * (score_unit // unit**2), score_unit

    def _exact_highest_pays(self, tables: Assignments) -> tuple[Any, int]:
        """The sum of the bets' highest pays, negated, as integers and their common denominator."""
        import numpy as np

        values = self.search.sorted_values
        unit = lcm(1, *((x / form.stake).denominator for form in self.forms for x in values))
        score: Any = np.zeros(len(tables), object)
        for form in self.forms:
            pays = np.array([int(x / form.stake * unit) for x in values], object)
            score = score - pays[self._highest_pay(tables, form)]
        return score, unit

    def _highest_pay(self, tables: Assignments, form: BetForm) -> Any:
        """The rank of a bet's highest pay."""
        import numpy as np

        names = zip(self.search.names, tables.ranks, strict=True)
        return np.maximum.reduce([rank for name, rank in names if name in form.chances])


@dataclass(frozen=True)
class Criteria:
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
                seconds += seconds_of(structure.search(names, forms, self.bounds))
        afford(
            f"a search of {size:,} tables",
            seconds=seconds,
            instead="narrow the bounds, leave fewer numbers open, or write down their order",
        )

    def best(self, structure: Structure) -> tuple[int, list[RankedTable]]:
        """The number of tables within the bounds, and the best."""
        if not structure.fixed_bets_fit(self.bounds):
            return 0, []
        count, best = 1, list[RankedTable]([((Fraction(), Fraction(), 0), {})])
        for names, forms in structure.components:
            ranking = self.ranking(structure, names, forms)
            component_count, component_best = self._best_of_component(structure, ranking)
            count *= component_count
            if not component_count:
                return 0, []
            # scores of components add up, so the best tables combine the best of each
            combined = [
                ((score + own_score, distance + own_distance, cost + own_cost), values | own_values)
                for (score, distance, cost), values in best
                for (own_score, own_distance, own_cost), own_values in component_best
            ]
            best = self._best(structure, combined)
        return count, best

    def ranking(
        self, structure: Structure, names: Sequence[str], forms: Sequence[BetForm]
    ) -> Ranking:
        """The search of a component, with its criterion."""
        search = structure.search(names, forms, self.bounds)
        return Ranking(search, forms, self.bounds, self.wish)

    def _best(self, structure: Structure, tables: list[RankedTable]) -> list[RankedTable]:
        """The best of some tables; ties go to the lower open numbers, in the file's order."""
        names = [*structure.values]
        tables.sort(key=lambda table: (table[0], [table[1][n] for n in names if n in table[1]]))
        return tables[: self.top]

    def _best_of_component(
        self, structure: Structure, ranking: Ranking
    ) -> tuple[int, list[RankedTable]]:
        """The number of a component's tables within the bounds, and the best."""
        count, best = 0, list[RankedTable]()
        worst: tuple[float, float] | None = None
        for tables in self.tables_within_bounds(ranking):
            count += len(tables)
            if self.top:
                leaders = ranking.leaders(tables, self.top, worst)
                best += [(key, ranking.search.values_of(tables, row)) for key, row in leaders]
                best = self._best(structure, best)
            # a table must be better than the last one kept
            if 0 < self.top == len(best):
                worst = float(best[-1][0][0]), float(best[-1][0][1])
        return count, best

    def tables_within_bounds(self, ranking: Ranking) -> "Iterator[Assignments]":
        """The tables of a component within every bound, many at a time."""
        import numpy as np

        search = ranking.search
        bounded = [
            (k, form, self.bounds[form.bet].variance)
            for k, form in enumerate(ranking.forms)
            if not self.bounds[form.bet].volatility.is_unbounded
        ]
        for assignments in search.assignments():
            tables = assignments
            for k, form, bounds in bounded:
                variance = ranking.variances(tables, k)
                # near a bound floats can't tell, and fractions decide
                float_error = FLOAT_ERROR * (1 + variance + ranking.means(tables, k) ** 2)
                keep = np.ones(len(tables), bool)
                unsure = np.zeros(len(tables), bool)
                for bound, sign in ((bounds.low, 1.0), (bounds.high, -1.0)):
                    if bound is not None:
                        excess = sign * (variance - float(bound))
                        keep &= excess >= 0
                        unsure |= abs(excess) <= float_error
                for row in np.flatnonzero(unsure).tolist():
                    figures = form.figures(search.values_of(tables, row))
                    keep[row] = bounds.contains(figures.variance)
                tables = tables.take(np.flatnonzero(keep))
            if len(tables):
                yield tables


def seconds_of(search: BoundedSearch) -> float:
    """The estimated seconds of a search."""
    seconds_each = SECONDS_PER_LONG_ASSIGNMENT if search.is_long else SECONDS_PER_ASSIGNMENT
    # the bounds of the remaining numbers are added up for each choice
    assignments = search.estimated_assignments()
    return assignments * seconds_each * (1 + len(search.names) / 4)


def why_no_table(solved: Sequence[Structure], bounds: Mapping[str, FigureBounds]) -> list[str]:
    """Why there is no table, in sentences."""
    if not any(structure.size[0] for structure in solved):
        return [f"{NO_CHOICE.capitalize()}."]
    notes = []
    for bet, allowed in bounds.items():
        edge = allowed.edge
        if edge.is_unbounded:
            continue
        try:
            by_structure = [_ranges_with_edge(s, bet, edge) for s in solved]
        except TooMuchWorkError as error:
            notes.append(f"{bet}: {error}.")
            continue
        ranges = [pair for pair in by_structure if pair is not None]
        if not ranges:
            nearest = _nearest_edges(solved, bet, edge)
            notes.append(f"{bet}: no edge of {edge} can be reached; {nearest}.")
        elif not (allowed.hit.is_unbounded and allowed.volatility.is_unbounded):
            hit, volatility = map(_hull, zip(*ranges, strict=True))
            notes.append(
                f"{bet}: with an edge of {edge} the hit frequency is from {percent(hit[0])} "
                f"to {percent(hit[1])}, and the volatility from {decimal(volatility[0])} to "
                f"{decimal(volatility[1])}."
            )
    return notes or ["Each bound can be kept, but not all of them together."]


def _nearest_edges(solved: Sequence[Structure], bet: str, interval: FigureInterval) -> str:
    """The nearest edges below and above an interval, in words."""
    texts = []
    for is_above, bound in ((False, interval.low), (True, interval.high)):
        if bound is None:
            continue
        by_structure = [_nearest_edge(s, s.forms[bet], bound, is_above) for s in solved]
        edges = [edge for edge in by_structure if edge is not None]
        if edges:
            nearest = min(edges) if is_above else max(edges)
            # the fraction too, unless it fills half a line
            fraction = f" ({nearest})" if len(str(nearest)) < 30 else ""
            texts.append(f"{percent(nearest)}{fraction} {'above' if is_above else 'below'}")
    if not texts:
        return NO_CHOICE
    return f"the nearest {'are' if len(texts) > 1 else 'is'} {' and '.join(texts)}"


def _ranges_with_edge(
    structure: Structure, bet: str, edge: FigureInterval
) -> tuple[Range, Range] | None:
    """The ranges of hit frequency and volatility with an edge; None without a table."""
    form = structure.forms[bet]
    if not form.chances:
        figures = form.figures({})
        hit, volatility = float(figures.hit), figures.volatility
        return ((hit, hit), (volatility, volatility)) if edge.contains(figures.edge) else None
    bounds = {bet: FigureBounds(edge)}
    search = structure.search(_numbers_affecting(structure, form), [form], bounds)
    ranking = Ranking(search, [form], bounds)
    afford(
        f"a search of the tables with an edge of {edge}, for what comes with it,",
        seconds=seconds_of(search),
        instead="narrow the edge",
    )
    ranges: list[tuple[Range, Range]] = []
    for tables in search.assignments():
        hits = 0 * ranking.means(tables, 0) + float(form.hit)
        for i, name in enumerate(search.names):
            hits += float(form.chances.get(name, 0)) * (search.float_values[tables.ranks[i]] > 0)
        volatilities = ranking.variances(tables, 0) ** 0.5
        hit_range = float(hits.min()), float(hits.max())
        ranges.append((hit_range, (float(volatilities.min()), float(volatilities.max()))))
    if not ranges:
        return None
    hit_ranges, volatility_ranges = zip(*ranges, strict=True)
    return _hull(hit_ranges), _hull(volatility_ranges)


def _hull(ranges: Sequence[Range]) -> Range:
    """The smallest range that contains all of these."""
    return min(low for low, _ in ranges), max(high for _, high in ranges)


def _numbers_affecting(structure: Structure, form: BetForm) -> tuple[str, ...]:
    """The open numbers that affect a bet, directly or through the order."""
    pays = set(structure.opened.pays) if structure.conditions else set(form.chances)
    # the order is closed, so one step reaches all that are compared with a pay
    names, affecting = [*structure.values], set(pays)
    for i, j in transitive_closure(structure.opened.order, names):
        if names[i] in pays or names[j] in pays:
            affecting |= {names[i], names[j]}
    return tuple(n for n in names if n in affecting)


def _nearest_edge(
    structure: Structure, form: BetForm, edge: Fraction, is_above: bool
) -> Fraction | None:
    """A bet's nearest possible edge above or below a number, if any.

    A window beside the number is widened until it contains one.
    """
    lowest_mean, highest_mean = (mean + form.award for mean in structure.mean_range(form))
    farthest = -lowest_mean if is_above else -highest_mean
    # each window is four times as wide, so few tables are listed in vain
    width = Fraction(1, 10**7)
    names = _numbers_affecting(structure, form)
    while True:
        end = edge + width if is_above else edge - width
        window = FigureInterval(edge, end) if is_above else FigureInterval(end, edge)
        search = structure.search(names, [form], {form.bet: FigureBounds(window)})
        # the sum is the mean in units of 1/scale, and the nearest edge is an extreme of it
        extreme = max if is_above else min
        means = (
            int(tables.sums[0].max() if is_above else tables.sums[0].min())
            for tables in search.assignments()
        )
        nearest_mean = extreme(means, default=None)
        if nearest_mean is not None:
            return -Fraction(nearest_mean, search.scales[0]) - form.mean - form.award
        # no table has an edge so far out
        if (end > farthest) if is_above else (end < farthest):
            return None
        width *= 4
