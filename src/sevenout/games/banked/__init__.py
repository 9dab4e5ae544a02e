"""Games against a bank, and bets on a single roll, without choices."""
