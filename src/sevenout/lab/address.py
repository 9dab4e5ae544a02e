"""Addresses: what a page is made from, where its links lead, and the games that they name.

A game's notation, such as `hazard;main=5` or `2,3,12/7,11/7`, names it in an address. It is read by
`questions.subjects`, like that of a command line, but no file is opened: a visitor may not name
files of the server. Games, chains and answers are cached by it.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from urllib.parse import parse_qsl, quote, unquote

from sevenout.catalogue import games
from sevenout.catalogue.entries import Entry
from sevenout.errors import NotationError, SevenoutError, shown
from sevenout.extras import MissingError
from sevenout.model import Chain, chain_of
from sevenout.model.exploration import QUICK_STATES
from sevenout.numerals import check_digits, parse_seed
from sevenout.questions.subjects import GameSubject, find_game, is_rules
from sevenout.rules import PointGame
from sevenout.solving import Solution, solve
from sevenout.solving.best_play import BestPlay
from sevenout.solving.bet_result import BetResult
from sevenout.solving.mixed_optimum import MixedOptimum
from sevenout.solving.optimal_play import Optimum, best
from sevenout.variants.rulebook import VariantRules, read_rules, rules_of_game

MAX_LENGTH = 8_000
"""Characters of an address; browsers and servers everywhere accept this many."""
MAX_FIELDS = 400
"""Fields of a query: more than any form of the lab sends."""
UNESCAPED = "/,@;:={}()!*'~^"
"""Characters that a query holds unescaped."""
ROLL_ACT = re.compile(r"roll\*(\d{1,4})")
"""An act: a number of rolls in a row."""
FIELD_NAME = re.compile(r"[a-z][\w.:,-]*=")
"""The start of a message that names a field of the address."""
DEFAULT_GAME = "2,3,12/7,11/7"
"""Craps, by its rules."""
MAX_DIGITS = 60
"""Digits of a number in an address: figures computed from it are as long, or longer."""
MAX_STATES, MAX_DECISION_STATES = 3_000, 100_000
"""The largest game whose bets the table evaluates: states without choices, and decision states."""


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
        if len(url) > MAX_LENGTH:
            raise NotationError(
                f"the address has {len(url):,} characters; the lab reads at most {MAX_LENGTH:,}; "
                "give a shorter one"
            )
        path, _, query = url.partition("#")[0].partition("?")
        try:
            # This drops empty fields, which a form sends for what was left out.
            pairs = parse_qsl(query, max_num_fields=MAX_FIELDS)
        except ValueError:
            raise NotationError(
                f"more than {MAX_FIELDS} fields in the address; copy the whole address again"
            ) from None
        fields = dict(pairs)
        if len(fields) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise NotationError(f"the field {shown(twice)} is in the address twice; give it once")
        return cls(unquote(path) or "/", fields)

    def get(self, key: str, default: str = "") -> str:
        """A field's text, without spaces around it."""
        self.read_keys.add(key)
        return self.query.get(key, default).strip()

    def form_fields(self, prefix: str) -> dict[str, str]:
        """The texts of a form's fields, whose names begin with `prefix`; all count as read."""
        texts = {key: text.strip() for key, text in self.query.items() if key.startswith(prefix)}
        self.read_keys.update(texts)
        return texts

    def whole_number(self, key: str, default: int, low: int, high: int) -> int:
        """A field's whole number, from `low` to `high`."""
        text = self.get(key)
        if not text:
            return default
        # isdecimal accepts the digits of all scripts, and int takes long for thousands of them.
        if text.isascii() and text.isdecimal() and len(text) < 30 and low <= int(text) <= high:
            return int(text)
        raise NotationError(f"{key}={shown(text)}; write a whole number from {low:,} to {high:,}")

    def one_of(self, key: str, allowed: Iterable[str]) -> str:
        """A field's word, one of those allowed; the first of them if the field is empty."""
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

    def to(
        self, path: str | None = None, keep: Collection[str] | None = None, **changes: object
    ) -> "Address":
        """Another address with only the kept fields (by default all) and the changes.

        None removes a field.
        """
        if keep is not None:
            self.read_keys.update(keep)
        query = {key: text for key, text in self.query.items() if keep is None or key in keep}
        for key, value in changes.items():
            query.pop(key, None)
            if value is not None and str(value) != "":
                query[key] = str(value)
        # The set is shared, so what a page reads of a changed address counts for this one.
        return Address(self.path if path is None else path, query, self.read_keys)

    def unread(self) -> list[str]:
        """The fields that nothing has read.

        >>> here = Address.read("/simulate?game=craps&hours=1")
        >>> here.get("game"), here.unread()
        ('craps', ['hours'])
        """
        return [key for key in self.query if key not in self.read_keys]

    def __str__(self) -> str:
        query = "&".join(
            f"{quote(key, safe=':')}={quote(text, safe=UNESCAPED)}"
            for key, text in self.query.items()
        )
        return quote(self.path, safe="/.-_~") + (f"?{query}" if query else "")


# --- the seed and the acts in an address ----------------------------------------------------------


def seed_of(address: Address) -> int:
    """The seed of the dice; 1 without one."""
    return parse_seed(address.get("seed") or "1")


def acts_of(address: Address) -> tuple[str, ...]:
    """The acts in an address.

    >>> acts_of(Address.read("/table?game=pig-turn&did=roll*1|hold"))
    ('roll*1', 'hold')
    """
    return tuple(unquote(act) for act in address.get("did").split("|") if act)


def with_acts(address: Address, *acts: str) -> Address:
    """The address with more acts; rolls in a row are counted together.

    >>> with_acts(Address.read("/table?did=hold|roll*9"), "roll*1").get("did")
    'hold|roll*10'
    """
    all_acts = [*acts_of(address)]
    for act in acts:
        before = ROLL_ACT.fullmatch(all_acts[-1]) if all_acts else None
        rolls = ROLL_ACT.fullmatch(act)
        if before and rolls:
            all_acts[-1] = f"roll*{int(before[1]) + int(rolls[1])}"
        else:
            all_acts.append(act)
    return _replace_acts(address, all_acts)


def without_last_act(address: Address) -> Address:
    """The address without its last act, or the last of its rolls.

    >>> [str(without_last_act(Address.read(f"/table?did={did}"))) for did in ("roll*9", "a|hold")]
    ['/table?did=roll*8', '/table?did=a']
    """
    *acts, last = acts_of(address)
    rolls = ROLL_ACT.fullmatch(last)
    if rolls and int(rolls[1]) > 1:
        acts.append(f"roll*{int(rolls[1]) - 1}")
    return _replace_acts(address, acts)


def _replace_acts(address: Address, acts: Iterable[str]) -> Address:
    return address.to(did="|".join(quote(act, safe=" =*") for act in acts))


# --- the games of addresses -----------------------------------------------------------------------


@lru_cache(maxsize=512)
def game_subject(notation: str) -> GameSubject:
    """The game of a notation; craps if it is empty.

    >>> game_subject("hazard;main=5").title, game_subject("").title
    ('Hazard, main 5', 'Craps')
    """
    notation = notation.strip() or DEFAULT_GAME
    if is_rules(notation):
        return subject_of_book(read_rules(notation).check())
    if notation.startswith("~"):
        return find_game(notation)
    # Figures made from a number of thousands of digits are as long.
    subject = find_game(check_digits(notation, MAX_DIGITS))
    # Without the line breaks of a docstring.
    return replace(subject, rules_text=" ".join(subject.rules_text.split()))


def split_notation(notation: str) -> tuple[str, dict[str, str]]:
    """The name of a game and its options, with "_" for "-" in their names.

    >>> split_notation("hazard;main=5")
    ('hazard', {'main': '5'})
    """
    name, *options = notation.split(";")
    pairs = (option.partition("=")[::2] for option in options)
    return name, {key.replace("-", "_"): text for key, text in pairs}


def subject_of_book(book: VariantRules) -> GameSubject:
    """The game of a rule book, with its title if it is in the catalogue."""
    entry = entries_by_rules().get(book.text)
    usual = entries_by_rules().get(replace(book, pays={}).text)
    title, rules, bet = "A game of your own", "", None
    if entry is not None:
        title, rules, bet = entry.title, " ".join(entry.rules.split()), entry.bet or None
    elif usual is not None:
        title = f"{usual.title}, other pays"
    return GameSubject(
        title,
        book.game(),
        rules,
        bet,
        notation=book.text,
        unedited_notation=book.text,
        variant_rules=book,
    )


@lru_cache(maxsize=1)
def entries_by_rules() -> dict[str, Entry]:
    """The catalogue's point games by the texts of their rules."""
    entries: dict[str, Entry] = {}
    for entry in games.without_choices.values():
        # Only a point game has a rule book; to make all games would be most of a first page.
        book = rules_of_game(entry.game()) if entry.kind is PointGame else None
        if book is not None:
            # If two entries have the same rules, the first one names them.
            entries.setdefault(book.text, entry)
    return entries


# Few, because the largest take some hundred megabytes each.
@lru_cache(maxsize=8)
def optimum(notation: str) -> BestPlay:
    """Optimal play of a game with choices."""
    subject = game_subject(notation)
    if subject.goal is None:
        raise NotationError(f"{subject.title} has no choices; its odds are on its own page")
    answer: BestPlay = best(subject.game, **subject.goal)
    return answer


@lru_cache(maxsize=256)
def chain(notation: str) -> Chain:
    """The chain of a game, under optimal play if it has choices."""
    subject = game_subject(notation)
    if subject.goal is not None:
        return _optimum_of_choices(subject).chain
    # A page has no time to explore a game with more states.
    return chain_of(subject.game, QUICK_STATES)


@lru_cache(maxsize=256)
def solution_of(notation: str) -> Solution:
    """The figures of a game, under optimal play if it has choices."""
    subject = game_subject(notation)
    if subject.goal is not None:
        return _optimum_of_choices(subject).solution
    return solve(chain(notation))


def can_value_bets(notation: str) -> bool:
    """Whether a game is small enough for the table to evaluate its bets; see `MAX_STATES`."""
    subject = game_subject(notation)
    if subject.goal is not None:
        try:
            return len(_optimum_of_choices(subject).model.node_by_key) <= MAX_DECISION_STATES
        except MissingError:  # so large that optimal play takes NumPy
            return False
    return len(chain(notation).states) <= MAX_STATES


def _optimum_of_choices(subject: GameSubject) -> Optimum | MixedOptimum:
    """Optimal play of a game that is explored as a whole, which a game of turns is not."""
    answer = optimum(subject.notation)
    if not isinstance(answer, Optimum | MixedOptimum):
        raise NotationError(
            f"{subject.title} is a game of turns; see its page of optimal play instead"
        )
    return answer


def bet_of(notation: str, name: str) -> BetResult | None:
    """The figures of a bet, or of the game's main bet if the name is empty; None without bets."""
    solution = solution_of(notation)
    bets, main_bet = solution.chain.bets, game_subject(notation).bet
    if not bets:
        return None
    return solution.bet(name or (main_bet if main_bet in bets else bets[0]))


def error_sentence(error: SevenoutError) -> str:
    """An error as a sentence."""
    text = str(error).strip()
    # The name of a field stays as it is in the address.
    if not FIELD_NAME.match(text):
        text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."
