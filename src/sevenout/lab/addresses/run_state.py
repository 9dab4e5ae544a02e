"""The counts of a simulation, small enough for an address, with a mark of its game and seed."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from importlib.util import find_spec
from time import monotonic
from typing import Any

from sevenout.errors import NotationError
from sevenout.lab.addresses.chosen import chain, choose, solved
from sevenout.simulation.random_bits import BLOCK

MOST_ROWS = 40
PATIENCE = 0.7
"""Seconds to play one piece of a long run."""


@dataclass(frozen=True)
class EventRow:
    """An event that is counted.

    Attributes:
        event: its name; "" if it is all outcomes with one pay.
        pays: the profit per unit of stake; None without a bet.
        p: its exact probability.
    """

    event: str
    pays: Fraction | None
    p: Fraction


@dataclass(frozen=True)
class RunCounts:
    """The counts of a run: games, rolls, rolls of the longest game, and games per row."""

    games: int
    rolls: int
    longest: int
    counts: tuple[int, ...]

    def __add__(self, other: "RunCounts") -> "RunCounts":
        counts = tuple(a + b for a, b in zip(self.counts, other.counts, strict=True))
        longest = max(self.longest, other.longest)
        return RunCounts(self.games + other.games, self.rolls + other.rolls, longest, counts)


@lru_cache(maxsize=64)
def rows_of(text: str, bet: str) -> tuple[EventRow, ...]:
    """The events that are counted: the rows of a bet's table, or the game's outcomes.

    If the table is long, its rows are grouped by pay.
    """
    solution = solved(text)
    if not bet:
        return tuple(EventRow(label, None, p) for label, p in solution.labels.items())
    table = solution.bet(bet).table
    if len(table) <= MOST_ROWS:
        return tuple(EventRow(row.event, row.pays, row.probability) for row in table)
    law = solution.bet(bet).profit
    # An address holds the counts by place, so the order must always be the same.
    return tuple(EventRow("", x, p) for x, p in sorted(law.items(), key=lambda item: -item[0]))


def seen_in(text: str, bet: str, tally: Any) -> RunCounts:
    rows = rows_of(text, bet)
    place = {(row.event, row.pays): i for i, row in enumerate(rows)}
    counts = [0] * len(rows)
    for outcome, n in tally.outcomes.items():
        if not bet:
            key: tuple[str, Fraction | None] = (outcome.label, None)
        else:
            pay = outcome.pay(bet)
            key = (pay.event, pay.profit / pay.stake)
            # Rows that are grouped by pay have no event.
            key = key if key in place else ("", key[1])
        counts[place[key]] += n
    return RunCounts(tally.games, tally.rolls, tally.longest, tuple(counts))


@lru_cache(maxsize=512)
def played(text: str, bet: str, games: int, seed: int) -> RunCounts:
    """The counts of the first games; those of `simulate`, with any engine."""
    if has_engine():
        # Imported here, because it needs NumPy.
        from sevenout.simulation import simulate

        return seen_in(text, bet, simulate(chain(text), games, seed))
    from sevenout.simulation.replay import recount, rolls

    game = choose(text).game
    return seen_in(text, bet, recount(chain(text), rolls(game, seed, games=games)))


def has_engine() -> bool:
    """Whether NumPy is installed; without it the replay plays game by game."""
    return find_spec("numpy") is not None


def piece(text: str, bet: str, seen: RunCounts, games: int, seed: int) -> RunCounts:
    """The counts so far and the next blocks, up to `PATIENCE` seconds."""
    from sevenout.simulation.run import play_block

    end = monotonic() + PATIENCE
    while seen.games < games:
        # Whole blocks, because each has random numbers of its own.
        more = min(BLOCK, games - seen.games)
        tally = play_block(chain(text), seed, seen.games // BLOCK, more)
        seen += seen_in(text, bet, tally)
        # After a block, so that a slow machine comes to an end too.
        if monotonic() > end:
            break
    return seen


def packed(text: str, bet: str, seed: int, seen: RunCounts, path: list[tuple[int, int]]) -> str:
    """The counts as text, with a mark of their run.

    The path lists (games, sum of profits in the rows' common unit) along the way.
    """
    numbers = [seen.games, seen.rolls, seen.longest, *seen.counts]
    steps = [n for step in path for n in step]
    body = ".".join(f"{n:x}" for n in numbers) + "_" + ".".join(f"{n:x}" for n in steps)
    return f"{_mark(text, bet, seed, body)}_{body}"


def unpacked(
    text: str, bet: str, seed: int, packed: str
) -> tuple[RunCounts, list[tuple[int, int]]]:
    """The counts of a text."""
    mark, _, body = packed.partition("_")
    # The counts of one run must not be shown as those of another.
    if not body or mark != _mark(text, bet, seed, body):
        raise NotationError(
            "the counts in the address belong to another game, bet or seed; start the simulation "
            "again"
        )
    numbers, _, steps = body.partition("_")
    counted = list(map(_large, numbers.split(".")))
    flat = [_large(n) for n in steps.split(".") if n]
    if len(counted) < 4 or min(counted) < 0 or len(flat) % 2 or min(flat[::2], default=1) < 1:
        raise NotationError("the counts in the address are damaged; start the simulation again")
    games, rolls, longest, *counts = counted
    path = list(zip(flat[::2], flat[1::2], strict=True))
    return RunCounts(games, rolls, longest, tuple(counts)), path


def _mark(text: str, bet: str, seed: int, body: str) -> str:
    # Ten digits are a guard against mistakes, not against forgery.
    return sha256(f"{choose(text).words}\n{bet}\n{seed}\n{body}".encode()).hexdigest()[:10]


def _large(text: str) -> int:
    try:
        return int(text[:40], 16)
    except ValueError:
        raise NotationError(
            "the counts in the address are damaged; start the simulation again"
        ) from None
