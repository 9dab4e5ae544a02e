"""Optimal play of a game with choices: its value, advice in any state, a map, the strategy card."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import htpy as h

from sevenout import questions
from sevenout.catalogue import games
from sevenout.documents import Column, Table, Text
from sevenout.documents.kinds import COUNT, DECIMAL, LABEL, PERCENT
from sevenout.documents.numbers import decimal, percent
from sevenout.errors import SevenoutError, shown
from sevenout.extras import MissingError
from sevenout.lab.address import (
    Address,
    error_sentence,
    game_subject,
    optimum,
    split_notation,
)
from sevenout.lab.coach_tables import TABLES, OptimalPlay
from sevenout.lab.pages.editor_page import edited_text, options_form
from sevenout.lab.widgets import chart, copies
from sevenout.lab.widgets.chart import Chart
from sevenout.lab.widgets.parts import (
    Field,
    Hero,
    KeyFigure,
    certainty,
    form,
    heading,
    link_button,
    more_budget_hint,
    problem,
    prose_nodes,
)
from sevenout.lab.widgets.view import Reply, Saved, View, folded
from sevenout.model.naming import in_words as state_words
from sevenout.numerals import check_digits
from sevenout.questions.arguments import ArgumentError
from sevenout.questions.states import decision_at, parse_turn
from sevenout.questions.subjects import GameSubject
from sevenout.rules import ByTurns, KeepRoll
from sevenout.solving import Optimum
from sevenout.solving.best_play import BestPlay
from sevenout.solving.goal import goal_of_turns

PATH = "/best"
DEFAULT_NAME = "pig-turn"
COORDINATE_WORDS = {"mine": "you", "yours": "rival", "turn": "this turn", "score": "your score"}
"""Parts of a state, as one player says them to another."""
MAX_FIELDS, MAX_OPTIONS = 4, 12
"""The parts of a state that have fields of their own; and the options in a table of advice."""
MAX_STATE_DIGITS = 9
MAX_MAP_CELLS, MAP_SHADES = 34, 8
"""The cells along a side of a map, at most; and its shades."""


def page(address: Address) -> View | Reply:
    """Optimal play of a game: its value, its advice in a state, and its policy."""
    notation = address.get("game") or DEFAULT_NAME
    new_text = edited_text(address, notation)
    if new_text is not None:
        return Reply.redirect(Address(PATH, {"game": new_text}))
    subject = game_subject(notation)
    view = View(address, f"{subject.title}, played best", PATH)
    name, options = split_notation(subject.notation)
    view.python, view.command = copies.of_question(questions.question("best"), [subject], {})
    base = address.to(keep=("game",))
    answer: OptimalPlay | None = None
    map_card, can_coach = None, True
    try:
        answer = optimum(subject.notation)
        figure, proof, *policy = answer.page().blocks
        value = view.add_card("best", "The value of the game", *_value_parts(answer, figure, proof))
        map_card = _map_card(view, answer)
        card = view.add_card("card", "How to play it", *policy)
    except SevenoutError as error:
        # A game without choices is refused; for all others the page still shows the rules.
        if subject.goal is None:
            raise
        can_coach = not isinstance(error, MissingError)
        value, card = problem(error_sentence(error), more_budget_hint(error, view.command)), None
        answer = TABLES.get(subject.notation)
    values = options_form(base, name, options) if subject.file is None else None
    advice = _advice_card(view, subject, answer) if answer is not None else None
    view.body = [
        heading(
            subject.title,
            prose_nodes(subject.rules_text),
            h.div(".actions")[
                link_button(
                    "Play with a coach" if can_coach else "Play it",
                    address.to("/table", keep=(), game=subject.notation),
                    "main",
                ),
                link_button("Simulate", address.to("/simulate", keep=(), game=subject.notation))
                if can_coach
                else None,
            ],
        ),
        h.div(".row.seats")[_picker(base, name), values],
        h.div(".columns")[
            h.div(".stack")[advice, value],
            h.div(".stack")[map_card, card] if card is not None else None,
        ],
    ]
    return view


def _picker(base: Address, name: str) -> Any:
    """The list of games with choices."""
    options = [(entry.id, entry.title) for entry in games.with_choices.values()]
    if name not in games.with_choices:
        name = ""
        options.insert(0, ("", "Your game"))
    return form(base, Field("Game", "to-game", name, "whole", options=options), submit="Open")


# --- the value of the game ----------------------------------------------------------------------


def _is_probability(answer: OptimalPlay) -> bool:
    """Whether the value of the game is a probability, not a number of points or turns."""
    return isinstance(answer, BestPlay) and answer.goal.is_probability


def _value_parts(answer: BestPlay, figure: Any, proof: Any) -> list[Any]:
    """The value, large; and how it is known, folded."""
    (fact,) = figure.facts
    exact = fact.value if isinstance(fact.value, Fraction) else fact.kinds[-1](fact.value)
    printed = percent(fact.value, 2) if _is_probability(answer) else decimal(fact.value, 4)
    return [
        Hero(KeyFigure(printed, f"value: {fact.note}", exact, big=True)),
        Saved(figure),
        folded(f"{certainty(answer.bound).capitalize()}: how this is known", proof),
    ]


# --- advice in a state --------------------------------------------------------------------------


def _advice_card(view: View, subject: GameSubject, answer: OptimalPlay) -> Any:
    """A form for a state, and what to do there; None where the best play is a mixture."""
    if isinstance(subject.game, ByTurns):
        fields, advice = _turn_advice(view, subject.game, subject, answer)
    elif isinstance(answer, Optimum) and answer.model.decisions and not answer.model.views:
        fields, advice = _state_advice(view, answer)
    else:  # with hidden dice the best play is a mixture, which the card shows
        return None
    return view.add_card("advice", "What to do", fields, *advice)


def _state_advice(view: View, answer: Optimum) -> tuple[Any, list[Any]]:
    """The form for a state of a game, and what to do there."""
    model, address = answer.model, view.address
    names = model.coordinates
    # The first state in which there is something to choose.
    node = next((q for q in model.decisions if len(model.menus[q]) > 1), model.decisions[0])
    example = model.states[node]
    parts = example if isinstance(example, tuple) else (example,)
    base = address.to(keep=("game",))
    if len(parts) == len(names) <= MAX_FIELDS and all(type(part) is int for part in parts):
        # A field that is left out, or sent empty, has the value of the example.
        texts = [
            address.get(f"at-{name}", str(part)) for name, part in zip(names, parts, strict=True)
        ]
        fields = [
            Field(
                COORDINATE_WORDS.get(name, name).capitalize(),
                f"at-{name}",
                text,
                inputmode="numeric",
            )
            for name, text in zip(names, texts, strict=True)
        ]
        text = ",".join(texts)
    else:
        text = address.get("at") or answer.state_in_words(example)
        fields = [Field("Where you are", "at", text, "wide")]
    state_form = form(base, *fields, submit="What to do?")
    try:
        state = decision_at(model, check_digits(text, MAX_STATE_DIGITS))
        words = state_words(state, [COORDINATE_WORDS.get(name, name) for name in names])
        advice = _advice(view, answer, state, words)
    except ArgumentError:
        advice = [problem(f"{shown(text)}: no choice is made there, or the game never gets there.")]
    except SevenoutError as error:
        advice = [problem(error_sentence(error))]
    return state_form, advice


def _turn_advice(
    view: View, game: ByTurns, subject: GameSubject, answer: OptimalPlay
) -> tuple[Any, list[Any]]:
    """The form for the dice and boxes of a game of turns, and what to do with them."""
    address = view.address
    dice, rolls_left, filled = address.get("dice"), address.get("left"), address.get("filled")
    keeps_dice = isinstance(game.turn, KeepRoll)
    rolls = [("", "2 rolls left"), ("1", "1 roll left"), ("0", "no roll left")]
    state_form = form(
        address.to(keep=("game",)),
        Field("Your dice", "dice", dice, placeholder="1 3 3 5 6" if keeps_dice else "4 1"),
        Field("Rolls", "left", rolls_left, options=rolls) if keeps_dice else None,
        Field("Boxes filled, with their scores", "filled", filled, "wide", placeholder="none yet"),
        submit="What to do?",
    )
    if not dice:
        hint = "Enter your dice: the best choice and the cost of every other are shown."
        return state_form, [h.p(".hint")[hint]]
    goal = goal_of_turns(game, **(subject.goal or {}))
    text = ";".join(filter(None, [filled, dice, rolls_left]))
    try:
        state = parse_turn(game, goal, check_digits(text, MAX_STATE_DIGITS))
        advice = _advice(view, answer, state, "")
    except SevenoutError as error:
        advice = [problem(error_sentence(error))]
    return state_form, advice


def _advice(view: View, answer: OptimalPlay, state: Any, words: str) -> list[Any]:
    """The best option of a state, and all of them with their costs."""
    options = answer.combined_options(state)
    best = options[0]
    if _is_probability(answer):
        kind, head, unit, value = PERCENT, "to win", "to win", percent(best.value, 2)
    else:
        kind, head, unit = DECIMAL, "then to come", "to come on average"
        value = decimal(best.value, 2)
    columns = [Column("option"), Column(head, kind), Column("costs", kind)]
    rows = [
        (option.name, option.value, answer.cost(state, option.name) or None)
        for option in options[:MAX_OPTIONS]
    ]
    n_hidden = len(options) - MAX_OPTIONS
    view.announcement = f"best: {best.name}, {value} {unit}"
    return [
        Hero(
            # Its spaces don't break: what follows the last would be set small, as a unit is.
            KeyFigure(best.name.replace(" ", "\u00a0"), "best", words, big=True),
            KeyFigure(value, unit),
        ),
        Table(columns, rows),
        Text(f"{n_hidden} more options are worse.", tone="note") if n_hidden > 0 else None,
    ]


# --- the map ------------------------------------------------------------------------------------


def _map_card(view: View, answer: OptimalPlay) -> Any:
    """Where the choice turns, by the scores of both players; None for games of another shape."""
    if not isinstance(answer, Optimum) or len(answer.model.coordinates) != 3 or answer.model.views:
        return None
    model = answer.model
    states: list[Any] = [model.states[q] for q in model.decisions if len(model.menus[q]) > 1]
    if not states or not all(type(part) is int for part in states[0]):
        return None
    mine, yours, turn = (COORDINATE_WORDS.get(name, name) for name in model.coordinates)
    size = max(max(state[:2]) for state in states) + 1
    step = -(-size // MAX_MAP_CELLS)
    size = -(-size // step) * step  # the last cells are as wide as the others
    drawn = [state for state in states if not state[0] % step and not state[1] % step]
    turns, first, second = _turning_points(answer, drawn)
    points = [point for point in turns.values() if point is not None]
    if not points:  # the same option is the best everywhere
        return None
    x, y = (chart.axis(0.0, float(size), name, 5) for name in (yours, mine))
    caption = f"Where the choice turns from {first} to {second}, by the scores of both."
    table = Table(
        [Column(mine, COUNT), Column(yours, COUNT), Column(f"{second} from", LABEL)],
        [(*scores, turns[scores]) for scores in sorted(turns)],
    )
    earliest, latest = min(points), max(points)
    shades = [
        [
            _shade(turns[row, column], earliest, latest) if (row, column) in turns else None
            for column in range(0, size, step)
        ]
        for row in range(0, size, step)
    ]
    return view.add_card(
        "map",
        f"When to {second}",
        Chart(x, y, chart.shaded_cells(shades), caption),
        Saved(table),
        h.p(".hint")[
            f"Faint: {second} from {earliest} in {turn} on. Strong: only from {latest}. "
            f"Grey: always {first}."
        ],
    )


def _turning_points(
    answer: Optimum, states: Iterable[Any]
) -> tuple[dict[tuple[int, int], int | None], str, str]:
    """By both scores, the least turn at which the best option is not the first; None if none is.

    Also returns the first option and the second.
    """
    turns: dict[tuple[int, int], int | None] = {}
    first = second = ""
    for state in sorted(states):
        scores, option = (state[0], state[1]), answer.policy[state]
        first = first or option
        turns.setdefault(scores, None)
        if turns[scores] is None and option != first:
            second = second or option
            turns[scores] = state[2]
    return turns, first, second


def _shade(point: int | None, earliest: int, latest: int) -> float:
    """The opacity of a turning point; 0 if there is none."""
    if point is None:
        return 0.0
    level = MAP_SHADES * (point - earliest) // (latest - earliest + 1)
    return (1 + level) / MAP_SHADES
