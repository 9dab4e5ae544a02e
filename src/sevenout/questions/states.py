"""States that a text describes, as printed or in Python syntax.

There are three readers. `chain_at` is for a chain, `decision_at` for a game with choices, and
`parse_turn` for a game of turns. The text of a turn has the boxes of a score card, the dice and the
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


def matching_states(text: str, states: Collection[Any], names: Sequence[str] = ()) -> list[Any]:
    """The states that a text may describe; only one if it is written in full.

    >>> matching_states("point 4", [None, 4, 5], ("point",))
    [4]
    >>> matching_states("(4, 2)", [(4, 2), (2, 4)])
    [(4, 2)]

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
    words = _distinctive_words(text, names)
    return [state for state in states if _distinctive_words(state_name(state), names) == words]


def _distinctive_words(text: str, names: Sequence[str]) -> list[str]:
    """The words and numbers of a text, without the names of coordinates."""
    # The longest first, as one name may be a part of another.
    for name in sorted(filter(None, names), key=len, reverse=True):
        text = re.sub(rf"\b{re.escape(name)}\b", " ", text)
    return re.findall(r"\w+", text)


def chain_at(chain: Chain, state_text: Any) -> tuple[Chain, str]:
    """The chain from a state on, and the state in words; by default, from the start.

    >>> from sevenout.model import explore
    >>> from sevenout.rules import PointGame
    >>> craps = explore(PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7))
    >>> chain_at(craps, "4")
    (<Chain of 1 states and 2 outcomes>, '4')

    Raises:
        ArgumentError: the state is unreachable, or the text is ambiguous.
    """
    if state_text is None:
        return chain, ""
    names = chain.coordinates
    # a player says that the point is 6 where the state is 6 alone
    if isinstance(state_text, str) and not names:
        state_text = state_text.removeprefix("point ")
    complaint = "; the game is never in that state; its states"
    state = _only_match(state_text, dict.fromkeys(chain.states), names, complaint)
    return chain.started_at(state), in_words(state, names)


def decision_at(model: Model, state_text: Any, against: Any = None) -> Any:
    """The decision state that a text describes, as printed or in Python syntax.

    Raises:
        ArgumentError: it is not a decision state, or it is unreachable against that policy.
    """
    decisions = model.node_by_key
    if not decisions:
        raise ArgumentError(
            "at", f"{shown(state_text)} is not a decision state; this game has no choices"
        )
    complaint = " is not a decision state; the decision states include"
    if against is not None:
        complaint = (
            " is not a reachable decision state against that policy; leave against= out, or give "
            "one such as"
        )
    # With hidden dice a state is what a player sees, which has parts of its own.
    names = () if model.views else model.coordinates
    return _only_match(state_text, decisions, names, complaint, has_hidden_dice=bool(model.views))


def _only_match(
    state_text: Any,
    states: Collection[Any],
    names: Sequence[str],
    complaint: str,
    *,
    has_hidden_dice: bool = False,
) -> Any:
    """The state that a text describes.

    Args:
        state_text: the text, or a state as it is.
        states: those that it may describe.
        names: of the parts of a state, if the rules give any.
        complaint: what is wrong if it describes none; some of the states follow.
        has_hidden_dice: whether a state is a pair of a player and what the player sees.
    """
    try:
        if state_text in states:
            return state_text
    except TypeError:  # an unhashable value is not a state
        pass
    matches = matching_states(str(state_text), states, names)
    if has_hidden_dice and not matches:  # as in a table, below the player's name
        pairs = [state for state in states if isinstance(state, tuple)]
        matches = [pair for pair in pairs if state_name(pair[1]) == str(state_text).strip()]
    # Several fits are listed: guessing would answer another question.
    if len(matches) == 1:
        return matches[0]
    some = "; ".join(in_words(state, names) for state in matches[:6] or list(states)[:6])
    if matches:
        raise ArgumentError("at", f"{shown(state_text)} fits several states: {some}")
    more = "; ..." if len(states) > 6 else ""
    raise ArgumentError("at", f"{shown(state_text)}{complaint}: {some}{more}")


FILLED_BOX = re.compile(r"(?P<entry>.*?[^\W\d].*?)(?:\s+(?P<paid>-?\d+(?:/\d+)?))?")
ROLLS_LEFT = re.compile(r"(?P<left>\d)(?:\s+rolls?)?(?:\s+left)?")
EXPECTED = (
    "say the boxes that are taken, the dice, the rolls left: sixes 18, chance 22; 1 3 3 5 6; 2"
)

Card = tuple[Any, int]
"""A score card and its tally."""


class _TurnGame(NamedTuple):
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


def parse_turn(game: ByTurns, goal: "Goal", text: str) -> tuple[Any, int, Any]:
    """The score card, tally and state of the turn that a text describes; None without dice.

    Semicolons separate the parts: the boxes taken, each with its score; the tally, "upper 45",
    unless it follows; the dice; the rolls left, by default all but the first.
    """
    from sevenout.model import explore

    turn = explore(game.turn)
    turns = _TurnGame(game, goal, tuple(turn.node_by_key), turn.outcomes)
    boxes: list[tuple[str, Fraction | None]] = []
    tally = turn_state = rolls_left = None
    for part in filter(None, map(str.strip, text.split(";"))):
        name, _, number = part.rpartition(" ")
        if game.tally and name == game.tally[0] and number.isdecimal():
            _refuse_twice(tally, part)
            tally = int(exact(number))
        elif turn_state is not None and (match := ROLLS_LEFT.fullmatch(part)):
            _refuse_twice(rolls_left, part)
            rolls_left = int(match["left"])
        elif (state := _parse_dice(turns, part)) is not None:
            _refuse_twice(turn_state, part)
            turn_state = state
        else:
            boxes += map(_parse_box, part.split(","))
    card, total = _filled_card(turns, boxes, tally)
    if rolls_left is not None:
        turn_state = _with_rolls_left(game, turn_state, rolls_left)
    return card, total, turn_state


def _refuse_twice(earlier: Any, text: str) -> None:
    if earlier is not None:
        raise NotationError(f"{shown(text)} is given twice; {EXPECTED}")


def _parse_dice(turns: _TurnGame, text: str) -> Any:
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
        raise NotationError(f"{shown(text)} is not a roll of {turn.count} dice; {EXPECTED}")
    dice = tuple(sorted([faces[word] for word in words]))
    return _dice_state(turn, dice, turn.rolls_allowed - 1)


def _with_rolls_left(game: ByTurns, turn_state: Any, rolls_left: int) -> Any:
    """The same dice with this many rolls left."""
    if not isinstance(game.turn, KeepRoll) or not 0 <= rolls_left < game.turn.rolls_allowed:
        raise NotationError(f"{rolls_left} rolls left are too many; {EXPECTED}")
    return _dice_state(
        game.turn, turn_state.faces if isinstance(turn_state, Hand) else turn_state[1], rolls_left
    )


def _dice_state(turn: KeepRoll, dice: Any, rolls_left: int) -> Any:
    return ("shown", dice, rolls_left) if rolls_left else Hand.from_faces(dice)


def _parse_box(text: str) -> tuple[str, Fraction | None]:
    match = FILLED_BOX.fullmatch(text.strip())
    if not match:
        raise NotationError(f"{shown(text)} is not a filled box; {EXPECTED}")
    return match["entry"], None if match["paid"] is None else exact(match["paid"])


def _filled_card(
    turns: _TurnGame, boxes: list[tuple[str, Fraction | None]], tally: int | None
) -> Card:
    """The card with those boxes taken; extra pay, such as a bonus, is not part of the text.

    A box that can't have paid this much after the others was taken before them.
    """
    game = turns.game
    ordered_boxes, moved = list(boxes), 0
    while True:
        cards: set[Card] = {(game.card, 0)}
        for i, (box_name, score) in enumerate(ordered_boxes):
            # The text may list boxes in any order, but a bonus depends on it.
            cards_after = set(_cards_after(turns, cards, box_name, score))
            if not cards_after:
                if moved == len(boxes) or not i:
                    names = ", ".join(game.entries(game.card))
                    box = box_name if score is None else f"{box_name} {score}"
                    raise NotationError(f"no box {shown(box)}; the boxes are: {names}")
                ordered_boxes.insert(0, ordered_boxes.pop(i))
                moved += 1
                break
            cards = cards_after
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


def _cards_after(
    turns: _TurnGame, cards: Iterable[Card], box_name: str, score: Fraction | None
) -> Iterable[Card]:
    game = turns.game
    for card, total in cards:
        entries = game.entries(card)
        if not (name := _find_box(box_name, tuple(entries))):
            continue
        results = set()
        for ending in turns.endings:
            result = entries[name](ending)
            if result is None or result in results:
                continue
            results.add(result)
            next_card, advance = game.entry_result(card, name, result)
            if score is None or score in [advance.get(name, 0) for name in turns.goal.counters]:
                tally, cap = game.tally or ("", 0)
                yield next_card, min(cap, total + advance.get(tally, 0))


def _find_box(text: str, names: tuple[str, ...]) -> str | None:
    try:
        return parse_option(text, names)
    except NotationError:
        return None


def parse_option(text: str, options: tuple[str, ...]) -> str:
    """The option that a line names, by its name, a prefix, or its number.

    >>> parse_option("h", ("roll", "hold")), parse_option("1", ("roll", "hold"))
    ('hold', 'roll')
    """
    if text in options:
        return text
    text = next((option for option in options if option.lower() == text.lower()), text)
    if text in options:
        return text
    # Nine digits at most: Python refuses to read thousands of them.
    if text.isdecimal() and 1 <= int(text[:9]) <= len(options):
        return options[int(text[:9]) - 1]
    matches = [option for option in options if text and option.startswith(text)]
    if len(matches) != 1:
        some = ", ".join(options[:20]) + (", ..." if len(options) > 20 else "")
        raise NotationError(f"{text[:30]!r} is not an option here; give one of: {some}")
    return matches[0]
