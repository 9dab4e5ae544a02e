"""Writes the list of pages x editions in `docs/howto/lab.md`: `python docs/howto/lab_editions.py`.

Each page is made by both editions; what the static one can't do, it says itself.
"""

import re
from contextlib import nullcontext
from pathlib import Path

from sevenout.lab.site import page
from sevenout.lab.static.browser import needed_coach_table, static_url
from sevenout.lab.static.build import as_in_the_page

PAGE = Path(__file__).parent / "lab.md"
MARKS = re.compile(r"(<!-- editions -->\n).*?(\n<!-- end -->)", re.DOTALL)
TRIED = {
    "Odds": "/?game=fast-craps",
    "Play: a game": "/table?game=craps&did=roll*9",
    "Play: the craps table": "/table",
    "Play: Yahtzee with a coach": "/table?game=yahtzee",
    "Best play, usual options": "/best?game=pig-turn",
    "Best play, large options": "/best?game=pig;goal=60",
    "Evening": "/evening?a=pass&bankroll=9&hours=1",
    "Simulate": "/simulate?games=200",
    "Design: the table of variants": "/variants",
    "Dice": "/dice",
    "Dice: faults": "/dice?tab=faults&f0.1=20",
    "Dice: tests": "/dice?tab=test&counts=10.12.9.8.11.14&dice=d6",
    "All games": "/catalogue?q=field",
    "Ask": "/ask?game=craps",
    "Proof": "/proof",
    "Sheet": "/sheet?game=craps",
}
LACKING = re.compile(
    r"(?:not here|has a table of all|needs? (?:numpy|matplotlib|scipy|duckdb))", re.IGNORECASE
)


def works(url: str, static: bool) -> str:
    """Whether an edition makes a page whole."""
    if static and needed_coach_table(static_url(url).removeprefix("./")):
        return "yes"  # its coach is a file, which tests/lab/test_static.py asks
    with as_in_the_page() if static else nullcontext():
        made = page(url)
    if made.status != 200 or LACKING.search(made.body.decode()):
        return "no" if made.status != 200 else "in part"
    return "yes"


def written(text: str) -> str:
    """The page with its list as it is now."""
    rows = [f"| {name} | {works(url, False)} | {works(url, True)} |" for name, url in TRIED.items()]
    table = "\n".join(["| page | local | static |", "| --- | --- | --- |", *rows])
    return MARKS.sub(lambda m: m[1] + table + m[2], text)


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text()))
