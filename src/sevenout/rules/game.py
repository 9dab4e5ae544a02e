"""What a game is: something rolled, a start, and one step.

    class Craps(Game):
        dice = parse_dice("2d6")

        def step(self, point, roll):
            match point, roll.total:
                case None, 7 | 11: return win("natural")
                case None, 2 | 3 | 12: return lose("craps")
                case None, total: return total                  # the point is on
                case _, 7: return lose("seven out")
                case _, total if total == point: return win("point")
                case _: return point

A step returns the next state, or an `Outcome`, or either of them `counted`. A state is any
hashable value; nothing ever sorts states. A game that comes back to its start gives the start a
name, since a step that returns None is taken for one that lacks a `return`.

Money. Every amount in the rules is money, in one unit: what is staked, what is won, what is at
risk. A stake is 1 if not said; a bet that loses, loses its stake, and even money wins as much. So a
`Wager`, a `PayTable` or a `settle` with a stake of 5 and a profit of 2 wins 2, and loses 5. Results
(the edge, the mean, the variance) are per unit staked.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from types import GeneratorType
from typing import Any, NamedTuple

from sevenout.dice import Rollable
from sevenout.errors import RulesError, shown
from sevenout.numerals import Number, exact

Amount = Number | tuple[Number, Number]
"""A profit, or (profit, money at risk)."""


class Pay(NamedTuple):
    """How one bet is settled, in money.

    >>> win("point").pay("pass")
    Pay(event='point', profit=Fraction(1, 1), risk=Fraction(1, 1), stake=Fraction(1, 1))

    Attributes:
        event: the row of the bet's return table.
        profit: what the bet wins (its stake not counted), negative when it loses, 0 for a push.
        risk: all the money that the bet had on the table, odds and commissions included.
        stake: what was staked when the bet was made.
    """

    event: str
    profit: Fraction
    risk: Fraction
    stake: Fraction = Fraction(1)


def pay(event: str, amount: Amount, stake: Number = 1) -> Pay:
    """How a bet is settled: the money at risk is the stake, if the amount does not say.

    >>> pay("push", 0, stake=5)
    Pay(event='push', profit=Fraction(0, 1), risk=Fraction(5, 1), stake=Fraction(5, 1))

    Raises:
        RulesError: an amount that is not exact, a stake that is not positive, money at risk that is
            less than the stake, or a loss of more than is at risk.
    """
    staked = exact(stake)
    if staked <= 0:
        raise RulesError(f"stake={_said(staked)}; stake more than 0")
    if isinstance(amount, tuple) and len(amount) != 2:
        raise RulesError(f"{shown(amount)} is not an amount; write profit or (profit, risk)")
    profit, risk = map(exact, amount if isinstance(amount, tuple) else (amount, staked))
    if risk < staked:
        raise RulesError(
            f"the money at risk is {_said(risk)}; the stake is part of it, so it is "
            f"{_said(staked)} or more"
        )
    if -profit > risk:
        raise RulesError(
            f"a profit of {_said(profit)} loses more than the {_said(risk)} at risk; "
            "write (profit, risk) where a bet can lose more than its stake"
        )
    return Pay(event, profit, risk, staked)


def _said(amount: Fraction) -> str:
    above, below = shown(amount.numerator), shown(amount.denominator)
    return above if amount.denominator == 1 else f"{above}/{below}"


@dataclass(frozen=True, eq=False)
class Outcome:
    """The end of a game: its label, and how each bet is paid, in whatever order.

    >>> win("natural").profit("pass")
    Fraction(1, 1)
    >>> settle("7", {"pass": -1, "don't": 1}) == settle("7", {"don't": 1, "pass": -1})
    True
    """

    label: str
    pays: tuple[tuple[str, Pay], ...] = ()

    @cached_property
    def _hash(self) -> int:  # the hash of a Fraction is slow, and outcomes are looked up often
        return hash((self.label, frozenset(self.pays)))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Outcome):
            return NotImplemented
        return self.label == other.label and (
            self.pays == other.pays or frozenset(self.pays) == frozenset(other.pays)
        )

    def pay(self, bet: str) -> Pay:
        """How a bet is settled.

        Raises:
            RulesError: there is no such bet; the message names those that there are.
        """
        for name, pay in self.pays:
            if name == bet:
                return pay
        bets = ", ".join(name for name, _ in self.pays) or "none"
        raise RulesError(f"no bet {bet!r} in the outcome {self.label!r}; its bets are: {bets}")

    def profit(self, bet: str) -> Fraction:
        """What a bet wins or, if negative, loses."""
        return self.pay(bet).profit


Counts = tuple[tuple[str, int | Fraction], ...]
"""(counter, how often it advanced)."""

OWN_ROLLS = "rolls of "
"""How the counter of the rolls until a bet is settled begins, before the name of the bet."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A next state or settled outcome, and what happened on the way.

    >>> counted("next", won=2)
    Counted(then='next', counts=(('won', 2),))
    """

    then: Any
    counts: Counts


@dataclass(frozen=True, slots=True)
class Ask:
    """A question put at once, before the dice are rolled: `choices` of this state.

    >>> ask("which tile?")
    Ask(state='which tile?')
    """

    state: Hashable


@dataclass(frozen=True, slots=True)
class Passed:
    """The turn passes: what follows, as the other player sees it from his side.

    >>> passed((0, 12))
    Passed(then=(0, 12))
    """

    then: Any


BET = "pass"
"""The name of the bet of a game that has only one and does not name it."""


def settle(label: str, pays: Mapping[str, Any] | None = None, *, stake: Number = 1) -> Outcome:
    """The end of a game with several bets; each is given a profit, (profit, risk), or a `Pay`.

    >>> settle("seven out", {"pass": -1, "don't": 1}).profit("don't")
    Fraction(1, 1)

    Args:
        label: a row of the table of outcomes.
        pays: how each bet is settled.
        stake: what was staked on each bet; a `Pay` says so itself.

    Raises:
        RulesError: as `pay`.
    """

    def paid(given: Any) -> Pay:
        return given if isinstance(given, Pay) else pay(label, given, stake)

    return Outcome(label, tuple((bet, paid(given)) for bet, given in (pays or {}).items()))


def win(
    label: str = "win", profit: Number | None = None, bet: str = BET, *, stake: Number = 1
) -> Outcome:
    """The bet wins `profit`: as much as its stake, if not said.

    >>> win("natural", stake=5).profit("pass")
    Fraction(5, 1)
    """
    return _one(label, bet, stake if profit is None else profit, stake)


def lose(label: str = "lose", bet: str = BET, *, stake: Number = 1) -> Outcome:
    """The bet loses its stake.

    >>> lose(stake=5).profit("pass")
    Fraction(-5, 1)
    """
    return _one(label, bet, -exact(stake), stake)


def push(label: str = "push", bet: str = BET, *, stake: Number = 1) -> Outcome:
    """The bet is returned.

    >>> push().profit("pass")
    Fraction(0, 1)
    """
    return _one(label, bet, 0, stake)


def _one(label: str, bet: str, profit: Number, stake: Number) -> Outcome:
    """The end of a game with one bet; rules that are played often make the same one again."""
    try:
        return _made(label, bet, profit, stake)
    except TypeError:  # what can't be hashed is no amount, as `settle` will say
        return settle(label, {bet: profit}, stake=stake)


@lru_cache(maxsize=1024, typed=True)
def _made(label: str, bet: str, profit: Number, stake: Number) -> Outcome:
    return settle(label, {bet: profit}, stake=stake)


def counted(then: Any, **counts: Number) -> Counted:
    """A next state or settled outcome, with counters advanced on the way, in whatever order.

    A counter of things goes up by whole numbers; one of money may go down, and by fractions.

    >>> counted("again", won=1, rounds=1).counts
    (('rounds', 1), ('won', 1))
    >>> counted("again", money="-7/6").counts
    (('money', Fraction(-7, 6)),)

    Raises:
        RulesError: what is counted is no exact amount; or it is rolls, which are counted anyway:
            those of the game, and at a table those of each bet.
    """
    own = []
    for name, given in counts.items():
        if name == "rolls" or name.startswith(OWN_ROLLS):
            raise RulesError(f"{shown(name)[1:-1]} are counted already; name the counter otherwise")
        n = given if type(given) is int else exact(given)
        if n:
            own.append((name, int(n) if n.denominator == 1 else n))
    own.sort()
    if isinstance(then, Counted):
        return Counted(then.then, added(then.counts, tuple(own)))
    return Counted(then, tuple(own))


def added(one: Counts, other: Counts) -> Counts:
    """The counters of both, in the order of their names.

    >>> added((("won", 1),), (("rounds", 1), ("won", 2)))
    (('rounds', 1), ('won', 3))
    """
    total = dict(one)
    for name, n in other:
        total[name] = total.get(name, 0) + n
    return tuple(sorted((name, n) for name, n in total.items() if n))


def ask(state: Hashable) -> Ask:
    """What follows an answer, where the player is asked again before the dice are rolled.

    >>> ask("double?")
    Ask(state='double?')
    """
    return Ask(state)


def passed(then: Any) -> Passed:
    """What follows, where the turn passes to the other player.

    In such a game of two, a state is seen by the player whose turn it is, and so is an outcome: its
    bets pay him, and the other player the opposite.

    >>> passed((12, 30, 0))
    Passed(then=(12, 30, 0))
    """
    return Passed(then)


class Game(ABC):
    """What is rolled, a start, one step, and what the player may choose.

    >>> from sevenout.dice import dice
    >>> class High(Game):
    ...     dice = dice("1d6")
    ...
    ...     def step(self, state, roll):
    ...         return win() if roll.total > 4 else lose()
    >>> High().step(None, High().dice.roll([6])).label
    'win'

    Attributes:
        dice: what is rolled: dice, a reading of them, a law, a deck, or another game.
        start: the first state; None if not said, in a game that never comes back to it.
        counters: the names of counters that may be asked for even where none of them advances.
        bets: the names of the bets; None if not said. Only games that are put together or renamed
            need say, and those that list their outcomes have said so.
        is_table: whether the bets are settled on rolls of their own, and the game counts them.
        outcomes: the outcomes in the order of the rule book, where the order of a table matters.
        coordinates: the names of the parts of a state, for print: ("mine", "yours", "turn").
    """

    dice: "Rollable | Game"
    start: Hashable = None
    bets: Collection[str] | None = None
    counters: Collection[str] = ()
    is_table: bool = False
    outcomes: Sequence[Outcome] = ()
    coordinates: Sequence[str] = ()

    def rolls(self, state: Any) -> "Rollable | Game":
        """What is rolled in a state; the game's dice, unless the rules change them.

        Raises:
            RulesError: the game has no dice.
        """
        if not hasattr(self, "dice"):
            raise RulesError(
                f"{type(self).__name__} has no dice; say what is rolled: dice = parse_dice('2d6')"
            )
        return self.dice

    @abstractmethod
    def step(self, state: Any, roll: Any) -> Any:
        """The next state, an `Outcome`, or either of them `counted`."""

    def afford(self) -> None:  # noqa: B027  most rules know nothing beforehand
        """Refuse what the rules know, before it is explored, to be too large.

        Raises:
            TooMuchWorkError: it would take more than the budget.
        """

    def choices(self, state: Any) -> Mapping[str, Any]:
        """What the player may do in a state, before the roll: each option, and what follows it.

        What follows is a state, where the dice are rolled; an `Outcome`; an `ask` of a
        further question; any of them `counted` or `passed`. No choices, no question.
        """
        return {}

    def chooser(self, state: Any) -> str | None:
        """Whose choice it is in a state, as the bet that is his interest; None where one plays."""
        return None

    def pays_of(self, bet: str) -> Sequence[Pay]:
        """How a bet can be paid, in the order of the rule book; nothing if the rules don't list it.

        Raises:
            RulesError: the outcomes do not pay such a bet.
        """
        return tuple(dict.fromkeys(outcome.pay(bet) for outcome in self.outcomes))


def must_be_a_game(game: Any) -> None:
    """Refuse what is no game.

    Raises:
        RulesError: it is none; a class is one when it is called.
    """
    if not isinstance(game, Game):
        right = f"{game.__name__}()" if isinstance(game, type) else "catalogue['craps'], say"
        raise RulesError(f"{shown(game)} is not a game; give {right}")


def reach(game: Game, state: Any, roll: Any) -> tuple[Any, Counts]:
    """One step of a game: the next state or the settled outcome, and the counters that advanced.

    >>> class Again(Game):
    ...     def step(self, state, roll):
    ...         return counted("again", sixes=1) if roll == 6 else win()
    >>> reach(Again(), "again", 6)
    ('again', (('sixes', 1),))

    Raises:
        RulesError: the step returned None, or something else that can't be a state.
    """
    then = game.step(state, roll)
    counts: Counts = ()
    if isinstance(then, Counted):
        then, counts = then.then, then.counts
    if not isinstance(then, Outcome) and not_a_state(then):
        raise RulesError(no_state(then, state, roll))
    return then, counts


STATES = "a state is a number, a text, a tuple, ..."


def not_a_state(then: Any) -> bool:
    """Whether it is None, a function, a class or a generator: what a mistaken step returns.

    Nor is it a state where the turn passes, or a question, in a game that asks nobody anything.
    """
    return then is None or callable(then) or isinstance(then, GeneratorType | Passed | Ask)


def start_of(game: Game) -> Hashable:
    """The first state of a game.

    Raises:
        RulesError: it is settled, counted, a question, or can't be a state.
    """
    start = game.start
    wrapped = isinstance(start, Outcome | Counted | Passed | Ask)
    if wrapped or (start is not None and not_a_state(start)):
        raise RulesError(f"the start is {shown(start)}, which is no state; {STATES}")
    try:
        hash(start)
    except TypeError:
        raise RulesError(f"the start {shown(start)} is not hashable; {STATES}") from None
    return start


def no_state(then: Any, state: Any, roll: Any) -> str:
    """What is wrong with a step that returned no state, in words."""
    where = "the start" if state is None else shown(state)
    step = f"the step from {where} on {shown(roll)} returned {shown(then)}"
    if then is None:
        return (
            f"{step}; a `return` is missing? To go back to the start, give it a name, such as "
            "start = 'come-out', and return that"
        )
    return f"{step}, which {'is no state' if not_a_state(then) else 'is not hashable'}; {STATES}"


def bets_of(game: Game) -> tuple[str, ...]:
    """The names of a game's bets, as it says or as its outcomes do.

    >>> from sevenout.games import catalogue
    >>> bets_of(catalogue["place-6-8"])
    ('place',)

    Raises:
        RulesError: the game does not say.
    """
    if game.bets is not None:
        return tuple(game.bets)
    if game.outcomes:
        return tuple(bet for bet, _ in game.outcomes[0].pays)
    raise RulesError(
        f"{type(game).__name__} does not say which bets it has; add bets = ('pass',), say"
    )


def rolls_of(bet: str) -> str:
    """The counter of the rolls until a bet is settled, where a table counts them.

    >>> rolls_of("pass")
    'rolls of pass'
    """
    return OWN_ROLLS + bet
