"""Decisions: what an option leads to, and what a policy makes of them."""

from array import array
from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any

import pytest

import sevenout as so
from sevenout.errors import RulesError
from sevenout.model.model import fix_policies, under_mixtures
from sevenout.rules import Outcome
from sevenout.rules.position import Position


class Shop(so.Game):
    """Buy or leave; if bought, choose the sword (wins on 3 or more) or the shield (5 or more)."""

    dice, start = so.d6, "shop"

    def choices(self, state: Any) -> Mapping[str, Any]:
        if state == "shop":
            return {"buy": "bought", "leave": "bare"}
        return {"sword": "sword", "shield": "shield"} if state == "bought" else {}

    def step(self, state: Any, roll: Any) -> Outcome:
        least = {"sword": 3, "shield": 5, "bare": 4}.get(state, 6)
        return so.win("won") if roll >= least else so.lose("lost")


class Coin(so.Game):
    """Bet on a coin's side, or pass; the player isn't named."""

    dice, start = so.Die(["heads", "tails"]), "guess"

    def choices(self, state: Any) -> Mapping[str, Any]:
        if state != "guess":
            return {}
        return {"heads": "heads", "tails": "tails", "pass": so.settle("passed", {"pass": 0})}

    def step(self, state: Any, roll: Any) -> Outcome:
        return so.win() if roll == state else so.lose()


def test_an_option_that_leads_to_another_decision_is_asked() -> None:
    # The sword wins 4 in 6, so the even bet returns 4/6 - 2/6.
    play = so.best(Shop())
    assert play.value == Fraction(1, 3)
    assert play.policy == {"shop": "buy", "bought": "sword"}
    assert so.solve(play.chain).p("won") == Fraction(2, 3)


def test_a_position_asks_there_too() -> None:
    position = Position(Shop())
    position.choose("buy")
    assert position.options == ("sword", "shield")
    position.choose("sword")
    assert position.options == ()
    settled = position.roll(3)
    assert settled is not None
    assert settled.label == "won"


def test_an_option_of_the_same_state_is_rolled() -> None:
    pig = Position(so.games("pig-turn"))
    pig.roll(4)
    pig.choose("roll")
    assert pig.options == ()


def test_choices_in_every_state_never_come_to_a_roll() -> None:
    class Always(Shop):
        def choices(self, state: Any) -> Mapping[str, Any]:
            return {"buy": ("bought", state), "leave": ("bare", state)}

    with pytest.raises(
        RulesError,
        match=r"the dice have not been rolled; let `choices` return \{\}",
    ):
        so.explore(Always())


@pytest.mark.parametrize("asks", [True, False])
def test_the_same_choices_again_are_refused(asks: bool) -> None:
    class Loop(Shop):
        def choices(self, state: Any) -> Mapping[str, Any]:
            back = so.choose_again("shop") if asks else "bought"
            return {"back": back} if state == "shop" else {"back": "shop"}

    with pytest.raises(so.SevenoutError, match="the game never ends"):
        so.explore(Loop())


@pytest.mark.parametrize(
    ("policy", "mean"),
    [
        ("pass", Fraction(0)),
        ({"tails": Fraction(1, 4), "pass": Fraction(3, 4)}, Fraction(0)),
        ({"tails": Fraction(1)}, Fraction(0)),
    ],
)
def test_a_mixture_is_asked_for_where_no_player_is_named(policy: Any, mean: Fraction) -> None:
    chain = under_mixtures(so.explore(Coin()), {"guess": policy})
    solution = so.solve(chain)
    passes = policy.get("pass", Fraction(0)) if isinstance(policy, dict) else Fraction(1)
    assert solution.labels.get("passed", 0) == passes
    assert solution.bet("pass").mean == mean


def test_a_mixture_without_an_entry_is_refused() -> None:
    with pytest.raises(RulesError, match="no option in state 'guess'"):
        under_mixtures(so.explore(Coin()), {})


@pytest.mark.parametrize(
    ("mixture", "message"),
    [
        (
            {"heads": Fraction(3, 2), "tails": Fraction(-1, 2)},
            "heads 3/2, tails -1/2 {}, and a probability is below 0; give",
        ),
        (
            {"heads": Fraction(1, 3), "tails": Fraction(1, 3)},
            "heads 1/3, tails 1/3 {}, which don't add up to 1; give each of",
        ),
        (
            {},
            "returned no probabilities {}, which don't add up to 1; give each of heads",
        ),
        ({"edge": Fraction(1)}, "edge 1 {}, and not all of these are options; give each of heads"),
    ],
)
def test_a_mixture_is_refused_if_it_is_no_distribution_of_the_options(
    mixture: Any, message: str
) -> None:
    with pytest.raises(RulesError) as error:
        under_mixtures(so.explore(Coin()), {"guess": mixture})
    assert message.format("in state 'guess'") in str(error.value)


def test_a_policy_is_called_once_for_a_choice_that_is_not_mixed() -> None:
    choices = iter(["pass", "heads"])
    chain = under_mixtures(so.explore(Coin()), lambda state: next(choices))
    assert so.solve(chain).labels == {"passed": 1}
    assert next(choices) == "heads"


def test_the_decision_states_of_an_error_are_told_apart() -> None:
    """A state with several parts has commas in its name; "..." stands for further states only."""
    model = so.explore(Duel())
    listed = "first, ; second, heads; second, tails"
    with pytest.raises(RulesError, match=f"the decision states include: {listed}$"):
        model.options("rolled")


class Duel(so.Game):
    """Both call a side of one coin, the first player first; the first one's call is settled."""

    dice, start = so.Die(["heads", "tails"]), ("first", "")

    def choices(self, state: Any) -> Mapping[str, Any]:
        player, called = state
        after = {"first": "second", "second": "rolled"}.get(player)
        return {side: (after, called + side) for side in ("heads", "tails")} if after else {}

    def chooser(self, state: Any) -> str:
        return str(state[0])

    def step(self, state: Any, roll: Any) -> Outcome:
        return so.win() if state[1].startswith(roll) else so.lose()


def test_each_player_follows_a_mixture_of_their_own() -> None:
    heads, tails = ({side: Fraction(1)} for side in ("heads", "tails"))
    chain = under_mixtures(so.explore(Duel()), lambda _: heads, lambda _: tails)
    assert [state for state in chain.states if state[0] == "rolled"] == [("rolled", "headstails")]


def test_a_policy_is_asked_for_what_the_player_sees() -> None:
    class HiddenDuel(Duel, so.HiddenGame):
        def sees(self, state: Any, player: str) -> Any:
            return f"{player}: {state[0] if player == 'second' else state}"

    model = so.explore(HiddenDuel())
    first, second = "first: ('first', '')", "second: second"
    assert set(model.node_by_key) == {("first", first), ("second", second)}
    assert list(model.views.values()) == [first, second, second]


class Again(so.Game):
    """Roll until a 1 or a 6; the player may leave before each roll."""

    dice, start = so.d6, "on"
    coordinates = ("the game is",)

    def choices(self, state: Any) -> Mapping[str, Any]:
        return {"roll": state, "leave": so.settle("left", {"pass": 0})}

    def step(self, state: Any, roll: Any) -> Any:
        return {1: so.lose(), 6: so.win()}.get(roll, "on")


def test_a_start_to_which_the_play_returns_is_one_state_of_the_chain() -> None:
    chain = so.explore(Again()).under({"on": "roll"})
    assert chain.states == ("on",)
    assert so.solve(chain).mean_rolls == 3


def test_a_game_that_is_left_before_the_first_roll_has_that_one_outcome() -> None:
    chain = so.explore(Again()).under({"on": "leave"})
    solution = so.solve(chain)
    assert (solution.labels, solution.mean_rolls) == ({"left": 1}, 0)
    assert list(chain.rollables[0].law) == ["left"]


def test_the_chain_of_a_policy_names_the_parts_of_a_state_as_the_rules_do() -> None:
    assert so.explore(Again()).under({"on": "roll"}).coordinates == ("the game is",)


class Standoff(so.Game):
    """Each player in turn waits or rolls; a roll of 6 wins for the roller, any other passes on."""

    dice, bets, counters = so.d6, ("left", "right"), ("ties",)
    start = ("left", "asked")

    def chooser(self, state: Any) -> str:
        return state[0]

    def choices(self, state: Any) -> Mapping[str, Any]:
        player, phase = state
        other = "right" if player == "left" else "left"
        return {"roll": (player, "rolls"), "wait": (other, "asked")} if phase == "asked" else {}

    def step(self, state: Any, roll: Any) -> Any:
        player, _ = state
        other = "right" if player == "left" else "left"
        if roll < 6:
            return (other, "asked")
        return so.settle(f"{player} wins", {player: 1, other: -1})


def always(option: str) -> Any:
    return lambda state: option


def first_waits(state: Any) -> str:
    return "wait" if state[0] == "left" else "roll"


def test_without_a_second_policy_all_players_follow_the_first() -> None:
    model = so.explore(Standoff())
    roll = always("roll")
    assert model.under(roll) == model.under(roll, roll)
    assert so.solve(model.under(roll)).p("left wins") == Fraction(6, 11)


def test_a_fixed_policy_is_followed_by_the_chain_of_the_other_player() -> None:
    model = so.explore(Standoff())
    fixed = fix_policies(model, {"left": always("wait")})
    assert fixed.players == ("right",)
    assert fixed.under(always("roll")) == model.under(first_waits)
    assert so.solve(fixed.under(always("roll"))).p("right wins") == 1


def test_the_chooser_may_be_a_plain_function() -> None:
    class Plain(Standoff):
        def __init__(self) -> None:
            self.chooser = lambda state: str(state[0]).upper()  # type: ignore[method-assign]

    assert so.explore(Plain()).players == ("LEFT", "RIGHT")


def test_a_chooser_is_a_string_or_none_where_nobody_is_named() -> None:
    class Named(so.Game):
        dice, start = so.d6, "choice"

        def __init__(self, player: Any) -> None:
            self.player = player

        def chooser(self, state: Any) -> Any:
            return self.player

        def choices(self, state: Any) -> Mapping[str, Any]:
            return {"roll": "roll", "stop": so.win()} if state == "choice" else {}

        def step(self, state: Any, roll: Any) -> Any:
            return so.win()

    assert so.explore(Named("left")).choosers == {0: "left"}
    assert so.explore(Named(None)).choosers == {}
    with pytest.raises(RulesError, match="is 7; name the player with a string"):
        so.explore(Named(7))


def test_a_policy_that_ends_the_game_leaves_no_traps() -> None:
    model = so.explore(Standoff())
    assert model.traps  # both may wait for ever
    assert not fix_policies(model, {"left": always("roll")}).traps
    assert fix_policies(model, {"left": always("wait")}).traps


def test_a_fixed_policy_keeps_the_names_of_counters_that_never_advance() -> None:
    model = so.explore(Standoff())
    assert model.counters == ("rolls", "ties")
    assert fix_policies(model, {"left": always("roll")}).counters == model.counters


def shown(profit: int) -> Outcome:
    return so.settle("shown", {"first": profit, "second": -profit}, stake=2)


class Poker(so.HiddenGame):
    """The first player sees a coin, and bets or folds; the second calls the bet or folds."""

    dice, start = so.Die(["low", "high"]), ("deal",)
    coordinates, goal, counters = ("stage", "coin"), "first", ("bets", "raises")
    outcomes = (*map(shown, (-1, -2, 1, 2)), so.settle("tied", {"first": 0, "second": 0}, stake=2))

    def chooser(self, state: Any) -> str:
        return "first" if state[0] == "dealt" else "second"

    def sees(self, state: Any, player: str) -> Any:
        return state[1] if player == "first" else "a bet"

    def choices(self, state: Any) -> Mapping[str, Any]:
        stage, *coin = state
        if stage == "deal":
            return {}
        if stage == "dealt":
            return {"bet": so.counted(("bet", *coin), bets=1), "fold": shown(-1)}
        return {"call": shown(2 if coin == ["high"] else -2), "fold": shown(1)}

    def step(self, state: Any, roll: Any) -> Any:
        return ("dealt", roll)


def test_a_model_says_everything_that_the_rules_do() -> None:
    model = so.explore(Poker())
    moves = [0, 2, 4, 6, 8, 10]
    assert {field.name: getattr(model, field.name) for field in fields(model)} == {
        "states": (
            *(("deal",), ("dealt", "low"), ("dealt", "high")),
            *(("bet", "low"), ("bet", "high")),
        ),
        "outcomes": tuple(map(shown, (-1, -2, 1, 2))),
        "rollables": (Poker.dice,),
        "rollable_index": array("i", [0, -1, -1, -1, -1]),
        "first_move": array("q", moves),
        "targets": array("i", [1, 2, 3, 5, 4, 5, 6, 7, 8, 7]),
        "tag_index": array("i", [0, 0, 1, 0, 1, 0, 0, 0, 0, 0]),
        "tags": ((), (("bets", 1),)),
        "stakes": {"first": 2, "second": 2},
        "declared_counters": ("bets", "raises"),
        "listed_labels": ("shown", "tied"),
        "passing": (False, False),
        "menus": [(), *[("bet", "fold")] * 2, *[("call", "fold")] * 2],
        "choosers": {1: "first", 2: "first", 3: "second", 4: "second"},
        "traps": frozenset(),
        "coordinates": ("stage", "coin"),
        "goal": so.most("first"),
        "views": {1: "low", 2: "high", 3: "a bet", 4: "a bet"},
    }


@pytest.mark.parametrize("game", [Poker(), Standoff()])
def test_a_model_in_which_no_policy_is_fixed_is_the_same(game: so.Game) -> None:
    model = so.explore(game)
    same = fix_policies(model, {})
    for field in fields(model):
        value, original = getattr(same, field.name), getattr(model, field.name)
        assert value == (list(original) if field.name == "states" else original), field.name


def test_policies_of_hidden_games_are_chains_with_the_names_of_the_rules() -> None:
    model = so.explore(Poker())
    policy = {("first", "low"): "fold", ("first", "high"): "bet", ("second", "a bet"): "call"}
    chain = model.under(policy)
    assert chain.states == (("deal",), ("dealt", "low"), ("dealt", "high"), ("bet", "high"))
    assert chain.counters == ("rolls", "bets", "raises")
    assert chain.listed_labels == ("shown", "tied")
    assert chain.stakes == model.stakes
    solution = so.solve(chain)
    assert solution.bet("first").mean == Fraction(2 - 1, 2) / 2  # of a stake of 2
    assert solution.mean("bets") == Fraction(1, 2)


def test_a_state_with_a_choice_before_its_roll_is_two_states_under_a_mixture() -> None:
    even = {"roll": Fraction(1, 2), "leave": Fraction(1, 2)}
    assert under_mixtures(so.explore(Again()), {"on": even}).states == ("on", ("rolled", "on"))


def test_what_a_decision_counts_before_the_first_roll_is_added_to_its_moves_alone() -> None:
    class Toll(so.Game):
        """A toll is paid before the first roll; even rolls pay 2 back, and a 6 wins."""

        dice, start = so.d6, "gate"

        def choices(self, state: Any) -> Mapping[str, Any]:
            return {"pay": so.counted("road", paid=1)} if state == "gate" else {}

        def step(self, state: Any, roll: int) -> Any:
            return so.counted(so.win() if roll == 6 else state, back=2) if roll % 2 == 0 else state

    chain = so.explore(Toll()).under({"gate": "pay"})
    first, later = [[(weight, counts) for weight, _, counts in row] for row in chain.rows]
    assert later == [(3, ()), (2, (("back", 2),)), (1, (("back", 2),))]
    assert first == [(weight, (*counts, ("paid", 1))) for weight, counts in later]


def test_of_two_bets_one_must_be_named() -> None:
    model = so.explore(Standoff())
    with pytest.raises(RulesError, match="several bets; name one: left, right"):
        model.bet_named(None)
    assert model.bet_named("right") == "right"


def test_a_policy_against_nobody_is_refused() -> None:
    with pytest.raises(RulesError, match="the game has one player; leave against out"):
        so.explore(Coin()).under({"guess": "heads"}, {"guess": "tails"})
