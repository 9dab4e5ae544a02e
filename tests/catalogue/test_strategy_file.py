"""Strategy files: the same evenings as the library's, and what is wrong with a file."""

import tomllib

import pytest

from sevenout.catalogue.strategies import strategies, strategy_file
from sevenout.catalogue.strategies.strategy_file import parse_strategy, schema
from sevenout.errors import NotationError
from sevenout.evenings import evening

ALIKE = {
    "pass-odds": '[[bet]]\non = "pass"\namount = 1\nodds = [3, 4, 5]',
    "dont-pass-lay": '[[bet]]\non = "don\'t pass"\namount = 1\nodds = 6',
    "three-point-molly": (
        '[[bet]]\non = "pass"\namount = 1\nodds = [3, 4, 5]\n'
        '[[bet]]\non = "come"\namount = 1\nodds = [3, 4, 5]\nbelow = 3'
    ),
    "place-6-8-power": (
        '[[bet]]\non = "place 6"\namount = 6\nwhen = "point"\npress = "all"\nmost = 30\n'
        '[[bet]]\non = "place 8"\namount = 6\nwhen = "point"\npress = "all"\nmost = 30'
    ),
    "martingale": '[[bet]]\non = "pass"\namount = 1\nladder = [1, 2, 4, 8, 16, 32, 64]',
}
EXAMPLE = (strategy_file.__doc__ or "").split("TOML.")[1].split("The schema")[0]
EXAMPLE = "\n".join(line.removeprefix("    ") for line in EXAMPLE.splitlines()[1:])


@pytest.mark.parametrize("name", list(ALIKE))
def test_a_file_says_what_the_library_does(name):
    file = parse_strategy(ALIKE[name])
    mine = evening(file.strategy, 200, rolls=6)
    theirs = evening(strategies[name], 200, rolls=6)
    assert dict(mine.money.items()) == pytest.approx(dict(theirs.money.items()), rel=1e-12)
    assert mine.handle == pytest.approx(theirs.handle, rel=1e-12)


def test_so_many_bets_a_shooter():
    file = parse_strategy('[[bet]]\non = "field"\namount = 1\nlimit = 2')
    assert evening(file.strategy, 100, rolls=2).handle == 2
    assert evening(file.strategy, 100, shooters=1).handle <= 2


def test_any_bet_of_the_felt_may_be_named():
    names = ("hop 2-5", "small", "hard 8", "buy 4", "lay 10", "big 6", "yo", "horn")
    text = "\n".join(f'[[bet]]\non = "{name}"\namount = 4' for name in names)
    result = evening(parse_strategy(text).strategy, 500, rolls=1)
    first = result.bankroll + result.profit.support[0]
    assert first >= 500 - 4 * len(names)
    assert result.mean < 0


def test_a_bet_that_regresses():
    text = '[[bet]]\non = "place 6"\namount = 12\nwhen = "point"\npress = -6\nleast = 6'
    file = parse_strategy(text)
    result = evening(file.strategy, 500, rolls=30)
    flat = evening(strategies("place-6-8", amount=12, numbers=(6,)), 500, rolls=30)
    assert 0 < result.handle < flat.handle
    assert float(result.edge) == pytest.approx(1 / 66, rel=1e-9)
    bounded = parse_strategy(f"{text}\nmost = 12").strategy  # it is never more, and may be less
    assert evening(bounded, 500, rolls=30).handle == result.handle


def test_the_example_is_a_strategy_and_fits_the_schema():
    jsonschema = pytest.importorskip("jsonschema")
    file = parse_strategy(EXAMPLE)
    assert file.name == "Come twice, press the six"
    assert file.evening == {"bankroll": 300, "hours": 4, "stop_loss": 150, "standing": "down"}
    for text in (EXAMPLE, *ALIKE.values()):
        jsonschema.validate(tomllib.loads(text), schema())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "from 1 to 40 tables"),
        ("bet = 3", "from 1 to 40 tables"),
        ("bet = [3]", r"strategy:1: bet = 3; write a table, \[\[bet\]\]"),
        (
            'evening = 3\n[[bet]]\non = "pass"\namount = 1',
            r"strategy:1: evening = 3; write a table, \[evening\]",
        ),
        ("format = true\n[[bet]]", "format = true; write format = 1"),
        ("[[bet]]\non = 3\namount = 1", 'strategy:2: on = 3; name a bet, such as on = "pass"'),
        ('[[bet]]\non = ""\namount = 1', "strategy:2: no bet '' on this felt"),
        ('[[bet]]\non = "pass"\namount = "1..2"', "strategy:3: the amount '1..2'; write 2"),
        (f'[[bet]]\non = "pass"\namount = {10**20}', "strategy:3: .* write it in quotes"),
        ("format = 2\n[[bet]]", "strategy:1: format = 2; write format = 1"),
        ('[[bet]]\non = "pas"\namount = 1', "strategy:2: no bet 'pas'"),
        ('[[bet]]\non = "pass odds"\namount = 1', "with its odds"),
        ('[[bet]]\non = "small 2,3"\namount = 1', "as it is made"),
        ('[[bet]]\non = "come 6"\namount = 1', "as it is made"),
        (
            '[[bet]]\non = "pass"',
            "strategy:1: a bet without amount; write amount, such as amount = 5",
        ),
        ('[[bet]]\non = "pass"\namount = 1.5', "strategy:3: the amount 1.5; write 2"),
        ('[[bet]]\non = "pass"\namount = -1', "amount = -1; give more than 0"),
        (
            '[[bet]]\non = "pass"\namount = 1\nwhen = "now"',
            "strategy:4: when = 'now'; write one of \"come-out\"",
        ),
        ('[[bet]]\non = "pass"\namount = 1\nodds = [1, 2]', "or three"),
        ('[[bet]]\non = "pass"\namount = 1\nodds = "x"', "the amount 'x'"),
        ('[[bet]]\non = "pass"\namount = 1\npress = "some"', "the amount 'some'"),
        ('[[bet]]\non = "pass"\namount = 1\nmost = -3', "most = -3; give 0 or more"),
        (
            '[[bet]]\non = "pass"\namount = 5\nmost = 3',
            "strategy:4: most = 3; give no less than the amount, 5",
        ),
        (
            '[[bet]]\non = "pass"\namount = 1\n[evening]\nbankroll = "lots"',
            "strategy:5: the amount 'lots'",
        ),
        (
            '[[bet]]\non = "pass"\namount = 1\n[evening]\nhours = -1',
            "strategy:5: hours = -1; give more than 0",
        ),
        (
            '[[bet]]\non = "pass"\namount = 1\n[evening]\npace = "2"',
            "pace = '2'; give a whole number, 1 or more",
        ),
        (
            '[[bet]]\non = "pass"\namount = 1\n[evening]\nstanding = "up"',
            "standing = 'up'; write one of \"staked\"",
        ),
        (
            '[[bet]]\non = "pass"\namount = 1\nladder = []',
            "ladder = .*; give 1 to 40 multiples",
        ),
        (
            '[[bet]]\non = "pass"\namount = 1\nlimit = 0',
            "limit = 0; give a whole number from 1 to 99",
        ),
        ('[[bet]]\non = "pass"\namount = 1\nhow = 1', "strategy:4: unknown key 'how'"),
        ('[[bet]]\non = "pass"\namount = 1\n[evening]\nend = 1', "strategy:5: unknown key 'end'"),
        ("[[bet", "strategy:1: not TOML"),
        (
            '[[bet]]\non = "pass"\namount = 1\n[[bet]]\non = "pass"\namount = 2',
            "strategy:4: two .* on 'pass'",
        ),
    ],
)
def test_what_is_no_strategy(text, said):
    with pytest.raises(NotationError, match=said):
        parse_strategy(text)
