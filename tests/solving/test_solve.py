"""`solve`, and what its answers say; too large rules and chains are refused before they are solved.

Distributions, means and variances by engines that can contradict each other, for the whole
catalogue. The distribution merges states that behave alike and works with polynomials. The moments
here come from the linear systems of the unmerged chain, x = E[N] and y = E[N^2] from each state on:

    x = Q x + c,    y = Q y + 2 Σ k q x' + Σ k^2 q,

with q the probability of an edge that counts k and leads to x'.
"""

import pickle
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import icepool
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

import sevenout as so
from sevenout.errors import RulesError, TooMuchWorkError
from sevenout.model import explore
from sevenout.model.graph import strongly_connected_components
from sevenout.rolling import Rollable
from sevenout.rolling.generating_functions import to_fraction
from sevenout.rules import Game, PayTable, PointGame, Streak, win
from sevenout.solving.answer import LARGE_COMPONENT, LARGE_EXACT, _method_for
from sevenout.solving.elimination import Elimination
from tests.conftest import point_games

NAMES = ("craps", "dont-pass", "hazard", "fast-craps", "hazard-turn")


def test_craps() -> None:
    craps = so.solve(so.games["craps"])
    assert craps.bet("pass").p_win == Fraction(244, 495)
    assert craps.mean_rolls == Fraction(557, 165)
    assert craps.distribution("rolls").variance == Fraction(245672, 27225)
    assert craps.label_probabilities(4) == {"point": Fraction(1, 3), "seven out": Fraction(2, 3)}
    assert craps.status == "exact"


def test_hazard_by_main() -> None:
    won = [so.solve(so.games("hazard", main=m)).bet().p_win for m in range(5, 10)]
    assert [str(p) for p in won] == [
        "1396/2835",
        "6961/14256",
        "244/495",
        "6961/14256",
        "1396/2835",
    ]


PASS_TABLE = {  # the first printed return table of the source: pays, probability, return
    ("push", 0): ("0.166667", "0.000000"),
    ("natural", 1): ("0.055556", "0.055556"),
    ("craps", -1): ("0.111111", "-0.111111"),
    ("point 4 or 10, roll 1", 5): ("0.013889", "0.069444"),
    ("point 5 or 9, roll 1", 4): ("0.024691", "0.098765"),
    ("point 6 or 8, roll 1", 3): ("0.038580", "0.115741"),
    ("point 4 or 10, roll 2", 4): ("0.010417", "0.041667"),
    ("point 5 or 9, roll 2", 3): ("0.017833", "0.053498"),
    ("point 6 or 8, roll 2", 2): ("0.026792", "0.053584"),
    ("point 4 or 10, roll 3", 3): ("0.007813", "0.023438"),
    ("point 5 or 9, roll 3", 2): ("0.012879", "0.025758"),
    ("point 6 or 8, roll 3", 1): ("0.018605", "0.018605"),
    ("seven out", -1): ("0.248114", "-0.248114"),
    ("out of rolls", -1): ("0.247054", "-0.247054"),
}
BRICK_TABLE = {
    ("push", 0): ("0.222222", "0.000000"),
    ("craps", -1): ("0.333333", "-0.333333"),
    ("point, hard way", 25): ("0.027502", "0.687538"),
    ("point, easy way", -1): ("0.088594", "-0.088594"),
    ("seven out", -1): ("0.165009", "-0.165009"),
    ("out of rolls", -1): ("0.163340", "-0.163340"),
}


@pytest.mark.parametrize(
    ("bet", "table", "edge"),
    [("pass", PASS_TABLE, "21089/419904"), ("brick", BRICK_TABLE, "3293/52488")],
)
def test_fast_craps_to_the_last_printed_digit(bet: str, table, edge: str) -> None:
    from sevenout.documents.numbers import decimal

    result = so.solve(so.games["fast-craps"]).bet(bet)
    assert {
        (row.event, row.pays): (decimal(row.probability), decimal(row.contribution))
        for row in result.table
    } == table
    assert str(result.edge) == edge
    assert list(table) == [(row.event, row.pays) for row in result.table]


@given(point_games())
def test_laws_of_rolls_mix_to_the_whole(game: so.PointGame) -> None:
    solution = so.solve(game)
    whole = solution.distribution()
    assert whole.mean == solution.mean_rolls
    parts = [(p, solution.distribution(condition=label)) for label, p in solution.labels.items()]
    assert sum(p * law.mean for p, law in parts) == whole.mean
    for n in range(6):
        assert sum(p * law.pmf(n) for p, law in parts) == whole.pmf(n)
    assert whole.cdf(9) == sum(whole.pmf(n) for n in range(10)) == 1 - whole.sf(9)


@given(point_games(), st.fractions(0, "999/1000"))
def test_the_quantile_is_the_least_that_suffices(game: so.PointGame, q: Fraction) -> None:
    law = so.solve(game).distribution()
    n = law.quantile(q)
    assert law.cdf(n) >= q
    assert law.cdf(n - 1) < q or (q == 0 and law.cdf(n - 1) == 0)


def test_no_law_is_cut_off() -> None:
    law = so.solve(so.games["craps"]).distribution()
    assert 0 < law.sf(1000) < Fraction(1, 10**100)
    assert law.pmf(1000) > 0
    assert law.pmf(-1) == law.pmf(0) == 0
    with pytest.raises(RulesError, match="quantile at 1"):
        law.quantile(1)


def test_rolls_of_craps_against_a_plain_recurrence() -> None:
    ways = {t: Fraction(6 - abs(t - 7), 36) for t in range(2, 13)}
    law = so.solve(so.games["craps"]).distribution()

    def by_hand(k: int) -> Fraction:
        if k == 1:
            return Fraction(12, 36)
        leave = {p: ways[p] + ways[7] for p in (4, 5, 6, 8, 9, 10)}
        return sum(ways[p] * q * (1 - q) ** (k - 2) for p, q in leave.items())

    assert [law.pmf(k) for k in range(1, 200)] == [by_hand(k) for k in range(1, 200)]


@pytest.mark.parametrize("name", NAMES)
def test_every_number_ring_gives_the_same_answer(name: str) -> None:
    from flint import arb, ctx, fmpq

    chain = so.explore(so.games[name])
    rows = chain.weights
    exact = Elimination(rows, fmpq(1)).visits({0: fmpq(1)})
    fractions = Elimination(rows, Fraction(1)).visits({0: Fraction(1)})
    floats = Elimination(rows, 1.0).visits({0: 1.0})
    with ctx.workprec(200):
        balls = Elimination(rows, arb(1)).visits({0: arb(1)})
        for e, f, x, b in zip(exact, fractions, floats, balls, strict=True):
            assert e == fmpq(f.numerator, f.denominator)
            assert abs(float(f) - x) <= 1e-12 * float(f)
            assert x == 0 or ((b - arb(e)).contains(0) and b.rel_accuracy_bits() > 150)


@given(
    st.lists(
        st.dictionaries(st.integers(0, 7), st.integers(1, 9), max_size=4), min_size=1, max_size=7
    )
)
def test_visits_and_values_solve_their_equations(raw) -> None:
    """v = b + vQ and x = c + Qx, on random chains with every kind of cycle."""
    n = len(raw)
    rows = [{min(t, n): w for t, w in row.items()} | {n: 1} for row in raw]
    total = [sum(row.values()) for row in rows]
    elimination = Elimination(rows, Fraction(1))
    visits = elimination.visits({0: Fraction(1)})
    for t in range(n):
        inflow = sum((visits[s] * rows[s].get(t, 0) for s in range(n)), Fraction(t == 0))
        assert visits[t] * total[t] == inflow
    values = [*elimination.values([Fraction(w) for w in total], [Fraction(5)]), Fraction(5)]
    for s in range(n):
        onward = sum((Fraction(w, total[s]) * values[t] for t, w in rows[s].items()), Fraction(0))
        assert values[s] == 1 + onward
    order = {
        s: i for i, component in enumerate(strongly_connected_components(rows)) for s in component
    }
    assert all(order[s] <= order[t] for s in range(n) for t in rows[s] if t < n)


@pytest.mark.parametrize("method", ["elimination", "lifting", "certified"])
def test_a_solution_says_how_it_was_found(method, craps) -> None:
    words = {"elimination": "elimination", "lifting": "exact fractions", "certified": "bound"}
    solution = so.solve(craps, method)
    assert words.pop(method) in solution.method_in_words
    assert not any(other in solution.method_in_words for other in words.values())
    assert ("certified within" in solution.method_in_words) == bool(solution.bound)


def test_several_bets_are_named() -> None:
    both = so.solve(so.games["fast-craps"])
    with pytest.raises(RulesError, match=f"name one: {both.chain.bets[0]}, "):
        both.bet()
    for bet in both.chain.bets:
        assert both.bet(bet).name == bet


def test_numbers_that_are_equal_hash_alike() -> None:
    from sevenout.rolling.generating_functions import RationalFunction

    for x in (0, 1, -3, Fraction(22, 7)):
        constant = RationalFunction([0, 1]) * 0 + x
        assert constant == x
        assert hash(constant) == hash(x)
        assert len({constant, x}) == 1


def test_icepool_agrees_on_craps_and_on_small() -> None:
    """Independent code: icepool sorts its states, so they are numbers here."""
    two = icepool.d6 + icepool.d6

    def step(state: int, roll: int) -> int:  # 0 come-out, 1 won, -1 lost, else the point
        if state == 0:
            return 1 if roll in (7, 11) else -1 if roll in (2, 3, 12) else roll
        if state in (1, -1):
            return state
        return 1 if roll == state else -1 if roll == 7 else state

    craps = icepool.map(step, icepool.Die([0]), two, repeat="inf")
    assert craps.probability(1) == Fraction(244, 495)

    def collect(seen: int, roll: int) -> int:  # bits for 2 to 6; -1 for the seven
        if seen in (-1, 31):
            return seen
        return -1 if roll == 7 else seen | (1 << roll - 2 if roll < 7 else 0)

    class Small(so.Game):
        dice = so.dice("2d6").totals
        start = 0

        def step(self, seen, roll):
            then = collect(seen, roll)
            return so.lose() if then == -1 else so.win() if then == 31 else then

    small = icepool.map(collect, icepool.Die([0]), two, repeat="inf")
    assert so.solve(Small()).p("win") == small.probability(31)


@pytest.mark.parametrize("name", NAMES)
def test_a_solution_prints_everywhere(name: str) -> None:
    solution = so.solve(so.games[name])
    assert "─" in str(solution)
    assert solution._repr_html_().count("<table") >= 1
    data = solution.to_dict()
    assert sum(Fraction(p) for p in data["outcomes"].values()) == 1
    assert repr(solution).startswith("<Solution (exact)")
    for result in (solution.distribution(), *solution.bets.values()):
        assert result.page().title in str(result)
        assert "<table" in result._repr_html_()
        assert result.to_dict()


def test_questions_about_what_is_not_there() -> None:
    craps = so.solve(so.games["craps"])
    for ask, says in (
        (lambda: craps.p("nat"), "no outcome 'nat'; the outcomes are: natural"),
        (lambda: craps.p(dict), "no outcome <class 'dict'>"),
        (lambda: craps.distribution(condition=7), "no outcome 7"),
        (lambda: craps.distribution(condition=int), "no outcome <class 'int'>"),
        (lambda: craps.bet("field"), "no bet 'field'; the game has: pass"),
        (lambda: craps.mean("tears"), "it has: rolls"),
        (lambda: craps.distribution(condition="tears"), "no outcome 'tears'"),
        (lambda: craps.label_probabilities(7), "never in state 7"),
        (lambda: craps.distribution(condition=lambda outcome: False), "probability 0"),
    ):
        with pytest.raises(RulesError) as error:
            ask()
        assert says in str(error.value)


def test_bets_of_a_turn() -> None:
    turn = so.solve(Streak(so.games["craps"]))
    assert turn.bets == {}
    with pytest.raises(RulesError, match="no bets"):
        turn.bet()


def test_methods_and_digits_that_do_not_exist_are_refused(craps) -> None:
    with pytest.raises(RulesError, match="method='exact'; give 'auto', 'elimination'"):
        so.solve(craps, "exact")
    with pytest.raises(RulesError, match="digits=0"):
        so.solve(craps, "certified", digits=0)
    with pytest.raises(so.SevenoutError, match="gradient: value='pass'; give Callable"):
        so.solve(craps).gradient("pass")


@pytest.mark.parametrize("method", ["elimination", "lifting", "certified"])
def test_answers_travel(craps, method) -> None:
    solution = so.solve(craps, method)
    rolls = solution.distribution()
    before = solution.mean_rolls, solution.bet().edge, rolls.pmf(9), rolls.mean
    solution, law = pickle.loads(pickle.dumps((solution, rolls)))
    assert (solution.mean_rolls, solution.bet().edge, law.pmf(9), law.mean) == before


def test_hardly_possible_outcomes_leave_every_figure_a_number() -> None:
    law = so.Law({1: 1, 2: 3**9000, 3: 10**300})
    bet = so.solve(so.PointGame([1], [2], 2, dice=law)).bet()
    assert bet.skewness == bet.kurtosis == float("inf")
    assert "∞" in str(bet)


def test_stakes_are_positive_and_exact() -> None:
    class Coin(so.Game):
        dice = so.d6

        def __init__(self, stake, other=None) -> None:
            self.stake, self.other = stake, other or stake

        def step(self, state, roll):
            return so.win(stake=self.stake) if roll % 2 else so.lose(stake=self.other)

    for stake, message in ((0, "stake=0; stake more than 0"), (0.5, "0.5 is a float")):
        with pytest.raises(RulesError, match=message):
            so.solve(Coin(stake))
    with pytest.raises(RulesError, match="is 2 in one outcome and 3 in another"):
        so.solve(Coin(2, 3))
    assert so.solve(Coin(2)).bet().edge == 0


SETS = {"naturals": [7, 11], "craps": [2, 3, 12], "out": 7}


class Ladder(Game):
    """Sixty thousand rolls in a row that are no six."""

    dice = so.d6
    start = 0

    def step(self, state: int, roll: int) -> object:
        return win() if roll == 6 or state == 59_999 else state + 1


PAID = PayTable(point=[1] * 20_000)


class Wide(Game):
    """Every roll of 2d6000 is a state of its own; the rules do not say how many there are."""

    dice = so.dice("2d6000").totals
    start = 0

    def step(self, state: int, roll: int) -> object:
        return win() if state else roll


class Drawn(Wide):
    """A state is drawn; the rolls from there are small."""

    def rolls(self, state: int) -> Rollable:
        return so.d6 if state else self.dice


class Scattered(Game):
    """Each roll leads to one of 2,999 states, as if at random."""

    dice = so.d6
    start = 1

    def step(self, state: int, roll: int) -> object:
        return (state * state * roll + 977 * roll + 1) % 2_999 or win()


@pytest.mark.parametrize(
    ("large", "said"),
    [
        (lambda: so.solve(Scattered(), "elimination").outcomes, "a cycle of 2,956 states"),
        (lambda: so.solve(PointGame(**SETS, limit=100_000)), "a game of 600,001 states"),
        (lambda: so.solve(Ladder()).outcomes, "the exact fractions of 60,000 states"),
        (lambda: explore(PointGame([7], [3], 7, dice=so.dice("2d10000"))), "19,998 states"),
        (lambda: explore(Wide()), "12,000 states, each with 11,999 rolls"),
        (
            lambda: PointGame(**SETS, limit=20_000, bets=dict.fromkeys(map(str, range(600)), PAID)),
            "pays, one for each bet, point and roll",
        ),
    ],
)
def test_what_is_too_large_is_refused_at_once(large, said: str) -> None:
    with pytest.raises(TooMuchWorkError, match=said):
        large()


def test_a_wide_draw_says_nothing_of_the_rolls_that_follow() -> None:
    assert so.solve(explore(Drawn())).mean("rolls") == 2


def test_a_limit_of_a_thousand_is_solved() -> None:
    assert so.solve(PointGame(**SETS, limit=1_000)).bet("pass").p_win > 0.49292


LONG = "repeater-plus-citywide"  # 56,700 states: its law takes a minute
GAME_NAMES = [name for name in so.games.without_choices if name != LONG]


def moments(chain, counter: str) -> tuple[Fraction, Fraction]:
    """The mean and the variance of a counter, from two linear systems with every state in them."""
    n, ends = len(chain.states), [fmpq(0)] * len(chain.outcomes)
    system = Elimination(chain.weights, fmpq(1), chain.components)

    def steps(s):
        for weight, target, counts in chain.rows[s]:
            k = 1 if counter == "rolls" else dict(counts).get(counter, 0)
            if k:
                yield weight, k, target

    first = system.values([fmpq(sum(w * k for w, k, _ in steps(s))) for s in range(n)], ends)
    onward = first + ends
    square = [sum((w * k * (k + 2 * onward[t]) for w, k, t in steps(s)), fmpq(0)) for s in range(n)]
    mean, second = to_fraction(first[0]), to_fraction(system.values(square, ends)[0])
    return mean, second - mean**2


@pytest.mark.parametrize("name", GAME_NAMES)
def test_the_law_and_the_linear_system_agree(name: str) -> None:
    chain = explore(so.games[name])
    solution = so.solve(chain)
    for counter in chain.counters:
        mean, variance = moments(chain, counter)
        law = solution.distribution(counter)
        assert (law.mean, law.variance) == (mean, variance), counter
        assert solution.mean(counter) == mean
        assert law.probability == 1


def test_the_probability_of_a_condition_on_the_outcome() -> None:
    craps = so.solve(so.games["craps"])
    assert craps.p(lambda outcome: outcome.label in ("natural", "point")) == Fraction(244, 495)
    assert craps.p(lambda outcome: False) == 0


def test_the_figures_of_a_bet_have_their_conventions() -> None:
    figures = so.solve(so.games["craps"]).bet().figures()
    assert [fact.name for fact in figures.facts] == [
        "win probability",
        "house edge, per bet made",
        "house edge, per roll",
        "variance per unit staked",
        "standard deviation",
        "skewness",
        "excess kurtosis",
        "mean rolls to settle",
    ]
    few = so.solve(so.games["craps"]).bet().figures(moments=False)
    assert [fact.name for fact in few.facts][-1] == "mean rolls to settle"
    assert len(few.facts) == 4


def test_a_method_is_chosen_by_the_states_the_cycles_and_the_denominator() -> None:
    pytest.importorskip("scipy")

    def method_for(states: int, cycle: int, denominator: int) -> str:
        components = [range(cycle), *([s] for s in range(cycle, states))]
        chain: Any = SimpleNamespace(
            states=range(states), denominator=denominator, components=components
        )
        return _method_for(chain)

    assert method_for(LARGE_COMPONENT, LARGE_COMPONENT, 36) == "lifting"
    assert method_for(LARGE_COMPONENT - 1, LARGE_COMPONENT - 1, 36) == "elimination"
    assert method_for(2 * LARGE_COMPONENT, LARGE_COMPONENT - 1, 36) == "elimination"
    assert method_for(LARGE_EXACT, LARGE_COMPONENT, 36) == "certified"
    # lifting works in 64 bits
    assert method_for(LARGE_COMPONENT, LARGE_COMPONENT, 2**24 - 1) == "lifting"
    assert method_for(LARGE_COMPONENT, LARGE_COMPONENT, 2**24) == "elimination"
