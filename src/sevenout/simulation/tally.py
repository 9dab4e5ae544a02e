"""Integer counts of simulated games, and exact figures from them."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from sevenout.documents import Page, Shown
from sevenout.errors import SevenoutError, shown
from sevenout.model import Chain
from sevenout.rolling.distribution import summed
from sevenout.rules import Outcome, Pay
from sevenout.simulation import statistics
from sevenout.solving import BetResult

if TYPE_CHECKING:
    from sevenout.solving import Solution

FORMAT, VERSION = "sevenout.tally", 1


class TallyError(SevenoutError):
    """A tally of another game, or a text that is not a tally."""


class Ended(NamedTuple):
    """The number of games that settled a bet with a profit, with none, with a loss.

    >>> sum(Ended(won=47, pushed=0, lost=53))
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
    """

    games: int
    won: int
    pushed: int
    lost: int


@dataclass(frozen=True, eq=False)
class Tally(Shown):
    """The counts of finished games.

    >>> from sevenout.catalogue import games
    >>> from sevenout.simulation import simulate
    >>> one, other = (simulate(games["craps"], games=500, seed=seed) for seed in (1, 2))
    >>> (one + other).games
    1000

    Tallies of the same game can be added, but not those of the same seed, which are the same games.

    Attributes:
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
    def about(self) -> Chain:
        """The chain; or only its outcomes, bets and counters, if it was too large to explore."""
        return self.chain

    @cached_property
    def ends(self) -> Mapping[tuple[int, int], int]:
        """The number of games by (rolls, outcome)."""
        return summed(((rolls, k), n) for (_, rolls, k), n in self.absorbed.items())

    @cached_property
    def advanced(self) -> Mapping[int, int]:
        """The number of rolls by tag of the chain, which gives their counts."""
        return summed(zip(self.chain.edge_tags, self.flow, strict=True))

    @cached_property
    def outcomes(self) -> dict[Outcome, int]:
        """The number of games by outcome of the chain."""
        seen = dict.fromkeys(range(len(self.about.outcomes)), 0)
        for (_, outcome), n in self.ends.items():
            seen[outcome] += n
        return {self.about.outcomes[k]: n for k, n in seen.items()}

    @cached_property
    def labels(self) -> dict[str, int]:
        """The number of games by label."""
        return summed((outcome.label, n) for outcome, n in self.outcomes.items())

    @cached_property
    def lengths(self) -> dict[int, int]:
        """The histogram of rolls per game."""
        if not self.rolls:  # settled before the first roll; see `rolls`
            return {0: self.games}
        seen = summed((rolls, n) for (rolls, _), n in self.ends.items())
        return dict(sorted(seen.items()))

    @property
    def longest(self) -> int:
        """The rolls of the longest game."""
        return max(self.lengths, default=0)

    @cached_property
    def rolls(self) -> int:
        """The number of rolls of all games."""
        steps = ((n, step) for tag, n in self.advanced.items() for step in self.about.tags[tag])
        # A move whose counts say so is no roll; see `sevenout.model.process.NO_ROLL`.
        taken_back = sum(int(k) * n for n, (name, k) in steps if name == "rolls")
        return sum(self.advanced.values()) + taken_back

    @property
    def mean_rolls(self) -> Fraction:
        """The mean rolls per game."""
        return Fraction(self.rolls, self.games)

    @cached_property
    def counters(self) -> dict[str, int | Fraction]:
        """The total of each counter of the chain; "rolls" is one of them."""
        total: dict[str, int | Fraction] = dict.fromkeys(self.about.counters, 0)
        total["rolls"] = self.rolls
        for tag, n in self.advanced.items():
            for name, step in self.about.tags[tag]:
                if name != "rolls":
                    total[name] += step * n
        return total

    @cached_property
    def joint(self) -> dict[tuple[Any, int, str], int]:
        """The number of games by (state before the last roll, rolls, label).

        For a point game this is the joint table of point, length and result.
        """
        states, ends = self.chain.states, self.chain.outcomes
        return summed(
            ((states[state], rolls, ends[outcome].label), n)
            for (state, rolls, outcome), n in self.absorbed.items()
        )

    def bet(self, name: str | None = None) -> BetTally:
        """The figures of a bet per unit staked; `name` may be left out if there is only one.

        Raises:
            RulesError: an unknown bet, or several bets and no name.
            TallyError: no games.
        """
        name = self.about.bet_named(name)
        if not self.games:
            raise TallyError("the tally has no games; simulate at least 1")
        pays = self._pays(name)
        rolls = self.counters[self.about.rolls_until(name)]
        return BetTally(
            name,
            self.about.stake(name),
            {pay: Fraction(n, self.games) for pay, n in pays.items()},
            Fraction(rolls, self.games),
            games=self.games,
            **_ended(pays)._asdict(),
        )

    def ended(self, bet: str | None = None, rolls: int | None = None) -> Ended:
        """The number of games in which a bet won, pushed and lost.

        Args:
            bet: by default the only one.
            rolls: only games of this many rolls (1: on the come-out).

        Raises:
            RulesError: an unknown bet, or several bets and no name.
        """
        return _ended(self._pays(self.about.bet_named(bet), rolls))

    def _pays(self, bet: str, rolls: int | None = None) -> dict[Pay, int]:
        counted = self.ends.items()
        seen = summed((k, n) for (length, k), n in counted if rolls in (None, length))
        return summed((self.about.outcomes[k].pay(bet), seen[k]) for k in sorted(seen))

    # --- algebra --------------------------------------------------------------------------------

    def __add__(self, other: "Tally") -> "Tally":
        if not isinstance(other, Tally):
            return NotImplemented
        if self.identity != other.identity:
            raise TallyError(
                f"a tally of the game {other.identity[:12]} does not add to one of "
                f"{self.identity[:12]}; add tallies of the same game"
            )
        return self.plus(other)

    def plus(self, other: "Tally") -> "Tally":
        """The sum with a tally known to be of the same chain."""
        absorbed = summed([*self.absorbed.items(), *other.absorbed.items()])
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
            "flow": list(self.flow),
            "absorbed": [[*key, n] for key, n in sorted(self.absorbed.items())],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], chain: Chain) -> "Tally":
        """The tally that `to_dict` wrote, for the same game.

        Raises:
            TallyError: the data are of another game, inconsistent, or not a tally.
        """
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
        if not are_counts(games, *flow, *absorbed.values(), *(i for at in absorbed for i in at)):
            raise TallyError("the tally is damaged: a count is not a whole number")
        tally = cls(chain, games, flow, absorbed)
        if not tally._adds_up():
            raise TallyError("the tally is damaged: its counts do not add up")
        return tally

    def _adds_up(self) -> bool:
        """Whether the counts of the rolls agree with those of the games."""
        edges = [(s, edge.target) for s, row in enumerate(self.chain.rows) for edge in row]
        if len(self.flow) != len(edges):
            return False
        n = len(self.chain.states)
        left = {(s, target - n): 0 for s, target in edges if target >= n}
        for (s, target), rolls in zip(edges, self.flow, strict=True):
            if target >= n:
                left[s, target - n] += rolls
        for (s, _, outcome), games in self.absorbed.items():
            left[s, outcome] = left.get((s, outcome), 0) - games
        return (
            not any(left.values())
            and sum(self.absorbed.values()) == self.games
            and sum(t * games for (_, t, _), games in self.absorbed.items()) == self.rolls
        )

    def page(self, solution: "Solution | None" = None, bet: str | None = None) -> Page:
        """The statistics; with exact values and z-scores, if a solution is given."""
        return statistics.page(self, solution, bet)

    def __repr__(self) -> str:
        return f"<Tally of {self.games:,} games and {self.rolls:,} rolls>"


def _ended(pays: Mapping[Pay, int]) -> Ended:
    return Ended(
        won=sum(n for pay, n in pays.items() if pay.profit > 0),
        pushed=sum(n for pay, n in pays.items() if pay.profit == 0),
        lost=sum(n for pay, n in pays.items() if pay.profit < 0),
    )


def are_counts(*given: Any) -> bool:
    """Whether these are whole numbers from 0 on, as read from a file.

    >>> are_counts(0, 7), are_counts(True), are_counts(-1), are_counts("7")
    (True, False, False, False)
    """
    return all(type(n) is int and n >= 0 for n in given)


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
