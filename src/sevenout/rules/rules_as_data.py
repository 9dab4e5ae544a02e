"""The families of games, written in the one form of rules as data.

Hold or roll and races are played by the rules that they write; only what they see in a roll is
added here. The other families play themselves by a step of their own, and their rules are written
here a second time. The states and rolls of point games, wagers and checklists have names
("come-out", "hard 8"), and the form has whole numbers; checklists may merge like entries. Bets on a
hand roll whole rounds, and the form rolls faces. A certificate carries the `Rulebook`, and its
checker expands it. A test explores both and compares them, for every game of the catalogue.

A family that is missing here is proved by its states, listed one by one. These are bets on one
table (their rules would multiply), and games that keep dice (their options are sets of dice).
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from sevenout.errors import RulesError, shown
from sevenout.rolling import Rollable
from sevenout.rules.combined_games import FlatGame, Streak, bare_dice, read_roll
from sevenout.rules.game import Game
from sevenout.rules.guarded_rules import (
    Rule,
    Rulebook,
    equals_one_of,
    faces_in,
    faces_of,
    tuple_text,
)
from sevenout.rules.modified_games import LEAVE, RIDE, Surrender
from sevenout.rules.outcome import Outcome
from sevenout.rules.point_games import PointGame, PointsMade, RoundsWon
from sevenout.rules.race_games import HoldGame, Race
from sevenout.rules.wagers import Checklist, Wager

MAX_ROLLS = 50_000
"""The most rolls of a game whose rules are written: an event may list every one of them."""
Faces = tuple[int, ...]
RuleData = dict[str, Any]


def rulebook_of_game(game: Game) -> Rulebook:
    """The rules of a game of a family, as data.

    >>> from sevenout.catalogue import games
    >>> rulebook_of_game(games["craps"]).rules[-1].data
    {'if': 'point == 0', 'set': {'point': 'total'}}

    Raises:
        RulesError: the rules are a program, or its dice can't be written as faces.
    """
    if isinstance(game, Rulebook):
        return game
    inner = game.game if isinstance(game, FlatGame) else game
    # The exact type: a subclass may have other rules.
    write = _WRITERS.get(type(inner))
    if write is None:
        raise RulesError(f"the rules of {type(inner).__name__} are a program, not data")
    return write(inner)


class RollEvents:
    """What a family reads in a roll, as expressions of the faces.

    It finds the shortest description of a set of rolls: totals, totals with all dice alike, totals
    with dice that differ, or a list of the rolls.

    Attributes:
        source: the dice or the deck.
        rolls: the faces of every roll, with the value that the game's reading gives it.
        faces: the names d1, d2, ... of the faces.
    """

    def __init__(self, rolled: Any) -> None:
        self.source: Rollable = bare_dice(rolled.dice if isinstance(rolled, Game) else rolled)
        count = faces_in(self.source)
        self.faces = [f"d{i}" for i in range(1, count + 1)]
        # Ten dice have 60 million rolls.
        if len(self.source.law) > MAX_ROLLS:
            raise RulesError(f"{len(self.source.law):,} rolls are too many to list")
        self.rolls: dict[Faces, Any] = {}
        for roll in self.source.law:
            faces = faces_of(roll)
            if not all(type(face) is int for face in faces):
                raise RulesError(f"a face of {shown(faces)} is not a whole number")
            self.rolls[faces] = read_roll(rolled, roll)

    @property
    def sum_text(self) -> str:
        """The sum of the faces, as an expression."""
        return " + ".join(self.faces)

    def expression(self, values: Collection[Hashable], value_of: Any = None) -> str:
        """An expression that holds for the rolls of these values, and for no other."""
        read = value_of or self.rolls.__getitem__
        rolls = {faces for faces in self.rolls if read(faces) in values}
        totals = sorted({sum(faces) for faces in rolls})
        # The shortest text first: totals, doubles among them, rolls that are no doubles.
        for condition, fits in ((None, True), ("", True), ("not ", False)):
            alike = [f for f in self.rolls if condition is None or (len({*f}) == 1) is fits]
            if rolls and {f for f in alike if sum(f) in totals} == rolls:
                total = f"{self.sum_text} {equals_one_of(totals)}"
                if condition is None:
                    return total
                every = {sum(f) for f in alike} == set(totals)
                same = f"{condition}({' == '.join(self.faces)})" if condition else self.alike_text
                return same if every else f"{total} and {same}"
        if len(self.faces) == 1:
            return f"d1 {equals_one_of(sorted(face for (face,) in rolls))}"
        return f"({', '.join(self.faces)}) in {tuple_text(map(tuple_text, sorted(rolls)))}"

    @property
    def alike_text(self) -> str:
        """The condition that all faces are equal."""
        return " == ".join(self.faces)

    def total(self, values: Mapping[Hashable, int]) -> str:
        """An expression of the number that stands for the value of a roll."""
        shifts = {values[value] - sum(faces) for faces, value in self.rolls.items()}
        if len(shifts) == 1:
            shift = shifts.pop()
            text = f"{self.sum_text} + {shift}".replace("+ -", "- ")
            return text if shift else self.sum_text
        parts = [f"{n} * ({self.expression([value])})" for value, n in values.items() if n]
        return " + ".join(parts) or "0"


class PointGameRules:
    """A point game as rules: conditions of its variables `point` and `rolled`, and of the total.

    Attributes:
        events: what it reads in a roll.
        number_of_total: the number that stands for each total; a whole number stands for itself.
        no_point: the value of `point` before one is on: no number of a total.
        sees, start: as in a rulebook.
    """

    def __init__(self, game: PointGame) -> None:
        self.game, self.events = game, RollEvents(getattr(game.dice, "totals", game.dice))
        totals = game.totals
        # A reading such as "2-3" has no number, so its totals are numbered.
        whole = all(type(total) is int for total in totals)
        numbers: Sequence[Any] = totals if whole else range(1, len(totals) + 1)
        self.number_of_total: dict[Hashable, int] = dict(zip(totals, numbers, strict=True))
        self.no_point = min(numbers) - 1 if 0 in numbers else 0
        self.sees = {"total": self.events.total(self.number_of_total)}
        if game.hard:
            hard = {faces: game.dice.roll(faces).hard for faces in self.events.rolls}  # type: ignore[attr-defined]
            self.sees["hard"] = self.events.expression([True], hard.__getitem__)
        self.start = {"point": self.no_point} | ({"rolled": 0} if game.limit is not None else {})

    @property
    def coming_out(self) -> str:
        """The condition of the come-out."""
        return f"point == {self.no_point}"

    def outcome_conditions(self) -> list[tuple[str, Outcome]]:
        """A condition for each outcome. They exclude each other, but for `late`, which is last."""
        game, conditions = self.game, list[tuple[str, Outcome]]()
        for event in ("natural", "craps", "push"):
            totals = game.totals_by_event[event]
            conditions += self._by_outcome(event, totals, "total", self.coming_out)
        made = [("easy", "not hard"), ("point", "hard")] if game.hard else [("point", "")]
        for event, way in made:
            condition = " and ".join(filter(None, ["total == point", way]))
            for roll in range(1, game.distinct_rolls + 1):
                when = condition
                # With pays by roll, all rolls after the last that has its own pay are alike.
                if game.distinct_rolls > 1:
                    operator = "==" if roll < game.distinct_rolls else ">="
                    when += f" and rolled {operator} {roll - 1}"
                conditions += self._by_outcome(event, game.points, "point", when, roll)
        out = f"total == {self.number_of_total[game.out]} and point != {self.no_point}"
        conditions += self._by_outcome("out", game.points, "point", out)
        if game.limit is not None:
            late = f"rolled == {game.limit - 1} and point != {self.no_point}"
            conditions += self._by_outcome("late", game.points, "point", late)
        return conditions

    def moves(self) -> list[RuleData]:
        """The rules that settle nothing; they come after the others."""
        game, rules = self.game, list[RuleData]()
        if game.rerolls:
            # A rule that changes nothing: the come-out is rolled again.
            again = f"{self.coming_out} and total {equals_one_of(self._sorted(game.rerolls))}"
            rules.append({"if": again})
        rules.append({"if": self.coming_out, "set": {"point": "total"}})
        if game.limit is not None:
            rules.append({"set": {"rolled": "rolled + 1"}})
        return rules

    def reset(self) -> dict[str, str]:
        """The variables at the next come-out."""
        return {name: str(value) for name, value in self.start.items()}

    def _by_outcome(
        self, event: str, totals: Iterable[Hashable], name: str, when: str, roll: int = 0
    ) -> list[tuple[str, Outcome]]:
        """The condition of each outcome of an event; totals with one outcome share it."""
        by_outcome: dict[Any, list[Hashable]] = {}
        outcomes: dict[Any, Outcome] = {}
        for total in sorted(totals, key=self.game.rank.__getitem__):
            outcome = self.game.outcome_of(event, total, roll)
            key = outcome.label, tuple((bet, paid[1:]) for bet, paid in outcome.pays)
            by_outcome.setdefault(key, []).append(total)
            outcomes.setdefault(key, outcome)
        # All points are paid alike, so the rule need not name them.
        if name == "point" and len(by_outcome) == 1:
            return [(when, outcome) for outcome in outcomes.values()]
        return [
            (f"{when} and {name} {equals_one_of(self._sorted(group))}", outcomes[key])
            for key, group in by_outcome.items()
        ]

    def _sorted(self, totals: Iterable[Hashable]) -> list[int]:
        return sorted(self.number_of_total[total] for total in totals)


def _line(game: PointGame) -> Rulebook:
    """A point game: its outcomes, then the rules that set the point and count the rolls."""
    line = PointGameRules(game)
    settled = [ending(outcome, condition) for condition, outcome in line.outcome_conditions()]
    return _rulebook(line.events, game, settled + line.moves(), line.sees, line.start)


def _wager(game: Wager) -> Rulebook:
    """A wager: a rule for each group of deciding rolls, then the limit, if any."""
    events, sees, rules = RollEvents(game.dice), {}, []
    for k, rolls in enumerate(game.pays, 1):
        sees[f"event{k}"] = events.expression(rolls)
        rules.append(ending(game.outcome_by_roll[rolls[0]], f"event{k}"))
    if game.rest_outcome is None:
        return _rulebook(events, game, rules, sees, {})
    if game.limit == 1:
        return _rulebook(events, game, [*rules, ending(game.rest_outcome)], sees, {})
    assert game.limit is not None
    rules += [ending(game.rest_outcome, "left == 1"), {"set": {"left": "left - 1"}}]
    return _rulebook(events, game, rules, sees, {"left": game.limit})


def _checklist(game: Checklist) -> Rulebook:
    """A checklist: a variable counts each entry; the stop pays for those that are complete."""
    if game.alike:
        raise RulesError("it merges like entries; without merging it has too many states")
    events, entries = RollEvents(game.dice), list(enumerate(game.times.items(), 1))
    sees = {f"event{k}": events.expression(rolls) for k, (rolls, _) in entries}
    sees["stop"] = events.expression([game.stop])
    complete = [f"(count{k} == {times})" for k, (_, times) in entries]
    # With `first_wins` any full entry wins, else all must be full.
    enough = 1 if game.first_wins else len(entries)
    rules = []
    if game.pays_part:
        count = " + ".join(complete)
        rules += [
            ending(game.outcomes_by_entries[n], f"stop and {count} == {n}")
            for n in range(len(entries))
        ]
    else:
        rules.append(ending(game.outcomes_by_entries[0], "stop"))
    for k, (_, times) in entries:
        others = " + ".join(part for j, part in enumerate(complete, 1) if j != k) or "0"
        last = f"event{k} and count{k} == {times - 1} and {others} == {enough - 1}"
        rules.append(ending(game.winning_outcome, last))
        more = f"event{k} and count{k} < {times}"
        rules.append({"if": more, "set": {f"count{k}": f"count{k} + 1"}})
    return _rulebook(events, game, rules, sees, {f"count{k}": 0 for k, _ in entries})


def _rounds_won(game: RoundsWon) -> Rulebook:
    """A bet on rounds won: each round of the point game ends in a rule that resets the point."""
    line, most = PointGameRules(game.dice), max(game.pays)
    bet = next(iter(game.dice.bets))
    won, pushed, lost = _round_conditions(line, lambda outcome: outcome.profit(bet))
    rules, reset = list[RuleData](), line.reset()
    if won:
        rules.append(ending(game.outcome_of(most), f"({won}) and won == {most - 1}"))
        rules.append({"if": won, "set": {**reset, "lost": "0", "won": "won + 1"}})
    if pushed:
        rules.append({"if": pushed, "set": reset})
    if lost:
        last = f"({lost}) and lost == {game.losses - 1}"
        # The highest prize is paid as soon as it is won, by a rule of its own.
        for least in sorted(game.pays, reverse=True)[1:]:
            rules.append(ending(game.outcome_of(least), f"{last} and won >= {least}"))
        rules.append(ending(game.outcome_of(0), last))
        rules.append({"if": lost, "set": {**reset, "lost": "lost + 1"}})
    start = {**line.start, "lost": 0, "won": 0}
    return _rulebook(line.events, game, rules + line.moves(), line.sees, start)


def _streak(game: Streak) -> Rulebook:
    """A streak of a point game, whose rounds and wins are counted."""
    if not isinstance(game.dice, PointGame):
        raise RulesError(f"its inner game, {type(game.dice).__name__}, is a program, not data")
    line = PointGameRules(game.dice)
    won, pushed, lost = _round_conditions(line, lambda outcome: outcome.profit(game.bet))
    rules, reset = list[RuleData](), line.reset()
    if won:
        count = {"rounds": "1", "won": "1"}
        rules.append({"if": won, "set": {**reset, "lost": "0"}, "count": count})
    if pushed:
        rules.append({"if": pushed, "set": reset, "count": {"rounds": "1"}})
    if lost:
        last = f"({lost}) and lost == {game.losses - 1}"
        rules.append({"if": last, "end": "turn over", "count": {"rounds": "1"}})
        more = {**reset, "lost": "lost + 1"}
        rules.append({"if": lost, "set": more, "count": {"rounds": "1"}})
    start = {**line.start, "lost": 0}
    return _rulebook(line.events, game, rules + line.moves(), line.sees, start)


def _points_made(game: PointsMade) -> Rulebook:
    """A round makes its point, is out, or neither."""
    line, most = PointGameRules(game.dice), game.winning_points
    score_by_label = {line.game.event_labels["point"]: 1, line.game.event_labels["out"]: -1}
    made, neither, out = _round_conditions(
        line, lambda outcome: score_by_label.get(outcome.label, 0)
    )
    points = [line.number_of_total[point] for point in game.points_in_order]
    marks = {f"made{k}": point for k, point in enumerate(points, 1)} if game.different else {}
    count = " + ".join(marks) if marks else "points"
    reset, rules = line.reset(), list[RuleData]()
    for n in range(most):
        rules.append(ending(game.outcome_of(n), f"{out} and {count} == {n}"))
    if game.different:
        new = " or ".join(f"point == {point} and not {mark}" for mark, point in marks.items())
        last = f"{made} and {count} == {most - 1} and ({new})"
        sets = {mark: f"{mark} or point == {point}" for mark, point in marks.items()}
    else:
        last, sets = f"{made} and points == {most - 1}", {"points": "points + 1"}
    rules.append(ending(game.outcome_of(most), last))
    rules.append({"if": made, "set": {**reset, **sets}})
    if neither:
        rules.append({"if": neither, "set": reset})
    start = {**line.start, **(dict.fromkeys(marks, 0) if marks else {"points": 0})}
    return _rulebook(line.events, game, rules + line.moves(), line.sees, start)


def _surrender(game: Surrender) -> Rulebook:
    """A game with offers: its rules, with options before the rolls."""
    # The game's rules stay as they are; only options come before the rolls.
    book = rulebook_of_game(game.game)
    places = [
        (_offer_condition(game, book, state), outcome)
        for state, outcome in game.surrender_outcomes.items()
    ]
    choose: list[RuleData] = [
        {"option": RIDE, "if": " or ".join(f"({place})" for place, _ in places)}
    ]
    choose += [{"option": LEAVE, **ending(outcome, place)} for place, outcome in places]
    return Rulebook(
        book.source,
        [rule.data for rule in book.rules],
        bets=book.bets,
        sees=book.sees_in_roll,
        start=book.variables,
        choose=choose,
    )


def _offer_condition(game: Surrender, book: Rulebook, state: Any) -> str:
    """The condition that a bet is where an offer is made."""
    if isinstance(game.game, Checklist):
        return f"{' + '.join(book.variables)} == {state}"
    numbers = PointGameRules(game.game).number_of_total
    if isinstance(state, tuple):
        return f"point == {numbers[state[0]]} and rolled == {state[1]}"
    return f"point == {numbers[state]}"


def _guarded(game: HoldGame | Race) -> Rulebook:
    """A game that writes its rules; only what is seen in a roll is added: a bust and the gain, or
    the move.
    """
    events = RollEvents(game.die.totals)
    sees = {"move": events.total({value: value for value in events.rolls.values()})}
    if isinstance(game, HoldGame):
        # One die of the bust faces is enough.
        busts = [f"{face} {equals_one_of(sorted(game.bust))}" for face in events.faces]
        sees = {"bust": " or ".join(busts), "gain": sees["move"]}
    choose, rules = ([rule.data for rule in listed] for listed in (game.options, game.rules))
    return _rulebook(events, game, rules, sees, game.variables, choose=choose)


def ending(outcome: Outcome, condition: str = "") -> RuleData:
    """A rule that ends the game with an outcome."""
    return Rule(condition, outcome).data


def _rulebook(
    events: RollEvents,
    game: Any,
    rules: Sequence[RuleData],
    sees: Mapping[str, str],
    start: Mapping[str, int],
    *,
    choose: Sequence[RuleData] = (),
) -> Rulebook:
    """The rulebook, with the game's stakes."""
    stakes = {bet: pay.stake for outcome in game.outcomes[:1] for bet, pay in outcome.pays}
    return Rulebook(events.source, rules, bets=stakes, sees=sees, start=start, choose=choose)


def _round_conditions(
    line: PointGameRules, score_of: Callable[[Outcome], int | Fraction]
) -> tuple[str, str, str]:
    """The conditions that a round scores more than 0, 0, or less; "" for what can't happen."""
    won, neither, lost = list[str](), list[str](), list[str]()
    for condition, outcome in line.outcome_conditions():
        score = score_of(outcome)
        if score > 0:
            won.append(condition)
        elif score < 0:
            lost.append(condition)
        else:
            neither.append(condition)
    return _any_of(won), _any_of(neither), _any_of(lost)


def _any_of(conditions: Sequence[str]) -> str:
    """A condition that holds if any of these does; "" for none."""
    if len(conditions) == 1:
        return conditions[0]
    return " or ".join(f"({condition})" for condition in conditions)


_WRITERS: dict[type, Callable[[Any], Rulebook]] = {
    PointGame: _line,
    Wager: _wager,
    Checklist: _checklist,
    RoundsWon: _rounds_won,
    PointsMade: _points_made,
    Streak: _streak,
    Surrender: _surrender,
    HoldGame: _guarded,
    Race: _guarded,
}
