"""Game files: games as TOML."""
