"""How an evening ends that repeats one bet at one stake.

Limited to a number of rounds, the money is a walk on the integers (`moneywalk`). Otherwise it is an
absorbing chain whose states are the amounts.

References: W. Feller, *An Introduction to Probability Theory*, vol. 1, 3rd ed. (1968), ch. XIV.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, TypeVar, overload

from sevenout.errors import RulesError
from sevenout.evenings.eveningplan import Plan
from sevenout.evenings.eveningresult import QUANTILES, EveningResult
from sevenout.evenings.moneywalk import (
    MoneyRound,
    Walk,
    amounts,
    carried,
    ends_of,
    in_reach,
    quantiles,
)
from sevenout.rolling.distribution import Finite, probability, summed
from sevenout.rules.casino.ends import ENDS, LOSS, ROUNDS, RUIN, TIME, WIN
from sevenout.rules.casino.onebet import FlatBetting, OneBet
from sevenout.solving import solve

OVER = 1e-16
"""Rounds are listed while the probability of playing on is higher."""
LONGEST = 2_000_000
"""The most rounds listed."""
T = TypeVar("T")
Amounts = tuple[Fraction, ...]


class Deferred(Sequence[T]):
    """A sequence computed on first use, by `find`."""

    def __init__(self, find: Callable[[], list[T]]) -> None:
        self._find = find

    @cached_property
    def _all(self) -> list[T]:
        return self._find()

    def __len__(self) -> int:
        return len(self._all)

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> list[T]: ...
    def __getitem__(self, at: Any) -> Any:
        return self._all[at]


def is_one_bet(plan: Plan) -> bool:
    """Whether the evening repeats one bet at the same stake and has an end.

    >>> from sevenout.evenings.sessions import one_bet
    >>> from sevenout.catalogue import games
    >>> is_one_bet(one_bet(games["craps"], 20, target=40))
    True
    >>> is_one_bet(Plan.of("pass", 20, rolls=9))
    False
    """
    felt, bets = plan.bettor.felt, plan.bettor.strategy
    if type(felt) is not OneBet or type(bets) is not FlatBetting:
        return False
    ends = replace(plan.ends, shooters=None)  # the dice never pass
    return ends.in_sight and bets.bet == felt.bet and bets.amount > 0


def solved(plan: Plan) -> EveningResult | None:
    """How an evening of one bet ends; None if this many rolls need floats."""
    walk = Walk.of(plan)
    if walk.rounds is None:
        return _until_money(plan, walk)
    if walk.timed and not in_reach(walk, walk.rounds):
        return None
    return _in_rounds(plan, walk, walk.rounds)


def _in_rounds(plan: Plan, walk: Walk, rounds: int) -> EveningResult:
    slip = _slip(plan)
    played, possible = Fraction(0), 0
    before: MoneyRound | None = None
    last: MoneyRound | None = None
    for now, come_to in zip(carried(walk, rounds), amounts(walk, rounds), strict=True):
        played, possible, before, last = played + now.playing, come_to, last, now
    assert last is not None
    # after the last round, no other bet is wanted or refused
    refused = Fraction(int(before.ruined(1)), before.scale) if before else Fraction(0)
    low, high = ends_of(possible)
    ends = {
        ENDS[RUIN]: last.ruined,
        ENDS[LOSS]: last.lost,
        ENDS[WIN]: last.reached,
        ENDS[TIME if walk.timed else ROUNDS]: last.alive,
    }
    weights = {end: int(poly(1)) for end, poly in ends.items() if poly}
    law = {k * walk.unit: Fraction(w, last.scale) for k, w in last.weights()}
    bound = 1 - Fraction(sum(weights.values()), last.scale) + rounds * slip
    listed = Deferred(partial(_listed, walk, rounds))
    return _result(
        plan,
        walk,
        money=Finite(law, bound, (low * walk.unit, high * walk.unit)),
        ends={end: Fraction(weight, last.scale) for end, weight in weights.items()},
        played=played,
        refused=refused,
        playing=Deferred(partial(_column, listed, 0)),
        ruined=Deferred(partial(_column, listed, 1)),
        fan=Deferred(partial(_fan, walk, rounds, slip)),
    )


def _until_money(plan: Plan, walk: Walk) -> EveningResult:
    """An evening without a limit on rounds: an absorbing chain on the amounts."""
    if not any(walk.steps):
        raise RulesError(f"{plan.name} never bets, so the evening never ends; give rolls or hours")
    felt = plan.bettor.felt
    assert isinstance(felt, OneBet)
    rounds = replace(plan, bettor=replace(plan.bettor, felt=OneBet(felt.law, bet=felt.bet)))
    solution = solve(rounds.game)
    outcomes = list(solution.outcomes.items())
    law = summed((plan.bankroll + o.profit("evening"), p) for o, p in outcomes)
    ends: dict[str, Fraction] = summed((o.label, p) for o, p in outcomes)
    played = solution.mean_rolls
    bound = solution.bound + played * _slip(plan)
    listed = Deferred(partial(_listed_in_floats, walk))
    return _result(
        plan,
        walk,
        money=Finite(law, bound, (min(law), max(law))),
        ends=ends,
        played=played,
        refused=ends.get(ENDS[RUIN], Fraction(0)),
        playing=Deferred(partial(_column, listed, 0)),
        ruined=Deferred(partial(_column, listed, 1)),
        fan=[(Fraction(plan.bankroll),) * len(QUANTILES)],
    )


def _result(
    plan: Plan,
    walk: Walk,
    *,
    money: Finite,
    ends: Mapping[str, Fraction],
    played: Fraction,
    refused: Fraction,
    playing: Sequence[float],
    ruined: Sequence[float],
    fan: Sequence[Amounts],
) -> EveningResult:
    """The result; each round is a bet, and there is one position."""
    bets = plan.bettor.strategy
    assert isinstance(bets, FlatBetting)
    return EveningResult(
        name=plan.name,
        bankroll=Fraction(plan.bankroll),
        rolls=plan.ends.rolls,
        hours=plan.hours,
        money=money,
        ends=ends,
        playing=playing,
        ruined=ruined,
        mean_rolls=played,
        handle=walk.stake * played,
        bets=played,
        refused=refused,
        names=(bets.bet,) if ends.get(ENDS[RUIN]) else (),
        fan=fan,
        positions=1,
        most_at_risk=Fraction(bets.amount),
        least_bet=Fraction(bets.amount),
        pace=plan.pace,
    )


def _slip(plan: Plan) -> Fraction:
    felt = plan.bettor.felt
    return felt.slip if isinstance(felt, OneBet) else Fraction(0)


def _column(listed: Sequence[tuple[float, float]], which: int) -> list[float]:
    return [pair[which] for pair in listed]


def _listed(walk: Walk, rounds: int) -> list[tuple[float, float]]:
    """The probabilities of playing on and of ruin after each round."""
    rows = [(1.0, 0.0)]
    for n, now in enumerate(carried(walk, rounds), 1):
        on = now.alive if n < rounds or walk.timed else ()
        both = [Fraction(int(poly(1)), now.scale) if poly else 0 for poly in (on, now.ruined)]
        rows.append((float(both[0]), float(both[1])))
    return rows


def _listed_in_floats(walk: Walk) -> list[tuple[float, float]]:
    """The same if only money ends the evening."""
    import numpy as np

    top, least = walk.top or 0, max(walk.cost, walk.above)
    shares = [(step, weight / walk.denominator) for step, weight in walk.steps.items()]
    room = max(abs(step) for step in walk.steps)  # on both sides
    now = np.zeros(top + 2 * room)
    now[room + walk.start] = 1
    rows, ruined = [(1.0, 0.0)], 0.0
    while rows[-1][0] > OVER and len(rows) < LONGEST:
        then = np.zeros_like(now)
        for step, share in shares:
            then[room + step : room + top + step] += share * now[room : room + top]
        ruined += float(then[room + walk.above : room + least].sum())
        then[: room + least] = 0
        then[room + top :] = 0
        now = then
        rows.append((float(now.sum()), ruined))
    return rows


def _fan(walk: Walk, rounds: int, slip: Fraction) -> list[Amounts]:
    """Quantiles of the money after each round; the least within the error bound."""
    shares = [probability(q) for q in QUANTILES]
    rows = [(walk.start * walk.unit,) * len(shares)]
    for found in quantiles(walk, rounds, shares, slip):
        rows.append(tuple(low * walk.unit for low, _ in found))
    return rows
