"""What a biased die does to the bets, as a table and as curves."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from sevenout.dice import Die, Source
from sevenout.exact.sensitivity import bias, gradient
from sevenout.exact.solution import Solution
from sevenout.rules import Settled


def edge_slopes(solution: Solution, bets: Sequence[str]) -> list[tuple[str, tuple[Fraction, ...]]]:
    """For each face, the derivative of each bet's edge with respect to its probability.

    >>> from sevenout.exact import solve
    >>> from sevenout.games import catalogue
    >>> edge_slopes(solve(catalogue["craps"]), ["pass"])[0]
    ('1', (Fraction(18422, 27225),))
    """
    by_bet = [gradient(solution, _profit(bet)) for bet in bets]
    stakes = [solution.chain.stake(bet) for bet in bets]
    sources = list(by_bet[0])
    rows = []
    for source in sources:
        for i, face in enumerate(source.faces):
            slopes = tuple(
                -found[source][i] / stake for found, stake in zip(by_bet, stakes, strict=True)
            )
            rows.append((_name(face, source, len(sources)), slopes))
    return rows


def edge_curve(solution: Solution, bet: str, face: Any) -> Any:
    """A bet's edge as a rational function of t, which multiplies the weight of a face by 1 + t."""
    mean = bias(solution.chain, {face: 1}, _profit(bet))
    return mean * (-1 / solution.chain.stake(bet))


def _profit(bet: str) -> Any:
    def profit(outcome: Settled) -> Fraction:
        return outcome.profit(bet)

    return profit


def _name(face: object, source: Source, sources: int) -> str:
    if sources == 1:
        return str(face)
    return f"{face} of {source}" if isinstance(source, Die) else f"{face}"
