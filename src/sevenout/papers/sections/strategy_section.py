"""The section on strategy: its card, and the return under optimal and simple play."""

from collections.abc import Mapping
from contextlib import suppress

from sevenout.documents import Page, PageError, Picture, Text
from sevenout.model import Policy
from sevenout.papers.pictures.decisions import policy_map
from sevenout.papers.pictures.style import as_svg
from sevenout.solving import Optimum
from sevenout.solving.policies.cardpages import card_blocks
from sevenout.solving.policies.policy_pages import page

WHOLE = 2_000
"""The most lines of a card that is printed whole."""
MOST_DRAWN = 20_000
"""The most states of a map."""


def strategy(optimum: Optimum, policies: Mapping[str, Policy], *, whole: bool = False) -> Page:
    """The strategy, its value, and the shortfall of simple policies; `whole` prints all of a long
    card.
    """
    written = page(optimum, policies)
    blocks = list(written.blocks)
    if whole:
        card = Page("Strategy card", *card_blocks(optimum, WHOLE))
        blocks = [card if isinstance(b, Page) and b.title == card.title else b for b in blocks]
    if len(optimum.policy) <= MOST_DRAWN:
        with suppress(PageError):  # no map without numeric states
            blocks.append(Picture(as_svg(policy_map(optimum)), "What is best, by state"))
    note = "Every figure on the other pages of this sheet is of the game under optimal play."
    return Page("Strategy", *blocks, Text(note, tone="note"))
