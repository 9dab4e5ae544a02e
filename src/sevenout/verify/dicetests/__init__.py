"""Whether real dice are fair: tests, intervals and their power."""
