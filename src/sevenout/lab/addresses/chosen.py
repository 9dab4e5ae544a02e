"""From the text of an address to a game: rules, a name of the catalogue, or a game file.

2,3,12/7,11/7;pass:point=2      rules, as in `rulebook` hazard;main=5                   an entry of
the catalogue with its options field;field:2=3                 the second row of its return table
pays 3 ~eNpLzk...                      a game file, packed
"""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any
from urllib.parse import quote, unquote
from zlib import compress, decompressobj
from zlib import error as ZlibError  # noqa: N812

from sevenout.errors import NotationError, SevenoutError, shown
from sevenout.extras import MissingError
from sevenout.games import catalogue, decisions
from sevenout.lab.addresses.address import few_digits
from sevenout.lab.addresses.repriced import Repaid
from sevenout.lab.addresses.rulebook import Rulebook, of_game, read
from sevenout.model import SOON_STATES, Chain, chain_of
from sevenout.numerals import exact
from sevenout.questions.chosen_game import ChosenGame, of_file
from sevenout.rules import Game, Pay, Surrender, most
from sevenout.rules.gamefiles.gamefile import GameFile, parse_game
from sevenout.rules.objective import objective_of
from sevenout.solving import Solution, solve
from sevenout.solving.bets.bet_result import BetResult
from sevenout.solving.hidden.mixed import MixedOptimum
from sevenout.solving.optimal_play import best
from sevenout.solving.optimum import Optimum

FIELD = re.compile(r"[a-z]\w*=")
"""The start of a message that names a field of the address."""
CRAPS = "2,3,12/7,11/7"
MAX_FILE, MAX_DIGITS = 20_000, 60
MOST_STATES, MOST_ASKED = 3_000, 100_000
"""The largest game whose bets the table evaluates: states, and decision states."""


@dataclass(frozen=True)
class Chosen:
    """A chosen game.

    Attributes:
        text: the full text in the address.
        bet: the main bet; "" for the first.
        book: the rules, if they can be edited.
        plain: the text without changed pays.
        rows: how each bet was paid before the changes, row by row of its table.
        edits: the changed profits by bet and row number.
        file: the game file, if it came from one.
        goal: the objective of a game with choices; None without choices.
    """

    text: str
    title: str
    words: str
    game: Game
    bet: str = ""
    book: Rulebook | None = None
    plain: str = ""
    rows: dict[str, tuple[Pay, ...]] | None = None
    edits: Mapping[tuple[str, int], Fraction] = field(default_factory=dict)
    file: GameFile | None = None
    goal: Mapping[str, Any] | None = None


@lru_cache(maxsize=512)
def choose(text: str) -> Chosen:
    """The game of a text; craps if it is empty.

    >>> choose("hazard;main=5").title, choose("").title
    ('Hazard, main 5', 'Craps')
    """
    text = text.strip() or CRAPS
    head, *more = text.split(";")
    if is_rules(text):
        return of_book(read(text))
    if head.startswith("~"):
        file = parse_game(unpack(head[1:]), "file")
        game = file.game
        wanted = objective_of(game) or (most(game.bet) if isinstance(game, Surrender) else None)
        goal = wanted.arguments if wanted else None
        found = Chosen(head, file.name, file.rules, game, book=of_game(game), file=file, goal=goal)
        options: list[str] = []
    else:
        asks = head in decisions
        entry: Any = decisions[head] if asks else catalogue.entry(head)
        options = [part for part in more if asks or ":" not in part.partition("=")[0]]
        pairs = dict(part.partition("=")[::2] for part in options)
        given = {key: value_of(value) for key, value in pairs.items()}
        game = entry.game(**given)
        title = ", ".join([entry.title, *(f"{k} {v}" for k, v in pairs.items())])
        found = Chosen("", title, " ".join(entry.rules_with(**given).split()), game)
        if asks:
            return replace(found, text=text, plain=text, goal=entry.goal)
        found = replace(found, bet=entry.bet, book=of_game(game))
    plain = ";".join([head, *options])
    edits = [part for part in more if part not in options]
    if found.book is None and edits:
        rows = rows_of(found.game)
        paid = dict(_edit(part, rows) for part in edits)
        profits = {(bet, rows[bet][row - 1]): profit for (bet, row), profit in paid.items()}
        game = Repaid(found.game, profits)
        return replace(found, text=text, game=game, plain=plain, rows=rows, edits=paid)
    return replace(found, text=plain, plain=plain)


def is_rules(text: str) -> bool:
    """Whether a text means rules, rather than a name or a file.

    >>> is_rules("2,3,12/7,11/7;push=5"), is_rules("hazard;main=5")
    (True, False)
    """
    head = text.strip().partition(";")[0]
    return "/" in head and not head.startswith("~")


def of_book(book: Rulebook) -> Chosen:
    """The game of a rulebook, with its name if it is in the catalogue."""
    text = book.text
    title, entry = named().get(text, ("", ""))
    bet = catalogue.entry(entry).bet if entry else ""
    words = " ".join(catalogue.entry(entry).rules.split()) if entry else ""
    if not title:
        usual, _ = named().get(replace(book, pays={}).text, ("", ""))
        title = f"{usual}, other pays" if usual else "A game of your own"
    return Chosen(text, title, words, book.game(), bet, book, text)


@lru_cache(maxsize=1)
def named() -> dict[str, tuple[str, str]]:
    """The catalogue's point games by their texts: (title, id)."""
    names: dict[str, tuple[str, str]] = {}
    for entry in catalogue.entries.values():
        book = of_game(entry.game())
        if book is not None:
            names.setdefault(book.text, (entry.title, entry.id))
    return names


def posed_game(chosen: Chosen) -> ChosenGame:
    """The game as the questions take it, with what the catalogue knows about it."""
    if chosen.file is not None and not chosen.rows:
        return of_file(chosen.file)
    head, *more = chosen.plain.split(";")
    options = {key: value_of(value) for key, _, value in (part.partition("=") for part in more)}
    asks = head in decisions
    known = decisions[head] if asks else None
    return ChosenGame(
        chosen.title,
        chosen.game,
        chosen.words,
        chosen.bet or None,
        known,
        options=options if asks else {},
    )


@lru_cache(maxsize=8)
def optimum(text: str) -> Optimum:
    """Optimal play of a game with choices."""
    chosen = choose(text)
    if chosen.goal is None:
        raise NotationError(f"{chosen.title} has no choices; its odds are on its own page")
    return best(chosen.game, **chosen.goal)


@lru_cache(maxsize=256)
def chain(text: str) -> Chain:
    """The chain of a game, under optimal play if it has choices."""
    chosen = choose(text)
    if chosen.goal is not None:
        return _played(chosen).chain
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
            return len(_played(chosen).model.asked) <= MOST_ASKED
        except MissingError:  # so large that optimal play takes NumPy
            return False
    return len(chain(text).states) <= MOST_STATES


def _played(chosen: Chosen) -> Optimum | MixedOptimum:
    found: Any = optimum(chosen.text)
    if not isinstance(found, Optimum | MixedOptimum):
        raise NotationError(
            f"{chosen.title} is a game of turns; see its page of optimal play instead"
        )
    return found


def bet_of(text: str, asked: str) -> BetResult | None:
    """The bet asked for, or the game's main bet."""
    solution = solved(text)
    if not solution.chain.bets:
        return None
    default = choose(text).bet
    bets = solution.chain.bets
    return solution.bet(asked or (default if default in bets else bets[0]))


@lru_cache(maxsize=64)
def rows_of(game: Game) -> dict[str, tuple[Pay, ...]]:
    """How each bet can be paid, row by row, in the order in which the rules are explored."""
    found: dict[str, dict[Pay, None]] = {}
    for outcome in chain_of(game, SOON_STATES).outcomes:
        for bet, pay in outcome.pays:
            found.setdefault(bet, {})[pay] = None
    return {bet: tuple(pays) for bet, pays in found.items()}


def edited(chosen: Chosen, bet: str, profits: Mapping[int, Fraction]) -> str:
    """The text of a game with other profits in some rows of a bet's table, by row number."""
    rows = (chosen.rows or rows_of(chosen.game))[bet]
    edits = {**chosen.edits, **{(bet, row): profit for row, profit in profits.items()}}
    kept = [
        f"{quote(name, safe=' ')}:{row}={profit}"
        for (name, row), profit in edits.items()
        if name != bet or rows[row - 1].profit != profit
    ]
    return ";".join([chosen.plain, *kept])


def _edit(part: str, rows: dict[str, tuple[Pay, ...]]) -> tuple[tuple[str, int], Fraction]:
    key, _, value = part.partition("=")
    name, _, row = key.rpartition(":")
    bet = unquote(name)
    known = rows.get(bet, ())
    if not row.isdecimal() or len(row) > 5 or not 1 <= int(row) <= len(known):
        raise NotationError(f"{shown(part)}: {shown(bet)} has rows 1 to {len(known)}")
    return (bet, int(row)), exact(value)


def value_of(text: str) -> Any:
    """An option's value: a whole number, a list of them, or the text itself."""
    text = unquote(text)
    if re.fullmatch(r"-?\d{1,9}(,-?\d{1,9})*", text, re.ASCII):
        numbers = tuple(map(int, text.split(",")))
        return numbers[0] if len(numbers) == 1 else numbers
    return {"True": True, "False": False}.get(text, text)


def pack(text: str) -> str:
    """A game file as a part of an address.

    >>> unpack(pack("format = 1"))
    'format = 1'
    """
    return urlsafe_b64encode(compress(text.encode(), 9)).decode().rstrip("=")


def unpack(packed: str) -> str:
    """The game file of a part of an address."""
    try:
        data = urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
        unpacking = decompressobj()
        text = unpacking.decompress(data, MAX_FILE).decode()
    except (ValueError, ZlibError):
        raise NotationError("the game in the address is damaged; copy the whole address") from None
    if len(text) >= MAX_FILE:
        raise NotationError(
            f"the game file has over {MAX_FILE:,} characters, the most that the lab reads; "
            "shorten it"
        )
    if not unpacking.eof:
        raise NotationError("the game in the address is damaged; copy the whole address")
    return few_digits(text, MAX_DIGITS)


def kind_of(error: SevenoutError) -> str:
    """An error as a sentence."""
    text = str(error).strip()
    if not FIELD.match(text):
        text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."
