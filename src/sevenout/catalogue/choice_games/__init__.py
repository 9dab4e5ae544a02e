"""Games with choices."""
