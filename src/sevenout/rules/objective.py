"""Objectives: the most or the least of something.

    class Threes(Game):
        goal = least("points")

    goal = "least points"           # the same in a game file

A goal such as "points <= 5" compares a counter at the end of the game. `CounterComparison` is the
game that remembers the counter; its value is the probability that the comparison holds.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import floor
from operator import eq, ge, gt, le, lt
from typing import Any, Literal, TypeVar

from sevenout.errors import RulesError, shown
from sevenout.numerals import exact
from sevenout.rules.game import Game, GameWrapper, take_turn_step
from sevenout.rules.outcome import (
    Ask,
    Counts,
    Outcome,
    Passed,
    choose_again,
    pass_turn,
    settle,
    unwrap,
)

G = TypeVar("G", bound=Game)
Quantity = str | Iterable[str] | Callable[[Outcome], Any]
"""What is maximised or minimised. A bet or a counter: its mean. One or several labels of outcomes:
their probability. "bet >= 3": the probability of such a profit per unit staked. A function of
outcomes: its mean.
"""

QUANTITY_FORMS = "name a bet, a counter, an outcome or several, or give a value for each outcome"
MOST, LEAST = ("most", "highest", "best"), ("least", "fewest", "lowest")


@dataclass(frozen=True)
class Objective:
    """The objective of a game; made by `most` and `least`.

    >>> print(least("points")), least("points").arguments
    least points
    (None, {'least': 'points'})

    Attributes:
        quantity: what is maximised or minimised.
        sense: 1 to maximise, -1 to minimise.
    """

    quantity: Quantity
    sense: Literal[1, -1] = 1

    def __post_init__(self) -> None:
        if isinstance(self.quantity, str) and self.quantity.strip():
            return
        if callable(self.quantity) or (isinstance(self.quantity, tuple) and self.quantity):
            return
        raise RulesError(f"{shown(self.quantity)} is not a goal; {QUANTITY_FORMS}")

    @property
    def arguments(self) -> dict[str, Any]:
        """The objective as keyword arguments of `sevenout.best`."""
        return {"most" if self.sense > 0 else "least": self.quantity}

    def __str__(self) -> str:
        name = getattr(self.quantity, "__name__", self.quantity)
        if isinstance(self.quantity, tuple):
            name = f"P({' or '.join(self.quantity)})"
        return f"{'most' if self.sense > 0 else 'least'} {name}"


def most(quantity: Quantity) -> Objective:
    """The objective of the largest mean or probability.

    >>> print(most("24"))
    most 24

    Args:
        quantity: a bet, a counter, one or several outcomes, "bet >= 3", or a function of outcomes.

    Raises:
        RulesError: another kind of quantity.
    """
    return Objective(_hashable(quantity), 1)


def least(quantity: Quantity) -> Objective:
    """The objective of the smallest mean or probability.

    >>> from sevenout.rules import Game
    >>> class Threes(Game):
    ...     goal = least("points")
    ...     def step(self, state, roll): ...
    >>> print(objective_of(Threes()))
    least points

    Raises:
        RulesError: another kind of quantity.
    """
    return Objective(_hashable(quantity), -1)


def _hashable(quantity: Any) -> Any:
    """A quantity with its labels as a tuple, so that games stay hashable."""
    return tuple(quantity) if isinstance(quantity, list | set | frozenset | dict) else quantity


def parse_objective(text: str) -> Objective:
    """The objective that a text names; to maximise, unless it begins with a word such as "least".

    >>> print(parse_objective("fewest rolls"), "|", parse_objective("P(shut)"))
    least rolls | most P(shut)

    Raises:
        RulesError: an empty text.
    """
    word, _, rest = text.strip().partition(" ")
    if rest and word in LEAST:
        return Objective(rest.strip(), -1)
    return Objective(rest.strip() if rest and word in MOST else text.strip(), 1)


def objective_of(game: Game) -> Objective | None:
    """The objective of a game, if any.

    A number is ignored, since rules often call the score to reach their goal.

    Raises:
        RulesError: the game's goal is something else.
    """
    goal = game.goal
    if isinstance(goal, str):
        return parse_objective(goal)
    if isinstance(goal, Objective):
        return goal
    if goal is None or isinstance(goal, int | float | Fraction):
        return None
    raise RulesError(f"goal = {shown(goal)}; write so.most(...), so.least(...) or a text")


def with_objective(game: G, objective: Objective) -> G:
    """The same game with another objective.

    >>> from sevenout.rules import PointGame
    >>> craps = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    >>> craps.goal, str(with_objective(craps, most("P(natural)")).goal)
    (None, 'most P(natural)')
    """
    # A shallow copy keeps all that the game has cached; a frozen dataclass refuses to be changed.
    other = copy(game)
    object.__setattr__(other, "goal", objective)
    return other


@dataclass(frozen=True)
class ParsedQuantity:
    """A parsed quantity.

    Attributes:
        kind: "bet", "counter", "outcomes", "profit" for a comparison of a bet's profit, or "tally"
            for one of a counter.
        names: the bet or counter, or the labels of outcomes.
        operator: of a comparison: "<=", "<", ">", ">=" or "=".
        amount: the right side of a comparison; a profit is per unit staked.
    """

    kind: Literal["bet", "counter", "outcomes", "profit", "tally"]
    names: tuple[str, ...]
    operator: str = ""
    amount: Fraction = Fraction(0)

    @property
    def holds(self) -> Callable[[Fraction], bool]:
        """A function that tells whether a profit satisfies the comparison."""
        compare, amount = OPERATORS[self.operator], self.amount
        return lambda profit: bool(compare(profit, amount))


OPERATORS = {"<=": le, ">=": ge, "==": eq, "<": lt, ">": gt, "=": eq}
_COMPARISON = re.compile(r"(?P<name>.+?)\s*(?P<operator><=|>=|==|<|>|=)\s*(?P<amount>[^<>=\s]+)")


def parse_comparison(quantity: str) -> ParsedQuantity | None:
    """The comparison in "points <= 5"; None if there is none.

    Raises:
        NotationError: the right-hand side is not a number.
    """
    inside = re.fullmatch(r"P\((.+)\)", quantity)
    match = _COMPARISON.fullmatch(inside[1] if inside else quantity)
    return _parsed_comparison("tally", match) if match else None


def _parsed_comparison(kind: Literal["profit", "tally"], match: re.Match[str]) -> ParsedQuantity:
    operator = match["operator"].replace("==", "=")
    return ParsedQuantity(kind, (match["name"],), operator, exact(match["amount"]))


def parse_quantity(
    quantity: str, bets: Collection[str], counters: Collection[str], labels: Collection[str]
) -> ParsedQuantity:
    """A parsed quantity, with names looked up.

    >>> parse_quantity("P(pass <= 5)", ["pass"], ["rolls"], []).operator
    '<='

    Args:
        quantity: "pass", "rolls", "natural", "P(natural or point)", "pass <= 5".
        bets: the names of the bets.
        counters: the names of the counters.
        labels: the labels of the outcomes.

    Raises:
        RulesError: nothing has that name.
    """
    # Names come before expressions, since a label may look like a comparison.
    if quantity in bets:
        return ParsedQuantity("bet", (quantity,))
    if quantity in counters:
        return ParsedQuantity("counter", (quantity,))
    if quantity in labels:
        return ParsedQuantity("outcomes", (quantity,))
    inside = re.fullmatch(r"P\((.+)\)", quantity)
    if inside:
        # A label may have " or " in it, so the whole is tried before its parts.
        names: tuple[str, ...] = (inside[1],)
        if inside[1] not in labels:
            names = tuple(map(str.strip, inside[1].split(" or ")))
        if set(names) <= set(labels):
            return ParsedQuantity("outcomes", names)
    match = _COMPARISON.fullmatch(inside[1] if inside else quantity)
    if match and match["name"] in (*bets, *counters):
        return _parsed_comparison("profit" if match["name"] in bets else "tally", match)
    known = {"bets": bets, "counters": counters, "outcomes": [*labels][:12]}
    listed = "; ".join(f"{kind}: {', '.join(names)}" for kind, names in known.items() if names)
    # A game may have hundreds of labels, and an error is one line.
    raise RulesError(f"{shown(quantity)} can't be a goal; {listed}"[:390])


# --- comparisons of a counter ---------------------------------------------------------------------


@dataclass(frozen=True)
class CounterComparison(GameWrapper):
    """A game that ends in a comparison: "points <= 5", or "not points <= 5".

    >>> from sevenout.catalogue import games
    >>> low = CounterComparison(games("threes"), "points", "<=", Fraction(5))
    >>> low.start, low.choices((2, (6, 0), 1))["keep 1 of 2"]
    ((5, (), 0), (1, (), 1))

    A state is the game's state with the counter, up to the largest value that matters, as its last
    part.

    Args:
        counter: one that never goes down.
        operator: "<=", "<", ">", ">=" or "=".
        amount: the right side of the comparison.

    Attributes:
        counters: none, since the counter is part of the state.

    Raises:
        RulesError: in play, the counter goes down.
    """

    game: Game
    counter: str
    operator: str
    amount: Fraction
    bets = ()
    is_table = False
    side_of = None
    counters: Collection[str] = ()

    @cached_property
    def goal(self) -> Any:  # no property: a game file sets another
        return Objective((self.label,))  # the label itself: its text could be read as a comparison

    @property
    def label(self) -> str:
        """The comparison in words."""
        return f"{self.counter} {self.operator} {self.amount}"

    @property
    def outcomes(self) -> Sequence[Outcome]:  # type: ignore[override]
        return (settle(self.label), settle(f"not {self.label}"))

    @property
    def coordinates(self) -> Sequence[str]:  # type: ignore[override]
        return (*self.game.coordinates, self.counter) if self.game.coordinates else ()

    @property
    def start(self) -> Any:  # type: ignore[override]
        return self._state_with(self.game.start, Fraction(0))

    def inner(self, state: Any) -> Any:
        """The state of the game itself."""
        return state[0] if self._states_are_scalars else state[:-1]

    @cached_property
    def _states_are_scalars(self) -> bool:
        """Whether the game's states are no tuples, such as numbers or texts."""
        return not isinstance(self.game.start, tuple)

    def _state_with(self, state: Any, tally: Fraction) -> Any:
        tally = min(tally, Fraction(floor(self.amount) + 1))  # larger counts compare alike
        number = int(tally) if tally.denominator == 1 else tally
        # A state that is no tuple, such as a text, has no last part to add.
        return (state, number) if self._states_are_scalars else (*state, number)

    def rolls(self, state: Any) -> Any:
        return self.game.rolls(self.inner(state))

    def chooser(self, state: Any) -> str | None:
        return self.game.chooser(self.inner(state))

    def step(self, state: Any, roll: Any) -> Any:
        result, counts, passes = take_turn_step(self.game, self.inner(state), roll)
        more = (("rolls", 1),) if self.counter == "rolls" else ()
        after = self._result(result, state[-1], (*counts, *more))
        return pass_turn(after) if passes else after

    def choices(self, state: Any) -> Mapping[str, Any]:
        """The game's choices, with the counter."""
        menu = self.game.choices(self.inner(state))
        return {option: self._option_result(result, state[-1]) for option, result in menu.items()}

    def _option_result(self, result: Any, tally: Any) -> Any:
        """What follows an option, with the counter's new value in the state."""
        after, counts, passes = unwrap(result)
        chooses_again = isinstance(after, Ask)
        state = self._result(after.state if chooses_again else after, tally, counts)
        state = choose_again(state) if chooses_again else state
        return Passed(state) if passes else state

    def _result(self, result: Any, tally: Any, counts: Counts) -> Any:
        """A state with the counter's new value; at the end, whether the comparison holds."""
        n = dict(counts).get(self.counter, 0)
        # The tally is cut off above, which is right only if it never comes down again.
        if n < 0:
            raise RulesError(
                f"the counter {self.counter} goes down by {shown(-n)}, so it can't be compared; "
                "ask for the most or the least of it"
            )
        total = Fraction(tally) + n
        if not isinstance(result, Outcome):
            return self._state_with(result, total)
        holds, fails = self.outcomes
        return holds if OPERATORS[self.operator](total, self.amount) else fails


def with_comparison(game: Game, objective: Objective | None) -> Game:
    """The game compared by a goal such as "points <= 5", or the game itself.

    >>> from sevenout.catalogue import games
    >>> from sevenout.rules.objective import most
    >>> with_comparison(games("threes"), most("points <= 5")).goal.quantity
    ('points <= 5',)
    """
    counters = ("rolls", *game.counters)
    if objective is None or not isinstance(objective.quantity, str):
        return game
    compared = parse_comparison(objective.quantity)
    if compared is None or compared.names[0] not in counters:
        return game
    tallied = CounterComparison(game, compared.names[0], compared.operator, compared.amount)
    return with_objective(tallied, Objective((tallied.label,), objective.sense))
