"""Games in which something is hidden: dice in a cup, and moves made at the same time.

The rules say what a player `sees`; here such a game becomes its sequence form, a linear program,
and two policies with two best replies that prove what the game is worth.
"""

from sevenout.hidden.bestreply import Reply, best_reply, plan_of
from sevenout.hidden.nash import Equilibrium, SubgamePerfect, equilibrium, proved, subgame_perfect
from sevenout.hidden.sequences import InformationSet, SequenceForm, Side, sequence_form

__all__ = [
    "Equilibrium",
    "InformationSet",
    "Reply",
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
