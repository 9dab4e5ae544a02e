"""A certificate: the game in integers, the claims, and values and ranks that prove them.

One JSON object per line: a header, then each state. The format is specified in
docs/reference/certificate-format.md and checked by `check.py`.

The game is its rules as data, or the moves of each state. Ranks fall on the way to the end and
prove that the game ends. An outcome has rank 0. From a roll some result leads to a lower rank, and
from a decision every option. So a game of n states ends within n moves with a probability bounded
away from 0, whatever the players do, and goes on for ever with probability 0.
"""

import gzip
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from sevenout.certify.claim import Claim, exact_json
from sevenout.certify.rulebook_models import one_line
from sevenout.documents.numbers import full_integer
from sevenout.files import draft
from sevenout.model import Model, state_name
from sevenout.model.model import add_seats
from sevenout.rules.guarded_rules import Rulebook
from sevenout.rules.outcome import Counts, added

VERSION = 4
"""The version of the format."""
PROOF_KEYS = ("rank", "values", "ask", "pick")
"""The keys of a state's line that are not part of the game."""


class Proved(NamedTuple):
    """A claim with its proof.

    Attributes:
        columns: for each term, the value of each state: fractions, or integers over the scale.
    """

    claim: Claim
    columns: tuple[Sequence[Any], ...]


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
        with draft(path) as draft_path:
            if str(path).endswith(".gz"):
                with open(draft_path, "wb") as raw, gzip.GzipFile("", "wb", 6, raw, 0) as packed:
                    packed.writelines(self.lines())
            else:
                with open(draft_path, "wb") as file:
                    file.writelines(self.lines())
        return Path(path)


@dataclass(frozen=True, eq=False)
class Certificate(ProofFile):
    """The input of `check.py`, made by `Solution.certificate` and `Optimum.certificate`.

    Attributes:
        title: the game's printed name, a note; nothing that is proved depends on it.
        body: the model whose states have values; that of the rules, if there are any.
        ranks: of each state, falling on the way to the end.
        scale: values are integers over this; 1 if they are fractions.
        residual: the most by which a value misses its equation, over the scale.
        rank_fall: the mean fall of a rank per move, at least; None if only some result lowers it.
        picks: the move picked in each decision state.
        chooser_goals: by decision state, "most" or "least", or "fixed" where a policy is followed,
            best or not.
        rules: the rulebook that the checker expands into the body; None for a program.
        proved: each claim with its columns of values.
    """

    title: str
    body: Model
    proved: tuple[Proved, ...]
    ranks: Sequence[int]
    scale: int = 1
    residual: int = 0
    rank_fall: int | None = None
    picks: Mapping[int, int] = field(default_factory=dict)
    chooser_goals: Mapping[int, str] = field(default_factory=dict)
    rules: Rulebook | None = None

    @property
    def header(self) -> dict[str, Any]:
        """The first line."""
        return {
            "format": "sevenout certificate",
            "version": VERSION,
            "game": self.title,
            "states": len(self.body.states),
            **({"rules": self.rules.data} if self.rules else header_of(self.body)),
            "scale": self.scale,
            "residual": self.residual,
            "one": self.rank_fall,
            "claims": [self._claim_data(claim, columns) for claim, columns in self.proved],
        }

    def _claim_data(self, claim: Claim, columns: Sequence[Sequence[Any]]) -> dict[str, Any]:
        """A claim with the values of the start."""
        starts = [self._start_value(column[0]) for column in columns]
        value: dict[str, Any] = {"first": starts} if claim.of == "law" else {"value": starts[0]}
        details = dict(claim.details)
        if "worth" in details and self.rules:
            details["worth"] = [details["worth"][k] for k in ends_in_order(self.body)]
        bound = 0 if self.rank_fall is None else f"2e-{self._digits}"
        return {"of": claim.of, "name": claim.name, **details, **value, "within": bound}

    @cached_property
    def _digits(self) -> int:
        """The number of proved decimals of a certified value at the start."""
        assert self.rank_fall is not None
        bound = max(1, self.residual * int(self.ranks[0])) * 10
        digits = 0
        while bound * 10**digits < self.rank_fall * self.scale:
            digits += 1
        return digits

    def _start_value(self, value: Any) -> int | str:
        if self.rank_fall is None:
            return exact_json(value)
        digits = self._digits
        return _decimals(int(value) * 10**digits // self.scale, digits)

    def data(self) -> Iterator[dict[str, Any]]:
        yield self.header
        columns = [column for _, columns in self.proved for column in columns]
        for s, game in enumerate(self._game_rows()):
            row = dict(game)
            if s in self.picks:
                row |= {
                    "ask": self.chooser_goals[s],
                    "pick": self.picks[s] - self.body.first_move[s],
                }
            row["rank"] = int(self.ranks[s])
            if self.rank_fall is None:
                row["values"] = [exact_json(column[s]) for column in columns]
            else:
                row["values"] = [int(column[s]) for column in columns]
            yield row

    def _game_rows(self) -> Iterable[dict[str, Any]]:
        """What a line says of the game: the state's name, or its moves too."""
        if self.rules is None:
            return rows_of(self.body)
        names = list(self.rules.variables)
        return ({"state": _rulebook_name(names, state)} for state in self.body.states)

    def __repr__(self) -> str:
        names = ", ".join(claim.name for claim, _ in self.proved)
        return f"<Certificate of {self.title}: {names}>"


def read_lines(path: str | os.PathLike[str]) -> list[bytes]:
    """The lines of a certificate that was checked, plain or packed."""
    content = Path(path).read_bytes()
    packed = content[:2] == b"\x1f\x8b"  # the first bytes of gzip
    return (gzip.decompress(content) if packed else content).splitlines()


def ends_in_order(body: Model) -> list[int]:
    """The outcomes of a rulebook in the order in which the checker meets them, state by state."""
    n = len(body.states)
    return list(dict.fromkeys(target - n for target in body.targets if target >= n))


def header_of(body: Model) -> dict[str, Any]:
    """The header's description of a game whose moves are listed.

    >>> import sevenout as so
    >>> header_of(so.explore(so.games["craps"]))["stakes"]
    {'pass': 1}
    """
    return {
        "rollables": rollables_data(body),
        "outcomes": [
            {
                "name": outcome.label,
                "pays": {bet: exact_json(pay.profit) for bet, pay in outcome.pays},
            }
            for outcome in body.outcomes
        ],
        "stakes": {bet: exact_json(body.stake(bet)) for bet in body.bets},
        "passes": body.passes,
    }


def rollables_data(body: Model) -> list[dict[str, Any]]:
    """The names and weights of the results, of each thing that is rolled."""
    return [
        {"rolls": list(map(state_name, rollable.law)), "weights": list(rollable.law.weights)}
        for rollable in body.rollables
    ]


def settled_states(body: Model) -> frozenset[int]:
    """The states whose only move is no roll of dice: a policy ends the game there.

    The checker counts a roll for every move but an option, so they are listed as decisions.

    >>> import sevenout as so
    >>> class Offer(so.Game):
    ...     dice, start = so.d6, "offer"
    ...     def choices(self, state):
    ...         return {"take": so.settle("taken"), "roll": "refused"}
    ...     def step(self, state, face):
    ...         return so.settle("rolled")
    >>> offer = so.explore(Offer())
    >>> [settled_states(offer.under(lambda state: option)) for option in ("take", "roll")]
    [frozenset({0}), frozenset()]
    """
    free = {k for k, counts in enumerate(body.tags) if dict(counts).get("rolls") == -1}
    if not free:
        return frozenset()
    first, tag_index = body.first_move, body.tag_index
    alone = (s for s in range(len(body.states)) if first[s + 1] == first[s] + 1)
    return frozenset(s for s in alone if not body.menus[s] and tag_index[first[s]] in free)


def rows_of(body: Model) -> Iterator[dict[str, Any]]:
    """The line of each state with its moves, without its proof.

    >>> import sevenout as so
    >>> next(rows_of(so.explore(so.games["craps"])))["state"]
    'come-out'
    """
    settled = settled_states(body)
    for s, state in enumerate(body.states):
        moves = body.moves_of(s)
        tags = [body.tags[body.tag_index[move]] for move in moves]
        row: dict[str, Any] = {"state": state_name(state)}
        if s in settled:
            row["options"] = list(map(state_name, body.rollables[body.rollable_index[s]].law))
            tags = [added(tags[0], (("rolls", 1),))]
        elif body.menus[s]:
            row["options"] = list(body.menus[s])
        else:
            row["roll"] = body.rollable_index[s]
        row["to"] = list(body.targets[moves.start : moves.stop])
        row |= _counts_data(tags)
        passes = [int(body.passing[body.tag_index[move]]) for move in moves]
        yield row | ({"passes": passes} if any(passes) else {})


def model_sha256(model: Model) -> str:
    """The SHA-256 of a model: dice, outcomes, stakes, and every move of every state.

    >>> from sevenout.catalogue import games
    >>> from sevenout.model import explore
    >>> pigs = [model_sha256(explore(games("pig", goal=goal))) for goal in (10, 10, 11)]
    >>> pigs[0] == pigs[1], pigs[0] == pigs[2]
    (True, False)
    """
    digest = sha256()
    for data in (header_of(model), *rows_of(model)):
        digest.update(one_line(data) + b"\n")
    return digest.hexdigest()


def difference(lines: Iterable[bytes], body: Model) -> str:
    """Where a checked certificate of listed moves differs from this game; empty if nowhere.

    >>> import sevenout as so
    >>> craps, hazard = (so.explore(so.games[name]) for name in ("craps", "hazard"))
    >>> proof = so.solve(craps).certificate()
    >>> difference(proof.lines(), craps)
    ''
    >>> difference(proof.lines(), hazard)[:40]
    "line 1: 'outcomes' are not those of the "
    """
    head, *_ = lines = list(lines)
    header: dict[str, Any] = json.loads(head)
    if body.passes and not header.get("passes"):
        body = add_seats(body)
    for key, value in {"states": len(body.states), **header_of(body)}.items():
        if header.get(key) != value:
            return f"line 1: {key!r} are not those of the game as its rules are explored"
    goals: dict[str | None, str] = {}  # by player
    for s, (line, row) in enumerate(zip_longest(lines[1:], rows_of(body))):
        fields = json.loads(line)
        theirs = {key: fields[key] for key in fields if key not in PROOF_KEYS}
        if theirs != row:
            return f"line {s + 2}: this is not the state {row['state']!r} of the game"
        goal = fields.get("ask")
        if goal and goals.setdefault(body.choosers.get(s), goal) != goal:
            return f"line {s + 2}: a player wants another thing than before"
    return ""


def ranks_of(game: Model) -> list[int]:
    """The rank of each state: the fewest moves in which the rolls can force an end.

    >>> import sevenout as so
    >>> ranks_of(so.explore(so.games["craps"]))
    [1, 1, 1, 1, 1, 1, 1]

    Raises:
        ValueError: the game need not end.
    """
    n, first = len(game.states), game.first_move
    before: list[list[int]] = [[] for _ in range(n)]
    # the targets that a state waits for: of a decision all of them, of a roll one
    waiting_for = [0] * n
    rank = [0] * n
    ranked: list[int] = []
    for s, menu in enumerate(game.menus):
        targets = set(game.targets[first[s] : first[s + 1]])
        inside = [t for t in targets if t < n]
        waiting_for[s] = len(inside) if menu else int(len(inside) == len(targets))
        for t in inside:
            before[t].append(s)
        if not waiting_for[s]:
            rank[s] = 1
            ranked.append(s)
    # outwards from the ends; the loop adds states
    for t in ranked:
        for s in before[t]:
            waiting_for[s] -= 1
            if waiting_for[s] == 0:
                rank[s] = rank[t] + 1
                ranked.append(s)
    if len(ranked) < n:
        raise ValueError("the game may never end")
    return rank


def _rulebook_name(names: Sequence[str], state: Any) -> str:
    """A state of a rulebook, as the checker names it."""
    return ", ".join(f"{name} {x}" for name, x in zip(names, state, strict=True)) or "start"


def _decimals(units: int, digits: int) -> str:
    """A whole number of units of the last digit, as a decimal."""
    sign, shown = "-" if units < 0 else "", full_integer(abs(units)).zfill(digits + 1)
    return f"{sign}{shown[:-digits]}.{shown[-digits:]}" if digits else f"{sign}{shown}"


def _counts_data(tags: Sequence[Counts]) -> dict[str, Any]:
    """The counts of each move, if any."""
    if not any(tags):
        return {}
    names = dict.fromkeys(name for counts in tags for name, _ in counts)
    return {
        "counts": {
            name: [exact_json(dict(counts).get(name, 0)) for counts in tags] for name in names
        }
    }
