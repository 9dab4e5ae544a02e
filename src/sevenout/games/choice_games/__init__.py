"""Games in which a player decides."""
