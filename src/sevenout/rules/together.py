"""Games played on the same rolls: the bets of one table, and other names for them."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

from sevenout.dice import Reading, Rollable
from sevenout.errors import RulesError, TooManyStatesError
from sevenout.rules.game import OWN_ROLLS, Counted, Game, Settled, reach
from sevenout.rules.nested import Flat

MANY = 1_000_000


@dataclass(frozen=True, init=False)
class Together(Game):
    """Games played on the same rolls, each until it is settled: the bets of one table.

    Each game may read the roll in its own way; what they read must be the same dice. The outcome's
    label joins the labels; each bet keeps the event of its own game.

    Args:
        games: the games, no two with a bet of the same name.

    Raises:
        RulesError: fewer than two games, two bets of one name, or different dice.
    """

    games: tuple[Game, ...]

    def __init__(self, *games: Game) -> None:
        if len(games) < 2:
            raise RulesError(f"{len(games)} games together; give two or more")
        bets = [bet for game in games for bet in bets_of(game)]
        for bet in bets:
            if bets.count(bet) > 1:
                raise RulesError(f"two of the games have a bet named {bet!r}; rename one (Renamed)")
        object.__setattr__(self, "games", games)

    @property
    def start(self) -> Hashable:  # type: ignore[override]
        """The start of every game."""
        return tuple(game.start for game in self.games)

    @property
    def stakes(self) -> Mapping[str, Fraction]:  # type: ignore[override]
        """The stakes of every game."""
        return {bet: stake for game in self.games for bet, stake in game.stakes.items()}

    @property
    def outcomes(self) -> Sequence[Settled]:  # type: ignore[override]
        """The outcomes of the games in every combination, in order."""
        return [_join(settled) for settled in product(*(game.outcomes for game in self.games))]

    def rolls(self, state: tuple[Any, ...]) -> Rollable:
        """The dice, read as all the games that are still on read them."""
        readings = self._readings(state)
        rolled = {_bottom(reading) for reading in readings if reading is not None}
        if any(isinstance(one, Game) for one in rolled):
            raise RulesError("a game of games is played together with others as Flat(game)")
        if len(rolled) > 1:
            raise RulesError("games played together must roll the same dice")
        return Reading(rolled.pop(), _Seen(tuple(readings)))

    @cached_property
    def _rolls_of(self) -> list[dict[str, int]]:
        """What a roll counts for each game that is still on; tables of bets count their own."""
        return [
            {} if _is_table(game) else {_rolls_of(bet): 1 for bet in bets_of(game)}
            for game in self.games
        ]

    def _readings(self, state: tuple[Any, ...]) -> list["Rollable | Game | None"]:
        return [
            None if isinstance(s, Settled) else game.rolls(s)
            for game, s in zip(self.games, state, strict=True)
        ]

    def step(self, state: tuple[Any, ...], roll: tuple[Any, ...]) -> Any:
        """One roll, as each game that is still on sees it."""
        after: list[Any] = []
        counts: dict[str, int] = {}
        for game, s, seen, own in zip(self.games, state, roll, self._rolls_of, strict=True):
            then = s
            if not isinstance(s, Settled):
                then, inner = reach(game, s, seen)
                counts |= {name: counts.get(name, 0) + n for name, n in inner} | own
            after.append(then)
        if not all(isinstance(s, Settled) for s in after):
            return Counted(tuple(after), tuple(sorted(counts.items())))
        return Counted(_join(after), tuple(sorted(counts.items())))


def _bottom(rolled: Any) -> Any:
    """The dice under the readings."""
    return _bottom(rolled.source) if isinstance(rolled, Reading) else rolled


@dataclass(frozen=True)
class _Seen:
    """What each of several readings shows of one roll; None for a game that is settled."""

    readings: tuple[Any, ...]

    def __call__(self, roll: Any) -> tuple[Any, ...]:
        return tuple(_seen(reading, roll) for reading in self.readings)


def _seen(rolled: Any, roll: Any) -> Any:
    """A roll of the dice at the bottom, as its readings show it."""
    if rolled is None:
        return None
    if not isinstance(rolled, Reading):
        return roll
    return rolled.function(_seen(rolled.source, roll))


def _is_table(game: Game) -> bool:
    return isinstance(game, Together) or (isinstance(game, Renamed) and _is_table(game.game))


def _rolls_of(bet: str) -> str:
    """The counter of the rolls until a bet is settled."""
    return OWN_ROLLS + bet


def bets_of(game: Game) -> tuple[str, ...]:
    """The names of a game's bets; it is played until settled where the rules list no outcomes.

    >>> from sevenout.dice import Law
    >>> from sevenout.rules import Session, lose, win
    >>> bets_of(Session(Law({win(): 1, lose(): 1}), bankroll=1, target=2))
    ('session',)

    Raises:
        TooManyStatesError: the game is not settled within a million states.
    """
    if game.outcomes:
        return tuple(bet for bet, _ in game.outcomes[0].pays)
    flat = Flat(game)
    states: list[Any] = [flat.start]
    known = {flat.start}
    for state in states:  # grows as we go
        for roll in flat.rolls(state).law:
            then = flat.step(state, roll)
            then = then.then if isinstance(then, Counted) else then
            if isinstance(then, Settled):
                return tuple(bet for bet, _ in then.pays)
            if then not in known:
                known.add(then)
                states.append(then)
        if len(states) > MANY:
            raise TooManyStatesError(f"a game that is not settled within {MANY:,} states")
    return ()


def _join(settled: Sequence[Settled]) -> Settled:
    label = " · ".join(s.label for s in settled)
    return Settled(label, tuple(pay for s in settled for pay in s.pays))


@dataclass(frozen=True, init=False)
class Renamed(Game):
    """A game whose bets go by other names, so that it can sit at a table with its like.

    Args:
        game: the game.
        names: new name by old name.

    Raises:
        RulesError: the game has no bet of an old name, or two bets get one name.
    """

    game: Game
    names: tuple[tuple[str, str], ...]

    def __init__(self, game: Game, names: Mapping[str, str]) -> None:
        bets = bets_of(game)
        for bet in names:
            if bet not in bets:
                raise RulesError(f"no bet {bet!r} to rename; the game has: {', '.join(bets)}")
        if len({names.get(bet, bet) for bet in bets}) < len(bets):
            raise RulesError("two bets of one game with the same new name; choose another")
        object.__setattr__(self, "game", game)
        object.__setattr__(self, "names", tuple(names.items()))

    @property
    def start(self) -> Hashable:  # type: ignore[override]
        """The game's start."""
        return self.game.start

    @property
    def stakes(self) -> Mapping[str, Fraction]:  # type: ignore[override]
        """The game's stakes, by their new names."""
        names = dict(self.names)
        return {names.get(bet, bet): stake for bet, stake in self.game.stakes.items()}

    def rolls(self, state: Any) -> "Rollable | Game":
        """What the game rolls."""
        return self.game.rolls(state)

    @property
    def outcomes(self) -> Sequence[Settled]:  # type: ignore[override]
        """The game's outcomes, with the new names."""
        return [self._renamed(settled) for settled in self.game.outcomes]

    def step(self, state: Any, roll: Any) -> Any:
        """The game's step."""
        return self._renamed(self.game.step(state, roll))

    def _renamed(self, then: Any) -> Any:
        names = dict(self.names)
        if isinstance(then, Counted):
            own = {_rolls_of(old): _rolls_of(new) for old, new in self.names}
            counts = tuple((own.get(name, name), n) for name, n in then.counts)
            return Counted(self._renamed(then.then), counts)
        if isinstance(then, Settled):
            return Settled(then.label, tuple((names.get(b, b), p) for b, p in then.pays))
        return then
