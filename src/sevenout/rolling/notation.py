"""The one notation of dice: `2d6`, `4d6kh3`, `5d10!kh3`, `max(2d6!,d12)`, `d20+5>=15`.

Grammar::

    text    =  "tatham" / "no-seven" / roll [ "|" reading ]
    roll    =  sum [ sign sum ]                               ; two totals compared: true or false
    sum     =  [ "-" ] product *( ( "+" / "-" ) product )
    product =  dice *( ( "*" / "/" / "//" ) dice )
    dice    =  ( number / "(" roll ")" / "[" roll "]" / best / words / group ) *suffix
    best    =  ( "max" / "min" ) "(" sum *( "," sum ) ")"     ; the highest or lowest of totals
    group   =  [ number / "(" roll ")" ] "d" die              ; (d4)d6: a random number of dice
    die     =  sides / "%" / "F" / [ sides ] "{" face *( "," face ) "}" / "(" roll ")"
    suffix  =  "!" [ number ] [ "^" depth ]     ; rolled again and added on the highest face, or
                                                ; from a number up; without end, or to a depth
            /  ( "r" / "ro" ) [ sign ] number   ; r1: rolled again while it shows 1; ro1: once
            /  keep [ count ]                   ; kh3, kl3, dl1, dh1; several: dl1dh1
            /  sign number                      ; how many dice succeed: 8d10>=8
    keep    =  "k" / "kh" / "kl" / "d" / "dl" / "dh" / ( "keep" / "drop" ) ( "highest" / "lowest" )
    sign    =  ">=" / "<=" / ">" / "<" / "=" / "!="
    words   =  ( "highest" / "lowest" / "middle" ) number "of" dice      ; as AnyDice has them
            /  ( "highest" / "lowest" ) "of" sum *( "and" sum )
            /  "explode" dice / "count" ( number / "{" face *( "," face ) "}" ) "in" dice
    face    =  ( number / number ".." number / label / ranked ) [ ":" weight ]
    number  =  [ "-" ] digits [ "/" digits / "." digits ]
    label   =  letters and signs / '"' any text, as in JSON '"'
    ranked  =  ( value / "blank" ) [ "^" rank [ "r" red ] ]   ; 7^6r2: a 7 of rank 6, red number 2
    reading =  "red" sides / "skip" total / "alike"

A comparison with a number counts dice where it stands right after them; in brackets they are a
total: `(2d6)>=7`. `(d8+2d6)kh2` keeps dice of several kinds. The total of ranked dice is the face
of the higher rank; `|red6` gives them a red number on a clock of six, `|skip7` raises totals from 7
up by one. Capitals are allowed outside faces.
"""

import json
import re
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache
from numbers import Rational
from typing import TYPE_CHECKING, Any, NamedTuple

from sevenout.errors import NotationError, RulesError, shown
from sevenout.rolling.convolution import quotient, whole_if_possible
from sevenout.rolling.die import FUDGE, NUMBER, RANGE, Dice, Die, all_alike, total
from sevenout.rolling.expressions import (
    COMPARISONS,
    DiceGroup,
    Exploding,
    Expression,
    Extreme,
    Keep,
    Operation,
    Successes,
    Sum,
    constant,
)
from sevenout.rolling.laws import Law, bounded
from sevenout.rolling.other_libraries import NOTATION
from sevenout.rolling.ranked import (
    Face,
    RedIsHalf,
    RedNumber,
    SkipFrom,
    higher_rank,
    never_hard,
    tatham,
)
from sevenout.wrong_arguments import public

if TYPE_CHECKING:
    from sevenout.rolling.unbounded import UnboundedLaw

MAX_SIDES, MAX_DICE, MAX_DEPTH, MAX_BRACKETS = 10_000, 1_000, 1_000, 50
MAX_NUMBER = 10**99
WORDS = {"tatham": None, "no-seven": 7}
"""Named dice, with the total that they skip."""
KEEPS = {
    "k": ("keep", "highest"),
    "kh": ("keep", "highest"),
    "kl": ("keep", "lowest"),
    "d": ("drop", "lowest"),
    "dh": ("drop", "highest"),
    "dl": ("drop", "lowest"),
    **{f"{verb}{end}": (verb, end) for verb in ("keep", "drop") for end in ("highest", "lowest")},
}
SIGNS = tuple(COMPARISONS)
CLOSES = {"(": ")", "[": "]"}
LOOKS_AHEAD = 4
"""Tokens that the parser may ask for, beginning with the next one."""

_STRING = r'"(?:[^"\\]|\\.)*"'
_TOKEN = re.compile(
    rf"\s*(?:(?P<faces>\{{(?:[^{{}}\"]|{_STRING})*\}})"
    r"|(?P<number>[0-9]{1,99}(?:\.[0-9]{1,99})?)(?![0-9])"
    r"|(?P<word>(?:keep|drop)\s*(?:highest|lowest)|highest|lowest|middle|explode|count|max|min"
    r"|and|of|in|ro|kh|kl|dh|dl|r|k|d|f)"
    r"|(?P<sign>//|>=|<=|!=|[-+*/<>=!()\[\],%^])|(?P<end>\|.*))",
    re.IGNORECASE | re.DOTALL,
)
_FACE = re.compile(rf"({_STRING}|[^\s,:{{}}+|\"]+)(?::([^:]*))?", re.DOTALL)
_BETWEEN_COMMAS = re.compile(rf"(?:^|,)((?:{_STRING}|[^,])*)", re.DOTALL)
"""The faces of a list; a quoted label may hold commas."""
_SPACES = re.compile(rf"({_STRING})|\s+", re.DOTALL)
_RANKED = re.compile(r"(blank|-?[0-9]{1,9})(?:\^([0-9]{1,9})(?:r(-?[0-9]{1,9}))?)?")
_READING = re.compile(r"(red)([1-9][0-9]{0,8})|(skip)(-?[0-9]{1,9})|(alike)")
_WRITE = "write 2d6, d4+d6, 4d6kh3, 2d6+3, 2d6*2, 8d10>=8 or d6{1,2,2,3,3,4}"


class NotationToken(NamedTuple):
    """A piece of the text.

    Attributes:
        kind: "faces", "number", "word" or "sign"; "" after the end.
        text: the piece in small letters, without blanks.
        start: where it begins.
    """

    kind: str
    text: str
    start: int


class NotationPart(NamedTuple):
    """What a piece of the text means.

    Attributes:
        expression: how its dice make a total.
        dice: a `Die` or an `Exploding` die for each.
        open: whether suffixes may follow: dice that are not yet added up, or in brackets.
    """

    expression: Expression
    dice: tuple[Any, ...]
    open: bool = False


def parse_dice(text: str) -> Dice:
    """The dice that a text describes.

    >>> str(parse_dice("d6 + d4 + d4")), len(parse_dice("3d6"))
    ('d6+2d4', 3)
    >>> parse_dice("4D6 dl1 + 2").mean, str(parse_dice("4D6 dl1 + 2"))
    (Fraction(18461, 1296), '4d6kh3+2')
    >>> parse_dice("no-seven").p(7)
    Fraction(0, 1)

    Raises:
        NotationError: the text is not dice, or dice without a highest total; the message says
            what would be.
    """
    if not isinstance(text, str):
        raise NotationError(f"{shown(text)} is not text; write dice as '2d6'")
    return _dice_of_text(text)


@lru_cache(maxsize=256)  # catalogues and questions name the same few dice again and again
def _dice_of_text(text: str) -> Dice:
    if text.strip() in WORDS:
        return tatham(without=WORDS[text.strip()])
    parser = _Parser(text)
    part = parser.parse()
    if not part.dice:
        raise NotationError(f"no dice in {shown(text)}; write 2d6 or 2d6+3")
    # here too: (d4)d6 and brackets multiply what each part allows
    if len(part.dice) > MAX_DICE:
        raise NotationError(
            f"{len(part.dice)} dice in {shown(text)}; a roll has from 1 to {MAX_DICE:,} dice"
        )
    if any(isinstance(die, Exploding) for die in part.dice):
        raise NotationError(
            f"{shown(text)} has no highest total, so it can't be rolled in a game; give the "
            f"explosion a depth, as in d6!^10, or so.roll({shown(text)}) for its distribution"
        )
    return _read_as(part, parser.reading, text)


@public
def has_notation(dice: Dice) -> bool:
    """Whether the faces and the reading of the dice have a notation that `parse_dice` reads back.

    >>> has_notation(tatham(6)), has_notation(Dice([Die.standard(6)], total=max))
    (True, False)
    """
    # read back, not reasoned about: a function of your own has a text too
    try:
        return bool(parse_dice(str(dice)) == dice)
    except NotationError:
        return False


@lru_cache(maxsize=256)
def _law_of_text(text: str) -> "Law | UnboundedLaw":
    if text.strip() in WORDS:
        return parse_dice(text).totals.law
    parser = _Parser(text)
    part = parser.parse()
    if parser.reading or _ranked(part):
        return parse_dice(text).totals.law
    return parser.law(part)


def roll(text: str) -> "Law | UnboundedLaw":
    """The distribution of a total in the notation: a `Law`, or an `UnboundedLaw`.

    >>> roll("4d6dl1dh1").mean, roll("10d10ro1!kh5").mean > 44, roll("(d4)d6").mean
    (Fraction(7, 1), True, Fraction(35, 4))
    >>> roll("d20+5>=15").p()
    Fraction(11, 20)

    Raises:
        NotationError: the text is not dice; the message names the part and says what would be.
    """
    if not isinstance(text, str):
        raise NotationError(f"{shown(text)} is not text; write dice as '2d6'")
    return _law_of_text(text)


def pool_of_text(text: str) -> list[Law]:
    """The distribution of each die of a pool.

    >>> len(pool_of_text("2d6+d8"))
    3

    Raises:
        NotationError: text that is a total, or dice that explode without end.
    """
    part = _Parser(text).parse()
    endless = any(isinstance(die, Exploding) for die in part.dice)
    if endless or not isinstance(part.expression, DiceGroup) or part.expression.read:
        raise NotationError(
            f"{shown(text)} is not a pool of dice; write '10d6', and read it with "
            ".highest(3), .count(...), .sum()"
        )
    return [die.law for die in part.dice]


# --- the parser --------------------------------------------------------------------------------


class _Parser:
    """One pass over the tokens of a text, by recursive descent.

    Attributes:
        text: the text, for messages.
        tokens: the tokens, and a few after the end, so that looking ahead needs no check.
        place: the index of the next token.
        reading: what follows a "|".
        depth: how many brackets are open.
    """

    def __init__(self, text: str) -> None:
        self.text, self.place, self.depth, self.reading = text, 0, 0, ""
        self.tokens: list[NotationToken] = []
        # all tokens at once: the parser looks two ahead
        start, body = 0, text.rstrip()
        while start < len(body):
            match = _TOKEN.match(body, start)
            if not match:
                raise self._not_dice(_piece(body, start))
            kind = str(match.lastgroup)
            token = match[kind]
            if kind == "end":
                self.reading = _SPACES.sub(r"\1", token[1:])
            else:
                token = token if kind == "faces" else re.sub(r"\s", "", token.lower())
                self.tokens.append(NotationToken(kind, token, match.start(kind)))
            start = match.end()
        self.tokens += [NotationToken("", "", len(text))] * LOOKS_AHEAD

    # Tokens

    def ahead(self, count: int = 0) -> NotationToken:
        """The token after this many others."""
        return self.tokens[self.place + count]

    def peek(self, *tokens: str) -> str | None:
        """The next token, if it is one of these."""
        kind, token, _ = self.ahead()
        return token if kind in ("word", "sign") and token in tokens else None

    def take(self, *tokens: str) -> str | None:
        """The next token if it is one of these, and step over it."""
        token = self.peek(*tokens)
        self.place += token is not None
        return token

    def require(self, token: str) -> None:
        if not self.take(token):
            rest = self.text[self.ahead().start :].strip()
            raise self._wrong(shown(rest), f": {token!r} is missing")

    def number(self, *, signed: bool = False) -> int | Fraction | None:
        """The next token as a number; of a fraction, numerator / denominator."""
        place = self.place
        sign = -1 if signed and self.take("-") else 1
        if self.ahead().kind == "number":
            self.place += 1
            return whole_if_possible(sign * Fraction(self.ahead(-1).text))
        self.place = place
        return None

    def _number_after(self, token: str) -> int | Fraction:
        value = self.number(signed=True)
        if value is None:
            raise NotationError(f"a number is missing after {token!r} in {shown(self.text)}")
        if self.peek("/") and self.ahead(1).kind == "number":  # 8d10>=1/2
            self.place += 2
            value = quotient(value, Fraction(self.ahead(-1).text))
        return value

    def _wrong(self, part: str, advice: str) -> NotationError:
        return NotationError(f"{part} in {shown(self.text)}{advice}")

    def _not_dice(self, piece: str) -> NotationError:
        within = "" if piece == self.text else f" in {shown(self.text)}"
        words = re.findall(r"[a-z]+|[@&#]", self.text.lower())
        advice = next((NOTATION[word] for word in words if word in NOTATION), _WRITE)
        return NotationError(f"{shown(piece)}{within} is not dice; {advice}")

    # The grammar

    def parse(self) -> NotationPart:
        """The meaning of the whole text."""
        try:
            part = self._roll()
        except ZeroDivisionError:
            raise NotationError(f"{shown(self.text)} divides by zero") from None
        if self.ahead().kind:
            raise self._not_dice(_piece(self.text, self.ahead().start))
        return part

    def _roll(self) -> NotationPart:
        left = self._sum()
        if sign := self.take(*SIGNS):
            right = self._sum()
            self._must_be_numbers(left, right)
            return NotationPart(
                Operation(sign, left.expression, right.expression), (*left.dice, *right.dice)
            )
        return left

    def _sum(self) -> NotationPart:
        sign: Any = -1 if self.take("-") else 1
        parts = [(sign, self._product())]
        count = len(parts[0][1].dice)
        while token := self.take("+", "-"):
            part = self._product()
            parts.append((1 if token == "+" else -1, part))
            count += len(part.dice)
            self._few(count)
        if len(parts) == 1 and sign == 1:
            return parts[0][1]
        expression = Sum.of((s, part.expression) for s, part in parts)
        if isinstance(expression, Sum):
            self._must_be_numbers(*(part for _, part in parts))
            self._short(expression.plus)
        dice = tuple(die for _, part in parts for die in part.dice)
        return NotationPart(expression, dice, open=isinstance(expression, DiceGroup))

    def _product(self) -> NotationPart:
        part = self._dice()
        while sign := self.take("*", "//", "/"):
            part = self._times(part, sign, self._dice())
        return part

    def _times(self, left: NotationPart, sign: str, right: NotationPart) -> NotationPart:
        self._must_be_numbers(left, right)
        dice = (*left.dice, *right.dice)
        a, b = _constant(left), _constant(right)
        if sign in "//" and b == 0:
            raise NotationError(f"{shown(self.text)} divides by zero")
        if a is not None and b is not None:
            value = a * b if sign == "*" else quotient(a, b) if sign == "/" else a // b
            return NotationPart(constant(value), ())
        if sign == "*" and a is not None:
            return NotationPart(self._scaled(right.expression, a), dice)
        if sign in ("*", "/") and b is not None:
            factor = b if sign == "*" else quotient(1, b)
            return NotationPart(self._scaled(left.expression, factor), dice)
        return NotationPart(Operation(sign, left.expression, right.expression), dice)

    def _scaled(self, expression: Expression, factor: Any) -> Expression:
        if not factor:
            raise NotationError(f"{shown(self.text)} is always 0 in part; take another factor")
        return Sum.of([(factor, expression)])

    def _dice(self) -> NotationPart:
        return self._suffixed(self._atom())

    def _atom(self) -> NotationPart:
        if word := self.take("max", "min"):
            return self._best(word)
        if word := self.take("highest", "lowest", "middle"):
            return self._few_of(word)
        if self.take("explode"):
            return self._exploded(self._dice(), None, None)
        if self.take("count"):
            return self._count_of()
        count: Any
        start = self.ahead().start
        bracket = self.take("(", "[")
        count = self._bracketed(CLOSES[bracket]) if bracket else self.number()
        if not self.take("d"):
            if count is None:
                raise self._not_dice(_piece(self.text, start))
            return count if isinstance(count, NotationPart) else NotationPart(constant(count), ())
        die = self._die(start)
        if isinstance(count, NotationPart):
            return self._random_number_of(count, die)
        if count is None:
            count = 1
        if not isinstance(count, int):
            raise self._wrong(f"{count} dice", "; roll a whole number of dice")
        self._few(count)
        return NotationPart(DiceGroup(count), (die,) * count, open=True)

    def _open(self) -> None:
        self.depth += 1
        if self.depth > MAX_BRACKETS:
            raise NotationError(f"more than {MAX_BRACKETS} brackets in {shown(self.text)}")

    def _bracketed(self, close: str) -> NotationPart:
        self._open()
        part = self._roll()
        self.require(close)
        self.depth -= 1
        return part

    def _best(self, word: str, comma: str = ",") -> NotationPart:
        """The highest or lowest of totals in brackets, or of AnyDice's, between `and`."""
        if comma == ",":
            self.require("(")
        self._open()
        parts = [self._sum()]
        while self.take(comma):
            parts.append(self._sum())
        if comma == ",":
            self.require(")")
        self.depth -= 1
        self._must_be_numbers(*parts)
        expression = Extreme.of([part.expression for part in parts], highest=word == "max")
        return NotationPart(expression, tuple(die for part in parts for die in part.dice))

    def _die(self, start: int) -> Die:
        if self.take("%"):
            return Die.standard(100)
        if self.take("f"):
            return Die(FUDGE)
        if self.take("("):
            return self._random_sides(self._bracketed(")"))
        sides = self.number()
        if self.ahead().kind == "faces":
            self.place += 1
            return self._painted(self.ahead(-1).text[1:-1], sides)
        if sides is None:
            raise self._not_dice(_piece(self.text, start))
        if not isinstance(sides, int) or not 1 <= sides <= MAX_SIDES:
            raise self._wrong(f"{sides} sides", f"; a die has from 1 to {MAX_SIDES:,}")
        return Die.standard(sides)

    def _random_sides(self, part: NotationPart) -> Die:
        sides = self._finite(part)
        for n in sides:
            if type(n) is not int or not 1 <= n <= MAX_SIDES:
                raise self._wrong(f"a die with {n} sides", "; from 1 up")
        return _as_die(sides.map(Die.standard))

    def _random_number_of(self, count: NotationPart, die: Die) -> NotationPart:
        with self._naming_the_text():
            return NotationPart(DiceGroup(1), (_as_die(self._finite(count) @ die),))

    def _finite(self, part: NotationPart) -> Law:
        with self._naming_the_text():
            return bounded(self.law(part))

    def law(self, part: NotationPart) -> "Law | UnboundedLaw":
        """The distribution of the total of a part."""
        dice = [die if isinstance(die, Exploding) else die.law for die in part.dice]
        with self._naming_the_text():
            total: Law | UnboundedLaw = part.expression.law(dice)
            return total

    @contextmanager
    def _naming_the_text(self) -> Iterator[None]:
        """The parser knows the text, the arithmetic what is wrong with it."""
        try:
            yield
        except NotationError:
            raise
        except RulesError as error:
            raise NotationError(f"{shown(self.text)}: {error}") from None

    # AnyDice's words

    def _few_of(self, word: str) -> NotationPart:
        count = self.number()
        if count is None and word != "middle" and self.take("of"):
            return self._best("max" if word == "highest" else "min", "and")
        if count is None or not self.take("of"):
            raise self._wrong(repr(word), f"; write {word} 3 of 4d6, or max(d8,d6)")
        part = self._dice()
        if not part.open:
            raise self._wrong(f"{word} {count} of a total", "; keep dice")
        dice = len(part.dice)
        if word == "middle":
            self._must_keep(count, dice)
            low = (dice - int(count)) // 2
            return self._keeping(part, Keep(low, dice - int(count) - low))
        return self._kept(part, "kh" if word == "highest" else "kl", count)

    def _count_of(self) -> NotationPart:
        number = self.number(signed=True)
        counted: set[Hashable] = set() if number is None else {number}
        if number is None and self.ahead().kind == "faces":
            self.place += 1
            counted = set(self._painted(self.ahead(-1).text[1:-1], None).faces)
        if not counted or not self.take("in"):
            raise self._wrong("'count'", "; write count {5,6} in 8d6")
        part = self._dice()
        if not part.open or any(isinstance(die, Exploding) for die in part.dice):
            raise self._wrong("count in a total", "; count plain dice")
        hits = tuple(die.relabel(lambda face: int(face in counted)) for die in part.dice)
        return NotationPart(DiceGroup(len(hits)), hits)

    # Suffixes

    def _suffixed(self, part: NotationPart) -> NotationPart:
        while part.open:
            if self.take("!"):
                number = self.number()
                depth = self._depth() if self.take("^") else None
                part = self._exploded(part, number, depth)
            elif word := self.take("ro", "r"):
                part = self._rerolled(part, word)
            elif word := self.take(*KEEPS):
                few = self.number()
                part = self._kept(part, word, 1 if few is None else few)
            elif self.peek(*SIGNS) and self._counts_dice(part):
                sign = str(self.take(*SIGNS))
                return self._settled(self._succeeding(part, sign, self._number_after(sign)))
            else:
                break
        return self._settled(part)

    def _counts_dice(self, part: NotationPart) -> bool:
        """Whether a comparison counts dice: right after them, with a plain number."""
        if isinstance(part.expression, DiceGroup) and part.expression.read:
            return False
        if self.ahead(-1).text in (")", "]"):
            return False  # in brackets they are a total
        place = 2 if self.ahead(1).text == "-" else 1
        return self.ahead(place).kind == "number" and self.ahead(place + 1).text != "d"

    def _depth(self) -> int:
        depth = self.number()
        if not isinstance(depth, int) or not 1 <= depth <= MAX_DEPTH:
            raise self._wrong(
                f"the depth {shown(depth)} of an explosion", f"; from 1 to {MAX_DEPTH:,}"
            )
        return depth

    def _exploded(self, part: NotationPart, number: Any, depth: int | None) -> NotationPart:
        if not part.open or (isinstance(part.expression, DiceGroup) and part.expression.read):
            raise self._wrong("only dice explode, before they are kept,", "; write 4d6!kh3")
        exploding = {}
        for die in set(part.dice):
            if isinstance(die, Exploding):
                raise self._wrong("dice explode twice", "; once is enough")
            faces = [face for face in die.faces if isinstance(face, int | Fraction)]
            # ! alone is the highest face, !5 every face from 5 up
            least = max(faces, default=0) if number is None else number
            again = frozenset(face for face in faces if face >= least)
            right = len(faces) == len(die.faces) and 0 < len(again) < len(set(faces))
            if depth is None:  # a sum without end needs whole faces
                right = right and max(faces) > 0 and all(type(face) is int for face in faces)
            if not right:
                raise NotationError(
                    f"{shown(str(die))} in {shown(self.text)} can't explode; give two or more "
                    "faces that are whole numbers, the highest above 0, and let only some explode"
                )
            exploding[die] = Exploding(die.law, again, depth)
        return part._replace(dice=tuple(exploding[die] for die in part.dice))

    def _rerolled(self, part: NotationPart, word: str) -> NotationPart:
        start = self.ahead(-1).start
        sign = self.take(">=", "<=", ">", "<", "=") or "="
        number = self._number_after(word)
        piece = self.text[start:].split("+")[0].strip()[:20]
        rerolled = {die: self._reroll(die, word, sign, number, piece) for die in set(part.dice)}
        return part._replace(dice=tuple(rerolled[die] for die in part.dice))

    def _reroll(self, die: Any, word: str, sign: str, number: Any, piece: str) -> Die:
        if isinstance(die, Exploding) or not all(isinstance(f, Rational) for f in die.faces):
            raise self._wrong(shown(piece), ": only numbers can be rerolled, before they explode")
        test = COMPARISONS[sign]
        pairs: list[tuple[Any, int]] = list(zip(die.faces, die.weights, strict=True))
        bad = sum(w for face, w in pairs if test(face, number))
        whole = sum(die.weights)
        if not 0 < bad < whole:
            amount = "every" if bad else "no"
            raise self._wrong(shown(piece), f" rolls {amount} face again; name some of the faces")
        if word == "ro":  # two rolls: the second counts if the first is bad
            weights = [w * (bad + (0 if test(face, number) else whole)) for face, w in pairs]
            return Die(die.faces, weights)
        left = [(face, w) for face, w in pairs if not test(face, number)]
        return Die([face for face, _ in left], [w for _, w in left])

    def _kept(self, part: NotationPart, word: str, count: Any) -> NotationPart:
        verb, end = KEEPS[word]
        keep = part.expression.read if isinstance(part.expression, DiceGroup) else None
        low, high = (keep.lowest, keep.highest) if isinstance(keep, Keep) else (0, 0)
        left = len(part.dice) - low - high
        if verb == "drop":
            self._must_keep(left - count, left, f"drop {count} of {left}", most=left - 1)
            dropped = int(count)
        else:
            self._must_keep(count, left)
            dropped = left - int(count)
        if (verb == "drop") == (end == "lowest"):
            low += dropped
        else:
            high += dropped
        return self._keeping(part, Keep(low, high))

    def _must_keep(self, count: Any, dice: int, verb: str = "", most: int | None = None) -> None:
        if not isinstance(count, int) or not 1 <= count <= dice or (verb and count == dice):
            most = dice if most is None else most
            raise NotationError(
                f"{verb or f'keep {count} of {dice}'} dice in {shown(self.text)}; "
                + (f"from 1 to {most}" if most else "there is only one; to add dice, write d6+d6")
            )

    def _keeping(self, part: NotationPart, keep: Keep) -> NotationPart:
        self._must_be_numbers(part)
        everything = not keep.lowest and not keep.highest
        return part._replace(expression=DiceGroup(len(part.dice), None if everything else keep))

    def _succeeding(self, part: NotationPart, sign: str, number: Any) -> NotationPart:
        self._must_be_numbers(part)
        test = COMPARISONS[sign]
        results = {test(face, number) for die in set(part.dice) for face in die.law}
        # the same of every face: it was meant for the total
        if len(results) == 1:
            amount = "every die" if True in results else "no die"
            raise NotationError(
                f"{amount} of {shown(self.text)} is {sign}{number}, and right after dice a "
                "comparison counts dice, as in 8d10>=8; to compare the total, write (2d6)>=7"
            )
        return NotationPart(DiceGroup(len(part.dice), Successes(sign, number)), part.dice)

    def _settled(self, part: NotationPart) -> NotationPart:
        """Dice that explode to a depth become dice of their totals, or of their successes."""
        if not any(isinstance(die, Exploding) and die.depth for die in part.dice):
            return part
        read = part.expression.read if isinstance(part.expression, DiceGroup) else None
        worth = read.worth if isinstance(read, Successes) else None
        settled = {die: die for die in set(part.dice)}
        for die in settled:
            if isinstance(die, Exploding):
                settled[die] = _as_die(die.total(worth))
            elif worth:
                settled[die] = die.relabel(worth)
        dice = tuple(settled[die] for die in part.dice)
        return NotationPart(DiceGroup(len(dice)), dice) if worth else part._replace(dice=dice)

    # Checks

    def _few(self, count: int) -> None:
        if count > MAX_DICE:
            raise self._wrong(f"{count} dice", f"; a roll has from 1 to {MAX_DICE:,} dice")

    def _short(self, number: Any) -> None:
        fraction = Fraction(number)
        if max(abs(fraction.numerator), fraction.denominator) >= MAX_NUMBER:
            raise self._wrong("the numbers", " are too long; add up to 99 digits")

    def _must_be_numbers(self, *parts: NotationPart) -> None:
        dice = {die for part in parts for die in part.dice if isinstance(die, Die)}
        if dice and total(face for die in dice for face in die.faces) is None:
            raise self._wrong(
                "no plain numbers", "; keep, count or add to dice whose faces are numbers"
            )

    # Faces

    def _painted(self, listed: str, sides: Any) -> Die:
        pairs = _SPACES.sub(r"\1", listed)
        faces: list[Hashable] = []
        weights: list[int] = []
        # a caret inside quotes is a label's
        ranked = "^" in re.sub(_STRING, "", self.text)
        for pair in _BETWEEN_COMMAS.findall(pairs):
            match = _FACE.fullmatch(pair)
            if not match:
                name = pair.partition(":")[0]
                raise self._wrong(f"the face {shown(name)}", " is not a number or a label")
            face, weight = match.groups()
            if weight is not None and not re.fullmatch(r"[1-9][0-9]{0,3999}", weight):
                raise self._wrong(
                    f"the weight {shown(weight)}", " is not a whole number, 1 or more"
                )
            painted = self._faces(face, ranked)
            faces += painted
            weights += [int(weight or 1)] * len(painted)
            if len(faces) > MAX_SIDES:
                raise self._wrong(
                    f"over {MAX_SIDES:,} sides", f"; a die has from 1 to {MAX_SIDES:,}"
                )
        if sides is not None and len(faces) != sides:
            raise self._wrong(f"{len(faces)} faces for a d{sides}", f"; list all {sides}")
        return Die(faces, weights)

    def _faces(self, face: str, ranked: bool) -> list[Hashable]:
        """The faces that one entry stands for."""
        if ranked and "^" in self.text:
            marks = _RANKED.fullmatch(face)
            if marks and (marks[2] is not None or face == "blank"):
                value = None if marks[1] == "blank" else int(marks[1])
                return [Face(value, int(marks[2] or 0), int(marks[3] or 0))]
            raise self._wrong(f"the face {shown(face)}", " has no rank; write 7^6 or blank on all")
        if face.startswith('"'):
            try:
                return [str(json.loads(face, strict=False))]
            except ValueError:
                raise self._wrong(
                    f"the label {shown(face)}", " is not text in double quotes, as in JSON"
                ) from None
        if face.startswith("<"):
            raise self._wrong(f"the face {shown(face)}", " has no notation")
        if span := RANGE.fullmatch(face):  # AnyDice's {0..9}
            first, last = int(span[1]), int(span[2])
            if last < first or last - first >= MAX_SIDES:
                raise NotationError(
                    f"the faces {face} in {shown(self.text)}; write the lower number first, and at "
                    f"most {MAX_SIDES:,} faces"
                )
            return list(range(first, last + 1))
        if NUMBER.fullmatch(face):
            top, _, bottom = face.partition("/")
            return [quotient(Fraction(top), int(bottom or 1))]
        return [face]


def _piece(text: str, start: int) -> str:
    """The piece of a text around a place, between its signs."""
    body, _, _ = text.partition("|")
    first = max((body.rfind(sign, 0, start) for sign in "+-,"), default=-1) + 1
    ends = [end for sign in "+-," if (end := body.find(sign, start + 1)) >= 0]
    return body[first : min(ends, default=len(body))].strip()


def _constant(part: NotationPart) -> Any:
    """The number of a part without dice; None if it has dice."""
    return part.expression([]) if not part.dice else None


def _as_die(rolled: Any) -> Die:
    whole = bounded(rolled)
    return Die(whole.faces, whole.weights)


def _ranked(part: NotationPart) -> bool:
    return any(
        isinstance(face, Face)
        for die in set(part.dice)
        if isinstance(die, Die)
        for face in die.faces
    )


def _read_as(part: NotationPart, reading: str, text: str) -> Dice:
    """The dice of a part, with its total and what makes it hard."""
    dice, expression = part.dice, part.expression
    ranked = _ranked(part)
    if ranked and not all(isinstance(face, Face) for die in set(dice) for face in die.faces):
        raise NotationError(f"some dice of {shown(text)} have no ranks; write 7^6 on all of them")
    plain = isinstance(expression, DiceGroup) and expression.read is None
    if not plain:
        if reading or ranked:
            wrong = f"the reading {shown(reading)}" if reading else "no plain numbers"
            raise NotationError(
                f"{wrong} in {shown(text)}; keep, count or add to dice whose faces are numbers"
            )
        return Dice(dice, expression)
    if not reading:
        return Dice(dice, higher_rank, never_hard) if ranked else Dice(dice)
    match = _READING.fullmatch(reading)
    if match and ranked and match[1]:
        return Dice(dice, higher_rank, RedIsHalf(RedNumber(int(match[2]))))
    if match and ranked and match[5]:
        return Dice(dice, higher_rank, all_alike)
    if match and not ranked and match[3]:
        return Dice(dice, SkipFrom(int(match[4])), all_alike)
    right = "|red6 or |alike" if ranked else "|skip7"
    raise NotationError(f"the reading {shown(reading)} in {shown(text)}; write {right}, or none")
