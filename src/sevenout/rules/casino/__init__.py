"""The casino's table: its felt, its limits, who bets there and when they leave."""
