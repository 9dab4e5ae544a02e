import operator
import pickle
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from tests.conftest import closed_form, point_games

import sevenout as so
from sevenout.errors import EndlessGameError, RulesError
from sevenout.numerals import exact
from sevenout.rules import Mixture, Outcome, Pay, PayTable, PointGame, Wager
from sevenout.rules.point_games import PointsMade


@given(point_games())
def test_a_point_game_solves_to_its_closed_form(game: PointGame) -> None:
    solution = so.solve(game)
    assert sum(solution.labels.values()) == 1
    assert solution.bet().p_win == closed_form(game)


def test_the_rule_book_form_is_the_same_chain(craps: PointGame) -> None:
    class Craps(so.Game):
        dice = so.dice("2d6")

        def step(self, point, roll):
            match point, roll.total:
                case None, 7 | 11:
                    return so.win("natural")
                case None, 2 | 3 | 12:
                    return so.lose("craps")
                case None, total:
                    return total
                case _, 7:
                    return so.lose("seven out")
                case _, total if total == point:
                    return so.win("point")
                case _:
                    return point

    assert so.explore(Craps()) == so.explore(craps)


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ({"naturals": [7, 11], "craps": [2, 7], "out": 7}, "7 is in both naturals and craps"),
        ({"naturals": [7, 13], "craps": [2], "out": 7}, "13 in naturals: 2d6 can't roll it"),
        ({"naturals": [11], "craps": [2], "out": 7}, "the out 7 is a point"),
        ({"naturals": [7], "craps": [2], "out": 1}, "the out is 1, but 2d6 can't roll it"),
        ({"naturals": range(2, 12), "craps": [12], "out": 7}, "leave one or more for points"),
        ({"naturals": [7], "craps": [2], "out": 7, "limit": 0}, "limit=0"),
        (
            {"naturals": [7], "craps": [2], "out": 7, "bets": {"x": PayTable(point={4: 2})}},
            "point pays by 4; the total 3 is missing",
        ),
        (
            {
                "naturals": [7],
                "craps": [2],
                "out": 7,
                "limit": 3,
                "bets": {"x": PayTable(point=[2, 1])},
            },
            "the amount for roll 3 is missing",
        ),
        (
            {"naturals": [3], "craps": [2], "out": 3, "hard": True, "dice": so.d6.law},
            "has no hard way",
        ),
    ],
)
def test_rules_that_contradict_themselves_are_refused(rules, says: str) -> None:
    with pytest.raises(RulesError) as error:
        PointGame(**rules)
    assert says in str(error.value)


def test_amounts_are_exact() -> None:
    with pytest.raises(RulesError, match=r"0\.5 is a float"):
        PayTable(point=0.5)
    assert PayTable(point="3/2").pay("point", "point", 4).profit == Fraction(3, 2)
    for nonsense in ("1e9999999999", "3/0", "½", "", "1/-2", "%", Decimal("inf"), True):
        with pytest.raises(RulesError, match="is not an amount"):
            PayTable(point=nonsense)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4%", "1/25"),
        ("0.5%", "1/200"),
        ("99.9 %", "999/1000"),
        ("-7/2%", "-7/200"),
        ("0.95", "19/20"),
    ],
)
def test_an_amount_may_be_a_percentage(text: str, value: str) -> None:
    assert exact(text) == Fraction(value)


def test_a_game_that_can_go_on_for_ever_is_refused_by_name() -> None:
    class Stuck(so.Game):
        dice = so.d6
        start = "hall"

        def step(self, state, roll):
            if state == "hall":
                return so.win() if roll == 6 else f"room {roll}"
            return state if state == "room 3" else "hall"

    with pytest.raises(EndlessGameError, match=r"from room 3;"):
        so.explore(Stuck())


def test_too_many_states_are_refused() -> None:
    class Counting(so.Game):
        dice = so.d6
        start = 0

        def step(self, n, roll):
            return so.win() if roll == 6 else n + 1

    from sevenout.errors import TooManyStatesError

    with pytest.raises(TooManyStatesError, match="more than 100 states"):
        so.explore(Counting(), max_states=100)


def test_a_state_must_be_hashable() -> None:
    class Lists(so.Game):
        dice = so.d6

        def step(self, state, roll):
            return [roll]

    with pytest.raises(RulesError, match="not hashable"):
        so.explore(Lists())


def test_what_is_rolled_may_change_with_the_state() -> None:
    """The house rule of the fourth source: no sevens in the first two rounds."""

    class Island(so.Game):
        start = 0

        def rolls(self, turn):
            return so.dice("2d6").totals if turn >= 2 else no_seven

        def step(self, turn, total):
            if turn == 3:
                return so.settle("robber" if total == 7 else "crop")
            return turn + 1

    no_seven = so.dice("2d6").totals.law
    no_seven = type(no_seven)(
        {t: w for t, w in zip(no_seven.faces, no_seven.weights, strict=True) if t != 7}
    )
    solution = so.solve(Island())
    assert solution.p("robber") == Fraction(1, 6)
    assert solution.chain.denominator == 180


def test_amounts_are_money_in_the_unit_of_the_stake() -> None:
    line = PayTable(point={(4, 10): (2, 3), (5, 6, 8, 9): 1})
    five = PayTable(point={(4, 10): (10, 15), (5, 6, 8, 9): 5}, stake=5)
    craps = so.solve(PointGame([7, 11], [2, 3, 12], 7, bets={"line": line, "five": five}))
    one, other = craps.bet("line"), craps.bet("five")
    assert (one.edge, one.element_of_risk, one.table) == (
        other.edge,
        other.element_of_risk,
        other.table,
    )
    assert craps.covariance("line", "five") == one.variance == other.variance
    assert {abs(o.profit("five")) for o in craps.outcomes} == {5, 10}


def test_one_bet_is_one_bet_however_it_is_written() -> None:
    """Five staked on a point of 6, at two units of profit: a line, a wager, a rule book."""
    two = PayTable(natural=2, stake=5)
    line = PointGame([2], [7], 7, rerolls=[3, 4, 5, 8, 9, 10, 11, 12], bets={"pass": two})
    wager = Wager(so.dice("2d6").totals, {2: 2, (6, 7): -5}, bet="pass", stake=5)

    class Book(so.Game):
        dice = so.dice("2d6").totals
        start = "come-out"

        def step(self, state, total):
            if total == 2:
                return so.win("natural", 2, stake=5)
            return so.lose(stake=5) if total in (6, 7) else state

    mine, book = so.solve(wager).bet(), so.solve(Book()).bet()
    assert (book.profit, book.rolls, book.stake) == (mine.profit, mine.rolls, 5)
    pays = so.solve(line).bet().law
    assert {(pay.profit, pay.stake) for pay in pays if pay.event != "point"} == {(2, 5), (-5, 5)}
    assert {(pay.profit, pay.risk) for pay in pays if pay.event == "point"} == {(5, 5)}


def test_equal_lines_hash_alike() -> None:
    assert PayTable(craps={2: 1, 3: 0}) == PayTable(craps={3: 0, 2: 1})
    assert hash(PayTable(craps={2: 1, 3: 0})) == hash(PayTable(craps={3: 0, 2: 1}))


class Free(so.Game):
    """A game that is settled at once."""

    dice = so.d6
    bets = ("pass",)

    def __init__(self, settled: Outcome) -> None:
        self.settled = settled

    def step(self, state, roll):
        return self.settled


def test_bets_that_never_risk_anything_have_no_edge() -> None:
    nothing = so.settle("nothing", {"pass": Pay("nothing", Fraction(0), Fraction(0))})
    bet = so.solve(Mixture(so.d6, {1: Free(nothing)})).bet()
    assert bet.edge == bet.edge_resolved == bet.element_of_risk == 0
    assert bet.to_dict()["p_push"] == "1"


def craps_of(limit: int | None = None, **line) -> PointGame:
    return PointGame([7, 11], [2, 3, 12], 7, limit=limit, bets={"pass": PayTable(**line)})


def test_a_game_is_frozen_deeply() -> None:
    given = {"pass": PayTable(point={4: [2, 1], (5, 6, 8, 9, 10): [1, 1]})}
    game = PointGame([7, 11], [2, 3, 12], 7, limit=2, bets=given)
    same = pickle.loads(pickle.dumps(game))
    given["pass"] = PayTable()
    for change in (
        lambda: operator.setitem(game.bets, "pass", PayTable()),
        lambda: operator.setitem(game.bets["pass"].point, (4,), 1),
        lambda: operator.setitem(game.bets["pass"].point[4,], 0, 1),
        lambda: setattr(game.bets, "_items", {}),
    ):
        with pytest.raises((TypeError, AttributeError)):
            change()
    assert game == same
    assert hash(game) == hash(same)
    assert hash(game) != hash(PointGame([7, 11], [2, 3, 12], 7, limit=2))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: PayTable(stake=0), "stake=0; stake more than 0"),
        (lambda: PayTable(point=(1, -1)), "the money at risk is -1; the stake is part of it"),
        (lambda: PayTable(point=(1, 0)), "the money at risk is 0"),
        (lambda: PayTable(point=(1, 4), stake=5), "the money at risk is 4; .* it is 5 or more"),
        (lambda: PayTable(point=-5), "a profit of -5 loses more than the 1 at risk"),
        (lambda: PayTable(out=(-3, 2)), "a profit of -3 loses more than the 2 at risk"),
        (lambda: PayTable(out=[-1, -1]), "out is paid by roll; only point and easy may be"),
        (lambda: PayTable(point=[]), "point pays nothing for any roll"),
        (lambda: PayTable(point={}), "point pays nothing for any total"),
        (lambda: craps_of(point=[3, 2, 1]), "pass is paid by roll, .*; add limit = 3"),
        (lambda: craps_of(2, point=[3, 2, 1]), "for 3 rolls, but there are 2"),
        (lambda: craps_of(late=0), "a pay for late, but the rolls for the point have no limit"),
        (lambda: craps_of(easy=0), "a pay for easy, but the easy way makes the point"),
        (lambda: craps_of(push=1), "a pay for push, but nothing pushes"),
        (lambda: craps_of(point=dict.fromkeys(range(3, 11), 1)), "point on 3, which can't happen"),
        (lambda: PointGame([7], [2], 7, bets={"pass": 1}), "the bet 'pass' is 1; give a PayTable"),
        (lambda: PointGame([7], [2], 7, limit=True), "limit=True"),
        (lambda: PointGame([7], [2], 7, hard=1), "hard=1; write True or False"),
        (lambda: so.win(stake=0), "stake=0; stake more than 0"),
        (lambda: PayTable(point={(4, 10): 2, 4: 3}), "4 is paid twice"),
        (lambda: PointGame([7], [2], 7, dice="2d6"), "dice='2d6' can't be rolled"),
        (lambda: PointGame([7], [2], 7, limit=2.5), "limit=2.5"),
        (lambda: so.counted(None, won=0.5), "0.5 is a float"),
        (lambda: so.counted(None, rolls=1), "rolls are always counted"),
    ],
)
def test_what_would_give_wrong_answers_is_refused(make, message) -> None:
    with pytest.raises(RulesError, match=message):
        make()


def test_a_limit_beyond_any_patience_costs_nothing_to_write_down() -> None:
    assert PointGame([7, 11], [2, 3, 12], 7, limit=10**12).outcomes


@pytest.mark.parametrize("limit", [None, 3])
def test_only_the_hard_way_makes_a_point_of_a_hand_if_the_round_says_so(limit: int | None) -> None:
    craps = PointGame([7, 11], [2, 3, 12], 7, hard=True, limit=limit)
    one_point = so.solve(PointsMade(craps, {1: 1}, different=False))
    # a round makes a point or ends the hand; any other round is followed by the next
    outcomes = so.solve(craps).outcomes
    made, out = (
        sum(p for outcome, p in outcomes.items() if outcome.label == label)
        for label in ("point, hard way", "seven out")
    )
    assert one_point.bet().p_win == made / (made + out)
