"""Dice and distributions that calculate, exactly.

A `Die` has faces and integer weights; `Dice` are rolled together; a `Reading` is a function of the
roll (the total, the hard way, the higher rank). `Law` is a finite distribution with exact weights,
`UnboundedLaw` one without a highest value; both take operators. `pool` counts faces, `deck` deals
cards, and one notation (`notation`) is read everywhere.

The pair that never rolls 7 is in `ranked`, its relatives in `peeling` and `sevenless`; Sicherman's
dice in `relabel`; faults of real dice in `faults`.
"""

from sevenout.lazy import lazy_getattr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sevenout.rolling.convolution import Vector
    from sevenout.rolling.decks import Deal, Deck, deck
    from sevenout.rolling.dice_sources import (
        dice,
        each,
        highest,
        law,
        lowest,
        mixture,
        pool,
        repeat,
    )
    from sevenout.rolling.die import Dice, Die, Roll, d4, d6, d8, d10, d12, d20
    from sevenout.rolling.faults import (
        Fault,
        Sensitivity,
        chi_square_distance,
        distortion,
        faulty_dice,
        faulty_law,
        mean_change,
        random_faults,
        sensitivity,
        shares_law,
        total_variation,
        worst,
        worst_ratio,
        worst_together,
    )
    from sevenout.rolling.laws import Law, Reading, Rollable, Source
    from sevenout.rolling.notation import (
        has_notation,
        parse_dice,
        roll,
    )
    from sevenout.rolling.peeling import (
        RankedPair,
        best_pair,
        pair_classes,
        peel,
        ranked_pairs,
        red_number,
        red_numbers,
    )
    from sevenout.rolling.pools import Pool
    from sevenout.rolling.ranked import (
        Face,
        RedNumber,
        SkipFrom,
        as_two_dice,
        grid,
        leave_off,
        repainted,
        tatham,
        totals_and_red,
    )
    from sevenout.rolling.relabel import relabelled
    from sevenout.rolling.sevenless import Rerolled, comparison, designs, one_die
    from sevenout.rolling.spreads import Spread, Versus, spread, versus
    from sevenout.rolling.unbounded import UnboundedLaw
else:
    __getattr__ = lazy_getattr(
        __name__,
        {
            "convolution": "Vector",
            "decks": "Deal Deck deck",
            "die": "Dice Die Roll d4 d6 d8 d10 d12 d20",
            "faults": "Fault Sensitivity chi_square_distance distortion faulty_dice faulty_law "
            "mean_change random_faults sensitivity shares_law total_variation worst worst_ratio "
            "worst_together",
            "laws": "Law Reading Rollable Source",
            "pools": "Pool",
            "unbounded": "UnboundedLaw",
            "dice_sources": "dice each highest law lowest mixture pool repeat",
            "notation": "has_notation parse_dice roll",
            "peeling": "RankedPair best_pair pair_classes peel ranked_pairs red_number red_numbers",
            "ranked": "Face RedNumber SkipFrom as_two_dice grid leave_off repainted tatham "
            "totals_and_red",
            "relabel": "relabelled",
            "sevenless": "Rerolled comparison designs one_die",
            "spreads": "Spread Versus spread versus",
        },
    )

__all__ = [  # written out: the docs read it without running anything
    "Deal",
    "Deck",
    "Dice",
    "Die",
    "Face",
    "Fault",
    "Law",
    "Pool",
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
    "UnboundedLaw",
    "Vector",
    "Versus",
    "as_two_dice",
    "best_pair",
    "chi_square_distance",
    "comparison",
    "d4",
    "d6",
    "d8",
    "d10",
    "d12",
    "d20",
    "deck",
    "designs",
    "dice",
    "distortion",
    "each",
    "faulty_dice",
    "faulty_law",
    "grid",
    "has_notation",
    "highest",
    "law",
    "leave_off",
    "lowest",
    "mean_change",
    "mixture",
    "one_die",
    "pair_classes",
    "parse_dice",
    "peel",
    "pool",
    "random_faults",
    "ranked_pairs",
    "red_number",
    "red_numbers",
    "relabelled",
    "repainted",
    "repeat",
    "roll",
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
