"""Strategy cards: a policy in a few lines (see docs/explanation/optimal-play.md).

A part of a card is either regions or a ranking with exceptions, the shorter of the two. Regions are
runs of options along one coordinate of the states; a ranking helps if menus differ by state. States
with disjoint sets of options have separate parts. Both forms are greedy but exact: the card gives
an optimal option in every state. Ties are resolved to shorten the card.

*Coordinates.* A `Shape` takes states apart into coordinates, so that a region is a box of values.

*Pages* are tables of regions, lists of options, exceptions and ties. A card leaves out states that
optimal play doesn't reach, but a table needs whole lines: `lines_of` fills them in.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from sevenout.documents import Block, Column, Table, Text
from sevenout.documents.kinds import DECIMAL, LABEL
from sevenout.documents.numbers import amount, many
from sevenout.errors import RulesError, shown
from sevenout.model import state_name
from sevenout.solving.best_play import with_bound

if TYPE_CHECKING:
    from sevenout.solving.optimal_play import Optimum

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


Best = Mapping[Any, tuple[tuple[str, ...], frozenset[str]]]
"""For each state: the options, and the optimal ones."""

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
    decisions = {state: entry for state, entry in best.items() if len(entry[0]) > 1}
    parts = []
    # Choices of different kinds, such as bets and holds, have nothing to be merged with.
    for states in _offered_together(decisions):
        regions = _regions({state: decisions[state][1] for state in states}, names, follows)
        ranking = ranking_of({state: decisions[state] for state in states})
        short: Part = regions if regions.size <= ranking.size else ranking
        options = dict.fromkeys(option for state in states for option in decisions[state][0])
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


def ranking_of(decisions: Best) -> OptionRanking:
    """A list of options from the best down; next comes the option that is wrong least often.

    It is counted in the states that offer none of the options before it. Ties go to the option that
    is right most often.
    """
    order = list(decisions)
    alike: dict[Any, list[int]] = {}  # states with the same menu and optimal options
    for place, kind in enumerate(decisions.values()):
        alike.setdefault(kind, []).append(place)
    exceptions: dict[Any, str] = {}
    menus_with: dict[str, list[Any]] = {}
    wrong: dict[str, int] = {}
    right: dict[str, int] = {}
    for kind, places in alike.items():
        menu, good = kind
        for option in menu:
            menus_with.setdefault(option, []).append(kind)
            count = right if option in good else wrong
            count[option] = count.get(option, 0) + len(places)
    listed: list[str] = []
    left = dict.fromkeys(menus_with)
    while left:
        # Greedy: an exception is a line, and a wrong option costs one for each state.
        option = min(left, key=lambda o: (wrong.get(o, 0), -right.get(o, 0)))
        del left[option]
        listed.append(option)
        corrected: list[tuple[int, str]] = []
        for kind in menus_with[option]:
            places = alike.pop(kind, [])
            menu, good = kind
            if option not in good:
                best = next(o for o in menu if o in good)
                corrected += [(place, best) for place in places]
            for other in menu:
                (right if other in good else wrong)[other] -= len(places)
        exceptions |= {order[place]: best for place, best in sorted(corrected)}
    return OptionRanking(tuple(listed), exceptions)


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
        text = Text(f"{head}{part.options[0]}, {always}.")
        but = [(optimum.said(s), did) for s, did in part.exceptions.items()]
        return [text, _cut(but, "but")] if but else [text]
    if not part.others:
        axis = part.axis
        name = part.shape.names[axis] if axis is not None else ""
        words = runs_in_words(part.boxes[0].runs, name)
        return [Text(f"{head}{name + ': ' if name and name != ROLLED else ''}{words}.")]
    names = [part.shape.names[k] or "state" for k in part.others]
    numeric = [part.shape.numeric[k] for k in part.others]
    axis_name = part.shape.names[part.axis] if part.axis is not None else ""
    # A long list of numbers is a table of tens, or a slice at round numbers.
    if len(part.boxes) > MOST_LINES and all(numeric) and part.axis is not None:
        if len(numeric) == 1 and _whole(part):
            return [_by_tens(part, names[0], axis_name, head)]
        if len(numeric) == 2:
            return [_sliced(part, axis_name, head, optimum)]
    rows = [
        [*map(_range, box.ranges, numeric, part.values), runs_in_words(box.runs, axis_name)]
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


def _range(values: tuple[Any, ...], numeric: bool, occurring: Collection[Any]) -> str:
    """Values in words, without numbers that never occur.

    >>> _range((4, 10), True, {4, 5, 6, 8, 9, 10}), _range((0, 20), True, {0, 5, 10, 15, 20})
    ('4–6, 8–10', '0–20')
    """
    if not numeric:
        return ", ".join(map(state_name, values[:6])) + (", …" if len(values) > 6 else "")
    inside = sorted(x for x in occurring if values[0] <= x <= values[-1])
    starts = [i for i in range(1, len(inside)) if inside[i] - inside[i - 1] > 1]
    # Tens, or even numbers, are one range to a reader, although each leaves gaps.
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
        return runs_in_words(box.runs)
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
    return runs_in_words(box.runs)


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
            [optimum.said(state), did, listed, with_bound(cost, 2 * optimum.bound_at(state))]
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
    tied = [s for s in optimum.ties if s in optimum.reachable_states]
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
    nodes, menus, axis = optimum.model.asked, set(part.options), part.axis or 0
    lines: dict[Any, list[Any]] = {}
    for state, node in nodes.items():
        apart = part.shape.apart(state)
        place = tuple([apart[k] for k in part.others])
        if place in places and menus.issuperset(optimum.model.menus[node]):
            lines.setdefault(place, []).append(state)
    listed: list[Any] = []
    for line in lines.values():
        reachable = [state for state in line if state in optimum.reachable_states]
        least = min(line, key=lambda state: part.shape.apart(state)[axis])
        listed += reachable or _onward(least, set(line), optimum)
    for _, regions in optimum.card_of(listed).parts:
        if isinstance(regions, Regions) and (regions.axis, regions.others) == (
            part.axis,
            part.others,
        ):
            return regions
    return part


def _onward(start: Any, line: set[Any], optimum: "Optimum") -> Iterator[Any]:
    """The states of a line that are reachable from its first."""
    queue = [start]
    for state in queue:  # grows during the loop
        yield state
        for then in optimum.next_decisions(state, best=True):
            if then in line:
                line.discard(then)
                queue.append(then)
