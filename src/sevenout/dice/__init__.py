"""What is rolled: dice, their readings, their exact laws.

A `Die` has faces and integer weights; `Dice` are several dice rolled together; a *reading* is a
function of what they show (the total, the hard way, the higher rank). `Law` is a finite probability
law with exact weights. The room can be called: `sevenout.dice("2d6")` is `parse_dice("2d6")`.
"""

import sys
from types import ModuleType

from sevenout.dice.deck import Deck
from sevenout.dice.dice import Dice, Roll
from sevenout.dice.die import Die
from sevenout.dice.law import Law, Reading, Rollable, Source
from sevenout.dice.notation import dice_name, die_name, parse_dice, parse_die

d4, d6, d8, d10, d12, d20 = map(Die.standard, (4, 6, 8, 10, 12, 20))

__all__ = [
    "Deck",
    "Dice",
    "Die",
    "Law",
    "Reading",
    "Roll",
    "Rollable",
    "Source",
    "d4",
    "d6",
    "d8",
    "d10",
    "d12",
    "d20",
    "dice_name",
    "die_name",
    "parse_dice",
    "parse_die",
]


class _Room(ModuleType):
    def __call__(self, text: str) -> Dice:
        return parse_dice(text)


sys.modules[__name__].__class__ = _Room
