"""Families of games given as data."""
