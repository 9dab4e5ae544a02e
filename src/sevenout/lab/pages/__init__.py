"""The pages, each a function from its address to a view."""

from typing import NamedTuple


class Entry(NamedTuple):
    """What answers a path.

    Attributes:
        make: the module of this package, and its function.
        tab: the words of its tab; "" for none.
        of_game: it keeps the game of a page that has one, too.
        slow: it may take its time, and has workers of its own.
        cards: the cards that it may have, each of which is a file.
    """

    make: str
    tab: str = ""
    of_game: bool = False
    slow: bool = False
    cards: str = ""


PAGES = {
    "/": Entry(
        "game_page:page",
        "Odds",
        of_game=True,
        cards="rules pays rolls odds why returns ends states compare",
    ),
    "/game.toml": Entry("game_page:toml"),
    "/open": Entry("game_page:opened"),
    "/table": Entry(
        "table_page:page",
        "Play",
        of_game=True,
        cards="log results run run-0 run-1 run-2 coach card",
    ),
    "/best": Entry("best_page:page", "Best play", slow=True, cards="rules best games"),
    "/evening": Entry(
        "evening_page:page", "Evening", of_game=True, slow=True, cards="evening who fan law figures"
    ),
    "/variants": Entry(
        "variants_page:page", "Design", slow=True, cards="fairest map histogram table"
    ),
    "/dice": Entry(
        "dice_page:page",
        "Dice",
        cards="faces grid partners law figures gallery weights totals off designs taps verdict",
    ),
    "/simulate": Entry("simulate_page:page", of_game=True, slow=True, cards="statistics funnel"),
    "/catalogue": Entry("catalogue_page:page", slow=True, cards="games"),
    "/ask": Entry("asked:page", of_game=True, slow=True, cards="asked answer"),
    "/proof": Entry("proof_page:page"),
    "/sheet": Entry("sheet_page:page", slow=True),
    "/sheet.pdf": Entry("sheet_page:pdf", slow=True),
}
"""What answers each path; the tabs stand in this order."""
