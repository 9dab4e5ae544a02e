"""The questions: a list, and for each a form and its answer, made from its declaration."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import htpy as h

from sevenout.catalogue import games
from sevenout.documents import Text
from sevenout.documents.numbers import quantity
from sevenout.errors import NotationError, SevenoutError, shown
from sevenout.lab.address import (
    DEFAULT_GAME,
    MAX_DIGITS,
    Address,
    error_sentence,
    game_subject,
    solution_of,
)
from sevenout.lab.widgets import copies
from sevenout.lab.widgets.copies import Copies
from sevenout.lab.widgets.parts import (
    Field,
    form,
    heading,
    link_button,
    more_budget_hint,
    problem,
    search_form,
)
from sevenout.lab.widgets.view import View
from sevenout.numerals import check_digits
from sevenout.questions import all_questions, commands
from sevenout.questions.arguments import Argument
from sevenout.questions.plans import find_strategy, is_strategy
from sevenout.questions.policies import BEST, PlayedGame, title_with_policies
from sevenout.questions.question import Question
from sevenout.questions.subject_kinds import HEADINGS
from sevenout.questions.subjects import MAX_FILE_LENGTH, GameSubject, find_subjects, title_of

PATH = "/ask"


class QuestionSubject(NamedTuple):
    """The subject of a question, on its page and in the copies.

    Attributes:
        title: its name, above the answer.
        inputs: the values that the question is called with.
        copies: makes the program and the command from the values of the arguments.
        fixed_arguments: arguments that the page fills in, such as the bet.
        note: what the answer leaves out; "" for nothing.
    """

    title: str
    inputs: tuple[Any, ...]
    copies: Callable[[Mapping[str, Any]], Copies]
    fixed_arguments: Mapping[str, str]
    note: str = ""


def page(address: Address) -> View:
    """The form and the answer of a question; without one, the list of all."""
    name = address.get("question")
    if not name:
        return _list_view(address)
    # Local questions read or write files, which a server must not do for a visitor.
    questions = {key: question for key, question in commands().items() if not question.local_only}
    if name not in questions:
        raise NotationError(f"question={shown(name)}; the page answers: {', '.join(questions)}")
    return _question_view(address, questions[name])


def _list_view(address: Address) -> View:
    """The questions by what they are asked of, or those that match a search."""
    view = View(address, "Questions", PATH)
    words = address.get("q")[:200].lower().split()
    count = 0
    parts = []
    for title in HEADINGS:
        questions = [
            question
            for question in all_questions().values()
            if (question.main_question or question).subject_kind.heading == title
            and not question.local_only
            and _matches(question, words)
        ]
        count += len(questions)
        keep = ("game", "bet") if questions and questions[0].subject_kind.takes_one_game else ()
        links = [
            h.li[
                h.a(href=str(_link(address, question, keep)))[question.label],
                h.span(".soft")[f" {question.help.rstrip('.')}"],
            ]
            for question in questions
        ]
        if links:
            parts += [h.h3[title], h.ul(".links-list")[links]]
    view.announcement = quantity(count, "question")
    view.body = [
        heading(
            "Questions",
            "Each question has a form here, a command, and a function in Python.",
            search_form(address.to(keep=("game", "bet", "q")), "streak, ruin"),
        ),
        view.add_card("asked", "What can be asked", *parts)
        if parts
        else h.p["No question has these words. ", h.a(href=PATH)["Show all questions"]],
    ]
    return view


def _matches(question: Question, words: Iterable[str]) -> bool:
    text = f"{question.label} {question.help}".lower()
    return all(word in text for word in words)


def _link(address: Address, question: Question, keep: Any) -> Address:
    """The page of a question; of a mode, with the example of the argument that chooses it."""
    name = (question.main_question or question).name
    fields = {question.selector: question.arguments[0].example} if question.selector else {}
    return address.to(keep=keep, question=name, **fields)


def _question_view(address: Address, question: Question) -> View:
    """The form of a question beside its answer."""
    arguments = [argument for argument in question.all_arguments if not argument.local_only]
    texts = {a.name: address.get(a.name) for a in arguments if address.get(a.name)}
    field = question.subject_kind.parameter
    view = View(address, question.label, PATH)
    subject = address.get(field, question.example_subject) if field else ""
    mode = question
    try:
        mode = question.select_mode([subject], texts)
        # A mode may be of another kind of subject, so it has an example of its own.
        if field and not address.get(field) and mode.subject_kind.input_kind:
            subject = mode.example_subject
        texts |= _examples(mode, texts)
        answer = _answer(view, mode, subject, texts)
    except SevenoutError as error:
        message = error_sentence(
            SevenoutError(question.error_message(error, lambda argument: f"{argument.label}: "))
        )
        answer = problem(message, more_budget_hint(error))
    view.title = mode.label
    view.body = [
        heading(view.title, mode.help, link_button("Other questions", address.to(keep=("game",)))),
        h.div(".columns")[
            h.div(".stack")[
                view.add_card("asked", "The question", _form(question, subject, texts, arguments))
            ],
            h.div(".stack")[answer],
        ],
    ]
    return view


def _examples(mode: Question, texts: Mapping[str, str]) -> dict[str, str]:
    """The examples of required arguments that the address leaves out."""
    return {
        argument.name: argument.example
        for argument in mode.arguments
        if argument.required and argument.name not in texts
    }


def _answer(view: View, mode: Question, subject: str, texts: dict[str, str]) -> Any:
    """The card with the answer.

    It sets the copies of the page, and adds to `texts` the arguments that the page fixes.
    """
    for text in texts.values():
        check_digits(text, MAX_DIGITS)
    question_subject = _question_subject(mode, subject, texts)
    texts |= question_subject.fixed_arguments
    answer = (mode.main_question or mode)(*question_subject.inputs, **texts)
    values = mode.argument_values(texts)
    view.python, view.command = question_subject.copies(values)
    page = answer.page()
    title = page.title if mode.subject_kind.takes_several else question_subject.title
    answer_heading = mode.printed_heading(values)
    return view.add_card(
        "answer",
        ": ".join(filter(None, [title, answer_heading])) or "The answer",
        *([page] if page.title and page.title != title else page.blocks),
        Text(question_subject.note, tone="note") if question_subject.note else None,
    )


def _form(
    question: Question, subject: str, texts: Mapping[str, str], arguments: list[Argument]
) -> Any:
    """The form of a question: its subject and its arguments."""
    field = question.subject_kind.parameter
    is_file = question.subject_kind.input_kind == "file"
    # The browser suggests the names of this list.
    suggestions = "games" if field == "game" and not is_file else None
    bets = _bets(subject) if field == "game" else ()
    fields = [_field(argument, texts.get(argument.name, ""), bets) for argument in arguments]
    if field:
        label = field.capitalize()
        fields.insert(0, Field(label, field, subject, "medium", area=is_file, list=suggestions))
    base = Address(PATH, {"question": question.name})
    hints = [h.li[h.b[argument.label], f": {argument.help}"] for argument in arguments]
    return [
        form(base, *fields, submit="Ask"),
        h.datalist("#games")[(h.option(value=e.id)[e.title] for e in games.entries.values())]
        if suggestions
        else None,
        h.details[h.summary(".hint")["What the fields mean"], h.ul[hints]] if hints else None,
    ]


def _bets(subject: str) -> tuple[str, ...]:
    """The bets of a game to choose from; none if it is no game, or has only one."""
    try:
        bets = game_subject(subject or DEFAULT_GAME).bets
    except SevenoutError:  # the answer says what is wrong
        return ()
    return bets if len(bets) > 1 else ()


def _field(argument: Argument, text: str, bets: tuple[str, ...] = ()) -> Field:
    """The field of an argument: a list of its words, of the game's bets, or a text."""
    usual = "" if argument.required or argument.default is None else str(argument.default)
    if argument.form.allowed_words:
        empty = [] if usual else [("", "not said")]
        options = [*empty, *((word, word) for word in argument.form.allowed_words)]
        return Field(argument.label, argument.name, text or usual, options=options)
    if argument.name == "bet" and bets and (not text or text in bets):
        options = [("", "its main bet"), *((bet, bet) for bet in bets)]
        return Field(argument.label, argument.name, text, options=options)
    hint = usual or ("" if argument.required else "not said")
    return Field(argument.label, argument.name, text, placeholder=hint)


def _question_subject(
    question: Question, text: str, arguments: Mapping[str, str]
) -> QuestionSubject:
    """What a question is asked of, from the text of its field."""
    kind = question.subject_kind
    if kind.takes_one_game:
        return _game(question, game_subject(text or DEFAULT_GAME), arguments)
    words = (
        [part.strip() for part in text.split("|")]
        if kind.takes_several
        else [text][: kind.min_inputs]
    )
    if kind.input_kind == "dice":
        check_digits(text, MAX_DIGITS)
    if kind.input_kind == "file":
        if len(text) > MAX_FILE_LENGTH:
            raise NotationError(
                f"a file of {len(text):,} characters; give at most {MAX_FILE_LENGTH:,}"
            )
        # Browsers end the lines of a form with two characters, and files have one.
        words = [text.replace("\r\n", "\n").rstrip() + "\n"]
    subjects = find_subjects(kind, words, game_subject, _evening)
    title, note = "", ""
    if kind.input_kind == "game":
        subjects = tuple(map(_with_best, subjects))
    else:
        title = ", ".join(map(title_of, subjects))
        note = award_note(award for one in subjects for award in getattr(one, "awards", ()))
    # A packed strategy is copied as its file, which its words hold.
    copied = [
        subject if isinstance(subject, GameSubject) else word
        for subject, word in zip(subjects, words, strict=True)
    ]
    return QuestionSubject(
        title, subjects, lambda values: copies.of_question(question, copied, values), {}, note
    )


def _evening(words: str) -> Any:
    """The strategy of some words, or else the game."""
    if is_strategy(words):
        return find_strategy(words)
    try:
        return game_subject(words)
    except SevenoutError:
        # Packed text may be of a game or of a strategy; only reading it shows which.
        if not words.startswith("~"):
            raise
        return find_strategy(words)


def _with_best(subject: GameSubject) -> GameSubject:
    """A game with choices is played best where its words name no policy."""
    unplayed = subject.goal is not None and subject.policy is None
    return replace(subject, policy=BEST) if unplayed else subject


def award_note(awards: Iterable[str]) -> str:
    """That figures leave awards out; empty without one."""
    names = ", ".join(awards)
    return f"The progressive award of {names} is left out." if names else ""


def _game(
    question: Question, subject: GameSubject, arguments: Mapping[str, str]
) -> QuestionSubject:
    """The one game of a question; played best if no policy is named."""
    kind = question.subject_kind
    game: GameSubject | PlayedGame = subject
    fixed = {}
    policy, against = arguments.get("policy"), arguments.get("against")
    if kind.has_policy and subject.goal is not None:
        policy = fixed["policy"] = policy or BEST
    if kind.has_policy and kind.accepts_solution and not against and policy in (None, BEST):
        # The solution is cached, so that another question of the game needn't solve it again.
        game = PlayedGame.from_solution(solution_of(subject.notation), subject)
    # A simulation plays the return table, and not the meter.
    note = award_note(subject.awards if question.name == "simulate" else ())
    return QuestionSubject(
        title_with_policies(subject, policy if kind.has_policy else None, against),
        (game,),
        lambda values: copies.of_question(question, [subject], values),
        fixed,
        note,
    )
