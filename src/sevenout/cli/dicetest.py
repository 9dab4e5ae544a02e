"""`sevenout dice test`: test dice by a file of their rolls."""

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
    """Test whether real dice are fair, or follow a given design.

    The exit code is 1 if the dice fail.

    Parameters
    ----------
    rolls
        A CSV file: a column of faces for each die, or a file with the header total; face,count; or
        total,count.
    dice
        The dice as designed: d6, 2d6, d6{1,2,2,3,3,4}.
    success
        The faces that count as a success, such as 5,6. The file then has two columns: the successes
        in a throw of all the dice, and the number of throws with that result.
    example
        Test a famous data set instead: weldon, 26,306 throws of twelve dice.
    confidence
        The minimum probability that fair dice pass all tests together: 95%, 99/100, 0.999.
    seed
        The seed of Monte Carlo p-values.
    """
    from sevenout.verify import examine, examine_successes, read_rolls, read_successes, weldon
    from sevenout.verify.counts import confidence_of

    confidence_of(confidence)
    if (rolls is None) == (example is None):
        raise NotationError("give a file of rolls or --example weldon, one of the two")
    if example is not None and success is not None:
        raise NotationError(
            f"--success {success} is given with --example, which has its own; leave it out"
        )
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
