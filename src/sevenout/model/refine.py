"""States that behave alike: the coarsest lumping of a chain, and its content hash.

A *lumping* cuts the states into blocks so that two states of a block send the same weight to each
(block or outcome, counters advanced) (Kemeny and Snell 1960, ordinary lumpability); any state of a
block then speaks for it, and the blocks are a chain of their own. Outcomes are what they say: a
label, and what each bet is paid, in any order. States are *alike* when some lumping has them in one
block. That is a lumping itself, the coarsest, and partition refinement finds it (Paige and Tarjan
1987; with weights Derisavi, Hermanns and Sanders 2003, and Valmari and Franceschinis 2010).

*Nodes.* Counters are moved off the edges: an edge to t that advances the counters c becomes an edge
to a node (t, c), which leads to t. Nodes start in cells: all the states in one, nodes (t, c) by c,
outcomes by what they say. All that is left to compare is weights to cells, and nodes of one cell
send out the same weight in all.

*Refinement.* A cell B is taken from the worklist, and each cell is cut by the weight that its nodes
send to B, as B was when it was taken. The parts of a cell that was in the worklist replace it
there; of another cell all the parts but a largest are added.

*It is stable.* Invariant: nodes of one cell that send equal weight to each cell of the worklist
send equal weight to every cell. At first only the cell of the states is missing, and the weight to
it is what is left of the same total. After a step, let u and v of one cell agree on the worklist.
They agree on B, by which they were not cut apart, and on each other cell that was in the worklist,
as they agree on its parts; so, by the invariant before the step, on each cell as it was. Of a cell
that was cut they thus agree on the total and on all parts but one, and so on that one. When the
worklist is empty, nodes of one cell agree on every cell.

*It is the coarsest.* Nodes that are alike are never cut apart: while cells are unions of blocks of
the coarsest lumping so is B, and the nodes of a block send the same weight to it.

*It is fast.* Each time that a node is in the cell taken, that cell is at most half as large as the
time before, or was never taken: O(m log n) weights are added, besides sorting those that differ.

*One pass.* Where a state can come back only by staying, states are named from the outcomes back. A
name stands for a row in names, in which the block itself is HERE. Let all that s leads to be named,
alike exactly where names are. If s is alike a state of block b that s leads to, its row with both s
and b as HERE is b's; at most one b fits, as blocks are not alike. If s is alike a state of a block
that it does not lead to, its row with s as HERE is that block's. Either way an equal row makes the
states alike. So s has the name of the one b that fits, or else the name of its row.

*The hash.* The blocks that the start can reach are a chain of which no two states are alike (else
their blocks could be joined). If no cycle in it is longer than one state, one pass names each state
by the hash of its row, and the start's name says all. Otherwise it is refined as above, with
weights over their lowest common denominator. Every decision (the order of the first cells, which
cell is taken, the order of the parts of a cell, by weight, which of them keeps the name) depends on
weights, sizes, what outcomes say and names given before, and on nothing else; so, by induction, a
map of one such chain onto another keeps names. In the end each state has a name of its own, and the
hash is of the whole table of rows in names. Equal tables are a map of one chain onto the other. So
fingerprints are equal exactly when the coarsest lumpings are the same up to names and order, and
the stakes too; as far as SHA-256 tells texts apart.
"""

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from math import gcd
from typing import TYPE_CHECKING, Any

from sevenout.dice.distribution import summed
from sevenout.model.components import components
from sevenout.rules import Outcome
from sevenout.rules.outcome import added

if TYPE_CHECKING:
    from sevenout.model.chain import Chain

Row = Sequence[tuple[int, int, Any]]
"""The edges out of a state: weight, target, counters advanced; outcomes come after the states."""

HERE = "here"
"""The name of a block in its own row."""


def lumping(chain: "Chain") -> list[int]:
    """The block of each state, numbered from 0 as they come; states of one block behave alike.

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
    """The SHA-256 of what the chain is up to names and order; 64 hex digits."""
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
    """The rows of the blocks that the first can reach, itself first; what their outcomes say."""
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
    """A row in which one more name is HERE."""
    return summed(
        ((HERE if to == here else to, counts), weight) for (to, counts), weight in row.items()
    ).items()


def _refined(rows: Sequence[Row], said: Sequence[str]) -> list[int]:
    """The cell of each state, then of each outcome, by what they say."""
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
    return _refine(cells, before)[:ends]


def _refine(cell: list[int], before: Sequence[Sequence[tuple[int, int]]]) -> list[int]:
    """The cell of each node in the coarsest lumping.

    Args:
        cell: the cell of each node at first; those of cell 0 send out equal weight, as do others.
        before: for each node, the nodes that lead to it, and with what weight.
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
    """The counters that an edge advances, in the order of their names; empty if none is."""
    plain = {}
    for counts in {counts for row in chain.rows for _, _, counts in row}:
        plain[counts] = "".join(f"{name!r} {_text(n)} " for name, n in added((), counts))
    return plain


def _said(outcome: Outcome) -> str:
    """What an outcome says: the order of its bets says nothing."""
    pays = [
        f"{bet!r} {pay.event!r} {_text(pay.profit)} {_text(pay.risk)}" for bet, pay in outcome.pays
    ]
    return f"{outcome.label!r} {sorted(pays)}"


def _text(amount: int | Fraction) -> str:
    """An amount in hexadecimal, which has no limit on digits."""
    return f"{amount.numerator:x}/{amount.denominator:x}"


def _hash(row: Iterable[tuple[Any, int]]) -> str:
    """The hash of what is in a row, in any order."""
    return _sha256(repr(sorted((key, f"{weight:x}") for key, weight in row)))


def _sha256(text: str) -> str:
    return sha256(text.encode(errors="backslashreplace")).hexdigest()
