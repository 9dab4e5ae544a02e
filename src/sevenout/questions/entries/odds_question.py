"""The exact odds of a game."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sevenout.documents import Block, Page, Text
from sevenout.documents.numbers import many
from sevenout.questions.arguments import Argument, ArgumentError, amount, text
from sevenout.questions.entries.given_question import QUESTION as GIVEN
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
from sevenout.questions.subject_kinds import GAME

if TYPE_CHECKING:
    from sevenout.questions.named_policies import PlayedGame
    from sevenout.questions.subjects import GameSubject
    from sevenout.rules import Progressive
    from sevenout.solving import Solution

LEFT_OUT = "Figures above this line leave the progressive award out."


def answer(solved: "PlayedGame", *, bet: str | None, meter: Fraction | None) -> LazyAnswer:
    """All figures of the game, or those of one bet and its awards."""
    from sevenout.solving.bets.awards import progressive

    solution = solved.solution
    only = None if bet is None else solution.bet(bet)
    rules = _awards(solved, bet)
    awards = [progressive(solution.bet(name), rule) for name, rule in rules.items()]

    def page() -> Page:
        blocks: list[Block] = [*(solution if only is None else only).page().blocks]
        for award in awards:
            blocks += [Text(LEFT_OUT), award.page(meter, solved.currency)]
        return Page("", *blocks, Text(_rolls(solution), tone="note"))

    def data() -> dict[str, Any]:
        made = solution.to_dict() | ({} if only is None else {"bets": [only.to_dict()]})
        found = [award.to_dict(meter) for award in awards]
        return made | ({"progressives": found} if found else {})

    return LazyAnswer(page, data, solution, text=solved.text)


def _awards(of: "PlayedGame | GameSubject", bet: str | None) -> "dict[str, Progressive]":
    return {name: rule for name, rule in of.awards.items() if bet in (None, name)}


def refuses(given: Any, *, bet: str | None, meter: Fraction | None) -> None:
    """Refuse an unknown bet, or a meter without an award."""
    from sevenout.questions.named_policies import played_game

    chosen = played_game(given).chosen
    if chosen is not None:
        chosen.refuse_bet(bet)
    if meter is not None and (chosen is None or not _awards(chosen, bet)):
        raise ArgumentError(
            "meter", (f"{meter} is given, but the game has no progressive award; leave it out")
        )


def _rolls(solution: "Solution") -> str:
    states = len(solution.chain.states)
    parts = [f"{solution.status}; {many(states, 'state')}"]
    for counter in solution.chain.counters:
        if not counter.startswith("rolls of "):
            parts.append(f"mean {counter} {float(solution.mean(counter)):.6f}")
    return "; ".join(parts)


ROW = record(
    "a row of the return table",
    {
        "event": string("what happens"),
        "pays": exact("the profit per unit staked"),
        "probability": exact("its probability"),
        "return": exact("its part of the mean profit"),
    },
)
BET = record(
    "a bet",
    {
        "bet": string("its name"),
        "stake": exact("its stake"),
        "mean": exact("the mean profit per unit staked; the mean result of a score"),
        "edge": exact("the house edge, per bet made; null for a score", optional=True),
        "edge_resolved": exact("the house edge, per bet resolved", optional=True),
        "edge_per_roll": exact("the house edge, per roll", optional=True),
        "element_of_risk": exact("the element of risk", optional=True),
        "rtp": exact("the return to player; null for a score", optional=True),
        "p_win": exact("the probability of a win"),
        "p_push": exact("of a push"),
        "p_lose": exact("of a loss"),
        "rolls": exact("the mean number of rolls until it is settled", optional=True),
        "variance": exact("the variance of the profit, per unit staked"),
        "std": number("its standard deviation"),
        "skewness": number("its skewness", optional=True),
        "kurtosis": number("its excess kurtosis", optional=True),
        "table": listed(ROW),
    },
)
AWARD = record(
    "a progressive award",
    {
        "bet": string("the bet that may win it"),
        "seed": exact("where the meter starts"),
        "share": exact("the share of each stake that is added"),
        "must_hit_by": exact("the limit of the meter", optional=True),
        "on": listed(string("what wins it")),
        "bettors": integer("the bettors on each roll"),
        "status": string("exact, or certified with its error bound"),
        "probability": exact("the probability that a bet wins it", optional=True),
        "mean_bets": exact("the mean number of bets between awards"),
        "mean_award": exact("the mean award"),
        "award_variance": exact("its variance"),
        "edge_without": exact("the house edge without the award"),
        "edge_long_run": exact("the house edge in the long run, of one bettor on each roll"),
        "std_without": number("the standard deviation of a bet's profit without the award"),
        "std_with": number("the same with the award, of one bettor in the long run"),
        "maximum_exposure": exact("the most paid on one bet, in stakes", optional=True),
        "break_even": exact("the meter at which the edge is 0", optional=True),
        "break_even_below_seed": boolean("whether that is below where the meter starts"),
        "meter?": exact("what the meter shows"),
        "return_at_meter?": exact("what the next bet returns then"),
    },
)
QUESTION = Question(
    name="odds",
    help="Exact odds of a game: outcomes, return tables, house edges and rolls.",
    of=GAME,
    answer=answer,
    refuses=refuses,
    arguments=(
        Argument("bet", text(), "Show only this bet.", default=None),
        Argument(
            "meter",
            amount(0),
            ("Also give the return of the next bet when the progressive meter shows this amount."),
            default=None,
        ),
    ),
    instead=(GIVEN,),
    returns={
        "status": string("exact, or certified with its error bound"),
        "bound": exact("the error bound of each probability; 0 if exact"),
        "fingerprint": string("the hash of the game's chain"),
        "states": integer("how many states the game has"),
        "outcomes": by_name(exact("the probability of each outcome")),
        "mean_rolls": exact("the mean number of rolls"),
        "mean_rolls_bound": exact("its error bound; 0 if exact"),
        "bets": {**listed(BET), "description": "the bets, each with its figures and return table"},
        "counters?": {
            "type": "array",
            "items": {"type": "object"},
            "description": "the counters of the game, each with its mean and distribution",
        },
        "progressives?": {
            **listed(AWARD),
            "description": "the progressive awards, each with its figures",
        },
    },
)
