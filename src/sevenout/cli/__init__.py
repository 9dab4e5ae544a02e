"""The command line: a thin layer over the library."""

import os
import re
import sys
from collections.abc import Sequence
from itertools import pairwise
from shutil import get_terminal_size

MIN_COLUMNS = 20
"""The least width of a terminal: Rich takes minutes for a table that has no room."""
PIPE_CLOSED = 128 + 13
"""The exit code after a closed pipe, as after SIGPIPE."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; bad input gives one line on standard error and exit code 2.

    >>> main(["odds", "nonsense"])
    2
    """
    try:
        return _run_command(sys.argv[1:] if arguments is None else list(arguments))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # `sevenout games | head`
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)  # nothing may be flushed into the pipe
        return PIPE_CLOSED


def _run_command(words: list[str]) -> int:
    import logging

    from cyclopts import CycloptsError

    from sevenout.budgets.supervision import status
    from sevenout.cli.app import launch
    from sevenout.cli.out import print_error
    from sevenout.errors import SevenoutError
    from sevenout.extras import missing_dependency
    from sevenout.files import forget_files_read

    _open_streams()
    _ensure_width()
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it warns of a read-only home
    # Tests run many commands in one process.
    forget_files_read()
    try:
        result = launch(words)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except (SevenoutError, CycloptsError, OSError) as error:  # OSError: a full disk
        print_error(_error_message(error, words))
        # A signal that comes after the message must not change the exit code.
        status.has_reported_error = True
        return 2
    except ImportError as error:
        if (message := missing_dependency(error)) is None:
            raise
        print_error(message)
        return 2
    except Exception as error:
        from sevenout.rules.gamefiles.python_file import own_rules_error

        if (own := own_rules_error(error)) is None:
            raise
        print_error(own)
        return 2
    return result if isinstance(result, int) else 0


def _open_streams() -> None:
    """Let every stream take any text; a closed one is replaced."""
    if None in (sys.stdin, sys.stdout, sys.stderr):
        nowhere = open(os.devnull, "r+")  # noqa: SIM115  open as long as the program runs
        sys.stdin, sys.stdout, sys.stderr = (
            stream or nowhere for stream in (sys.stdin, sys.stdout, sys.stderr)
        )
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal may lack a letter of a name; a question mark is better than an error.
            stream.reconfigure(errors="replace")


def _ensure_width() -> None:
    """Let every console take at least `MIN_COLUMNS` columns; all of them read COLUMNS first."""
    if not re.fullmatch(r"[1-9]\d{0,4}", os.environ.get("COLUMNS", ""), re.ASCII):
        os.environ.pop("COLUMNS", None)  # Rich raises a ValueError for thousands of digits
    width = get_terminal_size().columns
    if width < MIN_COLUMNS:
        os.environ["COLUMNS"] = str(MIN_COLUMNS)


def _error_message(error: Exception, words: list[str]) -> "str | Exception":
    """An error's message, with options as they were typed and the file that it is about."""
    from cyclopts import MissingArgumentError, UnknownOptionError, UnusedCliTokensError

    from sevenout.cli.app import function_options
    from sevenout.cli.command_help import (
        example_value,
        right_option,
        unknown_option,
    )
    from sevenout.errors import (
        FileError,
        NoSuchOptionError,
        NotationError,
        SevenoutError,
        TooMuchWorkError,
        printable,
        shown,
    )
    from sevenout.extras import MissingError

    chain = getattr(error, "command_chain", None) or tuple(words[:1])
    if isinstance(error, UnknownOptionError):
        option = error.token.keyword or error.token.value
        return unknown_option(chain, option, function_options(chain[0]))
    if isinstance(error, UnusedCliTokensError) and error.unused_tokens:
        command = " ".join(["sevenout", *(error.command_chain or ())])
        word = shown(error.unused_tokens[0])
        return f"{command} doesn't take {word}; {command} --help lists its arguments"
    if isinstance(error, MissingArgumentError) and (word := _negative_value(words, error.keyword)):
        value = f"{error.keyword}={printable(word, 60)}"
        return f"{shown(word)} begins with a minus sign; write {value}"
    if isinstance(error, MissingArgumentError) and error.argument is not None:
        name = error.argument.name
        if "KEYWORD" in name:  # an option of the game itself has no name in the command
            name = words[-1]
            options = function_options(chain[0])
            if right_option(chain, name, options).startswith("write "):
                return unknown_option(chain, name, options)
        option = error.keyword or (name if name.startswith("-") and name in words else "")
        needed = f"{option} needs a value" if option else f"sevenout {' '.join(chain)} needs {name}"
        return f"{needed}{example_value(chain, name)}"
    options = function_options(chain[0]) if chain else []
    message = _with_typed_options(str(error), words)
    if isinstance(error, NoSuchOptionError):
        hint = right_option(chain, error.option, options)
        message = f"{message}; {hint}" if hint else message
    # these name their file already, or are not about one
    complete = NotationError, FileError, TooMuchWorkError, MissingError
    if isinstance(error, SevenoutError) and not isinstance(error, complete):
        message = _with_file(message)
    return message or error


def _with_typed_options(text: str, words: list[str]) -> str:
    """A message with options as typed, where the library writes main=4.

    >>> message = "main=4; the caster's main is 5, 6, 7, 8 or 9"
    >>> _with_typed_options(message, ["odds", "hazard", "--main", "4"])
    "--main 4; the caster's main is 5, 6, 7, 8 or 9"
    """
    for word in words:
        option = word.partition("=")[0]
        if option.startswith("--") and option[2:].replace("-", "").isidentifier():
            text = re.sub(rf"(?<![\w-]){option[2:].replace('-', '_')}=", f"{option} ", text)
    return text


def _with_file(text: str) -> str:
    """A message with its file, if only one was read."""
    from sevenout.files import only_file_read, shown_path

    name = shown_path(only_file_read())
    return text if not name or name in text else f"{name}: {text}"


def _negative_value(words: list[str], option: str | None) -> str:
    """The value after an option if it begins with a minus; else empty."""
    values = (word for before, word in pairwise(words) if before == option)
    return next((value for value in values if re.match(r"-[\d./]", value)), "")
