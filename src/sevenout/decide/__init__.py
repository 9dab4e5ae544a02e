"""What to do in a game with choices, and what a mistake costs."""

from sevenout.decide.card import Card
from sevenout.decide.goal import Goal, goal_of
from sevenout.decide.optimal_play import best
from sevenout.decide.optimum import Optimum
from sevenout.decide.option_values import Followed, Mistake, Option

__all__ = ["Card", "Followed", "Goal", "Mistake", "Optimum", "Option", "best", "goal_of"]
