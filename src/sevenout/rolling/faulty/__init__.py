"""Faults of real dice and what they do to a roll."""
