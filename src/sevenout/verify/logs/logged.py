"""Streamed logs: lines are played through the rules in blocks, counted, and tested at the end."""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sevenout.model import Chain
from sevenout.simulation.tally import Tally
from sevenout.solving import Solution, solve
from sevenout.verify.agreement import confirm, questions, rolls_variance
from sevenout.verify.conformance.recordfile import Results
from sevenout.verify.conformance.result_lines import (
    KINDS,
    UNREADABLE,
    ResultLine,
)
from sevenout.verify.dicetests.detectable import Plan, missed, of_cells
from sevenout.verify.dicetests.fit import chi_square, multinomial_test
from sevenout.verify.dicetests.multiple import family_of
from sevenout.verify.dicetests.observed_counts import LEAST, Check, DataError, compare
from sevenout.verify.logs.book import Book
from sevenout.verify.logs.log_lines import FEW, KNOWN, LEFT_OUT, Disagreement, Judged, Log, halves
from sevenout.verify.logs.moves import EDGE, NEVER, NODE, PLACE, TO, Codes, Games, Moves

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[Any]


class GameLog(Log[Book]):
    """A log of games, one per line.

    Attributes:
        flow: the number of times each edge was taken.
        absorbed: the number of games by state, number of rolls, and outcome.
        labels: the number of games by label of their end.
    """

    def __init__(self, book: Book, results: Results, sure: Fraction, listed: int) -> None:
        import numpy as np

        super().__init__(book, results, sure, listed)
        self.rests, self.lines = Codes(), dict[int, ResultLine]()
        self.moves = Moves(book)
        self.flow = np.zeros(1 + max(map(max, self.moves.edges), default=-1), np.int64)
        self.absorbed: Counter[tuple[int, int, int]] = Counter()
        self.labels = {outcome.label: 0 for outcome in book.endings}
        body = book.body
        self.solution: Solution | None = solve(body) if isinstance(body, Chain) else None

    def forget(self) -> None:
        """Free memory above the limit; counts stay."""
        if len(self.moves) > KNOWN:
            self.moves.forget()
        if len(self.rests.all) + len(self.lines) > KNOWN:
            self.rests = Codes()
            self.lines.clear()

    def count(self, places: Sequence[int], bodies: Sequence[bytes]) -> None:
        """Count non-empty lines."""
        import numpy as np

        self.forget()
        self.rows += len(bodies)
        rolled = "rolls" in self.reader.columns
        rolls, rests = self._split(bodies) if rolled else ((), bodies)
        games = self.moves.played(rolls) if rolled else None
        codes = self.rests.of(rests)
        told = np.zeros(len(bodies), bool)
        came = dict.fromkeys(self.labels, 0)
        for line, at in self._lines(bodies, codes, games):
            told[at] = line.told
            if line.outcome is not None:
                came[line.outcome.label] += len(at)
            if line.fault is not None:
                self.faults[KINDS[line.fault.kind]] += len(at)
                words, some = line.fault.words, at[: self.listed].tolist()
                if self.listed and places[some[0]] < self.last_shown:
                    self.list_first(Disagreement(places[k], words) for k in some)
        if games is not None:
            self._played(games, told, places[-1])
        for label, many in came.items():
            self.labels[label] += many
        self.look("the outcomes", came, places[-1])

    def _split(self, bodies: Sequence[bytes]) -> tuple[Sequence[bytes], Sequence[Hashable]]:
        """The rolls of each line, and the rest of it."""
        if self.reader.columns[0] == "rolls" and all(b"," in body for body in bodies):
            rolls, rests = halves(bodies)
            if not {*b"\"'"} & {*b"".join(rolls)}:  # quoted, or guarded against a spreadsheet
                return rolls, rests
        pairs = [self._apart(body) for body in bodies]
        return [rolls for rolls, _ in pairs], [rest for _, rest in pairs]

    def _apart(self, body: bytes) -> tuple[bytes, Hashable]:
        try:
            cells = self.reader.cells(body)
        except DataError:
            return b"", body
        return cells.pop("rolls").encode(), tuple(cells.values())

    def _lines(
        self, bodies: Sequence[bytes], codes: "Ints", games: Games | None
    ) -> "Iterator[tuple[ResultLine, Ints]]":
        """Each distinct line apart from its rolls, with its places."""
        import numpy as np

        ends = 2 * len(self.book.outcomes)
        if games is not None:
            alone = (games.ended < 0) | bool(self.reader.counters)  # counters need every event
            codes = np.where(alone, -1, codes * ends + 2 * games.ended + games.seats)
        keys, begin = np.unique(codes[order := np.argsort(codes, kind="stable")], return_index=True)
        for key, at in zip(keys.tolist(), np.split(order, begin[1:]), strict=True):
            if key < 0:
                yield from ((self.reader.read(bodies[k]), at[i : i + 1]) for i, k in enumerate(at))
                continue
            if key not in self.lines:
                ended = None if games is None else divmod(key % ends, 2)
                self.lines[key] = self.reader.read(bodies[at[0]], ended)
            yield self.lines[key], at

    def _played(self, games: Games, told: "Ints", end: int) -> None:
        """Count the throws, edges and ends of games."""
        import numpy as np

        moves = games.moves[np.repeat(told, games.many)]
        self.thrown(moves, end)
        if self.book.asks:
            return
        self.flow += np.bincount(self.moves.what(EDGE, moves), minlength=len(self.flow))
        last, many = games.moves[np.cumsum(games.many) - 1][told], games.many[told]
        size = 1 + int(many.max(initial=0))
        keys, times = np.unique(last * size + many, return_counts=True)
        nodes, outcomes = self.moves.what(NODE, keys // size), self.moves.what(TO, keys // size)
        n = len(self.book.to)
        for node, key, to, some in zip(nodes, keys, outcomes, times, strict=True):
            self.absorbed[int(node), int(key % size), int(to) - n] += int(some)

    def thrown(self, moves: "Ints", end: int) -> None:
        """Count throws and add them to each die's test; `end` is the number of the last line."""
        for stream, news in self.moves.count(moves):
            for series, new in zip(stream.series, news, strict=True):
                counts = dict(zip(series.faces, map(int, new), strict=True))
                self.watched.look(f"the shares of {series.name}", series.law, counts, end)

    def look(self, name: str, new: Mapping[str, int], end: int) -> None:
        """Add the outcomes of a block to their anytime-valid test."""
        if self.solution is not None and not self.solution.bound:
            self.watched.look(name, self.solution.labels, new, end)

    # --- all lines ------------------------------------------------------------------------------

    def judged(self, seed: int) -> Judged:
        """The tests over all counts, as one family."""
        checks: dict[str, Check] = {}
        plans: dict[str, Plan] = {}
        for stream in self.moves.streams:
            checks |= dict(stream.checks(seed))
            plans |= dict(stream.plans())
        asked = {question: check.p_value for question, check in checks.items()}
        tally, labels, left_out = self.tally(), self.labels, ""
        games: int = sum(labels.values())
        if self.book.asks:
            left_out = LEFT_OUT
        elif tally is not None and self.solution is not None:
            found = confirm(tally, self.solution)
            asked |= dict(questions(found.outcomes, found.wins, found.mean_rolls, found.fits))
            plans |= found.plans(rolls_variance(tally, self.solution))
            checks["the mean rolls"] = found.mean_rolls
            checks["the outcomes"], checks["the lengths"] = found.fits[0], found.fits[2]
        elif self.solution is not None and games:
            cells = compare(labels, self.solution.labels)
            few = cells.n < FEW and min(cells.expected) < LEAST
            check = multinomial_test(cells, seed=seed) if few else chi_square(cells)
            checks["the outcomes"] = check
            plans["the outcomes"] = of_cells(len(cells.outcomes) - 1, games)
            asked["the outcomes"] = check.p_value
        return Judged(games, family_of(asked), checks, left_out, missed(plans, asked, self.level))

    def tally(self) -> Tally | None:
        """The games as a tally; None without rolls, or with decisions."""
        body = self.book.body
        if not self.absorbed or not isinstance(body, Chain):
            return None
        return Tally(body, self.absorbed.total(), tuple(map(int, self.flow)), dict(self.absorbed))


class RollLog(GameLog):
    """A log of rolls alone, from a table or an electronic shaker, one per line.

    They are played through the rules in order; an unfinished last game is not counted. An
    unreadable line ends its game without an outcome.
    """

    def __init__(self, book: Book, results: Results, sure: Fraction, listed: int) -> None:
        super().__init__(book, results, sure, listed)
        if len({rollable.sources for rollable in book.body.rollables}) > 1:
            raise DataError(
                "the game does not roll the same dice throughout; give a log of games, with a "
                "column rolls"
            )
        self.readings = [book.rolled.index(k) for k in range(len(book.body.rollables))]
        self.state = 0
        self.taken: list[int] = []

    def block(self, first: int, lines: list[bytes]) -> None:
        """Count and play the rolls of a block."""
        import numpy as np

        self.forget()
        events = self.moves.events.of(lines)
        read = np.array([self.moves.at(node, events) for node in self.readings])
        moves = read[self.book.rolled[self.book.first]]
        wrong = [int(k) for k in np.nonzero((read == NEVER).any(axis=0))[0]]
        blank = [k for k in wrong if not lines[k].strip()]
        faulty = [k for k in wrong if lines[k].strip()]
        self.faults[KINDS[UNREADABLE]] += len(faulty)
        self.list_first(
            Disagreement(first + k, self.moves.why(lines[k])) for k in faulty[: self.listed]
        )
        end = first + len(lines) - 1
        self.rows += len(moves) - len(blank)
        self.thrown(np.delete(moves, wrong), end)
        if not self.book.asks:
            places = self.moves.what(PLACE, read)
            places[:, faulty] = -1
            self._play(np.delete(places, blank, axis=1).T.tolist(), end)

    def _play(self, places: list[list[int]], end: int) -> None:
        """Play rolls, by their places in each reading's distribution; one below 0 ends the game."""
        import numpy as np

        before = self.labels
        to, edges, n = self.book.to, self.moves.edges, len(self.book.to)
        rolled = self.book.rolled
        state, taken, done = self.state, self.taken, list[int]()
        for row in places:
            place = row[rolled[state]]
            if place < 0:
                state = 0
                taken.clear()
                continue
            taken.append(edges[state][place])
            then = to[state][place]
            if then < n:
                state = then
                continue
            self.absorbed[state, len(taken), then - n] += 1
            done += taken
            state = 0
            taken.clear()
        self.state = state
        self.flow += np.bincount(np.array(done, np.int64), minlength=len(self.flow))
        self.labels = dict.fromkeys(before, 0)
        for (_, _, k), many in self.absorbed.items():
            self.labels[self.book.outcomes[k].label] += many
        self.look("the outcomes", {k: m - before[k] for k, m in self.labels.items()}, end)
