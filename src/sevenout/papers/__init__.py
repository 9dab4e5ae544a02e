"""Sheets, dossiers and pictures of exact results.

`declaration` collects what a maker states about a game. `sheet` makes the document for a test
laboratory, as PDF, HTML or JSON. `plots` has the pictures; `family_page` summarises all variants on
given dice. Heavy packages load on first use.
"""

from sevenout.lazy import lazy_getattr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sevenout.papers import plots
    from sevenout.papers.game_sheet import sheet
    from sevenout.papers.plots import family_page
    from sevenout.papers.subject import declaration
else:
    # A page with a felt needs the sentences of a table, and nothing that draws.
    __getattr__ = lazy_getattr(
        __name__, {"game_sheet": "sheet", "plots": "family_page", "subject": "declaration"}
    )

__all__ = ["declaration", "family_page", "plots", "sheet"]
