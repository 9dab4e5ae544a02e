"""A table: a game played roll by roll on its chain, and what each bet has come to."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any, Literal

from sevenout.chain import Chain, chain_of
from sevenout.dice import Dice, Reading, Roll, Rollable
from sevenout.exact import BetResult, Solution, solve
from sevenout.exact.metrics import Metrics
from sevenout.rules import Game, Settled

EXACT_BETS = 300
"""Up to so many bets the band is exact, by convolution; beyond, it is the normal law's."""


@dataclass(frozen=True)
class Rolled:
    """One roll.

    Attributes:
        faces: what the dice show.
        total: how the game reads them.
        before: the state in which they were rolled.
        after: the state that follows; None if the game is settled.
        settled: the outcome, if the game is settled.
    """

    faces: tuple[Hashable, ...]
    total: str
    before: Any
    after: Any
    settled: Settled | None


@dataclass
class Stake:
    """A bet as one player makes it, game after game.

    Attributes:
        bet: its exact law.
        chips: what is staked on each game; 0 for nothing.
        net: the result after each game since the chips were last changed, in chips.
    """

    bet: BetResult
    chips: int = 1
    net: list[Fraction] = field(default_factory=list)
    _bands: dict[int, tuple[Fraction, Fraction]] = field(default_factory=dict, repr=False)

    def put(self, chips: int) -> None:
        """Stake another number of chips; the count starts anew."""
        self.chips = chips
        self.net = []

    def settle(self, outcome: Settled) -> Fraction:
        """What the outcome brings."""
        won = outcome.profit(self.bet.name) / self.bet.stake * self.chips
        if self.chips:
            self.net.append((self.net[-1] if self.net else Fraction(0)) + won)
        return won

    @property
    def games(self) -> int:
        """How many games it has been made on."""
        return len(self.net)

    @property
    def result(self) -> Fraction:
        """What it has come to."""
        return self.net[-1] if self.net else Fraction(0)

    def expected(self, games: int) -> Fraction:
        """The exact mean result."""
        return self.bet.mean * games * self.chips

    def band(self, games: int) -> tuple[Fraction, Fraction]:
        """Between which results the middle 95 % lie."""
        if games not in self._bands:
            method: Literal["convolution", "normal"]
            method = "convolution" if games <= EXACT_BETS else "normal"
            interval = Metrics(self.bet).interval(games, method=method)
            self._bands[games] = (interval.low - 1) * games, (interval.high - 1) * games
        low, high = self._bands[games]
        return low * self.chips, high * self.chips


class Play:
    """A game in progress; the same seed rolls the same dice.

    Args:
        game: the rules.
        seed: the seed.
    """

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.chain: Chain = chain_of(game)
        self.solution: Solution = solve(self.chain)
        self.stakes = {bet: Stake(self.solution.bet(bet)) for bet in self.chain.bets}
        self._random = Random(seed)
        self._state = 0
        self._outcomes = [
            {roll: i for i, roll in enumerate(rollable.law)} for rollable in self.chain.rollables
        ]

    @property
    def state(self) -> Any:
        """The state of the game."""
        return self.chain.states[self._state]

    @property
    def is_fresh(self) -> bool:
        """Whether a new game is about to start."""
        return self._state == 0

    def roll(self) -> Rolled:
        """Roll the dice once."""
        which = self.chain.rolled[self._state]
        rollable = self.chain.rollables[which]
        faces = _thrown(rollable, self._random)
        outcome = read(rollable, faces)
        before = self.state
        target = self.chain.moves[self._state][self._outcomes[which][outcome]].target
        states = len(self.chain.states)
        if target < states:
            self._state = target
            return Rolled(faces, in_words(outcome), before, self.state, None)
        self._state = 0
        settled = self.chain.outcomes[target - states]
        for stake in self.stakes.values():
            stake.settle(settled)
        return Rolled(faces, in_words(outcome), before, None, settled)


def _thrown(rollable: Rollable, random: Random) -> tuple[Hashable, ...]:
    """A face of each source, each as likely as its weight says."""
    faces: list[Hashable] = []
    for source in rollable.sources:
        ticket = random.randrange(sum(source.weights))
        for face, weight in zip(source.faces, source.weights, strict=True):
            ticket -= weight
            if ticket < 0:
                faces.append(face)
                break
    return tuple(faces)


def read(rollable: Rollable, faces: tuple[Hashable, ...]) -> Any:
    """What faces are read as.

    >>> from sevenout.dice import parse_dice
    >>> read(parse_dice("2d6").totals, (3, 4))
    7
    """
    if isinstance(rollable, Reading):
        return rollable.function(read(rollable.source, faces))
    if isinstance(rollable, Dice):
        return rollable.roll(faces)
    shown = [
        [int(k == source.faces.index(face)) for k in range(len(source.faces))]
        for source, face in zip(rollable.sources, faces, strict=True)
    ]
    return next(outcome for outcome, weight in rollable.weigh(shown).items() if weight)


def in_words(outcome: Any) -> str:
    """A roll as the dealer calls it.

    >>> in_words((8, True)), in_words((7, False)), in_words(11), in_words((10, (10, True)))
    ('hard 8', '7', '11', 'hard 10')
    """
    total, hard = _called(outcome)
    return f"hard {total}" if hard and total not in (2, 12) else str(total)


def _called(outcome: Any) -> tuple[Any, bool]:
    """The total of a roll, and whether it came hard, as any of the games sees it."""
    match outcome:
        case Roll():
            return outcome.total, outcome.hard
        case (total, bool() as hard):
            return total, hard
        case tuple():
            seen = [_called(part) for part in outcome if part is not None]
            return (seen[0][0], any(hard for _, hard in seen)) if seen else ("", False)
        case _:
            return outcome, False
