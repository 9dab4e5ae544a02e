"""Optimal play of a game of hidden hands, found on the tree of undominated options.

A tree of moderate size is solved exactly, as a sequence form; see `equilibria`. A larger one is
played by regret matching to a proved interval, and made exact if that succeeds; see
`regret_matching`. The base class answers what needs the explored game: the chain under optimal
play, other policies, certificates.
"""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from heapq import heappop, heappush
from itertools import count
from typing import Any, Literal, NamedTuple, NoReturn

from sevenout.documents.numbers import decimal, many
from sevenout.errors import RulesError, TooManyStatesError, shown
from sevenout.model import MAX_STATES, Model, explore, state_name
from sevenout.model.process import Mixture
from sevenout.rules import HiddenHands
from sevenout.rules.hidden_hands import FIRST, SECOND
from sevenout.solving.hidden import SubgamePerfect, equilibrium, plan_of, proved
from sevenout.solving.hidden.mixed_optimum import MixedOptimum, Place
from sevenout.solving.hidden.public_tree import HandsGame, Node, Undominated, bits, sequence_form_of
from sevenout.solving.hidden.regret_matching import SETTLED, Matching
from sevenout.solving.hidden.sequence_form import whole_form
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
        from sevenout.solving.hidden.mixed_optimum import mixture_said

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


MOST_EXACT = 150_000
"""The linear program is solved up to this many hands and moves."""

FINER = (1e-4, 1e-5, 1e-6, 1e-7)
"""Half-widths of the interval at which exact policies are tried, on request."""

Reached = tuple[list[Any], list[Any]]
"""By player and hand, the probability of their own moves in a history."""


def optimum_of_hands(arena: Arena, method: Literal["auto", "exact", "certified"]) -> HandsOptimum:
    """Optimal play of a game of hidden hands: exact, or by regret matching if large."""
    matched = MatchedOptimum(arena)
    if matched.tree.root.sequences > MOST_EXACT:
        matched.match(method)
        return matched
    return HandsOptimum(arena, method)


class History(NamedTuple):
    """A history of moves.

    Attributes:
        base: of its numbers; -1 after a dominated move.
        reached: the probability of each player's own moves, by hand.
    """

    node: Node
    base: int
    reached: Reached


class MatchedOptimum(HandsOptimum):
    """Nearly optimal play, with a proved interval; see `best`.

    Its policy lists the most frequent states first.
    """

    method: Literal["exact", "certified"] = "certified"
    listed = False

    def __init__(self, arena: Arena) -> None:
        self._pose(arena)

    def match(self, method: Literal["auto", "exact", "certified"]) -> None:
        """Find the policies by regret matching."""
        self.found = Matching(self.tree)
        if method != "certified" and self.found.settle(SETTLED if method == "auto" else FINER):
            self.method = "exact"
        elif method == "exact":
            near = float(self.found.bound)
            raise RulesError(
                f"no exact policies were found; the nearest are within {near:.1e}; "
                "raise the budget, or use method='certified' for these, with their error bound"
            )
        self.bound = self.found.bound

    @property
    def value(self) -> Fraction:
        return self._sign * self.found.value + self._shift

    @property
    def proof(self) -> str:
        rounds = f"after {self.found.rounds:,} rounds of regret matching"
        if not self.bound:
            return f"{super().proof}. They were found near the averages {rounds}"
        low, high = sorted((self.value - self.bound, self.value + self.bound))
        return (
            f"Certified between {decimal(low, 6)} and {decimal(high, 6)} {rounds}, by best replies "
            "to the two policies"
        )

    @property
    def size(self) -> str:
        root = self.tree.root
        return (
            f"There are {many(self.tree.game.positions, 'position')}. Without options that another "
            f"is sure to beat, the players can see {many(root.sets, 'different thing')} when they "
            "choose"
        )

    def _opening(self) -> History:
        sure = Fraction(1) if self.found.exact else 1.0
        one, two = ([sure] * len(hands) for hands in self.tree.game.hands)
        return History(self.tree.root, 0, (one, two))

    def _after(self, history: History) -> dict[int, History]:
        """What follows each option."""
        node, base, reached = history
        seat = node.table.seat
        if base < 0:
            return {b.option: history._replace(node=b.then) for b in node.branches}
        shares, bases = self.found.shares(node, base), self.found.after(node, base)
        number = Fraction if self.found.exact else float
        after = {}
        for option, _, then in node.branches:
            taken = shares.get(option, {})
            mine = [p * number(taken.get(h, 0)) for h, p in enumerate(reached[seat])]
            both = (reached[0], mine) if seat else (mine, reached[1])
            after[option] = History(then, bases.get(option, -1), both)
        return after

    def _history(self, state: Any) -> tuple[History, int]:
        """The history of a state, and the index of the hand."""
        _, _, hand = self._question(state)
        history = self._opening()
        for move in state[1][1:]:
            history = self._after(history)[history.node.table.menu.index(move)]
        return history, hand

    def _chances(self, history: History) -> list[Any]:
        """By hand of the mover, the probability of the deal and of the other's moves."""
        game, seat = self.tree.game, history.node.table.seat
        rows = list(zip(*game.weights, strict=True)) if seat else game.weights
        other = history.reached[1 - seat]
        each = (sum(w * p for w, p in zip(row, other, strict=True)) for row in rows)
        return [chance / game.total for chance in each]

    def mixture(self, state: Any) -> Mixture:
        history, hand = self._history(state)
        shares = self.found.shares(history.node, history.base) if history.base >= 0 else {}
        played = _played(history.node, shares, hand)
        return dict(zip(history.node.table.menu, played, strict=True))

    def certificate(self, *, game: str = "game") -> NoReturn:
        """Refused: the policies are averages of histories too many to list.

        Raises:
            RulesError: always.
        """
        raise RulesError(
            f"{game} has too many positions to list, so no certificate proves its value; certify a "
            "smaller game, with fewer dice or sides"
        )

    def comes_up(self, state: Any) -> Fraction:
        history, hand = self._history(state)
        own = history.reached[history.node.table.seat][hand]
        return Fraction(own * self._chances(history)[hand])

    def at(self, state: Any) -> tuple[Option, ...]:
        history, hand = self._history(state)
        chance = Fraction(self._chances(history)[hand])
        if history.base < 0 or not chance:
            raise RulesError(
                f"{self.said(state)} is unreachable if both players follow the policy, so the "
                "best option there is undetermined"
            )
        node, seat = history.node, history.node.table.seat
        gains = self.found.replies(node, history.base, history.reached[1 - seat])
        values = {k: each[hand] / chance for k, each in gains.items() if hand in each}
        best, sign = max(values.values()), -self._sign if seat else self._sign
        options = [
            Option(node.table.menu[k], sign * value + self._shift, best - value)
            for k, value in values.items()
        ]
        return tuple(sorted(options, key=lambda option: option.margin))

    def bound_at(self, state: Any) -> Fraction:
        history, hand = self._history(state)
        chance = Fraction(self._chances(history)[hand])
        return self.bound / chance if chance else Fraction(0)

    @cached_property
    def policy(self) -> Mapping[Any, Mixture]:
        return _Likeliest(self)

    def likeliest(self) -> Iterator[Any]:
        """The states (player, (hand, and all moves)), most frequent first."""
        ties = count()
        heap: list[tuple[float, int, Any]] = [(-1.0, next(ties), ((), self._opening()))]
        hands = self.tree.game.hands
        while heap:
            _, _, found = heappop(heap)
            if len(found) == 3:
                yield found[0], (found[1], *found[2])
                continue
            done, history = found
            seat = history.node.table.seat
            up = [p * q for p, q in zip(self._chances(history), history.reached[seat], strict=True)]
            for hand in bits(history.node.alive[seat]):
                heappush(heap, (-up[hand], next(ties), (SEATS[seat], hands[seat][hand], done)))
            menu = history.node.table.menu
            for option, then in self._after(history).items():
                if then.base >= 0 and then.node.payoffs < 0:
                    chances = self._chances(then)
                    own = then.reached[then.node.table.seat]
                    mass = sum(p * q for p, q in zip(chances, own, strict=True))
                    heappush(heap, (-mass, next(ties), ((*done, menu[option]), then)))


def _played(
    node: Node, shares: Mapping[int, Mapping[int, Fraction]], hand: int
) -> tuple[Fraction, ...]:
    """The probability of each option; after a dominated move, the reply to it."""
    menu = range(len(node.table.menu))
    if shares and node.alive[node.table.seat] >> hand & 1:
        return tuple(shares.get(k, {}).get(hand, Fraction(0)) for k in menu)
    takes = [b.option for b in node.branches if b.hands >> hand & 1] or [menu[-1]]
    return tuple(Fraction(int(k == takes[-1])) for k in menu)


class _Likeliest(Mapping[Any, Mixture]):
    """A player's policy, computed on demand; the most frequent states first."""

    def __init__(self, best: MatchedOptimum) -> None:
        self.best = best

    def __getitem__(self, state: Any) -> Mixture:
        try:
            return self.best.mixture(state)
        except RulesError:
            raise KeyError(state) from None

    def __iter__(self) -> Iterator[Any]:
        return self.best.likeliest()

    def __len__(self) -> int:
        return self.best.tree.root.sets
