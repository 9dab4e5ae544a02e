"""Games of games: the outcome of one is the roll of another."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from sevenout.dice import Rollable
from sevenout.errors import RulesError, TooManyStatesError, shown
from sevenout.numerals import Number, exact
from sevenout.rules.betting import Money, whole
from sevenout.rules.game import Around, Game, reach
from sevenout.rules.outcome import Counted, Counts, Outcome, Pay, added, counted, settle

MANY = 1_000_000
ONE_ROUND: Counts = (("rounds", 1),)


@dataclass(frozen=True)
class Streak(Game):
    """Rounds of a game until a losing streak: the caster's turn at hazard.

    Args:
        dice: the round: a game, or the law of one.
        losses: the turn ends when so many rounds in a row are lost.
        bet: the bet of the round that says who won; a push is neither.

    The counters `rounds` and `won` advance with each round.
    """

    dice: Rollable | Game
    losses: int = 2
    bet: str = "pass"
    start: Hashable = 0
    counters = ("rounds", "won")
    bets = ()

    def __post_init__(self) -> None:
        if type(self.losses) is not int or self.losses < 1:
            raise RulesError(
                f"losses={shown(self.losses)}; a turn ends after 1 or more lost rounds"
            )

    def step(self, lost: int, roll: Outcome) -> Any:
        """One round."""
        profit = roll.profit(self.bet)
        if profit > 0:
            return counted(0, rounds=1, won=1)
        if profit == 0:
            return counted(lost, rounds=1)
        return counted(lost + 1 if lost + 1 < self.losses else settle("turn over"), rounds=1)


@dataclass(frozen=True)
class Session(Game):
    """A gambler's evening: one bet, made over and over, until ruin, a target or a number of rounds.

    >>> from sevenout.dice import Law
    >>> from sevenout.rules import lose, win
    >>> evening = Session(Law({win(stake=4): 1, lose(stake=4): 1}), bankroll=2, rounds=3)
    >>> evening.step(evening.start, lose(stake=4))
    Counted(then=(1, 1), counts=(('rounds', 1),))

    Args:
        dice: the bet: a game, or the law of one.
        bankroll: what the gambler brings.
        target: stop at this or more; None for never.
        rounds: stop after so many bets; None for never. One of the two must be given.
        stake: what is staked on each bet, in units of `bankroll`. Whatever the rules of the bet
            stake, its wins and losses are scaled to this.
        bet: which bet of the game is made.

    Nobody bets money that is not there. A bet may cost its stake, or the most that it can lose
    where that is more, as with odds behind the line; a bankroll that can't cover that is ruin, as
    soon as a round leaves it and even if it was the last. A bankroll that has reached the target is
    not. The outcome is "ruin", "target" or "time", and the bet "session" pays the profit. The
    counter `rounds` advances with each bet.

    Raises:
        RulesError: no bankroll for one bet, a target already reached, or no end in sight.
    """

    dice: Rollable | Game
    bankroll: Number
    target: Number | None = None
    rounds: int | None = None
    stake: Number = 1
    bet: str = "pass"
    bets = ("session",)

    def __post_init__(self) -> None:
        for name in ("bankroll", "target", "stake"):
            value = getattr(self, name)
            object.__setattr__(self, name, None if value is None else exact(value))
        if not 0 < self._stake <= self._bankroll:
            raise RulesError(f"a stake of {self.stake} from a bankroll of {self.bankroll}")
        if self.target is not None and self._target <= self._bankroll:
            raise RulesError(f"the target {self.target} is reached already by {self.bankroll}")
        if self.target is None and self.rounds is None:
            raise RulesError(
                "a session with neither target nor rounds; give one, or it may not end"
            )
        if self.rounds is not None and not (type(self.rounds) is int and self.rounds >= 1):
            raise RulesError(f"rounds={shown(self.rounds)}; a session has 1 or more")

    @cached_property
    def _bankroll(self) -> Fraction:
        return exact(self.bankroll)

    @cached_property
    def _stake(self) -> Fraction:
        return exact(self.stake)

    @cached_property
    def _target(self) -> Fraction:
        return exact(self.target or 0)

    @cached_property
    def cost(self) -> Fraction:
        """What the next bet may cost: its stake, or the most that it can lose where that is more.

        Raises:
            RulesError: the game has no such bet.
        """
        pays = self.dice.pays_of(self.bet) if isinstance(self.dice, Game) else ()
        pays = pays or tuple(settled.pay(self.bet) for settled in _ends(self.dice))
        losses = [-pay.profit / pay.stake for pay in pays]
        return self._stake * max(Fraction(1), *losses)

    @property
    def start(self) -> Hashable:  # type: ignore[override]
        """The bankroll, and how many rounds have been played (0 if nobody counts)."""
        if self.cost > self._bankroll:
            raise RulesError(
                f"a bet that may cost {self.cost} from a bankroll of {self.bankroll}; bring more"
            )
        return whole(self._bankroll), 0

    @cached_property
    def _goal(self) -> Money | None:
        return None if self.target is None else whole(self._target)

    @cached_property
    def _least(self) -> Money:
        return whole(self.cost)

    @cached_property
    def _gains(self) -> dict[Outcome, Money]:
        return {}

    @cached_property
    def _ended(self) -> dict[tuple[str, Money], Counted]:
        return {}

    def step(self, state: tuple[Money, int], roll: Outcome) -> Any:
        """One bet."""
        money, played = state
        gain = self._gains.get(roll)
        if gain is None:
            pay = roll.pay(self.bet)
            gain = self._gains[roll] = whole(self._stake * pay.profit / pay.stake)
        money += gain
        goal = self._goal
        if goal is not None and money >= goal:
            return self._end("target", money)
        if money < self._least:
            return self._end("ruin", money)
        if self.rounds is None:
            return Counted((money, 0), ONE_ROUND)
        if played + 1 == self.rounds:
            return self._end("time", money)
        return Counted((money, played + 1), ONE_ROUND)

    def _end(self, label: str, money: Money) -> Counted:
        if (label, money) not in self._ended:
            profit = Pay(label, money - self._bankroll, self._bankroll, self._bankroll)
            ended = settle(label, {"session": profit})
            self._ended[label, money] = Counted(ended, ONE_ROUND)
        return self._ended[label, money]


@dataclass(frozen=True)
class Flat(Around):
    """A game of games, played out on the dice: what an engine sees.

    >>> from sevenout.games import catalogue
    >>> Flat(catalogue["hazard-turn"]).start
    (0, ('come-out',))

    A state of the outer game in which another game is rolled becomes one state for each state of
    the inner game; the settled inner game is the outer game's roll. The counters of both advance.
    """

    game: Game

    @cached_property
    def _flat(self) -> dict[int, "Flat"]:
        return {}  # by the identity of the game, which each keeps alive

    @cached_property
    def start(self) -> Hashable:  # type: ignore[override]
        """The start, in the game and in what is rolled there."""
        return self.enter(self.game.start)

    def _inner(self, state: Any) -> "Flat | None":
        rolled = self.game.rolls(state)
        flat = self._flat.get(id(rolled))
        if (flat is None or flat.game is not rolled) and isinstance(rolled, Game):
            flat = self._flat[id(rolled)] = Flat(rolled)
        return flat

    def enter(self, state: Any) -> Hashable:
        """The state in which a state of the game begins, with what is rolled there."""
        inner = self._inner(state)
        return (state,) if inner is None else (state, inner.start)

    def rolls(self, state: tuple[Any, ...]) -> Rollable:
        """What is rolled at the bottom."""
        if len(state) == 2:
            inner = self._inner(state[0])
            assert inner is not None
            return inner.rolls(state[1])
        rolled = self.game.rolls(state[0])
        assert not isinstance(rolled, Game)
        return rolled

    def step(self, state: tuple[Any, ...], roll: Any) -> Any:
        """One roll of the dice at the bottom."""
        outer, outcome = state[0], roll
        counts: Counts = ()
        if len(state) == 2:
            inner = self._inner(outer)
            assert inner is not None
            outcome, counts = reach(inner, state[1], roll)
            if not isinstance(outcome, Outcome):
                return Counted((outer, outcome), counts) if counts else (outer, outcome)
        then, more = reach(self.game, outer, outcome)
        if more:
            counts = added(counts, more)
        if not isinstance(then, Outcome):
            then = self.enter(then)
        return Counted(then, counts) if counts else then


def _ends(rolled: "Rollable | Game") -> Iterator[Outcome]:
    """Every outcome of a game of which the rules list none, or of the law of a game."""
    if not isinstance(rolled, Game):
        yield from rolled.law
        return
    flat = Flat(rolled)
    states: list[Any] = [flat.start]
    known = {flat.start}
    for state in states:  # grows as we go
        for roll in flat.rolls(state).law:
            then = flat.step(state, roll)
            then = then.then if isinstance(then, Counted) else then
            if isinstance(then, Outcome):
                yield then
            elif then not in known:
                known.add(then)
                states.append(then)
        if len(states) > MANY:
            raise TooManyStatesError(f"a bet that may take more than {MANY:,} states")
