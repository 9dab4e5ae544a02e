"""Table limits."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sevenout.documents.numbers import money
from sevenout.errors import RulesError, shown
from sevenout.numerals import exact
from sevenout.rules.families.checklist import Checklist
from sevenout.rules.families.handbets import PointsMade, RoundsWon
from sevenout.rules.families.paytable import ByRoll
from sevenout.rules.families.point import PointGame
from sevenout.rules.families.surrender import Surrender
from sevenout.rules.families.wager import Wager
from sevenout.rules.frozen_mapping import Frozen
from sevenout.rules.game import Game

LIMITS = ("minimum", "maximum", "top_award", "made", "stays")
MADE, STAYS = ("come-out", "new shooter", "any roll"), ("contract", "removable")
"""The allowed values of `made` and `stays`."""
AMOUNT = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:[.][0-9]+)?|[0-9]{1,18}(?:[.][0-9]+)?")
"""An amount in the text of a top award."""


RANGE = re.compile(
    rf"(?:(?P<from>from )?(?P<sign>[^\s\d]{{0,3}}) ?(?P<least>{AMOUNT.pattern}))?"
    rf"(?: ?to (?P<other>[^\s\d]{{0,3}}) ?(?P<most>{AMOUNT.pattern}))?",
    re.IGNORECASE,
)
"""Both limits in words: 5 to 500."""
SIGNS = ("least", "sign"), ("most", "other")


@dataclass(frozen=True)
class Limits:
    """The limits of the house on a bet.

    >>> limits = Limits(Fraction(5), Fraction(500), "25,000")
    >>> print(limits)
    from 5 to 500 units, top award 25,000 units
    >>> limits.said("$")
    'from $5 to $500, top award $25,000'

    Attributes:
        minimum: the least stake; None if not given.
        maximum: the largest stake; None if not given.
        top_award: the largest payment, in the author's words.
        made: "come-out" or "new shooter" if the bet is made only then, or "any roll".
        stays: "contract" if it stays until it is settled, or "removable".
    """

    minimum: Fraction | None = None
    maximum: Fraction | None = None
    top_award: str = ""
    made: str = ""
    stays: str = ""

    @classmethod
    def of(cls, text: str) -> tuple["Limits", str]:
        """Limits and their currency, from words.

        >>> Limits.of("$5 to $1,000") == (Limits(Fraction(5), Fraction(1000)), "$")
        True

        Raises:
            RulesError: the words contain no amounts.
        """
        match = RANGE.fullmatch(" ".join(text.split()))
        given = match.groupdict() if match else {}
        least, most = (
            Fraction(said.replace(",", "")) if (said := given.get(end)) else None
            for end in ("least", "most")
        )
        signs = {given[sign] for end, sign in SIGNS if given.get(end)}
        plain = most is None and not given.get("from")
        if plain or len(signs) > 1 or (least is not None and most is not None and least > most):
            raise RulesError(f"limits {shown(text)}; write '5 to 500', 'from $5' or 'to 500'")
        return cls(least, most), signs.pop()

    def __str__(self) -> str:
        return self.said()

    def said(self, currency: str = "") -> str:
        """The limits in words, in a currency or in units."""
        ends = [("from", self.minimum), ("to", self.maximum)]
        given = [(word, end) for word, end in ends if end is not None]
        if self.minimum is not None and self.minimum == self.maximum:
            given = [("always", self.minimum)]
        parts = [f"{word} {money(end, currency)}" for word, end in given]
        if len(parts) > 1 and not currency:
            parts[0] = parts[0].removesuffix("units").removesuffix("unit").strip()
        award = self.top_award
        if self.most is not None and set(award) <= {*"0123456789,."}:
            award = money(self.most, currency)
        return ", ".join(filter(None, (" ".join(parts), award and f"top award {award}")))

    @property
    def when(self) -> str:
        """When the bet is made and taken down, in words.

        >>> Limits(made="come-out", stays="contract").when
        'made at the come-out only; stays until it is settled'
        """
        made = {
            "come-out": "made at the come-out only",
            "new shooter": "made before a shooter's first come-out only",
            "any roll": "made before any roll",
        }
        stays = {
            "contract": "stays until it is settled",
            "removable": "may be taken down before any roll",
        }
        return "; ".join(filter(None, (made.get(self.made), stays.get(self.stays))))

    @property
    def most(self) -> Fraction | None:
        """The amount of the top award; None if its words give none."""
        found = AMOUNT.search(self.top_award)
        return Fraction(found[0].replace(",", "")) if found else None


def most_paid(game: Game, bet: str) -> Fraction:
    """The most that a bet of a game file wins, per unit staked.

    >>> from sevenout.catalogue import games
    >>> most_paid(games["fast-craps-pass"], "pass")
    Fraction(5, 1)
    """
    match game:
        case Surrender():
            offers = [profit for profit, _ in game.offers.values()]
            return max(most_paid(game.game, bet), *map(Fraction, offers))
        case PointGame():
            line = game.bets[bet]
            comes = {
                "natural": game.naturals,
                "craps": game.craps,
                "push": game.pushes,
                "point": True,
                "easy": game.hard,
                "out": True,
                "late": game.limit,
            }
            events = [getattr(line, event) for event, ever in comes.items() if ever]
            return max(x for each in events for x in _profits(each)) / exact(line.stake)
        case Wager():
            late = [] if game.late is None else [game.late[0]]
            return max(*_profits(game.pays), *late, -game.stake) / game.stake
        case Checklist() | PointsMade() | RoundsWon():
            return max(map(exact, game.pays.values())) / game.stake
    return Fraction(1)  # a race pays even money


def _profits(schedule: Any) -> Iterator[Fraction]:
    """Every profit in a schedule."""
    if isinstance(schedule, Frozen):
        for each in schedule.values():
            yield from _profits(each)
    elif isinstance(schedule, ByRoll):
        yield from (profit for profit, _ in schedule)
    else:
        yield schedule[0]
