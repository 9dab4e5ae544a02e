"""Rules as data: the form by itself, and the families written in it."""

import pickle
from fractions import Fraction

import pytest
from tests.certify.kinds import KINDS, game_of_kind

import sevenout as so
from sevenout.certify.rulebook_models import MAX_STATES_COMPARED, behaviour
from sevenout.errors import NotationError, RulesError
from sevenout.model import explore
from sevenout.rolling import parse_dice
from sevenout.rules.gamefiles.gamefile import game_text, parse_game
from sevenout.rules.guarded_rules import Rulebook, rulebook_of
from sevenout.rules.rules_as_data import rulebook_of_game

CRAPS = {
    "sees": {"total": "d1 + d2"},
    "start": {"point": 0},
    "roll": [
        {"if": "point == 0 and total in (7, 11)", "end": "natural", "pays": {"pass": 1}},
        {"if": "point == 0 and total in (2, 3, 12)", "end": "craps", "pays": {"pass": -1}},
        {"if": "point == 0", "set": {"point": "total"}},
        {"if": "total == point", "end": "point", "pays": {"pass": 1}},
        {"if": "total == 7", "end": "seven out", "pays": {"pass": -1}},
    ],
}


def craps(**changes):
    return Rulebook(parse_dice("2d6"), **{**CRAPS, **changes})


def test_craps_as_a_rule_book_is_craps():
    assert so.solve(craps()).bet().p_win == Fraction(244, 495)
    assert behaviour(explore(craps())) == behaviour(explore(so.games["craps"]))


def test_a_rulebook_is_its_data():
    book = craps()
    assert rulebook_of(book.data) == book
    assert hash(rulebook_of(book.data)) == hash(book)
    book.step((0,), (7,))  # a compiled step can't be sent to another process; it is left out
    assert pickle.loads(pickle.dumps(book)) == book
    assert book != craps(start={"point": 1})


@pytest.mark.parametrize("name", sorted(so.games))
def test_a_family_written_as_rules_is_the_same_game(name):
    game = so.games[name]
    try:
        book = rulebook_of_game(game)
    except RulesError:
        pytest.skip("a program")
    model = explore(game)
    if len(model.states) > MAX_STATES_COMPARED:
        pytest.skip("too large to compare")
    assert behaviour(explore(book)) == behaviour(model)
    assert rulebook_of(book.data).data == book.data


def test_most_of_the_catalogue_is_data():
    written = 0
    for name in so.games:
        try:
            rulebook_of_game(so.games[name])
            written += 1
        except RulesError:
            continue
    assert written >= 230


@pytest.mark.parametrize("name", KINDS)
def test_a_game_file_written_as_rules_is_the_same_game(name):
    game = game_of_kind(name)
    try:
        book = rulebook_of_game(game)
    except RulesError as error:
        assert "are a program" in str(error)  # noqa: PT017
        return
    assert behaviour(explore(book)) == behaviour(explore(game))


def test_the_first_rule_that_fits_is_applied_and_without_one_nothing_changes():
    book = Rulebook(
        parse_dice("d6"),
        sees={"face": "d1"},
        start={"left": 2},
        roll=[
            {"if": "face == 6", "end": "six"},
            {"if": "face >= 5 and left == 1", "end": "late"},
            {"if": "face == 5", "set": {"left": "left - 1"}, "count": {"fives": 1}},
        ],
    )
    assert book.step((2,), (6,)).label == "six"
    assert book.step((1,), (5,)).label == "late"
    assert book.step((2,), (5,)) == so.counted((1,), fives=1)
    assert book.step((2,), (3,)) == (2,)
    # P(six first) = 1/2 + 1/2 P(six or five first, and six): 1/2 + 1/4
    assert so.solve(book).p("six") == Fraction(3, 4)


def test_options_are_offered_where_they_hold_and_the_first_rule_of_one_counts():
    book = Rulebook(
        parse_dice("d6"),
        sees={"face": "d1"},
        start={"worth": 0},
        roll=[{"if": "face == 1", "end": "bust"}, {"set": {"worth": "face"}}],
        choose=[
            {"option": "roll", "if": "worth in (2, 3)"},
            {"option": "keep", "if": "worth == 2", "end": "two", "count": {"points": 2}},
            {"option": "keep", "if": "worth", "end": "kept", "count": {"points": "worth"}},
        ],
    )
    assert not book.choices((0,))
    assert list(book.choices((2,))) == ["roll", "keep"]
    assert book.choices((2,))["keep"].state.label == "two"
    assert book.choices((3,))["roll"] == (3,)
    # Rolling again at 2 or 3: V = (0 + 2 max(V, ..) ...)/6. With V for both, V = (V + V + 15)/6.
    best = so.best(book, "points")
    assert best.value == Fraction(15, 4)


def test_doubled_money_is_at_risk():
    book = Rulebook(
        parse_dice("d2"),
        sees={"face": "d1"},
        roll=[
            {"if": "face == 1", "end": "won", "pays": {"bet": {"profit": 2, "risk": 2}}},
            {"end": "lost", "pays": {"bet": {"profit": -2, "risk": 2}}},
        ],
    )
    assert so.solve(book).bet().mean == 0
    assert book.outcomes[1].pay("bet").risk == 2


def test_two_players_take_turns():
    book = Rulebook(
        parse_dice("d2"),
        sees={"face": "d1"},
        roll=[
            {"if": "face == 1", "end": "home", "pays": {"pass": 1}},
            {"pass_turn": True},
        ],
    )
    # The first player wins with 1/2 + 1/4 · P(the second does not), so P = 2/3.
    assert so.best(book, "pass > 0").value == Fraction(2, 3)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"roll": [{"if": "pint == 0"}]}, "pint is unknown; the names are: point, total"),
        ({"roll": [{"if": "total == 7", "endd": "x"}]}, "'endd' is no part of a rule"),
        ({"roll": [{"end": ""}]}, "name the end in words"),
        ({"roll": [{"pays": {"pass": 1}}]}, "pays without an end"),
        ({"roll": [{"end": "x", "pays": {}}], "bets": {"pass": 1}}, "doesn't pay 'pass'"),
        ({"roll": [{"end": "x", "pays": {"b": 1}}], "bets": {}}, "'b', which is not among"),
        ({"roll": [{"end": "x", "pays": {"pass": -2}}]}, "loses more than the 1 at risk"),
        ({"roll": [{"end": "x", "set": {"point": 1}}]}, "leave set out"),
        ({"roll": [{"set": {"total": 1}}]}, "'total' is set, but the variables of start are"),
        ({"roll": [{"pass_turn": 1}]}, "write true or false"),
        ({"roll": ["win"]}, "'win' is not a rule"),
        ({"start": {"total": 0}}, "total is in both sees and start"),
        ({"start": {"d1": 0}}, "'d1' can't name a value"),
        ({"start": {"in": 0}}, "'in' can't name a value"),
        ({"start": {"point": 0.5}}, "a variable is a whole number"),
        ({"sees": {"total": "point + 1"}}, "point is unknown; the names are: d1, d2"),
        ({"bets": {"pass": 0}}, "stake more than 0"),
        ({"choose": [{"option": ""}]}, "name the option"),
        ({"choose": [{"option": "x", "if": "total == 7"}]}, "total is unknown"),
    ],
)
def test_an_error_says_what_is_wrong_and_what_is_right(changes, message):
    with pytest.raises(RulesError, match=message.replace("(", r"\(")):
        craps(**changes)


def test_values_stay_within_bounds():
    square = craps(roll=[{"set": {"point": "(point + 2) * (point + 2) * (total + 10)"}}])
    with pytest.raises(RulesError, match=r"keep it below 10\^12"):
        explore(square)
    divided = craps(roll=[{"if": "7 // point == 1", "end": "x", "pays": {"pass": 0}}])
    with pytest.raises(RulesError, match="divides by 0"):
        explore(divided)


@pytest.mark.parametrize("name", ["rules", "rules with options"])
def test_a_game_file_holds_the_form(name):
    file = parse_game(f'format = 1\nname = "{name}"\n{KINDS[name]}')
    assert isinstance(file.games[0], Rulebook)
    assert parse_game(game_text(file)) == file


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('"total == 7"', '"totl == 7"'), "game:18: 'totl == 7': totl is unknown"),
        (('dice = "2d6"', 'dice = "2d6+1"'), "game:3: dice = .*so write plain dice"),
        (("profit = -2, risk = 2", "profit = -2"), "give profit and risk"),
        (("[[roll]]", "[[line]]\nout = 7\n[[roll]]"), "line beside sees; write one kind"),
        (("start = { point = 0 }", "start = 0"), "start = 0; write a table"),
    ],
)
def test_a_fault_of_a_game_file_is_found_in_its_line(change, message):
    text = f'format = 1\nname = "x"\n{KINDS["rules"]}'
    assert change[0] in text
    with pytest.raises(NotationError, match=message):
        parse_game(text.replace(*change, 1))
