"""Dice: totals, contests, waiting times, rolls; relabelled dice, dice without a 7, faults."""

import re
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sevenout.documents import Code, Column, HasPage, Page, Table
from sevenout.documents.kinds import MONO
from sevenout.documents.numbers import quantity
from sevenout.errors import NotationError, shown
from sevenout.questions.arguments import (
    PICTURE_FILE,
    ArgumentError,
    arg,
    free_text,
    output_file,
    probability,
    seed,
    whole_number,
)
from sevenout.questions.question import (
    FigureValues,
    LazyAnswer,
    asks,
    printed_count,
    printed_mean,
    printed_probability,
)
from sevenout.questions.schema import (
    FACE_OR_TOTAL,
    boolean,
    by_name,
    exact,
    integer,
    list_of,
    list_of_mappings,
    mapping,
    number,
    record,
    string,
)
from sevenout.questions.subject_kinds import DICE, NUMBERS, ROLLED

if TYPE_CHECKING:
    from sevenout.rolling import Dice, Law, Rollable

ORDINARY_SIDES = 6
PAIRS_SHOWN = 12
"""The number of ranked pairs shown if none is given."""
SHOW = arg("Print at most this many totals, the most likely ones.", default="40")
TOTAL = record(
    "a total",
    {
        "total": FACE_OR_TOTAL,
        "probability": exact("its probability"),
        "at_least": exact("the probability of as much or more"),
        "at_most?": exact("the probability of as much or less"),
    },
)
TOTALS = {
    "dice": string("the dice"),
    "mean": exact("the mean of the total"),
    "variance": exact("its variance"),
    "standard_deviation": number("its standard deviation"),
    "least?": integer("for dice that explode: the lowest total"),
    "generating_function?": string("for dice that explode: the generating function of the totals"),
    "totals": list_of(TOTAL, "every total; for dice that explode, those shown"),
}


# --- totals ---------------------------------------------------------------------------------------


@asks(
    ROLLED,
    "The totals of dice, contests of dice, waiting times, and rolls.",
    TOTALS,
    label="Dice",
)
def dice(dice: Any, show: int = SHOW) -> HasPage:
    """Each total with its probability and both cumulative probabilities."""
    from sevenout.rolling import spread

    answer: HasPage = spread(dice, show=show)
    return answer


@dice.mode(
    "Two dice rolls compared: the probability that one exceeds the other.",
    {
        "more": exact("the probability that the first roll is more"),
        "equal": exact("that both are equal"),
        "less": exact("that the first is less"),
        "difference": exact("the mean difference"),
        "first": record("the first dice", TOTALS),
        "second": record("the other dice", TOTALS),
    },
    heading=lambda vs, show: f"against {vs}",
    label="Two rolls compared",
)
def dice_vs(
    dice: Any,
    vs: str = arg("Compare with other dice: 3d4, d20.", example="3d4", label="Against"),
    show: int = SHOW,
) -> HasPage:
    """The probability that the first roll is higher, equal or lower."""
    from sevenout.rolling import versus

    return versus(dice, vs, show=show)


@dice_vs.saving
@dice.saving
def picture_of_dice(
    answer: Any,
    csv: bool = arg("Print comma-separated values."),
    plot: Path | None = arg(
        "Draw the distribution and its normal curve, or both distributions, to a .png, .svg or "
        ".pdf.",
        PICTURE_FILE,
    ),
    rolled: int = arg(
        "In the picture, mark the result of this many rolls.",
        whole_number(0),
        default="0",
        needs="plot",
    ),
    seed: int | None = arg("The seed of those rolls.", seed(), needs="rolled"),
) -> str | None:
    """A picture of the distributions, and CSV."""
    from sevenout.rolling.spreads import UnboundedSpread, Versus

    laws = [answer.first, answer.second] if isinstance(answer, Versus) else [answer]
    # An unbounded list of totals has no last row.
    if csv and any(isinstance(law, UnboundedSpread) for law in laws):
        raise NotationError(
            "--csv can't list all totals of exploding dice; give --json, which has their "
            "generating function"
        )
    if plot is not None:
        from sevenout.papers import plots

        single = not isinstance(answer, Versus)
        plots.save(plots.totals(*laws, normal=single, rolled=rolled, seed=seed), plot)
    return str(answer.csv()) if csv else None


# --- waiting --------------------------------------------------------------------------------------


@dice.mode(
    "The number of rolls until a total comes up, or a streak of it.",
    {
        "until": list_of(integer("a total"), "the totals to wait for"),
        "rolls": integer("the number of rolls"),
        "streak": integer("how often in a row"),
        "one_roll": printed_probability(
            exact("the probability of the totals in one roll"), "in one roll"
        ),
        "at_once": printed_probability(exact("the probability that the streak begins at once")),
        "by_then": printed_probability(exact("the probability of the streak within these rolls")),
        "mean_rolls": printed_mean(
            exact("the mean number of rolls until it is complete"), "mean rolls"
        ),
        "median_rolls": printed_count(integer("the median; null for a streak", optional=True)),
    },
    subject_kind=DICE,
    heading=lambda until, rolls, streak: (
        f"until {until}" + (f", {streak} times in a row" if streak > 1 else "")
    ),
    label="Waiting for a total",
)
def dice_until(
    dice: "Dice",
    until: str = arg("Wait for this total, or one of several: 7,11.", example="12"),
    rolls: int = arg(
        "The probability that it comes within this many rolls.",
        whole_number(1, 1_000),
        example="24",
        default="24",
    ),
    streak: int = arg(
        "Wait until it comes this many times in a row.", whole_number(1, 200), default="1"
    ),
) -> FigureValues:
    """The distribution of the first roll of the totals, or of the last of a streak of them."""
    from sevenout.rolling.generating_functions import rolls_until_streak

    totals = _parse_totals(until)
    p = Fraction(dice.totals.law.p(lambda face: face in totals))
    for total in totals:
        if total not in dice.totals.law:
            raise ArgumentError("until", f"{total}; {dice} can't roll it")
    law = rolls_until_streak(p, streak)
    is_single = streak == 1
    return FigureValues(
        {
            "until": totals,
            "one_roll": p,
            "at_once": p**streak,
            "by_then": law.cdf(rolls),
            "mean_rolls": law.mean,
            "median_rolls": law.quantile("1/2") if is_single else None,
        },
        names={
            "at_once": "" if is_single else f"{streak} times from now on",
            "by_then": f"within {quantity(rolls, 'roll')}",
            "median_rolls": "median" if is_single else "",
        },
    )


def _parse_totals(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if not all(re.fullmatch(r"-?[0-9]{1,7}", part) for part in parts):
        raise ArgumentError("until", f"{shown(text)}; give totals, such as 12, or 7,11")
    return list(dict.fromkeys(map(int, parts)))


# --- rolls ----------------------------------------------------------------------------------------


@dice.mode(
    "Dice rolled: the faces of each roll, and its total.",
    {
        "rolls": list_of(
            record(
                "a roll",
                {
                    "faces?": list_of(FACE_OR_TOTAL, "its faces"),
                    "total": {"type": ["integer", "string", "null"]},
                },
            )
        )
    },
    subject_kind=DICE,
    label="Dice rolled",
)
def dice_roll(
    dice: "Dice",
    roll: int = arg("Roll the dice this many times.", whole_number(1, 10**6), example="3"),
    seed: int | None = arg("The seed. The same seed rolls the same dice.", seed(), example="1"),
) -> LazyAnswer:
    """The rolls, one per line."""
    from sevenout.rolling import Roll

    rolls = dice.sample(roll, seed)
    data = [
        {"faces": list(rolled.faces), "total": rolled.total}
        if isinstance(rolled, Roll)
        else {"total": rolled}
        for rolled in rolls
    ]
    lines = list(map(_roll_text, rolls))
    return LazyAnswer(
        lambda: Page("", Code(lines)),
        lambda: {"rolls": data},
        terminal_view=lambda: "\n".join(lines),
    )


def _roll_text(roll: Any) -> str:
    from sevenout.rolling import Roll
    from sevenout.rolling.die import total

    if not isinstance(roll, Roll) or roll.faces == (roll.total,):
        return str(getattr(roll, "total", roll))
    if roll.total is None:
        return ", ".join(map(str, roll.faces))
    if roll.total == total(roll.faces):
        return f"{' + '.join(map(str, roll.faces))} = {roll.total}"
    return f"{', '.join(map(str, roll.faces))}: {roll.total}"


# --- dice without a seven -------------------------------------------------------------------------

CHECKED = {"with": boolean("with the total"), "without": boolean("without it")}
FACE = record(
    "a face",
    {
        "value": integer("its number; null if it has none", optional=True),
        "rank": integer("its rank"),
        "red": integer("its red marks"),
    },
)


@asks(
    NUMBERS,
    "A pair of dice that never rolls a 7 and keeps the odds of the other totals.",
    {
        "sides": integer("the sides of the ordinary dice"),
        "without": integer("the total that can be taken out"),
        "dice": list_of(
            record("a die", {"name": string("its name"), "faces": list_of(FACE)}),
            "the dice to paint, the odd one also without the total",
        ),
        "grid": list_of(
            list_of(integer("a total")), "the totals, a row for each face of the even die"
        ),
        "red": list_of(list_of(integer("a red number")), "the red numbers likewise"),
        "totals": record(
            "the probability of each total",
            {
                "with": by_name(exact("with the total")),
                "without": by_name(exact("without it")),
            },
        ),
        "same totals": record("whether the totals are those of ordinary dice", CHECKED),
        "same totals and red numbers": record("whether the red numbers are too", CHECKED),
    },
    label="Dice without a 7",
)
def dice_no_seven(
    _: None,
    sides: int = arg(
        "The number of sides of the ordinary dice: 6 for 2d6.", example="4", default="6"
    ),
) -> LazyAnswer:
    """The faces, the results, and the check."""
    from sevenout.papers.dice_pictures import afford_grid
    from sevenout.questions.dice_pages import (
        lines_page,
        no_seven_data,
        no_seven_lines,
        terminal_text,
    )

    afford_grid(sides)
    title, parts = f"A pair of dice that never rolls {sides + 1}", no_seven_lines(sides)
    return LazyAnswer(
        lambda: lines_page(title, parts),
        lambda: no_seven_data(sides),
        sides,
        terminal_view=lambda: terminal_text(title, parts),
    )


@dice_no_seven.saving
def sheet_of_faces(
    answer: LazyAnswer,
    sheet: Path = arg(
        "Write the faces in real size to this file: .svg or .pdf. Print it at 100 %.",
        output_file("the sheet of faces", ".svg", ".pdf"),
        default=None,
    ),
) -> None:
    """The faces on paper."""
    from sevenout.papers.dice_pictures import face_sheet

    (sides,) = answer.results
    face_sheet(sheet, sides)


# --- other dice with the same totals --------------------------------------------------------------

TARGET = arg(
    "The dice whose totals to match: 2d6, 3d6, d4+d6.",
    free_text(),
    example="2d4",
    default="2d6",
    positional=True,
)
ON = arg("The sides of the new dice, such as 4,9. The default is those of the target.")


@asks(
    NUMBERS,
    "All dice with the same distribution of totals as given dice, such as Sicherman's.",
    {
        "target": string("the dice whose totals are matched"),
        "count": integer("how many sets there are"),
        "sets": list_of(
            list_of(list_of(FACE_OR_TOTAL)), "the sets: of each, the faces of each die"
        ),
    },
    label="Dice with the same totals",
)
def dice_relabel(
    _: None,
    dice: str = TARGET,
    on: str | None = ON,
    lowest: int = arg("The lowest number on a face.", whole_number(-999, 999), default="1"),
) -> LazyAnswer:
    """Every set of dice with its faces."""
    from sevenout.rolling import parse_dice, relabelled

    rolled = parse_dice(dice)
    sides = None if on is None else parse_sides(on)
    sets = relabelled(rolled, sides, lowest)
    shape = f" on {'+'.join(f'd{n}' for n in sides)}" if sides else ""
    columns = [Column(f"die {n + 1}", MONO) for n in range(max(map(len, sets), default=1))]
    rows = [list(map(str, dice_of_set)) for dice_of_set in sets]
    faces = [[list(map(_face_data, die.faces)) for die in dice_of_set] for dice_of_set in sets]
    return LazyAnswer(
        lambda: Page(
            f"{quantity(len(sets), 'set')} of dice{shape} with the totals of {rolled}",
            *([Table(columns, rows)] if rows else []),
        ),
        lambda: {"target": str(rolled), "count": len(sets), "sets": faces},
    )


def parse_sides(text: str) -> list[int]:
    """Parse the sides of dice: 4,9 or d4,d9."""
    parts = [part.strip().removeprefix("d") for part in text.replace("+", ",").split(",")]
    if not all(part.isdecimal() and len(part) < 6 and 1 <= int(part) <= 10_000 for part in parts):
        raise ArgumentError("on", f"{shown(text)}; write the sides of the dice, such as 4,9")
    return [int(part) for part in parts]


def _face_data(face: Any) -> Any:
    return face if isinstance(face, int) else str(face)


VALUE_OR_RANK = integer("a value or a rank", optional=True)
PAIR = record(
    "a pair",
    {
        "dice": list_of(list_of(list_of(VALUE_OR_RANK)), "of each die its faces: value and rank"),
        "can lose": list_of(integer("a total that can be taken out")),
        "red": mapping("by the die whose number it is, the red marks; null if there are none"),
        "fragility": string("how much a random fault disturbs the totals"),
    },
)


@dice_relabel.mode(
    "The pairs of ranked dice with given totals. The die with the higher rank sets the total.",
    {
        "target": string("the dice whose totals are matched"),
        "on": list_of(integer("the sides of a die"), "the sides of the dice"),
        "count": integer("how many pairs there are"),
        "up to exchange": integer("how many if the dice may be exchanged"),
        "up to exchange and reflection": integer("how many if totals may be mirrored too"),
        "pairs": list_of(PAIR, "the pairs"),
    },
    label="Ranked dice",
)
def dice_relabel_ranked(
    _: None,
    ranked: bool = arg(
        "Pairs of ranked dice: the die with the higher rank sets the total.", example="yes"
    ),
    dice: str = TARGET,
    on: str | None = ON,
    without: int | None = arg("List only pairs from which this total can be taken out."),
    show: int = arg(
        "The number of pairs to show. JSON holds them all.",
        whole_number(0),
        default=str(PAIRS_SHOWN),
    ),
    pair: int | None = arg("Show one pair in full, by its number in the list."),
) -> LazyAnswer:
    """The pairs, or one of them in full."""
    from sevenout.questions import dice_pages as pages
    from sevenout.rolling import parse_dice, ranked_pairs

    rolled = parse_dice(dice)
    sides = parse_sides(on) if on is not None else [len(die.faces) for die in rolled.dice]
    # The rule of the higher rank is about two dice.
    if len(sides) != 2:
        name, text = ("dice", dice) if on is None else ("on", on)
        raise ArgumentError(
            name,
            f"{shown(text)} are {len(sides)} dice; a ranked pair is two, on sides such as 4,9",
        )
    pairs = ranked_pairs(rolled, *sides)
    if without is not None:
        pairs = tuple(candidate for candidate in pairs if without in candidate.removable)
    if pair is None:
        return LazyAnswer(
            lambda: pages.ranked_page(rolled, sides, pairs, show),
            lambda: pages.ranked_data(rolled, sides, pairs),
        )
    if show != PAIRS_SHOWN:
        raise ArgumentError("show", f"{show}; pair= shows one pair: leave it out")
    if pair > len(pairs):
        raise ArgumentError("pair", f"{pair}: there are {len(pairs)} pairs, numbered from 1")
    shown_pair = pairs[pair - 1]
    title = f"A ranked pair with the totals of {rolled}"
    parts = pages.pair_lines(rolled, shown_pair)
    return LazyAnswer(
        lambda: pages.lines_page(title, parts),
        lambda: pages.ranked_data(rolled, sides, [shown_pair]),
        terminal_view=lambda: pages.terminal_text(title, parts),
    )


# --- faults ---------------------------------------------------------------------------------------


@asks(
    NUMBERS,
    "The effect of a face that is too heavy, and the number of rolls that detects it.",
    {
        "dice?": string("the dice"),
        "fault?": mapping("the fault: which die, which face, how much too heavy"),
        "totals?": mapping("each total, fair and faulty"),
        "variation?": exact("the total variation distance"),
        "chi_square?": exact("the chi-square distance"),
        "ratio?": mapping("the ratio of two totals that changes most"),
        "rolls_to_notice?": integer("the rolls after which a test notices", optional=True),
        "over_all_faces?": mapping("the worst fault of any face, and the mean of random ones"),
        "share?": string("how much a face is too heavy"),
        "confidence?": string("that of the test"),
        "power?": number("how often it notices"),
        "deviation?": number("the standard deviation of random faults"),
        "designs?": list_of_mappings("the designs side by side"),
    },
    label="Faulty dice",
)
def dice_faults(
    _: None,
    design: str | None = arg(
        "The dice: 2d6, tatham, or no-seven (tatham's pair without the 7). The default compares "
        "all the designs without a 7, with the same fault.",
        example="2d6",
        positional=True,
    ),
    sides: int = arg(
        "The number of sides of each die, for tatham, no-seven and the comparison.",
        whole_number(2, 100),
        default=str(ORDINARY_SIDES),
    ),
    share: Fraction = arg(
        "How much heavier one face is than it should be: 1/4 is 25 % more weight.", default="1/4"
    ),
    die: int | None = arg(
        "The faulty die, counted from 1. The default is the die and face with the largest effect.",
        needs="face",
    ),
    face: str | None = arg("The faulty face of that die.", needs="die"),
    deviation: Fraction = arg("The standard deviation of the random faults.", default="1/20"),
    draws: int = arg("The number of random faults to draw.", example="1000", default="10000"),
    seed: int = arg("The seed of the random faults.", seed(), default="1"),
    confidence: Fraction = arg(
        "The confidence of the test that detects the fault: 95%, 99/100.",
        probability(),
        default="95%",
    ),
    power: Fraction = arg(
        "The probability that the test detects the fault: 90%, 0.9.", probability(), default="90%"
    ),
) -> LazyAnswer:
    """One fault of given dice; or two-dice designs without a 7, under the same fault."""
    from sevenout.questions.dice_pages import comparison_page, fault_page
    from sevenout.rolling import comparison, designs, mean_change, parse_dice, shares_law, tatham
    from sevenout.rolling.faults import find_face
    from sevenout.verify import rolls_to_notice
    from sevenout.verify.counts import percentage

    def rolls_needed(law: "Law", faulty: "Law") -> int | None:
        return rolls_to_notice(law, faulty, confidence, power)

    if design is None and die is not None:
        raise ArgumentError("die", f"{die}; give design= too, such as 2d6")
    is_pair = design in (None, "tatham", "no-seven")
    if not is_pair and sides != ORDINARY_SIDES:
        raise ArgumentError("sides", f"{sides}; the dice {design} have their own: leave it out")
    dice = None
    rollables: dict[str, Rollable] = designs(sides)
    if design is not None:
        removed = sides + 1 if design == "no-seven" else None
        dice = tatham(sides, removed) if design in ("tatham", "no-seven") else parse_dice(design)
        rollables = {str(dice): dice.totals}
    effects = comparison(rollables, share, rolls_needed)
    shares = shares_law(deviation)
    means = [mean_change(totals, shares, draws=draws, seed=seed) for totals in rollables.values()]
    if dice is None:
        page, data = comparison_page(
            rollables,
            effects,
            means,
            share=share,
            deviation=float(shares.variance) ** 0.5,
            confidence=percentage(confidence),
            power=float(power),
        )
    else:
        fault = effects[0].worst.faults[1]
        if die is not None and face is not None:
            if not 1 <= die <= len(dice):
                raise ArgumentError("die", f"{die}; the dice {dice} are 1 to {len(dice)}")
            fault = find_face(dice, die - 1, face)._replace(share=share)
        page, data = fault_page(dice, effects[0], means[0], fault, rolls_needed)
    return LazyAnswer(lambda: page, lambda: data, effects)


@dice_faults.saving
def heat_map_of_faults(
    answer: LazyAnswer,
    plot: Path = arg(
        "Draw a heat map of results against faces: .svg, .pdf or .png.", PICTURE_FILE, default=None
    ),
) -> None:
    """A heat map of faults."""
    from sevenout.papers.dice_pictures import heat_map

    (effects,) = answer.results
    heat_map(plot, effects)
