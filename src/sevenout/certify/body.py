"""The game in a certificate: its header and states, without the proof.

A certificate is of a game if these lines, made again from the rules, are the same. The checker
checks everything else.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import zip_longest
from typing import Any

from sevenout.certify import check
from sevenout.certify.claim import text
from sevenout.model import Model, state_name
from sevenout.model.model import seated


def header_of(body: Model) -> dict[str, Any]:
    """The header's description of the game.

    >>> import sevenout as so
    >>> header_of(so.explore(so.games["craps"]))["stakes"]
    {'pass': 1}
    """
    return {
        "rollables": [
            {"rolls": list(map(state_name, r.law)), "weights": list(r.law.weights)}
            for r in body.rollables
        ],
        "outcomes": [
            {"name": outcome.label, "pays": {bet: text(pay.profit) for bet, pay in outcome.pays}}
            for outcome in body.outcomes
        ],
        "stakes": {bet: text(body.stake(bet)) for bet in body.bets},
        "passes": body.passes,
    }


def rows_of(body: Model) -> Iterator[dict[str, Any]]:
    """The line of each state, without its proof.

    >>> import sevenout as so
    >>> next(rows_of(so.explore(so.games["craps"])))["state"]
    'come-out'
    """
    for s, state in enumerate(body.states):
        moves = range(body.first[s], body.first[s + 1])
        row: dict[str, Any] = {"state": state_name(state)}
        if body.menus[s]:
            row["options"] = list(body.menus[s])
        else:
            row["roll"] = body.rolled[s]
        row["to"] = list(body.targets[moves.start : moves.stop])
        row |= _counted([body.tags[body.tagged[move]] for move in moves])
        passes = [int(body.passing[body.tagged[move]]) for move in moves]
        yield row | ({"passes": passes} if any(passes) else {})


def one_line(data: Any) -> bytes:
    """One line of JSON, formatted as in certificates."""
    program: Any = check
    found: bytes = program.one_line(data)
    return found


def rules_line(rules: Mapping[str, Any]) -> str:
    """The last line of a declaration's text: the SHA-256 of its rules.

    >>> rules_line({"dice": [[1, 2]]})[:30]
    '# rules, SHA-256 5dfef88b67cfa'
    """
    program: Any = check
    return f"# rules, SHA-256 {sha256(one_line(program.own_rules(rules))).hexdigest()}\n"


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


def model_lines(model: Model) -> str:
    """The last lines of the text of a game that is a program."""
    return f'[model]\nsha256 = "{model_sha256(model)}"\n'


def difference(lines: Iterable[bytes], body: Model) -> str:
    """Where a checked certificate differs from this game; empty if nowhere.

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
        body = seated(body)
    for key, value in {"states": len(body.states), **header_of(body)}.items():
        if header.get(key) != value:
            return f"line 1: {key!r} are not those of the game as its rules are explored"
    asks: dict[str | None, str] = {}
    for s, (line, row) in enumerate(zip_longest(lines[1:], rows_of(body))):
        found = json.loads(line)
        theirs = {key: found[key] for key in found if key not in PROOF}
        if theirs != row:
            return f"line {s + 2}: this is not the state {row['state']!r} of the game"
        if "ask" in found and asks.setdefault(body.choosers.get(s), found["ask"]) != found["ask"]:
            return f"line {s + 2}: a player wants another thing than before"
    return ""


PROOF = ("rank", "values", "ask", "pick")
"""The keys of a state's line that are not part of the game."""


def _counted(moves: Sequence[Any]) -> dict[str, Any]:
    """The counts of each move, if any."""
    if not any(moves):
        return {}
    names = dict.fromkeys(name for counts in moves for name, _ in counts)
    return {
        "counts": {name: [text(dict(counts).get(name, 0)) for counts in moves] for name in names}
    }
