"""`sevenout play table`: a craps table at the terminal, with bets as players call them.

`sit_down` reads the options, `TableSeat` answers the lines, and `HELP` and `TOPICS` are what it
explains.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from random import randrange
from textwrap import wrap
from typing import Any

from sevenout.catalogue.craps_family.craps_felt import house_of
from sevenout.catalogue.craps_family.spots import standing_name
from sevenout.catalogue.craps_family.table_lines import (
    MAX,
    MIN,
    Remark,
    TableCommand,
    Units,
    UnknownWordError,
    amount_of_units,
    default_amount,
    play,
    read_line,
)
from sevenout.catalogue.craps_family.table_session import (
    USUAL_HOURS,
    USUAL_HOUSE,
    Rates,
    TableSession,
)
from sevenout.cli.out import aligned, console, print_json
from sevenout.documents.numbers import quantity
from sevenout.errors import NotationError, SevenoutError, printable, shown
from sevenout.files import read_text, write
from sevenout.numerals import exact, exact_amount, parse_count, parse_seed
from sevenout.papers import table_talk
from sevenout.rolling.throw import Faces, parse_throw

MAX_HAND_ROLLS, MAX_EVENING_ROLLS = 1_000, 10_000
"""The most rolls asked about: of a hand, and of the rest of an evening."""
PROMPT = "roll, bet, help, quit> "


def read_session(path: str) -> TableSession:
    """The session of a file.

    Raises:
        SevenoutError: no such file, or not a session; the message names the line.
    """
    text = read_text(Path(path))
    try:
        return TableSession.from_text(text)
    except SevenoutError as error:
        raise type(error)(f"{path}: {error}") from None


class TableSeat:
    """A player at the table: reads a line, does what it says, prints what came of it.

    Attributes:
        session: the money, the felt and the rolls so far.
        evening: the rolls of an evening, for what is rare in one.
        width: the columns of the terminal, 100 at most.
        actions: what each command that is no bet does with the words after it.
        _print: prints a line, with a style; nothing if the player wants JSON alone.
    """

    def __init__(self, session: TableSession, evening: int, *, quiet: bool) -> None:
        self.session, self.evening = session, evening
        out = console()
        self.width = min(out.width, 100)
        self._print = (lambda *_a, **_k: None) if quiet else out.print
        self.actions: dict[str, Callable[[str], object]] = {
            "roll": self._roll,
            "help": self._help,
            "undo": self._undo,
            "rest": self._rest,
            "tip": self._tip,
            "chips": self._chips,
            "longer": self._longer,
            "history": self._history,
            "save": self._save,
            "resume": self._resume,
            "limits": lambda _: self.print_lines(table_talk.limits(self.session)),
            "bets": lambda _: self.print_lines(table_talk.open_bets(self.session)),
            "felt": lambda _: self._status(so_far=True),
            "mean": lambda _: self.print_lines(table_talk.expected_values(self.session)),
            "rare": lambda _: self.print_lines(table_talk.rare_events(self.session, self.evening)),
            "coach": lambda _: self.print_lines(table_talk.coach(self.session)),
        }

    # --- printing ---------------------------------------------------------------------------------

    def print_text(
        self, text: str, label: str = "", *, hanging: bool = False, **style: Any
    ) -> None:
        """Print a text after its label; `hanging` indents later lines to where it began."""
        indent = " " * (len(label) if hanging else 2 if label or self.width < 60 else 0)
        for line in wrap(
            f"{label}{text}",
            self.width - 1,
            subsequent_indent=indent or "  ",
            break_on_hyphens=False,
        ):
            self._print(line, **style)

    def print_lines(self, lines: Iterable[str], label: str = "") -> None:
        for line in lines:
            self.print_text(line, label)

    def welcome(self) -> None:
        """The table's rules, and how to begin."""
        self.print_text(table_talk.table(self.session), style="bold")
        self.print_text("Type a bet and how much: pass 10. Enter rolls, help or ? helps, q leaves.")
        if self.session.acts:
            self._status()

    def _status(self, *, so_far: bool = False) -> None:
        self.print_text(table_talk.status(self.session), "  ")
        if so_far:
            self.print_text(table_talk.so_far(self.session), "  ")

    # --- typed lines ------------------------------------------------------------------------------

    def answer(self, line: str) -> bool:
        """Do what a line says; False if the player leaves."""
        try:
            return self.obey(line)
        except NotationError as error:
            if not sys.stdin.isatty():
                raise
            self.print_text(str(error))
        except SevenoutError as error:  # refused by the rules; the evening goes on
            self.print_text(str(error))
        return True

    def obey(self, line: str) -> bool:
        """Do what a line says, as `answer` does.

        Raises:
            SevenoutError: it is not understood, or refused by the rules.
        """
        try:
            commands = read_line(self.session, line)
        except UnknownWordError as error:
            note = _find_note(error.word)
            # A word of the glossary is explained where it is typed for a bet.
            if note is None:
                raise
            raise NotationError(f"{shown(error.word)} is not a bet. {note}") from None
        verb, text = commands[0].verb, commands[0].text
        if verb == "quit":
            return False
        if verb in self.actions:
            self.actions[verb](text)
            return True
        queries = [command for command in commands if command.verb in ("edge", "why")]
        for command in queries:
            (self._edge if command.verb == "edge" else self._why)(command)
        if len(queries) < len(commands):
            self._play([command for command in commands if command not in queries])
        return True

    def _play(self, commands: list[TableCommand]) -> None:
        """Change the bets of a line, and say what came of each."""
        for reply in play(self.session, commands):
            if isinstance(reply, Remark):
                self.print_text(reply.text, "  ")
            else:
                self.print_lines(table_talk.bet_change(self.session, reply, priced=True), "  ")

    def _roll(self, text: str) -> None:
        session = self.session
        faces: Faces | None = parse_throw(re.sub("[-+]", " ", text)) if text else None
        point = session.point
        rolled = session.roll(faces)
        dice = "".join(f"[{face}]" for face in session.moments[-1].faces)
        self.print_text(table_talk.call(session, rolled, point), f"{dice} ", style="bold")
        rare = table_talk.rare_events(session, self.evening, below=table_talk.RARE, quiet=True)
        self.print_lines(rare, "  ")
        self._status()

    def _undo(self, count_text: str) -> None:
        session = self.session
        if not session.acts:
            self.print_text("there is nothing to take back")
        lines = 0
        while session.acts and (count_text == "all" or lines < int(count_text or 1)):
            if not count_text:
                self.print_text(f"taken back: {table_talk.taken_back(session)}")
            session.undo()
            lines += 1
        if count_text and lines:
            self.print_text(f"taken back: {quantity(lines, 'line')}")
        self._status()

    def _tip(self, text: str) -> None:
        self.session.tip(exact(text.strip("$€£")))
        self._status()

    def _chips(self, text: str) -> None:
        self.session.buy_in(exact(text.strip("$€£")))
        self._status()

    def _save(self, path: str) -> None:
        path = path.strip("'\"")
        write(Path(path), self.session.to_text())
        self.print_text(f"saved: {path}; `resume {path}` goes on from here")

    def _resume(self, path: str) -> None:
        self.session = read_session(path.strip("'\""))
        self._status()

    # --- questions and help -----------------------------------------------------------------------

    def _help(self, topic: str) -> None:
        rows = {"": HELP[:FIRST_HELP_ROWS], "more": HELP[FIRST_HELP_ROWS:], "all": HELP}.get(topic)
        if rows:
            for command, meaning in rows:
                head = f"{command}: " if self.width < 60 else f"{command:<22} "
                self.print_text(meaning, head, hanging=self.width >= 60)
            return
        lines = (
            f"{command}: {meaning}"
            for command, meaning in HELP
            if topic in re.findall(r"\w+", command)
        )
        note = _find_note(topic) or next(lines, None)
        self.print_text(note or f"no help on {shown(topic)}; there is: {', '.join(TOPICS)}")

    def _history(self, count_text: str) -> None:
        # Six digits at most: Python refuses to read thousands of them.
        self.print_lines(table_talk.history(self.session, int(count_text[:6] or 20)))

    def _why(self, command: TableCommand) -> None:
        for bet in command.bets:
            stands = standing_name(self.session.bets, bet)
            why = self.session.offer(bet).why or "it may be bet now"
            if stands in self.session.bets:
                down = self.session.why_not(bet, 0) or "it may be taken down"
                why = f"{why}; {down}" if down != why else why
            self.print_text(f"{bet}: {why}")

    def _edge(self, command: TableCommand) -> None:
        for bet in command.bets:
            amount = command.amount
            # The most depends on the felt; an edge needs a number.
            if amount == MAX:
                amount = self.session.offer(bet).maximum
            if isinstance(amount, Units):
                amount = amount_of_units(self.session, bet, amount)
            if not amount or amount == MIN:
                amount = default_amount(self.session, bet)
            if isinstance(amount, str):
                raise NotationError(f"no amount for {bet}; write one, such as edge {bet} 10")
            self.print_text(table_talk.edge(self.session, bet, amount))

    def _longer(self, count_text: str) -> None:
        self.print_text(
            table_talk.chance_of_more_rolls(
                self.session, _parse_count(count_text or "10", MAX_HAND_ROLLS)
            )
        )

    def _rest(self, length: str) -> None:
        left = self.evening - self.session.rolls
        if length:
            n, _, unit = length.partition(" ")
            pace = self.session.rates.pace if unit.startswith("hour") else 1
            left = int(_parse_count(n, MAX_EVENING_ROLLS // pace) * pace)
        self._print(table_talk.rest_of_evening_page(table_talk.rest_of_evening(self.session, left)))

    def leave(self, json: bool) -> None:
        session = self.session
        figures = table_talk.statistics(session)
        if json:
            moneys = [str(moment.money) for moment in session.moments]
            print_json(figures | {"money": moneys, "session": session.to_text()})
            return
        self._print()
        self._print(aligned(figures))
        if session.rolls:
            self._print()
            self.print_lines(table_talk.coach(session))


def _find_note(topic: str) -> str | None:
    """The note on a word or a bet, if there is one."""
    words = (topic.lower(), topic.lower().split(maxsplit=1)[0])
    notes = (
        note for word in words for name, note in TOPICS.items() if re.search(rf"\b{name}", word)
    )
    return next(notes, None)


def _parse_count(text: str, maximum: int) -> int:
    # The length first: Python refuses to read thousands of digits.
    if len(text) > 9 or int(text) > maximum:
        raise NotationError(f"{text} is too many; ask for at most {maximum:,}")
    return int(text)


TABLE_OPTIONS = ("bankroll", "house", "currency", "pace", "tips", "comps", "hours", "resume")
"""The options of a table."""


def sit_down(options: Mapping[str, str], seed: int | None, json: bool) -> None:
    """A session at the table, until the player leaves; without a seed the dice are random.

    Raises:
        SevenoutError: no such option or table.
    """
    for name in options:
        if name not in TABLE_OPTIONS:
            allowed = ", ".join(f"--{allowed}" for allowed in TABLE_OPTIONS)
            raise NotationError(
                f"the table has no option {shown(f'--{name}')}; its options are {allowed}"
            )
    hours = exact(options.get("hours", USUAL_HOURS))
    if "resume" in options:
        stated = [*options, *([] if seed is None else ["seed"])]
        for name in stated:
            if name not in ("resume", "hours"):
                raise NotationError(f"--{name} is that of a new table; leave --{name} out")
        session = read_session(options["resume"])
    else:
        session = TableSession(
            house_of(options.get("house", USUAL_HOUSE)),
            options.get("bankroll", "300"),
            seed=randrange(10**6) if seed is None else parse_seed(str(seed)),
            currency=options.get("currency", "$"),
            rates=Rates(
                parse_count(options.get("pace", "100")),
                exact_amount(options.get("tips", "0")),
                exact_amount(options.get("comps", "0")),
            ),
        )
    seat = TableSeat(session, int(hours * session.rates.pace), quiet=json)
    seat.welcome()
    for line in _echoed_lines(json):
        if not seat.answer(line):
            break
    seat.leave(json)


def _echoed_lines(quiet: bool) -> Iterator[str]:
    from sevenout.cli.out import typed_lines

    interactive = sys.stdin.isatty()
    for line in typed_lines(quiet, lambda: PROMPT.removesuffix("> ")):
        # Piped lines are echoed, so that a transcript can be read.
        if not interactive and not quiet:
            print(printable(f"> {line}"))  # shows piped input
        yield line


HELP = (
    ("roll", "or Enter rolls the dice; `3 5` plays a roll of your own"),
    ("pass 10", "bets 10; so do don't pass 10, field 5, any 7 5, yo 1, hard 8 5, hop 5-3 2"),
    ("place 6 8 12", "12 on each; so do buy 4 20, lay 10 40, hardways 1; inside 22 in all"),
    ("pass 10, field 5", "several bets, separated by commas"),
    ("place 6 min, 8 max", "the least that is paid in full, the most that the house takes"),
    ("odds 20, odds max", "behind the line; odds 6 20 behind a come bet on the 6"),
    ("press 8, press 8 6", "doubles what is on the 8; adds 6. An amount is else the new total"),
    ("down, down 6", "takes bets down where the rules allow"),
    ("bets, why come", "what may be bet now, and why something may not"),
    ("edge place 6", "what a bet pays, its edge and its expected cost an hour, before you bet"),
    ("undo", "takes the last line back; the dice show the same again"),
    ("quit", "leaves, with the coach's last word"),
    ("help more, help odds", "all other commands; about a bet, or a word such as rail"),
    ("same", "makes the bets again that the last decision took down, without odds"),
    ("parlay 8", "lets the whole win of the 8 ride, after it won"),
    ("off, off 6, on", "turns bets off, or on at the come-out too"),
    ("working", "keeps bets on through the next come-out"),
    ("felt, mean", "what is on the felt; its mean profit from here"),
    ("history, history 5", "the last 20 rolls, or 5, what they paid, and the result so far"),
    ("limits", "the table's limits and what it pays"),
    ("longer 10", "the probability that this shooter rolls more than 10 times from here"),
    ("rare", "how rare what just happened is"),
    ("rest, rest 2 hours", "how the rest of the evening ends if you keep these bets up"),
    ("coach", "what your bets cost on average, the costliest habit first"),
    ("undo 3, undo all", "takes back 3 lines, or all"),
    ("save FILE", "writes the session; resume FILE goes on with one"),
    ("tip 2, chips 100", "to the dealers; more chips for your rail"),
)
"""The player's commands."""
FIRST_HELP_ROWS = 13
"""How many of them `help` tells: as many as a screen of 24 lines holds."""

TOPICS = {
    "come-out": "The come-out is the roll that begins a round, while there is no point. Pass and "
    "no pass are bet before it.",
    "point": "A 4, 5, 6, 8, 9 or 10 on the come-out is the point. The round goes on until it comes "
    "again, and pass wins, or until a 7, and pass loses.",
    "natural": "A 7 or 11 on the come-out: pass wins at once. 2, 3 and 12 there are craps: pass "
    "loses at once.",
    "seven": "A 7 before the point. The round is over, most bets lose, and the next shooter has "
    "the dice. The shooter is whoever rolls.",
    "rail": "Your chips lie in the rail, in front of you. What you bet goes on the felt, which is "
    "the table. Your money is both together.",
    "edge": "The share of a bet that the house wins on average. Kept up means that you make it "
    "again whenever it is decided. An hour has 100 rolls. Say edge place 6.",
    "vig": "The commission on buy and lay bets: 5 % of a buy bet, or of what a lay bet wins.",
    "luck": "What you won or lost beyond what your bets cost on average.",
    "press": "To press a bet is to raise it: press 8 doubles what is on the 8, press 8 6 adds 6, "
    "parlay 8 adds all that it just won. To regress it is to lower it: place 8 6 leaves 6.",
    "parlay": "To parlay a bet is to let its win ride: say parlay 8 after it won.",
    "regress": "To regress a bet is to lower it: place 8 12 leaves 12, place 8 min the least.",
    "any": "There are two: say any 7 5, or any craps 5.",
    "dealer": "Bets for the dealers are not taken; tip 5 gives them chips.",
    "two-way": "A two-way bet is one for you and one for the dealers. Bet yours; tip 5 gives them "
    "chips.",
    "iron": "The iron cross is a field bet with place bets on 5, 6 and 8: say place 5 10, place 6 "
    "8 12, field 5.",
    "move": "Bets are not moved. Take one down and make the other: down 6, then place 9 10.",
    "don't": "No pass is against the shooter: on the come-out 2 and 3 win, 12 is a push, 7 and 11 "
    "lose; then a 7 before the point wins. It may be taken down.",
    "pass": "The pass line is bet on the come-out: 7 or 11 wins, 2, 3 or 12 loses, and any other "
    "total is the point, which must come again before a 7. It pays even money. It stays up until "
    "it is decided, and then comes down; say same after that, to bet it again.",
    "come": "A come bet is a pass bet that begins on the next roll, once there is a point. A roll "
    "moves it to its number. Say come 10, then odds 6 20 once it is on the 6.",
    "odds": "Odds go behind a line or come bet once it has a number, at true odds: no edge. Say "
    "odds 20, odds max, or odds 6 20 for the come bet on the 6.",
    "place": "A number before a 7: 9 to 5 on 4 and 10, 7 to 5 on 5 and 9, 7 to 6 on 6 and 8. Bet "
    "6s on the 6 and 8, 5s on the others. It is off on the come-out.",
    "buy": "A number before a 7 at true odds, less a commission of 5 %. Off on the come-out.",
    "lay": "A 7 before a number at true odds, less a commission of 5 % of the win.",
    "field": "The next roll is 2, 3, 4, 9, 10, 11 or 12; 2 and 12 pay more.",
    "hard": "A double before the same total the other way, and before a 7. Say hard 8 5.",
    "hop": "These two faces on the next roll: 15 to 1, doubles 30 to 1. Say hop 5-3 2.",
    "props": "On the next roll: any 7, any craps, aces, ace-deuce, yo, boxcars, hi-lo, horn, "
    "world, C&E, over 7, under 7. Say yo 1.",
    "small": "2 to 6 all before a 7; tall: 8 to 12; all: both. Say small 5. "
    "They are bet on the come-out.",
    "fire": "Four or more different points in one hand. It is bet on the come-out.",
    "off": "A bet that is off neither wins nor loses. off turns all off that may be, off 6 those "
    "on the 6. on turns them on again, at the come-out too.",
    "crapless": "At crapless craps 2, 3, 11 and 12 are points too, and there are no bets "
    "against the shooter. Leave, and say sevenout play table --house crapless=yes.",
    "table": 'sevenout play table --house "minimum=10,maximum=500,odds=2-2-2,crapless=yes,vig=up '
    'front" --bankroll 500 --currency € --seed 7',
}
"""Notes on words and bets: the first whose name is in the question applies."""
