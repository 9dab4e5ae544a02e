"""What to do in a game with choices, and what a mistake costs."""

from sevenout.decide.goal import Goal, goal_of
from sevenout.decide.optimum import Mistake, Optimum, Option, best

__all__ = ["Goal", "Mistake", "Optimum", "Option", "best", "goal_of"]
