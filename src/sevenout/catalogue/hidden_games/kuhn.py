"""Matching pennies, rock paper scissors, and Kuhn poker."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from typing import Any

from sevenout.catalogue.entries import Entry
from sevenout.rolling import Law
from sevenout.rules import Game, HiddenHands, Outcome, ask, settle
from sevenout.rules.families.hidden_hands import FIRST, SECOND

NEUMANN = "J. von Neumann, Zur Theorie der Gesellschaftsspiele, Math. Annalen 100 (1928)"
KUHN = "H. W. Kuhn, A simplified two-person poker, Contributions to the Theory of Games I (1950)"


def won(label: str, amount: int) -> Outcome:
    """An outcome that the first player wins.

    >>> won("raised", -2).profit("second")
    Fraction(2, 1)
    """
    risk = max(1, abs(amount))
    return settle(label, {FIRST: (amount, risk), SECOND: (-amount, risk)})


@dataclass(frozen=True)
class AtOnce(Game):
    """Both players choose at the same time.

    The state is the first player's choice, once made; the second does not see it.

    >>> pennies = AtOnce(("heads", "tails"), ((1, -1), (-1, 1)))
    >>> pennies.chooser("tails"), pennies.sees("tails", "second")
    ('second', 'nothing')

    Attributes:
        options: of each player.
        table: the first player's win: rows are the first player's options, columns the second's.
    """

    options: tuple[str, ...]
    table: tuple[tuple[int, ...], ...]
    start = "start"

    def chooser(self, state: str) -> str:
        """The first player, then the second."""
        return FIRST if state == self.start else SECOND

    def sees(self, state: str, player: str) -> str:
        """Nothing of the other's choice."""
        return "nothing"

    def choices(self, state: str) -> Mapping[str, Any]:
        """The options."""
        if state == self.start:
            return {mine: ask(mine) for mine in self.options}
        row = self.table[self.options.index(state)]
        return {
            yours: won(f"{state} against {yours}", amount)
            for yours, amount in zip(self.options, row, strict=True)
        }

    def step(self, state: Any, roll: Any) -> Any:
        raise AssertionError("nothing is rolled")


Done = tuple[str, ...]


@dataclass(frozen=True)
class KuhnPoker(HiddenHands):
    """Kuhn poker; the state is (first card, second card, actions).

    >>> KuhnPoker().sees(("J", "K", ("check",)), "second")
    ('K', 'check')
    """

    cups = (Law(dict.fromkeys(permutations("JQK", 2), 1)),)
    opening: Done = ()
    coordinates = (FIRST, SECOND, "done")

    def to_move(self, table: Done) -> str:
        """The players act in turn."""
        return SECOND if len(table) == 1 else FIRST

    def moves(self, table: Done) -> Mapping[str, Done]:
        """Check or bet; after a bet, fold or call."""
        if table in ((), ("check",)):
            return {"check": (*table, "check"), "bet": (*table, "bet")}
        return {x: (*table, x) for x in ("fold", "call")} if table[-1] == "bet" else {}

    def showdown(self, table: Done, first: str, second: str) -> Outcome:
        """The higher card wins, unless a player folds."""
        if table[-1] == "fold":
            return won("folded", 1 if len(table) == 2 else -1)
        better = 1 if "JQK".index(first) > "JQK".index(second) else -1
        return won("called", 2 * better) if table[-1] == "call" else won("checked", better)


def matching_pennies() -> AtOnce:
    """Each of two players lays down a coin. The first wins if both show the same side."""
    return AtOnce(("heads", "tails"), ((1, -1), (-1, 1)))


def rock_paper_scissors(rock: int = 1) -> AtOnce:
    """Rock blunts scissors, scissors cut paper, paper wraps rock; two alike tie. A player who wins
    with a rock wins as much as `rock`.
    """
    return AtOnce(("rock", "paper", "scissors"), ((0, -1, rock), (1, 0, -1), (-rock, 1, 0)))


def kuhn() -> KuhnPoker:
    """Kuhn poker. Each of two players puts in 1 and is dealt one of the cards J, Q, K. The first
    checks or bets 1 more; then the second does. After a bet the other player calls, for 1 more, or
    folds. Where no one folds, the higher card takes the pot.
    """
    return KuhnPoker()


AT_ONCE = ("Both show at once: the second is asked without seeing what the first shows.",)
entry = partial(Entry, players=2, most=FIRST)

# fmt: off
ENTRIES = [
    entry("matching-pennies", "Matching pennies", matching_pennies, family="Two at once",
          source=NEUMANN, readings=AT_ONCE, value="0"),
    entry("rock-paper-scissors", "Rock, paper, scissors", rock_paper_scissors,
          family="Two at once", source=NEUMANN, readings=AT_ONCE, value="0"),
    entry("kuhn", "Kuhn poker", kuhn, family="Poker", source=KUHN,
          readings=("Both put in 1 before the deal; a profit is what is won of the other's.",),
          value="-1/18"),
]
# fmt: on
