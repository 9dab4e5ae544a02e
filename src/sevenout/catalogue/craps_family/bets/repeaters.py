"""Repeaters: a total comes a number of times before the 7.

The usual number is: 2 and 12 twice, 3 and 11 three times, 4 and 10 four, 5 and 9 five, 6 and 8 six.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from sevenout.catalogue.craps_family.craps import craps
from sevenout.catalogue.craps_family.table.craps_table import TOTALS, WIZARD
from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError, shown
from sevenout.model.process import Policy
from sevenout.numerals import Number, exact
from sevenout.rules import Checklist, Game, Surrender
from sevenout.rules.modified_games import LEAVE, RIDE

TIMES = {2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 8: 6, 9: 5, 10: 4, 11: 3, 12: 2}
CITY = tuple(TIMES)

FOR_ONE = {6: 90, 8: 90, 5: 80, 9: 80, 4: 65, 10: 65}
SIX, FIVE, FOUR = {3: 8, 4: 18, 5: 40}, {3: 12, 4: 30}, {2: 7, 3: 21}
OFFERS = {6: SIX, 8: SIX, 5: FIVE, 9: FIVE, 4: FOUR, 10: FOUR}
"""The surrender offers of Repeater Bets Plus, for one."""


def repeater(number: int = 6, times: int | None = None, pays: Number = 90) -> Checklist:
    """The number comes `times` times before a 7, by default as often as is usual. On some layouts
    the bet may be surrendered on the way for less; this is the bet without surrender. A pay of 40
    for 1 is 39 to 1.
    """
    if number not in TIMES:
        raise RulesError(f"number={number}; the repeaters are 2 to 12 except 7")
    wanted = {number: TIMES[number] if times is None else times}
    return Checklist(TOTALS, wanted, stop=7, pays=pays, bet="repeater", side_of=craps())


def any_of(
    totals: tuple[int, ...] = (2, 3, 11, 12), times: int = 7, pays: Number = 99
) -> Checklist:
    """These totals come this many times between them before a 7."""
    return Checklist(TOTALS, {totals: times}, stop=7, pays=pays, bet="repeater", side_of=craps())


def some_repeater(
    totals: tuple[int, ...] = (2, 3, 11, 12), pays: Number = 11, alike: bool = False
) -> Checklist:
    """At least one of these totals comes its usual number of times before a 7. Updown takes the
    totals 2 to 6, Even and Odd what they say, Horn 2, 3, 11 and 12, Citywide all ten.

    `alike` lets totals that are equally likely, such as 4 and 10, trade places: the same figures
    from fewer states, but no longer roll by roll. Citywide has 518,400 states without it.
    """
    if not set(totals) <= set(TIMES):
        raise RulesError(f"totals={totals}; the repeaters are 2 to 12 except 7")
    wanted = {total: TIMES[total] for total in totals}
    usual: dict[str, Any] = {"first": True, "bet": "repeater", "side_of": craps()}
    return Checklist(TOTALS, wanted, stop=7, pays=pays, alike=alike, **usual)


def surrender(
    number: int = 6,
    times: int | None = None,
    pays: Number | None = None,
    offers: Mapping[int, Number] | None = None,
) -> Surrender:
    """The number comes `times` times before a 7, and pays `pays` to 1. Once it has come this many
    times, the bet may be surrendered before any roll: `offers` says for how much, the stake
    included. By default they are those of Repeater Bets Plus. A 6 or 8 pays 90 for 1 for six, and
    8, 18 or 40 after three, four or five. A 5 or 9 pays 80 for five, and 12 or 30 before. A 4 or 10
    pays 65 for four, and 7 or 21 before.
    """
    if number not in TIMES:
        raise RulesError(f"number={shown(number)}; the repeaters are 2 to 12 except 7")
    whole = TIMES[number] if times is None else times
    if number not in OFFERS and (pays is None or offers is None):
        raise RulesError(f"number={number} has no usual offers; give pays= and offers=")
    if whole < 1:
        raise RulesError(f"times={shown(times)}; give 1 or more")
    given = OFFERS[number] if offers is None else offers
    if not all(0 < come < whole for come in given):
        raise RulesError(f"offers={shown(dict(given))}; give offers after 1 to {whole - 1} times")
    paid = FOR_ONE[number] - 1 if pays is None else pays
    rides = Checklist(
        TOTALS,
        {number: whole},
        stop=7,
        pays=paid,
        bet="repeater",
        names={"complete": "repeated", "stop": "seven"},
        side_of=craps(),
    )
    return Surrender(rides, {come: exact(for_one) - 1 for come, for_one in given.items()})


def ride(_: Game) -> Policy:
    """Never surrender."""
    return lambda come: RIDE


def surrender_at(_: Game, least: int) -> Policy:
    """Surrender once the number has come this often."""
    return lambda come: LEAVE if come >= least else RIDE


entry = partial(Entry, family="Craps", bet="repeater", source=WIZARD)

# fmt: off
PAID = [(2, 40, None, "9/49"), (3, 50, "13/64", None), (4, 65, "5/27", "16/81"),
        (5, 80, "533/3125", None), (6, 90, "349686/1771561", None)]
"""A number, its payment, and the edge to one and for one, where known."""

ENTRIES = [
    *(entry(name, title, repeater, {"number": n, "pays": profit}, edge=edge)
      for n, pays, edge_to, edge_for in PAID
      for name, title, profit, edge in (
          (f"repeater-{n}-{14 - n}", f"Repeater {n}/{14 - n} ({TIMES[n]}x, {pays}:1)",
           pays, edge_to),
          (f"repeater-plus-{n}-{14 - n}",
           f"Repeater Bets Plus {n}/{14 - n} ({pays} for 1, no surrender)", pays - 1, edge_for))),
    entry("repeater-plus-2-or-12", "Repeater Bets Plus: 2 or 12 before 7",
          any_of, {"totals": (2, 12), "times": 1, "pays": 2}),
    entry("repeater-plus-3-or-11", "Repeater Bets Plus: 3 or 11 before 7",
          any_of, {"totals": (3, 11), "times": 1, "pays": 1}),
    entry("repeater-plus-any-seven-times", "Repeater Bets Plus: any 2,3,11,12 seven times", any_of),
    entry("repeater-plus-updown", "Repeater Bets Plus: Updown 2-6",
          some_repeater, {"totals": (2, 3, 4, 5, 6), "pays": 14}),
    entry("repeater-plus-even", "Repeater Bets Plus: Even",
          some_repeater, {"totals": (2, 4, 6, 8, 10, 12), "pays": 11},
          edge="99385511762724353/461689330549653504"),
    entry("repeater-plus-odd", "Repeater Bets Plus: Odd",
          some_repeater, {"totals": (3, 5, 9, 11), "pays": 17}),
    entry("repeater-plus-horn", "Repeater Bets Plus: Horn",
          some_repeater, {"totals": (2, 3, 11, 12), "pays": 11}, edge="71/288"),
    entry("repeater-plus-citywide", "Repeater Bets Plus: Citywide",
          some_repeater, {"totals": CITY, "pays": 8, "alike": True}),
]

choice = partial(Entry, family="Craps", most="repeater", source=WIZARD,
                 policies={"never": ride, "surrender-at-3": surrender_at},
                 readings=("A bet may be surrendered before any roll, not only after the number.",
                           "Offers and pays are for one: the stake is part of them."))
ENTRIES += [
    choice("repeater-6-surrender", "Repeater 6/8, with surrender", surrender),
    choice("repeater-5-surrender", "Repeater 5/9, with surrender", surrender, {"number": 5}),
    choice("repeater-4-surrender", "Repeater 4/10, with surrender", surrender, {"number": 4}),
]
# fmt: on
