"""Tallies: algebra, statistics, data."""

import json
from fractions import Fraction
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from sevenout.errors import RulesError
from sevenout.model import explore
from sevenout.rolling import Dice, Die
from sevenout.rules import Counted, Game, PointGame, lose, settle, win
from sevenout.simulation import Tally, TallyError, recount, simulate
from sevenout.simulation.tally import statistics, statistics_data, variances
from sevenout.solving import solve
from tests.simulation.games import CRAPS, GAMES, hazard


@pytest.fixture(scope="module")
def tally() -> Tally:
    return simulate(CRAPS, 200_000, seed=1)


def test_tallies_add(tally: Tally) -> None:
    other = simulate(CRAPS, 300_000, seed=2)
    both = tally + other
    assert both == other + tally
    assert both.games == 500_000
    assert both.rolls == tally.rolls + other.rolls
    assert both.bet().won == tally.bet().won + other.bet().won
    assert both.bet().mean == (2 * tally.bet().mean + 3 * other.bet().mean) / 5
    assert both.longest == max(tally.longest, other.longest)
    assert both.counters["rolls"] == both.rolls


def test_a_tally_of_another_game_is_refused(tally: Tally) -> None:
    with pytest.raises(TallyError, match="give figures of the same game"):
        tally + simulate(hazard(5), 100)
    # The same numbers, with another label.
    same = PointGame([7, 11], [2, 3, 12], 7, bets={"line": PointGame([7], [2], 7).bets["pass"]})
    with pytest.raises(TallyError, match="give figures of the same game"):
        tally + simulate(same, 100)
    with pytest.raises(TypeError):
        tally + 1  # type: ignore[operator]


def test_a_tally_does_not_equal_other_things(tally: Tally) -> None:
    assert tally != simulate(CRAPS, 200_000, seed=2)
    assert tally != simulate(hazard(5), 200_000, seed=1)
    assert tally != 3


def test_the_statistics_agree_with_one_another(tally: Tally) -> None:
    bet, first = tally.bet(), tally.result_counts(rolls=1)
    assert bet.won + bet.lost == tally.games
    assert first.won == tally.labels["natural"]
    assert first.lost == tally.labels["craps"]
    assert bet.won == tally.labels["natural"] + tally.labels["point"]
    assert bet.mean == Fraction(bet.won - bet.lost, tally.games)
    assert bet.variance == 1 - bet.mean**2
    assert bet.p_win == Fraction(bet.won, tally.games)
    assert bet.rolls == tally.mean_rolls
    assert tally.rolls == sum(n * count for n, count in tally.lengths.items())
    assert tally.lengths[1] == first.won + first.lost
    assert sum(tally.joint.values()) == tally.games
    assert tally.joint["come-out", 1, "natural"] == first.won
    points = (n for (_, _, label), n in tally.joint.items() if label == "point")
    assert sum(points) == tally.labels["point"]
    assert sum(tally.outcomes.values()) == tally.games
    assert tally.mean_rolls == Fraction(tally.rolls, tally.games)


def test_counters_of_a_turn() -> None:
    tally = simulate(GAMES["a turn"], 50_000)
    counters = tally.counters
    assert counters["rounds"] >= counters["won"] + 2 * tally.games
    assert counters["rolls"] == tally.rolls


def test_the_bet_must_be_named(tally: Tally) -> None:
    two = simulate(GAMES["two tables"], 1_000)
    with pytest.raises(RulesError, match="the game has several bets; name one: pass, hazard"):
        two.bet()
    assert two.bet("hazard").won + two.bet("hazard").lost == 1_000
    with pytest.raises(RulesError, match="no bet 'brick'; the game has: pass, hazard"):
        two.bet("brick")


def test_data_round_trip(tally: Tally) -> None:
    data = json.loads(json.dumps(tally.to_dict()))
    assert Tally.from_dict(data, explore(CRAPS)) == tally


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "x"}, "'x', version 1, is not 'sevenout.tally'"),
        ({"version": 7}, "version 7, is not"),
        ({"game": "0" * 64}, r"a tally of the game '0{6}\.\.\.0{7}', not of '16577d\.\.\.\w{7}'$"),
        ({"games": 3}, "do not add up"),
        ({"flow": [1]}, "do not add up"),
        ({"flow": [None]}, "a count is not a whole number"),
        ({"absorbed": [[99, 1, 0, 200_000]], "flow": [200_000] + [0] * 25}, "do not add up"),
        ({"absorbed": [[0, 1, 0, 200_000]], "flow": [0, 200_000] + [0] * 24}, "do not add up"),
        ({"absorbed": [[1, 2]]}, "a count is missing"),
        ({"flow": None}, "a count is missing"),
    ],
)
def test_damaged_data_are_refused(tally: Tally, change: dict[str, Any], message: str) -> None:
    with pytest.raises(TallyError, match=message):
        Tally.from_dict(tally.to_dict() | change, explore(CRAPS))


def test_the_page_beside_the_exact_values(tally: Tally) -> None:
    page = {line.name: line for line in statistics(tally, solve(CRAPS))}
    for name, exact in {
        "probability of winning": Fraction(244, 495),
        "probability of winning on the come-out": Fraction(2, 9),
        "probability of losing on the come-out": Fraction(1, 9),
        "average rolls per game": Fraction(557, 165),
        "average profit": Fraction(-7, 495),
    }.items():
        line = page[name]
        assert line.exact == exact
        assert line.z is not None
        assert 0 < abs(line.z) < 4.9
    assert page["games"].seen == 200_000
    assert page["wins"].seen == tally.bet().won
    assert page["wins on the come-out"].seen == tally.labels["natural"]
    assert page["losses on the come-out"].seen == tally.labels["craps"]
    assert page["longest game, in rolls"].seen == tally.longest
    assert page["rolls"].seen == tally.rolls
    assert json.loads(json.dumps(statistics_data(tally)))[0] == {
        "name": "games",
        "seen": 200_000,
        "exact": None,
        "z": None,
    }


def test_the_page_in_print(tally: Tally) -> None:
    assert "200,000" in str(tally)
    assert f'<td class="number">{tally.rolls:,}</td>' in tally._repr_html_()
    console = Console(width=100, record=True, file=StringIO())
    console.print(tally.page(solve(CRAPS)))
    assert "0.4929293" in console.export_text()
    assert repr(tally) == f"<Tally of 200,000 games and {tally.rolls:,} rolls>"


def test_the_page_of_no_games() -> None:
    chain = explore(CRAPS)
    none = Tally(chain, 0, (0,) * sum(map(len, chain.rows)), {})
    assert [line.seen for line in statistics(none, solve(CRAPS))] == [0]
    assert none + simulate(CRAPS, 10) == simulate(CRAPS, 10)


class Drift(Game):
    """A coin that adds an amount, or ends the game."""

    dice = Dice([Die([0, 1])])
    start = "on"

    def __init__(self, amount: Any) -> None:
        self.amount = amount

    def step(self, state: str, roll: Any) -> Any:
        return win() if roll.total else Counted(state, (("sum", self.amount),))


@pytest.mark.parametrize("amount", [1, 10**30, 10**400])
def test_counters_of_any_size(amount: int) -> None:
    tally = simulate(Drift(amount), 1_000)
    line = statistics(tally, solve(Drift(amount)))[-1]
    assert tally.counters["sum"] == amount * (tally.rolls - 1_000)
    assert line.exact == amount
    if amount == 10**400:
        assert line.z is None  # beyond the floats
    else:
        assert line.z == pytest.approx(float(line.seen / amount - 1) / (2 / 1_000) ** 0.5)


@pytest.mark.parametrize("name", GAMES)
def test_the_variance_of_a_counter_is_that_of_its_law(name: str) -> None:
    solution = solve(GAMES[name])
    chain = solution.chain
    if len(chain.states) > 300:
        return
    for counter, variance in variances(chain).items():
        exact = solution.distribution(counter).variance
        assert variance == pytest.approx(float(exact), rel=1e-9)
        assert exact or not variance


def test_a_bet_is_seen_per_unit_staked() -> None:
    class Five(Game):
        dice = Dice([Die([0, 1])])

        def step(self, state: None, roll: Any) -> Any:
            return (
                settle("heads", {"five": 7}, stake=5)
                if roll.total
                else settle("tails", {"five": -5}, stake=5)
            )

    tally, exact = simulate(Five(), 10_000), solve(Five()).bet()
    seen = tally.bet()
    share = Fraction(seen.won, 10_000)
    assert seen.stake == exact.stake == 5
    assert (
        {row.pays for row in seen.table}
        == {row.pays for row in exact.table}
        == {Fraction(7, 5), -1}
    )
    assert seen.mean == share * Fraction(7, 5) - (1 - share)
    assert seen.variance == share * (1 - share) * Fraction(12, 5) ** 2
    line = next(x for x in statistics(tally, solve(Five())) if "profit" in x.name)
    assert line.name == "average profit per unit staked"
    assert line.exact == exact.mean == Fraction(1, 5)
    assert line.z == pytest.approx(float(seen.mean - exact.mean) / 0.012)


@pytest.mark.parametrize("amount", [-3, Fraction(-1, 2), Fraction(2, 3)])
def test_counters_of_money(amount: Any) -> None:
    tally = simulate(Drift(amount), 1_000)
    assert tally.counters["sum"] == amount * (tally.rolls - 1_000)
    assert variances(tally.chain)["sum"] == pytest.approx(2 * float(amount) ** 2)
    data = json.loads(json.dumps(tally.to_dict()))
    assert Fraction(data["counters"]["sum"]) == tally.counters["sum"]
    assert Tally.from_dict(data, tally.chain) == tally


class Rolls(Game):
    """The last of a number of rolls wins with a 6; with `early`, each does."""

    dice, start = Die.standard(6), 0

    def __init__(self, length: int, *, early: bool = False) -> None:
        self.length, self.early = length, early

    def step(self, state: int, face: int) -> Any:
        if state + 1 < self.length and not (self.early and face == 6):
            return state + 1
        return win() if face == 6 else lose()


@pytest.mark.parametrize(
    ("game", "word"),
    [(CRAPS, "come-out"), (Rolls(3, early=True), "first roll"), (Rolls(1), None), (Rolls(3), None)],
)
def test_wins_with_the_first_roll_are_shown_where_the_game_may_go_on(game, word):
    names = [line.name for line in statistics(simulate(game, 500, seed=1))]
    assert [name for name in names if name.endswith(("come-out", "first roll"))] == (
        [
            f"wins on the {word}",
            f"probability of winning on the {word}",
            f"losses on the {word}",
            f"probability of losing on the {word}",
        ]
        if word
        else []
    )


def test_figures_of_another_game_are_refused(tally: Tally) -> None:
    with pytest.raises(TallyError, match="give figures of the same game"):
        tally.page(solve(PointGame(naturals=[7], craps=[2, 3, 12], out=7)))


def test_no_games_have_no_mean() -> None:
    empty = recount(CRAPS, [])
    assert empty.games == 0
    for figure in (lambda: empty.mean_rolls, empty.bet):
        with pytest.raises(TallyError, match="the tally has no games; simulate at least 1"):
            figure()


def test_data_that_are_no_table_are_no_tally() -> None:
    wrong: Any = []
    with pytest.raises(TallyError, match=r"\[\] is not a tally"):
        Tally.from_dict(wrong, explore(CRAPS))
