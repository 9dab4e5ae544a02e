"""The static edition in the visitor's browser: its URLs, and the functions that its worker calls.

A page is a file of the folder; the query holds the visitor's changes. A web server ignores the
query, so any server can serve reloads, bookmarks and shared links. The page's Python then answers
the query as the local lab would. Links lead from file to file of one folder.

`worker.js` calls `freeze_imports` when it has started; `answer` for each address, after
`load_coach_table` if `needed_coach_table` names a game; and `collect_garbage` between two answers.
"""

import gc
import re
import sys
import traceback
from contextlib import chdir, redirect_stderr, redirect_stdout
from html import escape, unescape
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import parse_qsl, unquote

from sevenout.catalogue import games
from sevenout.lab.coach_tables import TABLES, load_table
from sevenout.lab.site import failed, page
from sevenout.lab.static import flint_substitute
from sevenout.lab.static.flint_substitute import FlintNeeded, Work
from sevenout.rules import ByTurns

LOCAL_LAB = "on your own machine: pip install 'sevenout[lab]', then sevenout lab."
NO_TURNS = (
    "Python in this page has no NumPy, which games of many turns need. The usual rules can be "
    f"played here with a coach. By other rules, or thousands of times, the lab plays it {LOCAL_LAB}"
)
COACHED_GAMES = tuple(name for name, e in games.with_choices.items() if issubclass(e.kind, ByTurns))
"""The games whose optimal play the coach reads from a file."""
# The lab's own links begin with a slash; links to other sites stay as they are.
LINK = re.compile(r'\b(href|action|src|data-copy|data-link)="(/[^"]*)"')
MAIN = re.compile(r"<main[^>]*>")
NEEDS_FLINT = 0, "", "", "", b""
"""The answer of Python in the page if only python-flint can give it."""


def static_url(url: str) -> str:
    """The URL of a lab's address in the static edition, relative to its folder.

    >>> static_url("/"), static_url("/table?seed=3")
    ('./index.html', './table.html?seed=3')
    >>> static_url("/?game=hazard"), static_url("/?game=hazard&bet=x")
    ('./hazard.html', './index.html?game=hazard&bet=x')
    >>> static_url("/best?game=pig"), static_url("/best?game=pig;goal=20")
    ('./best-pig.html', './best.html?game=pig;goal=20')
    """
    path, mark, query = url.partition("?")
    field, _, name = query.partition("=")
    if path == "/" and field == "game" and name in games.without_choices:
        return f"./{name}.html"
    if path == "/best" and field == "game" and name in games.with_choices:
        return f"./best-{name}.html"
    # The style sheet and the script keep their names in the folder.
    if path.startswith("/lab."):
        return f".{url}"
    return f"./{path[1:] or 'index'}.html{mark}{query}"


def lab_url(relative_url: str) -> str:
    """The lab's address of a URL of the static edition, without its "./"; undoes `static_url`.

    >>> lab_url("index.html?game=craps"), lab_url("hazard.html?bet=x"), lab_url("table.html")
    ('/?game=craps', '/?game=hazard&bet=x', '/table')
    >>> lab_url("best-pig.html?card=best&as=csv"), lab_url("")
    ('/best?game=pig&card=best&as=csv', '/')
    """
    file, _, query = relative_url.partition("?")
    name = unquote(file).removesuffix(".html")
    if name in games.without_choices:
        return f"/?game={name}" + (f"&{query}" if query else "")
    best, _, game = name.partition("-")
    if best == "best" and game in games.with_choices:
        return f"/best?game={game}" + (f"&{query}" if query else "")
    return f"/{'' if name == 'index' else name}" + (f"?{query}" if query else "")


def limitation(url: str) -> str:
    """A note on what Python in a page can't do for an address; "" if it can do everything.

    >>> limitation("/ask?question=simulate&game=yatzy") == NO_TURNS, limitation("/table?game=yatzy")
    (True, '')
    """
    path, _, query = url.partition("?")
    fields = dict(parse_qsl(query))
    game = fields.get("game", "").strip()
    if game.partition(";")[0] not in COACHED_GAMES:
        return ""
    # The coach's files are enough for a table by the usual rules, but not for simulations.
    is_beyond = path in ("/best", "/table") and game not in COACHED_GAMES
    return NO_TURNS if is_beyond or fields.get("question") == "simulate" else ""


def needed_coach_table(relative_url: str) -> str:
    """The game whose file the coach needs to answer a URL of the static edition; "" for none.

    >>> needed_coach_table("table.html?game=yahtzee"), needed_coach_table("table.html?game=craps")
    ('yahtzee', '')
    """
    path, _, query = lab_url(relative_url).partition("?")
    game = dict(parse_qsl(query)).get("game", "")
    has_coach = path in ("/table", "/best")
    # A file holds the usual rules, so a game with options has none.
    return game if has_coach and game in COACHED_GAMES and game not in TABLES else ""


def load_coach_table(name: str, content: Any) -> None:
    """Give the coach the file of a game, an array of JavaScript."""
    load_table(name, bytes(content))


def check_certificate(content: Any) -> str:
    """What the checker prints of a certificate, an array of JavaScript.

    >>> check_certificate(b"{}")
    'proof.json, line 1: not proved: the header is missing'
    """
    from sevenout.certify import check

    checker: Any = check  # it has no annotations
    printed = StringIO()
    with TemporaryDirectory() as folder, chdir(folder):
        name = "proof.json"  # the checker names the file in its messages
        Path(name).write_bytes(bytes(content))
        with redirect_stdout(printed), redirect_stderr(printed):
            checker.main([name])
    return printed.getvalue().strip()


def static_page(url: str, html: str) -> str:
    """A page as a file of the folder: with a note on its limits, and links to files."""
    limit = limitation(url)
    note = f'<p class="problem">{escape(limit)}</p>' if limit else ""
    return with_static_links(MAIN.sub(lambda main: main[0] + note, html, count=1))


def with_static_links(html: str) -> str:
    """A page whose links lead to files of the folder.

    >>> with_static_links('<a href="/table?game=hazard&amp;seed=3">')
    '<a href="./table.html?game=hazard&amp;seed=3">'
    """
    return LINK.sub(lambda link: f'{link[1]}="{escape(static_url(unescape(link[2])))}"', html)


def answer(relative_url: str) -> tuple[int, str, str, str, bytes]:
    """The answer of Python in the page to a URL of the static edition.

    >>> answer("hazard.html?bet=chance")[:4]
    (200, 'text/html; charset=utf-8', '', '')
    >>> answer("index.html?game=pig-turn")[3]
    './best-pig-turn.html'

    Returns:
        Status, media type, file name, URL of a redirect, content. The status is 0 if only
        python-flint can give the answer.
    """
    Work.done = 0
    url = lab_url(relative_url)
    try:
        reply = page(url)
    except FlintNeeded:
        return NEEDS_FLINT
    except Exception:
        # What the substitute lacks may end in any error, so python-flint has the last word.
        if sys.modules.get("flint") is flint_substitute:
            return NEEDS_FLINT
        # The visitor gets a page in any case; the browser's console has the reason.
        traceback.print_exc()
        reply = failed("")
    body = reply.body
    if reply.media_type.startswith("text/html"):
        body = static_page(url, body.decode()).encode()
    location = static_url(reply.location) if reply.location else ""
    return reply.status, reply.media_type, reply.filename, location, body


def freeze_imports() -> None:
    """Freeze what is imported out of garbage collection, which only `collect_garbage` runs."""
    gc.collect()
    gc.freeze()
    # A collection in the middle would delay an answer.
    gc.disable()


def collect_garbage() -> None:
    """Collect garbage, between two answers."""
    gc.collect()
