"""Games in which something is hidden, and games with moves at the same time."""
