"""Games of turns, and policies for them, beside the rules played out.

The distribution and the value, the most costly mistakes, the games rolled, and the lists.
"""

from fractions import Fraction
from functools import cache, partial
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sevenout as so
from sevenout.documents import Table
from sevenout.errors import RulesError, SevenoutError, TooMuchWorkError
from sevenout.model import state_name
from sevenout.rules import Ask, Counted, Outcome, choose_again, counted
from sevenout.solving import turn_policies
from tests.solving.test_turn_optimum import Boxes, Roll, Rounds

boxes = st.sets(st.sampled_from(["high", "pair", "low"]), min_size=1, max_size=3)
weights = st.sampled_from([(3, 5), (11, 2), (3, 5, 7), (13, 4, 10), (1, 97, 30)])  # no two ways tie


class Loaded(Boxes):
    """Boxes with dice on which no two ways are ever equally good, or hardly ever."""

    def __init__(self, boxes, weights, dice=2, rolls=2):
        super().__init__(boxes, len(weights), dice, rolls)
        die = so.Die(range(1, len(weights) + 1), weights)
        self.turn = type(self.turn)(die, dice, rolls)


def law_by_hand(game, policy, met=None):
    """What the game comes to, by playing every roll of it: probability by score.

    Each question that comes up by a roll, or by an entry, is told to `met`.
    """

    @cache
    def after(then, rolled):
        scored = Fraction(0)
        while isinstance(then, Counted):
            scored += dict(then.counts).get("score", 0)
            then = then.state
        if isinstance(then, Outcome):
            return {scored: Fraction(1)}
        asked = isinstance(then, Ask)
        state = then.state if asked else then
        asked = asked or (rolled and bool(game.choices(state)))
        if asked and met and (rolled or isinstance(state[2], Outcome)):
            met(state)
        return {scored + x: p for x, p in law(state, asked).items()}

    @cache
    def law(state, asked):
        if asked:
            then = game.choices(state)[policy(state)]
            return after(then, rolled=isinstance(state[2], Outcome))
        found = {}
        for roll, p in game.rolls(state).law.items():
            for x, q in after(game.step(state, roll), rolled=True).items():
                found[x] = found.get(x, 0) + p * q
        return found

    return after(game.start, rolled=True)


@settings(max_examples=25, derandomize=True, deadline=None)
@given(boxes, weights, st.integers(1, 3), st.integers(1, 3), st.booleans())
def test_the_law_is_that_of_the_game_played_out(names, weights, dice, rolls, most):
    game = Loaded(names | {"high"}, weights, dice, rolls)
    optimum = so.best(game, **({"most": "score"} if most else {"least": "score"}), method="exact")
    law, by_hand = optimum.law, law_by_hand(game, optimum.policy)
    assert law.mean == pytest.approx(float(optimum.value))
    assert {x for x, p in by_hand.items() if p} == set(law.probabilities)
    for x, p in by_hand.items():
        assert abs(law.pmf(x) - p) <= law.bound * p * 2
    mean = sum(x * p for x, p in by_hand.items())
    variance = sum((x - mean) ** 2 * p for x, p in by_hand.items())
    assert law.std**2 == pytest.approx(float(variance), abs=1e-9)


def test_the_law_of_cards_with_unequally_many_turns_left():
    class Either(Rounds):
        def entries(self, card):
            return {"on": self.reading, "stop": lambda seen: counted("any", score=4)}

        def enter(self, card, entry, seen):
            return super().enter(card, entry, seen) if entry == "on" else so.settle("stopped")

    game = Either(Roll(so.Die([1, 2, 9], [3, 5, 2])), 3)
    optimum = so.best(game)
    by_hand = law_by_hand(game, optimum.policy)
    assert {x: pytest.approx(float(p)) for x, p in by_hand.items()} == {
        x: float(optimum.law.pmf(x)) for x in optimum.law.probabilities
    }


def test_quantiles_are_the_least_that_are_not_exceeded():
    law = so.best(Loaded({"high", "pair"}, [3, 5, 7])).law
    for share in ("1/100", "1/3", "1/2", "99/100"):
        at = law.quantile(share)
        assert law.cdf(at) >= Fraction(share) > law.cdf(at) - law.pmf(at)
    assert law.pmf("1/7") == 0
    with pytest.raises(RulesError, match="from 0 to 1"):
        law.quantile(2)


GAME = Loaded({"high", "pair", "low"}, [3, 5, 7, 2], dice=3, rolls=3)


def test_games_rolled_follow_the_law():
    """20,000 games; Dvoretzky, Kiefer and Wolfowitz: a false alarm in 370,000."""
    optimum, n = so.best(GAME), 20_000
    played = optimum.simulate(n, seed=3)
    assert abs(played.z) < 5
    assert played.sample_std == pytest.approx(optimum.law.std, rel=0.05)
    for share in ("1/20", "1/4", "1/2", "3/4", "19/20"):
        at = played.quantile(share)
        slack = Fraction(26, 10) / Fraction(n) ** Fraction(1, 2)
        assert optimum.law.cdf(at) > Fraction(share) - Fraction(slack)
        assert optimum.law.cdf(at) - optimum.law.pmf(at) < Fraction(share) + Fraction(slack)


def test_the_same_seed_rolls_the_same_games():
    optimum, again = so.best(GAME), so.best(GAME, method="exact")
    assert optimum.simulate(500, seed=1).to_dict() == optimum.simulate(500, seed=1).to_dict()
    assert optimum.simulate(500, seed=1).mean == again.simulate(500, seed=1).mean
    assert optimum.simulate(500, seed=1).mean != optimum.simulate(500, seed=2).mean
    assert "played best" in str(optimum.simulate(1))


@pytest.mark.parametrize("games", [0, True, 1.0, "many", 10**12])
def test_games_that_are_none_or_too_many_are_refused(games):
    with pytest.raises(SevenoutError, match=r"whole number, 1 or more|the budget is"):
        so.best(GAME).simulate(games)


@pytest.mark.parametrize("seed", [-1, None, True, 2.5, "one"])
def test_what_is_no_seed_is_refused(seed):
    with pytest.raises(RulesError, match=r"seed=.*; give a whole number, 0 or more"):
        so.best(GAME).simulate(1, seed)


def scores(unit):
    return Rounds(Roll(so.d6), 3, reading=lambda seen: counted("any", score=int(seen.label) * unit))


def test_sums_of_large_scores_do_not_overflow():
    small, large = (so.best(scores(unit)).simulate(10_000) for unit in (1, 10**15))
    assert large.mean == small.mean * 10**15


@pytest.mark.parametrize("ask", [lambda best: best.simulate(10), lambda best: best.law])
def test_scores_beyond_64_bits_are_refused(ask):
    with pytest.raises(RulesError, match="don't fit in 64 bits"):
        ask(so.best(scores(10**18)))


def test_scores_beyond_floats_are_exact():
    with pytest.raises(RulesError, match="too large for floats"):
        so.best(scores(10**400))
    assert so.best(scores(10**400), method="exact").value == 3 * Fraction(7, 2) * 10**400


def test_weights_that_cannot_be_rolled_in_64_bits_are_refused():
    game = Rounds(Roll(so.Die([1, 2, 3], [1, 2**62, 2**63])))
    with pytest.raises(RulesError, match="too large to be rolled"):
        so.best(game).simulate(10)


def test_the_same_games_on_any_number_of_threads(monkeypatch):
    found = set()
    for threads in (1, 3):
        monkeypatch.setattr(turn_policies, "THREADS", threads)
        found.add(str(so.best(GAME).simulate(70_000).to_dict()))
    assert len(found) == 1


def test_a_list_ranks_what_it_leaves_out_last():
    optimum = so.best(GAME, method="exact")
    start = GAME.card, 0
    assert list(optimum.turn_card()) == ["2 rolls left", "1 roll left", "enter"]
    for name, ranking in optimum.turn_card().items():
        for state in (*optimum.turn.node_by_key, *optimum.turn.outcomes):
            if name != "2 rolls left" or isinstance(state, Outcome) or state[1:] == ():
                continue
            if len(state[1]) == 3 and state[2] == 2:
                menu = {plan.name: plan.cost for plan in optimum.combined_options((*start, state))}
                assert menu[ranking.read(state, tuple(menu))] == 0


@pytest.mark.parametrize("unit", [1, -1])
def test_the_bound_is_that_of_the_card_with_the_largest_value(unit):
    """Eight sixes in a row pay: the last card is worth more than the first by far."""

    class Row(Rounds):
        def entries(self, card):
            pays = unit * 7**8 if card == (1, True) else 0
            return {"in": lambda seen: counted(seen.label == "6", score=pays * (seen.label == "6"))}

        def enter(self, card, entry, seen):
            turns, all_six = card
            return (turns - 1, all_six and seen) if turns > 1 else so.settle("over")

    game = Row(Roll(so.Die(range(1, 7), [1, 2, 3, 4, 5, 6])), (8, True))
    exact, certified = (so.best(game, method=method) for method in ("exact", "certified"))
    assert exact.value == unit * 2**8
    for turns in range(1, 9):
        card = turns, True
        bound = certified.bound_at((card, 0, None))
        assert abs(exact.to_come(card) - certified.to_come(card)) <= bound
        assert bound < 10 * abs(exact.to_come(card)) / 10**12
    assert certified.bound_at(((1, True), 0, None)) > 1000 * certified.bound
    assert exact.bound_at(((1, True), 0, None)) == 0


@pytest.mark.parametrize(
    "call",
    [
        lambda optimum: optimum.to_come(frozenset({"none"})),
        lambda optimum: optimum.combined_options((GAME.card, 0, ("shown", (9, 9, 9), 1))),
        lambda optimum: optimum.options((GAME.card, 0, [1])),
    ],
)
def test_bad_input_is_one_line(call):
    with pytest.raises(SevenoutError) as error:
        call(so.best(GAME))
    assert len(str(error.value)) < 400


def test_greedy_play_plays_each_turn_as_if_it_were_the_last():
    class One(Loaded):
        def enter(self, card, entry, seen):
            return so.settle("over")

        def final_counts(self, total):
            return {}

    dice, turns = (13, 4, 10), {}
    game = Loaded({"high", "pair"}, dice)

    def greedy(state):
        card, _, inner = state
        alone = turns.setdefault(card, so.best(One(card, dice), method="exact"))
        return alone.policy((card, 0, inner))

    mean = so.solve(so.explore(game).under(greedy)).mean("score")
    best = so.best(game, method="exact")
    assert abs(best.greedy.law.mean - mean) <= best.greedy.bound
    assert mean < best.value
    everything = best.greedy.law.p_at_least(best.greedy.law.support[0])
    assert abs(everything.value - 1) <= everything.bound < Fraction(1, 10**12)


def any_option(game, salt):
    """A policy that does something or other, the same each time."""

    def policy(state):
        names = sorted(game.choices(state))
        card, total, inner = state
        return names[
            crc32(
                repr(
                    (salt, str(card) if isinstance(card, int) else sorted(card), total, inner)
                ).encode()
            )
            % len(names)
        ]

    return policy


class Ladder(so.Game):
    """A turn of several questions between rolls: climb, climb and roll, or stop."""

    start, dice = (0, 2), so.Die([1, 2, 5], [3, 5, 7])

    def choices(self, state):
        step, left, *rolling = state
        if rolling:
            return {}
        menu = {"stop": so.settle(f"{step}")}
        if left:
            menu["roll"] = (step, left - 1, "rolling")
        if step < 3:
            menu["up"] = choose_again((step + 1, left))
        return menu

    def rolls(self, state):
        return self.dice

    def step(self, state, face):
        step, left, _ = state
        return choose_again((step + face, left)) if left else so.settle(f"{step + face}")


class Climbs(Rounds):
    """Turns on the ladder, entered high or low, for a tally; or the game is given up."""

    def __init__(self, rounds, given_up=False):
        super().__init__(Ladder(), rounds, tally=("sum", 7))
        self.given_up = given_up

    def entries(self, card):
        menu = {
            "high": lambda seen: counted("any", score=int(seen.label), sum=int(seen.label)),
            "low": lambda seen: counted("any", score=4 - int(seen.label)),
        }
        return menu | ({"end": lambda seen: counted("end", score=3)} if self.given_up else {})

    def enter(self, card, entry, seen):
        return so.settle("given up") if entry == "end" else super().enter(card, entry, seen)

    def final_counts(self, total):
        return {"score": 6} if total >= 5 else {}


def played_out(game, policy, best):
    """By the rules, option by option: the law, and the highest cost of each card and its dice."""
    dear = {}

    def met(state):
        card, _, inner = state
        worth, then = best.options(state)[0].value, choose_again(state)
        while isinstance(then, Ask) and isinstance(then.state[2], Outcome) == (
            isinstance(inner, Outcome)
        ):
            did, state = policy(then.state), then.state
            then = game.choices(state)[did]
        left = next(option.value for option in best.options(state) if option.name == did)
        cost = (worth - left) * best.goal.sense
        dear[card, inner] = max(dear.get((card, inner), 0), cost)

    law = law_by_hand(game, policy, met)
    return {x: p for x, p in law.items() if p}, {key: cost for key, cost in dear.items() if cost}


games = st.one_of(
    st.builds(Loaded, boxes.map(lambda b: b | {"high"}), weights, st.integers(1, 2)),
    st.builds(Climbs, st.integers(1, 2), st.booleans()),
)


@settings(max_examples=16, derandomize=True, deadline=None)
@given(games, st.integers(0, 9), st.booleans())
def test_a_policy_is_what_the_game_played_out_says(game, salt, most):
    reads = any_option(game, salt)
    whole = reads if salt % 2 else lambda state: reads((state[0], 0, state[2]))
    policy = reads if salt % 2 else lambda card, inner: reads((card, 0, inner))
    wish = {"most": "score"} if most else {"least": "score"}
    flat = so.best(so.explore(game), **wish)
    law, dear = played_out(game, whole, flat)
    mean = sum(x * p for x, p in law.items())
    for method in ("exact", "certified"):
        optimum = so.best(game, **wish, method=method)
        followed, play = optimum.evaluate(policy), optimum.under(policy)
        assert abs(followed.value - mean) <= followed.bound
        assert 0 < followed.bound < Fraction(1, 10**9)
        assert set(play.law.probabilities) == set(law)
        for x, p in law.items():
            assert abs(play.law.pmf(x) - p) <= 2 * p * play.law.bound
        found = {(m.state[0], m.state[2]): m.cost for m in optimum.mistakes(policy, None)}
        assert set(found) == set(dear)
        for key, cost in dear.items():
            assert abs(found[key] - cost) <= 10 * optimum.bound
        highest_costs = sorted(dear.values(), reverse=True)[:3]
        first = [m.cost for m in optimum.mistakes(policy, 3)]
        assert first == pytest.approx(list(map(float, highest_costs)))


def most_alike(card, at):
    """Keep what is most alike, and enter it in the first box."""
    if isinstance(at, Outcome):
        return min(card)
    _, faces, _ = at
    return [face for face in faces if face == max(faces, key=faces.count)]


def test_the_most_costly_mistakes_and_reachable_dice_are_listed():
    optimum = so.best(GAME, method="exact")
    followed, mistakes = optimum.evaluate(most_alike), optimum.mistakes(most_alike, 10_000)
    model = so.explore(GAME)

    def flat(state):
        card, _, inner = state
        if isinstance(inner, Outcome):
            return most_alike(card, inner)
        kept = most_alike(card, inner)
        wrong = [face for face in inner[1] if face != kept[0]]
        return f"put back {wrong[0]}" if wrong else "keep all" if len(kept) == 3 else "roll"

    best = so.best(model, "score")
    entered = [m for m in mistakes if isinstance(m.state[2], Outcome)]
    by_dice = {}
    for state, did, _, cost in best.mistakes(flat, 10**6):
        if isinstance(state[2], Outcome):
            key = state[0], state[2], did
            by_dice[key] = max(by_dice.get(key, 0), cost)
    assert {(m.state[0], m.state[2], m.did): m.cost for m in entered} == by_dice
    assert len(mistakes) > len(entered) > 0
    assert mistakes[0].cost == max(m.cost for m in mistakes)
    played = optimum.under(most_alike).simulate(5_000, seed=2)
    assert abs(played.z) < 5
    assert played.value == followed.value < optimum.value


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (7, "7 is not a policy"),
        ({}, "gives no option"),
        (lambda card, at: "jump", "the policy returned 'jump' with"),
        (lambda card, at: None, "the policy returned None with"),
        (lambda card, at: (9, 9), "the options are: "),
        (lambda card, at: [[1], 2], "the options are: "),
        (lambda card, tally, at: "jump", "^<lambda> is not a policy; it must take the card"),
        (lambda card, *, at: "jump", "it must take the card"),
        (lambda: "jump", "it must take the card"),
    ],
)
def test_a_policy_that_cannot_be_followed_is_one_line(policy, said):
    with pytest.raises(RulesError, match=said) as error:
        so.best(GAME).evaluate(policy)
    assert len(str(error.value)) < 400
    assert "\n" not in str(error.value)


def test_as_data_a_mistake_says_its_state_as_it_is_printed():
    """Not as Python writes it: the order of a set would be another in every run."""
    optimum = so.best(GAME)
    compared = optimum.compare({"mine": most_alike})[0]
    said = [each["state"] for each in compared.to_dict()["mistakes"]]
    assert said == [state_name(each.state) for each in compared.mistakes]
    assert said
    assert not any("frozenset" in each or "Hand" in each for each in said)


def test_a_policy_that_is_asked_too_often_is_refused_before_it_is_asked():
    def never(state):
        raise AssertionError

    optimum = so.best(GAME)
    with so.budget(seconds=0.001), pytest.raises(TooMuchWorkError, match="is asked"):
        optimum.evaluate(never)


def test_cards_that_a_policy_never_comes_to():
    play = so.best(Climbs(3, given_up=True)).under(
        lambda card, at: "end" if isinstance(at, Outcome) else "stop"
    )
    assert play.law.probabilities == {3: 1}
    assert (play.value, play.simulate(10).mean) == (3, 3)


def keep_all(card, at, first="high"):
    if not isinstance(at, Outcome):
        return "keep all"
    return first if first in card else min(card)


class Player:
    def state(self, state):
        return keep_all(state[0], state[2])

    def __call__(self, card, at):
        return keep_all(card, at)


@pytest.mark.parametrize(
    "policy",
    [
        keep_all,
        partial(keep_all, first="high"),
        Player(),
        Player().state,
        lambda *state: keep_all(state[0][0], state[0][2]),
        lambda state, aloud=False: keep_all(state[0], state[2]),
        lambda card, at: at[1][::-1] if isinstance(at, tuple) else keep_all(card, at),
        lambda card, at: iter(at[1]) if isinstance(at, tuple) else keep_all(card, at),
    ],
)
def test_policies_of_every_form(policy):
    optimum = so.best(GAME, method="exact")
    plain, followed = optimum.evaluate(keep_all), optimum.evaluate(policy)
    assert abs(followed.value - plain.value) <= followed.bound + plain.bound


def test_an_entry_that_the_card_does_not_have_is_refused_with_those_it_has():
    def jumps(card, at):
        return "jump" if isinstance(at, Outcome) else "keep all"

    with pytest.raises(RulesError, match=r"the policy returned 'jump' with .* the options are: "):
        so.best(GAME).evaluate(jumps)


def test_dice_to_keep_are_named_or_listed_in_any_order():
    def highest(hand):
        return [face for face in hand if face == max(hand)]

    def named(card, at):
        return keep_all(card, at) if isinstance(at, Outcome) else " ".join(map(str, highest(at[1])))

    def listed(card, at):
        return keep_all(card, at) if isinstance(at, Outcome) else highest(at[1])[::-1]

    optimum = so.best(GAME, method="exact")
    assert optimum.evaluate(named).value == optimum.evaluate(listed).value
    assert optimum.evaluate(named).value > optimum.evaluate(keep_all).value


def test_the_best_and_the_greedy_are_policies_by_name():
    optimum = so.best(GAME)
    assert optimum.evaluate("best").value == optimum.value
    assert optimum.evaluate("greedy").value == optimum.greedy.law.mean < optimum.value
    played = optimum.under("greedy").simulate(5_000, seed=4)
    assert abs(played.z) < 5
    assert played.policy_in_words == "played greedily"
    assert played.page().blocks[-1] == Table(
        turn_policies.QUANTILE_COLUMNS, turn_policies.quantiles(played)
    )
    assert optimum.mistakes("best") == []
    greedy, best, named = optimum.compare({"g": "greedy", "b": "best", "n": keep_all})
    assert (greedy.name, greedy.policy_value.cost > 0, greedy.mistakes) == ("g", True, [])
    assert (best.policy_value.cost, best.mistakes) == (0, [])
    assert named.mistakes == optimum.mistakes(keep_all)
    # An empty list would say that it makes none.
    with pytest.raises(RulesError, match='the mistakes of "greedy" are not computed; give a func'):
        optimum.mistakes("greedy")


def test_a_table_that_has_changed_is_another_policy():
    """The value of the first table was given again."""
    optimum = so.best(GAME, method="exact")
    best, worst = {}, {}

    def record_best(state):
        return best.setdefault(state, optimum.options(state)[0].name)

    def record_worst(state):
        return worst.setdefault(state, optimum.options(state)[-1].name)

    assert optimum.evaluate(record_best).cost == 0 < optimum.evaluate(record_worst).cost
    table = worst | best
    assert optimum.evaluate(table).value == optimum.evaluate(record_best).value
    table |= worst
    assert optimum.evaluate(table).value == optimum.evaluate(record_worst).value


def test_a_policy_may_pass_several_decisions_between_rolls():
    class Deep(so.Game):
        start, die = "first", so.Die([1, 2], [1, 2**40 - 1])

        def choices(self, state):
            return {
                "first": {"down": choose_again("second"), "roll": "again"},
                "second": {"roll": "last", "stop": so.settle("1")},
            }.get(state, {})

        def rolls(self, state):
            return self.die

        def step(self, state, face):
            return choose_again("second") if state == "again" else so.settle(f"{face}")

    optimum = so.best(Rounds(Deep()), method="exact")
    down = optimum.evaluate(lambda card, at: {"first": "down", "second": "stop"}.get(at, "in"))
    assert abs(down.value - 2) <= down.bound
