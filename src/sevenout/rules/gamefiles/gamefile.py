"""Game files as TOML.

A file is data; none of it is executed.

    format = 1
    name = "Fast Craps, pass"
    dice = "2d6"

    [[line]]                        # a point game; one or more, played on the same rolls
    naturals = [11]
    craps = [2, 3, 12]
    pushes = [7]
    out = 7
    limit = 3                       # rolls for the point; without it, no limit

    [line.bets.pass]                # even money by default
    point = { "4,10" = [5, 4, 3], "5,9" = [4, 3, 2], "6,8" = [3, 2, 1] }

    [[wager]]                       # a bet that the next roll decides
    bet = "field"
    limit = 1
    pays = { "3,4,9,10,11" = 1, "2,12" = 2 }

    [[checklist]]                   # rolls to be collected before a stop
    bet = "small"
    collect = [2, 3, 4, 5, 6]
    stop = 7
    pays = 34

An amount is a whole number, a fraction or a percentage in quotes ("3/2", "4%"), or `{ profit = 3,
risk = 2 }` where odds or a commission add to the money at risk. It may go by total ("4,10" = ...),
and a point's by roll ([5, 4, 3]). `goal = "P(pass > 0)"` at the head sets the objective of a game
with choices. The schema is `schema.json` beside this module; `gamereader` reads the tables.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from sevenout.errors import NotationError
from sevenout.files import MAX_HANDWRITTEN_BYTES, read_text, shown_path
from sevenout.rolling import Dice, has_notation
from sevenout.rules.casino.limits import Limits, Progressive
from sevenout.rules.combined_games import JointGame, flattened
from sevenout.rules.game import Frozen, Game, bets_of
from sevenout.rules.gamefiles.filevalues import rows_of, toml_of
from sevenout.rules.gamefiles.gamekeys import (
    FAMILIES,
    FORM,
    FORMAT,
    HEAD,
    PROGRESSIVE,
    TABLES,
    table_of,
)
from sevenout.rules.gamefiles.gamereader import GameReader, is_picture
from sevenout.rules.gamefiles.gamewriter import Table, dice_of, read_alike, tables_of
from sevenout.rules.guarded_rules import Rulebook
from sevenout.rules.objective import parse_objective, with_comparison, with_objective
from sevenout.textdata import toml_data
from sevenout.wrong_arguments import public


@dataclass(frozen=True)
class GameFile:
    """A game from a file, with its name and the author's notes.

    Attributes:
        name: the game's name.
        games: the games, played on the same rolls.
        rules: the rules in the author's words.
        procedure: how the game is dealt.
        late_bets: what is done with a bet that is made too late.
        void_rolls: the rolls that do not count.
        cocked_dice: what happens if a die does not lie flat.
        irregularities: what is done about cheating and defective equipment.
        disputes: who settles a dispute, and how.
        equipment: the specifications of the dice, the shaker, the wheel.
        segments: the labels around the wheel, in order.
        layout: the table's layout in words, or the name of a picture beside the file.
        origin: that it is a new game, or the game that it is a variation of.
        patents: patents and trademarks.
        jurisdictions: where it is approved, refused or applied for.
        maker: who makes the game.
        author: who wrote its rules.
        seats: the most bettors at a table; 0 if not stated.
        version: the maker's version of the rules.
        currency: such as "$" or "EUR"; units by default.
        goal: the objective of a game with choices, such as "least rolls"; the most of its bet by
            default.
        limits: the house's limits, by bet.
        progressives: the progressive awards, by bet.
    """

    name: str
    games: tuple[Game, ...]
    rules: str = ""
    procedure: str = ""
    late_bets: str = ""
    void_rolls: str = ""
    cocked_dice: str = ""
    irregularities: str = ""
    disputes: str = ""
    equipment: str = ""
    segments: str = ""
    layout: str = ""
    origin: str = ""
    patents: str = ""
    jurisdictions: str = ""
    maker: str = ""
    author: str = ""
    version: str = ""
    currency: str = ""
    seats: int = 0
    limits: Mapping[str, Limits] = field(default_factory=lambda: Frozen({}))
    progressives: Mapping[str, Progressive] = field(default_factory=lambda: Frozen({}))
    goal: str = ""

    def limits_of(self, bet: str) -> str:
        """The house's limits on a bet, in words."""
        limits = self.limits.get(bet)
        return "" if limits is None else limits.in_words(self.currency)

    def window_of(self, bet: str) -> str:
        """When a bet is made and taken down, in words."""
        limits = self.limits.get(bet)
        return "" if limits is None else limits.when

    @property
    def picture(self) -> str:
        """The name of the layout's picture, beside the file, if any."""
        return self.layout.strip() if is_picture(self.layout) else ""

    @property
    def game(self) -> Game:
        """The game, or all together, with the file's objective."""
        # Games combine on the dice that they roll, not on rounds of another game.
        game = self.games[0] if len(self.games) == 1 else JointGame(*map(flattened, self.games))
        if not self.goal:
            return game
        objective = parse_objective(self.goal)
        compared = with_comparison(game, objective)
        return with_objective(game, objective) if compared is game else compared


def read_game(path: str | Path) -> GameFile:
    """The game in a file.

    Raises:
        FileError: the file can't be read.
        NotationError: the file is not a game; the message names file, line and a correction.
    """
    return parse_game(read_text(path, MAX_HANDWRITTEN_BYTES), shown_path(path))


def read_statement(path: str | Path, game: Game, bets: Collection[str]) -> GameFile:
    """What a file states about a game, such as a program, which the file does not hold.

    It has the head of a game file, and the tables `[limits.BET]` and `[progressive.BET]`: the form
    of a dossier's `declaration.toml`. Of a file that holds a game, the game is not used.

    Raises:
        FileError: the file can't be read.
        NotationError: a wrong value, or a bet that the game lacks; the message names file and line.
    """
    text, file = read_text(path, MAX_HANDWRITTEN_BYTES), shown_path(path)
    data = toml_data(text, file)
    if any(kind in data for kind in (*FAMILIES, *FORM)):
        return replace(game_of(data, text, file), games=(game,))
    return GameFile(games=(game,), **GameReader(text, file).statement(data, bets))


@public
def parse_game(text: str, file: str = "game") -> GameFile:
    """The game in a text; `game_text` is the inverse.

    >>> craps = parse_game('''
    ... format = 1
    ... name = "Craps"
    ... [[line]]
    ... naturals = [7, 11]
    ... craps = [2, 3, 12]
    ... out = 7
    ... ''')
    >>> parse_game(game_text(craps)) == craps
    True

    Raises:
        NotationError: the text is not a game; the message names file and line.
    """
    data = toml_data(text, file)
    # A value for each open number is chosen by a search, not by a default.
    if "open" in data:
        raise NotationError(f"{file}: it has open numbers; `sevenout tune` finds and fills them in")
    return game_of(data, text, file)


def game_of(data: Mapping[str, Any], text: str = "", file: str = "game") -> GameFile:
    """The game in data read by `toml_data`.

    >>> line = {"naturals": [7, 11], "craps": [2, 3, 12], "out": 7}
    >>> game_of({"format": 1, "name": "Craps", "line": [line]}).name
    'Craps'

    Raises:
        NotationError: the data is not a game; the message names file and line.
    """
    reader = GameReader(text, file)
    head, games, limits = reader.read_file(data)
    game_file = GameFile(games=games, limits=limits, **head)
    game = reader.attempt(lambda: game_file.game, reader.first_game_path(data))
    if PROGRESSIVE not in data:
        return game_file
    return replace(game_file, progressives=reader.progressives(data, bets_of(game), game))


@public
def game_text(game: GameFile) -> str:
    """A game as TOML; `parse_game` is the inverse.

    >>> line = {"naturals": [7, 11], "craps": [2, 3, 12], "out": 7}
    >>> craps = game_of({"format": 1, "name": "Craps", "line": [line]})
    >>> print(game_text(craps).splitlines()[1])
    name = "Craps"

    Raises:
        NotationError: a kind of game, dice or a reading that files don't have.
    """
    dice = dice_of(game.games[0])
    if not isinstance(dice, Dice) or not has_notation(dice):
        raise NotationError("only games on dice with a notation can be written to a file")
    tables: list[Table] = [("", head_table(game, str(dice)))]
    # Its tables of names stand at the head, before the rules.
    if isinstance(game.games[0], Rulebook):
        data = game.games[0].data
        tables[0] = ("", {**tables[0][1], **{key: data[key] for key in ("bets", "sees", "start")}})
    for part in game.games:
        tables += tables_of(part, game.limits)
        if not read_alike(part, dice):
            raise NotationError(
                f"a game file can't hold {', '.join(bets_of(part))}: it reads its dice in "
                "another way than by totals, hard ways, faces or doubles"
            )
    return text_of([*tables, *award_tables(game)])


def head_table(game: GameFile, dice: str | None = None) -> dict[str, Any]:
    """What a file states at its top; empty values are not written."""
    head = table_of(HEAD, lambda name: getattr(game, name) or None)
    return {"format": FORMAT, "name": game.name, "dice": dice} | head


def award_tables(game: GameFile) -> list[Table]:
    """The tables of the progressive awards."""
    return [
        (f"[{PROGRESSIVE}.{toml_of(bet)}]", table_of(TABLES["award"], partial(getattr, award)))
        for bet, award in game.progressives.items()
    ]


def text_of(tables: Iterable[Table]) -> str:
    """Tables as the text of a file."""
    texts = ("\n".join([header, *rows_of(table)]).lstrip() for header, table in tables)
    return "\n\n".join(texts) + "\n"
