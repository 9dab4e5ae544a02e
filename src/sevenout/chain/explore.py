"""Rules ► chain: play every roll once, in every state that can be reached."""

from collections.abc import Hashable
from typing import Any

from sevenout.chain.chain import Chain, Counts, Move, state_name
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
    index: dict[Hashable, int] = {game.start: 0}
    states: list[Hashable] = [game.start]
    outcomes: dict[Settled, int] = {outcome: k for k, outcome in enumerate(game.outcomes)}
    rollables: dict[Rollable, int] = {}
    rolled: list[int] = []
    rolls: list[tuple[Any, ...]] = []
    rows: list[list[Move]] = []  # in which ~k stands for outcome k, until the states are counted
    known: dict[tuple[int, Counts], Move] = {}
    for state in states:  # grows as we go
        what = game.rolls(state)
        if isinstance(what, Game):
            return explore(Flat(game), max_states)
        which = rollables.setdefault(what, len(rollables))
        if which == len(rolls):
            rolls.append(tuple(what.law))
        rolled.append(which)
        row: list[Move] = []
        for roll in rolls[which]:
            then = game.step(state, roll)
            counts: Counts = ()
            if isinstance(then, Counted):
                then, counts = then.then, then.counts
            if isinstance(then, Settled):
                move = ~outcomes.setdefault(then, len(outcomes)), counts
            else:
                move = _number(then, index, states, state, roll), counts
            row.append(known.get(move) or known.setdefault(move, Move(*move)))
        rows.append(row)
        if len(states) > max_states:
            raise TooManyStatesError(
                f"more than {max_states:,} states; raise max_states, or forget what the rules "
                "do not need to remember"
            )
    n = len(states)
    _must_end(states, rows)
    settled = {~target for target, _ in known if target < 0}
    kept = [(outcome, k) for outcome, k in outcomes.items() if k in settled]
    place = {~k: n + i for i, (_, k) in enumerate(kept)}
    final = {m: m if m[0] >= 0 else Move(place[m[0]], m[1]) for m in known.values()}
    return Chain(
        states=tuple(states),
        outcomes=tuple(outcome for outcome, _ in kept),
        rollables=tuple(rollables),
        rolled=tuple(rolled),
        moves=tuple([tuple([final[move] for move in row]) for row in rows]),
        stakes=dict(game.stakes),
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


def _must_end(states: list[Hashable], rows: list[list[Move]]) -> None:
    """Refuse a game that can go on for ever: every state must reach an outcome."""
    before: dict[int, list[int]] = {-1: []}
    for s, row in enumerate(rows):
        for target in {max(move[0], -1) for move in row}:
            before.setdefault(target, []).append(s)
    ends = {-1}
    frontier = [-1]
    while frontier:
        for s in before.get(frontier.pop(), ()):
            if s not in ends:
                ends.add(s)
                frontier.append(s)
    stuck = [state_name(state) for s, state in enumerate(states) if s not in ends]
    if stuck:
        shown = ", ".join(stuck[:10]) + (f" and {len(stuck) - 10} more" if len(stuck) > 10 else "")
        raise EndlessGameError(f"the game can go on for ever: no way to settle it from {shown}")
