"""The effect of a heavy face, and how many rolls reveal it."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sevenout.errors import NotationError
from sevenout.questions.arguments import Argument, ArgumentError, amount, seed, share, text, whole
from sevenout.questions.findings import LazyAnswer
from sevenout.questions.question import Question
from sevenout.questions.schema import exact, integer, number, string
from sevenout.questions.subject_kinds import NUMBERS

if TYPE_CHECKING:
    from sevenout.rolling import Law, Rollable

OBJECT = {"type": "object"}
Share = Fraction


def answer(
    _: None,
    *,
    design: str | None,
    sides: int,
    share: Share,
    die: int | None,
    face: str | None,
    deviation: Share,
    draws: int,
    seed: int,
    confidence: Share,
    power: Share,
) -> LazyAnswer:
    """One fault of given dice; or two-dice designs without a 7, under the same fault."""
    from sevenout.questions.dice_pages.fault_pages import comparison_page, fault_page
    from sevenout.rolling import comparison, designs, mean_change, parse_dice, shares_law, tatham
    from sevenout.rolling.faulty.faults import face_of
    from sevenout.verify import rolls_to_notice
    from sevenout.verify.counts import percentage

    sure, often = percentage(confidence), float(power)

    def rolls(law: "Law", faulty: "Law") -> int | None:
        return rolls_to_notice(law, faulty, confidence, often)

    if design is None and (die is not None or face is not None):
        raise NotationError(
            "die= and face= need dice; give them first, as in sevenout dice faults 2d6"
        )
    if (die is None) != (face is None):
        raise NotationError("give die= and face= together, or neither for the worst face of all")
    one = None
    chosen: dict[str, Rollable] = designs(sides)
    if design is not None:
        out = sides + 1 if design == "no-seven" else None
        one = tatham(sides, out) if design in ("tatham", "no-seven") else parse_dice(design)
        chosen = {str(one): one.totals}
    compared = comparison(chosen, share, rolls)
    shares = shares_law(deviation)
    means = [mean_change(each, shares, draws=draws, seed=seed) for each in chosen.values()]
    if one is None:
        page, data = comparison_page(chosen, compared, (means, shares), share, (sure, often))
    else:
        fault = compared[0].worst.by[1]
        if die is not None and face is not None:
            if not 1 <= die <= len(one):
                raise ArgumentError("die", f"{die}; the dice {one} are 1 to {len(one)}")
            fault = face_of(one, die - 1, face)._replace(share=share)
        page, data = fault_page(one, compared[0], means[0], fault, rolls)
    return LazyAnswer(lambda: page, lambda: data, compared)


def _object(what: str) -> dict[str, Any]:
    return OBJECT | {"description": what}


QUESTION = Question(
    name="faults",
    help=("The effect of a face that is too heavy, and the number of rolls that detects it."),
    of=NUMBERS,
    answer=answer,
    under="dice",
    arguments=(
        Argument(
            "design",
            text(),
            "The dice: 2d6, tatham, or no-seven (tatham's pair without the 7). The default "
            "compares all the designs without a 7, with the same fault.",
            "2d6",
            None,
            placed=True,
        ),
        Argument(
            "sides",
            whole(2, 100),
            "The number of sides of each die, for tatham, no-seven and the comparison.",
            default="6",
        ),
        Argument(
            "share",
            amount(),
            "How much heavier one face is than it should be: 1/4 is 25 % more weight.",
            default="1/4",
        ),
        Argument(
            "die",
            whole(),
            (
                "The faulty die, counted from 1. The default is the die and face with the "
                "largest effect."
            ),
            default=None,
        ),
        Argument("face", text(), "The faulty face of that die.", default=None),
        Argument(
            "deviation",
            amount(),
            "The standard deviation of the random faults.",
            default="1/20",
        ),
        Argument("draws", whole(), "The number of random faults to draw.", "1000", "10000"),
        Argument("seed", seed(), "The seed of the random faults.", default="1"),
        Argument(
            "confidence",
            share(),
            "The confidence of the test that detects the fault: 95%, 99/100.",
            default="95%",
        ),
        Argument(
            "power",
            share(),
            "The probability that the test detects the fault: 90%, 0.9.",
            default="90%",
        ),
    ),
    returns={
        "dice?": string("the dice"),
        "fault?": _object("the fault: which die, which face, by how much it is too heavy"),
        "totals?": _object("each total, fair and faulty"),
        "variation?": exact("the total variation distance"),
        "chi-square?": exact("the chi-square distance"),
        "ratio?": _object("the ratio of two totals that changes most"),
        "rolls to notice?": integer("the rolls after which a test notices", optional=True),
        "over all faces?": _object("the worst fault of any face, and the mean of random ones"),
        "share?": string("by how much a face is too heavy"),
        "confidence?": string("that of the test"),
        "power?": number("how often it notices"),
        "deviation?": number("the standard deviation of random faults"),
        "designs?": {
            "type": "array",
            "items": OBJECT,
            "description": "the designs side by side",
        },
    },
)
