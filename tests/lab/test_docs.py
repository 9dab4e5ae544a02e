"""The docs hold the lab where that is asked for; elsewhere no page leads to it."""

import importlib.util
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sevenout.lab.static import build

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def hook() -> Any:
    spec = importlib.util.spec_from_file_location("hook", DOCS / ".site" / "lab.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_nothing_leads_to_a_lab_that_is_not_there(
    hook: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[tuple[Path, str]] = []
    monkeypatch.setattr(build, "build", lambda *told: built.append(told))
    leading = [page for page in DOCS.rglob("*.md") if 'lab/index.html"' in page.read_text("utf-8")]
    assert {page.name for page in leading} == {"index.md", "lab.md", "without-installation.md"}
    for asked in (False, True):
        monkeypatch.setattr(hook, "ASKED", asked)
        for url in (None, "https://example.org/docs/"):
            hook.on_post_build(config=SimpleNamespace(site_dir="site", site_url=url))
        for page in leading:
            text = page.read_text("utf-8")
            said = hook.on_page_markdown(text)
            assert ("Try it" in said) is ('lab/index.html"' in said) is asked
            assert len(text) - len(said) < 200, "nothing else is left out"
    assert built == [(Path("site/lab"), ""), (Path("site/lab"), "https://example.org/docs/lab")]


def test_the_list_of_pages_says_what_the_static_edition_does() -> None:
    spec = importlib.util.spec_from_file_location("editions", DOCS / "howto" / "lab_editions.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    text = script.PAGE.read_text()
    for name, url in script.TRIED.items():
        assert f"| {name} | yes | {script.works(url, True)} |" in text, "run lab_editions.py"
