"""Result pages, and their renderers for terminal, notebook, PDF and programs.

A `Page` is a title and blocks: facts, tables, texts, pictures, and sections that are pages. Cells
stay numbers until printed; the kind of their column says how. A result with a page is a
`HasPage`, and defines `page()`.

    Page("Craps", Table(["event", Column("probability", FRACTION, DECIMAL)], rows))
"""

from sevenout.documents.blocks import RENDERERS, Attachment, Block, HasPage, Page, Paper, Picture
from sevenout.documents.html import html_document, notebook_cell
from sevenout.documents.kinds import Cell, Kind
from sevenout.documents.numbers import Certified
from sevenout.documents.tables import Column, Fact, Facts, PageError, Table
from sevenout.documents.terminal import plain_text, rich_lines
from sevenout.documents.typeset import pdf
from sevenout.documents.words import Code, Span, Text, Tone, clean, code, prose

RENDERERS.update(text=plain_text, rich=rich_lines, cell=notebook_cell, html=html_document, pdf=pdf)

__all__ = [
    "Attachment",
    "Block",
    "Cell",
    "Certified",
    "Code",
    "Column",
    "Fact",
    "Facts",
    "HasPage",
    "Kind",
    "Page",
    "PageError",
    "Paper",
    "Picture",
    "Span",
    "Table",
    "Text",
    "Tone",
    "clean",
    "code",
    "prose",
]
