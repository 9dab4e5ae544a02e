"""Open numbers: every choice there is, solved by itself, against the search."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.variants.open_games import CRAPS, FAST, THREE, cost_of

from sevenout.cli import main
from sevenout.errors import RulesError, SevenoutError, TooMuchWorkError
from sevenout.rules.gamefiles.gamefile import parse_game
from sevenout.rules.gamefiles.open_parameters import parse_opened
from sevenout.solving import solve
from sevenout.solving.metrics import Metrics
from sevenout.variants import tune
from sevenout.variants.bounded_search import PLAINEST_FIRST, BoundedSearch, Roughness, digit_cost


def every(opened):
    """Every choice that keeps the order and is a game: its numbers, and its bets as solved."""
    names = list(opened.numbers)
    for chosen in product(*opened.numbers.values()):
        values = dict(zip(names, chosen, strict=True))
        if all(values[more] >= values[less] + 0 * s for more, less, s in opened.order) and not any(
            s and values[more] == values[less] for more, less, s in opened.order
        ):
            try:
                game = opened.filled(values).game
            except SevenoutError:
                continue
            yield values, solve(game).bets


def test_fast_craps_in_whole_numbers_equals_every_table():
    """The edge of each of the 14,112 tables, from the chances of each row."""
    opened = parse_opened(FAST)
    names = list(opened.numbers)
    rows = [
        (a, b, c)
        for a in range(10, 0, -1)
        for b in range(a - 1, 0, -1)
        for c in range(b - 1, 0, -1)
    ]
    down = {
        row: [other for other in rows if all(x > y for x, y in zip(row, other, strict=True))]
        for row in rows
    }
    tables = [(a, b, c) for a in rows for b in down[a] for c in down[b]]
    assert len(tables) == 14_112
    chances = {}
    for total, ways in ((4, 3), (5, 4), (6, 5)):
        on = Fraction(2 * ways, 36)
        chances[total] = [on * Fraction(30 - ways, 36) ** r * Fraction(ways, 36) for r in range(3)]
    won = Fraction(2, 36)
    lost = 1 - won - Fraction(6, 36) - sum(sum(ps) for ps in chances.values())
    expected = {}
    for table in tables:
        paid = sum(
            p * x
            for row, ps in zip(table, chances.values(), strict=True)
            for x, p in zip(row, ps, strict=True)
        )
        edge = lost - won - paid
        if Fraction(1, 100) <= edge <= Fraction(2, 100):
            expected[tuple(x for row in table for x in row)] = edge
    found = tune(opened, edge="1%..2%")
    assert (found.count, found.considered, found.is_exact) == (3, 14_112, True)
    assert {
        tuple(table.numbers[n] for n in names): table.figures["pass"].edge for table in found
    } == expected
    for table in found:
        bet = solve(table.game.game).bet()
        assert table.figures["pass"] == (bet.edge, Metrics(bet).hit_frequency, bet.variance)
        assert parse_game(table.text) == table.game


def test_millions_are_counted():
    found = tune(parse_opened(FAST.replace("1..10", "1..10 by 1/2")), edge="1%..2%", top=0)
    assert (found.count, found.considered, found.tables) == (10_777, 13_441_968, ())


@pytest.fixture(scope="module")
def three():
    opened = parse_opened(THREE)
    return opened, list(every(opened))


@pytest.mark.parametrize("wish", ["plain", "edge", "calm", "top"])
@pytest.mark.parametrize(
    "bounds",
    [
        {},
        {"edge": "pass=-20%..10%"},
        {"edge": ["pass=-1/2..1/4", "doubt=-1..1/2"], "hit": "pass=20%..60%"},
        {"edge": ("-1", "1/2"), "volatility": ["pass=..1", "doubt=1..3/2"]},
        {"hit": {"plain": "40%.."}, "volatility": "plain=..9/10"},
        {"edge": "pass=1/3..1/2", "volatility": "pass=2.."},
    ],
)
def test_structure_and_several_bets_equal_every_choice(three, bounds, wish):
    opened, choices = three
    found = tune(opened, **bounds, wish=wish, top=10**5)
    wanted = found.criteria.bounds
    expected = {}
    for values, bets in choices:
        figures = {n: (b.edge, b.p_win, b.variance) for n, b in bets.items()}
        if all(
            want.edge.contains(figures[n][0])
            and want.hit.contains(figures[n][1])
            and (want.volatility.low is None or figures[n][2] >= want.volatility.low**2)
            and (want.volatility.high is None or figures[n][2] <= want.volatility.high**2)
            for n, want in wanted.items()
        ):
            expected[tuple(values[n] for n in opened.numbers)] = figures
    assert found.count == len(expected) == len(found)
    seen = [tuple(table.numbers[n] for n in opened.numbers) for table in found]
    assert dict(zip(seen, (table.figures for table in found), strict=True)) == expected
    assert found.considered == len(choices)
    assert found.refused_structures == 4, "an out that is a point"

    costs = {tuple(table.numbers.values()): table.cost for table in found}

    def score(values):
        figures = expected[values]
        aims = {n: want.edge.middle for n, want in wanted.items()}
        near = sum(abs(figures[n][0] - aim) for n, aim in aims.items() if aim is not None)
        cost = costs[values]
        calm = sum(variance for _, _, variance in figures.values())
        numbers = dict(zip(opened.numbers, values, strict=True))
        tops = max(numbers["a"], numbers["b"]) / numbers["s"] + numbers["c"] + values[-1]
        return {"plain": cost, "edge": near, "calm": calm, "top": -tops}[wish]

    scores = [score(values) for values in seen]
    assert scores == sorted(scores)
    best = tune(opened, **bounds, wish=wish, top=7)
    assert [t.numbers for t in best] == [t.numbers for t in found][:7]


@st.composite
def questions(draw):
    """A line bet with open pays in some order, and what is wanted of it."""
    steps = draw(st.sampled_from(["1", "1/2", "2/3"]))
    numbers = {}
    for name in draw(st.sampled_from(["ab", "abc", "abcd"])):
        low = draw(st.integers(-1, 2))
        numbers[name] = f"{low}..{low + draw(st.integers(0, 3))} by {steps}"
    signs = st.sampled_from([">", ">=", "<"])
    pairs = st.tuples(st.sampled_from(sorted(numbers)), signs, st.sampled_from(sorted(numbers)))
    order = [p for p in draw(st.lists(pairs, max_size=3)) if p[0] != p[2]]
    ends = sorted(draw(st.tuples(*[st.fractions(-1, 1, max_denominator=6)] * 2)))
    deviation = draw(st.sampled_from([None, "..1", "1..2", "3/2.."]))
    return numbers, order, tuple(ends), deviation


@given(questions())
@settings(max_examples=60, deadline=None)
def test_random_orders_equal_every_choice(asked):
    numbers, order, edge, deviation = asked
    lines = [f'{name} = "{values}"' for name, values in numbers.items()]
    said = ", ".join(f'"{a} {sign} {b}"' for a, sign, b in order)
    names = [*numbers, *numbers][:4]
    text = CRAPS.replace(
        "[[line]]", "[open]\n" + "\n".join(lines) + f"\norder = [{said}]\n\n[[line]]"
    )
    text += f"""
    [line.bets.pass]
    natural = {{ "7" = "{names[0]}", "11" = "{names[1]}" }}
    point = {{ "4,10" = "{names[2]}", "5,6,8,9" = "{names[3]}" }}
    """
    opened = parse_opened(text)
    try:
        found = tune(opened, edge=edge, volatility=deviation, top=10**5)
    except RulesError:  # a number would be larger than itself
        assert not list(every(opened))
        return
    choices = list(every(opened))
    assert found.considered == len(choices)
    low, high = found.criteria.bounds["pass"].volatility[:2]
    expected = [
        values
        for values, bets in choices
        if edge[0] <= bets["pass"].edge <= edge[1]
        and (low is None or bets["pass"].variance >= low**2)
        and (high is None or bets["pass"].variance <= high**2)
    ]
    assert found.count == len(expected)
    key = tuple(opened.numbers)
    assert {tuple(t.numbers[n] for n in key) for t in found} == {
        tuple(values[n] for n in key) for values in expected
    }
    roughness = Roughness.of(
        opened, {bet: form.chances for bet, form in found.structures[0].forms.items()}
    )
    costs = [cost_of(roughness, t.numbers) for t in found]
    assert costs == sorted(costs) == [t.cost for t in found]
    if not found.count and deviation is None and choices:
        edges = sorted({bets["pass"].edge for _, bets in choices})
        below = [e for e in edges if e < edge[0]][-1:]
        above = [e for e in edges if e > edge[1]][:1]
        for nearest in below + above:
            assert str(nearest) in found.notes[0]


def test_no_table_says_which_edges_there_are(capsys, tmp_path):
    path = tmp_path / "fast.toml"
    path.write_text(FAST)
    assert main(["tune", str(path), "--edge", "1.17%..1.18%"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "0 of 14,112 tables" in said
    assert "the nearest are 1.1643 % (4889/419904) below and 1.2029 % (5051/419904) above" in said
    assert main(["tune", str(path), "--edge", "1%..2%", "--volatility", "..1"]) == 0
    assert "the volatility from 1.620" in " ".join(capsys.readouterr().out.split())


def test_long_integers_and_small_ones_agree(monkeypatch):
    """Where a sum might not fit into 64 bits, Python's integers take over."""
    short = tune(parse_opened(FAST), edge="0..10%")
    monkeypatch.setattr("sevenout.variants.bounded_search.SAFE_INT64", 1)
    long = tune(parse_opened(FAST), edge="0..10%")
    assert long.to_dict() == short.to_dict()
    assert long.count == 11


def test_a_search_of_a_trillion_tables_is_refused_with_their_number():
    free = FAST[: FAST.index("order")] + FAST[FAST.index("[[line]]") :]
    with pytest.raises(TooMuchWorkError, match=r"^a search of 322,687,697,779 tables .* order"):
        tune(parse_opened(free.replace("1..10", "1..10 by 1/2")), edge="0..20%")


def test_what_a_search_looks_at_is_estimated_within_a_factor_of_four(monkeypatch):
    """Seeded, so no chance of a false alarm."""
    made = []
    real = BoundedSearch._extend

    def extended(search, partial, first, count):
        made.append(int(count.sum()))
        return real(search, partial, first, count)

    opened = parse_opened(FAST.replace("1..10", "1..8 by 1/2"))
    structure = tune(opened, top=0, edge="1%..1.001%").structures[0]
    for edge in ("1%..2%", "-50%..50%"):
        criteria = tune(opened, top=0, edge=edge).criteria
        names, forms = structure.components[0]
        search = structure.search(names, forms, criteria.bounds)
        guessed = search.estimated_assignments()
        monkeypatch.setattr(BoundedSearch, "_extend", extended)
        made.clear()
        for _ in search.assignments():
            pass
        monkeypatch.undo()
        assert sum(made) / 4 < guessed < 4 * sum(made)


def test_wagers_and_checklists():
    """Every pay of a field bet and of a checklist, each solved."""
    opened = parse_opened(
        """
        format = 1
        name = "Sides"
        [[wager]]
        bet = "field"
        limit = 1
        pays = { "3,4,9,10,11" = "1..2 by 1/2", "2,12" = "2..4" }
        rest = "-1..0"
        [[checklist]]
        bet = "small"
        collect = [2, 3]
        stop = "7"
        pays = "20..22"
        """.replace('"7"', "7")
    )
    assert [*opened.numbers][:3] == ["field 3,4,9,10,11", "field 2,12", "field rest"]
    assert opened.pays == tuple(opened.numbers)
    found = tune(opened, edge="field=-1/10..1/10", top=100)
    expected = {
        tuple(values.values())
        for values, bets in every(opened)
        if abs(bets["field"].edge) <= Fraction(1, 10)
    }
    assert {tuple(t.numbers.values()) for t in found} == expected
    assert 0 < len(expected) < found.considered == 54


def test_taste_is_as_stated():
    assert [digit_cost(Fraction(x)) for x in (0, 7, 10, 15, 200, 12, "1/2", "7/3")] == [
        0,
        0,
        0,
        1,
        0,
        2,
        2,
        4,
    ]
    # not only what ends in 5, and so the page says
    assert digit_cost(Fraction(120)) == digit_cost(Fraction(150)) == 1
    assert "1 for another multiple of 5" in PLAINEST_FIRST
    opened = parse_opened(FAST)
    roughness = tune(opened, edge="0..10%").structures[0].roughness
    pairs = {("a1", "a2"), ("a2", "a3"), ("a1", "b1"), ("b1", "c1"), ("a3", "c3")}
    assert pairs <= roughness.expected_order
    values = {
        n: Fraction(v) for n, v in zip(opened.numbers, (12, 4, 3, 4, 3, 2, 3, 2, 4), strict=True)
    }
    # five pays; 12 has two figures; c3 above c2, and above b3 and a3, which are rarer
    assert cost_of(roughness, values) == 4 + 2 + 3 * 3
