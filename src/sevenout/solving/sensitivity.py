"""Biased dice: exact gradients, and probabilities as rational functions of a bias.

Gradients use the adjoint method (Schweitzer 1968; see docs/explanation/exact.md): one forward and
one backward solve for all faces. The derivative of a roll in a face is its distribution *given*
that face; if some rolls are repeated, both are shares of those kept.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Protocol

from flint import fmpq

from sevenout.errors import RulesError, shown
from sevenout.model import Chain, chain_of
from sevenout.rolling import Rollable, Source
from sevenout.rolling.generating_functions import RationalFunction, to_flint, to_fraction
from sevenout.rules import Game, Outcome
from sevenout.solving.elimination import Elimination
from sevenout.wrong_arguments import public


class SolvedGame(Protocol):
    """What has a chain: a `Solution`, or the answer of optimal play."""

    @property
    def chain(self) -> Chain:
        """The chain."""


Value = Callable[[Outcome], Any]
"""The value of an outcome: a profit, or whether an event happened."""


@public
def gradient(
    solution: SolvedGame, value: Value | None = None
) -> dict[Source, tuple[Fraction, ...]]:
    """The exact derivative of a mean in the probability of each face of each die.

    As one face becomes likelier, the others shrink in proportion: if the probability p of a face
    grows by ε, every other probability is multiplied by 1 - ε/(1 - p). So the derivatives, weighted
    by p(1 - p), add up to zero. Equal dice change alike. A face that always comes up can't become
    likelier; its derivative is 0.

    >>> from sevenout.rules import PointGame
    >>> from sevenout.solving import solve
    >>> craps = solve(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7))
    >>> (slopes,) = gradient(craps, lambda outcome: outcome.profit("pass") > 0).values()
    >>> [str(27225 * slope) for slope in slopes]
    ['-55266/5', '-17016/5', '17832/5', '17832/5', '37434/5', '-816/5']

    Args:
        solution: the solved game.
        value: the value of each outcome; None for the mean number of rolls.

    Raises:
        RulesError: not a solution.
    """
    chain = getattr(solution, "chain", None)
    if not isinstance(chain, Chain):
        raise RulesError(f"{shown(solution)} has no gradient; give solve(game)")
    n = len(chain.states)
    elimination = Elimination(chain.weights, fmpq(1), chain.components)
    visits = elimination.visits({0: fmpq(1)})
    per_roll = fmpq(0 if value else chain.denominator)
    ends = [to_flint(value(outcome)) if value else fmpq(0) for outcome in chain.outcomes]
    # One solve forwards and one backwards serve the faces of all dice (the adjoint method).
    gain = elimination.values([per_roll] * n, ends) + ends
    # For each rollable, the value of each of its rolls, weighted by flow.
    flows: list[list[Any]] = [[fmpq(0)] * len(r.law) for r in chain.rollables]
    for visit, rollable_index, moves in zip(visits, chain.rollable_index, chain.moves, strict=True):
        flow = flows[rollable_index]
        for i, (target, _) in enumerate(moves):
            flow[i] += visit * gain[target]
    slopes: dict[Source, list[Any]] = {}
    for rollable, flow in zip(chain.rollables, flows, strict=True):
        law = [(roll, to_flint(p)) for roll, p in rollable.law.items()]
        # Less than 1 where some rolls are repeated: shares are of the rolls kept.
        whole = sum(rollable.weigh([_shares(source) for source in rollable.sources]).values())
        for j, source in enumerate(rollable.sources):
            total = slopes.setdefault(source, [fmpq(0)] * len(source.faces))
            # Equal dice are one key, but may list their faces in another order.
            key = next(die for die in slopes if die == source)
            for k, face in enumerate(key.faces):
                i = k if source.faces[k] == face else source.faces.index(face)
                roll_given_face = _roll_given_face(rollable, j, i)
                kept = sum(roll_given_face.values())  # less than 1 if some rolls are repeated
                for (roll, p), value_of_roll in zip(law, flow, strict=True):
                    change = (roll_given_face.get(roll, 0) - p * kept) / whole
                    total[k] += change * value_of_roll * chain.denominator
    return {source: _along_faces(source, total) for source, total in slopes.items()}


def _roll_given_face(rollable: Rollable, j: int, i: int) -> Mapping[Any, Any]:
    """The distribution of the roll, given that source j shows its face i."""
    rows = [_shares(source) for source in rollable.sources]
    rows[j] = [fmpq(int(k == i)) for k in range(len(rows[j]))]
    return rollable.weigh(rows)


def _shares(source: Source) -> list[Any]:
    """The probability of each face."""
    total = sum(source.weights)
    return [fmpq(w, total) for w in source.weights]


def _along_faces(source: Source, partials: list[Any]) -> tuple[Fraction, ...]:
    """The derivatives along directions that keep the sum 1, from the partial derivatives.

    The direction of face k raises it by 1 and lowers every other face j by p_j / (1 - p_k), which
    is the partial derivative less its mean, over 1 - p_k.
    """
    shares = _shares(source)
    mean = sum((x * p for x, p in zip(partials, shares, strict=True)), fmpq(0))
    # Where p is 1, no other face is left to shrink.
    return tuple(
        to_fraction((x - mean) / (1 - p)) if p != 1 else Fraction(0)
        for x, p in zip(partials, shares, strict=True)
    )


@public
def bias(game: Game | Chain, tilt: Mapping[Any, int | Fraction], value: Value) -> RationalFunction:
    """A mean as an exact rational function of a bias t.

    The weight of a face is multiplied by 1 + t·tilt.

    >>> from sevenout.rules import PointGame
    >>> craps = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    >>> win = bias(craps, {6: 1}, lambda outcome: outcome.profit("pass") > 0)
    >>> win(0), float(win(Fraction(1, 10)))
    (Fraction(244, 495), 0.4927835676036382)

    Args:
        game: the rules, or their chain.
        tilt: the tilt of each face; default 0.
        value: the value of each outcome: a profit, or True for an event.

    Raises:
        RulesError: no die of the game has one of the faces.
    """
    chain = chain_of(game)
    faces = {face for r in chain.rollables for source in r.sources for face in source.faces}
    # A misspelt face would tilt nothing, and the answer would be a constant.
    for face in tilt:
        if face not in faces:
            raise RulesError(f"no die of the game has a face {face!r}")
    laws = [_tilted(rollable, tilt) for rollable in chain.rollables]
    rows: list[dict[int, Any]] = []
    for index, moves in zip(chain.rollable_index, chain.moves, strict=True):
        row: dict[int, Any] = {}
        for roll, (target, _) in zip(chain.rollables[index].law, moves, strict=True):
            weight = laws[index][roll]
            row[target] = row[target] + weight if target in row else weight
        rows.append(row)
    n = len(rows)
    values = [to_flint(value(outcome)) for outcome in chain.outcomes]
    total = RationalFunction([0])
    for visit, row in zip(Elimination(rows).visits({0: RationalFunction([1])}), rows, strict=True):
        for target, weight in row.items():
            if target >= n and values[target - n] and visit != 0:
                total = total + visit * weight * values[target - n]
    return total


def _tilted(rollable: Rollable, tilt: Mapping[Any, int | Fraction]) -> Mapping[Any, Any]:
    """The weight of each roll, as a function of the bias t."""
    return rollable.weigh(
        [
            [
                RationalFunction([fmpq(w), w * to_flint(tilt.get(face, 0))])
                for face, w in zip(source.faces, source.weights, strict=True)
            ]
            for source in rollable.sources
        ]
    )
