"""Equilibria: two plans, two best replies, and the value of the game between them.

Two engines, and a proof that trusts neither:

- A small game is solved in fractions by the simplex method. With all payoffs made positive, a
  player who reaches an information set and then does nothing only loses by it. So plans may have
  gaps,

      max q_0  subject to  Σ x_child <= x_parent,  x_0 <= 1,  F^T q <= A^T x,  x, q >= 0,

  and 0 is a feasible start. The shadow prices are the plan of the second player. Bland's rule
  (1977) prevents cycling.
- A larger one is solved in floats by SciPy's HiGHS (Huangfu and Hall 2018), as

      max q_0  subject to  E x = e,  F^T q <= A^T x,  x >= 0,

  where E x = e says that x is a plan, and q holds the values of the second player's information
  sets. The floats show which options of a player are used, and which of the other's are equally
  good against them. Exact equality gives a few linear equations with integer coefficients, solved
  by Dixon's lifting (FLINT).

Either way the plans are only a proposal: best replies prove the value, or an interval of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, Literal

from flint import fmpz_mat, nmod_mat

from sevenout.errors import RulesError, TooMuchWorkError
from sevenout.extras import needs
from sevenout.model import Model
from sevenout.solving.hidden.sequence_form import (
    EMPTY,
    BestReply,
    SequenceForm,
    Side,
    best_reply,
    sequence_forms,
)

NEARNESS = (1e-9, 1e-8, 1e-7, 1e-6)
"""Thresholds for 0 in a plan in floats, in the order tried."""
GRAIN = 1 << 50
"""The denominator of rounded plans."""
MOST = 150_000
"""HiGHS takes minutes for this many sequences of both players, and hours for more."""

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
    _must_be_solvable(form)
    floats = solved_in_floats(form)
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


def _must_be_solvable(form: SequenceForm) -> None:
    sequences = sum(side.size for side in form.sides)
    if sequences > MOST:
        raise TooMuchWorkError(
            f"the players can see and do {sequences:,} different things, more than {MOST:,}; take "
            "a smaller game, or end it after fewer moves"
        )


def _exact(
    form: SequenceForm, floats: tuple[Sequence[float], Sequence[float]]
) -> Equilibrium | None:
    """The nearest exact plans, without a gap if possible; None if there are none."""
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


SMALL = 160
"""The most sequences of both players for which fractions are fast."""


def solved_in_fractions(form: SequenceForm) -> tuple[list[Fraction], list[Fraction]]:
    """An optimal plan of each player."""
    one, two = form.sides
    n, rows = one.size, 1 + len(one.sets)
    table = [[Fraction(0)] * (n + 1 + len(two.sets)) for _ in range(rows + two.size)]
    table[0][EMPTY] = Fraction(1)
    for k, own in enumerate(one.sets, 1):
        table[k][own.parent] = Fraction(-1)
        for sequence in own.sequences:
            table[k][sequence] = Fraction(1)
    table[rows][n] = Fraction(1)
    for k, own in enumerate(two.sets, 1):
        table[rows + own.parent][n + k] = Fraction(-1)
        for sequence in own.sequences:
            table[rows + sequence][n + k] = Fraction(1)
    for (i, j), value in _positive(form).items():
        table[rows + j][i] -= value
    bounds = [Fraction(int(k == 0)) for k in range(len(table))]
    goal = [Fraction(int(k == n)) for k in range(len(table[0]))]
    primal, prices = maximum(table, bounds, goal)
    return _filled(one, primal[:n]), _filled(two, prices[rows:])


def _positive(form: SequenceForm) -> dict[tuple[int, int], Fraction]:
    """The payoffs, less the least value of an outcome."""
    values = {
        pair: (Fraction(form.payoffs.get(pair, 0), form.scale), Fraction(chance, form.unit))
        for pair, chance in form.chances.items()
    }
    least = min(value / chance for value, chance in values.values())
    return {pair: value - least * chance for pair, (value, chance) in values.items()}


def _filled(side: Side, plan: Sequence[Fraction]) -> list[Fraction]:
    """A plan with its gaps filled by the first option."""
    filled = list(plan)
    filled[EMPTY] = Fraction(1)
    for own in side.sets:
        short = filled[own.parent] - sum(filled[s] for s in own.sequences)
        filled[own.first] += short
    return filled


def maximum(
    table: list[list[Fraction]], bounds: list[Fraction], goal: list[Fraction]
) -> tuple[list[Fraction], list[Fraction]]:
    """The x >= 0 with table x <= bounds that maximizes goal · x, and the shadow prices.

    The bounds must not be negative, and the maximum must exist.

    >>> from fractions import Fraction as F
    >>> maximum([[F(1), F(2)], [F(3), F(1)]], [F(4), F(6)], [F(1), F(1)])
    ([Fraction(8, 5), Fraction(6, 5)], [Fraction(2, 5), Fraction(1, 5)])
    """
    n, m = len(goal), len(table)
    rows = [[*row, bound] for row, bound in zip(table, bounds, strict=True)]
    costs = [*(-x for x in goal), Fraction(0)]
    inside, outside = [n + k for k in range(m)], list(range(n))  # rows, columns
    while True:
        better = [(outside[c], c) for c in range(n) if costs[c] < 0]
        if not better:
            break
        c = min(better)[1]
        ratios = [(rows[r][n] / rows[r][c], inside[r], r) for r in range(m) if rows[r][c] > 0]
        r = min(ratios)[2]
        _pivot(rows, costs, r, c)
        inside[r], outside[c] = outside[c], inside[r]
    primal, prices = [Fraction(0)] * n, [Fraction(0)] * m
    for r, name in enumerate(inside):
        if name < n:
            primal[name] = rows[r][n]
    for c, name in enumerate(outside):
        if name >= n:
            prices[name - n] = costs[c]
    return primal, prices


def _pivot(rows: list[list[Fraction]], costs: list[Fraction], r: int, c: int) -> None:
    """Exchange the variables of a row and a column."""
    pivot = rows[r][c]
    rows[r] = [x / pivot for x in rows[r]]
    rows[r][c] = 1 / pivot
    used = [k for k, x in enumerate(rows[r]) if x and k != c]
    for other in (*(row for k, row in enumerate(rows) if k != r), costs):
        factor = other[c]
        if factor:
            for k in used:
                other[k] -= factor * rows[r][k]
            other[c] = -factor / pivot


NEAR = 1e-9
"""The tolerance of constraints, with payoffs of about 1."""


def solved_in_floats(form: SequenceForm) -> tuple[list[float], list[float]]:
    """Plans of both players, optimal up to rounding.

    Raises:
        MissingError: SciPy is not installed.
    """
    needs("scipy", "fast")
    import numpy as np
    import scipy.sparse as sp
    from scipy.optimize import linprog

    one, two = form.sides
    E, F = _constraints(one), _constraints(two)
    pairs = np.array(list(form.payoffs), np.int64).reshape(-1, 2)
    values = np.array([x / form.scale for x in form.payoffs.values()])
    values /= abs(values).mean() if len(values) else 1
    A = sp.csr_matrix((values, (pairs[:, 1], pairs[:, 0])), (two.size, one.size))
    goal = np.zeros(one.size + F.shape[0])
    goal[one.size] = -1
    found = linprog(
        goal,
        A_ub=sp.hstack([-A, F.T]).tocsr(),
        b_ub=np.zeros(two.size),
        A_eq=sp.hstack([E, sp.csr_matrix((E.shape[0], F.shape[0]))]).tocsr(),
        b_eq=np.eye(1, E.shape[0])[0],
        bounds=[(0, None)] * one.size + [(None, None)] * F.shape[0],
        method="highs-ds",
        options={"primal_feasibility_tolerance": NEAR, "dual_feasibility_tolerance": NEAR},
    )
    if found.x is None:
        raise RulesError(f"HiGHS finds no solution: {found.message}")
    first, second = found.x[: one.size].clip(min=0), (-found.ineqlin.marginals).clip(min=0)
    return first.tolist(), second.tolist()


def _constraints(side: Side) -> Any:
    """The constraints of a plan: 1 at the start, and flow conservation at each set."""
    import numpy as np
    import scipy.sparse as sp

    sizes = np.array([len(own.menu) for own in side.sets], np.int64)
    parents = np.array([own.parent for own in side.sets], np.int64)
    k = np.arange(1, len(side.sets) + 1)
    rows = np.concatenate([[0], k, np.repeat(k, sizes)])
    columns = np.concatenate([[EMPTY], parents, np.arange(1, side.size)])
    entries = np.concatenate([[1.0], -np.ones(len(k)), np.ones(side.size - 1)])
    return sp.csr_matrix((entries, (rows, columns)), (1 + len(k), side.size))


PRIME = 2**61 - 1
FINE = 10**6
"""The largest denominator of an undetermined share."""

Linear = dict[int, int]
"""A linear form: coefficients by unknown; unknown 0 is the constant 1."""


def exact_plan(
    form: SequenceForm, seat: int, floats: Sequence[float], near: float
) -> list[Fraction] | None:
    """The plan in fractions with the options and equalities of `floats`, a plan of `seat`.

    Probabilities up to `near` count as 0, and values that differ by no more as equal. None if a
    probability would be negative.
    """
    linear, guesses = _unknowns(form, seat, floats, near)
    equations = _equations(form, seat, floats, linear, near)
    solved = _solved(equations, guesses)
    plan = [Fraction(0)] * len(floats)
    for sequence, terms in linear.items():
        plan[sequence] = sum((solved[k] * c for k, c in terms.items()), Fraction(0))
    return None if min(plan) < 0 else plan


def _unknowns(
    form: SequenceForm, seat: int, floats: Sequence[float], near: float
) -> tuple[dict[int, Linear], list[float]]:
    """Each used sequence as a linear form, and approximate values of the unknowns."""
    linear: dict[int, Linear] = {EMPTY: {0: 1}}
    guesses = [1.0]
    for own in form.sides[seat].sets:
        if own.parent not in linear:
            continue
        used = [s for s in own.sequences if floats[s] > near]
        used = used or [max(own.sequences, key=floats.__getitem__)]
        rest = dict(linear[own.parent])
        for s in used[:-1]:
            k = len(guesses)
            guesses.append(float(floats[s]))
            linear[s] = {k: 1}
            rest[k] = -1
        linear[used[-1]] = rest
    return linear, guesses


def _equations(
    form: SequenceForm,
    seat: int,
    floats: Sequence[float],
    linear: dict[int, Linear],
    near: float,
) -> list[Linear]:
    """The forms that must vanish for nearly best options to be equally good."""
    side, sign = form.sides[1 - seat], 1 if seat else -1
    values: list[Linear] = [{} for _ in range(side.size)]
    about = [0.0] * side.size
    for pair, value in form.payoffs.items():
        terms = linear.get(pair[seat])
        if terms is not None:
            other = pair[1 - seat]
            _add(values[other], terms, value)
            about[other] += floats[pair[seat]] * value
    equations = []
    for k in range(len(side.sets) - 1, -1, -1):
        own = side.sets[k]
        best = max(own.sequences, key=lambda s: sign * about[s])
        for s in own.sequences:
            if s != best and abs(about[s] - about[best]) <= near * form.scale:
                apart = dict(values[best])
                _add(apart, values[s], -1)
                if apart := {unknown: c for unknown, c in apart.items() if c}:
                    equations.append(apart)
        _add(values[own.parent], values[best], 1)
        about[own.parent] += about[best]
    return equations


def _add(to: Linear, terms: Linear, times: int) -> None:
    for k, c in terms.items():
        to[k] = to.get(k, 0) + c * times


def _solved(equations: list[Linear], guesses: list[float]) -> list[Fraction]:
    """The unknowns; those not determined are as guessed."""
    solved = [Fraction(1), *(Fraction(x).limit_denominator(FINE) for x in guesses[1:])]
    rows = list({tuple(sorted(row.items())): row for row in equations}.values())
    unknown = range(1, len(guesses))
    table = [[row.get(k, 0) for k in unknown] for row in rows]
    columns = _pivots(table)
    if not columns:
        return solved
    used = _pivots([list(column) for column in zip(*table, strict=True)])
    free = [0, *(k for k in unknown if k - 1 not in set(columns))]
    common = lcm(*(solved[k].denominator for k in free))
    known = [-sum(rows[r].get(k, 0) * int(solved[k] * common) for k in free) for r in used]
    matrix = fmpz_mat([[table[r][c] for c in columns] for r in used])
    found = matrix.solve(fmpz_mat(len(known), 1, known))
    for r, c in enumerate(columns):
        x = found[r, 0]
        solved[c + 1] = Fraction(int(x.p), int(x.q)) / common
    return solved


def _pivots(table: list[list[int]]) -> list[int]:
    """A maximal independent set of columns, modulo a prime."""
    if not table or not table[0]:
        return []
    reduced, rank = nmod_mat([[x % PRIME for x in row] for row in table], PRIME).rref()
    pivots, c = [], 0
    for r in range(rank):
        while not int(reduced[r, c]):
            c += 1
        pivots.append(c)
    return pivots
