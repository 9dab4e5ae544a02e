"""Counts of sums in an interval, and the sum nearest to a target."""
