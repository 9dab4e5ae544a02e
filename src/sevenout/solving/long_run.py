"""Exact long-run frequencies of a chain; a game that ends is played again and again.

The chain ends up in a recurrent class, where it renews itself at each return to a state. A rate is
the mean over such a cycle, divided by its mean length (the renewal-reward theorem: Ross 1996,
theorem 3.6.1). Visits per roll are the stationary distribution (Kemeny and Snell 1960, chapters 5
and 6), computed by elimination.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import Any

from flint import fmpq

from sevenout.budgets.estimates import afford
from sevenout.catalogue import Entry, game_of
from sevenout.documents import Column, Fact, Facts, HasPage, Page, Table, Text
from sevenout.documents.kinds import COUNT, DECIMAL, FRACTION, LABEL, PERCENT
from sevenout.documents.numbers import exactly, singular
from sevenout.errors import RulesError, shown
from sevenout.model import Chain, Model, chain_of, explore, has_choices
from sevenout.model.graph import strongly_connected_components
from sevenout.rolling.distribution import sum_by_key
from sevenout.rolling.generating_functions import to_fraction
from sevenout.rules import Game, Outcome
from sevenout.solving.answer import Answer
from sevenout.solving.elimination import Elimination

ROLL, GAME = "roll", "game"
"""Units of rates, besides counters."""
MAX_STATES_SHOWN = 60
"""The most states on a page; the most frequent are shown."""


@dataclass(frozen=True)
class Recurrent:
    """A recurrent class of a chain.

    Attributes:
        probability: of ending up in it.
        period: the greatest common divisor of the lengths of its cycles.
        frequencies: the share of rolls in each state.
    """

    probability: Fraction
    period: int
    frequencies: Mapping[int, Fraction]


class LongRun(HasPage):
    """Long-run frequencies.

    >>> from sevenout.catalogue import games
    >>> craps = long_run(games["craps"])
    >>> craps.outcomes["point"], craps.profits["pass"], craps.period
    (Fraction(134, 1671), Fraction(-7, 1671), 1)

    Attributes:
        chain: the chain.
        per: the unit of rates: "roll", "game", or a counter.
        classes: the recurrent classes.
    """

    def __init__(self, chain: Chain, per: str = ROLL) -> None:
        counters = [name for name in chain.counters if name != "rolls"]
        units = [ROLL, *([GAME] if chain.outcomes else []), *counters]
        per = ROLL if per == "rolls" else per
        if per not in units:
            raise RulesError(f"per={shown(per)}; give one of: {', '.join(units)}")
        self.chain, self.per, self._counters = chain, per, counters
        self.classes = _classes(chain)
        if not all(map(self._units_per_roll, self.classes)):
            raise RulesError(
                f"per={shown(per)}; play may go on for ever without any: give another unit"
            )

    def __repr__(self) -> str:
        return f"<LongRun of {len(self.chain.states):,} states, per {self.per}>"

    @property
    def period(self) -> int:
        """The period of the chain, if it has one recurrent class.

        Raises:
            RulesError: it has several.
        """
        if len(self.classes) > 1:
            raise RulesError(
                f"the game has {len(self.classes)} recurrent classes, each with its own period"
            )
        return self.classes[0].period

    @cached_property
    def frequencies(self) -> dict[str, Fraction]:
        """The share of rolls by the state's name; a mean over the recurrent classes.

        States with one name are counted together.
        """
        name = self.chain.name
        return sum_by_key(
            (name(s), recurrent.probability * share)
            for recurrent in self.classes
            for s, share in recurrent.frequencies.items()
        )

    @cached_property
    def rates(self) -> dict[str, Fraction]:
        """The mean increments of each counter, per unit `per`."""
        counters = self._counters if self.per == ROLL else ["rolls", *self._counters]
        return {counter: self._mean(counter) for counter in counters}

    @cached_property
    def outcomes(self) -> dict[str, Fraction]:
        """The frequency of each outcome, per unit `per`."""
        return sum_by_key(
            (outcome.label, frequency) for outcome, frequency in self._outcome_frequencies
        )

    @cached_property
    def profits(self) -> dict[str, Fraction]:
        """The mean profit of each bet per unit staked, per unit `per`."""
        # A bet that no game settles in the long run has the profit 0.
        return dict.fromkeys(self.chain.bets, Fraction(0)) | sum_by_key(
            (bet, frequency * pay.profit / pay.stake)
            for outcome, frequency in self._outcome_frequencies
            for bet, pay in outcome.pays
        )

    @cached_property
    def _outcome_frequencies(self) -> list[tuple[Outcome, Fraction]]:
        """The frequency of each outcome in each recurrent class, per unit `per`."""
        return [
            (
                self.chain.outcomes[k],
                recurrent.probability * frequency / self._units_per_roll(recurrent),
            )
            for recurrent in self.classes
            for k, frequency in self._outcomes_per_roll(recurrent).items()
        ]

    def _mean(self, counter: str) -> Fraction:
        terms = (
            recurrent.probability * self._rate(recurrent, counter) / self._units_per_roll(recurrent)
            for recurrent in self.classes
        )
        return sum(terms, Fraction(0))

    def _units_per_roll(self, recurrent: Recurrent) -> Fraction:
        """The amount of the unit `per` per roll."""
        if self.per == ROLL:
            return Fraction(1)
        if self.per == GAME:
            return sum(self._outcomes_per_roll(recurrent).values(), Fraction(0))
        return self._rate(recurrent, self.per)

    def _rate(self, recurrent: Recurrent, counter: str) -> Fraction:
        """The mean increment of a counter per roll in a class."""
        if counter == "rolls":
            return Fraction(1)
        total = Fraction(0)
        for s, share in recurrent.frequencies.items():
            gain = sum(
                edge.weight * n
                for edge in self.chain.rows[s]
                for name, n in edge.counts
                if name == counter
            )
            total += share * gain
        return total / self.chain.denominator

    def _outcomes_per_roll(self, recurrent: Recurrent) -> dict[int, Fraction]:
        """The frequency of each outcome per roll in a class."""
        n, whole = len(self.chain.states), self.chain.denominator
        return sum_by_key(
            (target - n, share * Fraction(weight, whole))
            for s, share in recurrent.frequencies.items()
            for target, weight in self.chain.weights[s].items()
            if target >= n
        )

    def page(self) -> Page:
        """A page: the rates, and the most frequent states."""
        per = f"per {singular(self.per)}"
        facts = [
            Fact(
                "stays in" if len(self.classes) > 1 else "states that come up again and again",
                len(recurrent.frequencies),
                COUNT,
                note=_class_note(recurrent, is_only=len(self.classes) == 1),
            )
            for recurrent in self.classes
        ]
        parts: list[Any] = [Facts(*facts)]
        for title, figures in (
            ("Counters", self.rates),
            ("Outcomes", self.outcomes),
            ("Profit per unit staked", self.profits),
        ):
            if figures:
                columns = [Column(title, LABEL), Column(per, DECIMAL, FRACTION)]
                parts.append(Table(columns, [(name, x) for name, x in figures.items()]))
        states = sorted(self.frequencies.items(), key=lambda pair: -pair[1])
        columns = [Column("state", LABEL), Column("share of the rolls", PERCENT, FRACTION)]
        parts.append(Table(columns, states[:MAX_STATES_SHOWN]))
        if len(states) > MAX_STATES_SHOWN:
            parts.append(
                Text(
                    f"The {MAX_STATES_SHOWN} most frequent of {len(states):,} states.", tone="note"
                )
            )
        return Page("", *parts)

    def to_dict(self) -> dict[str, Any]:
        """As data, in exact fractions."""
        return {
            "per": self.per,
            "classes": [
                {
                    "probability": exactly(recurrent.probability),
                    "states": len(recurrent.frequencies),
                    "period": recurrent.period,
                }
                for recurrent in self.classes
            ],
            "counters": {name: exactly(x) for name, x in self.rates.items()},
            "outcomes": {name: exactly(x) for name, x in self.outcomes.items()},
            "profits": {name: exactly(x) for name, x in self.profits.items()},
            "frequencies": {name: exactly(x) for name, x in self.frequencies.items()},
        }


def long_run(game: Game | Chain | Answer | Entry | str, per: str = ROLL) -> LongRun:
    """Long-run frequencies of a game with or without an end.

    >>> from sevenout.catalogue import games
    >>> fleas = long_run(games["dogs-and-fleas"])
    >>> fleas.frequencies["3"], fleas.period
    (Fraction(5, 16), 2)

    Args:
        game: the rules, a name of the catalogue, a chain, or a solution. A game that ends is
            repeated. For a game with choices, give the chain of a policy.
        per: the unit of rates: "roll", "game" (for games that end), or a counter.

    Raises:
        RulesError: a game with choices, or no such counter.
        TooMuchWorkError: too many states for an exact solution.
    """
    rules = game.chain if isinstance(game, Answer) else game_of(game)
    model: Game | Model = rules
    if isinstance(rules, Game) and not has_choices(rules):
        # `chain_of` refuses a game without an end, which is welcome here.
        model = explore(rules, endless=True)
    return LongRun(model if isinstance(model, Chain) else chain_of(model), per)


def _class_note(recurrent: Recurrent, *, is_only: bool) -> str:
    notes = [] if is_only else [f"with probability {exactly(recurrent.probability)}"]
    notes += [f"period {recurrent.period}"] if recurrent.period > 1 else []
    return ", ".join(notes)


def _classes(chain: Chain) -> list[Recurrent]:
    """The recurrent classes of a chain in which a settled game restarts."""
    n = len(chain.states)
    rows = [sum_by_key((t if t < n else 0, w) for t, w in row.items()) for row in chain.weights]
    classes: list[list[int]] = []
    for component in strongly_connected_components(rows):
        inside = set(component)
        if all(target in inside for s in component for target in rows[s]):
            classes.append(sorted(component))
    classes.sort()  # by the first state, whatever order the components came in
    size = max(map(len, classes))
    afford(
        f"the stationary distribution of {size:,} states",
        seconds=2e-9 * size**3 * chain.denominator.bit_length(),
        instead="forget what the rules do not need to remember",
    )
    probabilities = _class_probabilities(rows, classes)
    return [
        Recurrent(p, _period(component, rows), _stationary(component, rows))
        for p, component in zip(probabilities, classes, strict=True)
    ]


def _class_probabilities(rows: list[dict[int, int]], classes: list[list[int]]) -> list[Fraction]:
    """The probability of ending up in each class."""
    if len(classes) == 1:
        return [Fraction(1)]
    class_of = {s: k for k, component in enumerate(classes) for s in component}
    # The start is in a class, and nothing leaves one.
    if 0 in class_of:
        return [Fraction(k == class_of[0]) for k in range(len(classes))]
    transient = [s for s in range(len(rows)) if s not in class_of]
    index = {s: i for i, s in enumerate(transient)}
    index |= {s: len(transient) + k for s, k in class_of.items()}
    inner = [sum_by_key((index[t], w) for t, w in rows[s].items()) for s in transient]
    visits = Elimination(inner, fmpq(1)).visits({0: fmpq(1)})
    flows = sum_by_key(
        (target - len(transient), visit * w)
        for visit, row in zip(visits, inner, strict=True)
        for target, w in row.items()
        if target >= len(transient)
    )
    return [to_fraction(flows.get(k, 0)) for k in range(len(classes))]


def _stationary(component: list[int], rows: list[dict[int, int]]) -> dict[int, Fraction]:
    """The share of rolls in each state of a class, by visits between two returns to its first."""
    index = {s: i for i, s in enumerate(component)}
    returned = len(component)  # a return to the first ends the cycle
    inner = [sum_by_key((index[t] or returned, w) for t, w in rows[s].items()) for s in component]
    visits = Elimination(inner, fmpq(1)).visits({0: fmpq(1)})
    total = sum(visits, fmpq(0))
    return {s: to_fraction(visit / total) for s, visit in zip(component, visits, strict=True)}


def _period(component: list[int], rows: list[dict[int, int]]) -> int:
    """The period of a class, by distances from one state (Denardo 1977)."""
    distance = {component[0]: 0}
    queue, period = [component[0]], 0
    for s in queue:  # grows during the loop
        for target in rows[s]:
            if target not in distance:
                distance[target] = distance[s] + 1
                queue.append(target)
            period = gcd(period, distance[s] + 1 - distance[target])
    return period
