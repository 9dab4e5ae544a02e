"""The distribution of the total of dice."""

from typing import Any

from sevenout.documents import Shown
from sevenout.questions.arguments import Argument, whole
from sevenout.questions.entries.versus_question import QUESTION as VERSUS
from sevenout.questions.entries.versus_question import TOTALS
from sevenout.questions.question import Question
from sevenout.questions.subject_kinds import ROLLED


def answer(dice: Any, *, show: int) -> Shown:
    """Each total with its probability and both cumulative probabilities."""
    from sevenout.rolling import spread

    return spread(dice, show=show)


QUESTION = Question(
    name="dice",
    help=(
        "The distribution of dice: the probability of each total, of at least and of at most "
        "that total."
    ),
    of=ROLLED,
    answer=answer,
    arguments=(
        Argument(
            "show", whole(1), "Print at most this many totals, the most likely ones.", default="40"
        ),
    ),
    instead=(VERSUS,),
    returns=TOTALS,
)
