"""The static edition: a folder, any web server, and Python in the page."""

import ast
import fcntl
import json
import os
import re
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from threading import Thread
from typing import Any
from zipfile import ZipFile

import pytest

import sevenout as so
from sevenout.catalogue import games
from sevenout.catalogue.craps_family.table_session import TableSession
from sevenout.errors import FileError, NotationError
from sevenout.extras import MissingError
from sevenout.lab import coach_tables
from sevenout.lab.pages import PAGES
from sevenout.lab.site import page
from sevenout.lab.static import build as building
from sevenout.lab.static import vendored
from sevenout.lab.static.browser import (
    answer,
    lab_url,
    load_coach_table,
    needed_coach_table,
    static_url,
    with_static_links,
)
from sevenout.lab.static.build import EDITION_FILE, as_in_the_page, build, libraries
from sevenout.lab.static.bytecode import UNUSED, WITHOUT_LINES, compile_archives
from sevenout.lab.static.vendored import FLINT, RegistryFile, registry_url
from sevenout.rolling.throw import parse_throw
from sevenout.solving import optimal_play
from tests.lab.conftest import FACES, typefaces
from tests.lab.test_browser import bar, cell, until
from tests.lab.test_seat_browser import Seat

STRICT = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
    "style-src 'self'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""What a careful server says of all its files."""
SLOW = 120_000
"""Milliseconds for Python to arrive, on a machine that does nine other things."""
SAMPLE = (
    *(f"/?game={name}" for name in [*games.without_choices][::20]),
    "/?game=2,3,12/7,11/7;pass:point=6/5&pin=crapless",
    "/?game=2,3/7,11/7@3d6",
    "/?game=hazard;main=6&bet=odds",
    "/table?game=craps&seed=3&did=pass=5|roll*20",
    "/table?game=pig-turn&did=roll*1",
    "/table?do=roll",
    "/best?game=pig;goal=20",
    "/simulate?games=500",
    "/dice?off=0.2",
    "/dice?tab=faults&f0.1=20",
    "/catalogue?q=field",
    "/?game=bananas",
    "/nowhere?x=1",
)

EVERYWHERE = (
    *("/", "/catalogue?q=field", "/ask?game=craps", "/proof", "/dice", "/dice?tab=faults&f0.1=20"),
    *("/table?game=craps&did=roll*9", "/table?game=pig-turn", "/table?strategy=pass&did=roll*3"),
    *("/best", "/best?game=pig;goal=10", "/best?game=kuhn", "/own?kind=point", "/own?kind=luck"),
    *("/evening?game=craps", "/evening?a=pass&bankroll=9&hours=1", "/simulate?games=200"),
)
"""What both editions answer."""
LOCALLY = {
    "/best?game=pig;goal=60": "needs numpy",
    "/simulate?game=pig;goal=60": "needs numpy",
    "/table?game=yahtzee": "A coach needs NumPy and LLVM, which are not here",
    "/variants": "The lab on your own machine has a table of all variants",
    "/dice?tab=test&counts=10.12.9.8.11.14&dice=d6": "The tests need SciPy, which is not here",
    # NumPy or matplotlib: the first that is imported
    "/sheet?game=craps": "which is not installed; run pip install",
}
"""What the static edition says of the rest; each page of best play at first is a file there."""


def worked_out(url: str) -> str:
    """An address as Python in the page is asked for it, where a file would answer too."""
    return static_url(url)[2:] if "?" in static_url(url) else f"index.html{url[1:]}"


def locally() -> list[str]:
    """What a fresh process on this machine makes of the sample, with Python and nothing else."""
    code = (
        "import json, sys\n"
        "from sevenout.lab.static.build import as_in_the_page\n"
        "from sevenout.lab.static.browser import answer\n"
        "with as_in_the_page():\n"
        "    made = [answer(one)[4].decode() for one in json.load(sys.stdin)]\n"
        "json.dump(made, sys.stdout)"
    )
    wanted = json.dumps([worked_out(url) for url in SAMPLE])
    run = subprocess.run(
        [sys.executable, "-c", code], input=wanted, capture_output=True, text=True, check=True
    )
    made: list[str] = json.loads(run.stdout)
    return made


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """A folder on a plain web server: its address, and the paths that are asked for."""
    paths: list[str] = []

    class Handler(SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            paths.append(self.path)
            super().do_GET()

        def end_headers(self) -> None:
            self.send_header("content-security-policy", STRICT)
            super().end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/", paths
        server.shutdown()


@pytest.fixture(scope="session")
def edition(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The static edition, built once for all the processes that test."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "edition"
    with open(folder.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            try:
                with pytest.MonkeyPatch.context() as quick:
                    # The largest games take a minute: here their pages stay without the answer.
                    quick.setattr(building, "COACH_LABEL", "<main")
                    quick.setattr(building, "_coach_table", lambda name: name.encode())
                    quick.setattr(building, "cached_file", lambda _, make: make())
                    quick.setattr(building, "page_of", page)
                    build(folder)
            except (FileError, MissingError) as error:
                if "can't fetch" in str(error) or "with Node.js" in str(error):
                    pytest.skip(str(error))
                raise
    return folder


@pytest.mark.parametrize("url", [*PAGES, *SAMPLE])
def test_an_address_has_a_place_and_the_place_leads_back(url: str) -> None:
    assert lab_url(static_url(url).removeprefix("./")) == url


def test_a_large_game_is_refused_before_it_is_explored_whole() -> None:
    with as_in_the_page(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(optimal_play, "LARGE", 50)
        with pytest.raises(MissingError, match="this needs numpy"):
            so.best(games("pig", goal=30), most="pass > 0")
    assert len(so.best(games("pig", goal=3), most="pass > 0").model.states) < 50


def test_no_game_takes_the_name_of_a_page() -> None:
    pages = {static_url(path) for path in PAGES} | {"./lab.html", "./static.html"}
    assert not pages & {f"./{name}.html" for name in games.without_choices}
    assert all(re.fullmatch(r"(?!best-)[a-z0-9-]+", name) for name in games.without_choices)


@pytest.mark.parametrize("url", SAMPLE)
def test_no_link_leads_out_of_the_folder(url: str) -> None:
    html = answer(static_url(url)[2:])[4].decode()
    assert not re.findall(r'(?:href|action|src)="(?!\./|#|data:)[^"]*', html)
    assert 'data-copy="/' not in html


def test_what_can_not_be_done_there_is_said_first() -> None:
    with as_in_the_page():
        for url in ("ask.html?question=simulate&game=yahtzee", "table.html?game=yatzy;bonus=40"):
            html = answer(url)[4].decode()
            first = html.partition("<main")[2].partition("<h1")[0]
            assert "Python in this page has no NumPy" in first
        for url in ("evening.html?game=craps", "table.html?game=pig-turn", "best-pig.html", ""):
            assert "has no NumPy" not in answer(url)[4].decode()


def test_a_page_that_is_a_file_offers_no_question_that_is_not_answered_there() -> None:
    still = page(building.STILL_PAGES["/variants"]).body.decode()
    assert "1,254,044 variants, 31,941 classes of equal figures, the fairest first" in still
    for asked_there in ("where", "sort", "from", "page", "still", "open"):
        assert f'name="{asked_there}"' not in still
        assert f"/variants?{asked_there}=" not in still


@pytest.mark.slow  # it solves Yahtzee
def test_a_coach_that_looks_up_says_what_one_says_that_works_out() -> None:
    """The page is the same in both editions, to the last character."""
    did = ("keep 5", "keep 3 5", "chance", "keep none", "keep all", "ones")
    urls = ["/table?game=yahtzee&seed=7&did=" + "|".join(did[:k]) for k in range(len(did) + 1)]
    told = [page(url).body for url in urls]
    content = coach_tables.table_content("yahtzee")
    assert needed_coach_table("table.html?game=yahtzee") == "yahtzee"
    try:
        with as_in_the_page():
            load_coach_table("yahtzee", content)
            assert needed_coach_table("table.html?game=yahtzee") == ""
            assert [page(url).body for url in urls] == told
    finally:
        coach_tables.TABLES.clear()


@pytest.mark.slow  # it takes a minute
@pytest.mark.parametrize("name", ["yahtzee", "yatzy"])
def test_the_scores_that_come_along_are_those_of_optimal_play(name: str) -> None:
    exact = so.best(games(name)).law
    written = coach_tables.final_scores()[name]
    assert all(abs(p - exact.pmf(score)) <= p * 1e-8 for score, p in written.items())
    assert abs(1 - sum(written.values())) < 1e-8


@pytest.mark.parametrize("url", EVERYWHERE)
@pytest.mark.parametrize("static", [False, True])
def test_what_works_in_both_editions(url: str, static: bool) -> None:
    with as_in_the_page() if static else nullcontext():
        made = page(url)
    assert made.status == 200
    assert "problem" not in made.body.decode()


@pytest.mark.parametrize(("url", "said"), LOCALLY.items())
def test_what_works_locally_alone_says_so(url: str, said: str) -> None:
    with as_in_the_page():
        assert said in page(url).body.decode()


def test_what_was_worked_out_with_more_is_forgotten() -> None:
    said = LOCALLY["/variants"]
    assert said not in page("/variants").body.decode()
    with as_in_the_page():
        assert said in page("/variants").body.decode()


def test_what_works_locally_alone_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    with as_in_the_page():
        assert "./sheet.html" not in with_static_links(page("/?game=craps").body.decode())
        best = page("/best?game=pig;goal=60").body.decode()
        assert "Simulate" not in best
        assert "Play with a coach" not in best
    assert "./sheet.html" in with_static_links(page("/?game=craps").body.decode())
    names = [f"/best?game={name}" for name in ("piglet", "liars-dice")]
    monkeypatch.setattr(building, "_addresses", lambda: names)
    files = {name: content.decode() for name, content in building._files("")}
    assert list(files) == ["best-piglet.html", "best-liars-dice.html"]
    small, large = files.values()
    assert "Play with a coach" in small
    assert ">Simulate</a>" in small
    # Its answer takes packages that a page has not, so it is there, but neither of the two.
    assert "problem" not in large
    assert "Play it" in large
    assert "Play with a coach" not in large
    assert ">Simulate</a>" not in large


def test_markup_in_an_address_stays_text() -> None:
    evil = '"><script>alert(1)</script><a href="/x'
    html = answer(f"index.html?game={evil}")[4].decode()
    assert "<script>alert" not in html
    assert with_static_links('<a data-copy="/?a=&quot;&gt;&lt;b">') == (
        '<a data-copy="./index.html?a=&quot;&gt;&lt;b">'
    )


def test_a_folder_of_others_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("all of it")
    with pytest.raises(FileError, match="other files are in it; name a new folder"):
        build(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.txt"]
    with pytest.raises(FileError, match="it is not a folder"):
        build(tmp_path / "thesis.txt")


@pytest.mark.parametrize(
    "url", ["https://...", "https://example.org:99999999", "http://localhost:65536", "//x"]
)
def test_an_address_that_no_server_has_is_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(NotationError, match="is not a URL"):
        build(tmp_path, url)


def test_without_a_registry_it_is_one_line_and_nothing_is_written(tmp_path: Path) -> None:
    told = {
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "npm_config_registry": "http://127.0.0.1:9/npm/",
        "PYTHONPATH": ":".join(sys.path),
        "HOME": str(tmp_path),
        "no_proxy": "*",
    }
    run = subprocess.run(
        [sys.executable, "-m", "sevenout", "lab", "--build", str(tmp_path / "lab")],
        check=False,
        env=told,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 2
    assert run.stdout == ""
    assert run.stderr.count("\n") == 1
    assert "can't fetch pyodide-" in run.stderr
    assert "from 127.0.0.1" in run.stderr
    assert [*tmp_path.iterdir()] == []


def test_without_node_it_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MissingError, match="which is not installed; get version 20"):
        compile_archives({})


def test_the_library_in_a_page_holds_all_that_the_lab_imports() -> None:
    """Only what stays on this machine may import what a page has not."""
    held = ZipFile(BytesIO(building._archive()))
    assert not [name for name in held.namelist() if "__pycache__" in name], "numba's, 0.3 MB"
    left_out = {*UNUSED}
    # This Python may be older than that of the page, and names no private modules.
    whole = {name for name in left_out if "." not in name and not name.startswith("_")}
    assert not whole - sys.stdlib_module_names, "no module has such a name"
    for name in held.namelist():
        if name.startswith("sevenout/") and name.endswith(".py"):
            for node in ast.walk(ast.parse(held.read(name))):
                wants = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom):
                    wants = [node.module or ""]
                names = {".".join(want.split(".")[:n]) for want in wants for n in (1, 2)}
                assert not left_out & names, name


def test_the_lab_answers_from_an_archive(tmp_path: Path) -> None:
    """As in a page: no module may read a file by its path, and none needs python-flint at once."""
    (tmp_path / "lab.zip").write_bytes(building._archive())
    code = (
        "import sys; sys.path.insert(0, 'lab.zip')\n"
        "from sevenout.lab.static import browser\n"
        "import flint\n"
        "assert 'lab.zip' in browser.__file__ and 'lab.zip' in flint.__file__\n"
        "for place in ('index.html?game=hazard', 'table.html?do=roll',\n"
        "              'table.html?game=craps&did=roll*9',\n"
        "              'evening.html?a=pass&bankroll=9&hours=1', 'catalogue.html?q=field',\n"
        "              'ask.html?game=craps'):\n"
        "    status, *_, body = browser.answer(place)\n"
        "    assert status == 200 and b'problem' not in body, (place, status)\n"
        "assert browser.answer('dice.html?off=0.2')[0] == 200\n"
        "assert browser.answer('dice.html?dice=d{1,2,4}')[0] == 0"
    )
    run = subprocess.run(
        [sys.executable, "-I", "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr


def test_code_without_lines_can_still_be_traced_back() -> None:
    made: dict[str, Any] = {}
    exec(WITHOUT_LINES, made)
    source = "def f(x):\n" + "    x += 1\n" * 50 + "    return 1 / (x - 50)\nf(0)\n"
    code = made["without_lines"](compile(source, "page.py", "exec"))
    with pytest.raises(ZeroDivisionError) as error:
        exec(code, {})
    text = "".join(traceback.format_exception(error.value))
    assert 'File "page.py", line None, in f' in text or 'File "page.py", line -1, in f' in text
    assert {line for _, _, line in code.co_lines()} == {None}


def test_libraries_are_listed_before_they_follow() -> None:
    held = BytesIO()
    names = ("python_flint.libs/libflint.so", "python_flint.libs/libgmp.so")
    with ZipFile(held, "w") as wheel:
        for name in (*names, "python_flint.libs/libmpfr.so", "flint/types/fmpz.so", "flint/a.py"):
            wheel.writestr(name, name.encode())
    packed = libraries(held.getvalue())
    size = int.from_bytes(packed[:4], "little")
    listed = json.loads(packed[4 : 4 + size])
    order = ["libgmp.so", "libmpfr.so", "libflint.so", "/lib/flint/flint/types/fmpz.so"]
    assert [name for name, _ in listed] == order
    assert packed[4 + size :].startswith(b"python_flint.libs/libgmp.so")
    assert sum(length for _, length in listed) == len(packed) - 4 - size


def test_a_registry_is_the_one_that_is_configured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("npm_config_registry", "NPM_CONFIG_REGISTRY", "PIP_INDEX_URL", "PIP_CONFIG_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    (tmp_path / ".npmrc").write_text("fund=false\nregistry = https://npm.example/\n")
    (tmp_path / "pip.conf").write_text("[global]\nindex-url = https://pypi.example/100%/simple\n")
    assert registry_url("npm") == "https://npm.example"
    assert registry_url("pypi") == "https://pypi.example/100%/simple"
    monkeypatch.setenv("NPM_CONFIG_REGISTRY", "https://other.example/npm/")
    monkeypatch.setenv("PIP_INDEX_URL", "https://other.example/simple/")
    assert registry_url("npm") == "https://other.example/npm"
    assert registry_url("pypi") == "https://other.example/simple"


@pytest.mark.parametrize(
    ("platform", "file"),
    [
        ("linux", ".config/pip/pip.conf"),
        ("darwin", "Library/Application Support/pip/pip.conf"),
        ("win32", "AppData/Roaming/pip/pip.ini"),
    ],
)
def test_the_files_of_pip_are_those_of_the_system(
    platform: str, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PIP_INDEX_URL", "PIP_CONFIG_FILE", "XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(sys, "platform", platform)
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).write_text("[global]\nindex-url = https://pypi.example/simple\n")
    assert registry_url("pypi") == "https://pypi.example/simple"
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    assert registry_url("pypi") == "https://pypi.org/simple"


def test_a_parcel_is_fetched_once_and_is_what_it_should_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content, wheel = b"a wheel", "thing-1.0-py3-none-any.whl"
    shelf = tmp_path / "web" / "simple" / "thing"
    shelf.mkdir(parents=True)
    (shelf / "index.html").write_text(f'<a href="../../files/{wheel}#sha256=0">{wheel}</a>')
    (tmp_path / "web" / "files").mkdir()
    (tmp_path / "web" / "files" / wheel).write_bytes(content)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(vendored, "PATIENCE", 5.0)
    right = sha256(content).hexdigest()
    with served(tmp_path / "web") as (address, paths):
        monkeypatch.setenv("PIP_INDEX_URL", f"{address}simple")
        wrong = RegistryFile("pypi", "thing", "1.0", wheel, FLINT.sha256)
        with pytest.raises(FileError, match="is not the expected file"):
            wrong.content()
        assert not (tmp_path / "cache").exists()
        parcel = RegistryFile("pypi", "thing", "1.0", wheel, right)
        assert parcel.content() == content
        assert parcel.content() == content
        assert paths.count(f"/files/{wheel}") == 2, "the wrong one, the right one, then the cache"
        (tmp_path / "cache" / "sevenout" / wheel).write_bytes(b"damaged")
        assert parcel.content() == content
        with pytest.raises(FileError, match="it is not in the list of files"):
            RegistryFile("pypi", "thing", "2.0", "thing-2.0.whl", right).content()


@pytest.mark.parametrize("registry", ["http://localhost:abc", "http://[bad", "no address"])
def test_a_registry_without_a_usable_address_is_refused(
    registry: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("npm_config_registry", registry)
    with pytest.raises(FileError, match="can't fetch thing"):
        RegistryFile("npm", "thing", "1.0", "thing.tgz", "0" * 64).content()


@pytest.mark.slow  # the folder takes a minute to build
def test_the_folder_holds_all_it_needs(edition: Path) -> None:
    told = json.loads((edition / EDITION_FILE).read_text())
    assert len([*edition.glob("*.html")]) == told["pages"] > len(games.without_choices)
    for file in edition.glob("*.html"):
        html = file.read_text()
        assert '<meta http-equiv="content-security-policy"' in html
        assert "unsafe" not in html
        assert not re.findall(r'(?:src|href)="(?:https?:)?//', html), file
        for name in set(re.findall(r'(?:href|src|action)="\./([^"?#]+)', html)):
            assert (edition / name).is_file(), (file.name, name)
    licences = (edition / "LICENCES.txt").read_text()
    fonts = [*edition.glob("*.woff2")]
    assert len(fonts) == 3
    assert sum(file.stat().st_size for file in fonts) < 60_000
    assert "Source Serif 4 Project Authors" in licences
    for name in ("Mozilla Public License 2.0", "flint-3.6.0", "htpy", "markupsafe"):
        assert name in licences


@pytest.mark.slow  # the folder takes a minute to build
def test_pages_are_files_that_need_no_script(chromium: Any, edition: Path) -> None:
    with served(edition) as (address, paths):
        page = chromium.new_context(java_script_enabled=False).new_page()
        for name in ("index", "hazard", "dice", "variants", "evening", "best-pig", "catalogue"):
            page.goto(f"{address}{name}.html")
            assert typefaces(page) <= FACES, name
        assert {path.partition("?")[0] for path in paths if ".woff2" in path} <= {
            f"/{file.name}" for file in edition.glob("*.woff2")
        }
        page.locator("#fast-craps summary").click()
        page.locator("#fast-craps").get_by_role("link", name="Fast Craps", exact=True).click()
        assert page.url == f"{address}fast-craps.html"
        assert "Fast Craps" in page.locator("h1").inner_text()
        page.context.close()


@pytest.mark.slow  # the folder takes a minute to build
def test_a_reader_fetches_no_python_until_something_is_pressed(
    chromium: Any, edition: Path
) -> None:
    context = chromium.new_context(viewport={"width": 1280, "height": 844})
    with served(edition) as (address, paths):
        page = context.new_page()
        page.goto(f"{address}hazard.html")
        page.wait_for_timeout(2_000)  # long after the page has loaded
        names = {path.partition("?")[0].strip("/") for path in paths}
        sizes = {
            name: (edition / name).stat().st_size for name in names if (edition / name).is_file()
        }
        assert sum(sizes.values()) < 300_000, sizes
        assert not [name for name in names if name.startswith("python-")]
        page.locator("a.cell").first.dispatch_event("pointerdown")
        for _ in range(100):
            if any("pyodide.asm.wasm" in path for path in paths):
                break
            page.wait_for_timeout(100)
        else:
            pytest.fail("Python did not start when a cell was pressed")
    context.close()


@pytest.mark.slow  # the folder takes a minute to build
def test_python_in_the_page(chromium: Any, edition: Path, axe: Callable[[Any], None]) -> None:
    said: list[str] = []
    elsewhere: list[str] = []
    context = chromium.new_context(viewport={"width": 1280, "height": 844})
    context.set_default_timeout(SLOW)
    with served(edition) as (address, paths):

        def tab() -> Any:
            page = context.new_page()
            page.on("console", lambda message: said.append(message.text))
            page.on("pageerror", lambda error: said.append(str(error)))
            page.on(
                "request",
                lambda asks: (
                    asks.url.startswith((address, "data:", "blob:")) or elsewhere.append(asks.url)
                ),
            )
            return page

        page = tab()
        page.goto(address)
        assert "244/495" in page.locator("main").inner_text(), "painted before Python is there"
        until(page, "!!document.querySelector('#loading')")
        axe(page)
        cell(page, 5, "craps").click()
        page.wait_for_selector("h2:has-text('Why 74/165')")
        assert page.locator("#loading").is_hidden()
        assert page.url.startswith(f"{address}index.html?game=2,3,5,12/7,11/7")

        found = page.evaluate(
            "async (all) => { const found = []; for (const one of all) {"
            " found.push(await (await lab.ask('./' + one)).text()); } return found; }",
            [worked_out(url) for url in SAMPLE],
        )
        for url, html, local in zip(SAMPLE, found, locally(), strict=True):
            assert html == local, url

        proof = b"".join(so.solve(games["craps"]).certificate("pass").lines()).decode()
        verdict = page.evaluate("(text) => lab.prove(new Blob([text]))", proof)
        assert "per unit staked is -7/495" in verdict

        page.go_back()
        page.wait_for_selector("h2:has-text('Why 244/495')")
        page.go_forward()
        page.wait_for_selector("h2:has-text('Why 74/165')")
        page.get_by_text("Share", exact=True).click()
        with page.expect_download() as saved:
            page.locator("a[download='rolls.csv']").click()
        assert "491/165" in Path(saved.value.path()).read_text()
        page.goto(f"{address}best.html?game=piglet")
        page.wait_for_url(f"{address}best-piglet.html")  # the file that there is
        page.wait_for_selector("h1:text-is('Piglet')")
        page.go_back()
        page.wait_for_selector("h2:has-text('Why 74/165')")

    kept = page.evaluate(
        "async () => (await (await caches.open(`sevenout ${new URL('./', location.href)}`)).keys())"
        ".map(({ url }) => url).filter((url) => /lab-[0-9a-f]{12}.index.html/.test(url))"
    )
    assert page.url.partition("?")[2] in " ".join(kept), "a page that was made is kept"

    # the server is gone: the second visit, a reload, another tab, all from what was kept
    before = len(paths)
    page.add_init_script(
        "new MutationObserver(() => { if (!('waits' in document.documentElement.dataset))"
        " window.firstShown = document.querySelector('main').innerText; })"
        ".observe(document, { subtree: true, attributeFilter: ['data-waits'] })"
    )
    page.reload()
    assert "244/495" not in page.locator("main").inner_text(), "nothing of another address"
    page.wait_for_selector("h2:has-text('Why 74/165')")
    shown_first = page.evaluate("window.firstShown")
    assert "74/165" in shown_first
    assert "244/495" not in shown_first
    assert "44.8485" in bar(page)
    other = tab()
    other.goto(f"{address}fast-craps.html")
    other.wait_for_selector("h1:text-is('Fast Craps')")
    cell(page, 6, "natural").click()
    page.wait_for_selector('a.cell[data-role=natural][data-total="6"][aria-current]')
    assert other.url == f"{address}index.html?game=fast-craps"
    with other.expect_download() as saved:
        other.goto(f"{address}index.html?game=fast-craps&card=odds&as=csv")
    assert Path(saved.value.path()).read_text().startswith("figure,")
    other.wait_for_selector("h1:text-is('Fast Craps')")  # the card's page, and not an empty one
    assert other.url == f"{address}index.html?game=fast-craps"
    context.add_init_script("window.Worker = class { postMessage() {} terminate() {} }")
    with context.expect_page() as opened:  # a new tab, with no page to go back to
        other.evaluate("() => { open('index.html?game=crapless'); }")
    new = opened.value
    new.wait_for_selector("#awaited")
    new.evaluate("document.querySelector('#loading').hidden = true")
    new.get_by_role("button", name="Cancel").click()
    new.wait_for_url(f"{address}index.html")
    new.close()
    assert len(paths) == before
    context.close()
    assert elsewhere == []
    assert [text for text in said if "ERR_" not in text] == []


@pytest.mark.slow  # the folder takes a minute to build
def test_one_sits_at_the_table_in_the_page(chromium: Any, edition: Path) -> None:
    said: list[str] = []
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    context.set_default_timeout(SLOW)
    with served(edition) as (address, _):

        def tab(url: str) -> Seat:
            page = context.new_page()
            page.on("console", lambda message: said.append(message.text))
            page.on("pageerror", lambda error: said.append(str(error)))
            page.goto(url)
            page.wait_for_selector("#seat")
            return Seat(page)

        seat = tab(f"{address}table.html")
        page = seat.page
        until(page, "!!document.querySelector('#loading')")
        page.locator("#chip-25").check()
        page.wait_for_selector("#chip-25[checked]")
        seat.tap("pass")
        assert seat.session().bets == {"pass": 25}
        seat.roll("4 2")
        page.locator("#chip-most").check()
        page.wait_for_selector("#chip-most[checked]")
        seat.tap("pass odds")
        seat.tap("place 8")
        assert {"pass", "pass odds", "place 8"} == set(seat.session().bets)
        before = seat.session()
        seat.press("Take down", "place 8")
        seat.then(page.locator("#undo").click)
        assert seat.session().acts == before.acts
        seat.then(page.locator("#roll").click)
        assert seat.session().rolls == 2
        seat.then(page.locator("#undo").click)
        seat.roll("3 3")
        rolled = seat.session()
        assert rolled.to_address() == sat(before, "3 3").to_address()

        again = tab(page.url)
        again.page.wait_for_function(
            "acts => document.querySelector('#seat input[name=table]').value.includes(acts)",
            arg="roll 3 3",
        )
        assert again.session().to_address() == rolled.to_address()
        seat.then(page.go_back)
        assert seat.session().acts == before.acts
    context.close()
    assert [text for text in said if "ERR_" not in text] == []


@pytest.mark.slow  # the folder takes a minute to build
def test_a_shared_link_shows_its_figures_and_checks_them(chromium: Any, edition: Path) -> None:
    context = chromium.new_context(viewport={"width": 1280, "height": 844})
    context.set_default_timeout(SLOW)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    said: list[str] = []
    with served(edition) as (address, paths):

        def opened(url: str) -> Any:
            page = context.new_page()
            page.on("pageerror", lambda error: said.append(str(error)))
            page.goto(url, wait_until="commit")
            return page

        page = opened(f"{address}index.html?game=2,3,12/7,11/7;pass:point=6/5")
        # In one call: on a fast machine the answer may replace it before a second.
        awaited = page.wait_for_function(
            "() => { const all = [...document.querySelectorAll('#awaited dd')];"
            " return all.length && [document.title, ...all.map((cell) => cell.textContent)]; }"
        )
        assert awaited.json_value() == [
            "2,3,12/7,11/7, pass:point=6/5 · sevenout",
            *("2d6", "2, 3, 12", "7, 11", "7", "is a point", "pass:point=6/5"),
        ]
        page.wait_for_selector("h1:has-text('other pays')")
        assert not [path for path in paths if "flint" in path], "python-flint isn't needed"
        page.locator("details.share > summary").click()
        page.get_by_role("button", name="Copy link", exact=True).click()
        page.wait_for_selector("#note:has-text('Copied')")
        link = page.evaluate("navigator.clipboard.readText()")
        figures = page.locator(".hero .figure .value").all_inner_texts()
        assert link.startswith(f"{page.url}#shared&title=")

        right = opened(link)
        right.wait_for_selector("#shared")
        assert right.locator("#shared").inner_text() == "The figures of the link are confirmed."
        assert right.url == page.url, "the figures leave the address when they are checked"
        told = opened(
            f"{address}index.html?game=2,3,12/7,11/7;pass:point=7/5{link[len(page.url) :]}"
        )
        awaited = told.wait_for_selector("#awaited:has(.hero)")
        first = awaited.query_selector(".value").text_content()
        assert first == figures[0].replace("\u202f", " "), "in a link a space is a space"
        status = awaited.query_selector("[role=status]").text_content()
        assert status == "As shared, checking …"
        told.wait_for_selector("#shared del")
        assert "the figures here are the right ones" in told.locator("#shared").inner_text()

        evil = "#shared&title=%3Cimg%20src=x%20onerror=alert(1)%3E&figure=%3Cb%3E1|" + "9" * 500
        page = opened(f"{address}index.html?game=2,3,12/7,11/7;pass:point=8/5{evil}")
        awaited = page.wait_for_selector("#awaited:has(.hero)")
        assert awaited.query_selector_all("img, b") == []
        assert len(awaited.query_selector(".what").text_content()) == 80
        page.wait_for_selector("#shared del")
    context.close()
    assert said == []


@pytest.mark.slow  # the folder takes a minute to build
def test_python_is_kept_and_python_flint_comes_when_it_is_needed(
    chromium: Any, edition: Path
) -> None:
    context = chromium.new_context(viewport={"width": 1280, "height": 844})
    context.set_default_timeout(SLOW)
    images = (
        "async () => { const all = []; for (const name of await caches.keys())"
        " for (const { url } of await (await caches.open(name)).keys()) all.push(url);"
        " return all.filter((url) => url.endsWith('.memory')).map((url) => url.split('/').pop()); }"
    )
    with served(edition) as (address, paths):
        page = context.new_page()
        page.goto(f"{address}index.html?game=2,3,12/7,11/7;pass:point=6/5")
        page.wait_for_selector("h1:has-text('other pays')")
        until(page, f"({images})().then((all) => all.includes('plain.memory'))")
        size = sum((edition / p.strip("/")).stat().st_size for p in {*paths} if ".packed" in p)
        assert size < 15_000_000
        release = [path.strip("/") for path in {*paths} if path.startswith("/lab-")]
        assert sum((edition / path).stat().st_size for path in release) < 2_000_000
        paths.clear()
        page.goto(f"{address}dice.html?dice=d%7B1,2,4%7D")
        page.wait_for_selector("#content h1:not(#awaited h1)")
        assert [path for path in paths if ".packed" in path and "flint" not in path] == []
        assert [path for path in paths if "flint.libraries" in path]
        until(page, f"({images})().then((all) => all.includes('flint.memory'))")
        paths.clear()
        page.goto(f"{address}dice.html?dice=d%7B1,2,5%7D")
        page.wait_for_selector("#content h1:not(#awaited h1)")
        assert [path for path in paths if ".packed" in path] == []
    context.close()


def sat(before: TableSession, dice: str) -> TableSession:
    """The session after a roll more."""
    then = TableSession.from_text(before.to_text())
    then.roll(parse_throw(dice))
    return then
