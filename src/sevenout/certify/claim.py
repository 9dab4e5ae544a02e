"""Claims of a certificate: a mean of a bet or counter, a probability, or terms of a distribution.

A claim is linear: it has a value for each outcome, or for each step of a counter. So it has a value
in every state, and each state's value follows from those of the next states.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

from sevenout.errors import RulesError, shown
from sevenout.model import Chain, Model
from sevenout.numerals import exact
from sevenout.rules import Outcome, Progressive
from sevenout.rules.outcome import Counts
from sevenout.wrong_arguments import public

OutcomeAmount = Callable[[Outcome], Fraction]
"""The value of an outcome."""


@dataclass(frozen=True)
class Claim:
    """A claim; see `claim_of`.

    Attributes:
        of: "bet", "win", "outcome", "counter", "law" or "worth".
        name: of the bet or counter, or the claim in words.
        amount: its value in an outcome.
        details: further keys in the certificate.
        terms: the number of terms of a distribution; else 1.
    """

    of: str
    name: str
    amount: OutcomeAmount
    details: Mapping[str, Any] = field(default_factory=dict)
    terms: int = 1

    @property
    def counter(self) -> str | None:
        """The counter of the claim, if any."""
        return self.name if self.of in ("counter", "law") else None

    def gain(self, counts: Counts) -> int | Fraction:
        """How much a roll adds to the claim's counter."""
        # Every move is a roll, unless its counts take that back.
        return (self.name == "rolls") + dict(counts).get(self.name, 0)


AwardClaim = Callable[[Model], Claim]
"""A claim of a bet with its award, by the model in the certificate."""
PROFIT_CLAIM = re.compile(r"(?P<bet>.+?)\s*(?P<operator>>=|>)\s*(?P<amount>[^<>=\s]+)")


@public
def claim_of(name: str, model: Model) -> Claim:
    """The claim of a name or comparison about a model.

    `name` is a bet or counter, for its mean; or an outcome's label or "pass >= 1" (profit per unit
    staked), for the probability.

    >>> import sevenout as so
    >>> claim_of("pass", so.explore(so.games["craps"])).of
    'bet'

    Raises:
        RulesError: the game has no such bet, counter or outcome.
    """
    labels = tuple(dict.fromkeys(outcome.label for outcome in model.outcomes))
    if name in model.bets:
        return Claim("bet", name, lambda outcome: _profit(model, outcome, name))
    if name in model.counters:
        return Claim("counter", name, lambda outcome: Fraction(0))
    if name in labels:
        return Claim(
            "outcome",
            name,
            lambda outcome: Fraction(int(outcome.label == name)),
            {"outcomes": [name]},
        )
    match = PROFIT_CLAIM.fullmatch(name) if isinstance(name, str) else None
    if match and match["bet"] in model.bets:
        bet, threshold, is_strict = match["bet"], exact(match["amount"]), match["operator"] == ">"

        def reached(outcome: Outcome) -> Fraction:
            profit = _profit(model, outcome, bet)
            return Fraction(int(profit > threshold if is_strict else profit >= threshold))

        gains = {outcome: Fraction(int(outcome.profit(bet) > 0)) for outcome in model.outcomes}
        if all(reached(outcome) == gain for outcome, gain in gains.items()):
            return Claim("win", bet, reached)
        return worth_claim(name, reached, model.outcomes)
    names_by_kind = {
        "bets": model.bets,
        "profits": tuple(f"{bet} > 0" for bet in model.bets[:1]),
        "counters": model.counters,
        "outcomes": labels[:12],
    }
    choice = "; ".join(
        f"{kind}: {', '.join(names)}" for kind, names in names_by_kind.items() if names
    )
    raise RulesError(f"{shown(name)} can't be claimed; {choice}"[:390])


@public
def claims_of(
    chain: Chain,
    names: Sequence[str] = (),
    terms: Mapping[str, int] | None = None,
    awards: Iterable[AwardClaim] = (),
) -> tuple[Claim, ...]:
    """The claims of names, as in `claim_of`; by default, the mean of each bet and of the rolls.

    For a game without bets, the default is each outcome's probability and each counter's mean.
    `terms` gives how many terms P(N = 0), P(N = 1), ... to claim of a counter; `awards` are
    claims of awards.

    Raises:
        RulesError: an unknown name, or a bad number of terms.
    """
    claims = [claim_of(name, chain) for name in dict.fromkeys(names)]
    for counter, n_terms in (terms or {}).items():
        if counter not in chain.counters:
            counters = ", ".join(chain.counters)
            raise RulesError(f"the game has no counter {shown(counter)}; it has: {counters}")
        moves = (counts for row in chain.rows for *_, counts in row)
        advances = (n for counts in moves for name, n in counts if name == counter)
        if counter != "rolls" and any(n < 0 or n != int(n) for n in advances):
            raise RulesError(
                f"the counter {shown(counter)} doesn't count up in whole numbers; claim its mean "
                "instead"
            )
        if type(n_terms) is not int or not 0 < n_terms <= MAX_TERMS:
            raise RulesError(f"{shown(n_terms)} terms of a distribution; claim 1 to {MAX_TERMS:,}")
        claims.append(Claim("law", counter, lambda outcome: Fraction(0), terms=n_terms))
    if not claims:
        labels = [outcome.label for outcome in chain.outcomes]
        default_names = chain.bets or (*labels, *chain.counters)
        claims = [claim_of(name, chain) for name in dict.fromkeys([*default_names, "rolls"])]
    return (*claims, *(award(chain) for award in awards))


MAX_TERMS = 1_000
"""The most terms of a distribution in a claim: each is a column of values of all states."""


def worth_claim(name: str, amount: OutcomeAmount, outcomes: Iterable[Outcome]) -> Claim:
    """The claim of a mean of values of the outcomes, which the certificate lists."""
    return Claim("worth", name, amount, {"worth": [exact_json(amount(o)) for o in outcomes]})


@public
def award_claims(model: Model, awards: Mapping[str, Progressive]) -> tuple[AwardClaim, ...]:
    """For each award the profit of its bet with the award, per unit staked, in the long run.

    Every bet adds its share, and an outcome that wins adds the seed (docs/howto/progressives.md).
    An award with a limit is left out, since its mean is no sum over outcomes; so is one whose
    outcomes the rules as data can't tell apart.

    Raises:
        RulesError: no such bet, or no such row of its return table.
    """
    claims = list[AwardClaim]()
    for bet, award in awards.items():
        award.require_rows(bet, [outcome.pay(bet).event for outcome in model.outcomes])
        winning_keys, other_keys = set[Hashable](), set[Hashable]()
        for outcome in model.outcomes:
            wins = outcome.pay(bet).event in award.on
            (winning_keys if wins else other_keys).add(_data_key(outcome))
        if award.must_hit_by is None and not winning_keys & other_keys:
            claims.append(partial(_award_claim, bet, award, winning_keys))
    return tuple(claims)


def _award_claim(bet: str, award: Progressive, winning_keys: Set[Hashable], model: Model) -> Claim:
    """The claim of the profit of a bet with its award, per unit staked, in the long run."""
    terms = f"seed {award.seed}, share {award.share}, on {' or '.join(award.on)}"
    seed = exact(award.seed) / model.stake(bet)

    def profit(outcome: Outcome) -> Fraction:
        won = seed if _data_key(outcome) in winning_keys else 0
        return _profit(model, outcome, bet) + exact(award.share) + won

    name = f"{bet}, with its award in the long run ({terms})"
    return worth_claim(name, profit, model.outcomes)


def _data_key(outcome: Outcome) -> Hashable:
    """The key of an outcome in rules as data, which have no rows of return tables."""
    return outcome.label, tuple(sorted((bet, pay.profit) for bet, pay in outcome.pays))


def _profit(model: Model, outcome: Outcome, bet: str) -> Fraction:
    """The profit of a bet per unit staked."""
    return outcome.profit(bet) / model.stake(bet)


def exact_json(x: Any) -> int | str:
    """A rational as in certificates: an integer, or a string of any length."""
    from flint import fmpq

    if x.denominator == 1:
        return int(x.numerator)
    return str(fmpq(x.numerator, x.denominator))
