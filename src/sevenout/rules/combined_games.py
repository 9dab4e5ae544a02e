"""Games built from games.

`Streak` rolls whole rounds of a game, as in a caster's turn; `FlatGame` plays a game of games out
on the dice, as engines need it. `JointGame` plays several games on the same rolls, and
`RenamedGame` gives their bets other names. `Mixture` lets the dice draw the game, as hazard's main
does.
`CounterOutcomes` ends a game in the final value of a counter.
"""

from abc import abstractmethod
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError, shown
from sevenout.rolling import Reading, Rollable
from sevenout.rules.game import Game, GameWrapper, bets_of, set_fields, take_step, take_turn_step
from sevenout.rules.outcome import (
    Counted,
    Counts,
    Outcome,
    Passed,
    Pay,
    added,
    counted,
    rolls_of,
    settle,
)

# --- games of games -------------------------------------------------------------------------------


def check_losses(losses: int) -> None:
    """Refuse anything but a number of lost rounds that can end a turn."""
    if type(losses) is not int or losses < 1:
        raise RulesError(f"losses={shown(losses)}; a turn ends after 1 or more lost rounds")


@dataclass(frozen=True)
class Streak(Game):
    """Rounds of a game until a losing streak, as in a caster's turn.

    The counters `rounds` and `won` advance with each round. A state is the number of losses in a
    row so far.

    Attributes:
        dice: the round: a game, or its distribution.
        losses: the number of losses in a row that ends the turn.
        bet: the bet that tells who won a round; a push counts as neither.
        start: the state of no lost round.
    """

    dice: Rollable | Game
    losses: int = 2
    bet: str = "pass"
    start: Hashable = 0
    counters = ("rounds", "won")
    bets = ()

    def __post_init__(self) -> None:
        check_losses(self.losses)

    def step(self, lost: int, roll: Outcome) -> Any:
        if not isinstance(roll, Outcome):
            raise RulesError(
                f"{shown(roll)} is not a round; give a game, or the distribution of its outcomes"
            )
        profit = roll.profit(self.bet)
        if profit > 0:
            return counted(0, rounds=1, won=1)
        # A push neither ends a losing streak nor adds to it.
        if profit == 0:
            return counted(lost, rounds=1)
        return counted(lost + 1 if lost + 1 < self.losses else settle("turn over"), rounds=1)


@dataclass(frozen=True)
class FlatGame(GameWrapper):
    """A game of games, played out on the dice, as engines need it.

    >>> from sevenout.catalogue import games
    >>> FlatGame(games["hazard-turn"]).start
    (0, ('come-out',))

    A state of the outer game that rolls an inner game becomes one state for each inner state. The
    outcome of the inner game is the outer game's roll. The counters of both advance.
    """

    game: Game

    @cached_property
    def _flat_by_id(self) -> dict[int, "FlatGame"]:
        return {}  # by the game's identity; the cache keeps each game alive

    @cached_property
    def start(self) -> Hashable:  # type: ignore[override]
        """The first state of the game and of what it rolls."""
        return self.enter(self.game.start)

    def _inner_game(self, state: Any) -> "FlatGame | None":
        """The game that a state of the outer game rolls, played out on the dice; None for dice."""
        rolled = self.game.rolls(state)
        flat = self._flat_by_id.get(id(rolled))
        # An id may come again for another game once the first is gone.
        if (flat is None or flat.game is not rolled) and isinstance(rolled, Game):
            flat = self._flat_by_id[id(rolled)] = FlatGame(rolled)
        return flat

    def enter(self, state: Any) -> Hashable:
        """The combined state as a state of the outer game begins."""
        inner_game = self._inner_game(state)
        return (state,) if inner_game is None else (state, inner_game.start)

    def rolls(self, state: tuple[Any, ...]) -> Rollable:
        """The dice of the innermost game."""
        # (outer,) rolls dice of its own; (outer, inner) is inside the game that it rolls.
        if len(state) == 2:
            inner_game = self._inner_game(state[0])
            assert inner_game is not None
            return inner_game.rolls(state[1])
        rolled = self.game.rolls(state[0])
        assert not isinstance(rolled, Game)
        return rolled

    def step(self, state: tuple[Any, ...], roll: Any) -> Any:
        """One roll of those dice."""
        outer, outcome = state[0], roll
        counts: Counts = ()
        if len(state) == 2:
            inner_game = self._inner_game(outer)
            assert inner_game is not None
            outcome, counts = take_step(inner_game, state[1], roll)
            if not isinstance(outcome, Outcome):
                return Counted((outer, outcome), counts) if counts else (outer, outcome)
        successor, more, passes = take_turn_step(self.game, outer, outcome)
        if more:
            counts = added(counts, more)
        if not isinstance(successor, Outcome):
            successor = self.enter(successor)
        successor = Counted(successor, counts) if counts else successor
        return Passed(successor) if passes else successor


def flattened(game: Game) -> Game:
    """A game of rounds as a game of rolls; any other game as it is.

    >>> from sevenout.catalogue import games
    >>> type(flattened(games["hazard-turn"])).__name__, flattened(games["craps"]) == games["craps"]
    ('FlatGame', True)
    """
    return FlatGame(game) if isinstance(getattr(game, "dice", None), Game) else game


# --- games on the same rolls ----------------------------------------------------------------------


@dataclass(frozen=True, init=False)
class JointGame(Game):
    """Games played on the same rolls, each until it is settled.

    >>> from sevenout.catalogue import games
    >>> tuple(JointGame(games["craps"], games["place-6-8"]).bets)
    ('pass', 'place')

    Each game may read the roll in its own way, from the same dice. The outcome's label joins the
    games' labels, and each bet keeps its event. This gives the joint distribution of bets that are
    settled once; for bets that come and go, put each game on a felt with `Common`.

    Args:
        games: the games; no two have a bet of the same name.

    Raises:
        RulesError: fewer than two games, a game that does not list its bets, a repeated bet, or
            different dice.
    """

    games: tuple[Game, ...]
    is_table = True

    def __init__(self, *games: Game) -> None:
        if len(games) < 2:
            raise RulesError(f"{len(games)} games to play together; give two or more")
        seen: set[str] = set()
        for bet in (bet for game in games for bet in bets_of(game)):
            if bet in seen:
                raise RulesError(f"two of the games have a bet named {shown(bet)}; rename one")
            seen.add(bet)
        set_fields(self, games=games)

    @property
    def start(self) -> Hashable:  # type: ignore[override]
        return tuple(game.start for game in self.games)

    def check_size(self) -> None:
        """Refuse games that are too large, or too many bets."""
        bets = len(self.bets)
        # An outcome finds a bet by searching its list, hence the square.
        afford(f"a table of {bets:,} bets", seconds=0.01 * bets + 1e-6 * bets**2)
        for game in self.games:
            game.check_size()

    def check_counters(self, counters: Collection[str]) -> None:
        for game in self.games:
            game.check_counters(counters)

    @cached_property
    def _game_of(self) -> dict[str, Game]:
        return {bet: game for game in self.games for bet in bets_of(game)}

    @property
    def bets(self) -> Collection[str]:  # type: ignore[override]
        return self._game_of.keys()

    def game_of(self, bet: str) -> Game:
        """The game that settles a bet.

        Raises:
            RulesError: there is none.
        """
        if bet not in self._game_of:
            raise RulesError(f"no bet {shown(bet)}; the bets are: {', '.join(self.bets)}")
        return self._game_of[bet]

    def pays_of(self, bet: str) -> Sequence[Pay]:
        return self.game_of(bet).pays_of(bet)

    def rolls(self, state: tuple[Any, ...]) -> Rollable:
        """The dice, with the readings of unsettled games."""
        return joined_reading(
            None if isinstance(game_state, Outcome) else game.rolls(game_state)
            for game, game_state in zip(self.games, state, strict=True)
        )

    @cached_property
    def _roll_counts(self) -> list[Counts]:
        """What each unsettled game counts per roll: one for each of its bets."""
        return [
            () if game.is_table else tuple((rolls_of(bet), 1) for bet in bets_of(game))
            for game in self.games
        ]

    @cached_property
    def _roll_counters(self) -> frozenset[str]:
        """The counters of the bets' rolls, which belong to the table."""
        return frozenset(map(rolls_of, self.bets))

    def step(self, state: tuple[Any, ...], roll: tuple[Any, ...]) -> Any:
        """One roll for each game in progress; a settled game keeps its outcome."""
        after = list(state)
        counts: list[tuple[str, Any]] = []
        for i, game in enumerate(self.games):
            if isinstance(state[i], Outcome):
                continue
            after[i], game_counts = take_step(game, state[i], roll[i])
            if not game.is_table:
                self._check_counts(game_counts)
            counts += (*game_counts, *self._roll_counts[i])
            if isinstance(after[i], Outcome):
                self._check_bets(game, after[i])
        all_settled = all(isinstance(game_state, Outcome) for game_state in after)
        successor = _join(after) if all_settled else tuple(after)
        return Counted(successor, added((), tuple(counts)))

    def _check_counts(self, counts: Counts) -> None:
        """Refuse a game's counter that has the name of one of the table's."""
        for name, _ in counts:
            if name in self._roll_counters:
                raise RulesError(
                    f"the counter {shown(name)} belongs to the table; give this one another name"
                )

    def _check_bets(self, game: Game, settled: Outcome) -> None:
        """Refuse an outcome that pays a bet which the game does not list."""
        for bet, _ in settled.pays:
            if self._game_of.get(bet) is not game:
                raise RulesError(
                    f"{type(game).__name__} has the bets {', '.join(bets_of(game)) or 'none'}, "
                    f"and yet it settles {shown(bet)}; add it to its bets"
                )


def bare_dice(rolled: Any) -> Any:
    """The dice without readings."""
    return bare_dice(rolled.source) if isinstance(rolled, Reading) else rolled


@dataclass(frozen=True)
class JoinedReading:
    """The result of each reading of a roll; None for a settled game.

    Attributes:
        readings: the dice as each game reads them; None for a settled game.
    """

    readings: tuple[Any, ...]

    def __call__(self, roll: Any) -> tuple[Any, ...]:
        return tuple(None if r is None else read_roll(r, roll) for r in self.readings)


def joined_reading(readings: "Iterable[Rollable | Game | None]") -> Rollable:
    """The dice of several games, as each of them reads a roll; None for a settled game.

    Raises:
        RulesError: they are different dice, or rounds of a game.
    """
    listed = tuple(readings)
    rolled = {bare_dice(reading) for reading in listed if reading is not None}
    if any(isinstance(dice, Game) for dice in rolled):
        raise RulesError(
            "a game of games can't be played together with others; give FlatGame(game)"
        )
    if len(rolled) > 1:
        raise RulesError("games played together must roll the same dice")
    return Reading(rolled.pop(), JoinedReading(listed))


def read_roll(rolled: Any, roll: Any) -> Any:
    """What a reading makes of a roll of the bare dice."""
    return rolled.function(read_roll(rolled.source, roll)) if isinstance(rolled, Reading) else roll


def _join(outcomes: Sequence[Outcome]) -> Outcome:
    """One outcome with the labels and the pays of all."""
    label = " · ".join(outcome.label for outcome in outcomes)
    return Outcome(label, tuple(pay for outcome in outcomes for pay in outcome.pays))


class OutcomeWrapper(GameWrapper):
    """A wrapper that changes the outcomes of its game, and nothing else."""

    @abstractmethod
    def changed_outcome(self, settled: Outcome) -> Outcome:
        """What becomes of an outcome."""

    def changed_counts(self, counts: Counts) -> Counts:
        """What becomes of the counts of a step; they stay by default."""
        return counts

    @property
    def outcomes(self) -> Sequence[Outcome]:  # type: ignore[override]
        return tuple(map(self.changed_outcome, self.game.outcomes))

    def step(self, state: Any, roll: Any) -> Any:
        return self._with_changed_outcome(self.game.step(state, roll))

    def _with_changed_outcome(self, result: Any) -> Any:
        # Wrappers nest in any order.
        if isinstance(result, Counted):
            state = self._with_changed_outcome(result.state)
            return Counted(state, self.changed_counts(result.counts))
        if isinstance(result, Passed):
            return Passed(self._with_changed_outcome(result.state))
        return self.changed_outcome(result) if isinstance(result, Outcome) else result


@dataclass(frozen=True, init=False)
class RenamedGame(OutcomeWrapper):
    """A game with new names for its bets.

    >>> from sevenout.catalogue import games
    >>> RenamedGame(games["craps"], {"pass": "the shooter's"}).bets
    ("the shooter's",)

    Args:
        names: new name by old name.

    Raises:
        RulesError: no bet of an old name, or one new name for two bets.
    """

    game: Game
    names: tuple[tuple[str, str], ...]

    def __init__(self, game: Game, names: Mapping[str, str]) -> None:
        bets = bets_of(game)
        for bet, name in names.items():
            if bet not in bets:
                raise RulesError(f"no bet {shown(bet)} to rename; the game has: {', '.join(bets)}")
            if not isinstance(name, str):
                raise RulesError(f"{shown(bet)} is named {shown(name)}; name it with a text")
        if len({names.get(bet, bet) for bet in bets}) < len(bets):
            raise RulesError("two bets of one game with the same new name; choose another")
        set_fields(self, game=game, names=tuple(names.items()))

    @property
    def bets(self) -> tuple[str, ...]:  # type: ignore[override]
        """The bets, by their new names."""
        names = dict(self.names)
        return tuple(names.get(bet, bet) for bet in bets_of(self.game))

    def pays_of(self, bet: str) -> Sequence[Pay]:
        """The payments of a bet, by its new name."""
        old = {new: old for old, new in self.names}
        return self.game.pays_of(old.get(bet, bet))

    def changed_outcome(self, settled: Outcome) -> Outcome:
        """The outcome, with new names for the bets."""
        names = dict(self.names)
        return Outcome(settled.label, tuple((names.get(b, b), p) for b, p in settled.pays))

    def changed_counts(self, counts: Counts) -> Counts:
        """The counts; the counter of a bet's rolls has the bet's name in it."""
        own = {rolls_of(old): rolls_of(new) for old, new in self.names}
        return tuple((own.get(name, name), n) for name, n in counts)


# --- games that the dice choose -------------------------------------------------------------------


@dataclass(frozen=True, init=False)
class Mixture(Game):
    """A roll draws the game; a roll that draws none is rolled again.

    >>> from sevenout.rolling import d6
    >>> from sevenout.rules import Wager
    >>> easy, hard = Wager(d6, {(5, 6): 1, (1, 2): -1}), Wager(d6, {6: 1, 1: -1})
    >>> Mixture(d6, {1: easy, 2: hard}).step("draw", 2)
    2

    Args:
        games: the games by roll, all with the same bets.
        dice: the roll that draws.

    Raises:
        RulesError: no game, one that no roll draws, games with different bets, or a mix of tables
            and other games.
    """

    dice: Rollable
    games: tuple[tuple[Hashable, Game], ...]
    start = "draw"

    def __init__(self, dice: Rollable, games: Mapping[Any, Game]) -> None:
        if not games:
            raise RulesError("no game to draw from; give one or more")
        if self.start in games:
            raise RulesError(
                f"{shown(self.start)} names the state before the draw; rename the roll"
            )
        for roll in games:
            if roll not in dice.law:
                raise RulesError(f"{shown(roll)} can't be rolled, so its game is never drawn")
        first, *others = map(bets_of, games.values())
        for other in others:
            if set(other) != set(first):
                raise RulesError(
                    f"the games to draw must have the same bets; one has {', '.join(first)}, "
                    f"another {', '.join(other)}"
                )
        # Tables count the rolls of their bets, other games leave that to the engine.
        if len({game.is_table for game in games.values()}) > 1:
            raise RulesError(
                "some of the games to draw are tables of games and some are not; give one kind"
            )
        set_fields(self, dice=dice, games=tuple(games.items()))

    @property
    def bets(self) -> tuple[str, ...]:  # type: ignore[override]
        return bets_of(self.games[0][1])

    @property
    def is_table(self) -> bool:  # type: ignore[override]
        return self.games[0][1].is_table

    def pays_of(self, bet: str) -> tuple[Pay, ...]:
        return tuple(dict.fromkeys(pay for _, game in self.games for pay in game.pays_of(bet)))

    @cached_property
    def _games(self) -> dict[Hashable, Game]:
        return dict(self.games)

    def rolls(self, state: Hashable) -> "Rollable | Game":
        """The dice that draw, then those of the drawn game."""
        return self.dice if state == self.start else self._games[state]

    def step(self, state: Hashable, roll: Any) -> Any:
        """The draw, then a step of the drawn game."""
        if state != self.start:
            return roll
        # A main of hazard is thrown for again until it is one from 5 to 9.
        successor = roll if roll in self._games else self.start
        # A table counts the rolls of each bet, and the draw is a roll of them all.
        if self.is_table:
            return Counted(successor, tuple((rolls_of(bet), 1) for bet in self.bets))
        return successor


# --- final values of a counter --------------------------------------------------------------------


@dataclass(frozen=True)
class CounterOutcomes(GameWrapper):
    """A game with a counter's final values as outcomes, for histograms.

    >>> from sevenout.rolling import Law
    >>> from sevenout.rules import Streak, lose, win
    >>> turn = Streak(Law({win(): 1, lose(): 1}))
    >>> CounterOutcomes(turn, "won", max_value=2).step(((0,), 1), win()).state
    ((0,), 2)

    Args:
        game: the game; a game of games is played out on the dice.
        counter: the name of one of its counters, or "rolls".
        max_value: this value and larger ones share one outcome, such as "2 or more won".

    Raises:
        RulesError: `max_value` is below 1; when explored: no such counter, or one that has reached
            `max_value` and falls again.
    """

    game: Game
    counter: str
    max_value: int
    outcomes = ()

    def __post_init__(self) -> None:
        if type(self.max_value) is not int or self.max_value < 1:
            raise RulesError(f"max_value={shown(self.max_value)}; give 1 or more")

    @cached_property
    def _flat(self) -> Game:
        """The game on its dice."""
        # A game of games counts in every game that it rolls.
        return self.game if isinstance(self.game, FlatGame) else FlatGame(self.game)

    @cached_property
    def start(self) -> Hashable:  # type: ignore[override]
        """The game's start, and a count of 0."""
        return self._flat.start, 0

    def rolls(self, state: tuple[Any, int]) -> "Rollable | Game":
        return self._flat.rolls(state[0])

    def step(self, state: tuple[Any, Any], roll: Any) -> Any:
        """The game's step, and the count so far."""
        game_state, value = state
        successor, counts = take_step(self._flat, game_state, roll)
        increase = (dict(counts) | {"rolls": 1}).get(self.counter, 0)
        # What the counter held beyond `max_value` is not known, so nothing can be taken from it.
        if increase < 0 and value == self.max_value:
            raise RulesError(
                f"the counter {shown(self.counter)} falls after it has reached "
                f"max_value={self.max_value}; give a larger max_value"
            )
        # Larger counts share one outcome, which keeps the states of a rising counter finite.
        value = min(self.max_value, value + increase)
        if isinstance(successor, Outcome):
            number = f"{value} or more" if value == self.max_value else str(value)
            return Counted(replace(successor, label=f"{number} {self.counter}"), counts)
        return Counted((successor, value), counts)

    def check_counters(self, counters: Collection[str]) -> None:
        """Refuse an unknown counter: all of its values would be 0."""
        if self.counter not in counters:
            raise RulesError(
                f"the game has no counter {shown(self.counter)}; it has: {', '.join(counters)}"
            )
