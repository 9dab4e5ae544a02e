"""Tuning: a search for a wanted edge, hit frequency and volatility.

The rules are solved once for each choice of limits, totals and stakes. A bet's figures are then
sums over its open pays (`forms`), searched by branch and bound in integers (`bounded_search`),
without sampling.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

from sevenout.errors import RulesError, shown
from sevenout.extras import needs
from sevenout.numerals import Number, exact
from sevenout.rules.gamefiles.open_parameters import Opened, read_opened
from sevenout.variants.design.missed import why_none
from sevenout.variants.design.opensearch import Item, Seeker, Structure, structures
from sevenout.variants.design.ranking import WISHES, Wish
from sevenout.variants.design.tuned import Tiers, Tuned, Tuning
from sevenout.variants.design.wanted import Between, Wanted, between, by_bet

RUNGS = 250
"""The best tables of each tier considered for a ladder."""
MOST = 1_000_000


def tune(
    game: str | Path | Opened,
    *,
    edge: Any = None,
    hit: Any = None,
    volatility: Any = None,
    within: Number = 0,
    wish: Wish = "plain",
    top: int = 20,
) -> Tuning:
    """The best tables of a game with the wanted figures.

    >>> from sevenout.rules.gamefiles.open_parameters import parse_opened
    >>> craps = parse_opened('''
    ... format = 1
    ... name = "Craps"
    ... [[line]]
    ... naturals = [7, 11]
    ... craps = [2, 3, 12]
    ... out = 7
    ... [line.bets.pass]
    ... point = { "4,10" = "1..2 by 1/10", "5,9" = "1/2..1 by 1/10", "6,8" = 1 }
    ... ''')
    >>> found = tune(craps, edge="0%..1%")
    >>> found.count, found.considered, found.tables[0].figures["pass"].edge
    (11, 66, Fraction(1, 330))

    Args:
        game: a file with open numbers, or its path.
        edge: the house edge per bet made: an interval, "4%..6%", "..5%" or ("1/100", "2/100"), for
            every bet that an open number affects; or "pass=4%..6%" for one, a list of those, or
            intervals by bet.
        hit: the probability of a profit, likewise.
        volatility: the standard deviation of the profit per unit staked, likewise.
        within: the tolerance of an edge given as one number.
        wish: the criterion: "plain" for the least roughness, the "edge" nearest to the middle of
            its interval, "calm" for the lowest variance, or "top" for the highest pay. Variances
            and highest pays of several bets are added. Ties go to the nearer edge, then to the
            plainer table.
        top: the number of tables to return.

    Raises:
        SevenoutError: an invalid file, or no choice of its structure is a game.
        RulesError: an invalid interval, no such bet or wish.
        TooMuchWorkError: the search would exceed the budget.
    """
    needs("numpy")
    opened = game if isinstance(game, Opened) else _read(game)
    if wish not in WISHES:
        raise RulesError(f"wish={shown(wish)}; give {', '.join(map(repr, WISHES))}")
    if type(top) is not int or not 0 <= top <= MOST:
        raise RulesError(f"top={shown(top)}; return from 0 to {MOST:,} tables")
    found, refused = structures(opened)
    wanted = _wanted(found, opened, (edge, hit, volatility), exact(within))
    return _search(opened, found, refused, Seeker(wanted, wish, top))


def tiers(
    game: str | Path | Opened,
    edges: Sequence[Any],
    *,
    within: Number = 0,
    hit: Any = None,
    volatility: Any = None,
    wish: Wish = "plain",
    top: int = 20,
) -> Tiers:
    """A table for each edge, such as RTP tiers of 92, 94 and 96 %, with few changes.

    >>> ladder = tiers("docs/examples/fast-craps-open.toml", ["5%", "3%"], within="0.5%")
    >>> [tier.count for tier in ladder.tiers], ladder.changes
    ([1, 1], (2,))

    Args:
        game: a file with open numbers, or its path.
        edges: the edge of each tier, as in `tune`.
        within: as in `tune`, like the other options.
        hit: see `tune`.
        volatility: see `tune`.
        wish: see `tune`.
        top: the number of tables to return for each tier.

    Raises:
        SevenoutError: as in `tune`.
    """
    if isinstance(edges, str) or not isinstance(edges, list | tuple) or not edges:
        raise RulesError(f'edges={shown(edges)}; list the edge of each tier, such as ["8%", "6%"]')
    tuned = [
        tune(
            game,
            edge=e,
            hit=hit,
            volatility=volatility,
            within=within,
            wish=wish,
            top=max(top, RUNGS),
        )
        for e in edges
    ]
    ladder = _ladder([tier.tables[:RUNGS] for tier in tuned])
    changes = tuple(_changes(a, b) for a, b in pairwise(ladder))
    return Tiers(tuple(replace(t, tables=t.tables[:top]) for t in tuned), ladder, changes)


def _read(game: Any) -> Opened:
    if not isinstance(game, str | Path) or not str(game):
        raise RulesError(
            f"{shown(game)} is not a game file; give the path of one with open numbers"
        )
    return read_opened(game)


def _wanted(
    found: Sequence[Structure], opened: Opened, given: Sequence[Any], within: Fraction
) -> dict[str, Wanted]:
    if not 0 <= within <= 1:
        raise RulesError(f"within={shown(str(within))}; give from 0 to 1, such as 1/200 or 0.5%")
    forms = found[0].forms
    paid = {n for s in found for f in s.forms.values() for n in f.chances}
    idle = [n for n in opened.pays if n not in paid]
    if idle and not opened.asks:
        raise RulesError(f"the open number {idle[0]} never pays; leave it out")
    asked = [bet for bet, form in forms.items() if form.chances or opened.structure or opened.asks]
    edges, hits, spreads = (
        by_bet(one, what, asked)
        for one, what in zip(given, ("edge", "hit", "volatility"), strict=True)
    )
    if within:
        edges = {bet: _widened(wish, within) for bet, wish in edges.items()}
    return {
        bet: Wanted(edges[bet], hits[bet], spreads[bet]) if bet in edges else Wanted()
        for bet in forms
    }


def _widened(edge: Between, within: Fraction) -> Between:
    if edge.low is None or edge.low != edge.high:
        return edge
    wide = between((edge.low - within, edge.low + within), "edge")
    return wide._replace(text=f"{edge.text} ± {100 * within} %")


def _search(opened: Opened, found: list[Structure], refused: int, seeker: Seeker) -> Tuning:
    sizes = [s.size for s in {tuple(s.values.values()): s for s in found}.values()]
    considered = sum(size for size, _ in sizes)
    seeker.must_be_affordable(found, considered)
    count, best = 0, list[tuple[Item, Structure]]()
    for structure in found:
        n, own = seeker.best(structure)
        count += n
        best += [(item, structure) for item in own]
        best.sort(key=lambda each: (each[0][0], [each[0][1][n] for n in opened.numbers]))
        best = best[: seeker.top]
    tables = [
        Tuned(
            opened,
            {name: values[name] for name in opened.numbers},
            {
                bet: form.figures(values)
                for bet, form in structure.forms.items()
                if form.chances or opened.structure or opened.asks
            },
            structure.roughness.cost(values),
        )
        for (_, values), structure in best
    ]
    exactly = all(sure for _, sure in sizes)
    notes = () if count else tuple(why_none(found, seeker.wanted))
    return Tuning(
        opened, tuple(tables), count, considered, exactly, refused, seeker, notes, tuple(found)
    )


def _changes(one: Tuned, other: Tuned) -> int:
    return sum(one.numbers[name] != other.numbers[name] for name in one.numbers)


def _ladder(tables: Sequence[Sequence[Tuned]]) -> tuple[Tuned, ...]:
    """A table of each tier: the fewest changes, then the least cost (Bellman 1957)."""
    if not all(tables):
        return ()
    Way = tuple[tuple[int, int], tuple[Tuned, ...]]
    best: list[Way] = [((0, table.cost), (table,)) for table in tables[0]]
    for tier in tables[1:]:
        best = [
            min(
                (
                    ((done[0] + _changes(way[-1], table), done[1] + table.cost), (*way, table))
                    for done, way in best
                ),
                key=lambda each: each[0],
            )
            for table in tier
        ]
    return min(best, key=lambda each: each[0])[1]
