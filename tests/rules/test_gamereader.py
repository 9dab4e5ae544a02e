"""Games of turns, keep-and-score games, races and bets on a hand as files."""

from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb

import pytest

import sevenout as so
from sevenout.catalogue import games
from sevenout.catalogue.board_games import CHUTES, LADDERS
from sevenout.cli import main
from sevenout.errors import NotationError, RulesError
from sevenout.rules.gamefiles.gamefile import game_text, parse_game
from sevenout.solving.optimal_play import best

CRAPS = "round = { naturals = [7, 11], craps = [2, 3, 12], out = 7 }"
MOVES = ", ".join(f"{start} = {end}" for start, end in (LADDERS | CHUTES).items())


def read(body: str, dice: str = "2d6", head: str = "") -> so.rules.Game:
    return parse_game(f'format = 1\nname = "Mine"\ndice = "{dice}"\n{head}\n{body}', "my.toml").game


SHIP = "[keep]\nleast = 0\nrolls = 3\nneeded = [6, 5, 4]\nin_order = true\n"


@pytest.mark.parametrize(
    ("body", "dice", "same", "options"),
    [
        ("[hold]\nbust = [1]\ntarget = 100\nplay = 'turn'", "d6", "pig-turn", {}),
        ("[hold]\nbust = [1]\ntarget = 25\nplay = 'alone'", "d6", "pig-solitaire", {"goal": 25}),
        ("[hold]\nbust = [1]\ntarget = 15", "d6", "pig", {"goal": 15}),
        ("[hold]\nbust = [0]\ntarget = 6", "d2{0,1}", "piglet", {"goal": 6}),
        ("[keep]\nvalues = { 3 = 0 }\nbest = 'least'", "5d6", "threes", {}),
        ("[keep]\nneeded = [1, 4]", "6d6", "midnight", {}),
        (f"{SHIP}all_or_none = true", "5d6", "ship-captain-and-crew", {}),
        (SHIP, "5d6", "ship-captain-and-crew-either", {}),
    ],
)
def test_a_file_is_worth_what_the_game_of_the_catalogue_is(body, dice, same, options):
    entry = games.entry(same)
    known = None if options else entry.known.get("value")
    value = best(read(body, dice)).value
    assert value == (known or best(entry.game(**options), **entry.goal).value)


@pytest.mark.parametrize(
    ("body", "dice", "same"),
    [
        (f"[[points]]\nbet = 'fire'\npays = {{ 4 = 24, 5 = 249, 6 = 999 }}\n{CRAPS}", "2d6", "a"),
        (f"[turn]\nlosses = 2\n{CRAPS}", "2d6", "hazard-turn"),
        (
            f"[race]\nto = 100\nplayers = 1\nexact = true\njumps = {{ {MOVES} }}",
            "d6",
            "chutes-and-ladders",
        ),
    ],
)
def test_a_file_is_the_chain_of_the_catalogue(body, dice, same):
    game = games["fire-bet-a" if same == "a" else same]
    assert so.explore(read(body, dice)).fingerprint == so.explore(game).fingerprint


def test_points_made_each_time_are_geometric():
    """Of the rounds with a point that end well or ill, 67/165 are made: points come one by one."""
    body = f"[[points]]\nbet = 'p'\ndifferent = false\npays = {{ 3 = 5 }}\n{CRAPS}"
    made = Fraction(67, 165)
    assert so.solve(read(body)).p("3 points or more") == made**3
    assert so.solve(read(body)).p("1 point") == made * (1 - made)


def test_rounds_won_until_as_many_are_lost():
    """Fair coins: a turn until one round is lost wins n or more with 1/2^n."""
    body = "[turn]\nlosses = 1\nround = { naturals = [2], craps = [1], out = 1, pushes = [3] }\n"
    game = read(f"{body}bet = 'b'\npays = {{ 2 = 1, 4 = 7 }}", "d4{1,2,3,4}")
    solved = so.solve(game)
    won = Fraction(1, 2)  # a point of 4 is made as often as a 1 comes
    assert solved.p("4 or more won") == won**4
    assert solved.p("2 to 3 won") == won**2 - won**4


def test_a_race_without_luck_goes_to_the_first():
    assert so.solve(read("[race]\nto = 5", "d1{1}")).bet("pass").mean == 1
    mean = so.solve(read("[race]\nto = 2", "d2")).bet("pass").mean
    assert mean == 2 * (Fraction(1, 2) + Fraction(1, 2) * Fraction(1, 2)) - 1


def test_any_dice_may_be_kept_with_rolls():
    """Two rolls of one die, kept if above the mean of the second: 4.25."""
    assert best(read("[keep]\nleast = 0\nrolls = 2", "d6")).value == Fraction(17, 4)
    assert best(read("[keep]\nleast = 0\nrolls = 2", "3d6")).value == 3 * Fraction(17, 4)


def test_a_file_with_a_bet_on_a_hand_and_a_line():
    line = "[[line]]\nnaturals = [7, 11]\ncraps = [2, 3, 12]\nout = 7\n"
    fire = f"[[points]]\nbet = 'fire'\npays = {{ 4 = 24, 5 = 249, 6 = 999 }}\n{CRAPS}\n"
    both = so.solve(read(line + fire))
    assert both.bet("pass").edge == Fraction(7, 495)
    assert both.bet("fire").edge == so.solve(games["fire-bet-a"]).bet().edge


@pytest.mark.parametrize(
    ("body", "dice", "line", "says"),
    [
        ("[hold]\nbust = [7]\ntarget = 9", "d6", 5, "7 busts, but d6 can't show it"),
        ("[hold]\nbust = []\ntarget = 9", "d6", 5, "name the faces that end a turn"),
        ("[hold]\nbust = [1]\ntarget = 0", "d6", 5, "target=0; play to 1 or more"),
        ("[hold]\nbust = [1]", "d6", 5, "a hold without target; write target, such as"),
        ("[hold]\nbust = [1]\ntarget = 9\nplay = 'three'", "d6", 8, 'write one of "turn"'),
        ("[hold]\nbust = [1]\ntarget = 9\n[race]\nto = 3", "d6", 5, "alone in its file"),
        ("[[hold]]\nbust = [1]", "d6", 5, "write [hold]"),
        ("[keep]\nleast = 0", "5d6", 5, "nothing ends this game"),
        (
            f"[turn]\nlosses = 2\n{CRAPS}\npays = {{ 3 = '1..3' }}\nbet = 'x'",
            "2d6",
            8,
            "the amount '1..3'; write 2, -1",
        ),
        ("[keep]\nleast = 7", "5d6", 5, "least=7 of 5 dice; give 0 to 5"),
        ("[keep]\nrolls = 0", "5d6", 6, "rolls = 0; allow 1 or more rolls"),
        ("[keep]\nneeded = [7]", "5d6", 5, "7 is named, but d6 can't show it"),
        ("[keep]\nneeded = [1]\nbest = 'least'", "5d6", 5, "let the most points be best"),
        ("[keep]", "d4+d6", 3, "roll dice that are alike"),
        ("[race]\nto = 9\njumps = { 3 = 5, 5 = 7 }", "d6", 5, "a jump from 3 to 5"),
        ("[race]\nto = 9\nagain = [7]", "d6", 5, "again=7; d6 can't roll it"),
        (f"[turn]\nlosses = 0\n{CRAPS}", "2d6", 5, "losses=0"),
        (f"[turn]\nlosses = 2\n{CRAPS}\nbet = 'x'", "2d6", 8, "bet needs pays"),
        (f"[turn]\nlosses = 2\n{CRAPS}\npays = {{ 0 = 1 }}\nbet = 'x'", "2d6", 5, "a prize for 0"),
        (f"[[points]]\nbet = 'f'\npays = {{ 7 = 1 }}\n{CRAPS}", "2d6", 5, "a prize for 7 points"),
        (f"[[points]]\nbet = 'f'\npays = 7\n{CRAPS}", "2d6", 7, "write amounts by number"),
        ("[[points]]\nbet = 'f'\npays = { 4 = 1 }\nround = 7", "2d6", 8, "round = 7; write"),
    ],
)
def test_an_error_names_the_line(body, dice, line, says):
    with pytest.raises(NotationError) as error:
        read(body, dice)
    assert str(error.value).startswith(f"my.toml:{line}: "), str(error.value)
    assert says in str(error.value)


def test_a_goal_of_its_own():
    game = read("[keep]\nvalues = { 3 = 0 }", "2d6", "goal = 'least points'")
    assert best(game).value < best(read("[keep]\nvalues = { 3 = 0 }", "2d6")).value
    with pytest.raises(NotationError, match=r"my.toml:4: 'point' can't be a goal"):
        read("[keep]", "2d6", "goal = 'point'")
    with pytest.raises(NotationError, match=r"my.toml:4: goal = 'rolls'; this game has no choices"):
        read("[race]\nto = 9", "2d6", "goal = 'rolls'")


def test_a_simple_policy_of_a_declared_game(tmp_path, capsys):
    path = tmp_path / "pig.toml"
    path.write_text(
        'format = 1\nname = "Pig"\ndice = "d6"\n[hold]\nbust = [1]\ntarget = 100\nplay = "turn"\n'
    )
    assert main(["odds", str(path), "--policy", "hold-20"]) == 0
    assert "8.14179" in capsys.readouterr().out


def test_the_hands_are_as_many_as_there_are():
    """Five dice that are kept one by one have C(n + 5, 5) hands each."""
    model = so.explore(read("[keep]", "3d6"))
    hands = sum(comb(n + 5, 5) for n in (1, 2, 3))
    assert len(model.states) == hands + 3


def by_hand(dice: int, most: int) -> Fraction:
    """The best chance of so many points or fewer at Threes, over every choice of dice."""

    @cache
    def rolling(n: int, left: int) -> Fraction:
        hands = product((0, 1, 2, 4, 5, 6), repeat=n)
        return sum((best_of(tuple(sorted(hand)), left) for hand in hands), Fraction(0)) / 6**n

    @cache
    def best_of(hand: tuple[int, ...], left: int) -> Fraction:
        found = []
        for k in range(1, len(hand) + 1):
            for kept in combinations(hand, k):
                rest = left - sum(kept)
                over = Fraction(int(rest >= 0))
                found.append(over if k == len(hand) or rest < 0 else rolling(len(hand) - k, rest))
        return max(found)

    return rolling(dice, most)


def test_a_goal_that_compares_a_counter(tmp_path, capsys):
    text = 'format = 1\nname = "Low"\ndice = "3d6"\ngoal = "points <= 2"\n[keep]\n'
    text += "values = { 3 = 0 }\nbest = 'least'\n"
    file = parse_game(text)
    assert parse_game(game_text(file)) == file
    assert best(file.game).value == by_hand(3, 2)
    path = tmp_path / "low.toml"
    path.write_text(text)
    assert main(["odds", str(path), "--policy", "best"]) == 0
    assert "points <= 2" in capsys.readouterr().out
    assert main(["best", "pig-turn", "--goal", "rolls >= 3"]) == 0
    assert main(["best", "threes", "--dice", "2", "--goal", "points <= 2", "--json"]) == 0


def test_a_counter_that_goes_down_is_not_compared():
    class Down(so.Game):
        dice, start, counters = so.d6, "rolling", ("money",)

        def choices(self, state):
            return {"go": state} if state == "rolling" else {}

        def step(self, state, face):
            return so.counted("rolling" if face < 4 else so.settle("over"), money=face - 3)

    with pytest.raises(RulesError, match="the counter money goes down by 2"):
        best(Down(), "money >= 2")


def test_the_faces_that_bust_may_be_symbols() -> None:
    text = (
        'format = 1\nname = "Skulls"\ndice = "d6{1,2,3,4,5,skull}+d8"\n'
        '[hold]\nbust = ["skull", 1]\ntarget = 50\nplay = "turn"\n'
    )
    game = parse_game(text)
    assert parse_game(game_text(game)) == game
    with pytest.raises(NotationError, match="'bone' busts, but"):
        parse_game(text.replace('["skull", 1]', '["bone"]'))
    with pytest.raises(NotationError, match="list each face once"):
        parse_game(text.replace('["skull", 1]', '["skull", "skull"]'))
