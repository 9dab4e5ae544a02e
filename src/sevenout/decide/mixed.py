"""What to do in a game in which something is hidden: how often to do it."""

from collections.abc import Hashable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from sevenout.chain import Chain, Model, state_name
from sevenout.chain.mixing import MixedPolicy, Mixture, mixture_of, under_mixtures
from sevenout.decide.arena import Arena
from sevenout.decide.bestplay import BestPlay, so_many
from sevenout.decide.options import Followed, Mistake, Option
from sevenout.errors import RulesError
from sevenout.exact import Solution, solve
from sevenout.hidden import InformationSet, Side, best_reply, equilibrium, plan_of, sequence_form
from sevenout.page import Page
from sevenout.page.numbers import decimal, many

if TYPE_CHECKING:
    from sevenout.certify import Certificate


class MixedOptimum(BestPlay):
    """Optimal play of a game in which something is hidden; see `best`.

    >>> import sevenout as so
    >>> kuhn = so.best(so.decisions("kuhn"))
    >>> kuhn.value, kuhn.policy["first", ("Q",)]["check"]
    (Fraction(-1, 18), Fraction(1, 1))
    >>> [option.name for option in kuhn.at(("second", ("K", "check")))]
    ['bet', 'check']

    Attributes:
        model: the game, explored.
        proof_of: the two plans, and the best replies to them.
    """

    def __init__(self, arena: Arena, method: Literal["auto", "exact", "certified"]) -> None:
        self.model: Model = arena.model
        self.goal = arena.goal
        self._shift = arena.shift
        players = arena.model.players
        own = self.goal.player in (None, players[0])
        self._sign = 1 if own == (self.goal.sense > 0) else -1
        form = sequence_form(arena.model, [self._sign * worth for worth in arena.ends])
        self.proof_of = equilibrium(form, method)
        self.bound = self.proof_of.bound
        self.method = "certified" if self.bound else "exact"

    @property
    def value(self) -> Fraction:
        return self._sign * self.proof_of.value + self._shift

    @cached_property
    def _places(self) -> dict[Hashable, tuple[int, int]]:
        """The seat and the number of each information set, by (player, what they see)."""
        return {
            (side.player, own.seen): (seat, k)
            for seat, side in enumerate(self.proof_of.form.sides)
            for k, own in enumerate(side.sets)
        }

    def _place(self, state: Any) -> tuple[int, int]:
        self.model.options(state)
        return self._places[state]

    def at(self, state: Any) -> tuple[Option, ...]:
        """The options where a player sees this, the best first, if the other follows the policy.

        Values are of the goal's player, given that the game has come to where this is seen.

        Args:
            state: (player, what they see).

        Raises:
            RulesError: nobody is asked there; or it never comes up against the policy, so that
                nothing is known of it.
        """
        seat, k = self._place(state)
        own, reply = self.proof_of.form.sides[seat].sets[k], self.proof_of.replies[1 - seat]
        chance = reply.reached[k]
        if not chance:
            raise RulesError(
                f"where {self.said(state)} the game never is if the other player follows the "
                "policy; what is best there is not determined"
            )
        options = []
        for name, s in zip(own.menu, own.sequences, strict=True):
            margin = abs(reply.values[k] - reply.worths[s]) / chance
            value = self._sign * reply.worths[s] / chance + self._shift
            options.append(Option(name, value, margin))
        return tuple(sorted(options, key=lambda option: option.margin))

    @cached_property
    def policy(self) -> Mapping[Any, Mixture]:
        """How likely each option is, by (player, what they see).

        Where a policy that never gets there has no part in the proof, it answers best.
        """
        return {
            state: dict(zip(self._set(seat, k).menu, self._mixtures[seat][k], strict=True))
            for state, (seat, k) in self._places.items()
        }

    def _set(self, seat: int, k: int) -> InformationSet:
        return self.proof_of.form.sides[seat].sets[k]

    @cached_property
    def _mixtures(self) -> tuple[list[tuple[Fraction, ...]], ...]:
        return tuple(
            [self._mixture(seat, k) for k in range(len(side.sets))]
            for seat, side in enumerate(self.proof_of.form.sides)
        )

    def _mixture(self, seat: int, k: int) -> tuple[Fraction, ...]:
        own, plan = self._set(seat, k), self.proof_of.plans[seat]
        if total := plan[own.parent]:
            return tuple(plan[s] / total for s in own.sequences)
        reply = self.proof_of.replies[1 - seat]
        good = [reply.worths[s] == reply.values[k] for s in own.sequences]
        if not reply.reached[k]:
            good = [True] * len(good)
        return tuple(Fraction(int(one), sum(good)) for one in good)

    def comes_up(self, state: Any) -> Fraction:
        """How likely the game comes to where a player sees this, if both follow the policy."""
        seat, k = self._place(state)
        chance: Fraction = self.proof_of.replies[1 - seat].reached[k]
        return chance * self.proof_of.plans[seat][self._set(seat, k).parent]

    def bound_at(self, state: Any) -> Fraction:
        """How far apart options may look that are equally good, by rounding alone; 0 if exact."""
        seat, k = self._place(state)
        chance = self.proof_of.replies[1 - seat].reached[k]
        return self.bound / chance if chance else Fraction(0)

    def said(self, state: Any) -> str:
        player, seen = state
        return f"{player} sees {state_name(seen)}"

    def does(self, state: Any) -> str:
        from sevenout.decide.mixedpages import mixture_said

        self._place(state)
        return mixture_said(self.policy[state])

    @cached_property
    def chain(self) -> Chain:
        """The game, played best; each choice is drawn, and counted as a roll."""
        return under_mixtures(self.model, self.policy)

    @cached_property
    def solution(self) -> Solution:
        """Everything that is true of the game, played best."""
        return solve(self.chain)

    def _plan(self, policy: MixedPolicy) -> tuple[int, list[Fraction]]:
        """The seat of the goal's player, and the plan of a policy for them."""
        player = self.goal.player
        seat = 0 if player in (None, self.model.players[0]) else 1
        side = self.proof_of.form.sides[seat]
        return seat, plan_of(side, [self._shares(policy, side, k) for k in range(len(side.sets))])

    def _shares(self, policy: MixedPolicy, side: Side, k: int) -> list[Fraction]:
        own = side.sets[k]
        node = self.model.asked[side.player, own.seen]
        mixture = mixture_of(self.model, policy, node)
        return [mixture.get(option, Fraction(0)) for option in own.menu]

    def follow(self, policy: MixedPolicy) -> Followed:
        """What a policy of the goal's player gets, against the best reply to it.

        Raises:
            RulesError: the policy names what may not be done, or its probabilities don't add up.
        """
        seat, plan = self._plan(policy)
        value = best_reply(self.proof_of.form, plan, 1 - seat).value
        return self._followed(self._sign * value + self._shift, self.bound)

    def mistakes(self, policy: MixedPolicy, most: int | None = None) -> list[Mistake]:
        """Where a policy does what is not best against the optimal policy, the dearest first.

        Args:
            policy: what the goal's player does.
            most: only so many, and only those that they can come to make.

        Raises:
            RulesError: as `follow`; or `most` is no number of mistakes.
        """
        most = None if most is None else so_many(most)
        seat, plan = self._plan(policy)
        side, reply = self.proof_of.form.sides[seat], self.proof_of.replies[1 - seat]
        found = []
        for k, own in enumerate(side.sets):
            if not reply.reached[k] or (most is not None and not plan[own.parent]):
                continue
            state = side.player, own.seen
            options = {option.name: option for option in self.at(state)}
            best = next(iter(options))
            shares = self._shares(policy, side, k)
            for option, share in zip(own.menu, shares, strict=True):
                if share and options[option].margin > 2 * self.bound_at(state):
                    found.append(Mistake(state, option, best, options[option].margin))
        found.sort(key=lambda mistake: -mistake.cost)
        return found if most is None else found[:most]

    @property
    def unit(self) -> str:
        return f"{super().unit}, of {self.goal.player}"

    @property
    def whose(self) -> str:
        return f"; of {self.goal.player}"

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
        form = self.proof_of.form
        sets = sum(len(side.sets) for side in form.sides)
        return (
            f"The players can see {many(sets, 'different thing')} when they choose, in "
            f"{many(form.nodes, 'position')}"
        )

    def how(self) -> list[Page]:
        from sevenout.decide.mixedpages import mixtures

        return mixtures(self)

    def card_data(self) -> dict[str, Any]:
        from sevenout.decide.mixedpages import mixtures_data

        return mixtures_data(self)

    def certificate(self, *, game: str = "game") -> "Certificate":
        """The two policies, as a proof for a checker that knows nothing of ours."""
        raise RulesError("a policy that mixes has no certificate; its page states the proof")
