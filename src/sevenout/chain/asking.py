"""Rules with choices ► model: every roll played and every answer given once, from the start on."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from sevenout.chain.chain import stakes_of
from sevenout.chain.ending import traps_of
from sevenout.chain.explore import QUESTION, Found
from sevenout.chain.model import Model, Tag
from sevenout.errors import RulesError, shown
from sevenout.rules import Ask, Counted, Game, Outcome, Passed
from sevenout.rules.game import no_state, not_a_state, start_of
from sevenout.rules.outcome import followed

WRAPPED = (Outcome, Counted, Passed, Ask)


def explore_choices(game: Game, max_states: int) -> Model:
    """The model of a game with choices; see `explore`, which calls this.

    A state in which the player is asked is a question; the state in which the dice are then rolled
    is another node, though it may be the same state.
    """
    return _Explorer(game, max_states).model()


class _Explorer(Found):
    def __init__(self, game: Game, max_states: int) -> None:
        super().__init__(game, max_states)
        self.outcomes, self.tags = {}, {((), False): 0}
        self.states: list[Hashable] = []
        self.asks: list[Mapping[str, Any] | None] = []
        self.reached: dict[Hashable, int] = {}  # by a step: a question, if there is one
        self.rolling: dict[Hashable, int] = {}
        self.choosers: dict[int, str] = {}
        self.menus: dict[tuple[str, ...], tuple[str, ...]] = {(): ()}

    def reach(self, state: Hashable) -> int:
        """The node of a state that a step leads to."""
        node = self.reached.get(state)
        if node is None:
            menu = self.game.choices(state)
            node = self._question(state, menu) if menu else self.roll(state)
            self.reached[state] = node
        return node

    def _seen(self, state: Hashable) -> int | None:
        try:
            return self.reached.get(state)
        except TypeError:
            return None

    def roll(self, state: Hashable) -> int:
        """The node of a state in which the dice are rolled."""
        node = self.rolling.get(state)
        if node is None:
            node = self.rolling[state] = len(self.states)
            self.states.append(state)
            self.asks.append(None)
        return node

    def ask(self, state: Hashable) -> int:
        """The node of a further question."""
        if not self.game.choices(state):
            raise RulesError(
                f"a further question in state {shown(state)}, where `choices` has no options"
            )
        return self.reach(state)

    def _question(self, state: Hashable, menu: Mapping[str, Any]) -> int:
        if type(menu) is not dict and not isinstance(menu, Mapping):
            raise RulesError(
                f"the choices in state {shown(state)} are {shown(menu)}; "
                "give a mapping from each option's name to what follows it"
            )
        names = tuple(menu)
        if names not in self.menus:
            for name in names:
                if not isinstance(name, str):
                    raise RulesError(
                        f"the option {shown(name)} in state {shown(state)}; name it: 'hold'"
                    )
            self.menus[names] = names
        node = len(self.states)
        self.states.append(state)
        self.asks.append(menu)
        who = self.game.chooser(state)
        if who is not None:
            if not isinstance(who, str):
                raise RulesError(
                    f"the chooser in state {shown(state)} is {shown(who)}; name the bet that is his"
                )
            self.choosers[node] = who
        return node

    def _all_or_none_are_named(self, menus: Sequence[tuple[str, ...]]) -> None:
        for node, menu in enumerate(menus if self.choosers else ()):
            if menu and node not in self.choosers:
                raise RulesError(
                    f"`chooser` names nobody in state {shown(self.states[node])}, but "
                    f"{shown(next(iter(self.choosers.values())))} elsewhere; name one in each"
                )

    def move(self, then: Any, arrive: Any, state: Any, on: Any) -> tuple[int, int]:
        """Where a roll or an answer leads (~k is outcome k), and the index of its tag."""
        then, counts, passes = followed(then)
        number = self.tags.setdefault((counts, passes), len(self.tags))
        if isinstance(then, Outcome):
            return self.settle(then), number
        if isinstance(then, Ask):
            arrive, then = self.ask, then.state
        if not_a_state(then):
            raise RulesError(no_state(then, state, on))
        try:
            return arrive(then), number
        except TypeError as error:
            if "unhashable" not in str(error):
                raise
            raise RulesError(no_state(then, state, on)) from None

    def model(self) -> Model:
        game, states, asks = self.game, self.states, self.asks
        step, passing, seen = game.step, self.tags.setdefault, self._seen
        last: Any = None
        which = 0
        menus: list[tuple[str, ...]] = []
        lead, tag_it = self.targets.append, self.tagged.append
        self.reach(start_of(game))
        for node, state in enumerate(states):  # grows as we go
            menu = asks[node]
            if menu is not None:
                menus.append(self.menus[tuple(menu)])
                asks[node] = None
                for name, then in menu.items():
                    target, tag = self.move(then, self.roll, state, name)
                    lead(target)
                    tag_it(tag)
                self.close(QUESTION, len(states))
            else:
                menus.append(())
                what = game.rolls(state)
                if what is not last:
                    last, which = what, self.roll_what(what)
                for roll in self.laws[which]:
                    then = step(state, roll)
                    kind = type(then)
                    # What is usual is taken here at once; `move` would do as well.
                    if kind is Outcome:
                        lead(self.settle(then))
                        tag_it(0)
                        continue
                    if kind not in WRAPPED:
                        known, tag = seen(then), 0
                    elif kind is Passed and type(then.then) not in WRAPPED:
                        known, tag = seen(then.then), passing(((), True), len(self.tags))
                    else:
                        known = None
                    if known is None or then is None:  # the start may be None, as not said
                        known, tag = self.move(then, self.reach, state, roll)
                    lead(known)
                    tag_it(tag)
                self.close(which, len(states))
        self._all_or_none_are_named(menus)
        for i in self.settling:
            self.targets[i] = len(states) + ~self.targets[i]
        return Model(
            states=states,
            menus=menus,
            rolled=self.rolled,
            first=self.first,
            targets=self.targets,
            tagged=self.tagged,
            tags=tuple(Tag(*tag) for tag in self.tags),
            outcomes=tuple(self.outcomes),
            rollables=tuple(self.rollables),
            stakes=stakes_of(self.outcomes),
            choosers=self.choosers,
            traps=traps_of(states, menus, self.first, self.targets),
        )
