"""Make `Dice` from text or from a Python object."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from sevenout.rolling.die import Die
    from sevenout.rolling.roll import Dice


def dice(given: str | Die | Dice | Mapping[Any, Any] | Iterable[Die]) -> Dice:
    """Dice from text, or from anything with outcomes and integer weights.

    >>> dice("2d6").totals.law[7]
    Fraction(1, 6)
    >>> print(dice({1: 1, 2: 2, 3: 1}), dice(dice("d4").dice * 3))
    d3{1,2:2,3} 3d4

    Args:
        given: text such as "2d6" or "d6{1,2,2,3,3,4}"; a die, or a list of them; a distribution, a
            Counter, an `icepool.Die` or any mapping of outcomes to weights.

    Raises:
        NotationError: the text is not dice.
        RulesError: any other object that can't be rolled, or a weight that is not a whole number.
    """
    from collections.abc import Iterable, Mapping

    from sevenout.errors import RulesError, shown
    from sevenout.rolling.die import Die
    from sevenout.rolling.law import Law
    from sevenout.rolling.notation import parse_dice
    from sevenout.rolling.roll import Dice

    if isinstance(given, str):
        return parse_dice(given)
    if isinstance(given, Dice):
        return given
    if isinstance(given, Die):
        return Dice([given])
    if isinstance(given, Mapping):
        law = given if isinstance(given, Law) else Law(given)
        return Dice([Die(law.faces, law.weights)])
    if isinstance(given, Iterable):
        return Dice(given)
    if type(given) is int and given > 0:
        raise RulesError(f"dice={shown(given)}; write sevenout.dice('d{shown(given)}')")
    raise RulesError(f"dice={shown(given)} can't be rolled; write sevenout.dice('2d6')")
