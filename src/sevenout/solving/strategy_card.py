"""Strategy cards: a policy in a few lines (see docs/explanation/optimal-play.md).

A part of a card is regions or a decision list, the shorter of the two. Regions are runs of options
along one coordinate of the states. A list helps if menus differ by state, or if states show several
dice, whose coordinates one by one tell a player nothing. States with disjoint sets of options have
separate parts. Both forms are greedy but exact: the card gives an optimal option in every state.
Ties are resolved to shorten the card.

*Coordinates.* A `Shape` splits states into coordinates, so that a region is a box of values.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple

from sevenout.errors import RulesError, shown
from sevenout.model import state_name
from sevenout.solving.decision_list import (
    DecisionList,
    Decisions,
    has_dice,
    is_number,
    learn,
    ordinal,
    ranking_of,
)

AxisRow = dict[Any, frozenset[str]]
"""The optimal options at each value along an axis; the one key is None if there is no axis."""


@dataclass(frozen=True)
class Shape:
    """The coordinates of states.

    >>> Shape.of([(3, (4, "x")), (5, (6, "y"))]).coordinates((3, (4, "x")))
    (3, 4, 'x')

    Attributes:
        paths: for each coordinate, the indices and fields that lead to it.
        names: the coordinates' names in print; "" for a single one.
        numeric: whether each coordinate is always a number.
    """

    paths: tuple[tuple[int | str, ...], ...]
    names: tuple[str, ...]
    numeric: tuple[bool, ...]

    @classmethod
    def of(cls, states: Sequence[Any], names: Sequence[str] = ()) -> "Shape":
        """The common shape of some states."""
        leaves = list(_leaves(states, (), ""))
        return cls(
            tuple(path for path, _, _ in leaves),
            _coordinate_names(names, leaves),
            tuple(numeric for _, _, numeric in leaves),
        )

    def coordinates(self, state: Any) -> tuple[Any, ...]:
        """The coordinates of a state."""
        if self._is_flat:
            return tuple(state)
        return tuple([_value_at(state, path) for path in self.paths])

    @cached_property
    def _is_flat(self) -> bool:
        """Whether a state is a tuple of its coordinates."""
        return self.paths == tuple((k,) for k in range(len(self.paths)))


def _coordinate_names(
    names: Sequence[str], leaves: Sequence[tuple[tuple[int | str, ...], str, bool]]
) -> tuple[str, ...]:
    """The rules' names if there is one per coordinate; else the coordinates' own."""
    # A state that is no tuple is its own only part.
    paths = [path or (0,) for path, _, _ in leaves]
    parts = {path[0] for path in paths}
    if not names or len(parts) > len(names) or not all(isinstance(part, int) for part in parts):
        return tuple(name for _, name, _ in leaves)
    return tuple(
        " ".join([names[int(part)], *(_step_name(step) for step in steps)])
        for part, *steps in paths
    )


def _step_name(step: int | str) -> str:
    """A field's name, or the ordinal of an index."""
    return step if isinstance(step, str) else ordinal(step)


def _value_at(state: Any, path: tuple[int | str, ...]) -> Any:
    for step in path:
        state = getattr(state, step) if isinstance(step, str) else state[step]
    return state


def _leaves(
    column: Sequence[Any], path: tuple[int | str, ...], name: str
) -> Iterator[tuple[tuple[int | str, ...], str, bool]]:
    """The coordinates below a path in all states: path, name, and whether they are numbers."""
    first = column[0]
    kind = type(first)
    parts: list[tuple[int | str, str]] = []  # (index or field, name)
    if isinstance(first, tuple) and first:
        if all(isinstance(x, tuple) and len(x) == len(first) for x in column):
            names = getattr(kind, "_fields", None) or [ordinal(i) for i in range(len(first))]
            parts = list(enumerate(names))
    elif is_dataclass(kind) and all(type(x) is kind for x in column):
        parts = [(field.name, field.name) for field in fields(kind)]
    if not parts:
        yield path, name, all(map(is_number, column))
    for step, part_name in parts:
        inner = [_value_at(x, (step,)) for x in column]
        yield from _leaves(inner, (*path, step), f"{name}.{part_name}" if name else part_name)


def runs_of(row: AxisRow) -> list[tuple[Any, frozenset[str]]]:
    """The fewest runs of a row: the start of each, and the options optimal throughout it."""
    runs: list[tuple[Any, frozenset[str]]] = []
    for value in sorted(row) if len(row) > 1 else row:
        both = runs[-1][1] & row[value] if runs else None
        if both:
            runs[-1] = (runs[-1][0], both)
        else:
            runs.append((value, row[value]))
    return runs


def choose_options(runs: list[tuple[Any, frozenset[str]]]) -> Iterator[tuple[Any, str]]:
    """Choose an option for each run: if possible, that of the run before the previous one."""
    chosen: list[str] = []
    for start, options in runs:
        # Two options that take turns read better than three: "roll, hold, roll".
        option = chosen[-2] if chosen[-2:-1] and chosen[-2] in options else min(options)
        chosen.append(option)
        yield start, option


def _merged_row(row: AxisRow, other: AxisRow) -> AxisRow | None:
    """Both rows merged, if that takes no more runs than the longer one."""
    # Where both rows have a value, one option must be best in both.
    union = dict(row)
    for value, options in other.items():
        both = union[value] & options if value in union else options
        if not both:
            return None
        union[value] = both
    # A merged row with more runs would trade a line of the card for a longer line.
    if len(runs_of(union)) > max(len(runs_of(row)), len(runs_of(other))):
        return None
    return union


Ranges = tuple[tuple[Any, ...], ...]
"""The values of each coordinate: the first and the last, if they are numbers."""


def merged_boxes(
    rows: Mapping[tuple[Any, ...], AxisRow], numeric: Sequence[bool]
) -> list[tuple[Ranges, AxisRow]]:
    """Rows merged into boxes, along the last coordinate first.

    Numbers are merged only with neighbours, other values with any. Merged boxes have the same
    ranges, or each is alone at its values.
    """
    if not numeric:
        return [((), row) for row in rows.values()]
    slices: dict[Any, dict[tuple[Any, ...], AxisRow]] = {}
    for coordinates, row in rows.items():
        slices.setdefault(coordinates[0], {})[coordinates[1:]] = row
    grown: dict[Ranges | None, list[GrowingBox]] = {}
    previous_value: Any = None
    for value in sorted(slices) if numeric[0] else slices:
        inner = merged_boxes(slices[value], numeric[1:])
        for ranges, row in inner:
            # A slice that is one box may grow whatever its ranges; of several, only equal ones.
            boxes = grown.setdefault(None if len(inner) == 1 else ranges, [])
            _grow(boxes, GrowingBox((value,), ranges, row), previous_value, numeric)
        previous_value = value
    boxes_in_order = [
        (((values[0], values[-1]) if numeric[0] else values, *ranges), row)
        for boxes in grown.values()
        for values, ranges, row in boxes
    ]
    return sorted(boxes_in_order, key=lambda box: _sort_key(box[0], numeric))


class GrowingBox(NamedTuple):
    """Slices that are merged so far.

    Attributes:
        values: of the first coordinate, in order.
        ranges: of the coordinates after it.
        row: the optimal options along the axis.
    """

    values: tuple[Any, ...]
    ranges: Ranges
    row: AxisRow


def _grow(
    boxes: list[GrowingBox], slice_box: GrowingBox, previous_value: Any, numeric: Sequence[bool]
) -> None:
    """Merge a box of the next slice into one of some boxes, or add it to them."""
    # Of boxes of numbers, only the last one can be a neighbour, if it has the value before.
    for index in range(max(len(boxes) - 1, 0) if numeric[0] else 0, len(boxes)):
        values, ranges, row = boxes[index]
        if numeric[0] and values[-1] != previous_value:
            continue
        union = _merged_row(row, slice_box.row)
        if union is not None:
            hull = _hull(ranges, slice_box.ranges, numeric[1:])
            boxes[index] = GrowingBox((*values, *slice_box.values), hull, union)
            return
    boxes.append(slice_box)


def _hull(ranges: Ranges, other: Ranges, numeric: Sequence[bool]) -> Ranges:
    """The smallest ranges that contain both."""
    return tuple(
        (min(a[0], b[0]), max(a[-1], b[-1])) if number else tuple(dict.fromkeys(a + b))
        for a, b, number in zip(ranges, other, numeric, strict=True)
    )


def _sort_key(ranges: Ranges, numeric: Sequence[bool]) -> tuple[Any, ...]:
    return tuple(values[0] for values, number in zip(ranges, numeric, strict=True) if number)


NextDecisions = Callable[[Any], Iterable[Any]]
"""The possible next decision states of the same player."""


class OptionRun(NamedTuple):
    """An option, from a value of the axis to the next run.

    Attributes:
        start: the first value; None if there is no axis.
        option: the option.
    """

    start: Any
    option: str


@dataclass(frozen=True)
class Box:
    """Some values of all coordinates but one, and the runs along that one.

    Attributes:
        ranges: the values of each other coordinate, in order; (first, last) if numeric.
        runs: along the axis, in ascending order.
    """

    ranges: Ranges
    runs: tuple[OptionRun, ...]

    def option(self, value: Any) -> str:
        """The option at a value of the axis."""
        option = self.runs[0].option
        for run in self.runs[1:]:
            if value < run.start:
                break
            option = run.option
        return option


@dataclass(frozen=True, eq=False, repr=False)
class Regions:
    """A part of a card: runs along an axis, by box of the other coordinates.

    Attributes:
        shape: the coordinates of states.
        axis: the index of the coordinate of the runs; None if each box has one run.
        box_axes: the indices of the coordinates of the boxes, without constant ones.
        boxes: the boxes; they cover the part.
        values: the occurring values of each of those coordinates.
    """

    shape: Shape
    axis: int | None
    box_axes: tuple[int, ...]
    boxes: tuple[Box, ...]
    values: tuple[frozenset[Any], ...]

    @property
    def size(self) -> int:
        """The number of lines."""
        listed = [k for k, other in enumerate(self.box_axes) if not self.shape.numeric[other]]
        return sum(
            len(box.runs) + sum(len(box.ranges[k]) - 1 for k in listed) for box in self.boxes
        )

    @cached_property
    def options(self) -> tuple[str, ...]:
        """The options in this part."""
        return tuple(dict.fromkeys(run.option for box in self.boxes for run in box.runs))

    @property
    def box_names(self) -> list[str]:
        """The names of the coordinates of the boxes, in print."""
        return [self.shape.names[k] or "state" for k in self.box_axes]

    @cached_property
    def _boxes_by_first(self) -> dict[Any, list[Box]]:
        """The boxes by their first coordinate, if it is no number: a card is read for thousands of
        states. Else empty.
        """
        boxes_by_first: dict[Any, list[Box]] = {}
        if self.box_axes and not self.shape.numeric[self.box_axes[0]]:
            for box in self.boxes:
                for value in box.ranges[0]:
                    boxes_by_first.setdefault(value, []).append(box)
        return boxes_by_first

    def box(self, coordinates: tuple[Any, ...]) -> Box | None:
        """The box at values of the other coordinates, or None."""
        boxes: Sequence[Box] = self.boxes
        if self._boxes_by_first:
            boxes = self._boxes_by_first.get(coordinates[0], ())
        return next((box for box in boxes if self._contains(box, coordinates)), None)

    def _contains(self, box: Box, coordinates: tuple[Any, ...]) -> bool:
        return all(
            values[0] <= x <= values[-1] if self.shape.numeric[k] else x in values
            for k, x, values in zip(self.box_axes, coordinates, box.ranges, strict=True)
        )

    def read(self, state: Any, menu: tuple[str, ...]) -> str | None:
        """The card's option in a state, whatever its menu; None if no box has it."""
        coordinates = self.shape.coordinates(state)
        box = self.box(tuple(coordinates[k] for k in self.box_axes))
        if box is None:
            return None
        return box.option(coordinates[self.axis]) if self.axis is not None else box.runs[0].option


Part = Regions | DecisionList


@dataclass(frozen=True, eq=False, repr=False)
class Card:
    """A policy in a few lines; see `card_of`.

    >>> import sevenout as so
    >>> card = so.best(so.games("pig-turn", goal=30)).card
    >>> card.read(19, ("roll", "hold")), card.read(21, ("roll", "hold"))
    ('roll', 'hold')

    Attributes:
        parts: (options, their part of the card); no option is in two parts.
    """

    parts: tuple[tuple[tuple[str, ...], Part], ...]

    def __repr__(self) -> str:
        return f"<Card of {self.size:,} lines>"

    @property
    def size(self) -> int:
        """The number of lines in full."""
        return sum(part.size for _, part in self.parts)

    @cached_property
    def _part_by_option(self) -> dict[str, Part]:
        return {option: part for options, part in self.parts for option in options}

    def part_of(self, menu: tuple[str, ...]) -> Part | None:
        """The part that a menu is on; None if there is none."""
        return self._part_by_option.get(menu[0]) if menu else None

    def read(self, state: Any, menu: tuple[str, ...]) -> str:
        """The card's option in a state, from its menu. The card may cover unreachable states, too.

        Raises:
            RulesError: no line of the card is about the state.
        """
        if len(menu) == 1:
            return menu[0]
        part = self.part_of(menu)
        try:
            option = part.read(state, menu) if part else None
        except (TypeError, IndexError, AttributeError):  # a state of another shape
            option = None
        if option not in menu:
            raise RulesError(f"the card has no entry for state {shown(state)}")
        return option


def card_of(
    best: Decisions, names: Sequence[str] = (), next_decisions: NextDecisions | None = None
) -> Card:
    """The card of a policy.

    >>> from sevenout.solving.decision_list import Decision
    >>> roll, hold = (Decision(("roll", "hold"), frozenset([o])) for o in ("roll", "hold"))
    >>> (options, part), = card_of({n: roll if n < 20 else hold for n in range(25)}).parts
    >>> options, part.boxes[0].runs
    (('roll', 'hold'), (OptionRun(start=0, option='roll'), OptionRun(start=20, option='hold')))

    Args:
        best: the decisions by state; states with a single option are left out.
        names: the coordinates' names in print; used if there is one for each.
        next_decisions: of a state; runs are along the coordinate that changes most often. By
            default, along the one that needs the fewest runs.
    """
    decisions = {state: decision for state, decision in best.items() if len(decision.menu) > 1}
    parts = []
    # Choices of different kinds, such as bets and holds, have nothing to be merged with.
    for states in _groups_by_options(decisions):
        options = dict.fromkeys(option for state in states for option in decisions[state].menu)
        part = _shorter_form({state: decisions[state] for state in states}, names, next_decisions)
        parts.append((tuple(options), part))
    return Card(tuple(parts))


MAX_LEARNT_LINES, MAX_LEARNT_STATES = 100, 10_000
"""The most lines of a learnt list, and the most states it is learnt from: more take seconds."""
MAX_WRONG_SHARE = 0.15
"""The share of states in which a ranking may be wrong, and still be the better form."""


def _shorter_form(
    decisions: Decisions, names: Sequence[str], next_decisions: NextDecisions | None
) -> Part:
    """The shorter form of a part of a card."""
    ranking = ranking_of(decisions)
    # A ranking that is wrong in few states is easier to read than any conditions.
    often_wrong = len(ranking.exceptions) > MAX_WRONG_SHARE * len(decisions)
    if often_wrong and has_dice(decisions) and len(decisions) <= MAX_LEARNT_STATES:
        # A line with conditions takes longer to read than an exception.
        learnt = learn(decisions, names, min(MAX_LEARNT_LINES, ranking.size // 2))
        if learnt is not None:
            return learnt
    best = {state: decision.optimal for state, decision in decisions.items()}
    regions = _regions_of(best, names, next_decisions)
    return regions if regions.size <= ranking.size else ranking


def _regions_of(
    best: Mapping[Any, frozenset[str]], names: Sequence[str], next_decisions: NextDecisions | None
) -> Regions:
    """The regions of a policy."""
    states = list(best)
    shape = Shape.of(states, names)
    points = [shape.coordinates(state) for state in states]
    varying = [k for k in range(len(shape.paths)) if len({point[k] for point in points}) > 1]
    axes = [k for k in varying if shape.numeric[k]]

    @cache
    def rows(axis: int | None) -> dict[tuple[Any, ...], AxisRow]:
        box_axes = tuple(k for k in varying if k != axis)
        row_by_box: dict[tuple[Any, ...], AxisRow] = {}
        for point, optimal in zip(points, best.values(), strict=True):
            row = row_by_box.setdefault(tuple([point[k] for k in box_axes]), {})
            row[None if axis is None else point[axis]] = optimal
        return row_by_box

    def run_count(axis: int) -> int:
        return sum(len(runs_of(row)) for row in rows(axis).values())

    axis = axes[-1] if axes else None
    # A player reads along what changes from one choice to the next: the turn, not the score.
    if len(axes) > 1:
        changes: list[set[int]] = []
        if next_decisions:
            changes = list(_changed_coordinates(states, shape, best, next_decisions))
        change_counts = {k: sum(k in changed for changed in changes) for k in axes}
        most_changed = [k for k in axes if change_counts[k] == max(change_counts.values())]
        axis = min(reversed(most_changed), key=run_count)
    box_axes = tuple(k for k in varying if k != axis)
    numeric = [shape.numeric[k] for k in box_axes]
    boxes = [
        Box(
            ranges,
            tuple(OptionRun(start, option) for start, option in choose_options(runs_of(row))),
        )
        for ranges, row in merged_boxes(rows(axis), numeric)
    ]
    values = tuple(frozenset(point[k] for point in points) for k in box_axes)
    return Regions(shape, axis, box_axes, tuple(boxes), values)


SAMPLE_SIZE = 2_000
"""How many states are sampled to see which coordinate changes most often."""


def _changed_coordinates(
    states: Sequence[Any], shape: Shape, decisions: Mapping[Any, Any], next_decisions: NextDecisions
) -> Iterator[set[int]]:
    """The coordinates that change from one state to the next, in a sample."""
    for state in states[:: len(states) // SAMPLE_SIZE + 1]:
        own = shape.coordinates(state)
        for next_state in next_decisions(state):
            if next_state in decisions:
                following = shape.coordinates(next_state)
                yield {k for k, x in enumerate(own) if x != following[k]}


def _groups_by_options(decisions: Decisions) -> Iterable[list[Any]]:
    """The states in groups without common options."""
    groups: list[set[str]] = []  # of options
    for menu in {decision.menu: None for decision in decisions.values()}:
        joined = set(menu).union(*(group for group in groups if not group.isdisjoint(menu)))
        groups = [joined, *(group for group in groups if group.isdisjoint(menu))]
    index_of = {option: index for index, group in enumerate(groups) for option in group}
    states: dict[int, list[Any]] = {}
    for state, decision in decisions.items():
        states.setdefault(index_of[decision.menu[0]], []).append(state)
    return states.values()


def part_data(options: Sequence[str], part: Part) -> dict[str, Any]:
    """A part of a strategy card as data."""
    if isinstance(part, DecisionList):
        data: dict[str, Any] = {"options": list(options)}
        if part.is_ranking:
            data["first_of"] = list(part.options)
        else:
            data["lines"] = [
                {"if": [str(condition) for condition in line.conditions], "do": str(line.option)}
                for line in part.lines
            ]
        exceptions = [
            {"state": state_name(state), "do": did} for state, did in part.exceptions.items()
        ]
        return data | {"exceptions": exceptions}
    names = part.shape.names
    return {
        "options": list(options),
        "axis": None if part.axis is None else names[part.axis],
        "others": [names[k] for k in part.box_axes],
        "boxes": [
            {
                "ranges": [[state_name(x) for x in values] for values in box.ranges],
                "runs": [{"from": _json_value(run.start), "do": run.option} for run in box.runs],
            }
            for box in part.boxes
        ],
    }


def _json_value(x: Any) -> Any:
    return x if x is None or isinstance(x, int) else str(x)
