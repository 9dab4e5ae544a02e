"""A game as it was chosen, by its name, from a file or in Python: what a question is asked of."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from sevenout.errors import NotationError, RulesError, shown
from sevenout.games.decision import Decision, of_surrender
from sevenout.games.entry import Entry
from sevenout.rules import Game, Surrender
from sevenout.rules.families.holding import HoldGame
from sevenout.rules.game import bets_of

if TYPE_CHECKING:
    from sevenout.rules import Progressive
    from sevenout.rules.gamefiles.gamefile import GameFile
    from sevenout.solve import Solution


@dataclass(frozen=True)
class ChosenGame:
    """A game, and what is known of it besides its rules.

    Attributes:
        title: its name in print.
        game: the rules.
        text: the rules in words, if there are any.
        bet: the bet that it is about; None for all of them.
        decision: what is known of a game with choices, if it is a known one.
        options: of the game, as they were given.
        file: the game file that it came from.
        source: where the rules come from, if that is known.
        awards: by bet, the progressive award that it may win.
        policy: how it is played, where a game with choices comes with that.
        read: what finds a policy that is not known by its name, such as one in a Python file; None
            for a face that reads no such file.
    """

    title: str
    game: Game
    text: str = ""
    bet: str | None = None
    decision: Decision | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    file: "GameFile | None" = None
    source: str = ""
    awards: "Mapping[str, Progressive]" = field(default_factory=dict)
    policy: Any = None
    read: Callable[[str], Any] | None = field(default=None, repr=False)

    @property
    def bets(self) -> tuple[str, ...]:
        """The names of its bets, where its rules list them."""
        listed = self.game.bets is not None or self.game.outcomes
        return bets_of(self.game) if listed else ()

    def refuse_bet(self, bet: str | None) -> None:
        """Refuse a bet that the game has not, before it is explored, where its rules list them.

        Raises:
            NotationError: there is no such bet.
        """
        if bet is not None and self.bets and bet not in self.bets:
            raise NotationError(f"no bet {shown(bet)}; the bets are: {', '.join(self.bets)}")


@dataclass(frozen=True)
class SolvedGame:
    """A game that is solved: what most questions of a game are asked of.

    Attributes:
        solution: the exact answers.
        chosen: the game as it was chosen, if it is more than its chain.
    """

    solution: "Solution"
    chosen: ChosenGame | None = None

    @property
    def awards(self) -> "Mapping[str, Progressive]":
        """By bet, the progressive award that it may win."""
        return self.chosen.awards if self.chosen is not None else {}

    @property
    def currency(self) -> str:
        """What amounts are in; "" for units."""
        return self.chosen.file.currency if self.chosen and self.chosen.file else ""

    @property
    def text(self) -> str:
        """The rules in words, if there are any."""
        return self.chosen.text if self.chosen is not None else ""


def named_game(name: str, /, **options: Any) -> ChosenGame:
    """A game of the catalogue or a game with choices, by its name and with its options.

    >>> named_game("pig", goal=20).title
    'Pig, goal 20'

    Raises:
        SevenoutError: there is none of that name, or it has no such option.
    """
    from sevenout.games import catalogue, decisions

    entry = decisions[name] if name in decisions else catalogue.entry(name)
    found = replace(of_entry(entry, **options), options=options)
    title = ", ".join([found.title, *(f"{key} {value}" for key, value in options.items())])
    return replace(found, title=title)


def of_entry(entry: Entry | Decision, **options: Any) -> ChosenGame:
    """A game of the catalogue, or one with choices, with options.

    Raises:
        SevenoutError: it has no such option.
    """
    return ChosenGame(
        entry.title,
        entry.game(**options),
        entry.rules_with(**options),
        (entry.bet or None) if isinstance(entry, Entry) else None,
        entry if isinstance(entry, Decision) else None,
        options=options,
        source=entry.source,
    )


def of_file(file: "GameFile", name: str = "") -> ChosenGame:
    """The game of a file, whose path is `name`."""
    from sevenout.games.choice_games.pig import of_hold

    decision = None
    if isinstance(file.game, Surrender):
        decision = of_surrender(name, file.name, file.game)
    elif isinstance(file.game, HoldGame):
        decision = of_hold(name, file.name, file.game)
    return ChosenGame(
        file.name,
        file.game,
        file.rules,
        decision=decision,
        file=file,
        awards=file.progressives,
    )


def unsolved(given: Any) -> ChosenGame | None:
    """What was given as a game that is chosen, where its rules are known; else nothing."""
    if isinstance(given, SolvedGame):
        return given.chosen
    known = isinstance(given, ChosenGame | Game | Entry | Decision | tuple)
    return chosen_game(given) if known else None


def chosen_game(given: Any) -> ChosenGame:
    """What was given as a game that is chosen.

    Raises:
        RulesError: it is no game.
    """
    from sevenout.rules.gamefiles.gamefile import GameFile

    match given:
        case ChosenGame():
            return given
        case (game, policy):
            return replace(chosen_game(game), policy=policy)
        case Entry() | Decision():
            return of_entry(given)
        case GameFile():
            return of_file(given)
        case Game():
            return ChosenGame(type(given).__name__, given)
    raise RulesError(f"{shown(given)} is not a game; give one, such as catalogue['craps']")
