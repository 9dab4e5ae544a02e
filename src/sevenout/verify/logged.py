"""A log that streams by: its lines understood once, counted by blocks, and judged at the end."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from sevenout.chain import Chain
from sevenout.errors import printable
from sevenout.exact import Solution, solve
from sevenout.simulate.tally import Tally
from sevenout.verify.agreement import confirm, questions
from sevenout.verify.book import Book, Move
from sevenout.verify.cells import LEAST, Check, DataError, compare
from sevenout.verify.counted import Dice, Played, Watched
from sevenout.verify.fit import chi_square, multinomial_test
from sevenout.verify.lines import KINDS, MISSING, ORDER, UNREADABLE, Fault, Reader
from sevenout.verify.multiple import holm
from sevenout.verify.recordfile import Results

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[Any]

KNOWN = 200_000
"""So many different lines are kept in mind."""
QUOTES = b' "\t'
"""What may stand around the number of a game."""
FEW = 2_000
"""Of fewer games than this, outcomes that are seldom expected are tested exactly."""


class Disagreement(NamedTuple):
    """A line that says otherwise than the rules.

    Attributes:
        line: its number in the file; of something that is missing, of the line that follows.
        words: what it says, and what it should.
    """

    line: int
    words: str


class Judged(NamedTuple):
    """What all lines say together; see `Conformity`."""

    games: int
    family: Mapping[str, float]
    checks: Mapping[str, Check]
    left_out: str


class GameLog:
    """A log of games, a line each."""

    def __init__(self, book: Book, results: Results, sure: Fraction, listed: int) -> None:
        self.book, self.results, self.listed = book, results, listed
        columns = results.columns[1:] if results.numbered else results.columns
        self.reader = Reader(book, columns)
        self.codes: dict[bytes, int] = {}
        self.faulty: dict[int, Fault] = {}
        self.dice, self.played = Dice(book), Played(book)
        self.watched = Watched((1 + sure) / 2)
        self.faults = dict.fromkeys(KINDS, 0)
        self.shown: list[Disagreement] = []
        self.rows = 0
        self.last: int | None = None
        self.misnumbered: list[Disagreement] = []
        body = book.body
        self.solution: Solution | None = solve(body) if isinstance(body, Chain) else None

    # --- line by line ---------------------------------------------------------------------------

    def block(self, first: int, lines: list[bytes]) -> None:
        """Count the lines of a block; `first` is the number of its first."""
        self.misnumbered = []
        bodies = list(self._unnumbered(first, lines)) if self.results.numbered else lines
        codes, end = self.count(first, bodies)
        self.shown = sorted([*self.shown, *self.misnumbered])[: self.listed]
        if end:
            lines_, times = _times(codes, len(self.codes))
            self.look("the outcomes", self.played.count(lines_, times), end)

    def learn(self, body: bytes) -> None:
        """Understand a line that was not met before."""
        code = len(self.codes)
        self.codes[body] = code
        line = self.reader.read(body)
        if line.fault is not None:
            self.faulty[code] = line.fault
        self.dice.add(line.rolls, line.told.moves if line.told else ())
        self.played.add(line)

    def forget(self) -> None:
        """Forget the lines, and keep what was counted."""
        self.codes.clear()
        self.faulty.clear()
        self.dice.forget()
        self.played.forget()

    def count(self, first: int, bodies: list[bytes]) -> "tuple[Ints, int]":
        """Count the dice of a block; the lines by their codes, and the number of the last."""
        import numpy as np

        if len(self.codes) > KNOWN:
            self.forget()
        for body in sorted(set(bodies) - self.codes.keys()):
            if body.strip():
                self.learn(body)
        every = np.fromiter((self.codes.get(body, -1) for body in bodies), np.int64, len(bodies))
        some = np.nonzero(every >= 0)[0]
        codes, places = every[some], some + first
        self.rows += len(codes)
        if not len(codes):
            return codes, 0
        lines, times = _times(codes, len(self.codes))
        self._disagree(places, codes, lines, times)
        end = int(places[-1])
        for stream in self.dice.streams:
            news = stream.count(codes, lines, times)
            for series, new in zip(stream.series, news, strict=True):
                counts = dict(zip(series.faces, map(int, new), strict=True))
                self.watched.look(f"the shares of {series.name}", series.law, counts, end)
        return codes, end

    def look(self, name: str, new: Mapping[str, int], end: int) -> None:
        """Look at the outcomes of a block."""
        if self.solution is not None and not self.solution.bound:
            self.watched.look(name, self.solution.labels, new, end)

    def _unnumbered(self, first: int, lines: list[bytes]) -> Iterator[bytes]:
        """The lines without their numbers, which follow one another."""
        for number, line in enumerate(lines, first):
            name, _, body = line.partition(b",")
            yield body
            name = name.strip(QUOTES)
            game = int(name) if name.isdigit() and len(name) < 19 else -1
            if game >= 0 and (self.last is None or game == self.last + 1):
                self.last = game
            elif line.strip():
                self._out_of_order(number, name, game, game if self.last is None else self.last)

    def _out_of_order(self, number: int, name: bytes, game: int, last: int) -> None:
        if game < 0:
            text = printable(name.decode(errors="replace"), 30)
            fault = Fault(UNREADABLE, f"{text} is no number of a game")
        elif game > last:
            one = game == last + 2
            gap = f"game {last + 1:,} is" if one else f"games {last + 1:,} to {game - 1:,} are"
            fault = Fault(MISSING, f"{gap} missing: {last:,} is followed by {game:,}")
            self.last = game
        else:
            fault = Fault(ORDER, f"game {game:,} comes after game {last:,}")
        self.faults[KINDS[fault.kind]] += max(1, game - last - 1) if game > last else 1
        if len(self.misnumbered) < self.listed:
            self.misnumbered.append(Disagreement(number, fault.words))

    def _disagree(self, places: "Ints", codes: "Ints", lines: "Ints", times: "Ints") -> None:
        """Count the lines of a block that disagree, and list the first."""
        import numpy as np

        bad = [(int(c), int(n)) for c, n in zip(lines, times, strict=True) if c in self.faulty]
        for code, many in bad:
            self.faults[KINDS[self.faulty[code].kind]] += many
        room = self.listed - len(self.shown)
        if bad and room > 0:
            for at in np.nonzero(np.isin(codes, [code for code, _ in bad]))[0][:room]:
                words = self.faulty[int(codes[at])].words
                self.shown.append(Disagreement(int(places[at]), words))

    # --- as a whole -----------------------------------------------------------------------------

    def judged(self, seed: int) -> Judged:
        """The tests over all that was counted, as one family."""
        checks: dict[str, Check] = {}
        for stream in self.dice.streams:
            checks |= dict(stream.checks(seed))
        asked = {question: check.p_value for question, check in checks.items()}
        tally, labels, left_out = self.tally(), self.labels, ""
        games: int = sum(labels.values())
        if self.book.asks:
            left_out = (
                "How often the game ends in which way depends on what the players choose, and was "
                "not tested; their dice were."
            )
        elif tally is not None and self.solution is not None:
            found = confirm(tally, self.solution)
            asked |= dict(questions(found.outcomes, found.wins, found.mean_rolls, found.fits))
            checks["the mean rolls"] = found.mean_rolls
            checks["the outcomes"], checks["the lengths"] = found.fits[0], found.fits[2]
        elif self.solution is not None and games:
            cells = compare(labels, self.solution.labels)
            few = cells.n < FEW and min(cells.expected) < LEAST
            check = multinomial_test(cells, seed=seed) if few else chi_square(cells)
            checks["the outcomes"] = check
            asked["the outcomes"] = check.p_value
        family = dict(zip(asked, holm(list(asked.values())), strict=True))
        return Judged(games, family, checks, left_out)

    def tally(self) -> Tally | None:
        """The games as a tally, where their rolls are known."""
        return self.played.tally()

    @property
    def labels(self) -> dict[str, int]:
        """How many games ended with each label."""
        return self.played.labels


class RollLog(GameLog):
    """A log of rolls alone, from a table or an electronic shaker, a line each.

    They are played through the rules as they come; the last game, if unfinished, is in no count. A
    line that can't be read leaves the game it was in without an end.
    """

    def __init__(self, book: Book, results: Results, sure: Fraction, listed: int) -> None:
        super().__init__(book, results, sure, listed)
        if len(book.body.rollables) > 1:
            raise DataError(
                "the game does not roll the same dice throughout; give a log of games, with a "
                "column rolls"
            )
        self.place: list[int] = []
        self.state = 0
        self.taken: list[int] = []
        self.flow = [0] * (1 + max(map(max, self.played.edges), default=-1))
        self.absorbed: dict[tuple[int, int, int], int] = {}

    def learn(self, body: bytes) -> None:
        """Understand a roll that was not met before."""
        code = len(self.codes)
        self.codes[body] = code
        words = body.decode(errors="replace")
        try:
            place = self.book.place(self.book.first, words)
        except DataError as error:
            self.faulty[code] = Fault(UNREADABLE, str(error).removeprefix("event 1 is "))
            self.place.append(-1)
            self.dice.add("", ())
        else:
            self.place.append(place)
            self.dice.add(words, (Move(self.book.first, place),))

    def forget(self) -> None:
        """Forget the lines, and keep what was counted."""
        super().forget()
        self.place.clear()

    def block(self, first: int, lines: list[bytes]) -> None:
        """Count the rolls of a block, and play them."""
        codes, end = self.count(first, lines)
        if not end or self.book.asks:
            return
        before = self.labels
        to, edges, flow, place = self.book.to, self.played.edges, self.flow, self.place
        state, taken, n = self.state, self.taken, len(to)
        for code in codes.tolist():
            at = place[code]
            if at < 0:
                state = 0
                taken.clear()
                continue
            taken.append(edges[state][at])
            then = to[state][at]
            if then < n:
                state = then
                continue
            key = state, len(taken), then - n
            self.absorbed[key] = self.absorbed.get(key, 0) + 1
            for edge in taken:
                flow[edge] += 1
            state = 0
            taken.clear()
        self.state = state
        self.look("the outcomes", {k: m - before[k] for k, m in self.labels.items()}, end)

    def tally(self) -> Tally | None:
        """The games as a tally. The rolls of a game without an end are not in its flow."""
        body = self.book.body
        if not self.absorbed or not isinstance(body, Chain):
            return None
        return Tally(body, sum(self.absorbed.values()), tuple(self.flow), self.absorbed)

    @property
    def labels(self) -> dict[str, int]:
        """How many games ended with each label."""
        seen = {outcome.label: 0 for outcome in self.book.outcomes}
        for (_, _, k), many in self.absorbed.items():
            seen[self.book.outcomes[k].label] += many
        return seen


def _times(codes: "Ints", size: int) -> "tuple[Ints, Ints]":
    """The different codes, and how often each comes."""
    import numpy as np

    times = np.bincount(codes, minlength=size)
    lines = np.nonzero(times)[0]
    return lines, times[lines]
