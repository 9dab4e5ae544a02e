"""Distributions of counters: exact, certified within a bound, or undecided."""
