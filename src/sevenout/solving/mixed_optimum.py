"""Optimal mixed policies for games with hidden information, and how they are printed.

`MixedOptimum` solves the explored game, subgame by subgame (`equilibria`).

A game of hidden hands is solved on the tree of undominated options (`public_tree`). `HandsOptimum`
solves a tree of moderate size as a sequence form. `MatchedOptimum` plays a larger one by regret
matching to a proved interval, and makes that exact if it succeeds. What needs the explored game,
they take from `MixedOptimum`: the chain under optimal play, other policies, certificates.
"""

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from heapq import heappop, heappush
from itertools import count, islice
from typing import Any, Literal, NamedTuple, NoReturn

from sevenout.documents import Block, Column, Page, Table, Text
from sevenout.documents.kinds import PERCENT
from sevenout.documents.numbers import decimal, percent, quantity
from sevenout.documents.tables import as_json
from sevenout.errors import RulesError, TooManyStatesError, shown
from sevenout.extras import require
from sevenout.model import MAX_STATES, Chain, Model, explore, state_name
from sevenout.model.model import under_mixtures
from sevenout.model.process import SEATS, ChoiceMixture, MixedPolicy
from sevenout.rules import HiddenHands
from sevenout.solving.answer import Answer
from sevenout.solving.best_play import BestPlay, Mistake, Option, PolicyValue, checked_limit
from sevenout.solving.certificates import MixedCertificate
from sevenout.solving.equilibria import (
    BestReply,
    Equilibrium,
    InformationSet,
    SubgamePerfect,
    best_reply,
    equilibrium,
    plan_of,
    proved_equilibrium,
    subgame_perfect,
    whole_form,
)
from sevenout.solving.goal import Arena, Goal
from sevenout.solving.public_tree import (
    HandsGame,
    TreeNode,
    UndominatedTree,
    bits,
    sequence_form_of,
)


class SubgameSet(NamedTuple):
    """An information set in its subgame.

    Attributes:
        root: the root of the subgame.
        part: its equilibrium.
        seat: of the player who chooses.
        number: of the set among theirs.
    """

    root: int
    part: Equilibrium
    seat: int
    number: int

    @property
    def infoset(self) -> InformationSet:
        """The information set."""
        return self.part.form.sides[self.seat].sets[self.number]

    @property
    def reply(self) -> BestReply:
        """The player's best reply to the other's plan."""
        return self.part.replies[1 - self.seat]

    @property
    def reach(self) -> Fraction:
        """The counterfactual reach probability: that of the rolls and the other's moves."""
        return self.reply.reach[self.number]

    @property
    def mixture(self) -> tuple[Fraction, ...]:
        """The probability of each option; uniform over the best where the player's own plan never
        gets.
        """
        infoset, plan, reply = self.infoset, self.part.plans[self.seat], self.reply
        if total := plan[infoset.parent]:
            return tuple(plan[s] / total for s in infoset.sequences)
        good = [
            not self.reach or reply.gains[s] == reply.values[self.number] for s in infoset.sequences
        ]
        return tuple(Fraction(int(is_best), sum(good)) for is_best in good)


def payoff_sign(goal: Goal, players: Sequence[str]) -> int:
    """1 if the first player wants more, else -1; the engines maximise for the first player."""
    is_of_first = goal.player in (None, players[0])
    return 1 if is_of_first == (goal.sense > 0) else -1


class MixedOptimum(BestPlay, Answer):
    """Optimal play of a game with hidden information; see `best`.

    >>> import sevenout as so
    >>> kuhn = so.best(so.games("kuhn"))
    >>> kuhn.value, kuhn.policy["first", ("Q",)]["check"]
    (Fraction(-1, 18), Fraction(1, 1))
    >>> [option.name for option in kuhn.options(("second", ("K", "check")))]
    ['bet', 'check']

    Attributes:
        model: the explored game.
        goal: the objective.
        solved: the equilibrium of each subgame.
        bound: 0 if exact; else the error bound of the value.
        method: "exact" or "certified".
        is_listed_in_full: whether pages and data have the whole policy.
    """

    hidden_sentence = "Some information is hidden"
    is_listed_in_full = True

    def __init__(self, arena: Arena, method: Literal["auto", "exact", "certified"]) -> None:
        self.model: Model = arena.model
        self.goal = arena.goal
        self._shift = arena.shift
        values = [self._payoff_sign * value for value in arena.ends]
        self.solved = subgame_perfect(arena.model, values, method)
        self.bound = self.solved.bound
        self.method = "certified" if self.bound else "exact"

    @property
    def value(self) -> Fraction:
        return self._payoff_sign * self.solved.value + self._shift

    @property
    def players(self) -> tuple[str, ...]:
        """The players who choose."""
        return self.model.players

    @property
    def _seat(self) -> int:
        """The seat of the goal's player."""
        return 0 if self.goal.player in (None, self.players[0]) else 1

    @property
    def _payoff_sign(self) -> int:
        return payoff_sign(self.goal, self.players)

    @cached_property
    def _sets(self) -> dict[Hashable, SubgameSet]:
        """Each information set by (player, what they see)."""
        return {
            (side.player, infoset.seen): SubgameSet(root, part, seat, k)
            for root, part in self.solved.parts.items()
            for seat, side in enumerate(part.form.sides)
            for k, infoset in enumerate(side.sets)
        }

    def _set(self, state: Any) -> SubgameSet:
        self.model.options(state)
        return self._sets[state]

    def options(self, state: Any) -> tuple[Option, ...]:
        """The options in (player, what they see), best first, if the other follows the policy.

        Values are conditional on reaching the state, and for the goal's player.

        Raises:
            RulesError: it is not a decision state, or it is unreachable against the policy.
        """
        return self._options(state, self._set(state))

    def _options(self, state: Any, located: SubgameSet) -> tuple[Option, ...]:
        infoset, reply, chance = located.infoset, located.reply, located.reach
        # Values are conditional on being here, and a condition of probability 0 has none.
        if not chance:
            raise RulesError(
                f"{self.state_in_words(state)} is unreachable if the other player follows the "
                "policy, so the best option there is undetermined"
            )
        options = []
        for name, s in zip(infoset.menu, infoset.sequences, strict=True):
            cost = abs(reply.values[located.number] - reply.gains[s]) / chance
            value = self._payoff_sign * reply.gains[s] / chance + self._shift
            options.append(Option(name, value, cost))
        return tuple(sorted(options, key=lambda option: option.cost))

    @cached_property
    def policy(self) -> Mapping[Any, ChoiceMixture]:
        """The probability of each option, by (player, what they see).

        Where the player's own policy never gets, it gives a best reply.
        """
        return {state: self.mixture(state) for state in self._sets}

    def reach_probability(self, state: Any) -> Fraction:
        """The probability of reaching a state if both players follow the policy."""
        located = self._set(state)
        plan = located.part.plans[located.seat]
        return self.solved.reach[located.root] * plan[located.infoset.parent] * located.reach

    def bound_at(self, state: Any) -> Fraction:
        """The most that equally good options may seem to differ by rounding; 0 if exact."""
        located = self._set(state)
        bound = self.solved.bounds[located.root]
        return bound / located.reach if located.reach else Fraction(0)

    def state_in_words(self, state: Any) -> str:
        player, seen = state
        return f"{player} sees {state_name(seen)}"

    def mixture(self, state: Any) -> ChoiceMixture:
        """The probability of each option in a state.

        Raises:
            RulesError: it is not a decision state.
        """
        located = self._set(state)
        return dict(zip(located.infoset.menu, located.mixture, strict=True))

    def advice(self, state: Any) -> str:
        return mixture_in_words(self.mixture(state))

    @cached_property
    def chain(self) -> Chain:
        """The game under optimal play; each choice is drawn and counts as a roll."""
        return under_mixtures(self.model, self.policy)

    def _shares(self, policy: MixedPolicy, state: Any) -> list[Fraction]:
        mixture = self.model.mixture_at(policy, self.model.node_by_key[state])
        return [mixture.get(option, Fraction(0)) for option in self.model.options(state)]

    def _plans(self, policy: MixedPolicy) -> dict[int, list[Fraction]]:
        """The policy's plan for the goal's player in each subgame."""
        plans = {}
        for root, part in self.solved.parts.items():
            side = part.form.sides[self._seat]
            shares = [self._shares(policy, (side.player, infoset.seen)) for infoset in side.sets]
            plans[root] = plan_of(side, shares)
        return plans

    def evaluate(self, policy: MixedPolicy) -> PolicyValue:
        """The value of a policy of the goal's player against its best reply.

        Raises:
            RulesError: a forbidden option, or probabilities that don't add up to 1.
        """
        values: dict[int, Fraction] = {}
        plans = self._plans(policy)
        # A reply may gain in every subgame, so it is made anew from the last one.
        for root in reversed(list(self.solved.forms)):
            form = self.solved.forms[root].with_values(values)
            values[root] = best_reply(form, plans[root], 1 - self._seat).value
        return self._policy_value(self._payoff_sign * values[0] + self._shift, self.bound)

    def mistakes(self, policy: MixedPolicy, limit: int | None = None) -> list[Mistake]:
        """A policy's mistakes against the optimal policy, the most costly first.

        `limit` bounds their number, and leaves out those unreachable in a subgame.

        Raises:
            RulesError: as `evaluate`; or `limit` is not a number of mistakes.
        """
        limit = checked_limit(limit)
        plans, mistakes = self._plans(policy), []
        for state, located in self._sets.items():
            # A mistake that a player never makes is no news; in full lists it is.
            never = limit is not None and not plans[located.root][located.infoset.parent]
            if located.seat != self._seat or not located.reach or never:
                continue
            options = {option.name: option for option in self.options(state)}
            best = next(iter(options))
            shares = self._shares(policy, state)
            for option, share in zip(located.infoset.menu, shares, strict=True):
                if share and options[option].cost > 2 * self.bound_at(state):
                    mistakes.append(Mistake(state, option, best, options[option].cost))
        mistakes.sort(key=lambda mistake: -mistake.cost)
        return mistakes if limit is None else mistakes[:limit]

    @property
    def value_description(self) -> str:
        return f"{super().value_description}, of {self.goal.player}"

    @property
    def mover(self) -> str:
        player = self.goal.player or "The player"
        return player[:1].upper() + player[1:]

    @property
    def opponent_clause(self) -> str:
        return ", against the best reply to it"

    @property
    def proof_sentence(self) -> str:
        if not self.bound:
            return "Exact: the best replies to the two policies come to the same fraction"
        return f"{self._interval_in_words(9)}, by the exact best replies to the two policies"

    def _interval_in_words(self, digits: int) -> str:
        low, high = self.value - self.bound, self.value + self.bound
        return f"Certified between {decimal(low, digits)} and {decimal(high, digits)}"

    @property
    def size_sentence(self) -> str:
        nodes = sum(part.form.nodes for part in self.solved.parts.values())
        return (
            f"The players can see {quantity(len(self._sets), 'different thing')} when they "
            f"choose, in {quantity(nodes, 'position')}"
        )

    def policy_pages(self) -> list[Page]:
        """Each player's policy, most frequent states first."""
        players = sorted(self.players, key=lambda player: player != self.goal.player)
        return [Page(f"How {player} plays", *_policy_blocks(self, player)) for player in players]

    def policy_data(self) -> dict[str, Any]:
        """The whole policy as data, with the probability of each state."""
        policy = [
            {
                "player": player,
                "sees": state_name(seen),
                "plays": {name: as_json(p) for name, p in mixture.items() if p},
                "comes_up": as_json(self.reach_probability((player, seen))),
            }
            for player, seen in islice(self.policy, None if self.is_listed_in_full else MAX_LISTED)
            for mixture in [self.policy[player, seen]]
        ]
        return {"policy": policy} | ({} if self.is_listed_in_full else {"of": len(self.policy)})

    def certificate(self, *, title: str = "game") -> MixedCertificate:
        """The two policies, as a proof for an independent checker.

        Args:
            title: the game's name in print.
        """
        return MixedCertificate(title, self)


MAX_LINES = 24
"""The most information sets shown per player, most frequent first."""
MAX_LISTED = 300
"""The most listed for a game too large to list in full."""
MAX_NAMED = 4
"""The most options named in a line, most likely first."""
MIN_NAMED = Fraction(1, 10_000)
"""Less likely options are not named."""
MAX_PRINTED_DENOMINATOR = 1000
"""Probabilities with larger denominators are printed in per cent."""


def _policy_blocks(best: "MixedOptimum", player: str) -> list[Block]:
    """A player's mixed decisions, with the most frequent states first."""
    # The policy of a game too large to list comes with the most frequent states first.
    states = islice(best.policy, None if best.is_listed_in_full else MAX_LISTED)
    decisions = [state for state in states if state[0] == player and len(best.policy[state]) > 1]
    chances = {state: best.reach_probability(state) for state in decisions}
    reachable = [state for state in decisions if chances[state]]
    reachable.sort(key=lambda state: -chances[state])
    rows = [
        [state_name(state[1]), mixture_in_words(best.policy[state]), chances[state]]
        for state in reachable[:MAX_LINES]
    ]
    blocks: list[Block] = [
        Table(["sees", "plays", Column("reached", PERCENT.with_digits(2))], rows)
    ]
    if len(reachable) > len(rows):
        more = "many more"
        if best.is_listed_in_full:
            unlisted = sum(chances[state] for state in reachable[MAX_LINES:])
            share = unlisted / sum(chances.values())
            more = f"{len(reachable) - len(rows):,} more, in {percent(share, 2)} of the choices"
        how = "--at says what to do where a player sees this or that."
        blocks.append(Text(f"… and {more}. {how}", tone="note"))
    if best.is_listed_in_full and len(reachable) < len(decisions):
        unseen = len(decisions) - len(reachable)
        never = f"In best play {unseen:,} more are never seen. --json lists them."
        blocks.append(Text(never, tone="note"))
    return blocks


def mixture_in_words(mixture: ChoiceMixture) -> str:
    """The options and their probabilities in words.

    >>> mixture_in_words({"fold": Fraction(2, 3), "call": Fraction(1, 3), "raise": Fraction(0)})
    'fold 2/3, call 1/3'
    >>> mixture_in_words({"fold": Fraction(1), "call": Fraction(0)})
    'fold'
    """
    used = sorted(((name, p) for name, p in mixture.items() if p), key=lambda pair: -pair[1])
    if len(used) == 1:
        return used[0][0]
    named = [(name, p) for name, p in used[:MAX_NAMED] if p >= MIN_NAMED]
    text = ", ".join(f"{name} {probability_in_words(p)}" for name, p in named)
    return text + (", …" if len(used) > len(named) else "")


def probability_in_words(p: Fraction) -> str:
    """A probability as a short fraction, or in per cent."""
    return str(p) if p.denominator < MAX_PRINTED_DENOMINATOR else percent(p, 2)


class HandsOptimum(MixedOptimum):
    """Optimal play of a game of hidden hands; see `best`.

    >>> import sevenout as so
    >>> best = so.best(so.games("liars-dice", first=2, sides=4))
    >>> best.value, best.policy["second", ((4,), "3x3")]["call"]
    (Fraction(345, 1696), Fraction(1, 1))

    Attributes:
        game: the rules.
        tree: the undominated options.
        part: the equilibrium on the tree.
        bound: 0 if exact; else the error bound of the value.
        method: "exact" or "certified".
    """

    def __init__(
        self, arena: Arena, tree: UndominatedTree, method: Literal["auto", "exact", "certified"]
    ) -> None:
        assert arena.hands is not None
        self.game: HiddenHands = arena.hands
        self.goal, self.tree = arena.goal, tree
        self._shift = arena.shift
        self._solve(method)

    def _solve(self, method: Literal["auto", "exact", "certified"]) -> None:
        self.part = equilibrium(sequence_form_of(self.tree, SEATS), method)
        self.bound = self.part.bound
        self.method = "certified" if self.bound else "exact"

    @property
    def value(self) -> Fraction:
        return self._payoff_sign * self.part.value + self._shift

    @property
    def players(self) -> tuple[str, ...]:
        return SEATS

    @cached_property
    def policy(self) -> Mapping[Any, ChoiceMixture]:
        """The probability of each option, by (player, (their hand, and all moves)).

        It lists the states reached by undominated options, and answers for all.
        """
        return HandsPolicy(self)

    def _find_set(self, state: Any) -> SubgameSet | None:
        """The information set of a decision state in the tree, if it is there."""
        _, seat, _ = self._decision(state)
        k = self.part.form.sides[seat].index.get(tuple(state[1]))
        return None if k is None else SubgameSet(0, self.part, seat, k)

    def _decision(self, state: Any) -> tuple[TreeNode, int, int]:
        """The node, seat and hand of a state."""
        try:
            player, (hand, *moves) = state
            seat = SEATS.index(player)
            k, node = self.tree.game.hands[seat].index(hand), self.tree.root
            for move in moves:
                node = node.branches[node.table.menu.index(move)].subtree
        except (TypeError, ValueError):
            raise RulesError(
                f"state {shown(state)} is not a decision state; write one as (player, (hand, and "
                "all moves))"
            ) from None
        if node.table.seat != seat:
            raise RulesError(f"{player} has no choice in state {shown(state)}")
        return node, seat, k

    def mixture(self, state: Any) -> ChoiceMixture:
        node, _, hand = self._decision(state)
        located, menu = self._find_set(state), node.table.menu
        if located is None:  # reached only by a dominated option
            return dict(zip(menu, _hand_mixture(node, {}, hand), strict=True))
        shares = dict(zip(located.infoset.menu, located.mixture, strict=True))
        return {option: shares.get(option, Fraction(0)) for option in menu}

    def options(self, state: Any) -> tuple[Option, ...]:
        """The options in (player, (hand, and all moves)), best first, if the other follows the
        policy.

        A game too large to explore omits dominated options.

        Raises:
            RulesError: it is not a decision state, or it is unreachable against the policy.
        """
        node, _, _ = self._decision(state)
        located = self._find_set(state)
        # Options that the tree left out have values too, where the whole game can be explored.
        small = self.tree.game.positions <= MAX_STATES
        if small and (located is None or len(located.infoset.menu) < len(node.table.menu)):
            return super().options(state)
        if located is None:
            raise RulesError(
                f"{self.state_in_words(state)} follows a move that is never better than another"
            )
        return self._options(state, located)

    def reach_probability(self, state: Any) -> Fraction:
        """The probability of reaching a state if both players follow the policy."""
        located = self._find_set(state)
        if located is None:
            return Fraction(0)
        return self.part.plans[located.seat][located.infoset.parent] * located.reach

    def bound_at(self, state: Any) -> Fraction:
        """The most that equally good options may seem to differ by rounding; 0 if exact."""
        located = self._find_set(state)
        return self.bound / located.reach if located and located.reach else Fraction(0)

    def parse_state(self, text: Any) -> Any:
        """The state that a text describes: player, hand and moves; or the state itself.

        >>> import sevenout as so
        >>> so.best(so.games("kuhn")).parse_state("second: K, check")
        ('second', ('K', 'check'))

        Raises:
            RulesError: it describes no decision state, or several.
        """
        if not isinstance(text, str):
            self._decision(text)
            return text
        states = [state for state in self._readings(_words(text)) if self._is_decision(state)]
        if len(states) == 1:
            return states[0]
        some = "; ".join(state_name(state) for state in states or list(self.policy)[:6])
        if states:
            raise RulesError(f"{shown(text)} fits several states: {some}")
        raise RulesError(
            f"{shown(text)} is not a decision state; the decision states include: {some}"
        )

    def _readings(self, words: list[str]) -> Iterator[Any]:
        """The ways to read words as (player, (hand, and moves)); the player may be left out."""
        is_named = words[:1] in ([player] for player in SEATS)
        players = words[:1] if is_named else SEATS
        rest = words[1:] if is_named else words
        for player in players:
            for hand in self.tree.game.hands[SEATS.index(player)]:
                hand_words = _words(state_name(hand))
                if rest[: len(hand_words)] == hand_words:
                    yield player, (hand, *rest[len(hand_words) :])

    def _is_decision(self, state: Any) -> bool:
        try:
            self._decision(state)
        except RulesError:
            return False
        return True

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
        gains = [self.goal.value(outcome) - self._shift for outcome in self.model.outcomes]
        values = [self._payoff_sign * gain for gain in gains]
        form = whole_form(self.model, values, SEATS)
        plans = []
        for side in form.sides:
            states = [(side.player, infoset.seen) for infoset in side.sets]
            plans.append(plan_of(side, [tuple(self.mixture(state).values()) for state in states]))
        part = proved_equilibrium(form, *plans)
        return SubgamePerfect({0: form}, {0: part}, {0: part.bound})

    @property
    def sets(self) -> int:
        """The number of information sets in the tree."""
        return sum(len(side.sets) for side in self.part.form.sides)

    def listed_states(self) -> Iterator[Any]:
        """The states that the policy lists: (player, (hand, and all moves))."""
        for side in self.part.form.sides:
            for infoset in side.sets:
                yield side.player, infoset.seen

    @property
    def size_sentence(self) -> str:
        return (
            f"There are {quantity(self.tree.game.positions, 'position')}. Without options that "
            "another is sure to beat, the players can see "
            f"{quantity(self.sets, 'different thing')} when they choose"
        )


class HandsPolicy(Mapping[Any, ChoiceMixture]):
    """The policies of both players, computed on demand.

    Attributes:
        best: the optimum.
    """

    def __init__(self, best: HandsOptimum) -> None:
        self.best = best

    def __getitem__(self, state: Any) -> ChoiceMixture:
        try:
            return self.best.mixture(state)
        except RulesError:
            raise KeyError(state) from None

    def __iter__(self) -> Iterator[Any]:
        return self.best.listed_states()

    def __len__(self) -> int:
        return self.best.sets


def _words(text: str) -> list[str]:
    return re.findall(r"[^\s,;:()·]+", text)


MAX_EXACT = 150_000
"""The linear program is solved up to this many hands and moves."""

Reach = tuple[list[Any], list[Any]]
"""By player and hand, the probability of their own moves in a history."""


def optimum_of_hands(arena: Arena, method: Literal["auto", "exact", "certified"]) -> HandsOptimum:
    """Optimal play of a game of hidden hands: exact, or by regret matching if large."""
    sign = payoff_sign(arena.goal, SEATS)
    tree = UndominatedTree(HandsGame.of(arena.model, [sign * value for value in arena.ends]))
    is_large = tree.root.sequences > MAX_EXACT
    return (MatchedOptimum if is_large else HandsOptimum)(arena, tree, method)


class History(NamedTuple):
    """A history of moves.

    Attributes:
        node: what follows, in the tree.
        base: where its numbers begin, as in `regret_matching`; -1 after a dominated move.
        reach: the probability of each player's own moves, by hand.
    """

    node: TreeNode
    base: int
    reach: Reach


class MatchedOptimum(HandsOptimum):
    """Nearly optimal play, with a proved interval; see `best`.

    Its policy lists the most frequent states first.

    Attributes:
        matching: the averages of regret matching, or exact policies near them.
        method: "certified", or "exact" if both policies are.
    """

    method: Literal["exact", "certified"] = "certified"
    is_listed_in_full = False

    def _solve(self, method: Literal["auto", "exact", "certified"]) -> None:
        # Only the compiled loop needs NumPy; smaller games are solved without it.
        require("numpy")
        from sevenout.solving.regret_matching import EXACT_WIDTHS, FINER_WIDTHS, Matching

        self.matching: Matching = Matching(self.tree)
        widths = EXACT_WIDTHS if method == "auto" else FINER_WIDTHS
        if method != "certified" and self.matching.settle(widths):
            self.method = "exact"
        elif method == "exact":
            near = float(self.matching.bound)
            raise RulesError(
                f"no exact policies were found; the nearest are within {near:.1e}; "
                "raise the budget, or use method='certified' for these, with their error bound"
            )
        self.bound = self.matching.bound

    @property
    def value(self) -> Fraction:
        return self._payoff_sign * self.matching.value + self._shift

    @property
    def proof_sentence(self) -> str:
        rounds = f"after {self.matching.rounds:,} rounds of regret matching"
        if not self.bound:
            return f"{super().proof_sentence}. They were found near the averages {rounds}"
        return f"{self._interval_in_words(6)} {rounds}, by best replies to the two policies"

    @property
    def sets(self) -> int:
        return self.tree.root.sets

    def _opening(self) -> History:
        sure = Fraction(1) if self.matching.exact else 1.0
        one, two = ([sure] * len(hands) for hands in self.tree.game.hands)
        return History(self.tree.root, 0, (one, two))

    def _next_histories(self, history: History) -> dict[int, History]:
        """What follows each option."""
        node, base, reach = history
        seat = node.table.seat
        # After a dominated move there are no averages, only a reply to it.
        if base < 0:
            return {b.option: history._replace(node=b.subtree) for b in node.branches}
        shares = self.matching.shares(node, base)
        bases = {branch.option: branch.base for branch in self.matching.taken_branches(node, base)}
        number = Fraction if self.matching.exact else float
        after = {}
        for option, _, then in node.branches:
            taken = shares.get(option, {})
            mine = [p * number(taken.get(h, 0)) for h, p in enumerate(reach[seat])]
            both = (reach[0], mine) if seat else (mine, reach[1])
            after[option] = History(then, bases.get(option, -1), both)
        return after

    def _history(self, state: Any) -> tuple[History, int]:
        """The history of a state, and the index of the hand."""
        _, _, hand = self._decision(state)
        history = self._opening()
        for move in state[1][1:]:
            history = self._next_histories(history)[history.node.table.menu.index(move)]
        return history, hand

    def _chances(self, history: History) -> list[Any]:
        """By hand of the mover, the probability of the deal and of the other's moves."""
        game, seat = self.tree.game, history.node.table.seat
        others = history.reach[1 - seat]
        chances = (
            sum(w * p for w, p in zip(row, others, strict=True))
            for row in game.weights_by_seat[seat]
        )
        return [chance / game.total for chance in chances]

    def mixture(self, state: Any) -> ChoiceMixture:
        history, hand = self._history(state)
        shares = self.matching.shares(history.node, history.base) if history.base >= 0 else {}
        mixture = _hand_mixture(history.node, shares, hand)
        return dict(zip(history.node.table.menu, mixture, strict=True))

    def certificate(self, *, title: str = "game") -> NoReturn:
        """Refused: the policies are averages of histories too many to list.

        Raises:
            RulesError: always.
        """
        raise RulesError(
            f"{title} has too many positions to list, so no certificate proves its value; certify "
            "a smaller game, with fewer dice or sides"
        )

    def reach_probability(self, state: Any) -> Fraction:
        history, hand = self._history(state)
        own = history.reach[history.node.table.seat][hand]
        return Fraction(own * self._chances(history)[hand])

    def options(self, state: Any) -> tuple[Option, ...]:
        history, hand = self._history(state)
        chance = Fraction(self._chances(history)[hand])
        if history.base < 0 or not chance:
            raise RulesError(
                f"{self.state_in_words(state)} is unreachable if both players follow the policy, "
                "so the best option there is undetermined"
            )
        node, seat = history.node, history.node.table.seat
        gains = self.matching.replies(node, history.base, history.reach[1 - seat])
        values = {
            k: gain_by_hand[hand] / chance
            for k, gain_by_hand in gains.items()
            if hand in gain_by_hand
        }
        best, sign = max(values.values()), -self._payoff_sign if seat else self._payoff_sign
        options = [
            Option(node.table.menu[k], sign * value + self._shift, best - value)
            for k, value in values.items()
        ]
        return tuple(sorted(options, key=lambda option: option.cost))

    def bound_at(self, state: Any) -> Fraction:
        history, hand = self._history(state)
        chance = Fraction(self._chances(history)[hand])
        return self.bound / chance if chance else Fraction(0)

    def listed_states(self) -> Iterator[Any]:
        """The states (player, (hand, and all moves)), most frequent first."""
        # A best-first search: a history is never likelier than the one before it.
        ties = count()  # by age, since states can't be compared
        # what is found is a state, or a history with the moves that lead to it
        heap: list[tuple[float, int, Any]] = [(-1.0, next(ties), (self._opening(), ()))]
        hands = self.tree.game.hands
        while heap:
            _, _, item = heappop(heap)
            if not isinstance(item[0], History):
                yield item
                continue
            history, moves = item
            seat = history.node.table.seat
            chances = self._joint_chances(history)
            for hand in bits(history.node.alive[seat]):
                state = SEATS[seat], (hands[seat][hand], *moves)
                heappush(heap, (-chances[hand], next(ties), state))
            menu = history.node.table.menu
            for option, then in self._next_histories(history).items():
                if then.base >= 0 and not then.node.table.is_end:
                    item = then, (*moves, menu[option])
                    heappush(heap, (-sum(self._joint_chances(then)), next(ties), item))

    def _joint_chances(self, history: History) -> list[Any]:
        """By hand of the mover, the probability of the history with this hand."""
        own = history.reach[history.node.table.seat]
        return [p * q for p, q in zip(self._chances(history), own, strict=True)]


def _hand_mixture(
    node: TreeNode, shares: Mapping[int, Mapping[int, Fraction]], hand: int
) -> tuple[Fraction, ...]:
    """The probability of each option; after a dominated move, the reply to it."""
    menu = range(len(node.table.menu))
    if shares and node.alive[node.table.seat] >> hand & 1:
        return tuple(shares.get(k, {}).get(hand, Fraction(0)) for k in menu)
    takes = [b.option for b in node.branches if b.hands >> hand & 1] or [menu[-1]]
    return tuple(Fraction(int(k == takes[-1])) for k in menu)
