"""The moves of a game by their words in a record: the faces of a roll, or an option.

A record is a line of events, `4 4; 3 2; 6 2`: faces with spaces between them, events with
semicolons. In a decision state the event is the option. A roll may also be given by its reading,
such as the total.

A game of turns is written in the same way: `1 3 3 5 6; keep 3 3; 3 4 4; keep all; chance`. A roll
has the dice that were thrown, or all dice after it. A decision is an option, or for dice that are
kept the plan.
"""

from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import islice, pairwise, product
from typing import Any, NamedTuple, cast

from sevenout.budgets.estimates import afford
from sevenout.errors import NotationError, RulesError, SevenoutError, printable
from sevenout.model import Chain, explore, state_name
from sevenout.model.process import outcome_for_first
from sevenout.rolling import Rollable
from sevenout.rolling.distribution import group_by_key
from sevenout.rolling.throw import Faces, see
from sevenout.rules import ByTurns, Game, KeepRoll, Outcome, Pay
from sevenout.rules.keep_games import EntryReading
from sevenout.rules.outcome import Ask, Counts, added, unwrap
from sevenout.solving.goal import Goal
from sevenout.verify.counts import DataError

EVENT_SEPARATOR = "; "
MAX_THROWS = 1_000_000
"""The most throws tried to find one with a given reading."""
MAX_CACHED = 200_000
"""The most different events, and ends of lines, kept in memory."""

NodeSeat = tuple[int, int]
"""A node, and the seat of the player."""


class LoggedMove(NamedTuple):
    """One move: its node, and which of the moves there it is.

    Attributes:
        node: a state of the model, by number.
        branch: the index of the roll in its distribution, or of the option in its menu.
    """

    node: int
    branch: int


class RecordedGame(NamedTuple):
    """A game as recorded.

    Attributes:
        moves: from the start; none where only the end was asked for.
        outcome: the outcome's number; None if the record stops before the end.
        seat: of the player who ended it.
    """

    moves: tuple[LoggedMove, ...]
    outcome: int | None
    seat: int


class Book:
    """A game as tables of moves.

    The game is explored once. Records are read against the tables, and written from them; words of
    rolls are parsed once and then remembered.

    >>> from sevenout.catalogue import games
    >>> book = Book(games["craps"])
    >>> record = book.read("4 4; 3 2; 6 2")
    >>> book.outcome(record).label, book.record_text(record.moves)
    ('point', '2 6; 1 4; 2 6')

    Attributes:
        game: the game.
        model: its chain; the model of a game with choices.
        states: the states of the game, by node.
        menus: the names of the options at each node; none at a roll.
        rollable_index: as in `Model`.
        targets: the target of each move at each node: a node or, from `len(states)` on, an outcome.
        passes: for each node the branches that pass the turn.
        has_score: whether the game has a score in place of bets.
    """

    has_score = False

    def __init__(self, game: Game) -> None:
        self.game = game
        self.model = model = explore(game)
        self.states: Sequence[Hashable] = model.states
        self.rollable_index: Sequence[int] = model.rollable_index
        self.menus = [tuple(map(_clean, menu)) for menu in model.menus]
        moves = [slice(a, b) for a, b in pairwise(model.first_move)]
        self.targets: list[Sequence[int]] = [model.targets[part] for part in moves]
        self.passes = {
            s: {k for k, tag in enumerate(model.tag_index[part]) if model.passing[tag]}
            for s, part in enumerate(moves)
            if model.passes
        }
        afford(
            f"the moves of {len(self.targets):,} states", seconds=1e-6 * sum(map(len, self.targets))
        )
        self._branches: list[dict[str, int]] = [{} for _ in model.rollables]
        self._roll_readers: dict[int, RollReader] = {}

    @property
    def has_choices(self) -> bool:
        """Whether the game has decision states."""
        return not isinstance(self.model, Chain)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcomes, as settled."""
        return self.model.outcomes

    @cached_property
    def endings(self) -> tuple[Outcome, ...]:
        """The outcomes, as the first player sees them."""
        if not self.passes:
            return self.outcomes
        pairs = product(self.outcomes, (0, 1))
        return tuple(dict.fromkeys(outcome_for_first(outcome, seat) for outcome, seat in pairs))

    @property
    def bets(self) -> tuple[str, ...]:
        """The names of the bets."""
        return self.model.bets

    @cached_property
    def counters(self) -> tuple[str, ...]:
        """The names of the counters, without the number of rolls."""
        # names that are columns of another kind already
        taken = {"rolls", "outcome", "why", "vector", "game", *self.bets}
        return tuple(name for name in self.model.counters if name not in taken)

    def counter_totals(self, moves: Iterable[LoggedMove]) -> dict[str, Fraction]:
        """What each counter shows after these moves."""
        totals = dict.fromkeys(self.counters, Fraction(0))
        for node, branch in moves:
            tag = self.model.tag_index[self.model.first_move[node] + branch]
            for name, amount in self.model.tags[tag]:
                if name in totals:
                    totals[name] += amount
        return totals

    @cached_property
    def faces_by_roll(self) -> list[list[Faces]]:
        """The first faces that give each outcome of what is rolled."""
        return [_first_faces(rollable) for rollable in self.model.rollables]

    # --- writing --------------------------------------------------------------------------------

    def event(self, move: LoggedMove) -> str:
        """A move in words: the first faces that make it, or the option."""
        node, branch = move
        return self.menus[node][branch] if self.menus[node] else faces_text(self.faces(move))

    def record_text(self, moves: Iterable[LoggedMove]) -> str:
        """Moves in the form of a record."""
        return EVENT_SEPARATOR.join(map(self.event, moves))

    def faces(self, move: LoggedMove) -> Faces:
        """The first faces that make a roll."""
        return self.faces_by_roll[self.rollable_index[move.node]][move.branch]

    def outcome(self, record: RecordedGame) -> Outcome:
        """The end of a game, as the first player sees it.

        Raises:
            DataError: it did not end.
        """
        if record.outcome is None:
            raise DataError("the game is not over")
        return self.as_first_player(self.outcomes[record.outcome], record.seat)

    def as_first_player(self, outcome: Outcome, seat: int) -> Outcome:
        """An outcome that the player of a seat settled, with the profits of the first player."""
        return outcome_for_first(outcome, seat) if self.passes else outcome

    # --- reading --------------------------------------------------------------------------------

    def read(self, record: str) -> RecordedGame:
        """The game of a record.

        Raises:
            DataError: an impossible event, or one after the end; the message names it.
        """
        moves: list[LoggedMove] = []
        node, seat, n = 0, 0, len(self.targets)
        for number, event in enumerate(record.split(";") if record.strip() else (), 1):
            if node >= n:
                ended = self.outcomes[node - n].label
                raise DataError(
                    f"event {number} comes after the end of the game: {ended} after {number - 1}"
                )
            branch = self.branch(node, event, number)
            moves.append(LoggedMove(node, branch))
            seat ^= branch in self.passes.get(node, ())
            node = self.targets[node][branch]
        return RecordedGame(tuple(moves), node - n if node >= n else None, seat)

    def branch(self, node: int, event: str, number: int = 1) -> int:
        """The branch of a node that an event takes.

        Raises:
            DataError: it can't happen there; the message says what can.
        """
        branch = self.find(node, event)
        if branch is not None:
            return branch
        if menu := self.menus[node]:
            correction = f"it may be: {', '.join(menu[:8])}"
        else:
            example = faces_text(next(_throws(self.model.rollables[self.rollable_index[node]]))[0])
            correction = f"write the faces of the dice, such as {example!r}"
        state = printable(state_name(self.states[node]), 40)
        text = printable(event.strip(), 40) or "empty"
        raise DataError(f"event {number} is {text}, which can't be at {state}; {correction}")

    def find(self, node: int, event: str) -> int | None:
        """The branch of a node that an event takes; None if it can't happen there."""
        if menu := self.menus[node]:
            text = " ".join(event.split())
            return menu.index(text) if text in menu else None
        rolled = self.rollable_index[node]
        branches = self._branches[rolled]
        branch = branches.get(event)
        if branch is None:
            if rolled not in self._roll_readers:
                self._roll_readers[rolled] = RollReader(self.model.rollables[rolled])
            branch = self._roll_readers[rolled].outcome_index(faces_in(event))
            # a log may write one roll in any number of ways
            if branch is not None and len(branches) < MAX_CACHED:
                branches[event] = branch
        return branch

    @cached_property
    def first_roll_node(self) -> int:
        """The first node with a roll."""
        return next(s for s, rolled in enumerate(self.rollable_index) if rolled >= 0)

    def is_same(self, record: str, other: str) -> bool:
        """Whether two records are of the same moves, however they write them.

        Raises:
            DataError: an impossible event.
        """
        return self.read(record).moves == self.read(other).moves

    def is_roll(self, event: str) -> bool:
        """Whether an event is a roll at the first node with one."""
        try:
            self.branch(self.first_roll_node, event)
        except DataError:
            return False
        return True

    # --- shortest paths -------------------------------------------------------------------------

    def moves_from(self, node_seat: NodeSeat) -> Iterator[tuple[LoggedMove, NodeSeat]]:
        """The moves of a node, with their targets."""
        node, seat = node_seat
        passes = self.passes.get(node, ())
        for branch, target in enumerate(self.targets[node]):
            yield LoggedMove(node, branch), (target, seat ^ (branch in passes))

    @cached_property
    def last_moves(self) -> dict[NodeSeat, tuple[LoggedMove, NodeSeat] | None]:
        """The last move of a shortest path to each reachable node and outcome.

        By breadth first, in the order of the distribution or the menu.
        """
        start = (0, 0)
        last_moves: dict[NodeSeat, tuple[LoggedMove, NodeSeat] | None] = {start: None}
        queue, n = deque([start]), len(self.targets)
        while queue:
            node_seat = queue.popleft()
            for move, target in self.moves_from(node_seat):
                if target not in last_moves:
                    last_moves[target] = move, node_seat
                    if target[0] < n:
                        queue.append(target)
        return last_moves

    def shortest_path(self, node_seat: NodeSeat) -> tuple[LoggedMove, ...]:
        """The moves of a shortest path from the start."""
        moves = []
        while (last := self.last_moves[node_seat]) is not None:
            move, node_seat = last
            moves.append(move)
        return tuple(reversed(moves))

    @cached_property
    def ending_branches(self) -> list[int]:
        """For each node the branch that begins a shortest path to the end."""
        # breadth first from the ends, against the moves
        n = len(self.targets)
        distance = [-1] * n
        moves_into: list[list[LoggedMove]] = [[] for _ in range(n)]
        queue: deque[int] = deque()
        first_branch = [-1] * n
        for node, targets in enumerate(self.targets):
            for branch, target in enumerate(targets):
                if target < n:
                    moves_into[target].append(LoggedMove(node, branch))
                elif distance[node] < 0:
                    distance[node], first_branch[node] = 1, branch
                    queue.append(node)
        while queue:
            node = queue.popleft()
            for source, branch in moves_into[node]:
                if distance[source] < 0:
                    distance[source], first_branch[source] = distance[node] + 1, branch
                    queue.append(source)
        return first_branch

    def shortest_ending(self, node_seat: NodeSeat) -> tuple[tuple[LoggedMove, ...], NodeSeat]:
        """The moves of a shortest path to the end, and that end."""
        moves = []
        node, seat = node_seat
        while node < len(self.targets):
            move = LoggedMove(node, self.ending_branches[node])
            moves.append(move)
            seat ^= move.branch in self.passes.get(node, ())
            node = self.targets[node][move.branch]
        return tuple(moves), (node, seat)


def faces_text(faces: Any) -> str:
    """Faces in the form of a record: those of each die, with spaces between them.

    >>> faces_text((3, 4)), faces_text(("heads",)), faces_text(((2, 5),))
    ('3 4', 'heads', '2 5')
    """
    if isinstance(faces, tuple):
        return " ".join(map(faces_text, faces))
    return _clean(str(faces)).replace(" ", "_").replace(",", "_")


def faces_in(event: str) -> str:
    """A roll as recorded, with one space between the faces.

    >>> faces_in(" 3, 4 ")
    '3 4'
    """
    return " ".join(event.replace(",", " ").split())


def _clean(text: str) -> str:
    return " ".join(text.replace(";", ",").split())


def _throws(rollable: Rollable) -> Iterator[tuple[Faces, Any]]:
    """Throws in the order of the faces, the last die fastest, with their readings."""
    for faces in islice(product(*(source.faces for source in rollable.sources)), MAX_THROWS):
        yield faces, see(rollable, faces)


def _first_faces(rollable: Rollable) -> list[Faces]:
    """The first faces that give each outcome of a rollable."""
    index_by_outcome = {outcome: i for i, outcome in enumerate(rollable.law)}
    first_faces: dict[int, Faces] = {}
    for faces, outcome in _throws(rollable):
        if outcome in index_by_outcome:
            first_faces.setdefault(index_by_outcome[outcome], faces)
        if len(first_faces) == len(index_by_outcome):
            return [first_faces[i] for i in range(len(index_by_outcome))]
    raise RulesError(f"{MAX_THROWS:,} throws are too few to show every roll of {rollable}")


class RollReader:
    """The rolls of a rollable by their words in a record.

    Attributes:
        rollable: what is rolled.
        index_by_outcome: of each outcome in the distribution.
        faces: for each source, its faces by their words.
        readings: by the words of a reading, such as a total, the outcomes that it may mean.
    """

    def __init__(self, rollable: Rollable) -> None:
        self.rollable = rollable
        self.index_by_outcome = {outcome: i for i, outcome in enumerate(rollable.law)}
        self.faces = [{faces_text(face): face for face in s.faces} for s in rollable.sources]
        self.readings = group_by_key((faces_text(x), i) for x, i in self.index_by_outcome.items())

    def outcome_index(self, text: str) -> int | None:
        """The index of a roll in its distribution, from its words; None if it can't be."""
        words = text.split(" ") if len(self.faces) > 1 else [text]
        if len(words) == len(self.faces):
            faces = [by_text.get(word) for word, by_text in zip(words, self.faces, strict=True)]
            if None not in faces:
                return self.index_by_outcome[see(self.rollable, tuple(faces))]
        # a reading that two outcomes share says neither
        reading = self.readings.get(text, ())
        return reading[0] if len(reading) == 1 else None


Throw = tuple[Rollable, Any]
"""What was thrown, and its result."""


class TurnBook:
    """A game of turns, for reading its records.

    It has too many states to explore: each record is played through the rules, and the parts of
    turns that were read are remembered. In place of bets there is one score.

    >>> from sevenout.solving.goal import goal_of_turns
    >>> from sevenout.catalogue.dice_keeping import Yahtzee
    >>> class Chance(Yahtzee):
    ...     card = (frozenset({"chance"}), False)
    >>> book = TurnBook(Chance(), goal_of_turns(Chance()))
    >>> outcome, throws = book.replay("1 3 3 5 6; keep 3 3; 3 4 4; keep all; chance")
    >>> outcome.profit("score")
    Fraction(17, 1)

    Attributes:
        game: the game.
        goal: what is counted, and its value.
        bets: the counted quantity, by name.
        counters: none.
        endings: none are known beforehand.
    """

    has_score = has_choices = True
    counters: tuple[str, ...] = ()

    def __init__(self, game: ByTurns, goal: Goal) -> None:
        self.game, self.goal = game, goal
        self.bets = (goal.name.partition(" ")[2],)
        self.endings: tuple[Outcome, ...] = ()
        self._entries: dict[Any, Mapping[str, EntryReading]] = {}
        self._moves: dict[Any, tuple[Any, bool, Sequence[Throw]]] = {}

    def is_same(self, record: str, other: str) -> bool:
        """Whether two records have the same throws and the same score.

        Raises:
            DataError: an impossible event, or no end.
        """
        return self.replay(record) == self.replay(other)

    def is_roll(self, event: str) -> bool:
        """Always False: a game with decisions has no log of rolls alone."""
        return False

    def replay(self, record: str) -> tuple[Outcome, list[Throw]]:
        """The outcome of a record, and all throws in it.

        Raises:
            DataError: an impossible event, or no end; the message names it.
        """
        game, turn, all_throws = self.game, self.game.turn, list[Throw]()
        counts: Counts = ()
        state: Any = game.start
        deciding = bool(turn.choices(turn.start))
        # a colon may stand between a roll and the decision
        events = record.replace(":", ";").split(";") if record.strip() else []
        for number, event in enumerate(map(faces_in, events), 1):
            if isinstance(state, Outcome):
                raise DataError(f"event {number} comes after the end: {state.label}")
            card, total, inner = state
            try:
                if not isinstance(inner, Outcome):
                    next_position, deciding, throws = self._move(inner, deciding, event)
                    state = card, total, next_position
                    all_throws += throws
                # a record may repeat the dice before the entry
                elif event != faces_in(inner.label):
                    next_position, paid, _ = unwrap(self._enter(card, total, inner, event))
                    counts = added(counts, paid)
                    deciding = isinstance(next_position, Ask)
                    state = next_position.state if deciding else next_position
            except SevenoutError as error:
                text = printable(event, 40) or "empty"
                raise DataError(f"event {number} is {text}: {error}") from None
        if not isinstance(state, Outcome):
            raise DataError("the game is not over")
        value, totals = self.goal.value(state), dict(counts)
        value += sum(Fraction(totals.get(c, 0)) * n for c, n in self.goal.counters.items())
        score = self.bets[0], Pay(state.label, value, Fraction(1))
        return Outcome(state.label, (score,)), all_throws

    def _enter(self, card: Any, total: int, hand: Outcome, event: str) -> Any:
        """The position after a hand is entered."""
        if card not in self._entries:
            self._entries[card] = self.game.entries(card)
        entry = _option_named(self._entries[card], event)
        result = self._entries[card][entry](hand)
        if result is None:
            raise NotationError(f"{hand.label} may not be entered there")
        return self.game.after_entry(card, total, entry, result)

    def _move(self, inner: Any, deciding: bool, event: str) -> tuple[Any, bool, Sequence[Throw]]:
        """The next position in the turn, whether the player decides there, and the throws."""
        key = inner, deciding, event
        if key not in self._moves:
            if len(self._moves) > MAX_CACHED:
                self._moves.clear()
            self._moves[key] = (self._decide if deciding else self._roll)(inner, event)
        return self._moves[key]

    def _roll(self, inner: Any, event: str) -> tuple[Any, bool, Sequence[Throw]]:
        """As `_move`, for a roll of one die or several."""
        throws, deciding = list[Throw](), False
        for result in self._throws_in(inner, event.split()):
            throws.append((cast(Rollable, self.game.turn.rolls(inner)), result))
            inner, deciding = self._advance(self.game.turn.step(inner, result))
        return inner, deciding, throws

    def _decide(self, inner: Any, event: str) -> tuple[Any, bool, Sequence[Throw]]:
        """As `_move`, for a decision: an option, or a plan of several."""
        turn, deciding = self.game.turn, True
        options: Sequence[str] = [event]
        if isinstance(turn, KeepRoll):
            # all dice after the roll, repeated
            if event == faces_text(inner[1]):
                return inner, True, ()
            # a plan is several decisions in the rules
            if event.startswith("keep "):
                options = turn.keep(inner, event.removeprefix("keep "))[1]
        for option in options:
            menu = turn.choices(inner)
            inner, deciding = self._advance(menu[_option_named(menu, option)], decided_in=inner)
        return inner, deciding, ()

    def _advance(self, then: Any, decided_in: Any = None) -> tuple[Any, bool]:
        """The next position, and whether the player decides there."""
        then = unwrap(then)[0]
        if isinstance(then, Ask):
            return then.state, True
        # an option that leads to its own state is to roll
        if isinstance(then, Outcome) or then == decided_in:
            return then, False
        return then, bool(self.game.turn.choices(then))

    def _throws_in(self, inner: Any, texts: list[str]) -> Iterator[Any]:
        """The throws, one roll at a time, also if the record gives all dice after the roll."""
        turn = self.game.turn
        if not isinstance(turn, KeepRoll):
            rollable = cast(Rollable, turn.rolls(inner))
            index = _roll_reader(rollable).outcome_index(" ".join(texts))
            if index is None:
                raise NotationError("write the faces of the dice")
            yield list(rollable.law)[index]
            return
        held, faces = inner[1], {faces_text(face): face for face in turn.die.faces}
        if len(texts) == turn.count:
            for face in map(faces_text, held):
                if face not in texts:
                    raise NotationError(f"{face} was kept but was not rolled")
                texts.remove(face)
        count = turn.count - len(held)
        if len(texts) != count or not all(text in faces for text in texts):
            raise NotationError(f"write the faces of the {count} dice that are rolled")
        yield from map(faces.__getitem__, texts)


def _option_named(menu: Mapping[str, Any], event: str) -> str:
    """The option of an event, ignoring spaces."""
    for option in menu:
        if faces_in(option) == event:
            return option
    raise NotationError(f"the options are: {', '.join(menu)[:200]}")


_roll_reader = lru_cache(maxsize=64)(RollReader)
