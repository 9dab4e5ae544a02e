"""`sevenout roll`: roll dice."""

from sevenout.cli.options import Count, Json, Seed
from sevenout.cli.out import print_json, print_text


def roll(
    dice: str = "2d6", /, *, times: Count = 1, seed: Seed | None = None, json: Json = False
) -> None:
    """Roll dice. Each line shows the faces of one roll and their total.

    Parameters
    ----------
    dice
        The dice, such as 2d6, d4+d6 or d6{1,1,2,2,3,3}.
    times
        The number of rolls.
    seed
        The seed. The same seed rolls the same dice.
    """
    from sevenout.rolling import Roll, parse_dice
    from sevenout.rolling.die import total

    rolled = parse_dice(dice).sample(times, seed)
    if json:
        print_json(
            {
                "dice": dice,
                "rolls": [
                    {"faces": list(one.faces), "total": one.total}
                    if isinstance(one, Roll)
                    else {"total": one}
                    for one in rolled
                ],
            }
        )
        return
    for one in rolled:
        if not isinstance(one, Roll) or one.faces == (one.total,):
            print_text(str(getattr(one, "total", one)))
        elif one.total is None:
            print_text(", ".join(map(str, one.faces)))
        elif one.total == total(one.faces):
            print_text(f"{' + '.join(map(str, one.faces))} = {one.total}")
        else:
            print_text(f"{', '.join(map(str, one.faces))}: {one.total}")
