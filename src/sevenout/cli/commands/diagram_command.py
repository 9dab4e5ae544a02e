"""`sevenout diagram`: the state diagram and the matrices of a game, from its chain."""

from typing import Literal

from sevenout.cli.options import Against, GameName, Json, Rules
from sevenout.cli.out import print_json, print_text
from sevenout.errors import RulesError
from sevenout.questions.named_policies import followed
from sevenout.questions.subjects import find_game

MAX_DRAWN = 2_000


def diagram(
    game: GameName | None = None,
    /,
    *,
    to: Literal["mermaid", "graphviz", "prism"] = "mermaid",
    matrix: Literal["fractions", "numpy", "latex"] | None = None,
    policy: str | None = None,
    against: Against | None = None,
    json: Json = False,
    **rules: Rules,
) -> None:
    """Print the state diagram of a game, its matrices, or its model for PRISM and Storm.

    Parameters
    ----------
    to
        The language: mermaid, graphviz, or prism (a model for other model checkers).
    matrix
        Print the transition and the fundamental matrix instead: as fractions, as a program for
        NumPy, or in LaTeX.
    policy
        The player's policy, in a game with choices, as for `sevenout odds`. Without a policy, a
        PRISM model leaves the choices open.
    """
    from sevenout.model import (
        chain_of,
        explore,
        fractions_text,
        graphviz,
        latex_text,
        matrices,
        mermaid,
        numpy_text,
        prism,
    )

    chosen = find_game(game, rules, files=True)
    if to == "prism" and not (json or matrix) and policy is None:
        print_text(prism(explore(chosen.game)))
        return
    chain = chain_of(followed(chosen, policy, against))
    if matrix is not None:
        forms = {"fractions": fractions_text, "numpy": numpy_text, "latex": latex_text}
        print_text(forms[matrix](matrices(chain)))
        return
    if json:
        targets = range(len(chain.states) + len(chain.outcomes))
        print_json(
            {
                "fingerprint": chain.fingerprint,
                "denominator": chain.denominator,
                "states": len(chain.states),
                "names": [chain.name(t) for t in targets],
                "edges": [
                    [[e.weight, e.target, dict(e.counts)] for e in row] for row in chain.rows
                ],
            }
        )
        return
    if to != "prism" and len(chain.states) > MAX_DRAWN:
        raise RulesError(
            f"{len(chain.states):,} states are too many for a picture (at most {MAX_DRAWN:,}); "
            "use --to prism"
        )
    print_text({"mermaid": mermaid, "graphviz": graphviz, "prism": prism}[to](chain))
