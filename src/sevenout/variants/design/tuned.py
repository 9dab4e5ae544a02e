"""Results of tuning a game."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from sevenout.documents import Block, Column, Page, Shown, Table, Text
from sevenout.documents.kinds import COUNT, DECIMAL, LABEL, PERCENT
from sevenout.documents.numbers import exactly, many
from sevenout.errors import RulesError, shown
from sevenout.rules.gamefiles.gamefile import GameFile
from sevenout.rules.gamefiles.gamereader import PROGRESSIVE
from sevenout.rules.gamefiles.open_parameters import Opened, filled_text
from sevenout.variants.design.forms import Figures
from sevenout.variants.design.opensearch import Seeker, Structure
from sevenout.variants.design.plainness import SAID

AWARDS = (
    "The edge of a bet with a progressive award is that of the long run, with the award; its hit "
    "frequency and its volatility leave the award out."
)
CONVENTIONS = (
    "Edge: the mean loss per unit staked, per bet made. Hit frequency: the probability of a "
    "profit, pushes no hits. Volatility: the standard deviation of the profit per unit staked."
)
ORDERS = {
    "plain": SAID,
    "edge": "The edge nearest to the one aimed at first.",
    "calm": "The lowest variance first.",
    "top": "The highest pay first, summed over the bets.",
}


@dataclass(frozen=True)
class Tuned:
    """A game with a value for each of its open numbers.

    >>> from sevenout.variants import tune
    >>> table = tune("docs/examples/fast-craps-open.toml", edge="5%..6%").tables[0]
    >>> table.numbers["a1"], table.figures["pass"].hit, table.cost
    (Fraction(5, 1), Fraction(95341, 419904), 5)

    Attributes:
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
class Tuning(Shown):
    """The result of `tune`.

    >>> from sevenout.variants import tune
    >>> tune("docs/examples/fast-craps-open.toml", edge="1%..2%").said
    '3 of 14,112 tables keep the bounds'

    Attributes:
        tables: the best tables, in order.
        count: the number within the bounds.
        considered: the number of all tables.
        exactly: whether that is exact or an upper bound.
        refused: the choices of limits, totals and stakes that contradict the rules.
        notes: what can be reached, if nothing was found.
    """

    opened: Opened = field(repr=False)
    tables: tuple[Tuned, ...]
    count: int
    considered: int
    exactly: bool
    refused: int
    seeker: Seeker = field(repr=False)
    notes: tuple[str, ...] = ()
    structures: tuple[Structure, ...] = field(default=(), repr=False)

    def __iter__(self) -> Iterator[Tuned]:
        return iter(self.tables)

    def __len__(self) -> int:
        return len(self.tables)

    @property
    def said(self) -> str:
        """The number of tables, in words."""
        most = "" if self.exactly else "at most "
        return f"{self.count:,} of {most}{many(self.considered, 'table')} keep the bounds"

    def page(self) -> Page:
        """Each table's open numbers, and the figures of each bet."""
        blocks: list[Block] = []
        if self.tables:
            blocks.append(table_of(self.tables, self.seeker))
        shown_ = f"; the best {len(self.tables):,} are shown" if len(self) < self.count else ""
        blocks.append(Text(f"{self.said}{shown_ if self.tables else ''}."))
        blocks += [Text(note) for note in self.notes]
        if self.refused:
            blocks.append(
                Text(
                    f"{self.refused:,} choices of limits, totals or stakes are no game.",
                    tone="note",
                )
            )
        if self.tables:
            said = f"{ORDERS[self.seeker.wish]} {conventions(self.opened)}"
            blocks.append(Text(said, tone="note"))
        return Page("", *blocks)

    def to_dict(self) -> dict[str, Any]:
        return {
            "count": self.count,
            "considered": self.considered,
            "considered_exactly": self.exactly,
            "refused_structures": self.refused,
            "notes": list(self.notes),
            "tables": [table.to_dict() for table in self.tables],
        }

    def frontier(self, bet: str | None = None, bins: int = 120) -> list[tuple[float, float, float]]:
        """The least and greatest volatility of all tables found, by edge.

        Args:
            bet: the bet; by default the first with open pays.
            bins: the number of parts into which the range of edges is cut.

        Returns:
            for each part with a table, its middle, and the least and greatest standard deviation.

        Raises:
            RulesError: no such bet with open pays, or nothing was found.
        """
        import numpy as np

        open_bets = list(
            dict.fromkeys(n for s in self.structures for n, f in s.forms.items() if f.chances)
        )
        name = bet or next(iter(open_bets), None)
        if name not in open_bets:
            listed = shown(", ".join(open_bets), 200)[1:-1] or "none"
            raise RulesError(
                f"{shown(name)} has no open pay; the bets with open pays are: {listed}"
            )
        if type(bins) is not int or bins < 1:
            raise RulesError(f"bins={shown(bins)}; give 1 or more")
        if not self.count:
            raise RulesError("no table was found, so there is no frontier; widen the bounds")
        low, high = np.inf, -np.inf
        for edges, _ in self._points(name):
            low, high = min(low, float(edges.min())), max(high, float(edges.max()))
        least, most = np.full(bins, np.inf), np.full(bins, -np.inf)
        for edges, spread in self._points(name):
            part = ((edges - low) / ((high - low) or 1.0) * bins).astype(int).clip(0, bins - 1)
            np.minimum.at(least, part, spread)
            np.maximum.at(most, part, spread)
        width = (high - low) / bins
        return [
            (low + (k + 0.5) * width, float(least[k]) ** 0.5, float(most[k]) ** 0.5)
            for k in np.flatnonzero(np.isfinite(least)).tolist()
        ]

    def _points(self, bet: str) -> Iterator[tuple[Any, Any]]:
        """A bet's edge and variance in every table, block by block."""
        counting = replace(self.seeker, top=0)
        for structure in self.structures:
            if not counting.best(structure)[0]:
                continue
            for names, forms in structure.components:
                for k, form in enumerate(forms):
                    if form.bet == bet:
                        ranking = self.seeker.ranking(structure, names, forms)
                        for block in self.seeker.kept(ranking):
                            edges = -ranking.means(block, k) - float(form.added)
                            yield edges, ranking.variances(block, k)


@dataclass(frozen=True)
class Tiers(Shown):
    """The result of `tiers`.

    >>> from sevenout.variants import tiers
    >>> found = tiers("docs/examples/fast-craps-open.toml", ["1%..2%", "5%..6%"])
    >>> [tier.count for tier in found.tiers], found.changes
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
            blocks.append(table_of(self.ladder, self.tiers[0].seeker))
        wanted = [tier.seeker.wanted for tier in self.tiers]
        rows = []
        for each, tier in zip(wanted, self.tiers, strict=True):
            asked = [str(want.edge) for want in each.values() if not want.edge.is_open]
            edge = "; ".join(dict.fromkeys(asked)) or "any"
            rows.append((edge, tier.count, tier.considered, " ".join(tier.notes)))
        columns = ["edge", Column("tables", COUNT), Column("of", COUNT), "if none"]
        cut = -1 if not any(row[3] for row in rows) else None
        blocks.append(Table(columns[:cut], [row[:cut] for row in rows], caption="Tiers"))
        if self.ladder:
            changed = " and ".join(map(str, self.changes))
            blocks.append(
                Text(
                    f"The first table has one row for each tier: of the best tables of each, those "
                    f"between which the fewest numbers change ({changed} from tier to tier), and "
                    f"of these the plainest. {ORDERS[self.tiers[0].seeker.wish]} "
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


def conventions(opened: Opened) -> str:
    """The conventions of a table's figures."""
    return f"{CONVENTIONS} {AWARDS}" if PROGRESSIVE in opened.data else CONVENTIONS


def table_of(tables: Sequence[Tuned], seeker: Seeker) -> Table:
    """Tables side by side; pays in one list share a column."""
    opened = tables[0].opened
    groups: list[list[str]] = []
    for name, places in opened.places.items():
        last = opened.places[groups[-1][-1]][0] if groups else ()
        here = places[0]
        if isinstance(here[-1], int) and last[:-1] == here[:-1] and here[-1] == last[-1] + 1:
            groups[-1].append(name)
        else:
            groups.append([name])
    bets = list(tables[0].figures)
    wanted = seeker.wanted
    few = len(bets) <= 2
    columns = [Column(_head(group), LABEL) for group in groups]
    figures: list[tuple[str, Any, Any]] = []
    for bet in bets:
        of = "" if len(bets) == 1 else f"{bet}: "
        figures.append((bet, Column(f"{of}edge", PERCENT), lambda f: f.edge))
        if few or not wanted[bet].hit.is_open:
            figures.append((bet, Column(f"{of}hit", PERCENT.to(2)), lambda f: f.hit))
        if few or not wanted[bet].volatility.is_open:
            figures.append((bet, Column(f"{of}std. dev.", DECIMAL.to(4)), lambda f: f.volatility))
    rows = [
        (
            *("  ".join(str(table.numbers[n]) for n in group) for group in groups),
            *(get(table.figures[bet]) for bet, _, get in figures),
            table.cost,
        )
        for table in tables
    ]
    return Table(
        [*columns, *(column for _, column, _ in figures), Column("roughness", COUNT)], rows
    )


def _head(group: Sequence[str]) -> str:
    """The header of a column of one or more numbers."""
    stem = group[0].removesuffix(" roll 1")
    return stem if all(n == f"{stem} roll {k}" for k, n in enumerate(group, 1)) else " ".join(group)
