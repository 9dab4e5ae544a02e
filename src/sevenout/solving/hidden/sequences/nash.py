"""Equilibria: two plans, two best replies, and the value of the game between them.

A small game is solved in fractions by the simplex method. For a larger one, HiGHS or regret
matching finds plans in floats, and indifference makes them exact. Otherwise they are rounded, and
best replies prove an interval.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

from sevenout.errors import RulesError
from sevenout.extras import has
from sevenout.model import Model
from sevenout.solving.hidden.sequences.bestreply import BestReply, best_reply
from sevenout.solving.hidden.sequences.sequence_matrix import (
    EMPTY,
    SequenceForm,
    Side,
    sequence_forms,
)
from sevenout.solving.hidden.sequences.simplex import SMALL, solved_in_fractions

NEARNESS = (1e-9, 1e-8, 1e-7, 1e-6)
"""Thresholds for 0 in a plan in floats, in the order tried."""
GRAIN = 1 << 50
"""The denominator of rounded plans."""
MOST = 150_000
"""The linear program is solved up to this many sequences of both players."""

Plan = Sequence[Fraction]


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """Two plans and the best replies to them.

    Attributes:
        replies: the second player's to the first plan, and the first's to the second.
    """

    form: SequenceForm
    plans: tuple[Plan, Plan]
    replies: tuple[BestReply, BestReply]

    @property
    def low(self) -> Fraction:
        """The least that the first plan gets."""
        return self.replies[0].value

    @property
    def high(self) -> Fraction:
        """The most that the first player gets against the second plan."""
        return self.replies[1].value

    @property
    def value(self) -> Fraction:
        """The value of the game to the first player: the middle of the interval."""
        return (self.low + self.high) / 2

    @property
    def bound(self) -> Fraction:
        """The error bound of the value; 0 if exact."""
        return (self.high - self.low) / 2


def proved(form: SequenceForm, one: Plan, two: Plan) -> Equilibrium:
    """The interval that two plans prove."""
    return Equilibrium(form, (one, two), (best_reply(form, one, 1), best_reply(form, two, 0)))


def equilibrium(
    form: SequenceForm, method: Literal["auto", "exact", "certified"] = "auto"
) -> Equilibrium:
    """Optimal plans of both players.

    Args:
        form: the game.
        method: "exact", "certified" (plans in short fractions, with a proved interval), or "auto"
            (exact if possible).

    Raises:
        RulesError: exact plans were requested, and none were found.
    """
    if method != "certified" and sum(side.size for side in form.sides) <= SMALL:
        return proved(form, *solved_in_fractions(form))
    floats = _floats(form)
    found = None if method == "certified" else _exact(form, floats)
    if found is None or found.bound:
        one, two = (whole_plan(side, x) for side, x in zip(form.sides, floats, strict=True))
        rounded = proved(form, one, two)
        found = rounded if found is None or rounded.bound < found.bound else found
    if method == "exact" and found.bound:
        raise RulesError(
            f"no exact plans were found; the nearest are within {float(found.bound):.1e}; use "
            "method='certified' for these, with their error bound"
        )
    return found


@dataclass(frozen=True, eq=False)
class SubgamePerfect:
    """An equilibrium of each subgame, found from the last to the first.

    Attributes:
        forms: by root, the game up to the next subgames.
        parts: by root, from the start; a later subgame counts with the middle of its interval.
    """

    forms: Mapping[int, SequenceForm]
    parts: Mapping[int, Equilibrium]
    bounds: Mapping[int, Fraction]

    @property
    def value(self) -> Fraction:
        """The value of the game to the first player."""
        return self.parts[0].value

    @property
    def bound(self) -> Fraction:
        """The error bound of the value; 0 if exact."""
        return self.bounds[0]

    @cached_property
    def reached(self) -> dict[int, Fraction]:
        """The probability of each root if both players follow their plans."""
        reached = dict.fromkeys(self.parts, Fraction(0))
        reached[0] = Fraction(1)
        for root, part in self.parts.items():
            one, two = part.plans
            for target, pairs in part.form.calls.items():
                chance = sum((x * one[i] * two[j] for (i, j), x in pairs.items()), Fraction(0))
                reached[target] += reached[root] * chance
        return reached


def subgame_perfect(
    model: Model, gains: Sequence[Fraction], method: Literal["auto", "exact", "certified"] = "auto"
) -> SubgamePerfect:
    """Optimal plans of both players in every subgame.

    >>> import sevenout as so
    >>> kuhn = so.explore(so.games("kuhn"))
    >>> subgame_perfect(kuhn, [outcome.profit("first") for outcome in kuhn.outcomes]).value
    Fraction(-1, 18)

    `gains` are the values of the outcomes to the first player.

    Raises:
        EndlessGameError: the game may go on forever.
        RulesError: imperfect recall; or exact plans were requested, and none were found.
    """
    forms = sequence_forms(model, gains)
    parts: dict[int, Equilibrium] = {}
    values: dict[int, Fraction] = {}
    bounds: dict[int, Fraction] = {}
    for root in reversed(list(forms)):
        form = forms[root].valued(values)
        parts[root] = found = equilibrium(form, method)
        values[root] = found.value
        after = max((bounds[target] for target in form.calls), default=Fraction(0))
        bounds[root] = found.bound + after
    return SubgamePerfect(forms, {root: parts[root] for root in forms}, bounds)


def _floats(form: SequenceForm) -> tuple[Sequence[float], Sequence[float]]:
    """Nearly optimal plans in floats."""
    if has("scipy") and sum(side.size for side in form.sides) <= MOST:
        from sevenout.solving.hidden.sequences.highs import solved_in_floats

        one, two = solved_in_floats(form)
        return one.tolist(), two.tolist()
    from sevenout.solving.hidden.sequences.regret import matched

    return matched(form)


def _exact(
    form: SequenceForm, floats: tuple[Sequence[float], Sequence[float]]
) -> Equilibrium | None:
    """The nearest exact plans, without a gap if possible; None if there are none."""
    from sevenout.solving.hidden.sequences.indifference import exact_plan

    best: list[tuple[Plan, BestReply] | None] = [None, None]
    for near in NEARNESS:
        for seat, sign in ((0, 1), (1, -1)):
            plan = exact_plan(form, seat, floats[seat], near)
            if plan is None:
                continue
            reply, old = best_reply(form, plan, 1 - seat), best[seat]
            if old is None or sign * reply.value > sign * old[1].value:
                best[seat] = plan, reply
        one, two = best
        if one is not None and two is not None and one[1].value == two[1].value:
            break
    if one is None or two is None:
        return None
    return Equilibrium(form, (one[0], two[0]), (one[1], two[1]))


def whole_plan(side: Side, floats: Sequence[float]) -> list[Fraction]:
    """A plan near some floats, in multiples of 1/`GRAIN`; the largest share takes up the rounding.

    >>> from sevenout.solving.hidden import Side
    >>> side = Side("first")
    >>> _ = side.add("a card", ("check", "bet"), EMPTY)
    >>> whole_plan(side, [1.0, 0.25, 0.75])
    [Fraction(1, 1), Fraction(1, 4), Fraction(3, 4)]
    """
    parts = [0] * side.size
    parts[EMPTY] = GRAIN
    for own in side.sets:
        total = parts[own.parent]
        if not total:
            continue
        shares = [max(float(floats[s]), 0.0) for s in own.sequences]
        weight = sum(shares)
        if weight:
            for s, share in zip(own.sequences, shares, strict=True):
                parts[s] = int(total * (share / weight))
        largest = own.first + shares.index(max(shares))
        parts[largest] += total - sum(parts[s] for s in own.sequences)
    return [Fraction(x, GRAIN) for x in parts]
