"""The odds of a game, from any state, given how it ended, in the long run; and its optimal play."""

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sevenout.documents import Block, Column, Fact, Page, Table, Text
from sevenout.documents.kinds import DECIMAL, FRACTION, PERCENT, SIGNED
from sevenout.documents.numbers import quantity, singular
from sevenout.documents.tables import as_json
from sevenout.errors import RulesError, shown
from sevenout.questions.arguments import (
    PICTURE_FILE,
    POLICY_FORM,
    ArgumentError,
    amount,
    arg,
    state_text,
    whole_number,
)
from sevenout.questions.question import (
    FigureValues,
    LazyAnswer,
    asks,
    printed_mean,
    printed_probability,
)
from sevenout.questions.schema import (
    OPTIMAL_VALUE,
    boolean,
    by_name,
    certified,
    exact,
    integer,
    list_of,
    list_of_mappings,
    mapping,
    number,
    optimal_value,
    record,
    string,
)
from sevenout.questions.subject_kinds import CHOICES, GAME, PLAYABLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from sevenout.questions.policies import Choices, PlayedGame
    from sevenout.questions.subjects import GameSubject
    from sevenout.rules import Outcome, Progressive
    from sevenout.solving import Solution
    from sevenout.solving.counter_distributions import JointLaw
    from sevenout.solving.long_run import LongRun


WITHOUT_AWARD = "Figures above this line leave the progressive award out."
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
        "table": list_of(ROW),
    },
)
AWARD = record(
    "a progressive award",
    {
        "bet": string("the bet that may win it"),
        "seed": exact("where the meter starts"),
        "share": exact("the share of each stake that is added"),
        "must_hit_by": exact("the limit of the meter", optional=True),
        "on": list_of(string("what wins it")),
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
COUNTERS = list_of_mappings("the counters of the game, each with its mean and distribution")


# --- all figures ----------------------------------------------------------------------------------


def _refuse_meter(subject: Any, *, bet: str | None, meter: Fraction | None, more: bool) -> None:
    """Refuse an unknown bet, or a meter without an award."""
    from sevenout.questions.policies import played_game

    game = played_game(subject).subject
    if game is not None:
        game.refuse_bet(bet)
    # A meter that is read by nothing would look as if it had been used.
    if meter is not None and (game is None or not _awards_of_bet(game, bet)):
        raise ArgumentError(
            "meter", f"{meter} is given, but the game has no progressive award; leave it out"
        )


@asks(
    GAME,
    "Exact odds: outcomes, return tables, house edges and rolls.",
    {
        "status": string("exact, or certified with its error bound"),
        "bound": exact("the error bound of each probability; 0 if exact"),
        "fingerprint": string("the hash of the game's chain"),
        "states": integer("how many states the game has"),
        "outcomes": by_name(exact("the probability of each outcome")),
        "mean_rolls": exact("the mean number of rolls"),
        "mean_rolls_bound": exact("its error bound; 0 if exact"),
        "bets": list_of(BET, "the bets, each with its figures and return table"),
        "counters?": COUNTERS,
        "progressives?": list_of(AWARD, "the progressive awards, each with its figures"),
    },
    check_arguments=_refuse_meter,
    label="Odds",
)
def odds(
    game: "PlayedGame",
    bet: str | None = arg("Show only this bet."),
    meter: Fraction | None = arg(
        "Also give the return of the next bet when the progressive meter shows this amount.",
        amount(0),
    ),
    more: bool = arg("Also print the variance, the skewness and the excess kurtosis."),
) -> LazyAnswer:
    """All figures of the game, or those of one bet and its awards."""
    from sevenout.solving.awards import progressive

    solution = game.solution
    only = None if bet is None else solution.bet(bet)
    awards = [
        progressive(solution.bet(name), rule) for name, rule in _awards_of_bet(game, bet).items()
    ]

    def page() -> Page:
        blocks: list[Block] = [*(solution if only is None else only).page(moments=more).blocks]
        for award in awards:
            blocks += [Text(WITHOUT_AWARD), award.page(meter, game.currency)]
        return Page("", *blocks, Text(_summary(solution), tone="note"))

    def data() -> dict[str, Any]:
        figures = solution.to_dict() | ({} if only is None else {"bets": [only.to_dict()]})
        progressives = [award.to_dict(meter) for award in awards]
        return figures | ({"progressives": progressives} if progressives else {})

    return LazyAnswer(page, data, solution, preface=game.rules_text)


def _awards_of_bet(game: "PlayedGame | GameSubject", bet: str | None) -> "dict[str, Progressive]":
    return {name: rule for name, rule in game.awards.items() if bet in (None, name)}


def _summary(solution: "Solution") -> str:
    parts = [f"{solution.status}; {quantity(len(solution.chain.states), 'state')}"]
    (only_bet,) = solution.bets.values() if len(solution.bets) == 1 else (None,)
    for counter in solution.chain.counters:
        # the rolls of each bet are among its own figures; those of a single bet are the game's
        is_printed = (
            counter == "rolls" and only_bet is not None and only_bet.rolls == solution.mean_rolls
        )
        if not counter.startswith("rolls of ") and not is_printed:
            parts.append(f"mean {counter} {float(solution.mean(counter)):.6f}")
    return "; ".join(parts)


# --- from a state on ------------------------------------------------------------------------------

STATE_HELP = "Start from this state, written as sevenout prints it, such as 4 for a point of 4."


@odds.mode(
    "The odds of a game from a given state: outcomes, rolls and the mean profit of each bet.",
    {
        "at": string("the state"),
        "outcomes": by_name(certified("the probability of each outcome")),
        "mean_rolls": printed_mean(
            certified("the mean number of rolls that are still to come"), "mean rolls to come"
        ),
        "expected_profits": by_name(certified("the mean profit of each bet, per unit staked")),
    },
    heading=lambda at: f"from {at} on",
    fits_papers=True,
    label="Odds from a state",
)
def odds_at(
    game: "PlayedGame", at: Any = arg(STATE_HELP, state_text(), example="4")
) -> FigureValues:
    """The outcomes from the state on, the rolls to come, and each bet's mean."""
    from sevenout.questions.states import chain_at
    from sevenout.solving import solve
    from sevenout.solving.best_play import with_bound

    chain, name = chain_at(game.solution.chain, at)
    solution = solve(chain)

    outcomes = {
        label: with_bound(p, solution.bound * len(solution.outcomes))
        for label, p in solution.labels.items()
    }
    means = {}
    for bet in chain.bets:
        stake = chain.stake(bet)
        shares = [(outcome.profit(bet) / stake, p) for outcome, p in solution.outcomes.items()]
        mean = sum((share * p for share, p in shares), Fraction(0))
        # each probability may be off by the bound, and is multiplied by its profit
        means[bet] = with_bound(mean, solution.bound * sum(abs(share) for share, _ in shares))
    return FigureValues(
        {
            "at": name,
            "outcomes": outcomes,
            "mean_rolls": with_bound(solution.mean_rolls, solution.rolls_bound),
            "expected_profits": means,
        },
        blocks_above=[
            Table(["outcome", Column("probability", FRACTION, PERCENT)], outcomes.items())
        ],
        extra_facts=[
            Fact(f"mean profit of {bet}", mean, FRACTION, SIGNED, note="per unit staked")
            for bet, mean in means.items()
        ],
    )


# --- more than some rolls -------------------------------------------------------------------------


@odds.mode(
    "The probability that a game takes more than a number of rolls, from any state.",
    {
        "at": string("the state from which the rolls are counted", optional=True),
        "longer": integer("the number of rolls"),
        "probability": printed_probability(certified("that the game takes more rolls")),
        "mean_rolls": printed_mean(
            certified("the mean number of rolls that are still to come"), "mean rolls"
        ),
    },
    heading=lambda longer, at: (
        f"more than {quantity(longer, 'roll')}" + (f", from {at}" if at else "")
    ),
    fits_papers=True,
    label="Length of a game",
)
def odds_longer(
    game: "PlayedGame",
    longer: int = arg(
        "The probability of more than this many rolls.",
        whole_number(0, 10**9),
        example="10",
        label="More than (rolls)",
    ),
    at: Any = arg(STATE_HELP, state_text(), example="4", default=None),
) -> FigureValues:
    """The probability, and the mean rolls to come."""
    from sevenout.questions.states import chain_at
    from sevenout.solving import solve
    from sevenout.solving.best_play import with_bound
    from sevenout.solving.first_passage import survival_probability

    chain, name = chain_at(game.solution.chain, at)
    solution = solve(chain)
    mean = with_bound(solution.mean_rolls, solution.rolls_bound)
    return FigureValues(
        {
            "at": name or None,
            "probability": survival_probability(solution, longer),
            "mean_rolls": mean,
        },
        names={"probability": f"more than {quantity(longer, 'roll')}"},
    )


# --- given how it ended ---------------------------------------------------------------------------

MAX_STATES = 200
"""The most states in the answer of `--given`: a table of a page or two."""
SIGN_BY_RESULT = {"won": 1, "lost": -1, "push": 0}
"""Results of a bet, and the sign of its profit."""


@odds.mode(
    "How a game went, given how it ended: was the point 6, if the bet won?",
    {
        "given": string("how it ended"),
        "probability": printed_probability(exact("the probability that it ends so")),
        "passed_through": by_name(
            exact("the probability that the game was ever in this state, given how it ended")
        ),
        "mean_rolls": printed_mean(
            exact("the mean number of rolls, given how it ended"), "mean rolls"
        ),
    },
    heading=lambda given: f"given {given}",
    fits_papers=True,
    label="Odds given the end",
)
def odds_given(
    game: "PlayedGame",
    given: str = arg(
        "How the game ended: won, lost, push (the main bet), or an outcome.", example="won"
    ),
) -> FigureValues:
    """Bayes' theorem for each state: P(visited and ended so) / P(ended so)."""
    from sevenout.model.naming import in_words
    from sevenout.solving.first_passage import visit_probabilities

    solution = game.solution
    # A conditional probability divides by one that may be as small as the bound.
    if solution.bound or len(solution.chain.states) > MAX_STATES:
        states = f"{len(solution.chain.states):,} states"
        raise RulesError(
            f"given= lists every state of a game, and this one has {states}; at most {MAX_STATES}"
        )
    ends_so = _outcome_condition(game, given)
    probability = solution.p(ends_so)
    if not probability:
        raise ArgumentError("given", f"{shown(given)}, which can't happen")
    passed_through, rows = {}, []
    names = solution.chain.coordinates
    for state, visited in visit_probabilities(solution.chain):
        name = in_words(state, names)
        passed_through[name] = visited * solution.started_at(state).p(ends_so) / probability
        rows.append((name, visited, passed_through[name]))
    columns = [
        "state",
        Column("passed through", PERCENT),
        Column(f"given {given}", FRACTION, PERCENT),
    ]
    return FigureValues(
        {
            "probability": probability,
            "passed_through": passed_through,
            "mean_rolls": solution.distribution("rolls", condition=ends_so).mean,
        },
        blocks_above=[Table(columns, rows)] if rows else [],
        names={"probability": f"probability of {given}"},
    )


def _outcome_condition(game: "PlayedGame", ending: str) -> "Callable[[Outcome], bool]":
    """Whether an outcome is the one that a text names."""
    solution = game.solution
    if ending not in SIGN_BY_RESULT or ending in solution.labels:
        if ending not in solution.labels:
            labels = ", ".join(solution.labels)
            raise ArgumentError(
                "given",
                f"{shown(ending)} is not how a game ends; give won, lost or push for the bet, or "
                f"an outcome: {labels}",
            )
        return lambda outcome: outcome.label == ending
    bet = solution.bet(game.subject.bet if game.subject is not None else None).name
    sign = SIGN_BY_RESULT[ending]

    def ends_so(outcome: "Outcome") -> bool:
        profit = outcome.profit(bet)
        return (profit > 0) - (profit < 0) == sign

    return ends_so


# --- counters and the long run --------------------------------------------------------------------


def _counter_names(counters: str) -> list[str]:
    return [name.strip() for name in counters.split(",")]


def _refuse_counters(_game: Any, *, joint: str) -> None:
    """Refuse fewer than two counters, or duplicates."""
    names = _counter_names(joint)
    if len(names) < 2 or len({*names}) < len(names):
        raise ArgumentError(
            "joint",
            f"{shown(joint)}; name two or more counters, with commas, such as rounds,won",
        )


@odds.mode(
    "The joint distribution of two counters of a game, such as rounds and rounds won.",
    {
        "counters": list_of(string("the counters")),
        "means": by_name(exact("the mean of each")),
        "covariances": by_name(exact("the covariance of each pair")),
        "probabilities": by_name(
            exact("the probability of each combination in the table; higher counts are not listed")
        ),
    },
    example="hazard-turn",
    heading=lambda joint: f"{joint.replace(',', ' and ')} together",
    check_arguments=_refuse_counters,
    label="Two counters together",
)
def odds_joint(
    game: "PlayedGame",
    joint: str = arg(
        "The joint distribution of two counters, with a comma: rounds,won.", example="rounds,won"
    ),
) -> "JointLaw":
    """The joint distribution of two or more counters."""
    law: JointLaw = game.solution.distribution(*_counter_names(joint))
    return law


RECURRENT = record(
    "a class of states",
    {
        "probability": exact("the probability that the game ends up there"),
        "states": integer("how many states there are"),
        "period": integer("the period of the class"),
    },
)


@odds.mode(
    "The exact long-run frequency of each state, counter and outcome.",
    {
        "per": string("what everything is counted by"),
        "classes": list_of(RECURRENT, "the recurrent classes of states"),
        "counters": by_name(exact("how much each counter advances")),
        "outcomes": by_name(exact("how often each outcome comes up")),
        "profits": by_name(exact("what each bet wins per unit staked")),
        "frequencies": by_name(exact("the share of the rolls that are made in each state")),
    },
    subject_kind=PLAYABLE,
    example="monopoly",
    heading=lambda long_run, per: f"the long run, per {singular(per)}",
    label="Long-run frequencies",
)
def odds_long_run(
    game: "PlayedGame",
    long_run: bool = arg(
        "How often each state, counter and outcome comes in the long run.", example="yes"
    ),
    per: str = arg(
        "The unit of the frequencies: per roll, per game (if games end), or per counter, such as "
        "turns.",
        example="turns",
        default="roll",
        label="Per",
    ),
) -> "LongRun":
    """The averages of the chain; a game that ends is repeated."""
    from sevenout.solving.long_run import long_run as frequencies

    return frequencies(game.playable, per)


MISTAKE = record(
    "a mistake",
    {
        "state": string("where it is made"),
        "did": string("what the policy does"),
        "best": string("what is best"),
        "cost": OPTIMAL_VALUE,
    },
)

POLICY_RESULT = record(
    "a policy",
    {
        "name": string("its name"),
        "value": OPTIMAL_VALUE,
        "bound": OPTIMAL_VALUE,
        "cost": OPTIMAL_VALUE,
        "mistakes": list_of(MISTAKE),
    },
)


# --- the whole game -------------------------------------------------------------------------------


def _refuse_picture_of_turns(game: Any, *, plot: Path | None, **_: Any) -> None:
    """Refuse a picture of a game of turns, whose states are too many for one."""
    from sevenout.questions.policies import Choices

    if plot is not None and Choices.from_game(game).is_turn_game:
        raise ArgumentError("plot", f"{plot}; a game of turns has no picture: leave it out")


@asks(
    CHOICES,
    "Optimal play: its value, a strategy card, the cost of mistakes.",
    {
        "goal": string("the objective"),
        "method": string("how it was solved: exact or certified"),
        "value": optimal_value("the value of optimal play"),
        "bound": OPTIMAL_VALUE,
        "states?": integer("the decision states; of a game of turns, the states of all turns"),
        "come_up?": integer("how many of them are reachable"),
        "ties?": list_of(string("the states in which several options are best")),
        "card?": list_of_mappings("the strategy card"),
        "cards?": integer("of a game of turns: its score cards"),
        "turn?": mapping("of a game of turns: how to play a turn"),
        "policy?": list_of_mappings("where dice are hidden: what to do, and how often"),
        "distribution?": mapping("the distribution of the result"),
        "policies": list_of(
            POLICY_RESULT, "simple policies: their values, costs and costliest mistakes"
        ),
    },
    check_arguments=_refuse_picture_of_turns,
    label="Best play",
)
def best(
    choices: "Choices",
    policy: tuple[Any, ...] = arg(
        "Compare this policy with the best: a name such as hold-20, or greedy in a game of turns. "
        "The default is the game's own simple policies.",
        POLICY_FORM,
    ),
    distribution: bool = arg("Show the distribution of the result, in a game of turns."),
) -> LazyAnswer:
    """The value, a strategy card, and the cost of simple policies."""
    from sevenout.solving import best_play

    title = choices.subject.title if choices.subject is not None else "this game"
    if distribution and not choices.is_turn_game:
        raise RulesError(f"distribution= is for games of turns; use `sevenout odds` for {title}")
    policies = choices.policies(policy)
    optimum: Any = choices.optimum
    text = choices.subject.rules_text if choices.subject is not None else ""

    def page() -> Page:
        return best_play.page(optimum, policies, distribution=distribution)

    def data() -> dict[str, Any]:
        figures: dict[str, Any] = optimum.to_dict()
        if distribution:
            figures["distribution"] = optimum.law.to_dict()
        return figures | {"policies": [cost.to_dict() for cost in optimum.compare(policies)]}

    return LazyAnswer(page, data, optimum, preface=text)


@best.saving
def picture_of_play(
    answer: LazyAnswer,
    plot: Path = arg(
        "Save a picture to this file: .png, .svg or .pdf.", PICTURE_FILE, default=None
    ),
    picture: Literal["policy", "costs"] = arg(
        "The picture: the policy by state, or the cost of the wrong choice (costs).",
        default="policy",
        needs="plot",
    ),
) -> None:
    """Draw optimal play."""
    from sevenout.papers import policy_maps
    from sevenout.papers.picture_style import save

    (optimum,) = answer.results
    draw = {"policy": policy_maps.policy_map, "costs": policy_maps.cost_map}[picture]
    save(draw(optimum), plot)


# --- one state ------------------------------------------------------------------------------------


@best.mode(
    "The options in a state of a game with choices: the expected value and cost of each.",
    {
        "goal": string("the objective"),
        "state": string("the state"),
        "bound": OPTIMAL_VALUE,
        "options?": list_of(
            record(
                "an option",
                {"name": string("what is done"), "value": OPTIMAL_VALUE, "cost": OPTIMAL_VALUE},
            ),
            "the options, the best first, with their values and costs",
        ),
        "policies?": list_of(
            record(
                "a policy",
                {
                    "name": string("its name"),
                    "does": string("what it does in the state"),
                    "cost": OPTIMAL_VALUE,
                },
            ),
            "the policies that were asked about",
        ),
        "to come?": optimal_value("of a score card: the mean that is still to come"),
        "turn?": mapping("of a score card: how to play its next turn"),
    },
    label="Options in a state",
)
def best_at(
    choices: "Choices",
    at: Any = arg(
        "The options in this state, such as 40,60,12. In a game of turns, the boxes filled and the "
        "dice: sixes 18, chance 22; 1 3 3 5 6.",
        state_text(),
        example="17",
    ),
    policy: tuple[Any, ...] = arg(
        "Also say what this policy does in the state, and what that costs.", POLICY_FORM
    ),
) -> LazyAnswer:
    """Each option with its value; for a score card without dice, how to play the next turn."""
    from sevenout.solving import best_play

    if policy:
        choices.policies(policy)  # an unknown name is refused before any work
    optimum, position = choices.optimum_and_state(at)
    moves = _moves_of_policies(choices, optimum, position, policy) if policy else []
    card = at if choices.is_turn_game else ""
    if card and position[2] is None:  # no dice are given, so the turn is to come
        from sevenout.solving import turn_optimum

        whole_game: Any = optimum
        return LazyAnswer(
            lambda: turn_optimum.card_page(whole_game, position, card),
            lambda: turn_optimum.card_data(whole_game, position, card),
            optimum,
        )

    def page() -> Page:
        options = best_play.options_page(optimum, position, card)
        columns = ["policy", "does", Column("costs", DECIMAL)]
        return Page(options.title, *options.blocks, *([Table(columns, moves)] if moves else []))

    def data() -> dict[str, Any]:
        policies = [
            {"name": name, "does": does, "cost": as_json(cost)} for name, does, cost in moves
        ]
        options = best_play.options_data(optimum, position, card)
        return options | ({"policies": policies} if policies else {})

    return LazyAnswer(page, data, optimum)


def _moves_of_policies(
    choices: "Choices", optimum: Any, position: Any, names: tuple[Any, ...]
) -> list[tuple[str, str, Fraction]]:
    """Each policy's option in a state, and its cost."""
    from sevenout.solving import Optimum

    if not isinstance(optimum, Optimum):
        raise ArgumentError("policy", "is compared over the whole game here; leave the state out")
    costs = {option.name: option.cost for option in optimum.combined_options(position)}
    moves = []
    for name, policy in choices.policies(names).items():
        move = policy(position) if callable(policy) else policy.get(position)
        if move not in costs:
            raise ArgumentError(
                "policy", f"{name}, which does {shown(move)}, which is not an option"
            )
        moves.append((name, str(move), costs[move]))
    return moves


# --- the closest decisions ------------------------------------------------------------------------

DECISION = record(
    "a decision state",
    {
        "state": string("the state"),
        "best": string("what is best"),
        "instead": string("the least costly mistake"),
        "cost": certified("what it costs"),
    },
)


@best.mode(
    "The closest decisions of a game with choices: the states where a mistake costs least.",
    {
        "decision_states": integer("the reachable decision states"),
        "closest": list_of(DECISION, "the decision states, the closest first"),
    },
    heading=lambda closest: "the closest decisions",
    label="Closest decisions",
)
def best_closest(
    choices: "Choices",
    closest: int = arg(
        "Show this many of the closest decisions, where a mistake costs least.",
        whole_number(1, 1_000),
        example="3",
    ),
) -> FigureValues:
    """The reachable decision states with the least costly mistakes."""
    from sevenout.model.naming import in_words
    from sevenout.solving.best_play import with_bound

    optimum = choices.decision_optimum
    costs = [(optimum.least_mistake(position), position) for position in optimum.reachable_states]
    by_cost = sorted(
        ((cost, str(position), position) for cost, position in costs if cost is not None),
        key=lambda decision: decision[:2],
    )
    rows = []
    for _, _, position in by_cost[:closest]:
        best_options, bound = optimum.optimal_options(position), optimum.bound_at(position)
        # The options come best first, so this is the least costly mistake.
        wrong = next(o for o in optimum.options(position) if o.name not in best_options)
        rows.append(
            {
                "state": in_words(position, optimum.model.coordinates),
                "best": " or ".join(sorted(best_options)),
                "instead": wrong.name,
                # both values may be off by the bound
                "cost": with_bound(wrong.cost, 2 * bound),
            }
        )
    columns = ["state", "best", "instead", Column("cost", FRACTION, DECIMAL)]
    return FigureValues(
        {"decision_states": len(costs), "closest": rows},
        blocks_above=[
            Table(columns, [row.values() for row in rows]),
            Text(f"{len(costs):,} reachable decision states.", tone="note"),
        ],
    )
