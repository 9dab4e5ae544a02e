"""Games against a bank, and bets on one roll."""
