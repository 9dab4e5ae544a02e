"""Sums of choices: how many lie in an interval, and which is nearest to a target."""
