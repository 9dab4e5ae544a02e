"""Optimal play of a game with choices: the strategy, a state, and the closest decisions."""

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sevenout.documents import Certified, Column, Page, Table, Text
from sevenout.documents.kinds import DECIMAL, FRACTION
from sevenout.documents.tables import datum
from sevenout.errors import RulesError, shown
from sevenout.questions.arguments import (
    POLICY,
    ArgumentError,
    arg,
    flag,
    state,
    whole,
    words,
    written,
)
from sevenout.questions.findings import FigureValues, LazyAnswer
from sevenout.questions.question import asks
from sevenout.questions.schema import EXACT_OR_CERTIFIED, SOLVED, integer, listed, record, string
from sevenout.questions.subject_kinds import CHOICES

if TYPE_CHECKING:
    from sevenout.questions.choices import Choices

OBJECT = {"type": "object"}

MISTAKE = record(
    "a mistake",
    {
        "state": string("where it is made"),
        "did": string("what the policy does"),
        "best": string("what is best"),
        "cost": SOLVED,
    },
)

POLICY_RESULT = record(
    "a policy",
    {
        "name": string("its name"),
        "value": SOLVED,
        "bound": SOLVED,
        "cost": SOLVED,
        "mistakes": listed(MISTAKE),
    },
)


# --- the whole game -------------------------------------------------------------------------------


@asks(
    CHOICES,
    "Optimal play: its value, a strategy card, the cost of mistakes.",
    {
        "goal": string("the objective"),
        "method": string("how it was solved: exact or certified"),
        "value": SOLVED | {"description": "the value of optimal play"},
        "bound": SOLVED,
        "states?": integer("the decision states; of a game of turns, the states of all turns"),
        "come_up?": integer("how many of them are reachable"),
        "ties?": listed(string("the states in which several options are best")),
        "card?": {"type": "array", "items": OBJECT, "description": "the strategy card"},
        "cards?": integer("of a game of turns: its score cards"),
        "turn?": OBJECT | {"description": "of a game of turns: how to play a turn"},
        "policy?": {
            "type": "array",
            "items": OBJECT,
            "description": "where dice are hidden: what to do, and how often",
        },
        "distribution?": OBJECT | {"description": "the distribution of the result"},
        "policies": listed(POLICY_RESULT)
        | {"description": "simple policies: their values, costs and costliest mistakes"},
    },
)
def best(
    choices: "Choices",
    policy: tuple[Any, ...] = arg(
        POLICY,
        "Compare this policy with the best: a name such as hold-20, or greedy in a game of turns. "
        "The default is the game's own simple policies.",
        default=None,
        many=True,
    ),
    distribution: bool = arg(
        flag(), "Show the distribution of the result, in a game of turns.", default="no"
    ),
) -> LazyAnswer:
    """The value, a strategy card, and the cost of simple policies."""
    from sevenout.solving import best_play

    title = choices.chosen.title if choices.chosen is not None else "this game"
    if distribution and not choices.turns:
        raise RulesError(f"distribution= is for games of turns; use `sevenout odds` for {title}")
    policies = choices.policies(policy)
    optimum: Any = choices.optimum
    text = choices.chosen.text if choices.chosen is not None else ""

    def page() -> Page:
        return best_play.page(optimum, policies, distribution=distribution)

    def data() -> dict[str, Any]:
        figures: dict[str, Any] = optimum.to_dict()
        if distribution:
            from sevenout.solving.turn_policies import law_data

            figures["distribution"] = law_data(optimum.law)
        return figures | {"policies": [cost.to_dict() for cost in optimum.compared(policies)]}

    return LazyAnswer(page, data, optimum, text=text)


@best.saving
def picture_of_play(
    answer: LazyAnswer,
    plot: Path | None = arg(
        written("a picture", ".svg", ".pdf", ".png"),
        "Save a picture to this file: .png, .svg or .pdf.",
        default=None,
    ),
    picture: Literal["policy", "margins"] = arg(
        words("policy", "margins"),
        "The picture: the policy by state, or the cost of the wrong choice (margins).",
        default="policy",
    ),
) -> None:
    """Draw optimal play."""
    if plot is None:
        return
    from sevenout.papers import policy_maps
    from sevenout.papers.picture_style import save
    from sevenout.rules import ByTurns

    (optimum,) = answer.results
    if isinstance(getattr(optimum, "game", None), ByTurns):
        raise RulesError("--plot does not work for a game of turns; leave it out")
    draw = {"policy": policy_maps.policy_map, "margins": policy_maps.margin_map}[picture]
    save(draw(optimum), plot)


# --- one state ------------------------------------------------------------------------------------


@best.mode(
    "The options in a state of a game with choices: the expected value and cost of each.",
    {
        "goal": string("the objective"),
        "state": string("the state"),
        "bound": SOLVED,
        "options?": listed(
            record("an option", {"name": string("what is done"), "value": SOLVED, "cost": SOLVED})
        )
        | {"description": "the options, the best first, with their values and costs"},
        "policies?": listed(
            record(
                "a policy",
                {
                    "name": string("its name"),
                    "does": string("what it does in the state"),
                    "cost": SOLVED,
                },
            )
        )
        | {"description": "the policies that were asked about"},
        "to come?": SOLVED | {"description": "of a score card: the mean that is still to come"},
        "turn?": OBJECT | {"description": "of a score card: how to play its next turn"},
    },
)
def best_at(
    choices: "Choices",
    at: Any = arg(
        state(),
        "The options in this state, such as 40,60,12. In a game of turns, the boxes filled and the "
        "dice: sixes 18, chance 22; 1 3 3 5 6.",
        "17",
    ),
    policy: tuple[Any, ...] = arg(
        POLICY,
        "Also say what this policy does in the state, and what that costs.",
        default=None,
        many=True,
    ),
) -> LazyAnswer:
    """Each option with its value; for a score card without dice, how to play the next turn."""
    from sevenout.solving import best_play

    if policy:
        choices.policies(policy)  # an unknown name is refused before any work
    optimum, position = choices.at(at)
    moves = _moves(choices, optimum, position, policy) if policy else []
    card = at if choices.turns else ""
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
        policies = [{"name": name, "does": does, "cost": datum(cost)} for name, does, cost in moves]
        options = best_play.options_data(optimum, position, card)
        return options | ({"policies": policies} if policies else {})

    return LazyAnswer(page, data, optimum)


def _moves(
    choices: "Choices", optimum: Any, position: Any, names: tuple[Any, ...]
) -> list[tuple[str, str, Fraction]]:
    """Each policy's option in a state, and its cost."""
    from sevenout.solving import Optimum

    if not isinstance(optimum, Optimum):
        raise ArgumentError("policy", "is compared over the whole game here; leave the state out")
    costs = {option.name: option.margin for option in optimum.plans(position)}
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

DECISION = {
    "type": "object",
    "properties": {
        "state": {"type": "string"},
        "best": {"type": "string"},
        "instead": {"type": "string"},
        "cost": EXACT_OR_CERTIFIED,
    },
    "required": ["state", "best", "instead", "cost"],
    "additionalProperties": False,
}


@best.mode(
    "The closest decisions of a game with choices: the states where a mistake costs least.",
    {
        "decision_states": integer("the reachable decision states"),
        "closest": {
            "description": "the decision states, the closest first",
            "type": "array",
            "items": DECISION,
        },
    },
    heading=lambda closest: "the closest decisions",
)
def best_closest(
    choices: "Choices",
    closest: int = arg(
        whole(1, 1_000),
        "Show this many of the closest decisions, where a mistake costs least.",
        "3",
    ),
) -> FigureValues:
    """The reachable decision states with the least costly mistakes."""
    from sevenout.model.naming import in_words

    optimum = choices.table
    costs = [(optimum.least_mistake(position), position) for position in optimum.come_up]
    by_cost = sorted(
        ((cost, str(position), position) for cost, position in costs if cost is not None),
        key=lambda decision: decision[:2],
    )
    rows = []
    for _, _, position in by_cost[:closest]:
        best_options, bound = optimum.best_in(position), optimum.bound_at(position)
        wrong = next(o for o in optimum.at(position) if o.name not in best_options)
        rows.append(
            (
                in_words(position, optimum.model.coordinates),
                " or ".join(sorted(best_options)),
                wrong.name,
                # both values may be off by the bound
                Certified(wrong.margin, 2 * bound) if bound else wrong.margin,
            )
        )
    columns = ["state", "best", "instead", Column("cost", FRACTION, DECIMAL)]
    names = ("state", "best", "instead", "cost")
    return FigureValues(
        {
            "decision_states": len(costs),
            "closest": [dict(zip(names, row, strict=True)) for row in rows],
        },
        before=[
            Table(columns, rows),
            Text(f"{len(costs):,} reachable decision states.", tone="note"),
        ],
    )
