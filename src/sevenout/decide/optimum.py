"""What to do in a game, and what a mistake costs."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args, overload

from sevenout.chain import Chain, Model, Policy, explore
from sevenout.chain.seats import answered, seated
from sevenout.decide.arena import Arena
from sevenout.decide.goal import Goal, Wish, goal_of
from sevenout.decide.waiting import must_cost_to_wait
from sevenout.errors import RulesError, shown
from sevenout.exact import Solution, solve
from sevenout.extras import needs
from sevenout.rules import ByTurns, Game

if TYPE_CHECKING:
    from sevenout.decide.turnplay import TurnOptimum

Method = Literal["auto", "exact", "certified"]
LARGE = 30_000
"""Nodes from which `auto` proves digits instead of computing fractions."""


class Option(NamedTuple):
    """What the player may do in a state.

    Attributes:
        name: what he does.
        value: what it is worth, if all is played best afterwards.
        margin: what it costs, compared with the best: 0 or more.
    """

    name: str
    value: Fraction
    margin: Fraction


class Mistake(NamedTuple):
    """Where a policy does what is not best.

    Attributes:
        state: where.
        did: what the policy does there.
        best: what is best.
        cost: what the mistake costs each time, if all is played best afterwards.
    """

    state: Any
    did: str
    best: str
    cost: Fraction


class Optimum:
    """Optimal play; see `best`.

    Attributes:
        model: the game, explored.
        goal: what was wanted.
        method: "exact", or "certified" with a proved bound.
        bound: 0 if exact; else `value` is within this of the truth.
    """

    def __init__(self, model: Model, goal: Goal, method: Literal["exact", "certified"]) -> None:
        self.model, self.goal, self.method = model, goal, method
        self._values: _Values = _Exact(model, goal) if method == "exact" else _Proved(model, goal)
        self.bound = self._values.bound(0)

    @cached_property
    def value(self) -> Fraction:
        """What the game is worth from its start, played best; to the first player, where two play.

        It is the mean of what the goal names, or its probability.
        """
        return self._values[0] + self._values.shift

    def at(self, state: Any) -> tuple[Option, ...]:
        """The options in a state, the best first; of two players, for the one whose turn it is.

        Raises:
            RulesError: nobody is asked in that state.
        """
        self.model.options(state)
        node = self.model.asked[state]
        sense = self._values.sense(node)
        options = []
        for move, name in zip(self._moves(node), self.model.menus[node], strict=True):
            worth = self._values.worth(move)
            margin = max((self._values[node] - worth) * sense, Fraction(0))
            options.append(Option(name, worth + self._values.shift, margin))
        return tuple(sorted(options, key=lambda option: option.margin))

    def _moves(self, node: int) -> range:
        return range(self.model.first[node], self.model.first[node + 1])

    @cached_property
    def policy(self) -> Mapping[Any, str]:
        """What is best in each state in which the player is asked; the first of those that are."""
        model = self.model
        return {
            model.states[s]: model.menus[s][self._values.pick(s) - model.first[s]]
            for s in model.questions
        }

    @cached_property
    def margins(self) -> Mapping[Any, tuple[Option, ...]]:
        """The options of each state in which the player is asked, the best first."""
        return {self.model.states[s]: self.at(self.model.states[s]) for s in self.model.questions}

    @cached_property
    def ties(self) -> tuple[Any, ...]:
        """The states in which several options are equally good (or too near to tell apart)."""
        return tuple(
            state
            for state, (_, *others) in self.margins.items()
            if others and others[0].margin <= 2 * self._values.bound(self.model.asked[state])
        )

    @cached_property
    def chain(self) -> Chain:
        """The game, played best."""
        return self.model.under(self.policy)

    @cached_property
    def solution(self) -> Solution:
        """Everything that is true of the game, played best."""
        return solve(self.chain)

    def mistakes(self, policy: Policy) -> list[Mistake]:
        """Where a policy is not best, the dearest mistake first.

        Raises:
            RulesError: the policy says nothing in some state, or names what may not be done.
        """
        found = list(self._mistakes(policy))
        return sorted(found, key=lambda mistake: -mistake.cost)

    def _mistakes(self, policy: Policy) -> Iterator[Mistake]:
        model = self.model
        for s in model.questions:
            did = model.menus[s][model.answer(policy, s) - model.first[s]]
            options = {option.name: option for option in self.at(model.states[s])}
            if options[did].margin > 2 * self._values.bound(s):
                yield Mistake(model.states[s], did, next(iter(options)), options[did].margin)

    def __repr__(self) -> str:
        return f"<Optimum ({self.method}): {self.goal.name} = {float(self.value):.12g}>"


class _Values(ABC):
    """The values of the nodes, less the shift, as the player to move sees them."""

    def __init__(self, model: Model, goal: Goal) -> None:
        self.model = model
        self.arena = Arena.of(model, goal)
        self.shift = self.arena.shift

    def sense(self, node: int) -> int:
        return self.arena.senses[node]

    def worth(self, move: int) -> Fraction:
        tag = self.model.tagged[move]
        value = self[self.model.targets[move]]
        return (-value if self.model.tags[tag].passes else value) + self.arena.gains[tag]

    @abstractmethod
    def __getitem__(self, node: int) -> Fraction: ...

    @abstractmethod
    def pick(self, node: int) -> int: ...

    def bound(self, node: int) -> Fraction:
        return Fraction(0)


class _Exact(_Values):
    def __init__(self, model: Model, goal: Goal) -> None:
        from sevenout.decide.exactly import PolicyIteration

        super().__init__(model, goal)
        self.seats = seated(model)
        arena = self.arena
        if model.passes:
            arena = Arena.of(self.seats, replace(goal, player="first"), self.shift)
        self.solved = PolicyIteration(arena)
        self._asked: dict[Any, int] = {}
        self._rolled: dict[Any, int] = {}
        if model.passes:
            for s, state in enumerate(self.seats.states):
                (self._asked if self.seats.menus[s] else self._rolled)[state] = s

    def _seat(self, node: int) -> tuple[int, int]:
        """A node of the seated model, and the sign with which the player to move sees it."""
        if not self.model.passes:
            return node, 1
        state, kind = self.model.states[node], self._rolled
        if self.model.menus[node]:
            kind = self._asked
        first = kind.get(("first", state))
        return (kind["second", state], -1) if first is None else (first, 1)

    def __getitem__(self, node: int) -> Fraction:
        from sevenout.exact.rational import fraction

        n = len(self.model.states)
        if node >= n:
            return self.arena.ends[node - n]
        at, sign = self._seat(node)
        return fraction(self.solved.values[at]) * sign

    def pick(self, node: int) -> int:
        at, _ = self._seat(node)
        return self.model.first[node] + self.solved.picks[at] - self.seats.first[at]


class _Proved(_Values):
    def __init__(self, model: Model, goal: Goal) -> None:
        for package, extra in (("numpy", None), ("scipy", "fast"), ("llvmlite", "fast")):
            needs(package, extra)
        from sevenout.decide.certified import Certified

        super().__init__(model, goal)
        self.solved = Certified(self.arena)
        self._picks = dict(zip(self.solved.asked.tolist(), self.solved.picks.tolist(), strict=True))

    def __getitem__(self, node: int) -> Fraction:
        return self.solved.value(node)

    def bound(self, node: int) -> Fraction:
        return self.solved.bound(node)

    def pick(self, node: int) -> int:
        return int(self._picks[node])


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
def best(
    game: Game | Model,
    most: Wish | None = None,
    *,
    least: Wish | None = None,
    against: Policy | None = None,
    method: Method = "auto",
) -> Optimum: ...


def best(
    game: Game | Model,
    most: Wish | None = None,
    *,
    least: Wish | None = None,
    against: Policy | None = None,
    method: Method = "auto",
) -> "Optimum | TurnOptimum":
    """Optimal play: what to do in each state, what it is worth, and what a mistake costs.

    >>> from sevenout.dice import d6
    >>> from sevenout.rules import Game, settle
    >>> class Turn(Game):
    ...     dice, start = d6, 0
    ...     def choices(self, worth):
    ...         return {"roll": worth, "hold": settle("hold", {"turn": worth})}
    ...     def step(self, worth, face):
    ...         return settle("pig", {"turn": 0}) if face == 1 else min(worth + face, 30)
    >>> turn = best(Turn())
    >>> turn.value, turn.policy[19], turn.policy[21]
    (Fraction(492303203, 60466176), 'roll', 'hold')
    >>> turn.at(22)
    (Option(name='hold', value=Fraction(22, 1), margin=Fraction(0, 1)), \
Option(name='roll', value=Fraction(65, 3), margin=Fraction(1, 3)))

    A game of turns (`ByTurns`), such as Yahtzee, gives a `TurnOptimum`.

    Two players whose interests are opposed are solved as a game; with `against`, the first player
    plays his best against a second who follows that policy.

    Args:
        game: the rules, or their model.
        most: what is wanted: a bet or a counter (its mean), the label of an outcome or several
            (their probability), "bet >= 3", or the worth of an outcome as a function; the only bet
            if nothing is said.
        least: what is to be avoided, in place of `most`.
        against: what the second player does.
        method: "exact" (fractions, by policy iteration), "certified" (digits with a proved bound),
            or "auto".

    Raises:
        RulesError: a game without choices, a goal that no outcome has, players who are not opposed.
        EndlessGameError: a game that the players could prolong for ever, when it is not to their
            loss.
    """
    if method not in get_args(Method):
        raise RulesError(f"method={shown(method)}; it is {', '.join(map(repr, get_args(Method)))}")
    if isinstance(game, ByTurns):
        from sevenout.decide.turnplay import best_turns

        return best_turns(game, most, least, method)
    model = game if isinstance(game, Model) else explore(game)
    if isinstance(model, Chain):
        raise RulesError("the game asks nobody anything; sevenout.solve says what is true of it")
    goal = goal_of(model, most, least)
    if against is not None:
        model = _against(model, goal, against)
    if model.traps:
        must_cost_to_wait(model, goal)
    if method == "auto":
        method = "exact" if len(model.states) < LARGE or model.traps else "certified"
    return Optimum(model, goal, method)


def _against(model: Model, goal: Goal, policy: Policy) -> Model:
    """The model in which all but the goal's player follow a policy."""
    if not model.passes and len(model.players) < 2:
        raise RulesError("one player chooses alone; against= is for a game of two")
    if model.passes:

        def unseated(seated: Any) -> str:
            state = seated[1]
            return policy[state] if isinstance(policy, Mapping) else policy(state)

        return answered(seated(model), unseated, "second")
    for player in model.players:
        if player != goal.player:
            model = answered(model, policy, player)
    return model
