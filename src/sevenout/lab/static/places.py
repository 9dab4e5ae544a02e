"""Where the static edition keeps an address; and what its Python is asked.

A page is a file of the folder; the query holds the visitor's changes. A web server ignores the
query, so any server can serve reloads, bookmarks and shared links. The page's Python then answers
the query as the local lab would. Links lead from file to file of one folder.
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
from sevenout.lab.coach_tables import TABLES, give
from sevenout.lab.site import page, refused
from sevenout.lab.static import flint_substitute
from sevenout.lab.static.flint_substitute import FlintNeeded, Work
from sevenout.rules import ByTurns

OWN = "on your own machine: pip install 'sevenout[lab]', then sevenout lab."
TURNS = (
    "Python in this page has no NumPy, which games of many turns need. The usual rules can be "
    f"played here with a coach. By other rules, or thousands of times, the lab plays it {OWN}"
)
COACHED = tuple(name for name, e in games.with_choices.items() if issubclass(e.kind, ByTurns))
"""The games whose optimal play the coach reads from a file."""
# The lab's own links begin with a slash; links to other sites stay as they are.
LINK = re.compile(r'\b(href|action|src|data-copy|data-link)="(/[^"]*)"')
MAIN = re.compile(r"<main[^>]*>")


def place(url: str) -> str:
    """Where an address is kept, relative to the folder.

    >>> place("/"), place("/table?seed=3"), place("/?game=hazard"), place("/?game=hazard&bet=x")
    ('./index.html', './table.html?seed=3', './hazard.html', './index.html?game=hazard&bet=x')
    >>> place("/best?game=pig"), place("/best?game=pig;goal=20"), place("/lab.css?4a5b")
    ('./best-pig.html', './best.html?game=pig;goal=20', './lab.css?4a5b')
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


def asked(place: str) -> str:
    """The address kept at a place: a file's name and a query.

    >>> asked("index.html?game=craps"), asked("hazard.html?bet=x"), asked("table.html"), asked("")
    ('/?game=craps', '/?game=hazard&bet=x', '/table', '/')
    >>> asked("best-pig.html?card=best&as=csv")
    '/best?game=pig&card=best&as=csv'
    """
    file, _, query = place.partition("?")
    name = unquote(file).removesuffix(".html")
    if name in games.without_choices:
        return f"/?game={name}" + (f"&{query}" if query else "")
    if name.removeprefix("best-") in games.with_choices and name.startswith("best-"):
        return f"/best?game={name[5:]}" + (f"&{query}" if query else "")
    return f"/{'' if name == 'index' else name}" + (f"?{query}" if query else "")


def lacks(url: str) -> str:
    """A note on what Python in a page can't do there; "" if it can do everything.

    >>> lacks("/ask?question=simulate&game=yatzy") == TURNS, lacks("/table?game=yatzy")
    (True, '')
    """
    path, _, query = url.partition("?")
    fields = dict(parse_qsl(query))
    game, simulated = fields.get("game", "").strip(), fields.get("question") == "simulate"
    # The coach's files are enough for a table, but not for simulations.
    turns = (path in ("/best", "/table") or simulated) and game.partition(";")[0] in COACHED
    return TURNS if turns and (simulated or game not in COACHED) else ""


def wanted(place: str) -> str:
    """The game whose file the coach needs to answer at a place; "" for none.

    >>> wanted("table.html?game=yahtzee&seed=1"), wanted("table.html?game=craps")
    ('yahtzee', '')
    """
    path, _, query = asked(place).partition("?")
    game = dict(parse_qsl(query)).get("game", "")
    # A file holds the usual rules, so a game with options has none.
    advises = path in ("/table", "/best")
    return game if advises and game in COACHED and game not in TABLES else ""


def given(name: str, content: bytes) -> None:
    """Give the coach the file of a game."""
    give(name, bytes(content))


def verdict(content: Any) -> str:
    """What the checker prints of a certificate, given as bytes.

    >>> verdict(b"{}")
    'proof.json, line 1: not proved: the header is missing'
    """
    from sevenout.certify import check as untyped

    program: Any = untyped
    printed = StringIO()
    with TemporaryDirectory() as folder, chdir(folder):
        name = "proof.json"  # the checker names the file in its messages
        Path(name).write_bytes(bytes(content))
        with redirect_stdout(printed), redirect_stderr(printed):
            program.main([name])
    return printed.getvalue().strip()


def told(url: str, html: str) -> str:
    """A page as a file of the folder: with a note on its limits, and links to files."""
    lack = f'<p class="problem">{escape(lacks(url))}</p>' if lacks(url) else ""
    return moved(MAIN.sub(lambda m: m[0] + lack, html, count=1))


def moved(html: str) -> str:
    """A page whose links lead to places.

    >>> moved('<a href="/table?game=hazard&amp;seed=3">')
    '<a href="./table.html?game=hazard&amp;seed=3">'
    """
    return LINK.sub(lambda m: f'{m[1]}="{escape(place(unescape(m[2])))}"', html)


def answered(requested: str) -> tuple[int, str, str, str, bytes]:
    """The answer of Python in the page to a place: status, media type, file name, redirect,
    content.

    The status is 0 if only python-flint can give the answer.

    >>> answered("hazard.html?game=craps")[:4]
    (200, 'text/html; charset=utf-8', '', '')
    >>> answered("index.html?game=pig-turn")[3]
    './best-pig-turn.html'
    """
    Work.done = 0
    try:
        made = page(asked(requested))
    except FlintNeeded:
        return 0, "", "", "", b""
    except Exception:
        # What the substitute lacks may end in any error, so python-flint has the last word.
        if sys.modules.get("flint") is flint_substitute:
            return 0, "", "", "", b""
        # The visitor gets a page in any case; the browser's console has the reason.
        traceback.print_exc()
        made = refused("the lab could not make this page", "", 500)
    body = made.body
    if made.kind.startswith("text/html"):
        body = told(asked(requested), body.decode()).encode()
    where = place(made.location) if made.location else ""
    return made.status, made.kind, made.filename, where, body


def settle() -> None:
    """Freeze what is imported out of garbage collection, and let `rest` collect."""
    gc.collect()
    gc.freeze()
    # A collection would delay an answer; the worker calls `rest` after it.
    gc.disable()


def rest() -> None:
    """Collect garbage, after an answer only."""
    gc.collect()
