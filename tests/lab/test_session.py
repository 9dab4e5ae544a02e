"""The table's past is a function of its seed; long runs in pieces are the run in one."""

import re

import pytest

from sevenout.catalogue import games
from sevenout.errors import NotationError
from sevenout.lab.address import Address, with_acts, without_last_act
from sevenout.lab.by_hand import Session, TurnSession, central_interval
from sevenout.lab.pages.simulate_page import (
    PathPoint,
    RunCounts,
    RunKey,
    _checksum,
    counts_of_tally,
    pack_counts,
    rows_of,
    simulated_counts,
    unpack_counts,
)
from sevenout.lab.site import page
from sevenout.simulation import simulate
from sevenout.simulation.replay import recount, replay_batch
from sevenout.solving import solve

CRAPS = "2,3,12/7,11/7"


def test_the_same_seed_rolls_the_same_dice() -> None:
    one, other = Session(games["craps"], 7, ["roll*60"]), Session(games["craps"], 7, ["roll*20"])
    assert one.rolls[:20] == other.rolls
    assert Session(games["craps"], 8, ["roll*20"]).rolls != other.rolls


def test_chips_count_from_the_game_in_which_they_are_put() -> None:
    acts = ["pass=5", "roll*7", "pass=0", "roll*5", "pass=25", "roll*30"]
    played = Session(games["craps"], 1, acts, {"pass": 1})
    chips = played.stakes("pass")
    assert sorted(set(chips)) == [0, 5, 25]
    assert chips == sorted(chips, key=[5, 0, 25].index)
    profits = [outcome.profit("pass") for outcome, _ in played.finished_games]
    assert played.nets("pass")[-1] == sum(p * c for p, c in zip(profits, chips, strict=True))


def test_rolls_stop_where_the_player_must_choose_and_are_undone_one_by_one() -> None:
    played = Session(games["pig-turn"], 1, ["roll*10", "roll", "roll*1"])
    assert played.acts == ["roll*1", "roll", "roll*1"]
    assert played.typed_moves == ["", "roll", ""]
    here = with_acts(Address("/table", {}), "roll*2", "pass=5")
    steps = [here.get("did")]
    while here.get("did"):
        here = without_last_act(here)
        steps.append(here.get("did"))
    assert steps == ["roll*2|pass=5", "roll*2", "roll*1", ""]


def test_a_game_without_turns_is_refused() -> None:
    with pytest.raises(NotationError, match="Craps is no game of turns"):
        TurnSession("craps", 1, ())


def test_the_band_is_the_exact_one() -> None:
    low, high = central_interval(CRAPS, "pass", 10)
    total = solve(games["craps"]).bet().profit
    assert -10 <= low < high <= 10
    assert total.mean * 10 > low


def test_a_run_is_the_run_of_the_library() -> None:
    tally = simulate(games["craps"], games=5_000, seed=9)
    counts = simulated_counts(RunKey("craps", "pass", 9), 5_000)
    assert counts == counts_of_tally("craps", "pass", tally)
    by_hand = recount(games["craps"], replay_batch(games["craps"], 9, games=5_000))
    assert counts_of_tally("craps", "pass", by_hand) == counts_of_tally("craps", "pass", tally)


def test_counts_know_their_run() -> None:
    seen = RunCounts(10, 30, 9, tuple(range(len(rows_of("craps", "pass")))))
    key, path = RunKey("craps", "pass", 1), [PathPoint(4, -2), PathPoint(10, 1)]
    said = pack_counts(key, seen, path)
    assert unpack_counts(key, said) == (seen, path)
    for other in (("crapless", "pass", 1), ("craps", "pass", 2)):
        text = page(
            f"/simulate?game={other[0]}&seed={other[2]}&games=1e9&seen={said}"
        ).body.decode()
        assert "another game, bet or seed" in text


def test_counts_that_nobody_can_have_seen_begin_anew() -> None:
    for body in ("5_", "5.1_", "5.1.1.1.1.1.1_0.0", "5.1.1.1.1.1.1_1", "-5.1.1.1.1.1.1_"):
        said = f"{_checksum(RunKey('craps', 'pass', 1), body)}_{body}"
        for more in ("", "&go=1"):
            answer = page(f"/simulate?game=craps&games=1e9&seen={said}{more}")
            assert answer.status == (400 if more else 200), body
            assert b"are damaged" in answer.body


def test_a_long_run_goes_on_from_its_address_and_ends_as_in_one() -> None:
    url = "/simulate?games=20000000&seed=3"
    assert "data-next" in page(url).body.decode()
    answer = page(f"{url}&go=1")
    while Address.read(answer.location).get("seen"):
        text = page(answer.location).body.decode()
        if "data-next" not in text:
            break
        answer = page(f"{answer.location}&go=1")
    seen, path = unpack_counts(RunKey(CRAPS, "pass", 3), Address.read(answer.location).get("seen"))
    assert seen == counts_of_tally(CRAPS, "pass", simulate(games["craps"], 20_000_000, 3))
    assert path[-1].games == 20_000_000


@pytest.mark.parametrize(
    ("game", "dice", "before", "after"),
    [
        ("craps", 2, "the puck is off", "the puck is on 5"),
        ("fire-bet-a", 2, "the puck is off", "the puck is on 5"),
        ("fast-craps", 2, "the puck is off", "the puck is on 5"),
        ("pig-turn", 1, "", ""),
        ("chuck-a-luck-1-2-3", 3, "", ""),
        ("bonus-small-30-1", 2, "", ""),
    ],
)
def test_the_table_shows_what_the_game_has(game: str, dice: int, before: str, after: str) -> None:
    """As many dice as are rolled, and a puck if there is a point."""
    for made, puck in ((0, before), (1, after)):
        text = page(f"/table?game={game}&did=roll*{made}&seed=4").body.decode()
        assert text.count('class="die') == dice
        assert "".join(re.findall(r'class="puck.*?aria-label="(.*?)"', text)) == puck


def test_every_saved_card_of_a_table_with_many_bets_is_a_file() -> None:
    """Three bets have charts, whichever they are, and the menu names no others."""
    bets = ("don't pass", "pass with odds", "don't pass with lay")
    for chosen, runs in ((bets[2:], {"0", "3"}), (bets, {"0", "1", "2"})):
        url = "/table?game=craps-lines&did=" + "|".join(f"{bet}=5" for bet in chosen) + "|roll*30"
        text = page(url).body.decode()
        assert set(re.findall(r'download="run-(\d)\.csv"', text)) == runs
        assert all(page(f"{url}&card=run-{run}&as=csv").status == 200 for run in runs)
