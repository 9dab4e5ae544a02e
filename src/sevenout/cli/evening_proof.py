"""The evening that `sevenout certify --evening` writes, or compares with a file."""

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from sevenout.catalogue.craps_family.craps_felt import house_of
from sevenout.catalogue.strategies.strategy_file import ends_of, read_strategy, strategy_of
from sevenout.errors import NotationError, shown
from sevenout.evenings.evening_plan import Plan

WHOLE = ("rolls", "shooters", "bets")
AMOUNTS = ("bankroll", "hours", "stop_loss", "stop_win", "target")


def evening_of(strategy: str, said: Mapping[str, str]) -> tuple[Plan, str]:
    """The plan of an evening and its title, which has all options and the hash of a file.

    >>> plan, title = evening_of("pass:amount=5", {"bankroll": "100", "stop-win": "50"})
    >>> plan.ends.ceiling, title
    (150, 'an evening of pass:amount=5, bankroll 100, stop_win 50')

    Args:
        strategy: its name with options, or its file.
        said: the options of `sevenout evening`.

    Raises:
        SevenoutError: no such strategy or option.
    """
    given = {name.replace("-", "_"): value for name, value in said.items()}
    house = given.pop("house", "")
    ends = dict[str, str | int]()
    for name, value in given.items():
        if name not in (*WHOLE, *AMOUNTS, "standing"):
            known = ", ".join((*AMOUNTS, *WHOLE, "standing", "house"))
            raise NotationError(f"an evening has no option {shown(name)}; its options are {known}")
        if name in WHOLE and not value.isdecimal():
            raise NotationError(f"{name}={shown(value)}; give a whole number")
        ends[name] = int(value) if name in WHOLE else value
    title = f"an evening of {strategy}"
    if strategy.endswith(".toml"):
        file = read_strategy(strategy)
        title += f" (SHA-256 {sha256(Path(strategy).read_bytes()).hexdigest()})"
    else:
        file = strategy_of(strategy)
    words = [f"{name} {value}" for name, value in ends.items()]
    title = ", ".join([title, *words, *([f"house {house}"] if house else [])])
    plan = Plan.of(file.strategy, house=house_of(house), name=file.name, **ends_of(file, ends))
    return plan, title
