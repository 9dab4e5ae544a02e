"""A linear map of vectors, given in runs of consecutive places, by LLVM or NumPy."""

import ctypes
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sevenout.extras import has

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

NAME = "carry"
LONG = 24
"""NumPy gets a call of its own for runs of at least this many places."""


def linear_map(
    source: Any, target: Any, length: Any, weight: Any, size: int
) -> "Callable[[Floats], Floats]":
    """The map that adds to each target the weight times its source, run by run.

    A run gives the first place of its source and of its target, and its length. Each product is
    rounded at most once, and each sum once per term.

    >>> import numpy as np
    >>> swap = linear_map([0, 2, 0], [1, 0, 2], [2, 1, 1], [1.0, 0.5, 0.5], 3)
    >>> swap(np.array([1.0, 4.0, 8.0])).tolist()
    [4.0, 1.0, 4.5]

    Raises:
        IndexError: a run that is not within the vectors.
    """
    import numpy as np

    order = np.argsort(target, kind="stable")  # for locality of writes
    runs = [np.asarray(part, dtype=np.int64)[order] for part in (source, target, length)]
    for first in runs[:2]:
        if (first < 0).any() or (first + runs[2] > size).any():
            raise IndexError(f"a run that is not within {size} places")
    by = compiled if has("llvmlite") else sliced
    return by(runs, np.asarray(weight, dtype=np.float64)[order], size)


def fan_in(target: Any, length: Any, first: int, end: int) -> int:
    """The most runs that lead to one place in `range(first, end)`.

    >>> fan_in([1, 0, 2], [2, 1, 1], 0, 3), fan_in([1, 0, 2], [2, 1, 1], 0, 2)
    (2, 1)
    """
    import numpy as np

    target = np.asarray(target)
    places = np.concatenate((target, target + np.asarray(length)))
    order = np.argsort(places, kind="stable")
    places, begun = places[order], np.where(order < len(target), 1, -1).cumsum()
    last = np.append(places[1:] != places[:-1], True)[: len(places)]
    counted = begun[last & (places >= first) & (places < end)]
    return int(counted.max(initial=0))


def sliced(runs: "list[Ints]", weight: "Floats", size: int) -> "Callable[[Floats], Floats]":
    """The map by NumPy alone: long runs one by one, the rest place by place."""
    import numpy as np

    long = runs[2] >= LONG
    slices = [
        (w, slice(s, s + n), slice(t, t + n))
        for w, s, t, n in zip(*(part[long].tolist() for part in (weight, *runs)), strict=True)
    ]
    start, stop, length = (part[~long] for part in runs)
    along = np.arange(length.sum()) - np.repeat(np.cumsum(length) - length, length)
    start, stop = (np.repeat(first, length) + along for first in (start, stop))
    share = np.repeat(weight[~long], length)

    def move(law: "Floats") -> "Floats":
        then = np.zeros(size)
        for w, here, there in slices:
            then[there] += w * law[here]
        np.add.at(then, stop, share * law[start])
        return then

    return move


def compiled(runs: "list[Ints]", weight: "Floats", size: int) -> "Callable[[Floats], Floats]":
    """The map by LLVM."""
    import numpy as np

    carry, _ = _function()

    def move(law: "Floats") -> "Floats":
        law, then = np.ascontiguousarray(law, dtype=np.float64), np.zeros(size)
        carry(*(array.ctypes.data for array in (law, then, *runs, weight)), len(weight))
        return then

    return move


@lru_cache(maxsize=1)
def _function() -> tuple[Any, object]:
    from llvmlite import ir

    from sevenout import llvm

    module = ir.Module(NAME)
    kind = ir.FunctionType(ir.VoidType(), [ir.PointerType()] * 6 + [llvm.i64])
    function = ir.Function(module, kind, NAME)
    *pointers, runs = function.args
    for pointer in pointers:
        pointer.add_attribute("noalias")
    say = llvm.Language(function)
    kinds = (llvm.f64, llvm.f64, llvm.i64, llvm.i64, llvm.i64, llvm.f64)
    law, then, source, target, length, weight = map(say.table, pointers, kinds)
    with say.count(0, runs) as run:
        here, there, share = law.since(source[run]), then.since(target[run]), weight[run]
        with say.count(0, length[run]) as k:
            there[k] = say.b.fadd(there[k], say.b.fmul(share, here[k]))
    say.finish()
    return llvm.compiled(module, NAME, *[ctypes.c_void_p] * 6, ctypes.c_int64)
