"""Rules with choices ► model: every roll played and every answer given once, from the start on."""

from array import array
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from sevenout.chain.chain import stakes_of
from sevenout.chain.ending import traps_of
from sevenout.chain.model import Model, Tag
from sevenout.dice import Rollable
from sevenout.errors import RulesError, TooManyStatesError, shown
from sevenout.rules import Ask, Counted, Game, Outcome, Passed
from sevenout.rules.game import no_state, not_a_state, start_of
from sevenout.rules.outcome import Counts, followed

WRAPPED = (Outcome, Counted, Passed, Ask)


def explore_choices(game: Game, max_states: int) -> Model:
    """The model of a game with choices; see `explore`, which calls this.

    A state in which the player is asked is a question; the state in which the dice are then rolled
    is another node, though it may be the same state.
    """
    return _Explorer(game, max_states).model()


class _Explorer:
    def __init__(self, game: Game, max_states: int) -> None:
        self.game = game
        self.most = max_states
        self.states: list[Hashable] = []
        self.asks: list[Mapping[str, Any] | None] = []
        self.reached: dict[Hashable, int] = {}  # by a step: a question, if there is one
        self.rolling: dict[Hashable, int] = {}
        self.outcomes: dict[Outcome, int] = {}
        self.tags: dict[tuple[Counts, bool], int] = {((), False): 0}
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
            return ~self.outcomes.setdefault(then, len(self.outcomes)), number
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
        step, outcomes, passing = game.step, self.outcomes, self.tags.setdefault
        seen = self._seen
        rollables: dict[Rollable, int] = {}
        laws: list[tuple[Any, ...]] = []
        last: Any = None
        which = 0
        menus: list[tuple[str, ...]] = []
        rolled, first = array("i"), array("q", [0])
        targets, tagged = array("i"), array("i")
        lead, tag_it, settling = targets.append, tagged.append, list[int]()
        self.reach(start_of(game))
        for node, state in enumerate(states):  # grows as we go
            menu = asks[node]
            if menu is not None:
                menus.append(self.menus[tuple(menu)])
                rolled.append(-1)
                asks[node] = None
                for name, then in menu.items():
                    target, tag = self.move(then, self.roll, state, name)
                    if target < 0:
                        settling.append(len(targets))
                    lead(target)
                    tag_it(tag)
            else:
                menus.append(())
                what = game.rolls(state)
                if what is not last:
                    last, which = what, self._roll_what(what, rollables, laws)
                rolled.append(which)
                for roll in laws[which]:
                    then = step(state, roll)
                    kind = type(then)
                    # What is usual is taken here at once; `move` would do as well.
                    if kind is Outcome:
                        settling.append(len(targets))
                        lead(~outcomes.setdefault(then, len(outcomes)))
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
                        if known < 0:
                            settling.append(len(targets))
                    lead(known)
                    tag_it(tag)
            first.append(len(targets))
            if len(states) > self.most:
                raise TooManyStatesError(
                    f"more than {self.most:,} states; raise max_states, or forget what the rules "
                    "do not need to remember"
                )
        self._all_or_none_are_named(menus)
        n = len(states)
        for i in settling:
            targets[i] = n + ~targets[i]
        return Model(
            states=states,
            menus=menus,
            rolled=rolled,
            first=first,
            targets=targets,
            tagged=tagged,
            tags=tuple(Tag(*tag) for tag in self.tags),
            outcomes=tuple(self.outcomes),
            rollables=tuple(rollables),
            stakes=stakes_of(self.outcomes),
            choosers=self.choosers,
            traps=traps_of(states, menus, first, targets),
        )

    def _roll_what(
        self, what: Any, rollables: dict[Rollable, int], laws: list[tuple[Any, ...]]
    ) -> int:
        if not isinstance(what, Rollable):
            raise RulesError(f"{shown(what)} can't be rolled; write sevenout.dice('2d6')")
        which = rollables.setdefault(what, len(rollables))
        if which == len(laws):
            laws.append(tuple(what.law))
        return which
