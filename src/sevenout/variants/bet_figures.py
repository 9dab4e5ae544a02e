"""A bet's figures with open pays, and the bounds within which they should lie.

Each outcome pays one amount, fixed or open. With p(i) the probability of being paid the open number
x(i), per unit staked,

    mean = m + Σ p(i) x(i),    mean square = s + Σ p(i) x(i)²,    hit = h + Σ p(i) [x(i) > 0],

each a sum of functions of one number (`BetForm`). The game is solved once, with a unique amount in
place of each open number.

With choices, p depends on the policy, and the optimal policy on the pays: the mean is the maximum
of such sums over policies. A policy's expected value in each state is linear in the pays and
offers. So a policy is optimal in a polyhedron: where no option of any state is better by its own
values (Bellman's equation). Ties go to the first option, so each table has one policy. Policy
iteration (Howard 1960) runs for all tables at once (`optimal_policies`). Tables with the same
improved choices go on together. Each policy is solved once, with a right-hand side per open number.

Bounds are text or numbers: "4%..6%", "..5", ("1/100", "2/100"), and for one bet "pass=4%..6%".
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import lcm, sqrt
from typing import Any, Literal, NamedTuple

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, shown
from sevenout.model import Model, explore
from sevenout.numerals import Number, exact
from sevenout.rolling.distribution import sum_by_key
from sevenout.rules import Objective
from sevenout.rules.gamefiles.gamefile import GameFile
from sevenout.rules.gamefiles.open_parameters import Opened
from sevenout.solving import solve
from sevenout.solving.awards import progressive
from sevenout.solving.elimination import Elimination
from sevenout.variants.bounded_search import (
    Assignments,
    BoundedSearch,
    BoundedSum,
    count_assignments,
)
from sevenout.variants.family import SAFE_INT64

# far above any edge or standard deviation; larger numbers are slips, and would be slow to print
MAX_BOUND = 10**9
Figure = Literal["edge", "hit", "volatility"]
SHARES = "edge", "hit"
"""Bounds that are hardly ever above 1: 5 must mean 5%."""

FIRST_MARK, MARK_STEP = 10**60, 10**50
"""The first amount that stands for an open pay, and the step; no real pay is near."""

SECONDS_PER_TABLE, SECONDS_PER_POLICY = 1e-6, 0.01
"""To improve a policy in one state for one table, and to solve a policy."""

IntervalLike = Number | tuple[Number | None, Number | None] | None
"""One number, an interval as text, or a pair of ends; None for none."""
IntervalsLike = IntervalLike | list[str] | Mapping[str, IntervalLike]
"""An interval for all bets, or one for each: "pass=4%..6%", a list of these, or by name."""

Choices = tuple[int, ...]
"""The option chosen in each decision state."""


class FigureInterval(NamedTuple):
    """A closed interval of a figure.

    >>> str(parse_interval("4%..6%", "edge")), str(parse_interval("..5", "volatility"))
    ('4 % to 6 %', '5 or less')

    Attributes:
        low, high: its ends; None for none.
        text: in words, as it was written.
    """

    low: Fraction | None = None
    high: Fraction | None = None
    text: str = "any"

    def __str__(self) -> str:
        return self.text

    @property
    def is_unbounded(self) -> bool:
        """Whether it has no bounds."""
        return self.low is None and self.high is None

    @property
    def is_single(self) -> bool:
        """Whether it is one number."""
        return self.low is not None and self.low == self.high

    @property
    def middle(self) -> Fraction | None:
        """Its middle, or its only end."""
        if self.low is None or self.high is None:
            return self.high if self.low is None else self.low
        return (self.low + self.high) / 2

    def contains(self, x: Fraction) -> bool:
        """Whether it contains a number."""
        return (self.low is None or self.low <= x) and (self.high is None or x <= self.high)


ANY_VALUE = FigureInterval()


def parse_interval(bounds: IntervalLike, figure: Figure) -> FigureInterval:
    """The interval in a text or pair.

    Args:
        bounds: one number, an interval as text, or a pair of ends; None for none.
        figure: the figure that lies in it.

    Raises:
        RulesError: not an interval, or its ends in the wrong order.
    """
    ends: list[Any]
    match bounds:
        case None:
            return ANY_VALUE
        case str() if ".." in bounds:
            ends = [part.strip() or None for part in bounds.split("..", 1)]
        case (_, _):
            ends = list(bounds)
        case str() | int() | Fraction():
            ends = [bounds, bounds]
        case _:
            raise RulesError(f'{figure}={shown(bounds)}; write an interval, such as "4%..6%"')
    try:
        low, high = (None if end is None else exact(end) for end in ends)
    except RulesError as error:
        raise RulesError(f"{figure} {shown(bounds)}: {error}") from None
    for end, x in zip(ends, (low, high), strict=True):
        if x is not None and abs(x) > MAX_BOUND:
            raise RulesError(f"{figure} {shown(bounds)}; give numbers up to {MAX_BOUND:,}")
        # 5 for 5 % would be taken for 500 %, and nothing would be found
        if figure in SHARES and x is not None and abs(x) > 1 and "%" not in str(end):
            raise RulesError(
                f"{figure} {shown(bounds)}: {end} is {100 * x} %; write {end}% for {x} in a hundred"
            )
    if figure == "hit" and ((low or 0) > 1 or (high or 0) < 0):
        raise RulesError(f"hit {shown(bounds)}; a probability lies between 0% and 100%")
    if figure == "volatility" and (high or 0) < 0:
        raise RulesError(f"volatility {shown(bounds)}; a standard deviation is 0 or more")
    if low is not None and high is not None and low > high:
        raise RulesError(f"{figure} {shown(bounds)}; put the smaller first")
    return FigureInterval(low, high, _in_words(ends))


def _in_words(ends: Sequence[Any]) -> str:
    """An interval in words; an end may be missing."""
    low, high = (None if end is None else str(end).replace("%", " %") for end in ends)
    if low is None:
        return "any" if high is None else f"{high} or less"
    if high is None:
        return f"{low} or more"
    return low if low == high else f"{low} to {high}"


@dataclass(frozen=True)
class FigureBounds:
    """The bounds of one bet's figures.

    Attributes:
        edge: the house edge per bet made.
        hit: P(profit > 0).
        volatility: the standard deviation of the profit, per unit staked.
    """

    edge: FigureInterval = ANY_VALUE
    hit: FigureInterval = ANY_VALUE
    volatility: FigureInterval = ANY_VALUE

    @cached_property
    def variance(self) -> FigureInterval:
        """The bounds of the variance, which follow from those of the volatility."""
        low, high = self.volatility.low, self.volatility.high
        return FigureInterval(
            None if low is None else max(low, Fraction()) ** 2, None if high is None else high**2
        )

    def contains(self, figures: "Figures") -> bool:
        """Whether a bet's figures keep every bound."""
        return (
            self.edge.contains(figures.edge)
            and self.hit.contains(figures.hit)
            and self.variance.contains(figures.variance)
        )


def parse_intervals(bounds: IntervalsLike, figure: Figure) -> dict[str | None, FigureInterval]:
    """The intervals of a figure, each by its bet; that of every other bet by None.

    >>> {bet: str(x) for bet, x in parse_intervals(["pass=4%..6%", "..5%"], "edge").items()}
    {'pass': '4 % to 6 %', None: '5 % or less'}

    Raises:
        RulesError: an invalid interval, or two for one bet.
    """
    named: Iterable[tuple[str | None, Any]]
    if isinstance(bounds, Mapping):
        named = bounds.items()
    else:
        # a tuple is the two ends of one interval
        named = map(_split_bet_name, bounds if isinstance(bounds, list) else [bounds])
    interval_by_bet: dict[str | None, FigureInterval] = {}
    for bet, interval in named:
        if bet in interval_by_bet:
            owner = "every bet" if bet is None else shown(bet)
            raise RulesError(
                f"{figure} {shown(interval)} is a second interval for {owner}; give each bet one, "
                'such as "pass=4%..6%"'
            )
        interval_by_bet[bet] = parse_interval(interval, figure)
    return interval_by_bet


def _split_bet_name(text: Any) -> tuple[str | None, Any]:
    """The bet and the interval of a text; None for every bet."""
    if isinstance(text, str) and "=" in text:
        # a bet's name may have an equals sign, an interval has none
        name, _, interval = text.rpartition("=")
        return name.strip(), interval
    return None, text


class Figures(NamedTuple):
    """A bet's exact figures, per unit staked.

    Attributes:
        edge: the house edge per bet made; in the long run with a progressive award.
        hit: P(profit > 0).
        variance: of the profit.
    """

    edge: Fraction
    hit: Fraction
    variance: Fraction

    @property
    def volatility(self) -> float:
        """The standard deviation."""
        return sqrt(self.variance)


@dataclass(frozen=True)
class BetForm:
    """A bet with open pays.

    Attributes:
        bet: its name.
        stake: in money.
        chances: the probability of being paid each open number.
        mean: of all other profits, per unit staked.
        square: the mean of their squares.
        hit: the probability that one of them is above 0.
        award: the long-run contribution of a progressive award to the mean; the other figures
            exclude it.
    """

    bet: str
    stake: Fraction
    chances: Mapping[str, Fraction]
    mean: Fraction
    square: Fraction
    hit: Fraction
    award: Fraction = Fraction(0)

    def figures(self, values: Mapping[str, Fraction]) -> Figures:
        """The figures with these pays, in money."""
        paid = [(p, values[name] / self.stake) for name, p in self.chances.items()]
        mean = self.mean + sum((p * x for p, x in paid), Fraction())
        square = self.square + sum((p * x * x for p, x in paid), Fraction())
        hit = self.hit + sum((p for p, x in paid if x > 0), Fraction())
        return Figures(-mean - self.award, hit, square - mean * mean)


def bet_forms(opened: Opened, structure: Mapping[str, Fraction]) -> dict[str, BetForm]:
    """The bets of the game with this structure.

    >>> from sevenout.rules.gamefiles.open_parameters import read_opened
    >>> form = bet_forms(read_opened("docs/examples/fast-craps-open.toml"), {})["pass"]
    >>> form.chances["a1"], form.hit
    (Fraction(1, 72), Fraction(1, 18))

    Raises:
        SevenoutError: the rules contradict themselves with this structure.
        RulesError: a payment is computed from the file's amount, not equal to it.
    """
    game, names = mark_open_pays(opened, structure)
    forms = {}
    for bet, result in solve(game.game).bets.items():
        chances: dict[str, Fraction] = {}
        mean = square = hit = Fraction()
        for pay, p in result.law.items():
            if name := open_pay(bet, pay.profit, names):
                chances[name] = chances.get(name, Fraction()) + p
            else:
                x = pay.profit / result.stake
                mean, square, hit = mean + p * x, square + p * x * x, hit + p * (x > 0)
        rule = game.progressives.get(bet)
        award = Fraction(0) if rule is None else progressive(result, rule).award_return
        forms[bet] = BetForm(bet, result.stake, chances, mean, square, hit, award)
    return forms


def mark_open_pays(
    opened: Opened, structure: Mapping[str, Fraction]
) -> tuple[GameFile, dict[Fraction, str]]:
    """The game with a unique amount for each open pay, and the pays by amount.

    Raises:
        SevenoutError: the rules contradict themselves with this structure.
    """
    # a contradiction that only the least or the greatest pays make must be refused too
    for k in (0, -1):
        ends = {name: opened.numbers[name][k] for name in opened.pays}
        opened.filled(ends | dict(structure))
    names = {Fraction(FIRST_MARK + i * MARK_STEP): name for i, name in enumerate(opened.pays)}
    marks = {name: mark for mark, name in names.items()}
    return opened.filled(marks | dict(structure)), names


def open_pay(bet: str, profit: Fraction, names: Mapping[Fraction, str]) -> str:
    """The open pay with this profit; empty if it is fixed.

    Raises:
        RulesError: a sum of several.
    """
    # a sum or a multiple of marks is near no single one, and far above every fixed pay
    if profit not in names and abs(profit) * 2 > MARK_STEP:
        raise RulesError(f"{bet} pays a sum of open numbers; leave one of them open")
    return names.get(profit, "")


class LinearValue(NamedTuple):
    """An amount linear in the open numbers: Σ factor(name) x(name) + constant.

    Attributes:
        factors: the factor of each open number; those left out have the factor 0.
        constant: in money.
    """

    factors: dict[str, Fraction]
    constant: Fraction

    def minus(self, other: "LinearValue") -> "LinearValue":
        """The difference from another."""
        zero = Fraction()
        names = self.factors | other.factors
        factors = {n: self.factors.get(n, zero) - other.factors.get(n, zero) for n in names}
        nonzero = {name: factor for name, factor in factors.items() if factor}
        return LinearValue(nonzero, self.constant - other.constant)

    def minimum(self, values: Mapping[str, Sequence[Fraction]]) -> Fraction:
        """Its minimum."""
        return self.constant + sum(min(p * x for x in values[n]) for n, p in self.factors.items())


class OptimalityCondition(NamedTuple):
    """The condition that one option is at least as good as another, or better if `strictly`.

    Attributes:
        gain: the value of the one less that of the other.
        strictly: whether equal values fail, since ties go to the first option.
    """

    gain: LinearValue
    strictly: bool

    def bounded_sum(self, values: Mapping[str, Sequence[Fraction]]) -> BoundedSum:
        """The condition as a bound of a sum."""
        factors, constant = self.gain
        zero = Fraction()
        terms = {name: [factors.get(name, zero) * x for x in xs] for name, xs in values.items()}
        # "above 0" is "at least 1/scale", the least difference between values
        scale = lcm(constant.denominator, *(w.denominator for row in terms.values() for w in row))
        lower = (Fraction(1, scale) if self.strictly else zero) - constant
        return BoundedSum(terms, lower, None, is_monotone=False)


class OptimalPolicy(NamedTuple):
    """A policy that is optimal for some tables.

    Attributes:
        form: the bet's form under it.
        conditions: what the tables must satisfy for which it is optimal.
    """

    form: BetForm
    conditions: tuple[OptimalityCondition, ...]


def optimal_policies(opened: Opened, structure: Mapping[str, Fraction]) -> list[OptimalPolicy]:
    """Every policy that is optimal for a table with this structure.

    >>> from sevenout.rules.gamefiles.open_parameters import parse_opened
    >>> craps = parse_opened('''
    ... format = 1
    ... name = "Craps"
    ... [[line]]
    ... naturals = [7, 11]
    ... craps = [2, 3, 12]
    ... out = 7
    ... [line.bets.pass]
    ... point = "1..2"
    ... surrender = { "4,10" = "-1/4" }
    ... ''')
    >>> [dict(policy.form.chances) for policy in optimal_policies(craps, {})]
    [{'pass point': Fraction(134, 495)}, {'pass point': Fraction(71, 330)}]

    Raises:
        SevenoutError: the rules contradict themselves with this structure.
        TooMuchWorkError: too many tables, or policies.
    """
    decisions = OpenDecisions(opened, structure)
    values = {n: opened.numbers[n] for n in opened.pays}
    order = [p for p in opened.order if {p.larger, p.smaller} <= values.keys()]
    count, states = count_assignments(values, order)[0], len(decisions.states)
    afford(
        f"{count:,} tables, each of which the player plays in its own best way,",
        seconds=count * states * SECONDS_PER_TABLE,
        instead="leave fewer numbers open, or fewer values to each",
    )
    search = BoundedSearch(values, order, [])
    solved: dict[Choices, SolvedPolicy] = {}
    optimal: dict[Choices, None] = {}
    for assignments in search.assignments():
        # tables by the policy that is to be improved for them
        waiting = {(0,) * states: [assignments]}
        while waiting:
            choices, batches = waiting.popitem()
            if choices not in solved:
                afford(
                    f"to solve for {len(solved):,} ways to play, and for more,",
                    seconds=len(solved) * SECONDS_PER_POLICY,
                    instead="leave fewer pays or offers open",
                )
                solved[choices] = decisions.solve_policy(choices)
            for batch in batches:
                for better, tables in solved[choices].improvements(search, batch):
                    # a policy that no choice improves is optimal (Howard)
                    if better == choices:
                        optimal[choices] = None
                    else:
                        waiting.setdefault(better, []).append(tables)
    return [OptimalPolicy(solved[c].form, solved[c].conditions(c, values)) for c in optimal]


class SolvedPolicy:
    """A policy with its values.

    Attributes:
        form: the bet's form under it.
        options: for each decision state, the value of each option if the policy is followed
            afterwards.
    """

    def __init__(self, form: BetForm, options: list[list[LinearValue]]) -> None:
        self.form, self.options = form, options
        self._integer_options: list[list[tuple[dict[str, Any], int]]] = []

    def conditions(
        self, choices: Choices, values: Mapping[str, Sequence[Fraction]]
    ) -> tuple[OptimalityCondition, ...]:
        """The conditions under which it is optimal, without those that always hold."""
        conditions = []
        for chosen, options in zip(choices, self.options, strict=True):
            for k, other in enumerate(options):
                gain = options[chosen].minus(other)
                least_gain = gain.minimum(values)
                if k != chosen and (least_gain < 0 or (least_gain == 0 and k < chosen)):
                    conditions.append(OptimalityCondition(gain, k < chosen))
        return tuple(conditions)

    def improvements(
        self, search: BoundedSearch, tables: Assignments
    ) -> Iterator[tuple[Choices, Assignments]]:
        """The improved policies, each with the tables for which it is the improvement."""
        import numpy as np

        if not self._integer_options:
            self._integer_options = [_integer_values(options, search) for options in self.options]
        ranks = dict(zip(search.names, tables.ranks, strict=True))
        best = np.zeros((len(tables), len(self.options)), np.int8)
        for q, options in enumerate(self._integer_options):
            values = [
                sum((by_rank[ranks[name]] for name, by_rank in terms.items()), start=constant)
                for terms, constant in options
            ]
            best_value: Any = values[0]
            for k, value in enumerate(values[1:], 1):
                # above, not equal: ties go to the first option
                is_better = np.broadcast_to(value > best_value, len(tables))
                best[:, q] = np.where(is_better, k, best[:, q])
                best_value = np.where(is_better, value, best_value)
        policies, policy_of_table = np.unique(best, axis=0, return_inverse=True)
        for k, choices in enumerate(policies.tolist()):
            yield tuple(choices), tables.take(np.flatnonzero(policy_of_table.ravel() == k))


def _integer_values(
    options: Sequence[LinearValue], search: BoundedSearch
) -> list[tuple[dict[str, Any], int]]:
    """The options' values times a common factor: by open number and rank, and the constant."""
    import numpy as np

    # for each option and open number, its contribution by rank
    rows = [
        {n: [factor * x for x in search.sorted_values] for n, factor in option.factors.items()}
        for option in options
    ]
    terms = list(chain.from_iterable(chain.from_iterable(row.values()) for row in rows))
    constants = [option.constant for option in options]
    scale = lcm(*(w.denominator for w in [*terms, *constants]))
    # a bound of every sum, so that 64 bits suffice or Python's integers are used
    largest = max(map(abs, terms), default=0) * len(search.names) + max(map(abs, constants))
    dtype: Any = np.int64 if scale * largest < SAFE_INT64 else object
    values = []
    for row, constant in zip(rows, constants, strict=True):
        by_name = {n: np.array([int(w * scale) for w in terms], dtype) for n, terms in row.items()}
        values.append((by_name, int(constant * scale)))
    return values


class OpenDecisions:
    """A structure of a game with choices, explored once; its policies are solved one by one.

    Attributes:
        model: of the game, with a mark in place of each open pay.
        bet: the only bet; of several, no policy would be the best.
        stake: in money.
        states: the decision states.
        names: the open pays.
        outcome_values: for each right-hand side its value at every outcome: 1 where an open pay is
            paid, for each of them; then the fixed profit, its square, and whether it is above 0.
    """

    def __init__(self, opened: Opened, structure: Mapping[str, Fraction]) -> None:
        from flint import fmpq

        game, names = mark_open_pays(opened, structure)
        model: Any = explore(game.game)
        self.model: Model = model
        (self.bet,) = self.model.bets
        if model.goal not in (None, Objective(self.bet)):
            raise RulesError(
                f"goal = {shown(str(model.goal))}, but tables are tuned for the most of "
                f"{self.bet}; leave the goal out"
            )
        self.stake = self.model.stakes.get(self.bet, Fraction(1))
        self.states = self.model.decisions
        self.names = tuple(opened.pays)
        profits = [outcome.profit(self.bet) for outcome in self.model.outcomes]
        open_names = [open_pay(self.bet, profit, names) for profit in profits]
        fixed = [Fraction() if n else x for n, x in zip(open_names, profits, strict=True)]
        columns = [[Fraction(n == name) for n in open_names] for name in self.names]
        columns += [fixed, [x * x for x in fixed], [Fraction(x > 0) for x in fixed]]
        self.outcome_values = [
            [fmpq(x.numerator, x.denominator) for x in column] for column in columns
        ]

    def solve_policy(self, choices: Choices) -> SolvedPolicy:
        """Solve for a policy: one elimination for all right-hand sides."""
        from flint import fmpq

        model, n = self.model, len(self.model.states)
        chosen = dict(zip(self.states, choices, strict=True))
        rows: list[dict[int, int]] = []
        for s in range(n):
            moves = model.targets_of(s)
            if s in chosen:
                rows.append({moves[chosen[s]]: 1})
                continue
            weights = model.rollables[model.rollable_index[s]].law.weights
            rows.append(sum_by_key(zip(moves, weights, strict=True)))
        solver = Elimination(rows, fmpq(1))
        # for each right-hand side, its expected value in every state and at every outcome
        columns = [[*solver.values([fmpq(0)] * n, ends), *ends] for ends in self.outcome_values]

        def expected_values(target: int) -> list[Fraction]:
            return [Fraction(int(x.p), int(x.q)) for x in (fmpq(c[target]) for c in columns)]

        def linear_value(target: int) -> LinearValue:
            *chances, fixed, _, _ = expected_values(target)
            by_name = zip(self.names, chances, strict=True)
            return LinearValue({name: p for name, p in by_name if p}, fixed)

        chances, mean = linear_value(0)
        *_, square, hit = expected_values(0)
        form = BetForm(
            self.bet, self.stake, chances, mean / self.stake, square / self.stake**2, hit
        )
        options = [[linear_value(t) for t in model.targets_of(s)] for s in self.states]
        return SolvedPolicy(form, options)
