"""The terminal: rich text, plain text to a pipe, JSON on demand; and the lines that a player types.

All output is made harmless here: a name may hold control characters or look like markup.
"""

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sevenout.budgets.supervision import status
from sevenout.errors import NotationError, printable
from sevenout.files import MAX_LINE_LENGTH

if TYPE_CHECKING:
    from sevenout.documents import Page, Paper


MAX_MESSAGE, MAX_WORD = 398, 80
"""The most characters of an error message, with its first word; and of a word in it."""


def console() -> Any:
    """The console; 100 columns wide without a terminal. Text is never markup."""
    from rich.console import Console

    plain: Any = Console(markup=False, emoji=False, highlight=False)
    # A pipe has no width; rich would take 80 and break tables that files can hold.
    if not plain.is_terminal and "COLUMNS" not in os.environ:
        plain.width = 100
    # Names come from files of strangers: escape codes could rewrite the screen.
    plain.push_render_hook(_HarmlessHook())
    plain.on_broken_pipe = _raise_broken_pipe  # rich's exit code would be 1
    return plain


def _raise_broken_pipe() -> None:
    raise BrokenPipeError


def print_headline(console: Any, text: str) -> None:
    """A title in bold, with a rule to the end of the line."""
    from rich.text import Text

    console.rule(Text(text, style="bold"), align="left")


def print_titled(title: str, *parts: Any, preface: str = "") -> None:
    """A title with its text and rows."""
    from sevenout.documents import Page, prose

    out = console()
    print_headline(out, title)
    if preface:
        out.print(Page("", *prose(preface, "note")))
    for part in parts:
        out.print()
        out.print(part)


def render_documents(
    page: "Page", paths: Iterable[Path], fonts: Path | None = None, paper: "Paper" = "a4"
) -> list[tuple[Path, bytes]]:
    """A page in the format of each file's suffix, with the path of the file."""
    # Only what is asked for is rendered: a PDF needs typst, and takes longest.
    renderers: dict[str, Callable[[], bytes]] = {
        ".pdf": lambda: page.pdf(fonts, paper),
        ".html": page.html,
        ".json": page.json,
    }
    return [(path, renderers[path.suffix.lower()]()) for path in paths]


@contextmanager
def progress_bar() -> Iterator[Callable[..., object] | None]:
    """A progress bar on a terminal's standard error; it takes the work done, the total, a note."""
    from rich.console import Console

    screen = Console(stderr=True)
    if not screen.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns: list[Any] = [
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.fields[note]}"),
        TimeRemainingColumn(),
    ]
    status.speak()
    with Progress(*columns, console=screen, transient=True) as bars:
        bar = bars.add_task("", total=None, visible=False, note="")

        def show(progress: int, total: int, note: str = "") -> None:
            bars.update(bar, completed=progress, total=total, visible=True, note=note)

        yield show


def aligned(figures: Mapping[str, Any]) -> str:
    """Figures, one per line, with the values in one column."""
    width = max(14, *map(len, figures)) + 2
    return "\n".join(f"{name:<{width}}{value}" for name, value in figures.items())


def print_json(data: Any) -> None:
    """Data as indented JSON."""
    # JSON escapes the lowest control characters only; others could rewrite the screen.
    text = json.dumps(data, indent=2, ensure_ascii=False)
    status.speak()
    print("".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text))


def print_text(text: str) -> None:
    r"""Lines of plain text.

    >>> print_text("one\ntwo \x1b[31m\n")
    one
    two \x1b[31m
    """
    status.speak()
    print("\n".join(map(printable, text.removesuffix("\n").split("\n"))))


def print_error(error: Exception | str) -> None:
    """Any error as one line on standard error."""
    text = " ".join(map(_without_middle, str(error).split())) or type(error).__name__
    status.speak()
    try:
        print(printable(f"sevenout: {text}", MAX_MESSAGE), file=sys.stderr, flush=True)
    except OSError:  # a full disk or a closed pipe: the exit code alone must tell
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def _without_middle(word: str) -> str:
    """A word without its middle, if it would hide the rest of the message."""
    return word if len(word) <= MAX_WORD else f"{word[:30]}...{word[-30:]}"


class _HarmlessHook:
    """Rich output with control characters written out."""

    def process_renderables(self, renderables: list[Any]) -> list[Any]:
        status.speak()
        return [_Printable(renderable) for renderable in renderables]


class _Printable:
    """What rich renders of `inner`, with control characters written out."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def __rich_console__(self, console: Any, options: Any) -> Iterable[Any]:
        from rich.segment import Segment

        for text, style, control in console.render(self.inner, options):
            shown = text if control else _UNPRINTABLE.sub(lambda c: printable(c[0]), text)
            yield Segment(shown, style, control)


_UNPRINTABLE = re.compile(r"[^\n\x20-\x7e]")


@contextmanager
def forgiving_slips(print_line: Callable[[str], object]) -> Iterator[None]:
    """Within it a slip of the player is printed, and the game goes on; in piped input it ends."""
    try:
        yield
    except NotationError as error:
        if not sys.stdin.isatty():
            raise
        print_line(str(error))


def typed_lines(is_quiet: bool, prompt: Callable[[], str]) -> Iterator[str]:
    """The lines that a player types, until q or the end; on a terminal each follows a prompt.

    The time of waiting counts for no budget, and a new step begins after it.
    """
    prompts = not is_quiet and sys.stdin.isatty()
    while True:
        if prompts:
            sys.stdout.write(printable(f"{prompt()}> "))
            sys.stdout.flush()
        try:
            with status.waiting(new_step=sys.stdin.isatty()):
                line = sys.stdin.readline(MAX_LINE_LENGTH)
        except KeyboardInterrupt:  # leaving the table is not an error
            return
        # readline stops there, and the rest would be read as a second line.
        if len(line) == MAX_LINE_LENGTH:
            raise NotationError(
                f"the line has more than {MAX_LINE_LENGTH:,} characters; write a shorter one"
            )
        if not line or line.strip().lower() in ("q", "quit"):
            return
        yield line.strip()
