"""Plans in the sequence form, and best replies, which prove an interval of the value.

A *realization plan* gives each sequence the probability of its player's own moves. The best reply
is found set by set, from the last, by additions and comparisons. For any two plans,

    min over replies to the first plan <= value <= max over replies to the second plan.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from sevenout.errors import RulesError, shown
from sevenout.solving.hidden.sequences.sequence_matrix import EMPTY, SequenceForm, Side


@dataclass(frozen=True, eq=False)
class BestReply:
    """The best reply to a plan.

    Attributes:
        gains: for each sequence of the replier, the first player's value from there on, times the
            probability of all others' moves.
        reached: for each information set, the probability of all others' moves.
    """

    gains: Sequence[Fraction]
    values: Sequence[Fraction]
    reached: Sequence[Fraction]

    @property
    def value(self) -> Fraction:
        """The value of the game to the first player."""
        return self.gains[EMPTY]


def best_reply(form: SequenceForm, plan: Sequence[Fraction], seat: int) -> BestReply:
    """The best reply of the player in `seat` to the other's plan.

    >>> import sevenout as so
    >>> from sevenout.catalogue import games
    >>> from sevenout.solving.hidden import sequence_form
    >>> pennies = so.explore(games("matching-pennies"))
    >>> form = sequence_form(pennies, [outcome.profit("first") for outcome in pennies.outcomes])
    >>> best_reply(form, [Fraction(1), Fraction(3, 4), Fraction(1, 4)], 1).value
    Fraction(-1, 2)

    Args:
        form: the game.
        plan: for each sequence, the probability of the other player's own moves.
        seat: 0 for the first player, who maximizes; else 1.

    Raises:
        RulesError: it is not a plan.
    """
    must_be_a_plan(form.sides[1 - seat], plan)
    unit = lcm(*(x.denominator for x in plan))
    weights = [x.numerator * (unit // x.denominator) for x in plan]
    side, scale = form.sides[seat], unit * form.scale
    gains = met(form.payoffs, weights, seat, side.size)
    chances = met(form.chances, weights, seat, side.size)
    values, reached = [0] * len(side.sets), [0] * len(side.sets)
    choose = min if seat else max
    for k in range(len(side.sets) - 1, -1, -1):
        own = side.sets[k]
        values[k] = choose(gains[own.first : own.first + len(own.menu)])
        reached[k] = chances[own.first]
        gains[own.parent] += values[k]
        chances[own.parent] += reached[k]
    return BestReply(
        [Fraction(x, scale) for x in gains],
        [Fraction(x, scale) for x in values],
        [Fraction(x, unit * form.unit) for x in reached],
    )


def met(
    table: Mapping[tuple[int, int], int], weights: Sequence[int], seat: int, size: int
) -> list[int]:
    """For each sequence of a player, the weighted sum over the other's sequences."""
    sums = [0] * size
    if seat:
        for (i, j), x in table.items():
            if weights[i]:
                sums[j] += weights[i] * x
    else:
        for (i, j), x in table.items():
            if weights[j]:
                sums[i] += weights[j] * x
    return sums


def must_be_a_plan(side: Side, plan: Sequence[Fraction]) -> None:
    """Refuse anything but a realization plan."""
    if len(plan) != side.size:
        raise RulesError(
            f"the plan has {len(plan)} numbers, but {side.player} has {side.size} sequences"
        )
    if plan[EMPTY] != 1:
        raise RulesError(f"a plan begins with probability {shown(str(plan[EMPTY]))}; it must be 1")
    for own in side.sets:
        shares = plan[own.first : own.first + len(own.menu)]
        if min(shares) < 0:
            raise RulesError(
                f"a plan has the probability {shown(str(min(shares)))} at {shown(own.seen)}"
            )
        if sum(shares) != plan[own.parent]:
            raise RulesError(
                f"the options at {shown(own.seen)} add up to {shown(str(sum(shares)))}; the plan "
                f"gets there with {shown(str(plan[own.parent]))}"
            )


def mixture(side: Side, plan: Sequence[Fraction], k: int) -> tuple[Fraction, ...] | None:
    """A plan's probability of each option in an information set; None if it never gets there."""
    own = side.sets[k]
    total = plan[own.parent]
    if not total:
        return None
    return tuple(plan[sequence] / total for sequence in own.sequences)


def plan_of(side: Side, mixtures: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    """The realization plan of probabilities by information set."""
    plan = [Fraction(1)] * side.size
    for own, mixed in zip(side.sets, mixtures, strict=True):
        for sequence, share in zip(own.sequences, mixed, strict=True):
            plan[sequence] = plan[own.parent] * share
    return plan
