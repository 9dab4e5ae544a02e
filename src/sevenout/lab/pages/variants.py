"""The variants page: the census as a table, its histogram, and the fairest of any dice."""

import re
from functools import cache, partial
from typing import Any

from nicegui import ui

from sevenout.errors import NotationError, SevenoutError
from sevenout.lab import plot, shell
from sevenout.lab.aside import aside
from sevenout.lab.markup import Markup, render, tag
from sevenout.lab.rulebook import totals_of
from sevenout.lab.widgets import (
    Html,
    Notice,
    SortHead,
    Words,
    box,
    button,
    card,
    say,
    sentence,
    text_field,
)
from sevenout.page.numbers import decimal
from sevenout.variants import Fairest, Family, VariantTable, around, census
from sevenout.variants.query import Rows

PATH = "/variants"
PAGE = 25
"""Rows of the table at a time."""
MAX_FAIREST = 10**21
"""Families with no more variants are searched for the fairest; it takes about a second."""
FEW = 12
"""Of each side so many variants are named."""
SHARE = "0.[0-9]{1,12}|1|0"

COLUMNS = (
    ("name", "craps / naturals / out", ""),
    ("p_win", "wins", "num"),
    ("", "exactly", "num exact wide"),
    ("edge", "house edge", "num"),
    ("mean_rolls", "mean rolls", "num wide"),
    ("var_rolls", "variance", "num wide"),
    ("class_size", "like it", "num wide"),
)

_BRUSH = """(e) => {
  const area = e.currentTarget;
  const plot = area.querySelector(".plot");
  if (!plot || e.button) return;
  const frame = plot.getBoundingClientRect();
  const at = (x) => Math.min(1, Math.max(0, (x - frame.left) / frame.width));
  const from = at(e.clientX);
  const shade = document.createElement("div");
  shade.className = "shade";
  plot.append(shade);
  area.setPointerCapture(e.pointerId);
  const move = (m) => {
    const to = at(m.clientX);
    shade.style.left = 100 * Math.min(from, to) + "%";
    shade.style.width = 100 * Math.abs(to - from) + "%";
  };
  const done = (u) => {
    area.removeEventListener("pointermove", move);
    area.removeEventListener("pointerup", done);
    area.removeEventListener("pointercancel", done);
    shade.remove();
    if (u.type === "pointerup") emit([from, at(u.clientX)]);
  };
  area.addEventListener("pointermove", move);
  area.addEventListener("pointerup", done);
  area.addEventListener("pointercancel", done);
}"""


@cache
def shared_table() -> VariantTable:
    """The table of all readers; DuckDB is locked to it."""
    return VariantTable(Family("2d6"))


@cache
def shared_histogram() -> tuple[int, ...]:
    """How many variants win with a probability of 0 to 1 %, 1 to 2 %, ..."""
    counts = [0] * 100
    for p, n in census(Family("2d6")).histogram.items():
        counts[min(99, int(100 * p))] += n
    return tuple(counts)


def register() -> None:
    """Register the page."""

    @shell.route(PATH, "Variants")
    def build() -> None:
        VariantsPage()


class VariantsPage:
    """What one reader sees."""

    def __init__(self) -> None:
        self.sort, self.down, self.page, self.pages = "", False, 0, 1
        self.asked = 0
        with box("div", "heading"), box("div"):
            Words("h1", "Variants")
            Words(
                "p",
                "All 1,254,044 ways to deal the eleven totals of two dice to craps, naturals and "
                "points, each with its exact win probability.",
            )
        with card("How likely a win is", "drag over the bars to choose a range") as histogram:
            self.histogram = Html(tag("p", "Counting …", class_="muted"), classes="brush")
            with box("div", "fields"):
                self.low = text_field("Wins, from", "0", self.again, classes="narrow")
                self.high = text_field("to", "1", self.again, classes="narrow")
                with box("div", "field"):
                    Words("span", "\u00a0", "label spacer")
                    button("All of them", self.clear)
        say(histogram, id="histogram")
        self.histogram.on("pointerdown", self.brushed, js_handler=_BRUSH)
        with card("The table"), box("div", "stack"):
            with box("div", "fields"):
                self.where = text_field(
                    "Condition",
                    "",
                    self.again,
                    classes="wide-field",
                    placeholder="n_points >= 5 and mean_rolls < 3",
                )
                self.jump = text_field(
                    "Page", "1", self.to_page, classes="narrow", inputmode="numeric"
                )
            self.status = Notice()
            region = box("div", "table", role="region", aria_label="Variants", tabindex="0")
            with region, box("table"):
                self.head = SortHead(COLUMNS, self.order)
                self.body = Html(name="tbody")
            with box("div", "row pager"):
                self.back = button("Previous", partial(self.turn, -1))
                self.count = Words("span", "", "muted")
                self.forth = button("Next", partial(self.turn, 1))
            Words(
                "p",
                "Columns: name, craps, naturals, out, out_in, p_win, edge, mean_rolls, var_rolls, "
                "n_craps, n_naturals, n_points, class_size. Choose a row to open it as a game.",
                "muted small",
            )
        proof = card("The fairest of any dice", "with the proof that none is nearer")
        with proof, box("div", "stack"):
            with box("div", "fields"):
                self.dice = text_field("Dice", "2d6", self.dull, classes="medium")
                self.target = text_field("Wins as near to", "1/2", self.dull, classes="narrow")
                with box("div", "field"):
                    Words("span", "\u00a0", "label spacer")
                    self.find = button("Find the fairest", self.search, "main")
            self.found = Html()
        ui.timer(0.02, self.begin, once=True)

    async def begin(self) -> None:
        """Draw the histogram, then build the table if nobody has yet."""
        await aside(shared_histogram)
        self.draw()
        await self.show("Building the table of 1,254,044 variants …")

    async def again(self, _: str = "") -> None:
        """Ask again, from the first page."""
        self.page = 0
        self.draw()
        await self.show()

    async def brushed(self, event: Any) -> None:
        """A range was drawn over the bars; a click takes it away."""
        low, high = sorted(min(1.0, max(0.0, float(x))) for x in event.args)
        if high - low < 0.005:
            low, high = 0.0, 1.0
        self.low.set(f"{low:.4f}".rstrip("0").rstrip("."))
        self.high.set(f"{high:.4f}".rstrip("0").rstrip("."))
        await self.again()

    async def clear(self) -> None:
        """Show all of them."""
        self.low.set("0")
        self.high.set("1")
        self.where.set("")
        await self.again()

    async def order(self, column: str) -> None:
        """Sort by a column; again, the other way round."""
        self.down = not self.down if column == self.sort else column != "name"
        self.sort, self.page = column, 0
        await self.show()

    async def turn(self, pages: int) -> None:
        """Turn the pages."""
        self.page += pages
        await self.show()

    async def to_page(self, text: str) -> None:
        """Go to a page."""
        if not re.fullmatch(r"\d{1,6}", text.strip()):
            self.jump.wrong(f"Give a page from 1 to {self.pages:,}.")
            return
        self.page = int(text) - 1
        await self.show()

    def range(self) -> tuple[str, str] | None:
        """The range of win probabilities; None, and a word about it, if it is none."""
        for field in (self.low, self.high):
            field.wrong()
            if not re.fullmatch(SHARE, field.value.strip()):
                field.wrong("Give a number from 0 to 1, such as 0.495.")
                return None
        low, high = self.low.value.strip(), self.high.value.strip()
        if float(low) > float(high):
            self.high.wrong("Give a number that is not below the first.")
            return None
        return low, high

    async def show(self, waiting: str = "") -> None:
        """Show a page of the table."""
        between = self.range()
        if between is None:
            return
        self.asked += 1
        asked = self.asked
        self.where.wrong()
        self.jump.wrong()
        if waiting:
            self.status.show(waiting)
        where = f"p_win between {between[0]} and {between[1]}"
        if self.where.value.strip():
            where = f"({self.where.value}) and {where}"
        order = f"{self.sort} {'desc' if self.down else 'asc'}" if self.sort else None
        try:
            rows = await aside(_page, where, order, self.page)
        except SevenoutError as error:
            if asked == self.asked:
                self.where.wrong(sentence(error))
                self.status.show()
            return
        if asked == self.asked:
            self.fill(rows)

    def fill(self, rows: Rows) -> None:
        """Show rows."""
        self.status.show()
        self.pages = max(1, -(-rows.matched // PAGE))
        if self.page >= self.pages or self.page < 0:
            self.page = min(max(self.page, 0), self.pages - 1)
            ui.timer(0.01, self.show, once=True)
            return
        cells = [_row(dict(zip(rows.columns, row, strict=True))) for row in rows.rows]
        none = tag("tr", tag("td", "No variant is like that.", colspan=len(COLUMNS)))
        self.body.show(cells or none)
        self.head.mark(self.sort, self.down)
        self.jump.set(str(self.page + 1))
        self.count.set_text(f"page {self.page + 1:,} of {self.pages:,}; {rows.matched:,} variants")
        say(self.back, disabled="" if self.page == 0 else None)
        say(self.forth, disabled="" if self.page >= self.pages - 1 else None)

    def draw(self) -> None:
        """Show the histogram, with the chosen range."""
        between = self.range()
        if between is not None:
            self.histogram.show(_histogram(float(between[0]), float(between[1])))

    def dull(self, _: str = "") -> None:
        """What was found is not what is asked for any more."""
        self.dice.wrong()
        self.target.wrong()
        self.found.show()

    async def search(self) -> None:
        """Find the fairest."""
        say(self.find, disabled="")
        self.found.show(tag("p", "Searching …", class_="notice"))
        try:
            self.found.show(await aside(_fairest, self.dice.value, self.target.value))
        except SevenoutError as error:
            self.found.show()
            self.dice.wrong(sentence(error))
        finally:
            say(self.find, disabled=None)


def _attained(best: Fairest) -> str:
    if best.counted is None:
        return "Too many variants attain it to be counted here; the first of them:"
    attain = "variant attains" if best.counted == 1 else "variants attain"
    return f"{best.counted:,} {attain} it; the first of them:"


def _page(where: str, order: str | None, page: int) -> Rows:
    return shared_table().query(where, order, PAGE, max(page, 0) * PAGE)


def _row(value: dict[str, Any]) -> Markup:
    name = value["name"]
    return tag(
        "tr",
        tag("th", tag("a", name, href=f"/?game={name}"), scope="row"),
        tag("td", f"{100 * value['p_win']:.4f} %", class_="num"),
        tag("td", f"{value['p_num']}/{value['p_den']}", class_="num exact wide"),
        tag("td", f"{100 * value['edge']:+.4f} %", class_="num"),
        tag("td", f"{value['mean_rolls']:.4f}", class_="num wide"),
        tag("td", f"{value['var_rolls']:.4f}", class_="num wide"),
        tag("td", f"{value['class_size']:,}", class_="num wide"),
    )


def _histogram(low: float, high: float) -> Markup:
    counts = shared_histogram()
    x = plot.axis(0.0, 1.0, "win probability", 10, plot.percent)
    y = plot.axis(0.0, 1.05 * max(counts), "variants", 4, lambda v, _: f"{v:,.0f}")
    items = [
        (k / 100 + 0.0008, (k + 1) / 100 - 0.0008, n, f"{k} % to {k + 1} %: {n:,} variants")
        for k, n in enumerate(counts)
    ]
    off = [k for k in range(100) if (k + 1) / 100 <= low or k / 100 >= high]
    caption = "How many variants win how often; half of them are near an even game"
    return plot.plot(
        x, y, plot.bars(x, y, items, off), plot.upright(x, 0.5), caption=caption, kind="wide-labels"
    )


def _fairest(dice: str, target: str) -> Markup:
    totals_of(dice.strip())
    family = Family(dice.strip())
    if family.size > MAX_FAIREST:
        raise NotationError(
            f"{dice.strip()} has {float(family.size):.1e} variants; the lab looks through "
            f"{MAX_FAIREST:.0e}, and the command line through more"
        )
    found = around(family, target.strip())
    sides = {where: best for where, best in found.found.items() if best is not None}
    return render(
        tag("p", f"of {family.size:,} variants", class_="muted small"),
        *(_side(where, best, dice.strip()) for where, best in sides.items()),
        tag("h3", "Why there is none nearer", class_="after"),
        *(tag("p", best.proof, class_="muted") for best in sides.values() if best.distance),
    )


def _side(where: str, best: Fairest, dice: str) -> Markup:
    names = [str(v) if dice == "2d6" else f"{v}@{dice}" for v in best.first(FEW)]
    links = [tag("li", tag("a", name, href=f"/?game={name}")) for name in names]
    return tag(
        "div",
        tag(
            "div",
            tag("span", where, class_="muted small"),
            tag("span", decimal(100 * best.p_win, 6), tag("small", " %"), class_="value"),
            tag("span", best.p_win, class_="exact"),
            class_="hero",
        ),
        tag("p", _attained(best)),
        tag("ul", links, class_="chips"),
    )
