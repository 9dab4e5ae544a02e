"""Check that rules are deterministic, since random rules would give wrong models without an error.

Moves are computed twice: all of the first `MOVES`, then those of one state in `STRIDE`.
"""

from collections.abc import Mapping, Sequence
from operator import length_hint
from typing import Any

from sevenout.errors import RulesError, shown
from sevenout.model.naming import state_name
from sevenout.rules import Game

MOVES = 1_000
STRIDE = 64


class Twice:
    """Calls rules a second time.

    Attributes:
        due: the number of the next state to check.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.due = self.moves = 0

    def steps(self, number: int, state: Any, law: Sequence[Any], follow: Sequence[Any]) -> None:
        """Check every roll of a state.

        Raises:
            RulesError: a step gives another result.
        """
        self._done(number, len(law))
        step = self.game.step
        for roll, then in zip(law, follow, strict=True):
            again = step(state, roll)
            if again is not then and again != then:
                raise RulesError(
                    f"the rules are not deterministic: the step from {state_name(state)} on "
                    f"{shown(roll)} returned {shown(then)}, and the second time {shown(again)}; "
                    "leave chance to the dice, and keep all memory in the state"
                )

    def menu(self, number: int, state: Any, menu: Mapping[str, Any]) -> None:
        """Check the choices in a state.

        Raises:
            RulesError: they differ.
        """
        self._done(number, len(menu))
        again = self.game.choices(state)
        if dict(again) != dict(menu):
            raise RulesError(
                f"the rules are not deterministic: in state {state_name(state)} the choices were "
                f"{shown(menu)}, and the second time {shown(again)}; leave chance to the dice, "
                "and keep all memory in the state"
            )

    def _done(self, number: int, moves: int) -> None:
        self.moves += moves
        self.due = number + (1 if self.moves < MOVES else STRIDE)


def noted(error: Exception, state: Any, law: Sequence[Any], rolls: Any) -> None:
    """Note the state, and the roll at which the iterator `rolls` stopped, on an error."""
    roll = law[len(law) - length_hint(rolls) - 1]
    error.add_note(f"This was the step from {state_name(state)} on {shown(roll)}.")
