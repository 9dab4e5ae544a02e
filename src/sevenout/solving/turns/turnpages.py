"""Pages for games of turns: how to play a turn, what to give up, distributions of scores."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sevenout.documents import Block, Column, Fact, Facts, Page, Table, Text
from sevenout.documents.kinds import COUNT, DECIMAL, FRACTION, LABEL, SCORE
from sevenout.documents.numbers import amount
from sevenout.documents.tables import datum
from sevenout.solving.policies.option_values import known

if TYPE_CHECKING:
    from sevenout.solving.turns.turn_distribution import FinalLaw, PlayedTurns
    from sevenout.solving.turns.turnplay import TurnOptimum

QUANTILES = ("1/100", "1/20", "1/4", "1/2", "3/4", "19/20", "99/100")
MOST_LINES = 24


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
        (name, optimum.hand(state), did)
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
    """The common first word of the options, if any, and the options without it."""
    words = {option.partition(" ")[0] for option in options}
    if len(words) > 1 or not all(" " in option for option in options):
        return "", list(options)
    return words.pop(), [option.partition(" ")[2] for option in options]


def card_page(optimum: "TurnOptimum", state: Any, title: str) -> Page:
    """A score card: the value still to come, and how to play its next turn."""
    card, tally, _ = state
    to_come = known(optimum.to_come(card, tally), optimum.bound_at(state))
    facts = Facts(Fact("still to come", to_come, DECIMAL.to(15), note="mean"))
    return Page(title, facts, turn_page(optimum, card, tally, "The next turn"))


def card_data(optimum: "TurnOptimum", state: Any, title: str) -> dict[str, Any]:
    """The same as data: exact figures as strings."""
    card, tally, _ = state
    return {
        "goal": optimum.goal.name,
        "state": title,
        "bound": datum(optimum.bound_at(state)),
        "to come": datum(optimum.to_come(card, tally)),
        "turn": turn_data(optimum, card, tally),
    }


def given_up(optimum: "TurnOptimum") -> Page:
    """What to give up first: the value still to come if an entry pays least in the first turn."""
    bound = optimum.bound_at((optimum.game.card, 0, None))
    rows = [[name, paid, known(value, bound)] for name, paid, value in optimum.given_up()]
    columns = ["entry", Column("for", FRACTION), Column("then to come", DECIMAL)]
    return Page("What to give up, the cheapest first", Table(columns, rows))


def law_page(law: "FinalLaw") -> Page:
    """The distribution of the final score."""
    return Page(
        "The result of a game",
        Facts(Fact("standard deviation", law.std, DECIMAL.to(6))),
        Table(QUANTILE, quantiles(law)),
    )


def played(seen: "PlayedTurns") -> Page:
    """Simulated games beside their expected value."""
    games = Facts(Fact("games", seen.games, COUNT, note=f"{seen.goal}, {seen.how}"))
    return Page("", games, moments(seen), Table(QUANTILE, quantiles(seen)))


def moments(seen: "PlayedTurns", law: "FinalLaw | None" = None) -> Table:
    """The mean and standard deviation of simulated games beside the exact ones."""
    rows: list[list[Any]] = [["mean", seen.mean, known(seen.value, seen.within), seen.z]]
    rows.append(["standard deviation", seen.deviation, law and law.std, None])
    columns = ["", Column("seen", DECIMAL), Column("exact", DECIMAL)]
    return Table([*columns, Column("z", SCORE)], rows)


QUANTILE = [Column("of the games", LABEL), Column("no more than", FRACTION)]


def quantiles(*laws: "FinalLaw | PlayedTurns") -> list[list[Any]]:
    """The score that a share of the games does not exceed: a row per share."""
    return [
        [f"{amount(100 * Fraction(q))} %", *(law.quantile_cell(q) for law in laws)]
        for q in QUANTILES
    ]


def played_data(seen: "PlayedTurns") -> dict[str, Any]:
    """The same as data: exact figures as strings."""
    return {
        "goal": seen.goal,
        "games": seen.games,
        "mean": datum(seen.mean),
        "deviation": seen.deviation,
        "value": datum(seen.value),
        "bound": datum(seen.within),
        "z": seen.z,
        "quantiles": {q: datum(seen.quantile(q)) for q in QUANTILES},
    }


def turn_data(optimum: "TurnOptimum", card: Any = None, tally: int = 0) -> dict[str, Any]:
    """How to play a turn with a score card, as data."""
    return {
        name: {
            "first_of": list(ranking.options),
            "exceptions": {optimum.hand(state): did for state, did in ranking.exceptions.items()},
        }
        for name, ranking in optimum.turn_card(card, tally).items()
    }


def law_data(law: "FinalLaw") -> dict[str, Any]:
    """The distribution of the final score, as data."""
    return {
        "mean": datum(law.mean),
        "deviation": law.std,
        "error": datum(law.bound),
        "chances": {str(x): float(p) for x, p in law.row.items()},
    }
