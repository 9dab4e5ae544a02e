"""`sevenout play table`: a craps table at the terminal, with bets as players call them."""

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from textwrap import wrap
from typing import Any

from sevenout.catalogue.craps_family.table.spoken.table_phrases import MOST, Said, command, phrase
from sevenout.catalogue.craps_family.table.spoken.table_words import (
    line_said,
    parlayed,
    pressed,
    standing,
    usual,
)
from sevenout.catalogue.craps_family.table.spoken.unknown_words import UnknownWordError, misused
from sevenout.catalogue.craps_family.table.spoken.won_bets import again
from sevenout.catalogue.craps_family.table.spots import made_as, switch, switched
from sevenout.catalogue.craps_family.table.table_acts import Changed
from sevenout.catalogue.craps_family.table.table_session import TableSession
from sevenout.cli.out import aligned, console, print_json
from sevenout.cli.playing.table_help import FIRST, HELP, TOPICS
from sevenout.documents.numbers import many
from sevenout.errors import NotationError, RulesError, SevenoutError
from sevenout.files import read_text, write
from sevenout.numerals import exact
from sevenout.papers import table_talk
from sevenout.rolling.throw import Faces, parse_throw
from sevenout.rules.casino.felt import whole

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
            **{"roll": self._roll, "help": self._help, "down": self._down, "press": self._press},
            **{"off": self._off, "on": self._on, "tip": self._tip, "chips": self._chips},
            **{"edge": self._edge, "why": self._why, "longer": self._longer, "rest": self._rest},
            **{"undo": self._undo, "bet": self._make, "parlay": self._parlay},
            **{"regress": self._regress, "history": self._history},
            **{"same": self._same, "less": self._less, "early": self._early},
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
        self.say("Say a bet and how much: pass 10. Enter rolls, help or ? helps, q leaves.")
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
        file = re.fullmatch(r"(save|resume)(?: (.*))?", line, re.IGNORECASE)
        if file:
            self._file(file[1].lower(), (file[2] or "").strip())
            return True
        verb, rest = command(line)
        if verb == "leave":
            return False
        try:
            self.verbs[verb](rest)
        except NotationError as error:
            if verb == "bet" and (better := misused(rest)):
                raise better from None
            if isinstance(error, UnknownWordError) and (note := _note(error.word)):
                raise NotationError(f"{error.word!r} is not a bet. {note}") from None
            raise
        return True

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

    def _make(self, given: str) -> None:
        found = line_said(self.session, given)
        for bet, _ in found:  # all of them are at this table, or none is made
            self.session.offer(bet)
        stand = self.session.bets
        self._set(
            [
                Said(bet, stand.get(switched(stand, bet)) or usual(self.session, bet))
                if amount is None
                else Said(bet, amount)
                for bet, amount in found
            ]
        )

    def _set(self, found: list[Said]) -> None:
        """Set bets to amounts; one that is refused does not keep back the others."""
        session = self.session

        def change(said: Said) -> list[Changed]:
            if not said.amount and switched(session.bets, said.bet) not in session.bets:
                why = session.offer(said.bet).why or "there is nothing on it; bet more than 0"
                raise RulesError(f"{said.bet}: {why}")
            return [session.set(said.bet, said.amount or 0)]

        self._each(found, change)

    def _changed(self, changed: Changed, *, priced: bool = False) -> None:
        self.tell(table_talk.changed(self.session, changed, priced=priced), "  ")

    def _each(self, found: Sequence[Any], change: Callable[[Any], Iterable[Changed]]) -> None:
        """Change each of several bets; says what is refused, and goes on."""
        for one in found:
            try:
                for changed in change(one):
                    self._changed(changed, priced=True)
            except RulesError as error:
                if len(found) == 1:
                    raise
                self.say(str(error), "  ")

    def _press(self, given: str) -> None:
        said = phrase(given or "it")
        numbers = [word for word in said.words if word.isdecimal()]
        more = said.amount
        if more is None and len(numbers) > ("it" not in said.words) and not said.joined:
            said, more = said._replace(words=said.words[:-1]), exact(numbers[-1])
        session = self.session

        def press(bet: str) -> list[Changed]:
            if more == MOST:
                return [session.set(bet, MOST)]
            if not isinstance(more, str):
                return [session.press(bet, None if more is None else exact(more))]
            if not more.endswith("u"):
                raise NotationError(f"{more} is for odds; write press {bet} 6 to add 6")
            return [session.press(bet, int(more[:-1] or 1) * session.offer(bet).unit)]

        self._each(pressed(session, said), press)

    def _parlay(self, given: str) -> None:
        self._set(parlayed(self.session, phrase(given or "it")))

    def _same(self, given: str) -> None:
        found = again(self.session)
        if given:
            bets = [made_as(said.bet) for said in line_said(self.session, given)]
            found = [said for said in found if said.bet in bets]
        if not found:
            raise RulesError(
                "there is no bet to make again: the dice took none down, or all are back up"
            )
        self._set(found)

    def _less(self, given: str) -> None:
        said = phrase(given)
        less = whole(exact(said.amount or 0))
        found = pressed(self.session, said._replace(amount=None))
        bets = self.session.bets
        self._each(
            found,
            lambda bet: [
                self.session.set(bet, whole(max(Fraction(bets[bet] - less), Fraction(0))))
            ],
        )

    def _regress(self, given: str) -> None:
        found = pressed(self.session, phrase(given or "it"))
        self._each(found, lambda bet: [self.session.set(bet, usual(self.session, bet))])

    def _down(self, given: str) -> None:
        found = standing(self.session, phrase(given))
        if not found:
            self.say("nothing is on the felt")
        session = self.session  # a bet may have come down with another one
        self._each(found, lambda bet: session.take_down(bet) if bet in session.bets else ())

    def _off(self, given: str) -> None:
        self._turn(given, on=False)

    def _on(self, given: str) -> None:
        self._turn(given, on=True)

    def _early(self, given: str) -> None:
        self._turn(given, on=True, early=True)

    def _turn(self, given: str, *, on: bool, early: bool = False) -> None:
        found = standing(self.session, phrase(given))
        turned = already = 0
        too = ", on the come-out too" if early and self.session.point else ""
        for bet in found:
            plain, _ = switch(bet)
            try:
                changed = self.session.turn(bet, on, early=early)
            except SevenoutError:
                if len(found) == 1:
                    raise
                continue
            if changed.said and len(found) > 1:
                already += 1
                continue
            turned += 1
            said = f"{plain}: {f'on{too}' if on else 'off'}"
            self.say(changed.said[0] if changed.said else said, "  ")
        if already and not turned:
            self.say(f"all that can be {'on' if on else 'off'} is {'on' if on else 'off'} already")
        elif not turned:
            self.say("nothing on the felt can be turned off and on: line and come bets always work")

    def _undo(self, given: str) -> None:
        acts = len(self.session.acts)
        if not acts:
            self.say("there is nothing to take back")
        several = min(int(given[:6]), acts) if given.isdecimal() else acts
        for _ in range(several if given else min(acts, 1)):
            if not given:
                self.say(f"taken back: {table_talk.undone(self.session)}")
            self.session.undo()
        if given and acts:
            self.say(f"taken back: {many(several, 'action')}")
        self._status()

    def _tip(self, given: str) -> None:
        self.session.tip(_one_amount(given, "tip 2"))
        self._status()

    def _chips(self, given: str) -> None:
        self.session.buy_in(_one_amount(given, "chips 100"))
        self._status()

    def _file(self, verb: str, path: str) -> None:
        path = path.strip("'\"")
        if not path:
            raise NotationError(f"no file to {verb}; write {verb} tonight.txt")
        if verb == "save":
            write(Path(path), self.session.to_text())
            self.say(f"saved: {path}; `resume {path}` goes on from here")
            return
        self.session = resumed(path)
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

    def _why(self, given: str) -> None:
        if not given:
            raise NotationError("no bet is named; write one, such as why come")
        verb, rest = command(given)
        if verb == "down":
            for bet in standing(self.session, phrase(rest)):
                why = self.session.why_not(bet, 0)
                self.say(f"{bet}: {why or 'it may be taken down'}")
            return
        for said in line_said(self.session, given):
            why = self.session.offer(said.bet).why
            self.say(f"{said.bet}: {why or 'it may be bet now'}")

    def _edge(self, given: str) -> None:
        for bet, amount in line_said(self.session, given):
            most = self.session.offer(bet).most
            on = (most if amount == MOST else amount) or usual(self.session, bet)
            if isinstance(on, str):
                raise NotationError(f"no amount for {bet}; write one, such as edge {bet} 10")
            self.say(table_talk.edge(self.session, bet, on))

    def _longer(self, given: str) -> None:
        self.say(table_talk.longer(self.session, _count(given or "10", LONGEST_HAND)))

    def _rest(self, given: str) -> None:
        left = self.evening - self.session.rolls
        if given:
            n, _, unit = given.partition(" ")
            pace = Fraction(self.session.rates.pace if unit[:4] in ("hour", "minu") else 1)
            pace /= 60 if unit.startswith("minute") else 1
            left = int(_count(n, int(LONGEST_REST / pace)) * pace)
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
    words = (" ".join(phrase(topic).words), topic, topic.split(maxsplit=1)[0])
    notes = (
        note for word in words for name, note in TOPICS.items() if re.search(rf"\b{name}", word)
    )
    return next(notes, None)


def _count(given: str, most: int) -> int:
    if len(given) > 9 or int(given) > most:
        raise NotationError(f"{given} is too many; ask for at most {most:,}")
    return int(given)


def _one_amount(given: str, such: str) -> Any:
    said = phrase(given)
    amounts = said.words if said.amount is None else (said.amount,)
    if not given or len(amounts) != 1:
        raise NotationError(f"no amount; write {such}")
    return exact(amounts[0])
