"""Pages are written as `style.py` says: its words, and sentences that are not too long."""

from pathlib import Path

import pytest

from tests.style import faults, prose

ROOT = Path(__file__).parents[1]
FRONT = [ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG", "SECURITY")]
PAGES = sorted([*FRONT, *(ROOT / "docs").rglob("*.md")])


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_keeps_to_the_style(page: Path) -> None:
    found = faults(prose(page.read_text(encoding="utf-8")))
    assert not found, "\n".join([name_of(page), *found])


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("He leaves.", "“He”"),
        ("Roll so many dice.", "“so many”"),
        ("There are so many dice that no one counts them.", ""),
        ("The law of the total.", "“law”"),
        ("The law of large numbers.", ""),
        ("Who needs 25 points goes on.", "“Who” begins"),
        ("Who wins?", ""),
        ("A bet is worth 3.", "worth"),
        ("A word " * 20 + "ends it.", "42 words"),
    ],
)
def test_what_is_found(text: str, fault: str) -> None:
    found = faults(text)
    assert fault in "".join(found)
    assert bool(found) == bool(fault)


def test_code_tables_and_links_are_not_prose() -> None:
    page = "# Head\n\n| law | he |\n\nSee `law` in\n[the page](law.md).\n\n```text\nhe\n```\n"
    assert prose(page).split() == ["See", "code", "in", "the", "page."]
