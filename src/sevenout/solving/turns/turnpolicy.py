"""Policies for games of turns, and their expected value.

A policy turns each decision into a fixed move. The result is a turn without decisions, which the
same engine solves and simulates. A policy that ignores the tally decides once per card; for one
that reads it, the total is part of the card.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from heapq import nlargest
from inspect import signature
from typing import TYPE_CHECKING, Any

import numpy as np

from sevenout.budgets.estimates import afford
from sevenout.errors import NotationError, RulesError, shown
from sevenout.model import Model, state_name
from sevenout.rules import KeepRoll
from sevenout.solving.turns.scorecards import Cards, Folded
from sevenout.solving.turns.turn_kernel import TurnKernel, by_slot, kernel_of
from sevenout.solving.turns.turn_table import ways_on
from sevenout.solving.turns.turn_values import TurnSolver

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from sevenout.solving.turns.turn_distribution import FinalLaw, PlayedTurns

TurnPolicy = Callable[..., Any] | Mapping[Any, Any] | str
"""A function or table of (card, state of the turn) or (card, tally, state of the turn); or one of
these words.
"""
BEST, GREEDY = "best", "greedy"

QUESTION = 5e-6
"""Seconds per decision of a policy."""


class Answers:
    """The moves of a policy on each reachable card.

    Attributes:
        levels: the reachable cards by the most turns left, the last turn first.
        nodes: the decisions that follow a roll, as nodes of the kernel.
        slots: by card, where each decision leads.
        entries: by card, the entry taken for each ending.
    """

    def __init__(self, cards: Cards, turn: Model, ask: Callable[[Any, Any], Any]) -> None:
        self._cards, self._turn, self._ask = cards, turn, ask
        kernel = kernel_of(turn, cards.goal)
        n, k = len(turn.states), len(turn.outcomes)
        rolls = [s for s in range(n) if not turn.menus[s]]
        after = {t for s in rolls for t in turn.targets[turn.first[s] : turn.first[s + 1]]} | {0}
        self.questions = [s for s in sorted(after) if s < n and turn.menus[s]]
        _may_ask((len(self.questions) + k) * len(cards.cards))
        self._slot = {s: k + i for i, s in enumerate(kernel.nodes)} | {n + i: i for i in range(k)}
        self._plans = {s: ways_on(turn, cards.game.turn, s) for s in self.questions}
        self._known: dict[tuple[int, Any], int] = {}
        self.nodes = np.array([self._slot[s] - k for s in self.questions], np.int64)
        self.kernel = replace(kernel, merges=kernel.merges + len(self.nodes) * kernel.longest)
        self.slots: dict[int, NDArray[np.int64]] = {}
        self.entries: dict[int, NDArray[np.int64]] = {}
        up = {0}
        for level in reversed(cards.levels):
            for s in up.intersection(level):
                up |= self._answered(s)
        self.levels = [[s for s in level if s in up] for level in cards.levels]

    def kernel_on(self, s: int) -> TurnKernel:
        """The turn on a card."""
        return self.kernel.followed(self.nodes, self.slots[s])

    def plan(self, question: int, slot: int) -> str:
        """The plan taken at a decision, from where it led."""
        names = self._plans[self.questions[question]]
        return next(name for target, name in names.items() if self._slot[target] == slot)

    def _answered(self, s: int) -> set[int]:
        """Make all decisions on a card; return the possible next cards."""
        cards, turn = self._cards, self._turn
        card, named = cards.cards[s], {entry.name: i for i, entry in enumerate(cards.entries[s])}
        led = [self._slot[self._led(card, question)] for question in self.questions]
        self.slots[s] = np.array(led, np.int64)
        taken, after = [], set()
        for e, ending in enumerate(turn.outcomes):
            answer = self._ask(card, ending)
            which = named.get(answer) if isinstance(answer, str) else None
            c = -1 if which is None else int(cards.reads[cards.entries[s][which].read].classes[e])
            if which is None or c < 0:
                reads = ((x.name, cards.reads[x.read].classes[e]) for x in cards.entries[s])
                raise _wrong(answer, card, ending.label, [name for name, c in reads if c >= 0])
            taken.append(which)
            after.add(cards.entries[s][which].targets[c])
        self.entries[s] = np.array(taken, np.int64)
        return {t for t in after if t >= 0}

    def _led(self, card: Any, node: int) -> int:
        """The roll or ending that a decision leads to."""
        turn = self._turn
        while True:
            answer = self._ask(card, turn.states[node])
            if isinstance(answer, Iterable) and not isinstance(answer, str):
                answer = " ".join(map(str, answer)) or "none"
            target = self._known.get((node, answer)) if isinstance(answer, str) else None
            if target is None:
                target = self._meant(card, node, answer)
                self._known[node, answer] = target
            if target >= len(turn.states) or not turn.menus[target]:
                return target
            node = target

    def _meant(self, card: Any, node: int, answer: Any) -> int:
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
        said = rules.said(state) if isinstance(rules, KeepRoll) else state_name(state)
        raise _wrong(answer, card, said, [*turn.menus[node], *plans.values()])


def _may_ask(times: int) -> None:
    """Refuse a policy with too many decisions."""
    instead = "let the policy be a function of the card and the state of the turn"
    afford(f"a policy that is asked {times:,} times", seconds=QUESTION * times, instead=instead)


def _wrong(answer: Any, card: Any, said: str, there: list[str]) -> RulesError:
    more = ", ..." if len(there) > 8 else ""
    return RulesError(
        f"the policy returned {shown(answer)} with {said} on the card {shown(card)}; the options "
        f"are: {', '.join(there[:8])}{more}"
    )


class Play:
    """A game of turns under optimal or greedy play.

    Greedy play maximizes the pay of each turn by itself, in floats. Of equal entries it takes the
    first on the card.

    Attributes:
        bound: the error bound of the value; 0 if exact.
    """

    value: "Fraction"
    bound: "Fraction"
    how = "played best"

    def __init__(self, best: TurnSolver, floats: TurnSolver, greedy: bool = False) -> None:
        self._goal, self._floats, self._greedy = best.goal.name, floats, greedy
        if greedy:
            self.value, self.bound = self.law.mean, self.law.mean_bound
            self.how = "played greedily"
        else:
            self.value, self.bound = best.value(), best.bound

    @property
    def floats(self) -> TurnSolver:
        """The solved game in floats."""
        return self._floats

    @cached_property
    def law(self) -> "FinalLaw":
        """The distribution of the final score."""
        from sevenout.solving.turns.turn_distribution import law_of

        return law_of(self.floats, self._greedy)

    def simulate(self, games: int, seed: int = 1) -> "PlayedTurns":
        """Simulate games, with every die rolled.

        Raises:
            RulesError: a bad number of games or seed, or amounts or weights beyond 64 bits.
            TooMuchWorkError: too many games for the budget.
        """
        from sevenout.solving.turns.turn_distribution import PlayedTurns, played

        scored = played(self.floats, games, seed, self._greedy)
        return PlayedTurns(self._goal, scored, self.floats.unit, self, self.how)

    def wrong(self, most: int) -> "list[tuple[Any, str]]":
        """Reachable states with a mistake, and the option taken; not computed for greedy play."""
        return []


class Under(Play):
    """A game of turns under a policy."""

    how = "played by a policy"

    def __init__(self, best: TurnSolver, floats: TurnSolver, policy: TurnPolicy) -> None:
        self._best, turn, game = floats, best.turn, best.cards.game
        self._goal, self._greedy = best.goal.name, False
        ask, reads_tally = _asked(policy)
        self._folds = reads_tally and game.tally is not None
        cards = best.cards
        if self._folds:
            _may_ask(best.states * (len(turn.asked) + len(turn.outcomes)))
            cards = Cards(Folded(game), best.goal, turn.outcomes)
        elif reads_tally:
            within = ask

            def ask(card: Any, state: Any) -> Any:
                return within((card, 0), state)

        self._answers = Answers(cards, turn, ask)
        solved = TurnSolver(cards, turn, best.exact, self._answers)
        self.value, self.bound, self._solved = solved.value(), solved.bound, solved

    @cached_property
    def floats(self) -> TurnSolver:
        solved = self._solved
        if not solved.exact:
            return solved
        return TurnSolver(solved.cards, solved.turn, False, self._answers)

    def wrong(self, most: int) -> "list[tuple[Any, str]]":
        """The most costly for each card and dice."""
        found: dict[tuple[int, int], tuple[float, int, int]] = {}
        for cost, s, total, which in self._costs(most):
            card = self._place(s, np.array([0]))[0], which
            if cost > found.get(card, (0.0, 0, 0))[0]:
                found[card] = cost, s, total
        costliest = nlargest(most, found.items(), key=lambda item: item[1][0])
        return [self._state(s, total, which) for (_, which), (_, s, total) in costliest]

    def _costs(self, most: int) -> "Iterator[tuple[float, int, int, int]]":
        """The decisions on each reachable card by cost: (cost, card, total, decision)."""
        from sevenout.solving.turns.turn_distribution import CardWays

        best, mine = self._best, self.floats
        up = np.zeros(len(mine.values), bool)
        up[0] = True
        for level in reversed(mine.levels):
            for s in level:
                lanes = np.flatnonzero(up[mine.offsets[s] : mine.offsets[s + 1]])
                if not len(lanes):  # unreachable under the rolls
                    continue
                ways = CardWays(mine, s)
                way, lane = np.nonzero(ways.shares(len(mine.totals[s]))[:, lanes])
                up[ways.rows[ways.row[way], lanes[lane]]] = True
                card, totals = self._place(s, mine.totals[s][lanes])
                theirs = np.searchsorted(best.totals[card], totals)
                prepared = best.prepared(card, best.values, best.rewards)
                work = by_slot(best.kernel.card_values(prepared))[:, theirs]
                endings = np.arange(best.kernel.endings)
                entry = self._answers.entries[s]
                row = prepared.first[entry] + prepared.classes[entry, endings]
                paid = prepared.rewards[prepared.paid[entry, endings]]
                done = prepared.rows[row][:, theirs] + paid[:, None]
                led = np.concatenate([work[self._answers.slots[s]], done])
                asked = np.concatenate([self._answers.nodes + best.kernel.endings, endings])
                cost = (work[asked] - led) * best.goal.sense
                cost[ways.chances[asked][:, lanes] == 0] = 0
                column = cost.argmax(axis=1)
                costliest = cost.max(axis=1)
                for which in np.argsort(-costliest, kind="stable")[:most].tolist():
                    total = int(totals[column[which]])
                    yield float(costliest[which]), s, total, which

    def _place(self, s: int, totals: "NDArray[np.int64]") -> "tuple[int, NDArray[np.int64]]":
        """The card and totals in the optimal solution."""
        if not self._folds:
            return s, totals
        folded: Any = self._solved.cards.cards[s]
        return self._best.cards.index(folded[0]), np.array([folded[1]])

    def _state(self, s: int, total: int, which: int) -> tuple[Any, str]:
        """The state of a decision, and the option taken."""
        cards, answers = self._solved.cards, self._answers
        card: Any = cards.cards[s]
        if self._folds:
            card = card[0]
        if which < len(answers.questions):
            inner: Any = self._solved.turn.states[answers.questions[which]]
            return (card, total, inner), answers.plan(which, int(answers.slots[s][which]))
        e = which - len(answers.questions)
        entry = cards.entries[s][int(answers.entries[s][e])]
        return (card, total, cards.endings[e]), entry.name


def _asked(policy: TurnPolicy) -> tuple[Callable[[Any, Any], Any], bool]:
    """The policy as a function of card and state of the turn, and whether it reads the tally."""
    if isinstance(policy, Mapping):
        table = policy

        def said(card: Any, inner: Any) -> Any:
            state = (*card, inner)
            if state not in table:
                raise RulesError(f"the policy gives no option in state {shown(state)}")
            return table[state]

        return said, True
    if not callable(policy):
        raise RulesError(
            f"{shown(policy)} is not a policy; give a function of the card and the state of the "
            "turn"
        )
    if _takes(policy) == 2:
        return policy, False
    function = policy
    return (lambda card, inner: function((*card, inner))), True


def _takes(policy: Callable[..., Any]) -> int:
    """The number of required arguments of a policy; 1 if unknown."""
    try:
        every = signature(policy).parameters.values()
    except (TypeError, ValueError):
        return 1
    must = [p for p in every if p.default is p.empty and p.kind <= p.POSITIONAL_OR_KEYWORD]
    takes = len(must) or (0 if not every else 1)
    if takes not in (1, 2) or any(p.kind is p.KEYWORD_ONLY and p.default is p.empty for p in every):
        name = getattr(policy, "__name__", "") or shown(policy)
        raise RulesError(
            f"{name} is not a policy; it must take the card and the state of the turn, or one "
            "tuple (card, tally, state of the turn)"
        )
    return takes
