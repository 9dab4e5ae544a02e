"""Dice with other faces: ranked dice, dice that never roll 7, Sicherman's dice."""
