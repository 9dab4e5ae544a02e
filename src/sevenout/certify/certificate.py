"""A certificate: the game in integers, the claims, and values and ranks that prove them.

One JSON object per line: a header, then each state. The format is specified in
docs/reference/certificate-format.md and checked by `check.py`.
"""

import gzip
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from sevenout.certify import check
from sevenout.certify.body import header_of, model_lines, one_line, rows_of, rules_line
from sevenout.certify.claim import Claim, text
from sevenout.files import draft
from sevenout.model import Model, state_name

VERSION = 3
"""The version of the format."""
AWARD_DIGITS = 12
"""Decimals of a mean profit with an award; the fraction has thousands of digits."""


class Proved(NamedTuple):
    """A claim with its proof.

    Attributes:
        columns: for each term, the value of each state: fractions, or integers over the scale.
    """

    claim: Claim
    columns: tuple[Sequence[Any], ...]

    def long_run(self, body: Model) -> Fraction | None:
        """The mean profit with an award; None if the checker refuses its length."""
        program: Any = check
        starts = (column[0] for column in self.columns)
        try:
            return Fraction(
                program.with_award(self.claim.said, body.stake(self.claim.name), *starts)
            )
        except ValueError:
            return None


class ProofFile(ABC):
    """A file for `check.py`, with one JSON object per line."""

    @abstractmethod
    def data(self) -> Iterator[dict[str, Any]]:
        """The content of each line."""

    def lines(self) -> Iterator[bytes]:
        """The lines of the file, with line ends."""
        for data in self.data():
            yield one_line(data) + b"\n"

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the uncompressed file in hexadecimal, as `sha256sum` prints it."""
        digest = sha256()
        for line in self.lines():
            digest.update(line)
        return digest.hexdigest()

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write the file in one step, compressed if its name ends in .gz.

        Raises:
            FileError: the file can't be written; an older one is kept.
        """
        with draft(path) as place:
            if str(path).endswith(".gz"):
                with open(place, "wb") as raw, gzip.GzipFile("", "wb", 6, raw, 0) as packed:
                    packed.writelines(self.lines())
            else:
                with open(place, "wb") as file:
                    file.writelines(self.lines())
        return Path(path)


@dataclass(frozen=True, eq=False)
class Certificate(ProofFile):
    """The input of `check.py`, made by `Solution.certificate` and `Optimum.certificate`.

    Attributes:
        ranks: of each state, falling on the way to the end.
        scale: values are integers over this; 1 if they are fractions.
        residual: the most by which a value misses its equation, over the scale.
        one: the mean fall of a rank per move; None if only some result lowers it.
        picks: the best option of each decision state.
        senses: by decision state, 1 to maximize and -1 to minimize.
        always: whether the game ends under every policy.
        rules: the declaration that the checker expands into the body; None for a program.
        policy: the options picked, in the order in which decision states are met.
    """

    game: str
    body: Model
    proved: tuple[Proved, ...]
    ranks: Sequence[int]
    scale: int = 1
    residual: int = 0
    one: int | None = None
    picks: Mapping[int, int] = field(default_factory=dict)
    senses: Sequence[int] = ()
    always: bool = True
    rules: Mapping[str, Any] | None = None
    policy: Sequence[str] = ()
    text: str = ""

    def stating(self, text: str) -> "Certificate":
        """The same with a declaration's text, if it ends with the hash of these rules or states."""
        if not text:
            return self
        end = model_lines(self.body) if self.rules is None else rules_line(self.rules)
        return replace(self, text=text) if text.endswith("\n" + end) else self

    @property
    def header(self) -> dict[str, Any]:
        """The first line."""
        body = self.body
        within = self._within()
        claims = []
        for each in self.proved:
            claim, columns = each
            starts = [self._said(column[0]) for column in columns]
            value: dict[str, Any] = {"first": starts} if claim.of == "law" else {"value": starts[0]}
            value |= {"within": within}
            if claim.parts and (found := each.long_run(body)) is not None:
                units = int(found * 10**AWARD_DIGITS // 1)
                value = {"value": _decimals(units, AWARD_DIGITS), "within": f"1e-{AWARD_DIGITS}"}
            claims.append({"of": claim.of, "name": claim.name, **claim.said, **value})
        return {
            "format": "sevenout certificate",
            "version": VERSION,
            "game": self.game,
            "states": len(body.states),
            **self._declared,
            "ends": "always" if self.always else "picked",
            "scale": self.scale,
            "residual": self.residual,
            "one": self.one,
            "claims": claims,
        }

    @property
    def _declared(self) -> dict[str, Any]:
        """The rules and policy, or the game as states; and the declaration's text with its hash."""
        found = {"sha256": sha256(self.text.encode()).hexdigest(), "text": self.text}
        said = {"rules": self.rules} if self.rules else header_of(self.body)
        said |= {"policy": list(self.policy)} if self.policy else {}
        return said | ({"declaration": found} if self.text else {})

    @cached_property
    def _digits(self) -> int:
        """The number of proved decimals of a certified value at the start."""
        assert self.one is not None
        bound = max(1, self.residual * int(self.ranks[0])) * 10
        digits = 0
        while bound * 10**digits < self.one * self.scale:
            digits += 1
        return digits

    def _within(self) -> int | str:
        """The error bound of the start's values, with rounding."""
        return 0 if self.one is None else f"2e-{self._digits}"

    def _said(self, value: Any) -> int | str:
        if self.one is None:
            return text(value)
        digits = self._digits
        return _decimals(int(value) * 10**digits // self.scale, digits)

    def data(self) -> Iterator[dict[str, Any]]:
        yield self.header
        columns = [column for _, columns in self.proved for column in columns]
        names: Iterable[dict[str, Any]] = (
            {"state": state_name(state)} for state in self.body.states
        )
        for s, game in enumerate(names if self.rules else rows_of(self.body)):
            row = game | (self._picked(s) if s in self.picks else {})
            row["rank"] = int(self.ranks[s])
            if self.one is None:
                row["values"] = [text(column[s]) for column in columns]
            else:
                row["values"] = [int(column[s]) for column in columns]
            yield row

    def _picked(self, s: int) -> dict[str, Any]:
        """The objective of a decision state, and its best option."""
        ask = "most" if self.senses[s] > 0 else "least"
        return {"ask": ask, "pick": self.picks[s] - self.body.first[s]}

    def __repr__(self) -> str:
        names = ", ".join(claim.name for claim, _ in self.proved)
        return f"<Certificate of {self.game}: {names}>"


def _decimals(units: int, digits: int) -> str:
    """A whole number of units of the last digit, as a decimal."""
    sign, shown = "-" if units < 0 else "", str(abs(units)).zfill(digits + 1)
    return f"{sign}{shown[:-digits]}.{shown[-digits:]}" if digits else f"{sign}{shown}"
