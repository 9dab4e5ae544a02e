"""Pages of optimal play: the value, its proof, the strategy card, and the cost of simple policies.

*The card's pages* are tables of regions, lists of options, exceptions and ties. A card leaves out
states that optimal play doesn't reach, but a table needs whole lines: `lines_of` fills them in.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sevenout.documents import Block, Certified, Column, Fact, Facts, Page, Table, Text
from sevenout.documents.kinds import DECIMAL, FRACTION, LABEL, Kind
from sevenout.documents.numbers import CUT, LONG, amount, exactly, many
from sevenout.documents.tables import datum
from sevenout.documents.words import Tone
from sevenout.model import state_name
from sevenout.solving.policies.card import Box, OptionRanking, OptionRun, Regions
from sevenout.solving.policies.option_values import Mistake, known

if TYPE_CHECKING:
    from sevenout.solving.bestplay import BestPlay
    from sevenout.solving.optimum import Optimum

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
    note = f"Goal{best.whose}: {best.goal.said}{best.onwards}, if all is played best afterwards."
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


MOST_LINES = 24
"""A card with more lines is sliced, or cut after its first lines."""
MOST_NAMES, FEW_NAMES = 240, 12
"""The most options in a list, and in a sentence."""
REST = "see the dossier or --json"
"""Where the rest of a card is."""
GRID = 11
"""The most rows and columns of a slice."""


def card_blocks(optimum: "Optimum", lines: int = MOST_LINES) -> list[Block]:
    """The strategy card of an optimum, with its ties; of a long table the first lines."""
    blocks: list[Block] = []
    rankings = []
    several = len(optimum.card.parts) > 1
    for options, part in optimum.card.parts:
        if isinstance(part, OptionRanking) and (several or len(options) > 2):
            rankings.append(part)
        else:
            blocks += _part(part, options, several, optimum, lines)
    if rankings:
        blocks += _lists(rankings, optimum)
    if not blocks:
        blocks.append(Text("There is never more than one thing to do."))
    if optimum.card.parts:
        blocks.append(_ties(optimum))
    return blocks


def _part(
    part: Regions | OptionRanking,
    options: Sequence[str],
    several: bool,
    optimum: "Optimum",
    lines: int,
) -> list[Block]:
    head = f"{_joined(options, 'or')}: " if several else ""
    if (
        isinstance(part, Regions)
        and len({run.option for box in part.boxes for run in box.runs}) < 2
    ):
        return [Text(f"{head}always {part.boxes[0].runs[0].option}.")]
    if isinstance(part, OptionRanking):
        always = "whenever you may" if part.exceptions else "always"
        found: list[Block] = [Text(f"{head}{part.options[0]}, {always}.")]
        if part.exceptions:
            but = [(optimum.said(s), did) for s, did in part.exceptions.items()]
            found.append(_cut(but, "but"))
        return found
    if not part.others:
        axis = part.axis
        name = part.shape.names[axis] if axis is not None else ""
        said = told(part.boxes[0].runs, name)
        return [Text(f"{head}{name + ': ' if name and name != ROLLED else ''}{said}.")]
    names = [part.shape.names[k] or "state" for k in part.others]
    numeric = [part.shape.numeric[k] for k in part.others]
    axis_name = part.shape.names[part.axis] if part.axis is not None else ""
    if len(part.boxes) > MOST_LINES and all(numeric) and part.axis is not None:
        if len(numeric) == 1 and _whole(part):
            return [_by_tens(part, names[0], axis_name, head)]
        if len(numeric) == 2:
            return [_sliced(part, axis_name, head, optimum)]
    rows = [
        [*map(_range, box.ranges, numeric, part.values), told(box.runs, axis_name)]
        for box in part.boxes[:lines]
    ]
    last = f"by {axis_name}" if axis_name and axis_name != ROLLED else "do"
    caption = _caption(head, "")
    blocks: list[Block] = [Table([*(Column(n, LABEL) for n in names), last], rows, caption=caption)]
    if (more := len(part.boxes) - lines) > 0:
        blocks.append(Text(f"… and {many(more, 'more line')}: {REST}.", tone="note"))
    return blocks


def _caption(head: str, text: str) -> str:
    return f"{head}{text}".rstrip(": ")


def _joined(options: Sequence[str], word: str) -> str:
    more = len(options) - FEW_NAMES
    last = options[-1] if more <= 0 else f"one of {more + 1:,} others"
    return f"{', '.join(options[: min(len(options), FEW_NAMES) - 1])} {word} {last}"


def _listed(options: Sequence[str]) -> str:
    more = len(options) - MOST_NAMES
    return ", ".join(options[:MOST_NAMES]) + (f", … and {more:,} more" if more > 0 else "")


MOST_GAPS = 2
"""A range with more gaps is listed as separate numbers, such as tens."""


def _range(values: tuple[Any, ...], numeric: bool, there: Collection[Any]) -> str:
    """Values in words, without numbers that never occur.

    >>> _range((4, 10), True, {4, 5, 6, 8, 9, 10}), _range((0, 20), True, {0, 5, 10, 15, 20})
    ('4–6, 8–10', '0–20')
    """
    if not numeric:
        return ", ".join(map(state_name, values[:6])) + (", …" if len(values) > 6 else "")
    inside = sorted(x for x in there if values[0] <= x <= values[-1])
    starts = [i for i in range(1, len(inside)) if inside[i] - inside[i - 1] > 1]
    if len(starts) > MOST_GAPS:
        starts = []
    runs = [inside[i:k] for i, k in pairwise([0, *starts, len(inside)])]
    return ", ".join("–".join(map(_number, dict.fromkeys((run[0], run[-1])))) for run in runs)


def _number(x: Any) -> str:
    return amount(x) if isinstance(x, int | Fraction) else f"{x:g}"


ROLLED = "rolled"
"""The coordinate for the number of rolls."""
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
CARDINALS = ("", "", "two ", "three ", "four ", "five ", "six ", "seven ", "eight ")


def told(runs: Sequence[OptionRun], axis: str = "") -> str:
    """Runs in a player's words.

    >>> told([OptionRun(2, "roll"), OptionRun(21, "hold")]), told([OptionRun(None, "roll")])
    ('roll below 21, hold from 21', 'roll')
    >>> told([OptionRun(0, "let it ride"), OptionRun(2, "surrender")], "rolled")
    'let it ride for the first two rolls, surrender before the third'
    """
    if len(runs) == 1:
        return runs[0].option
    starts = [run.start for run in runs[1:]]
    if axis == ROLLED and all(type(n) is int and 1 <= n < len(ORDINALS) for n in starts):
        n = int(starts[0])
        first = f"{runs[0].option} for the first {CARDINALS[n]}roll{'s' if n > 1 else ''}"
        later = (f"{run.option} before the {ORDINALS[int(run.start)]}" for run in runs[1:])
        return ", ".join([first, *later])
    first = f"{runs[0].option} below {_number(runs[1].start)}"
    rest = (f"{run.option} from {_number(run.start)}" for run in runs[1:])
    return ", ".join([first, *rest])


def _whole(part: Regions) -> bool:
    return all(isinstance(x, int) for box in part.boxes for x in box.ranges[0])


def _by_tens(part: Regions, name: str, axis: str, head: str) -> Table:
    """A table of the other coordinate: a row for each ten, a column for each unit."""
    low, high = part.boxes[0].ranges[0][0], max(box.ranges[0][-1] for box in part.boxes)
    usual = _usual(part)
    tens = range(low // 10 * 10, high + 1, 10)
    rows = [[ten, *(_cell(part.box((ten + u,)), usual) for u in range(10))] for ten in tens]
    columns = [Column(name or "state", LABEL), *(Column(f"+{u}", LABEL) for u in range(10))]
    return Table(columns, rows, caption=_caption(head, _legend(axis, usual)))


def _sliced(part: Regions, axis: str, head: str, optimum: "Optimum") -> Table:
    """A table of two coordinates, sliced if too large, with unreachable lines."""
    names = [part.shape.names[k] or "state" for k in part.others]
    spans = []
    for k in range(2):
        low = min(box.ranges[k][0] for box in part.boxes)
        high = max(box.ranges[k][-1] for box in part.boxes)
        spans.append(_steps(low, high))
    part = lines_of(part, {(x, y) for x in spans[0] for y in spans[1]}, optimum)
    usual = _usual(part)
    rows = [[x, *(_cell(part.box((x, y)), usual) for y in spans[1])] for x in spans[0]]
    columns = [Column(f"{names[0]} \\ {names[1]}", LABEL)]
    columns += [Column(_number(y), LABEL) for y in spans[1]]
    return Table(columns, rows, caption=_caption(head, _legend(axis, usual)))


def _steps(low: Any, high: Any) -> list[Any]:
    """At most `GRID` round numbers from low to high, with both ends."""
    step = next(
        s
        for s in (1, 2, 5, 10, 20, 25, 50, 10**2, 10**3, 10**4, 10**9)
        if (high - low) / s <= GRID - 1
    )
    return [low + i * step for i in range(int((high - low) / step) + 1)]


Usual = tuple[str, str] | None


def _usual(part: Regions) -> Usual:
    """The two options of all lines, in their order along the axis, if there are just two."""
    pairs = {(a.option, b.option) for box in part.boxes for a, b in pairwise(box.runs)}
    if len(part.options) != 2 or not pairs:
        return None
    one, other = part.options
    return (one, other) if (one, other) in pairs else (other, one)


def _cell(box: Box | None, usual: Usual) -> str:
    if box is None:
        return ""
    if usual is None:
        return told(box.runs)
    names = [run.option for run in box.runs]
    starts = [_number(run.start) for run in box.runs]
    if names == [usual[0]]:
        return usual[0]
    if names == [usual[1]]:
        return usual[1]
    if names == [usual[0], usual[1]]:
        return starts[1]
    if names == [usual[0], usual[1], usual[0]]:
        return f"{starts[1]}, not {starts[2]}"
    return told(box.runs)


def _legend(axis: str, usual: Usual) -> str:
    by = f" by {axis}" if axis else ""
    if usual is None:
        return f"What to do,{by}"
    return f"{usual[1]} from this number on{f' ({axis})' if axis else ''}, {usual[0]} below"


def _lists(parts: Sequence[OptionRanking], optimum: "Optimum") -> list[Block]:
    ordered = sorted((part.options for part in parts), key=lambda options: (len(options), options))
    rows = [[_listed(options)] for options in ordered[:MOST_LINES]]
    blocks: list[Block] = [Table(["do the first of these that you may"], rows)]
    if len(ordered) > MOST_LINES:
        more = f"… and {many(len(ordered) - MOST_LINES, 'more list')}: {REST}."
        blocks.append(Text(more, tone="note"))
    dear = []
    for part in parts:
        for state, did in part.exceptions.items():
            menu = optimum.model.options(state)
            listed = part.first(menu)
            cost = next(o.margin for o in optimum.at(state) if o.name == listed)
            dear.append((cost, state, did, listed))
    if dear:
        dear.sort(key=lambda row: -row[0])
        columns = ["but in", "do", "not", Column("saves", DECIMAL)]
        lines: list[list[Any]] = [
            [optimum.said(state), did, listed, known(cost, 2 * optimum.bound_at(state))]
            for cost, state, did, listed in dear[:MOST_LINES]
        ]
        blocks.append(Table(columns, lines))
        if len(dear) > MOST_LINES:
            blocks.append(
                Text(f"… and {len(dear) - MOST_LINES:,} more, that save less.", tone="note")
            )
    return blocks


def _cut(rows: list[tuple[str, str]], head: str) -> Table:
    shown = rows[:MOST_LINES]
    if len(rows) > MOST_LINES:
        shown.append((f"… and {len(rows) - MOST_LINES:,} more", ""))
    return Table([f"{head} in", "do"], shown)


def _ties(optimum: "Optimum") -> Text:
    tied = [s for s in optimum.ties if s in optimum.come_up]
    if not tied:
        return Text("No two options are ever equally good.", tone="note")
    are = "are equally good" + (", or too near to tell apart" if optimum.bound else "")
    lines = [
        f"{_capital(optimum.said(state))}: "
        f"{_joined([o for o in options if o in best], 'and')} {are}."
        for state, options, best in (
            (s, optimum.model.options(s), optimum.best_in(s)) for s in tied[:8]
        )
    ]
    if len(tied) > 8:
        lines.append(f"{len(tied) - 8:,} more states have equally good options.")
    return Text(" ".join(lines), tone="note")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def lines_of(part: Regions, places: Collection[Any], optimum: "Optimum") -> Regions:
    """The lines of a part of a card, one for every place: values of its other coordinates.

    A line that optimal play does not reach ends where optimal play would leave it.
    """
    asked, menus, axis = optimum.model.asked, set(part.options), part.axis or 0
    lines: dict[Any, list[Any]] = {}
    for state, node in asked.items():
        apart = part.shape.apart(state)
        place = tuple([apart[k] for k in part.others])
        if place in places and menus.issuperset(optimum.model.menus[node]):
            lines.setdefault(place, []).append(state)
    wanted: list[Any] = []
    for line in lines.values():
        met = [state for state in line if state in optimum.come_up]
        least = min(line, key=lambda state: part.shape.apart(state)[axis])
        wanted += met or _onward(least, set(line), optimum)
    for _, found in optimum.card_of(wanted).parts:
        if isinstance(found, Regions) and (found.axis, found.others) == (part.axis, part.others):
            return found
    return part


def _onward(start: Any, line: set[Any], optimum: "Optimum") -> Iterator[Any]:
    """The states of a line that are reachable from its first."""
    queue = [start]
    for state in queue:  # grows during the loop
        yield state
        for then in optimum.asked_next(state, best=True):
            if then in line:
                line.discard(then)
                queue.append(then)
