"""The table of a game of turns: dice kept and rolled again, a score card, a coach."""

from fractions import Fraction
from typing import Any

import htpy as h

from sevenout.documents import Column, Table
from sevenout.documents.kinds import COUNT, DECIMAL, LABEL
from sevenout.documents.numbers import decimal, percent, quantity
from sevenout.errors import NotationError, shown
from sevenout.lab.address import Address, acts_of, optimum, seed_of, with_acts
from sevenout.lab.by_hand import TurnSession, cached_turns
from sevenout.lab.coach_tables import TABLES, OptimalPlay, scores_of
from sevenout.lab.pages.felt_drawing import PATH, felt, seats, undo_button
from sevenout.lab.widgets import copies
from sevenout.lab.widgets.parts import Hero, KeyFigure, bar_item, die, heading, link_button
from sevenout.lab.widgets.view import Linked, Saved, View
from sevenout.questions.subjects import GameSubject
from sevenout.rules import KeepRoll, Outcome
from sevenout.solving.best_play import Option

NONE_HELD = "none"
"""In the address after the player put all dice back."""
COACH_SWITCH = ("on", "off")
MAX_OPTIONS = 8
"""Options of the coach that are shown; the file has all."""
PROGRAM = """\
random, position, answers = Random({seed}), Position(game), iter({answers!r})
while not position.settled:
    if not position.options:
        print(*position.throw(random))
    elif (answer := next(answers, None)) is not None:
        position.choose(answer)
    else:
        break
print(dict(position.counts).get({goal!r}, 0), {goal!r})"""
"""A program that plays a game."""


class Coach:
    """A coach who knows optimal play; silent if it isn't available.

    Attributes:
        notation: the game.
        is_shown: whether the visitor wants advice.
        optimum: the optimal play, or the table of it; None if neither is available.
        costs: what each choice so far has cost.
    """

    def __init__(self, notation: str, game: TurnSession, is_shown: bool = True) -> None:
        self.notation, self.is_shown = notation, is_shown
        try:
            self.optimum: OptimalPlay | None = optimum(notation)
        except ImportError:
            # The static edition has no NumPy; its worker hands over a file instead.
            self.optimum = TABLES.get(notation)
        self.costs = [self.cost_of(choice.state, choice.move) for choice in game.choices]

    @property
    def total_cost(self) -> Fraction | None:
        """What all choices have cost; None if it isn't known."""
        return sum(self.costs, Fraction(0)) if self.optimum else None

    def options(self, state: Any) -> tuple[Option, ...]:
        """The options, best first; empty if the coach is silent."""
        return tuple(self.optimum.combined_options(state)) if self.optimum and self.is_shown else ()

    def best_move(self, game: TurnSession) -> str:
        """The best move now; "" if the coach is silent or the game over."""
        options = () if game.position.settled else self.options(game.position.state)
        return options[0].name if options else ""

    def share_beaten(self, score: int) -> tuple[Fraction, str]:
        """The share of games with a lower score, and the games it is of."""
        assert self.optimum is not None
        scores, games = scores_of(self.optimum, self.notation)
        return Fraction(sum(p for points, p in scores.items() if points < score)), games

    def cost_of(self, state: Any, option: str) -> Fraction:
        """The cost of an option; 0 if it may be rounding."""
        return self.optimum.cost(state, option) if self.optimum else Fraction(0)

    def cost_texts(self, state: Any) -> dict[str, str]:
        """What each option costs, in words."""
        costs = {option.name: self.cost_of(state, option.name) for option in self.options(state)}
        return {
            name: f"costs {decimal(cost, 3)}" if cost else "best" for name, cost in costs.items()
        }

    def advice(self, address: Address, game: TurnSession) -> list[Any]:
        """The best options as links; and as a table."""
        if not self.optimum:
            return [h.p(".soft")["A coach needs NumPy and LLVM, which are not here."]]
        if not self.is_shown:
            return []
        state = game.position.state
        options = self.options(state)
        points = DECIMAL.with_digits(3)
        columns = [Column("option"), Column("to come", points), Column("costs", points)]
        rows = [(one.name, one.value, self.cost_of(state, one.name) or None) for one in options]
        links = {one.name: {one.name: with_acts(address, one.name)} for one in options}
        return [
            h.p(".hint")["Points still to come on average, if you play best afterwards."],
            Linked(Table(columns, rows[:MAX_OPTIONS]), links, first_only=True),
            Saved(Table(columns, rows)),
        ]

    def hero(self, game: TurnSession) -> Any:
        """The score, and the expected final score under optimal play."""
        figures = [KeyFigure(f"{game.score:,}", game.goal, big=True)]
        if not self.optimum:
            return Hero(*figures)
        words = "Every choice was the best."
        if self.total_cost:
            words = f"Your choices have cost {decimal(self.total_cost, 2)} points."
        if game.position.settled:
            share, games = self.share_beaten(game.score)
            figures.append(KeyFigure(percent(share, 1), f"of {games} score less"))
            words = f"Better than {percent(share, 1)} of {games}. {words}"
        else:
            ahead = self.optimum.combined_options(game.position.state)[0].value
            average = decimal(game.score + ahead, 2)
            figures.append(KeyFigure(average, "on average, if you play best from here"))
        return Hero(*figures, words=words if game.choices else "")


def page(address: Address, subject: GameSubject) -> View:
    """The page of a game of turns, played by hand."""
    notation, seed = subject.notation, seed_of(address)
    game = cached_turns(notation, seed, acts_of(address))
    address_now = address.to(keep=("game", "seed", "did", "coach"), game=notation)
    coach = Coach(notation, game, is_shown=address.one_of("coach", COACH_SWITCH) == "on")
    view = View(address, f"{subject.title}, at the table", PATH)
    view.body = [
        heading("Play", subject.title, seats(address, notation, seed)),
        h.div(".columns")[
            h.div(".stack")[
                _felt(address_now, game, coach, _held_dice(address, game)),
                view.add_card("results", "So far", coach.hero(game)),
                view.add_card(
                    "coach",
                    "The coach",
                    *coach.advice(address_now, game),
                    _coach_switch(address_now, coach),
                )
                if not game.position.settled
                else None,
            ],
            h.div(".stack")[
                view.add_card(
                    "card", "The score card", _boxes(address_now, game, coach), _card_table(game)
                ),
                view.add_card("log", "What you did", *_log(game, coach)),
            ],
        ],
    ]
    view.python = copies.program(
        subject,
        PROGRAM.format(seed=seed, answers=game.chosen_options, goal=game.goal),
        imports=["from random import Random", "from sevenout.rules.position import Position"],
    )
    view.command = copies.command(subject, "play", f"--seed={seed}", moves=game.typed_moves)
    cost, filled = coach.total_cost, len(game.card.counts)
    view.bar = [
        bar_item(f"{game.score:,}", game.goal, main=True),
        bar_item(f"{filled}", "box filled" if filled == 1 else "boxes filled"),
        cost is not None and bar_item(decimal(cost, 2), "lost by choices"),
    ]
    return view


def _held_dice(address: Address, game: TurnSession) -> set[int] | None:
    """The numbers of the dice that the player keeps; None before they touch any."""
    text = address.get("held")
    if text in ("", NONE_HELD):
        return set() if text else None
    places, held = list(map(str, range(len(game.dice)))), text.split(".")
    if not all(place in places for place in held):
        raise NotationError(f"held={shown(text)}; write the places of dice, such as 0.2")
    return set(map(int, held))


def _felt(address: Address, game: TurnSession, coach: Coach, held: set[int] | None) -> Any:
    """The felt with the dice, those to keep marked, and the moves."""
    dice, is_over = game.dice, bool(game.position.settled)
    # An outcome in the state means that a turn is over and its box is due.
    fills_box = is_over or isinstance(game.position.state[2], Outcome)
    keeps_dice = isinstance(game.game.turn, KeepRoll) and not fills_box
    if is_over:
        call: Any = h.strong[f"The game is over: {game.score:,}."]
    elif fills_box:
        call = "Fill a box of the score card."
    else:
        rolls = f" {quantity(game.position.state[2][2], 'roll')} left." if keeps_dice else ""
        call = ["Choose the dice to keep, and roll the others.", rolls]
    best_dice = _dice_of_move(dice, coach.best_move(game)) if keeps_dice else set()
    top = h.div(".dice.keep")[
        (
            _die(address, dice, i, held or set(), i in best_dice) if keeps_dice else die(face)
            for i, face in enumerate(dice)
        )
    ]
    buttons = [
        _moves(address, game, coach, held, keeps_dice) if not is_over else None,
        undo_button(address),
        link_button("New game", address.to(did=None, seed=seed_of(address) + 1)),
    ]
    return felt(top, call, buttons)


def _coach_switch(address: Address, coach: Coach) -> Any:
    if not coach.optimum:
        return None
    label, switch = ("Hide the coach", "off") if coach.is_shown else ("Ask the coach", None)
    return h.p[h.a(href=str(address.to(coach=switch)))[label]]


def _die(address: Address, dice: tuple[Any, ...], i: int, held: set[int], is_best: bool) -> Any:
    """A die that a click keeps or puts back; marked if the best move keeps it."""
    # A set with one die more, or with one fewer.
    next_held = ".".join(map(str, sorted(held ^ {i})))
    is_kept = i in held
    label = f"{dice[i]}: {'kept; put it back' if is_kept else 'keep it'}"
    return h.a(
        class_=" ".join(["kept"] * is_kept + ["best"] * is_best),
        href=str(address.to(held=next_held or NONE_HELD)),
        aria_label=f"{label}; the best move keeps it" if is_best else label,
        aria_current="true" if is_kept else None,
    )[die(dice[i])]


def _dice_of_move(dice: tuple[Any, ...], move: str) -> set[int]:
    """The numbers of the dice that a move keeps, "keep 3 3"."""
    unused = list(map(str, dice))
    numbers = set()
    for face in move.removeprefix("keep ").split():
        if face in unused:
            number = unused.index(face)
            numbers.add(number)
            # Used up, so that equal dice are different ones.
            unused[number] = ""
    return numbers


def _moves(
    address: Address, game: TurnSession, coach: Coach, held: set[int] | None, keeps_dice: bool
) -> Any:
    """The moves; the main button is the best, or the player's own if there is no coach."""
    best = coach.best_move(game)
    moves = [best] if best else []
    main = best
    if keeps_dice and (held is not None or not best):
        kept = " ".join(str(face) for i, face in enumerate(game.dice) if i in (held or set()))
        own_move = f"keep {kept or 'none'}"
        main = best or own_move
        moves += [own_move] if own_move != best else []
    elif not keeps_dice and not isinstance(game.position.state[2], Outcome):
        moves += [option for option in game.position.options if option != best]
    return [_move(address, game, move, coach, move == main) for move in moves]


def _move(address: Address, game: TurnSession, move: str, coach: Coach, is_main: bool) -> Any:
    """The button of a move, with its cost if the coach is on."""
    cost = coach.cost_texts(game.position.state).get(move, "")
    return link_button(
        [_move_text(game, move), h.span(".coach")[cost and f" · {cost}"]],
        with_acts(address, move),
        "main" if is_main else "",
        # The script presses the first such button when the space bar is pressed.
        data_space=True if is_main else None,
    )


def _move_text(game: TurnSession, move: str) -> str:
    """A move in words: the dice that it rolls, or the box that it fills."""
    if isinstance(game.position.state[2], Outcome):
        return f"Fill {move}: {_points(game, move)}"
    if not move.startswith("keep "):
        return move
    kept = move.removeprefix("keep ").split()
    if kept == ["none"]:
        return "Roll all"
    n_rolled = len(game.dice) - len(kept)
    return f"Keep {' '.join(kept)}, roll {n_rolled}" if n_rolled else "Keep all"


def _boxes(address: Address, game: TurnSession, coach: Coach) -> Any:
    """The score card; a click fills an open box when one is due."""
    state = game.position.state
    awaits_choice = not game.position.settled and isinstance(state[2], Outcome)
    cost_texts = coach.cost_texts(state) if awaits_choice else {}
    rows = []
    for name, amount, note in game.card.rows:
        cell: Any = h.strong[f"{amount:,}"] if amount is not None else ""
        if note:
            cell = h.span(".soft")[note]
        elif amount is None and awaits_choice and name in game.position.options:
            cell = _open_box(address, game, name, cost_texts.get(name, ""))
        label = "in all" if name == game.goal else name
        rows.append(h.tr[h.th(scope="row")[label], h.td(".number")[cell]])
    return h.table(".pays.boxes")[
        h.caption(".hidden")["The boxes, and what was scored in each"], h.tbody[rows]
    ]


def _open_box(address: Address, game: TurnSession, box: str, cost_text: str) -> Any:
    """The button that fills a box, and what that costs."""
    points = _points(game, box)
    return [
        link_button(points, with_acts(address, box), aria_label=f"{box}: {points}"),
        h.span(".soft")[f" {cost_text}"],
    ]


def _points(game: TurnSession, box: str) -> str:
    """The points of the dice in a box, and the bonus points they bring."""
    points, bonus = game.box_points(box)
    return f"{points:,} + {bonus:,}" if bonus else f"{points:,}"


def _card_table(game: TurnSession) -> Saved:
    columns = [Column("box"), Column(game.goal, COUNT)]
    return Saved(Table(columns, [(row.name, row.amount) for row in game.card.rows]))


def _log(game: TurnSession, coach: Coach) -> list[Any]:
    """The choices so far with their costs, the last one first."""
    if not game.choices:
        return [h.p(".soft")["What you do is listed here; it is all in the address."]]
    rows = []
    for choice, cost in zip(game.choices, coach.costs, strict=True):
        inner = choice.state[2]
        scored = choice.points if isinstance(inner, Outcome) else None
        dice = inner.label if isinstance(inner, Outcome) else " ".join(map(str, inner[1]))
        rows.append((dice, choice.move, scored, cost if coach.optimum else None))
    columns = [
        Column("dice", LABEL),
        "you",
        Column("scored", COUNT),
        Column("costs", DECIMAL.with_digits(3)),
    ]
    return [Table(columns, rows[::-1])]
