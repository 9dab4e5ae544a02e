"""A game chosen by name, from a file or in Python: the subject of a question."""

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
    from sevenout.solving import Solution


@dataclass(frozen=True)
class ChosenGame:
    """A game, with what is known about it besides its rules.

    Attributes:
        bet: the bet that it is about; None for all.
        policy: how it is played, if given with the game.
        read: finds policies in files; None if the face reads none.
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
        """The names of its bets, if its rules list them."""
        listed = self.game.bets is not None or self.game.outcomes
        return bets_of(self.game) if listed else ()

    def refuse_bet(self, bet: str | None) -> None:
        """Refuse an unknown bet before exploring the game, if its rules list the bets."""
        if bet is not None and self.bets and bet not in self.bets:
            raise NotationError(f"no bet {shown(bet)}; the bets are: {', '.join(self.bets)}")


@dataclass(frozen=True)
class SolvedGame:
    """A solved game; `chosen` is None if only a chain was given."""

    solution: "Solution"
    chosen: ChosenGame | None = None

    @property
    def awards(self) -> "Mapping[str, Progressive]":
        """Progressive awards by bet."""
        return self.chosen.awards if self.chosen is not None else {}

    @property
    def currency(self) -> str:
        """The currency of amounts; "" for units."""
        return self.chosen.file.currency if self.chosen and self.chosen.file else ""

    @property
    def text(self) -> str:
        """The rules in words, if any."""
        return self.chosen.text if self.chosen is not None else ""


def named_game(name: str, /, **options: Any) -> ChosenGame:
    """A game of the catalogue, or one with choices, by name and options.

    >>> named_game("pig", goal=20).title
    'Pig, goal 20'

    Raises:
        SevenoutError: there is no such game or option.
    """
    from sevenout.games import catalogue, decisions

    entry = decisions[name] if name in decisions else catalogue.entry(name)
    found = replace(of_entry(entry, **options), options=options)
    title = ", ".join([found.title, *(f"{key} {value}" for key, value in options.items())])
    return replace(found, title=title)


def of_entry(entry: Entry | Decision, **options: Any) -> ChosenGame:
    """A game of the catalogue, or one with choices, with options."""
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
    """The game of a file with path `name`."""
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
    """The input as a chosen game if its rules are known; else None."""
    if isinstance(given, SolvedGame):
        return given.chosen
    known = isinstance(given, ChosenGame | Game | Entry | Decision | tuple)
    return chosen_game(given) if known else None


def chosen_game(given: Any) -> ChosenGame:
    """The input as a chosen game."""
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
