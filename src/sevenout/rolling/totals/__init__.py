"""Totals: sums, pools, terms and contests of dice."""
