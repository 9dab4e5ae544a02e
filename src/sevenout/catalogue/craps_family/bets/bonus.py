"""Craps bonus bets on several totals before the 7: All Tall Small, Hot Hand, doubles."""

from collections.abc import Mapping
from functools import partial

from sevenout.catalogue.craps_family.craps import craps
from sevenout.catalogue.craps_family.table.craps_table import TOTALS, TWO_DICE, WIZARD
from sevenout.catalogue.entries import Entry
from sevenout.numerals import Number
from sevenout.rolling import Roll
from sevenout.rules import Checklist

SMALL = (2, 3, 4, 5, 6)
TALL = (8, 9, 10, 11, 12)
ALL = SMALL + TALL


def all_before_seven(
    totals: tuple[int, ...] = ALL,
    pays: Number | Mapping[int, Number] = 175,
    alike: bool = False,
) -> Checklist:
    """Every one of these totals comes before a 7: Small is 2 to 6, Tall 8 to 12, All both; the
    Flaming Four are 2, 3, 11 and 12, the Sizzling Six the points. The bet is decided as soon as the
    last of them has come. A table may also pay for most of them, once the 7 has come.

    `alike` lets totals that are equally likely, such as 4 and 10, trade places: the same figures
    from fewer states, but no longer roll by roll.
    """
    wanted = dict.fromkeys(totals, 1)
    return Checklist(TOTALS, wanted, stop=7, pays=pays, bet="bonus", alike=alike, side_of=craps())


def different_doubles() -> Checklist:
    """How many of the six doubles come before a 7. Three pay 4 to 1, four 8, five 15, and six,
    which decide the bet at once, 100.
    """
    wanted = {f"{face}-{face}": 1 for face in range(1, 7)}
    prizes = {3: 4, 4: 8, 5: 15, 6: 100}
    dice = TWO_DICE.read(_double_or_seven)
    return Checklist(dice, wanted, stop="7", pays=prizes, bet="different doubles", side_of=craps())


def _double_or_seven(roll: Roll) -> str:
    if roll.hard:
        return f"{roll.faces[0]}-{roll.faces[1]}"
    return "7" if roll.total == 7 else "neither"


entry = partial(Entry, family="Craps", bet="bonus", source=WIZARD)

# fmt: off
ENTRIES = [
    *(
        entry(f"bonus-{name}-{pays}-1", f"Bonus craps {name.capitalize()} ({said})",
              all_before_seven, {"totals": totals, "pays": pays}, edge=edge)
        for name, totals, pays, said, edge in [
            ("small", SMALL, 30, "30:1", None),
            ("small", SMALL, 34, "34:1", None),
            ("tall", TALL, 30, "30:1", None),
            ("tall", TALL, 34, "34:1", "1687/21736"),
            ("all", ALL, 150, "150:1", None),
            ("all", ALL, 155, "155:1", None),
            ("all", ALL, 175, "175:1", "10207263466/136745788725"),
            ("all", ALL, 174, "174:1, 175 for 1", None),
        ]
    ),
    entry("flaming-four", "Flaming Four (Hot Hand)",
          all_before_seven, {"totals": (2, 3, 11, 12), "pays": 70}, edge="857/4620"),
    entry("sizzling-six", "Sizzling Six (Hot Hand)",
          all_before_seven, {"totals": (4, 5, 6, 8, 9, 10), "pays": 12},
          edge="197503021/1029659400"),
    entry("hot-hand", "Hot Hand (all ten / nine of ten)",
          all_before_seven, {"totals": ALL, "pays": {10: 80, 9: 20}},
          edge="1445628536659/8022419605200"),
    entry("different-doubles", "Different Doubles",
          different_doubles, bet="different doubles", edge="43/154"),
]
# fmt: on
