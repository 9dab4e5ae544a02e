"""Rules ► chain: play every roll once, in every state that can be reached."""

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

from sevenout.chain.chain import Chain, Move, stakes_of, state_name
from sevenout.cost import afford
from sevenout.dice import Rollable
from sevenout.errors import EndlessGameError, RulesError, TooManyStatesError, shown
from sevenout.rules import Counted, Flat, Game, Outcome
from sevenout.rules.game import Counts, must_be_a_game, no_state, not_a_state, start_of

if TYPE_CHECKING:
    from sevenout.chain.model import Model

MAX_STATES = 1_000_000


def chain_of(game: "Game | Chain", max_states: int = MAX_STATES) -> Chain:
    """The chain of a game that asks nobody anything; a chain is its own.

    Raises:
        RulesError: not a game, or a game with choices and nobody to make them.
    """
    found = game if isinstance(game, Chain) else explore(game, max_states)
    if not isinstance(found, Chain):
        some = state_name(found.states[next(found.questions)])
        raise RulesError(
            f"the game asks what to do in state {some}; say who answers: sevenout.best(game), or "
            "sevenout.explore(game).under(policy)"
        )
    return found


def explore(game: Game, max_states: int = MAX_STATES) -> "Chain | Model":
    """The chain of a game; of a game with choices, its model.

    A game of games is played out on the dice at the bottom.

    >>> from sevenout.rules import PointGame
    >>> explore(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7))
    <Chain of 7 states and 4 outcomes>

    Args:
        game: the rules.
        max_states: refuse a game with more states.

    Raises:
        TooManyStatesError: more states than `max_states`.
        TooMuchWorkError: more states and rolls than the budget allows.
        EndlessGameError: a state from which no outcome can be reached.
        RulesError: a step that returns something that is neither a state nor an outcome.
    """
    must_be_a_game(game)
    if type(game).choices is not Game.choices:
        from sevenout.chain.asking import explore_choices

        model = explore_choices(game, max_states)
        return model if any(model.menus) else model.under({})
    game.afford()
    start = start_of(game)
    index: dict[Hashable, int] = {start: 0}
    states: list[Hashable] = [start]
    outcomes: dict[Outcome, int] = {outcome: k for k, outcome in enumerate(game.outcomes)}
    rollables: dict[Rollable, int] = {}
    rolled: list[int] = []
    rolls: list[tuple[Any, ...]] = []
    last: Rollable | None = None
    which = 0
    known = 0
    rows: list[list[int]] = []  # targets; ~k is outcome k until the states are counted
    advanced: dict[tuple[int, int], Counts] = {}  # the counters of a state's roll, where any
    for state in states:  # grows as we go
        what = game.rolls(state)
        if isinstance(what, Game):
            return explore(Flat(game), max_states)
        if not isinstance(what, Rollable):
            raise RulesError(f"{shown(what)} can't be rolled; write sevenout.dice('2d6')")
        if what is not last:  # most games roll one thing, and hashing it takes a while
            last, which = what, rollables.setdefault(what, len(rollables))
            if which == len(rolls):
                rolls.append(tuple(what.law))
        rolled.append(which)
        row: list[int] = []
        for roll in rolls[which]:
            then = game.step(state, roll)
            if isinstance(then, Counted):
                advanced[len(rows), len(row)] = then.counts
                then = then.then
            if isinstance(then, Outcome):
                row.append(~outcomes.setdefault(then, len(outcomes)))
                continue
            try:
                target = index.setdefault(then, len(states))
            except TypeError:
                raise RulesError(no_state(then, state, roll)) from None
            if then is None:  # it may be known as the start
                raise RulesError(no_state(then, state, roll))
            if target == len(states):
                if not_a_state(then):
                    raise RulesError(no_state(then, state, roll))
                states.append(then)
            row.append(target)
        rows.append(row)
        if len(states) > 2 * known:
            known = len(states)
            _afford(known, len(row))
        if len(states) > max_states:
            raise TooManyStatesError(
                f"more than {max_states:,} states; raise max_states, or forget what the rules "
                "do not need to remember"
            )
    must_end(states, rows)
    n = len(states)
    reached = {~target for row in rows for target in row if target < 0}
    kept = [(outcome, k) for outcome, k in outcomes.items() if k in reached]
    if not game.outcomes:
        kept.sort(key=_rank(game))
    plain = {s: Move(s, ()) for s in range(n)}
    plain |= {~k: Move(n + i, ()) for i, (_, k) in enumerate(kept)}
    moves = [[plain[target] for target in row] for row in rows]
    for (s, i), counts in advanced.items():
        moves[s][i] = Move(moves[s][i].target, counts)
    return Chain(
        states=tuple(states),
        outcomes=tuple(outcome for outcome, _ in kept),
        rollables=tuple(rollables),
        rolled=tuple(rolled),
        moves=tuple(map(tuple, moves)),
        stakes=stakes_of([outcome for outcome, _ in kept]),
        declared=tuple(game.counters),
    )


def _afford(states: int, width: int) -> None:
    """Ask whether so many states with so many rolls each can be explored."""
    afford(
        f"{states:,} states, each with {width:,} rolls,",
        seconds=states * (2e-5 + width * 5e-7),
        memory=states * (1_000 + width * 16),
        instead="forget what the rules do not need to remember",
    )


def _rank(game: Game) -> Callable[[tuple[Outcome, int]], list[int]]:
    """The place of an outcome in the order of the rule book, as each of its bets has it."""
    places = {
        bet: {pay: place for place, pay in enumerate(game.pays(bet))} for bet in game.bets or ()
    }

    def rank(kept: tuple[Outcome, int]) -> list[int]:
        paid = dict(kept[0].pays)
        return [place.get(paid[bet], -1) if bet in paid else -1 for bet, place in places.items()]

    return rank


def must_end(states: list[Hashable], rows: list[list[int]]) -> None:
    """Refuse a game that can go on for ever: every state must reach an outcome."""
    if all(min(row) < 0 for row in rows):  # any roll may be the last
        return
    before: dict[int, list[int]] = {-1: []}
    for s, row in enumerate(rows):
        for target in {max(target, -1) for target in row}:
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
