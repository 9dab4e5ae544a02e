"""One throw: typed faces and totals, how they are read, and what an impossible one is told."""

from operator import add, eq, floordiv, ge, gt, le, lt, mod, mul, sub, truediv

import pytest

from sevenout.errors import NotationError, RulesError
from sevenout.rolling import Die, parse_dice
from sevenout.rolling.throw import parse_throw, see


def test_a_typed_total_is_read_as_that_total() -> None:
    dice = parse_dice("2d6")
    assert see(dice.totals, parse_throw("7")) == 7
    assert see(dice.totals, parse_throw("3,4")) == 7
    assert see(Die(["heads", "tails"]), parse_throw("heads")) == "heads"


def test_a_total_that_may_be_hard_or_easy_is_refused() -> None:
    dice = parse_dice("2d6")
    assert see(dice.ways, parse_throw("4 4")) == (8, True)
    with pytest.raises(NotationError, match="8 is not a roll of 2d6; give 2 faces, such as '1 1'"):
        see(dice.ways, parse_throw("8"))


@pytest.mark.parametrize(
    ("faces", "message"),
    [
        (["a", "b"], "z is not a roll of .*; there are: a, b$"),
        ("abcdefg", "z is not a roll of .*; there are: a, b, c, d, e, f, ...$"),
    ],
)
def test_a_face_that_one_die_lacks_is_answered_by_its_first_six_faces(faces, message) -> None:
    with pytest.raises(NotationError, match=message):
        see(Die(faces), parse_throw("z"))


def test_a_face_that_one_of_several_dice_lacks_is_named_with_its_die() -> None:
    with pytest.raises(NotationError, match="7,1 is not a roll of 2d6; there is no face 7 on d6"):
        see(parse_dice("2d6"), parse_throw("7 1"))


@pytest.mark.parametrize("operator", [add, sub, mul, truediv, floordiv, mod, lt, le, gt, ge, eq])
def test_a_roll_is_not_its_total(operator) -> None:
    roll = parse_dice("2d6").roll((3, 4))
    with pytest.raises(RulesError, match=r"roll \S+ 7: a roll has faces and a total; write roll"):
        operator(roll, 7)
