"""Optimal mixed policies for games with hidden information, and how they are printed."""

from collections.abc import Hashable, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from sevenout.documents import Block, Column, Page, Table, Text
from sevenout.documents.kinds import PERCENT
from sevenout.documents.numbers import decimal, many, percent
from sevenout.documents.tables import datum
from sevenout.errors import RulesError
from sevenout.model import Chain, Model, state_name
from sevenout.model.model import under_mixtures
from sevenout.model.process import MixedPolicy, Mixture, mixture_of
from sevenout.solving.answer import Answer
from sevenout.solving.bestplay import BestPlay, at_most
from sevenout.solving.hidden import (
    BestReply,
    Equilibrium,
    InformationSet,
    best_reply,
    plan_of,
    subgame_perfect,
)
from sevenout.solving.policies.option_values import Followed, Mistake, Option
from sevenout.solving.solvers.decision_problem import Arena

if TYPE_CHECKING:
    from sevenout.solving.hidden.mixedcertificate import MixedCertificate


class Place(NamedTuple):
    """An information set in its subgame.

    Attributes:
        k: the number of the set among theirs.
    """

    root: int
    part: Equilibrium
    seat: int
    k: int

    @property
    def own(self) -> InformationSet:
        """The information set."""
        return self.part.form.sides[self.seat].sets[self.k]

    @property
    def reply(self) -> BestReply:
        """The player's best reply to the other's plan."""
        return self.part.replies[1 - self.seat]

    @property
    def chance(self) -> Fraction:
        """The probability of everyone else's moves that lead here."""
        return self.reply.reached[self.k]

    @property
    def mixture(self) -> tuple[Fraction, ...]:
        """The probability of each option; uniform over the best where the player's own plan never
        gets.
        """
        own, plan, reply = self.own, self.part.plans[self.seat], self.reply
        if total := plan[own.parent]:
            return tuple(plan[s] / total for s in own.sequences)
        good = [not self.chance or reply.gains[s] == reply.values[self.k] for s in own.sequences]
        return tuple(Fraction(int(one), sum(good)) for one in good)


class MixedOptimum(BestPlay, Answer):
    """Optimal play of a game with hidden information; see `best`.

    >>> import sevenout as so
    >>> kuhn = so.best(so.games("kuhn"))
    >>> kuhn.value, kuhn.policy["first", ("Q",)]["check"]
    (Fraction(-1, 18), Fraction(1, 1))
    >>> [option.name for option in kuhn.at(("second", ("K", "check")))]
    ['bet', 'check']
    """

    sight = "Some information is hidden"
    listed = True
    """Whether the policy can be listed in full."""

    def __init__(self, arena: Arena, method: Literal["auto", "exact", "certified"]) -> None:
        self.model: Model = arena.model
        self.goal = arena.goal
        self._shift = arena.shift
        players = arena.model.players
        own = self.goal.player in (None, players[0])
        self._sign = 1 if own == (self.goal.sense > 0) else -1
        values = [self._sign * value for value in arena.ends]
        self.solved = subgame_perfect(arena.model, values, method)
        self.bound = self.solved.bound
        self.method = "certified" if self.bound else "exact"

    @property
    def value(self) -> Fraction:
        return self._sign * self.solved.value + self._shift

    @property
    def players(self) -> tuple[str, ...]:
        """The players who choose."""
        return self.model.players

    @cached_property
    def _places(self) -> dict[Hashable, Place]:
        """Each information set by (player, what they see)."""
        return {
            (side.player, own.seen): Place(root, part, seat, k)
            for root, part in self.solved.parts.items()
            for seat, side in enumerate(part.form.sides)
            for k, own in enumerate(side.sets)
        }

    def _place(self, state: Any) -> Place:
        self.model.options(state)
        return self._places[state]

    def at(self, state: Any) -> tuple[Option, ...]:
        """The options in (player, what they see), best first, if the other follows the policy.

        Values are conditional on reaching the state, and for the goal's player.

        Raises:
            RulesError: it is not a decision state, or it is unreachable against the policy.
        """
        return self._options(state, self._place(state))

    def _options(self, state: Any, place: Place) -> tuple[Option, ...]:
        own, reply, chance = place.own, place.reply, place.chance
        if not chance:
            raise RulesError(
                f"{self.said(state)} is unreachable if the other player follows the policy, so "
                "the best option there is undetermined"
            )
        options = []
        for name, s in zip(own.menu, own.sequences, strict=True):
            margin = abs(reply.values[place.k] - reply.gains[s]) / chance
            value = self._sign * reply.gains[s] / chance + self._shift
            options.append(Option(name, value, margin))
        return tuple(sorted(options, key=lambda option: option.margin))

    @cached_property
    def policy(self) -> Mapping[Any, Mixture]:
        """The probability of each option, by (player, what they see).

        Where the player's own policy never gets, it gives a best reply.
        """
        return {
            state: dict(zip(place.own.menu, place.mixture, strict=True))
            for state, place in self._places.items()
        }

    def comes_up(self, state: Any) -> Fraction:
        """The probability of reaching a state if both players follow the policy."""
        place = self._place(state)
        plan = place.part.plans[place.seat]
        return self.solved.reached[place.root] * plan[place.own.parent] * place.chance

    def bound_at(self, state: Any) -> Fraction:
        """The most that equally good options may seem to differ by rounding; 0 if exact."""
        place = self._place(state)
        bound = self.solved.bounds[place.root]
        return bound / place.chance if place.chance else Fraction(0)

    def said(self, state: Any) -> str:
        player, seen = state
        return f"{player} sees {state_name(seen)}"

    def does(self, state: Any) -> str:

        self._place(state)
        return mixture_said(self.policy[state])

    @cached_property
    def chain(self) -> Chain:
        """The game under optimal play; each choice is drawn and counts as a roll."""
        return under_mixtures(self.model, self.policy)

    @property
    def _seat(self) -> int:
        """The seat of the goal's player."""
        return 0 if self.goal.player in (None, self.model.players[0]) else 1

    def _shares(self, policy: MixedPolicy, state: Any) -> list[Fraction]:
        mixture = mixture_of(self.model, policy, self.model.asked[state])
        return [mixture.get(option, Fraction(0)) for option in self.model.options(state)]

    def _plans(self, policy: MixedPolicy) -> dict[int, list[Fraction]]:
        """The policy's plan for the goal's player in each subgame."""
        plans = {}
        for root, part in self.solved.parts.items():
            side = part.form.sides[self._seat]
            shares = [self._shares(policy, (side.player, own.seen)) for own in side.sets]
            plans[root] = plan_of(side, shares)
        return plans

    def follow(self, policy: MixedPolicy) -> Followed:
        """The value of a policy of the goal's player against its best reply.

        Raises:
            RulesError: a forbidden option, or probabilities that don't add up to 1.
        """
        values: dict[int, Fraction] = {}
        plans = self._plans(policy)
        for root in reversed(list(self.solved.forms)):
            form = self.solved.forms[root].valued(values)
            values[root] = best_reply(form, plans[root], 1 - self._seat).value
        return self._followed(self._sign * values[0] + self._shift, self.bound)

    def mistakes(self, policy: MixedPolicy, most: int | None = None) -> list[Mistake]:
        """A policy's mistakes against the optimal policy, the most costly first.

        `most` limits their number, and leaves out those unreachable in a subgame.

        Raises:
            RulesError: as `follow`; or `most` is not a number of mistakes.
        """
        most = None if most is None else at_most(most)
        plans, found = self._plans(policy), []
        for state, place in self._places.items():
            never = most is not None and not plans[place.root][place.own.parent]
            if place.seat != self._seat or not place.chance or never:
                continue
            options = {option.name: option for option in self.at(state)}
            best = next(iter(options))
            for option, share in zip(place.own.menu, self._shares(policy, state), strict=True):
                if share and options[option].margin > 2 * self.bound_at(state):
                    found.append(Mistake(state, option, best, options[option].margin))
        found.sort(key=lambda mistake: -mistake.cost)
        return found if most is None else found[:most]

    @property
    def unit(self) -> str:
        return f"{super().unit}, of {self.goal.player}"

    @property
    def whose(self) -> str:
        return f" of {self.goal.player}"

    @property
    def against(self) -> str:
        return ", against the best reply to it"

    @property
    def proof(self) -> str:
        if not self.bound:
            return "Exact: the best replies to the two policies come to the same fraction"
        low, high = sorted((self.value - self.bound, self.value + self.bound))
        return (
            f"Certified between {decimal(low, 9)} and {decimal(high, 9)}, by the exact best "
            "replies to the two policies"
        )

    @property
    def size(self) -> str:
        nodes = sum(part.form.nodes for part in self.solved.parts.values())
        return (
            f"The players can see {many(len(self._places), 'different thing')} when they choose, "
            f"in {many(nodes, 'position')}"
        )

    def how(self) -> list[Page]:

        return mixtures(self)

    def card_data(self) -> dict[str, Any]:

        return mixtures_data(self)

    def certificate(self, *, game: str = "game") -> "MixedCertificate":
        """The two policies, as a proof for an independent checker. `game` is its printed name."""
        from sevenout.solving.hidden.mixedcertificate import MixedCertificate

        return MixedCertificate(game, self)


MOST_LINES = 24
"""The most information sets shown per player, most frequent first."""
MOST_LISTED = 300
"""The most listed for a game too large to list in full."""
MOST_NAMED = 4
"""The most options named in a line, most likely first."""
LEAST_NAMED = Fraction(1, 10_000)
"""Less likely options are not named."""
SHORT = 1000
"""Probabilities with larger denominators are printed in per cent."""


def mixtures(best: "MixedOptimum") -> list[Page]:
    """Each player's policy, most frequent states first."""
    players = sorted(best.players, key=lambda player: player != best.goal.player)
    return [Page(f"How {player} plays", *_player(best, player)) for player in players]


def _player(best: "MixedOptimum", player: str) -> list[Block]:
    if not best.listed:
        return _likeliest(best, player)
    chosen = [state for state, mixture in best.policy.items() if len(mixture) > 1]
    seen = [(best.comes_up(state), state) for state in chosen if state[0] == player]
    up = sorted(((p, state) for p, state in seen if p), key=lambda each: -each[0])
    rows = [
        [state_name(state[1]), mixture_said(best.policy[state]), p] for p, state in up[:MOST_LINES]
    ]
    blocks: list[Block] = [Table(["sees", "plays", Column("reached", PERCENT.to(2))], rows)]
    more = len(up) - len(rows)
    if more:
        share = 1 - sum(p for p, _ in up[:MOST_LINES]) / sum(p for p, _ in up)
        blocks.append(
            Text(
                f"… and {more:,} more, in {percent(share, 2)} of the choices. --at says what to do "
                "where a player sees this or that.",
                tone="note",
            )
        )
    if len(up) < len(seen):
        never = f"In best play {len(seen) - len(up):,} more are never seen. --json lists them."
        blocks.append(Text(never, tone="note"))
    return blocks


def _likeliest(best: "MixedOptimum", player: str) -> list[Block]:
    """The most frequent states, for a game too large to list in full."""
    seen = [state for state in islice(best.policy, MOST_LISTED) if state[0] == player]
    rows = [[state_name(s[1]), mixture_said(best.policy[s]), best.comes_up(s)] for s in seen]
    blocks: list[Block] = [
        Table(["sees", "plays", Column("reached", PERCENT.to(2))], rows[:MOST_LINES]),
        Text(
            "… and many more. --at says what to do where a player sees this or that.", tone="note"
        ),
    ]
    return blocks


def mixture_said(mixture: Mixture) -> str:
    """The options and their probabilities in words.

    >>> mixture_said({"fold": Fraction(2, 3), "call": Fraction(1, 3), "raise": Fraction(0)})
    'fold 2/3, call 1/3'
    >>> mixture_said({"fold": Fraction(1), "call": Fraction(0)})
    'fold'
    """
    used = sorted(((name, p) for name, p in mixture.items() if p), key=lambda each: -each[1])
    if len(used) == 1:
        return used[0][0]
    named = [(name, p) for name, p in used[:MOST_NAMED] if p >= LEAST_NAMED]
    said = ", ".join(f"{name} {probability_said(p)}" for name, p in named)
    return said + (", …" if len(used) > len(named) else "")


def probability_said(p: Fraction) -> str:
    """A probability as a short fraction, or in per cent."""
    return str(p) if p.denominator < SHORT else percent(p, 2)


def mixtures_data(best: "MixedOptimum") -> dict[str, Any]:
    """The whole policy as data, with the probability of each state."""
    policy = [
        {
            "player": player,
            "sees": state_name(seen),
            "plays": {name: datum(p) for name, p in mixture.items() if p},
            "comes_up": datum(best.comes_up((player, seen))),
        }
        for player, seen in islice(best.policy, None if best.listed else MOST_LISTED)
        for mixture in [best.policy[player, seen]]
    ]
    return {"policy": policy} | ({} if best.listed else {"of": len(best.policy)})
