"""Counts of a log of any length in bounded memory: each line is understood once, then counted.

Lines repeat: most games are short. So a line that was met before is a number, and a block of lines
an array of numbers; what they hold is added up in NumPy. Dice are counted one by one, by pairs in
a throw, and by pairs in a row, also from the last roll of a line to the first of the next.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sevenout.dice import Law, Rollable
from sevenout.dice.throw import rolled_name
from sevenout.verify.book import said
from sevenout.verify.cells import Cells, Check, compare
from sevenout.verify.fit import chi_square, multinomial_test
from sevenout.verify.independence import FEW, counted_pairs, counted_runs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[Any]


class Flat:
    """Whole numbers by line: how often each comes, in lines that come so often.

    >>> flat = Flat()
    >>> flat.add([0, 2]), flat.add([2])
    (None, None)
    >>> flat.count([0, 1], [10, 5], 3).tolist()
    [10, 0, 15]
    """

    def __init__(self) -> None:
        self.items, self.ends = array("q"), array("q", [0])

    def add(self, items: Iterable[int]) -> None:
        """The numbers of the next line."""
        self.items.extend(items)
        self.ends.append(len(self.items))

    def count(self, lines: Any, times: Any, size: int) -> "Ints":
        """How often each number below `size` comes in some lines, each so many times."""
        import numpy as np

        ends = np.frombuffer(self.ends, np.int64)
        lines, times = np.asarray(lines, np.int64), np.asarray(times, np.int64)
        start = ends[lines]
        many = ends[lines + 1] - start
        if not len(self.items) or not many.sum():
            return np.zeros(size, np.int64)
        items = np.frombuffer(self.items, np.int64)
        index = np.repeat(start - (np.cumsum(many) - many), many) + np.arange(many.sum())
        weights = np.repeat(times, many)
        return np.bincount(items[index], weights, size).astype(np.int64)


class Series:
    """One die, or what is read of several: its faces as they came.

    Attributes:
        name: which die.
        law: how it should come up.
        faces: the faces, by their numbers.
        counts: how often each came.
        pairs: how often each pair came in a row: the earlier face in the row of the array.
    """

    def __init__(self, name: str, law: Law) -> None:
        import numpy as np

        self.name, self.law = name, law
        self.faces = tuple(law)
        k = len(self.faces)
        self.counts, self.pairs = np.zeros(k, np.int64), np.zeros(k * k, np.int64)

    @property
    def n(self) -> int:
        """How many faces were seen."""
        return int(self.counts.sum())

    @property
    def cells(self) -> Cells:
        """The counts beside the law."""
        return compare(dict(zip(self.faces, map(int, self.counts), strict=True)), self.law)

    def checks(self, seed: int) -> Iterator[tuple[str, Check]]:
        """Whether the faces are as frequent as they should be, and forget one another."""
        cells = self.cells
        few = min(cells.expected) < 5
        fit = multinomial_test(cells, seed=seed) if few else chi_square(cells)
        yield f"the shares of {self.name}", fit
        k = len(self.faces)
        if self.n < FEW or k < 2:
            return
        table = self.pairs.reshape(k, k)
        changes = int(table.sum() - table.trace())
        yield f"the runs of {self.name}", counted_runs(changes + 1, [int(c) for c in self.counts])
        joint = {(i, j): int(table[i, j]) for i in range(k) for j in range(k)}
        serial = counted_pairs(joint, name="serial pairs", seed=seed)
        yield f"the serial pairs of {self.name}", serial


class Stream:
    """All throws of the same dice, told in the same way: by faces, or by what is read of them."""

    def __init__(self, rollable: Rollable, read: bool, several: bool) -> None:
        self.rollable, self.read = rollable, read
        name = rolled_name(rollable)
        more = f" of {name}" if several else ""
        sources = [(name, rollable.law)] if read else []
        if not read:
            many = len(rollable.sources) > 1
            for i, source in enumerate(rollable.sources, 1):
                law = Law(dict(zip(source.faces, source.weights, strict=True)))
                sources.append((f"die {i}{more}" if many else f"the {name}", law))
        self.series = [Series(*each) for each in sources]
        self.texts = [{said(face): i for i, face in enumerate(s.faces)} for s in self.series]
        self.throws: dict[tuple[int, ...], int] = {}
        self.seen: Any = None
        self.last = -1
        self.forget()

    def forget(self) -> None:
        """Forget the lines, and keep what was counted."""
        self.numbers, self.follow = Flat(), Flat()
        self.pairs: dict[tuple[int, int], int] = {}
        self.ends = array("q"), array("q")

    def thrown(self, words: str) -> tuple[int, ...] | None:
        """The number of the face of each series that a text names; None if it does not."""
        parts = words.split(" ") if len(self.series) > 1 else [words]
        if len(parts) != len(self.series):
            return None
        found = [texts.get(part, -1) for part, texts in zip(parts, self.texts, strict=True)]
        return None if -1 in found else tuple(found)

    def number(self, faces: tuple[int, ...]) -> int:
        """The number of a throw."""
        return self.throws.setdefault(faces, len(self.throws))

    def add(self, numbers: Sequence[int]) -> None:
        """The throws of the next line, by their numbers."""
        pairs = self.pairs
        self.numbers.add(numbers)
        self.follow.add(pairs.setdefault(pair, len(pairs)) for pair in pairwise(numbers))
        self.ends[0].append(numbers[0] if numbers else -1)
        self.ends[1].append(numbers[-1] if numbers else -1)

    def count(self, codes: "Ints", lines: "Ints", times: "Ints") -> list["Ints"]:
        """Add up a block of lines; how often each face of each series came in it."""
        import numpy as np

        new = self.numbers.count(lines, times, len(self.throws))
        self.seen = (
            new if self.seen is None else new + np.pad(self.seen, (0, len(new) - len(self.seen)))
        )
        follow = self.follow.count(lines, times, len(self.pairs))
        earlier, later, linked = self._links(codes)
        if self.pairs:
            inner = np.array([*self.pairs], np.int64)
            earlier, later = np.append(earlier, inner[:, 0]), np.append(later, inner[:, 1])
            linked = np.append(linked, follow)
        faces = np.array([*self.throws], np.int64).reshape(-1, len(self.series))
        added = []
        for s, series in enumerate(self.series):
            k = len(series.faces)
            added.append(np.bincount(faces[:, s], new, k).astype(np.int64))
            series.counts += added[-1]
            if len(earlier):
                pairs = faces[earlier, s] * k + faces[later, s]
                series.pairs += np.bincount(pairs, linked, k * k).astype(np.int64)
        return added

    def _links(self, codes: "Ints") -> tuple["Ints", "Ints", "Ints"]:
        """The last throw of each line and the first of the next, each once."""
        import numpy as np

        first, last = (np.frombuffer(side, np.int64)[codes] for side in self.ends)
        here = first >= 0
        if not here.any():
            nothing = np.zeros(0, np.int64)
            return nothing, nothing, nothing
        before = np.concatenate(([self.last], last[here]))
        skip = int(self.last < 0)
        self.last = int(before[-1])
        earlier, later = before[skip:-1], first[here][skip:]
        return earlier, later, np.ones(len(later), np.int64)

    def checks(self, seed: int) -> Iterator[tuple[str, Check]]:
        """Each die, and each two that were thrown together."""
        for series in self.series:
            if series.n:
                yield from series.checks(seed)
        if len(self.series) > 1 and self.seen is not None and self.seen.sum() > 1:
            for i, one in enumerate(self.series):
                for j, other in enumerate(self.series[:i]):
                    joint: dict[tuple[int, int], int] = {}
                    for faces, times in zip(self.throws, self.seen, strict=True):
                        key = faces[j], faces[i]
                        joint[key] = joint.get(key, 0) + int(times)
                    yield (
                        f"the independence of {other.name} and {one.name}",
                        counted_pairs(joint, seed=seed),
                    )
