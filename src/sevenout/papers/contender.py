"""A game in a comparison: its rules by aspect, and its figures."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sevenout.documents import Fact
from sevenout.documents.kinds import COUNT, DECIMAL, FRACTION
from sevenout.papers.sections.rules_in_words import (
    bets_of,
    describe,
    listed,
    paragraphs,
    parts,
    ranked,
    sentences,
)
from sevenout.papers.subject import SMALL
from sevenout.rolling import Dice, Die
from sevenout.rules import Game, PointGame
from sevenout.rules.composed.together import bottom
from sevenout.solving import Solution
from sevenout.solving.bets.metrics import Metrics


@dataclass(frozen=True)
class Contender:
    """A game in a comparison.

    Attributes:
        solution: the exact results.
        text: the author's rules in words; may be empty.
        policy: the policy that plays it; may be empty.
    """

    title: str
    game: Game
    solution: Solution = field(repr=False)
    bets: tuple[str, ...]
    text: str = ""
    policy: str = ""

    @cached_property
    def aspects(self) -> dict[str, str]:
        """The rules by aspect."""
        found = {"policy": self.policy} if self.policy else {}
        for n, part in enumerate(parts(self.game)):
            named = listed(f"“{bet}”" for bet in bets_of(part)) or f"game {n + 1}"
            head = f"{named}: " if n else ""
            inner = getattr(part, "game", part)
            if isinstance(inner, PointGame):
                found |= {f"{head}{name}": said for name, said in _point_game(inner).items()}
            else:
                if dice := _dice(part):
                    found[f"{head}dice"] = dice
                said = sentences(part) or paragraphs(self.text) or describe(part)
                found[f"{head}rules"] = " ".join(said)
        return found

    @cached_property
    def length(self) -> dict[str, Fact]:
        """The length of a game, by figure."""
        solution = self.solution
        facts = [Fact("mean rolls until all is settled", solution.mean_rolls, FRACTION, DECIMAL)]
        own = [c for c in solution.chain.counters if not c.startswith("rolls")]
        facts += [Fact(f"mean {c}", solution.mean(c), FRACTION, DECIMAL) for c in own]
        if len(solution.chain.states) <= SMALL and not solution.bound:
            law = solution.distribution("rolls")
            facts.append(Fact("variance of the rolls", law.variance, FRACTION, DECIMAL))
            facts.append(Fact("median of the rolls", law.quantile("1/2"), COUNT))
            facts.append(Fact("99 % quantile of the rolls", law.quantile("99%"), COUNT))
        return {fact.name: fact for fact in facts}

    def figures(self, bet: str, every: bool = False) -> dict[str, Fact]:
        """The figures of a bet by name; `every` as in `BetResult.figures`."""
        facts = Metrics(self.solution.bet(bet)).figures(every).facts
        return {fact.name: fact for fact in facts}


def _dice(game: Game) -> str:
    rolled = bottom(game.rolls(game.start))
    return str(rolled) if isinstance(rolled, Dice | Die) else ""


def _point_game(game: PointGame) -> dict[str, str]:
    def totals(given: Iterable[Any]) -> str:
        return listed(ranked(game, given)) or "none"

    stakes = {bet: line.stake for bet, line in game.bets.items()}
    return {
        "dice": str(game.dice),
        "naturals": totals(game.naturals),
        "craps": totals(game.craps),
        "pushes": totals(game.pushes),
        "rolled again": totals(game.rerolls),
        "points": totals(game.points),
        "the out": str(game.out),
        "rolls for the point": "as many as it takes" if game.limit is None else str(game.limit),
        "the point counts": "the hard way only" if game.hard else "either way",
        "bets": listed(f"“{bet}”, stake {stake}" for bet, stake in stakes.items()),
    }
