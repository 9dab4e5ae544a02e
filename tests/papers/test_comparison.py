"""Games side by side: every difference is the difference of the two solutions."""

import json
import sys
from fractions import Fraction

import pytest

import sevenout as so
from sevenout.catalogue import games as shelf
from sevenout.cli import main
from sevenout.documents import Table
from sevenout.errors import RulesError
from sevenout.model import Chain
from sevenout.papers.comparison import Contender, compare
from sevenout.rules import PayTable, PointGame
from sevenout.solving import solve
from sevenout.solving.metrics import Metrics


def craps(**changed):
    rules = {"naturals": [7, 11], "craps": [2, 3, 12], "out": 7} | changed
    return PointGame(**rules)


def test_every_figure_and_its_difference_are_those_of_the_solutions():
    games = {"Craps": craps(), "With 12": craps(naturals=[7, 11, 12], craps=[2, 3])}
    found = compare(games)
    data = found.to_dict()
    one, other = (solve(game).bet() for game in games.values())
    figures = data["bets"][0]["figures"]
    for name, attribute in (
        ("win probability", "p_win"),
        ("house edge, per bet made", "edge"),
        ("house edge, per roll", "edge_per_roll"),
        ("variance per unit staked", "variance"),
        ("mean rolls to settle", "rolls"),
    ):
        a, b = getattr(one, attribute), getattr(other, attribute)
        assert figures[name] == {"values": [str(a), str(b)], "differences": ["0", str(b - a)]}
        assert found.difference(name) == [0, b - a]
    assert figures["N0, in bets"]["values"] == [str(Metrics(x).n0) for x in (one, other)]
    rolls = [solve(game).distribution("rolls").variance for game in games.values()]
    assert data["length"]["variance of the rolls"]["values"] == [*map(str, rolls)]
    rows = {row["event"]: row for row in data["bets"][0]["table"]}
    assert rows["natural"]["probability"] == ["2/9", "1/4"]
    assert rows["craps"]["probability"] == ["1/9", "1/12"]


def test_only_what_differs_in_the_rules_is_listed():
    found = compare({"Craps": craps(), "With 12": craps(naturals=[7, 11, 12], craps=[2, 3])})
    rules = found.page().sections[0]
    table = rules.blocks[0]
    assert isinstance(table, Table)
    assert [row[0] for row in table.rows] == ["naturals", "craps"]
    assert table.rows[0][1:] == ("7 and 11", "7, 11 and 12")
    assert "These are the same: what is rolled, pushes" in str(rules)
    assert not found.same_chain
    other = compare({"Craps": craps(), "One roll": craps(limit=1)})
    assert not other.same_chain
    assert "fingerprint" not in vars(other.games[0].solution.chain)  # of many states it takes long


def test_the_same_rules_are_said_to_be_the_same():
    found = compare({"One": craps(), "Other": craps()})
    assert found.same_chain
    assert "the same chain" in str(found)
    assert set(found.difference("house edge, per bet made")) == {0}


def test_two_bets_of_one_game_are_not_the_same():
    lay = PayTable(natural=-1, craps=1, point=-1, out=1)
    game = craps(bets={"pass": PayTable(), "lay": lay})
    solution = solve(game)
    sides = [Contender(bet, game, solution, (bet,)) for bet in ("pass", "lay")]
    found = compare(sides)
    assert found.pairs == (("pass", "lay"),)
    assert "the bets differ, not the games" in str(found)
    assert "all figures are the same" not in str(found)


def test_pays_alone_differ():
    paid = craps(bets={"pass": PayTable(natural=2)})
    found = compare({"Craps": craps(), "Double": paid})
    assert "differ in what is paid" in str(found)
    assert found.difference("house edge, per bet made") == [0, Fraction(-2, 9)]
    pays = found.page().sections[1].blocks[0]
    assert isinstance(pays, Table)
    assert pays.tones == {0: "strong"}
    assert pays.rows[0][1::2][:2] == (1, 2)


def test_a_push_is_a_zero_where_there_is_none():
    barred = craps(craps=[2, 3], pushes=[12])
    found = compare({"Craps": craps(), "Bar 12": barred})
    assert found.difference("push probability") == [0, Fraction(1, 36)]
    edges = [solve(game).bet().edge_resolved for game in (craps(), barred)]
    assert found.difference("house edge, per bet resolved") == [0, edges[1] - edges[0]]


def test_three_games_are_compared_with_the_first():
    names = ("craps", "crapless", "no-crap-craps-pass")
    games = {name: shelf[name] for name in names}
    games["limit"] = craps(limit=3)
    found = compare(games)
    edges = [solve(game).bet(found.pairs[0][k]).edge for k, game in enumerate(games.values())]
    assert found.difference("house edge, per bet made") == [edge - edges[0] for edge in edges]
    for name in games:
        assert name in str(found)


def test_bets_that_only_one_has_are_named():
    two = craps(bets={"pass": PayTable(), "lay": PayTable(natural=-1, craps=1, point=-1, out=1)})
    found = compare({"One": craps(bets={"pass": PayTable(), "x": PayTable()}), "Two": two})
    assert found.pairs == (("pass", "pass"),)
    assert "One has “x”" in str(found)
    third = compare({"One": two, "Two": two, "Three": craps()})
    assert third.pairs == (("pass", "pass", "pass"), ("lay", "lay", None))
    assert "–" in str(third)
    chosen = compare({"One": craps(), "Two": two}, bets=["lay", "pass"])
    assert chosen.pairs == ((None, "lay"), ("pass", "pass"))


@pytest.mark.parametrize(
    ("games", "match"),
    [
        ({"One": craps()}, "1 games"),
        ({}, "0 games"),
        ({f"{k}": craps() for k in range(13)}, "13 games"),
        (3, "0 games"),
        ([craps(), craps()], "has no title; give games by title"),
        ([Contender, "craps"], "has no title; give games by title"),
    ],
)
def test_too_few_and_too_many_are_refused(games, match):
    with pytest.raises(RulesError, match=match):
        compare(games)
    with pytest.raises(RulesError, match="has the bet"):
        compare({"One": craps(), "Two": craps()}, bets=["field"])
    with pytest.raises(RulesError, match=r"give a list, such as \['pass'\]"):
        compare({"One": craps(), "Two": craps()}, bets="pass")
    with pytest.raises(RulesError, match="no figure"):
        compare({"One": craps(), "Two": craps()}).difference("luck")
    with pytest.raises(RulesError, match="pairs"):
        compare({"One": craps(), "Two": craps()}).difference("win probability", 3)


def test_on_the_command_line(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["compare", "craps", "2,5,10,12/8,9/5", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["bets"][0]["figures"]["house edge, per bet made"]["differences"][1] == "-871/62370"
    assert main(["compare", "craps", "craps", "-o", "x.html", "-o", "x.json"]) == 0
    assert b"Craps, game 2" in (tmp_path / "x.html").read_bytes()
    assert json.loads((tmp_path / "x.json").read_text())["title"] == "Craps and Craps, game 2"
    assert not capsys.readouterr().out
    assert main(["compare", "razzle@bold", "craps"]) == 2
    assert main(["compare", "craps", "craps@best"]) == 2
    assert main(["compare", "craps", "craps", "-o", "x.txt"]) == 2
    assert main(["compare", "craps"]) == 2
    assert main(["compare", "craps", "pig"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 5
    assert "say how the player plays, pig@best or pig@hold-20" in said
    assert main(["compare", "craps", "craps", "craps", "--json"]) == 0
    titles = [game["title"] for game in json.loads(capsys.readouterr().out)["games"]]
    assert titles == ["Craps", "Craps, game 2", "Craps, game 3"]
    assert main(["compare", "pig-turn@hold-20", "pig-turn@hold-20", "--json"]) == 0
    same = json.loads(capsys.readouterr().out)
    assert same["same_chain"]
    assert same["games"][0]["rules"]["policy"] == "hold-20"


def test_a_second_game_of_the_same_title_gets_its_words(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for file, pays in (("one.toml", 4), ("two.toml", 5)):
        (tmp_path / file).write_text(
            f'format = 1\nname = "Mine"\n[[wager]]\nbet = "hop"\npays = {{ "7" = {pays} }}\n'
        )
    assert main(["compare", "one.toml", "two.toml", "two.toml", "--json"]) == 0
    titles = [game["title"] for game in json.loads(capsys.readouterr().out)["games"]]
    assert titles == ["Mine", "Mine (two.toml)", "Mine (two.toml), game 3"]


def test_a_variants_dice_are_no_policy(capsys):
    assert main(["compare", "2,3/4,12/12@2d8", "2,3/4,12/12@2d6", "--json"]) in (0, 2)
    assert "policy" not in capsys.readouterr().out


def test_the_same_comparison_is_the_same_pdf():
    games = {"Craps": craps(), "With 12": craps(naturals=[7, 11, 12], craps=[2, 3])}
    page = compare(games).page()
    assert page.pdf() == page.pdf()
    assert page.pdf().startswith(b"%PDF")


def test_the_dice_and_the_long_fractions_are_said():
    found = compare({"Field": shelf["field-2-2"], "Fast": shelf["fast-craps-pass"]})
    page = found.page()
    assert "what is rolled" not in {row[0] for row in page.sections[0].blocks[0].rows}  # 2d6
    full = str(next(part for part in page.sections if part.title == "Fractions in full"))
    variance = solve(shelf["fast-craps-pass"]).bet().variance
    assert f"Fast: {variance}" in full
    dice = compare({"Cee-lo": shelf["cee-lo-player"], "Field": shelf["field-2-2"]})
    assert dice.games[0].rules_by_aspect["what is rolled"] == "three dice (3d6)"


def test_a_wheel_and_a_pair_of_dice_are_not_alike():
    """Only what the start rolls was compared: both games begin with two dice."""

    class Pair(so.Game):
        dice, start = so.dice("2d6"), "dice"
        wheel = so.Die([1, 5], [3, 1])

        def step(self, state, roll):
            return so.settle("double" if roll.hard else "no double", {"pass": 2 * roll.hard - 1})

    class Wheel(Pair):
        dice = None

        def rolls(self, state):
            return so.dice("2d6") if state == "dice" else self.wheel

        def step(self, state, roll):
            if state == "wheel":
                return so.settle(f"wheel {roll}", {"pass": roll})
            return "wheel" if roll.hard else so.settle("no double", {"pass": -1})

    both = compare({"Pair": Pair(), "Wheel": Wheel()})
    assert [game.rules_by_aspect["what is rolled"] for game in both.games] == [
        "two dice (2d6)",
        "two dice (2d6) and a wheel of 4 segments: 1 (3 times) and 5",
    ]
    assert "These are the same: what is rolled" not in str(both)


MINE = """
from sevenout.catalogue.dice_keeping import Yahtzee

class Two(Yahtzee):
    card = (frozenset({"sixes", "chance"}), False)
"""


def test_ways_to_play_a_game_of_turns(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE)
    ways = ["mine.py:Two@best", "mine.py:Two@greedy"]
    assert main(["compare", *ways, *ways, ways[0], "--json"]) == 0
    best, greedy, *again = json.loads(capsys.readouterr().out)["distributions"].values()
    assert again == [best, greedy, best]
    assert Fraction(best["mean"]) > Fraction(greedy["mean"])
    assert main(["compare", *ways, "-o", "two.html"]) == 0
    assert f"{float(Fraction(greedy['mean'])):.6f}" in (tmp_path / "two.html").read_text()
    assert main(["compare", ways[0], "craps"]) == 2
    assert "compare it with another such game" in capsys.readouterr().err
    assert main(["compare", "mine.py:Two", ways[1]]) == 2
    assert "GAME@greedy (each turn by itself)" in capsys.readouterr().err
    assert main(["compare", *ways, "--bet", "pass"]) == 2


@pytest.mark.parametrize("method", ["lifting", "certified"])
def test_what_is_printed_of_games_that_differ_takes_no_fingerprint(
    method, capsys, monkeypatch
) -> None:
    def taken(chain):
        raise AssertionError

    monkeypatch.setattr(
        sys.modules["sevenout.solving"], "solve", lambda chain: solve(chain, method)
    )  # a function of the package has its name
    monkeypatch.setattr(Chain, "fingerprint", property(taken))
    assert main(["compare", "pig-turn@hold-20", "pig-turn@hold-10"]) == 0
    assert "Differences are those of" in capsys.readouterr().out
    with pytest.raises(AssertionError):
        main(["compare", "pig-turn@hold-20", "pig-turn@hold-20"])


def test_what_is_no_whole_number_is_not_rounded_to_one():
    """Maximum exposures of 17/5 and 7/2, and the N0 of each."""

    def paying(most):
        return craps(bets={"pass": PayTable(natural=Fraction(most))})

    found = compare({"One": paying("17/5"), "Other": paying("7/2")})
    cells = {
        row[0]: row
        for block in found.page().sections
        for table in block.blocks
        if isinstance(table, Table)
        for row in table.printed()
    }
    assert cells["maximum exposure, in stakes"][1::2] == ["17/5", "7/2", "1/10"]
    n0 = [Metrics(solve(paying(most)).bet()).n0 for most in ("17/5", "7/2")]
    assert cells["N0, in bets"][1:4:2] == [str(x) for x in n0]
    assert "/" not in "".join(cells["bets for ± 1 % at 95 %"])


def test_a_shared_bet_that_is_not_asked_for_is_no_bet_of_one_game_alone():
    """Both have the brick: it was said of each that no other game has it."""
    both = {"Fast": shelf["fast-craps"], "Again": shelf["fast-craps"]}
    assert "no other game has" not in str(compare(both, bets=["pass"]))


def test_three_games_of_one_chain_are_not_both():
    three = dict.fromkeys(["One", "Two", "Three"], shelf["craps"])
    assert "All games have the same chain" in str(compare(three))


def test_a_pair_of_bets_is_a_number():
    with pytest.raises(RulesError, match="pair='pass'; there are 1 pairs"):
        compare(["craps", "crapless"]).difference("variance", "pass")


def test_games_of_one_title_are_told_apart():
    comparison = compare(["craps", "craps"])
    assert [game.title for game in comparison.games] == ["Craps", "Craps, game 2"]
    assert "fingerprint of Craps, game 2" in str(comparison)
