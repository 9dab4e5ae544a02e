"""Hazard: the round, the caster's turn, its odds, and the main."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from sevenout.catalogue.dice_and_odds import ETHIER, TOTALS, WAYS, true_odds
from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError, shown
from sevenout.model.process import Policy
from sevenout.rolling import Rollable
from sevenout.rules import (
    Game,
    Mixture,
    Outcome,
    PayTable,
    PointGame,
    Streak,
    Wager,
    counted,
    settle,
)
from sevenout.rules.combined_games import check_losses

NICKS = {5: (5,), 6: (6, 12), 7: (7, 11), 8: (8, 12), 9: (9,)}
"""The totals that nick (win at once), by main."""

NAMES = {"natural": "nick", "craps": "out", "point": "chance", "out": "main"}
"""The events of a round in hazard's terms."""

EDGES = {5: "43/2835", 6: "167/7128", 7: "7/495", 8: "167/7128", 9: "43/2835"}
"""The caster's mean loss, by main."""

HOYLE = "E. Hoyle; Wikipedia, Hazard (game)"


def hazard(main: int = 7) -> PointGame:
    """The caster names a main from 5 to 9 and throws two dice. The main nicks (wins); so does 12
    with a main of 6 or 8, and 11 with a main of 7. Otherwise 2, 3, 11 and 12 are out (lose), and
    any other total is the chance: it wins if it comes again before the main. Main 7 is craps.
    """
    return _hazard(main, PayTable())


def hazard_at_odds(main: int = 7) -> PointGame:
    """Hazard as some old texts word it: a chance that is made pays the caster's own stake at the
    odds against it. These odds are the ways to throw the main to the ways to throw the chance. A
    fair game from there on, so that nicks and outs alone decide who is ahead.
    """
    chances = [total for total in WAYS if total not in (*_nicks(main), *_outs(main))]
    return _hazard(main, PayTable(point={chance: true_odds(chance, main) for chance in chances}))


def drawn_main() -> Mixture:
    """Hazard whose main is thrown for: the dice are rolled until a total from 5 to 9 comes up, and
    that is the main.
    """
    return Mixture(TOTALS, {main: hazard(main) for main in NICKS})


def chance_bet(main: int = 7, chance: int = 4) -> Wager:
    """A further bet once the chance is known: that it comes before the main. It is paid at the odds
    against it, the ways to throw the main to the ways to throw the chance. No one has an edge.
    """
    if chance in (*_nicks(main), *_outs(main)):
        raise RulesError(f"chance={chance}; with a main of {main} this total is never a chance")
    odds: Mapping[int, Fraction | int] = {chance: true_odds(chance, main), main: -1}
    return Wager(TOTALS, odds, bet="chance")


def setter(main: int = 7) -> PointGame:
    """The setter covers the caster's stake, at even money: what the caster loses the setter wins,
    and what the caster wins the setter loses.
    """
    return _hazard(main, PayTable(natural=-1, craps=1, point=-1, out=1), "setter")


def turn(main: int = 7, losses: int = 2) -> Streak:
    """The caster plays rounds of hazard with one main until this many in a row are lost; what
    counts is the number of rounds won.
    """
    return Streak(hazard(main), losses)


def _hazard(main: int, line: PayTable, bet: str = "pass") -> PointGame:
    return PointGame(_nicks(main), _outs(main), out=main, bets={bet: line}, names=NAMES)


def _nicks(main: int) -> tuple[int, ...]:
    """The totals that nick with a main, which is checked."""
    if main not in NICKS:
        raise RulesError(f"main={shown(main)}; the caster's main is 5, 6, 7, 8 or 9")
    return NICKS[main]


def _outs(main: int) -> tuple[int, ...]:
    """The totals that are out (lose at once), by main: those of these four that don't nick."""
    return tuple(total for total in (2, 3, 11, 12) if total not in NICKS[main])


# Made once: a round is stepped for every roll of a turn.
ROUNDS = {main: hazard(main) for main in NICKS}
COME_OUT = ROUNDS[7].start


@dataclass(frozen=True)
class Caster(Game):
    """The caster's turn, with a main called for each round.

    A state is the number of rounds lost in a row, the main (or none yet), and the state of the
    round.

    Args:
        losses: the number of losses in a row that ends the turn.
        single: whether to play one round, with the setter's stake as a bet too.

    Attributes:
        dice: the totals of two dice.
    """

    losses: int = 2
    single: bool = False
    dice: Rollable = TOTALS
    start = (0, 0, COME_OUT)
    coordinates = ("lost", "main", "chance")

    def choices(self, state: Any) -> Mapping[str, Any]:
        """The mains."""
        lost, main, _ = state
        return {} if main else {f"main {called}": (lost, called, COME_OUT) for called in NICKS}

    def step(self, state: Any, roll: int) -> Any:
        lost, main, chance = state
        after = ROUNDS[main].step(chance, roll)
        if not isinstance(after, Outcome):
            return lost, main, after
        profit = after.profit("pass")
        if self.single:
            return settle(after.label, {"caster": profit, "setter": -profit})
        # A win ends the losing streak, and the caster calls again.
        if profit > 0:
            return counted((0, 0, COME_OUT), rounds=1, won=1, money=profit)
        is_over = lost + 1 == self.losses
        next_state = settle("turn over") if is_over else (lost + 1, 0, COME_OUT)
        return counted(next_state, rounds=1, money=profit)


def choose_main() -> Caster:
    """One round of hazard. The caster calls a main from 5 to 9, and the round is played; the setter
    covers their stake, and wins what the caster loses.
    """
    return Caster(single=True)


def choose_mains(losses: int = 2) -> Caster:
    """The caster's turn at hazard: before each round they call a main, and the turn ends when this
    many rounds in a row are lost. What counts is the number of rounds won, or the money.
    """
    check_losses(losses)
    return Caster(losses)


def always_call(_: Game, main: int) -> Policy:
    """Call the same main in every round."""
    return lambda state: f"main {main}"


hazard_bet = partial(Entry, family="Hazard", source=HOYLE)

# fmt: off
ENTRIES = [
    hazard_bet("hazard", "Hazard", hazard, source=HOYLE, edge="7/495"),
    hazard_bet("hazard-turn", "The caster's turn at hazard", turn, bet="", source=HOYLE),
    *(hazard_bet(f"hazard-caster-main-{main}", f"Hazard, caster, main {main}",
                 hazard, {"main": main}, source=ETHIER, edge=edge) for main, edge in EDGES.items()),
    *(hazard_bet(f"hazard-setter-main-{main}", f"Hazard, setter, main {main}",
                 setter, {"main": main}, bet="setter", edge=f"-{edge}")
      for main, edge in EDGES.items()),
    hazard_bet("hazard-main-thrown", "Hazard, main thrown for", drawn_main, edge="37/2016"),
    hazard_bet("hazard-chance-bet", "Hazard, chance bet at true odds",
               chance_bet, bet="chance", edge="0"),
    *(hazard_bet(f"hazard-chance-at-odds-main-{main}", f"Hazard, chance paid at odds, main {main}",
                 hazard_at_odds, {"main": main}, edge="-1/36" if main in (6, 8) else None)
      for main in NICKS),
]

choice = partial(Entry, family="Hazard", source=HOYLE, policies={"main-7": always_call},
                 readings=("The caster may call any main, whatever main they called before.",
                           "The setter's stake is the caster's, at even money."))
ENTRIES += [
    choice("hazard-main", "Hazard, which main to call", choose_main, most="caster"),
    choice("hazard-main-setter", "Hazard, which main the setter hopes for",
           choose_main, most="setter"),
    choice("hazard-mains", "Hazard, the caster's turn with a main for each round",
           choose_mains, most="won"),
]
# fmt: on
