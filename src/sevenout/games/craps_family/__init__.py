"""Craps: its line bets, its side bets and its variants."""
