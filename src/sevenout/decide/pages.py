"""Optimal play as a page: the value and its proof, the strategy card, what simple policies cost."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sevenout.chain import Policy, state_name
from sevenout.chain.chain import in_words
from sevenout.decide.card import Ranking, Regions
from sevenout.decide.cardpages import card_blocks
from sevenout.decide.options import Compared, known
from sevenout.page import Block, Certified, Column, Fact, Facts, Page, Table, Text
from sevenout.page.kinds import DECIMAL, FRACTION
from sevenout.page.numbers import decimal, many
from sevenout.page.tables import datum
from sevenout.page.words import Tone

if TYPE_CHECKING:
    from sevenout.decide.optimum import Optimum

DIGITS = 15
DEAREST = 5
"""How many mistakes of a policy are shown."""


def page(optimum: "Optimum", policies: Mapping[str, Policy] | None = None, title: str = "") -> Page:
    """What is best, as a page; with simple policies compared, if there are any."""
    blocks = [*proved(optimum), Page("Strategy card", *card_blocks(optimum))]
    if policies:
        blocks += compared(optimum, policies)
    return Page(title or "Best play", *blocks)


def proved(optimum: "Optimum") -> list[Block]:
    """The value, and the proof of it."""
    goal, model = optimum.goal, optimum.model
    digits = DECIMAL.to(DIGITS if optimum.bound else 9)
    kinds = (digits,) if optimum.bound else (FRACTION, digits)
    facts = Facts(Fact("value", value_of(optimum), *kinds, note=unit(optimum)))
    proof = (
        f"Certified within {decimal(optimum.bound)}, by a bound that is proved in integers"
        if optimum.bound
        else "Exact, by policy iteration over the fractions: no option of any state is better"
    )
    asked = len(model.questions)
    up = len(optimum.come_up)
    states = f"{many(asked, 'state')} {'asks' if asked == 1 else 'ask'} for a choice"
    states += f", {up:,} of them {'comes' if up == 1 else 'come'} up in best play"
    return [facts, Text(f"Goal: {goal.said}. {proof}. {states}.", tone="note")]


def value_of(optimum: "Optimum") -> Fraction | Certified:
    """The value, as what is known of it."""
    return known(optimum.value, optimum.bound)


def unit(optimum: "Optimum") -> str:
    """What a value is, and whose."""
    goal, model = optimum.goal, optimum.model
    what = "probability" if goal.probability else "mean"
    if model.passes:
        return f"{what}, of who begins"
    return f"{what}, of {goal.player}" if len(model.players) == 2 else what


def comparison(optimum: "Optimum", policies: Mapping[str, Policy]) -> list[Compared]:
    """Policies by name, beside the best one."""
    return [
        Compared(name, optimum.follow(policy), optimum.mistakes(policy, DEAREST))
        for name, policy in policies.items()
    ]


def compared(optimum: "Optimum", policies: Mapping[str, Policy]) -> list[Block]:
    """What simple policies are worth, and the dearest mistakes of the best of them."""
    lines = comparison(optimum, policies)
    rows: list[list[Any]] = [["best", value_of(optimum), 0]]
    for name, (value, bound, cost), _ in lines:
        slack = bound + optimum.bound
        rows.append([name, known(value, bound), known(cost, slack)])
    against = ", against best play" if optimum.model.passes or optimum.model.players[1:] else ""
    columns = ["policy", Column("value", FRACTION, DECIMAL), Column("short of the best", DECIMAL)]
    blocks: list[Block] = [Page(f"Simple play{against}", Table(columns, rows))]
    nearest = min(lines, key=lambda line: line.followed.cost)
    if nearest.mistakes:
        table = mistakes_table(optimum, nearest.mistakes)
        blocks.append(Page(f"The dearest mistakes of {nearest.name}", table))
    return blocks


def mistakes_table(optimum: "Optimum", mistakes: Iterable[Any]) -> Table:
    """Mistakes, the dearest first."""
    names = optimum.names
    rows: list[list[Any]] = [
        [in_words(m.state, names), m.did, m.best, known(m.cost, 2 * optimum.bound_at(m.state))]
        for m in mistakes
    ]
    return Table(["in", "does", "best is", Column("costs each time", DECIMAL)], rows)


def options_page(optimum: "Optimum", state: Any) -> Page:
    """What may be done in a state: what each option is worth, and what it costs."""
    bound = 2 * optimum.bound_at(state)
    rows = []
    for option in optimum.at(state):
        value: Any = option.value
        cost: Any = option.margin
        if bound:
            value, cost = Certified(value, bound), Certified(cost, bound) if cost > bound else None
        rows.append([option.name, value, cost])
    columns = ["option", Column("value", FRACTION, DECIMAL), Column("costs", DECIMAL)]
    best = [option.name for option in optimum.at(state) if option.name in optimum.best_in(state)]
    title = f"{in_words(state, optimum.names)}: {' or '.join(best)}"
    tones: dict[int, Tone] = dict.fromkeys(range(len(best)), "good")
    return Page(title, Table(columns, rows, tones=tones), Text(_of(optimum), tone="note"))


def data(optimum: "Optimum") -> dict[str, Any]:
    """An optimum as data: exact figures as texts, states as they are printed."""
    return {
        "goal": optimum.goal.name,
        "method": optimum.method,
        "value": datum(optimum.value),
        "bound": datum(optimum.bound),
        "states": len(optimum.model.questions),
        "come_up": len(optimum.come_up),
        "ties": [state_name(state) for state in optimum.ties if state in optimum.come_up],
        "card": [_part_data(options, part) for options, part in optimum.card.parts],
    }


def _part_data(options: Sequence[str], part: Regions | Ranking) -> dict[str, Any]:
    if isinstance(part, Ranking):
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


def _of(optimum: "Optimum") -> str:
    whose = "; of the player to move" if optimum.model.passes else ""
    return f"Goal: {optimum.goal.said}, if all is played best afterwards{whose}."
