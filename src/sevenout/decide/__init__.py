"""What to do in a game with choices, and what a mistake costs."""

from sevenout.decide.card import Card
from sevenout.decide.goal import Goal, goal_of
from sevenout.decide.optimum import Followed, Mistake, Optimum, Option, best

__all__ = ["Card", "Followed", "Goal", "Mistake", "Optimum", "Option", "best", "goal_of"]
