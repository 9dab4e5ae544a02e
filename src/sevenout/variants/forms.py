"""The figures of a bet as functions of its open pays.

In each way a game can end, a bet is paid one amount, fixed or open. So with p(i) the probability of
being paid the open number x(i), per unit staked,

    mean = m + Σ p(i) x(i),    mean square = s + Σ p(i) x(i)²,    hit = h + Σ p(i) [x(i) > 0],

each a sum of functions of one number. The game is solved once, with an amount of its own in the
place of each open number, which names it where it is paid.

Where the player chooses, p depends on what he does, and what is best depends on the pays: the mean
is the highest of such sums, one for each policy. So each table is a game by itself, played best.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

from sevenout.errors import RulesError
from sevenout.rules.opened import Opened

MARK, APART = 10**60, 10**50
"""The amounts that name open pays: where they begin, and how far apart they are."""


class Figures(NamedTuple):
    """A bet's exact figures, per unit staked.

    Attributes:
        edge: the house edge per bet made.
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
class Form:
    """A bet with open pays.

    Attributes:
        bet: its name.
        stake: its stake, in money.
        chances: the probability of being paid each open number.
        mean: of all other profits, per unit staked.
        square: the mean of their squares.
        hit: the probability that one of them is above 0.
    """

    bet: str
    stake: Fraction
    chances: Mapping[str, Fraction]
    mean: Fraction
    square: Fraction
    hit: Fraction

    def figures(self, values: Mapping[str, Fraction]) -> Figures:
        """The figures with these pays, in money."""
        paid = [(p, values[name] / self.stake) for name, p in self.chances.items()]
        mean = self.mean + sum((p * x for p, x in paid), Fraction())
        square = self.square + sum((p * x * x for p, x in paid), Fraction())
        hit = self.hit + sum((p for p, x in paid if x > 0), Fraction())
        return Figures(-mean, hit, square - mean * mean)


def forms_of(opened: Opened, structure: Mapping[str, Fraction]) -> dict[str, Form]:
    """The bets of the game with this structure.

    >>> from sevenout.rules.opened import read_opened
    >>> form = forms_of(read_opened("docs/examples/fast-craps-open.toml"), {})["pass"]
    >>> form.chances["a1"], form.hit
    (Fraction(1, 72), Fraction(1, 18))

    Raises:
        SevenoutError: the rules contradict themselves with this structure.
        RulesError: what is paid is not what the file says, but computed from it.
    """
    for k in (0, -1):
        ends = {name: opened.numbers[name][k] for name in opened.pays}
        opened.filled(ends | dict(structure))
    return _forms(opened, structure, None)


def forms_played_best(opened: Opened, numbers: Mapping[str, Fraction]) -> dict[str, Form]:
    """The bet of a game in which the player chooses, with these numbers, as it is played best.

    >>> from sevenout.rules.opened import parse_opened
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
    >>> numbers = {"pass point": Fraction(1)}
    >>> form = forms_played_best(craps, numbers)["pass"]
    >>> form.chances, form.figures(numbers).edge
    ({'pass point': Fraction(71, 330)}, Fraction(1, 3960))

    Raises:
        SevenoutError: the rules contradict themselves with these numbers.
        RulesError: what is paid is not what the file says, but computed from it.
    """
    from sevenout.decide import best

    found: Any = best(opened.filled(numbers).game)
    return _forms(opened, {name: numbers[name] for name in opened.structure}, found.policy)


def _forms(
    opened: Opened, structure: Mapping[str, Fraction], policy: Any | None
) -> dict[str, Form]:
    """The bets, by a solution in which each open pay has a name; of a game played by a policy."""
    from sevenout.chain import explore
    from sevenout.exact import solve

    names = {Fraction(MARK + i * APART): name for i, name in enumerate(opened.pays)}
    marks = {name: mark for mark, name in names.items()}
    game: Any = opened.filled(marks | dict(structure)).game
    model: Any = game if policy is None else explore(game)
    solution = solve(model if policy is None else model.under(policy))
    forms = {}
    for bet, result in solution.bets.items():
        chances: dict[str, Fraction] = {}
        mean = square = hit = Fraction()
        for pay, p in result.law.items():
            if pay.profit in names:
                name = names[pay.profit]
                chances[name] = chances.get(name, Fraction()) + p
            elif abs(pay.profit) * 2 > APART:
                raise RulesError(f"{bet} pays a sum of open numbers; leave one of them open")
            else:
                x = pay.profit / result.stake
                mean, square, hit = mean + p * x, square + p * x * x, hit + p * (x > 0)
        forms[bet] = Form(bet, result.stake, chances, mean, square, hit)
    return forms
