"""`sevenout play table`: a craps table at the terminal, with bets as players call them.

`sit_down` reads the options, and `TableSeat` answers the lines.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
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
from sevenout.cli.playing.table_help import FIRST_HELP, HELP, MORE_HELP, TOPICS
from sevenout.errors import NotationError, SevenoutError, printable, shown
from sevenout.files import read_text, write
from sevenout.numerals import exact_amount, exact_money, parse_count
from sevenout.papers import table_talk
from sevenout.questions.arguments import Argument, amount, free_text, parse_options
from sevenout.questions.subject_kinds import end_arguments
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
        hours: the length of an evening, for what is rare in one.
        width: the columns of the terminal, 100 at most.
        actions: what each command that is no bet does with the words after it.
        _print: prints a line, with a style; nothing if the player wants JSON alone.
    """

    def __init__(
        self, session: TableSession, hours: Fraction | int = USUAL_HOURS, *, quiet: bool = False
    ) -> None:
        self.session, self.hours = session, hours
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

    @property
    def evening(self) -> int:
        """The rolls of an evening, at the pace of the session."""
        return int(self.hours * self.session.rates.pace)

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
        """Print texts, each after the label."""
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
        queries = {"edge": self._edge, "why": self._why}
        for command in commands:
            if command.verb in queries:
                queries[command.verb](command)
        if bets := [command for command in commands if command.verb not in queries]:
            self._play(bets)
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

    def _undo(self, lines: str) -> None:
        self.print_text(table_talk.take_back(self.session, lines))
        self._status()

    def _tip(self, text: str) -> None:
        self.session.tip(exact_money(text.strip("$€£")))
        self._status()

    def _chips(self, text: str) -> None:
        self.session.buy_in(exact_money(text.strip("$€£")))
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
        rows = {"": FIRST_HELP, "more": MORE_HELP, "all": HELP}.get(topic)
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
        self.print_lines(table_talk.history(self.session, int(count_text or 20)))

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
        rolls = parse_count(count_text or "10", minimum=0, maximum=MAX_HAND_ROLLS)
        self.print_text(table_talk.chance_of_more_rolls(self.session, rolls))

    def _rest(self, length: str) -> None:
        left = self.evening - self.session.rolls
        if length:
            count, _, unit = length.partition(" ")
            left = int(count) * (self.session.rates.pace if unit.startswith("hour") else 1)
        if left > MAX_EVENING_ROLLS:
            raise NotationError(
                f"{left:,} rolls are too many; ask for at most {MAX_EVENING_ROLLS:,}"
            )
        self._print(table_talk.rest_of_evening_page(table_talk.rest_of_evening(self.session, left)))

    def leave(self, json: bool) -> None:
        """Print what the session brought, with the coach's last word; as JSON, its text too."""
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
    # The table also calls the don't side "no".
    topic = re.sub(r"^no\b", "don't", topic.lower())
    notes = (
        note
        for text in (topic, topic.split(maxsplit=1)[0])
        for name, note in TOPICS.items()
        if re.search(rf"\b{name}(?:s|ways)?\b", text)
    )
    return next(notes, None)


TABLE_ARGUMENTS = (
    *end_arguments("bankroll", "house", "pace", "hours"),
    Argument("currency", free_text(), "The sign before amounts.", default=None),
    Argument("tips", amount(), "Money for the dealers per hour.", default=None),
    Argument("comps", amount(), "The share of the expected loss that returns.", default=None),
    Argument("resume", free_text(), "The file of a session to go on with.", default=None),
)
"""The options of a table."""


def sit_down(options: Mapping[str, str], seed: int | None, json: bool) -> None:
    """A session at the table, until the player leaves; without a seed the dice are random.

    Raises:
        SevenoutError: no such option or table.
    """
    values = parse_options(TABLE_ARGUMENTS, options, "the table")
    hours = values.pop("hours", USUAL_HOURS)
    if "resume" in values:
        path = values.pop("resume")
        if stated := [*values, *([] if seed is None else ["seed"])]:
            raise NotationError(f"--{stated[0]} is that of a new table; leave --{stated[0]} out")
        session = read_session(path)
    else:
        session = TableSession(
            house_of(values.get("house", USUAL_HOUSE)),
            values.get("bankroll", 300),
            seed=randrange(10**6) if seed is None else seed,
            currency=values.get("currency", "$"),
            rates=Rates(
                values.get("pace", 100),
                exact_amount(values.get("tips", 0)),
                exact_amount(values.get("comps", 0)),
            ),
        )
    seat = TableSeat(session, hours, quiet=json)
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
