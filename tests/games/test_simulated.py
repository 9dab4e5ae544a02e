"""Every entry of the catalogue played roll by roll: the outcomes come as often as they should.

Each label of each game is tested by the exact binomial law, two-sided. The seed is fixed; over
seeds, all these tests together raise a false alarm once in about 10,000 runs (Bonferroni).
"""

import pytest

from sevenout.games import catalogue
from sevenout.simulate import simulate
from sevenout.solve import solve
from sevenout.verify import binomial_test

GAMES = 20_000
FALSE_ALARMS = 1e-4


@pytest.mark.parametrize("name", catalogue)
def test_outcomes_come_as_often_as_they_should(name: str) -> None:
    solution = solve(catalogue[name])
    tally = simulate(solution.chain, GAMES, seed=1654, backend="numpy")
    assert sum(tally.labels.values()) == GAMES
    level = FALSE_ALARMS / len(catalogue) / len(solution.labels)
    for label, p in solution.labels.items():
        if p == 1:
            assert tally.labels[label] == GAMES
        else:
            seen = tally.labels.get(label, 0)
            assert binomial_test(seen, GAMES, p).p_value > level, label
