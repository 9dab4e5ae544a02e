"""Whether a checked certificate is of a given game: its rules or moves, its amounts, its policy."""

import json
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

from sevenout.certify import award_claims, claim_of
from sevenout.certify.certificate import difference, ends_as_met
from sevenout.certify.claim import text
from sevenout.certify.declared import declared, picks_of
from sevenout.errors import SevenoutError
from sevenout.model import Chain, Model, explore
from sevenout.rules import Game, Progressive
from sevenout.solving.goal import goal_of

NO_AWARDS: Mapping[str, Progressive] = {}


def certificate_difference(
    lines: Iterable[bytes],
    game: Game,
    *,
    policy: Callable[[Any], str] | None = None,
    awards: Mapping[str, Progressive] = NO_AWARDS,
) -> str:
    """Where a checked certificate is of another game; empty if nowhere.

    It compares all that the claims depend on. These are the rules or the moves of every state, the
    picks of a policy, and the amounts that a claim counts for the ends, as for an award.

    >>> import sevenout as so
    >>> craps, crapless = so.games["craps"], so.games["crapless"]
    >>> lines = list(so.solve(craps).certificate(rules=craps).lines())
    >>> certificate_difference(lines, craps), certificate_difference(lines, crapless)
    ('', "line 1: the rules of the file differ in 'roll'")

    Args:
        lines: the lines of the certificate, which its checker has accepted.
        game: the game to compare it with.
        policy: what the player does, by state of the game; of a game with choices.
        awards: the progressive awards, by bet.
    """
    lines = list(lines)
    head: dict[str, Any] = json.loads(lines[0])
    model = explore(game)
    if "rules" not in head:
        body = model if policy is None else model.under(policy)
        return difference(lines, body) or _other_amounts(head, body, awards, body.outcomes)
    pair = declared(game, model)
    if pair is None:
        return "line 1: the file carries rules, and those of the game are a program"
    rules, written = pair
    theirs, ours = head["rules"], rules.data
    for key in dict.fromkeys((*ours, *theirs)):
        if ours.get(key) != theirs.get(key):
            return f"line 1: the rules of the file differ in {key!r}"
    ends = [written.outcomes[k] for k in ends_as_met(written)]
    return _other_amounts(head, written, awards, ends) or _other_picks(
        lines, written, None if policy is None else picks_of(game, rules, written, policy)
    )


def _other_picks(lines: list[bytes], model: Model, picks: Mapping[int, int] | None) -> str:
    """Where a file follows another policy than the one named."""
    for s, menu in enumerate(model.menus):
        if menu:
            row = json.loads(lines[s + 1])
            fixed = row["ask"] == "fixed"
            if fixed and picks is None:
                return "line 1: the file is of a policy; name it with --policy"
            if not fixed and picks is not None:
                return "line 1: the file is of best play; leave --policy out"
            if picks is not None and model.first[s] + row["pick"] != picks[s]:
                return f"line {s + 2}: the policy picks another option"
    return ""


def _other_amounts(
    head: Mapping[str, Any],
    model: Model,
    awards: Mapping[str, Progressive],
    ends: Iterable[Hashable],
) -> str:
    """A claim that counts the ends by amounts that the game doesn't have."""
    ends = list(ends)
    own: dict[str, Callable[[Any], Any]] = {}
    if isinstance(model, Chain):
        own = {
            claim.name: claim.amount
            for claim in (award(model) for award in award_claims(model, awards))
        }
    for claim in head["claims"]:
        if claim["of"] == "worth":
            amount = own.get(claim["name"]) or _amount_of(claim["name"], model)
            if amount is None or [text(amount(end)) for end in ends] != claim["worth"]:
                return f"line 1: the game has other amounts than those of {claim['name']!r}"
    return ""


def _amount_of(name: str, model: Model) -> Callable[[Any], Any] | None:
    """What a claim or a goal counts in an outcome; None if it is neither."""
    try:
        return claim_of(name, model).amount
    except SevenoutError:
        pass
    sense, _, wish = name.partition(" ")
    try:
        return goal_of(model, **{sense: wish}).value
    except (SevenoutError, TypeError):
        return None
