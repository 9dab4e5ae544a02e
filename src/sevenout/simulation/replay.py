"""Games one by one, through the rules: replayed from a seed, or rolled as a log says.

A replay is the witness of the fast engines. It reads `random_bits` in plain Python and plays by the
game's `step` alone. Equal counts check the chain, its tables, and the engine.

Engines know only the edge of a roll. Among rolls of the same edge the replay draws one: for roll t
of game i of batch b, by rejection from Philox's words (in the order of `random_bits.words`) for the
counters (i, t, b, 2³¹ + 0), (i, t, b, 2³¹ + 1), ...

A log is text with one roll per line: faces with commas (`3,4`), or a reading such as the total
(`7`). Empty lines and text after `#` are ignored. A first line without digits is a heading.
"""

import os
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, count
from os import PathLike
from typing import Any

from sevenout.budgets.estimates import afford
from sevenout.errors import NotationError, SevenoutError, printable
from sevenout.files import open_plain_file, read_lines, shown_path
from sevenout.model import Chain, state_name
from sevenout.rolling.throw import Faces, parse_throw
from sevenout.rules import FlatGame, Game, Outcome
from sevenout.rules.game import take_step
from sevenout.rules.outcome import Counts, added
from sevenout.rules.position import Position
from sevenout.simulation.lazy_sampler import affordable_chain
from sevenout.simulation.lazy_tally import LazyTally
from sevenout.simulation.own_dice import own_roll_index
from sevenout.simulation.random_bits import (
    BATCH_SIZE,
    COHORT,
    CROWD,
    FEW,
    WORD,
    DDGTree,
    bits,
    ddg_tree,
    drawn_words,
    lowest,
)
from sevenout.simulation.run import check_batch
from sevenout.simulation.tally import Tally
from sevenout.wrong_arguments import public

SECONDS_PER_BYTE = 1.1e-6
"""Seconds to play a byte of a log."""


class ReplayError(SevenoutError):
    """The rules and the chain disagree about a roll."""


@dataclass(frozen=True, slots=True)
class PlayedRoll:
    """One `roll`, and the `state` before it.

    >>> PlayedRoll(state=4, roll=7)
    PlayedRoll(state=4, roll=7)
    """

    state: Any
    roll: Any


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """One game.

    >>> from sevenout.catalogue import games
    >>> game = next(replay_batch(games["craps"], seed=1, games=1))
    >>> game.number, game.rolls[0], game.outcome.label
    (0, PlayedRoll(state='come-out', roll=9), 'point')

    Attributes:
        number: its number in the batch, from 0.
        rolls: in order, each with the state before it.
        outcome: how it ended.
        counts: its (counter, count) pairs, without "rolls".
    """

    number: int
    rolls: tuple[PlayedRoll, ...]
    outcome: Outcome
    counts: Counts


@public
def replay_batch(
    game: Game, seed: int, batch: int = 0, games: int = BATCH_SIZE
) -> Iterator[ReplayedGame]:
    """The games of a batch with their rolls, in the order in which they are settled.

    >>> from sevenout.rules import PointGame
    >>> craps = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    >>> first = min(replay_batch(craps, seed=1, games=4), key=lambda game: game.number)
    >>> first.outcome.label, [rolled.roll for rolled in first.rolls]
    ('point', [9, 8, 9])

    Args:
        game: the rules.
        seed: of the run.
        batch: the number of the batch.
        games: in the batch (all batches of a run but the last have `BATCH_SIZE`).

    Raises:
        SevenoutError: a wrong number of games, seed or batch.
        ReplayError: a step disagrees with the chain.
    """
    check_batch(batch, games, seed)
    chain = affordable_chain(game, batch * BATCH_SIZE + games)
    if chain is None:
        yield from play_alone(game, seed, batch, games)
        return
    # the chain of a game whose die is a game was explored on its innermost dice
    unfinished = _UnfinishedGames(
        game if chain.states[0] == game.start else FlatGame(game), chain, seed, batch
    )
    lines: dict[int, list[int]] = {0: list(range(games))}
    while lines:
        yield from unfinished.roll(lines)
        lines = unfinished.next_lines


@public
def recount(game: Game | Chain, played: Iterable[ReplayedGame]) -> Tally:
    """The tally of games played one by one, from their rolls alone.

    >>> from sevenout.rules import PointGame
    >>> from sevenout.simulation.run import simulate
    >>> craps = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    >>> recount(craps, replay_batch(craps, seed=3, games=500)) == simulate(craps, games=500, seed=3)
    True

    Raises:
        ReplayError: a roll or an end that the rules don't allow.
    """
    chain = affordable_chain(game, 0)
    if chain is None:
        # how far it is worth exploring depends on the number of games, so they are listed
        played = all_games = list(played)
        chain = affordable_chain(game, len(all_games))
        if chain is None:
            assert isinstance(game, Game)
            return recount_lazily(game, all_games)
    chain_index = _ChainIndex(chain)
    flow = [0] * len(chain_index.edges)
    absorbed: dict[tuple[int, int, int], int] = {}
    games = 0
    for game_played in played:
        games += 1
        try:
            for event in game_played.rolls:
                flow[chain_index.edge(event)] += 1
            last_state = chain_index.state[game_played.rolls[-1].state]
            outcome = chain_index.outcome[game_played.outcome]
        except KeyError:
            raise _other_rules(game_played) from None
        cell = last_state, len(game_played.rolls), outcome
        absorbed[cell] = absorbed.get(cell, 0) + 1
    return Tally(chain, games, tuple(flow), absorbed)


# --- logs -----------------------------------------------------------------------------------------


class LogError(SevenoutError):
    """A line of a log that is not a roll of the game."""


@public
def read_log(path: str | PathLike[str]) -> Iterator[Faces]:
    r"""The rolls of a file.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "rolls.txt")
    ...     _ = path.write_text("3 4\n6 6\n")
    ...     [*read_log(path)]
    [(3, 4), (6, 6)]

    Raises:
        FileError: the file can't be read.
    """
    # An unreadable file is refused at once, not at the first roll.
    with open_plain_file(path) as file:
        size = os.fstat(file.fileno()).st_size
    afford(
        f"{shown_path(path)}, {size / 1e6:,.0f} MB of rolls,",
        seconds=SECONDS_PER_BYTE * size,
        instead="give it in parts, or to `sevenout test log`",
    )
    return parse_log(read_lines(path), shown_path(path))


class LoggedFaces(tuple[Hashable, ...]):
    """The faces of a roll; its `location` is the file and the line, for errors."""

    location: str


@public
def parse_log(lines: Iterable[str], file: str = "") -> Iterator[Faces]:
    """The rolls of these lines.

    >>> list(parse_log(["red,white", "3,4", "", "6, 6  # boxcars"]))
    [(3, 4), (6, 6)]

    Args:
        lines: the text.
        file: its name, for the errors of `replay_log`.
    """
    for i, line in enumerate(lines):
        text = line.partition("#")[0].strip()
        # only the first line may be a heading: below it, a line without digits is a mistake
        if text and (i or re.search(r"\d", text)):
            faces = LoggedFaces(parse_throw(text))
            faces.location = f"{file}, line {i + 1}" if file else f"line {i + 1}"
            yield faces


@public
def replay_log(game: Game, log: Iterable[Any]) -> Iterator[ReplayedGame]:
    """The successive games of a log's rolls, without an unfinished last one.

    >>> from sevenout.rules import PointGame
    >>> craps = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    >>> [game.outcome.label for game in replay_log(craps, [(3, 4), (1, 3), (5, 5), (2, 2), (6, 6)])]
    ['natural', 'point', 'craps']

    Args:
        game: the rules.
        log: for each roll its faces, a `Roll`, or a reading such as the total; also
            `read_rolls(file, "2d6")`.

    Raises:
        LogError: an impossible roll; the message has its number.
    """
    position, number = Position(game), 0
    for i, faces in enumerate(log, start=1):
        try:
            outcome = position.roll(faces)
        except NotationError:
            text = ",".join(map(str, faces)) if isinstance(faces, tuple) else str(faces)
            text = printable(text, 60)  # a log is a stranger's: no control characters, no novel
            state = state_name(position.state)
            location = f"{faces.location}: " if isinstance(faces, LoggedFaces) else ""
            raise LogError(
                f"{location}roll {i} is {text}, which can't be rolled at {state}"
            ) from None
        if outcome:
            history = tuple(PlayedRoll(event.state, event.roll) for event in position.history)
            yield ReplayedGame(number, history, outcome, position.counts)
            position, number = Position(game), number + 1


# --- explored games -------------------------------------------------------------------------------


class _ChainIndex:
    """The states, rolls, edges and outcomes of a chain by value.

    Attributes:
        state, outcome: the index of each.
        rolls: the rolls of each distribution, and `roll_index` the index of each roll in it.
        rolled: the distribution rolled in each state.
        edges: the rolls of each edge, by index in their distribution.
        first: the first edge of each state.
    """

    def __init__(self, chain: Chain) -> None:
        self.state = {state: s for s, state in enumerate(chain.states)}
        self.outcome = {outcome: k for k, outcome in enumerate(chain.outcomes)}
        self.rolls = [tuple(rollable.law) for rollable in chain.rollables]
        self.roll_index = [{roll: i for i, roll in enumerate(law)} for law in self.rolls]
        self.rolled = chain.rollable_index
        self.edges: list[list[int]] = []
        self.first: list[int] = []
        self._edge: list[list[int]] = []  # the edge of each roll in each state
        for moves in chain.moves:
            labels = {move: label for label, move in enumerate(dict.fromkeys(moves))}
            self.first.append(len(self.edges))
            self.edges += [[] for _ in labels]
            self._edge.append([self.first[-1] + labels[move] for move in moves])
            for i, edge in enumerate(self._edge[-1]):
                self.edges[edge].append(i)

    def edge(self, event: PlayedRoll) -> int:
        """The edge of a roll."""
        s = self.state[event.state]
        return self._edge[s][self.roll_index[self.rolled[s]][event.roll]]


class _UnfinishedGames:
    """The unfinished games of a batch, with their histories.

    `roll` follows the steps of `random_bits`, game by game: parties toss their coins together until
    none has enough games, then the other games descend their trees alone. `cross` plays the roll of
    a game through the rules.

    Attributes:
        game, chain: the rules, and the chain that they are checked against.
        seed, batch: of the run, and the number of the batch.
        index: the states, rolls and edges of the chain by value.
        targets: the states, then the outcomes: where moves lead.
        weights: of each distribution.
        trees, line_key: the tree of each state, and its key in the order of the line.
        draw, roll_count: the draws used, and the rolls made.
        next_lines: the games in each state after the roll.
        histories, counts: the rolls of each unfinished game, and what it counted.
    """

    def __init__(self, game: Game, chain: Chain, seed: int, batch: int) -> None:
        self.game, self.chain, self.seed, self.batch = game, chain, seed, batch
        self.index = _ChainIndex(chain)
        self.targets = (*chain.states, *chain.outcomes)
        self.weights = [rollable.law.weights for rollable in chain.rollables]
        self.trees = [ddg_tree(lowest(edge.weight for edge in row)) for row in chain.rows]
        self.line_key = _line_keys(self.trees)
        self.draw = self.roll_count = 0
        self.next_lines: dict[int, list[int]] = {}
        self.histories: dict[int, list[PlayedRoll]] = defaultdict(list)
        self.counts: dict[int, dict[str, int | Fraction]] = defaultdict(dict)

    def roll(self, lines: dict[int, list[int]]) -> Iterator[ReplayedGame]:
        """Roll once for every game; `lines` are the games in each state."""
        self.roll_count += 1
        self.next_lines = defaultdict(list)
        while tossing := self.tossing_parties(lines):
            for party in tossing:
                for s, outcomes, refused in self.toss(party, lines):
                    lines[s] = refused
                    for label, line in enumerate(outcomes):
                        for i in line:
                            yield from self.cross(i, s, label)
        lone, max_draws = 0, 0
        for s in sorted(lines, key=self.line_key.__getitem__):
            for i in lines[s]:
                label, spent = self.descend(s, lone)
                lone, max_draws = lone + 1, max(max_draws, spent)
                yield from self.cross(i, s, label)
        self.draw += max_draws

    def tossing_parties(self, lines: dict[int, list[int]]) -> list[list[int]]:
        """The states that toss together, by party."""
        parties: dict[int, list[int]] = {}
        for s in sorted(lines, key=self.line_key.__getitem__):
            if len(lines[s]) >= FEW:
                parties.setdefault(self.line_key[s][0], []).append(s)
        return [party for party in parties.values() if sum(len(lines[s]) for s in party) >= COHORT]

    def toss(
        self, party: list[int], lines: dict[int, list[int]]
    ) -> list[tuple[int, list[list[int]], list[int]]]:
        """For each state of a party the games at each outcome of its tree, and those refused."""
        tree = self.trees[party[0]]
        slots: dict[int, list[list[int]]] = {s: [[] for _ in range(tree.slots)] for s in party}
        for s in party:
            slots[s][0] = lines[s]
        for node, children in enumerate(tree.children):
            coins = bits(self.seed, self.batch, self.draw + node)
            for s in party:
                for i in slots[s][node]:
                    slots[s][children[next(coins)]].append(i)
        self.draw += len(tree.children)
        nodes, refusal = len(tree.children), tree.refusal
        return [(s, slots[s][nodes:refusal], slots[s][refusal]) for s in party]

    def descend(self, s: int, j: int) -> tuple[int, int]:
        """The outcome of lone game j's tree, and its number of draws."""
        tree, slot, spent, word = self.trees[s], 0, 0, 0
        while slot < len(tree.children):
            if spent % 32 == 0:
                word = self.lone_word(j, self.draw + spent // 32)
            slot = tree.children[slot][word >> spent % 32 & 1]
            slot = 0 if slot == tree.refusal else slot
            spent += 1
        return slot - len(tree.children), max(1, -(-spent // 32))

    def lone_word(self, j: int, draw: int) -> int:
        """Word j of a draw."""
        return drawn_words((j // 4, draw & WORD, self.batch, draw >> 32), self.seed)[j % 4]

    def cross(self, i: int, s: int, label: int) -> Iterator[ReplayedGame]:
        """Game i takes an edge; its result by the rules."""
        roll_index = self.choose_roll(i, s, self.index.edges[self.index.first[s] + label])
        state, move = self.chain.states[s], self.chain.moves[s][roll_index]
        roll = self.index.rolls[self.chain.rollable_index[s]][roll_index]
        self.histories[i].append(PlayedRoll(state, roll))
        successor, counted = take_step(self.game, state, roll)
        for name, n in counted:
            self.counts[i][name] = self.counts[i].get(name, 0) + n
        # the chain chose the edge, but the rules decide where it leads: that is the check
        if successor != self.targets[move.target]:
            raise ReplayError(
                f"the step from {state_name(state)} on {roll!r} leads to {state_name(successor)}, "
                f"but the chain to {self.chain.name(move.target)}"
            )
        if isinstance(successor, Outcome):
            counts = tuple(self.counts.pop(i, {}).items())
            yield ReplayedGame(i, tuple(self.histories.pop(i)), successor, counts)
        else:
            self.next_lines[self.index.state[successor]].append(i)

    def choose_roll(self, i: int, s: int, alike: list[int]) -> int:
        """The roll of game i among the rolls of its edge."""
        if len(alike) == 1:
            return alike[0]
        weights = [self.weights[self.chain.rollable_index[s]][roll_index] for roll_index in alike]
        ends = [*accumulate(weights)]
        return alike[bisect_right(ends, self.uniform_below(i, ends[-1]))]

    def uniform_below(self, i: int, stop: int) -> int:
        """A uniform number from 0 to stop - 1, for this roll of game i, by rejection."""
        size = (stop - 1).bit_length()
        value = bit_count = 0
        for call in count():
            counter = i, self.roll_count & WORD, self.batch, 1 << 31 | call
            for word in drawn_words(counter, self.seed):
                value, bit_count = value | word << bit_count, bit_count + 32
                if bit_count < size:  # n may be larger than a word
                    continue
                value &= (1 << size) - 1
                if value < stop:  # a remainder would favour small numbers
                    return value
                value = bit_count = 0
        raise AssertionError


def _line_keys(trees: list[DDGTree]) -> list[tuple[int, int]]:
    """The sorting key of each state in the line: its party, and itself."""
    # independent of `chain_tables.form_parties`, which does this in NumPy
    last: dict[DDGTree, tuple[int, int]] = {}  # the last party of each tree, and its size
    keys, parties = [], 0
    for s, tree in enumerate(trees):
        party, size = last.get(tree, (0, CROWD))
        if size == CROWD:
            party, size, parties = parties, 0, parties + 1
        last[tree] = party, size + 1
        keys.append((party, s))
    return keys


# --- games too large to explore -------------------------------------------------------------------


def play_alone(game: Game, seed: int, batch: int, games: int) -> Iterator[ReplayedGame]:
    """The games of a batch with their rolls, each with its own dice (`OwnDice`)."""
    flat = FlatGame(game)
    for i in range(games):
        state: Any = flat.start
        history, counts = list[PlayedRoll](), Counts()
        while not isinstance(state, Outcome):
            law = flat.rolls(state).law
            index = own_roll_index([*accumulate(law.weights)], seed, batch, i, len(history))
            roll = tuple(law)[index]
            # a flat state of one part is the state of a game on plain dice
            history.append(PlayedRoll(state[0] if len(state) == 1 else state, roll))
            state, step_counts = take_step(flat, state, roll)
            counts = added(counts, step_counts)
        yield ReplayedGame(i, tuple(history), state, counts)


def _other_rules(game_played: ReplayedGame) -> ReplayError:
    return ReplayError(f"game {game_played.number} can't be played by these rules")


def recount_lazily(game: Game, played: Iterable[ReplayedGame]) -> Tally:
    """The tally of games played one by one, each step by the rules.

    Raises:
        ReplayError: a game does not end as the rules say.
    """
    flat = FlatGame(game)
    ended, counted = Counter[tuple[int, Outcome]](), Counter[Counts]()
    for game_played in played:
        state: Any = flat.start
        for event in game_played.rolls:
            if isinstance(state, Outcome) or event.roll not in tuple(flat.rolls(state).law):
                raise _other_rules(game_played)
            state, counts = take_step(flat, state, event.roll)
            counted[counts] += 1
        if state != game_played.outcome:
            raise ReplayError(
                f"game {game_played.number} can't end in {game_played.outcome.label} by these rules"
            )
        ended[len(game_played.rolls), game_played.outcome] += 1
    return LazyTally(game, ended, counted)
