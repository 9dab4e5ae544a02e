"""Objectives: the most or the least of something.

class Threes(Game):
    goal = least("points")

goal = "least points"           # the same in a game file

A goal such as "points <= 5" compares a counter at the end of the game. `Tallied` is the game that
remembers the counter; its value is the probability of the comparison.
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
from sevenout.rules.game import Around, Game, follow
from sevenout.rules.outcome import (
    Ask,
    Counts,
    Outcome,
    Passed,
    choose_again,
    followed,
    pass_turn,
    settle,
)

G = TypeVar("G", bound=Game)
Wish = str | Iterable[str] | Callable[[Outcome], Any]
"""A bet or a counter: its mean. One or several labels of outcomes: their probability. A function
from an outcome to its value. "bet >= 3": the probability of such a profit per unit staked.
"""

WISHES = "name a bet, a counter, an outcome or several, or give a value for each outcome"
MOST, LEAST = ("most", "highest", "best"), ("least", "fewest", "lowest")


@dataclass(frozen=True)
class Objective:
    """The objective of a game; made by `most` and `least`.

    >>> print(least("points")), least("points").arguments
    least points
    (None, {'least': 'points'})

    Attributes:
        wish: what is wanted, as `sevenout.best` takes it.
        sense: 1 to maximise, -1 to minimise.
    """

    wish: Wish
    sense: Literal[1, -1] = 1

    def __post_init__(self) -> None:
        if isinstance(self.wish, str) and self.wish.strip():
            return
        if callable(self.wish) or (isinstance(self.wish, tuple) and self.wish):
            return
        raise RulesError(f"{shown(self.wish)} is not a goal; {WISHES}")

    @property
    def arguments(self) -> dict[str, Any]:
        """The objective as keyword arguments of `sevenout.best`."""
        return {"most" if self.sense > 0 else "least": self.wish}

    def __str__(self) -> str:
        wish = f"P({' or '.join(self.wish)})" if isinstance(self.wish, tuple) else self.wish
        return f"{'most' if self.sense > 0 else 'least'} {getattr(wish, '__name__', wish)}"


def most(wish: Wish) -> Objective:
    """The objective of maximising something.

    >>> print(most("24"))
    most 24

    Args:
        wish: a bet, a counter, one or several outcomes, "bet >= 3", or a function of the outcome.

    Raises:
        RulesError: another kind of wish.
    """
    return Objective(_kept(wish), 1)


def least(wish: Wish) -> Objective:
    """The objective of minimising something.

    >>> from sevenout.rules import Game
    >>> class Threes(Game):
    ...     goal = least("points")
    ...     def step(self, state, roll): ...
    >>> print(objective_of(Threes()))
    least points

    Raises:
        RulesError: another kind of wish.
    """
    return Objective(_kept(wish), -1)


def _kept(wish: Any) -> Any:
    """A wish with lists as tuples."""
    return tuple(wish) if isinstance(wish, list | set | frozenset | dict) else wish


def parse_objective(text: str) -> Objective:
    """The objective in words; the most, unless they say otherwise.

    >>> print(parse_objective("fewest rolls"), "|", parse_objective("P(shut)"))
    least rolls | most P(shut)

    Raises:
        RulesError: no words.
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
    given = game.goal
    if isinstance(given, str):
        return parse_objective(given)
    if given is None or isinstance(given, Objective | int | float | Fraction):
        return given if isinstance(given, Objective) else None
    raise RulesError(f"goal = {shown(given)}; write so.most(...), so.least(...) or a text")


def played_for(game: G, objective: Objective) -> G:
    """The same game with another objective.

    >>> from sevenout.rules import PointGame
    >>> craps = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    >>> craps.goal, str(played_for(craps, most("P(natural)")).goal)
    (None, 'most P(natural)')
    """
    # A shallow copy keeps all that the game has cached; a frozen dataclass refuses to be changed.
    other = copy(game)
    object.__setattr__(other, "goal", objective)
    return other


@dataclass(frozen=True)
class WishRead:
    """A parsed wish.

    Attributes:
        kind: "bet", "counter", "outcomes", "profit" for a comparison of a bet's profit, or "tally"
            for one of a counter.
        sign: of a comparison: "<=", "<", ">", ">=" or "=".
        amount: compared with, per unit staked.
        names: the bet or counter, or the labels of outcomes.
    """

    kind: Literal["bet", "counter", "outcomes", "profit", "tally"]
    names: tuple[str, ...]
    sign: str = ""
    amount: Fraction = Fraction(0)

    @property
    def holds(self) -> Callable[[Fraction], bool]:
        """A function that tells whether a profit satisfies the comparison."""
        compare, amount = SIGNS[self.sign], self.amount
        return lambda profit: bool(compare(profit, amount))


SIGNS = {"<=": le, ">=": ge, "==": eq, "<": lt, ">": gt, "=": eq}
_COMPARED = re.compile(r"(?P<name>.+?)\s*(?P<sign><=|>=|==|<|>|=)\s*(?P<amount>[^<>=\s]+)")


def comparison(wish: str) -> WishRead | None:
    """The comparison in "points <= 5"; None if there is none.

    Raises:
        NotationError: the right-hand side is not a number.
    """
    inside = re.fullmatch(r"P\((.+)\)", wish)
    match = _COMPARED.fullmatch(inside[1] if inside else wish)
    if not match:
        return None
    return WishRead(
        "tally", (match["name"],), match["sign"].replace("==", "="), exact(match["amount"])
    )


def read_wish(
    wish: str, bets: Collection[str], counters: Collection[str], labels: Collection[str]
) -> WishRead:
    """A parsed wish, with names looked up.

    >>> read_wish("P(pass <= 5)", ["pass"], ["rolls"], []).sign
    '<='

    Args:
        wish: "pass", "rolls", "natural", "P(natural or point)", "pass <= 5".
        bets: the names of the bets.
        counters: the names of the counters.
        labels: the labels of the outcomes.

    Raises:
        RulesError: nothing has that name.
    """
    # Names come before expressions, since a label may look like a comparison.
    if wish in bets:
        return WishRead("bet", (wish,))
    if wish in counters:
        return WishRead("counter", (wish,))
    if wish in labels:
        return WishRead("outcomes", (wish,))
    inside = re.fullmatch(r"P\((.+)\)", wish)
    if inside:
        # A label may have " or " in it, so the whole is tried before its parts.
        whole = (inside[1],)
        named = whole if inside[1] in labels else tuple(map(str.strip, inside[1].split(" or ")))
        if set(named) <= set(labels):
            return WishRead("outcomes", named)
    match = _COMPARED.fullmatch(inside[1] if inside else wish)
    if match and match["name"] in bets:
        sign = match["sign"].replace("==", "=")
        return WishRead("profit", (match["name"],), sign, exact(match["amount"]))
    if match and match["name"] in counters:
        sign = match["sign"].replace("==", "=")
        return WishRead("tally", (match["name"],), sign, exact(match["amount"]))
    known = {"bets": bets, "counters": counters, "outcomes": [*labels][:12]}
    listed = "; ".join(f"{kind}: {', '.join(names)}" for kind, names in known.items() if names)
    # A game may have hundreds of labels, and an error is one line.
    raise RulesError(f"{shown(wish)} can't be a goal; {listed}"[:390])


# --- comparisons of a counter ---------------------------------------------------------------------


@dataclass(frozen=True)
class Tallied(Around):
    """A game that ends in a comparison: "points <= 5", or "not points <= 5".

    >>> from sevenout.catalogue import games
    >>> low = Tallied(games("threes"), "points", "<=", Fraction(5))
    >>> low.start, low.choices((2, (6, 0), 1))["keep 1 of 2"]
    ((5, (), 0), (1, (), 1))

    A state is the game's state with the counter, up to the largest value that matters, as its last
    part.

    Args:
        counter: one that never goes down.
        sign: "<=", "<", ">", ">=" or "=".
        amount: the right side of the comparison.

    Attributes:
        counters: none, since the counter is part of the state.

    Raises:
        RulesError: in play, the counter goes down.
    """

    game: Game
    counter: str
    sign: str
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
        return f"{self.counter} {self.sign} {self.amount}"

    @property
    def outcomes(self) -> Sequence[Outcome]:  # type: ignore[override]
        return (settle(self.label), settle(f"not {self.label}"))

    @property
    def coordinates(self) -> Sequence[str]:  # type: ignore[override]
        return (*self.game.coordinates, self.counter) if self.game.coordinates else ()

    @property
    def start(self) -> Any:  # type: ignore[override]
        return self._state(self.game.start, Fraction(0))

    def inner(self, state: Any) -> Any:
        """The state of the game itself."""
        return state[0] if self._bare else state[:-1]

    @cached_property
    def _bare(self) -> bool:
        """Whether the game's states are not tuples."""
        return not isinstance(self.game.start, tuple)

    def _state(self, state: Any, tally: Fraction) -> Any:
        most = Fraction(floor(self.amount) + 1)  # larger counts give the same result
        tally = min(tally, most)
        number = int(tally) if tally.denominator == 1 else tally
        # A state that is no tuple, such as a text, has no last part to add.
        return (state, number) if self._bare else (*state, number)

    def rolls(self, state: Any) -> Any:
        return self.game.rolls(self.inner(state))

    def chooser(self, state: Any) -> str | None:
        return self.game.chooser(self.inner(state))

    def step(self, state: Any, roll: Any) -> Any:
        then, counts, passes = follow(self.game, self.inner(state), roll)
        more = (("rolls", 1),) if self.counter == "rolls" else ()
        after = self._after(then, state[-1], (*counts, *more))
        return pass_turn(after) if passes else after

    def choices(self, state: Any) -> Mapping[str, Any]:
        """The game's choices, with the counter."""
        menu = self.game.choices(self.inner(state))
        return {option: self._chosen(then, state[-1]) for option, then in menu.items()}

    def _chosen(self, then: Any, tally: Any) -> Any:
        after, counts, passes = followed(then)
        chooses_again = isinstance(after, Ask)
        state = self._after(after.state if chooses_again else after, tally, counts)
        state = choose_again(state) if chooses_again else state
        return Passed(state) if passes else state

    def _after(self, then: Any, tally: Any, counts: Counts) -> Any:
        n = dict(counts).get(self.counter, 0)
        # The tally is cut off above, which is right only if it never comes down again.
        if n < 0:
            raise RulesError(
                f"the counter {self.counter} goes down by {shown(-n)}, so it can't be compared; "
                "ask for the most or the least of it"
            )
        total = Fraction(tally) + n
        if not isinstance(then, Outcome):
            return self._state(then, total)
        holds, fails = self.outcomes
        return holds if SIGNS[self.sign](total, self.amount) else fails


def compared_of(game: Game, objective: Objective | None) -> Game:
    """The game compared by a goal such as "points <= 5", or the game itself.

    >>> from sevenout.catalogue import games
    >>> from sevenout.rules.objective import most
    >>> compared_of(games("threes"), most("points <= 5")).goal.wish
    ('points <= 5',)
    """
    counters = ("rolls", *game.counters)
    compared = comparison(objective.wish) if objective and isinstance(objective.wish, str) else None
    if objective is None or compared is None or compared.names[0] not in counters:
        return game
    tallied = Tallied(game, compared.names[0], compared.sign, compared.amount)
    return played_for(tallied, Objective((tallied.label,), objective.sense))
