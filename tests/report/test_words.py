"""Rules in words, example rounds and diagrams, checked against the declaration."""

from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sevenout.chain import explore
from sevenout.games import catalogue
from sevenout.report.diagram import diagram
from sevenout.report.rounds import examples, play
from sevenout.report.words import sentences, state_in_words
from sevenout.rules import PayTable, PointGame, Renamed, Streak, Together


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_every_total_is_named_once_in_the_rules(data):
    totals = list(range(2, 13))
    roles = data.draw(st.lists(st.sampled_from("ncpro"), min_size=11, max_size=11))
    sets = {r: [t for t, role in zip(totals, roles, strict=True) if role == r] for r in "ncpro"}
    if not sets["o"] or not sets["n"] + sets["c"] + sets["p"]:
        return
    out = (sets["n"] + sets["c"] + sets["p"])[0]
    game = PointGame(sets["n"], sets["c"], out, pushes=sets["p"], rerolls=sets["r"])
    _, come_out, point = sentences(game)
    named = point[: point.index(".")]
    for total in totals:
        words = (
            (come_out + " " + named).replace(",", " ").replace(";", " ").replace(".", " ").split()
        )
        assert words.count(str(total)) == 1


def test_rounds_are_reproducible_and_end_as_the_game_can():
    game = catalogue["fast-craps"]
    assert examples(game, 5) == examples(game, 5)
    ends = {outcome.label for outcome in explore(game).outcomes}
    assert {each.settled.label for each in examples(game, 5)} <= ends


def test_a_turn_is_played_on_the_dice():
    each = play(Streak(catalogue["hazard"], losses=1), Random(2))
    assert each is not None
    assert all("=" in shown for shown, _ in each.rolls)


def test_states_of_games_of_games_have_names():
    both = Together(catalogue["craps"], Renamed(catalogue["hazard"], {"pass": "hazard"}))
    names = {state_in_words(both, s) for s in explore(both).states}
    assert "come-out" in names
    assert all("(" not in name for name in names)


def test_a_diagram_shows_every_kind_of_state_and_every_end():
    game = catalogue["craps"]
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
    assert diagram(explore(game), str, "craps", most=3) is None


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
