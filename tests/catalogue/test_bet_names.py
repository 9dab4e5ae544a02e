"""One name for a bet: on the felt, in the catalogue, in strategy files."""

import pytest

from sevenout.catalogue import games
from sevenout.catalogue.bet_names import (
    FELT,
    bet_named,
    entry_named,
    nearest,
    strategy_named,
    unknown_name,
)
from sevenout.catalogue.strategies import strategies
from sevenout.catalogue.strategies.strategy_file import parse_strategy
from sevenout.solving import solve


@pytest.mark.parametrize("bet", FELT)
def test_case_and_hyphens_do_not_matter(bet):
    assert bet_named(bet) == bet
    assert bet_named(bet.upper().replace(" ", "-")) == bet
    assert bet_named(bet.replace("'", "").title()) == bet
    assert bet_named(bet.replace(" ", "").replace("-", "")) == bet


def test_every_bet_that_the_catalogue_has_is_found_there():
    without = [bet for bet in FELT if entry_named(bet) is None]
    assert without == [f"{kind} {n}" for kind in ("buy", "lay") for n in (2, 3, 11, 12)]
    for bet in FELT:
        if bet not in without:
            name, options = entry_named(bet)
            assert games(name, **options).pays_of(games.entry(name).bet) is not None


@pytest.mark.parametrize(
    ("bet", "edge"),
    [
        ("field", "1/36"),
        ("place 6", "1/66"),
        ("Buy-4", "1/60"),
        ("HARD 8", "1/11"),
        ("hard-10", "1/9"),
        ("any seven", "1/6"),
        ("hop 2-2", "5/36"),
        ("big 8", "1/11"),
        ("Pass", "7/495"),
    ],
)
def test_the_entry_is_that_of_the_bet(bet, edge):
    """The published edges of the bets."""
    name, options = entry_named(bet)
    assert str(solve(games(name, **options)).bet().edge) == edge


@pytest.mark.parametrize(
    "name", ["molly", "3-point molly", "Three-point Molly", "THREE POINT MOLLY"]
)
def test_a_strategy_has_one_name(name):
    assert strategy_named(name) == "three-point-molly"
    assert strategy_named("chess") is None
    assert all(strategy_named(known) == known for known in strategies)


def test_an_unknown_name_gets_the_three_nearest_of_any_kind():
    assert len(nearest("place 66")) == 3
    assert nearest("mollie")[0] == "molly"
    assert "did you mean" in str(unknown_name("yatzee"))
    assert "sevenout games" in str(unknown_name("qqqqqq"))
    assert nearest("the fire bet")[0] == "fire"
    assert nearest("place six")[0] == "place 6"
    assert len({*nearest("passline")}) == len(nearest("passline"))


def test_a_strategy_file_takes_the_same_names():
    files = [
        parse_strategy(f'[[bet]]\non = "{name}"\namount = 6') for name in ("place 6", "Place-6")
    ]
    assert files[0].strategy == files[1].strategy
