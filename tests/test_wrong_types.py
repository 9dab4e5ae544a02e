"""What is no game, no dice, no amount is said to be none, in a line, at every door."""

import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import sevenout as so
from sevenout.errors import SevenoutError
from sevenout.evenings import one_bet, session
from sevenout.papers.comparison import compare
from sevenout.rules import Checklist, KeepRoll, Streak, Wager, counted, settle, win
from sevenout.rules.position import Position
from sevenout.solving.metrics import Metrics
from sevenout.solving.totals import Total
from sevenout.variants import Family, fairest
from sevenout.verify import games_needed

WRONG = [None, "", "craps?", -1, 1.5, True, object(), [], {}, [1.5], {"a": object()}, b"2d6", len]
"""None of these is a game, a die, a family or an amount; some are no arguments at all."""

OPEN = Path(__file__).parents[1] / "docs/examples/fast-craps-open.toml"

DOORS: dict[str, Callable[[Any], Any]] = {
    "solve": so.solve,
    "explore": so.explore,
    "simulate": lambda x: so.simulate(x, 10),
    "simulate so many": lambda x: so.simulate(so.games["craps"], x),
    "best": so.best,
    "dice": so.dice,
    "Die": so.Die,
    "Law": so.Law,
    "naturals": lambda x: so.PointGame(x, [2], 7),
    "out": lambda x: so.PointGame([7], [2], x),
    "bets": lambda x: so.PointGame([7], [2], 7, bets={"pass": x}),
    "dice of a game": lambda x: so.PointGame([7], [2], 7, dice=x),
    "PayTable": lambda x: so.PayTable(point=x),
    "Wager": lambda x: Wager(so.dice("2d6").totals, x),
    "Checklist": lambda x: Checklist(so.dice("2d6").totals, x, stop=7, pays=3),
    "Streak": lambda x: so.solve(Streak(x)),
    "one_bet": lambda x: one_bet(x, bankroll=9, bets=3),
    "bankroll of one_bet": lambda x: one_bet(so.games["craps"], bankroll=x, bets=3).game,
    "target of one_bet": lambda x: one_bet(so.games["craps"], bankroll=10, target=x).game,
    "KeepRoll": lambda x: KeepRoll(so.d6, x),
    "win": lambda x: win(profit=x if x is not None else []),
    "settle": lambda x: settle("end", {"bet": x}),
    "counted": lambda x: counted("on", money=x),
    "Position": Position,
    "session": lambda x: session(x, 10, bets=3),
    "Total": lambda x: Total(x, 10),
    "Metrics": lambda x: Metrics(x).hit_frequency,
    "Family": Family,
    "fairest": fairest,
    "compare": compare,
    "compare with": lambda x: compare({"a": so.games["craps"], "b": x}),
    "tune": so.tune,
    "tune edge": lambda x: so.tune(OPEN, edge=[x]),
    "games_needed": lambda x: games_needed(x, Fraction(1, 2)),
    "budget": lambda x: so.budget(x).__enter__(),
    "catalogue": lambda x: so.games[x],
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: repr(wrong)[:12])
def test_wrong_types_are_one_line(door, wrong):
    try:
        DOORS[door](wrong)
    except SevenoutError as error:
        text = str(error)
        assert 0 < len(text) < 400
        assert "\n" not in text
        assert text.isprintable()


LONG: tuple[Any, ...] = (
    *("9" * 5_000, "x" * 5_000, "1/" + "9" * 5_000, "a\nb\x1b[31m" * 200, b"x" * 3_000),
    *(10**5_000, -(10**5_000), ["9" * 5_000], (1,) * 5_000),
    *({"9" * 5_000: 1}, {("9" * 3_000,): 2}, {1: "9" * 5_000}, {"a" * 4_000: "b" * 4_000}),
)


@pytest.mark.parametrize("digits", [0, 4_300])  # Python's own limit is lifted in some processes
@pytest.mark.parametrize("door", DOORS)
def test_the_error_of_a_long_value_is_short(door, digits):
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(digits)
    try:
        texts = errors_of_long_values(door)
    finally:
        sys.set_int_max_str_digits(before)
    assert all(len(text) < 600 and text.isprintable() for text in texts), texts


def errors_of_long_values(door):
    """The messages that refuse the long values; some doors take some of them."""
    texts = []
    for value in LONG:
        try:
            DOORS[door](value)
        except SevenoutError as error:
            texts.append(str(error))
    return texts
