"""What an address holds: a game, its rules, an evening, a run."""
