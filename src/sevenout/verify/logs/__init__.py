"""Logs of rolls and moves, read as streams."""
