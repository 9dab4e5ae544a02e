"""Every form of a question says what is wrong in it, in a line that names the field."""

import re
from html import unescape
from urllib.parse import urlencode

import pytest

from sevenout.lab.site import page
from sevenout.questions import all_questions, commands
from sevenout.questions.arguments import Argument
from sevenout.questions.question import Question

OFFERED = [
    one
    for one in all_questions().values()
    if not (one.main_question or one).local_only and not one.local_only
]
"""The questions of the lab and their modes: those that need no file."""
FIELDS = [
    (question, argument)
    for question in OFFERED
    for argument in question.arguments
    if not argument.form.allowed_words and not argument.local_only
]
LOCAL = [
    (question.name, argument.name)
    for question in commands().values()
    for argument in question.all_arguments
    if argument.local_only and not question.local_only
    if argument.name != "bet"  # the tabs of a game keep it on every page
]
DATA = {"test_dice": {"example": "weldon"}}
"""What else a form needs, where the lab has no file to read."""


def asked(fields: dict[str, str]) -> tuple[str, list[str]]:
    """The page of a question, and its alerts."""
    body = page(f"/ask?{urlencode(fields)}").body.decode()
    alerts = re.findall(r'role="alert"><p>(.*?)</p>', body, re.DOTALL)
    return body, [unescape(alert) for alert in alerts]


@pytest.mark.parametrize(
    ("question", "argument"),
    FIELDS,
    ids=[f"{question.name}-{argument.name}" for question, argument in FIELDS],
)
def test_a_wrong_value_is_named_and_kept(question: Question, argument: Argument) -> None:
    wrong = "-3'x"
    name = (question.main_question or question).name
    chosen = {question.selector: question.arguments[0].example} if question.selector else {}
    body, alerts = asked({"question": name, **DATA.get(name, {}), **chosen, argument.name: wrong})
    assert len(alerts) == 1, "nothing is swallowed"
    (alert,) = alerts
    assert "\n" not in alert
    assert any(part.lower() in alert.lower() for part in ("-3", "'x", argument.label)), alert
    kept = re.search(rf'<input name="{re.escape(argument.name)}" value="([^"]*)"', body)
    assert kept is not None
    assert unescape(kept[1]) == wrong


@pytest.mark.parametrize(("question", "name"), LOCAL)
def test_a_field_for_files_is_not_in_a_form(question: str, name: str) -> None:
    body, _ = asked({"question": question})
    assert f'name="{name}"' not in body
    _, (alert,) = asked({"question": question, name: "x.csv"})
    assert f"{name}='x.csv'; the page /ask has no such field" in alert


@pytest.mark.parametrize("name", [name for name, one in commands().items() if one.local_only])
def test_a_question_that_reads_files_is_not_in_the_lab(name: str) -> None:
    _, (alert,) = asked({"question": name})
    assert f"question='{name}'; the page answers: best" in alert


def test_a_form_names_its_own_fields() -> None:
    for fields, label in (
        ({}, "Example: weldon"),
        ({"example": "weldon", "dice": "2d6"}, "Dice: '2d6'"),
        ({"example": "weldon", "success": "5"}, "Success: '5'"),
    ):
        _, (alert,) = asked({"question": "test_dice", **fields})
        assert label in alert
        assert "--" not in alert
