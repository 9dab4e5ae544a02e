"""Rules ► chain: play every roll once, in every state that can be reached."""

from collections.abc import Hashable
from typing import Any

from sevenout.chain.chain import Chain, Move, state_name
from sevenout.dice import Rollable
from sevenout.errors import EndlessGameError, RulesError, TooManyStatesError
from sevenout.rules import Counted, Flat, Game, Settled

MAX_STATES = 1_000_000


def explore(game: Game, max_states: int = MAX_STATES) -> Chain:
    """The chain of a game.

    A game of games is played out on the dice at the bottom.

    >>> from sevenout.rules import PointGame
    >>> explore(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7))
    <Chain of 7 states and 4 outcomes>

    Args:
        game: the rules.
        max_states: refuse a game with more states.

    Raises:
        TooManyStatesError: more states than `max_states`.
        EndlessGameError: a state from which no outcome can be reached.
        RulesError: a step that returns something that is neither a state nor an outcome.
    """
    if isinstance(game.rolls(game.start), Game):
        game = Flat(game)
    index: dict[Hashable, int] = {game.start: 0}
    states: list[Hashable] = [game.start]
    outcomes: dict[Settled, int] = {}
    rollables: dict[Rollable, int] = {}
    which: list[int] = []
    rolls: list[tuple[Any, ...]] = []
    rows: list[list[Move]] = []
    for state in states:  # grows as we go
        rolled = game.rolls(state)
        if isinstance(rolled, Game):
            return explore(Flat(game), max_states)
        if rolled not in rollables:
            rollables[rolled] = len(rollables)
            rolls.append(tuple(rolled.law))
        which.append(rollables[rolled])
        row: list[Move] = []
        for roll in rolls[which[-1]]:
            then = game.step(state, roll)
            counts = ()
            if isinstance(then, Counted):
                then, counts = then.then, then.counts
            if isinstance(then, Settled):
                target = ~outcomes.setdefault(then, len(outcomes))
            else:
                target = _number(then, index, states, state, roll)
            row.append(Move(target, counts))
        rows.append(row)
        if len(states) > max_states:
            raise TooManyStatesError(
                f"more than {max_states:,} states; raise max_states, or forget what the rules "
                "do not need to remember"
            )
    n = len(states)
    moves = tuple(
        [tuple([m if m[0] >= 0 else Move(n + ~m[0], m[1]) for m in row]) for row in rows]
    )
    _must_end(states, moves)
    return Chain(
        tuple(states), tuple(outcomes), tuple(rollables), tuple(which), moves, dict(game.stakes)
    )


def _number(
    then: Any, index: dict[Hashable, int], states: list[Hashable], state: Any, roll: Any
) -> int:
    try:
        known = index.get(then)
    except TypeError:
        raise RulesError(
            f"the step from {state_name(state)} on {roll!r} returned {then!r}, "
            "which is not hashable; a state is a number, a text, a tuple, ..."
        ) from None
    if known is None:
        known = index[then] = len(states)
        states.append(then)
    return known


def _must_end(states: list[Hashable], moves: tuple[tuple[Move, ...], ...]) -> None:
    """Refuse a game that can go on for ever: every state must reach an outcome."""
    n = len(states)
    before: dict[int, list[int]] = {}
    for s, row in enumerate(moves):
        for target in {move.target for move in row}:
            before.setdefault(min(target, n), []).append(s)
    ends = {n}
    frontier = [n]
    while frontier:
        for s in before.get(frontier.pop(), ()):
            if s not in ends:
                ends.add(s)
                frontier.append(s)
    stuck = [state_name(state) for s, state in enumerate(states) if s not in ends]
    if stuck:
        shown = ", ".join(stuck[:10]) + (f" and {len(stuck) - 10} more" if len(stuck) > 10 else "")
        raise EndlessGameError(f"the game can go on for ever: no way to settle it from {shown}")
