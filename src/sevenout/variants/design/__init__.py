"""Open numbers of a game: all choices that give the wanted figures."""
