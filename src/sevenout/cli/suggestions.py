"""What to type instead of an option that a command does not have."""

import re
from collections.abc import Sequence
from difflib import get_close_matches

from sevenout.errors import printable
from sevenout.questions import commands
from sevenout.questions.question import Question

SAME = {
    "stake": "amount",
    "unit": "amount",
    "bet-size": "amount",
    "money": "bankroll",
    "roll-limit": "rolls",
    "rounds": "bets",
    "number": "bets",
    "times": "roll",
    "total": "until",
    "versus": "vs",
    "counters": "joint",
    "count": "closest",
    "table": "best",
    "want": "maximize",
    "menu": "best",
    "n": "games",
    "trials": "games",
    "csv": "output",
    "parquet": "output",
    "out-file": "output",
    "picture": "plot",
    "probability": "p",
    "loss-limit": "stop-loss",
    "win-goal": "stop-win",
    "time": "hours",
    "win": "stop-win",
    "loss": "stop-loss",
    "goal": "target",
    "spins": "rolls",
    "runs": "games",
    "list": "all",
}
"""Words for an option, and its name."""
OF_STRATEGY = {"odds": "pass:odds=2", "lay": "dont-pass:lay=yes", "press": "place-6-8:press=6"}
"""Options that belong to a strategy, and how they are written."""


def right_option(chain: Sequence[str], option: str) -> str:
    """What to type instead of an option, after a semicolon; "" if nothing is like it.

    >>> right_option(["evening"], "--stake"), right_option(["evening"], "--odds")
    ('write --amount', 'it is an option of a strategy: pass:odds=2')
    >>> right_option(["odds"], "--hours"), right_option(["odds"], "--xyzzy")
    ('sevenout evening has it', '')
    """
    name = option.partition("=")[0].lstrip("-")
    own = _options_of(chain)
    if list(chain[:1]) == ["evening"] and name in OF_STRATEGY:
        return f"it is an option of a strategy: {OF_STRATEGY[name]}"
    if SAME.get(name) in own:
        return f"write --{SAME[name]}"
    if near := get_close_matches(name, own, 1, 0.8):
        return f"write --{near[0]}"
    others = [
        " ".join(question.verb)
        for question in commands().values()
        if name in _names(question) and question.verb != list(chain)
    ]
    named = " and ".join(f"sevenout {other}" for other in others[:2])
    return f"{named} {'have' if len(others) > 1 else 'has'} it" if others else ""


def _options_of(chain: Sequence[str]) -> list[str]:
    """The options of a command that is a question, without the dashes."""
    for question in commands().values():
        if question.verb == list(chain):
            return _names(question)
    return []


def _names(question: Question) -> list[str]:
    saved = [a for q in (question, *question.modes) for s in q.savings for a in s.arguments]
    return [a.option.lstrip("-") for a in (*question.every, *saved) if not a.placed]


UNKNOWN = re.compile(r"(?:no|takes no) option '?(?:--)?([\w-]+)'?")


def with_right_option(message: str, chain: Sequence[str]) -> str:
    """A message about an option that a game does not have, with what has it.

    >>> with_right_option("craps has no option 'hours'; its options: none", ["odds"])
    "craps has no option 'hours'; its options: none; sevenout evening has it"
    """
    match = UNKNOWN.search(message)
    hint = right_option(chain, match[1]) if match else ""
    return f"{message}; {hint}" if hint else message


def unknown_option(chain: Sequence[str], option: str) -> str:
    """The message about an option that a command does not have.

    >>> unknown_option(["evening"], "--stake=5")
    'sevenout evening has no option --stake: write --amount'
    """
    command = " ".join(["sevenout", *chain])
    name = printable(option.partition("=")[0], 60)
    hint = right_option(chain, option) or f"{command} --help lists its options"
    return f"{command} has no option {name}: {hint}"


def example_value(chain: Sequence[str], error: Exception) -> str:
    """An example of an option that is missing, after its name; "" if it has none."""
    option = getattr(getattr(error, "argument", None), "name", "")
    for question in commands().values():
        if question.verb != list(chain):
            continue
        own = (*question.of.own, *question.arguments)
        for argument in (*own, *(a for mode in question.modes for a in mode.arguments)):
            if argument.option == option and argument.example:
                words = argument.example if argument.placed else f"{option} {argument.example}"
                return f", such as {words}"
    return ""
