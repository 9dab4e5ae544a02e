"""The parts of the checker of certificates: which lines they are, and how long they take to read.

    python benchmarks/checker_parts.py [--write]

It prints the table of docs/reference/certificate-format.md; `--write` puts it there, and the table
of contents at the top of check.py. The minutes are the lines at the rate of a careful review.
"""

import re
import sys
from pathlib import Path
from typing import NamedTuple

from sevenout.certify import check

RATE = 5
"""Lines a minute, 300 an hour."""
CHECKER = Path(check.__file__)
PAGE = Path(__file__).parents[1] / "docs" / "reference" / "certificate-format.md"
HEAD = "| part | lines | what it is for | to read it |\n|---|---|---|---|\n"


class Part(NamedTuple):
    """A part: its number, its name, what it is for, its first and its last line."""

    number: int
    name: str
    what: str
    first: int
    last: int

    @property
    def minutes(self) -> int:
        """How long it takes to read, in steps of 5."""
        return max(5, round((self.last - self.first + 1) / RATE / 5) * 5)


def parts(text: str) -> list[Part]:
    """The parts, from their headings, "# 1. Reading: files, lines"."""
    lines = text.splitlines()
    found = [
        (n, heading)
        for n, line in enumerate(lines, 1)
        if (heading := re.fullmatch(r"# (\d+)\. ([^:]+): (.+)\.", line))
    ]
    starts = [n for n, _ in found]
    ends = [n - 3 for n in starts[1:]] + [len(lines)]
    return [
        Part(int(heading[1]), heading[2], heading[3], first, last)
        for (first, heading), last in zip(found, ends, strict=True)
    ]


def contents(text: str) -> str:
    """The table of contents of the docstring."""
    rows = ["part                    lines  minutes  what it is for"]
    for part in parts(text):
        place = f"{part.first}-{part.last}"
        rows.append(f"{part.number:>2} {part.name:<16} {place:>9} {part.minutes:>8}  {part.what}")
    return "\n".join(rows)


def with_contents(text: str) -> str:
    """The checker with its table of contents."""
    whole = re.compile(r"^part +lines +minutes.*?(?=\n\n)", re.MULTILINE | re.DOTALL)
    assert whole.search(text)
    return whole.sub(lambda _: contents(text), text, count=1)


def table(text: str) -> str:
    """The table of the docs."""
    rows = "".join(
        f"| {p.number}. {p.name} | {p.last - p.first + 1} | {p.what} | {p.minutes} min |\n"
        for p in parts(text)
    )
    lines, minutes = len(text.splitlines()), sum(p.minutes for p in parts(text))
    return f"{HEAD}{rows}| all | {lines:,} | | {minutes // 60} h {minutes % 60} min |\n"


def with_table(page: str, text: str) -> str:
    """The page with the table."""
    start = page.index(HEAD)
    return page[:start] + table(text) + page[page.index("\n\n", start) + 1 :]


def main() -> None:
    """Print the table, or write it."""
    text = CHECKER.read_text(encoding="utf-8")
    if "--write" in sys.argv:
        text = with_contents(text)
        CHECKER.write_text(text, encoding="utf-8")
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(with_table(page, text), encoding="utf-8")
    print(table(text), end="")


if __name__ == "__main__":
    main()
