"""`sevenout dice`: what dice roll; dice to paint, relabelled dice, the faults of real dice."""

from pathlib import Path
from typing import Annotated

from cyclopts import App

from sevenout.cli.asking import command_of
from sevenout.cli.options import Json, counts, written
from sevenout.cli.out import console, print_json
from sevenout.errors import NotationError
from sevenout.questions import all_questions, question
from sevenout.questions.entries.relabel_question import sides_of

app = App(
    name="dice", help="What dice roll; design dice, and measure real ones.", help_format="plaintext"
)
app.command("sevenout.cli.dicetest:dice_test", name="test", help="Test real dice: are they fair?")


app.default(command_of(question("dice")))
for _question in all_questions().values():
    if _question.under == app.name[0]:
        app.command(command_of(_question), name=_question.command, help=_question.help)


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
    sides = sides_of(on) if on is not None else [len(die.faces) for die in dice.dice]
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
