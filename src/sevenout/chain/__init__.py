"""Rules explored once into a finite model; where nobody decides, it is a Markov chain."""

from sevenout.chain.chain import Chain, Edge, Move
from sevenout.chain.explore import MAX_STATES, SOON_STATES, chain_of, explore, has_choices
from sevenout.chain.export import graphviz, mermaid
from sevenout.chain.model import Model, Policy
from sevenout.chain.naming import state_name
from sevenout.chain.prism import prism

__all__ = [
    "MAX_STATES",
    "SOON_STATES",
    "Chain",
    "Edge",
    "Model",
    "Move",
    "Policy",
    "chain_of",
    "explore",
    "graphviz",
    "has_choices",
    "mermaid",
    "prism",
    "state_name",
]
