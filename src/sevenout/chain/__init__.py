"""Rules explored once into a finite absorbing Markov chain: the narrow waist of the house."""

from sevenout.chain.chain import Chain, Edge, Move, state_name
from sevenout.chain.explore import MAX_STATES, SOON_STATES, chain_of, explore
from sevenout.chain.export import graphviz, mermaid, prism
from sevenout.chain.model import Model, Policy

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
    "mermaid",
    "prism",
    "state_name",
]
