"""Entries of the catalogue: games and bets by name, with their rules, options and known figures.

`Shelf.search` finds them by text, synonyms and close spelling.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from functools import cached_property
from inspect import signature
from types import NoneType, UnionType
from typing import Any, Literal, Protocol, TypeVar, Union, get_args, get_origin
from unicodedata import normalize

from sevenout.docstrings import own_docstring
from sevenout.documents.words import word_list
from sevenout.errors import NoSuchOptionError, RulesError, shown
from sevenout.model import chain_of
from sevenout.model.process import Policy
from sevenout.numerals import Number
from sevenout.rules import Game, Pay, Surrender
from sevenout.rules.modified_games import LEAVE, RIDE
from sevenout.rules.objective import least, most, with_objective
from sevenout.wrong_arguments import fits

FIGURES = {
    "made": "edge",
    "resolved": "edge_resolved",
    "roll": "edge_per_roll",
    "risk": "element_of_risk",
}
"""The figure of a bet that each convention calls its edge."""
UNSAID = "?"
"""The bet of an entry that names none: pass, or none where there are choices."""
NUMBERED_POLICY = re.compile(r"(?P<stem>.+-)(?P<number>\d{1,6})", re.ASCII)
"""A policy's name that ends in a number: hold-20."""


@dataclass(frozen=True)
class Entry:
    """A game or bet of the catalogue: its rules in words, its options, and what is known of it.

    >>> from sevenout.catalogue import games
    >>> entry = games.entry("place-6-8")
    >>> entry.options, entry.known
    ({'number': 6}, {'edge': Fraction(1, 66)})
    >>> pig = games.entry("pig-turn")
    >>> pig.goal, pig.known, tuple(pig.policies)
    ({'most': 'points'}, {'value': Fraction(492303203, 60466176)}, ('hold-20',))

    Attributes:
        id: its name in addresses and commands: "place-6-8".
        title: its name for people: "Place 6/8".
        build: a function whose keyword arguments are the entry's options.
        own_options: this entry's options that differ from the defaults of `build`.
        family: the game that it belongs to, such as "Craps".
        source: where the rules come from.
        bet: the entry's bet; "" for none. Pass by default, and none in a game with choices.
        convention: the edge is per bet "made", bet "resolved", "roll" or unit at "risk".
        edge: the edge in that convention, published or computed twice.
        most: a bet, a counter or an outcome to maximise, as `sevenout.best` takes it. An entry
            with `most` or `least` is a game with choices.
        least: the same to minimise, in place of `most`.
        readings: disputed rules, and the version used here.
        policies: well-known simple policies by name; each is a function of a game. If a name ends
            in a number, it takes any number as a second argument.
        value: the value of optimal play, published or computed twice; with "..." at the end, its
            first digits.
        players: 1 or 2.
    """

    id: str
    title: str
    build: Callable[..., Game] = field(repr=False)
    own_options: Mapping[str, Any] = field(default_factory=dict, repr=False)
    _: KW_ONLY
    family: str
    source: str = ""
    bet: str = UNSAID
    convention: str = "made"
    edge: Number | None = field(default=None, repr=False)
    most: str | tuple[str, ...] | None = None
    least: str | tuple[str, ...] | None = None
    players: int = 1
    readings: tuple[str, ...] = field(default=(), repr=False)
    policies: Mapping[str, Callable[..., Policy]] = field(default_factory=dict, repr=False)
    value: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if self.most is not None and self.least is not None:
            raise RulesError(f"{self.id}: give one goal, most= or least=")
        if self.convention not in FIGURES:
            raise RulesError(
                f"{self.id}: no convention {self.convention!r}; there are: {', '.join(FIGURES)}"
            )
        # A game with choices has a goal, which need not be a bet.
        if self.bet == UNSAID:
            object.__setattr__(self, "bet", "" if self.has_choices else "pass")

    @property
    def has_choices(self) -> bool:
        """Whether a player decides something, and so has a goal."""
        return self.most is not None or self.least is not None

    @property
    def goal(self) -> dict[str, Any]:
        """The goal, as keyword arguments of `sevenout.best`; empty without choices."""
        if not self.has_choices:
            return {}
        return {"most": self.most} if self.least is None else {"least": self.least}

    @property
    def kind(self) -> type[Game]:
        """The class of the game, without making the game.

        >>> from sevenout.catalogue import games
        >>> games.entry("yahtzee").kind.__name__
        'Yahtzee'
        """
        kind: type[Game] = self.build.__annotations__["return"]
        return kind

    @property
    def rules(self) -> str:
        """The rules in words, for the entry's own options."""
        return self.rules_with()

    def rules_with(self, /, **options: Any) -> str:
        """The docstring of `build`, with numbers for options.

        >>> from sevenout.catalogue import games
        >>> games.entry("shut-the-box").rules_with(tiles=12).partition(".")[0]
        'Tiles 1 to 12 are open'
        """
        values = self.options | options

        def number(option: re.Match[str]) -> str:
            value = values.get(option[1])
            # True and 0 would read badly in a sentence: "`alike` lets ..." stays as it is.
            plain = isinstance(value, int | Fraction) and not isinstance(value, bool)
            return str(value) if value and plain else option[0]

        return re.sub(r"`(\w+)`", number, own_docstring(self.build))

    @property
    def options(self) -> dict[str, Any]:
        """The entry's options and their defaults."""
        defaults = {name: p.default for name, p in signature(self.build).parameters.items()}
        return defaults | dict(self.own_options)

    @cached_property
    def alternatives(self) -> dict[str, tuple[str, ...]]:
        """The words that an option may be, by option, where its annotation lists them.

        >>> from sevenout.catalogue import games
        >>> games.entry("yahtzee").alternatives
        {'joker': ('free', 'forced', 'plain')}
        """
        kinds = {name: p.annotation for name, p in signature(self.build).parameters.items()}
        listed = {bool: ("no", "yes")}
        return {
            name: get_args(kind) if get_origin(kind) is Literal else listed[kind]
            for name, kind in kinds.items()
            if get_origin(kind) is Literal or kind is bool
        }

    def game(self, /, **options: Any) -> Game:
        """The game, with options and, if it has choices, its goal.

        >>> from sevenout.catalogue import games
        >>> print(games.entry("threes").game().goal)
        least points

        Raises:
            RulesError: no such option, a value of the wrong kind, or contradictory rules.
        """
        for option, value in options.items():
            if option not in self.options:
                raise NoSuchOptionError(self.id, option, self.options)
            kind = signature(self.build).parameters[option].annotation
            if not fits(value, kind):
                raise RulesError(f"{option}={shown(value)}; give {type_in_words(kind)}")
        game = self.build(**{**self.own_options, **options})
        if self.least is not None:
            return with_objective(game, least(self.least))
        return game if self.most is None else with_objective(game, most(self.most))

    @property
    def known(self) -> dict[str, Fraction]:
        """The known figures with the entry's own options, by name: the edge of its bet, or the
        exact value of optimal play.
        """
        if self.edge is not None:
            return {FIGURES[self.convention]: Fraction(self.edge)}
        if self.value and not self.value.endswith("..."):
            return {"value": Fraction(self.value)}
        return {}

    @property
    def pays(self) -> tuple[Pay, ...]:
        """The payments of the bet, the best first."""
        if not self.bet:
            return ()
        pays = {outcome.pay(self.bet) for outcome in chain_of(self.game()).outcomes}
        return tuple(sorted(pays, key=lambda pay: (-pay.profit, pay.event)))

    def policy(self, name: str, /, **options: Any) -> Policy:
        """A simple policy by name: "hold-20", or "hold-25".

        >>> from sevenout.catalogue import games
        >>> games.entry("pig").policy("hold-25")((30, 40, 24))
        'roll'

        Raises:
            RulesError: no such policy; the message names the others.
        """
        game = self.game(**options)
        if isinstance(name, str):
            match = NUMBERED_POLICY.fullmatch(name)
            for policy_name, make in self.policies.items():
                numbered = NUMBERED_POLICY.fullmatch(policy_name)
                # hold-20 is listed, and stands for hold with any number.
                if match and numbered and match["stem"] == numbered["stem"]:
                    return make(game, int(match["number"]))
                if policy_name == name:
                    return make(game)
        listed = ", ".join(self.policies) or "none"
        raise RulesError(f"{self.id} has no policy {shown(name)}; its policies: {listed}")


def surrender_entry(name: str, title: str, game: Surrender) -> Entry:
    """The entry of a declared bet that may be surrendered; the goal is its highest mean.

    >>> from sevenout.rules import PointGame
    >>> craps = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    >>> given_up = surrender_entry("mine", "Mine", Surrender(craps, {4: "-1/2"}))
    >>> given_up.goal, tuple(given_up.policies)
    ({'most': 'pass'}, ('never', 'always'))
    """
    return Entry(
        name,
        title,
        lambda: game,
        family=title,
        most=game.bet,
        policies={"never": lambda _: lambda state: RIDE, "always": lambda _: lambda state: LEAVE},
    )


class Shelf(Mapping[str, Game]):
    """Games by name; a call gives a game with options.

    >>> from sevenout.catalogue import games
    >>> games("horn", high=12).stake, games("pig", goal=10).target
    (Fraction(5, 1), 10)
    >>> list(games.endless), "monopoly" in games.entries
    (['monopoly', 'monopoly-again', 'monopoly-leave', 'dogs-and-fleas'], False)

    A name is an entry's id, or its title in any case. The mapping iterates over the ids.

    Args:
        load: gives the entries, on first use.
        endless: gives the games without an end. They are found by name, but are not entries, since
            those can be solved.
    """

    def __init__(
        self,
        load: Callable[[], list[Entry]],
        endless: Callable[[], list[Entry]] | None = None,
    ) -> None:
        self._load = load
        self._endless = endless

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        """Every entry, by id."""
        return _by_id(self._load())

    @cached_property
    def endless(self) -> "Shelf":
        """The games that go on for ever; empty if none were own_options."""
        return Shelf(self._endless or list)

    @cached_property
    def without_choices(self) -> Mapping[str, Entry]:
        """The entries of games in which nobody decides, by id: `solve` takes them."""
        return {name: entry for name, entry in self.entries.items() if not entry.has_choices}

    @cached_property
    def with_choices(self) -> Mapping[str, Entry]:
        """The entries of games with choices, by id: `best` takes them."""
        return {name: entry for name, entry in self.entries.items() if entry.has_choices}

    @cached_property
    def _by_title(self) -> Mapping[str, Entry]:
        """The entries by title, in lower case and as in an address."""
        by_title = {entry.title.casefold(): entry for entry in self.entries.values()}
        return by_title | {title_slug(entry.title): entry for entry in self.entries.values()}

    def entry(self, name: str) -> Entry:
        """The entry with an id or a title.

        >>> from sevenout.catalogue import games
        >>> games.entry("Don't pass (bar 3, ace-deuce)").id
        'dont-pass-bar-3'

        Raises:
            RulesError: there is none; the message names the nearest.
        """
        if isinstance(name, str):
            entry = self.entries.get(name) or self._by_title.get(name.casefold())
            if entry is not None:
                return entry
            # Last, since they are no entries: `solve` would refuse them.
            if self._endless and name in self.endless:
                return self.endless.entry(name)
        near = get_close_matches(name, self.entries, 3, 0.5) if isinstance(name, str) else []
        hint = f"did you mean {' or '.join(near)}?" if near else "see `sevenout games`"
        raise RulesError(f"no game {shown(name)} in the catalogue; {hint}")

    def __call__(self, name: str, /, **options: Any) -> Game:
        """The game of a name, with options: `games("hazard", main=7)`.

        Raises:
            RulesError: no such game or option, or contradictory rules.
        """
        return self.entry(name).game(**options)

    def __getitem__(self, name: str) -> Game:
        return self(name)

    def __repr__(self) -> str:
        return f"<Shelf of {len(self)} games>"

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (
            name in self.entries
            or name.casefold() in self._by_title
            or (self._endless is not None and name in self.endless)
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def search(self, *words: str) -> list[Entry]:
        """The entries that match all words, the best first."""
        return search_entries(self.entries.values(), words)


def title_slug(title: str) -> str:
    """A title in a form that is easy to type, and fits an address.

    >>> title_slug("Don't pass (bar 3, ace-deuce)")
    'dont-pass-bar-3-ace-deuce'
    """
    # "De Méré" is title_slug without its accents.
    plain = normalize("NFKD", title.lower().replace("'", "")).encode("ascii", "ignore").decode()
    return re.sub("[^a-z0-9]+", "-", plain).strip("-")


def _by_id(entries: list[Entry]) -> dict[str, Entry]:
    """The entries by their id, which no two may share."""
    by_id = {entry.id: entry for entry in entries}
    # The later of two would hide the other.
    if len(by_id) < len(entries):
        ids = [entry.id for entry in entries]
        twice = next(name for name in ids if ids.count(name) > 1)
        raise RulesError(f"two entries of the catalogue have the id {twice!r}; rename one")
    return by_id


# --- the types of options -------------------------------------------------------------------------


def type_in_words(kind: Any) -> str:
    """A type in words.

    >>> type_in_words(int | tuple[int, int, int])
    'a whole number or 3 whole numbers such as 2,3,12'
    """
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        # An amount may be an int, a fraction or its text.
        amount = (int, Fraction, str) if Fraction in args else ()
        words = ["an amount such as 3/2"] if amount else []
        words += [type_in_words(arg) for arg in args if arg not in (*amount, NoneType)]
        return " or ".join(words)
    if origin is Literal:
        return word_list(map(repr, args), "or")
    if origin is tuple:
        count = "" if args[-1] is ... else f"{len(args)} "
        return f"{count}whole numbers such as 2,3,12"
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return "amounts by number"
    return {int: "a whole number", bool: "true or false", str: "a word"}.get(kind, str(kind))


# --- search ---------------------------------------------------------------------------------------

MIN_SIMILARITY = 0.75
"""The least similarity of a misspelt word, by `difflib`."""
OTHER_NAMES = {
    "10000": ("farkle", "zilch"),
    "ambush": ("mia",),
    "barbooth": ("barbudi", "barbut"),
    "big red": ("any seven",),
    "birdcage": ("chuck-a-luck",),
    "bluff": ("liar", "mia"),
    "boxcars": ("12",),
    "canoga": ("shut the box",),
    "chinchirorin": ("cee-lo",),
    "crown and anchor": ("chuck-a-luck",),
    "dai siu": ("sic bo",),
    "four five six": ("cee-lo",),
    "generala": ("yahtzee",),
    "greed": ("farkle",),
    "hooligan": ("yahtzee",),
    "kniffel": ("yahtzee",),
    "ladders": ("chutes",),
    "meyer": ("mia",),
    "perudo": ("dudo", "liar"),
    "poker dice": ("yahtzee",),
    "roshambo": ("rock",),
    "sevens": ("any seven", "seven"),
    "snake eyes": ("aces",),
    "snakes": ("chutes",),
    "snakes and ladders": ("chutes",),
    "tai sai": ("sic bo",),
    "ten thousand": ("farkle", "zilch"),
    "yacht": ("yahtzee",),
    "yo": ("eleven",),
    "zilch": ("farkle",),
}
"""Players' other names for games and bets."""
WORD = re.compile(r"[a-z0-9]+")


class Findable(Protocol):
    """What can be searched: an entry with an id, a title, a family, and rules in words."""

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def family(self) -> str: ...
    @property
    def rules(self) -> str: ...


T = TypeVar("T", bound=Findable)
SearchedText = tuple[str, str]
"""The names of an entry, and its names and rules, in lower case."""


def search_entries(entries: Iterable[T], words: Sequence[str]) -> list[T]:
    """The entries that match all words, the best first.

    A match of a whole word of the title comes first, then of a part of one, then of the rules or a
    synonym. Without a match, words with similar spelling are tried. Words in one text must occur
    together.

    >>> from sevenout.catalogue import games
    >>> [entry.id for entry in search_entries(games.entries.values(), ["snakes"])]
    ['chutes-and-ladders']
    >>> search_entries(games.entries.values(), ["yathzee"])[0].id
    'yahtzee'
    """
    texts = [(entry, _searched_text(entry)) for entry in entries]
    phrases = _phrases([" ".join(word.lower().split()) for word in words if word.strip()])
    if not phrases:
        return [entry for entry, _ in texts]
    ranked = _ranked(texts, phrases)
    # Spelling is tried last: a misspelt word is near to many right ones.
    if not ranked:
        vocabulary = {word for _, (names, _) in texts for word in WORD.findall(names)}
        near = [get_close_matches(word, vocabulary, 1, MIN_SIMILARITY) for word in phrases]
        if all(near):
            ranked = _ranked(texts, [word for (word,) in near])
    return ranked


def _ranked(texts: list[tuple[T, SearchedText]], phrases: list[str]) -> list[T]:
    """The entries that match all phrases, the best first."""
    ranks = [(_rank(text, phrases), entry) for entry, text in texts]
    matches = [(rank, entry) for rank, entry in ranks if rank is not None]
    return [entry for _, entry in sorted(matches, key=lambda match: match[0])]


def _searched_text(entry: Findable) -> SearchedText:
    """The lower-case text of an entry for a search: its names, and these with its rules."""
    names = f"{entry.title} {entry.id} {entry.family}".lower()
    return names, " ".join(f"{names} {entry.rules}".lower().split())


def _phrases(words: list[str]) -> list[str]:
    """The words, with those of one name joined."""
    phrases, start = [], 0
    while start < len(words):
        # The longest name first: "snakes and ladders" before "snakes".
        for n in (3, 2):
            phrase = " ".join(words[start : start + n])
            if len(words) >= start + n and phrase in OTHER_NAMES:
                break
        else:
            n, phrase = 1, words[start]
        phrases.append(phrase)
        start += n
    return phrases


def _rank(text: SearchedText, phrases: list[str]) -> int | None:
    """An entry's distance from the words; None without a match."""
    total = 0
    for word in phrases:
        ranks = [_distance(text, word)]
        others = (_distance(text, other) for other in OTHER_NAMES.get(word, ()))
        # A synonym in the title comes after the word itself in the rules.
        ranks += [rank + 3 for rank in others if rank is not None]
        matches = [rank for rank in ranks if rank is not None]
        if not matches:
            return None
        total += min(matches)
    return total


def _distance(text: SearchedText, word: str) -> int | None:
    """0 if a word is in the names, 1 if it is a part of a word there, 2 if it is only in the rules;
    None without a match.
    """
    names, full_text = text
    if re.search(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", names):
        return 0
    if word in names:
        return 1
    return 2 if word in full_text else None
