"""A craps table: its felt, its bets, and a session of play."""
