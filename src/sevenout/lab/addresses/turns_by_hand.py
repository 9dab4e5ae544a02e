"""A game of turns played by hand. The address holds the player's moves; a seed fixes the dice."""

from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from sevenout.errors import NotationError, shown
from sevenout.lab.addresses.chosen import choose
from sevenout.rules import ByTurns, Hand, KeepRoll, Outcome
from sevenout.rules.keep_games import ScoreCard
from sevenout.rules.position import Position


class Choice(NamedTuple):
    """What the player did.

    Attributes:
        state: the state in which they chose.
        did: the dice that they kept, as "keep 2 2", or the box.
        scored: the points in the box; 0 for dice that were kept.
    """

    state: Any
    did: str
    scored: int


class Turns:
    """A game of turns so far; rolls without a choice are made at once.

    >>> played = Turns("yahtzee", 1, ("keep 5", "keep 5 6", "chance"))
    >>> [choice.scored for choice in played.choices], played.score
    ([0, 0, 18], 18)

    Args:
        did: the player's moves, in order.
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
        for act in did:
            self._do(act)
            self._roll(random)

    @property
    def score(self) -> int:
        return int(dict(self.position.counts).get(self.goal, 0))

    @property
    def dice(self) -> tuple[Any, ...]:
        if self.position.settled:
            return ()
        inner = self.position.state[2]
        if isinstance(inner, Outcome):
            return inner.faces if isinstance(inner, Hand) else (inner.label,)
        return tuple(inner[1]) if isinstance(self.game.turn, KeepRoll) else (inner,)

    @property
    def card(self) -> ScoreCard:
        return ScoreCard.of(self.position, self.goal)

    def scored(self, box: str) -> tuple[int, int]:
        """The points of the dice in a box, and the bonus points they bring."""
        card, _, hand = self.position.state
        counts = self.game.pays(card, box, hand)
        inside = int(self.card.box(counts))
        return inside, int(counts.get(self.goal, 0)) - inside

    def _roll(self, random: Random) -> None:
        if self.position.settled or self.position.options:
            return
        self.typed.append("")
        while not self.position.settled and not self.position.options:
            self.position.throw(random)

    def _do(self, did: str) -> None:
        if self.position.settled:
            raise NotationError(f"{shown(did)} comes after the end of the game; leave it out")
        state = self.position.state
        did, answers = self._meant(did)
        # Before the answers, because filling a box uses up the dice.
        scored = self.scored(did)[0] if isinstance(state[2], Outcome) else 0
        for answer in answers:
            self.position.choose(answer)
            self.answers.append(answer)
        self.typed.append(did)
        self.choices.append(Choice(state, did, scored))

    def _meant(self, did: str) -> tuple[str, tuple[str, ...]]:
        """A move, and the answers that make it."""
        inner, turn = self.position.state[2], self.game.turn
        options = self.position.options
        if isinstance(turn, KeepRoll) and not isinstance(inner, Outcome):
            if did.startswith("keep "):
                return turn.keep(inner, did[5:])
            options = ("keep none", "keep all")  # or any dice between
        elif did in options:
            return did, (did,)
        some = ", ".join(options[:12])
        raise NotationError(f"{shown(did)} is not an option here; the options are: {some}")


@lru_cache(maxsize=16)
def played(text: str, seed: int, did: tuple[str, ...]) -> Turns:
    return Turns(text, seed, did)
