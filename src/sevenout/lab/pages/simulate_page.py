"""Simulated games beside the exact figures. A long run continues piece by piece."""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from math import floor, isfinite, lcm, log10, sqrt
from operator import add
from time import monotonic
from typing import Any, NamedTuple

import htpy as h

from sevenout.documents import Column, Table
from sevenout.documents.kinds import COUNT, DECIMAL, FRACTION, PAYS, SCORE
from sevenout.documents.numbers import decimal, minus, percent
from sevenout.errors import NotationError
from sevenout.extras import is_installed
from sevenout.lab.address import (
    DEFAULT_GAME,
    Address,
    bet_of,
    chain,
    game_subject,
    seed_of,
    solution_of,
)
from sevenout.lab.pages.pays import choose_bet
from sevenout.lab.pages.question_page import award_note
from sevenout.lab.widgets import chart, copies
from sevenout.lab.widgets.chart import Axis, Chart
from sevenout.lab.widgets.parts import (
    Field,
    Hero,
    KeyFigure,
    bar_item,
    form,
    heading,
    link_button,
    problem,
    segments,
    with_unit,
)
from sevenout.lab.widgets.view import Reply, Saved, View
from sevenout.numerals import parse_count
from sevenout.rules import ByTurns
from sevenout.simulation.random_bits import BATCH_SIZE

PATH = "/simulate"
MAX_GAMES = 10**11
MAX_AT_ONCE = 4 * BATCH_SIZE
"""Up to this many games are played in one page; a longer run goes on page after page."""
MAX_WITHOUT_NUMPY, DEFAULT_GAMES = 100_000, 20_000
"""Without NumPy the replay takes 3 s for 20,000 games in a browser."""
PRESETS = {1_000: "1,000", 10**6: "a million", 10**8: "100 million", 10**10: "10 billion"}
START_AGAIN = "; start the simulation again"
_STEP = r"[1-9a-f][0-9a-f]{0,39}\.-?[0-9a-f]{1,40}"
PACKED_COUNTS = re.compile(
    rf"(?:[0-9a-f]{{1,40}}\.){{3,}}[0-9a-f]{{1,40}}_(?:{_STEP}(?:\.{_STEP})*)?"
)
"""Games, rolls, the longest game and the rows' counts; then the path. None is below 0."""
Z = 1.96
"""95 in 100 normal values lie within this many standard deviations."""
MAX_ROWS = 40
"""Rows of a longer table are grouped by pay."""
PATIENCE = 0.7
"""Seconds to play one piece of a long run."""


class RunKey(NamedTuple):
    """What makes a run: the same key always gives the same games.

    Attributes:
        notation: the game.
        bet: the name of the bet; "" for none.
        seed: the seed of the dice.
    """

    notation: str
    bet: str
    seed: int


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
    """The counts of a run.

    Attributes:
        games: games played.
        rolls: rolls in all of them.
        longest: rolls of the longest game.
        row_counts: games that ended in each row's event.
    """

    games: int
    rolls: int
    longest: int
    row_counts: tuple[int, ...]

    def __add__(self, other: "RunCounts") -> "RunCounts":
        row_counts = tuple(map(add, self.row_counts, other.row_counts))
        longest = max(self.longest, other.longest)
        return RunCounts(self.games + other.games, self.rolls + other.rolls, longest, row_counts)


class PathPoint(NamedTuple):
    """The average of a run so far, as it is kept in its address.

    Attributes:
        games: games played so far.
        profit_units: the sum of their profits in the rows' common unit, see `LabRun.unit`;
            without a bet, the count of the first row.
    """

    games: int
    profit_units: int


@lru_cache(maxsize=64)
def rows_of(notation: str, bet: str) -> tuple[EventRow, ...]:
    """The events that are counted: the rows of a bet's table, or the game's outcomes.

    If the table is long, its rows are grouped by pay.
    """
    solution = solution_of(notation)
    if not bet:
        return tuple(EventRow(label, None, p) for label, p in solution.labels.items())
    table = solution.bet(bet).table
    if len(table) <= MAX_ROWS:
        return tuple(EventRow(row.event, row.pays, row.probability) for row in table)
    law = solution.bet(bet).profit
    # An address holds the counts in this order, so it must always be the same.
    return tuple(EventRow("", x, p) for x, p in sorted(law.items(), key=lambda item: -item[0]))


def counts_of_tally(notation: str, bet: str, tally: Any) -> RunCounts:
    """The counts of a tally, by the rows of a bet."""
    rows = rows_of(notation, bet)
    row_numbers = {(row.event, row.pays): i for i, row in enumerate(rows)}
    row_counts = [0] * len(rows)
    for outcome, n in tally.outcomes.items():
        if not bet:
            key: tuple[str, Fraction | None] = (outcome.label, None)
        else:
            pay = outcome.pay(bet)
            key = (pay.event, pay.profit / pay.stake)
            # Rows that are grouped by pay have no event.
            key = key if key in row_numbers else ("", key[1])
        row_counts[row_numbers[key]] += n
    return RunCounts(tally.games, tally.rolls, tally.longest, tuple(row_counts))


@lru_cache(maxsize=512)
def simulated_counts(key: RunKey, games: int) -> RunCounts:
    """The counts of the first games; those of `simulate`, with any engine."""
    notation, bet, seed = key
    if is_installed("numpy"):
        # Imported here, because it needs NumPy.
        from sevenout.simulation import simulate

        return counts_of_tally(notation, bet, simulate(chain(notation), games, seed))
    from sevenout.simulation.replay import recount, replay_batch

    game = game_subject(notation).game
    return counts_of_tally(
        notation, bet, recount(chain(notation), replay_batch(game, seed, games=games))
    )


def play_piece(key: RunKey, counts: RunCounts, games: int) -> RunCounts:
    """The counts so far and the next batches, up to `PATIENCE` seconds."""
    from sevenout.simulation.run import play_batch

    end = monotonic() + PATIENCE
    while counts.games < games:
        # Whole batches, because each has random numbers of its own.
        batch_games = min(BATCH_SIZE, games - counts.games)
        number = counts.games // BATCH_SIZE
        tally = play_batch(chain(key.notation), key.seed, number, batch_games)
        counts += counts_of_tally(key.notation, key.bet, tally)
        # After a batch, so that a slow machine comes to an end too.
        if monotonic() > end:
            break
    return counts


def pack_counts(key: RunKey, counts: RunCounts, path: list[PathPoint]) -> str:
    """The counts and the path as text, with a checksum of their run."""
    numbers = [counts.games, counts.rolls, counts.longest, *counts.row_counts]
    steps = [n for step in path for n in step]
    body = ".".join(f"{n:x}" for n in numbers) + "_" + ".".join(f"{n:x}" for n in steps)
    return f"{_checksum(key, body)}_{body}"


def unpack_counts(key: RunKey, packed: str) -> tuple[RunCounts, list[PathPoint]]:
    """The counts and the path of a text; refused if they are of another run, or damaged."""
    checksum, _, body = packed.partition("_")
    # The counts of one run must not be shown as those of another.
    if not body or checksum != _checksum(key, body):
        raise NotationError(
            f"the counts in the address belong to another game, bet or seed{START_AGAIN}"
        )
    if not PACKED_COUNTS.fullmatch(body):
        raise NotationError(f"the counts in the address are damaged{START_AGAIN}")
    numbers, _, steps = body.partition("_")
    games, rolls, longest, *row_counts = (int(n, 16) for n in numbers.split("."))
    flat = [int(n, 16) for n in steps.split(".") if n]
    path = list(map(PathPoint, flat[::2], flat[1::2]))
    return RunCounts(games, rolls, longest, tuple(row_counts)), path


def _checksum(key: RunKey, body: str) -> str:
    """The first digits of the hash of a run and its counts."""
    # Ten digits are a guard against mistakes, not against forgery.
    text = f"{game_subject(key.notation).notation}\n{key.bet}\n{key.seed}\n{body}"
    return sha256(text.encode()).hexdigest()[:10]


def page(address: Address) -> View | Reply:
    """A run so far beside the exact figures; `go=1` plays its next piece and redirects."""
    notation = address.get("game") or DEFAULT_GAME
    subject = game_subject(notation)
    if isinstance(subject.game, ByTurns):
        # The generic page plays a game of turns; it has no bets, and no run as long as theirs.
        question = address.to("/ask", keep=("game", "games", "seed", "policy"), question="simulate")
        return Reply.redirect(question)
    bet = bet_of(notation, address.get("bet"))
    name = bet.name if bet else ""
    max_games = MAX_GAMES if is_installed("numpy") else MAX_WITHOUT_NUMPY
    # An address shows the same figures in both editions, so the default is that of the slower one.
    games = parse_count(address.get("games") or str(DEFAULT_GAMES), maximum=max_games)
    base = address.to(keep=("game", "bet", "seed"), games=games)
    key = RunKey(notation, name, seed_of(address))
    run = LabRun(key, games)
    if address.has("go", "1"):
        run.resume(address.get("seen"))
        run.play_on()
        # A piece ends in a redirect, so a reload shows it and doesn't play another.
        return Reply.redirect(base.to(seen=run.packed()))
    view = View(address, f"{subject.title}, simulated", PATH)
    message = ""
    try:
        run.resume(address.get("seen"))
    except NotationError as error:
        message = f"The run starts again: {error}."
        run = LabRun(key, games)
        run.resume("")
    stopped = address.has("stop", "1")
    presets = [
        (words, base.to(games=n), n == games) for n, words in PRESETS.items() if n <= max_games
    ]
    view.body = [
        heading(
            "Simulate",
            f"{subject.title}: every roll simulated, next to the exact figures.",
            link_button("Back to the game", address.to("/", keep=("game", "bet"))),
        ),
        problem(message) if message else None,
        h.p(".soft")[note] if (note := award_note(subject.awards)) else None,
        h.div(".row")[
            choose_bet(base, chain(notation).bets, name),
            segments("Games", presets),
            form(
                base,
                Field("Games", "games", f"{games:,}"),
                Field("Seed", "seed", key.seed, inputmode="numeric"),
                submit="Play",
            ),
        ],
        _progress(base, run, stopped),
        *_result_cards(view, run),
    ]
    view.python, view.command = copies.of_simulation(
        subject, name, run.counts.games if stopped else games, key.seed
    )
    view.bar = _bar(run)
    return view


class LabRun:
    """A simulation in the lab, which may go on over several pages.

    Attributes:
        key: the game, the bet and the seed.
        games: how many games it is to have.
        rows: the events that are counted.
        counts: the counts so far.
        path: the averages along the run, piece by piece.
    """

    def __init__(self, key: RunKey, games: int) -> None:
        self.key, self.games = key, games
        self.rows: tuple[EventRow, ...] = rows_of(key.notation, key.bet)
        self.counts = RunCounts(0, 0, 0, (0,) * len(self.rows))
        self.path: list[PathPoint] = []

    def resume(self, packed: str) -> None:
        """Continue from the counts in the address, up to one page's limit."""
        if packed:
            self.counts, self.path = unpack_counts(self.key, packed)
            if self.counts.games <= self.games and len(self.counts.row_counts) == len(self.rows):
                return
            raise NotationError(f"the counts in the address belong to another run{START_AGAIN}")
        if self.games <= MAX_AT_ONCE:
            self.counts = simulated_counts(self.key, self.games)

    def packed(self) -> str:
        """The counts and the path as text, for an address."""
        return pack_counts(self.key, self.counts, self.path)

    def play_on(self) -> None:
        """Play the next piece."""
        self.counts = play_piece(self.key, self.counts, self.games)
        last = self.path[-1].games if self.path else BATCH_SIZE
        # Closer points can't be told apart on a logarithmic scale, and make the address longer.
        if self.counts.games >= 1.25 * last or self.counts.games == self.games:
            self.path.append(PathPoint(self.counts.games, self.sum_of(self.counts)))

    @property
    def is_finished(self) -> bool:
        """Whether all games are played."""
        return self.counts.games == self.games

    @property
    def unit(self) -> int:
        """The common denominator of the pays; 1 without a bet."""
        return lcm(*(row.pays.denominator for row in self.rows if row.pays is not None))

    def sum_of(self, counts: RunCounts) -> int:
        """The sum of the profits times the unit; without a bet, the first row's count."""
        if not self.key.bet:
            return counts.row_counts[0]
        counted = zip(counts.row_counts, self.rows, strict=True)
        profits = (n * row.pays for n, row in counted if row.pays)
        return int(sum(profits, Fraction(0)) * self.unit)

    @property
    def exact_moments(self) -> tuple[Fraction, float]:
        """The exact mean and standard deviation of one game."""
        if self.key.bet:
            bet = solution_of(self.key.notation).bet(self.key.bet)
            return bet.mean, bet.std
        p = self.rows[0].p
        return p, sqrt(p * (1 - p))

    def average(self, counts: RunCounts) -> Fraction:
        """The average profit; without a bet, the share of the first row."""
        return Fraction(self.sum_of(counts), counts.games * self.unit)

    def separate_averages(self) -> list[tuple[int, Fraction]]:
        """(games, average) of smaller separate runs from the same seed."""
        sizes = [m * 10**k for k in range(8) for m in (1, 2, 5)]
        # Each size is a run of its own, so larger ones would take too long.
        small = [n for n in sizes if n <= min(self.counts.games, 2 * 10**6)]
        if self.counts.games <= MAX_AT_ONCE and self.counts.games not in small:
            small.append(self.counts.games)
        runs = (simulated_counts(self.key, n) for n in small)
        return [(run.games, self.average(run)) for run in runs]

    def path_averages(self) -> list[tuple[int, Fraction]]:
        """(games, average) along this run, after each piece so far."""
        return [(n, Fraction(total, n * self.unit)) for n, total in self.path]


def _progress(base: Address, run: LabRun, stopped: bool) -> Any:
    """How much of a long run is played, and the link to its next piece; None at its end."""
    if run.is_finished:
        return None
    so_far = base.to(seen=run.packed()) if run.counts.games else base
    next_piece = so_far.to(go=1)
    share = f"{run.counts.games:,} of {run.games:,} games"
    return h.div(".row")[
        h.progress(value=str(run.counts.games), max=str(run.games), aria_label="Games played"),
        h.span(".soft")[share],
        # The script goes on by itself until the visitor stops it.
        h.a(class_="button", href=str(next_piece), data_next=not stopped)[
            "Go on" if run.counts.games else "Play"
        ],
        None if stopped else link_button("Stop", so_far.to(stop=1)),
    ]


def _result_cards(view: View, run: LabRun) -> list[Any]:
    """The cards of the figures and of the funnel; before the first games only a sentence."""
    if not run.counts.games:
        return [h.p(".soft")["The first games are being played …"]]
    mean, deviation = run.exact_moments
    quantity = "average profit" if run.key.bet else f"share of “{run.rows[0].event}”"
    funnel = _funnel(run, mean, deviation, quantity)
    return [
        h.div(".columns")[
            view.add_card("statistics", "Seen and exact", _hero(run), _statistics(run)),
            view.add_card(
                "funnel",
                "How the average approaches the exact value",
                funnel,
                _averages(run, quantity),
                h.p(".hint")[
                    f"How far the {quantity} is from the exact value. Each point up to two million "
                    "games is a separate run from this seed; points on a line are one run as it "
                    "goes on. 95 points in 100 lie in the funnel."
                ],
                note="both scales logarithmic",
            )
            if funnel
            else None,
        ]
    ]


def _z_score(run: LabRun) -> float | None:
    """How many standard deviations the average is above the exact one; None if it can't vary."""
    mean, deviation = run.exact_moments
    if not deviation or not isfinite(deviation):
        return None
    return float(run.average(run.counts) - mean) / (deviation / sqrt(run.counts.games))


def _wins(run: LabRun) -> tuple[int, Fraction] | None:
    """The games won, and the probability of winning one; None without a bet."""
    if not run.key.bet:
        return None
    counted = zip(run.counts.row_counts, run.rows, strict=True)
    winning = [(n, row.p) for n, row in counted if row.pays and row.pays > 0]
    return sum(n for n, _ in winning), sum((p for _, p in winning), Fraction(0))


def _hero(run: LabRun) -> Any:
    """The main figures: how many games were won, and how far the average is from the exact one."""
    z = _z_score(run)
    wins = _wins(run)
    words = "The average is exactly what it should be."
    if z:
        side = "above" if z > 0 else "below"
        place = "within" if abs(z) <= Z else "outside"
        words = (
            f"The average lies {abs(z):.2f} standard deviations {side} the exact one, {place} the "
            "range of 95 runs in 100."
        )
    share = percent(Fraction(wins[0], run.counts.games), 4) if wins else ""
    return Hero(
        KeyFigure(share, "won", f"exactly {percent(wins[1], 4)}", big=True) if wins else None,
        KeyFigure(f"{run.counts.games:,}", "games", f"{run.counts.rolls:,} rolls"),
        words=words,
    )


def _statistics(run: LabRun) -> Table:
    """The counts of all events beside their exact probabilities, and the rolls."""
    n = run.counts.games
    rows: list[tuple[Any, ...]] = []
    for row, count in zip(run.rows, run.counts.row_counts, strict=True):
        spread = sqrt(row.p * (1 - row.p) * n)
        z = float(count - row.p * n) / spread if spread else None
        rows.append((row.event or "paid", row.pays, count, Fraction(count, n), row.p, z))
    rolls = solution_of(run.key.notation).mean_rolls
    rows.append(
        ("rolls in a game", None, run.counts.rolls, Fraction(run.counts.rolls, n), rolls, None)
    )
    rows.append(("longest game, in rolls", None, run.counts.longest, None, None, None))
    columns = [
        Column("event"),
        Column("pays", PAYS),
        Column("count", COUNT),
        Column("seen", DECIMAL),
        Column("exact", DECIMAL),
        Column("z", SCORE),
    ]
    if not run.key.bet:
        columns, rows = columns[:1] + columns[2:], [r[:1] + r[2:] for r in rows]
    return Table(columns, rows)


def _funnel(run: LabRun, mean: Fraction, deviation: float, quantity: str) -> Chart | None:
    """The averages around the mean; both axes are logarithmic, the middle is 0.

    None if the average can't vary, or has no standard deviation.
    """
    if not deviation or not isfinite(deviation):
        return None
    path = run.path_averages()
    averages = [*run.separate_averages(), *path]
    last = max(n for n, _ in averages)
    low = floor(log10(Z * deviation / sqrt(max(last, 10)))) - 0.3
    high = log10(Z * deviation) + 0.3

    def height(difference: float) -> float:
        """The height of a difference from the mean, above 0 or below."""
        size = abs(difference)
        # Closer to 0 than the axis reaches.
        if not size or log10(size) <= low:
            return 0.0
        return (1 if difference > 0 else -1) * (log10(size) - low)

    x = chart.decades(1, max(last, 10), "games")
    top = high - low
    powers = range(floor(low) + 1, floor(high) + 1)
    # Nearer to the middle a label would cover that of 0.
    labelled = [k for k in powers if k - low > top / 8]
    ticks = [(0.0, "0")]
    for k in labelled[:: 2 if len(powers) > 5 else 1]:
        ticks += [(k - low, f"+{10.0**k:g}"), (low - k, f"−{10.0**k:g}")]
    y = Axis(-top, top, tuple(ticks), quantity)
    sizes = [10 ** (k / 8) for k in range(int(8 * log10(x.high)) + 1)]
    widths = [(n, Z * deviation / sqrt(n)) for n in sizes]
    band = chart.band(x, y, [(n, height(-width), height(width)) for n, width in widths])
    line = ""
    if len(path) > 1:
        line = chart.line(x, y, [(float(n), height(float(v - mean))) for n, v in path])
    dots = [
        (float(n), height(float(v - mean)), f"{n:,} games: {decimal(v, 7)}") for n, v in averages
    ]
    seen = decimal(averages[-1][1], 6)
    caption = f"After {last:,} games the {quantity} is {seen}; exactly it is {decimal(mean, 6)}."
    return Chart(x, y, band + line + chart.dots(x, y, dots), caption)


def _averages(run: LabRun, quantity: str) -> Saved:
    """The points of the funnel as a table, for the file."""
    columns = [Column("games", COUNT), Column(quantity, FRACTION, DECIMAL)]
    return Saved(Table(columns, [*run.separate_averages(), *run.path_averages()]))


def _bar(run: LabRun) -> Any:
    """The share of games won, the number of games and the z-score, for the bar."""
    if not run.counts.games:
        return [h.span["The first games are being played."]]
    wins, z = _wins(run), _z_score(run)
    return [
        wins
        and bar_item(with_unit(percent(Fraction(wins[0], run.counts.games), 4)), "seen", main=True),
        wins and bar_item(with_unit(percent(wins[1], 4)), "exact"),
        bar_item(f"{run.counts.games:,}", "games"),
        z is not None and bar_item(minus(f"{z:+.2f}"), "standard deviations"),
    ]
