"""Optimal play of a game of turns: what to keep, where to enter it, and its pages.

The rules of a game of turns, as integers, have a SHA-256 that names them on papers.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from itertools import chain, groupby, zip_longest
from typing import Any, Literal

from sevenout.certify.claim import exact_json
from sevenout.documents import Block, Column, Fact, Facts, Page, Table, Text
from sevenout.documents.kinds import COUNT, DECIMAL, FRACTION
from sevenout.documents.numbers import amount, decimal, quantity
from sevenout.documents.tables import as_json
from sevenout.model import Model, explore, state_name
from sevenout.rules import ByTurns, KeepRoll, Outcome
from sevenout.rules.objective import Quantity
from sevenout.solving.best_play import (
    MAX_MISTAKES,
    BestPlay,
    Mistake,
    Option,
    PolicyComparison,
    PolicyValue,
    checked_limit,
    with_bound,
)
from sevenout.solving.card_pages import value_range
from sevenout.solving.decision_list import Decision, DecisionList, grouped_ranking, ranking_of
from sevenout.solving.goal import Goal, goal_of_turns
from sevenout.solving.turn_kernel import kernel_of
from sevenout.solving.turn_policies import (
    BEST,
    GREEDY,
    GreedyPlay,
    Play,
    PolicyPlay,
    ScoreDistribution,
    SimulatedScores,
    TurnPolicy,
)
from sevenout.solving.turn_table import TurnOptions, impossible_state
from sevenout.solving.turn_values import CardEntry, Cards, TurnSolver
from sevenout.wrong_arguments import public

SECONDS_PER_FRACTION = 5e-6
"""Seconds per move of the turn, card and total, in fractions."""


class TurnOptimum(BestPlay):
    """Optimal play of a game of turns; see `best`.

    A state is (card, tally, state of the turn). The last is an outcome if the turn is over, and
    None before it begins.

    How it works. The turn is explored once, and so are the score cards. The exact method values
    every card and total in fractions (`TurnOptions`), the certified one in floats (`TurnSolver`).
    Options are worked out on demand, from the values of the cards that follow.

    Attributes:
        game: the rules.
        goal: the objective.
        turn: the model of one turn.
        method: "exact" or "certified".
        bound: 0 if exact; else the error bound of the value.
    """

    digits = 15
    shows_all_mistakes = True
    aim_suffix = " from here on"

    def __init__(self, game: ByTurns, goal: Goal, method: Literal["exact", "certified"]) -> None:
        self.turn = turn = explore(game.turn)
        self.game, self.goal, self.method = game, goal, method
        self._cards = cards = Cards(game, goal, turn.outcomes)
        self._kernel = kernel_of(turn, goal)
        self._turn_options = TurnOptions(turn, game.turn, goal.sense, self._entry_values)
        self._last_play: tuple[TurnPolicy, PolicyPlay] | None = None
        self._exact_values: dict[tuple[int, int], Fraction] = {}
        if method == "exact":
            cards.afford(turn, SECONDS_PER_FRACTION, "ask for the certified method")
            self._solve_exactly()
        self.bound = self._bound_of(self.value)

    def _solve_exactly(self) -> None:
        """Fill the exact values, by card or outcome and total, from the last turn back."""
        cards = self._cards
        self._exact_values |= cards.outcome_values
        for s in chain.from_iterable(cards.levels):
            for total in cards.totals[s]:
                self._exact_values[s, total] = self._turn_options.values(s, total)[0]

    @cached_property
    def _solver(self) -> TurnSolver:
        """The game in floats, also for the distribution and simulation of an exact optimum."""
        return TurnSolver(self._cards, self.turn, self._kernel)

    @cached_property
    def _ending_index(self) -> dict[Outcome, int]:
        """The index of each ending, since searching takes longer than the rest of a value."""
        return {ending: e for e, ending in enumerate(self._cards.endings)}

    def _value(self, card: int, total: int) -> Fraction:
        """The value of a card, or of an outcome, with a total."""
        if self.method == "exact":
            return self._exact_values[card, total]
        return self._solver.value(card, total)

    def _bound_of(self, value: Fraction) -> Fraction:
        return Fraction(0) if self.method == "exact" else self._solver.bound_of(value)

    @cached_property
    def best(self) -> Play:
        """The game under optimal play: its distribution and simulation."""
        return Play(self._solver, "played best", (self.value, self.bound))

    @cached_property
    def greedy(self) -> GreedyPlay:
        """The game with each turn played for its own pay alone."""
        return GreedyPlay(self._solver)

    @property
    def law(self) -> ScoreDistribution:
        """The distribution of the final score under optimal play."""
        return self.best.law

    @property
    def state_count(self) -> int:
        """The number of score cards, each with every possible total."""
        return self._cards.state_count

    @cached_property
    def value(self) -> Fraction:
        return self._value(0, 0)

    def options(self, state: Any) -> tuple[Option, ...]:
        """The options in a state, best first, such as "put back 3"."""
        return self._turn_options.options(*self._split(state))

    def combined_options(self, state: Any) -> tuple[Option, ...]:
        """The choices up to the next roll or the end of the turn, best first: "keep 2 2"."""
        return self._turn_options.combined_options(*self._split(state))

    def under(self, policy: TurnPolicy) -> Play:
        """The game under a policy, as `evaluate` takes one: its distribution and simulation."""
        if isinstance(policy, str) and policy in (BEST, GREEDY):
            return self.best if policy == BEST else self.greedy
        if isinstance(policy, Mapping):  # the caller may change the table afterwards
            policy = dict(policy)
        # A page asks for the value, the mistakes and the distribution of one policy in turn.
        if self._last_play is None or self._last_play[0] != policy:
            self._last_play = policy, PolicyPlay(self._solver, policy)
        return self._last_play[1]

    def evaluate(self, policy: TurnPolicy) -> PolicyValue:
        """The expected value of a policy.

        Args:
            policy: "greedy"; a function of the card and the state of the turn; or, to read the
                tally, a function or table of (card, tally, state of the turn). It gives an option,
                "put back 3", or what to keep: "keep 2 2", or (2, 2).

        Raises:
            RulesError: the policy gives no option in some state, or one that is not allowed.
            TooMuchWorkError: the policy has too many decisions for the budget.
        """
        play = self.under(policy)
        return self._policy_value(play.value, play.bound)

    def mistakes(self, policy: TurnPolicy, limit: int | None = MAX_MISTAKES) -> list[Mistake]:
        """The most costly mistakes that a policy can make, each with its cost per occurrence.

        For each card and dice, only the most costly total counts.

        Raises:
            RulesError: as `evaluate`, for "greedy", and if `limit` is not a number of mistakes.
        """
        limit, mistakes = checked_limit(limit), []
        for state, option in self.under(policy).costliest_mistakes(limit):
            if cost := self.cost(state, option):
                mistakes.append(Mistake(state, option, self.combined_options(state)[0].name, cost))
        return sorted(mistakes, key=lambda mistake: -mistake.cost)

    @public
    def compare(self, policies: Mapping[str, TurnPolicy]) -> list[PolicyComparison]:
        """Named policies, compared with the optimum; of "greedy" no mistakes are listed."""
        return [
            PolicyComparison(
                name, self.evaluate(policy), [] if policy == GREEDY else self.mistakes(policy)
            )
            for name, policy in policies.items()
        ]

    def _split(self, state: Any) -> tuple[int, int, Any]:
        """The index of the score card, the tally, and the state of the turn.

        Raises:
            RulesError: there is no such state.
        """
        try:
            card, total, inner = state
            index = self._cards.card_index[card]
            is_possible = total in self._cards.totals[index]
            if isinstance(inner, Outcome):
                is_possible &= inner in self._ending_index
        except (TypeError, ValueError, KeyError, IndexError):
            is_possible = False
        if not is_possible:
            raise impossible_state(state)
        return index, total, inner

    def policy(self, state: Any) -> str:
        """The first of the best options in a state."""
        return self.options(state)[0].name

    def _entry_values(self, card: int, total: int, ending: Outcome) -> dict[str, Fraction]:
        """The value of each entry of an ending, including what is to come."""
        return {
            entry.name: pay + self._value_after(entry, c, total)
            for entry, c, pay in self._entries_of(card, ending)
        }

    def _entries_of(self, card: int, ending: Outcome) -> Iterator[tuple[CardEntry, int, Fraction]]:
        """The entries that take an ending, each with the ending's class and its pay."""
        cards, e = self._cards, self._ending_index[ending]
        for entry in cards.entries[card]:
            reading = cards.readings[entry.reading]
            c = int(reading.class_by_ending[e])
            if c >= 0:
                yield entry, c, reading.pays[e] + entry.pays[c]

    def _value_after(self, entry: CardEntry, c: int, total: int) -> Fraction:
        """The value still to come after an entry of an ending of class `c`."""
        cards = self._cards
        target = cards.index_of_target(entry.targets[c])
        return self._value(target, min(cards.cap, total + entry.advances[c]))

    def _pays(self, card: int, ending: Outcome) -> dict[str, Fraction]:
        """What each entry of an ending pays at once."""
        return {entry.name: pay for entry, _, pay in self._entries_of(card, ending)}

    def to_come(self, card: Any = None, tally: int = 0) -> Fraction:
        """The expected value still to come on a score card; the first by default.

        Raises:
            RulesError: there is no such card.
        """
        card = self.game.card if card is None else card
        index, total, _ = self._split((card, tally, None))
        return self._value(index, total)

    def bound_at(self, state: Any) -> Fraction:
        index, total, _ = self._split(state)
        return self._bound_of(max(map(abs, self._turn_options.values(index, total))))

    def turn_card(self, card: Any = None, tally: int = 0) -> dict[str, DecisionList]:
        """How to play a turn with a score card: take the first option of a list that is allowed.

        For dice that may be rolled again, it lists what to keep by rolls left, then where to enter
        the result, with its pay: "sixes 18".

        Raises:
            RulesError: there is no such card.
        """
        card = self.game.card if card is None else card
        index = self._split((card, tally, None))[0]
        # Two values within their bounds of each other can't be told apart.
        tolerance = 2 * self.bound_at((card, tally, None))
        lists = {}
        for left, hands in self._hands_by_rolls_left().items():
            options = {hand: self.combined_options((card, tally, hand)) for hand in hands}
            lists[f"{quantity(left, 'roll')} left"] = _ranked_list(options, tolerance)
        entered = {}
        for ending in self._cards.endings:
            pays = self._pays(index, ending)
            entered[ending] = tuple(
                option._replace(name=f"{option.name} {amount(pays[option.name])}")
                for option in self.options((card, tally, ending))
            )
        lists["enter"] = _ranked_list(entered, tolerance)
        return lists

    def _hands_by_rolls_left(self) -> dict[int, list[Any]]:
        """The states in which all dice are rolled and some may be rolled again, most rolls first.

        It is empty if the turn is not of dice that are kept.
        """
        turn = self.game.turn
        if not isinstance(turn, KeepRoll):
            return {}
        # After the last roll there is nothing to keep, only to enter.
        hands: dict[int, list[Any]] = {left: [] for left in range(turn.rolls_allowed - 1, 0, -1)}
        states: Any = self.turn.node_by_key
        for name, dice, left in states:
            if len(dice) == turn.count and left in hands:
                hands[left].append((name, dice, left))
        return hands

    def first_pays(self) -> dict[Outcome, dict[str, Fraction]]:
        """For each ending, what each entry of the first card pays at once."""
        return {ending: self._pays(0, ending) for ending in self._cards.endings}

    def sacrifices(self) -> list[tuple[str, Fraction, Fraction]]:
        """For each entry of the first card, its least pay and the value then to come.

        The cheapest entry to give up comes first.
        """
        sense = self.goal.sense
        results: dict[str, set[tuple[Fraction, Fraction]]] = {
            entry.name: set() for entry in self._cards.entries[0]
        }
        for ending in self._cards.endings:
            for entry, c, pay in self._entries_of(0, ending):
                results[entry.name].add((pay, self._value_after(entry, c, 0)))
        rows = []
        for name, pairs in results.items():
            # Of several endings with the least pay, the player hopes for the best one.
            pay, to_come = min(pairs, key=lambda pair: (pair[0] * sense, -pair[1] * sense))
            rows.append((name, pay, to_come))
        return sorted(rows, key=lambda row: -(row[1] + row[2]) * sense)

    def hand(self, state: Any) -> str:
        """A state of the turn in words: the dice."""
        if isinstance(state, Outcome):
            return state.label
        if isinstance(self.game.turn, KeepRoll):
            return " ".join(map(str, state[1]))
        return state_name(state)

    def state_in_words(self, state: Any) -> str:
        self._split(state)
        card, tally, inner = state
        turn, name = self.game.turn, self.game.tally and self.game.tally[0]
        dice = turn.state_in_words(inner) if isinstance(turn, KeepRoll) else state_name(inner)
        return f"{dice}; {state_name(card)}" + (f"; {name} {tally}" if name else "")

    @property
    def proof_sentence(self) -> str:
        if not self.bound:
            return "Exact, in fractions: no option of any state is better"
        return f"Certified within {decimal(self.bound)}: a bound on what floats can round away"

    @property
    def size_sentence(self) -> str:
        return (
            f"{self.card_count:,} score cards, {self.state_count:,} with their totals; each has a "
            "card of its own"
        )

    def distribution_pages(self) -> list[Page]:
        return [self.law.page()]

    def policy_pages(self) -> list[Page]:
        return [turn_page(self), sacrifice_page(self)]

    def policy_data(self) -> dict[str, Any]:
        return {"cards": self.card_count, "states": self.state_count, "turn": turn_data(self)}

    @property
    def card_count(self) -> int:
        """The number of score cards."""
        return len(self._cards.cards)

    def simulate(self, games: int, seed: int = 1) -> SimulatedScores:
        """Simulate games under optimal play, with every die rolled; see `Play`."""
        return self.best.simulate(games, seed)

    @cached_property
    def rules_sha256(self) -> str:
        """The SHA-256 of the rules as integers; no certificate proves a game of turns.

        >>> import sevenout as so
        >>> from sevenout.catalogue.dice_keeping import Yahtzee
        >>> class OneBox(Yahtzee):
        ...     card = (frozenset({"yahtzee"}), False)
        >>> len(so.best(OneBox()).rules_sha256)
        64
        """
        digest = sha256()
        for row in rules_rows(self._cards, self.turn):
            digest.update(json.dumps(row, ensure_ascii=False).encode() + b"\n")
        return digest.hexdigest()


def best_turns(
    game: ByTurns, most: Quantity | None, least: Quantity | None, method: str
) -> TurnOptimum:
    """Optimal play of a game of turns; certified unless exact fractions are requested."""
    goal = goal_of_turns(game, most, least)
    return TurnOptimum(game, goal, "exact" if method == "exact" else "certified")


MAX_EXCEPTIONS = 24
"""The most exceptions that a page lists."""
KEEP = "keep"
ALIKE = ("", "one die", "a pair", "three alike", "four alike", "five alike", "six alike")
NUMBERS = re.compile(r"(?<!\S)-?\d+(?:[./]\d+)?(?!\S)")


def _ranked_list(
    options_by_state: Mapping[Any, tuple[Option, ...]], tolerance: Fraction
) -> DecisionList:
    """A ranking of options, with those of a kind side by side, and the states that it gets wrong.

    Options that cost up to `tolerance` count as best.
    """
    decisions = {
        state: Decision(
            tuple(option.name for option in options),
            frozenset(option.name for option in options if option.cost <= tolerance),
        )
        for state, options in options_by_state.items()
    }
    menus = {state: decision.menu for state, decision in decisions.items()}
    return grouped_ranking(ranking_of(decisions), menus, kind_of)


def kind_of(option: str) -> tuple[str, tuple[int, ...]]:
    """What an option has in common with others: its words, and of dice how many are alike.

    >>> kind_of("keep 5 5 5"), kind_of("keep 2 3 4"), kind_of("sixes 18")
    (('keep', (3,)), ('keep', (1, 1, 1)), ('sixes', ()))
    """
    words, numbers = NUMBERS.sub("", option).strip(), NUMBERS.findall(option)
    if words != KEEP:
        return words, ()
    return words, tuple(sorted(map(numbers.count, dict.fromkeys(numbers))))


def _in_words(kind: tuple[str, tuple[int, ...]], options: Sequence[str], faces: int) -> str:
    """Options of a kind, in one line; `faces` is the number of faces of a die."""
    words, alike = kind
    if words != KEEP:
        numbers = tuple(
            sorted({Fraction(n) for option in options for n in NUMBERS.findall(option)})
        )
        return f"{words} {value_range(numbers, True, numbers)}" if numbers else words
    kept = [option.removeprefix(KEEP).strip() for option in options]
    if len(alike) != 1 or alike[0] >= len(ALIKE):
        # Players write a roll without spaces, 12345, if each face is one digit.
        if all(len(face) == 1 for dice in kept for face in dice.split()):
            return ", ".join(dice.replace(" ", "") for dice in kept)
        return "; ".join(kept)
    name = ALIKE[alike[0]]
    # Of five dice at most one face comes three times, so the order of faces doesn't matter.
    if len(kept) == faces and alike[0] > 2:
        return name
    return f"{name}: {', '.join(dice.split()[0] for dice in kept)}"


def turn_page(optimum: TurnOptimum, card: Any = None, tally: int = 0, title: str = "") -> Page:
    """How to play a turn with a score card: a column for each decision, its best options first."""
    lists = optimum.turn_card(card, tally)
    turn = optimum.game.turn
    faces = len(turn.die.faces) if isinstance(turn, KeepRoll) else 0
    columns = {
        name: [
            _in_words(kind, list(options), faces)
            for kind, options in groupby(ranking.options, kind_of)
        ]
        for name, ranking in lists.items()
    }
    heads = [f"{name}, keep" if name.endswith("left") else name for name in columns]
    rows = [[i, *cells] for i, cells in enumerate(zip_longest(*columns.values(), fillvalue=""), 1)]
    blocks: list[Block] = [
        Text("In each column, do the first that you may."),
        Table([Column("", COUNT), *heads], rows),
    ]
    exceptions = [
        (name, optimum.hand(state), option)
        for name, ranking in lists.items()
        for state, option in ranking.exceptions.items()
    ]
    if exceptions:
        blocks.append(Table(["", "but with", "do"], exceptions[:MAX_EXCEPTIONS]))
        if len(exceptions) > MAX_EXCEPTIONS:
            more = f"… and {len(exceptions) - MAX_EXCEPTIONS:,} more; ask for the dice."
            blocks.append(Text(more, tone="note"))
    return Page(title or "The first turn", *blocks)


def card_page(optimum: TurnOptimum, state: Any, title: str) -> Page:
    """A score card: the value still to come, and how to play its next turn."""
    card, tally, _ = state
    to_come = with_bound(optimum.to_come(card, tally), optimum.bound_at(state))
    facts = Facts(Fact("still to come", to_come, DECIMAL.with_digits(15), note="mean"))
    return Page(title, facts, turn_page(optimum, card, tally, "The next turn"))


def card_data(optimum: TurnOptimum, state: Any, title: str) -> dict[str, Any]:
    """The same as data: exact figures as strings."""
    card, tally, _ = state
    return {
        "goal": optimum.goal.name,
        "state": title,
        "bound": as_json(optimum.bound_at(state)),
        "to come": as_json(optimum.to_come(card, tally)),
        "turn": turn_data(optimum, card, tally),
    }


def sacrifice_page(optimum: TurnOptimum) -> Page:
    """What to give up first: the value still to come if an entry pays least in the first turn."""
    bound = optimum.bound_at((optimum.game.card, 0, None))
    rows = [[name, pay, with_bound(value, bound)] for name, pay, value in optimum.sacrifices()]
    columns = ["entry", Column("for", FRACTION), Column("then to come", DECIMAL)]
    return Page("What to give up, the cheapest first", Table(columns, rows))


def turn_data(optimum: TurnOptimum, card: Any = None, tally: int = 0) -> dict[str, Any]:
    """How to play a turn with a score card, as data."""
    return {
        name: {
            "first_of": list(ranking.options),
            "exceptions": {
                optimum.hand(state): option for state, option in ranking.exceptions.items()
            },
        }
        for name, ranking in optimum.turn_card(card, tally).items()
    }


def rules_rows(cards: Cards, turn: Model) -> Iterator[list[Any]]:
    """The rules of a game of turns as lists: dice, turn, readings, cards, ends."""
    for rollable in turn.rollables:
        yield [list(map(state_name, rollable.law)), list(rollable.law.weights)]
    for s, state in enumerate(turn.states):
        targets = turn.targets_of(s).tolist()
        yield [state_name(state), turn.rollable_index[s], turn.menus[s], targets]
    yield [ending.label for ending in cards.endings]
    for reading in cards.readings:
        yield [reading.class_by_ending.tolist(), list(map(exact_json, reading.pays))]
    for card, entries in zip(cards.cards, cards.entries, strict=True):
        yield [
            state_name(card),
            [
                [e.name, e.reading, e.targets, e.advances, list(map(exact_json, e.pays))]
                for e in entries
            ],
        ]
    yield [cards.counter, cards.cap, [outcome.label for outcome in cards.outcomes]]
    for (index, total), value in cards.outcome_values.items():
        yield [index, total, exact_json(value)]
