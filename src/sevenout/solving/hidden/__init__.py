"""Games with hidden information: dice in a cup, or simultaneous moves.

The game becomes its sequence form, a linear program, and two policies whose best replies prove its
value.

- `sequences`: sequence forms, plans, best replies, equilibria.
- `public_tree`: games of hidden hands and open moves, without a matrix of all histories.
- `mixed`, `hands_optimum`, `matched_optimum`: the answers of `best`.
"""

from sevenout.solving.hidden.sequences.bestreply import BestReply, best_reply, plan_of
from sevenout.solving.hidden.sequences.nash import (
    Equilibrium,
    SubgamePerfect,
    equilibrium,
    proved,
    subgame_perfect,
)
from sevenout.solving.hidden.sequences.sequence_matrix import (
    InformationSet,
    SequenceForm,
    Side,
    sequence_form,
)

__all__ = [
    "BestReply",
    "Equilibrium",
    "InformationSet",
    "SequenceForm",
    "Side",
    "SubgamePerfect",
    "best_reply",
    "equilibrium",
    "plan_of",
    "proved",
    "sequence_form",
    "subgame_perfect",
]
