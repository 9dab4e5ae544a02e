"""Rules in words, example rounds and diagrams, checked against the declaration."""

from random import Random
from xml.etree import ElementTree

import pytest

from sevenout.catalogue import games
from sevenout.model import explore
from sevenout.papers.diagrams import diagram
from sevenout.papers.game_sheet import author_rules, examples, play
from sevenout.papers.subject import subject_of
from sevenout.papers.wording import event_glossary, state_in_words
from sevenout.rules import JointGame, PayTable, PointGame, RenamedGame, Streak
from sevenout.rules.gamefiles.gamefile import parse_game


def test_rounds_are_reproducible_and_end_as_the_game_can():
    game = games["fast-craps"]
    assert examples(game, 5) == examples(game, 5)
    ends = {outcome.label for outcome in explore(game).outcomes}
    assert {each.outcome.label for each in examples(game, 5)} <= ends


def test_a_turn_is_played_on_the_dice():
    each = play(Streak(games["hazard"], losses=1), Random(2))
    assert each is not None
    assert all("=" in shown for shown, _ in each.rolls)


def test_states_of_games_of_games_have_names():
    both = JointGame(games["craps"], RenamedGame(games["hazard"], {"pass": "hazard"}))
    names = {state_in_words(both, s) for s in explore(both).states}
    assert "come-out" in names
    assert all("(" not in name for name in names)


def test_a_diagram_shows_every_kind_of_state_and_every_end():
    game = games["craps"]
    picture = diagram(explore(game), lambda s: state_in_words(game, s), "craps")
    assert picture is not None
    root = ElementTree.fromstring(picture.svg)
    words = [element.text for element in root.iter() if element.tag.endswith("text")]
    for text in (
        "come-out",
        "point 4 or 10",
        "point 6 or 8",
        "natural",
        "seven out",
        "5/18",
        "25/36",
    ):
        assert text in words
    assert diagram(explore(game), str, "craps", max_cards=3) is None
    # a unit of the drawing is a point
    assert root.get("viewBox").split()[2:] == [
        root.get(side).removesuffix("pt") for side in ("width", "height")
    ]


def test_a_title_that_is_cut_says_so_and_keeps_its_last_clause():
    game = games["craps"]
    picture = diagram(
        explore(game),
        lambda s: f"a long first clause, a long second clause, a third one too, point {s}",
        "",
    )
    assert picture is not None
    words = [e.text for e in ElementTree.fromstring(picture.svg).iter() if e.tag.endswith("text")]
    assert words[words.index("…") - 1] == "a long first clause,"
    assert words[words.index("…") + 1].startswith("point ")


@pytest.mark.parametrize("name", ["</text><script/>", "a & b", '"quoted"', "x" * 90])
def test_names_in_a_diagram_are_escaped(name):
    game = PointGame([7], [2], 7, bets={name: PayTable()})
    picture = diagram(explore(game), lambda s: f"{name} {s}", name)
    assert picture is not None
    root = ElementTree.fromstring(picture.svg)
    assert {e.tag.split("}")[1] for e in root.iter()} <= {
        "svg",
        "defs",
        "marker",
        "path",
        "rect",
        "text",
        "line",
    }


def test_rules_are_what_the_maker_wrote():
    """No sentence is made of a declaration: of totals, where bets are on faces, or of anything."""
    bare = parse_game('format = 1\nname = "x"\n[[wager]]\nbet = "b"\npays = { "6-6" = 9 }\n')
    (text,) = author_rules(subject_of(bare))
    assert text.text == "The rules are given as data; the return tables list every result."
    words = "Roll.\n\nAnd roll again."
    stated = subject_of(games["craps"], rules=words)
    assert [text.text for text in author_rules(stated)] == ["Roll.", "And roll again."]


def test_events_are_explained():
    assert event_glossary(["hard 8", "doubles"], 2) == [
        "Doubles: both dice alike.",
        "Hard 8: a total of 8 with two dice all alike.",
    ]
    assert event_glossary(["7 or 11"], 2) == []
