"""The narrow waist: a finite Markov decision process with integer weights (Puterman 1994).

Rules are explored once into a `Model`; every engine reads the model and none reads the rules. Its
nodes are of two kinds: at a roll chance chooses among the moves, at a decision a player does. A
model in which no player decides is a `Chain`. A policy decides, and `model.under(policy)` is a
chain again, so that every engine serves every policy.

Where turns pass between two players, a node is seen by the player to move, and the model keeps half
of what it would need if it said whose turn it is: a move that `passes` turns the interest over.

The model keeps, for each node, which source is rolled there and where each roll leads, so that the
same structure serves exact weights, perturbed weights and the replay of a log. It is kept in
arrays, 8 bytes for a move.
"""

from array import array
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sevenout.dice import Rollable
from sevenout.errors import RulesError, shown
from sevenout.model.naming import state_name
from sevenout.rules import Objective, Outcome
from sevenout.rules.outcome import Counts, rolls_of

if TYPE_CHECKING:
    from sevenout.model.chain import Chain

Policy = Callable[[Any], str] | Mapping[Any, str]
"""What a player does: the option by state, as a function or as a table."""

SEATS = ("first", "second")


@dataclass(frozen=True, eq=False)
class Model:
    """A finite Markov decision process; node 0 is the start.

    The moves of node s are those from `first[s]` up to `first[s + 1]`: one for each outcome of what
    is rolled, in its distribution's order; or one for each option of the decision, in the order of
    its menu.

    Attributes:
        states: for each node, its state; one state may be both a decision and a roll.
        outcomes: the settled outcomes, as the player to move sees them; outcome k is target
            `len(states) + k`.
        rollables: what is rolled, each once.
        rolled: for each node, the index of what is rolled there; -1 at a decision.
        first: for each node, and one past the last, the index of its first move.
        targets: for each move, a node; or, from `len(states)` on, an outcome.
        tagged: for each move, the index of its tag.
        tags: the counters that a move may advance, by how much.
        stakes: the stake of each bet.
        declared: the counters that the rules name, though none may ever advance.
        passing: for each tag, whether the turn passes to the other player; never, if left out.
        menus: for each node, the names of the options; none at a roll, nor anywhere if left out.
        choosers: the player who decides, by node, where there are several.
        traps: the nodes in which the players could together prolong the game for ever.
        coordinates: the names of the parts of a state, for people; none if the rules don't say.
        goal: what the game is played for; None if the rules don't say.
        seen: what the player who is asked sees, by node, where that is not the state itself.
    """

    states: Sequence[Hashable]
    outcomes: tuple[Outcome, ...]
    rollables: tuple[Rollable, ...]
    rolled: "array[int]"
    first: "array[int]"
    targets: "array[int]"
    tagged: "array[int]"
    tags: tuple[Counts, ...]
    stakes: Mapping[str, Fraction]
    declared: tuple[str, ...] = ()
    passing: tuple[bool, ...] = ()
    menus: Sequence[tuple[str, ...]] = ()
    choosers: Mapping[int, str] = field(default_factory=dict)
    traps: frozenset[int] = frozenset()
    coordinates: Sequence[str] = ()
    goal: Objective | None = None
    seen: Mapping[int, Hashable] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.menus:
            object.__setattr__(self, "menus", ((),) * len(self.states))
        if not self.passing:
            object.__setattr__(self, "passing", (False,) * len(self.tags))

    @cached_property
    def questions(self) -> Sequence[int]:
        """The nodes at which a player decides, and has not decided once for all."""
        named = self.choosers
        return [s for s, menu in enumerate(self.menus) if menu and (not named or s in named)]

    def question(self, node: int) -> Hashable:
        """What a policy is asked at a node: the state, or the player and what they see of it."""
        return (self.choosers[node], self.seen[node]) if node in self.seen else self.states[node]

    @cached_property
    def asked(self) -> dict[Hashable, int]:
        """The node of each question; of those that are one to the player, the last."""
        return {self.question(s): s for s in self.questions}

    @property
    def passes(self) -> bool:
        """Whether turns pass between two players."""
        return any(self.passing)

    @cached_property
    def players(self) -> tuple[str, ...]:
        """Those who choose, where the rules name them."""
        return tuple(dict.fromkeys(self.choosers.values()))

    @cached_property
    def bets(self) -> tuple[str, ...]:
        """The names of the bets."""
        return tuple(dict.fromkeys(bet for outcome in self.outcomes for bet, _ in outcome.pays))

    @cached_property
    def counters(self) -> tuple[str, ...]:
        """The names of the counters, "rolls" first."""
        found = (name for counts in self.tags for name, _ in counts)
        return tuple(dict.fromkeys(["rolls", *self.declared, *found]))

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels of the outcomes."""
        return tuple(dict.fromkeys(outcome.label for outcome in self.outcomes))

    def stake(self, bet: str) -> Fraction:
        """What is staked when the bet is made."""
        return Fraction(self.stakes.get(bet, 1))

    def bet_named(self, bet: str | None) -> str:
        """The bet itself, if the game has it; the only one, if none is named.

        Raises:
            RulesError: no such bet, or several and none named.
        """
        if not self.bets:
            raise RulesError("the game has no bets")
        listed = shown(", ".join(self.bets), 240)[1:-1]
        if bet is None and len(self.bets) > 1:
            raise RulesError(f"the game has several bets; name one: {listed}")
        if bet is not None and bet not in self.bets:
            raise RulesError(f"no bet {shown(bet)}; the game has: {listed}")
        return self.bets[0] if bet is None else bet

    def rolls_until(self, bet: str) -> str:
        """The counter of the rolls until a bet is settled: at a table its own."""
        own = rolls_of(bet)
        return own if own in self.counters else "rolls"

    def options(self, state: Any) -> tuple[str, ...]:
        """What the player may do in a state.

        Raises:
            RulesError: no player decides in that state.
        """
        try:
            known = state in self.asked
        except TypeError:  # unhashable
            known = False
        if not known:
            if not self.asked:
                raise RulesError("the game has no choices")
            some = ", ".join(state_name(s) for s in list(self.asked)[:8])
            raise RulesError(
                f"state {shown(state)} is not a decision state; the decision states include: "
                f"{some}, ..."
            )
        return self.menus[self.asked[state]]

    def answer(self, policy: Policy, node: int) -> int:
        """The move that a policy chooses at a decision.

        Raises:
            RulesError: the policy says nothing there, or names what may not be done.
        """
        state, menu = self.question(node), self.menus[node]
        if isinstance(policy, Mapping):
            if state not in policy:
                raise RulesError(
                    f"the policy gives no option in state {shown(state)}; the options are: "
                    f"{', '.join(menu)}"
                )
            option = policy[state]
        elif callable(policy):
            option = policy(state)
        else:
            raise RulesError(
                f"{shown(policy)} is not a policy; give the option by state, as a function or a "
                "table"
            )
        if option not in menu:
            raise RulesError(
                f"the policy returned {shown(option)} in state {shown(state)}; the options are: "
                f"{', '.join(menu)}"
            )
        return self.first[node] + menu.index(option)

    def under(self, policy: Policy, other: Policy | None = None) -> "Chain":
        """The chain in which a policy decides; a chain is its own.

        >>> import sevenout as so
        >>> class Turn(so.Game):
        ...     dice, start = so.d6, 0
        ...     def choices(self, worth):
        ...         return {"roll": worth, "hold": so.settle("hold", {"turn": worth})}
        ...     def step(self, worth, face):
        ...         return so.settle("pig", {"turn": 0}) if face == 1 else min(worth + face, 30)
        >>> held = so.explore(Turn()).under(lambda worth: "roll" if worth < 20 else "hold")
        >>> so.solve(held).bet("turn").mean
        Fraction(492303203, 60466176)

        Where turns pass, the states are (seat, state) with the seats "first" and "second", and the
        bets are paid as the first player sees them. Where something is hidden, a policy is asked
        of (player, what they see), and may say how likely each option is; choices are drawn, and
        counted as rolls.

        Args:
            policy: what the player does; of two players, the first.
            other: what the others do; as the first if not given.

        Raises:
            RulesError: the policy names what may not be done, or settles the game before a roll.
            EndlessGameError: the game would go on for ever.
        """
        if self.seen:
            from sevenout.model.mixing import under_mixtures

            return under_mixtures(self, policy, other)
        from sevenout.model.induced import induced

        return induced(self, policy, policy if other is None else other)


def stakes_of(outcomes: Iterable[Outcome]) -> dict[str, Fraction]:
    """The stake of each bet, as the outcomes say.

    >>> from sevenout.rules import lose, win
    >>> stakes_of([win(stake=5), lose(stake=5)])
    {'pass': Fraction(5, 1)}

    Raises:
        RulesError: two outcomes that differ.
    """
    stakes: dict[str, Fraction] = {}
    for outcome in outcomes:
        for bet, pay in outcome.pays:
            if stakes.setdefault(bet, pay.stake) != pay.stake:
                raise RulesError(
                    f"the stake of {bet!r} is {stakes[bet]} in one outcome and {pay.stake} in "
                    "another; a bet has one stake"
                )
    return stakes


def seen_by_first(outcome: Outcome, seat: int) -> Outcome:
    """An outcome, settled by the player of a seat, as the first player sees it.

    >>> from sevenout.rules import win
    >>> seen_by_first(win("100 points"), 1).profit("pass")
    Fraction(-1, 1)
    """
    pays = outcome.pays
    if seat:
        pays = tuple((bet, pay._replace(profit=-pay.profit)) for bet, pay in pays)
    return Outcome(f"{SEATS[seat]}: {outcome.label}", pays)
