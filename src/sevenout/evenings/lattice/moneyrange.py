"""How many amounts of money an evening needs, and the cost of its distribution."""

from math import sqrt

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError
from sevenout.evenings.lattice.positions import Positions

ENTRY = 3e-10
"""Seconds per roll of an entry of the map, before equivalent steps are joined."""
CELL = 32.0
"""Bytes of a cell: what it holds now, what it holds then, and room for sums over them."""
MANY = 10**15
"""A number of rolls beyond any budget."""


def must_afford(
    layouts: Positions, name: str, width: int, rolls: int | None, *, endless: bool
) -> None:
    """Refuse an evening that would take too long; a walk over w amounts takes about w² / σ² rolls.

    `rolls` are roughly the most; None if only money ends the evening.

    Raises:
        RulesError: the strategy never bets, and nothing else ends the evening.
        TooMuchWorkError: more than the budget allows.
    """
    ways, scale = layouts.bettor.felt.ways, float(layouts.unit) ** 2
    squares = [
        sum(step.weight / ways * float(step.gain) ** 2 for step in steps) / scale
        for steps in layouts.steps
    ]
    ends = rolls is not None and any(step.to < 0 for steps in layouts.steps for step in steps)
    if endless and not max(squares) and not ends:
        raise RulesError(f"{name} never bets, so the evening never ends; give rolls or hours")
    rolls = min(rolls or int(8 * width**2 / max(squares)), MANY)
    wide = [
        width if row.money is None and most is None else 1
        for row, most in zip(layouts.rows, layouts.highest(), strict=True)
    ]
    entries = sum(len(steps) * w for steps, w in zip(layouts.steps, wide, strict=True))
    afford(
        f"the distribution of {rolls:,} rolls of {name}",
        seconds=rolls * entries * ENTRY,
        memory=sum(wide) * CELL,
        instead="ask for fewer rolls, or bet in larger units",
    )


def amounts(layouts: Positions, rolls: int | None, *, endless: bool) -> int:
    """Amounts of money enough for nearly all evenings.

    By Chernoff's bound, for any t > 0 all but e⁻²⁴ have less than (ln E[e^(t·won)] + 24) / t after
    a roll. This takes the least over several t, roll by roll. For unlimited rolls it covers all but
    e⁻⁸⁰.
    """
    import numpy as np

    rows, unit = layouts.rows, layouts.unit
    brought, scale, ways = int(layouts.bankroll / unit), float(unit), layouts.bettor.felt.ways
    _, top = layouts.ends.columns(unit)
    if top is not None:
        return top + 1
    todo = [layouts.start] if rows[layouts.start].money is None else []
    number = dict.fromkeys(todo, 0)  # rows reachable with enough money
    for row in todo:
        for step in layouts.steps[row]:
            if step.to >= 0 and step.to not in number:
                number[step.to] = len(number)
                todo.append(step.to)
    edges = [
        (number[row], number[step.to], step.weight / ways, float(step.gain) / scale)
        for row in number
        for step in layouts.steps[row]
        if step.to >= 0
    ]
    if not edges or layouts.start not in number:
        return brought + 2
    columns = [np.array(column) for column in zip(*edges, strict=True)]
    source, target, weight = columns[:3]
    times = min(rolls or 100, MANY)
    counted, nats = min(times, 400 if len(edges) < 5000 else 100), 80 if endless else 24
    reach, spread = max(0.0, float(max(columns[3]))) * times, 1.0
    for t in (0.0, 2.5, 4.0, 5.5, 8.0):
        grown = weight * np.exp(t / spread * columns[3])
        law, high, log, second = np.zeros(len(number)), 0.0, 0.0, 0.0
        law[number[layouts.start]] = 1
        for _ in range(counted):
            flow = law[source] * grown
            second += float((flow * columns[3] ** 2).sum()) if not t else 0.0
            law = np.bincount(target, flow, minlength=len(number)).astype(np.float64)
            total = float(law.sum())
            if total <= 0 or not np.isfinite(total):
                break
            log += float(np.log(total))
            high, law = max(high, log), law / total
        if not t:
            spread = max(1.0, sqrt(second * times / counted))
        elif np.isfinite(log):
            reach = min(reach, spread * (high * times / counted + nats) / t)
    return brought + int(reach) + 2
