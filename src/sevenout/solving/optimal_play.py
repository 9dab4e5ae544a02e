"""`best`: optimal play for every kind of game with choices."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, Literal, cast, get_args, overload

from sevenout.budgets.estimates import afford
from sevenout.catalogue import Entry, entry_of, game_of
from sevenout.errors import EndlessGameError, RulesError, TooManyStatesError, shown
from sevenout.extras import has, needs
from sevenout.model import Chain, Model, Policy, explore
from sevenout.model.graph import components
from sevenout.model.model import answered
from sevenout.rolling import Law
from sevenout.rules import ByTurns, Game, HiddenGame, HiddenHands
from sevenout.rules.hidden_hands import FIRST, SECOND, LateDeal
from sevenout.rules.objective import Tallied, Wish
from sevenout.solving.goal import TWO_COUNT, Goal, compared_counter, goal_of, refuse_unknown
from sevenout.solving.node_values import values_of
from sevenout.solving.optimum import LARGE, ChainValues, Optimum
from sevenout.solving.solvers.decision_problem import Arena, some_states

if TYPE_CHECKING:
    from sevenout.solving.hidden.mixed_optimum import MixedOptimum
    from sevenout.solving.turns.turnplay import TurnOptimum

Method = Literal["auto", "exact", "certified"]

SECONDS_PER_HISTORY = 1e-9
"""A thousandth of what a hand and a move take: dominated moves, which go later, may be most."""


@overload
def best(  # type: ignore[overload-overlap]
    game: ByTurns,
    most: Wish | None = None,
    *,
    least: Wish | None = None,
    against: None = None,
    method: Method = "auto",
) -> "TurnOptimum": ...


@overload
def best(  # type: ignore[overload-overlap]
    game: HiddenGame,
    most: Wish | None = None,
    *,
    least: Wish | None = None,
    against: Policy | Mapping[str, Policy] | None = None,
    method: Method = "auto",
) -> "MixedOptimum": ...


@overload
def best(
    game: Game,
    most: Wish | None = None,
    *,
    least: Wish | None = None,
    against: Policy | Mapping[str, Policy] | None = None,
    method: Method = "auto",
) -> Optimum: ...


@overload
def best(
    game: Model,
    most: Wish | None = None,
    *,
    least: Wish | None = None,
    against: Policy | Mapping[str, Policy] | None = None,
    method: Method = "auto",
) -> "Optimum | MixedOptimum": ...


@overload
def best(
    game: Game | Model | Entry | str,
    most: Wish | None = None,
    *,
    least: Wish | None = None,
    against: Policy | Mapping[str, Policy] | None = None,
    method: Method = "auto",
) -> "Optimum | TurnOptimum | MixedOptimum": ...


def best(
    game: Game | Model | Entry | str,
    most: Wish | None = None,
    *,
    least: Wish | None = None,
    against: Policy | Mapping[str, Policy] | None = None,
    method: Method = "auto",
) -> "Optimum | TurnOptimum | MixedOptimum":
    """Optimal play: the choice and the value in each state, and the cost of mistakes.

    >>> from sevenout.rolling import d6
    >>> from sevenout.rules import Game, settle
    >>> class Turn(Game):
    ...     dice, start = d6, 0
    ...     def choices(self, points):
    ...         return {"roll": points, "hold": settle("hold", {"turn": points})}
    ...     def step(self, points, face):
    ...         return settle("pig", {"turn": 0}) if face == 1 else min(points + face, 30)
    >>> turn = best(Turn())
    >>> turn.value, turn.policy[19], turn.policy[21]
    (Fraction(492303203, 60466176), 'roll', 'hold')
    >>> turn.at(22)
    (Option(name='hold', value=Fraction(22, 1), margin=Fraction(0, 1)), \
Option(name='roll', value=Fraction(65, 3), margin=Fraction(1, 3)))

    The kind of game decides the result:

    - A game of turns (`ByTurns`), such as Yahtzee, gives a `TurnOptimum`.
    - A game with hidden information or simultaneous moves (`HiddenGame`) gives a `MixedOptimum`:
      the probability of each choice for what a player sees.
    - Any other game gives an `Optimum`.
    - Two opposed players are solved as a zero-sum game. With `against`, the first player plays
      their best response to that policy, and unreachable states are left out. If turns pass, the
      states of the second player are ("second", state).

    Only policies that end the game count, where a player could wait for ever without a gain
    (Bertsekas and Tsitsiklis 1991).

    Args:
        game: the rules, or their model; an entry of the catalogue, or its name.
        most: what to maximise. A bet or a counter means its mean; the label of an outcome, or
            several, their probability. Also "bet >= 3" (or <=, <, >, =), or a function that gives
            the value of an outcome. By default the game's own `goal`, or its only bet. A player
            named by `chooser` maximises their own bet instead.
        least: what to minimise, in place of `most`.
        against: the policy of all other players: a function of the state, or a table. Or a policy
            by player, where there are several.
        method: "exact" (fractions, by policy iteration), "certified" (digits with a proved bound),
            or "auto": exact, unless the game is large and fractions may take long.

    Raises:
        RulesError: a game without choices, a goal that no outcome has, players who are not opposed.
        EndlessGameError: a game that two players could prolong for ever, or that one could prolong
            with unbounded gain.
    """
    if method not in get_args(Method):
        raise RulesError(f"method={shown(method)}; give {', '.join(map(repr, get_args(Method)))}")
    subject = entry_of(game)
    rules = game_of(subject)
    answer: Optimum | TurnOptimum | MixedOptimum
    if isinstance(rules, ByTurns):
        needs("numpy")
        needs("numba", "fast")
        from sevenout.solving.turns.turnplay import best_turns

        answer = best_turns(rules, most, least, method)
    else:
        answer = solved(posed(rules, most, least, against, method), method)
    if not isinstance(subject, Model) and against is None:
        answer.subject = subject
        answer.wish = {k: w for k, w in (("most", most), ("least", least)) if w is not None}
    return answer


def posed(
    game: Game | Model,
    most: Wish | None = None,
    least: Wish | None = None,
    against: Policy | Mapping[str, Policy] | None = None,
    method: Method = "auto",
) -> Arena:
    """The problem that `best` solves, explored but unsolved; same arguments and errors."""
    if isinstance(game, Game):
        refuse_unknown(game, most, least)
    if isinstance(game, HiddenHands) and against is None:
        arena = _tables(game, most, least)
        if arena is not None:
            return arena
    model = game if isinstance(game, Model) else _explored(game, method)
    if isinstance(model, Chain):
        raise RulesError("the game has no choices; use `sevenout odds` or so.solve")
    tally = compared_counter(model, most, least)
    if tally is not None and isinstance(game, Game):
        if against is None and (model.passes or len(model.players) > 1):
            raise RulesError(TWO_COUNT)
        asked = Tallied(game, tally.names[0], tally.sign, tally.amount)
        own = model.goal is not None and model.goal.sense < 0
        low = least is not None or (most is None and own)
        wish = {"least" if low else "most": (asked.label,)}
        return posed(asked, **wish, against=against, method=method)
    goal = goal_of(model, most, least)
    if against is not None:
        model = _against(model, goal, against)
    if model.traps and (len(model.players) > 1 or model.passes):
        raise EndlessGameError(
            f"the two players together could prolong the game forever, in {some_states(model)}; "
            "let an option end it, or let one player follow a policy, with `against`"
        )
    return Arena.of(model, goal)


def solved(arena: Arena, method: Method) -> "Optimum | MixedOptimum":
    """The solution of a posed problem."""
    model = arena.model
    if arena.hands is not None:
        from sevenout.solving.hidden.hands_optimum import optimum_of_hands

        return optimum_of_hands(arena, method)
    if model.seen:
        from sevenout.solving.hidden.mixed_optimum import MixedOptimum

        return MixedOptimum(arena, method)
    if method == "auto" and not model.questions:
        return Optimum(ChainValues(arena))
    if method == "auto" and len(model.states) >= LARGE and not model.traps:
        from sevenout.solving.solvers.policy_iteration import BITS_A_SECOND, MOST_BITS, bits_of

        if model.passes or bits_of(arena) > MOST_BITS:
            try:
                return Optimum(values_of(arena.bare(), "certified"))
            except RulesError:  # too many steps, or too large weights, for floats
                bits = bits_of(arena)
                afford(
                    f"the best play in {len(model.states):,} states as fractions",
                    seconds=bits / BITS_A_SECOND if bits < inf else 0,
                    instead="forget what the rules do not need to remember",
                )
    return Optimum(values_of(arena, "certified" if method == "certified" else "exact"))


def _tables(game: HiddenHands, most: Wish | None, least: Wish | None) -> Arena | None:
    """A game of hidden hands by its tables alone; None if they lack the goal."""
    _afford_histories(game)
    model = explore(LateDeal(game))
    if set(model.players) != {FIRST, SECOND} or model.traps:
        return None
    if compared_counter(model, most, least) is not None:
        return None
    goal = goal_of(model, most, least)
    if goal.counters or goal.player not in model.players:
        return None
    return replace(Arena.of(model, goal), hands=game)


def _afford_histories(game: HiddenHands) -> None:
    """Refuse far too many histories before their showdowns are computed for every deal.

    Raises:
        TooMuchWorkError: over the budget.
    """
    one_deal = Law({tuple(next(iter(cup.law)) for cup in game.cups): 1})
    if len(game.cups) == 1:  # its results are pairs
        one_deal = Law({next(iter(game.cups[0].law)): 1})
    tables = explore(LateDeal(game, one_deal))
    rows = [tables.targets[start:end] for start, end in pairwise(tables.first)]
    histories = [0] * len(rows) + [1] * len(tables.outcomes)
    for block in reversed(components(rows)):
        for node in block:
            histories[node] = sum(histories[target] for target in rows[node])
    afford(
        f"the policies of {histories[0]:.2g} ways to play",
        seconds=min(histories[0], 10**18) * SECONDS_PER_HISTORY,
        instead="take fewer dice or sides",
    )


def _explored(game: Game, method: Method) -> Chain | Model:
    """The model; without NumPy, a model too large for fractions is refused as early as possible."""
    if method != "auto" or has("numpy"):
        return explore(game)
    try:
        return explore(game, LARGE)
    except TooManyStatesError:
        needs("numpy")
        raise


def _against(model: Model, goal: Goal, against: Policy | Mapping[str, Policy]) -> Model:
    """The model in which all but the goal's player follow a policy."""
    others = ["second"] if model.passes else [p for p in model.players if p != goal.player]
    if not others:
        raise RulesError("the game has one player; leave against out")
    policies = _by_player(against, others, {"first", *others, *model.players})
    return answered(model, policies or dict.fromkeys(others, cast(Policy, against)))


def _by_player(
    against: Policy | Mapping[str, Policy], others: Collection[str], players: Collection[str]
) -> dict[str, Policy]:
    """The policies by player; empty if it is one policy, for all others.

    Raises:
        RulesError: it leaves a player out, or names one who doesn't follow it.
    """
    if not isinstance(against, Mapping) or not against or not set(against) <= set(players):
        return {}
    policies = {str(player): policy for player, policy in against.items()}
    # A state may have a player's name; the table of a policy then gives an option, not a policy.
    if any(isinstance(policy, str) for policy in policies.values()):
        return {}
    if set(policies) != set(others):
        raise RulesError(
            f"against has policies of {', '.join(policies)}; give one of each other player: "
            f"{', '.join(others)}"
        )
    return cast(dict[str, Policy], policies)
