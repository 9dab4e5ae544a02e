"""Value iteration in compiled floats; `certified` proves its results.

Bellman updates in place (Gauss-Seidel), over one strongly connected component at a time
(topological value iteration, Dai and Goldsmith 2007). A component without a cycle takes one sweep.
"""

import ctypes
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sevenout.extras import needs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sevenout.solving.solvers.flat import Arrays

NAME = "sweep"


def sweep(
    flat: "Arrays", values: "NDArray[np.float64]", tolerance: float = 1e-15, most: int = 20_000
) -> None:
    """Solve Bellman's equation in floats.

    Args:
        flat: the model's arrays.
        values: the value of each node, then of each outcome; the nodes' are overwritten.
        tolerance: stop if no value of a block changes by more than this times the largest.
        most: the most sweeps of a block.
    """
    function, _ = _function()
    arrays = (
        flat.bounds,
        flat.order,
        flat.cyclic,
        flat.first,
        flat.targets,
        flat.senses,
        flat.shares,
        flat.turns,
        flat.gains,
        flat.steps,
        values,
        values.__class__((1,)),
    )
    arrays[-1][0] = tolerance
    function(*(array.ctypes.data for array in arrays), len(flat.bounds) - 1, most)


@lru_cache(maxsize=1)
def _function() -> tuple[Any, object]:
    needs("llvmlite", "fast")
    from sevenout.llvm import compiled

    pointers = [ctypes.c_void_p] * 12
    return compiled(_module(), NAME, *pointers, ctypes.c_int64, ctypes.c_int64)


def _module() -> Any:
    from llvmlite import ir

    from sevenout.llvm import Language, f64, i8, i32, i64

    module = ir.Module(NAME)
    kind = ir.FunctionType(ir.VoidType(), [ir.PointerType()] * 12 + [i64, i64])
    function = ir.Function(module, kind, NAME)
    *pointers, blocks, most = function.args
    say = Language(function)
    b = say.b
    kinds = (i64, i32, i8, i64, i32, i8, f64, i8, f64, f64, f64, f64)
    bounds, order, cyclic, first, targets, senses, shares, turns, gains, steps, values, small = (
        say.table(pointer, kind) for pointer, kind in zip(pointers, kinds, strict=True)
    )
    zero, one = ir.Constant(f64, 0.0), ir.Constant(f64, 1.0)
    fabs = module.declare_intrinsic("llvm.fabs", [f64])
    two = ir.FunctionType(f64, [f64, f64])
    bigger = module.declare_intrinsic("llvm.maxnum", [f64], two)
    tolerance = small[0]

    def after(m: Any) -> Any:
        """The value of a move."""
        return b.fadd(b.fmul(b.sitofp(turns[m], f64), values[targets[m]]), gains[m])

    with say.count(0, blocks) as block:
        sweeps = say.variable(0)
        with say.forever() as leave_block:
            change, scale = say.variable(zero, f64), say.variable(one, f64)
            with say.count(bounds[block], bounds[b.add(block, ir.Constant(i64, 1))]) as i:
                s = order[i]
                sense = senses[s]
                last = first[b.add(s, ir.Constant(i64, 1))]
                new = say.variable(steps[s], f64)
                with b.if_else(say.same(sense, 0)) as (rolled, asked):
                    with rolled, say.count(first[s], last) as m:
                        value = b.fadd(
                            b.fmul(b.sitofp(turns[m], f64), values[targets[m]]), gains[m]
                        )
                        new.set(b.fadd(new.get(), b.fmul(shares[m], value)))
                    with asked:
                        sign = b.sitofp(sense, f64)
                        best = say.variable(ir.Constant(f64, float("-inf")), f64)
                        with say.count(first[s], last) as m:
                            value = b.fadd(
                                b.fmul(b.sitofp(turns[m], f64), values[targets[m]]), gains[m]
                            )
                            best.set(b.call(bigger, [best.get(), b.fmul(value, sign)]))
                        new.set(b.fmul(best.get(), sign))
                gap = b.call(fabs, [b.fsub(new.get(), values[s])])
                change.set(b.call(bigger, [change.get(), gap]))
                scale.set(b.call(bigger, [scale.get(), b.call(fabs, [new.get()])]))
                values[s] = new.get()
            sweeps.add(1)
            leave_block(say.same(cyclic[block], 0))
            leave_block(b.fcmp_ordered("<=", change.get(), b.fmul(scale.get(), tolerance)))
            leave_block(b.not_(say.less(sweeps.get(), most)))
    say.finish()
    return module
