"""Bets of craps beside the line: bonus, place, repeater and street bets, propositions."""
