"""Result pages, and their renderers for terminal, notebook, PDF and programs.

A `Page` is a title and blocks: facts, tables, texts, pictures, and sections that are pages. Cells
stay numbers until printed; the kind of their column says how. A result that is `Shown` defines
`page()`.

    Page("Craps", Table(["event", Column("probability", FRACTION, DECIMAL)], rows))
"""

from sevenout.page.blocks import Attached, Block, Page, Paper, Picture
from sevenout.page.kinds import Cell, Kind
from sevenout.page.numbers import Certified
from sevenout.page.shown import Shown
from sevenout.page.tables import Column, Fact, Facts, PageError, Table
from sevenout.page.words import Code, Span, Text, Tone, clean, code, prose

__all__ = [
    "Attached",
    "Block",
    "Cell",
    "Certified",
    "Code",
    "Column",
    "Fact",
    "Facts",
    "Kind",
    "Page",
    "PageError",
    "Paper",
    "Picture",
    "Shown",
    "Span",
    "Table",
    "Text",
    "Tone",
    "clean",
    "code",
    "prose",
]
