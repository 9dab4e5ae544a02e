"""A question: its subject, its arguments and its answer."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sevenout.documents import Shown
from sevenout.errors import RulesError, shown
from sevenout.questions.arguments import REQUIRED, Argument, ArgumentError, in_python
from sevenout.questions.subject_kinds import Kind


@dataclass(frozen=True)
class Question:
    """A question, from which every face is made.

    Attributes:
        returns: the answer as data: a JSON schema with a description by key; "?" after a key makes
            it optional.
        heading: its printed title after the subject's name, from the arguments.
        section: whether it may be a section of sheets and dossiers.
        example: of the subject, in place of its kind's.
        instead: questions that answer in its place if their first argument is given.
        under: the command of which it is a part: `sevenout dice faults`; "" for none.
        unasked: the question to ask without input.
        refuses: raises for bad arguments before any work, from the input and the arguments by name.
    """

    name: str
    help: str
    of: Kind
    answer: Callable[..., Shown]
    returns: Mapping[str, Any]
    arguments: tuple[Argument, ...] = ()
    heading: Callable[..., str] = field(default=lambda **_: "", repr=False)
    section: bool = False
    example: str = ""
    instead: tuple["Question", ...] = ()
    under: str = ""
    unasked: "Question | None" = None
    refuses: Callable[..., None] = field(default=lambda *_, **__: None, repr=False)

    @property
    def turns(self) -> tuple[Argument, ...]:
        """The arguments with which another question answers."""
        return tuple(
            replace(
                each.arguments[0],
                default=None,
                example="",
                help=f"{each.arguments[0].help} Runs `{each.name}` instead.",
            )
            for each in self.instead
        )

    def turned(self, said: Mapping[str, Any]) -> "Question":
        """The question that answers: itself, or another chosen by an argument.

        >>> from sevenout.questions import odds
        >>> odds.turned({"at": "4"}).name
        'given'
        """
        for other in self.instead:
            turn = other.arguments[0].name
            if said.get(turn) not in (None, ""):
                known = {each.name for each in other.every}
                mine = {each.name: each for each in self.every}
                for name, value in said.items():
                    if name not in known and value != mine[name].value(mine[name].default):
                        raise ArgumentError(
                            name,
                            f"{shown(value)}; {other.name} has no such argument: leave it out",
                        )
                return other.turned(said)
        return self

    @property
    def command(self) -> str:
        """Its name on the command line."""
        return self.name.replace("_", "-")

    @property
    def verb(self) -> list[str]:
        """The words of its command, without the subject."""
        return [*filter(None, [self.under]), self.command]

    @property
    def every(self) -> tuple[Argument, ...]:
        """All its arguments, with those of its subject."""
        return (*self.of.own, *self.arguments, *self.turns)

    @property
    def placed(self) -> tuple[Argument, ...]:
        """The positional arguments on the command line."""
        return tuple(each for each in self.every if each.placed)

    @property
    def asked_of(self) -> str:
        """The subject in examples; "" for none."""
        return self.example or self.of.example

    @property
    def examples(self) -> list[str]:
        """The same as a list of words; for a file, its name."""
        asked_of = self.of.file or self.asked_of
        parts = asked_of.split("|") if self.of.several else [asked_of]
        return [part.strip() for part in parts if part]

    @property
    def sample(self) -> dict[str, str]:
        """The arguments of its example, as texts."""
        return {each.name: each.example for each in self.every if each.example}

    @property
    def keys(self) -> dict[str, bool]:
        """The keys of its answer as data, and whether they are always there."""
        return {key.rstrip("?"): not key.endswith("?") for key in self.returns}

    def __call__(self, *given: Any, **said: Any) -> Shown:
        """The answer.

        Args:
            given: the subject; nothing for a question about numbers.
            said: its arguments, as values or texts.

        Raises:
            SevenoutError: an unknown argument, or a value that is not allowed; the message names
                it.
        """
        asked = self.turned(said)
        about, values = asked.posed(given, said)
        return asked.answer(about, **values)

    def posed(self, given: Sequence[Any], said: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
        """The subject, and the values of its own arguments; errors as a call."""
        enough = len(given) >= self.of.least if self.of.several else len(given) == self.of.least
        if not enough:
            wanted = self.of.words if self.asked_of else "nothing but its arguments"
            once = "" if self.of.several else ", and once"
            raise RulesError(f"{self.name} needs {wanted}; give it first{once}")
        values = self.values(said)
        own = {each.name: values.pop(each.name) for each in self.of.own}
        for turn in self.turns:
            del values[turn.name]
        self.refuses(*given, **values)
        return self.of.make(*given, **own), values

    def values(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """The value of every argument by name; errors as a call."""
        names = [each.name for each in self.every]
        for name in said:
            if name not in names:
                raise RulesError(
                    f"{self.name} has no argument {shown(name)}; it has: {', '.join(names)}"
                )
        return {each.name: each.value(said.get(each.name, each.default)) for each in self.every}

    def given(self, values: Mapping[str, Any]) -> Iterator[tuple[Argument, Any]]:
        """The arguments that differ from their defaults, with their values."""
        for each in self.every:
            usual = None if each.default is REQUIRED else each.value(each.default)
            if (value := values.get(each.name, usual)) != usual:
                yield each, value

    def program(self, of: str, values: Mapping[str, Any]) -> str:
        """The call in Python; `of` is the expression of the subject, or "".

        >>> from sevenout.questions import longer
        >>> longer.program("game", {"rolls": 10, "at": None})
        'questions.longer(game, rolls=10)'
        """
        said = [f"{each.name}={in_python(value)}" for each, value in self.given(values)]
        return f"questions.{self.name}({', '.join(filter(None, [of, *said]))})"

    def options(self, values: Mapping[str, Any]) -> list[str]:
        """The arguments as words of a command line, positional ones first.

        >>> from sevenout.questions import longer
        >>> longer.options({"rolls": 10, "at": "4"})
        ['--rolls=10', '--at=4']
        """
        said = list(self.given(values))
        placed = [str(value) for each, value in said if each.placed]
        named = [(each.option, value) for each, value in said if not each.placed]
        return placed + [
            option if one is True else f"{option}={one}"
            for option, value in named
            for one in (value if isinstance(value, tuple) else (value,))
        ]

    def named(self, error: Exception, name: Callable[[Argument], str]) -> str:
        """The message of an error, with arguments named as a face names them.

        >>> from sevenout.questions import longer
        >>> longer.named(RulesError("rolls=0; give more"), lambda argument: argument.label + ": ")
        'More than (rolls): 0; give more'
        """
        if isinstance(error, ArgumentError):
            for each in self.every:
                if each.name == error.argument:
                    return f"{name(each)}{error.said}"
        said = str(error)
        for each in self.every:
            alone = rf"(?<![\w-]){each.name}=(?=[\s,;.]|$)"
            said = re.sub(alone, name(each).rstrip(" :"), said)
            said = re.sub(rf"(?<![\w-]){each.name}=", name(each), said)
        return said
