import pickle
from fractions import Fraction
from typing import Any

import pytest

import sevenout as so
from sevenout.catalogue.craps_family.craps_variants import brick_bet, pass_bet
from sevenout.catalogue.hazard import hazard
from sevenout.errors import RulesError
from sevenout.evenings import one_bet, session
from sevenout.questions.entries.game_questions import game_by_counter
from sevenout.rolling import Law
from sevenout.rules import (
    Counted,
    CounterOutcomes,
    FlatGame,
    JointGame,
    Mixture,
    RenamedGame,
    Streak,
    Wager,
    counted,
    settle,
)


def test_the_casters_turn_on_the_dice_and_on_the_round_agree() -> None:
    for main in range(5, 10):
        played = so.solve(Streak(hazard(main)))
        compressed = so.solve(Streak(so.solve(hazard(main)).as_die()))
        q = 1 - so.solve(hazard(main)).bet().p_win
        for turn in (played, compressed):
            won = turn.distribution("won")
            assert won.mean == turn.mean("won") == (1 - q**2) / q**2
            assert [won.pmf(k) for k in range(5)] == [(1 - q**2) ** k * q**2 for k in range(5)]
        # Wald: rolls in a turn are rounds in a turn times rolls in a round.
        assert played.mean("rolls") == played.mean("rounds") * so.solve(hazard(main)).mean_rolls


def test_main_seven_is_the_best_main() -> None:
    won = {main: so.solve(Streak(hazard(main))).mean("won") for main in range(5, 10)}
    assert max(won, key=lambda main: won[main]) == 7
    assert won[7] == Fraction(182024, 63001)


def test_a_session_is_the_gamblers_ruin() -> None:
    craps = so.solve(so.games["craps"]).as_die()
    solution = so.solve(one_bet(craps, bankroll=5, target=10).game)
    p = Fraction(244, 495)
    r = (1 - p) / p
    assert solution.p("target") == (1 - r**5) / (1 - r**10)
    assert solution.bet("evening").mean == 2 * solution.p("target") - 1


def test_a_session_on_the_dice_and_on_the_bet_agree(craps) -> None:
    played = so.solve(one_bet(craps, bankroll=2, bets=3).game)
    compressed = so.solve(one_bet(so.solve(craps).as_die(), bankroll=2, bets=3).game)
    assert played.labels == compressed.labels
    assert played.distribution("bets").mean == compressed.distribution("bets").mean


def test_two_bets_on_the_same_rolls() -> None:
    both = so.solve(so.games["fast-craps"])
    for alone in (so.solve(pass_bet()), so.solve(brick_bet())):
        (name,) = alone.bets
        one, other = both.bet(name), alone.bet(name)
        assert (one.mean, one.variance, one.rolls) == (other.mean, other.variance, other.rolls)
    by_hand = (
        sum(
            (o.profit("pass") * o.profit("brick") * p for o, p in both.outcomes.items()),
            Fraction(0),
        )
        - both.bet("pass").mean * both.bet("brick").mean
    )
    assert both.covariance("pass", "brick") == by_hand
    assert both.covariance("pass", "pass") == both.bet("pass").variance


def test_two_of_a_kind_sit_together_under_other_names(craps) -> None:
    both = so.solve(JointGame(craps, RenamedGame(craps, {"pass": "mirror"})))
    assert both.covariance("pass", "mirror") == so.solve(craps).bet().variance


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (JointGame, "1 games to play together"),
        (lambda craps: JointGame(craps, craps), "bet named 'pass'"),
        (lambda craps: Streak(craps, losses=0), "losses=0"),
        (
            lambda craps: one_bet(craps, bankroll=0, target=2).game,
            "may cost 1, more than the bankroll of 0",
        ),
        (lambda craps: one_bet(craps, bankroll=5, target=5).game, "already reaches the target, 5"),
        (lambda craps: one_bet(craps, bankroll=5).game, "a target, a number of bets, or both"),
        (lambda craps: one_bet(craps, bankroll=5, bets=0).game, "bets=0"),
    ],
)
def test_games_of_games_that_make_no_sense_are_refused(craps, make, says: str) -> None:
    with pytest.raises(RulesError, match=says):
        make(craps)


def test_games_on_different_dice_can_not_sit_together(craps) -> None:
    other = RenamedGame(so.PointGame([3], [2], 3, dice=so.dice("d4")), {"pass": "other"})
    with pytest.raises(RulesError, match="the same dice"):
        so.explore(JointGame(craps, other))


class EvenOdd(so.Game):
    """A bet on the first roll of which the rules list no outcome."""

    dice = so.dice("2d6").totals
    bets = ("even",)

    def step(self, state, roll):
        return so.win(bet="even") if roll % 2 == 0 else so.lose(bet="even")


def test_bets_keep_their_own_rolls_at_any_table(craps) -> None:
    """Renamed bets, in a table of tables, or of rules that list no outcomes."""
    field = Wager.one_roll(so.dice("2d6").totals, {(3, 4, 9, 10, 11): 1, (2, 12): 2}, bet="field")
    inner = RenamedGame(JointGame(craps, field), {"field": "one-roll field", "pass": "line"})
    bets = so.solve(JointGame(inner, RenamedGame(field, {"field": "again"}), EvenOdd(), craps)).bets
    rolls = {name: bet.rolls for name, bet in bets.items()}
    assert list(rolls.values()) == [Fraction(557, 165), 1, 1, 1, Fraction(557, 165)]
    assert list(rolls) == ["line", "one-roll field", "again", "even", "pass"]


def test_a_reading_of_a_reading_sits_at_the_table(craps) -> None:
    parity = so.dice("2d6").totals.read(lambda total: total % 2)
    odd = Wager.one_roll(parity, {1: 1}, bet="odd")
    both = so.solve(JointGame(craps, odd))
    assert both.bet("odd").p_win == Fraction(1, 2)
    assert both.bet("pass").p_win == Fraction(244, 495)


def test_names_that_would_be_confused_are_refused(craps) -> None:
    field = Wager.one_roll(so.dice("2d6").totals, {(2, 12): 2}, bet="field")
    with pytest.raises(RulesError, match="two of the games have a bet named 'pass'"):
        JointGame(craps, RenamedGame(field, {"field": "pass"}))
    with pytest.raises(RulesError, match="two of the games have a bet named 'even'"):
        JointGame(EvenOdd(), EvenOdd())
    with pytest.raises(RulesError, match="'pass' is named 5; name it with a text"):
        RenamedGame(craps, {"pass": 5})
    with pytest.raises(RulesError, match="no bet 'odds' to rename; the game has: pass"):
        RenamedGame(craps, {"odds": "free odds"})
    with pytest.raises(RulesError, match="same new name"):
        RenamedGame(JointGame(craps, field), {"field": "pass"})
    with pytest.raises(RulesError, match=r"FlatGame\(game\)"):
        so.solve(JointGame(Streak(craps), field))


def test_a_counter_as_outcomes() -> None:
    turn = so.games["hazard-turn"]
    law = so.solve(turn).distribution("won")
    spread = CounterOutcomes(turn, "won", max_value=6)
    exact = so.solve(spread)
    assert [exact.p(f"{n} won") for n in range(6)] == [law.pmf(n) for n in range(6)]
    assert exact.p("6 or more won") == law.sf(5)
    tally = so.simulate(spread, games=100_000, seed=1)
    assert sum(tally.labels.values()) == tally.games
    # One bin of seven, by the normal law: a false alarm at 5 sigma is rarer than 1 in 200,000.
    for label, p in exact.labels.items():
        sigma = float(p * (1 - p) * tally.games) ** 0.5
        assert abs(tally.labels[label] - float(p) * tally.games) < 5 * sigma
    with pytest.raises(RulesError, match="max_value=0"):
        CounterOutcomes(turn, "won", max_value=0)


@pytest.mark.parametrize("wrap", [lambda game: game, lambda game: JointGame(game, EvenOdd())])
def test_an_unknown_counter_has_no_outcomes(wrap, craps) -> None:
    with pytest.raises(RulesError, match=r"no counter 'wins'; it has: rolls"):
        so.solve(wrap(CounterOutcomes(craps, "wins", 3)))


class UpAndDown(so.Game):
    """A counter that rises by the first roll, and falls by 1 with the second."""

    dice = so.d6
    start = "up"
    bets = ()

    def step(self, state: str, roll: int) -> Any:
        return counted("down", height=roll) if state == "up" else counted(settle("end"), height=-1)


def test_a_counter_may_fall_but_not_from_the_last_value() -> None:
    ends = so.solve(CounterOutcomes(UpAndDown(), "height", 7)).labels
    assert ends == {f"{n} height": Fraction(1, 6) for n in range(6)}
    with pytest.raises(RulesError, match="'height' falls after it has reached max_value=4"):
        so.solve(CounterOutcomes(UpAndDown(), "height", 4))
    histogram = game_by_counter(UpAndDown(), so.explore(UpAndDown()), "height")
    assert so.solve(histogram).labels == ends


def hop(i: int) -> Wager:
    faces = [f"{a}-{b}" for a in range(1, 7) for b in range(a, 7)]
    return so.games("hop-easy", faces=tuple(map(int, faces[i].split("-"))))


def test_every_hop_bet_at_once() -> None:
    """As many outcomes as there are rolls, not as there are combinations of wins and losses."""
    table = JointGame(*(RenamedGame(hop(i), {"hop": f"hop {i}"}) for i in range(21)))
    solution = so.solve(table)
    assert len(solution.outcomes) == 21
    assert {solution.bet(name).edge for name in solution.bets} == {Fraction(1, 9), Fraction(5, 36)}


def test_the_rows_of_a_bet_come_in_the_order_of_its_own_rule_book(craps) -> None:
    place = so.games["place-6-8"]
    both = so.solve(JointGame(RenamedGame(craps, {"pass": "line"}), place))
    for name, alone in (("line", craps), ("place", place)):
        mine, other = both.bet(name), so.solve(alone).bet()
        assert (mine.table, mine.rolls) == (other.table, other.rolls)


def test_a_table_in_any_wrapping_counts_a_bets_own_rolls(craps) -> None:
    field = Wager.one_roll(so.dice("2d6").totals, {(2, 12): 2}, bet="field")
    table = JointGame(craps, field)
    for inner in (
        table,
        FlatGame(table),
        RenamedGame(table, {"field": "f"}),
        CounterOutcomes(table, "rolls", 1),
    ):
        with_it = so.solve(JointGame(inner, EvenOdd()))
        assert [bet.rolls for bet in with_it.bets.values()] == [Fraction(557, 165), 1, 1]
    drawn = so.solve(Mixture(so.d6.law, {1: table, 2: table}))
    assert drawn.bet("field").rolls == 3 + 1
    assert drawn.bet("pass").rolls == 3 + Fraction(557, 165)
    with pytest.raises(RulesError, match="some of the games to draw are tables"):
        Mixture(so.d6, {1: JointGame(craps, field), 2: FlatGame(RenamedGame(Wins(), {}))})


class Wins(so.Game):
    """Two bets in one game, which counts like a table without being one."""

    dice = so.dice("2d6").totals
    bets = ("pass", "field")
    counts: tuple[tuple[str, int], ...] = (("rolls of pass", 5),)

    def step(self, state, roll):
        return Counted(so.settle("both", {"pass": 1, "field": 1}), self.counts)


def test_what_a_game_does_not_say_of_its_bets_is_refused_at_the_table(craps) -> None:
    class Silent(EvenOdd):
        bets = None

    class Liar(EvenOdd):
        bets = ("odd",)

    with pytest.raises(RulesError, match=r"Silent has no list of bets; add one, such as bets = "):
        JointGame(craps, Silent())
    with pytest.raises(RulesError, match="Liar has the bets odd, and yet it settles 'even'"):
        so.explore(JointGame(craps, Liar()))
    with pytest.raises(RulesError, match="the counter 'rolls of pass' belongs to the table"):
        so.explore(JointGame(EvenOdd(), Wins()))


def test_counts_within_a_drawn_game_are_not_lost() -> None:
    turn = so.games["hazard-turn"]
    drawn = Mixture(so.d6, {1: turn, 2: Streak(hazard(5))})
    law = so.solve(drawn).distribution("won")
    spread = so.solve(CounterOutcomes(drawn, "won", max_value=4))
    assert [spread.p(f"{n} won") for n in range(4)] == [law.pmf(n) for n in range(4)]


def test_games_of_games_are_values(craps) -> None:
    for make in (
        lambda: FlatGame(Streak(craps)),
        lambda: CounterOutcomes(Streak(craps), "won", 3),
        lambda: Mixture(so.d6, {1: craps}),
        lambda: JointGame(craps, RenamedGame(craps, {"pass": "p"})),
    ):
        game = make()
        so.explore(game)
        assert pickle.loads(pickle.dumps(game)) == game == make()
        assert hash(pickle.loads(pickle.dumps(game))) == hash(game)
        assert so.explore(pickle.loads(pickle.dumps(game))) == so.explore(game)


def test_a_session_scales_a_bet_to_its_own_stake() -> None:
    horn = so.games["horn"]
    bet = so.solve(horn).bet()
    for dice in (horn, so.solve(horn).as_die()):
        played = so.solve(one_bet(dice, bankroll=20, bets=4, amount=2, bet="horn").game)
        exact = session(bet, 20, bets=4, amount=2)
        assert played.p("bets") == exact.ends["bets"]
        assert played.bet().mean * 20 == exact.mean


def test_nobody_bets_money_that_is_not_there() -> None:
    """The pass line with odds may cost six times its stake: five are not enough for another."""
    odds = so.games["pass-3-4-5x-odds"]
    plan = one_bet(odds, bankroll=8, bets=6)
    assert plan.bettor.strategy.amount == 6
    chain = so.explore(plan.game)
    assert min(outcome.profit("evening") for outcome in chain.outcomes) == -8
    money = {state[0][1] for state in chain.states}
    assert min(money) == 6
    with pytest.raises(RulesError, match="a bet may cost 6, more than the bankroll of 5"):
        so.explore(one_bet(odds, bankroll=5, bets=6).game)


@pytest.mark.parametrize("name", [n for n, e in so.games.without_choices.items() if e.bet])
def test_the_two_sessions_agree_for_the_whole_catalogue(name: str) -> None:
    """The walk of the money and the game of games, which know of each other nothing."""
    bet = so.games.entry(name).bet
    solution = so.solve(so.games[name])
    if solution.bound:
        pytest.skip("a certified law is no die")
    die = Law.of_probabilities(solution.outcomes)
    stake = 3
    cost = one_bet(die, 10**6, bets=1, amount=stake, bet=bet).bettor.strategy.amount
    game = one_bet(die, cost * 2 + 1, target=cost * 4, bets=2, amount=stake, bet=bet).game
    played = so.solve(game)
    exact = session(solution.bet(bet), cost * 2 + 1, target=cost * 4, bets=2, amount=stake)
    assert played.labels == exact.ends
    assert played.bet().mean * (cost * 2 + 1) == exact.mean
    assert played.mean("bets") == exact.mean_bets
    profits = {x * (cost * 2 + 1): p for x, p in dict(played.bet().profit).items()}
    assert profits == dict(exact.profit.items())


class Doubling(so.Game):
    """A bet that may lose twice its stake, by rules that list no outcomes."""

    dice = so.d6

    def step(self, state, roll):
        return so.settle(f"{roll}", {"pass": 1 if roll > 2 else (-2, 2) if roll == 1 else -1})


def test_what_a_bet_may_cost_is_found_where_the_rules_do_not_list_it() -> None:
    for dice in (Doubling(), so.solve(Doubling()).as_die(), Mixture(so.d6, {1: Doubling2()})):
        assert one_bet(dice, 5, bets=3, amount="3/2").bettor.strategy.amount == 3


class Doubling2(Doubling):
    """The same, saying which bets it has."""

    bets = ("pass",)


def test_a_turn_in_which_nothing_is_won_says_so():
    hopeless = Law({so.lose(): 1})
    solution = so.solve(Streak(hopeless))
    assert (solution.mean("won"), solution.mean("rounds")) == (0, 2)
    assert solution.distribution("won").pmf(0) == 1
    assert solution.chain.fingerprint == so.solve(Streak(hopeless)).chain.fingerprint
