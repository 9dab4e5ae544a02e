import json
import tomllib
from fractions import Fraction
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sevenout as so
from sevenout.errors import FileError, NotationError
from sevenout.games.fast_craps import brick_bet, pass_bet
from sevenout.rules import PayTable, PointGame
from sevenout.rules import gamefile as gf

SCHEMA = json.loads((Path(gf.__file__).parent / "schema.json").read_text())
GOOD = gf.game_text(gf.GameFile("Fast Craps", (pass_bet(), brick_bet())))

pays = st.fractions(-1, 40, max_denominator=20)
risks = st.fractions(1, 9, max_denominator=6)


@st.composite
def amounts(draw, stake):
    """A profit in money, with what is at risk where it could be more than the stake."""
    profit, risk = draw(pays) * stake, draw(risks) * stake
    if profit.denominator == 1 and draw(st.booleans()):
        return int(profit)
    return draw(st.sampled_from([profit, (profit, risk), (-risk, risk)]))


@st.composite
def lines(draw):
    stake = draw(st.sampled_from([Fraction(1), Fraction(5), Fraction(21, 20)]))
    amount = amounts(stake)
    by_roll = amount | st.lists(amount, min_size=3, max_size=3)
    by_total = st.fixed_dictionaries({(4, 10): by_roll, (5, 9): by_roll, (6, 8): by_roll})
    events = {
        "natural": amount | st.fixed_dictionaries({7: amount, 11: amount}),
        "craps": amount | st.fixed_dictionaries({(2, 3): amount, 12: amount}),
        "point": by_roll | by_total,
        "out": amount,
        "late": amount,
    }
    return PayTable(**draw(st.fixed_dictionaries({}, optional=events)), stake=stake)


printed = st.characters(exclude_categories=["C", "Zl", "Zp"])
texts = st.text(printed, min_size=1, max_size=20).filter(str.strip)
games = st.builds(
    lambda name, bets, limit, rules: gf.GameFile(
        name, (PointGame([7, 11], [2, 3, 12], 7, limit=limit, bets=bets),), rules
    ),
    texts,
    st.dictionaries(texts, lines(), min_size=1, max_size=3),
    st.just(3),
    texts | st.just("") | st.just("one\n\ttwo\r\n"),
)


@settings(max_examples=25)
@given(games)
def test_a_game_file_round_trips_and_fits_the_schema(game: gf.GameFile) -> None:
    text = gf.game_text(game)
    again = gf.parse_game(text)
    assert again == game
    assert hash(again) == hash(game)
    assert so.explore(again.game) == so.explore(game.game)
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
        ("limit = 3", "limit = 0", 10, "limit = 0; allow 1 or more"),
        ("[11]", "[13]", 5, "2d6 can't roll it"),
        ("[11]", "7", 6, "write a list of totals"),
        ("[11]", '["x"]', 6, "write whole numbers"),
        ("[5, 4, 3]", "[5, 4.5, 3]", 13, "the amount 4.5"),
        ('"4,10"', '"4,x"', 13, "the totals '4,x'"),
        ("limit", "limits", 10, "unknown key 'limits'; did you mean limit?"),
        ("limit = 3", "limit = true", 10, "limit = true; write whole numbers"),
        ("limit = 3", "limit = 2026-01-01", 10, "limit = 2026-01-01; write whole numbers"),
        ("limit = 3", "", 5, "paid by roll, for 3 rolls, but rolls have no limit; add limit = 3"),
        ("point = 25", "point = nan", 23, "the amount nan"),
        ("point = 25", "point = -5", 22, "a profit of -5 loses more than the 1 at risk"),
        ("point = 25", "late = [1, 2, 3]", 23, "late is paid by roll"),
        ("point = 25", "point = { profit = 1, risk = 0 }", 22, "the money at risk is 0"),
        ("point = 25", "point = " + "9" * 4000, 23, "write 2, -1"),
        ("point = 25", "stake = [1]", 23, "the amount [1]"),
        ("format = 1", "format = true", 1, "format = true; write format = 1"),
        ("format = 1", "format = 1.0", 1, "format = 1.0; write format = 1"),
        ("format = 1", "", 1, "no format; write format = 1"),
        ("Fast Craps", "\\u001b[31m", 2, "has the character \\x1b; leave it out"),
        ("Fast Craps", "\\u202e", 2, "has the character \\u202e"),
        ('[line.bets."brick"]', '[line.bets."\\u0007"]', 15, "has the character \\x07"),
        ("point = 25", "point = true", 23, "the amount true"),
        ("hard = true", "hard = 1", 20, "write true or false"),
        ('"2d6"', '"2x6"', 3, "is not dice"),
        ("format = 1", "format = 2", 1, "write format = 1"),
        ('name = "Fast Craps"', "", 1, 'no name; write name = "..."'),
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
    line = PayTable(point={(-2, 2): "1/3"}, stake="5/2")
    game = PointGame([-1], [1], 0, pushes=[0], dice=pair, bets={'p."q': line})
    text = gf.game_text(gf.GameFile('x"\\é', (game,), rules="a\r\nb"))
    jsonschema.validate(tomllib.loads(text), SCHEMA)
    assert gf.parse_game(text).lines == (game,)


def test_a_mark_of_the_byte_order_is_no_part_of_a_game(tmp_path) -> None:
    path = tmp_path / "game.toml"
    path.write_text("\ufeff" + GOOD, encoding="utf-8")
    assert gf.read_game(path) == gf.parse_game(GOOD)


VALUES = (
    *("true", "false", "-1", "0", "3", "1.5", "nan", "inf", "-inf", "2026-01-01", "07:30:00"),
    *(
        '""',
        '" "',
        '"3/2"',
        '"3/0"',
        '"x"',
        '"\\u001b"',
        '"-1/2"',
        '"4%"',
        "9" * 30,
    ),
    *(
        f'"{"9" * 120}"',
        "[]",
        "[7]",
        "[1, 2, 3]",
        '["x"]',
        "[[7]]",
        "[true]",
        "[1.5]",
        "{}",
        "{ profit = 3 }",
    ),
    *("{ profit = 3, risk = 2 }", "{ profit = 3, risk = 0 }", '{ "4" = 1 }', '{ "4,x" = 1 }'),
    *('{ "4,10" = [5, 4, 3], "5,9" = 1, "6,8" = "3/2" }', "{ profit = true, risk = 1 }"),
)
KEYS = (*gf.TOP, *gf.LINE, *gf.BET, "limits", "pass")


def mutations(text):
    """The file with the value of a line replaced, the line left out, or another put after it."""
    lines = text.splitlines()
    for i, line in enumerate(lines):
        key, equals, _ = line.partition(" = ")
        yield lines[:i] + lines[i + 1 :]
        for value in VALUES if equals else ():
            yield [*lines[:i], f"{key} = {value}", *lines[i + 1 :]]
        for n, other in enumerate(KEYS):
            yield [*lines[: i + 1], f"{other} = {VALUES[(i + n) % len(VALUES)]}", *lines[i + 1 :]]


def test_parser_and_schema_agree_on_every_mutated_file() -> None:
    """What the schema refuses the parser refuses; what it alone refuses contradicts the rules.

    A schema knows no difference between 1 and 1.0, so no whole number is written as a decimal.
    """
    valid = jsonschema.Draft202012Validator(SCHEMA).is_valid
    seen = {"both": 0, "rules": 0, "neither": 0}
    for lines in mutations(GOOD):
        text = "\n".join(lines)
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            continue
        refused: NotationError | None = None
        try:
            gf.parse_game(text)
        except NotationError as error:
            refused = error
        said = str(refused or "")
        assert len(said) < 400
        assert said.isprintable()
        assert not [word for word in ("None", "datetime", "True", "Fraction") if word in said]
        if refused is None:
            assert valid(data), text
        elif refused.__cause__ is None:
            assert not valid(data), (str(refused), text)
        seen["both" if refused is None else "rules" if refused.__cause__ else "neither"] += 1
    assert min(seen.values()) > 40
