"""Games in which something is hidden: dice in a cup, and moves made at the same time.

The rules say what a player `sees`; here such a game becomes its sequence form, a linear program,
and two policies with two best replies that prove the value of the game.

- `sequences`: the sequence form of any game, plans, best replies, equilibria.
- `public_tree`: games of hidden hands and open moves, without a matrix of all histories.
- `mixed`, `hands_optimum`, `matched_optimum`: what `best` answers, with its pages and certificates.
"""

from sevenout.hidden.sequences.bestreply import BestReply, best_reply, plan_of
from sevenout.hidden.sequences.nash import (
    Equilibrium,
    SubgamePerfect,
    equilibrium,
    proved,
    subgame_perfect,
)
from sevenout.hidden.sequences.sequence_matrix import (
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
