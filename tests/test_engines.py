"""One generic test: every engine agrees with every other, on every game of the catalogue.

Exact by elimination over the rationals = over floats = by lifting, where lifting applies =
simulated, and the simulator's engines bring back the same counts bit for bit.
"""

from fractions import Fraction
from math import inf, sqrt

import pytest

import sevenout as so
from sevenout.model import Chain
from sevenout.simulation.tally import variances
from sevenout.solving.answer import Solution
from sevenout.solving.elimination import Elimination
from sevenout.verify import binomial_test, confirm

GAMES = 200_000
FALSE_ALARM = Fraction(1, 10**6)
"""For each game, by `confirm`. With `RARE`, some hundred games make a false alarm of the whole test
rarer than 1 in 2,500. The seed is fixed, so it either happens for ever or never."""
RARE = FALSE_ALARM / 2
"""For the labels of each game, two-sided by the exact binomial law (Bonferroni)."""
SIGMAS = 6
"""Means may be so far off: for the most skewed bet (skewness 69, so 0.15 for the mean) that is a
false alarm in 3 million seeds, for the others in 500 million."""
LAW_STATES = 100
"""States up to which the laws of the counters are compared too."""
TESTED: dict[str, str] = {}
"""The game that stood for each chain first, by fingerprint."""


@pytest.mark.parametrize("name", so.games.without_choices)
def test_every_engine_agrees(name: str) -> None:
    chain = so.explore(so.games[name])
    if TESTED.setdefault(chain.fingerprint, name) != name:
        return  # the same chain under another name
    exact = Solution(chain, "elimination")
    assert sum(exact.outcomes.values()) == 1

    n = len(chain.states)
    flow = [0.0] * len(chain.outcomes)
    for visit, row in zip(
        Elimination(chain.weights, 1.0).visits({0: 1.0}), chain.weights, strict=True
    ):
        for target, weight in row.items():
            if target >= n:
                flow[target - n] += visit * weight
    assert flow == pytest.approx([float(p) for p in exact.outcomes.values()], rel=1e-9)

    if chain.denominator < 2**24 and n < 1_000:
        certified = Solution(chain, "certified", digits=30)
        for outcome, p in exact.outcomes.items():
            assert abs(certified.outcomes[outcome] - p) <= certified.bound
        assert abs(certified.mean_rolls - exact.mean_rolls) <= certified.rolls_bound

    one = so.simulate(chain, games=GAMES, seed=11, backend="numpy")
    other = so.simulate(chain, games=GAMES, seed=11, backend="llvm")
    assert one == other
    assert one.games == GAMES

    verdict = confirm(one, exact, confidence=1 - FALSE_ALARM)
    assert verdict.agrees, verdict.verdict

    for label, p in exact.labels.items():
        if p == 1:
            assert one.labels[label] == GAMES
        else:
            seen = one.labels.get(label, 0)
            assert binomial_test(seen, GAMES, p).p_value > RARE / len(exact.labels), label

    for bet in chain.bets:
        seen, true = one.bet(bet), exact.bet(bet)
        assert {row.pays for row in seen.table} <= {row.pays for row in true.table}
        assert distance(seen.mean, true.mean, true.variance) < SIGMAS, bet
        assert distance(seen.rolls, true.rolls, variances(chain)[own_rolls(chain, bet)]) < SIGMAS
    for counter, variance in variances(chain).items():
        mean = exact.mean(counter)
        assert distance(Fraction(one.counters[counter], GAMES), mean, variance) < SIGMAS, counter
        if n < LAW_STATES:
            law = exact.distribution(counter)
            assert law.mean == mean
            assert float(law.variance) == pytest.approx(variance, rel=1e-9)


def own_rolls(chain: Chain, bet: str) -> str:
    """The counter of a bet's own rolls, where it is settled before the others."""
    own = f"rolls of {bet}"
    return own if own in chain.counters else "rolls"


def distance(seen: Fraction, mean: Fraction, variance: Fraction | float) -> float:
    """How many standard deviations of a mean of so many games lie between the two."""
    if not variance:
        return 0.0 if seen == mean else inf
    return abs(float(seen - mean)) / sqrt(variance / GAMES)
