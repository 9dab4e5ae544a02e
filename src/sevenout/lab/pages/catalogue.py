"""The catalogue page: every bet of the house, searched and sorted; one of them in full."""

from functools import partial

from nicegui import ui

from sevenout.errors import SevenoutError
from sevenout.exact.metrics import Metrics
from sevenout.games import Entry, catalogue
from sevenout.lab import figures, shell
from sevenout.lab.aside import aside
from sevenout.lab.book import CONVENTIONS, Book, Row
from sevenout.lab.markup import Markup, render, tag
from sevenout.lab.widgets import (
    Html,
    Notice,
    Select,
    SortHead,
    Words,
    box,
    button,
    card,
    link,
    say,
    sentence,
    text_field,
)
from sevenout.page.numbers import decimal, percent, short
from sevenout.rules import Pay

PATH = "/catalogue"
PAGE = 40
"""Rows of the table at a time."""
BATCH = 12
"""Bets that are solved before the table is shown again."""

COLUMNS = (
    ("title", "bet", ""),
    ("family", "game", "wide"),
    ("edge", "house edge", "num"),
    ("volatility", "deviation", "num"),
    ("win", "wins", "num wide"),
    ("rolls", "rolls", "num wide"),
)


def register(book: Book | None = None) -> None:
    """Register the page; all readers share the figures."""
    shared = book or Book()

    @shell.route(PATH, "Catalogue")
    def build() -> None:
        query = ui.context.client.request.query_params
        if "entry" in query:
            one(shared, query["entry"])
        else:
            CataloguePage(shared)


class CataloguePage:
    """The list."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.sort, self.down, self.page = "", False, 0
        with box("div", "heading"), box("div"):
            Words("h1", "Catalogue")
            Words("p", "Every bet of the house, with its exact edge. Choose one to see it in full.")
        families = dict.fromkeys(entry.family for entry in catalogue.entries.values())
        with card(), box("div", "stack"):
            with box("div", "fields"):
                self.words = text_field(
                    "Search", "", self.again, event="input", classes="medium", type="search"
                )
                offered = [("", "all games"), *((name, name) for name in families)]
                self.family = Select("Game", offered, "", self.again, classes="medium")
            self.status = Notice()
            table = box("div", "table", role="region", aria_label="Bets", tabindex="0")
            with table, box("table"):
                self.head = SortHead(COLUMNS, self.order)
                self.body = Html(name="tbody")
            with box("div", "row pager"):
                self.back = button("Previous", partial(self.turn, -1))
                self.where = Words("span", "", "muted")
                self.forth = button("Next", partial(self.turn, 1))
        self.show()
        if book.solved < book.size:
            ui.timer(0.05, self.fill, once=True)

    async def fill(self) -> None:
        """Solve what has not been solved, and show it as it comes."""
        client = ui.context.client
        more = True
        while more and not client.is_deleted:
            self.status.show(f"Solving: {self.book.solved} of {self.book.size} bets …")
            more = await aside(self.book.fill, BATCH)
            if not client.is_deleted:
                self.show()
        if not client.is_deleted:
            self.status.show()

    def again(self, _: str = "") -> None:
        """Show the first page of what is looked for."""
        self.page = 0
        self.show()

    def order(self, column: str) -> None:
        """Sort by a column; again, the other way round."""
        self.down = not self.down if column == self.sort else column not in ("title", "family")
        self.sort, self.page = column, 0
        self.show()

    def turn(self, pages: int) -> None:
        """Turn the pages."""
        self.page += pages
        self.show()

    def found(self) -> list[Entry]:
        """What is looked for, sorted; what has no figure yet comes last."""
        entries = catalogue.search(*self.words.value[:200].split())
        entries = [e for e in entries if self.family.value in ("", e.family)]
        if not self.sort:
            return entries
        if self.sort in ("title", "family"):
            entries.sort(key=lambda e: (str(getattr(e, self.sort)), e.title), reverse=self.down)
            return entries
        value = {e.id: _sorted_by(self.sort, self.book.get(e.id)) for e in entries}
        known = [e for e in entries if value[e.id] is not None]
        known.sort(key=lambda e: value[e.id], reverse=self.down)  # type: ignore[arg-type, return-value]
        return known + [e for e in entries if value[e.id] is None]

    def show(self) -> None:
        """Show the page."""
        found = self.found()
        pages = max(1, -(-len(found) // PAGE))
        self.page = min(max(self.page, 0), pages - 1)
        first = self.page * PAGE
        rows = [self.cells(entry) for entry in found[first : first + PAGE]]
        none = tag("tr", tag("td", "Nothing is called that.", colspan=len(COLUMNS)))
        self.body.show(rows or none)
        self.head.mark(self.sort, self.down)
        last = min(first + PAGE, len(found))
        self.where.set_text(f"{first + 1 if found else 0} to {last} of {len(found)}")
        for control, off in ((self.back, self.page == 0), (self.forth, self.page >= pages - 1)):
            say(control, disabled="" if off else None)

    def cells(self, entry: Entry) -> Markup:
        """A row of the table."""
        row = self.book.get(entry.id)
        bet = row.bet if row else None
        edge = row.edge if row else None
        name = tag("a", entry.title, href=f"{PATH}?entry={entry.id}")
        return tag(
            "tr",
            tag("th", name, tag("span", entry.family, class_="narrow-note muted"), scope="row"),
            tag("td", entry.family, class_="wide muted"),
            tag("td", "" if edge is None else percent(edge), class_="num"),
            tag("td", "" if bet is None else f"{bet.std:.4f}", class_="num"),
            tag("td", "" if bet is None else percent(bet.p_win, 3), class_="num wide"),
            tag("td", "" if bet is None else decimal(bet.rolls, 3), class_="num wide"),
        )


def _sorted_by(column: str, row: Row | None) -> float | None:
    if row is None or row.bet is None:
        return None
    bet = row.bet
    figure = {
        "edge": row.edge,
        "volatility": bet.std,
        "win": bet.p_win,
        "rolls": bet.rolls,
    }[column]
    return float(figure or 0)


def one(book: Book, name: str) -> None:
    """One bet in full."""
    try:
        entry = catalogue.entry(name)
    except SevenoutError as error:
        Words("h1", "Catalogue")
        Notice(wrong=True).show(sentence(error))
        link("All bets", PATH)
        return
    with box("div", "heading"):
        with box("div"):
            link("← All bets", PATH, "small")
            Words("h1", entry.title)
            Words("p", " ".join(entry.rules.split()))
        with box("div", "row"):
            link("Open its odds", f"/?entry={entry.id}", "button main")
            link("Play", f"/table?entry={entry.id}", "button")
            link("Simulate", f"/simulate?entry={entry.id}", "button")
    with box("div", "columns"):
        with box("div", "stack"):
            with card("Return table", "per unit staked"):
                table = Html(tag("p", "Solving …", class_="muted"))
            with card("How it is paid"):
                paid = Html(figures.table(_PAID, map(_paid, entry.pays), label="Payouts"))
            if not entry.bet:
                paid.show(tag("p", "No bet is made on this game.", class_="muted"))
            Words("p", f"Source: {entry.source}." if entry.source else "", "muted small")
        with card("What it is worth", CONVENTIONS[entry.convention]):
            worth = Html()

    async def later() -> None:
        row = await aside(book.row, entry.id)
        if row.bet is None:
            table.show(tag("p", "This game has outcomes and no bet.", class_="muted"))
            worth.show(tag("p", "See its odds.", class_="muted"))
            return
        table.show(figures.return_table(row.bet))
        worth.show(_worth(row))

    ui.timer(0.02, later, once=True)


_PAID = (("event", ""), ("pays", "num"))


def _paid(pay: Pay) -> tuple[object, object]:
    from sevenout.page.numbers import odds

    return pay.event, odds(pay.profit)


def _worth(row: Row) -> Markup:
    bet, edge = row.bet, row.edge
    assert bet is not None
    assert edge is not None
    metrics = Metrics(bet)
    n0 = metrics.n0
    rows = [
        ("volatility index, 95 %", "", f"{metrics.volatility_index():.4f}"),
        (
            "the most that it pays",
            short(metrics.maximum_exposure),
            decimal(metrics.maximum_exposure, 2),
        ),
        (
            "bets until edge outweighs chance, N0",
            "",
            "never" if n0 is None else f"{float(n0):,.0f}",
        ),
        ("loss in 100 rolls, per unit", "", decimal(metrics.hourly_loss(rolls=100), 4)),
    ]
    convention = CONVENTIONS[row.entry.convention]
    known = [("win probability", short(bet.p_win), percent(bet.p_win)), *figures.bet_rows(bet)]
    return render(figures.hero(edge, f"house edge, {convention}"), figures.facts(known + rows))
