"""The text on faces, and the order of totals."""

from fractions import Fraction
from typing import Any

from sevenout.rolling import Face


def face_text(face: Any) -> str:
    """The text on a face.

    >>> face_text(Face(None, 0)), face_text(7)
    ('blank', '7')
    """
    if isinstance(face, Face):
        return "blank" if face.value is None else str(face.value)
    return str(face)


def in_order(law: Any) -> list[Any]:
    """The outcomes of a distribution, numbers by size."""
    if all(isinstance(t, int | Fraction) for t in law):
        return sorted(law)
    return list(law)
