"""Pages of optimal play: the value, its proof, the policy, and the cost of simple policies."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sevenout.documents import Block, Certified, Column, Fact, Facts, Page, Table, Text
from sevenout.documents.kinds import DECIMAL, FRACTION, Kind
from sevenout.documents.numbers import CUT, LONG, exactly
from sevenout.documents.tables import datum
from sevenout.documents.words import Tone
from sevenout.model import state_name
from sevenout.solving.policies.card import OptionRanking, Regions
from sevenout.solving.policies.option_values import Mistake, known

if TYPE_CHECKING:
    from sevenout.solving.bestplay import BestPlay

DIGITS = 15


def page(
    best: "BestPlay",
    policies: Mapping[str, Any] | None = None,
    title: str = "",
    distribution: bool = False,
) -> Page:
    """A page of optimal play.

    Args:
        best: the optimum.
        policies: policies to compare, by name.
        title: of the page.
        distribution: include the distribution of the result, if there is one.
    """
    blocks: list[Block] = [*proved(best), *(best.laws() if distribution else ()), *best.how()]
    if policies:
        blocks += compared(best, policies)
    return Page(title or "Best play", *blocks)


def proved(best: "BestPlay") -> list[Block]:
    """The value and its proof."""
    digits = DECIMAL.to(DIGITS if best.bound else best.digits)
    kinds = (digits,) if best.bound else (FRACTION, digits)
    facts = Facts(Fact("value", best.known, *kinds, note=best.unit))
    return [
        facts,
        Text(f"Goal: {best.goal.said}. {best.proof}. {best.size}. {best.sight}.", tone="note"),
    ]


def compared(best: "BestPlay", policies: Mapping[str, Any]) -> list[Block]:
    """The values of policies, and the most costly mistakes of each, or of the best policy."""
    lines = best.compared(policies)
    nearest = min(lines, key=lambda line: line.followed.cost)
    rows: list[list[Any]] = [["best", best.known, 0]]
    for name, (value, bound, cost), _ in lines:
        rows.append([name, known(value, bound), known(cost, bound + best.bound)])
    columns = [
        "policy",
        Column("value", *_kinds(rows[0][1])),
        Column("below the best", DECIMAL),
    ]
    blocks: list[Block] = [Page(f"Simple policies{best.against}", Table(columns, rows))]
    for line in lines if best.each else [nearest]:
        if line.mistakes:
            table = mistakes_table(best, line.mistakes)
            blocks.append(Page(f"The costliest mistakes of {line.name}", table))
    return blocks


def _kinds(best: Any) -> tuple[Kind, ...]:
    """Fractions and decimals; only decimals, if the optimum is not a short fraction."""
    short = not isinstance(best, Certified) and exactly(best, LONG) != CUT
    return (FRACTION, DECIMAL) if short else (DECIMAL,)


def mistakes_table(best: "BestPlay", mistakes: Iterable[Mistake]) -> Table:
    """Mistakes, the most costly first."""
    rows: list[list[Any]] = [
        [best.said(m.state), m.did, m.best, known(m.cost, 2 * best.bound_at(m.state))]
        for m in mistakes
    ]
    return Table(["in", "does", "best is", Column("costs each time", DECIMAL)], rows)


def options_page(best: "BestPlay", state: Any, said: str = "") -> Page:
    """The options in a state, with values and costs.

    Args:
        best: the optimum.
        state: a decision state.
        said: the state in words; default as printed.
    """
    bound = 2 * best.bound_at(state)
    rows: list[list[Any]] = []
    for name, value, cost in (options := best.plans(state)):
        sure = Certified(cost, bound) if cost > bound else None
        rows.append([name, known(value, bound), sure if bound else cost])
    columns = ["option", Column("value", *_kinds(rows[0][1])), Column("costs", DECIMAL)]
    good = best.best_in(state)
    names = [option.name for option in options if option.name in good]
    tones: dict[int, Tone] = dict.fromkeys(range(len(names)), "good")
    note = f"Goal: {best.goal.said}{best.onwards}, if all is played best afterwards{best.whose}."
    title = f"{said or best.said(state)}: {best.does(state)}"
    return Page(title, Table(columns, rows, tones=tones), Text(note, tone="note"))


def options_data(best: "BestPlay", state: Any, said: str = "") -> dict[str, Any]:
    """The options in a state, as data; exact figures as text."""
    options = [
        {"name": name, "value": datum(value), "cost": datum(cost)}
        for name, value, cost in best.plans(state)
    ]
    bound = datum(best.bound_at(state))
    where = {"goal": best.goal.name, "state": said or str(state)}
    return where | {"bound": bound, "options": options}


def data(best: "BestPlay") -> dict[str, Any]:
    """Optimal play as data; exact figures as text, states as printed."""
    return {
        "goal": best.goal.name,
        "method": best.method,
        "value": datum(best.value),
        "bound": datum(best.bound),
        **best.card_data(),
    }


def part_data(options: Sequence[str], part: Regions | OptionRanking) -> dict[str, Any]:
    """A part of a strategy card as data."""
    if isinstance(part, OptionRanking):
        exceptions = [
            {"state": state_name(state), "do": did} for state, did in part.exceptions.items()
        ]
        return {"options": list(options), "first_of": list(part.options), "exceptions": exceptions}
    names = part.shape.names
    return {
        "options": list(options),
        "axis": None if part.axis is None else names[part.axis],
        "others": [names[k] for k in part.others],
        "boxes": [
            {
                "ranges": [[state_name(x) for x in values] for values in box.ranges],
                "runs": [{"from": _plain(run.start), "do": run.option} for run in box.runs],
            }
            for box in part.boxes
        ],
    }


def _plain(x: Any) -> Any:
    return x if x is None or isinstance(x, int) else str(x)
