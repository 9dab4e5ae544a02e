"""Certificates of values: the value of a claim in every state.

It equals the mean of the values in the next states. Without long cycles the values are fractions;
otherwise integers with a proved bound (`lifting`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from flint import fmpq

from sevenout.budgets.estimates import afford
from sevenout.certify import Award, Certificate, Claim, Proved, claim_of, claims_of
from sevenout.certify.certificate import ranks_of, settled_states
from sevenout.certify.declared import MOST_COMPARED, declared, picked, picks_of
from sevenout.extras import needs
from sevenout.model import Chain, explore
from sevenout.rolling.distribution import summed
from sevenout.rolling.generating_functions import flint, fraction
from sevenout.rules import Game
from sevenout.solving.goal import goal_of
from sevenout.solving.node_values import values_of
from sevenout.solving.solvers.decision_problem import Arena
from sevenout.solving.solvers.elimination import Elimination


def certificate(
    chain: Chain,
    what: Sequence[str],
    terms: Mapping[str, int] | None,
    game: str,
    digits: int | None,
    *,
    rules: Game | None = None,
    policy: Callable[[Any], str] | None = None,
    awards: Sequence[Award] = (),
) -> Certificate:
    """The certificate of a chain; see `Solution.certificate`."""
    if rules is not None and policy is not None:
        followed = _under(rules, policy, what, terms=terms, game=game, digits=digits)
        return followed or certificate(chain, what, terms, game, digits)
    found = None if rules is None else declared(rules, chain)
    book, written = found or (None, None)
    if isinstance(written, Chain):  # if turns pass, `best` has a shorter one
        return replace(certificate(written, what, terms, game, digits, awards=awards), rules=book)
    claims = claims_of(chain, what, terms, awards)
    columns = sum(claim.terms for claim in claims)
    afford(
        f"{columns:,} values for each of {len(chain.states):,} states",
        seconds=2e-5 * columns * len(chain.states),
        instead="claim less",
    )
    if digits is None:
        elimination = Elimination(chain.weights, fmpq(1), chain.blocks)
        proved = tuple(Proved(claim, _exact(chain, claim, elimination)) for claim in claims)
        proof = Certificate(game, chain, proved, ranks_of(chain))
    else:
        needs("scipy", "fast")
        from sevenout.solving.solvers.lifting import certified_values

        proof = certified_values(chain, claims, game, digits)
    settled = settled_states(chain)
    picks = {s: chain.first[s] for s in settled}
    return replace(proof, picks=picks, asks=dict.fromkeys(settled, "fixed"))


def _under(
    rules: Game,
    policy: Callable[[Any], str],
    what: Sequence[str],
    *,
    terms: Mapping[str, int] | None,
    game: str,
    digits: int | None,
) -> Certificate | None:
    """The certificate of a game under a policy, of its declaration, if it has one.

    Where turns pass it has one claim, of a bet.
    """
    model = explore(rules)
    found = declared(rules, model)
    if found is None or len(model.states) > MOST_COMPARED:
        return None
    book, written = found
    picks = picks_of(rules, book, written, policy)
    fixed = picked(written, picks)
    if isinstance(fixed, Chain):
        proof = certificate(fixed, what, terms, game, digits)
    else:
        wish, *more = what or fixed.bets
        if more or terms or digits is not None or claim_of(wish, fixed).of not in ("bet", "win"):
            return None
        proof = values_of(Arena.of(fixed, goal_of(fixed, wish)), "exact").certificate(game)
    asks = dict.fromkeys(picks, "fixed")
    return replace(proof, body=written, picks=picks, asks=asks, rules=book)


def _exact(chain: Chain, claim: Claim, elimination: Elimination) -> tuple[Sequence[Fraction], ...]:
    """The values as fractions, one column for each term of a distribution."""
    n = len(chain.states)
    if claim.of != "law":
        ends = [flint(claim.amount(outcome)) for outcome in chain.outcomes]
        reward = [fmpq(0)] * n
        if claim.counter:
            reward = [
                flint(sum((w * Fraction(claim.gain(c)) for w, _, c in row), Fraction(0)))
                for row in chain.rows
            ]
        return (list(map(fraction, elimination.values(reward, ends))),)
    ends = [fmpq(0)] * len(chain.outcomes)
    waits = [_uncounted(chain, row, claim) for row in chain.rows]
    elimination = Elimination(waits, fmpq(1))
    columns: list[list[Any]] = []
    for k in range(claim.terms):
        reward = [
            sum((w * _after(columns, k - int(claim.gain(c)), t, n) for w, t, c in row), fmpq(0))
            for row in chain.rows
        ]
        columns.append([fmpq(x) for x in elimination.values(reward, ends)])
    return tuple(list(map(fraction, column)) for column in columns)


def _uncounted(chain: Chain, row: Sequence[Any], claim: Claim) -> dict[int, int]:
    """The weights of a state's moves without counts; all others end in the first outcome."""
    n = len(chain.states)
    return summed((t if t < n and not claim.gain(counts) else n, w) for w, t, counts in row)


def _after(columns: Sequence[Sequence[Any]], k: int, target: int, n: int) -> Any:
    """P(N = k) from a target on, if known."""
    if target >= n:
        return int(k == 0)
    return columns[k][target] if 0 <= k < len(columns) else 0
