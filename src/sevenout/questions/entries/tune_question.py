"""Search the open numbers of a game file for wanted figures."""

from typing import TYPE_CHECKING, Any

from sevenout.questions.arguments import Argument, ArgumentError, text, whole, words
from sevenout.questions.findings import LazyAnswer
from sevenout.questions.question import Question
from sevenout.questions.schema import (
    boolean,
    by_name,
    exact,
    integer,
    listed,
    number,
    record,
    string,
)
from sevenout.questions.subject_kinds import OPEN

if TYPE_CHECKING:
    from sevenout.rules.gamefiles.open_parameters import Opened

MOST = 1_000_000


def answer(opened: "Opened", *, edge: tuple[str, ...], **said: Any) -> LazyAnswer:
    """The tables with these figures, best first; tiers for several edges."""
    from sevenout.variants import tiers, tune

    said = {name: list(each) if isinstance(each, tuple) else each for name, each in said.items()}
    several = [one for one in edge if "," in one.rpartition("=")[2]]
    if several and len(edge) > 1:
        raise ArgumentError("edge", "; ".join(edge) + ": give tiers once, such as 8%,6%,4%")
    found: Any
    if several:
        bet, equals, steps = several[0].rpartition("=")
        found = tiers(opened, [f"{bet}{equals}{one}" for one in steps.split(",")], **said)
    else:
        found = tune(opened, edge=list(edge), **said)
    return LazyAnswer(found.page, found.to_dict, found)


FIGURES = record(
    "the figures of a bet",
    {
        "edge": exact("the house edge, per bet made"),
        "hit_frequency": exact("the probability of a profit"),
        "variance": exact("the variance of the profit, per unit staked"),
        "standard_deviation": number("its standard deviation"),
    },
)
TABLE = record(
    "a table",
    {
        "numbers": by_name(exact("the value of each open number")),
        "cost": integer("how far the table is from plain; less is plainer"),
        "bets": by_name(FIGURES),
    },
)
TUNING = {
    "count": integer("how many tables have these figures"),
    "considered": integer("how many tables there are"),
    "considered_exactly": boolean("whether that is exact, or only an upper bound"),
    "refused_structures": integer("how many limits, totals and stakes are no game"),
    "notes": listed(string("where nothing was found, what can be reached")),
    "tables": listed(TABLE) | {"description": "the best tables, the best first"},
}
QUESTION = Question(
    name="tune",
    help="Find pays and rules with the house edge, hit frequency and volatility you want.",
    of=OPEN,
    answer=answer,
    arguments=(
        Argument(
            "edge",
            text(),
            "The house edge per bet made: 4%..6%, ..5%, or pass=1%..2% for one bet. Repeat the "
            "option for several bets. Several edges, 8%,6%,4%, are tiers of one table with the "
            "fewest changes.",
            "0%..1%",
            None,
            many=True,
        ),
        Argument(
            "hit",
            text(),
            "The hit frequency, which is the probability of a profit: 20%..30%.",
            default=None,
            many=True,
        ),
        Argument(
            "volatility",
            text(),
            "The standard deviation of the profit per unit staked: ..5.",
            default=None,
            many=True,
        ),
        Argument(
            "within",
            text(),
            "How far a result may be from an edge given as a single number: 0.5%.",
            default="0",
        ),
        Argument(
            "wish",
            words("plain", "edge", "calm", "top"),
            "The order of the results: plain (round numbers, monotone tables, few different pays), "
            "edge (nearest to the middle), calm (lowest variance) or top (highest pay).",
            default="plain",
        ),
        Argument("top", whole(0, MOST), "The number of results to show.", "3", "20"),
    ),
    returns={
        **{f"{key}?": schema for key, schema in TUNING.items()},
        "tiers?": listed(record("what was found for each edge", TUNING)),
        "ladder?": listed(TABLE) | {"description": "one table of each tier"},
        "changes?": listed(integer("how many numbers change from each tier to the next")),
    },
)
