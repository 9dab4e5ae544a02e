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
from sevenout.rolling.throw import Faces, see
from sevenout.rules import ByTurns, Game, KeepRoll, Outcome, Pay
from sevenout.rules.keep_games import Reading
from sevenout.rules.outcome import Ask, Counts, added, unwrap
from sevenout.solving.goal import Goal
from sevenout.verify.counts import DataError

APART = "; "
MOST_FACES = 1_000_000
"""The most throws tried to find one with a given reading."""
KNOWN = 200_000
"""The most different events, and ends of lines, kept in memory."""

NodeSeat = tuple[int, int]
"""A node, and the seat of the player."""


class LoggedMove(NamedTuple):
    """One move: its node, and its place among the moves there.

    Attributes:
        node: a state of the model, by number.
        place: of the roll in its distribution, or of the option in its menu.
    """

    node: int
    place: int


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
    >>> book.outcome(record).label, book.written(record.moves)
    ('point', '2 6; 1 4; 2 6')

    Attributes:
        game: the game.
        body: its chain; the model of a game with choices.
        states: the states of the game, by node.
        menus: the names of the options at each node; none at a roll.
        rolled: the number of what is rolled at each node.
        to: the target of each move at each node: a node or, from `len(states)` on, an outcome.
        passes: for each node the places of the moves that pass the turn.
        counts: whether the game has a score in place of bets.
    """

    counts = False

    def __init__(self, game: Game) -> None:
        self.game = game
        self.body = body = explore(game)
        self.states: Sequence[Hashable] = body.states
        self.rolled: Sequence[int] = body.rolled
        self.menus = [tuple(map(_clean, menu)) for menu in body.menus]
        moves = [slice(a, b) for a, b in pairwise(body.first)]
        self.to: list[Sequence[int]] = [body.targets[part] for part in moves]
        self.passes = {
            s: {k for k, tag in enumerate(body.tagged[part]) if body.passing[tag]}
            for s, part in enumerate(moves)
            if body.passes
        }
        afford(f"the moves of {len(self.to):,} states", seconds=1e-6 * sum(map(len, self.to)))
        self._places: list[dict[str, int]] = [{} for _ in body.rollables]
        self._words: dict[int, RollWords] = {}

    @property
    def asks(self) -> bool:
        """Whether the game has decision states."""
        return not isinstance(self.body, Chain)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcomes, as settled."""
        return self.body.outcomes

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
        return self.body.bets

    @cached_property
    def counters(self) -> tuple[str, ...]:
        """The names of the counters, without the number of rolls."""
        # names that are columns of another kind already
        taken = {"rolls", "outcome", "why", "vector", "game", *self.bets}
        return tuple(name for name in self.body.counters if name not in taken)

    def counted(self, moves: Iterable[LoggedMove]) -> dict[str, Fraction]:
        """What each counter shows after these moves."""
        totals = dict.fromkeys(self.counters, Fraction(0))
        for node, place in moves:
            for name, amount in self.body.tags[self.body.tagged[self.body.first[node] + place]]:
                if name in totals:
                    totals[name] += amount
        return totals

    @cached_property
    def shown(self) -> list[list[Faces]]:
        """The first faces that give each outcome of what is rolled."""
        return [_faces_of(rollable) for rollable in self.body.rollables]

    # --- writing --------------------------------------------------------------------------------

    def event(self, move: LoggedMove) -> str:
        """A move in words: the first faces that make it, or the option."""
        node, place = move
        return self.menus[node][place] if self.menus[node] else faces_text(self.faces(move))

    def written(self, moves: Iterable[LoggedMove]) -> str:
        """Moves in the form of a record."""
        return APART.join(map(self.event, moves))

    def faces(self, move: LoggedMove) -> Faces:
        """The first faces that make a roll."""
        return self.shown[self.rolled[move.node]][move.place]

    def outcome(self, record: RecordedGame) -> Outcome:
        """The end of a game, as the first player sees it.

        Raises:
            DataError: it did not end.
        """
        if record.outcome is None:
            raise DataError("the game is not over")
        return self.seen(self.outcomes[record.outcome], record.seat)

    def seen(self, outcome: Outcome, seat: int) -> Outcome:
        """An outcome settled by the player of a seat, as the first player sees it."""
        return outcome_for_first(outcome, seat) if self.passes else outcome

    # --- reading --------------------------------------------------------------------------------

    def read(self, line: str) -> RecordedGame:
        """The game of a record.

        Raises:
            DataError: an impossible event, or one after the end; the message names it.
        """
        moves: list[LoggedMove] = []
        node, seat, n = 0, 0, len(self.to)
        for number, event in enumerate(line.split(";") if line.strip() else (), 1):
            if node >= n:
                ended = self.outcomes[node - n].label
                raise DataError(
                    f"event {number} comes after the end of the game: {ended} after {number - 1}"
                )
            place = self.place(node, event, number)
            moves.append(LoggedMove(node, place))
            seat ^= place in self.passes.get(node, ())
            node = self.to[node][place]
        return RecordedGame(tuple(moves), node - n if node >= n else None, seat)

    def place(self, node: int, event: str, number: int = 1) -> int:
        """The place of an event among the moves of a node.

        Raises:
            DataError: it can't happen there.
        """
        place = self.find(node, event)
        if place is not None:
            return place
        if menu := self.menus[node]:
            correction = f"it may be: {', '.join(menu[:8])}"
        else:
            such = faces_text(next(_throws(self.body.rollables[self.rolled[node]]))[0])
            correction = f"write the faces of the dice, such as {such!r}"
        state = printable(state_name(self.states[node]), 40)
        text = printable(event.strip(), 40) or "empty"
        raise DataError(f"event {number} is {text}, which can't be at {state}; {correction}")

    def find(self, node: int, event: str) -> int | None:
        """The place of an event among the moves of a node; None if it can't happen there."""
        if menu := self.menus[node]:
            words = " ".join(event.split())
            return menu.index(words) if words in menu else None
        rolled = self.rolled[node]
        places = self._places[rolled]
        place = places.get(event)
        if place is None:
            if rolled not in self._words:
                self._words[rolled] = RollWords(self.body.rollables[rolled])
            place = self._words[rolled].place(faces_in(event))
            # a log may write one roll in any number of ways
            if place is not None and len(places) < MOST_FACES:
                places[event] = place
        return place

    @cached_property
    def first(self) -> int:
        """The first node with a roll."""
        return next(s for s, rolled in enumerate(self.rolled) if rolled >= 0)

    def is_same(self, line: str, other: str) -> bool:
        """Whether two records are of the same moves, however they write them.

        Raises:
            DataError: an impossible event.
        """
        return self.read(line).moves == self.read(other).moves

    def rolls(self, event: str) -> bool:
        """Whether an event is a roll at the first node with one."""
        try:
            self.place(self.first, event)
        except DataError:
            return False
        return True

    # --- shortest paths -------------------------------------------------------------------------

    def around(self, position: NodeSeat) -> Iterator[tuple[LoggedMove, NodeSeat]]:
        """The moves of a node, with their targets."""
        node, seat = position
        turns = self.passes.get(node, ())
        for place, to in enumerate(self.to[node]):
            yield LoggedMove(node, place), (to, seat ^ (place in turns))

    @cached_property
    def last_moves(self) -> dict[NodeSeat, tuple[LoggedMove, NodeSeat] | None]:
        """The last move of a shortest path to each reachable node and outcome.

        By breadth first, in the order of the distribution or the menu.
        """
        start = (0, 0)
        last_moves: dict[NodeSeat, tuple[LoggedMove, NodeSeat] | None] = {start: None}
        queue, n = deque([start]), len(self.to)
        while queue:
            position = queue.popleft()
            for move, then in self.around(position):
                if then not in last_moves:
                    last_moves[then] = move, position
                    if then[0] < n:
                        queue.append(then)
        return last_moves

    def path(self, position: NodeSeat) -> tuple[LoggedMove, ...]:
        """The moves of a shortest path from the start."""
        moves = []
        while (last := self.last_moves[position]) is not None:
            move, position = last
            moves.append(move)
        return tuple(reversed(moves))

    @cached_property
    def ends(self) -> list[int]:
        """For each node the place of the first move on a shortest path to the end."""
        # breadth first from the ends, against the moves
        n = len(self.to)
        far = [-1] * n
        into: list[list[LoggedMove]] = [[] for _ in range(n)]
        queue: deque[int] = deque()
        first = [-1] * n
        for node, targets in enumerate(self.to):
            for place, to in enumerate(targets):
                if to < n:
                    into[to].append(LoggedMove(node, place))
                elif far[node] < 0:
                    far[node], first[node] = 1, place
                    queue.append(node)
        while queue:
            node = queue.popleft()
            for before, place in into[node]:
                if far[before] < 0:
                    far[before], first[before] = far[node] + 1, place
                    queue.append(before)
        return first

    def finish(self, position: NodeSeat) -> tuple[tuple[LoggedMove, ...], NodeSeat]:
        """The moves of a shortest path to the end, and that end."""
        moves = []
        node, seat = position
        while node < len(self.to):
            move = LoggedMove(node, self.ends[node])
            moves.append(move)
            seat ^= move.place in self.passes.get(node, ())
            node = self.to[node][move.place]
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
    for faces in islice(product(*(source.faces for source in rollable.sources)), MOST_FACES):
        yield faces, see(rollable, faces)


def _faces_of(rollable: Rollable) -> list[Faces]:
    """The first faces that give each outcome of a rollable."""
    place = {outcome: i for i, outcome in enumerate(rollable.law)}
    first: dict[int, Faces] = {}
    for faces, seen in _throws(rollable):
        if seen in place:
            first.setdefault(place[seen], faces)
        if len(first) == len(place):
            return [first[i] for i in range(len(place))]
    raise RulesError(f"{MOST_FACES:,} throws are too few to show every roll of {rollable}")


class RollWords:
    """The rolls of a rollable by their words in a record.

    Attributes:
        rollable: what is rolled.
        places: of each outcome in the distribution.
        faces: for each source, its faces by their words.
        readings: by the words of a reading, such as a total, the places that it may mean.
    """

    def __init__(self, rollable: Rollable) -> None:
        self.rollable = rollable
        self.places = {outcome: i for i, outcome in enumerate(rollable.law)}
        self.faces = [{faces_text(face): face for face in s.faces} for s in rollable.sources]
        self.readings: dict[str, list[int]] = {}
        for outcome, i in self.places.items():
            self.readings.setdefault(faces_text(outcome), []).append(i)

    def place(self, words: str) -> int | None:
        """The place of a roll in its distribution, from its words; None if it can't be."""
        parts = words.split(" ") if len(self.faces) > 1 else [words]
        if len(parts) == len(self.faces):
            faces = [named.get(part) for part, named in zip(parts, self.faces, strict=True)]
            if None not in faces:
                return self.places[see(self.rollable, tuple(faces))]
        # a reading that two outcomes share says neither
        reading = self.readings.get(words, ())
        return reading[0] if len(reading) == 1 else None


Thrown = tuple[Rollable, Any]
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
    >>> outcome, throws = book.played("1 3 3 5 6; keep 3 3; 3 4 4; keep all; chance")
    >>> outcome.profit("score")
    Fraction(17, 1)

    Attributes:
        game: the game.
        goal: what is counted, and its value.
        bets: the counted quantity, by name.
        counters: none.
        endings: none are known beforehand.
    """

    counts = asks = True
    counters: tuple[str, ...] = ()

    def __init__(self, game: ByTurns, goal: Goal) -> None:
        self.game, self.goal = game, goal
        self.bets = (goal.name.partition(" ")[2],)
        self.endings: tuple[Outcome, ...] = ()
        self._entries: dict[Any, Mapping[str, Reading]] = {}
        self._moves: dict[Any, tuple[Any, bool, Sequence[Thrown]]] = {}

    def is_same(self, line: str, other: str) -> bool:
        """Whether two records have the same throws and the same score.

        Raises:
            DataError: an impossible event, or no end.
        """
        return self.played(line) == self.played(other)

    def rolls(self, event: str) -> bool:
        """Always False: a game with decisions has no log of rolls alone."""
        return False

    def played(self, line: str) -> tuple[Outcome, list[Thrown]]:
        """The outcome of a record, and all throws in it.

        Raises:
            DataError: an impossible event, or no end; the message names it.
        """
        game, turn, thrown = self.game, self.game.turn, list[Thrown]()
        counts: Counts = ()
        state: Any = game.start
        deciding = bool(turn.choices(turn.start))
        # a colon may stand between a roll and the decision
        events = line.replace(":", ";").split(";") if line.strip() else []
        for number, event in enumerate(map(faces_in, events), 1):
            if isinstance(state, Outcome):
                raise DataError(f"event {number} comes after the end: {state.label}")
            card, total, inner = state
            try:
                if not isinstance(inner, Outcome):
                    then, deciding, more = self._move(inner, deciding, event)
                    state = card, total, then
                    thrown += more
                # a record may repeat the dice before the entry
                elif event != faces_in(inner.label):
                    then, paid, _ = unwrap(self._entered(card, total, inner, event))
                    counts = added(counts, paid)
                    state, deciding = (then.state, True) if isinstance(then, Ask) else (then, False)
            except SevenoutError as error:
                text = printable(event, 40) or "empty"
                raise DataError(f"event {number} is {text}: {error}") from None
        if not isinstance(state, Outcome):
            raise DataError("the game is not over")
        shown, weights = dict(counts), self.goal.counters
        value = self.goal.value(state)
        value += sum(Fraction(shown.get(name, 0)) * weight for name, weight in weights.items())
        return Outcome(state.label, ((self.bets[0], Pay(state.label, value, Fraction(1))),)), thrown

    def _entered(self, card: Any, total: int, hand: Outcome, event: str) -> Any:
        """The position after a hand is entered."""
        if card not in self._entries:
            self._entries[card] = self.game.entries(card)
        entry = _named(self._entries[card], event)
        seen = self._entries[card][entry](hand)
        if seen is None:
            raise NotationError(f"{hand.label} may not be entered there")
        return self.game.after_entry(card, total, entry, seen)

    def _move(self, inner: Any, deciding: bool, event: str) -> tuple[Any, bool, Sequence[Thrown]]:
        """The next position in the turn, whether the player decides there, and the throws."""
        key = inner, deciding, event
        if key not in self._moves:
            if len(self._moves) > KNOWN:
                self._moves.clear()
            self._moves[key] = (self._decided if deciding else self._rolled)(inner, event)
        return self._moves[key]

    def _rolled(self, inner: Any, event: str) -> tuple[Any, bool, Sequence[Thrown]]:
        thrown, deciding = list[Thrown](), False
        for seen in self._thrown(inner, event.split()):
            thrown.append((cast(Rollable, self.game.turn.rolls(inner)), seen))
            inner, deciding = self._on(self.game.turn.step(inner, seen))
        return inner, deciding, thrown

    def _decided(self, inner: Any, event: str) -> tuple[Any, bool, Sequence[Thrown]]:
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
            inner, deciding = self._on(menu[_named(menu, option)], decided_in=inner)
        return inner, deciding, ()

    def _on(self, then: Any, decided_in: Any = None) -> tuple[Any, bool]:
        """The next position, and whether the player decides there."""
        then = unwrap(then)[0]
        if isinstance(then, Ask):
            return then.state, True
        # an option that leads to its own state is to roll
        if isinstance(then, Outcome) or then == decided_in:
            return then, False
        return then, bool(self.game.turn.choices(then))

    def _thrown(self, inner: Any, words: list[str]) -> Iterator[Any]:
        """The throws, one roll at a time, also if the record gives all dice after the roll."""
        turn = self.game.turn
        if not isinstance(turn, KeepRoll):
            rollable = cast(Rollable, turn.rolls(inner))
            place = _words(rollable).place(" ".join(words))
            if place is None:
                raise NotationError("write the faces of the dice")
            yield list(rollable.law)[place]
            return
        held, faces = inner[1], {faces_text(face): face for face in turn.die.faces}
        if len(words) == turn.count:
            for face in map(faces_text, held):
                if face not in words:
                    raise NotationError(f"{face} was kept but was not rolled")
                words.remove(face)
        if len(words) != turn.count - len(held) or not all(word in faces for word in words):
            many = turn.count - len(held)
            raise NotationError(f"write the faces of the {many} dice that are rolled")
        yield from map(faces.__getitem__, words)


def _named(menu: Mapping[str, Any], event: str) -> str:
    """The option of an event, ignoring spaces."""
    for option in menu:
        if faces_in(option) == event:
            return option
    raise NotationError(f"the options are: {', '.join(menu)[:200]}")


_words = lru_cache(maxsize=64)(RollWords)
