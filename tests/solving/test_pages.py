"""Answers as a reader gets them, whole: their pages line by line, and their data."""

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

import sevenout as so
from sevenout.documents import Certified
from sevenout.papers.comparison import compare
from sevenout.rolling import dice
from sevenout.rules import Pay, Progressive, Wager
from sevenout.solving import solve
from sevenout.solving.answer import Solution
from sevenout.solving.awards import ProgressiveResult, progressive
from sevenout.solving.bet_result import BetResult
from sevenout.solving.card_pages import _region_blocks, _round_numbers, printed_form
from sevenout.solving.decision_list import Decision, _dice_in_words
from sevenout.solving.long_run import long_run
from sevenout.solving.metrics import Metrics
from sevenout.solving.strategy_card import card_of
from tests.solving.pigs import Piglet, PigTurn, Solitaire
from tests.solving.printed import printed
from tests.solving.test_long_run import Parted
from tests.solving.test_mixed_optimum import Remembers
from tests.solving.test_turn_optimum import Boxes


def as_printed(text: str) -> str:
    """An indented page; a backslash breaks a line that is too long for a source."""
    return "\n".join(" ".join(line.split()) for line in text.strip().splitlines())


# --- games without choices ------------------------------------------------------------------------


def odds(bound: Fraction = Fraction(0)) -> BetResult:
    """A bet of 2, doubled in one of the four equally likely events."""
    amounts = {"win": (2, 2), "push": (0, 2), "lose": (-2, 2), "lose both": (-4, 4)}
    law = {
        Pay(event, Fraction(profit), Fraction(risk), Fraction(2)): Fraction(1, 4)
        for event, (profit, risk) in amounts.items()
    }
    return BetResult("odds", Fraction(2), law, Fraction(2), bound)


def test_a_bet_is_printed_with_its_table_and_the_figures_that_differ() -> None:
    """Per unit: 1, 0, -1 and -2; symmetric about -1/2, with the fourth moment 41/16."""
    assert printed(odds().page()) == as_printed("""
        Bet: odds
        event pays probability return
        win +1 1/4 0.250000 +0.250000
        push 0 1/4 0.250000 0.000000
        lose -1 1/4 0.250000 -0.250000
        lose both -2 1/4 0.250000 -0.500000
        total 1 1.000000 -0.500000
        win probability 1/4 25.0000 %
        push probability 1/4 25.0000 %
        house edge, per bet made 1/2 50.0000 %
        house edge, per bet resolved 2/3 66.6667 %
        house edge, per roll 1/4 25.0000 %
        element of risk, per unit at risk 2/5 40.0000 %
        variance per unit staked 5/4 1.250000
        standard deviation 1.118034
        skewness 0.000000
        excess kurtosis -1.360000
        mean rolls to settle 2 2.000000
    """)
    assert repr(odds()) == "<BetResult of odds: edge 0.5 of the stake, per bet made>"
    brief = printed(odds().page(moments=False))
    assert "variance" not in brief
    assert "mean rolls to settle 2 2.000000" in brief


def test_a_bet_as_data_has_every_figure() -> None:
    rows = [("win", "1", "1/4"), ("push", "0", "0"), ("lose", "-1", "-1/4")]
    rows.append(("lose both", "-2", "-1/2"))
    assert odds().to_dict() == {
        "bet": "odds",
        "stake": "2",
        "mean": "-1/2",
        "edge": "1/2",
        "edge_resolved": "2/3",
        "edge_per_roll": "1/4",
        "element_of_risk": "2/5",
        "rtp": "1/2",
        "p_win": "1/4",
        "p_push": "1/4",
        "p_lose": "1/2",
        "rolls": "2",
        "variance": "5/4",
        "std": sqrt(1.25),
        "skewness": 0,
        "kurtosis": pytest.approx(-1.36),
        "table": [
            {"event": event, "pays": pays, "probability": "1/4", "return": contribution}
            for event, pays, contribution in rows
        ],
    }


def test_a_bet_that_is_settled_without_a_roll_has_no_edge_per_roll() -> None:
    """A policy may end a game at once; its page divided by 0."""

    class Once(so.Game):
        dice, start = so.d6, "start"

        def choices(self, state: str) -> dict[str, Any]:
            return {"roll": state, "leave": so.lose()}

        def step(self, state: str, face: int) -> Any:
            return so.win()

    bet = so.solve(so.explore(Once()).under({"start": "leave"})).bet()
    assert (bet.edge, bet.rolls, bet.edge_per_roll) == (1, 0, 0)
    assert "per roll" not in printed(bet.page())
    assert bet.to_dict()["edge_per_roll"] == "0"


def test_each_figure_of_a_certified_bet_has_its_own_bound() -> None:
    """Of four probabilities, each within e; the largest result is 2, and 3 in 4 are resolved."""
    e = Fraction(1, 10**6)
    bounds = {
        fact.name: fact.value.bound / (4 * e)
        for fact in odds(e).figures().facts
        if isinstance(fact.value, Certified)
    }
    assert bounds == {
        "win probability": 1,
        "push probability": 1,
        "house edge, per bet made": 2,
        "house edge, per bet resolved": 2 * 2 / Fraction(3, 4),
        "house edge, per roll": 2 * 2 / Fraction(2),
        # 0.5 is lost of 1.25 at risk; the largest risk is 2.
        "element of risk, per unit at risk": 2 * (2 + Fraction(2, 5) * 2) / Fraction(5, 4),
        "variance per unit staked": 3 * 4,
    }
    table = odds(e).page().blocks[0]
    assert [row[3].bound / (4 * e) for row in table.rows] == [1, 0, 1, 2]
    assert [figure.bound / (4 * e) for figure in table.total[2:]] == [1, 2]
    assert odds(e).quantile_range("1/4") == (-2, -1)
    assert odds(e).quantile_range("1/5") == (-2, -2)


def test_figures_that_repeat_others_are_printed_where_games_are_compared() -> None:
    names = [fact.name for fact in solve(so.games["craps"]).bet().figures().facts]
    every = [fact.name for fact in solve(so.games["craps"]).bet().figures(repeated=True).facts]
    assert [name for name in every if name not in names] == [
        "push probability",
        "house edge, per bet resolved",
        "element of risk, per unit at risk",
    ]


def test_an_edge_of_the_player_is_remarked_on() -> None:
    bet = solve(Wager(dice("2d6").totals, {12: 36}, limit=1, bet="boxcars")).bet()
    assert printed(bet.page()).splitlines()[-1] == (
        "The edge is the player's: 2.7778 % of each stake on average."
    )


def test_metrics_are_printed_after_the_figures_of_the_bet() -> None:
    """N0 is 1.25 / 0.25; 1.96 deviations of 1.118 are 0.01 after 48,019 bets."""
    metrics = Metrics(odds())
    assert printed(metrics.page()).splitlines()[-5:] == [
        "mean rolls to settle 2 2.000000",
        "volatility index at 95 % 2.191306",
        "maximum exposure, in stakes 1",
        "bets for ± 1 % at 95 % 48,019",
        "N0, in bets 5",
    ]
    data = metrics.to_dict()
    assert {name: data[name] for name in data if name not in odds().to_dict()} == {
        "hit_frequency": "1/4",
        "maximum_exposure": "1",
        "maximum_risk": "2",
        "n0": "5",
        "volatility_index_95": pytest.approx(1.959964 * sqrt(1.25), rel=1e-6),
        "awards": [{"event": "win", "pays": "1", "one_in": "4"}],
    }
    assert Metrics(odds(), Fraction(5)).hourly_loss(rolls=100, stake=3) == 30
    assert Metrics(odds(), Certified(Fraction(4), Fraction(1, 9))).rolls_between == 4


def test_a_solution_is_printed_by_its_bets_or_its_outcomes() -> None:
    solution = solve(so.games["craps"])
    assert repr(solution) == (
        "<Solution (exact): natural 2/9, craps 1/9, point 134/495, seven out 196/495>"
    )
    assert solution.to_dict() == {
        "status": "exact",
        "bound": "0",
        "fingerprint": solution.chain.fingerprint,
        "states": 7,
        "outcomes": {
            "natural": "2/9",
            "craps": "1/9",
            "point": "134/495",
            "seven out": "196/495",
        },
        "mean_rolls": "557/165",
        "mean_rolls_bound": "0",
        "bets": [solution.bet().to_dict()],
    }
    assert printed(solution.page()) == printed(solution.bet().page())
    assert printed(solution.page(moments=False)) == printed(solution.bet().page(moments=False))


def test_a_counter_of_the_game_may_begin_with_the_word_rolls() -> None:
    """Only `rolls` and `rolls of BET` are not the game's own."""

    class Evens(so.Game):
        dice, start = so.d6, "roll"

        def step(self, state, roll):
            return so.counted(so.win("end"), rolls_even=1 - roll % 2)

    solution = solve(Evens())
    assert list(solution.counter_laws) == ["rolls_even"]
    assert [entry["counter"] for entry in solution.to_dict()["counters"]] == ["rolls_even"]
    assert "Distribution of rolls_even" in printed(solution.page())
    assert "mean rolls_even" in str(compare({"Evens": Evens(), "Again": Evens()}))


def test_outcomes_and_counters_of_a_small_game_are_printed() -> None:
    """A counter that may fall has a mean alone."""

    class Walk(so.Game):
        dice, start = so.Die([-1, 2], [1, 2]), 0

        def step(self, n, face):
            label = "up" if face > 0 else "down"
            then = so.settle(label) if n else 1
            return so.counted(then, height=face, ups=int(face > 0))

    solution = solve(Walk())
    assert (
        printed(solution.page())
        == as_printed("""
        Outcomes
        outcome probability
        down 1/3 0.333333
        up 2/3 0.666667
    """)
        + "\n"
        + printed(solution.counter_laws["ups"].page())
        + "\nmean height 2 2.000000"
    )
    assert list(solution.counter_laws) == ["ups"]
    assert solution.to_dict()["counters"] == [
        solution.counter_laws["ups"].to_dict(),
        {"counter": "height", "mean": "2"},
    ]
    height = solution.distribution("height")
    assert repr(height) == "<LatticeLaw of height: 3 amounts>"
    assert printed(height.page()) == as_printed("""
        Distribution of height
        mean 2 2.000000
        variance 4 4.000000
        quantile at 1/20 -2
        quantile at 1/4 1
        quantile at 1/2 1
        quantile at 3/4 4
        quantile at 19/20 4
        height probability
        -2 1/9 0.111111
        1 4/9 0.444444
        4 4/9 0.444444
    """)
    assert height.to_dict() == {
        "counter": "height",
        "mean": "2",
        "variance": "4",
        "quantiles": {"1/20": "-2", "1/4": "1", "1/2": "1", "3/4": "4", "19/20": "4"},
        "bound": 0.0,
        "probabilities": {"-2": "1/9", "1": "4/9", "4": "4/9"},
    }
    certified = Solution(so.explore(Walk()), "certified", digits=3)
    assert certified.counter_laws == {}
    assert "counters" not in certified.to_dict()
    outcomes = certified.page().blocks[0]
    assert [(name, p.bound) for name, p in outcomes.rows] == [
        (name, 2 * certified.bound) for name in ("down", "up")
    ]


@pytest.mark.parametrize("digits", [3, 60])
def test_the_digits_of_a_certified_solution_reach_its_certificate(digits: int) -> None:
    solution = so.solve(so.games["craps"], "certified", digits=digits)
    assert (solution.method, solution.digits) == ("certified", digits)
    assert 0 < solution.bound < Fraction(1, 10**digits)
    certificate = solution.certificate("pass", title="Craps")
    assert certificate.title == "Craps"
    (claim,) = certificate.header["claims"]
    assert abs(Fraction(claim["value"]) + Fraction(7, 495)) <= Fraction(claim["within"])
    assert digits < len(claim["value"]) < digits + 12


def test_a_joint_distribution_is_printed_with_its_table() -> None:
    """Two flips: heads and tails are (0, 2), (1, 1) twice, (2, 0)."""

    class Flips(so.Game):
        dice, start = so.Die([0, 1]), 0

        def step(self, n, face):
            return so.counted(so.settle("end") if n else 1, heads=face, tails=1 - face)

    law = solve(Flips()).distribution("heads", "tails")
    assert repr(law) == "<JointLaw of heads and tails>"
    assert printed(law.page()) == as_printed("""
        Joint distribution of heads and tails
        mean heads 1 1.000000
        mean tails 1 1.000000
        covariance of heads and tails -1/2 -0.500000
        correlation of heads and tails -1.000000
        Joint probabilities
        heads \\ tails 0 1 2
        0 0.000000 0.000000 0.250000
        1 0.000000 0.500000 0.000000
        2 0.250000 0.000000 0.000000
    """)
    cells = {f"{n}, {m}": "0" for n in range(3) for m in range(3)}
    assert law.to_dict() == {
        "counters": ["heads", "tails"],
        "means": {"heads": "1", "tails": "1"},
        "covariances": {"heads, tails": "-1/2"},
        "probabilities": cells | {"0, 2": "1/4", "1, 1": "1/2", "2, 0": "1/4"},
    }


# --- progressive awards ---------------------------------------------------------------------------


def boxcars(**rule: Any) -> ProgressiveResult:
    bet = solve(Wager(dice("2d6").totals, {12: 20}, limit=1, bet="boxcars")).bet()
    return progressive(bet, Progressive(**rule))


def test_an_award_is_printed_with_its_figures_and_rule() -> None:
    """N is geometric: its mean is 36, so the award is 5.36 on average, 0.01 times 35.5 about it."""
    award = boxcars(seed=5, share="1%", on="12")
    assert printed(award.page(meter=7, currency="€")) == as_printed("""
        Progressive award of boxcars
        what a bet feeds the meter, € 0.01
        a bet wins the award 1/36 2.7778 %
        bets from one award to the next, mean 36 36.000000
        award, mean, € 134/25 5.360000
        award, standard deviation, € 0.354965
        house edge without the award 5/12 41.6667 %
        house edge in the long run 241/900 26.7778 %
        standard deviation without the award 3.451047
        standard deviation with the award 4.332289
        most the house pays on one bet, in stakes no limit
        break-even meter, € 1499/100 14.990000
        return of the next bet, meter at €7 2801/3600 77.8056 %
        the next bet wins, meter at €7 1/36 2.7778 %
        of all awards are at most, €
        5 % 5.02
        25 % 5.11
        50 % 5.25
        75 % 5.50
        95 % 6.07
        99 % 6.64
        The meter starts from €5. As a bet is made, 1 % of its stake is added. A bet that \
        ends in 12 wins
        what the meter then shows, besides its pay for 12. After an award the meter starts \
        again. Long-run
        means are over many awards.
        bettors on the same roll house edge if they split the award if each is paid all of it
        1 26.7778 % 26.7778 %
        2 33.7222 % 25.7778 %
        4 37.1944 % 23.7778 %
        8 38.9306 % 19.7778 %
        16 39.7986 % 11.7778 %
        The figures above are those of one bettor. Several bettors on the same roll win \
        together: the table
        has the edge of each of them, in the long run.
    """)
    plain = printed(award.page())
    assert "what a bet feeds the meter 0.01" in plain
    assert "next bet" not in plain
    assert printed(Metrics(award.bet, award=award).page()).splitlines()[-6:] == [
        "house edge, per bet made, with the award 241/900 26.7778 %",
        "standard deviation, with the award 4.332289",
        "volatility index at 95 %, with the award 8.491131",
        "maximum exposure, in stakes, with the award no limit",
        "bets for ± 1 % at 95 %, with the award 720,993",
        "N0, in bets, with the award 262",
    ]


def test_an_award_as_data_has_every_figure() -> None:
    award = boxcars(seed=5, share="1%", on="12")
    data = {
        "bet": "boxcars",
        "seed": "5",
        "share": "1/100",
        "must_hit_by": None,
        "on": ["12"],
        "bettors": 1,
        "status": "exact",
        "probability": "1/36",
        "mean_bets": "36",
        "mean_award": "134/25",
        "award_variance": "63/500",
        "edge_without": "5/12",
        "edge_long_run": "241/900",
        "std_without": award.bet.std,
        "std_with": award.std,
        "maximum_exposure": None,
        "break_even": "1499/100",
        "break_even_below_seed": False,
    }
    assert award.to_dict() == data
    assert award.to_dict(7) == data | {"meter": "7", "return_at_meter": "2801/3600"}


def test_a_mystery_award_is_printed_without_a_row_or_bettors() -> None:
    """One of eight bets, each as likely: 5.50 to 9.00, on average 7.25 every 4.5 bets."""
    award = boxcars(seed=5, share="1/2", must_hit_by=9)
    text = " ".join(printed(award.page(currency="€")).splitlines())
    assert "a bet wins the award" not in text
    assert "bettors" not in text
    assert "award, mean, € 29/4 7.250000" in text
    assert "break-even meter below the seed, €5: every bet returns its stake and more" in text
    assert text.endswith(
        "The meter starts from €5. As a bet is made, 50 % of its stake is added. Which bet wins "
        "what the meter then shows is drawn beforehand: each up to the limit is as likely as any "
        "other. The bet that brings the meter to €9 wins that amount, however the bet ends. After "
        "an award the meter starts again. Long-run means are over many awards."
    )
    data = award.to_dict()
    assert (data["on"], data["probability"], data["must_hit_by"]) == ([], None, "9")
    assert (data["mean_bets"], data["award_variance"]) == ("9/2", "21/16")
    assert (data["maximum_exposure"], data["break_even"]) == ("29", "5")


# --- the long run ---------------------------------------------------------------------------------


def test_the_long_run_is_printed_by_class_counter_and_state() -> None:
    parted = long_run(Parted())
    assert repr(parted) == "<LongRun of 5 states, per roll>"
    assert printed(parted.page()) == as_printed("""
        stays in 1 with probability 1/2
        stays in 3 with probability 1/2, period 3
        Counters per roll
        points 1.750000 7/4
        state share of the rolls
        left 50.0000 % 1/2
        right, 0 16.6667 % 1/6
        right, 1 16.6667 % 1/6
        right, 2 16.6667 % 1/6
    """)
    assert parted.to_dict() == {
        "per": "roll",
        "classes": [
            {"probability": "1/2", "states": 1, "period": 1},
            {"probability": "1/2", "states": 3, "period": 3},
        ],
        "counters": {"points": "7/4"},
        "outcomes": {},
        "profits": {},
        "frequencies": {"left": "1/2", "right, 0": "1/6", "right, 1": "1/6", "right, 2": "1/6"},
    }


def test_the_long_run_of_craps_as_data_is_by_game() -> None:
    data = long_run(so.games["craps"], "game").to_dict()
    assert data["per"] == "game"
    assert data["classes"] == [{"probability": "1", "states": 7, "period": 1}]
    assert data["counters"] == {"rolls": "557/165"}
    assert data["outcomes"] == solve(so.games["craps"]).to_dict()["outcomes"]
    assert data["profits"] == {"pass": "-7/495"}
    assert data["frequencies"]["come-out"] == "165/557"


@pytest.mark.parametrize("states", [60, 61])
def test_a_page_of_the_long_run_has_sixty_states(states: int) -> None:
    class Ring(so.Game):
        dice, start = so.Die([1, 2]), 0

        def step(self, n, face):
            return (n + face) % states

    lines = printed(long_run(Ring()).page()).splitlines()
    assert lines[0] == f"states that come up again and again {states}"
    assert sum(line.endswith(f"1/{states}") for line in lines) == 60
    more = ["The 60 most frequent of 61 states."]
    assert [line for line in lines if "most frequent" in line] == (more if states > 60 else [])


# --- best play ------------------------------------------------------------------------------------


def test_a_turn_at_pig_is_printed_with_its_card() -> None:
    turn = so.best(PigTurn())
    assert repr(turn) == "<Optimum (exact): most turn = 8.141794893727>"
    assert printed(turn.page()) == as_printed("""
        Best play
        value 492303203/60466176 8.141794894 mean
        Goal: the highest mean of turn. Exact, by policy iteration over the fractions: no \
        option of any
        state is better. The player has a choice in 40 states; optimal play can reach 26 of them.
        Strategy card
        turn: roll below 21, hold from 21.
        This card is exact: it gives a best option wherever best play can come.
        Turn 20: roll and hold are equally good.
    """)
    data = turn.to_dict()
    del data["card"]
    assert data == {
        "goal": "most turn",
        "method": "exact",
        "value": "492303203/60466176",
        "bound": "0",
        "states": 40,
        "come_up": 26,
        "ties": ["20"],
    }
    assert repr(turn.card) == "<Card of 2 lines>"


def test_a_ranking_is_printed_with_what_its_exceptions_save() -> None:
    pig = so.best(Piglet(3))
    assert printed(pig.page()) == as_printed("""
        Best play
        value 6/11 0.545454545 probability, for the first player
        Goal: the highest probability to win. Exact, by policy iteration over the \
        fractions: no option of
        any state is better. The player has a choice in 9 states; optimal play can reach 8 of them.
        Strategy card
        flip, whenever you may.
        but in do not saves
        0, 0, 1 hold flip 0.020202
        This card is exact: it gives a best option wherever best play can come.
        No two options are ever equally good.
    """)
    assert pig.to_dict()["card"] == [
        {
            "options": ["flip", "hold"],
            "first_of": ["flip"],
            "exceptions": [{"state": "0, 0, 1", "do": "hold"}],
        }
    ]
    certified = so.best(Piglet(3), method="certified")
    assert repr(certified) == "<Optimum (certified): most P(pass > 0) = 0.545454545455>"
    assert "integers. The player has a choice in 9 states" in printed(certified.page())


def test_regions_are_printed_by_scores_and_turn() -> None:
    """Where the opponent needs one more, or holding wins nothing, the player flips on."""
    card = printed(so.best(Piglet(6)).policy_pages()[0])
    assert card == as_printed("""
        Strategy card
        1st 2nd by 3rd
        0 0–4 flip below 2, hold from 2
        0, 2 5 flip
        2 0–1 hold
        2 2–4 flip below 2, hold from 2
        3 0–3 hold
        3 4–5 flip
        4 0–2 hold
        4 3–5 flip
        This card is exact: it gives a best option wherever best play can come.
        No two options are ever equally good.
    """)


def test_a_goal_that_is_a_least_mean_is_printed_so() -> None:
    alone = so.best(Solitaire(45), least="turns")
    assert printed(alone.page()) == as_printed("""
        Best play
        value 5.747539095 mean turns
        Goal: the lowest mean of turns. Exact, by policy iteration over the fractions: no \
        option of any
        state is better. The player has a choice in 904 states; optimal play can reach 137 of them.
        Strategy card
        1st by 2nd
        0 roll below 22, hold from 22
        22–27 roll
        This card is exact: it gives a best option wherever best play can come.
        No two options are ever equally good.
        Where a fraction is blank, it is too long for the page. The JSON has it in full.
    """)
    assert alone.to_dict()["card"] == [
        {
            "options": ["roll", "hold"],
            "axis": "2nd",
            "others": ["1st"],
            "boxes": [
                {
                    "ranges": [["0", "0"]],
                    "runs": [{"from": 2, "do": "roll"}, {"from": 22, "do": "hold"}],
                },
                {"ranges": [["22", "27"]], "runs": [{"from": 2, "do": "roll"}]},
            ],
        }
    ]


@pytest.mark.parametrize("faces", [1, 3, 4])
def test_up_to_three_ties_are_named(faces: int) -> None:
    class Same(so.Game):
        dice, start = so.Die(range(1, faces + 1)), "roll"

        def choices(self, state):
            end = so.settle("end", {"points": 1})
            return {} if state == "roll" else {"left": end, "right": end}

        def step(self, state, face):
            return "at", face

    text = printed(so.best(Same()).page()).replace("\n", " ")
    tied = " ".join(f"At, {n}: left and right are equally good." for n in range(1, faces + 1))
    assert text.endswith(tied if faces <= 3 else f"{faces} states have equally good options.")
    assert "always left." in text


def regions(best: dict[Any, str], names: tuple[str, ...]) -> Any:
    """The one part of the card of a policy, which runs along the last coordinate."""
    decisions = {
        state: Decision(("roll", "hold"), frozenset({good})) for state, good in best.items()
    }
    ((_, part),) = card_of(decisions, names, lambda s: [(*s[:-1], s[-1] + 1)]).parts
    return part


def test_many_thresholds_of_one_score_are_a_table_of_tens() -> None:
    best = {
        (score, turn): "hold" if turn >= 5 + 3 * score % 7 else "roll"
        for score in range(8, 41)
        for turn in range(20)
    }
    part = regions(best, ("score", "turn"))
    (table,) = _region_blocks(part, "", None, 24)
    assert table.caption == "hold from this number on (turn), roll below"
    assert [column.head for column in table.columns] == ["score", *(f"+{u}" for u in range(10))]
    assert [list(row) for row in table.rows] == [
        [ten, *(str(5 + 3 * s % 7) if 8 <= s <= 40 else "" for s in range(ten, ten + 10))]
        for ten in (0, 10, 20, 30, 40)
    ]


def test_a_word_among_the_coordinates_makes_no_map() -> None:
    best = {
        (player, score, turn): "hold" if turn >= 5 + 3 * score % 7 else "roll"
        for player in ("home", "away")
        for score in range(13)
        for turn in range(20)
    }
    part = regions(best, ("player", "score", "turn"))
    assert (part.axis, len(part.box_axes)) == (2, 2)
    assert (printed_form(part, 24), printed_form(part, 5)) == ("list", None)
    (table,) = _region_blocks(part, "roll or hold: ", None, 24)
    assert table.caption == "roll or hold"
    assert [column.head for column in table.columns] == ["player", "score", "by turn"]
    first = ["home, away", "0", "roll below 5, hold from 5"]
    assert list(table.rows[0]) == first


@pytest.mark.parametrize(
    ("values", "numbers"),
    [
        ({0, 3, 9}, list(range(10))),
        ({0, 95}, list(range(0, 91, 10))),
        ({5, 10**12 + 5}, [5 + k * 10**11 for k in range(11)]),
    ],
)
def test_a_slice_is_at_round_numbers_of_any_size(values: set[int], numbers: list[int]) -> None:
    assert _round_numbers(values) == numbers


@pytest.mark.parametrize(
    ("low", "high", "one_face", "some_faces"),
    [
        (2, 2, "two 4", "two of 4–6"),
        (2, 3, "two to three 4", "two to three of 4–6"),
        (2, None, "two or more 4", "two or more of 4–6"),
        (None, 2, "at most two 4", "at most two of 4–6"),
        (None, 0, "no 4", "none of 4–6"),
    ],
)
def test_counts_of_dice_in_words(low: Any, high: Any, one_face: str, some_faces: str) -> None:
    assert _dice_in_words("4")(low, high) == one_face
    assert _dice_in_words("of 4–6")(low, high) == some_faces


# --- hidden information ---------------------------------------------------------------------------


def test_kuhn_poker_is_printed_with_both_mixtures() -> None:
    kuhn = so.best(so.games("kuhn"))
    assert repr(kuhn) == "<HandsOptimum (exact): most first = -0.055555555556>"
    assert printed(kuhn.page()) == as_printed("""
        Best play
        value -1/18 -0.055555556 mean per unit staked, of first
        Goal: the highest mean of first. Exact: the best replies to the two policies come \
        to the same
        fraction. There are 24 positions. Without options that another is sure to beat, the \
        players can see
        12 different things when they choose. Some information is hidden.
        How first plays
        sees plays reached
        J check 33.33 %
        Q check 33.33 %
        K check 33.33 %
        Q, check, bet fold 2/3, call 1/3 22.22 %
        J, check, bet fold 16.67 %
        K, check, bet call 5.56 %
        How second plays
        sees plays reached
        Q, check check 33.33 %
        K, check bet 33.33 %
        J, check check 2/3, bet 1/3 33.33 %
        In best play 3 more are never seen. --json lists them.
    """)
    data = kuhn.to_dict()
    assert list(data) == ["goal", "method", "value", "bound", "policy"]
    assert data["policy"][4] == {
        "player": "first",
        "sees": "Q, check, bet",
        "plays": {"fold": "2/3", "call": "1/3"},
        "comes_up": "2/9",
    }
    assert [row["comes_up"] for row in data["policy"][-3:]] == ["0", "0", "0"]


@dataclass(frozen=True)
class ManyRolls(Remembers):
    """Of 30 rolls the four lowest are bad, and best play stops with them."""

    dice = so.Die(range(30))


def test_a_long_policy_is_printed_down_to_its_most_frequent_lines() -> None:
    """30 rolls to go on with or stop, and 26 to raise: 24 of 56, all equally frequent."""
    first, second = map(printed, so.best(ManyRolls()).policy_pages())
    lines = first.splitlines()
    assert lines[:3] == ["How first plays", "sees plays reached", "go?, 0 stop 3.33 %"]
    assert lines[-2:] == [
        "… and 32 more, in 57.14 % of the choices. --at says what to do where a player sees this "
        "or that.",
        "In best play 4 more are never seen. --json lists them.",
    ]
    assert len(lines) == 2 + 24 + 2
    assert second.splitlines()[2].startswith("reply")


# --- games of turns -------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["exact", "certified"])
def test_a_game_of_turns_is_printed_with_its_first_turn(method: Any) -> None:
    """Pays below 0 and of halves are read back as they are."""
    boxes = so.best(Boxes({"high", "low"}), method=method)
    proof = "Exact, in fractions: no option of any state is better. 3 score cards"
    assert (proof in " ".join(printed(boxes.page()).split())) == (method == "exact")
    turn, given_up = map(printed, boxes.policy_pages())
    assert turn == as_printed("""
        The first turn
        In each column, do the first that you may.
        1 roll left, keep enter
        1 23 low -2–-1
        2 a pair: 3 high 5–6
        3 one die: 3
        4 keep none
    """)
    assert given_up == as_printed("""
        What to give up, the cheapest first
        entry for then to come
        low -3 7.814815
        high 2 -1.666667
    """)
    data = boxes.to_dict()
    assert (data["goal"], data["method"]) == ("most score", method)
    assert (data["cards"], data["states"]) == (3, 6)
    assert data["turn"] == {
        "1 roll left": {
            "first_of": ["keep 2 3", "keep 3 3", "keep 3", "keep none"],
            "exceptions": {},
        },
        "enter": {
            "first_of": ["low -2", "low -1", "low -1.5", "high 5", "high 6"],
            "exceptions": {},
        },
    }
    assert printed(boxes.law.page()) == as_printed("""
        The result of a game
        standard deviation 2.447260
        of the games no more than
        1 % 1
        5 % 2
        25 % 8
        50 % 17/2
        75 % 9
        95 % 10
        99 % 10
    """)


def test_mistakes_of_a_policy_that_reads_the_tally_are_on_the_right_card() -> None:
    """Entered low, a five loses the bonus; a state of a mistake is one of the game."""
    boxes = so.best(Boxes({"high", "low"}), method="exact")

    def policy(state: Any) -> str:
        return boxes.combined_options(state)[-1].name  # the worst

    mistakes = boxes.mistakes(policy, 100)
    assert mistakes
    for mistake in mistakes:
        options = {option.name: option for option in boxes.combined_options(mistake.state)}
        assert mistake.cost == options[mistake.did].cost > 0
        assert options[mistake.best].cost == 0
    assert len({m.state[0] for m in mistakes}) == 3
