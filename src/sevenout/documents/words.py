"""The words of a page: paragraphs, and preformatted lines.

Text is plain, never markup; renderers escape it. Characters that are invisible or change the
direction of text are made visible when a block is made.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal
from unicodedata import category

from sevenout.wrong_arguments import public

Tone = Literal["", "note", "good", "bad", "strong"]
"""The meaning of a paragraph or row: plain, remark, positive or negative verdict, emphasis."""


@public
def clean(text: object) -> str:
    """Text with every control, surrogate and direction-changing character made visible.

    >>> clean("a" + chr(0) + "b" + chr(0x202E) + "c")
    'a�b�c'
    """
    return "".join(" " if c in "\n\t" else "\ufffd" if _invisible(c) else c for c in str(text))


def _invisible(c: str) -> bool:
    """Whether a character is a control, unassigned, or otherwise can't be seen."""
    # The soft hyphen is harmless: it shows only where a line is broken.
    return category(c) in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp") or (
        category(c) == "Cf" and c != "\u00ad"
    )


_RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff"
_RUN = re.compile(rf"[{_RIGHT_TO_LEFT}]+(?:[\W\d_]*[{_RIGHT_TO_LEFT}]+)*")


def isolate_right_to_left(text: str) -> str:
    """Text with right-to-left words isolated, so that what follows keeps its place.

    Otherwise the bidirectional algorithm (Unicode UAX 9) sets a number before a Hebrew name that it
    follows.

    >>> [f"{ord(c):x}" for c in isolate_right_to_left("\N{HEBREW LETTER ALEF} 4")]
    ['2068', '5d0', '2069', '20', '34']
    """
    return _RUN.sub("\u2068\\g<0>\u2069", text)


@dataclass(frozen=True)
class Span:
    """A few words of a paragraph that are set apart, such as code.

    Attributes:
        text: the words, without control characters.
        look: "code" for a monospaced face; "" for that of the paragraph.
    """

    text: str
    look: Literal["", "code"] = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", clean(self.text))


@public
def code(text: str) -> Span:
    """Words as code."""
    return Span(text, "code")


@dataclass(frozen=True, init=False)
class Text:
    """A paragraph.

    >>> Text("Write it with ", code("-o craps.pdf"), ".").text
    'Write it with -o craps.pdf.'

    Attributes:
        spans: its pieces.
        tone: its meaning.
    """

    spans: tuple[Span, ...]
    tone: Tone = ""

    def __init__(self, *words: str | Span, tone: Tone = "") -> None:
        put = object.__setattr__
        put(self, "spans", tuple(w if isinstance(w, Span) else Span(w) for w in words))
        put(self, "tone", tone)

    @property
    def text(self) -> str:
        """The words without styles."""
        return "".join(span.text for span in self.spans)

    def to_dict(self) -> dict[str, Any]:
        """As data."""
        return {"block": "text", "text": self.text, "tone": self.tone} | (
            {"spans": [{"text": s.text, "look": s.look} for s in self.spans]}
            if any(s.look for s in self.spans)
            else {}
        )


@dataclass(frozen=True)
class Code:
    """Preformatted lines: a program, a drawing of characters.

    Attributes:
        lines: the lines, without control characters.
    """

    lines: tuple[str, ...]

    def __init__(self, text: str | Iterable[str]) -> None:
        lines = text.splitlines() if isinstance(text, str) else text
        object.__setattr__(self, "lines", tuple(map(clean, lines)))

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(self.lines)

    def to_dict(self) -> dict[str, Any]:
        """As data."""
        return {"block": "code", "text": self.text}


@public
def prose(text: str, tone: Tone = "") -> list[Text]:
    r"""The paragraphs of a text; words between backticks are code.

    >>> [part.text for part in prose("Hold, or\nroll with `roll`.\n\nThe end.")]
    ['Hold, or roll with roll.', 'The end.']
    """
    return [
        Text(*(code(w) if k % 2 else w for k, w in enumerate(_at_backticks(passage))), tone=tone)
        for passage in passages(text)
    ]


COUNTS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def count_in_words(n: int) -> str:
    """A small number in words, a large one in figures.

    >>> count_in_words(2), count_in_words(30)
    ('two', '30')
    """
    return COUNTS[n] if 0 <= n < len(COUNTS) else f"{n:,}"


def word_list(items: Iterable[Any], conjunction: str = "and") -> str:
    """Items as a sentence lists them.

    >>> word_list([2, 3, 12]), word_list(["hard 8"], "or")
    ('2, 3 and 12', 'hard 8')
    """
    words = [str(item) for item in items]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {conjunction} {words[-1]}"


_ITEM = r"[ \t]*(?:([0-9]{1,3}|[a-z])[.)]|[-*•])[ \t]"
"""The start of a list item, with its number or letter if any."""


def passages(text: str) -> list[str]:
    r"""The paragraphs and list items of a text, on one line each.

    A line that begins with a number or letter is an item if that is the first (1 or a), or follows
    the item before. Otherwise it continues a sentence.

    >>> passages("To deal:\n1. Call the\n   roll.\n2. Pay.\n\nThe end.")
    ['To deal:', '1. Call the roll.', '2. Pay.', 'The end.']
    >>> passages("One more unit on the number\n12. It pays 30 to 1.")
    ['One more unit on the number 12. It pays 30 to 1.']
    """
    passages: list[str] = []
    last_mark = ""
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        for k, line in enumerate(_lines_at_items(paragraph)):
            item = re.match(_ITEM, line)
            mark = item[1] if item else None
            if k and mark and mark not in ("1", "a", _next_mark(last_mark)):
                passages[-1] += " " + line
                continue
            passages.append(line)
            last_mark = mark or last_mark
    return [" ".join(part.split()) for part in passages if part.strip()]


def _lines_at_items(paragraph: str) -> list[str]:
    """A paragraph, cut before each line that could begin an item."""
    starts = [m.start() for m in re.finditer(rf"(?<=\n){_ITEM}", paragraph)]
    return [paragraph[a:b] for a, b in pairwise([0, *starts, len(paragraph)])]


def _next_mark(mark: str) -> str:
    """The number or letter of the next item."""
    return str(int(mark) + 1) if mark.isdigit() else chr(ord(mark) + 1) if mark else ""


def _at_backticks(passage: str) -> list[str]:
    """The text outside and inside backticks, in turn."""
    pieces = re.split("(`[^`]+`)", " ".join(passage.split()))
    return [piece[1:-1] if k % 2 else piece for k, piece in enumerate(pieces)]
