"""How the results of `sevenout dice faults` look: tables for people, dictionaries for programs."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from sevenout.dice import Dice, Law, Rollable
from sevenout.dice.effects import chi_square, distortion, total_variation, worst_ratio
from sevenout.dice.extremes import LIMIT, corners, worst_together
from sevenout.dice.faults import Fault, Mean, faulty_law
from sevenout.dice.sevenless import Compared


def comparison_page(
    rollables: dict[str, Rollable],
    compared: Sequence[Compared],
    chance: tuple[Sequence[Mean], Law],
    share: Fraction,
    test: tuple[str, float],
) -> tuple[Any, dict[str, Any]]:
    """The designs side by side, with the same faults: a page, and as data."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    (means, shares), (confidence, power) = chance, test
    deviation = float(shares.variance) ** 0.5
    table = Table(show_edge=False, header_style="bold", pad_edge=False)
    results = sorted(compared[0].sensitivity.law, key=lambda t: -compared[0].sensitivity.law[t])
    low, high = sorted(results[1:3])  # the two that the 7 is between
    table.add_column("design", no_wrap=True)
    for head in (
        "worst\nvariation",
        "worst\n1000 χ²",
        f"worst\n{high} : {low}",
        "rolls to\nnotice",
        "fragility",
        "mean\nvariation",
        "mean\n1000 χ²",
    ):
        table.add_column(head, justify="right")
    for one, mean in zip(compared, means, strict=True):
        table.add_row(
            one.name,
            f"{float(one.worst.variation):.4f}",
            f"{1000 * float(one.worst.chi_square):.3f}",
            f"{float(worst_ratio(one.sensitivity, share, low, high)):.4f}",
            "never" if one.rolls is None else f"{one.rolls:,}",
            str(one.fragility),
            f"{mean.variation[0]:.4f}",
            f"{1000 * mean.chi_square[0]:.3f}",
        )
    extremes = {
        name: worst_together(rollable, share, (high, low))
        for name, rollable in rollables.items()
        if 0 < share < 1 and corners(rollable) <= LIMIT
    }
    together = Table(show_edge=False, header_style="bold", pad_edge=False)
    together.add_column("design", no_wrap=True)
    for head in ("variation", "1000 χ²", f"{high} : {low}"):
        together.add_column(head, justify="right")
    for name, (variation, chi, ratio) in extremes.items():
        together.add_row(
            name,
            f"{float(variation[0]):.4f}",
            f"{1000 * float(chi[0]):.1f}",
            f"{float(ratio[0]):.4f}",
        )
    page = Group(
        Text(f"One face heavier by {share} ({float(share):.1%}), the worst there is", style="bold"),
        Text(),
        table,
        Text(),
        Text(
            f"All faces wrong by up to {share}, either way, and all in the worst way", style="bold"
        ),
        Text(),
        together if extremes else Text("too many faces to look at every corner", style="dim"),
        Text(),
        Text(
            f"Rolls to notice: by the chi-square test, confidence {confidence}, power {power:g}, "
            "for the fault of the worst χ². Fragility: the mean χ² per unit of variance of random "
            "faults. "
            f"Means: all faces at fault, standard deviation {deviation:.3g}.",
            style="dim",
        ),
    )
    return page, {
        "share": str(share),
        "confidence": confidence,
        "power": power,
        "deviation": deviation,
        "designs": [
            {
                "name": one.name,
                **_measures(one, mean),
                "all faces": {
                    measure: str(value)
                    for measure, (value, _) in zip(
                        ("variation", "chi-square", f"{high} : {low}"),
                        extremes.get(one.name, ()),
                        strict=False,
                    )
                },
                f"worst {high} : {low}": str(worst_ratio(one.sensitivity, share, low, high)),
            }
            for one, mean in zip(compared, means, strict=True)
        ],
    }


def _measures(one: Compared, mean: Mean) -> dict[str, Any]:
    ratio = one.worst.ratio
    return {
        "worst variation": str(one.worst.variation),
        "worst chi-square": str(one.worst.chi_square),
        "worst ratio": {"times": str(ratio.times), "high": ratio.high, "low": ratio.low},
        "rolls to notice": one.rolls,
        "fragility": str(one.fragility),
        "mean": {name: {"value": v, "error": e} for name, (v, e) in mean._asdict().items()},
        "sensitivity": {
            str(result): [str(x) for x in row]
            for result, row in zip(one.sensitivity.law, one.sensitivity.matrix, strict=True)
        },
    }


def fault_page(
    dice: Dice,
    one: Compared,
    mean: Mean,
    fault: Fault,
    rolls: Callable[[Law, Law], int | None],
) -> tuple[Any, dict[str, Any]]:
    """One fault of given dice: every result before and after; a page, and as data."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    fair, faulty = one.sensitivity.law, faulty_law(dice.totals, [fault])
    ratio, needed = distortion(fair, faulty), rolls(fair, faulty)
    face = dice.dice[fault.die].faces[fault.face]
    what = f"{dice}: face {face} of die {fault.die + 1} heavier by {fault.share}"
    table = Table(show_edge=False, header_style="bold", pad_edge=False)
    for head in ("total", "fair", "faulty", "change"):
        table.add_column(head, justify="right")
    for total, p in sorted(fair.items()):
        change = float(faulty.p(total) / p - 1)
        table.add_row(str(total), str(p), str(faulty.p(total)), f"{change:+.2%}")
    variation, distance = total_variation(fair, faulty), chi_square(fair, faulty)
    page = Group(
        Text(what, style="bold"),
        Text(),
        table,
        Text(),
        Text(f"total variation {variation} = {float(variation):.5f}"),
        Text(f"chi-square distance {float(distance):.6f} per roll"),
        Text(
            f"most distorted: {ratio.high} to {ratio.low}, {float(ratio.times):.4f} times too often"
        ),
        Text(f"rolls to notice: {'never' if needed is None else format(needed, ',')}"),
    )
    return page, {
        "dice": str(dice),
        "fault": {"die": fault.die + 1, "face": str(face), "share": str(fault.share)},
        "totals": {
            str(total): {"fair": str(p), "faulty": str(faulty.p(total))}
            for total, p in sorted(fair.items())
        },
        "variation": str(variation),
        "chi-square": str(distance),
        "ratio": {"times": str(ratio.times), "high": ratio.high, "low": ratio.low},
        "rolls to notice": needed,
        "over all faces": _measures(one, mean),
    }
