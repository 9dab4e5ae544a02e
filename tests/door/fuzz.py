"""Random files, commands and calls, each in a fork of a process that has loaded the house.

    python -m tests.door.fuzz KIND COUNT SEED FOLDER > results.jsonl

A fork runs the program as a user does: supervised, with its own budget. Every case is a function of
its kind, seed and number, so that `python -m tests.door.fuzz KIND COUNT SEED FOLDER NUMBER` shows
it again.
"""

import json
import os
import re
import sys
import time
from collections.abc import Callable
from hashlib import sha256
from inspect import Parameter, signature
from pathlib import Path
from random import Random
from typing import Any

import sevenout as so

SECONDS, MEMORY = 4, 800_000_000
BUDGET = f"{SECONDS},{MEMORY // 1_000_000}MB"
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
    'format = 1\nname = "x"\n[[bet]]\non = "pass"\namount = 5\nodds = 2\npress = 5\n'
    'ladder = [1, 2, 4]\nloss = "on"\n[evening]\nbankroll = 100\nrolls = 5\n'
)
PLAYED = (
    "sevenout table\nhouse: minimum=5,props=1\nbankroll: 100\ncurrency: $\nseed: 4\npass = 10\n"
    "roll 2 3\npass odds = 40\nplace 6 = 12\nplace 8 = 12\nroll 1 6\nroll 4 4\n"
)
"""An evening as `play table` saves it."""


def seeds() -> dict[str, list[tuple[str, list[str]]]]:
    """Files that are right, by suffix, and the words with which each is read."""
    from sevenout.games import catalogue
    from sevenout.rules.gamefiles.gamefile import GameFile, game_text
    from sevenout.simulate import simulate

    craps = game_text(GameFile("Craps", (catalogue["craps"],)))
    opened = craps.replace("point = 1", 'point = "1..2 by 1/4"') + '\n[open]\na = "1..3"\n'
    place = Path(f"fuzz-{os.getpid()}.json")
    simulate(catalogue["craps"], 40, seed=3, save=place)
    checkpoint = place.read_text()
    place.unlink()
    results = "game,rolls,outcome,pass\n0,3 4,natural,1\n1,1 1,craps,-1\n2,2 2 3 1,point,1\n"
    vectors = "vector,outcome,pass\n0,natural,1\n1,craps,-1\n"
    program = "import sevenout as so\nfrom sevenout.rules import *\n\nclass Mine(Game):\n"
    program += '    """Mine."""\n\n    start = 0\n    dice = so.Dice(so.d6, so.d6)\n\n'
    program += "    def step(self, state, roll):\n        if roll.total == 7: return lose()\n"
    program += "        return win() if state == 3 else state + 1\n"
    return {
        ".toml": [
            (craps, ["odds", "FILE"]),
            (craps, ["simulate", "FILE", "--games", "50"]),
            (opened, ["tune", "FILE", "--edge", "1%"]),
            (STRATEGY, ["evening", "FILE"]),
            (STRATEGY, ["extremes", "FILE", "--rolls", "5"]),
            (STRATEGY, ["certify", "--evening", "FILE", "--rounds", "3"]),
        ],
        ".csv": [
            ("3,4\n1,3\n2,2\n6,6\n" * 9, ["simulate", "craps", "--log", "FILE"]),
            ("red,white\n3,4\n1,3\n" * 9, ["dice", "test", "FILE", "--dice", "2d6"]),
            ("face,count\n1,9\n2,8\n3,9\n4,7\n5,9\n6,9\n", ["dice", "test", "FILE"]),
            (results, ["conform", "craps", "FILE"]),
            (vectors, ["conform", "craps", "FILE"]),
            ("3,4\n1,3\n2,2\n" * 9, ["conform", "craps", "FILE"]),
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


def a_command(chance: Random) -> list[str]:
    """The words of a command: half the time of one that is right, with a few words changed."""
    return _changed(chance) if chance.random() < 0.5 else _any_command(chance)


RIGHT = (
    "long-run craps --per game",
    "long-run pig --policy hold-20 --per turns",
    "long-run kuhn --policy best",
    "bets --table pass=1-2-5,field=1..3 --bankroll 10 --target 20",
    "bets --table field=1 --bankroll 5 --rolls 9 --want log --idle yes",
    "longer craps --rolls 10 --at 4",
    "longer pig-turn --policy hold-20 --rolls 3",
    "extremes pass --bankroll 50 --rolls 40 --least 60 --chance 9/10",
    "extremes evening.toml --rounds 6 --standing out",
    "options pig-turn --at 20 --method exact",
    "options kuhn --at J --method exact",
    "closest pig-turn --goal P(bust)",
    "given craps --at 6",
    "joint caster --counters rounds,won",
    "ruin craps --bankroll 20",
    "session craps --bankroll 8 --target 12",
    "strategies --json",
    "evening pass iron-cross --bankroll 60 --rolls 30 --played played.txt",
    "evening evening.toml --bankroll 60 --rolls 12 --simulate 9 --stop-win 30",
    "evening martingale --bankroll 20 --rounds 6 --house minimum=1,maximum=4",
    "certify --evening pass:amount=5 --bankroll 31 --rounds 6",
    "certify --evening evening.toml --bankroll 30 --rolls 5 --check played.txt",
    "certify craps --check played.txt",
    "play table --bankroll 300 --seed 4 --house minimum=5,crapless=yes",
    "play table --resume played.txt",
    "play kuhn --coach --seed 3",
    "play craps --strategy pass --bankroll 20 --rolls 9 --seed 1",
    "best kuhn --method exact",
    "best mia --against best",
    "best pig-turn --policy hold-20 --goal P(bust)",
    "versus 2d6 d12",
    "until 2d6 --total 7",
    "check 20 60 --p 1/6",
    "compare craps crapless --json",
    "tune craps --edge 1%",
)
"""Commands with which the random ones begin; some have an option that there is not."""
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
    from sevenout.cli.app import COMMANDS
    from sevenout.questions import all_questions

    asked = (each.command for each in all_questions().values() if not each.under)
    kept = (each for each in COMMANDS if each not in ("lab", "completion", "tour"))
    name = chance.choice(list(dict.fromkeys([*kept, *asked])))
    words = [name]
    app, path = _app(), [name]
    if name == "dice" and chance.random() < 0.7:
        path.append(chance.choice(("no-seven", "faults", "ranked", "relabel", "test")))
        words.append(path[-1])
    options = [
        (each.names[0], each.hint)
        for each in app[path[0]].assemble_argument_collection()
        if each.names and each.names[0].startswith("--") and len(path) == 1
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


def doors() -> dict[str, Callable[..., Any]]:
    """Calls of public names, by what they are given."""
    from sevenout.evening import session
    from sevenout.model import explore
    from sevenout.rules import Game, lose, push, settle, win
    from sevenout.verify import games_needed
    from tests.test_wrong_types import DOORS

    craps = so.catalogue["craps"]
    solution = so.solve(craps)
    law, bet = solution.distribution("rolls"), solution.bet()

    class Own(Game):
        start = 0
        dice = so.dice("2d6")

        def __init__(self, rolled: Any, then: Any) -> None:
            self.rolled, self.then = rolled, then

        def rolls(self, state: Any) -> Any:
            return self.dice if self.rolled is None else self.rolled

        def step(self, state: Any, roll: Any) -> Any:
            return self.then

    return {
        **DOORS,
        **{name: getattr(law, name) for name in ("pmf", "cdf", "sf", "quantile", "sample")},
        **{f"bet {name}": getattr(bet, name) for name in ("pmf", "cdf", "quantile", "sample")},
        "bounds": law.sf_bounds,
        "distribution": solution.distribution,
        "given": solution.given,
        "p": solution.p,
        "a bet": solution.bet,
        "mean": solution.mean,
        "win": win,
        "lose": lose,
        "push": push,
        "settle": settle,
        "states": lambda x: explore(craps, max_states=x),
        "own game": lambda x, y: so.solve(Own(x, y)),
        "own game, played": lambda x, y: so.simulate(Own(x, y), 20),
        "simulate": lambda x, y: so.simulate(craps, x, y),
        "method": lambda x, y: so.solve(craps, x, digits=y),
        "needed": games_needed,
        "budget": lambda x, y: so.budget(x, y).__enter__(),
        "evening": lambda x, y: so.evening("pass", x, rolls=y),
        "evening ends": lambda x, y: so.evening(x, 20, rolls=5, stop_win=y),
        "session": lambda x, y: session(craps, x, rounds=y),
        "hazard": lambda x: so.catalogue("hazard", main=x),
        "die": so.Die,
        "dice": lambda x: so.dice(x).totals.law,
    }


def values(chance: Random) -> Any:
    """Anything that may be given to a call."""
    wrong: tuple[Any, ...] = (
        *(None, True, -1, 0, 1, 2, 7, 10**9, 10**400, 1.5, float("nan"), float("inf"), 1j),
        *("", "x", "craps", "1/2", "95%", "2d6", "9" * 5_000, "\x1b[31m", b"x", "a\nb"),
        *((), [], {}, set(), (1, 2), [1, 2], {"a": 1}, {1: "x"}, object(), Random, print),
        *(so.catalogue["craps"], so.catalogue["hazard"], so.d6, so.solve(so.catalogue["craps"])),
    )
    return chance.choice(wrong)


def a_call(chance: Random, known: dict[str, Callable[..., Any]]) -> tuple[str, Callable[[], Any]]:
    """A call of a public name with anything at all."""
    name = chance.choice([*known])
    kinds = [p.kind for p in signature(known[name]).parameters.values()]
    many = 1 + (sum(kind == Parameter.POSITIONAL_OR_KEYWORD for kind in kinds) > 1)
    given = [values(chance) for _ in range(many)]
    return f"{name}: {', '.join(repr(x)[:60] for x in given)}", lambda: known[name](*given)


# --- forks ---------------------------------------------------------------------------------------


def forked(work: Callable[[], None], folder: Path, lines: str = "") -> dict[str, Any]:
    """What comes of some work in a fork: its code, output, time and memory.

    Args:
        work: what is done.
        folder: where its output is kept.
        lines: what it can read from its standard input.
    """
    (folder / "in").write_text(lines, errors="replace")
    begun = time.perf_counter()
    child = os.fork()
    if child == 0:
        for name, number in (("out", 1), ("err", 2)):
            handle = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            os.dup2(handle, number)
        os.dup2(os.open(folder / "in", os.O_RDONLY), 0)
        code = 70
        try:
            work()
            code = 0
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else 71
        except BaseException:
            import traceback

            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    _, status, used = os.wait4(child, 0)
    return {
        "code": os.waitstatus_to_exitcode(status),
        "err": (folder / "err").read_text(errors="replace")[-3_000:],
        "wall": time.perf_counter() - begun,
        "cpu": used.ru_utime + used.ru_stime,
        "bytes": used.ru_maxrss * 1024,
    }


def commanded(words: list[str]) -> Callable[[], None]:
    """The program, with these words and a budget."""

    def work() -> None:
        from sevenout.__main__ import run

        sys.argv = ["sevenout", *(word.replace("\0", "") for word in words), "--budget", BUDGET]
        if "--" in words:
            sys.argv = ["sevenout", "--budget", BUDGET, *words]
        run()

    return work


def called(call: Callable[[], Any]) -> Callable[[], None]:
    """A call under a guard; an error of ours is as good as an answer."""

    def work() -> None:
        from sevenout.errors import SevenoutError

        try:
            with so.budget(SECONDS, MEMORY, enforce=True):
                found = call()
                repr(found)
        except SevenoutError as error:
            text = str(error)
            if "\n" in text or not 0 < len(text) < 600:
                raise AssertionError(f"{len(text)} characters: {text[:300]}") from None

    return work


def main(kind: str, count: str, seed: str, folder: str, only: str = "") -> None:
    """Make the cases, and run them."""
    from importlib import import_module
    from pkgutil import iter_modules

    import sevenout.cli.commands

    for module in iter_modules(sevenout.cli.commands.__path__):
        import_module(f"sevenout.cli.commands.{module.name}")
    for name in (
        "numpy",
        "scipy.stats",
        "matplotlib.pyplot",
        "duckdb",
        "sevenout.report.pictures.plots",
    ):
        import_module(name)
    results = os.fdopen(os.dup(1), "w")
    place = Path(folder)
    os.chdir(place)
    (place / "streams").mkdir(exist_ok=True)
    if kind == "commands":
        (place / "evening.toml").write_text(STRATEGY)
        (place / "played.txt").write_text(PLAYED)
    known = seeds() if kind == "files" else {}
    calls = doors() if kind == "calls" else {}
    for number in [int(only)] if only else range(int(count)):
        chance = Random(f"{kind} {seed} {number}")
        if kind == "files":
            content, words = a_file(chance, known)
            name = next(word for word in words if word.startswith("file."))
            (place / name).write_bytes(content)
            case, work = " ".join(words), commanded(words)
        elif kind == "commands":
            words = a_command(chance)
            case, work = " ".join(words)[:300], commanded(words)
        else:
            case, call = a_call(chance, calls)
            work = called(call)
        lines = typed(chance) if kind == "commands" else ""
        found = forked(work, place / "streams", lines)
        print(json.dumps({"number": number, "case": case, **found}), file=results, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
