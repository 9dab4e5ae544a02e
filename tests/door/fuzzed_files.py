"""Random files of every kind that a command reads."""

import json
import os
import re
from hashlib import sha256
from pathlib import Path
from random import Random

WORDS = (
    *(
        "",
        "0",
        "-1",
        "1",
        "2",
        "7",
        "1.5",
        "1/2",
        "1/0",
        "nan",
        "inf",
        "-inf",
        "1e3",
        "1e9",
        "1e400",
    ),
    *(
        "9" * 30,
        "9" * 5_000,
        "½",
        "x" * 3_000,
        "\x1b[31m",
        "a\nb",
        "%s",
        "' OR 1",
        "[bold]",
        "\u202e",
    ),
    *(
        "craps",
        "hazard",
        "pass",
        "pig",
        "field",
        "2d6",
        "d6",
        "4d6kh3",
        "d10!",
        "100d100",
        "1000d6",
    ),
    *("7,11", "2,3,12", "2,3,12/7,11", "1..10", "1..1e9", "5%", "95%", "best", "hold-20", "auto"),
    *(
        "/dev/zero",
        "/nowhere/x",
        ".",
        "/",
        "FILE",
        "FILE.toml",
        "FILE.json",
        "PIPE",
        "yes",
        "no",
        "--",
    ),
)
"""What may stand where anything is asked for."""


STRATEGY = (
    'format = 1\nname = "x"\n[[bet]]\non = "pass"\namount = 5\nodds = 2\n'
    'ladder = [1, 2, 4]\nloss = "on"\n[evening]\nbankroll = 100\nrolls = 5\n'
)
PLAYED = (
    "sevenout table\nhouse: minimum=5,props=1\nbankroll: 100\ncurrency: $\nseed: 4\npass = 10\n"
    "roll 2 3\npass odds = 40\nplace 6 = 12\nplace 8 = 12\nroll 1 6\nroll 4 4\n"
)
"""An evening as `play table` saves it."""


GAME = """format = 1
name = "x"
[open]
a = "1..2 by 1/4"
[[line]]
naturals = [7, 11]
craps = [2, 3, 12]
out = 7
[line.bets.pass]
point = "a"
"""
ROLLS = "3,4\n1,3\n2,2\n6,6\n" * 9


def seeds() -> dict[str, list[tuple[str, list[str]]]]:
    """Files that are right, by suffix, and the words with which each is read."""
    from sevenout.catalogue import games
    from sevenout.rules.gamefiles.gamefile import GameFile, game_text
    from sevenout.simulation import simulate

    craps = game_text(GameFile("Craps", (games["craps"],)))
    opened = craps + 'point = "a"\n\n[open]\na = "1..2 by 1/4"\n'
    place = Path(f"fuzz-{os.getpid()}.json")
    simulate(games["craps"], 40, seed=3, save=place)
    checkpoint = place.read_text()
    place.unlink()
    results = "game,rolls,outcome,pass\n0,3 4,natural,1\n1,1 1,craps,-1\n2,2 2 3 1,point,1\n"
    vectors = "vector,outcome,pass\n0,natural,1\n1,craps,-1\n"
    program = "import sevenout as so\nfrom sevenout.rules import *\n\nclass Mine(Game):\n"
    program += '    """Mine."""\n\n    start = 0\n    dice = so.dice("2d6")\n\n'
    program += "    def step(self, state, roll):\n        if roll.total == 7: return lose()\n"
    program += "        return win() if state == 3 else state + 1\n"
    return {
        ".toml": [
            (craps, ["odds", "FILE"]),
            (craps, ["simulate", "FILE", "--games", "50"]),
            (opened, ["tune", "FILE", "--edge", "1%"]),
            (STRATEGY, ["evening", "FILE"]),
            (STRATEGY, ["evening", "FILE", "--extremes", "--rolls", "5"]),
            (STRATEGY, ["certify", "--evening", "FILE", "--bets", "3"]),
        ],
        ".csv": [
            ("3,4\n1,3\n2,2\n6,6\n" * 9, ["simulate", "craps", "--log", "FILE"]),
            ("red,white\n" + "3,4\n1,3\n" * 9, ["test", "dice", "FILE", "--dice", "2d6"]),
            ("face,count\n1,9\n2,8\n3,9\n4,7\n5,9\n6,9\n", ["test", "dice", "FILE"]),
            (results, ["test", "log", "craps", "FILE"]),
            (vectors, ["test", "log", "craps", "FILE"]),
            ("3,4\n1,3\n2,2\n" * 9, ["test", "log", "craps", "FILE"]),
        ],
        ".json": [
            (
                checkpoint,
                [
                    *("simulate", "craps", "--games", "40", "--seed", "3"),
                    "--save",
                    "FILE",
                    "--resume",
                ],
            )
        ],
        ".py": [(program, ["odds", "FILE"])],
    }


def mutated(text: str, chance: Random) -> bytes:
    """A text with a few things wrong."""
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        match chance.randrange(9):
            case 0:
                at = chance.randrange(len(text) + 1)
                text = text[:at] + chance.choice(WORDS) + text[at:]
            case 1:
                a, b = sorted(chance.randrange(len(text) + 1) for _ in range(2))
                text = text[:a] + text[b:]
            case 2:
                numbers = list(re.finditer(r"\d+", text))
                if numbers:
                    one = chance.choice(numbers)
                    text = text[: one.start()] + chance.choice(WORDS) + text[one.end() :]
            case 3:
                lines = text.split("\n")
                chance.shuffle(lines)
                text = "\n".join(lines)
            case 4:
                lines = text.split("\n")
                lines.insert(chance.randrange(len(lines) + 1), chance.choice(lines))
                text = "\n".join(lines)
            case 5:
                text = text * chance.choice((2, 50))
            case 6:
                deep = chance.choice(("[", "{", '{"a":', "a.", "((", "#", '"""', "'"))
                at = chance.randrange(len(text) + 1)
                text = text[:at] + deep * chance.choice((1, 100, 20_000)) + text[at:]
            case 7:
                at = chance.randrange(len(text) + 1)
                text = text[:at] + chr(chance.choice((0, 13, 27, 0x85, 0x2028, 0xFEFF, 0x10FFFF)))
            case 8:
                values = re.findall(r"[^\s=,]+", text) or ["x"]
                text = text.replace(chance.choice(values), chance.choice((*values, *WORDS)))
    data = text.encode("utf-8", "replace")
    if chance.random() < 0.1 and data:
        at = chance.randrange(len(data))
        data = data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
    return data


def damaged(text: str, chance: Random) -> bytes:
    """A checkpoint with something else in a place of its data, hashed again."""
    content = json.loads(text)
    place, key = content, chance.choice([k for k in content if k != "sha256"])
    while isinstance(place[key], dict | list) and place[key] and chance.random() < 0.8:
        place = place[key]
        key = chance.choice([*place]) if isinstance(place, dict) else chance.randrange(len(place))
    place[key] = chance.choice(([], {}, None, "x", -1, 1.5, True, 10**300, [[1, 2]], "\x1b[31m"))
    content.pop("sha256", None)
    said = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return json.dumps(content | {"sha256": sha256(said.encode()).hexdigest()}).encode()


def a_file(
    chance: Random, known: dict[str, list[tuple[str, list[str]]]]
) -> tuple[bytes, list[str]]:
    """What stands in a file, and the words with which it is read."""
    suffix = chance.choice([".toml"] * 4 + [".csv"] * 3 + [".json"] * 2 + [".py"])
    text, words = chance.choice(known[suffix])
    wrong = damaged if suffix == ".json" and chance.random() < 0.7 else mutated
    return wrong(text, chance), [word.replace("FILE", f"file{suffix}") for word in words]
