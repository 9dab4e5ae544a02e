"""The dice of a log, counted in bounded memory.

Counts are kept by die, by pair in a throw, and by successive pair, also across lines.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sevenout.rolling import Law, Rollable
from sevenout.rolling.throw import rolled_name
from sevenout.verify.dicetests.detectable import Plan, of_cells, of_faces, of_runs
from sevenout.verify.dicetests.fit import chi_square, multinomial_test
from sevenout.verify.dicetests.independence import counted_pairs, in_order
from sevenout.verify.dicetests.observed_counts import Cells, Check, compare
from sevenout.verify.logs.book import said

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[Any]


class Series:
    """The faces of one die, or a reading of several.

    Attributes:
        law: the expected distribution.
        pairs: counts of successive pairs; the earlier face is the row.
    """

    def __init__(self, name: str, law: Law) -> None:
        import numpy as np

        self.name, self.law = name, law
        self.faces = tuple(law)
        k = len(self.faces)
        self.counts, self.pairs = np.zeros(k, np.int64), np.zeros(k * k, np.int64)

    @property
    def n(self) -> int:
        """The number of faces counted."""
        return int(self.counts.sum())

    @property
    def cells(self) -> Cells:
        """The counts beside the distribution."""
        return compare(dict(zip(self.faces, map(int, self.counts), strict=True)), self.law)

    def checks(self, seed: int) -> Iterator[tuple[str, Check]]:
        """The tests of fit and of independence in order."""
        cells = self.cells
        few = min(cells.expected) < 5
        fit = multinomial_test(cells, seed=seed) if few else chi_square(cells)
        yield f"the shares of {self.name}", fit
        k = len(self.faces)
        joint = {divmod(pair, k): int(n) for pair, n in enumerate(self.pairs)}
        for check in in_order(dict(enumerate(map(int, self.counts))), joint, seed):
            yield f"the {check.name} of {self.name}", check

    def plans(self) -> Iterator[tuple[str, Plan]]:
        """How to find the least detectable fault of each test."""
        yield f"the shares of {self.name}", of_faces(self.law, self.n)
        yield f"the runs of {self.name}", of_runs(self.law, self.n)
        yield f"the serial pairs of {self.name}", of_cells((len(self.law) - 1) ** 2, self.n)


class Stream:
    """All throws of the same dice, given in the same way: by faces, or by a reading."""

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
        self.last: Any = None

    def thrown(self, words: str) -> tuple[int, ...] | None:
        """The number of each series' face in a text; None if there is none."""
        parts = words.split(" ") if len(self.series) > 1 else [words]
        if len(parts) != len(self.series):
            return None
        found = [texts.get(part, -1) for part, texts in zip(parts, self.texts, strict=True)]
        return None if -1 in found else tuple(found)

    def number(self, faces: tuple[int, ...]) -> int:
        """The number of a throw."""
        return self.throws.setdefault(faces, len(self.throws))

    def count(self, throws: "Ints") -> list["Ints"]:
        """Count throws given by number; return the counts of each face by series."""
        import numpy as np

        new = np.bincount(throws, minlength=len(self.throws))
        if self.seen is not None:
            new[: len(self.seen)] += self.seen
        self.seen = new
        row = throws if self.last is None else np.append(self.last, throws)
        self.last = row[-1:]
        faces = np.array([*self.throws], np.int64).reshape(-1, len(self.series))
        added = []
        for series, came in zip(self.series, faces.T, strict=True):
            k = len(series.faces)
            said = came[row]
            added.append(np.bincount(said[len(row) - len(throws) :], minlength=k))
            series.counts += added[-1]
            series.pairs += np.bincount(said[:-1] * k + said[1:], minlength=k * k)
        return added

    def plans(self) -> Iterator[tuple[str, Plan]]:
        """How to find the least detectable fault of each test."""
        for i, one in enumerate(self.series if self.seen is not None else ()):
            yield from one.plans()
            for other in self.series[:i]:
                df = (len(one.law) - 1) * (len(other.law) - 1)
                yield f"the independence of {other.name} and {one.name}", of_cells(df, one.n)

    def checks(self, seed: int) -> Iterator[tuple[str, Check]]:
        """The tests of each die, and of each pair thrown together."""
        for series in self.series:
            if series.n:
                yield from series.checks(seed)
        if len(self.series) > 1 and self.seen is not None and self.seen.sum() > 1:
            for i, one in enumerate(self.series):
                for j, other in enumerate(self.series[:i]):
                    joint: dict[tuple[int, int], int] = {}
                    for faces, times in sorted(zip(self.throws, self.seen, strict=True)):
                        key = faces[j], faces[i]
                        joint[key] = joint.get(key, 0) + int(times)
                    yield (
                        f"the independence of {other.name} and {one.name}",
                        counted_pairs(joint, seed=seed),
                    )
