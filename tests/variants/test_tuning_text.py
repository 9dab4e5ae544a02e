"""A tuned game file is the author's own, with its open numbers filled in."""

from fractions import Fraction

import pytest

from sevenout.rules.gamefiles.gamefile import game_text, parse_game
from sevenout.rules.gamefiles.open_parameters import filled_text, parse_opened

OPEN = """# A game of mine.

format = 1        # always
name = "Open"     # "a" is no number here
dice = "2d6"

[open]            # what is not settled
a = "1..9"
b = [
    1, 2,  # or
    "5/2",
]
order = ["a >= b"]

# The line.
[[line]]
naturals = [7, 11]   # win
craps = [2, 3, 12]
out = 7
limit = "2..4"

[line.bets.a]
point = { "4,10" = "a", "5,9" = "b", "6,8" = 'b' }   # the ends pay more
"""
VALUES = {"a": Fraction(5, 2), "b": Fraction(2), "line limit": Fraction(3)}


def values(text: str) -> dict[str, Fraction]:
    return {name: VALUES.get(name, VALUES["line limit"]) for name in parse_opened(text).numbers}


def test_comments_line_breaks_and_words_stay() -> None:
    filled = filled_text(parse_opened(OPEN), values(OPEN))
    head, _, rest = OPEN.partition("[open]")
    assert filled.startswith(head.rstrip())
    lines = rest.partition("# The line.")[2].replace('"2..4"', "3").replace("'b'", "2")
    assert filled.endswith("# The line." + lines.replace('= "a"', '= "5/2"').replace('"b"', "2"))
    assert parse_game(filled) == parse_opened(OPEN).filled(values(OPEN))


@pytest.mark.parametrize(
    "change",
    [
        ('dice = "2d6"', 'dice = "2d6"\nrules = """\nSee [open], "a" # no comment\n"""'),
        ("# The line.\n[[line]]", '# "a" [open]\n[[line]] # "b"'),
        ('limit = "2..4"', "limit = '2..4'"),
        ("\n", "\r\n"),
    ],
)
def test_whatever_is_written_the_game_is_the_same(change: tuple[str, str]) -> None:
    text = OPEN.replace(*change)
    opened = parse_opened(text)
    filled = filled_text(opened, values(text))
    assert parse_game(filled) == opened.filled(values(text))
    assert filled != game_text(opened.filled(values(text)))
    assert "the ends pay more" in filled
