"""The felt: the bets of a table, and what a roll does to them.

A bet is a name and an amount. The name includes the bet's state: a "come" bet that has moved to the
6 is "come 6".

`Common` is a felt whose bets are games on the same dice, `OneBet` one on which each roll is a round
of a single bet.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

from sevenout.errors import RulesError, shown
from sevenout.numerals import int_if_whole
from sevenout.rolling import Dice, Law, Roll
from sevenout.rolling.distribution import sum_by_key
from sevenout.rolling.throw import see
from sevenout.rules.combined_games import FlatGame, bare_dice
from sevenout.rules.game import Game, bets_of, take_step
from sevenout.rules.outcome import Outcome

Money = int | Fraction
Bets = tuple[tuple[str, Money], ...]
"""The standing bets, sorted by name."""
Stands = tuple[int | None, Bets]
"""The point and the standing bets."""
NOTHING: Stands = (None, ())


def sorted_bets(bets: Mapping[str, Money]) -> Bets:
    """The bets, sorted by name.

    >>> sorted_bets({"pass": 1, "come": 2})
    (('come', 2), ('pass', 1))
    """
    return _shared(tuple(sorted(bets.items())))


@lru_cache(maxsize=1 << 15)
def _shared(bets: Bets) -> Bets:
    """One object for equal bets: an evening meets the same ones thousands of times."""
    return bets


class Throw(NamedTuple):
    """A roll, as far as the felt distinguishes it.

    Attributes:
        faces: the lower first; None if only the total matters.
        weight: the number of equally likely rolls that it stands for.
    """

    total: int
    faces: tuple[Any, ...] | None
    weight: int


class Paid(NamedTuple):
    """A settled bet, its stake, and its profit, negative for a loss."""

    bet: str
    stake: Money
    profit: Money


class FeltRoll(NamedTuple):
    """A roll, the bets that it settled, and whether the shooter is `out`.

    Attributes:
        throw: the roll, as far as the felt distinguishes it.
        paid: the settled bets, in the order of the bets.
        out: whether the shooter is out.
    """

    throw: Throw
    paid: tuple[Paid, ...]
    out: bool

    @property
    def net(self) -> Money:
        """The money won or lost."""
        return sum([payment.profit for payment in self.paid])

    @property
    def settled(self) -> Money:
        """The stakes of the settled bets."""
        return sum([payment.stake for payment in self.paid])

    def profit(self, bet: str) -> Money | None:
        """What a bet won or lost; None if unsettled."""
        for payment in self.paid:
            if payment.bet == bet:
                return payment.profit
        return None


class AfterThrow(NamedTuple):
    """What a throw leaves on the felt.

    Attributes:
        point: the point afterwards; None on the come-out.
        bets: the bets that still stand, by name.
        paid: the settled bets, in the order of the bets.
        out: whether the shooter is out.
    """

    point: int | None
    bets: dict[str, Money]
    paid: tuple[Paid, ...]
    out: bool


class Mirrored(NamedTuple):
    """A position in canonical order.

    Attributes:
        point: None on the come-out.
        bets: the standing bets, sorted by name.
        swapped: the totals t that traded places with 14 - t.
    """

    point: int | None
    bets: Bets
    swapped: frozenset[int] = frozenset()


class Felt(ABC):
    """The rules of a table: its bets, and what a roll does to them.

    Attributes:
        roll_count: the number of equally likely rolls.
        points: the possible points; None if there are none.
        dice: what is rolled.
    """

    dice: Dice
    roll_count: int
    points: tuple[int | None, ...] = (None,)

    @abstractmethod
    def throws(self, bets: Bets) -> Sequence[Throw]:
        """The rolls that these bets distinguish, with weights of sum `roll_count`."""

    @abstractmethod
    def roll(self, point: int | None, bets: Bets, throw: Throw) -> AfterThrow:
        """The point and bets after a roll, the settled bets, and whether the shooter is out."""

    @abstractmethod
    def check(self, point: int | None, bets: Mapping[str, Money], bet: str, amount: Money) -> None:
        """Refuse a change of a bet to an amount, if the house does not allow it.

        Raises:
            RulesError: it does not; the message names the rule.
        """

    def lacks_base(self, point: int | None, bets: Mapping[str, Money], bet: str) -> bool:
        """Whether a bet can't be made yet because another is missing, as odds behind no bet."""
        return False

    def check_name(self, bet: str) -> None:
        """Refuse a bet that this table doesn't have, by its name.

        Raises:
            RulesError: there is no such bet here.
        """
        self.check(None, {}, bet, 0)

    def fee(self, bet: str, amount: Money) -> Money:
        """The commission put down with a bet; none by default.

        It comes back if the bet is taken down, and is lost with the bet. A win pays it, and a bet
        that stays up has it put down again.
        """
        return 0

    def added_fee(self, bet: str, now: Money, amount: Money) -> Money:
        """The commission to put down if a bet is raised from an amount to another."""
        return self.fee(bet, amount) - (self.fee(bet, now) if now else 0)

    def maximum_of(self, point: int | None, bets: Mapping[str, Money], bet: str) -> Money | None:
        """The largest amount that the house takes on a bet now; None where nothing limits it."""
        return None

    def is_flat(self, bet: str) -> bool:
        """Whether a bet needs no base bet, as odds do."""
        return True

    def cost(self, bets: Bets) -> Money:
        """The money that bets take out of the rail, with their commissions."""
        return sum([amount + self.fee(bet, amount) for bet, amount in bets])

    def mirrored(self, point: int | None, bets: Bets) -> "Mirrored":
        """The canonical form of a mirrored position."""
        return Mirrored(point, bets)

    def told_apart(self, bet: str) -> tuple[tuple[int, int], ...]:
        """The pairs of mirrored numbers that a bet treats differently.

        No mirrored strategy may make such a bet.
        """
        return ()

    def allows(self, point: int | None, bets: Mapping[str, Money], bet: str, amount: Money) -> bool:
        """Whether a bet may be changed to an amount."""
        try:
            self.check(point, bets, bet, amount)
        except RulesError:
            return False
        return not self.lacks_base(point, bets, bet)

    def throw_index(self, throws: Sequence[Throw], roll: Any) -> int:
        """The index of the throw for a roll or a total."""
        faces = tuple(sorted(roll.faces)) if isinstance(roll, Roll) else None
        total = roll.total if isinstance(roll, Roll) else roll
        for i, throw in enumerate(throws):
            # A throw without faces stands for every roll of its total.
            if throw.total == total and throw.faces in (None, faces):
                return i
        raise RulesError(f"{shown(roll)} is not a roll of this table's dice")

    def throw_of(self, bets: Bets, roll: Any) -> Throw:
        """The throw for a roll, as far as these bets distinguish it."""
        throws = self.throws(bets)
        return throws[self.throw_index(throws, roll)]


# --- any game as a bet ----------------------------------------------------------------------------

STATE_MARK = " @"
"""The separator of a bet's name and the state of its game: "fire @3 8"."""


class Ongoing:
    """Games in progress, as bets.

    >>> from sevenout.catalogue import games
    >>> ongoing = Ongoing({"brick": (games["fast-craps-brick"], "brick")})
    >>> ongoing.roll("brick", 2, (3, 3)), ongoing.roll("brick @6 0", 2, (3, 3))
    (('brick @6 0', None), (None, 50))

    Args:
        games: for the name of each bet, a game and the name of its bet there.

    Attributes:
        games: the same, with each game played out on the dice.
        dice: what all of them roll.
    """

    def __init__(self, games: Mapping[str, tuple[Game, str]]) -> None:
        self.games = {name: (FlatGame(game), bet) for name, (game, bet) in games.items()}
        self._states: dict[str, Any] = {name: flat.start for name, (flat, _) in self.games.items()}
        rolled = {bare_dice(f.rolls(self._states[name])) for name, (f, _) in self.games.items()}
        # One roll settles all bets of a table.
        if len(rolled) != 1 or not isinstance(dice := rolled.pop(), Dice):
            raise RulesError("the bets of a table must roll the same dice")
        self.dice: Dice = dice
        self._sees_faces: dict[str, bool] = {}
        self._result_by_roll: dict[Any, tuple[str | None, Fraction | None]] = {}

    def knows(self, bet: str) -> bool:
        """Whether a bet is one of these, new or in progress."""
        return bet.partition(STATE_MARK)[0] in self.games

    def roll(self, bet: str, amount: Money, faces: tuple[Any, ...]) -> tuple[str | None, Any]:
        """The name of a bet after a roll, and its profit if settled.

        Raises:
            RulesError: no bet in such a state, or a loss of more than the stake.
        """
        key = bet, faces
        if key not in self._result_by_roll:
            self._result_by_roll[key] = self._result(bet, faces)
        next_name, share = self._result_by_roll[key]
        return next_name, None if share is None else int_if_whole(amount * share)

    def sees_faces(self, bet: str) -> bool:
        """Whether a bet distinguishes rolls of the same total."""
        if bet not in self._sees_faces:
            flat, _ = self._game(bet)
            rollable = flat.rolls(self._state(bet))
            # More readings than totals: the faces matter.
            seen = {(roll.total, see(rollable, roll.faces)) for roll in self.dice.law}
            self._sees_faces[bet] = len(seen) > len({total for total, _ in seen})
        return self._sees_faces[bet]

    def _game(self, bet: str) -> tuple[FlatGame, str]:
        return self.games[bet.partition(STATE_MARK)[0]]

    def _state(self, bet: str) -> Any:
        if bet not in self._states:
            raise RulesError(f"the bet {shown(bet)} can't begin here; make it when its game begins")
        return self._states[bet]

    def _result(self, bet: str, faces: tuple[Any, ...]) -> tuple[str | None, Fraction | None]:
        """The name of a bet after a roll, and its profit per unit staked if settled."""
        flat, own = self._game(bet)
        state = self._state(bet)
        successor, _ = take_step(flat, state, see(flat.rolls(state), faces))
        if isinstance(successor, Outcome):
            pay = successor.pay(own)
            share = pay.profit / pay.stake
            # On a felt the stake is all that a bet can lose.
            if share < -1:
                raise RulesError(f"{bet} may lose more than its stake; bet it in parts")
            return None, share
        name = bet.partition(STATE_MARK)[0]
        # In its first state the bet is still new, and may be changed.
        if successor != flat.start:
            name = f"{name}{STATE_MARK}{_state_text(successor)}"
            # The name of a bet is all that a felt keeps, so the state is looked up by it.
            self._states.setdefault(name, successor)
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
        self.ongoing = Ongoing({name: _game_and_bet(name, game) for name, game in bets.items()})
        self.dice = self.ongoing.dice
        # Throws have their faces in order of size, so no two dice may differ.
        if len(set(self.dice.dice)) > 1:
            raise RulesError(f"the games of a table must roll the same dice; {self.dice} differ")
        weights = sum_by_key(
            ((tuple(sorted(roll.faces)), roll.total), int(p * self.roll_count))
            for roll, p in self.dice.law.items()
        )
        self._throws = tuple(Throw(total, faces, n) for (faces, total), n in weights.items())

    @property
    def roll_count(self) -> int:  # type: ignore[override]
        """The number of equally likely rolls."""
        return prod(sum(die.weights) for die in self.dice.dice)

    def throws(self, bets: Bets) -> Sequence[Throw]:
        """The faces in any order."""
        return self._throws

    def roll(self, point: int | None, bets: Bets, throw: Throw) -> AfterThrow:
        """The bets after a roll, and the settled ones; no point or shooter."""
        standing: dict[str, Money] = {}
        paid: list[Paid] = []
        for bet, amount in bets:
            next_name, profit = self.ongoing.roll(bet, amount, throw.faces or ())
            if profit is not None:
                paid.append(Paid(bet, amount, profit))
            if next_name is not None:
                standing[next_name] = standing.get(next_name, 0) + amount
        return AfterThrow(None, standing, tuple(paid), out=False)

    def check(self, point: int | None, bets: Mapping[str, Money], bet: str, amount: Money) -> None:
        if not self.ongoing.knows(bet):
            raise RulesError(f"no bet {shown(bet)}; the bets are {', '.join(self.ongoing.games)}")
        # Once its game has begun a bet is a contract.
        if bet not in self.ongoing.games and amount != bets.get(bet, 0):
            raise RulesError(f"{amount} on {shown(bet)[1:-1]}: its game has begun")


def _game_and_bet(name: str, game: Any) -> tuple[Game, str]:
    """The game of a bet and the name of its bet there, checked."""
    if isinstance(game, tuple) and len(game) == 2 and isinstance(game[0], Game):
        return game[0], str(game[1])
    if not isinstance(game, Game):
        raise RulesError(
            f"{shown(name)} is {shown(game)}, not a game; give a game, or a game and a bet"
        )
    own = bets_of(game)
    if len(own) != 1:
        raise RulesError(f"{shown(name)} has the bets {', '.join(own)}; give the game and which")
    return game, own[0]


def _state_text(state: Any) -> str:
    """A state in one line.

    >>> _state_text((0, (6, "come-out")))
    '0 6 come-out'
    """
    return " ".join(map(_state_text, state)) if isinstance(state, tuple) else str(state)


# --- one bet, again and again ---------------------------------------------------------------------


class OneBet(Felt):
    """A table on which each roll is a round of one bet.

    If more than the stake can be lost, as with odds, the whole amount at risk stands on the felt.

    >>> from sevenout.rolling import Law
    >>> felt = OneBet(Law({2: 1, -1: 3}))
    >>> felt.roll(None, (("pass", 5),), felt.throws(())[0]).paid
    (Paid(bet='pass', stake=5, profit=10),)

    Args:
        law: the distribution of the profit per unit staked.
        dice: the game, or its distribution; the distribution of the profits by default.
        slip: error bound of the distribution, if it is certified.

    Attributes:
        risk: the money at risk per unit staked.
    """

    dice: Any

    def __init__(
        self, law: Law, dice: Any = None, bet: str = "pass", slip: Fraction = Fraction(0)
    ) -> None:
        self.law, self.dice, self.bet = law, law if dice is None else dice, bet
        self.slip = slip
        self.roll_count = law.denominator
        # Odds can lose more than the stake; all of it must come from the rail.
        self.risk = int_if_whole(Fraction(max(1, -min(law))))
        weighted = zip(law, law.weights, strict=True)
        self._throws = tuple(Throw(i, (profit,), w) for i, (profit, w) in enumerate(weighted))
        self._index_by_roll: dict[Any, int] = {profit: i for i, profit in enumerate(law)}

    def throws(self, bets: Bets) -> Sequence[Throw]:
        """The profits."""
        return self._throws

    def throw_index(self, throws: Sequence[Throw], roll: Any) -> int:
        """The index of a round's profit."""
        # A game gives outcomes, a distribution gives profits.
        if roll not in self._index_by_roll and isinstance(roll, Outcome):
            pay = roll.pay(self.bet)
            self._index_by_roll[roll] = self._index_by_roll[pay.profit / pay.stake]
        return self._index_by_roll[roll]

    def roll(self, point: int | None, bets: Bets, throw: Throw) -> AfterThrow:
        """The bet is settled."""
        (share,) = throw.faces or (0,)
        paid = []
        for bet, amount in bets:
            stake = Fraction(amount) / self.risk
            paid.append(Paid(bet, int_if_whole(stake), int_if_whole(stake * share)))
        return AfterThrow(point, {}, tuple(paid), out=False)

    def check(self, point: int | None, bets: Mapping[str, Money], bet: str, amount: Money) -> None:
        """Any amount may be bet."""
        if bet != self.bet:
            raise RulesError(f"no bet {shown(bet)}; the only bet is {self.bet}")
