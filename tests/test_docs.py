"""The docs: every page has its place, and every console example runs and prints what it shows.

The Python examples are doctests; pytest collects them from the pages themselves.
"""

import doctest
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from random import Random
from runpy import run_path
from shutil import which

import pytest

from sevenout.catalogue import games
from sevenout.cli import main

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
FENCE = re.compile(r"^( *)```+ *(\w+)(.*)\n((?:.*\n)*?)\1```+ *$", re.MULTILINE)
TITLE = re.compile(r'title="([\w.-]+)"')
SAME = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
NEEDS = {"python check.py": "stormpy"}
"""Commands that need a package that is not there everywhere."""
JUDGES = ("sevenout test ",)
"""Commands that end with 1 where what they test is not as it should be."""
LATER = ("python3 -m venv", "pip ", "dask ", "sevenout lab", "python docs/pictures/lab")
"""Commands that set something up; the README's own are tried by whoever follows the README."""


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the name of the file that it shows, its text."""

    language: str
    title: str | None
    text: str


def blocks(page: Path) -> Iterator[Block]:
    for indent, language, rest, text in FENCE.findall(page.read_text(encoding="utf-8")):
        title = TITLE.search(rest)
        lines = [line.removeprefix(indent) for line in text.splitlines(keepends=True)]
        yield Block(language, title and title[1], "".join(lines))


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Each command of a console block, and what is shown below it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        match = re.match(r"((?:.*\\\n)*.*)\n?", part)
        assert match
        yield match[1].replace("\\\n", " "), part[match.end() :].strip("\n")


def console_pages() -> list[Path]:
    return [page for page in PAGES if any(block.language == "console" for block in blocks(page))]


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", console_pages(), ids=name_of)
def test_console(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Every command of a page runs, in the order of the page, beside the files that it shows.

    What is shown below a command is what it prints; `...` stands for anything. A command that is
    shown to fail, with its one line, fails with code 2; one that judges may end with 1.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=":")
    for block in blocks(page):
        if block.title:
            (tmp_path / block.title).write_text(block.text, encoding="utf-8")
        if block.language != "console":
            continue
        for command, shown in commands(block.text):
            if command.startswith(LATER) or not is_there(NEEDS.get(command)):
                continue
            if command.startswith("node ") and which("node") is None:
                continue
            bring(command, tmp_path)
            code, printed = run(command, capsys)
            said = f"{name_of(page)}: $ {command}\n{printed}"
            codes = (0, 1) if command.startswith(JUDGES) else (0,)
            assert code in ((2,) if shown.startswith("sevenout: ") else codes), said
            if shown:
                same = doctest.OutputChecker().check_output(f"{shown}\n", printed, SAME)
                assert same, f"{said}\nthe page shows:\n{shown}"


@pytest.mark.parametrize("draw", ["near_half", "edge_map"])
def test_the_pictures_of_variants_are_drawn(draw: str) -> None:
    drawn = run_path(str(DOCS / "pictures" / "variants.py"))
    assert drawn[draw](drawn["Family"]("d4+d8")).axes


def bring(command: str, folder: Path) -> None:
    """The rolls that readers have written down themselves: a column for each die."""
    random = Random(1)
    columns = 2 if "2d6" in command else 1
    for name in re.findall(r"[\w.-]+\.csv", command):
        if not (folder / name).exists():
            rolls = [random.choices("123456", k=columns) for _ in range(500)]
            (folder / name).write_text("\n".join(map(",".join, rolls)), encoding="utf-8")


def is_there(package: str | None) -> bool:
    return package is None or find_spec(package) is not None


def run(command: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code of a command and all that it prints; ours run here, others in a shell."""
    if command.startswith("sevenout ") and not re.search(r"[|>]", command):
        code = main(shlex.split(command)[1:])
        captured = capsys.readouterr()
        return code, captured.out + captured.err
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=False, timeout=300
    )
    return done.returncode, done.stdout + done.stderr


def test_every_page_has_its_place() -> None:
    """The table of contents names each page once, and no page that is not there."""
    contents = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    named = re.findall(r"[\w/-]+\.md", contents)
    there = [page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")]
    there.remove("paper/paper.md")  # for a journal, not for the site
    assert sorted(named) == sorted(there)


def test_the_readme_counts_the_catalogue() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"{len(games) + len(games.endless)} games and bets" in text


def test_the_readme_lists_the_packages() -> None:
    """Every package is listed, in the order of the layers that the import linter holds."""
    listed = re.findall(r"^    (\w+)  ", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    source = ROOT / "src" / "sevenout"
    assert sorted(listed) == sorted(path.parent.name for path in source.glob("*/__init__.py"))
    layers = (ROOT / "pyproject.toml").read_text("utf-8").partition("A package imports only")[2]
    order = re.findall(r"sevenout\.(\w+)", layers.partition("\n]")[0])
    assert listed == [name for name in order if name in listed]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links(page: Path) -> None:
    """Links within the house lead somewhere."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"https?:|#|mailto:", link):
            target = (page.parent / link.partition("#")[0]).resolve()
            assert target.exists(), f"{name_of(page)} links to {link}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_nothing_is_fetched(page: Path) -> None:
    """No page shows a picture, a script or a font from elsewhere."""
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"!\[[^\]]*\]\(https?:|<(?:img|script|link|iframe)\b[^>]*https?:", text)


def test_the_notebook_is_that_of_the_page_and_runs():
    notebook = run_path(str(DOCS / "teaching/notebooks.py"))["notebook"]
    text = (DOCS / "teaching/exercises.ipynb").read_text(encoding="utf-8")
    assert text == notebook((DOCS / "teaching/exercises.md").read_text(encoding="utf-8"))
    cells = json.loads(text)["cells"]
    names = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec(cell["source"], names)
    titles = [cell["source"].splitlines()[0] for cell in cells if cell["source"].startswith("## ")]
    assert len(titles) == 60
    assert titles[:30] == titles[30:]
    assert not any("???" in cell["source"] or "```" in cell["source"] for cell in cells[:60])


@pytest.mark.parametrize("name", ["conditional-probability", "expected-value", "markov-chains"])
def test_the_notebook_of_a_lesson_is_that_of_its_page_and_runs(name: str) -> None:
    maker = run_path(str(DOCS / "teaching/notebooks.py"))
    assert name in maker["LESSONS"]
    text = (DOCS / f"teaching/{name}.ipynb").read_text(encoding="utf-8")
    page = (DOCS / f"tutorials/lessons/{name}.md").read_text(encoding="utf-8")
    assert text == maker["lesson_notebook"](page), "run: python docs/teaching/notebooks.py"
    names: dict[str, object] = {}
    for cell in json.loads(text)["cells"]:
        assert "```" not in cell["source"]
        if cell["cell_type"] == "code" and not cell["source"].startswith("!"):
            exec(cell["source"], names)


SHEETS = ["conditional-probability", "craps", "expected-value", "markov-chains", "pig"]


@pytest.mark.parametrize("name", SHEETS)
def test_the_worksheets_are_those_of_their_sources(name: str) -> None:
    pytest.importorskip("typst", reason="Typst makes the worksheets")
    made = run_path(str(DOCS / "teaching/worksheets/make.py"))["pdf"](name)
    again = "run: python docs/teaching/worksheets/make.py"
    assert made == (DOCS / f"teaching/worksheets/{name}.pdf").read_bytes(), again
