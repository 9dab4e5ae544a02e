"""Craps bets other than the line."""
