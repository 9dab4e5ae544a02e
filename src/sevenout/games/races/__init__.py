"""Races and battles, with nothing to decide."""
