"""States that behave alike, and the content hash of a chain.

A state outside every cycle looks as its edges do: one pass from the outcomes back. Inside a cycle
states start alike, and a block is split while its members differ in the weight that they send to
some block (Paige and Tarjan 1987; for weighted chains Derisavi, Hermanns and Sanders 2003). Colours
are hashes of what is seen, so they depend on no name and no order.
"""

from collections import defaultdict
from hashlib import blake2b, sha256
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sevenout.chain.chain import Chain

Signature = tuple[tuple[str, Any, str], ...]


def colours(chain: "Chain") -> list[str]:
    """The colour of each state, then of each outcome; states of one colour are alike."""
    colour = ["self"] * len(chain.states) + [_hash(outcome) for outcome in chain.outcomes]
    for block in reversed(chain.blocks):
        if len(block) > 1:
            _refine(chain, block, colour)
        paint = {s: _hash((colour[s], _signature(chain, colour, s))) for s in block}
        for s, new in paint.items():
            colour[s] = new
    return colour


def _refine(chain: "Chain", block: list[int], colour: list[str]) -> None:
    """Colour the states of a cycle until like has like."""
    before: dict[int, set[int]] = defaultdict(set)
    for s in block:
        for edge in chain.rows[s]:
            before[edge.target].add(s)
    members: dict[str, set[int]] = {colour[block[0]]: set(block)}
    seen: dict[str, Signature] = {}
    dirty = set(block)
    while dirty:
        by_colour: dict[str, dict[Signature, set[int]]] = defaultdict(lambda: defaultdict(set))
        for s in dirty:
            by_colour[colour[s]][_signature(chain, colour, s)].add(s)
        repaint: list[tuple[int, str]] = []
        for old, parts in by_colour.items():
            if members[old] - set().union(*parts.values()):  # untouched members look as before
                keeps = seen[old]
            else:
                largest = max(map(len, parts.values()))
                candidates = [look for look, part in parts.items() if len(part) == largest]
                keeps = candidates[0] if len(candidates) == 1 else ()
                seen[old] = keeps
            for look, part in parts.items():
                if look != keeps:
                    new = _hash((old, look))
                    members[old] -= part
                    members[new] = part
                    seen[new] = look
                    repaint += [(s, new) for s in part]
        for s, new in repaint:
            colour[s] = new
        dirty = set().union(*(before[s] for s, _ in repaint)) if repaint else set()


def fingerprint(chain: "Chain") -> str:
    """The SHA-256 of the chain's colours, its denominator and its stakes; 64 hex digits."""
    colour = colours(chain)
    stakes = sorted((bet, str(chain.stake(bet))) for bet in chain.bets)
    text = "\n".join([colour[0], f"{chain.denominator:x}", str(stakes), *sorted(colour)])
    return sha256(text.encode()).hexdigest()


def _signature(chain: "Chain", colour: list[str], s: int) -> Signature:
    sent: dict[tuple[str, Any], int] = defaultdict(int)
    for weight, target, counts in chain.rows[s]:
        sent[colour[target], counts] += weight
    return tuple(sorted((c, counts, f"{weight:x}") for (c, counts), weight in sent.items()))


def _hash(value: Any) -> str:
    return blake2b(repr(value).encode(), digest_size=16).hexdigest()
