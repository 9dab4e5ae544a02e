"""Objectives, and the numerical problem that a model and a goal pose.

A goal is linear: each outcome and each advance of a counter has a value. Two players are opposed if
their values add up to a constant over all outcomes; less half of it, the game is zero-sum.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

from sevenout.errors import RulesError, shown
from sevenout.model import Model, state_name
from sevenout.model.graph import strongly_connected_components
from sevenout.model.process import SEATS, outcome_for_first
from sevenout.numerals import exact
from sevenout.rules import ByTurns, Game, HiddenHands, Objective, Outcome, bets_of
from sevenout.rules.objective import (
    QUANTITY_FORMS,
    ParsedQuantity,
    Quantity,
    objective_of,
    parse_quantity,
)
from sevenout.wrong_arguments import public

NO_COUNTER_OF_TWO = (
    "a counter can't be the goal of two players; use a bet or an outcome, or let all but one "
    "follow a policy, with `against`"
)


@dataclass(frozen=True)
class Goal:
    """The objective of a game.

    >>> goal = Goal("rolls", -1, lambda outcome: Fraction(0), {"rolls": Fraction(1)})
    >>> goal.name, goal.description
    ('least rolls', 'the lowest mean of rolls')

    Attributes:
        quantity: what is maximised or minimised: "turn", "P(pig)".
        sense: 1 to maximise, -1 to minimise.
        value: that of each outcome to the player to move.
        counters: the value of an advance of each counter.
        is_probability: whether the value is a probability.
        player: the player with this goal, if players are named.
        is_staked: whether the value is money per unit staked.
        tie_note: the value of a tie in words, where it keeps the goal from being a probability.
        quantity_in_words: the quantity as players say it; empty if they say it as it is.
    """

    quantity: str
    sense: int
    value: Callable[[Outcome], Fraction]
    counters: Mapping[str, Fraction] = field(default_factory=dict)
    is_probability: bool = False
    player: str | None = None
    is_staked: bool = False
    tie_note: str = ""
    quantity_in_words: str = ""

    @property
    def name(self) -> str:
        """The goal in short: "most turn", "least P(pig)"."""
        return f"{'most' if self.sense > 0 else 'least'} {self.quantity}"

    @property
    def value_description(self) -> str:
        """What the value is.

        >>> goal = Goal("points", -1, lambda outcome: Fraction(0), {"points": Fraction(1)})
        >>> goal.value_description
        'mean points'
        """
        if self.is_probability:
            return "probability"
        mean = "mean per unit staked" if self.is_staked else " ".join(["mean", *self.counters])
        return f"{mean}, {self.tie_note}" if self.tie_note else mean

    def is_foreign(self, model: Model) -> bool:
        """Whether every deciding player plays for another bet."""
        return bool(self.player and model.players) and self.player not in model.players

    @property
    def description(self) -> str:
        """The goal as part of a sentence."""
        highest = "highest" if self.sense > 0 else "lowest"
        mean_of = "" if self.is_probability else "mean of "
        return f"the {highest} {mean_of}{self.quantity_in_words or self.quantity}"

    @property
    def aim(self) -> str:
        """What the player does about it, after the name of the player.

        >>> Goal("points", -1, lambda outcome: Fraction(0), {"points": Fraction(1)}).aim
        'minimizes the mean of points'
        """
        verb = "maximizes" if self.sense > 0 else "minimizes"
        mean_of = "" if self.is_probability else "the mean of "
        in_words = self.quantity_in_words
        return f"{verb} {mean_of}{f'the {in_words}' if in_words else self.quantity}"


@public
def goal_of(model: Model, most: Quantity | None = None, least: Quantity | None = None) -> Goal:
    """The goal asked for; default the game's own, or the maximum of its only bet.

    >>> import sevenout as so
    >>> from sevenout.rules import Game, settle
    >>> class Turn(Game):
    ...     dice, start = so.d6, 0
    ...     def choices(self, points):
    ...         return {"roll": points, "hold": settle("hold", {"turn": points})}
    ...     def step(self, points, face):
    ...         return settle("pig", {"turn": 0}) if face == 1 else min(points + face, 30)
    >>> goal_of(so.explore(Turn())).name, goal_of(so.explore(Turn()), least="pig").name
    ('most turn', 'least P(pig)')

    Raises:
        RulesError: two goals, or none with several bets; no such bet, counter or label.
    """
    goal = _goal_of_objective(model, most, least)
    # Only the default goal is explained: those who name a bet know how it is counted.
    is_default = most is None and least is None and model.goal is None
    if is_default and goal.quantity == _tied_bet(model):
        goal = replace(goal, tie_note="where a tie counts 0")
    if model.passes:
        goal = replace(goal, value=_without_seat(goal.value))
        # Nobody bets in a race or at Pig: a profit is a game won.
        if len(model.bets) == 1 and goal.quantity == f"P({model.bets[0]} > 0)":
            goal = replace(goal, quantity_in_words="probability to win")
    if not model.players:
        return replace(goal, player=None)
    return goal if goal.player else replace(goal, player=model.players[0])


def refuse_unknown(game: Game, most: Quantity | None, least: Quantity | None) -> None:
    """Refuse an impossible goal before exploration, if the game lists its outcomes and counters.

    Raises:
        RulesError: nothing has that name.
    """
    objective = _requested_objective(objective_of(game), most, least)
    # A game that doesn't list its counters has those that its rules count, seen by exploring.
    listed = any("counters" in vars(kind) for kind in type(game).__mro__ if kind is not Game)
    if (
        not game.outcomes
        or not listed
        or objective is None
        or not isinstance(objective.quantity, str)
    ):
        return
    labels = tuple(outcome.label for outcome in game.outcomes)
    parse_quantity(objective.quantity, bets_of(game), ("rolls", *game.counters), labels)


def compared_counter(
    model: Model, most: Quantity | None, least: Quantity | None
) -> ParsedQuantity | None:
    """The goal as a comparison of a counter, such as "points <= 5"; else None."""
    objective = _requested_objective(model.goal, most, least)
    if objective is None or not isinstance(objective.quantity, str):
        return None
    parsed = parse_quantity(objective.quantity, model.bets, model.counters, _labels(model))
    return parsed if parsed.kind == "tally" else None


def _goal_of_objective(model: Model, most: Quantity | None, least: Quantity | None) -> Goal:
    """The goal of the requested objective, the game's own, or the default bet."""
    objective = _requested_objective(model.goal, most, least)
    sense = -1 if objective and objective.sense < 0 else 1
    quantity = objective.quantity if objective else _default_bet(model)
    if callable(quantity):
        return Goal(_function_name(quantity), sense, _exact_value(quantity))
    if not isinstance(quantity, str):
        if not isinstance(quantity, Iterable) or not (labels := tuple(quantity)):
            raise RulesError(f"{shown(quantity)} is not a goal; {QUANTITY_FORMS}")
        for label in labels:
            if label not in model.listed_labels:  # an outcome that can't happen has probability 0
                _require_name(label, model.labels, "outcome")
        return _goal_of_labels(labels, sense)
    return _goal_of_text(model, quantity, sense)


def _requested_objective(
    own_objective: Objective | None, most: Quantity | None, least: Quantity | None
) -> Objective | None:
    """The goal asked for, or else the game's own."""
    if most is not None and least is not None:
        raise RulesError("most= and least= are both given; give one")
    if most is not None:
        return _objective_from(most, 1)
    return own_objective if least is None else _objective_from(least, -1)


def _objective_from(quantity: Any, sense: Any) -> Objective:
    """An objective from a name, a function, or any collection of labels."""
    # An empty collection stays as it is, to be refused with its own text.
    is_collection = isinstance(quantity, Iterable) and not isinstance(quantity, str)
    return Objective((tuple(quantity) or quantity) if is_collection else quantity, sense)


def goal_of_turns(
    game: ByTurns, most: Quantity | None = None, least: Quantity | None = None
) -> Goal:
    """The goal of a game of turns: a counter, or a value of outcomes.

    The default is the game's own goal, or the maximum of the counter "score".

    >>> from sevenout.catalogue import games
    >>> goal_of_turns(games("yahtzee"), least="score").name
    'least score'
    """
    objective = _requested_objective(objective_of(game), most, least) or Objective("score")
    sense = -1 if objective.sense < 0 else 1
    quantity = objective.quantity
    if isinstance(quantity, str):
        return _goal_of_counter(quantity, sense)
    if not callable(quantity):
        raise RulesError(
            f"{shown(quantity)} is not a goal; name a counter, or give the value of an outcome"
        )
    return Goal(_function_name(quantity), sense, _exact_value(quantity))


def _function_name(quantity: Callable[[Outcome], Any]) -> str:
    """A function's name in words; "value" for a lambda."""
    name = getattr(quantity, "__name__", "")
    return name.replace("_", " ") if name.isidentifier() else "value"


def _exact_value(function: Callable[[Outcome], Any]) -> Callable[[Outcome], Fraction]:
    """A user's function, which may return a bool."""

    def value(outcome: Outcome) -> Fraction:
        result = function(outcome)
        return Fraction(int(result)) if isinstance(result, bool) else exact(result)

    return value


def _without_seat(value: Callable[[Outcome], Fraction]) -> Callable[[Outcome], Fraction]:
    """The function without the seat in the labels of a player's own outcomes."""

    def value_of_own_label(outcome: Outcome) -> Fraction:
        label = outcome.label.removeprefix(f"{SEATS[0]}: ")
        return value(outcome if label == outcome.label else Outcome(label, outcome.pays))

    return value_of_own_label


def _goal_of_text(model: Model, quantity: str, sense: int) -> Goal:
    """The goal of a bet, a counter, labels, or a comparison such as "pass > 0"."""
    parsed = parse_quantity(quantity, model.bets, model.counters, _labels(model))
    name = parsed.names[0]
    match parsed.kind:
        case "tally":
            raise RulesError(
                f"{shown(quantity)} compares a counter, which a model does not remember; give the "
                "game"
            )
        case "bet":
            # A bet that can't lose is a score, and no money is staked on it.
            is_staked = any(o.profit(name) < 0 for o in model.outcomes)
            profit = _profit_per_unit(model, name)
            return Goal(name, sense, profit, player=name, is_staked=is_staked)
        case "counter":
            return _goal_of_counter(name, sense)
        case "outcomes":
            return _goal_of_labels(parsed.names, sense)
    profit, holds = _profit_per_unit(model, name), parsed.holds
    event = f"{name} {parsed.operator} {parsed.amount}"
    return replace(_probability_goal(event, sense, lambda o: holds(profit(o))), player=name)


def _profit_per_unit(model: Model, bet: str) -> Callable[[Outcome], Fraction]:
    stake = model.stake(bet)
    return lambda outcome: outcome.profit(bet) / stake


def _goal_of_counter(counter: str, sense: int) -> Goal:
    return Goal(counter, sense, lambda outcome: Fraction(0), {counter: Fraction(1)})


def _goal_of_labels(labels: tuple[str, ...], sense: int) -> Goal:
    return _probability_goal(" or ".join(labels), sense, lambda outcome: outcome.label in labels)


def _probability_goal(event: str, sense: int, holds: Callable[[Outcome], bool]) -> Goal:
    return Goal(f"P({event})", sense, lambda o: Fraction(int(holds(o))), is_probability=True)


def _labels(model: Model) -> tuple[str, ...]:
    """The labels that can be a goal; those of the outcomes that can happen first."""
    return tuple(dict.fromkeys([*model.labels, *model.listed_labels]))


def _require_name(name: Any, names: tuple[str, ...], kind: str) -> None:
    """Refuse a name that is none of these."""
    if name not in names:
        raise RulesError(f"no {kind} {shown(name)}; give one of: {', '.join(names[:12])}")


def _default_bet(model: Model) -> str:
    """What is maximised where no goal is given: the first player's bet, or the only one."""
    if model.players:
        return model.players[0]
    if len(model.bets) == 1:
        bet = model.bets[0]
        # Two players' chances to win add up to 1, unless they can tie: then the mean is zero-sum.
        wins = {abs(o.profit(bet)) for o in model.outcomes} == {model.stake(bet)}
        return f"{bet} > 0" if model.passes and wins else bet
    if not model.bets:
        raise RulesError(
            "the game has no bet to win; give a goal, such as most='outcome' or least='rolls'; "
            f"its outcomes are: {', '.join(model.labels[:8])}"
        )
    raise RulesError(
        f"the game has several bets; give most={' or '.join(map(repr, model.bets[:8]))}"
    )


def _tied_bet(model: Model) -> str | None:
    """The only bet of two players who take turns, if they win it, lose it or tie."""
    if not model.passes or len(model.bets) != 1:
        return None
    bet = model.bets[0]
    amounts = {abs(outcome.profit(bet)) for outcome in model.outcomes}
    return bet if amounts == {0, model.stake(bet)} else None


def sum_of_opposed(model: Model, goal: Goal) -> Fraction:
    """The constant sum of the two players' values.

    Raises:
        RulesError: the sum is not constant: the players are not opposed.
    """
    if goal.counters:
        raise RulesError(NO_COUNTER_OF_TWO)
    if model.passes:
        sums = {goal.value(o) + goal.value(outcome_for_first(o, 1)) for o in model.outcomes}
    else:
        # A single chooser who plays for another bet is opposed to the player of the goal.
        pair = model.players if len(model.players) == 2 else (goal.player or "", *model.players)
        first_profit, second_profit = (_profit_per_unit(model, bet) for bet in pair)
        sums = {first_profit(o) + second_profit(o) for o in model.outcomes}
    if len(sums) > 1:
        some = ", ".join(map(str, sorted(sums)[:3]))
        raise RulesError(
            f"the game is not zero-sum: the players' profits add up to {some}; let all but one "
            "follow a policy, with `against`"
        )
    return sums.pop()


MAX_AMOUNT = 10**300
"""The largest amount, which leaves floats room for sums."""


def some_states(model: Model) -> str:
    """A few of the states in which the game could be prolonged for ever, in words."""
    # a decision and its roll may share a state
    names = dict.fromkeys(state_name(model.states[s]) for s in sorted(model.traps))
    return ", ".join([*names][:6])


@dataclass(frozen=True, eq=False)
class Arena:
    """A Markov decision process, or a zero-sum game of two players.

    Attributes:
        model: the model.
        goal: the objective.
        shift: subtracted from outcome values: half of the players' constant sum.
        ends: the value of each outcome, less the shift.
        gains: the value of each tag's counters.
        roll: the value of a roll, if rolls are counted.
        senses: 1 at a node that maximises, -1 at one that minimises, 0 at a roll.
        hands: the game, if hands are hidden and the model has only its tables.
    """

    model: Model
    goal: Goal
    shift: Fraction
    ends: tuple[Fraction, ...]
    gains: tuple[Fraction, ...]
    roll: Fraction
    senses: Sequence[int]
    hands: HiddenHands | None = None

    @classmethod
    def of(cls, model: Model, goal: Goal, shift: Fraction | None = None) -> "Arena":
        """The arena of a model; two players must be opposed.

        Raises:
            RulesError: more than two players, or two who are not opposed.
        """
        if len(model.players) > 2:
            raise RulesError(
                f"the game has {len(model.players)} players; let all but one follow a policy, "
                "with `against`"
            )
        is_foreign = goal.is_foreign(model)
        # With two choosers and a third bet, nobody's interest is the goal's.
        if is_foreign and len(model.players) > 1:
            raise RulesError(
                f"{goal.player} makes no choices; set the goal for {' or '.join(model.players)}"
            )
        is_opposed = model.passes or is_foreign or len(model.players) == 2
        if shift is None:
            shift = sum_of_opposed(model, goal) / 2 if is_opposed else Fraction(0)
        gains = [
            sum((goal.counters.get(name, Fraction(0)) * n for name, n in counts), Fraction(0))
            for counts in model.tags
        ]
        ends = tuple(goal.value(outcome) - shift for outcome in model.outcomes)
        if any(abs(amount) > MAX_AMOUNT for amount in (*ends, *gains)):
            raise RulesError("an amount beyond 10^300; count in a larger unit")
        player = goal.player if model.players else None
        # A player of another bet maximises it, and so lowers this one, whatever the goal.
        other_sense = -1 if is_foreign else -goal.sense
        senses = [0] * len(model.states)
        for s, menu in enumerate(model.menus):
            if menu:
                is_own = player is None or model.choosers.get(s, player) == player
                senses[s] = goal.sense if is_own else other_sense
        return cls(
            model=model,
            goal=goal,
            shift=shift,
            ends=ends,
            gains=tuple(gains),
            roll=goal.counters.get("rolls", Fraction(0)),
            senses=senses,
        )

    def without_lists(self) -> "Arena":
        """The same without its lists of rows and components, which are made again if asked for."""
        return replace(self)

    @cached_property
    def rows(self) -> list[list[int]]:
        """The targets of each node's moves."""
        targets = self.model.targets.tolist()
        return [targets[start:end] for start, end in pairwise(self.model.first_move)]

    @cached_property
    def components(self) -> list[list[int]]:
        """The strongly connected components, in topological order."""
        return strongly_connected_components(self.rows, len(self.model.outcomes))

    @cached_property
    def weights(self) -> tuple[tuple[int, ...], ...]:
        """The weights of the outcomes of each rollable."""
        return tuple(rollable.law.weights for rollable in self.model.rollables)
