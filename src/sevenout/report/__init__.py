"""Sheets and pictures: what the other rooms found, on paper.

`declaration` holds all that a maker states of a game; `sheet` makes of it the document that a
designer hands to a laboratory, as PDF, HTML or JSON from one content; `plots` the pictures;
`family_page` a summary of all variants over some dice. Nothing heavy loads before it is used.
"""

from sevenout.report.canonical_text import declaration
from sevenout.report.pictures.census import family_page
from sevenout.report.sheet import sheet

__all__ = ["declaration", "family_page", "sheet"]
