"""`best`: optimal play for every kind of game with choices.

`arena_of` turns a game and a goal into an `Arena`, `optimum_of` chooses the engine. `Optimum`
answers for games that are solved state by state: options, costs of mistakes, what is reachable, the
card.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import compress, pairwise
from math import inf
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack, cast, get_args, overload

from sevenout.budgets.estimates import afford
from sevenout.catalogue import Entry, entry_of, game_of
from sevenout.documents import Page
from sevenout.documents.numbers import decimal, quantity
from sevenout.errors import EndlessGameError, RulesError, TooManyStatesError, shown
from sevenout.extras import is_installed, require
from sevenout.model import Chain, Model, Policy, explore, state_name
from sevenout.model.graph import strongly_connected_components
from sevenout.model.model import fix_policies
from sevenout.model.naming import in_words
from sevenout.rolling import Law
from sevenout.rules import ByTurns, Game, HiddenGame, HiddenHands
from sevenout.rules.hidden_hands import FIRST, SECOND, LateDeal
from sevenout.rules.objective import CounterComparison, Quantity
from sevenout.solving.answer import Answer, Solution, solve_chain
from sevenout.solving.best_play import (
    BestPlay,
    Mistake,
    Option,
    PolicyValue,
    checked_limit,
    cost_of,
)
from sevenout.solving.card_pages import card_blocks
from sevenout.solving.decision_list import Decision
from sevenout.solving.goal import (
    NO_COUNTER_OF_TWO,
    Arena,
    Goal,
    compared_counter,
    goal_of,
    refuse_unknown,
    some_states,
)
from sevenout.solving.node_values import Values, values_of
from sevenout.solving.strategy_card import Card, card_of, part_data

if TYPE_CHECKING:
    from sevenout.certify import Certificate
    from sevenout.solving.elimination import EliminatedChain
    from sevenout.solving.lifting import LiftedChain
    from sevenout.solving.mixed_optimum import MixedOptimum
    from sevenout.solving.turn_optimum import TurnOptimum

Method = Literal["auto", "exact", "certified"]

LARGE = 30_000
"""From this many nodes, `auto` checks whether fractions are fast, or else proves digits."""
ONE_PLAYER = "the game has one player; leave against out"
SECONDS_PER_HISTORY = 1e-9
"""A thousandth of the real seconds: most moves may be dominated, and are removed later."""


class BestArguments(TypedDict, total=False):
    """The arguments of `best` by keyword; it says what they mean.

    Attributes:
        least: what to minimise.
        against: the policy of all other players.
        method: the method.
    """

    least: Quantity | None
    against: Policy | Mapping[str, Policy] | str | None
    method: Method


# The kind of game decides the kind of answer.
@overload
def best(  # type: ignore[overload-overlap]
    game: ByTurns, most: Quantity | None = None, **arguments: Unpack[BestArguments]
) -> "TurnOptimum": ...


@overload
def best(  # type: ignore[overload-overlap]
    game: HiddenGame, most: Quantity | None = None, **arguments: Unpack[BestArguments]
) -> "MixedOptimum": ...


@overload
def best(
    game: Game, most: Quantity | None = None, **arguments: Unpack[BestArguments]
) -> "Optimum": ...


@overload
def best(
    game: Model, most: Quantity | None = None, **arguments: Unpack[BestArguments]
) -> "Optimum | MixedOptimum": ...


@overload
def best(
    game: Game | Model | Entry | str,
    most: Quantity | None = None,
    **arguments: Unpack[BestArguments],
) -> "Optimum | TurnOptimum | MixedOptimum": ...


def best(
    game: Game | Model | Entry | str,
    most: Quantity | None = None,
    *,
    least: Quantity | None = None,
    against: Policy | Mapping[str, Policy] | str | None = None,
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
    >>> turn.options(22)
    (Option(name='hold', value=Fraction(22, 1), cost=Fraction(0, 1)), \
Option(name='roll', value=Fraction(65, 3), cost=Fraction(1, 3)))

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
        against: the policy of all other players: a function of the state, a table, or the name of
            a policy of the entry. Or a policy by player, where there are several.
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
    if isinstance(against, str):  # a simple policy by its name in the catalogue
        if not isinstance(subject, Entry):
            raise RulesError(
                f"against={shown(against)}; give a function of the state or a table, or name a "
                "game of the catalogue, whose policies have names"
            )
        against = subject.policy(against)
    answer: Optimum | TurnOptimum | MixedOptimum
    if isinstance(rules, ByTurns):
        require("numpy")
        require("numba", "fast")
        from sevenout.solving.turn_optimum import best_turns

        if against is not None:
            raise RulesError(ONE_PLAYER)
        answer = best_turns(rules, most, least, method)
    else:
        answer = optimum_of(arena_of(rules, most, least, against, method), method)
    if not isinstance(subject, Model) and against is None:
        answer.subject = subject
        quantities = {"most": most, "least": least}
        answer.goal_arguments = {
            name: quantity for name, quantity in quantities.items() if quantity is not None
        }
    return answer


def arena_of(
    game: Game | Model,
    most: Quantity | None = None,
    least: Quantity | None = None,
    against: Policy | Mapping[str, Policy] | None = None,
    method: Method = "auto",
) -> Arena:
    """The problem that `best` solves, explored but unsolved; same arguments and errors."""
    # A misspelt goal is refused in no time, where exploring may take minutes.
    if isinstance(game, Game):
        refuse_unknown(game, most, least)
    if isinstance(game, HiddenHands) and against is None:
        arena = _arena_of_tables(game, most, least)
        if arena is not None:
            return arena
    model = game if isinstance(game, Model) else _explored(game, method)
    if isinstance(model, Chain):
        raise RulesError("the game has no choices; use `sevenout odds` or so.solve")
    # "points <= 5" is no mean of a model: the game is explored again, with the count in its states.
    tally = compared_counter(model, most, least)
    if tally is not None and isinstance(game, Game):
        if against is None and (model.passes or len(model.players) > 1):
            raise RulesError(NO_COUNTER_OF_TWO)
        compared = CounterComparison(game, tally.names[0], tally.operator, tally.amount)
        minimises_by_default = model.goal is not None and model.goal.sense < 0
        minimises = least is not None or (most is None and minimises_by_default)
        quantity = {"least" if minimises else "most": (compared.label,)}
        return arena_of(compared, **quantity, against=against, method=method)
    goal = goal_of(model, most, least)
    if against is not None:
        model = _model_against(model, goal, against)
    # With one player, waiting for ever is a policy that policy iteration can rule out.
    if model.traps and (len(model.players) > 1 or model.passes):
        raise EndlessGameError(
            f"the two players together could prolong the game forever, in {some_states(model)}; "
            "let an option end it, or let one player follow a policy, with `against`"
        )
    return Arena.of(model, goal)


def optimum_of(arena: Arena, method: Method) -> "Optimum | MixedOptimum":
    """Optimal play in an arena, by the method that suits its size and kind."""
    model = arena.model
    if arena.hands is not None:
        from sevenout.solving.mixed_optimum import optimum_of_hands

        return optimum_of_hands(arena, method)
    if model.views:
        from sevenout.solving.mixed_optimum import MixedOptimum

        return MixedOptimum(arena, method)
    if method == "auto" and not model.decisions:
        return Optimum(ChainValues(arena))
    # Small models are exact in seconds; the estimate would cost more than it could save.
    if method == "auto" and len(model.states) >= LARGE and not model.traps:
        return Optimum(_values_of_large(arena))
    return Optimum(values_of(arena, "certified" if method == "certified" else "exact"))


def _values_of_large(arena: Arena) -> Values:
    """The values of a large model: exact if fractions are fast, or if floats can't prove them."""
    from sevenout.solving.policy_iteration import BITS_PER_SECOND, MAX_BITS, bits_of

    if not arena.model.passes and bits_of(arena) <= MAX_BITS:
        return values_of(arena, "exact")
    try:
        # The lists for the estimate take more memory than the solution.
        return values_of(arena.without_lists(), "certified")
    except RulesError:  # too many steps, or too large weights, for floats
        bits = bits_of(arena)
        afford(
            f"the best play in {len(arena.model.states):,} states as fractions",
            # Without a feedback vertex no estimate is known. No other method is left either, so
            # nothing is refused: policy iteration may still take seconds.
            seconds=bits / BITS_PER_SECOND if bits < inf else 0,
            instead="forget what the rules do not need to remember",
        )
        return values_of(arena, "exact")


def _arena_of_tables(
    game: HiddenHands, most: Quantity | None, least: Quantity | None
) -> Arena | None:
    """The problem of a game of hidden hands by its tables alone; None if they lack the goal."""
    _afford_histories(game)
    model = explore(LateDeal(game))
    # The tree needs two seats and an end; other hidden games are explored deal by deal.
    if set(model.players) != {FIRST, SECOND} or model.traps or compared_counter(model, most, least):
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
    # All deals have the same public histories, so one deal is enough to count them.
    one_deal = Law({tuple(next(iter(cup.law)) for cup in game.cups): 1})
    if len(game.cups) == 1:  # its results are pairs
        one_deal = Law({next(iter(game.cups[0].law)): 1})
    tables = explore(LateDeal(game, one_deal))
    rows = [tables.targets[start:end] for start, end in pairwise(tables.first_move)]
    histories = [0] * len(rows) + [1] * len(tables.outcomes)
    for component in reversed(strongly_connected_components(rows)):
        for node in component:
            histories[node] = sum(histories[target] for target in rows[node])
    afford(
        f"the policies of {histories[0]:.2g} ways to play",
        seconds=min(histories[0], 10**18) * SECONDS_PER_HISTORY,
        instead="take fewer dice or sides",
    )


def _explored(game: Game, method: Method) -> Chain | Model:
    """The model; without NumPy, a model too large for fractions is refused as early as possible."""
    if method != "auto" or is_installed("numpy"):
        return explore(game)
    try:
        return explore(game, LARGE)
    except TooManyStatesError:
        require("numpy")
        raise


def _model_against(model: Model, goal: Goal, against: Policy | Mapping[str, Policy]) -> Model:
    """The model in which all but the goal's player follow a policy."""
    others = ["second"] if model.passes else [p for p in model.players if p != goal.player]
    if not others:
        raise RulesError(ONE_PLAYER)
    return fix_policies(model, _by_player(against, others, {"first", *others, *model.players}))


def _by_player(
    against: Policy | Mapping[str, Policy], others: Collection[str], players: Collection[str]
) -> dict[str, Policy]:
    """The policy of each other player.

    Raises:
        RulesError: policies by player leave one out, or name one who doesn't follow any.
    """
    one_policy = dict.fromkeys(others, cast(Policy, against))
    # A table of one policy gives options by state, and a state may have a player's name.
    if not isinstance(against, Mapping) or any(isinstance(x, str) for x in against.values()):
        return one_policy
    # Functions by name are policies of players, so a misspelt name is refused below.
    if not against or not (all(map(callable, against.values())) or set(against) <= set(players)):
        return one_policy
    policies = cast(dict[str, Policy], dict(against))
    if set(policies) != set(others):
        raise RulesError(
            f"against has policies of {', '.join(map(str, policies))}; give one of each other "
            f"player: {', '.join(others)}"
        )
    return policies


class Optimum(BestPlay, Answer):
    """Optimal play, state by state; see `best`.

    Attributes:
        model: the explored game.
        goal: the objective.
        values: the values of its nodes.
        method: "exact" or "certified".
        bound: 0 if exact; else the error bound of the start's value.
    """

    def __init__(self, values: Values) -> None:
        self.model: Model = values.model
        self.goal: Goal = values.goal
        self.method = values.method
        self.values = values
        self.bound = values.bound(0)

    @cached_property
    def value(self) -> Fraction:
        return self.values[0] + self.values.shift

    def options(self, state: Any) -> tuple[Option, ...]:
        """The options in a state, the best first, for the player to move.

        Raises:
            RulesError: it is not a decision state.
        """
        node = self.model.decision_node(state)
        sense, value, shift = self.values.sense(node), self.values[node], self.values.shift
        options = []
        for move, name in zip(self.model.moves_of(node), self.model.menus[node], strict=True):
            gain = self.values.move_value(move)
            cost = value - gain if sense > 0 else gain - value
            options.append(Option(name, gain + shift if shift else gain, max(cost, Fraction(0))))
        return tuple(sorted(options, key=lambda option: option.cost))

    @cached_property
    def policy(self) -> Mapping[Any, str]:
        """The best option in each decision state; the first of equally good ones."""
        model = self.model
        return {
            model.states[s]: model.menus[s][self.values.pick(s) - model.first_move[s]]
            for s in model.decisions
        }

    @cached_property
    def option_costs(self) -> "OptionCosts":
        """The costs of all options, as floats."""
        return OptionCosts(self.values)

    @cached_property
    def ties(self) -> tuple[Any, ...]:
        """The states with several optimal options, within the error bound."""
        return tuple(
            self.model.states[s] for s in self.model.decisions if len(self.option_costs.best(s)) > 1
        )

    @cached_property
    def reachable_states(self) -> frozenset[Any]:
        """The decision states that are reachable under optimal play."""
        if not self.model.decisions:
            return frozenset()
        reached = reachable(self.model, self.option_costs.is_optimal)
        return frozenset(self.model.states[s] for s in self.model.decisions if reached[s])

    def optimal_options(self, state: Any) -> frozenset[str]:
        return self.option_costs.best(self.model.decision_node(state))

    def least_mistake(self, state: Any) -> float | None:
        """The approximate cost of the best wrong option; None if no option is wrong."""
        return self.option_costs.least_mistake(self.model.decision_node(state))

    def bound_at(self, state: Any) -> Fraction:
        return self.values.bound(self.model.decision_node(state))

    @cached_property
    def card(self) -> Card:
        """The strategy card of the reachable states."""
        return self.card_of(self.reachable_states)

    def card_of(self, states: Iterable[Any]) -> Card:
        """The strategy card of some states; where a player could wait, the choice that ends it.

        Raises:
            RulesError: one of them is not a decision state.
        """
        model = self.model
        nodes = set(map(model.decision_node, states))
        best = {
            state: Decision(
                model.menus[s],
                # Of equal options one may wait for ever; the policy's own one ends the game.
                frozenset([self.policy[state]]) if s in model.traps else self.option_costs.best(s),
            )
            for state, s in model.node_by_key.items()
            if s in nodes
        }
        return card_of(best, model.coordinates, self.next_decisions)

    def next_decisions(self, state: Any, best: bool = False) -> Iterator[Any]:
        """The player's possible next decision states after a choice and a roll.

        Args:
            state: a decision state.
            best: only after optimal choices.
        """
        model = self.model
        n = len(model.states)

        def successors(node: int) -> Iterator[int]:
            for move in self.model.moves_of(node):
                if best and not self.option_costs.is_optimal[move]:
                    continue
                target = model.targets[move]
                if target < n and not model.passing[model.tag_index[move]]:
                    yield target

        for after_choice in successors(model.decision_node(state)):
            for target in [after_choice] if model.menus[after_choice] else successors(after_choice):
                if model.menus[target]:
                    yield model.states[target]

    @cached_property
    def chain(self) -> Chain:
        """The chain of optimal play."""
        return self.model.under(self.policy)

    @cached_property
    def solved_chain(self) -> "EliminatedChain | LiftedChain":
        """The solution of the chain of optimal play."""
        # Optimal play of a large game is certified too, and digits of it are all that is needed.
        is_large = len(self.chain.states) >= LARGE
        return solve_chain(self.chain, "certified" if is_large else "auto")

    def mistakes(self, policy: Policy, limit: int | None = None) -> list[Mistake]:
        """The mistakes of a policy, the most costly first.

        Args:
            policy: the player's policy.
            limit: return only this many, and only reachable ones.

        Raises:
            RulesError: the policy has no entry for a state, or names an unknown option; or `limit`
                is not a number of mistakes.
        """
        limit = checked_limit(limit)
        model, option_costs = self.model, self.option_costs
        moves = {s: model.chosen_move(policy, s) for s in model.decisions}
        wrong = {s: move for s, move in moves.items() if not option_costs.is_optimal[move]}
        if limit is not None:
            reached = reachable(model, option_costs.followed(moves))
            # Floats choose which few are priced exactly.
            candidates = sorted(
                (s for s in wrong if reached[s]), key=lambda s: -option_costs.costs[wrong[s]]
            )
            wrong = {s: wrong[s] for s in candidates[:limit]}
        mistakes = []
        for s, move in wrong.items():
            options = self.options(model.states[s])
            name = model.menus[s][move - model.first_move[s]]
            cost = cost_of(name, options, Fraction(0))
            mistakes.append(Mistake(model.states[s], name, options[0].name, cost))
        return sorted(mistakes, key=lambda mistake: -mistake.cost)

    def evaluate(self, policy: Policy) -> PolicyValue:
        """The value of a policy; with two players, against optimal play.

        Raises:
            RulesError: the policy names an unknown option.
            EndlessGameError: it would play for ever.
        """
        model, goal = self.model, self.goal
        # The other player keeps to optimal play, as the values of the options assume.
        policies: tuple[Policy, ...] = (policy,)
        if model.passes or len(model.players) == 2:
            policies = (policy, self.policy)
            if model.players and goal.player == model.players[1]:
                policies = policies[::-1]
        chain = model.under(*policies)
        solution = Solution(chain, "certified" if len(chain.states) >= LARGE else "auto")
        value, bound = mean_of_goal(goal, solution)
        # A chooser who plays for another bet lowers this one.
        sense = -1 if goal.is_foreign(model) else goal.sense
        return self._policy_value(value, bound, sense)

    def state_in_words(self, state: Any) -> str:
        return in_words(state, self.model.coordinates)

    @property
    def value_description(self) -> str:
        goal, model, description = self.goal, self.model, super().value_description
        if goal.is_foreign(model):
            chooser = model.players[0]
            return f"{description} on {goal.player}; {chooser} plays for {chooser}"
        if model.passes:
            return f"{description}, for the first player"
        return f"{description}, of {goal.player}" if len(model.players) == 2 else description

    @property
    def opponent_clause(self) -> str:
        return ", against best play" if self.model.passes or self.model.players[1:] else ""

    @property
    def mover(self) -> str:
        return "The player to move" if self.model.passes else "The player"

    @property
    def proof_sentence(self) -> str:
        if not self.model.decisions:
            return "Exact" if not self.bound else f"Certified within {decimal(self.bound)}"
        if not self.bound:
            restriction = "; of the policies that end" if self.model.traps else ""
            claim = f"no option of any state is better{restriction}"
            return f"Exact, by policy iteration over the fractions: {claim}"
        return f"Certified within {decimal(self.bound)}, by a bound that is proved in integers"

    @property
    def size_sentence(self) -> str:
        decisions, reachable_decisions = len(self.model.decisions), len(self.reachable_states)
        if not decisions:
            return "The game has no choices"
        states = f"The player has a choice in {quantity(decisions, 'state')}"
        return f"{states}; optimal play can reach {reachable_decisions:,} of them"

    def policy_pages(self) -> list[Page]:
        return [Page("Strategy card", *card_blocks(self))] if self.model.decisions else []

    def policy_data(self) -> dict[str, Any]:
        return {
            "states": len(self.model.decisions),
            "come_up": len(self.reachable_states),
            "ties": [state_name(state) for state in self.ties if state in self.reachable_states],
            "card": [part_data(options, part) for options, part in self.card.parts],
        }

    def certificate(self, *, title: str = "game", rules: Game | None = None) -> "Certificate":
        """The certificate of the value, for an independent checker.

        >>> from sevenout.solving.optimal_play import best
        >>> from sevenout.rolling import d6
        >>> from sevenout.rules import Game, settle
        >>> class Turn(Game):
        ...     dice, start = d6, 0
        ...     def choices(self, points):
        ...         return {"roll": points, "hold": settle("hold", {"turn": points})}
        ...     def step(self, points, face):
        ...         return settle("pig", {"turn": 0}) if face == 1 else min(points + face, 30)
        >>> best(Turn()).certificate().header["claims"][0]["value"]
        '492303203/60466176'

        Args:
            title: the game's name in print.
            rules: the rules of the model; if they are data, the certificate includes them.

        Raises:
            RulesError: a large game whose turns pass, with a goal other than a bet.
        """
        from sevenout.certify.rulebook_models import rulebook_and_model

        declaration = None if rules is None else rulebook_and_model(rules, self.model)
        if declaration is None:
            return self.values.certificate(title)
        book, model = declaration
        direction = "most" if self.goal.sense > 0 else "least"
        try:
            goal = goal_of(model, **{direction: self.goal.quantity})
        except RulesError:  # a function has no words
            return self.values.certificate(title)
        certificate = values_of(Arena.of(model, goal), self.method).certificate(title)
        # Where turns pass, the goal may be one of seats, which the rules don't have.
        if certificate.body is not model:
            return self.values.certificate(title)
        return replace(certificate, rules=book)


class ChainValues(Values):
    """The values of a model in which nobody decides: those of its chain.

    Policy iteration would solve each long cycle in fractions, once per seat: 400 s for a race of
    two that the chain's own solution takes 2 s for.

    Attributes:
        solution: of the chain.
        value: the mean of the goal.
        error: its error bound, which serves for all states.
        method: "exact" or "certified".
    """

    def __init__(self, arena: Arena) -> None:
        super().__init__(arena)
        self.solution = Solution(arena.model.under({}))
        self.value, self.error = mean_of_goal(self.goal, self.solution)
        self.method = "certified" if self.error else "exact"

    def __getitem__(self, node: int) -> Fraction:
        n = len(self.model.states)
        if node >= n:
            return self.arena.ends[node - n]
        # The start is solved; another state is a chain of its own, solved when it is asked for.
        if node == 0:
            return self.value - self.shift
        state = self.model.states[node]
        start = ("first", state) if self.model.passes else state
        return mean_of_goal(self.goal, self.solution.started_at(start))[0] - self.shift

    def bound(self, node: int) -> Fraction:
        return self.error

    def pick(self, node: int) -> int:
        raise RulesError("the game has no choices")

    def certificate(self, title: str) -> "Certificate":
        return values_of(self.arena, self.method).certificate(title)


def mean_of_goal(goal: Goal, solution: Solution) -> tuple[Fraction, Fraction]:
    """The mean of a goal in a solved chain, and its error bound."""
    chain = solution.chain
    values = {outcome: goal.value(outcome) for outcome in solution.outcomes}
    mean = sum((p * values[o] for o, p in solution.outcomes.items()), Fraction(0))
    bound = solution.bound * sum(map(abs, values.values()), Fraction(0))
    for counter, gain in goal.counters.items():
        if counter in chain.counters:
            mean += gain * solution.mean(counter)
            # Each roll's error counts once per unit of the largest advance.
            largest = max(abs(Fraction(dict(counts).get(counter, 1))) for counts in chain.tags)
            bound += abs(gain) * largest * solution.rolls_bound
    return mean, bound


FLOAT_TOLERANCE = 1e-7
"""Costs below this, relative to the largest value, are compared exactly."""


class OptionCosts:
    """The cost of every option of a model, compared with the best.

    How it works. Costs are computed as floats, which takes a sixth of the time of fractions. Only a
    cost that floats can't tell from 0 is computed again, exactly or within the values' bound.

    Attributes:
        model: the model.
        costs: by move, its cost as a float, at least 0; 0 at a roll.
        is_optimal: by move, whether it is optimal within the error bound; true at a roll.
    """

    def __init__(self, values: Values) -> None:
        self.model: Model = values.model
        model, value = values.model, values.floats
        targets = model.targets
        gains = [float(gain) for gain in values.arena.gains]
        signs = [-1 if passes else 1 for passes in model.passing]
        self.costs = [0.0] * len(targets)
        self.is_optimal = [True] * len(targets)
        tolerance = FLOAT_TOLERANCE * max(1.0, *map(abs, value))
        for node in model.decisions:
            best_value, sense, pick = value[node], values.sense(node), values.pick(node)
            for move in model.moves_of(node):
                tag = model.tag_index[move]
                move_value = gains[tag] + signs[tag] * value[targets[move]]
                cost = (best_value - move_value) * sense
                self.costs[move] = max(cost, 0.0)
                # The chosen option is best by definition, even where its bound is coarse.
                if move == pick:
                    continue
                if cost > tolerance:
                    self.is_optimal[move] = False
                else:
                    exact_cost = (values[node] - values.move_value(move)) * sense
                    self.is_optimal[move] = exact_cost <= 2 * values.bound(node)

    def followed(self, chosen: Mapping[int, int]) -> list[bool]:
        """By move, whether a player takes it who chooses these, by decision; true at a roll."""
        followed = [True] * len(self.model.targets)
        for node, chosen_move in chosen.items():
            for move in self.model.moves_of(node):
                followed[move] = move == chosen_move
        return followed

    def best(self, node: int) -> frozenset[str]:
        """The optimal options at a decision."""
        moves = self.model.moves_of(node)
        return frozenset(
            compress(self.model.menus[node], self.is_optimal[moves.start : moves.stop])
        )

    def by_option(self, node: int) -> dict[str, float]:
        """The cost of each option at a decision; 0 if it is optimal within the error bound."""
        return {
            option: 0.0 if self.is_optimal[move] else self.costs[move]
            for move, option in enumerate(self.model.menus[node], self.model.first_move[node])
        }

    def least_mistake(self, node: int) -> float | None:
        """The approximate cost of the best wrong option; None if no option is wrong."""
        return min(
            (self.costs[m] for m in self.model.moves_of(node) if not self.is_optimal[m]),
            default=None,
        )


def reachable(model: Model, followed: Sequence[bool]) -> list[bool]:
    """By node, whether it is reachable if the player takes only some of their moves.

    All rolls and all moves of other players count. If turns pass, both players take only these
    moves, and either may begin.

    Args:
        model: the game.
        followed: by move, whether it is taken; true at rolls.
    """
    n = len(model.states)
    if model.passes:
        return _closure(model, [followed, [True] * len(followed)], [0, n])[:n]
    if len(model.players) < 2:
        return _closure(model, [followed], [0])
    reached = [False] * n
    for player in model.players:
        is_own = [model.choosers.get(s) == player for s in range(n)]
        allowed = list(followed)
        for s in range(n):
            if not is_own[s]:
                for move in model.moves_of(s):
                    allowed[move] = True
        by_player = _closure(model, [allowed], [0])
        # A decision counts for its own chooser, a roll for either player.
        reached = [
            reached[s] or (by_player[s] and (is_own[s] or not model.menus[s])) for s in range(n)
        ]
    return reached


def _closure(model: Model, followed: Sequence[Sequence[bool]], starts: list[int]) -> list[bool]:
    """Whether each node is reachable in each seat, by the moves that each seat takes.

    Nodes of the first seat come first, then those of the second; `starts` are counted so too.
    """
    n, seats = len(model.states), len(followed)
    reached = [False] * (n * seats)
    for start in starts:
        reached[start] = True
    pending = list(starts)
    while pending:
        seat, node = divmod(pending.pop(), n)
        for move in model.moves_of(node):
            target = model.targets[move]
            if target >= n or not followed[seat][move]:
                continue
            passes = model.passing[model.tag_index[move]]
            next_index = target + n * ((seat + 1) % seats if passes else seat)
            if not reached[next_index]:
                reached[next_index] = True
                pending.append(next_index)
    return reached
