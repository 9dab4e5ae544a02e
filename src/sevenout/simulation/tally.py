"""Tallies: integer counts of simulated games, exact figures from them, and their z-scores.

A tally counts the rolls of each edge and the games of each end, so all its figures are quotients of
integers. `statistics` puts them beside the exact values, with z-scores.

The variance of a counter comes from floats (`variances`). Let m(s) be the mean remaining count from
state s, 0 if settled. A roll that counts c and leads from s to t has the error c + m(t) - m(s),
with mean 0 given the past. So

    variance = E Σ (c + m(t) - m(s))²,

a sum over the expected rolls of each kind without cancellation. It needs no distribution and no
second moment, so it is an independent check of the exact engines.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from math import inf, isfinite, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from sevenout.documents import Column, HasPage, Kind, Page, Table
from sevenout.documents.kinds import SCORE
from sevenout.documents.numbers import count, decimal, exact_figures
from sevenout.errors import SevenoutError, shown
from sevenout.model import Chain
from sevenout.model.naming import state_name
from sevenout.rolling.distribution import sum_by_key, sum_of_tables
from sevenout.rules import Outcome, Pay
from sevenout.rules.outcome import Counts
from sevenout.solving import BetResult
from sevenout.solving.elimination import Elimination

if TYPE_CHECKING:
    from sevenout.solving import Solution

FORMAT, VERSION = "sevenout.tally", 1
MAX_CYCLE_STATES = 2_000
"""The most states in a cycle for exact values within seconds."""
MAX_EXACT_STATES = 100_000
"""The most states in all for exact values."""
ROUNDING = 1e-12
"""A smaller relative error of a roll is rounding."""
LAZILY_EXPLORED = "too large to explore: states discovered as met"


class TallyError(SevenoutError):
    """A tally of another game, or a text that is not a tally."""


class ResultCounts(NamedTuple):
    """The number of games that settled a bet with a profit, with none, with a loss.

    >>> sum(ResultCounts(won=47, pushed=0, lost=53))
    100
    """

    won: int
    pushed: int
    lost: int


@dataclass(frozen=True, kw_only=True)
class BetTally(BetResult):
    """The figures of one bet, per unit staked: those of `BetResult`, with shares as probabilities.

    >>> from sevenout.catalogue import games
    >>> from sevenout.simulation import simulate
    >>> bet = simulate(games["craps"], 100, seed=1).bet()
    >>> bet.won, bet.lost, bet.mean
    (47, 53, Fraction(-3, 50))

    Attributes:
        games: their number.
        won, pushed, lost: the games with a profit, with none, with a loss.
    """

    games: int
    won: int
    pushed: int
    lost: int


@dataclass(frozen=True, eq=False)
class Tally(HasPage):
    """The counts of finished games.

    >>> from sevenout.catalogue import games
    >>> from sevenout.simulation import simulate
    >>> one, other = (simulate(games["craps"], games=500, seed=seed) for seed in (1, 2))
    >>> (one + other).games
    1000

    Tallies of the same game can be added, but not those of the same seed, which are the same games.

    The tally of a game too large to explore has no counts by state: its `chain`, `flow`, `absorbed`
    and `joint` raise a TallyError.

    Attributes:
        chain: of the game.
        games: the number played, all to the end.
        flow: for each edge of the chain, row after row, the number of rolls that took it.
        absorbed: the number of games by (state before the last roll, rolls, outcome); state and
            outcome are indices into the chain's.
    """

    chain: Chain
    games: int
    flow: tuple[int, ...]
    absorbed: Mapping[tuple[int, int, int], int]

    # --- counts ---------------------------------------------------------------------------------

    @cached_property
    def outline(self) -> Chain:
        """The chain; or only its outcomes, bets and counters, if it was too large to explore."""
        return self.chain

    @cached_property
    def ends(self) -> Mapping[tuple[int, int], int]:
        """The number of games by (rolls, outcome)."""
        return sum_by_key(((rolls, k), n) for (_, rolls, k), n in self.absorbed.items())

    @cached_property
    def rolls_by_tag(self) -> Mapping[int, int]:
        """The number of rolls by tag of the chain, which gives their counts."""
        return sum_by_key(zip(self.chain.edge_tags, self.flow, strict=True))

    @cached_property
    def outcomes(self) -> dict[Outcome, int]:
        """The number of games by outcome of the chain."""
        seen = sum_by_key((k, n) for (_, k), n in self.ends.items())
        return {outcome: seen.get(k, 0) for k, outcome in enumerate(self.outline.outcomes)}

    @cached_property
    def labels(self) -> dict[str, int]:
        """The number of games by label."""
        return sum_by_key((outcome.label, n) for outcome, n in self.outcomes.items())

    @cached_property
    def lengths(self) -> dict[int, int]:
        """The histogram of rolls per game."""
        if not self.rolls:  # the game was settled before the first roll; see `rolls`
            return {0: self.games}
        seen = sum_by_key((rolls, n) for (rolls, _), n in self.ends.items())
        return dict(sorted(seen.items()))

    @property
    def longest(self) -> int:
        """The rolls of the longest game."""
        return max(self.lengths, default=0)

    @cached_property
    def rolls(self) -> int:
        """The number of rolls of all games."""
        steps = (
            (n, step) for tag, n in self.rolls_by_tag.items() for step in self.outline.tags[tag]
        )
        # a move whose counts say so is no roll; see `sevenout.model.process.NO_ROLL`
        taken_back = sum(int(k) * n for n, (name, k) in steps if name == "rolls")
        return sum(self.rolls_by_tag.values()) + taken_back

    @property
    def mean_rolls(self) -> Fraction:
        """The mean rolls per game.

        Raises:
            TallyError: no games.
        """
        return self._per_game(self.rolls)

    def _per_game(self, n: int | Fraction) -> Fraction:
        if not self.games:
            raise TallyError("the tally has no games; simulate at least 1")
        return Fraction(n) / self.games

    @cached_property
    def counters(self) -> dict[str, int | Fraction]:
        """The total of each counter of the chain; "rolls" is one of them."""
        total: dict[str, int | Fraction] = dict.fromkeys(self.outline.counters, 0)
        total["rolls"] = self.rolls
        for tag, n in self.rolls_by_tag.items():
            for name, step in self.outline.tags[tag]:
                if name != "rolls":
                    total[name] += step * n
        return total

    @cached_property
    def joint(self) -> dict[tuple[Any, int, str], int]:
        """The number of games by (state before the last roll, rolls, label).

        For a point game this is the joint table of point, length and result.
        """
        states, ends = self.chain.states, self.chain.outcomes
        return sum_by_key(
            ((states[state], rolls, ends[outcome].label), n)
            for (state, rolls, outcome), n in self.absorbed.items()
        )

    def bet(self, name: str | None = None) -> BetTally:
        """The figures of a bet per unit staked; `name` may be left out if there is only one.

        Raises:
            RulesError: an unknown bet, or several bets and no name.
            TallyError: no games.
        """
        name = self.outline.bet_named(name)
        pays = self._pays(name)
        rolls = self.counters[self.outline.rolls_until(name)]
        return BetTally(
            name,
            self.outline.stake(name),
            {pay: self._per_game(n) for pay, n in pays.items()},
            self._per_game(rolls),
            games=self.games,
            **_result_counts(pays)._asdict(),
        )

    def result_counts(self, bet: str | None = None, rolls: int | None = None) -> ResultCounts:
        """The number of games in which a bet won, pushed and lost.

        Args:
            bet: by default the only one.
            rolls: only games of this many rolls (1: on the come-out).

        Raises:
            RulesError: an unknown bet, or several bets and no name.
        """
        return _result_counts(self._pays(self.outline.bet_named(bet), rolls))

    def _pays(self, bet: str, rolls: int | None = None) -> dict[Pay, int]:
        counted = self.ends.items()
        seen = sum_by_key((k, n) for (length, k), n in counted if rolls in (None, length))
        return sum_by_key((self.outline.outcomes[k].pay(bet), seen[k]) for k in sorted(seen))

    # --- algebra --------------------------------------------------------------------------------

    def __add__(self, other: "Tally") -> "Tally":
        if not isinstance(other, Tally):
            return NotImplemented
        self.must_be_of(other.identity)
        return self.plus(other)

    def must_be_of(self, game: str) -> None:
        """Refuse the identity of another game.

        Raises:
            TallyError: the tally is not of this game.
        """
        if self.identity != game:
            raise TallyError(
                f"a tally of the game {self.identity[:12]}, not of {game[:12]}; give figures of "
                "the same game"
            )

    def plus(self, other: "Tally") -> "Tally":
        """The sum with a tally known to be of the same chain."""
        absorbed = sum_of_tables(self.absorbed, other.absorbed)
        flow = tuple([a + b for a, b in zip(self.flow, other.flow, strict=True)])
        return Tally(self.chain, self.games + other.games, flow, absorbed)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        return (
            self.games == other.games
            and self.flow == other.flow
            and dict(self.absorbed) == dict(other.absorbed)
            and self.identity == other.identity
        )

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def identity(self) -> str:
        """A hash of the outcomes and edges of the game, in order; 64 hex digits."""
        return identity(self.chain)

    # --- text and data --------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Data for JSON; `from_dict` reads it back."""
        return {
            **self.figures(),
            "flow": list(self.flow),
            "absorbed": [[*key, n] for key, n in sorted(self.absorbed.items())],
        }

    def figures(self) -> dict[str, Any]:
        """Data for JSON: what the tally is of, and its totals."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "game": self.identity,
            "games": self.games,
            "rolls": self.rolls,
            "longest": self.longest,
            "labels": self.labels,
            "counters": {
                name: n if isinstance(n, int) else str(n) for name, n in self.counters.items()
            },
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], chain: Chain) -> "Tally":
        """The tally that `to_dict` wrote, for the same game.

        Raises:
            TallyError: the data are of another game, inconsistent, or not a tally.
        """
        if not isinstance(data, Mapping):
            raise TallyError(f"{shown(data)} is not a tally; give what `to_dict` wrote")
        if data.get("format") != FORMAT or data.get("version") != VERSION:
            raise TallyError(
                f"{shown(data.get('format'))}, version {shown(data.get('version'))}, is not "
                f"{FORMAT!r}, version {VERSION}"
            )
        if data.get("game") != identity(chain):
            raise TallyError(
                f"a tally of the game {shown(data.get('game'), 20)}, not of "
                f"{shown(identity(chain), 20)}"
            )
        try:
            absorbed = {(s, t, k): n for s, t, k, n in data["absorbed"]}
            games, flow = data["games"], tuple(data["flow"])
        except (KeyError, TypeError, ValueError):
            raise TallyError("the tally is damaged: a count is missing") from None
        if not are_counts(
            games, *flow, *absorbed.values(), *(i for cell in absorbed for i in cell)
        ):
            raise TallyError("the tally is damaged: a count is not a whole number")
        tally = cls(chain, games, flow, absorbed)
        if not tally._adds_up():
            raise TallyError("the tally is damaged: its counts do not add up")
        return tally

    def _adds_up(self) -> bool:
        """Whether the counts of the rolls agree with those of the games."""
        n, rows = len(self.chain.states), self.chain.rows
        edges = [(s, edge.target - n) for s, row in enumerate(rows) for edge in row]
        if len(self.flow) != len(edges):
            return False
        rolls_to_end = [(edge, k) for edge, k in zip(edges, self.flow, strict=True) if edge[1] >= 0]
        ended = [((s, outcome), -games) for (s, _, outcome), games in self.absorbed.items()]
        return (
            not any(sum_by_key([*rolls_to_end, *ended]).values())
            and sum(self.absorbed.values()) == self.games
            and sum(t * games for (_, t, _), games in self.absorbed.items()) == self.rolls
        )

    def page(self, solution: "Solution | None" = None, bet: str | None = None) -> Page:
        """The statistics; with exact values and z-scores, if a solution is given."""
        lines = statistics(self, solution, bet)
        number = Kind("seen", _seen)
        columns = ["statistic", Column("seen", number)]
        if solution is None:
            is_met = self.outline.explored_count < len(self.outline.states)
            seen = [(line.name, line.seen) for line in lines]
            return Page("", Table(columns, seen, caption=LAZILY_EXPLORED if is_met else ""))
        columns += [Column("exact", number), Column("z", SCORE)]
        rows = [(line.name, line.seen, _or_blank(line.exact), _or_blank(line.z)) for line in lines]
        return Page("", Table(columns, rows))

    def __repr__(self) -> str:
        return f"<Tally of {self.games:,} games and {self.rolls:,} rolls>"


def _result_counts(pays: Mapping[Pay, int]) -> ResultCounts:
    """The games won, pushed and lost, from the number of each payment."""
    return ResultCounts(
        won=sum(n for pay, n in pays.items() if pay.profit > 0),
        pushed=sum(n for pay, n in pays.items() if pay.profit == 0),
        lost=sum(n for pay, n in pays.items() if pay.profit < 0),
    )


def are_counts(*values: Any) -> bool:
    """Whether these are whole numbers from 0 on, as read from a file.

    >>> are_counts(0, 7), are_counts(True), are_counts(-1), are_counts("7")
    (True, False, False, False)
    """
    # not isinstance: true in JSON is a bool, which is an int
    return all(type(n) is int and n >= 0 for n in values)


def identity(chain: Chain) -> str:
    """A hash of what a tally's indices mean: the outcomes and the edges of each state, in order.

    >>> from sevenout.model import explore
    >>> from sevenout.rules import PointGame
    >>> short = explore(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7))
    >>> identity(short) == identity(explore(PointGame(naturals=[7], craps=[2, 3, 12], out=7)))
    False
    """
    digest = sha256()
    for part in (*chain.outcomes, *chain.rows):
        digest.update(repr(part).encode())
        digest.update(b"\n")
    return digest.hexdigest()


# --- statistics -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Statistic:
    """One line of the page.

    Attributes:
        name: as printed.
        seen: the count, or the exact quotient of counts.
        exact: the true value, if known.
        z: the z-score of the count, if known.
    """

    name: str
    seen: Fraction | int
    exact: Fraction | None = None
    z: float | None = None


def statistics(
    tally: Tally, solution: "Solution | None" = None, bet: str | None = None
) -> list[Statistic]:
    """The statistics of a tally.

    >>> from sevenout.solving import solve
    >>> from sevenout.rules import PointGame
    >>> from sevenout.simulation.run import simulate
    >>> craps = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    >>> page = statistics(simulate(craps, games=10_000, seed=1), solve(craps))
    >>> [(line.name, line.exact) for line in page][:3]
    [('games', None), ('wins', None), ('probability of winning', Fraction(244, 495))]

    Args:
        tally: the counts.
        solution: the exact solution of the same game.
        bet: by default all bets.

    Raises:
        TallyError: the solution is of another game.
    """
    if solution is not None and solution.chain is not tally.chain:
        tally.must_be_of(identity(solution.chain))
    lines = [Statistic("games", tally.games)]
    if not tally.games:  # interrupted before the first batch: there is nothing to divide by
        return lines
    bets = tally.outline.bets if bet is None else (bet,)
    for name in bets:
        prefix = "" if len(bets) == 1 else f"{name}: "
        lines += _bet_statistics(tally, name, prefix, solution)
    spreads = {} if solution is None else variances(tally.chain)

    def counted(counter: str, name: str) -> Statistic:
        mean = None if solution is None else solution.mean(counter)
        seen = tally._per_game(tally.counters[counter])
        return _average(name, seen, tally.games, mean, spreads.get(counter))

    lines += [
        Statistic("rolls", tally.rolls),
        counted("rolls", "average rolls per game"),
        Statistic("longest game, in rolls", tally.longest),
    ]
    if len(tally.labels) > 1:
        for label, n in tally.labels.items():
            p = None if solution is None else solution.labels[label]
            lines.append(_proportion(label, n, tally, p))
    lines += [counted(counter, f"average {counter}") for counter in tally.outline.counters[1:]]
    return lines


def statistics_data(
    tally: Tally, solution: "Solution | None" = None, bet: str | None = None
) -> list[dict[str, Any]]:
    """The statistics as data for JSON: counts are numbers, exact fractions are texts."""
    return [
        {
            "name": line.name,
            "seen": line.seen if isinstance(line.seen, int) else str(line.seen),
            **exact_figures(line, "exact"),
            "z": line.z,
        }
        for line in statistics(tally, solution, bet)
    ]


def has_exact_values(chain: Chain) -> bool:
    """Whether the exact values of a game are quick to compute.

    >>> from sevenout.model import explore
    >>> from sevenout.rules import PointGame
    >>> has_exact_values(explore(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)))
    True
    """
    if chain.explored_count < len(chain.states):  # explored as met: some rolls lead nowhere yet
        return False
    longest_cycle = max(map(len, chain.components))
    return len(chain.states) <= MAX_EXACT_STATES and longest_cycle <= MAX_CYCLE_STATES


def _bet_statistics(
    tally: Tally, name: str, prefix: str, solution: "Solution | None"
) -> list[Statistic]:
    """The statistics of a bet; those of its first roll if that tells something."""
    bet_tally, first = tally.bet(name), tally.result_counts(name, rolls=1)
    exact = None if solution is None else solution.bet(name)

    def chance(event: str, n: int, p: Fraction | None) -> Statistic:
        return _proportion(f"{prefix}probability of {event}", n, tally, p)

    lines = [
        Statistic(f"{prefix}wins", bet_tally.won),
        chance("winning", bet_tally.won, None if exact is None else exact.p_win),
    ]
    if bet_tally.pushed or (exact is not None and exact.p_push):
        lines.append(chance("a push", bet_tally.pushed, None if exact is None else exact.p_push))
    has_come_out = "come-out" in state_name(tally.outline.states[0])
    # of a game of one roll, or of many, the first roll tells nothing
    has_first_roll = has_come_out or 0 < sum(first) < tally.games
    # a bet settled before the others at its table has rolls of its own: no game is its first roll
    if has_first_roll and f"rolls of {name}" not in tally.outline.counters:
        roll = "come-out" if has_come_out else "first roll"
        for noun, verb, n, wins in (
            ("wins", "winning", first.won, True),
            ("losses", "losing", first.lost, False),
        ):
            p = None if solution is None else _first_roll_chance(tally, name, wins)
            lines.append(Statistic(f"{prefix}{noun} on the {roll}", n))
            lines.append(chance(f"{verb} on the {roll}", n, p))
    mean, variance = (None, None) if exact is None else (exact.mean, exact.variance)
    name = f"{prefix}average profit{'' if bet_tally.stake == 1 else ' per unit staked'}"
    return [*lines, _average(name, bet_tally.mean, tally.games, mean, variance)]


def _first_roll_chance(tally: Tally, bet: str, wins: bool) -> Fraction:
    """The exact probability that a bet wins, or loses, with the first roll."""
    chain = tally.chain
    settled = ((e.weight, e.target - len(chain.states)) for e in chain.rows[0])
    profits = ((w, chain.outcomes[k].profit(bet)) for w, k in settled if k >= 0)
    hits = sum(w for w, profit in profits if (profit > 0 if wins else profit < 0))
    return Fraction(hits, chain.denominator)


def _proportion(name: str, n: int, tally: Tally, p: Fraction | None) -> Statistic:
    return _average(name, Fraction(n, tally.games), tally.games, p, p and p * (1 - p))


def _average(
    name: str,
    seen: Fraction,
    games: int,
    mean: Fraction | None,
    variance: Fraction | float | None,
) -> Statistic:
    """An average, with its z-score if the mean and the variance are known."""
    z = None
    if mean is not None and variance and isfinite(variance):  # no z-score of what never varies
        z = float(seen - mean) / sqrt(variance / games)
    return Statistic(name, seen, mean, z)


def _seen(x: Fraction | int) -> str:
    """A count, or a share of counts."""
    return count(x) if isinstance(x, int) else decimal(x, 7)


def _or_blank(x: Fraction | float | None) -> Fraction | float | str:
    return "" if x is None else x


# --- variances ------------------------------------------------------------------------------------


def variances(chain: Chain) -> dict[str, float]:
    """The variance of each counter per game; infinity if it exceeds the floats.

    >>> from sevenout.model import explore
    >>> from sevenout.rules import PointGame
    >>> craps = explore(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7))
    >>> abs(variances(craps)["rolls"] - 245672 / 27225) < 1e-12
    True
    """
    whole = chain.denominator
    rows = [{t: w / whole for t, w in row.items()} for row in chain.weights]
    solver = Elimination(rows, 1.0, chain.components)
    visits = solver.visits({0: 1.0})
    ends = [0.0] * len(chain.outcomes)
    variance_of = {}
    for counter in chain.counters:
        edges = [
            [(e.weight / whole, e.target, _increment(e.counts, counter)) for e in row]
            for row in chain.rows
        ]
        left = solver.values([sum(p * step for p, _, step in row) for row in edges], ends) + ends
        variance = 0.0
        for s, row in enumerate(edges):
            if visits[s]:
                errors = (p * _squared_error(step, left[to], left[s]) for p, to, step in row)
                variance += visits[s] * sum(errors)
        variance_of[counter] = float(variance)
    return variance_of


def _squared_error(step: float, after: float, before: float) -> float:
    """The square of a roll's error; 0 within rounding."""
    miss = step + after - before
    # rounding of a large mean would pass for variance: some counters never vary
    return miss * miss if abs(miss) > ROUNDING * (abs(step) + abs(after) + abs(before)) else 0.0


def _increment(counts: Counts, counter: str) -> float:
    """By how much an edge advances a counter; infinite if that exceeds the floats."""
    if counter == "rolls":
        return 1.0
    step = sum(n for name, n in counts if name == counter)
    try:
        return float(step)
    except OverflowError:
        return inf if step > 0 else -inf
