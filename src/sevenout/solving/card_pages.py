"""Pages of strategy cards: tables of regions, lists of lines, exceptions and ties.

A card leaves out states that optimal play doesn't reach, but a table needs whole lines: `lines_of`
fills them in. A part that is too long to be read is printed shorter: right wherever a mistake costs
most. The page then says what that loses, solved like any other policy.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

from sevenout.documents import Block, Column, Table, Text
from sevenout.documents.kinds import DECIMAL, LABEL
from sevenout.documents.numbers import decimal
from sevenout.documents.words import count_in_words, word_list
from sevenout.model import state_name
from sevenout.solving.best_play import with_bound
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
    rankings, lists = [], []
    for options, part in printed.parts:
        if not isinstance(part, DecisionList):
            # With one part, its options need not be named.
            prefix = f"{_option_names(options, 'or')}: " if len(card.parts) > 1 else ""
            blocks += _region_blocks(part, prefix, optimum, max_lines)
        elif part.is_ranking:
            rankings.append((options, part))
        else:
            lists.append((options, part))
    blocks += _ranking_blocks(rankings, optimum)
    blocks += _list_blocks(lists, optimum)
    if printed is card:
        exact = "This card is exact: it gives a best option wherever best play can come."
        blocks.append(Text(exact, tone="note"))
    else:
        followed = optimum.evaluate(_policy_of(printed, optimum))
        cost = decimal(with_bound(followed.cost, followed.bound + optimum.bound))
        blocks.append(
            Text(
                "This card is shortened. Followed to the letter, it loses "
                f"{cost} against best play. For the whole policy, {WHOLE_CARD_HINT}.",
                tone="note",
            )
        )
    blocks.append(_tie_note(optimum))
    return blocks


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
    costs = _Costs(optimum)
    parts: list[tuple[tuple[str, ...], Part]] = []
    for options, part in card.parts:
        if part in unreadable:
            max_part_lines = max(MIN_LINES, max_lines // len(unreadable))
            parts.append((options, costs.shorten_part(card, part, max_part_lines)))
        else:
            parts.append((options, part))
    losses: list[tuple[float, int, Any]] = []  # without an exception: (loss, part, state)
    for index, (_, part) in enumerate(parts):
        if isinstance(part, DecisionList):
            losses += [(costs.loss(state, part), index, state) for state in part.exceptions]
    losses.sort(key=lambda entry: -entry[0])
    printed_exceptions = {(index, state) for _, index, state in losses[:max_lines]}
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
    """Whether a part has few enough lines, or is printed as a map."""
    if isinstance(part, Regions):
        return len(part.boxes) <= max_lines or _is_map(part)
    # An exact list may be twice as long; in one longer still no reader finds a line.
    return len(part.lines) <= 2 * max_lines


class _Costs:
    """The costs of mistakes, as floats.

    Attributes:
        optimum: best play.
        model: its game.
        visits: by node, how often best play comes to it.
    """

    def __init__(self, optimum: "Optimum") -> None:
        self.optimum, self.model = optimum, optimum.model
        self.visits = expected_visits(optimum)

    def option_costs(self, state: Any) -> dict[str, float]:
        """The cost of each option in a state, once."""
        node, option_costs = self.model.node_by_key[state], self.optimum.option_costs
        # Floats may see a cost where there is none.
        return {
            option: 0.0 if option_costs.is_optimal[move] else option_costs.costs[move]
            for move, option in enumerate(self.model.menus[node], self.model.first[node])
        }

    def loss(self, state: Any, part: DecisionList) -> float:
        """The cost of the lines of a list in a state, as often as best play comes to it."""
        node = self.model.node_by_key[state]
        option = part.listed_option(state, self.model.menus[node])
        return self.visits[node] * self.option_costs(state)[option]

    def shorten_part(self, card: Card, part: Part, max_lines: int) -> DecisionList:
        """A part of a card as a list of at most `max_lines` lines, then a ranking."""
        model = self.model
        # In the model's order: that of a set changes from run to run, and the sample with it.
        costs = {
            state: self.option_costs(state)
            for state, node in model.node_by_key.items()
            if state in self.optimum.reachable_states
            and len(model.menus[node]) > 1
            and card.part_of(model.menus[node]) is part
        }
        weights = {state: self.visits[model.node_by_key[state]] for state in costs}
        scale = abs(float(self.optimum.value)) or 1.0
        return shorten(costs, weights, model.coordinates, max_lines, scale)


MAX_MOVES, MIN_MASS = 500, 1e-6
"""The most moves that are followed in a component, and the probability that is then left there."""


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
            moves = list(enumerate(chances[model.rollable_index[node]], model.first[node]))
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


def _is_map(part: Regions) -> bool:
    """Whether a part with many boxes is printed as a table of tens, or of slices."""
    numeric = [part.shape.numeric[k] for k in part.others]
    if part.axis is None or not all(numeric):
        return False
    return len(numeric) == 2 or (len(numeric) == 1 and _has_whole_numbers(part))


def _region_blocks(part: Regions, prefix: str, optimum: "Optimum", max_lines: int) -> list[Block]:
    """A part of regions: a sentence, a list of boxes, or a map; `prefix` names its options."""
    if len(part.options) < 2:
        return [Text(f"{prefix}always {part.boxes[0].runs[0].option}.")]
    axis_name = part.shape.names[part.axis] if part.axis is not None else ""
    if not part.others:
        words = runs_in_words(part.boxes[0].runs, axis_name)
        axis = f"{axis_name}: " if axis_name and axis_name != ROLLED else ""
        return [Text(f"{prefix}{axis}{words}.")]
    names = [part.shape.names[k] or "state" for k in part.others]
    numeric = [part.shape.numeric[k] for k in part.others]
    # A long list of numbers is a table of tens, or a slice at round numbers.
    if len(part.boxes) > MAX_LINES and _is_map(part):
        if len(numeric) == 1:
            return [_tens_table(part, names[0], axis_name, prefix)]
        return [_slice_table(part, axis_name, prefix, optimum)]
    rows = [
        [*map(value_range, box.ranges, numeric, part.values), runs_in_words(box.runs, axis_name)]
        for box in part.boxes[:max_lines]
    ]
    last = f"by {axis_name}" if axis_name and axis_name != ROLLED else "do"
    return [Table([*(Column(n, LABEL) for n in names), last], rows, caption=_caption(prefix, ""))]


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
        count = f"{count_in_words(n)} rolls" if n > 1 else "roll"
        first = f"{runs[0].option} for the first {count}"
        later = (f"{run.option} before the {ORDINALS[int(run.start)]}" for run in runs[1:])
        return ", ".join([first, *later])
    first = f"{runs[0].option} below {number_text(runs[1].start)}"
    rest = (f"{run.option} from {number_text(run.start)}" for run in runs[1:])
    return ", ".join([first, *rest])


def _has_whole_numbers(part: Regions) -> bool:
    return all(isinstance(x, int) for box in part.boxes for x in box.ranges[0])


def _tens_table(part: Regions, name: str, axis: str, prefix: str) -> Table:
    """A table of the other coordinate: a row for each ten, a column for each unit."""
    low, high = part.boxes[0].ranges[0][0], max(box.ranges[0][-1] for box in part.boxes)
    pair = _option_pair(part)
    tens = range(low // 10 * 10, high + 1, 10)
    rows = [[ten, *(_cell(part.box((ten + u,)), pair) for u in range(10))] for ten in tens]
    columns = [Column(name or "state", LABEL), *(Column(f"+{u}", LABEL) for u in range(10))]
    return Table(columns, rows, caption=_caption(prefix, _legend(axis, pair)))


def _slice_table(part: Regions, axis: str, prefix: str, optimum: "Optimum") -> Table:
    """A table of two coordinates, sliced if too large, with unreachable lines."""
    names = [part.shape.names[k] or "state" for k in part.others]
    xs, ys = (
        _round_numbers(
            min(box.ranges[k][0] for box in part.boxes),
            max(box.ranges[k][-1] for box in part.boxes),
        )
        for k in range(2)
    )
    part = lines_of(part, {(x, y) for x in xs for y in ys}, optimum)
    pair = _option_pair(part)
    rows = [[x, *(_cell(part.box((x, y)), pair) for y in ys)] for x in xs]
    columns = [Column(f"{names[0]} \\ {names[1]}", LABEL)]
    columns += [Column(number_text(y), LABEL) for y in ys]
    return Table(columns, rows, caption=_caption(prefix, _legend(axis, pair)))


def _round_numbers(low: Any, high: Any) -> list[Any]:
    """At most `MAX_GRID` numbers in round steps, from low to high or short of it."""
    step = next(
        s
        for s in (1, 2, 5, 10, 20, 25, 50, 10**2, 10**3, 10**4, 10**9)
        if (high - low) / s <= MAX_GRID - 1
    )
    return [low + i * step for i in range(int((high - low) / step) + 1)]


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
    if pair is None:
        return runs_in_words(box.runs)
    names = [run.option for run in box.runs]
    starts = [number_text(run.start) for run in box.runs]
    if names == [pair[0]]:
        return pair[0]
    if names == [pair[1]]:
        return pair[1]
    if names == [pair[0], pair[1]]:
        return starts[1]
    if names == [pair[0], pair[1], pair[0]]:
        return f"{starts[1]}, not {starts[2]}"
    return runs_in_words(box.runs)


def _legend(axis: str, pair: OptionPair) -> str:
    by = f" by {axis}" if axis else ""
    if pair is None:
        return f"What to do,{by}"
    return f"{pair[1]} from this number on{f' ({axis})' if axis else ''}, {pair[0]} below"


# --- lists ----------------------------------------------------------------------------------------


def _ranking_blocks(
    parts: Sequence[tuple[Sequence[str], DecisionList]], optimum: "Optimum"
) -> list[Block]:
    """Rankings of options, a row each, and their exceptions, the most costly first."""
    if not parts:
        return []
    blocks: list[Block] = []
    (options, only), *others = parts
    if not others and len(only.lines) == 1 and len(options) <= MAX_NAMES:
        option = only.options[0]
        text = f"{option}, whenever you may" if only.exceptions else f"always {option}"
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
            cost = next(o.cost for o in optimum.options(state) if o.name == wrong)
            exceptions.append((cost, state, right, wrong))
    if exceptions:
        exceptions.sort(key=lambda row: -row[0])
        columns = ["but in", "do", "not", Column("saves", DECIMAL)]
        exception_rows: list[list[Any]] = [
            [
                optimum.state_in_words(state),
                right,
                wrong,
                with_bound(cost, 2 * optimum.bound_at(state)),
            ]
            for cost, state, right, wrong in exceptions
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
    if len(parts) > 1:
        constants = [_constant_coordinates(options, optimum) for options, _ in parts]
        for k, name in enumerate(optimum.model.coordinates):
            # A number that differs from part to part tells them apart; one such is enough.
            values = [constant[k] for constant in constants if k in constant]
            if len(set(values)) == len(parts):
                labels = [[value] for value in values]
                columns = [Column(name, LABEL), *columns]
                break
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
        point = tuple([coordinates[k] for k in part.others])
        if point in points and options.issuperset(optimum.model.menus[node]):
            lines.setdefault(point, []).append(state)
    states: list[Any] = []
    for line in lines.values():
        reachable = [state for state in line if state in optimum.reachable_states]
        first_state = min(line, key=lambda state: part.shape.coordinates(state)[axis])
        states += reachable or _reachable_on_line(first_state, set(line), optimum)
    for _, regions in optimum.card_of(states).parts:
        if isinstance(regions, Regions) and (regions.axis, regions.others) == (
            part.axis,
            part.others,
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
