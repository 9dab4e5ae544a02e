"""What is said at a craps table: its words, commands and refusals."""
