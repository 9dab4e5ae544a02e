"""Dice, readings of a roll, and exact distributions.

A `Die` has faces and integer weights; `Dice` are rolled together; a `Reading` is a function of the
faces (the total, the hard way, the higher rank). `Law` is a finite distribution with exact weights.

The pair that never rolls 7 and its relatives are in `ranked`, `peeling` and `red`; Sicherman's dice
in `relabel`; faults of real dice in `faults`, `effects`, `extremes` and `sevenless`.
"""

from sevenout.lazy import opened
from sevenout.rolling.make_dice import dice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sevenout.rolling.deck import Deck
    from sevenout.rolling.die import Die, d4, d6, d8, d10, d12, d20
    from sevenout.rolling.faulty.effects import (
        Sensitivity,
        chi_square,
        distortion,
        sensitivity,
        total_variation,
        worst,
        worst_ratio,
    )
    from sevenout.rolling.faulty.extremes import worst_together
    from sevenout.rolling.faulty.faults import (
        Fault,
        faulty_dice,
        faulty_law,
        mean_change,
        random_faults,
        shares_law,
    )
    from sevenout.rolling.law import Law, Reading, Rollable, Source
    from sevenout.rolling.notation import parse_dice, parse_die
    from sevenout.rolling.roll import Dice, Roll
    from sevenout.rolling.special.peeling import RankedPair, best_pair, peel, ranked_pairs
    from sevenout.rolling.special.ranked import (
        Face,
        RedNumber,
        as_two_dice,
        leave_off,
        repainted,
        tatham,
        totals_and_red,
    )
    from sevenout.rolling.special.red import red_number, red_numbers
    from sevenout.rolling.special.relabel import relabelled
    from sevenout.rolling.special.sevenless import Rerolled, SkipFrom, comparison, designs, one_die
    from sevenout.rolling.spelling import dice_name, die_name, has_notation
    from sevenout.rolling.totals.contests import Versus, versus
    from sevenout.rolling.totals.spreads import Spread, spread
else:
    __getattr__ = opened(
        __name__,
        {
            "totals.contests": "Versus versus",
            "deck": "Deck",
            "die": "Die d4 d6 d8 d10 d12 d20",
            "faulty.effects": "Sensitivity chi_square distortion sensitivity total_variation worst "
            "worst_ratio",
            "faulty.extremes": "worst_together",
            "faulty.faults": "Fault faulty_dice faulty_law mean_change random_faults shares_law",
            "law": "Law Reading Rollable Source",
            "notation": "parse_dice parse_die",
            "spelling": "dice_name die_name has_notation",
            "special.peeling": "RankedPair best_pair peel ranked_pairs",
            "special.ranked": "Face RedNumber as_two_dice leave_off repainted tatham "
            "totals_and_red",
            "special.red": "red_number red_numbers",
            "special.relabel": "relabelled",
            "roll": "Dice Roll",
            "special.sevenless": "Rerolled SkipFrom comparison designs one_die",
            "totals.spreads": "Spread spread",
        },
    )

__all__ = [  # written out: the docs read it without running anything
    "Deck",
    "Dice",
    "Die",
    "Face",
    "Fault",
    "Law",
    "RankedPair",
    "Reading",
    "RedNumber",
    "Rerolled",
    "Roll",
    "Rollable",
    "Sensitivity",
    "SkipFrom",
    "Source",
    "Spread",
    "Versus",
    "as_two_dice",
    "best_pair",
    "chi_square",
    "comparison",
    "d4",
    "d6",
    "d8",
    "d10",
    "d12",
    "d20",
    "designs",
    "dice",
    "dice_name",
    "die_name",
    "distortion",
    "faulty_dice",
    "faulty_law",
    "has_notation",
    "leave_off",
    "mean_change",
    "one_die",
    "parse_dice",
    "parse_die",
    "peel",
    "random_faults",
    "ranked_pairs",
    "red_number",
    "red_numbers",
    "relabelled",
    "repainted",
    "sensitivity",
    "shares_law",
    "spread",
    "tatham",
    "total_variation",
    "totals_and_red",
    "versus",
    "worst",
    "worst_ratio",
    "worst_together",
]
