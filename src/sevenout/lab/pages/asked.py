"""The questions: a list, and for each a form and its answer, made from its declaration."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import htpy as h

from sevenout.documents import Text
from sevenout.errors import NotationError, SevenoutError, TooMuchWorkError, shown
from sevenout.lab.addresses.address import Address
from sevenout.lab.addresses.chosen import CRAPS, MAX_DIGITS, choose, kind_of, solved
from sevenout.lab.addresses.evening_address import strategy
from sevenout.lab.widgets import copies
from sevenout.lab.widgets.parts import Field, form, go, heading, problem
from sevenout.lab.widgets.view import View
from sevenout.numerals import few_digits
from sevenout.questions import all_questions
from sevenout.questions.arguments import Argument
from sevenout.questions.named_policies import BEST, PlayedGame, titled
from sevenout.questions.question import Question
from sevenout.questions.subject_kinds import KINDS
from sevenout.questions.subjects import MAX_FILE, GameSubject, find_subjects, title_of

PATH = "/ask"


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
    headings = dict.fromkeys(kind.heading for kind in KINDS)
    for title in headings:
        here = [each for each in all_questions().values() if each.of.heading == title]
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
    field = question.of.field
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
        asked = _asked(question, what, said)
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
    lines = question.of.of == "file"
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


def _asked(question: Question, text: str, arguments: Mapping[str, str]) -> Asked:
    """What a question is asked of, from the text of its field."""
    kind = question.of
    if kind.of_game:
        return _game(question, choose(text or CRAPS), arguments)
    words = [part.strip() for part in text.split("|")] if kind.several else [text][: kind.least]
    if kind.of == "dice":
        few_digits(text, MAX_DIGITS)
    if kind.of == "file":
        if len(text) > MAX_FILE:
            raise NotationError(f"a file of {len(text):,} characters; give at most {MAX_FILE:,}")
        words = [text.replace("\r\n", "\n").rstrip() + "\n"]
    given = find_subjects(kind, words, choose, strategy)
    if kind.of == "game":
        given = tuple(map(_with_best, given))
    title = "" if kind.of == "game" else ", ".join(map(title_of, given))
    named = given if kind.of == "game" else words  # a packed strategy is copied as its file
    return Asked(title, given, lambda values: copies.asked(question, named, values), {})


def _with_best(subject: GameSubject) -> GameSubject:
    """A game with choices is played best where its words name no policy."""
    unplayed = subject.goal is not None and subject.policy is None
    return replace(subject, policy=BEST) if unplayed else subject


def _game(question: Question, chosen: GameSubject, said: Mapping[str, str]) -> Asked:
    kind = question.of
    given: Any = chosen
    own = {}
    policy, against = said.get("policy"), said.get("against")
    if kind.plays and chosen.goal is not None:
        policy = own["policy"] = policy or BEST
    if kind.plays and kind.solved and not against and policy in (None, BEST):
        given = PlayedGame.of_solution(solved(chosen.words), chosen)
        if kind.name == "bet":
            bets = given.solution.chain.bets
            main = chosen.bet or ""
            bet = said.get("bet") or (main if main in bets else next(iter(bets), ""))
            given.solution.bet(bet)
            own |= {"bet": bet} if len(bets) > 1 else {}
    awards = chosen.awards if kind.name == "bet" else ()
    note = f"The progressive award of {', '.join(awards)} is left out." if awards else ""
    return Asked(
        titled(chosen, policy if kind.plays else None, against),
        (given,),
        lambda values: copies.asked(question, [chosen], values),
        own,
        note,
    )
