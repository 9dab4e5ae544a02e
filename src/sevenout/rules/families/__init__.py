"""Families of games given as data: point games, wagers, checklists, hands, turns and races."""
