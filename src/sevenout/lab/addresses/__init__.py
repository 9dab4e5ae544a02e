"""What an address holds: the game, its rules, an evening, a run."""
