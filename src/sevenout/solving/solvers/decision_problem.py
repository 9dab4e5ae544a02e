"""The numerical problem of a model and a goal."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from sevenout.errors import RulesError
from sevenout.model import Model, state_name
from sevenout.model.graph import components
from sevenout.rules import HiddenHands
from sevenout.solving.goal import Goal, opposed

LARGEST = 10**300
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
        foreign = goal.is_foreign(model)
        if foreign and len(model.players) > 1:
            raise RulesError(
                f"{goal.player} makes no choices; set the goal for {' or '.join(model.players)}"
            )
        two = model.passes or foreign or len(model.players) == 2
        if shift is None:
            shift = opposed(model, goal) / 2 if two else Fraction(0)
        gains = [
            sum((goal.counters.get(name, Fraction(0)) * n for name, n in counts), Fraction(0))
            for counts in model.tags
        ]
        ends = tuple(goal.value(outcome) - shift for outcome in model.outcomes)
        if any(abs(amount) > LARGEST for amount in (*ends, *gains)):
            raise RulesError("an amount beyond 10^300; count in a larger unit")
        mine = goal.player if model.players else None
        senses = [
            0
            if not menu
            else goal.sense
            if mine is None or model.choosers.get(s, mine) == mine
            else -1  # a chooser plays for their own bet, whatever the goal
            if foreign
            else -goal.sense
            for s, menu in enumerate(model.menus)
        ]
        return cls(
            model=model,
            goal=goal,
            shift=shift,
            ends=ends,
            gains=tuple(gains),
            roll=goal.counters.get("rolls", Fraction(0)),
            senses=senses,
        )

    def bare(self) -> "Arena":
        """The same without its lists of rows and blocks, which are made again if asked for."""
        return replace(self)

    @cached_property
    def rows(self) -> list[list[int]]:
        """The targets of each node's moves."""
        targets = self.model.targets.tolist()
        return [targets[at:end] for at, end in pairwise(self.model.first)]

    @cached_property
    def blocks(self) -> list[list[int]]:
        """The strongly connected components, in topological order."""
        return components(self.rows, len(self.model.outcomes))

    @cached_property
    def weights(self) -> tuple[tuple[int, ...], ...]:
        """The weights of the outcomes of each rollable."""
        return tuple(rollable.law.weights for rollable in self.model.rollables)
