"""`sevenout dice`: distributions, dice to paint, relabelled dice, the faults of real dice."""

from cyclopts import App

from sevenout.cli.asking import command_of
from sevenout.cli.command_help import EXAMPLES, Flowing, epilogue, example_of
from sevenout.questions import all_questions, question

app = App(
    name="dice",
    help="The distribution of dice; relabelled dice, dice without a 7, faults, tests of real dice.",
    help_format="plaintext",
    help_formatter=Flowing(),
    help_epilogue=epilogue("dice 2d6", example_of(question("dice"))),
)
app.command(
    "sevenout.cli.dicetest:dice_test",
    name="test",
    help="Test whether real dice are fair.",
    help_epilogue=epilogue(*EXAMPLES["dice test"]),
)


app.default(command_of(question("dice")))
for _question in all_questions().values():
    if _question.under == app.name[0]:
        app.command(
            command_of(_question),
            name=_question.command,
            help=_question.help,
            help_epilogue=epilogue(example_of(_question)),
        )
