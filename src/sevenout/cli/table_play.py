"""`sevenout play table`: a craps table at the terminal, with bets as players say them."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from random import randrange
from textwrap import wrap
from typing import Any

from sevenout.cli.out import aligned, console, print_json
from sevenout.cli.table_help import HELP, TOPICS
from sevenout.dice.throw import Faces, parse_throw
from sevenout.errors import NotationError, SevenoutError, printable, shown
from sevenout.files import read_text, write
from sevenout.games.craps_family.spots import spot, switch
from sevenout.games.craps_family.table_acts import Changed, Rates
from sevenout.games.craps_family.table_session import TableSession
from sevenout.games.craps_family.table_words import (
    bets_said,
    must_be_words,
    standing,
    usual,
    words_of,
)
from sevenout.games.strategytext import house_of
from sevenout.numerals import exact, parse_count, parse_seed
from sevenout.report import table_talk
from sevenout.rules.casino.felt import whole

OPTIONS = ("bankroll", "house", "currency", "pace", "tips", "comps", "hours", "resume")
"""What may be said of a table."""
PROMPT = "roll, bet, help, quit> "
HOURS = 4
"""Of an evening, where nothing else is said."""


def sit_down(options: Mapping[str, str], seed: int | None, json: bool) -> None:
    """A session at the table, until the player leaves.

    Args:
        options: of the table, by name.
        seed: of the dice; any if None.
        json: whether to print only data.

    Raises:
        SevenoutError: there is no such option, or no such table.
    """
    for name in options:
        if name not in OPTIONS:
            known = ", ".join(f"--{known}" for known in OPTIONS)
            raise NotationError(
                f"{shown(f'--{name}')} is no option of the table; there are {known}"
            )
    hours = exact(options.get("hours", HOURS))
    if "resume" in options:
        session = resumed(options["resume"])
    else:
        session = TableSession(
            house_of(options.get("house", "")),
            options.get("bankroll", "300"),
            seed=randrange(10**6) if seed is None else parse_seed(str(seed)),
            currency=options.get("currency", "$"),
            rates=Rates(
                parse_count(options.get("pace", "100")),
                whole(exact(options.get("tips", "0"))),
                whole(exact(options.get("comps", "0"))),
            ),
        )
    seat = AtTable(session, int(hours * session.rates.pace), quiet=json)
    seat.welcome()
    for line in _lines(json):
        if not seat.answer(line):
            break
    seat.leave(json)


def resumed(path: str) -> TableSession:
    """A session from its file.

    Raises:
        SevenoutError: there is none, or it is no session; the message has the line.
    """
    text = read_text(Path(path))
    try:
        return TableSession.from_text(text)
    except SevenoutError as error:
        raise type(error)(f"{path}: {error}") from None


def _lines(quiet: bool) -> Iterator[str]:
    from sevenout.cli.commands.play_command import lines

    here = sys.stdin.isatty()
    for line in lines(quiet, lambda: PROMPT.removesuffix("> ")):
        if not here and not quiet:
            print(printable(f"> {line}"))  # what was typed is seen where nobody types
        yield line


class AtTable:
    """A session and what is seen of it."""

    def __init__(self, session: TableSession, evening: int, *, quiet: bool) -> None:
        self.session, self.evening = session, evening
        out = console()
        self.width = min(out.width, 100)
        self._say = (lambda *_a, **_k: None) if quiet else out.print
        verbs: dict[str, Callable[[list[str]], object]] = {
            **dict.fromkeys(("roll", "r", "throw", "shoot"), self._roll),
            **dict.fromkeys(("help", "h", "?"), self._help),
            **dict.fromkeys(("bets", "bet", "legal"), self._bets),
            **dict.fromkeys(("felt", "status", "money", "rail", "rack"), lambda _: self._status()),
            **dict.fromkeys(("down", "take"), self._down),
            **dict.fromkeys(("off", "on", "turn", "working"), self._turn),
            **{"press": self._press, "edge": self._edge, "cost": self._edge},
            **dict.fromkeys(
                ("worth", "value"), lambda _: self.tell(table_talk.worth(self.session))
            ),
            **dict.fromkeys(("longer", "more"), self._longer),
            **{"rest": self._rest, "why": self._why, "undo": lambda _: self._undo()},
            **dict.fromkeys(
                ("rare", "what"), lambda _: self.tell(table_talk.rare(self.session, self.evening))
            ),
            **{"coach": lambda _: self.tell(table_talk.coach(self.session))},
            **{"tip": self._tip, "chips": self._chips, "rebuy": self._chips},
        }
        self.verbs = verbs

    # --- what is seen -----------------------------------------------------------------------------

    def say(self, text: str, head: str = "", **style: Any) -> None:
        """Lines that fit."""
        indent = " " * (2 if head or self.width < 60 else 0)
        for line in wrap(f"{head}{text}", self.width - 1, subsequent_indent=indent or "  "):
            self._say(line, **style)

    def tell(self, lines: Iterable[str], head: str = "") -> None:
        """Several of them."""
        for line in lines:
            self.say(line, head)

    def welcome(self) -> None:
        """What table it is, and how to begin."""
        self.say(table_talk.table(self.session), style="bold")
        self.say("Say a bet and how much: pass 10. Enter rolls, help or ? helps, q leaves.")
        if self.session.acts:
            self._status()

    def _status(self) -> None:
        self.say(table_talk.status(self.session), "  ")

    # --- what is said -----------------------------------------------------------------------------

    def answer(self, line: str) -> bool:
        """Do what a line says; False where the player leaves."""
        if line.lower() in ("leave", "exit", "bye", "cash out", "color up", "colour up"):
            return False
        try:
            must_be_words(line)
            self._answered(line)
        except NotationError as error:
            if not sys.stdin.isatty():
                raise
            self.say(str(error))
        except SevenoutError as error:  # the rules say no, and the evening goes on
            self.say(str(error))
        return True

    def _answered(self, line: str) -> None:
        line = f"help {line[1:]}" if line[:1] == "?" else line
        verb, _, rest = line.partition(" ")
        if verb.lower() in ("save", "resume"):
            self._file(verb.lower(), rest.strip())
            return
        words = words_of(line)
        if not line or (len(words) == 2 and all(w in tuple("123456") for w in words)):
            self._roll(words)
        elif not words:
            self._bets([])
        elif words in (["all", "on"], ["all", "off"]):
            self._turn(words[::-1])
        elif words[0] in self.verbs:
            keep = words[0] in ("off", "on", "working")
            self.verbs[words[0]](words if keep else words[1:])
        elif words[-1] in ("down", "off", "on", "working") and len(words) > 1:
            self._answered(" ".join([words[-1], *words[:-1]]))  # 6 down
        else:
            self._make(words)

    def _roll(self, words: list[str]) -> None:
        session = self.session
        faces: Faces | None = parse_throw(" ".join(words)) if words else None
        point = session.point
        rolled = session.roll(faces)
        dice = "".join(f"[{face}]" for face in session.moments[-1].faces)
        self.say(table_talk.call(session, rolled, point), f"{dice} ", style="bold")
        self._status()

    def _make(self, words: list[str]) -> None:
        for said in bets_said(self.session, words):
            bet, amount = said
            if amount is None:
                spot(bet)
                amount = "most" if bet.endswith(" odds") else usual(self.session, bet)
            self._changed(self.session.set(bet, amount), priced=True)

    def _changed(self, changed: Changed, *, priced: bool = False) -> None:
        self.tell(table_talk.changed(self.session, changed, priced=priced), "  ")

    def _press(self, words: list[str]) -> None:
        words = [word for word in words if word != "it"]
        more = None
        if len(words) > 1 and (words[-1].isdecimal()):
            *words, last = words
            more = exact(last)
        for bet in standing(self.session, words):
            self._changed(self.session.press(bet, more), priced=True)

    def _down(self, words: list[str]) -> None:
        words = [word for word in words if word != "down"]
        found = standing(self.session, words)
        if not found:
            self.say("nothing is on the felt")
        for bet in found:
            if bet not in self.session.bets:
                continue  # came down with another
            try:
                for changed in self.session.take_down(bet):
                    self._changed(changed)
            except SevenoutError as error:
                if words:
                    raise
                self.say(str(error), "  ")

    def _turn(self, words: list[str]) -> None:
        on = words[0] != "off" if words and words[0] in ("on", "off", "working") else None
        if on is None:
            last = words[-1] if words else ""
            if last not in ("on", "off"):
                raise NotationError("turn what? Say off, off 6, on, or on 6")
            on, words = last == "on", words[:-1]
        else:
            words = words[1:]
        named = [word for word in words if word not in ("bet",)]
        found = standing(self.session, named)
        turned = 0
        for bet in found:
            plain, _ = switch(bet)
            try:
                changed = self.session.turn(bet, on)
            except SevenoutError:
                if named and len(found) == 1:
                    raise
                continue
            turned += 1
            self.say(changed.said[0] if changed.said else f"{plain}: {'on' if on else 'off'}", "  ")
        if not turned:
            self.say("nothing on the felt can be turned off and on: line and come bets always work")

    def _undo(self) -> None:
        act = self.session.undo()
        self.say(f"taken back: {act}" if act else "there is nothing to take back")
        self._status()

    def _tip(self, words: list[str]) -> None:
        self.session.tip(_one_amount(words, "tip 2"))
        self._status()

    def _chips(self, words: list[str]) -> None:
        self.session.buy_in(_one_amount(words, "chips 100"))
        self._status()

    def _file(self, verb: str, path: str) -> None:
        if not path:
            raise NotationError(f"{verb} which file? Say {verb} tonight.txt")
        if verb == "save":
            write(Path(path), self.session.to_text())
            self.say(f"saved: {path}; `resume {path}` goes on from here")
            return
        self.session = resumed(path)
        self._status()

    # --- what may be known ------------------------------------------------------------------------

    def _help(self, words: list[str]) -> None:
        topic = " ".join(words)
        found = TOPICS.get(topic) or TOPICS.get(topic.split()[0] if topic else "")
        if topic and found:
            self.say(found)
            return
        if topic:
            self.say(f"no help on {topic!r}; there is: {', '.join(TOPICS)}")
            return
        for said, what in HELP:
            self.say(what, f"{said:<{14 if self.width < 60 else 22}} ")

    def _bets(self, _words: list[str]) -> None:
        self.tell(table_talk.open_bets(self.session))

    def _why(self, words: list[str]) -> None:
        for said in bets_said(self.session, [w for w in words if w not in ("not", "no")]):
            why = self.session.offer(said.bet).why
            self.say(f"{said.bet}: {why or 'it may be bet now'}")

    def _edge(self, words: list[str]) -> None:
        for bet, amount in bets_said(self.session, words):
            given = self.session.offer(bet).most if amount == "most" else amount
            usually = usual(self.session, bet)
            on = given if isinstance(given, int | Fraction) and given else usually
            self.say(table_talk.edge(self.session, bet, on))

    def _longer(self, words: list[str]) -> None:
        counts = [int(word) for word in words if word.isdecimal()]
        self.say(table_talk.longer(self.session, min(counts[0], 1000) if counts else 10))

    def _rest(self, words: list[str]) -> None:
        left = self.evening - self.session.rolls
        counts = [int(word) for word in words if word.isdecimal()]
        if counts:
            left = counts[0] * (self.session.rates.pace if words[-1].startswith("hour") else 1)
        self._say(table_talk.rest_page(self.session, left))

    def leave(self, json: bool) -> None:
        """The end: what the evening has come to."""
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


def _one_amount(words: list[str], such: str) -> Any:
    if len(words) != 1:
        raise NotationError(f"how much? Say {such}")
    return exact(words[0])
