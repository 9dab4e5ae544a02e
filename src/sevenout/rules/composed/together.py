"""Games played on the same rolls, and games with renamed bets."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sevenout.budgets.estimates import afford
from sevenout.errors import RulesError
from sevenout.rolling import Reading, Rollable
from sevenout.rules.game import Around, Game, bets_of, reach
from sevenout.rules.outcome import Counted, Counts, Outcome, Pay, added, rolls_of


@dataclass(frozen=True, init=False)
class Together(Game):
    """Games played on the same rolls, each until it is settled.

    >>> from sevenout.catalogue import games
    >>> tuple(Together(games["craps"], games["place-6-8"]).bets)
    ('pass', 'place')

    Each game may read the roll in its own way, from the same dice. The outcome's label joins the
    games' labels, and each bet keeps its event. This gives the joint distribution of bets that are
    settled once; for bets that come and go, put each game on a felt with `ongoing.Common`.

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
                raise RulesError(f"two of the games have a bet named {bet!r}; rename one")
            seen.add(bet)
        object.__setattr__(self, "games", games)

    @property
    def start(self) -> Hashable:  # type: ignore[override]
        return tuple(game.start for game in self.games)

    def afford(self) -> None:
        """Refuse games that are too large, or too many bets."""
        bets = len(self.bets)
        afford(f"a table of {bets:,} bets", seconds=0.01 * bets + 1e-6 * bets**2)
        for game in self.games:
            game.afford()

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
            raise RulesError(f"no bet {bet!r}; the bets are: {', '.join(self.bets)}")
        return self._game_of[bet]

    def pays_of(self, bet: str) -> Sequence[Pay]:
        return self.game_of(bet).pays_of(bet)

    def rolls(self, state: tuple[Any, ...]) -> Rollable:
        """The dice, with the readings of unsettled games."""
        readings = self._readings(state)
        rolled = {bottom(reading) for reading in readings if reading is not None}
        if any(isinstance(one, Game) for one in rolled):
            raise RulesError(
                "a game of games can't be played together with others; give Flat(game)"
            )
        if len(rolled) > 1:
            raise RulesError("games played together must roll the same dice")
        return Reading(rolled.pop(), Seen(tuple(readings)))

    @cached_property
    def _rolls_of(self) -> list[Counts]:
        """The counters that each unsettled game advances per roll."""
        return [
            () if game.is_table else tuple((rolls_of(bet), 1) for bet in bets_of(game))
            for game in self.games
        ]

    @cached_property
    def _own(self) -> frozenset[str]:
        return frozenset(map(rolls_of, self.bets))

    def _readings(self, state: tuple[Any, ...]) -> list["Rollable | Game | None"]:
        return [
            None if isinstance(s, Outcome) else game.rolls(s)
            for game, s in zip(self.games, state, strict=True)
        ]

    def step(self, state: tuple[Any, ...], roll: tuple[Any, ...]) -> Any:
        """One roll for each game in progress."""
        after: list[Any] = []
        counts: list[tuple[str, Any]] = []
        for game, s, seen, own in zip(self.games, state, roll, self._rolls_of, strict=True):
            then = s
            if not isinstance(s, Outcome):
                then, inner = reach(game, s, seen)
                if not game.is_table:
                    self._check_counts(inner)
                counts += (*inner, *own)
                if isinstance(then, Outcome):
                    self._check_bets(game, then)
            after.append(then)
        settled = all(isinstance(s, Outcome) for s in after)
        then = _join(after) if settled else tuple(after)
        return Counted(then, added((), tuple(counts)))

    def _check_counts(self, counts: Counts) -> None:
        for name, _ in counts:
            if name in self._own:
                raise RulesError(
                    f"the counter {name!r} belongs to the table; give this one another name"
                )

    def _check_bets(self, game: Game, settled: Outcome) -> None:
        for bet, _ in settled.pays:
            if self._game_of.get(bet) is not game:
                raise RulesError(
                    f"{type(game).__name__} has the bets {', '.join(bets_of(game)) or 'none'}, "
                    f"and yet it settles {bet!r}; add it to its bets"
                )


def bottom(rolled: Any) -> Any:
    """The dice without readings."""
    return bottom(rolled.source) if isinstance(rolled, Reading) else rolled


@dataclass(frozen=True)
class Seen:
    """The result of each reading of a roll; None for a settled game."""

    readings: tuple[Any, ...]

    def __call__(self, roll: Any) -> tuple[Any, ...]:
        return tuple(_seen(reading, roll) for reading in self.readings)


def _seen(rolled: Any, roll: Any) -> Any:
    """The result of one reading of a roll of the dice."""
    if rolled is None:
        return None
    if not isinstance(rolled, Reading):
        return roll
    return rolled.function(_seen(rolled.source, roll))


def _join(settled: Sequence[Outcome]) -> Outcome:
    label = " · ".join(s.label for s in settled)
    return Outcome(label, tuple(pay for s in settled for pay in s.pays))


@dataclass(frozen=True, init=False)
class Renamed(Around):
    """A game with new names for its bets.

    >>> from sevenout.catalogue import games
    >>> Renamed(games["craps"], {"pass": "the shooter's"}).bets
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
        for bet in names:
            if bet not in bets:
                raise RulesError(f"no bet {bet!r} to rename; the game has: {', '.join(bets)}")
        if len({names.get(bet, bet) for bet in bets}) < len(bets):
            raise RulesError("two bets of one game with the same new name; choose another")
        object.__setattr__(self, "game", game)
        object.__setattr__(self, "names", tuple(names.items()))

    @property
    def bets(self) -> tuple[str, ...]:  # type: ignore[override]
        """The bets, by their new names."""
        names = dict(self.names)
        return tuple(names.get(bet, bet) for bet in bets_of(self.game))

    def pays_of(self, bet: str) -> Sequence[Pay]:
        """The payments of a bet, by its new name."""
        old = {new: old for old, new in self.names}
        return self.game.pays_of(old.get(bet, bet))

    @property
    def outcomes(self) -> Sequence[Outcome]:  # type: ignore[override]
        """The outcomes, with new names for the bets."""
        return tuple(self._renamed(settled) for settled in self.game.outcomes)

    def step(self, state: Any, roll: Any) -> Any:
        return self._renamed(self.game.step(state, roll))

    def _renamed(self, then: Any) -> Any:
        names = dict(self.names)
        if isinstance(then, Counted):
            own = {rolls_of(old): rolls_of(new) for old, new in self.names}
            counts = tuple((own.get(name, name), n) for name, n in then.counts)
            return Counted(self._renamed(then.then), counts)
        if isinstance(then, Outcome):
            return Outcome(then.label, tuple((names.get(b, b), p) for b, p in then.pays))
        return then
