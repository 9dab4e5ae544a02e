"""Policies for games of turns: their value, the distribution of their score, simulated games.

A policy turns each decision into a fixed move. The result is a turn without decisions, which the
same engine solves and simulates. A policy that ignores the tally decides once per card; for one
that reads it, the total is part of the card.

*The distribution.* Each card with its total holds a distribution of the score so far. The turn is
solved backwards for the value of every node, then forwards for the probability of each ending.

All terms are sums of products of non-negative numbers, so the relative error of each probability is
below (1 + 2**-53)**n - 1 for n successive roundings (Higham 2002, lemma 3.1). Of options equal in
floats, the first is taken, which changes the mean by less than its error bound.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from copy import copy
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from heapq import nlargest
from inspect import signature
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import SeedSequence

from sevenout.budgets.estimates import afford
from sevenout.documents import Certified, Column, Fact, Facts, HasPage, Page, Table
from sevenout.documents.kinds import COUNT, DECIMAL, FRACTION, LABEL, SCORE
from sevenout.documents.numbers import amount
from sevenout.documents.tables import as_json
from sevenout.errors import NotationError, RulesError, shown
from sevenout.extras import compiled
from sevenout.model import Model, state_name
from sevenout.numerals import Number, exact
from sevenout.rolling.distribution import FiniteDistribution, square_root
from sevenout.rules import KeepRoll
from sevenout.solving.best_play import with_bound
from sevenout.solving.turn_kernel import TurnKernel, add_shares, by_slot
from sevenout.solving.turn_table import ways_on
from sevenout.solving.turn_values import THREADS, Cards, Folded, TurnSolver

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray


TOGETHER = 1 << 16
"""Turns simulated at once."""


QUANTILES = ("1/100", "1/20", "1/4", "1/2", "3/4", "19/20", "99/100")
QUANTILE = [Column("of the games", LABEL), Column("no more than", FRACTION)]


class FinalLaw(FiniteDistribution):
    """The distribution of the final score, as floats; `error` bounds their relative errors.

    >>> coin = FinalLaw({Fraction(0): 0.5, Fraction(1): 0.5}, Fraction(0))
    >>> coin.mean, coin.variance, coin.quantile("1/2"), coin.cdf(0), coin.reached(1)
    (Fraction(1, 2), Fraction(1, 4), Fraction(0, 1), Fraction(1, 2), Fraction(1, 2))
    """

    def __init__(self, chances: Mapping[Fraction, float], error: Fraction) -> None:
        ends = (min(chances), max(chances))
        super().__init__({x: Fraction(p) for x, p in chances.items()}, error, ends)

    @property
    def mean_bound(self) -> Fraction:
        """The error bound of the mean."""
        low, high = self.support
        return self.bound * Fraction(max(abs(low), abs(high)))

    @property
    def known_mean(self) -> Fraction | Certified:
        """The mean, with its error bound unless exact."""
        return with_bound(self.mean, self.mean_bound)

    def reached(self, least: Number) -> Fraction | Certified:
        """The probability of at least this score, with its error bound unless exact."""
        chance = sum((p for x, p in self.probabilities.items() if x >= exact(least)), Fraction(0))
        return with_bound(chance, chance * self.bound)

    def page(self) -> Page:
        """A page: the standard deviation and the quantiles."""
        deviation = Facts(Fact("standard deviation", self.std, DECIMAL.with_digits(6)))
        return Page("The result of a game", deviation, Table(QUANTILE, quantiles(self)))

    def to_dict(self) -> dict[str, Any]:
        """As data: exact figures as strings."""
        return {
            "mean": as_json(self.mean),
            "deviation": self.std,
            "error": as_json(self.bound),
            "chances": {str(x): float(p) for x, p in self.probabilities.items()},
        }


class PlayedTurns(FiniteDistribution, HasPage):
    """The distribution of scores in simulated games, with their expected value.

    Attributes:
        goal: the objective, by name.
        games: their number.
        how: the policy, in words.
        value: the expected value.
        within: its error bound.
    """

    def __init__(self, play: "Play", scored: "NDArray[np.int64]") -> None:
        values, times = np.unique(scored, return_counts=True)
        self.goal, self.games, self.how = play.solver.goal.name, len(scored), play.how
        self.value, self.within = play.value, play.bound
        unit = play.solver.unit
        pairs = zip(values.tolist(), times.tolist(), strict=True)
        super().__init__({Fraction(x, unit): Fraction(n, self.games) for x, n in pairs})

    @cached_property
    def deviation(self) -> float:
        """The sample standard deviation of a game."""
        n = self.games
        return square_root(self.variance * n / (n - 1)) if n > 1 else 0.0

    @property
    def z(self) -> float | None:
        """The mean's distance from the value in standard errors; None for one game."""
        error = self.deviation / self.games**0.5
        return float(self.mean - self.value) / error if error else None

    def page(self) -> Page:
        """The simulated figures beside the exact ones."""
        games = Facts(Fact("games", self.games, COUNT, note=f"{self.goal}, {self.how}"))
        return Page("", games, moments(self), Table(QUANTILE, quantiles(self)))

    def to_dict(self) -> dict[str, Any]:
        """As data: exact figures as strings."""
        return {
            "goal": self.goal,
            "games": self.games,
            "mean": as_json(self.mean),
            "deviation": self.deviation,
            "value": as_json(self.value),
            "bound": as_json(self.within),
            "z": self.z,
            "quantiles": {q: as_json(self.quantile(q)) for q in QUANTILES},
        }


class CardWays:
    """The ways on from card `s`: a class of an entry, and its immediate pay.

    Attributes:
        prepared: the entries of the card.
        kernel: the turn on the card.
        work: the value of every slot, (chunks, slots, lanes).
        chances: the probability of each slot, (slots, lanes).
        taken: the entry taken from each ending, (endings, lanes).
        rows: the place of the value that follows, (classes of all entries, lanes).
        row, pay: of each way, its class of an entry and the index of its pay.
        way_by_entry: the way by entry and ending.
    """

    def __init__(self, solver: TurnSolver, s: int) -> None:
        entries = solver.cards.entries[s]
        self.prepared = solver.entries_on(s)
        lanes = self.prepared.rows.shape[1]
        self.rows = solver.rows(s, lanes)
        pays = len(solver.paid)
        rows = self.prepared.first[:, None] + self.prepared.classes
        keys, names = np.unique(rows * pays + self.prepared.paid, return_inverse=True)
        self.way_by_entry = names.reshape(len(entries), -1)
        self.row, self.pay = keys // pays, keys % pays
        self.kernel = solver.kernel_on(s)
        self.work = self.kernel.card_values(self.prepared)
        self.chances, self.taken = self.kernel.forward_pass(self.prepared, self.work)

    def ways(self, endings: "NDArray[np.int64]", lanes: "NDArray[np.int64]") -> "NDArray[np.int64]":
        """The way taken from each ending, in its lane."""
        taken: NDArray[np.int64] = self.way_by_entry[self.taken[endings, lanes], endings]
        return taken

    def shares(self, lanes: int) -> "NDArray[np.float64]":
        """The probability of each way in the first lanes: (ways, lanes)."""
        endings = np.arange(len(self.taken))[:, None]
        cells = self.way_by_entry[self.taken[:, :lanes], endings] * lanes + np.arange(lanes)
        chances = self.chances[: len(self.taken), :lanes]
        sums = np.bincount(cells.ravel(), chances.ravel(), len(self.row) * lanes)
        return sums.reshape(-1, lanes).astype(np.float64)


class _ScoreLaws:
    """The distributions of the score so far by card and total, freed after use.

    Scores are in units from the least that a card can hold. A card's block of a level has a row of
    `width` numbers for each of its totals.

    Attributes:
        solver: the values in floats.
        steps: the possible pays, in units.
        low, high: by card, then outcome, the least and the largest score so far, in units.
        order: the cards that are played, from the first on.
        width, sizes: by card, the numbers of a row, and of all rows.
        offset: by card, where its rows begin in its level.
        total: by turns left, the numbers of the level.
        masses: by turns left, the distributions; levels are made when reached, and freed.
        roundings: by card, the most roundings of its probabilities.
    """

    def __init__(self, solver: TurnSolver) -> None:
        self.solver, cards = solver, solver.cards
        self.steps = solver.steps.tolist()
        self.low, self.high = [0] * len(cards.left), [-1] * len(cards.left)
        self.low[0] = self.high[0] = 0
        self.order = [s for level in reversed(solver.levels) for s in level]
        reach: set[int] = {0}
        for s in self.order:
            for entry in cards.entries[s]:
                read = cards.reads[entry.read]
                pays = solver.entry_pays[entry.payment]
                for c, target in enumerate(entry.targets):
                    paid = [self.steps[i] for i in set(pays[read.classes == c].tolist())]
                    t = cards.place_of(target)
                    low, high = self.low[s] + min(paid), self.high[s] + max(paid)
                    seen = t in reach
                    self.low[t] = min(self.low[t], low) if seen else low
                    self.high[t] = max(self.high[t], high) if seen else high
                    reach.add(t)
        self.width = [high - low + 1 for low, high in zip(self.low, self.high, strict=True)]
        self.sizes = [
            len(totals) * width for totals, width in zip(solver.totals, self.width, strict=True)
        ]
        cards_by_turns: dict[int, list[int]] = {}
        for s, left in enumerate(cards.left):
            cards_by_turns.setdefault(left, []).append(s)
        self.offset = [0] * len(cards.left)
        self.total: dict[int, int] = {}
        for left, members in cards_by_turns.items():
            ends = [0, *accumulate(self.sizes[s] for s in members)]
            self.total[left] = ends[-1]
            for s, start in zip(members, ends[:-1], strict=True):
                self.offset[s] = start
        # Two neighbouring levels are held at a time; the others are freed, or not made yet.
        held = [self.total[left] for left in sorted(self.total)]
        most = max(a + b for a, b in pairwise([0, *held]))
        afford("the distribution of the score", memory=8.0 * most, instead="ask for the mean alone")
        self._tables = np.array([self.offset, self.width, self.low, cards.left], np.int64)
        self.masses: dict[int, NDArray[np.float64]] = {}
        self.roundings = [0] * len(cards.left)

    def _masses_at(self, left: int) -> "NDArray[np.float64]":
        if left not in self.masses:
            self.masses[left] = np.zeros(self.total[left])
        return self.masses[left]

    def law(self) -> FinalLaw:
        cards = self.solver.cards
        self._masses_at(cards.left[0])[self.offset[0]] = 1.0
        with ThreadPoolExecutor(THREADS) as pool:
            for left, level in reversed([*enumerate(self.solver.levels, 1)]):
                if not level:  # a policy that never reaches such a card
                    continue
                parts = pool.map(self._parts, level)
                for s, (shares, lanes, places, steps) in zip(level, parts, strict=True):
                    self._move(s, shares, lanes, places, steps)
                del self.masses[left]
        return self._final()

    def _parts(self, s: int) -> "tuple[NDArray[Any], ...]":
        """The moves from a card: shares, lanes, destinations and pay."""
        lanes = len(self.solver.totals[s])
        ways = CardWays(self.solver, s)
        shares = ways.shares(lanes)
        way, lane = np.nonzero(shares)
        steps = self.solver.steps[ways.pay[way]]
        return shares[way, lane], lane, ways.rows[ways.row[way], lane], steps

    def _move(
        self,
        s: int,
        shares: "NDArray[np.float64]",
        lanes: "NDArray[np.int64]",
        places: "NDArray[np.int64]",
        steps: "NDArray[np.int64]",
    ) -> None:
        solver, cards = self.solver, self.solver.cards
        source = self._masses_at(cards.left[s])
        targets = np.searchsorted(solver.offsets, places, side="right") - 1
        inside = places - solver.offsets[targets]
        offset, width, low, left = self._tables[:, targets]
        to = offset + inside * width + self.low[s] + steps - low
        start = self.offset[s] + lanes * self.width[s]
        roundings = self.roundings[s] + solver.kernel.merges + solver.kernel.endings + 2
        for level in np.unique(left).tolist():
            mine = left == level
            moves = (shares[mine], start[mine], to[mine])
            compiled(add_shares)(moves, self.width[s], source, self._masses_at(level))
        for t, count in zip(*np.unique(targets, return_counts=True), strict=True):
            self.roundings[t] = max(self.roundings[t], roundings) + int(count)

    def _final(self) -> FinalLaw:
        solver, chances = self.solver, dict[Fraction, float]()
        for place, value in solver.ends.items():
            t = int(np.searchsorted(solver.offsets, place, side="right")) - 1
            start = self.offset[t] + (place - int(solver.offsets[t])) * self.width[t]
            masses = self._masses_at(0)[start : start + self.width[t]]
            for i in np.flatnonzero(masses).tolist():
                amount = value + Fraction(self.low[t] + i, solver.unit)
                chances[amount] = chances.get(amount, 0.0) + float(masses[i])
        roundings = max(self.roundings) + len(solver.ends)
        # (1 + u)^n - 1 is below nu / (1 - nu), for the unit roundoff u of 2**-53.
        error = Fraction(roundings, 2**53 - roundings)
        return FinalLaw(chances, error)


def short_sighted(solver: TurnSolver) -> TurnSolver:
    """The same game, where no card has a value: each turn is played for its own pay alone."""
    greedy = copy(solver)
    greedy.values = np.zeros_like(solver.values)
    return greedy


def simulated_scores(solver: TurnSolver, games: int, seed: int) -> "NDArray[Any]":
    """Simulate games as the values of their cards have them played; their scores in units.

    Every die is rolled (Philox); games on the same card are played together.

    Raises:
        RulesError: a bad number of games or seed, or amounts or weights beyond 64 bits.
        TooMuchWorkError: too many games for the budget.
    """
    for name, given, least in (("games", games, 1), ("seed", seed, 0)):
        if isinstance(given, bool) or not isinstance(given, int) or given < least:
            raise RulesError(f"{name}={shown(given)}; give a whole number, {least} or more")
    cards, kernel, steps = solver.cards, solver.kernel, solver.steps
    if kernel.weights is None:
        raise RulesError("the turn's weights are too large to be rolled in words of 64 bits")
    rolls = games * len(cards.levels) * kernel.longest
    afford(f"{rolls:,} rolls", seconds=2e-8 * rolls, memory=64.0 * games, instead="play fewer")
    # A stream for each card, by its number: the order of threads can't change a game.
    stream = SeedSequence(seed).generate_state(1, np.uint64)[0]
    place, scored = np.zeros(games, np.int64), np.zeros(games, np.int64)

    def play(s: int, mine: "NDArray[np.int64]") -> None:
        random = np.random.Generator(np.random.Philox(key=[stream, s]))
        ways = CardWays(solver, s)
        lanes = place[mine] - solver.offsets[s]
        for part in np.array_split(np.arange(len(mine)), len(mine) // TOGETHER + 1):
            rolls = random.integers(kernel.sides, size=(len(part), kernel.longest))
            endings = ways.kernel.simulate(ways.work, lanes[part], rolls)
            way = ways.ways(endings, lanes[part])
            scored[mine[part]] += steps[ways.pay[way]]
            place[mine[part]] = ways.rows[ways.row[way], lanes[part]]

    with ThreadPoolExecutor(THREADS) as pool:
        for level in reversed(cards.levels):
            card = np.searchsorted(solver.offsets, place, side="right") - 1
            order = np.argsort(card, kind="stable")
            played_cards, first = np.unique(card[order], return_index=True)
            groups = dict(zip(played_cards.tolist(), np.split(order, first[1:]), strict=True))
            list(pool.map(play, *zip(*((s, groups[s]) for s in level if s in groups), strict=True)))
    ends, which = np.unique(place, return_inverse=True)
    last = np.array([int(solver.ends[p] * solver.unit) for p in ends.tolist()], np.int64)
    return scored + last[which]


def moments(seen: "PlayedTurns", law: "FinalLaw | None" = None) -> Table:
    """The mean and standard deviation of simulated games beside the exact ones."""
    rows: list[list[Any]] = [["mean", seen.mean, with_bound(seen.value, seen.within), seen.z]]
    rows.append(["standard deviation", seen.deviation, law and law.std, None])
    columns = ["", Column("seen", DECIMAL), Column("exact", DECIMAL)]
    return Table([*columns, Column("z", SCORE)], rows)


def quantiles(*laws: "FinalLaw | PlayedTurns") -> list[list[Any]]:
    """The score that a share of the games does not exceed: a row per share."""
    return [
        [f"{amount(100 * Fraction(q))} %", *(law.quantile_cell(q) for law in laws)]
        for q in QUANTILES
    ]


TurnPolicy = Callable[..., Any] | Mapping[Any, Any] | str
"""A function or table of (card, state of the turn) or (card, tally, state of the turn); or one of
these words.
"""
BEST, GREEDY = "best", "greedy"

SECONDS_PER_DECISION = 5e-6
"""Seconds per decision of a policy."""


class PolicyMoves:
    """The moves of a policy on each reachable card.

    Attributes:
        decisions: those that follow a roll, as states of the turn.
        kernel: the turn with more roundings, since fixed decisions merge ways.
        levels: the reachable cards by the most turns left, the last turn first.
        nodes: the decisions that follow a roll, as nodes of the kernel.
        slots: by card, where each decision leads.
        entries: by card, the entry taken for each ending.
    """

    def __init__(
        self, cards: Cards, turn: Model, kernel: TurnKernel, ask: Callable[[Any, Any], Any]
    ) -> None:
        self._cards, self._turn, self._ask = cards, turn, ask
        n, k = len(turn.states), len(turn.outcomes)
        rolls = [s for s in range(n) if not turn.menus[s]]
        # Only decisions that follow a roll are asked; others are passed on the way (`_follow`).
        after = {t for s in rolls for t in turn.targets[turn.first[s] : turn.first[s + 1]]} | {0}
        self.decisions = [s for s in sorted(after) if s < n and turn.menus[s]]
        _afford_decisions((len(self.decisions) + k) * len(cards.cards))
        self._slot = {s: k + i for i, s in enumerate(kernel.nodes)} | {n + i: i for i in range(k)}
        self._plans = {s: ways_on(turn, cards.game.turn, s) for s in self.decisions}
        self._known: dict[tuple[int, Any], int] = {}
        self.nodes = np.array([self._slot[s] - k for s in self.decisions], np.int64)
        # A fixed decision skips to a later slot: each may add an arrival there, once per roll.
        self.kernel = replace(kernel, merges=kernel.merges + len(self.nodes) * kernel.longest)
        self.slots: dict[int, NDArray[np.int64]] = {}
        self.entries: dict[int, NDArray[np.int64]] = {}
        up = {0}
        for level in reversed(cards.levels):
            for s in up.intersection(level):
                up |= self._decide(s)
        self.levels = [[s for s in level if s in up] for level in cards.levels]

    def plan(self, decision: int, slot: int) -> str:
        """The plan taken at a decision, from where it led."""
        names = self._plans[self.decisions[decision]]
        return next(name for target, name in names.items() if self._slot[target] == slot)

    def _decide(self, s: int) -> set[int]:
        """Make all decisions on a card; return the possible next cards."""
        cards, turn = self._cards, self._turn
        card, named = cards.cards[s], {entry.name: i for i, entry in enumerate(cards.entries[s])}
        led = [self._slot[self._follow(card, node)] for node in self.decisions]
        self.slots[s] = np.array(led, np.int64)
        taken, after = [], set()
        # Every ending is asked, also one that the rolls can't reach on this card.
        for e, ending in enumerate(turn.outcomes):
            answer = self._ask(card, ending)
            which = named.get(answer) if isinstance(answer, str) else None
            c = -1 if which is None else int(cards.reads[cards.entries[s][which].read].classes[e])
            if which is None or c < 0:
                reads = ((x.name, cards.reads[x.read].classes[e]) for x in cards.entries[s])
                raise _refusal(answer, card, ending.label, [name for name, c in reads if c >= 0])
            taken.append(which)
            after.add(cards.entries[s][which].targets[c])
        self.entries[s] = np.array(taken, np.int64)
        return {t for t in after if t >= 0}

    def _follow(self, card: Any, node: int) -> int:
        """The roll or ending that a decision leads to."""
        turn = self._turn
        while True:
            answer = self._ask(card, turn.states[node])
            # What is kept may be a list of dice, which is no key.
            if isinstance(answer, Iterable) and not isinstance(answer, str):
                answer = " ".join(map(str, answer)) or "none"
            target = self._known.get((node, answer)) if isinstance(answer, str) else None
            if target is None:
                target = self._target_of(card, node, answer)
                self._known[node, answer] = target
            if target >= len(turn.states) or not turn.menus[target]:
                return target
            node = target

    def _target_of(self, card: Any, node: int, answer: Any) -> int:
        """Where an answer leads: an option, or the dice kept, in any order."""
        turn, rules = self._turn, self._cards.game.turn
        plans = ways_on(turn, rules, node)
        state: Any = turn.states[node]
        if isinstance(answer, str):
            if answer in turn.menus[node]:
                return turn.targets[turn.first[node] + turn.menus[node].index(answer)]
            if isinstance(rules, KeepRoll):
                with suppress(NotationError):
                    answer = rules.keep(state, answer.removeprefix("keep "))[0]
        for target, name in plans.items():
            if name == answer:
                return target
        state_text = (
            rules.state_in_words(state) if isinstance(rules, KeepRoll) else state_name(state)
        )
        raise _refusal(answer, card, state_text, [*turn.menus[node], *plans.values()])


def _afford_decisions(times: int) -> None:
    """Refuse a policy with too many decisions."""
    instead = "let the policy be a function of the card and the state of the turn"
    afford(
        f"a policy that is asked {times:,} times",
        seconds=SECONDS_PER_DECISION * times,
        instead=instead,
    )


def _refusal(answer: Any, card: Any, state_text: str, options: list[str]) -> RulesError:
    more = ", ..." if len(options) > 8 else ""
    return RulesError(
        f"the policy returned {shown(answer)} with {state_text} on the card {shown(card)}; the "
        f"options are: {', '.join(options[:8])}{more}"
    )


class Play:
    """A game of turns under optimal or greedy play.

    Greedy play maximizes the pay of each turn by itself. Of equal entries it takes the first on the
    card.

    Attributes:
        solver: the values of the cards.
        value: the expected value.
        bound: its error bound; 0 if exact.
        how: the policy, in words.
    """

    def __init__(
        self, solver: TurnSolver, value: tuple[Fraction, Fraction] | None = None, how: str = ""
    ) -> None:
        self.solver = solver
        # Greedy play has no value but the mean of its law: its solver plays for another goal.
        self.value, self.bound = value or (self.law.mean, self.law.mean_bound)
        self.how = how or "played greedily"

    @cached_property
    def law(self) -> "FinalLaw":
        """The distribution of the final score."""
        return _ScoreLaws(self.solver).law()

    def simulate(self, games: int, seed: int = 1) -> "PlayedTurns":
        """Simulate games, with every die rolled.

        Raises:
            RulesError: a bad number of games or seed, or amounts or weights beyond 64 bits.
            TooMuchWorkError: too many games for the budget.
        """
        return PlayedTurns(self, simulated_scores(self.solver, games, seed))

    def costliest_mistakes(self, limit: int) -> "list[tuple[Any, str]]":
        """Reachable states with a mistake, and the option taken; not computed for greedy play."""
        return []


class PolicyPlay(Play):
    """A game of turns under a policy."""

    def __init__(self, best: TurnSolver, policy: TurnPolicy) -> None:
        self._best, turn, game = best, best.turn, best.cards.game
        ask, reads_tally = _asked(policy)
        self._folds = reads_tally and game.tally is not None
        cards = best.cards
        if self._folds:
            _afford_decisions(cards.states * (len(turn.node_by_key) + len(turn.outcomes)))
            cards = Cards(Folded(game), best.goal, turn.outcomes)
        elif reads_tally:
            ask_with_total = ask

            def ask(card: Any, state: Any) -> Any:
                return ask_with_total((card, 0), state)

        self._moves = PolicyMoves(cards, turn, best.kernel, ask)
        solver = TurnSolver(cards, turn, self._moves.kernel, self._moves)
        super().__init__(solver, (solver.value(), solver.bound), "played by a policy")

    def costliest_mistakes(self, limit: int) -> "list[tuple[Any, str]]":
        """The most costly for each card and dice."""
        costliest_by_place: dict[tuple[int, int], tuple[float, int, int]] = {}
        for cost, s, total, which in self._costs(limit):
            card = self._place(s, np.array([0]))[0], which
            if cost > costliest_by_place.get(card, (0.0, 0, 0))[0]:
                costliest_by_place[card] = cost, s, total
        costliest = nlargest(limit, costliest_by_place.items(), key=lambda item: item[1][0])
        return [self._state(s, total, which) for (_, which), (_, s, total) in costliest]

    def _costs(self, limit: int) -> "Iterator[tuple[float, int, int, int]]":
        """The decisions on each reachable card by cost: (cost, card, total, decision)."""
        best, mine = self._best, self.solver
        up = np.zeros(len(mine.values), bool)
        up[0] = True
        for level in reversed(mine.levels):
            for s in level:
                lanes = np.flatnonzero(up[mine.offsets[s] : mine.offsets[s + 1]])
                if not len(lanes):  # the card is answered for, but no rolls lead there
                    continue
                ways = CardWays(mine, s)
                way, lane = np.nonzero(ways.shares(len(mine.totals[s]))[:, lanes])
                up[ways.rows[ways.row[way], lanes[lane]]] = True
                card, totals = self._place(s, mine.totals[s][lanes])
                theirs = np.searchsorted(best.totals[card], totals)
                prepared = best.entries_on(card)
                work = by_slot(best.kernel.card_values(prepared))[:, theirs]
                endings = np.arange(best.kernel.endings)
                entry = self._moves.entries[s]
                row = prepared.first[entry] + prepared.classes[entry, endings]
                paid = prepared.rewards[prepared.paid[entry, endings]]
                done = prepared.rows[row][:, theirs] + paid[:, None]
                led = np.concatenate([work[self._moves.slots[s]], done])
                slots = np.concatenate([self._moves.nodes + best.kernel.endings, endings])
                cost = (work[slots] - led) * best.goal.sense
                cost[ways.chances[slots][:, lanes] == 0] = 0
                # For each card and dice only the costliest total is listed.
                column = cost.argmax(axis=1)
                costliest = cost.max(axis=1)
                for which in np.argsort(-costliest, kind="stable")[:limit].tolist():
                    total = int(totals[column[which]])
                    yield float(costliest[which]), s, total, which

    def _place(self, s: int, totals: "NDArray[np.int64]") -> "tuple[int, NDArray[np.int64]]":
        """The card and totals in the optimal solution."""
        if not self._folds:
            return s, totals
        folded: Any = self.solver.cards.cards[s]
        return self._best.cards.index(folded[0]), np.array([folded[1]])

    def _state(self, s: int, total: int, decision: int) -> tuple[Any, str]:
        """The state of a decision, and the option taken."""
        cards, moves = self.solver.cards, self._moves
        card: Any = cards.cards[s]
        if self._folds:
            card = card[0]
        if decision < len(moves.decisions):
            inner: Any = self.solver.turn.states[moves.decisions[decision]]
            return (card, total, inner), moves.plan(decision, int(moves.slots[s][decision]))
        e = decision - len(moves.decisions)
        entry = cards.entries[s][int(moves.entries[s][e])]
        return (card, total, cards.endings[e]), entry.name


def _asked(policy: TurnPolicy) -> tuple[Callable[[Any, Any], Any], bool]:
    """The policy as a function of card and state of the turn, and whether it reads the tally."""
    if isinstance(policy, Mapping):
        table = policy

        def look_up(card: Any, inner: Any) -> Any:
            state = (*card, inner)
            if state not in table:
                raise RulesError(f"the policy gives no option in state {shown(state)}")
            return table[state]

        return look_up, True
    if not callable(policy):
        raise RulesError(
            f"{shown(policy)} is not a policy; give a function of the card and the state of the "
            "turn"
        )
    if _argument_count(policy) == 2:
        return policy, False
    function = policy
    return (lambda card, inner: function((*card, inner))), True


def _argument_count(policy: Callable[..., Any]) -> int:
    """The number of required arguments of a policy; 1 if unknown."""
    try:
        every = signature(policy).parameters.values()
    except (TypeError, ValueError):
        return 1
    # A default makes an argument optional, and then it is not meant for the state.
    must = [p for p in every if p.default is p.empty and p.kind <= p.POSITIONAL_OR_KEYWORD]
    takes = len(must) or (0 if not every else 1)
    if takes not in (1, 2) or any(p.kind is p.KEYWORD_ONLY and p.default is p.empty for p in every):
        name = getattr(policy, "__name__", "") or shown(policy)
        raise RulesError(
            f"{name} is not a policy; it must take the card and the state of the turn, or one "
            "tuple (card, tally, state of the turn)"
        )
    return takes
