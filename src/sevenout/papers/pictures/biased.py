"""The effect of a biased die on the bets, as a table and as curves."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from sevenout.documents import PageError
from sevenout.rolling import Die, Source
from sevenout.rules import Outcome
from sevenout.solving.answer import Solution
from sevenout.solving.bets.sensitivity import bias, gradient


def edge_slopes(solution: Solution, bets: Sequence[str]) -> list[tuple[str, tuple[Fraction, ...]]]:
    """For each face, the derivative of each bet's edge in its probability; see `gradient`.

    >>> from sevenout.solving import solve
    >>> from sevenout.catalogue import games
    >>> edge_slopes(solve(games["craps"]), ["pass"])[0]
    ('face 1', (Fraction(36844, 45375),))
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
    """A bet's edge as a rational function of t: the face's weight is multiplied by 1 + t."""
    mean = bias(solution.chain, {face: 1}, _profit(bet))
    return mean * (-1 / solution.chain.stake(bet))


def edge_curves(solution: Solution, bet: str, most: int = 8) -> dict[str, Any]:
    """A bet's edge as a function of the bias of each face, by the name of the curve.

    Raises:
        PageError: dice of several kinds, or too many faces for one picture.
    """
    sources = dict.fromkeys(s for r in solution.chain.rollables for s in r.sources)
    faces = list(dict.fromkeys(face for source in sources for face in source.faces))
    if len(sources) > 1 or len(faces) > most:
        raise PageError(
            f"{len(sources)} kinds of dice with {len(faces)} faces; a picture of a bias is of one "
            f"kind with {most} faces or fewer"
        )
    return {f"face {face}": edge_curve(solution, bet, face) for face in faces}


def _profit(bet: str) -> Any:
    def profit(outcome: Outcome) -> Fraction:
        return outcome.profit(bet)

    return profit


def _name(face: object, source: Source, sources: int) -> str:
    """A face as printed; a die whose faces are not equally likely is a wheel."""
    if isinstance(source, Die) and len({*source.weights}) > 1:
        return f"segment {face} of the wheel"
    return (
        f"face {face} of a {source}" if isinstance(source, Die) and sources > 1 else f"face {face}"
    )
