"""The pages: each is a function from its address to a view."""

from typing import NamedTuple


class Route(NamedTuple):
    """What answers a path.

    Attributes:
        make: the module of this package and its function, with a colon between.
        tab: the words of its tab; "" for none.
        keeps_game: whether links to it keep the page's game.
        slow: whether the slow workers make it.
        cards: its possible cards; each is a file too.
    """

    make: str
    tab: str = ""
    keeps_game: bool = False
    slow: bool = False
    cards: str = ""


PAGES = {
    "/": Route(
        "game_page:page",
        "Odds",
        keeps_game=True,
        cards="rules pays rolls odds why returns ends states compare",
    ),
    "/game.toml": Route("game_page:game_file"),
    "/open": Route("game_page:file_redirect"),
    "/own": Route("own_page:page", cards="form text odds"),
    "/table": Route(
        "table_page:page",
        "Play",
        keeps_game=True,
        cards="log results run run-0 run-1 run-2 run-3 run-4 run-5 run-6 run-7 coach card "
        "stands cost shooter rest fan law beside file",
    ),
    "/table.txt": Route("craps_page:session_file"),
    "/best": Route("best_page:page", "Best play", slow=True, cards="best advice map card"),
    "/evening": Route(
        "evening_page:page",
        "Evening",
        keeps_game=True,
        slow=True,
        cards="evening who fan law figures",
    ),
    "/variants": Route(
        "variants_page:page", "Design", slow=True, cards="fairest known map histogram table"
    ),
    "/dice": Route(
        "dice_page:page",
        "Dice",
        cards="faces grid partners law figures gallery weights totals off designs taps verdict",
    ),
    "/simulate": Route("simulate_page:page", keeps_game=True, slow=True, cards="statistics funnel"),
    "/catalogue": Route("catalogue_page:page", slow=True, cards="games"),
    "/ask": Route("question_page:page", keeps_game=True, slow=True, cards="asked answer"),
    "/proof": Route("sheet_page:proof"),
    "/sheet": Route("sheet_page:page", slow=True),
    "/sheet.pdf": Route("sheet_page:pdf", slow=True),
}
"""What answers each path, in the order of the tabs."""
