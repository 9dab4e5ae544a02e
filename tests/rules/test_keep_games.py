"""The score card of a game of turns: each box has its own points, and bonuses have their rows."""

from random import Random

import pytest

import sevenout as so
from sevenout.catalogue.dice_keeping import LOWER, UPPER, Yahtzee, Yatzy
from sevenout.errors import RulesError
from sevenout.rules import ByTurns, Hand, KeepRoll, Outcome
from sevenout.rules.keep_games import KeepScore, ScoreCard
from sevenout.rules.outcome import unwrap
from sevenout.rules.position import Position

GAMES = [Yahtzee(), Yahtzee("forced"), Yahtzee("plain"), Yatzy()]


def filled(game: ByTurns, turns: list[tuple[str, str]]) -> Position:
    """A game in which each hand is kept at once and entered in a box."""
    position = Position(game)
    for dice, box in turns:
        for face in dice:
            position.roll(int(face))
        position.choose("keep all")
        position.choose(box)
    return position


THREES = [(str(face) * 3 + ("12" if face > 2 else "65"), box) for box, face in UPPER.items()]
"""Three of each face: 63 in the upper section."""


def rows(position: Position) -> dict[str, object]:
    return {row.name: row.amount for row in ScoreCard.from_position(position).rows}


def test_the_upper_bonus_is_in_no_box() -> None:
    others = [("12346", box) for box in LOWER if box != "yahtzee"]
    card = rows(filled(Yahtzee(), [*THREES, *others, ("12346", "yahtzee")]))
    assert card["yahtzee"] == 0
    assert (card["upper total"], card["upper bonus"], card["yahtzee bonus"]) == (63, 35, 0)
    assert card["score"] == 63 + 35 + 30 + 16
    assert list(card)[5:9] == ["sixes", "upper total", "upper bonus", "three of a kind"]


def test_a_second_yahtzee_brings_a_bonus_beside_its_box() -> None:
    card = rows(filled(Yahtzee(), [("66666", "yahtzee"), ("55555", "fives"), ("44444", "sixes")]))
    assert (card["yahtzee"], card["fives"], card["sixes"]) == (50, 25, 0)
    assert (card["yahtzee bonus"], card["score"]) == (200, 275)
    assert card["upper bonus"] is None, "the game is not over"


def test_yatzy_pays_fifty() -> None:
    others = [("12346", box) for box in Yatzy().entries(Yatzy.card) if box not in UPPER]
    card = rows(filled(Yatzy(), [*THREES, *others]))
    assert (card["upper bonus"], card["score"]) == (50, 63 + 50 + 16)
    assert "yahtzee bonus" not in card


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_card_adds_up(game: ByTurns) -> None:
    random = Random(7)
    for _ in range(30):
        position = Position(game)
        while not position.settled:
            if not position.options:
                position.throw(random)
            elif isinstance(position.state[2], Outcome):
                position.choose(random.choice(position.options))
            else:
                first, *others = position.options  # "keep all" or "roll"
                position.choose(random.choice([first, first, *others]))
        *parts, (_, total, _) = ScoreCard.from_position(position).rows
        sums = [row for row in parts if row.name != "upper total"]
        assert sum(row.amount for row in sums) == total == dict(position.counts).get("score", 0)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_boxes_above_the_tally_are_those_that_count_for_it(game: ByTurns) -> None:
    hands = [hand for hand in so.explore(game.turn).outcomes if isinstance(hand, Hand)]
    found = tuple(
        box
        for box, read in game.entries(game.card).items()
        if any("upper" in dict(unwrap(read(hand))[1]) for hand in hands)
    )
    assert game.tally_entries == found == tuple(UPPER)


def test_a_card_without_a_tally() -> None:
    class Plain(ByTurns):
        """Two dice, entered twice."""

        turn = KeepRoll(so.d6, 2, rolls_allowed=1)
        card = 2

        def entries(self, card):
            return {"dice": lambda hand: so.counted("any", points=hand.total)}

        def enter(self, card, entry, seen):
            return card - 1 or so.settle("over")

    position = Position(Plain())
    for face in (1, 2, 3, 4):
        position.roll(face)
        if position.options:
            position.choose("dice")
    assert [tuple(row[:2]) for row in ScoreCard.from_position(position, "points").rows] == [
        ("dice", 10),
        ("points", 10),
    ]


def test_a_run_may_be_longer_than_any_dice_of_the_catalogue() -> None:
    assert Hand.from_faces(tuple(range(1, 151))).longest_run == 150


@pytest.mark.parametrize("all_or_none", [False, True])
@pytest.mark.parametrize("in_order", [False, True])
def test_the_outcome_is_named_after_all_the_points(in_order: bool, all_or_none: bool) -> None:
    game = KeepScore(so.d6, 3, 1, 3, (6,), in_order, all_or_none)
    model = so.explore(game)
    answer = so.solve(model.under(lambda state: min(game.choices(state))))
    by_label = {o.label: answer.p(o.label) for o in answer.outcomes if o.label != "no score"}
    assert by_label == {n: p for n in by_label if (p := answer.distribution("points").pmf(int(n)))}
    assert min(map(int, by_label)) >= 2


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"needed": (6, 6)}, r"needed=\(6, 6\); name each face once"),
        ({"keep_at_least": 7}, "keep_at_least=7 of 5 dice; give 0 to 5"),
        ({"limit": 0}, "limit=0; allow 1 roll or more"),
        ({"count": 2.5}, "count=2.5; give 1 die or more"),
        (
            {"keep_at_least": 3, "all_or_none": True, "limit": 3},
            "keep_at_least=3 of 5 dice, which are kept all or none; give 0 to 1",
        ),
    ],
)
def test_a_game_of_kept_dice_that_contradicts_itself(
    fields: dict[str, object], message: str
) -> None:
    with pytest.raises(RulesError, match=message):
        KeepScore(**({"die": so.d6, "count": 5} | fields))  # type: ignore[arg-type]


def test_a_card_counts_what_its_entries_count() -> None:
    position = filled(Yahtzee(), [("66612", "sixes")])
    with pytest.raises(RulesError, match="no entry so far counts 'scoer'; they count score, upper"):
        ScoreCard.from_position(position, "scoer")
    with pytest.raises(RulesError, match="only a game of turns has a score card"):
        ScoreCard.from_position(Position(so.games["craps"]))


@pytest.mark.parametrize("number", [True, 5.0, 0])
def test_a_turn_rolls_whole_numbers_of_dice(number: object) -> None:
    for wrong in ({"count": number}, {"count": 5, "rolls_allowed": number}):
        with pytest.raises(RulesError, match="give a whole number, 1 or more"):
            KeepRoll(so.d6, **wrong)  # type: ignore[arg-type]
