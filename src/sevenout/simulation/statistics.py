"""A tally as a page of statistics, beside the exact values if given."""

from dataclasses import dataclass
from fractions import Fraction
from math import isfinite, sqrt
from typing import TYPE_CHECKING, Any

from sevenout.documents import Column, Kind, Page, Table
from sevenout.documents.kinds import SCORE
from sevenout.documents.numbers import count, decimal, exact_figures
from sevenout.model import Chain
from sevenout.simulation.spread import variances

if TYPE_CHECKING:
    from sevenout.simulation.tally import BetTally, Tally
    from sevenout.solving import BetResult, Solution

EXACT_STATES = 2_000
"""The most states in a cycle for exact values within seconds."""
EXACT_CHAIN = 100_000
"""The most states in all for exact values."""

MET = "too large to explore: states discovered as met"


def has_exact_values(chain: Chain) -> bool:
    """Whether the exact values of a game are quick to compute.

    >>> from sevenout.model import explore
    >>> from sevenout.rules import PointGame
    >>> has_exact_values(explore(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)))
    True
    """
    if chain.met < len(chain.states):
        return False
    return len(chain.states) <= EXACT_CHAIN and max(map(len, chain.blocks)) <= EXACT_STATES


@dataclass(frozen=True)
class Statistic:
    """One line of the page.

    Attributes:
        seen: the count, or the exact quotient of counts.
        exact: the true value, if known.
        z: the z-score of the count, if known.
    """

    name: str
    seen: Fraction | int
    exact: Fraction | None = None
    z: float | None = None


def statistics(
    tally: "Tally", solution: "Solution | None" = None, bet: str | None = None
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
    """
    page = [Statistic("games", tally.games)]
    if not tally.games:
        return page
    bets = tally.about.bets if bet is None else (bet,)
    for name in bets:
        prefix = "" if len(bets) == 1 else f"{name}: "
        page += _of_bet(tally, name, prefix, solution)
    spreads = {} if solution is None else variances(tally.chain)

    def counted(counter: str, name: str) -> Statistic:
        mean = None if solution is None else solution.mean(counter)
        seen = Fraction(tally.counters[counter]) / tally.games
        return _average(name, seen, tally.games, mean, spreads.get(counter))

    page += [
        Statistic("rolls", tally.rolls),
        counted("rolls", "average rolls per game"),
        Statistic("longest game, in rolls", tally.longest),
    ]
    if len(tally.labels) > 1:
        for label, n in tally.labels.items():
            page.append(
                _proportion(label, n, tally, None if solution is None else solution.labels[label])
            )
    page += [counted(counter, f"average {counter}") for counter in tally.about.counters[1:]]
    return page


def as_data(
    tally: "Tally", solution: "Solution | None" = None, bet: str | None = None
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


def _of_bet(tally: "Tally", name: str, prefix: str, solution: "Solution | None") -> list[Statistic]:
    whole, first = tally.bet(name), tally.ended(name, rolls=1)
    exact = None if solution is None else solution.bet(name)

    def chance(of: str, n: int, p: Fraction | None) -> Statistic:
        return _proportion(f"{prefix}probability of {of}", n, tally, p)

    page = [
        Statistic(f"{prefix}wins", whole.won),
        chance("winning", whole.won, None if exact is None else exact.p_win),
    ]
    if whole.pushed or (exact is not None and exact.p_push):
        page.append(chance("a push", whole.pushed, None if exact is None else exact.p_push))
    if f"rolls of {name}" in tally.about.counters:  # whether settled before the others at its table
        page.append(_profit(prefix, whole, exact))
        return page
    for what, verb, n, wins in (
        ("wins", "winning", first.won, True),
        ("losses", "losing", first.lost, False),
    ):
        p = None if solution is None else _on_come_out(tally, name, wins)
        page.append(Statistic(f"{prefix}{what} on the come-out", n))
        page.append(chance(f"{verb} on the come-out", n, p))
    page.append(_profit(prefix, whole, exact))
    return page


def _on_come_out(tally: "Tally", bet: str, wins: bool) -> Fraction:
    """The exact probability that a bet wins, or loses, with the first roll."""
    chain = tally.chain
    settled = ((e.weight, e.target - len(chain.states)) for e in chain.rows[0])
    profits = ((w, chain.outcomes[k].profit(bet)) for w, k in settled if k >= 0)
    hits = sum(w for w, profit in profits if (profit > 0 if wins else profit < 0))
    return Fraction(hits, chain.denominator)


def _profit(prefix: str, seen: "BetTally", exact: "BetResult | None") -> Statistic:
    mean, spread = (None, None) if exact is None else (exact.mean, exact.variance)
    unit = "" if seen.stake == 1 else " per unit staked"
    return _average(f"{prefix}average profit{unit}", seen.mean, seen.games, mean, spread)


def _proportion(name: str, n: int, tally: "Tally", p: Fraction | None) -> Statistic:
    return _average(name, Fraction(n, tally.games), tally.games, p, p and p * (1 - p))


def _average(
    name: str,
    seen: Fraction,
    games: int,
    mean: Fraction | None,
    variance: Fraction | float | None,
) -> Statistic:
    z = None
    if mean is not None and variance and isfinite(variance):
        z = float(seen - mean) / sqrt(variance / games)
    return Statistic(name, seen, mean, z)


def page(tally: "Tally", solution: "Solution | None" = None, bet: str | None = None) -> Page:
    """The page of `statistics`."""
    lines = statistics(tally, solution, bet)
    number = Kind("seen", _seen)
    columns = ["statistic", Column("seen", number)]
    about = tally.about
    if solution is None:
        caption = MET if about.met < len(about.states) else ""
        seen = [(line.name, line.seen) for line in lines]
        return Page("", Table(columns, seen, caption=caption))
    columns += [Column("exact", number), Column("z", SCORE)]
    rows = [(line.name, line.seen, _or_blank(line.exact), _or_blank(line.z)) for line in lines]
    return Page("", Table(columns, rows))


def _seen(x: Fraction | int) -> str:
    """A count, or a share of counts."""
    return count(x) if isinstance(x, int) else decimal(x, 7)


def _or_blank(x: Fraction | float | None) -> Fraction | float | str:
    return "" if x is None else x
