"""Games with choices in the language of PRISM: Storm reads them, and finds exactly our values."""

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from tests.solving.pigs import Pig, PigTurn, SeatedPig, Solitaire
from tests.solving.test_node_values import FILTERS, drawn, model_of

import sevenout as so
from sevenout.errors import EndlessGameError
from sevenout.model import prism
from sevenout.model.model import add_seats, fix_policies
from sevenout.solving.optimal_play import best


def storm(model, folder, *formulas):
    """What Storm says of a model, in fractions."""
    stormpy = pytest.importorskip("stormpy")
    path = folder / "game.prism"
    path.write_text(prism(model))
    program = stormpy.parse_prism_program(str(path))
    properties = stormpy.parse_properties(";".join(formulas), program)
    built = stormpy.build_model[stormpy.Rational](program, properties)
    start = built.initial_states[0]
    return [
        Fraction(str(stormpy.model_checking(built, each).get_value(start))) for each in properties
    ]


def test_one_player(tmp_path):
    turn = so.explore(PigTurn())
    end = turn.labels.index("pig")
    results = storm(
        turn,
        tmp_path,
        'R{"bet_0"}max=? [F "settled"]',
        'R{"rolls"}max=? [F "settled"]',
        f'Pmin=? [F "outcome_{end}"]',
        f'Pmax=? [F "outcome_{end}"]',
    )
    wants = [{}, {"most": "rolls"}, {"least": "pig"}, {"most": "pig"}]
    assert results == [best(turn, **want).value for want in wants]
    assert results[0] == Fraction(492303203, 60466176)


def test_counters(tmp_path):
    game = so.explore(Solitaire(20))
    results = storm(game, tmp_path, 'R{"counter_0"}min=? [F "settled"]')
    assert results == [best(game, least="turns").value]


@pytest.mark.parametrize("game", [Pig(8), SeatedPig(8)], ids=["turns pass", "seats"])
def test_two_players_have_a_saddle_point(game, tmp_path):
    """Neither does better against the other's best: Storm says so of each in turn."""
    model = so.explore(game)
    optimum = best(model, None if model.passes else "first")
    value = 2 * optimum.value - 1 if model.passes else optimum.value

    def does(state):
        return optimum.policy[state[1] if model.passes else state]

    table = add_seats(model)
    least = min(outcome.profit(table.bets[0]) for outcome in table.outcomes)
    for player, sense in [("second", "max"), ("first", "min")]:
        alone = fix_policies(table, {player: does})
        (result,) = storm(alone, tmp_path, f'R{{"bet_0"}}{sense}=? [F "settled"]')
        assert result + least == value
        assert prism(alone).startswith("mdp")


def test_storm_reads_a_game_of_two(tmp_path):
    stormpy = pytest.importorskip("stormpy")
    model = so.explore(Pig(6))
    path = tmp_path / "game.prism"
    path.write_text(prism(model))
    program = stormpy.parse_prism_program(str(path))
    (formula,) = stormpy.parse_properties('<<player_0>> Pmax=? [F "outcome_0"]', program)
    built = stormpy.build_model(program, [formula])
    table = add_seats(model)
    assert built.nr_states == len(table.states) + len(table.outcomes)
    assert "SMG" in str(built.model_type)


@settings(max_examples=40, derandomize=True, suppress_health_check=FILTERS)
@given(drawn(coins=(0, 0, 2)))
def test_random_models(tmp_path_factory, game):
    model = model_of(game)
    assume("bet" in model.bets)
    assume(not model.traps)  # for Storm, what need not end is worth infinity
    try:
        values = [best(model, most="bet").value, best(model, least="bet").value]
        coins = [best(model, most="coins").value] if "coins" in model.counters else []
    except EndlessGameError:
        assume(False)
    formulas = ['R{"bet_0"}max=? [F "settled"]', 'R{"bet_0"}min=? [F "settled"]']
    formulas += ['R{"counter_0"}max=? [F "settled"]'] * len(coins)
    results = storm(model, tmp_path_factory.mktemp("storm"), *formulas)
    least = min(outcome.profit("bet") for outcome in model.outcomes)
    assert [results[0] + least, results[1] + least, *results[2:]] == values + coins
