"""The figures of a bet as functions of its open pays.

Each outcome pays one amount, fixed or open. With p(i) the probability of being paid the open number
x(i), per unit staked,

    mean = m + Σ p(i) x(i),    mean square = s + Σ p(i) x(i)²,    hit = h + Σ p(i) [x(i) > 0],

each a sum of functions of one number. The game is solved once, with a unique amount in place of
each open number.

With choices, p depends on the policy, and the optimal policy on the pays: the mean is the maximum
of such sums over policies; see `played`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import NamedTuple

from sevenout.errors import RulesError
from sevenout.rules.gamefiles.gamefile import GameFile
from sevenout.rules.gamefiles.open_parameters import Opened

MARK, APART = 10**60, 10**50
"""The first amount that stands for an open pay, and the step."""


class Figures(NamedTuple):
    """A bet's exact figures, per unit staked.

    Attributes:
        edge: the house edge per bet made; in the long run with a progressive award.
        hit: P(profit > 0).
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
        stake: in money.
        chances: the probability of being paid each open number.
        mean: of all other profits, per unit staked.
        square: the mean of their squares.
        hit: the probability that one of them is above 0.
        added: the long-run contribution of a progressive award to the mean; the other figures
            exclude it.
    """

    bet: str
    stake: Fraction
    chances: Mapping[str, Fraction]
    mean: Fraction
    square: Fraction
    hit: Fraction
    added: Fraction = Fraction(0)

    def figures(self, values: Mapping[str, Fraction]) -> Figures:
        """The figures with these pays, in money."""
        paid = [(p, values[name] / self.stake) for name, p in self.chances.items()]
        mean = self.mean + sum((p * x for p, x in paid), Fraction())
        square = self.square + sum((p * x * x for p, x in paid), Fraction())
        hit = self.hit + sum((p for p, x in paid if x > 0), Fraction())
        return Figures(-mean - self.added, hit, square - mean * mean)


def forms_of(opened: Opened, structure: Mapping[str, Fraction]) -> dict[str, BetForm]:
    """The bets of the game with this structure.

    >>> from sevenout.rules.gamefiles.open_parameters import read_opened
    >>> form = forms_of(read_opened("docs/examples/fast-craps-open.toml"), {})["pass"]
    >>> form.chances["a1"], form.hit
    (Fraction(1, 72), Fraction(1, 18))

    Raises:
        SevenoutError: the rules contradict themselves with this structure.
        RulesError: a payment is computed from the file's amount, not equal to it.
    """
    from sevenout.solving import solve
    from sevenout.solving.bets.awards import progressive

    game, names = marked(opened, structure)
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
        added = Fraction(0) if rule is None else progressive(result, rule).added
        forms[bet] = BetForm(bet, result.stake, chances, mean, square, hit, added)
    return forms


def marked(
    opened: Opened, structure: Mapping[str, Fraction]
) -> tuple[GameFile, dict[Fraction, str]]:
    """The game with a unique amount for each open pay, and the pays by amount.

    Raises:
        SevenoutError: the rules contradict themselves with this structure.
    """
    for k in (0, -1):
        ends = {name: opened.numbers[name][k] for name in opened.pays}
        opened.filled(ends | dict(structure))
    names = {Fraction(MARK + i * APART): name for i, name in enumerate(opened.pays)}
    marks = {name: mark for mark, name in names.items()}
    return opened.filled(marks | dict(structure)), names


def open_pay(bet: str, profit: Fraction, names: Mapping[Fraction, str]) -> str:
    """The open pay with this profit; empty if it is fixed.

    Raises:
        RulesError: a sum of several.
    """
    if profit not in names and abs(profit) * 2 > APART:
        raise RulesError(f"{bet} pays a sum of open numbers; leave one of them open")
    return names.get(profit, "")
