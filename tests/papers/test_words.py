"""Rules in words, example rounds and diagrams, checked against the declaration."""

from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sevenout.catalogue import games
from sevenout.model import explore
from sevenout.papers.pictures.state_diagram import diagram
from sevenout.papers.sections.example_rounds import examples, play
from sevenout.papers.sections.rules_in_words import sentences, state_in_words
from sevenout.rules import PayTable, PointGame, Renamed, Streak, Together
from sevenout.rules.gamefiles.gamefile import parse_game


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
    game = games["fast-craps"]
    assert examples(game, 5) == examples(game, 5)
    ends = {outcome.label for outcome in explore(game).outcomes}
    assert {each.settled.label for each in examples(game, 5)} <= ends


def test_a_turn_is_played_on_the_dice():
    each = play(Streak(games["hazard"], losses=1), Random(2))
    assert each is not None
    assert all("=" in shown for shown, _ in each.rolls)


def test_states_of_games_of_games_have_names():
    both = Together(games["craps"], Renamed(games["hazard"], {"pass": "hazard"}))
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


def test_wagers_checklists_and_offers_in_words():
    def said(kinds: str) -> list[str]:
        return sentences(parse_game(f'format = 1\nname = "x"\n{kinds}').game)

    wager = (
        '[[wager]]\nbet = "b"\npays = {"hard 8" = 9, "7,easy 8" = -1}\nnames = {"hard 8" = "h"}\n'
    )
    assert said(wager) == [
        "Two dice are rolled (2d6). The bet is “b”. The dice are rolled until one of these decides "
        "it: hard 8 wins 9 (“h”); 7 or easy 8 loses 1."
    ]
    field = '[[wager]]\nbet = "f"\nlimit = 1\npays = {"2,12" = 2}\nrest = 0\n'
    assert said(field)[0].endswith(
        "The next roll decides it: 2 or 12 wins 2; any other returns the stake."
    )
    assert said(field.replace("limit = 1", "limit = 3"))[0].endswith(
        "It has three rolls: 2 or 12 wins 2; if none of them comes, it returns the stake."
    )
    ticks = (
        '[[checklist]]\nbet = "c"\ncollect = {6 = 3, "4,10" = 1}\nstop = 7\npays = {2 = 9, 1 = 1}\n'
    )
    assert said(ticks)[0].endswith(
        "Before a 7 comes, these are collected: 6 (three times) and 4 or 10. Once the list is "
        "complete, it wins 9; with 1 of them at the 7, it wins 1; otherwise the 7 loses the stake."
    )
    line = "[[line]]\nnaturals = [7, 11]\ncraps = [2, 3, 12]\nout = 7\nlimit = 2\n"
    offers = '[line.bets.pass]\nsurrender = {"4,10" = ["-1/2", 0], 5 = "-1/2"}\n'
    assert said(line + offers)[-1] == (
        "Before a roll the player may surrender the bet, roll after roll: with the point 4 or 10 "
        "it loses 1/2, then returns the stake; with the point 5 it loses 1/2."
    )
    named = line + 'names = {natural = "nick", out = "three strikes"}\n'
    assert "7 and 11 are naturals (“nick”); 2, 3 and 12 are craps." in said(named)[1]
    assert said(named)[2].endswith("The tables call the out “three strikes”.")


def test_a_table_of_every_kind_in_words():
    game = parse_game(
        'format = 1\nname = "x"\n[[line]]\nnaturals = [7, 11]\ncraps = [2, 3, 12]\nout = 7\n'
        '[[wager]]\nbet = "f"\nlimit = 1\npays = {7 = 4}\n'
        '[[checklist]]\nbet = "c"\ncollect = [2, 3]\nstop = 7\npays = 9\n'
    ).game
    _, line, wager, checklist = sentences(game)
    assert line.startswith("Game 1, the bet “pass”. The first roll is the come-out")
    assert wager == ("Game 2, the bet “f”. The next roll decides it: 7 wins 4; any other loses 1.")
    assert checklist.startswith("Game 3, the bet “c”. Before a 7 comes, these are collected: 2 and")
