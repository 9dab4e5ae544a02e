"""States that a text describes, as printed or in Python syntax.

There are three readers. `chain_at` is for a chain, `decision_at` for a game with choices, and
`turn_of` for a game of turns. The text of a turn has the boxes of a score card, the dice and the
rolls that are left.
"""

import re
from ast import literal_eval
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from sevenout.errors import NotationError, shown
from sevenout.model import Chain, Model, state_name
from sevenout.model.naming import in_words
from sevenout.numerals import exact
from sevenout.questions.arguments import ArgumentError
from sevenout.rules import ByTurns, Hand, KeepRoll, Outcome

if TYPE_CHECKING:
    from sevenout.solving.goal import Goal


def states_meant(text: str, states: Collection[Any], names: Sequence[str] = ()) -> list[Any]:
    """The states that a text may describe; only one if it is written in full.

    >>> states_meant("point 4", [None, 4, 5], ("point",)), states_meant("(4, 2)", [(4, 2), (2, 4)])
    ([4], [(4, 2)])

    `names` are those of the parts of a state, if the rules give any.
    """
    try:
        value = literal_eval(text.strip())
        if value in states:
            return [value]
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        pass
    # As printed beats the parts: "4, 2" is not "2, 4".
    for printed in (state_name, lambda state: in_words(state, names)):
        for state in states:
            if printed(state) == text.strip():
                return [state]
    parts = _words(text, names)
    return [state for state in states if _words(state_name(state), names) == parts]


def _words(text: str, names: Sequence[str]) -> list[str]:
    """The words and numbers of a text, without the names of coordinates."""
    # The longest first, as one name may be a part of another.
    for name in sorted(filter(None, names), key=len, reverse=True):
        text = re.sub(rf"\b{re.escape(name)}\b", " ", text)
    return re.findall(r"\w+", text)


def chain_at(chain: Chain, at: Any, argument: str = "at") -> tuple[Chain, str]:
    """The chain from a state on, and the state in words; by default, from the start.

    >>> from sevenout.model import explore
    >>> from sevenout.rules import PointGame
    >>> craps = explore(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7))
    >>> chain_at(craps, "4")
    (<Chain of 1 states and 2 outcomes>, '4')

    Raises:
        ArgumentError: the state is unreachable, or the text is ambiguous; it names `argument`.
    """
    if at is None:
        return chain, ""
    names = chain.coordinates
    # a player says that the point is 6 where the state is 6 alone
    if isinstance(at, str) and not names:
        at = at.removeprefix("point ")
    wrong = "; the game is never in that state; its states"
    state = _the_state(at, dict.fromkeys(chain.states), names, wrong, argument)
    return chain.started_at(state), in_words(state, names)


def decision_at(model: Model, text: Any, against: Any = None) -> Any:
    """The decision state that a text describes, as printed or in Python syntax.

    Raises:
        ArgumentError: it is not a decision state, or it is unreachable against that policy.
    """
    decisions = model.node_by_key
    if not decisions:
        raise ArgumentError(
            "at", f"{shown(text)} is not a decision state; this game has no choices"
        )
    wrong = " is not a decision state; the decision states include"
    if against is not None:
        wrong = (
            " is not a reachable decision state against that policy; leave against= out, or give "
            "one such as"
        )
    # With hidden dice a state is what a player sees, which has parts of its own.
    names = () if model.views else model.coordinates
    return _the_state(text, decisions, names, wrong, hidden=bool(model.views))


def _the_state(
    text: Any,
    states: Collection[Any],
    names: Sequence[str],
    wrong: str,
    argument: str = "at",
    *,
    hidden: bool = False,
) -> Any:
    """The state that a text describes; `wrong` says what it is if it describes none."""
    try:
        if text in states:
            return text
    except TypeError:  # an unhashable value is not a state
        pass
    matches = states_meant(str(text), states, names)
    if hidden and not matches:  # as in a table, below the player's name
        pairs = [state for state in states if isinstance(state, tuple)]
        matches = [pair for pair in pairs if state_name(pair[1]) == str(text).strip()]
    # Several fits are listed: guessing would answer another question.
    if len(matches) == 1:
        return matches[0]
    some = "; ".join(in_words(state, names) for state in matches[:6] or list(states)[:6])
    if matches:
        raise ArgumentError(argument, f"{shown(text)} fits several states: {some}")
    more = "; ..." if len(states) > 6 else ""
    raise ArgumentError(argument, f"{shown(text)}{wrong}: {some}{more}")


TAKEN = re.compile(r"(?P<entry>.*?[^\W\d].*?)(?:\s+(?P<paid>-?\d+(?:/\d+)?))?")
LEFT = re.compile(r"(?P<left>\d)(?:\s+rolls?)?(?:\s+left)?")
FORM = "say the boxes that are taken, the dice, the rolls left: sixes 18, chance 22; 1 3 3 5 6; 2"

Card = tuple[Any, int]
"""A score card and its tally."""


class _Turns(NamedTuple):
    """What is known about a game of turns before a text is read.

    Attributes:
        game: the game of turns.
        goal: its objective, whose counters say what a box paid.
        decisions: the decision states of one turn.
        endings: the outcomes of one turn, from which a box is filled.
    """

    game: ByTurns
    goal: "Goal"
    decisions: tuple[Any, ...]
    endings: tuple[Outcome, ...]


def turn_of(game: ByTurns, goal: "Goal", text: str) -> tuple[Any, int, Any]:
    """The score card, tally and state of the turn that a text describes; None without dice.

    Semicolons separate the parts: the boxes taken, each with its score; the tally, "upper 45",
    unless it follows; the dice; the rolls left, by default all but the first.
    """
    from sevenout.model import explore

    turn = explore(game.turn)
    turns = _Turns(game, goal, tuple(turn.node_by_key), turn.outcomes)
    taken: list[tuple[str, Fraction | None]] = []
    tally = inner = left = None
    for part in filter(None, map(str.strip, text.split(";"))):
        name, _, number = part.rpartition(" ")
        if game.tally and name == game.tally[0] and number.isdecimal():
            _once(tally, part)
            tally = int(exact(number))
        elif inner is not None and (match := LEFT.fullmatch(part)):
            _once(left, part)
            left = int(match["left"])
        elif (state := _turn(turns, part)) is not None:
            _once(inner, part)
            inner = state
        else:
            taken += map(_taken, part.split(","))
    card, total = _card(turns, taken, tally)
    if left is not None:
        inner = _later(game, inner, left)
    return card, total, inner


def _once(earlier: Any, part: str) -> None:
    if earlier is not None:
        raise NotationError(f"{shown(part)} is given twice; {FORM}")


def _turn(turns: _Turns, text: str) -> Any:
    """The state of the turn, if the text is one: dice after the first roll, or as printed."""
    turn = turns.game.turn
    if not isinstance(turn, KeepRoll):
        return next((s for s in (*turns.decisions, *turns.endings) if state_name(s) == text), None)
    faces: dict[str, Any] = {str(face): face for face in turn.die.faces}
    words = text.replace(",", " ").split()
    # Players write a roll without spaces.
    if len(words) == 1 and len(text) == turn.count and all(c in faces for c in text):
        words = list(text)  # 13356
    if not all(re.fullmatch(r"-?\d+", word) for word in words):
        return None
    if len(words) != turn.count or not all(word in faces for word in words):
        raise NotationError(f"{shown(text)} is not a roll of {turn.count} dice; {FORM}")
    dice = tuple(sorted([faces[word] for word in words]))
    return _held(turn, dice, turn.rolls_allowed - 1)


def _later(game: ByTurns, inner: Any, left: int) -> Any:
    """The same dice with this many rolls left."""
    if not isinstance(game.turn, KeepRoll) or not 0 <= left < game.turn.rolls_allowed:
        raise NotationError(f"{left} rolls left are too many; {FORM}")
    return _held(game.turn, inner.faces if isinstance(inner, Hand) else inner[1], left)


def _held(turn: KeepRoll, dice: Any, left: int) -> Any:
    return ("shown", dice, left) if left else Hand.of(dice)


def _taken(text: str) -> tuple[str, Fraction | None]:
    match = TAKEN.fullmatch(text.strip())
    if not match:
        raise NotationError(f"{shown(text)} is not a filled box; {FORM}")
    return match["entry"], None if match["paid"] is None else exact(match["paid"])


def _card(turns: _Turns, taken: list[tuple[str, Fraction | None]], tally: int | None) -> Card:
    """The card with those boxes taken; extra pay, such as a bonus, is not part of the text.

    A box that can't have paid this much after the others was taken before them.
    """
    game = turns.game
    order, moved = list(taken), 0
    while True:
        cards: set[Card] = {(game.card, 0)}
        for i, (entry, paid) in enumerate(order):
            # The text may list boxes in any order, but a bonus depends on it.
            after = set(_entered(turns, cards, entry, paid))
            if not after:
                if moved == len(taken) or not i:
                    boxes = ", ".join(game.entries(game.card))
                    box = entry if paid is None else f"{entry} {paid}"
                    raise NotationError(f"no box {shown(box)}; the boxes are: {boxes}")
                order.insert(0, order.pop(i))
                moved += 1
                break
            cards = after
        else:
            break
    fits = {(card, total) for card, total in cards if tally in (None, total)}
    if len(fits) != 1:
        name = game.tally[0] if game.tally else "tally"
        raise NotationError(
            f"{name} {tally}: the filled boxes don't add up to it"
            if not fits
            else f"say what each box scored, such as sixes 18, or the tally, such as {name} 45"
        )
    return fits.pop()


def _entered(
    turns: _Turns, cards: Iterable[Card], entry: str, paid: Fraction | None
) -> Iterable[Card]:
    game = turns.game
    for card, total in cards:
        entries = game.entries(card)
        if not (name := _named(entry, tuple(entries))):
            continue
        results = set()
        for ending in turns.endings:
            result = entries[name](ending)
            if result is None or result in results:
                continue
            results.add(result)
            then, advance = game.entered(card, name, result)
            if paid is None or paid in [advance.get(name, 0) for name in turns.goal.counters]:
                tally, cap = game.tally or ("", 0)
                yield then, min(cap, total + advance.get(tally, 0))


def _named(entry: str, names: tuple[str, ...]) -> str | None:
    try:
        return meant(entry, names)
    except NotationError:
        return None


def meant(line: str, options: tuple[str, ...]) -> str:
    """The option that a line names, by its name, a prefix, or its number.

    >>> meant("h", ("roll", "hold")), meant("1", ("roll", "hold"))
    ('hold', 'roll')
    """
    if line in options:
        return line
    line = next((option for option in options if option.lower() == line.lower()), line)
    if line in options:
        return line
    # Nine digits at most: Python refuses to read thousands of them.
    if line.isdecimal() and 1 <= int(line[:9]) <= len(options):
        return options[int(line[:9]) - 1]
    matches = [option for option in options if line and option.startswith(line)]
    if len(matches) != 1:
        some = ", ".join(options[:20]) + (", ..." if len(options) > 20 else "")
        raise NotationError(f"{line[:30]!r} is not an option here; give one of: {some}")
    return matches[0]
