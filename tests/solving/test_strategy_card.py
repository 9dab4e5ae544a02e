"""Strategy cards: read back, they say what is best in every state; and they are short."""

from collections import namedtuple
from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sevenout as so
from sevenout.errors import RulesError
from sevenout.solving import strategy_card
from sevenout.solving.strategy_card import OptionRanking, OptionRun, Regions, card_of
from tests.solving.pigs import Pig, Piglet, PigTurn, SeatedPig, Solitaire

Score = namedtuple("Score", "mine yours")


@dataclass(frozen=True)
class Table:
    """A state that is no tuple."""

    point: int
    money: Fraction


numbers = st.integers(-3, 6)
tiles = st.frozensets(st.integers(1, 4)) | st.lists(st.integers(1, 4), max_size=3).map(tuple)
SHAPES = [
    numbers,
    st.tuples(numbers, numbers),
    st.tuples(numbers, st.sampled_from(["a", "b", None]), numbers),
    st.builds(Score, numbers, numbers),
    st.tuples(st.builds(Score, numbers, st.booleans()), numbers, numbers),
    st.builds(Table, numbers, st.fractions(-1, 1, max_denominator=3)),
    tiles,
    st.tuples(tiles, numbers),
    st.none() | st.text(max_size=2) | numbers | st.tuples(numbers),
]
OPTIONS = ["roll", "hold", "3+4", "7", "double"]


@st.composite
def policies(draw):
    """States of one shape or of any; in each a menu, and the options that are best."""
    shape = draw(st.sampled_from(SHAPES))
    menu = st.lists(st.sampled_from(OPTIONS), min_size=1, max_size=4, unique=True).map(tuple)
    menus = draw(st.sampled_from([st.just(("roll", "hold")), menu]))
    best = {}
    for state in draw(st.lists(shape, min_size=1, max_size=40, unique=True)):
        options = draw(menus)
        good = draw(st.lists(st.sampled_from(options), min_size=1, unique=True))
        best[state] = (options, frozenset(good))
    return best


@settings(max_examples=600, derandomize=True, deadline=None)
@given(policies())
def test_a_card_says_what_is_best(best):
    card = card_of(best)
    for state, (menu, good) in best.items():
        assert card.read(state, menu) in good
    assert card.size <= len(best) + len(card.parts)


@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.lists(st.integers(0, 30), min_size=3, max_size=3), st.integers(0, 5))
def test_thresholds_are_found(thresholds, width):
    """A policy made of three bands of thresholds takes three lines at most."""
    best = {}
    for mine in range(3 * (width + 1)):
        hold = thresholds[mine // (width + 1)]
        for yours in range(4):
            for turn in range(31):
                good = "hold" if turn >= hold else "roll"
                best[mine, yours, turn] = (("roll", "hold"), frozenset({good}))
    ((_, part),) = card_of(best, follows=lambda s: [(s[0], s[1], s[2] + 1)]).parts
    assert isinstance(part, Regions)
    assert len(part.boxes) <= 3
    assert part.axis is None or part.axis == 2


def test_the_coordinate_that_is_decided_about_is_the_axis():
    """Along the scores it would take as few lines, but what changes in a turn is the turn."""
    best = {
        (score, turn): (("roll", "hold"), frozenset({"hold" if turn + score >= 20 else "roll"}))
        for score in range(20)
        for turn in range(20)
    }
    ((_, part),) = card_of(best, follows=lambda s: [(s[0] + 1, s[1])]).parts
    assert part.axis == 0
    ((_, part),) = card_of(best, follows=lambda s: [(s[0], s[1] + 1)]).parts
    assert part.axis == 1


def test_options_that_change_from_state_to_state_are_ranked():
    """The highest tile first, except where all three are open."""
    best = {
        opened: (opened, frozenset({"1+2" if len(opened) == 3 else opened[0]}))
        for opened in [("3", "1+2"), ("3", "2"), ("1+2", "2"), ("3", "1+2", "2"), ("3",)]
    }
    ((options, part),) = card_of(best).parts
    assert isinstance(part, OptionRanking)
    assert sorted(options) == ["1+2", "2", "3"]
    assert part.options == ("3", "1+2", "2")
    assert part.exceptions == {("3", "1+2", "2"): "1+2"}


def test_options_of_different_kinds_have_their_own_parts():
    best = {n: (("roll", "hold"), frozenset({"roll"})) for n in range(4)}
    best["point"] = (("odds", "no odds"), frozenset({"odds"}))
    assert [options for options, _ in card_of(best).parts] == [
        ("roll", "hold"),
        ("odds", "no odds"),
    ]


@pytest.mark.parametrize(
    ("game", "wish"),
    [
        (PigTurn(), {}),
        (Pig(25), {}),
        (Piglet(6), {}),
        (SeatedPig(12), {"most": "first"}),
        (Solitaire(45), {"least": "turns"}),
        (Solitaire(45), {"least": "rolls"}),
    ],
    ids=["turn", "pig", "piglet", "seated", "solitaire", "rolls"],
)
def test_the_card_of_an_optimum(game, wish):
    best = so.best(game, **wish)
    everywhere = best.card_of(best.policy)
    for state in best.policy:
        menu = best.model.options(state)
        good = {option.name for option in best.at(state) if option.margin == 0}
        assert best.best_in(state) == good
        assert everywhere.read(state, menu) in good
        if state in best.reachable_states:
            assert best.card.read(state, menu) in good
    assert best.card.size <= everywhere.size


def test_the_card_of_a_turn():
    ((options, part),) = so.best(PigTurn()).card.parts
    assert options == ("roll", "hold")
    assert part.boxes[0].runs == (OptionRun(0, "roll"), OptionRun(21, "hold"))
    assert part.shape.names == ("turn",)


def test_only_what_comes_up():
    """He who holds at 20 at the latest never has more than 25 in a turn."""
    best = so.best(PigTurn())
    assert best.reachable_states == set(range(27)) - {1}
    with pytest.raises(RulesError, match="has no entry for state"):
        card_of({1: (("roll", "hold"), frozenset({"roll"}))}).read(1, ("flip", "hold"))


def test_of_two_players_each_is_shown_what_he_can_come_to():
    """Whatever the other does: so all his scores come up, and mine only those that I would hold."""
    best = so.best(Pig(40))
    mine = {state[0] for state in best.reachable_states}
    assert {state[1] for state in best.reachable_states} >= set(range(2, 40))
    assert not mine & {1, 2}
    seated = so.best(SeatedPig(14), "first")
    asked = {state for state in seated.reachable_states if state[0] == "second"}
    folded = so.best(Pig(14)).reachable_states
    assert {(two, one, turn) for _, one, two, turn in asked} <= folded


def test_a_line_that_is_not_met_is_taken_as_far_as_play_would_take_it():
    """At every score, from the first roll of a turn on: what the lines say is best."""
    from sevenout.solving.strategy_card import lines_of

    best = so.best(so.games("pig", goal=45), method="certified")
    ((_, part),) = best.card.parts
    places = {(mine, yours) for mine in range(0, 45, 7) for yours in range(0, 45, 9)}
    met = {(mine, yours) for mine, yours, _ in best.reachable_states}
    assert not places <= met
    whole = lines_of(part, places, best)
    for mine, yours in places:
        turns = [2]
        for turn in turns:
            good = best.best_in((mine, yours, turn))
            assert whole.box((mine, yours)).option(turn) in good
            more = {turn + face for face in range(2, 7)} - set(turns) if "roll" in good else ()
            turns += sorted(then for then in more if mine + then < 45)


def test_a_list_is_printed_whole_or_says_how_much_is_left_out(monkeypatch):
    race = so.best(so.games("bear-off-race", board=(1, 1, 0, 0, 0, 0)))
    ((_, ranking),) = race.card.parts
    assert isinstance(ranking, OptionRanking)
    assert len(ranking.options) > 3
    blocks = strategy_card.card_blocks(race)
    assert list(map(list, blocks[0].rows)) == [[", ".join(ranking.options)]]
    monkeypatch.setattr(strategy_card, "MOST_NAMES", 2)
    first, second, *rest = ranking.options
    ((cut,),) = strategy_card.card_blocks(race)[0].rows
    assert cut == f"{first}, {second}, … and {len(rest)} more"
