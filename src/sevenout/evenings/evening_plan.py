"""An evening: strategy, bankroll, and when the player leaves; how it is solved, and as a game.

`Plan.solve` chooses the engine. A short evening and one repeated bet are followed in whole numbers
(`money_polynomials`), all others in floats with an error bound (`money_lattice`). A small evening
that only money ends is solved as a chain, in fractions.

`Plan.game` is the same evening as a game (`evening_game`), which `evening_certificates` certifies.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from inspect import signature
from math import ceil, inf
from typing import Any, ParamSpec, TypeVar

from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.strategies import strategies
from sevenout.catalogue.strategies.craps_strategies import Scaled, scale_for
from sevenout.documents import Certified
from sevenout.errors import RulesError, shown
from sevenout.evenings.evening_game import EveningGame
from sevenout.evenings.evening_result import QUANTILES, EveningFigures, EveningResult
from sevenout.evenings.money_polynomials import Deferred, RepeatedBet, long_evening, short_evening
from sevenout.evenings.positions import Positions, explored
from sevenout.extras import is_installed
from sevenout.model.graph import not_collecting
from sevenout.numerals import Number, exact, exact_money
from sevenout.rolling import Dice
from sevenout.rolling.distribution import FiniteDistribution, checked_probability, sum_by_key
from sevenout.rules.casino.betting import Bettor, Sitting, Strategy
from sevenout.rules.casino.ends import (
    Ends,
    Stood,
    check_count,
)
from sevenout.rules.casino.felt import Felt, Money, OneBet
from sevenout.solving import solve
from sevenout.wrong_arguments import public

ROLLS_AHEAD = 40
"""A strategy's least bets are found over this many rolls: most strategies have made all by then."""
PACE = 100
"""Rolls per hour at a moderately busy table."""
MAX_EXACT_CELLS = 400
"""Unlimited evenings of up to this many cells are solved in fractions."""


@dataclass(frozen=True, eq=False)
class Plan:
    """A strategy, a bankroll, and when the player leaves.

    Attributes:
        name: of the strategy, as printed.
        bettor: the felt and the strategy.
        bankroll: in the units of the bets.
        ends: when the player leaves.
        hours: None unless they stand in place of rolls.
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
        bets: int | None = None,
        stop_loss: Number | None = None,
        stop_win: Number | None = None,
        target: Number | None = None,
        standing: Stood = "staked",
        house: Felt | None = None,
        name: str | None = None,
    ) -> "Plan":
        """A plan from the arguments of `sevenout.evening`, with the same errors."""
        if isinstance(strategy, str):
            name = name or strategies.entry(strategy).title
            strategy = strategies[strategy]
        bettor = Bettor(House() if house is None else house, strategy)
        money = exact_money(bankroll)
        check_count("pace", pace)
        if hours is not None:
            if rolls is not None:
                raise RulesError(
                    "rolls and hours are both given; give one, because hours are rolls at the pace"
                )
            rolls = ceil(exact(hours) * pace)
            if rolls < 1:
                raise RulesError(f"hours={shown(hours)}; give more than 0")
        ends = Ends.from_limits(
            money,
            rolls=rolls,
            shooters=shooters,
            bets=bets,
            stop_loss=stop_loss,
            stop_win=stop_win,
            target=target,
            standing=standing,
        )
        return cls(
            name=name or type(strategy).__name__,
            bettor=bettor,
            bankroll=money,
            ends=ends,
            hours=None if hours is None else exact(hours),
            pace=pace,
        )

    def until(self, **ends: Any) -> "Plan":
        """The same evening with other fields of its `Ends`."""
        return replace(self, ends=replace(self.ends, **ends))

    @cached_property
    def positions(self) -> Positions:
        """The positions of the evening."""
        return self._explored()

    def _explored(self, mirrored: bool | None = None) -> Positions:
        return explored(self.bettor, self.bankroll, self.ends, mirrored=mirrored)

    @cached_property
    def game(self) -> "EveningGame":
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
            refused = sitting.moments[0].refused[0]  # an evening over before a roll is ruined
            raise RulesError(
                f"a bankroll of {self.bankroll} does not pay for the first bet: {refused}"
            )
        return sitting

    @cached_property
    def repeated_bet(self) -> RepeatedBet | None:
        """The evening as one bet at one stake made again and again; None if it is not."""
        return RepeatedBet.of(self.bettor, self.bankroll, self.ends)

    @not_collecting()
    def solve(self) -> EveningResult:
        """How the evening ends: in fractions where they are affordable, else with a bound."""
        repeated = self.repeated_bet
        if repeated and repeated.max_bets is None:  # a chain of few states, however long it takes
            return self._result(self._as_a_chain(repeated), repeated)
        # an evening that ends by the clock may also be followed in floats; a session may not
        if repeated and (
            repeated.is_affordable(repeated.max_bets or 0) or not repeated.ends_by_time
        ):
            return self._result(repeated.figures(), repeated)
        return self.in_fractions() or self.in_floats()

    def in_fractions(self) -> EveningResult | None:
        """How a short evening ends, exactly; None if it is not short."""
        if self.ends.rolls is None or (figures := short_evening(self.positions)) is None:
            return None
        return self._result(figures)

    def in_floats(self) -> EveningResult:
        """How the evening ends, with an error bound; exact if it is small and without a limit."""
        positions, endless = self.positions, self.ends.rolls is None
        if not is_installed("numpy"):
            if endless and self._is_small():
                return self._result(self._as_a_chain())
            return self._result(long_evening(positions, self.name))
        from sevenout.evenings.money_lattice import figures_in_floats

        figures, cells = figures_in_floats(positions, self.name)
        if endless and cells <= MAX_EXACT_CELLS:
            figures = replace(figures, **self._exact_figures())
        return self._result(figures)

    def _is_small(self) -> bool:
        """Whether a target keeps the money so low that the states are few; a guess of the cells."""
        ceiling = self.ends.ceiling
        columns = None if ceiling is None else ceiling / self.positions.unit
        return columns is not None and columns * len(self.positions.rows) <= MAX_EXACT_CELLS

    def _result(
        self, figures: EveningFigures, repeated: RepeatedBet | None = None
    ) -> EveningResult:
        """The result: what an engine finds out, and what does not depend on chance."""
        felt = self.bettor.felt
        positions = repeated.positions if repeated else self.positions
        bets = {bet for stands in figures.visited for bet in stands}
        flat = [amount for bet, amount in bets if felt.is_flat(bet)]
        refused_bets = self._refused_bet(figures.ends) if repeated else positions.refused_bets
        moves = (move for row in range(len(positions.rows)) for move in positions.moves(row))
        return EveningResult(
            **vars(figures),
            name=self.name,
            bankroll=Fraction(self.bankroll),
            rolls=self.ends.rolls,
            hours=self.hours,
            pace=self.pace,
            end_names={end: self.ends.name_of(end) for end in figures.ends},
            refused_bets=tuple(sorted(refused_bets)),
            clipped=tuple(sorted(positions.clipped_bets)),
            positions=len({row.seat for row in positions.rows}),
            most_at_risk=Fraction(max(map(felt.cost, figures.visited))),
            least_bet=Fraction(min(flat)) if flat else None,
            commission=any(felt.fee(*bet) for bet in bets),
            standing=self.ends.standing == "staked" and any(move.step.stands[1] for move in moves),
        )

    def _as_a_chain(self, repeated: RepeatedBet | None = None) -> EveningFigures:
        """The figures of an evening that only money ends, in fractions: solved as a chain.

        What depends on the roll is computed in floats when it is first looked at: an evening may
        take thousands of rolls.

        Raises:
            RulesError: the money never changes.
        """
        positions = repeated.positions if repeated else self.positions
        # a chain of such steps goes round for ever
        if not any(step.gain or step.to < 0 for steps in positions.steps for step in steps):
            raise RulesError(
                f"{self.name} never bets, so the evening never ends; give rolls or hours"
            )

        @cache
        def roll_by_roll() -> EveningFigures:
            if not is_installed("numpy"):
                return long_evening(positions, self.name)
            from sevenout.evenings.money_lattice import figures_in_floats

            return figures_in_floats(positions, self.name)[0]

        return EveningFigures(
            playing_by_roll=Deferred(lambda: roll_by_roll().playing_by_roll),
            ruin_by_roll=Deferred(lambda: roll_by_roll().ruin_by_roll),
            fan=[(Fraction(self.bankroll),) * len(QUANTILES)],
            fan_rolls=[0],
            visited={row.seat.bets for row in positions.rows},
            **self._exact_figures(repeated),
        )

    def _exact_figures(self, repeated: RepeatedBet | None = None) -> dict[str, Any]:
        """The figures of an evening without a limit on rolls, from its chain."""
        solution = solve(self._game_of_bets() if repeated else self.game)
        outcomes = solution.outcomes.items()
        money = sum_by_key((self.bankroll + o.profit("evening"), p) for o, p in outcomes)

        def mean(counter: str) -> Fraction:
            # a counter that never advances is not one of the chain's
            is_counted = counter in solution.chain.counters
            return solution.mean(counter) if is_counted else Fraction(0)

        # bets refused before the first roll are not part of the chain
        unmade_first_bets = 0 if repeated else self.positions.unmade_first_bets
        slip = solution.mean_rolls * repeated.slip if repeated else 0
        return {
            "money": FiniteDistribution(money, solution.bound + slip, (min(money), max(money))),
            "ends": solution.labels,
            "mean_rolls": solution.mean_rolls,
            "handle": mean("settled"),
            "mean_bets": mean("bets"),
            "refused": mean("refused") + unmade_first_bets,
        }

    def ever(self, *, least: Number | None = None, most: Number | None = None) -> Fraction:
        """The probability that the money is ever at least `least`, or at most `most`, after some
        roll.

        >>> plan = Plan.of("pass", 3, rolls=4)
        >>> plan.ever(least=4), plan.ever(most=1)
        (Fraction(171533, 419904), Fraction(1777, 26244))

        Raises:
            RulesError: not exactly one of them, or it is on the wrong side of the bankroll.
        """
        p = self.ever_within(least=least, most=most)
        return p.value if isinstance(p, Certified) else p

    def ever_within(
        self, *, least: Number | None = None, most: Number | None = None
    ) -> Fraction | Certified:
        """The same with its error bound if certified; errors as `ever`."""
        if (least is None) == (most is None):
            raise RulesError("least= and most= are both missing or both given; give one")
        if least is not None:
            peak = exact_money(least)
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
            p = result.reached
        elif most is not None:
            trough = exact_money(most)
            if trough >= self.bankroll:
                raise RulesError(
                    f"most={shown(most)}; give less than the bankroll, {self.bankroll}"
                )
            if self.ends.floor is not None and trough < self.ends.floor:
                raise RulesError(
                    f"most={shown(most)}; give at least {self.ends.floor}, with which the player "
                    "leaves"
                )
            result = self.until(floor=trough).solve()
            p = result.ends.get("stop loss", Fraction(0))
        return Certified(p, result.bound) if result.bound else p

    def trough(self, q: Number) -> Fraction:
        """The highest amount that the money stays at or above with probability 1 - q or more.

        With q = 1/20, the money falls below it in at most one evening of twenty.

        >>> Plan.of("pass", 3, rolls=4).trough("1/20")
        Fraction(1, 1)

        Raises:
            RulesError: q is not a probability.
        """
        return self._extreme(checked_probability(q), -1)

    def peak(self, q: Number) -> Fraction:
        """The least amount that the peak does not exceed with probability q or more.

        Raises:
            RulesError: q is not a probability.
        """
        return self._extreme(1 - checked_probability(q), 1)

    def _extreme(self, share: Fraction, sign: int) -> Fraction:
        """The farthest amount reached with more than this probability, by bisection on evenings.

        `sign` is 1 for the most money and -1 for the least.
        """
        unit, bankroll = self.positions.unit, Fraction(self.bankroll)
        # the player leaves at a stop, and nobody has less than nothing: no search beyond
        stop = self.ends.ceiling if sign > 0 else self.ends.floor or 0
        max_steps = inf if stop is None else int(abs(stop - bankroll) // unit)

        def is_reached(steps: int) -> bool:
            money = bankroll + sign * steps * unit
            return (self.ever(least=money) if sign > 0 else self.ever(most=money)) > share

        reached, beyond = 0, 1
        while beyond <= max_steps and is_reached(beyond):
            reached, beyond = beyond, 2 * beyond
        beyond = int(min(beyond, max_steps + 1))
        while beyond - reached > 1:
            middle = (reached + beyond) // 2
            reached, beyond = (middle, beyond) if is_reached(middle) else (reached, middle)
        return bankroll + sign * reached * unit

    def _refused_bet(self, ends: Mapping[str, Fraction]) -> set[str]:
        """The only bet of a repeated bet, if it is ever refused: that is ruin."""
        assert isinstance(self.bettor.felt, OneBet)
        return {self.bettor.felt.bet} if ends.get("ruin") else set()

    def _game_of_bets(self) -> "EveningGame":
        """The evening of one bet whose rolls are bets, not the dice of the bet."""
        felt = self.bettor.felt
        assert isinstance(felt, OneBet)
        whole_bets = OneBet(felt.law, bet=felt.bet)
        return replace(self, bettor=replace(self.bettor, felt=whole_bets)).game


P = ParamSpec("P")
R = TypeVar("R")


def _with_arguments_of(plan: Callable[P, Any]) -> Callable[[Callable[..., R]], Callable[P, R]]:
    """Gives a function the arguments and annotations of another, to state them once."""

    def decorated(function: Callable[..., R]) -> Callable[P, R]:
        returned = function.__annotations__["return"]
        function.__annotations__ = plan.__annotations__ | {"return": returned}
        function.__signature__ = signature(plan)  # type: ignore[attr-defined]
        return function

    return decorated


@public
@_with_arguments_of(Plan.of)
def evening(*arguments: Any, **options: Any) -> EveningResult:  # noqa: D417  those of `Plan.of`
    """How an evening at the table ends.

    >>> result = evening("pass", bankroll=3, rolls=4)
    >>> result.mean, result.status, result.profit.support
    (Fraction(45337, 419904), 'exact', (Fraction(-3, 1), Fraction(4, 1)))
    >>> float(evening("pass", bankroll=20, target=40).reached)
    0.36223094043967774

    A bet that the player can't afford is not made; bets on the felt play on. A player with nothing
    on the felt who can't afford the next bet is ruined. Stops count the money in the rail and on
    the felt, after each roll.

    Bets on the felt after the last roll may be "staked": they count at their stakes, as at every
    other end. With "out", each is played until it is settled once. With "down", they are taken down
    where the house allows it, and the others are played out.

    Args:
        strategy: a `Strategy`, or the name of one in `catalogue.strategies`.
        bankroll: in the units of the bets.
        rolls: leave after this many rolls.
        hours: leave after this many hours at `pace`.
        pace: rolls per hour.
        shooters: leave after this many seven-outs.
        bets: leave when this many bets are settled; a player who can't afford the next is ruined.
        stop_loss: leave when the loss reaches this amount.
        stop_win: leave when the win reaches this amount.
        target: leave when the money reaches this amount.
        standing: "staked", "down" or "out".
        house: the table; `sevenout.House()` by default.
        name: of the strategy; its own by default.

    Raises:
        RulesError: no end, too small a bankroll for the first bet, a target already reached, or a
            bet that the house does not allow.
        TooMuchWorkError: more than the budget allows.
    """
    return Plan.of(*arguments, **options).solve()


def at_the_minimum(plan: Plan) -> Plan:
    """The evening with all bets scaled by the least integer that meets the table's minimums.

    >>> at_the_minimum(Plan.of("place-6-8", 300, rolls=9, house=House(minimum=10))).name
    'Place 6 and 8 (×2)'
    """
    felt = plan.bettor.felt
    if not isinstance(felt, House):
        return plan
    # what the strategy would bet at a table without limits, with ample money
    free = Bettor(replace(felt, minimum=0, props=None, maximum=None), plan.bettor.strategy)
    rolls = min(plan.ends.rolls or ROLLS_AHEAD, ROLLS_AHEAD)
    positions = explored(free, plan.bankroll * 1000, Ends(rolls=rolls))
    bets: dict[str, Money] = {}
    for row in positions.rows:
        for bet, amount in row.seat.bets:
            if felt.is_flat(bet):
                bets[bet] = min(amount, bets.get(bet, amount))
    times = scale_for({bet: felt.minimum_of(bet) for bet in bets}, bets)
    if times == 1:
        return plan
    scaled = Bettor(felt, Scaled(plan.bettor.strategy, times))
    return replace(plan, bettor=scaled, name=f"{plan.name} (×{times})")
