"""The best evening: how much money to bring, and which bets of a menu to make.

*The smallest bankroll.* A player lasts if they are not ruined before the time is up: they can pay
for each next bet, or have bets on the felt. `money_lattice.solvency` has the probability for all
bankrolls at once, with an error bound. It need not grow with every unit: a player with a little
more may just afford a bet that a poorer one has to leave out. So the smallest is looked for among
all bankrolls, not by bisection.

*The best bets.* A menu is a game with choices, which `solving` plays optimally. Bold play is
optimal in an unfair game with a target: L. Dubins and L. Savage, *How to Gamble If You Must*
(1965). The Kelly criterion: J. L. Kelly, "A new interpretation of information rate" (1956).
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import log
from typing import Any, Literal, get_args

from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.documents import Certified, Column, Fact, Facts, HasPage, Page, Table, Text
from sevenout.documents.kinds import AMOUNT, COUNT, DECIMAL, FRACTION, PERCENT
from sevenout.documents.numbers import grouped_amount, quantity
from sevenout.errors import RulesError, UndecidedError, shown
from sevenout.evenings.evening_plan import PACE, Plan
from sevenout.extras import require
from sevenout.numerals import Number, exact, int_if_whole
from sevenout.rules import Outcome
from sevenout.rules.casino.betting import Strategy
from sevenout.rules.casino.felt import Felt, Money
from sevenout.rules.casino.menu import ROLL, Menu, MenuStrategy
from sevenout.rules.objective import Quantity
from sevenout.solving.optimal_play import Method, Optimum, best

Want = Literal["target", "money", "log"]
MAX_ROWS_PRINTED = 40
"""The most rows in the page's table."""
LOG_OF_0 = -(10**6)
"""In place of the logarithm of no money, which is infinite: no evening can make up for it."""
VALUE_NAMES = {
    "target": "probability of reaching the target",
    "money": "mean result",
    "log": "mean logarithm of the money, over the bankroll",
}
"""What the value of optimal play is, by what is maximized."""
LOGARITHMS = "A logarithm is a float; what is said to be exact is the mean of these."
LEVELS = ("50%", "75%", "80%", "90%", "95%", "98%", "99%", "99.9%")
"""The probabilities in the table of the page."""
FIRST_GUESS = 16
"""The largest bankroll that is tried first, in first bets; it is doubled until it lasts."""
AMPLE = 10**9
"""A bankroll that pays for every bet: with it, positions and the unit of money are explored."""


def bankroll_for(
    strategy: Strategy | str,
    probability: Number = "95%",
    *,
    rolls: int | None = None,
    hours: Number | None = None,
    pace: int = PACE,
    house: Felt | None = None,
    name: str | None = None,
) -> "NeededBankroll":
    """The smallest bankroll that lasts an evening with a probability.

    >>> needed = bankroll_for("pass", "95%", rolls=100)
    >>> needed.bankroll, round(needed.solvent[needed.bankroll], 6)
    (11, 0.95525)

    Args:
        strategy: a `Strategy`, or its name; not one that looks at its money.
        probability: above 0 and below 1, such as "95%".
        rolls: that it must last.
        hours: that it must last at the `pace`; give rolls or hours.
        pace: rolls per hour.
        house: the table; `House()` by default.
        name: of the strategy; its own by default.

    Raises:
        RulesError: not a probability, no length, or the strategy looks at its money.
        TooMuchWorkError: more than the budget allows.
        UndecidedError: the probability of a bankroll is within the error bound of the required one.
        MissingError: NumPy is not installed.
    """
    require("numpy")
    level = _level(probability)
    options: dict[str, Any] = {"hours": hours, "pace": pace, "house": house, "name": name}
    plan = Plan.of(strategy, AMPLE, rolls=rolls, **options)
    if plan.ends.rolls is None:
        raise RulesError("how long must the bankroll last? give rolls or hours")
    if plan.bettor.strategy.sees_money:
        raise RulesError(
            f"{plan.name} bets by its money, so no bankroll is like another; give a bankroll"
        )
    rolls = plan.ends.rolls
    plan.positions.complete()  # until all gains are known, the unit of money isn't
    positions = plan.positions
    units = FIRST_GUESS * max(1, int(positions.felt_money(positions.start) / positions.unit))
    while True:
        solvent, bound = _solvent(plan, units)
        results = NeededBankroll(plan.name, rolls, plan.hours, level, 0, solvent, bound)
        smallest = results.smallest(level)
        if smallest is not None:
            return replace(results, bankroll=smallest)
        units *= 2


@dataclass(frozen=True, eq=False, repr=False)
class NeededBankroll(HasPage):
    """How large a bankroll must be to last; see `bankroll_for`.

    >>> bankroll_for("pass", "95%", rolls=100).smallest("50%")
    4

    Attributes:
        name: of the strategy.
        rolls, hours: the evening; hours are None if rolls were given.
        probability: with which the bankroll must last.
        bankroll: the smallest that lasts with this probability or more.
        solvent: by bankroll, smallest first, the probability that it lasts.
        bound: the error bound of each.
    """

    name: str
    rolls: int
    hours: Fraction | None
    probability: Fraction
    bankroll: Money
    solvent: Mapping[Money, float]
    bound: Fraction

    def smallest(self, probability: Number) -> Money | None:
        """The smallest bankroll that lasts with this probability; None if it is none of these.

        Raises:
            RulesError: not a probability between 0 and 1.
            UndecidedError: the probability of a bankroll is within the error bound of it.
        """
        level = _level(probability)
        for bankroll, p in self.solvent.items():
            if p - self.bound >= level:
                return bankroll
            if p + self.bound >= level:  # it may or may not last: the next larger is no answer
                raise UndecidedError(
                    f"a bankroll of {bankroll} lasts with a probability within "
                    f"{float(self.bound):.1e} of {shown(probability)}; ask for another"
                )
        return None

    def __repr__(self) -> str:
        length = f"{self.rolls:,} rolls"
        return f"<{self.name}: a bankroll of {self.bankroll} lasts {length} at {self.probability}>"

    def page(self) -> Page:
        """The bankroll, and the smallest ones for other probabilities."""
        p = Certified(Fraction(self.solvent[self.bankroll]), self.bound)
        levels = [(exact(level), self.smallest(level)) for level in LEVELS]
        return Page(
            self.name,
            Facts(
                Fact("rolls", self.rolls, COUNT),
                Fact("smallest bankroll", self.bankroll, AMOUNT),
                Fact("it lasts with probability", p, PERCENT),
            ),
            Table(
                [Column("lasts with at least", PERCENT.with_digits(1)), Column("bankroll", AMOUNT)],
                [[level, bankroll] for level, bankroll in levels if bankroll is not None],
            ),
        )

    def to_dict(self) -> dict[str, Any]:
        """As data: `lasts` is the probability by bankroll."""
        return {
            "strategy": self.name,
            "rolls": self.rolls,
            "hours": None if self.hours is None else str(self.hours),
            "probability": str(self.probability),
            "bankroll": str(self.bankroll),
            "lasts": {str(bankroll): p for bankroll, p in self.solvent.items()},
            "bound": float(self.bound),
        }


def _solvent(plan: Plan, units: int) -> tuple[dict[Money, float], Fraction]:
    """By bankroll of up to `units`, the probability that it lasts; and the error bound."""
    from sevenout.evenings.money_lattice import solvency

    unit = plan.positions.unit
    positions = replace(plan, bankroll=int_if_whole(units * unit)).positions
    starts: dict[Money, int] = {}
    for count in range(1, units + 1):
        bankroll = int_if_whole(count * unit)
        with suppress(RulesError):  # it does not pay for the first bet
            starts[bankroll], _ = positions.first_row(bankroll)
    positions.start_rows = list(dict.fromkeys(starts.values()))
    positions.complete()
    return solvency(positions, plan.name, starts)


def _level(probability: Number) -> Fraction:
    """A probability strictly between 0 and 1, exactly."""
    level = exact(probability)
    if not 0 < level < 1:
        raise RulesError(
            f"a probability of {shown(probability)}; give one above 0 and below 1, such as '95%'"
        )
    return level


# --- the best bets --------------------------------------------------------------------------------


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
) -> "BestEvening":
    """Which bets of a menu to make before each roll, for an objective.

    >>> bold = best_evening({"pass": [1, 2]}, bankroll=1, target=4)
    >>> bold.value, bold.options((2, None, (), None, 0))[0].name
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
        house: the table; `sevenout.House()` by default, or `rules.casino.felt.OneBet` for one bet.
        method: as `best`.

    Raises:
        RulesError: an empty menu, a target already reached, or no end.
    """
    objective: str = want or ("money" if target is None else "target")
    if objective not in get_args(Want) or (objective == "target" and target is None):
        raise RulesError(f"want={shown(want)}; give 'money' or 'log', or 'target' if there is one")
    if house is not None and not isinstance(house, Felt):
        raise RulesError(f"house={shown(house)}; give a House(), with its options")
    game = Menu(house or House(), menu, bankroll, target=target, rolls=rolls, idle=idle)
    bankroll_at_start = game.bankroll

    def money(outcome: Outcome) -> Fraction:
        return outcome.profit("evening")

    def logarithm_of_money(outcome: Outcome) -> Fraction:
        left = bankroll_at_start + outcome.profit("evening")
        # relative to the bankroll, so that the units of money don't matter
        return Fraction(log(left / bankroll_at_start)) if left > 0 else Fraction(LOG_OF_0)

    quantities: dict[str, Quantity] = {
        "target": "target",
        "money": money,
        "log": logarithm_of_money,
    }
    return BestEvening(game, best(game, quantities[objective], method=method), objective)


class BestEvening(Optimum):
    """Optimal play from a menu; see `best_evening`.

    Attributes:
        menu: the game of the evening.
        want: "target", "money" or "log".
    """

    def __init__(self, menu: Menu, optimum: Optimum, want: str) -> None:
        super().__init__(optimum.values)
        self.menu, self.want = menu, want

    @cached_property
    def chosen_bets(self) -> tuple[tuple[Any, tuple[str, ...]], ...]:
        """The bets that the player makes in each reachable position."""
        bets_in: dict[Any, tuple[str, ...]] = {}
        for state in self.reachable_states:
            *position, index = state  # the index in the menu: 0 just after a roll
            if index == 0:
                bets, next_state = [], state
                while (choice := self.policy.get(next_state, ROLL)) != ROLL:
                    bets.append(choice)
                    next_state = self.menu.state_after(next_state, choice)
                if bets:
                    bets_in[tuple(position)] = tuple(bets)
        return tuple(sorted(bets_in.items(), key=_row_order))

    def page(self) -> Page:
        """The value with its proof, and the bets to make; equal rows are one."""
        rows = _merged(self.chosen_bets)
        heads = ["money", "point", "on the felt", "rolls left", "bet"]
        printed = [
            [_spans(row[0]), _spans(row[1]), row[2], _spans(row[3]), row[4]]
            for row in rows[:MAX_ROWS_PRINTED]
        ]
        # a menu of one-roll bets has no point, and an evening with a target alone no rolls left
        keep = [k for k in range(len(heads)) if any(row[k] != "" for row in printed)]
        table = Table([heads[k] for k in keep], [[row[k] for k in keep] for row in printed])
        states = quantity(len(self.model.node_by_key), "state")
        scope = (
            f"The player decides in {states}. The table has those where a bet is best. In the "
            "others, roll."
        )
        more = len(rows) - len(printed)
        left_out = f" {quantity(more, 'further row')} left out." if more > 0 else ""
        notes = [Text(LOGARITHMS, tone="note")] if self.want == "log" else []
        is_float = self.bound or self.want == "log"  # as a fraction it would say nothing
        kinds = (DECIMAL.with_digits(9),) if is_float else (FRACTION, DECIMAL.with_digits(9))
        value = Facts(Fact(VALUE_NAMES[self.want], self.value_with_bound, *kinds))
        proof = Text(f"{self.proof_sentence}.", tone="note")
        return Page("Best play", value, proof, *notes, table, Text(scope + left_out))

    @cached_property
    def strategy(self) -> MenuStrategy:
        """The optimal policy as a strategy to solve or simulate."""
        return MenuStrategy(self.menu, self.policy)


def _merged(chosen: Iterable[tuple[Any, tuple[str, ...]]]) -> list[tuple[Any, ...]]:
    """Rows of amounts of money, points, the felt, rolls left, and the bets that are best there.

    Rows that differ only in the money become one. Then rows that differ only in the point do, and
    finally those that differ only in the rolls left. Each cell of the three is a tuple of values.
    """
    rows: list[tuple[Any, ...]] = [
        (
            (money,),
            (point,),
            ", ".join(f"{grouped_amount(stake)} on {bet}" for bet, stake in bets),
            (rolls_left,),
            ", ".join(new_bets),
        )
        for (money, point, bets, rolls_left), new_bets in chosen
    ]
    for k in (0, 1, 3):  # the money, the point, the rolls left
        cells: dict[tuple[Any, ...], list[Any]] = {}
        for row in rows:
            cells.setdefault((*row[:k], *row[k + 1 :]), []).extend(row[k])
        rows = [(*rest[:k], tuple(cell), *rest[k:]) for rest, cell in cells.items()]
    return rows


def _spans(values: tuple[Any, ...]) -> str:
    """Numbers as a reader says them: consecutive whole ones as a range, None as "none".

    >>> _spans((2, 3, 4, 7)), _spans((None, 5)), _spans((None,))
    ('2–4, 7', 'none, 5', '')
    """
    if set(values) == {None}:
        return ""
    runs: list[list[Any]] = []
    for value in sorted(values, key=lambda x: (x is not None, x or 0)):
        if runs and value is not None and runs[-1][-1] is not None and value == runs[-1][-1] + 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    return ", ".join(
        "–".join(
            "none" if x is None else grouped_amount(x) for x in dict.fromkeys((run[0], run[-1]))
        )
        for run in runs
    )


def _row_order(item: tuple[Any, Any]) -> tuple[Any, ...]:
    """A sort key: the most rolls left first, then the least money."""
    money, point, bets, rolls_left = item[0]
    return -(rolls_left or 0), money, point or 0, bets
