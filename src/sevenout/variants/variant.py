"""A variant of craps, with its name and exact figures.

With w(t) the number of ways of rolling t, D their sum and o the out, the come-out t becomes the
point with probability w(t)/D and is then made before the out with probability w(t)/(w(t) + w(o)):

    D · P(win)  =  Σ over naturals w(t)  +  Σ over points w(t)² / (w(t) + w(o)).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from sevenout.errors import NotationError, RulesError, shown
from sevenout.numerals import exact
from sevenout.rolling import Law, Rollable, parse_dice
from sevenout.rules import PointGame
from sevenout.wrong_arguments import public

DiceLike = str | Rollable | Mapping[int, int] | Mapping[int, Fraction]
"""Dice as text, dice, a distribution, or a mapping of totals."""

_RUN = r"-?\d+(?:--?\d+)?"
_SET = rf"(?:none|{_RUN}(?:,{_RUN})*)"
_RUNS = re.compile(r"(-?\d+)(?:-(-?\d+))?", re.ASCII)
_TOTALS = re.compile(_SET, re.ASCII)
# no variant that a person writes is longer; a run such as 1-999999999 would fill the memory
MAX_TEXT, MAX_TOTALS = 2_000, 10_000
NAME = re.compile(
    rf"(?P<craps>{_SET})/(?P<naturals>{_SET})/(?P<out>-?\d+)(?:@(?P<dice>.+))?", re.ASCII
)
"""The pattern of a variant's text: craps, naturals, out, and optional dice."""


@dataclass(frozen=True, slots=True)
class Variant:
    """An immutable variant; a total in neither set is a point.

    >>> craps = Variant(craps=[2, 3, 12], naturals=[7, 11], out=7)
    >>> str(craps), craps.p_win(), craps.mean_rolls(), craps.edge()
    ('2,3,12/7,11/7', Fraction(244, 495), Fraction(557, 165), Fraction(7, 495))

    Args:
        craps: the totals that lose on the come-out, as a list or as text such as "2-4,12".
        naturals: the totals that win on the come-out.
        out: the total that loses once the point is on; a craps or a natural.

    Raises:
        RulesError: a total in both sets, an out in neither, or an invalid total.
    """

    craps: frozenset[int]
    naturals: frozenset[int]
    out: int

    def __init__(self, craps: Iterable[int] | str, naturals: Iterable[int] | str, out: int) -> None:
        # a bool is an int, and `out=True` would be the total 1
        if not isinstance(out, int) or isinstance(out, bool):
            raise RulesError(f"out={shown(out)}; give one total, such as 7")
        object.__setattr__(self, "craps", totals_of("craps", craps))
        object.__setattr__(self, "naturals", totals_of("naturals", naturals))
        object.__setattr__(self, "out", out)
        both = self.craps & self.naturals
        if both:
            raise RulesError(f"{min(both)} is in both craps and naturals; choose one")
        # an out that were a point would win and lose at once when it is made
        if out not in self.craps and out not in self.naturals:
            raise RulesError(
                f"the out {out} is neither a craps nor a natural; put it in one of them"
            )

    def game(self, dice: DiceLike = "2d6") -> PointGame:
        """The game, at even money.

        >>> Variant([2, 3, 12], [7, 11], 7).game() == PointGame([7, 11], [2, 3, 12], 7)
        True
        """
        return PointGame(self.naturals, self.craps, self.out, dice=as_rollable(dice))

    def points(self, dice: DiceLike = "2d6") -> frozenset[int]:
        """The totals that set a point.

        Raises:
            RulesError: the dice can't roll one of the variant's totals, or leave no point.
        """
        ways = weights_of(dice)
        for total in sorted(self.craps | self.naturals):
            if total not in ways:
                raise RulesError(f"the dice can't roll the {total} of {variant_name(self)}")
        points = frozenset(ways) - self.craps - self.naturals
        # without a point the variant is a single roll, and its out never loses
        if not points:
            raise RulesError(f"{variant_name(self)} leaves no total for a point")
        return points

    def p_win(self, dice: DiceLike = "2d6") -> Fraction:
        """The exact probability of winning."""
        ways = weights_of(dice)
        out = ways.get(self.out, 0)
        wins = sum((Fraction(ways[t] ** 2, ways[t] + out) for t in self.points(ways)), Fraction())
        return (sum(ways[t] for t in self.naturals) + wins) / sum(ways.values())

    def edge(self, dice: DiceLike = "2d6") -> Fraction:
        """The house edge per bet made, at even money."""
        return 1 - 2 * self.p_win(dice)

    def mean_rolls(self, dice: DiceLike = "2d6") -> Fraction:
        """The mean number of rolls: 1 + Σ over points w / (w + w(o))."""
        ways = weights_of(dice)
        shares = (Fraction(ways[t], ways[t] + ways[self.out]) for t in self.points(ways))
        return 1 + sum(shares, Fraction())

    def var_rolls(self, dice: DiceLike = "2d6") -> Fraction:
        """The variance of the number of rolls.

        With m = Σ w/(w + w(o)) over the points, it is Σ 2 w D / (w + w(o))² − m − m², since the
        rolls for a point are geometric.

        >>> Variant([2, 3, 12], [7, 11], 7).var_rolls()
        Fraction(245672, 27225)
        """
        ways = weights_of(dice)
        total = sum(ways.values())
        squares = (
            Fraction(2 * ways[t] * total, (ways[t] + ways[self.out]) ** 2)
            for t in self.points(ways)
        )
        m = self.mean_rolls(ways) - 1
        return sum(squares, Fraction()) - m - m * m

    def __str__(self) -> str:
        return variant_name(self)


def as_rollable(dice: DiceLike) -> Rollable:
    """Dice from any accepted form.

    >>> as_rollable({1: Fraction(1, 3), 2: Fraction(2, 3)}).law.weights
    (1, 2)
    """
    if isinstance(dice, str):
        return parse_dice(dice)
    if isinstance(dice, Rollable):
        return dice
    if not isinstance(dice, Mapping):
        raise RulesError(f"{shown(dice)} is not dice; give '2d6', dice, or a mapping of weights")
    return Law.of_probabilities({total: exact(w) for total, w in dice.items()})


def weights_of(dice: DiceLike) -> dict[int, int]:
    """The weight of each total, by ascending total.

    >>> weights_of("2d3")
    {2: 1, 3: 2, 4: 3, 5: 2, 6: 1}

    Raises:
        RulesError: a total that is not a whole number.
    """
    rollable: Any = as_rollable(dice)
    try:
        # dice have their totals as a distribution; a distribution is its own
        law = getattr(rollable, "totals", rollable).law
    except TypeError:
        raise RulesError(f"the faces of {dice} do not add up; variants need numbers") from None
    for total in law:
        if not isinstance(total, int):
            raise RulesError(
                f"the total {shown(total)} is not a whole number; variants need numbers"
            )
    return dict(sorted(zip(law.faces, law.weights, strict=True)))


@public
def variant_name(variant: Variant) -> str:
    """A variant's text, craps/naturals/out; `parse_variant` is the inverse.

    Runs of three or more are shortened, and an empty set is "none".

    >>> variant_name(Variant([4, 3, 2, 12], [7, 11], 7)), variant_name(Variant([], [7], 7))
    ('2-4,12/7,11/7', 'none/7/7')
    """
    return f"{set_name(variant.craps)}/{set_name(variant.naturals)}/{variant.out}"


def set_name(totals: Iterable[int]) -> str:
    """A set of totals as text, with runs of three or more shortened.

    >>> set_name([12, 2, 3]), set_name(range(4, 9))
    ('2,3,12', '4-8')
    """
    runs: list[list[int]] = []
    for total in sorted(totals):
        if runs and total == runs[-1][-1] + 1:
            runs[-1].append(total)
        else:
            runs.append([total])
    # a run of two is no shorter than its totals
    parts = [f"{run[0]}-{run[-1]}" if len(run) > 2 else ",".join(map(str, run)) for run in runs]
    return ",".join(parts) or "none"


@public
def parse_variant(text: str) -> Variant:
    """The variant in a text; dice after an @ are for `variant_game`.

    >>> parse_variant("2,3,12/7,11/7") == Variant([2, 3, 12], [7, 11], 7)
    True

    Raises:
        NotationError: the text is not a variant; the message gives a correction.
        RulesError: its sets contradict one another.
    """
    return _parse(text)[0]


@public
def variant_game(text: str, dice: DiceLike = "2d6") -> PointGame:
    """The game of a variant's text; dice after an `@` take precedence.

    >>> len(variant_game("3/7,8,9/3@3d6").points)
    12
    """
    variant, own_dice = _parse(text)
    return variant.game(own_dice or dice)


def _parse(text: str) -> tuple[Variant, str | None]:
    """The variant in a text, and its dice if it names them."""
    # the pattern backtracks, so a long text is not tried
    match = NAME.fullmatch(text.strip()) if len(text) <= MAX_TEXT else None
    if not match:
        raise NotationError(
            f"{shown(text)} is not a variant; write craps/naturals/out, such as 2,3,12/7,11/7"
        )
    craps, naturals = parse_totals(match["craps"]), parse_totals(match["naturals"])
    return Variant(craps, naturals, int(match["out"])), match["dice"]


def totals_of(name: str, members: Iterable[int] | str) -> frozenset[int]:
    """Totals from any accepted form.

    >>> sorted(totals_of("craps", "2,3,12")), totals_of("naturals", [7])
    ([2, 3, 12], frozenset({7}))

    Raises:
        NotationError: a text without totals.
        RulesError: not a collection of whole numbers.
    """
    if isinstance(members, str):
        return frozenset(parse_totals(members))
    totals: list[Any] = list(members) if isinstance(members, Iterable) else [None]
    # True is an int to Python, and no total
    if not all(isinstance(total, int) and not isinstance(total, bool) for total in totals):
        raise RulesError(
            f"{name}={shown(members)}; give the totals as a list, such as [2, 3], or as '2,3'"
        )
    return frozenset(totals)


def parse_totals(text: str) -> list[int]:
    """The totals in a text: numbers and runs of them, or none.

    >>> parse_totals("2-4,12"), parse_totals("none")
    ([2, 3, 4, 12], [])

    Raises:
        NotationError: another text, a total named twice, or more than 10,000 totals.
    """
    if not _TOTALS.fullmatch(text) or len(text) > MAX_TEXT:
        raise NotationError(f"{shown(text)} is not a list of totals; write 2,3,12 or 2-4,12")
    totals: list[int] = []
    # "none" has no digits, so no run is found in it
    for first, last in _RUNS.findall(text):
        low, high = int(first), int(last or first)
        if last and high <= low:
            raise NotationError(f"the run '{low}-{high}' is empty; write the smaller total first")
        # checked before the run is written out
        if high - low + len(totals) >= MAX_TOTALS:
            raise NotationError(f"{shown(text)} names more than {MAX_TOTALS:,} totals")
        totals += range(low, high + 1)
    # a total named twice is a slip of the pen: perhaps another was meant
    for a, b in pairwise(sorted(totals)):
        if a == b:
            raise NotationError(f"{a} occurs twice in {shown(text)}; name each total once")
    return totals
