"""The pages, each a function from its address to a view."""

from typing import NamedTuple


class Entry(NamedTuple):
    """What answers a path.

    Attributes:
        make: the module of this package, and its function.
        tab: the words of its tab; "" for none.
        of_game: it keeps the game of a page that has one, too.
        slow: it may take its time, and has workers of its own.
    """

    make: str
    tab: str = ""
    of_game: bool = False
    slow: bool = False


PAGES = {
    "/": Entry("game:page", "Game", of_game=True),
    "/game.toml": Entry("game:toml"),
    "/open": Entry("game:opened"),
    "/table": Entry("table:page", "Table", of_game=True),
    "/evening": Entry("evening:page", "Evening", of_game=True, slow=True),
    "/simulate": Entry("simulate:page", "Simulate", of_game=True, slow=True),
    "/best": Entry("best:page", "Best play", slow=True),
    "/variants": Entry("variants:page", "Variants", slow=True),
    "/dice": Entry("dice:page", "Dice"),
    "/catalogue": Entry("catalogue:page", "Catalogue", slow=True),
    "/sheet": Entry("sheet:page", slow=True),
    "/sheet.pdf": Entry("sheet:pdf", slow=True),
}
"""What answers each path; the tabs stand in this order."""
