"""What a sheet is about: a game, its solution, and what its reader chose to see."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from sevenout.model import Chain
from sevenout.rules import Game, Progressive
from sevenout.rules.gamefiles.gamefile import GameFile
from sevenout.solve import Optimum
from sevenout.solve.bets.award_return import ProgressiveResult, progressive
from sevenout.solve.bets.bet_result import BetResult
from sevenout.solve.bets.cycles import cycle
from sevenout.solve.bets.metrics import Metrics
from sevenout.solve.solution import Solution

FEW_BETS = 6
"""More bets than this are summed up where they are alike."""
SMALL = 1_100
"""States up to which the distribution of the rolls and the gradients are worked out."""


@dataclass(frozen=True)
class Subject:
    """The matter of a sheet.

    Attributes:
        game: the rules.
        solution: the exact answers.
        names: the bets that are shown, in order.
        text: the rules in the words of who wrote them; may be empty.
        source: where the rules come from; may be empty.
        optimum: of a game with choices, optimal play: what all figures are of.
        progressives: by bet, the award that it may win.
        declared: all that is stated of it.
        declaration: the canonical text of that, where it is made already.
    """

    game: Game
    solution: Solution
    names: tuple[str, ...]
    text: str = ""
    source: str = ""
    optimum: Optimum | None = None
    progressives: Mapping[str, Progressive] = field(default_factory=dict)
    declared: GameFile | None = None
    declaration: str = ""

    @property
    def currency(self) -> str:
        """What amounts are in; units if not said."""
        return self.declared.currency if self.declared else ""

    @property
    def chain(self) -> Chain:
        """The game's chain."""
        return self.solution.chain

    @property
    def is_small(self) -> bool:
        """Whether whole distributions can be asked for without waiting."""
        return len(self.chain.states) <= SMALL and not self.solution.bound

    @cached_property
    def bets(self) -> tuple[BetResult, ...]:
        """The bets that are shown."""
        return tuple(self.solution.bet(name) for name in self.names)

    @cached_property
    def awards(self) -> dict[str, ProgressiveResult]:
        """By bet, the award with its figures: what every paper prints of it is from here."""
        solved = self.solution.bet
        return {bet: progressive(solved(bet), rule) for bet, rule in self.progressives.items()}

    @cached_property
    def metrics(self) -> tuple[Metrics, ...]:
        """Their metrics."""
        return tuple(Metrics(bet, cycle(self.game, bet)) for bet in self.bets)


def merged(names: Sequence[str], most: int = 12) -> str:
    """Names in a row, the first few of many."""
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def brief(label: str, most: int = 72) -> str:
    """The label of an outcome; of a long one its different parts, each once, the first few.

    >>> brief("natural"), brief(" · ".join(["7"] + ["any other"] * 39))
    ('natural', '7 · any other')
    """
    if len(label) <= most:
        return label
    parts = " · ".join(dict.fromkeys(label.split(" · ")))
    return parts if len(parts) <= most else f"{parts[: most - 1]}…"
