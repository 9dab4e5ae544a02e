"""`sevenout play table`: a craps table at the terminal, with bets as players say them."""

import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
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
from sevenout.games.craps_family.table_session import Changed, Rates, TableSession
from sevenout.games.craps_family.table_words import (
    bets_said,
    must_be_words,
    standing,
    usual,
    words_of,
)
from sevenout.games.strategytext import house_of
from sevenout.numerals import exact, parse_count, parse_seed
from sevenout.page.numbers import percent, won
from sevenout.rules.casino.felt import Money, Rolled, whole

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
            **dict.fromkeys(("worth", "value"), lambda _: self._worth()),
            **dict.fromkeys(("longer", "more"), self._longer),
            **{"rest": self._rest, "why": self._why, "undo": lambda _: self._undo()},
            **dict.fromkeys(("rare", "what"), lambda _: self._rare()),
            **{"coach": lambda _: self._coach()},
            **{"tip": self._tip, "chips": self._chips, "rebuy": self._chips},
        }
        self.verbs = verbs

    # --- what is seen -----------------------------------------------------------------------------

    def say(self, text: str, head: str = "", **style: Any) -> None:
        """Lines that fit."""
        indent = " " * (2 if head or self.width < 60 else 0)
        for line in wrap(f"{head}{text}", self.width - 1, subsequent_indent=indent or "  "):
            self._say(line, **style)

    def money(self, amount: Any) -> str:
        """An amount in the currency of the table, to the hundredth."""
        if exact(amount).denominator == 1:
            return self.session.said(whole(exact(amount)))
        text = f"{abs(float(amount)):.2f}"
        currency = self.session.currency
        said = f"{text} {currency}" if currency[-1:].isalpha() else f"{currency}{text}"
        return f"-{said}" if amount < 0 else said

    def won(self, amount: Money) -> str:
        """An amount won or lost."""
        return won(exact(amount))

    def welcome(self) -> None:
        """What table it is, and how to begin."""
        house, session = self.session.house, self.session
        odds, least = "-".join(map(str, house.odds)), whole(exact(house.minimum))
        game = "Crapless craps" if house.crapless else "Craps"
        self.say(
            f"{game}: from {session.said(least)}"
            + (f" to {session.said(whole(exact(house.maximum)))}" if house.maximum else "")
            + f", {odds}x odds, {session.said(session.rail)} in the rack.",
            style="bold",
        )
        self.say("Say a bet and how much: pass 10. Enter rolls, help or ? helps, q leaves.")
        if session.acts:
            self._status()

    def _status(self) -> None:
        session = self.session
        where = "come-out" if session.point is None else f"point {session.point}"
        felt = ", ".join(f"{bet} {self.money(on)}" for bet, on in session.bets.items())
        self.say(
            f"{where} | rail {session.said(session.rail)} | {felt or 'nothing on the felt'}", "  "
        )

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
        self._rolled(rolled, point)
        self._status()

    def _rolled(self, rolled: Rolled, point: int | None) -> None:
        faces = self.session.moments[-1].faces
        total = rolled.throw.total
        hard = len(set(faces)) == 1 and total in (4, 6, 8, 10)
        now = self.session.point
        if rolled.out:
            what = "seven out, the dice pass"
        elif point is None:
            what = f"the point is {now}" if now else _COME_OUT.get(total, "no point")
        else:
            what = "the point is made" if now is None else ""
        dice = "".join(f"[{face}]" for face in faces)
        call = f"{'hard ' if hard else ''}{total}" + (f": {what}" if what else "")
        paid = ", ".join(f"{each.bet} {self.won(each.profit)}" for each in rolled.paid)
        several = f" = {self.won(rolled.net)}" if len(rolled.paid) > 1 else ""
        self.say(f"{call}{'; ' if paid else ''}{paid}{several}", f"{dice} ", style="bold")

    def _make(self, words: list[str]) -> None:
        for said in bets_said(self.session, words):
            bet, amount = said
            if amount is None:
                spot(bet)
                amount = "most" if bet.endswith(" odds") else usual(self.session, bet)
            self._changed(self.session.set(bet, amount), price=True)

    def _changed(self, changed: Changed, *, price: bool = False) -> None:
        bet, was, now, said = changed
        moved = f"{self.money(was)} → {self.money(now)}" if was else self.money(now)
        text = (
            f"{bet}: {moved if now else 'down'}"
            if was != now
            else f"{bet}: {self.money(now)} stands"
        )
        if price and now and was != now:
            text += f" ({self._price(bet, now)})"
        self.say(text, "  ")
        for each in said:
            self.say(each, "  ")

    def _price(self, bet: str, amount: Money) -> str:
        from sevenout.evening.table_figures import value_before

        value = value_before(self.session, bet, amount)
        if not value.rolls:
            return "off"
        if not value.mean:
            return "edge 0: it costs nothing"
        pace = self.session.rates.pace
        cost, per_hour = "costs", value.per_hour(pace)
        if value.mean > 0:
            cost, per_hour = "brings", -per_hour
        hourly = f"{cost} {self.money(round(per_hour, 2))} an hour kept up"
        return f"edge {percent(value.edge, 2)}, {hourly}"

    def _press(self, words: list[str]) -> None:
        words = [word for word in words if word != "it"]
        more = None
        if len(words) > 1 and (words[-1].isdecimal()):
            *words, last = words
            more = exact(last)
        for bet in standing(self.session, words):
            self._changed(self.session.press(bet, more), price=True)

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
        open_: list[str] = []
        closed: dict[str, list[str]] = {}
        for offer in self.session.legal():
            if offer.why:
                closed.setdefault(offer.why, []).append(offer.bet)
            else:
                open_.append(offer.bet)
        self.say(", ".join(_gathered(open_)), "You may bet ")
        for why, bets in closed.items():
            self.say(f"{', '.join(_gathered(bets))}: {why}", "Not now: ")

    def _why(self, words: list[str]) -> None:
        for said in bets_said(self.session, [w for w in words if w not in ("not", "no")]):
            why = self.session.offer(said.bet).why
            self.say(f"{said.bet}: {why or 'it may be bet now'}")

    def _edge(self, words: list[str]) -> None:
        from sevenout.evening.table_figures import value_before

        for bet, amount in bets_said(self.session, words):
            given = amount if isinstance(amount, int) and amount else usual(self.session, bet)
            value = value_before(self.session, bet, given)
            rolls = f"decided in {float(value.rolls):.2f} rolls on average"
            self.say(
                f"{bet} {self.money(given)}: {self._price(bet, given)}; "
                f"{self.money(round(-value.mean, 4))} a bet, {rolls}"
            )

    def _worth(self) -> None:
        from sevenout.evening.table_figures import values

        found = values(self.session)
        if not found:
            self.say("nothing is on the felt")
            return
        for bet, value in found.items():
            self.say(
                f"{bet} {self.money(value.amount)}: {won(round(value.mean, 2))} on average", "  "
            )
        total = sum((value.mean for value in found.values()), exact(0))
        self.say(
            f"all of it, each left until it is settled once: {won(round(total, 2))} on average"
        )

    def _longer(self, words: list[str]) -> None:
        from sevenout.evening.table_figures import more_rolls

        counts = [int(word) for word in words if word.isdecimal()]
        n = min(counts[0], 1000) if counts else 10
        p = more_rolls(self.session.house, self.session.point, n + 1)
        self.say(f"this shooter rolls more than {n} times from here: {percent(p, 2)}")

    def _rare(self) -> None:
        from sevenout.evening.table_figures import rarities

        found = rarities(self.session, self.evening)
        if not found:
            self.say("nothing was rolled yet")
        for what, p, evenings in found:
            self.say(
                f"{what}: {percent(p, 2)}; in {1000 * evenings:,.0f} of 1,000 evenings "
                f"of {self.evening:,} rolls"
            )

    def _rest(self, words: list[str]) -> None:
        from sevenout.cli.evening_rest import rest_page

        left = self.evening - self.session.rolls
        counts = [int(word) for word in words if word.isdecimal()]
        if counts:
            left = counts[0] * (self.session.rates.pace if words[-1].startswith("hour") else 1)
        self._say(rest_page(self.session, left))

    def _coach(self) -> None:
        from sevenout.evening.table_figures import account

        session = self.session
        found = account(session)
        dear = [habit for habit in found.habits if habit.cost > 0]
        if not dear:
            self.say("Coach: nothing was bet that costs anything.")
            return
        first = dear[0]
        rolls, edge = max(1, session.rolls), percent(first.cost / first.handle, 2)
        self.say(
            f"Coach: the dearest habit was {first.bet}: {self.money(round(first.cost, 2))} of "
            f"expected loss on {self.money(first.handle)} bet, {edge}, "
            f"{self.money(round(first.cost / rolls, 3))} a roll."
        )
        for habit in dear[1:4]:
            self.say(
                f"{habit.bet}: {self.money(round(habit.cost, 2))} on {self.money(habit.handle)}",
                "  then ",
            )
        self.say(
            f"All bets cost {self.money(round(found.cost, 2))} on average; luck did "
            f"{won(round(found.luck, 2))}. Luck is worse in about {1000 * found.worse:.0f} of "
            "1,000 evenings with these bets (normal approximation)."
        )

    def leave(self, json: bool) -> None:
        """The end: what the evening has come to."""
        session = self.session
        told = self.statistics()
        if json:
            print_json(
                told
                | {"money after every roll": [str(m.money) for m in session.moments]}
                | {"session": session.to_text()}
            )
            return
        self._say()
        self._say(aligned(told))
        if session.rolls:
            self._say()
            self._coach()

    def statistics(self) -> dict[str, Any]:
        """What the evening has come to, as it is printed."""
        from sevenout.evening.table_figures import account

        session = self.session
        paid = [each for m in session.moments if m.rolled for each in m.rolled.paid]
        hours = exact(session.rolls) / session.rates.pace
        nets = [m.money for m in session.moments]
        told = {
            "result": self.won(session.result),
            "rolls": session.rolls,
            "shooters out": sum(m.rolled.out for m in session.moments if m.rolled),
            "bets settled": len(paid),
            "highest": session.said(max(nets)),
            "lowest": session.said(min(nets)),
            "expected loss": self.money(round(account(session).cost, 2)),
        }
        if session.tips or session.rates.tips:
            told["tips"] = self.money(session.tips + session.rates.tips * hours)
        if session.rates.comps:
            told["comps"] = self.money(round(account(session).cost * session.rates.comps, 2))
        return told


_COME_OUT = {7: "natural", 11: "natural", 2: "craps", 3: "craps", 12: "craps"}


def _one_amount(words: list[str], such: str) -> Any:
    if len(words) != 1:
        raise NotationError(f"how much? Say {such}")
    return exact(words[0])


def _gathered(bets: list[str]) -> Iterator[str]:
    """Bets that differ in a number alone, together: place 4 5 6."""
    for kind, group in groupby(
        bets, lambda bet: bet.rpartition(" ")[0] if bet[-1].isdigit() else bet
    ):
        numbers = [bet.rpartition(" ")[2] for bet in group]
        if kind == "hop" and len(numbers) == 21:
            yield "hop 1-1 to 6-6"
        else:
            yield f"{kind} {' '.join(numbers)}" if numbers[0] != kind else kind
