"""The subject of a sheet: a game, its solution, and the reader's choices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from sevenout.model import Chain
from sevenout.rules import Game, Progressive
from sevenout.rules.gamefiles.gamefile import GameFile
from sevenout.solving import Optimum
from sevenout.solving.answer import Solution
from sevenout.solving.bets.awards import ProgressiveResult, progressive
from sevenout.solving.bets.bet_result import BetResult
from sevenout.solving.bets.metrics import Metrics, cycle

FEW_BETS = 6
"""More bets than this are grouped by distribution."""
SMALL = 1_100
"""The most states for the distribution of the rolls and the gradients."""


@dataclass(frozen=True)
class Subject:
    """The subject of a sheet.

    Attributes:
        names: the bets to show, in order.
        text: the author's rules in words; may be empty.
        optimum: optimal play of a game with choices, on which all figures are based.
        progressives: the progressive award of each bet that has one.
        declaration: its canonical text, if already made.
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
        """The currency of amounts; units if not declared."""
        return self.declared.currency if self.declared else ""

    @property
    def chain(self) -> Chain:
        return self.solution.chain

    @property
    def is_small(self) -> bool:
        """Whether whole distributions take no noticeable time."""
        return len(self.chain.states) <= SMALL and not self.solution.bound

    @cached_property
    def bets(self) -> tuple[BetResult, ...]:
        return tuple(self.solution.bet(name) for name in self.names)

    @cached_property
    def awards(self) -> dict[str, ProgressiveResult]:
        """The awards by bet, with their figures; every paper prints these."""
        solved = self.solution.bet
        return {bet: progressive(solved(bet), rule) for bet, rule in self.progressives.items()}

    @cached_property
    def metrics(self) -> tuple[Metrics, ...]:
        return tuple(Metrics(bet, cycle(self.game, bet)) for bet in self.bets)


def merged(names: Sequence[str], most: int = 12) -> str:
    """Names in a row; only the first few of many."""
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def brief(label: str, most: int = 72) -> str:
    """An outcome's label; a long one is cut to its first different parts.

    >>> brief("natural"), brief(" · ".join(["7"] + ["any other"] * 39))
    ('natural', '7 · any other')
    """
    if len(label) <= most:
        return label
    parts = " · ".join(dict.fromkeys(label.split(" · ")))
    return parts if len(parts) <= most else f"{parts[: most - 1]}…"
