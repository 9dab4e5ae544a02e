"""Optimal play state by state, and the cost of mistakes."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sevenout.documents import Page
from sevenout.documents.numbers import decimal, many
from sevenout.errors import RulesError
from sevenout.extras import has
from sevenout.model import Chain, Model, Policy, state_name
from sevenout.model.naming import in_words
from sevenout.rules import Game
from sevenout.solving.answer import Answer, Solution, solve_chain
from sevenout.solving.bestplay import BestPlay, at_most
from sevenout.solving.goal import Goal
from sevenout.solving.node_values import Values, values_of
from sevenout.solving.policies.card import Card, card_of
from sevenout.solving.policies.option_values import Followed, Mistake, Option
from sevenout.solving.policies.reach_plain import PlainCosts, answers
from sevenout.solving.solvers.decision_problem import Arena

if TYPE_CHECKING:
    from sevenout.certify import Certificate
    from sevenout.solving.solvers.elimination import EliminatedChain
    from sevenout.solving.solvers.lifting import LiftedChain

LARGE = 30_000
"""From this many nodes, `auto` checks whether fractions are fast, or else proves digits."""


class Optimum(BestPlay, Answer):
    """Optimal play, state by state; see `best`.

    Attributes:
        model: the explored game.
        values: the values of its nodes.
    """

    def __init__(self, values: Values) -> None:
        self.model: Model = values.model
        self.goal: Goal = values.goal
        self.method = values.method
        self.values = values
        self.bound = values.bound(0)

    @cached_property
    def value(self) -> Fraction:
        return self.values[0] + self.values.shift

    def at(self, state: Any) -> tuple[Option, ...]:
        """The options in a state, the best first, for the player to move.

        Raises:
            RulesError: it is not a decision state.
        """
        self.model.options(state)
        node = self.model.asked[state]
        sense, value, shift = self.values.sense(node), self.values[node], self.values.shift
        options = []
        for move, name in zip(self._moves(node), self.model.menus[node], strict=True):
            gain = self.values.after(move)
            margin = value - gain if sense > 0 else gain - value
            options.append(Option(name, gain + shift if shift else gain, max(margin, Fraction(0))))
        return tuple(sorted(options, key=lambda option: option.margin))

    def _moves(self, node: int) -> range:
        return range(self.model.first[node], self.model.first[node + 1])

    @cached_property
    def policy(self) -> Mapping[Any, str]:
        """The best option in each decision state; the first of equally good ones."""
        model = self.model
        return {
            model.states[s]: model.menus[s][self.values.pick(s) - model.first[s]]
            for s in model.questions
        }

    @cached_property
    def margins(self) -> Mapping[Any, tuple[Option, ...]]:
        """The options of each decision state, the best first."""
        return {self.model.states[s]: self.at(self.model.states[s]) for s in self.model.questions}

    @cached_property
    def _costs(self) -> PlainCosts:
        made: PlainCosts = _reach().costs_of(self.values)
        return made

    @cached_property
    def ties(self) -> tuple[Any, ...]:
        """The states with several optimal options, within the error bound."""
        return tuple(
            self.model.states[s] for s in self.model.questions if len(self._costs.best(s)) > 1
        )

    @cached_property
    def come_up(self) -> frozenset[Any]:
        """The decision states that are reachable under optimal play."""
        if not self.model.questions:
            return frozenset()
        up = _reach().come_up(self.model, self._costs.level)
        return frozenset(self.model.states[s] for s in self.model.questions if up[s])

    def best_in(self, state: Any) -> frozenset[str]:
        self.model.options(state)
        return self._costs.best(self.model.asked[state])

    def least_mistake(self, state: Any) -> float | None:
        """The approximate cost of the best wrong option; None if no option is wrong."""
        self.model.options(state)
        return self._costs.least_mistake(self.model.asked[state])

    def bound_at(self, state: Any) -> Fraction:
        self.model.options(state)
        return self.values.bound(self.model.asked[state])

    @cached_property
    def card(self) -> Card:
        """The strategy card of the reachable states."""
        return self.card_of(self.come_up)

    def card_of(self, states: Iterable[Any]) -> Card:
        """The strategy card of some states; where a player could wait, the choice that ends it."""
        model = self.model
        wanted = set(states)
        best = {
            state: (
                model.menus[s],
                frozenset([self.policy[state]]) if s in model.traps else self._costs.best(s),
            )
            for state, s in model.asked.items()
            if state in wanted
        }
        return card_of(best, self.model.coordinates, self.asked_next)

    def asked_next(self, state: Any, best: bool = False) -> Iterator[Any]:
        """The player's possible next decision states after a choice (a best one) and a roll."""
        model = self.model
        n = len(model.states)

        def on(node: int) -> Iterator[int]:
            for move in self._moves(node):
                if best and not self._costs.level[move]:
                    continue
                target = model.targets[move]
                if target < n and not model.passing[model.tagged[move]]:
                    yield target

        for rolled in on(model.asked[state]):
            for target in [rolled] if model.menus[rolled] else on(rolled):
                if model.menus[target]:
                    yield model.states[target]

    @cached_property
    def chain(self) -> Chain:
        """The chain of optimal play."""
        return self.model.under(self.policy)

    @cached_property
    def solved_chain(self) -> "EliminatedChain | LiftedChain":
        """The solution of the chain of optimal play."""
        # Optimal play of a large game is certified too, and digits of it are all that is needed.
        large = len(self.chain.states) >= LARGE
        return solve_chain(self.chain, "certified" if large else "auto")

    def mistakes(self, policy: Policy, most: int | None = None) -> list[Mistake]:
        """The mistakes of a policy, the most costly first.

        Args:
            policy: the player's policy.
            most: return only this many, and only reachable ones.

        Raises:
            RulesError: the policy has no entry for a state, or names an unknown option; or `most`
                is not a number of mistakes.
        """
        most = None if most is None else at_most(most)
        model, costs = self.model, self._costs
        did = answers(model, policy)
        wrong = {s: move for s, move in did.items() if not costs.level[move]}
        if most is not None:
            up = _reach().come_up(model, costs.only(did.values()))
            near = sorted((s for s in wrong if up[s]), key=lambda s: -costs.about[wrong[s]])
            wrong = {s: wrong[s] for s in near[:most]}
        found = []
        for s, move in wrong.items():
            options = self.at(model.states[s])
            name = model.menus[s][move - model.first[s]]
            cost = next(option.margin for option in options if option.name == name)
            found.append(Mistake(model.states[s], name, options[0].name, cost))
        return sorted(found, key=lambda mistake: -mistake.cost)

    def follow(self, policy: Policy) -> Followed:
        """The value of a policy; with two players, against optimal play.

        Raises:
            RulesError: the policy names an unknown option.
            EndlessGameError: it would play for ever.
        """
        model, goal = self.model, self.goal
        two: tuple[Policy, ...] = (policy,)
        if model.passes or len(model.players) == 2:
            two = (policy, self.policy)
            if model.players and goal.player == model.players[1]:
                two = two[::-1]
        chain = model.under(*two)
        solution = Solution(chain, "certified" if len(chain.states) >= LARGE else "auto")
        value, bound = mean_of_goal(goal, solution)
        sense = -1 if goal.is_foreign(model) else goal.sense
        return Followed(value, bound, max((self.value - value) * sense, Fraction(0)))

    def said(self, state: Any) -> str:
        return in_words(state, self.model.coordinates)

    @property
    def unit(self) -> str:
        goal, model, what = self.goal, self.model, super().unit
        if goal.is_foreign(model):
            return f"{what} on {goal.player}; {model.players[0]} plays for {model.players[0]}"
        if model.passes:
            return f"{what}, for the first player"
        return f"{what}, of {goal.player}" if len(model.players) == 2 else what

    @property
    def against(self) -> str:
        return ", against best play" if self.model.passes or self.model.players[1:] else ""

    @property
    def whose(self) -> str:
        return " of the player to move" if self.model.passes else ""

    @property
    def proof(self) -> str:
        if not self.model.questions:
            return "Exact" if not self.bound else f"Certified within {decimal(self.bound)}"
        if not self.bound:
            among = "; of the policies that end" if self.model.traps else ""
            better = f"no option of any state is better{among}"
            return f"Exact, by policy iteration over the fractions: {better}"
        return f"Certified within {decimal(self.bound)}, by a bound that is proved in integers"

    @property
    def size(self) -> str:
        asked, up = len(self.model.questions), len(self.come_up)
        if not asked:
            return "The game has no choices"
        states = f"The player has a choice in {many(asked, 'state')}"
        return f"{states}; optimal play can reach {up:,} of them"

    def how(self) -> list[Page]:
        from sevenout.solving.policies.policy_pages import card_blocks

        return [Page("Strategy card", *card_blocks(self))] if self.model.questions else []

    def card_data(self) -> dict[str, Any]:
        from sevenout.solving.policies.policy_pages import part_data

        return {
            "states": len(self.model.questions),
            "come_up": len(self.come_up),
            "ties": [state_name(state) for state in self.ties if state in self.come_up],
            "card": [part_data(options, part) for options, part in self.card.parts],
        }

    def certificate(self, *, game: str = "game", rules: Game | None = None) -> "Certificate":
        """The certificate of the value, for an independent checker.

        >>> from sevenout.solving.optimal_play import best
        >>> from sevenout.rolling import d6
        >>> from sevenout.rules import Game, settle
        >>> class Turn(Game):
        ...     dice, start = d6, 0
        ...     def choices(self, points):
        ...         return {"roll": points, "hold": settle("hold", {"turn": points})}
        ...     def step(self, points, face):
        ...         return settle("pig", {"turn": 0}) if face == 1 else min(points + face, 30)
        >>> best(Turn()).certificate().header["claims"][0]["value"]
        '492303203/60466176'

        Args:
            game: its name in print.
            rules: the rules of the model; if they are data, the certificate includes them.

        Raises:
            RulesError: a large game whose turns pass, with a goal other than a bet.
        """
        from sevenout.certify.declared import declared
        from sevenout.solving.goal import goal_of

        pair = None if rules is None else declared(rules, self.model)
        if pair is None:
            return self.values.certificate(game)
        book, model = pair
        word, _, wish = self.goal.name.partition(" ")
        wanted = (wish, None) if word == "most" else (None, wish)
        try:
            goal = goal_of(model, *wanted)
        except RulesError:  # a function has no words
            return self.values.certificate(game)
        proof = values_of(Arena.of(model, goal), self.method).certificate(game)
        if proof.body is not model:  # turns pass, and the goal is one of seats, which rules lack
            return self.values.certificate(game)
        return replace(proof, rules=book)


class ChainValues(Values):
    """The values of a model in which nobody decides: those of its chain.

    Policy iteration would solve each long cycle in fractions, once per seat: 400 s for a race of
    two that the chain's own solution takes 2 s for.
    """

    def __init__(self, arena: Arena) -> None:
        super().__init__(arena)
        self.solution = Solution(arena.model.under({}))
        self.value, self.error = self._mean(self.solution)
        self.method = "certified" if self.error else "exact"

    def _mean(self, solution: Solution) -> tuple[Fraction, Fraction]:
        return mean_of_goal(self.goal, solution)

    def __getitem__(self, node: int) -> Fraction:
        n = len(self.model.states)
        if node >= n:
            return self.arena.ends[node - n]
        if node == 0:
            return self.value - self.shift
        state = self.model.states[node]
        start = ("first", state) if self.model.passes else state
        return self._mean(self.solution.started_at(start))[0] - self.shift

    def bound(self, node: int) -> Fraction:
        return self.error

    def pick(self, node: int) -> int:
        raise RulesError("the game has no choices")

    def certificate(self, game: str) -> "Certificate":
        return values_of(self.arena, self.method).certificate(game)


def mean_of_goal(goal: Goal, solution: Solution) -> tuple[Fraction, Fraction]:
    """The mean of a goal in a solved chain, and its error bound."""
    chain = solution.chain
    values = {outcome: goal.value(outcome) for outcome in solution.outcomes}
    mean = sum((p * values[o] for o, p in solution.outcomes.items()), Fraction(0))
    bound = solution.bound * sum(map(abs, values.values()), Fraction(0))
    for counter, gain in goal.counters.items():
        if counter in chain.counters:
            mean += gain * solution.mean(counter)
            most = max(abs(Fraction(dict(counts).get(counter, 1))) for counts in chain.tags)
            bound += abs(gain) * most * solution.rolls_bound
    return mean, bound


def _reach() -> Any:
    """The module that finds reachable states: with NumPy arrays, or in plain Python."""
    return import_module(f"sevenout.solving.policies.{'reach' if has('numpy') else 'reach_plain'}")
