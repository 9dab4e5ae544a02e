"""Optimal play of a game of hidden hands, found on the tree of undominated options.

The base class answers what needs the explored game: the chain under optimal play, other policies,
certificates.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from sevenout.documents.numbers import many
from sevenout.errors import RulesError, TooManyStatesError, shown
from sevenout.model import MAX_STATES, Model, explore, state_name
from sevenout.model.process import Mixture
from sevenout.rules import HiddenHands
from sevenout.rules.families.hidden_hands import FIRST, SECOND
from sevenout.solving.hidden import SubgamePerfect, equilibrium, plan_of, proved
from sevenout.solving.hidden.mixed import MixedOptimum, Place
from sevenout.solving.hidden.public_tree.hands_game import HandsGame
from sevenout.solving.hidden.public_tree.undominated import Node, Undominated
from sevenout.solving.hidden.public_tree.unfolding import sequence_form_of
from sevenout.solving.hidden.sequences.sequence_matrix import whole_form
from sevenout.solving.policies.option_values import Option
from sevenout.solving.solvers.decision_problem import Arena

SEATS = (FIRST, SECOND)


class HandsOptimum(MixedOptimum):
    """Optimal play of a game of hidden hands; see `best`.

    >>> import sevenout as so
    >>> best = so.best(so.games("liars-dice", first=2, sides=4))
    >>> best.value, best.policy["second", ((4,), "3x3")]["call"]
    (Fraction(345, 1696), Fraction(1, 1))
    """

    def __init__(self, arena: Arena, method: Literal["auto", "exact", "certified"]) -> None:
        self._pose(arena)
        self.part = equilibrium(sequence_form_of(self.tree, SEATS), method)
        self.bound = self.part.bound
        self.method = "certified" if self.bound else "exact"

    def _pose(self, arena: Arena) -> None:
        assert arena.hands is not None
        self.game: HiddenHands = arena.hands
        self.goal = arena.goal
        self._shift = arena.shift
        self._sign = 1 if (self.goal.player == FIRST) == (self.goal.sense > 0) else -1
        values = [self._sign * value for value in arena.ends]
        self.tables = arena.model
        self.tree = Undominated(HandsGame.of(arena.model, values))

    @property
    def value(self) -> Fraction:
        return self._sign * self.part.value + self._shift

    @property
    def _seat(self) -> int:
        return SEATS.index(self.goal.player or FIRST)

    @property
    def players(self) -> tuple[str, ...]:
        return SEATS

    @cached_property
    def policy(self) -> Mapping[Any, Mixture]:
        """The probability of each option, by (player, (their hand, and all moves)).

        It lists the states reached by undominated options, and answers for all.
        """
        return _Policy(self)

    def _known(self, state: Any) -> Place | None:
        """The information set in the tree, if it is there."""
        player, seen = state
        side = self.part.form.sides[SEATS.index(player)]
        k = side.index.get(seen)
        return None if k is None else Place(0, self.part, SEATS.index(player), k)

    def _question(self, state: Any) -> tuple[Node, int, int]:
        """The node, seat and hand of a state."""
        try:
            player, (hand, *done) = state
            seat = SEATS.index(player)
            k, node = self.tree.game.hands[seat].index(hand), self.tree.root
            for move in done:
                node = node.branches[node.table.menu.index(move)].then
        except (TypeError, ValueError):
            raise RulesError(
                f"state {shown(state)} is not a decision state; write one as (player, (hand, and "
                "all moves))"
            ) from None
        if node.table.seat != seat:
            raise RulesError(f"{player} has no choice in state {shown(state)}")
        return node, seat, k

    def mixture(self, state: Any) -> Mixture:
        """The probability of each option in a state.

        Raises:
            RulesError: it is not a decision state.
        """
        node, _, hand = self._question(state)
        place, menu = self._known(state), node.table.menu
        if place is None:  # reached only by a dominated option
            takes = [b.option for b in node.branches if b.hands >> hand & 1] or [len(menu) - 1]
            shares = {menu[takes[-1]]: Fraction(1)}
        else:
            shares = dict(zip(place.own.menu, place.mixture, strict=True))
        return {option: shares.get(option, Fraction(0)) for option in menu}

    def at(self, state: Any) -> tuple[Option, ...]:
        """The options in (player, (hand, and all moves)), best first, if the other follows the
        policy.

        A game too large to explore omits dominated options.

        Raises:
            RulesError: it is not a decision state, or it is unreachable against the policy.
        """
        node, _, _ = self._question(state)
        place = self._known(state)
        small = self.tree.game.positions <= MAX_STATES
        if small and (place is None or len(place.own.menu) < len(node.table.menu)):
            return super().at(state)
        if place is None:
            raise RulesError(f"{self.said(state)} follows a move that is never better than another")
        return self._options(state, place)

    def bases(self, node: Node, base: int) -> Mapping[int, int]:
        """By option, the base of the next history, if histories are numbered."""
        return {}

    def plays(
        self, node: Node, done: tuple[int, ...], base: int, hands: Sequence[int]
    ) -> list[tuple[Fraction, ...]]:
        """The probability of each option, for these hands of the mover after the moves `done`."""
        seat, moves, at = node.table.seat, [], self.tree.root
        for option in done:
            moves.append(at.table.menu[option])
            at = at.branches[option].then
        names = self.tree.game.hands[seat]
        seen = [(SEATS[seat], (names[hand], *moves)) for hand in hands]
        return [tuple(self.mixture(state).values()) for state in seen]

    def comes_up(self, state: Any) -> Fraction:
        """The probability of reaching a state if both players follow the policy."""
        self._question(state)
        place = self._known(state)
        if place is None:
            return Fraction(0)
        return self.part.plans[place.seat][place.own.parent] * place.chance

    def bound_at(self, state: Any) -> Fraction:
        """The most that equally good options may seem to differ by rounding; 0 if exact."""
        place = self._known(state)
        return self.bound / place.chance if place and place.chance else Fraction(0)

    def does(self, state: Any) -> str:
        from sevenout.solving.hidden.mixedpages import mixture_said

        return mixture_said(self.mixture(state))

    def meant(self, text: Any) -> Any:
        """The state that a text describes: player, hand and moves; or the state itself.

        >>> import sevenout as so
        >>> so.best(so.games("kuhn")).meant("second: K, check")
        ('second', ('K', 'check'))
        """
        if not isinstance(text, str):
            self._question(text)
            return text
        words = _words(text)
        named = [player for player in SEATS if words[:1] == [player]]
        words = words[1:] if named else words
        found = []
        for seat, hands in enumerate(self.tree.game.hands):
            for hand in hands:
                said = _words(state_name(hand))
                if words[: len(said)] == said and named in ([], [SEATS[seat]]):
                    state = SEATS[seat], (hand, *words[len(said) :])
                    try:
                        self._question(state)
                    except RulesError:
                        continue
                    found.append(state)
        if len(found) == 1:
            return found[0]
        some = "; ".join(state_name(state) for state in found or list(self.policy)[:6])
        if found:
            raise RulesError(f"{shown(text)} fits several states: {some}")
        raise RulesError(
            f"{shown(text)} is not a decision state; the decision states include: {some}"
        )

    @cached_property
    def model(self) -> Model:  # type: ignore[override]
        """The explored game: every pair of hands, and every history."""
        if self.tree.game.positions > MAX_STATES:
            raise TooManyStatesError(
                f"{self.tree.game.positions:,} positions are too many to list (at most "
                f"{MAX_STATES:,}); ask for the value, the policy, or the options at a state"
            )
        return explore(self.game)

    @cached_property
    def solved(self) -> SubgamePerfect:  # type: ignore[override]
        """The two policies in the explored game, proved again there."""
        values = [self._sign * (self.goal.value(o) - self._shift) for o in self.model.outcomes]
        form = whole_form(self.model, values, SEATS)
        one, two = (
            plan_of(
                side, [tuple(self.mixture((side.player, own.seen)).values()) for own in side.sets]
            )
            for side in form.sides
        )
        part = proved(form, one, two)
        return SubgamePerfect({0: form}, {0: part}, {0: part.bound})

    @property
    def size(self) -> str:
        sets = sum(len(side.sets) for side in self.part.form.sides)
        return (
            f"There are {many(self.tree.game.positions, 'position')}. Without options that another "
            f"is sure to beat, the players can see {many(sets, 'different thing')} when they choose"
        )


class _Policy(Mapping[Any, Mixture]):
    """A player's policy, computed on demand."""

    def __init__(self, best: HandsOptimum) -> None:
        self.best = best

    def __getitem__(self, state: Any) -> Mixture:
        try:
            return self.best.mixture(state)
        except RulesError:
            raise KeyError(state) from None

    def __iter__(self) -> Iterator[Any]:
        for side in self.best.part.form.sides:
            for own in side.sets:
                yield side.player, own.seen

    def __len__(self) -> int:
        return sum(len(side.sets) for side in self.best.part.form.sides)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\s,;:()·]+", text)
