"""The coarsest lumping of a chain, and its content hash.

*Lumping.* A lumping is a partition of the states into blocks whose states send equal weight to each
(block or outcome, counters advanced) (ordinary lumpability; Kemeny and Snell 1960). States are
*alike* if some lumping has them in one block. Partition refinement finds the coarsest lumping
(Paige and Tarjan 1987; with weights Derisavi, Hermanns and Sanders 2003, and Valmari and
Franceschinis 2010).

*Nodes.* An edge to t that advances the counters c becomes an edge to a node (t, c), which leads to
t. The first cells are: all states; nodes (t, c) by c; outcomes by label and profits. Nodes of one
cell send out the same total weight.

*Refinement.* Take a cell B from the worklist, and split each cell by the weight that its nodes send
to B. The parts of a cell in the worklist replace it there; of another cell, all parts but a largest
are added. So a node is in cells of at most half the size each time, which adds O(m log n) weights.

*Stable.* Invariant: nodes of one cell that send equal weight to each cell of the worklist send
equal weight to every cell. At first only the cell of states is missing, and the totals are equal.
After a step, let u and v of one cell agree on the worklist. They agree on B, and on each other cell
that was in the worklist, as they agree on its parts. By the invariant they agree on every cell
before the step; on a split cell, on the total and on all parts but one, and so on that one.

*Coarsest.* While cells are unions of blocks of the coarsest lumping, so is B, and the nodes of a
block send equal weight to it. So nodes that are alike are never separated.

*One pass.* If a state can come back only by staying, states are named backwards from the outcomes.
A name stands for a row in names, in which the block itself is HERE. If s is alike a state of a
block b among its successors, its row with both s and b as HERE is b's; at most one b fits, since
blocks are not alike. If s is alike a state of another block, its row with s as HERE is that
block's. Conversely, equal rows make states alike. So s has the name of the b that fits, or else of
its row.

*Hash.* In the chain of the reachable blocks no two states are alike. If it has no cycle longer than
one state, one pass names each state by the hash of its row, and the hash is the start's name.
Otherwise it is refined as above, with weights over their lowest common denominator. Every decision
depends only on weights, sizes, contents of outcomes and earlier names. By induction, isomorphic
chains get equal names. In the end each state has its own name, and the hash is of the table of rows
in names; equal tables are an isomorphism. So, up to collisions of SHA-256, fingerprints are equal
exactly if the coarsest lumpings are isomorphic and the stakes equal.
"""

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from math import gcd
from typing import TYPE_CHECKING, Any

from sevenout.model.components import components
from sevenout.rolling.distribution import summed
from sevenout.rules import Outcome
from sevenout.rules.outcome import added

if TYPE_CHECKING:
    from sevenout.model.chain import Chain

Row = Sequence[tuple[int, int, Any]]
"""The edges out of a state: weight, target, counters advanced; outcomes follow the states."""

HERE = "here"
"""The name of a block in its own row."""


def lumping(chain: "Chain") -> list[int]:
    """The block of each state, numbered from 0 in order of occurrence.

    >>> from sevenout.model import explore
    >>> from sevenout.rules import PointGame
    >>> craps = explore(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7))
    >>> dict(zip(craps.states, lumping(craps)))[4] == dict(zip(craps.states, lumping(craps)))[10]
    True
    """
    plain = _plain(chain)
    rows = [[(weight, t, plain[counts]) for weight, t, counts in row] for row in chain.rows]
    said = [_said(outcome) for outcome in chain.outcomes]
    names: Sequence[Hashable]
    if len(chain.blocks) == len(rows):
        known: dict[Hashable, str] = {}
        names = _passed(
            rows, said, chain.blocks, lambda row: known.setdefault(frozenset(row), str(len(known)))
        )
    else:
        names = _refined(rows, said)
    number: dict[Hashable, int] = {}
    return [number.setdefault(name, len(number)) for name in names[: len(rows)]]


def fingerprint(chain: "Chain") -> str:
    """The SHA-256 of a chain up to names and order; 64 hex digits."""
    rows, said = _quotient(chain)
    blocks = components([dict.fromkeys(target for _, target, _ in row) for row in rows])
    if len(blocks) == len(rows):
        table = [_passed(rows, said, blocks, _hash)[0]]
    else:
        table = _table(_refined(rows, said), rows, said)
    stakes = [f"{bet!r} {_text(chain.stake(bet))}" for bet in sorted(chain.bets)]
    return _sha256("\n".join([*table, *stakes]))


def _table(names: Sequence[int], rows: Sequence[Row], said: Sequence[str]) -> list[str]:
    """A chain in the names of its states and outcomes."""
    n = len(rows)
    lines = [f"{name} {text}" for name, text in sorted(zip(names[n:], said, strict=True))]
    for s in sorted(range(n), key=names.__getitem__):
        row = sorted((names[t], counts, weight) for weight, t, counts in rows[s])
        lines.append(f"{names[s]} {[(t, counts, f'{weight:x}') for t, counts, weight in row]}")
    return [f"{names[0]}", *lines]


def _quotient(chain: "Chain") -> tuple[list[Row], list[str]]:
    """The rows of the blocks reachable from the first, in order; the outcomes' contents."""
    n, block = len(chain.states), chain.lumping
    first = dict(zip(reversed(block), reversed(range(n)), strict=True))
    said, plain = [_said(outcome) for outcome in chain.outcomes], _plain(chain)
    number: dict[int | str, int] = {block[0]: 0}
    merged: list[dict[tuple[int | str, str], int]] = []
    waiting = deque([block[0]])
    while waiting:
        row: dict[tuple[int | str, str], int] = {}
        for weight, target, counts in chain.rows[first[waiting.popleft()]]:
            to: int | str = block[target] if target < n else said[target - n]
            if isinstance(to, int) and to not in number:
                number[to] = len(number)
                waiting.append(to)
            key = to, plain[counts]
            row[key] = row.get(key, 0) + weight
        merged.append(row)
    size = len(number)
    for row in merged:
        for to, _ in row:
            number.setdefault(to, len(number))
    common = gcd(*(weight for row in merged for weight in row.values()))
    rows: list[Row] = [
        [(weight // common, number[to], counts) for (to, counts), weight in row.items()]
        for row in merged
    ]
    return rows, [to for to in list(number)[size:] if isinstance(to, str)]


def _passed(
    rows: Sequence[Row],
    said: Sequence[str],
    blocks: Sequence[Sequence[int]],
    name: Callable[[Iterable[tuple[Any, int]]], str],
) -> list[str]:
    """The name of each state, in one pass from the outcomes back."""
    names = [""] * len(rows) + [name([(text, 1)]) for text in said]
    stays: dict[str, int] = {}  # the weight with which a block stays where it is
    for (s,) in reversed(blocks):
        names[s] = HERE
        row = summed(((names[target], counts), weight) for weight, target, counts in rows[s])
        sent = summed((to, weight) for (to, _), weight in row.items())
        stay = sent.get(HERE, 0)
        for to, weight in sent.items():
            if to in stays and stays[to] == stay + weight and to == name(_joined(row, to)):
                names[s] = to
                break
        else:
            names[s] = name(row.items())
            if stay:
                stays[names[s]] = stay
    return names


def _joined(row: Mapping[tuple[str, str], int], here: str) -> Iterable[tuple[Any, int]]:
    """A row with one more name replaced by HERE."""
    return summed(
        ((HERE if to == here else to, counts), weight) for (to, counts), weight in row.items()
    ).items()


def _refined(rows: Sequence[Row], said: Sequence[str]) -> list[int]:
    """The cell of each state, then of each outcome, by content."""
    n, ends = len(rows), len(rows) + len(said)
    stops: dict[tuple[int, str], int] = {}
    before: list[list[tuple[int, int]]] = [[] for _ in range(ends)]
    for s, row in enumerate(rows):
        for weight, target, counts in row:
            to = stops.setdefault((target, counts), ends + len(stops)) if counts else target
            if to == len(before):
                before.append([])
                before[target].append((to, 1))
            before[to].append((s, weight))
    cells = [0] * n + _ranked(said, 1) + _ranked((c for _, c in stops), ends)
    return coarsest(cells, before)[:ends]


def coarsest(cell: list[int], before: Sequence[Sequence[tuple[int, int]]]) -> list[int]:
    """The cell of each node in the coarsest lumping.

    `cell` holds the first cells, and `before` the weighted predecessors of each node. Nodes of one
    first cell must send out the same total weight.

    >>> coarsest([0, 0, 0, 1], [[(1, 2)], [(0, 2)], [], [(2, 1), (2, 1)]])
    [0, 0, 2, 1]
    """
    cell = _ranked(cell, 0)
    members: list[set[int]] = [set() for _ in set(cell)]
    for node, c in enumerate(cell):
        members[c].add(node)
    waiting = list(range(1, len(members)))
    while waiting:
        sent = summed(each for node in members[waiting.pop()] for each in before[node])
        cut: dict[int, dict[int, list[int]]] = {}
        for source, weight in sent.items():
            c = cell[source]
            if len(members[c]) > 1:
                cut.setdefault(c, {}).setdefault(weight, []).append(source)
        for c in sorted(cut):
            parts = [cut[c][weight] for weight in sorted(cut[c])]
            whole = members[c]
            rest = len(whole) - sum(map(len, parts))
            largest = max(map(len, parts))
            if rest >= largest:  # those that send nothing keep the name
                whole.difference_update(*parts)
            elif rest or len(parts) > 1:
                if rest:
                    parts.insert(0, list(whole.difference(*parts)))
                keeps = next(i for i, part in enumerate(parts) if len(part) == largest)
                members[c] = set(parts.pop(keeps))
            else:
                continue
            for part in parts:
                for node in part:
                    cell[node] = len(members)
                waiting.append(len(members))
                members.append(set(part))
    return cell


def _ranked(keys: Iterable[Any], above: int) -> list[int]:
    """The ranks of the keys among them, from `above` up."""
    keys = list(keys)
    rank = {key: above + i for i, key in enumerate(sorted(set(keys)))}
    return [rank[key] for key in keys]


def _plain(chain: "Chain") -> dict[Any, str]:
    """The name of each set of counters, independent of their order; empty if none is advanced."""
    plain = {}
    for counts in {counts for row in chain.rows for _, _, counts in row}:
        plain[counts] = "".join(f"{name!r} {_text(n)} " for name, n in added((), counts))
    return plain


def _said(outcome: Outcome) -> str:
    """The content of an outcome, independent of the order of its bets."""
    pays = [
        f"{bet!r} {pay.event!r} {_text(pay.profit)} {_text(pay.risk)}" for bet, pay in outcome.pays
    ]
    return f"{outcome.label!r} {sorted(pays)}"


def _text(amount: int | Fraction) -> str:
    """An amount in hexadecimal, which has no limit on digits."""
    return f"{amount.numerator:x}/{amount.denominator:x}"


def _hash(row: Iterable[tuple[Any, int]]) -> str:
    """The hash of a row's items, in any order."""
    return _sha256(repr(sorted((key, f"{weight:x}") for key, weight in row)))


def _sha256(text: str) -> str:
    return sha256(text.encode(errors="backslashreplace")).hexdigest()
