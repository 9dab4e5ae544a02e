"""What every optimum answers: the costs of options, the costliest mistakes, and their pages."""

from fractions import Fraction
from typing import Any

import pytest

from sevenout.documents import Page
from sevenout.errors import RulesError, SevenoutError
from sevenout.solving.best_play import (
    Option,
    checked_limit,
    cost_of,
    mistakes_table,
    options_data,
    options_page,
    page,
    value_blocks,
)
from sevenout.solving.optimal_play import best
from tests.solving.pigs import Piglet

START = (0, 0, 1)


@pytest.fixture(scope="module")
def exact() -> Any:
    return best(Piglet(3), method="exact")


@pytest.fixture(scope="module")
def certified() -> Any:
    return best(Piglet(3), method="certified")


def lines(shown: Any) -> list[str]:
    return [" ".join(line.split()) for line in str(shown).splitlines() if line.strip()]


def test_a_cost_counts_beyond_the_bounds_of_two_values() -> None:
    bound = Fraction(1, 100)
    options = [Option("a", Fraction(1), Fraction(0)), Option("b", Fraction(0), 2 * bound)]
    assert cost_of("b", options, bound) == 0
    options[1] = Option("b", Fraction(0), Fraction(5, 2) * bound)
    assert cost_of("b", options, bound) == Fraction(1, 40)
    with pytest.raises(RulesError, match="'c' is not an option here; the options are: a, b"):
        cost_of("c", options, bound)


def test_options_are_listed_with_their_values_and_costs(exact: Any, certified: Any) -> None:
    shown = options_page(exact, START)
    assert lines(shown)[0] == "0, 0, 1: hold"
    assert "hold 7/11 0.636364 0.000000" in lines(shown)
    assert "flip 61/99 0.616162 0.020202" in lines(shown)
    table, note = shown.blocks
    assert (table.tones, note.tone) == ({0: "good"}, "note")  # only the best option is coloured
    assert lines(shown)[-1].endswith("The values assume best play afterwards.")
    assert "hold 0.636364 –" in lines(options_page(certified, START))  # a cost within its bound
    assert lines(options_page(exact, START, "at the start"))[0] == "at the start: hold"


def test_options_as_data_are_exact_text(exact: Any, certified: Any) -> None:
    assert options_data(exact, START, "start") == {
        "goal": "most P(pass > 0)",
        "state": "start",
        "bound": "0",
        "options": [
            {"name": "hold", "value": "7/11", "cost": "0"},
            {"name": "flip", "value": "61/99", "cost": "2/99"},
        ],
    }
    rough = options_data(certified, START)
    assert rough["state"] == "(0, 0, 1)"
    assert 0 < Fraction(rough["bound"]) < Fraction(1, 10**20)


def test_mistakes_are_listed_with_their_costs_and_bounds(exact: Any, certified: Any) -> None:
    def hold(_: Any) -> str:
        return "hold"

    rows = mistakes_table(exact, exact.mistakes(hold, 2)).rows
    assert rows[0] == ("1, 2, 1", "hold", "flip", Fraction(4, 15))
    assert len(rows) == 2
    (state, did, good, cost), *_ = mistakes_table(certified, certified.mistakes(hold)).rows
    assert (state, did, good) == ("1, 2, 1", "hold", "flip")
    # the cost is a difference of two values
    assert cost.bound == 2 * certified.bound_at((1, 2, 1)) > 0
    assert abs(cost.value - Fraction(4, 15)) <= cost.bound


def test_a_page_proves_the_value_and_compares_policies(exact: Any, certified: Any) -> None:
    facts, note = value_blocks(exact)
    assert lines(Page("", facts)) == ["value 6/11 0.545454545 probability, for the first player"]
    assert note.tone == "note"
    assert str(Page("", note)).strip().startswith("Goal: the highest probability to win. Exact, ")
    value_line = lines(Page("", *value_blocks(certified)))[0]
    assert value_line.startswith("value 0.545454545454545 probability")
    policies = {"hold": lambda _: "hold", "flip": lambda _: "flip"}
    shown = lines(page(exact, policies, title="Piglet"))
    assert shown[0] == "Piglet"
    flip = exact.evaluate(policies["flip"])
    assert f"flip {flip.value} {float(flip.value):.6f} {float(flip.cost):.6f}" in shown
    assert "The costliest mistakes of flip" in shown  # and not of the worse policy
    assert "The costliest mistakes of hold" not in shown


def test_policies_are_compared_by_name() -> None:
    with pytest.raises(SevenoutError, match=r"compare: policies=\['flip'\]; give Mapping"):
        best(Piglet(3)).compare(["flip"])  # type: ignore[arg-type]


@pytest.mark.parametrize("most", [-1, True, "5", 1.0])
def test_a_number_of_mistakes_is_a_whole_number(most: Any) -> None:
    with pytest.raises(RulesError, match="give a whole number, 0 or more"):
        checked_limit(most)
    assert (checked_limit(0), checked_limit(None)) == (0, None)
