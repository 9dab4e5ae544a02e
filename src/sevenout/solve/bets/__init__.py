"""What a bet returns, and what it does to a player's money."""
