"""The sheet of a game of turns: rules, the score under optimal and simple play, a card, proof.

Such a game has no bets; its results are the distribution of the score and the strategy.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any

from sevenout import __version__
from sevenout.documents import (
    Attached,
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
from sevenout.documents.kinds import DECIMAL, FRACTION, LABEL, PERCENT, Kind
from sevenout.documents.numbers import amount
from sevenout.papers.pictures.style import CYCLE, as_svg, canvas, literal, percent_axis
from sevenout.papers.sections.first_page import signed
from sevenout.papers.sections.rules_in_words import describe, number
from sevenout.rules import KeepRoll, Outcome
from sevenout.solving.policies.option_values import known
from sevenout.solving.turns.turnpages import QUANTILES, moments, quantiles
from sevenout.verify.vectors import best_turns

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from sevenout.solving.turns.turn_distribution import FinalLaw, PlayedTurns
    from sevenout.solving.turns.turncertificate import TurnCertificate
    from sevenout.solving.turns.turnplay import TurnOptimum

PROOF = "certificate.jsonl"
MOST_ATTACHED = 2_000
"""The most cards for a certificate in the PDF; beyond, it takes megabytes."""
LINES = 12
"""Rows of the table of probabilities to reach a score."""
LONGEST = 20
"""The most turns of a game that is shown whole."""
GREEDY = (
    "Best play weighs what is still to come. Greedy play looks at one turn: it keeps the dice "
    "with the highest mean score of the turn, and enters them in the box that pays most (the first "
    "of several that pay the same). "
)
EXACT = "The mean under best play is exact."
CERTIFIED = (
    "Means show only proved digits. Probabilities are computed in floating point, with a proved "
    "error bound."
)


def turn_sheet(
    optimum: "TurnOptimum",
    name: str,
    *,
    text: str = "",
    source: str = "",
    version: str = "1",
    date: str = "",
    simulate: "int | PlayedTurns | None" = None,
    seed: int = 1,
    maker: str = "",
    author: str = "",
    signatures: Iterable[str] = (),
) -> Page:
    """The sheet of a game of turns, played optimally; the arguments are those of `sheet`."""
    proof = optimum.certificate(game=name)
    sections = [rules(optimum, text, seed), _mean(optimum), *strategy(optimum)]
    if simulate is not None:
        seen = optimum.simulate(simulate, seed) if isinstance(simulate, int) else simulate
        sections.append(simulation(optimum, seen, seed))
    sections.append(_sources(optimum, source, proof))
    if offices := tuple(signatures):
        sections.append(signed(offices, author))
    given = [("maker", maker), ("author", author), ("version", version)]
    model = f"{optimum.cards:,} score cards, {optimum.states:,} with their totals"
    facts = [fact for fact in given if fact[1]] + [
        (hash_of(optimum), proof.sha256),
        ("model", f"{model}; a turn of {len(optimum.turn.states):,} states"),
        ("solved", f"{optimum.method}, by sevenout {__version__}"),
    ]
    small = optimum.cards <= MOST_ATTACHED
    return Page(
        name,
        *sections,
        subtitle="Game sheet",
        facts=facts,
        date=date,
        attached=[Attached(PROOF, b"".join(proof.lines()), "The certificate")] if small else (),
    )


def rules(optimum: "TurnOptimum", text: str, seed: int) -> Page:
    game = optimum.game
    blocks: list[Block] = [*prose(text or "\n\n".join(describe(game)))]
    if isinstance(game.turn, KeepRoll):
        turn, again = game.turn, game.turn.rolls_allowed - 1
        said = f"A turn: {number(turn.count)} dice with the faces "
        said += f"{', '.join(map(str, turn.die.faces))} are rolled. "
        if again:
            times = {1: "once", 2: "twice"}.get(again, f"{number(again)} times")
            said += f"Then any of them may be rolled again, {times}. "
        blocks.append(Text(f"{said}The final dice are entered in a box."))
    rows = [
        [name, min(paid), max(paid), optimum.hand(hand)] for name, paid, hand in _entries(optimum)
    ]
    heads = ["entry", Column("pays from", FRACTION), Column("to", FRACTION)]
    blocks.append(Table([*heads, "with"], rows, caption="What may be entered at first"))
    more = {total: dict(game.final(total)) for total in optimum.totals}
    if game.tally and any(more.values()):
        least = min(total for total in more if more[total])
        brings = ", ".join(
            f"{amount(Fraction(n))} to the {name}" for name, n in more[least].items()
        )
        blocks.append(Text(f"At the end {brings} for {game.tally[0]} of {least} or more."))
    turns = _game(optimum, seed)
    if turns:
        heads = [Column("for", FRACTION), Column("in all", FRACTION)]
        columns = ["the dice, and what is kept", "", *heads]
        blocks.append(Table(columns, turns, caption="A game with optimal play"))
        blocks.append(Text(f"The dice are from seed {seed}.", tone="note"))
    return Page("The rules", *blocks)


def _entries(optimum: "TurnOptimum") -> Iterable[tuple[str, list[Fraction], Outcome]]:
    """Each entry of the first card: its pays, and a hand with the highest."""
    paid = optimum.pays()
    for name in optimum.game.entries(optimum.game.card):
        own = {hand: pays[name] for hand, pays in paid.items() if name in pays}
        yield name, list(own.values()), max(own, key=lambda hand: own[hand] * optimum.goal.sense)


def _game(optimum: "TurnOptimum", seed: int) -> list[list[Any]]:
    rows: list[list[Any]] = []
    for turn in best_turns(optimum, Random(seed)):
        rows.append(["; ".join(turn.steps), turn.entry, turn.paid, turn.total])
        if turn.more:
            rows.append(["", "at the end", turn.more, turn.total + turn.more])
    return rows if len(rows) <= LONGEST else []


def _mean(optimum: "TurnOptimum") -> Page:
    """The score under optimal and simple play."""
    kinds = (DECIMAL.to(15),) if optimum.bound else (FRACTION, DECIMAL.to(15))
    laws = {"best": optimum.law, "greedy": optimum.greedy.law}
    means: list[list[Any]] = [["mean", optimum.known, laws["greedy"].known_mean]]
    means.append(["standard deviation", *(law.std for law in laws.values())])
    reached = [
        [amount(Fraction(least)), *(law.reached(least) for law in laws.values())]
        for least in _steps(optimum.law)
    ]

    def columns(first: Column, kind: Kind) -> list[Column]:
        return [first, *(Column(play, kind) for play in laws)]

    return Page(
        "The result of a game",
        Facts(Fact(optimum.goal.said, optimum.known, *kinds)),
        Picture(lambda: as_svg(score_law(laws)), "The probability of each score"),
        Table(columns(Column(""), DECIMAL), means, caption="Two policies"),
        Table(
            columns(Column("of the games", LABEL), FRACTION),
            quantiles(*laws.values()),
            caption="No more than",
        ),
        Table(
            columns(Column("at least", LABEL), PERCENT),
            reached,
            caption="The probability of this score or more",
        ),
        Text(GREEDY + (CERTIFIED if optimum.bound else EXACT), tone="note"),
    )


def compared(laws: "Mapping[str, FinalLaw]") -> Page:
    """Distributions of the score side by side, for several games or policies."""
    first, *_ = laws
    rows: list[list[Any]] = []
    for name, law in laws.items():
        more = known(law.mean - laws[first].mean, 2 * law.mean_bound)
        rows.append([name, law.known_mean, None if name == first else more, law.std])
    heads = [Column("mean", DECIMAL), Column(f"less {first}", DECIMAL.to(6, sign=True))]
    columns = [Column(f"{amount(100 * Fraction(q))} %", FRACTION) for q in QUANTILES]
    shares = [[name, *map(law.quantile, QUANTILES)] for name, law in laws.items()]
    return Page(
        " and ".join(laws),
        Table(["", *heads, Column("standard deviation", DECIMAL)], rows),
        Table(["", *columns], shares, caption="Share of games with no more than"),
        Picture(lambda: as_svg(score_law(laws)), "The probability of each score"),
        subtitle="Comparison",
    )


def simulation(optimum: "TurnOptimum", seen: "PlayedTurns", seed: int) -> Page:
    heads = [Column("of the games", LABEL), Column("seen", FRACTION), Column("exact", FRACTION)]
    return Page(
        "The simulation that confirms it",
        moments(seen, optimum.law),
        Table(heads, quantiles(seen, optimum.law), caption="No more than"),
        Text(
            f"{seen.games:,} games with optimal play: every die of every turn was rolled, from "
            f"seed {seed}. z is the distance from the exact mean, in standard errors.",
            tone="note",
        ),
    )


def _steps(law: "FinalLaw") -> list[Fraction]:
    """About a dozen round amounts over the bulk of a distribution."""
    low, high = law.quantile_range("1/100")[0], law.quantile_range("99/100")[1]
    if high == low:
        return [low]
    step, scale = Fraction(1), (high - low) / LINES
    while scale < step:
        step /= 10
    while scale >= 10 * step:
        step *= 10
    step *= next(n for n in (1, 2, 5, 10) if n * step >= scale)
    first = -(-low // step)
    return [step * n for n in range(int(first), int(high // step) + 1)]


def score_law(laws: "Mapping[str, FinalLaw]") -> "Figure":
    """Distributions of the score in one plot; the dashed lines are their means."""
    with canvas() as (figure, axes):
        low = min(law.quantile_range("1/1000")[0] for law in laws.values())
        high = max(law.quantile_range("999/1000")[1] for law in laws.values())
        for k, (play, law) in enumerate(laws.items()):
            colour = CYCLE[k % len(CYCLE)]
            drawn = [(float(x), float(p)) for x, p in law.row.items() if low <= x <= high]
            xs, ps = zip(*drawn, strict=True)
            if len(xs) > 40:
                axes.plot(xs, ps, color=colour, linewidth=0.8, label=literal(play))
            else:  # a line would cross scores that are impossible
                apart = min((b - a for a, b in pairwise(xs)), default=1.0) / 6
                aside = [x + apart * (k - (len(laws) - 1) / 2) for x in xs]
                axes.vlines(aside, 0, ps, colors=colour, linewidth=1)
                axes.plot(aside, ps, "o", color=colour, markersize=3, label=literal(play))
            axes.axvline(float(law.mean), color=colour, linestyle=(0, (4, 3)), linewidth=0.8)
        axes.set_ylim(0, None)
        percent_axis(axes.yaxis)
        axes.set_xlabel("result of a game")
        axes.set_ylabel("probability")
        axes.legend()
        return figure


def strategy(optimum: "TurnOptimum") -> list[Page]:
    """The card of the first turn, and which entries to give up."""
    more = Text(
        f"Each of the {optimum.states:,} score cards with their totals has such a list: ",
        code("sevenout best GAME --at"),
        " prints it for the boxes that are taken. With the dice, it prints the cost of each "
        "option.",
        tone="note",
    )
    return [Page("Strategy", *optimum.how(), more)]


def hash_of(optimum: "TurnOptimum") -> str:
    """The name of a certificate's hash, which is of the unpacked file if it is packed."""
    packed = optimum.cards > MOST_ATTACHED
    return "certificate, unpacked, SHA-256" if packed else "certificate, SHA-256"


def _sources(optimum: "TurnOptimum", source: str, proof: "TurnCertificate") -> Page:
    attached = " It is attached to this document as PDF;" if optimum.cards <= MOST_ATTACHED else ""
    return Page(
        "Sources",
        *prose(source),
        Text(
            f"Computed by sevenout {__version__} from the declaration of the game, which is "
            "solved from its last turn back. Only the figures of the simulation are estimates. "
            "Anyone with the declaration can reproduce this sheet byte for byte.",
            tone="note",
        ),
        Text(
            f"The {hash_of(optimum)} {proof.sha256}, holds the rules as integers.{attached} ",
            code("sevenout certify"),
            " writes it, and ",
            code("sevenout certify --checker"),
            " prints a program that computes every turn of every card from it, in integers, and "
            "needs only Python.",
            tone="note",
        ),
    )
