"""Measures the table of the paper, and writes it between its marks: `python docs/paper/make.py`.

Each row is the time of a peer over that of sevenout, both in this run, on one processor. The
answers are compared by the benchmarks that this calls (`benchmarks/`), which have more rows.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PAPER = HERE / "paper.md"
sys.path.insert(0, str(HERE.parents[1] / "benchmarks"))
TABLE = re.compile(r"(?<=<!-- measured -->\n).*?(?=<!-- end -->)", re.DOTALL)


def rows() -> list[tuple[str, str, float]]:
    """What is computed, the peer, and the ratio of the times."""
    import dice
    import exact
    import simulate
    from decide import SOLITAIRE, Storm, decided

    import sevenout as so

    craps, bonus = so.games["craps"], exact.All()
    own_pool, icepool_pool = dice.MECHANICS["opposed pools, 10 v 10"]
    pig = SOLITAIRE.replace("{goal}", "100")
    storm = Storm(pig, 'R{"turns"}min=? [F score+turn=goal]')

    def storm_pig() -> Any:
        return storm.check(storm.build(), True)

    storm_all = exact.storm(bonus, 1)  # its parsing is not counted
    assert storm_all is not None

    solved_all = exact.best(lambda: so.solve(exact.All()).p("all"), 5)
    chain = so.explore(craps)
    rolls = simulate.best(simulate.ours(chain, 400_000_000, "auto"), 3)[0]
    pool_cold = dice.cold_and_warm(own_pool)[0]
    return [
        (
            "craps, the exact win probability",
            "icepool",
            exact.best(exact.icepool_craps, 5)
            / exact.best(lambda: so.solve(craps).bet().p_win, 100),
        ),
        (
            "the All bet, 1,023 states, exactly",
            "icepool",
            exact.best(exact.icepool_all, 1) / solved_all,
        ),
        ("the same", "Storm", exact.best(storm_all, 3) / solved_all),
        (
            "a pool of ten dice against ten",
            "icepool",
            dice.cold_and_warm(icepool_pool)[0] / pool_cold,
        ),
        (
            "solitaire Pig to 100, optimal play, exactly",
            "Storm",
            exact.best(storm_pig, 2) / exact.best(decided("pig-solitaire", goal=100), 3),
        ),
        (
            "craps, rolls per second, compiled, one thread",
            "crapssim",
            rolls / simulate.best(simulate.crapssim, 3)[0],
        ),
    ]


def rounded(ratio: float) -> str:
    """Two digits: a ratio of times repeats no better."""
    digits = f"{ratio:.1e}"
    return f"{float(digits):,.0f}" if ratio >= 10 else f"{float(digits):g}"


def main(measured: Callable[[], list[tuple[str, str, float]]] = rows) -> None:
    """Measure, and write the table."""
    lines = ["| task | peer | time of the peer / of sevenout |", "| --- | --- | --- |"]
    lines += [f"| {task} | {peer} | {rounded(ratio)} |" for task, peer, ratio in measured()]
    text = PAPER.read_text(encoding="utf-8")
    PAPER.write_text(TABLE.sub("\n" + "\n".join(lines) + "\n\n", text), encoding="utf-8")


if __name__ == "__main__":
    main()
