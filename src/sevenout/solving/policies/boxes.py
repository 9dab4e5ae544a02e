"""States as coordinates, and groups of states as boxes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

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
