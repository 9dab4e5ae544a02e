"""What an exploration asks the rules besides the next step, and how it checks the answers.

*Outcomes.* `outcomes_in_order` puts them in the order of the rule book; `stakes_of` finds what is
staked.

*Decisions.* `DecisionReader` reads the options in a state, who decides, and what that player sees.

*Repetition.* Rules that draw at random, or remember something outside the state, would give a wrong
model without an error. So `RepetitionCheck` calls them a second time: on all of the first
`CHECKED_MOVES` moves, then in one state in `STRIDE`.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from operator import length_hint
from typing import Any

from sevenout.errors import RulesError, shown
from sevenout.model.naming import state_name
from sevenout.rolling import Rollable
from sevenout.rules import Game, HiddenGame, Outcome

CHECKED_MOVES = 1_000
"""Enough for every move of a small game; a large one pays for the stride only."""

STRIDE = 64
"""One state in this many is checked later on."""


class DecisionReader:
    """Reads the decisions of a game under exploration.

    How it works. `options` checks a menu and returns its names. When the explorer has given the
    decision a node, `note_player` asks the rules who decides there. At the end `check_players`
    compares all nodes, which no single decision can show.

    Attributes:
        game: the rules.
        names_players: whether the rules override `chooser`.
        hides: whether the rules override `sees`.
        choosers: the player who decides, by node; empty if the rules name nobody.
        views: what that player sees, by node; empty if the rules hide nothing.
        shared_options: each tuple of options, by itself, so that equal menus share one.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        # A plain function in place of a method has no `__func__`, and is an override too.
        self.names_players = getattr(game.chooser, "__func__", None) is not Game.chooser
        self.hides = getattr(game.sees, "__func__", None) is not Game.sees
        if self.hides and not isinstance(game, HiddenGame):
            raise RulesError(  # `best` would say in its type that nothing is hidden
                f"{type(game).__name__} hides a part of its state with `sees`; derive it from "
                "sevenout.HiddenGame instead of sevenout.Game"
            )
        self.choosers: dict[int, str] = {}
        self.views: dict[int, Hashable] = {}
        self.shared_options: dict[tuple[str, ...], tuple[str, ...]] = {}

    def options(self, state: Hashable, menu: Mapping[str, Any]) -> tuple[str, ...]:
        """The names of the options; equal menus share one tuple."""
        # `isinstance` with an abstract class is slow, and nearly every menu is a dict.
        if type(menu) is not dict and not isinstance(menu, Mapping):
            raise RulesError(
                f"the choices in state {shown(state)} are {shown(menu)}; "
                "give a mapping from each option's name to what follows it"
            )
        names = tuple(menu)
        shared = self.shared_options.get(names)
        if shared is not None:  # checked before
            return shared
        for name in names:
            if not isinstance(name, str):
                raise RulesError(
                    f"the option {shown(name)} in state {shown(state)} is not a string; name it "
                    "with one, such as 'hold'"
                )
        self.shared_options[names] = names
        return names

    def note_player(self, node: int, state: Hashable) -> None:
        """Note who decides at a new node, and what they see."""
        if self.names_players:
            player = self.game.chooser(state)
            if isinstance(player, str):
                self.choosers[node] = player
            elif player is not None:
                raise RulesError(
                    f"the chooser in state {shown(state)} is {shown(player)}; name the player with "
                    "a string"
                )
        if self.hides:
            self.views[node] = self._view(state, self.choosers.get(node))

    def _view(self, state: Hashable, player: str | None) -> Hashable:
        """What a player sees of a state."""
        if player is None:
            raise RulesError(
                f"`sees` hides something, but `chooser` names no player in state {shown(state)}; "
                "let it name one"
            )
        view = self.game.sees(state, player)
        if not is_hashable(view):  # it is the key of a policy's table
            raise RulesError(
                f"what {shown(player)} sees of {shown(state)} is {shown(view)}, which is not "
                "hashable; give a tuple, a text, a number"
            )
        return view

    def check_players(self, states: Sequence[Hashable], menus: Sequence[tuple[str, ...]]) -> None:
        """Players are named at every decision or at none.

        Raises:
            RulesError: some decisions have a named player and others none.
        """
        if not self.choosers:
            return
        for node, menu in enumerate(menus):
            if menu and node not in self.choosers:
                raise RulesError(
                    f"`chooser` names no player in state {shown(states[node])}, but "
                    f"{shown(next(iter(self.choosers.values())))} elsewhere; name one in each "
                    "state"
                )


class RepetitionCheck:
    """Calls rules a second time, and refuses those that answer differently.

    Attributes:
        game: the rules.
        next_node: the number of the next node to check; the explorer compares, which is faster
            than a call per node.
        moves_checked: the number of moves called twice so far.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.next_node = 0
        self.moves_checked = 0

    def check_steps(
        self, node: int, state: Any, faces: Sequence[Any], results: Sequence[Any]
    ) -> None:
        """Check every roll of a state.

        Raises:
            RulesError: a step gives another result.
        """
        self._count(node, len(faces))
        step = self.game.step
        for face, result in zip(faces, results, strict=True):
            second = step(state, face)
            # Identity first: often both are one object, and large states compare slowly.
            if second is not result and second != result:
                raise RulesError(
                    f"the rules are not deterministic: the step from {state_name(state)} on "
                    f"{shown(face)} returned {shown(result)}, and the second time {shown(second)}; "
                    "leave chance to the dice, and keep all memory in the state"
                )

    def check_menu(self, node: int, state: Any, menu: Mapping[str, Any]) -> None:
        """Check the choices in a state.

        Raises:
            RulesError: they differ.
        """
        self._count(node, len(menu))
        second = self.game.choices(state)
        # The order counts too: of equally good options, the first is taken.
        if second != menu or list(second) != list(menu):
            raise RulesError(
                f"the rules are not deterministic: in state {state_name(state)} the choices were "
                f"{shown(menu)}, and the second time {shown(second)}; leave chance to the dice, "
                "and keep all memory in the state"
            )

    def _count(self, node: int, moves: int) -> None:
        self.moves_checked += moves
        self.next_node = node + (1 if self.moves_checked < CHECKED_MOVES else STRIDE)


def add_step_note(
    error: Exception, state: Any, faces: Sequence[Any], remaining: Iterator[Any]
) -> None:
    """Add to an error of the rules the state and the face at which it was raised.

    Args:
        error: what the rules raised.
        state: the state of the step.
        faces: all faces of the roll.
        remaining: the iterator over them, one past the face of the error.
    """
    # The loop over the faces has no counter, which would slow every step for the sake of a message.
    face = faces[len(faces) - length_hint(remaining) - 1]
    error.add_note(f"This was the step from {state_name(state)} on {shown(face)}.")


def outcomes_in_order(
    game: Game, outcomes: Mapping[Outcome, int], reached: Collection[int]
) -> list[tuple[Outcome, int]]:
    """The reached outcomes with their numbers, in the order of the rule book.

    Args:
        game: the rules.
        outcomes: the number of each outcome.
        reached: the numbers of those that can be reached.
    """
    numbered = [(outcome, k) for outcome, k in outcomes.items() if k in reached]
    # If the game lists its outcomes, their numbers are in that order already.
    if not game.outcomes:
        numbered.sort(key=_rank_by_pays(game))
    return numbered


def _rank_by_pays(game: Game) -> Callable[[tuple[Outcome, int]], list[int]]:
    """The sort key of an outcome: the rank of what it pays in the rule book, bet by bet."""
    rank_of_pay = {
        bet: {pay: rank for rank, pay in enumerate(game.pays_of(bet))} for bet in game.bets or ()
    }

    def rank(numbered: tuple[Outcome, int]) -> list[int]:
        pays = dict(numbered[0].pays)
        # An outcome that doesn't pay a bet, or pays it by no rule, comes first.
        return [
            ranks.get(pays[bet], -1) if bet in pays else -1 for bet, ranks in rank_of_pay.items()
        ]

    return rank


def stakes_of(outcomes: Iterable[Outcome]) -> dict[str, Fraction]:
    """The stake of each bet in the outcomes.

    >>> from sevenout.rules import lose, win
    >>> stakes_of([win(stake=5), lose(stake=5)])
    {'pass': Fraction(5, 1)}

    Raises:
        RulesError: outcomes with different stakes for a bet.
    """
    stakes: dict[str, Fraction] = {}
    for outcome in outcomes:
        for bet, pay in outcome.pays:
            if stakes.setdefault(bet, pay.stake) != pay.stake:
                raise RulesError(
                    f"the stake of {shown(bet)} is {stakes[bet]} in one outcome and {pay.stake} in "
                    "another; a bet has one stake"
                )
    return stakes


def must_be_rollable(rollable: Any) -> Rollable:
    """The argument, if it can be rolled.

    Raises:
        RulesError: it is neither dice nor a distribution.
    """
    if not isinstance(rollable, Rollable):
        raise RulesError(f"{shown(rollable)} can't be rolled; write sevenout.dice('2d6')")
    return rollable


def is_hashable(value: Any) -> bool:
    """Whether a value is hashable.

    >>> is_hashable((1, 2)), is_hashable([1, 2])
    (True, False)
    """
    try:
        hash(value)
    except TypeError:
        return False
    return True
