"""Entries of the catalogue."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from functools import cached_property
from inspect import getdoc, signature
from typing import Any, Generic, TypeVar
from unicodedata import normalize

from sevenout.errors import RulesError, shown
from sevenout.games.finding import found
from sevenout.games.option_types import fits, words
from sevenout.model import chain_of
from sevenout.numerals import Number
from sevenout.rules import Game, Pay

FIGURES = {
    "made": "edge",
    "resolved": "edge_resolved",
    "roll": "edge_per_roll",
    "risk": "element_of_risk",
}
"""The figure of a bet that each convention calls its edge."""


@dataclass(frozen=True)
class CatalogueItem:
    """An entry: a name, rules in words, and options.

    Attributes:
        build: a function whose keyword arguments are the entry's options.
        given: this entry's options that differ from the defaults of `build`.
        family: the game that it belongs to, such as "Craps".
    """

    id: str
    title: str
    build: Callable[..., Game] = field(repr=False)
    given: Mapping[str, Any] = field(default_factory=dict, repr=False)
    _: KW_ONLY
    family: str
    source: str = ""

    @property
    def rules(self) -> str:
        """The rules in words, for the entry's own options."""
        return self.rules_with()

    def rules_with(self, /, **options: Any) -> str:
        """The docstring of `build`, with numbers for options.

        >>> from sevenout.games import decisions
        >>> decisions["shut-the-box"].rules_with(tiles=12).partition(".")[0]
        'Tiles 1 to 12 are open'
        """
        given = self.options | options

        def number(named: re.Match[str]) -> str:
            value = given.get(named[1])
            plain = isinstance(value, int | Fraction) and not isinstance(value, bool)
            return str(value) if value and plain else named[0]

        return re.sub(r"`(\w+)`", number, getdoc(self.build) or "")

    @property
    def options(self) -> dict[str, Any]:
        """The entry's options and their defaults."""
        defaults = {name: p.default for name, p in signature(self.build).parameters.items()}
        return defaults | dict(self.given)

    def game(self, /, **options: Any) -> Game:
        """The game, with options.

        Raises:
            RulesError: no such option, a value of the wrong kind, or contradictory rules.
        """
        for option, value in options.items():
            if option not in self.options:
                known = ", ".join(self.options) or "none"
                raise RulesError(f"{self.id} has no option {option!r}; its options: {known}")
            kind = signature(self.build).parameters[option].annotation
            if not fits(value, kind):
                raise RulesError(f"{option}={shown(value)}; give {words(kind)}")
        return self.build(**{**self.given, **options})


@dataclass(frozen=True)
class Entry(CatalogueItem):
    """A game or bet of the catalogue.

    >>> from sevenout.games import catalogue
    >>> entry = catalogue.entry("place-6-8")
    >>> entry.options, entry.known
    ({'number': 6}, {'edge': Fraction(1, 66)})

    Attributes:
        bet: the entry's bet; "" for none.
        convention: the edge is per bet "made", bet "resolved", "roll" or unit at "risk".
        edge: the edge in that convention, published or computed twice.
    """

    _: KW_ONLY
    bet: str = "pass"
    convention: str = "made"
    edge: Number | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.convention not in FIGURES:
            raise RulesError(
                f"{self.id}: no convention {self.convention!r}; there are: {', '.join(FIGURES)}"
            )

    @property
    def known(self) -> dict[str, Fraction]:
        """The known figures of the bet, by name."""
        return {} if self.edge is None else {FIGURES[self.convention]: Fraction(self.edge)}

    @property
    def pays(self) -> tuple[Pay, ...]:
        """The payments of the bet, the best first."""
        if not self.bet:
            return ()
        pays = {outcome.pay(self.bet) for outcome in chain_of(self.game()).outcomes}
        return tuple(sorted(pays, key=lambda pay: (-pay.profit, pay.event)))


E = TypeVar("E", bound=CatalogueItem)


class Shelf(Generic[E]):
    """Entries by name; a call gives a game with options.

    Args:
        load: gives the entries, on first use.
        former: ids by former ids, which remain valid.
    """

    def __init__(
        self, load: Callable[[], list[E]], former: Mapping[str, str] | None = None
    ) -> None:
        self._load = load
        self._former = former or {}

    @cached_property
    def entries(self) -> Mapping[str, E]:
        """Every entry, by id."""
        return _by_id(self._load())

    @cached_property
    def _named(self) -> Mapping[str, E]:
        """Entries by title and by former id."""
        every = self.entries.values()
        titles = {name(e.title): e for name in (str.casefold, typed) for e in every}
        return titles | {former: self.entries[id] for former, id in self._former.items()}

    def entry(self, name: str) -> E:
        """The entry with an id or a title.

        >>> from sevenout.games import catalogue
        >>> catalogue.entry("Don't pass (bar 3, ace-deuce)").id
        'dont-pass-bar-3'

        Raises:
            RulesError: there is none; the message names the nearest.
        """
        if name in self:
            return self.entries.get(name) or self._named[name.casefold()]
        near = get_close_matches(name, self.entries, 3, 0.5) if isinstance(name, str) else []
        hint = f"did you mean {' or '.join(near)}?" if near else "see `sevenout games`"
        raise RulesError(f"no game {shown(name)} in the catalogue; {hint}")

    def __call__(self, name: str, /, **options: Any) -> Game:
        """The game of a name, with options: `catalogue("hazard", main=7)`.

        Raises:
            RulesError: no such game or option, or contradictory rules.
        """
        return self.entry(name).game(**options)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self.entries or name.casefold() in self._named)

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def search(self, *words: str) -> list[E]:
        """The entries that match all words, the best first."""
        return found(self.entries.values(), words)


def typed(title: str) -> str:
    """A title in a form that is easy to type.

    >>> typed("Don't pass (bar 3, ace-deuce)")
    'dont-pass-bar-3-ace-deuce'
    """
    plain = normalize("NFKD", title.lower().replace("'", "")).encode("ascii", "ignore").decode()
    return re.sub("[^a-z0-9]+", "-", plain).strip("-")


class Catalogue(Shelf[Entry], Mapping[str, Game]):
    """The games by name; a call gives a game with options.

    >>> from sevenout.games import catalogue
    >>> catalogue("horn", high=12).stake
    Fraction(5, 1)
    >>> list(catalogue.endless), "monopoly" in catalogue.entries
    (['monopoly', 'monopoly-again', 'monopoly-leave', 'dogs-and-fleas'], False)

    Args:
        endless: gives the games without an end. They are found by name, but are not entries, since
            those can be solved.
    """

    def __init__(
        self,
        load: Callable[[], list[Entry]],
        former: Mapping[str, str] | None = None,
        endless: Callable[[], list[Entry]] = list,
    ) -> None:
        super().__init__(load, former)
        self.endless = Shelf(endless)

    def entry(self, name: str) -> Entry:
        return self.endless.entry(name) if name in self.endless else super().entry(name)

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in self.endless

    def __getitem__(self, name: str) -> Game:
        return self(name)


def _by_id(entries: list[E]) -> dict[str, E]:
    by_id = {entry.id: entry for entry in entries}
    if len(by_id) < len(entries):
        ids = [entry.id for entry in entries]
        twice = next(name for name in ids if ids.count(name) > 1)
        raise RulesError(f"two entries of the catalogue have the id {twice!r}; rename one")
    return by_id
