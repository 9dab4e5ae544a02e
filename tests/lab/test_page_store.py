"""Pages of optimal play on disk: what is stored is what the page is, and nothing else is stored."""

from pathlib import Path

import pytest

from sevenout.lab import page_store
from sevenout.lab.page_store import make_release_pages, page_of, source_hash
from sevenout.lab.site import page

BASE = "http://127.0.0.1:8080"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(page_store, "MIN_SECONDS", 0.0)
    monkeypatch.setattr(page_store, "RELEASE_FOLDER", tmp_path / "none")
    return tmp_path / "sevenout" / "pages"


@pytest.mark.parametrize("form", ["", "&as=png"])
def test_a_page_is_made_once(kept: Path, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    url = f"/best?game=piglet{form}"
    fresh = {base: page(url, "?v", base) for base in ("", BASE)}
    assert {base: page_of(url, "?v", base) for base in fresh} == fresh
    monkeypatch.setattr(page_store, "page", lambda *_: pytest.fail("it is made again"))
    assert {base: page_of(url, "?v", base) for base in fresh} == fresh
    if form:
        return
    assert page_of(url, "?other", BASE) == page(url, "?other", BASE)
    elsewhere = page_of(url, "?v", "http://127.0.0.1:9999").body
    assert b"http://127.0.0.1:9999/best?game=piglet" in elsewhere
    assert b"8080" not in elsewhere


def test_a_page_of_other_sources_is_made_again(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page_of("/best?game=piglet", "", BASE)
    assert [folder.name for folder in kept.iterdir()] == [source_hash()]
    monkeypatch.setattr(page_store, "source_hash", lambda: "0" * 16)
    page_of("/best?game=shut-the-box-6", "", BASE)
    assert [str(file.relative_to(kept)) for file in kept.rglob("*.gz")] == [
        f"{'0' * 16}/shut-the-box-6.html.gz"
    ]


@pytest.mark.parametrize(
    "url", ["/best?game=pig;goal=10", "/best?game=piglet&as=svg", "/", "/best?game=x"]
)
def test_what_a_visitor_has_typed_is_not_written_down(kept: Path, url: str) -> None:
    assert page_of(url, "", BASE) == page(url, "", BASE)
    assert not kept.exists()


def test_a_damaged_file_is_made_again(kept: Path) -> None:
    fresh = page_of("/best?game=piglet", "", BASE)
    (file,) = kept.rglob("*.gz")
    for damaged in (b"", b"no gzip", file.read_bytes()[:100]):
        file.write_bytes(damaged)
        assert page_of("/best?game=piglet", "", BASE) == fresh


def test_a_release_brings_pages_along(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_store, "RELEASE_FOLDER", kept.parent / "shipped")
    make_release_pages(("piglet",))
    files = sorted(file.name for file in page_store.RELEASE_FOLDER.rglob("*.gz"))
    assert files == ["piglet.html.gz", "piglet.png.gz"]
    assert b'href="/lab.css?v"' in page_of("/best?game=piglet", "?v", BASE).body
    assert not kept.exists()


def test_the_picture_of_a_page_that_took_long_is_kept_with_it(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page_of("/best?game=piglet", "", BASE)
    monkeypatch.setattr(page_store, "MIN_SECONDS", 60.0)  # the answer is at hand, so this is quick
    page_of("/best?game=piglet&as=png", "", BASE)
    page_of("/best?game=shut-the-box-6&as=png", "", BASE)
    assert sorted(file.name for file in kept.rglob("*.gz")) == ["piglet.html.gz", "piglet.png.gz"]


def test_parts_of_an_edition_are_made_once(kept: Path) -> None:
    calls: list[int] = []

    def make() -> bytes:
        calls.append(1)
        return b"a table"

    assert [page_store.cached_file("x.coach.gz", make) for _ in range(3)] == [b"a table"] * 3
    assert len(calls) == 1
    (kept / source_hash() / "x.coach.gz").write_bytes(b"")
    assert page_store.cached_file("x.coach.gz", make) == b"a table"
    assert len(calls) == 2
