"""Best play that is looked up in a file, beside best play that is worked out."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import sevenout as so
from sevenout.errors import RulesError
from sevenout.rolling import d6
from sevenout.rules import ByTurns, Hand, KeepRoll, counted, settle
from sevenout.solving.goal import goal_of_turns
from sevenout.solving.turn_table import TurnTable, table_bytes

BOXES = {"pair": lambda hand: 5 * (hand.group_sizes == (2,)), "sum": lambda hand: sum(hand.faces)}


class Small(ByTurns):
    """Two boxes, a bonus of 7 for a sum of 9 or more."""

    turn, card, tally = KeepRoll(d6, 2, rolls_allowed=2), frozenset(BOXES), ("sum", 9)

    def entries(self, card: Any) -> Any:
        def reading(box: str) -> Any:
            def read(hand: Hand) -> Any:
                scored = BOXES[box](hand)
                return counted("any", score=scored, **({"sum": scored} if box == "sum" else {}))

            return read

        return {box: READINGS.setdefault(box, reading(box)) for box in BOXES if box in card}

    def enter(self, card: Any, entry: str, seen: Any) -> Any:
        return card - {entry} or settle("over")

    def final_counts(self, total: int) -> dict[str, int]:
        return {"score": 7} if total >= 9 else {}


READINGS: dict[str, Any] = {}


@pytest.fixture(scope="module", params=["most", "least"])
def both(request: pytest.FixtureRequest) -> tuple[Any, TurnTable]:
    """The same game, worked out and looked up."""
    game = Small()
    best = so.best(game, **{request.param: "score"})
    content = table_bytes(best, {Fraction(3): 0.25, Fraction(7): 0.75}, "games played best")
    return best, TurnTable(game, goal_of_turns(game, **{request.param: "score"}), content)


def test_options_and_their_costs_are_the_same(both: tuple[Any, TurnTable]) -> None:
    best, table = both
    for card, tally in ((Small.card, 0), (frozenset({"pair"}), 9), (frozenset({"pair"}), 4)):
        states = [
            (card, tally, s)
            for s in (*table.turn.node_by_key, *table.turn.outcomes)
            if len(getattr(s, "faces", s[1] if isinstance(s, tuple) else (0, 0))) == 2
        ]
        assert len(states) > 40
        for state in states:
            worked, looked = best.combined_options(state), table.combined_options(state)
            assert {o.name for o in worked} == {o.name for o in looked}
            values = {o.name: o.value for o in worked}
            for option in looked:
                assert abs(option.value - values[option.name]) < table.bound
                cost = best.cost(state, option.name)
                assert abs(table.cost(state, option.name) - cost) < 2 * table.bound


def test_scores_come_along(both: tuple[Any, TurnTable]) -> None:
    assert both[1].scores == {3: 0.25, 7: 0.75}
    assert both[1].source == "games played best"


def test_what_is_not_there_is_refused(both: tuple[Any, TurnTable]) -> None:
    _, table = both
    state = (Small.card, 0, next(iter(table.turn.outcomes)))
    with pytest.raises(RulesError, match="'all' is not an option here; the options are: "):
        table.cost(state, "all")
    for card, tally in (*product((Small.card, "none"), (1,)), (Small.card, -1), (Small.card, None)):
        with pytest.raises(RulesError, match="the game is never in state"):
            table.to_come(card, tally)


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ((0, "x"), "state 'x' is not a decision state"),
        ((0, None), "state None is not a decision state"),
        ((0,), "is never in state .* give \\(card, tally, state of the turn\\)"),
    ],
)
def test_a_state_without_options_is_refused(
    both: tuple[Any, TurnTable], rest: tuple[Any, ...], message: str
) -> None:
    for answer in both:
        with pytest.raises(RulesError, match=message):
            answer.combined_options((Small.card, *rest))
