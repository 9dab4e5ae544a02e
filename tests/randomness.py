"""Random inputs of the tests: the same for the same `SEVENOUT_SEED`, and bounded in time.

`.ci/run` takes another seed for each commit, which pytest prints at its end. To repeat a run, set
`SEVENOUT_SEED` to that number, and give it to Hypothesis by `--hypothesis-seed`.
"""

import os
from collections.abc import Iterator
from random import Random
from time import monotonic

SEED = os.environ.get("SEVENOUT_SEED", "1")


def random_of(*names: object) -> Random:
    """Random numbers that depend only on the seed and these names."""
    return Random(" ".join(map(str, (SEED, *names))))


def numbers(most: int, seconds: float, least: int = 10) -> Iterator[int]:
    """The numbers of random cases: from 0, until there are `most` or the time is over.

    Args:
        most: the number of cases on a fast machine.
        seconds: after this time, only the first `least` cases are still tried.
        least: so that a slow machine does not pass without a test.
    """
    end = monotonic() + seconds
    for number in range(most):
        if number >= least and monotonic() > end:
            return
        yield number
