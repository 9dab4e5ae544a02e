"""Tests: a count, rolls of real dice, another program's log; and how much a test needs."""

import re
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, NamedTuple

from sevenout.documents import Fact, Page, Text
from sevenout.documents.kinds import DECIMAL, PERCENT, ROUNDED
from sevenout.documents.numbers import amount as amount_text
from sevenout.documents.numbers import quantity
from sevenout.errors import NotationError, RulesError, shown
from sevenout.questions.arguments import (
    REQUIRED,
    ArgumentError,
    MissingValueError,
    arg,
    input_file,
    one_of,
    probability,
    seed,
    whole_number,
)
from sevenout.questions.question import (
    FigureValues,
    LazyAnswer,
    asks,
    printed_count,
    printed_figure,
)
from sevenout.questions.schema import (
    boolean,
    by_name,
    exact,
    exact_or_number,
    integer,
    list_of,
    list_of_mappings,
    mapping,
    number,
    string,
)
from sevenout.questions.subject_kinds import GAME_TO_TEST, NUMBERS, TESTED

MAX_GAMES = 10**15
Sides = Literal["one", "two"]


# --- a count --------------------------------------------------------------------------------------


@asks(
    NUMBERS,
    "Test a count: did an event happen as often as its probability says?",
    {
        "hits": integer("how often it came up"),
        "games": integer("out of how many"),
        "p": exact("its probability"),
        "expected": printed_figure(None, "expected", ROUNDED.with_digits(1)),
        "share": number("the share that was seen"),
        "z": number("how far that is off, in standard deviations"),
        "off": printed_figure(None, "off by"),
        "p_value": number("the p-value of the exact binomial test"),
        "test": printed_figure(None, "exact binomial"),
        "alternative": string("what the test looks for"),
        "confidence": exact("of the interval and of the verdict"),
        "clopper_pearson": list_of(number("the ends of the Clopper-Pearson interval")),
        "interval": printed_figure(None, "Clopper-Pearson"),
        "agrees": boolean("the verdict"),
    },
    label="Test of a count",
)
def test_count(
    _: None,
    hits: int = arg(
        "The number of times that the event happened.",
        whole_number(0, MAX_GAMES),
        example="5200",
        positional=True,
    ),
    games: int = arg(
        "The number of games.", whole_number(1, MAX_GAMES), example="10000", positional=True
    ),
    p: Fraction = arg(
        "The probability of the event: 244/495, 0.4929, 49.29%.",
        probability(),
        example="1/2",
        label="Probability",
    ),
    alternative: Literal["two-sided", "less", "greater"] = arg(
        "What the test looks for: too few (less), too many (greater), or either (two-sided).",
        default="two-sided",
    ),
    confidence: Fraction = arg(
        "The confidence of the interval and of the verdict: 95%, 99/100.",
        probability(),
        example="99%",
        default="95%",
    ),
) -> FigureValues:
    """The exact binomial test, and the Clopper–Pearson interval."""
    from sevenout.verify import binomial_test, clopper_pearson
    from sevenout.verify.counts import percentage

    # The test itself would give a probability above 1.
    if hits > games:
        raise ArgumentError("hits", f"{hits}; it can't be more than the {games:,} games")
    test = binomial_test(hits, games, p, alternative)
    interval = clopper_pearson(hits, games, confidence)
    agrees = test.p_value > 1 - confidence
    z = float(hits - games * p) / float(games * p * (1 - p)) ** 0.5
    verdict = f"{'agrees' if agrees else 'does not agree'} with {shown(str(p))[1:-1]}"
    return FigureValues(
        {
            "expected": float(games * p),
            "share": hits / games,
            "z": z,
            "off": f"{z:+.2f} standard deviations",
            "p_value": test.p_value,
            "test": f"p = {test.p_value:.4g}, {alternative}",
            "clopper_pearson": [interval.low, interval.high],
            "interval": f"{interval}, {percentage(confidence)}",
            "agrees": agrees,
        },
        f"{hits:,} of {games:,}, that is {100 * hits / games:.4f} %, {verdict}.",
    )


# --- real dice and another program ----------------------------------------------------------------


@asks(
    NUMBERS,
    "Test whether real dice are fair, or follow a given design. The exit code is 1 if they fail.",
    {
        "source": string("the file, or the example"),
        "dice": {"type": ["string", "integer"], "description": "the dice, or how many there are"},
        "rolls?": integer("the number of rolls"),
        "throws?": integer("the number of throws of all dice"),
        "p?": exact("the probability of a success"),
        "hits?": integer("the number of successes"),
        "counts?": by_name(integer("the throws with this number of successes")),
        "confidence": string("the confidence of the verdict"),
        "samples?": list_of_mappings("the tests of each die"),
        "pairs?": list_of_mappings("the tests of two dice"),
        "totals?": mapping("the test of the totals", optional=True),
        "tests?": list_of_mappings("the tests"),
        "family_holm": by_name(number("the p-values, corrected for their number")),
        "fitted?": number("the probability of a success that fits best"),
        "interval?": list_of(number("an end of its interval")),
        "bias?": number("how far it is from the design"),
        "refit?": mapping("the test with the fitted probability"),
        "bayes_factor?": number("the evidence against fair dice", optional=True),
        "fair": boolean("whether the dice pass"),
        "verdict": string("the same in words"),
    },
    label="Test of dice",
)
def test_dice(
    _: None,
    rolls_file: Path | None = arg(
        "A CSV file: a column of faces for each die, or a file with the header total; face,count; "
        "or total,count.",
        input_file(),
        positional=True,
        local_only=True,
    ),
    dice: str = arg("The dice as designed: d6, 2d6, d6{1,2,2,3,3,4}.", default="d6"),
    success: str | None = arg(
        "The faces that count as a success, such as 5,6. The file then has two columns: the "
        "successes in a throw of all the dice, and the number of throws with that result."
    ),
    example: str | None = arg(
        "Test a famous data set instead: weldon, 26,306 throws of twelve dice.",
        one_of("weldon"),
        example="weldon",
    ),
    confidence: Fraction = arg(
        "The minimum probability that fair dice pass all tests together: 95%, 99/100, 0.999.",
        probability(),
        default="95%",
    ),
    seed: int = arg("The seed of Monte Carlo p-values.", seed(), default="1"),
) -> LazyAnswer:
    """The tests of a file of rolls, or of counts of successes."""
    from sevenout.verify import examine, examine_successes, read_rolls, read_successes, weldon

    if (rolls_file is None) == (example is None):
        raise NotationError("give a file of rolls or example=weldon, one of the two")
    # Weldon threw twelve ordinary dice.
    if example is not None and dice != "d6":
        raise NotationError(f"dice={shown(dice)} is given with example=, which has its own")
    if example is not None and success is not None:
        raise NotationError(
            f"success={shown(success)} is given with example=, which has its own; leave it out"
        )
    report: Any
    if rolls_file is not None and success is None:
        report = examine(read_rolls(rolls_file, dice), confidence, seed)
    else:
        faces = [face for face in (success or "").split(",") if face]
        # A face may be a word; numbers of thousands of digits are left as words.
        successes = [int(face) if re.fullmatch(r"-?\d{1,99}", face) else face for face in faces]
        data = weldon() if rolls_file is None else read_successes(rolls_file, dice, successes)
        report = examine_successes(data, confidence, seed)
    return LazyAnswer(report.page, report.to_dict, report, exit_code=int(not report.agrees))


@asks(
    GAME_TO_TEST,
    "Test another program's results against the rules of a game. The exit code is 1 if they "
    "disagree.",
    {"results": list_of_mappings("what each file shows")},
    label="Test of a log",
)
def test_log(
    game: Any,
    results: tuple[Path, ...] = arg(
        "CSV files: answers to a dossier's test vectors (a column `vector`), or a log of games (a "
        "column `game` or `rolls`). Or a log of rolls alone (a column for each die), or the meter "
        "of a progressive award (the columns of a dossier's meter.csv).",
        input_file(),
        positional=True,
        local_only=True,
        default=REQUIRED,
    ),
    confidence: Fraction = arg(
        "The minimum probability that correct results pass all tests together: 99%, 19/20.",
        probability(),
        default="99%",
    ),
    listed: int = arg(
        "The number of disagreeing lines to list. All of them are counted.",
        whole_number(0, 100_000),
        default="20",
    ),
    seed: int = arg("The seed of simulated p-values.", seed(), default="1"),
) -> LazyAnswer:
    """Each file, line by line and as a whole."""
    from sevenout.verify import conform

    reports = [
        conform(
            game.game,
            path,
            awards=game.awards,
            confidence=confidence,
            max_listed=listed,
            seed=seed,
        )
        for path in results
    ]
    return LazyAnswer(
        lambda: Page("", *(report.page() for report in reports)),
        lambda: {"results": [report.to_dict() for report in reports]},
        exit_code=int(not all(report.agrees for report in reports)),
    )


# --- how much a test needs ------------------------------------------------------------------------


def _refuse_change(*inputs: Any, mean: str | None, change: Fraction | None, **_: Any) -> None:
    """Refuse a change of 0, a game without a change, and a change of two probabilities."""
    if change == 0:
        raise ArgumentError("change", "0; give a change above or below 0")
    is_number = isinstance(inputs[0], str | int | float | Fraction)
    if len(inputs) == 1 and not is_number and change is None:
        raise MissingValueError("change", "say how far the game is off, such as 2%")
    if len(inputs) == 2 and (change, mean) != (None, None):
        raise RulesError("change= and mean= are for a game; leave them out")


@asks(
    TESTED,
    "How many games a test needs to tell two probabilities apart, or to detect a wrong return or "
    "mean.",
    {
        "p?": exact("the probability that is tested"),
        "other?": exact("the one that should be noticed"),
        "mean?": string("what is counted"),
        "change?": exact("how far the return or the mean is off"),
        "confidence": exact("the confidence of the test"),
        "tails": string("one or two"),
        "normal?": printed_count(
            integer("the number by the normal approximation"), "by the normal approximation"
        ),
        "first?": printed_count(
            integer("the first number of games that has the power"),
            "the first number of games that does",
        ),
        "stays?": printed_count(
            integer("the number of games from which on all have it"), "all from this number on do"
        ),
        "bets?": printed_count(
            integer("a number of bets that has the power, at least the normal estimate"),
            "bets, by the distribution of their total",
        ),
        "games?": printed_count(
            integer("the number of games that has the power"),
            "games, by the normal distribution of their mean",
        ),
        "limit?": printed_figure(
            exact_or_number("the return or the mean beyond which the test rejects"),
            "rejected if the return is below",
            PERCENT,
        ),
        "power": printed_figure(number("its power"), "", PERCENT),
        "method?": string("how the distribution of the total was computed"),
    },
    check_arguments=_refuse_change,
    label="Games that a test needs",
)
def test_needed(
    subject: tuple[Any, ...],
    change: Fraction | None = arg(
        "How far a game is off: its return by 2% of the stake, or a mean by 1/10 (-1/10 if too "
        "low)."
    ),
    mean: str | None = arg("Test the mean of rolls, or of another counter, and not the return."),
    confidence: Fraction = arg(
        "The minimum probability that a correct game passes the test: 95%, 99/100.",
        probability(),
        default="95%",
    ),
    power: Fraction = arg(
        "The probability that the test detects the difference: 95%, 0.8.",
        probability(),
        example="80%",
        default="95%",
    ),
    tails: Sides = arg(
        "Whether the test rejects only in the direction of the difference (one), or in both (two).",
        default="one",
    ),
) -> FigureValues:
    """The number of games, exactly and by the normal approximation."""
    from sevenout.verify.counts import percentage

    test = f"{tails}-sided test, confidence {percentage(confidence)}, power {percentage(power)}"
    plan = SamplePlan(confidence, power, tails, test)
    if len(subject) == 2:
        return _two_probabilities(*subject, plan)
    assert change is not None  # `_refuse_change` has seen to it
    from sevenout.questions.policies import bet_of_game, solved_game

    game, bet, policy, against = subject
    if mean is None:
        result = bet_of_game(game, bet, policy, against)
        return _wrong_return(result, game.awards.get(result.name), change, plan)
    if bet is not None:
        raise ArgumentError("bet", f"{shown(bet)}; a mean is of the game: leave it out")
    return _wrong_mean(solved_game(game, policy, against), mean, change, plan)


class SamplePlan(NamedTuple):
    """What a test must tell, and how surely.

    Attributes:
        confidence: the probability of no alarm if the game is as stated.
        power: the probability of an alarm if it is off by the stated amount.
        tails: whether differences in both directions count, or in one.
        words: the plan in words.
    """

    confidence: Fraction
    power: Fraction
    tails: Sides
    words: str

    @property
    def options(self) -> dict[str, Any]:
        """The arguments of a planner in `verify`."""
        return {
            "confidence": self.confidence,
            "power": self.power,
            "sides": 2 if self.tails == "two" else 1,
        }


def _two_probabilities(p: Fraction, other: Fraction, plan: SamplePlan) -> FigureValues:
    from sevenout.verify import games_needed

    needed = games_needed(p, other, **plan.options)
    counts = {"normal": needed.normal, "first": needed.first, "stays": needed.stays}
    return FigureValues(
        {"p": p, "other": other, "power": float(plan.power)} | counts,
        f"{needed.stays:,} games or more tell {p} from {other}: {plan.words}.",
    )


def _wrong_return(bet: Any, award: Any, change: Fraction, plan: SamplePlan) -> FigureValues:
    from sevenout.solving.awards import progressive
    from sevenout.verify.counts import percentage
    from sevenout.verify.many_bets import bets_needed, bets_needed_with_award

    if not 0 < change < 1:
        raise ArgumentError("change", f"{change}; give a share of the stake, such as 2%")
    notes: list[Text] = []
    names = {"power": "power"}
    if award is None:
        profits = {profit: bet.profit[profit] for profit in bet.profit}
        needed = bets_needed(profits, -change, **plan.options)
    else:
        needed = bets_needed_with_award(progressive(bet, award), -change, **plan.options)
        names["bets"] = "bets, each with its progressive award"
        notes.append(Text("The progressive award counts, as that of one bettor in the long run."))
    figures = {name: getattr(needed, name) for name in ("normal", "bets", "limit", "power")}
    return FigureValues(
        figures | {"method": needed.method},
        f"{quantity(needed.bets, 'bet')} are enough to detect a return that is "
        f"{percentage(change)} of the stake too low: {plan.words}.",
        blocks_above=notes,
        names=names,
    )


def _wrong_mean(game: Any, mean: str, change: Fraction, plan: SamplePlan) -> FigureValues:
    from sevenout.verify.planning import mean_needed

    law = game.solution.distribution(mean)
    games, limit = mean_needed(law.mean, law.variance, change, **plan.options)
    high = change > 0
    return FigureValues(
        {"power": float(plan.power), "games": games, "limit": limit},
        f"{quantity(games, 'game')} are enough to detect a mean of {mean} that is "
        f"{amount_text(abs(change))} too {'high' if high else 'low'}: {plan.words}.",
        # the limit of a return is a share, that of a mean is not
        names={"limit": ""},
        extra_facts=[
            Fact(f"rejected if the mean is {'above' if high else 'below'}", limit, DECIMAL)
        ],
    )
