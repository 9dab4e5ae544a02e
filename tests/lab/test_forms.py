"""Every form of a question says what is wrong in it, in a line that names the field."""

import re
from html import unescape
from urllib.parse import urlencode

import pytest

from sevenout.lab.site import page
from sevenout.questions import all_questions
from sevenout.questions.question import Question

FIELDS = [
    (question, each.name)
    for question in all_questions().values()
    for each in question.arguments
    if not each.form.options
]


@pytest.mark.parametrize(
    ("question", "name"), FIELDS, ids=[f"{question.name}-{name}" for question, name in FIELDS]
)
def test_a_wrong_value_is_named_and_kept(question: Question, name: str) -> None:
    wrong = "-3'x"
    body = page(f"/ask?{urlencode({'question': question.name, name: wrong})}").body.decode()
    alerts = re.findall(r'role="alert"><p>(.*?)</p>', body, re.DOTALL)
    assert len(alerts) == 1, "nothing is swallowed"
    said = unescape(alerts[0])
    assert "\n" not in said
    label = next(each.label for each in question.arguments if each.name == name)
    assert any(part.lower() in said.lower() for part in ("-3", "'x", label)), said
    kept = re.search(rf'<input name="{re.escape(name)}" value="([^"]*)"', body)
    assert kept is not None
    assert unescape(kept[1]) == wrong
