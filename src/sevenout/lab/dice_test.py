"""Test your dice: tap what you roll, paste it, or drop a file; the verdict follows."""

from collections import Counter
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sevenout.dice import Dice, parse_dice
from sevenout.errors import NotationError, SevenoutError
from sevenout.lab import figures, limits
from sevenout.lab.aside import aside
from sevenout.lab.files import accept
from sevenout.lab.markup import Markup, render, tag
from sevenout.lab.widgets import Html, Notice, Words, box, button, card, sentence, text_field
from sevenout.page.numbers import decimal
from sevenout.verify import Rolls, Sample, examine, read_rolls, rolls_to_notice

MOST_BUTTONS = 30


class TestView:
    """A test of real dice, as a part of a page."""

    __test__ = False

    def __init__(self) -> None:
        self.dice = parse_dice("d6")
        self.taps: list[Any] = []
        self.asked = 0
        with box("div", "columns"):
            with card("What you rolled") as self.input, box("div", "stack"):
                self.name = text_field("Dice", "d6", self.choose, classes="medium")
                with box("div", "field"):
                    Words("span", "Tap a face each time you roll it", "label")
                    self.faces = box("div", "taps", role="group", aria_label="Faces")
                with box("div", "row"):
                    button("Undo", self.undo)
                    button("Start over", self.clear)
                    self.count = Words("span", "no rolls yet", "muted", role="status")
                self.paste = text_field(
                    "Or paste the rolls: one a line, or a table",
                    "",
                    self.pasted,
                    control="textarea",
                    rows="5",
                    type=None,
                )
                with box("div", "row"):
                    accept(self.input, "Open a CSV file", ".csv,.txt", self.opened, self.refuse)
                    Words("span", "or drop one here", "muted small")
                self.wrong = Notice(wrong=True)
            with box("div", "stack"):
                with card("The verdict"):
                    self.verdict = Html(_NOTHING)
                with card("Face by face"):
                    self.rows = Html(_NOTHING)
        self.build()

    def build(self) -> None:
        """Build the buttons of a die."""
        self.faces.clear()
        with self.faces:
            if len(self.dice) > 1:
                Words("p", "Several dice are pasted or opened as a table.", "muted small")
                return
            for face in list(self.dice.dice[0].law)[:MOST_BUTTONS]:
                button(str(face), partial(self.tap, face), "tap")

    async def choose(self, text: str) -> None:
        """Other dice."""
        try:
            dice = parse_dice(text)
            if len(dice) > 12 or any(len(die.faces) > 100 for die in dice.dice):
                raise NotationError("the lab tests up to twelve dice of up to 100 sides")
        except SevenoutError as error:
            self.name.wrong(sentence(error))
            return
        self.name.wrong()
        self.dice = dice
        self.build()
        await self.clear()

    async def tap(self, face: Any) -> None:
        """One more roll."""
        if len(self.taps) >= limits.MAX_ROLLS:
            self.wrong.show(
                f"{limits.MAX_ROLLS:,} rolls; the lab keeps no more. Save them in a file."
            )
            return
        self.taps.append(face)
        await self.test_taps()

    async def undo(self) -> None:
        """The last tap was none."""
        if self.taps:
            self.taps.pop()
            await self.test_taps()

    async def clear(self) -> None:
        """No rolls."""
        self.taps.clear()
        self.wrong.show()
        await self.test_taps()

    async def test_taps(self) -> None:
        """Test what was tapped."""
        n = len(self.taps)
        self.count.set_text(f"{n:,} {'roll' if n == 1 else 'rolls'}" if n else "no rolls yet")
        if not n:
            self.asked += 1
            self.verdict.show(_NOTHING)
            self.rows.show(_NOTHING)
            return
        order, die = tuple(self.taps), self.dice.dice[0]
        sample = Sample(str(die), die.law, Counter(order), order)
        await self.test(Rolls("taps", self.dice, (sample,), n))

    async def pasted(self, text: str) -> None:
        """Rolls were pasted."""
        if text.strip():
            await self.opened("what was pasted", text)

    async def opened(self, name: str, text: str) -> None:
        """A table of rolls was opened."""
        try:
            rolls = await aside(_read, name, text, self.dice)
            if rolls.n > 100 * limits.MAX_ROLLS:
                raise NotationError(f"{rolls.n:,} rolls; the lab tests {100 * limits.MAX_ROLLS:,}")
        except SevenoutError as error:
            self.wrong.show(sentence(error))
            return
        self.wrong.show()
        self.taps.clear()
        self.count.set_text(f"{rolls.n:,} rolls from {name}")
        await self.test(rolls)

    def refuse(self, words: str) -> None:
        """A file was too large."""
        self.wrong.show(words)

    async def test(self, rolls: Rolls) -> None:
        """Test rolls; only the last question is answered."""
        self.asked += 1
        asked = self.asked
        try:
            verdict, rows = await aside(_tested, rolls)
        except SevenoutError as error:
            self.wrong.show(sentence(error))
            return
        if asked == self.asked:
            self.verdict.show(verdict)
            self.rows.show(rows)


_NOTHING = tag("p", "Roll, and tap what comes up.", class_="muted")


def _read(name: str, text: str, dice: Dice) -> Rolls:
    """The rolls of a text, read as a file is."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "rolls.csv")
        path.write_text(text, "utf-8", errors="replace")
        try:
            rolls = read_rolls(path, dice)
        except SevenoutError as error:
            raise NotationError(str(error).replace(str(path), name)) from None
    return Rolls(name, rolls.dice, rolls.samples, rolls.n)


def _tested(rolls: Rolls) -> tuple[Markup, Markup]:
    report = examine(rolls)
    said = [tag("p", report.verdict)]
    if report.fair:
        said.append(tag("p", _more(rolls), class_="muted"))
    parts = []
    for one in report.samples:
        rows = [
            (
                row.face,
                f"{row.count:,}",
                decimal(row.expected, 1),
                f"{row.bias:+.1%}",
                f"{row.p_value:.3f}",
            )
            for row in one.rows
        ]
        head = [("face", ""), ("seen", "num"), ("mean", "num"), ("off by", "num"), ("p", "num")]
        name = one.sample.name
        if len(report.samples) > 1:
            parts.append(tag("h3", name, class_="after"))
        parts.append(figures.table(head, rows, label=f"Faces of {name}"))
    return render(said), render(parts)


def _more(rolls: Rolls) -> str:
    """How many more rolls it would take, if the dice are as far off as they look."""
    needed = []
    for sample in rolls.samples:
        seen = sum(sample.counts.values())
        if any(sample.counts.get(face, 0) for face in sample.law):
            looks = sample.cells.outcomes and {
                face: sample.counts.get(face, 0) for face in sample.law
            }
            from sevenout.dice import Law

            total = rolls_to_notice(sample.law, Law(looks)) if looks else None
            if total is not None:
                needed.append((total - seen, sample.name))
    if not needed:
        return "They look exactly as they should."
    more, name = min(needed)
    if more <= 0:
        return "Were they as far off as they look, this test would probably have said so by now."
    return (
        f"Were {name} as far off as it looks now, it would take about {more:,} more rolls to show "
        "it, nine times in ten."
    )
