"""Optimal play of a game of turns as pages: value, how to play a turn, the law of the score."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sevenout.chain import state_name
from sevenout.decide.options import Compared, Followed, Mistake, known
from sevenout.decide.pages import DEAREST
from sevenout.page import Block, Certified, Column, Fact, Facts, Page, Table, Text
from sevenout.page.kinds import COUNT, DECIMAL, FRACTION, LABEL, SCORE
from sevenout.page.numbers import amount, decimal
from sevenout.page.tables import datum
from sevenout.page.words import Tone
from sevenout.rules import KeepRoll

if TYPE_CHECKING:
    from sevenout.decide.turnlaw import FinalLaw, Played
    from sevenout.decide.turnplay import TurnOptimum
    from sevenout.decide.turnpolicy import TurnPolicy

QUANTILES = ("1/100", "1/20", "1/4", "1/2", "3/4", "19/20", "99/100")
MOST_LINES = 24


GREEDY = "greedy"
"""Each turn played for its own sake."""


def page(
    optimum: "TurnOptimum",
    title: str = "",
    law: bool = False,
    policies: "Mapping[str, TurnPolicy | None] | None" = None,
) -> Page:
    """The value with its proof, and how to play the first turn.

    Args:
        optimum: what is shown.
        title: of the page.
        law: also the law of what the game comes to.
        policies: to be compared with the best, by name; None for greedy play.
    """
    value, kinds = known(optimum.value, optimum.bound), (DECIMAL.to(15),)
    exact = not optimum.bound
    proof = (
        "Exact, in integers: every comparison is of whole numbers"
        if exact
        else f"Certified within {decimal(optimum.bound)}: a bound on what floats can round away"
    )
    said = Text(
        f"Goal: {optimum.goal.said}. {proof}. {optimum.cards:,} score cards, "
        f"{optimum.states:,} with their totals; each has a card of its own.",
        tone="note",
    )
    facts = Facts(Fact("value", value, *((FRACTION, *kinds) if exact else kinds), note="mean"))
    blocks: list[Block] = [facts, said]
    if law:
        blocks.append(law_page(optimum.law))
    if policies:
        blocks += compared(optimum, comparison(optimum, policies))
    return Page(title or "Best play", *blocks, turn_page(optimum), _crossed(optimum))


def comparison(
    optimum: "TurnOptimum", policies: "Mapping[str, TurnPolicy | None]"
) -> list[Compared]:
    """Policies by name, beside the best one; None for greedy play."""
    found = []
    for name, policy in policies.items():
        if policy is None:
            law = optimum.greedy
            cost = max((optimum.value - law.mean) * optimum.goal.sense, Fraction(0))
            followed, mistakes = Followed(law.mean, law.error * law.largest, cost), []
        else:
            followed, mistakes = optimum.follow(policy), optimum.mistakes(policy, DEAREST)
        found.append(Compared(name, followed, mistakes))
    return found


def compared(optimum: "TurnOptimum", lines: Sequence[Compared]) -> list[Block]:
    """What policies are worth, and the dearest mistakes of each."""
    rows: list[list[Any]] = [["best", known(optimum.value, optimum.bound), 0]]
    for name, (value, bound, cost), _ in lines:
        rows.append([name, known(value, bound), known(cost, bound + optimum.bound)])
    columns = ["policy", Column("value", DECIMAL), Column("short of the best", DECIMAL)]
    blocks: list[Block] = [Page("Simple play", Table(columns, rows))]
    for line in lines:
        if line.mistakes:
            title = f"The dearest mistakes of {line.name}"
            blocks.append(Page(title, _mistakes(optimum, line.mistakes)))
    return blocks


def _mistakes(optimum: "TurnOptimum", mistakes: Iterable[Mistake]) -> Table:
    """Mistakes, the dearest first: the card, the dice, what is done, what is best."""
    rows: list[list[Any]] = []
    for (card, tally, inner), did, best, cost in mistakes:
        on = state_name(card) + (f"; {optimum.game.tally[0]} {tally}" if optimum.game.tally else "")
        turn = optimum.game.turn
        dice = turn.said(inner) if isinstance(turn, KeepRoll) else state_name(inner)
        rows.append([dice, did, best, known(cost, 2 * optimum.bound_at((card, tally, None))), on])
    return Table(
        ["with", "does", "best is", Column("costs each time", DECIMAL), "on the card"], rows
    )


def turn_page(optimum: "TurnOptimum", card: Any = None, tally: int = 0, title: str = "") -> Page:
    """How to play a turn with a score card."""
    lists = optimum.turn_card(card, tally)
    rows = []
    for name, ranking in lists.items():
        word, options = _shared(ranking.options)
        rows.append([f"{name}, {word}" if word else name, "; ".join(options)])
    columns = ["", "the first of these that you may"]
    blocks: list[Block] = [Table(columns, rows)]
    exceptions = [
        (name, optimum.said(state), did)
        for name, ranking in lists.items()
        for state, did in ranking.exceptions.items()
    ]
    if exceptions:
        table = Table(["", "but with", "do"], exceptions[:MOST_LINES])
        blocks.append(table)
        if len(exceptions) > MOST_LINES:
            more = f"… and {len(exceptions) - MOST_LINES:,} more; ask for the dice."
            blocks.append(Text(more, tone="note"))
    return Page(title or "The first turn", *blocks)


def _shared(options: tuple[str, ...]) -> tuple[str, list[str]]:
    """The word with which all options begin, if there is one, and the options without it."""
    words = {option.partition(" ")[0] for option in options}
    if len(words) > 1 or not all(" " in option for option in options):
        return "", list(options)
    return words.pop(), [option.partition(" ")[2] for option in options]


def _crossed(optimum: "TurnOptimum") -> Page:
    """What is still to come if an entry pays least in the first turn: what to give up first."""
    bound = optimum.bound_at((optimum.game.card, 0, None))
    rows = [[name, paid, known(value, bound)] for name, paid, value in optimum.given_up()]
    columns = ["entry", Column("for", FRACTION), Column("then to come", DECIMAL)]
    return Page("What to give up, the cheapest first", Table(columns, rows))


def law_page(law: "FinalLaw") -> Page:
    """The law of what the game comes to."""
    return Page(
        "What a game comes to",
        Facts(Fact("standard deviation", law.deviation, DECIMAL.to(6))),
        _quantiles(law),
    )


def options_page(optimum: "TurnOptimum", state: Any, title: str) -> Page:
    """What may be done in a state: what each plan is worth, and what it costs."""
    bound = 2 * optimum.bound_at(state)
    rows: list[list[Any]] = []
    for option in optimum.plans(state):
        cost: Any = option.margin
        if bound:
            cost = Certified(cost, bound) if cost > bound else None
        rows.append([option.name, known(option.value, bound), cost])
    kinds = (FRACTION, DECIMAL) if not bound and len(str(rows[0][1])) < 30 else (DECIMAL,)
    columns = ["option", Column("value", *kinds), Column("costs", DECIMAL)]
    note = f"Goal: {optimum.goal.said} from here on, if all is played best afterwards."
    best = [option.name for option in optimum.plans(state) if option.margin <= bound]
    tones: dict[int, Tone] = dict.fromkeys(range(len(best)), "good")
    table = Table(columns, rows, tones=tones)
    return Page(f"{title}: {' or '.join(best)}", table, Text(note, tone="note"))


def played(seen: "Played") -> Page:
    """Games that were rolled, beside what they should be worth."""
    rows: list[list[Any]] = [["mean", seen.mean, known(seen.value, seen.bound), seen.z]]
    rows.append(["standard deviation", seen.deviation, None, None])
    columns = ["", Column("seen", DECIMAL), Column("exact", DECIMAL)]
    return Page(
        "",
        Facts(Fact("games", seen.games, COUNT, note=f"{seen.goal}, {seen.how}")),
        Table([*columns, Column("z", SCORE)], rows),
        _quantiles(seen),
    )


def _quantiles(law: "FinalLaw | Played") -> Table:
    rows = [[f"{amount(100 * Fraction(q))} %", law.quantile(q)] for q in QUANTILES]
    return Table([Column("of the games", LABEL), Column("come to no more than", FRACTION)], rows)


def played_data(seen: "Played") -> dict[str, Any]:
    """The same as data: exact figures as texts."""
    return {
        "goal": seen.goal,
        "games": seen.games,
        "mean": datum(seen.mean),
        "deviation": seen.deviation,
        "value": datum(seen.value),
        "bound": datum(seen.bound),
        "z": seen.z,
        "quantiles": {q: datum(seen.quantile(q)) for q in QUANTILES},
    }


def data(optimum: "TurnOptimum") -> dict[str, Any]:
    """An optimum as data: exact figures as texts."""
    return {
        "goal": optimum.goal.name,
        "method": optimum.method,
        "value": datum(optimum.value),
        "bound": datum(optimum.bound),
        "cards": optimum.cards,
        "states": optimum.states,
        "turn": turn_data(optimum),
    }


def turn_data(optimum: "TurnOptimum", card: Any = None, tally: int = 0) -> dict[str, Any]:
    """How to play a turn with a score card, as data."""
    return {
        name: {
            "first_of": list(ranking.options),
            "exceptions": {optimum.said(state): did for state, did in ranking.exceptions.items()},
        }
        for name, ranking in optimum.turn_card(card, tally).items()
    }


def options_data(optimum: "TurnOptimum", state: Any) -> list[dict[str, Any]]:
    """What may be done in a state, as data."""
    return [
        {"name": o.name, "value": datum(o.value), "cost": datum(o.margin)}
        for o in optimum.plans(state)
    ]


def card_page(optimum: "TurnOptimum", card: Any, tally: int, title: str) -> Page:
    """A score card: what is still to come, and how to play its next turn."""
    to_come = known(optimum.to_come(card, tally), optimum.bound_at((card, tally, None)))
    facts = Facts(Fact("still to come", to_come, DECIMAL.to(15), note="mean"))
    return Page(title, facts, turn_page(optimum, card, tally, "The next turn"))


def law_data(law: "FinalLaw") -> dict[str, Any]:
    """The law of what a game comes to, as data."""
    return {
        "mean": datum(law.mean),
        "deviation": law.deviation,
        "error": datum(law.error),
        "chances": {str(x): p for x, p in zip(law.worths, law.chances, strict=True)},
    }
