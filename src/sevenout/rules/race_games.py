"""Races to a score or to a square.

A `HoldGame` is hold or roll, such as Pig: each turn adds to the score, unless it busts. In a `Race`
the dice alone decide.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, shown
from sevenout.rolling import Dice, Roll, Rollable
from sevenout.rules.game import Frozen, Game
from sevenout.rules.objective import least, most
from sevenout.rules.outcome import Outcome, counted, pass_turn, settle, win

# --- to a score: hold or roll ---------------------------------------------------------------------

PLAYED = ("turn", "alone", "two")
"""One turn for points, alone for the fewest turns, or a race of two."""
BUST = "bust"
POINTS, TURNS = "points", "turns"
Played = Literal["turn", "alone", "two"]


@dataclass(frozen=True)
class Gain:
    """A reading of a roll as points for the turn, or a bust.

    >>> from sevenout.rolling import dice
    >>> Gain((1,))(dice("2d6").roll([4, 1])), Gain((1,))(dice("2d6").roll([4, 3]))
    ('bust', 7)

    Attributes:
        bust: the faces that bust, on any of the dice.
    """

    bust: tuple[Any, ...]

    def __call__(self, roll: Roll) -> Any:
        """The total, or a bust."""
        return BUST if any(face in self.bust for face in roll.faces) else roll.total


@dataclass(frozen=True)
class HoldGame(Game):
    """Hold or roll: a roll adds its total to the turn, a bust loses the turn.

    >>> from sevenout.rolling import parse_dice
    >>> pig = HoldGame(parse_dice("d6"), (1,), 100)
    >>> pig.choices((30, 40, 6))["hold"]
    Passed(then=(40, 36, 0))

    A turn begins with a roll, and ends when it reaches the target. The states are (mine, yours,
    turn) for two, (score, turn) alone, and the turn's points for one turn.

    Args:
        bust: the faces that bust, on any of the dice.
        target: the score that wins, or ends the turn.
        play: "turn" counts `points`, "alone" counts `turns`, "two" is a race to the target.
        die: the dice of one roll.

    Raises:
        RulesError: a target below 1, no bust face or one that the dice lack, a total below 0, or
            another `play`.
    """

    die: Dice
    bust: tuple[Any, ...]
    target: int
    play: Played = "two"

    def __post_init__(self) -> None:
        if self.play not in PLAYED:
            raise RulesError(f"play={shown(self.play)}; write {', '.join(PLAYED[:2])} or two")
        if type(self.target) is not int or self.target < 1:
            raise RulesError(f"target={shown(self.target)}; play to 1 or more")
        faces = {face for die in self.die.dice for face in die.faces}
        if not self.bust:
            raise RulesError("bust=(); name the faces that end a turn, such as [1]")
        for face in self.bust:
            if face not in faces:
                raise RulesError(
                    f"{shown(face)} busts, but {self.die} can't show it; name faces of the die"
                )
        for gain in self.dice.law:
            if gain != BUST and not (isinstance(gain, int) and gain >= 0):
                raise RulesError(
                    f"a roll of {shown(gain)} can't be added to a turn; give a die with whole "
                    "numbers"
                )
        # Nobody would ever get home.
        if set(self.dice.law) <= {BUST, 0}:
            raise RulesError(f"every roll of {self.die} busts or adds nothing; leave a face to win")

    @cached_property
    def dice(self) -> Rollable:  # type: ignore[override]
        """What a roll adds to the turn."""
        return self.die.read(Gain(self.bust))

    @cached_property
    def goal(self) -> Any:  # no property: a game file sets another
        return {"turn": most(POINTS), "alone": least(TURNS), "two": most("pass > 0")}[self.play]

    @property
    def start(self) -> Any:  # type: ignore[override]
        return {"turn": 0, "alone": (0, 0), "two": (0, 0, 0)}[self.play]

    @property
    def coordinates(self) -> Sequence[str]:  # type: ignore[override]
        return {"turn": ("turn",), "alone": ("score", "turn"), "two": ("mine", "yours", "turn")}[
            self.play
        ]

    @property
    def counters(self) -> Collection[str]:  # type: ignore[override]
        return {"turn": (POINTS,), "alone": (TURNS,), "two": ()}[self.play]

    @property
    def bets(self) -> Collection[str]:  # type: ignore[override]
        return ("pass",) if self.play == "two" else ()

    @cached_property
    def outcomes(self) -> Sequence[Outcome]:  # type: ignore[override]
        """The possible outcomes."""
        return {
            "turn": tuple(map(settle, (BUST, "hold", "home"))),
            "alone": (settle("home"),),
            "two": (win("home"),),
        }[self.play]

    def afford(self) -> None:
        """Refuse a target with too many states."""
        # The estimate is printed, so it stays a finite number.
        to = min(self.target, 10**6)
        states = {"turn": to, "alone": to * to / 2, "two": to**3 / 2}[self.play]
        afford(
            f"a game of {states:.3g} states",
            seconds=2e-6 * states * len(self.dice.law),
            memory=150.0 * states,
            instead="play to a lower target",
        )

    def choices(self, state: Any) -> Mapping[str, Any]:
        """Roll again or hold."""
        *scores, turn = state if isinstance(state, tuple) else (state,)
        # A turn begins with a roll: there is nothing to hold yet.
        return {"roll": state, "hold": self._over("hold", scores, turn)} if turn else {}

    def step(self, state: Any, roll: Any) -> Any:
        *scores, turn = state if isinstance(state, tuple) else (state,)
        if roll == BUST:
            return self._over(BUST, scores, 0)
        turn += roll
        # The first score is that of the player on turn; a game of one turn has none.
        if turn + sum(scores[:1]) < self.target:
            return (*scores, turn) if scores else turn
        return self._home if scores else self._over("home", scores, turn)

    @cached_property
    def _home(self) -> Any:
        """The end of a game to the target."""
        return win("home") if self.play == "two" else counted(settle("home"), turns=1)

    @cached_property
    def _ends_of_turns(self) -> dict[Any, Any]:
        """What follows a turn, by the label of its end, the scores and the turn's points."""
        return {}

    def _over(self, label: str, scores: Sequence[int], turn: int) -> Any:
        """The state after a turn with this score."""
        # Many rolls end alike, and to count or pass costs more than to look up.
        key = (sum(scores[:1]) + turn, *scores[1:]) if scores else (label, turn)
        end = self._ends_of_turns.get(key)
        if end is None:
            match scores:
                case [score]:
                    end = counted((score + turn, 0), turns=1)
                case [mine, yours]:
                    end = pass_turn((yours, mine + turn, 0))
                case _:
                    end = counted(settle(label), points=turn)
            self._ends_of_turns[key] = end
        return end


# --- to a square ----------------------------------------------------------------------------------

NO_JUMPS: Mapping[int, int] = Frozen({})


@dataclass(frozen=True)
class Race(Game):
    """A race over a board, for one or two players, from before square 1.

    >>> from sevenout.rolling import parse_dice
    >>> Race(parse_dice("d6"), 100, Frozen({1: 38})).step((0, 7), 1)
    Passed(then=(7, 38))

    The states are (mine, yours) for two, and the square for one.

    Args:
        to: the last square.
        jumps: for each foot of a ladder or head of a chute, the square to which it leads.
        players: 1 or 2.
        exact: whether a roll that would go beyond the last square is lost.
        again: the totals after which the same player rolls again.
        die: the dice of one roll.

    Raises:
        RulesError: a last square below 1, another number of players, a jump off the board or to the
            start of another, totals that the dice can't roll, or a backward move.
    """

    die: Dice
    to: int
    jumps: Mapping[int, int] = field(default_factory=lambda: NO_JUMPS)
    players: int = 2
    exact: bool = False
    again: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if type(self.to) is not int or self.to < 1:
            raise RulesError(f"to={shown(self.to)}; give a square from 1")
        if type(self.players) is not int or self.players not in (1, 2):
            raise RulesError(f"players={shown(self.players)}; give 1 or 2")
        for start, end in self.jumps.items():
            # A chain of jumps would move twice on one roll.
            if not (0 < start < self.to and 0 <= end <= self.to) or end in self.jumps:
                raise RulesError(
                    f"a jump from {shown(start)} to {shown(end)}; both are squares, and no jump "
                    "begins where another ends"
                )
        for total in self.dice.law:
            if not isinstance(total, int) or total < 0:
                raise RulesError(
                    f"a roll of {shown(total)} moves no player; use dice with whole numbers"
                )
        for total in self.again:
            if total not in self.dice.law:
                raise RulesError(f"again={shown(total)}; {self.die} can't roll it")

    @property
    def dice(self) -> Rollable:  # type: ignore[override]
        """The squares that a player moves."""
        return self.die.totals

    @property
    def start(self) -> Any:  # type: ignore[override]
        return 0 if self.players == 1 else (0, 0)

    @property
    def coordinates(self) -> Sequence[str]:  # type: ignore[override]
        return ("square",) if self.players == 1 else ("mine", "yours")

    @property
    def bets(self) -> Collection[str]:  # type: ignore[override]
        return () if self.players == 1 else ("pass",)

    @cached_property
    def outcomes(self) -> Sequence[Outcome]:  # type: ignore[override]
        """One player reaches the last square."""
        return (settle("home") if self.players == 1 else win("home"),)

    def afford(self) -> None:
        """Refuse a board with too many states."""
        # The estimate is printed, so it stays a finite number.
        states = float(min(self.to, 10**6)) ** self.players
        afford(
            f"a race of {states:.3g} states",
            seconds=4e-6 * states * len(self.dice.law),
            memory=150.0 * states,
            instead="race to a nearer square",
        )

    def step(self, state: Any, roll: int) -> Any:
        mine, *others = state if isinstance(state, tuple) else (state,)
        square = mine + roll
        if square > self.to:
            # By exact count a roll too high is lost; else it is enough.
            square = mine if self.exact else self.to
        square = self.jumps.get(square, square)
        if square == self.to:
            return self.outcomes[0]
        if not others:
            return square
        return (square, *others) if roll in self.again else pass_turn((*others, square))
