"""Games with hidden information: dice in a cup, or simultaneous moves.

The game becomes its sequence form, a linear program, and two policies whose best replies prove its
value.

- `sequence_form`: sequence forms, plans, best replies, subgames.
- `equilibria`: optimal plans, exact or with a proved interval.
- `mixed_optimum`: the answer of `best`.
- `public_tree`: games of hidden hands and open moves, without a matrix of all histories.
- `regret_matching`, `exact_policies`: such games with millions of histories.
- `hands_optimum`: their answer of `best`.
"""

from sevenout.solving.hidden.equilibria import (
    Equilibrium,
    SubgamePerfect,
    equilibrium,
    proved,
    subgame_perfect,
)
from sevenout.solving.hidden.sequence_form import (
    BestReply,
    InformationSet,
    SequenceForm,
    Side,
    best_reply,
    plan_of,
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
