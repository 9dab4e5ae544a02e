"""The best evening: which bets of a menu to make.

Bold play is optimal in an unfair game with a target: L. Dubins and L. Savage, How to Gamble If You
Must (1965). The Kelly criterion: J. L. Kelly, "A new interpretation of information rate" (1956).
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import log
from typing import Any, Literal, get_args

from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.documents import Page, Table, Text
from sevenout.documents.numbers import amount
from sevenout.errors import RulesError, shown
from sevenout.numerals import Number
from sevenout.rules import Outcome
from sevenout.rules.casino.felt import Felt
from sevenout.rules.casino.menu import ROLL, Menu, MenuStrategy
from sevenout.rules.objective import Wish
from sevenout.solving.optimal_play import Method, best
from sevenout.solving.optimum import Optimum

Want = Literal["target", "money", "log"]
MOST_ROWS = 40
"""The most rows in the page's table."""
BROKE = -(10**6)
"""Stands for the logarithm of no money; no evening can make up for it."""
LOGARITHMS = "A logarithm is a float; what is said to be exact is the mean of these."


class BestEvening(Optimum):
    """Optimal play from a menu; see `best_evening`."""

    def __init__(self, menu: Menu, found: Optimum, want: str) -> None:
        super().__init__(found.values)
        self.menu, self.want = menu, want

    @cached_property
    def chosen_bets(self) -> tuple[tuple[Any, tuple[str, ...]], ...]:
        """The bets that the player makes in each reachable position."""
        found = {}
        for state in self.come_up:
            if state[4] == 0:
                made, now = [], state
                while (did := self.policy.get(now, ROLL)) != ROLL:
                    made.append(did)
                    now = self.menu.answered(now, did)
                if made:
                    found[state[:4]] = tuple(made)
        return tuple(sorted(found.items(), key=_order))

    def page(self) -> Page:
        """The value with its proof, and the bets to make in each state."""
        from sevenout.solving.policies.policy_pages import proved

        heads = ["money", "point", "on the felt", "rolls left", "bet"]
        rows = [
            [
                amount(money),
                "" if point is None else point,
                ", ".join(f"{amount(stake)} on {bet}" for bet, stake in bets),
                "" if left is None else left,
                ", ".join(made),
            ]
            for (money, point, bets, left), made in self.chosen_bets[:MOST_ROWS]
        ]
        keep = [k for k in range(len(heads)) if any(row[k] != "" for row in rows)]
        table = Table([heads[k] for k in keep], [[row[k] for k in keep] for row in rows])
        more = len(self.chosen_bets) - len(rows)
        asked = (
            f"The player decides in {len(self.model.asked):,} states. The table has those where"
            " a bet is best. In the others, roll."
        )
        left_out = f" {more:,} more rows are not shown." if more > 0 else ""
        notes = [Text(LOGARITHMS, tone="note")] if self.want == "log" else []
        return Page("Best play", *proved(self), *notes, table, Text(asked + left_out))

    @cached_property
    def strategy(self) -> MenuStrategy:
        """The optimal policy as a strategy to solve or simulate."""
        return MenuStrategy(self.menu, self.policy)


def _order(item: tuple[Any, Any]) -> tuple[Any, ...]:
    money, point, bets, left = item[0]
    return -(left or 0), money, point or 0, bets


def best_evening(
    menu: Mapping[str, Sequence[Number]],
    bankroll: Number,
    *,
    target: Number | None = None,
    rolls: int | None = None,
    want: Want | None = None,
    idle: bool = False,
    house: Felt | None = None,
    method: Method = "auto",
) -> BestEvening:
    """Which bets of a menu to make before each roll, for an objective.

    >>> bold = best_evening({"pass": [1, 2]}, bankroll=1, target=4)
    >>> bold.value, bold.at((2, None, (), None, 0))[0].name
    (Fraction(59536, 245025), '2 on pass')

    Args:
        menu: amounts by bet: {"pass": [1, 2, 5], "place 6": [6]}. A bet may be raised where the
            house allows it, but not taken down.
        bankroll: in the units of the bets.
        target: leave when the money reaches this amount.
        rolls: leave after this many rolls.
        want: maximize the probability of the "target", the mean "money", or the mean "log" of the
            money (to float precision). By default "target" if there is one, else "money".
        idle: whether the player may roll with no bet on the felt.
        house: the table; `games.felt.House()` by default, or `rules.onebet.OneBet(law)` for one
            bet.
        method: as `best`.

    Raises:
        RulesError: an empty menu, a target already reached, or no end.
    """
    wanted: str = ("money" if target is None else "target") if want is None else want
    if wanted not in get_args(Want) or (wanted == "target" and target is None):
        raise RulesError(f"want={shown(want)}; give 'money' or 'log', or 'target' if there is one")
    if house is not None and not isinstance(house, Felt):
        raise RulesError(f"house={shown(house)}; give a House(), with its options")
    game = Menu(house or House(), menu, bankroll, target=target, rolls=rolls, idle=idle)
    brought = game.bankroll

    def money(outcome: Outcome) -> Fraction:
        return outcome.profit("evening")

    def logarithm_of_money(outcome: Outcome) -> Fraction:
        left = brought + outcome.profit("evening")
        return Fraction(log(left / brought)) if left > 0 else Fraction(BROKE)

    wishes: dict[str, Wish] = {"target": "target", "money": money, "log": logarithm_of_money}
    return BestEvening(game, best(game, wishes[wanted], method=method), wanted)
