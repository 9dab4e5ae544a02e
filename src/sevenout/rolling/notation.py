"""Dice read from text: `2d6`, `d4+d6`, `4d6kh3`, `2d6+3`, `d6{1,2,2,3,3,4}`, `max(d8,d6)`.

Grammar::

    dice    =  "tatham" / "no-seven" / [ "-" ] term *( ( "+" / "-" ) term ) [ "|" reading ]
    term    =  [ number "*" ] ( group [ keep / compare ] / best ) [ "*" number ] / number
    best    =  ( "max" / "min" ) "(" die *( "," die ) ")"       ; the highest or lowest of dice
    group   =  [ count ] "d" ( "F" / sides / "%" / [ sides ] "{" face *( "," face ) "}" ) [ again ]
    again   =  ( "r" / "ro" ) [ ">=" / "<=" / ">" / "<" ] number    ; r1: rolled again while it
                                                                    ; shows 1; ro1: once
    keep    =  ( "k" / "kh" / "kl" / "dh" / "dl" ) [ count ]    ; dl1: all but the lowest
            /  ( "keep" / "drop" ) ( "highest" / "lowest" ) [ count ]
    compare =  ( ">=" / "<=" / ">" / "<" ) number               ; how many dice succeed
    face    =  ( number / label / ranked ) [ ":" weight ]
    number  =  [ "-" ] digits [ "/" digits / "." digits ]
    label   =  letters and signs / '"' any text, as in JSON '"'
    ranked  =  ( value / "blank" ) [ "^" rank [ "r" red ] ]     ; 7^6r2: a 7 of rank 6, red number 2
    reading =  "red" sides / "skip" total / "alike"

The total of ranked dice is the face of the higher rank. `|red6` gives them a red number on a clock
of six; half the total on it is the hard way. `|skip7` raises totals from 7 up by one, so 7 is never
rolled. Outside faces capitals are allowed. `d%` is a d100; `dF` is Fudge's die of -1, 0 and 1.
"""

import json
import re
from collections.abc import Hashable, Iterator
from fractions import Fraction
from numbers import Rational
from operator import eq
from typing import Any

from sevenout.errors import NotationError, shown
from sevenout.rolling.die import Die
from sevenout.rolling.roll import Dice, all_alike, total
from sevenout.rolling.special.ranked import (
    Face,
    RedIsHalf,
    RedNumber,
    higher_rank,
    never_hard,
    tatham,
)
from sevenout.rolling.special.sevenless import SkipFrom
from sevenout.rolling.totals.pools import KeepFaces
from sevenout.rolling.totals.terms import COMPARED, Successes, Term, Terms

_STRING = r'"(?:[^"\\]|\\.)*"'
_TOKEN = re.compile(rf"{_STRING}|\s+|.", re.DOTALL)
_SHORT = r"[0-9]{1,99}(?:/[0-9]{1,99}|\.[0-9]{1,99})?"
_GROUP = re.compile(
    rf"(?:(?P<front>{_SHORT})\*)?"
    rf"(?P<count>[0-9]{{0,9}})[dD](?:(?P<fudge>[fF])|(?=[0-9%{{])(?P<sides>[0-9]{{1,9}}|%)?"
    rf"(?:\{{(?P<faces>(?:[^{{}}\"]|{_STRING})*)\}})?)"
    rf"(?:(?P<again>[rR][oO]?)(?P<than>[<>]=?)?(?P<these>-?{_SHORT}))?"
    r"(?:(?P<keep>[kK][hHlL]?|[dD][hHlL]|(?i:(?:keep|drop)(?:highest|lowest)))(?P<few>[0-9]{0,9})"
    rf"|(?P<sign>[<>]=?)(?P<number>-?{_SHORT}))?"
    rf"(?:\*(?P<times>{_SHORT}))?",
    re.DOTALL,
)
_BEST = re.compile(
    rf"(?:(?P<front>{_SHORT})\*)?(?P<best>[mM][aA][xX]|[mM][iI][nN])\((?P<dice>.*)\)"
    rf"(?:\*(?P<times>{_SHORT}))?",
    re.DOTALL,
)
_COMPARED = re.compile(r"([^<>=]*[+\-*][^<>=]*)(?:[<>]=?|=)[^<>=]*", re.DOTALL)
_PLUS = re.compile(_SHORT)
_READING = re.compile(r"(red)([1-9][0-9]{0,8})|(skip)(-?[0-9]{1,9})|(alike)")
_FACE = re.compile(rf"({_STRING}|[^\s,:{{}}+|\"]+)(?::([^:]*))?", re.DOTALL)
NUMBER = re.compile(r"-?[0-9]{1,4000}(?:/[0-9]{1,4000}|\.[0-9]{1,1000})?")
_RANKED = re.compile(r"(blank|-?[0-9]{1,9})(?:\^([0-9]{1,9})(?:r(-?[0-9]{1,9}))?)?")
LABEL = re.compile(r"[^\s,:{}+|\"^<][^\s,:{}+|\"^]*")
MAX_SIDES, MAX_DICE = 10_000, 1_000
MAX_PLUS = 10**99
_SAID = {
    f"{word}{end}": word[0] + end[0] for word in ("keep", "drop") for end in ("highest", "lowest")
}
FUDGE = (-1, 0, 1)
WORDS = {"tatham": None, "no-seven": 7}
"""Named dice, with the total that they skip."""


def parse_dice(text: str) -> Dice:
    """The dice that a text describes.

    >>> str(parse_dice("d6 + d4 + d4")), len(parse_dice("3d6"))
    ('d6+2d4', 3)
    >>> parse_dice("4D6 dl1 + 2").totals.law.mean, str(parse_dice("4D6 dl1 + 2"))
    (Fraction(18461, 1296), '4d6kh3+2')
    >>> parse_dice("no-seven").totals.law.p(7)
    Fraction(0, 1)

    Raises:
        NotationError: the text is not dice; the message says what would be.
    """
    if not isinstance(text, str):
        raise NotationError(f"{shown(text)} is not text; write dice as '2d6'")
    if text.strip() in WORDS:
        return tatham(without=WORDS[text.strip()])
    body, *readings = _split(text, "|")
    dice: list[Die] = []
    terms: list[Term] = []
    plus = Fraction(0)
    ranked = "^" in re.sub(_STRING, "", body)
    for sign, piece in pieces(body):
        if _PLUS.fullmatch(piece):
            plus += sign * _number(piece, "number", text)
            if max(abs(plus.numerator), plus.denominator) >= MAX_PLUS:
                raise NotationError(
                    f"the numbers in {shown(text)} are too long; add up to 99 digits"
                )
            continue
        match = _GROUP.fullmatch(piece) or _BEST.fullmatch(piece)
        if not match:
            if compared := _COMPARED.fullmatch(body):
                raise NotationError(
                    f"{shown(text)} compares a total, but here >= counts dice, as in 8d10>=8; "
                    f'write {shown(compared[1])} and read "at least" in its table'
                )
            within = "" if piece == text else f" in {shown(text)}"
            raise NotationError(
                f"{shown(piece)}{within} is not dice; "
                "write 2d6, d4+d6, 4d6kh3, 2d6+3, 2d6*2, 8d10>=8 or d6{1,2,2,3,3,4}"
            )
        if best := match.groupdict().get("best"):
            few = _compared(match, len(dice), text)
            lowest = KeepFaces(1, lowest=best.lower() == "min")
            kept: KeepFaces | Successes | None = lowest if len(few) > 1 else None
        else:
            few = _group(match, len(dice), text, ranked)
            kept = _kept(match, few, text)
        dice += few
        times: int | Fraction = 1
        for factor in filter(None, match.group("front", "times")):
            times *= _number(factor, "factor", text)
        if not times:
            raise NotationError(f"{shown(piece)} in {shown(text)} is always 0; take another factor")
        terms.append(Term(len(few), kept, sign * times))
    if not dice:
        raise NotationError(f"no dice in {shown(text)}; write 2d6 or 2d6+3")
    if ranked and not all(isinstance(face, Face) for die in set(dice) for face in die.faces):
        raise NotationError(f"some dice of {shown(text)} have no ranks; write 7^6 on all of them")
    reading = Terms.fewest(terms, plus)
    if reading is not None:
        if readings or ranked or total(face for die in set(dice) for face in die.faces) is None:
            wrong = f"the reading {shown('|'.join(readings))}" if readings else "no plain numbers"
            raise NotationError(
                f"{wrong} in {shown(text)}; keep, count or add to dice whose faces are numbers"
            )
        return Dice(dice, reading)
    if not readings:
        return Dice(dice, *READ[ranked])
    return Dice(dice, *_reading("|".join(readings), text, ranked))


def parse_die(text: str) -> Die:
    """The one die that a text describes.

    >>> parse_die("d3{H,T,-:2}").weights
    (1, 1, 2)
    """
    dice = parse_dice(text).dice
    if len(dice) != 1:
        raise NotationError(f"{shown(text)} is {len(dice)} dice; give one, such as d6")
    return dice[0]


def _split(text: str, mark: str) -> list[str]:
    """The text between marks, without blanks; quoted labels are unchanged."""
    pieces = [""]
    for token in _TOKEN.findall(text):
        if token == mark:
            pieces.append("")
        elif not token.isspace():
            pieces[-1] += token
    return pieces


def _outside(body: str) -> Iterator[tuple[str, bool]]:
    """Each token, and whether it is outside braces and brackets."""
    braces, deep = False, 0
    for token in _TOKEN.findall(body):
        braces = token == "{" or (braces and token != "}")
        deep += 0 if braces else (token == "(") - (token == ")")
        yield token, not braces and deep <= 0


def pieces(body: str) -> list[tuple[int, str]]:
    """The terms between signs outside braces and brackets, each with its sign."""
    pieces: list[list[str]] = [[]]
    signs, last = [1], ""
    for token, outside in _outside(body):
        if not outside or token not in ("+", "-") or (token == "-" and last in ("<", ">", "=")):
            pieces[-1].append(token)
        elif token == "-" and not last:
            signs[0] = -1
        else:
            pieces.append([])
            signs.append(-1 if token == "-" else 1)
        last = token
    return list(zip(signs, map("".join, pieces), strict=True))


def listed(body: str) -> list[str]:
    """The items between commas outside braces and brackets.

    >>> listed("d2{1,2},max(d4,d6)")
    ['d2{1,2}', 'max(d4,d6)']
    """
    found = [""]
    for token, outside in _outside(body):
        if outside and token == ",":
            found.append("")
        else:
            found[-1] += token
    return found


def _compared(match: re.Match[str], before: int, text: str) -> list[Die]:
    """The single dice of `max` or `min`."""
    found: list[Die] = []
    for each in listed(match["dice"]):
        group = _GROUP.fullmatch(each)
        if not group or group["keep"] or group["sign"] or group["front"] or group["times"]:
            group = None
        dice = _group(group, before + len(found), text, ranked=False) if group else []
        if len(dice) != 1:
            raise NotationError(
                f"{shown(each)} in {shown(text)} is not one die; write {match['best']}(d8,d6), or "
                f"let a die of it explode: {match['best']}(2d6!,d12)"
            )
        found += dice
    return found


def _group(match: re.Match[str], before: int, text: str, ranked: bool) -> list[Die]:
    """The dice of one group, after `before` others."""
    count = int(match["count"] or 1)
    if not 1 <= count <= MAX_DICE - before:
        raise NotationError(
            f"{count and count + before} dice in {shown(text)}; "
            f"a roll has from 1 to {MAX_DICE:,} dice"
        )
    if match["fudge"]:
        return [_again(Die(FUDGE), match, text)] * count
    faces = match["faces"]
    sides = 100 if match["sides"] == "%" else int(match["sides"] or len(_split(faces, ",")))
    if not 1 <= sides <= MAX_SIDES:
        raise NotationError(f"{sides} sides in {shown(text)}; a die has from 1 to {MAX_SIDES:,}")
    die = Die.standard(sides) if faces is None else _painted(faces, sides, text, ranked)
    return [_again(die, match, text)] * count


def _again(die: Die, match: re.Match[str], text: str) -> Die:
    """The die, rolled again on some faces: until it shows another, or once."""
    if not match["again"]:
        return die
    number = _number(match["these"], "number", text)
    compare = COMPARED[match["than"]] if match["than"] else eq
    if not all(isinstance(face, Rational) for face in die.faces):
        raise NotationError(f"{shown(match[0])} in {shown(text)}: only numbers can be rerolled")
    pairs: list[tuple[Any, int]] = list(zip(die.faces, die.weights, strict=True))
    bad = sum(w for face, w in pairs if compare(face, number))
    whole = sum(die.weights)
    if not 0 < bad < whole:
        what = "every" if bad else "no"
        raise NotationError(
            f"{shown(match[0])} in {shown(text)} rolls {what} face again; name some of the faces"
        )
    if match["again"].lower() == "ro":  # two rolls
        weights = [w * (bad + (0 if compare(face, number) else whole)) for face, w in pairs]
        return Die(die.faces, weights)
    left = [(face, w) for face, w in pairs if not compare(face, number)]
    return Die([face for face, _ in left], [w for _, w in left])


def _kept(match: re.Match[str], dice: list[Die], text: str) -> KeepFaces | Successes | None:
    """How a group is added up; None for the sum."""
    if match["sign"]:
        return Successes(match["sign"], _number(match["number"], "number", text))
    return kept_of(match["keep"], match["few"], len(dice), text) if match["keep"] else None


def kept_of(word: str, few: str, dice: int, text: str) -> KeepFaces | None:
    """Which dice a keep or drop word keeps; None for all.

    >>> kept_of("dl", "1", 4, "4d6dl1"), kept_of("keepHighest", "", 4, "")
    (KeepFaces(count=3, lowest=False), KeepFaces(count=1, lowest=False))

    Raises:
        NotationError: an unknown word, or more dice than there are.
    """
    how, n = _SAID.get(word.lower(), word.lower()), int(few or 1)
    if how not in ("k", "kh", "kl", "d", "dh", "dl"):
        raise NotationError(f"{shown(word)} in {shown(text)} keeps nothing; write kh3 or kl3")
    dropped = how[0] == "d"
    count = dice - n if dropped else n
    if n < 1 or not 1 <= count <= dice:
        most = dice - 1 if dropped else dice
        raise NotationError(
            f"{'drop' if dropped else 'keep'} {n} of {dice} dice in {shown(text)}; "
            + (f"from 1 to {most}" if most else "there is only one")
        )
    return None if count == dice else KeepFaces(count, lowest=how in ("kl", "dh"))


def _number(digits: str, what: str, text: str) -> int | Fraction:
    try:
        return _whole(Fraction(digits))
    except ZeroDivisionError:
        raise NotationError(f"the {what} {digits} in {shown(text)} divides by zero") from None


def _whole(number: Fraction) -> int | Fraction:
    return number.numerator if number.denominator == 1 else number


def _painted(faces: str, sides: int, text: str, ranked: bool) -> Die:
    each = _split(faces, ",")
    if len(each) != sides:
        raise NotationError(f"{len(each)} faces for a d{sides} in {shown(text)}; list all {sides}")
    found: list[Hashable] = []
    weights = []
    for pair in each:
        match = _FACE.fullmatch(pair)
        if not match:
            name = pair.partition(":")[0]
            raise NotationError(
                f"the face {shown(name)} in {shown(text)} is not a number or a label"
            )
        face, weight = match.groups()
        if weight is not None and not re.fullmatch(r"[1-9][0-9]{0,3999}", weight):
            raise NotationError(
                f"the weight {shown(weight)} in {shown(text)} is not a whole number, 1 or more"
            )
        found.append(_ranked(face, text) if ranked else _face(face, text))
        weights.append(int(weight or 1))
    return Die(found, weights)


def _face(face: str, text: str) -> Hashable:
    if face.startswith('"'):
        try:
            return str(json.loads(face, strict=False))
        except ValueError:
            raise NotationError(
                f"the label {shown(face)} in {shown(text)} is not text in double quotes, as in JSON"
            ) from None
    if face.startswith("<"):
        raise NotationError(f"the face {shown(face)} in {shown(text)} has no notation")
    if NUMBER.fullmatch(face):
        return _number(face, "face", text)
    return face


def _ranked(face: str, text: str) -> Face:
    match = _RANKED.fullmatch(face)
    if not match or (match[2] is None and match[1] != "blank"):
        raise NotationError(
            f"the face {shown(face)} in {shown(text)} has no rank; write 7^6 or blank on all"
        )
    value = None if match[1] == "blank" else int(match[1])
    return Face(value, int(match[2] or 0), int(match[3] or 0))


def _reading(reading: str, text: str, ranked: bool) -> tuple[Any, Any]:
    """The total and the hard way of a reading."""
    match = _READING.fullmatch(reading)
    if match and ranked and match[1]:
        return higher_rank, RedIsHalf(RedNumber(int(match[2])))
    if match and ranked and match[5]:
        return higher_rank, all_alike
    if match and not ranked and match[3]:
        return SkipFrom(int(match[4])), all_alike
    right = "|red6 or |alike" if ranked else "|skip7"
    raise NotationError(f"the reading {shown(reading)} in {shown(text)}; write {right}, or none")


READ: dict[bool, tuple[Any, Any]] = {False: (total, all_alike), True: (higher_rank, never_hard)}
"""The default readings of plain and ranked dice."""
