"""Pay tables: every table there is, against the search; and each found one, solved again."""

from fractions import Fraction
from itertools import pairwise, product
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sevenout import budget
from sevenout.errors import RulesError, SevenoutError, TooMuchWorkError
from sevenout.exact import solve
from sevenout.rules import PayTable, PointGame
from sevenout.variants import paytables
from sevenout.variants.paytree import Tree


def fast_craps(**line):
    pays = {(4, 10): [5, 4, 3], (5, 9): [4, 3, 2], (6, 8): [3, 2, 1]}
    bets = {"pass": PayTable(**({"point": pays} | line))}
    return PointGame([11], [2, 3, 12], 7, pushes=[7], limit=3, bets=bets)


def solved(game, table):
    again = PointGame(
        game.naturals,
        game.craps,
        game.out,
        pushes=game.pushes,
        limit=game.limit,
        dice=game.dice,
        hard=game.hard,
        bets={"pass": table.line},
    )
    return solve(again).bet()


def test_fast_craps():
    found = paytables(fast_craps(), ("0", "1/10"), top=20)
    assert (found.count, found.considered) == (11, 14_112)
    tables = {
        tuple(tuple(int(p) for p in row) for row in table.pays.values()): table for table in found
    }
    own = tables[(5, 4, 3), (4, 3, 2), (3, 2, 1)]
    assert own.edge == solve(fast_craps()).bet().edge
    assert f"{float(own.edge):.6f}" == "0.050223"
    for table in found:
        bet = solved(fast_craps(), table)
        assert (bet.edge, bet.variance) == (table.edge, table.variance)
        assert Fraction(0) <= table.edge <= Fraction(1, 10)
    off = [abs(table.edge - Fraction(1, 20)) for table in found]
    assert off == sorted(off)


@pytest.mark.parametrize("by_roll", ["falling", "not rising", "free"])
@pytest.mark.parametrize("by_point", ["rising", "not falling", "free"])
def test_against_every_table(by_roll, by_point):
    game = PointGame([6, 7], [2, 3, 8], 6, limit=2, dice=_dice("2d4"))
    grid = [Fraction(k, 2) for k in range(1, 5)]
    edge = (Fraction(-1, 5), Fraction(1, 4))
    found = paytables(
        game, edge, step="1/2", pays=("1/2", 2), by_roll=by_roll, by_point=by_point, top=10**4
    )
    (rare, common) = _groups(game)

    def ordered(a, b, how):
        return {"free": True, "not": a >= b, "strict": a > b}[how]

    rolls = {"falling": "strict", "not rising": "not", "free": "free"}[by_roll]
    points = {"rising": "strict", "not falling": "not", "free": "free"}[by_point]
    expected, considered = {}, 0
    for first, second in product(product(grid, repeat=2), repeat=2):
        if not all(ordered(*row, rolls) for row in (first, second)):
            continue
        if not all(ordered(a, b, points) for a, b in zip(first, second, strict=True)):
            continue
        considered += 1
        line = PayTable(point={rare: list(first), common: list(second)})
        bet = solve(
            PointGame([6, 7], [2, 3, 8], 6, limit=2, dice=_dice("2d4"), bets={"pass": line})
        ).bet()
        if edge[0] <= bet.edge <= edge[1]:
            expected[first, second] = (bet.edge, bet.variance)
    assert found.considered == considered
    assert {tuple(table.pays.values()): (table.edge, table.variance) for table in found} == expected
    assert found.count == len(expected) > 0


@st.composite
def questions(draw):
    """A point game over two small dice, and a question about the pays of its points."""
    sides = draw(st.integers(2, 4))
    totals = list(range(2, 2 * sides + 1))
    points = draw(st.sets(st.sampled_from(totals), min_size=1, max_size=len(totals) - 1))
    rest = [total for total in totals if total not in points]
    out = draw(st.sampled_from(rest))
    naturals = {total for total in rest if total != out and draw(st.booleans())}
    game = {"sides": sides, "points": points, "naturals": naturals, "out": out}
    low = draw(st.fractions(-3, 2, max_denominator=2))
    ends = sorted(draw(st.tuples(*[st.fractions(-3, 3, max_denominator=4)] * 2)))
    return game | {
        "limit": draw(st.sampled_from([1, 2])),
        "step": draw(st.sampled_from([Fraction(1, 2), Fraction(2, 3), Fraction(1)])),
        "pays": (low, low + draw(st.fractions(1, 2, max_denominator=2))),
        "edge": draw(st.sampled_from([(-9, 9), tuple(ends)])),
        "by_roll": draw(st.sampled_from(["falling", "not rising", "free"])),
        "by_point": draw(st.sampled_from(["rising", "not falling", "free"])),
        "wish": draw(st.sampled_from(["edge", "variance", "top"])),
        "top": draw(st.integers(1, 6)),
    }


@given(questions())
@settings(max_examples=150, deadline=None)
def test_random_questions_against_every_table(asked):
    """Any pays, below 0 as above: the best by the definition, from the chances of each roll."""
    sides, limit, out = asked["sides"], asked["limit"], asked["out"]
    ways = {t: sides - abs(t - sides - 1) for t in range(2, 2 * sides + 1)}
    total = sides**2
    weights = sorted({ways[t] for t in asked["points"]})
    groups = [sorted(t for t in asked["points"] if ways[t] == w) for w in weights]
    chances = [
        [
            sum(
                Fraction(ways[t], total)
                * Fraction(total - ways[t] - ways[out], total) ** r
                * Fraction(ways[t], total)
                for t in group
            )
            for r in range(limit)
        ]
        for group in groups
    ]
    natural = Fraction(sum(ways[t] for t in asked["naturals"]), total)
    lost = 1 - natural - sum(map(sum, chances))
    low, high = asked["pays"]
    step = asked["step"]
    grid = [k * step for k in range(-20, 20) if low <= k * step <= high]
    order = {
        "falling": lambda a, b: a > b,
        "not rising": lambda a, b: a >= b,
        "rising": lambda a, b: a > b,
        "not falling": lambda a, b: a >= b,
        "free": lambda _a, _b: True,
    }
    rows = [
        row
        for row in product(grid, repeat=limit)
        if all(order[asked["by_roll"]](*pair) for pair in pairwise(row))
    ]
    aim = sum(asked["edge"]) / 2
    ranks, considered = [], 0
    for table in product(rows, repeat=len(groups)):
        pairs = (p for a, b in pairwise(table) for p in zip(a, b, strict=True))
        if not all(order[asked["by_point"]](*pair) for pair in pairs):
            continue
        considered += 1
        cells = [
            (p, pay)
            for ps, row in zip(chances, table, strict=True)
            for p, pay in zip(ps, row, strict=True)
        ]
        mean = natural - lost + sum(p * pay for p, pay in cells)
        if asked["edge"][0] <= -mean <= asked["edge"][1]:
            variance = natural + lost + sum(p * pay**2 for p, pay in cells) - mean**2
            best = max(pay for row in table for pay in row)
            score = {"edge": 0, "variance": variance, "top": -best}[asked["wish"]]
            ranks.append((score, abs(-mean - aim)))
    names = ("step", "pays", "by_roll", "by_point", "wish", "top")
    game = PointGame(
        asked["naturals"],
        set(ways) - asked["points"] - asked["naturals"],
        out,
        limit=limit,
        dice=_dice(f"2d{sides}"),
    )
    question = {name: asked[name] for name in names}
    if not rows:
        with pytest.raises(RulesError, match=r"rows of|no multiple"):
            paytables(game, asked["edge"], **question)
        return
    found = paytables(game, asked["edge"], **question)
    assert (found.considered, found.count) == (considered, len(ranks))
    scores = {"edge": lambda _: 0, "variance": lambda t: t.variance, "top": lambda t: -t.top}
    seen = [(scores[asked["wish"]](t), abs(t.edge - aim)) for t in found]
    assert seen == sorted(ranks)[: asked["top"]]


def test_the_highest_of_pays_below_0():
    """One group of points, and nothing for it to be compared with but itself."""
    found = paytables(
        fast_craps(point=0),
        (-9, 9),
        pays=(-6, -1),
        groups=[(4, 5, 6, 8, 9, 10)],
        by_roll="not rising",
        wish="top",
        top=60,
    )
    assert found.count == len(found) == 56
    assert [table.top for table in found] == sorted((t.top for t in found), reverse=True)


def three_dice():
    return PointGame([7, 11], [3, 4, 12], 7, dice=_dice("3d6"))


def test_a_search_that_would_take_hours_is_refused_at_once():
    started = perf_counter()
    with pytest.raises(TooMuchWorkError, match=r"^a search of 7984925229121 pay tables .*hours"):
        paytables(three_dice(), ("1/100", "2/100"), step="1/10", pays=(0, 4), by_point="free")
    assert perf_counter() - started < 2


def test_what_a_search_costs_is_estimated_within_a_factor_of_four():
    """Seeded, so no chance of a false alarm: the estimate beside what the walk does."""
    cases = [
        (fast_craps(), {"step": "1/2"}),
        (fast_craps(), {"by_point": "free", "by_roll": "free", "pays": (1, 5)}),
        (three_dice(), {"step": "1/2", "pays": (0, 3), "by_point": "not falling"}),
    ]
    for game, question in cases:
        guessed = []

        def estimate(tree, least, most, guessed=guessed, real=Tree.estimate):
            guessed.append(real(tree, least, most))
            return guessed[-1]

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Tree, "estimate", estimate)
            patch.setattr("sevenout.variants.paytree.STEP", 1.0)
            with budget(seconds=1e12):
                found = paytables(game, ("1/100", "1/20"), **question)
        assert found.count / 4 < guessed[0][1] < found.count * 4


@pytest.mark.parametrize("wish", ["edge", "variance", "top"])
def test_wishes(wish):
    everything = paytables(fast_craps(), ("1/50", "1/10"), step="1/2", pays=(1, 6), top=10**5)
    best = paytables(
        fast_craps(), ("1/50", "1/10"), step="1/2", pays=(1, 6), top=25, wish=wish, target="1/20"
    )
    assert best.count == everything.count == len(everything)

    def rank(table):
        off = abs(table.edge - Fraction(1, 20))
        return {"edge": (off,), "variance": (table.variance, off), "top": (-table.top, off)}[wish]

    assert [rank(t) for t in best] == sorted(map(rank, everything))[:25]


def test_no_limit_and_a_stake():
    craps = PointGame([7, 11], [2, 3, 12], 7, bets={"pass": PayTable(stake=2)})
    found = paytables(craps, ("-1/10", "1/10"), step="1/2", pays=("1/2", 4), top=50)
    assert found.count == len(found) > 0
    for table in found:
        bet = solved(craps, table)
        assert (bet.edge, bet.variance) == (table.edge, table.variance)
        assert all(len(row) == 1 for row in table.pays.values())


@pytest.mark.parametrize("digits", [8, 20, 40])
def test_a_target_of_many_digits(digits):
    target = "0." + ("0123456789" * 5)[:digits]
    everything = paytables(fast_craps(), ("0", "1/10"), top=20)
    best = paytables(fast_craps(), ("0", "1/10"), top=4, target=target)
    off = sorted(abs(table.edge - Fraction(target)) for table in everything)
    assert [abs(table.edge - Fraction(target)) for table in best] == off[:4]


def test_huge_pays_elsewhere():
    """All else than points may pay so much that a variance needs more than 64 bits."""
    game = PointGame([7, 11], [2, 3, 12], 7, bets={"pass": PayTable(natural={7: 10**30, 11: 1})})
    found = paytables(game, (-(10**30), 0), pays=(1, 4), wish="variance")
    for table in found:
        bet = solved(game, table)
        assert (bet.edge, bet.variance) == (table.edge, table.variance)
    variances = [table.variance for table in found]
    assert variances == sorted(variances)


def test_a_schedules_groups_are_taken_by_rarity():
    """However the schedule is written down, rarer points pay more."""
    listed = fast_craps(point={(6, 8): [3, 2, 1], (4, 10): [5, 4, 3], (5, 9): [4, 3, 2]})
    found, expected = (paytables(game, ("0", "1/10")) for game in (listed, fast_craps()))
    assert found == expected
    assert list(found.tables[0].pays) == [(4, 10), (5, 9), (6, 8)]


def test_a_hard_point():
    bets = {"pass": PayTable(point=25)}
    brick = PointGame([], [2, 3, 5, 9, 12], 7, pushes=[7, 11], limit=3, hard=True, bets=bets)
    found = paytables(brick, ("0", "1/10"), pays=(20, 30), by_roll="not rising", top=3)
    for table in found:
        assert solved(brick, table).edge == table.edge
    flat = paytables(
        brick, ("0", "1/10"), pays=(25, 25), by_roll="not rising", groups=[(4, 6, 8, 10)]
    )
    assert [f"{float(table.edge):.5f}" for table in flat] == ["0.06274"]


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"edge": (1, 0)}, "smaller first"),
        ({"step": 0}, "step=0"),
        ({"pays": (3, 1)}, "smaller first"),
        ({"pays": ("1/3", "1/2")}, "widen"),
        ({"bet": "brick"}, "no bet 'brick'"),
        ({"groups": [(4, 10)]}, "each of the points"),
        ({"groups": [(4, 10, 5, 9, 6, 8), (4,)]}, "in one group"),
        ({"wish": "fun"}, "wish='fun'"),
        ({"by_roll": "up"}, "by_roll='up'"),
        ({"by_point": "up"}, "by_point='up'"),
        ({"top": -1}, "top=-1"),
        ({"step": "1/100"}, "rows of 3 pays"),
        ({"pays": (1, 2)}, "0 rows"),
        ({"step": 0.5}, "float"),
        ({"pays": (0, 10**12)}, "3,000"),
        ({"pays": (0, "9" * 90), "step": "1/" + "9" * 90}, "3,000"),
        ({"edge": "1/10"}, "least and the most"),
        ({"edge": (0,)}, "least and the most"),
        ({"pays": 3}, "least and the most"),
        ({"top": "3"}, "top='3'"),
        ({"wish": ["top"]}, "wish="),
        ({"by_roll": "free", "pays": (1, 1000)}, "more than a million rows"),
    ],
)
def test_wrong_questions(arguments, match):
    with pytest.raises(RulesError, match=match) as raised:
        paytables(fast_craps(), **({"edge": ("0", "1/10")} | arguments))
    assert len(str(raised.value)) < 400


@pytest.mark.parametrize("game", ["craps", None, 3])
def test_what_is_no_game_is_said(game):
    with pytest.raises(SevenoutError, match="is not a point game"):
        paytables(game, ("0", "1/10"))


def _dice(text):
    from sevenout.dice import parse_dice

    return parse_dice(text)


def _groups(game):
    law = game.dice.totals.law
    weights = sorted({law[p] for p in game.points})
    return tuple(tuple(sorted(p for p in game.points if law[p] == w)) for w in weights)
