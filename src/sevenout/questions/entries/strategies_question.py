"""The library's strategies for the craps table."""

from typing import Any

from sevenout.documents import Page, Table
from sevenout.questions.findings import LazyAnswer
from sevenout.questions.question import Question
from sevenout.questions.schema import by_name, record, string
from sevenout.questions.subject_kinds import NUMBERS


def answer(_: None) -> LazyAnswer:
    """Each strategy with its name and description."""
    from sevenout.catalogue.strategies import strategies

    known = strategies.entries
    rows = [[name, entry.title, entry.text] for name, entry in known.items()]

    def data() -> dict[str, Any]:
        said = {n: {"title": e.title, "text": e.text, "source": e.source} for n, e in known.items()}
        return {"strategies": said}

    return LazyAnswer(lambda: Page("Strategies", Table(["name", "", "what it does"], rows)), data)


QUESTION = Question(
    name="strategies",
    help="The built-in strategies for the craps table, by name.",
    of=NUMBERS,
    answer=answer,
    returns={
        "strategies": by_name(
            record(
                "by name, each strategy",
                {
                    "title": string("its name in print"),
                    "text": string("what it does"),
                    "source": string("where it comes from"),
                },
            )
        ),
    },
)
