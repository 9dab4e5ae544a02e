"""The subject of a paper: what a maker declares of a game, its canonical text, the solved game.

The SHA-256 of the canonical text is printed on every paper. A game that a game file can hold has
that file's text. Any other game has the same head, then the hash of its explored model and of its
program files. If the rules are data, the last line is a comment with the hash of the rules in its
certificate.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from sevenout.catalogue import Entry, entry_of
from sevenout.certify.certificate import model_sha256
from sevenout.certify.rulebook_models import rules_sha256
from sevenout.documents import PageError
from sevenout.errors import NotationError, RulesError, SevenoutError, shown
from sevenout.model import Chain, explore, has_choices
from sevenout.rules import ByTurns, Game, JointGame, Progressive
from sevenout.rules.casino.limits import Limits
from sevenout.rules.game import Frozen, bets_of
from sevenout.rules.gamefiles.filevalues import toml_of
from sevenout.rules.gamefiles.gamefile import (
    GameFile,
    award_tables,
    game_text,
    head_table,
    text_of,
)
from sevenout.rules.gamefiles.gamewriter import Table
from sevenout.rules.objective import objective_of, parse_objective, with_comparison
from sevenout.rules.rules_as_data import rulebook_of_game
from sevenout.solving import Optimum, solve
from sevenout.solving.answer import Solution
from sevenout.solving.awards import ProgressiveResult, progressive
from sevenout.solving.bet_result import BetResult
from sevenout.solving.metrics import Metrics, cycle
from sevenout.solving.optimal_play import best

if TYPE_CHECKING:
    from sevenout.certify import ProofFile
    from sevenout.solving.best_play import BestPlay
    from sevenout.solving.turn_optimum import TurnOptimum


Sources = Iterable[tuple[str, bytes]]
"""The files of a program: names and bytes."""


def canonical_text(declared: GameFile, sources: Sources = (), model: str = "") -> str:
    """The declaration as TOML.

    >>> from sevenout.catalogue import games
    >>> pig = GameFile("Piglet", (games("piglet"),), author="J. Scarne", goal="P(win)")
    >>> print(canonical_text(pig, model="00ff"))
    format = 1
    name = "Piglet"
    goal = "P(win)"
    author = "J. Scarne"
    <BLANKLINE>
    [model]
    sha256 = "00ff"
    <BLANKLINE>

    Args:
        declared: the game and its declaration.
        sources: the files of a game that is a program.
        model: the SHA-256 of rules that a file can't hold; that of the explored model if not given.
    """
    text = _declaration_text(declared, list(sources), model) + _rules_line(declared.game)
    return text.encode(errors="backslashreplace").decode()  # UTF-8 can't hold a lone surrogate


def _rules_line(game: Game) -> str:
    """The hash of the rules in a certificate; empty for a program."""
    try:
        # a comment: the parser of game files skips it
        return f"# rules, SHA-256 {rules_sha256(rulebook_of_game(game))}\n"
    except SevenoutError:
        return ""


def _declaration_text(declared: GameFile, files: list[tuple[str, bytes]], model: str) -> str:
    """The game file, or its head with the hashes of what it can't hold."""
    # a class of another package may read its dice in its own way, which a file can't hold
    ours = all(type(game).__module__.startswith("sevenout.rules.") for game in declared.games)
    if ours and not files:
        try:
            # Not all rules fit in a file; the hash of the model stands for those that don't.
            return game_text(declared)
        except NotationError:
            pass
    tables: list[Table] = [("", head_table(declared))]
    for bet, limits in declared.limits.items():
        tables.append((f"[limits.{toml_of(bet)}]", asdict(limits)))
    tables += award_tables(declared)
    if files:
        tables.append(("[program]", {name: sha256(text).hexdigest() for name, text in files}))
    tables.append(("[model]", {"sha256": model or model_sha256(explore(declared.game))}))
    return text_of(tables)


def declaration(
    game: Game | Entry | str | GameFile, name: str = "", *, limits: str = "", **stated: Any
) -> GameFile:
    """Everything a maker states about a game; `sheet` and the dossier are made from it.

    >>> from sevenout.catalogue import games
    >>> stated = declaration(games.entry("craps"), author="J. Doe", limits="$5 to $50")
    >>> stated.name, stated.author, stated.limits_of("pass")
    ('Craps', 'J. Doe', 'from $5 to $50')

    Args:
        game: the rules, an entry of the catalogue or its name, or a game file.
        name: its name in print; the entry's or file's if not given.
        limits: the limits of every bet that has none of its own: "5 to 500", "$5 to $50".
        stated: other attributes of `GameFile`: maker, author, version, rules, procedure, currency,
            progressives, goal. An empty one is ignored.

    Raises:
        RulesError: no such game; an unknown attribute; limits without amounts, or of no bet.
    """
    game = entry_of(game)
    keys = {attribute.name for attribute in fields(GameFile)} - {"name", "games", "limits"}
    if unknown := [key for key in stated if key not in keys]:
        raise RulesError(f"{unknown[0]} can't be stated; these can: {', '.join(sorted(keys))}")
    attributes = {key: value for key, value in stated.items() if value}
    if isinstance(game, GameFile):
        declared = game
    elif isinstance(game, Entry):
        declared = GameFile(game.title, _games(game.game()), rules=game.rules)
    else:
        declared = GameFile(type(game).__name__, _games(game))
    declared = replace(declared, **{"name": name or declared.name, **attributes})
    if not declared.version:
        declared = replace(declared, version="1")
    return with_limits(declared, declared_bets(declared.game), limits) if limits else declared


def _games(game: Game) -> tuple[Game, ...]:
    """The games on the same rolls, as a file holds them."""
    return game.games if isinstance(game, JointGame) else (game,)


def declared_bets(game: Game) -> tuple[str, ...]:
    """The bets of a game; it is explored if it does not list them."""
    # a game of turns has a score and no bets
    if isinstance(game, ByTurns):
        return ()
    # a program that lists neither is explored
    if game.bets is None and not game.outcomes:
        return tuple(explore(game).bets)
    return bets_of(game)


def with_limits(declared: GameFile, bets: Iterable[str], text: str) -> GameFile:
    """The same declaration, with limits on the bets that have none.

    >>> from sevenout.catalogue import games
    >>> craps = declaration(games["craps"], "Craps")
    >>> with_limits(craps, ["pass"], "$5 to $50").limits_of("pass")
    'from $5 to $50'

    Raises:
        RulesError: no amounts in the text, or another currency.
    """
    bets = tuple(bets)
    if not bets:
        raise RulesError(
            f"limits {shown(text)}; {declared.name} has no bets, so leave the limits out"
        )
    limits, sign = Limits.from_words(text)
    if sign and declared.currency not in ("", sign):
        raise RulesError(f"limits {shown(text)}; the amounts are in {declared.currency}")
    limits_by_bet = dict(declared.limits)
    for bet in bets:
        if not declared.limits_of(bet):
            own = limits_by_bet.get(bet, Limits())
            limits_by_bet[bet] = replace(own, minimum=limits.minimum, maximum=limits.maximum)
    return replace(declared, limits=Frozen(limits_by_bet), currency=declared.currency or sign)


def makers_of(declared: GameFile) -> list[tuple[str, str]]:
    """The maker and the author, as far as they are stated, for the head of a paper."""
    stated = [("maker", declared.maker), ("author", declared.author)]
    return [(name, value) for name, value in stated if value]


MAX_SMALL_STATES = 1_100
"""The most states for the distribution of the rolls and the gradients."""
MAX_PROVED_STATES = 2_000
"""The most states for a certificate; larger ones take seconds to write."""


@dataclass(frozen=True)
class Subject:
    """A solved game and its declaration; one with choices is played optimally.

    Attributes:
        declared: what the maker states.
        solution: the results of the game; of one with choices under optimal play.
        bet_names: the bets to show, in order.
        source: where the rules come from.
        optimum: optimal play of a game with choices, on which all figures are based.
    """

    declared: GameFile
    solution: Solution
    bet_names: tuple[str, ...]
    source: str = ""
    optimum: Optimum | None = None

    @cached_property
    def game(self) -> Game:
        """The rules."""
        return self.declared.game

    @cached_property
    def progressives(self) -> dict[str, Progressive]:
        """The progressive award of each shown bet that has one."""
        awards = self.declared.progressives
        return {bet: rule for bet, rule in awards.items() if bet in self.bet_names}

    @property
    def currency(self) -> str:
        """The currency of amounts; units if not declared."""
        return self.declared.currency

    @property
    def chain(self) -> Chain:
        """The game as a Markov chain, under optimal play if it has choices."""
        return self.solution.chain

    @property
    def is_small(self) -> bool:
        """Whether whole distributions take no noticeable time."""
        return len(self.chain.states) <= MAX_SMALL_STATES and not self.solution.bound

    @cached_property
    def bets(self) -> tuple[BetResult, ...]:
        """The results of the bets to show, without awards."""
        return tuple(self.solution.bet(name) for name in self.bet_names)

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

    def limits(self, bet: str) -> Limits:
        """The limits of a bet; those that the maker does not state are None."""
        return self.declared.limits.get(bet, Limits())

    def max_scheduled(self, bet: BetResult) -> Fraction | None:
        """The most that the schedule pays on one bet, in money, the meter of an award left out.

        A declared top award limits it. None if the stake has no limit.
        """
        limits = self.limits(bet.name)
        if limits.maximum is None:
            return None
        scheduled = limits.maximum * scheduled_exposure(bet)
        top_award = limits.top_award_amount
        return scheduled if top_award is None else min(scheduled, top_award)

    @cached_property
    def round_exposure(self) -> Fraction | None:
        """The most that one bettor can win from the house in one game, in money, awards left out.

        Of each result, the wins of all bets at their largest stakes; None if a limit is missing.
        """
        units: dict[str, Fraction] = {}
        for bet in self.bets:
            largest_stake = self.limits(bet.name).maximum
            if largest_stake is None:
                return None
            units[bet.name] = largest_stake / bet.stake
        # an outcome that never happens is no exposure
        wins = [
            sum((max(Fraction(0), outcome.profit(bet)) * units[bet] for bet in units), Fraction(0))
            for outcome, p in self.solution.outcomes.items()
            if p
        ]
        return max(wins) if units else None

    def certificate(self, title: str) -> "ProofFile | None":
        """The proof of the figures, or of the optimum of a game with choices.

        None if it is large, or if the game is solved in a form that no certificate lists.
        """
        # a solution with an error bound claims no fractions, and a large one takes seconds
        if self.solution.bound or len(self.chain.states) > MAX_PROVED_STATES:
            return None
        title = without_awards(title, self.progressives)
        if self.optimum is None:
            return self.solution.certificate(title=title, rules=self.game, awards=self.progressives)
        optimum: BestPlay = self.optimum
        if not isinstance(optimum, Optimum):  # something is hidden
            with suppress(RulesError):
                return optimum.certificate(title=title)
            return None
        stated = self.declared.goal
        goal = parse_objective(stated) if stated else objective_of(self.game)
        rules = None if goal is None else with_comparison(self.game, goal)
        return optimum.certificate(title=title, rules=rules)


def scheduled_exposure(bet: BetResult) -> Fraction:
    """The most that a bet's schedule pays, in stakes; the meter of an award comes on top."""
    exposure = Metrics(bet).maximum_exposure
    assert exposure is not None  # only an award has no limit
    return exposure


def subject_of(
    game: Game | Entry | str | GameFile,
    *,
    bets: Iterable[str] | None = None,
    rules: str = "",
    source: str = "",
    goal: Mapping[str, Any] | None = None,
) -> Subject:
    """A solved game.

    >>> from sevenout.catalogue import games
    >>> [bet.name for bet in subject_of(games["fast-craps"]).bets]
    ['pass', 'brick']

    Args:
        game: a declaration or game file, bare rules, or an entry of the catalogue or its name.
        bets: the bets to show; all if not given.
        rules: the rules in words.
        source: where they come from; that of an entry by default.
        goal: the objective of a game with choices, as `sevenout.best` takes it.

    Raises:
        PageError: a game of turns, which has no bets.
        RulesError: a goal of a game without choices; an award on a bet that the game lacks, or in a
            game with choices, where optimal play would depend on the meter.
    """
    # the letters of one name would be taken for bets
    if isinstance(bets, str):
        raise RulesError(f"bets={shown(bets)}; give a list, such as [{shown(bets)}]")
    game = entry_of(game)
    source = source or (game.source if isinstance(game, Entry) else "")
    declared = declaration(game, rules=rules)
    rules_game, awards = declared.game, declared.progressives
    if isinstance(rules_game, ByTurns):
        raise PageError(f"{type(rules_game).__name__} is a game of turns, which has no bets")
    optimum: Optimum | None = None
    if has_choices(rules_game):
        optimum = best(rules_game, **(goal or {}))
    elif goal:
        raise RulesError(f"goal={shown(dict(goal))}; the game has no choices: leave it out")
    solution = solve(rules_game) if optimum is None else optimum.solution
    bet_names = solution.chain.bets if bets is None else tuple(dict.fromkeys(bets))
    for name in (*bet_names, *awards):
        solution.bet(name)  # refuses a bet that the game lacks
    # the meter would be a part of every state
    if awards and optimum is not None:
        raise RulesError(
            f"the progressive award of {next(iter(awards))} makes optimal play depend on the "
            "meter; leave the award or the choices out"
        )
    return Subject(declared, solution, bet_names, source, optimum)


@dataclass(frozen=True)
class TurnSubject:
    """A solved game of turns, and its declaration.

    Attributes:
        declared: what the maker states.
        optimum: optimal play.
        source: where the rules come from.
    """

    declared: GameFile
    optimum: "TurnOptimum"
    source: str = ""


def without_awards(name: str, awards: Iterable[str]) -> str:
    """The title of a certificate whose claims leave out progressive awards.

    >>> without_awards("Ladder", ["fire"]), without_awards("Craps", [])
    ('Ladder, progressive awards left out except where named', 'Craps')
    """
    return f"{name}, progressive awards left out except where named" if list(awards) else name
