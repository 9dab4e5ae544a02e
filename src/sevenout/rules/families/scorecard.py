"""Score cards of games of turns."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from sevenout.rules.families.keeping import ByTurns
from sevenout.rules.outcome import Outcome
from sevenout.rules.position import Event, Position

Points = int | Fraction


class ScoreRow(NamedTuple):
    """A row of a score card.

    Attributes:
        name: the entry, the bonus, or what is added up.
        amount: in points; None for an open entry.
        note: an explanation of the amount; may be empty.
    """

    name: str
    amount: Points | None
    note: str = ""


@dataclass(frozen=True)
class ScoreCard:
    """The entries so far, as players write them down.

    >>> from sevenout.catalogue.choice_games.yahtzee import Yahtzee
    >>> position = Position(Yahtzee())
    >>> for face in (6, 6, 6, 1, 2):
    ...     _ = position.roll(face)
    >>> _ = position.choose("keep all"), position.choose("sixes")
    >>> [(row.name, row.amount) for row in ScoreCard.of(position).rows if row.amount]
    [('sixes', 18), ('upper total', 18), ('score', 18)]

    Attributes:
        counter: the points that are added up.
        counts: the counters of each entry made.
    """

    game: ByTurns
    counter: str
    counts: Mapping[str, Mapping[str, Points]]
    total: Points
    settled: bool

    @classmethod
    def of(cls, position: Position, counter: str = "score") -> "ScoreCard":
        """The card of a game in progress."""
        game = position.game
        assert isinstance(game, ByTurns)
        counts: dict[str, dict[str, Points]] = {}
        for event in position.history:
            if is_entry(event):
                card, _, hand = event.state
                entry = str(event.option)
                have = counts.setdefault(entry, {})
                for name, n in game.pays(card, entry, hand).items():
                    have[name] = have.get(name, 0) + n
        total = dict(position.counts).get(counter, 0)
        return cls(game, counter, counts, total, position.settled is not None)

    @property
    def rows(self) -> tuple[ScoreRow, ...]:
        """The entries, with the tally and bonus below theirs, then the sum."""
        boxes = [self._box(name) for name in self.game.entries(self.game.card)]
        above = [row for row in boxes if row.name in self.game.tally_entries]
        below = [row for row in boxes if row.name not in self.game.tally_entries]
        beside = [ScoreRow(name, self.counted(name)) for name in self.game.bonus_counters]
        total = ScoreRow(self.counter, self.total)
        return (*above, *(self._tally() if above else ()), *below, *beside, total)

    def counted(self, counter: str) -> Points:
        """The sum of a counter over all entries."""
        return sum((counts.get(counter, 0) for counts in self.counts.values()), 0)

    def box(self, counts: Mapping[str, Points]) -> Points:
        """The part of an entry's score written in its box."""
        beside = sum((counts.get(name, 0) for name in self.game.bonus_counters), 0)
        return counts.get(self.counter, 0) - beside

    def _box(self, name: str) -> ScoreRow:
        counts = self.counts.get(name)
        return ScoreRow(name, None if counts is None else self.box(counts))

    def _tally(self) -> tuple[ScoreRow, ...]:
        if self.game.tally is None:
            return ()
        name, cap = self.game.tally
        tally = self.counted(name)
        total = ScoreRow(f"{name} total", tally)
        value = [self.game.final(n).get(self.counter, 0) for n in range(cap + 1)]
        if not any(value):
            return (total,)
        now = value[min(cap, int(tally))]
        least = next(n for n, bonus in enumerate(value) if bonus)
        if self.settled:
            return total, ScoreRow(f"{name} bonus", now)
        note = f"{now} at the end" if now else f"{value[least]} for {least} or more"
        return total, ScoreRow(f"{name} bonus", None, note)


def is_entry(event: Event) -> bool:
    """Whether an event entered the end of a turn."""
    return event.option is not None and isinstance(event.state[2], Outcome)
