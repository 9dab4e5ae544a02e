"""What a certificate's game is, and what is true of it, found by other means than the checker's.

The lines are read as they are; values, ranks and picks are ignored. The claim's value is solved
for by Gaussian elimination; where somebody chooses, every policy of small games is tried.
"""

import json
from fractions import Fraction
from itertools import product

from flint import fmpq


def written(lines):
    """The lines as a file."""
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def opened(content):
    """The lines of a file."""
    return [json.loads(line) for line in content.splitlines()]


def solved(matrix, right):
    """The solution of linear equations; None if there is not just one."""
    n = len(matrix)
    rows = [
        [fmpq(x.numerator, x.denominator) for x in (*row, y)]
        for row, y in zip(matrix, right, strict=True)
    ]
    for i in range(n):
        pivot = next((r for r in range(i, n) if rows[r][i]), None)
        if pivot is None:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for r in range(n):
            if r != i and rows[r][i]:
                factor = rows[r][i]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[i], strict=True)]
    return [Fraction(int(row[-1].p), int(row[-1].q)) for row in rows]


def worths(head, claim, seat=1):
    """What each outcome is worth; seat is -1 where the other player settled it."""
    found = []
    for i, end in enumerate(head["outcomes"]):
        if claim["of"] in ("bet", "win"):
            profit = seat * Fraction(end["pays"][claim["name"]])
            profit /= Fraction(head["stakes"][claim["name"]])
            found.append(profit if claim["of"] == "bet" else Fraction(profit > 0))
        elif claim["of"] == "outcome":
            found.append(Fraction(end["name"] in claim["outcomes"]))
        else:
            found.append(Fraction(claim["worth"][i]) if claim["of"] == "worth" else Fraction(0))
    return found


def moves(head, line, pick=None):
    """The moves of a state: probability, target, counts, whether the turn passes."""
    many = len(line["to"])
    counts = [
        {name: Fraction(each[i]) for name, each in line.get("counts", {}).items()}
        for i in range(many)
    ]
    passes = line.get("passes", [0] * many)
    if "ask" in line:
        return [(Fraction(1), line["to"][pick], counts[pick], passes[pick])]
    weights = head["rollables"][line["roll"]]["weights"]
    for each in counts:
        each["rolls"] = 1
    total = sum(weights)
    parts = zip(weights, line["to"], counts, passes, strict=True)
    return [(Fraction(w, total), t, c, p) for w, t, c, p in parts]


def value(lines, claim, picks=()):
    """The value of a claim at the start, under a choice at each question."""
    head, *states = lines
    n = head["states"]
    matrix, right = [], []
    both = 2 if head["passes"] else 1
    ends = [worths(head, claim, seat) for seat in (1, -1)[:both]]
    for seat, s in product(range(both), range(n)):
        row = [Fraction(0)] * (n * both)
        row[seat * n + s] += 1
        gain = Fraction(0)
        line = states[s]
        pick = picks[seat * n + s] if "ask" in line else None
        for p, target, counts, passes in moves(head, line, pick):
            to = seat ^ passes
            if claim["of"] == "counter":
                gain += p * counts.get(claim["name"], 0)
            if target < n:
                row[to * n + target] -= p
            else:
                gain += p * ends[to][target - n]
        matrix.append(row)
        right.append(gain)
    found = solved(matrix, right)
    return None if found is None else found[0]


def law(lines, claim):
    """P(N = 0), P(N = 1), ... by carrying the law of (state, count) forward."""
    head, *states = lines
    n, terms = head["states"], len(claim["first"])
    found = [Fraction(0)] * terms
    at = {(0, 0): Fraction(1)}
    for _ in range(40):
        after = {}
        for (s, many), p in at.items():
            for share, target, counts, _ in moves(head, states[s]):
                key = (target, many + int(counts.get(claim["name"], 0)))
                if key[1] >= terms:
                    continue
                if target >= n:
                    found[key[1]] += p * share
                else:
                    after[key] = after.get(key, 0) + p * share
        at = after
    return found, sum(at.values())


def policies(lines):
    """Every choice at each question, for one player (no turn passes)."""
    menus = [range(len(line["to"])) if "ask" in line else [0] for line in lines[1:]]
    return product(*menus)
