"""Strategy cards: a policy in a few lines (see docs/explanation/optimal-play.md).

A part of a card is either regions or a ranking with exceptions, the shorter of the two. Regions are
runs of options along one coordinate of the states; a ranking helps if menus differ by state. States
with disjoint sets of options have separate parts. Both forms are greedy but exact: the card gives
an optimal option in every state. Ties are resolved to shorten the card.

*Coordinates.* A `Shape` takes states apart into coordinates, so that a region is a box of values.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from sevenout.errors import RulesError, shown

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
    return step if isinstance(step, str) else _ordinal(step)


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
            own = getattr(kind, "_fields", None) or [_ordinal(i) for i in range(len(first))]
            parts = list(enumerate(own))
    elif is_dataclass(kind) and all(type(x) is kind for x in column):
        parts = [(field.name, field.name) for field in fields(kind)]
    if not parts:
        yield path, name, all(map(_is_number, column))
    for step, own_name in parts:
        inner = [_at(x, (step,)) for x in column]
        below = f"{name}.{own_name}" if name else own_name
        yield from _leaves(inner, (*path, step), below)


def _is_number(x: Any) -> bool:
    return isinstance(x, int | Fraction) and not isinstance(x, bool)


def _ordinal(i: int) -> str:
    return f"{i + 1}{('st', 'nd', 'rd')[i] if i < 3 else 'th'}"


def runs_of(row: Row) -> list[tuple[Any, frozenset[str]]]:
    """The fewest runs of a row: the start of each, and the options optimal throughout it."""
    found: list[tuple[Any, frozenset[str]]] = []
    for value in sorted(row) if len(row) > 1 else row:
        both = found[-1][1] & row[value] if found else None
        if both:
            found[-1] = (found[-1][0], both)
        else:
            found.append((value, row[value]))
    return found


def named(runs: list[tuple[Any, frozenset[str]]]) -> Iterator[tuple[Any, str]]:
    """One option for each run; if possible, that of the run before the last."""
    before: list[str] = []
    for start, options in runs:
        option = before[-2] if before[-2:-1] and before[-2] in options else min(options)
        before.append(option)
        yield start, option


def _together(one: Row, other: Row) -> Row | None:
    """Both rows merged, if that takes no more runs than the longer one."""
    union = dict(one)
    for value, options in other.items():
        both = union[value] & options if value in union else options
        if not both:
            return None
        union[value] = both
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
            for at in range(max(len(boxes) - 1, 0) if numeric[0] else 0, len(boxes)):
                own, so_far, above = boxes[at]
                both = _together(above, row) if not numeric[0] or own[-1] == before else None
                if both is not None:
                    boxes[at] = ([*own, value], _hull(so_far, rest, numeric[1:]), both)
                    break
            else:
                boxes.append(([value], rest, row))
        before = value
    found = [
        (((own[0], own[-1]) if numeric[0] else tuple(own), *rest), row)
        for boxes in grown.values()
        for own, rest, row in boxes
    ]
    return sorted(found, key=lambda box: _order(box[0], numeric))


def _hull(one: Ranges, other: Ranges, numeric: Sequence[bool]) -> Ranges:
    """The least ranges that contain both."""
    return tuple(
        (min(a[0], b[0]), max(a[-1], b[-1])) if number else tuple(dict.fromkeys(a + b))
        for a, b, number in zip(one, other, numeric, strict=True)
    )


def _order(ranges: Ranges, numeric: Sequence[bool]) -> tuple[Any, ...]:
    return tuple(values[0] for values, number in zip(ranges, numeric, strict=True) if number)


Best = Mapping[Any, tuple[tuple[str, ...], frozenset[str]]]
"""For each state: the options, and the optimal ones."""

Follows = Callable[[Any], Iterable[Any]]
"""The possible next decision states of the same player."""


class OptionRun(NamedTuple):
    """An option, from a value of the axis to the next run."""

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


class OptionRanking:
    """A part of a card: take the first offered option of a list, with exceptions.

    Attributes:
        options: the best first.
        exceptions: the optimal option, by state, where the list is wrong.
    """

    def __init__(self, options: tuple[str, ...], exceptions: Mapping[Any, str]) -> None:
        self.options, self.exceptions = options, dict(exceptions)
        self._rank = {option: i for i, option in enumerate(options)}

    @property
    def size(self) -> int:
        """The number of lines."""
        return 1 + len(self.exceptions)

    def first(self, menu: tuple[str, ...]) -> str:
        """The first offered option of the list, without exceptions."""
        return min(menu, key=lambda option: self._rank.get(option, len(self._rank)))

    def read(self, state: Any, menu: tuple[str, ...]) -> str | None:
        """The card's option in a state, or None."""
        return self.exceptions.get(state) or self.first(menu)


Part = Regions | OptionRanking


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

    def read(self, state: Any, menu: tuple[str, ...]) -> str:
        """The card's option in a state, from its menu.

        Raises:
            RulesError: the state is not on the card.
        """
        if len(menu) == 1:
            return menu[0]
        part = self._part.get(menu[0])
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
    asked = {state: given for state, given in best.items() if len(given[0]) > 1}
    parts = []
    for states in _offered_together(asked):
        regions = _regions({state: asked[state][1] for state in states}, names, follows)
        ranking = ranking_of({state: asked[state] for state in states})
        short: Part = regions if regions.size <= ranking.size else ranking
        options = dict.fromkeys(option for state in states for option in asked[state][0])
        parts.append((tuple(options), short))
    return Card(tuple(parts))


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

    def rows(axis: int | None) -> dict[tuple[Any, ...], Row]:
        others = tuple(k for k in varies if k != axis)
        found: dict[tuple[Any, ...], Row] = {}
        for place, allowed in zip(apart, good, strict=True):
            row = found.setdefault(tuple([place[k] for k in others]), {})
            row[None if axis is None else place[axis]] = allowed
        return found

    def runs(axis: int) -> int:
        return sum(len(runs_of(row)) for row in rows(axis).values())

    axis = axes[-1] if axes else None
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
    states: Sequence[Any], shape: Shape, known: Mapping[Any, Any], follows: Follows
) -> Iterator[set[int]]:
    """The coordinates that change from one state to the next, in a sample."""
    for state in states[:: len(states) // SAMPLE + 1]:
        here = shape.apart(state)
        for then in follows(state):
            if then in known:
                there = shape.apart(then)
                yield {k for k, x in enumerate(here) if x != there[k]}


def ranking_of(asked: Best) -> OptionRanking:
    """A list of options from the best down; next comes the option that is wrong least often.

    It is counted in the states that offer none of the options before it. Ties go to the option that
    is right most often.
    """
    order = list(asked)
    alike: dict[Any, list[int]] = {}  # states with the same menu and optimal options
    for place, given in enumerate(asked.values()):
        alike.setdefault(given, []).append(place)
    exceptions: dict[Any, str] = {}
    where: dict[str, list[Any]] = {}
    wrong: dict[str, int] = {}
    right: dict[str, int] = {}
    for given, places in alike.items():
        menu, good = given
        for option in menu:
            where.setdefault(option, []).append(given)
            count = right if option in good else wrong
            count[option] = count.get(option, 0) + len(places)
    listed: list[str] = []
    left = dict.fromkeys(where)
    while left:
        option = min(left, key=lambda o: (wrong.get(o, 0), -right.get(o, 0)))
        del left[option]
        listed.append(option)
        corrected: list[tuple[int, str]] = []
        for given in where[option]:
            places = alike.pop(given, [])
            menu, good = given
            if option not in good:
                best = next(o for o in menu if o in good)
                corrected += [(place, best) for place in places]
            for other in menu:
                (right if other in good else wrong)[other] -= len(places)
        exceptions |= {order[place]: best for place, best in sorted(corrected)}
    return OptionRanking(tuple(listed), exceptions)


def _offered_together(asked: Best) -> Iterable[list[Any]]:
    """The states in groups without common options."""
    parent: dict[str, str] = {}

    def root(option: str) -> str:
        while parent.setdefault(option, option) != option:
            parent[option] = option = parent[parent[option]]
        return option

    for menu in {menu: None for menu, _ in asked.values()}:
        for option in menu[1:]:
            parent[root(option)] = root(menu[0])
    roots = {option: root(option) for option in tuple(parent)}
    groups: dict[str, list[Any]] = {}
    for state, (menu, _) in asked.items():
        groups.setdefault(roots[menu[0]], []).append(state)
    return groups.values()
