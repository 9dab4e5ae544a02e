"""Play at the terminal: turns, tables and evenings."""
