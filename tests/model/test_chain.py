import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import point_games
from tests.model.test_export import Tosses

import sevenout as so
from sevenout.errors import RulesError
from sevenout.model import Chain, graphviz, mermaid, prism
from sevenout.rules import JointGame, Streak, Wager


def shuffled(chain: Chain, seed: int) -> Chain:
    """The same chain, its states but the first and its outcomes in another order."""
    rng = Random(seed)
    n, k = len(chain.states), len(chain.outcomes)
    order = [0, *rng.sample(range(1, n), n - 1)]
    ends = rng.sample(range(k), k)
    place = {old: new for new, old in enumerate(order)}
    place |= {n + old: n + new for new, old in enumerate(ends)}
    return Chain.of_moves(
        states=tuple(f"state {s}" for s in order),
        outcomes=tuple(chain.outcomes[i] for i in ends),
        rollables=chain.rollables,
        rollable_index=tuple(chain.rollable_index[s] for s in order),
        moves=tuple(
            tuple(move._replace(target=place[move.target]) for move in chain.moves[s])
            for s in order
        ),
        stakes=chain.stakes,
    )


@given(point_games(), st.integers(0, 99))
def test_the_fingerprint_depends_on_no_name_or_order(game: so.PointGame, seed: int) -> None:
    chain = so.explore(game)
    assert shuffled(chain, seed) == chain
    assert hash(shuffled(chain, seed)) == hash(chain)


@given(point_games(), st.data())
def test_the_fingerprint_sees_every_weight(game: so.PointGame, data: st.DataObject) -> None:
    chain = so.explore(game)
    law = dict(zip(game.dice.law.faces, game.dice.law.weights, strict=True))
    face = data.draw(st.sampled_from(list(law)))
    heavier = so.Law(law | {face: law[face] * 7 + 1})
    other = so.PointGame(
        game.naturals, game.craps, game.out, pushes=game.pushes, limit=game.limit, dice=heavier
    )
    same_labels = so.solve(game).labels == so.solve(other).labels
    assert (so.explore(other) != chain) or same_labels


def test_hazard_with_main_seven_is_craps(craps) -> None:
    hazard = so.explore(replace(so.games("hazard", main=7), names={}))
    assert hazard == so.explore(craps)
    assert hazard.fingerprint == so.explore(craps).fingerprint
    assert so.explore(so.games("hazard", main=6)) != hazard


def test_weights_add_up_to_the_denominator() -> None:
    for name in ("craps", "fast-craps", "hazard-turn"):
        chain = so.explore(so.games[name])
        for row in chain.rows:
            assert sum(edge.weight for edge in row) == chain.denominator
            assert len({edge[1:] for edge in row}) == len(row), "rolls that act alike are merged"


def test_counters_ride_on_the_edges(craps) -> None:
    assert so.explore(Streak(craps)).counters == ("rolls", "rounds", "won")


def test_pictures_have_every_state_and_escape_names(craps) -> None:
    class Hostile(so.Game):
        dice = so.d6

        def step(self, state, roll):
            return so.win('"]; <script>\n') if roll == 6 else 'a"b\\[x]|{y}'

    for game in (craps, Hostile()):
        chain = so.explore(game)
        nodes = len(chain.states) + len(chain.outcomes)
        for text in (mermaid(chain), graphviz(chain)):
            assert all(f"s{i}" in text for i in range(nodes))
    assert "<script>" not in mermaid(so.explore(Hostile()))
    assert '\\"]; <script>\\\\n"' in graphviz(so.explore(Hostile()))


@pytest.mark.parametrize("name", ["craps", "hazard", "fast-craps", "dont-pass"])
def test_storm_reads_our_model_and_agrees_exactly(name: str, tmp_path) -> None:
    stormpy = pytest.importorskip("stormpy")
    solution = so.solve(so.games[name])
    path = tmp_path / "game.prism"
    path.write_text(prism(solution.chain))
    program = stormpy.parse_prism_program(str(path))
    formulas = [f'P=? [F "outcome_{k}"]' for k in range(len(solution.chain.outcomes))]
    formulas.append('R{"rolls"}=? [F "settled"]')
    properties = stormpy.parse_properties(";".join(formulas), program)
    model = stormpy.build_model[stormpy.Rational](program, properties)
    found = [
        Fraction(str(stormpy.model_checking(model, p).get_value(model.initial_states[0])))
        for p in properties
    ]
    assert found == [*solution.outcomes.values(), solution.mean_rolls]


def test_marks_in_names_are_not_markup_to_mermaid() -> None:
    class Odd(so.Game):
        dice = so.d6
        start = '#quot; <b> "]'

        def step(self, state, roll):
            return so.win()

    assert "#35;quot; #60;b#62; #34;#93;" in mermaid(so.explore(Odd()))


class Returns(so.Game):
    """A game whose step returns whatever it is given."""

    dice = so.d6

    def __init__(self, then, start=None) -> None:
        self.then, self.start = then, start

    def step(self, state, roll):
        return self.then if roll == 4 else so.win() if roll > 4 else "on"


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (Returns(None), r"the step from the start on 4 returned None; a `return` is missing\?"),
        (
            Returns(None, "in"),
            r"from 'in' on 4 .* go back to the start, give it a name",
        ),
        (Returns(so.counted(None, x=1)), r"on 4 returned None"),
        (Returns(so.win), r"on 4 returned <function win .*>, which is not a state"),
        (Returns(so.PointGame), r"on 4 returned <class .*>, which is not a state"),
        (Returns(x for x in "ab"), r"on 4 returned <generator .*>, which is not a state"),
        (Returns([1]), r"the step from the start on 4 returned \[1\], which is not hashable"),
        (Streak(Returns(None)), r"the step from the start on 4 returned None"),
        (Returns("on", so.win()), r"the start is Outcome\(.*\), which is not a state"),
        (Returns("on", so.counted(1, x=1)), r"the start is Counted\(.*\), which is not a state"),
        (Returns("on", so.win), r"the start is <function win .*>, which is not a state"),
    ],
)
def test_what_is_no_state_is_refused_with_the_step_that_returned_it(game, message) -> None:
    with pytest.raises(RulesError, match=message) as no:
        so.explore(game)
    assert len(str(no.value)) < 400


class Silent(Returns):
    """Such a game, with a bet."""

    bets = ("pass",)


def test_a_step_without_return_is_found_at_a_table_too() -> None:
    with pytest.raises(RulesError, match="from the start on 4 returned None"):
        so.explore(JointGame(Silent(None), Wager.one_roll(so.d6, {6: 4})))


def test_a_game_without_dice_is_told_what_it_lacks() -> None:
    class Bare(so.Game):
        def step(self, state, roll):
            return so.win()

    with pytest.raises(RulesError, match="Bare has no dice; add some"):
        so.explore(Bare())
    with pytest.raises(RulesError, match="Bare has no dice; add some"):
        so.solve(Streak(Bare()))


def test_a_start_without_a_name_is_the_start() -> None:
    assert so.explore(OneRoll(so.d6)).name(0) == "start"
    assert so.explore(so.games["craps"]).states[0] == "come-out"


def test_counters_of_counters_add_and_keep_off_what_is_counted_already() -> None:
    twice = so.counted(so.counted("on", b=1, a=1), a=2)
    assert (twice.state, twice.counts) == ("on", (("a", 3), ("b", 1)))
    assert so.counted("on", a=1, b=1) == so.counted("on", b=1, a=1)
    for name in ("rolls", "rolls of pass"):
        with pytest.raises(RulesError, match=f"{name} are always counted"):
            so.counted("on", **{name: 1})
    with pytest.raises(RulesError, match=r"\[\] is not an amount"):
        so.counted("on", x=[])


def test_outcomes_that_name_their_bets_in_another_order_are_one() -> None:
    one, other = so.settle("end", {"a": 1, "b": -1}), so.settle("end", {"b": -1, "a": 1})
    assert one == other
    assert hash(one) == hash(other)
    assert one != so.settle("end", {"a": -1, "b": 1})
    assert so.explore(Returns(one, "on")).bets == ("a", "b", "pass")


class OneRoll(so.Game):
    """A game of one roll of whatever it is given."""

    def __init__(self, dice, start=None, **attributes) -> None:
        self.dice, self.start = dice, start
        vars(self).update(attributes)

    def step(self, state, roll):
        return so.win()


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("crabs", "no game 'crabs' in the catalogue; did you mean craps"),
        (OneRoll, r"give OneRoll\(\)"),
        (OneRoll("2d6"), r"'2d6' can't be rolled; write sevenout.dice"),
        (OneRoll(so.d6, []), r"the start \[\] is not hashable"),
        (OneRoll(so.d6, 0, rolls=3), "OneRoll.rolls is 3, but `rolls` is a method of a game"),
    ],
)
def test_what_is_no_game_is_said_in_words(game, message) -> None:
    with pytest.raises(RulesError, match=message):
        so.solve(game)


class Ladder(so.Game):
    """A step up or down at the toss of a die."""

    dice = so.d6

    def __init__(self, top: int) -> None:
        self.start, self.top = top // 2, top

    def step(self, rung: int, roll: int):
        rung += 1 if roll <= 3 else -1
        return so.win() if rung == self.top else so.lose() if rung == 0 else rung


def test_a_chain_can_be_started_elsewhere_without_exploring() -> None:
    game = Ladder(5_000)
    solution = so.solve(game)
    game.step = None
    assert solution.label_probabilities(7) == {
        "win": Fraction(7, 5_000),
        "lose": Fraction(4_993, 5_000),
    }
    assert len(solution.chain.started_at(7).states) == 4_999


def test_a_chain_started_elsewhere_is_what_the_game_is_from_there() -> None:
    for name in ("fast-craps", "hazard-turn", "bonus-small-34-1"):
        chain = so.explore(so.games[name])
        for state in chain.states:
            here = chain.started_at(state)
            assert here.states[0] == state
            later = sum(
                weight * so.solve(chain.started_at(chain.states[target])).mean_rolls
                for target, weight in chain.weights[chain.states.index(state)].items()
                if target < len(chain.states)
            )
            assert so.solve(here).mean_rolls == 1 + Fraction(later, chain.denominator)
    assert chain.started_at(chain.states[0]) == chain


def test_a_chain_started_elsewhere_has_the_names_that_the_rules_declare() -> None:
    class Counting(so.Game):
        dice, start, counters = so.d6, "on", ("sixes",)
        outcomes = (so.win(), so.lose(), so.settle("never", {"pass": 0}))

        def step(self, state: str, roll: int) -> Any:
            return so.win() if roll == 6 else so.lose() if roll == 1 else "later"

    chain = so.explore(Counting())
    later = chain.started_at("later")
    assert (later.counters, later.listed_labels) == (("rolls", "sixes"), chain.listed_labels)
    assert later.listed_labels == ("win", "lose", "never")
    assert later.stakes == {"pass": 1}
    assert later.stake("a bet that is never paid") == 1


class TwoCoins(Tosses):
    """The second toss is of a fair coin."""

    def rolls(self, state: str) -> Any:
        return self.dice if state == "first" else so.Die(["heads", "tails"])


def test_what_engines_read_of_a_chain_is_derived_from_its_moves() -> None:
    chain = so.explore(TwoCoins())
    whole, half = (("tosses", 1),), (("tosses", Fraction(1, 2)),)
    assert chain.moves == (((2, whole), (1, half)), ((2, whole), (3, half)))
    assert chain.denominator == 6  # of coins of thirds and halves
    assert chain.weights == [{2: 2, 1: 4}, {2: 3, 3: 3}]
    assert chain.rows == (((2, 2, whole), (4, 1, half)), ((3, 2, whole), (3, 3, half)))
    assert [chain.tags[tag] for tag in chain.edge_tags] == [whole, half] * 2
    assert chain.exits == [(0, 0), (1, 0), (1, 1)]
    assert chain.units == {"rolls": 1, "tosses": 2}
    assert chain.components == [[0], [1]]
    assert chain.explored_count == 2
    assert repr(chain) == "<Chain of 2 states and 2 outcomes>"


def test_a_chain_started_elsewhere_keeps_what_is_rolled_there_alone() -> None:
    chain = so.explore(TwoCoins())
    later = chain.started_at("second")
    assert (later.states, later.outcomes) == (("second",), chain.outcomes)
    assert later.rollables == chain.rollables[1:]
    assert later.rows == (((1, 1, (("tosses", 1),)), (1, 2, (("tosses", Fraction(1, 2)),))),)


def test_a_chain_with_half_of_a_surrogate_pair_in_a_label_has_a_fingerprint() -> None:
    one, other = (so.explore(Returns(so.win(label))) for label in ("\ud83c", "\ud83d"))
    assert one != other


def test_a_state_that_is_none_of_the_chain_is_named(craps) -> None:
    with pytest.raises(RulesError, match=r"never in state 'xx.*'; its states: .*, 4, 5, 6") as no:
        so.explore(craps).started_at("x" * 10_000)
    assert len(str(no.value)) < 400


def test_the_order_of_counters_is_the_same_in_every_process() -> None:
    """A set of texts has another order in each; a table must not."""
    ask = "import sevenout as so; print(so.explore(so.games['fast-craps']).counters)"
    said = {
        subprocess.run(
            [sys.executable, "-c", ask],
            env=os.environ | {"PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(4)
    }
    assert said == {"('rolls', 'rolls of brick', 'rolls of pass')\n"}


def test_rules_that_draw_numbers_of_their_own_are_refused() -> None:
    draw = Random(1)

    class Draws(so.Game):
        dice, start = so.dice("2d6"), "on"

        def step(self, state: str, roll: Any) -> Any:
            return so.win() if draw.random() < 1 / 3 else so.lose()

    with pytest.raises(RulesError, match=r"not deterministic: the step from on on .*returned"):
        so.explore(Draws())


def test_choices_that_change_are_refused() -> None:
    turn = iter(range(100))

    class Changes(so.Game):
        dice, start = so.d6, "on"

        def choices(self, state: str) -> dict[str, Any]:
            return {f"option {next(turn)}": so.win()}

        def step(self, state: str, roll: Any) -> Any:
            return so.win()

    with pytest.raises(RulesError, match="not deterministic: in state on"):
        so.explore(Changes())


def test_choices_that_change_their_order_are_refused() -> None:
    """Of equally good options the first is taken, and options number the moves."""
    turn = iter(range(100))

    class Turns(so.Game):
        dice, start = so.d6, "on"

        def choices(self, state: str) -> dict[str, Any]:
            names = ("left", "right")
            return dict.fromkeys(names[:: 1 if next(turn) % 2 else -1], so.win())

        def step(self, state: str, roll: Any) -> Any:
            return so.win()

    with pytest.raises(RulesError, match="not deterministic: in state on"):
        so.explore(Turns())


def test_rules_that_count_what_they_were_asked_are_refused_however_late() -> None:
    """A state is asked twice in every STRIDE at least."""

    class Remembers(so.Game):
        dice, start = so.d6, 0

        def __init__(self) -> None:
            self.asked = 0

        def step(self, state: int, roll: int) -> Any:
            self.asked += 1
            return (
                state + 1 + (self.asked > 3000 and self.asked % 7 == 0)
                if state < 1500
                else so.win()
            )

    with pytest.raises(RulesError, match="not deterministic"):
        so.explore(Remembers())


def test_an_error_of_the_rules_says_where_it_was() -> None:
    class Fails(so.Game):
        dice, start = so.d6, "on"

        def step(self, state: str, roll: int) -> Any:
            return so.win() if roll < 4 else 1 // (roll - 4)

    with pytest.raises(ZeroDivisionError) as error:
        so.explore(Fails())
    assert error.value.__notes__ == ["This was the step from on on 4."]


def test_a_limit_of_one_holds_one_state() -> None:
    assert len(so.explore(so.games["field-2-3"], max_states=1).states) == 1
