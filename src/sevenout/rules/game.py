"""Games: something rolled, a first state, and one step.

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

A step returns the next state, or an `Outcome` such as `win()`. Either may be `counted`, which
advances counters. A state is any hashable value; states are never sorted. A game that can return to
its start must name the start, since None is taken for a missing `return`.

Games are values: equal rules are equal games. `Frozen` holds a parameter that is a mapping, so that
a game can be hashed.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from types import GeneratorType, NoneType
from typing import Any, TypeVar

from sevenout.docstrings import own_docstring
from sevenout.errors import RulesError, shown
from sevenout.rolling import Rollable
from sevenout.rules.outcome import Ask, Counted, Counts, Outcome, Passed, Pay, unwrap
from sevenout.wrong_arguments import public


class Game(ABC):
    """The rules of a game: its dice, first state, step and choices.

    >>> from sevenout.rolling import dice
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
        start: the first state; None by default, for a game that never returns to it.
        counters: the names of counters; needed only for those that may never advance.
        bets: the names of the bets; needed only in games that are combined or renamed and don't
            list their outcomes.
        is_table: whether the game counts the rolls of each bet itself.
        outcomes: the outcomes in the order of the rule book, for tables.
        coordinates: the names of the parts of a state: ("mine", "yours", "turn").
        side_of: the game at whose come-out alone its bets are made; None if it stands by itself.
        goal: the objective, such as `least("points")`, or its text; by default to maximise the mean
            of the only bet. A number is no objective; rules may use it as a score to reach.
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
        """The dice of a state; the game's by default.

        Raises:
            RulesError: the game has no dice.
        """
        # `dice` has a type and no value, so that a class may set it as a field or as a property.
        if not hasattr(self, "dice"):
            raise RulesError(
                f"{type(self).__name__} has no dice; add some, such as dice = parse_dice('2d6')"
            )
        return self.dice

    @abstractmethod
    def step(self, state: Any, roll: Any) -> Any:
        """The next state, or an `Outcome` at the end; either may be `counted`."""

    def check_size(self) -> None:  # noqa: B027  most rules know nothing beforehand
        """Refuse a game that the rules show to be too large.

        Raises:
            TooMuchWorkError: it would take more than the budget.
        """

    def check_counters(self, counters: Collection[str]) -> None:  # noqa: B027  most rules name none
        """Refuse rules that name a counter which exploring did not meet.

        Args:
            counters: the names of all that the game declares or advances; "rolls" is one of them.

        Raises:
            RulesError: the rules name another.
        """

    def choices(self, state: Any) -> Mapping[str, Any]:
        """The options in a state and what follows each; empty for no choice.

        What follows is a state or an `Outcome`; either may be `counted`, and the turn may pass
        (`pass_turn`). An option that leads to its own state means to roll. In another state the
        player chooses again if `choices` has options there; `choose_again` requires that.
        """
        return {}

    def chooser(self, state: Any) -> str | None:
        """The player who chooses in a state, named by their bet; None if there is one player."""
        return None

    def sees(self, state: Any, player: str) -> Hashable:
        """What a player sees of a state when choosing; all of it by default.

        Only a `HiddenGame` shows a player less.
        """
        view: Hashable = state
        return view

    def pays_of(self, bet: str) -> Sequence[Pay]:
        """The payments of a bet, in the order of the outcomes; empty if they are not listed.

        Raises:
            RulesError: no outcome pays such a bet.
        """
        return tuple(dict.fromkeys(outcome.pay(bet) for outcome in self.outcomes))


class HiddenGame(Game):
    """A game with hidden information: a player does not see all of the state.

    Optimal play is then a probability for each option (see `sevenout.solving`). If two players move
    at the same time, the second does not see the first move.

    >>> from sevenout.catalogue import games
    >>> isinstance(games["rock-paper-scissors"], HiddenGame)
    True
    """

    @abstractmethod
    def sees(self, state: Any, player: str) -> Hashable:
        """What a player sees of a state when choosing.

        States that look the same to a player share one choice. What they see must determine all
        that they saw and did before (perfect recall).
        """


class GameWrapper(Game):
    """A game that behaves as another one, `game`, except where it overrides something."""

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
    def goal(self) -> Any:  # no property: a game file sets another
        return self.game.goal

    def rolls(self, state: Any) -> "Rollable | Game":
        return self.game.rolls(state)

    def check_size(self) -> None:
        self.game.check_size()

    def check_counters(self, counters: Collection[str]) -> None:
        self.game.check_counters(counters)

    def pays_of(self, bet: str) -> Sequence[Pay]:
        return self.game.pays_of(bet)


def author_rules(kind: type) -> str:
    """The rules in the docstring of a game's class: all of it before any code or argument list.

    It is empty if the author wrote none: those of `Game` and of dataclasses don't count.

    >>> class Mine(Game):
    ...     def step(self, state, roll): ...
    >>> author_rules(Mine)
    ''
    """
    for ancestor in kind.__mro__:
        # A family explains the family, and the game's author may have had other things to say.
        if ancestor is Game or ancestor.__module__.startswith("sevenout.rules"):
            break
        if text := own_docstring(ancestor):
            return CODE.split(text, maxsplit=1)[0].strip()
    return ""


CODE = re.compile(r"^(?:>>> |(?:Args|Arguments|Attributes|Parameters|Raises|Examples?):?$)", re.M)
"""Where a docstring stops telling rules and begins to tell programmers."""


def overrides_choices(game: Game) -> bool:
    """Whether the rules have choices of their own; in some states they may offer none."""
    return type(game).choices is not Game.choices


def must_be_a_game(game: Any) -> None:
    """Refuse anything that is not a game.

    Raises:
        RulesError: it is not a game; a class must be called first.
    """
    if not isinstance(game, Game):
        right = f"{game.__name__}()" if isinstance(game, type) else "games['craps'], for example"
        raise RulesError(f"{shown(game)} is not a game; give {right}")


def take_step(game: Game, state: Any, roll: Any) -> tuple[Any, Counts]:
    """A step of a game in which no turn passes: the next state or the outcome, and the counts.

    >>> from sevenout.rules import counted, win
    >>> class Again(Game):
    ...     def step(self, state, roll):
    ...         return counted("again", sixes=1) if roll == 6 else win()
    >>> take_step(Again(), "again", 6)
    ('again', (('sixes', 1),))

    Raises:
        RulesError: the step returned None, or another invalid state.
    """
    successor, counts, passes = take_turn_step(game, state, roll)
    # Only a model of two players knows whose turn it is.
    if passes:
        raise RulesError(
            f"the step from {shown(state)} on {shown(roll)} passes the turn; explore a game of "
            "two players before playing it here"
        )
    return successor, counts


def take_turn_step(game: Game, state: Any, roll: Any) -> tuple[Any, Counts, bool]:
    """A step of any game: as `take_step`, and whether the turn passes.

    Raises:
        RulesError: the step returned None, or another invalid state.
    """
    successor, counts, passes = unwrap(game.step(state, roll))
    if not isinstance(successor, Outcome) and not_a_state(successor):
        raise RulesError(no_state_message(successor, state, roll))
    return successor, counts, passes


NO_STATES = (NoneType, GeneratorType, Passed, Ask)
"""What a step returns by mistake: no `return`, a `yield`, a wrapper around nothing."""
STATES = "a state is a number, a text, a tuple, ..."
"""The advice of an error about a state."""


def not_a_state(successor: Any) -> bool:
    """Whether a step returned None, a function, a class or a generator.

    In a game without choices, a passed turn or a question is not a state either.
    """
    return isinstance(successor, NO_STATES) or callable(successor)


def start_of(game: Game) -> Hashable:
    """The first state of a game.

    Raises:
        RulesError: it is an outcome, counted, a question, or an invalid state; or the game keeps a
            value under the name of a method.
    """
    for name in ("rolls", "step", "choices", "chooser", "sees"):
        if not callable(value := getattr(game, name)):
            raise RulesError(
                f"{type(game).__name__}.{name} is {shown(value)}, but `{name}` is a method of a "
                "game; give the value another name"
            )
    start = game.start
    # None may be a start, of a game that never returns to it; elsewhere it is a mistake.
    wrapped = isinstance(start, Outcome | Counted | Passed | Ask)
    if wrapped or (start is not None and not_a_state(start)):
        raise RulesError(f"the start is {shown(start)}, which is not a state; {STATES}")
    try:
        hash(start)
    except TypeError:
        raise RulesError(f"the start {shown(start)} is not hashable; {STATES}") from None
    return start


def no_state_message(successor: Any, state: Any, roll: Any) -> str:
    """The error message for a step that returned no state."""
    where = "the start" if state is None else shown(state)
    step = f"the step from {where} on {shown(roll)} returned {shown(successor)}"
    if successor is None:
        return (
            f"{step}; a `return` is missing? To go back to the start, give it a name, such as "
            "start = 'come-out', and return that"
        )
    fault = "is not a state" if not_a_state(successor) else "is not hashable"
    return f"{step}, which {fault}; {STATES}"


@public
def bets_of(game: Game) -> tuple[str, ...]:
    """The names of a game's bets, from `bets` or its outcomes.

    >>> from sevenout.catalogue import games
    >>> bets_of(games["place-6-8"])
    ('place',)

    Raises:
        RulesError: the game does not list them.
    """
    # A table of games names its bets; to list its outcomes would multiply those of the games.
    if game.bets is not None:
        return tuple(game.bets)
    if game.outcomes:
        return tuple(bet for bet, _ in game.outcomes[0].pays)
    raise RulesError(
        f"{type(game).__name__} has no list of bets; add one, such as bets = ('pass',)"
    )


# --- parameters of games --------------------------------------------------------------------------

K = TypeVar("K")
V = TypeVar("V")


def set_fields(instance: object, /, **values: Any) -> None:
    """Set fields of a frozen dataclass while it is being made.

    >>> frozen = Frozen({})
    >>> set_fields(frozen, _items={4: 2})
    >>> frozen[4]
    2
    """
    for name, value in values.items():
        object.__setattr__(instance, name, value)


class Frozen(Mapping[K, V]):
    """An immutable, hashable mapping.

    >>> pays = Frozen({4: 2, 10: 2})
    >>> pays == {10: 2, 4: 2}, hash(pays) == hash(Frozen({10: 2, 4: 2}))
    (True, True)

    Attributes:
        _items: the mapping, which nobody else holds.
    """

    __slots__ = ("_items",)
    _items: dict[K, V]

    def __init__(self, items: Mapping[K, V]) -> None:
        object.__setattr__(self, "_items", dict(items))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a frozen mapping has no {name} to set")

    def __getitem__(self, key: K) -> V:
        return self._items[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        # Equal mappings may have their items in another order.
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return repr(self._items)

    def __reduce__(self) -> tuple[Any, ...]:
        # A copy is built anew, since `__setattr__` refuses what pickle would do.
        return type(self), (self._items,)
