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
from inspect import signature
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

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
from sevenout.solving.turn_kernel import TurnKernel, add_shares, by_slot, slot_by_target
from sevenout.solving.turn_table import combined_choices
from sevenout.solving.turn_values import THREADS, Cards, Folded, TurnSolver

if TYPE_CHECKING:
    from numpy.typing import NDArray


BATCH_SIZE = 1 << 16
"""The most turns of a batch."""


QUANTILES = ("1/100", "1/20", "1/4", "1/2", "3/4", "19/20", "99/100")
"""The shares of games whose highest score is printed."""
QUANTILE_COLUMNS = [Column("of the games", LABEL), Column("no more than", FRACTION)]


class ScoreDistribution(FiniteDistribution):
    """The distribution of the final score, computed in floats.

    >>> coin = ScoreDistribution({Fraction(0): 0.5, Fraction(1): 0.5}, Fraction(0))
    >>> coin.mean, coin.variance, coin.quantile("1/2"), coin.cdf(0), coin.p_at_least(1)
    (Fraction(1, 2), Fraction(1, 4), Fraction(0, 1), Fraction(1, 2), Fraction(1, 2))

    Args:
        chances: the probability of each possible score.
        error: the bound of their relative errors; 0 if exact.
    """

    def __init__(self, chances: Mapping[Fraction, float], error: Fraction) -> None:
        ends = (min(chances), max(chances))
        # No probability exceeds 1, so the relative bound also bounds the absolute error.
        super().__init__({x: Fraction(p) for x, p in chances.items()}, error, ends)

    @property
    def mean_bound(self) -> Fraction:
        """The error bound of the mean."""
        low, high = self.support
        return self.bound * Fraction(max(abs(low), abs(high)))

    @property
    def mean_with_bound(self) -> Fraction | Certified:
        """The mean, with its error bound unless exact."""
        return with_bound(self.mean, self.mean_bound)

    def p_at_least(self, score: Number) -> Fraction | Certified:
        """The probability of this score or more, with its error bound unless exact."""
        least = exact(score)
        chance = sum((p for x, p in self.probabilities.items() if x >= least), Fraction(0))
        return with_bound(chance, chance * self.bound)

    def page(self) -> Page:
        """A page: the standard deviation and the quantiles."""
        deviation = Facts(Fact("standard deviation", self.std, DECIMAL.with_digits(6)))
        return Page("The result of a game", deviation, Table(QUANTILE_COLUMNS, quantiles(self)))

    def to_dict(self) -> dict[str, Any]:
        """As data: exact figures as strings."""
        return {
            "mean": as_json(self.mean),
            "deviation": self.std,
            "error": as_json(self.bound),
            "chances": {str(x): float(p) for x, p in self.probabilities.items()},
        }


class SimulatedScores(FiniteDistribution, HasPage):
    """The distribution of scores in simulated games, with their expected value.

    Attributes:
        goal: the objective, by name.
        games: their number.
        policy_in_words: how they were played.
        value: the expected value.
        value_bound: its error bound.
    """

    def __init__(self, play: "Play", scores_in_units: "NDArray[np.int64]") -> None:
        scores, times = np.unique(scores_in_units, return_counts=True)
        self.goal, self.games = play.solver.goal.name, len(scores_in_units)
        self.policy_in_words = play.policy_in_words
        self.value, self.value_bound = play.value, play.bound
        unit = play.solver.unit
        pairs = zip(scores.tolist(), times.tolist(), strict=True)
        super().__init__({Fraction(x, unit): Fraction(n, self.games) for x, n in pairs})

    @cached_property
    def sample_std(self) -> float:
        """The sample standard deviation of a game, with the divisor n - 1; 0 for one game."""
        n = self.games
        return square_root(self.variance * n / (n - 1)) if n > 1 else 0.0

    @property
    def z(self) -> float | None:
        """The mean's distance from the value in standard errors; None if all scores are equal."""
        error = self.sample_std / self.games**0.5
        return float(self.mean - self.value) / error if error else None

    def page(self) -> Page:
        """The simulated figures beside the exact ones."""
        games = Facts(Fact("games", self.games, COUNT, note=f"{self.goal}, {self.policy_in_words}"))
        return Page("", games, moments(self), Table(QUANTILE_COLUMNS, quantiles(self)))

    def to_dict(self) -> dict[str, Any]:
        """As data: exact figures as strings."""
        return {
            "goal": self.goal,
            "games": self.games,
            "mean": as_json(self.mean),
            "deviation": self.sample_std,
            "value": as_json(self.value),
            "bound": as_json(self.value_bound),
            "z": self.z,
            "quantiles": {q: as_json(self.quantile(q)) for q in QUANTILES},
        }


class CardTransitions:
    """How a turn on card `s` ends: its transitions to next cards, in every lane.

    A transition is a class of an entry with a pay. Its target depends on the lane as well.

    Attributes:
        entries: of the card.
        kernel: the turn on the card.
        work: the value of every slot, (chunks, slots, lanes of a chunk).
        chances: the probability of each slot, (slots, lanes).
        best_entries: the entry that each ending takes, (endings, lanes).
        next_cells: the cell that follows, (classes of all entries, lanes).
        rows: of each transition, its row in `next_cells`.
        pay_indices: of each transition, the index of its pay.
        by_entry: the transition of each entry and ending.
    """

    def __init__(self, solver: TurnSolver, s: int) -> None:
        self.entries = solver.entries_on(s)
        self.next_cells = solver.next_cells(s, lanes=self.entries.rows.shape[1])
        pays = len(solver.pays)
        rows = self.entries.first[:, None] + self.entries.classes
        # One key for a row and a pay; entries that don't take an ending are never looked up.
        keys, transitions = np.unique(rows * pays + self.entries.pay_indices, return_inverse=True)
        self.by_entry = transitions.reshape(rows.shape)
        self.rows, self.pay_indices = keys // pays, keys % pays
        self.kernel = solver.kernel_on(s)
        self.work = self.kernel.slot_values(self.entries)
        self.chances, self.best_entries = self.kernel.forward_pass(self.entries, self.work)

    def after(
        self, endings: "NDArray[np.int64]", lanes: "NDArray[np.int64]"
    ) -> "NDArray[np.int64]":
        """The transition after each ending, in its lane."""
        transitions: NDArray[np.int64] = self.by_entry[self.best_entries[endings, lanes], endings]
        return transitions

    def probabilities(self, lanes: int) -> "NDArray[np.float64]":
        """The probability of each transition in the first lanes: (transitions, lanes)."""
        endings = np.arange(len(self.best_entries))[:, None]
        flat = self.by_entry[self.best_entries[:, :lanes], endings] * lanes + np.arange(lanes)
        chances = self.chances[: len(self.best_entries), :lanes]
        sums = np.bincount(flat.ravel(), chances.ravel(), len(self.rows) * lanes)
        return sums.reshape(-1, lanes).astype(np.float64)


class _ScoreDistributions:
    """The distributions of the score so far by card and total, freed after use.

    How it works. From the first card on, each card hands shares of its distributions to the cells
    that follow. The cells of the same number of turns left share one array, in which a card has a
    block: a row of `widths` numbers for each of its totals. Scores are in units, from the least
    that a card can hold.

    Attributes:
        solver: the values of the cards.
        low, high: by card, then outcome, the least and the largest score so far, in units.
        widths: by card, then outcome, the numbers of a row: high - low + 1.
        offsets: by card, then outcome, where its block begins.
        sizes: by turns left, the numbers of the array.
        masses: by turns left, the array; made when it is reached.
        roundings: by card, then outcome, the most roundings of its probabilities.
    """

    def __init__(self, solver: TurnSolver) -> None:
        self.solver, turns_left = solver, solver.cards.turns_left
        self._carry_ranges()
        self.widths = [high - low + 1 for low, high in zip(self.low, self.high, strict=True)]
        self.offsets = [0] * len(turns_left)
        self.sizes = [0] * (max(turns_left) + 1)
        for s, left in enumerate(turns_left):
            self.offsets[s] = self.sizes[left]
            self.sizes[left] += len(solver.totals[s]) * self.widths[s]
        # Two neighbouring levels are held at a time; the others are freed, or not made yet.
        held = max(a + b for a, b in pairwise(self.sizes))
        afford("the distribution of the score", memory=8.0 * held, instead="ask for the mean alone")
        self._blocks = np.array([self.offsets, self.widths, self.low, turns_left], np.int64)
        self.masses: dict[int, NDArray[np.float64]] = {}
        self.roundings = [0] * len(turns_left)

    def _carry_ranges(self) -> None:
        """Carry the least and the largest score forward, from 0 on the first card."""
        solver, cards = self.solver, self.solver.cards
        pays = solver.pays_in_units.tolist()
        # A card that is never reached has no scores: its width is -1 - 0 + 1 = 0.
        self.low, self.high = [0] * len(cards.turns_left), [-1] * len(cards.turns_left)
        self.high[0] = 0
        reached = {0}
        for s in chain.from_iterable(reversed(solver.levels)):
            for entry in cards.entries[s]:
                classes = cards.readings[entry.reading].class_by_ending
                indices = solver.pay_indices[entry.payment]
                for c, target in enumerate(entry.targets):
                    possible = [pays[i] for i in set(indices[classes == c].tolist())]
                    low, high = self.low[s] + min(possible), self.high[s] + max(possible)
                    t = cards.index_of_target(target)
                    self.low[t] = min(self.low[t], low) if t in reached else low
                    self.high[t] = max(self.high[t], high) if t in reached else high
                    reached.add(t)

    def _masses_at(self, left: int) -> "NDArray[np.float64]":
        if left not in self.masses:
            self.masses[left] = np.zeros(self.sizes[left])
        return self.masses[left]

    def final(self) -> ScoreDistribution:
        """The distribution at the end of the game."""
        cards = self.solver.cards
        self._masses_at(cards.turns_left[0])[self.offsets[0]] = 1.0
        with ThreadPoolExecutor(THREADS) as pool:
            for left, level in reversed([*enumerate(self.solver.levels, 1)]):
                if not level:  # a policy that never reaches such a card
                    continue
                # The turns are solved side by side; the shares are added in the cards' order.
                for s, shares in zip(level, pool.map(self._shares, level), strict=True):
                    self._hand_on(s, *shares)
                del self.masses[left]
        return self._outcome_scores()

    def _shares(self, s: int) -> "tuple[NDArray[Any], ...]":
        """What a card hands on: probabilities, lanes, next cells and pays in units."""
        lanes = len(self.solver.totals[s])
        transitions = CardTransitions(self.solver, s)
        probabilities = transitions.probabilities(lanes)
        transition, lane = np.nonzero(probabilities)
        cells = transitions.next_cells[transitions.rows[transition], lane]
        pays = self.solver.pays_in_units[transitions.pay_indices[transition]]
        return probabilities[transition, lane], lane, cells, pays

    def _hand_on(
        self,
        s: int,
        probabilities: "NDArray[np.float64]",
        lanes: "NDArray[np.int64]",
        cells: "NDArray[np.int64]",
        pays: "NDArray[np.int64]",
    ) -> None:
        """Pass the probabilities of a card's totals on to the cards that follow."""
        solver, turns_left = self.solver, self.solver.cards.turns_left
        source = self._masses_at(turns_left[s])
        targets = solver.owners(cells)
        totals = cells - solver.first_cells[targets]
        offset, width, low, left = self._blocks[:, targets]
        end = offset + totals * width + self.low[s] + pays - low
        start = self.offsets[s] + lanes * self.widths[s]
        for level in np.unique(left).tolist():
            of_level = left == level
            moves = (probabilities[of_level], start[of_level], end[of_level])
            compiled(add_shares)(moves, self.widths[s], source, self._masses_at(level))
        # A probability of the turn, the sum over its endings, and a product with the share.
        kernel = solver.kernel
        roundings = self.roundings[s] + kernel.chance_roundings + kernel.endings + 2
        for t, count in zip(*np.unique(targets, return_counts=True), strict=True):
            self.roundings[t] = max(self.roundings[t], roundings) + int(count)

    def _outcome_scores(self) -> ScoreDistribution:
        """The distribution of scores, gathered from the cells of the outcomes."""
        solver, chances = self.solver, dict[Fraction, float]()
        cells = np.array(list(solver.outcome_values), np.int64)
        for cell, t in zip(cells.tolist(), solver.owners(cells).tolist(), strict=True):
            value = solver.outcome_values[cell]
            start = self.offsets[t] + (cell - int(solver.first_cells[t])) * self.widths[t]
            masses = self._masses_at(0)[start : start + self.widths[t]]
            for i in np.flatnonzero(masses).tolist():
                score = value + Fraction(self.low[t] + i, solver.unit)
                chances[score] = chances.get(score, 0.0) + float(masses[i])
        roundings = max(self.roundings) + len(solver.outcome_values)
        # (1 + u)^n - 1 is below nu / (1 - nu), for the unit roundoff u of 2**-53.
        error = Fraction(roundings, 2**53 - roundings)
        return ScoreDistribution(chances, error)


def simulated_scores(solver: TurnSolver, games: int, seed: int) -> "NDArray[Any]":
    """The scores of simulated games, in units; a turn is played by the values of the next cards.

    Every die is rolled (Philox); games on the same card are played together.

    Raises:
        RulesError: a bad number of games or seed, or amounts or weights beyond 64 bits.
        TooMuchWorkError: too many games for the budget.
    """
    for name, number, least in (("games", games, 1), ("seed", seed, 0)):
        if isinstance(number, bool) or not isinstance(number, int) or number < least:
            raise RulesError(f"{name}={shown(number)}; give a whole number, {least} or more")
    cards, kernel, pays = solver.cards, solver.kernel, solver.pays_in_units
    if kernel.weights is None:
        raise RulesError("the turn's weights are too large to be rolled in words of 64 bits")
    rolls = games * len(cards.levels) * kernel.max_rolls
    afford(f"{rolls:,} rolls", seconds=2e-8 * rolls, memory=64.0 * games, instead="play fewer")
    # A stream for each card, by its number: the order of threads can't change a game.
    stream = SeedSequence(seed).generate_state(1, np.uint64)[0]
    # by game: the cell that it has come to, and its score so far
    cells, scores = np.zeros(games, np.int64), np.zeros(games, np.int64)

    def play_turn(s: int, on_card: "NDArray[np.int64]") -> None:
        """A turn of the games that are on card `s`."""
        random = np.random.Generator(np.random.Philox(key=[stream, s]))
        transitions = CardTransitions(solver, s)
        for batch in np.array_split(on_card, len(on_card) // BATCH_SIZE + 1):
            lanes = cells[batch] - solver.first_cells[s]
            rolls = random.integers(kernel.sides, size=(len(batch), kernel.max_rolls))
            endings = transitions.kernel.simulate(transitions.work, lanes, rolls)
            taken = transitions.after(endings, lanes)
            scores[batch] += pays[transitions.pay_indices[taken]]
            cells[batch] = transitions.next_cells[transitions.rows[taken], lanes]

    with ThreadPoolExecutor(THREADS) as pool:
        for level in reversed(cards.levels):
            card = solver.owners(cells)
            order = np.argsort(card, kind="stable")
            played_cards, first = np.unique(card[order], return_index=True)
            games_by_card = dict(
                zip(played_cards.tolist(), np.split(order, first[1:]), strict=True)
            )
            played = [s for s in level if s in games_by_card]
            list(pool.map(play_turn, played, [games_by_card[s] for s in played]))
    final_cells, index = np.unique(cells, return_inverse=True)
    final = [int(solver.outcome_values[cell] * solver.unit) for cell in final_cells.tolist()]
    return scores + np.array(final, np.int64)[index]


def moments(simulated: SimulatedScores, exact_scores: ScoreDistribution | None = None) -> Table:
    """The mean and standard deviation of simulated games beside the exact ones."""
    value = with_bound(simulated.value, simulated.value_bound)
    rows: list[list[Any]] = [
        ["mean", simulated.mean, value, simulated.z],
        ["standard deviation", simulated.sample_std, exact_scores and exact_scores.std, None],
    ]
    columns = ["", Column("seen", DECIMAL), Column("exact", DECIMAL), Column("z", SCORE)]
    return Table(columns, rows)


def quantiles(*distributions: ScoreDistribution | SimulatedScores) -> list[list[Any]]:
    """The score that a share of the games does not exceed: a row per share."""
    return [
        [f"{amount(100 * Fraction(q))} %", *(x.quantile_cell(q) for x in distributions)]
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

    How it works. From the first card on, the policy makes all decisions on a card. After each roll
    it is followed to the next roll or the end of the turn; for each ending it names the entry. The
    cards that follow are the reachable ones.

    Attributes:
        decisions: the start and those that follow a roll, as states of the turn.
        nodes: the same, as nodes of the kernel.
        kernel: the turn with more roundings, since fixed decisions merge paths.
        slots: by card, the slot that each decision leads to.
        entries: by card, the entry taken for each ending.
        levels: the reachable cards by the most turns left, the last turn first.
    """

    def __init__(
        self, cards: Cards, turn: Model, kernel: TurnKernel, policy: Callable[[Any, Any], Any]
    ) -> None:
        self._cards, self._turn, self._policy = cards, turn, policy
        n, k = len(turn.states), len(turn.outcomes)
        rolls = [s for s in range(n) if not turn.menus[s]]
        after = {t for s in rolls for t in turn.targets_of(s)}
        # All other decisions are passed on the way from one of these or the start (`_follow`).
        self.decisions = [s for s in sorted(after | {0}) if s < n and turn.menus[s]]
        _afford_decisions((len(self.decisions) + k) * len(cards.cards))
        self._slot = slot_by_target(kernel.nodes, k)
        self.nodes = np.array([self._slot[s] - k for s in self.decisions], np.int64)
        rules = cards.game.turn
        self._choices = {s: combined_choices(turn, rules, s) for s in self.decisions}
        # What a choice means is the same on every card.
        self._target_by_choice: dict[tuple[int, str], int] = {}
        # A fixed decision skips to a later slot: each may add an arrival there, once per roll.
        roundings = kernel.chance_roundings + len(self.nodes) * kernel.max_rolls
        self.kernel = replace(kernel, chance_roundings=roundings)
        self.slots: dict[int, NDArray[np.int64]] = {}
        self.entries: dict[int, NDArray[np.int64]] = {}
        reachable = {0}
        for level in reversed(cards.levels):
            for s in reachable.intersection(level):
                reachable |= self._decide(s)
        self.levels = [[s for s in level if s in reachable] for level in cards.levels]

    def choice(self, card: int, decision: int) -> str:
        """The name of the combined choice at a decision on a card."""
        slot = int(self.slots[card][decision])
        names = self._choices[self.decisions[decision]]
        return next(name for target, name in names.items() if self._slot[target] == slot)

    def _decide(self, s: int) -> set[int]:
        """Make all decisions on a card; return the possible next cards."""
        slots = [self._slot[self._follow(self._cards.cards[s], node)] for node in self.decisions]
        self.slots[s] = np.array(slots, np.int64)
        index_by_name = {entry.name: i for i, entry in enumerate(self._cards.entries[s])}
        # Every ending gets an entry, also one that the rolls can't reach on this card.
        endings = range(len(self._turn.outcomes))
        entries, targets = zip(*(self._enter(s, index_by_name, e) for e in endings), strict=True)
        self.entries[s] = np.array(entries, np.int64)
        return {t for t in targets if t >= 0}

    def _enter(self, s: int, index_by_name: Mapping[str, int], e: int) -> tuple[int, int]:
        """The index of the entry that the policy takes for an ending, and the target."""
        cards, ending = self._cards, self._turn.outcomes[e]
        entries = cards.entries[s]
        choice = self._policy(cards.cards[s], ending)
        index = index_by_name.get(choice) if isinstance(choice, str) else None
        if index is not None:
            c = int(cards.readings[entries[index].reading].class_by_ending[e])
            if c >= 0:
                return index, entries[index].targets[c]
        allowed = [x.name for x in entries if cards.readings[x.reading].class_by_ending[e] >= 0]
        raise _refusal(choice, cards.cards[s], ending.label, allowed)

    def _follow(self, card: Any, node: int) -> int:
        """The roll or ending that a decision leads to."""
        turn = self._turn
        while True:
            choice = self._policy(card, turn.states[node])
            # What is kept may be a list of dice, which is no key.
            if isinstance(choice, Iterable) and not isinstance(choice, str):
                choice = " ".join(map(str, choice)) or "none"
            if not isinstance(choice, str):
                raise self._refusal_at(card, node, choice)
            key = node, choice
            if key not in self._target_by_choice:
                self._target_by_choice[key] = self._target_of(card, node, choice)
            target = self._target_by_choice[key]
            if target >= len(turn.states) or not turn.menus[target]:
                return target
            node = target

    def _target_of(self, card: Any, node: int, choice: str) -> int:
        """Where a choice leads: an option, or the dice kept, in any order."""
        turn, rules = self._turn, self._cards.game.turn
        if choice in turn.menus[node]:
            return turn.targets[turn.first_move[node] + turn.menus[node].index(choice)]
        state: Any = turn.states[node]
        name = choice
        if isinstance(rules, KeepRoll):
            with suppress(NotationError):
                name = rules.keep(state, choice.removeprefix("keep "))[0]
        for target, combined in combined_choices(turn, rules, node).items():
            if combined == name:
                return target
        raise self._refusal_at(card, node, name)

    def _refusal_at(self, card: Any, node: int, choice: Any) -> RulesError:
        """The error for a choice that a decision doesn't have."""
        turn, rules = self._turn, self._cards.game.turn
        state: Any = turn.states[node]
        in_words = rules.state_in_words if isinstance(rules, KeepRoll) else state_name
        options = [*turn.menus[node], *combined_choices(turn, rules, node).values()]
        return _refusal(choice, card, in_words(state), options)


def _afford_decisions(decisions: int) -> None:
    """Refuse a policy with too many decisions."""
    afford(
        f"a policy that is asked {decisions:,} times",
        seconds=SECONDS_PER_DECISION * decisions,
        instead="let the policy be a function of the card and the state of the turn",
    )


def _refusal(choice: Any, card: Any, state_text: str, options: list[str]) -> RulesError:
    more = ", ..." if len(options) > 8 else ""
    return RulesError(
        f"the policy returned {shown(choice)} with {state_text} on the card {shown(card)}; the "
        f"options are: {', '.join(options[:8])}{more}"
    )


class Play:
    """A game of turns under optimal play; of equal entries, it takes the first on the card.

    Attributes:
        solver: the values of the cards that each turn is played for.
        policy_in_words: how it is played, for a page.
        value: the expected value.
        bound: its error bound; 0 if exact.
    """

    def __init__(
        self,
        solver: TurnSolver,
        policy_in_words: str,
        value_with_bound: tuple[Fraction, Fraction] | None = None,
    ) -> None:
        self.solver, self.policy_in_words = solver, policy_in_words
        # Greedy play has no value but the mean of its scores: its solver values no card.
        self.value, self.bound = value_with_bound or (self.law.mean, self.law.mean_bound)

    @cached_property
    def law(self) -> ScoreDistribution:
        """The distribution of the final score."""
        return _ScoreDistributions(self.solver).final()

    def simulate(self, games: int, seed: int = 1) -> SimulatedScores:
        """Simulate games, with every die rolled.

        Raises:
            RulesError: a bad number of games or seed, or amounts or weights beyond 64 bits.
            TooMuchWorkError: too many games for the budget.
        """
        return SimulatedScores(self, simulated_scores(self.solver, games, seed))

    def costliest_mistakes(self, limit: int | None) -> "list[tuple[Any, str]]":
        """Reachable states with a mistake, and the option taken; at most `limit`."""
        return []


class GreedyPlay(Play):
    """A game of turns in which each turn is played for its own pay alone."""

    def __init__(self, best: TurnSolver) -> None:
        solver = copy(best)
        solver.values = np.zeros_like(best.values)  # no card has a value
        super().__init__(solver, "played greedily")

    def costliest_mistakes(self, limit: int | None) -> "list[tuple[Any, str]]":
        """Not computed.

        Raises:
            RulesError: always.
        """
        raise RulesError(
            f'the mistakes of "{GREEDY}" are not computed; give a function of the card and the '
            "state of the turn"
        )


class PolicyPlay(Play):
    """A game of turns under a policy of the player's own.

    A policy that reads the tally is played on cards that hold the total (`Folded`).
    """

    def __init__(self, best: TurnSolver, policy: TurnPolicy) -> None:
        self._best, turn, game = best, best.turn, best.cards.game
        choose, reads_tally = _policy_function(policy)
        self._is_folded = reads_tally and game.tally is not None
        cards, kernel = best.cards, best.kernel
        if self._is_folded:
            _afford_decisions(cards.state_count * (len(turn.node_by_key) + len(turn.outcomes)))
            cards = Cards(Folded(game), best.goal, turn.outcomes)

        def on_card(card: Any, inner: Any) -> Any:
            card, tally = card if self._is_folded else (card, 0)
            return choose(card, tally, inner)

        self._moves = moves = PolicyMoves(cards, turn, kernel, on_card)
        solver = TurnSolver(cards, turn, moves.kernel, moves)
        value = solver.value()
        super().__init__(solver, "played by a policy", (value, solver.bound_of(value)))

    def costliest_mistakes(self, limit: int | None) -> "list[tuple[Any, str]]":
        """The most costly for each card and dice."""
        costliest: dict[tuple[int, int], _CostlyDecision] = {}
        for mistake in self._mistakes(limit):
            key = mistake.card_in_best, mistake.decision
            if mistake.cost > (costliest[key].cost if key in costliest else 0.0):
                costliest[key] = mistake
        mistakes = sorted(costliest.values(), key=lambda mistake: -mistake.cost)
        return [self._state_and_option(mistake) for mistake in mistakes[:limit]]

    def _mistakes(self, limit: int | None) -> "Iterator[_CostlyDecision]":
        """The costliest decisions on each reachable card."""
        solver = self.solver
        is_reachable = np.zeros(len(solver.values), bool)
        is_reachable[0] = True
        for s in chain.from_iterable(reversed(solver.levels)):
            lanes = np.flatnonzero(is_reachable[solver.first_cells[s] : solver.first_cells[s + 1]])
            if not len(lanes):  # the policy has moves on the card, but no rolls lead there
                continue
            transitions = CardTransitions(solver, s)
            probabilities = transitions.probabilities(len(solver.totals[s]))[:, lanes]
            transition, lane = np.nonzero(probabilities)
            cells = transitions.next_cells[transitions.rows[transition], lanes[lane]]
            is_reachable[cells] = True
            card, totals = self._in_best(s, solver.totals[s][lanes])
            costs = self._costs(card, totals, s)
            costs[transitions.chances[self._decided_slots][:, lanes] == 0] = 0
            # For each card and dice only the costliest total is listed.
            lane_by_decision, costliest = costs.argmax(axis=1), costs.max(axis=1)
            for decision in np.argsort(-costliest, kind="stable")[:limit].tolist():
                total = int(totals[lane_by_decision[decision]])
                yield _CostlyDecision(float(costliest[decision]), s, card, total, decision)

    @property
    def _decided_slots(self) -> "NDArray[np.int64]":
        """The slots in which the policy decides: decisions after a roll, then the endings."""
        endings = self._best.kernel.endings
        return np.concatenate([self._moves.nodes + endings, np.arange(endings)])

    def _costs(self, card: int, totals: "NDArray[np.int64]", s: int) -> "NDArray[np.float64]":
        """What the moves on card `s` cost on `card` of the optimal solution: (slots, totals)."""
        best, moves = self._best, self._moves
        lanes = np.searchsorted(best.totals[card], totals)
        entries = best.entries_on(card)
        values = by_slot(best.kernel.slot_values(entries))[:, lanes]
        endings, entry = np.arange(best.kernel.endings), moves.entries[s]
        row = entries.first[entry] + entries.classes[entry, endings]
        pays = entries.pays[entries.pay_indices[entry, endings]]
        entered = entries.rows[row][:, lanes] + pays[:, None]
        taken = np.concatenate([values[moves.slots[s]], entered])
        costs: NDArray[np.float64] = (values[self._decided_slots] - taken) * best.goal.sense
        return costs

    def _in_best(self, s: int, totals: "NDArray[np.int64]") -> "tuple[int, NDArray[np.int64]]":
        """The same card and totals in the optimal solution, whose cards don't hold the total."""
        if not self._is_folded:
            return s, totals
        folded: Any = self.solver.cards.cards[s]
        return self._best.cards.card_index[folded[0]], np.array([folded[1]])

    def _state_and_option(self, mistake: "_CostlyDecision") -> tuple[Any, str]:
        """The state of a mistake, and the option taken."""
        cards, moves, s = self.solver.cards, self._moves, mistake.card
        card: Any = cards.cards[s]
        if self._is_folded:
            card = card[0]
        if mistake.decision < len(moves.decisions):
            inner: Any = self.solver.turn.states[moves.decisions[mistake.decision]]
            return (card, mistake.total, inner), moves.choice(s, mistake.decision)
        e = mistake.decision - len(moves.decisions)
        entry = cards.entries[s][int(moves.entries[s][e])]
        return (card, mistake.total, cards.endings[e]), entry.name


class _CostlyDecision(NamedTuple):
    """A costly decision of a policy.

    Attributes:
        cost: in floats.
        card: its index in the policy's solver.
        card_in_best: its index in the optimal solution.
        total: of the tally.
        decision: the index of the decision; from the number of decisions on, that of an ending.
    """

    cost: float
    card: int
    card_in_best: int
    total: int
    decision: int


def _policy_function(policy: TurnPolicy) -> tuple[Callable[[Any, int, Any], Any], bool]:
    """The policy as a function of card, tally and state of the turn; and whether it reads the
    tally.
    """
    if isinstance(policy, Mapping):
        table = policy

        def look_up(card: Any, tally: int, inner: Any) -> Any:
            state = card, tally, inner
            if state not in table:
                raise RulesError(f"the policy gives no option in state {shown(state)}")
            return table[state]

        return look_up, True
    if not callable(policy):
        raise RulesError(
            f"{shown(policy)} is not a policy; give a function of the card and the state of the "
            f'turn, "{BEST}" or "{GREEDY}"'
        )
    function = policy
    if _takes_two(function):
        return (lambda card, tally, inner: function(card, inner)), False
    return (lambda card, tally, inner: function((card, tally, inner))), True


def _takes_two(policy: Callable[..., Any]) -> bool:
    """Whether a policy takes the card and the state of the turn, and not one tuple of all.

    Raises:
        RulesError: it takes neither.
    """
    try:
        arguments = signature(policy)
    except (TypeError, ValueError):  # Python knows nothing of it
        return False
    # With a default, the second argument is optional, and then it is not meant for the state.
    for count in (1, 2):
        with suppress(TypeError):
            arguments.bind(*[None] * count)
            return count == 2
    name = getattr(policy, "__name__", "") or shown(policy)
    raise RulesError(
        f"{name} is not a policy; it must take the card and the state of the turn, or one "
        "tuple (card, tally, state of the turn)"
    )
