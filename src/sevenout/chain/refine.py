"""The coarsest partition of a chain into states that behave alike, and its content hash.

Partition refinement (Paige and Tarjan 1987; for weighted chains Derisavi, Hermanns and Sanders
2003): states start alike, and a block is split while its members differ in the weight that they
send to some block. Colours are hashes of what is seen, so they depend on no name and no order.
"""

from collections import defaultdict
from hashlib import blake2b, sha256
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sevenout.chain.chain import Chain

Signature = tuple[tuple[str, Any, int], ...]


def colours(chain: "Chain") -> list[str]:
    """The colour of each state, then of each outcome; alike means the same colour."""
    n = len(chain.states)
    colour = [_hash("state")] * n + [_hash(outcome) for outcome in chain.outcomes]
    before: dict[int, set[int]] = defaultdict(set)
    for s, row in enumerate(chain.rows):
        for edge in row:
            before[edge.target].add(s)
    members: dict[str, set[int]] = {colour[0]: set(range(n))}
    seen: dict[str, Signature] = {}
    dirty = set(range(n))
    while dirty:
        by_block: dict[str, dict[Signature, set[int]]] = defaultdict(lambda: defaultdict(set))
        for s in dirty:
            by_block[colour[s]][_signature(chain, colour, s)].add(s)
        changed: list[int] = []
        repaint: list[tuple[int, str]] = []
        for block, parts in by_block.items():
            rest = members[block] - set().union(*parts.values())
            if rest:  # untouched members still look as the block did
                keeps = seen[block]
            else:
                largest = max(map(len, parts.values()))
                candidates = [sig for sig, part in parts.items() if len(part) == largest]
                keeps = candidates[0] if len(candidates) == 1 else ()
                seen[block] = keeps
            for signature, part in parts.items():
                if signature != keeps:
                    new = _hash((block, signature))
                    members[block] -= part
                    members[new] = part
                    seen[new] = signature
                    repaint += [(s, new) for s in part]
                    changed += part
        for s, new in repaint:
            colour[s] = new
        dirty = set().union(*(before[s] for s in changed)) if changed else set()
    return colour


def fingerprint(chain: "Chain") -> str:
    """The SHA-256 of the chain of colours, with stakes; 64 hex digits."""
    colour = colours(chain)
    n = len(chain.states)
    lines = sorted(str((colour[s], _signature(chain, colour, s))) for s in range(n))
    ends = sorted(str((colour[n + k], repr(o))) for k, o in enumerate(chain.outcomes))
    stakes = sorted((bet, str(chain.stake(bet))) for bet in chain.bets)
    text = "\n".join([colour[0], str(chain.denominator), str(stakes), *lines, *ends])
    return sha256(text.encode()).hexdigest()


def _signature(chain: "Chain", colour: list[str], s: int) -> Signature:
    sent: dict[tuple[str, Any], int] = defaultdict(int)
    for weight, target, counts in chain.rows[s]:
        sent[colour[target], counts] += weight
    return tuple(sorted((c, counts, weight) for (c, counts), weight in sent.items()))


def _hash(value: Any) -> str:
    return blake2b(repr(value).encode(), digest_size=16).hexdigest()
