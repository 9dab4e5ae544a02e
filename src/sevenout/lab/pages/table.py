"""The table page: a game played by hand, against its exact expectation."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from nicegui import ui

from sevenout.chain import chain_of
from sevenout.errors import SevenoutError
from sevenout.exact import solve
from sevenout.games import catalogue
from sevenout.lab import felt, figures, limits, shell
from sevenout.lab.choice import Choice, choose
from sevenout.lab.markup import Markup, render, tag
from sevenout.lab.play import Play, Rolled, Stake
from sevenout.lab.results import running, sums
from sevenout.lab.widgets import (
    Html,
    Notice,
    Segments,
    Select,
    Words,
    box,
    button,
    card,
    say,
    sentence,
    text_field,
)
from sevenout.numerals import parse_seed
from sevenout.page.numbers import decimal
from sevenout.report.words import state_in_words
from sevenout.rules import Game, Together

PATH = "/table"
SPEEDS = (("1", "1 a second"), ("5", "5"), ("20", "20"))
CHIPS = (0, 1, 5, 25, 100)
GAMES = (("craps", "Craps"), ("fast-craps", "Fast Craps"), ("hazard", "Hazard"))
MAINS = ("5", "6", "7", "8", "9")
ENTRY = "entry"
MOST_STATES = 3_000
"""A game of the catalogue with more states is not played by hand."""
TURN_LOSSES = 2
SHOWN = 12
"""Lines of the log that are shown."""

_SPACE = """
(() => {
  if (window.sevenoutSpace) return;
  window.sevenoutSpace = true;
  document.addEventListener("keydown", (e) => {
    if (e.code !== "Space" || e.repeat) return;
    if (/^(INPUT|SELECT|BUTTON|TEXTAREA|A|SUMMARY)$/.test(e.target.tagName)) return;
    e.preventDefault();
    document.querySelector(".roll")?.click();
  });
})()
"""


def register() -> None:
    """Register the page."""

    @shell.route(PATH, "Table")
    def build() -> None:
        TablePage(dict(ui.context.client.request.query_params))


def game_of(name: str, main: str) -> Game:
    """The game of a table."""
    if name == "craps":
        return Together(catalogue["craps"], catalogue["dont-pass"])
    if name == "fast-craps":
        return catalogue["fast-craps"]
    return catalogue("hazard", main=int(main))


@dataclass
class Turn:
    """The caster's turn at hazard: it is over when two rounds in a row are lost."""

    won: int = 0
    lost: int = 0
    turns: int = 0
    total: int = 0

    def take(self, profit: Fraction) -> bool:
        """Take in a round; whether the turn is over."""
        if profit > 0:
            self.won, self.lost = self.won + 1, 0
        elif profit < 0:
            self.lost += 1
        if self.lost < TURN_LOSSES:
            return False
        self.turns, self.total = self.turns + 1, self.total + self.won
        self.won = self.lost = 0
        return True


class TablePage:
    """What one player sees."""

    def __init__(self, query: dict[str, str]) -> None:
        self.choice, refused = _chosen(query)
        name = ENTRY if self.choice else query.get("game", "craps")
        self.name = name if name in dict(GAMES) or name == ENTRY else "craps"
        games = [*GAMES, *([(ENTRY, self.choice.title)] if self.choice else [])]
        self.main = query.get("main", "7") if query.get("main") in MAINS else "7"
        try:
            self.seed_value = str(parse_seed(query.get("seed", "")))
        except SevenoutError:
            self.seed_value = "1"
        with box("div", "heading"), box("div"):
            Words("h1", "Table")
            self.rules = Words("p")
        with box("div", "fields"):
            with box("div", "field"):
                Words("span", "Game", "label")
                Segments("Game", games, self.name, self.choose)
            self.mains = Select(
                "Main", [(m, m) for m in MAINS], self.main, self.choose_main, classes="narrow"
            )
            self.seed = text_field(
                "Seed", self.seed_value, self.reseed, classes="narrow", inputmode="numeric"
            )
        with box("div", "columns wide-first"):
            with box("div", "stack"):
                with box("section", "felt", aria_label="The felt"):
                    with box("div", "felt-top"):
                        self.puck = Html()
                        self.dice = Html()
                        self.call = Words("p", "", "call", role="status")
                    self.bets = box("div", "bets")
                    with box("div", "row"):
                        self.roller = button("Roll", self.roll, "main roll", title="space bar")
                        self.auto = button("Autoplay", self.toggle, "onfelt", aria_pressed="false")
                        self.speed = Segments("Rolls a second", SPEEDS, "5", self.set_speed)
                result = card("The running result", "against its exact mean and 95 % band")
                with result, box("div", "stack"):
                    self.follow = Select("Bet", (), "", lambda _: self.draw(), classes="medium")
                    self.plot = Html()
            with box("div", "stack"):
                with card("So far", "in chips"):
                    self.sums = Html()
                    self.turns = Html()
                with card("The log"):
                    self.log = Html(name="ol", classes="log")
        self.trouble = Notice(wrong=True)
        self.timer = ui.timer(0.2, self.tick, active=False)
        self.new_table()
        self.trouble.show(refused)
        ui.run_javascript(_SPACE)

    def choose(self, name: str) -> None:
        """Play another game."""
        self.name = name
        self.new_table()

    def choose_main(self, main: str) -> None:
        """Call another main."""
        if main in MAINS:
            self.main = main
            self.new_table()

    def reseed(self, text: str) -> None:
        """Roll other dice."""
        try:
            self.seed_value = str(parse_seed(text))
        except SevenoutError as error:
            self.seed.wrong(sentence(error))
            return
        self.seed.wrong()
        self.new_table()

    def new_table(self) -> None:
        """Start over, with the seed's first roll."""
        self.stop()
        own = self.choice if self.name == ENTRY else None
        game = own.game if own else game_of(self.name, self.main)
        self.play = Play(game, int(self.seed_value))
        self.turn = Turn() if self.name == "hazard" else None
        self.rolled: list[Rolled] = []
        self.mains.root.classes(replace="field narrow" if self.turn else "hidden")
        known = {"craps": "craps", "fast-craps": "fast-craps-pass", "hazard": "hazard"}
        words = own.text if own else catalogue.entry(known[self.name]).rules
        self.rules.set_text(" ".join(words.split()))
        main = f"&main={self.main}" if self.turn else ""
        query = own.query if own else f"game={self.name}{main}"
        ui.navigate.history.replace(f"{PATH}?{query}&seed={self.seed_value}")
        names = list(self.play.stakes)
        self.follow.offer([(bet, bet) for bet in names], (*names, "")[0])
        self.follow.root.classes(replace="field medium" if len(names) > 1 else "hidden")
        self.bets.clear()
        with self.bets:
            self.boxes = {
                name: _Box(name, stake, self.put) for name, stake in self.play.stakes.items()
            }
        self.mean_won = None
        if self.turn is not None:
            self.mean_won = solve(catalogue("hazard-turn", main=int(self.main))).mean("won")
        self.show()

    def put(self, name: str, chips: int) -> None:
        """Stake other chips; only before a game."""
        if not self.play.is_fresh:
            self.trouble.show("Chips are moved between games, not while a point is on.")
            return
        self.trouble.show()
        self.play.stakes[name].put(chips)
        self.show()

    def roll(self) -> None:
        """Roll once."""
        rolled = self.play.roll()
        self.rolled.append(rolled)
        del self.rolled[: -limits.MAX_LOG]
        self.trouble.show()
        if self.turn is not None and rolled.settled is not None:
            self.turn.take(rolled.settled.profit("pass"))
        self.show()

    def tick(self) -> None:
        """Autoplay rolls once."""
        try:
            self.roll()
        except SevenoutError as error:
            self.stop()
            self.trouble.show(f"{error}.")

    def toggle(self) -> None:
        """Start or stop autoplay."""
        if self.timer.active:
            self.stop()
        else:
            self.timer.activate()
            self.auto.set_text("Stop")
            say(self.auto, aria_pressed="true")

    def stop(self) -> None:
        """Stop autoplay."""
        if hasattr(self, "timer"):
            self.timer.deactivate()
            self.auto.set_text("Autoplay")
            say(self.auto, aria_pressed="false")

    def set_speed(self, speed: str) -> None:
        """So many rolls a second."""
        self.timer.interval = 1 / int(speed)

    def show(self) -> None:
        """Show the table as it stands."""
        play = self.play
        last = self.rolled[-1] if self.rolled else None
        self.puck.show(felt.puck(felt.point_of(play.state)))
        self.dice.show(felt.dice(last.faces if last else ("", "")))
        self.call.set_text(self.called(last))
        for shown in self.boxes.values():
            shown.show(last, play.is_fresh)
        self.sums.show(sums(play.stakes))
        self.turns.show(self.told_turns())
        self.log.show([self.line(rolled) for rolled in reversed(self.rolled[-SHOWN:])])
        self.draw()

    def called(self, last: Rolled | None) -> str:
        """The last roll, as the dealer calls it."""
        if last is None:
            return "Place your chips and roll."
        if last.settled is not None:
            return f"{last.total}: {last.settled.label}"
        return f"{last.total}; {state_in_words(self.play.game, last.after)}"

    def line(self, rolled: Rolled) -> Markup:
        """A line of the log."""
        what = (
            rolled.settled.label if rolled.settled else state_in_words(self.play.game, rolled.after)
        )
        faces = " ".join(map(str, rolled.faces))
        return tag(
            "li",
            tag("span", faces, class_="muted"),
            tag("span", rolled.total, class_="num"),
            tag("span", what, class_="settled" if rolled.settled else "muted"),
        )

    def told_turns(self) -> Markup:
        """How the caster's turns go."""
        if self.turn is None or self.mean_won is None:
            return Markup("")
        turn = self.turn
        seen = decimal(Fraction(turn.total, turn.turns), 4) if turn.turns else "none yet"
        rows = [
            ("rounds won in this turn", "", str(turn.won)),
            ("lost in a row, of two that end it", "", str(turn.lost)),
            (f"mean won in {turn.turns:,} turns", "", seen),
            ("exact mean", "", decimal(self.mean_won, 4)),
        ]
        return render(tag("h3", "The caster's turn", class_="after"), figures.facts(rows))

    def draw(self) -> None:
        """Show the running result of a bet."""
        stake = self.play.stakes.get(self.follow.value)
        if stake is not None:
            self.plot.show(running(stake))


def _chosen(query: dict[str, str]) -> tuple[Choice | None, str]:
    """The entry of the address, if there is one that can be played here; and why not, if not."""
    if "entry" not in query:
        return None, ""
    try:
        choice = choose(query)
        chain_of(choice.game, MOST_STATES)
    except SevenoutError as error:
        return None, f"That can't be played here: {error}."
    return choice, ""


class _Box:
    """A bet on the felt, and its chips."""

    def __init__(self, name: str, stake: Stake, put: Callable[[str, int], Any]) -> None:
        self.stake = stake
        with box("div", "bet", role="group", aria_label=f"The bet {name}"):
            Words("span", name, "bet-name")
            with box("div", "bet-row"):
                self.less = button("−", lambda: put(name, self._step(-1)), "onfelt round")
                say(self.less, aria_label=f"Fewer chips on {name}")
                self.chip = Words("span", "", "stake")
                self.more = button("+", lambda: put(name, self._step(1)), "onfelt round")
                say(self.more, aria_label=f"More chips on {name}")
            self.last = Words("span", "", "bet-last")

    def _step(self, by: int) -> int:
        at = CHIPS.index(self.stake.chips) + by
        return CHIPS[min(max(at, 0), len(CHIPS) - 1)]

    def show(self, last: Rolled | None, fresh: bool) -> None:
        """Show the chips, and what the last game brought."""
        self.chip.set_text(str(self.stake.chips) if self.stake.chips else "–")
        self.chip.classes(replace="stake" if self.stake.chips else "stake none")
        for control in (self.less, self.more):
            say(control, disabled=None if fresh else "")
        if last is not None and last.settled is not None and self.stake.chips:
            won = last.settled.profit(self.stake.bet.name) / self.stake.bet.stake * self.stake.chips
            self.last.set_text(
                "push" if not won else f"{'wins' if won > 0 else 'loses'} {abs(won)}"
            )
        else:
            self.last.set_text("\u00a0")
