"""The sheet of a game with choices."""

import pytest
from tests.solving.test_turn_optimum import Boxes

import sevenout as so
from sevenout.catalogue import games
from sevenout.catalogue.dice_keeping import Yahtzee
from sevenout.documents import PageError, Table
from sevenout.errors import RulesError
from sevenout.papers import declaration, sheet
from sevenout.papers.dossier import Dossier
from sevenout.papers.game_sheet import examples
from sevenout.papers.monitoring_paper import monitoring
from sevenout.papers.subject import subject_of


def section(page, title):
    return next(part for part in page.sections if part.title == title)


def test_the_sheet_has_the_card_and_both_returns():
    pig = games.entry("pig-turn")
    page = sheet(
        pig.game(), goal=pig.goal, policies={"hold-25": pig.policy("hold-25")}, simulate=2_000
    )
    best = so.best(pig.game())
    text = str(section(page, "Choices and their strategy"))
    assert "turn: roll below 21, hold from 21." in text
    assert "492303203/60466176" in text
    held = best.evaluate(pig.policy("hold-25"))
    assert str(held.value) in text
    assert f"{float(held.cost):.6f}" in text
    lengths = section(page, "Length of a game").blocks[0]
    assert next(row[1] for row in lengths.rows if row[0] == "points") == best.value
    scores = section(page, "Distribution of points").blocks[0].rows
    assert sum(p for _, p, _ in scores) == 1
    assert sum(score * p for score, p, _ in scores) == best.value
    assert all(tail == sum(p for k, p, _ in scores if k >= score) for score, _, tail in scores)
    assert section(page, "Simulation")
    assert page.pdf().startswith(b"%PDF")


def test_worked_rounds_are_played_best():
    game = games.entry("pig-turn").game()
    best = so.best(game)
    for each in examples(game, seed=2, optimum=best):
        total = 0
        for shown, _ in each.rolls:
            if shown.isdecimal():
                total = 0 if shown == "1" else total + int(shown)
            else:
                assert shown == best.policy[total]
        assert each.outcome.label == ("hold" if total else "bust")


def test_of_two_players_a_round_is_seen_by_the_first():
    best = so.best(games("pig", goal=8))
    rounds = examples(games("pig", goal=8), seed=1, optimum=best)
    assert {each.outcome.label: each.outcome.profit("pass") for each in rounds} == {
        "first: home": 1,
        "second: home": -1,
    }


class Three(Yahtzee):
    """Yahtzee with three boxes."""

    card = (frozenset({"sixes", "chance", "yahtzee"}), False)


def test_the_sheet_of_a_game_of_turns():
    best = so.best(Three())
    page = sheet(declaration(Three(), rules="Three boxes."), simulate=2_000, signatures=["author"])
    titles = [part.title for part in page.sections]
    assert titles == [
        *("The rules", "Method", "The result of a game", "Choices and their strategy"),
        "Simulation",
        *("Sources", "Signatures"),
    ]
    worth = str(section(page, "The result of a game"))
    blocks = section(page, "The rules").blocks
    entered = next(block for block in blocks if isinstance(block, Table))
    assert ("yahtzee", 0, 50, "1 1 1 1 1") in entered.rows
    turns = section(page, "The rules").blocks[-2].rows
    assert [row[1] for row in turns] == ["chance", "sixes", "yahtzee"]
    assert turns[-1][3] == sum(row[2] for row in turns)
    assert "43.40992878658" in worth
    assert f"{float(best.greedy.law.mean):.6f}" in worth
    assert f"{100 * float(1 - best.law.cdf(39)):.4f} %" in worth
    _, turn = section(section(page, "Choices and their strategy"), "The first turn").blocks
    assert [row[-1] for row in turn.rows][:3] == ["yahtzee 50", "sixes 24", "chance 28"]
    with pytest.raises(RulesError, match="no certificate"):
        best.certificate()
    assert "certificate, SHA-256" not in dict(page.title_facts)
    assert not page.attachments
    assert page.pdf().startswith(b"%PDF")


def test_what_is_paid_at_the_end_has_a_row_of_its_own():
    page = sheet(Boxes({"high", "pair"}, faces=6), goal={"most": "score"})
    *turns, last = section(page, "The rules").blocks[-2].rows
    assert list(last) == ["", "at the end", 5, sum(row[2] for row in turns) + 5]


def test_a_game_of_turns_is_no_subject():
    with pytest.raises(PageError, match="has no bets"):
        subject_of(Three())


def test_of_two_players_one_alone_plays_simply():
    """If both did, the first to move would return more than under optimal play."""
    piglet = games.entry("piglet")
    policies = {name: piglet.policy(name) for name in piglet.policies}
    dossier = Dossier(subject_of(piglet), games=0, volume=10, policies=policies)
    assert dict(dossier.simple_returns)["hold-1"] < dossier.subject.bets[0].rtp
    words = " ".join(str(monitoring(dossier)).split())
    assert "simple play against optimal play: hold-1: 89.89" in words
    assert "Both players play optimally for the highest probability to win" in words


def test_an_edge_below_0_has_a_minus_sign():
    page = sheet(games.entry("piglet"))
    assert dict(page.facts)["house edge"] == "−4.496 % per bet made"
