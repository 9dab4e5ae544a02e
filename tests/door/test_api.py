"""What is wrong in a call is an error of ours, with a remedy."""

import math
from collections.abc import Callable
from typing import Any

import pytest

import sevenout as so
from sevenout.errors import RulesError, SevenoutError, TooMuchWorkError
from sevenout.rolling import parse_dice
from sevenout.rules import Game, Streak, lose, push, settle, win

CRAPS = so.games["craps"]
LAW = so.solve(CRAPS).distribution("rolls")
BOUNDED = so.solve(so.games["field-1-1"]).distribution("rolls")


class Itself(Game):
    """A game that is rolled in itself."""

    dice = parse_dice("2d6")
    start = None

    def rolls(self, state: Any) -> Any:
        return self

    def step(self, state: Any, roll: Any) -> Any:
        return win("x")


class Another(Itself):
    """One that is rolled in another of its kind."""

    def rolls(self, state: Any) -> Any:
        return Another()


class Lines(Itself):
    """A game that ends nowhere, in a state whose name has many lines."""

    def rolls(self, state: Any) -> Any:
        return self.dice

    def step(self, state: Any, roll: Any) -> Any:
        return "one line\n" * 100


WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "pays that are a text": (lambda: settle("a", "b"), "write each bet's pay"),  # type: ignore[arg-type]
    "pays that are a list": (lambda: settle("a", [1]), "write each bet's pay"),  # type: ignore[arg-type]
    "a bet that is no text": (lambda: settle("a", {1: 1}), "name it with a text"),  # type: ignore[dict-item]
    "win None": (lambda: win(None), "name how the game ends"),  # type: ignore[arg-type]
    "win nan": (lambda: win(math.nan), "name how the game ends"),  # type: ignore[arg-type]
    "lose list": (lambda: lose([]), "name how the game ends"),  # type: ignore[arg-type]
    "push 10^400": (lambda: push(10**400), "name how the game ends"),  # type: ignore[arg-type]
    "rolls itself": (lambda: so.explore(Itself()), "let rolls(state) return dice"),
    "rolls another": (lambda: so.solve(Another()), "let rolls(state) return dice"),
    "plays itself": (lambda: so.simulate(Itself(), 10), "let rolls(state) return dice"),
    "a streak of faces": (lambda: so.solve(Streak(so.d6)), "give a game, or the distribution"),
    "a state of many lines": (
        lambda: so.solve(Lines()),
        "never ends from start, one line",
    ),
    "max_states text": (lambda: so.explore(CRAPS, max_states="craps"), "1 or more"),  # type: ignore[arg-type]
    "max_states nan": (lambda: so.explore(CRAPS, max_states=math.nan), "1 or more"),  # type: ignore[arg-type]
    "max_states 0": (lambda: so.explore(CRAPS, max_states=0), "1 or more"),
    "max_states True": (lambda: so.explore(CRAPS, max_states=True), "1 or more"),
}


@pytest.mark.parametrize("what", WRONG)
def test_wrong_calls(what: str) -> None:
    call, says = WRONG[what]
    with pytest.raises(RulesError) as raised:
        call()
    assert says in str(raised.value)
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 400


@pytest.mark.parametrize("x", [10**9, 10**400])
def test_far_out_is_refused_at_once(x: int) -> None:
    for ask in (LAW.pmf, LAW.cdf, LAW.sf):
        with pytest.raises(TooMuchWorkError, match="ask for its bounds"):
            ask(x)
    assert (BOUNDED.pmf(x), BOUNDED.sf(x), BOUNDED.cdf(x)) == (0, 0, 1)


def test_many_totals_that_explode_are_refused_at_once() -> None:
    from sevenout.rolling import spread

    with pytest.raises(TooMuchWorkError, match="show fewer"):
        spread("d10!", show=100_000).page()


@pytest.mark.parametrize("wrong", [None, math.nan, "x", 1.5, [], {}, -1, 10**400, b"x", True])
def test_no_raw_error_of_a_law(wrong: Any) -> None:
    for ask in (LAW.pmf, LAW.cdf, LAW.sf, LAW.quantile, LAW.pmf_bounds):
        try:
            ask(wrong)
        except SevenoutError as error:
            assert str(error).isprintable()  # noqa: PT017
