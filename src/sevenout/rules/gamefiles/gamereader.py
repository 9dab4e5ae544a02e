"""Reads games from the tables of a game file.

`gamekeys` declares the keys, and says how each value is read. Here the values become games, and
statements that contradict one another are refused. An error names the file, the line, and what to
write instead.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, NoReturn

from sevenout.budgets.estimates import afford
from sevenout.documents.numbers import amount
from sevenout.errors import SevenoutError
from sevenout.numerals import exact
from sevenout.rolling import Dice, parse_dice
from sevenout.rolling.die import total
from sevenout.rules.casino.limits import (
    Limits,
    Progressive,
    conflict_with_figures,
    conflict_with_procedure,
    most_paid,
)
from sevenout.rules.combined_games import JointGame, Streak
from sevenout.rules.game import Frozen, Game, bets_of
from sevenout.rules.gamefiles.filevalues import Key, KeyPath, ValueReader, as_toml, toml_of
from sevenout.rules.gamefiles.gamekeys import (
    A_ROUND,
    FAMILIES,
    FORM,
    FORMAT,
    GOAL,
    HEAD,
    KINDS,
    LIMIT_TABLES,
    MAX_SEATS,
    PROGRESSIVE,
    SEATS,
    SOLO,
    TABLE_LISTS,
    TABLES,
    TOP,
    group_text,
)
from sevenout.rules.guarded_rules import Rulebook
from sevenout.rules.keep_games import KeepScore
from sevenout.rules.modified_games import LEAVE, Surrender
from sevenout.rules.objective import parse_objective, parse_quantity
from sevenout.rules.pay_tables import PayTable
from sevenout.rules.point_games import PointGame, PointsMade, RoundsWon
from sevenout.rules.race_games import HoldGame
from sevenout.rules.wagers import REST, Checklist, Wager, event_reading

HASHES = ("program", "model")
"""The tables of a declaration with the hashes of a program; they are computed again."""
DRAWN_PICTURES = ("layout.svg", "rack-card.svg")
"""Pictures that a dossier draws itself."""
PICTURES = (".png", ".jpg", ".jpeg", ".svg")


class GameReader(ValueReader):
    """Reads the tables of one file.

    A bet's limits are read where its pays are. They are kept aside, and compared with the pays,
    the procedure and the awards once the games are made.

    Attributes:
        dice: what the games roll.
        limits: the house's limits, by bet.
    """

    kinds = KINDS
    may_be_open = True
    dice: Dice

    def __init__(self, text: str, file: str) -> None:
        super().__init__(text, file)
        self.limits: dict[str, Limits] = {}

    def read_file(
        self, data: Mapping[str, Any]
    ) -> tuple[dict[str, Any], tuple[Game, ...], Frozen[str, Limits]]:
        """The head, the games, and the limits by bet.

        Raises:
            NotationError: the data is not a game; the message names file and line.
        """
        self.refuse_unknown_keys(data, [key.name for key in TOP], ())
        head = self.head(data)
        dice = self.text(data.get("dice", "2d6"), ("dice",), "2d6")
        self.dice = self.attempt(lambda: parse_dice(dice), ("dice",))
        paths = self._tables_and_paths(data)
        bets = sum(
            len(table["bets"]) if isinstance(table.get("bets"), dict) else 1 for table, _ in paths
        )
        # A file of thousands of bets would take minutes before the first answer.
        afford(f"a game of {bets:,} bets", seconds=0.01 * bets + 1e-6 * bets**2)
        games = tuple(self._game(table, path) for table, path in paths)
        for game in games:
            # Games with choices don't combine: one decision would stop the rolls of all.
            if len(games) > 1 and isinstance(game, Surrender):
                self._contradiction(
                    f"{game.bet} may be surrendered; such a bet is alone in its file, so leave "
                    "the other games out",
                    self.first_game_path(data),
                )
        for game, (_, path) in zip(games, paths, strict=True):
            for bet in bets_of(game):
                self._check_top_award(bet, most_paid(game, bet), path)
                self._check_window(bet, game, games, head.get("procedure", ""), path)
        if GOAL in data:
            head[GOAL] = self._goal(head[GOAL], games)
        return head, games, Frozen(self.limits)

    def head(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The name, the texts and the number of seats that a maker states.

        Raises:
            NotationError: a wrong format or text; the message names file and line.
        """
        if "format" not in data:
            self._fail(f"no format; write format = {FORMAT}", ())
        # Before all else: another format may have no example keys.
        if type(data["format"]) is not int or data["format"] != FORMAT:
            self._fail(f"format = {as_toml(data['format'])}; write format = {FORMAT}", ("format",))
        if "name" not in data:
            self._fail('no name; write name = "..."', ())
        head: dict[str, Any] = {
            key.name: KINDS[key.kind].read(self, data[key.name], (key.name,))
            for key in HEAD
            if key.name in data
        }
        # Blanks are not part of a picture's name, and some systems ignore case.
        picture = head.get("layout", "").strip().lower()
        # A file from elsewhere must not read other folders, nor replace a drawing of the dossier.
        if is_picture(picture) and (set(picture) & set("/\\:") or picture in DRAWN_PICTURES):
            self._contradiction(
                f"layout = {as_toml(head['layout'])}; name a picture beside this file, such as "
                "felt.png",
                ("layout",),
            )
        if not 1 <= head.get(SEATS, 1) <= MAX_SEATS:
            self._fail(f"seats = {head[SEATS]}; write 1 to {MAX_SEATS:,}", (SEATS,))
        return head

    def statement(self, data: Mapping[str, Any], bets: Collection[str]) -> dict[str, Any]:
        """The head, limits and awards that a file states about a game which it does not hold.

        Raises:
            NotationError: a wrong value, or a bet that the game lacks; with file and line.
        """
        stated = [key.name for key in HEAD if key.name != GOAL]
        self.refuse_unknown_keys(data, ("format", *stated, LIMIT_TABLES, PROGRESSIVE, *HASHES), ())
        head, tables = self.head(data), data.get(LIMIT_TABLES, {})
        self.check_table(tables, "limits", "[limits.pass]", (LIMIT_TABLES,))
        for bet, table in tables.items():
            if bet not in bets:
                example = f"name a bet: {', '.join(bets)}" if bets else "this game has no bets"
                self._contradiction(f"limits.{bet}; {example}", (LIMIT_TABLES, bet))
            path = (LIMIT_TABLES, bet)
            self._take_limits(bet, self.fields(TABLES["limits"], table, path), path)
        awards = self.progressives(data, bets)
        return {**head, "limits": Frozen(self.limits), "progressives": awards}

    def progressives(
        self, data: Mapping[str, Any], bets: Collection[str], game: Game | None = None
    ) -> Frozen[str, Progressive]:
        """The progressive awards by bet.

        Raises:
            NotationError: an invalid award; the message names file and line.
        """
        tables = data.get(PROGRESSIVE, {})
        self.check_table(tables, "progressive", "[progressive.pass]", (PROGRESSIVE,))
        awards: dict[str, Progressive] = {}
        for bet, table in tables.items():
            path = (PROGRESSIVE, bet)
            example = f"a bet's table, such as [progressive.{next(iter(bets), 'pass')}]"
            self.check_table(table, f"progressive.{bet}", example, path)
            if bet not in bets:
                self._contradiction(f"progressive.{bet}; name a bet: {', '.join(bets)}", path)
            fields = self.fields(TABLES["award"], table, path)
            awards[bet] = self.attempt(partial(Progressive, **fields), path)
            part = game.game_of(bet) if isinstance(game, JointGame) else game
            ends = part.outcomes if part else ()
            rows = [pay for end in ends for b, pay in end.pays if b == bet]
            won = [pay.profit / pay.stake for pay in rows if pay.event in awards[bet].on]
            if rows:
                self._check_award_stake(bet, rows[0].stake, path)
            self._check_meter(bet, awards[bet], max(won, default=Fraction(0)), path)
        return Frozen(awards)

    def first_game_path(self, data: Mapping[str, Any]) -> KeyPath:
        """The position of the first game."""
        kind = next(kind for kind in (*TABLE_LISTS, *SOLO, *FORM) if kind in data)
        return (kind,) if kind in SOLO else (kind, 0)

    # --- the file ---------------------------------------------------------------------------------

    def _goal(self, goal: str, games: tuple[Game, ...]) -> str:
        """The objective; it must name something in the game."""
        game, path = games[0], (GOAL,)
        if not (isinstance(game, Surrender | HoldGame | KeepScore) or _has_options(game)):
            self._contradiction(
                f"goal = {as_toml(goal)}; this game has no choices, leave it out", path
            )
        quantity = self.attempt(lambda: parse_objective(goal), path).quantity
        labels = tuple(dict.fromkeys(outcome.label for outcome in game.outcomes))
        counters = ("rolls", *game.counters)
        self.attempt(lambda: parse_quantity(str(quantity), bets_of(game), counters, labels), path)
        return goal

    def _tables_and_paths(self, data: Mapping[str, Any]) -> list[tuple[dict[str, Any], KeyPath]]:
        """The games' tables and their positions."""
        # Rules as data say everything, so nothing can stand beside them.
        if form := [key for key in FORM if key in data]:
            if others := [kind for kind in (*TABLE_LISTS, *SOLO) if kind in data]:
                self._contradiction(
                    f"{others[0]} beside {form[0]}; write one kind of rules", (form[0],)
                )
            self._tables(data, "roll")
            self._tables(data, "choose")
            return [({key: data[key] for key in form}, ("roll",))]
        alone = [kind for kind in SOLO if kind in data]
        if not alone and not any(kind in data for kind in TABLE_LISTS):
            kinds = "[[line]], [[wager]], [[checklist]], [[points]] or [[roll]]"
            self._fail(f"no game; write {kinds}", ())
        for kind in (*TABLE_LISTS, *SOLO) if alone else ():
            if kind in data and kind != alone[0]:
                self._contradiction(
                    f"[{alone[0]}] is alone in its file; leave {kind} out", (alone[0],)
                )
        if alone:
            table = data[alone[0]]
            self.check_table(table, alone[0], f"[{alone[0]}]", (alone[0],))
            return [(table, (alone[0],))]
        return [(t, (k, i)) for k in TABLE_LISTS for i, t in enumerate(self._tables(data, k))]

    def _tables(self, data: Mapping[str, Any], kind: str) -> list[dict[str, Any]]:
        if kind not in data:
            return []
        tables = data[kind]
        if not isinstance(tables, list) or not tables:
            self._fail(f"{kind} = {as_toml(tables)}; write [[{kind}]]", (kind,))
        for i, table in enumerate(tables):
            self.check_table(table, kind, f"[[{kind}]]", (kind, i))
        return tables

    # --- kinds of games ---------------------------------------------------------------------------

    def _game(self, table: dict[str, Any], path: KeyPath) -> Game:
        """The game of a table."""
        kind = str(path[0])
        # Rules as data are read by the rulebook; they are no table of keys.
        if kind == "roll":
            return self._rulebook(table)
        fields = self.fields(TABLES[kind], table, path)
        if kind in MAKERS:
            return MAKERS[kind](self, fields, path)
        make: Any = FAMILIES[kind][0]
        return self.attempt(lambda: make(die=self.dice, **fields), path)  # type: ignore[no-any-return]

    def _rulebook(self, table: dict[str, Any]) -> Game:
        """The game of rules as data; a fault is found in the table of its rule."""
        if self.dice.total is not total:
            message = f"dice = {as_toml(str(self.dice))}; rules as data read faces"
            self._contradiction(f"{message}, so write plain dice, such as 2d6", ("dice",))
        for key in ("bets", "sees", "start"):
            self.check_table(table.get(key, {}), key, f"a table, [{key}]", (key,))
        options = {key: table[key] for key in FORM if key in table and key != "roll"}
        try:
            return Rulebook(self.dice, table.get("roll", ()), **options)
        except SevenoutError as error:
            # A rulebook numbers its rules, as the file's tables are numbered.
            path = tuple(int(key) if key.isdecimal() else key for key in error.at)
            self._fail(str(error), path or ("roll",), error)

    def _line(self, fields: dict[str, Any], path: KeyPath) -> Game:
        """A point game; with offers, one whose bet may be surrendered."""
        bets = fields.pop("bets", None)
        pays, offers = bets or self.bets({"pass": {}}, (*path, "bets"))
        label = self._surrendered(fields.get("names", {}), bool(offers), path)
        game = self._point_game(fields | {"bets": pays}, path)
        if not offers:
            return game
        # Offers are listed by state, so there must not be too many.
        self.attempt(game.check_size, path)
        bet, schedule = next(iter(offers.items()))
        offer_path = (*path, "bets", bet, LEAVE)
        by_state = self._point_offers(schedule, game, offer_path)
        return self.attempt(lambda: Surrender(game, by_state, label), offer_path)

    def bets(self, tables: Any, path: KeyPath) -> tuple[dict[str, PayTable], dict[str, Any]]:
        """The bets of a line, and the offers for them."""
        if not isinstance(tables, dict) or not tables:
            self._fail("bets holds no bet; write [line.bets.pass]", path)
        bets, offers = {}, {}
        for bet, table in tables.items():
            bet_path = (*path, self.checked_name(bet, (*path, bet)))
            self.check_table(table, bet, f"[line.bets.{bet}]", bet_path)
            fields = self.fields(TABLES["line_bet"], table, bet_path)
            self._take_limits(bet, fields, bet_path)
            if LEAVE in fields:
                offers[bet] = fields.pop(LEAVE)
            bets[bet] = self.attempt(partial(PayTable, **fields), bet_path)
        return bets, offers

    def table_game(self, table: Any, path: KeyPath, keys: Sequence[Key]) -> PointGame:
        """A round of the table, beside a bet or repeated."""
        self.check_table(table, path[-1], toml_of(A_ROUND), path)
        return self._point_game(self.fields(keys, table, path), path)

    def _point_game(self, fields: dict[str, Any], path: KeyPath) -> PointGame:
        """A point game of the file's dice."""
        # A file may leave both out; the class has no default for them.
        empty_sets: dict[str, Any] = {"naturals": (), "craps": ()}
        return self.attempt(lambda: PointGame(**(empty_sets | fields), dice=self.dice), path)

    def _point_offers(self, schedule: Any, game: PointGame, path: KeyPath) -> dict[Any, Any]:
        """The offers by state, from a schedule by point and by roll."""
        table = {tuple(game.points): schedule} if not isinstance(schedule, dict) else schedule
        offers: dict[Any, Any] = {}
        for points, amounts in table.items():
            for point in points:
                listed = amounts if isinstance(amounts, list) else [amounts] * (game.limit or 1)
                if game.limit is None and isinstance(amounts, list):
                    self._contradiction(
                        "offers by roll, but rolls have no limit; offer one amount", path
                    )
                if len(listed) > (game.limit or 1):
                    message = f"{len(listed)} offers on {point}, but limit = {game.limit}"
                    self._contradiction(f"{message}; list one for each roll", path)
                for rolled, offer in enumerate(listed):
                    offers[point if game.limit is None else (point, rolled)] = offer
        return offers

    def _surrendered(self, names: dict[str, str], offered: bool, path: KeyPath) -> str:
        """The name of a surrender, removed from `names`."""
        if LEAVE in names and not offered:
            self._contradiction(f"{LEAVE} has a name, and nothing is offered", (*path, "names"))
        return names.pop(LEAVE, "")

    def _wager(self, fields: dict[str, Any], path: KeyPath) -> Game:
        """A bet until a deciding roll."""
        self._take_limits(fields["bet"], fields, path)
        pays, limit = fields["pays"], fields.get("limit")
        if "late" in fields and limit is None:
            self._fail("rest is paid when no roll decides; set limit = 1", (*path, REST))
        names: dict[Any, str] = {
            key if key == REST else self.events(key, (*path, "names")): name
            for key, name in fields.pop("names", {}).items()
        }
        for key in names:
            if key not in pays and (key != REST or limit is None):
                message = f"a name for {as_toml(group_text(key))}, which pays doesn't have"
                self._contradiction(message, (*path, "names"))
        events = [event for events in pays for event in events]
        return self.attempt(
            lambda: Wager(event_reading(self.dice, events), **fields, names=names), path
        )

    def _checklist(self, fields: dict[str, Any], path: KeyPath) -> Game:
        """A bet on a list of rolls; with offers, one that may be surrendered."""
        self._take_limits(fields["bet"], fields, path)
        offers, named = fields.pop(LEAVE, None), fields.pop("names", {})
        stop, *more = fields.pop("stop")
        if more:
            self._fail(
                f'stop = "{group_text((stop, *more))}"; name one roll, such as 7', (*path, "stop")
            )
        label = self._surrendered(named, offers is not None, path)
        names = {int(key) if key.isdecimal() else key: name for key, name in named.items()}
        events = [stop, *(event for events in fields["times"] for event in events)]
        game = self.attempt(
            lambda: Checklist(event_reading(self.dice, events), stop=stop, names=names, **fields),
            path,
        )
        # Outcomes are made when they are first needed; a wrong amount is told here, with its line.
        self.attempt(lambda: game.outcomes, path)
        if offers is None:
            return game
        return self.attempt(lambda: Surrender(game, offers, label), (*path, LEAVE))

    def _points(self, fields: dict[str, Any], path: KeyPath) -> Game:
        """A bet on the points of a hand."""
        self._take_limits(fields["bet"], fields, path)
        round_ = fields.pop("dice")
        return self.attempt(lambda: PointsMade(round_, **fields), path)

    def _turn(self, fields: dict[str, Any], path: KeyPath) -> Game:
        """A turn of several rounds: a bet on it if it has pays, else the turn alone."""
        round_ = fields.pop("dice")
        if "pays" not in fields:
            for key in fields:
                if key != "losses":
                    self._fail(f"{key} needs pays; add pays, such as {{ 3 = 2 }}", (*path, key))
            return self.attempt(lambda: Streak(round_, **fields), path)
        if "bet" not in fields:
            self._fail('a turn with pays and without bet; write bet = "hot hand"', path)
        self._take_limits(fields["bet"], fields, path)
        return self.attempt(lambda: RoundsWon(round_, **fields), path)

    def _keep(self, fields: dict[str, Any], path: KeyPath) -> Game:
        """A game in which dice are kept for good."""
        dice = self.dice
        # Kept dice are scored one by one, so they must be alike and have no total of their own.
        if len(set(dice.dice)) > 1 or dice.total is not total:
            self._contradiction(
                f"{dice} are kept; roll dice that are alike, such as 5d6", ("dice",)
            )
        return self.attempt(lambda: KeepScore(dice.dice[0], len(dice), **fields), path)

    def _take_limits(self, bet: str, fields: dict[str, Any], path: KeyPath) -> None:
        """Move the limits of a bet out of its fields."""
        stated = [key.name for key in TABLES["limits"] if key.name in fields]
        limits = Limits(**{name: fields.pop(name) for name in stated})
        minimum, maximum = limits.minimum, limits.maximum
        if minimum is not None and maximum is not None and maximum < minimum:
            self._contradiction(
                f"maximum = {maximum} is less than minimum = {minimum}", (*path, "maximum")
            )
        if stated:
            self.limits[bet] = limits

    # --- what contradicts the rest ----------------------------------------------------------------

    def _fail(self, message: str, path: KeyPath, cause: SevenoutError | None = None) -> NoReturn:
        """Raise an error; a game's attributes get the names of the file's keys."""
        for key in TABLES.get(path[0], ()) if cause and path else ():
            message = message.replace(f"{key.attribute}=", f"{key.name}=")
        super()._fail(message, path, cause)

    def _check_top_award(self, bet: str, pays: Fraction, path: KeyPath) -> None:
        """Refuse a top award below the most that the bet pays."""
        limits = self.limits.get(bet, Limits())
        name, staked = "maximum", limits.maximum
        if staked is None:
            name, staked = "minimum", limits.minimum
        if limits.top_award_amount is None or staked is None:
            return
        paid = pays * staked
        if limits.top_award_amount < paid:
            self._contradiction(
                f'top_award = "{limits.top_award}", and {amount(pays)} to 1 on {name} = '
                f"{amount(staked)} is {amount(paid)}; lower the {name} or raise the award",
                (*_path_of_bet(bet, path), "top_award"),
            )

    def _check_window(
        self, bet: str, game: Game, games: tuple[Game, ...], procedure: str, path: KeyPath
    ) -> None:
        """Refuse a window that contradicts the bet's figures or the procedure."""
        limits, bet_path = self.limits.get(bet, Limits()), _path_of_bet(bet, path)
        if conflict := conflict_with_figures(limits, game, games):
            key, reason = conflict
            self._contradiction(
                f'{key} = "{getattr(limits, key)}" of {bet}, {reason}', (*bet_path, key)
            )
        if conflict := conflict_with_procedure(limits, bet, procedure):
            key, sentence = conflict
            self._contradiction(
                f'{key} = "{getattr(limits, key)}" of {bet}, and the procedure says '
                f"{as_toml(sentence)}; change one of them",
                (*bet_path, key),
            )

    def _check_award_stake(self, bet: str, stake: Fraction, path: KeyPath) -> None:
        """Refuse an award, which is in money, of a bet whose limits leave out its stake."""
        limits = self.limits.get(bet, Limits())
        minimum, maximum = limits.minimum, limits.maximum
        allowed = stake if minimum is None else max(stake, minimum)
        allowed = allowed if maximum is None else min(allowed, maximum)
        if allowed != stake:
            self._contradiction(
                f"the award of {bet} is in money and its figures are of a bet of {amount(stake)}, "
                f"which the limits don't allow; write stake = {amount(allowed)}, and pays in money",
                path,
            )

    def _check_meter(self, bet: str, award: Progressive, pays: Fraction, path: KeyPath) -> None:
        """Refuse a meter that can exceed the bet's top award."""
        limits = self.limits.get(bet, Limits())
        top_award = limits.top_award_amount
        if top_award is None:
            return
        limit = None if award.must_hit_by is None else exact(award.must_hit_by)
        if limit is None or limit > top_award:
            shows = "has no limit" if limit is None else f"goes up to {limit}"
            message = f'the meter of {bet} {shows}, and its top_award = "{amount(top_award)}"'
            self._contradiction(f"{message}; set must_hit_by to that or less", path)
        # The largest bet pays the most; without a maximum the least bet is all that is known.
        staked = limits.maximum if limits.maximum is not None else limits.minimum
        if staked and limit + pays * staked > top_award:
            self._contradiction(
                f"the meter of {bet} goes up to {amount(limit)}, and {amount(pays)} to 1 on "
                f'{amount(staked)} is paid with it; its top_award = "{amount(top_award)}"',
                path,
            )


MAKERS: Mapping[str, Callable[[GameReader, dict[str, Any], KeyPath], Game]] = {
    "line": GameReader._line,
    "wager": GameReader._wager,
    "checklist": GameReader._checklist,
    "points": GameReader._points,
    "turn": GameReader._turn,
    "keep": GameReader._keep,
}
"""How the fields of a table become a game, where its class does not take them as they are."""


def is_picture(text: str) -> bool:
    """Whether a layout is the name of a picture.

    >>> is_picture("felt.png"), is_picture("A box, as in felt.png")
    (True, False)
    """
    name = text.strip()
    return name.lower().endswith(PICTURES) and not set(name) & set(" \n\t")


def _has_options(game: Game) -> bool:
    return isinstance(game, Rulebook) and bool(game.options)


def _path_of_bet(bet: str, path: KeyPath) -> KeyPath:
    """The position of a bet's declarations."""
    return (*path, "bets", bet) if path[0] == "line" else path
