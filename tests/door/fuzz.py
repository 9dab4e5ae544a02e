"""Random files, commands and calls, each in a fork of a process that has loaded sevenout.

    python -m tests.door.fuzz KIND SEED FOLDER > results.jsonl

A fork runs the program as a user does: supervised, with its own budget. Every case is a function of
its kind, seed and number, so that `python -m tests.door.fuzz KIND SEED FOLDER NUMBER` shows it
again.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from inspect import Parameter, signature
from pathlib import Path
from random import Random
from typing import Any

import sevenout as so
from tests.door.fuzzed_commands import a_command, typed
from tests.door.fuzzed_files import GAME, PLAYED, ROLLS, STRATEGY, a_file, seeds
from tests.randomness import numbers

SECONDS, MEMORY = 4, 800_000_000
MOST = {"files": 2_000, "commands": 1_000, "calls": 500}
"""Cases of each kind on a fast machine."""
TIME = {"files": 40.0, "commands": 60.0, "calls": 20.0}
"""Seconds for the cases of each kind: a fifth of them, on two cores."""
BUDGET = f"{SECONDS},{MEMORY // 1_000_000}MB"


def doors() -> dict[str, Callable[..., Any]]:
    """Calls of public names, by what they are given."""
    from sevenout.evenings import session
    from sevenout.model import explore
    from sevenout.rules import Game, lose, push, settle, win
    from sevenout.verify import games_needed
    from tests.test_wrong_types import DOORS

    craps = so.games["craps"]
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
        "label_probabilities": solution.label_probabilities,
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
        "session": lambda x, y: session(craps, x, bets=y),
        "hazard": lambda x: so.games("hazard", main=x),
        "die": so.Die,
        "dice": lambda x: so.dice(x).totals.law,
    }


def values(chance: Random) -> Any:
    """Anything that may be given to a call."""
    wrong: tuple[Any, ...] = (
        *(None, True, -1, 0, 1, 2, 7, 10**9, 10**400, 1.5, float("nan"), float("inf"), 1j),
        *("", "x", "craps", "1/2", "95%", "2d6", "9" * 5_000, "\x1b[31m", b"x", "a\nb"),
        *((), [], {}, set(), (1, 2), [1, 2], {"a": 1}, {1: "x"}, object(), Random, print),
        *(so.games["craps"], so.games["hazard"], so.d6, so.solve(so.games["craps"])),
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
        from sevenout.budgets.supervision import status

        status.has_reported_error = status.has_printed = (
            False  # forks share the page: an earlier case wrote there
        )
        status.drafts = []
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
            so.run_within(lambda: repr(call()), SECONDS, MEMORY)
        except SevenoutError as error:
            text = str(error)
            if "\n" in text or not 0 < len(text) < 600:
                raise AssertionError(f"{len(text)} characters: {text[:300]}") from None

    return work


def main(kind: str, seed: str, folder: str, only: str = "") -> None:
    """Make the cases, and run them until the time is over."""
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
        "sevenout.papers.plots",
    ):
        import_module(name)
    results = os.fdopen(os.dup(1), "w")
    place = Path(folder)
    os.chdir(place)
    (place / "streams").mkdir(exist_ok=True)
    if kind == "commands":
        (place / "evening.toml").write_text(STRATEGY)
        (place / "played.txt").write_text(PLAYED)
        (place / "game.toml").write_text(GAME)
        (place / "rolls.csv").write_text(ROLLS)
    known = seeds() if kind == "files" else {}
    calls = doors() if kind == "calls" else {}
    for number in [int(only)] if only else numbers(MOST[kind], TIME[kind]):
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
