"""What a search for pay tables returns."""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sevenout.page import Column, Page, Shown, Table, Text
from sevenout.page.kinds import DECIMAL, LABEL, PERCENT
from sevenout.rules import PayTable

Group = tuple[Hashable, ...]
"""Points that pay alike."""


@dataclass(frozen=True)
class FoundTable:
    """One pay table.

    Attributes:
        pays: for each group of points, the profit by roll (one profit, without a limit on rolls).
        edge: the exact house edge per bet made.
        variance: the exact variance of the profit, per unit staked.
        line: the bet, for use in a game.
    """

    pays: Mapping[Group, tuple[Fraction, ...]]
    edge: Fraction
    variance: Fraction
    line: PayTable

    @property
    def top(self) -> Fraction:
        """The highest pay."""
        return max(pay for row in self.pays.values() for pay in row)

    def to_dict(self) -> dict[str, Any]:
        """The table as data."""
        return {
            "pays": {
                ",".join(map(str, group)): [str(pay) for pay in row]
                for group, row in self.pays.items()
            },
            "edge": str(self.edge),
            "variance": str(self.variance),
            "top": str(self.top),
        }


@dataclass(frozen=True)
class FoundTables(Shown):
    """What a search for pay tables found.

    >>> from sevenout.games import catalogue
    >>> from sevenout.variants import paytables
    >>> paytables(catalogue["fast-craps-pass"], edge=("1/100", "2/100")).count
    3

    Attributes:
        tables: the best, best first.
        count: how many tables have an edge in the interval.
        considered: how many tables there are in the given steps and bounds.
    """

    tables: tuple[FoundTable, ...]
    count: int
    considered: int

    def __iter__(self) -> Iterator[FoundTable]:
        return iter(self.tables)

    def __len__(self) -> int:
        return len(self.tables)

    def page(self) -> Page:
        """A table in each row: the pays of each group by roll, the edge, the variance."""
        groups = [" or ".join(map(str, g)) for g in self.tables[0].pays] if self.tables else []
        columns = [Column(group, LABEL) for group in groups]
        columns += [Column("house edge", PERCENT), Column("variance", DECIMAL.to(4))]
        rows = [
            (*("  ".join(map(str, row)) for row in each.pays.values()), each.edge, each.variance)
            for each in self.tables
        ]
        note = f"{len(self.tables):,} of {self.count:,} tables, out of {self.considered:,}"
        return Page("", Table(columns, rows), Text(note, tone="note"))

    def to_dict(self) -> dict[str, Any]:
        """The tables as data."""
        return {
            "count": self.count,
            "considered": self.considered,
            "tables": [table.to_dict() for table in self.tables],
        }
