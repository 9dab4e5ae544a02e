"""Pay tables: every table there is, against the search; and each found one, solved again."""

from fractions import Fraction
from itertools import product

import pytest

from sevenout.errors import RulesError
from sevenout.exact import solve
from sevenout.rules import Line, PointGame
from sevenout.variants import paytables


def fast_craps(**line):
    pays = {(4, 10): [5, 4, 3], (5, 9): [4, 3, 2], (6, 8): [3, 2, 1]}
    bets = {"pass": Line(**({"point": pays} | line))}
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
        line = Line(point={rare: list(first), common: list(second)})
        bet = solve(
            PointGame([6, 7], [2, 3, 8], 6, limit=2, dice=_dice("2d4"), bets={"pass": line})
        ).bet()
        if edge[0] <= bet.edge <= edge[1]:
            expected[first, second] = (bet.edge, bet.variance)
    assert found.considered == considered
    assert {tuple(table.pays.values()): (table.edge, table.variance) for table in found} == expected
    assert found.count == len(expected) > 0


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
    craps = PointGame([7, 11], [2, 3, 12], 7, bets={"pass": Line(stake=2)})
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
    game = PointGame([7, 11], [2, 3, 12], 7, bets={"pass": Line(natural={7: 10**30, 11: 1})})
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
    brick = PointGame(
        [], [2, 3, 5, 9, 12], 7, pushes=[7, 11], limit=3, hard=True, bets={"pass": Line(point=25)}
    )
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
        ({"pays": (3, 1)}, "widen"),
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
    ],
)
def test_wrong_questions(arguments, match):
    with pytest.raises(RulesError, match=match):
        paytables(fast_craps(), **({"edge": ("0", "1/10")} | arguments))


def _dice(text):
    from sevenout.dice import parse_dice

    return parse_dice(text)


def _groups(game):
    law = game.dice.totals.law
    weights = sorted({law[p] for p in game.points})
    return tuple(tuple(sorted(p for p in game.points if law[p] == w)) for w in weights)
