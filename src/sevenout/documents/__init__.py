"""Result pages, and their renderers for terminal, notebook, PDF and programs.

A `Page` is a title and blocks: facts, tables, texts, pictures, and sections that are pages. Cells
stay numbers until printed; the kind of their column says how. A result that is `Shown` defines
`page()`.

    Page("Craps", Table(["event", Column("probability", FRACTION, DECIMAL)], rows))
"""

from sevenout.documents.blocks import RENDERERS, Attached, Block, Page, Paper, Picture, Shown
from sevenout.documents.html import cell, document
from sevenout.documents.kinds import Cell, Kind
from sevenout.documents.numbers import Certified
from sevenout.documents.tables import Column, Fact, Facts, PageError, Table
from sevenout.documents.terminal import rich_lines, text
from sevenout.documents.typeset import pdf
from sevenout.documents.words import Code, Span, Text, Tone, clean, code, prose

RENDERERS.update(text=text, rich=rich_lines, cell=cell, html=document, pdf=pdf)

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
