"""The run and the tally of games that are not explored.

A run plays chunks of games (`play_chunks`), and adds up how they ended and what they counted
(`LazyBook`, `LazyTally`). Nothing is counted by state: there may be more states than games.
`replay.play_alone` plays the games one by one through the rules, as a witness.
"""

import re
from array import array
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property, partial
from hashlib import sha256
from typing import Any

from sevenout.model import Chain
from sevenout.model.inspection import outcomes_in_order, stakes_of
from sevenout.numerals import int_if_whole
from sevenout.rolling.distribution import sum_of_tables
from sevenout.rules import Game, Outcome
from sevenout.rules.outcome import Counts, Pay
from sevenout.simulation.chain_tables import Stop
from sevenout.simulation.lazy_sampler import LazyChain, LazyCounts, play_lazily
from sevenout.simulation.own_dice import OwnDice
from sevenout.simulation.tally import Tally, TallyError, are_counts

# --- the tally ------------------------------------------------------------------------------------


CHUNK = 1 << 12
"""Games played at a time, to share NumPy calls and fit a cache."""
PILOT_GAMES = 16
"""The number of games that identifies the rules."""


class Unexplored:
    """The one state for all that were not met; it has no moves."""

    def __repr__(self) -> str:
        return "not met"


def fingerprint(game: Game) -> str:
    """A hash of the ends of some games of another seed: an identity without a chain.

    Rules that differ only where these few games don't come have the same hash, and their tallies
    can be added: it tells games apart, not a change of a rare rule.
    """
    lazy_chain, digest = LazyChain(game), sha256()
    counts = play_lazily(lazy_chain, OwnDice(0, 0, PILOT_GAMES))
    assert counts is not None
    outcomes, tags = list(lazy_chain.outcomes), list(lazy_chain.tags)
    for (rolls, k), n in counts.games_by_end.items():
        digest.update(repr((rolls, outcome_data(outcomes[k]), n)).encode())
    # sorted, since the numbers of the counts depend on the order in which they are met
    moves_by_counts = {
        repr(tags[tag]): counts.moves_by_counts.get(tag, 0) for tag in range(len(tags))
    }
    for tag, n in sorted(moves_by_counts.items()):
        digest.update(f"{tag} {n}".encode())
    return digest.hexdigest()


def outcome_data(outcome: Outcome) -> list[Any]:
    """An outcome for JSON."""
    pays = [[bet, pay.event, *map(str, pay[1:])] for bet, pay in outcome.pays]
    return [outcome.label, pays]


class LazyTally(Tally):
    """The tally of unexplored games: how they ended and what they counted, but not where.

    Attributes:
        rules: of the games.
        games_by_end: games by (rolls, outcome).
        moves_by_counts: moves by their counts.
    """

    rules: Game
    games_by_end: Mapping[tuple[int, Outcome], int]
    moves_by_counts: Mapping[Counts, int]

    def __init__(
        self,
        rules: Game,
        games_by_end: Mapping[tuple[int, Outcome], int],
        moves_by_counts: Mapping[Counts, int],
    ) -> None:
        # the class is frozen, and `games` is a field of a `Tally`
        vars(self).update(
            rules=rules,
            games_by_end=games_by_end,
            moves_by_counts=moves_by_counts,
            games=sum(games_by_end.values()),
        )

    @cached_property
    def outline(self) -> Chain:
        """A chain without states: the outcomes and counts, in an order that no thread changes."""
        reached = {outcome for _, outcome in self.games_by_end}
        declared = dict.fromkeys(self.rules.outcomes)
        others = sorted(reached - set(declared), key=repr)
        numbers = {outcome: k for k, outcome in enumerate([*declared, *others])}
        ordered = outcomes_in_order(self.rules, numbers, {numbers[outcome] for outcome in reached})
        outcomes = [outcome for outcome, _ in ordered]
        tags = sorted(self.moves_by_counts, key=lambda counts: (-len(counts), repr(counts)))
        return Chain(
            states=(Unexplored(),),
            outcomes=tuple(outcomes),
            rollables=(),
            rollable_index=array("i", [0]),
            first_move=array("q", [0, 0]),
            targets=array("i"),
            tag_index=array("i"),
            tags=tuple(dict.fromkeys([(), *tags])),
            stakes=stakes_of(outcomes),
            declared_counters=tuple(self.rules.counters),
        )

    @cached_property
    def ends(self) -> Mapping[tuple[int, int], int]:
        """The number of games by (rolls, outcome), the outcome by its index in `outline`."""
        place = {outcome: k for k, outcome in enumerate(self.outline.outcomes)}
        ends = {(rolls, place[outcome]): n for (rolls, outcome), n in self.games_by_end.items()}
        return dict(sorted(ends.items()))

    @cached_property
    def rolls_by_tag(self) -> Mapping[int, int]:
        """The number of rolls by tag of `outline`."""
        moves, tags = self.moves_by_counts, enumerate(self.outline.tags)
        return {tag: moves[counts] for tag, counts in tags if counts in moves}

    def _not_counted(self) -> Any:
        """Refuse a figure by state, with advice, where an attribute would only be missing."""
        raise TallyError(
            "the game is too large to explore, so its games are counted by their ends and "
            "counters, not by state; explore it first, or ask for ends, lengths or counters"
        )

    chain = property(_not_counted)
    flow = property(_not_counted)
    absorbed = property(_not_counted)

    @cached_property
    def identity(self) -> str:
        """A hash of the ends of some other games; 64 hex digits."""
        return fingerprint(self.rules)

    def plus(self, other: Tally) -> Tally:
        """The sum with a tally known to be of the same rules."""
        assert isinstance(other, LazyTally)
        return LazyTally(
            self.rules,
            sum_of_tables(self.games_by_end, other.games_by_end),
            sum_of_tables(self.moves_by_counts, other.moves_by_counts),
        )

    def to_dict(self) -> dict[str, Any]:
        """Data for JSON: the figures of a tally without the counts by state."""
        return self.figures()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LazyTally):
            return NotImplemented
        return (self.games_by_end, self.counters) == (other.games_by_end, other.counters)

    __hash__ = None


# --- tasks and counts of a run --------------------------------------------------------------------


def play_chunks(
    lazy_chain: LazyChain, seed: int, first_game: int, games: int, *, stop: Stop | None = None
) -> LazyCounts | None:
    """The counts of games from number `first_game` on; None if they were stopped.

    They are played chunk by chunk. All tasks of a process share what was met of the game.
    """
    total = LazyCounts({}, {})
    for begin in range(0, games, CHUNK):
        dice = OwnDice(seed, first_game + begin, min(CHUNK, games - begin))
        counts = play_lazily(lazy_chain, dice, stop)
        if counts is None:
            return None
        total = total.plus(counts)
    return total


class LazyBook:
    """The counts of a run of an unexplored game; see `run.CountBook`.

    Attributes:
        rules: of the game.
        seed: of the run.
        lazy_chain: what was met of the game, which numbers its outcomes and sets of counters.
        counts: of the finished games, by these numbers.
        _tally: the latest counts with their tally.
    """

    def __init__(self, game: Game, seed: int) -> None:
        self.rules, self.seed, self.lazy_chain = game, seed, LazyChain(game)
        self.counts = LazyCounts({}, {})
        self._tally: tuple[LazyCounts, Tally] | None = None

    @property
    def batch_size(self) -> int:
        """The games of a chunk."""
        return CHUNK

    @property
    def games(self) -> int:
        """The number of games counted."""
        return self.counts.games

    @property
    def tally(self) -> Tally:
        """The tally of these games."""
        return self.deferred_tally()()

    def deferred_tally(self) -> Callable[[], Tally]:
        """A function for the tally of the games counted now, even if more are added later."""
        return partial(self._cached_tally, self.counts)

    def _cached_tally(self, counts: LazyCounts) -> Tally:
        """The tally of these counts; the latest is kept."""
        # the tally of the same counts is asked for again and again while a batch is played
        if self._tally is None or self._tally[0] is not counts:
            self._tally = counts, self._tally_of(counts)
        return self._tally[1]

    def _tally_of(self, counts: LazyCounts) -> LazyTally:
        """The tally of these counts, with outcomes and counters instead of their numbers."""
        outcomes, tags = list(self.lazy_chain.outcomes), list(self.lazy_chain.tags)
        games_by_end = {(rolls, outcomes[k]): n for (rolls, k), n in counts.games_by_end.items()}
        moves_by_counts = {tags[k]: n for k, n in counts.moves_by_counts.items()}
        return LazyTally(self.rules, games_by_end, moves_by_counts)

    def task(self, first_batch: int, games: int) -> "partial[LazyCounts | None]":
        """What plays these games, from the batch `first_batch` on."""
        return partial(play_chunks, self.lazy_chain, self.seed, first_batch * CHUNK, games)

    def add(self, counts: LazyCounts) -> int:
        """Add the result of a task; returns its number of rolls."""
        self.counts = self.counts.plus(counts)  # one assignment, so that Ctrl-C may come any moment
        return counts.rolls

    @cached_property
    def game_identity(self) -> str:
        """A hash of the ends of some games of another seed: an identity without a chain."""
        return f"discovered as met, {fingerprint(self.rules)}"

    def data(self) -> dict[str, Any]:
        """The counts and their keys."""
        outcomes, tags = list(self.lazy_chain.outcomes), list(self.lazy_chain.tags)
        games_by_end, moves_by_counts = self.counts.games_by_end, self.counts.moves_by_counts
        return {
            "games": self.games,
            "outcomes": {
                str(k): outcome_data(outcomes[k]) for k in sorted({k for _, k in games_by_end})
            },
            "ended": [[*key, n] for key, n in sorted(games_by_end.items())],
            "counted": [
                [[(name, str(n)) for name, n in tags[k]], m] for k, m in moves_by_counts.items()
            ],
        }

    def restore(self, data: dict[str, Any]) -> None:
        """Restore the counts of a checkpoint.

        Raises:
            TallyError: it is damaged.
        """
        outcomes, tags = self.lazy_chain.outcomes, self.lazy_chain.tags
        try:
            place = {
                int(k): outcomes.setdefault(_read_outcome(content), len(outcomes))
                for k, content in data["outcomes"].items()
            }
            games_by_end = {(rolls, place[k]): n for rolls, k, n in data["ended"]}
            moves_by_counts = {
                tags.setdefault(_read_counts(pairs), len(tags)): n for pairs, n in data["counted"]
            }
            games = data["games"]
        except (KeyError, TypeError, ValueError, AttributeError):
            raise TallyError("the tally is damaged: a count is missing") from None
        if not are_counts(
            games, *games_by_end.values(), *moves_by_counts.values(), *(t for t, _ in games_by_end)
        ):
            raise TallyError("the tally is damaged: a count is not a whole number")
        self.counts = LazyCounts(games_by_end, moves_by_counts)
        rolls = sum(rolls * n for (rolls, _), n in games_by_end.items())
        if (self.games, self.counts.rolls) != (games, rolls):
            raise TallyError("the tally is damaged: its counts do not add up")


# What reads a checkpoint raises a TypeError or a ValueError, which `restore` explains.


def _read_outcome(data: list[Any]) -> Outcome:
    """The outcome that `outcome_data` wrote."""
    label, pays = data
    return Outcome(
        _read_text(label),
        tuple(
            (_read_text(bet), Pay(_read_text(event), *map(_read_amount, amounts)))
            for bet, event, *amounts in pays
        ),
    )


def _read_counts(data: list[Any]) -> Counts:
    """The counters of a move, with their increments."""
    return tuple((_read_text(name), int_if_whole(_read_amount(n))) for name, n in data)


def _read_text(value: Any) -> str:
    """The value, if it is a text."""
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _read_amount(value: Any) -> Fraction:
    """The number of a text such as "3" or "-1/2"."""
    if not _is_amount(_read_text(value)):
        raise ValueError(value)
    return Fraction(value)


# stricter than Fraction, which reads "1e999999999" and takes for ever
_is_amount = re.compile(r"-?\d+(/0*[1-9]\d*)?", re.ASCII).fullmatch
