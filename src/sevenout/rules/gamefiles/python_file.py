"""Games and policies from a Python file: `mine.py:Lucky`."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache, wraps
from inspect import signature
from pathlib import Path
from traceback import extract_tb, walk_tb
from types import FunctionType, ModuleType
from typing import Any

from sevenout.errors import (
    FileError,
    NoSuchOptionError,
    NotationError,
    RulesError,
    SevenoutError,
    shown,
)
from sevenout.files import MAX_HANDWRITTEN_BYTES, read_bytes, read_text, shown_path
from sevenout.rules import Game


def is_python(name: str) -> bool:
    """Whether a name means a Python file, or something in one."""
    return name.partition(":")[0].endswith(".py")


RULES = "sevenout_rules_"
"""The prefix of modules that are read from files."""


def game_in(
    name: str, options: dict[str, Any], modifiers: Iterable[str] = ()
) -> tuple[str, Game, dict[str, Any]]:
    """The game of a file, its name, and the modifiers among the options that are not its own.

    A class is called with the other options.

    Raises:
        SevenoutError: no such file or game, a file that fails, or several games and none named.
    """
    path, _, chosen = name.partition(":")
    module = _module(path)
    games = {key: x for key, x in vars(module).items() if _is_own_game(x, module)}
    if not chosen:
        if len(games) != 1:
            listed = ", ".join(games) or "none"
            raise NotationError(
                f"{shown_path(path)} has several games; write {shown_path(path)}:NAME, where NAME "
                f"is one of: {listed}"
            )
        (chosen,) = games
    named_object = vars(module).get(chosen)
    if isinstance(named_object, Game):
        takes: list[str] = []
    elif isinstance(named_object, type) and issubclass(named_object, Game):
        # Other dice are an option of every game, --dice, and not the class's own.
        takes = [key for key in signature(named_object).parameters if key != "dice"]
    else:
        raise NotationError(
            f"{shown_path(path)} has no game {shown(chosen)}; it has: {', '.join(games)}"
        )
    other = {key: options[key] for key in modifiers if key in options and key not in takes}
    own = {key: value for key, value in options.items() if key not in other}
    for key in own:
        if key not in takes:
            raise NoSuchOptionError(shown_path(name), key, takes)
    if isinstance(named_object, Game):
        return chosen, named_object, other
    try:
        return chosen, named_object(**own), other
    # The author's own refusal, or ours of the author's rules: it says what to do.
    except SevenoutError:
        raise
    except Exception as error:
        raise NotationError(
            f"{shown_path(name)}: {chosen}(...) fails: {_error_text(error)}"
        ) from None


def policy_in(name: str) -> Any:
    """The policy of a file: a function of the state, or a table.

    Raises:
        SevenoutError: no such file or function, or a file that fails.
    """
    path, _, chosen = name.partition(":")
    module = _module(path)
    policy = vars(module).get(chosen)
    if isinstance(policy, type) or not (callable(policy) or isinstance(policy, dict)):
        own = [
            key
            for key, x in vars(module).items()
            if isinstance(x, FunctionType) and x.__module__ == module.__name__
        ]
        raise NotationError(
            f"{shown_path(path)} has no policy {shown(chosen)}; write {shown_path(path)}:NAME of a "
            "function of the state" + (f", such as {own[0]}" if own else "")
        )
    if not callable(policy):
        return policy

    @wraps(policy)
    def guarded(*state: Any) -> Any:
        try:
            return policy(*state)
        except SevenoutError:
            raise
        except Exception as error:
            state_text = shown(state[0] if len(state) == 1 else state)
            raise RulesError(
                f"{shown_path(name)} fails in state {state_text}: {_error_text(error)}"
            ) from None

    return guarded


def _is_own_game(x: Any, module: ModuleType) -> bool:
    if isinstance(x, type):
        return issubclass(x, Game) and x.__module__ == module.__name__
    return isinstance(x, Game)


def _module(path: str) -> ModuleType:
    return _loaded(str(Path(path).absolute()), path)


@lru_cache(maxsize=16)
def _loaded(absolute: str, path: str) -> ModuleType:
    """The module of a file, which is run once; `path` is for messages."""
    text = read_text(path, MAX_HANDWRITTEN_BYTES)
    name = f"{RULES}{abs(hash(absolute))}"
    module = ModuleType(name)
    module.__file__ = absolute
    sys.modules[name] = module  # dataclasses look up their module
    try:
        with _neighbours(Path(absolute)):
            exec(compile(text, absolute, "exec", dont_inherit=True), vars(module))
    except SevenoutError:
        raise
    except Exception as error:
        raise FileError(f"{shown_path(path)} fails: {_error_text(error, absolute)}") from None
    return module


_BESIDE: dict[str, dict[str, str]] = {}
"""By file, the modules imported from its folder, and their files."""


@contextmanager
def _neighbours(path: Path) -> Iterator[None]:
    """Let a file import its neighbours, unless an installed package has the name."""
    folder = str(path.parent)
    for name in {name for files_by_name in _BESIDE.values() for name in files_by_name}:
        sys.modules.pop(name, None)  # other folders may have files with the same names
    before = {*sys.modules}
    sys.path.append(folder)
    try:
        yield
    finally:
        sys.path.remove(folder)
        new = {*sys.modules} - before
        files = {name: getattr(sys.modules[name], "__file__", None) for name in new}
        _BESIDE[str(path)] = {
            name: file
            for name, file in files.items()
            if file and Path(file).absolute().is_relative_to(folder)
        }


def sources_of(name: str) -> tuple[tuple[str, bytes], ...]:
    """The files of a game that is a program: its own, and those imported from its folder.

    >>> sources_of("craps")
    ()
    """
    if not is_python(name):
        return ()
    typed = name.partition(":")[0]
    path = Path(typed).absolute()
    _module(typed)
    files = [path, *map(Path, sorted(_BESIDE.get(str(path), {}).values()))]
    return tuple((str(file.relative_to(path.parent)), read_bytes(file)) for file in files)


def own_rules_error(error: Exception) -> FileError | None:
    """The error of a user's own rules; None if they did not raise it."""
    files = [frame.f_globals for frame, _ in walk_tb(error.__traceback__)]
    beside = {file for files_by_name in _BESIDE.values() for file in files_by_name.values()}
    own = [
        g["__file__"]
        for g in files
        if g.get("__name__", "").startswith(RULES) or g.get("__file__") in beside
    ]
    if not own:
        return None
    notes = " ".join(getattr(error, "__notes__", ()))
    return FileError(f"{shown_path(own[-1])}: {_error_text(error, own[-1])}. {notes}".rstrip())


def _error_text(error: Exception, file: str = "") -> str:
    """A program's error, with the line in its file."""
    line = error.lineno if isinstance(error, SyntaxError) else None
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    # The last frame in the file is where the author's own line own_rules_error.
    for frame in extract_tb(error.__traceback__):
        line = frame.lineno if frame.filename == file else line
    return f"{type(error).__name__}: {text}" + (f", in line {line}" if line else "")
