"""Optimal play of a game of turns: what to keep, and where to enter it."""

from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, Literal

from sevenout.chain import MAX_STATES
from sevenout.chain.asking import explore_choices
from sevenout.decide.goal import Goal, Wish, goal_of_turns
from sevenout.decide.optimum import Option
from sevenout.decide.turns import TurnSolver
from sevenout.errors import RulesError, shown
from sevenout.page import Certified, Fact, Facts, Page, Shown, Text
from sevenout.page.kinds import DECIMAL, FRACTION
from sevenout.page.numbers import decimal
from sevenout.rules import ByTurns, Outcome


class TurnOptimum(Shown):
    """Optimal play of a game of turns; see `best`.

    A state is (card, tally, state of the turn); where the turn is over, the last is its outcome.

    Attributes:
        game: the rules.
        goal: what was wanted.
        method: "exact", or "certified" with a proved bound.
        bound: 0 if exact; else `value` is within this of the truth.
    """

    def __init__(self, game: ByTurns, goal: Goal, method: Literal["exact", "certified"]) -> None:
        turn = explore_choices(game.turn, MAX_STATES)
        self.game, self.goal, self.method = game, goal, method
        self._solved = TurnSolver(game, goal, turn, method == "exact")
        self._turn = turn
        self.bound = self._solved.bound
        self._worths = lru_cache(maxsize=64)(self._play)

    @property
    def states(self) -> int:
        """How many score cards there are, each with every total that it can have."""
        return self._solved.states

    @cached_property
    def value(self) -> Fraction:
        """What the game is worth from its start, played best."""
        return self._solved.value()

    def at(self, state: Any) -> tuple[Option, ...]:
        """The options in a state, the best first.

        Raises:
            RulesError: nobody is asked in that state.
        """
        try:
            card, total, inner = state
            index = self._solved.cards.index(card)
            possible = total >= 0 and self._solved.place[index, total] >= 0
            if isinstance(inner, Outcome):
                possible &= inner in self._solved.cards.endings
        except (TypeError, ValueError, KeyError, IndexError):
            possible = False
        if not possible:
            raise RulesError(
                f"the game is never in state {shown(state)}; give (card, tally, state of the turn)"
            )
        if isinstance(inner, Outcome):
            worths = self._entries(index, total, inner)
        else:
            turn = self._turn
            self._turn.options(inner)
            node = turn.asked[inner]
            moves = range(turn.first[node], turn.first[node + 1])
            values = self._worths(index, total)
            worths = {
                name: values[turn.targets[m]]
                for name, m in zip(turn.menus[node], moves, strict=True)
            }
        sense = self.goal.sense
        best = max(worth * sense for worth in worths.values())
        options = [Option(name, worth, best - worth * sense) for name, worth in worths.items()]
        return tuple(sorted(options, key=lambda option: option.margin))

    def policy(self, state: Any) -> str:
        """What is best in a state; the first of those that are."""
        return self.at(state)[0].name

    def _entries(self, card: int, total: int, ending: Outcome) -> dict[str, Fraction]:
        solved, cards = self._solved, self._solved.cards
        e = cards.endings.index(ending)
        worths = {}
        for entry in cards.entries[card]:
            read = cards.reads[entry.read]
            c = int(read.classes[e])
            if c < 0:
                continue
            target = entry.targets[c]
            at = target if target >= 0 else len(cards.cards) + ~target
            after = solved.value(at, min(cards.cap, total + entry.advances[c]))
            worths[entry.name] = read.rewards[e] + entry.pays[c] + after
        return worths

    def _play(self, card: int, total: int) -> list[Fraction]:
        """The worth of each node of the turn on a card, then of each ending."""
        turn, sense = self._turn, self.goal.sense
        n = len(turn.states)
        ends = [
            max(self._entries(card, total, ending).values(), key=lambda worth: worth * sense)
            for ending in turn.outcomes
        ]
        values = [Fraction(0)] * n + ends
        for s in self._solved.tape.nodes:
            row = turn.targets[turn.first[s] : turn.first[s + 1]]
            if turn.menus[s]:
                values[s] = max((values[t] for t in row), key=lambda worth: worth * sense)
            else:
                weights = turn.rollables[turn.rolled[s]].law.weights
                sums = sum((values[t] * w for t, w in zip(row, weights, strict=True)), Fraction(0))
                values[s] = sums / sum(weights)
        return values

    def page(self, title: str = "") -> Page:
        """The value with its proof; what to do comes of `at`, state by state."""
        exact = not self.bound
        value = self.value if exact else Certified(self.value, self.bound)
        kinds = (FRACTION, DECIMAL.to(15)) if exact else (DECIMAL.to(15),)
        proof = (
            "Exact, in integers: every comparison is of whole numbers"
            if exact
            else f"Certified within {decimal(self.bound)}: a bound on what floats can round away"
        )
        cards = len(self._solved.cards.cards)
        return Page(
            title or "Best play",
            Facts(Fact("value", value, *kinds, note="mean")),
            Text(
                f"{self.goal.name}. {proof}. {cards:,} score cards, {self.states:,} with their "
                "totals: too many for a card to carry.",
                tone="note",
            ),
        )

    def __repr__(self) -> str:
        return f"<TurnOptimum ({self.method}): {self.goal.name} = {float(self.value):.12g}>"


def best_turns(game: ByTurns, most: Wish | None, least: Wish | None, method: str) -> TurnOptimum:
    """Optimal play of a game of turns: certified, unless exact fractions are asked for."""
    goal = goal_of_turns(most, least)
    return TurnOptimum(game, goal, "exact" if method == "exact" else "certified")
