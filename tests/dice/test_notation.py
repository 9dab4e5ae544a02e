import pytest
from hypothesis import given
from hypothesis import strategies as st

from sevenout.dice import Dice, Die, dice_name, die_name, parse_dice, parse_die
from sevenout.errors import NotationError

faces = st.one_of(
    st.integers(-99, 99), st.from_regex(r"[A-Za-z*_.-][A-Za-z_]{0,3}", fullmatch=True)
)
any_dice = st.lists(
    st.lists(st.tuples(faces, st.integers(1, 99)), min_size=1, max_size=8).map(
        lambda pairs: Die([f for f, _ in pairs], [w for _, w in pairs])
    ),
    min_size=1,
    max_size=5,
).map(Dice)


@given(any_dice)
def test_text_round_trips(dice: Dice) -> None:
    assert parse_dice(dice_name(dice)) == dice


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
    assert dice_name(parse_dice(text)) == name


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is not dice"),
        ("2x6", "'2x6' in '2x6' is not dice"),
        ("d", "is not dice"),
        ("2d6+", "'' in '2d6"),
        ("0d6", "0 dice"),
        ("d0", "0 sides"),
        ("1001d6", "1001 dice"),
        ("d10001", "10001 sides"),
        ("d3{1,2}", "2 faces for a d3"),
        ("d2{1,}", "the face '' in"),
        ("d2{1,2:0}", "the weight '0'"),
        ("d2{1,2:x}", "the weight 'x'"),
    ],
)
def test_bad_text_says_what_is_wrong(text: str, says: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_dice(text)
    assert says in str(error.value)


def test_one_die() -> None:
    assert die_name(parse_die("d6{1,2,2,3,3,4}")) == "d6{1,2,2,3,3,4}"
    with pytest.raises(NotationError, match="2 dice"):
        parse_die("2d6")
