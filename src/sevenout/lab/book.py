"""The catalogue with the figures of every bet, solved once for the whole lab."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from threading import Lock

from sevenout.errors import SevenoutError
from sevenout.exact import BetResult, solve
from sevenout.games import Entry, catalogue
from sevenout.games.entry import FIGURES

CONVENTIONS = {
    "made": "per bet made",
    "resolved": "per bet resolved",
    "roll": "per roll",
    "risk": "per unit at risk",
}


@dataclass(frozen=True)
class Row:
    """One bet of the catalogue.

    Attributes:
        entry: the entry.
        bet: its bet, solved; None for a game without bets.
    """

    entry: Entry
    bet: BetResult | None

    @cached_property
    def edge(self) -> Fraction | None:
        """The house edge, by the entry's own convention."""
        return None if self.bet is None else getattr(self.bet, FIGURES[self.entry.convention])


class Book:
    """The rows that are solved so far; several threads may ask at once."""

    def __init__(self) -> None:
        self._rows: dict[str, Row] = {}
        self._lock = Lock()

    @property
    def size(self) -> int:
        """How many bets the catalogue has."""
        return len(catalogue)

    @property
    def solved(self) -> int:
        """How many of them are solved."""
        return len(self._rows)

    def get(self, name: str) -> Row | None:
        """A row, if it is solved."""
        return self._rows.get(name)

    def row(self, name: str) -> Row:
        """A row, solved now if it was not.

        Raises:
            RulesError: no such entry.
        """
        entry = catalogue.entry(name)
        if (row := self._rows.get(name)) is None:
            row = self._rows[name] = _solved(entry)
        return row

    def fill(self, count: int) -> bool:
        """Solve some more; whether there is more to solve. The large games come last."""
        with self._lock:
            left = [name for name in catalogue if name not in self._rows]
            left.sort(key=lambda name: name.startswith("repeater"))
            for name in left[:count]:
                self.row(name)
            return len(left) > count


def _solved(entry: Entry) -> Row:
    if not entry.bet:
        return Row(entry, None)
    try:
        row = Row(entry, solve(entry.game()).bet(entry.bet))
        _ = row.edge
    except SevenoutError:
        return Row(entry, None)
    return row
