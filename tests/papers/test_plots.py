"""Pictures: what is drawn is what was computed, and the same figure gives the same bytes."""

from fractions import Fraction

import pytest

from sevenout.catalogue import games
from sevenout.documents import PageError
from sevenout.errors import FileError
from sevenout.evenings import session
from sevenout.papers import plots
from sevenout.papers.picture_style import render, save
from sevenout.papers.plots import edge_curve, edge_curves, edge_slopes, evenings
from sevenout.rolling import dice, spread
from sevenout.rules import Wager
from sevenout.solving import solve

CRAPS = solve(games["craps"])
FAST = solve(games["fast-craps"])

DRAWN = {
    "pay_law": lambda: plots.pay_law(FAST.bet("brick")),
    "roll_law": lambda: plots.roll_law(CRAPS.distribution("rolls")),
    "roll_law, bounded": lambda: plots.roll_law(FAST.distribution("rolls")),
    "convergence": lambda: plots.convergence(
        CRAPS.bet(), [(100, Fraction(1, 9)), (9000, Fraction())]
    ),
    "return_by_event": lambda: plots.return_by_event(FAST.bet("pass"), max_events=5),
    "edge_against_bias": lambda: plots.edge_against_bias({"6": edge_curve(CRAPS, "pass", 6)}),
    "census_histogram": lambda: plots.census_histogram(
        {(0, "1/2"): 5, ("1/2", 1): 7}, {"a": "1/3"}
    ),
    "sensitivity_map": lambda: plots.sensitivity_map(FAST),
    "totals": lambda: plots.totals(spread("3d6"), spread("d10!"), rolled=100, seed=1),
    "totals, many": lambda: plots.totals(spread("100d6"), normal=True),
    "bankroll_fan": lambda: plots.bankroll_fan(CRAPS.bet(), 10, 20, target=15),
}


@pytest.mark.parametrize("name", DRAWN)
def test_the_same_figure_gives_the_same_bytes(name):
    one, other = DRAWN[name](), DRAWN[name]()
    for kind, start in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
        first, second = render(one, kind), render(other, kind)
        assert first == second
        assert first.startswith(start)
        assert b"matplotlib.org" not in first.lower()


def test_the_bars_of_the_roll_law_are_its_probabilities():
    law = CRAPS.distribution("rolls")
    bars = plots.roll_law(law).axes[0].patches
    assert [bar.get_height() for bar in bars][:4] == [float(law.pmf(n)) for n in range(4)]


def test_the_bars_of_a_total_are_its_law_and_the_curve_has_its_mean():
    roll = spread("3d6")
    axes = plots.totals(roll, normal=True, rolled=500, seed=2).axes[0]
    assert [bar.get_height() for bar in axes.patches] == [float(roll.law[n]) for n in range(3, 19)]
    curve, dots = axes.lines
    xs, ys = curve.get_data()
    assert xs[ys.argmax()] == pytest.approx(10.5, abs=0.1)
    assert sum(dots.get_ydata()) == pytest.approx(1)
    assert [text.get_text() for text in axes.get_legend().texts] == ["normal", "500 rolls", "3d6"]
    with pytest.raises(PageError, match="from 1 to 3"):
        plots.totals()


def test_the_bars_of_the_return_add_up_to_the_mean():
    bet = FAST.bet("pass")
    bars = plots.return_by_event(bet, max_events=3).axes[0].patches
    assert sum(bar.get_width() for bar in bars) == pytest.approx(float(bet.mean))
    assert len(bars) == 4


def test_the_edge_against_bias_passes_through_the_edge():
    curve = edge_curve(CRAPS, "pass", 6)
    assert curve(0) == CRAPS.bet().edge
    (line, *_) = plots.edge_against_bias({"6": curve}).axes[0].lines
    middle = len(line.get_xdata()) // 2
    assert line.get_ydata()[middle] == float(CRAPS.bet().edge)


def test_marks_differ_in_more_than_colour():
    marks = {"a": "1/4", "b": "1/2", "c": "3/4"}
    axes = plots.census_histogram({(0, 1): 5}, marks).axes[0]
    assert len({line.get_linestyle() + str(line._dash_pattern) for line in axes.lines}) == 3


def test_one_event_that_is_left_over_is_in_the_singular():
    events = len([row for row in CRAPS.bet().table if row.contribution])
    (axes,) = plots.return_by_event(CRAPS.bet(), events - 1).axes
    assert "1 other event" in [label.get_text() for label in axes.get_yticklabels()]


def test_equal_curves_are_one_with_all_their_names():
    axes = plots.edge_against_bias(edge_curves(CRAPS, "pass")).axes[0]
    names = [text.get_text() for text in axes.get_legend().get_texts()]
    assert names == ["face 1", "face 2", "face 3, face 4", "face 5", "face 6"]


def test_the_slopes_are_the_derivatives_of_the_curve():
    """A face of weight 1 + t has probability (1 + t) / (6 + t): its share grows by 5/36 t."""
    for k, (face, (slope,)) in enumerate(edge_slopes(CRAPS, ["pass"]), 1):
        assert face == f"face {k}"
        grown = edge_curve(CRAPS, "pass", k).derivative()(0)
        assert grown == slope * Fraction(5, 36)


def test_the_fan_ends_where_the_session_does():
    fan = plots.bankroll_fan(CRAPS.bet(), 10, 20)
    median = fan.axes[0].lines[0].get_ydata()
    assert median[-1] == float(10 + session(CRAPS.bet(), 10, bets=20).quantile("1/2"))


def test_saving_is_whole_or_not_at_all(tmp_path):
    path = tmp_path / "law.svg"
    path.write_text("old")
    with pytest.raises(PageError, match="no picture format 'gif'"):
        save(DRAWN["pay_law"](), tmp_path / "law.gif")
    with pytest.raises(FileError, match="can't write"):
        save(DRAWN["pay_law"](), tmp_path / "missing" / "law.svg")
    assert path.read_text() == "old"
    assert save(DRAWN["pay_law"](), path) == path
    assert path.read_text().startswith("<?xml")
    assert [p.name for p in tmp_path.iterdir()] == ["law.svg"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: plots.convergence(CRAPS.bet(), []), "no run to draw"),
        (lambda: plots.census_histogram({}, {}), "no counts"),
        (lambda: evenings([]), "no evening to draw"),
        (lambda: plots.sensitivity_map(solve(games["hazard-turn"])), "0 bets"),
        (
            lambda: plots.sensitivity_map(solve(Wager(dice("d49").totals, {1: 1}, limit=1))),
            "49 faces",
        ),
        (lambda: plots.census_histogram({(0, 1): 5}, dict.fromkeys("abcd", "1/2")), "4 marks"),
        (lambda: plots.return_by_event(CRAPS.bet(), 0), "max_events=0"),
    ],
)
def test_what_no_picture_shows_is_refused(call, message):
    with pytest.raises(PageError, match=message):
        call()


def test_what_can_not_be_drawn_is_refused():
    with pytest.raises(PageError, match="of 1 bet or more"):
        plots.convergence(CRAPS.bet(), [(0, Fraction(0))])
    with pytest.raises(PageError, match="give spread\\('3d6'\\)"):
        plots.totals("3d6")
