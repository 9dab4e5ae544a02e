"""What to do in a game with choices, and what a mistake costs."""

from sevenout.decide.card import Card
from sevenout.decide.front import best
from sevenout.decide.goal import Goal, goal_of
from sevenout.decide.optimum import Optimum
from sevenout.decide.options import Followed, Mistake, Option

__all__ = ["Card", "Followed", "Goal", "Mistake", "Optimum", "Option", "best", "goal_of"]
