"""Games too large to explore: the rules are applied only to the rolls made."""
