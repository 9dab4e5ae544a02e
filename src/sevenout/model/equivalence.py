"""The coarsest lumping of a chain, and its content hash.

*Lumping.* A lumping is a partition of the states into classes, whose states send equal weight to
each (class or outcome, counters advanced) (ordinary lumpability; Kemeny and Snell 1960). States are
*alike* if some lumping has them in one class. Partition refinement finds the coarsest lumping
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

*Coarsest.* While cells are unions of classes of the coarsest lumping, so is B, and the nodes of a
class send equal weight to it. So nodes that are alike are never separated.

*One pass.* If a state can come back only by staying, states are named backwards from the outcomes.
A name stands for a row in names, in which the class itself is ITSELF. If s is alike a state of a
class b among its successors, its row with both s and b as ITSELF is b's; at most one b fits, since
classes are not alike. If s is alike a state of another class, its row with s as ITSELF is that
class's. Conversely, equal rows make states alike. So s has the name of the b that fits, or else of
its row.

*Hash.* In the chain of the reachable classes no two states are alike. If it has no cycle longer
than one state, one pass names each state by the hash of its row, and the hash is the start's name.
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
from typing import Any

from sevenout.model.graph import strongly_connected_components
from sevenout.rolling.distribution import sum_by_key
from sevenout.rules import Outcome
from sevenout.rules.outcome import added

Row = Sequence[tuple[int, int, Any]]
"""The edges out of a state: weight, target, counters advanced; outcomes follow the states."""

ITSELF = "here"
"""The name of a class in its own row; part of what is hashed, so a fingerprint depends on it."""


def lumping(
    rows: Sequence[Row], outcomes: Sequence[Outcome], components: Sequence[Sequence[int]]
) -> list[int]:
    """The class of each state, numbered from 0 in order of occurrence.

    >>> from sevenout.model import explore
    >>> from sevenout.rules import PointGame
    >>> craps = explore(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7))
    >>> class_of = dict(zip(craps.states, lumping(craps.rows, craps.outcomes, craps.components)))
    >>> class_of[4] == class_of[10], class_of[4] == class_of[5]
    (True, False)

    Args:
        rows: the edges of each state.
        outcomes: what the targets from `len(rows)` on stand for.
        components: the strongly connected components, in topological order.
    """
    text_of = _counts_texts(rows)
    named_rows = [[(weight, t, text_of[counts]) for weight, t, counts in row] for row in rows]
    ends = [_content(outcome) for outcome in outcomes]
    names: Sequence[Hashable]
    if len(components) == len(rows):
        # Within one chain, rows can be named by numbers, which cost less than hashes.
        number_of_row: dict[Hashable, str] = {}
        names = _names_in_one_pass(
            named_rows,
            ends,
            components,
            lambda row: number_of_row.setdefault(frozenset(row), str(len(number_of_row))),
        )
    else:
        names = refined_cells(named_rows, ends)
    number: dict[Hashable, int] = {}
    return [number.setdefault(name, len(number)) for name in names[: len(rows)]]


def fingerprint(
    rows: Sequence[Row],
    outcomes: Sequence[Outcome],
    class_of: Sequence[int],
    stakes: Mapping[str, Fraction],
) -> str:
    """The SHA-256 of a chain up to names and order; 64 hex digits.

    Args:
        rows: the edges of each state.
        outcomes: what the targets from `len(rows)` on stand for.
        class_of: the lumping.
        stakes: the stake of each bet that is paid.
    """
    rows, ends = _quotient(rows, [_content(outcome) for outcome in outcomes], class_of)
    components = strongly_connected_components(
        [dict.fromkeys(target for _, target, _ in row) for row in rows]
    )
    if len(components) == len(rows):
        lines = [_names_in_one_pass(rows, ends, components, _hash_of_row)[0]]
    else:
        lines = _canonical_lines(refined_cells(rows, ends), rows, ends)
    lines += [f"{bet!r} {_hexadecimal(stakes[bet])}" for bet in sorted(stakes)]
    return _sha256("\n".join(lines))


def _canonical_lines(names: Sequence[int], rows: Sequence[Row], ends: Sequence[str]) -> list[str]:
    """A chain in the names of its states and outcomes, as text."""
    n = len(rows)
    lines = [f"{name} {text}" for name, text in sorted(zip(names[n:], ends, strict=True))]
    for s in sorted(range(n), key=names.__getitem__):
        row = sorted((names[t], counts, weight) for weight, t, counts in rows[s])
        lines.append(f"{names[s]} {[(t, counts, f'{weight:x}') for t, counts, weight in row]}")
    return [f"{names[0]}", *lines]


def _quotient(
    rows: Sequence[Row], ends: Sequence[str], class_of: Sequence[int]
) -> tuple[list[Row], list[str]]:
    """The rows of the classes reachable from the first, in order; the outcomes' contents."""
    n, text_of = len(rows), _counts_texts(rows)
    # Built backwards, so that the first state of each class is the one that stays.
    member = dict(zip(reversed(class_of), reversed(range(n)), strict=True))
    number: dict[int | str, int] = {class_of[0]: 0}
    merged_rows: list[dict[tuple[int | str, str], int]] = []
    queue = deque([class_of[0]])
    while queue:
        merged: dict[tuple[int | str, str], int] = {}
        for weight, target, counts in rows[member[queue.popleft()]]:
            to: int | str = class_of[target] if target < n else ends[target - n]
            if isinstance(to, int) and to not in number:
                number[to] = len(number)
                queue.append(to)
            key = to, text_of[counts]
            merged[key] = merged.get(key, 0) + weight
        merged_rows.append(merged)
    # Outcomes are numbered by content, so two of one content become one, as in a lumping.
    for merged in merged_rows:
        for to, _ in merged:
            number.setdefault(to, len(number))
    # Lowest terms: the same chain may have been explored with a larger denominator.
    common = gcd(*(weight for merged in merged_rows for weight in merged.values()))
    quotient: list[Row] = [
        [(weight // common, number[to], counts) for (to, counts), weight in merged.items()]
        for merged in merged_rows
    ]
    return quotient, [to for to in number if isinstance(to, str)]


def _names_in_one_pass(
    rows: Sequence[Row],
    ends: Sequence[str],
    components: Sequence[Sequence[int]],
    name: Callable[[Iterable[tuple[Any, int]]], str],
) -> list[str]:
    """The name of each state, in one pass from the outcomes back; every component is one state."""
    names = [""] * len(rows) + [name([(text, 1)]) for text in ends]
    stay_weights: dict[str, int] = {}  # by name: the weight with which its states stay
    for (s,) in reversed(components):
        names[s] = ITSELF
        row = sum_by_key(((names[target], counts), weight) for weight, target, counts in rows[s])
        sent = sum_by_key((to, weight) for (to, _), weight in row.items())
        stay = sent.get(ITSELF, 0)
        for to, weight in sent.items():
            # The weights are compared first: to join and name a row takes far longer.
            may_be_alike = to in stay_weights and stay_weights[to] == stay + weight
            if may_be_alike and to == name(_with_itself(row, to)):
                names[s] = to
                break
        else:
            names[s] = name(row.items())
            if stay:  # a state that never stays differs from all its successors
                stay_weights[names[s]] = stay
    return names


def _with_itself(row: Mapping[tuple[str, str], int], alike: str) -> Iterable[tuple[Any, int]]:
    """A row with one more name replaced by ITSELF."""
    return sum_by_key(
        ((ITSELF if to == alike else to, counts), weight) for (to, counts), weight in row.items()
    ).items()


def refined_cells(rows: Sequence[Row], ends: Sequence[str]) -> list[int]:
    """The cell of each state, then of each outcome, by content; cycles of any length may occur."""
    n, total = len(rows), len(rows) + len(ends)
    stops: dict[tuple[int, str], int] = {}  # nodes (target, counters), numbered after the outcomes
    predecessors: list[list[tuple[int, int]]] = [[] for _ in range(total)]
    for s, row in enumerate(rows):
        for weight, target, counts in row:
            to = stops.setdefault((target, counts), total + len(stops)) if counts else target
            if to == len(predecessors):
                predecessors.append([])
                predecessors[target].append((to, 1))
            predecessors[to].append((s, weight))
    cells = [0] * n + _ranks(ends, 1) + _ranks((counts for _, counts in stops), total)
    return coarsest_lumping(cells, predecessors)[:total]


def coarsest_lumping(
    cell: list[int], predecessors: Sequence[Sequence[tuple[int, int]]]
) -> list[int]:
    """The cell of each node in the coarsest lumping.

    `cell` holds the first cells; nodes of one first cell must send out the same total weight.
    `predecessors` are those of each node, with weights.

    >>> coarsest_lumping([0, 0, 0, 1], [[(1, 2)], [(0, 2)], [], [(2, 1), (2, 1)]])
    [0, 0, 2, 1]
    """
    cell = _ranks(cell, 0)
    members: list[set[int]] = [set() for _ in set(cell)]
    for node, c in enumerate(cell):
        members[c].add(node)
    # The first cell may be left out: the totals agree, so its weight follows from the others'.
    worklist = list(range(1, len(members)))
    while worklist:
        sent = sum_by_key(edge for node in members[worklist.pop()] for edge in predecessors[node])
        sources: dict[int, dict[int, list[int]]] = {}  # by cell, then by the weight sent
        for source, weight in sent.items():
            c = cell[source]
            if len(members[c]) > 1:
                sources.setdefault(c, {}).setdefault(weight, []).append(source)
        # Sorted, since the numbers of new cells depend on the order of the splits.
        for c in sorted(sources):
            parts = [sources[c][weight] for weight in sorted(sources[c])]
            for part in _split_off(members, c, parts):
                for node in part:
                    cell[node] = len(members)
                worklist.append(len(members))
                members.append(set(part))
    return cell


def _split_off(members: list[set[int]], c: int, parts: list[list[int]]) -> list[list[int]]:
    """Reduce cell c to a largest part, and return the others.

    The nodes in no part, which send nothing, are a part too.
    """
    nodes = members[c]
    silent = len(nodes) - sum(map(len, parts))
    largest = max(map(len, parts))
    if silent >= largest:
        nodes.difference_update(*parts)  # in place: the cell may be large, the parts are small
        return parts
    if silent:
        parts.insert(0, list(nodes.difference(*parts)))
    if len(parts) > 1:
        largest_index = next(i for i, part in enumerate(parts) if len(part) == largest)
        members[c] = set(parts.pop(largest_index))
        return parts
    return []


def _ranks(keys: Iterable[Any], start: int) -> list[int]:
    """The rank of each key among them, counted from `start`."""
    keys = list(keys)
    rank = {key: start + i for i, key in enumerate(sorted(set(keys)))}
    return [rank[key] for key in keys]


def _counts_texts(rows: Sequence[Row]) -> dict[Any, str]:
    """The text of each set of counters, independent of their order; empty if none is advanced."""
    return {
        counts: "".join(f"{name!r} {_hexadecimal(n)} " for name, n in added((), counts))
        for counts in {counts for row in rows for _, _, counts in row}
    }


def _content(outcome: Outcome) -> str:
    """The content of an outcome, independent of the order of its bets."""
    pays = [
        f"{bet!r} {pay.event!r} {_hexadecimal(pay.profit)} {_hexadecimal(pay.risk)}"
        for bet, pay in outcome.pays
    ]
    return f"{outcome.label!r} {sorted(pays)}"


def _hexadecimal(amount: int | Fraction) -> str:
    # Python refuses to print integers of over 4,300 decimal digits; hexadecimal has no limit.
    return f"{amount.numerator:x}/{amount.denominator:x}"


def _hash_of_row(row: Iterable[tuple[Any, int]]) -> str:
    return _sha256(repr(sorted((key, f"{weight:x}") for key, weight in row)))


def _sha256(text: str) -> str:
    # Labels are in it as `repr` writes them, so no lone surrogate is left that UTF-8 can't encode.
    return sha256(text.encode()).hexdigest()
