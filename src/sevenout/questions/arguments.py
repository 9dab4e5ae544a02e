"""The arguments of questions: their values, names and defaults."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin

from sevenout.errors import NoSuchOptionError, NotationError, RulesError, SevenoutError, shown
from sevenout.files import check_writable, offer_for_temporary_files, shown_path
from sevenout.numerals import MAX_SEED, exact, parse_count, parse_seed

NUMBER_LIMIT = 10**99
"""Numbers must be smaller than this, whether they come from Python or as text of 99 digits."""
REQUIRED: Any = object()
"""The default of a required argument."""


class ArgumentError(NotationError):
    """A value that an argument can't have.

    Attributes:
        text: what is wrong, beginning with the value.
    """

    def __init__(self, argument: str, text: str) -> None:
        super().__init__(f"{argument}={text}")
        self.argument, self.text = argument, text


class MissingValueError(ArgumentError):
    """An argument that must be given, and isn't; `text` follows its name after a space."""

    def __init__(self, argument: str, advice: str) -> None:
        super().__init__(argument, f" is missing; {advice}")
        self.text = f"is missing; {advice}"


@contextmanager
def naming_argument(name: str) -> Iterator[None]:
    """Within it, an error that names no argument is about this one."""
    try:
        yield
    except ArgumentError:
        raise
    except SevenoutError as error:
        raise ArgumentError(name, str(error)) from None


@dataclass(frozen=True)
class Form:
    """The values that an argument may have.

    >>> whole_number(1, 6).parse("3"), amount().parse("5/2"), one_of("low", "high").parse("low")
    (3, Fraction(5, 2), 'low')

    Attributes:
        description: a description for the reference.
        parse: the value of a text, or of what is given in Python; raises for a wrong one.
        schema: the JSON schema of its values.
        allowed_words: the possible words; empty for free text.
    """

    description: str
    parse: Callable[[Any], Any]
    schema: Mapping[str, Any]
    allowed_words: tuple[str, ...] = ()

    @property
    def in_sentence(self) -> str:
        """Its description after "give".

        >>> amount().in_sentence, one_of("low", "high").in_sentence, flag().in_sentence
        ('an amount', 'low or high', 'yes or no')
        """
        if self.allowed_words:
            return self.description
        return f"{'an' if self.description[0] in 'aeio' else 'a'} {self.description}"

    @property
    def is_flag(self) -> bool:
        """Whether it is yes or no."""
        return self.schema.get("type") == "boolean"


def whole_number(minimum: int = 1, maximum: int | None = None) -> Form:
    """A whole number as people write it: 12, 10_000, 1e9."""

    def read(value: Any) -> int:
        return parse_count(
            _whole_number_text(value, "a whole number, such as 12"),
            minimum=minimum,
            maximum=maximum,
        )

    bounds = {"minimum": minimum} | ({} if maximum is None else {"maximum": maximum})
    upto = "up" if maximum is None else f"to {maximum:,}"
    return Form(f"whole number from {minimum} {upto}", read, {"type": "integer"} | bounds)


def _whole_number_text(value: Any, expected: str) -> str:
    """A whole number as text; a text, right or wrong, as it is."""
    if isinstance(value, int) and not isinstance(value, bool):
        # Python refuses to print integers of over 4,300 digits; nines are refused as too many.
        return str(value) if abs(value) < NUMBER_LIMIT else "9" * 100
    if not isinstance(value, str):
        raise NotationError(f"{shown(value)} is not {expected}")
    return value


def seed() -> Form:
    """A random seed."""

    def read(value: Any) -> int:
        return parse_seed(_whole_number_text(value, "a seed, such as 7"))

    return replace(whole_number(0, MAX_SEED), parse=read)


def amount(above: int | None = None) -> Form:
    """An exact amount: 3, 5/2, 0.5; greater than `above` if given.

    Amounts with a lower limit are of money, hours or the like, and no percentages.
    """
    advice = "write a number" if above is None else f"write a number above {above}"

    def read(text: Any) -> Fraction:
        number = plain_number(text)
        # 50% as a stop loss means a half of the bankroll, and would be half a unit
        if above is not None and isinstance(number, str) and number.strip().endswith("%"):
            raise NotationError(f"{_shown_number(text)} is a percentage; {advice}, such as 20")
        try:
            value = exact(number)
        except RulesError:
            if not isinstance(text, str):
                raise
            raise NotationError(
                f"{shown(text)} is not an amount; {advice}, such as 20 or 5/2"
            ) from None
        if above is not None and value <= above:
            raise NotationError(f"{_shown_number(text)} is too small; write more than {above}")
        # A fraction that is short as text may be long as a number: 1e999.
        if max(abs(value.numerator), value.denominator) >= NUMBER_LIMIT:
            raise NotationError(f"{_shown_number(text)} is too long; write fewer digits")
        return value

    return Form("amount" if above is None else f"amount above {above}", read, EXACT)


def probability() -> Form:
    """A probability strictly between 0 and 1: 19/20, 0.95, 95%."""

    def read(text: Any) -> Fraction:
        # 0.95 as a float is not 19/20, but its printed decimal is.
        if isinstance(text, float):
            text = repr(text)
        value = exact(plain_number(text))
        if not 0 < value < 1:
            raise NotationError(
                f"{_shown_number(text)}; it must lie between 0 and 1, such as 19/20 or 95%"
            )
        return value

    return Form("probability", read, EXACT)


def plain_number(text: Any) -> Any:
    """A figure as people write it, without a sign of money and commas, and with its first digit.

    >>> plain_number("$1,500"), plain_number(".95"), plain_number("1,5"), plain_number(3)
    ('1500', '0.95', '1,5', 3)
    """
    match = _WRITTEN_NUMBER.fullmatch(text.strip()) if isinstance(text, str) else None
    if match is None:
        return text
    digits = (match["whole"] or "0").replace(",", "")
    return f"{match['minus']}{digits}{match['rest']}"


_WRITTEN_NUMBER = re.compile(
    r"(?P<minus>-?)[$€£]?(?P<whole>\d{1,3}(?:,\d{3})+|\d{1,99})?(?P<rest>(?:(?<=\d)|(?=\.\d))"
    r"(?:\.\d{1,99})?%?)",
    re.ASCII,
)


def _shown_number(value: Any) -> str:
    """A number for an error; a text without its quotes."""
    return shown(value) if isinstance(value, int) else shown(str(value))[1:-1]


def one_of(*options: str) -> Form:
    """One of a few words."""

    def read(value: Any) -> str:
        if value not in options:
            raise NotationError(f"{shown(value)}; give one of: {', '.join(options)}")
        return str(value)

    return Form(" or ".join(options), read, {"type": "string", "enum": [*options]}, options)


def free_text() -> Form:
    """A name or another text."""

    def read(value: Any) -> str:
        if not isinstance(value, str):
            raise NotationError(f"{shown(value)} is not a string; give one")
        return value

    return Form("text", read, {"type": "string"})


def flag() -> Form:
    """Yes or no; a flag on the command line."""

    def read(value: Any) -> bool:
        if isinstance(value, bool):
            return value
        if value not in ("yes", "no"):
            raise NotationError(f"{shown(value)}; give yes or no")
        return bool(value == "yes")

    return Form("yes or no", read, {"type": "boolean"}, ("no", "yes"))


def _policy(value: Any) -> Any:
    if not (isinstance(value, str) or callable(value) or isinstance(value, Mapping)):
        raise NotationError(f"{shown(value)} is not a policy; give a name, such as best")
    return value


def output_file(content: str, *suffixes: str, folder: bool = False) -> Form:
    """A file or folder to write; refused at once if it can't be written or has another suffix."""

    def read(value: Any) -> Path:
        path = _path(value)
        if suffixes and path.suffix.lower() not in suffixes:
            choices = " or ".join(filter(None, [", ".join(suffixes[:-1]), suffixes[-1]]))
            ending = "one of these" if len(suffixes) > 1 else "it"
            raise NotationError(
                f"{shown_path(path)}: {content} can be {choices}; end the name with {ending}"
            )
        # Refused before the work: an hour of simulation must not end with "no such folder".
        check_writable(path, folder)
        offer_for_temporary_files(path)
        return path

    return Form("file to write", read, {"type": "string"})


PICTURE_FILE = output_file("a picture", ".svg", ".pdf", ".png")
"""The file of a picture."""


def input_file() -> Form:
    """A file to read."""
    return Form("file", _path, {"type": "string"})


def _path(value: Any) -> Path:
    if not isinstance(value, str | Path) or not str(value).strip():
        raise NotationError(f"{shown(value)} is not a file; name one")
    return Path(value)


POLICY_FORM = Form("text", _policy, {"type": "string"})
"""A policy: a name that the game knows, or in Python a function of the state."""


def state_text() -> Form:
    """A state as printed, or in Python syntax; resolved by the game."""
    return Form("state", lambda value: value, {"type": "string"})


EXACT: Mapping[str, Any] = {"type": "string", "pattern": r"^-?\d+(/\d+)?$"}
"""An exact figure as JSON: a string such as 244/495."""


@dataclass(frozen=True)
class Argument:
    """An argument of a question.

    >>> Argument("stop_loss", amount(0), "Leave when the loss reaches this.", example="20").label
    'Stop loss'

    Attributes:
        name: in Python; on the command line an option, `--stop-loss`.
        form: the values that it may have.
        help: what it means, in a sentence.
        example: a value as text, for the reference; "" for none.
        label: its name in the lab; that of the parameter by default.
        default: as a text; None if optional, `REQUIRED` if required.
        positional: whether it is positional on the command line.
        repeatable: whether it may be repeated; in a text, separated by semicolons.
        local_only: whether it names a file or a machine, which the lab leaves alone.
        short_option: another spelling on the command line: -o.
        needs: the name of the argument without which it says nothing; "" for none.
    """

    name: str
    form: Form
    help: str
    _: KW_ONLY
    example: str = ""
    default: Any = REQUIRED
    label: str = ""
    positional: bool = False
    repeatable: bool = False
    local_only: bool = False
    short_option: str = ""
    needs: str = ""

    def __post_init__(self) -> None:
        if not self.label:
            text = self.name.replace("_", " ")
            object.__setattr__(self, "label", text[:1].upper() + text[1:])

    def of_parameter(self, name: str, annotation: Any) -> "Argument":
        """The same with the name of a parameter, and with what its annotation says.

        >>> arg("The bet to make.").of_parameter("bet", str | None).default is None
        True

        Raises:
            NotationError: the annotation says no values, and no form is given.
        """
        kinds = [kind for kind in get_args(annotation) if kind is not NoneType]
        optional = isinstance(annotation, UnionType) and len(kinds) < len(get_args(annotation))
        kind = kinds[0] if optional else annotation
        repeatable = get_origin(kind) is tuple
        kind = get_args(kind)[0] if repeatable else kind
        form, default = self.form, self.default
        if default is FROM_ANNOTATION and kind is bool:
            default = "no"
        elif default is FROM_ANNOTATION:
            default = None if optional or repeatable else REQUIRED
        if form is FROM_ANNOTATION and get_origin(kind) is Literal:
            form = one_of(*get_args(kind))
        elif form is FROM_ANNOTATION:
            if kind not in FORMS:
                raise NotationError(f"{name}: {annotation} says no values; give arg(..., form)")
            form = FORMS[kind]()
        return replace(self, name=name, form=form, default=default, repeatable=repeatable)

    @property
    def required(self) -> bool:
        """Whether it must be given."""
        return self.default is REQUIRED

    @property
    def option(self) -> str:
        """Its name on the command line."""
        return self.name.upper() if self.positional else f"--{self.name.replace('_', '-')}"

    def is_changed(self, value: Any) -> bool:
        """Whether a value is given and isn't the default."""
        if value is None or value == ():
            return False
        if self.default is REQUIRED or self.default is None:
            # a flag that is off chooses nothing
            return not (self.form.is_flag and self.parse(value) is False)
        return bool(self.parse(value) != self.parse(self.default))

    def parse(self, value: Any) -> Any:
        """Its value; that of its default for None."""
        if value is None:
            value = self.default
        if value is REQUIRED:
            raise MissingValueError(self.name, f"give {self.form.in_sentence}{self._such_as}")
        if value is None:
            return () if self.repeatable else None
        if self.repeatable:
            # A text of several values comes from an address of the lab or a section of a sheet.
            if isinstance(value, str):
                value = [part.strip() for part in value.split(";") if part.strip()] or [value]
            parts = value if isinstance(value, list | tuple) else [value]
            return tuple(map(self._parse_one, parts))
        return self._parse_one(value)

    @property
    def _such_as(self) -> str:
        """An example after "give ...", unless the possible words are listed there already."""
        return f", such as {self.example}" if self.example and not self.form.allowed_words else ""

    def _parse_one(self, value: Any) -> Any:
        if isinstance(value, str) and not value:
            instead = self._such_as if self.required else f"{self._such_as}, or leave it out"
            raise ArgumentError(self.name, f"''; give {self.form.in_sentence}{instead}")
        with naming_argument(self.name):
            return self.form.parse(value)


FROM_ANNOTATION: Any = object()
"""A form or a default that the annotation of a parameter says."""
FORMS: Mapping[Any, Callable[[], Form]] = {
    str: free_text,
    bool: flag,
    int: whole_number,
    Fraction: amount,
}
"""The forms of parameters whose declaration has none, by the type of their values."""


def arg(
    help: str,
    form: Form = FROM_ANNOTATION,
    *,
    example: str = "",
    default: Any = FROM_ANNOTATION,
    label: str = "",
    positional: bool = False,
    local_only: bool = False,
    short_option: str = "",
    needs: str = "",
) -> Any:
    """An argument as the default of a parameter, which gives it its name.

    The annotation says the rest: `str` is any text, `int` a whole number from 1, `Fraction` an
    amount, `bool` a flag, `Literal` one of some words. `tuple` may be repeated. An argument is
    optional if it is a flag, a tuple, or may be None. A `form` or a `default` overrules it.
    """
    return Argument(
        "",
        form,
        help,
        example=example,
        default=default,
        label=label,
        positional=positional,
        local_only=local_only,
        short_option=short_option,
        needs=needs,
    )


def parse_options(
    arguments: Iterable[Argument], options: Mapping[str, str], subject: str
) -> dict[str, Any]:
    """The values of options by the name of their argument; those that are not given are left out.

    Args:
        arguments: those that the subject has.
        options: texts by option, without the dashes.
        subject: what takes the options, for the error of an unknown one.

    Raises:
        NotationError: no such option, or not a value of it.
    """
    by_option = {argument.option: argument for argument in arguments}
    values: dict[str, Any] = {}
    for name, text in options.items():
        option = f"--{name.replace('_', '-')}"
        if option not in by_option:
            raise NoSuchOptionError(subject, name, by_option)
        values[by_option[option].name] = by_option[option].parse(text)
    return values


def python_literal(value: Any) -> str:
    """A value in Python syntax.

    >>> python_literal(Fraction(5, 2)), python_literal(Fraction(20)), python_literal("start")
    ("'5/2'", '20', "'start'")
    """
    if isinstance(value, tuple):
        return f"[{', '.join(map(python_literal, value))}]"
    if isinstance(value, Fraction):
        return str(value.numerator) if value.denominator == 1 else repr(str(value))
    return repr(value)
