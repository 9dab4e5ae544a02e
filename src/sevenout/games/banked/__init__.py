"""Games against a bank or a single roll, with nothing to decide."""
