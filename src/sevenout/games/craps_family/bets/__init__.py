"""Craps bets other than the line: bonus, place, repeater and street bets, propositions."""
