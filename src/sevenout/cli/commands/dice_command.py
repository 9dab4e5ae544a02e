"""`sevenout dice`: what dice roll; dice to paint, relabelled dice, the faults of real dice."""

from cyclopts import App

from sevenout.cli.asking import command_of
from sevenout.questions import all_questions, question

app = App(
    name="dice", help="What dice roll; design dice, and measure real ones.", help_format="plaintext"
)
app.command("sevenout.cli.dicetest:dice_test", name="test", help="Test real dice: are they fair?")


app.default(command_of(question("dice")))
for _question in all_questions().values():
    if _question.under == app.name[0]:
        app.command(command_of(_question), name=_question.command, help=_question.help)
