"""Addresses: what a page is made from, where its links lead, and the games that they name.

The words of a game are read by `questions.subjects`, like those of a command line, but no file is
opened: a visitor may not name files of the server. Games, chains and answers are remembered.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, quote, unquote

from sevenout.catalogue import games
from sevenout.errors import NotationError, SevenoutError, shown
from sevenout.extras import MissingError
from sevenout.model import Chain, chain_of
from sevenout.model.exploration import SOON_STATES
from sevenout.numerals import check_digits
from sevenout.questions.subjects import GameSubject, find_game, is_rules
from sevenout.rules import PointGame
from sevenout.solving import Solution, solve
from sevenout.solving.bet_result import BetResult
from sevenout.solving.mixed_optimum import MixedOptimum
from sevenout.solving.optimal_play import Optimum, best
from sevenout.variants.rulebook import VariantRules, read_rules, rules_of_game

MOST = 8_000
"""Characters of an address; browsers and servers everywhere accept this many."""
FIELDS = 400
PLAIN = "/,@;:={}()!*'~^"
"""Characters that a query holds unescaped."""
ROLLS = re.compile(r"roll\*(\d{1,4})")
"""Rolls in a row, among the acts of a game that is played."""
FIELD_NAME = re.compile(r"[a-z][\w-]*=")
"""The start of a message that names a field of the address."""
CRAPS = "2,3,12/7,11/7"
MAX_DIGITS = 60
MOST_STATES, MOST_ASKED = 3_000, 100_000
"""The largest game whose bets the table evaluates: states, and decision states."""


@dataclass(frozen=True)
class Address:
    """A path and its query.

    >>> here = Address.read("/simulate?game=craps&games=1000")
    >>> str(here.to(games=None, seed=2)), str(here.to("/table", keep=["game"]))
    ('/simulate?game=craps&seed=2', '/table?game=craps')

    A page that leaves a field of its address unread would show something else than was asked for;
    `unread` has those, and `site` refuses them.

    Attributes:
        query: the fields, in order; none is empty.
        read_keys: the fields that were looked up or kept, by this address or one made from it.
    """

    path: str
    query: Mapping[str, str]
    read_keys: set[str] = field(default_factory=set, compare=False, repr=False)

    @classmethod
    def read(cls, url: str) -> "Address":
        """Parse a URL."""
        if len(url) > MOST:
            raise NotationError(
                f"the address has {len(url):,} characters; the lab reads at most {MOST:,}; "
                "give a shorter one"
            )
        path, _, query = url.partition("#")[0].partition("?")
        try:
            # This drops empty fields, which a form sends for what was left out.
            pairs = parse_qsl(query, max_num_fields=FIELDS)
        except ValueError:
            raise NotationError(
                f"more than {FIELDS} fields in the address; copy the whole address again"
            ) from None
        return cls(unquote(path) or "/", dict(pairs))

    def get(self, key: str, default: str = "") -> str:
        self.read_keys.add(key)
        return self.query.get(key, default).strip()

    def whole(self, key: str, default: int, low: int, high: int) -> int:
        """A field's whole number."""
        text = self.get(key)
        if not text:
            return default
        # isdecimal accepts the digits of all scripts, and int takes long for thousands of them.
        if text.isascii() and text.isdecimal() and len(text) < 30 and low <= int(text) <= high:
            return int(text)
        raise NotationError(f"{key}={shown(text)}; write a whole number from {low:,} to {high:,}")

    def one_of(self, key: str, allowed: Any) -> str:
        """A field's word, one of those known; the first if the field is empty."""
        words = list(allowed)
        text = self.get(key) or words[0]
        if text in words:
            return text
        wrong = f"{key}={shown(text)}"
        if "" in words:  # a switch, which may be left out
            raise NotationError(f"{wrong}; write {key}={' or '.join(filter(None, words))}")
        raise NotationError(f"{wrong}; give one of: {', '.join(words)}")

    def has(self, key: str, word: str = "yes") -> bool:
        """Whether a switch is on: its field is this word; an empty field is off.

        >>> Address.read("/?each=yes").has("each"), Address.read("/").has("each")
        (True, False)
        >>> Address.read("/?each=maybe").has("each")
        Traceback (most recent call last):
        sevenout.errors.NotationError: each='maybe'; write each=yes
        """
        return self.one_of(key, ("", word)) == word

    def to(self, path: str | None = None, keep: Any = None, **changes: object) -> "Address":
        """Another address with only the kept fields and the changes; None removes a field."""
        if keep is not None:
            self.read_keys.update(keep)
        query = {k: v for k, v in self.query.items() if keep is None or k in keep}
        for key, value in changes.items():
            query.pop(key, None)
            if value is not None and str(value) != "":
                query[key] = str(value)
        # The set is shared, so what a page reads of a changed address counts for this one.
        return Address(self.path if path is None else path, query, self.read_keys)

    def unread(self) -> list[str]:
        """The fields that nothing has read; those with a prefix belong to a form.

        >>> here = Address.read("/simulate?game=craps&hours=1")
        >>> here.get("game"), here.unread()
        ('craps', ['hours'])
        """
        forms = ("to-", "p:")
        return [k for k in self.query if k not in self.read_keys and not k.startswith(forms)]

    def __str__(self) -> str:
        pairs = (f"{quote(k, safe=':')}={quote(v, safe=PLAIN)}" for k, v in self.query.items())
        query = "&".join(pairs)
        return quote(self.path, safe="/.-_~") + (f"?{query}" if query else "")


# --- acts in an address ---------------------------------------------------------------------------


def acts_of(address: Address) -> tuple[str, ...]:
    """The acts in an address.

    >>> acts_of(Address.read("/table?game=pig-turn&did=roll*1|hold"))
    ('roll*1', 'hold')
    """
    return tuple(unquote(act) for act in address.get("did").split("|") if act)


def after(address: Address, *acts: str) -> Address:
    """The address with more acts; rolls in a row are counted together.

    >>> after(Address.read("/table?did=hold|roll*9"), "roll*1").get("did")
    'hold|roll*10'
    """
    together = [*acts_of(address)]
    for act in acts:
        before = ROLLS.fullmatch(together[-1]) if together else None
        rolls = ROLLS.fullmatch(act)
        if before and rolls:
            together[-1] = f"roll*{int(before[1]) + int(rolls[1])}"
        else:
            together.append(act)
    return _with(address, together)


def undone(address: Address) -> Address:
    """The address without its last act, or the last of its rolls.

    >>> [str(undone(Address.read(f"/table?did={did}"))) for did in ("roll*9", "roll*9|hold")]
    ['/table?did=roll*8', '/table?did=roll*9']
    """
    *acts, last = acts_of(address)
    rolls = ROLLS.fullmatch(last)
    if rolls and int(rolls[1]) > 1:
        acts.append(f"roll*{int(rolls[1]) - 1}")
    return _with(address, acts)


def _with(address: Address, acts: Iterable[str]) -> Address:
    return address.to(did="|".join(quote(act, safe=" =*") for act in acts))


# --- the games of addresses -------------------------------------------------------------------


@lru_cache(maxsize=512)
def choose(words: str) -> GameSubject:
    """The game of some words; craps if there are none.

    >>> choose("hazard;main=5").title, choose("").title
    ('Hazard, main 5', 'Craps')
    """
    words = words.strip() or CRAPS
    if is_rules(words):
        return of_book(read_rules(words).check())
    if words.startswith("~"):
        return find_game(words)
    # Figures made from a number of thousands of digits are as long.
    match = find_game(check_digits(words, MAX_DIGITS))
    return replace(
        match, rules_text=" ".join(match.rules_text.split())
    )  # without the lines of a docstring


def of_book(book: VariantRules) -> GameSubject:
    """The game of a rulebook, with its name if it is in the catalogue."""
    title, name = named().get(book.text, ("", ""))
    entry = games.entry(name) if name else None
    if not title:
        usual, _ = named().get(replace(book, pays={}).text, ("", ""))
        title = f"{usual}, other pays" if usual else "A game of your own"
    return GameSubject(
        title,
        book.game(),
        " ".join(entry.rules.split()) if entry else "",
        (entry.bet or None) if entry else None,
        notation=book.text,
        unedited_notation=book.text,
        variant_rules=book,
    )


@lru_cache(maxsize=1)
def named() -> dict[str, tuple[str, str]]:
    """The catalogue's point games by their texts: (title, id)."""
    names: dict[str, tuple[str, str]] = {}
    for entry in games.without_choices.values():
        # Only a point game has a rule book; to make all games would be most of a first page.
        book = rules_of_game(entry.game()) if entry.kind is PointGame else None
        if book is not None:
            # If two entries have the same rules, the first one names them.
            names.setdefault(book.text, (entry.title, entry.id))
    return names


# Few, because the largest take some hundred megabytes each.
@lru_cache(maxsize=8)
def optimum(text: str) -> Optimum:
    """Optimal play of a game with choices."""
    chosen = choose(text)
    if chosen.goal is None:
        raise NotationError(f"{chosen.title} has no choices; its odds are on its own page")
    answer: Optimum = best(chosen.game, **chosen.goal)
    return answer


@lru_cache(maxsize=256)
def chain(text: str) -> Chain:
    """The chain of a game, under optimal play if it has choices."""
    chosen = choose(text)
    if chosen.goal is not None:
        return _played(chosen).chain
    # A page has no time to explore a game with more states.
    return chain_of(choose(text).game, SOON_STATES)


@lru_cache(maxsize=256)
def solved(text: str) -> Solution:
    chosen = choose(text)
    return _played(chosen).solution if chosen.goal is not None else solve(chain(text))


def counts(text: str) -> bool:
    """Whether a game is small enough for the table to evaluate its bets."""
    chosen = choose(text)
    if chosen.goal is not None:
        try:
            return len(_played(chosen).model.node_by_key) <= MOST_ASKED
        except MissingError:  # so large that optimal play takes NumPy
            return False
    return len(chain(text).states) <= MOST_STATES


def _played(chosen: GameSubject) -> Optimum | MixedOptimum:
    solved: Any = optimum(chosen.notation)
    if not isinstance(solved, Optimum | MixedOptimum):
        raise NotationError(
            f"{chosen.title} is a game of turns; see its page of optimal play instead"
        )
    return solved


def bet_of(text: str, requested: str) -> BetResult | None:
    """The bet asked for, or the game's main bet."""
    solution = solved(text)
    if not solution.chain.bets:
        return None
    default = choose(text).bet
    bets = solution.chain.bets
    return solution.bet(requested or (default if default in bets else bets[0]))


def kind_of(error: SevenoutError) -> str:
    """An error as a sentence."""
    text = str(error).strip()
    # The name of a field stays as it is in the address.
    if not FIELD_NAME.match(text):
        text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."
