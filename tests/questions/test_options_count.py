"""Every argument of every question changes its answer, or is refused: none is read and dropped."""

from typing import Any

import pytest

import sevenout as so
from sevenout.catalogue import games
from sevenout.documents.terminal import plain_text
from sevenout.questions import all_questions
from sevenout.questions.arguments import Argument
from sevenout.questions.question import Question

VALUE_BY_NAME = {
    "against": "hold-20",
    "amount": "2",
    "at": "4",
    "bankroll": "30",
    "bet": "pass",
    "bets": "3",
    "by": "n_craps",
    "change": "1/10",
    "confidence": "90%",
    "count": "1/2",
    "craps": "2,3",
    "dice": "2d6",
    "goal": "most turn",
    "hit": "pass=20%..30%",
    "histogram": "rolls",
    "hours": "1",
    "house": "minimum=5",
    "mean": "rolls",
    "meter": "50",
    "n_craps": "2",
    "n_naturals": "1",
    "n_points": "2",
    "naturals": "8",
    "order_by": "p_win",
    "outs": "5",
    "points": "4",
    "policy": "best",
    "shooters": "1",
    "stop_loss": "1",
    "stop_win": "1",
    "target": "4",
    "volatility": "..1",
    "where": "p_win < 0.4",
}
"""A value of each argument whose declaration has no example."""
DEFAULT_BET = "pass is the bet of the example by default"
UNCHANGED = {
    "compare bet": DEFAULT_BET,
    "odds bet": DEFAULT_BET,
    "simulate bet": DEFAULT_BET,
    "evening_forever bet": DEFAULT_BET,
    "dice_relabel_ranked without": "it can be taken out of all the pairs",
    # a strategy file may state these for all evenings, so they are not refused
    "evening_bankroll_for pace": "the length is given in rolls",
    "evening_extremes pace": "the length is given in rolls",
    "evening_extremes standing": "the money is that during the evening, not after it",
    "evening scale": "the least bet of the strategy is the minimum of the table",
    "games all": "a search lists all that it finds",
}
"""Arguments that leave the answer of the example as it is, and why."""
QUESTIONS = [question for question in all_questions().values() if not question.local_only]


def inputs_of(question: Question) -> list[Any]:
    kind = question.subject_kind
    if kind.example_file:
        return [question.example_subject]
    if kind.name == "games" or kind.takes_one_game:
        return [games.entry(name) for name in question.example_inputs]
    return question.example_inputs


def changed_value(argument: Argument) -> str:
    """A value other than the default."""
    words = [word for word in argument.form.allowed_words if word != argument.default]
    if argument.form.is_flag:
        return "yes"
    if words:
        return words[-1]
    is_changed = argument.example and argument.is_changed(argument.example)
    return argument.example if is_changed else VALUE_BY_NAME.get(argument.name, "5")


def answer_of(question: Question, arguments: dict[str, str]) -> tuple[Any, str]:
    """The answer as data and as text."""
    asked = question.main_question or question
    answer = asked(*inputs_of(question), **arguments)
    return answer.to_dict(), plain_text(answer.page())


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_every_argument_changes_the_answer_or_is_refused(question: Question) -> None:
    unread = []
    for argument in question.own_arguments:
        if argument.local_only or argument.required or argument.name == question.selector:
            continue
        base = {k: v for k, v in question.example_arguments.items() if k != argument.name}
        with so.budget(seconds=20):
            try:  # without an argument of the example, others may be out of range
                before = answer_of(question, base)
                after = answer_of(question, base | {argument.name: changed_value(argument)})
            except so.SevenoutError:
                continue
        if before == after:
            unread.append(f"{question.name} {argument.name}")
    assert unread == [name for name in UNCHANGED if name.split()[0] == question.name]
