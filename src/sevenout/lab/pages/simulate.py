"""The simulate page: many games, roll by roll, and how what is seen comes to what is true."""

from asyncio import sleep
from fractions import Fraction
from functools import lru_cache
from typing import Any

from nicegui import app, ui

from sevenout.chain import Chain, chain_of
from sevenout.errors import SevenoutError
from sevenout.exact import Solution, solve
from sevenout.games import catalogue
from sevenout.lab import figures, limits, plot, shell
from sevenout.lab.aside import aside
from sevenout.lab.choice import Choice, choose, typed
from sevenout.lab.jobs import Job, Jobs, State
from sevenout.lab.markup import Markup, render, tag
from sevenout.lab.widgets import (
    Html,
    Notice,
    Select,
    Words,
    box,
    button,
    card,
    link,
    say,
    sentence,
    text_field,
)
from sevenout.numerals import parse_count, parse_seed
from sevenout.page.numbers import decimal, short
from sevenout.simulate import Tally
from sevenout.simulate.statistics import has_exact_values, statistics
from sevenout.verify import Interval, clopper_pearson, confirm

PATH = "/simulate"
LEVEL = "95%"
BEAT = 0.2
"""Seconds from one look at a simulation to the next."""


def register() -> None:
    """Register the page; all readers share the machine."""
    jobs = Jobs()
    app.on_shutdown(jobs.stop)

    @shell.route(PATH, "Simulate")
    def build() -> None:
        page = SimulatePage(jobs, dict(ui.context.client.request.query_params))
        ui.context.client.on_delete(page.leave)


class SimulatePage:
    """What one reader sees."""

    def __init__(self, jobs: Jobs, query: dict[str, str]) -> None:
        self.jobs = jobs
        self.job: Job | None = None
        self.solution: Solution | None = None
        self.choice: Choice = choose({})
        with box("div", "heading"), box("div"):
            self.title = Words("h1", "Simulate")
            Words(
                "p",
                "Every game is played to its end, every roll fair and its own. The same seed "
                "gives the same counts on any machine.",
            )
        with card(), box("div", "stack"):
            with box("div", "fields"):
                self.game = text_field("Game", "craps", self.pick, classes="medium", list="games")
                self.games = text_field(
                    "Games", "1e9", lambda _: self.games.wrong(), classes="narrow"
                )
                self.seed = text_field(
                    "Seed", "1", lambda _: self.seed.wrong(), classes="narrow", inputmode="numeric"
                )
                self.bet = Select("Bet to follow", (), "", lambda _: self.draw(), classes="medium")
            with box("datalist", id="games"):
                for entry in catalogue.entries.values():
                    Words("option", entry.title, value=entry.id)
            with box("div", "row"):
                self.go = button("Start", self.start, "main")
                self.halt = button("Stop", self.stop, disabled="")
                self.odds = link("Its exact odds", "/", "button quiet")
            self.status = Notice()
            self.wrong = Notice(wrong=True)
            self.bar = box("progress", "progress", max=1000, value=0, aria_label="Games played")
        with box("div", "stack") as self.results:
            with card("The running estimate"):
                self.plot = Html(tag("p", "Start a simulation to see it converge.", class_="muted"))
            self.verdict = Notice()
            with box("div", "columns"):
                with card("Return table, seen beside exact"):
                    self.table = Html(_NOTHING)
                with card("What was seen", "z: standard deviations from exact"):
                    self.page = Html(_NOTHING)
        self.timer = ui.timer(BEAT, self.look, active=False)
        try:
            self.take(choose(query))
        except SevenoutError as error:
            self.take(self.choice)
            self.wrong.show(f"The address does not hold a game: {error}. This is craps.")

    def take(self, choice: Choice) -> None:
        """Show that a game is chosen."""
        chain = chain_of(choice.game, limits.MAX_STATES)
        self.choice, self.chain = choice, chain
        self.title.set_text(f"Simulate: {choice.title}")
        entry = dict(part.partition("=")[::2] for part in choice.query.split("&"))
        self.game.set(entry.get("entry", entry.get("game", "")))
        chosen = choice.bet if choice.bet in chain.bets else (*chain.bets, "")[0]
        self.bet.offer([(bet, bet) for bet in chain.bets], chosen)
        self.bet.root.classes(replace="field medium" if len(chain.bets) > 1 else "hidden")
        say(self.odds, href=f"/?{choice.query}")

    def pick(self, text: str) -> None:
        """Choose another game."""
        self.game.wrong()
        try:
            self.take(typed(text))
        except SevenoutError as error:
            self.game.wrong(sentence(error))
            return
        ui.navigate.history.replace(f"{PATH}?{self.choice.query}")

    async def start(self) -> None:
        """Start, or wait for a turn."""
        for field in (self.games, self.seed):
            field.wrong()
        try:
            games = parse_count(self.games.value, most=limits.MAX_GAMES)
        except SevenoutError as error:
            self.games.wrong(sentence(error))
            return
        try:
            seed = parse_seed(self.seed.value)
        except SevenoutError as error:
            self.seed.wrong(sentence(error))
            return
        self.leave()
        chain, bet = self.chain, self.bet.value or None
        try:
            self.job = job = self.jobs.start(chain, games, seed, bet)
        except SevenoutError as error:
            self.wrong.show(sentence(error))
            return
        self.wrong.show()
        self.verdict.show()
        self.solution = None
        say(self.halt, disabled=None)
        say(self.go, disabled="")
        self.timer.activate()
        await self.look()
        if has_exact_values(chain):
            solution = await aside(_solved, chain)
            if job is self.job:
                self.solution = solution
                await self.draw()

    async def stop(self) -> None:
        """Stop; what has been counted stays on the page."""
        if self.job is not None:
            self.job.stop()
            self.status.show("Stopping …")
            await sleep(BEAT / 4)
            await self.look()

    def leave(self) -> None:
        """The page is gone: so is what it started."""
        if self.job is not None:
            self.job.stop()

    async def look(self) -> None:
        """See how the simulation stands."""
        job = self.job
        if job is None:
            return
        over = job.is_over
        self.status.show(_status(job, self.jobs))
        if job.progress is not None:
            say(self.bar, value=int(1000 * job.progress.done / job.games))
        await self.draw()
        if over and job is self.job:
            self.timer.deactivate()
            say(self.halt, disabled="")
            say(self.go, disabled=None)
            self.wrong.show(f"{sentence(SevenoutError(job.error))}" if job.error else "")
            if job.tally is not None and job.tally.games and self.solution is not None:
                said = await aside(_verdict, job.tally, self.solution)
                if job is self.job:
                    self.verdict.show(said)

    async def draw(self) -> None:
        """Show what has come back."""
        job = self.job
        if job is None or job.tally is None:
            return
        drawn = await aside(_drawn, job, job.tally, self.solution, self.bet.value)
        if job is self.job:
            for place, markup in zip((self.plot, self.table, self.page), drawn, strict=True):
                place.show(markup)


def _drawn(
    job: Job, tally: Tally, solution: Solution | None, bet: str
) -> tuple[Markup, Markup, Markup]:
    """The plot, the return table and the statistics; made on another thread."""
    if job.bet is None:
        none = tag("p", "This game has no bet to follow.", class_="muted")
        return none, none, seen(tally, solution)
    exact = None if solution is None else solution.bet(job.bet).p_win
    table = beside(tally, solution, bet if bet in tally.chain.bets else job.bet)
    return converging(job, exact), table, seen(tally, solution)


_NOTHING = tag("p", "Nothing yet.", class_="muted")


def _solved(chain: Chain) -> Solution:
    solution = solve(chain)
    _ = solution.bets, solution.mean_rolls
    return solution


def _verdict(tally: Tally, solution: Solution) -> str:
    return confirm(tally, solution).verdict


def _status(job: Job, jobs: Jobs) -> str:
    progress = job.progress
    if job.state is State.WAITING:
        ahead = jobs.ahead_of(job)
        return (
            f"Waiting: the machine plays {limits.RUNNING} simulations at once, and "
            f"{ahead} {'is' if ahead == 1 else 'are'} before this one."
        )
    if progress is None:
        return "Starting …"
    rate = progress.rolls / max(progress.seconds, 1e-9)
    done = f"{progress.done:,} of {job.games:,} games; {_million(rate)} rolls a second"
    if job.state is State.RUNNING:
        left = progress.seconds * (job.games - progress.done) / max(progress.played, 1)
        return f"{done}; about {left:,.0f} s to go."
    if job.state is State.DONE:
        return f"Done: {job.games:,} games, {progress.rolls:,} rolls in {progress.seconds:.1f} s."
    return f"Stopped: {done}."


def _million(rate: float) -> str:
    return f"{rate / 1e6:,.0f} million" if rate >= 1e6 else f"{rate:,.0f}"


def converging(job: Job, exact: Fraction | None) -> Markup:
    """The share of games won as games come in, its exact interval, and what is true."""
    points = list(job.points)
    if len(points) < 2:
        points = points * 2
    bands = [(n, _interval(won, n)) for n, won in points]
    ripe = [b for n, b in bands if n * 6 >= points[-1][0]]
    low, high = min(b.low for b in ripe), max(b.high for b in ripe)
    if exact is not None:
        low, high = min(low, float(exact)), max(high, float(exact))
    room = 0.08 * (high - low) or 1e-9
    x = plot.axis(0, max(job.games, 1), "games", 4, _games)
    y = plot.axis(low - room, high + room, "share of games won", 5, plot.percent)
    shapes = [
        plot.band(x, y, [(n, b.low, b.high) for n, b in bands]),
        plot.line(x, y, [(n, won / n) for n, won in points]),
    ]
    notes = []
    if exact is not None:
        shapes.append(plot.level(y, float(exact)))
        notes.append(plot.note(y, float(exact), f"exact {decimal(100 * exact, 6)} %"))
    games, won = points[-1]
    caption = f"{won:,} of {games:,} games won, a share of {won / games:.8f}"
    key = tag(
        "p",
        tag("span", tag("i"), "seen"),
        tag("span", tag("i", class_="band"), "95 % interval, exact (Clopper–Pearson)"),
        tag("span", tag("i", class_="mark"), "exact") if exact is not None else None,
        class_="key",
    )
    picture = plot.plot(x, y, *shapes, notes=notes, caption=caption, kind="tall wide-labels")
    return render(picture, key, tag("p", caption, ".", class_="visually-hidden"))


@lru_cache(maxsize=4096)
def _interval(won: int, games: int) -> Interval:
    return clopper_pearson(won, games, LEVEL)


def _games(value: float, _: int) -> str:
    for size, word in ((1e9, "bn"), (1e6, "m"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g} {word}"
    return f"{value:g}"


def beside(tally: Tally, solution: Solution | None, bet: str) -> Markup:
    """The return table as it was seen, beside the exact one."""
    seen: dict[tuple[str, Fraction], int] = {}
    stake = tally.chain.stake(bet)
    for outcome, n in tally.outcomes.items():
        pay = outcome.pay(bet)
        key = pay.event, pay.profit / stake
        seen[key] = seen.get(key, 0) + n
    exact: dict[tuple[str, Fraction], Fraction] = {}
    if solution is not None:
        for row in solution.bet(bet).table:
            exact[row.event, row.pays] = row.probability
    rows = []
    shown = sorted(seen.items(), key=lambda item: -item[1])[: figures.MOST_ROWS]
    for (event, pays), n in shown:
        p = exact.get((event, pays))
        share = Fraction(n, tally.games)
        rows.append(
            (
                event,
                figures.pay(pays),
                f"{n:,}",
                decimal(share, 7),
                "" if p is None else decimal(p, 7),
            )
        )
    head = [
        ("event", ""),
        ("pays", "num"),
        ("games", "num wide"),
        ("seen", "num"),
        ("exact", "num"),
    ]
    return figures.table(head, rows, label=f"Return table of {bet}, seen and exact")


def seen(tally: Tally, solution: Solution | None) -> Markup:
    """The statistics, each beside its exact value."""

    def shown(value: Any) -> str:
        if value is None:
            return ""
        return f"{value:,}" if isinstance(value, int) else decimal(value, 7)

    rows = [
        (
            line.name,
            shown(line.seen),
            "" if line.exact is None else tag("span", shown(line.exact), title=short(line.exact)),
            "" if line.z is None else f"{line.z:+.2f}",
        )
        for line in statistics(tally, solution)
    ]
    head = [("statistic", ""), ("seen", "num"), ("exact", "num"), ("z", "num")]
    return figures.table(head, rows, label="Statistics, seen and exact")
