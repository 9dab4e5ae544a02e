"""Diagrams and PRISM programs, printed whole; `test_processes` has Storm read them."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tests.model.test_decisions import Standoff

import sevenout as so
from sevenout.model import explore, graphviz, mermaid, prism


class Tosses(so.Game):
    """A coin that shows heads one time in three wins 3; after a tail it is tossed once more."""

    dice, start = so.Die(["heads", "tails", "tails"]), "first"

    def step(self, state: str, side: str) -> Any:
        if side == "heads":
            return so.counted(so.settle("won", {"coin": 3}), tosses=1)
        after = "second" if state == "first" else so.settle("lost", {"coin": -1})
        return so.counted(after, tosses=Fraction(1, 2))


class Bet(Tosses):
    """The second toss may be declined."""

    def choices(self, state: str) -> Mapping[str, Any]:
        left = so.counted(so.settle("left", {"coin": 0}), leaves=2)
        return {"toss": state, "leave\nit": left} if state == "second" else {}


def test_a_diagram_for_mermaid() -> None:
    assert mermaid(explore(Tosses())) == (
        "flowchart LR\n"
        '    s0["first"]\n'
        '    s1["second"]\n'
        '    s2(["won"])\n'
        '    s3(["lost"])\n'
        "    s0 -- 1/3 --> s2\n"
        "    s0 -- 2/3 --> s1\n"
        "    s1 -- 1/3 --> s2\n"
        "    s1 -- 2/3 --> s3\n"
    )


def test_names_are_quoted_for_graphviz() -> None:
    class Named(so.Game):
        dice, start = so.d6, 'a\\b "c"\nd'

        def step(self, state: str, face: int) -> Any:
            return so.win()

    assert r's0 [label="a\\b \"c\"\\nd"];' in graphviz(explore(Named()))


def test_a_diagram_for_graphviz() -> None:
    assert graphviz(explore(Tosses())) == (
        "digraph chain {\n"
        "    rankdir=LR;\n"
        "    node [shape=box, style=rounded];\n"
        '    s0 [label="first"];\n'
        '    s1 [label="second"];\n'
        '    s2 [label="won", peripheries=2];\n'
        '    s3 [label="lost", peripheries=2];\n'
        '    s0 -> s2 [label="1/3"];\n'
        '    s0 -> s1 [label="2/3"];\n'
        '    s1 -> s2 [label="1/3"];\n'
        '    s1 -> s3 [label="2/3"];\n'
        "}\n"
    )


def test_a_chain_in_prism() -> None:
    assert prism(explore(Tosses())) == (
        "dtmc\n\n"
        "module game\n"
        "    s : [0..3] init 0;\n"
        "    [s0] s=0 -> 1/3 : (s'=2) + 2/3 : (s'=1);  // first\n"
        "    [s1] s=1 -> 1/3 : (s'=2) + 2/3 : (s'=3);  // second\n"
        "    [end] s>=2 -> true;\n"
        "endmodule\n\n"
        'label "outcome_0" = s=2;  // won\n'
        'label "outcome_1" = s=3;  // lost\n'
        'label "settled" = s>=2;\n\n'
        'rewards "rolls"\n'
        "    s<2 : 1;\n"
        "endrewards\n\n"
        'rewards "counter_0"  // tosses\n'
        "    [s0] s=0 : 2/3;\n"
        "    [s1] s=1 : 2/3;\n"
        "endrewards\n\n"
        'rewards "bet_0"  // coin, less -1\n'
        "    [s0] s=0 : 4/3;\n"
        "    [s1] s=1 : 4/3;\n"
        "endrewards\n"
    )


def test_a_decision_in_prism_is_a_command_for_each_option() -> None:
    assert prism(explore(Bet())) == (
        "mdp\n\n"
        "module game\n"
        "    s : [0..5] init 0;\n"
        "    [s0] s=0 -> 1/3 : (s'=3) + 2/3 : (s'=1);  // first\n"
        "    [s1_0] s=1 -> (s'=2);  // second: toss\n"
        "    [s1_1] s=1 -> (s'=4);  // second: leave\\nit\n"
        "    [s2] s=2 -> 1/3 : (s'=3) + 2/3 : (s'=5);  // second\n"
        "    [end] s>=3 -> true;\n"
        "endmodule\n\n"
        'label "outcome_0" = s=3;  // won\n'
        'label "outcome_1" = s=4;  // left\n'
        'label "outcome_2" = s=5;  // lost\n'
        'label "settled" = s>=3;\n\n'
        'rewards "rolls"\n'
        "    s=0 : 1;\n"
        "    s=2 : 1;\n"
        "endrewards\n\n"
        'rewards "counter_0"  // tosses\n'
        "    [s0] s=0 : 2/3;\n"
        "    [s2] s=2 : 2/3;\n"
        "endrewards\n\n"
        'rewards "counter_1"  // leaves\n'
        "    [s1_1] s=1 : 2;\n"
        "endrewards\n\n"
        'rewards "bet_0"  // coin, less -1\n'
        "    [s0] s=0 : 4/3;\n"
        "    [s1_1] s=1 : 1;\n"
        "    [s2] s=2 : 4/3;\n"
        "endrewards\n"
    )


def test_a_counter_that_goes_down_has_two_structures() -> None:
    """Rewards below 0 are no PRISM program: 1/6 up and 5/6 down."""

    class Drift(so.Game):
        dice, start = so.d6, "walk"

        def step(self, state: str, face: int) -> Any:
            return so.counted(so.settle("end"), height=1 if face == 6 else -1)

    page = prism(explore(Drift()))
    assert page[page.index('rewards "counter') :] == (
        'rewards "counter_0"  // height\n'
        "    [s0] s=0 : 1/6;\n"
        "endrewards\n\n"
        'rewards "counter_0_down"  // height, decreases\n'
        "    [s0] s=0 : 5/6;\n"
        "endrewards\n"
    )


def test_a_game_that_a_policy_settles_at_once_has_no_roll() -> None:
    class Second(Bet):
        start = "second"

    chain = explore(Second()).under(lambda state: "leave\nit")
    assert so.solve(chain).mean_rolls == 0
    assert 'rewards "rolls"\n    true : 0;\nendrewards' in prism(chain)


def test_two_players_in_prism_own_their_commands_and_the_first_owns_the_rolls() -> None:
    page = prism(explore(Standoff()))
    assert page.startswith("smg\n\nmodule game\n    s : [0..5] init 0;\n    [s0_0] s=0 -> (s'=1);")
    assert page[page.index("endmodule") : page.index("label")] == (
        "endmodule\n\n"
        "player player_0  // left\n"
        "    [s0_0], [s0_1], [s1], [s3], [end]\n"
        "endplayer\n\n"
        "player player_1  // right\n"
        "    [s2_0], [s2_1]\n"
        "endplayer\n\n"
    )
    assert page[page.index('rewards "counter') :] == (
        'rewards "counter_0"  // ties\n'
        "    true : 0;\n"
        "endrewards\n\n"
        'rewards "bet_0"  // left, less -1\n'
        "    [s1] s=1 : 1/3;\n"
        "endrewards\n\n"
        'rewards "bet_1"  // right, less -1\n'
        "    [s3] s=3 : 1/3;\n"
        "endrewards\n"
    )


def test_where_turns_pass_each_seat_has_states_in_prism() -> None:
    class First(so.Game):
        """The first to toss heads wins; either may leave."""

        dice, start = so.Die(["heads", "tails"]), "toss"

        def choices(self, state: str) -> Mapping[str, Any]:
            return {"toss": state, "leave": so.settle("left", {"pass": 0})}

        def step(self, state: str, side: str) -> Any:
            return so.win() if side == "heads" else so.pass_turn("toss")

    page = prism(explore(First()))
    assert page[page.index("    [s2_0]") : page.index("endmodule")] == (
        "    [s2_0] s=2 -> (s'=3);  // second, toss: toss\n"
        "    [s2_1] s=2 -> (s'=6);  // second, toss: leave\n"
        "    [s3] s=3 -> 1/2 : (s'=7) + 1/2 : (s'=0);  // second, toss\n"
        "    [end] s>=4 -> true;\n"
    )
    assert page[page.index('rewards "bet') :] == (
        'rewards "bet_0"  // pass, less -1\n'
        "    [s0_1] s=0 : 1;\n"
        "    [s1] s=1 : 1;\n"
        "    [s2_1] s=2 : 1;\n"
        "endrewards\n"
    )
