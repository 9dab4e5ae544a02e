"""A certificate: the game as integers, what is claimed of it, and what makes that easy to check.

One JSON object a line: a header, each state, and the hash of all that. docs/certificates.md
specifies it, and `check.py` checks it.
"""

import gzip
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from sevenout.certify.claim import Claim, text
from sevenout.chain import Chain, Model, state_name
from sevenout.files import draft


class Proved(NamedTuple):
    """A claim with its proof.

    Attributes:
        claim: what is claimed.
        columns: for each term, the value of each state: fractions, or integers over the scale.
    """

    claim: Claim
    columns: tuple[Sequence[Any], ...]


class Sealed(ABC):
    """JSON objects, one a line, and the hash of them all."""

    @abstractmethod
    def data(self) -> Iterator[dict[str, Any]]:
        """Each line but the last."""

    def lines(self) -> Iterator[bytes]:
        """The file, line by line, with its ends of lines."""
        digest = sha256()
        for data in self.data():
            line = json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"
            encoded = line.encode(errors="backslashreplace")
            digest.update(encoded)
            yield encoded
        yield json.dumps({"sha256": digest.hexdigest()}).encode() + b"\n"

    @cached_property
    def sha256(self) -> str:
        """The hash that the last line has; 64 hex digits."""
        *_, last = self.lines()
        found: str = json.loads(last)["sha256"]
        return found

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write the file whole; compressed if its name ends in .gz.

        Raises:
            FileError: the file can't be written; what was there before still is.
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
class Certificate(Sealed):
    """What `check.py` checks; made by `Solution.certificate` and `Optimum.certificate`.

    Attributes:
        game: its name in print.
        body: the chain, or the model.
        proved: the claims, each with its values.
        ranks: what falls on the way to the end, for each state.
        scale: values are integers over this; 1 where they are fractions.
        residual: by how much a value may miss its equation, over the scale.
        one: what a rank falls by on the mean; None where some roll lets it fall.
        picks: of each question the option that is best.
        senses: 1 where the most is wanted, -1 where the least is, by question.
        always: the game ends whatever is chosen.
    """

    game: str
    body: Chain | Model
    proved: tuple[Proved, ...]
    ranks: Sequence[int]
    scale: int = 1
    residual: int = 0
    one: int | None = None
    picks: Mapping[int, int] = field(default_factory=dict)
    senses: Sequence[int] = ()
    always: bool = True

    @property
    def header(self) -> dict[str, Any]:
        """The first line."""
        body = self.body
        within = self._within()
        claims = []
        for claim, columns in self.proved:
            starts = [self._said(column[0]) for column in columns]
            value = {"first": starts} if claim.of == "law" else {"value": starts[0]}
            claims.append(
                {"of": claim.of, "name": claim.name, **claim.said, **value, "within": within}
            )
        return {
            "format": "sevenout certificate",
            "version": 1,
            "game": self.game,
            "fingerprint": body.fingerprint if isinstance(body, Chain) else None,
            "states": len(body.states),
            "rollables": [
                {"rolls": list(map(state_name, r.law)), "weights": list(r.law.weights)}
                for r in body.rollables
            ],
            "outcomes": [
                {
                    "name": outcome.label,
                    "pays": {bet: text(pay.profit) for bet, pay in outcome.pays},
                }
                for outcome in body.outcomes
            ],
            "stakes": {bet: text(Fraction(body.stakes.get(bet, 1))) for bet in body.bets},
            "passes": body.passes,
            "ends": "always" if self.always else "picked",
            "scale": self.scale,
            "residual": self.residual,
            "one": self.one,
            "claims": claims,
        }

    @cached_property
    def _digits(self) -> int:
        """How many decimals of a certified value at the start are proved."""
        assert self.one is not None
        bound = max(1, self.residual * int(self.ranks[0])) * 10
        digits = 0
        while bound * 10**digits < self.one * self.scale:
            digits += 1
        return digits

    def _within(self) -> int | str:
        """What the values of the start may be off by: the bound, and what rounding takes away."""
        return 0 if self.one is None else f"2e-{self._digits}"

    def _said(self, value: Any) -> int | str:
        if self.one is None:
            return text(value)
        digits = self._digits
        units = int(value) * 10**digits // self.scale
        sign, shown = "-" if units < 0 else "", str(abs(units)).zfill(digits + 1)
        return f"{sign}{shown[:-digits]}.{shown[-digits:]}" if digits else f"{sign}{shown}"

    def data(self) -> Iterator[dict[str, Any]]:
        """Each line but the last."""
        yield self.header
        columns = [column for _, columns in self.proved for column in columns]
        rows = _chain_rows(self.body) if isinstance(self.body, Chain) else self._model_rows()
        for s, row in enumerate(rows):
            row["rank"] = int(self.ranks[s])
            if self.one is None:
                row["values"] = [text(column[s]) for column in columns]
            else:
                row["values"] = [int(column[s]) for column in columns]
            yield row

    def _model_rows(self) -> Iterator[dict[str, Any]]:
        model = self.body
        assert isinstance(model, Model)
        for s, state in enumerate(model.states):
            moves = range(model.first[s], model.first[s + 1])
            tags = [model.tags[model.tagged[move]] for move in moves]
            row: dict[str, Any] = {"state": state_name(state)}
            if model.menus[s]:
                row["ask"] = "most" if self.senses[s] > 0 else "least"
                row["options"] = list(model.menus[s])
            else:
                row["roll"] = model.rolled[s]
            row["to"] = list(model.targets[moves.start : moves.stop])
            row |= _counted(tags)
            turns = [int(model.passing[model.tagged[move]]) for move in moves]
            if any(turns):
                row["passes"] = turns
            if model.menus[s]:
                row["pick"] = self.picks[s] - moves.start
                if self.one is None:
                    row["margins"] = [text(self._margin(s, move)) for move in moves]
            yield row

    def _margin(self, s: int, move: int) -> Any:
        """What an option costs, in exact values; no turn passes where they are."""
        model = self.body
        assert isinstance(model, Model)
        claim, (values,) = self.proved[0]
        target, n = model.targets[move], len(model.states)
        end = values[target] if target < n else self._ends[target - n]
        gain = dict(model.tags[model.tagged[move]]).get(claim.counter or "", 0)
        return abs(values[s] - end - gain)

    @cached_property
    def _ends(self) -> list[Any]:
        return [self.proved[0].claim.worth(outcome) for outcome in self.body.outcomes]

    def __repr__(self) -> str:
        names = ", ".join(claim.name for claim, _ in self.proved)
        return f"<Certificate of {self.game}: {names}>"


def _chain_rows(chain: Chain) -> Iterator[dict[str, Any]]:
    for s, state in enumerate(chain.states):
        row: dict[str, Any] = {"state": state_name(state), "roll": chain.rolled[s]}
        row["to"] = list(chain.targets[chain.first[s] : chain.first[s + 1]])
        row |= _counted([counts for _, counts in chain.moves[s]])
        yield row


def _counted(moves: Sequence[Any]) -> dict[str, Any]:
    """What each move counts, if anything."""
    if not any(moves):
        return {}
    names = dict.fromkeys(name for counts in moves for name, _ in counts)
    return {
        "counts": {name: [text(dict(counts).get(name, 0)) for counts in moves] for name in names}
    }
