"""What a game is: something rolled, a start, and one step.

    class Craps(Game):
        dice = parse_dice("2d6")

        def step(self, point, roll):
            match point, roll.total:
                case None, 7 | 11: return win("natural")
                case None, 2 | 3 | 12: return lose("craps")
                case None, total: return total                  # the point is on
                case _, 7: return lose("seven out")
                case _, total if total == point: return win("point")
                case _: return point

A step returns the next state, or an `Outcome`, or either of them `counted`. A state is any
hashable value; nothing ever sorts states. A game that comes back to its start gives the start a
name, since a step that returns None is taken for one that lacks a `return`.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Mapping, Sequence
from functools import cached_property
from inspect import cleandoc
from types import GeneratorType, NoneType
from typing import Any

from sevenout.dice import Rollable
from sevenout.errors import RulesError, shown
from sevenout.rules.outcome import Ask, Counted, Counts, Outcome, Passed, Pay, followed


class Game(ABC):
    """What is rolled, a start, one step, and what the player may choose.

    >>> from sevenout.dice import dice
    >>> from sevenout.rules import lose, win
    >>> class High(Game):
    ...     dice = dice("1d6")
    ...
    ...     def step(self, state, roll):
    ...         return win() if roll.total > 4 else lose()
    >>> High().step(None, High().dice.roll([6])).label
    'win'

    Attributes:
        dice: what is rolled: dice, a reading of them, a distribution, a deck, or another game.
        start: the first state; None if not said, in a game that never comes back to it.
        counters: the names of counters that may be asked for even where none of them advances.
        bets: the names of the bets; None if not said. Only games that are put together or renamed
            need say, and those that list their outcomes have said so.
        is_table: whether the bets are settled on rolls of their own, and the game counts them.
        outcomes: the outcomes in the order of the rule book, where the order of a table matters.
        coordinates: the names of the parts of a state, for print: ("mine", "yours", "turn").
        side_of: the game beside which its bets are made, at the come-out of that game alone; None
            if it stands by itself.
        goal: what it is played for: `least("points")`, or the same as a text; the most of its only
            bet if not said. A number is the rules' own business, such as a score to be reached.
    """

    dice: "Rollable | Game"
    start: Hashable = None
    bets: Collection[str] | None = None
    counters: Collection[str] = ()
    is_table: bool = False
    outcomes: Sequence[Outcome] = ()
    coordinates: Sequence[str] = ()
    goal: Any = None
    side_of: "Game | None" = None

    def rolls(self, state: Any) -> "Rollable | Game":
        """What is rolled in a state; the game's dice, unless the rules change them.

        Raises:
            RulesError: the game has no dice.
        """
        if not hasattr(self, "dice"):
            raise RulesError(
                f"{type(self).__name__} has no dice; add some, such as dice = parse_dice('2d6')"
            )
        return self.dice

    @abstractmethod
    def step(self, state: Any, roll: Any) -> Any:
        """The next state, an `Outcome`, or either of them `counted`."""

    def afford(self) -> None:  # noqa: B027  most rules know nothing beforehand
        """Refuse what the rules know, before it is explored, to be too large.

        Raises:
            TooMuchWorkError: it would take more than the budget.
        """

    def choices(self, state: Any) -> Mapping[str, Any]:
        """What the player may do in a state, before the roll: each option, and what follows it.

        What follows is a state, where the dice are rolled; an `Outcome`; an `ask` of a
        further question; any of them `counted` or `passed`. No choices, no question.
        """
        return {}

    def chooser(self, state: Any) -> str | None:
        """The player who chooses in a state, named by their bet; None in a game of one."""
        return None

    def sees(self, state: Any, player: str) -> Hashable:
        """What a player knows of a state in which it is their choice: all of it, unless said.

        Two states in which they see the same are one to them. What they saw and did before must
        follow from what they see now. A player who moves at the same time as another moves second,
        and does not see the first move.
        """
        everything: Hashable = state
        return everything

    def pays_of(self, bet: str) -> Sequence[Pay]:
        """How a bet can be paid, in the order of the rule book; nothing if the rules don't list it.

        Raises:
            RulesError: the outcomes do not pay such a bet.
        """
        return tuple(dict.fromkeys(outcome.pay(bet) for outcome in self.outcomes))


class Around(Game):
    """Another game in some other form: what it does not say itself, it says as that game.

    Attributes:
        game: the other game.
    """

    game: Game

    @property
    def start(self) -> Hashable:  # type: ignore[override]
        return self.game.start

    @property
    def bets(self) -> Collection[str] | None:  # type: ignore[override]
        return self.game.bets

    @property
    def counters(self) -> Collection[str]:  # type: ignore[override]
        return self.game.counters

    @property
    def is_table(self) -> bool:  # type: ignore[override]
        return self.game.is_table

    @property
    def side_of(self) -> Game | None:  # type: ignore[override]
        return self.game.side_of

    @property
    def outcomes(self) -> Sequence[Outcome]:  # type: ignore[override]
        return self.game.outcomes

    @cached_property
    def goal(self) -> Any:  # no property: a game file gives it another
        return self.game.goal

    def rolls(self, state: Any) -> "Rollable | Game":
        return self.game.rolls(state)

    def afford(self) -> None:
        self.game.afford()

    def pays_of(self, bet: str) -> Sequence[Pay]:
        return self.game.pays_of(bet)


def own_words(kind: type) -> str:
    """The rules in the words of a game's author: the docstring of its class, if it wrote one.

    What `Game` says of itself, or a dataclass writes in its place, says nothing of the game.

    >>> class Mine(Game):
    ...     def step(self, state, roll): ...
    >>> own_words(Mine)
    ''
    """
    for each in kind.__mro__:
        text = vars(each).get("__doc__")
        if each is Game or each.__module__.startswith("sevenout.rules"):
            break
        if text and not text.startswith(f"{each.__name__}("):
            return cleandoc(text)
    return ""


def must_be_a_game(game: Any) -> None:
    """Refuse what is no game.

    Raises:
        RulesError: it is none; a class is one when it is called.
    """
    if not isinstance(game, Game):
        right = f"{game.__name__}()" if isinstance(game, type) else "catalogue['craps'], say"
        raise RulesError(f"{shown(game)} is not a game; give {right}")


def reach(game: Game, state: Any, roll: Any) -> tuple[Any, Counts]:
    """One step of a game: the next state or the settled outcome, and the counters that advanced.

    >>> from sevenout.rules import counted, win
    >>> class Again(Game):
    ...     def step(self, state, roll):
    ...         return counted("again", sixes=1) if roll == 6 else win()
    >>> reach(Again(), "again", 6)
    ('again', (('sixes', 1),))

    Raises:
        RulesError: the step returned None, or something else that can't be a state.
    """
    then, counts, passes = follow(game, state, roll)
    if passes:
        raise RulesError(
            f"the step from {shown(state)} on {shown(roll)} passes the turn; explore a game of "
            "two players before playing it here"
        )
    return then, counts


def follow(game: Game, state: Any, roll: Any) -> tuple[Any, Counts, bool]:
    """One step of a game, as `reach`, where the turn may pass; and whether it does.

    Raises:
        RulesError: the step returned None, or something else that can't be a state.
    """
    then, counts, passes = followed(game.step(state, roll))
    if not isinstance(then, Outcome) and not_a_state(then):
        raise RulesError(no_state(then, state, roll))
    return then, counts, passes


NO_STATES = (NoneType, GeneratorType, Passed, Ask)
STATES = "a state is a number, a text, a tuple, ..."


def not_a_state(then: Any) -> bool:
    """Whether it is None, a function, a class or a generator: what a mistaken step returns.

    Nor is it a state where the turn passes, or a question, in a game that asks no one anything.
    """
    return isinstance(then, NO_STATES) or callable(then)


def start_of(game: Game) -> Hashable:
    """The first state of a game.

    Raises:
        RulesError: it is settled, counted, a question, or can't be a state.
    """
    start = game.start
    wrapped = isinstance(start, Outcome | Counted | Passed | Ask)
    if wrapped or (start is not None and not_a_state(start)):
        raise RulesError(f"the start is {shown(start)}, which is not a state; {STATES}")
    try:
        hash(start)
    except TypeError:
        raise RulesError(f"the start {shown(start)} is not hashable; {STATES}") from None
    return start


def no_state(then: Any, state: Any, roll: Any) -> str:
    """What is wrong with a step that returned no state, in words."""
    where = "the start" if state is None else shown(state)
    step = f"the step from {where} on {shown(roll)} returned {shown(then)}"
    if then is None:
        return (
            f"{step}; a `return` is missing? To go back to the start, give it a name, such as "
            "start = 'come-out', and return that"
        )
    return f"{step}, which {'is not a state' if not_a_state(then) else 'is not hashable'}; {STATES}"


def bets_of(game: Game) -> tuple[str, ...]:
    """The names of a game's bets, as it says or as its outcomes do.

    >>> from sevenout.games import catalogue
    >>> bets_of(catalogue["place-6-8"])
    ('place',)

    Raises:
        RulesError: the game does not say.
    """
    if game.bets is not None:
        return tuple(game.bets)
    if game.outcomes:
        return tuple(bet for bet, _ in game.outcomes[0].pays)
    raise RulesError(
        f"{type(game).__name__} has no list of bets; add one, such as bets = ('pass',)"
    )
