"""The commands; each module loads when its command is called."""

from cyclopts import App, Parameter

from sevenout import __version__

app = App(
    name="sevenout",
    help="A workbench for the mathematics of dice games.",
    version=__version__,
    help_format="plaintext",
    default_parameter=Parameter(negative=()),  # --json needs no --no-json
)

COMMANDS = {
    "tour": "What the house does, in under a minute.",
    "odds": "Exact odds of a game: outcomes, return tables, edges, rolls.",
    "games": "The catalogue: every game and bet, with search.",
    "play": "A game at the terminal, roll by roll.",
    "simulate": "A game played billions of times, every roll fair.",
    "variants": "Every game of the craps family; the fairest, with proof.",
    "paytables": "Every pay table whose house edge lies where you want it.",
    "dice": "Dice that never roll 7, relabelled dice, faults, tests of real dice.",
    "sheet": "The sheet of a game: rules, tables, metrics, simulation, as PDF or HTML.",
    "lab": "The workbench in a browser.",
    "diagram": "The state diagram of a game, or its model for PRISM and Storm.",
}

for _name, _help in COMMANDS.items():
    _what = "app" if _name == "dice" else _name
    app.command(f"sevenout.cli.{_name}:{_what}", name=_name, help=_help)
