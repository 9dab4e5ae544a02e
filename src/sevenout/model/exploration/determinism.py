"""Rules must be deterministic: a step that is asked again must say the same again.

Rules that draw numbers of their own, or remember what they were asked, can be explored without a
complaint, and every answer would be wrong. So moves are asked twice: all of the first `MOVES`, and
after these all moves of one state in `STRIDE`.
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
    """Asks rules a second time.

    Attributes:
        due: the number of the next state that is asked again.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.due = self.moves = 0

    def steps(self, number: int, state: Any, law: Sequence[Any], follow: Sequence[Any]) -> None:
        """Play every roll of a state again.

        Raises:
            RulesError: a step leads elsewhere than before.
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
        """Ask for the choices in a state again.

        Raises:
            RulesError: they are not the same as before.
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
    """Note on an error of the rules in which state it came, and on which roll.

    Args:
        error: what the rules raised.
        state: the state.
        law: what can be rolled, in order.
        rolls: the iterator over it that was left.
    """
    roll = law[len(law) - length_hint(rolls) - 1]
    error.add_note(f"This was the step from {state_name(state)} on {shown(roll)}.")
