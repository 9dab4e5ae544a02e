"""A bettor who chooses bets from a menu before each roll.

`Menu` is the game of such an evening, and `MenuStrategy` a policy for it as a strategy. Menus grow
fast, so `afford_menu` estimates the number of states before any is explored.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import inf
from typing import Any, NamedTuple

from sevenout.budgets.estimates import afford, allowed
from sevenout.errors import RulesError, TooManyStatesError, shown
from sevenout.numerals import Number, exact_money, int_if_whole
from sevenout.rolling import Rollable
from sevenout.rules.casino.betting import Strategy, TableView
from sevenout.rules.casino.ends import play_out_roll, unsettled_bets
from sevenout.rules.casino.felt import Bets, Felt, Money, sorted_bets
from sevenout.rules.game import Game
from sevenout.rules.outcome import Ask, Pay, choose_again, counted, settle

ROLL = "roll"
"""The option that ends the betting."""


class MenuBet(NamedTuple):
    """A bet that the menu allows.

    Attributes:
        menu_index: its place on the menu, from 0.
        bet: its name.
        amount: what then stands on it.
        fee: the commission to put down with the raise.
    """

    menu_index: int
    bet: str
    amount: Money
    fee: Money


class Menu(Game):
    """An evening whose bettor chooses bets from a menu.

    Bets are made or raised in the order of the menu, each to one of its amounts; then the dice are
    rolled. The player must bet if able to, unless `idle`. Bets stay until they are settled. After
    the last roll each standing bet is played out until it is settled once; at the target, standing
    bets count as staked. The outcome is "target", "ruin" (nothing stands, and nothing on the menu
    can ever be paid) or "time"; the bet "evening" pays the profit. The counter `settled` adds up
    the stakes of settled bets.

    A state is (money, point, bets, rolls left, index in the menu); the index is None when the dice
    are to be rolled.

    >>> from sevenout.catalogue.craps_family.craps_felt import House
    >>> menu = Menu(House(), {"pass": [1, 2], "don't pass": [1]}, bankroll=2, target=4)
    >>> list(menu.choices(menu.start))
    ['1 on pass', '2 on pass', "1 on don't pass"]

    Args:
        bets: the menu: amounts by bet, with the felt's names for odds and come bets.
        target: leave when the money reaches this amount; None for never.
        rolls: leave after this number of rolls; None for never. Give this or a target.
        idle: whether the player may roll with no bet on the felt.

    Raises:
        RulesError: an empty menu, no amounts, no such bet, a target already reached, no certain
            end, or an idle player who need never leave.
    """

    bets = ("evening",)
    coordinates = ("money", "point", "bets", "rolls left", "place")

    def __init__(
        self,
        felt: Felt,
        bets: Mapping[str, Sequence[Number]],
        bankroll: Number,
        *,
        target: Number | None = None,
        rolls: int | None = None,
        idle: bool = False,
    ) -> None:
        if not isinstance(bets, Mapping) or not bets:
            raise RulesError(f"the menu {shown(bets)}; give amounts by bet, {{'pass': [1, 2]}}")
        self.felt, self.idle = felt, idle
        self.menu = tuple((bet, _amounts(bet, amounts)) for bet, amounts in bets.items())
        for bet in bets:
            felt.check_name(bet)
        self.bankroll = exact_money(bankroll)
        self.target = None if target is None else exact_money(target)
        self.limit = rolls
        if self.target is not None and self.target <= self.bankroll:
            raise RulesError(
                f"the bankroll of {self.bankroll} already reaches the target, {self.target}; "
                "give a higher target"
            )
        if rolls is not None and not (type(rolls) is int and rolls >= 1):
            raise RulesError(f"rolls={shown(rolls)}; give 1 or more")
        # A player who may stand by, or aims at nothing, need never leave.
        if rolls is None and (idle or self.target is None):
            raise RulesError("the evening may never end; give rolls")
        self.dice = felt.dice
        self._allowed_bets: dict[tuple[Any, ...], tuple[MenuBet, ...]] = {}

    def check_size(self) -> None:
        """Refuse a menu with too many states."""
        afford_menu(self)

    @cached_property
    def start(self) -> Hashable:  # type: ignore[override]
        """The bankroll, and nothing on the felt."""
        if self.ruins(self.bankroll, ()):
            raise RulesError(
                f"a bankroll of {self.bankroll} can't pay for any bet on the menu; give more"
            )
        return self.state_before_bets(self.bankroll, None, (), self.limit)

    def choices(self, state: Any) -> Mapping[str, Any]:
        """The possible bets; rolling too, once something stands."""
        money, point, bets, left, menu_index = state
        # The betting is over, and the dice are to be rolled.
        if menu_index is None:
            return {}
        options: dict[str, Any] = {}
        for index, bet, amount, _ in self._affordable(money, point, bets, menu_index):
            new_bets = sorted_bets({**dict(bets), bet: amount})
            # Bets go in the order of the menu, so that each set of them comes up once.
            state = self.state_before_bets(money, point, new_bets, left, index + 1)
            # A fraction has no thousands to group.
            printed = f"{amount:,}" if isinstance(amount, int) else str(amount)
            options[f"{printed} on {bet}"] = state if state[4] is None else choose_again(state)
        if bets or self.idle:
            options[ROLL] = (money, point, bets, left, None)
        return options

    def state_after(self, state: Any, option: str) -> Any:
        """The state after an option, whether or not it has choices."""
        result = self.choices(state)[option]
        return result.state if isinstance(result, Ask) else result

    def rolls(self, state: Any) -> Rollable:
        """The dice, as totals if the bets see no more."""
        return rolled_on(self.felt, state[2])

    def step(self, state: Any, roll: Any) -> Any:
        money, point, bets, left, _ = state
        after = self.felt.roll(point, bets, self.felt.throw_of(bets, roll))
        standing = after.bets
        money += sum(payment.profit for payment in after.paid)
        counts = {"settled": sum(payment.stake for payment in after.paid)}
        if left == 0:
            standing = unsettled_bets(standing, after.paid)
        left = left and left - 1
        if self.target is not None and money >= self.target:
            return counted(self._end("target", money), **counts)
        if left == 0 and not standing:
            return counted(self._end("time", money), **counts)
        bets = sorted_bets(standing)
        if self.ruins(money, bets):
            return counted(self._end("ruin", money), **counts)
        return counted(self.state_before_bets(money, after.point, bets, left), **counts)

    @cached_property
    def _cheapest_cost(self) -> Money:
        """The least money that can pay for anything on the menu."""
        costs = [
            menu_bet.amount + menu_bet.fee
            for point in self.felt.points
            for menu_bet in self._allowed(point, (), 0)
        ]
        if not costs:
            raise RulesError(
                f"no bet on the menu can be made: {', '.join((b for b, _ in self.menu))}"
            )
        return min(costs)

    def ruins(self, money: Money, bets: Bets) -> bool:
        """Whether nothing stands and nothing can ever be paid."""
        # What can't be paid now may be payable at another point, so the least of all points counts.
        return not bets and money < self._cheapest_cost and not self.idle

    def cheapest(self, point: int | None) -> dict[str, Money]:
        """The cheapest bet allowed on an empty felt; empty if there is none."""
        allowed_bets = self._allowed(point, (), 0)
        if not allowed_bets:
            return {}
        cheapest = min(allowed_bets, key=lambda menu_bet: menu_bet.amount + menu_bet.fee)
        return {cheapest.bet: cheapest.amount}

    def state_before_bets(
        self, money: Money, point: int | None, bets: Bets, left: int | None, menu_index: int = 0
    ) -> tuple[Any, ...]:
        """The state before the bets from an index of the menu on."""
        can_bet = left != 0 and any(self._affordable(money, point, bets, menu_index))
        return (money, point, bets, left, menu_index if can_bet else None)

    def _affordable(
        self, money: Money, point: int | None, bets: Bets, menu_index: int
    ) -> Iterator[MenuBet]:
        """The affordable bets from an index of the menu on."""
        rail = money - self.felt.cost(bets)
        standing = dict(bets)
        for menu_bet in self._allowed(point, bets, menu_index):
            if menu_bet.amount - standing.get(menu_bet.bet, 0) + menu_bet.fee <= rail:
                yield menu_bet

    def _allowed(self, point: int | None, bets: Bets, menu_index: int) -> tuple[MenuBet, ...]:
        """The allowed bets from an index of the menu on."""
        key = point, bets, menu_index
        # The felt's rules are slow to ask, and many states share a point and bets.
        if key not in self._allowed_bets:
            standing = dict(bets)
            allowed_bets = []
            for index, (bet, amounts) in enumerate(self.menu[menu_index:], menu_index):
                now = standing.get(bet, 0)
                for amount in amounts:
                    if amount > now and self.felt.allows(point, standing, bet, amount):
                        fee = self.felt.added_fee(bet, now, amount)
                        allowed_bets.append(MenuBet(index, bet, amount, fee))
            self._allowed_bets[key] = tuple(allowed_bets)
        return self._allowed_bets[key]

    def _end(self, end: str, money: Money) -> Any:
        brought = Fraction(self.bankroll)
        return settle(end, {"evening": Pay(end, money - brought, brought, brought)})


class PlayedOut(Game):
    """Standing bets played out, each until it is settled once.

    The bet "felt" pays their total.

    >>> from sevenout.catalogue.craps_family.craps_felt import House
    >>> from sevenout.solving import solve
    >>> solve(PlayedOut(House(), 6, (("pass", 1), ("pass odds", 5)))).bet("felt").mean
    Fraction(-1, 11)
    """

    bets = ("felt",)

    def __init__(self, felt: Felt, point: int | None, bets: Bets) -> None:
        self.felt, self.dice = felt, felt.dice
        self.start: tuple[Any, ...] = (0, point, bets)

    def rolls(self, state: Any) -> Rollable:
        """The dice, as totals if the bets see no more."""
        return rolled_on(self.felt, state[2])

    def step(self, state: Any, roll: Any) -> Any:
        won, point, bets = state
        throw = self.felt.throw_of(bets, roll)
        (point, left), rolled = play_out_roll(self.felt, (point, bets), throw)
        won = int_if_whole(Fraction(won + rolled.net))
        if not left:
            risk = Fraction(self.felt.cost(self.start[2]))
            return settle("played out", {"felt": Pay("played out", Fraction(won), risk)})
        return won, point, left


def rolled_on(felt: Felt, bets: Bets) -> Rollable:
    """The dice of a felt, as totals if the bets see no more."""
    if all(throw.faces is None for throw in felt.throws(bets)):
        return felt.dice.totals
    return felt.dice


class MenuStrategy(Strategy):
    """A policy for a menu, as a strategy.

    Attributes:
        menu: the menu.
        policy: the option in each state of the menu.
        memory: the number of rolls left at the start; None without a limit.
    """

    sees_money = True

    def __init__(self, menu: Menu, policy: Mapping[Any, str]) -> None:
        self.menu, self.policy = menu, policy
        self.memory = menu.limit

    def remembers(self, table: TableView) -> Hashable:
        """The number of rolls left."""
        return None if table.memory is None else table.memory - 1

    def wants(self, table: TableView) -> Mapping[str, Any]:
        """The bets that the policy chooses, one after another."""
        standing = sorted_bets(table.bets)
        if self.menu.ruins(table.money, standing):  # wants what it can't pay, which is ruin
            return self.menu.cheapest(table.point)
        changes: dict[str, Any] = {}
        state = self.menu.state_before_bets(table.money, table.point, standing, table.memory)
        while (option := self.policy.get(state, ROLL)) != ROLL:  # a player who left has no state
            before, state = dict(state[2]), self.menu.state_after(state, option)
            changes |= {bet: amount for bet, amount in state[2] if before.get(bet) != amount}
        return changes


def _amounts(bet: str, amounts: Any) -> tuple[Money, ...]:
    """The amounts of a bet on a menu."""
    if isinstance(amounts, str) or not isinstance(amounts, Sequence) or not amounts:
        raise RulesError(f"{shown(amounts)} on {bet}; give amounts, such as [1, 2, 5]")
    ordered = tuple(sorted({exact_money(amount) for amount in amounts}))
    if ordered[0] <= 0:
        raise RulesError(f"{shown(ordered[0])} on {bet}; bet more than 0")
    return ordered


# --- the number of states -------------------------------------------------------------------------

MAX_NAMES, MAX_FOLLOWED_AMOUNTS, MAX_SUMS = 64, 32, 300_000
"""Limits of the estimate: names of one bet, amounts followed, and sums for one bet."""
MAX_JOINT_NAMES = 8
"""A bet with more names than this, such as small, has one of them at a time."""

MAX_STATES, SECONDS_PER_STATE = 1_000_000, 5e-4
"""The default limit of states, and seconds per state."""

Costs = list[Money]
"""The possible costs of what stands under one name."""


def afford_menu(menu: Menu) -> None:
    """Refuse a menu with too many states, and say how many amounts fit.

    Raises:
        TooManyStatesError: over the limit, even if the estimate is twice too high.
        TooMuchWorkError: over the budget.
    """
    # The estimate may be too high: refuse only what is too large at half of it.
    max_states = 2 * MAX_STATES
    states = estimate_states(menu, max_states)
    affordable = min(MAX_STATES, allowed().seconds / SECONDS_PER_STATE)
    if states <= affordable:
        return
    low, high = 0, max(len(amounts) for _, amounts in menu.menu)
    # States grow with the amounts, so the largest number that fits is bisected.
    while low < high:
        middle = (low + high + 1) // 2
        if estimate_states(menu, affordable, middle) <= affordable / 2:
            low = middle
        else:
            high = middle - 1
    offered = ", ".join(f"{bet} {len(amounts):,}" for bet, amounts in menu.menu)
    instead = f"give each bet at most {low:,}" if low else "bring less, aim lower, or bet on less"
    about = "over" if states == max_states else "about"
    what = f"the menu (amounts: {offered}) makes {about} {states:,} states"
    if states == max_states:
        raise TooManyStatesError(f"{what}, and the most is {MAX_STATES:,}; {instead}")
    afford(f"{what}, which", seconds=states * SECONDS_PER_STATE, instead=instead)


def estimate_states(menu: Menu, max_states: float, amounts: int | None = None) -> int:
    """The approximate number of states of a menu, up to `max_states`, within a factor of ten.

    It assumes that all bets can stand together, at every point, with every amount of money to which
    single bets lead. A bet that moves, such as come, may stand in all its places at once. `amounts`
    limits each bet to its lowest ones.

    >>> from sevenout.catalogue.craps_family.craps_felt import House
    >>> from sevenout.rules.casino.menu import Menu
    >>> menu = Menu(House(), {"pass": range(1, 1001), "field": range(1, 1001)}, 100, target=200)
    >>> estimate_states(menu, 10**6), estimate_states(menu, 10**6, amounts=4)
    (1000000, 34293)
    """
    places, moves = _standing_costs(menu, amounts)
    sets_within, points = _affordable_sets(places), len(menu.felt.points)
    reached, layer, states, left = {menu.bankroll}, [menu.bankroll], 0, menu.limit
    target = inf if menu.target is None else menu.target
    while layer and left != 0:
        for money in layer:
            states += points * sets_within(money)
            if states >= max_states:
                return int(max_states)
        next_amounts = {
            money + net
            for money in layer
            for cost, net in moves
            if cost <= money and money + net < target
        }
        if left is None:
            # Without a limit on rolls each amount of money is counted once.
            next_amounts -= reached
            reached |= next_amounts
        else:
            left -= 1
        layer = [money for money in next_amounts if sets_within(money) > 1]
    return states


def _standing_costs(
    menu: Menu, amounts: int | None
) -> tuple[list[Costs], set[tuple[Money, Money]]]:
    """The costs of what may stand under each name, and the money that single bets move."""
    places: list[Costs] = []
    moves: set[tuple[Money, Money]] = set()
    for bet, offered in menu.menu:
        # A bet of the target's amount or more can't be paid before the target is reached.
        payable = [a for a in offered[:amounts] if menu.target is None or a < menu.target]
        if not payable:
            continue
        costs = {a: a + menu.felt.fee(bet, a) for a in payable}
        names, depth = {bet: 0}, 0
        while new := [name for name in names if names[name] == depth]:
            depth += 1
            for name in new:
                # A bet that has moved moves on alike, whatever its amount.
                for amount in payable[:MAX_FOLLOWED_AMOUNTS] if name == bet else payable[:1]:
                    for next_name, net in _after_rolls(menu, name, amount):
                        if net is not None:
                            moves.add((costs[amount], net))
                        # A bet moves once per roll at most.
                        if len(names) < MAX_NAMES and depth <= (menu.limit or MAX_NAMES):
                            names.setdefault(next_name, depth)
        every_cost = [*costs.values()]
        # A bet with many names has one of them at a time; a come bet may have each of its six.
        if len(names) <= MAX_JOINT_NAMES:
            places += [every_cost] * len(names)
        else:
            places.append(every_cost * len(names))
    return places, moves


def _after_rolls(menu: Menu, name: str, amount: Money) -> Iterable[tuple[str, Money | None]]:
    """A bet after a roll, at any point: its name, and what it was paid."""
    bets = ((name, amount),)
    changes: set[tuple[str, Money | None]] = set()
    for point in menu.felt.points:
        for throw in menu.felt.throws(bets):
            after = menu.felt.roll(point, bets, throw)
            net = sum(payment.profit for payment in after.paid) if after.paid else None
            changes |= {(next_name, net) for next_name in after.bets or (name,)}
    return changes


def _affordable_sets(places: list[Costs]) -> Callable[[Money], int]:
    """A function from money to the number of affordable sets of standing bets."""
    sums: Counter[Money] = Counter({0: 1})
    for costs in places:
        # Beyond that the count is far over the limit anyway.
        if len(sums) * len(costs) <= MAX_SUMS:
            more = Counter(sums)
            for cost in costs:
                for total, count in sums.items():
                    more[total + cost] += count
            sums = more
    totals = sorted(sums)
    counts = list(accumulate(sums[total] for total in totals))
    return lambda money: counts[bisect_right(totals, money) - 1]
