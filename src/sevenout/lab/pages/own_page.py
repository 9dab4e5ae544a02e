"""A game of your own: a form for each of three templates, and the game file that it writes.

The form is kept in the address, field by field, and the file is written from it. A reader's
message names a line of the file; each line was written for a field, so the message stands there.
A file that the visitor has edited is in the address as `text`, in place of the form.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import htpy as h

from sevenout import questions
from sevenout.documents import Column, Table
from sevenout.documents.kinds import DECIMAL, PERCENT
from sevenout.errors import NotationError, SevenoutError
from sevenout.lab.address import MAX_DIGITS, Address, error_sentence, game_subject, solution_of
from sevenout.lab.pages.pays import profit_of
from sevenout.lab.widgets import copies
from sevenout.lab.widgets.parts import Field, form, heading, link_button, problem, segments
from sevenout.lab.widgets.view import View
from sevenout.numerals import check_digits
from sevenout.questions.subjects import GameSubject, pack_file
from sevenout.rules.gamefiles.gamefile import parse_game
from sevenout.variants.rulebook import rules_of_game

PATH = "/own"
FORM_BETS = 4
"""The bets of the form of one roll; a game file may have more."""
LINE_MESSAGE = re.compile(r"game:(\d+): (.*)", re.DOTALL)
"""How a reader's message names a line of the file."""
WHOLE_NUMBER = re.compile(r"-?\d{1,18}")
PLAY_OPTIONS = (
    ("alone", "alone, in the fewest turns"),
    ("turn", "one turn, for its points"),
    ("two", "against a rival"),
)

FileLine = tuple[str, str]
"""A line of a game file, and the field of the form that wrote it; "" for none."""


@dataclass(frozen=True)
class TemplateField:
    """A field of a template's form.

    Attributes:
        name: its name in the address.
        label: the words above it.
        default: its value in a new game.
        placeholder: what an empty field shows.
        options: the values of a list with their words; none for a text field.
        width: its width, as `parts.Field` takes it.
    """

    name: str
    label: str
    default: str = ""
    placeholder: str = ""
    options: tuple[tuple[str, str], ...] = ()
    width: str = "narrow"


@dataclass(frozen=True)
class Template:
    """A kind of game with its form.

    Attributes:
        title: its name.
        lead: what such a game is.
        rows: the fields of its form, row by row.
        file_lines: writes the file from the fields' values, without its head.
    """

    title: str
    lead: str
    rows: tuple[tuple[TemplateField, ...], ...]
    file_lines: Callable[[Mapping[str, str]], list[FileLine]]

    @property
    def fields(self) -> list[TemplateField]:
        """All fields of the form."""
        return [field for row in self.rows for field in row]


# --- what each template writes ------------------------------------------------------------------


def _toml_string(text: str) -> str:
    # A string of JSON is one of TOML too.
    return json.dumps(text, ensure_ascii=False)


def _toml_number(text: str) -> str:
    """A whole number; any other text is written as it is, so that the reader names its line."""
    return text if WHOLE_NUMBER.fullmatch(text) else _toml_string(text)


def _toml_pay(text: str) -> str:
    """An amount as a game file has it; "3 to 1" and "3:1" are read too."""
    try:
        amount = str(profit_of(text)) if text else ""
    except SevenoutError:
        amount = text
    return _toml_number(amount)


def _toml_totals(text: str) -> str:
    """Totals with commas between, as an array; each like `_toml_number`."""
    totals = [part.strip() for part in text.split(",") if part.strip()]
    return f"[{', '.join(map(_toml_number, totals))}]"


def _one_roll(values: Mapping[str, str]) -> list[FileLine]:
    """The lines of bets on a single roll."""
    lines: list[FileLine] = []
    for n in range(1, FORM_BETS + 1):
        bet, on, pays = (values[f"{part}-{n}"] for part in ("bet", "on", "pays"))
        # The first bet is written in any case: a game without a bet is told of it there.
        if n > 1 and not (bet or on or pays):
            continue
        pay_table = f"pays = {{ {_toml_string(on)} = {_toml_pay(pays)} }}"
        lines += [
            ("", ""),
            ("[[wager]]", f"on-{n}"),
            (f"bet = {_toml_string(bet)}", f"bet-{n}"),
            ("limit = 1", ""),
            # A roll that can't be is told of the table's first line, a wrong amount of this one.
            (pay_table, f"pays-{n}"),
        ]
    return lines


def _point_game(values: Mapping[str, str]) -> list[FileLine]:
    """The lines of a point game with one bet, the pass line."""
    return [
        ("", ""),
        ("[[line]]", "out"),
        (f"naturals = {_toml_totals(values['naturals'])}", "naturals"),
        (f"craps = {_toml_totals(values['craps'])}", "craps"),
        (f"out = {_toml_number(values['out'])}", "out"),
        ("", ""),
        ("[line.bets.pass]", ""),
        (f"natural = {_toml_pay(values['natural'])}", "natural"),
        (f"point = {_toml_pay(values['point'])}", "point"),
    ]


def _push_your_luck(values: Mapping[str, str]) -> list[FileLine]:
    """The lines of a game of holding."""
    return [
        ("", ""),
        ("[hold]", "bust"),
        (f"bust = {_toml_totals(values['bust'])}", "bust"),
        (f"target = {_toml_number(values['target'])}", "target"),
        (f"play = {_toml_string(values['play'])}", "play"),
    ]


def _bet_row(n: int, bet: str = "", on: str = "", pays: str = "") -> tuple[TemplateField, ...]:
    """The fields of a bet on a single roll."""
    return (
        TemplateField(f"bet-{n}", f"Bet {n}", bet, "no bet", width="medium"),
        TemplateField(f"on-{n}", "wins on", on, "9,12"),
        TemplateField(f"pays-{n}", "pays", pays, "3 to 1"),
    )


def _name_and_dice(name: str, dice: str) -> tuple[TemplateField, ...]:
    return (
        TemplateField("name", "Name", name, width="medium"),
        TemplateField("dice", "Dice", dice, "2d6"),
    )


TEMPLATES = {
    "one-roll": Template(
        "One roll",
        "The dice are rolled once, and each bet wins on some of the rolls.",
        (
            _name_and_dice("My roll", "3d6"),
            _bet_row(1, "triple", "triples", "30"),
            _bet_row(2, "nine or twelve", "9,12", "3"),
            *(_bet_row(n) for n in range(3, FORM_BETS + 1)),
        ),
        _one_roll,
    ),
    "point": Template(
        "Point game",
        "Some totals win at once, some lose; any other is the point, to be rolled again before "
        "the out.",
        (
            _name_and_dice("My craps", "2d6"),
            (
                TemplateField("naturals", "Win at once", "7,11", "none"),
                TemplateField("craps", "Lose at once", "2,3,12", "none"),
                TemplateField("out", "The out", "7", "7"),
            ),
            (
                TemplateField("natural", "A natural pays", "1", "1"),
                TemplateField("point", "A point pays", "1", "1"),
            ),
        ),
        _point_game,
    ),
    "luck": Template(
        "Push your luck",
        "Roll as often as you like and collect what the dice show; a bust takes the turn's points.",
        (
            _name_and_dice("My pig", "d6"),
            (
                TemplateField("bust", "Faces that bust", "1", "1"),
                TemplateField("target", "Target", "50", "100"),
            ),
            (TemplateField("play", "Played", "alone", options=PLAY_OPTIONS, width="whole"),),
        ),
        _push_your_luck,
    ),
}


# --- the page -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Draft:
    """A game in the making.

    Attributes:
        text: its file.
        messages: what is wrong, by field of the form; by "" if it is of no field.
        game: the game, or None while something is wrong.
        note: what was repaired; "" for nothing.
    """

    text: str
    messages: Mapping[str, str]
    game: GameSubject | None
    note: str = ""


def page(address: Address) -> View:
    """A form that writes a game file, or the file as the visitor changed it; and its odds."""
    kind = address.one_of("kind", TEMPLATES)
    template = TEMPLATES[kind]
    view = View(address, "A game of your own", "/")
    base = Address(PATH, {"kind": kind})
    edited_file = address.get("text")
    if edited_file:
        draft = _draft_of_text(edited_file.replace("\r\n", "\n") + "\n", [], "")
        controls: Any = [
            h.p["The file beside is yours now: change it there."],
            link_button("Back to the form", base),
        ]
    else:
        values = _values(address, template)
        draft = _draft_of_form(template, values)
        controls = _form(base, template, values, draft)
    kinds = [
        (other.title, Address(PATH, {"kind": key}), key == kind) for key, other in TEMPLATES.items()
    ]
    view.body = [
        heading(view.title, template.lead, segments("Kind of game", kinds)),
        h.div(".columns")[
            h.div(".stack")[
                view.add_card("form", "The game" if edited_file else template.title, controls),
                _odds(view, draft),
            ],
            h.div(".stack")[view.add_card("text", "The game file", *_file(base, draft))],
        ],
    ]
    return view


def _values(address: Address, template: Template) -> dict[str, str]:
    """The values of a form's fields."""
    is_filled = any(address.get(field.name) for field in template.fields)
    return {
        # In a form that was sent an empty field is empty; only a new game has the usual values.
        field.name: " ".join(address.get(field.name, "" if is_filled else field.default).split())
        for field in template.fields
    }


def _draft_of_form(template: Template, values: Mapping[str, str]) -> Draft:
    """The draft that a form makes."""
    note = ""
    out, craps = values.get("out", ""), values.get("craps", "")
    decided = f"{values.get('naturals', '')},{craps}".replace(" ", "").split(",")
    if WHOLE_NUMBER.fullmatch(out) and out not in decided:
        # An out that could be the point would win and lose at once.
        craps = ",".join(filter(None, [craps, out]))
        note = (
            f"The out can't be a point, so a {out} loses on the first roll too. List it among the "
            "totals that win at once if it should win there."
        )
    lines: list[FileLine] = [
        ("format = 1", ""),
        (f"name = {_toml_string(values['name'])}", "name"),
        (f"dice = {_toml_string(values['dice'])}", "dice"),
        *template.file_lines({**values, "craps": craps}),
    ]
    text = "".join(f"{line}\n" for line, _ in lines)
    return _draft_of_text(text, [field for _, field in lines], note)


def _draft_of_text(text: str, fields: list[str], note: str) -> Draft:
    """A file as a draft; `fields` are those that wrote its lines."""
    try:
        parse_game(check_digits(text, MAX_DIGITS), "game")
        return Draft(text, {}, game_subject("~" + pack_file(text)), note)
    except SevenoutError as error:
        match = LINE_MESSAGE.fullmatch(str(error))
        message = error_sentence(NotationError(match[2])) if match else error_sentence(error)
        line = int(match[1]) if match else 0
        field = fields[line - 1] if 0 < line <= len(fields) else ""
        # The first line of a table stands for all of it: a field that the message names is meant.
        if field and text.splitlines()[line - 1].startswith("["):
            words = message.split()
            field = next((name for name in fields[line:] if name in words), field)
        if line and not fields:
            message = f"Line {line}: {message}"
        return Draft(text, {field: message}, None, note)


def _form(base: Address, template: Template, values: Mapping[str, str], draft: Draft) -> Any:
    """The form of a template, with what is wrong beside its fields."""
    rows = [
        h.div(".fields")[
            [
                Field(
                    field.label,
                    field.name,
                    values[field.name],
                    field.width,
                    options=field.options or None,
                    message=draft.messages.get(field.name, ""),
                    placeholder=field.placeholder or None,
                )
                for field in row
            ]
        ]
        for row in template.rows
    ]
    return [
        form(base, h.div(".rules")[rows], submit="Work it out", css_class=""),
        h.p(".hint")[draft.note] if draft.note else None,
    ]


def _file(base: Address, draft: Draft) -> list[Any]:
    """The file in a text area, where it can be changed."""
    # As long as the file, within a screen.
    rows = min(max(draft.text.count("\n") + 1, 12), 30)
    area = Field("Edit it, or keep it", "text", draft.text, "wide", area=True, rows=rows)
    general = draft.messages.get("")
    return [
        # A message without a field of the form is of the file.
        h.p(".wrong", role="alert")[general] if general else None,
        form(base, area, submit="Use this text", css_class="ask"),
        h.p(".hint")[
            "A game file may hold much more: side bets, limits, pays by point, rules of any kind. "
            "Play it at the terminal with ",
            h.code["sevenout play game.toml"],
            ".",
        ],
    ]


def _odds(view: View, draft: Draft) -> Any:
    """What the game gives, and where it leads; nothing leads anywhere while it is unfinished."""
    subject = draft.game
    if subject is None:
        return view.add_card(
            "odds", "Its odds", h.p["There are no odds yet: one thing has to be mended first."]
        )
    game = {"game": subject.notation}
    actions = [
        link_button("Play it", Address("/table", game)),
        link_button("Save the file", Address("/game.toml", game), download="game.toml"),
    ]
    name = "odds" if subject.goal is None else "best"
    view.python, view.command = copies.of_question(questions.question(name), [subject], {})
    if subject.goal is not None:
        lead = "You decide in this game: its best play, and what a mistake costs, are a page."
        best = link_button("Best play", Address("/best", game), "main")
        return view.add_card("odds", subject.title, h.p[lead], h.div(".actions")[best, actions])
    try:
        solution = solution_of(subject.notation)
    except SevenoutError as error:
        return view.add_card("odds", "Its odds", problem(error_sentence(error)))
    columns = [
        Column("bet"),
        Column("wins", PERCENT),
        Column("house edge", PERCENT),
        Column("mean rolls", DECIMAL.with_digits(3)),
    ]
    bets = map(solution.bet, solution.chain.bets)
    book = rules_of_game(subject.game)
    return view.add_card(
        "odds",
        subject.title,
        Table(columns, [(bet.name, bet.p_win, bet.edge, bet.rolls) for bet in bets]),
        h.div(".actions")[
            link_button("All its odds", Address("/", game), "main"),
            link_button("An evening", Address("/evening", game)),
            # Only a point game of whole totals fits the grid, where a click changes a rule.
            link_button("In the grid of totals", Address("/", {"game": book.text}))
            if book
            else None,
            actions,
        ],
        note="the house edge is per bet made",
    )
