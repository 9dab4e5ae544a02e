"""Rules explored once into a finite absorbing Markov chain: the narrow waist of the house."""

from sevenout.chain.chain import Chain, Edge, Move, state_name
from sevenout.chain.explore import MAX_STATES, explore
from sevenout.chain.export import graphviz, mermaid, prism

__all__ = [
    "MAX_STATES",
    "Chain",
    "Edge",
    "Move",
    "explore",
    "graphviz",
    "mermaid",
    "prism",
    "state_name",
]
