import json
import tomllib
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sevenout as so
from sevenout.errors import FileError, NotationError
from sevenout.games.fast_craps import brick_bet, pass_bet
from sevenout.rules import Line, PointGame
from sevenout.rules import gamefile as gf

SCHEMA = json.loads((Path(gf.__file__).parent / "schema.json").read_text())
GOOD = gf.game_text(gf.GameFile("Fast Craps", (pass_bet(), brick_bet())))

amounts = st.one_of(
    st.integers(-5, 40),
    st.fractions(-5, 40, max_denominator=20),
    st.tuples(st.fractions(-5, 9, max_denominator=6), st.fractions(1, 9, max_denominator=6)),
)
by_roll = st.one_of(amounts, st.lists(amounts, min_size=3, max_size=3))
schedules = st.one_of(
    by_roll, st.fixed_dictionaries({(4, 10): by_roll, (5, 9): by_roll, (6, 8): by_roll})
)
lines = st.builds(Line, natural=amounts, point=schedules, out=amounts, late=amounts)
texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20).filter(str.strip)
games = st.builds(
    lambda name, bets, limit, rules: gf.GameFile(
        name, (PointGame([7, 11], [2, 3, 12], 7, limit=limit, bets=bets),), rules
    ),
    texts,
    st.dictionaries(texts, lines, min_size=1, max_size=3),
    st.just(3),
    texts | st.just(""),
)


@given(games)
def test_a_game_file_round_trips_and_fits_the_schema(game: gf.GameFile) -> None:
    text = gf.game_text(game)
    assert gf.parse_game(text) == game
    jsonschema.validate(tomllib.loads(text), SCHEMA)


def test_the_catalogue_game_survives_the_file(tmp_path: Path) -> None:
    path = tmp_path / "fast.toml"
    path.write_text(GOOD)
    read = gf.read_game(path)
    assert so.explore(read.game) == so.explore(so.catalogue["fast-craps"])


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("out = 7", "out = 5", 5, "the out 5 is a point"),
        ("limit = 3", "limit = 0", 5, "limit=0"),
        ("[11]", "[13]", 5, "2d6 can't roll it"),
        ("[11]", "7", 6, "write a list of totals"),
        ("[11]", '["x"]', 6, "write whole numbers"),
        ("[5, 4, 3]", "[5, 4.5, 3]", 13, "the amount 4.5"),
        ('"4,10"', '"4,x"', 13, "the totals '4,x'"),
        ("limit", "limits", 10, "unknown key 'limits'"),
        ("point = 25", "point = true", 23, "the amount True"),
        ("hard = true", "hard = 1", 20, "write true or false"),
        ('"2d6"', '"2x6"', 3, "is not dice"),
        ("format = 1", "format = 2", 1, "write format = 1"),
        ('name = "Fast Craps"', "", 1, "name = None"),
        ('name = "', 'colour = "red"\nname = "', 2, "unknown key 'colour'"),
        ("out = 7", "out = ", 9, "not TOML"),
        ('[line.bets."brick"]', '[line.bets."pass"]', 5, "two of the games have a bet named"),
    ],
)
def test_an_error_names_file_and_line(old: str, new: str, line: int, says: str) -> None:
    assert old in GOOD
    with pytest.raises(NotationError) as error:
        gf.parse_game(GOOD.replace(old, new, 1), "my.toml")
    assert str(error.value).startswith(f"my.toml:{line}: "), str(error.value)
    assert says in str(error.value)


def test_files_that_can_not_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="No such file"):
        gf.read_game(tmp_path / "none.toml")
    with pytest.raises(FileError, match="directory"):
        gf.read_game(tmp_path)
    (tmp_path / "latin.toml").write_bytes(b"name = '\xe9'")
    with pytest.raises(FileError, match="UTF-8"):
        gf.read_game(tmp_path / "latin.toml")
    (tmp_path / "big.toml").write_text("#" * (gf.MAX_BYTES + 1))
    with pytest.raises(FileError, match="longer than"):
        gf.read_game(tmp_path / "big.toml")


@given(
    st.text(max_size=200)
    | st.just(GOOD).flatmap(lambda t: st.integers(0, len(t)).map(lambda i: t[:i]))
)
def test_any_text_is_a_game_or_refused_in_one_line(text: str) -> None:
    message = ""
    try:
        game = gf.parse_game(text, "my.toml")
    except NotationError as error:
        message = str(error)
    if message:
        assert message.startswith("my.toml:")
        assert "\n" not in message
    else:
        assert gf.parse_game(gf.game_text(game)) == game


@pytest.mark.parametrize(
    "text",
    [
        "out = " + "9" * 5000,
        "x = " + "[" * 5000,
        GOOD.replace('dice = "2d6"', f'dice = "{"9" * 5000}d6"'),
        GOOD.replace("[5, 4, 3]", f'["{"9" * 5000}/7", 4, 3]'),
        GOOD + "\nstake = 0\n",
    ],
)
def test_monstrous_files_are_refused_in_words(text) -> None:
    with pytest.raises(NotationError, match=r"^game"):
        gf.parse_game(text)


def test_totals_below_zero() -> None:
    pair = so.dice("2d3{-1,0,1}")
    line = Line(point={(-2, 2): "1/3"}, stake="5/2")
    game = PointGame([-1], [1], 0, pushes=[0], dice=pair, bets={'p.\n"q': line})
    text = gf.game_text(gf.GameFile('x"\n\\\x7f\u2028é', (game,), rules="a\r\nb"))
    jsonschema.validate(tomllib.loads(text), SCHEMA)
    assert gf.parse_game(text).lines == (game,)


def test_a_mark_of_the_byte_order_is_no_part_of_a_game(tmp_path) -> None:
    path = tmp_path / "game.toml"
    path.write_text("\ufeff" + GOOD, encoding="utf-8")
    assert gf.read_game(path) == gf.parse_game(GOOD)
