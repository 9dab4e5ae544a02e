"""Returns of bets, and their figures."""
