"""How an evening at the craps table ends, by strategy."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sevenout.documents import Page, Text
from sevenout.questions.arguments import Argument, flag, seed, whole
from sevenout.questions.entries.strategies_question import QUESTION as STRATEGIES
from sevenout.questions.findings import LazyAnswer
from sevenout.questions.question import Question
from sevenout.questions.schema import (
    OUTCOME,
    boolean,
    by_name,
    exact,
    integer,
    listed,
    number,
    record,
    said,
    string,
)
from sevenout.questions.subject_kinds import EVENINGS

if TYPE_CHECKING:
    from sevenout.evenings.evening_plan import Plan
    from sevenout.evenings.evening_result import EveningResult

MOST_EVENINGS = 2**54
ALONE, BEFORE, AFTER = 0.75, 0.3, 0.55
"""Shares of the budget: a distribution alone; one before simulated evenings; and these after it."""


def answer(
    plans: "tuple[Plan, ...]",
    *,
    simulate: int | None,
    seed: int,
    scale: bool,
    words: bool,
    progress: Callable[[int, int], object] = lambda done, of: None,
) -> LazyAnswer:
    """The distribution of each evening; simulated evenings beside it, or in its place."""
    from sevenout.evenings.evening_plan import at_the_minimum
    from sevenout.evenings.evening_result import SideBySide

    if scale:
        plans = tuple(map(at_the_minimum, plans))
    if words:
        return _in_words(plans)
    solved = [_solved(plan, simulate) for plan in plans]
    results = [result for result in solved if result is not None]
    if simulate is not None and len(results) < len(plans):
        return _played(plans, solved, simulate, seed, progress)
    both = SideBySide(tuple(results))
    verdicts = []
    if simulate is not None:
        from sevenout.simulation.played_evenings.evenings import play_evenings
        from sevenout.verify.agreement import confirm_evenings

        for plan, result in zip(plans, results, strict=True):
            verdicts.append(confirm_evenings(play_evenings(plan, simulate, seed), result))

    def page() -> Page:
        found = (results[0] if len(results) == 1 else both).page()
        return Page(found.title, *found.blocks, *(verdict.page() for verdict in verdicts))

    def data() -> dict[str, Any]:
        told = [verdict.to_dict() for verdict in verdicts]
        return both.to_dict() | ({"simulations": told} if told else {})

    return LazyAnswer(page, data, *results)


def _in_words(plans: "tuple[Plan, ...]") -> LazyAnswer:
    """Each strategy as a player would describe it."""
    from sevenout.catalogue.strategies.strategy_words import in_words

    told = {plan.name: in_words(plan.bettor.strategy) for plan in plans}
    texts = [Page(name, Text(" ".join(sentences))) for name, sentences in told.items()]
    return LazyAnswer(
        lambda: Page("", *texts) if len(texts) > 1 else texts[0],
        lambda: {"evenings": [{"strategy": n, "words": words} for n, words in told.items()]},
    )


def _solved(plan: "Plan", simulate: int | None) -> "EveningResult | None":
    """The distribution of an evening; None if it is too large, but may be simulated."""
    from sevenout.budgets.estimates import allowed, budget
    from sevenout.budgets.supervision import status
    from sevenout.errors import TooManyStatesError, TooMuchWorkError
    from sevenout.simulation.played_evenings.sittings import sittings_that_fit

    limits = allowed()
    part = ALONE if simulate is None else BEFORE
    fit = sittings_that_fit(plan) if simulate is None else 0
    try:
        with (
            status.offering(f"play evenings instead: --simulate {fit}" if fit else ""),
            budget(part * limits.seconds, part * _left(limits.memory), enforce=True),
        ):
            return plan.solve()
    except (TooMuchWorkError, TooManyStatesError) as error:
        if simulate is not None:
            return None
        why = str(error).partition("; ask for less")[0].removesuffix(", or raise the budget")
        why = why.replace("the budget of", "its share of the budget,")
        why = why.replace("the budget is", "its share of the budget is")
        name = "" if plan.name in why else f"{plan.name}: "
        raise TooMuchWorkError(
            f"{name}{why}; play evenings instead: simulate={fit}, or raise the budget"
        ) from None


def _left(memory: float) -> float:
    """The memory left to a watched command, whose limit covers its whole process."""
    from sevenout.budgets.enforcement import memory_of
    from sevenout.budgets.supervision import status

    has = (memory_of() or 0.0) if status.watched else 0.0
    return max(memory / 10, memory - has)


def _played(
    plans: "tuple[Plan, ...]",
    solved: "list[EveningResult | None]",
    many: int,
    seed: int,
    progress: Callable[[int, int], object],
) -> LazyAnswer:
    """Simulated evenings in place of distributions that are too large."""
    from sevenout.budgets.estimates import allowed, budget
    from sevenout.simulation.played_evenings.sittings import play_sittings

    limits = allowed()
    with budget(AFTER * limits.seconds / solved.count(None), limits.memory):
        told: list[Any] = [
            result or play_sittings(plan, many, seed, lambda done: progress(done, many))
            for plan, result in zip(plans, solved, strict=True)
        ]
    return LazyAnswer(
        lambda: Page("", *(each.page() for each in told)),
        lambda: {"evenings": [each.to_dict() for each in told]},
    )


EVENING: dict[str, Any] = {
    "strategy": string("the strategy"),
    "words?": listed(string("a sentence about the strategy")),
    "rolls?": integer("after how many rolls it ends at the latest", optional=True),
    "hours?": string("how long these take", optional=True),
    **{f"{key}?": schema for key, schema in OUTCOME.items()},
    "mean_rolls?": said("the mean number of rolls"),
    "rolls_to_ruin?": number("the mean rolls of the ruined", optional=True),
    "bets?": said("the mean number of bets"),
    "handle?": said("the mean amount wagered"),
    "edge?": said("the mean loss per unit wagered", optional=True),
    "most_at_risk?": exact("the most money on the felt at once"),
    "least_bet?": exact("the least bet that stands alone", optional=True),
    "pace?": integer("rolls per hour"),
    "handle_per_hour?": said("the mean amount wagered per hour"),
    "loss_per_hour?": said("the expected loss per hour"),
    "refused?": said("the mean number of bets that could not be made"),
    "clipped?": listed(string("a bet of which the table takes less than the strategy wants")),
    "positions?": integer("the number of positions"),
    "method?": string("simulated, where the distribution is too large"),
    "evenings?": integer("how many evenings were played"),
    "seed?": integer("their seed"),
    "shares?": by_name(listed(number("the share seen, and its error bar"))),
    "mean_result?": listed(number("the mean result seen, and its error bar")),
}
SIMULATION: dict[str, Any] = {
    "evenings": integer("how many were played"),
    "confidence": string("of the verdict"),
    "ends": by_name({"type": "object", "description": "how often each end came, and should"}),
    "tests": {"type": "array", "items": {"type": "object"}, "description": "the tests"},
    "family_holm": by_name(number("the p-values, corrected for their number")),
    "agrees": boolean("whether they agree with the distribution"),
    "verdict": string("the same in words"),
}
QUESTION = Question(
    name="evening",
    help="The distribution of an evening's result at the craps table, for one strategy or several.",
    of=EVENINGS,
    answer=answer,
    arguments=(
        Argument(
            "simulate",
            whole(1, MOST_EVENINGS),
            "Also simulate this many evenings, such as 1e6, and test them against the "
            "distribution (false alarms: 1 % of runs). If the distribution is too large, only "
            "the simulation is shown.",
            default=None,
        ),
        Argument(
            "seed",
            seed(),
            "The seed of the simulation. `sevenout play --number n` replays its evening n.",
            default="1",
        ),
        Argument(
            "scale",
            flag(),
            "Multiply the bets of each strategy by the least whole number that reaches the table's "
            "minimum, to compare strategies at one table.",
            default="no",
        ),
        Argument(
            "words",
            flag(),
            "Only describe each strategy in words: its bets, what a ladder does after its last "
            "step, and the order in which bets are paid.",
            default="no",
        ),
    ),
    unasked=STRATEGIES,
    section=True,
    returns={
        "evenings": listed(record("how each evening ends", EVENING)),
        "simulations?": listed(record("evenings that were played, and if they agree", SIMULATION)),
    },
)
