"""Wheel of Doubles: two dice, and a bonus wheel of 20 segments after a double."""

import sevenout as so


class WheelOfDoubles(so.Game):
    """Two dice are rolled.

    A double spins the wheel of twenty segments, which gives the pay. An 11 pays even money. Any
    other roll loses.
    """

    title = "Wheel of Doubles"
    start = "dice"
    wheel = so.Die([1, 2, 4, 8, 15, 20], [8, 5, 3, 2, 1, 1])

    def rolls(self, state):
        return so.dice("2d6") if state == "dice" else self.wheel

    def step(self, state, roll):
        if state == "wheel":
            return so.settle(f"wheel {roll}", {"wheel bet": roll})
        a, b = roll.faces
        if a == b:
            return "wheel"
        if a + b == 11:
            return so.settle("eleven", {"wheel bet": 1})
        return so.settle("no double", {"wheel bet": -1})
