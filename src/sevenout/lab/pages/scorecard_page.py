"""The table of a game of turns: dice kept and rolled again, a score card, a coach."""

from fractions import Fraction
from typing import Any

import htpy as h

from sevenout.documents import Column, Table
from sevenout.documents.kinds import COUNT, DECIMAL, LABEL
from sevenout.documents.numbers import decimal, percent, quantity
from sevenout.errors import NotationError, shown
from sevenout.lab.address import Address, acts_of, after, optimum
from sevenout.lab.by_hand import Turns, played
from sevenout.lab.coach_tables import TABLES, scores_of
from sevenout.lab.pages.felt_drawing import PATH, felt, seats, undo_button
from sevenout.lab.widgets import copies
from sevenout.lab.widgets.parts import Hero, KeyFigure, die, go, heading, item
from sevenout.lab.widgets.view import Linked, Saved, View
from sevenout.numerals import parse_seed
from sevenout.questions.subjects import GameSubject
from sevenout.rules import KeepRoll, Outcome
from sevenout.solving.best_play import Option

NONE = "none"
"""In the address after the player put all dice back."""
COACHES = ("on", "off")
TURN_PROGRAM = """\
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


PLANS = 8


class Coach:
    """Optimal play of a game; silent if it isn't available."""

    def __init__(self, text: str, game: Turns, shown: bool = True) -> None:
        self.text, self.shown = text, shown
        try:
            self.best: Any = optimum(text)
        except ImportError:
            # The static edition has no NumPy; its worker hands over a file instead.
            self.best = TABLES.get(text)
        self.costs = [self.certain_cost(choice.state, choice.did) for choice in game.choices]

    @property
    def cost(self) -> Fraction | None:
        return sum(self.costs, Fraction(0)) if self.best else None

    def options(self, state: Any) -> tuple[Option, ...]:
        """The options, best first; empty if the coach is silent."""
        return tuple(self.best.combined_options(state)) if self.best and self.shown else ()

    def move(self, game: Turns) -> str:
        options = () if game.position.settled else self.options(game.position.state)
        return options[0].name if options else ""

    def share_beaten(self, score: int) -> tuple[Fraction, str]:
        """The share of games with a lower score, and the games it is of."""
        scores, of = scores_of(self.best, self.text)
        return Fraction(sum(p for points, p in scores.items() if points < score)), of

    def certain_cost(self, state: Any, option: str) -> Fraction:
        """The cost of an option; 0 if it may be rounding."""
        return self.best.cost(state, option) if self.best else Fraction(0)

    def words(self, state: Any) -> dict[str, str]:
        return {
            o.name: f"costs {decimal(cost, 3)}"
            if (cost := self.certain_cost(state, o.name))
            else "best"
            for o in self.options(state)
        }

    def advice(self, base: Address, game: Turns) -> list[Any]:
        """The best options as links; and as a table."""
        if not self.best:
            return [h.p(".soft")["A coach needs NumPy and LLVM, which are not here."]]
        if not self.shown:
            return []
        state = game.position.state
        options = self.options(state)
        columns = [
            Column("option"),
            Column("to come", DECIMAL.with_digits(3)),
            Column("costs", DECIMAL.with_digits(3)),
        ]
        rows = [(o.name, o.value, self.certain_cost(state, o.name) or None) for o in options]
        links = {o.name: {o.name: after(base, o.name)} for o in options}
        return [
            h.p(".hint")["Points still to come on average, if you play best afterwards."],
            Linked(Table(columns, rows[:PLANS]), links, first=True),
            Saved(Table(columns, rows)),
        ]

    def hero(self, game: Turns) -> Any:
        """The score, and the expected final score under optimal play."""
        figures = [KeyFigure(f"{game.score:,}", game.goal, big=True)]
        words = ""
        if self.best and not game.position.settled:
            ahead = self.best.combined_options(game.position.state)[0].value
            figures.append(
                KeyFigure(decimal(game.score + ahead, 2), "on average, if you play best from here")
            )
        elif self.best:
            share, of = self.share_beaten(game.score)
            figures.append(KeyFigure(percent(share, 1), f"of {of} score less"))
        if self.cost is not None:
            words = f"Your choices have cost {decimal(self.cost, 2)} points."
            words = words if self.cost else "Every choice was the best."
            if game.position.settled:
                words = f"Better than {percent(share, 1)} of {of}. {words}"
        return Hero(*figures, words=words if game.choices else "")


def page(address: Address, chosen: GameSubject) -> View:
    text, seed = chosen.notation, parse_seed(address.get("seed") or "1")
    game = played(text, seed, acts_of(address))
    base = address.to(keep=("game", "seed", "did", "coach"), game=text)
    coach = Coach(text, game, shown=address.one_of("coach", COACHES) == "on")
    view = View(address, f"{chosen.title}, at the table", PATH)
    view.body = [
        heading("Play", chosen.title, seats(address, text, seed)),
        h.div(".columns")[
            h.div(".stack")[
                _felt(base, game, coach, _held(address, game)),
                view.card("results", "So far", coach.hero(game)),
                view.card("coach", "The coach", *coach.advice(base, game), _coaching(base, coach))
                if not game.position.settled
                else None,
            ],
            h.div(".stack")[
                view.card("card", "The score card", _boxes(base, game, coach), _card_table(game)),
                view.card("log", "What you did", *_log(game, coach)),
            ],
        ],
    ]
    view.python = copies.program(
        chosen,
        TURN_PROGRAM.format(seed=seed, answers=game.answers, goal=game.goal),
        imports=["from random import Random", "from sevenout.rules.position import Position"],
    )
    view.command = copies.command(
        chosen, "play", f"--seed={seed}", before=copies.typed_input(game.typed)
    )
    cost, filled = coach.cost, len(game.card.counts)
    view.bar = [
        item(f"{game.score:,}", game.goal, main=True),
        item(f"{filled}", "box filled" if filled == 1 else "boxes filled"),
        cost is not None and item(decimal(cost, 2), "lost by choices"),
    ]
    return view


def _held(address: Address, game: Turns) -> set[int] | None:
    """The places of the dice the player keeps; None before they touch any."""
    text, dice = address.get("held"), game.dice
    if text in ("", NONE):
        return set() if text else None
    if not all(part.isdecimal() and len(part) < 3 for part in text.split(".") if part):
        raise NotationError(f"held={shown(text)}; write the places of dice, such as 0.2")
    return {int(part) for part in text.split(".") if part and int(part) < len(dice)}


def _felt(base: Address, game: Turns, coach: Coach, held: set[int] | None) -> Any:
    dice, over = game.dice, bool(game.position.settled)
    # An outcome in the state means that a turn is over and its box is due.
    entering = over or isinstance(game.position.state[2], Outcome)
    keeps = isinstance(game.game.turn, KeepRoll) and not entering
    if over:
        call: Any = h.strong[f"The game is over: {game.score:,}."]
    elif entering:
        call = "Fill a box of the score card."
    else:
        left = game.position.state[2][2] if keeps else 0
        rolls = f" {quantity(left, 'roll')} left." if keeps else ""
        call = ["Choose the dice to keep, and roll the others.", rolls]
    seed = parse_seed(base.get("seed") or "1")
    best = _places(dice, coach.move(game)) if keeps else set()
    top = h.div(".dice.keep")[
        (
            _die(base, dice, i, held or set(), i in best) if keeps else die(face)
            for i, face in enumerate(dice)
        )
    ]
    doing = [
        _moves(base, game, coach, held, keeps) if not over else None,
        undo_button(base),
        go("New game", base.to(did=None, seed=seed + 1)),
    ]
    return felt(top, call, doing)


def _coaching(base: Address, coach: Coach) -> Any:
    if not coach.best:
        return None
    label, now = ("Hide the coach", "off") if coach.shown else ("Ask the coach", None)
    return h.p[h.a(href=str(base.to(coach=now)))[label]]


def _die(base: Address, dice: tuple[Any, ...], i: int, held: set[int], best: bool) -> Any:
    """A die that a click keeps or puts back; marked if the best move keeps it."""
    then = ".".join(map(str, sorted(held ^ {i})))
    kept = i in held
    label = f"{dice[i]}: {'kept; put it back' if kept else 'keep it'}"
    return h.a(
        class_=" ".join(["kept"] * kept + ["best"] * best),
        href=str(base.to(held=then or NONE)),
        aria_label=f"{label}; the best move keeps it" if best else label,
        aria_current="true" if kept else None,
    )[die(dice[i])]


def _places(dice: tuple[Any, ...], plan: str) -> set[int]:
    """The places of the dice that a plan keeps, "keep 3 3"."""
    left = list(map(str, dice))
    places = set()
    for word in plan.removeprefix("keep ").split():
        if word in left:
            at = left.index(word)
            places.add(at)
            # Used up, so that equal dice take different places.
            left[at] = ""
    return places


def _moves(base: Address, game: Turns, coach: Coach, held: set[int] | None, keeps: bool) -> Any:
    """The moves; the white button is the best, or the player's if there is no coach."""
    best, own = coach.move(game), ""
    if keeps and (held is not None or not best):
        kept = " ".join(str(face) for i, face in enumerate(game.dice) if i in (held or set()))
        own = f"keep {kept or 'none'}"
    elif not keeps and not isinstance(game.position.state[2], Outcome):
        others = [option for option in game.position.options[:24] if option != best]
        return [_move(base, game, move, coach, move == best) for move in [best, *others] if move]
    shown = [(best, True)] if best else []
    shown += [(own, not best)] if own and own != best else []
    return [_move(base, game, plan, coach, main) for plan, main in shown]


def _move(base: Address, game: Turns, plan: str, coach: Coach, main: bool) -> Any:
    cost = coach.words(game.position.state).get(plan, "")
    return go(
        [_plan_text(game, plan), h.span(".coach")[cost and f" · {cost}"]],
        after(base, plan),
        "main" if main else "",
        # The script presses the first such button when the space bar is pressed.
        data_space=True if main else None,
    )


def _plan_text(game: Turns, plan: str) -> str:
    if isinstance(game.position.state[2], Outcome):
        return f"Fill {plan}: {_points(game, plan)}"
    if not plan.startswith("keep "):
        return plan
    kept = plan.removeprefix("keep ").split()
    n = len(game.dice) - len(kept)
    if kept == ["none"]:
        return "Roll all"
    return f"Keep {' '.join(kept)}, roll {n}" if n else "Keep all"


def _boxes(base: Address, game: Turns, coach: Coach) -> Any:
    """The score card; a click fills an open box when one is due."""
    state = game.position.state
    awaits_choice = not game.position.settled and isinstance(state[2], Outcome)
    words = coach.words(state) if awaits_choice else {}
    rows = []
    for name, amount, note in game.card.rows:
        cell: Any = h.strong[f"{amount:,}"] if amount is not None else ""
        if note:
            cell = h.span(".soft")[note]
        elif amount is None and awaits_choice and name in game.position.options:
            cell = _open_box(base, game, name, words.get(name, ""))
        total = name == game.goal
        rows.append(h.tr[h.th(scope="row")["in all" if total else name], h.td(".number")[cell]])
    return h.table(".pays.boxes")[
        h.caption(".hidden")["The boxes, and what was scored in each"], h.tbody[rows]
    ]


def _open_box(base: Address, game: Turns, box: str, words: str) -> Any:
    points = _points(game, box)
    return [
        go(points, after(base, box), aria_label=f"{box}: {points}"),
        h.span(".soft")[f" {words}"],
    ]


def _points(game: Turns, box: str) -> str:
    """The points of the dice in a box, and the bonus points they bring."""
    scores, beside = game.scored(box)
    return f"{scores:,} + {beside:,}" if beside else f"{scores:,}"


def _card_table(game: Turns) -> Saved:
    columns = [Column("box"), Column(game.goal, COUNT)]
    return Saved(Table(columns, [(row.name, row.amount) for row in game.card.rows]))


def _log(game: Turns, coach: Coach) -> list[Any]:
    if not game.choices:
        return [h.p(".soft")["What you do is listed here; it is all in the address."]]
    rows = []
    for choice, cost in zip(game.choices, coach.costs, strict=True):
        inner = choice.state[2]
        scored = choice.scored if isinstance(inner, Outcome) else None
        dice = inner.label if isinstance(inner, Outcome) else " ".join(map(str, inner[1]))
        rows.append((dice, choice.did, scored, cost if coach.best else None))
    columns = [
        Column("dice", LABEL),
        "you",
        Column("scored", COUNT),
        Column("costs", DECIMAL.with_digits(3)),
    ]
    return [Table(columns, rows[::-1])]
