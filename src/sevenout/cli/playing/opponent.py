"""The players at the terminal, and the cost of each choice."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import Any

from sevenout.documents.numbers import decimal
from sevenout.errors import RulesError
from sevenout.model import explore, has_choices
from sevenout.model.process import SEATS, drawn, seen_by_first
from sevenout.questions.named_policies import BEST, policy_of, wish_of
from sevenout.questions.subjects import GameSubject
from sevenout.rules import ByTurns, Game, HiddenHands, KeepRoll, Outcome
from sevenout.rules.position import Position


class Players:
    """The player at the terminal, who plays first, and the other side, if any.

    Attributes:
        coached: whether to compute the cost of each choice.
        cost: the cost of the player's choices so far.
    """

    def __init__(self, chosen: GameSubject, against: str | None, coach: bool) -> None:
        if not has_choices(chosen.game) and (coach or against is not None):
            option = "--coach" if coach else "--against"
            raise RulesError(f"{chosen.title} has no choices; leave {option} out")
        self.chosen, self.coached = chosen, coach
        self.cost = Fraction(0)
        self._against = against or BEST
        if against not in (None, BEST):
            assert against is not None
            policy_of(chosen, against)
        self._two = False
        self.hides = type(chosen.game).sees is not Game.sees

    @cached_property
    def _model(self) -> Any:
        return explore(self.chosen.game)

    @cached_property
    def _optimum(self) -> Any:
        from sevenout.solving.optimal_play import best

        whole = isinstance(self.chosen.game, ByTurns | HiddenHands)
        return best(self.chosen.game if whole else self._model, **wish_of(self.chosen, None))

    @cached_property
    def _other(self) -> Any:
        if self._against == BEST:
            return self._optimum.policy
        return policy_of(self.chosen, self._against)

    def mine(self, position: Position) -> bool:
        """Whether the player at the terminal moves next; hidden dice roll by themselves."""
        if self.hides and not position.settled:
            who = position.game.chooser(position.state) if position.options else None
            return bool(who == self._optimum.goal.player)
        self._two = self._two or bool(position.seat)
        if position.settled or not position.options:
            return not position.seat
        who = position.game.chooser(position.state)
        if who is None:
            return not position.seat
        self._two = True
        return bool(who == self._model.players[0])

    def answer(self, position: Position, random: Random) -> str:
        """The other side's choice, drawn at random if its policy mixes."""
        other, asked = self._other, position.question
        return drawn(other[asked] if isinstance(other, Mapping) else other(asked), random)

    def who(self, position: Position) -> str:
        """The side to move, in words; "" with a single player."""
        if self.hides and position.options:
            return position.game.chooser(position.state) or ""
        return SEATS[position.seat] if self._two else ""

    def seen(self, position: Position) -> Outcome:
        """The outcome for the player at the terminal."""
        assert position.settled
        if (
            self.hides
            or not self._two
            or position.game.chooser(position.history[-1].state) is not None
        ):
            return position.settled
        return seen_by_first(position.settled, position.seat)

    def weigh(self, position: Position, option: str) -> str:
        """The cost of a choice in words; call this before the choice is made."""
        optimum, state = self._optimum, position.question
        if self.hides:
            return self._weigh_hidden(state, option)
        first = (optimum.at if option in position.options else optimum.plans)(state)[0]
        cost = optimum.costs(state, option)
        self.cost += cost
        mean = decimal(first.value)
        if not cost:
            return f"{option}: no option is better. Its mean is {mean}"
        return f"{option} costs {decimal(cost)}: {first.name} is best, with mean {mean}"

    def _weigh_hidden(self, asked: Any, option: str) -> str:
        """The cost of a choice against the optimal policy, and what that policy does."""
        try:
            cost = self._optimum.costs(asked, option)
        except RulesError:  # the other player did what the policy never does
            return f"{option}: the optimal policy never leads here"
        self.cost += cost
        value = f"costs {decimal(cost)}" if cost else "is as good as any"
        return f"{option} {value}; the optimal policy plays {self._optimum.does(asked)}"


def kept(line: str, position: Position) -> tuple[str, tuple[str, ...]] | None:
    """The dice that a line keeps, as a plan, and the answers that keep them; None if it keeps none.

    >>> from sevenout.catalogue import games
    >>> position = Position(games("yahtzee"))
    >>> for face in (2, 2, 3, 5, 6):
    ...     _ = position.roll(face)
    >>> kept("keep 2 2", position)
    ('keep 2 2', ('put back 3', 'put back 5', 'put back 6', 'roll'))

    Raises:
        NotationError: dice that are not there.
    """
    game, words = position.game, line.split()
    turn = game.turn if isinstance(game, ByTurns) else game
    state = position.state[2] if isinstance(game, ByTurns) else position.state
    if not isinstance(turn, KeepRoll) or isinstance(state, Outcome):
        return None
    if words == ["roll", "all"]:
        return turn.keep(state, "none")
    return turn.keep(state, " ".join(words[1:])) if words[:1] == ["keep"] and words[1:] else None
