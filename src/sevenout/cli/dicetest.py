"""`sevenout dice test`: what a file of rolls says about the dice."""

import re
from pathlib import Path
from typing import Literal

from sevenout.cli.options import Json, Seed
from sevenout.cli.out import answer
from sevenout.errors import NotationError


def dice_test(
    rolls: Path | None = None,
    /,
    *,
    dice: str = "d6",
    success: str | None = None,
    example: Literal["weldon"] | None = None,
    confidence: str = "95%",
    seed: Seed = 1,
    json: Json = False,
) -> int:
    """Test real dice: are they what they should be?

    Exits with 1 if they are not.

    Parameters
    ----------
    rolls
        A CSV file: one column of faces for each die, or a header: total; face,count; total,count.
    dice
        The dice as they should be: d6, 2d6, d6{1,2,2,3,3,4}.
    success
        The faces that count as a success, such as 5,6; the file then has two columns: successes in
        a throw of all the dice, and how many throws had so many.
    example
        Show a famous data set: weldon, 26,306 throws of twelve dice.
    confidence
        How likely, at least, fair dice pass, all questions together: 95%, 99/100, 0.999.
    seed
        Of the p-values that are found by Monte Carlo.
    """
    from sevenout.verify import examine, examine_successes, read_rolls, read_successes, weldon
    from sevenout.verify.confidence import confidence_of

    confidence_of(confidence)
    if (rolls is None) == (example is None):
        raise NotationError("give one of the two: a file of rolls, or --example weldon")
    if example is not None and success is not None:
        raise NotationError(f"--success {success} with --example; the example has its own")
    if rolls is not None and success is None:
        report = examine(read_rolls(rolls, dice), confidence, seed)
        answer(report, json)
        return int(not report.agrees)
    faces = [f for f in (success or "").split(",") if f]
    wanted = [int(f) if re.fullmatch(r"-?\d{1,99}", f) else f for f in faces]
    data = weldon() if rolls is None else read_successes(rolls, dice, wanted)
    found = examine_successes(data, confidence, seed)
    answer(found, json)
    return int(not found.agrees)
