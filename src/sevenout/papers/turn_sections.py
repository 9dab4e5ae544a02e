"""The sections of papers on games of turns, such as Yahtzee: rules, score, strategy, proof.

Such a game has no bets; its results are the distribution of the score and the strategy.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any

from sevenout import __version__
from sevenout.documents import (
    Block,
    Column,
    Fact,
    Facts,
    Page,
    Picture,
    Table,
    Text,
    code,
    prose,
)
from sevenout.documents.kinds import DECIMAL, FRACTION, LABEL, PERCENT
from sevenout.documents.numbers import amount
from sevenout.papers.picture_style import CYCLE, as_svg, canvas, escaped, percent_axis
from sevenout.papers.wording import author_words, sources_page
from sevenout.rules import Outcome
from sevenout.solving.best_play import comparison_blocks, with_bound
from sevenout.solving.turn_policies import QUANTILES, moments, quantiles
from sevenout.solving.turn_table import turn_order
from sevenout.verify.vectors import best_turns

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from sevenout.solving.turn_optimum import TurnOptimum
    from sevenout.solving.turn_policies import ScoreDistribution, SimulatedScores

MAX_STEPS = 12
"""Rows of the table of probabilities to reach a score."""
MAX_TURNS = 20
"""The most turns of a game that is shown whole."""
MAX_MARKS = 40
"""The most scores drawn as marks; more are joined by a line."""
GREEDY = (
    "Best play weighs what is still to come. Greedy play looks at one turn: it keeps the dice "
    "with the best mean score of the turn, and enters them in the box that pays best (the first "
    "of several that pay the same)."
)
"""Said below a table in which greedy play is compared with the best."""
RULES_HASH = "rules, SHA-256"
"""The name of the hash of the rules of a game of turns."""
EXACT = "The mean under best play is exact."
"""Said below the distribution of an exact solution."""
CERTIFIED = (
    "Means show only proved digits. Probabilities are computed in floating point, with a proved "
    "error bound."
)


def facts(optimum: "TurnOptimum") -> list[tuple[str, str]]:
    """The facts at the head of a paper."""
    model = f"{optimum.card_count:,} score cards, {optimum.state_count:,} with their totals"
    return [
        (RULES_HASH, optimum.rules_sha256),
        ("model", f"{model}; a turn of {len(optimum.turn.states):,} states"),
        ("solved", f"{optimum.method}, by sevenout {__version__}"),
    ]


def mathematics(optimum: "TurnOptimum", played: "SimulatedScores | None", seed: int) -> list[Page]:
    """The sections from the method to the simulation from a seed, if there is one."""
    pages = [method(optimum), score(optimum), *strategy(optimum)]
    return [*pages, simulation(optimum, played, seed)] if played else pages


def method(optimum: "TurnOptimum") -> Page:
    """The method, and what is assumed."""
    text = (
        f"The game is solved from its last turn back: {optimum.card_count:,} score cards, each "
        f"with every total that counts, and a turn of {len(optimum.turn.states):,} states. On each "
        "card the turn is played to the option with the best mean of all that is still to come. "
        "All figures are exact unless marked."
    )
    return Page("Method", Text(text), Text("Assumed: " + assumptions(optimum)))


def assumptions(optimum: "TurnOptimum") -> str:
    """What every figure takes for granted."""
    return (
        "Every roll is independent of the others, and has the stated probabilities. The player "
        f"plays for {optimum.goal.description}, and plays optimally; no other strategy does better."
    )


def rules(optimum: "TurnOptimum", text: str, seed: int) -> Page:
    """The maker's rules, what each entry pays, and a game."""
    game = optimum.game
    blocks: list[Block] = [*prose(text or "\n\n".join(author_words(game)))]
    rows: list[list[Any]] = []
    for name, pay_by_hand in _entry_pays(optimum):
        hand, _ = max(pay_by_hand.items(), key=lambda item: item[1] * optimum.goal.sense)
        paid = pay_by_hand.values()
        rows.append([name, min(paid), max(paid), optimum.hand(hand)])
    columns = ["entry", Column("pays from", FRACTION), Column("to", FRACTION), "with"]
    blocks.append(Table(columns, rows, caption="What may be entered at first"))
    turns = _example_game(optimum, seed)
    if turns:
        columns = ["the dice, and what is kept", ""]
        columns += [Column("for", FRACTION), Column("in all", FRACTION)]
        blocks.append(Table(columns, turns, caption="A game with optimal play"))
        blocks.append(Text(f"The dice are from seed {seed}.", tone="note"))
    return Page("The rules", *blocks)


def _entry_pays(optimum: "TurnOptimum") -> Iterator[tuple[str, dict[Outcome, Fraction]]]:
    """Each entry of the first card, and its pay for each hand that it takes."""
    paid = optimum.first_pays()
    for name in optimum.game.entries(optimum.game.card):
        yield name, {hand: pays[name] for hand, pays in paid.items() if name in pays}


def _example_game(optimum: "TurnOptimum", seed: int) -> list[list[Any]]:
    """The turns of a game with optimal play; none if it is too long to be shown whole."""
    rows: list[list[Any]] = []
    for turn in best_turns(optimum, Random(seed)):
        rows.append(["; ".join(turn.steps), turn.entry, turn.paid, turn.total])
        if turn.final_points:
            rows.append(["", "at the end", turn.final_points, turn.total + turn.final_points])
    return rows if len(rows) <= MAX_TURNS else []


def score(optimum: "TurnOptimum") -> Page:
    """The score under optimal and greedy play."""
    kinds = (DECIMAL.with_digits(15),) if optimum.bound else (FRACTION, DECIMAL.with_digits(15))
    laws = {"best": optimum.law, "greedy": optimum.greedy.law}
    rows = [
        [amount(points), *(law.p_at_least(points) for law in laws.values())]
        for points in _score_steps(optimum.law)
    ]
    return Page(
        "The result of a game",
        Facts(Fact(optimum.goal.description, optimum.value_with_bound, *kinds)),
        *side_by_side(laws),
        Table(
            [Column("at least", LABEL), *(Column(name, PERCENT) for name in laws)],
            rows,
            caption="The probability of this score or more",
        ),
        Text(CERTIFIED if optimum.bound else EXACT, tone="note"),
    )


def compared(laws: "Mapping[str, ScoreDistribution]") -> Page:
    """Distributions of the score of several games or policies."""
    return Page(" and ".join(laws), *side_by_side(laws), subtitle="Comparison")


def side_by_side(laws: "Mapping[str, ScoreDistribution]") -> list[Block]:
    """Distributions of the score side by side: moments, shares, and a picture."""
    first, *_ = laws
    rows: list[list[Any]] = []
    for name, law in laws.items():
        difference = with_bound(law.mean - laws[first].mean, 2 * law.mean_bound)
        rows.append([name, law.mean_with_bound, None if name == first else difference, law.std])
    heads = [Column("mean", DECIMAL), Column(f"less {first}", DECIMAL.with_digits(6, sign=True))]
    columns = [Column(f"{amount(100 * Fraction(q))} %", FRACTION) for q in QUANTILES]
    shares = [[name, *map(law.quantile, QUANTILES)] for name, law in laws.items()]
    return [
        Table(["", *heads, Column("standard deviation", DECIMAL)], rows),
        Table(["", *columns], shares, caption="Share of games with no more than"),
        Picture(lambda: as_svg(score_law(laws)), "The probability of each score"),
    ]


def simulation(optimum: "TurnOptimum", played: "SimulatedScores", seed: int) -> Page:
    """A simulation of optimal play beside the exact distribution."""
    heads = [Column("of the games", LABEL), Column("seen", FRACTION), Column("exact", FRACTION)]
    return Page(
        "Simulation",
        moments(played, optimum.law),
        Table(heads, quantiles(played, optimum.law), caption="No more than"),
        Text(
            f"{played.games:,} games with optimal play: every die of every turn was rolled, from "
            f"seed {seed}. z is the distance from the exact mean, in standard errors.",
            tone="note",
        ),
    )


def _score_steps(law: "ScoreDistribution") -> list[Fraction]:
    """About a dozen round amounts over the bulk of a distribution."""
    low, high = law.quantile_range("1/100")[0], law.quantile_range("99/100")[1]
    if high == low:
        return [Fraction(low)]
    # the next of 1, 2, 5, 10, 20 ... that gives no more than MAX_STEPS rows or so
    step, scale = Fraction(1), (high - low) / MAX_STEPS
    while scale < step:
        step /= 10
    while scale >= 10 * step:
        step *= 10
    step *= next(n for n in (1, 2, 5, 10) if n * step >= scale)
    first = -(-low // step)
    return [step * n for n in range(int(first), int(high // step) + 1)]


def score_law(laws: "Mapping[str, ScoreDistribution]") -> "Figure":
    """Distributions of the score in one plot; the dashed lines are their means."""
    with canvas() as (figure, axes):
        low = min(law.quantile_range("1/1000")[0] for law in laws.values())
        high = max(law.quantile_range("999/1000")[1] for law in laws.values())
        for k, (play, law) in enumerate(laws.items()):
            colour = CYCLE[k % len(CYCLE)]
            drawn = [(float(x), float(p)) for x, p in law.probabilities.items() if low <= x <= high]
            xs, ps = zip(*drawn, strict=True)
            if len(xs) > MAX_MARKS:
                axes.plot(xs, ps, color=colour, linewidth=0.8, label=escaped(play))
            else:  # a line would cross scores that are impossible
                offset = min((b - a for a, b in pairwise(xs)), default=1.0) / 6
                shifted = [x + offset * (k - (len(laws) - 1) / 2) for x in xs]
                axes.vlines(shifted, 0, ps, colors=colour, linewidth=1)
                axes.plot(shifted, ps, "o", color=colour, markersize=3, label=escaped(play))
            axes.axvline(float(law.mean), color=colour, linestyle=(0, (4, 3)), linewidth=0.8)
        axes.set_ylim(0, None)
        percent_axis(axes.yaxis)
        axes.set_xlabel("result of a game")
        axes.set_ylabel("probability")
        axes.legend()
        return figure


def strategy(optimum: "TurnOptimum") -> list[Page]:
    """Simple play, the card of the first turn, and which entries to give up."""
    more = Text(
        f"Each of the {optimum.state_count:,} score cards with their totals has such a list: ",
        code("sevenout best GAME --at"),
        " prints it for the boxes that are taken. With the dice, it prints the cost of each "
        "option.",
        tone="note",
    )
    simple = comparison_blocks(optimum, {"greedy": "greedy"})
    note = Text(GREEDY, tone="note")
    return [Page("Choices and their strategy", *simple, note, *optimum.policy_pages(), more)]


def sources(source: str) -> Page:
    """Where the rules come from, and what computed the figures."""
    return sources_page(source, "", Text("No certificate proves the mean.", tone="note"))


def worked_entries(optimum: "TurnOptimum") -> Page:
    """For each entry of the first card, how often a turn comes to its highest and lowest pay."""
    rows: list[list[Any]] = []
    for entry, pay_by_hand in _entry_pays(optimum):
        chances = _endings_played_for(optimum, pay_by_hand)
        for points in dict.fromkeys((max(pay_by_hand.values()), min(pay_by_hand.values()))):
            hands = {hand: p for hand, p in chances.items() if pay_by_hand.get(hand) == points}
            likeliest = max(hands, key=hands.__getitem__)
            rows.append([entry, points, sum(hands.values()), optimum.hand(likeliest)])
    columns = [
        "entry",
        Column("pays", FRACTION),
        Column("how often", PERCENT.with_digits(3)),
        "as with",
    ]
    note = (
        "The most and the least that each entry pays, how often a turn comes to it where it is "
        "played for that entry alone, for the best mean, and the likeliest hand that it then ends "
        "in. Of several as likely one is shown."
    )
    return Page("Every entry, worked", Text(note, tone="note"), Table(columns, rows))


def _endings_played_for(
    optimum: "TurnOptimum", pay_by_ending: Mapping[Outcome, Fraction]
) -> dict[Outcome, Fraction]:
    """The probability of each ending of a turn played for one entry alone, from its pays."""
    turn, sense, n = optimum.turn, optimum.goal.sense, len(optimum.turn.states)
    # An ending that the entry does not take is as bad as its least pay.
    worst = min(pay_by_ending.values(), key=lambda paid: paid * sense)
    values = {n + k: pay_by_ending.get(ending, worst) for k, ending in enumerate(turn.outcomes)}
    moves = {}
    for s, row, weights in turn_order(turn):
        if weights:
            moves[s] = [(t, Fraction(w, sum(weights))) for t, w in zip(row, weights, strict=True)]
        else:
            moves[s] = [(max(row, key=lambda t: values[t] * sense), Fraction(1))]
        values[s] = sum((values[t] * p for t, p in moves[s]), Fraction(0))
    mass = dict.fromkeys(values, Fraction(0)) | {0: Fraction(1)}
    for s in reversed(moves):  # each before those that it leads to
        for t, p in moves[s]:
            mass[t] += mass[s] * p
    return {ending: mass[n + k] for k, ending in enumerate(turn.outcomes)}
