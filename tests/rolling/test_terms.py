"""Dice as people type them at a table, against icepool and against every roll."""

from collections import Counter
from fractions import Fraction
from itertools import product
from operator import ge, gt, le, lt
from typing import Any

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sevenout as so
from sevenout.errors import NotationError
from sevenout.rolling import Dice, Die, has_notation, parse_dice
from sevenout.rolling.expressions import DiceGroup, Drop, Successes, Sum
from sevenout.rules import Wager

HOW = {"kh": "highest", "kl": "lowest"}
SIGNS = {">=": ge, "<=": le, ">": gt, "<": lt}


@st.composite
def terms(draw: st.DrawFn) -> tuple[str, icepool.Die]:
    """A term as text, and its law by icepool."""
    n, sides = draw(st.integers(1, 5)), draw(st.sampled_from([2, 4, 6, 10]))
    fudge = draw(st.booleans())
    die = icepool.Die([-1, 0, 1]) if fudge else icepool.d(sides)
    name = f"{n}dF" if fudge else f"{n}d{sides}"
    kind = draw(st.sampled_from(["sum", "keep", "count"]))
    if kind == "keep":
        how, few = draw(st.sampled_from(sorted(HOW))), draw(st.integers(1, n))
        return f"{name}{how}{few}", getattr(die, HOW[how])(n, few)
    if kind == "count":
        sign = draw(st.sampled_from(sorted(SIGNS)))
        # a count that no die or every die raises is refused: it was meant for the total
        least = draw(
            st.integers(-2, 8).filter(lambda x: len({SIGNS[sign](f, x) for f in die}) == 2)
        )
        success = die.map(lambda face: int(SIGNS[sign](face, least)))
        return f"{name}{sign}{least}", n @ success
    return name, n @ die


times = st.sampled_from([1, -1, 2, -3])
signed = st.lists(st.tuples(times, terms()), min_size=1, max_size=3)


@given(signed, st.integers(-9, 9))
def test_terms_agree_with_icepool(parts: list, plus: int) -> None:
    said = [(f"{'+' if k > 0 else '-'}{name}", abs(k)) for k, (name, _) in parts]
    text = "".join(name if k == 1 else f"{name}*{k}" for name, k in said)
    text = text.removeprefix("+") + (f"{plus:+}" if plus else "")
    peer = sum((k * die for k, (_, die) in parts), start=icepool.Die([plus]))
    dice = so.dice(text)
    assert dict(dice.totals.law) == {x: Fraction(w, peer.denominator()) for x, w in peer.items()}
    assert parse_dice(str(dice)) == dice
    assert has_notation(dice)


@pytest.mark.parametrize(
    "text",
    [
        "4d6kh3",
        "3d6kl2-d4+1",
        "4d4>=3+2d6",
        "3dF+2d3{1,1,5:3}kh1",
        "2d6-1/2",
        "-d4+2d3>1",
        "2d4kh1*3-d3*1/2",
        "d3/2d2",
        "(2d3-4)//d2",
        "(d3+1)*2d2",
        "d3*d3/2d2",
        "2d2<d4",
        "d3=2d2",
        "d3!=d2+1",
        "max(d4,2d2)-min(2d3,d4+1)",
    ],
)
def test_terms_agree_with_every_roll(text: str) -> None:
    dice = parse_dice(text)
    assert dice.totals.law == dice.read(lambda roll: roll.total).law
    weights = [[k + 1 for k, _ in enumerate(die.faces)] for die in dice.dice]
    loaded = {}
    for shown in product(*(range(len(die.faces)) for die in dice.dice)):
        total = dice.total([die.faces[k] for die, k in zip(dice.dice, shown, strict=True)])
        weight = 1
        for row, k in zip(weights, shown, strict=True):
            weight *= row[k]
        loaded[total] = loaded.get(total, 0) + weight
    assert dice.totals.weigh(weights) == loaded
    assert dict(so.roll(text)) == dict(dice.totals.law)  # without weights, another way


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("4D6KH3", "4d6kh3"),
        ("4d6k3", "4d6kh3"),
        ("4d6 dl1", "4d6kh3"),
        ("4d6dh1", "4d6kl3"),
        ("4d6kh4", "4d6"),
        ("2d20kl", "2d20kl1"),
        ("d%", "d100"),
        ("2D%", "2d100"),
        ("d3{-1,0,1}", "dF"),
        ("4DF", "4dF"),
        ("3 + 2d6", "2d6+3"),
        ("2d6+2-2", "2d6"),
        ("2d6 - 1", "2d6-1"),
        ("2d6+0.5", "2d6+1/2"),
        ("d6+d6-1", "2d6-1"),
        ("4d10>=8+4d10>=8", "8d10>=8"),
        ("-d4+10", "-d4+10"),
        ("3d6 drop lowest", "3d6kh2"),
        ("4D6 Keep Highest 3", "4d6kh3"),
        ("2d{1,1,2}", "2d3{1,1,2}"),
        ("2*d6*3 - 1", "d6*6-1"),
        ("d6*2+d6*2", "2d6*2"),
        ("4dF>=0", "4dF>=0"),
    ],
)
def test_what_people_type_has_one_name(text: str, name: str) -> None:
    assert str(parse_dice(text)) == name
    assert parse_dice(name) == parse_dice(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("4d6kh5", "keep 5 of 4 dice in '4d6kh5'; from 1 to 4"),
        ("4d6kh0", "keep 0 of 4"),
        ("4d6dl4", "drop 4 of 4 dice in '4d6dl4'; from 1 to 3"),
        ("d6dl1", "there is only one"),
        ("4d2{H,T}kh1", "whose faces are numbers"),
        ("2d2{7^6,8^1}+3", "whose faces are numbers"),
        ("2d6kh1|skip7", "the reading 'skip7'"),
        ("2d6--1", "'-1' in '2d6--1' is not dice"),
        ("-", "'' in '-' is not dice"),
        ("2d6*0", "always 0"),
        ("2d6*1/0", "divides by zero"),
        ("dkh1", "is not dice"),
        ("3", "no dice in '3'"),
        ("2d6>=1/0", "divides by zero"),
        ("2d6+1/0", "divides by zero"),
        ("dF{1,2,3}", "is not dice"),
        ("2d6=>3", "is not dice"),
        ("2d6>=13", "to compare the total, write (2d6)>=7"),
        ("2d6+1/" + "9" * 99 + "+1/" + "7" * 98, "are too long"),
        ("2d6+" + "9" * 5000, "is not dice"),
    ],
)
def test_what_is_no_dice_is_refused_in_a_line(text: str, says: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_dice(text)
    assert says in str(error.value)
    assert len(str(error.value)) < 400


def test_totals_of_several_kinds_of_dice_have_a_text() -> None:
    mixed = Dice([Die.standard(6), Die.standard(4), Die.standard(4)], DiceGroup(3, Drop(lowest=1)))
    assert str(mixed) == "(d6+2d4)kh2"
    assert parse_dice(str(mixed)) == mixed
    assert mixed.totals.law[10] == Fraction(7, 6 * 16)
    counted = Dice([Die.standard(6), Die.standard(4)], DiceGroup(2, Successes(">", 3)))
    assert parse_dice(str(counted)) == counted


def test_a_total_of_other_dice_is_not_given_a_text() -> None:
    short = Dice([Die.standard(6)] * 3, Sum(((1, DiceGroup(2)),)))
    assert not has_notation(short)
    assert short.totals.law == parse_dice("2d6").totals.law


@pytest.mark.parametrize(
    ("text", "name", "function"),
    [
        ("max(d8, d6)", "max(d8,d6)", max),
        ("MIN(d4,d2{1,5},d6)", "min(d4,d2{1,5},d6)", min),
        ("max(d6,d6)", "2d6kh1", max),
    ],
)
def test_the_best_of_dice_that_differ(text: str, name: str, function: Any) -> None:
    dice = parse_dice(text)
    assert str(dice) == name
    assert parse_dice(name) == dice
    rolls = [function(faces) for faces in product(*(die.faces for die in dice.dice))]
    assert {t: dice.totals.law[t] for t in dice.totals.law} == {
        t: Fraction(n, len(rolls)) for t, n in Counter(rolls).items()
    }
    doubled = parse_dice(f"1+2*{name}").totals.law
    assert doubled.mean == 1 + 2 * dice.totals.law.mean


def test_they_are_dice_of_a_game() -> None:
    game = Wager(so.dice("4d6kh3").totals, {18: 10, (*range(3, 9),): -1}, bet="stats")
    win = Fraction(21, 1296)
    lose = so.dice("4d6kh3").totals.law.cdf(8)
    assert so.solve(game).bet("stats").mean == (10 * win - lose) / (win + lose)
    best = so.dice("3d6kh2")
    rolled = Dice(best.dice, lambda faces: sum(sorted(faces)[1:]))
    craps, other = (so.PointGame([7, 11], [2, 3, 12], 7, dice=each) for each in (best, rolled))
    assert so.solve(craps).outcomes == so.solve(other).outcomes


def test_a_thousand_dice_are_not_rolled_out() -> None:
    assert so.dice("1000d6+3").totals.law.mean == 3503
    assert so.dice("600d6>=5-400d4").totals.law.mean == 200 - 1000
