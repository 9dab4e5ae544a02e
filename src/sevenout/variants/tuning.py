"""Tuning: a search for an edge, a hit frequency and a volatility, and its results.

The rules are solved once for each choice of limits, totals and stakes. A bet's figures are then
sums over its open pays (`bet_figures`), searched by branch and bound in integers
(`bounded_search`, `table_search`), without sampling.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

from sevenout.documents import Block, Column, HasPage, Page, Table, Text
from sevenout.documents.kinds import COUNT, DECIMAL, LABEL, PERCENT
from sevenout.documents.numbers import exactly, quantity
from sevenout.errors import RulesError, printable, shown
from sevenout.extras import require
from sevenout.numerals import Number, exact
from sevenout.rules.gamefiles.gamefile import GameFile
from sevenout.rules.gamefiles.gamekeys import PROGRESSIVE
from sevenout.rules.gamefiles.open_parameters import Opened, filled_text, read_opened
from sevenout.variants.bet_figures import (
    ANY_VALUE,
    BetForm,
    Figure,
    FigureBounds,
    FigureInterval,
    Figures,
    IntervalsLike,
    parse_interval,
    parse_intervals,
)
from sevenout.variants.bounded_search import PLAINEST_FIRST
from sevenout.variants.table_search import (
    WISHES,
    Criteria,
    RankedTable,
    Structure,
    Wish,
    solved_structures,
    why_no_table,
)

LADDER_CANDIDATES = 250
"""The best tables of each tier considered for a ladder."""
# tables are kept in memory; a page of them would be no answer
MAX_TABLES = 1_000_000

AWARDS = (
    "The edge of a bet with a progressive award is that of the long run, with the award; its hit "
    "frequency and its volatility leave the award out."
)
CONVENTIONS = (
    "Edge: the mean loss per unit staked, per bet made. Hit frequency: the probability of a "
    "profit, pushes are not hits. Volatility: the standard deviation of the profit per unit staked."
)
ORDERS = {
    "plain": PLAINEST_FIRST,
    "edge": "The edge nearest to the one aimed at first.",
    "calm": "The lowest variance first.",
    "top": "The highest open pay first, summed over the bets.",
}


@dataclass(frozen=True)
class Tuned:
    """A game with a value for each of its open numbers: a *table*.

    >>> from sevenout.variants import tune
    >>> table = tune("docs/examples/fast-craps-open.toml", edge="5%..6%").tables[0]
    >>> table.numbers["a1"], table.figures["pass"].hit, table.cost
    (Fraction(5, 1), Fraction(95341, 419904), 5)

    Attributes:
        opened: the game with open numbers.
        numbers: the value of each.
        figures: of each bet with open pays.
        cost: its roughness; less is plainer.
    """

    opened: Opened = field(repr=False)
    numbers: Mapping[str, Fraction]
    figures: Mapping[str, Figures]
    cost: int

    @property
    def game(self) -> GameFile:
        """The game without open numbers."""
        return self.opened.filled(self.numbers)

    @property
    def text(self) -> str:
        """The game as a file in its author's layout, without open numbers."""
        return filled_text(self.opened, self.numbers)

    def to_dict(self) -> dict[str, Any]:
        return {
            "numbers": {name: str(x) for name, x in self.numbers.items()},
            "cost": self.cost,
            "bets": {
                bet: {
                    "edge": exactly(f.edge),
                    "hit_frequency": exactly(f.hit),
                    "variance": exactly(f.variance),
                    "standard_deviation": f.volatility,
                }
                for bet, f in self.figures.items()
            },
        }


@dataclass(frozen=True)
class Tuning(HasPage):
    """The result of `tune`.

    >>> from sevenout.variants import tune
    >>> tune("docs/examples/fast-craps-open.toml", edge="1%..2%").count_text
    '3 of 14,112 tables keep the bounds'

    Attributes:
        opened: the game.
        tables: the best tables, in order.
        count: the number within the bounds.
        considered: the number of all tables.
        is_exact: whether that is exact, and not an upper bound.
        refused_structures: the choices of limits, totals and stakes that contradict the rules.
        criteria: the criteria of the search.
        notes: what can be reached, if nothing was found.
        structures: the solved choices of limits, totals and stakes.
    """

    opened: Opened = field(repr=False)
    tables: tuple[Tuned, ...]
    count: int
    considered: int
    is_exact: bool
    refused_structures: int
    criteria: Criteria = field(repr=False)
    notes: tuple[str, ...] = ()
    structures: tuple[Structure, ...] = field(default=(), repr=False)

    def __iter__(self) -> Iterator[Tuned]:
        return iter(self.tables)

    def __len__(self) -> int:
        return len(self.tables)

    @property
    def count_text(self) -> str:
        """The number of tables, in words."""
        at_most = "" if self.is_exact else "at most "
        return f"{self.count:,} of {at_most}{quantity(self.considered, 'table')} keep the bounds"

    def page(self) -> Page:
        """Each table's open numbers, and the figures of each bet."""
        blocks: list[Block] = []
        count_text = self.count_text
        if self.tables:
            blocks.append(table_of_tunings(self.tables, self.criteria))
            if len(self) < self.count:
                count_text += f"; the best {len(self):,} are shown"
        blocks.append(Text(f"{count_text}."))
        blocks += [Text(note) for note in self.notes]
        if self.refused_structures:
            blocks.append(
                Text(
                    f"{self.refused_structures:,} choices of limits, totals or stakes are no game.",
                    tone="note",
                )
            )
        if self.tables:
            note = f"{ORDERS[self.criteria.wish]} {conventions(self.opened)}"
            blocks.append(Text(note, tone="note"))
        return Page("", *blocks)

    def to_dict(self) -> dict[str, Any]:
        return {
            "count": self.count,
            "considered": self.considered,
            "considered_exactly": self.is_exact,
            "refused_structures": self.refused_structures,
            "notes": list(self.notes),
            "tables": [table.to_dict() for table in self.tables],
        }

    def frontier(self, bet: str | None = None, bins: int = 120) -> list[tuple[float, float, float]]:
        """The least and greatest volatility of all tables found, by edge.

        Args:
            bet: the bet; by default the first with open pays.
            bins: the number of equal bins into which the range of edges is cut.

        Returns:
            for each bin with a table, its middle, and the least and greatest standard deviation.

        Raises:
            RulesError: no such bet with open pays, or nothing was found.
        """
        import numpy as np

        forms = [form for structure in self.structures for form in structure.forms.values()]
        open_bets = list(dict.fromkeys(form.bet for form in forms if form.chances))
        name = next(iter(open_bets), None) if bet is None else bet
        if name not in open_bets:
            listed = printable(", ".join(open_bets), 200) or "none"
            raise RulesError(
                f"{shown(name)} has no open pay; the bets with open pays are: {listed}"
            )
        if type(bins) is not int or bins < 1:
            raise RulesError(f"bins={shown(bins)}; give 1 or more")
        if not self.count:
            raise RulesError("no table was found, so there is no frontier; widen the bounds")
        # twice through all tables: first for the range, as they may be too many to keep
        low, high = np.inf, -np.inf
        for edges, _ in self._edges_and_variances(name):
            low, high = min(low, float(edges.min())), max(high, float(edges.max()))
        min_variance, max_variance = np.full(bins, np.inf), np.full(bins, -np.inf)
        for edges, variances in self._edges_and_variances(name):
            # if all edges are equal, the range is 0 wide, and all are in the first bin
            k = ((edges - low) / ((high - low) or 1.0) * bins).astype(int).clip(0, bins - 1)
            np.minimum.at(min_variance, k, variances)
            np.maximum.at(max_variance, k, variances)
        width = (high - low) / bins
        return [
            (low + (k + 0.5) * width, float(min_variance[k]) ** 0.5, float(max_variance[k]) ** 0.5)
            for k in np.flatnonzero(np.isfinite(min_variance)).tolist()
        ]

    def _edges_and_variances(self, bet: str) -> Iterator[tuple[Any, Any]]:
        """A bet's edges and variances in every table, many tables at a time."""
        # a component's tables are in bounds only if every other component has one too
        counting = replace(self.criteria, top=0)
        for structure in self.structures:
            if not counting.best(structure)[0]:
                continue
            for names, forms in structure.components:
                for k, form in enumerate(forms):
                    if form.bet == bet:
                        ranking = self.criteria.ranking(structure, names, forms)
                        for tables in self.criteria.tables_within_bounds(ranking):
                            edges = -ranking.means(tables, k) - float(form.award)
                            yield edges, ranking.variances(tables, k)


@dataclass(frozen=True)
class Tiers(HasPage):
    """The result of `tiers`.

    >>> from sevenout.variants import tiers
    >>> ladder = tiers("docs/examples/fast-craps-open.toml", ["1%..2%", "5%..6%"])
    >>> [tier.count for tier in ladder.tiers], ladder.changes
    ([3, 1], (2,))

    Attributes:
        tiers: the result for each edge.
        ladder: one table for each, with the fewest changes between them; empty if a tier has none.
        changes: the number of changes from each to the next.
    """

    tiers: tuple[Tuning, ...]
    ladder: tuple[Tuned, ...]
    changes: tuple[int, ...]

    def page(self) -> Page:
        """The ladder, and the number of tables in each tier."""
        blocks: list[Block] = []
        if self.ladder:
            blocks.append(table_of_tunings(self.ladder, self.tiers[0].criteria))
        rows = []
        for tier in self.tiers:
            bounds = tier.criteria.bounds.values()
            edges = [str(allowed.edge) for allowed in bounds if not allowed.edge.is_unbounded]
            edge = "; ".join(dict.fromkeys(edges)) or "any"
            rows.append((edge, tier.count, tier.considered, " ".join(tier.notes)))
        columns = ["edge", Column("tables", COUNT), Column("of", COUNT), "if none"]
        # no column of reasons where every tier has a table
        shown_columns = 4 if any(row[3] for row in rows) else 3
        blocks.append(
            Table(columns[:shown_columns], [row[:shown_columns] for row in rows], caption="Tiers")
        )
        if self.ladder:
            changes = " and ".join(map(str, self.changes))
            blocks.append(
                Text(
                    f"The first table has one row for each tier: of the best tables of each, those "
                    f"between which the fewest numbers change ({changes} from tier to tier), and "
                    f"of these the plainest. The best of a tier are its first {LADDER_CANDIDATES} "
                    f"tables in this order. {ORDERS[self.tiers[0].criteria.wish]} "
                    f"{conventions(self.tiers[0].opened)}",
                    tone="note",
                )
            )
        return Page("", *blocks)

    def to_dict(self) -> dict[str, Any]:
        return {
            "tiers": [tier.to_dict() for tier in self.tiers],
            "ladder": [table.to_dict() for table in self.ladder],
            "changes": list(self.changes),
        }


def tune(
    game: str | Path | Opened,
    *,
    edge: IntervalsLike = None,
    hit: IntervalsLike = None,
    volatility: IntervalsLike = None,
    within: Number = 0,
    wish: Wish = "plain",
    top: int = 20,
) -> Tuning:
    """The best tables of a game whose figures are within bounds.

    >>> from sevenout.rules.gamefiles.open_parameters import parse_opened
    >>> craps = parse_opened('''
    ... format = 1
    ... name = "Craps"
    ... [[line]]
    ... naturals = [7, 11]
    ... craps = [2, 3, 12]
    ... out = 7
    ... [line.bets.pass]
    ... point = { "4,10" = "1..2 by 1/10", "5,9" = "1/2..1 by 1/10", "6,8" = 1 }
    ... ''')
    >>> tuning = tune(craps, edge="0%..1%")
    >>> tuning.count, tuning.considered, tuning.tables[0].figures["pass"].edge
    (11, 66, Fraction(1, 330))

    Args:
        game: a file with open numbers, or its path.
        edge: the house edge per bet made: an interval, "4%..6%", "..5%" or ("1/100", "2/100"), for
            every bet that an open number affects; or "pass=4%..6%" for one, a list of those, or
            intervals by bet.
        hit: the probability of a profit, likewise.
        volatility: the standard deviation of the profit per unit staked, likewise.
        within: the tolerance of an edge given as one number.
        wish: the criterion: "plain" for the least roughness, the "edge" nearest to the middle of
            its interval, "calm" for the lowest variance, or "top" for the highest open pay.
            Variances and highest pays of several bets are added. Ties go to the nearer edge, then
            to the plainer table.
        top: the number of tables to return.

    Raises:
        SevenoutError: an invalid file, or no choice of its structure is a game.
        RulesError: an invalid interval, two for one bet, no such bet or wish.
        TooMuchWorkError: the search would exceed the budget.
    """
    return _tunings(game, [edge], hit, volatility, within, wish=wish, top=top)[0]


def tiers(
    game: str | Path | Opened,
    edges: Sequence[Any],
    *,
    hit: IntervalsLike = None,
    volatility: IntervalsLike = None,
    within: Number = 0,
    wish: Wish = "plain",
    top: int = 20,
) -> Tiers:
    """A table for each edge, such as RTP tiers of 92, 94 and 96 %, with few changes.

    >>> ladder = tiers("docs/examples/fast-craps-open.toml", ["5%", "3%"], within="0.5%")
    >>> [tier.count for tier in ladder.tiers], ladder.changes
    ([1, 1], (2,))

    Args:
        game: a file with open numbers, or its path.
        edges: the edge of each tier, as in `tune`.
        hit: as in `tune`.
        volatility: as in `tune`.
        within: as in `tune`.
        wish: as in `tune`.
        top: the number of tables to return for each tier.

    Raises:
        RulesError: no list of edges.
        SevenoutError: as in `tune`.
    """
    if isinstance(edges, str) or not isinstance(edges, list | tuple) or not edges:
        raise RulesError(f'edges={shown(edges)}; list the edge of each tier, such as ["8%", "6%"]')
    tunings = _tunings(
        game, edges, hit, volatility, within, wish=wish, top=top, min_tables=LADDER_CANDIDATES
    )
    ladder = _ladder([tier.tables[:LADDER_CANDIDATES] for tier in tunings])
    changes = tuple(_count_changes(table, following) for table, following in pairwise(ladder))
    return Tiers(tuple(replace(t, tables=t.tables[:top]) for t in tunings), ladder, changes)


def _tunings(
    game: str | Path | Opened,
    edges: Sequence[IntervalsLike],
    hit: IntervalsLike,
    volatility: IntervalsLike,
    within: Number,
    *,
    wish: Wish,
    top: int,
    min_tables: int = 0,
) -> list[Tuning]:
    """The best tables for each edge: `top` of them, or `min_tables` if that is more.

    The game is solved once. All else is as in `tune`.
    """
    require("numpy")
    opened = game if isinstance(game, Opened) else _read_game(game)
    if wish not in WISHES:
        raise RulesError(f"wish={shown(wish)}; give {', '.join(map(repr, WISHES))}")
    # True is an int to Python
    if type(top) is not int or not 0 <= top <= MAX_TABLES:
        raise RulesError(f"top={shown(top)}; return from 0 to {MAX_TABLES:,} tables")
    edges_by_bet = [parse_intervals(edge, "edge") for edge in edges]
    is_single = any(edge.is_single for by_bet in edges_by_bet for edge in by_bet.values())
    tolerance = _parse_within(within, is_single)
    others: dict[Figure, IntervalsLike] = {"hit": hit, "volatility": volatility}
    other_intervals = {figure: parse_intervals(x, figure) for figure, x in others.items()}
    structures, refused = solved_structures(opened)
    tunings = []
    for by_bet in edges_by_bet:
        widened = {bet: _widen(edge, tolerance) for bet, edge in by_bet.items()}
        bounds = _bounds_by_bet(structures, opened, {"edge": widened, **other_intervals})
        criteria = Criteria(bounds, wish, max(top, min_tables))
        tunings.append(_best_tables(opened, structures, refused, criteria))
    return tunings


def _parse_within(within: Number, is_used: bool) -> Fraction:
    """The tolerance of an edge, exactly; refused if it would change nothing."""
    try:
        tolerance = exact(within)
    except RulesError as error:
        raise RulesError(f"within: {error}") from None
    if not 0 <= tolerance <= 1:
        raise RulesError(f"within={shown(str(within))}; give from 0 to 1, such as 1/200 or 0.5%")
    if tolerance and not is_used:
        raise RulesError(
            f"within={shown(within)} is for an edge that is one number; write an edge such as 5%, "
            "or leave within out"
        )
    return tolerance


def _read_game(game: Any) -> Opened:
    """The game of a file with open numbers.

    Raises:
        RulesError: not a path.
    """
    if not isinstance(game, str | Path) or not str(game):
        raise RulesError(
            f"{shown(game)} is not a game file; give the path of one with open numbers"
        )
    return read_opened(game)


def _bounds_by_bet(
    structures: Sequence[Structure],
    opened: Opened,
    requested: Mapping[Figure, Mapping[str | None, FigureInterval]],
) -> dict[str, FigureBounds]:
    """The bounds of each bet, from the intervals of each figure as in `parse_intervals`.

    Raises:
        RulesError: a bet that the open numbers don't change, or a number that is never paid.
    """
    forms = structures[0].forms
    all_forms = [form for structure in structures for form in structure.forms.values()]
    paid = {name for form in all_forms for name in form.chances}
    idle = [name for name in opened.pays if name not in paid]
    # with choices a pay may be idle since optimal play never gets there
    if idle and not opened.has_offers:
        raise RulesError(f"the open number {idle[0]} never pays; leave it out")
    affected = [bet for bet, form in forms.items() if _is_affected(form, opened)]
    bounds = dict.fromkeys(forms, FigureBounds())
    for figure, intervals in requested.items():
        for bet in intervals:
            if bet is not None and bet not in affected:
                listed = printable(", ".join(affected), 200) or "none"
                raise RulesError(
                    f"{figure} of {shown(bet)}, which is no bet that the open numbers change; "
                    f"they change: {listed}"
                )
        for bet in affected:
            interval = intervals.get(bet, intervals.get(None, ANY_VALUE))
            bounds[bet] = replace(bounds[bet], **{figure: interval})
    return bounds


def _is_affected(form: BetForm, opened: Opened) -> bool:
    """Whether a bet's figures may depend on the open numbers."""
    return bool(form.chances or opened.structure or opened.has_offers)


def _widen(edge: FigureInterval, within: Fraction) -> FigureInterval:
    """An edge given as one number, with its tolerance; an interval as it is."""
    if not within or edge.low is None or not edge.is_single:
        return edge
    interval = parse_interval((edge.low - within, edge.low + within), "edge")
    return interval._replace(text=f"{edge.text} ± {100 * within} %")


def _best_tables(
    opened: Opened, structures: Sequence[Structure], refused: int, criteria: Criteria
) -> Tuning:
    """The best tables of all structures."""
    # a structure with several optimal policies is listed for each; its tables are counted once
    sizes = [s.size for s in {tuple(s.values.values()): s for s in structures}.values()]
    considered = sum(size for size, _ in sizes)
    criteria.must_be_affordable(structures, considered)
    count, best = 0, list[tuple[RankedTable, Structure]]()
    for structure in structures:
        structure_count, structure_best = criteria.best(structure)
        count += structure_count
        best += [(table, structure) for table in structure_best]
        best.sort(key=lambda entry: (entry[0][0], [entry[0][1][n] for n in opened.numbers]))
        best = best[: criteria.top]
    tables = []
    for ((*_, cost), values), structure in best:
        figures = {
            bet: form.figures(values)
            for bet, form in structure.forms.items()
            if _is_affected(form, opened)
        }
        numbers = {name: values[name] for name in opened.numbers}
        tables.append(Tuned(opened, numbers, figures, cost))
    return Tuning(
        opened,
        tuple(tables),
        count,
        considered,
        is_exact=all(is_exact for _, is_exact in sizes),
        refused_structures=refused,
        criteria=criteria,
        notes=() if count else tuple(why_no_table(structures, criteria.bounds)),
        structures=tuple(structures),
    )


def _count_changes(table: Tuned, following: Tuned) -> int:
    """The number of open numbers that differ between two tables."""
    return sum(table.numbers[name] != following.numbers[name] for name in table.numbers)


RatedLadder = tuple[tuple[int, int], tuple[Tuned, ...]]
"""The changes and the cost of a ladder, and its tables."""


def _ladder(tables: Sequence[Sequence[Tuned]]) -> tuple[Tuned, ...]:
    """A table of each tier: the fewest changes, then the least cost (Bellman 1957)."""
    if not all(tables):
        return ()
    # for each table of a tier, the best ladder that ends in it
    best: list[RatedLadder] = [((0, table.cost), (table,)) for table in tables[0]]

    def best_ending_in(table: Tuned) -> RatedLadder:
        longer = (
            ((changes + _count_changes(ladder[-1], table), cost + table.cost), (*ladder, table))
            for (changes, cost), ladder in best
        )
        return min(longer, key=lambda entry: entry[0])

    for tier in tables[1:]:
        best = [best_ending_in(table) for table in tier]
    return min(best, key=lambda entry: entry[0])[1]


def conventions(opened: Opened) -> str:
    """The conventions of a table's figures."""
    return f"{CONVENTIONS} {AWARDS}" if PROGRESSIVE in opened.data else CONVENTIONS


def table_of_tunings(tables: Sequence[Tuned], criteria: Criteria) -> Table:
    """A row for each table, with its open numbers and figures; pays in one list share a column."""
    groups = _numbers_by_column(tables[0].opened)
    figures = _figure_columns(list(tables[0].figures), criteria.bounds)
    columns = [Column(_column_name(group), LABEL) for group in groups]
    columns += [column for _, _, column in figures]
    rows = []
    for table in tables:
        numbers = ["  ".join(str(table.numbers[name]) for name in group) for group in groups]
        values = [getattr(table.figures[bet], figure) for bet, figure, _ in figures]
        rows.append((*numbers, *values, table.cost))
    return Table([*columns, Column("roughness", COUNT)], rows)


def _numbers_by_column(opened: Opened) -> list[list[str]]:
    """The open numbers; those of successive rolls of one list are together."""
    groups: list[list[str]] = []
    for name, positions in opened.paths.items():
        last = opened.paths[groups[-1][-1]][0] if groups else ()
        *keys, index = positions[0]
        if isinstance(index, int) and last[:-1] == tuple(keys) and index == last[-1] + 1:
            groups[-1].append(name)
        else:
            groups.append([name])
    return groups


def _figure_columns(
    bets: Sequence[str], bounds: Mapping[str, FigureBounds]
) -> list[tuple[str, str, Column]]:
    """The figures that a table shows: the bet, the attribute of `Figures`, and its column."""
    # of many bets only what was bounded: the table would be wider than a page
    has_few_bets = len(bets) <= 2
    columns = []
    for bet in bets:
        prefix = "" if len(bets) == 1 else f"{bet}: "
        columns.append((bet, "edge", Column(f"{prefix}edge", PERCENT)))
        if has_few_bets or not bounds[bet].hit.is_unbounded:
            columns.append((bet, "hit", Column(f"{prefix}hit", PERCENT.with_digits(2))))
        if has_few_bets or not bounds[bet].volatility.is_unbounded:
            column = Column(f"{prefix}std. dev.", DECIMAL.with_digits(4))
            columns.append((bet, "volatility", column))
    return columns


def _column_name(group: Sequence[str]) -> str:
    """The header of a column of one or more numbers."""
    stem = group[0].removesuffix(" roll 1")
    return stem if all(n == f"{stem} roll {k}" for k, n in enumerate(group, 1)) else " ".join(group)
