"""Questions: each one typed function whose parameters are its arguments.

    @asks(NUMBERS, "How many games tell two probabilities apart.", {"games": printed_count(...)})
    def games_needed(_: None, p: Fraction = arg("The probability to test: 1/2.", probability())):

`asks` reads the function's signature and makes it a `Question`. From that one declaration come the
command, the form and the page in the lab, the call in Python, JSON with its schema, the reference
page and shell completion.

A *mode* is another answer of the same question, chosen by an argument: `odds craps --at 4` is
answered by `odds_at`, whose first parameter is `at`. It is declared below its question, with
`@odds.mode(...)`. A *saving* is what may be done with an answer besides showing it, such as drawing
a picture to a file; it is declared with `@odds.saving`.
"""

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from inspect import Parameter, signature
from types import MappingProxyType
from typing import Any, NamedTuple

from sevenout.docstrings import own_docstring
from sevenout.documents import Block, Certified, Fact, Facts, HasPage, Page, Text, prose
from sevenout.documents.kinds import COUNT, DECIMAL, FRACTION, PERCENT, Kind
from sevenout.documents.numbers import exactly
from sevenout.errors import NotationError, RulesError, SevenoutError, shown
from sevenout.questions.arguments import (
    Argument,
    ArgumentError,
    MissingValueError,
    python_literal,
)
from sevenout.questions.subject_kinds import SubjectKind

GROUPS = ("dice", "test")
"""The commands with subcommands; a question `dice_faults` is `sevenout dice faults`."""


class DeclaredFigure(NamedTuple):
    """A figure of an answer, as its question declares it.

    Attributes:
        schema: its JSON schema with a description; None if it is only printed.
        name: its printed name; "" if it is only data.
        kinds: how it is printed.
    """

    schema: Any
    name: str = ""
    kinds: tuple[Kind, ...] = ()


def printed_figure(schema: Any, name: str, *kinds: Kind) -> DeclaredFigure:
    """A figure that is printed under a name; without a schema it isn't part of the data."""
    return DeclaredFigure(schema, name, kinds)


def printed_probability(schema: Any, name: str = "") -> DeclaredFigure:
    """A probability, or a share: printed as a fraction and in per cent."""
    return DeclaredFigure(schema, name, (FRACTION, PERCENT))


def printed_mean(schema: Any, name: str) -> DeclaredFigure:
    """A mean: printed as a fraction and as a decimal."""
    return DeclaredFigure(schema, name, (FRACTION, DECIMAL))


def printed_count(schema: Any, name: str = "") -> DeclaredFigure:
    """A whole number, printed with its digits in groups."""
    return DeclaredFigure(schema, name, (COUNT,))


class Saving(NamedTuple):
    """What may be done with an answer besides showing it, such as drawing it to a file.

    Attributes:
        arguments: when to do it and how; none of them has to be given.
        function: called with the answer and the arguments if one of them is given; it may return
            text to print instead.
    """

    arguments: tuple[Argument, ...]
    function: Callable[..., str | None]


@dataclass(frozen=True, eq=False)
class Question:
    """A question, from which every interface makes its own: a command, a page, a call.

    A call has four steps, which an interface may take one by one. `select_mode` finds the mode that
    the arguments choose. `subject_and_values` makes its subject and parses the arguments. `answer`
    calls the function. `save` writes the files that were asked for.

    Attributes:
        name: in Python and in addresses; `dice_faults` is the command `dice faults`.
        help: the question in one sentence.
        subject_kind: the kind of its subject.
        function: makes the answer from the subject and the values of the arguments.
        figures: the answer as data, in printed order; "?" after a key makes it optional.
        arguments: those of its function; `subject_kind.shared_arguments` are those that all
            questions of its kind share.
        label: its name in the lab: a noun, not a sentence.
        heading: its printed title after the subject's name, from the arguments.
        fits_papers: whether it may be a section of sheets and dossiers.
        example: the subject of its example, in place of its kind's.
        check_arguments: called before any work with the input and the arguments by name; raises
            if they are wrong.
        takes_progress: whether the function takes `progress`, which is told (done, total).
        answers_without_input: of a mode, whether it answers if there is neither a subject nor a
            mode.
        main_question: of a mode, the question that it belongs to.
        modes: the other answers, each chosen by its first argument.
        saving_functions: what may be done with an answer besides showing it; at most one.
    """

    name: str
    help: str
    subject_kind: SubjectKind
    function: Callable[..., Any]
    figures: Mapping[str, DeclaredFigure]
    arguments: tuple[Argument, ...] = ()
    label: str = ""
    heading: Callable[..., str] = field(default=lambda **_: "", repr=False)
    fits_papers: bool = False
    example: str = ""
    check_arguments: Callable[..., None] = field(default=lambda *_, **__: None, repr=False)
    takes_progress: bool = False
    answers_without_input: bool = False
    main_question: "Question | None" = None
    modes: "list[Question]" = field(default_factory=list, repr=False)
    saving_functions: list[Saving] = field(default_factory=list, repr=False)

    # --- declaring --------------------------------------------------------------------------------

    def mode(
        self,
        help: str,
        figures: Mapping[str, Any],
        subject_kind: SubjectKind | None = None,
        **options: Any,
    ) -> "Callable[[Callable[..., Any]], Question]":
        """Register a function as another answer of this question; its first argument chooses it."""
        declare = asks(
            subject_kind or self.subject_kind, help, figures, main_question=self, **options
        )

        def declare_mode(function: Callable[..., Any]) -> Question:
            mode = declare(function)
            self.modes.append(mode)
            return mode

        return declare_mode

    def saving(self, function: Callable[..., str | None]) -> Callable[..., str | None]:
        """Register what else a function may do with an answer, such as drawing it to a file.

        Its arguments become arguments of the question.
        """
        arguments, _ = _declared_arguments(function)
        # A server writes no files for a visitor.
        local = tuple(replace(argument, local_only=True) for argument in arguments)
        self.saving_functions.append(Saving(local, function))
        return function

    # --- names ------------------------------------------------------------------------------------

    @property
    def selector(self) -> str:
        """Of a mode, the argument that chooses it; "" for a question."""
        return self.arguments[0].name if self.main_question is not None else ""

    @property
    def command_words(self) -> list[str]:
        """The words of its command, without the subject."""
        name = (self.main_question or self).name
        group, _, rest = name.partition("_")
        words = [group, rest] if group in GROUPS and rest else [name]
        return [word.replace("_", "-") for word in words]

    @property
    def saving_arguments(self) -> tuple[Argument, ...]:
        """The arguments about what is done with its answer."""
        return tuple(argument for saving in self.saving_functions for argument in saving.arguments)

    @property
    def own_arguments(self) -> tuple[Argument, ...]:
        """All arguments but those of its modes: its subject's, its function's, and about saving."""
        return (*self.subject_kind.shared_arguments, *self.arguments, *self.saving_arguments)

    @property
    def all_arguments(self) -> tuple[Argument, ...]:
        """All arguments: its own, and those of its modes, then optional."""
        arguments = {
            argument.name: argument
            for argument in (*self.subject_kind.shared_arguments, *self.arguments)
        }
        for mode in self.modes:
            for argument in (*mode.subject_kind.shared_arguments, *mode.arguments):
                arguments.setdefault(argument.name, replace(argument, default=None, example=""))
        # Savings come last: a mode may have an argument of the same name, such as `seed`, and then
        # it is the mode's that stays.
        for question in (self, *self.modes):
            for argument in question.saving_arguments:
                arguments.setdefault(argument.name, argument)
        return tuple(arguments.values())

    @property
    def local_only(self) -> bool:
        """Whether it reads or writes files, which a server must not do for a visitor."""
        return any(argument.local_only and argument.required for argument in self.arguments)

    @property
    def figure_schemas(self) -> dict[str, Any]:
        """The JSON schema of each figure that is data; "?" after a key makes it optional."""
        return {key: figure.schema for key, figure in self.figures.items() if figure.schema}

    # --- examples ---------------------------------------------------------------------------------

    @property
    def example_subject(self) -> str:
        """The subject in examples; "" for none."""
        return self.example or self.subject_kind.example

    @property
    def example_inputs(self) -> list[str]:
        """The subjects of its example, as a list of words; for a file, its name."""
        text = self.subject_kind.example_file or self.example_subject
        parts = text.split("|") if self.subject_kind.takes_several else [text]
        return [part.strip() for part in parts if part.strip()]

    @property
    def example_arguments(self) -> dict[str, str]:
        """The arguments of its example, as texts."""
        return {
            argument.name: argument.example for argument in self.all_arguments if argument.example
        }

    @property
    def example_command(self) -> str:
        """Its example as a command line, without the program's name.

        >>> from sevenout.questions import all_questions
        >>> all_questions()["odds_longer"].example_command
        'odds craps --longer 10 --at 4'
        """
        words, options = [*self.command_words, *self.example_inputs], list[str]()
        for argument in (*self.subject_kind.shared_arguments, *self.arguments):
            if argument.example and argument.positional:
                words.append(argument.example)
            elif argument.example:
                options.append(argument.option)
                options += [] if argument.form.is_flag else [argument.example]
        return shlex.join([*words, *options])

    # --- asking -----------------------------------------------------------------------------------

    def __call__(self, *inputs: Any, **options: Any) -> HasPage:
        """The answer.

        Args:
            inputs: the subject; nothing for a question about numbers.
            options: its arguments, as values or texts.

        Raises:
            SevenoutError: an unknown argument, or a value that is not allowed; the message names
                it.
        """
        # The mode is found first: another mode may make the subject of another kind.
        question = self.select_mode(inputs, options)
        subject, values = question.subject_and_values(inputs, options)
        answer = question.answer(subject, values)
        question.save(answer, values)
        return answer

    def select_mode(self, inputs: Sequence[Any], options: Mapping[str, Any]) -> "Question":
        """The question that answers: itself, or the mode that an argument chooses.

        >>> from sevenout.questions import odds
        >>> odds.select_mode(["craps"], {"at": "4"}).name, odds.select_mode(["craps"], {}).name
        ('odds_at', 'odds')
        """
        # An option at its default chooses nothing: forms of the lab send every field.
        changed = {
            argument.name
            for argument in self.all_arguments
            if argument.is_changed(options.get(argument.name))
        }
        question = self._mode_of(changed)
        # `evening` alone lists the strategies, as it has nothing to calculate.
        if not changed and self.subject_kind.takes_several and not inputs:
            question = next((mode for mode in self.modes if mode.answers_without_input), question)
        for name in sorted(changed - {argument.name for argument in question.own_arguments}):
            advice = f"it does not go with {question.selector}=: leave it out"
            if question is self:
                owner = next(mode for mode in self.modes if mode.takes({name}))
                advice = f"give {owner.selector}= too"
            raise ArgumentError(name, f"{_shown_value(options[name])}; {advice}")
        return question

    def _mode_of(self, names: set[str]) -> "Question":
        """The mode that arguments choose; itself if they choose none."""
        chosen = [mode for mode in self.modes if mode.selector in names]
        # with `--longer 10 --at 4`, the mode that takes both arguments answers, not the other
        fitting = [mode for mode in chosen if mode.takes(names)]
        return (fitting or chosen or [self])[0]

    def takes(self, names: set[str]) -> bool:
        """Whether it has arguments of all these names."""
        return names <= {argument.name for argument in self.all_arguments}

    def subject_and_values(
        self, inputs: Sequence[Any], options: Mapping[str, Any]
    ) -> tuple[Any, dict[str, Any]]:
        """The subject, and the values of the arguments; raises as a call does."""
        self._refuse_input_count(len(inputs))
        values = self.argument_values(options)
        shared = {
            argument.name: values.pop(argument.name)
            for argument in self.subject_kind.shared_arguments
        }
        values = _values_of((*self.arguments, *self.saving_arguments), values)
        # Bad arguments are refused before the game is explored, which may take minutes.
        self.check_arguments(*inputs, **values)
        return self.subject_kind.make(*inputs, **shared), values

    def _refuse_input_count(self, count: int) -> None:
        """Refuse too few inputs, or too many."""
        kind = self.subject_kind
        if count == kind.min_inputs or (kind.takes_several and count > kind.min_inputs):
            return
        name = " ".join(self.command_words)
        if not self.example_subject:
            name += f" with {self.selector}=" if self.selector else ""
            raise RulesError(f"{name} needs nothing but its arguments; leave the rest out")
        if kind.takes_several:
            example = " ".join(self.example_inputs)
            raise RulesError(f"{name} needs {kind.description}; give them first, such as {example}")
        raise RulesError(f"{name} needs {kind.description}; give it first, and once")

    def answer(self, subject: Any, values: Mapping[str, Any], **hooks: Any) -> HasPage:
        """The answer for a subject and the values of the arguments."""
        arguments = _values_of(self.arguments, values)
        reply = self.function(subject, **arguments, **hooks)
        if isinstance(reply, FigureValues):
            return DeclaredAnswer(self.figures, arguments, reply)
        assert isinstance(reply, HasPage)
        return reply

    def save(self, answer: HasPage, values: Mapping[str, Any]) -> str | None:
        """Do with an answer what its arguments say; the text to print instead, if any."""
        for saving in self.saving_functions:
            if any(argument.is_changed(values[argument.name]) for argument in saving.arguments):
                return saving.function(answer, **_values_of(saving.arguments, values))
        return None

    def printed_heading(self, values: Mapping[str, Any]) -> str:
        """The printed title of an answer, after the name of its subject."""
        return self.heading(**_values_of(self.arguments, values))

    def argument_values(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The value of every argument by name; raises as a call does."""
        names = [argument.name for argument in self.all_arguments]
        for name in options:
            # those of its question are another mode's, and refused by `select_mode`
            if name not in names and not (self.main_question and self.main_question.takes({name})):
                raise RulesError(
                    f"{self.name} has no argument {shown(name)}; it has: {', '.join(names)}"
                )
        values = {
            argument.name: argument.parse(options.get(argument.name, argument.default))
            for argument in self.all_arguments
        }
        changed = {argument.name for argument, _ in self.changed_arguments(values)}
        for argument in self.own_arguments:
            if argument.needs and argument.name in changed and argument.needs not in changed:
                text = _shown_value(options[argument.name])
                raise ArgumentError(argument.name, f"{text}; give {argument.needs}= too")
        return values

    # --- in the words of an interface -------------------------------------------------------------

    def changed_arguments(self, values: Mapping[str, Any]) -> Iterator[tuple[Argument, Any]]:
        """The arguments that differ from their defaults, with their values."""
        for argument in self.all_arguments:
            if argument.is_changed(value := values.get(argument.name)):
                yield argument, value

    def python_call(self, subject: str, values: Mapping[str, Any]) -> str:
        """The call in Python; `subject` is its expression, or "".

        >>> from sevenout.questions import odds
        >>> odds.python_call("game", {"longer": 10, "at": None})
        'questions.odds(game, longer=10)'
        """
        options = [
            f"{argument.name}={python_literal(value)}"
            for argument, value in self.changed_arguments(values)
        ]
        name = (self.main_question or self).name
        return f"questions.{name}({', '.join(filter(None, [subject, *options]))})"

    def argument_words(self, values: Mapping[str, Any]) -> list[str]:
        """The arguments as words of a command line, positional ones first.

        >>> from sevenout.questions import odds
        >>> odds.argument_words({"longer": 10, "at": "4"})
        ['--at=4', '--longer=10']
        """
        changed = list(self.changed_arguments(values))
        words: list[str] = []
        # After an option a positional word could be taken for its value.
        for argument, value in sorted(changed, key=lambda pair: not pair[0].positional):
            for item in value if isinstance(value, tuple) else (value,):
                if argument.positional:
                    words.append(str(item))
                else:
                    words.append(argument.option if item is True else f"{argument.option}={item}")
        return words

    def error_message(self, error: Exception, name_argument: Callable[[Argument], str]) -> str:
        """The message of an error, with arguments named as an interface names them.

        >>> from sevenout.questions import odds
        >>> error = RulesError("longer=0; give more")
        >>> odds.error_message(error, lambda argument: argument.label + ": ")
        'More than (rolls): 0; give more'
        """
        arguments = {argument.name: argument for argument in self.all_arguments}

        def rename(match: re.Match[str]) -> str:
            argument = arguments.get(match["name"])
            if argument is None:
                return match[0]
            name = name_argument(argument)
            return name if match["alone"] is None else name.rstrip(" :")

        if isinstance(error, ArgumentError) and error.argument in arguments:
            name = name_argument(arguments[error.argument])
            if isinstance(error, MissingValueError):
                name = name.rstrip(" :") + " "
            return f"{name}{ARGUMENT_IN_MESSAGE.sub(rename, error.text)}"
        return ARGUMENT_IN_MESSAGE.sub(rename, str(error))

    @contextmanager
    def naming_options(self) -> Iterator[None]:
        """Within it, errors name arguments as options of the command line."""
        try:
            yield
        except SevenoutError as error:
            message = self.error_message(error, lambda argument: f"{argument.option} ")
            # an error that names no argument keeps its class and its traceback
            if message == str(error):
                raise
            raise NotationError(message) from None


ARGUMENT_IN_MESSAGE = re.compile(r"(?<![\w-])(?P<name>[a-z_]+)=(?P<alone>(?=[\s,;:.]|$))?")
"""An argument in a message: `at=4`, or `at=` alone."""


def _values_of(arguments: Iterable[Argument], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of some of the arguments."""
    return {argument.name: values[argument.name] for argument in arguments}


def _shown_value(value: Any) -> str:
    """A value as it is typed, for a message."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return shown(value) if isinstance(value, str) else str(value)


def _declared_arguments(function: Callable[..., Any]) -> tuple[tuple[Argument, ...], list[str]]:
    """The declared arguments after the subject, and the other parameters by name.

    An interface fills the others, such as `progress`.
    """
    arguments, hooks = [], []
    _, *parameters = signature(function).parameters.values()
    for parameter in parameters:
        if isinstance(parameter.default, Argument):
            declared = parameter.default
            arguments.append(declared.of_parameter(parameter.name, parameter.annotation))
        # Progress and the like have defaults of their own; what has none was forgotten.
        elif parameter.default is Parameter.empty:
            raise NotationError(f"{function.__name__}: declare {parameter.name} with arg(...)")
        else:
            hooks.append(parameter.name)
    return tuple(arguments), hooks


def asks(
    subject_kind: SubjectKind, help: str, figures: Mapping[str, Any], **options: Any
) -> Callable[[Callable[..., Any]], Question]:
    """Make a question of a function, which takes the subject and the arguments, and answers.

    The function returns the values of the figures (`FigureValues`), or an answer that prints
    itself. An argument with the name of a figure is that figure's value.

    Args:
        subject_kind: the kind of its subject.
        help: the question in one sentence.
        figures: by key, a JSON schema, or a `DeclaredFigure` if it is printed too.
        options: other attributes of the question.
    """
    declared_figures = {
        key: figure if isinstance(figure, DeclaredFigure) else DeclaredFigure(figure)
        for key, figure in figures.items()
    }

    def declare(function: Callable[..., Any]) -> Question:
        arguments, hooks = _declared_arguments(function)
        question = Question(
            function.__name__,
            help,
            subject_kind,
            function,
            declared_figures,
            arguments,
            takes_progress="progress" in hooks,
            **options,
        )
        object.__setattr__(question, "__doc__", own_docstring(function))
        return question

    return declare


class DeclaredAnswer(HasPage):
    """The answer of a question that declares how its figures are printed.

    >>> from sevenout.documents.kinds import FRACTION, PERCENT
    >>> figure = DeclaredFigure({"type": "string"}, "longer", (FRACTION, PERCENT))
    >>> answer = DeclaredAnswer({"p": figure}, {}, FigureValues({"p": Fraction(1, 9)}))
    >>> print(answer)
    longer   1/9   11.1111 %
    >>> answer["p"], answer.to_dict()
    (Fraction(1, 9), {'p': '1/9'})

    Attributes:
        figures: the figures that it has, in printed order, by key without the "?".
        values: their values by key.
        reply: the blocks around them, and what is printed in place of a declared name.
    """

    def __init__(
        self,
        figures: Mapping[str, DeclaredFigure],
        arguments: Mapping[str, Any],
        reply: "FigureValues",
    ) -> None:
        self.values = {**arguments, **reply.values}
        self.figures = {
            key.rstrip("?"): figure
            for key, figure in figures.items()
            # an optional figure may have the name of an argument that is not given
            if not key.endswith("?") or self.values.get(key.rstrip("?")) is not None
        }
        self.reply = reply

    def __getitem__(self, key: str) -> Any:
        return self.values[key]

    def page(self) -> Page:
        """The figures, one per line."""
        names, notes = self.reply.names, self.reply.notes
        facts = [
            Fact(name, self.values[key], *figure.kinds, note=notes.get(key, ""))
            for key, figure in self.figures.items()
            if (name := names.get(key, figure.name))
        ]
        facts += self.reply.extra_facts
        return Page("", *self.reply.blocks_above, *([Facts(*facts)] if facts else []))

    def to_dict(self) -> dict[str, Any]:
        """As data: exact figures as strings, certified ones as a number and its bound."""
        return {
            key: figure_data(self.values[key])
            for key, figure in self.figures.items()
            if figure.schema
        }


class FigureValues:
    """The values of a question's figures, and what is printed around them.

    Attributes:
        values: by key; a figure without one has the value of the argument of its name.
        blocks_above: blocks above the figures.
        names: printed names that depend on the answer; "" leaves a figure out.
        notes: what is printed after a figure.
        extra_facts: further lines.
    """

    def __init__(
        self,
        values: Mapping[str, Any],
        sentence: str = "",
        *,
        blocks_above: Iterable[Block] = (),
        names: Mapping[str, str] = MappingProxyType({}),
        notes: Mapping[str, str] = MappingProxyType({}),
        extra_facts: Iterable[Fact] = (),
    ) -> None:
        self.values, self.names, self.notes = values, names, notes
        self.extra_facts = tuple(extra_facts)
        self.blocks_above = (Text(sentence), *blocks_above) if sentence else tuple(blocks_above)


class LazyAnswer(HasPage):
    """An answer whose page and data are made when needed.

    >>> print(LazyAnswer(lambda: Page("", *prose("Seven out.")), dict))
    Seven out.

    Attributes:
        make_page: makes the page without the preface.
        make_data: makes the data.
        preface: printed first, above the page.
        exit_code: the command's exit code.
        results: for additions by an interface, such as a picture.
        terminal_view: makes what a terminal shows in place of the page; None for the page.
    """

    def __init__(
        self,
        make_page: Callable[[], Page],
        make_data: Callable[[], dict[str, Any]],
        *results: Any,
        preface: str = "",
        exit_code: int = 0,
        terminal_view: Callable[[], Any] | None = None,
    ) -> None:
        self.make_page, self.make_data, self.results = make_page, make_data, results
        self.preface, self.exit_code, self.terminal_view = preface, exit_code, terminal_view

    def page(self) -> Page:
        """The preface and the page."""
        body = self.make_page()
        if not self.preface:
            return body
        return Page(body.title, *prose(self.preface, "note"), *body.blocks)

    def to_dict(self) -> dict[str, Any]:
        """As data."""
        return self.make_data()


def figure_data(value: Any) -> Any:
    """A figure as data: exact fractions as text, a certified value as floats with a sure bound.

    >>> figure_data(Fraction(1, 3)), figure_data({"seven out": Fraction(2, 3)}), figure_data(5)
    ('1/3', {'seven out': '2/3'}, 5)
    """
    match value:
        case Certified():
            return dict(zip(("value", "bound"), value.as_floats(), strict=True))
        case Fraction():
            return exactly(value)
        case dict():
            return {str(key): figure_data(part) for key, part in value.items()}
        case list() | tuple():
            return [figure_data(part) for part in value]
    return value
