"""Craps, its bets and its variants."""
