"""A game of turns that is played by hand: the dice that are kept, the boxes that are filled.

What the player did stands in the address; the same seed rolls the same dice.
"""

from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from sevenout.errors import NotationError, shown
from sevenout.lab.chosen import choose
from sevenout.rules import ByTurns, Hand, KeepRoll, Outcome
from sevenout.rules.position import Position


class Choice(NamedTuple):
    """What the player did.

    Attributes:
        state: where he was asked.
        did: the dice that he kept, as "keep 2 2", or the box.
        scored: what it paid at once, in the end of a game with all that is paid then.
    """

    state: Any
    did: str
    scored: int


class Turns:
    """A game of turns as far as it is played; what is to be rolled is rolled at once.

    >>> played = Turns("yahtzee", 1, ("keep 5", "keep 5 6", "chance"))
    >>> [choice.scored for choice in played.choices], played.score
    ([0, 0, 18], 18)

    Args:
        text: the game.
        seed: of the dice.
        did: what the player did, in order.

    Raises:
        NotationError: he can't have done so.
    """

    def __init__(self, text: str, seed: int, did: tuple[str, ...]) -> None:
        game = choose(text).game
        assert isinstance(game, ByTurns)
        self.game, self.goal = game, (choose(text).goal or {})["most"]
        self.position, random = Position(game), Random(seed)
        self.choices: list[Choice] = []
        self.typed: list[str] = []
        self.answers: list[str] = []
        self._roll(random)
        for each in did:
            self._do(each)
            self._roll(random)

    @property
    def score(self) -> int:
        """What has been scored."""
        return int(dict(self.position.counts).get(self.goal, 0))

    @property
    def dice(self) -> tuple[Any, ...]:
        """The dice on the table."""
        if self.position.settled:
            return ()
        inner = self.position.state[2]
        if isinstance(inner, Outcome):
            return inner.faces if isinstance(inner, Hand) else (inner.label,)
        return tuple(inner[1]) if isinstance(self.game.turn, KeepRoll) else (inner,)

    def worth(self, box: str) -> int:
        """What the dice score in a box, at once."""
        card, _, hand = self.position.state
        _, counts = self.game.entered(card, box, self.game.entries(card)[box](hand))
        return int(counts.get(self.goal, 0))

    def _roll(self, random: Random) -> None:
        if self.position.settled or self.position.options:
            return
        self.typed.append("")
        while not self.position.settled and not self.position.options:
            self.position.throw(random)

    def _do(self, did: str) -> None:
        if self.position.settled:
            raise NotationError(f"{shown(did)} after the end of the game")
        state, before = self.position.state, self.score
        did, answers = self._meant(did)
        for answer in answers:
            self.position.choose(answer)
            self.answers.append(answer)
        self.typed.append(did)
        self.choices.append(Choice(state, did, self.score - before))

    def _meant(self, did: str) -> tuple[str, tuple[str, ...]]:
        """What was done, and the answers that do so."""
        inner, turn = self.position.state[2], self.game.turn
        options = self.position.options
        if isinstance(turn, KeepRoll) and not isinstance(inner, Outcome):
            if did.startswith("keep "):
                return turn.keep(inner, did[5:])
            options = ("keep none", "keep all")  # and all between
        elif did in options:
            return did, (did,)
        some = ", ".join(options[:12])
        raise NotationError(f"{shown(did)} can't be done here; there is: {some}")


@lru_cache(maxsize=16)
def played(text: str, seed: int, did: tuple[str, ...]) -> Turns:
    """The game of a seed."""
    return Turns(text, seed, did)
