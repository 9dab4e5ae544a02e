"""Rules as data: named expressions of the dice, a start, and guarded rules.

    dice = "2d6"
    sees.total = "d1 + d2"
    start.point = 0

    [[roll]]
    if = "point == 0 and total in (7, 11)"
    end = "natural"
    pays.pass = 1

    [[roll]]
    if = "point == 0 and total in (2, 3, 12)"
    end = "craps"
    pays.pass = -1

    [[roll]]
    if = "point == 0"
    set.point = "total"

    [[roll]]
    if = "total == point"
    end = "point"
    pays.pass = 1

    [[roll]]
    if = "total == 7"
    end = "seven out"
    pays.pass = -1

A state is the values of the variables of `start`, whole numbers. After a roll the first rule whose
`if` holds is applied; if none does, nothing changes. A rule ends the game with a label and what it
pays, or sets variables, all at once. `choose` lists the options before a roll: those whose `if`
holds are offered. An option that changes nothing is followed by the roll. These are the guarded
commands of Dijkstra (Communications of the ACM 18, 1975), read in order.

Expressions are Python's: whole numbers, names, comparisons, `in` a list in brackets, `and`, `or`,
`not`, + - * // %. The faces of a roll are d1, d2, ... and only `sees` reads them.

This is the one form of rules as data. Game files hold it, and families of games are written in it
(`rules_as_data`). Certificates carry it, and their checker expands it again with a program of its
own. Its SHA-256 names the rules.
"""

import ast
import keyword
import re
from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NoReturn

from sevenout.documents.blocks import Page
from sevenout.documents.tables import Column, Fact, Facts, Table
from sevenout.errors import RulesError, inside, shown
from sevenout.numerals import exact
from sevenout.rolling import Deal, Deck, Dice, Die, Law, Reading, Rollable
from sevenout.rules.game import Frozen, Game, set_fields
from sevenout.rules.outcome import Outcome, Pay, counted, pass_turn, pay

RULE_KEYS = ("if", "end", "pays", "set", "count", "pass_turn")
MAX_VALUE = 10**12
"""The largest value of an expression: squares of squares would outgrow the memory in 40 rolls."""
MAX_LENGTH = 100_000
"""The most characters of an expression."""

_SPELLING = re.compile(r"[A-Za-z0-9_ ()<>=!+*/%,-]+")  # no comments, no letters that look alike
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_FACE = re.compile(r"d[0-9]+")
_OPERATORS = (
    *(ast.Expression, ast.Constant, ast.Name, ast.Load, ast.Tuple, ast.BoolOp, ast.And, ast.Or),
    *(ast.UnaryOp, ast.Not, ast.USub, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.FloorDiv),
    *(ast.Mod, ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In),
    ast.NotIn,
)


@dataclass(frozen=True)
class Rule:
    """A guarded rule: what happens where its condition holds.

    Attributes:
        condition: an expression; "" holds always.
        end: how the game ends; None if it goes on.
        sets: the new value of each variable that changes, as expressions.
        counts: how much each counter advances, as expressions.
        pass_turn: whether the other player is on turn afterwards.
        option: the option of a player that this rule follows; "" for a rule of the roll.
    """

    condition: str = ""
    end: Outcome | None = None
    sets: tuple[tuple[str, str], ...] = ()
    counts: tuple[tuple[str, str], ...] = ()
    pass_turn: bool = False
    option: str = ""

    @property
    def data(self) -> dict[str, Any]:
        """The rule as in game files, without what is empty."""
        data: dict[str, Any] = {"option": self.option, "if": self.condition}
        if self.end is not None:
            data["end"] = self.end.label
            data["pays"] = {bet: _amount_data(paid) for bet, paid in self.end.pays}
        data |= {"set": dict(self.sets), "count": dict(self.counts), "pass_turn": self.pass_turn}
        return {key: value for key, value in data.items() if value not in ("", {}, False)}


class GuardedGame(Game):
    """A game that is played by guarded rules: a `Rulebook`, or a family that writes its rules.

    The rules are compiled to Python functions on first use. A state is the values of the variables.

    Attributes:
        variables: with their first values.
        rules: of the roll; the first that holds applies.
        options: before a roll; the first that holds of each name is offered.
        may_be_scalar: whether a state of one variable is its value, not a tuple of one.
    """

    variables: Mapping[str, int]
    rules: tuple[Rule, ...]
    options: tuple[Rule, ...] = ()
    may_be_scalar = False

    @property
    @abstractmethod
    def roll_assignment(self) -> str:
        """A line of Python that names what the rules see in a `roll`."""

    @property
    def start(self) -> Any:  # type: ignore[override]
        values = tuple(self.variables.values())
        return values[0] if self.has_scalar_state else values

    @property
    def has_scalar_state(self) -> bool:
        """Whether a state is the value of the only variable."""
        return self.may_be_scalar and len(self.variables) == 1

    @property
    def coordinates(self) -> Sequence[str]:  # type: ignore[override]
        return tuple(self.variables)

    @cached_property
    def counters(self) -> tuple[str, ...]:  # type: ignore[override]
        """The counters that some rule advances."""
        rules = (*self.rules, *self.options)
        return tuple(dict.fromkeys(name for rule in rules for name, _ in rule.counts))

    @cached_property
    def step(self) -> Callable[[Any, Any], Any]:
        """The rules of the roll as a Python function."""
        lines, values = [self._state_assignment, self.roll_assignment], dict[str, Any]()
        for k, rule in enumerate(self.rules):
            # One `if` after another, in the order of the rules: the first that holds returns.
            lines += self._branch(rule, k, values, "return ")
        return _compiled("step(state, roll)", [*lines, "return state"], values)

    def menu_function(self) -> Callable[[Any], Any]:
        """The rules of the options as a Python function."""
        lines, values = [self._state_assignment, "menu = {}"], dict[str, Any]()
        for k, rule in enumerate(self.options):
            # The first rule of an option that holds is the one that applies, as with rolls.
            first = f"{rule.option!r} not in menu"
            condition = f"{first} and ({rule.condition})" if rule.condition else first
            offered = replace(rule, condition=condition)
            lines += self._branch(offered, k, values, f"menu[{rule.option!r}] = ")
        return _compiled("choices(state)", [*lines, "return menu"], values)

    @property
    def _state_assignment(self) -> str:
        """A line that names the parts of a state."""
        if self.has_scalar_state:
            return f"{next(iter(self.variables))} = state"
        return _unpacking(self.variables, "state")

    def _branch(self, rule: Rule, k: int, values: dict[str, Any], prefix: str) -> list[str]:
        """The lines of a rule: its condition, and what it leads to, after `return` or a name."""
        result = "state"
        if rule.end is not None:
            result = f"end{k}"
            values[result] = rule.end
        elif rule.sets:
            new = dict(rule.sets)
            parts = [_as_integer(new[name]) if name in new else name for name in self.variables]
            result = parts[0] if self.has_scalar_state else f"({', '.join(parts)},)"
            # Without products a value grows too slowly to outgrow the memory; the check takes time.
            if any("*" in text for text in new.values()):
                values["check_size"], result = _check_size, f"check_size({result})"
        if rule.pass_turn:
            values["pass_turn"], result = pass_turn, f"pass_turn({result})"
        if rule.counts:
            counts = ", ".join(f"{name!r}: {_as_integer(text)}" for name, text in rule.counts)
            values["counted"], result = counted, f"counted({result}, **{{{counts}}})"
        line = f"{prefix}{result}"
        return [f"if {rule.condition}:", f"    {line}"] if rule.condition else [line]

    def __getstate__(self) -> dict[str, Any]:
        """What a process is sent: all but the compiled functions, which it compiles again."""
        # Compiled functions belong to no module, so pickle can't name them.
        return {k: v for k, v in self.__dict__.items() if k not in ("step", "choices")}


@dataclass(frozen=True, init=False)
class Rulebook(GuardedGame):
    """A game whose rules are data.

    >>> from sevenout.rolling import parse_dice
    >>> high_low = Rulebook(
    ...     parse_dice("2d6"),
    ...     sees={"total": "d1 + d2"},
    ...     roll=[
    ...         {"if": "total > 7", "end": "high", "pays": {"high": 1}},
    ...         {"end": "low", "pays": {"high": -1}},
    ...     ],
    ... )
    >>> high_low.step((), (8,)).profit("high"), high_low.coordinates
    (Fraction(1, 1), ())

    Args:
        source: dice, a deck, a die or a distribution of whole numbers.
        roll: the rules after a roll, as mappings with the keys `if`, `end`, `pays`, `set`, `count`
            and `pass_turn`. An end pays every bet; an amount is a profit, or {"profit": ...,
            "risk": ...} if not the stake is at risk.
        bets: the stake of each bet; by default 1 for each bet that an end pays.
        sees: what the game reads in a roll, as expressions of the faces d1, d2, ...
        start: the variables with their first values; None for a game without a memory.
        choose: the options, as rules with a key `option`. Of several rules for one option the
            first whose `if` holds is offered.

    Attributes:
        sees_in_roll: the argument `sees`, without the name that `Game.sees` has.

    Raises:
        RulesError: an unknown key, name or operator; a value that is not a whole number; an end
            that doesn't pay every bet.
    """

    source: Rollable
    bets: Mapping[str, Fraction]
    sees_in_roll: Mapping[str, str]
    variables: Mapping[str, int]
    rules: tuple[Rule, ...]
    options: tuple[Rule, ...]
    dice: Rollable = field(repr=False, compare=False)

    def __init__(
        self,
        source: Rollable,
        roll: Iterable[Mapping[str, Any]],
        *,
        bets: Mapping[str, Any] | None = None,
        sees: Mapping[str, str] | None = None,
        start: Mapping[str, int] | None = None,
        choose: Iterable[Mapping[str, Any]] = (),
    ) -> None:
        rules, options = list(roll), list(choose)
        set_fields(
            self,
            source=source,
            variables=Frozen(_variables(start or {})),
            sees_in_roll=Frozen(dict(sees or {})),
            bets=Frozen(_stakes(bets, [*rules, *options])),
        )
        faces = [f"d{i}" for i in range(1, faces_in(source) + 1)]
        for name, expression in self.sees_in_roll.items():
            with inside("sees", name):
                _check_name(name)
                parse_expression(expression, faces)
        # Both are plain names in expressions.
        if twice := set(self.variables) & set(self.sees_in_roll):
            raise RulesError(f"{twice.pop()} is in both sees and start; give it one meaning")
        names = (*self.variables, *self.sees_in_roll)
        set_fields(self, rules=tuple(self._rules("roll", rules, names)))
        # Options come before the roll, so they can't name what is seen in it.
        set_fields(self, options=tuple(self._rules("choose", options, tuple(self.variables))))
        # What is rolled is what `sees` makes of it: rolls that look alike are one.
        reading = FacesRead(tuple(faces), tuple(self.sees_in_roll.items()))
        set_fields(self, dice=source.read(reading))

    def __hash__(self) -> int:
        return hash((self.bets, self.sees_in_roll, self.variables, self.rules, self.options))

    @property
    def roll_assignment(self) -> str:
        return _unpacking(self.sees_in_roll, "roll")

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:  # type: ignore[override]
        """The ends in the order of the rules."""
        rules = (*self.rules, *self.options)
        return tuple(dict.fromkeys(rule.end for rule in rules if rule.end is not None))

    @cached_property
    def choices(self) -> Callable[[Any], Any]:
        """The options of a state."""
        return self.menu_function()

    @property
    def data(self) -> dict[str, Any]:
        """The rules as data, with every face and every stake; JSON can hold it.

        >>> from sevenout.rolling import parse_dice
        >>> coin = Rulebook(parse_dice("d2"), [{"end": "heads or tails"}])
        >>> coin.data
        {'dice': [[1, 2]], 'bets': {}, 'sees': {}, 'start': {}, 'roll': [{'end': 'heads or tails'}]}
        """
        data: dict[str, Any] = {
            **source_data(self.source),
            "bets": {bet: plain_number(stake) for bet, stake in self.bets.items()},
            "sees": dict(self.sees_in_roll),
            "start": dict(self.variables),
            "roll": [rule.data for rule in self.rules],
        }
        return data | ({"choose": [rule.data for rule in self.options]} if self.options else {})

    def page(self) -> Page:
        """The rules as a table."""
        rolled = getattr(self.source, "name", None) or str(self.source)
        facts = [Fact("rolled", rolled)]
        facts += [Fact(name, text) for name, text in self.sees_in_roll.items()]
        facts += [Fact(f"{name} at the start", value) for name, value in self.variables.items()]
        tables = [_rules_table("After a roll, the first rule that fits", self.rules)]
        if self.options:
            tables.append(_rules_table("Options before a roll", self.options))
        return Page("Rules", Facts(*facts), *tables)

    def _rules(
        self, kind: str, rules: Sequence[Mapping[str, Any]], names: Sequence[str]
    ) -> Iterable[Rule]:
        """The rules of one list, checked."""
        for k, data in enumerate(rules):
            with inside(kind, str(k)):
                yield self._rule(data, names, is_option=kind == "choose")

    def _rule(self, data: Mapping[str, Any], names: Sequence[str], *, is_option: bool) -> Rule:
        """One rule, checked; `names` are those that its expressions may use."""
        if not isinstance(data, Mapping):
            raise RulesError(f"{shown(data)} is not a rule; give a table with if, end, set, ...")
        keys = (*RULE_KEYS, *(["option"] if is_option else []))
        for key in data:
            if key not in keys:
                raise RulesError(f"{shown(key)} is no part of a rule; write {', '.join(keys)}")
        option = data.get("option", "")
        if is_option and (not isinstance(option, str) or not option):
            raise RulesError(f"option={shown(option)}; name the option")
        sets, counts = data.get("set", {}), data.get("count", {})
        for name in sets:
            if name not in self.variables:
                known = ", ".join(self.variables) or "none"
                raise RulesError(f"{shown(name)} is set, but the variables of start are: {known}")
        end = None
        if "end" in data:
            end = self._end(data["end"], data.get("pays", {}))
            if sets or data.get("pass_turn"):
                raise RulesError(
                    f"the end {shown(data['end'])} changes nothing more; leave set out"
                )
        elif "pays" in data:
            raise RulesError("pays without an end; name the end")
        if type(data.get("pass_turn", False)) is not bool:
            raise RulesError(f"pass_turn={shown(data['pass_turn'])}; write true or false")
        condition = str(data.get("if", ""))
        texts = {**sets, **{f"count.{name}": x for name, x in counts.items()}}
        for key, text in {**texts, **({"if": condition} if condition else {})}.items():
            with inside(key):
                parse_expression(text, names)
        return Rule(
            condition,
            end,
            tuple((name, str(text)) for name, text in sets.items()),
            tuple((name, str(text)) for name, text in counts.items()),
            data.get("pass_turn", False),
            option,
        )

    def _end(self, label: Any, pays: Any) -> Outcome:
        """An outcome, which must pay every bet."""
        if not isinstance(label, str) or not label.strip():
            raise RulesError(f"end={shown(label)}; name the end in words")
        if not isinstance(pays, Mapping):
            raise RulesError(f"pays={shown(pays)}; give the profit of each bet")
        # A bet that an end forgets would neither win nor lose.
        if missing := [bet for bet in self.bets if bet not in pays]:
            raise RulesError(
                f"{shown(label)} doesn't pay {shown(missing[0])}; write its profit, or 0"
            )
        if unknown := [bet for bet in pays if bet not in self.bets]:
            raise RulesError(
                f"{shown(label)} pays {shown(unknown[0])}, which is not among the bets"
            )
        settlements = []
        for bet, stake in self.bets.items():
            with inside("pays", bet):
                amount = pays[bet]
                if isinstance(amount, Mapping):
                    if set(amount) != {"profit", "risk"}:
                        raise RulesError(f"{shown(amount)}; give profit and risk")
                    amount = amount["profit"], amount["risk"]
                settlements.append((bet, pay(label, amount, stake)))
        return Outcome(label, tuple(settlements))


@dataclass(frozen=True)
class FacesRead:
    """A reading of a roll: the value of each expression of the faces.

    >>> from sevenout.rolling import parse_dice
    >>> FacesRead(("d1", "d2"), (("total", "d1 + d2"),))(parse_dice("2d6").roll([3, 4]))
    (7,)

    Attributes:
        faces: the names of the faces: d1, d2, ...
        expressions: pairs of a name and its expression.
    """

    faces: tuple[str, ...]
    expressions: tuple[tuple[str, str], ...]

    def __call__(self, roll: Any) -> tuple[int, ...]:
        values: tuple[int, ...] = self._function(faces_of(roll))
        return values

    @cached_property
    def _function(self) -> Callable[[tuple[Any, ...]], tuple[int, ...]]:
        parts = "".join(f"{_as_integer(text)}, " for _, text in self.expressions)
        lines = [_unpacking(dict.fromkeys(self.faces), "faces"), f"return ({parts})"]
        return _compiled("read(faces)", lines, {})

    def __reduce__(self) -> tuple[Any, ...]:  # a compiled function can't be sent to a process
        return type(self), (self.faces, self.expressions)


def rulebook_of(data: Mapping[str, Any]) -> Rulebook:
    """The game of rules as data; `Rulebook.data` is the inverse.

    >>> game = rulebook_of({"dice": [[1, 2]], "bets": {}, "sees": {}, "start": {}, "roll": []})
    >>> print(game.source)
    d2

    Raises:
        RulesError: as `Rulebook`; or no dice or cards.
    """
    if "cards" in data:
        source: Rollable = Deck(tuple(data["cards"])).deal(data["draw"])
    else:
        source = Dice([Die(faces) for faces in data["dice"]])
    named = {key: data[key] for key in ("bets", "sees", "start")}
    return Rulebook(source, data["roll"], **named, choose=data.get("choose", ()))


def parse_expression(text: Any, names: Iterable[str]) -> ast.expr:
    """The syntax of an expression that has only these names and the operators of the form.

    >>> ast.dump(parse_expression("point", ["point"]))
    "Name(id='point', ctx=Load())"

    Raises:
        RulesError: other signs, an unknown name or operator, or no expression.
    """
    text = str(text) if type(text) is int else text
    if not isinstance(text, str) or len(text) > MAX_LENGTH:
        raise RulesError(f"{shown(text)}; write an expression as text")
    if not _SPELLING.fullmatch(text):
        raise RulesError(
            f"{shown(text)} has other signs than expressions have: names, whole numbers, brackets, "
            "commas, + - * // % < > = !"
        )
    try:
        tree = ast.parse(text, mode="eval")
    # Deep brackets can exhaust the parser before they are too long.
    except (SyntaxError, RecursionError, MemoryError):
        raise RulesError(
            f"{shown(text)} is not an expression; write one such as total in (7, 11)"
        ) from None
    allowed = dict.fromkeys(names)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in allowed:
            choice = ", ".join(list(allowed)[:12]) or "none"
            raise RulesError(f"{shown(text)}: {node.id} is unknown; the names are: {choice}")
        # True is an int to isinstance, and no number here.
        whole = type(node) is not ast.Constant or type(node.value) is int
        # A list stands at the right of `in`, or in a list; elsewhere it would be a value.
        holds_list = any(isinstance(child, ast.Tuple) for child in ast.iter_child_nodes(node))
        listed = not holds_list or isinstance(node, ast.Compare | ast.Tuple)
        if type(node) not in _OPERATORS or not whole or not listed:
            raise RulesError(
                f"{shown(text)}: write whole numbers, names, comparisons, in, and, or, not, "
                "+ - * // %"
            )
    return tree.body


def equals_one_of(numbers: Sequence[int]) -> str:
    """The right side of a comparison with one number or with several.

    >>> equals_one_of([7]), equals_one_of([7, 11])
    ('== 7', 'in (7, 11)')
    """
    return f"== {numbers[0]}" if len(numbers) == 1 else f"in {tuple_text(numbers)}"


def tuple_text(parts: Iterable[Any]) -> str:
    """A list in brackets, as expressions have it."""
    parts = list(map(str, parts))
    return f"({', '.join(parts)}{',' * (len(parts) == 1)})"


def faces_of(roll: Any) -> tuple[Any, ...]:
    """The faces of a roll in the order of the dice; a result that is no roll is its own face."""
    return tuple(getattr(roll, "faces", (roll,)))


def faces_in(source: Rollable) -> int:
    """The number of faces of a roll.

    Raises:
        RulesError: what can't be rolled.
    """
    if not isinstance(source, Rollable) or isinstance(source, Reading):
        raise RulesError(f"{shown(source)}; give dice such as sevenout.dice('2d6'), or a deck")
    # Every roll has equally many faces.
    return len(faces_of(next(iter(source.law))))


def source_data(source: Rollable) -> dict[str, Any]:
    """The faces of each die, an equally likely face each, or the cards and how many are dealt.

    >>> from sevenout.rolling import parse_dice
    >>> source_data(parse_dice("d2+d3"))
    {'dice': [[1, 2], [1, 2, 3]]}

    Raises:
        RulesError: faces that are no whole numbers, or weights too large to write out.
    """
    if isinstance(source, Deal):
        return {"cards": _whole_faces(source.cards), "draw": source.cards_dealt}
    if isinstance(source, Law):
        source = Die(list(source), source.weights)
    dice: Sequence[Any] = getattr(source, "dice", (source,))
    if not all(isinstance(die, Die) for die in dice):
        raise RulesError(f"{shown(source)} has no faces that can be listed; roll dice")
    listed = []
    for die in dice:
        # A face is listed as often as it weighs.
        if sum(die.weights) > MAX_FACES:
            raise RulesError(
                f"the weights of {die} add up to over {MAX_FACES:,}; take smaller ones"
            )
        weighed = zip(die.faces, die.weights, strict=True)
        listed.append(_whole_faces(face for face, weight in weighed for _ in range(weight)))
    return {"dice": listed}


MAX_FACES = 1_000
"""The most faces of a die that is written out: a certificate should stay readable."""


def plain_number(number: Fraction) -> int | str:
    """A number as JSON and TOML hold it: an integer, or a fraction as text.

    >>> plain_number(Fraction(4, 2)), plain_number(Fraction(7, 5))
    (2, '7/5')
    """
    return int(number) if number.denominator == 1 else str(number)


def _whole_faces(faces: Iterable[Hashable]) -> list[Any]:
    """The faces as a list; refuse one that is not a whole number."""
    listed = list(faces)
    for face in listed:
        if type(face) is not int:
            raise RulesError(f"the face {shown(face)} is not a whole number")
    return listed


def _amount_data(paid: Pay) -> Any:
    profit = plain_number(paid.profit)
    return (
        profit if paid.risk == paid.stake else {"profit": profit, "risk": plain_number(paid.risk)}
    )


def _variables(start: Any) -> dict[str, int]:
    """The variables of a state with their first values, checked."""
    if not isinstance(start, Mapping):
        raise RulesError(f"start={shown(start)}; give variables, such as start.point = 0")
    for name, value in start.items():
        with inside("start", str(name)):
            _check_name(name)
            if type(value) is not int or abs(value) >= MAX_VALUE:
                raise RulesError(f"{name}={shown(value)}; a variable is a whole number")
    return dict(start)


def _check_name(name: Any) -> None:
    """Refuse a name that an expression can't use, or that faces have."""
    usable = isinstance(name, str) and _NAME.fullmatch(name) and not keyword.iskeyword(name)
    # d1 always means the first face.
    if not usable or _FACE.fullmatch(name):
        raise RulesError(
            f"{shown(name)} can't name a value; write a word such as point, but not d1, d2, ..."
        )


def _stakes(bets: Any, rules: Sequence[Any]) -> dict[str, Fraction]:
    """The stake of each bet; 1 for every bet that is paid, if none is named."""
    if bets is None:
        tables = [rule.get("pays", {}) for rule in rules if isinstance(rule, Mapping)]
        return {bet: Fraction(1) for table in tables if isinstance(table, Mapping) for bet in table}
    stakes = {}
    for bet, stake in bets.items():
        with inside("bets", bet):
            stakes[bet] = exact(stake)
            if stakes[bet] <= 0:
                raise RulesError(f"stake={shown(stake)}; stake more than 0")
    return stakes


def _unpacking(names: Mapping[str, Any], value: str) -> str:
    """A line that names the parts of a tuple; no names need none."""
    return f"{', '.join(names)}, = {value}" if names else "pass"


def _as_integer(text: str) -> str:
    """An expression as one of whole numbers: Python's comparisons are truth values."""
    tree = ast.parse(text, mode="eval").body
    arithmetic = isinstance(tree, ast.Name | ast.Constant | ast.BinOp)
    return text if arithmetic else f"int({text})"


def _check_size(state: Any) -> Any:
    """The state, if no value has grown too large."""
    for value in state if isinstance(state, tuple) else (state,):
        if abs(value) >= MAX_VALUE:
            raise RulesError(f"a variable reaches {shown(value)}; keep it below 10^12")
    return state


def _compiled(
    signature: str, lines: Sequence[str], values: Mapping[str, Any]
) -> Callable[..., Any]:
    """The function of these lines. The expressions in them were checked by `parse_expression`."""
    body = "\n".join(f"        {line}" for line in lines)
    source = f"def {signature}:\n    try:\n{body}\n    except ZeroDivisionError:\n        divided()"
    # No built-in functions: `parse_expression` lets no call through, and there is nothing to call.
    scope: dict[str, Any] = {**values, "divided": _refuse_division, "__builtins__": _BUILTINS}
    exec(source, scope)
    function: Callable[..., Any] = scope[signature.partition("(")[0]]
    return function


def _refuse_division() -> NoReturn:
    raise RulesError("a rule divides by 0; add a condition to its `if`")


_BUILTINS = {"int": int, "ZeroDivisionError": ZeroDivisionError}


def _rules_table(caption: str, rules: Sequence[Rule]) -> Table:
    """A row for each rule: its option if any, its condition, and what it does."""
    rows = []
    for rule in rules:
        effects = []
        if rule.end is not None:
            pays = [f"{bet} {_amount_data(paid)}" for bet, paid in rule.end.pays]
            effects.append("; ".join([rule.end.label, *pays]))
        effects += [f"{name} = {text}" for name, text in rule.sets]
        effects += [f"count {name}: {text}" for name, text in rule.counts]
        effects += ["the turn passes"] if rule.pass_turn else []
        option = [rule.option] if rule.option else []
        rows.append([*option, rule.condition or "always", ", ".join(effects) or "nothing changes"])
    headers = [*(["option"] if rules and rules[0].option else []), "if", "then"]
    return Table([Column(header) for header in headers], rows, caption=caption)
