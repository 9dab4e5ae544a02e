"""The red number of ranked dice: the sum of offsets on the faces, modulo the sides of a red die.

It replaces the red die in games that read the total and one die. With each total, every red number
must be as frequent as on the target dice.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from operator import itemgetter

from sevenout.errors import RulesError
from sevenout.rolling.die import Dice, Die
from sevenout.rolling.notation import dice
from sevenout.rolling.special.peeling import RankedPair
from sevenout.rolling.special.ranked import TotalAndRed
from sevenout.wrong_arguments import public

Line = tuple[int, int]
"""A face: the index of its die (0 or 1), and its index on it."""


@public
def red_numbers(pair: RankedPair, target: Dice | str, red: int = 0) -> Iterator[RankedPair]:
    """Every way to add a red number, up to a constant moved from one die to the other.

    >>> from sevenout.rolling.special.peeling import ranked_pairs
    >>> {len(list(red_numbers(pair, "2d6"))) for pair in ranked_pairs("2d6")}
    {6}

    Args:
        pair: ranked dice with the totals of the target.
        target: the dice that they stand for.
        red: the index of the target's red die, from 0; it must be numbered from 1 up.

    Raises:
        RulesError: there is no such die, it is not numbered from 1 up, or the totals differ.
    """
    target = dice(target)
    if not 0 <= red < len(target):
        raise RulesError(f"{target} has no die {red}; its dice are 0 to {len(target) - 1}")
    sides = len(target.dice[red].faces)
    if target.dice[red] != Die.standard(sides):
        raise RulesError(f"the red die is {target.dice[red]}; it must be a d{sides}")
    if target.totals.law != pair.law:
        raise RulesError(f"the totals of {pair} are not those of {target}")
    want = target.read(TotalAndRed(itemgetter(red))).law
    cells = pair.sides[0] * pair.sides[1]
    if cells % want.denominator:
        return
    scale = cells // want.denominator
    supply = Counter(
        {
            (total, number % sides): w * scale
            for (total, number), w in zip(want, want.weights, strict=True)
        }
    )
    for found in _assign(pair, _inside_out(pair), supply, sides):
        reds = tuple(tuple(found[die, k] for k in range(n)) for die, n in enumerate(pair.sides))
        yield replace(pair, reds=(reds[0], reds[1]), red_sides=sides)


@public
def red_number(pair: RankedPair, target: Dice | str, red: int = 0) -> RankedPair | None:
    """The pair with a red number; None if there is none. Arguments as for `red_numbers`.

    >>> from sevenout.rolling.special.peeling import ranked_pairs
    >>> red_number(ranked_pairs("2d6")[0], "2d6").dice.law.p(lambda roll: roll.hard)
    Fraction(1, 6)
    """
    return next(red_numbers(pair, target, red), None)


def _inside_out(pair: RankedPair) -> list[Line]:
    """The faces by ascending rank: the fewest cells, so the fewest choices, come first."""
    ranked = (
        (face.rank, -die, k, die)  # type: ignore[attr-defined]
        for die, faces in enumerate(each.faces for each in pair.dice.dice)
        for k, face in enumerate(faces)
    )
    return [(die, k) for _, _, k, die in sorted(ranked)]


def _assign(
    pair: RankedPair, order: list[Line], supply: Counter[tuple[int, int]], sides: int
) -> Iterator[dict[Line, int]]:
    """Depth-first: each face takes an offset, and its cells their (total, red) from the supply."""
    totals = pair.grid
    reds: dict[Line, int] = {}

    def place(die: int, k: int, red: int) -> list[tuple[int, int]] | None:
        used: list[tuple[int, int]] = []
        for (other, m), offset in reds.items():
            if other != die:
                total = totals[k][m] if die == 0 else totals[m][k]
                cell = total, (red + offset) % sides
                supply[cell] -= 1
                used.append(cell)
                if supply[cell] < 0:
                    supply.update(used)
                    return None
        return used

    def search(depth: int) -> Iterator[dict[Line, int]]:
        if depth == len(order):
            yield dict(reds)
            return
        line = order[depth]
        for red in range(sides) if depth else range(1):
            used = place(*line, red)
            if used is not None:
                reds[line] = red
                yield from search(depth + 1)
                del reds[line]
                supply.update(used)

    return search(0)
