"""Games of turns, as factored models: a turn is explored once, and played for each score card."""
