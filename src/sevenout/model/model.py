"""A finite Markov decision process with integer weights (Puterman 1994).

Rules are explored once into a `Model`, and every engine reads only the model. At a roll, chance
selects the move; at a decision, a player does. A model without decisions is a `Chain`;
`model.under(policy)` is one too, so every engine accepts every policy.

If turns pass between two players, a node is seen by the player to move. A move that `passes` turns
the interest over, which halves the number of nodes.

A roll keeps its source and the target of each face, so one structure serves exact weights,
perturbed weights and the replay of a log. Arrays take 8 bytes per move.
"""

from array import array
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sevenout.errors import RulesError, shown
from sevenout.model.naming import state_name
from sevenout.rolling import Rollable
from sevenout.rules import Objective, Outcome
from sevenout.rules.outcome import Counts, rolls_of

if TYPE_CHECKING:
    from sevenout.model.chain import Chain

Policy = Callable[[Any], str] | Mapping[Any, str]
"""A player's option by state, as a function or a table."""

SEATS = ("first", "second")


@dataclass(frozen=True, eq=False)
class Model:
    """A finite Markov decision process; node 0 is the start.

    The moves of node s are `first[s]` up to `first[s + 1]`: one per outcome of the roll, in its
    distribution's order, or one per option, in the order of the menu.

    Attributes:
        states: the state of each node; one state may be both a decision and a roll.
        outcomes: the outcomes as the player to move sees them; outcome k is target
            `len(states) + k`.
        rollables: the distinct rollables.
        rolled: for each node, the index of its rollable; -1 at a decision.
        first: for each node, and one past the last, the index of its first move.
        targets: for each move, a node; or, from `len(states)` on, an outcome.
        tagged: for each move, the index of its tag.
        tags: the counters that a move may advance, with increments.
        stakes: the stake of each bet.
        declared: the counters that the rules name, even if never advanced.
        passing: for each tag, whether the turn passes; empty for never.
        menus: for each node, the names of its options; empty if no player decides.
        choosers: the player who decides, by node, if there are several.
        traps: the nodes in which the players could together prolong the game for ever.
        coordinates: the names of a state's parts, for people; empty if the rules give none.
        goal: the objective of the game; None if the rules give none.
        seen: what the deciding player sees, by node, if not the state itself.
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
        """The nodes at which a player decides and whose decision is not fixed."""
        named = self.choosers
        return [s for s, menu in enumerate(self.menus) if menu and (not named or s in named)]

    def question(self, node: int) -> Hashable:
        """The key of a node for a policy: the state, or (player, what they see)."""
        return (self.choosers[node], self.seen[node]) if node in self.seen else self.states[node]

    @cached_property
    def asked(self) -> dict[Hashable, int]:
        """The node of each key; the last, if several share it."""
        return {self.question(s): s for s in self.questions}

    @property
    def passes(self) -> bool:
        """Whether turns pass between two players."""
        return any(self.passing)

    @cached_property
    def players(self) -> tuple[str, ...]:
        """The deciding players, if the rules name them."""
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
        """The stake of a bet."""
        return Fraction(self.stakes.get(bet, 1))

    def bet_named(self, bet: str | None) -> str:
        """The bet, if the game has it; the only one, if none is named.

        Raises:
            RulesError: no such bet, or several and none named.
        """
        if not self.bets:
            raise RulesError("the game has no bets; ask for its outcomes, rolls or counters")
        listed = shown(", ".join(self.bets), 240)[1:-1]
        if bet is None and len(self.bets) > 1:
            raise RulesError(f"the game has several bets; name one: {listed}")
        if bet is not None and bet not in self.bets:
            raise RulesError(f"no bet {shown(bet)}; the game has: {listed}")
        return self.bets[0] if bet is None else bet

    def rolls_until(self, bet: str) -> str:
        """The counter of rolls until a bet is settled; at a table, the bet's own."""
        own = rolls_of(bet)
        return own if own in self.counters else "rolls"

    def options(self, state: Any) -> tuple[str, ...]:
        """The player's options in a state.

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
            RulesError: the policy has no entry, or names an unknown option.
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
        """The chain under a policy; a chain is returned unchanged.

        >>> import sevenout as so
        >>> class Turn(so.Game):
        ...     dice, start = so.d6, 0
        ...     def choices(self, points):
        ...         return {"roll": points, "hold": so.settle("hold", {"turn": points})}
        ...     def step(self, points, face):
        ...         return so.settle("pig", {"turn": 0}) if face == 1 else min(points + face, 30)
        >>> held = so.explore(Turn()).under(lambda points: "roll" if points < 20 else "hold")
        >>> so.solve(held).bet("turn").mean
        Fraction(492303203, 60466176)

        If turns pass, the states are (seat, state) with the seats "first" and "second"; bets are
        paid as the first player sees them. With hidden information, a policy takes (player, what
        they see) and may return a mixture; its draws count as rolls.

        Args:
            policy: the player's, or the first player's.
            other: the other players'; default the same.

        Raises:
            RulesError: the policy names an unknown option, or settles the game before a roll.
            EndlessGameError: the game would go on for ever.
        """
        if self.seen:
            from sevenout.model.mixing import under_mixtures

            return under_mixtures(self, policy, other)
        from sevenout.model.induced import induced

        return induced(self, policy, policy if other is None else other)


def stakes_of(outcomes: Iterable[Outcome]) -> dict[str, Fraction]:
    """The stake of each bet in the outcomes.

    >>> from sevenout.rules import lose, win
    >>> stakes_of([win(stake=5), lose(stake=5)])
    {'pass': Fraction(5, 1)}

    Raises:
        RulesError: outcomes with different stakes for a bet.
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
    """An outcome settled by the player of a seat, as the first player sees it.

    >>> from sevenout.rules import win
    >>> seen_by_first(win("100 points"), 1).profit("pass")
    Fraction(-1, 1)
    """
    pays = outcome.pays
    if seat:
        pays = tuple((bet, pay._replace(profit=-pay.profit)) for bet, pay in pays)
    return Outcome(f"{SEATS[seat]}: {outcome.label}", pays)
