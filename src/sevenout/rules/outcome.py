"""Outcomes, payments, counters, and other results of a step.

Every amount in the rules is money in one unit. A stake is 1 by default; a lost bet loses its stake,
and even money wins as much. With a stake of 5 and a profit of 2, a `Wager`, a `PayTable` or a
`settle` wins 2 or loses 5. Results (edge, mean, variance) are per unit staked.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from sevenout.errors import RulesError, shown
from sevenout.numerals import Number, exact
from sevenout.rolling.distribution import sum_by_key

Amount = Number | tuple[Number, Number]
"""A profit, or (profit, money at risk)."""


class Pay(NamedTuple):
    """The settlement of one bet, in money.

    >>> win("point").pay("pass")
    Pay(event='point', profit=Fraction(1, 1), risk=Fraction(1, 1), stake=Fraction(1, 1))

    Attributes:
        event: the row of the bet's return table.
        profit: without the stake; negative for a loss, 0 for a push.
        risk: all the money on the table, with odds and commissions.
        stake: the stake when the bet was made.
    """

    event: str
    profit: Fraction
    risk: Fraction
    stake: Fraction = Fraction(1)


def pay(event: str, amount: Amount, stake: Number = 1) -> Pay:
    """The settlement of a bet; the risk is the stake by default.

    >>> pay("push", 0, stake=5)
    Pay(event='push', profit=Fraction(0, 1), risk=Fraction(5, 1), stake=Fraction(5, 1))

    Raises:
        RulesError: an inexact amount, a stake that is not positive, a risk below the stake, or a
            loss above the risk.
    """
    staked = exact(stake)
    if staked <= 0:
        raise RulesError(f"stake={_number_text(staked)}; stake more than 0")
    if isinstance(amount, tuple) and len(amount) != 2:
        raise RulesError(f"{shown(amount)} is not an amount; write profit or (profit, risk)")
    profit, risk = map(exact, amount if isinstance(amount, tuple) else (amount, staked))
    # Odds and commissions come on top of the stake; nothing is taken from it.
    if risk < staked:
        raise RulesError(
            f"the money at risk is {_number_text(risk)}; the stake is part of it, so it is "
            f"{_number_text(staked)} or more"
        )
    # A bettor can't lose money that is not on the table.
    if -profit > risk:
        raise RulesError(
            f"a profit of {_number_text(profit)} loses more than the {_number_text(risk)} at risk; "
            "write (profit, risk) where a bet can lose more than its stake"
        )
    return Pay(event, profit, risk, staked)


def profit_and_risk(amount: Amount, stake: Number) -> tuple[Fraction, Fraction]:
    """An amount as profit and risk, checked as by `pay`."""
    _, profit, risk, _ = pay("", amount, stake)
    return profit, risk


def _number_text(amount: Fraction) -> str:
    numerator, denominator = shown(amount.numerator), shown(amount.denominator)
    return numerator if amount.denominator == 1 else f"{numerator}/{denominator}"


@dataclass(frozen=True, eq=False)
class Outcome:
    """The end of a game: its label, and each bet's settlement.

    >>> win("natural").profit("pass")
    Fraction(1, 1)
    >>> settle("7", {"pass": -1, "don't": 1}) == settle("7", {"don't": 1, "pass": -1})
    True

    Attributes:
        label: the row of the table of outcomes.
        pays: pairs of a bet and its settlement.
    """

    label: str
    pays: tuple[tuple[str, Pay], ...] = ()

    @cached_property
    def _hash(self) -> int:  # hashing a Fraction is slow, and outcomes are looked up often
        return hash((self.label, frozenset(self.pays)))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Outcome):
            return NotImplemented
        # Bets may stand in any order; nearly always it is the same, and no set is built.
        return self.label == other.label and (
            self.pays == other.pays or frozenset(self.pays) == frozenset(other.pays)
        )

    def pay(self, bet: str) -> Pay:
        """The settlement of a bet.

        Raises:
            RulesError: there is no such bet; the message names the others.
        """
        for name, pay in self.pays:
            if name == bet:
                return pay
        bets = ", ".join(name for name, _ in self.pays) or "none"
        raise RulesError(
            f"no bet {shown(bet)} in the outcome {shown(self.label)}; its bets are: {bets}"
        )

    def profit(self, bet: str) -> Fraction:
        """The profit of a bet; negative for a loss."""
        return self.pay(bet).profit


Counts = tuple[tuple[str, int | Fraction], ...]
"""Pairs of a counter and its increase."""

OWN_ROLLS = "rolls of "
"""The prefix of the counter of a bet's rolls."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A next state or outcome with increases of counters; made by `counted`.

    >>> counted("next", won=2)
    Counted(state='next', counts=(('won', 2),))

    Attributes:
        state: the next state, or the outcome.
        counts: by how much each counter advances.
    """

    state: Hashable
    counts: Counts


@dataclass(frozen=True, slots=True)
class Ask:
    """A state in which the player chooses again before the roll; made by `choose_again`.

    >>> choose_again("which tile?")
    Ask(state='which tile?')
    """

    state: Hashable


@dataclass(frozen=True, slots=True)
class Passed:
    """What follows when the turn passes, as the other player sees it; made by `pass_turn`.

    >>> pass_turn((0, 12))
    Passed(state=(0, 12))

    Attributes:
        state: the next state, or the outcome.
    """

    state: Hashable


WRAPPERS = (Counted, Passed)
"""The types that wrap a next state or outcome."""

BET = "pass"
"""The default name of a game's only bet."""


def settle(
    label: str, pays: Mapping[str, Amount | Pay] | None = None, *, stake: Number = 1
) -> Outcome:
    """The end of a game; each bet has a profit, (profit, risk), or a `Pay`.

    >>> settle("seven out", {"pass": -1, "don't": 1}).profit("don't")
    Fraction(1, 1)

    Args:
        label: the row in the table of outcomes.
        pays: the settlement of each bet.
        stake: the stake of each bet; a `Pay` has its own.

    Raises:
        RulesError: as in `pay`; a label or bet that is not text; pays that are not a mapping.
    """
    if not isinstance(label, str):
        raise RulesError(
            f"an outcome {shown(label)}; name how the game ends with a text, such as win('point')"
        )
    if pays is not None and not isinstance(pays, Mapping):
        raise RulesError(f"{shown(pays)} pays no bet; write each bet's pay, such as {{'pass': 1}}")
    for bet in pays or {}:
        if not isinstance(bet, str):
            raise RulesError(f"a bet {shown(bet)}; name it with a text, such as 'pass'")

    def settlement(amount: Amount | Pay) -> Pay:
        return amount if isinstance(amount, Pay) else pay(label, amount, stake)

    return Outcome(label, tuple((bet, settlement(amount)) for bet, amount in (pays or {}).items()))


def win(
    label: str = "win", profit: Number | None = None, bet: str = BET, *, stake: Number = 1
) -> Outcome:
    """An outcome that wins `profit`, by default the stake.

    >>> win("natural", stake=5).profit("pass")
    Fraction(5, 1)
    """
    return _single_bet_outcome(label, bet, stake if profit is None else profit, stake)


def lose(label: str = "lose", bet: str = BET, *, stake: Number = 1) -> Outcome:
    """An outcome that loses the stake.

    >>> lose(stake=5).profit("pass")
    Fraction(-5, 1)
    """
    return _single_bet_outcome(label, bet, -exact(stake), stake)


def push(label: str = "push", bet: str = BET, *, stake: Number = 1) -> Outcome:
    """An outcome that returns the bet.

    >>> push().profit("pass")
    Fraction(0, 1)
    """
    return _single_bet_outcome(label, bet, 0, stake)


def _single_bet_outcome(label: str, bet: str, profit: Number, stake: Number) -> Outcome:
    """The outcome that settles one bet; equal ones are one object, since steps make them often."""
    if not isinstance(bet, str):
        raise RulesError(f"a bet {shown(bet)}; name it with a text, such as 'pass'")
    try:
        return _cached_outcome(label, bet, profit, stake)
    except TypeError:  # `settle` reports an unhashable amount
        return settle(label, {bet: profit}, stake=stake)


@lru_cache(maxsize=1024, typed=True)
def _cached_outcome(label: str, bet: str, profit: Number, stake: Number) -> Outcome:
    return settle(label, {bet: profit}, stake=stake)


def counted(state: Hashable, /, **counts: Number) -> Counted:
    """A next state or outcome, with counters advanced.

    Counters of things increase by whole numbers. Counters of money may change by any fraction, also
    downwards.

    >>> counted("again", won=1, rounds=1).counts
    (('rounds', 1), ('won', 1))
    >>> counted("again", money="-7/6").counts
    (('money', Fraction(-7, 6)),)

    Raises:
        RulesError: an inexact amount, or a counter of rolls, which are counted automatically.
    """
    try:
        increases = _increases(**counts)
    except TypeError:  # `exact` reports an unhashable amount
        increases = _increases.__wrapped__(**counts)
    if isinstance(state, Counted):
        return Counted(state.state, added(state.counts, increases))
    return Counted(state, increases)


@lru_cache(maxsize=1024, typed=True)
def _increases(**counts: Number) -> Counts:
    """The stored form of counts, cached: rules count the same on many steps."""
    increases = []
    for name, amount in counts.items():
        if counts_rolls(name):
            raise RulesError(
                f"{shown(name)[1:-1]} are always counted; give the counter another name"
            )
        n = amount if type(amount) is int else exact(amount)
        # An increase of 0 leaves no trace, so that equal steps compare equal.
        if n:
            increases.append((name, int(n) if n.denominator == 1 else n))
    return tuple(sorted(increases))


def added(first: Counts, second: Counts) -> Counts:
    """The sum of two counts, sorted by name.

    >>> added((("won", 1),), (("rounds", 1), ("won", 2)))
    (('rounds', 1), ('won', 3))
    """
    return tuple(sorted((name, n) for name, n in sum_by_key((*first, *second)).items() if n))


def choose_again(state: Hashable) -> Ask:
    """A state in which the player must choose again before the dice are rolled.

    >>> choose_again("double?")
    Ask(state='double?')
    """
    return Ask(state)


def pass_turn(state: Hashable) -> Passed:
    """What follows when the turn passes to the other player.

    In a two-player game with turns, a state or outcome is seen by the player on turn: its bets pay
    that player, and the other player the opposite.

    >>> pass_turn((12, 30, 0))
    Passed(state=(12, 30, 0))
    """
    return Passed(state)


def rolls_of(bet: str) -> str:
    """The counter of rolls until a bet is settled.

    >>> rolls_of("pass")
    'rolls of pass'
    """
    return OWN_ROLLS + bet


def counts_rolls(counter: str) -> bool:
    """Whether a counter is that of all rolls or of a bet's: no rule advances these.

    >>> counts_rolls("rolls"), counts_rolls("rolls of pass"), counts_rolls("rolls_held")
    (True, True, False)
    """
    return counter == "rolls" or counter.startswith(OWN_ROLLS)


def unwrap(successor: Any) -> tuple[Any, Counts, bool]:
    """A state or outcome without its wrappers, its counts, and whether the turn passes.

    >>> unwrap(counted(pass_turn("on"), points=3))
    ('on', (('points', 3),), True)
    """
    counts: Counts = ()
    passes = False
    # Wrappers nest in any order, and two passes are none.
    while isinstance(successor, WRAPPERS):
        if isinstance(successor, Counted):
            counts = added(counts, successor.counts) if counts else successor.counts
        else:
            passes = not passes
        successor = successor.state
    return successor, counts, passes
