"""Evenings: how one ends, by strategy or bet; its risk, its extremes, and the best bets to make."""

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sevenout.documents import Certified, Fact, Facts, Page, Table, Text
from sevenout.documents.kinds import AMOUNT, PERCENT
from sevenout.documents.numbers import percent
from sevenout.errors import NotationError, RulesError, shown
from sevenout.numerals import exact as exact_number
from sevenout.questions.arguments import (
    PICTURE_FILE,
    ArgumentError,
    amount,
    arg,
    input_file,
    one_of,
    output_file,
    probability,
    seed,
    whole_number,
)
from sevenout.questions.question import (
    FigureValues,
    LazyAnswer,
    asks,
    printed_figure,
    printed_probability,
)
from sevenout.questions.schema import (
    EVENING_FIGURES,
    boolean,
    by_name,
    certified,
    exact,
    exact_or_number,
    integer,
    list_of,
    list_of_mappings,
    mapping,
    number,
    record,
    string,
)
from sevenout.questions.subject_kinds import (
    EVENINGS,
    LASTING_EVENING,
    NUMBERS,
    REPEATED_BET,
    STRATEGIES,
)

if TYPE_CHECKING:
    from sevenout.catalogue.strategies.strategy_file import StrategyFile
    from sevenout.evenings.evening_plan import Plan
    from sevenout.evenings.evening_result import EveningResult
    from sevenout.evenings.optimal_evenings import NeededBankroll
    from sevenout.questions.plans import Evening, RepeatedBets

MAX_EVENINGS = 2**54
SHARE_ALONE, SHARE_BEFORE_SIMULATION, SHARE_AFTER_SOLVING = 0.75, 0.3, 0.55
"""Shares of the budget: a distribution alone; one before simulated evenings; and these after it."""
RESULT: dict[str, Any] = {
    "strategy": string("the strategy, or the bet"),
    "words?": list_of(string("a sentence about the strategy")),
    "rolls?": integer("after how many rolls it ends at the latest", optional=True),
    "hours?": string("how long these take", optional=True),
    **{f"{key}?": schema for key, schema in EVENING_FIGURES.items()},
    "mean_rolls?": exact_or_number("the mean number of rolls"),
    "rolls_to_ruin?": number("the mean rolls of the ruined", optional=True),
    "mean_bets?": exact_or_number("the mean number of bets"),
    "handle?": exact_or_number("the mean amount wagered"),
    "edge?": exact_or_number("the mean loss per unit wagered", optional=True),
    "most_at_risk?": exact("the most money on the felt at once"),
    "least_bet?": exact("the least bet that stands alone", optional=True),
    "pace?": integer("rolls per hour"),
    "handle_per_hour?": exact_or_number("the mean amount wagered per hour"),
    "loss_per_hour?": exact_or_number("the expected loss per hour"),
    "refused?": exact_or_number("the mean number of bets that could not be made"),
    "clipped?": list_of(string("a bet of which the table takes less than the strategy asks")),
    "positions?": integer("the number of positions"),
    "method?": string("simulated, where the distribution is too large"),
    "evenings?": integer("how many evenings were played"),
    "seed?": integer("their seed"),
    "shares?": by_name(list_of(number("the share seen, and its error bar"))),
    "mean_result?": list_of(number("the mean result seen, and its error bar")),
    "amount?": exact("of a bet: its amount"),
    "target?": exact("of a bet: the amount at which the evening stops", optional=True),
    "bets?": integer("of a bet: after how many bets it stops", optional=True),
}
SIMULATION: dict[str, Any] = {
    "evenings": integer("how many were played"),
    "confidence": string("of the verdict"),
    "ends": by_name(mapping("how often each end came, and should")),
    "tests": list_of_mappings("the tests"),
    "family_holm": by_name(number("the p-values, corrected for their number")),
    "agrees": boolean("whether they agree with the distribution"),
    "verdict": string("the same in words"),
}


# --- how an evening ends --------------------------------------------------------------------------


MIN_EVENING_SECONDS = 1e-6
"""Seconds of the shortest simulated evenings; most take longer."""
MAX_BUDGETS = 100
"""More evenings than fill this many budgets are refused, as by `play_evenings`."""


def _refuse_simulation(*_: Any, simulate: int | None, words: bool, **_options: Any) -> None:
    """Refuse far too many evenings, or those of a mere description, before anything is solved."""
    from sevenout.budgets.estimates import afford, allowed

    if words and simulate is not None:
        raise ArgumentError("simulate", f"{simulate}; words= solves nothing: leave it out")
    # A run measures its own speed first, which takes a tenth of the budget.
    seconds = (simulate or 0) * MIN_EVENING_SECONDS
    if simulate is not None and seconds > MAX_BUDGETS * allowed().seconds:
        afford(
            f"{simulate:,} evenings", seconds=seconds, instead="play fewer, such as simulate=1e6"
        )


@asks(
    EVENINGS,
    "How an evening ends, with strategies at the craps table or a bet.",
    {
        "evenings": list_of(record("how each evening ends", RESULT)),
        "simulations?": list_of(record("evenings that were played, and if they agree", SIMULATION)),
    },
    fits_papers=True,
    check_arguments=_refuse_simulation,
    label="Evening",
)
def evening(
    evenings: "tuple[Evening, ...]",
    simulate: int | None = arg(
        "Also simulate this many evenings, such as 1e6, and test them against the distribution "
        "(false alarms: 1 % of runs). If the distribution is too large, only the simulation is "
        "shown.",
        whole_number(1, MAX_EVENINGS),
    ),
    seed: int = arg(
        "The seed of the simulation. `sevenout play --number n` replays its evening n.",
        seed(),
        default="1",
        needs="simulate",
    ),
    scale: bool = arg(
        "Multiply the bets of each strategy by the least whole number that reaches the table's "
        "minimum, to compare strategies at one table."
    ),
    words: bool = arg(
        "Only describe each strategy in words: its bets, what a ladder does after its last step, "
        "and the order in which bets are paid."
    ),
    progress: Callable[[int, int], object] | None = None,
) -> LazyAnswer:
    """The distribution of each evening; simulated evenings beside it, or in its place."""
    from sevenout.evenings.evening_plan import at_the_minimum
    from sevenout.evenings.evening_result import EveningComparison
    from sevenout.questions.plans import RepeatedBets

    bets = [evening for evening in evenings if isinstance(evening, RepeatedBets)]
    if bets:
        if len(evenings) > 1:
            raise RulesError(f"an evening of the bet {bets[0].name} stands alone; ask for one")
        for_strategies = {"simulate": simulate, "scale": scale, "words": words}
        return _repeated_bet_answer(bets[0], [name for name, on in for_strategies.items() if on])
    plans = tuple(evening for evening in evenings if not isinstance(evening, RepeatedBets))
    # Before anything is solved: the stakes decide the positions.
    if scale:
        plans = tuple(map(at_the_minimum, plans))
    if words:
        return _answer_in_words(plans)
    results = [_solve_if_affordable(plan, simulate) for plan in plans]
    solved = [result for result in results if result is not None]
    # One distribution that is too large makes all of them simulations, or they can't be compared.
    if simulate is not None and len(solved) < len(plans):
        return _simulated_answer(plans, results, simulate, seed, progress)
    together = EveningComparison(tuple(solved))
    verdicts = []
    if simulate is not None:
        from sevenout.simulation.played_evenings import play_evenings
        from sevenout.verify.agreement import confirm_evenings

        for plan, result in zip(plans, solved, strict=True):
            verdicts.append(confirm_evenings(play_evenings(plan, simulate, seed), result))

    def page() -> Page:
        shown_page = (solved[0] if len(solved) == 1 else together).page()
        return Page(shown_page.title, *shown_page.blocks, *(v.page() for v in verdicts))

    def data() -> dict[str, Any]:
        simulations = [verdict.to_dict() for verdict in verdicts]
        return together.to_dict() | ({"simulations": simulations} if simulations else {})

    return LazyAnswer(page, data, *solved)


def _repeated_bet_answer(plan: "RepeatedBets", stated: list[str]) -> LazyAnswer:
    """An evening of one bet, made again and again."""
    from sevenout.evenings.sessions import session

    if stated:
        raise ArgumentError(stated[0], "yes; it is for strategies at the craps table: leave it out")
    result = session(
        plan.bet, plan.bankroll, amount=plan.amount, target=plan.target, bets=plan.bets
    )
    notes = [Text(plan.assumption, tone="note")] if plan.assumption else []
    return LazyAnswer(
        lambda: Page(plan.title, *result.page().blocks, *notes),
        lambda: {"evenings": [{"strategy": plan.name} | result.to_dict()]},
    )


def _answer_in_words(plans: "tuple[Plan, ...]") -> LazyAnswer:
    """Each strategy as a player would describe it."""
    from sevenout.catalogue.strategies.strategy_words import in_words

    sentences = {plan.name: in_words(plan.bettor.strategy) for plan in plans}
    pages = [Page(name, Text(" ".join(lines))) for name, lines in sentences.items()]
    return LazyAnswer(
        lambda: Page("", *pages) if len(pages) > 1 else pages[0],
        lambda: {"evenings": [{"strategy": n, "words": lines} for n, lines in sentences.items()]},
    )


def _solve_if_affordable(plan: "Plan", simulate: int | None) -> "EveningResult | None":
    """The distribution of an evening; None if it is too large, but may be simulated."""
    from sevenout.budgets.estimates import allowed, run_within
    from sevenout.budgets.supervision import status
    from sevenout.errors import TooManyStatesError, TooMuchWorkError
    from sevenout.simulation.played_evenings import evenings_that_fit

    limits = allowed()
    # What the distribution leaves must still pay for the evenings.
    share = SHARE_ALONE if simulate is None else SHARE_BEFORE_SIMULATION
    affordable_evenings = evenings_that_fit(plan) if simulate is None else 0
    try:
        with status.offering(
            f"play evenings instead: --simulate {affordable_evenings}"
            if affordable_evenings
            else ""
        ):
            return run_within(
                plan.solve, share * limits.seconds, share * _memory_left(limits.memory)
            )
    except (TooMuchWorkError, TooManyStatesError) as error:
        if simulate is not None:
            return None
        reason = str(error)
        if isinstance(error, TooMuchWorkError) and error.excess is not None:
            # the reader set the whole budget, and not this share of it
            reason = error.excess.reason(is_share=True)
            if error.excess.alternative:
                reason = f"{reason}; {error.excess.alternative}"
        name = "" if plan.name in reason else f"{plan.name}: "
        raise TooMuchWorkError(
            f"{name}{reason}; play evenings instead: simulate={affordable_evenings}, or raise the "
            "budget"
        ) from None


def _memory_left(memory: float) -> float:
    """The memory left to a watched command, whose limit covers its whole process."""
    from sevenout.budgets.enforcement import memory_of
    from sevenout.budgets.supervision import status

    # Numpy and the tables of the felt are loaded already.
    used = (memory_of() or 0.0) if status.is_watched else 0.0
    return max(memory / 10, memory - used)


def _simulated_answer(
    plans: "tuple[Plan, ...]",
    results: "list[EveningResult | None]",
    count: int,
    seed: int,
    progress: Callable[[int, int], object] | None,
) -> LazyAnswer:
    """Simulated evenings in place of distributions that are too large."""
    from sevenout.budgets.estimates import allowed, budget
    from sevenout.simulation.played_evenings import play_evenings

    def show(played: int) -> None:
        if progress is not None:
            progress(played, count)

    limits = allowed()
    with budget(SHARE_AFTER_SOLVING * limits.seconds / results.count(None), limits.memory):
        shown_results: list[Any] = [
            result or play_evenings(plan, count, seed, progress=show)
            for plan, result in zip(plans, results, strict=True)
        ]
    return LazyAnswer(
        lambda: Page("", *(result.page() for result in shown_results)),
        lambda: {"evenings": [result.to_dict() for result in shown_results]},
    )


@evening.saving
def files_of_evenings(
    answer: LazyAnswer,
    plot: Path | None = arg(
        "Draw the distributions of the result to this file: .svg, .pdf or .png.",
        PICTURE_FILE,
    ),
    output: Path | None = arg(
        "Write the probability of each result to this .csv file.",
        output_file("a distribution", ".csv"),
        short_option="-o",
    ),
) -> None:
    """A picture of the evenings, and their distributions as CSV."""
    # A picture with a strategy missing would be read as all of them.
    if (plot or output) and not answer.results:
        raise NotationError(
            "--output and --plot need every distribution; leave --words out, and any "
            "strategy whose distribution is too large"
        )
    if output is not None:
        from sevenout.evenings.evening_result import EveningComparison
        from sevenout.files import write

        write(output, Page("", EveningComparison(tuple(answer.results)).distribution_table()).csv())
    if plot is not None:
        from sevenout.papers import plots

        plots.save(plots.evenings(answer.results), plot)


# --- the strategies there are ---------------------------------------------------------------------


@evening.mode(
    "The built-in strategies for the craps table, by name.",
    {
        "strategies": by_name(
            record(
                "by name, each strategy",
                {
                    "title": string("its name in print"),
                    "text": string("what it does"),
                    "source": string("where it comes from"),
                },
            )
        )
    },
    subject_kind=NUMBERS,
    answers_without_input=True,
    label="Strategies at the table",
)
def evening_list(
    _: None, list: bool = arg("List the built-in strategies.", example="yes")
) -> LazyAnswer:
    """Each strategy with its name and description."""
    from sevenout.catalogue.strategies import strategies

    entries = strategies.entries
    rows = [[name, entry.title, entry.summary] for name, entry in entries.items()]

    def data() -> dict[str, Any]:
        return {
            "strategies": {
                name: {"title": entry.title, "text": entry.summary, "source": entry.source}
                for name, entry in entries.items()
            }
        }

    return LazyAnswer(lambda: Page("Strategies", Table(["name", "", "what it does"], rows)), data)


# --- the risk of ruin -----------------------------------------------------------------------------


def _only_evening(evenings: Sequence[Any], argument: str) -> Any:
    if len(evenings) != 1:
        raise RulesError(f"{argument}= is about one evening; give one strategy or bet")
    return evenings[0]


@evening.mode(
    "The risk of ruin: the probability that a player who never stops loses the bankroll.",
    {
        "bet": string("the bet"),
        "bankroll": exact("what the player brings"),
        "amount": exact("the stake of each bet"),
        "ruin": printed_probability(
            certified("the probability of ever being ruined"), "risk of ruin"
        ),
        "edge": printed_probability(
            exact("the house edge, per bet made; null for a score", optional=True),
            "house edge, per bet made",
        ),
    },
    subject_kind=REPEATED_BET,
    fits_papers=True,
    heading=lambda forever: "risk of ruin",
    label="Risk of ruin",
)
def evening_forever(
    bets: "tuple[RepeatedBets, ...]",
    forever: bool = arg(
        "The risk of ruin of a bet that is made again and again, for ever.", example="yes"
    ),
) -> FigureValues:
    """The probability of ruin, exact or with proved bounds."""
    from sevenout.evenings.sessions import risk_of_ruin

    plan = _only_evening(bets, "forever")
    low, high = risk_of_ruin(plan.bet, plan.bankroll, amount=plan.amount)
    is_score = plan.bet.is_score
    return FigureValues(
        {
            "bet": plan.name,
            "bankroll": plan.bankroll,
            "amount": plan.amount,
            "ruin": Certified.between(low, high),
            "edge": None if is_score else plan.bet.edge,
        },
        plan.assumption,
        names={"edge": ""} if is_score else {},
        notes={"edge": "at 0 or more, ruin is certain"} if low == 1 else {},
    )


# --- the bankroll that lasts ----------------------------------------------------------------------


@evening.mode(
    "The smallest bankroll that lasts an evening with a probability, and other probabilities.",
    {
        "strategy": string("the strategy"),
        "rolls": integer("the rolls that the bankroll must last"),
        "hours": string("how long these take; null if rolls were given", optional=True),
        "probability": exact("the probability with which it must last"),
        "bankroll": exact("the smallest bankroll that lasts with this probability or more"),
        "lasts": by_name(number("by bankroll, the probability that it lasts")),
        "bound": number("the error bound of each probability"),
    },
    subject_kind=LASTING_EVENING,
    fits_papers=True,
    heading=lambda bankroll_for: f"the bankroll that lasts with {percent(bankroll_for, 0)}",
    label="Bankroll for an evening",
)
def evening_bankroll_for(
    plans: "tuple[Plan, ...]",
    bankroll_for: Fraction = arg(
        "The smallest bankroll that lasts the evening with this probability: every bet of the "
        "strategy can be made.",
        probability(),
        example="95%",
    ),
) -> "NeededBankroll":
    """The bankroll, the smallest ones for other probabilities, and as data every smaller one."""
    from sevenout.evenings import bankroll_for as smallest_bankroll

    plan = _only_evening(plans, "bankroll_for")
    length: Any = {"rolls": plan.ends.rolls} if plan.hours is None else {"hours": plan.hours}
    return smallest_bankroll(
        plan.bettor.strategy,
        bankroll_for,
        pace=plan.pace,
        house=plan.bettor.felt,
        name=plan.name,
        **length,
    )


# --- the extremes of an evening -------------------------------------------------------------------


@evening.mode(
    "The highest and the lowest amount of money in an evening at the craps table.",
    {
        "strategy": string("the strategy"),
        "bankroll": printed_figure(exact("what the player brings"), "bankroll", AMOUNT),
        "chance": exact("the probability of each of the two bounds"),
        "peak": printed_figure(
            exact("the high bound: the money stays at or below it with this probability"),
            "highest amount",
            AMOUNT,
        ),
        "trough": printed_figure(
            exact("the low bound: the money stays at or above it with this probability"),
            "lowest amount",
            AMOUNT,
        ),
        "least": exact("the amount of `reached`", optional=True),
        "reached": printed_figure(
            certified("the probability of ever having it or more", optional=True), "", PERCENT
        ),
        "most": exact("the amount of `fallen`", optional=True),
        "fallen": printed_figure(
            certified("the probability of ever having it or less", optional=True), "", PERCENT
        ),
    },
    example="pass",
    heading=lambda **_: "the highest and the lowest amount",
    fits_papers=True,
    label="Highest and lowest bankroll",
)
def evening_extremes(
    evenings: "tuple[Evening, ...]",
    extremes: bool = arg(
        "The highest and the lowest amount of money during the evening.", example="yes"
    ),
    chance: Fraction = arg(
        "The probability that the money stays below the high bound, and that it stays above the "
        "low one.",
        probability(),
        default="19/20",
        label="Probability",
    ),
    least: Fraction | None = arg(
        "Also give the probability of ever having this amount or more.", example="22"
    ),
    most: Fraction | None = arg(
        "Also give the probability of ever having this amount or less.", example="18"
    ),
) -> FigureValues:
    """Quantiles of the highest and lowest amounts, and the probability of reaching amounts."""
    from sevenout.evenings.evening_plan import Plan

    plan = _only_evening(evenings, "extremes")
    if not isinstance(plan, Plan):
        raise RulesError(f"extremes= is about a strategy at the craps table; {plan.name} is a bet")
    return FigureValues(
        {
            "strategy": plan.name,
            "bankroll": Fraction(plan.bankroll),
            "peak": plan.peak(chance),
            "trough": plan.trough(1 - chance),
            "reached": None if least is None else plan.ever_within(least=least),
            "fallen": None if most is None else plan.ever_within(most=most),
        },
        names={
            "reached": f"ever {least} or more" if least is not None else "",
            "fallen": f"ever {most} or less" if most is not None else "",
        },
        notes={
            "peak": f"not exceeded with probability {chance}",
            "trough": f"lower with probability {1 - chance} at most",
        },
    )


# --- a session that was played --------------------------------------------------------------------


@evening.mode(
    "A session played at the table: its expected cost, and strategies beside it.",
    {
        "statistics": mapping("the figures of the session"),
        "coach": list_of(string("a remark about the bets made")),
        "beside": list_of_mappings(
            "of each strategy, the evenings that match the session's result"
        ),
    },
    subject_kind=STRATEGIES,
    label="Session played",
)
def evening_played(
    strategies: "tuple[StrategyFile, ...]",
    played: Path = arg(
        "A session saved at `sevenout play table`: its expected cost, and how many of a thousand "
        "evenings of each strategy have its result.",
        input_file(),
        local_only=True,
    ),
) -> LazyAnswer:
    """A session at the table, and evenings of strategies beside it, scaled to its minimum."""
    from sevenout.catalogue.craps_family.table_session import TableSession
    from sevenout.evenings.table_evenings import PlayedEvening, plan_beside
    from sevenout.files import read_text
    from sevenout.papers import table_talk

    session = TableSession.from_text(read_text(played))
    matches = [
        PlayedEvening(session, plan_beside(file.strategy, session, name=file.name))
        for file in strategies
    ]
    statistics = table_talk.statistics(session)
    coach = table_talk.coach(session)
    return LazyAnswer(
        lambda: Page(
            "",
            Facts(*(Fact(name, value) for name, value in statistics.items())),
            *map(Text, coach),
            *(match.page() for match in matches),
        ),
        lambda: {
            "statistics": statistics,
            "coach": coach,
            "beside": [match.to_dict() for match in matches],
        },
    )


# --- the best bets --------------------------------------------------------------------------------

MAX_AMOUNTS = 1000
"""The most amounts of a range on a menu, such as "1..10"."""
POSITION = record(
    "a position",
    {
        "money": exact("the money"),
        "point": integer("the point", optional=True),
        "felt": by_name(string("the bets that stand, and their amounts")),
        "rolls left": integer("the rolls that are left", optional=True),
        "bet": list_of(string("the bets to make")),
    },
)


@evening.mode(
    "Optimal betting for an evening at the craps table: which bets of a menu to make before each "
    "roll.",
    {
        "goal": string("the objective"),
        "method": string("how it was solved: exact or certified"),
        "value": exact("the value of optimal play"),
        "bound": exact("its error bound; 0 if exact"),
        "positions": list_of(
            POSITION, "what to bet where; in all other positions the only move is to roll"
        ),
    },
    subject_kind=NUMBERS,
    fits_papers=True,
    label="Optimal bets of an evening",
)
def evening_best(
    _: None,
    best: str = arg(
        'The best bets of a menu of bets and amounts: "pass=1-2-5,field=1..10".',
        example="pass=1..3",
    ),
    bankroll: Fraction = arg("The player's bankroll.", amount(0), example="1", default="10"),
    target: Fraction | None = arg(
        "Leave when the money reaches this amount.", amount(0), example="4"
    ),
    rolls: int | None = arg("Leave after this many rolls.", whole_number(1, 10_000)),
    maximize: Any = arg(
        "What to maximize: the probability of reaching the target, the mean result (money), or the "
        "mean logarithm of the money (log). The default is target if one is given, else money.",
        one_of("target", "money", "log"),
        default=None,
    ),
    idle: bool = arg("Whether the player may roll with no bet on the felt."),
    house: str | None = arg('House rules that differ from the usual: "minimum=5,field=2-2".'),
) -> FigureValues:
    """The value with its proof, and the bets to make in each state."""
    from sevenout.catalogue.craps_family.craps_felt import house_of
    from sevenout.evenings.optimal_evenings import best_evening

    answer = best_evening(
        parse_menu(best),
        bankroll,
        target=target,
        rolls=rolls,
        want=maximize,
        idle=idle,
        house=house_of(house or ""),
    )
    positions = [
        {
            "money": str(money),
            "point": point,
            "felt": {bet: str(stake) for bet, stake in standing},
            "rolls left": left,
            "bet": list(bets),
        }
        for (money, point, standing, left), bets in answer.chosen_bets
    ]
    return FigureValues(
        {
            "goal": answer.goal.name,
            "method": answer.method,
            "value": answer.value,
            "bound": answer.bound,
            "positions": positions,
        },
        blocks_above=[answer.page()],
    )


def parse_menu(menu_text: str) -> dict[str, list[Any]]:
    """Parse a menu: amounts by bet.

    >>> parse_menu("pass=1-2-5, place 6=6, field=1..3")
    {'pass': [1, 2, 5], 'place 6': [6], 'field': [1, 2, 3]}

    Raises:
        ArgumentError: not a menu; the message has the part that is wrong.
    """
    from sevenout.numerals import int_if_whole

    menu: dict[str, list[Any]] = {}
    for part in menu_text.split(","):
        bet, equals, amounts = (piece.strip() for piece in part.rpartition("="))
        if not (bet and equals and amounts):
            raise ArgumentError(
                "best",
                f"{shown(part)} is not a bet with amounts; write both, such as pass=1-2-5",
            )
        if bet in menu:
            raise ArgumentError(
                "best", f"{shown(bet)} is on the menu twice; give all its amounts at once"
            )
        bounds = re.fullmatch(r"([0-9]{1,9})\.\.([0-9]{1,9})", amounts)
        if bounds:
            low, high = int(bounds[1]), int(bounds[2])
            # A menu of millions of amounts would be written out before the solver could refuse it.
            if not low <= high < low + MAX_AMOUNTS:
                raise ArgumentError(
                    "best",
                    f"{amounts} is not a range of 1 to {MAX_AMOUNTS:,} amounts; write one such "
                    "as 1..10",
                )
            menu[bet] = list(range(low, high + 1))
            continue
        try:
            menu[bet] = [int_if_whole(exact_number(text)) for text in amounts.split("-")]
        except RulesError:
            raise ArgumentError(
                "best",
                f"{shown(amounts)} is not amounts of {bet}; write 1-2-5, or 1..10 for 1 to 10",
            ) from None
    return menu
