"""An entry of the catalogue: a game that can be looked up by name, as data."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from inspect import getdoc, signature
from typing import Any

from sevenout.errors import RulesError
from sevenout.rules import Game


@dataclass(frozen=True)
class Entry:
    """One game or bet of the catalogue.

    Attributes:
        id: its name in the catalogue.
        title: its name in print.
        family: the game that it belongs to, such as "Craps".
        build: makes the game; its keyword arguments are the options of the entry.
        bet: the bet that the entry is about.
        convention: what its edge is per, when it is not per bet made: "resolved", "roll" or "risk".
        source: where the rules and the known answers come from.
        known: known answers, by the name of a figure of the bet ("edge", "p_win", ...).
    """

    id: str
    title: str
    family: str
    build: Callable[..., Game] = field(repr=False)
    bet: str = "pass"
    convention: str = "made"
    source: str = ""
    known: Mapping[str, Fraction] = field(default_factory=dict, repr=False)

    @property
    def rules(self) -> str:
        """The rules, in words: the docstring of what builds the game."""
        return getdoc(self.build) or ""

    @property
    def options(self) -> dict[str, Any]:
        """The entry's options and their defaults."""
        return {name: p.default for name, p in signature(self.build).parameters.items()}


class Catalogue(Mapping[str, Game]):
    """The games by name; calling it gives a game with options.

    Args:
        load: gives the entries; called when the catalogue is first looked into.
    """

    def __init__(self, load: Callable[[], list[Entry]]) -> None:
        self._load = load
        self._entries: dict[str, Entry] | None = None

    @property
    def entries(self) -> Mapping[str, Entry]:
        """Every entry, by id."""
        if self._entries is None:
            self._entries = {entry.id: entry for entry in self._load()}
        return self._entries

    def entry(self, name: str) -> Entry:
        """The entry of a name.

        Raises:
            RulesError: there is none; the message says which is nearest.
        """
        if name not in self.entries:
            near = get_close_matches(name, self.entries, 3, 0.5)
            hint = f"did you mean {' or '.join(near)}?" if near else "see `sevenout games`"
            raise RulesError(f"no game {name!r} in the catalogue; {hint}")
        return self.entries[name]

    def __call__(self, name: str, **options: Any) -> Game:
        """The game of a name, with options: `catalogue("hazard", main=7)`.

        Raises:
            RulesError: no such game or option, or rules that contradict themselves.
        """
        entry = self.entry(name)
        for option in options:
            if option not in entry.options:
                known = ", ".join(entry.options) or "none"
                raise RulesError(f"{name} has no option {option!r}; its options: {known}")
        return entry.build(**options)

    def __getitem__(self, name: str) -> Game:
        return self(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def search(self, *words: str) -> list[Entry]:
        """The entries whose id, title, family or rules have every word in them."""

        def text(entry: Entry) -> str:
            return f"{entry.id} {entry.title} {entry.family} {entry.rules}".lower()

        return [e for e in self.entries.values() if all(w.lower() in text(e) for w in words)]
