"""The casino's table: bets, limits, bettors, and when they leave."""
