"""Statistical tests of dice, simulations and other programs against exact distributions.

`cells_of` puts counts beside a distribution for tests of fit. `Watch` is a test that may be looked
at after every chunk. `games_needed` and `smallest_bias` plan a run. `examine` gives one verdict on
a file of rolls, `confirm` on a simulation, and `conform` on the results of another program.
See docs/howto/verify.md.
"""

from sevenout.verify.agreement import Share, Verdict, confirm, confirm_evenings
from sevenout.verify.conformity import Conformity, conform
from sevenout.verify.counts import Cells, Check, DataError, Pooled, cells_of, holm
from sevenout.verify.examination import (
    Examination,
    FaceRow,
    SampleReport,
    SuccessCounts,
    SuccessReport,
    examine,
    examine_successes,
    read_successes,
    weldon,
)
from sevenout.verify.many_bets import ManyBets
from sevenout.verify.monitoring import Monitor, monitor_of, rounds_counted
from sevenout.verify.planning import (
    GamesNeeded,
    fit_power,
    games_needed,
    noncentrality,
    rolls_to_notice,
    smallest_bias,
)
from sevenout.verify.records import Book
from sevenout.verify.roll_files import Rolls, Sample, read_rolls
from sevenout.verify.significance_tests import (
    ConfidenceInterval,
    Watch,
    bayes_factor,
    binomial_test,
    chi_square,
    clopper_pearson,
    g_test,
    multinomial_test,
    pairs_test,
    runs_test,
    serial_test,
    wilson,
)
from sevenout.verify.vectors import Vectors

__all__ = [
    "Book",
    "Cells",
    "Check",
    "ConfidenceInterval",
    "Conformity",
    "DataError",
    "Examination",
    "FaceRow",
    "GamesNeeded",
    "ManyBets",
    "Monitor",
    "Pooled",
    "Rolls",
    "Sample",
    "SampleReport",
    "Share",
    "SuccessCounts",
    "SuccessReport",
    "Vectors",
    "Verdict",
    "Watch",
    "bayes_factor",
    "binomial_test",
    "cells_of",
    "chi_square",
    "clopper_pearson",
    "confirm",
    "confirm_evenings",
    "conform",
    "examine",
    "examine_successes",
    "fit_power",
    "g_test",
    "games_needed",
    "holm",
    "monitor_of",
    "multinomial_test",
    "noncentrality",
    "pairs_test",
    "read_rolls",
    "read_successes",
    "rolls_to_notice",
    "rounds_counted",
    "runs_test",
    "serial_test",
    "smallest_bias",
    "weldon",
    "wilson",
]
