"""Every entry of the catalogue: solved, and held against known answers and closed forms."""

import json
import os
import pickle
import re
import subprocess
import sys
from contextlib import suppress
from fractions import Fraction
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

from sevenout.catalogue import Entry, games
from sevenout.cli import main as sevenout
from sevenout.cli.asking import command_of
from sevenout.errors import RulesError
from sevenout.model import explore
from sevenout.questions import question
from sevenout.solving import BetResult, solve
from tests.catalogue import by_hand, by_hand_lists

HERE = Path(__file__).parent
FIGURES = ("edge", "edge_resolved", "element_of_risk", "p_win", "rolls", "variance")
BETS = [name for name, entry in games.without_choices.items() if entry.bet]
KNOWN = [
    json.loads(line)
    for path in sorted((HERE.parent / "known").glob("*.jsonl"))
    for line in path.read_text(encoding="utf-8").splitlines()
]
ORACLES = os.environ.get("SEVENOUT_ORACLES", "")
"""A file of other people's figures to compare with, where there is one."""
_solved: dict[str, BetResult] = {}


def bet_of(name: str) -> BetResult:
    if name not in _solved:
        _solved[name] = solve(games[name]).bet(games.entry(name).bet)
    return _solved[name]


@pytest.mark.parametrize("name", BETS)
def test_the_bet_has_the_law_of_its_closed_form(name: str) -> None:
    assert dict(bet_of(name).profit) == (by_hand.LAWS | by_hand_lists.LAWS)[name]()


@pytest.mark.parametrize("name", BETS)
def test_the_return_table_adds_up(name: str) -> None:
    bet = bet_of(name)
    assert sum(row.probability for row in bet.table) == 1
    assert sum(row.contribution for row in bet.table) == -bet.edge
    assert bet.p_win + bet.p_push + bet.p_lose == 1
    assert min(row.pays for row in bet.table) >= -bet.mean_risk * 101
    assert bet.rolls >= 1


@pytest.mark.parametrize("line", KNOWN, ids=lambda line: line["id"])
def test_known_answers(line: dict[str, str]) -> None:
    bet = bet_of(line["id"])
    figures = {figure: Fraction(line[figure]) for figure in FIGURES if figure in line}
    assert figures
    assert {figure: getattr(bet, figure) for figure in figures} == figures
    assert line["source"]


def test_a_known_answer_is_of_a_bet_and_told_once() -> None:
    names = [line["id"] for line in KNOWN]
    assert set(names) <= set(BETS)
    assert len(set(names)) == len(names) > 220


@pytest.mark.skipif(not ORACLES, reason="SEVENOUT_ORACLES names no file of figures")
def test_the_oracles_agree_row_by_row() -> None:
    rows = json.loads(Path(ORACLES).read_text(encoding="utf-8"))
    assert not [row["id"] for row in rows if row["id"] not in games]
    known = {line["id"]: line for line in KNOWN}
    for row in rows:
        entry = games.entry(row["id"])
        for figure in FIGURES:
            if row.get(figure) is not None:
                risk = entry.convention == "risk"
                mine = "element_of_risk" if risk and figure == "edge" else figure
                assert Fraction(known[entry.id][mine]) == Fraction(row[figure]), row["id"]


def test_an_id_is_short_enough_to_type_and_one_thing() -> None:
    assert max(map(len, games)) <= 32
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in games)
    assert {*games.without_choices, *games.with_choices} == set(games)


def test_an_entry_is_found_by_its_title_too() -> None:
    assert all(games.entry(entry.title) is entry for entry in games.entries.values())
    assert "de-mere-one-six-in-four-rolls" in games
    assert "DON'T PASS" in games
    assert not any(name in games for name in ("Craps 2", "./craps", "craps.toml", "", 7))


@pytest.mark.parametrize("entry", games.without_choices.values(), ids=lambda entry: entry.id)
def test_an_entry_says_what_it_is(entry: Entry) -> None:
    assert len(entry.rules) > 25
    assert entry.title
    assert entry.family
    assert entry.source
    assert entry.title[0] == entry.title[0].upper()
    if entry.bet:
        assert entry.pays[0].profit > 0 > entry.pays[-1].profit
        assert {f: getattr(bet_of(entry.id), f) for f in entry.known} == entry.known


@pytest.mark.parametrize("name", games.without_choices)
def test_a_game_is_a_value(name: str) -> None:
    game = games[name]
    assert game == games[name]
    assert hash(game) == hash(games[name])
    assert pickle.loads(pickle.dumps(game)) == game


MIRRORS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    *(
        (name, {"number": number}, {"number": 14 - number})
        for name in (
            "take-odds-4-10",
            "lay-odds-4-10",
            "place-4-10",
            "place-to-lose-4-10",
            "put-4-10",
            "buy-4-10-up-front",
            "lay-4-10-up-front",
        )
        for number in (4, 5, 6)
    ),
    ("big-6-big-8", {"number": 6}, {"number": 8}),
    ("hardway-4-10", {"number": 4}, {"number": 10}),
    ("horn-high-12-or-2", {"high": 12}, {"high": 2}),
    ("horn-high-yo-or-3", {"high": 11}, {"high": 3}),
    ("hop-easy", {"faces": (1, 2)}, {"faces": (6, 4)}),
    ("repeater-6-8", {"number": 6}, {"number": 8}),
    ("sic-bo-total-4-17-60-1", {"total": 4}, {"total": 17}),
    ("sic-bo-triple-150-1", {"face": 1}, {"face": 6}),
    ("chuck-a-luck-1-2-3", {"face": 1}, {"face": 5}),
    ("chuck-a-luck-under-10-over-11", {"side": "under"}, {"side": "over"}),
    ("barbut", {"side": "front"}, {"side": "back"}),
    ("gamesys-dice-range", {"side": "low"}, {"side": "medium"}),
    ("gamesys-dice-range", {"side": "low"}, {"side": "high"}),
    ("gamesys-dice-odd-even", {"side": "odd"}, {"side": "even"}),
    ("crapless-place-2-12", {"number": 2}, {"number": 12}),
    ("bonus-all-175-1", {"alike": False}, {"alike": True}),
    ("repeater-plus-odd", {"alike": False}, {"alike": True}),
]


@pytest.mark.parametrize(("name", "one", "other"), MIRRORS)
def test_mirror_bets_have_one_law(name: str, one: dict[str, Any], other: dict[str, Any]) -> None:
    a, b = (solve(games(name, **options)).bet() for options in (one, other))
    assert a.profit == b.profit
    assert a.rolls == b.rolls


@pytest.mark.parametrize("multiple", range(4))
def test_odds_change_the_element_of_risk_and_not_the_edge(multiple: int) -> None:
    bet = solve(games("pass-1x-odds", multiple=multiple)).bet("pass")
    assert bet.edge == Fraction(7, 495)
    assert bet.mean_risk == 1 + multiple * Fraction(2, 3)
    assert bet.element_of_risk == bet.edge / bet.mean_risk


@pytest.mark.parametrize("number", [4, 5, 6, 8, 9, 10])
def test_hoyle_pays_every_chance_fairly(number: int) -> None:
    for main in (5, 6, 7, 8, 9):
        if number != main:
            game = games("hazard-chance-bet", main=main, chance=number)
            assert solve(game).bet().edge == 0


BAD_OPTIONS: list[tuple[str, dict[str, Any], str]] = [
    ("hazard", {"main": 4}, "the caster's main is 5, 6, 7, 8 or 9"),
    ("hazard-chance-bet", {"chance": 3}, "never a chance"),
    ("dont-pass", {"bar": 4}, "bars 2, 3 or 12"),
    ("dont-pass-6x-lay", {"bar": 4}, "bars 2, 3 or 12"),
    ("pass-1x-odds", {"multiple": -1}, "take 0 or more"),
    ("put-6-8", {"number": 7}, "4, 5, 6, 8, 9 and 10"),
    ("take-odds-4-10", {"number": 3}, "4, 5, 6, 8, 9 and 10"),
    ("place-6-8", {"number": 11}, "4, 5, 6, 8, 9 and 10"),
    ("big-6-big-8", {"number": 5}, "6 and 8"),
    ("hardway-6-8", {"number": 5}, "4, 6, 8 and 10"),
    ("horn", {"high": 7}, "2, 3, 11 or 12"),
    ("field-2-2", {"wins": (3, 4)}, "always in the field"),
    ("fire-bet-a", {"prizes": {7: 1}}, "0 to 6"),
    ("card-craps-pass-24", {"cards": 7}, "6, 12, 18"),
    ("crapless", {"multiple": -2}, "0 or more"),
    ("crapless-place-2-12", {"number": 7}, "point"),
    ("repeater-6-8", {"number": 7}, "2 to 12 except 7"),
    ("barbut", {"side": "up"}, "'front' or 'back'"),
    ("gamesys-dice-odd-even", {"side": "up"}, "'odd' or 'even'"),
    ("gamesys-dice-range", {"side": "up"}, "'low', 'medium' or 'high'"),
    ("chuck-a-luck-under-10-over-11", {"side": "up"}, "'under' or 'over'"),
    ("chuck-a-luck-field-3-7-13-18", {"low": (7, 3)}, "7 to 3 is not a range"),
    ("sic-bo-two-numbers-6-1", {"faces": (1, 1)}, "faces=1,1; name different faces"),
    (
        "sic-bo-four-numbers",
        {"faces": (1, 1, 2, 3)},
        "different faces",
    ),
    ("buy-4-10-up-front", {"commission": "-1/20"}, "charge 0 or more"),
    ("lay-4-10-on-win", {"commission": "-1/20"}, "charge 0 or more"),
    ("barbudi-5-charge", {"charge": 2}, "a share from 0 to 1"),
]


@pytest.mark.parametrize(("name", "options", "message"), BAD_OPTIONS)
def test_a_wrong_option_says_what_would_be_right(
    name: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(RulesError, match=message):
        games(name, **options)


def test_every_option_can_be_given_on_the_command_line(capsys: Any) -> None:
    """No option has the name of a parameter of the command."""
    taken = set(signature(command_of(question("odds"))).parameters)
    assert not {o for e in games.without_choices.values() for o in e.options} & taken
    assert sevenout(["odds", "buy-4-10-up-front", "--amount", "25", "--commission", "1"]) == 0
    assert "1/26" in capsys.readouterr().out


ODD_VALUES = ("x", "", -1, 0, 1, 7, 13, 1.5, None, True, (), (0,), (7, 7), (1, 2, 3), {}, {9: 1})


@pytest.mark.parametrize("name", games.without_choices)
def test_odd_values_are_played_or_refused(name: str) -> None:
    for option in games.entry(name).options:
        for value in ODD_VALUES:
            with suppress(RulesError):
                assert explore(games(name, **{option: value}), max_states=3_000).outcomes


def test_the_lines_are_the_same_alone_and_together() -> None:
    together = solve(games["craps-lines"])
    for bet, name in (
        ("pass", "pass-line"),
        ("don't pass", "dont-pass-bar-12"),
        ("pass with odds", "pass-3-4-5x-odds"),
        ("don't pass with lay", "dont-pass-6x-lay"),
    ):
        assert together.bet(bet).law.keys() == bet_of(name).law.keys()
        assert together.bet(bet).profit == bet_of(name).profit
        assert together.bet(bet).element_of_risk == bet_of(name).element_of_risk


def test_an_option_of_the_wrong_kind_is_told_the_right_one() -> None:
    with pytest.raises(RulesError, match=r"number='six'; give a whole number"):
        games("place-6-8", number="six")
    with pytest.raises(RulesError, match=r"commission=0.05; give an amount such as 3/2"):
        games("buy-4-10-up-front", commission=0.05)
    with pytest.raises(RulesError, match=r"a whole number or 3 whole numbers such as 2,3,12"):
        games("pass-1x-odds", multiple=(1, 2))
    with pytest.raises(RulesError, match="face=7; a die has the faces 1 to 6"):
        games("sic-bo-any-triple-30-1", face=7)


def test_a_wrong_name_says_what_is_near() -> None:
    with pytest.raises(RulesError, match="did you mean craps"):
        games.entry("crap")
    with pytest.raises(RulesError, match="place-6-8 has no option 'main'; its options: number"):
        games("place-6-8", main=7)
    with pytest.raises(RulesError, match="its options: none"):
        games("craps", main=7)


def test_the_catalogue_is_a_mapping() -> None:
    assert "craps" in games
    assert "chess" not in games
    assert (
        len(list(games.without_choices)) == len(games.without_choices) == len(games.without_choices)
    )
    assert games["craps"] == games("craps")
    assert games("place-6-8", number=8) != games["place-6-8"]


def test_search_finds_every_word() -> None:
    assert all(entry.id.startswith("fire") for entry in games.search("FIRE", "999"))
    assert {e.id for e in games.search("fire", "24/249/999")} == {"fire-bet-a"}
    assert games.search("fire", "sic bo") == []
    assert {e.family for e in games.search("sic", "bo")} == {"Sic bo"}


def test_short_names() -> None:
    for name in ("craps", "hazard", "fast-craps", "hazard-turn", "crapless", "street-craps"):
        assert name in games


def test_looking_into_the_catalogue_loads_nothing_heavy() -> None:
    script = (
        "import sys\n"
        "from sevenout.catalogue import games\n"
        "assert len(games) > 280\n"
        "heavy = {'numpy', 'scipy', 'flint', 'llvmlite', 'duckdb', 'matplotlib', 'rich'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
