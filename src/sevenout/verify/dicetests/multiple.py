"""P-values adjusted for many tests."""

from collections.abc import Mapping, Sequence

from sevenout.verify.dicetests.observed_counts import DataError


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """P-values adjusted after Holm (1979), in the order given.

    Rejecting those at or below α makes any false rejection at most α likely, whatever the
    dependence of the tests.

    >>> holm([0.01, 0.04, 0.03])
    (0.03, 0.06, 0.06)

    Raises:
        DataError: a p-value outside 0 to 1.
    """
    for p in p_values:
        if not 0 <= p <= 1:
            raise DataError(f"a p-value of {p}; give one between 0 and 1")
    adjusted = [0.0] * len(p_values)
    worst = 0.0
    for rank, i in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        worst = max(worst, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = worst
    return tuple(adjusted)


def family_of(asked: Mapping[str, float]) -> dict[str, float]:
    """The adjusted p-value of each test.

    >>> family_of({"the mean": 0.01, "the shares": 0.5})
    {'the mean': 0.02, 'the shares': 0.5}
    """
    return dict(zip(asked, holm(list(asked.values())), strict=True))
