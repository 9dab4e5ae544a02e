"""Games of turns at the table: dice that are kept, a score card, a coach; and many games."""

import re
from collections.abc import Iterator
from fractions import Fraction
from html import unescape
from io import StringIO
from urllib.parse import quote, unquote

import pytest

import sevenout as so
from sevenout.catalogue.dice_keeping import Yahtzee
from sevenout.cli import main
from sevenout.documents.numbers import decimal, percent
from sevenout.errors import TooMuchWorkError
from sevenout.lab import address, by_hand, coach_tables
from sevenout.lab.by_hand import TurnSession
from sevenout.lab.host import lane_of
from sevenout.rules import Outcome
from tests.lab.test_copies import copied, page

URL = "/table?game=yahtzee&seed=4"


@pytest.fixture(scope="module", autouse=True)
def short() -> Iterator[None]:
    """Yahtzee with two boxes: a game of moments."""
    caches = (address.game_subject, address.optimum, by_hand.cached_turns)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Yahtzee, "card", (frozenset({"sixes", "chance"}), False))
        patch.setattr(coach_tables, "final_scores", dict)  # those of the whole card
        for cache in caches:
            cache.cache_clear()
        yield
    for cache in caches:
        cache.cache_clear()


def greedy() -> list[str]:
    """A game: keep what is 5 or 6, and fill the box that pays most."""
    did: list[str] = []
    while not (game := TurnSession("yahtzee", 4, tuple(did))).position.settled:
        if isinstance(game.position.state[2], Outcome):
            did.append(max(game.position.options, key=game.box_points))
        else:
            kept = [str(face) for face in game.dice if face > 4]
            did.append(f"keep {' '.join(kept) or 'none'}")
    return did


def test_a_game_is_the_game_of_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    did = greedy()
    played = TurnSession("yahtzee", 4, tuple(did))
    shown, (_, python, command) = copied(f"{URL}&did={quote('|'.join(did))}")
    assert f"The game is over: {played.score}." in shown
    exec(compile(python, "copied", "exec"), {})
    assert capsys.readouterr().out.endswith(f"{played.score} score\n")
    assert command.startswith("printf '%s\\n' '' 'keep ")
    assert command.endswith("sevenout play yahtzee --seed=4")
    monkeypatch.setattr("sys.stdin", StringIO("\n".join(played.typed_moves) + "\n"))
    assert main(["play", "yahtzee", "--seed=4"]) == 0
    said = capsys.readouterr().out
    assert f"{played.score} score" in said
    assert "unfinished" not in said


def test_the_coach_knows_what_each_choice_costs() -> None:
    best = so.best(Yahtzee(), most="score")
    did = greedy()
    played = TurnSession("yahtzee", 4, tuple(did))
    costs = []
    for choice in played.choices:
        cost = next(o.cost for o in best.combined_options(choice.state) if o.name == choice.move)
        costs.append(cost if cost > 2 * best.bound_at(choice.state) else Fraction(0))
    assert sum(costs)
    shown, _ = copied(f"{URL}&did={quote('|'.join(did))}")
    assert f"Your choices have cost {decimal(sum(costs), 2)} points" in shown
    assert [c.move for c in TurnSession("yahtzee", 4, ("keep 6 4",)).choices] == ["keep 4 6"]
    first = TurnSession("yahtzee", 4, ()).position.state
    shown, _ = copied(URL)
    for option in best.combined_options(first)[:3]:
        assert f"{option.name} {decimal(option.value, 3)}" in shown


def test_dice_are_kept_by_a_click_and_boxes_filled() -> None:
    dice = TurnSession("yahtzee", 4, ()).dice
    text = page(f"{URL}&held=0.2").body.decode()
    assert text.count("kept; put it back") == 2
    assert (
        f"did=keep%20{dice[0]}%20{dice[2]}&amp;" in text
        or f'did=keep%20{dice[0]}%20{dice[2]}"' in text
    )
    assert f"Keep {dice[0]} {dice[2]}, roll 3" in text
    whole = quote("keep " + " ".join(map(str, dice)))
    assert f'aria-label="chance: {sum(dice)}"' in page(f"{URL}&did={whole}").body.decode()


MAIN = re.compile(r'<a class="button main" href="([^"]*)" data-space>(.*?)</a>')


def test_the_white_button_is_never_a_mistake_and_the_end_says_how_good_it_was() -> None:
    best = so.best(Yahtzee(), most="score")
    url = f"{URL}&held=0.1.2.3.4"
    for _ in range(9):
        text = page(url).body.decode()
        found = MAIN.findall(text)
        if "The game is over" in text:
            break
        assert len(found) == 1
        url = unescape(found[0][0])
    assert "The game is over" in text
    assert found == [], "nothing is left to do"
    assert "Every choice was the best" in text
    did = unquote(url.partition("did=")[2]).split("|")
    score = TurnSession("yahtzee", 4, tuple(did)).score
    less = sum((p for points, p in best.law.probabilities.items() if points < score), Fraction(0))
    assert f"Better than {percent(less, 1)} of games played best" in text


def test_where_the_distribution_is_too_large_games_are_simulated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def large(play: object) -> None:
        raise TooMuchWorkError("too large")

    monkeypatch.setattr("sevenout.solving.turn_optimum.TurnOptimum.law", property(large))
    did = greedy()
    text = page(f"{URL}&did={quote('|'.join(did))}").body.decode()
    seen = so.best(Yahtzee(), most="score").best.simulate(20_000, seed=1)
    score = TurnSession("yahtzee", 4, tuple(did)).score
    less = sum((p for points, p in seen.probabilities.items() if points < score), Fraction(0))
    assert f"Better than {percent(less, 1)} of 20,000 simulated games played best" in text


def test_the_best_move_is_marked_on_the_dice() -> None:
    game = TurnSession("yahtzee", 4, ())
    best = so.best(Yahtzee(), most="score").combined_options(game.position.state)[0].name
    text = page(URL).body.decode()
    marked = re.findall(r'<a class="[^"]*best" href="[^"]*" aria-label="(\d): keep it', text)
    assert f"keep {' '.join(marked) or 'none'}" == best
    assert text.count("the best move keeps it") == len(marked)
    other = page(f"{URL}&held={'none' if marked else '0'}").body.decode()
    assert len(MAIN.findall(other)) == 1
    assert "costs" in other.partition('id="coach"')[0]


def test_a_coach_that_is_hidden_says_nothing_before_the_end() -> None:
    text = page(f"{URL}&coach=off").body.decode()
    assert "the best move keeps it" not in text
    assert "costs" not in text.partition('id="card"')[0]
    assert "Ask the coach" in text
    assert "coach=off" in MAIN.findall(text)[0][0]
    assert page(f"{URL}&coach=loud").status == 400


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("did=keep 9", "keeps dice that were not rolled"),
        ("did=sixes", "is not an option here"),
        ("did=bananas", "is not an option here"),
        ("did=put back 1", "the options are: keep none"),
        ("held=x", "write the places of dice"),
        ("held=5", "write the places of dice"),
        ("held=0.", "write the places of dice"),
    ],
)
def test_what_can_not_be_done_is_said(more: str, said: str) -> None:
    answer = page(f"{URL}&{more}")
    assert answer.status == 400
    assert said in answer.body.decode()


def moved_to(url: str) -> str:
    """Where an address leads."""
    return page(url).location


def test_many_games_are_those_of_the_library() -> None:
    seen = so.best(Yahtzee(), most="score").simulate(500, 7)
    shown, (_, python, command) = copied(moved_to("/simulate?game=yahtzee&games=500&seed=7"))
    assert decimal(seen.mean, 3) in shown
    assert "games=500, seed=7)" in python
    assert command == "sevenout simulate yahtzee --policy=best --games=500 --seed=7"
    greedily = so.best(Yahtzee(), most="score").under("greedy")
    shown, (_, python, command) = copied(
        moved_to("/simulate?game=yahtzee&games=500&seed=7&policy=greedy")
    )
    assert decimal(greedily.simulate(500, 7).mean, 3) in shown
    assert "policy='greedy', games=500, seed=7)" in python
    assert command == "sevenout simulate yahtzee --policy=greedy --games=500 --seed=7"
    refused = page(moved_to("/simulate?game=yahtzee&policy=hold-20")).body.decode()
    assert "hold-20" in refused.partition('role="alert"')[2]
    assert lane_of("/table?game=yahtzee") == "slow"
