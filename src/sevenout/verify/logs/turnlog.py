"""Games of turns as records, and logs of such games.

A record is a line of events, as in `book`: `1 3 3 5 6; keep 3 3; 3 4 4; keep all; chance`. A roll
has the dice that were thrown, or all dice after it. A decision is an option, or for dice that are
kept the plan. The steps of a test vector are a record.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, cast

from sevenout.errors import NotationError, SevenoutError, printable
from sevenout.rolling import Rollable
from sevenout.rules import ByTurns, KeepRoll, Outcome, Pay
from sevenout.rules.families.keeping import Reading
from sevenout.rules.outcome import Ask, Counts, added, followed
from sevenout.solving.goal import Goal
from sevenout.verify.conformance.recordfile import Results
from sevenout.verify.conformance.result_lines import KINDS, ROLLS, UNREADABLE, LineFault
from sevenout.verify.dicetests.detectable import Plan, missed, of_faces
from sevenout.verify.dicetests.fit import chi_square, multinomial_test
from sevenout.verify.dicetests.multiple import family_of
from sevenout.verify.dicetests.observed_counts import LEAST, Check, DataError, compare
from sevenout.verify.logs.book import RecordedGame, RollWords, faces_in, said
from sevenout.verify.logs.log_lines import FEW, KNOWN, LEFT_OUT, Disagreement, Judged, Log

Thrown = tuple[Rollable, Any]
"""What was thrown, and its result."""


class TurnBook:
    """A game of turns, for reading its records.

    >>> from sevenout.solving.goal import goal_of_turns
    >>> from sevenout.games.choice_games.yahtzee import Yahtzee
    >>> class Chance(Yahtzee):
    ...     card = (frozenset({"chance"}), False)
    >>> book = TurnBook(Chance(), goal_of_turns(Chance()))
    >>> book.outcome(book.told("1 3 3 5 6; keep 3 3; 3 4 4; keep all; chance")).profit("score")
    Fraction(17, 1)

    Attributes:
        bets: the counted quantity, by name.
    """

    counts = asks = True
    counters: tuple[str, ...] = ()

    def __init__(self, game: ByTurns, goal: Goal) -> None:
        self.game, self.goal = game, goal
        self.bets = (goal.name.partition(" ")[2],)
        self.endings: tuple[Outcome, ...] = ()
        self._ends: dict[Outcome, int] = {}
        self._entries: dict[Any, Mapping[str, Reading]] = {}
        self._moves: dict[Any, tuple[Any, bool, Sequence[Thrown]]] = {}

    def rolls(self, event: str) -> bool:
        """Always False: a game with decisions has no log of rolls alone."""
        return False

    def told(self, line: str) -> RecordedGame:
        """The game of a record.

        Raises:
            DataError: an impossible event, or no end; the message names it.
        """
        return RecordedGame((), self._ends.setdefault(self.played(line)[0], len(self._ends)), 0)

    def outcome(self, told: RecordedGame) -> Outcome:
        """The outcome of a recorded game, with its score."""
        return next(outcome for outcome, k in self._ends.items() if k == told.outcome)

    def played(self, line: str) -> tuple[Outcome, list[Thrown]]:
        """The outcome of a record, and all throws in it.

        Raises:
            DataError: an impossible event, or no end; the message names it.
        """
        game, turn, thrown = self.game, self.game.turn, list[Thrown]()
        counts: Counts = ()
        state: Any = game.start
        asked = bool(turn.choices(turn.start))
        events = line.replace(":", ";").split(";") if line.strip() else []
        for number, event in enumerate(map(faces_in, events), 1):
            if isinstance(state, Outcome):
                raise DataError(f"event {number} comes after the end: {state.label}")
            card, total, inner = state
            try:
                if not isinstance(inner, Outcome):
                    then, asked, more = self._move(inner, asked, event)
                    state = card, total, then
                    thrown += more
                elif event != faces_in(inner.label):  # the same dice, repeated
                    then, paid, _ = followed(self._entered(card, total, inner, event))
                    counts = added(counts, paid)
                    state, asked = (then.state, True) if isinstance(then, Ask) else (then, False)
            except SevenoutError as error:
                what = printable(event, 40) or "empty"
                raise DataError(f"event {number} is {what}: {error}") from None
        if not isinstance(state, Outcome):
            raise DataError("the game is not over")
        wanted, came = self.goal.counters, dict(counts)
        value = self.goal.value(state)
        value += sum(Fraction(came.get(name, 0)) * each for name, each in wanted.items())
        return Outcome(state.label, ((self.bets[0], Pay(state.label, value, Fraction(1))),)), thrown

    def _entered(self, card: Any, total: int, hand: Outcome, event: str) -> Any:
        """The position after a hand is entered."""
        if card not in self._entries:
            self._entries[card] = self.game.entries(card)
        entry = _named(self._entries[card], event)
        seen = self._entries[card][entry](hand)
        if seen is None:
            raise NotationError(f"{hand.label} may not be entered there")
        return self.game.follows(card, total, entry, seen)

    def _move(self, inner: Any, asked: bool, event: str) -> tuple[Any, bool, Sequence[Thrown]]:
        """The next position in the turn, whether the player decides there, and the throws."""
        key = inner, asked, event
        if key not in self._moves:
            if len(self._moves) > KNOWN:
                self._moves.clear()
            self._moves[key] = (self._answered if asked else self._rolled)(inner, event)
        return self._moves[key]

    def _rolled(self, inner: Any, event: str) -> tuple[Any, bool, Sequence[Thrown]]:
        thrown, asked = list[Thrown](), False
        for seen in self._thrown(inner, event.split()):
            thrown.append((cast(Rollable, self.game.turn.rolls(inner)), seen))
            inner, asked = self._on(self.game.turn.step(inner, seen), rolled=True)
        return inner, asked, thrown

    def _answered(self, inner: Any, event: str) -> tuple[Any, bool, Sequence[Thrown]]:
        turn, asked = self.game.turn, True
        answers: Sequence[str] = [event]
        if isinstance(turn, KeepRoll):
            if event == said(inner[1]):
                return inner, True, ()
            if event.startswith("keep "):
                answers = turn.keep(inner, event.removeprefix("keep "))[1]
        for answer in answers:
            menu = turn.choices(inner)
            inner, asked = self._on(menu[_named(menu, answer)], rolled=False)
        return inner, asked, ()

    def _on(self, then: Any, rolled: bool) -> tuple[Any, bool]:
        then = followed(then)[0]
        if isinstance(then, Ask):
            return then.state, True
        ended = isinstance(then, Outcome)
        return then, rolled and not ended and bool(self.game.turn.choices(then))

    def _thrown(self, inner: Any, words: list[str]) -> Iterator[Any]:
        """The throws, one roll at a time, also if the record gives all dice after the roll."""
        turn = self.game.turn
        if not isinstance(turn, KeepRoll):
            rollable = cast(Rollable, turn.rolls(inner))
            place = _words(rollable).place(" ".join(words))
            if place is None:
                raise NotationError("write the faces of the dice")
            yield list(rollable.law)[place]
            return
        held, faces = inner[1], {said(face): face for face in turn.die.faces}
        if len(words) == turn.count:
            for face in map(said, held):
                if face not in words:
                    raise NotationError(f"{face} was kept but was not rolled")
                words.remove(face)
        if len(words) != turn.count - len(held) or not all(word in faces for word in words):
            many = turn.count - len(held)
            raise NotationError(f"write the faces of the {many} dice that are rolled")
        yield from map(faces.__getitem__, words)


def _named(menu: Mapping[str, Any], event: str) -> str:
    """The option of an event, ignoring spaces."""
    for option in menu:
        if faces_in(option) == event:
            return option
    raise NotationError(f"the options are: {', '.join(menu)[:200]}")


class TurnLog(Log[TurnBook]):
    """A log of games of turns with their rolls, one per line."""

    def __init__(self, book: TurnBook, results: Results, sure: Fraction, listed: int) -> None:
        if "rolls" not in results.columns:
            raise DataError(
                "a log of a game of turns has a column rolls, with what was rolled and done: "
                "1 3 3 5 6; keep 3 3; 3 4 4; keep all; chance"
            )
        super().__init__(book, results, sure, listed)
        self.games = 0
        self.seen: dict[Rollable, Counter[Any]] = {}

    def count(self, places: Sequence[int], bodies: Sequence[bytes]) -> None:
        """Play non-empty lines."""
        self.rows += len(bodies)
        block: dict[Rollable, Counter[Any]] = {}
        for place, body in zip(places, bodies, strict=True):
            fault = self._line(body, block)
            if fault is not None:
                self.faults[KINDS[fault.kind]] += 1
                if self.listed and place < self.last_shown:
                    self.list_first([Disagreement(place, fault.words)])
        for rollable, new in block.items():
            self.seen.setdefault(rollable, Counter()).update(new)
            self.watched.look(_question(rollable), rollable.law, new, places[-1])

    def _line(self, body: bytes, block: dict[Rollable, Counter[Any]]) -> LineFault | None:
        try:
            cells = self.reader.cells(body)
        except DataError as error:
            return LineFault(UNREADABLE, str(error))
        try:
            outcome, thrown = self.book.played(cells["rolls"])
        except DataError as error:
            return LineFault(ROLLS, str(error))
        self.games += 1
        for rollable, face in thrown:
            block.setdefault(rollable, Counter())[face] += 1
        return self.reader.fault(cells, outcome)

    def judged(self, seed: int) -> Judged:
        """The tests of the dice, as one family."""
        checks: dict[str, Check] = {}
        plans: dict[str, Plan] = {}
        for rollable, seen in self.seen.items():
            if len(rollable.law) > 1:
                cells = compare(seen, rollable.law)
                few = cells.n < FEW and min(cells.expected) < LEAST
                check = multinomial_test(cells, seed=seed) if few else chi_square(cells)
                checks[_question(rollable)] = check
                plans[_question(rollable)] = of_faces(rollable.law, cells.n)
        asked = {question: check.p_value for question, check in checks.items()}
        least = missed(plans, asked, self.level)
        return Judged(self.games, family_of(asked), checks, LEFT_OUT, least)


_words = lru_cache(maxsize=64)(RollWords)


@lru_cache(maxsize=64)
def _question(rollable: Rollable) -> str:
    return f"the shares of {rollable}"
