"""The lab as one pure function: an address in, an answer out. It never fails.

`PAGES` names the function that makes the page of each path. Errors are a sentence in a page. A host
needs only `page`, on a server or in the visitor's browser.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any
from urllib.parse import parse_qsl

import htpy as h

from sevenout.budgets.estimates import budget
from sevenout.catalogue import games
from sevenout.documents.numbers import quantity
from sevenout.errors import NotationError, SevenoutError, shown
from sevenout.extras import missing_dependency
from sevenout.lab.address import MAX_LENGTH, Address, error_sentence
from sevenout.lab.pages import PAGES
from sevenout.lab.widgets import preview
from sevenout.lab.widgets.frame import card_document, document
from sevenout.lab.widgets.parts import link_button, more_budget_hint, problem
from sevenout.lab.widgets.view import Reply, View
from sevenout.questions.subjects import is_rules
from sevenout.variants.rulebook import read_rules

# Below the 120 s after which a worker is ended, so that a page can still refuse in a sentence.
MAX_SECONDS, MAX_BYTES = 100.0, 5e8
"""The budget of each computation of a page."""

CARD_FORMS, PAGE_FORMS = ("csv", "svg", "html"), ("html", "svg", "png")
"""The formats of a card and of a page."""

PageMaker = Callable[[Address], View | Reply]


def page(url: str, version: str = "", base: str = "") -> Reply:
    """The answer to an address.

    >>> b"244/495" in page("/").body, page("/?game=bananas").status
    (True, 400)

    Args:
        url: the path and the query.
        version: the version of the style sheet and script, as a query.
        base: the lab's own address for full links, such as "http://127.0.0.1:8080".
    """
    try:
        return _reply(_answer(Address.read(url), version), version, base)
    except (SevenoutError, OverflowError, RecursionError, MemoryError) as error:
        # Rules that are too large raise these; any other error is a fault of the lab.
        reason: Exception = error
    except ValueError as error:
        if "integer string conversion" not in str(error):  # a number with thousands of digits
            raise
        reason = error
    except ImportError as error:
        lacks = missing_dependency(error)
        if lacks is None:
            raise
        reason = lacks
    return _reply(_refusal(reason, url=url), version)


def _reply(answer: View | Reply, version: str, base: str = "") -> Reply:
    """A view as a document."""
    if isinstance(answer, Reply):
        return answer
    body = document(answer, version, base).encode("utf-8", "replace")
    return Reply(body, status=answer.status)


def refused(text: str, version: str, status: int) -> Reply:
    """A page with one sentence: the error."""
    return _reply(_refusal(SevenoutError(text), status), version)


def failed(version: str) -> Reply:
    """A page for a fault of the lab, whose reason only the log has."""
    return refused("the lab could not make this page", version, 500)


def waiting(url: str, seconds: float, version: str) -> Reply:
    """A page to show until the answer is there; `seconds` is the time worked on it so far."""
    try:
        address = Address.read(url)
    except SevenoutError as error:
        return refused(str(error), version, 400)
    # The entry of a game tells its title without its rules being read.
    entry = games.entries.get(address.get("game").partition(";")[0])
    title = entry.title if entry else "A moment"
    view = View(address, title, address.path)
    so_far = "Others are before it."
    if seconds > 1:
        so_far = f"{quantity(round(seconds), 'second')} so far."
    view.body = [
        h.h1[title],
        h.div(".stack")[
            h.p[f"The exact answer is being computed. {so_far} Leaving this page cancels it."],
            h.progress(aria_label="Being worked out"),
            # The script follows this link by itself; without a script the visitor clicks it.
            h.p[
                h.a(".button", href=str(address), data_next=True)["Look again"],
                " ",
                link_button("Cancel", "/catalogue"),
            ],
        ],
    ]
    return _reply(view, version)


def _answer(address: Address, version: str) -> View | Reply:
    """The page of an address, or its file; refused if a field has not been read."""
    if address.path not in PAGES:
        # A path may have thousands of characters.
        text = f"The lab has no page {address.path[:80]}."
        return _error_view("There is no such page", text, status=404)
    card = address.get("card")
    cards = PAGES[address.path].cards.split()
    if card and card not in cards:  # checked before the page is made, which may be slow
        raise NotationError(f"card={shown(card)}; the page has: {', '.join(cards) or 'none'}")
    form = address.one_of("as", CARD_FORMS if card else PAGE_FORMS)
    module, _, name = PAGES[address.path].make.partition(":")
    # Imported on demand, so the first page doesn't wait for the modules of all others.
    make: PageMaker = getattr(import_module(f"sevenout.lab.pages.{module}"), name)
    with budget(MAX_SECONDS, MAX_BYTES):
        # The links of a page must not repeat these two fields: they would lead to files.
        view = make(address.to(card=None, **{"as": None}))
        # The tabs keep the game and its bet on pages that don't read them.
        unused = ("game", "bet") if PAGES[address.path].keeps_game else ()
        # Checked after the page is made, because making it is what reads the fields; a page that
        # names another mistake has not read those after it.
        is_refusal = isinstance(view, View) and view.status != 200
        unread = [] if is_refusal else address.unread()
        key = next((key for key in unread if key not in unused), None)
        if key is not None:
            raise NotationError(
                f"{key}={shown(address.query[key])}; the page {address.path} has no such field: "
                "leave it out"
            )
        if isinstance(view, Reply):
            return view
        return _in_form(view, card, form, version)


def _in_form(view: View, card: str, form: str, version: str) -> View | Reply:
    """A page or one of its cards in one of the formats; a page as HTML is the view itself."""
    if card and form == "html":
        return Reply(card_document(view, card, version).encode("utf-8", "replace"))
    if card:
        return view.card_file(card, form)
    if form == "svg":
        picture = preview.svg(preview.preview_of(view)).encode()
        return Reply(picture, "image/svg+xml", filename="sevenout.svg")
    if form == "png":
        return Reply(preview.png(preview.preview_of(view)), "image/png")
    return view


def _refusal(error: Exception, status: int = 400, url: str = "") -> View:
    """The page of an error; that of rules which are unfinished leads to their editor."""
    text = "That is too much for a page."
    if isinstance(error, SevenoutError):
        text = error_sentence(error)
    more = more_budget_hint(error), _editor_link(url)
    return _error_view("That doesn't work", text, *more, status=status)


def _editor_link(url: str) -> Any:
    """A link to the editor, if an address is of rules that are unfinished; else None."""
    game = dict(parse_qsl(url.partition("?")[2][:MAX_LENGTH])).get("game", "")
    try:
        rules = read_rules(game).check() if is_rules(game) else None
    except SevenoutError:
        return None
    if rules is None:
        return None
    return link_button("Mend the rules", Address("/", {"game": rules.text}), "main")


def _error_view(title: str, text: str, *more: Any, status: int) -> View:
    # The address itself may be wrong, so the page of an error has that of the lab.
    view = View(Address("/", {}), title, "", status=status)
    view.body = [h.h1[title], problem(text, *more, link_button("Open craps", "/", "main"))]
    return view
