"""Search of a game's open numbers for wanted figures."""
