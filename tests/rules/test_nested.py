from fractions import Fraction

import pytest

import sevenout as so
from sevenout.errors import RulesError
from sevenout.games.fast_craps import brick_bet, pass_bet
from sevenout.games.hazard import hazard
from sevenout.rules import Renamed, Repeat, Session, Spread, Together, Wager


def test_the_casters_turn_on_the_dice_and_on_the_round_agree() -> None:
    for main in range(5, 10):
        played = so.solve(Repeat(hazard(main)))
        compressed = so.solve(Repeat(so.solve(hazard(main)).as_die()))
        q = 1 - so.solve(hazard(main)).bet().p_win
        for turn in (played, compressed):
            won = turn.law("won")
            assert won.mean == turn.mean("won") == (1 - q**2) / q**2
            assert [won.pmf(k) for k in range(5)] == [(1 - q**2) ** k * q**2 for k in range(5)]
        # Wald: rolls in a turn are rounds in a turn times rolls in a round.
        assert played.mean("rolls") == played.mean("rounds") * so.solve(hazard(main)).mean_rolls


def test_main_seven_is_the_best_main() -> None:
    won = {main: so.solve(Repeat(hazard(main))).mean("won") for main in range(5, 10)}
    assert max(won, key=lambda main: won[main]) == 7
    assert won[7] == Fraction(182024, 63001)


def test_a_session_is_the_gamblers_ruin() -> None:
    craps = so.solve(so.catalogue["craps"]).as_die()
    solution = so.solve(Session(craps, bankroll=5, target=10))
    p = Fraction(244, 495)
    r = (1 - p) / p
    assert solution.p("target") == (1 - r**5) / (1 - r**10)
    assert solution.bet("session").mean == 2 * solution.p("target") - 1


def test_a_session_on_the_dice_and_on_the_bet_agree(craps) -> None:
    played = so.solve(Session(craps, bankroll=2, rounds=3))
    compressed = so.solve(Session(so.solve(craps).as_die(), bankroll=2, rounds=3))
    assert played.labels == compressed.labels
    assert played.law("rounds").mean == compressed.law("rounds").mean


def test_two_bets_on_the_same_rolls() -> None:
    both = so.solve(so.catalogue["fast-craps"])
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
    both = so.solve(Together(craps, Renamed(craps, {"pass": "mirror"})))
    assert both.covariance("pass", "mirror") == so.solve(craps).bet().variance


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (Together, "1 games together"),
        (lambda craps: Together(craps, craps), "bet named 'pass'"),
        (lambda craps: Repeat(craps, losses=0), "losses=0"),
        (lambda craps: Session(craps, bankroll=0, target=2), "a stake of 1"),
        (lambda craps: Session(craps, bankroll=5, target=5), "target 5 is reached already"),
        (lambda craps: Session(craps, bankroll=5), "neither target nor rounds"),
        (lambda craps: Session(craps, bankroll=5, rounds=0), "rounds=0"),
    ],
)
def test_games_of_games_that_make_no_sense_are_refused(craps, make, says: str) -> None:
    with pytest.raises(RulesError, match=says):
        make(craps)


def test_games_on_different_dice_can_not_sit_together(craps) -> None:
    other = Renamed(so.PointGame([3], [2], 3, dice=so.dice("d4")), {"pass": "other"})
    with pytest.raises(RulesError, match="the same dice"):
        so.explore(Together(craps, other))


class EvenOdd(so.Game):
    """A bet on the first roll of which the rules list no outcome."""

    dice = so.dice("2d6").totals

    def step(self, state, roll):
        return so.win(bet="even") if roll % 2 == 0 else so.lose(bet="even")


def test_bets_keep_their_own_rolls_at_any_table(craps) -> None:
    """Renamed, in a table of tables, or of rules that list no outcomes."""
    field = Wager.one_roll(so.dice("2d6").totals, {(3, 4, 9, 10, 11): 1, (2, 12): 2}, bet="field")
    inner = Renamed(Together(craps, field), {"field": "one-roll field", "pass": "line"})
    bets = so.solve(Together(inner, Renamed(field, {"field": "again"}), EvenOdd(), craps)).bets
    rolls = {name: bet.rolls for name, bet in bets.items()}
    assert list(rolls.values()) == [Fraction(557, 165), 1, 1, 1, Fraction(557, 165)]
    assert list(rolls) == ["line", "one-roll field", "again", "even", "pass"]


def test_a_reading_of_a_reading_sits_at_the_table(craps) -> None:
    parity = so.dice("2d6").totals.read(lambda total: total % 2)
    odd = Wager.one_roll(parity, {1: 1}, bet="odd")
    both = so.solve(Together(craps, odd))
    assert both.bet("odd").p_win == Fraction(1, 2)
    assert both.bet("pass").p_win == Fraction(244, 495)


def test_names_that_would_be_confused_are_refused(craps) -> None:
    field = Wager.one_roll(so.dice("2d6").totals, {(2, 12): 2}, bet="field")
    with pytest.raises(RulesError, match="two of the games have a bet named 'pass'"):
        Together(craps, Renamed(field, {"field": "pass"}))
    with pytest.raises(RulesError, match="two of the games have a bet named 'even'"):
        Together(EvenOdd(), EvenOdd())
    with pytest.raises(RulesError, match="no bet 'odds' to rename; the game has: pass"):
        Renamed(craps, {"odds": "free odds"})
    with pytest.raises(RulesError, match="same new name"):
        Renamed(Together(craps, field), {"field": "pass"})
    with pytest.raises(RulesError, match=r"Flat\(game\)"):
        so.solve(Together(Repeat(craps), field))


def test_a_counter_as_outcomes() -> None:
    turn = so.catalogue["hazard-turn"]
    law = so.solve(turn).law("won")
    spread = Spread(turn, "won", most=6)
    exact = so.solve(spread)
    assert [exact.p(f"{n} won") for n in range(6)] == [law.pmf(n) for n in range(6)]
    assert exact.p("6 or more won") == law.sf(5)
    tally = so.simulate(spread, games=100_000, seed=1)
    assert sum(tally.labels.values()) == tally.games
    # One bin of seven, by the normal law: a false alarm at 5 sigma is rarer than 1 in 200,000.
    for label, p in exact.labels.items():
        sigma = float(p * (1 - p) * tally.games) ** 0.5
        assert abs(tally.labels[label] - float(p) * tally.games) < 5 * sigma
    with pytest.raises(RulesError, match="most=0"):
        Spread(turn, "won", most=0)
