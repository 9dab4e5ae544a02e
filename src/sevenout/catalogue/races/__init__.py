"""Races and battles without choices."""
