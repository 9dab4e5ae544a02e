"""Strategy cards: read back, they say what is best in every state; and they are short."""

from collections import namedtuple
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sevenout as so
from sevenout.documents import Text
from sevenout.errors import RulesError
from sevenout.rules import pass_turn
from sevenout.solving.card_pages import card_blocks, lines_of, printed_card, printed_form
from sevenout.solving.decision_list import (
    Decision,
    DecisionList,
    grouped_ranking,
    learn,
    ranking_of,
    shorten,
)
from sevenout.solving.strategy_card import OptionRun, Regions, Shape, card_of, choose_options
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
        best[state] = Decision(options, frozenset(good))
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
                best[mine, yours, turn] = Decision(("roll", "hold"), frozenset({good}))
    ((_, part),) = card_of(best, next_decisions=lambda s: [(s[0], s[1], s[2] + 1)]).parts
    assert isinstance(part, Regions)
    assert len(part.boxes) <= 3
    assert part.axis is None or part.axis == 2


def test_the_coordinate_that_is_decided_about_is_the_axis():
    """Along the scores it would take as few lines, but what changes in a turn is the turn."""
    best = {
        (score, turn): Decision(
            ("roll", "hold"), frozenset({"hold" if turn + score >= 20 else "roll"})
        )
        for score in range(20)
        for turn in range(20)
    }
    ((_, part),) = card_of(best, next_decisions=lambda s: [(s[0] + 1, s[1])]).parts
    assert part.axis == 0
    ((_, part),) = card_of(best, next_decisions=lambda s: [(s[0], s[1] + 1)]).parts
    assert part.axis == 1


def test_options_that_change_from_state_to_state_are_ranked():
    """The highest tile first, except where all three are open."""
    best = {
        opened: Decision(opened, frozenset({"1+2" if len(opened) == 3 else opened[0]}))
        for opened in [("3", "1+2"), ("3", "2"), ("1+2", "2"), ("3", "1+2", "2"), ("3",)]
    }
    ((options, part),) = card_of(best).parts
    assert isinstance(part, DecisionList)
    assert sorted(options) == ["1+2", "2", "3"]
    assert part.options == ("3", "1+2")
    assert part.exceptions == {("3", "1+2", "2"): "1+2"}


def test_options_of_different_kinds_have_their_own_parts():
    best = {n: Decision(("roll", "hold"), frozenset({"roll"})) for n in range(4)}
    best["point"] = Decision(("odds", "no odds"), frozenset({"odds"}))
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
        good = {option.name for option in best.options(state) if option.cost == 0}
        assert best.optimal_options(state) == good
        assert everywhere.read(state, menu) in good
        if state in best.reachable_states:
            assert best.card.read(state, menu) in good
    assert best.card.size <= everywhere.size


def test_the_card_of_a_turn():
    ((options, part),) = so.best(PigTurn()).card.parts
    assert options == ("roll", "hold")
    assert part.boxes[0].runs == (OptionRun(0, "roll"), OptionRun(21, "hold"))
    assert part.shape.names == ("turn",)


def test_only_states_that_optimal_play_reaches():
    """A player who holds at 20 at the latest never has more than 25 in a turn."""
    best = so.best(PigTurn())
    assert best.reachable_states == set(range(27)) - {1}
    with pytest.raises(RulesError, match="has no entry for state"):
        card_of({1: Decision(("roll", "hold"), frozenset({"roll"}))}).read(1, ("flip", "hold"))


def test_a_card_of_a_state_without_a_decision_is_refused():
    with pytest.raises(RulesError, match="state 'zz' is not a decision state"):
        so.best(PigTurn()).card_of([4, "zz"])


def test_each_of_two_players_is_shown_the_states_they_can_reach():
    """Every score of the other player, and those of the first that optimal play holds."""
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
    best = so.best(so.games("pig", goal=45), method="certified")
    ((_, part),) = best.card.parts
    places = {(mine, yours) for mine in range(0, 45, 7) for yours in range(0, 45, 9)}
    met = {(mine, yours) for mine, yours, _ in best.reachable_states}
    assert not places <= met
    whole = lines_of(part, places, best)
    for mine, yours in places:
        turns = [2]
        for turn in turns:
            good = best.optimal_options((mine, yours, turn))
            assert whole.box((mine, yours)).option(turn) in good
            more = {turn + face for face in range(2, 7)} - set(turns) if "roll" in good else ()
            turns += sorted(then for then in more if mine + then < 45)


def test_a_list_is_printed_whole():
    race = so.best(so.games("bear-off-race", board=(1, 1, 0, 0, 0, 0)))
    ((_, ranking),) = race.card.parts
    assert isinstance(ranking, DecisionList)
    blocks = card_blocks(race)
    ((row,),) = blocks[0].rows
    assert row.startswith(", ".join(ranking.options))
    # One that best play never takes is listed, too.
    assert set(row.split(", ")) == {option for menu in race.model.menus for option in menu}


@st.composite
def hands(draw):
    """A policy for hands of dice: stop or roll, by a threshold of the total and a face to keep."""
    total, face = draw(st.integers(3, 16)), draw(st.integers(1, 6))
    rolled = {tuple(sorted(h)) for h in product(range(1, 7), repeat=3)}
    return {
        (hand, left): Decision(
            ("stop", "roll"),
            frozenset(["stop" if sum(hand) >= total and (face in hand or not left) else "roll"]),
        )
        for hand in sorted(rolled)
        for left in range(2)
    }


@settings(max_examples=30, derandomize=True, deadline=None)
@given(hands())
def test_a_rule_about_dice_is_learnt_as_a_few_lines(best):
    """What a total, a face and the rolls left decide takes no more lines than that."""
    learnt = learn(best, ("shown", "rolls left"), 9)
    assert learnt is not None
    for state, (menu, good) in best.items():
        assert learnt.read(state, menu) in good
    assert len(learnt.lines) <= 5


def test_threes_is_a_table_by_dice_left():
    """What the lines say is best in every state; two dice are kept unless one shows 4 or more."""
    best = so.best(so.games["threes"])
    assert all(
        best.card.read(state, best.model.options(state)) in best.optimal_options(state)
        for state in best.reachable_states
    )
    table, exact, *_ = card_blocks(best)
    assert list(map(list, table.rows))[:2] == [
        [2, "highest 4 or more", "keep 1 of 2"],
        ["", "otherwise", "keep 2 of 2"],
    ]
    assert len(table.rows) < 25
    assert "This card is exact" in exact.text


def test_a_card_at_round_numbers_is_called_an_extract():
    """It said to be exact, and so did one whose rows were cut; a larger page has all rows."""
    best = so.best(so.games("pig", goal=50))
    ((_, part),) = best.card.parts
    table, note, _ = card_blocks(best, 5)
    assert len(table.rows) == 6
    assert note.text == (
        "This is an extract of a card of 10 rows, at round numbers. For the whole card, see the "
        "dossier or --json."
    )
    whole, exact, _ = card_blocks(best, 10)
    assert len(whole.rows) == len(part.boxes) == 10
    assert exact.text.startswith("This card is exact")


class GuessingPig(Pig):
    """Pig, in which an early 1 asks for a guess; a wrong one gives away a point."""

    coordinates = ()

    def choices(self, state):
        mine, yours, turn = state
        if turn != "guess":
            return super().choices(state)
        wrong = mine * yours // 3 % 2
        scores = [yours, min(yours + 1, self.goal - 1)]
        return {
            "even": pass_turn((scores[wrong], mine, 0)),
            "odd": pass_turn((scores[1 - wrong], mine, 0)),
        }

    def step(self, state, face):
        mine, yours, turn = state
        asks = face == 1 and not turn and max(mine, yours) < 12
        return (mine, yours, "guess") if asks else super().step(state, face)


def test_a_shortened_card_says_which_of_its_tables_are_extracts():
    """Nobody can follow to the letter a table of which only the round numbers are printed."""
    best = so.best(GuessingPig(40))
    (slice_part,) = (part for _, part in best.card.parts if isinstance(part, Regions))
    assert printed_form(slice_part, 5) == "slice"
    (note,) = (
        block.text
        for block in card_blocks(best, 5)
        if isinstance(block, Text) and "shortened" in block.text
    )
    assert (
        f"Its tables at round numbers are an extract of {len(slice_part.boxes)} rows; the loss is "
        "that of all of them. For the whole policy, see the dossier or --json."
    ) in note


@pytest.mark.parametrize(
    ("state", "menu"), [("x", ("roll", "hold")), (None, ("roll", "hold")), (3, ())]
)
def test_a_state_that_no_line_is_about_is_refused(state, menu):
    card = so.best(so.games("pig-turn", goal=30)).card
    with pytest.raises(RulesError, match="the card has no entry for state"):
        card.read(state, menu)


@pytest.mark.parametrize("name", ["shut-the-box", "bear-off"])
def test_a_shortened_card_states_what_it_loses(name):
    """Solved as a policy of its own, it comes to what the page says."""
    best = so.best(so.games[name])
    printed = printed_card(best, 24)
    assert sum(len(getattr(part, "exceptions", ())) for _, part in printed.parts) <= 24

    def policy(state):
        return printed.read(state, best.model.options(state))

    cost = best.evaluate(policy).cost
    assert 0 < cost < abs(best.value) / 100
    text = " ".join(block.text for block in card_blocks(best) if hasattr(block, "text"))
    assert f"it loses {float(cost):.6f}" in text


@settings(max_examples=200, derandomize=True, deadline=None)
@given(policies())
def test_options_of_a_kind_come_together_without_a_change(best):
    """Sorted by their first letter, the options of a ranking decide every state as before."""
    ranking = ranking_of(best)
    menus = {state: menu for state, (menu, _) in best.items()}
    sorted_ranking = grouped_ranking(ranking, menus, lambda option: option[0])
    assert sorted(sorted_ranking.options) == sorted(ranking.options)
    for state, menu in menus.items():
        assert sorted_ranking.read(state, menu) == ranking.read(state, menu)


def test_a_list_is_shortened_where_mistakes_cost_least():
    """Of a policy that no few lines say, the states with much at stake are right first."""
    numbers = range(60)
    costs = {(n, (n,)): {"odd": 0.0, "even": 1.0} for n in numbers if n % 2}
    costs |= {(n, (n,)): {"odd": 1.0, "even": 0.0} for n in numbers if not n % 2}
    weights = {state: 1000.0 if state[0] < 4 else 1.0 for state in costs}
    short = shorten(costs, weights, ("number", "dice"), 6, 1.0)
    picks = {state: short.read(state, ("odd", "even")) for state in costs}
    assert all(costs[state][picks[state]] == 0 for state in costs if state[0] < 4)
    assert len(short.lines) <= 6 + 2


def test_a_list_of_options_that_cost_nothing_is_a_ranking():
    """Nothing is at stake, and still some option has to be named."""
    costs = {(n, (n,)): {"stop": 0.0, "go": 0.0} for n in range(3)}
    short = shorten(costs, dict.fromkeys(costs, 1.0), ("number", "dice"), 6, 1.0)
    assert short.is_ranking
    assert short.read((0, (0,)), ("stop", "go")) in ("stop", "go")


def test_coordinates_are_named_by_their_path() -> None:
    states = [((Score(1, True), 2), 3), ((Score(4, False), 5), 6)]
    assert Shape.of(states, ()).names == (
        "1st.1st.mine",
        "1st.1st.yours",
        "1st.2nd",
        "2nd",
    )
    assert Shape.of([Table(1, Fraction(1, 2))], ()).names == ("point", "money")


def test_two_options_that_take_turns_are_preferred() -> None:
    either = frozenset({"double", "roll"})
    runs = [
        (0, frozenset({"roll"})),
        (1, frozenset({"hold"})),
        (2, either),
        (3, frozenset({"hold"})),
    ]
    assert [option for _, option in choose_options(runs)] == ["roll", "hold", "roll", "hold"]
    assert [option for _, option in choose_options([(0, either)])] == ["double"]


def test_a_card_is_printed_with_its_ties_and_is_data() -> None:
    exact, near = (so.best(PigTurn(), method=method) for method in ("exact", "certified"))
    tie = "Turn 20: roll and hold are equally good"
    assert str(exact.page()).rstrip().endswith(f"{tie}.")
    assert str(near.page()).rstrip().endswith(f"{tie}, or too near to tell apart.")
    (part,) = exact.to_dict()["card"]
    assert part == {
        "options": ["roll", "hold"],
        "axis": "turn",
        "others": [],
        "boxes": [{"ranges": [], "runs": [{"from": 0, "do": "roll"}, {"from": 21, "do": "hold"}]}],
    }
