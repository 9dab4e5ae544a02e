"""The sheet of a game: its rules with worked rounds, and the mathematics, method to sources.

`mathematics` is the paper of that name in a dossier; the sheet has the rules before it.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from sevenout import __version__
from sevenout.catalogue import Entry, entry_of
from sevenout.documents import (
    Attachment,
    Block,
    Column,
    Page,
    PageError,
    Picture,
    Table,
    Text,
    code,
    prose,
)
from sevenout.documents.kinds import COUNT, DECIMAL, FRACTION, LABEL, PERCENT, SCORE, WON
from sevenout.documents.numbers import minus, p_value, percent, quantity
from sevenout.documents.words import word_list
from sevenout.errors import RulesError, shown
from sevenout.evenings.sessions import session
from sevenout.model import Policy, chain_of
from sevenout.model.process import draw_option, outcome_for_first
from sevenout.numerals import Number, exact
from sevenout.papers import bet_tables, plots, turn_sections
from sevenout.papers.bet_tables import short_list
from sevenout.papers.diagrams import diagram
from sevenout.papers.picture_style import as_svg
from sevenout.papers.plots import edge_curves
from sevenout.papers.policy_maps import policy_map
from sevenout.papers.subject import Subject, declaration, makers_of, subject_of
from sevenout.papers.wording import (
    PROOF,
    author_words,
    equipment,
    games_on_same_rolls,
    quoted,
    signature_page,
    sources_page,
    state_in_words,
)
from sevenout.rolling import Dice, Rollable
from sevenout.rolling.throw import Faces
from sevenout.rules import ByTurns, FlatGame, Game, Outcome
from sevenout.rules.combined_games import bare_dice
from sevenout.rules.gamefiles.gamefile import GameFile
from sevenout.rules.position import Position
from sevenout.solving import Optimum
from sevenout.solving.best_play import comparison_blocks, value_blocks
from sevenout.solving.card_pages import card_blocks
from sevenout.solving.counter_distributions import counts_up
from sevenout.solving.optimal_play import best
from sevenout.wrong_arguments import public

if TYPE_CHECKING:
    from sevenout.certify import ProofFile
    from sevenout.simulation import Tally
    from sevenout.solving.best_play import BestPlay
    from sevenout.solving.turn_optimum import TurnOptimum
    from sevenout.verify.records import Book, LoggedMove


MAX_CARD_LINES = 2_000
"""The most lines of a strategy card that is printed whole."""
MAX_MAP_STATES = 20_000
"""The most states of a map of a strategy."""
MAX_CURVE_STATES = 60
"""The most states for the edge as a function of a bias."""
MAX_DIAGRAM_STATES = 2_000
"""The most states of a diagram: they are sorted into kinds, of which few may be drawn."""
MAX_DIAGRAM_WIDTH = 600
"""The widest state diagram, in points; shrunk to the page, its letters still have 6.5 points."""
TINY = Fraction(1, 2 * 10**5)
"""A probability that would be printed as 0.000 %."""
MAX_SCORE_ROWS, MAX_SCORE = 60, 5_000
"""The most rows of scores, a page and a half; and the first score that is not looked at."""
MAX_DIAGRAMS = 3
"""The most state diagrams; the bets of a layout are alike."""
MAX_NAMED_BETS = 6
"""With more bets than this only the winners are named."""
MAX_ROLLS = 9
"""The most rolls of an example."""
MAX_TRIES = 400
"""The most rounds that are played to find examples with different ends."""


@dataclass(frozen=True, kw_only=True)
class SheetChoices:
    """What a reader chooses about the mathematics.

    Attributes:
        bankroll: the bankroll of the session.
        amount: of each bet of the session, in the bankroll's units.
        number_of_bets: in the session.
        pace: rolls per hour.
        policies: simple policies to compare with optimal play, by name.
        sections: further sections, made from the subject.

    Raises:
        PageError: a pace of 0 or less.
    """

    bankroll: Number = 100
    amount: Number = 1
    number_of_bets: int = 200
    pace: Number = 100
    policies: Mapping[str, Policy] = field(default_factory=dict)
    sections: tuple[Callable[[Subject], Page], ...] = ()

    def __post_init__(self) -> None:
        if exact(self.pace) <= 0:
            raise PageError(f"pace={shown(self.pace)}; give more than 0 rolls per hour")


@public
def sheet(
    game: Game | Entry | str | GameFile | Subject,
    *,
    bets: Iterable[str] | None = None,
    source: str | None = None,
    date: str = "",
    simulate: "int | Tally | None" = None,
    seed: int = 1,
    bankroll: Number = 100,
    amount: Number = 1,
    number_of_bets: int = 200,
    pace: Number = 100,
    goal: Mapping[str, Any] | None = None,
    policies: Mapping[str, Policy] | None = None,
    signatures: Iterable[str] = (),
    sections: Iterable[Callable[[Subject], Page]] = (),
) -> Page:
    """The sheet of a game: rules, tables, figures, and a simulation that confirms them.

    >>> from sevenout.catalogue import games
    >>> craps = sheet(games.entry("craps"), date="2026-11-20")
    >>> [section.title for section in craps.sections][:4]
    ['The rules', 'Method', 'The bet', 'Return table']

    Args:
        game: a declaration or game file; or bare rules, an entry of the catalogue or its name, or a
            solved subject, which declare less.
        bets: the bets to show; all if not given.
        source: the source of the rules.
        date: the sheet's date; the clock is never read.
        simulate: the number of games, or the tally of a run with `seed`; None for no simulation.
        seed: the seed of the worked rounds and the simulation.
        bankroll: the bankroll of the session.
        amount: of each bet, in the bankroll's units.
        number_of_bets: in the session.
        pace: rolls per hour.
        goal: the objective of a game with choices, as `sevenout.best` takes it.
        policies: simple policies to compare with optimal play, by name.
        signatures: the offices that sign, a line each.
        sections: further sections, made from the subject, such as `sevenout.questions.reference`.

    Raises:
        SevenoutError: no such bet, a tally of another game, contradictory rules, or an argument
            that the subject doesn't read.
    """
    # a wrong number of games is refused before minutes of solving
    if simulate is None or isinstance(simulate, int):
        from sevenout.simulation.run import check_run

        check_run(1 if simulate is None else simulate, seed)
    choices = SheetChoices(
        bankroll=bankroll,
        amount=amount,
        number_of_bets=number_of_bets,
        pace=pace,
        policies=policies or {},
        sections=tuple(sections),
    )
    game = entry_of(game)
    if isinstance(game, Subject):
        _refuse("a solved subject, which has its own", bets=bets, source=source, goal=goal)
    entry = game if isinstance(game, Entry) else None
    declared = game.declared if isinstance(game, Subject) else declaration(game)
    if source is None:
        source = entry.source if entry else ""
    signed = [signature_page(signatures, declared.author)] if signatures else []
    if isinstance(declared.game, ByTurns):
        stated = {"limits": declared.limits, "progressives": declared.progressives}
        _refuse("a game of turns, which has no bets", bets=bets, **stated)
        if choices != SheetChoices():
            raise PageError(
                "a game of turns has no session, pace, policies or further sections; leave them out"
            )
        if not isinstance(simulate, int | None):
            raise PageError("a game of turns is simulated for its sheet; give a number of games")
        optimum: TurnOptimum = best(declared.game, **(goal or {}))
        played = optimum.simulate(simulate, seed) if simulate else None
        pages = [
            turn_sections.rules(optimum, declared.rules, seed),
            *turn_sections.mathematics(optimum, played, seed),
            turn_sections.sources(source),
        ]
        return _titled(declared, pages + signed, turn_sections.facts(optimum), date)
    subject = game
    if not isinstance(subject, Subject):
        subject = subject_of(declared, bets=bets, source=source, goal=goal)
    if subject.optimum is None:
        _refuse("a game without choices", policies=policies)
    tally = tally_of(subject, simulate, seed)
    proof = subject.certificate(declared.name)
    pages = [rules(subject, seed), *mathematics(subject, choices, tally, seed)]
    pages.append(sources(subject, proof))
    limits = _limits(declared, subject.bet_names)
    subject_facts = ([("bet limits", limits)] if limits else []) + facts(subject)
    family = entry.family if entry and entry.family != declared.name else ""
    return _titled(declared, pages + signed, subject_facts, date, family=family, proof=proof)


def _refuse(subject: str, **arguments: Any) -> None:
    """Refuse an argument that isn't read of a subject.

    Raises:
        PageError: an argument that is given.
    """
    if name := next((name for name, value in arguments.items() if value), ""):
        raise PageError(f"{name}= of {subject}; leave it out")


def _titled(
    declared: GameFile,
    pages: list[Page],
    subject_facts: list[tuple[str, str]],
    date: str,
    *,
    family: str = "",
    proof: "ProofFile | None" = None,
) -> Page:
    """A sheet of these sections, with its title block and its certificate."""
    return Page(
        declared.name,
        *pages,
        subtitle=f"Game sheet · {family}" if family else "Game sheet",
        facts=[*makers_of(declared), ("version", declared.version), *subject_facts],
        date=date,
        author=declared.author or declared.maker,
        attachments=[Attachment(PROOF, b"".join(proof.lines()), "The certificate")]
        if proof
        else (),
    )


def _limits(declared: GameFile, bets: Iterable[str]) -> str:
    """The limits of these bets in words; equal ones are printed once."""
    by_bet = {bet: limits for bet in bets if (limits := declared.limits_of(bet))}
    if len(by_bet) > 1 and len({*by_bet.values()}) == 1 and {*by_bet} == {*bets}:
        return f"each bet {next(iter(by_bet.values()))}"
    return "; ".join(f"{bet} {limits}" for bet, limits in by_bet.items())


def facts(subject: Subject) -> list[tuple[str, str]]:
    """The facts at the head of a paper.

    >>> from sevenout.catalogue import games
    >>> facts(subject_of(games["craps"]))[0]
    ('house edge', '1.414 % per bet made')
    """
    edges = []
    for metrics in subject.metrics if len(subject.bets) == 1 else ():
        if not metrics.bet.is_score:
            award = " with its award, in the long run" if metrics.award else ""
            edge = minus(percent(metrics.counted_result.edge, 3))
            edges.append(("house edge", f"{edge} per bet made{award}"))
    return [
        *edges,
        ("rolled", word_list(equipment(subject.chain))),
        ("fingerprint", subject.chain.fingerprint),
        ("solved", f"{subject.solution.status}, by sevenout {__version__}"),
    ]


# --- rules ----------------------------------------------------------------------------------------


def rules(subject: Subject, seed: int) -> Page:
    """The maker's rules, and example rounds."""
    blocks = author_rules(subject)
    blocks += example_table(subject, seed)
    return Page("The rules", *blocks)


def author_rules(subject: Subject) -> list[Block]:
    """The rules as their maker wrote them, or that they are a program."""
    text = subject.declared.rules or "\n\n".join(author_words(subject.game))
    if text:
        return [*prose(text)]
    tables = "return tables" if subject.bets else "outcomes below"
    return [Text(f"The rules are given as data; the {tables} list every result.")]


# --- mathematics ----------------------------------------------------------------------------------


def mathematics(
    subject: Subject, choices: SheetChoices, tally: "Tally | None", seed: int
) -> list[Page]:
    """The sections from the method to the dice, with a simulation from a seed if there is one."""
    pages = [method(subject, tally)]
    if subject.bets:
        pages += [bet_tables.figures(subject), bet_tables.returns(subject)]
    else:
        pages += [bet_tables.outcomes(subject), *scores(subject)]
    if subject.optimum is not None:
        pages.append(strategy(subject, choices.policies))
    pages += bet_tables.award_pages(subject)
    # a score is not staked, so the house holds nothing and returns nothing of it
    if not all(bet.is_score for bet in subject.bets):
        pages.append(bet_tables.theoretical_hold(subject, choices.pace))
        pages.append(bet_tables.intervals(subject))
    if len(subject.bets) > 1:
        pages.append(bet_tables.joint_figures(subject))
    pages += [lengths(subject), *states(subject)]
    if subject.bets:
        pages.append(session_page(subject, choices))
    if tally is not None:
        pages.append(simulation(subject, tally, seed))
    pages += [section(subject) for section in choices.sections]
    if (dice := bet_tables.dice_sensitivity(subject)) is not None:
        pages.append(_with_curves(subject, dice))
    return pages


def assumptions(subject: Subject) -> list[str]:
    """What every figure takes for granted, a sentence each."""
    sentences = ["Every roll is independent of the others, and has the stated probabilities."]
    if subject.optimum is not None and not isinstance(subject.optimum, Optimum):
        sentences.append(
            "Each player follows the policy of an equilibrium: every figure of this game is under "
            "these policies."
        )
    elif subject.optimum is not None:
        goal = subject.optimum.goal.description
        if subject.optimum.opponent_clause:
            sentences.append(
                f"Both players play optimally for {goal}: every figure of this game is under their "
                "strategies. Against such an opponent, no other strategy does better."
            )
        else:
            sentences.append(
                "The player plays optimally: every figure of this game is under the strategy that "
                f"is best for {goal}. No other strategy does better."
            )
    if subject.awards:
        sentences.append(
            "One bettor at a time makes the bets that feed a meter, with stakes of one size."
        )
    return sentences


def method(subject: Subject, tally: "Tally | None") -> Page:
    """The method in a paragraph, and what is assumed."""
    chain = subject.chain
    how = "rational numbers, without rounding"
    if subject.solution.bound:
        how = "floating-point numbers with a proved error bound; only certain digits are printed"
    text = (
        f"The rules were explored from their start: {quantity(len(chain.states), 'state')} and "
        f"{quantity(len(chain.outcomes), 'outcome')}, with the probability of each roll as a "
        "fraction. This is an absorbing Markov chain. The probability of each outcome solves its "
        f"linear equations, {subject.solution.method_in_words}, in {how}."
    )
    if subject.bets:
        text += (
            " A bet's return table lists what it is paid at each outcome. Its edge, its standard "
            "deviation and the other figures are sums over that table."
        )
    if subject.optimum is not None and not isinstance(subject.optimum, Optimum):
        text += (
            " Where a player decides, the options are mixed as in an equilibrium, which the best "
            "replies to the players' policies prove; the chain is that of the game under them."
        )
    elif subject.optimum is not None:
        text += (
            f" Where the player decides, the best option was found by {subject.optimum.method} "
            "dynamic programming; the chain is that of the game under this strategy."
        )
    if not subject.solution.bound:
        text += " All figures are exact unless marked."
    if tally is not None:
        text += f" A simulation of {tally.games:,} games is compared with them below."
    return Page("Method", Text(text), Text("Assumed: " + " ".join(assumptions(subject))))


def proved_figures(subject: Subject) -> str:
    """What the certificate proves, and what it does not."""
    bets = subject.chain.bets
    if subject.optimum is not None:
        goal = subject.optimum.goal.description
        return (
            f"The certificate proves that no policy does better for {goal} than the stated value, "
            "that its policy reaches it, and that the game ends with probability 1. It does not "
            "prove the other figures."
        )
    figure = "mean score" if all(bet.is_score for bet in subject.bets) else "house edge"
    edges = f"the {figure} of {'each bet' if len(bets) > 1 else 'the bet'}" if bets else ""
    if subject.awards and edges:
        edges += " without its award"
    proved = [edges or "the probability of each outcome"]
    # the mean award of a meter with a limit is no sum over outcomes, which a certificate could hold
    unlimited = [bet for bet, award in subject.awards.items() if award.law.limit is None]
    if unlimited:
        proved.append(f"that of {quoted(unlimited)} with the award in the long run")
    proved.append("the mean number of rolls")
    return (
        f"The certificate proves {', '.join(proved)}, and that the game ends with probability 1. "
        "It does not prove the other figures, such as standard deviations."
    )


def strategy(subject: Subject, policies: Mapping[str, Policy]) -> Page:
    """The strategy, its value, and the cost of simpler play."""
    optimum: BestPlay | None = subject.optimum
    assert optimum is not None
    if not isinstance(optimum, Optimum):  # something is hidden: options are mixed
        mixed = comparison_blocks(optimum, policies) if policies else []
        return Page(
            "Choices and their strategy", *value_blocks(optimum), *optimum.policy_pages(), *mixed
        )
    digits = DECIMAL.with_digits(6)
    blocks: list[Block] = [
        Text(
            f"Goal: {optimum.goal.description}. "
            f"Best value: {minus(digits(optimum.value_with_bound))}. {optimum.proof_sentence}."
        ),
        *card_blocks(optimum, MAX_CARD_LINES),
    ]
    if policies:
        blocks += comparison_blocks(optimum, policies)
    # with more states, the cells of a map are too small to see
    if len(optimum.policy) <= MAX_MAP_STATES:
        with suppress(PageError):  # no map without numeric states
            blocks.append(Picture(as_svg(policy_map(optimum)), "The best option, by state"))
    return Page("Choices and their strategy", *blocks)


def lengths(subject: Subject) -> Page:
    """How long a game lasts."""
    solution = subject.solution
    counters = ["rolls", *subject.chain.own_counters]
    # the distribution of a large chain takes seconds, its mean none
    if not subject.is_small:
        means = [
            (name, solution.mean_rolls if name == "rolls" else solution.mean(name))
            for name in counters
            if name == "rolls" or not solution.bound
        ]
        return Page("Length of a game", Table(["counter", Column("mean", DECIMAL)], means))
    laws = {
        name: solution.distribution(name) for name in counters if counts_up(subject.chain, name)
    }
    # a table of ones would say nothing
    if list(laws) == counters == ["rolls"] and laws["rolls"].sf(1) == 0:
        return Page("Length of a game", Text("Every game is settled by one roll."))
    rows: list[tuple[Any, ...]] = [
        (name, law.mean, float(law.variance) ** 0.5, law.quantile("1/2"), law.quantile("99/100"))
        for name, law in laws.items()
    ]
    # a counter that may also fall has a mean, and no distribution here
    rows += [(name, solution.mean(name), None, None, None) for name in counters if name not in laws]
    columns = ["counter", Column("mean", FRACTION, DECIMAL), Column("std. dev.", DECIMAL)]
    columns += [Column("median", COUNT), Column("99 %", COUNT)]
    return Page("Length of a game", Table(columns, rows))


def scores(subject: Subject) -> list[Page]:
    """The probability of each score, where a game counts points and has no bets."""
    chain = subject.chain
    # the distribution of a large chain takes seconds
    if not subject.is_small:
        return []
    pages = []
    for counter in chain.own_counters:
        if not counts_up(chain, counter):
            continue
        law = subject.solution.distribution(counter)
        rows: list[tuple[Any, ...]] = []
        # an endless count has no last row, and scores in thousands have long gaps
        for score in range(MAX_SCORE):
            p, higher = law.pmf(score), law.sf(score)
            if p:
                rows.append((score, p, p + higher))
            if not higher or len(rows) == MAX_SCORE_ROWS:
                break
        columns = [counter, Column("probability", FRACTION, DECIMAL), Column("or more", DECIMAL)]
        pages.append(Page(f"Distribution of {counter}", Table(columns, rows)))
    return pages


def states(subject: Subject) -> list[Page]:
    """The state diagrams of the games that have several states and few kinds of them."""
    pictures: list[Block] = []
    games = games_on_same_rolls(subject.game)
    for part in games[:MAX_DIAGRAMS] if len(games) <= MAX_DIAGRAMS else ():
        chain = subject.chain if len(games) == 1 else chain_of(part)
        if not 1 < len(chain.states) <= MAX_DIAGRAM_STATES:
            continue  # nothing to draw, or too many to sort into kinds
        picture = diagram(
            chain, partial(state_in_words, _game_with_names(part)), "The states of the game"
        )
        # a wider picture is made narrower on paper, and its letters too small to read
        if picture is not None and picture.width <= MAX_DIAGRAM_WIDTH:
            pictures.append(picture)
    if not pictures:
        return []
    legend = (
        "States that behave alike share a card. A card lists how the game can end there, with the "
        "probabilities. “Again” is a roll that changes nothing. Arrows lead to the next states."
    )
    return [Page("State diagram", *pictures, Text(legend, tone="note"))]


def _game_with_names(game: Game) -> Game:
    """The game that names a chain's states: a game of games is explored flat."""
    rolls = hasattr(game, "dice") or type(game).rolls is not Game.rolls
    return FlatGame(game) if rolls and isinstance(game.rolls(game.start), Game) else game


def session_page(subject: Subject, choices: SheetChoices) -> Page:
    """A session of each bet: ruin, being ahead, quantiles."""
    rows: list[tuple[object, ...]] = []
    blocks: list[Block] = []
    for bet in subject.bets:
        try:
            result = session(
                bet, choices.bankroll, amount=choices.amount, bets=choices.number_of_bets
            )
        # a session that can't be computed leaves the others
        except RulesError as error:
            blocks.append(Text(f"{bet.name}: not computed: {error}", tone="note"))
            continue
        quantiles = [result.profit.quantile_cell(q) for q in ("1/20", "1/4", "1/2", "3/4", "19/20")]
        shares = _probability_text(result.ruin), _probability_text(result.ahead)
        rows.append((bet.name, *shares, result.mean, *quantiles))
    columns = ["bet", Column("ruin", LABEL), Column("ahead", LABEL)]
    columns += [Column("mean", SCORE.with_digits(2, sign=True))]
    columns += [Column(head, WON) for head in ("5 %", "25 %", "median", "75 %", "95 %")]
    amount, bankroll = exact(choices.amount), exact(choices.bankroll)
    text = (
        f"A session of {quantity(exact(choices.number_of_bets), 'bet')} of "
        f"{quantity(amount, 'unit')} with a bankroll of {quantity(bankroll, 'unit')}. “Ruin” is a "
        "bankroll below the largest possible loss of the next bet; the session then ends. “Ahead” "
        "is a profit. The mean and the quantiles are of the session's result, in units."
    )
    if subject.awards:
        text += " Progressive awards are left out."
    table = [Table(columns, rows)] if rows else []
    return Page("A session", *table, *blocks, Text(text, tone="note"))


def _probability_text(p: Any) -> str:
    """A probability of a session; a tiny one with its odds."""
    return PERCENT(p) if 0 < p < TINY else PERCENT.with_digits(3)(p)


def tally_of(subject: Subject, games: "int | Tally | None", seed: int) -> "Tally | None":
    """The simulation of a subject, or a given one if it is of the same game.

    Raises:
        PageError: the tally is of another game.
    """
    if games is None or isinstance(games, int):
        if not games:
            return None
        from sevenout.simulation import simulate

        return simulate(subject.chain, games, seed)
    if games.chain != subject.chain:
        raise PageError(
            f"the tally is of the game {games.chain.fingerprint[:12]}, the sheet of "
            f"{subject.chain.fingerprint[:12]}; simulate the same rules"
        )
    return games


def simulation(subject: Subject, tally: "Tally", seed: int) -> Page:
    """The simulation: what was played, the verdict, and the return of each bet."""
    from sevenout.verify import confirm

    verdict = confirm(tally, subject.solution)
    # the test nearest to a rejection stands for all
    question, smallest_p = min(verdict.family.items(), key=lambda item: item[1])
    agreement = "agree" if verdict.agrees else "do not agree"
    text = (
        f"{tally.games:,} games were played roll by roll, {tally.rolls:,} rolls in all, from seed "
        f"{seed}. The counts of outcomes, wins, lengths and counters {agreement} with the "
        f"{verdict.status_word} solution at a joint confidence of 99 %: of "
        f"{quantity(len(verdict.family), 'test')}, the least p-value after Holm's correction is "
        f"{p_value(smallest_p)}, for {question[:120]}. The number of games was fixed in advance, "
        "and every game was played to its end. The same seed gives the same counts on every engine."
    )
    if subject.awards:
        text += " Progressive awards are left out of the simulation."
    rows: list[tuple[object, ...]] = []
    for bet in subject.bets:
        mean = tally.bet(bet.name).mean
        error = (float(bet.variance) / tally.games) ** 0.5
        # a bet that always pays the same has no standard error
        z = float(mean - bet.mean) / error if error else None
        rows.append((bet.name, 1 + mean, bet.rtp, z))
    columns = [
        "bet",
        Column("actual return", PERCENT.with_digits(3)),
        Column(verdict.status_word, PERCENT.with_digits(3)),
    ]
    columns.append(Column("z, in standard deviations", SCORE))
    return Page("Simulation", Text(text), *([Table(columns, rows)] if rows else []))


def _with_curves(subject: Subject, dice: Page) -> Page:
    """The effect of the dice, with a picture for a small game of one bet."""
    # a curve solves the chain with a symbol in it, which grows fast
    if len(subject.chain.states) > MAX_CURVE_STATES or len(subject.bet_names) > 1:
        return dice
    bet = subject.bet_names[0]
    with suppress(PageError):  # too many faces for a picture
        curves = edge_curves(subject.solution, bet)
        drawn = plots.edge_against_bias(curves)
        caption = f"The edge of “{bet}” as one face of each die is made heavier or lighter"
        return Page(dice.title, *dice.blocks, Picture(partial(as_svg, drawn), caption))
    return dice


def sources(subject: Subject, proof: "ProofFile | None") -> Page:
    """Where the rules come from, what computed the figures, and what the certificate proves."""
    certificate = Text("No certificate proves the figures.", tone="note")
    if proof is not None:
        certificate = Text(
            f"Certificate, SHA-256 {proof.sha256}. {proved_figures(subject)} ",
            code("sevenout certify --checker"),
            " prints the program that checks it, which needs only Python.",
            tone="note",
        )
    definitions = (
        "Figures are as defined by Hannum and Cabot, Practical Casino Math (2005), and Ethier, The "
        "Doctrine of Chances (2010). "
    )
    return sources_page(subject.source, definitions, certificate)


def example_table(subject: Subject, seed: int) -> list[Block]:
    """Some rounds with different results, from a seed, and what they pay."""
    rows: list[tuple[str, ...]] = []
    for example in examples(subject.game, seed, optimum=subject.optimum):
        settled = settlement(example.outcome, subject.bet_names) + _award(subject, example.outcome)
        rows.append((example.in_words, settled))
    if not rows:
        return []
    columns = ["roll by roll", "settled"]
    # without bets nothing is settled
    if not subject.bet_names:
        columns, rows = columns[:1], [row[:1] for row in rows]
    note = f"The first rounds with different results, from seed {seed}."
    note += arrow_note(row[0] for row in rows)
    return [Table(columns, rows, caption="Worked rounds"), Text(note, tone="note")]


def arrow_note(rounds: Iterable[str]) -> str:
    """What an arrow means, if one of these rounds in words has one."""
    return " “→” shows the state after the roll." if any("→" in words for words in rounds) else ""


def _award(subject: Subject, outcome: Outcome) -> str:
    """The awards that an outcome wins, in words; empty for none."""
    won = [
        bet
        for bet, award in subject.awards.items()
        if any(name == bet and pay.event in award.rule.on for name, pay in outcome.pays)
    ]
    return f", and the award of {quoted(won)}" if won else ""


class ExampleRound(NamedTuple):
    """A round as played.

    Attributes:
        rolls: (the dice, the game's state afterwards) for each roll.
        outcome: the outcome that it ends in.
    """

    rolls: tuple[tuple[str, str], ...]
    outcome: Outcome

    @property
    def in_words(self) -> str:
        """The rolls in order, each with the state afterwards if that has a name."""
        return "; ".join(f"{roll} → {state}" if state else roll for roll, state in self.rolls)


def _roll_text(rolled: Rollable, faces: Faces) -> str:
    """A roll in words: the faces, and the total of several dice."""
    rolled = bare_dice(rolled)
    if not isinstance(rolled, Dice):
        face = faces[0]
        return face.label if isinstance(face, Outcome) else _face_text(face)
    text = "+".join(map(str, faces))
    return f"{text} = {rolled.roll(faces).total}" if len(faces) > 1 else text


def _text_or_nothing(state: Any) -> str:
    """A state as text; empty for a program's internal state."""
    return state if isinstance(state, str) else ""


def _face_text(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def replayed(book: "Book", moves: "Iterable[LoggedMove]") -> ExampleRound:
    """A round of known moves, each shown by the first faces that make it.

    Raises:
        SevenoutError: the moves are not possible.
    """
    position = Position(book.game)
    steps: list[tuple[str, str]] = []
    for move in moves:
        if position.options:
            text = position.options[move.branch]
            position.choose(text)
        else:
            rolled, faces = position.rollable, book.faces(move)
            text = _roll_text(rolled, faces)
            position.roll(faces)
        if not position.settled:
            steps.append((text, state_in_words(book.game, position.state, _text_or_nothing)))
    settled = position.settled
    assert settled is not None, "a book tells games to their end"
    return ExampleRound((*steps, (text, "")), book.as_first_player(settled, position.seat))


def play(game: Game, random: Random, optimum: "Optimum | None" = None) -> ExampleRound | None:
    """A round by the rules, with optimal choices; None if it is too long for an example."""
    position = Position(game)
    steps: list[tuple[str, str]] = []
    while len(steps) < MAX_ROLLS:
        if position.options:
            assert optimum is not None
            text = draw_option(optimum.policy[position.policy_key], random)
            position.choose(text)
        else:
            rolled = position.rollable
            text = _roll_text(rolled, position.throw(random))
        settled = position.settled
        if settled:
            if optimum is not None and optimum.model.passes:
                settled = outcome_for_first(settled, position.seat)
            label = " · ".join(dict.fromkeys(settled.label.split(" · ")))
            steps.append((text, "" if label == text else label))
            return ExampleRound(tuple(steps), settled)
        steps.append((text, state_in_words(game, position.state, _text_or_nothing)))
    return None


def examples(
    game: Game, seed: int = 1, max_examples: int = 5, optimum: "Optimum | None" = None
) -> list[ExampleRound]:
    """Example rounds with different ends, in the order in which the seed gives them.

    >>> from sevenout.catalogue import games
    >>> [example.outcome.label for example in examples(games["craps"], max_examples=3)]
    ['natural', 'seven out', 'point']
    """
    random = Random(seed)
    example_by_label: dict[str, ExampleRound] = {}
    for _ in range(MAX_TRIES):
        example = play(game, random, optimum)
        # a round too long for an example is tried again
        if example is not None:
            example_by_label.setdefault(example.outcome.label, example)
        if len(example_by_label) == max_examples:
            break
    return list(example_by_label.values())


def settlement(outcome: Outcome, bets: tuple[str, ...]) -> str:
    """What each bet is paid, in words.

    >>> from sevenout.rules import win
    >>> settlement(win("natural"), ("pass",))
    'pass wins 1'
    """
    if len(bets) > MAX_NAMED_BETS:
        return _settlement_of_many(outcome, bets)

    def of_bet(bet: str) -> str:
        profit: Fraction = outcome.profit(bet)
        if profit == 0:
            return f"{bet} is returned"
        return f"{bet} {'wins' if profit > 0 else 'loses'} {abs(profit)}"

    return word_list((of_bet(bet) for bet in bets), "and")


def _settlement_of_many(outcome: Outcome, bets: tuple[str, ...]) -> str:
    """The same for many bets: the winners by name, and the number lost or returned."""
    bets_by_profit: dict[Fraction, list[str]] = {}
    for bet in bets:
        bets_by_profit.setdefault(outcome.profit(bet), []).append(bet)
    phrases = []
    for profit, names in sorted(bets_by_profit.items(), reverse=True):
        plural = len(names) > 1
        who = f"{len(names)} others" if plural else names[0]
        if profit > 0:
            who = short_list(names, 4)
        verb = ("win" if profit > 0 else "lose") + ("" if plural else "s")
        returned = "are returned" if plural else "is returned"
        phrases.append(f"{who} {verb} {abs(profit)}" if profit else f"{who} {returned}")
    return word_list(phrases, "and")
