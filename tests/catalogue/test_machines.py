"""The rule machines of the catalogue against brute force, closed forms and icepool."""

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sevenout.catalogue import games
from sevenout.catalogue.craps_family.hand_bets import HandLength, fire
from sevenout.errors import RulesError
from sevenout.model import explore
from sevenout.rolling import Dice, Die, Law, d6, parse_dice
from sevenout.rules import Checklist, Mixture, Part, Wager
from sevenout.solving import solve
from tests.catalogue.by_hand_lists import all_before, none_before

TOTALS = parse_dice("2d6").totals
weights = st.integers(1, 6)


@st.composite
def wagers(draw: Any) -> tuple[Law, dict[int, int], int | None, int]:
    """A law, what some of its outcomes pay, a limit and what the limit pays."""
    law = draw(st.dictionaries(st.integers(0, 4), weights, min_size=2, max_size=5).map(Law))
    paid = draw(st.lists(st.sampled_from(list(law)), min_size=1, unique=True))
    pays = {roll: draw(st.integers(-1, 9)) for roll in paid}
    return law, pays, draw(st.none() | st.integers(1, 4)), draw(st.integers(-1, 2))


@given(wagers())
def test_a_wager_is_the_first_deciding_roll(
    given_wager: tuple[Law, dict[int, int], int | None, int],
) -> None:
    law, pays, limit, late = given_wager
    truth: dict[int, Fraction] = {}
    if limit is None:
        decides = sum(law[roll] for roll in pays)
        for roll, pay in pays.items():
            truth[pay] = truth.get(pay, Fraction(0)) + law[roll] / decides
        rolls = 1 / Fraction(decides)
    else:
        rolls = Fraction(0)
        for sequence in product(law, repeat=limit):
            p = Fraction(1)
            for roll in sequence:
                p *= law[roll]
            first = next((i for i, roll in enumerate(sequence) if roll in pays), None)
            pay = late if first is None else pays[sequence[first]]
            truth[pay] = truth.get(pay, Fraction(0)) + p
            rolls += p * (limit if first is None else first + 1)
    wager = Wager(law, pays, limit=limit, late=None if limit is None else late)
    bet = solve(wager).bet("bet")
    assert dict(bet.profit) == truth
    assert bet.rolls == rolls


parts = st.lists(
    st.tuples(
        st.integers(1, 5),
        st.dictionaries(st.integers(2, 12), st.integers(-1, 30), min_size=1),
        st.sampled_from([-1, 0]),
    ),
    min_size=1,
    max_size=4,
)


@given(parts)
def test_parts_are_staked_and_paid_together(given_parts: list[Any]) -> None:
    game = Wager.of_parts(TOTALS, *(Part(*part) for part in given_parts), bet="parts")
    stake = sum(part[0] for part in given_parts)
    assert game.stake == explore(game).stake("parts") == stake
    mean = sum(
        Fraction(units * pays.get(a + b, rest), 36)
        for units, pays, rest in given_parts
        for a, b in product(range(1, 7), repeat=2)
    )
    bet = solve(game).bet("parts")
    assert bet.mean * stake == mean
    assert bet.element_of_risk == bet.edge
    assert len({o.label for o in game.outcomes}) == len(game.outcomes)


@st.composite
def checklists(draw: Any) -> tuple[Law, dict[int, int]]:
    """A law whose outcome 0 is the stop, and how often some of the others are wanted."""
    others = draw(st.lists(weights, min_size=1, max_size=4))
    law = Law({0: draw(weights), **dict(enumerate(others, 1))})
    wanted = draw(st.lists(st.sampled_from(range(1, len(others) + 1)), min_size=1, unique=True))
    return law, {roll: draw(st.integers(1, 3)) for roll in wanted}


def count_by_count(law: Law, times: dict[int, int], first: bool) -> tuple[dict[int, Fraction], Any]:
    """The law of the entries ticked off and the mean number of rolls, state by state."""
    entries = list(times)

    @cache
    def value(counts: tuple[int, ...]) -> tuple[dict[int, Fraction], Fraction]:
        done = sum(c >= times[e] for c, e in zip(counts, entries, strict=True))
        if done == (1 if first else len(entries)):
            return {done: Fraction(1)}, Fraction(0)
        open_entries = [i for i, e in enumerate(entries) if counts[i] < times[e]]
        moves = law[0] + sum(law[entries[i]] for i in open_entries)
        ends, rolls = {done: law[0] / moves}, 1 / moves
        for i in open_entries:
            after = (*counts[:i], counts[i] + 1, *counts[i + 1 :])
            then, more = value(after)
            share = law[entries[i]] / moves
            rolls += share * more
            for n, p in then.items():
                ends[n] = ends.get(n, Fraction(0)) + share * p
        return ends, rolls

    return value((0,) * len(entries))


@given(checklists(), st.booleans(), st.booleans())
def test_a_checklist_ticks_what_comes(
    given_list: tuple[Law, dict[int, int]], first: bool, alike: bool
) -> None:
    law, times = given_list
    whole = 1 if first else len(times)
    prizes = {n: 10 * n + 1 for n in range(whole + 1)}
    game = Checklist(law, times, stop=0, pays=prizes, first_wins=first, alike=alike)
    truth, rolls = count_by_count(law, times, first)
    bet = solve(game).bet("checklist")
    assert dict(bet.profit) == {Fraction(prizes[n]): p for n, p in truth.items()}
    assert bet.rolls == rolls


@given(checklists())
def test_a_checklist_has_a_closed_form(given_list: tuple[Law, dict[int, int]]) -> None:
    law, times = given_list
    rate = dict(zip(law, law.weights, strict=True))
    some = solve(Checklist(law, times, stop=0, pays=1, first_wins=True))
    assert some.p("0 first") == none_before([(rate[r], n) for r, n in times.items()], rate[0])
    once = solve(Checklist(law, dict.fromkeys(times, 1), stop=0, pays=1))
    assert once.p("complete") == all_before([rate[r] for r in times], rate[0])


@given(checklists(), st.booleans())
def test_entries_alike_may_trade_places(
    given_list: tuple[Law, dict[int, int]], first: bool
) -> None:
    law, times = given_list
    plain, fewer = (
        explore(Checklist(law, times, stop=0, pays=1, first_wins=first, alike=alike))
        for alike in (False, True)
    )
    assert len(fewer.states) <= len(plain.states)
    assert solve(plain).labels == solve(fewer).labels


def test_a_group_of_rolls_is_one_entry() -> None:
    grouped = Checklist(TOTALS, {(2, 12): 2}, stop=7, pays=1)
    assert solve(grouped).p("complete") == Fraction(2, 8) ** 2


@given(st.lists(weights, min_size=1, max_size=3), st.integers(0, 3))
def test_a_drawn_game_is_a_mixture(shares: list[int], none: int) -> None:
    draw = Law({**dict(enumerate(shares)), "again": none})
    games = {i: Wager(d6, {6: i + 1, (1, 2): -1}) for i in range(len(shares))}
    bet = solve(Mixture(draw, games)).bet("bet")
    each = [solve(game).bet("bet") for game in games.values()]
    whole = sum(shares)
    assert bet.mean == sum(Fraction(w, whole) * b.mean for w, b in zip(shares, each, strict=True))
    draws = 1 / (1 - draw.get("again", Fraction(0)))
    assert bet.rolls == draws + 2


@given(st.lists(st.sampled_from(["4", "5", "6", "8", "9", "10", "none"]), max_size=30))
def test_the_fire_bet_counts_each_point_once(rounds: list[str]) -> None:
    game = fire({6: 999})
    made: set[str] = set()
    state: Any = game.start
    for point in rounds:
        event = "natural" if point == "none" else f"point {point}"
        pays = [o for o in game.dice.outcomes if o.pay("pass").event == event]
        state = game.step(state, pays[0])
        made |= {point} - {"none"}
        if len(made) == 6:
            assert state.label == "6 points"
            return
        assert state.bit_count() == len(made)
    out = next(o for o in game.dice.outcomes if o.label == "seven out")
    assert game.step(state, out).label == f"{len(made)} point{'s' * (len(made) != 1)}"


def test_a_hand_has_the_known_mean_length() -> None:
    """Ethier and Hoppe (2010): the mean number of rolls of the shooter is 1671/196."""
    longest = 150
    hand = solve(HandLength(((2, -1), (longest, 1))))
    assert 0 < Fraction(1671, 196) - hand.mean_rolls < Fraction(1, 10**6)
    assert 0 < hand.p(f"{longest} or more rolls") < Fraction(1, 10**7)


@given(st.dictionaries(st.integers(2, 12), st.integers(-1, 30), min_size=1))
def test_one_roll_as_icepool_has_it(pays: dict[int, int]) -> None:
    import icepool

    law = (2 @ icepool.d6).map(lambda total: pays.get(total, -1))
    bet = solve(Wager.one_roll(TOTALS, pays)).bet("bet")
    assert dict(bet.profit) == {Fraction(x): law.probability(x) for x in law.outcomes()}


def test_small_as_icepool_has_it() -> None:
    import icepool

    def collect(had: int, total: int) -> int:  # -1 for the seven; icepool sorts its states
        if had in (-1, 31) or total == 7:
            return -1 if had != 31 else 31
        return had | 1 << total - 2 if total < 7 else had

    end = icepool.map(collect, 0, 2 @ icepool.d6, repeat="inf")
    bet = solve(games["bonus-small-34-1"]).bet("bonus")
    assert bet.p_win == end.probability(31)


@given(st.lists(st.lists(st.integers(0, 6), min_size=1, max_size=4), min_size=1, max_size=3))
def test_a_reading_has_the_law_of_its_weights(faces: list[list[int]]) -> None:
    dice = Dice(Die(each) for each in faces)
    for reading in (dice.totals, dice.ways, dice.read(str)):
        fair = Law(reading.weigh([source.weights for source in reading.sources]))
        assert reading.law == fair
        assert reading.law.denominator == fair.denominator


BAD: list[tuple[Any, str]] = [
    (lambda: Wager(d6, {7: 1}), "7 can't be rolled"),
    (lambda: Wager(d6, {(1, 2): 1, 2: -1}), "2 is paid twice"),
    (lambda: Wager(d6, {1: 1}, limit=0), "limit=0; allow 1 or more"),
    (lambda: Wager(d6, {1: 1}, stake=0), "stake=0; stake more than 0"),
    (lambda: Wager(d6, {1: 0.5}), "is a float"),
    (lambda: Checklist(d6, {}, stop=1, pays=1), "the checklist is empty"),
    (lambda: Checklist(d6, {2: 0}, stop=1, pays=1), "wanted 0 times"),
    (lambda: Checklist(d6, {2: 1, (2, 3): 1}, stop=1, pays=1), "2 is in two entries"),
    (lambda: Checklist(d6, {1: 1}, stop=1, pays=1), "1 is both a stop and an entry"),
    (lambda: Checklist(d6, {7: 1}, stop=1, pays=1), "7 is an entry but can't be rolled"),
    (lambda: Checklist(d6, {2: 1}, stop=9, pays=1), "the stop is 9"),
    (lambda: Checklist(d6, {2: 1}, stop=1, pays={2: 1}), "a prize for 2 of 1"),
    (lambda: Mixture(d6, {}), "no game to draw"),
    (lambda: Mixture(d6, {7: Wager(d6, {1: 1})}), "7 can't be rolled, so its game is never drawn"),
    (
        lambda: Mixture(Law({"draw": 1, "x": 1}), {"draw": Wager(d6, {1: 1})}),
        "'draw' names the state before the draw",
    ),
    (
        lambda: explore(Mixture(d6, {1: Wager(d6, {1: 1}), 2: Wager(d6, {1: 1}, stake=2)})),
        "a bet has one stake",
    ),
    (
        lambda: Mixture(d6, {1: Wager(d6, {1: 1}), 2: Wager(d6, {1: 1}, bet="two")}),
        "the same bets; one has bet, another two",
    ),
    (lambda: Wager(d6, {1: 1}, late=0), "late=0 can never be paid; give a limit"),
    (lambda: Wager(d6, {1: 1}, limit=True), "limit=True"),
    (lambda: Wager(d6, {1: -2}), "a profit of -2 loses more than the 1 at risk"),
    (lambda: Wager(d6, {1: (1, "1/2")}), "the money at risk is 1/2; the stake is part of it"),
    (lambda: Wager("2d6", {7: 1}), "dice='2d6' can't be rolled"),
    (lambda: Wager(d6, [1]), "give amounts by roll"),
]


@pytest.mark.parametrize(("build", "message"), BAD)
def test_contradictions_are_refused(build: Any, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        build()
