"""Pages of dice: faulty dice, and ranked dice as faces and grids, in colour on a terminal."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from sevenout.documents import Block, Code, Column, Fact, Facts, Page, Table, Text
from sevenout.documents.kinds import COUNT, DECIMAL, FRACTION, LABEL, PERCENT
from sevenout.documents.numbers import decimal, percent
from sevenout.papers.dice_pictures import FIRST_WINS, INK, LEFT_OFF, RED, SECOND_WINS, cells, strips
from sevenout.rolling import Dice, Law, RankedPair, Rollable, parse_dice, tatham, totals_and_red
from sevenout.rolling.faults import (
    MAX_CORNERS,
    Fault,
    MeanChange,
    chi_square_distance,
    corner_count,
    distortion,
    faulty_law,
    total_variation,
    worst_ratio,
    worst_together,
)
from sevenout.rolling.peeling import best_pair, pair_classes, red_number
from sevenout.rolling.ranked import Face, RedIsHalf, higher_rank
from sevenout.rolling.sevenless import FaultEffect

MEASURES = "variation", "chi_square", "ratio"
"""The measures of `worst_together`, in order."""


def comparison_page(
    rollables: dict[str, Rollable],
    effects: Sequence[FaultEffect],
    means: Sequence[MeanChange],
    *,
    share: Fraction,
    deviation: float,
    confidence: str,
    power: float,
) -> tuple[Page, dict[str, Any]]:
    """Designs compared under the same faults: a page and data.

    Args:
        rollables: the designs by name.
        effects: the effect of one faulty face on each.
        means: the mean change of each under random faults.
        share: the excess weight of the faulty face.
        deviation: the standard deviation of the random faults.
        confidence: of the test that notices a fault, in print.
        power: of that test.
    """
    results = sorted(effects[0].sensitivity.law, key=lambda t: -effects[0].sensitivity.law[t])
    # the two totals beside the likeliest, such as 6 and 8
    low, high = sorted(results[1:3])
    ratios = [worst_ratio(effect.sensitivity, share, low, high) for effect in effects]
    worst_by_name = {
        name: dict(zip(MEASURES, worst_together(rollable, share, (high, low)), strict=True))
        for name, rollable in rollables.items()
        # Corners double with each unlike face, and every one of them is compared.
        if 0 < share < 1 and corner_count(rollable) <= MAX_CORNERS
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
            _one_face(effects, means, ratios, f"{high} : {low}"),
        ),
        Page(
            f"All faces wrong by up to {share}, either way, and all in the worst way",
            _all_faces(worst_by_name, f"{high} : {low}"),
        ),
        Text(note, tone="note"),
    )
    designs = [
        {
            "name": effect.name,
            **_fault_data(effect, mean),
            "all_faces": {
                measure: str(value)
                for measure, (value, _) in worst_by_name.get(effect.name, {}).items()
            },
            "worst_of_two_totals": {"high": high, "low": low, "times": str(ratio)},
        }
        for effect, mean, ratio in zip(effects, means, ratios, strict=True)
    ]
    data = {
        "share": str(share),
        "confidence": confidence,
        "power": power,
        "deviation": deviation,
        "designs": designs,
    }
    return page, data


def _one_face(
    effects: Sequence[FaultEffect], means: Sequence[MeanChange], ratios: Sequence[Any], ratio: str
) -> Table:
    """The effect of one heavier face on each design, worst and mean."""
    four, three = DECIMAL.with_digits(4), DECIMAL.with_digits(3)
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
            effect.name,
            effect.worst.variation,
            1000 * effect.worst.chi_square,
            worst,
            "never" if effect.rolls is None else effect.rolls,
            effect.fragility,
            mean.variation[0],
            1000 * mean.chi_square[0],
        )
        for effect, mean, worst in zip(effects, means, ratios, strict=True)
    ]
    return Table(columns, rows)


def _all_faces(worst_by_name: dict[str, dict[str, Any]], ratio: str) -> Block:
    """The effect of the worst faults of all faces together on each design."""
    if not worst_by_name:
        return Text("too many faces to look at every corner", tone="note")
    columns = [
        "design",
        Column("variation", DECIMAL.with_digits(4)),
        Column("1000 χ²", DECIMAL.with_digits(1)),
        Column(ratio, DECIMAL.with_digits(4)),
    ]
    rows = [
        (name, worst["variation"][0], 1000 * worst["chi_square"][0], worst["ratio"][0])
        for name, worst in worst_by_name.items()
    ]
    return Table(columns, rows)


def _fault_data(effect: FaultEffect, mean: MeanChange) -> dict[str, Any]:
    ratio = effect.worst.ratio
    return {
        "worst_variation": str(effect.worst.variation),
        "worst_chi_square": str(effect.worst.chi_square),
        "worst_ratio": {"times": str(ratio.times), "high": ratio.high, "low": ratio.low},
        "rolls_to_notice": effect.rolls,
        "fragility": str(effect.fragility),
        "mean": {name: {"value": v, "error": e} for name, (v, e) in mean._asdict().items()},
        "sensitivity": {
            str(result): [str(x) for x in row]
            for result, row in zip(effect.sensitivity.law, effect.sensitivity.matrix, strict=True)
        },
    }


def fault_page(
    dice: Dice,
    effect: FaultEffect,
    mean: MeanChange,
    fault: Fault,
    rolls_needed: Callable[[Law, Law], int | None],
) -> tuple[Page, dict[str, Any]]:
    """One fault of given dice, with every result before and after: a page and data.

    Args:
        dice: the dice.
        effect: the effect of the worst faulty face.
        mean: the mean change under random faults.
        fault: the fault to show.
        rolls_needed: the rolls after which a test tells two distributions apart; None for never.
    """
    fair, faulty = effect.sensitivity.law, faulty_law(dice.totals, [fault])
    ratio, needed = distortion(fair, faulty), rolls_needed(fair, faulty)
    face = dice.dice[fault.die].faces[fault.face]
    rows = [(str(t), p, faulty.p(t), faulty.p(t) / p - 1) for t, p in sorted(fair.items())]
    columns = [Column("total", LABEL), Column("fair", FRACTION), Column("faulty", FRACTION)]
    variation, distance = total_variation(fair, faulty), chi_square_distance(fair, faulty)
    times = f"{decimal(ratio.times, 4)} times too often"
    page = Page(
        f"{dice}: face {face} of die {fault.die + 1} heavier by {fault.share}",
        Table([*columns, Column("change", PERCENT.with_digits(2, sign=True))], rows),
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
        "over_all_faces": _fault_data(effect, mean),
    }


RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def no_seven_data(sides: int) -> dict[str, Any]:
    """The pair and its check, as data."""
    removed = sides + 1
    grid = cells(sides)
    plain = parse_dice(f"2d{sides}")
    red = plain.read(lambda roll: (roll.total, roll.faces[0])).law
    pairs = {
        "with": (tatham(sides), red),
        "without": (tatham(sides, without=removed), _without_total(red, removed)),
    }
    return {
        "sides": sides,
        "without": removed,
        "dice": [
            {
                "name": strip.title,
                "faces": [{"value": f.value, "rank": f.rank, "red": f.red} for f in strip.faces],
            }
            for strip in strips(sides)
        ],
        "grid": _grid_rows([cell.total for _, _, cell in grid], sides),
        "red": _grid_rows([cell.red for _, _, cell in grid], sides),
        "totals": {
            name: {str(total): str(p) for total, p in dice.totals.law.items()}
            for name, (dice, _) in pairs.items()
        },
        "same totals": {
            name: dice.totals.law == _totals(law) for name, (dice, law) in pairs.items()
        },
        "same totals and red numbers": {
            name: totals_and_red(dice).law == law for name, (dice, law) in pairs.items()
        },
    }


def _grid_rows(cells_in_order: list[int], sides: int) -> list[list[int]]:
    return [cells_in_order[k : k + sides] for k in range(0, len(cells_in_order), sides)]


def _without_total(law: Law, removed: int) -> Law:
    return Law.of_probabilities({pair: p for pair, p in law.items() if pair[0] != removed})


def _totals(law: Law) -> Law:
    return law.read(lambda pair: pair[0]).law


Run = tuple[str, str]
"""A piece of a line, and its style on a terminal."""
Lines = list[list[Run]]


def no_seven_lines(sides: int) -> list[Lines]:
    """The faces to paint, how to read them, the grid in colour, and the check."""
    data, removed = no_seven_data(sides), sides + 1
    faces: Lines = []
    for strip in strips(sides):
        faces += [[(strip.title, "bold")], []]
        for face in dict.fromkeys(strip.faces):
            faces[-1] += [("  ", ""), *_face_runs(face, signed=strip.signed)]
    reading = (
        "Total: the face with more dots. A blank face has none, so the other die is the total. Red "
        f"number: the sum of the red marks; add or subtract {sides} if it is outside 1 to {sides}."
    )
    key: list[Run] = [("     ", "")]
    for colour, words in (
        (FIRST_WINS, "the even die wins"),
        (SECOND_WINS, "the odd die wins"),
        (LEFT_OFF, f"{removed}: a face to leave off"),
    ):
        key += [(f" {words} ", f"{INK} on {colour}"), ("  ", "")]
    checks: Lines = []
    for name in ("with", "without"):
        totals = data["totals"][name]
        is_exact = data["same totals"][name] and data["same totals and red numbers"][name]
        check = "exactly as" if is_exact else "NOT as"
        ordinary = f"2d{sides}" if name == "with" else f"2d{sides} without its {removed}"
        pairs = len(totals_and_red(tatham(sides, None if name == "with" else removed)).law)
        sizes = f"{name} the {removed}: {len(totals)} totals and {pairs} (total, red) pairs"
        checks.append([(f"{sizes}, {check} {ordinary}", "")])
    return [faces, [[(reading, "dim")]], [*grid(tatham(sides), removed), key], checks]


def lines_page(title: str, parts: Sequence[Lines]) -> Page:
    """A page of lines."""
    texts = [["".join(text for text, _ in line).rstrip() for line in part] for part in parts]
    return Page(title, *map(Code, texts))


def terminal_text(title: str, parts: Sequence[Lines]) -> Any:
    """The same in colour for a terminal."""
    from rich.text import Text as Coloured

    lines = [line for part in parts for line in [[], *part]]
    shown = [Coloured.assemble(*line) for line in [[(title, "bold")], *lines]]
    return Coloured("\n", no_wrap=True).join(shown)


def _face_runs(face: Face, *, signed: bool) -> list[Run]:
    # More dots than a dozen are hard to count.
    dots = "·" * face.rank if face.rank <= 12 else f"^{face.rank}"
    runs = [("blank" if face.value is None else f"{face.value}{dots}", "bold")]
    if face.red:
        runs.append((f"({face.red:+d})" if signed else f"({face.red})", RED))
    return runs


def grid(pair: Dice, *removed: int) -> Lines:
    """The results of two ranked dice, in the colour of the winning die, or of a removed total."""
    rows, columns = (_ranked_faces(die) for die in pair.dice)
    lines: Lines = [[("     " + "".join(f"{_value_text(face):^6}" for face in columns), "bold")]]
    for row in rows:
        line = [(f"{_value_text(row):>4} ", "bold")]
        for column in columns:
            total = higher_rank((row, column))
            wins = FIRST_WINS if row.rank > column.rank else SECOND_WINS
            colour = LEFT_OFF if total in removed else wins
            red = ""
            if isinstance(pair.hard, RedIsHalf):
                red = str(pair.hard.red((row, column))).translate(RAISED)
            line += [(f"{total:>3}", f"{INK} on {colour}"), (f"{red:<2} ", f"{RED} on {colour}")]
        lines.append(line)
    return lines


def pair_lines(dice: Dice, pair: RankedPair) -> list[Lines]:
    """One ranked pair in full: its faces, possible red numbers, and grid."""
    parts: list[Lines] = []
    numbered = [red_number(pair, dice, red) for red in _red_dice(dice)]
    for numbered_pair in [p for p in numbered if p is not None] or [pair]:
        words = "no red number"
        if numbered_pair.reds is not None:
            words = f"red number: that of the d{numbered_pair.red_sides}"
        faces: Lines = [[(words, "dim")]]
        for name, die in zip(("first", "second"), numbered_pair.dice.dice, strict=True):
            line = [(f"{name} d{len(die.faces)}:", "bold")]
            for face in _ranked_faces(die):
                line += [("  ", ""), *_face_runs(face, signed=False)]
            faces.append(line)
        parts += [faces, grid(numbered_pair.dice, *pair.removable)]
    lose = ", ".join(map(str, pair.removable)) or "nothing"
    return [*parts, [[(f"Can lose: {lose}. Fragility {pair.fragility}.", "")]]]


def _value_text(face: Any) -> str:
    return "–" if face.value is None else str(face.value)


def ranked_data(dice: Dice, sides: Sequence[int], pairs: Sequence[RankedPair]) -> dict[str, Any]:
    """All ranked pairs, as data."""
    reds = _red_dice(dice)
    return {
        "target": str(dice),
        "on": list(sides),
        "count": len(pairs),
        "up to exchange": len(pair_classes(pairs)),
        "up to exchange and reflection": len(pair_classes(pairs, reflect=True)),
        "pairs": [
            {
                "dice": [[[f.value, f.rank] for f in _ranked_faces(die)] for die in pair.dice.dice],
                "can lose": list(pair.removable),
                "red": {str(red + 1): _red_marks(pair, dice, red) for red in reds},
                "fragility": str(pair.fragility),
            }
            for pair in pairs
        ],
    }


def _ranked_faces(die: Any) -> list[Face]:
    return [face for face in die.faces if isinstance(face, Face)]


def _red_dice(dice: Dice) -> list[int]:
    """The dice that can be red, without duplicates."""
    plain = [list(die.faces) == list(range(1, len(die.faces) + 1)) for die in dice.dice]
    return [
        k
        for k, die in enumerate(dice.dice)
        if plain[k] and set(die.weights) == {1} and die not in dice.dice[:k]
    ]


def _red_marks(pair: RankedPair, dice: Dice, red: int) -> list[list[int]] | None:
    numbered = red_number(pair, dice, red)
    return None if numbered is None or numbered.reds is None else list(map(list, numbered.reds))


def ranked_page(dice: Dice, sides: Sequence[int], pairs: Sequence[RankedPair], show: int) -> Page:
    """The number of ranked pairs, the best of them, and the first few."""
    shape = " and ".join(f"d{n}" for n in sides)
    title = f"{len(pairs):,} ranked pairs on {shape} have the totals of {dice}"
    if not pairs:
        return Page(title)
    blocks: list[Block] = []
    if len(set(sides)) == 1:
        blocks.append(
            Text(
                f"{len(pair_classes(pairs)):,} up to exchanging the dice, "
                f"{len(pair_classes(pairs, reflect=True)):,} also up to t → "
                f"{min(pairs[0].law) + max(pairs[0].law)} − t"
            )
        )
    reds = _red_dice(dice)
    headings = (
        "first die",
        "second die",
        "can lose",
        *(f"red d{len(dice.dice[k].faces)}" for k in reds),
    )
    columns = [Column("", COUNT), *headings, Column("fragility", FRACTION)]
    rows = [
        (
            k,
            *(" ".join(map(_face_text, die.faces)) for die in pair.dice.dice),
            ", ".join(map(str, pair.removable)) or "–",
            *("yes" if _red_marks(pair, dice, red) else "no" for red in reds),
            pair.fragility,
        )
        for k, pair in enumerate(pairs[:show], start=1)
    ]
    blocks.append(Table(columns, rows))
    if len(pairs) > show:
        blocks.append(Text(f"and {len(pairs) - show:,} more: --show {len(pairs)}", tone="note"))
    best = best_pair(pairs)
    count = sum(pair.fragility == best.fragility for pair in pairs)
    which_pairs = "all of them" if count == len(pairs) else f"{count:,} of them, the first: {best}"
    return Page(
        title,
        *blocks,
        Text(f"Least disturbed by random faults (fragility {best.fragility}): {which_pairs}"),
        Text(
            "7^6 is a 7 of rank 6; the higher rank is the total. --pair 1 shows the first in full.",
            tone="note",
        ),
    )


def _face_text(face: Any) -> str:
    return "–" if face.value is None else str(face)
