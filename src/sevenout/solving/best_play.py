"""What every optimum answers: values of options, costs of mistakes, and pages.

`BestPlay` is the interface for pages, commands and the lab. `Optimum` solves a game state by state,
`MixedOptimum` one with hidden information, `TurnOptimum` a game of turns for each score card.
"""

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from sevenout.documents import Block, Certified, Column, Fact, Facts, Page, Table, Text
from sevenout.documents.kinds import DECIMAL, FRACTION, Kind
from sevenout.documents.numbers import MAX_FRACTION, TOO_LONG, decimal, exactly
from sevenout.documents.tables import as_json
from sevenout.documents.words import Tone
from sevenout.errors import RulesError, shown
from sevenout.model import state_name
from sevenout.solving.answer import HasSheet
from sevenout.solving.goal import Goal
from sevenout.wrong_arguments import public

if TYPE_CHECKING:
    from sevenout.certify import ProofFile


class Option(NamedTuple):
    """A player's option in a state.

    >>> Option("roll", value=Fraction(65, 3), cost=Fraction(1, 3)).cost
    Fraction(1, 3)

    Attributes:
        name: the option.
        value: its value, if play is optimal afterwards.
        cost: its cost compared with the best option; at least 0.
    """

    name: str
    value: Fraction
    cost: Fraction


class Mistake(NamedTuple):
    """A state where a policy is not optimal.

    >>> Mistake(state=24, did="roll", best="hold", cost=Fraction(2, 3)).cost
    Fraction(2, 3)

    Attributes:
        state: the state.
        did: the policy's option.
        best: the best option.
        cost: the loss of value each time, if play is optimal afterwards.
    """

    state: Any
    did: str
    best: str
    cost: Fraction


class PolicyValue(NamedTuple):
    """The value of a policy to the player who follows it.

    >>> PolicyValue(Fraction(8), Fraction(0), Fraction(1, 7)).cost
    Fraction(1, 7)

    Attributes:
        value: the value of the game; with two players, against optimal play.
        bound: 0 if exact; else the error bound of the value.
        cost: its distance from the optimal value.
    """

    value: Fraction
    bound: Fraction
    cost: Fraction


class PolicyComparison(NamedTuple):
    """A policy compared with the optimum.

    Attributes:
        name: the policy.
        policy_value: its value.
        mistakes: its most costly mistakes.
    """

    name: str
    policy_value: PolicyValue
    mistakes: list[Mistake]

    def to_dict(self) -> dict[str, Any]:
        """As data; exact figures as text, states as printed."""
        return {
            "name": self.name,
            **{key: as_json(value) for key, value in self.policy_value._asdict().items()},
            "mistakes": [
                m._asdict() | {"state": state_name(m.state), "cost": as_json(m.cost)}
                for m in self.mistakes
            ],
        }


def with_bound(value: Fraction, bound: Fraction) -> Fraction | Certified:
    """A value, with its error bound if certified.

    >>> with_bound(Fraction(1, 3), Fraction(0))
    Fraction(1, 3)
    """
    return Certified(value, bound) if bound else value


MAX_MISTAKES = 5
"""Mistakes shown for each policy."""


class BestPlay(HasSheet):
    """Optimal play; see `best`.

    Attributes:
        goal: the objective.
        method: "exact", or "certified" with a proved bound.
        bound: 0 if exact; else the error bound of `value`.
        digits: decimal digits of an exact value, beside its fraction.
        hidden_sentence: that the players don't see everything; empty if they do.
        shows_all_mistakes: whether a page has the mistakes of every policy, or of the best alone.
        aim_suffix: what the sentence about the player's aim adds for the values in a state: that
            they count from that state on, if they do.
    """

    goal: Goal
    method: Literal["exact", "certified"]
    bound: Fraction
    digits: ClassVar[int] = 9
    hidden_sentence: ClassVar[str] = ""
    shows_all_mistakes: ClassVar[bool] = False
    aim_suffix: ClassVar[str] = ""

    @property
    @abstractmethod
    def value(self) -> Fraction:
        """The value of the game under optimal play, to the first player if there are two.

        The mean or the probability of the goal.
        """

    @abstractmethod
    def options(self, state: Any) -> tuple[Option, ...]:
        """The options in a state, the best first.

        Raises:
            RulesError: it is not a decision state.
        """

    def combined_options(self, state: Any) -> tuple[Option, ...]:
        """The options up to the next roll or the end, several choices in a row as one; best first.

        Raises:
            RulesError: it is not a decision state.
        """
        return self.options(state)

    @abstractmethod
    def bound_at(self, state: Any) -> Fraction:
        """The error bound of the values in a state; 0 if exact.

        Raises:
            RulesError: there is no such state.
        """

    def optimal_options(self, state: Any) -> frozenset[str]:
        """The options in a state that are optimal within the error bound."""
        # Each of two values may be off by the bound, in opposite directions.
        near = 2 * self.bound_at(state)
        options = self.combined_options(state)
        return frozenset(option.name for option in options if option.cost <= near)

    def advice(self, state: Any) -> str:
        """The optimal choices in a state, in words."""
        optimal = self.optimal_options(state)
        names = [option.name for option in self.combined_options(state)]
        return " or ".join(name for name in names if name in optimal)

    def cost(self, state: Any, option: str) -> Fraction:
        """The cost of an option or a combined one; 0 within the error bound.

        Raises:
            RulesError: it is not a decision state, or there is no such option.
        """
        options = (*self.combined_options(state), *self.options(state))
        return cost_of(option, options, self.bound_at(state))

    @abstractmethod
    def state_in_words(self, state: Any) -> str:
        """A state in words."""

    @abstractmethod
    def evaluate(self, policy: Any) -> PolicyValue:
        """The value of a policy."""

    @abstractmethod
    def mistakes(self, policy: Any, limit: int | None = None) -> list[Mistake]:
        """The most costly reachable mistakes of a policy."""

    @public
    def compare(self, policies: Mapping[str, Any]) -> list[PolicyComparison]:
        """Named policies, compared with the optimum."""
        return [
            PolicyComparison(name, self.evaluate(policy), self.mistakes(policy, MAX_MISTAKES))
            for name, policy in policies.items()
        ]

    @property
    def value_with_bound(self) -> Fraction | Certified:
        """The value, with its error bound if certified."""
        return with_bound(self.value, self.bound)

    @property
    def value_description(self) -> str:
        """What the value is, and for whom."""
        return self.goal.value_description

    @property
    def mover(self) -> str:
        """The player whose values are shown, as the subject of a sentence."""
        return "The player"

    @property
    def opponent_clause(self) -> str:
        """The opponent of a policy, as the end of a title; empty without one."""
        return ""

    @property
    @abstractmethod
    def proof_sentence(self) -> str:
        """How the value is proved, without the full stop."""

    @property
    @abstractmethod
    def size_sentence(self) -> str:
        """The size of the problem, without the full stop."""

    def distribution_pages(self) -> list[Page]:
        """The distribution of the result, if it is computed with the policy."""
        return []

    @abstractmethod
    def policy_pages(self) -> list[Page]:
        """Pages with the policy."""

    @abstractmethod
    def policy_data(self) -> dict[str, Any]:
        """The problem and the policy, as data."""

    def certificate(self, *, title: str = "") -> "ProofFile":
        """The certificate of the value, for an independent checker.

        Raises:
            RulesError: the game is solved in a form that no certificate lists.
        """
        raise RulesError(
            f"{title or 'the game'} has too many cards or positions to list, so no certificate "
            "proves its value; certify a smaller one, such as a single turn"
        )

    def page(self) -> Page:
        """A page: the value with its proof, and the policy."""
        return page(self)

    def to_dict(self) -> dict[str, Any]:
        """Value, bound and policy as data; exact figures as text."""
        return {
            "goal": self.goal.name,
            "method": self.method,
            "value": as_json(self.value),
            "bound": as_json(self.bound),
            **self.policy_data(),
        }

    def _policy_value(
        self, value: Fraction, bound: Fraction, sense: int | None = None
    ) -> PolicyValue:
        """The value of a policy, and its distance from the optimum.

        `sense` is 1 if a higher value is better, -1 if a lower one; that of the goal by default.
        """
        lost = (self.value - value) * (sense or self.goal.sense)
        return PolicyValue(value, bound, max(lost, Fraction(0)))

    def __repr__(self) -> str:
        kind = type(self).__name__
        return f"<{kind} ({self.method}): {self.goal.name} = {decimal(self.value_with_bound, 12)}>"


def cost_of(name: str, options: Iterable[Option], bound: Fraction) -> Fraction:
    """The cost of an option; 0 within the error bounds of its value and of the largest.

    Raises:
        RulesError: there is no such option.
    """
    costs = {option.name: option.cost for option in options}
    if name not in costs:
        names = ", ".join(costs)[:200]
        raise RulesError(f"{shown(name)} is not an option here; the options are: {names}")
    return costs[name] if costs[name] > 2 * bound else Fraction(0)


def checked_limit(limit: Any) -> int | None:
    """The number of mistakes to return; None for all.

    Raises:
        RulesError: it is not a number of mistakes.
    """
    if limit is not None and (type(limit) is not int or limit < 0):
        raise RulesError(f"limit={shown(limit)}; give a whole number, 0 or more")
    return limit


CERTIFIED_DIGITS = 15
"""Decimal digits of a certified value on a page."""


def page(
    best: "BestPlay",
    policies: Mapping[str, Any] | None = None,
    title: str = "",
    distribution: bool = False,
) -> Page:
    """A page of optimal play.

    Args:
        best: the optimum.
        policies: policies to compare, by name.
        title: of the page.
        distribution: include the distribution of the result, if there is one.
    """
    blocks = value_blocks(best)
    if distribution:
        blocks += best.distribution_pages()
    blocks += best.policy_pages()
    if policies:
        blocks += comparison_blocks(best, policies)
    return Page(title or "Best play", *blocks)


def value_blocks(best: "BestPlay") -> list[Block]:
    """The value and its proof."""
    digits = DECIMAL.with_digits(CERTIFIED_DIGITS if best.bound else best.digits)
    kinds = (digits,) if best.bound else (FRACTION, digits)
    facts = Facts(Fact("value", best.value_with_bound, *kinds, note=best.value_description))
    goal = f"Goal: {best.goal.description}"
    sentences = (goal, best.proof_sentence, best.size_sentence, best.hidden_sentence)
    note = " ".join(f"{sentence}." for sentence in sentences if sentence)
    return [facts, Text(note, tone="note")]


def comparison_blocks(best: "BestPlay", policies: Mapping[str, Any]) -> list[Block]:
    """The values of policies, and the most costly mistakes of each, or of the best policy."""
    comparisons = best.compare(policies)
    # One table of mistakes is enough for a page: that of the policy one would rather play.
    best_policy = min(comparisons, key=lambda comparison: comparison.policy_value.cost)
    rows: list[list[Any]] = [["best", best.value_with_bound, 0]]
    for name, (value, bound, cost), _ in comparisons:
        rows.append([name, with_bound(value, bound), with_bound(cost, bound + best.bound)])
    columns = [
        "policy",
        Column("value", *_value_kinds(rows[0][1])),
        Column("below the best", DECIMAL),
    ]
    blocks: list[Block] = [Page(f"Simple policies{best.opponent_clause}", Table(columns, rows))]
    for comparison in comparisons if best.shows_all_mistakes else [best_policy]:
        if comparison.mistakes:
            table = mistakes_table(best, comparison.mistakes)
            blocks.append(Page(f"The costliest mistakes of {comparison.name}", table))
    return blocks


def _value_kinds(value: Any) -> tuple[Kind, ...]:
    """Fractions and decimals; only decimals, if the optimum is not a short fraction."""
    is_short = not isinstance(value, Certified) and exactly(value, MAX_FRACTION) != TOO_LONG
    return (FRACTION, DECIMAL) if is_short else (DECIMAL,)


def mistakes_table(best: "BestPlay", mistakes: Iterable[Mistake]) -> Table:
    """Mistakes, the most costly first."""
    rows: list[list[Any]] = [
        [best.state_in_words(state), did, right, with_bound(cost, 2 * best.bound_at(state))]
        for state, did, right, cost in mistakes
    ]
    return Table(["in", "does", "best is", Column("costs each time", DECIMAL)], rows)


def options_page(best: "BestPlay", state: Any, words: str = "") -> Page:
    """The options in a state, with values and costs.

    Args:
        best: the optimum.
        state: a decision state.
        words: the state in words; default as printed.
    """
    bound = 2 * best.bound_at(state)
    rows: list[list[Any]] = []
    for name, value, cost in (options := best.combined_options(state)):
        # A cost within its own error bound may be 0, or a gain: no figure is printed.
        certified = Certified(cost, bound) if cost > bound else None
        rows.append([name, with_bound(value, bound), certified if bound else cost])
    columns = ["option", Column("value", *_value_kinds(rows[0][1])), Column("costs", DECIMAL)]
    optimal = best.optimal_options(state)
    n = sum(option.name in optimal for option in options)  # the best come first
    tones: dict[int, Tone] = dict.fromkeys(range(n), "good")
    aim = f"{best.mover} {best.goal.aim}{best.aim_suffix}"
    note = f"{aim}. The values assume best play afterwards."
    title = f"{words or best.state_in_words(state)}: {best.advice(state)}"
    return Page(title, Table(columns, rows, tones=tones), Text(note, tone="note"))


def options_data(best: "BestPlay", state: Any, name: str = "") -> dict[str, Any]:
    """The options in a state, as data; exact figures as text."""
    options = [
        {"name": name, "value": as_json(value), "cost": as_json(cost)}
        for name, value, cost in best.combined_options(state)
    ]
    bound = as_json(best.bound_at(state))
    return {
        "goal": best.goal.name,
        "state": name or str(state),
        "bound": bound,
        "options": options,
    }
