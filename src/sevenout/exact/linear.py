"""A sparse linear map of vectors: SciPy's product where there is SciPy, or NumPy alone."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def linear_map(source: Any, target: Any, weight: Any, size: int) -> "Callable[[Floats], Floats]":
    """The map that adds weight times what is at the source to the target, entry by entry.

    >>> import numpy as np
    >>> swap = linear_map([0, 1, 1], [1, 0, 1], [1.0, 0.5, 0.5], 2)
    >>> [float(x) for x in swap(np.array([1.0, 4.0]))]
    [2.0, 3.0]
    """
    import numpy as np

    small = np.int32 if len(source) + size < 1 << 31 else np.int64
    source, target = np.asarray(source).astype(small), np.asarray(target).astype(small)
    weight = np.asarray(weight)
    try:
        from scipy.sparse import csr_array
    except ImportError:
        order = np.argsort(target, kind="stable")
        source, weight = source[order], weight[order]
        reached, starts = np.unique(target[order], return_index=True)

        def move(law: "Floats") -> "Floats":
            then = np.zeros(size)
            if len(reached):
                then[reached] = np.add.reduceat(weight * law[source], starts)
            return then

        return move
    matrix = csr_array((weight, (target, source)), shape=(size, size))
    return lambda law: matrix @ law
