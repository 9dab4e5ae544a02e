"""Optimal play of a game with choices: its value, advice in any state, a map, the strategy card."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import Any

import htpy as h

from sevenout import questions
from sevenout.catalogue import games
from sevenout.documents import Column, Table, Text
from sevenout.documents.kinds import COUNT, DECIMAL, LABEL, PERCENT
from sevenout.documents.numbers import decimal, percent
from sevenout.errors import SevenoutError, TooMuchWorkError, shown
from sevenout.extras import MissingError
from sevenout.lab.address import Address, choose, kind_of, optimum
from sevenout.lab.coach_tables import TABLES
from sevenout.lab.pages.editor_page import edited_text, values_form
from sevenout.lab.widgets import chart, copies
from sevenout.lab.widgets.chart import SIDE, Chart
from sevenout.lab.widgets.parts import (
    Field,
    Hero,
    KeyFigure,
    certainty,
    form,
    go,
    heading,
    in_words,
    problem,
)
from sevenout.lab.widgets.view import Reply, Saved, View, nodes_of
from sevenout.model.naming import in_words as state_words
from sevenout.numerals import check_digits
from sevenout.questions.arguments import ArgumentError
from sevenout.questions.states import decision_at, parse_turn
from sevenout.questions.subjects import GameSubject
from sevenout.rules import ByTurns, KeepRoll
from sevenout.solving import Optimum
from sevenout.solving.goal import goal_of_turns

PATH = "/best"
FIRST = "pig-turn"
PLAYERS = {"mine": "you", "yours": "rival", "turn": "this turn", "score": "your score"}
"""Parts of a state, as one player says them to another."""
MOST_FIELDS, MOST_PLANS = 4, 12
"""The parts of a state that have fields of their own; and the options in a table of advice."""
MAX_DIGITS = 9
CELLS, SHADES = 34, 8
"""The cells along a side of a map, at most; and its shades."""


def page(address: Address) -> View | Reply:
    text = address.get("game") or FIRST
    moved = edited_text(address, text)
    if moved is not None:
        return Reply.to(Address(PATH, {"game": moved}))
    chosen = choose(text)
    view = View(address, f"{chosen.title}, played best", PATH)
    name, *more = chosen.notation.split(";")
    options = dict(part.partition("=")[::2] for part in more)
    view.python, view.command = copies.of_question(questions.question("best"), [chosen], {})
    base = address.to(keep=("game",))
    best: Any = None
    map_card = None
    try:
        best = optimum(chosen.notation)
        figure, proof, *policy = best.page().blocks
        value = view.card("best", "The value of the game", *_value(best, figure, proof))
        map_card = _map_card(view, best)
        card = view.card("card", "How to play it", *policy)
    except SevenoutError as error:
        # A game without choices is refused; for all others the page still shows the rules.
        if chosen.goal is None:
            raise
        patient = h.p(".hint")[
            "The command line can take longer: ", h.code[f"{view.command} --budget 3600"]
        ]
        large = isinstance(error, TooMuchWorkError) and view.command
        coached = not isinstance(error, MissingError)
        value, card = problem(kind_of(error), large and patient), None
        best = TABLES.get(chosen.notation)
    else:
        coached = True
    values = values_form(base, name, options) if chosen.file is None else None
    advice = _advice_card(view, chosen, best) if best is not None else None
    view.body = [
        heading(
            chosen.title,
            in_words(chosen.rules_text),
            h.div(".actions")[
                go(
                    "Play with a coach" if coached else "Play it",
                    address.to("/table", keep=(), game=chosen.notation),
                    "main",
                ),
                go("Simulate", address.to("/simulate", keep=(), game=chosen.notation))
                if coached
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
    known = [(entry.id, entry.title) for entry in games.with_choices.values()]
    own = [] if name in games.with_choices else [("", "Your game")]
    now = name if name in games.with_choices else ""
    return form(base, Field("Game", "to-game", now, "whole", options=[*own, *known]), submit="Open")


# --- the value of the game ----------------------------------------------------------------------


def _is_probability(best: Any) -> bool:
    return "probability" in getattr(best, "unit", "")


def _value(best: Any, value: Any, proof: Any) -> list[Any]:
    """The value, large; and how it is known, folded."""
    (fact,) = value.facts
    exact = fact.value if isinstance(fact.value, Fraction) else fact.kinds[-1](fact.value)
    printed = percent(fact.value, 2) if _is_probability(best) else decimal(fact.value, 4)
    return [
        Hero(KeyFigure(printed, f"value: {fact.note}", exact, big=True)),
        Saved(value),
        h.details(".more")[
            h.summary[f"{certainty(best.bound).capitalize()}: how this is known"],
            list(nodes_of([proof])),
        ],
    ]


# --- advice in a state --------------------------------------------------------------------------


def _advice_card(view: View, chosen: GameSubject, best: Any) -> Any:
    """A form for a state, and what to do there."""
    if isinstance(chosen.game, ByTurns):
        fields, advice = _of_turns(view, chosen.game, chosen, best)
    elif isinstance(best, Optimum) and best.model.decisions and not best.model.views:
        fields, advice = _of_states(view, best)
    else:  # with hidden dice the best play is a mixture, which the card shows
        return None
    return view.card("advice", "What to do", fields, *advice)


def _of_states(view: View, best: Optimum) -> tuple[Any, list[Any]]:
    model, address = best.model, view.address
    names = model.coordinates
    # The first state in which there is something to choose.
    node = next((q for q in model.decisions if len(model.menus[q]) > 1), model.decisions[0])
    first = model.states[node]
    parts = first if isinstance(first, tuple) else (first,)
    named = len(parts) == len(names) <= MOST_FIELDS and all(type(part) is int for part in parts)
    base = address.to(keep=("game",))
    if named:
        keys = [f"at-{name}" for name in names]
        typed = [address.get(key) for key in keys]
        usual = typed if any(typed) else list(map(str, parts))
        fields = [
            Field(PLAYERS.get(name, name).capitalize(), key, part, inputmode="numeric")
            for name, key, part in zip(names, keys, usual, strict=True)
        ]
        text = ",".join(usual)
    else:
        text = address.get("at") or best.state_in_words(first)
        fields = [Field("Where you are", "at", text, "wide")]
    state_form = form(base, *fields, submit="What to do?")
    try:
        state = decision_at(model, check_digits(text, MAX_DIGITS))
        advice = _advice(view, best, state, state_words(state, [PLAYERS.get(n, n) for n in names]))
    except ArgumentError:
        advice = [problem(f"{shown(text)}: no choice is made there, or the game never gets there.")]
    except SevenoutError as error:
        advice = [problem(kind_of(error))]
    return state_form, advice


def _of_turns(view: View, game: ByTurns, chosen: GameSubject, best: Any) -> tuple[Any, list[Any]]:
    address = view.address
    rolled, left, filled = address.get("dice"), address.get("left"), address.get("filled")
    keeps = isinstance(game.turn, KeepRoll)
    rolls = [("", "2 rolls left"), ("1", "1 roll left"), ("0", "no roll left")]
    state_form = form(
        address.to(keep=("game",)),
        Field("Your dice", "dice", rolled, placeholder="1 3 3 5 6" if keeps else "4 1"),
        Field("Rolls", "left", left, options=rolls) if keeps else None,
        Field("Boxes filled, with their scores", "filled", filled, "wide", placeholder="none yet"),
        submit="What to do?",
    )
    if not rolled:
        hint = "Enter your dice: the best choice and the cost of every other are shown."
        return state_form, [h.p(".hint")[hint]]
    goal = goal_of_turns(game, **(chosen.goal or {}))
    text = ";".join(filter(None, [filled, rolled, left]))
    try:
        state = parse_turn(game, goal, check_digits(text, MAX_DIGITS))
        advice = _advice(view, best, state, "")
    except SevenoutError as error:
        advice = [problem(kind_of(error))]
    return state_form, advice


def _advice(view: View, best: Any, state: Any, words: str) -> list[Any]:
    """The best option of a state, and all of them with their costs."""
    options = best.combined_options(state)
    first = options[0]
    kind, what = (PERCENT, "to win") if _is_probability(best) else (DECIMAL, "then to come")
    columns = [Column("option"), Column(what, kind), Column("costs", kind)]
    rows = [
        (option.name, option.value, best.cost(state, option.name) or None)
        for option in options[:MOST_PLANS]
    ]
    then = percent(first.value, 2) if kind is PERCENT else decimal(first.value, 2)
    what_then = "to win" if kind is PERCENT else "to come on average"
    rest = len(options) - MOST_PLANS
    view.announcement = f"best: {first.name}, {then} {what_then}"
    return [
        Hero(
            # Its spaces don't break: what follows the last would be set small, as a unit is.
            KeyFigure(first.name.replace(" ", "\u00a0"), "best", words, big=True),
            KeyFigure(then, what_then),
        ),
        Table(columns, rows),
        Text(f"{rest} more options are worse.", tone="note") if rest > 0 else None,
    ]


# --- the map ------------------------------------------------------------------------------------


def _map_card(view: View, best: Any) -> Any:
    """Where the choice turns, by the scores of both players; None for games of another shape."""
    if not isinstance(best, Optimum) or len(best.model.coordinates) != 3 or best.model.views:
        return None
    model = best.model
    states: list[Any] = [model.states[q] for q in model.decisions if len(model.menus[q]) > 1]
    if not states or not all(type(part) is int for part in states[0]):
        return None
    mine, yours, turn = (PLAYERS.get(name, name) for name in model.coordinates)
    most = max(max(state[:2]) for state in states) + 1
    step = -(-most // CELLS)
    most = -(-most // step) * step  # the last cells are as wide as the others
    shown = [state for state in states if not state[0] % step and not state[1] % step]
    turns, low, high = _turning_points(best, shown)
    points = [point for point, _ in turns.values() if point is not None]
    if not points:  # the same option is the best everywhere
        return None
    x, y = (chart.axis(0.0, float(most), name, 5) for name in (yours, mine))
    caption = f"Where the choice turns from {low} to {high}, by the scores of both."
    table = Table(
        [Column(mine, COUNT), Column(yours, COUNT), Column(f"{high} from", LABEL)],
        [(*place, turns[place][0]) for place in sorted(turns)],
    )
    least, greatest = min(points), max(points)
    return view.card(
        "map",
        f"When to {high}",
        Chart(x, y, _cells(turns, step, most, least, greatest), caption),
        Saved(table),
        h.p(".hint")[
            f"Faint: {high} from {least} in {turn} on. Strong: only from {greatest}. "
            f"Grey: always {low}."
        ],
    )


Turning = dict[tuple[int, int], tuple[int | None, str]]


def _turning_points(best: Optimum, states: Iterable[Any]) -> tuple[Turning, str, str]:
    """By both scores, the least turn at which the best option is another than at first."""
    turns: Turning = {}
    low = high = ""
    for state in sorted(states):
        place, option = (state[0], state[1]), best.policy[state]
        low = low or option
        point, _ = turns.setdefault(place, (None, option))
        if point is None and option != low:
            high = high or option
            turns[place] = (state[2], option)
    return turns, low, high


def _cells(turns: Turning, step: int, most: int, least: int, greatest: int) -> str:
    """The cells as rectangles; neighbours of one shade are one, which keeps the page small."""
    shapes, side = "", SIDE * step / most
    for row in range(0, most, step):
        shades = [
            (column, _shade(turns.get((row, column), (None, ""))[0], least, greatest))
            for column in range(0, most, step)
            if (row, column) in turns
        ]
        for shade, run in groupby(shades, itemgetter(1)):
            columns = [column for column, _ in run]
            left, top = SIDE * columns[0] / most, SIDE - SIDE * row / most - side
            kind = f'class="fill" opacity="{shade:.2f}"' if shade else 'class="fill off"'
            shapes += (
                f'<rect x="{left:.1f}" y="{top:.1f}" width="{len(columns) * side:.1f}" '
                f'height="{side:.1f}" {kind}/>'
            )
    return shapes


def _shade(point: int | None, least: int, greatest: int) -> float:
    """The opacity of a turning point; 0 if there is none."""
    if point is None:
        return 0.0
    level = SHADES * (point - least) // (greatest - least + 1)
    return (1 + level) / SHADES
