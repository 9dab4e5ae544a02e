"""The subject of a paper: a solved game with bets, and what its maker states about it."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sevenout.catalogue import Entry
from sevenout.documents import PageError
from sevenout.errors import RulesError
from sevenout.model import Chain, has_choices
from sevenout.papers.canonical_text import declaration
from sevenout.rules import ByTurns, Game, Progressive
from sevenout.rules.gamefiles.gamefile import GameFile
from sevenout.rules.objective import compared_of, objective_of, parse_objective
from sevenout.solving import Optimum, solve
from sevenout.solving.answer import Solution
from sevenout.solving.bets.awards import ProgressiveResult, progressive
from sevenout.solving.bets.bet_result import BetResult
from sevenout.solving.bets.metrics import Metrics, cycle
from sevenout.solving.optimal_play import best

if TYPE_CHECKING:
    from sevenout.certify import ProofFile
    from sevenout.solving.bestplay import BestPlay

SMALL = 1_100
"""The most states for the distribution of the rolls and the gradients."""
LARGEST_PROVED = 2_000
"""The most states for a certificate; larger ones take seconds to write."""


@dataclass(frozen=True)
class Subject:
    """A solved game with bets; one with choices is played optimally.

    Attributes:
        game: the rules.
        solution: its results; of a game with choices under optimal play.
        names: the bets to show, in order.
        text: the author's rules in words; may be empty.
        source: where the rules come from.
        optimum: optimal play of a game with choices, on which all figures are based.
        progressives: the progressive award of each bet that has one.
        declared: what the maker states.
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
        """The game as a Markov chain, under optimal play if it has choices."""
        return self.solution.chain

    @property
    def is_small(self) -> bool:
        """Whether whole distributions take no noticeable time."""
        return len(self.chain.states) <= SMALL and not self.solution.bound

    @cached_property
    def bets(self) -> tuple[BetResult, ...]:
        """The results of the bets to show, without awards."""
        return tuple(self.solution.bet(name) for name in self.names)

    @cached_property
    def awards(self) -> dict[str, ProgressiveResult]:
        """The awards by bet, of one bettor in the long run."""
        solved = self.solution.bet
        return {bet: progressive(solved(bet), rule) for bet, rule in self.progressives.items()}

    @cached_property
    def metrics(self) -> tuple[Metrics, ...]:
        """The figures of each bet; those of money count its award."""
        return tuple(
            Metrics(bet, cycle(self.game, bet), self.awards.get(bet.name)) for bet in self.bets
        )

    def largest(self, bet: BetResult) -> Fraction | None:
        """The largest stake on a bet in money, from its limits; None if they name none."""
        limits = self.declared.limits.get(bet.name) if self.declared else None
        return limits.maximum if limits else None

    def most_paid(self, metrics: Metrics) -> Fraction | None:
        """The most that the house can lose on one bet, in money; None without a limit of it.

        A declared top award limits what the schedule pays; the meter of an award comes on top.
        """
        bet = metrics.bet
        stake = self.largest(bet)
        limits = self.declared.limits.get(bet.name) if self.declared else None
        if stake is None:
            return None
        paid = Metrics(bet).maximum_exposure
        assert paid is not None  # only an award has no limit
        total = stake * paid
        if limits and limits.most is not None:
            total = min(total, limits.most)
        if metrics.award is None:
            return total
        limit = metrics.award.law.limit
        return None if limit is None else total + limit

    @cached_property
    def round_exposure(self) -> Fraction | None:
        """The most that one bettor can win from the house in one game, in money, awards left out.

        Of each result, the wins of all bets at their largest stakes; None if a limit is missing.
        """
        if not self.names or any(self.largest(bet) is None for bet in self.bets):
            return None
        most = Fraction(0)
        for outcome, p in self.solution.outcomes.items():
            won = Fraction(0)
            for bet in self.bets:
                stake = self.largest(bet)
                assert stake is not None
                won += max(Fraction(0), outcome.profit(bet.name)) / bet.stake * stake
            most = max(most, won) if p else most
        return most

    def certificate(self, title: str) -> "ProofFile | None":
        """The proof of the figures, or of the optimum of a game with choices.

        None if it is large, or if the game is solved in a form that no certificate lists.
        """
        if self.solution.bound or len(self.chain.states) > LARGEST_PROVED:
            return None
        title = without_awards(title, self.progressives)
        if self.optimum is None:
            return self.solution.certificate(game=title, rules=self.game, awards=self.progressives)
        optimum: BestPlay = self.optimum
        if not isinstance(optimum, Optimum):  # something is hidden
            with suppress(RulesError):
                return optimum.certificate(game=title)
            return None
        stated_goal = self.declared.goal if self.declared else ""
        goal = parse_objective(stated_goal) if stated_goal else objective_of(self.game)
        rules = None if goal is None else compared_of(self.game, goal)
        return optimum.certificate(game=title, rules=rules)


def subject_of(
    game: Game | Entry | GameFile,
    *,
    bets: Iterable[str] | None = None,
    rules: str = "",
    source: str = "",
    goal: Mapping[str, Any] | None = None,
) -> Subject:
    """A solved game with bets.

    >>> from sevenout.catalogue import games
    >>> [bet.name for bet in subject_of(games["fast-craps"]).bets]
    ['pass', 'brick']

    Args:
        game: a declaration or game file, bare rules, or an entry of the catalogue.
        bets: the bets to show; all if not given.
        rules: the rules in words.
        source: where they come from; that of an entry by default.
        goal: the objective of a game with choices, as `sevenout.best` takes it.

    Raises:
        PageError: a game of turns, which has no bets.
        RulesError: an award on a bet that the game lacks, or in a game with choices, where optimal
            play would depend on the meter.
    """
    source = source or (game.source if isinstance(game, Entry) else "")
    declared = declaration(game, rules=rules)
    played, awards = declared.game, declared.progressives
    if isinstance(played, ByTurns):
        raise PageError(f"{type(played).__name__} is a game of turns, which has no bets")
    optimum: Optimum | None = best(played, **(goal or {})) if has_choices(played) else None
    solution = solve(played) if optimum is None else optimum.solution
    chosen = solution.chain.bets if bets is None else tuple(dict.fromkeys(bets))
    for name in (*chosen, *awards):
        solution.bet(name)  # refuses a bet that the game lacks
    if awards and optimum is not None:
        raise RulesError(
            f"the progressive award of {next(iter(awards))} makes optimal play depend on the "
            "meter; leave the award or the choices out"
        )
    shown = {bet: rule for bet, rule in awards.items() if bet in chosen}
    return Subject(played, solution, chosen, declared.rules, source, optimum, shown, declared)


def without_awards(name: str, awards: Iterable[str]) -> str:
    """The title of a certificate whose claims leave out progressive awards.

    >>> without_awards("Ladder", ["fire"]), without_awards("Craps", [])
    ('Ladder, progressive awards left out except where named', 'Craps')
    """
    return f"{name}, progressive awards left out except where named" if list(awards) else name
