"""The one notation of dice: `2d6`, `4d6kh3`, `5d10!kh3`, `max(2d6!,d12)`, `d20+5>=15`.

Grammar::

    text    =  "tatham" / "no-seven" / roll [ "|" reading ]
    roll    =  sum [ compare sum ]                            ; two totals compared: true or false
    sum     =  [ "-" ] product *( ( "+" / "-" ) product )
    product =  dice *( ( "*" / "/" / "//" ) dice )
    dice    =  ( number / "(" roll ")" / "[" roll "]" / best / words / group ) *suffix
    best    =  ( "max" / "min" ) "(" sum *( "," sum ) ")"     ; the highest or lowest of totals
    group   =  [ number / "(" roll ")" ] "d" die              ; (d4)d6: a random number of dice
    die     =  sides / "%" / "F" / [ sides ] "{" face *( "," face ) "}" / "(" roll ")"
    suffix  =  "!" [ number ] [ "^" depth ]     ; rolled again and added on the highest face, or
                                                ; from a number up; without end, or to a depth
            /  ( "r" / "ro" ) [ compare ] number  ; r1: rolled again while it shows 1; ro1: once
            /  keep [ count ]                   ; kh3, kl3, dl1, dh1; several: dl1dh1
            /  compare number                   ; how many dice succeed: 8d10>=8
    keep    =  "k" / "kh" / "kl" / "d" / "dl" / "dh" / ( "keep" / "drop" ) ( "highest" / "lowest" )
    compare =  ">=" / "<=" / ">" / "<" / "=" / "!="
    words   =  ( "highest" / "lowest" / "middle" ) number "of" dice      ; as AnyDice has them
            /  ( "highest" / "lowest" ) "of" sum *( "and" sum )
            /  "explode" dice / "count" ( number / "{" face *( "," face ) "}" ) "in" dice
    face    =  ( number / number ".." number / label / ranked ) [ ":" weight ]
    number  =  [ "-" ] digits [ "/" digits / "." digits ]
    label   =  letters and symbols / '"' any text, as in JSON '"'
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
from sevenout.numerals import int_if_whole
from sevenout.rolling.convolution import quotient
from sevenout.rolling.die import FUDGE, NUMBER, RANGE, Dice, Die, all_alike, total
from sevenout.rolling.expressions import (
    COMPARISONS,
    OPERATIONS,
    DiceGroup,
    Drop,
    Exploding,
    Expression,
    Extreme,
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
"""What a text may ask for: it may be a stranger's, and each bracket is a recursion."""
MAX_NUMBER = 10**99
"""Numbers in a text are shorter, and so are their sums."""
NAMED_DICE = {"tatham": None, "no-seven": 7}
"""Named dice, with the total that they skip."""
KEEP_WORDS = {
    "k": ("keep", "highest"),
    "kh": ("keep", "highest"),
    "kl": ("keep", "lowest"),
    "d": ("drop", "lowest"),
    "dh": ("drop", "highest"),
    "dl": ("drop", "lowest"),
    **{f"{verb}{end}": (verb, end) for verb in ("keep", "drop") for end in ("highest", "lowest")},
}
COMPARISON_OPERATORS = tuple(COMPARISONS)
CLOSING_BRACKETS = {"(": ")", "[": "]"}
LOOKAHEAD = 4
"""Tokens that the parser may ask for, beginning with the next one."""

_STRING = r'"(?:[^"\\]|\\.)*"'
_TOKEN = re.compile(
    rf"\s*(?:(?P<faces>\{{(?:[^{{}}\"]|{_STRING})*\}})"
    r"|(?P<number>[0-9]{1,99}(?:\.[0-9]{1,99})?)(?![0-9])"
    r"|(?P<word>(?:keep|drop)\s*(?:highest|lowest)|highest|lowest|middle|explode|count|max|min"
    r"|and|of|in|ro|kh|kl|dh|dl|r|k|d|f)"
    r"|(?P<symbol>//|>=|<=|!=|[-+*/<>=!()\[\],%^])|(?P<end>\|.*))",
    re.IGNORECASE | re.DOTALL,
)
_FACE = re.compile(rf"({_STRING}|[^\s,:{{}}+|\"]+)(?::([^:]*))?", re.DOTALL)
_BETWEEN_COMMAS = re.compile(rf"(?:^|,)((?:{_STRING}|[^,])*)", re.DOTALL)
"""The faces of a list; a quoted label may hold commas."""
_SPACES = re.compile(rf"({_STRING})|\s+", re.DOTALL)
_RANKED = re.compile(r"(blank|-?[0-9]{1,9})(?:\^([0-9]{1,9})(?:r(-?[0-9]{1,9}))?)?")
_READING = re.compile(r"(red)([1-9][0-9]{0,8})|(skip)(-?[0-9]{1,9})|(alike)")
_EXAMPLES = "write 2d6, d4+d6, 4d6kh3, 2d6+3, 2d6*2, 8d10>=8 or d6{1,2,2,3,3,4}"


class NotationToken(NamedTuple):
    """A piece of the text.

    Attributes:
        kind: "faces", "number", "word" or "symbol"; "" after the end.
        text: the piece in small letters, without blanks.
        start: where it begins.
    """

    kind: str
    text: str
    start: int


class NotationTerm(NamedTuple):
    """What a piece of the text means.

    Attributes:
        expression: how its dice make a total.
        dice: a `Die` or an `Exploding` die for each.
        takes_suffixes: whether suffixes may follow: dice that are not yet added up, or in brackets.
    """

    expression: Expression
    dice: tuple[Any, ...]
    takes_suffixes: bool = False

    @property
    def selection(self) -> Drop | Successes | None:
        """Which dice are dropped, or which succeed; None for a sum or another expression."""
        return self.expression.selection if isinstance(self.expression, DiceGroup) else None


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
    """The dice of a text; each is read once."""
    if text.strip() in NAMED_DICE:
        return tatham(without=NAMED_DICE[text.strip()])
    parser = _Parser(text)
    term = parser.parse()
    if not term.dice:
        raise NotationError(f"no dice in {shown(text)}; write 2d6 or 2d6+3")
    # here too: (d4)d6 and brackets multiply what each term allows
    if len(term.dice) > MAX_DICE:
        raise NotationError(
            f"{len(term.dice)} dice in {shown(text)}; a roll has from 1 to {MAX_DICE:,} dice"
        )
    if any(isinstance(die, Exploding) for die in term.dice):
        raise NotationError(
            f"{shown(text)} has no highest total, so it can't be rolled in a game; give the "
            f"explosion a depth, as in d6!^10, or so.roll({shown(text)}) for its distribution"
        )
    return _dice_of_term(term, parser.reading, text)


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
    if text.strip() in NAMED_DICE:
        return parse_dice(text).totals.law
    parser = _Parser(text)
    term = parser.parse()
    if parser.reading or _has_ranks(term):
        return parse_dice(text).totals.law
    return parser.law(term)


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
        NotationError: text that is a total or has a reading, or dice that explode without end.
    """
    parser = _Parser(text)
    term = parser.parse()
    if parser.reading:
        raise NotationError(
            f"the reading {shown(parser.reading)} in {shown(text)} is of a roll; leave it out of a "
            "pool"
        )
    endless = any(isinstance(die, Exploding) for die in term.dice)
    if endless or not isinstance(term.expression, DiceGroup) or term.expression.selection:
        raise NotationError(
            f"{shown(text)} is not a pool of dice; write '10d6', and read it with "
            ".highest(3), .count(...), .sum()"
        )
    return [die.law for die in term.dice]


# --- the parser --------------------------------------------------------------------------------


class _Parser:
    """One pass over the tokens of a text, by recursive descent.

    Attributes:
        text: the text, for messages.
        tokens: the tokens, and a few after the end, so that looking ahead needs no check.
        index: the index of the next token.
        reading: what follows a "|".
        open_brackets: how many are open.
        ranked: whether a list of faces has a rank, so that all faces must.
    """

    def __init__(self, text: str) -> None:
        self.text, self.index, self.open_brackets, self.reading = text, 0, 0, ""
        self.tokens: list[NotationToken] = []
        # all tokens at once: `_counts_dice` looks three ahead
        start, body = 0, text.rstrip()
        while start < len(body):
            match = _TOKEN.match(body, start)
            if not match:
                raise self._not_dice(_piece_around(body, start))
            kind = str(match.lastgroup)
            token = match[kind]
            if kind == "end":
                self.reading = _SPACES.sub(r"\1", token[1:])
            else:
                token = token if kind == "faces" else re.sub(r"\s", "", token.lower())
                self.tokens.append(NotationToken(kind, token, match.start(kind)))
            start = match.end()
        self.tokens += [NotationToken("", "", len(text))] * LOOKAHEAD
        # a caret inside quotes is a label's, and outside faces it is the depth of an explosion
        face_lists = [token.text for token in self.tokens if token.kind == "faces"]
        self.ranked = any("^" in re.sub(_STRING, "", face_list) for face_list in face_lists)

    # Tokens

    def ahead(self, count: int = 0) -> NotationToken:
        """The token after this many others."""
        return self.tokens[self.index + count]

    def peek(self, *tokens: str) -> str | None:
        """The next token, if it is one of these."""
        kind, token, _ = self.ahead()
        return token if kind in ("word", "symbol") and token in tokens else None

    def take(self, *tokens: str) -> str | None:
        """The next token if it is one of these, and step over it."""
        token = self.peek(*tokens)
        self.index += token is not None
        return token

    def require(self, token: str) -> None:
        if not self.take(token):
            rest = self.text[self.ahead().start :].strip()
            raise self._error(shown(rest), f": {token!r} is missing")

    def take_number(self, *, signed: bool = False) -> int | Fraction | None:
        """The next token as a number; of a fraction, numerator / denominator."""
        start = self.index
        sign = -1 if signed and self.take("-") else 1
        if self.ahead().kind == "number":
            self.index += 1
            return int_if_whole(sign * Fraction(self.ahead(-1).text))
        self.index = start
        return None

    def take_faces(self) -> str | None:
        """The list of faces in braces, if it is the next token."""
        if self.ahead().kind != "faces":
            return None
        self.index += 1
        return self.ahead(-1).text[1:-1]

    def _require_number(self, token: str) -> int | Fraction:
        """The number or fraction after a token; refuse anything else."""
        value = self.take_number(signed=True)
        if value is None:
            raise NotationError(f"a number is missing after {token!r} in {shown(self.text)}")
        if self.peek("/") and self.ahead(1).kind == "number":  # 8d10>=1/2
            self.index += 2
            value = quotient(value, Fraction(self.ahead(-1).text))
        return value

    def _error(self, piece: str, advice: str) -> NotationError:
        """The error about a part of the text, with what to write instead."""
        return NotationError(f"{piece} in {shown(self.text)}{advice}")

    def _not_dice(self, piece: str) -> NotationError:
        """The error about a piece that can't be read, with advice from other notations."""
        within = "" if piece == self.text else f" in {shown(self.text)}"
        words = re.findall(r"[a-z]+|[@&#]", self.text.lower())
        advice = next((NOTATION[word] for word in words if word in NOTATION), _EXAMPLES)
        return NotationError(f"{shown(piece)}{within} is not dice; {advice}")

    # The grammar: each method reads the rule of its name, or of the rule that its docstring names

    def parse(self) -> NotationTerm:
        """The meaning of the whole text."""
        try:
            term = self._roll()
        except ZeroDivisionError:
            raise NotationError(f"{shown(self.text)} divides by zero") from None
        if self.ahead().kind:
            raise self._not_dice(_piece_around(self.text, self.ahead().start))
        return term

    def _roll(self) -> NotationTerm:
        first = self._sum()
        if operator := self.take(*COMPARISON_OPERATORS):
            second = self._sum()
            self._check_numbers(first, second)
            return NotationTerm(
                Operation(operator, first.expression, second.expression),
                (*first.dice, *second.dice),
            )
        return first

    def _sum(self) -> NotationTerm:
        sign: Any = -1 if self.take("-") else 1
        terms = [(sign, self._product())]
        count = len(terms[0][1].dice)
        while token := self.take("+", "-"):
            term = self._product()
            terms.append((1 if token == "+" else -1, term))
            count += len(term.dice)
            self._check_dice(count)  # in the loop: a long text is refused early
        if len(terms) == 1 and sign == 1:
            return terms[0][1]
        expression = Sum.of((s, term.expression) for s, term in terms)
        if isinstance(expression, Sum):
            self._check_numbers(*(term for _, term in terms))
            self._check_length(expression.plus)
        dice = tuple(die for _, term in terms for die in term.dice)
        return NotationTerm(expression, dice, takes_suffixes=isinstance(expression, DiceGroup))

    def _product(self) -> NotationTerm:
        term = self._dice()
        while operator := self.take("*", "//", "/"):
            term = self._multiply(term, operator, self._dice())
        return term

    def _multiply(self, first: NotationTerm, operator: str, second: NotationTerm) -> NotationTerm:
        """A product or quotient; a constant becomes a factor of the other term."""
        self._check_numbers(first, second)
        dice = (*first.dice, *second.dice)
        first_number, second_number = _constant_value(first), _constant_value(second)
        if operator in ("/", "//") and second_number == 0:
            raise NotationError(f"{shown(self.text)} divides by zero")
        if first_number is not None and second_number is not None:
            return NotationTerm(constant(OPERATIONS[operator](first_number, second_number)), ())
        if operator == "*" and first_number is not None:
            return NotationTerm(self._scale(second.expression, first_number), dice)
        if operator in ("*", "/") and second_number is not None:
            factor = second_number if operator == "*" else quotient(1, second_number)
            return NotationTerm(self._scale(first.expression, factor), dice)
        return NotationTerm(Operation(operator, first.expression, second.expression), dice)

    def _scale(self, expression: Expression, factor: Any) -> Expression:
        if not factor:
            raise NotationError(f"{shown(self.text)} is always 0 in part; take another factor")
        return Sum.of([(factor, expression)])

    def _dice(self) -> NotationTerm:
        return self._add_suffixes(self._atom())

    def _atom(self) -> NotationTerm:
        if word := self.take("max", "min"):
            return self._extreme(word)
        if word := self.take("highest", "lowest", "middle"):
            return self._keep_in_words(word)
        if self.take("explode"):
            return self._explode(self._dice(), None, None)
        if self.take("count"):
            return self._count_in_words()
        count: NotationTerm | int | Fraction | None
        start = self.ahead().start
        bracket = self.take("(", "[")
        count = self._bracketed(CLOSING_BRACKETS[bracket]) if bracket else self.take_number()
        if not self.take("d"):
            if count is None:
                raise self._not_dice(_piece_around(self.text, start))
            return count if isinstance(count, NotationTerm) else NotationTerm(constant(count), ())
        die = self._die(start)
        if isinstance(count, NotationTerm):
            return self._roll_random_number(count, die)
        if count is None:
            count = 1
        if not isinstance(count, int):
            raise self._error(f"{count} dice", "; roll a whole number of dice")
        self._check_dice(count)
        return NotationTerm(DiceGroup(count), (die,) * count, takes_suffixes=True)

    def _open_bracket(self) -> None:
        """Count a bracket: each one is a level of recursion, which Python limits."""
        self.open_brackets += 1
        if self.open_brackets > MAX_BRACKETS:
            raise NotationError(f"more than {MAX_BRACKETS} brackets in {shown(self.text)}")

    def _bracketed(self, close: str) -> NotationTerm:
        """What stands in brackets, up to the closing one."""
        self._open_bracket()
        term = self._roll()
        self.require(close)
        self.open_brackets -= 1
        return term

    def _extreme(self, word: str, separator: str = ",") -> NotationTerm:
        """The highest or lowest of totals in brackets, or of AnyDice's, between `and`."""
        if separator == ",":
            self.require("(")
        self._open_bracket()
        terms = [self._sum()]
        while self.take(separator):
            terms.append(self._sum())
        if separator == ",":
            self.require(")")
        self.open_brackets -= 1
        self._check_numbers(*terms)
        expression = Extreme.of([term.expression for term in terms], highest=word == "max")
        return NotationTerm(expression, tuple(die for term in terms for die in term.dice))

    def _die(self, start: int) -> Die:
        """The die after "d"; `start` is where its text begins, for errors."""
        if self.take("%"):
            return Die.standard(100)
        if self.take("f"):
            return Die(FUDGE)
        if self.take("("):
            return self._random_sides(self._bracketed(")"))
        sides = self.take_number()
        faces_text = self.take_faces()
        if faces_text is not None:
            return self._die_of_faces(faces_text, sides)
        if sides is None:
            raise self._not_dice(_piece_around(self.text, start))
        if not isinstance(sides, int) or not 1 <= sides <= MAX_SIDES:
            raise self._error(f"{sides} sides", f"; a die has from 1 to {MAX_SIDES:,}")
        return Die.standard(sides)

    def _random_sides(self, term: NotationTerm) -> Die:
        """A die whose number of sides is rolled: `d(d4)`."""
        sides = self._bounded_law(term)
        for n in sides:
            if type(n) is not int or not 1 <= n <= MAX_SIDES:
                raise self._error(f"a die with {n} sides", "; from 1 up")
        return _as_die(sides.map(Die.standard))

    def _roll_random_number(self, count: NotationTerm, die: Die) -> NotationTerm:
        """The total of a number of dice that is rolled: `(d4)d6`, as one die."""
        with self._naming_the_text():
            return NotationTerm(DiceGroup(1), (_as_die(self._bounded_law(count) @ die),))

    def _bounded_law(self, term: NotationTerm) -> Law:
        with self._naming_the_text():
            return bounded(self.law(term))

    def law(self, term: NotationTerm) -> "Law | UnboundedLaw":
        """The distribution of the total of a term."""
        dice = [die if isinstance(die, Exploding) else die.law for die in term.dice]
        with self._naming_the_text():
            total: Law | UnboundedLaw = term.expression.law(dice)
            return total

    @contextmanager
    def _naming_the_text(self) -> Iterator[None]:
        """Put the text into an error of the arithmetic, which doesn't know it."""
        try:
            yield
        except NotationError:
            raise
        except RulesError as error:
            raise NotationError(f"{shown(self.text)}: {error}") from None

    # AnyDice's words

    def _keep_in_words(self, word: str) -> NotationTerm:
        """The dice kept: `highest 3 of 4d6`; or the higher total: `highest of d8 and d6`."""
        count = self.take_number()
        if count is None and word != "middle" and self.take("of"):
            return self._extreme("max" if word == "highest" else "min", "and")
        if count is None or not self.take("of"):
            raise self._error(repr(word), f"; write {word} 3 of 4d6, or max(d8,d6)")
        term = self._dice()
        if not term.takes_suffixes:
            raise self._error(f"{word} {count} of a total", "; keep dice")
        dice = len(term.dice)
        if word == "middle":
            self._check_count(count, dice, f"keep {count} of {dice}")
            low = (dice - int(count)) // 2
            return self._drop(term, Drop(low, dice - int(count) - low))
        return self._keep_or_drop(term, "kh" if word == "highest" else "kl", count)

    def _count_in_words(self) -> NotationTerm:
        """The number of dice that show one of some faces: `count {5,6} in 8d6`."""
        number = self.take_number(signed=True)
        counted: set[Hashable] = set() if number is None else {number}
        if number is None and (faces_text := self.take_faces()) is not None:
            listed = self._die_of_faces(faces_text, None)
            counted = set(listed.faces)
            # AnyDice counts a face as often as it is listed
            if len(counted) < len(listed.faces) or set(listed.weights) != {1}:
                raise self._error(
                    f"count {{{faces_text}}}", "; name each face once, without a weight"
                )
        if not counted or not self.take("in"):
            raise self._error("'count'", "; write count {5,6} in 8d6")
        term = self._dice()
        if not term.takes_suffixes or any(isinstance(die, Exploding) for die in term.dice):
            raise self._error("count in a total", "; count plain dice")
        hits = tuple(die.relabel(lambda face: int(face in counted)) for die in term.dice)
        return NotationTerm(DiceGroup(len(hits)), hits)

    # Suffixes

    def _add_suffixes(self, term: NotationTerm) -> NotationTerm:
        """The dice with the suffixes that follow: explosions, rerolls, kept dice, successes."""
        while term.takes_suffixes:
            if self.take("!"):
                number = self.take_number()
                depth = self._depth() if self.take("^") else None
                term = self._explode(term, number, depth)
            elif word := self.take("ro", "r"):
                term = self._reroll_dice(term, word)
            elif word := self.take(*KEEP_WORDS):
                count = self.take_number()
                term = self._keep_or_drop(term, word, 1 if count is None else count)
            elif self.peek(*COMPARISON_OPERATORS) and self._counts_dice(term):
                operator = str(self.take(*COMPARISON_OPERATORS))
                threshold = self._require_number(operator)
                return self._resolve_depths(self._count_successes(term, operator, threshold))
            else:
                break
        return self._resolve_depths(term)

    def _counts_dice(self, term: NotationTerm) -> bool:
        """Whether a comparison counts dice: right after them, with a plain number."""
        if term.selection:
            return False
        if self.ahead(-1).text in (")", "]"):
            return False  # in brackets they are a total
        offset = 2 if self.ahead(1).text == "-" else 1
        return self.ahead(offset).kind == "number" and self.ahead(offset + 1).text != "d"

    def _depth(self) -> int:
        depth = self.take_number()
        if not isinstance(depth, int) or not 1 <= depth <= MAX_DEPTH:
            raise self._error(
                f"the depth {shown(depth)} of an explosion", f"; from 1 to {MAX_DEPTH:,}"
            )
        return depth

    def _explode(self, term: NotationTerm, number: Any, depth: int | None) -> NotationTerm:
        """The same dice, exploding on the highest face or from a number up."""
        if not term.takes_suffixes or term.selection:
            raise self._error("only dice explode, before they are kept,", "; write 4d6!kh3")
        exploding = {}
        for die in set(term.dice):
            if isinstance(die, Exploding):
                raise self._error("dice explode twice", "; once is enough")
            faces = [face for face in die.faces if isinstance(face, int | Fraction)]
            # ! alone is the highest face, !5 every face from 5 up
            threshold = max(faces, default=0) if number is None else number
            exploding_faces = frozenset(face for face in faces if face >= threshold)
            some_explode = 0 < len(exploding_faces) < len(set(faces))
            can_explode = len(faces) == len(die.faces) and some_explode
            if depth is None and can_explode:  # a sum without end needs whole faces
                can_explode = max(faces) > 0 and all(type(face) is int for face in faces)
            if not can_explode:
                raise NotationError(
                    f"{shown(str(die))} in {shown(self.text)} can't explode; give two or more "
                    "faces that are whole numbers, the highest above 0, and let only some explode"
                )
            exploding[die] = Exploding(die.law, exploding_faces, depth)
        return term._replace(dice=tuple(exploding[die] for die in term.dice))

    def _reroll_dice(self, term: NotationTerm, word: str) -> NotationTerm:
        """The same dice, rolled again on some faces: once after `ro`, until none after `r`."""
        start = self.ahead(-1).start
        operator = self.take(">=", "<=", ">", "<", "=") or "="
        threshold = self._require_number(word)
        piece = self.text[start:].split("+")[0].strip()[:20]
        rerolled = {
            die: self._reroll_die(die, word, operator, threshold, piece) for die in set(term.dice)
        }
        return term._replace(dice=tuple(rerolled[die] for die in term.dice))

    def _reroll_die(self, die: Any, word: str, operator: str, threshold: Any, piece: str) -> Die:
        """A die that is rolled again on some faces: until it shows none, or once."""
        if isinstance(die, Exploding) or not all(isinstance(f, Rational) for f in die.faces):
            raise self._error(shown(piece), ": only numbers can be rerolled, before they explode")
        test = COMPARISONS[operator]
        pairs: list[tuple[Any, int]] = list(zip(die.faces, die.weights, strict=True))
        rerolled_weight = sum(w for face, w in pairs if test(face, threshold))
        total_weight = sum(die.weights)
        if not 0 < rerolled_weight < total_weight:
            amount = "every" if rerolled_weight else "no"
            raise self._error(shown(piece), f" rolls {amount} face again; name some of the faces")
        if word == "ro":  # two rolls: the second counts if the first was rolled again
            weights = [
                w * (rerolled_weight + (0 if test(face, threshold) else total_weight))
                for face, w in pairs
            ]
            return Die(die.faces, weights)
        remaining = [(face, w) for face, w in pairs if not test(face, threshold)]
        return Die([face for face, _ in remaining], [w for _, w in remaining])

    def _keep_or_drop(self, term: NotationTerm, word: str, count: Any) -> NotationTerm:
        """The same dice, of which some are kept or dropped besides those dropped already."""
        verb, which = KEEP_WORDS[word]
        drop = term.selection if isinstance(term.selection, Drop) else Drop()
        low, high = drop.lowest, drop.highest
        dice = len(term.dice) - low - high
        if verb == "drop":
            self._check_count(count, dice - 1, f"drop {count} of {dice}")
            dropped = int(count)
        else:
            self._check_count(count, dice, f"keep {count} of {dice}")
            dropped = dice - int(count)
        if (verb == "drop") == (which == "lowest"):
            low += dropped
        else:
            high += dropped
        return self._drop(term, Drop(low, high))

    def _check_count(self, count: Any, max_count: int, action: str) -> None:
        """Refuse to keep or drop fewer than one of the dice, or more than this."""
        if not isinstance(count, int) or not 1 <= count <= max_count:
            only_one = "there is only one; to add dice, write d6+d6"
            advice = f"from 1 to {max_count}" if max_count else only_one
            raise self._error(f"{action} dice", f"; {advice}")

    def _drop(self, term: NotationTerm, drop: Drop) -> NotationTerm:
        self._check_numbers(term)
        selection = None if drop == Drop() else drop
        return term._replace(expression=DiceGroup(len(term.dice), selection))

    def _count_successes(self, term: NotationTerm, operator: str, threshold: Any) -> NotationTerm:
        """The number of these dice that fit a comparison."""
        self._check_numbers(term)
        test = COMPARISONS[operator]
        results = {test(face, threshold) for die in set(term.dice) for face in die.law}
        # the same of every face: it was meant for the total
        if len(results) == 1:
            amount = "every die" if True in results else "no die"
            raise NotationError(
                f"{amount} of {shown(self.text)} is {operator}{threshold}, and right after dice a "
                "comparison counts dice, as in 8d10>=8; to compare the total, write (2d6)>=7"
            )
        return NotationTerm(DiceGroup(len(term.dice), Successes(operator, threshold)), term.dice)

    def _resolve_depths(self, term: NotationTerm) -> NotationTerm:
        """Dice that explode to a depth become dice of their totals, or of their successes."""
        if not any(isinstance(die, Exploding) and die.depth for die in term.dice):
            return term
        score = term.selection.score if isinstance(term.selection, Successes) else None
        resolved = {die: die for die in set(term.dice)}
        for die in resolved:
            if isinstance(die, Exploding):
                resolved[die] = _as_die(die.total(score))
            elif score:
                resolved[die] = die.relabel(score)
        dice = tuple(resolved[die] for die in term.dice)
        return NotationTerm(DiceGroup(len(dice)), dice) if score else term._replace(dice=dice)

    # Checks

    def _check_dice(self, count: int) -> None:
        if count > MAX_DICE:
            raise self._error(f"{count} dice", f"; a roll has from 1 to {MAX_DICE:,} dice")

    def _check_length(self, number: Any) -> None:
        fraction = Fraction(number)
        if max(abs(fraction.numerator), fraction.denominator) >= MAX_NUMBER:
            raise self._error("the numbers", " are too long; add up to 99 digits")

    def _check_numbers(self, *terms: NotationTerm) -> None:
        dice = {die for term in terms for die in term.dice if isinstance(die, Die)}
        if dice and total(face for die in dice for face in die.faces) is None:
            raise self._error(
                "no plain numbers", "; keep, count or add to dice whose faces are numbers"
            )

    # Faces

    def _die_of_faces(self, faces_text: str, sides: Any) -> Die:
        """The die of a list of faces in braces."""
        pairs = _SPACES.sub(r"\1", faces_text)
        faces: list[Hashable] = []
        weights: list[int] = []
        for pair in _BETWEEN_COMMAS.findall(pairs):
            match = _FACE.fullmatch(pair)
            if not match:
                name = pair.partition(":")[0]
                raise self._error(f"the face {shown(name)}", " is not a number or a label")
            entry, weight = match.groups()
            if weight is not None and not re.fullmatch(r"[1-9][0-9]{0,3999}", weight):
                raise self._error(
                    f"the weight {shown(weight)}", " is not a whole number, 1 or more"
                )
            entry_faces = self._faces_of_entry(entry)
            faces += entry_faces
            weights += [int(weight or 1)] * len(entry_faces)
            if len(faces) > MAX_SIDES:
                raise self._error(
                    f"over {MAX_SIDES:,} sides", f"; a die has from 1 to {MAX_SIDES:,}"
                )
        if sides is not None and len(faces) != sides:
            raise self._error(f"{len(faces)} faces for a d{sides}", f"; list all {sides}")
        return Die(faces, weights)

    def _faces_of_entry(self, entry: str) -> list[Hashable]:
        """The faces that one entry stands for."""
        if self.ranked:
            marks = _RANKED.fullmatch(entry)
            if marks and (marks[2] is not None or entry == "blank"):
                value = None if marks[1] == "blank" else int(marks[1])
                return [Face(value, int(marks[2] or 0), int(marks[3] or 0))]
            raise self._error(f"the face {shown(entry)}", " has no rank; write 7^6 or blank on all")
        if entry.startswith('"'):
            try:
                return [str(json.loads(entry, strict=False))]
            except ValueError:
                raise self._error(
                    f"the label {shown(entry)}", " is not text in double quotes, as in JSON"
                ) from None
        if entry.startswith("<"):
            raise self._error(f"the face {shown(entry)}", " has no notation")
        if span := RANGE.fullmatch(entry):  # AnyDice's {0..9}
            first, last = int(span[1]), int(span[2])
            if last < first or last - first >= MAX_SIDES:
                raise NotationError(
                    f"the faces {entry} in {shown(self.text)}; write the lower number first, "
                    f"and at most {MAX_SIDES:,} faces"
                )
            return list(range(first, last + 1))
        if NUMBER.fullmatch(entry):
            numerator, _, denominator = entry.partition("/")
            return [quotient(Fraction(numerator), int(denominator or 1))]
        return [entry]


def _piece_around(text: str, start: int) -> str:
    """The piece of a text around an index, between its operators and commas."""
    body, _, _ = text.partition("|")
    first = max((body.rfind(mark, 0, start) for mark in "+-,"), default=-1) + 1
    ends = [end for mark in "+-," if (end := body.find(mark, start + 1)) >= 0]
    return body[first : min(ends, default=len(body))].strip()


def _constant_value(term: NotationTerm) -> Any:
    """The number of a term without dice; None if it has dice."""
    return term.expression([]) if not term.dice else None


def _as_die(law: "Law | UnboundedLaw") -> Die:
    """A die with the outcomes of a distribution."""
    law = bounded(law)
    return Die(law.faces, law.weights)


def _has_ranks(term: NotationTerm) -> bool:
    """Whether any die has ranked faces."""
    return any(
        isinstance(face, Face)
        for die in set(term.dice)
        if isinstance(die, Die)
        for face in die.faces
    )


def _dice_of_term(term: NotationTerm, reading: str, text: str) -> Dice:
    """The dice of a term, with its total and what makes it hard."""
    dice, expression = term.dice, term.expression
    ranked = _has_ranks(term)
    if ranked and not all(isinstance(face, Face) for die in set(dice) for face in die.faces):
        raise NotationError(f"some dice of {shown(text)} have no ranks; write 7^6 on all of them")
    plain = isinstance(expression, DiceGroup) and expression.selection is None
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
    readings = "|red6 or |alike" if ranked else "|skip7"
    raise NotationError(f"the reading {shown(reading)} in {shown(text)}; write {readings}, or none")
