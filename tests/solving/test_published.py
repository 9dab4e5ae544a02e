"""The games as others have published them."""

from fractions import Fraction

import pytest

import sevenout as so
from sevenout.catalogue import games
from sevenout.catalogue.board_games import epc
from sevenout.catalogue.push_your_luck import THREE, ScoreTable, Turn
from sevenout.solving.goal import Arena, Goal
from sevenout.solving.optimal_play import solved


@pytest.mark.parametrize(("sides", "shortest", "turns"), [(2, 1, 1.298), (2, 2, 1.347)])
def test_cant_stop_as_published(sides, shortest, turns):
    """Glenn, Fang and Kruskal 2006, to three digits."""
    assert round(float(least_turns(sides, shortest)), 3) == turns


def least_turns(sides, shortest):
    game = games("cant-stop", sides=sides, shortest=shortest)
    return so.best(game, **games.entry("cant-stop").goal).value


def test_a_stack_on_the_ace_point():
    """Trice 2000: 7 n + 1 pips, or nearly, if n rolls take it off where none is a double."""
    mean = {0: Fraction(0)}
    for men in range(1, 16):
        mean[men] = 1 + (5 * mean[max(men - 2, 0)] + mean[max(men - 4, 0)]) / 6
        if men % 2:
            game = games("bear-off", board=(men,))
            assert so.best(game, least="rolls").value == mean[men]
    assert round(float(mean[7]), 10) == 3.5509259259
    assert round(float(epc(mean[7])), 3) == 28.999
    assert round(float(epc(mean[13])), 6) == 50.000004


def test_zilch_with_a_fine_for_the_third_in_a_row():
    """Busche 2010: 620.855 points a turn, if three turns lost in a row cost 500 more.

    Each turn is played for its points and for what is left to come if it is lost, less if another
    was lost before; of a policy of that kind, the gain is that of a chain of three states.
    """
    model = so.explore(games.entry("zilch-turn").game())
    points, lost = [], []
    for after in (Fraction("-11.187"), Fraction("-73.698"), Fraction(-500)):

        def worth(outcome, after=after):
            return after if outcome.label == "farkle" else Fraction(0)

        goal = Goal("most points", 1, worth, {"points": Fraction(1)})
        turn = solved(Arena.of(model, goal), "certified")
        lost.append(turn.solution.p("farkle"))
        points.append(turn.value - after * lost[-1])
    stays = [Fraction(1), lost[0], lost[0] * lost[1]]
    gain = sum(n * p for n, p in zip(stays, points, strict=True)) - 500 * stays[2] * lost[2]
    assert abs(gain / sum(stays) - Fraction("620.855")) < Fraction("0.001")


def test_a_farkle_turn_as_published():
    """McKenna (rmckenna21.blogspot.com), to three digits: what points so far and dice to roll are
    worth, where four of a kind score twice as three, five three times, six four times, and three
    pairs 750; a four and a pair are no three pairs, as his figures show.
    """

    class Pairs(ScoreTable):
        def hand(self, dice):
            if sorted(map(dice.count, set(dice))) == [2, 4]:
                return ScoreTable(self.kinds, straight=0, pairs=0).hand(dice)
            return super().hand(dice)

    table = Pairs(tuple((n, 2 * n, 3 * n, 4 * n) for n in THREE), straight=1500, pairs=750)
    turn = so.best(Turn(table, target=10_000, least=0), "points")
    published = {
        **{(50, 5): "363.834", (100, 5): "399.911", (150, 4): "307.673", (200, 3): "257.584"},
        **{(250, 3): "293.4", (250, 2): "250", (300, 2): "300", (350, 1): "350"},
    }
    for state, worth in published.items():
        assert round(float(turn.at(state)[0].value), 3) == float(worth)


@pytest.mark.parametrize(
    ("attackers", "defenders", "wins"),
    [(1, 1, 0.417), (2, 1, 0.754), (3, 3, 0.470), (5, 5, 0.506), (10, 10, 0.568)],
)
def test_risk_as_published(attackers, defenders, wins):
    """Osborne 2003, to three digits."""
    battle = games("risk-battle", attackers=attackers, defenders=defenders)
    assert round(float(so.solve(battle).p("attacker wins")), 3) == wins


def test_chutes_and_ladders_by_floats():
    """The mean of 39.2 spins (Althoen, King and Schilling 1993), from linear equations."""
    from sevenout.catalogue.board_games import CHUTES, LADDERS

    jumps = LADDERS | CHUTES
    spins = [0.0] * 101
    for _ in range(2_000):
        for square in range(99, -1, -1):
            to = [square + n if square + n <= 100 else square for n in range(1, 7)]
            spins[square] = 1 + sum(spins[jumps.get(t, t)] for t in to) / 6
    solution = so.solve(games["chutes-and-ladders"])
    assert abs(float(solution.mean_rolls) - spins[0]) < 1e-9
    assert round(spins[0], 3) == 39.225
