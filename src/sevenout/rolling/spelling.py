"""The notation of one die: `d6`, `dF`, `d3{H,T:2}`, `d2{blank,3^2}`."""

import json
import re
from collections.abc import Hashable, Sequence
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from numbers import Rational
from typing import Any

from sevenout.errors import printable

NUMBER = re.compile(r"-?[0-9]{1,4000}(?:/[0-9]{1,4000}|\.[0-9]{1,1000})?")
LABEL = re.compile(r"[^\s,:{}+|\"^<][^\s,:{}+|\"^]*")
RANGE = re.compile(r"(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})")
FUDGE = (-1, 0, 1)


def die_text(faces: Sequence[Hashable], weights: Sequence[int]) -> str:
    """The notation of a die with these faces and weights.

    >>> die_text((1, 2, 2), (1, 1, 1)), die_text((1, 2), (1, 1)), die_text(("a b",), (1,))
    ('d3{1,2,2}', 'd2', 'd1{"a b"}')
    """
    n = len(faces)
    if set(weights) == {1}:
        if tuple(faces) == FUDGE:
            return "dF"
        if tuple(faces) == tuple(range(1, n + 1)):
            return f"d{n}"
    names = [face_text(face) for face in faces]
    if "blank" in names and not any("^" in name and '"' not in name for name in names):
        names[names.index("blank")] = "blank^0"  # a mark of rank tells ranked dice from labels
    pairs = zip(names, weights, strict=True)
    return f"d{n}{{{','.join(f if w == 1 else f'{f}:{w}' for f, w in pairs)}}}"


def face_text(face: Any) -> str:
    """The notation of a face; in angle brackets if it has none.

    >>> face_text(Fraction(1, 2)), face_text("7"), face_text("heads"), face_text((1, 2))
    ('1/2', '"7"', 'heads', '<(1, 2)>')
    """
    if hasattr(face, "notation"):  # ranked faces write themselves
        return str(face.notation)
    if isinstance(face, str):
        taken = NUMBER.fullmatch(face) or RANGE.fullmatch(face) or face == "blank"
        bare = LABEL.fullmatch(face) and face.isprintable() and not taken
        return face if bare else json.dumps(face, ensure_ascii=not face.isprintable())
    if isinstance(face, int | Rational | float | Decimal) and isfinite(face):
        return str(Fraction(face))
    return f"<{printable(str(face), 60)}>"
