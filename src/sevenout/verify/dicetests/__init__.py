"""Tests of real dice: p-values, intervals and power."""
