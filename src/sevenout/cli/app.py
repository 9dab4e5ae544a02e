"""The commands; each module loads when its command is called."""

from cyclopts import App

from sevenout import __version__

app = App(
    name="sevenout",
    help="A workbench for the mathematics of dice games.",
    version=__version__,
    help_format="plaintext",
)

for _name in ("tour", "odds", "games", "diagram", "play", "simulate", "variants", "sheet"):
    app.command(f"sevenout.cli.{_name}:{_name}", name=_name)
app.command("sevenout.cli.dice:app", name="dice")
