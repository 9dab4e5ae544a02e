"""Games of two players with hidden hands and open moves."""

from abc import abstractmethod
from collections.abc import Hashable, Mapping
from functools import cached_property
from typing import Any

from sevenout.errors import RulesError, shown
from sevenout.rolling import Law, Rollable
from sevenout.rules.game import Game, HiddenGame
from sevenout.rules.outcome import Outcome, choose_again

FIRST, SECOND = "first", "second"


class HiddenHands(HiddenGame):
    """Two players with hidden hands and open moves.

    The rules depend on the *table*: whatever decides which moves are allowed, such as the last bid
    at Liar's Dice. Players remember all moves, even those that the table forgets.

    >>> import sevenout as so
    >>> class Cup(so.HiddenHands):
    ...     \"\"\"Each rolls a die. The first bets or passes; the second calls a bet or folds.\"\"\"
    ...
    ...     cups, opening = (so.d6, so.d6), "open"
    ...
    ...     def to_move(self, table):
    ...         return "first" if table == "open" else "second"
    ...
    ...     def moves(self, table):
    ...         bet = {"fold": "folded", "call": "called"}
    ...         return {"open": {"bet": "bet", "pass": "passed"}, "bet": bet}.get(table, {})
    ...
    ...     def showdown(self, table, first, second):
    ...         higher = (first > second) - (first < second)
    ...         amount = {"passed": -1, "folded": 1, "called": 2 * higher}[table]
    ...         return so.settle(table, {"first": (amount, 2), "second": (-amount, 2)})
    >>> so.best(Cup()).value
    Fraction(-1, 9)

    Attributes:
        cups: the deal of each player; or one rollable whose results are pairs of hands.
        opening: the table before the first move.
        start: no hand has been dealt.
    """

    cups: tuple[Rollable, ...]
    opening: Hashable
    start: Hashable = ()
    coordinates = (FIRST, SECOND, "moves")

    @abstractmethod
    def to_move(self, table: Any) -> str:
        """The player to move: "first" or "second"."""

    @abstractmethod
    def moves(self, table: Any) -> Mapping[str, Hashable]:
        """The moves, whatever the hands, and the table after each."""

    @abstractmethod
    def showdown(self, table: Any, first: Any, second: Any) -> Outcome:
        """The outcome at the end."""

    def rolls(self, state: Any) -> Rollable:
        """The deal."""
        return self.cups[len(state)]

    def step(self, state: tuple[Any, ...], roll: Any) -> Any:
        hands = tuple(roll) if len(self.cups) == 1 else (*state, roll)
        # One deal may give both hands, or each cup is a roll of its own.
        return hands if len(hands) < 2 else (*hands, ())

    @cached_property
    def _tables(self) -> dict[tuple[str, ...], Hashable]:
        return {(): self.opening}

    def table(self, moves: tuple[str, ...]) -> Any:
        """The table after some moves.

        Raises:
            RulesError: a move that is not allowed.
        """
        table = self._tables.get(moves)
        if table is None:
            options = self.moves(self.table(moves[:-1]))
            if moves[-1] not in options:
                raise RulesError(
                    f"{shown(moves[-1])} is not an option; the options are: {', '.join(options)}"
                )
            table = self._tables[moves] = options[moves[-1]]
        return table

    def chooser(self, state: tuple[Any, Any, tuple[str, ...]]) -> str:
        return self.to_move(self.table(state[2]))

    def sees(self, state: tuple[Any, Any, tuple[str, ...]], player: str) -> Any:
        """The player's own hand, and all moves."""
        first, second, moves = state
        return (first if player == FIRST else second, *moves)

    def choices(self, state: tuple[Any, ...]) -> Mapping[str, Any]:
        if len(state) < 3:
            return {}
        first, second, moves = state
        menu: dict[str, Any] = {}
        for option, next_table in self.moves(self.table(moves)).items():
            if self.moves(next_table):
                menu[option] = choose_again((first, second, (*moves, option)))
            else:
                menu[option] = self.showdown(next_table, first, second)
        return menu


class LateDeal(Game):
    """The game with the deal at the end: its states are the tables.

    It is of no use for play, but shows each rule once. What it rolls is pairs of hands.
    """

    def __init__(self, game: HiddenHands, deal: Rollable | None = None) -> None:
        self.game, self.start, self.goal, self.deal = game, game.opening, game.goal, deal

    @cached_property
    def dice(self) -> Rollable:  # type: ignore[override]
        """Both hands at once: the deal that was given, or every pair of hands."""
        if self.deal is not None:
            return self.deal
        if len(self.game.cups) == 1:
            return self.game.cups[0]
        # Separate cups are independent.
        one, two = (cup.law.items() for cup in self.game.cups)
        return Law.of_probabilities({(x, y): p * q for x, p in one for y, q in two})

    def chooser(self, state: Any) -> str:
        return self.game.to_move(state)

    def choices(self, state: Any) -> Mapping[str, Any]:
        return {
            option: choose_again(next_table) if self.game.moves(next_table) else next_table
            for option, next_table in self.game.moves(state).items()
        }

    def step(self, state: Any, roll: Any) -> Outcome:
        return self.game.showdown(state, *roll)
