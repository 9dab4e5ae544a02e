"""Evenings that are played, roll by roll."""
