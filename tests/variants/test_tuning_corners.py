"""Open numbers where a search could go wrong: orders that imply one another, ties, huge amounts."""

from fractions import Fraction
from itertools import product

import pytest
from tests.variants.open_games import cost_of

import sevenout as so
from sevenout.errors import RulesError, TooMuchWorkError
from sevenout.rules.gamefiles.open_parameters import parse_opened
from sevenout.solving import solve
from sevenout.variants import tune
from sevenout.variants.bet_figures import bet_forms
from sevenout.variants.bounded_search import Roughness

HEAD = 'format = 1\nname = "Corner"\n'
LINE = """
[[line]]
naturals = [7, 11]
craps = [2, 3, 12]
out = 7

[line.bets.pass]
point = { "4,10" = "a", "5,9" = "b", "6,8" = "c" }
"""
FOUR = """
[[wager]]
bet = "x"
limit = 1
pays = { "1" = "VALUES", "2" = "VALUES", "3" = "VALUES", "4" = "VALUES" }
rest = -1
"""


@pytest.mark.parametrize(
    ("order", "count"),
    [
        ('"a >= b >= c", "a > c"', 7),
        ('"c <= b <= a", "c < a"', 7),
        ('"c >= b >= a", "c > a"', 7),
        ('"a >= b", "b >= a"', 9),
        ('"a >= b >= c >= a"', 3),
        ('"b >= a", "c >= b", "a >= c", "b >= c"', 3),
    ],
)
def test_an_order_says_all_that_follows(order, count):
    numbers = "".join(f'{name} = "1..3"\n' for name in "abc")
    opened = parse_opened(f"{HEAD}[open]\n{numbers}order = [{order}]\n{LINE}")
    kept = [
        at
        for chosen in product((1, 2, 3), repeat=3)
        for at in [dict(zip("abc", chosen, strict=True))]
        if all(at[p.larger] >= at[p.smaller] + p.strictly for p in opened.order)
    ]
    found = tune(opened, top=100)
    assert (found.count, found.considered) == (len(kept), len(kept)) == (count, count)
    assert sorted(tuple(t.numbers.values()) for t in found) == [tuple(k.values()) for k in kept]


@pytest.mark.parametrize("wish", ["plain", "edge", "calm", "top"])
@pytest.mark.parametrize(
    ("values", "edge"), [("-1..4 by 1/3", "0..0"), ("0..9", "-10%..40%"), ("1..5", None)]
)
def test_of_many_ties_the_plainest_comes_first(values, edge, wish):
    """Four pays of one chance each: permutations have the same figures."""
    opened = parse_opened(HEAD + 'dice = "d12"\n' + FOUR.replace("VALUES", values))
    every = tune(opened, edge=edge, wish=wish, top=10_000)
    roughness = Roughness.of(
        opened, {bet: form.chances for bet, form in bet_forms(opened, {}).items()}
    )
    aim = every.criteria.bounds["x"].edge.middle

    def key(table):
        figures, numbers = table.figures["x"], list(table.numbers.values())
        near = 0 if aim is None else abs(figures.edge - aim)
        cost = cost_of(roughness, table.numbers)
        score = {"plain": cost, "edge": near, "calm": figures.variance, "top": -max(numbers)}
        return score[wish], near, cost, numbers

    assert every.count == len(every) > 100
    assert list(every) == sorted(every, key=key)
    for top in (1, 2, 5, 20):
        best = tune(opened, edge=edge, wish=wish, top=top)
        assert [t.numbers for t in best] == [t.numbers for t in every][:top]


@pytest.mark.parametrize("fixed", [10**9, 10**9 + 1, 6 * 10**8, 10**18])
def test_a_fixed_pay_is_never_taken_for_an_open_one(fixed):
    opened = parse_opened(
        f'{HEAD}[[wager]]\nbet = "x"\nlimit = 1\nrest = -1\n'
        f'pays = {{ "2" = "1..2", "3" = {fixed}, "4" = "1..2" }}\n'
    )
    for table in tune(opened):
        bet = solve(table.game.game).bet()
        assert table.figures["x"] == (bet.edge, bet.p_win, bet.variance)


def test_where_no_choice_keeps_the_order_it_says_so():
    opened = parse_opened(f'{HEAD}[open]\na = "1..3"\nb = "5..6"\nc = [1]\norder = "a > b"\n{LINE}')
    for edge in (None, "1%..2%"):
        found = tune(opened, edge=edge)
        assert found.considered == 0
        assert found.notes == ("No choice of the open numbers keeps their order.",)


def test_why_there_is_none_is_not_searched_beyond_the_budget():
    """A trillion tables have that edge; none of them that hit frequency."""
    opened = parse_opened(
        HEAD
        + 'dice = "d12"\n[[wager]]\nbet = "x"\nlimit = 1\nrest = -1\npays = {'
        + ", ".join(f'"{n}" = "1..12 by 1/3"' for n in range(1, 9))
        + "}\n"
    )
    found = tune(opened, edge="-300%..0%", hit="90%..", top=0)
    assert found.count == 0
    assert "narrow the edge" in found.notes[0]


def test_variances_in_the_shadow_of_a_large_mean():
    """A bet that is given a million, more or less: floats see no variance, fractions do."""
    opened = parse_opened(
        f'{HEAD}dice = "d2"\n[[wager]]\nbet = "x"\nlimit = 1\n'
        'pays = { "1" = "1000000..1000001 by 1/1000", "2" = 1000000 }\n'
    )
    found = tune(opened, volatility="1/10..1/5", top=2000)
    expected = [
        Fraction(k, 1000)
        for k in range(1001)
        if Fraction(1, 10) <= Fraction(k, 2000) <= Fraction(1, 5)
    ]
    assert sorted(t.numbers["x 1"] - 10**6 for t in found) == expected
    least, most = found.frontier(bins=1)[0][1:]
    assert 0 <= least <= most


CHOICE = """
format = 1
name = "Given up"
[open]
a = "1..3"
s = ["-1/4", "-1/2", "-2/3"]
t = ["-1/3", "-1/2"]
order = ["t >= s"]
[[line]]
naturals = [7]
craps = [2, 3, 11, 12]
out = 7
[line.bets.pass]
point = { "4,10" = "a", "5,9" = 1, "6,8" = "1/2..1 by 1/2" }
surrender = { "4,10" = "s", "6,8" = "t" }
"""


def test_where_the_player_chooses_every_table_is_played_in_the_best_of_all_ways():
    opened = parse_opened(CHOICE)
    wanted, count = [], 0
    for values in product(*opened.numbers.values()):
        numbers = dict(zip(opened.numbers, values, strict=True))
        if numbers["t"] < numbers["s"]:
            continue
        count += 1
        model = so.explore(opened.filled(numbers).game)
        ways = product(*(model.options(state) for state in model.node_by_key))
        means = [
            so.solve(model.under(dict(zip(model.node_by_key, way, strict=True)))).bet().mean
            for way in ways
        ]
        assert len(means) == 16
        if Fraction(1, 20) <= -max(means) <= Fraction(3, 20):
            wanted.append((numbers, -max(means)))
    found = tune(opened, edge="5%..15%", top=100)
    assert 3 < found.count == len(wanted) < count == found.considered
    tuned = [(dict(t.numbers), t.figures["pass"].edge) for t in found.tables]
    assert sorted(tuned, key=str) == sorted(wanted, key=str)
    for table in found.tables:
        best = so.best(table.game.game)
        assert table.figures["pass"].edge == -best.value
        assert table.figures["pass"].variance == best.solution.bet().variance


IN_TURN = """
format = 1
name = "Given up in time"
[open]
a = "1..4"
s = ["-3/4", "-1/2", "-1/4"]
t = ["-1", "-2/3", "-1/2", "-2/5"]
[[line]]
naturals = [7]
craps = [2, 3, 11, 12]
out = 7
limit = 2
[line.bets.pass]
point = { "4,10" = "a", "5,9" = [2, 1], "6,8" = 1 }
surrender = { "4,10" = "s", "5,9" = ["t", "-1/2"], "6,8" = "t" }
"""
LIMITED = (
    IN_TURN.replace("[[line]]", 'n = "1..3"\n[[line]]')
    .replace("limit = 2", 'limit = "n"')
    .replace("[2, 1]", "2")
    .replace('["t", "-1/2"]', '"-1/2"')
)
BOXES = """
format = 1
name = "Boxes"
[open]
a = "3..9 by 3"
b = "10..40 by 10"
s = ["-1/2", 1, 2]
[[checklist]]
bet = "both"
collect = [2, 12]
stop = 7
pays = { 1 = "a", 2 = "b" }
surrender = { 1 = "s" }
"""


@pytest.mark.parametrize("text", [IN_TURN, LIMITED, BOXES])
def test_ways_to_play_found_for_all_tables_at_once_are_those_found_table_by_table(text):
    opened = parse_opened(text)
    found = tune(opened, edge="..100%", top=1000)
    by_numbers = {tuple(t.numbers.items()): t.figures for t in found.tables}
    kept = 0
    for values in product(*opened.numbers.values()):
        numbers = dict(zip(opened.numbers, values, strict=True))
        bet = so.best(opened.filled(numbers).game).solution.bet()
        (figures,) = by_numbers[tuple(numbers.items())].values()
        assert figures == (-bet.mean, bet.p_win, bet.variance)
        kept += 1
    assert kept == len(by_numbers) == found.count == found.considered


@pytest.mark.parametrize("edge", ["5", "..5", "2..6%", ("1/100", 2)])
def test_a_bare_number_is_no_percentage(edge):
    with pytest.raises(RulesError, match=r"[25]00 %; write [25]% for"):
        tune(parse_opened(CHOICE), edge=edge)


@pytest.mark.parametrize("hit", ["150%", "101%..", "..-1%"])
def test_no_hit_frequency_is_above_one_or_below_nothing(hit):
    with pytest.raises(RulesError, match=r"a probability lies between 0% and 100%"):
        tune(parse_opened(CHOICE), hit=hit)


def test_too_many_tables_that_are_played_best_are_refused():
    many = CHOICE.replace('"1..3"', '"1..3 by 1/1000"').replace("by 1/2", "by 1/5000")
    with pytest.raises(TooMuchWorkError, match="each of which the player plays"):
        tune(parse_opened(many), edge="1%..2%")


def test_a_bet_may_be_called_surrender():
    named = CHOICE[: CHOICE.index("surrender")].replace("pass", "surrender")
    named = "\n".join(line for line in named.splitlines() if line[:2] not in ("s ", "t ", "or"))
    found = tune(parse_opened(named), edge="..50%")
    opened = parse_opened(named)
    assert opened.structure == ()
    assert not opened.has_offers
    for table in found.tables:
        assert table.figures["surrender"].edge == -so.solve(table.game.game).bet().mean
