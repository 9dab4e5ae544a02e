"""What most questions are answered with: figures, each with its name in words and in data."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import inf, nextafter
from typing import Any

from sevenout.page import Block, Certified, Fact, Facts, Page, Shown, prose
from sevenout.page.kinds import Kind
from sevenout.page.numbers import exactly


class Finding:
    """A figure of an answer.

    Attributes:
        key: its name in data; "" for one that is only printed.
        name: its name in print; "" for one that is not printed.
        value: the figure.
        kinds: how it is printed.
        note: its convention.
    """

    def __init__(self, key: str, name: str, value: Any, *kinds: Kind, note: str = "") -> None:
        self.key, self.name, self.value, self.note = key, name, value, note
        self.kinds = kinds


class Findings(Shown):
    """An answer of figures.

    >>> from sevenout.page.kinds import FRACTION, PERCENT
    >>> found = Findings(Finding("probability", "longer", Fraction(1, 9), FRACTION, PERCENT))
    >>> print(found)
    longer   1/9   11.1111 %
    >>> found["probability"], found.to_dict()
    (Fraction(1, 9), {'probability': '1/9'})

    Args:
        figures: in the order in which they are printed.
        before, after: what the page says before and after them.
    """

    def __init__(
        self, *figures: Finding, before: Iterable[Block] = (), after: Iterable[Block] = ()
    ) -> None:
        self.figures, self.before, self.after = figures, tuple(before), tuple(after)

    def __getitem__(self, key: str) -> Any:
        return next(each.value for each in self.figures if each.key == key)

    def page(self) -> Page:
        """The figures, one under the other."""
        facts = [Fact(f.name, f.value, *f.kinds, note=f.note) for f in self.figures if f.name]
        return Page("", *self.before, *([Facts(*facts)] if facts else []), *self.after)

    def to_dict(self) -> dict[str, Any]:
        """As data: exact figures as texts, certified ones as a number and its bound."""
        return {each.key: datum(each.value) for each in self.figures if each.key}


class LazyAnswer(Shown):
    """An answer whose page and data are made when they are looked at.

    >>> print(LazyAnswer(lambda: Page("", *prose("Seven out.")), dict))
    Seven out.

    Args:
        page: makes what it says.
        data: makes the same as data.
        results: of which it tells, for what a face adds, such as a picture.
        text: what comes first, such as the rules in words.
        code: the exit code of its command.
        coloured: makes what a terminal prints in place of the page, in colour.
    """

    def __init__(
        self,
        page: Callable[[], Page],
        data: Callable[[], dict[str, Any]],
        *results: Any,
        text: str = "",
        code: int = 0,
        coloured: Callable[[], Any] | None = None,
    ) -> None:
        self.body, self._data, self.results = page, data, results
        self.text, self.code, self.coloured = text, code, coloured

    def page(self) -> Page:
        """The text, and what it says."""
        said = self.body()
        return Page(said.title, *prose(self.text, "note"), *said.blocks) if self.text else said

    def to_dict(self) -> dict[str, Any]:
        """As data."""
        return self._data()


def datum(value: Any) -> Any:
    """A figure as data.

    >>> datum(Fraction(1, 3)), datum({"seven out": Fraction(2, 3)}), datum(5)
    ('1/3', {'seven out': '2/3'}, 5)
    >>> datum(Certified(Fraction(1, 3), Fraction(1, 10**400)))["bound"] > 0
    True
    """
    match value:
        case Certified():
            near = float(value.value)
            bound = value.bound + abs(value.value - Fraction(near))  # what the float is off by
            return {"value": near, "bound": nextafter(float(bound), inf)}
        case Fraction():
            return exactly(value)
        case dict():
            return {str(key): datum(each) for key, each in value.items()}
        case list() | tuple():
            return [datum(each) for each in value]
    return value
