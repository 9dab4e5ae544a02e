"""Families of games that are data: point games, wagers, checklists, hands, turns and races."""
