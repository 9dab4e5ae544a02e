"""The game page: rules on tiles, and all that is true of them at once."""

from dataclasses import dataclass, replace
from functools import lru_cache
from urllib.parse import parse_qsl

from nicegui import ui

from sevenout.chain import Chain, chain_of
from sevenout.errors import SevenoutError
from sevenout.exact import Solution, solve
from sevenout.games import catalogue
from sevenout.lab import limits, shell
from sevenout.lab.aside import aside
from sevenout.lab.choice import Choice, choose
from sevenout.lab.files import accept
from sevenout.lab.odds import Odds
from sevenout.lab.rulebook import CRAPS, Rulebook, of_game, read, read_file, totals_of
from sevenout.lab.tiles import Tiles
from sevenout.lab.widgets import (
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
from sevenout.rules import Game
from sevenout.rules.gamefile import GameFile, game_text

PATH = "/"
SCRATCH = Rulebook("2d6", {7: "craps"}, 7)
LARGE = 400
"""States from which solving is left to another thread."""


@dataclass(frozen=True)
class Fixed:
    """A game that is more than tiles can say: it is shown, not edited."""

    choice: Choice
    file: GameFile | None = None


def register() -> None:
    """Register the page."""
    shell.route(PATH, "Game")(build)


def build() -> None:
    """Build the page for the game in its address."""
    GamePage(dict(ui.context.client.request.query_params))


@lru_cache(maxsize=256)
def solved(rules: Rulebook) -> Solution:
    """The solution of rules that make sense."""
    return solve(chain_of(rules.game(), limits.MAX_STATES))


@lru_cache(maxsize=1)
def named() -> dict[Rulebook, str]:
    """The games of the catalogue that tiles can say, by their rules."""
    names: dict[Rulebook, str] = {}
    for entry in catalogue.entries.values():
        rules = of_game(entry.game())
        if rules is not None:
            names.setdefault(rules, entry.title)
    return names


class GamePage:
    """What one reader sees."""

    def __init__(self, query: dict[str, str]) -> None:
        with box("div", "heading"):
            with box("div"):
                self.title = Words("h1")
                self.text = Words("p")
            with box("div", "row"):
                self.simulate = link("Simulate", "/simulate", "button")
                self.saver = button("Save as TOML", self.save)
                self.printer = button("Sheet as PDF", self.sheet)
        self.problem = Notice(wrong=True)
        with card(classes="rules") as self.editor, box("div", "stack"):
            with box("div", "fields"):
                starts = [("", "…"), ("scratch", "Scratch: 7 loses, all else is a point")]
                starts += [(r.query, title) for r, title in named().items()]
                self.start = Select("Start from", starts, "", self.begin, classes="medium")
                self.dice = text_field("Dice", "2d6", self.roll_with, classes="narrow")
                self.limit = text_field(
                    "Rolls for the point",
                    "",
                    self.allow,
                    classes="narrow",
                    placeholder="any",
                    inputmode="numeric",
                )
            self.tiles = Tiles(self.change)
        with box("div", "row"):
            accept(
                self.editor,
                "Open a TOML file",
                ".toml",
                self.open,
                self.problem.show,
            )
            link("Choose from the catalogue", "/catalogue", "button quiet")
            Words("span", "or drop a file on the tiles", "muted small")
        self.odds = Odds()
        self.rules = read(CRAPS)
        self.fixed: Fixed | None = None
        self.load(query)

    def load(self, query: dict[str, str]) -> None:
        """Show the game of an address; craps, and what is wrong, if it holds none."""
        try:
            choice = choose(query)
            if choice.rules is not None:
                self.change(choice.rules, keep=True)
            else:
                self.show_fixed(Fixed(choice))
        except SevenoutError as error:
            self.change(read(CRAPS), keep=True)
            self.problem.show(f"The address does not hold a game: {error}. This is craps.")

    def begin(self, query: str) -> None:
        """Start from a game of the list."""
        if query == "scratch":
            self.change(SCRATCH)
        elif query:
            self.load(dict(parse_qsl(query)))

    def change(self, rules: Rulebook, keep: bool = False) -> None:
        """Show rules, and their odds if they make sense."""
        self.rules, self.fixed = rules, None
        self.problem.show()
        self.editor.classes(remove="hidden")
        self.saver.classes(replace="button")
        self.dice.set(rules.dice)
        self.dice.wrong()
        self.limit.set("" if rules.limit is None else str(rules.limit))
        self.limit.wrong()
        if not keep:
            ui.navigate.history.replace(f"{PATH}?{rules.query}")
        try:
            solution = solved(rules)
        except SevenoutError as error:
            why = f"{sentence(error)} The odds below are the last that were right."
            self.tiles.show(rules, self.at_fault(rules), why)
            self.odds.stale(True)
            return
        self.tiles.show(rules)
        name = named().get(rules)
        self.title.set_text(name or "A game of your own")
        self.text.set_text(rules.title)
        start = rules.query if rules in named() else ""
        self.start.set(start)
        self.simulate.classes(replace="button")
        say(self.simulate, href=f"/simulate?{rules.query}")
        few = rules.is_variant and len(totals_of(rules.dice)) <= 16
        self.odds.show(rules.game(), solution, rules.dice if few else None)

    @staticmethod
    def at_fault(rules: Rulebook) -> frozenset[int]:
        """The tiles at which something is wrong."""
        totals = totals_of(rules.dice)
        if all(rules.role(total) != "point" for total in totals):
            return frozenset(totals)
        return frozenset({rules.out})

    def roll_with(self, dice: str) -> None:
        """Play the same rules with other dice."""
        try:
            rules = self.rules.on(dice)
        except SevenoutError as error:
            self.dice.wrong(sentence(error))
            self.odds.stale(True)
            return
        self.change(rules)

    def allow(self, text: str) -> None:
        """Allow so many rolls for the point."""
        text = text.strip()
        if text and not (text.isdecimal() and len(text) < 9 and 1 <= int(text) <= limits.MAX_LIMIT):
            self.limit.wrong(f"{text[:20]!r}: give a number from 1 to 100, or nothing for any.")
            self.odds.stale(True)
            return
        self.change(replace(self.rules, limit=int(text) if text else None))

    async def open(self, name: str, text: str) -> None:
        """Show the game of a file."""
        try:
            file = await aside(read_file, text, name)
        except SevenoutError as error:
            self.problem.show(sentence(error))
            return
        rules = of_game(file.game)
        small = rules is not None and (rules.limit or 0) <= limits.MAX_LIMIT
        if rules is not None and small and len(file.lines) == 1:
            self.change(rules)
            self.title.set_text(file.name)
            return
        choice = Choice(file.name, file.rules, file.game, None, "")
        try:
            self.show_fixed(Fixed(choice, file))
        except SevenoutError as error:
            self.problem.show(sentence(error))

    def show_fixed(self, fixed: Fixed) -> None:
        """Show a game that tiles can't say."""
        choice = fixed.choice
        chain = chain_of(choice.game, limits.MAX_STATES)
        self.fixed = fixed
        self.problem.show()
        self.editor.classes("hidden")
        self.saver.classes(replace="button" if fixed.file else "hidden")
        self.title.set_text(choice.title)
        self.text.set_text(choice.text)
        self.simulate.classes(replace="button" if choice.query else "hidden")
        say(self.simulate, href=f"/simulate?{choice.query}")
        if len(chain.states) < LARGE:
            self.odds.show(choice.game, solve(chain), None, choice.bet)
            return
        self.odds.stale(True)
        self.problem.show(f"Solving {len(chain.states):,} states …")

        async def later() -> None:
            solution = await aside(_figured, chain)
            self.odds.show(choice.game, solution, None, choice.bet)
            self.problem.show()

        ui.timer(0.05, later, once=True)

    def save(self) -> None:
        """Save the game as a file."""
        try:
            if self.fixed is None:
                text = self.rules.toml(self.title.text)
            elif self.fixed.file is not None:
                text = game_text(self.fixed.file)
            else:
                raise SevenoutError("this game is more than a game file can say")
        except SevenoutError as error:
            self.problem.show(sentence(error))
            return
        ui.download.content(text, f"{_slug(self.title.text)}.toml", "application/toml")

    async def sheet(self) -> None:
        """Make the sheet, and download it."""
        self.printer.set_text("Making the sheet …")
        say(self.printer, disabled="")
        title = self.title.text
        try:
            game = self.fixed.choice.game if self.fixed else self.rules.game()
            text = self.fixed.choice.text if self.fixed else None
            pdf = await aside(_sheet, game, title, text)
            ui.download.content(pdf, f"{_slug(title)}.pdf", "application/pdf")
            self.problem.show()
        except SevenoutError as error:
            self.problem.show(f"No sheet: {error}.")
        finally:
            self.printer.set_text("Sheet as PDF")
            say(self.printer, disabled=None)


def _figured(chain: Chain) -> Solution:
    """A solution whose slow parts are done."""
    solution = solve(chain)
    assert solution.bets is not None
    _ = solution.mean_rolls
    return solution


def _sheet(game: Game, title: str, text: str | None) -> bytes:
    from sevenout.report import sheet

    return sheet(game, title=title, rules=text).pdf()


def _slug(title: str) -> str:
    kept = "".join(c if c.isalnum() else "-" for c in title.lower())
    return "-".join(filter(None, kept.split("-")))[:60] or "game"
