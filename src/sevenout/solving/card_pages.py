"""Pages of strategy cards: tables of regions, lists of lines, exceptions and ties.

A card leaves out states that optimal play doesn't reach, but a table needs whole lines: `lines_of`
fills them in. A part that is too long to be read is printed shorter: right wherever a mistake costs
most. The page then says what that loses, solved like any other policy.
"""

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from itertools import count, groupby, pairwise
from typing import TYPE_CHECKING, Any, Literal

from sevenout.documents import Block, Column, Table, Text
from sevenout.documents.kinds import DECIMAL, LABEL
from sevenout.documents.numbers import decimal
from sevenout.documents.words import count_in_words, word_list
from sevenout.model import state_name
from sevenout.solving.best_play import Mistake, cost_of, with_bound
from sevenout.solving.decision_list import (
    DecisionList,
    is_number,
    number_text,
    parts_of,
    shorten,
)
from sevenout.solving.strategy_card import Box, Card, OptionRun, Part, Regions

if TYPE_CHECKING:
    from sevenout.solving.optimal_play import Optimum

MAX_LINES = 24
"""A card with more lines is printed as a table, or shortened."""
MAX_NAMES = 12
"""The most options that a sentence names."""
WHOLE_CARD_HINT = "see the dossier or --json"
"""Tells a reader of a shortened card where the whole one is."""
MAX_GRID = 11
"""The most rows and columns of a slice."""


def card_blocks(optimum: "Optimum", max_lines: int = MAX_LINES) -> list[Block]:
    """The strategy card of an optimum, with its ties; shorter, if it has too many lines."""
    card = optimum.card
    if not card.parts:
        return [Text("There is never more than one thing to do.")]
    printed = printed_card(optimum, max_lines)
    blocks: list[Block] = []
    rankings, lists, regions = [], [], []
    for options, part in printed.parts:
        if not isinstance(part, DecisionList):
            # With one part, its options need not be named.
            prefix = f"{_option_names(options, 'or')}: " if len(card.parts) > 1 else ""
            blocks += _region_blocks(part, prefix, optimum, max_lines)
            regions.append(part)
        elif part.is_ranking:
            rankings.append((options, part))
        else:
            lists.append((options, part))
    blocks += _ranking_blocks(rankings, optimum)
    blocks += _list_blocks(lists, optimum)
    extracts = [part for part in regions if _is_extract(part, max_lines)]
    rows = sum(len(part.boxes) for part in extracts)
    if printed is not card:
        extract = (
            f"Its tables at round numbers are an extract of {rows:,} rows; the loss is that of all "
            "of them. "
            if extracts
            else ""
        )
        followed = optimum.evaluate(_policy_of(printed, optimum))
        cost = decimal(with_bound(followed.cost, followed.bound + optimum.bound))
        note = (
            f"This card is shortened. Followed to the letter, it loses {cost} against best play. "
            f"{extract}For the whole policy, {WHOLE_CARD_HINT}."
        )
    elif extracts:
        note = (
            f"This is an extract of a card of {rows:,} rows, at round numbers. For the whole card, "
            f"{WHOLE_CARD_HINT}."
        )
    else:
        note = "This card is exact: it gives a best option wherever best play can come."
    return [*blocks, Text(note, tone="note"), _tie_note(optimum)]


# --- the card as it is printed --------------------------------------------------------------------

MIN_LINES = 8
"""The fewest lines of a shortened part."""


def printed_card(optimum: "Optimum", max_lines: int) -> Card:
    """The card, or a shorter one that is wrong where it costs least."""
    card = optimum.card
    unreadable = [part for _, part in card.parts if not _is_readable(part, max_lines)]
    exception_count = sum(
        len(part.exceptions) for _, part in card.parts if isinstance(part, DecisionList)
    )
    if not unreadable and exception_count <= max_lines:
        return card
    visits = expected_visits(optimum)
    max_part_lines = max(MIN_LINES, max_lines // max(1, len(unreadable)))
    parts: list[tuple[tuple[str, ...], Part]] = [
        (
            options,
            _shortened_part(part, max_part_lines, optimum, visits) if part in unreadable else part,
        )
        for options, part in card.parts
    ]
    # By part and state, what is lost without the exception.
    losses = {
        (index, state): _loss(state, part, optimum, visits)
        for index, (_, part) in enumerate(parts)
        if isinstance(part, DecisionList)
        for state in part.exceptions
    }
    printed_exceptions = set(sorted(losses, key=lambda key: -losses[key])[:max_lines])
    for index, (options, part) in enumerate(parts):
        if isinstance(part, DecisionList) and part.exceptions:
            exceptions = {
                s: option
                for s, option in part.exceptions.items()
                if (index, s) in printed_exceptions
            }
            parts[index] = options, DecisionList(part.lines, exceptions)
    return Card(tuple(parts))


def _is_readable(part: Part, max_lines: int) -> bool:
    """Whether a part has few enough lines, or is printed as a table of numbers."""
    if isinstance(part, Regions):
        return printed_form(part, max_lines) is not None
    # An exact list may be twice as long; in one longer still no reader finds a line.
    return len(part.lines) <= 2 * max_lines


def _loss(state: Any, part: DecisionList, optimum: "Optimum", visits: Sequence[float]) -> float:
    """What the lines of a list lose in a state, as often as best play comes to it."""
    model, node = optimum.model, optimum.model.node_by_key[state]
    option = part.listed_option(state, model.menus[node])
    return visits[node] * optimum.option_costs.by_option(node)[option]


def _shortened_part(
    part: Part, max_lines: int, optimum: "Optimum", visits: Sequence[float]
) -> DecisionList:
    """A part of the card as a list of at most `max_lines` lines, then a ranking."""
    model, card = optimum.model, optimum.card
    # In the model's order: that of a set changes from run to run, and the sample with it.
    costs = {
        state: optimum.option_costs.by_option(node)
        for state, node in model.node_by_key.items()
        if state in optimum.reachable_states
        and len(model.menus[node]) > 1
        and card.part_of(model.menus[node]) is part
    }
    weights = {state: visits[model.node_by_key[state]] for state in costs}
    scale = abs(float(optimum.value)) or 1.0
    return shorten(costs, weights, model.coordinates, max_lines, scale)


MAX_MOVES = 500
"""The most moves that are followed in a component, which play may leave rarely."""
MIN_MASS = 1e-6
"""A probability left in a component that is no longer followed."""


def expected_visits(optimum: "Optimum") -> list[float]:
    """By node, how often best play comes to it from the start, nearly."""
    model = optimum.model
    n = len(model.states)
    chances = [
        [weight / sum(rollable.law.weights) for weight in rollable.law.weights]
        for rollable in model.rollables
    ]

    def moves_on(node: int) -> Iterator[tuple[int, float]]:
        if model.menus[node]:
            moves = [(optimum.values.pick(node), 1.0)]
        else:
            moves = list(enumerate(chances[model.rollable_index[node]], model.first_move[node]))
        for move, chance in moves:
            if model.targets[move] < n:
                yield model.targets[move], chance

    visits = [1.0, *[0.0] * (n - 1)]
    # Play that leaves a component never comes back, so each is followed once, after those before.
    for component in optimum.values.arena.components:
        mass = {node: visits[node] for node in component if visits[node]}
        rows = {node: list(moves_on(node)) for node in (component if mass else ())}
        for _ in range(MAX_MOVES):
            following: dict[int, float] = {}
            for node, share in mass.items():
                for target, chance in rows[node]:
                    visits[target] += share * chance
                    if target in rows:
                        following[target] = following.get(target, 0.0) + share * chance
            mass = following
            if sum(mass.values()) < MIN_MASS:
                break
    return visits


def _policy_of(card: Card, optimum: "Optimum") -> Any:
    """A printed card as a policy; best play where the card has no entry."""
    model = optimum.model

    def policy(state: Any) -> str:
        menu = model.menus[model.node_by_key[state]]
        part = card.part_of(menu)
        option = part.read(state, menu) if part else None
        return option if option in menu else optimum.policy[state]

    return policy


# --- regions --------------------------------------------------------------------------------------


PrintedForm = Literal["list", "tens", "slice"]
"""A row for each box, a row for ten numbers, or a table of two coordinates at round numbers."""


def printed_form(part: Regions, max_lines: int) -> PrintedForm | None:
    """How a part is printed; None if it is too long to be read."""
    numeric = [part.shape.numeric[k] for k in part.box_axes]
    is_table = part.axis is not None and all(numeric)
    if is_table and len(numeric) == 1 and len(part.boxes) > min(max_lines, MAX_LINES):
        numbers = part.values[0]
        ten_count = (max(numbers) - min(numbers)) // 10
        if ten_count < max_lines and all(isinstance(x, int) for x in numbers):
            return "tens"
    if len(part.boxes) <= max_lines:
        return "list"
    return "slice" if is_table and len(numeric) == 2 else None


def _is_extract(part: Regions, max_lines: int) -> bool:
    """Whether a part is printed without some of its values."""
    return printed_form(part, max_lines) == "slice" and any(
        not values.issubset(_round_numbers(values)) for values in part.values
    )


def _region_blocks(part: Regions, prefix: str, optimum: "Optimum", max_lines: int) -> list[Block]:
    """A part of regions: a sentence, or a table in its printed form; `prefix` names its options."""
    if len(part.options) < 2:
        return [Text(f"{prefix}always {part.boxes[0].runs[0].option}.")]
    axis_name = part.shape.names[part.axis] if part.axis is not None else ""
    if not part.box_axes:
        words = runs_in_words(part.boxes[0].runs, axis_name)
        axis = f"{axis_name}: " if axis_name and axis_name != ROLLED else ""
        return [Text(f"{prefix}{axis}{words}.")]
    form = printed_form(part, max_lines)
    if form == "tens":
        return [_tens_table(part, axis_name, prefix)]
    if form == "slice":
        return [_slice_table(part, axis_name, prefix, optimum)]
    numeric = [part.shape.numeric[k] for k in part.box_axes]
    rows = [
        [*map(value_range, box.ranges, numeric, part.values), runs_in_words(box.runs, axis_name)]
        for box in part.boxes
    ]
    last = f"by {axis_name}" if axis_name and axis_name != ROLLED else "do"
    columns = [*(Column(name, LABEL) for name in part.box_names), last]
    return [Table(columns, rows, caption=_caption(prefix, ""))]


def _caption(prefix: str, text: str) -> str:
    return f"{prefix}{text}".rstrip(": ")


def _option_names(options: Sequence[str], word: str) -> str:
    more = len(options) - MAX_NAMES
    if more > 0:
        options = [*options[: MAX_NAMES - 1], f"one of {more + 1:,} others"]
    return word_list(options, word)


MAX_GAPS = 2
"""A range with more gaps, such as tens, is printed as one range."""


def value_range(values: tuple[Any, ...], numeric: bool, occurring: Collection[Any]) -> str:
    """Values in words, without numbers that never occur.

    >>> value_range((4, 10), True, {4, 5, 6, 8, 9, 10})
    '4–6, 8–10'
    >>> value_range((0, 20), True, {0, 5, 10, 15, 20})
    '0–20'
    """
    if not numeric:
        return ", ".join(map(state_name, values[:6])) + (", …" if len(values) > 6 else "")
    inside = sorted(x for x in occurring if values[0] <= x <= values[-1])
    starts = [i for i in range(1, len(inside)) if inside[i] - inside[i - 1] > 1]
    # Tens, or even numbers, are one range to a reader, although each leaves gaps.
    if len(starts) > MAX_GAPS:
        starts = []
    runs = [inside[i:k] for i, k in pairwise([0, *starts, len(inside)])]
    return ", ".join("–".join(map(number_text, dict.fromkeys((run[0], run[-1])))) for run in runs)


ROLLED = "rolled"
"""The coordinate for the number of rolls."""
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def runs_in_words(runs: Sequence[OptionRun], axis: str = "") -> str:
    """Runs in a player's words.

    >>> runs_in_words([OptionRun(None, "roll")])
    'roll'
    >>> runs_in_words([OptionRun(2, "roll"), OptionRun(21, "hold")])
    'roll below 21, hold from 21'
    >>> runs_in_words([OptionRun(0, "let it ride"), OptionRun(2, "surrender")], "rolled")
    'let it ride for the first two rolls, surrender before the third'
    """
    if len(runs) == 1:
        return runs[0].option
    starts = [run.start for run in runs[1:]]
    if axis == ROLLED and all(type(n) is int and 1 <= n < len(ORDINALS) for n in starts):
        n = int(starts[0])
        rolls = f"{count_in_words(n)} rolls" if n > 1 else "roll"
        first = f"{runs[0].option} for the first {rolls}"
        later = (f"{run.option} before the {ORDINALS[int(run.start)]}" for run in runs[1:])
        return ", ".join([first, *later])
    first = f"{runs[0].option} below {number_text(runs[1].start)}"
    rest = (f"{run.option} from {number_text(run.start)}" for run in runs[1:])
    return ", ".join([first, *rest])


def _tens_table(part: Regions, axis: str, prefix: str) -> Table:
    """A table of the other coordinate: a row for each ten, a column for each unit."""
    numbers, pair = part.values[0], _option_pair(part)
    tens = range(min(numbers) // 10 * 10, max(numbers) + 1, 10)
    rows = [[ten, *(_cell(part.box((ten + u,)), pair) for u in range(10))] for ten in tens]
    columns = [Column(part.box_names[0], LABEL), *(Column(f"+{u}", LABEL) for u in range(10))]
    return Table(columns, rows, caption=_caption(prefix, _legend(axis, pair)))


def _slice_table(part: Regions, axis: str, prefix: str, optimum: "Optimum") -> Table:
    """A table of two coordinates at round numbers, with unreachable lines."""
    xs, ys = map(_round_numbers, part.values)
    part = lines_of(part, {(x, y) for x in xs for y in ys}, optimum)
    pair = _option_pair(part)
    rows = [[x, *(_cell(part.box((x, y)), pair) for y in ys)] for x in xs]
    columns = [Column(" \\ ".join(part.box_names), LABEL)]
    columns += [Column(number_text(y), LABEL) for y in ys]
    return Table(columns, rows, caption=_caption(prefix, _legend(axis, pair)))


def _round_numbers(values: Collection[Any]) -> list[Any]:
    """At most `MAX_GRID` numbers in round steps, from the least value to the largest or below it.

    >>> _round_numbers({0, 3, 69})
    [0, 10, 20, 30, 40, 50, 60]
    """
    low, span = min(values), max(values) - min(values)
    steps = (digit * 10**power for power in count() for digit in (1, 2, 5))
    step = next(step for step in steps if span <= step * (MAX_GRID - 1))
    return [low + i * step for i in range(int(span // step) + 1)]


OptionPair = tuple[str, str] | None
"""The option below and the option above, if a table has just two."""


def _option_pair(part: Regions) -> OptionPair:
    """The two options of all lines, in their order along the axis, if there are just two."""
    pairs = {(a.option, b.option) for box in part.boxes for a, b in pairwise(box.runs)}
    if len(part.options) != 2 or not pairs:
        return None
    one, other = part.options
    return (one, other) if (one, other) in pairs else (other, one)


def _cell(box: Box | None, pair: OptionPair) -> str:
    """The runs of a box in a cell; of a pair of options, only where they change."""
    if box is None:
        return ""
    names = [run.option for run in box.runs]
    if pair is not None and names == [*pair]:
        return number_text(box.runs[1].start)
    if pair is not None and names == [*pair, pair[0]]:
        return f"{number_text(box.runs[1].start)}, not {number_text(box.runs[2].start)}"
    return runs_in_words(box.runs)


def _legend(axis: str, pair: OptionPair) -> str:
    if pair is None:
        return f"What to do, by {axis}" if axis else "What to do"
    return f"{pair[1]} from this number on{f' ({axis})' if axis else ''}, {pair[0]} below"


# --- lists ----------------------------------------------------------------------------------------


def _ranking_blocks(
    parts: Sequence[tuple[Sequence[str], DecisionList]], optimum: "Optimum"
) -> list[Block]:
    """Rankings of options, a row each, and their exceptions, the most costly first."""
    if not parts:
        return []
    blocks: list[Block] = []
    options, first_part = parts[0]
    if len(parts) == 1 and len(first_part.lines) == 1 and len(options) <= MAX_NAMES:
        option = first_part.options[0]
        text = f"{option}, whenever you may" if first_part.exceptions else f"always {option}"
        blocks.append(Text(f"{text}."))
    else:
        # A short row also lists the options that are open only after a mistake.
        listed = [
            tuple(dict.fromkeys([*part.options, *(options if len(options) <= MAX_NAMES else ())]))
            for options, part in parts
        ]
        rows = [[", ".join(row)] for row in sorted(listed, key=lambda row: (len(row), row))]
        blocks.append(Table(["do the first of these that you may"], rows))
    exceptions = []
    for _, part in parts:
        for state, right in part.exceptions.items():
            wrong = part.listed_option(state, optimum.model.options(state))
            cost = cost_of(wrong, optimum.options(state), Fraction(0))
            exceptions.append(Mistake(state, wrong, right, cost))
    if exceptions:
        columns = ["but in", "do", "not", Column("saves", DECIMAL)]
        exception_rows: list[list[Any]] = [
            [
                optimum.state_in_words(state),
                right,
                wrong,
                with_bound(cost, 2 * optimum.bound_at(state)),
            ]
            for state, wrong, right, cost in sorted(exceptions, key=lambda mistake: -mistake.cost)
        ]
        blocks.append(Table(columns, exception_rows))
    return blocks


def _list_blocks(
    parts: Sequence[tuple[Sequence[str], DecisionList]], optimum: "Optimum"
) -> list[Block]:
    """Lists with conditions, one below the other, by the numbers that tell them apart."""
    if not parts:
        return []
    labels: list[list[Any]] = [[] for _ in parts]
    columns: list[Column | str] = ["the first line that applies", "do"]
    telling = _telling_numbers([options for options, _ in parts], optimum)
    if telling:
        name, numbers = telling
        labels = [[number] for number in numbers]
        columns = [Column(name, LABEL), *columns]
    rows: list[list[Any]] = []
    for label, (_, part) in sorted(zip(labels, parts, strict=True), key=lambda entry: entry[0]):
        first_cells = label
        groups = [
            (conditions, [str(line.option) for line in lines])
            for conditions, lines in groupby(part.lines, lambda line: line.conditions)
        ]
        for k, (conditions, options) in enumerate(groups, 1):
            default = "otherwise" if k == len(groups) else "whenever you may"
            # Options with the same conditions are tried in turn.
            action = options[0] if len(options) == 1 else f"the first you may: {', '.join(options)}"
            rows.append([*first_cells, " and ".join(map(str, conditions)) or default, action])
            first_cells = [""] * len(label)
    return [Table(columns, rows)]


def _telling_numbers(
    options_of_parts: Sequence[Sequence[str]], optimum: "Optimum"
) -> tuple[str, list[Any]] | None:
    """A number that differs from part to part: its name, and its value in each part."""
    if len(options_of_parts) < 2:
        return None
    constants = [_constant_coordinates(options, optimum) for options in options_of_parts]
    for k, name in enumerate(optimum.model.coordinates):
        values = [constant[k] for constant in constants if k in constant]
        if len(set(values)) == len(options_of_parts):
            return name, values
    return None


def _constant_coordinates(options: Sequence[str], optimum: "Optimum") -> dict[int, Any]:
    """The numbers that are the same in all states of a part, by the index of the coordinate."""
    model = optimum.model
    states = [s for s in optimum.reachable_states if model.options(s)[0] in options]
    columns = zip(*(parts_of(state) for state in states), strict=False)
    return {
        k: column[0]
        for k, column in enumerate(columns)
        if is_number(column[0]) and len(set(column)) == 1
    }


MAX_TIES = 3
"""The most states whose ties are named; of more, only the number is printed."""


def _tie_note(optimum: "Optimum") -> Text:
    """The reachable states with equally good options, or how many there are."""
    tied = [s for s in optimum.ties if s in optimum.reachable_states]
    if not tied:
        return Text("No two options are ever equally good.", tone="note")
    near = ", or too near to tell apart" if optimum.bound else ""
    if len(tied) > MAX_TIES:
        return Text(f"{len(tied):,} states have equally good options{near}.", tone="note")
    sentences = []
    for state in tied:
        best = optimum.optimal_options(state)
        options = [option for option in optimum.model.options(state) if option in best]
        words = optimum.state_in_words(state)
        sentences.append(
            f"{words[:1].upper()}{words[1:]}: {_option_names(options, 'and')} are equally "
            f"good{near}."
        )
    return Text(" ".join(sentences), tone="note")


def lines_of(part: Regions, points: Collection[Any], optimum: "Optimum") -> Regions:
    """The lines of a part of a card along its axis, one for every point of the other coordinates.

    A line that optimal play does not reach ends where optimal play would leave it.
    """
    nodes, options, axis = optimum.model.node_by_key, set(part.options), part.axis or 0
    lines: dict[Any, list[Any]] = {}
    for state, node in nodes.items():
        coordinates = part.shape.coordinates(state)
        point = tuple([coordinates[k] for k in part.box_axes])
        if point in points and options.issuperset(optimum.model.menus[node]):
            lines.setdefault(point, []).append(state)
    states: list[Any] = []
    for line in lines.values():
        reachable = [state for state in line if state in optimum.reachable_states]
        first_state = min(line, key=lambda state: part.shape.coordinates(state)[axis])
        states += reachable or _reachable_on_line(first_state, set(line), optimum)
    for _, regions in optimum.card_of(states).parts:
        if isinstance(regions, Regions) and (regions.axis, regions.box_axes) == (
            part.axis,
            part.box_axes,
        ):
            return regions
    return part


def _reachable_on_line(start: Any, line: set[Any], optimum: "Optimum") -> Iterator[Any]:
    """The states of a line that are reachable from its first."""
    queue = [start]
    for state in queue:  # grows during the loop
        yield state
        for next_state in optimum.next_decisions(state, best=True):
            if next_state in line:
                line.discard(next_state)
                queue.append(next_state)
