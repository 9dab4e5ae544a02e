"""The sequence form as a linear program in floats, solved by SciPy's HiGHS (Huangfu and Hall 2018).

    max q_0  subject to  E x = e,  F^T q <= A^T x,  x >= 0

E x = e says that x is a plan of the first player; q holds the values of the second's information
sets. The shadow prices are a plan of the second player.
"""

from typing import Any

from sevenout.errors import RulesError
from sevenout.extras import needs
from sevenout.solving.hidden.sequences.sequence_matrix import EMPTY, SequenceForm, Side

NEAR = 1e-9
"""The tolerance of constraints, with payoffs of about 1."""


def solved_in_floats(form: SequenceForm) -> tuple[Any, Any]:
    """Plans of both players, optimal up to rounding, as arrays."""
    needs("scipy", "fast")
    import numpy as np
    import scipy.sparse as sp
    from scipy.optimize import linprog

    one, two = form.sides
    E, F = _constraints(one), _constraints(two)
    pairs = np.array(list(form.payoffs), np.int64).reshape(-1, 2)
    values = np.array([x / form.scale for x in form.payoffs.values()])
    values /= abs(values).mean() if len(values) else 1
    A = sp.csr_matrix((values, (pairs[:, 1], pairs[:, 0])), (two.size, one.size))
    goal = np.zeros(one.size + F.shape[0])
    goal[one.size] = -1
    found = linprog(
        goal,
        A_ub=sp.hstack([-A, F.T]).tocsr(),
        b_ub=np.zeros(two.size),
        A_eq=sp.hstack([E, sp.csr_matrix((E.shape[0], F.shape[0]))]).tocsr(),
        b_eq=np.eye(1, E.shape[0])[0],
        bounds=[(0, None)] * one.size + [(None, None)] * F.shape[0],
        method="highs-ds",
        options={"primal_feasibility_tolerance": NEAR, "dual_feasibility_tolerance": NEAR},
    )
    if found.x is None:
        raise RulesError(f"HiGHS finds no solution: {found.message}")
    return found.x[: one.size].clip(min=0), (-found.ineqlin.marginals).clip(min=0)


def _constraints(side: Side) -> Any:
    """The constraints of a plan: 1 at the start, and flow conservation at each set."""
    import numpy as np
    import scipy.sparse as sp

    sizes = np.array([len(own.menu) for own in side.sets], np.int64)
    parents = np.array([own.parent for own in side.sets], np.int64)
    k = np.arange(1, len(side.sets) + 1)
    rows = np.concatenate([[0], k, np.repeat(k, sizes)])
    columns = np.concatenate([[EMPTY], parents, np.arange(1, side.size)])
    entries = np.concatenate([[1.0], -np.ones(len(k)), np.ones(side.size - 1)])
    return sp.csr_matrix((entries, (rows, columns)), (1 + len(k), side.size))
