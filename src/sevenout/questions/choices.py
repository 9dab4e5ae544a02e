"""A game with choices and its objective: the subject of questions about optimal play."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sevenout.errors import RulesError, shown
from sevenout.model import Chain, Model, explore, has_choices, state_name
from sevenout.model.naming import in_words
from sevenout.questions.arguments import ArgumentError
from sevenout.questions.named_policies import BEST, called, policies_of, policy_of, wish_of
from sevenout.questions.states import states_meant
from sevenout.questions.subjects import GameSubject, subject_of
from sevenout.questions.turn_states import turn_of
from sevenout.rules import ByTurns
from sevenout.solving.best_play import BestPlay

if TYPE_CHECKING:
    from sevenout.solving import Optimum


@dataclass(frozen=True)
class Choices:
    """A game with choices, solved when needed.

    >>> from sevenout.catalogue import games
    >>> Choices.of(games.entry("pig-turn")).optimum.value
    Fraction(492303203, 60466176)

    Attributes:
        chosen: None if the optimum was `given`.
        goal: the objective in words; None for the game's own.
        against: the other player's policy; None for the best.
    """

    chosen: GameSubject | None
    goal: str | None = None
    against: Any = None
    method: Any = "auto"
    given: BestPlay | None = None

    @classmethod
    def of(
        cls, given: Any, goal: str | None = None, against: Any = None, method: str = "auto"
    ) -> "Choices":
        """A game with choices, or its optimum, as a subject."""
        if isinstance(given, BestPlay):
            if (goal, against, method) != (None, None, "auto"):
                raise RulesError(
                    "the game is already solved; leave goal=, against= and method= out"
                )
            return cls(None, given=given)
        chosen = subject_of(given)
        if not has_choices(chosen.game) and isinstance(explore(chosen.game), Chain):
            raise RulesError(f"{chosen.title} has no choices; use `sevenout odds`")
        if isinstance(chosen.game, ByTurns) and against is not None:
            raise RulesError(
                f"{chosen.title} has one player; leave against= out, and use policy= to compare "
                "a policy"
            )
        if against == BEST:
            raise ArgumentError("against", f"{BEST} is always shown; leave it out")
        other = None if against is None else policy_of(chosen, against)
        wish_of(chosen, goal)
        return cls(chosen, goal, other, method)

    @property
    def turns(self) -> bool:
        """Whether it is a game of turns."""
        played = self.chosen.game if self.chosen is not None else getattr(self.given, "game", None)
        return isinstance(played, ByTurns)

    @cached_property
    def asked(self) -> dict[str, Any]:
        """The arguments of the solver."""
        assert self.chosen is not None
        wish = wish_of(self.chosen, self.goal)
        return wish | {"against": self.against, "method": self.method}

    @cached_property
    def optimum(self) -> BestPlay:
        """Optimal play."""
        from sevenout.solving.optimal_play import best

        if self.given is not None:
            return self.given
        assert self.chosen is not None
        found: BestPlay = best(self.chosen.game, **self.asked)
        return found

    @property
    def table(self) -> "Optimum":
        """Optimal play of a game with a list of decision states and costs."""
        from sevenout.solving import Optimum

        if not isinstance(self.optimum, Optimum):
            raise RulesError(
                "a game of turns or of hidden dice has no list of decision states; give another "
                "game with choices, such as pig"
            )
        return self.optimum

    def policies(self, names: tuple[Any, ...] = ()) -> Mapping[str, Any]:
        """Policies to compare, by name; by default, the game's own simple ones."""
        if self.chosen is None:
            return {called(one): one for one in names}
        found = {called(name): policy_of(self.chosen, name) for name in names}
        return found or policies_of(self.chosen, self.goal)

    def at(self, text: Any) -> tuple[BestPlay, Any]:
        """Optimal play, and the state that a text describes; resolved before solving."""
        from sevenout.solving.goal import goal_of_turns
        from sevenout.solving.optimal_play import posed, solved

        if self.chosen is None:
            found: Any = self.optimum
            if hasattr(found, "meant"):
                return found, _meant(found, text)
            model = getattr(found, "model", None)
            return found, text if model is None else state_of(model, text)
        game = self.chosen.game
        if isinstance(game, ByTurns):
            goal = goal_of_turns(game, self.asked.get("most"), self.asked.get("least"))
            state = turn_of(game, goal, text)
            return self.optimum, state
        arena = posed(game, **self.asked)
        if arena.hands is not None:
            found = solved(arena, self.method)
            return found, _meant(found, text)
        state = state_of(arena.model, text, self.against)
        return solved(arena, self.method), state


def _meant(optimum: Any, text: Any) -> Any:
    """The state of a game of hidden hands that a text describes."""
    try:
        return optimum.meant(text)
    except RulesError as error:
        raise ArgumentError("at", str(error)) from None


def state_of(model: Model, text: Any, against: Any = None) -> Any:
    """The state that a text describes, as printed or in Python syntax.

    Raises:
        ArgumentError: it is not a decision state, or it is unreachable against that policy.
    """
    asked = model.asked
    names = () if model.seen else model.coordinates  # they don't name parts of what is seen
    if not asked:
        raise ArgumentError(
            "at", f"{shown(text)} is not a decision state; this game has no choices"
        )
    try:
        if text in asked:
            return text
    except TypeError:  # an unhashable value is not a state
        pass
    found = states_meant(str(text), asked, names)
    if model.seen and not found:  # as in a table, below the player's name
        found = [
            each
            for each in asked
            if isinstance(each, tuple) and state_name(each[1]) == str(text).strip()
        ]
    if len(found) == 1:
        return found[0]
    some = "; ".join(in_words(state, names) for state in found[:6] or list(asked)[:6])
    if found:
        raise ArgumentError("at", f"{shown(text)} fits several states: {some}")
    if against is not None:
        raise ArgumentError(
            "at",
            f"{shown(text)} is not a reachable decision state against that policy; leave "
            f"against= out, or give one such as: {some}",
        )
    raise ArgumentError(
        "at", f"{shown(text)} is not a decision state; the decision states include: {some}"
    )
