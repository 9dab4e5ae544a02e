"""Any game as a bet on a felt."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Any

from sevenout.errors import RulesError, shown
from sevenout.rolling import Dice
from sevenout.rolling.distribution import summed
from sevenout.rolling.throw import see
from sevenout.rules.casino.felt import Bets, Felt, Money, Paid, Throw, whole
from sevenout.rules.composed.nested import Flat
from sevenout.rules.composed.together import bottom
from sevenout.rules.game import Game, bets_of, reach
from sevenout.rules.outcome import Outcome

IN = " @"
"""The separator of a bet's name and the state of its game: "fire @3 8"."""


class Ongoing:
    """Games in progress, as bets.

    >>> from sevenout.catalogue import games
    >>> ongoing = Ongoing({"brick": (games["fast-craps-brick"], "brick")})
    >>> ongoing.roll("brick", 2, (3, 3)), ongoing.roll("brick @6 0", 2, (3, 3))
    (('brick @6 0', None), (None, 50))

    Args:
        games: for the name of each bet, a game and the name of its bet there.
    """

    def __init__(self, games: Mapping[str, tuple[Game, str]]) -> None:
        self.games = {name: (Flat(game), bet) for name, (game, bet) in games.items()}
        self._states: dict[str, Any] = {name: flat.start for name, (flat, _) in self.games.items()}
        rolled = {bottom(f.rolls(self._states[name])) for name, (f, _) in self.games.items()}
        if len(rolled) != 1 or not isinstance(dice := rolled.pop(), Dice):
            raise RulesError("the bets of a table must roll the same dice")
        self.dice: Dice = dice
        self._faces: dict[str, bool] = {}
        self._done: dict[Any, tuple[str | None, Fraction | None]] = {}

    def knows(self, bet: str) -> bool:
        """Whether a bet is one of these, new or in progress."""
        return bet.partition(IN)[0] in self.games

    def roll(self, bet: str, amount: Money, faces: tuple[Any, ...]) -> tuple[str | None, Any]:
        """The name of a bet after a roll, and its profit if settled.

        Raises:
            RulesError: no bet in such a state, or a loss of more than the stake.
        """
        key = bet, faces
        if key not in self._done:
            self._done[key] = self._rolled(bet, faces)
        then, share = self._done[key]
        return then, None if share is None else whole(amount * share)

    def sees_faces(self, bet: str) -> bool:
        """Whether a bet distinguishes rolls of the same total."""
        if bet not in self._faces:
            flat, _ = self._game(bet)
            rollable = flat.rolls(self._state(bet))
            seen = {(roll.total, see(rollable, roll.faces)) for roll in self.dice.law}
            self._faces[bet] = len(seen) > len({total for total, _ in seen})
        return self._faces[bet]

    def _game(self, bet: str) -> tuple[Flat, str]:
        return self.games[bet.partition(IN)[0]]

    def _state(self, bet: str) -> Any:
        if bet not in self._states:
            raise RulesError(f"the bet {shown(bet)} can't begin here; make it when its game begins")
        return self._states[bet]

    def _rolled(self, bet: str, faces: tuple[Any, ...]) -> tuple[str | None, Fraction | None]:
        flat, own = self._game(bet)
        state = self._state(bet)
        then, _ = reach(flat, state, see(flat.rolls(state), faces))
        if isinstance(then, Outcome):
            pay = then.pay(own)
            share = pay.profit / pay.stake
            if share < -1:
                raise RulesError(f"{bet} may lose more than its stake; bet it in parts")
            return None, share
        name = bet.partition(IN)[0]
        if then != flat.start:
            name = f"{name}{IN}{_words(then)}"
            self._states.setdefault(name, then)
        return name, None


class Common(Felt):
    """A table whose bets are games on the same dice.

    A bet is made as its game begins. While the game is in its first state the bet may be raised,
    lowered and taken down; after that it stays until it is settled.

    >>> from sevenout.catalogue import games
    >>> felt = Common({"brick": games["fast-craps-brick"], "yo": games["yo-11"]})
    >>> felt.roll(None, (("brick", 1), ("yo", 1)), Throw(8, (4, 4), 1))[1:3]
    ({'brick @8 0': 1}, (Paid(bet='yo', stake=1, profit=-1),))

    Args:
        bets: for each bet's name, a game, or a game and the name of its bet.

    Raises:
        RulesError: no bets, a game of several bets without a name, different dice, or dice that are
            not all alike.
    """

    def __init__(self, bets: Mapping[str, Game | tuple[Game, str]]) -> None:
        if not isinstance(bets, Mapping) or not bets:
            raise RulesError(f"{shown(bets)} is not a table; give games by bet, {{'fast': game}}")
        self.ongoing = Ongoing({name: _single(name, game) for name, game in bets.items()})
        self.dice = self.ongoing.dice
        if len(set(self.dice.dice)) > 1:
            raise RulesError(f"the games of a table must roll the same dice; {self.dice} differ")
        weights = summed(
            ((tuple(sorted(roll.faces)), roll.total), int(p * self.ways))
            for roll, p in self.dice.law.items()
        )
        self._throws = tuple(Throw(total, faces, n) for (faces, total), n in weights.items())

    @property
    def ways(self) -> int:  # type: ignore[override]
        """The number of equally likely rolls."""
        return prod(sum(die.weights) for die in self.dice.dice)

    def throws(self, bets: Bets) -> Sequence[Throw]:
        """The faces in any order."""
        return self._throws

    def roll(
        self, point: int | None, bets: Bets, throw: Throw
    ) -> tuple[int | None, dict[str, Money], tuple[Paid, ...], bool]:
        """The bets after a roll, and the settled ones; no point or shooter."""
        left: dict[str, Money] = {}
        paid: list[Paid] = []
        for bet, amount in bets:
            then, profit = self.ongoing.roll(bet, amount, throw.faces or ())
            if profit is not None:
                paid.append(Paid(bet, amount, profit))
            if then is not None:
                left[then] = left.get(then, 0) + amount
        return None, left, tuple(paid), False

    def check(self, point: int | None, bets: Mapping[str, Money], bet: str, amount: Money) -> bool:
        """Whether a bet may be changed to an amount."""
        if not self.ongoing.knows(bet):
            raise RulesError(f"no bet {shown(bet)}; the bets are {', '.join(self.ongoing.games)}")
        if bet not in self.ongoing.games and amount != bets.get(bet, 0):
            raise RulesError(f"{amount} on {shown(bet)[1:-1]}: its game has begun")
        return True

    def fee(self, bet: str, amount: Money) -> Money:
        """Nothing; a commission is part of a game's stake."""
        self.check(None, {bet: amount}, bet, amount)
        return 0


def _single(name: str, given: Any) -> tuple[Game, str]:
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], Game):
        return given[0], str(given[1])
    if not isinstance(given, Game):
        raise RulesError(
            f"{shown(name)} is {shown(given)}, not a game; give a game, or a game and a bet"
        )
    own = bets_of(given)
    if len(own) != 1:
        raise RulesError(f"{shown(name)} has the bets {', '.join(own)}; give the game and which")
    return given, own[0]


def _words(state: Any) -> str:
    """A state in one line.

    >>> _words((0, (6, "come-out")))
    '0 6 come-out'
    """
    return " ".join(map(_words, state)) if isinstance(state, tuple) else str(state)
