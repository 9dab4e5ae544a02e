"""The pair that never rolls 7: its grid, what happens when a face goes, and its red number."""

from fractions import Fraction
from math import cos, pi, sin
from typing import Any

from sevenout.dice import Dice, Die, Face, parse_dice, ranked_pairs, relabelled, tatham
from sevenout.dice.ranked import grid
from sevenout.errors import SevenoutError
from sevenout.lab.markup import Markup, render, tag
from sevenout.lab.widgets import (
    Html,
    Notice,
    Select,
    Words,
    box,
    card,
    say,
    sentence,
    text_field,
)
from sevenout.page.numbers import decimal, short

SIDES = range(3, 21)
MOST_PAIRS = 200
SHAPES = {4, 6, 8, 10, 12, 20}


class PairView:
    """A ranked pair, as a part of a page."""

    def __init__(self) -> None:
        self.sides, self.which = 6, 0
        self.gone: set[tuple[int, int]] = set()
        self.chosen = (4, 2)
        with box("div", "columns wide-first"):
            layout = card("The grid", "the face of the higher rank is the total")
            with layout, box("div", "stack"):
                with box("div", "fields"):
                    sides = [(str(n), f"{n}") for n in SIDES]
                    Select("Sides of the ordinary dice", sides, "6", self.resize, classes="medium")
                    self.pair = Select("Pair", (), "0", self.pick, classes="medium")
                    self.out = Select("Take out", (), "", self.take_out, classes="narrow")
                self.faces = box("div", "grid-table", role="group", aria_label="Faces of the dice")
                Words(
                    "p",
                    "Click a face to take it away, a cell to see its red number.",
                    "muted small",
                )
                self.word = Notice()
            with box("div", "stack"):
                with card("Every total", "the tick is two ordinary dice"):
                    self.totals = Html()
                with card("The red number", "where some games look at one red die"):
                    self.clock = Html()
        others = card("Other dice with the same totals", "added up as usual, such as Sicherman's")
        with others, box("div", "stack"):
            self.target = text_field("Totals of", "2d6", self.relabel, classes="medium")
            self.others = Html()
        self.resize("6")
        self.relabel("2d6")

    # --- choosing -------------------------------------------------------------------------------

    def resize(self, sides: str) -> None:
        """Dice of another size."""
        self.sides, self.which, self.gone, self.chosen = int(sides), 0, set(), (0, 0)
        names = [("0", "Tatham's")]
        if self.sides <= 6:
            count = len(ranked_pairs(f"2d{self.sides}"))
            names += [
                (str(k + 1), f"pair {k + 1} of {count}") for k in range(min(count, MOST_PAIRS))
            ]
        self.pair.offer(names, "0")
        self.out.offer([("", "none"), *((str(t), str(t)) for t in self.all_totals())], "")
        self.build()

    def pick(self, which: str) -> None:
        """Another pair with the same totals."""
        self.which, self.gone, self.chosen = int(which), set(), (0, 0)
        self.out.set("")
        self.build()

    def take_out(self, total: str) -> None:
        """Take away every face that shows a total."""
        self.gone = {
            (d, f)
            for d, die in enumerate(self.whole().dice)
            for f, face in enumerate(die.faces)
            if total and face.value == int(total)  # type: ignore[attr-defined]
        }
        self.show()

    def toggle(self, die: int, face: int) -> None:
        """Take a face away, or put it back."""
        self.gone ^= {(die, face)}
        if len([place for place in self.gone if place[0] == die]) == len(
            self.whole().dice[die].faces
        ):
            self.gone.discard((die, face))
            self.word.show("A die keeps one face at least.")
            return
        self.out.set("")
        self.show()

    def choose(self, row: int, column: int) -> None:
        """Look at the red number of a cell."""
        self.chosen = row, column
        self.show()

    # --- dice -----------------------------------------------------------------------------------

    def all_totals(self) -> range:
        """The totals of the ordinary dice."""
        return range(2, 2 * self.sides + 1)

    def whole(self) -> Dice:
        """The pair with all its faces."""
        if self.which:
            return ranked_pairs(f"2d{self.sides}")[self.which - 1].dice
        return tatham(self.sides)

    def left(self) -> Dice:
        """The pair without the faces that were taken away."""
        whole = self.whole()
        dice = [
            Die([face for f, face in enumerate(die.faces) if (d, f) not in self.gone])
            for d, die in enumerate(whole.dice)
        ]
        return Dice(dice, whole.total, whole.hard)

    # --- showing --------------------------------------------------------------------------------

    def build(self) -> None:
        """Build the grid of a pair."""
        whole = self.whole()
        rows, columns = (die.faces for die in whole.dice)
        self.heads: dict[tuple[int, int], Any] = {}
        self.cells: dict[tuple[int, int], Any] = {}
        self.faces.clear()
        with self.faces, box("table"):
            Words("caption", "Totals by face of the two dice", "visually-hidden")
            with box("tbody"):
                with box("tr"):
                    box("td")
                    for f, face in enumerate(columns):
                        with box("td"):
                            self.heads[1, f] = self._face(1, f, face)
                for r, face in enumerate(rows):
                    with box("tr"):
                        with box("td"):
                            self.heads[0, r] = self._face(0, r, face)
                        for c in range(len(columns)):
                            with box("td"):
                                cell = Words("button", "", "cell", type="button")
                                cell.on("click", lambda _, r=r, c=c: self.choose(r, c), args=[])
                                self.cells[r, c] = cell
        self.show()

    def _face(self, die: int, place: int, face: Any) -> Words:
        name = "blank" if face.value is None else str(face.value)
        head = Words("button", name if face.value is not None else "–", "face", type="button")
        say(head, title=f"{name}, rank {face.rank}")
        head.on("click", lambda _: self.toggle(die, place), args=[])
        return head

    def show(self) -> None:
        """Show the pair as it is left."""
        whole, left = self.whole(), self.left()
        rows, columns = (die.faces for die in whole.dice)
        totals = grid(whole)
        names = "first", "second"
        for (d, f), head in self.heads.items():
            gone = (d, f) in self.gone
            face = whole.dice[d].faces[f]
            value = getattr(face, "value", face)
            shown = "blank" if value is None else value
            head.classes(replace="face gone" if gone else "face")
            say(
                head,
                aria_pressed="true" if gone else "false",
                aria_label=f"Take {shown} off the {names[d]} die",
            )
        for (r, c), cell in self.cells.items():
            total = totals[r][c]
            gone = (0, r) in self.gone or (1, c) in self.gone
            cell.set_text("" if gone else str(total))
            cell.classes(replace=f"cell tone{total % 6}{' gone' if gone else ''}")
            say(
                cell,
                disabled="" if gone else None,
                aria_label=f"total {total}, row {r + 1}, column {c + 1}",
                aria_pressed="true" if (r, c) == self.chosen else "false",
            )
        law = left.totals.law
        plain = parse_dice(f"2d{self.sides}").totals.law
        self.totals.show(shares([(str(t), law.p(t), plain[t]) for t in self.all_totals()]))
        self.word.show(self.said(law))
        self.clock.show(self.red(rows, columns))

    def said(self, law: Any) -> str:
        """What the missing faces do."""
        if not self.gone:
            return f"All the faces are there: the totals are those of 2d{self.sides}, exactly."
        plain = parse_dice(f"2d{self.sides}").totals.law
        missing = [t for t in self.all_totals() if not law.p(t)]
        kept = [t for t in self.all_totals() if law.p(t)]
        same = len({law.p(t) / plain[t] for t in kept}) == 1
        if not missing:
            return "Every total still comes, but their proportions have changed."
        names = " and ".join(map(str, missing))
        verb = "comes" if len(missing) == 1 else "come"
        if same:
            return f"{names} never {verb}, and the others keep their proportions exactly."
        return f"{names} never {verb}, and the proportions of the others have changed."

    def red(self, rows: Any, columns: Any) -> Markup:
        """The red number of the chosen cell, on a clock."""
        if self.which:
            return tag("p", "The red number is shown for Tatham's pair.", class_="muted")
        r, c = min(self.chosen[0], len(rows) - 1), min(self.chosen[1], len(columns) - 1)
        n, one, other = self.sides, rows[r].red, columns[c].red
        number = (one + other - 1) % n + 1
        total = grid(self.whole())[r][c]
        return render(_clock(n, one, number), _explained(n, one, other, total))

    def relabel(self, text: str) -> None:
        """All dice with given totals."""
        self.target.wrong()
        try:
            dice = parse_dice(text)
            if len(dice) > 3 or any(len(die.faces) > 30 for die in dice.dice):
                self.target.wrong("The lab relabels up to three dice of up to 30 sides.")
                return
            found = relabelled(dice)
        except SevenoutError as error:
            self.target.wrong(sentence(error))
            return
        sets = [tag("li", " and ".join(map(str, each))) for each in found[:40]]
        more = f" The first 40 of {len(found)}:" if len(found) > 40 else ""
        count = f"{len(found)} {'set' if len(found) == 1 else 'sets'} of dice.{more}"
        self.others.show(tag("p", count, class_="muted"), tag("ul", sets, class_="sets"))


def shares(rows: list[tuple[str, Fraction, Fraction]]) -> Markup:
    """Bars (name, share, what it should be), with a tick at what it should be."""
    most = max(max(p, q) for _, p, q in rows)
    return tag(
        "ul",
        [
            tag(
                "li",
                tag("span", name),
                tag(
                    "span",
                    tag("span", class_="fill", style=f"width:{float(100 * p / most):.2f}%"),
                    tag("span", class_="was", style=f"left:{float(100 * q / most):.2f}%"),
                    class_="track",
                ),
                tag("span", decimal(100 * p, 3), " %", class_="value"),
                tag("span", short(p) if short(p) != "…" else "", class_="value muted exact"),
            )
            for name, p, q in rows
        ],
        class_="bars",
    )


def _clock(n: int, one: int, number: int) -> Markup:
    def place(k: int, r: float) -> tuple[str, str]:
        angle = 2 * pi * (k % n) / n - pi / 2
        return f"{100 + r * cos(angle):.1f}", f"{100 + r * sin(angle):.1f}"

    marks = []
    for k in range(1, n + 1):
        x, y = place(k, 82)
        kind = "hour now" if k == number else "hour from" if k == one else "hour"
        marks.append(tag("circle", cx=x, cy=y, r=11 if n <= 12 else 8, class_=kind))
        size = 11 if n <= 12 else 8
        marks.append(
            tag(
                "text",
                k,
                x=x,
                y=f"{float(y) + size / 2.8:.1f}",
                text_anchor="middle",
                font_size=size,
                class_="now" if k == number else None,
            )
        )
    x, y = place(number, 62)
    hand = tag("line", x1=100, y1=100, x2=x, y2=y, class_="hand")
    label = f"A clock of {n} hours; the red number is {number}"
    return tag(
        "svg", hand, marks, viewBox="0 0 200 200", class_="clock", role="img", aria_label=label
    )


def _explained(n: int, one: int, other: int, total: int) -> Markup:
    number = (one + other - 1) % n + 1
    step = f"{other:+d}" if other else "0"
    return render(
        tag(
            "p",
            f"The first die says {one}, the second adds {step}: the red number is ",
            tag("strong", number),
            f" on a clock of {n}.",
        ),
        tag(
            "p",
            f"A total of {total} is then {number} on the red die and {total - number} on the "
            "other.",
            class_="muted",
        ),
    )


def face_text(face: Any) -> str:
    """What is painted on a face.

    >>> face_text(Face(None, 0)), face_text(7)
    ('blank', '7')
    """
    if isinstance(face, Face):
        return "blank" if face.value is None else str(face.value)
    return str(face)
