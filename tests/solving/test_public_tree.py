"""Games of hidden hands, solved by their tables: the same as when every position is explored."""

from dataclasses import dataclass
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sevenout as so
from sevenout.cli import main
from sevenout.errors import RulesError, TooManyStatesError
from sevenout.rolling import Law
from sevenout.rules import HiddenHands
from sevenout.rules.hidden_hands import LateDeal
from sevenout.solving.public_tree import HandsGame, UndominatedTree


@dataclass(frozen=True)
class Auction(HiddenHands):
    """A few tables in a row; a move skips some of them, or ends the round."""

    deal: tuple[tuple[int, ...], ...]
    movers: tuple[str, ...]
    payoffs: tuple[tuple[tuple[int, ...], ...], ...]
    opening = 0

    @property
    def cups(self):
        rows = enumerate(self.deal)
        return (Law({(x, y): w for x, row in rows for y, w in enumerate(row) if w}),)

    def to_move(self, table):
        return self.movers[table]

    def moves(self, table):
        if isinstance(table, str) or table == len(self.movers):
            return {}
        later = {f"to {k}": k for k in range(table + 1, len(self.movers) + 1)}
        return {**later, "end": f"ended at {table}"}

    def showdown(self, table, first, second):
        at = int(table.split()[-1]) if isinstance(table, str) else -1
        amount = self.payoffs[at][first][second]
        risk = max(1, abs(amount))
        return so.settle(str(amount), {"first": (amount, risk), "second": (-amount, risk)})


@st.composite
def auctions(draw):
    rows, columns = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    deal = [[draw(st.integers(0, 2)) for _ in range(columns)] for _ in range(rows)]
    deal[0][0] += 1
    movers = draw(st.permutations(["first", "second", "first", "second"]))[
        : draw(st.integers(2, 4))
    ]
    cells = list(product(range(rows), range(columns)))
    amounts = st.sampled_from([-1, 1]) if draw(st.booleans()) else st.integers(-2, 2)
    payoffs = []
    for _ in range(len(movers) + 1):
        drawn = dict(zip(cells, draw(st.lists(amounts, min_size=9, max_size=9)), strict=False))
        payoffs.append(tuple(tuple(drawn[x, y] for y in range(columns)) for x in range(rows)))
    return Auction(tuple(map(tuple, deal)), tuple(movers), tuple(payoffs))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(auctions())
def test_the_tables_come_to_the_same_as_all_positions(game):
    """And what a policy does after a move that is never good gives nothing away."""
    if len(set(game.movers)) < 2:
        return
    best, explored = so.best(game), so.best(so.explore(game))
    assert best.value == explored.value
    assert best.bound == best.solved.bound == 0
    assert so.solve(best.chain).bet("first").mean == best.solved.value


def tree(**options):
    late = so.explore(LateDeal(so.games("liars-dice", **options)))
    return UndominatedTree(
        HandsGame.of(late, [outcome.profit("first") for outcome in late.outcomes])
    )


def test_what_is_sure_to_be_beaten_is_left_out():
    """Two dice each of six sides: 7 billion positions, and 1 in 2,000 is worth a look."""
    found = tree(first=2, second=2)
    assert found.game.positions == 441 * 2**24
    assert found.root.sequences == 3_637_206


def test_an_impossible_bid_is_called():
    """Nobody with a 4 and a 5 believes in three 3s; so nobody with them does anything else."""
    best = so.best(so.games("liars-dice", first=2, sides=5))
    asked = "first", ((4, 5), "1x1", "3x3")
    assert best.policy[asked]["call"] == 1
    assert sum(best.policy[asked].values()) == 1


def test_what_a_player_sees_is_found_by_what_is_written():
    best = so.best(so.games("liars-dice", sides=3))
    assert best.parse_state("first: 3, 1x2, 1x3") == ("first", ((3,), "1x2", "1x3"))
    assert best.parse_state("3 1x2") == ("second", ((3,), "1x2"))
    for wrong in ("3 1x3 1x2", "7", "second: 3"):
        with pytest.raises(RulesError, match="not a decision state"):
            best.parse_state(wrong)
    for wrong in (("first", ((9,),)), ("third", ((1,),)), 5, ("first", ((3,), "1x2"))):
        with pytest.raises(RulesError, match=r"no choice|not a decision state"):
            best.options(wrong)
        assert wrong not in best.policy


def test_a_large_game_says_what_it_can_not_do():
    best = so.best(so.games("liars-dice", first=2, sides=5))
    with pytest.raises(TooManyStatesError, match="2,457,600 positions"):
        _ = best.chain
    options = best.options(("first", ((5, 5),)))
    assert {option.name for option in options if not option.cost} >= {
        name for name, share in best.policy["first", ((5, 5),)].items() if share
    }


def test_the_command_finds_a_state_by_what_is_seen(capsys):
    """A bid of three is impossible for whoever has none: they call, and win."""
    arguments = ["--first", "2", "--sides", "5", "--at", "second: 2, 1x5"]
    assert main(["best", "liars-dice", *arguments]) == 0
    assert "second sees 2 · 1x5" in capsys.readouterr().out
