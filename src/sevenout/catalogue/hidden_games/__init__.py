"""Games with hidden information, and games with simultaneous moves."""
