"""A craps table: its felt, the bets that it offers, and a session of play at it."""
