"""The games with choices: known and published figures, and play.

Some rules are written a second time, and solved by recursion over every roll of the dice in order.
"""

import pickle
from collections import Counter
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, permutations, product
from math import sqrt

import pytest

import sevenout as so
from sevenout.catalogue import games
from sevenout.catalogue.board_games import board_name, boards, epc
from sevenout.catalogue.push_your_luck import THREE, ScoreTable, Turn
from sevenout.errors import RulesError, SevenoutError, TooMuchWorkError
from sevenout.simulation.tally import variances
from sevenout.solving.goal import Arena, Goal
from sevenout.solving.optimal_play import optimum_of

SMALL = {
    "pig": {"goal": 10},
    "pig-solitaire": {"goal": 20},
    "piglet": {"goal": 3},
    "shut-the-box-10": {"tiles": 8},
    "shut-the-box-12": {"tiles": 7},
    "farkle-turn": {"goal": 1_000},
    "zilch-turn": {"goal": 1_000},
    "cant-stop-3": {"columns": 1},
    "liars-dice": {"sides": 3},
    "liars-dice-wild": {"sides": 4},
    "dudo": {"sides": 4},
    "perudo": {"sides": 3},
    "dice-bids": {"bids": 3},
}
"""Options with which the larger ones are quick."""
SIGMAS = 5.7
"""A normal law is farther out once in 10^8; there are fewer than a hundred games."""


@cache
def optimum(name):
    entry = games.entry(name)
    return so.best(entry.game(**SMALL.get(name, {})), **entry.goal)


def quick(name, **options):
    return so.best(games(name, **options), **games.entry(name).goal)


@pytest.mark.parametrize("name", games.with_choices)
def test_an_entry_says_what_it_is(name):
    entry = games.entry(name)
    assert len(entry.rules) > 50
    assert entry.source
    assert entry.family
    assert entry.readings or name == "place-three-wins"
    assert pickle.loads(pickle.dumps(entry.game())) == entry.game()
    assert hash(entry.game()) == hash(entry.game())


@pytest.mark.parametrize(
    "name", [n for n in games.with_choices if n not in SMALL and games.entry(n).known]
)
def test_known(name):
    assert {"value": optimum(name).value} == games.entry(name).known


@pytest.mark.parametrize(
    ("name", "options", "value"),
    [
        ("pig", {"goal": 6}, "24/31"),
        ("pig", {"goal": 10}, "7776/10961"),
        ("piglet", {"goal": 3}, "6/11"),
    ],
)
def test_known_of_small_ones(name, options, value):
    assert quick(name, **options).value == Fraction(value)


def test_pig_held_at_twenty():
    pig = games.entry("pig-turn")
    model, sizes = so.explore(pig.game()), (15, 20, 21, 25)
    held = {n: so.solve(model.under(pig.policy(f"hold-{n}"))).mean("points") for n in sizes}
    assert max(held.values()) == held[20] == held[21] == pig.known["value"]
    assert optimum("pig-turn").ties == (20,)


@pytest.mark.parametrize(
    ("name", "policy"),
    [(name, policy) for name in games.with_choices for policy in games.entry(name).policies],
)
def test_a_simple_policy_is_no_better(name, policy):
    entry, best = games.entry(name), optimum(name)
    simple = entry.policy(policy, **SMALL.get(name, {}))
    table = {state: simple(state) for state in best.policy}
    assert all(mistake.cost > 0 for mistake in best.mistakes(table))
    has_opponent = best.model.passes or len(best.model.players) > 1
    value = of_chain(best, best.model.under(table, best.policy if has_opponent else None))
    assert (best.value - value) * best.goal.sense >= 0
    assert value == best.value or best.mistakes(table)


def of_chain(best, chain):
    """What the goal is worth in a chain of a policy."""
    solution = so.solve(chain)
    if best.goal.counters:
        (counter,) = best.goal.counters
        return solution.mean(counter)
    outcomes = solution.outcomes.items()
    return sum((p * best.goal.value(outcome) for outcome, p in outcomes), Fraction(0))


@pytest.mark.parametrize(
    "name", [n for n in games.with_choices if games.entry(n).family != "Yahtzee"]
)
def test_simulated_optimal_play_has_the_solved_value(name):
    """A z-test of each game; all together, they raise a false alarm once in a million."""
    best = optimum(name)
    chain = best.chain
    if name != "place-up":  # played best, it is taken down at once
        assert abs(of_chain(best, chain) - best.value) <= best.bound
    games = 20_000
    tally = so.simulate(chain, games, seed=12, backend="numpy")
    if best.goal.counters:
        (counter,) = best.goal.counters
        mean, variance = Fraction(tally.counters[counter], games), variances(chain)[counter]
    else:
        worths = [(best.goal.value(outcome), n) for outcome, n in tally.outcomes.items()]
        mean = Fraction(sum(worth * n for worth, n in worths), games)
        second = sum(p * best.goal.value(o) ** 2 for o, p in best.solution.outcomes.items())
        variance = second - best.value**2
    assert abs(mean - best.value) <= SIGMAS * sqrt(variance / games)


def test_which_main_to_call():
    edges = {main: so.solve(games("hazard", main=main)).bet().edge for main in range(5, 10)}
    assert optimum("hazard-main").value == -min(edges.values()) == Fraction(-7, 495)
    assert optimum("hazard-main-setter").value == max(edges.values()) == Fraction(167, 7128)
    turn = optimum("hazard-mains")
    assert turn.value == so.solve(games["hazard-turn"]).mean("won")
    assert set(turn.policy.values()) == {"main 7"}
    # With every main the caster loses money: the fewer rounds, the better.
    rich = so.best(games("hazard-mains", losses=1), "money")
    p = (1 - edges[7]) / 2
    assert rich.value >= (p / (1 - p)) - 1


def test_a_repeater_is_surrendered_for_more_than_it_is_worth():
    never = so.solve(games["repeater-plus-6-8"]).bet()
    best = optimum("repeater-6-surrender")
    assert best.value == -never.edge
    for come, offer in ((3, 8), (4, 18), (5, 40)):
        (ride, taken) = best.options(come)
        assert ride.name == "let it ride"
        assert ride.value == 90 * Fraction(5, 11) ** (6 - come) - 1
        assert taken.cost == ride.value + 1 - offer
    kind = quick("repeater-6-surrender", offers={5: 41})
    assert kind.policy == {5: "surrender"}
    assert kind.value == 41 * Fraction(5, 11) ** 5 - 1


def test_odds_are_free_and_the_dont_pass_is_left_up():
    odds = optimum("craps-odds-up")
    assert odds.value == Fraction(-7, 495)
    assert set(odds.ties) == {4, 5, 6, 8, 9, 10}
    assert all(option.cost == 0 for state in odds.policy for option in odds.options(state))
    assert so.best(games("craps-odds-up"), "pass >= 2").value > Fraction(0)
    dont = optimum("dont-pass-up")
    assert dont.value == -so.solve(games["dont-pass"]).bet().edge
    assert set(dont.policy.values()) == {"leave it up"}
    for point, ways in ((4, 3), (5, 4), (6, 5)):
        assert dont.options(point)[1].cost == Fraction(6 - ways, 6 + ways)


def test_a_place_bet_wins_three_times_as_often_as_three_bets_do():
    assert optimum("place-three-wins").value == Fraction(5, 11) ** 3
    assert optimum("place-up").value == 0


BAD = [
    ("pig", {"goal": 0}, "play to 1 or more"),
    ("piglet", {"goal": "ten"}, "a whole number"),
    ("shut-the-box", {"tiles": 13}, "1 to 12"),
    ("shut-the-box", {"one_die": "sometimes"}, "'low sum'"),
    ("threes", {"dice": 0}, "roll 1 to 8"),
    ("midnight", {"needed": (1, 1)}, "different faces"),
    ("farkle-turn", {"goal": 0}, "50 or more"),
    ("zilch-turn", {"least": 20_000}, "up to the goal"),
    ("bear-off", {"board": (0, 0)}, "1 to 15 in all"),
    ("bear-off-every", {"checkers": 16}, "1 to 15"),
    ("cant-stop", {"sides": 7}, "2 to 6"),
    ("hazard-mains", {"losses": 0}, "1 or more"),
    ("repeater-6-surrender", {"number": 2}, "give pays= and offers="),
    ("repeater-6-surrender", {"offers": {6: 1}}, "after 1 to 5 times"),
    ("craps-odds-up", {"multiple": -1}, "0 or more"),
    ("dont-pass-up", {"bar": 4}, "bars 2, 3 or 12"),
    ("place-up", {"number": 7}, "4, 5, 6, 8, 9 and 10"),
]


@pytest.mark.parametrize(("name", "options", "said"), BAD)
def test_a_wrong_option_says_what_would_be_right(name, options, said):
    with pytest.raises(RulesError, match=said) as error:
        games(name, **options)
    assert len(str(error.value)) < 400
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: games.entry("pigg"), "did you mean pig"),
        (lambda: games.entry("pig").policy("hold-x"), "its policies: hold-20"),
        (lambda: games.entry("pig").policy(20), "no policy 20"),
        (lambda: games.entry("ship-captain-and-crew").policy("keep"), "stop-8"),
        (lambda: games("chutes-and-ladders", jumps={5: 500}), "a jump from 5 to 500"),
        (lambda: games("chutes-and-ladders", spinner=0), "1 or more"),
        (lambda: games("risk-battle", attackers=0), "1 to 500"),
    ],
)
def test_bad_input_is_one_line(call, said):
    with pytest.raises(SevenoutError, match=said) as error:
        call()
    assert len(str(error.value)) < 400


def test_certified_digits_are_those_of_the_fraction():
    certified = so.best(games("pig", goal=20), method="certified")
    exact = quick("pig", goal=20)
    assert abs(certified.value - exact.value) <= certified.bound < Fraction(1, 10**20)


class PaidTurn(so.Game):
    """A turn of Pig whose points are paid as a bet."""

    dice, start = so.d6, 0

    def choices(self, points):
        return {"roll": points, "hold": so.settle("hold", {"turn": points})}

    def step(self, points, face):
        return so.settle("pig", {"turn": 0}) if face == 1 else min(points + face, 30)


def test_a_score_has_no_stake() -> None:
    turn = so.solve(so.explore(PaidTurn()).under(lambda n: "roll" if n < 20 else "hold")).bet()
    assert turn.is_score
    assert "mean result" in str(turn)
    assert "house edge" not in str(turn)
    assert not so.solve(so.games["craps"]).bet().is_score


def quick_again(name, **options):
    return so.best(games(name, **options), **games.entry(name).goal)


def rolls(dice, sides=6):
    """How often each hand comes."""
    return Counter(tuple(sorted(r)) for r in product(range(1, sides + 1), repeat=dice))


def mean(dice, worth, sides=6):
    law = rolls(dice, sides)
    return sum((n * Fraction(worth(hand)) for hand, n in law.items()), Fraction(0)) / law.total()


def subsets(hand):
    return {c for size in range(1, len(hand) + 1) for c in combinations(hand, size)}


def left_of(hand, kept):
    return tuple((Counter(hand) - Counter(kept)).elements())


@pytest.mark.parametrize("dice", [1, 2, 3, 4])
def test_threes_again(dice):
    @cache
    def least(dice):
        def of(hand):
            return min(
                sum(f for f in kept if f != 3) + least(dice - len(kept)) for kept in subsets(hand)
            )

        return mean(dice, of) if dice else Fraction(0)

    assert quick_again("threes", dice=dice).value == least(dice)


@pytest.mark.parametrize(("dice", "needed"), [(3, (1, 4)), (4, (1, 4)), (3, (2,)), (3, ())])
def test_midnight_again(dice, needed):
    @cache
    def most(kept):
        if len(kept) == dice:
            if set(needed) <= set(kept):
                return Fraction(sum(kept) - sum(needed))
            return Fraction(0)
        return mean(
            dice - len(kept),
            lambda hand: max(most(tuple(sorted(kept + more))) for more in subsets(hand)),
        )

    assert quick_again("midnight", dice=dice, needed=needed).value == most(())


def test_midnight_scores_as_often_as_in_21_rolls_of_a_die():
    """One die kept at a time, 6 + 5 + ... + 1 dice are rolled: more can't be had."""
    missed = 2 * Fraction(5, 6) ** 21 - Fraction(4, 6) ** 21
    assert so.best(games("midnight"), least="no score").value == missed


@pytest.mark.parametrize("either", [False, True])
def test_ship_captain_and_crew_again(either):
    @cache
    def most(kept, left):
        def of(hand):
            have, free = list(kept), list(hand)
            for face in (6, 5, 4)[len(have) :]:
                if face not in free:
                    break
                have.append(face)
                free.remove(face)
            if len(have) < 3:
                return most(tuple(have), left - 1) if left > 1 else 0
            options = [sum(free)]
            if left > 1:
                options.append(most(tuple(have), left - 1))
                if either:
                    options += [face + one(left - 1) for face in free]
            return max(options)

        return mean(5 - len(kept), of)

    @cache
    def one(left):
        return mean(1, lambda hand: max(hand[0], one(left - 1)) if left > 1 else hand[0])

    value = so.best(games("ship-captain-and-crew", either=either), "points").value
    if either:
        # With one die kept, both may still be rolled on: the recursion above leaves that out.
        assert value >= most((), 3)
    else:
        assert value == most((), 3)


def scored(table, dice):
    """The most that dice are worth if each of them scores, by taking sets of them away."""
    if not dice:
        return 0
    found = []
    counts = Counter(dice)
    if len(dice) == 6:
        if len(counts) == 6:
            found.append(1500)
        if sorted(counts.values()) in ([2, 2, 2], [2, 4]):
            found.append(1500)
        if sorted(counts.values()) == [3, 3] and table == "farkle":
            found.append(2500)
    face = dice[0]
    for n in range(1, counts[face] + 1):
        worth = {1: 100, 5: 50}.get(face, 0) * n if n < 3 else (1000 if face == 1 else 100 * face)
        if n > 3:
            worth = (n - 3) * 1000 if table == "farkle" else worth * 2 ** (n - 3)
        rest = scored(table, left_of(dice, (face,) * n))
        if worth and rest is not None:
            found.append(worth + rest)
    return max(found, default=None)


@pytest.mark.parametrize(("game", "least"), [("farkle", 0), ("farkle", 350), ("zilch", 300)])
def test_farkle_and_zilch_again(game, least):
    goal = 600
    scores = cache(partial(scored, game))

    @cache
    def most(points, dice):
        def of(hand):
            takes = {}
            for kept in subsets(hand):
                if worth := scores(kept):
                    takes[len(kept)] = max(worth, takes.get(len(kept), 0))
            if not takes and dice == 6 and game == "zilch":
                takes[6] = 500
            return max((then(points + w, dice - n or 6) for n, w in takes.items()), default=0)

        def then(now, left):
            if now >= goal:
                return now
            return max(now * (now >= least), most(now, left))

        return mean(dice, of)

    assert quick_again(f"{game}-turn", goal=goal, least=least).value == most(0, 6)


@pytest.mark.parametrize("one_die", ["never", "low sum", "high shut", "always", "only"])
@pytest.mark.parametrize("shut", ["any", "two", "dice"])
def test_shut_the_box_again(one_die, shut):
    tiles = 6 if one_die == "only" else 8

    def may(box):
        return {
            "never": False,
            "only": False,
            "always": True,
            "low sum": sum(box) <= 6,
            "high shut": not box & {7, 8, 9},
        }[one_die]

    def ways(box, hand):
        for size in range(1, {"any": 9}.get(shut, 2) + 1):
            for tiles in combinations(sorted(box), size):
                if sum(tiles) == sum(hand) and (shut != "dice" or size == 1 or tiles == hand):
                    yield frozenset(tiles)

    @cache
    def value(box, goal):
        if not box:
            return Fraction(goal == "shut")

        def of(hand):
            then = [value(box - tiles, goal) for tiles in ways(box, hand)]
            if goal == "shut":
                return max(then, default=0)
            return min(then, default=sum(box))

        dice = [1, 2] if may(box) else [1] if one_die == "only" else [2]
        return (max if goal == "shut" else min)(mean(n, of) for n in dice)

    game = games("shut-the-box", tiles=tiles, one_die=one_die, shut=shut)
    whole = frozenset(range(1, tiles + 1))
    assert so.best(game, "shut").value == value(whole, "shut")
    assert so.best(game, least="points").value == value(whole, "points")


def test_open_tiles_may_be_read_as_a_number():
    """Of two tiles, a 3 shuts both and a 2 leaves the 1, which two dice can't shut."""
    game = games("shut-the-box", tiles=2, one_die="never", score="digits")
    assert so.best(game, least="points").value == 12 * Fraction(33, 36) + 1 * Fraction(1, 36)


def off_in(board):
    """The mean number of rolls of a board, one checker's steps after another's."""
    if not board:
        return Fraction(0)
    return _off_in(tuple(sorted(board)))


@cache
def _off_in(board):
    def after(board, dice):
        if not dice or not board:
            yield board
            return
        die, *others = dice
        for i, point in enumerate(board):
            if point >= die or (point == board[-1]):
                moved = [] if point <= die else [point - die]
                yield from after(tuple(sorted([*board[:i], *board[i + 1 :], *moved])), others)

    total = Fraction(0)
    for a, b in product(range(1, 7), repeat=2):
        orders = [(a,) * 4] if a == b else permutations((a, b))
        total += min(off_in(then) for order in orders for then in after(board, order))
    return 1 + total / 36


def test_bearing_off_again():
    """Every board of up to three checkers, from one model."""
    game = so.best(games("bear-off-every", checkers=3), least="rolls")
    found = {o.name: o.value for state in game.policy for o in game.options(state)}
    drawn = [board for n in range(1, 4) for board in boards(n)]
    truth = {b: off_in([i + 1 for i, n in enumerate(b) for _ in range(n)]) for b in drawn}
    assert game.value == 1 + sum(truth.values()) / len(drawn)
    checked = 0
    for board, value in truth.items():
        assert found.get(board_name(board), value) == value
        checked += board_name(board) in found
    assert checked > 60
    for board in [(0, 0, 0, 0, 0, 1), (0, 0, 0, 0, 1, 1), (1, 0, 1, 0, 0, 1)]:
        assert quick_again("bear-off", board=board).value == truth[board]
    assert quick_again("bear-off", board=(3, 2, 1, 1)).value == off_in([1, 1, 1, 2, 2, 3, 4])
    assert truth[0, 0, 0, 0, 0, 1] == Fraction(5, 4)
    assert epc(truth[1, 0, 0, 0, 0, 0]) == Fraction(49, 6)


def test_more_boards_than_can_be_solved_are_refused_at_once():
    games("bear-off-every", checkers=14).check_size()
    game = games("bear-off-every", checkers=15)
    with pytest.raises(TooMuchWorkError, match="1,193,786 states, would take"):
        so.explore(game)


def test_a_race_of_two_checkers_each():
    """Whoever bears off within the first roll wins; else the other has one roll, and so on."""
    game = quick_again("bear-off-race", board=(0, 0, 0, 0, 1, 1), other=(0, 1, 0, 0, 0, 0))
    assert game.value == Fraction(6, 36)  # the doubles but 1-1 and 2-2, and 6-5
    game = quick_again("bear-off-race", board=(0, 0, 0, 0, 0, 1), other=(0, 0, 0, 0, 0, 1))
    p = Fraction(3, 4)
    q = 1  # whatever is left after a roll is borne off with the next
    assert game.value == p + (1 - p) * (1 - p) * q


def test_risk_again():
    @cache
    def wins(attack, defend):
        if not attack or not defend:
            return Fraction(not defend)
        ours, theirs = min(attack, 3), min(defend, 2)
        total = Fraction(0)
        for roll in product(range(1, 7), repeat=ours + theirs):
            a, d = sorted(roll[:ours])[::-1], sorted(roll[ours:])[::-1]
            lost = [x <= y for x, y in zip(a, d, strict=False)]
            total += wins(attack - sum(lost), defend - (len(lost) - sum(lost)))
        return total / 6 ** (ours + theirs)

    for attackers, defenders in ((1, 1), (3, 2), (4, 3), (2, 5)):
        battle = so.solve(games("risk-battle", attackers=attackers, defenders=defenders))
        assert battle.p("attacker wins") == wins(attackers, defenders)


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

        goal = Goal("points", 1, worth, {"points": Fraction(1)})
        turn = optimum_of(Arena.of(model, goal), "certified")
        lost.append(turn.solution.p("farkle"))
        points.append(turn.value - after * lost[-1])
    stays = [Fraction(1), lost[0], lost[0] * lost[1]]
    gain = sum(n * p for n, p in zip(stays, points, strict=True)) - 500 * stays[2] * lost[2]
    assert abs(gain / sum(stays) - Fraction("620.855")) < Fraction("0.001")


def test_a_farkle_turn_as_published():
    """McKenna (rmckenna21.blogspot.com), to three digits: what points so far and dice to roll are
    worth, where four of a kind score twice as three, five three times, six four times, and three
    pairs 750; a four and a pair are no three pairs, as the published figures show.
    """

    class Pairs(ScoreTable):
        def hand(self, dice):
            if sorted(map(dice.count, set(dice))) == [2, 4]:
                return ScoreTable(self.kinds, straight=0, pairs=0).hand(dice)
            return super().hand(dice)

    table = Pairs(tuple((n, 2 * n, 3 * n, 4 * n) for n in THREE), straight=1500, pairs=750)
    turn = so.best(Turn(table, target=10_000, min_banked=0), "points")
    published = {
        **{(50, 5): "363.834", (100, 5): "399.911", (150, 4): "307.673", (200, 3): "257.584"},
        **{(250, 3): "293.4", (250, 2): "250", (300, 2): "300", (350, 1): "350"},
    }
    for state, worth in published.items():
        assert round(float(turn.options(state)[0].value), 3) == float(worth)


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
