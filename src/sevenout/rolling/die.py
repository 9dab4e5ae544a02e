"""Dice: one die with any faces, several rolled together, and what a roll shows.

A die's roll is its face. The roll of `Dice` is a `Roll`, with faces and a total. It is neither of
them and refuses to be compared with a number, so that a rule can't be silently wrong.
"""

import json
import re
from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import comb, isfinite, lcm, prod
from numbers import Rational
from typing import Any, Never, NoReturn, overload

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, printable, shown
from sevenout.numerals import Number, exact
from sevenout.rolling.calculations import Calculates, Exact, Operand
from sevenout.rolling.convolution import ESTIMATE_CAP, count_products, fold_dice
from sevenout.rolling.distribution import T_co, U, sampling_generator, sum_by_key
from sevenout.rolling.expressions import DiceGroup, Expression, Sum, add_to_hand
from sevenout.rolling.laws import Law, PlainRollable, Reading, Rollable, Source, W

Faces = tuple[Any, ...]

COMPARABLE = (int, float, Fraction, str, tuple)


class AddsUp(Calculates[T_co]):
    """A die or dice: with dice or a number they make dice, whose totals add up.

    >>> print(Die.standard(6) + Die.standard(4) + 1, Dice([Die.standard(6)] * 2) - 1)
    d6+d4+1 2d6-1

    With any other distribution they make a `Law`.

    Raises:
        RulesError: the total of the dice is not a sum.
    """

    @overload
    def __add__(self: "AddsUp[Never]", other: "AddsUp | Exact") -> "Dice": ...  # type: ignore[overload-overlap]

    @overload
    def __add__(self: "AddsUp[int]", other: "AddsUp[int] | int") -> "Dice[int]": ...  # type: ignore[overload-overlap]

    @overload
    def __add__(self: "AddsUp[Exact]", other: "AddsUp[Exact] | Exact") -> "Dice[Exact]": ...  # type: ignore[overload-overlap]

    @overload
    def __add__(self: "AddsUp[int]", other: "Calculates[int]") -> Law[int]: ...

    @overload
    def __add__(self, other: "Operand") -> Law: ...

    def __add__(self, other: "Operand") -> "Dice | Law":
        return self._plus(other, 1)

    __radd__ = __add__

    @overload
    def __sub__(self: "AddsUp[Never]", other: "AddsUp | Exact") -> "Dice": ...  # type: ignore[overload-overlap]

    @overload
    def __sub__(self: "AddsUp[int]", other: "AddsUp[int] | int") -> "Dice[int]": ...  # type: ignore[overload-overlap]

    @overload
    def __sub__(self: "AddsUp[Exact]", other: "AddsUp[Exact] | Exact") -> "Dice[Exact]": ...  # type: ignore[overload-overlap]

    @overload
    def __sub__(self: "AddsUp[int]", other: "Calculates[int]") -> Law[int]: ...

    @overload
    def __sub__(self, other: "Operand") -> Law: ...

    def __sub__(self, other: "Operand") -> "Dice | Law":
        return self._plus(other, -1)

    @abstractmethod
    def _plus(self, other: "Operand", sign: int) -> "Dice | Law":
        """These dice and others, times a sign."""


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Die(AddsUp[T_co], PlainRollable[T_co]):
    """An immutable die. A face may occur twice.

    >>> loaded = Die([1, 2, 3, 4, 5, 6]).reweigh({6: 2})
    >>> loaded.law[6], str(loaded), Die({"H": 1, "T": 3}).law["T"]
    (Fraction(2, 7), 'd6{1,2,3,4,5,6:2}', Fraction(3, 4))

    Args:
        faces: numbers, labels, any hashable value; or a mapping of each face to its weight.
        weights: the integer weight of each face, in proportion to its probability; default all 1.

    Raises:
        RulesError: no face, an unhashable face, not one weight per face, or a weight that is not a
            positive integer.
    """

    faces: tuple[T_co, ...]
    weights: tuple[int, ...]

    def __init__(
        self,
        faces: Iterable[T_co] | Mapping[T_co, int],
        weights: Iterable[int] | None = None,
    ) -> None:
        if isinstance(faces, int) or (isinstance(faces, str) and re.search("[0-9]", faces)):
            # 10**9 sides are no die either, and thousands of digits can't be printed
            text = f"d{faces}" if isinstance(faces, int) and 0 < faces < 10**9 else "d6"
            raise RulesError(f"faces={shown(faces)}; write sevenout.dice('{text}') or list them")
        if isinstance(faces, Mapping):
            if weights is not None:
                raise RulesError(
                    f"weights={shown(weights)} beside faces that have weights; give them once"
                )
            weights = tuple(faces.values())
            faces = tuple(faces)
        for name, value in (("faces", faces), ("weights", () if weights is None else weights)):
            # bytes are numbers to Python, and the letters of a text are no weights
            text_weights = name == "weights" and isinstance(value, str | Mapping)
            if not isinstance(value, Iterable) or isinstance(value, bytes) or text_weights:
                raise RulesError(f"{name}={shown(value)}; list one for each face of the die")
        faces = tuple(faces)
        weights = (1,) * len(faces) if weights is None else tuple(weights)
        for face in faces:
            try:
                hash(face)
            except TypeError:
                raise RulesError(f"the face {shown(face)} is mutable; give a tuple") from None
        if not faces:
            raise RulesError("a die with no faces; it needs at least one")
        if len(weights) != len(faces):
            raise RulesError(f"{len(weights)} weights for {len(faces)} faces; give one for each")
        for face, weight in zip(faces, weights, strict=True):
            if not isinstance(weight, int) or isinstance(weight, bool) or weight < 1:
                raise RulesError(
                    f"the weight of face {shown(face)} is {shown(weight)}; "
                    "give a whole number, 1 or more"
                )
        object.__setattr__(self, "faces", faces)
        object.__setattr__(self, "weights", weights)

    @staticmethod
    def standard(sides: int) -> "Die[int]":
        """A fair die with faces 1 to `sides`.

        >>> Die.standard(4).faces
        (1, 2, 3, 4)
        """
        if type(sides) is not int or sides < 1:
            raise RulesError(f"a die with {shown(sides)} sides; give a whole number, 1 or more")
        # the budget speaks of floats, and the number may have thousands of digits
        work = min(sides, ESTIMATE_CAP)
        afford(f"a die with {shown(sides)} sides", seconds=work * 2e-7, memory=work * 50.0)
        return Die(range(1, sides + 1))

    @property
    def _identity(self) -> tuple[Hashable, ...]:
        return self.faces, self.weights

    @property
    def sources(self) -> tuple[Source, ...]:
        return (self,)

    def weigh(self, weights: Sequence[Sequence[W]]) -> dict[T_co, W]:
        """The weight of each face; equal faces add up."""
        return sum_by_key(zip(self.faces, weights[0], strict=True))

    def remove(self, face: object) -> "Die[T_co]":
        """The die without the faces equal to `face`.

        >>> Die.standard(6).remove(6) == Die.standard(5)
        True
        """
        self._must_have(face)
        left = [(f, w) for f, w in zip(self.faces, self.weights, strict=True) if f != face]
        return Die([f for f, _ in left], [w for _, w in left])

    def relabel(self, paint: Callable[[T_co], U]) -> "Die[U]":
        """The same die with each face repainted.

        >>> Die.standard(3).relabel(lambda face: 2 * face).faces
        (2, 4, 6)
        """
        return Die([paint(face) for face in self.faces], self.weights)

    def reweigh(self, weights: Mapping[Any, Number]) -> "Die[T_co]":
        """The same faces with new weights for those named.

        >>> Die([1, 2]).reweigh({2: Fraction(5, 4)}).weights
        (4, 5)
        """
        for face in weights:
            self._must_have(face)
        new = [exact(weights.get(f, w)) for f, w in zip(self.faces, self.weights, strict=True)]
        # weights are whole numbers: no rounding of what a test of real dice measured
        scale = lcm(*(w.denominator for w in new))
        return Die(self.faces, [int(w * scale) for w in new])

    def _must_have(self, face: object) -> None:
        if face not in self.faces:
            raise RulesError(f"the die {printable(str(self), 60)} has no face {shown(face)}")

    def _plus(self, other: "Operand", sign: int) -> "Dice | Law":
        return Dice([self])._plus(other, sign)

    def __repr__(self) -> str:
        return f"<Die {self}>"

    def __str__(self) -> str:
        return die_text(self.faces, self.weights)


d4: Die[int]  # declared, since the package is read before this line
d6: Die[int]
d8: Die[int]
d10: Die[int]
d12: Die[int]
d20: Die[int]
d4, d6, d8, d10, d12, d20 = map(Die.standard, (4, 6, 8, 10, 12, 20))


# --- the notation of one die: `d6`, `dF`, `d3{H,T:2}`, `d2{blank,3^2}` ---------------------------

NUMBER = re.compile(r"-?[0-9]{1,4000}(?:/[0-9]{1,4000}|\.[0-9]{1,1000})?")
LABEL = re.compile(r"[^\s,:{}+|\"^<][^\s,:{}+|\"^]*")
RANGE = re.compile(r"(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})")
FUDGE = (-1, 0, 1)


def die_text(faces: Sequence[Hashable], weights: Sequence[int]) -> str:
    """The notation of a die with these faces and weights.

    >>> die_text((1, 2, 2), (1, 1, 1)), die_text((1, 2), (1, 1)), die_text(("a b",), (1,))
    ('d3{1,2,2}', 'd2', 'd1{"a b"}')
    """
    n = len(faces)
    if set(weights) == {1}:
        if tuple(faces) == FUDGE:
            return "dF"
        if tuple(faces) == tuple(range(1, n + 1)):
            return f"d{n}"
    names = [face_text(face) for face in faces]
    if "blank" in names and not any("^" in name and '"' not in name for name in names):
        names[names.index("blank")] = "blank^0"  # a mark of rank tells ranked dice from labels
    pairs = zip(names, weights, strict=True)
    return f"d{n}{{{','.join(f if w == 1 else f'{f}:{w}' for f, w in pairs)}}}"


def face_text(face: Any) -> str:
    """The notation of a face; in angle brackets if it has none.

    >>> face_text(Fraction(1, 2)), face_text("7"), face_text("heads"), face_text((1, 2))
    ('1/2', '"7"', 'heads', '<(1, 2)>')
    """
    if hasattr(face, "notation"):  # ranked faces write themselves
        return str(face.notation)
    if isinstance(face, str):
        taken = NUMBER.fullmatch(face) or RANGE.fullmatch(face) or face == "blank"
        bare = LABEL.fullmatch(face) and face.isprintable() and not taken
        return face if bare else json.dumps(face, ensure_ascii=not face.isprintable())
    if isinstance(face, int | Rational | float | Decimal) and isfinite(face):
        return str(Fraction(face))
    return f"<{printable(str(face), 60)}>"


# --- several dice ------------------------------------------------------------------------------


def total(faces: Iterable[Any]) -> Any:
    """The sum of the faces; None for labels."""
    try:
        return sum(faces)
    except TypeError:
        return None


def all_alike(faces: Faces) -> bool:
    """The default hard way: every die shows the same face."""
    return all(face == faces[0] for face in faces)


def _refusing(operator: str) -> Callable[["Roll", object], NoReturn]:
    """A roll's method for this operator: it raises an error that says what to write instead."""
    return lambda roll, other: roll._refuse(operator, other)


@Sequence.register
@dataclass(frozen=True, slots=True, eq=False)
class Roll:
    """The face of each die, the total, and whether it came the hard way.

    A roll is a sequence of its faces: `6 in roll`, `max(roll)`, `roll.count(6)`. It is not its
    total. Compared with, looked up among, or added to a number it raises an error that names
    `roll.total`, since the answer would depend on which of the two is meant. To look up its faces
    in a set or a dictionary, write `roll.faces`.

    >>> roll = Dice([Die.standard(6)] * 2).roll([4, 4])
    >>> roll, max(roll), roll.total in (7, 8), 4 in roll
    (Roll(faces=(4, 4), total=8, hard=True), 4, True, True)
    >>> roll == 8
    Traceback (most recent call last):
    sevenout.errors.RulesError: roll == 8: a roll has faces and a total; write roll.total == 8, or \
8 in roll for a face
    """

    faces: Faces
    total: Any
    hard: bool

    def __eq__(self, other: object) -> bool:
        if other.__class__ is Roll:
            return (
                self.faces == other.faces and self.total == other.total and self.hard == other.hard
            )
        if isinstance(other, COMPARABLE):
            self._refuse("==", other)
        return NotImplemented

    def __hash__(self) -> int:
        # as its total or only label, so that `roll in {7, 11}` and a dictionary ask `==`, which
        # refuses
        if self.total is not None:
            return hash(self.total)
        return hash(self.faces[0] if len(self.faces) == 1 else self.faces)

    def __len__(self) -> int:
        return len(self.faces)

    def __getitem__(self, index: Any) -> Any:
        return self.faces[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.faces)

    def __reversed__(self) -> Iterator[Any]:
        return reversed(self.faces)

    def __contains__(self, face: Any) -> bool:
        return face in self.faces

    def count(self, face: Any) -> int:
        """How many dice show a face."""
        return self.faces.count(face)

    def index(self, face: Any) -> int:
        """The first die that shows a face.

        Raises:
            ValueError: no die shows it, as in any sequence.
        """
        return self.faces.index(face)

    def _refuse(self, operator: str, other: Any) -> NoReturn:
        """Refuse an operator between a roll and something else, with what to write instead."""
        text = shown(other)
        if isinstance(other, tuple):
            hint = f"write roll.faces {operator} {text}, or tuple(sorted(roll)) for any order"
        elif self.total is None:
            hint = f"these dice have no total; write {text} in roll, or roll.faces"
        else:
            hint = (
                f"a roll has faces and a total; write roll.total {operator} {text}, "
                f"or {text} in roll for a face"
            )
        raise RulesError(f"roll {operator} {text}: {hint}")

    __lt__, __le__, __gt__, __ge__ = map(_refusing, ("<", "<=", ">", ">="))
    __add__, __sub__, __mul__ = map(_refusing, "+-*")
    __floordiv__, __truediv__, __mod__ = map(_refusing, ("//", "/", "%"))
    __radd__, __rsub__, __rmul__ = __add__, __sub__, __mul__

    def __int__(self) -> int:
        raise RulesError("int(roll): a roll has faces and a total; write roll.total")

    __index__ = __int__


class RollWeights(Mapping[Roll, W]):
    """The weight of each roll.

    Rolls are hashed by their total, so that thousands of them would collide in a dict. Here they
    are found by their faces. No roll equals a number, so the weights of totals are never equal.

    >>> roll = Dice([Die.standard(6)] * 5).roll([1, 2, 3, 4, 5])
    >>> RollWeights([(roll, 1)])[roll]
    1

    Attributes:
        entries: each roll with its weight, by its faces.
    """

    def __init__(self, weights: Iterable[tuple[Roll, W]]) -> None:
        self.entries = {entry[0].faces: entry for entry in weights}

    def __getitem__(self, roll: object) -> W:
        if isinstance(roll, Roll):
            entry = self.entries.get(roll.faces)
            if entry and entry[0] == roll:
                return entry[1]
        elif self.entries:
            _ = next(iter(self)) == roll  # refuses a number, which would never be found
        raise KeyError(roll)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping):
            return NotImplemented
        # not as dicts, which would ask `roll == 7`
        return len(self) == len(other) and all(
            isinstance(outcome, Roll) and self.get(outcome) == weight
            for outcome, weight in other.items()
        )

    __hash__ = None  # type: ignore[assignment]

    def __iter__(self) -> Iterator[Roll]:
        return (roll for roll, _ in self.entries.values())

    def __len__(self) -> int:
        return len(self.entries)

    def items(self) -> Any:
        """Each roll and its weight."""
        return self.entries.values()


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Dice(AddsUp[T_co], Rollable[Roll]):
    """Distinguishable dice rolled together; the outcome is a `Roll`.

    They calculate as their total: `dice.mean`, `dice >= 10`. Added to other dice or to a number
    they stay dice. To a type checker `Dice[int]` have totals that are whole numbers.

    >>> pair = Dice([Die.standard(6), Die.standard(6)])
    >>> pair.p(7), pair.law.p(lambda roll: roll.total == 8 and roll.hard)
    (Fraction(1, 6), Fraction(1, 36))

    Args:
        dice: the dice, in order.
        total: the total from the faces; default their sum, or None for labels.
        hard: whether the faces show the total the hard way; default all alike.

    Raises:
        RulesError: no dice, or something that is not a die.
    """

    dice: tuple[Die, ...]
    total: Callable[[Faces], T_co]
    hard: Callable[[Faces], bool]

    @overload
    def __init__(
        self: "Dice[int]", dice: Iterable[Die[int]], *, hard: Callable[[Faces], bool] = all_alike
    ) -> None: ...

    @overload
    def __init__(
        self,
        dice: Iterable[Die],
        total: Callable[[Faces], T_co] = total,
        hard: Callable[[Faces], bool] = all_alike,
    ) -> None: ...

    def __init__(
        self,
        dice: Iterable[Die],
        total: Callable[[Faces], Any] = total,
        hard: Callable[[Faces], bool] = all_alike,
    ) -> None:
        if isinstance(dice, str | Die | Mapping) or not isinstance(dice, Iterable):
            raise RulesError(f"{shown(dice)} is not a list of dice; write sevenout.dice('2d6')")
        dice = tuple(dice)
        if not dice:
            raise RulesError("no dice; roll at least one")
        for die in {id(die): die for die in dice}.values():
            if not isinstance(die, Die):
                raise RulesError(f"{shown(die)} is not a die; write sevenout.dice('2d6')")
        for name, reading in (("total", total), ("hard", hard)):
            if not callable(reading):
                raise RulesError(f"{name}={shown(reading)}; give a function of the faces")
        object.__setattr__(self, "dice", dice)
        object.__setattr__(self, "total", total)
        object.__setattr__(self, "hard", hard)

    @property
    def _identity(self) -> tuple[Hashable, ...]:
        return self.dice, self.total, self.hard

    @property
    def sources(self) -> tuple[Source, ...]:
        return self.dice

    @property
    def own_law(self) -> Law[T_co]:
        """The distribution of the total."""
        return self.totals.law

    def roll(self, faces: Iterable[object]) -> Roll:
        """The roll with these faces.

        >>> Dice([Die.standard(6)] * 2).roll([3, 5]).total
        8
        """
        faces = tuple(faces)
        return Roll(faces, self.total(faces), self.hard(faces))

    @cached_property
    def law(self) -> Law[Roll]:
        """The exact distribution of a roll."""
        # in lowest terms, as the distribution of each die is
        return Law.of_weights(self._rolls([die.law.counts for die in self.dice]))

    def weigh(self, weights: Sequence[Sequence[W]]) -> RollWeights[W]:
        """The weight of each roll: the product over the dice."""
        return self._rolls([die.weigh([w]) for die, w in zip(self.dice, weights, strict=True)])

    def _rolls(self, face_weights: Sequence[Mapping[Any, Any]]) -> RollWeights[Any]:
        """The weight of each roll, from the weight of each face of each die."""
        rolls = min(prod(map(len, face_weights)), ESTIMATE_CAP)
        afford(
            f"every roll of {printable(str(self), 60)}",
            seconds=rolls * 4e-6,
            memory=rolls * (200 + 8 * len(self)),
            instead="ask for their totals, or read their hands: dice.hands.read(f)",
        )
        return RollWeights(
            (self.roll(face for face, _ in pairs), prod(weight for _, weight in pairs))
            for pairs in product(*(weights.items() for weights in face_weights))
        )

    @cached_property
    def totals(self) -> Reading[T_co]:
        """The total of the roll.

        >>> max(Dice([Die.standard(6)] * 10).totals.law)
        60
        """
        # as an expression the totals need no list of the rolls: 20d6 has 10^15
        expression = self._expression
        return Reading(self, total_of) if expression is None else Totals(self, total_of)

    @cached_property
    def ways(self) -> Reading[tuple[T_co, bool]]:
        """(total, whether it is hard), for hard-way bets.

        >>> Dice([Die.standard(6)] * 2).ways.law[8, True]
        Fraction(1, 36)
        """
        # only then can hard and easy ways be added die by die
        plain = self.total is total and self._numbers and self.hard is all_alike
        return Ways(self, _total_and_hard) if plain else Reading(self, _total_and_hard)

    @cached_property
    def hands(self) -> Reading[Faces]:
        """The roll as a hand: its faces in order, whichever die shows them.

        >>> Dice([Die.standard(6)] * 5).hands.law[1, 1, 1, 1, 6]
        Fraction(5, 7776)
        """
        return Hands(self, in_order)

    @property
    def _numbers(self) -> bool:
        """Whether the faces can be added."""
        return total(f for d in set(self.dice) for f in d.faces) is not None

    @cached_property
    def _expression(self) -> Expression | None:
        """The total as an expression of the faces; None if it is another function of them."""
        if not self._numbers:
            return None
        if isinstance(self.total, Expression) and self.total.size == len(self.dice):
            return self.total
        return DiceGroup(len(self.dice)) if self.total is total else None

    def sample(self, times: int = 1, seed: int | None = None) -> list[Roll]:
        """Independent rolls; as `Rollable.sample`, with a draw for each die.

        >>> [roll.faces for roll in Dice([Die.standard(6)] * 2).sample(3, seed=1)]
        [(2, 5), (1, 3), (1, 4)]
        """
        n = len(self)
        random = sampling_generator(times, seed, seconds=1e-6 * n, memory=100.0 + 8 * n)
        # one function for equal dice: 100 dice are mostly of one kind
        draws = {die: die.law.sampler(random) for die in self.dice}
        order = [draws[die] for die in self.dice]
        return [self.roll(draw() for draw in order) for _ in range(times)]

    def __len__(self) -> int:
        return len(self.dice)

    def _plus(self, other: "Operand", sign: int) -> "Dice | Law":
        if isinstance(other, Die):
            other = Dice([other])
        if isinstance(other, Dice):
            dice = (*self.dice, *other.dice)
            terms = [(1, self._summand()), (sign, other._summand())]
            return Dice(dice, _as_total(Sum.of(terms)))
        if isinstance(other, int | Fraction) and not isinstance(other, bool):
            shifted = _as_total(Sum.of([(1, self._summand())], sign * other))
            return Dice(self.dice, shifted, self.hard)
        return self._sum(other, sign)

    def _summand(self) -> Expression:
        if self._expression is None:
            name = printable(str(self), 60)
            raise RulesError(f"the totals of {name} don't add up; add dice whose faces are numbers")
        return self._expression

    def __repr__(self) -> str:
        return f"dice({str(self)!r})"

    def __str__(self) -> str:
        # a die of 10,000 faces is written once, however often it is rolled
        names = {die: str(die) for die in set(self.dice)}
        row = [names[die] for die in self.dice]
        if isinstance(self.total, Expression) and self.hard is all_alike:
            text = self.total.text(row) if self.total.size == len(row) else ""
            if text:
                return text
        reading = self._reading_text()
        body = "+".join(DiceGroup(len(row)).addends(row))
        return f"{body}|{reading}" if reading else body

    def _reading_text(self) -> str:
        """The suffix for how the dice are read; a function of your own has none that is read.

        Readings that have a notation hold it as an attribute, and whether they read ranks.
        """
        ranked = all(hasattr(face, "rank") for die in set(self.dice) for face in die.faces)
        if ranked:
            hard = "alike" if self.hard is all_alike else getattr(self.hard, "notation", None)
        else:
            hard = "" if self.hard is all_alike else None
        text = "" if self.total is total else getattr(self.total, "notation", None)
        fits = getattr(self.total, "reads_ranks", False) == ranked
        if fits and text is not None and hard is not None:
            return text or hard
        own = self.hard if text is not None else self.total
        return f"<{printable(str(getattr(own, '__name__', own)), 60)}>"


def _as_total(expression: Expression) -> Callable[[Faces], Any]:
    """The total of dice; the plain sum is one function, so that equal dice are equal."""
    plain = isinstance(expression, DiceGroup) and expression.selection is None
    return total if plain else expression


@dataclass(frozen=True, repr=False, eq=False)
class Totals(Reading[T_co]):
    """The total of dice that are read by an expression."""

    @property
    def _dice(self) -> Dice[T_co]:
        assert isinstance(self.source, Dice)  # made by Dice.totals only
        return self.source

    @property
    def expression(self) -> Expression:
        """How the faces make the total."""
        return self._dice._summand()

    @property
    def work(self) -> float:
        return self.expression.work([(die.faces, die.weights) for die in self._dice.dice])

    @cached_property
    def law(self) -> Law[T_co]:
        """The exact distribution, without listing the rolls."""
        law: Law[T_co] = self.expression.law([die.law for die in self._dice.dice])
        return _whole_in_order(law)

    def weigh(self, weights: Sequence[Sequence[W]]) -> dict[T_co, W]:
        rows = [(die.faces, row) for die, row in zip(self._dice.dice, weights, strict=True)]
        return self.expression.weigh(rows)


def _whole_in_order(law: Law[U]) -> Law[U]:
    """The distribution with whole totals in ascending order, in which states are numbered."""
    if all(type(x) is int for x in law):
        return Law.of_weights(dict(sorted(law.counts.items())))
    return law


@dataclass(frozen=True, repr=False, eq=False)
class Ways(Reading[tuple[Any, bool]]):
    """(total, whether all faces are equal)."""

    law = Rollable.law  # from `weigh`: the rolls are not listed

    def weigh(self, weights: Sequence[Sequence[W]]) -> dict[tuple[Any, bool], W]:
        """The weight of each (total, hard)."""
        rows: list[tuple[Any, Any]] = [
            (die.faces, row) for die, row in zip(self.sources, weights, strict=True)
        ]
        afford("the hard and easy ways of these dice", seconds=1e-6 * count_products(rows))
        # two rows: rolls that are hard so far, by face; all others, by total
        (faces, row), *others = rows
        alike: dict[Any, Any] = sum_by_key(zip(faces, row, strict=True))
        easy: dict[Any, Any] = {}
        for n, (faces, row) in enumerate(others, 1):
            die = list(zip(faces, row, strict=True))
            sums: list[tuple[Any, Any]] = []
            for face, v in die:
                sums += [(n * x + face, w * v) for x, w in alike.items() if x != face]
                sums += [(s + face, w * v) for s, w in easy.items()]
            alike = sum_by_key((face, alike[face] * v) for face, v in die if face in alike)
            easy = sum_by_key(sums)
        hard = {(len(rows) * face, True): w for face, w in alike.items()}
        return hard | {(s, False): w for s, w in easy.items()}


@dataclass(frozen=True, repr=False, eq=False)
class Hands(Reading[Faces]):
    """Dice, read as a hand. Five dice have 7,776 rolls but 252 hands."""

    law = Rollable.law  # from `weigh`: the rolls are not listed

    def weigh(self, weights: Sequence[Sequence[W]]) -> dict[Faces, W]:
        sources = self.sources
        # hands are sorted: labels beside numbers would fail in the middle
        kinds = {face for source in sources for face in source.faces}
        try:
            sorted(kinds)  # type: ignore[type-var]
        except TypeError:
            raise RulesError("the faces of a hand must be sortable; give them numbers") from None
        hands = min(comb(len(kinds) + len(sources) - 1, len(sources)), ESTIMATE_CAP)
        afford(
            f"every hand of {len(sources)} dice",
            seconds=hands * len(kinds) * len(sources) * 1e-6,
            memory=hands * (200.0 + 8 * len(sources)),
            instead="roll fewer dice",
        )
        rows = zip((s.faces for s in sources), weights, strict=True)
        return fold_dice({(): 1}, rows, add_to_hand)


def total_of(roll: Roll) -> Any:
    """The total of a roll."""
    return roll.total


def in_order(roll: Roll) -> Faces:
    """The faces of a roll in order: its hand.

    >>> in_order(Dice([Die.standard(6)] * 4).roll([5, 1, 6, 1]))
    (1, 1, 5, 6)
    """
    return tuple(sorted(roll.faces))


def _total_and_hard(roll: Roll) -> tuple[Any, bool]:
    return roll.total, roll.hard
