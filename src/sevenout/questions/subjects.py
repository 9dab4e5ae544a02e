"""The subjects of questions, and the one reader that finds them from words.

How words become a game. Every interface (a command line, an address of the lab, Python) calls
`find_game`. It tries these forms in this order, and the first that fits decides:

    mine.py:Lucky                     a game of a Python file, if the interface reads files.
    mine.toml, ./mine                 a game file, if the interface reads files.
    2,3,12/7,11/7;pass:point=2        the rules of a point game (`rulebook`).

    ~eNpLzk                           a game file, packed into the words.

    craps+place-6-8                   several games on the same rolls.
    hazard;main=5                     an entry of the catalogue, with options.
    field-2-3;field:2=3               an entry whose return table pays 3 in its second row.

Files come first, since a path may hold any character. Rules come before a table, since dice may
hold a plus: 2,3/4,12/12@d4+d6. A command line gives options beside the words (`--main 5`), an
address inside them (`;main=5`); both are read alike. Any game of the catalogue or of a Python file
also takes `dice` and `limit`, unless it has an option of that name.

A `GameSubject` is a game with what is known about it. How it is played is `policies`; what a
question makes of it (a solution, a bet, optimal play) is in the table of `subject_kinds`.
"""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from os.path import isfile
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import quote, unquote
from zlib import compress, decompressobj
from zlib import error as ZlibError  # noqa: N812

from sevenout.catalogue import games
from sevenout.catalogue.entries import Entry, surrender_entry
from sevenout.catalogue.push_your_luck import hold_entry
from sevenout.errors import NoSuchOptionError, NotationError, RulesError, SevenoutError, shown
from sevenout.files import shown_path
from sevenout.model import chain_of, explore, has_choices
from sevenout.model.exploration import QUICK_STATES
from sevenout.numerals import check_digits, exact
from sevenout.questions.arguments import probability
from sevenout.questions.subject_kinds import SubjectKind
from sevenout.rolling import dice, parse_dice
from sevenout.rules import (
    FlatGame,
    Game,
    JointGame,
    Pay,
    PointGame,
    Progressive,
    RenamedGame,
    Surrender,
    bets_of,
    most,
)
from sevenout.rules.game import author_rules
from sevenout.rules.gamefiles.gamefile import GameFile, parse_game, read_game
from sevenout.rules.gamefiles.open_parameters import Opened, parse_opened, read_opened
from sevenout.rules.gamefiles.python_file import game_in, is_python
from sevenout.rules.modified_games import Repaid, limited, on_dice
from sevenout.rules.objective import objective_of
from sevenout.rules.race_games import HoldGame
from sevenout.variants.rulebook import VariantRules, read_rules, rules_of_game
from sevenout.variants.variant import parse_totals

MAX_FILE_LENGTH, MAX_FILE_DIGITS = 20_000, 60
"""The longest packed file, and the longest number in it: strangers send them to the lab."""
MAX_OPTION_DIGITS = 999
MODIFIER_OPTIONS = ("dice", "limit")
"""The options that any game accepts."""
POINT_GAME_RULES = ("naturals", "craps", "out", "pushes", "rerolls", "limit", "dice")
"""The options that are the rules of a point game, where no game is named."""
TOTAL_SETS = POINT_GAME_RULES[:2] + POINT_GAME_RULES[3:5]
PROBABILITY = probability()
NO_OPTIONS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class GameSubject:
    """A game, with what is known about it besides its rules.

    Attributes:
        title: its printed name.
        game: its rules.
        rules_text: the rules in words.
        bet: the bet that it is about; None for all.
        awards: progressive awards by bet.
        entry: what the catalogue knows about it, or what is known about its kind of game file.
        options: the values of the entry's options.
        policy: how it is played, if given with the game.
        reads_files: whether a policy may be named from a Python file.
        source: where the rules come from, as a citation; "" if unknown.
        file: the game file, if it was read from one.
        notation: what finds the game again; "" for a game given in Python.
        unedited_notation: the same without changed pays.
        variant_rules: the rules, if they can be edited.
        original_pays: how each bet was paid before the changes, row by row of its table.
        changed_profits: the changed profits by bet and row number, counted from 1.
    """

    title: str
    game: Game
    rules_text: str = ""
    bet: str | None = None
    entry: Entry | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    file: GameFile | None = None
    source: str = ""
    awards: Mapping[str, Progressive] = field(default_factory=dict)
    policy: Any = None
    reads_files: bool = False
    notation: str = ""
    unedited_notation: str = ""
    variant_rules: VariantRules | None = None
    original_pays: Mapping[str, tuple[Pay, ...]] | None = None
    changed_profits: Mapping[tuple[str, int], Fraction] = field(default_factory=dict)

    @property
    def decision_entry(self) -> Entry | None:
        """Its entry, if it has choices."""
        return self.entry if self.entry and self.entry.has_choices else None

    @property
    def goal(self) -> dict[str, Any] | None:
        """The game's own objective as arguments of `sevenout.best`; None without choices."""
        objective = objective_of(self.game)
        if objective is None and isinstance(self.game, Surrender):
            objective = most(self.game.bet)
        return dict(objective.arguments) if objective else None

    @property
    def bets(self) -> tuple[str, ...]:
        """The names of its bets, if its rules list them."""
        listed = self.game.bets is not None or self.game.outcomes
        return bets_of(self.game) if listed else ()

    def refuse_bet(self, bet: str | None) -> None:
        """Refuse an unknown bet before exploring the game, if its rules list the bets."""
        if self.bets:
            check_bet(bet, self.bets)


def check_bet(bet: str | None, bets: Sequence[str]) -> None:
    """Refuse a bet that a game does not have; None is all of them."""
    if bet is not None and bet not in bets:
        raise NotationError(f"no bet {shown(bet)}; the bets are: {', '.join(bets) or 'none'}")


# --- from words -----------------------------------------------------------------------------------


def find_game(
    notation: str | None, options: Mapping[str, str] = NO_OPTIONS, *, files: bool = False
) -> GameSubject:
    """The game of some words and options.

    >>> find_game("hazard", {"main": "5"}).title, find_game("hazard;main=5").title
    ('Hazard, main 5', 'Hazard, main 5')
    >>> find_game(None, {"craps": "2,3,12", "naturals": "7,11", "out": "7"}).title
    'naturals 7 11, craps 2 3 12, out 7'

    Args:
        notation: in one of the forms above; None if the options are the rules.
        options: options of the game, as texts.
        files: whether words may name a file. A server must not read the files that a visitor names.

    Raises:
        SevenoutError: not a game; the message has what to write instead.
    """
    texts = dict(options)
    if notation is None:
        return _game_of_rules(texts)
    # Files first: any character may be part of a path.
    subject = _find_in_file(notation, texts) if files else None
    subject = subject or _parse_game(notation, texts, files)
    return replace(subject, reads_files=files)


def _find_in_file(notation: str, options: dict[str, str]) -> GameSubject | None:
    """The game of a file; None if the words name none, or a table of games."""
    path = notation.partition(":")[0]
    # a plus joins games, unless it is a part of a file's name
    if "+" in (notation.removeprefix(path) if isfile(path) else notation):
        return None
    if is_python(notation):
        title, game, modifiers = game_in(notation, _option_values(options), MODIFIER_OPTIONS)
        game = _with_modifiers(notation, game, modifiers)
        title = _title_with_options(title, options)
        return GameSubject(title, game, author_rules(type(game)), notation=notation)
    if notation.endswith(".toml") or ("/" in notation and isfile(notation)):
        _refuse_options(notation, options)
        return file_subject(read_game(notation), notation)
    return None


def _parse_game(notation: str, options: dict[str, str], files: bool) -> GameSubject:
    """The game of words that are not a file's name."""
    head, *parts = notation.split(";")
    if is_rules(head):
        return _variant_subject(notation, options)
    if head.startswith("~"):
        return _packed_subject(head, parts)
    # a changed pay names a bet and a row: pass:2=3/2
    changes = [part for part in parts if ":" in part.partition("=")[0]]
    if "+" in head:
        unedited_notation = ";".join([head, *(part for part in parts if part not in changes)])
        return _joined_subject(unedited_notation, changes, options, files)
    return _catalogue_subject(head, parts, changes, options)


def _packed_subject(packed: str, changes: Sequence[str]) -> GameSubject:
    """A game file that is packed into the words."""
    file = parse_game(unpack_file(packed[1:]), "file")
    subject = replace(file_subject(file), variant_rules=rules_of_game(file.game))
    return _with_changed_profits(subject, packed, changes)


def _joined_subject(
    notation: str, changes: Sequence[str], options: dict[str, str], files: bool
) -> GameSubject:
    """Several games on the same rolls, joined by +."""
    modifiers = {key: options.pop(key) for key in MODIFIER_OPTIONS if key in options}
    _refuse_options(notation, options)
    joined = _games_together([find_game(part.strip(), files=files) for part in notation.split("+")])
    game = _with_modifiers(notation, joined.game, modifiers)
    joined = replace(joined, title=_title_with_options(joined.title, modifiers), game=game)
    return _with_changed_profits(joined, notation, changes)


def _catalogue_subject(
    name: str, parts: Sequence[str], changes: Sequence[str], options: dict[str, str]
) -> GameSubject:
    """A game of the catalogue, with options inside the words and beside them."""
    name, options_in_name = _entry_and_options(name)
    entry = entry_named(name)
    # A game with choices is paid by its outcome, and has no return table to change.
    if entry.has_choices:
        changes = []
    inside = [part for part in parts if part not in changes]
    options_inside = {key: unquote(text) for key, _, text in (p.partition("=") for p in inside)}
    # options beside the words overrule those of the name, and these overrule those inside
    options = options_inside | options_in_name | options
    values = _option_values(options)
    modifiers = {
        key: values.pop(key) for key in MODIFIER_OPTIONS if key in values.keys() - entry.options
    }
    subject = entry_subject(entry, **values)
    game = _with_modifiers(name, subject.game, modifiers)
    title, variant_rules = _title_with_options(entry.title, options), rules_of_game(game)
    subject = replace(subject, title=title, game=game, variant_rules=variant_rules)
    return _with_changed_profits(subject, ";".join([name, *inside]), changes)


def is_rules(notation: str) -> bool:
    """Whether words mean the rules of a point game, rather than a name or a file.

    >>> is_rules("2,3,12/7,11/7;push=5"), is_rules("Place 6/8"), is_rules("hazard;main=5")
    (True, False, False)
    """
    return (
        re.match(r"\s*(-?\d|none/)[^;]*", notation) is not None
        and "/" in notation.partition(";")[0]
    )


def _variant_subject(notation: str, options: dict[str, str]) -> GameSubject:
    """A variant of craps, by its rules."""
    dice_text = options.pop("dice", "2d6")
    _refuse_options(notation, options)
    book = read_rules(notation, dice_text)
    title = f"Variant {notation}" + (f" on {dice_text}" if dice_text != "2d6" else "")
    return GameSubject(
        title, book.game(), notation=book.text, unedited_notation=book.text, variant_rules=book
    )


def _game_of_rules(options: dict[str, str]) -> GameSubject:
    """The point game whose rules are the options."""
    # Neither words nor rules: the command was typed alone.
    if not options:
        raise NotationError(
            "no game is given; give a name (see `sevenout games`), a .toml file, or rules"
        )
    for key in options:
        if key not in POINT_GAME_RULES:
            raise NotationError(f"no rule --{key}; the rules are --{', --'.join(POINT_GAME_RULES)}")
    if "out" not in options:
        raise NotationError("the rules have no out; add the total that loses, such as --out 7")
    sets: dict[str, Any] = {key: _parse_totals(options.get(key, ""), key) for key in TOTAL_SETS}
    more: dict[str, Any] = {}
    if "limit" in options:
        more["limit"] = _parse_whole_number(options["limit"], "limit")
    if "dice" in options:
        more["dice"] = parse_dice(options["dice"])
    game = PointGame(**sets, out=_parse_whole_number(options["out"], "out"), **more)
    title = [f"{key} {' '.join(map(str, totals))}" for key, totals in sets.items() if totals]
    title += [f"{key} {options[key]}" for key in ("out", "limit", "dice") if key in options]
    return GameSubject(", ".join(title), game)


def find_games(notations: Iterable[str], find: Callable[[str], GameSubject]) -> list[GameSubject]:
    """Several games, each with its policy: craps, pig@hold-20.

    A second one with the same title but other words gets its words.
    """
    subjects: list[GameSubject] = []
    notation_by_title: dict[tuple[str, Any], str] = {}
    for notation in notations:
        subject = _find_with_policy(notation, find)
        # Two files may both be called "My game"; columns with one title can't be told apart.
        if notation_by_title.setdefault((subject.title, subject.policy), notation) != notation:
            subject = replace(subject, title=f"{subject.title} ({notation})")
        subjects.append(subject)
    return subjects


def _find_with_policy(notation: str, find: Callable[[str], GameSubject]) -> GameSubject:
    # The last one: a file or a rule may hold others.
    name, _, policy = notation.rpartition("@")
    if name and policy:
        with suppress(SevenoutError):  # the dice of rules, as in 2,3/4,12/12@d8
            subject = find(name)
            if has_choices(subject.game):
                return replace(subject, policy=policy)
    return find(notation)


def find_open_game(source: Any) -> Opened:
    """The game file with open numbers of a path, or of its text in several lines."""
    if isinstance(source, Opened):
        return source
    if isinstance(source, str) and "\n" in source:
        return parse_opened(source)
    if not isinstance(source, str | Path) or not str(source):
        raise RulesError(f"{shown(source)} is not a game file; give the path or the text of one")
    if not str(source).endswith(".toml") and not isfile(source):
        raise RulesError(
            f"{shown_path(source)} is not a .toml file; `sevenout new craps-like` writes one"
        )
    return read_opened(source)


def find_subjects(
    kind: SubjectKind,
    notations: Sequence[str],
    find_one_game: Callable[[str], GameSubject] = find_game,
    find_one_evening: Callable[[str], Any] = str,
) -> tuple[Any, ...]:
    """What a question of this kind is asked of, from words: its arguments in Python.

    >>> from sevenout.questions.subject_kinds import GAMES
    >>> [subject.policy for subject in find_subjects(GAMES, ["craps", "pig@hold-20"])]
    [None, 'hold-20']

    Args:
        kind: the kind of subject.
        notations: the words of each input.
        find_one_game: finds a game; an interface may read files, or remember games.
        find_one_evening: finds a strategy, or a game: see `plans`.
    """
    find: dict[str, Callable[[str], Any]] = {
        "game": find_one_game,
        "evening": find_one_evening,
        "file": find_open_game,
        "dice": str,
        "game or number": lambda text: (
            text if _parse_probability(text) is not None else find_one_game(text)
        ),
    }
    if kind.takes_several and kind.input_kind == "game":
        return tuple(find_games(notations, find_one_game))
    return tuple(map(find[kind.input_kind], notations)) if kind.input_kind else ()


def title_of(subject: Any) -> str:
    """The printed name of a subject."""
    match subject:
        case GameSubject():
            return subject.title
        case Opened():
            return str(subject.data.get("name", subject.file))
    return str(getattr(subject, "name", subject))


# --- from Python ----------------------------------------------------------------------------------


def subject_of(value: Any) -> GameSubject:
    """A game given in Python as a subject; a pair is a game and its policy."""
    match value:
        case GameSubject():
            return value
        case (game, policy):
            return replace(subject_of(game), policy=policy)
        case Entry():
            return entry_subject(value)
        case GameFile():
            return file_subject(value)
        case Game():
            return GameSubject(type(value).__name__, value)
    raise RulesError(f"{shown(value)} is not a game; give one, such as games['craps']")


def named_game(name: str, /, **options: Any) -> GameSubject:
    """A game of the catalogue, or one with choices, by name and the values of its options.

    >>> named_game("pig", goal=20).title
    'Pig, goal 20'

    Raises:
        SevenoutError: there is no such game or option.
    """
    subject = entry_subject(entry_named(name), **options)
    return replace(subject, title=_title_with_options(subject.title, options))


def entry_named(name: str) -> Entry:
    """The entry of a game, by its id or its title.

    Raises:
        RulesError: there is none; the message names the nearest names of any kind.
    """
    if name in games:
        return games.entry(name)
    # The nearest name would be far from what was meant.
    if name.isdecimal():
        raise RulesError(f"{shown(name)} is a number; name a game first, such as craps")
    if are_dice(name):
        raise RulesError(f"{shown(name)} are dice, and no game; write sevenout dice {name}")
    from sevenout.catalogue.bet_names import unknown_name  # loads the craps table

    raise unknown_name(name)


def are_dice(text: str) -> bool:
    """Whether a text is dice.

    >>> are_dice("2d6"), are_dice("craps")
    (True, False)
    """
    try:
        parse_dice(text)
    except SevenoutError:
        return False
    return True


def _entry_and_options(name: str) -> tuple[str, dict[str, str]]:
    """A name of the catalogue; of a bet as players call it, its entry and options."""
    if name in games:
        return name, {}
    from sevenout.catalogue.bet_names import entry_named as find_entry  # loads the craps table

    entry, options = find_entry(name) or (name, {})
    return entry, {key: option_text(value) for key, value in options.items()}


def entry_subject(entry: Entry, **options: Any) -> GameSubject:
    """A game of the catalogue, or one with choices, with the values of its options."""
    return GameSubject(
        entry.title,
        entry.game(**options),
        entry.rules_with(**options),
        entry.bet or None,
        entry,
        options,
        source=entry.source,
    )


def file_subject(file: GameFile, path: str = "") -> GameSubject:
    """The game of a file."""
    entry = None
    if isinstance(file.game, Surrender):
        entry = surrender_entry(path, file.name, file.game)
    elif isinstance(file.game, HoldGame):
        entry = hold_entry(path, file.name, file.game)
    return GameSubject(
        file.name,
        file.game,
        file.rules,
        entry=entry,
        file=file,
        awards=file.progressives,
        notation=path,
    )


def subjects_of(*values: Any) -> tuple[GameSubject, ...]:
    """Several games given in Python."""
    return tuple(map(subject_of, values))


def dice_or_roll(text: Any) -> Any:
    """Dice, or the text of a roll that keeps or rerolls some dice."""
    return text if isinstance(text, str) else dice(text)


def game_or_numbers(
    *values: Any, bet: str | None = None, policy: Any = None, against: Any = None
) -> tuple[Any, ...]:
    """A game with its policies; or two probabilities."""
    numbers = [_parse_probability(value) for value in values]
    if len(values) == 2 and None not in numbers:
        if (bet, policy, against) != (None, None, None):
            raise RulesError("bet=, policy= and against= are for a game; leave them out")
        return tuple(numbers)
    if len(values) != 1 or None not in numbers:
        raise RulesError("give a game, or two probabilities, such as 1/2 and 3/5")
    return (subject_of(values[0]), bet, policy, against)


def _parse_probability(text: Any) -> Fraction | None:
    if isinstance(text, str | int | float | Fraction) and not isinstance(text, bool):
        with suppress(SevenoutError):
            value: Fraction = PROBABILITY.parse(text)
            return value
    return None


def no_subject() -> None:
    """The subject of a question about numbers alone."""


# --- games made of games --------------------------------------------------------------------------


def _with_modifiers(notation: str, game: Game, modifiers: Mapping[str, Any]) -> Game:
    """A game with other dice, or a limit on its rolls."""
    try:
        if "dice" in modifiers:
            game = on_dice(game, parse_dice(str(modifiers["dice"])))
        if "limit" in modifiers:
            game = limited(game, _parse_whole_number(modifiers["limit"], "limit"))
    except RulesError as error:
        options = " ".join(f"--{key} {option_text(value)}" for key, value in modifiers.items())
        raise RulesError(f"{notation} {options}: {error}") from None
    return game


def _games_together(subjects: list[GameSubject]) -> GameSubject:
    """Several games on the same rolls; bets with one name get their games' titles."""
    games: list[Game] = []
    for subject in subjects:
        if subject.awards:
            raise NotationError(
                f"{subject.title} has a progressive award, which can't be joined with other games; "
                "add the other bets to its file"
            )
        # Games on the same rolls must roll dice; a game of games rolls another game.
        nested = isinstance(subject.game.rolls(subject.game.start), Game)
        games.append(FlatGame(subject.game) if nested else _with_listed_bets(subject.game))
    names = [bet for game in games for bet in bets_of(game)]
    for i, subject in enumerate(subjects):
        clash = {b: f"{b}, {subject.title}" for b in bets_of(games[i]) if names.count(b) > 1}
        if clash:
            games[i] = RenamedGame(games[i], clash)
    title = " + ".join(subject.title for subject in subjects)
    text = "\n\n".join(subject.rules_text for subject in subjects if subject.rules_text)
    return GameSubject(title, JointGame(*games), text)


def _with_listed_bets(game: Game) -> Game:
    """A game that lists its bets; a game in code is explored to find them."""
    if game.bets is not None or game.outcomes:
        return game
    # A copy, since the game in the catalogue is shared by all callers.
    listed = copy(game)
    object.__setattr__(listed, "bets", explore(game).bets)
    return listed


# --- other pays in a return table -----------------------------------------------------------------


def _with_changed_profits(
    subject: GameSubject, unedited_notation: str, changes: Sequence[str]
) -> GameSubject:
    """A game with other pays; the rules of a point game hold their pays themselves."""
    subject = replace(subject, notation=unedited_notation, unedited_notation=unedited_notation)
    # The words of a rule book have their pays in them already.
    if subject.variant_rules is not None or not changes:
        return subject
    rows = pays_by_bet(subject.game)
    edits = dict(_parse_changed_profit(part, rows) for part in changes)
    profits = {(bet, rows[bet][row - 1]): profit for (bet, row), profit in edits.items()}
    return replace(
        subject,
        game=Repaid(subject.game, profits),
        file=None,  # the file and its awards pay something else
        awards={},
        notation=";".join([unedited_notation, *changes]),
        original_pays=rows,
        changed_profits=edits,
    )


def _parse_changed_profit(
    change: str, pays_by_row: Mapping[str, tuple[Pay, ...]]
) -> tuple[tuple[str, int], Fraction]:
    key, _, profit = change.partition("=")
    name, _, row = key.rpartition(":")
    bet = unquote(name)
    count = len(pays_by_row.get(bet, ()))
    if not row.isdecimal() or len(row) > 5 or not 1 <= int(row) <= count:
        raise NotationError(f"{shown(change)}: {shown(bet)} has rows 1 to {count}")
    return (bet, int(row)), exact(profit)


@lru_cache(maxsize=64)
def pays_by_bet(game: Game) -> dict[str, tuple[Pay, ...]]:
    """How each bet can be paid, row by row, in the order in which the rules are explored."""
    pays: dict[str, dict[Pay, None]] = {}
    for outcome in chain_of(game, QUICK_STATES).outcomes:
        for bet, pay in outcome.pays:
            pays.setdefault(bet, {})[pay] = None
    return {bet: tuple(rows) for bet, rows in pays.items()}


def notation_with_profits(subject: GameSubject, bet: str, profits: Mapping[int, Fraction]) -> str:
    """The words of a game with other profits in some rows of a bet's table, by row number."""
    rows = (subject.original_pays or pays_by_bet(subject.game))[bet]
    edits = {**subject.changed_profits, **{(bet, row): profit for row, profit in profits.items()}}
    changes = [
        f"{quote(name, safe=' ')}:{row}={profit}"
        for (name, row), profit in edits.items()
        if name != bet or rows[row - 1].profit != profit
    ]
    return ";".join([subject.unedited_notation, *changes])


# --- texts of options and files -------------------------------------------------------------------


def option_value(text: str) -> Any:
    """An option's value: yes or no, a whole number, a list of them, amounts by number, or a text.

    >>> option_value("2,12"), option_value("yes"), option_value("10=80,9=1/2"), option_value("4%")
    ((2, 12), True, {10: 80, 9: '1/2'}, '4%')
    """
    text = str(text).strip()
    if text.lower() in FLAG_WORDS:
        return FLAG_WORDS[text.lower()]
    if re.fullmatch(r"\d{1,9}=[^=,]+(,\d{1,9}=[^=,]+)*", text):
        pairs = (part.partition("=") for part in text.split(","))
        return {int(key): option_value(value) for key, _, value in pairs}
    if re.fullmatch(rf"-?\d{{1,{MAX_OPTION_DIGITS}}}", text, re.ASCII):
        return int(text)
    if re.fullmatch(r"-?\d{1,999}(,-?\d{1,999})+", text, re.ASCII):
        return tuple(map(int, text.split(",")))
    return text


FLAG_WORDS = {"yes": True, "true": True, "no": False, "false": False}


def option_text(value: Any) -> str:
    """An option's value as typed; "" for none.

    >>> option_text((2, 12)), option_text({10: 80, 9: 20}), option_text(False), option_text(None)
    ('2,12', '10=80,9=20', 'no', '')
    """
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case tuple():
            return ",".join(map(option_text, value))
        case Mapping():
            return ",".join(f"{key}={option_text(amount)}" for key, amount in value.items())
    return str(value)


def _option_values(options: Mapping[str, str]) -> dict[str, Any]:
    return {key.replace("-", "_"): option_value(text) for key, text in options.items()}


def _title_with_options(title: str, options: Mapping[str, Any]) -> str:
    return ", ".join([title, *(f"{key} {text}" for key, text in options.items())])


def _refuse_options(notation: str, options: Mapping[str, str]) -> None:
    if options:
        raise NoSuchOptionError(notation, next(iter(options)), ())


def _parse_totals(text: str, rule: str) -> list[int]:
    if not text.strip():
        return []
    try:
        return parse_totals(text.replace(" ", ""))
    except NotationError as error:
        raise NotationError(f"--{rule}: {error}") from None


def _parse_whole_number(text: Any, rule: str) -> int:
    # Python refuses to read over 4,300 digits, with an error that names no option.
    if not re.fullmatch(r"\s*-?\d{1,999}\s*", str(text)):
        raise NotationError(f"--{rule}: {shown(text)} is not a whole number")
    return int(text)


def pack_file(file_text: str) -> str:
    """A file as words.

    >>> unpack_file(pack_file("format = 1"))
    'format = 1'
    """
    return urlsafe_b64encode(compress(file_text.encode(), 9)).decode().rstrip("=")


def unpack_file(packed: str) -> str:
    """The file of packed words."""
    try:
        data = urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
        decompressor = decompressobj()
        # a few packed characters can hold gigabytes
        file_text = decompressor.decompress(data, MAX_FILE_LENGTH).decode()
    except (ValueError, ZlibError):
        raise NotationError("the game in the address is damaged; copy the whole address") from None
    # Cut off above, so it may be longer than this.
    if len(file_text) >= MAX_FILE_LENGTH:
        raise NotationError(
            f"the game file has over {MAX_FILE_LENGTH:,} characters, the most that the lab reads; "
            "shorten it"
        )
    # The start of a cut address may be read without an error.
    if not decompressor.eof:
        raise NotationError("the game in the address is damaged; copy the whole address")
    return check_digits(file_text, MAX_FILE_DIGITS)
