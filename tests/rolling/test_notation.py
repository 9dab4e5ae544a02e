from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sevenout as so
from sevenout.errors import NotationError
from sevenout.rolling import (
    Dice,
    Die,
    Face,
    Fault,
    RedNumber,
    designs,
    faulty_dice,
    has_notation,
    leave_off,
    parse_dice,
    ranked_pairs,
    red_numbers,
    relabelled,
    repainted,
    tatham,
)
from sevenout.rolling.die import all_alike
from sevenout.rolling.ranked import RedIsHalf, higher_rank, never_hard
from sevenout.rolling.sevenless import SkipFrom

faces = st.one_of(
    st.integers(-99, 99),
    st.from_regex(r"[A-Za-z*_.-][A-Za-z_]{0,3}", fullmatch=True),
    st.text(max_size=6),
    st.sampled_from(["7", "1/2", "blank", "7^6", "<x>", "\x1b[31m", '"', "\\", "a,b}|+:{", "٣"]),
    st.fractions(max_denominator=99),
    st.floats(allow_nan=False, allow_infinity=False, width=32),
)
any_dice = st.lists(
    st.lists(st.tuples(faces, st.integers(1, 99)), min_size=1, max_size=8).map(
        lambda pairs: Die([f for f, _ in pairs], [w for _, w in pairs])
    ),
    min_size=1,
    max_size=5,
).map(Dice)


ranked_faces = st.builds(
    Face, st.none() | st.integers(-9, 99), st.integers(0, 12), st.integers(-6, 6)
)
any_ranked = st.builds(
    Dice,
    st.lists(
        st.lists(st.tuples(ranked_faces, st.integers(1, 9)), min_size=1, max_size=7).map(
            lambda pairs: Die([f for f, _ in pairs], [w for _, w in pairs])
        ),
        min_size=1,
        max_size=3,
    ),
    st.just(higher_rank),
    st.sampled_from([never_hard, all_alike, RedIsHalf(RedNumber(6)), RedIsHalf(RedNumber(20))]),
)


@given(any_dice | any_ranked)
def test_text_round_trips(dice: Dice) -> None:
    text = str(dice)
    assert text.isprintable()
    assert parse_dice(text) == so.dice(str(dice)) == dice
    assert has_notation(dice)


def test_every_notation_that_the_house_prints_is_read_back() -> None:
    pair = parse_dice("2d6")
    printed = [
        *(tatham(n) for n in range(2, 13)),
        *(tatham(n, without=n + 1) for n in range(3, 9)),
        *(pair.dice for pair in ranked_pairs("2d6")),
        *(leave_off(pair.dice, t) for pair in ranked_pairs("2d4") for t in pair.removable),
        *(pair.dice for one in ranked_pairs("2d4") for pair in red_numbers(one, "2d4")),
        *(Dice(dice) for dice in relabelled("2d6")),
        faulty_dice(tatham(), [Fault(0, 3, Fraction(1, 7))]),
        faulty_dice(pair, [Fault(1, 5, Fraction(1, 10**50))]),
        Dice([tatham().dice[0], repainted(tatham(6, 7).dice[1], 2)], higher_rank, never_hard),
        Dice([Die.standard(6), Die.standard(5)], SkipFrom(7)),
        Dice([Die([0.1, Decimal("0.3"), Fraction(1, 3)])]),
    ]
    for dice in printed:
        assert parse_dice(str(dice)) == dice
        assert parse_dice(str(dice)).law == dice.law
    for name, design in designs(6).items():
        if isinstance(design, Dice):
            assert parse_dice(name).totals.law == design.totals.law


def test_dice_with_a_name() -> None:
    assert parse_dice("tatham") == tatham()
    assert parse_dice(" no-seven") == tatham(6, without=7)


def test_a_reading_of_ones_own_is_refused_and_not_lost() -> None:
    best = Dice([Die.standard(6)] * 2, total=max)
    assert not has_notation(best)
    with pytest.raises(NotationError, match="<max>"):
        parse_dice(str(best))
    assert not has_notation(Dice([Die([(1, 2), frozenset()])]))
    assert not has_notation(Dice([Die([float("inf"), 1])]))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("2d6", "2d6"),
        (" d4 + d6 ", "d4+d6"),
        ("d6+d6", "2d6"),
        ("d6{1,2,3,4,5,6}", "d6"),
        ("d2{H,T:3}", "d2{H,T:3}"),
        ("2d3{1,1,2}", "2d3{1,1,2}"),
    ],
)
def test_the_name_is_the_shortest_text(text: str, name: str) -> None:
    assert str(parse_dice(text)) == name


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "'' is not dice"),
        ("2d6+2x6", "'2x6' in '2d6+2x6' is not dice"),
        ("2x6", "'2x6' is not dice"),
        ("d", "is not dice"),
        ("2d6+", "'' in '2d6"),
        ("0d6", "no dice in '0d6'"),
        ("d0", "0 sides"),
        ("1001d6", "1001 dice"),
        ("d10001", "10001 sides"),
        ("d3{1,2}", "2 faces for a d3"),
        ("d2{1,}", "the face '' in"),
        ("d2{1,2:0}", "the weight '0'"),
        ("d2{1,2:x}", "the weight 'x'"),
        ("d2{1/0,2}", "divides by zero"),
        ('d2{"a,1}', "is not dice"),
        ('d2{"\\x",1}', "as in JSON"),
        ("d2{7^6,8}", "has no rank"),
        ("d2{7^6,8^1}+d6", "have no ranks"),
        ("2d6|red6", "write |skip7, or none"),
        ("d2{7^6,8^1}|skip7", "write |red6 or |alike"),
        ("d2{<x>,1}", "has no notation"),
        (6, "6 is not text"),
        ("d6+" * 100_000, "1001 dice"),
        ("\x1b[31m", r"'\x1b[31m'"),
    ],
)
def test_bad_text_says_what_is_wrong(text: str, says: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_dice(text)
    assert says in str(error.value)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 400


@pytest.mark.parametrize("sign", ["+", "-", "*", "/", "//", ">", "="])
def test_labels_are_not_calculated_with(sign: str) -> None:
    for text in (f"d2{{a,b}}{sign}2", f"2{sign}d2{{a,b}}"):
        with pytest.raises(NotationError, match="no plain numbers in"):
            parse_dice(text)


def test_a_number_has_at_most_99_digits() -> None:
    nines = "9" * 99
    assert parse_dice(f"d6+{nines}").total([1]) == 10**99
    for text in (f"d6+{nines}+1", f"d6-{nines}-1", f"d6+1/{nines}/2"):
        with pytest.raises(NotationError, match="up to 99 digits"):
            parse_dice(text)


def test_brackets_are_nested_at_most_fifty_deep() -> None:
    assert so.dice("(" * 50 + "2d6" + ")" * 50).totals == so.dice("2d6").totals
    assert so.law("+".join(["(d6)"] * 51)) == so.law("51d6")
    with pytest.raises(NotationError, match="more than 50 brackets"):
        so.dice("(" * 51 + "2d6" + ")" * 51)


def test_one_die() -> None:
    assert str(so.Die([1, 2, 2, 3, 3, 4])) == "d6{1,2,2,3,3,4}"


@pytest.mark.parametrize("text", ["2d6|skip7", "2d6|nonsense"])
def test_a_pool_has_no_reading(text: str) -> None:
    with pytest.raises(NotationError, match="is of a roll; leave it out of a pool"):
        so.pool(text)


@pytest.mark.parametrize("faces", ["5,5", "5:3,6"])
def test_a_face_is_counted_once(faces: str) -> None:
    with pytest.raises(NotationError, match="name each face once, without a weight"):
        so.roll(f"count {{{faces}}} in 8d6")
