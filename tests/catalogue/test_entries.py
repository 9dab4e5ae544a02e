"""The search of the catalogue: by other names, the closest first, and in spite of a slip."""

import pytest

from sevenout.catalogue import games
from sevenout.catalogue.entries import OTHER_NAMES, search_entries

EVERY = [*games.without_choices.values(), *games.with_choices.values()]


def ids(words: str) -> list[str]:
    return [entry.id for entry in search_entries(EVERY, words.split())]


@pytest.mark.parametrize("name", OTHER_NAMES)
def test_every_other_name_means_something(name: str) -> None:
    assert ids(name)


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("snakes", "chutes-and-ladders"),
        ("snakes and ladders", "chutes-and-ladders"),
        ("liar", "liars-dice"),
        ("sevens", "any-seven"),
        ("any seven", "any-seven"),
        ("fast craps", "fast-craps"),
        ("craps", "craps"),
        ("yathzee", "yahtzee"),
        ("hazzard", "hazard"),
        ("tai sai", "sic-bo-small-big"),
        ("ten thousand", "farkle-turn"),
    ],
)
def test_the_closest_comes_first(words: str, first: str) -> None:
    assert ids(words)[0] == first


def test_words_in_one_text_come_together() -> None:
    assert [entry.id for entry in search_entries(EVERY, ["craps", "Pays  half"])] == [
        "no-crap-dont-pass"
    ]
    assert len(search_entries(EVERY, ["craps", "pays", "half"])) > 1
    assert search_entries(EVERY, ["snakes and ladders", " "])[0].id == "chutes-and-ladders"


def test_all_words_must_be_meant() -> None:
    assert set(ids("hazard caster")) < set(ids("hazard"))
    assert ids("hazard xylophone") == []
    assert len(ids("")) == len(EVERY)


def test_an_entry_says_the_class_of_its_game() -> None:
    assert all(isinstance(entry.kind, type) for entry in games.entries.values())
    assert all(isinstance(entry.game(), entry.kind) for entry in games.entries.values())
