"""The law of a score, drawn."""

from fractions import Fraction

import pytest

pytest.importorskip("matplotlib", reason="pictures are an extra: pip install 'sevenout[plot]'")

from sevenout.papers.turn_sections import score_law
from sevenout.solving.turn_policies import ScoreDistribution


def law(*worths: int) -> ScoreDistribution:
    return ScoreDistribution({Fraction(x): Fraction(1, len(worths)) for x in worths}, Fraction(0))


def test_no_line_leads_over_scores_that_no_game_comes_to() -> None:
    (axes,) = score_law({"best": law(0, 10, 25), "greedy": law(0, 10)}).axes
    drawn = [line for line in axes.lines if len(line.get_xdata()) != 2 or line.get_marker() == "o"]
    assert [line.get_linestyle() for line in drawn] == ["None", "None"]
    stems = [[stem[0][0] for stem in each.get_segments()] for each in axes.collections]
    assert [len(each) for each in stems] == [3, 2]
    assert not set(stems[0]) & set(stems[1]), "no stem hides another"
