"""Games with choices that the tests share."""

import sevenout as so
from sevenout.rules import counted, pass_turn


class PigTurn(so.Game):
    """One turn at Pig: roll and add, or hold; a 1 loses it all."""

    dice, start = so.d6, 0
    coordinates = ("turn",)

    def choices(self, worth):
        return {"roll": worth, "hold": so.settle("hold", {"turn": worth})}

    def step(self, worth, face):
        return so.settle("pig", {"turn": 0}) if face == 1 else min(worth + face, 40)


class Pig(so.Game):
    """Pig for two: (mine, yours, this turn)."""

    dice, start = so.d6, (0, 0, 0)
    coordinates = ("mine", "yours", "turn")

    def __init__(self, goal):
        self.goal = goal

    def choices(self, state):
        mine, yours, turn = state
        return {"roll": state, "hold": pass_turn((yours, mine + turn, 0))} if turn else {}

    def step(self, state, face):
        mine, yours, turn = state
        if face == 1:
            return pass_turn((yours, mine, 0))
        return so.win("home") if mine + turn + face >= self.goal else (mine, yours, turn + face)


class SeatedPig(so.Game):
    """The same game with the players named: (whose turn, first's score, second's, this turn)."""

    dice, start = so.d6, ("first", 0, 0, 0)

    def __init__(self, goal):
        self.goal = goal

    def chooser(self, state):
        return state[0]

    def choices(self, state):
        who, one, two, turn = state
        if not turn:
            return {}
        held = ("second", one + turn, two, 0) if who == "first" else ("first", one, two + turn, 0)
        return {"roll": state, "hold": held}

    def step(self, state, face):
        who, one, two, turn = state
        if face == 1:
            return ("second" if who == "first" else "first", one, two, 0)
        if (one if who == "first" else two) + turn + face >= self.goal:
            other = "second" if who == "first" else "first"
            return so.settle(f"{who} wins", {who: 1, other: -1})
        return (who, one, two, turn + face)


class Piglet(so.Game):
    """Pig with a coin: heads is worth 1, tails loses the turn."""

    dice, start = so.Die([1, 2]), (0, 0, 0)

    def __init__(self, goal):
        self.goal = goal

    def choices(self, state):
        mine, yours, turn = state
        return {"flip": state, "hold": pass_turn((yours, mine + turn, 0))} if turn else {}

    def step(self, state, face):
        mine, yours, turn = state
        if face == 2:
            return pass_turn((yours, mine, 0))
        return so.win("home") if mine + turn + 1 >= self.goal else (mine, yours, turn + 1)


class Solitaire(so.Game):
    """Pig alone: as few turns as possible to a goal."""

    dice, start = so.d6, (0, 0)

    def __init__(self, goal):
        self.goal = goal

    def choices(self, state):
        score, turn = state
        return {"roll": state, "hold": counted((score + turn, 0), turns=1)} if turn else {}

    def step(self, state, face):
        score, turn = state
        if face == 1:
            return counted((score, 0), turns=1)
        if score + turn + face >= self.goal:
            return counted(so.settle("home"), turns=1)
        return (score, turn + face)
