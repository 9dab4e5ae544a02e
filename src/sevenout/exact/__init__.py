"""What is true of a game, as fractions: absorption, laws of counters, bets, sensitivity."""

from sevenout.exact.bet_result import BetResult, TableRow
from sevenout.exact.solution import Solution, solve

__all__ = ["BetResult", "Solution", "TableRow", "solve"]
