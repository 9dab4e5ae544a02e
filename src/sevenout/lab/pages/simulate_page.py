"""Simulated games beside the exact figures. A long run continues piece by piece."""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from importlib.util import find_spec
from math import floor, isfinite, log10, sqrt
from time import monotonic
from typing import Any

import htpy as h

from sevenout.documents import Column, Table
from sevenout.documents.kinds import COUNT, DECIMAL, FRACTION, PAYS, SCORE
from sevenout.documents.numbers import decimal, minus, percent
from sevenout.errors import NotationError
from sevenout.lab.address import CRAPS, Address, bet_of, chain, choose, solved
from sevenout.lab.pages.pays import choose_bet
from sevenout.lab.pages.question_page import award_note
from sevenout.lab.widgets import chart, copies
from sevenout.lab.widgets.chart import Axis, Chart
from sevenout.lab.widgets.parts import (
    Hero,
    KeyFigure,
    games_form,
    go,
    heading,
    item,
    problem,
    with_unit,
)
from sevenout.lab.widgets.view import Reply, Saved, View
from sevenout.numerals import parse_count, parse_seed
from sevenout.rules import ByTurns
from sevenout.simulation.random_bits import BATCH_SIZE

PATH = "/simulate"
MOST_GAMES = 10**11
AT_ONCE = 4 * BATCH_SIZE
"""Up to this many games are played in one page."""
IN_PAGE, AT_FIRST = 100_000, 20_000
"""The most games without NumPy, and the default: the replay takes 3 s for 20,000 in a browser."""
PRESETS = (1_000, 10**6, 10**8, 10**10)
AGAIN = "; start the simulation again"
_STEP = r"[1-9a-f][0-9a-f]{0,39}\.-?[0-9a-f]{1,40}"
COUNTS = re.compile(rf"(?:[0-9a-f]{{1,40}}\.){{3,}}[0-9a-f]{{1,40}}_(?:{_STEP}(?:\.{_STEP})*)?")
"""Games, rolls, the longest game and the rows' counts; then the path. None is below 0."""
# 95 in 100 normal values lie within this many standard deviations.
Z = 1.96


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
def simulated_counts(text: str, bet: str, games: int, seed: int) -> RunCounts:
    """The counts of the first games; those of `simulate`, with any engine."""
    if has_engine():
        # Imported here, because it needs NumPy.
        from sevenout.simulation import simulate

        return seen_in(text, bet, simulate(chain(text), games, seed))
    from sevenout.simulation.replay import recount, replay_batch

    game = choose(text).game
    return seen_in(text, bet, recount(chain(text), replay_batch(game, seed, games=games)))


def has_engine() -> bool:
    """Whether NumPy is installed; without it the replay plays game by game."""
    return find_spec("numpy") is not None


def piece(text: str, bet: str, seen: RunCounts, games: int, seed: int) -> RunCounts:
    """The counts so far and the next batches, up to `PATIENCE` seconds."""
    from sevenout.simulation.run import play_batch

    end = monotonic() + PATIENCE
    while seen.games < games:
        # Whole batches, because each has random numbers of its own.
        more = min(BATCH_SIZE, games - seen.games)
        tally = play_batch(chain(text), seed, seen.games // BATCH_SIZE, more)
        seen += seen_in(text, bet, tally)
        # After a batch, so that a slow machine comes to an end too.
        if monotonic() > end:
            break
    return seen


def pack_counts(
    text: str, bet: str, seed: int, seen: RunCounts, path: list[tuple[int, int]]
) -> str:
    """The counts as text, with a mark of their run.

    The path lists (games, sum of profits in the rows' common unit) along the way.
    """
    numbers = [seen.games, seen.rolls, seen.longest, *seen.counts]
    steps = [n for step in path for n in step]
    body = ".".join(f"{n:x}" for n in numbers) + "_" + ".".join(f"{n:x}" for n in steps)
    return f"{_mark(text, bet, seed, body)}_{body}"


def unpack_counts(
    text: str, bet: str, seed: int, packed: str
) -> tuple[RunCounts, list[tuple[int, int]]]:
    """The counts of a text."""
    mark, _, body = packed.partition("_")
    # The counts of one run must not be shown as those of another.
    if not body or mark != _mark(text, bet, seed, body):
        raise NotationError(f"the counts in the address belong to another game, bet or seed{AGAIN}")
    if not COUNTS.fullmatch(body):
        raise NotationError(f"the counts in the address are damaged{AGAIN}")
    numbers, _, steps = body.partition("_")
    games, rolls, longest, *counts = (int(n, 16) for n in numbers.split("."))
    flat = [int(n, 16) for n in steps.split(".") if n]
    path = list(zip(flat[::2], flat[1::2], strict=True))
    return RunCounts(games, rolls, longest, tuple(counts)), path


def _mark(text: str, bet: str, seed: int, body: str) -> str:
    # Ten digits are a guard against mistakes, not against forgery.
    return sha256(f"{choose(text).notation}\n{bet}\n{seed}\n{body}".encode()).hexdigest()[:10]


def page(address: Address) -> View | Reply:
    text = address.get("game") or CRAPS
    chosen = choose(text)
    if isinstance(chosen.game, ByTurns):
        # The generic page plays a game of turns; it has no bets, and no run as long as theirs.
        played_games = address.to("/ask", keep=("game", "games", "seed", "policy"))
        return Reply.to(played_games.to(question="simulate"))
    bet = bet_of(text, address.get("bet"))
    name = bet.name if bet else ""
    most = MOST_GAMES if has_engine() else IN_PAGE
    # one address shows the same figures in both editions, so the default is that of the slower one
    games = parse_count(address.get("games") or str(AT_FIRST), maximum=most)
    seed = parse_seed(address.get("seed") or "1")
    base = address.to(keep=("game", "bet", "seed"), games=games)
    run = LabRun(text, name, games, seed)
    if address.has("go", "1"):
        run.resume(address.get("seen"))
        # A piece ends in a redirect, so a reload shows it and doesn't play another.
        return Reply.to(base.to(seen=run.onward()))
    view = View(address, f"{chosen.title}, simulated", PATH)
    wrong = ""
    try:
        run.resume(address.get("seen"))
    except NotationError as error:
        wrong = f"The run starts again: {error}."
        run = LabRun(text, name, games, seed)
        run.resume("")
    stopped = address.has("stop", "1")
    view.body = [
        heading(
            "Simulate",
            f"{chosen.title}: every roll simulated, next to the exact figures.",
            go("Back to the game", address.to("/", keep=("game", "bet"))),
        ),
        problem(wrong) if wrong else None,
        h.p(".soft")[note] if (note := award_note(chosen.awards)) else None,
        h.div(".row")[
            choose_bet(base, chain(text).bets, name),
            games_form(base, [n for n in PRESETS if n <= most], games, seed),
        ],
        _progress(base, run, stopped),
        *_result_cards(view, run),
    ]
    view.python, view.command = copies.of_simulation(
        chosen, name, run.seen.games if stopped else games, seed
    )
    view.bar = _bar(run)
    return view


class LabRun:
    def __init__(self, text: str, bet: str, games: int, seed: int) -> None:
        self.text, self.bet, self.games, self.seed = text, bet, games, seed
        self.rows: tuple[EventRow, ...] = rows_of(text, bet)
        self.seen = RunCounts(0, 0, 0, (0,) * len(self.rows))
        self.path: list[tuple[int, int]] = []

    def resume(self, packed: str) -> None:
        """Continue from the counts in the address, up to one page's limit."""
        if packed:
            self.seen, self.path = unpack_counts(self.text, self.bet, self.seed, packed)
            if self.seen.games <= self.games and len(self.seen.counts) == len(self.rows):
                return
            raise NotationError(f"the counts in the address belong to another run{AGAIN}")
        if self.games <= AT_ONCE:
            self.seen = simulated_counts(self.text, self.bet, self.games, self.seed)

    def onward(self) -> str:
        """The run with its next piece, as text."""
        self.seen = piece(self.text, self.bet, self.seen, self.games, self.seed)
        last = self.path[-1][0] if self.path else BATCH_SIZE
        # Closer points can't be told apart on a logarithmic scale, and make the address longer.
        if self.seen.games >= 1.25 * last or self.seen.games == self.games:
            self.path.append((self.seen.games, self.sum_of(self.seen)))
        return pack_counts(self.text, self.bet, self.seed, self.seen, self.path)

    @property
    def finished(self) -> bool:
        return self.seen.games == self.games

    @property
    def unit(self) -> int:
        from math import lcm

        return lcm(*(row.pays.denominator for row in self.rows if row.pays is not None))

    def sum_of(self, seen: RunCounts) -> int:
        """The sum of the profits times the unit; without a bet, the first row's count."""
        if not self.bet:
            return seen.counts[0]
        value = (n * row.pays for n, row in zip(seen.counts, self.rows, strict=True) if row.pays)
        return int(sum(value, Fraction(0)) * self.unit)

    @property
    def exact(self) -> tuple[Fraction, float]:
        """The exact mean and standard deviation of one game."""
        if self.bet:
            bet = solved(self.text).bet(self.bet)
            return bet.mean, bet.std
        p = self.rows[0].p
        return p, sqrt(p * (1 - p))

    def apart(self) -> list[tuple[int, Fraction]]:
        """(games, average) of smaller separate runs from the same seed."""
        sizes = [m * 10**k for k in range(8) for m in (1, 2, 5)]
        # Each size is a run of its own, so larger ones would take too long.
        small = [n for n in sizes if n <= min(self.seen.games, 2 * 10**6)]
        if self.seen.games <= AT_ONCE and self.seen.games not in small:
            small.append(self.seen.games)
        unit = self.unit
        points = []
        for n in small:
            seen = simulated_counts(self.text, self.bet, n, self.seed)
            points.append((n, Fraction(self.sum_of(seen), n * unit)))
        return points

    def way(self) -> list[tuple[int, Fraction]]:
        """(games, average) along this run, after each piece so far."""
        return [(n, Fraction(total, n * self.unit)) for n, total in self.path]


def _progress(base: Address, run: LabRun, stopped: bool) -> Any:
    if run.finished:
        return None
    label = (
        {"seen": pack_counts(run.text, run.bet, run.seed, run.seen, run.path)}
        if run.seen.games
        else {}
    )
    on = base.to(**label, go=1)
    share = f"{run.seen.games:,} of {run.games:,} games"
    first = not run.seen.games
    return h.div(".row")[
        h.progress(value=str(run.seen.games), max=str(run.games), aria_label="Games played"),
        h.span(".soft")[share],
        # The script goes on by itself until the visitor stops it.
        h.a(class_="button", href=str(on), data_next=not stopped)["Play" if first else "Go on"],
        None if stopped else go("Stop", base.to(**label, stop=1)),
    ]


def _result_cards(view: View, run: LabRun) -> list[Any]:
    if not run.seen.games:
        return [h.p(".soft")["The first games are being played …"]]
    mean, deviation = run.exact
    what = "average profit" if run.bet else f"share of “{run.rows[0].event}”"
    funnel = _funnel(run, mean, deviation, what)
    return [
        h.div(".columns")[
            view.card("statistics", "Seen and exact", _hero(run), _statistics(run)),
            view.card(
                "funnel",
                "How the average approaches the exact value",
                funnel,
                _averages(run, what),
                h.p(".hint")[
                    f"How far the {what} is from the exact value. Each point up to two million "
                    "games is a separate run from this seed; points on a line are one run as it "
                    "goes on. 95 points in 100 lie in the funnel."
                ],
                note="both scales logarithmic",
            )
            if funnel
            else None,
        ]
    ]


def _z(run: LabRun) -> float | None:
    mean, deviation = run.exact
    if not deviation or not isfinite(deviation):
        return None
    seen = Fraction(run.sum_of(run.seen), run.seen.games * run.unit)
    return float(seen - mean) / (deviation / sqrt(run.seen.games))


def _wins(run: LabRun) -> tuple[int, Fraction] | None:
    if not run.bet:
        return None
    pairs = [
        (n, r.p) for n, r in zip(run.seen.counts, run.rows, strict=True) if r.pays and r.pays > 0
    ]
    return sum(n for n, _ in pairs), sum((p for _, p in pairs), Fraction(0))


def _hero(run: LabRun) -> Any:
    z = _z(run)
    wins = _wins(run)
    words = "The average is exactly what it should be."
    if z:
        far = "within" if abs(z) <= Z else "outside"
        words = (
            f"The average lies {abs(z):.2f} standard deviations {'above' if z > 0 else 'below'} "
            f"the exact one, {far} the range of 95 runs in 100."
        )
    share = percent(Fraction(wins[0], run.seen.games), 4) if wins else ""
    return Hero(
        KeyFigure(share, "won", f"exactly {percent(wins[1], 4)}", big=True) if wins else None,
        KeyFigure(f"{run.seen.games:,}", "games", f"{run.seen.rolls:,} rolls"),
        words=words,
    )


def _statistics(run: LabRun) -> Table:
    n = run.seen.games
    rows: list[tuple[Any, ...]] = []
    for row, count in zip(run.rows, run.seen.counts, strict=True):
        spread = sqrt(row.p * (1 - row.p) * n)
        z = float(count - row.p * n) / spread if spread else None
        rows.append((row.event or "paid", row.pays, count, Fraction(count, n), row.p, z))
    rolls = solved(run.text).mean_rolls
    rows.append(("rolls in a game", None, run.seen.rolls, Fraction(run.seen.rolls, n), rolls, None))
    rows.append(("longest game, in rolls", None, run.seen.longest, None, None, None))
    columns = [
        Column("event"),
        Column("pays", PAYS),
        Column("count", COUNT),
        Column("seen", DECIMAL),
        Column("exact", DECIMAL),
        Column("z", SCORE),
    ]
    if not run.bet:
        columns, rows = columns[:1] + columns[2:], [r[:1] + r[2:] for r in rows]
    return Table(columns, rows)


def _funnel(run: LabRun, mean: Fraction, deviation: float, quantity: str) -> Chart | None:
    """The averages around the mean; both axes are logarithmic, the middle is 0."""
    if not deviation or not isfinite(deviation):
        return None
    apart, way = run.apart(), run.way()
    points = [*apart, *way]
    last = max(n for n, _ in points)
    low = floor(log10(Z * deviation / sqrt(max(last, 10)))) - 0.3
    high = log10(Z * deviation) + 0.3

    def place(gap: float) -> float:
        size = abs(gap)
        # Closer to 0 than the axis reaches.
        if not size or log10(size) <= low:
            return 0.0
        return (1 if gap > 0 else -1) * (log10(size) - low)

    x = chart.decades(1, max(last, 10), "games")
    powers = range(floor(low) + 1, floor(high) + 1)
    ticks = [(0.0, "0")]
    near = (high - low) / 8  # so that no label covers that of 0
    for k in [k for k in powers if k - low > near][:: 2 if len(powers) > 5 else 1]:
        ticks += [(k - low, f"+{10.0**k:g}"), (low - k, f"−{10.0**k:g}")]
    top = high - low
    y = Axis(-top, top, tuple(ticks), quantity)
    steps = [10 ** (k / 8) for k in range(int(8 * log10(x.high)) + 1)]
    wide = [(n, Z * deviation / sqrt(n)) for n in steps]
    band = chart.band(x, y, [(n, place(-w), place(w)) for n, w in wide])

    def at(points: list[tuple[int, Fraction]]) -> list[tuple[float, float, str]]:
        return [
            (float(n), place(float(v - mean)), f"{n:,} games: {decimal(v, 7)}") for n, v in points
        ]

    line = chart.line(x, y, [(a, b) for a, b, _ in at(way)]) if len(way) > 1 else ""
    seen = decimal(points[-1][1], 6)
    caption = f"After {last:,} games the {quantity} is {seen}; exactly it is {decimal(mean, 6)}."
    return Chart(x, y, band + line + chart.dots(x, y, at(points)), caption)


def _averages(run: LabRun, quantity: str) -> Saved:
    columns = [Column("games", COUNT), Column(quantity, FRACTION, DECIMAL)]
    return Saved(Table(columns, [*run.apart(), *run.way()]))


def _bar(run: LabRun) -> Any:
    if not run.seen.games:
        return [h.span["The first games are being played."]]
    wins, z = _wins(run), _z(run)
    return [
        wins and item(with_unit(percent(Fraction(wins[0], run.seen.games), 4)), "seen", main=True),
        wins and item(with_unit(percent(wins[1], 4)), "exact"),
        item(f"{run.seen.games:,}", "games"),
        z is not None and item(minus(f"{z:+.2f}"), "standard deviations"),
    ]
