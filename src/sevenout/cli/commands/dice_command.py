"""`sevenout dice`: what dice roll; dice to paint, relabelled dice, the faults of real dice."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App

from sevenout.cli.asking import command_of
from sevenout.cli.options import Amount, Count, Json, Plot, Seed, counts, written
from sevenout.cli.out import console, print_json
from sevenout.errors import NotationError, shown
from sevenout.numerals import exact
from sevenout.questions import question

if TYPE_CHECKING:
    from sevenout.dice import Dice, Law, Rollable

app = App(
    name="dice", help="What dice roll; design dice, and measure real ones.", help_format="plaintext"
)
app.command("sevenout.cli.dicetest:dice_test", name="test", help="Test real dice: are they fair?")


app.default(command_of(question("dice")))


@app.command(name="no-seven")
def no_seven(
    *,
    sides: int = 6,
    without: int | None = None,
    sheet: Annotated[Path, written("the sheet of faces", ".svg", ".pdf")] | None = None,
    json: Json = False,
) -> None:
    """Paint a pair with the totals of two dice, from which one total can be taken out.

    Parameters
    ----------
    sides
        The sides of the ordinary dice: 6 for 2d6.
    without
        The total to take out: one more than the sides, which is the one that can be.
    sheet
        Print the faces in real size: a file that ends in .svg or .pdf.
    """
    from sevenout.cli.dicepages import no_seven_data, no_seven_page
    from sevenout.dice import tatham
    from sevenout.dice.special.printable_faces import afford_grid, face_sheet, strips

    afford_grid(sides)
    tatham(sides, without=sides + 1 if without is None else without)
    strips(sides)
    if sheet is not None:
        face_sheet(sheet, sides)
    if json:
        print_json(no_seven_data(sides) | ({"sheet": str(sheet)} if sheet else {}))
        return
    out = console()
    out.print(no_seven_page(sides))
    if sheet is not None:
        out.print(f"The faces are in {sheet}; print it at 100 %.")


@app.command
def ranked(
    target: str = "2d6",
    /,
    *,
    on: str | None = None,
    without: int | None = None,
    show: Annotated[int, counts(0)] = 12,
    pair: int | None = None,
    json: Json = False,
) -> None:
    """List the pairs of dice with given totals on which the face of the higher rank is the total.

    Parameters
    ----------
    target
        The dice whose totals are wanted: 2d6, d4+d6.
    on
        The sides of the two ranked dice, such as 4,9; those of the target if not given.
    without
        Only pairs from which this total can be taken out.
    show
        How many pairs to show; JSON holds them all.
    pair
        Show one of them in full, by its number in the list.
    """
    from sevenout.cli.dicepages import pair_page, ranked_data, ranked_page
    from sevenout.dice import parse_dice, ranked_pairs

    dice = parse_dice(target)
    sides = _sides(on) if on is not None else [len(die.faces) for die in dice.dice]
    if len(sides) != 2:
        raise NotationError(
            f"{on or target} are {len(sides)} dice; ranked pairs take two, such as --on 4,9"
        )
    pairs = ranked_pairs(dice, *sides)
    if without is not None:
        pairs = tuple(pair for pair in pairs if without in pair.removable)
    if pair is not None:
        if not 1 <= pair <= len(pairs):
            raise NotationError(f"--pair {pair}: there are {len(pairs)} pairs, numbered from 1")
        pairs = pairs[pair - 1 : pair]
    if json:
        print_json(ranked_data(dice, sides, pairs))
    elif pair is not None:
        console().print(pair_page(dice, pairs[0]))
    else:
        console().print(ranked_page(dice, sides, pairs, show))


@app.command
def relabel(
    target: str = "2d6", /, *, on: str | None = None, least: int = 1, json: Json = False
) -> None:
    """List all dice with the totals of given dice, such as Sicherman's.

    Parameters
    ----------
    target
        The dice whose totals are wanted: 2d6, 3d6, d4+d6.
    on
        The sides of the new dice, such as 4,9; those of the target if not given.
    least
        The least number that may be painted on a face.
    """
    from sevenout.dice import parse_dice, relabelled

    dice = parse_dice(target)
    found = relabelled(dice, None if on is None else _sides(on), least)
    if json:
        sets = [[list(map(_number, die.faces)) for die in each] for each in found]
        print_json({"target": str(dice), "count": len(found), "sets": sets})
        return
    out = console()
    shape = f" on {'+'.join(f'd{n}' for n in _sides(on))}" if on else ""
    plural = "set" if len(found) == 1 else "sets"
    out.print(f"{len(found)} {plural} of dice{shape} with the totals of {dice}:", style="bold")
    for each in found:
        out.print("  " + "   ".join(map(str, each)), soft_wrap=True)


@app.command
def faults(
    dice: str | None = None,
    /,
    *,
    sides: int = 6,
    share: Amount = "1/4",
    die: int | None = None,
    face: str | None = None,
    deviation: Amount = "1/20",
    draws: Count = 10_000,
    seed: Seed = 1,
    confidence: str = "95%",
    power: float = 0.9,
    picture: Plot | None = None,
    json: Json = False,
) -> None:
    """What a face that is too heavy does to the results, and how many rolls it takes to notice.

    Without dice: the ways to roll two dice without the 7, side by side, with the same fault.

    Parameters
    ----------
    dice
        The dice: 2d6, tatham, or no-seven (tatham's pair without the 7).
    sides
        The sides of the dice in the comparison, of tatham and of no-seven.
    share
        By how much one face is too heavy: 1/4 is 25 % more weight.
    die
        Which die is faulty, counted from 1; the worst face of all if not given.
    face
        Which of its faces.
    deviation
        The standard deviation of random faults, for their mean.
    draws
        How many random faults to draw.
    seed
        Of the random faults.
    confidence
        That of the test that should notice: 95%, 99/100.
    power
        How often it should.
    picture
        Draw a heat map, results against faces: a file that ends in .svg, .pdf or .png.
    """
    from sevenout.cli.faultpages import comparison_page, fault_page
    from sevenout.dice import comparison, designs, mean_change, parse_dice, shares_law, tatham
    from sevenout.dice.faulty.fault_heatmap import heat_map
    from sevenout.dice.faulty.faults import face_of
    from sevenout.verify import rolls_to_notice

    def rolls(law: "Law", faulty: "Law") -> int | None:
        return rolls_to_notice(law, faulty, confidence, power)

    size = exact(share)
    chosen: dict[str, Rollable]
    one: Dice | None = None
    if dice is None:
        if die is not None or face is not None:
            raise NotationError(
                "--die and --face are for dice of yours: sevenout dice faults 2d6 ..."
            )
        chosen = designs(sides)
    else:
        one = (
            tatham(sides, sides + 1 if dice == "no-seven" else None)
            if dice in ("tatham", "no-seven")
            else parse_dice(dice)
        )
        chosen = {str(one): one.totals}
    if (die is None) != (face is None):
        raise NotationError("give both --die and --face, or neither for the worst face of all")
    compared = comparison(chosen, size, rolls)
    shares = shares_law(exact(deviation))
    means = [mean_change(each, shares, draws=draws, seed=seed) for each in chosen.values()]
    if picture is not None:
        heat_map(picture, compared)
    if one is None:
        page, data = comparison_page(chosen, compared, (means, shares), size, (confidence, power))
    else:
        fault = compared[0].worst.by[1]
        if die is not None and face is not None:
            if not 1 <= die <= len(one):
                raise NotationError(f"--die {die}: the dice {one} are 1 to {len(one)}")
            fault = face_of(one, die - 1, face)._replace(share=size)
        page, data = fault_page(one, compared[0], means[0], fault, rolls)
    if json:
        print_json(data)
        return
    out = console()
    out.print(page)
    if picture is not None:
        out.print(f"The heat map is in {picture}.")


def _sides(text: str) -> list[int]:
    """The sides of dice as typed: 4,9 or d4,d9."""
    parts = [part.strip().removeprefix("d") for part in text.replace("+", ",").split(",")]
    if not all(part.isdecimal() and len(part) < 6 and 1 <= int(part) <= 10_000 for part in parts):
        raise NotationError(f"--on {shown(text)}: write the sides of the dice, such as 4,9")
    return [int(part) for part in parts]


def _number(face: Any) -> Any:
    return face if isinstance(face, int) else str(face)


__all__: Sequence[str] = ["app"]
