"""Logs of rolls and moves, read as they stream by."""
