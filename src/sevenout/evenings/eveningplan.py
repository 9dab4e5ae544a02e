"""The plan of an evening: strategy, bankroll, and when the player leaves."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import Any

from sevenout.catalogue.craps_family.table.craps_felt import House
from sevenout.catalogue.strategies import strategies
from sevenout.documents import Certified
from sevenout.errors import RulesError, shown
from sevenout.evenings.eveninggame import EveningGame
from sevenout.evenings.eveningresult import EveningResult
from sevenout.evenings.lattice.moneylattice import money_lattice
from sevenout.evenings.lattice.moneyrange import amounts, must_afford
from sevenout.evenings.lattice.playout import Standing
from sevenout.evenings.lattice.positions import Positions, explored
from sevenout.extras import has
from sevenout.model.graph import not_collecting
from sevenout.numerals import Number, exact
from sevenout.rolling import Dice
from sevenout.rolling.distribution import Finite, probability
from sevenout.rules.casino.betting import Bettor, Strategy
from sevenout.rules.casino.ends import Ends, check_count
from sevenout.rules.casino.felt import Felt, Money, Stands, whole
from sevenout.rules.casino.sitting import Sitting
from sevenout.rules.casino.standing import Stood
from sevenout.solving import solve

PACE = 100
"""Rolls per hour at a moderately busy table."""
MOST_ROLLS = 10**9
"""The most rolls, shooters or rounds of an evening."""
SMALL = 400
"""Unlimited evenings of up to this many cells are solved in fractions."""
BEYOND = 1e-11
"""The lattice grows while more probability than this lies beyond it."""


@dataclass(frozen=True, eq=False)
class Plan:
    """A strategy, a bankroll, and when the player leaves.

    Attributes:
        hours: None unless given in place of rolls.
        pace: rolls per hour.
    """

    name: str
    bettor: Bettor
    bankroll: Money
    ends: Ends
    hours: Fraction | None = None
    pace: int = PACE

    @classmethod
    def of(
        cls,
        strategy: Strategy | str,
        bankroll: Number,
        *,
        rolls: int | None = None,
        hours: Number | None = None,
        pace: int = PACE,
        shooters: int | None = None,
        rounds: int | None = None,
        stop_loss: Number | None = None,
        stop_win: Number | None = None,
        target: Number | None = None,
        standing: Stood = "staked",
        house: Felt | None = None,
        name: str | None = None,
    ) -> "Plan":
        """A plan from the arguments of `sevenout.evening`, with the same errors."""
        if isinstance(strategy, str):
            name = strategies.entry(strategy).title if name is None else name
            strategy = strategies[strategy]
        if not isinstance(strategy, Strategy):
            raise RulesError(f"{shown(strategy)} is not a strategy; give 'pass', or a Strategy")
        if house is not None and not isinstance(house, Felt):
            raise RulesError(f"house={shown(house)}; give a House(), with its options")
        money = exact(bankroll)
        check_count("pace", pace)
        if hours is not None:
            if rolls is not None:
                raise RulesError(
                    "rolls and hours are both given; give one, because hours are rolls at the pace"
                )
            rolls = ceil(exact(hours) * pace)
            if rolls < 1:
                raise RulesError(f"hours={shown(hours)}; give more than 0")
        ends = Ends.of(
            money,
            rolls=rolls,
            shooters=shooters,
            rounds=rounds,
            stop_loss=stop_loss,
            stop_win=stop_win,
            target=target,
            standing=standing,
        )
        return cls(
            name=name or type(strategy).__name__,
            bettor=Bettor(house or House(), strategy),
            bankroll=whole(money),
            ends=ends,
            hours=None if hours is None else exact(hours),
            pace=pace,
        )

    def until(self, **ends: Any) -> "Plan":
        """The same evening with other `Ends`."""
        return replace(self, ends=replace(self.ends, **ends))

    @cached_property
    def positions(self) -> Positions:
        """The positions of the evening."""
        return self._explored()

    def _explored(self, mirrored: bool | None = None) -> Positions:
        return explored(self.bettor, self.bankroll, self.ends, mirrored=mirrored)

    @cached_property
    def game(self) -> EveningGame:
        """The evening as a game, to solve, simulate, replay and check."""
        return EveningGame(self._explored(mirrored=False))

    def sitting(self) -> Sitting:
        """The evening from its first bets, to be played roll by roll."""
        if not isinstance(self.bettor.felt.dice, Dice):
            raise RulesError(
                "an evening of one bet can't be played roll by roll; play the game of the bet "
                "instead"
            )
        sitting = Sitting(self.bettor, self.bankroll, self.ends)
        if sitting.end is not None:
            refused = sitting.moments[0].refused[0]
            raise RulesError(
                f"a bankroll of {self.bankroll} does not pay for the first bet: {refused}"
            )
        return sitting

    @not_collecting()
    def solve(self) -> EveningResult:
        """How the evening ends."""
        from sevenout.evenings.lattice.rollbyroll import in_floats, in_integers
        from sevenout.evenings.repeatedbet import is_one_bet, solved

        if is_one_bet(self) and (result := solved(self)):
            return result
        if self.ends.rolls is not None and (exactly := in_integers(self)):
            return exactly
        if not has("numpy"):
            from sevenout.evenings.lattice.sparse_evening import in_cells

            return in_cells(self)
        self.positions.complete()
        left = self.counting()
        width, endless = self.width(), self.ends.rolls is None
        while True:
            must_afford(self.positions, self.name, width, self._about(), endless=endless)
            cells = money_lattice(self.positions, width, left)
            found, beyond = in_floats(self, cells)
            if endless and cells.playing <= SMALL:
                return self.exactly(found)
            if beyond <= BEYOND:
                return found
            width *= 2

    def counting(self) -> Callable[[Stands], Stands] | None:
        """Maps the bets after the last roll to those played out; None if they count as staked.

        Also refines the unit of money to fit their profits.
        """
        if self.ends.standing == "staked":
            return None
        ending = Standing(self.bettor.felt, self.ends.standing)
        found = self.positions
        every = (move.step for row in range(len(found.rows)) for move in found.moves(row))
        stood = {ending.left(step.stands) for step in every}
        for gain in ending.gains(stood):
            self.positions.measure(gain)
        return ending.left

    def ever(self, *, least: Number | None = None, most: Number | None = None) -> Fraction:
        """The probability that the money is ever at least `least`, or at most `most`, after some
        roll.

        >>> plan = Plan.of("pass", 3, rolls=4)
        >>> plan.ever(least=4), plan.ever(most=1)
        (Fraction(171533, 419904), Fraction(1777, 26244))

        Raises:
            RulesError: not exactly one of them, or it is on the wrong side of the bankroll.
        """
        return self._reaching(least, most)[1]

    def ever_within(
        self, *, least: Number | None = None, most: Number | None = None
    ) -> Fraction | Certified:
        """The same with its error bound if certified; errors as `ever`."""
        result, p = self._reaching(least, most)
        return Certified(p, result.bound) if result.bound else p

    def _reaching(
        self, least: Number | None, most: Number | None
    ) -> tuple[EveningResult, Fraction]:
        """The evening that ends at this amount, and its probability."""
        if (least is None) == (most is None):
            raise RulesError("least= and most= are both missing or both given; give one")
        if least is not None:
            peak = whole(exact(least))
            if peak <= self.bankroll:
                raise RulesError(
                    f"least={shown(least)}; give more than the bankroll, {self.bankroll}"
                )
            if self.ends.ceiling is not None and peak > self.ends.ceiling:
                raise RulesError(
                    f"least={shown(least)}; give at most {self.ends.ceiling}, with which the "
                    "player leaves"
                )
            result = self.until(ceiling=peak).solve()
            return result, result.reached
        trough = whole(exact(most or 0))
        if trough >= self.bankroll:
            raise RulesError(f"most={shown(most)}; give less than the bankroll, {self.bankroll}")
        if self.ends.floor is not None and trough < self.ends.floor:
            raise RulesError(
                f"most={shown(most)}; give at least {self.ends.floor}, with which the player leaves"
            )
        result = self.until(floor=trough).solve()
        return result, result.ends.get("stop loss", Fraction(0))

    def trough(self, q: Number) -> Fraction:
        """The highest amount that the money stays at or above with probability 1 - q or more.

        With q = 1/20, the money falls below it in at most one evening of twenty.

        >>> Plan.of("pass", 3, rolls=4).trough("1/20")
        Fraction(1, 1)

        Raises:
            RulesError: q is not a probability.
        """
        return self._extreme(probability(q), -1)

    def peak(self, q: Number) -> Fraction:
        """The least amount that the peak does not exceed with probability q or more.

        Raises:
            RulesError: q is not a probability.
        """
        return self._extreme(1 - probability(q), 1)

    def _extreme(self, share: Fraction, way: int) -> Fraction:
        """The farthest amount reached with more than this probability, by bisection on evenings."""
        unit, brought = self.positions.unit, Fraction(self.bankroll)
        stop = (
            self.ends.ceiling
            if way > 0
            else (self.ends.floor if self.ends.floor is not None else 0)
        )
        far = None if stop is None else int(abs(stop - brought) // unit)

        def comes(steps: int) -> bool:
            money = brought + way * steps * unit
            return (self.ever(least=money) if way > 0 else self.ever(most=money)) > share

        comes_to, not_to = 0, 1
        while (far is None or not_to <= far) and comes(not_to):
            comes_to, not_to = not_to, 2 * not_to
        not_to = not_to if far is None else min(not_to, far + 1)
        while not_to - comes_to > 1:
            middle = (comes_to + not_to) // 2
            comes_to, not_to = (middle, not_to) if comes(middle) else (comes_to, middle)
        return brought + way * comes_to * unit

    def _about(self) -> int | None:
        """Roughly the rolls of the longest evenings; None if only money ends them."""
        least = 80
        shooters, rounds = 200 * (self.ends.shooters or 0), 8 * (self.ends.rounds or 0)
        counted = [n for n in (shooters, rounds and rounds + least) if n]
        return self.ends.rolls or min(counted, default=None)

    def exactly(self, result: EveningResult) -> EveningResult:
        """The result of a small unlimited evening, in fractions."""
        law: dict[Fraction, Fraction] = {}
        ends: dict[str, Fraction] = {}
        solution = solve(self.game)

        def mean(counter: str) -> Fraction:
            counts = counter in solution.chain.counters
            return solution.mean(counter) if counts else Fraction(0)

        for outcome, p in solution.outcomes.items():
            money = self.bankroll + outcome.profit("evening")
            law[money] = law.get(money, Fraction(0)) + p
            ends[outcome.label] = ends.get(outcome.label, Fraction(0)) + p
        return replace(
            result,
            money=Finite(law, solution.bound, (min(law), max(law))),
            ends=ends,
            mean_rolls=solution.mean_rolls,
            handle=mean("settled"),
            bets=mean("bets"),
            refused=mean("refused") + self.positions.lacking,
        )

    def width(self) -> int:
        """Columns of money enough for nearly all evenings."""
        return amounts(self.positions, self._about(), endless=self.ends.rolls is None)
