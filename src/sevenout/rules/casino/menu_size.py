"""An estimate of the number of states of a menu."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import accumulate
from math import inf
from typing import TYPE_CHECKING

from sevenout.budgets.estimates import afford, allowed
from sevenout.errors import TooManyStatesError
from sevenout.rules.casino.felt import Money

if TYPE_CHECKING:
    from sevenout.rules.casino.menu import Menu

NAMES, TRIED, SUMS = 64, 32, 300_000
"""Limits of the estimate: places of one bet, amounts followed, and sums for one bet."""
ALONE = 8
"""A bet with more places is in one of them at a time, as small is."""

MOST_STATES, A_STATE = 1_000_000, 5e-4
"""The default limit of states, and seconds per state."""

Costs = list[Money]
"""The possible costs of what stands in one place."""


def afford_menu(menu: "Menu") -> None:
    """Refuse a menu with too many states, and say how many amounts fit.

    Raises:
        TooManyStatesError: over the limit, even if the estimate is twice too high.
        TooMuchWorkError: over the budget.
    """
    most = 2 * MOST_STATES
    states = estimate_states(menu, most)
    able = min(MOST_STATES, allowed().seconds / A_STATE)
    if states <= able:
        return
    low, high = 0, max(len(amounts) for _, amounts in menu.menu)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate_states(menu, able, middle) <= able / 2:
            low = middle
        else:
            high = middle - 1
    offered = ", ".join(f"{bet} {len(amounts):,}" for bet, amounts in menu.menu)
    instead = f"give each bet at most {low:,}" if low else "bring less, aim lower, or bet on less"
    about = "over" if states == most else "about"
    what = f"the menu (amounts: {offered}) makes {about} {states:,} states"
    if states == most:
        raise TooManyStatesError(f"{what}, and the most is {MOST_STATES:,}; {instead}")
    afford(f"{what}, which", seconds=states * A_STATE, instead=instead)


def estimate_states(menu: "Menu", most: float, amounts: int | None = None) -> int:
    """The approximate number of states of a menu, up to `most`, within a factor of ten.

    It assumes that all bets can stand together, at every point, with every amount of money to which
    single bets lead. A bet that moves, such as come, may stand in all its places at once. `amounts`
    limits each bet to its lowest ones.

    >>> from sevenout.catalogue.craps_family.table.craps_felt import House
    >>> from sevenout.rules.casino.menu import Menu
    >>> menu = Menu(House(), {"pass": range(1, 1001), "field": range(1, 1001)}, 100, target=200)
    >>> estimate_states(menu, 10**6), estimate_states(menu, 10**6, amounts=4)
    (1000000, 34293)
    """
    places, moves = _places(menu, amounts)
    ways, points = _ways(places), len(menu.felt.points)
    reached, layer, found, left = {menu.bankroll}, [menu.bankroll], 0, menu.limit
    target = inf if menu.target is None else menu.target
    while layer and left != 0:
        for money in layer:
            found += points * ways(money)
            if found >= most:
                return int(most)
        then = {
            money + net
            for money in layer
            for cost, net in moves
            if cost <= money and money + net < target
        }
        if left is None:
            then -= reached
            reached |= then
        else:
            left -= 1
        layer = [money for money in then if ways(money) > 1]
    return found


def _places(menu: "Menu", amounts: int | None) -> tuple[list[Costs], set[tuple[Money, Money]]]:
    """The costs of each place, and the money that single bets move."""
    places: list[Costs] = []
    moves: set[tuple[Money, Money]] = set()
    for bet, offered in menu.menu:
        able = [a for a in offered[:amounts] if menu.target is None or a < menu.target]
        if not able:
            continue
        costs = {a: a + menu.felt.fee(bet, a) for a in able}
        names, depth = {bet: 0}, 0
        while new := [name for name in names if names[name] == depth]:
            depth += 1
            for name in new:
                for amount in able[:TRIED] if name == bet else able[:1]:
                    for then, net in _rolled(menu, name, amount):
                        if net is not None:
                            moves.add((costs[amount], net))
                        if len(names) < NAMES and depth <= (menu.limit or NAMES):
                            names.setdefault(then, depth)
        each = [*costs.values()]
        places += [each] * len(names) if len(names) <= ALONE else [each * len(names)]
    return places, moves


def _rolled(menu: "Menu", name: str, amount: Money) -> Iterable[tuple[str, Money | None]]:
    """A bet after a roll, at any point: its name, and what it was paid."""
    bets = ((name, amount),)
    found: set[tuple[str, Money | None]] = set()
    for point in menu.felt.points:
        for throw in menu.felt.throws(bets):
            _, stands, paid, _ = menu.felt.roll(point, bets, throw)
            net = sum(each.profit for each in paid) if paid else None
            found |= {(then, net) for then in stands or (name,)}
    return found


def _ways(places: list[Costs]) -> Callable[[Money], int]:
    """A function from money to the number of affordable sets of standing bets."""
    sums: Counter[Money] = Counter({0: 1})
    for costs in places:
        if len(sums) * len(costs) <= SUMS:
            more = Counter(sums)
            for cost in costs:
                for total, many in sums.items():
                    more[total + cost] += many
            sums = more
    totals = sorted(sums)
    counts = list(accumulate(sums[total] for total in totals))
    return lambda money: counts[bisect_right(totals, money) - 1]
