import json
import tomllib
from fractions import Fraction
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rules.gamefiles import files

import sevenout as so
from sevenout.catalogue.craps_family.craps_variants import brick_bet, pass_bet
from sevenout.errors import FileError, NotationError
from sevenout.rules import PayTable, PointGame
from sevenout.rules.gamefiles import gamefile as gf
from sevenout.rules.gamefiles import gamekeys as keys

SCHEMA = json.loads((Path(gf.__file__).parent / "schema.json").read_text())
GOOD = gf.game_text(gf.GameFile("Fast Craps", (pass_bet(), brick_bet())))

SIDE = """
format = 1
name = "Three strikes"
maker = "The house"
procedure = "The stick man pushes the dice."
[[line]]
naturals = [7, 11]
craps = [2, 3, 12]
out = 7
names = { natural = "nick", point = "chance", out = "three strikes" }
[line.bets.pass]
minimum = 5
maximum = 500
top_award = "25,000 a round"
[[wager]]
bet = "field"
limit = 1
pays = { "3,4,9,10,11" = 1, "2,12" = "200%" }
rest = -1
names = { "2,12" = "double", rest = "no field" }
[[wager]]
bet = "hard 8"
stake = 2
pays = { "hard 8" = 18, "7,easy 8" = -2 }
[[checklist]]
bet = "small"
collect = [2, 3, 4, 5, 6]
stop = 7
pays = { 5 = 34, 4 = 2 }
names = { complete = "all five", stop = "seven", 4 = "all but one" }
"""
GIVEN_UP = """
format = 1
name = "Half back"
[[line]]
naturals = [7, 11]
craps = [2, 3, 12]
out = 7
limit = 3
names = { surrender = "half back" }
[line.bets.pass]
surrender = { "4,10" = ["-1/2", "-60%", "-2/3"], "5,9" = "-1/2" }
"""
TICKED = """
format = 1
name = "Six sixes"
[[checklist]]
bet = "repeater"
collect = { 6 = 6 }
stop = 7
pays = 89
surrender = { 3 = 7, 4 = 17, 5 = 39 }
"""


def test_every_key_of_the_schema_is_read_and_sets_an_attribute() -> None:
    limits = {key.name for key in keys.TABLES["limits"]}
    for kind, games in keys.FAMILIES.items():
        fields = {name for game in games for name in game.__dataclass_fields__}
        for key in keys.TABLES[kind]:
            assert key.kind in keys.KINDS, key
            # Offers make another game of it, limits belong to the file.
            assert key.attribute in fields | limits | {"surrender"}, key
    read_by_rulebooks = {"rules_roll", "rules_choose"}
    for name in keys.TABLES.keys() - keys.FAMILIES.keys() - read_by_rulebooks - {"amount"}:
        assert {key.kind for key in keys.TABLES[name]} <= keys.KINDS.keys(), name


@settings(max_examples=60)
@given(files())
def test_a_game_file_round_trips_and_fits_the_schema(game: gf.GameFile) -> None:
    text = gf.game_text(game)
    again = gf.parse_game(text)
    assert again == game
    assert hash(again.games) == hash(game.games)
    jsonschema.validate(tomllib.loads(text), SCHEMA)


@pytest.mark.parametrize("text", [GOOD, SIDE, GIVEN_UP, TICKED])
def test_a_file_is_the_same_game_again(text: str) -> None:
    game = gf.parse_game(text)
    again = gf.parse_game(gf.game_text(game))
    assert again == game
    assert hash(again) == hash(game)
    one, other = so.explore(again.game), so.explore(game.game)
    if isinstance(one, so.model.Model):
        one, other = (each.under(lambda _: "let it ride") for each in (one, other))
    assert one == other


def test_the_catalogue_game_survives_the_file(tmp_path: Path) -> None:
    path = tmp_path / "fast.toml"
    path.write_text(GOOD)
    read = gf.read_game(path)
    assert so.explore(read.game) == so.explore(so.games["fast-craps"])


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("out = 7", "out = 5", 5, "the out 5 is a point"),
        ("limit = 3", "limit = 0", 10, "limit = 0; allow 1 or more"),
        ("[11]", "[13]", 5, "2d6 can't roll it"),
        ("[11]", "7", 6, "write a list of totals"),
        ("[11]", '["x"]', 6, "write whole numbers"),
        ("[5, 4, 3]", "[5, 4.5, 3]", 13, "the amount 4.5"),
        ('"4,10"', '"4"', 13, "the total 10 is missing"),
        ('"4,10"', '"4,x"', 13, "the totals '4,x'"),
        ("limit", "limits", 10, "unknown key 'limits'; did you mean limit?"),
        ("limit = 3", "limit = true", 10, "limit = true; write whole numbers"),
        ("limit = 3", "limit = 2026-01-01", 10, "limit = 2026-01-01; write whole numbers"),
        ("limit = 3", "", 12, "paid by roll, for 3 rolls, but rolls have no limit; add limit = 3"),
        ("point = 25", "point = nan", 24, "the amount nan"),
        ("point = 25", "point = -5", 24, "a profit of -5 loses more than the 1 at risk"),
        ("point = 25", "late = [1, 2, 3]", 24, "late is paid by roll"),
        ("point = 25", "point = { profit = 1, risk = 0 }", 24, "the money at risk is 0"),
        ("point = 25", "point = " + "9" * 4000, 24, "write it in quotes, with 99"),
        ("point = 25", "stake = [1]", 24, "the amount [1]"),
        ("format = 1", "format = true", 1, "format = true; write format = 1"),
        ("format = 1", "format = 1.0", 1, "format = 1.0; write format = 1"),
        ("format = 1", "", 1, "no format; write format = 1"),
        ("Fast Craps", "\\u001b[31m", 2, "has the character \\x1b; leave it out"),
        ("Fast Craps", "\\u202e", 2, "has the character \\u202e"),
        ('[line.bets."brick"]', '[line.bets."\\u0007"]', 15, "has the character \\x07"),
        ("point = 25", "point = true", 24, "the amount true"),
        ("hard = true", "hard = 1", 20, "write true or false"),
        ('"2d6"', '"2x6"', 3, "is not dice"),
        ("format = 1", "format = 2", 1, "write format = 1"),
        ('name = "Fast Craps"', "", 1, 'no name; write name = "..."'),
        ('name = "', 'colour = "red"\nname = "', 2, "unknown key 'colour'"),
        ("out = 7", "out = ", 9, "not TOML"),
        ('[line.bets."brick"]', '[line.bets."pass"]', 5, "two of the games have a bet named"),
        ("[11]", "[11, 11]", 6, "naturals = [11, 11]; list each total once"),
        ('"2d6"', "6", 3, 'dice = 6; write a text, such as dice = "2d6"'),
        ("point = 25", 'point = "20..30"', 24, "is an open number; `sevenout tune` fills it in"),
    ],
)
def test_an_error_names_file_and_line(old: str, new: str, line: int, says: str) -> None:
    assert old in GOOD
    with pytest.raises(NotationError) as error:
        gf.parse_game(GOOD.replace(old, new, 1), "my.toml")
    assert str(error.value).startswith(f"my.toml:{line}: "), str(error.value)
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("text", "old", "new", "line", "says"),
    [
        (SIDE, '"3,4,9,10,11"', '"3,4,9,10,11,12"', 18, "12 is listed twice"),
        (SIDE, "limit = 1\n", "", 18, "rest is paid when no roll decides; set limit = 1"),
        (SIDE, '"2,12" = "double"', '"2" = "double"', 20, "a name for '2'"),
        (SIDE, "7,easy 8", "7,easy 9,8", 21, "4-4 is both hard 8 and 8"),
        (SIDE, '"hard 8" = 18', '"triples" = 18', 21, "triples need 3 dice, but 2 are rolled"),
        (SIDE, '"hard 8" = 18', '"hard 9" = 18', 21, "'hard 9' can't be rolled; the rolls are: "),
        (SIDE, '"hard 8" = 18', '"hard" = 18', 24, "'hard' is not an event; write 7,"),
        (SIDE, "maximum = 500", "maximum = 4", 13, "maximum = 4 is less than minimum = 5"),
        (SIDE, "minimum = 5", "minimum = 0", 12, "minimum = 0; write more than 0"),
        (SIDE, '"25,000 a round"', "25000", 14, "top_award = 25000; write a text"),
        (SIDE, 'natural = "nick"', 'nick = "nick"', 10, "unknown key 'nick'; known are natural"),
        (SIDE, 'natural = "nick"', "natural = 7", 10, "natural is named 7; name it in words"),
        (SIDE, 'natural = "nick"', 'surrender = "up"', 10, "nothing is offered"),
        (SIDE, "[2, 3, 4, 5, 6]", "[2, 3, 3]", 27, "list each roll once"),
        (SIDE, "[2, 3, 4, 5, 6]", "7", 27, "write [2, 3, 4] or { 6 = 3, 8 = 3 }"),
        (SIDE, "collect = [2, 3, 4, 5, 6]\n", "", 25, "a checklist without collect; write"),
        (SIDE, "stop = 7", 'stop = "7,8"', 28, "name one roll, such as 7"),
        (SIDE, "{ 5 = 34, 4 = 2 }", "{ 6 = 34, 4 = 2 }", 29, "a prize for 6 of 5; pay for 0 to 5"),
        (
            SIDE,
            "{ 5 = 34, 4 = 2 }",
            "{ 5 = -2, 4 = 2 }",
            25,
            "a profit of -2 loses more than the 1",
        ),
        (SIDE, 'bet = "small"', 'bet = "pass"', 6, "two of the games have a bet named 'pass'"),
        (SIDE, 'bet = "small"', "bet = 4", 26, 'bet = 4; name it, such as bet = "field"'),
        (SIDE, 'bet = "small"', 'bet = ""', 26, "bet = ''; name it, such as bet = \"field\""),
        (SIDE, "out = 7", "ot = 7", 9, "unknown key 'ot'; did you mean out?"),
        (SIDE, 'bet = "small"', "'bets' = 1", 26, "unknown key 'bets'; did you mean bet?"),
        (SIDE, 'bet = "small"', "bets.x = 1", 26, "unknown key 'bets'; did you mean bet?"),
        (SIDE, "out = 7", 'dice = """\n[[line]]\nout = 7\n"""', 9, "unknown key 'dice'"),
        (TICKED, "[[checklist]]", "[checklist.x]", 4, "checklist = a table of 'x'"),
        (SIDE, 'bet = "small"\n', "", 25, "a checklist without bet; write bet"),
        (SIDE, "stop = 7", "stop = 7\nsurrender = { 3 = 0 }", 6, "alone in its file"),
        (TICKED, "[[checklist]]", "[checklist]", 4, "checklist = a table of"),
        (GIVEN_UP, '"5,9"', '"5,7"', 11, "an offer on (7, 0), which can't happen"),
        (GIVEN_UP, '"5,9"', '"5,10"', 11, "10 is listed twice"),
        (GIVEN_UP, "limit = 3\n", "", 10, "rolls have no limit; offer one amount"),
        (GIVEN_UP, '"-60%"', "-2", 11, "a profit of -2 loses more than the 1 at risk"),
        (TICKED, "{ 3 = 7,", "{ 6 = 7,", 9, "an offer on 6, which can't happen; it can be on 1"),
        (TICKED, "{ 3 = 7, 4 = 17, 5 = 39 }", "7", 9, "by how many boxes are ticked"),
    ],
)
def test_an_error_in_a_wager_a_checklist_or_an_offer(
    text: str, old: str, new: str, line: int, says: str
) -> None:
    assert old in text
    with pytest.raises(NotationError) as error:
        gf.parse_game(text.replace(old, new, 1), "my.toml")
    assert str(error.value).startswith(f"my.toml:{line}: "), str(error.value)
    assert says in str(error.value)


@pytest.mark.parametrize("name", [" layout.svg", "Layout.svg ", "RACK-CARD.svg"])
def test_a_layout_takes_no_name_of_a_drawing(name: str) -> None:
    with pytest.raises(NotationError, match="name a picture beside this file"):
        gf.parse_game(GIVEN_UP.replace("name =", f'layout = "{name}"\nname =', 1))


def test_a_comment_with_quotes_hides_no_line() -> None:
    text = '# say """\nformat = 1\nname = "x"\n[keep]\nleast = "a"\n# """\n'
    with pytest.raises(NotationError, match=r"my\.toml:5: least"):
        gf.parse_game(text, "my.toml")


def test_files_that_can_not_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="No such file"):
        gf.read_game(tmp_path / "none.toml")
    with pytest.raises(FileError, match="directory"):
        gf.read_game(tmp_path)
    (tmp_path / "latin.toml").write_bytes(b"name = '\xe9'")
    with pytest.raises(FileError, match="UTF-8"):
        gf.read_game(tmp_path / "latin.toml")
    (tmp_path / "big.toml").write_text("#" * (gf.MAX_HANDWRITTEN_BYTES + 1))
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


def test_what_can_not_be_rolled_is_said_without_a_list_of_nothing() -> None:
    wager = '[[wager]]\nbet = "f"\nlimit = 1\npays = { "hard 7" = 1 }\n'
    with pytest.raises(NotationError, match=r"'hard 7' can't be rolled, so nothing decides"):
        gf.parse_game(f'format = 1\nname = "x"\n{wager}')


def test_more_offers_than_rolls_are_counted() -> None:
    text = gf.game_text(gf.parse_game(GIVEN_UP)).replace("limit = 3", "limit = 2")
    with pytest.raises(NotationError, match=r"3 offers on \d+, but limit = 2; list one for each"):
        gf.parse_game(text)


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
    assert gf.parse_game(text).games == (game,)


def test_a_mark_of_the_byte_order_is_no_part_of_a_game(tmp_path) -> None:
    path = tmp_path / "game.toml"
    path.write_text("\ufeff" + GOOD, encoding="utf-8")
    assert gf.read_game(path) == gf.parse_game(GOOD)


def test_a_table_in_a_long_text_is_no_table() -> None:
    text = SIDE.replace('maker = "The house"', 'rules = """\n[[line]]\nout = 7\n"""')
    with pytest.raises(NotationError, match=r"my.toml:12: out = true; write whole numbers"):
        gf.parse_game(text.replace("\nout = 7\nnames", "\nout = true\nnames"), "my.toml")


@pytest.mark.parametrize("name", ["no-crap-pass", "sic-bo-small-big", "chuck-a-luck-1-2-3"])
def test_a_game_that_reads_its_dice_in_its_own_way_is_not_written(name: str) -> None:
    """Its rules without its reading would be another game, or none."""
    with pytest.raises(NotationError, match="reads its dice in another way"):
        gf.game_text(gf.GameFile(name, (so.games[name],)))


LIMITED = """
format = 1
name = "Limited"
[[line]]
naturals = [7, 11]
craps = [2, 3, 12]
out = 7
[line.bets.pass]
point = {{ "4,10" = 2, "5,9" = "3/2", "6,8" = 1 }}
{}
"""


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ("maximum = 500\ntop_award = '1,000'", "to 500 units, top award 1,000 units"),
        ("minimum = 5\nmaximum = 500", "from 5 to 500 units"),
        ("maximum = 500\ntop_award = '25,000 a round'", "to 500 units, top award 25,000 a round"),
        ("maximum = 500\ntop_award = 'as posted'", "to 500 units, top award as posted"),
        ("minimum = 1", "from 1 unit"),
    ],
)
def test_limits_have_a_unit(limits, said):
    file = gf.parse_game(LIMITED.format(limits))
    assert file.limits_of("pass") == said
    dollars = gf.parse_game(LIMITED.format(limits).replace("[[line]]", 'currency = "$"\n[[line]]'))
    assert "unit" not in dollars.limits_of("pass")
    assert gf.parse_game(gf.game_text(dollars)) == dollars


@pytest.mark.parametrize(
    ("limits", "match"),
    [
        (
            "maximum = 500\ntop_award = '999'",
            r':11: top_award = "999", and 2 to 1 on maximum = 500 is 1000',
        ),
        ("maximum = 500\ntop_award = '$900 a round'", "2 to 1 on maximum = 500 is 1000"),
        (
            "maximum = 500\ntop_award = '1,000'\n[progressive.pass]\non = 'natural'\nseed = 5\n"
            "share = '1%'",
            "the meter of pass has no limit, and its top_award",
        ),
        (
            "top_award = '1,000'\n[progressive.pass]\non = 'natural'\nseed = 5\nshare = '1%'\n"
            "must_hit_by = 1001",
            "the meter of pass goes up to 1001, and its top_award",
        ),
        (
            "maximum = 500\ntop_award = '1,499'\n[progressive.pass]\non = 'natural'\nseed = 5\n"
            "share = '1%'\nmust_hit_by = 1000",
            "goes up to 1000, and 1 to 1 on 500 is paid with it",
        ),
    ],
)
def test_two_statements_of_a_top_award_do_not_contradict_each_other(limits, match):
    with pytest.raises(NotationError, match=match):
        gf.parse_game(LIMITED.format(limits))


@pytest.mark.parametrize(
    ("bet", "most"),
    [
        ("[[wager]]\nbet = 'b'\nstake = 5\nlimit = 1\npays = { 12 = 150 }", 30),
        ("[[wager]]\nbet = 'b'\nlimit = 1\npays = { 12 = 0 }\nrest = '1/2'", Fraction(1, 2)),
        ("[[checklist]]\nbet = 'b'\ncollect = [2, 3]\nstop = 7\npays = { 1 = 3, 2 = 40 }", 40),
    ],
)
def test_the_most_that_a_bet_is_paid(bet, most):
    head = f'format = 1\nname = "Most"\n{bet}\nmaximum = 2\n'
    gf.parse_game(f"{head}top_award = '{float(2 * most)}'")
    with pytest.raises(NotationError, match=f"top_award.*{2 * most};"):
        gf.parse_game(f"{head}top_award = '{float(2 * most) - 0.5}'")
