"""An evening whose distribution is too large is played, if asked, and offered in a line if not."""

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import sevenout as so
from sevenout import questions
from sevenout.budgets.estimates import afford
from sevenout.cli import main
from sevenout.errors import TooMuchWorkError
from sevenout.evenings import Plan
from sevenout.simulation.played_evenings import play_evenings

PLAN = Plan.of("pass", 20, rolls=20)


def test_what_is_played_agrees_with_the_distribution() -> None:
    seen, result = play_evenings(PLAN, 1_500, seed=3), PLAN.solve()
    mean, bar = seen.mean_bar
    assert abs(mean - float(result.mean)) < 1.3 * bar
    ahead, error = seen.shares["ahead"]
    assert abs(ahead - float(result.ahead)) < 1.3 * error
    assert seen.counts == play_evenings(PLAN, 1_500, seed=3).counts
    assert 0 < bar < 1
    for p, error in seen.shares.values():
        assert 0 <= p <= 1
        assert 0 < error < 0.1


def test_a_bar_is_not_nothing_where_nothing_was_seen() -> None:
    seen = play_evenings(PLAN, 10, seed=3)
    assert seen.p("target") == 0
    assert seen.bar(seen.p("target")) > 0.1
    assert Fraction(seen.evenings) == 10


def test_too_many_are_refused_when_it_is_known_how_long_they_take() -> None:
    with (
        so.budget(seconds=2),
        pytest.raises(TooMuchWorkError, match="1,000,000,000,000 evenings would take"),
    ):
        play_evenings(PLAN, 10**12)


def test_it_is_offered_and_played(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "mine.toml"
    bets = "".join(f'[[bet]]\non = "{on}"\namount = 1\n' for on in ("pass", "small", "tall", "all"))
    path.write_text(f'name = "all of it"\n{bets}')
    words = ["evening", str(path), "--bankroll", "30", "--rolls", "40"]
    with so.budget(seconds=4, memory=4e8):
        assert main(words) == 2
        said = capsys.readouterr().err
        assert said.startswith("sevenout: all of it: ")
        offered = re.search(r"play evenings instead: --simulate (\d+), or raise", said)
        assert offered is not None
        assert said.count("\n") == 1
        assert main([*words, "--simulate", "30", "--json"]) == 0
        (found,) = json.loads(capsys.readouterr().out)["evenings"]
        assert (found["method"], found["evenings"]) == ("simulated", 30)
        assert main([*words, "--simulate", "30"]) == 0
        assert " ± " in capsys.readouterr().out
    with so.budget(seconds=8, memory=4e8):  # twice that, since the machine may be at other work
        assert main([*words, "--simulate", offered[1]]) == 0


@pytest.mark.parametrize("alternative", ["", "ask for fewer rolls"])
def test_a_distribution_over_its_share_of_the_budget_offers_evenings(
    alternative: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def solve(_plan: Plan) -> None:
        afford("the distribution", seconds=1e9, instead=alternative)

    monkeypatch.setattr(Plan, "solve", solve)
    with pytest.raises(TooMuchWorkError) as raised:
        questions.evening("pass", rolls=6)
    between = f"; {alternative}" if alternative else ""
    assert re.fullmatch(
        "Pass line: the distribution would take about 32 years, and its share of the budget is 45 "
        rf"seconds{between}; play evenings instead: simulate=\d+, or raise the budget",
        str(raised.value),
    )
