"""The policies that are optimal for some tables.

A policy's expected value in each state is linear in the pays and offers. So a policy is optimal in
a polyhedron: where no option of any state is better by its own values (Bellman's equation). Ties go
to the first option, so each table has one policy. Policy iteration (Howard 1960) runs for all
tables at once: tables with the same improved choices go on together, and each policy is solved
once, with a right-hand side per open number.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, shown
from sevenout.model import Model, explore
from sevenout.rules import Objective
from sevenout.rules.gamefiles.open_parameters import Opened
from sevenout.solving.solvers.elimination import Elimination
from sevenout.variants.design.bounded_search import LIMB, Block, BoundedSearch, WeightedSum
from sevenout.variants.design.forms import BetForm, marked, open_pay
from sevenout.variants.design.ordered_counts import ways

TABLE, WAY = 1e-6, 0.01
"""Seconds: per table in one state, and to solve a policy."""

Answers = tuple[int, ...]
"""The option chosen in each decision state."""


class OptionValue(NamedTuple):
    """An amount linear in the open numbers: Σ by(name) x(name) + rest."""

    by: dict[str, Fraction]
    rest: Fraction

    def over(self, other: "OptionValue") -> "OptionValue":
        """The difference from another."""
        by = {n: self.by.get(n, 0) - other.by.get(n, 0) for n in self.by | other.by}
        return OptionValue({n: Fraction(p) for n, p in by.items() if p}, self.rest - other.rest)

    def least(self, values: Mapping[str, Sequence[Fraction]]) -> Fraction:
        """Its minimum."""
        return self.rest + sum(min(p * x for x in values[n]) for n, p in self.by.items())


class Margin(NamedTuple):
    """The condition that one option is at least as good as another, or better if `strictly`."""

    gain: OptionValue
    strictly: bool

    def sum(self, values: Mapping[str, Sequence[Fraction]]) -> WeightedSum:
        """The condition as a bound of a sum."""
        by, rest = self.gain
        none = Fraction()
        value = {n: [by.get(n, none) * x for x in xs] for n, xs in values.items()}
        step = lcm(rest.denominator, *(w.denominator for row in value.values() for w in row))
        return WeightedSum(
            value, (Fraction(1, step) if self.strictly else none) - rest, None, rises=False
        )


class WayToPlay(NamedTuple):
    """A policy: the bet's form, and the margins where it is optimal."""

    form: BetForm
    margins: tuple[Margin, ...]


def played_best(opened: Opened, structure: Mapping[str, Fraction]) -> list[WayToPlay]:
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
    >>> [dict(way.form.chances) for way in played_best(craps, {})]
    [{'pass point': Fraction(134, 495)}, {'pass point': Fraction(71, 330)}]

    Raises:
        SevenoutError: the rules contradict themselves with this structure.
        TooMuchWorkError: too many tables, or policies.
    """
    asking = _Asking(opened, structure)
    values = {n: opened.numbers[n] for n in opened.pays}
    order = [p for p in opened.order if {p.more, p.less} <= values.keys()]
    count, asked = ways(values, order)[0], len(asking.questions)
    afford(
        f"{count:,} tables, each of which the player plays in its own best way,",
        seconds=count * asked * TABLE,
        instead="leave fewer numbers open, or fewer values to each",
    )
    walk = BoundedSearch(values, order, [])
    solved: dict[Answers, _Way] = {}
    best: dict[Answers, None] = {}
    for block in walk.blocks():
        waiting = {(0,) * asked: [block]}
        while waiting:
            answers, blocks = waiting.popitem()
            if answers not in solved:
                afford(
                    f"to solve for {len(solved):,} ways to play, and for more,",
                    seconds=len(solved) * WAY,
                    instead="leave fewer pays or offers open",
                )
                solved[answers] = asking.way(answers)
            for each in blocks:
                for better, part in solved[answers].better(walk, each):
                    if better == answers:
                        best[answers] = None
                    else:
                        waiting.setdefault(better, []).append(part)
    return [WayToPlay(solved[a].form, solved[a].margins(a, values)) for a in best]


class _Way:
    """A policy: the bet, and the values of each decision state's options."""

    def __init__(self, form: BetForm, options: list[list[OptionValue]]) -> None:
        self.form, self.options = form, options
        self._whole: list[list[tuple[dict[str, Any], int]]] = []

    def margins(
        self, answers: Answers, values: Mapping[str, Sequence[Fraction]]
    ) -> tuple[Margin, ...]:
        """The nontrivial conditions under which it is optimal."""
        found = []
        for chosen, options in zip(answers, self.options, strict=True):
            for k, other in enumerate(options):
                value = options[chosen].over(other)
                least = value.least(values)
                if k != chosen and (least < 0 or (least == 0 and k < chosen)):
                    found.append(Margin(value, k < chosen))
        return tuple(found)

    def better(self, walk: BoundedSearch, block: Block) -> Iterator[tuple[Answers, Block]]:
        """The improved choices, with their tables."""
        import numpy as np

        self._whole = self._whole or [_whole(options, walk) for options in self.options]
        best = np.zeros((len(block), len(self.options)), np.int8)
        for q, options in enumerate(self._whole):
            values = [
                sum((w[block.ranks[walk.names.index(n)]] for n, w in by.items()), start=rest)
                for by, rest in options
            ]
            most: Any = values[0]
            for k, value in enumerate(values[1:], 1):
                above = np.broadcast_to(value > most, len(block))
                best[:, q] = np.where(above, k, best[:, q])
                most = np.where(above, value, most)
        found, of = np.unique(best, axis=0, return_inverse=True)
        for k, answers in enumerate(found.tolist()):
            yield tuple(answers), block.take(np.flatnonzero(of.ravel() == k))


def _whole(options: Sequence[OptionValue], walk: BoundedSearch) -> list[tuple[dict[str, Any], int]]:
    """The values as integers by rank, with one factor."""
    import numpy as np

    rows = [{n: [p * x for x in walk.all] for n, p in by.items()} for by, _ in options]
    every = [w for row in rows for each in row.values() for w in each]
    scale = lcm(*(w.denominator for w in [*every, *(value.rest for value in options)]))
    reach = scale * (max(map(abs, every), default=0) * len(walk.names))
    reach += max(abs(value.rest) for value in options) * scale
    kind: Any = np.int64 if reach < LIMB else object
    return [
        (
            {n: np.array([int(w * scale) for w in each], kind) for n, each in row.items()},
            int(value.rest * scale),
        )
        for row, value in zip(rows, options, strict=True)
    ]


class _Asking:
    """A structure of a game with choices, explored once."""

    def __init__(self, opened: Opened, structure: Mapping[str, Fraction]) -> None:
        from flint import fmpq

        game, names = marked(opened, structure)
        model: Any = explore(game.game)
        self.model: Model = model
        (self.bet,) = self.model.bets
        if model.goal not in (None, Objective(self.bet)):
            raise RulesError(
                f"goal = {shown(str(model.goal))}, but tables are tuned for the most of "
                f"{self.bet}; leave the goal out"
            )
        self.stake = self.model.stakes.get(self.bet, Fraction(1))
        self.questions = self.model.questions
        self.names = tuple(opened.pays)
        paid = [outcome.profit(self.bet) for outcome in self.model.outcomes]
        of = [open_pay(self.bet, profit, names) for profit in paid]
        fixed = [Fraction() if n else x for n, x in zip(of, paid, strict=True)]
        columns = [[Fraction(n == name) for n in of] for name in self.names]
        columns += [fixed, [x * x for x in fixed], [Fraction(x > 0) for x in fixed]]
        self.ends = [[fmpq(x.numerator, x.denominator) for x in column] for column in columns]

    def way(self, answers: Answers) -> _Way:
        """A policy, solved."""
        from flint import fmpq

        model, n = self.model, len(self.model.states)
        chosen = dict(zip(self.questions, answers, strict=True))
        rows: list[dict[int, int]] = []
        for s in range(n):
            moves = model.targets[model.first[s] : model.first[s + 1]]
            if s in chosen:
                rows.append({moves[chosen[s]]: 1})
                continue
            row: dict[int, int] = {}
            weights = model.rollables[model.rolled[s]].law.weights
            for t, weight in zip(moves, weights, strict=True):
                row[t] = row.get(t, 0) + weight
            rows.append(row)
        solver = Elimination(rows, fmpq(1))
        columns = [[*solver.values([fmpq(0)] * n, ends), *ends] for ends in self.ends]

        def value(place: int) -> OptionValue:
            own = [Fraction(int(x.p), int(x.q)) for x in (fmpq(c[place]) for c in columns)]
            return OptionValue(
                {name: p for name, p in zip(self.names, own, strict=False) if p}, own[-3]
            )

        chances, mean = value(0)
        square, hit = (Fraction(int(x.p), int(x.q)) for x in (fmpq(c[0]) for c in columns[-2:]))
        form = BetForm(
            self.bet, self.stake, chances, mean / self.stake, square / self.stake**2, hit
        )
        options = [
            [value(t) for t in model.targets[model.first[s] : model.first[s + 1]]]
            for s in self.questions
        ]
        return _Way(form, options)
