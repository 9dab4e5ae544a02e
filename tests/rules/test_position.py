"""The one board: what is played on it is what the chain says."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import point_games
from tests.solving.pigs import Pig, Solitaire

import sevenout as so
from sevenout.catalogue import games
from sevenout.errors import NotationError, RulesError
from sevenout.rolling.throw import parse_throw, see, throw
from sevenout.rules import Streak, choose_again, counted, pass_turn
from sevenout.rules.position import Position


@given(point_games(), st.integers(0, 2**32))
def test_a_game_follows_its_chain_and_can_be_taken_back(game, seed):
    chain, random = so.explore(game), Random(seed)
    position, at, visited = Position(game), 0, []
    while not position.settled and position.rolls < 50:
        visited.append((position.state, position.counts))
        assert position.state == chain.states[at]
        position.throw(random)
        rolls = list(chain.rollables[chain.rollable_index[at]].law)
        at = chain.moves[at][rolls.index(position.history[-1].roll)].target
    if position.settled:
        assert position.settled == chain.outcomes[at - len(chain.states)]
    while position.history:
        position.undo()
        assert (position.state, position.counts) == visited.pop()
    with pytest.raises(RulesError, match="nothing to undo"):
        position.undo()


def test_a_game_of_games_counts_as_it_goes():
    position = Position(Streak(games["craps"]))
    for total in (7, 2, 7, 3, 2):
        settled = position.roll(total)
    assert settled.label == "turn over"
    assert dict(position.counts) == {"rounds": 5, "won": 2}
    with pytest.raises(RulesError, match="the game is settled"):
        position.roll(7)


def test_choices_come_before_rolls_and_turns_pass():
    position = Position(Pig(10))
    assert (position.options, position.seat) == ((), 0)
    position.roll(4)
    assert position.options == ("roll", "hold")
    with pytest.raises(RulesError, match="must choose first: roll, hold"):
        position.roll(4)
    with pytest.raises(RulesError, match="is not an option here; the options are: roll, hold"):
        position.choose("jump")
    position.choose("hold")
    assert (position.state, position.seat, position.options) == ((0, 4, 0), 1, ())
    position.roll(1)
    assert (position.state, position.seat) == ((4, 0, 0), 0)
    position.undo()
    assert (position.state, position.seat) == ((0, 4, 0), 1)
    with pytest.raises(RulesError, match="the dice are to be rolled"):
        position.choose("hold")


def test_the_board_and_the_model_agree_on_a_whole_game():
    model, random = so.explore(Solitaire(20)), Random(4)
    for _ in range(50):
        position = Position(Solitaire(20))
        while not position.settled:
            if position.options:
                assert position.options == model.options(position.state)
                position.choose(random.choice(position.options))
            else:
                position.throw(random)
        assert dict(position.counts)["turns"] == sum(
            event.option == "hold" or event.roll == 1 for event in position.history
        ) + (position.history[-1].roll != 1)


def test_a_throw_is_fair():
    random, rolled = Random(1), so.dice("2d6").totals
    seen = [see(rolled, throw(rolled, random)) for _ in range(36_000)]
    # five standard deviations of a count of sixes in a row of 36,000: a false alarm in 2e6
    assert abs(seen.count(7) - 6_000) < 5 * (36_000 * 5 / 36) ** 0.5


@pytest.mark.parametrize(
    ("rolled", "text", "says"),
    [
        ("2d6", "3", "give 2 faces, such as '1 1'"),
        ("2d6", "3 7", "3,7 is not a roll of 2d6; there is no face 7 on d6"),
        ("d6", "9", "there are: 1, 2, 3, 4, 5, 6"),
        ("2d6", "\x1b[31m", r"\x1b"),
    ],
)
def test_what_cannot_be_rolled_is_said(rolled, text, says):
    with pytest.raises(NotationError) as error:
        see(so.dice(rolled), parse_throw(text))
    assert says in str(error.value)
    assert str(error.value).isprintable()


@pytest.mark.parametrize(("face", "said"), [(1, "returned None"), (2, "returned [1]")])
def test_what_is_no_state_is_not_followed(face, said):
    class Wrong(so.Game):
        dice, start = so.d6, "on"

        def choices(self, state):
            return {"roll": "on", "never": None} if state == "on" else {}

        def step(self, state, face):
            return [1] if face == 2 else None

    board = Position(Wrong())
    with pytest.raises(RulesError, match="'never' returned None"):
        board.choose("never")
    board.choose("roll")
    with pytest.raises(RulesError) as error:
        board.roll(face)
    assert said in str(error.value)
    board.undo()
    assert (board.state, board.options, board.history) == ("on", ("roll", "never"), [])


@pytest.mark.parametrize("then", [pass_turn("on"), counted(pass_turn("on"), times=1)])
def test_where_nobody_is_asked_a_turn_may_pass(then):
    class Pass(so.Game):
        dice, start = so.d6, "on"

        def step(self, state, face):
            return so.win() if face == 6 else then

    position = Position(Pass())
    position.roll(1)
    assert (position.seat, position.state) == (1, "on")
    assert so.solve(Pass()).bet().p_win == Fraction(6, 11)


@pytest.mark.parametrize("then", [choose_again("on"), counted(choose_again("on"), times=1)])
def test_where_nobody_is_asked_no_question_follows(then):
    class Pass(so.Game):
        dice, start = so.d6, "on"

        def step(self, state, face):
            return so.win() if face == 6 else then

    with pytest.raises(RulesError, match="is not a state"):
        so.explore(Pass())
