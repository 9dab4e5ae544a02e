"""Certificates of optimal play: values, margins, and a ranking that falls under every choice."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from sevenout.certify import Certificate, Claim, Proved, claim_of
from sevenout.certify.certificate import ranks_of
from sevenout.certify.claim import listed
from sevenout.errors import RulesError
from sevenout.model import Model
from sevenout.rules import Outcome
from sevenout.solving.goal import Goal

if TYPE_CHECKING:
    from sevenout.solving.node_values import ExactValues
    from sevenout.solving.solvers.certified import CertifiedOptimum

FINE = 8
"""Fractional bits of a certified ranking."""


def exact_certificate(game: str, goal: Goal, values: "ExactValues") -> Certificate:
    """The certificate of an exact optimum.

    If turns pass and the goal is not a bet, the players are seats.
    """
    from sevenout.rolling.generating_functions import fraction

    arena = values.arena
    model, shift = arena.model, arena.shift
    _must_end(model)
    gains = dict(zip(model.outcomes, (end + shift for end in arena.ends), strict=True))
    claim = _claimed(goal, model, gains)
    if model.passes and not _seen_by_both(claim, model):
        solved = values.solved
        arena, model = solved.arena, solved.arena.model
        gains = dict(zip(model.outcomes, (end + shift for end in arena.ends), strict=True))
        claim = _claimed(goal, model, gains)
        found = [fraction(solved.value(s)) + shift for s in range(len(model.states))]
        picks = dict(sorted(solved.picks.items()))
    else:
        found = [values[s] + shift for s in range(len(model.states))]
        picks = {s: values.pick(s) for s, menu in enumerate(model.menus) if menu}
    return Certificate(
        game,
        model,
        (Proved(claim, (found,)),),
        ranks_of(model),
        picks=picks,
        asks=_asks(picks, arena.senses),
    )


def certified_certificate(game: str, goal: Goal, solved: "CertifiedOptimum") -> Certificate:
    """The certificate of an optimum within a bound, in integers.

    Raises:
        RulesError: turns pass, and the goal is neither the mean of a bet nor a chance of a profit.
    """
    arena = solved.arena
    model, n = arena.model, len(arena.model.states)
    gains = {outcome: goal.value(outcome) for outcome in model.outcomes}
    claim = _claimed(goal, model, gains)
    if model.passes and not _seen_by_both(claim, model):
        raise RulesError(
            "where turns pass, the certificate of a large game is of the mean of a bet, or of the "
            f"probability of a profit; this is {goal.name}"
        )
    shift = round(arena.shift * (1 << solved.bits))
    picks = dict(zip(solved.asked.tolist(), solved.picks.tolist(), strict=True))
    values = [solved.values.integer(s) + shift for s in range(n)]
    return Certificate(
        game,
        model,
        (Proved(claim, (values,)),),
        [round(rank * 2**FINE) for rank in solved.ranking[:n].tolist()],
        scale=1 << solved.bits,
        residual=solved.residual + 2,  # the values of outcomes, and the shift, were rounded
        one=1 << FINE,
        picks=picks,
        asks=_asks(picks, arena.senses),
    )


def _asks(picks: Mapping[int, int], senses: Sequence[int]) -> dict[int, str]:
    """What the chooser of each decision wants."""
    return {s: "most" if senses[s] > 0 else "least" for s in picks}


def _seen_by_both(claim: Claim, model: Model) -> bool:
    """Whether one player's value of a claim gives the other's: a bet's mean, or who wins it."""
    settled = all(outcome.profit(claim.name) for outcome in model.outcomes if claim.of == "win")
    return claim.of == "bet" or (claim.of == "win" and settled)


def _must_end(model: Model) -> None:
    """Refuse a game that some policy plays for ever: a rank can't prove an optimum there."""
    if model.traps:
        raise RulesError(
            "the player can go on for ever here, so no certificate proves what is best; certify a "
            "policy"
        )


def _claimed(goal: Goal, model: Model, values: dict[Outcome, Fraction]) -> Claim:
    """The goal as a claim, if possible one that the checker can verify from the outcomes."""
    wish = goal.name.split(" ", 1)[1]
    if wish.startswith("P(") and wish.endswith(")"):
        wish = wish[2:-1]
    try:
        claim = claim_of(wish, model)
    except RulesError:
        claim = listed(goal.name, values.__getitem__, model.outcomes)
    counted = {claim.counter: Fraction(1)} if claim.counter else {}
    same = all(claim.amount(outcome) == value for outcome, value in values.items())
    if counted == dict(goal.counters) and same:
        return claim
    return listed(goal.name, values.__getitem__, model.outcomes)
