"""The games of addresses, remembered: as the lab names them, their chains and their answers.

The words of a game are read by `questions.subjects`, like those of a command line, but no file is
opened: a visitor may not name files of the server.
"""

import re
from dataclasses import replace
from functools import lru_cache
from typing import Any

from sevenout.catalogue import games
from sevenout.errors import NotationError, SevenoutError
from sevenout.extras import MissingError
from sevenout.model import Chain, chain_of
from sevenout.model.exploration import SOON_STATES
from sevenout.numerals import few_digits
from sevenout.questions.subjects import GameSubject, find_game, is_rules
from sevenout.solving import Solution, solve
from sevenout.solving.bet_result import BetResult
from sevenout.solving.mixed_optimum import MixedOptimum
from sevenout.solving.optimal_play import Optimum, best
from sevenout.variants.rulebook import VariantRules, of_game, read

FIELD = re.compile(r"[a-z]\w*=")
"""The start of a message that names a field of the address."""
CRAPS = "2,3,12/7,11/7"
MAX_DIGITS = 60
MOST_STATES, MOST_ASKED = 3_000, 100_000
"""The largest game whose bets the table evaluates: states, and decision states."""


@lru_cache(maxsize=512)
def choose(words: str) -> GameSubject:
    """The game of some words; craps if there are none.

    >>> choose("hazard;main=5").title, choose("").title
    ('Hazard, main 5', 'Craps')
    """
    words = words.strip() or CRAPS
    if is_rules(words):
        return of_book(read(words).check())
    if words.startswith("~"):
        return find_game(words)
    # Figures made from a number of thousands of digits are as long.
    match = find_game(few_digits(words, MAX_DIGITS))
    return replace(match, text=" ".join(match.text.split()))  # without the lines of a docstring


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
        words=book.text,
        plain=book.text,
        book=book,
    )


@lru_cache(maxsize=1)
def named() -> dict[str, tuple[str, str]]:
    """The catalogue's point games by their texts: (title, id)."""
    names: dict[str, tuple[str, str]] = {}
    for entry in games.without_choices.values():
        book = of_game(entry.game())
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
            return len(_played(chosen).model.asked) <= MOST_ASKED
        except MissingError:  # so large that optimal play takes NumPy
            return False
    return len(chain(text).states) <= MOST_STATES


def _played(chosen: GameSubject) -> Optimum | MixedOptimum:
    solved: Any = optimum(chosen.words)
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
    if not FIELD.match(text):
        text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."
