"""Decision lists: a policy as lines of conditions, of which the first that applies counts.

A line applies if all its conditions hold and its option is offered; it has two conditions at most.
A list whose lines have no conditions is a ranking of options.

*Learning.* Take any line that is right in every state that is left, and drop the states that it
decides. If some list of such lines is right everywhere, this greedy search finds one (Rivest 1987,
Learning Decision Lists). Of those lines the one that decides most states is taken, so that lists
are short. Sets of states are the bits of an integer, so that a line costs a few operations.

*Conditions* are ranges of numbers that are read from a state. They are its own numbers, and the
value in a pair of key and value. Of dice in order they are the lowest, the highest, the total, and
how many show a face or at most a face. A condition may also be that a part equals a word.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from sevenout.documents.numbers import amount
from sevenout.documents.words import count_in_words
from sevenout.model import state_name


class Decision(NamedTuple):
    """A state in which a player chooses.

    Attributes:
        menu: the options.
        optimal: those that may be taken.
    """

    menu: tuple[str, ...]
    optimal: frozenset[str]


Decisions = Mapping[Any, Decision]
"""The decisions by state."""


class Feature(NamedTuple):
    """A number that conditions are about.

    Attributes:
        describe: a range of it in words, by its least and greatest value; None if open.
        read: the number in a state; None if the state has none.
    """

    describe: Callable[[Any, Any], str]
    read: Callable[[Any], Any]


class Condition(NamedTuple):
    """A feature within bounds.

    Attributes:
        feature: the number that is compared.
        low, high: its least and greatest value; None if open.
    """

    feature: Feature
    low: Any
    high: Any

    def holds(self, state: Any) -> bool:
        """Whether a state meets it."""
        value = self.feature.read(state)
        if value is None:
            return False
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def __str__(self) -> str:
        return self.feature.describe(self.low, self.high)


Measure = tuple[str, int]
"""A number read from an option's name, and whether the least (1) or the greatest (-1) is taken."""

MEASURES: dict[str, Callable[[tuple[int, ...]], int]] = {
    "count": len,
    "different": lambda numbers: len(set(numbers)),
    "low": lambda numbers: numbers[0] if numbers else 0,
    "high": lambda numbers: numbers[-1] if numbers else 0,
}
SUPERLATIVES: dict[Measure, str] = {
    ("count", 1): "the fewest numbers",
    ("count", -1): "the most numbers",
    ("different", 1): "the fewest different numbers",
    ("different", -1): "the most different numbers",
    ("low", 1): "the lowest first number",
    ("low", -1): "the highest first number",
    ("high", 1): "the lowest last number",
    ("high", -1): "the highest last number",
}
NUMBER = re.compile(r"\d+")


@lru_cache(4096)
def measures_of(option: str) -> dict[str, int]:
    """The measures of the numbers in an option's name, by name."""
    numbers = tuple(map(int, NUMBER.findall(option)))
    return {name: measure(numbers) for name, measure in MEASURES.items()}


class Superlative(NamedTuple):
    """An option by the numbers in its name, such as "set aside the most"; ties go by the menu.

    >>> Superlative((("count", 1), ("high", -1))).pick(("1+2+5", "3+5", "2+6"))
    '2+6'

    Attributes:
        measures: what is compared; a later one only where the earlier ones tie.
        stem: the common words of all options with a single number, such as "set aside"; else "".
    """

    measures: tuple[Measure, ...]
    stem: str = ""

    def pick(self, menu: tuple[str, ...]) -> str:
        """The option of a menu."""

        def rank(option: str) -> list[int]:
            measures = measures_of(option)
            return [sense * measures[name] for name, sense in self.measures]

        return min(menu, key=rank)

    def __str__(self) -> str:
        if self.stem:
            return f"{self.stem} the {'fewest' if self.measures[0][1] > 0 else 'most'}"
        first, *later = (SUPERLATIVES[measure] for measure in self.measures)
        return "; then ".join([f"the option with {first}", *later])


class DecisionLine(NamedTuple):
    """A line of a list: what must hold, and what to do.

    Attributes:
        conditions: all of them must hold.
        option: its name, or the option with the least or greatest number in its name.
    """

    conditions: tuple[Condition, ...]
    option: str | Superlative

    def option_of(self, menu: tuple[str, ...]) -> str | None:
        """The option of a menu that this line takes; None if the menu lacks it."""
        if isinstance(self.option, Superlative):
            return self.option.pick(menu)
        return self.option if self.option in menu else None


class DecisionList:
    """Lines of which the first that applies decides, except in a few states.

    A strategy card has one for each group of states that it doesn't show as regions.

    Attributes:
        lines: in order.
        exceptions: the optimal option, by state, where the lines are wrong.
    """

    def __init__(self, lines: Iterable[DecisionLine], exceptions: Mapping[Any, str]) -> None:
        self.lines, self.exceptions = tuple(lines), dict(exceptions)
        self._offered_lines: dict[tuple[str, ...], list[tuple[tuple[Condition, ...], str]]] = {}

    @property
    def options(self) -> tuple[str, ...]:
        """The options of the lines, in order, each once."""
        return tuple(dict.fromkeys(str(line.option) for line in self.lines))

    @property
    def is_ranking(self) -> bool:
        """Whether no line has a condition."""
        return not any(line.conditions for line in self.lines)

    @property
    def size(self) -> int:
        """The number of lines; options without conditions are one line."""
        previous = [None, *(line.conditions for line in self.lines)]
        return len(self.exceptions) + sum(
            bool(line.conditions) or before != ()
            for before, line in zip(previous, self.lines, strict=False)
        )

    def listed_option(self, state: Any, menu: tuple[str, ...]) -> str:
        """The option of the first line that applies, exceptions aside; else the menu's first."""
        # Thousands of states share a few hundred menus, so lines are sorted out once per menu.
        lines = self._offered_lines.get(menu)
        if lines is None:
            offered = [(line.conditions, line.option_of(menu)) for line in self.lines]
            lines = [(conditions, option) for conditions, option in offered if option is not None]
            self._offered_lines[menu] = lines
        for conditions, option in lines:
            for condition in conditions:
                if not condition.holds(state):
                    break
            else:
                return option
        return menu[0]

    def read(self, state: Any, menu: tuple[str, ...]) -> str:
        """The option in a state: that of its exception, or of the first line that applies."""
        return self.exceptions.get(state) or self.listed_option(state, menu)


def ranking_of(decisions: Decisions) -> DecisionList:
    """A list of options in order of preference, learnt greedily.

    The next option is the one that is wrong least often in the states that offer none of the
    options before it. Ties go to the option that is right most often.
    """
    states = list(decisions)
    indices_of: dict[Any, list[int]] = {}  # by menu and optimal options
    for index, decision in enumerate(decisions.values()):
        indices_of.setdefault(decision, []).append(index)
    exceptions: dict[Any, str] = {}
    menus_with: dict[str, list[Any]] = {}
    wrong: dict[str, int] = {}
    right: dict[str, int] = {}
    for decision, indices in indices_of.items():
        menu, optimal = decision
        for option in menu:
            menus_with.setdefault(option, []).append(decision)
            counts = right if option in optimal else wrong
            counts[option] = counts.get(option, 0) + len(indices)
    listed: list[str] = []
    unlisted = dict.fromkeys(menus_with)
    while unlisted:
        # Greedy: an exception is a line, and a wrong option costs one for each state.
        option = min(unlisted, key=lambda o: (wrong.get(o, 0), -right.get(o, 0)))
        del unlisted[option]
        decided = 0
        corrected: list[tuple[int, str]] = []
        for decision in menus_with[option]:
            indices = indices_of.pop(decision, [])
            decided += len(indices)
            menu, optimal = decision
            if option not in optimal:
                best = next(o for o in menu if o in optimal)
                corrected += [(index, best) for index in indices]
            for other in menu:
                (right if other in optimal else wrong)[other] -= len(indices)
        exceptions |= {states[index]: best for index, best in sorted(corrected)}
        # An option that decides nothing is not worth reading.
        if decided:
            listed.append(option)
    return DecisionList((DecisionLine((), option) for option in listed), exceptions)


def grouped_ranking(
    ranking: DecisionList, menus: Mapping[Any, tuple[str, ...]], kind: Callable[[str], Any]
) -> DecisionList:
    """The same ranking, with options of one kind side by side where that changes no decision.

    Args:
        ranking: without conditions.
        menus: the options of each state that it decides.
        kind: the kind of an option.
    """
    options = ranking.options
    rank = {option: i for i, option in enumerate(options)}
    # The option that is taken in a state must stay before all others of its menu.
    later: dict[str, set[str]] = {option: set() for option in options}
    for menu in set(menus.values()):
        ranked = sorted((o for o in menu if o in rank), key=rank.__getitem__)
        if ranked:
            later[ranked[0]].update(ranked[1:])
    # A topological order: an option is free once all that must stay before it are placed.
    earlier_left = {o: sum(o in after for after in later.values()) for o in options}
    order: list[str] = []
    current_kind: Any = None
    while len(order) < len(options):
        free = [o for o in options if not earlier_left[o] and o not in order]
        same_kind = [o for o in free if kind(o) == current_kind]
        sizes = [sum(kind(o) == kind(other) for other in free) for o in free]
        option = same_kind[0] if same_kind else free[sizes.index(max(sizes))]
        current_kind = kind(option)
        order.append(option)
        for other in later[option]:
            earlier_left[other] -= 1
    return DecisionList((DecisionLine((), option) for option in order), ranking.exceptions)


# --- what conditions are about --------------------------------------------------------------------

MAX_THRESHOLDS, MAX_WORDS = 24, 24
"""The most thresholds tried for a number, and the most values of a part that is no number: the
search compares pairs of conditions, so its time grows with their square."""


def parts_of(state: Any) -> tuple[Any, ...]:
    """The parts of a state."""
    if isinstance(state, tuple):
        return tuple(state)
    if is_dataclass(state) and not isinstance(state, type):
        return tuple(getattr(state, field.name) for field in fields(state))
    return (state,)


def has_dice(states: Iterable[Any]) -> bool:
    """Whether a part of some state is itself a tuple, such as dice."""
    return any(isinstance(part, tuple) for state in states for part in parts_of(state))


def features_of(states: Sequence[Any], names: Sequence[str]) -> Iterator[Feature]:
    """What conditions on some states may be about."""
    width = max(len(parts_of(state)) for state in states)
    tuples = {k for state in states for k, x in enumerate(parts_of(state)) if isinstance(x, tuple)}
    # The name of a single set of dice would tell the reader nothing.
    several = len(tuples) > 1
    for k in range(width):
        name = names[k] if k < len(names) and width <= len(names) else ""

        def part(state: Any, k: int = k) -> Any:
            # Most states are tuples, and conditions are read of every state of a game.
            parts = state if type(state) is tuple else parts_of(state)
            return parts[k] if k < len(parts) else None

        values = list({part(state): None for state in states})
        yield from _features(values, part, name, f" {name}" if several else "")


def _features(
    values: Sequence[Any], read: Callable[[Any], Any], name: str, suffix: str
) -> Iterator[Feature]:
    """The features of a part by its distinct values."""
    present = [value for value in values if value is not None]
    if present and all(map(is_number, present)):
        yield Feature(lambda low, high: f"{name} {in_range(low, high)}".strip(), read)
    elif present and all(isinstance(value, tuple) for value in present):
        items = [x for value in present for x in value]
        if all(map(is_number, items)):
            if all(list(v) in (sorted(v), sorted(v)[::-1]) for v in present):
                yield from _features_of_dice(sorted(set(items)), read, suffix)
            else:
                for i in range(max(map(len, present))):
                    yield _indexed_value(read, i, f"{ordinal(i)} of {name}" if name else ordinal(i))
        elif all(isinstance(x, tuple) and len(x) == 2 and is_number(x[1]) for x in items):
            for key in sorted({x[0] for x in items}, key=str):
                yield _keyed_value(read, key, f"{state_name(key)} {name} for".strip())
    elif len(values) <= MAX_WORDS and all(isinstance(value, Hashable) for value in values):
        for value in values:
            yield _equal(read, value, name)


def _indexed_value(read: Callable[[Any], Any], i: int, name: str) -> Feature:
    """The number at an index of a part; None where the part is shorter."""

    def item(state: Any) -> Any:
        part = read(state)
        return part[i] if part is not None and i < len(part) else None

    return Feature(lambda low, high: f"{name} {in_range(low, high)}", item)


def _keyed_value(read: Callable[[Any], Any], key: Any, name: str) -> Feature:
    """The number of a key, where a part is pairs of key and number; None without such a pair."""

    def entry(state: Any) -> Any:
        for own_key, value in read(state) or ():
            if own_key == key:
                return value
        return None

    return Feature(lambda low, high: f"{name} {in_range(low, high)}".strip(), entry)


def _equal(read: Callable[[Any], Any], value: Any, name: str) -> Feature:
    """Whether a part has this value: 1 or 0."""
    text = f"{name} {state_name(value) if value is not None else 'none'}".strip()
    return Feature(
        # A condition holds for 1 alone, or for 0 alone: the value, or any other.
        lambda low, high: text if low else f"not {text}",
        lambda state: int(read(state) == value),
    )


def _features_of_dice(
    faces: Sequence[Any], read: Callable[[Any], Any], suffix: str
) -> Iterator[Feature]:
    """The features of numbers in order, such as dice; `suffix` names them if there are several."""

    def measure(describe: Callable[[Any, Any], str], number: Callable[[Any], Any]) -> Feature:
        return Feature(describe, lambda state: number(part) if (part := read(state)) else None)

    yield measure(lambda low, high: f"highest{suffix} {in_range(low, high)}", max)
    yield measure(lambda low, high: f"lowest{suffix} {in_range(low, high)}", min)
    yield measure(lambda low, high: f"total{suffix} {in_range(low, high)}", sum)
    for face in faces:
        yield measure(_dice_in_words(f"{number_text(face)}{suffix}"), _count_between(face, face))
    for face in faces[1:-1]:
        for first, last in ((faces[0], face), (face, faces[-1])):
            group = f"of {number_text(first)}–{number_text(last)}{suffix}"
            yield measure(_dice_in_words(group), _count_between(first, last))


def _count_between(first: Any, last: Any) -> Callable[[Any], int]:
    """How many dice show a face from the first to the last."""
    return lambda dice: sum(first <= face <= last for face in dice)


def _dice_in_words(faces: str) -> Callable[[Any, Any], str]:
    """How many dice show a face, "4", or some faces, "of 4–6", in words."""

    def describe(low: Any, high: Any) -> str:
        if high == 0:
            return f"{'none' if faces.startswith('of') else 'no'} {faces}"
        if low is None:
            return f"at most {count_in_words(high)} {faces}"
        if high is None:
            return f"{count_in_words(low)} or more {faces}"
        count = count_in_words(low)
        return f"{count} {faces}" if low == high else f"{count} to {count_in_words(high)} {faces}"

    return describe


def is_number(x: Any) -> bool:
    """Whether a part of a state is a number."""
    return isinstance(x, int | Fraction) and not isinstance(x, bool)


def ordinal(i: int) -> str:
    """The ordinal of an index.

    >>> ordinal(0), ordinal(11), ordinal(21)
    ('1st', '12th', '22nd')
    """
    n = i + 1
    suffix = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{suffix}"


def number_text(x: Any) -> str:
    """A number in digits: an exact one as an amount, a float in its shortest form."""
    return amount(x) if isinstance(x, int | Fraction) else f"{x:g}"


def in_range(low: Any, high: Any) -> str:
    """A range in words.

    >>> in_range(3, 5), in_range(3, 3), in_range(None, 5), in_range(3, None)
    ('3–5', '3', 'up to 5', '3 or more')
    """
    if low is None:
        return f"up to {number_text(high)}"
    if high is None:
        return f"{number_text(low)} or more"
    return number_text(low) if low == high else f"{number_text(low)}–{number_text(high)}"


# --- learning -------------------------------------------------------------------------------------


class ConditionStates(NamedTuple):
    """A condition with one bound, and the states where it holds.

    Attributes:
        condition: the condition.
        held: where it holds, as bits: state i is bit i.
    """

    condition: Condition
    held: int


def _condition_states(states: Sequence[Any], names: Sequence[str]) -> list[ConditionStates]:
    """The conditions that tell some states from others; of those that hold in the same, one."""
    everywhere = (1 << len(states)) - 1
    condition_by_states: dict[int, Condition] = {}
    for feature in features_of(states, names):
        column = [feature.read(state) for state in states]
        indices_of: dict[Any, list[int]] = {}
        for i, value in enumerate(column):
            indices_of.setdefault(value, []).append(i)
        indices_of.pop(None, None)
        values = sorted(indices_of)
        # The states up to each value are built up value by value; those above are the rest.
        present = _bits((i for value in values for i in indices_of[value]), len(states))
        states_below = 0
        step = len(values) // MAX_THRESHOLDS + 1
        for k, (value, above) in enumerate(pairwise(values)):
            states_below |= _bits(indices_of[value], len(states))
            if k % step == 0:
                # Of the lowest and the highest value, the words are that value, not "up to" it.
                low = value if k == 0 else None
                high = above if above == values[-1] else None
                below, not_below = states_below, present ^ states_below
                condition_by_states.setdefault(below, Condition(feature, low, value))
                condition_by_states.setdefault(not_below, Condition(feature, above, high))
        if values and present != everywhere:
            condition_by_states.setdefault(present, Condition(feature, values[0], None))
    return [
        ConditionStates(condition, bits)
        for bits, condition in condition_by_states.items()
        if 0 < bits < everywhere
    ]


def _bits(indices: Iterable[int], size: int) -> int:
    """The integer whose bits at some indices below `size` are set."""
    mask = bytearray(size // 8 + 1)
    for i in indices:
        mask[i >> 3] |= 1 << (i & 7)
    return int.from_bytes(mask, "little")


class OptionStates(NamedTuple):
    """An option, and the states that offer it.

    Attributes:
        option: its name, or the one with the least or greatest number in its name.
        right: the states where it is optimal, as bits.
        wrong: those where it is offered and not optimal.
    """

    option: str | Superlative
    right: int
    wrong: int


SEVERAL_OPTIONS = 20
"""From this many options, they are also told apart by several numbers of their names."""


def _option_states(decisions: Sequence[Decision]) -> list[OptionStates]:
    """The options by name, then by the numbers in their names."""
    indices_of: dict[Any, list[int]] = {}
    for i, decision in enumerate(decisions):
        indices_of.setdefault(decision, []).append(i)
    states_of = {
        decision: _bits(indices, len(decisions)) for decision, indices in indices_of.items()
    }
    right: dict[Any, int] = {}
    wrong: dict[Any, int] = {}
    for (menu, optimal), states in states_of.items():
        for option in menu:
            states_by_option = right if option in optimal else wrong
            states_by_option[option] = states_by_option.get(option, 0) | states
    by_name = [OptionStates(option, right[option], wrong.get(option, 0)) for option in right]

    def states_of_superlative(superlative: Superlative) -> OptionStates:
        states_by_result = {True: 0, False: 0}
        for (menu, optimal), states in states_of.items():
            states_by_result[superlative.pick(menu) in optimal] |= states
        return OptionStates(superlative, states_by_result[True], states_by_result[False])

    menus = {menu for menu, _ in states_of}
    superlatives = _superlatives(
        menus, lambda superlative: states_of_superlative(superlative).wrong.bit_count()
    )
    return by_name + list(map(states_of_superlative, superlatives))


def _superlatives(
    menus: Iterable[tuple[str, ...]], loss: Callable[[Superlative], float]
) -> list[Superlative]:
    """The ways to tell the options of some menus apart by the numbers in their names.

    If a name has several numbers, the first measure is the one that loses least, and each next one
    is the one that helps most where those before it tie.
    """
    options = {option for menu in menus for option in menu}
    stems = {NUMBER.sub("", option).strip() for option in options}
    if len(stems) == 1 and all(len(NUMBER.findall(option)) == 1 for option in options):
        stem = stems.pop()
        return [Superlative((("low", sense),), stem) for sense in (-1, 1)]
    if len(options) < SEVERAL_OPTIONS:
        return []
    chain: list[Superlative] = []
    measures: tuple[Measure, ...] = ()
    for _ in range(len(MEASURES) - 1):
        names = {name for name, _ in measures}
        longer = [Superlative((*measures, m)) for m in SUPERLATIVES if m[0] not in names]
        chain.append(min(longer, key=loss))
        measures = chain[-1].measures
    return chain


def learn(decisions: Decisions, names: Sequence[str], max_lines: int) -> DecisionList | None:
    """A short list that takes an optimal option in every state; None if it has too many lines.

    >>> hands = [(a, b) for a in range(1, 7) for b in range(a, 7)]
    >>> good = {hand: frozenset(["stop" if sum(hand) > 7 else "roll"]) for hand in hands}
    >>> best = {(hand,): Decision(("stop", "roll"), good[hand]) for hand in hands}
    >>> [(list(map(str, line.conditions)), line.option) for line in learn(best, ("dice",), 9).lines]
    [(['total up to 7'], 'roll'), ([], 'stop')]

    Args:
        decisions: by state.
        names: the names of the parts of a state.
        max_lines: the most lines.
    """
    states = list(decisions)
    options = _option_states(list(decisions.values()))
    lines, undecided = _greedy_lines(
        _condition_states(states, names), options, len(states), max_lines
    )
    return None if undecided else DecisionList(lines, {})


def _greedy_lines(
    conditions: Sequence[ConditionStates],
    options: Sequence[OptionStates],
    size: int,
    max_lines: int,
) -> tuple[list[DecisionLine], int]:
    """At most `max_lines` lines, and the states that they leave undecided, as bits."""
    undecided = (1 << size) - 1
    lines: list[DecisionLine] = []
    while undecided and len(lines) < max_lines:
        line, decided = _next_line(conditions, options, undecided)
        if not decided:
            break
        lines.append(line)
        undecided &= ~decided
    return lines, undecided


def _next_line(
    conditions: Sequence[ConditionStates], options: Sequence[OptionStates], undecided: int
) -> tuple[DecisionLine, int]:
    """The line that decides most undecided states, is right in them all; and these states."""
    largest, line, decided = 0, DecisionLine((), ""), 0
    for option, all_right, all_wrong in options:
        right, wrong = all_right & undecided, all_wrong & undecided
        if right.bit_count() <= largest:
            continue
        if not wrong:
            largest, line, decided = right.bit_count(), DecisionLine((), option), right
            continue
        partly_right = []
        for condition, held in conditions:
            applies = held & right
            size = applies.bit_count()
            if size <= largest:
                continue
            if not (mistaken := held & wrong):
                largest, line, decided = size, DecisionLine((condition,), option), applies
            else:
                partly_right.append(PartlyRight(condition, held, applies, mistaken, size))
        pair = _largest_pair(partly_right, largest)
        if pair is not None:
            line, decided = DecisionLine(pair.conditions, option), pair.right
            largest = decided.bit_count()
    return line, decided


class PartlyRight(NamedTuple):
    """A condition under which an option is right in many states, and wrong in some.

    Attributes:
        condition: the condition.
        held: the states where it holds, as bits.
        right: those of them where the option is optimal, undecided so far.
        wrong: those of them where it isn't.
        size: how many are right.
    """

    condition: Condition
    held: int
    right: int
    wrong: int
    size: int


class ConditionPair(NamedTuple):
    """Two conditions under which an option is never wrong.

    Attributes:
        conditions: the two, or the range that two bounds of one feature are.
        right: the undecided states where both hold, as bits.
    """

    conditions: tuple[Condition, ...]
    right: int


def _largest_pair(partly_right: Iterable[PartlyRight], largest: int) -> ConditionPair | None:
    """The pair that decides most states and is never wrong; None if at most `largest` states."""
    pair = None
    # A pair decides at most what its smaller part does, so the loops stop at the first too small.
    by_size = sorted(partly_right, key=lambda entry: -entry.size)
    for i, smaller in enumerate(by_size):
        if smaller.size <= largest:
            break
        for larger in by_size[:i]:
            if larger.size <= largest:
                break
            if smaller.wrong & larger.held:
                continue
            both = smaller.right & larger.held
            if (count := both.bit_count()) > largest:
                conditions = _combined_conditions(larger.condition, smaller.condition)
                largest, pair = count, ConditionPair(conditions, both)
    return pair


def _combined_conditions(condition: Condition, other: Condition) -> tuple[Condition, ...]:
    """Two conditions; two bounds of one feature are a range."""
    if condition.feature is not other.feature:
        return (condition, other)
    lows = [bound for bound in (condition.low, other.low) if bound is not None]
    highs = [bound for bound in (condition.high, other.high) if bound is not None]
    return (Condition(condition.feature, max(lows, default=None), min(highs, default=None)),)


# --- shorter lists --------------------------------------------------------------------------------

SAMPLE_SIZE = 4_000
"""How many states a shorter list is learnt from; one with much at stake counts several times."""
TOLERANCES = (0, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3)
"""The costs that a shorter list ignores, as shares of the value of the game. Each is tried in
turn, until a list of the allowed length decides every state."""
NEGLIGIBLE_LOSS = 2e-3
"""The loss of a single line that is good enough, as a share of the value of the game."""
MAX_RANKED = 24
"""A ranking of more options than this is too long to end a short list."""
Costs = Mapping[Any, Mapping[str, float]]
"""For each state, the cost of each option."""


def shorten(
    costs: Costs, weights: Mapping[Any, float], names: Sequence[str], max_lines: int, scale: float
) -> DecisionList:
    """A list of at most `max_lines` lines, then a ranking, that costs little.

    The states are sampled by what is at stake, so that the greedy search decides first where
    mistakes cost most. What the last line leaves is decided by a ranking.

    Args:
        costs: of each option in a state, once.
        weights: how often each state is met.
        names: the names of the parts of a state.
        max_lines: the most lines.
        scale: the value of the game.
    """
    sample = _sample(costs, weights)
    if not sample:  # no option costs anything where play comes
        return _ranking_or_superlative(costs, weights)
    single = _ranking_or_superlative({state: costs[state] for state in sample}, weights)
    picks = {state: single.listed_option(state, tuple(costs[state])) for state in costs}
    # One line with a few exceptions is easier to read than many lines, if it loses this little.
    if sum(weights[s] * costs[s][pick] for s, pick in picks.items()) <= NEGLIGIBLE_LOSS * scale:
        wrong = [state for state, pick in picks.items() if costs[state][pick] > 0]
        best = {s: min(costs[s], key=costs[s].__getitem__) for s in wrong}
        return DecisionList(single.lines, best)
    conditions = _condition_states(sample, names)
    attempts = []
    for tolerance in TOLERANCES:
        allowed_cost = scale * tolerance
        decisions = [
            Decision(
                tuple(costs[s]),
                frozenset(o for o, cost in costs[s].items() if cost <= allowed_cost),
            )
            for s in sample
        ]
        lines, undecided = _greedy_lines(
            conditions, _option_states(decisions), len(sample), max_lines
        )
        if not undecided and lines:
            return DecisionList(lines, {})
        attempts.append((undecided.bit_count(), lines, undecided))
    _, lines, undecided = min(attempts, key=lambda entry: entry[0])
    undecided_costs = {state: costs[state] for i, state in enumerate(sample) if undecided >> i & 1}
    return DecisionList((*lines, *_ranking_or_superlative(undecided_costs, weights).lines), {})


def _sample(costs: Costs, weights: Mapping[Any, float]) -> list[Any]:
    """States, each about as often as its stake is large; the same ones each time."""
    stakes = {s: weights[s] * max(by_option.values()) for s, by_option in costs.items()}
    unit = sum(stakes.values()) / SAMPLE_SIZE or 1.0
    sample: list[Any] = []
    cumulative = 0.0
    for state, stake in stakes.items():
        before, cumulative = cumulative, cumulative + stake
        sample += [state] * (int(cumulative / unit) - int(before / unit))
    return sample


def _ranking_or_superlative(costs: Costs, weights: Mapping[Any, float]) -> DecisionList:
    """The ranking or the superlative that costs least by itself."""
    menus = {state: tuple(by_option) for state, by_option in costs.items()}
    best = {
        state: Decision(menu, frozenset(o for o in menu if costs[state][o] <= 0))
        for state, menu in menus.items()
    }

    def loss(candidate: DecisionList) -> float:
        return sum(
            weights[s] * costs[s][candidate.listed_option(s, menu)] for s, menu in menus.items()
        )

    def list_of(superlative: Superlative) -> DecisionList:
        return DecisionList([DecisionLine((), superlative)], {})

    ranking = ranking_of(best)
    superlatives = _superlatives(set(menus.values()), lambda option: loss(list_of(option)))
    candidates = list(map(list_of, superlatives))
    if len(ranking.lines) <= MAX_RANKED or not candidates:
        candidates.append(DecisionList(ranking.lines, {}))
    return min(candidates, key=loss)
