"""An evening by the float engine, whichever engine its plan would choose."""

from sevenout.evenings import EveningResult, Plan
from sevenout.evenings.money_lattice import figures_in_floats


def by_lattice(plan: Plan) -> EveningResult:
    """The result."""
    figures, _ = figures_in_floats(plan.positions, plan.name)
    return plan._result(figures)
