"""Whether another program plays this game: test vectors, its results, its logs."""
