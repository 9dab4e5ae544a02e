"""Many tests at once: p-values adjusted so that the family as a whole keeps its level."""

from collections.abc import Sequence

from sevenout.extras import needs
from sevenout.verify.cells import DataError


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Adjusted p-values after Holm (1979), in the order given.

    Rejecting those at or below α makes any false rejection at most α likely, however the tests
    depend on one another.

    >>> holm([0.01, 0.04, 0.03])
    (0.03, 0.06, 0.06)

    Raises:
        DataError: a p-value outside 0 to 1.
    """
    _must_be_probabilities(p_values)
    adjusted = [0.0] * len(p_values)
    worst = 0.0
    for rank, i in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        worst = max(worst, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = worst
    return tuple(adjusted)


def benjamini_hochberg(p_values: Sequence[float]) -> tuple[float, ...]:
    """Adjusted p-values after Benjamini and Hochberg (1995), in the order given.

    Rejecting those at or below q keeps the expected share of false rejections at most q, if the
    tests are independent or depend on one another positively.

    >>> benjamini_hochberg([0.01, 0.04, 0.03])
    (0.03, 0.04, 0.04)

    Raises:
        DataError: a p-value outside 0 to 1.
    """
    needs("scipy", "verify")
    from scipy.stats import false_discovery_control

    _must_be_probabilities(p_values)
    return tuple(float(p) for p in false_discovery_control(p_values)) if p_values else ()


def _must_be_probabilities(p_values: Sequence[float]) -> None:
    for p in p_values:
        if not 0 <= p <= 1:
            raise DataError(f"a p-value of {p}; it lies between 0 and 1")
