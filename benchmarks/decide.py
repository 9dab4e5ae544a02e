"""Optimal play: sevenout beside Storm (stormpy), in one run.

    python benchmarks/decide.py

Each row is the least of several runs: a game is explored from its rules and decided, to fractions
unless the row says otherwise. Storm gets the same game in its own language, as one would write it
there, builds the model and decides it by its exact engine; parsing is not counted.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import sevenout as so
from sevenout.games import decisions
from sevenout.games.yahtzee import Yahtzee, Yatzy

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


def storm(model: str, wanted: str) -> Callable[[], Fraction] | None:
    """Building a model and deciding it exactly, in Storm."""
    try:
        import stormpy
    except ImportError:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pig.prism"
        path.write_text(model)
        program = stormpy.parse_prism_program(str(path))
    formula = stormpy.parse_properties(wanted, program)
    build = stormpy.build_model[stormpy.Rational]

    def check() -> Fraction:
        built = build(program, formula)
        value = stormpy.model_checking(built, formula[0]).get_value(built.initial_states[0])
        return Fraction(str(value))

    return check


def decided(name: str, method: Any = "exact", **options: Any) -> Callable[[], Fraction]:
    """Exploring a game and deciding it."""
    entry = decisions[name]
    return lambda: so.best(entry.game(**options), **entry.goal, method=method).value


def against_storm(what: str, ours: Callable[[], Fraction], model: str, wanted: str) -> None:
    """A row with a peer, if it is there; the two must agree to the last digit."""
    check = storm(model, wanted)
    if check:
        assert ours() == check()
    row(what, best(ours, 3), best(check, 1) if check else None)


def main() -> None:
    print(f"{'':<58}{'sevenout':>10}      peer")
    against_storm("Pig, one turn", decided("pig-turn"), TURN, 'R{"turn"}max=? [F over]')
    for goal in (100, 200, 400):
        against_storm(
            f"solitaire Pig to {goal}, fewest turns",
            decided("pig-solitaire", goal=goal),
            SOLITAIRE.replace("{goal}", str(goal)),
            'R{"turns"}min=? [F score+turn=goal]',
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
    row("Yahtzee, exact", best(lambda: so.best(Yahtzee(), "score", method="exact").value, 1))


if __name__ == "__main__":
    sys.exit(main())
