from fractions import Fraction
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sevenout.errors import SevenoutError
from sevenout.exact import solve
from sevenout.games import catalogue
from sevenout.lab import figures, plot
from sevenout.lab.markup import render, tag
from sevenout.lab.rulebook import ROLES, Rulebook, of_game, read, read_file, totals_of


class Texts(HTMLParser):
    """The tags and texts of a piece of HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, name: str, attrs: object) -> None:
        self.tags.append(name)

    def handle_data(self, data: str) -> None:
        self.text += data


@given(st.text(), st.text())
def test_text_is_never_markup(text: str, value: str) -> None:
    page = Texts()
    page.feed(tag("p", text, [text], title=value))
    page.close()
    assert page.tags == ["p"]
    assert (
        page.text.replace("\r\n", "\n").replace("\r", "\n")
        == (2 * text).replace("\r\n", "\n").replace("\r", "\n")
        or "\r" in text
    )


def test_none_is_nothing() -> None:
    assert render(None, 0, "") == "0"


rulebooks = st.builds(
    lambda roles, out, limit: Rulebook("2d6", dict(roles.items()), out, limit),
    st.dictionaries(st.integers(2, 12), st.sampled_from([r for r in ROLES if r != "point"])),
    st.integers(2, 12),
    st.none() | st.integers(1, 9),
)


@given(rulebooks)
def test_the_address_holds_the_game(rules: Rulebook) -> None:
    from urllib.parse import parse_qs

    query = {key: values[0] for key, values in parse_qs(rules.query).items()}
    try:
        rules.game()
    except SevenoutError:
        return
    if rules.role(rules.out) not in ("craps", "natural"):
        return  # the out is a push: no variant's name says so
    extra = {key: query.get(key, "") for key in ("push", "reroll", "limit")}
    again = read(query["game"], **extra)
    assert again.game() == rules.game()
    assert of_game(rules.game()) == Rulebook(rules.dice, dict(again.roles), rules.out, rules.limit)


@given(st.text(max_size=30))
def test_any_text_is_a_game_or_refused(text: str) -> None:
    try:
        rules = read(text)
    except SevenoutError:
        return
    assert set(rules.roles) <= set(totals_of(rules.dice))


def test_other_dice_keep_the_rules_that_they_can_roll() -> None:
    three = read("2,3,12/7,11/7").on("3d6")
    assert 2 not in three.roles
    assert three.role(11) == "natural"
    tall = read("2,3,12/7,11/7").on("2d20+d6{7,7,7,8,8,8}")
    assert tall.game().out in totals_of(tall.dice)
    with pytest.raises(SevenoutError, match="60 or fewer"):
        read("2,3,12/7,11/7").on("20d6")
    with pytest.raises(SevenoutError, match="dice that span 600"):
        read("2,3,12/7,11/7").on("1000d6")


@given(st.floats(-1e6, 1e6), st.floats(1e-9, 1e6), st.integers(2, 9))
def test_ticks_lie_on_the_axis_and_differ(low: float, span: float, ticks: int) -> None:
    high = low + span
    if (high - low) < 1e-9 * max(abs(low), 1):
        return
    axis = plot.axis(low, high, ticks=ticks)
    assert all(-1e-6 <= axis.at(value) <= 1 + 1e-6 for value, _ in axis.ticks)
    assert len({label for _, label in axis.ticks}) == len(axis.ticks)
    for value, label in axis.ticks:
        error = abs(float(label.replace(",", "")) - value)
        assert error <= 1e-6 * (high - low) + 1e-12 * abs(value)


@pytest.mark.parametrize("name", ["craps", "fast-craps", "hazard-turn", "field-pays-3-1-on-12"])
def test_wins_add_up(name: str) -> None:
    if name not in catalogue:
        name = next(n for n in catalogue if n.startswith("field"))
    game = catalogue[name]
    solution = solve(game)
    for bet in solution.bets.values():
        assert figures.where_wins_come_from(game, solution, bet)
        assert "total" in figures.return_table(bet)
    assert figures.law_of_rolls(solution)
    assert "<svg" in figures.diagram(game, solution.chain) or "too many" in figures.diagram(
        game, solution.chain
    )


def test_craps_is_fairer_than_most() -> None:
    said, why = figures.fairer_than(Fraction(244, 495), "2d6") or ("", "")
    assert said == "fairer than 98.28 % of 1,254,044 variants"
    assert why.startswith("21,529 ")


def test_half_a_character_is_no_face() -> None:
    from sevenout.dice import parse_dice
    from sevenout.lab.dice_test import _read

    with pytest.raises(SevenoutError, match="pasted, line 2"):
        _read("what was pasted", "1\n\ud800\n", parse_dice("d6"))


def test_a_game_of_too_many_states_is_refused_before_it_is_solved() -> None:
    from sevenout.lab.pages.game import solved

    with pytest.raises(SevenoutError, match="states"):
        solved(Rulebook("2d6", {7: "natural"}, 7, 10**9))


GAME = 'format = 1\nname = "<b>"\ndice = "{}"\n[[line]]\nnaturals = [7]\ncraps = [2]\nout = 7\n'


@pytest.mark.parametrize("dice", ["2d10000", "300d300", "1000d1000"])
def test_a_file_of_too_large_dice_is_refused_before_they_are_rolled(dice: str) -> None:
    with pytest.raises(SevenoutError, match="span"):
        read_file(GAME.format(dice), "game.toml")
    assert read_file(GAME.format("2d6"), "game.toml").name == "<b>"


@pytest.mark.parametrize(
    "text", ["a." * 500_000 + "a = 1", "a = " + "[" * 9_000, "PK\3\4\0", "\ud800"]
)
def test_a_file_that_is_no_game_is_refused(text: str) -> None:
    with pytest.raises(SevenoutError, match=r"game\.toml"):
        read_file(text, "game.toml")


@pytest.mark.parametrize("limit", ["101", "9999", "9" * 50, "0", "\u0663"])
def test_an_address_may_not_ask_for_more_rolls_than_the_page(limit: str) -> None:
    with pytest.raises(SevenoutError, match="from 1 to 100"):
        read("2,3,12/7,11/7", limit=limit)
