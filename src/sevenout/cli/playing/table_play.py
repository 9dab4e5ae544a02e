"""`sevenout play table`: a craps table at the terminal, with bets as players call them."""

import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from textwrap import wrap
from typing import Any

from sevenout.catalogue.craps_family.spots import switched
from sevenout.catalogue.craps_family.table_lines import (
    LEAST,
    MOST,
    TableCommand,
    UnknownWordError,
    play,
    read_line,
    usual,
)
from sevenout.catalogue.craps_family.table_session import TableSession
from sevenout.cli.out import aligned, console, print_json
from sevenout.cli.playing.table_help import FIRST, HELP, TOPICS
from sevenout.documents.numbers import many
from sevenout.errors import NotationError, SevenoutError
from sevenout.files import read_text, write
from sevenout.numerals import exact
from sevenout.papers import table_talk
from sevenout.rolling.throw import Faces, parse_throw

LONGEST_HAND, LONGEST_REST = 1_000, 10_000
"""The most rolls asked about: of a hand, and of the rest of an evening."""
PROMPT = "roll, bet, help, quit> "


def resumed(path: str) -> TableSession:
    """The session of a file.

    Raises:
        SevenoutError: no such file, or not a session; the message names the line.
    """
    text = read_text(Path(path))
    try:
        return TableSession.from_text(text)
    except SevenoutError as error:
        raise type(error)(f"{path}: {error}") from None


class AtTable:
    def __init__(self, session: TableSession, evening: int, *, quiet: bool) -> None:
        self.session, self.evening = session, evening
        out = console()
        self.width = min(out.width, 100)
        self._say = (lambda *_a, **_k: None) if quiet else out.print
        self.verbs: dict[str, Callable[[str], object]] = {
            **{"roll": self._roll, "help": self._help, "undo": self._undo, "rest": self._rest},
            **{"tip": self._tip, "chips": self._chips, "longer": self._longer},
            **{"history": self._history, "save": self._save, "resume": self._resume},
            "limits": lambda _: self.tell(table_talk.limits(self.session)),
            "bets": lambda _: self.tell(table_talk.open_bets(self.session)),
            "felt": lambda _: self._status(so_far=True),
            "mean": lambda _: self.tell(table_talk.means(self.session)),
            "rare": lambda _: self.tell(table_talk.rare(self.session, self.evening)),
            "coach": lambda _: self.tell(table_talk.coach(self.session)),
        }

    # --- what is seen -----------------------------------------------------------------------------

    def say(self, text: str, head: str = "", *, under: bool = False, **style: Any) -> None:
        """Print a text after its head, with its later lines under its first if asked."""
        indent = " " * (len(head) if under else 2 if head or self.width < 60 else 0)
        for line in wrap(
            f"{head}{text}",
            self.width - 1,
            subsequent_indent=indent or "  ",
            break_on_hyphens=False,
        ):
            self._say(line, **style)

    def tell(self, lines: Iterable[str], head: str = "") -> None:
        for line in lines:
            self.say(line, head)

    def welcome(self) -> None:
        """The table's rules, and how to begin."""
        self.say(table_talk.table(self.session), style="bold")
        self.say("Type a bet and how much: pass 10. Enter rolls, help or ? helps, q leaves.")
        if self.session.acts:
            self._status()

    def _status(self, *, so_far: bool = False) -> None:
        self.say(table_talk.status(self.session), "  ")
        if so_far:
            self.say(table_talk.so_far(self.session), "  ")

    # --- what is said -----------------------------------------------------------------------------

    def answer(self, line: str) -> bool:
        """Do what a line says; False if the player leaves."""
        try:
            return self.try_to(line)
        except NotationError as error:
            if not sys.stdin.isatty():
                raise
            self.say(str(error))
        except SevenoutError as error:  # refused by the rules; the evening goes on
            self.say(str(error))
        return True

    def try_to(self, line: str) -> bool:
        """Do what a line says, as `answer` does.

        Raises:
            SevenoutError: it is not understood, or refused by the rules.
        """
        try:
            commands = read_line(self.session, line)
        except UnknownWordError as error:
            note = _note(error.word)
            if note is None:
                raise
            raise NotationError(f"{error.word!r} is not a bet. {note}") from None
        verb, text = commands[0].verb, commands[0].text
        if verb == "quit":
            return False
        if verb in self.verbs:
            self.verbs[verb](text)
            return True
        asked = [command for command in commands if command.verb in ("edge", "why")]
        for command in asked:
            (self._edge if command.verb == "edge" else self._why)(command)
        if len(asked) < len(commands):
            self._play([command for command in commands if command not in asked])
        return True

    def _play(self, commands: list[TableCommand]) -> None:
        """Change the bets of a line, and say what came of each."""
        for reply in play(self.session, commands):
            if isinstance(reply, str):
                self.say(reply, "  ")
            else:
                self.tell(table_talk.changed(self.session, reply, priced=True), "  ")

    def _roll(self, given: str) -> None:
        session = self.session
        faces: Faces | None = parse_throw(re.sub("[-+]", " ", given)) if given else None
        point = session.point
        rolled = session.roll(faces)
        dice = "".join(f"[{face}]" for face in session.moments[-1].faces)
        self.say(table_talk.call(session, rolled, point), f"{dice} ", style="bold")
        rare = table_talk.rare(session, self.evening, below=table_talk.RARE, quiet=True)
        self.tell(rare, "  ")
        self._status()

    def _undo(self, given: str) -> None:
        session = self.session
        if not session.acts:
            self.say("there is nothing to take back")
        lines = 0
        while session.acts and (given == "all" or lines < int(given or 1)):
            if not given:
                self.say(f"taken back: {table_talk.undone(session)}")
            session.undo()
            lines += 1
        if given and lines:
            self.say(f"taken back: {many(lines, 'line')}")
        self._status()

    def _tip(self, given: str) -> None:
        self.session.tip(exact(given.strip("$€£")))
        self._status()

    def _chips(self, given: str) -> None:
        self.session.buy_in(exact(given.strip("$€£")))
        self._status()

    def _save(self, path: str) -> None:
        path = path.strip("'\"")
        write(Path(path), self.session.to_text())
        self.say(f"saved: {path}; `resume {path}` goes on from here")

    def _resume(self, path: str) -> None:
        self.session = resumed(path.strip("'\""))
        self._status()

    # --- what may be known ------------------------------------------------------------------------

    def _help(self, topic: str) -> None:
        rows = {"": HELP[:FIRST], "more": HELP[FIRST:], "all": HELP}.get(topic)
        if rows:
            for said, what in rows:
                head = f"{said}: " if self.width < 60 else f"{said:<22} "
                self.say(what, head, under=self.width >= 60)
            return
        told = (f"{said}: {what}" for said, what in HELP if topic in re.findall(r"\w+", said))
        found = _note(topic) or next(told, None)
        self.say(found or f"no help on {topic!r}; there is: {', '.join(TOPICS)}")

    def _history(self, given: str) -> None:
        self.tell(table_talk.history(self.session, int(given[:6] or 20)))

    def _why(self, command: TableCommand) -> None:
        for bet in command.bets:
            stands = switched(self.session.bets, bet)
            why = self.session.offer(bet).why or "it may be bet now"
            if stands in self.session.bets:
                down = self.session.why_not(bet, 0) or "it may be taken down"
                why = f"{why}; {down}" if down != why else why
            self.say(f"{bet}: {why}")

    def _edge(self, command: TableCommand) -> None:
        for bet in command.bets:
            amount = command.amount
            if amount == MOST:
                amount = self.session.offer(bet).most
            if not amount or amount == LEAST:
                amount = usual(self.session, bet)
            if isinstance(amount, str):
                raise NotationError(f"no amount for {bet}; write one, such as edge {bet} 10")
            self.say(table_talk.edge(self.session, bet, amount))

    def _longer(self, given: str) -> None:
        self.say(table_talk.longer(self.session, _count(given or "10", LONGEST_HAND)))

    def _rest(self, given: str) -> None:
        left = self.evening - self.session.rolls
        if given:
            n, _, unit = given.partition(" ")
            pace = self.session.rates.pace if unit.startswith("hour") else 1
            left = int(_count(n, LONGEST_REST // pace) * pace)
        self._say(table_talk.rest_page(table_talk.rest_result(self.session, left)))

    def leave(self, json: bool) -> None:
        session = self.session
        told = table_talk.statistics(session)
        if json:
            moneys = [str(moment.money) for moment in session.moments]
            print_json(told | {"money": moneys, "session": session.to_text()})
            return
        self._say()
        self._say(aligned(told))
        if session.rolls:
            self._say()
            self.tell(table_talk.coach(session))


def _note(topic: str) -> str | None:
    """The note on a word or a bet, if there is one."""
    words = (topic.lower(), topic.lower().split(maxsplit=1)[0])
    notes = (
        note for word in words for name, note in TOPICS.items() if re.search(rf"\b{name}", word)
    )
    return next(notes, None)


def _count(given: str, most: int) -> int:
    if len(given) > 9 or int(given) > most:
        raise NotationError(f"{given} is too many; ask for at most {most:,}")
    return int(given)
