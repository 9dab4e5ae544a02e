"""All pairs of ranked dice with given totals, by maximal peelings, and their red numbers.

A grid of totals belongs to ranked dice exactly if it can be peeled: constant rows and columns are
removed until none is left. Removing *every* constant line at once makes the peeling unique up to
the order of rows and columns. See docs/explanation/dice-that-never-roll-7.md.

The red number is the sum of offsets on the faces, modulo the sides of a red die. It replaces the
red die in games that read the total and one die. With each total, every red number must be as
frequent as on the target dice.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import islice
from operator import itemgetter
from typing import Any, NamedTuple

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, shown
from sevenout.rolling.dice_sources import dice
from sevenout.rolling.die import Dice, Die
from sevenout.rolling.laws import Law
from sevenout.rolling.ranked import (
    Face,
    RedIsHalf,
    RedNumber,
    TotalAndRed,
    grid,
    higher_rank,
    leave_off,
    never_hard,
)
from sevenout.wrong_arguments import public

Grid = Sequence[Sequence[Any]]
MAX_TRIALS = 1_000_000
"""Maximum number of trials (some seconds)."""

MAX_TOTALS = 300
"""Maximum number of totals; the search recurses once for each."""


class Level(NamedTuple):
    """The constant lines that are peeled off together.

    Attributes:
        rows: the value of each row.
        columns: the value of each column.
    """

    rows: tuple[int, ...]
    columns: tuple[int, ...]


@dataclass(frozen=True)
class RankedPair:
    """Two ranked dice; the first chooses the row of a grid, the second the column.

    >>> pair = ranked_pairs("2d2")[0]
    >>> print(pair)
    d2{3^2,blank}+d2{2^1,4^1}

    Attributes:
        sides: the number of faces of each die.
        levels: the maximal peeling, outermost first.
        reds: the red offsets of the faces of each die; None without a red number.
        red_sides: the sides of the red die; 0 if there is none.
    """

    sides: tuple[int, int]
    levels: tuple[Level, ...]
    reds: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    red_sides: int = 0

    @cached_property
    def dice(self) -> Dice:
        """The dice, highest rank first on each."""
        faces: list[list[Face]] = [[], []]
        for rank, level in zip(range(len(self.levels), 0, -1), self.levels, strict=True):
            for die, values in zip(faces, level, strict=True):
                die += [Face(value, rank) for value in values]
        for die, n in zip(faces, self.sides, strict=True):
            die.extend([Face(None, 0)] * (n - len(die)))
        if self.reds is None:
            return Dice(map(Die, faces), total=higher_rank, hard=never_hard)
        for die, reds in zip(faces, self.reds, strict=True):
            die[:] = [Face(f.value, f.rank, red) for f, red in zip(die, reds, strict=True)]
        return Dice(map(Die, faces), higher_rank, RedIsHalf(RedNumber(self.red_sides)))

    @property
    def grid(self) -> tuple[tuple[Any, ...], ...]:
        """The totals, by face of the first die and of the second."""
        return grid(self.dice)

    @property
    def law(self) -> Law:
        """The exact distribution of the totals."""
        return self.dice.totals.law

    @cached_property
    def removable(self) -> tuple[int, ...]:
        """The totals that can be left off without changing the proportions of the others.

        >>> [pair.removable for pair in ranked_pairs("d2+d3")]
        [(3,), (3, 4), (4,)]
        """
        return tuple(total for total in self.law if self._can_lose(total))

    def _can_lose(self, total: int) -> bool:
        """Whether the other totals keep their proportions without the faces of this one."""
        others = {t: p for t, p in self.law.items() if t != total}
        return (
            bool(others)
            and leave_off(self.dice, total).totals.law.counts == Law.of_probabilities(others).counts
        )

    @cached_property
    def fragility(self) -> Fraction:
        """The mean chi-square distance per unit of variance of random faults, to second order.

        Equal to `fragility` of `sevenout.rolling.faults.Sensitivity`, but computed on the
        grid. Let n of the M cells show a total and m of these lie in one line. The result is the
        sum of m² / n over totals and lines, divided by M, less the sum of the squares of the
        faces' probabilities.
        """
        rows = self.grid
        cells_by_total = Counter(total for row in rows for total in row)
        squares_by_total: Counter[int] = Counter()
        for line in (*rows, *zip(*rows, strict=True)):
            for total, m in Counter(line).items():
                squares_by_total[total] += m * m
        r, c = self.sides
        squares = sum(
            (Fraction(squares_by_total[total], n) for total, n in cells_by_total.items()),
            Fraction(0),
        )
        return squares / (r * c) - Fraction(1, r) - Fraction(1, c)

    def exchanged(self) -> "RankedPair":
        """The pair with its dice exchanged."""
        levels = tuple(Level(level.columns, level.rows) for level in self.levels)
        pair = RankedPair(self.sides[::-1], levels)
        if self.reds is None:
            return pair
        return pair.with_red_number(self.reds[::-1], self.red_sides)

    def reflected(self) -> "RankedPair":
        """The pair with each total t repainted as least + greatest - t.

        A red number r becomes `red_sides` + 1 - r, as on the target's red die.
        """
        extremes = min(self.law) + max(self.law)
        levels = tuple(
            Level(*(tuple(extremes - value for value in reversed(line)) for line in level))
            for level in self.levels
        )
        pair = RankedPair(self.sides, levels)
        if self.reds is None:
            return pair
        # the red number is a sum modulo `red_sides`: 1 - r is 1 less one die, and less the other
        first = tuple(1 - red for red in self._reversed_in_levels(0))
        second = tuple(-red for red in self._reversed_in_levels(1))
        return pair.with_red_number((first, second), self.red_sides)

    def _reversed_in_levels(self, die: int) -> list[int]:
        """The red offsets of a die with the faces of each level reversed, as `reflected` does."""
        assert self.reds is not None
        faces = iter(self.reds[die])
        levels = [list(islice(faces, len(level[die]))) for level in self.levels]
        return [red for level in levels for red in reversed(level)] + list(faces)

    def with_red_number(
        self, reds: tuple[tuple[int, ...], tuple[int, ...]], red_sides: int
    ) -> "RankedPair":
        """The pair with a red number, whose first face inside out has the offset 0.

        Args:
            reds: the offsets of the faces of each die.
            red_sides: the sides of the red die.
        """
        die, face = _inside_out(self)[0]
        constant = reds[die][face]
        # a constant moved from one die to the other leaves the red number as it is
        shifts = (-constant, constant) if die == 0 else (constant, -constant)
        first, second = (
            tuple((red + shift) % red_sides for red in offsets)
            for offsets, shift in zip(reds, shifts, strict=True)
        )
        return replace(self, reds=(first, second), red_sides=red_sides)

    def __str__(self) -> str:
        return str(self.dice)


@public
def peel(totals: Grid) -> RankedPair | None:
    """The ranked dice of a grid of totals; None if it can't be peeled.

    >>> print(peel([[2, 3], [4, 3]])), peel([[2, 3], [3, 4]])
    d2{2^1,4^1}+d2{3^2,blank}
    (None, None)

    Raises:
        RulesError: no totals, or rows of different lengths.
    """
    if not totals or not totals[0]:
        raise RulesError(f"the grid {shown(totals)} has no totals; give a list of rows")
    lengths = list(map(len, totals))
    for number, length in enumerate(lengths, 1):
        if length != lengths[0]:
            raise RulesError(
                f"row {number} of the grid has {length} totals, and row 1 has {lengths[0]}; give "
                "each row as many"
            )
    rows, columns = list(range(len(totals))), list(range(lengths[0]))
    sides = len(rows), len(columns)
    levels = []
    while rows and columns:
        first_row, first_column = rows[0], columns[0]
        flat_rows = {
            row: totals[row][first_column]
            for row in rows
            if len({totals[row][column] for column in columns}) == 1
        }
        flat_columns = {
            column: totals[first_row][column]
            for column in columns
            if len({totals[row][column] for row in rows}) == 1
        }
        if not flat_rows and not flat_columns:
            return None
        levels.append(
            Level(tuple(sorted(flat_rows.values())), tuple(sorted(flat_columns.values())))
        )
        rows = [row for row in rows if row not in flat_rows]
        columns = [column for column in columns if column not in flat_columns]
    return RankedPair(sides, tuple(levels))


@public
def ranked_pairs(
    target: Dice | str,
    rows: int | None = None,
    columns: int | None = None,
    max_pairs: int = 20_000,
    max_trials: int = MAX_TRIALS,
) -> tuple[RankedPair, ...]:
    """Every pair of ranked dice with the totals of given dice, up to the faces' order.

    >>> len(ranked_pairs("2d6")), len(ranked_pairs("2d6", 4, 9))
    (162, 4)

    Args:
        target: dice with the required totals.
        rows: the sides of the first ranked die; default as the target's first.
        columns: the sides of the second; default as the target's second.
        max_pairs: maximum number of pairs.
        max_trials: maximum number of trials.

    Raises:
        RulesError: unknown sides, fewer than one side, or over `max_pairs` or `max_trials`.
    """
    target = dice(target)
    if rows is None or columns is None:
        if len(target) != 2:
            raise RulesError(
                f"{target} is {len(target)} dice, and a ranked pair has two; give the sides of "
                "the pair"
            )
        first, second = (len(die.faces) for die in target.dice)
        rows = first if rows is None else rows
        columns = second if columns is None else columns
    if rows < 1 or columns < 1:
        raise RulesError(f"ranked dice with {rows} and {columns} sides; give each one or more")
    if (totals := len(target.totals.law)) > MAX_TOTALS:
        raise RulesError(f"{totals:,} totals; ranked pairs can be found for up to {MAX_TOTALS}")
    afford(
        f"all ranked pairs on d{rows} and d{columns}",
        seconds=1e-6 * 4.0 ** min(rows, columns, 500),
        instead="give fewer sides",
    )
    # each cell of the grid is equally likely: totals come in whole cells, or not at all
    cells, remainder = divmod(rows * columns, target.totals.law.denominator)
    if remainder:
        return ()
    law = target.totals.law
    supply = {total: w * cells for total, w in zip(law, law.weights, strict=True)}
    trials = _Trials(max_trials)
    peelings = _peelings(rows, columns, dict(sorted(supply.items())), None, trials)
    pairs = tuple(RankedPair((rows, columns), levels) for levels in islice(peelings, max_pairs + 1))
    if len(pairs) > max_pairs:
        raise RulesError(
            f"d{rows} and d{columns} have more than {max_pairs:,} ranked pairs with the totals of "
            f"{target}; give fewer sides, or raise max_pairs"
        )
    return pairs


@dataclass
class _Trials:
    """The trials of a search, counted down.

    Attributes:
        remaining: the number of trials that may still be made.
    """

    remaining: int

    def count(self) -> None:
        """Count a trial.

        Raises:
            RulesError: none is left.
        """
        if not self.remaining:
            raise RulesError(
                "this grid has too many peelings to try them all; give fewer sides, or raise "
                "max_trials"
            )
        self.remaining -= 1


def _peelings(
    rows: int, columns: int, supply: dict[int, int], outer: Level | None, trials: _Trials
) -> Iterator[tuple[Level, ...]]:
    """The maximal peelings of a block with `supply` cells of each value, below a level."""
    if not rows or not columns:
        yield ()
        return
    for level in _possible_levels(rows, columns, supply):
        trials.count()
        # a line that was constant before belongs to the level above: each pair is found once
        if outer is not None and not _is_new(level, outer):
            continue
        used = _cells_used(level, rows, columns)
        remaining = {v: n - used[v] for v, n in supply.items() if n > used[v]}
        inner_rows, inner_columns = rows - len(level.rows), columns - len(level.columns)
        for rest in _peelings(inner_rows, inner_columns, remaining, level, trials):
            yield (level, *rest)


def _is_new(level: Level, outer: Level) -> bool:
    """Whether no line of a level was constant before the level above was removed."""

    def was_hidden(lines: tuple[int, ...], crossed: tuple[int, ...]) -> bool:
        """Whether the lines crossed a line of another value."""
        return all(set(crossed) - {value} for value in lines)

    return was_hidden(level.rows, outer.columns) and was_hidden(level.columns, outer.rows)


def _cells_used(level: Level, rows: int, columns: int) -> Counter[int]:
    """The cells of each value in the lines of a level; where two lines cross, one cell."""
    used: Counter[int] = Counter()
    for value in level.rows:
        used[value] += columns
    for value in level.columns:
        used[value] += rows - len(level.rows)
    return used


def _possible_levels(rows: int, columns: int, supply: Mapping[int, int]) -> Iterator[Level]:
    """All possible sets of constant lines of a block, within the supply."""
    for value, cells in supply.items():  # rows and columns that cross have one value
        if cells == rows * columns:
            yield Level((value,) * rows, (value,) * columns)
        for flat_rows in range(1, min(rows, cells // columns + 1)):
            for flat_columns in range(1, columns):
                if flat_rows * columns + flat_columns * (rows - flat_rows) <= cells:
                    yield Level((value,) * flat_rows, (value,) * flat_columns)
    # a single line: every line across it is constant by itself
    if 1 in (rows, columns):
        if len(supply) > 1:
            every = tuple(value for value, cells in supply.items() for _ in range(cells))
            yield Level(every, ()) if columns == 1 else Level((), every)
        return
    # Rows alone leave no constant rows behind: a column comes next, unless none is left.
    longest = max(supply.values())
    for values in _some_lines(tuple(supply.items()), rows, columns, rows - longest):
        if len(values) < rows or len(set(values)) > 1:
            yield Level(values, ())
    for values in _some_lines(tuple(supply.items()), columns, rows, columns - longest):
        if len(values) < columns or len(set(values)) > 1:
            yield Level((), values)


def _some_lines(
    supply: tuple[tuple[int, int], ...], max_lines: int, length: int, min_lines: int
) -> Iterator[tuple[int, ...]]:
    """Every non-empty choice of `min_lines` to `max_lines` lines of the given length."""
    if not supply or not max_lines or sum(cells // length for _, cells in supply) < min_lines:
        return
    (value, cells), *others = supply
    for count in range(min(max_lines, cells // length), -1, -1):
        if count and count >= min_lines:
            yield (value,) * count
        for rest in _some_lines(tuple(others), max_lines - count, length, min_lines - count):
            yield (value,) * count + rest


@public
def pair_classes(pairs: Sequence[RankedPair], *, reflect: bool = False) -> tuple[RankedPair, ...]:
    """One pair of each class; exchanging the two dice keeps the class.

    >>> pairs = ranked_pairs("2d6")
    >>> len(pair_classes(pairs)), len(pair_classes(pairs, reflect=True))
    (81, 41)

    Args:
        pairs: ranked pairs.
        reflect: whether repainting t as least + greatest - t keeps the class too.
    """
    seen: set[RankedPair] = set()
    first = []
    for pair in pairs:
        if pair not in seen:
            first.append(pair)
            images = [pair, pair.reflected()] if reflect else [pair]
            seen.update(images)
            seen.update(image.exchanged() for image in images)
    return tuple(first)


@public
def best_pair(pairs: Sequence[RankedPair], without: int | None = None) -> RankedPair:
    """The pair of least fragility from which `without` can be left off; among equals, the first.

    If every total has one face, as in all pairs for 2d6, the fragilities are equal.

    >>> pairs = ranked_pairs("2d2", 4, 4)
    >>> len(pairs), str(max(pair.fragility for pair in pairs)), str(best_pair(pairs).fragility)
    (38, '1/2', '11/32')

    Raises:
        RulesError: no such pair.
    """
    candidates = [pair for pair in pairs if without is None or without in pair.removable]
    if not candidates:
        condition = "" if without is None else f" that can lose {without}"
        raise RulesError(
            f"none of {len(pairs)} ranked pairs{condition}; ask for other totals or sides"
        )
    return min(candidates, key=lambda pair: pair.fragility)


FaceIndex = tuple[int, int]
"""A face: the index of its die (0 or 1), and its index on it."""


@public
def red_numbers(pair: RankedPair, target: Dice | str, red: int = 0) -> Iterator[RankedPair]:
    """Every way to add a red number, up to a constant moved from one die to the other.

    >>> from sevenout.rolling.peeling import ranked_pairs
    >>> {len(list(red_numbers(pair, "2d6"))) for pair in ranked_pairs("2d6")}
    {6}

    Args:
        pair: ranked dice with the totals of the target.
        target: the dice that they stand for.
        red: the index of the target's red die, from 0; it must be numbered from 1 up.

    Raises:
        RulesError: there is no such die, it is not numbered from 1 up, or the totals differ.
    """
    target = dice(target)
    if not 0 <= red < len(target):
        raise RulesError(f"{target} has no die {red}; its dice are 0 to {len(target) - 1}")
    sides = len(target.dice[red].faces)
    if target.dice[red] != Die.standard(sides):
        raise RulesError(f"the red die is {target.dice[red]}; it must be a d{sides}")
    if target.totals.law != pair.law:
        raise RulesError(f"the totals of {pair} are not those of {target}")
    target_law = target.read(TotalAndRed(itemgetter(red))).law
    cells = pair.sides[0] * pair.sides[1]
    if cells % target_law.denominator:
        return
    scale = cells // target_law.denominator
    supply = Counter(
        {
            (total, number % sides): w * scale
            for (total, number), w in zip(target_law, target_law.weights, strict=True)
        }
    )
    for red_of in _assign(pair, _inside_out(pair), supply, sides):
        first, second = (
            tuple(red_of[die, face] for face in range(faces))
            for die, faces in enumerate(pair.sides)
        )
        yield replace(pair, reds=(first, second), red_sides=sides)


@public
def red_number(pair: RankedPair, target: Dice | str, red: int = 0) -> RankedPair | None:
    """The pair with a red number; None if there is none. Arguments as for `red_numbers`.

    >>> from sevenout.rolling.peeling import ranked_pairs
    >>> red_number(ranked_pairs("2d6")[0], "2d6").dice.law.p(lambda roll: roll.hard)
    Fraction(1, 6)
    """
    return next(red_numbers(pair, target, red), None)


def _inside_out(pair: RankedPair) -> list[FaceIndex]:
    """The faces by ascending rank: the fewest cells, so the fewest choices, come first."""
    ranked = (
        (face.rank, -index, face_index, index)
        for index, die in enumerate(pair.dice.dice)
        for face_index, face in enumerate(die.faces)
    )
    return [(index, face_index) for _, _, face_index, index in sorted(ranked)]


def _assign(
    pair: RankedPair, order: list[FaceIndex], supply: Counter[tuple[int, int]], sides: int
) -> Iterator[dict[FaceIndex, int]]:
    """Depth-first: each face takes an offset, and its cells their (total, red) from the supply."""
    totals = pair.grid
    reds: dict[FaceIndex, int] = {}

    def take_cells(die: int, face: int, red: int) -> list[tuple[int, int]] | None:
        """Take the cells of a face with this offset from the supply; None if it lacks one."""
        used: list[tuple[int, int]] = []
        for (crossing_die, crossing_face), offset in reds.items():
            if crossing_die != die:
                row, column = (face, crossing_face) if die == 0 else (crossing_face, face)
                total = totals[row][column]
                cell = total, (red + offset) % sides
                supply[cell] -= 1
                used.append(cell)
                if supply[cell] < 0:
                    supply.update(used)
                    return None
        return used

    def search(depth: int) -> Iterator[dict[FaceIndex, int]]:
        """Every assignment of offsets to the faces from this one on."""
        if depth == len(order):
            yield dict(reds)
            return
        face = order[depth]
        # the first offset is 0: a constant may be moved from one die to the other
        for red in range(sides) if depth else range(1):
            used = take_cells(*face, red)
            if used is not None:
                reds[face] = red
                yield from search(depth + 1)
                del reds[face]
                supply.update(used)

    return search(0)
