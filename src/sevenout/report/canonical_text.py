"""The one canonical text of all that is declared of a game; its SHA-256 stands on every paper.

A game that a file can say has the text of that file. Of another the head is the same. Its rules are
the hash of the model that was explored from them, and those of the files of a program. If the game
is data, the last line is a comment with the hash of the rules that its certificate carries.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields, replace
from hashlib import sha256
from typing import Any

from sevenout.certify.body import model_sha256, rules_line
from sevenout.certify.declaration import declaration_of
from sevenout.errors import NotationError, RulesError, SevenoutError, shown
from sevenout.games import Entry
from sevenout.model import explore
from sevenout.numerals import exact
from sevenout.rules import ByTurns, Game, Together
from sevenout.rules.casino.limits import Limits
from sevenout.rules.frozen_mapping import Frozen
from sevenout.rules.game import bets_of
from sevenout.rules.gamefiles.gamefile import GameFile, game_text
from sevenout.rules.gamefiles.gamereader import FORMAT, GOAL, PRINTED
from sevenout.rules.gamefiles.gamewriter import rows_of as keys_of
from sevenout.rules.gamefiles.gamewriter import toml_of

Sources = Iterable[tuple[str, bytes]]
"""The files of a program: names and bytes."""


def canonical_text(declared: GameFile, sources: Sources = (), model: str = "") -> str:
    """What is declared, as TOML.

    >>> from sevenout.games import decisions
    >>> pig = GameFile("Piglet", (decisions("piglet"),), author="J. Scarne", goal="P(win)")
    >>> print(canonical_text(pig, model="00ff"))
    format = 1
    name = "Piglet"
    goal = "P(win)"
    author = "J. Scarne"
    <BLANKLINE>
    [model]
    sha256 = "00ff"
    <BLANKLINE>

    Args:
        declared: the game, and what is declared about it.
        sources: the program that it is, if it is one.
        model: the SHA-256 of its rules, where a file can't say them; that of the explored model if
            not given.
    """
    text = _text(declared, list(sources), model) + _rules_line(declared.game)
    return text.encode(errors="backslashreplace").decode()  # half a character is none in UTF-8


def _rules_line(game: Game) -> str:
    """What ties the text to the rules that a certificate carries; nothing of a program."""
    try:
        return rules_line(declaration_of(game))
    except SevenoutError:
        return ""


def _text(declared: GameFile, files: list[tuple[str, bytes]], model: str) -> str:
    """The text without its last line."""
    ours = all(type(each).__module__.startswith("sevenout.rules.") for each in declared.games)
    if ours and not files:
        try:
            return game_text(declared)
        except NotationError:
            pass
    head = {"format": FORMAT, "name": declared.name}
    tables: list[tuple[str, Mapping[Any, Any]]] = [
        ("", head | {key: getattr(declared, key) for key in (GOAL, *PRINTED)})
    ]
    for bet, limits in declared.limits.items():
        tables.append((f"[limits.{toml_of(bet)}]", asdict(limits)))
    for bet, award in declared.progressives.items():
        amounts = ("seed", award.seed), ("share", award.share), ("must_hit_by", award.must_hit_by)
        said: dict[str, Any] = {k: None if given is None else exact(given) for k, given in amounts}
        tables.append((f"[progressive.{toml_of(bet)}]", said | {"on": award.on}))
    if files:
        tables.append(("[program]", {name: sha256(text).hexdigest() for name, text in files}))
    tables.append(("[model]", {"sha256": model or model_sha256(explore(declared.game))}))
    texts = ("\n".join([header, *keys_of(table)]).lstrip() for header, table in tables)
    return "\n\n".join(texts) + "\n"


def declared_of(
    game: Game, name: str, file: GameFile | None = None, *, rules: str = "", **said: Any
) -> GameFile:
    """What is declared of a game, with its file if it is from one.

    >>> from sevenout.games import catalogue
    >>> declared_of(catalogue["craps"], "Craps", maker="Me").maker
    'Me'

    Args:
        game: the rules.
        name: in print.
        file: the game file.
        rules: in words; those of the file if there is one.
        said: the maker, the author and the version; else those of the file, and version 1.
    """
    said = {key: each for key, each in said.items() if each}
    said["version"] = said.get("version") or (file.version if file else "") or "1"
    if file is not None:
        return replace(file, name=name, **said)
    games = game.games if isinstance(game, Together) else (game,)
    return GameFile(name, games, rules=rules, **said)


def declaration(
    game: Game | Entry | GameFile, name: str = "", *, limits: str = "", **stated: Any
) -> GameFile:
    """All that a maker states of a game, once: what `sheet` and the dossier are made from.

    >>> from sevenout.games import catalogue
    >>> stated = declaration(catalogue.entry("craps"), author="J. Doe", limits="$5 to $50")
    >>> stated.name, stated.author, stated.limits_of("pass")
    ('Craps', 'J. Doe', 'from $5 to $50')

    Args:
        game: the rules, an entry of the catalogue, or a game file, of which more is stated.
        name: in print; that of the entry or the file if not given.
        limits: what may be staked on each bet of which nothing is said: "5 to 500", "$5 to $50".
        stated: any attribute of a `GameFile`: maker, author, version, rules, procedure, currency,
            progressives, goal. One that is empty is left as it is.

    Raises:
        RulesError: nothing of that name can be stated; limits without amounts, or of no bet.
    """
    known = {each.name for each in fields(GameFile)} - {"name", "games", "limits"}
    if unknown := [key for key in stated if key not in known]:
        raise RulesError(f"{unknown[0]} can't be stated; these can: {', '.join(sorted(known))}")
    rest = {key: each for key, each in stated.items() if each}
    if isinstance(game, GameFile):
        found = replace(game, name=name or game.name, **rest)
    elif isinstance(game, Entry):
        found = declared_of(game.game(), name or game.title, rules=game.rules)
        found = replace(found, **rest)
    else:
        found = replace(declared_of(game, name or type(game).__name__), **rest)
    if not found.version:
        found = replace(found, version="1")
    return with_limits(found, _bets(found.game), limits) if limits else found


def _bets(game: Game) -> tuple[str, ...]:
    """The bets of a game; of one that doesn't say them, those of its outcomes."""
    if isinstance(game, ByTurns):
        return ()
    if game.bets is None and not game.outcomes:
        return tuple(explore(game).bets)
    return bets_of(game)


def with_limits(declared: GameFile, bets: Iterable[str], text: str) -> GameFile:
    """The same, with limits on those bets of which it says none.

    >>> from sevenout.games import catalogue
    >>> craps = declared_of(catalogue["craps"], "Craps")
    >>> with_limits(craps, ["pass"], "$5 to $50").limits_of("pass")
    'from $5 to $50'

    Raises:
        RulesError: the text has no amounts, or those of another currency.
    """
    bets = tuple(bets)
    if not bets:
        raise RulesError(f"limits {shown(text)}; {declared.name} has no bets, leave them out")
    limits, sign = Limits.of(text)
    if sign and declared.currency not in ("", sign):
        raise RulesError(f"limits {shown(text)}; the amounts are in {declared.currency}")
    found = dict(declared.limits)
    for bet in bets:
        if not declared.limits_of(bet):
            said = found.get(bet, Limits())
            found[bet] = replace(said, minimum=limits.minimum, maximum=limits.maximum)
    return replace(declared, limits=Frozen(found), currency=declared.currency or sign)
