"""Words that papers and pages share: lists, names of states, the author's own rules.

Rules are printed as their maker wrote them; nothing here makes sentences of a declaration.
"""

import re
from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from itertools import takewhile
from typing import Any

from sevenout import __version__, rules
from sevenout.documents import Page, PageError, Table, Text, prose
from sevenout.documents.words import count_in_words, word_list
from sevenout.errors import shown
from sevenout.model import Chain, Model, state_name
from sevenout.rolling import Dice, Die, Rollable
from sevenout.rolling.throw import rolled_name
from sevenout.rules import (
    Checklist,
    FlatGame,
    Game,
    JointGame,
    Outcome,
    PointGame,
    RenamedGame,
    Streak,
    Surrender,
)
from sevenout.rules.combined_games import bare_dice
from sevenout.rules.game import author_rules

PROOF = "certificate.jsonl"
"""The name of the certificate in a PDF and in a dossier."""
BLANK_LINE = "_" * 24
"""A line to write on."""
CODE_STARTS = (">>>", "Args:", "Attributes:", "Raises:")
"""How a paragraph of a docstring begins that is no rule of the game."""
PAY_PATTERN = re.compile(
    r"(?<!from )\b(?:(?P<even>even money)|(?P<won>[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,9}) "
    r"(?P<way>to|for) (?P<staked>[1-9][0-9]{0,3})(?![0-9]|,[0-9]))"
)
"""A pay in words; what may follow keeps out limits such as “5 to 5,000”."""
SENTENCE_END, CLAUSE_END = re.compile(r"[.;:](?:\s|$)"), re.compile(r",? and |,\s")
"""Where a sentence of the rules ends, and a clause, which is quoted."""
PAYING_WORD = re.compile(r"\b(?:pays?|paid|wins?|odds)\b", re.IGNORECASE)
"""Only a sentence with such a word names a pay; “roll 2 to 12” does not."""
MAX_SEGMENTS = 100
"""A die of more unequal faces is named by its notation."""
WAY_PATTERN = re.compile(r"\b(hard|easy) \d+")
"""A total named by the way it is made."""


def quoted(names: Iterable[str]) -> str:
    """Names in a row, in quotes.

    >>> quoted(["pass", "field"])
    '“pass” and “field”'
    """
    return word_list(f"“{name}”" for name in names)


def games_on_same_rolls(game: Game, through: tuple[type[Any], ...] = ()) -> list[Game]:
    """The games played on the same rolls; the game itself if it is one.

    `through` are wrappers to look into: names and offers of surrender, which don't change what is
    rolled.
    """
    if isinstance(game, JointGame):
        return [part for inner in game.games for part in games_on_same_rolls(inner, through)]
    wrapped: Any = game
    return games_on_same_rolls(wrapped.game, through) if isinstance(game, through) else [game]


def bets_of(game: Game) -> list[str]:
    """The names of a game's bets; none if it doesn't list them."""
    return list(rules.bets_of(game)) if game.bets is not None or game.outcomes else []


def author_words(game: Game) -> list[str]:
    """The docstring of a game's own class by paragraphs, without code.

    >>> from sevenout.catalogue import games
    >>> author_words(games["cee-lo-player"])
    ["The bank rolls; if it sets a point, the player rolls. The bet is the player's."]
    """
    paragraphs = (" ".join(part.split()) for part in author_rules(type(game)).split("\n\n"))
    return list(takewhile(lambda part: not part.startswith(CODE_STARTS), filter(None, paragraphs)))


def in_dice_order(game: PointGame, totals: Iterable[Hashable]) -> list[Hashable]:
    """Totals in the dice's own order."""
    return sorted(totals, key=game.totals.index)


def equipment(model: Chain | Model) -> list[str]:
    """What a game rolls, in words: dice by their notation, a wheel by its segments.

    >>> from sevenout.model import explore
    >>> from sevenout.catalogue import games
    >>> equipment(explore(games["craps"]))
    ['two dice (2d6)']
    """
    return list(dict.fromkeys(map(rolled_words, model.rollables)))


def is_wheel(die: Die) -> bool:
    """Whether a die is named and drawn as a wheel: its faces are not equally likely.

    >>> from sevenout.rolling import Die
    >>> is_wheel(Die([1, 5, 20], [4, 2, 1])), is_wheel(Die([1, 2, 3]))
    (True, False)
    """
    return len({*die.weights}) > 1 and sum(die.weights) <= MAX_SEGMENTS


def rolled_words(rollable: Rollable) -> str:
    """What is rolled: dice, or a wheel, which is a die whose faces are not equally likely.

    >>> from sevenout.rolling import Die
    >>> rolled_words(Die([1, 5, 20], [4, 2, 1]))
    'a wheel of 7 segments: 1 (4 times), 5 (2 times) and 20'
    """
    source = bare_dice(rollable)
    if isinstance(source, Dice):
        if len(source) == 1:
            return f"one die ({source})"
        return f"{count_in_words(len(source))} dice ({rolled_name(rollable)})"
    if not isinstance(source, Die):
        return rolled_name(rollable)
    if not is_wheel(source):
        equal = len({*source.weights}) == 1
        return f"one die ({rolled_name(rollable)})" if equal else rolled_name(rollable)
    faces = word_list(
        f"{face} ({count} times)" if count > 1 else f"{face}"
        for face, count in zip(source.faces, source.weights, strict=True)
    )
    return f"a wheel of {sum(source.weights)} segments: {faces}"


def pays_in_words(text: str) -> list[tuple[str, Fraction]]:
    """The pays that a text names, each with the words around it: the profit per unit staked.

    >>> pays_in_words("A 4 pays 25 to 1, and pairs from 2 to 12 pay even money.")
    [('A 4 pays 25 to 1', Fraction(25, 1)), ('pairs from 2 to 12 pay even money', Fraction(1, 1))]
    """
    pays = []
    sentences = SENTENCE_END.split(" ".join(text.split()))
    clauses = [part for s in sentences if PAYING_WORD.search(s) for part in CLAUSE_END.split(s)]
    for clause in clauses:
        for match in PAY_PATTERN.finditer(clause):
            if match["even"]:
                pay = Fraction(1)
            else:
                pay = Fraction(int(match["won"].replace(",", "")), int(match["staked"]))
                pay -= match["way"] == "for"  # "for" counts the stake, which comes back
            pays.append((clause.strip(), pay))
    return pays


def event_glossary(events: Iterable[str], dice: int) -> list[str]:
    """What "hard 6", "easy 6", "doubles" and "triples" mean, where the events name them.

    >>> event_glossary(["4 or easy 6", "7"], 3)
    ['Easy 6: a total of 6 with three dice that are not all alike.']
    """
    text = " · ".join(events)
    words = {"doubles": "both dice alike.", "triples": "all three dice alike."}
    meanings = [f"{word.capitalize()}: {means}" for word, means in words.items() if word in text]
    count = count_in_words(dice)
    for way, means in {"hard": "all alike", "easy": "that are not all alike"}.items():
        totals = list(
            dict.fromkeys(m[0].split()[1] for m in WAY_PATTERN.finditer(text) if m[1] == way)
        )
        if len(totals) == 1:
            meanings.append(
                f"{way.capitalize()} {totals[0]}: a total of {totals[0]} with {count} dice {means}."
            )
        elif totals:
            named = f"{way.capitalize()} {word_list(totals, 'or')}"
            meanings.append(f"{named}: that total with {count} dice {means}.")
    return meanings


def dice_count(game: Game) -> int:
    """The number of dice in the first roll; 0 if they are not dice."""
    rolled: Any = game.rolls(game.start)
    while isinstance(rolled, Game):
        rolled = rolled.rolls(rolled.start)
    rolled = bare_dice(rolled)
    return len(rolled) if isinstance(rolled, Dice) else 0


def state_in_words(game: Game, state: Any, otherwise: Callable[[Any], str] = state_name) -> str:
    """A state in the words of the rules; `otherwise` names the states of a game that is only code.

    >>> from sevenout.catalogue import games
    >>> state_in_words(games["fast-craps-pass"], (8, 1))
    'point 8, 2 rolls left'
    """
    match game:
        case PointGame():
            if state == game.start:
                return str(state)
            # without a limit the state is the point alone
            if game.limit is None:
                return f"point {state}"
            left = game.limit - state[1]
            return f"point {state[0]}, {left} {'roll' if left == 1 else 'rolls'} left"
        case RenamedGame():
            return state_in_words(game.game, state, otherwise)
        case Surrender():
            return state_in_words(game.game, game.inner(state), otherwise)
        case Checklist():
            return game.state_in_words(state)
        case JointGame():
            words = [
                s.label if isinstance(s, Outcome) else state_in_words(part, s, otherwise)
                for part, s in zip(game.games, state, strict=True)
            ]
            return " · ".join(dict.fromkeys(filter(None, words)))
        case Streak():
            return f"{state} lost"
        case FlatGame():
            words = [state_in_words(game.game, state[0], otherwise)]
            if len(state) == 2:
                inner = FlatGame(game.game.rolls(state[0]))  # type: ignore[arg-type]
                words.append(state_in_words(inner, state[1], otherwise))
            return ", ".join(filter(None, words))
    return otherwise(state)


def signature_page(offices: Iterable[str], author: str) -> Page:
    """A table with a line for each signature.

    Raises:
        PageError: a text, whose letters would be taken for offices.
    """
    if isinstance(offices, str):
        raise PageError(f"signatures {shown(offices)}; give a list, such as [{shown(offices)}]")
    short_line = BLANK_LINE[: len(BLANK_LINE) // 2]
    rows = [
        (office, (office == "author" and author) or BLANK_LINE, BLANK_LINE, short_line)
        for office in offices
    ]
    return Page("Signatures", Table(["office", "name", "signature", "date"], rows))


def sources_page(source: str, definitions: str, certificate: Text) -> Page:
    """Where rules come from, what computed the figures, and what a certificate proves of them."""
    computed = (
        f"Computed by sevenout {__version__} from the declaration of the game. {definitions}The "
        "same declaration, options and version give the same document, byte for byte."
    )
    return Page("Sources", *prose(source), Text(computed, tone="note"), certificate)
