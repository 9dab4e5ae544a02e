"""The canonical text of a game's declaration; its SHA-256 is printed on every paper.

A game that a game file can hold has that file's text. Any other game has the same head, then the
hash of its explored model and of its program files. If the rules are data, the last line is a
comment with the hash of the rules in its certificate.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields, replace
from hashlib import sha256
from typing import Any

from sevenout.catalogue import Entry
from sevenout.certify.certificate import model_sha256
from sevenout.certify.declared import rules_sha256
from sevenout.errors import NotationError, RulesError, SevenoutError, shown
from sevenout.model import explore
from sevenout.numerals import exact
from sevenout.rules import ByTurns, Game, Together
from sevenout.rules.casino.limits import Limits
from sevenout.rules.game import Frozen, bets_of
from sevenout.rules.gamefiles.gamefile import GameFile, game_text
from sevenout.rules.gamefiles.gamereader import FORMAT, GOAL, PRINTED, SEATS
from sevenout.rules.gamefiles.gamewriter import rows_of as keys_of
from sevenout.rules.gamefiles.gamewriter import toml_of
from sevenout.rules.rules_as_data import rulebook_of_game

Sources = Iterable[tuple[str, bytes]]
"""The files of a program: names and bytes."""


def canonical_text(declared: GameFile, sources: Sources = (), model: str = "") -> str:
    """The declaration as TOML.

    >>> from sevenout.catalogue import games
    >>> pig = GameFile("Piglet", (games("piglet"),), author="J. Scarne", goal="P(win)")
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
        declared: the game and its declaration.
        sources: the files of a game that is a program.
        model: the SHA-256 of rules that a file can't hold; that of the explored model if not given.
    """
    text = _text(declared, list(sources), model) + _rules_line(declared.game)
    return text.encode(errors="backslashreplace").decode()  # UTF-8 can't hold a lone surrogate


def _rules_line(game: Game) -> str:
    """The hash of the rules in a certificate; empty for a program."""
    try:
        return f"# rules, SHA-256 {rules_sha256(rulebook_of_game(game))}\n"
    except SevenoutError:
        return ""


def _text(declared: GameFile, files: list[tuple[str, bytes]], model: str) -> str:
    ours = all(type(each).__module__.startswith("sevenout.rules.") for each in declared.games)
    if ours and not files:
        try:
            return game_text(declared)
        except NotationError:
            pass
    head = {"format": FORMAT, "name": declared.name}
    tables: list[tuple[str, Mapping[Any, Any]]] = [
        (
            "",
            head
            | {key: getattr(declared, key) for key in (GOAL, *PRINTED)}
            | {SEATS: declared.seats or None},
        )
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
    """The declaration of a game, with its game file if it has one.

    >>> from sevenout.catalogue import games
    >>> declared_of(games["craps"], "Craps", maker="Me").maker
    'Me'

    Args:
        game: the rules.
        name: its name in print.
        file: the game file.
        rules: the rules in words; the file's if there is one.
        said: maker, author and version; the file's by default, or version 1.
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
    """Everything a maker states about a game; `sheet` and the dossier are made from it.

    >>> from sevenout.catalogue import games
    >>> stated = declaration(games.entry("craps"), author="J. Doe", limits="$5 to $50")
    >>> stated.name, stated.author, stated.limits_of("pass")
    ('Craps', 'J. Doe', 'from $5 to $50')

    Args:
        game: the rules, an entry of the catalogue, or a game file.
        name: its name in print; the entry's or file's if not given.
        limits: the limits of every bet that has none of its own: "5 to 500", "$5 to $50".
        stated: other attributes of `GameFile`: maker, author, version, rules, procedure, currency,
            progressives, goal. An empty one is ignored.

    Raises:
        RulesError: an unknown attribute; limits without amounts, or of no bet.
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
    return with_limits(found, declared_bets(found.game), limits) if limits else found


def declared_bets(game: Game) -> tuple[str, ...]:
    """The bets of a game; it is explored if it does not list them."""
    if isinstance(game, ByTurns):
        return ()
    if game.bets is None and not game.outcomes:
        return tuple(explore(game).bets)
    return bets_of(game)


def with_limits(declared: GameFile, bets: Iterable[str], text: str) -> GameFile:
    """The same declaration, with limits on the bets that have none.

    >>> from sevenout.catalogue import games
    >>> craps = declared_of(games["craps"], "Craps")
    >>> with_limits(craps, ["pass"], "$5 to $50").limits_of("pass")
    'from $5 to $50'

    Raises:
        RulesError: no amounts in the text, or another currency.
    """
    bets = tuple(bets)
    if not bets:
        raise RulesError(
            f"limits {shown(text)}; {declared.name} has no bets, so leave the limits out"
        )
    limits, sign = Limits.of(text)
    if sign and declared.currency not in ("", sign):
        raise RulesError(f"limits {shown(text)}; the amounts are in {declared.currency}")
    found = dict(declared.limits)
    for bet in bets:
        if not declared.limits_of(bet):
            said = found.get(bet, Limits())
            found[bet] = replace(said, minimum=limits.minimum, maximum=limits.maximum)
    return replace(declared, limits=Frozen(found), currency=declared.currency or sign)
