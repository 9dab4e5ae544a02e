"""The casino's table."""
