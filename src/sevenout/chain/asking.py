"""Rules with choices ► model: every roll played and every answer given once, from the start on."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

from sevenout.chain.chain import Chain, stakes_of
from sevenout.chain.ending import traps_of
from sevenout.chain.explore import MAX_STATES, QUESTION, Found, explore
from sevenout.chain.model import Model, Tag, is_seated
from sevenout.errors import RulesError, shown
from sevenout.rules import Ask, Game, Outcome
from sevenout.rules.game import no_state, not_a_state, start_of
from sevenout.rules.objective import objective_of
from sevenout.rules.outcome import PASSING, Counts, followed


def explore_choices(game: Game, max_states: int) -> Model:
    """The model of a game with choices; see `explore`, which calls this.

    A state in which the player is asked is a question; the state in which the dice are then rolled
    is another node, though it may be the same state.
    """
    return _Explorer(game, max_states).model()


def asks(game: Game) -> bool:
    """Whether a player is ever asked anything; the first question ends the search.

    >>> from sevenout.games import catalogue, decisions
    >>> asks(decisions("pig")), asks(catalogue["craps"])
    (True, False)
    """
    if type(game).choices is Game.choices:
        return False
    try:
        _FirstQuestion(game, MAX_STATES).model()
    except _AskedError:
        return True
    return False


def model_of(game: Game) -> Chain | Model:
    """The model of a game in which somebody is asked or turns pass; of any other, its chain.

    Two players may race without a choice between them: their model says whose turn it is.

    >>> from sevenout.games import catalogue
    >>> model_of(catalogue["craps"])
    <Chain of 7 states and 4 outcomes>

    Raises:
        SevenoutError: as `explore`.
    """
    found = explore(game)
    return explore_choices(game, MAX_STATES) if is_seated(found) else found


STATE, END, ON_THE_WAY, DOUBTFUL = 1, 2, 3, 4
"""What follows: a state, an outcome, one of them and what happens before; or a question, or none
of all these.
"""


class _Explorer(Found):
    def __init__(self, game: Game, max_states: int) -> None:
        super().__init__(game, max_states)
        self.outcomes, self.tags = {}, {((), False): 0}
        self.states: list[Hashable] = []
        self.menus: list[tuple[str, ...]] = []
        self.asked: dict[int, Mapping[str, Any]] = {}  # what follows each option, until it is known
        self.reached: dict[Hashable, int] = {}  # by a step: a question, if there is one
        self.rolling: dict[Hashable, int] = {}
        self.choosers: dict[int, str] = {}
        self.named: dict[tuple[str, ...], tuple[str, ...]] = {}
        self.seated = getattr(game.chooser, "__func__", None) is not Game.chooser
        self.sorts: dict[type, int] = {}

    def reach(self, state: Hashable) -> int:
        """The node of a state that a step leads to."""
        node = self.reached.get(state)
        if node is None:
            menu = self.game.choices(state)
            node = self._question(state, menu) if menu else self.roll(state)
            self.reached[state] = node
        return node

    def roll(self, state: Hashable) -> int:
        """The node of a state in which the dice are rolled."""
        node = self.rolling.get(state)
        if node is None:
            node = self.rolling[state] = self._node(state, ())
        return node

    def ask(self, state: Hashable) -> int:
        """The node of a further question."""
        if not self.game.choices(state):
            raise RulesError(
                f"a further question in state {shown(state)}, where `choices` has no options"
            )
        return self.reach(state)

    def _node(self, state: Hashable, menu: tuple[str, ...]) -> int:
        self.states.append(state)
        self.menus.append(menu)
        return len(self.states) - 1

    def _question(self, state: Hashable, menu: Mapping[str, Any]) -> int:
        if type(menu) is not dict and not isinstance(menu, Mapping):
            raise RulesError(
                f"the choices in state {shown(state)} are {shown(menu)}; "
                "give a mapping from each option's name to what follows it"
            )
        names = tuple(menu)
        kept = self.named.get(names)
        if kept is None:
            for name in names:
                if not isinstance(name, str):
                    raise RulesError(
                        f"the option {shown(name)} in state {shown(state)}; name it: 'hold'"
                    )
            kept = self.named[names] = names
        node = self._node(state, kept)
        self.asked[node] = menu
        if self.seated:
            who = self.game.chooser(state)
            if who is not None:
                self._seat(node, who)
        return node

    def _seat(self, node: int, who: Any) -> None:
        if not isinstance(who, str):
            raise RulesError(
                f"the chooser in state {shown(self.states[node])} is {shown(who)}; "
                "name the bet that is his"
            )
        self.choosers[node] = who

    def _all_or_none_are_named(self) -> None:
        for node, menu in enumerate(self.menus if self.choosers else ()):
            if menu and node not in self.choosers:
                raise RulesError(
                    f"`chooser` names nobody in state {shown(self.states[node])}, but "
                    f"{shown(next(iter(self.choosers.values())))} elsewhere; name one in each"
                )

    def _first(self, then: Any, arrive: Callable[[Any], int], state: Any, on: Any) -> int:
        """The node of a state that may be new."""
        if isinstance(then, Ask):
            arrive, then = self.ask, then.state
        if not_a_state(then):
            raise RulesError(no_state(then, state, on))
        return arrive(then)

    def _sort(self, follows: Any) -> int:
        """What something that follows is; its type says so."""
        if isinstance(follows, PASSING):
            sort = ON_THE_WAY
        elif isinstance(follows, Outcome):
            sort = END
        else:
            sort = DOUBTFUL if not_a_state(follows) else STATE
        self.sorts[type(follows)] = sort
        return sort

    def model(self) -> Model:
        game, states, tags = self.game, self.states, self.tags
        step, settle, first = game.step, self.settle, self._first
        lead, tag_it = self.targets.append, self.tagged.append
        sorts, sort_of = self.sorts, self._sort
        before: Counts = ()
        tag_before = 0
        last: object = self  # nothing that is rolled, not even None
        law = 0
        self.reach(start_of(game))
        for node, state in enumerate(states):  # grows as we go
            menu = self.asked.pop(node, None)
            if menu is None:
                what = game.rolls(state)
                if what is not last:
                    last, law = what, self.roll_what(what)
                which = law
                known, arrive = self.reached, self.reach
                moves: Iterable[tuple[Any, Any]] = [
                    (roll, step(state, roll)) for roll in self.laws[law]
                ]
            else:
                which = QUESTION
                known, arrive = self.rolling, self.roll
                moves = menu.items()
            for on, follows in moves:
                then, tag = follows, 0
                sort = sorts.get(type(follows)) or sort_of(follows)
                if sort == ON_THE_WAY:
                    then, counts, passes = followed(follows)
                    if passes or counts is not before:  # rules count the same again and again
                        tag = tags.setdefault((counts, passes), len(tags))
                        before, tag_before = (before, tag_before) if passes else (counts, tag)
                    else:
                        tag = tag_before
                    sort = sorts.get(type(then)) or sort_of(then)
                if sort == END:
                    lead(settle(then))
                else:
                    try:
                        target = known.get(then)
                    except TypeError:
                        raise RulesError(no_state(then, state, on)) from None
                    if sort == DOUBTFUL:  # None may be known, as the start that is not said
                        target = first(then, arrive, state, on)
                    elif target is None:
                        target = arrive(then)
                    lead(target)
                tag_it(tag)
            self.close(which, len(states))
        self._all_or_none_are_named()
        for i in self.settling:
            self.targets[i] = len(states) + ~self.targets[i]
        return Model(
            states=states,
            menus=self.menus,
            rolled=self.rolled,
            first=self.first,
            targets=self.targets,
            tagged=self.tagged,
            tags=tuple(Tag(*tag) for tag in tags),
            outcomes=tuple(self.outcomes),
            rollables=tuple(self.rollables),
            stakes=stakes_of(self.outcomes),
            choosers=self.choosers,
            traps=traps_of(states, self.menus, self.first, self.targets),
            coordinates=game.coordinates,
            goal=objective_of(game),
        )


class _AskedError(Exception):
    """A player is asked something."""


class _FirstQuestion(_Explorer):
    def _question(self, state: Hashable, menu: Mapping[str, Any]) -> int:
        raise _AskedError
