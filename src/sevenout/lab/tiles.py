"""The totals of the dice as tiles, clicked or keyed to their role."""

from collections.abc import Callable
from typing import Any

from nicegui import ui

from sevenout.lab.rulebook import ROLES, WORDS, Rulebook, totals_of
from sevenout.lab.widgets import Notice, Segments, Words, box, say

KEYS = {"n": "natural", "c": "craps", "p": "point", "u": "push", "a": "reroll", "o": "out"}
NEXT = {"natural": "craps", "craps": "point", "point": "push", "push": "natural"}
BRUSHES = (
    ("next", "Next role"),
    ("natural", "Natural"),
    ("craps", "Craps"),
    ("point", "Point"),
    ("push", "Push"),
    ("reroll", "Again"),
    ("out", "The out"),
)
_KEYED = """(e) => {
  const tiles = [...e.currentTarget.parentElement.children];
  const i = tiles.indexOf(e.currentTarget);
  const step = {ArrowRight: 1, ArrowLeft: -1, Home: -i, End: tiles.length - 1 - i}[e.key];
  if (step !== undefined) {
    e.preventDefault();
    tiles[(i + step + tiles.length) % tiles.length].focus();
  } else if (/^[ncpuao]$/.test(e.key) && !e.ctrlKey && !e.metaKey && !e.altKey) {
    e.preventDefault();
    emit(e.key);
  }
}"""


class Tiles:
    """A tile for each total.

    Args:
        changed: called with the new rules when a tile is clicked or keyed.
    """

    def __init__(self, changed: Callable[[Rulebook], Any]) -> None:
        self._changed = changed
        self._rules = Rulebook()
        self._dice = ""
        self._tiles: dict[int, _Tile] = {}
        with box("div", "stack"):
            self.grid = box("div", "tiles", role="group", aria_label="Totals")
            self.problem = Notice(wrong=True)
            with box("div", "row"):
                Words("span", "A click makes a tile", "muted small")
                self.brush = Segments("What a click makes of a tile", BRUSHES, "next", lambda _: 0)
            Words(
                "p",
                "Keys on a tile: n natural, c craps, p point, u push, a again, o the out; arrows "
                "move.",
                "muted small",
            )

    def show(self, rules: Rulebook, wrong: frozenset[int] = frozenset(), why: str = "") -> None:
        """Show rules; the tiles at which something is wrong are marked, and say why."""
        self.problem.show(why)
        self._rules = rules
        ways = totals_of(rules.dice)
        if rules.dice != self._dice:
            self._dice = rules.dice
            self.grid.clear()
            with self.grid:
                self._tiles = {total: _Tile(total, self._click, self._key) for total in ways}
        of = sum(ways.values())
        for total, tile in self._tiles.items():
            tile.show(rules.role(total), total == rules.out, ways[total], of, total in wrong)
            about = self.problem.words.html_id if total in wrong else None
            if tile.button.props.get("aria-describedby") != about:
                say(tile.button, aria_describedby=about)

    def _click(self, total: int) -> Any:
        role = self.brush.value
        if role == "next":
            role = NEXT.get(self._rules.role(total), "natural")
        return self._give(total, role)

    def _key(self, total: int, key: str) -> Any:
        return self._give(total, KEYS[key]) if key in KEYS else None

    def _give(self, total: int, role: str) -> Any:
        from dataclasses import replace

        if role == "out":
            return self._changed(replace(self._rules, out=total))
        assert role in ROLES
        return self._changed(self._rules.give(total, role))


class _Tile:
    """One tile; only what differs is sent to the browser."""

    def __init__(
        self, total: int, click: Callable[[int], Any], key: Callable[[int, str], Any]
    ) -> None:
        self.total = total
        self._shown: tuple[object, ...] = ()
        self.button: ui.element = box("button", "tile", type="button")
        with self.button:
            Words("span", str(total), "total")
            self.role = Words("span", "", "role")
            self.ways = Words("span", "", "ways")
            self.out = Words("span", "OUT", "out hidden")
        self.button.on("click", lambda _: click(total), args=[])
        self.button.on("keydown", lambda event: key(total, str(event.args)), js_handler=_KEYED)

    def show(self, role: str, out: bool, ways: int, of: int, wrong: bool) -> None:
        """What the total is."""
        shown = role, out, ways, of, wrong
        if shown == self._shown:
            return
        self._shown = shown
        self.button.classes(replace=f"tile {role}")
        self.role.set_text(WORDS[role])
        self.ways.set_text(f"{ways} in {of:,}" if of < 10**7 else "")
        self.out.classes(replace="out" if out else "out hidden")
        said = f"{self.total}: {WORDS[role]}{', the out' if out else ''}; {ways} in {of}"
        say(self.button, aria_label=said, aria_invalid="true" if wrong else None)
