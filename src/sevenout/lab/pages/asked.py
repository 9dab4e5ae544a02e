"""The questions: a list, and for each a form and its answer, made from its declaration."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

import htpy as h

from sevenout.documents import Text
from sevenout.errors import NotationError, SevenoutError, TooMuchWorkError, shown
from sevenout.lab.addresses.address import Address, few_digits
from sevenout.lab.addresses.chosen import (
    CRAPS,
    MAX_DIGITS,
    MAX_FILE,
    Chosen,
    choose,
    kind_of,
    posed_game,
    solved,
)
from sevenout.lab.addresses.evening_address import of_strategies, strategy
from sevenout.lab.widgets import copies
from sevenout.lab.widgets.parts import Field, form, go, heading, problem
from sevenout.lab.widgets.view import View
from sevenout.questions import all_questions
from sevenout.questions.arguments import Argument
from sevenout.questions.chosen_game import SolvedGame
from sevenout.questions.named_policies import BEST, titled
from sevenout.questions.question import Question

PATH = "/ask"
FIELDS = {
    "games": "games",
    "evening": "strategy",
    "evenings": "strategies",
    "dice": "dice",
    "file": "file",
    "numbers": "",
}
"""The form's field for a question that isn't about a game."""
WANTED = {
    "game": "One game",
    "bet": "One bet",
    "choices": "A game with choices",
    "games": "Several games",
    "evening": "An evening at the craps table",
    "evenings": "Strategies at the craps table",
    "dice": "Dice",
    "file": "A game file with open numbers",
    "numbers": "More questions",
}


class Asked(NamedTuple):
    """The subject of a question, on its page and in the copies.

    Attributes:
        copied: makes the program and the command from the values of the arguments.
        own: arguments that the page fills in, such as the bet.
        note: what the answer leaves out; "" for nothing.
    """

    title: str
    given: tuple[Any, ...]
    copied: Callable[[Mapping[str, Any]], tuple[str, str]]
    own: Mapping[str, str]
    note: str = ""


def page(address: Address) -> View:
    name = address.get("question")
    if not name:
        return _list(address)
    known = all_questions()
    if name not in known:
        raise NotationError(f"question={shown(name)}; the page answers: {', '.join(known)}")
    return _of(address, known[name])


def _list(address: Address) -> View:
    view = View(address, "Questions", PATH)
    parts = []
    for basis, title in WANTED.items():
        here = [each for each in all_questions().values() if each.of.name == basis]
        keep = ("game", "bet") if here and here[0].of.of_game else ()
        links = [
            h.li[h.a(href=str(address.to(keep=keep, question=each.name)))[each.help.rstrip(".")]]
            for each in here
        ]
        if links:
            parts += [h.h3[title], h.ul(".links-list")[links]]
    view.body = [
        heading("Questions", "Each question has a form here, a command, and a function in Python."),
        view.card("asked", "What can be asked", *parts),
    ]
    return view


def _of(address: Address, question: Question) -> View:
    field = FIELDS.get(question.of.name, "game")
    what = address.get(field, question.asked_of) if field else ""
    said = {each.name: address.get(each.name) for each in question.every}
    said = {name: text for name, text in said.items() if text}
    for each in question.arguments:
        if each.required:
            said.setdefault(each.name, each.example)
    view = View(address, question.help.rstrip("."), PATH)
    found: Any = None
    title = ""
    try:
        for text in said.values():
            few_digits(text, MAX_DIGITS)
        asked = BASES[question.of.name](question, what, said)
        title, said = asked.title, {**said, **asked.own}
        found = question(*asked.given, **said)
        values = question.values(said)
        view.python, view.command = asked.copied(values)
        shown_by = question.turned(said)
        of_own = {each.name: values[each.name] for each in shown_by.arguments}
    except SevenoutError as error:
        wrong = kind_of(SevenoutError(question.named(error, lambda each: f"{each.label}: ")))
        large = isinstance(error, TooMuchWorkError)
        more = h.p(".hint")["Use the command line, where you can raise the budget."]
        answer = problem(wrong, large and more)
    else:
        told = found.page()
        title = told.title if question.of.several else title
        shown_as = shown_by.heading(**of_own)
        answer = view.card(
            "answer",
            ": ".join(filter(None, [title, shown_as])) or "The answer",
            *([told] if told.title and told.title != title else told.blocks),
            Text(asked.note, tone="note") if asked.note else None,
        )
    view.body = [
        heading(view.title, "", go("Other questions", address.to(keep=("game",)))),
        h.div(".columns")[
            h.div(".stack")[
                view.card("asked", _titled(question), _form(question, field, what, said))
            ],
            h.div(".stack")[answer],
        ],
    ]
    return view


def _titled(question: Question) -> str:
    return question.command.replace("-", " ").capitalize()


def _form(question: Question, field: str, what: str, said: Mapping[str, str]) -> Any:
    """The form of a question: its subject and its arguments."""
    lines = question.of.name == "file"
    first = [Field(field.capitalize(), field, what, "medium", area=lines)] if field else []
    fields = [_field(each, said.get(each.name, "")) for each in question.every]
    here = Address(PATH, {"question": question.name})
    hints = [h.li[h.b[each.label], f": {each.help}"] for each in question.every]
    return [
        form(here, *first, *fields, submit="Ask"),
        h.details[h.summary(".hint")["What the fields mean"], h.ul[hints]] if hints else None,
    ]


def _field(argument: Argument, text: str) -> Field:
    usual = "" if argument.required or argument.default is None else str(argument.default)
    if argument.form.options:
        empty = [] if usual else [("", "not said")]
        options = [*empty, *((word, word) for word in argument.form.options)]
        return Field(argument.label, argument.name, text or usual, options=options)
    hint = usual or ("" if argument.required else "not said")
    return Field(argument.label, argument.name, text, placeholder=hint)


def _game(question: Question, what: str, said: Mapping[str, str]) -> Asked:
    chosen = choose(what or CRAPS)
    basis = question.of
    posed = posed_game(chosen)
    given: Any = posed
    own = {}
    policy, against = said.get("policy"), said.get("against")
    if basis.plays and chosen.goal is not None:
        policy = own["policy"] = policy or BEST
    if basis.plays and basis.solved and not against and policy in (None, BEST):
        given = SolvedGame(solved(chosen.text), posed)
        if basis.name == "bet":
            bets = given.solution.chain.bets
            bet = said.get("bet") or (chosen.bet if chosen.bet in bets else next(iter(bets), ""))
            given.solution.bet(bet)
            own |= {"bet": bet} if len(bets) > 1 else {}
    awards = posed.awards if basis.name == "bet" else ()
    note = f"The progressive award of {', '.join(awards)} is left out." if awards else ""
    return Asked(
        titled(posed, policy if basis.plays else None, against),
        (given,),
        lambda values: copies.asked(chosen, question, values),
        own,
        note,
    )


def _games(question: Question, what: str, said: Mapping[str, str]) -> Asked:
    """Several games, separated by bars; one with choices names its policy: pig@best."""
    chosen = [_with_policy(part.strip()) for part in what.split("|")]
    given = tuple(replace(posed_game(game), policy=policy or None) for game, policy in chosen)
    return Asked("", given, lambda values: copies.of_several(chosen, question, values), {})


def _with_policy(text: str) -> tuple[Chosen, str]:
    name, _, policy = text.rpartition("@")
    with suppress(SevenoutError):
        if name and (found := choose(name)).goal is not None:
            return found, policy
    found = choose(text)
    return found, BEST if found.goal is not None else ""


def _evening(question: Question, what: str, said: Mapping[str, str]) -> Asked:
    """One strategy, or several separated by bars."""
    texts = [part.strip() for part in (what.split("|") if question.of.several else [what])]
    files = tuple(map(strategy, texts))
    return Asked(
        ", ".join(file.name for file in files),
        files,
        lambda values: of_strategies(texts, question, values),
        {},
    )


def _plain(question: Question, what: str, said: Mapping[str, str]) -> Asked:
    """Dice, by their text, or nothing."""
    text = few_digits(what, MAX_DIGITS)
    given = (text,) if text else ()
    return Asked(text, given, lambda values: copies.plain(question, text, values), {})


def _file(question: Question, what: str, said: Mapping[str, str]) -> Asked:
    """The text of a game file with open numbers."""
    if len(what) > MAX_FILE:
        raise NotationError(f"a file of {len(what):,} characters; give at most {MAX_FILE:,}")
    text = what.replace("\r\n", "\n").rstrip() + "\n"
    opened = question.of.make(text)
    title = str(opened.data.get("name", ""))
    return Asked(title, (opened,), lambda values: copies.of_file(question, text, values), {})


BASES = {
    **dict.fromkeys(("game", "bet", "choices"), _game),
    "games": _games,
    **dict.fromkeys(("evening", "evenings"), _evening),
    **dict.fromkeys(("dice", "numbers"), _plain),
    "file": _file,
}
"""What makes a question's subject, by its kind."""
