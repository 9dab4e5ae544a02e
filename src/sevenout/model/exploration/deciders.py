"""The players at decision states: their options, and what they see."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from sevenout.errors import RulesError, shown
from sevenout.rules import Game


class Deciders:
    """The players of a model under construction, by node.

    Attributes:
        choosers: who decides, if the rules name the players.
        seen: what they see, if the rules hide something.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.seated = getattr(game.chooser, "__func__", None) is not Game.chooser
        self.hides = getattr(game.sees, "__func__", None) is not Game.sees
        self.choosers: dict[int, str] = {}
        self.seen: dict[int, Hashable] = {}
        self.named: dict[tuple[str, ...], tuple[str, ...]] = {}

    def options(self, state: Hashable, menu: Mapping[str, Any]) -> tuple[str, ...]:
        """The names of the options; equal menus share one tuple."""
        if type(menu) is not dict and not isinstance(menu, Mapping):
            raise RulesError(
                f"the choices in state {shown(state)} are {shown(menu)}; "
                "give a mapping from each option's name to what follows it"
            )
        names = tuple(menu)
        kept = self.named.get(names)
        if kept is not None:
            return kept
        for name in names:
            if not isinstance(name, str):
                raise RulesError(
                    f"the option {shown(name)} in state {shown(state)} is not a string; name it "
                    "with one, such as 'hold'"
                )
        self.named[names] = names
        return names

    def add(self, node: int, state: Hashable) -> None:
        """Note the player of a new decision, and what they see."""
        if self.seated:
            who = self.game.chooser(state)
            if isinstance(who, str):
                self.choosers[node] = who
            elif who is not None:
                raise RulesError(
                    f"the chooser in state {shown(state)} is {shown(who)}; name the player with "
                    "a string"
                )
        if self.hides:
            self.seen[node] = self._seen(state, self.choosers.get(node))

    def _seen(self, state: Hashable, who: str | None) -> Hashable:
        if who is None:
            raise RulesError(
                f"`sees` hides something, but `chooser` names no player in state {shown(state)}; "
                "let it name one"
            )
        seen = self.game.sees(state, who)
        if not is_hashable(seen):
            raise RulesError(
                f"what {shown(who)} sees of {shown(state)} is {shown(seen)}, which is not "
                "hashable; give a tuple, a text, a number"
            )
        return seen

    def check(self, states: Sequence[Hashable], menus: Sequence[tuple[str, ...]]) -> None:
        """Players are named at every decision or at none.

        Raises:
            RulesError: some decisions have a named player and others none.
        """
        for node, menu in enumerate(menus if self.choosers else ()):
            if menu and node not in self.choosers:
                raise RulesError(
                    f"`chooser` names no player in state {shown(states[node])}, but "
                    f"{shown(next(iter(self.choosers.values())))} elsewhere; name one in each "
                    "state"
                )


def is_hashable(x: Any) -> bool:
    """Whether an object is hashable.

    >>> is_hashable((1, 2)), is_hashable([1, 2])
    (True, False)
    """
    try:
        hash(x)
    except TypeError:
        return False
    return True
