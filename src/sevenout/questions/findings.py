"""Answers made of figures, each with a printed name and a key."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import inf, nextafter
from types import MappingProxyType
from typing import Any

from sevenout.documents import Block, Certified, Fact, Facts, Page, Shown, Text, prose
from sevenout.documents.kinds import Kind
from sevenout.documents.numbers import exactly


class Finding:
    """A figure of an answer.

    Attributes:
        key: its name in data; "" if only printed.
        name: its printed name; "" if not printed.
    """

    def __init__(self, key: str, name: str, value: Any, *kinds: Kind, note: str = "") -> None:
        self.key, self.name, self.value, self.note = key, name, value, note
        self.kinds = kinds


class Findings(Shown):
    """An answer of figures.

    >>> from sevenout.documents.kinds import FRACTION, PERCENT
    >>> found = Findings(Finding("probability", "longer", Fraction(1, 9), FRACTION, PERCENT))
    >>> print(found)
    longer   1/9   11.1111 %
    >>> found["probability"], found.to_dict()
    (Fraction(1, 9), {'probability': '1/9'})

    Args:
        figures: in printed order.
        before, after: blocks of the page around them.
    """

    def __init__(
        self, *figures: Finding, before: Iterable[Block] = (), after: Iterable[Block] = ()
    ) -> None:
        self.figures, self.before, self.after = figures, tuple(before), tuple(after)

    def __getitem__(self, key: str) -> Any:
        return next(each.value for each in self.figures if each.key == key)

    def page(self) -> Page:
        """The figures, one per line."""
        facts = [Fact(f.name, f.value, *f.kinds, note=f.note) for f in self.figures if f.name]
        return Page("", *self.before, *([Facts(*facts)] if facts else []), *self.after)

    def to_dict(self) -> dict[str, Any]:
        """As data: exact figures as strings, certified ones as a number and its bound."""
        return {each.key: datum(each.value) for each in self.figures if each.key}


class FigureValues:
    """The values of a question's figures, and what is printed around them.

    Attributes:
        values: by key; a figure without one has the value of the argument of its name.
        before: blocks above the figures.
        names: printed names that depend on the answer; "" leaves a figure out.
        notes: what is printed after a figure.
        more: further lines.
    """

    def __init__(
        self,
        values: Mapping[str, Any],
        sentence: str = "",
        *,
        before: Iterable[Block] = (),
        names: Mapping[str, str] = MappingProxyType({}),
        notes: Mapping[str, str] = MappingProxyType({}),
        more: Iterable[Finding] = (),
    ) -> None:
        self.values, self.names, self.notes, self.more = values, names, notes, tuple(more)
        self.before = (Text(sentence), *before) if sentence else tuple(before)


class LazyAnswer(Shown):
    """An answer whose page and data are made when needed.

    >>> print(LazyAnswer(lambda: Page("", *prose("Seven out.")), dict))
    Seven out.

    `text` is printed first, and `code` is the command's exit code. `results` are for additions by a
    face, such as a picture.
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
        """The text and the page."""
        body = self.body()
        return Page(body.title, *prose(self.text, "note"), *body.blocks) if self.text else body

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
            bound = value.bound + abs(value.value - Fraction(near))  # the error of the float
            return {"value": near, "bound": nextafter(float(bound), inf)}
        case Fraction():
            return exactly(value)
        case dict():
            return {str(key): datum(each) for key, each in value.items()}
        case list() | tuple():
            return [datum(each) for each in value]
    return value
