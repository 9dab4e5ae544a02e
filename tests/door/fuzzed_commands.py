"""Random command lines."""

import re
from random import Random
from typing import Any

from tests.door.fuzzed_files import WORDS


def a_command(chance: Random) -> list[str]:
    """The words of a command: half the time of one that is right, with a few words changed."""
    return _changed(chance) if chance.random() < 0.5 else _any_command(chance)


RIGHT = (
    "odds craps --long-run --per game",
    "odds pig --long-run --policy hold-20 --per turns",
    "odds kuhn --long-run --policy best",
    "evening --best pass=1-2-5,field=1..3 --bankroll 10 --target 20",
    "evening --best field=1 --bankroll 5 --rolls 9 --maximize log --idle",
    "odds craps --longer 10 --at 4",
    "odds pig-turn --policy hold-20 --longer 3",
    "evening pass --extremes --bankroll 50 --rolls 40 --least 60 --chance 9/10",
    "evening evening.toml --extremes --bets 6 --standing out",
    "best pig-turn --at 20 --method exact",
    "best kuhn --at J --method exact",
    "best pig-turn --closest 10 --goal P(bust)",
    "odds craps --at 6",
    "odds hazard-turn --joint rounds,won",
    "odds craps --given won --json",
    "odds pig-turn --policy hold-20 --at 7",
    "evening craps --forever --bankroll 20",
    "evening craps --bankroll 8 --target 12",
    "evening --list --json",
    "evening pass iron-cross --played played.txt",
    "evening evening.toml --bankroll 60 --rolls 12 --simulate 9 --stop-win 30",
    "evening martingale --bankroll 20 --bets 6 --house minimum=1,maximum=4",
    "certify --evening pass:amount=5 --bankroll 31 --bets 6",
    "certify --evening evening.toml --bankroll 30 --rolls 5 --check played.txt",
    "certify craps --check played.txt",
    "play table --bankroll 300 --seed 4 --house minimum=5,crapless=yes",
    "play table --resume played.txt",
    "play kuhn --coach --seed 3",
    "play craps --strategy pass --bankroll 20 --rolls 9 --seed 1",
    "best kuhn --method exact",
    "best mia --against best",
    "best pig-turn --policy hold-20 --goal P(bust)",
    "dice 2d6 --vs d12",
    "dice 2d6 --until 7",
    "test count 20 60 --p 1/6",
    "compare craps crapless --json",
    "dice no-seven --sides 4",
    "dice faults 2d6 --json",
    "dice relabel 2d6",
    "tune game.toml --edge 1%..2% --top 3 --csv",
    "test dice rolls.csv --dice 2d6 --confidence 99%",
    "test log craps rolls.csv --listed 3",
    "test needed 1/2 3/5 --power 80% --tails one",
    "test needed craps --change 2% --confidence 99%",
    "simulate craps --games 50 --seed 3 --bet pass",
    "simulate pig-turn --policy hold-20 --games 20 --json",
    "games hard --all --json",
    "variants --dice 2d4 --where p_win>1/2 --top 3",
    "variants --dice 2d4 --fairest --target 1/2 --n-points 2",
    "new craps-like",
    "new one-roll --output new.toml",
    "sheet kuhn --output kuhn.json --games 100",
    "dossier craps --output dossier --games 100 --bets 20",
    "diagram craps --to graphviz",
    "diagram pig-turn --policy hold-20 --to prism",
)
"""Commands with which the random ones begin; some have an option that there is not."""
PARTS = {
    "dice": ("no-seven", "faults", "relabel"),
    "test": ("count", "dice", "log", "needed"),
}
"""The commands under a command."""
TYPED = (
    "help",
    "?",
    "",
    "roll",
    "place 6 8 12",
    "pass 10",
    "odds max",
    "come 5",
    "hard 8 5",
    "press 8",
    "off",
    "down 6",
    "undo",
    "save typed.txt",
    "bet",
    "pass",
    "call",
    "hold",
    "fire 5",
    "all 1",
    "field",
    "\x1b[A",
    "quit",
)
"""What a player types."""


def _changed(chance: Random) -> list[str]:
    words = chance.choice(RIGHT).split()
    for _ in range(chance.choice((0, 1, 1, 2, 3))):
        at = chance.randrange(1, len(words))
        word = words[at]
        match chance.randrange(4):
            case 0:
                words[at] = chance.choice(WORDS)
            case 1 if any(map(str.isdigit, word)):
                words[at] = re.sub(r"\d+", lambda _: chance.choice(WORDS), word, count=1)
            case 2:
                words.insert(at, chance.choice((word, *WORDS)))
            case _ if len(words) > 2:
                del words[at]
    return words


def typed(chance: Random) -> str:
    """The lines that stand on the standard input of a command."""
    return "".join(
        f"{chance.choice((*TYPED, *TYPED, *WORDS))}\n" for _ in range(chance.choice((0, 5, 30)))
    )


def _any_command(chance: Random) -> list[str]:
    """One that there is, with options that it has, and any values."""
    from sevenout.cli.app import COMMAND_ORDER

    name = chance.choice([each for each in COMMAND_ORDER if each not in ("lab", "tour")])
    words = [name]
    command = _app()[name]
    parts = PARTS.get(name, ())
    if parts and chance.random() < 0.7:
        words.append(chance.choice(parts))
        command = command[words[-1]]
    options = [
        (each.names[0], each.hint)
        for each in (command.assemble_argument_collection() if command.default_command else ())
        if each.names and each.names[0].startswith("--")
    ]
    values = ("craps", "pig", "hazard", "pass", "2d6", "1", "10", *WORDS)
    for _ in range(chance.choice((0, 1, 1, 2))):
        words.append(chance.choice(values if chance.random() < 0.7 else WORDS))
    for _ in range(chance.choice((0, 1, 2, 3))):
        option, hint = chance.choice(options) if options else ("--json", bool)
        words.append(option)
        if hint is not bool:
            words.append(chance.choice(values))
    return words


def _app() -> Any:
    from sevenout.cli.app import app

    return app
