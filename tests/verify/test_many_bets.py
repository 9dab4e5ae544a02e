"""How many bets show a wrong return, against the binomial law of coins."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from sevenout import questions
from sevenout.catalogue import games
from sevenout.rolling import dice
from sevenout.rules import Progressive, Wager
from sevenout.solving import solve
from sevenout.solving.awards import progressive
from sevenout.verify.counts import DataError
from sevenout.verify.many_bets import ManyBets, bets_needed, bets_needed_with_award, tilted
from sevenout.verify.planning import mean_needed

COIN = {Fraction(1): Fraction(1, 2), Fraction(-1): Fraction(1, 2)}


@pytest.mark.parametrize(("change", "sides"), [("-5%", 1), ("5%", 1), ("-4%", 2)])
def test_a_coin_is_binomial(change: str, sides: int) -> None:
    found = bets_needed(COIN, change, "90%", "80%", sides=sides)
    off = Fraction(change.rstrip("%")) / 100
    wins = (found.limit * found.bets) / 2  # the return is twice the share of wins
    assert wins.denominator == 1
    k, n, p = int(wins), found.bets, float(Fraction(1, 2) + off / 2)
    alpha = 0.1 / sides
    if off < 0:
        error, power = binom.cdf(k - 1, n, 0.5), binom.cdf(k - 1, n, p)
        assert error <= alpha < binom.cdf(k, n, 0.5)
    else:
        error, power = binom.sf(k, n, 0.5), binom.sf(k, n, p)
        assert error <= alpha < binom.sf(k - 1, n, 0.5)
    assert found.power == pytest.approx(power, abs=1e-6)
    assert power >= 0.8
    assert found.normal <= found.bets <= 1.05 * found.normal


def test_the_question_is_of_a_bet() -> None:
    one = questions.test_needed(games["craps"], change="5%")
    assert one["bets"] == pytest.approx(one["normal"], rel=0.05)
    assert one["limit"] < 1


def test_two_sides_need_more() -> None:
    one, two = (questions.test_needed("1/2", "3/5", tails=sides) for sides in ("one", "two"))
    assert one["stays"] < two["stays"]
    assert two["stays"] == questions.test_needed("1/2", "3/5", confidence="97.5%")["stays"]


@pytest.mark.parametrize(
    ("change", "sides", "words"),
    [("0", 1, "change=0"), ("1%", 3, "sides=3"), ("1/1000000000", 1, "it would take over")],
)
def test_what_is_refused(change: str, sides: int, words: str) -> None:
    with pytest.raises(DataError, match=words):
        bets_needed(COIN, change, sides=sides)


@pytest.mark.parametrize("name", ["confidence", "power"])
def test_an_error_that_floats_do_not_have_is_refused_by_its_name(name: str) -> None:
    nearly = 1 - Fraction(1, 10**400)
    for call in (
        lambda: bets_needed(COIN, "1/10", **{name: nearly}),
        lambda: mean_needed(Fraction(3), Fraction(9), Fraction(1), **{name: nearly}),
    ):
        with pytest.raises(DataError, match=f"{name}=.*give at most 0.99999999999"):
            call()
    with pytest.raises(DataError, match=r"confidence=.*give at most 0\.99999999999"):
        ManyBets(COIN, 10**12).limits(nearly)
    with pytest.raises(DataError, match=r"confidence='99\.9999999999%'; give at most"):
        ManyBets(COIN, 10**12).limits("99.9999999999%")


def test_a_confidence_without_a_central_interval_is_refused_as_it_was_given() -> None:
    with pytest.raises(DataError, match="confidence='40%'; give more than 50 %"):
        bets_needed(COIN, "1/10", confidence="40%", power="61%")


def test_forgetting_frees_the_distribution_and_keeps_the_limits() -> None:
    total = ManyBets(COIN, 1_000)
    limits = total.limits()
    total.forget()
    assert not any(isinstance(value, np.ndarray) for value in vars(total).values())
    assert total.limits() is limits


def test_the_mean_of_a_tilted_distribution_is_off_by_its_rounding_alone() -> None:
    rare = Fraction(1, 10**7)
    law = tilted({Fraction(10**6): rare, Fraction(-1): 1 - rare}, Fraction(-999_999, 10**6))
    mean = sum((x * p for x, p in law.items()), Fraction(0))
    assert abs(mean + Fraction(999_999, 10**6)) <= Fraction(2 * (10**6 + 1), 2**40)


def test_a_wrong_return_with_an_award_can_take_too_many_bets() -> None:
    sixes = solve(Wager(dice("3d6").totals, {18: 150}, limit=1)).bet()
    award = progressive(sixes, Progressive(40, "4%", "18"))
    with pytest.raises(DataError, match="it would take over 1,000,000,000,000 bets"):
        bets_needed_with_award(award, Fraction(1, 10**13))
    certain = progressive(
        solve(Wager(dice({1: 1}).totals, {1: 1}, limit=1)).bet(), Progressive(4, "4%", "1")
    )
    with pytest.raises(DataError, match="every bet returns 151/25 of its stake; one bet shows"):
        bets_needed_with_award(certain, "-2%")
