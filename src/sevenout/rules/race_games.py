"""Races to a score or to a square.

A `HoldGame` is hold or roll, such as Pig: each turn adds to the score, unless it busts. In a `Race`
the dice alone decide.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, shown
from sevenout.rolling import Dice, Roll, Rollable
from sevenout.rules.game import Frozen
from sevenout.rules.guarded_rules import GuardedGame, Rule, equals_one_of
from sevenout.rules.objective import least, most
from sevenout.rules.outcome import Outcome, settle, win

# --- to a score: hold or roll ---------------------------------------------------------------------

PLAYED = ("turn", "alone", "two")
"""One turn for points, alone for the fewest turns, or a race of two."""
BUST = "bust"
POINTS, TURNS = "points", "turns"
ONE_TURN, NEXT_PLAYER = ((TURNS, "1"),), (("mine", "yours"), ("turn", "0"))
"""What an ended turn counts, and how the player who comes sees the scores: their own as `mine`."""
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
class HoldGame(GuardedGame):
    """Hold or roll: a roll adds its total to the turn, a bust loses the turn.

    >>> from sevenout.rolling import parse_dice
    >>> pig = HoldGame(parse_dice("d6"), (1,), 100)
    >>> pig.choices((30, 40, 6))["hold"]
    Passed(state=(40, 36, 0))

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
    may_be_scalar = True

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
    def variables(self) -> Mapping[str, int]:  # type: ignore[override]
        """The scores, and the points of the turn."""
        names = {"turn": ["turn"], "alone": ["score", "turn"], "two": ["mine", "yours", "turn"]}
        return dict.fromkeys(names[self.play], 0)

    @property
    def roll_assignment(self) -> str:
        return f"bust, gain = roll == {BUST!r}, roll"

    @cached_property
    def rules(self) -> tuple[Rule, ...]:  # type: ignore[override]
        """A bust, the target, or more points for the turn."""
        scored = {"turn": "turn", "alone": "score + turn", "two": "mine + turn"}[self.play]
        home, more = f"{scored} + gain >= {self.target}", Rule(sets=(("turn", "turn + gain"),))
        match self.play:
            case "turn":
                points = ((POINTS, "turn + gain"),)
                ends = Rule("bust", settle(BUST)), Rule(home, settle("home"), counts=points)
            case "alone":
                lost = Rule("bust", sets=(("turn", "0"),), counts=ONE_TURN)
                ends = lost, Rule(home, settle("home"), counts=ONE_TURN)
            case _:
                lost = Rule("bust", sets=(*NEXT_PLAYER, ("yours", "mine")), pass_turn=True)
                ends = lost, Rule(home, win("home"))
        return (*ends, more)

    @cached_property
    def options(self) -> tuple[Rule, ...]:  # type: ignore[override]
        """To roll or to hold; a turn begins with a roll, so there must be something to hold."""
        hold = Rule("turn > 0", option="hold")
        match self.play:
            case "turn":
                hold = replace(hold, end=settle("hold"), counts=((POINTS, "turn"),))
            case "alone":
                hold = replace(
                    hold, sets=(("score", "score + turn"), ("turn", "0")), counts=ONE_TURN
                )
            case _:
                hold = replace(hold, sets=(*NEXT_PLAYER, ("yours", "mine + turn")), pass_turn=True)
        return Rule("turn > 0", option="roll"), hold

    @cached_property
    def choices(self) -> Callable[[Any], Any]:
        """Roll again or hold."""
        return self.menu_function()

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

    def check_size(self) -> None:
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


# --- to a square ----------------------------------------------------------------------------------

NO_JUMPS: Mapping[int, int] = Frozen({})


@dataclass(frozen=True)
class Race(GuardedGame):
    """A race over a board, for one or two players, from before square 1.

    >>> from sevenout.rolling import parse_dice
    >>> Race(parse_dice("d6"), 100, Frozen({1: 38})).step((0, 7), 1)
    Passed(state=(7, 38))

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
    may_be_scalar = True

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
    def variables(self) -> Mapping[str, int]:  # type: ignore[override]
        """The squares of the players."""
        return {"square": 0} if self.players == 1 else {"mine": 0, "yours": 0}

    @property
    def roll_assignment(self) -> str:
        return "move = roll"

    @cached_property
    def rules(self) -> tuple[Rule, ...]:  # type: ignore[override]
        """Each jump, then the last square, then a move."""
        square = "square" if self.players == 1 else "mine"
        home, rules = self.outcomes[0], list[Rule]()
        for foot, end in self.jumps.items():
            landed = f"{square} + move == {foot}"
            # A ladder to the last square wins there.
            rules += [Rule(landed, home)] if end == self.to else self._move_rules(landed, str(end))
        if self.exact:
            rules.append(Rule(f"{square} + move == {self.to}", home))
            # By exact count a roll too high is lost.
            rules += self._move_rules(f"{square} + move > {self.to}", square)
        else:
            rules.append(Rule(f"{square} + move >= {self.to}", home))
        return (*rules, *self._move_rules(f"{square} + move < {self.to}", f"{square} + move"))

    def _move_rules(self, condition: str, square: str) -> list[Rule]:
        """Rules that put the player on a square; a total that rolls again keeps the turn."""
        if self.players == 1:
            return [Rule(condition, sets=(("square", square),))]
        rules = [Rule(condition, sets=(("mine", "yours"), ("yours", square)), pass_turn=True)]
        if self.again:
            again = f"{condition} and move {equals_one_of(sorted(self.again))}"
            rules.insert(0, Rule(again, sets=(("mine", square),)))
        return rules

    @property
    def bets(self) -> Collection[str]:  # type: ignore[override]
        return () if self.players == 1 else ("pass",)

    @cached_property
    def outcomes(self) -> Sequence[Outcome]:  # type: ignore[override]
        """One player reaches the last square."""
        return (settle("home") if self.players == 1 else win("home"),)

    def check_size(self) -> None:
        """Refuse a board with too many states."""
        # The estimate is printed, so it stays a finite number.
        states = float(min(self.to, 10**6)) ** self.players
        afford(
            f"a race of {states:.3g} states",
            seconds=4e-6 * states * len(self.dice.law),
            memory=150.0 * states,
            instead="race to a nearer square",
        )
