"""Optimal play: sevenout beside Storm (stormpy), in one run.

    python benchmarks/decide.py

Each row is the least of several runs: a game is explored from its rules and decided, to fractions
unless the row says otherwise: its value and policy, or where that is said every value too. Storm
gets the same game in its own language, as one would write it there, builds the model and decides it
by its exact engine, as it chooses by itself and by policy iteration; parsing is not counted. It
gives every value; with the model in hand, building is left out on both sides.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import sevenout as so
from sevenout.catalogue import games
from sevenout.catalogue.dice_keeping import Yahtzee, Yatzy

FACES = " + ".join(f"1/6 : (turn'=min(turn+{face}, {{most}}))" for face in range(2, 7))

TURN = f"""mdp
module pig
  turn : [0..40] init 0;
  over : bool init false;
  [roll] !over & turn<40 -> 1/6 : (over'=true) + {FACES.format(most=40)};
  [hold] !over & turn>0 -> (over'=true);
endmodule
rewards "turn" [hold] true : turn; endrewards
"""

SOLITAIRE = f"""mdp
const int goal = {{goal}};
module pig
  score : [0..goal] init 0;
  turn : [0..goal] init 0;
  [roll] score+turn<goal -> 1/6 : (turn'=0) + {FACES.format(most="goal-score")};
  [hold] turn>0 & score+turn<goal -> (score'=score+turn) & (turn'=0);
  [done] score+turn=goal -> true;
endmodule
rewards "turns" [roll] turn=0 : 1; endrewards
"""


def best(run: Callable[[], Any], times: int) -> float:
    """The least seconds of several runs."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        found.append(time.perf_counter() - start)
    return min(found)


def row(what: str, ours: float, theirs: float | None = None) -> None:
    against = f"Storm {theirs * 1e3:12.1f} ms   {theirs / ours:8.1f} x" if theirs else ""
    print(f"{what:<58}{ours * 1e3:10.1f} ms   {against}", flush=True)


class Storm:
    """A model in Storm's language, and what is wanted of it."""

    def __init__(self, model: str, wanted: str) -> None:
        import stormpy

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "pig.prism"
            path.write_text(model)
            self.program = stormpy.parse_prism_program(str(path))
        self.formula = stormpy.parse_properties(wanted, self.program)

    def build(self) -> Any:
        """The model."""
        import stormpy

        return stormpy.build_model[stormpy.Rational](self.program, self.formula)

    def check(self, built: Any, by_policy_iteration: bool = False) -> Fraction:
        """The value of a model, exactly."""
        import stormpy
        from stormpy.environments import MinMaxMethod, exact

        environment = {}
        if by_policy_iteration:
            env = environment["environment"] = exact()
            env.solver().min_max().method = MinMaxMethod.POLICY_ITERATION
        values = stormpy.model_checking(built, self.formula[0], **environment)
        return Fraction(str(values.get_value(built.initial_states[0])))


def decided(name: str, method: Any = "exact", **options: Any) -> Callable[[], Fraction]:
    """Exploring a game and deciding it."""
    entry = games.entry(name)
    return lambda: so.best(entry.game(**options), **entry.goal, method=method).value


def against_storm(what: str, name: str, model: str, wanted: str, **options: Any) -> None:
    """Rows with a peer, if it is there; the two must agree to the last digit."""
    entry = games.entry(name)
    explored = so.explore(entry.game(**options))

    def solved() -> Any:
        return so.best(explored, **entry.goal, method="exact")

    rules, hand = best(decided(name, **options), 5), best(lambda: solved().value, 5)
    every = best(lambda: list(map(solved().options, solved().policy)), 2)
    whole = default = iterated = None
    try:
        storm = Storm(model, wanted)
    except ImportError:
        pass
    else:
        built = storm.build()
        assert solved().value == storm.check(built) == storm.check(built, True)
        default, iterated = (best(lambda: storm.check(built, by), 2) for by in (False, True))  # noqa: B023  used at once
        whole = best(storm.build, 2) + default
    row(f"{what}, from the rules", rules, whole)
    row("  the model in hand; Storm as it chooses", hand, default)
    row("  the model in hand; Storm by policy iteration", hand, iterated)
    row("  the model in hand, every option and its cost", every)


def main() -> None:
    print(f"{'':<58}{'sevenout':>10}      peer")
    against_storm("Pig, one turn", "pig-turn", TURN, 'R{"turn"}max=? [F over]')
    for goal in (100, 200):
        against_storm(
            f"solitaire Pig to {goal}",
            "pig-solitaire",
            SOLITAIRE.replace("{goal}", str(goal)),
            'R{"turns"}min=? [F score+turn=goal]',
            goal=goal,
        )
    row("Pig for two, to 20", best(decided("pig", goal=20), 1))
    row("Pig for two, to 100, certified", best(decided("pig", "certified"), 1))
    row("Shut the Box, nine tiles", best(decided("shut-the-box"), 2))
    row("Threes", best(decided("threes"), 3))
    row("Midnight", best(decided("midnight"), 2))
    row("Farkle, one turn, certified", best(decided("farkle-turn", "certified"), 1))
    row("Can't Stop, three-sided dice, certified", best(decided("cant-stop-3", "certified"), 1))
    row(
        "bearing off, all 1,715 boards of up to 7, certified",
        best(decided("bear-off-every", "certified", checkers=7), 1),
    )
    for game in (Yahtzee(), Yatzy()):
        name = type(game).__name__
        row(f"{name}, certified", best(lambda: so.best(game, "score", method="certified").value, 1))  # noqa: B023  used at once


if __name__ == "__main__":
    sys.exit(main())
