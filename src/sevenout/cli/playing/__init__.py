"""Play at the terminal: games, tables and evenings."""
