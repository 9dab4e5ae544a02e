"""Reads games from the tables of a game file.

Each kind of game has a method of its name, which says by key how a value is read. An error names
the file, the line, and what to write instead.
"""

from collections.abc import Collection, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from sevenout.budgets.estimates import afford
from sevenout.documents.numbers import amount
from sevenout.errors import SevenoutError
from sevenout.numerals import exact
from sevenout.rolling import Dice, parse_dice
from sevenout.rolling.die import total
from sevenout.rules.casino.limits import (
    LIMITS,
    MADE,
    STAYS,
    Limits,
    Progressive,
    against_figures,
    against_procedure,
    most_paid,
)
from sevenout.rules.combined_games import Streak, Together
from sevenout.rules.game import Frozen, Game, bets_of
from sevenout.rules.gamefiles.filevalues import TEXTS, Place, Reader, ValueReader, as_toml
from sevenout.rules.guarded_rules import Rulebook
from sevenout.rules.keep_games import KeepScore
from sevenout.rules.modified_games import LEAVE, Surrender
from sevenout.rules.objective import parse_objective, read_wish
from sevenout.rules.pay_tables import EVEN, PayTable
from sevenout.rules.point_games import PointGame, PointsMade, RoundsWon
from sevenout.rules.race_games import PLAYED, HoldGame, Race
from sevenout.rules.wagers import REST, Checklist, Wager, event_reading

SOLO = ("hold", "keep", "race", "turn")
"""The kinds of games that are alone in their file."""
TOTALS = ("naturals", "craps", "pushes", "rerolls")
A_ROUND = "{ naturals = [7, 11], craps = [2, 3, 12], out = 7 }"
FORMAT = 1
KINDS = ("line", "wager", "checklist", "points")
PRINTED = (*TEXTS, "maker", "author", "version", "currency")
SEATS, MOST_SEATS = "seats", 1_000
"""The key of the most bettors at a table, and the most that a file may state."""
GOAL = "goal"
PROGRESSIVE, LIMIT_TABLES = "progressive", "limits"
HASHES = ("program", "model")
"""The tables of a declaration with the hashes of a program; they are computed again."""
SIDE = "side_of"
FORM = ("bets", "sees", "start", "roll", "choose")
"""The keys of rules as data, which no other kind of game stands beside."""
TOP = ("format", "name", "dice", GOAL, *PRINTED, SEATS, *KINDS, *SOLO, *FORM, PROGRESSIVE)

DRAWN = ("layout.svg", "rack-card.svg")
"""Pictures that a dossier draws itself."""
PICTURES = (".png", ".jpg", ".jpeg", ".svg")


class GameReader(ValueReader):
    """Reads the tables of one file.

    A bet's limits are read where its pays are. They are kept aside, and compared with the pays,
    the procedure and the awards once the games are made.

    Attributes:
        _limits: the house's limits, by bet.
    """

    def __init__(self, text: str, file: str) -> None:
        super().__init__(text, file)
        self._limits: dict[str, Limits] = {}

    def read(
        self, data: Mapping[str, Any]
    ) -> tuple[dict[str, Any], tuple[Game, ...], Frozen[str, Limits]]:
        """The head, the games, and the limits by bet.

        Raises:
            NotationError: the data is not a game; the message names file and line.
        """
        self._only(data, TOP, ())
        head = self.head(data)
        dice = self.attempt(lambda: parse_dice(self._text(data, "dice", "2d6")), ("dice",))
        places = self._places(data)
        bets = sum(
            len(table["bets"]) if isinstance(table.get("bets"), dict) else 1 for table, _ in places
        )
        # A file of thousands of bets would take minutes before the first answer.
        afford(f"a game of {bets:,} bets", seconds=0.01 * bets + 1e-6 * bets**2)
        make = {kind: getattr(self, f"_{kind}") for kind in (*KINDS, *SOLO, "roll")}
        games = tuple(make[str(place[0])](table, place, dice) for table, place in places)
        for game in games if len(games) > 1 else ():
            # Games with choices don't combine: one decision would stop the rolls of all.
            if isinstance(game, Surrender):
                self._against(
                    f"{game.bet} may be surrendered; such a bet is alone in its file, so leave "
                    "the other games out",
                    self.first(data),
                )
        for game, (_, place) in zip(games, places, strict=True):
            for bet in bets_of(game):
                self._award_held(bet, most_paid(game, bet), place)
                self._window_held(bet, game, games, head.get("procedure", ""), place)
        if GOAL in data:
            head[GOAL] = self._goal(data, games)
        return head, games, Frozen(self._limits)

    def head(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The name, the texts and the number of seats that a maker states.

        Raises:
            NotationError: a wrong format or text; the message names file and line.
        """
        if "format" not in data:
            self._fail(f"no format; write format = {FORMAT}", ())
        if type(data["format"]) is not int or data["format"] != FORMAT:
            self._fail(f"format = {as_toml(data['format'])}; write format = {FORMAT}", ("format",))
        head: dict[str, Any] = {"name": self._name(self._text(data, "name"), ("name",))}
        for key in PRINTED:
            if key in data:
                head[key] = self._printed(data, key)
        picture = head.get("layout", "")
        # A file from elsewhere must not read other folders, nor replace a drawing of the dossier.
        if is_picture(picture) and (set(picture) & set("/\\:") or picture in DRAWN):
            self._against(
                f"layout = {as_toml(picture)}; name a picture beside this file, such as felt.png",
                ("layout",),
            )
        if SEATS in data:
            head[SEATS] = seats = self._whole(data[SEATS], (SEATS,))
            if not 1 <= seats <= MOST_SEATS:
                self._fail(f"seats = {seats}; write 1 to {MOST_SEATS:,}", (SEATS,))
        return head

    def statement(self, data: Mapping[str, Any], bets: Collection[str]) -> dict[str, Any]:
        """The head, limits and awards that a file states about a game which it does not hold.

        Raises:
            NotationError: a wrong value, or a bet that the game lacks; with file and line.
        """
        self._only(
            data, ("format", "name", *PRINTED, SEATS, LIMIT_TABLES, PROGRESSIVE, *HASHES), ()
        )
        head, tables = self.head(data), data.get(LIMIT_TABLES, {})
        if not isinstance(tables, dict):
            self._fail(f"limits = {as_toml(tables)}; write [limits.pass]", (LIMIT_TABLES,))
        for bet, table in tables.items():
            if bet not in bets:
                such = f"name a bet: {', '.join(bets)}" if bets else "this game has no bets"
                self._against(f"limits.{bet}; {such}", (LIMIT_TABLES, bet))
            self._within(
                bet,
                self._values(table, self._limits_read, (LIMIT_TABLES, bet)),
                (LIMIT_TABLES, bet),
            )
        awards = self.progressives(data, bets)
        return {**head, "limits": Frozen(self._limits), "progressives": awards}

    def progressives(
        self, data: Mapping[str, Any], bets: Collection[str], game: Game | None = None
    ) -> Frozen[str, Progressive]:
        """The progressive awards by bet.

        Raises:
            NotationError: an invalid award; the message names file and line.
        """
        tables = data.get(PROGRESSIVE, {})
        if not isinstance(tables, dict):
            self._fail(f"progressive = {as_toml(tables)}; write [progressive.pass]", (PROGRESSIVE,))
        awards: dict[str, Progressive] = {}
        for bet, table in tables.items():
            place = (PROGRESSIVE, bet)
            if not isinstance(table, dict):
                wrong, such = f"progressive.{bet} = {as_toml(table)}", next(iter(bets), "pass")
                self._fail(f"{wrong}; write a bet's table, such as [progressive.{such}]", place)
            if bet not in bets:
                self._against(f"progressive.{bet}; name a bet: {', '.join(bets)}", place)
            amounts: dict[str, Any] = dict.fromkeys(("seed", "share", "must_hit_by"), self._number)
            needed = {"seed": "1000", "share": '"1%"'}
            fields = self._values(table, {**amounts, "on": self._events_won}, place, needed)
            awards[bet] = self.attempt(partial(Progressive, **fields), place)
            part = game.game_of(bet) if isinstance(game, Together) else game
            ends = part.outcomes if part else ()
            rows = [pay for end in ends for b, pay in end.pays if b == bet]
            won = [pay.profit / pay.stake for pay in rows if pay.event in awards[bet].on]
            for pay in rows[:1]:
                self._stake_held(bet, pay.stake, place)
            self._meter_held(bet, awards[bet], max(won, default=Fraction(0)), place)
        return Frozen(awards)

    def first(self, data: Mapping[str, Any]) -> Place:
        """The position of the first game."""
        kind = next(kind for kind in (*KINDS, *SOLO, *FORM) if kind in data)
        return (kind,) if kind in SOLO else (kind, 0)

    # --- the file ---------------------------------------------------------------------------------

    def _goal(self, data: Mapping[str, Any], games: tuple[Game, ...]) -> str:
        """The objective; it must name something in the game."""
        goal, place = self._name(self._text(data, GOAL), (GOAL,)), (GOAL,)
        game = games[0]
        if not (isinstance(game, Surrender | HoldGame | KeepScore) or _has_options(game)):
            self._against(f"goal = {as_toml(goal)}; this game has no choices, leave it out", place)
        wish = self.attempt(lambda: parse_objective(goal), place).wish
        labels = tuple(dict.fromkeys(outcome.label for outcome in game.outcomes))
        counters = ("rolls", *game.counters)
        self.attempt(lambda: read_wish(str(wish), bets_of(game), counters, labels), place)
        return goal

    def _places(self, data: Mapping[str, Any]) -> list[tuple[dict[str, Any], Place]]:
        """The games' tables and their positions."""
        # Rules as data say everything, so nothing can stand beside them.
        if form := [key for key in FORM if key in data]:
            if others := [kind for kind in (*KINDS, *SOLO) if kind in data]:
                self._against(f"{others[0]} beside {form[0]}; write one kind of rules", (form[0],))
            self._tables(data, "roll")
            self._tables(data, "choose")
            return [({key: data[key] for key in form}, ("roll",))]
        alone = [kind for kind in SOLO if kind in data]
        if not alone and not any(kind in data for kind in KINDS):
            kinds = "[[line]], [[wager]], [[checklist]], [[points]] or [[roll]]"
            self._fail(f"no game; write {kinds}", ())
        for kind in (*KINDS, *SOLO) if alone else ():
            if kind in data and kind != alone[0]:
                self._against(f"[{alone[0]}] is alone in its file; leave {kind} out", (alone[0],))
        if alone:
            table = data[alone[0]]
            if not isinstance(table, dict):
                self._fail(f"{alone[0]} = {as_toml(table)}; write [{alone[0]}]", (alone[0],))
            return [(table, (alone[0],))]
        return [(t, (k, i)) for k in KINDS for i, t in enumerate(self._tables(data, k))]

    def _tables(self, data: Mapping[str, Any], kind: str) -> list[dict[str, Any]]:
        if kind not in data:
            return []
        tables = data[kind]
        if not isinstance(tables, list) or not tables:
            self._fail(f"{kind} = {as_toml(tables)}; write [[{kind}]]", (kind,))
        for i, table in enumerate(tables):
            if not isinstance(table, dict):
                self._fail(f"{kind} = {as_toml(table)}; write [[{kind}]]", (kind, i))
        return tables

    # --- kinds of games ---------------------------------------------------------------------------

    def _roll(self, table: dict[str, Any], _: Place, dice: Dice) -> Game:
        """The game of rules as data; a fault is found in the table of its rule."""
        if dice.total is not total:
            message = f"dice = {as_toml(str(dice))}; rules as data read faces"
            self._against(f"{message}, so write plain dice, such as 2d6", ("dice",))
        for key in ("bets", "sees", "start"):
            if not isinstance(table.get(key, {}), dict):
                self._fail(f"{key} = {as_toml(table[key])}; write a table, [{key}]", (key,))
        options = {key: table[key] for key in FORM if key in table and key != "roll"}
        try:
            return Rulebook(dice, table.get("roll", ()), **options)
        except SevenoutError as error:
            # A rulebook numbers its rules, as the file's tables are numbered.
            place = tuple(int(key) if key.isdecimal() else key for key in error.at)
            self._fail(str(error), place or ("roll",), error)

    def _line(self, table: dict[str, Any], place: Place, dice: Dice) -> Game:
        readers: dict[str, Any] = {
            **dict.fromkeys(TOTALS, self._totals),
            "out": self._whole,
            "limit": self._limit,
            "hard": self._flag,
            "names": partial(self._names, events=[*EVEN, LEAVE]),
            "bets": self._bets,
            SIDE: partial(self._table_game, dice=dice),
        }
        fields = self._values({"bets": {"pass": {}}, **table}, readers, place, {"out": "7"})
        bets, offers = fields.pop("bets")
        label = self._surrendered(fields.get("names", {}), bool(offers), place)
        fields = dict.fromkeys(TOTALS, ()) | fields
        game = self.attempt(lambda: PointGame(**fields, bets=bets, dice=dice), place)
        if not offers:
            return game
        # Offers are listed by state, so there must not be too many.
        self.attempt(game.afford, place)
        bet, schedule = next(iter(offers.items()))
        offer_place = (*place, "bets", bet, LEAVE)
        by_state = self._point_offers(schedule, game, offer_place)
        return self.attempt(lambda: Surrender(game, by_state, label), offer_place)

    def _bets(self, tables: Any, place: Place) -> tuple[dict[str, PayTable], dict[str, Any]]:
        """The bets of a line, and the offers for them."""
        if not isinstance(tables, dict) or not tables:
            self._fail("bets holds no bet; write [line.bets.pass]", place)
        amounts = dict.fromkeys((*EVEN, LEAVE), self._schedule)
        bets, offers = {}, {}
        for bet, table in tables.items():
            bet_place = (*place, self._name(bet, (*place, bet)))
            if not isinstance(table, dict):
                self._fail(f"{bet} = {as_toml(table)}; write [line.bets.{bet}]", bet_place)
            readers = {**amounts, "stake": self._number, **self._limits_read}
            fields = self._within(bet, self._values(table, readers, bet_place), bet_place)
            if LEAVE in fields:
                offers[bet] = fields.pop(LEAVE)
            bets[bet] = self.attempt(partial(PayTable, **fields), bet_place)
        return bets, offers

    def _point_offers(self, schedule: Any, game: PointGame, place: Place) -> dict[Any, Any]:
        """The offers by state, from a schedule by point and by roll."""
        table = {tuple(game.points): schedule} if not isinstance(schedule, dict) else schedule
        offers: dict[Any, Any] = {}
        for points, amounts in table.items():
            for point in points:
                listed = amounts if isinstance(amounts, list) else [amounts] * (game.limit or 1)
                if game.limit is None and isinstance(amounts, list):
                    self._against(
                        "offers by roll, but rolls have no limit; offer one amount", place
                    )
                if len(listed) > (game.limit or 1):
                    message = f"{len(listed)} offers on {point}, but limit = {game.limit}"
                    self._against(f"{message}; list one for each roll", place)
                for rolled, offer in enumerate(listed):
                    offers[point if game.limit is None else (point, rolled)] = offer
        return offers

    def _surrendered(self, names: dict[str, str], offered: bool, place: Place) -> str:
        """The name of a surrender, removed from `names`."""
        if LEAVE in names and not offered:
            self._against(f"{LEAVE} has a name, and nothing is offered", (*place, "names"))
        return names.pop(LEAVE, "")

    def _wager(self, table: dict[str, Any], place: Place, dice: Dice) -> Game:
        readers: dict[str, Any] = {
            "limit": self._limit,
            "pays": self._paid,
            REST: self._amount,
            "names": self._names,
        }
        needed = {"bet": '"field"', "pays": '{ "2,12" = 2 }'}
        fields = self._bet_fields(table, readers, place, needed, dice)
        pays, limit, late = fields["pays"], fields.get("limit"), fields.pop(REST, None)
        if late is not None and limit is None:
            self._fail("rest is paid when no roll decides; set limit = 1", (*place, REST))
        names: dict[Any, str] = {
            key if key == REST else self._events(key, (*place, "names")): name
            for key, name in fields.pop("names", {}).items()
        }
        for key in names:
            if key not in pays and (key != REST or limit is None):
                words = ",".join(map(str, key)) if isinstance(key, tuple) else key
                self._against(
                    f"a name for {as_toml(words)}, which pays doesn't have", (*place, "names")
                )
        events = [event for events in pays for event in events]
        return self.attempt(
            lambda: Wager(event_reading(dice, events), **fields, late=late, names=names), place
        )

    def _checklist(self, table: dict[str, Any], place: Place, dice: Dice) -> Game:
        readers: dict[str, Any] = {
            "collect": self._collected,
            "stop": self._events,
            "pays": self._prizes,
            "first": self._flag,
            LEAVE: self._offers_by_number,
            "names": partial(self._names, events=["complete", "stop", LEAVE], numbered=True),
        }
        needed = {"bet": '"small"', "collect": "[2, 3, 4]", "stop": "7", "pays": "34"}
        fields = self._bet_fields(table, readers, place, needed, dice)
        times, offers = fields.pop("collect"), fields.pop(LEAVE, None)
        named = fields.pop("names", {})
        stop, *more = fields.pop("stop")
        if more:
            self._fail(
                f"stop = {as_toml(table['stop'])}; name one roll, such as 7", (*place, "stop")
            )
        label = self._surrendered(named, offers is not None, place)
        names: dict[Any, str] = {
            int(key) if key.isdecimal() else key: name for key, name in named.items()
        }
        events = [stop, *(event for events in times for event in events)]
        game = self.attempt(
            lambda: Checklist(event_reading(dice, events), times, stop, names=names, **fields),
            place,
        )
        # Outcomes are made when they are first needed; a wrong amount is told here, with its line.
        self.attempt(lambda: game.outcomes, place)
        if offers is None:
            return game
        return self.attempt(lambda: Surrender(game, offers, label), (*place, LEAVE))

    def _points(self, table: Any, place: Place, dice: Dice) -> Game:
        readers = {
            "round": partial(self._table_game, dice=dice),
            "different": self._flag,
            **self._bet_read,
        }
        needed = {"bet": '"fire"', "pays": "{ 4 = 24, 5 = 249 }", "round": A_ROUND}
        fields = self._values(table, readers, place, needed)
        fields = self._within(fields["bet"], fields, place)
        required = fields.pop("round"), fields.pop("pays")
        return self.attempt(lambda: PointsMade(*required, **fields), place)

    def _turn(self, table: Any, place: Place, dice: Dice) -> Game:
        readers = {
            "losses": self._whole,
            "round": partial(self._table_game, dice=dice, named=True),
            **self._bet_read,
        }
        fields = self._values(table, readers, place, {"losses": "2", "round": A_ROUND})
        if "pays" not in fields:
            for key in fields:
                if key not in ("losses", "round"):
                    self._fail(f"{key} needs pays; add pays, such as {{ 3 = 2 }}", (*place, key))
            return self.attempt(lambda: Streak(fields["round"], fields["losses"]), place)
        if "bet" not in fields:
            self._fail('a turn with pays and without bet; write bet = "hot hand"', place)
        fields = self._within(fields["bet"], fields, place)
        required = fields.pop("round"), fields.pop("losses"), fields.pop("pays")
        return self.attempt(lambda: RoundsWon(*required, **fields), place)

    def _hold(self, table: Any, place: Place, dice: Dice) -> Game:
        readers: dict[str, Any] = {
            "bust": self._faces,
            "target": self._whole,
            "play": partial(self._one, PLAYED),
        }
        needed = {"bust": "[1]", "target": "100"}
        fields = self._values(table, readers, place, needed)
        bust = tuple(fields.pop("bust"))
        return self.attempt(lambda: HoldGame(dice, bust, **fields), place)

    def _keep(self, table: Any, place: Place, dice: Dice) -> Game:
        readers: dict[str, Any] = {
            "least": self._whole,
            "rolls": self._limit,
            "needed": self._totals,
            "in_order": self._flag,
            "all_or_none": self._flag,
            "values": self._whole_by_number,
            "best": partial(self._one, ("least", "most")),
        }
        fields = self._values(table, readers, place)
        # Kept dice are scored one by one, so they must be alike and have no total of their own.
        if len(set(dice.dice)) > 1 or dice.total is not total:
            self._against(f"{dice} are kept; roll dice that are alike, such as 5d6", ("dice",))
        options = {
            "keep": fields.get("least", 1),
            "limit": fields.get("rolls"),
            "needed": tuple(fields.get("needed", ())),
            "in_order": fields.get("in_order", False),
            "whole": fields.get("all_or_none", False),
            "values": Frozen(fields.get("values", {})),
            "low": fields.get("best") == "least",
        }
        return self.attempt(lambda: KeepScore(dice.dice[0], len(dice), **options), place)

    def _race(self, table: Any, place: Place, dice: Dice) -> Game:
        readers = {
            "to": self._whole,
            "players": self._whole,
            "exact": self._flag,
            "jumps": self._whole_by_number,
            "again": self._totals,
        }
        fields = self._values(table, readers, place, {"to": "100"})
        fields["jumps"] = Frozen(fields.get("jumps", {}))
        fields["again"] = tuple(fields.get("again", ()))
        return self.attempt(lambda: Race(dice, **fields), place)

    def _table_game(self, table: Any, place: Place, dice: Dice, named: bool = False) -> PointGame:
        """A round of the table, beside a bet or repeated."""
        if not isinstance(table, dict):
            self._fail(f"{place[-1]} = {as_toml(table)}; write {A_ROUND}", place)
        readers = {**dict.fromkeys(TOTALS, self._totals), "out": self._whole, "limit": self._limit}
        if named:
            readers["names"] = partial(self._names, events=EVEN)
        fields = self._values(table, readers, place, {"out": "7"})
        return self.attempt(
            lambda: PointGame(**(dict.fromkeys(TOTALS, ()) | fields), dice=dice), place
        )

    # --- fields -----------------------------------------------------------------------------------

    def _bet_fields(
        self,
        table: dict[str, Any],
        readers: Mapping[str, Reader],
        place: Place,
        needed: Mapping[str, str],
        dice: Dice,
    ) -> dict[str, Any]:
        """The fields of a bet that has a table of its own; its limits are kept apart."""
        every: dict[str, Reader] = {
            "bet": self._bet_name,
            "stake": self._number,
            **readers,
            SIDE: partial(self._table_game, dice=dice),
            **self._limits_read,
        }
        fields = self._values(table, every, place, needed)
        return self._within(fields["bet"], fields, place)

    @property
    def _bet_read(self) -> dict[str, Any]:
        return {
            "bet": self._bet_name,
            "stake": self._number,
            "pays": self._by_number,
            **self._limits_read,
        }

    @property
    def _limits_read(self) -> dict[str, Any]:
        return {
            "minimum": self._bound,
            "maximum": self._bound,
            "top_award": self._award,
            "made": partial(self._one, MADE),
            "stays": partial(self._one, STAYS),
        }

    def _within(self, bet: str, fields: dict[str, Any], place: Place) -> dict[str, Any]:
        """The notes on a bet; keeps its limits."""
        limits = Limits(**{key: fields.pop(key) for key in LIMITS if key in fields})
        least, most = limits.minimum, limits.maximum
        if least is not None and most is not None and most < least:
            self._against(f"maximum = {most} is less than minimum = {least}", (*place, "maximum"))
        if limits != Limits():
            self._limits[bet] = limits
        return fields

    def _paid(self, table: Any, place: Place) -> dict[Any, Any]:
        if not isinstance(table, dict) or not table:
            message = f"pays = {as_toml(table)}; write what it pays by roll"
            self._fail(f'{message}: pays = {{ "2,12" = 2 }}', place)
        return self._keyed(table, self._events, self._amount, place)

    def _collected(self, value: Any, place: Place) -> dict[tuple[Any, ...], int]:
        if isinstance(value, list) and value:
            entries = [self._events(entry, place) for entry in value]
            if len(set(entries)) < len(entries):
                self._against(f"collect = {as_toml(value)}; list each roll once", place)
            return dict.fromkeys(entries, 1)
        if isinstance(value, dict) and value:
            return self._keyed(value, self._events, self._whole, place)
        self._fail(f"collect = {as_toml(value)}; write [2, 3, 4] or {{ 6 = 3, 8 = 3 }}", place)

    def _prizes(self, value: Any, place: Place) -> Any:
        if not isinstance(value, dict):
            return self._number(value, place)
        if not value:
            self._fail("pays nothing; give one amount or more", place)
        return self._by_number(value, place)

    def _by_number(
        self,
        table: Any,
        place: Place,
        read: Reader | None = None,
        such: str = "amounts by number, { 4 = 24 }",
    ) -> dict[int, Any]:
        """Values by whole numbers; several numbers may share one."""
        if not isinstance(table, dict) or not table:
            self._fail(f"{place[-1]} = {as_toml(table)}; write {such}", place)
        groups = self._keyed(table, self._group, read or self._number, place)
        return {n: value for numbers, value in groups.items() for n in numbers}

    def _whole_by_number(self, table: Any, place: Place) -> dict[int, Any]:
        return self._by_number(table, place, self._whole, "{ 3 = 0 }")

    def _offers_by_number(self, table: Any, place: Place) -> dict[int, Any]:
        such = 'what is offered by how many boxes are ticked: { 3 = 7, 4 = "35/2" }'
        return self._by_number(table, place, self._amount, such)

    def _events_won(self, value: Any, place: Place) -> tuple[str, ...]:
        rows = value if isinstance(value, list) else [value]
        if not all(isinstance(row, str) and row.strip() for row in rows):
            self._fail(f"on = {as_toml(value)}; name rows of the return table", place)
        return tuple(rows)

    def _number(self, value: Any, place: Place) -> int | Fraction:
        if isinstance(value, str) and ".." in value:
            self._fail(f"{as_toml(value)} is an open number; `sevenout tune` fills it in", place)
        return super()._number(value, place)

    def _bound(self, value: Any, place: Place) -> Fraction:
        amount = Fraction(self._number(value, place))
        if amount <= 0:
            self._against(f"{place[-1]} = {amount}; write more than 0", place)
        return amount

    def _award(self, value: Any, place: Place) -> str:
        if not isinstance(value, str) or not value.strip():
            message = f"top_award = {as_toml(value)}"
            self._fail(f'{message}; write a text, such as "25,000 a round"', place)
        return self._name(value, place)

    def _one(self, words: tuple[str, ...], value: Any, place: Place) -> str:
        """One of the allowed words."""
        if value not in words:
            quoted = ", ".join(f'"{word}"' for word in words)
            self._fail(f"{place[-1]} = {as_toml(value)}; write one of {quoted}", place)
        return str(value)

    # --- what contradicts the rest ----------------------------------------------------------------

    def _award_held(self, bet: str, pays: Fraction, place: Place) -> None:
        """Refuse a top award below the most that the bet pays."""
        limits = self._limits.get(bet, Limits())
        name, staked = "maximum", limits.maximum
        if staked is None:
            name, staked = "minimum", limits.minimum
        if limits.most is None or staked is None:
            return
        paid = pays * staked
        if limits.most < paid:
            self._against(
                f'top_award = "{limits.top_award}", and {amount(pays)} to 1 on {name} = '
                f"{amount(staked)} is {amount(paid)}; lower the {name} or raise the award",
                (*_place_of_bet(bet, place), "top_award"),
            )

    def _window_held(
        self, bet: str, game: Game, games: tuple[Game, ...], procedure: str, place: Place
    ) -> None:
        """Refuse a window that contradicts the bet's figures or the procedure."""
        limits, bet_place = self._limits.get(bet, Limits()), _place_of_bet(bet, place)
        key, wrong = against_figures(limits, game, games)
        if key:
            self._against(f'{key} = "{getattr(limits, key)}" of {bet}, {wrong}', (*bet_place, key))
        if contradiction := against_procedure(limits, bet, procedure):
            key, sentence = contradiction
            self._against(
                f'{key} = "{getattr(limits, key)}" of {bet}, and the procedure says '
                f"{as_toml(sentence)}; change one of them",
                (*bet_place, key),
            )

    def _stake_held(self, bet: str, stake: Fraction, place: Place) -> None:
        """Refuse an award, which is in money, of a bet whose limits leave out its stake."""
        limits = self._limits.get(bet, Limits())
        least, most = limits.minimum, limits.maximum
        if (least is not None and stake < least) or (most is not None and stake > most):
            allowed = least if least is not None and stake < least else most
            assert allowed is not None
            self._against(
                f"the award of {bet} is in money and its figures are of a bet of {amount(stake)}, "
                f"which the limits don't allow; write stake = {amount(allowed)}, and pays in money",
                place,
            )

    def _meter_held(self, bet: str, award: Progressive, pays: Fraction, place: Place) -> None:
        """Refuse a meter that can exceed the bet's top award."""
        limits = self._limits.get(bet, Limits())
        most = limits.most
        limit = None if award.must_hit_by is None else exact(award.must_hit_by)
        if most is not None and (limit is None or limit > most):
            shows = "has no limit" if limit is None else f"goes up to {limit}"
            message = f'the meter of {bet} {shows}, and its top_award = "{amount(most)}"'
            self._against(f"{message}; set must_hit_by to that or less", place)
        # The largest bet pays the most; without a maximum the least bet is all that is known.
        staked = limits.maximum if limits.maximum is not None else limits.minimum
        if most is not None and limit is not None and staked and limit + pays * staked > most:
            self._against(
                f"the meter of {bet} goes up to {amount(limit)}, and {amount(pays)} to 1 on "
                f'{amount(staked)} is paid with it; its top_award = "{amount(most)}"',
                place,
            )


def is_picture(text: str) -> bool:
    """Whether a layout is the name of a picture.

    >>> is_picture("felt.png"), is_picture("A box, as in felt.png")
    (True, False)
    """
    name = text.strip()
    return name.lower().endswith(PICTURES) and not set(name) & set(" \n\t")


def _has_options(game: Game) -> bool:
    return isinstance(game, Rulebook) and bool(game.options)


def _place_of_bet(bet: str, place: Place) -> Place:
    """The position of a bet's declarations."""
    return (*place, "bets", bet) if place[0] == "line" else place
