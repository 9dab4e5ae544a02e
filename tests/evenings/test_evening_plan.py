"""Evenings by hand, in whole numbers, in floats and as a game, all alike; and what is refused."""

from dataclasses import dataclass, replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.evenings.by_hand_evening import exactly, law
from tests.evenings.by_lattice import by_lattice

from sevenout.budgets.estimates import budget
from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.strategies import Molly, strategies
from sevenout.catalogue.strategies.strategy_file import parse_strategy
from sevenout.documents import Certified
from sevenout.errors import RulesError, SevenoutError, TooMuchWorkError
from sevenout.evenings import Plan, evening
from sevenout.evenings.money_lattice import about_max_rolls
from sevenout.rules.casino.betting import Strategy, TableView
from sevenout.solving import solve

SHORT = {"iron-cross": 25, "place-6-8": 14, "place-6-8-press": 20, "place-6-8-power": 20}
SHORT |= {"place-6-8-double": 20, "inside": 30, "inside-one-hit": 18, "inside-regress": 44}
SHORT |= {"hammerlock": 40, "dice-doctor": 25}
"""A bankroll that the first bets strain; of the others, 7."""


@pytest.mark.parametrize("name", strategies)
@pytest.mark.parametrize("rich", [False, True])
def test_the_law_is_that_of_every_sequence_of_rolls(name, rich):
    bankroll = 400 if rich else SHORT.get(name, 7)
    found, handle, bets, refused = law(strategies[name], bankroll, 3)
    result = exactly(Plan.of(name, bankroll, rolls=3))
    ends = {}
    money = {}
    for (end, m), p in found.items():
        ends[end] = ends.get(end, 0) + p
        money[m] = money.get(m, 0) + p
    assert dict(result.ends) == ends
    assert dict(result.money.items()) == money
    assert result.handle == handle
    assert result.mean_bets == bets
    assert result.refused == refused
    assert sum(ends.values()) == 1


@given(
    st.sampled_from(list(strategies)),
    st.integers(1, 40),
    st.none() | st.integers(1, 12),
    st.none() | st.integers(1, 12),
    st.lists(st.integers(2, 12), max_size=40),
)
@settings(max_examples=30, deadline=None, derandomize=True)
def test_the_game_goes_as_played_by_hand(name, bankroll, win, loss, totals):
    from tests.evenings.by_hand_evening import Evening

    target = None if win is None else bankroll + win
    # A loss of more than the bankroll is refused.
    loss = None if loss is None else min(loss, bankroll)
    strategy = strategies(name, points=2) if name.startswith("three") else strategies[name]
    hand = Evening(strategy, bankroll, target=target, loss=loss)
    plan = Plan.of(strategy, bankroll, stop_win=win, stop_loss=loss, rolls=50)
    if hand.end == "ruin":
        with pytest.raises(RulesError, match="does not pay for the first bet"):
            plan.game  # noqa: B018  it is explored
        return
    state = plan.game.start
    for total in totals:
        roll = plan.bettor.felt.dice.roll((max(1, total - 6), min(6, total - 1)))
        then = plan.game.step(state, roll).state
        hand.roll(total)
        if hand.end is not None:
            assert then.label == hand.end
            assert then.profit("evening") == hand.money - bankroll
            return
        assert then[1] == hand.money
        state = then


@pytest.mark.parametrize("name", strategies)
def test_floats_are_within_their_bound_of_whole_integers(name):
    plan = Plan.of(name, SHORT.get(name, 7) + 3, rolls=6, stop_win=30, shooters=2)
    if (exact := plan.in_fractions()) is None:
        pytest.skip("too many moves")
    near = by_lattice(plan)
    assert near.bound < 1e-12
    for money, p in exact.money.items():
        assert abs(near.money.pmf(money) - p) <= near.bound
    assert set(near.ends) == set(exact.ends)
    assert float(near.mean_bets) == pytest.approx(float(exact.mean_bets), rel=1e-12)
    assert float(near.handle) == pytest.approx(float(exact.handle), rel=1e-12)
    assert float(near.refused) == pytest.approx(float(exact.refused), rel=1e-12)
    assert near.playing_by_roll == pytest.approx(exact.playing_by_roll)
    assert near.fan[-1] == exact.fan[-1]


@pytest.mark.parametrize("name", ["pass-odds", "three-point-molly", "three-point-dolly", "do-dont"])
def test_numbers_that_are_treated_alike_may_be_made_one(name):
    @dataclass(frozen=True)
    class Apart(Strategy):
        inner: Strategy

        def wants(self, table):
            return self.inner.wants(table)

    points = {"points": 2} if name.startswith("three") else {}
    alike = Plan.of(strategies(name, **points), 40, rolls=30)
    apart = Plan.of(Apart(strategies(name, **points)), 40, rolls=30)
    assert len(apart.positions.rows) > len(alike.positions.rows)
    one = by_lattice(alike)
    other = by_lattice(apart)
    for money, p in one.money.items():
        assert abs(other.money.pmf(money) - p) <= one.bound + other.bound


def test_a_bettor_who_reads_the_bankroll_without_using_it_has_the_same_evening():
    class Looks(Molly):
        sees_money = True

        def wants(self, table):
            assert table.money >= 0
            return super().wants(table)

    blind = evening(Molly(points=2), 12, rolls=4)
    seeing = evening(Looks(points=2), 12, rolls=4)
    assert dict(blind.money.items()) == dict(seeing.money.items())
    assert blind.handle == seeing.handle


def test_the_game_solved_has_the_ends_of_the_evening():
    plan = Plan.of("pass-odds", 12, rolls=5, stop_win=9)
    solution = solve(plan.game)
    result = exactly(plan)
    assert {o.label for o in solution.outcomes} == set(result.ends)
    assert solution.mean("settled") == result.handle
    assert solution.mean("bets") == result.mean_bets
    assert solution.bet("evening").mean * 12 == result.mean


def test_a_layout_that_the_short_of_money_reach_sooner_is_explored_in_time():
    """With 3 units both bets stand, and what follows stands after 3 rolls; with less, after 2."""

    class Counts(Strategy):
        memory = 0

        def remembers(self, table):
            return 3 if table.last.profit("yo") is None else min(3, table.memory + 1)

        def wants(self, table):
            return {"any 7": 2, "yo": 1} if table.memory < 3 else {"field": 1}

    plan = Plan.of(Counts(), 5, rolls=3)
    exact = exactly(plan)
    assert sum(p for _, p in exact.money.items()) == 1
    near = by_lattice(plan)
    for money, p in exact.money.items():
        assert abs(near.money.pmf(money) - p) <= near.bound


@dataclass(frozen=True)
class Numbers(Strategy):
    """Some bets on a point, others on the come-out, each time as if nothing stood; a win is pressed
    where that is said, and after a loss all that may come down does.
    """

    come_out: tuple
    point: tuple
    press: int

    def wants(self, table):
        if table.last and table.last.net < 0 and not self.press:
            return {bet: 0 for bet in table.bets if bet.startswith(("place", "buy", "lay"))}
        won = bool(table.last) and table.last.net > 0
        wanted = {}
        for bet, amount in self.come_out if table.point is None else self.point:
            free = bet.startswith(("place", "buy", "lay"))
            wanted[bet] = amount + (self.press if won and free else 0)
        for bet, amount in table.bets.items():
            if bet.startswith(("come ", "don't come ")) and not bet.endswith("odds"):
                wanted[f"{bet} odds"] = amount
        return wanted


early_few = ["pass", "don't pass", "place 6", "place 9", "buy 4", "lay 10", "lay 6", "field"]
late_few = ["come", "don't come", "place 6", "buy 4", "lay 10", "field"]
few = st.integers(1, 9)
bettors = st.builds(
    lambda come_out, point, press: Numbers(tuple(come_out.items()), tuple(point.items()), press),
    st.dictionaries(st.sampled_from(early_few), few, min_size=1, max_size=3),
    st.dictionaries(st.sampled_from(late_few), few, min_size=1, max_size=3),
    st.integers(0, 3),
)


@given(
    bettors,
    st.integers(2, 30),
    st.none() | st.integers(2, 12),
    st.none() | st.integers(1, 4),
    st.tuples(st.booleans(), st.booleans()),
)
@settings(max_examples=25, deadline=None, derandomize=True)
def test_the_law_of_any_bets_is_that_of_every_sequence_of_rolls(
    strategy, bankroll, stop, rounds, house
):
    up_front, working = house
    house = House(vig="up front" if up_front else "on win", working=working)
    loss = stop if stop is None else min(stop, bankroll)
    ends = {"rolls": 3, "bets": rounds, "stop_loss": loss, "stop_win": stop}
    plan = Plan.of(strategy, bankroll, house=house, **ends)
    target = None if stop is None else bankroll + stop
    how = {"target": target, "loss": loss, "bets": rounds}
    try:
        plan.sitting()
    except RulesError as error:
        assert "does not pay" in str(error)  # noqa: PT017  only some of the evenings begin
        return
    found, handle, bets, refused = law(
        strategy, bankroll, 3, working=working, up_front=up_front, **how
    )
    result = plan.in_fractions()
    if result is None:
        return
    money, ends = {}, {}
    for (end, m), p in found.items():
        ends[end] = ends.get(end, 0) + p
        money[m] = money.get(m, 0) + p
    assert dict(result.ends) == ends
    assert dict(result.money.items()) == money
    assert (result.handle, result.mean_bets, result.refused) == (handle, bets, refused)


@dataclass(frozen=True)
class Anything(Strategy):
    """Some bets on the come-out, others on a point; all that may be goes up after a win."""

    come_out: tuple
    point: tuple

    def wants(self, table):
        wanted = dict(self.come_out if table.point is None else self.point)
        if table.last and table.last.net > 0:
            bound = ("pass", "come", "don't pass", "don't come", "small", "tall", "all")
            wanted = {b: a if b in bound else 2 * a for b, a in wanted.items()}
        return {b: a for b, a in wanted.items() if b not in ("small", "all") or not self._on(table)}

    def _on(self, table):
        return any(bet.startswith(("small", "all")) for bet in table.bets)


amounts = st.sampled_from([1, 2, 5, Fraction(3, 2), 20])
free = [
    "place 6",
    "place 9",
    "place to lose 4",
    "buy 4",
    "buy 10",
    "lay 5",
    "big 8",
    "hard 6",
    "hard 10",
    "field",
]
once = [
    "any 7",
    "yo",
    "horn",
    "C&E",
    "world",
    "hop 2-5",
    "hop 3-3",
    "over 7",
    "three-way",
    "low dice",
]
early = st.dictionaries(
    st.sampled_from([*free, *once, "pass", "don't pass", "small", "all"]), amounts, max_size=4
)
late = st.dictionaries(
    st.sampled_from([*free, *once, "come", "don't come"]), amounts, min_size=1, max_size=4
)
houses = st.builds(
    House,
    vig=st.sampled_from(["on win", "up front"]),
    breakage=st.sampled_from([1, "1/2"]),
    bar=st.sampled_from([2, 3, 12]),
    field=st.sampled_from([(2, 2), (2, 3), (3, 3)]),
    working=st.booleans(),
)
stops = st.none() | st.integers(5, 20)
leaving = st.fixed_dictionaries(
    {
        "rolls": st.integers(1, 3),
        "bets": st.none() | st.integers(1, 5),
        "stop_loss": stops,
        "stop_win": stops,
    }
)


@given(st.tuples(early, late, houses), st.integers(8, 60), leaving)
@settings(max_examples=40, deadline=None, derandomize=True)
def test_whatever_is_bet_all_engines_agree(bets, bankroll, leaving):
    come_out, point, house = bets
    strategy = Anything(tuple(come_out.items()), tuple(point.items()))
    if leaving["stop_loss"]:  # a loss of more than the bankroll is refused
        leaving["stop_loss"] = min(leaving["stop_loss"], bankroll)
    plan = Plan.of(strategy, bankroll, house=house, **leaving)
    try:
        start = plan.game.start
    except RulesError as error:
        assert "does not pay" in str(error)  # noqa: PT017  only some of the evenings begin
        return
    assert start[1] <= bankroll
    exact = plan.in_fractions()
    if exact is None:
        return
    near = by_lattice(plan)
    money = dict(near.money.items())
    assert abs(sum(money.values()) - 1) <= near.bound
    for amount, p in exact.money.items():
        assert abs(money.get(amount, 0) - p) <= near.bound
    played = solve(plan.game)
    law = {}
    for outcome, p in played.outcomes.items():
        amount = bankroll + outcome.profit("evening")
        law[amount] = law.get(amount, 0) + p
    assert law == dict(exact.money.items())
    assert sum(law.values()) == 1


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"pas": 1}, "no bet 'pas'"),
        ({"come": 1}, "once there is a point"),
        ({"come 6": 1}, "made as 'come'"),
        ({"pass": 1.5}, "float"),
        ({"pass": -1}, "bet 0 or more"),
        ({"pass": "1/2"}, "the minimum is 1"),
        ([1], "give amounts by bet"),
        ({"small 2,3": 1}, "before any of its totals has come"),
        ({"hop 2-9": 1}, "no bet"),
    ],
)
def test_what_is_not_allowed_is_said(wanted, said):
    class Wants(Strategy):
        def wants(self, table):
            return wanted

    with pytest.raises(RulesError, match=said):
        evening(Wants(), 10**4, rolls=2, house=House(maximum=100))


def test_more_odds_than_the_house_takes_are_clipped():
    house = House(odds=(2, 2, 2))
    result = evening(strategies("pass-odds", odds=5), 100, rolls=3, house=house)
    assert result.clipped == ("pass odds",)
    assert dict(result.money.items()) == dict(
        evening(strategies("pass", odds=2), 100, rolls=3).money.items()
    )


def test_a_contract_bet_stays():
    class Flees(Strategy):
        def wants(self, table):
            return {"pass": 1} if table.point is None else {"pass": 0}

    with pytest.raises(RulesError, match="can't be taken down"):
        evening(Flees(), 10, rolls=3)


@dataclass(frozen=True)
class Lays(Strategy):
    """Don't pass and odds behind it, which are taken down as is said once they stand."""

    down: tuple

    def wants(self, table):
        if table.point is None:
            return {"don't pass": 1}
        return dict(self.down) if "don't pass odds" in table.bets else {"don't pass odds": 6}


def test_odds_do_not_stand_alone():
    with pytest.raises(RulesError, match="the 6 behind it comes down first"):
        evening(Lays((("don't pass", 0),)), 100, rolls=4)
    both = (("don't pass", 0), ("don't pass odds", 0))
    for down in (both, both[::-1]):
        assert evening(Lays(down), 100, rolls=4).ends == {"time": 1}


def test_odds_with_nothing_to_lean_on_are_counted():
    class Leans(Strategy):
        def wants(self, table):
            return {"pass odds": 1}

    result = evening(Leans(), 10, rolls=3)
    assert result.refused == 3
    assert result.refused_bets == ("pass odds",)
    assert result.mean == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "has no end"),
        ({"rolls": 0}, "rolls=0"),
        ({"bets": 2.5}, "bets=2.5"),
        ({"rolls": 5, "hours": 1}, "rolls and hours are both given"),
        ({"target": 20, "stop_win": 3}, "target and stop_win|stop_win and target"),
        ({"target": 10}, "already reaches"),
        ({"rolls": 5, "stop_loss": 0}, "stop_loss=0"),
    ],
)
def test_evenings_that_make_no_sense(options, said):
    with pytest.raises(RulesError, match=said):
        evening("pass", 10, **options)


@pytest.mark.parametrize(
    "options", [{"target": 10_000}, {"rolls": 10**7}, {"rolls": 2000, "name": "Long"}]
)
def test_what_would_take_too_long_is_refused_at_once(options):
    with pytest.raises(TooMuchWorkError, match="rolls of"), budget(seconds=0.5):
        evening("three-point-molly", 2000, **options)


def test_a_press_beyond_all_floats_is_refused_without_a_warning():
    text = 'format = 1\nname = "Six"\n[[bet]]\non = "place 6"\namount = 6\npress = "all"\n'
    with pytest.raises(TooMuchWorkError, match="positions with money would take about"):
        evening(parse_strategy(text).strategy, 60, hours="1/2", stop_loss=30)


@pytest.mark.parametrize("given", ["passs", 7, None])
def test_no_strategy(given):
    with pytest.raises(RulesError, match=r"no strategy|not a strategy"):
        evening(given, 10, rolls=3)


def test_a_library_with_other_amounts():
    assert strategies("pass", amount=5).wants(TableView(None, {})) == {"pass": 5}
    with pytest.raises(RulesError, match="pass has no option 'much'"):
        strategies("pass", much=5)
    assert replace(strategies["pass"], amount=5) == strategies("pass", amount=5)
    assert strategies("place-6-8", numbers=6).numbers == (6,)
    assert strategies("martingale", amount="3/2").wants(TableView(None, {}, 4)) == {"pass": 6}


@pytest.mark.parametrize(
    ("name", "option", "given", "said"),
    [
        ("place-6-8", "numbers", 7, r"numbers=\(7,\)"),
        ("place-6-8", "press", 5, "press=5"),
        ("iron-cross", "come_out", 5, "come_out=5"),
        ("pass-odds", "odds", (1, 2), "odds=.* one multiple, or three"),
        ("pass-odds", "odds", "a", "'a' is not an amount"),
        ("three-point-molly", "points", (1, 2), "points=.* one number"),
        ("martingale", "most", "x", "'x' is not an amount"),
        ("pass", "side", "left", "no bet 'left'"),
    ],
)
def test_options_of_another_kind(name, option, given, said):
    with pytest.raises(SevenoutError, match=said):
        evening(strategies(name, **{option: given}), 100, rolls=2)


@pytest.mark.parametrize("sees", [True, False])
def test_a_memory_must_be_hashable_whether_the_last_roll_is_seen_or_not(sees):
    class Lists(Strategy):
        sees_last = sees

        def wants(self, table):
            return {"field": 1}

        def remembers(self, table):
            return [1]

    with pytest.raises(RulesError, match=r"the memory \[1\] is not hashable"):
        evening(Lists(), 5, rolls=3)


def test_a_strategy_that_does_not_see_the_last_roll_gets_none():
    class Peeks(Strategy):
        sees_last = False

        def wants(self, table):
            return {"field": 2 if table.last else 1}

    assert evening(Peeks(), 50, rolls=3).handle == 3


@pytest.mark.parametrize(
    ("ends", "rolls"),
    [
        ({"rolls": 7}, 7),
        ({"target": 20}, None),
        ({"target": 20, "rolls": 7}, 7),
        ({"shooters": 2}, 400),
        ({"bets": 5}, 120),
        ({"shooters": 1, "bets": 5}, 120),
    ],
)
def test_the_longest_evenings_have_about_this_many_rolls(ends, rolls):
    assert about_max_rolls(Plan.of("pass", 10, **ends).ends) == rolls


@pytest.mark.parametrize("reached", [{"least": 12}, {"most": 7}])
def test_the_probability_of_ever_having_an_amount_has_its_error_bound(reached):
    plan = Plan.of("pass", 10, rolls=9)
    assert plan.ever_within(**reached) == plan.ever(**reached)
    certified = Plan.of("pass", 10, rolls=2_000).ever_within(**reached)
    assert isinstance(certified, Certified)
    assert 0 < certified.bound < Fraction(1, 10**9)


def test_amounts_ever_had_lie_beyond_the_bankroll_and_up_to_the_stops():
    plan = Plan.of("pass", 10, rolls=3, target=12, stop_loss=2)
    assert plan.ever(least=12) == plan.solve().reached
    assert plan.ever(most=8) == plan.solve().ends["stop loss"]
    for amounts in ({"least": 10}, {"least": 13}, {"most": 10}, {"most": 7}, {}):
        with pytest.raises(RulesError, match=r"give (more|less|at most|at least|one)"):
            plan.ever(**amounts)
    with pytest.raises(RulesError, match="both given"):
        plan.ever(least=11, most=9)


def test_hours_are_rounded_up_to_rolls_at_the_pace():
    assert Plan.of("pass", 10, hours="1/100").ends.rolls == 1
    assert Plan.of("pass", 10, hours="1/30", pace=50).ends.rolls == 2
    with pytest.raises(RulesError, match="hours=0; give more than 0"):
        Plan.of("pass", 10, hours=0)


def test_a_wrong_keyword_names_the_function_that_was_called():
    with pytest.raises(TypeError, match=r"^evening\(\) got an unexpected keyword argument 'roll'"):
        evening("pass", 10, roll=5)
    with pytest.raises(TypeError, match=r"^evening\(\) missing a required argument: 'strategy'"):
        evening()


def test_an_empty_name_is_the_strategys_own():
    assert evening("pass", 5, rolls=3, name="").name == "Pass line"
