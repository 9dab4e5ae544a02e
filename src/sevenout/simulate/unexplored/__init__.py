"""Play of games too large to explore: the rules are asked only for the rolls that are made."""
