"""Games of turns: the turn explored once says what the whole game played out says."""

from fractions import Fraction
from random import Random
from statistics import fmean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sevenout as so
from sevenout.catalogue import games
from sevenout.catalogue.dice_keeping import Yahtzee
from sevenout.errors import EndlessGameError, RulesError, SevenoutError, TooMuchWorkError
from sevenout.model import Chain
from sevenout.rules import ByTurns, Hand, KeepRoll, counted, keepable_sets
from sevenout.rules.position import Position
from sevenout.solving import turn_values
from sevenout.solving.turn_kernel import MAX_CHUNK_WIDTH


def high(hand):
    return counted("any", score=hand.total, sum=hand.total)


def pair(hand):
    return counted("any", score=10 * (hand.group_sizes[0] >= 2))


def low(hand):
    return counted("any", score=Fraction(-hand.total, 2))


def odd(hand):
    return counted(hand.total == 5, score=7) if hand.total % 2 else None


def flat(hand):
    return counted("any", score=3, sum=hand.total)


READINGS = {"high": high, "pair": pair, "low": low, "odd": odd, "flat": flat}


class Boxes(ByTurns):
    """A few boxes, a bonus for a tally, and one more turn for a five in the odd box."""

    tally = ("sum", 5)

    def __init__(self, boxes, faces=3, dice=2, rolls=2, extra=False):
        self.turn = KeepRoll(so.Die(range(1, faces + 1)), dice, rolls)
        self.card, self.extra = frozenset(boxes), extra

    def entries(self, card):
        return {box: READINGS[box] for box in sorted(card)}

    def enter(self, card, entry, seen):
        left = card - {entry}
        if entry == "odd" and seen is True and self.extra:
            left |= {"high"}
        return left or so.settle("full")

    def final_counts(self, total):
        return {"score": 5} if total >= 5 else {}


boxes = st.sets(st.sampled_from(["high", "pair", "low", "odd"]), min_size=1, max_size=3)


@settings(max_examples=25, derandomize=True, deadline=None)
@given(boxes, st.integers(2, 3), st.integers(1, 3), st.integers(1, 2), st.booleans())
def test_the_turn_explored_once_is_the_game_played_out(names, faces, dice, rolls, most):
    game = Boxes({*names, "high"} if names == {"odd"} else names, faces, dice, rolls)
    wish = {"most": "score"} if most else {"least": "score"}
    if "odd" in names:
        with pytest.raises(RulesError, match="which no box of the card"):
            so.best(game, **wish)
        return
    model = so.explore(game)
    if isinstance(model, Chain) or "score" not in model.counters:  # one die makes no pair
        return
    flat = so.best(model, **wish)
    exact, certified = so.best(game, **wish, method="exact"), so.best(game, **wish)
    assert exact.value == flat.value
    assert abs(certified.value - flat.value) <= certified.bound < Fraction(1, 10**9)
    for state in flat.policy:
        options = flat.options(state)
        costs = {option.name: option.cost for option in options}
        assert {option.name: option.cost for option in exact.options(state)} == costs
        for option in certified.options(state):
            assert abs(option.cost - costs[option.name]) <= 4 * certified.bound


def test_cards_may_have_unequally_many_turns_left():
    game = Boxes({"high", "odd", "low"}, faces=3, extra=True)

    class Any(Boxes):
        def entries(self, card):
            return {box: READINGS[box] for box in sorted(card)} | {"pass": low}

        def enter(self, card, entry, seen):
            return so.settle("passed") if entry == "pass" else super().enter(card, entry, seen)

    game = Any({"high", "odd"}, faces=3)
    flat, certified = so.best(so.explore(game), "score"), so.best(game)
    assert abs(certified.value - flat.value) <= certified.bound
    assert so.best(game, method="exact").value == flat.value


def test_lanes_are_filled_up():
    game = Boxes({"high", "pair", "low"}, faces=5, dice=2)
    game.tally = ("sum", MAX_CHUNK_WIDTH + 3)
    assert so.best(game, method="exact").value == so.best(so.explore(game), "score").value


def test_a_card_that_comes_again_is_refused():
    class Again(Boxes):
        def enter(self, card, entry, seen):
            return card

    with pytest.raises(EndlessGameError, match="card repeats"):
        so.best(Again({"high"}))


@pytest.mark.parametrize(
    "call",
    [
        lambda: KeepRoll(so.d6, 0),
        lambda: KeepRoll(so.d6, 5, rolls_allowed=0),
        lambda: Yahtzee("wild"),
        lambda: so.best(Boxes({"high"}), "score", least="score"),
        lambda: so.best(Boxes({"high"}), ["full"]),
        lambda: so.best(Boxes({"high"})).options("nowhere"),
        lambda: so.best(Boxes({"high"})).options((frozenset(), 0, ("shown", (1, 1), 1))),
    ],
)
def test_bad_input_is_one_line(call):
    with pytest.raises(SevenoutError) as error:
        call()
    assert len(str(error.value)) < 400
    assert "\n" not in str(error.value)


def test_keeps_are_multisets():
    assert len(list(keepable_sets((1, 1, 1, 1, 1)))) == 6
    assert len(list(keepable_sets((1, 2, 3, 4, 5)))) == 32
    assert len(list(keepable_sets((1, 1, 2), at_least=1))) == 5


def test_the_hand_that_a_turn_ends_in():
    turn = so.explore(KeepRoll(so.d6, 5))
    assert len(turn.outcomes) == 252
    assert len({s[1] for s in turn.states if s[0] == "shown"}) == 462
    straight = Hand.from_faces((2, 3, 4, 5, 5))
    assert (straight.longest_run, straight.group_sizes, straight.total) == (4, (2, 1, 1, 1), 19)


def test_one_yahtzee_box():
    """A yahtzee in three rolls: 347897/7558272 (by the hand-made chain of how many are alike)."""

    class OnlyYahtzee(Yahtzee):
        card = (frozenset({"yahtzee"}), False)

    assert so.best(OnlyYahtzee(), method="exact").value / 50 == Fraction(347897, 7558272)


def test_yahtzee():
    optimum = so.best(Yahtzee())
    assert optimum.state_count == 536_320
    assert (
        abs(optimum.value - Fraction("254.58960948196314421")) < optimum.bound < Fraction(1, 10**9)
    )


@pytest.mark.slow
def test_the_distribution_of_the_score_of_yahtzee():
    optimum = so.best(Yahtzee())
    law = optimum.law
    assert abs(law.mean - optimum.value) < law.bound * optimum.value + optimum.bound
    assert round(law.std, 2) == 59.61  # Verhoeff 1999
    assert abs(law.cdf(2_000) - 1) < law.bound < Fraction(1, 10**9)


def test_what_is_known_of_yahtzee_and_of_yatzy():
    for name in ("yahtzee", "yatzy"):
        assert games.entry(name).goal == {"most": "score"}
        assert games.entry(name).value.endswith("...")
    text = str(so.best(Boxes({"high", "pair"})))
    assert text.startswith("Best play")
    assert "score cards" in text


def test_the_first_choice_of_yahtzee():
    """The last box, and a hand to keep or to break: by hand, one die of five to roll twice."""

    class Last(Yahtzee):
        card = (frozenset({"yahtzee"}), False)

    optimum = so.best(Last(), method="exact")
    options = optimum.options((Last.card, 0, ("shown", (4, 4, 4, 4, 6), 2)))
    assert (options[0].name, options[0].value) == ("put back 6", 50 * Fraction(11, 36))
    kept = {option.name: option.value for option in options}
    assert kept["keep all"] == 0
    assert optimum.policy((Last.card, 0, ("shown", (4, 4, 4, 4, 4), 1))) == "keep all"


def test_optimal_play_on_the_board_has_the_solved_value():
    """A thousand games on the board; six standard errors, a false alarm in 5e8."""
    game = Boxes({"high", "pair", "low"}, faces=4, dice=2)
    optimum, random, scores = so.best(game, method="exact"), Random(8), []
    for _ in range(1_000):
        board = Position(game)
        while not board.settled:
            if board.options:
                board.choose(optimum.policy(board.state))
            else:
                board.throw(random)
        scores.append(float(dict(board.counts).get("score", 0)))
    assert abs(fmean(scores) - float(optimum.value)) < 6 * stdev(scores) / 1_000**0.5


class Roll(so.Game):
    """A turn of one roll, or of several; what it can be is said by the test."""

    start = 0

    def __init__(self, die, again=()):
        self.dice, self.again = die, again

    def step(self, state, face):
        return 0 if face in self.again else so.settle(f"{face}")


class Rounds(ByTurns):
    """So many turns, entered in a way that the test says."""

    def __init__(self, turn, rounds=2, **given):
        self.turn, self.card = turn, rounds
        self.reading = lambda seen: counted("any", score=int(seen.label))
        vars(self).update(given)

    def entries(self, card):
        return {"in": self.reading}

    def enter(self, card, entry, seen):
        return card - 1 if card > 1 else so.settle("over")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: so.best(Rounds(Roll(so.d6)), "scroe"), "no counter 'scroe'"),
        (lambda: so.best(Rounds(Roll(so.d6)), least="rolls"), "no counter 'rolls'"),
        (lambda: so.best(Rounds(Roll(so.d6, again=[6]))), "can return to an earlier state"),
        (
            lambda: so.best(
                Rounds(
                    Roll(so.d6),
                    tally=("half", 3),
                    reading=lambda seen: counted("any", score=1, half=Fraction(1, 2)),
                )
            ),
            "advances by Fraction(1, 2)",
        ),
        (
            lambda: so.best(Rounds(Roll(so.d6), enter=lambda card, entry, seen: None)),
            "entering 'in' on the card 2 returned None",
        ),
        (lambda: so.best(Rounds(Roll(so.d6), tally=("score", 10**9))), "a tally up to"),
        (
            lambda: so.best(
                Rounds(
                    Roll(so.Die(range(33_000))),
                    reading=lambda seen: counted(seen.label, score=int(seen.label)),
                )
            ),
            "sees more than 32,767 different endings",
        ),
        (lambda: so.best(Rounds(Roll(so.d6))).options((2, -1, so.settle("1"))), "never in state"),
        (lambda: so.best(Rounds(Roll(so.d6))).options((2, 0, so.settle("7"))), "never in state"),
    ],
)
def test_what_the_rules_of_turns_may_not_say(call, said):
    with pytest.raises(SevenoutError) as error:
        call()
    assert said in str(error.value)
    assert len(str(error.value)) < 400


def test_weights_beyond_64_bits():
    game = Rounds(Roll(so.Die([1, 2, 3], [1, 2**70, 3**40])))
    share = [Fraction(w, 1 + 2**70 + 3**40) for w in (1, 2**70, 3**40)]
    certified, mean = so.best(game), sum(face * p for face, p in zip((1, 2, 3), share, strict=True))
    assert abs(certified.value - 2 * mean) <= certified.bound
    assert so.best(game, method="exact").value == 2 * mean


def test_a_game_too_large_for_fractions_is_refused():
    with so.budget(seconds=60), pytest.raises(TooMuchWorkError, match="ask for the certified"):
        so.best(Yahtzee(), method="exact")


@settings(max_examples=60, derandomize=True, deadline=None)
@given(
    st.lists(st.integers(1, 2**62), min_size=2, max_size=3),
    st.lists(st.fractions(-(2**70), 2**70).filter(bool), min_size=3, max_size=3),
    st.booleans(),
)
def test_amounts_and_weights_of_any_size(weights, worths, most):
    """Two entries of opposite worth: whatever is rolled, one of them is the most, one the least."""
    faces = range(1, len(weights) + 1)

    def worth(seen):
        return worths[int(seen.label) - 1]

    class Either(Rounds):
        def entries(self, card):
            return {
                "for": lambda seen: counted("any", score=worth(seen)),
                "against": lambda seen: counted("any", score=-worth(seen)),
            }

    mean = sum(
        Fraction(w, sum(weights)) * abs(worths[face - 1])
        for face, w in zip(faces, weights, strict=True)
    )
    want = {"most": "score"} if most else {"least": "score"}
    game = Either(Roll(so.Die(faces, weights)), 3)
    assert so.best(game, **want, method="exact").value == (3 if most else -3) * mean
    certified = so.best(game, **want)
    assert abs(certified.value - (3 if most else -3) * mean) <= certified.bound


def test_too_many_cards_with_totals_are_refused_before_they_are_played():
    class Long(Boxes):
        tally = ("sum", 6_000)
        turn, card = KeepRoll(so.d6, 5), 300

        def __init__(self):
            pass

        def entries(self, card):
            return {"high": high}

        def enter(self, card, entry, seen):
            return card - 1 or so.settle("over")

    with (
        so.budget(seconds=1),
        pytest.raises(TooMuchWorkError, match=r"score cards .* turn of 1,554"),
    ):
        so.best(Long(), most="score")


@pytest.mark.parametrize(("wish", "tally"), [("most", 5), ("least", 2)])
def test_of_endings_with_the_least_pay_the_best_one_is_hoped_for(wish, tally):
    """Every ending pays 3 in the box, but only a 5 or a 6 brings the bonus."""
    optimum = so.best(Boxes({"flat", "pair"}, rolls=1), **{wish: "score"}, method="exact")
    pay_and_rest = {name: (pay, rest) for name, pay, rest in optimum.sacrifices()}
    assert pay_and_rest["flat"] == (3, optimum.to_come(frozenset({"pair"}), tally))


def test_each_ending_has_the_pay_of_each_entry():
    optimum = so.best(Boxes({"high", "pair"}, faces=2, rolls=1), most="score")
    pays = {ending.label: entries for ending, entries in optimum.first_pays().items()}
    assert sorted(pays.values(), key=lambda entries: entries["high"]) == [
        {"high": 2, "pair": 10},
        {"high": 3, "pair": 0},
        {"high": 4, "pair": 10},
    ]


def test_an_entry_may_see_as_many_endings_as_fit_its_classes(monkeypatch):
    """Classes are numbered from 0, so one more than the largest number."""
    game = Boxes({"high"}, faces=3, dice=2, rolls=1)  # it sees the totals 2 to 6
    monkeypatch.setattr(turn_values, "MAX_CLASSES", 4)
    assert so.best(game, most="score", method="exact").value == 4 + 5 * Fraction(3, 9)
    monkeypatch.setattr(turn_values, "MAX_CLASSES", 3)
    with pytest.raises(SevenoutError, match="an entry sees more than"):
        so.best(game, most="score")


def test_what_is_no_state_has_no_words():
    optimum = so.best(Boxes({"high"}, 3, 2, 2))
    for state in ("x", 5, (optimum.game.card, 99, None)):
        with pytest.raises(RulesError, match="the game is never in state"):
            optimum.state_in_words(state)
    with pytest.raises(RulesError, match="limit=-1"):
        optimum.mistakes(lambda card, state: "no option", limit=-1)


def test_a_policy_against_nobody_is_refused():
    with pytest.raises(RulesError, match="the game has one player; leave against out"):
        so.best(Boxes({"high"}, 3, 2, 2), against=lambda state: "high")
