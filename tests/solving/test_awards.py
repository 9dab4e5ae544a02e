"""Progressive awards: closed forms, sums over every bet, and a simulation."""

import json
from fractions import Fraction
from itertools import count
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sevenout.cli import main
from sevenout.errors import RulesError, SevenoutError, UndecidedError
from sevenout.numerals import exact
from sevenout.rolling import dice
from sevenout.rules import Progressive, Wager
from sevenout.rules.gamefiles.gamefile import game_text, parse_game
from sevenout.solving import solve
from sevenout.solving.awards import AwardDistribution, award_in_words, progressive
from sevenout.solving.metrics import Metrics
from sevenout.verify.many_bets import bets_needed_with_award


def boxcars(stake=1, pays=20):
    game = Wager(dice("2d6").totals, {12: pays * stake}, limit=1, bet="boxcars", stake=stake)
    return solve(game).bet()


@pytest.mark.parametrize("stake", [1, 5])
@pytest.mark.parametrize("share", ["1%", "3/7", 1])
def test_break_even_and_long_run_are_the_closed_forms(stake, share):
    """m = b(1 - R)/q - c, and R + q·s/b + the share."""
    bet = boxcars(stake)
    found = progressive(bet, Progressive(seed=7, share=share, on="12"))
    q, fed = Fraction(1, 36), Fraction(share) if share != "1%" else Fraction(1, 100)
    assert found.break_even == stake * (1 - bet.rtp) / q - fed * stake
    assert found.rtp_at(found.break_even) == 1
    assert found.rtp_at(found.break_even - Fraction(1, 10**9)) < 1
    assert found.rtp == bet.rtp + q * 7 / stake + fed
    assert found.law.mean == 7 + fed * stake * 36
    assert found.law.variance == (fed * stake) ** 2 * (1 - q) / q**2
    assert found.rtp_bound == 0


SIX_PACK = """
format = 1
name = "Six Pack"
dice = "2d6"
[[checklist]]
bet = "six pack"
stake = 5
collect = ["1-1", "2-2", "3-3", "4-4", "5-5", "6-6"]
stop = 7
pays = { 3 = 5, 4 = 30, 5 = 100, 6 = 500 }
[progressive."six pack"]
on = "complete"
seed = 1000
share = "10%"
"""


def test_every_figure_of_money_counts_the_award():
    """The right values from a bet that pays 100 and A/5 with probability 1/924, by hand."""
    file = parse_game(SIX_PACK)
    bet = solve(file.game).bet()
    award = progressive(bet, file.progressives["six pack"])
    q = Fraction(1, 924)
    mean = 1000 + Fraction(1, 2) / q  # of s + N/2, in money
    square = Fraction(1, 4) * (1 - q) / q**2 + mean**2
    second = bet.variance + bet.mean**2 + q * (2 * 100 * mean / 5 + square / 25)
    assert award.variance == second - (bet.mean + q * mean / 5) ** 2
    assert round(bet.std, 2) == 3.87
    assert round(award.std, 1) == 13.4
    without, counted = Metrics(bet), Metrics(bet, award=award)
    assert counted.volatility_index() == pytest.approx(1.959964 * 13.425, rel=1e-4)
    assert counted.hourly_loss(bets=30) == 30 * award.edge < without.hourly_loss(bets=30)
    assert counted.n0 == award.variance / award.edge**2
    assert counted.bets_needed("1/100") > 11 * without.bets_needed("1/100")
    assert without.maximum_exposure == 100
    assert counted.maximum_exposure is None
    needed = bets_needed_with_award(award, "-2%", power="80%")
    assert needed.bets == pytest.approx(2_786_000, rel=1e-3)
    with pytest.raises(RulesError, match="not independent"):
        counted.interval(100)


def test_the_bets_needed_of_a_file_with_an_award_count_it(tmp_path, capsys):
    path = tmp_path / "six-pack.toml"
    path.write_text(SIX_PACK)
    plan = ["--change", "2%", "--power", "80%", "--json"]
    assert main(["test", "needed", str(path), *plan]) == 0
    needed = json.loads(capsys.readouterr().out)
    assert needed["bets"] == pytest.approx(2_786_000, rel=1e-3)
    assert needed["method"] == "normal"


@pytest.mark.parametrize(
    "rule",
    [
        Progressive(seed=5, share="1/2", on="12", must_hit_by=9),
        Progressive(seed=5, share="3/4", on=("12", "any other"), must_hit_by=7),
        Progressive(seed=0, share=1, must_hit_by=4),
    ],
)
@pytest.mark.parametrize(("bettors", "split"), [(1, True), (3, True), (3, False)])
def test_moments_with_an_award_are_sums_over_every_bet_of_a_cycle(rule, bettors, split):
    bet = boxcars(2)
    if not rule.on and bettors > 1:
        with pytest.raises(RulesError, match="same for any number of bettors"):
            progressive(bet, rule).with_bettors(bettors, split)
        return
    award = progressive(bet, rule).with_bettors(bettors, split)
    fed, limit = 2 * exact(rule.share) * bettors, exact(rule.must_hit_by)
    last = next(n for n in count(1) if exact(rule.seed) + n * fed >= limit)
    rows = [(row.pays, row.probability, row.event in rule.on) for row in bet.table]
    alive, length, powers = Fraction(1), Fraction(0), [Fraction(0)] * 5
    for n in range(1, last + 1):
        length += alive
        meter = min(exact(rule.seed) + n * fed, limit)
        paid = meter / 2 / (bettors if split else 1)
        drawn = Fraction(0) if rule.on else Fraction(1, last - n + 1)
        lives = Fraction(0)
        for pays, p, wins in rows:
            won = Fraction(1) if n == last else Fraction(wins) if rule.on else drawn
            for k in range(5):
                powers[k] += alive * p * (won * (pays + paid) ** k + (1 - won) * pays**k)
            lives += p * (1 - won)
        alive *= lives
    assert award.law.mean_bets == length
    assert [award.raw_moment(k) * length for k in range(5)] == powers
    assert award.rtp == 1 + powers[1] / length
    largest = min(exact(rule.seed) + fed, limit) if award.law.p_win == 1 else limit
    share = 2 * (bettors if split else 1)
    assert award.maximum_exposure == max(row[0] for row in rows) + largest / share


def test_bettors_on_the_same_roll_split_the_seed_or_are_each_paid_it():
    """On a row without a limit: R + q s / (b m) + share if split, R + q s / b + m share if not."""
    bet, q = boxcars(5), Fraction(1, 36)
    award = progressive(bet, Progressive(seed=7, share="1%", on="12"))
    for m in (1, 2, 6):
        assert award.with_bettors(m).rtp == bet.rtp + q * 7 / (5 * m) + Fraction(1, 100)
        assert award.with_bettors(m, split=False).rtp == bet.rtp + q * 7 / 5 + Fraction(m, 100)
        meter = award.with_bettors(m).break_even
        assert award.with_bettors(m).rtp_at(meter) == 1
    with pytest.raises(RulesError, match="bettors=0"):
        award.with_bettors(0)
    with pytest.raises(RulesError, match="split='no'; give True or False"):
        award.with_bettors(2, split="no")


def test_the_page_of_several_bettors_is_theirs():
    """It said to be of one, and called the rounds of an award bets."""
    award = progressive(boxcars(), Progressive(seed=5, share="1%", on="12"))
    text = str(award.with_bettors(2).page())
    assert "rounds of 2 bets from one award to the next, mean" in text
    assert "those of each of 2 bettors who split the award" in " ".join(text.split())
    text = str(award.with_bettors(2, split=False).page())
    assert "those of each of 2 bettors who are each paid all of it" in " ".join(text.split())
    assert "those of one bettor" in " ".join(str(award.page()).split())


def test_an_award_of_a_certified_bet_has_its_error():
    """It was called exact."""
    rule = Progressive(seed=5, share="1%", on="natural", must_hit_by=7)
    exact_award = progressive(solve("craps").bet("pass"), rule)
    award = progressive(solve("craps", method="certified", digits=9).bet("pass"), rule)
    assert award.bet.bound > 0
    assert award.to_dict()["status"] == "certified" != exact_award.to_dict()["status"] == "exact"
    assert 0 < abs(award.rtp - exact_award.rtp) <= award.rtp_bound < Fraction(1, 10**6)
    assert abs(award.law.mean_bets - exact_award.law.mean_bets) <= award.mean_bets_bound
    assert exact_award.rtp_bound == exact_award.mean_bets_bound == 0


def test_rounded_means_of_an_award_are_not_printed_as_fractions():
    """1 - (35/36)^100000 of 36 is not 36."""
    rule = Progressive(seed=1000, share="0.01%", on="12", must_hit_by=1010)
    award = progressive(boxcars(), rule)
    assert 0 < award.mean_bets_bound < Fraction(1, 10**150)
    line = next(s for s in str(award.page()).splitlines() if s.startswith("bets from one award"))
    assert line.split()[-1] == "36.000000"
    assert " 36 " not in line


@pytest.mark.parametrize("order", [-1, 5, 1.0, True])
def test_a_moment_of_an_award_is_of_an_order_up_to_four(order):
    award = progressive(boxcars(), Progressive(seed=5, share="1%", on="12"))
    for moment in (award.raw_moment, award.law.raw_moment, award.law.central_moment):
        with pytest.raises(RulesError, match="give a whole number from 0 to 4"):
            moment(order)


@pytest.mark.parametrize("split", [True, False, None])
def test_a_declared_rule_of_bettors_who_win_together_is_printed_alone(split):
    award = progressive(boxcars(), Progressive(7, "1%", "12", split=split))
    assert award.with_bettors(4).edge == award.with_bettors(4, split=split is not False).edge
    table, note = award.edges_by_bettors()
    assert note.tone == "note"
    assert "As a bet is made, 1 % of its stake is added." in award_in_words(award)
    assert len(table.columns) == (3 if split is None else 2)
    assert table.rows[2][1] == award.with_bettors(4).edge
    sentence = {
        True: "Bettors who win together split the meter.",
        False: "Bettors who win together are each paid the whole meter.",
        None: "",
    }[split]
    assert sentence in award_in_words(award)
    assert ("win together" in award_in_words(award)) == bool(sentence)


RULES = st.tuples(
    st.fractions(0, 9, max_denominator=4),
    st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(1)]),
    st.fractions("1/4", 8, max_denominator=6),
    st.sampled_from([None, Fraction(1, 36), Fraction(5, 36), Fraction(1)]),
)


@given(RULES)
@settings(max_examples=80, deadline=None)
def test_laws_that_end_equal_the_sum_over_every_bet(rule):
    seed, step, above, q = rule
    limit = seed + above
    law = AwardDistribution(seed, step, q, limit)
    last = next(n for n in count(1) if seed + n * step >= limit)
    assert law.max_bets == last
    if q is None:
        chances = [Fraction(1, last)] * last
    else:
        chances = [q * (1 - q) ** (n - 1) for n in range(1, last)] + [(1 - q) ** (last - 1)]
    awards = [min(seed + n * step, limit) for n in range(1, last + 1)]
    assert sum(chances) == 1
    assert sum(law.pmf(x) for x in awards) == 1
    assert [law.pmf(x) for x in awards] == chances
    assert law.mean_bets == sum(p * n for n, p in enumerate(chances, 1))
    mean = sum(p * x for p, x in zip(chances, awards, strict=True))
    assert law.mean == mean
    for k in (2, 3, 4):
        expected = sum(p * (x - mean) ** k for p, x in zip(chances, awards, strict=True))
        assert law.central_moment(k) == expected
    for p in (0, Fraction(1, 3), Fraction(1, 2), Fraction(9, 10), 1 - Fraction(1, 10**30), 1):
        least = next(x for x in awards if law.cdf(x) >= p)
        assert law.quantile(p) == least
    assert law.support == (awards[0], awards[-1])
    assert law.cdf(awards[0] - 1) == 0 == law.sf(limit)


def test_the_law_without_end_sums_to_one():
    law = AwardDistribution(Fraction(10), Fraction(1, 4), Fraction(1, 216))
    for n in (1, 7, 500):
        below = sum(law.pmf(law.award_at(k)) for k in range(1, n + 1))
        assert below + law.sf(law.award_at(n)) == 1
        assert law.sf(law.award_at(n)) == Fraction(215, 216) ** n
    half = law.quantile("1/2")
    assert law.cdf(half) >= Fraction(1, 2) > law.cdf(half - Fraction(1, 4))
    assert law.support == (Fraction(41, 4), None)
    with pytest.raises(RulesError, match="no largest"):
        law.quantile(1)


@pytest.mark.parametrize("digits", [9, 40])
def test_an_award_that_nobody_lives_to_see(digits):
    """So rare that the number of bets is nearly exponential: its median is ln 2 / q."""
    law = AwardDistribution(Fraction(0), Fraction(1), Fraction(1, 10**digits))
    for p, bets in (("1/2", log(2)), ("99%", log(100)), (1 - Fraction(1, 10**20), log(10**20))):
        n = law.quantile(p)
        assert law.cdf(n - 1) < exact(p) <= law.cdf(n)
        assert float(n / 10**digits) == pytest.approx(bets, rel=1e-7)


def test_a_quantile_that_a_rounded_power_leaves_open_is_undecided():
    """The survival is rounded down, by less than its bound: at the bound it is decided."""
    law = AwardDistribution(Fraction(0), Fraction(1), Fraction(1, 10**9))
    n = 10**9
    survival, bound = law._bounded_survival(n)
    assert bound > 0
    with pytest.raises(UndecidedError, match=r"whether .* bets are enough is undecided within"):
        law._survives_more_than(survival, n)
    assert not law._survives_more_than(survival + bound, n)


@given(RULES, st.integers(0, 40))
@settings(max_examples=80, deadline=None)
def test_break_even_is_the_least_meter_that_breaks_even(rule, pays):
    seed, share, above, q = rule
    bet = boxcars(pays=pays)
    on = () if q is None else ("12",) if q < Fraction(1, 2) else ("12", "any other")
    found = progressive(bet, Progressive(seed=seed, share=share, on=on, must_hit_by=seed + above))
    grid = sorted(
        {seed + Fraction(k, 60) * above for k in range(60)}
        | {seed + above - share * k for k in range(1, 30) if share * k <= above}
    )
    even = [m for m in grid if found.rtp_at(m) >= 1]
    if found.break_even is None:
        assert not even
    else:
        assert found.rtp_at(found.break_even) >= 1
        assert not even or found.break_even <= even[0]
        if found.break_even > seed:
            assert found.rtp_at(max(seed, found.break_even - Fraction(1, 10**9))) < 1
    returns = [found.rtp_at(m) for m in grid]
    assert returns == sorted(returns), "more on the meter is never worse"


@pytest.mark.parametrize(
    "rule",
    [
        Progressive(seed=8, share="2%", on="12"),
        Progressive(seed=8, share="1/2", on="12", must_hit_by=25),
        Progressive(seed=8, share="1/2", must_hit_by=25),
    ],
)
def test_the_long_run_is_what_is_simulated(rule):
    """Two million bets, dice by dice, seeded; a false alarm once in a million, at 4.9 deviations.

    The cycles from award to award are independent: the ratio of their means has the variance of
    A - r·N over E[N]² and the number of cycles (delta method).
    """
    found = progressive(boxcars(), rule)
    rng = np.random.default_rng(12)
    bets = 2_000_000
    won = rng.integers(1, 7, (bets, 2)).sum(axis=1) == 12
    base = np.where(won, 21.0, 0.0)
    awards, lengths, n = [], [], 0
    last = found.law.max_bets
    drawn = None if rule.on else rng.integers(1, (last or 1) + 1, bets)
    for hit in won.tolist():
        n += 1
        secret = n == int(drawn[len(awards)]) if drawn is not None else hit or n == last
        if secret:
            awards.append(float(found.law.award_at(n)))
            lengths.append(n)
            n = 0
    a, m = np.array(awards), np.array(lengths)
    ratio = a.sum() / m.sum()
    error = (np.var(a - ratio * m) / len(a)) ** 0.5 / m.mean()
    expected = float(found.rtp - found.bet.rtp)
    assert abs(ratio - expected) < 4.9 * error
    assert abs(base.mean() - float(found.bet.rtp)) < 4.9 * base.std() / bets**0.5
    assert abs(m.mean() - float(found.law.mean_bets)) < 4.9 * m.std() / len(m) ** 0.5


def test_a_long_cycle_is_certified():
    """(1 - q)^K of a million bits is rounded, and says so; a shorter one agrees to its bound."""
    law = AwardDistribution(
        Fraction(1000), Fraction(1, 1000), Fraction(1, 10**6 + 1), Fraction(3001)
    )
    assert law.status == "certified"
    assert 0 < law.bound < Fraction(1, 10**150)
    n, q = 2_001_000, 1 / (10**6 + 1)
    assert float(law.mean_bets) == pytest.approx((1 - (1 - q) ** n) / q, rel=1e-9)
    exact = AwardDistribution(Fraction(10), Fraction(1), Fraction(1, 7), Fraction(60))
    assert exact.status == "exact"
    rule = Progressive(seed=1000, share="1/1000", on="12", must_hit_by=1300)
    assert 0 < progressive(boxcars(), rule).rtp_bound < Fraction(1, 10**140)


def test_an_award_that_is_never_worth_the_bet_says_so():
    found = progressive(boxcars(pays=0), Progressive(seed=0, share="1/10", must_hit_by="1/2"))
    assert "none: no bet returns its stake on average" in str(found)


FILE = """
format = 1
name = "Boxcars"
[[wager]]
bet = "boxcars"
limit = 1
pays = { "12" = 20 }
[progressive.boxcars]
on = "12"
seed = 8
share = "2%"
must_hit_by = 12
"""


def test_a_file_declares_an_award_and_reads_back():
    file = parse_game(FILE)
    assert dict(file.progressives) == {"boxcars": Progressive(8, "1/50", "12", 12)}
    assert parse_game(game_text(file)) == file
    for split in ("true", "false"):
        shared = parse_game(FILE + f"split = {split}\n")
        assert shared.progressives["boxcars"].split == (split == "true")
        assert parse_game(game_text(shared)) == shared
    mystery = parse_game(FILE.replace('on = "12"\n', ""))
    assert parse_game(game_text(mystery)) == mystery


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        ("progressive.boxcars", "progressive.craps", ":8: .*name a bet: boxcars"),
        ("seed = 8\n", "", "without seed"),
        ('share = "2%"', "share = 0", "share"),
        ('share = "2%"', "share = 2", "share"),
        ("must_hit_by = 12", "must_hit_by = 8", "above the seed"),
        ("must_hit_by = 12", "must_hit = 8", "did you mean must_hit_by"),
        ('on = "12"', "on = 12", "name rows"),
        ('on = "12"', "split = true", "a mystery award is won by one bet"),
        ('on = "12"', 'on = "12"\nsplit = "yes"', "write true or false"),
        ("seed = 8", "seed = -1", "0 or more"),
        ("[progressive.boxcars]", "[progressive]", r":9: progressive.on = .*progressive.boxcars"),
    ],
)
def test_files_with_an_award_that_is_none(old, new, match):
    with pytest.raises(SevenoutError, match=match) as raised:
        parse_game(FILE.replace(old, new))
    assert len(str(raised.value)) < 400


def test_what_is_no_award_is_said():
    with pytest.raises(RulesError, match="give solve"):
        progressive("bet", Progressive(8, "1%", "12"))
    with pytest.raises(RulesError, match="is not an award"):
        progressive(boxcars(), 3)
    with pytest.raises(RulesError, match=r"no row '13' to win the award; it has: .*12"):
        progressive(boxcars(), Progressive(8, "1%", "13"))
    with pytest.raises(RulesError, match="nothing wins this award"):
        Progressive(8, "1%")
    with pytest.raises(RulesError, match="float"):
        Progressive(8, 0.01, "12")
    with pytest.raises(RulesError, match="on=3"):
        Progressive(8, "1%", 3)
    found = progressive(boxcars(), Progressive(8, "2%", "12", 12))
    for meter in (7, 12, "x", None):
        with pytest.raises(SevenoutError):
            found.rtp_at(meter)


def test_a_sheet_has_the_award(tmp_path, capsys):
    path = tmp_path / "boxcars.toml"
    path.write_text(FILE)
    assert main(["sheet", str(path), "--games", "0", "--json"]) == 0
    sections = json.loads(capsys.readouterr().out)["blocks"]
    award = next(s for s in sections if s["title"] == "Progressive award of boxcars")
    table = next(block for block in award["blocks"] if block["block"] == "table")
    assert dict(table["rows"])["meter at which a bet is even"] == "11.98"


def test_odds_at_a_meter(tmp_path, capsys):
    path = tmp_path / "boxcars.toml"
    path.write_text(FILE)
    assert main(["odds", str(path), "--meter", "11"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "break-even meter 599/50" in said
    assert "return of the next bet, meter at 11 units 1601/1800" in said
    assert main(["odds", str(path), "--meter", "11", "--json"]) == 0
    assert '"return_at_meter": "1601/1800"' in capsys.readouterr().out
    for wrong in ("12", "x", "7"):
        assert main(["odds", str(path), "--meter", wrong]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    path.write_text(FILE.replace("name =", 'currency = "$"\nname =', 1))
    assert main(["odds", str(path), "--meter", "11"]) == 0
    dollars = capsys.readouterr().out
    assert all(text in dollars for text in ("meter at $11", "award, mean, $", "starts from $"))
    assert " units" not in dollars
    assert main(["odds", "craps", "--meter", "12"]) == 2
    assert "no progressive award" in capsys.readouterr().err


def test_a_break_even_meter_below_the_seed_is_said():
    """At a seed of 40 every bet returns more than its stake; 40 is where the meter starts."""
    found = progressive(boxcars(), Progressive(seed=40, share="1%", on="12"))
    assert found.rtp_at(40) > 1
    assert found.break_even == 40
    assert found.below_seed
    said = " ".join(str(found).split())
    assert "break-even meter below the seed, 40 units: every bet returns its stake and more" in said
    data = found.to_dict()
    assert data["break_even_below_seed"] is True
    assert data["edge_without"] == str(boxcars().edge)
    even = progressive(boxcars(), Progressive(seed="1499/100", share="1%", on="12"))
    assert even.rtp_at("1499/100") == 1
    assert not even.below_seed
    assert "14.990000" in str(even)
