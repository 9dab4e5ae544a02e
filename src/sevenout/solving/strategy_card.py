"""Strategy cards: a policy in a few lines (see docs/explanation/optimal-play.md).

A part of a card is regions or a decision list, the shorter of the two. Regions are runs of options
along one coordinate of the states. A list helps if menus differ by state, or if states show several
dice, whose coordinates one by one tell a player nothing. States with disjoint sets of options have
separate parts. Both forms are greedy but exact: the card gives an optimal option in every state.
Ties are resolved to shorten the card.

*Coordinates.* A `Shape` takes states apart into coordinates, so that a region is a box of values.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple

from sevenout.errors import RulesError, shown
from sevenout.model import state_name
from sevenout.solving.decision_list import (
    Best,
    DecisionList,
    has_dice,
    is_number,
    learn,
    ordinal,
    ranking_of,
)

Row = dict[Any, frozenset[str]]
"""The optimal options at each value along an axis."""


@dataclass(frozen=True)
class Shape:
    """The coordinates of states.

    >>> Shape.of([(3, (4, "x")), (5, (6, "y"))]).apart((3, (4, "x")))
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
            _names(names, leaves),
            tuple(numeric for _, _, numeric in leaves),
        )

    def apart(self, state: Any) -> tuple[Any, ...]:
        """The coordinates of a state."""
        if self._flat:
            return tuple(state)
        return tuple([_at(state, path) for path in self.paths])

    @cached_property
    def _flat(self) -> bool:
        """Whether a state is a tuple of its coordinates."""
        return self.paths == tuple((k,) for k in range(len(self.paths)))


def _names(
    names: Sequence[str], leaves: Sequence[tuple[tuple[int | str, ...], str, bool]]
) -> tuple[str, ...]:
    """The rules' names if there is one per coordinate; else the coordinates' own."""
    tops = {path[0] if path else 0 for path, _, _ in leaves}
    if not names or len(tops) > len(names) or not all(isinstance(top, int) for top in tops):
        return tuple(name for _, name, _ in leaves)
    return tuple(
        " ".join([names[int(path[0]) if path else 0], *(_step(step) for step in path[1:])])
        for path, _, _ in leaves
    )


def _step(step: int | str) -> str:
    return step if isinstance(step, str) else ordinal(step)


def _at(state: Any, path: tuple[int | str, ...]) -> Any:
    for step in path:
        state = getattr(state, step) if isinstance(step, str) else state[step]
    return state


def _leaves(
    column: Sequence[Any], path: tuple[int | str, ...], name: str
) -> Iterator[tuple[tuple[int | str, ...], str, bool]]:
    """The coordinates below a path in all states: path, name, and whether they are numbers."""
    first = column[0]
    kind = type(first)
    parts: list[tuple[int | str, str]] = []
    if isinstance(first, tuple) and first:
        if all(isinstance(x, tuple) and len(x) == len(first) for x in column):
            own = getattr(kind, "_fields", None) or [ordinal(i) for i in range(len(first))]
            parts = list(enumerate(own))
    elif is_dataclass(kind) and all(type(x) is kind for x in column):
        parts = [(field.name, field.name) for field in fields(kind)]
    if not parts:
        yield path, name, all(map(is_number, column))
    for step, own_name in parts:
        inner = [getattr(x, step) if isinstance(step, str) else x[step] for x in column]
        below = f"{name}.{own_name}" if name else own_name
        yield from _leaves(inner, (*path, step), below)


def runs_of(row: Row) -> list[tuple[Any, frozenset[str]]]:
    """The fewest runs of a row: the start of each, and the options optimal throughout it."""
    runs: list[tuple[Any, frozenset[str]]] = []
    for value in sorted(row) if len(row) > 1 else row:
        both = runs[-1][1] & row[value] if runs else None
        if both:
            runs[-1] = (runs[-1][0], both)
        else:
            runs.append((value, row[value]))
    return runs


def named(runs: list[tuple[Any, frozenset[str]]]) -> Iterator[tuple[Any, str]]:
    """One option for each run; if possible, that of the run before the last."""
    before: list[str] = []
    for start, options in runs:
        # Two options that take turns read better than three: "roll, hold, roll".
        option = before[-2] if before[-2:-1] and before[-2] in options else min(options)
        before.append(option)
        yield start, option


def _together(one: Row, other: Row) -> Row | None:
    """Both rows merged, if that takes no more runs than the longer one."""
    # Where both rows have a value, one option must be best in both.
    union = dict(one)
    for value, options in other.items():
        both = union[value] & options if value in union else options
        if not both:
            return None
        union[value] = both
    # A merged row with more runs would trade a line of the card for a longer line.
    if len(runs_of(union)) > max(len(runs_of(one)), len(runs_of(other))):
        return None
    return union


Ranges = tuple[tuple[Any, ...], ...]
"""The values of each coordinate: the first and the last, if they are numbers."""


def merged(
    rows: Mapping[tuple[Any, ...], Row], numeric: Sequence[bool]
) -> list[tuple[Ranges, Row]]:
    """Rows merged into boxes, along the last coordinate first.

    Numbers are merged only with neighbours, other values with any. Merged boxes have the same
    ranges, or each is alone at its values.
    """
    if not numeric:
        return [((), row) for row in rows.values()]
    slices: dict[Any, dict[tuple[Any, ...], Row]] = {}
    for place, row in rows.items():
        slices.setdefault(place[0], {})[place[1:]] = row
    grown: dict[Ranges | None, list[tuple[list[Any], Ranges, Row]]] = {}
    before: Any = None
    for value in sorted(slices) if numeric[0] else slices:
        inner = merged(slices[value], numeric[1:])
        for rest, row in inner:
            boxes = grown.setdefault(None if len(inner) == 1 else rest, [])
            for index in range(max(len(boxes) - 1, 0) if numeric[0] else 0, len(boxes)):
                own, so_far, above = boxes[index]
                both = _together(above, row) if not numeric[0] or own[-1] == before else None
                if both is not None:
                    boxes[index] = ([*own, value], _hull(so_far, rest, numeric[1:]), both)
                    break
            else:
                boxes.append(([value], rest, row))
        before = value
    boxes_in_order = [
        (((own[0], own[-1]) if numeric[0] else tuple(own), *rest), row)
        for boxes in grown.values()
        for own, rest, row in boxes
    ]
    return sorted(boxes_in_order, key=lambda box: _order(box[0], numeric))


def _hull(one: Ranges, other: Ranges, numeric: Sequence[bool]) -> Ranges:
    """The least ranges that contain both."""
    return tuple(
        (min(a[0], b[0]), max(a[-1], b[-1])) if number else tuple(dict.fromkeys(a + b))
        for a, b, number in zip(one, other, numeric, strict=True)
    )


def _order(ranges: Ranges, numeric: Sequence[bool]) -> tuple[Any, ...]:
    return tuple(values[0] for values, number in zip(ranges, numeric, strict=True) if number)


Follows = Callable[[Any], Iterable[Any]]
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
    """Some values of the coordinates but one, and the runs along that one.

    Attributes:
        ranges: the values of each other coordinate, in order; (first, last) if numeric.
        runs: along the axis, in ascending order.
    """

    ranges: tuple[tuple[Any, ...], ...]
    runs: tuple[OptionRun, ...]

    def option(self, value: Any) -> str:
        """The option at a value of the axis."""
        option = self.runs[0].option
        for run in self.runs[1:]:
            if value < run.start:
                break
            option = run.option
        return option


class Regions:
    """A part of a card: runs along an axis, by box of the other coordinates.

    Attributes:
        shape: the coordinates of states.
        axis: the coordinate of the runs; None if each box has one run.
        others: the coordinates of the boxes, without constant ones.
        boxes: the boxes; they cover the part.
        values: the occurring values of each of the others.
    """

    def __init__(
        self,
        shape: Shape,
        axis: int | None,
        others: tuple[int, ...],
        boxes: Sequence[Box],
        values: Sequence[frozenset[Any]],
    ) -> None:
        self.shape, self.axis, self.others, self.boxes = shape, axis, others, tuple(boxes)
        self.values = tuple(values)

    @property
    def size(self) -> int:
        """The number of lines."""
        listed = [k for k, other in enumerate(self.others) if not self.shape.numeric[other]]
        return sum(
            len(box.runs) + sum(len(box.ranges[k]) - 1 for k in listed) for box in self.boxes
        )

    @cached_property
    def options(self) -> tuple[str, ...]:
        """The options in this part."""
        return tuple(dict.fromkeys(run.option for box in self.boxes for run in box.runs))

    @cached_property
    def _found(self) -> Callable[[tuple[Any, ...]], Box]:
        numeric = [self.shape.numeric[k] for k in self.others]

        def inside(box: Box, place: tuple[Any, ...]) -> bool:
            return all(
                values[0] <= x <= values[-1] if number else x in values
                for x, values, number in zip(place, box.ranges, numeric, strict=True)
            )

        by_first: dict[Any, list[Box]] = {}
        # Boxes by the first coordinate, if it is listed: a card is read for thousands of states.
        if numeric and not numeric[0]:
            for box in self.boxes:
                for value in box.ranges[0]:
                    by_first.setdefault(value, []).append(box)

        def found(place: tuple[Any, ...]) -> Box:
            boxes: Sequence[Box] = by_first[place[0]] if by_first else self.boxes
            return next(box for box in boxes if inside(box, place))

        return found

    def box(self, place: tuple[Any, ...]) -> Box | None:
        """The box at values of the other coordinates, or None."""
        try:
            return self._found(place)
        except (KeyError, StopIteration):
            return None

    def read(self, state: Any, menu: tuple[str, ...]) -> str | None:
        """The card's option in a state, or None."""
        apart = self.shape.apart(state)
        box = self.box(tuple(apart[k] for k in self.others))
        if box is None:
            return None
        return box.option(apart[self.axis]) if self.axis is not None else box.runs[0].option


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
    def _part(self) -> dict[str, Part]:
        return {option: part for options, part in self.parts for option in options}

    def part_of(self, menu: tuple[str, ...]) -> Part | None:
        """The part that a menu is on; None if there is none."""
        return self._part.get(menu[0])

    def read(self, state: Any, menu: tuple[str, ...]) -> str:
        """The card's option in a state, from its menu.

        Raises:
            RulesError: the state is not on the card.
        """
        if len(menu) == 1:
            return menu[0]
        part = self.part_of(menu)
        option = part.read(state, menu) if part else None
        if option not in menu:
            raise RulesError(f"the card has no entry for state {shown(state)}")
        return option


def card_of(best: Best, names: Sequence[str] = (), follows: Follows | None = None) -> Card:
    """The card of a policy.

    >>> best = {n: (("roll", "hold"), frozenset({"roll" if n < 20 else "hold"})) for n in range(25)}
    >>> (options, part), = card_of(best).parts
    >>> options, part.boxes[0].runs
    (('roll', 'hold'), (OptionRun(start=0, option='roll'), OptionRun(start=20, option='hold')))

    Args:
        best: for each state, the options and the optimal ones; states with a single option are left
            out.
        names: the coordinates' names in print; used if there is one for each.
        follows: the next decision states; runs are along the coordinate that changes most often. By
            default, along the one that needs the fewest runs.
    """
    decisions = {state: entry for state, entry in best.items() if len(entry[0]) > 1}
    parts = []
    # Choices of different kinds, such as bets and holds, have nothing to be merged with.
    for states in _offered_together(decisions):
        options = dict.fromkeys(option for state in states for option in decisions[state][0])
        part = _part_of({state: decisions[state] for state in states}, names, follows)
        parts.append((tuple(options), part))
    return Card(tuple(parts))


MOST_LEARNT, MOST_STATES = 100, 10_000
"""The most lines of a learnt list, and the most states it is learnt from: more take seconds."""


FEW_WRONG = 0.15
"""The share of states in which a ranking may be wrong, and still be the better form."""


def _part_of(decisions: Best, names: Sequence[str], follows: Follows | None) -> Part:
    """The shorter form of a part of a card."""
    ranking = ranking_of(decisions)
    # A ranking that is wrong in few states is easier to read than any conditions.
    often_wrong = len(ranking.exceptions) > FEW_WRONG * len(decisions)
    if often_wrong and has_dice(decisions) and len(decisions) <= MOST_STATES:
        # A line with conditions takes longer to read than an exception.
        learnt = learn(decisions, names, min(MOST_LEARNT, ranking.size // 2))
        if learnt is not None:
            return learnt
    regions = _regions({state: good for state, (_, good) in decisions.items()}, names, follows)
    return regions if regions.size <= ranking.size else ranking


def _regions(
    best: Mapping[Any, frozenset[str]], names: Sequence[str], follows: Follows | None
) -> Regions:
    """The regions of a policy."""
    states = list(best)
    shape = Shape.of(states, names)
    apart = [shape.apart(state) for state in states]
    good = list(best.values())
    varies = [k for k in range(len(shape.paths)) if len({place[k] for place in apart}) > 1]
    axes = [k for k in varies if shape.numeric[k]]

    @cache
    def rows(axis: int | None) -> dict[tuple[Any, ...], Row]:
        others = tuple(k for k in varies if k != axis)
        row_by_place: dict[tuple[Any, ...], Row] = {}
        for place, allowed in zip(apart, good, strict=True):
            row = row_by_place.setdefault(tuple([place[k] for k in others]), {})
            row[None if axis is None else place[axis]] = allowed
        return row_by_place

    def runs(axis: int) -> int:
        return sum(len(runs_of(row)) for row in rows(axis).values())

    axis = axes[-1] if axes else None
    # A player reads along what changes from one choice to the next: the turn, not the score.
    if len(axes) > 1:
        moved = list(_moved(states, shape, best, follows)) if follows else []
        often = {k: sum(k in changed for changed in moved) for k in axes}
        tops = [k for k in axes if often[k] == max(often.values())]
        axis = min(reversed(tops), key=runs) if len(tops) > 1 else tops[0]
    others = tuple(k for k in varies if k != axis)
    numeric = [shape.numeric[k] for k in others]
    boxes = [
        Box(ranges, tuple(OptionRun(start, option) for start, option in named(runs_of(row))))
        for ranges, row in merged(rows(axis), numeric)
    ]
    values = [frozenset(place[k] for place in apart) for k in others]
    return Regions(shape, axis, others, boxes, values)


SAMPLE = 2_000


def _moved(
    states: Sequence[Any], shape: Shape, decisions: Mapping[Any, Any], follows: Follows
) -> Iterator[set[int]]:
    """The coordinates that change from one state to the next, in a sample."""
    for state in states[:: len(states) // SAMPLE + 1]:
        own = shape.apart(state)
        for then in follows(state):
            if then in decisions:
                following = shape.apart(then)
                yield {k for k, x in enumerate(own) if x != following[k]}


def _offered_together(decisions: Best) -> Iterable[list[Any]]:
    """The states in groups without common options."""
    parent: dict[str, str] = {}

    def root(option: str) -> str:
        while parent.setdefault(option, option) != option:
            parent[option] = option = parent[parent[option]]
        return option

    for menu in {menu: None for menu, _ in decisions.values()}:
        for option in menu[1:]:
            parent[root(option)] = root(menu[0])
    roots = {option: root(option) for option in tuple(parent)}
    groups: dict[str, list[Any]] = {}
    for state, (menu, _) in decisions.items():
        groups.setdefault(roots[menu[0]], []).append(state)
    return groups.values()


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
