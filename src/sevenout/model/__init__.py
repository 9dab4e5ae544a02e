"""Finite models of games, explored from their rules; without decisions, a Markov chain."""

from sevenout.model.chain import Chain, Edge, Move
from sevenout.model.exploration.explore import (
    MAX_STATES,
    SOON_STATES,
    chain_of,
    explore,
    has_choices,
)
from sevenout.model.export import graphviz, mermaid
from sevenout.model.model import Model, Policy
from sevenout.model.naming import state_name
from sevenout.model.prism import prism

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
