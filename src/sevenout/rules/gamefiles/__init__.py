"""Game files: games as TOML, read and written."""
