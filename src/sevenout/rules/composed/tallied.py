"""A game that remembers a counter, to compare it at the end."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import Any

from sevenout.errors import RulesError, shown
from sevenout.rules.game import Around, Game, follow
from sevenout.rules.objective import SIGNS, Objective, comparison, played_for
from sevenout.rules.outcome import Ask, Counts, Outcome, Passed, ask, followed, passed, settle


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
        return (state, number) if self._bare else (*state, number)

    def rolls(self, state: Any) -> Any:
        return self.game.rolls(self.inner(state))

    def chooser(self, state: Any) -> str | None:
        return self.game.chooser(self.inner(state))

    def step(self, state: Any, roll: Any) -> Any:
        then, counts, passes = follow(self.game, self.inner(state), roll)
        more = (("rolls", 1),) if self.counter == "rolls" else ()
        after = self._after(then, state[-1], (*counts, *more))
        return passed(after) if passes else after

    def choices(self, state: Any) -> Mapping[str, Any]:
        """The game's choices, with the counter."""
        menu = self.game.choices(self.inner(state))
        return {option: self._chosen(then, state[-1]) for option, then in menu.items()}

    def _chosen(self, then: Any, tally: Any) -> Any:
        after, counts, passes = followed(then)
        asked = isinstance(after, Ask)
        state = self._after(after.state if asked else after, tally, counts)
        state = ask(state) if asked else state
        return Passed(state) if passes else state

    def _after(self, then: Any, tally: Any, counts: Counts) -> Any:
        n = dict(counts).get(self.counter, 0)
        if n < 0:
            raise RulesError(
                f"the counter {self.counter} goes down by {shown(-n)}, so it can't be compared; "
                "ask for the most or the least of it"
            )
        total = Fraction(tally) + n
        if not isinstance(then, Outcome):
            return self._state(then, total)
        return self.outcomes[not SIGNS[self.sign](total, self.amount)]


def compared_of(game: Game, objective: Objective | None) -> Game:
    """The game compared by a goal such as "points <= 5", or the game itself.

    >>> from sevenout.catalogue import games
    >>> from sevenout.rules.objective import most
    >>> compared_of(games("threes"), most("points <= 5")).goal.wish
    ('points <= 5',)
    """
    counters = ("rolls", *game.counters)
    found = comparison(objective.wish) if objective and isinstance(objective.wish, str) else None
    if objective is None or found is None or found.names[0] not in counters:
        return game
    asked = Tallied(game, found.names[0], found.sign, found.amount)
    return played_for(asked, Objective((asked.label,), objective.sense))
