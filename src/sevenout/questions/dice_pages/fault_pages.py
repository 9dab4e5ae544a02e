"""The answers of `sevenout dice faults` as pages and data."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from sevenout.documents import Block, Column, Fact, Facts, Page, Table, Text
from sevenout.documents.kinds import COUNT, DECIMAL, FRACTION, LABEL, PERCENT
from sevenout.documents.numbers import decimal, percent
from sevenout.rolling import Dice, Law, Rollable
from sevenout.rolling.faults import (
    LIMIT,
    Fault,
    Mean,
    chi_square_distance,
    corners,
    distortion,
    faulty_law,
    total_variation,
    worst_ratio,
    worst_together,
)
from sevenout.rolling.sevenless import FaultEffect

MEASURES = "variation", "chi_square", "ratio"
"""The measures of `worst_together`, in order."""


def comparison_page(
    rollables: dict[str, Rollable],
    compared: Sequence[FaultEffect],
    chance: tuple[Sequence[Mean], Law],
    share: Fraction,
    test: tuple[str, float],
) -> tuple[Page, dict[str, Any]]:
    """Designs compared under the same faults: a page and data."""
    (means, shares), (confidence, power) = chance, test
    deviation = float(shares.variance) ** 0.5
    results = sorted(compared[0].sensitivity.law, key=lambda t: -compared[0].sensitivity.law[t])
    low, high = sorted(results[1:3])  # the two totals beside 7
    ratios = [worst_ratio(one.sensitivity, share, low, high) for one in compared]
    corner = {
        name: dict(zip(MEASURES, worst_together(rollable, share, (high, low)), strict=True))
        for name, rollable in rollables.items()
        if 0 < share < 1 and corners(rollable) <= LIMIT
    }
    note = (
        f"Rolls to notice: by the chi-square test, confidence {confidence}, power {power:g}, for "
        "the fault of the worst χ². Fragility: the mean χ² per unit of variance of random faults. "
        f"Means: all faces at fault, standard deviation {deviation:.3g}."
    )
    page = Page(
        "",
        Page(
            f"One face heavier by {share} ({percent(share, 1)}), the worst there is",
            _one_face(compared, means, ratios, f"{high} : {low}"),
        ),
        Page(
            f"All faces wrong by up to {share}, either way, and all in the worst way",
            _all_faces(corner, f"{high} : {low}"),
        ),
        Text(note, tone="note"),
    )
    designs = [
        {
            "name": one.name,
            **_measures(one, mean),
            "all_faces": {
                measure: str(value) for measure, (value, _) in corner.get(one.name, {}).items()
            },
            "worst_of_two_totals": {"high": high, "low": low, "times": str(ratio)},
        }
        for one, mean, ratio in zip(compared, means, ratios, strict=True)
    ]
    return page, {
        "share": str(share),
        "confidence": confidence,
        "power": power,
        "deviation": deviation,
        "designs": designs,
    }


def _one_face(
    compared: Sequence[FaultEffect], means: Sequence[Mean], ratios: Sequence[Any], ratio: str
) -> Table:
    """The effect of one heavier face on each design, worst and mean."""
    four, three = DECIMAL.to(4), DECIMAL.to(3)
    columns = [
        "design",
        Column("worst variation", four),
        Column("worst 1000 χ²", three),
        Column(f"worst {ratio}", four),
        Column("rolls to notice", COUNT),
        Column("fragility", LABEL),
        Column("mean variation", four),
        Column("mean 1000 χ²", three),
    ]
    rows = [
        (
            one.name,
            one.worst.variation,
            1000 * one.worst.chi_square,
            worst,
            "never" if one.rolls is None else one.rolls,
            one.fragility,
            mean.variation[0],
            1000 * mean.chi_square[0],
        )
        for one, mean, worst in zip(compared, means, ratios, strict=True)
    ]
    return Table(columns, rows)


def _all_faces(corner: dict[str, dict[str, Any]], ratio: str) -> Block:
    """The effect of the worst faults of all faces together on each design."""
    if not corner:
        return Text("too many faces to look at every corner", tone="note")
    columns = [
        "design",
        Column("variation", DECIMAL.to(4)),
        Column("1000 χ²", DECIMAL.to(1)),
        Column(ratio, DECIMAL.to(4)),
    ]
    rows = [
        (name, worst["variation"][0], 1000 * worst["chi_square"][0], worst["ratio"][0])
        for name, worst in corner.items()
    ]
    return Table(columns, rows)


def _measures(one: FaultEffect, mean: Mean) -> dict[str, Any]:
    ratio = one.worst.ratio
    return {
        "worst_variation": str(one.worst.variation),
        "worst_chi_square": str(one.worst.chi_square),
        "worst_ratio": {"times": str(ratio.times), "high": ratio.high, "low": ratio.low},
        "rolls_to_notice": one.rolls,
        "fragility": str(one.fragility),
        "mean": {name: {"value": v, "error": e} for name, (v, e) in mean._asdict().items()},
        "sensitivity": {
            str(result): [str(x) for x in row]
            for result, row in zip(one.sensitivity.law, one.sensitivity.matrix, strict=True)
        },
    }


def fault_page(
    dice: Dice,
    one: FaultEffect,
    mean: Mean,
    fault: Fault,
    rolls: Callable[[Law, Law], int | None],
) -> tuple[Page, dict[str, Any]]:
    """One fault of given dice, with every result before and after: a page and data."""
    fair, faulty = one.sensitivity.law, faulty_law(dice.totals, [fault])
    ratio, needed = distortion(fair, faulty), rolls(fair, faulty)
    face = dice.dice[fault.die].faces[fault.face]
    rows = [(str(t), p, faulty.p(t), faulty.p(t) / p - 1) for t, p in sorted(fair.items())]
    columns = [Column("total", LABEL), Column("fair", FRACTION), Column("faulty", FRACTION)]
    variation, distance = total_variation(fair, faulty), chi_square_distance(fair, faulty)
    times = f"{decimal(ratio.times, 4)} times too often"
    page = Page(
        f"{dice}: face {face} of die {fault.die + 1} heavier by {fault.share}",
        Table([*columns, Column("change", PERCENT.to(2, sign=True))], rows),
        Facts(
            Fact("total variation", variation, FRACTION, DECIMAL),
            Fact("chi-square distance", distance, DECIMAL, note="per roll"),
            Fact("most distorted", f"{ratio.high} to {ratio.low}", LABEL, note=times),
            Fact("rolls to notice", "never" if needed is None else needed, COUNT),
        ),
    )
    return page, {
        "dice": str(dice),
        "fault": {"die": fault.die + 1, "face": str(face), "share": str(fault.share)},
        "totals": {
            str(total): {"fair": str(p), "faulty": str(faulty.p(total))}
            for total, p in sorted(fair.items())
        },
        "variation": str(variation),
        "chi_square": str(distance),
        "ratio": {"times": str(ratio.times), "high": ratio.high, "low": ratio.low},
        "rolls_to_notice": needed,
        "over_all_faces": _measures(one, mean),
    }
