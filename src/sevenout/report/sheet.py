"""The sheet of a game: its content, from the rules to the sources."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from sevenout import __version__
from sevenout.errors import RulesError
from sevenout.games import Entry
from sevenout.model import Policy, has_choices
from sevenout.numerals import Number
from sevenout.optimal_play import best
from sevenout.page import Attached, Page, PageError, Text, code, prose
from sevenout.report.canonical_text import canonical_text, declared_of
from sevenout.report.sections import bet_sections, first_page, playing
from sevenout.report.sections import rules_section as rulebook
from sevenout.report.subject import FEW_BETS, Subject
from sevenout.rules import ByTurns, Game, Progressive
from sevenout.rules.gamefiles.gamefile import GameFile
from sevenout.solve import Optimum, solve

if TYPE_CHECKING:
    from sevenout.certify import Certificate
    from sevenout.simulate import Tally

LEAST_RUN = 1_000
"""The shortest run in the picture of convergence."""
PROOF = "certificate.jsonl"
"""The name of the certificate in the PDF."""
LARGEST_PROVED = 2_000
"""States up to which a sheet has the hash of a certificate; longer ones take seconds to write."""


def sheet(
    game: Game | Entry | GameFile | Subject,
    *,
    bets: Iterable[str] | None = None,
    title: str | None = None,
    rules: str | None = None,
    source: str | None = None,
    version: str = "1",
    date: str = "",
    simulate: "int | Tally | None" = None,
    seed: int = 1,
    bankroll: Number = 100,
    stake: Number = 1,
    rounds: int = 200,
    pace: Number = 100,
    goal: Mapping[str, Any] | None = None,
    policies: Mapping[str, Policy] | None = None,
    progressives: Mapping[str, Progressive] | None = None,
    maker: str = "",
    author: str = "",
    limits: str = "",
    signatures: Iterable[str] = (),
    asked: Iterable[Callable[[Subject], Page]] = (),
    declaration: str = "",
) -> Page:
    """The sheet of a game: rules, tables, figures and the simulation that confirms them.

    >>> from sevenout.games import catalogue
    >>> craps = sheet(catalogue.entry("craps"), date="2026-11-20")
    >>> [section.title for section in craps.sections][:4]
    ['The rules', 'State diagram', 'Payout schedule', 'Return table']

    Args:
        game: the rules, an entry of the catalogue, a game file, or a subject: a game that is
            solved, for which its bets, rules, source, goal and progressives are said already.
        bets: the bets that are shown; all of them if not given.
        title: the name of the game.
        rules: the rules in someone's own words; they come before those that are derived.
        source: where the rules come from.
        version: of the rules, as the caller counts them.
        date: of the sheet; the clock is never asked.
        simulate: how many games to play for the confirmation, or the tally of a run with `seed`;
            None leaves it out.
        seed: of the worked rounds and of the simulation.
        bankroll: of the session.
        stake: of each of its bets, in the units of the bankroll.
        rounds: how many bets it has.
        pace: rolls an hour.
        goal: of a game with choices, what is wanted, as `sevenout.best` takes it.
        policies: simple policies to compare with the best, by name.
        progressives: by bet, the award that it may win beside what it is paid.
        maker: whose game it is.
        author: who did the mathematics.
        limits: what may be staked, such as "5 to 500".
        signatures: who signs, by office: a line for each on the last page.
        asked: further sections, made from the subject, such as `sevenout.questions.section`.
        declaration: the text of all that is declared, for the certificate; made of the game, the
            title, the rules in words, the maker, the author and the version if not given.

    Raises:
        SevenoutError: no such bet, a tally of another game, or rules that contradict themselves.
    """
    if simulate is None or isinstance(simulate, int):
        from sevenout.simulate.run import check_run

        check_run(1 if simulate is None else simulate, seed)
    entry = game if isinstance(game, Entry) else None
    named = game.name if isinstance(game, GameFile) else entry.title if entry else ""
    played = game if isinstance(game, Subject) else _played(game)
    if isinstance(played, ByTurns):
        from sevenout.report.turn_sheet import turn_sheet

        if tuple(asked):
            raise PageError("a game of turns has no states to ask of; leave further sections out")
        parts = {"bets": bets, "limits": limits, "progressives": progressives}
        if said := next((part for part, value in parts.items() if value), ""):
            raise PageError(f"{said}= of a game of turns, which has no bets; leave it out")
        if not isinstance(simulate, int | None):
            raise PageError("a game of turns is simulated by its sheet; say how many games")
        return turn_sheet(
            best(played, **(goal or {})),
            title or named or type(played).__name__,
            text=rules if rules is not None else entry.rules if entry else "",
            source=source if source is not None else entry.source if entry else "",
            version=version,
            date=date,
            simulate=simulate,
            seed=seed,
            maker=maker,
            author=author,
            signatures=signatures,
        )
    subject = (
        game
        if isinstance(game, Subject)
        else subject_of(
            game, bets=bets, rules=rules, source=source, goal=goal, progressives=progressives
        )
    )
    name = title or named or type(subject.game).__name__
    optimum = subject.optimum
    if policies and optimum is None:
        raise PageError("policies= of a game in which nobody chooses; leave it out")
    many = len(subject.bets) > FEW_BETS
    sections = [Page("The bets", bet_sections.side_by_side(subject))] if many else []
    sections.append(rulebook.rules(subject, seed))
    if optimum is not None:
        from sevenout.report.sections.strategy_section import strategy

        sections.append(strategy(optimum, policies or {}))
    sections.append(rulebook.states(subject))
    if subject.bets:
        sections += [
            bet_sections.schedule(subject),
            bet_sections.returns(subject),
            bet_sections.figures(subject, pace),
            bet_sections.intervals(subject),
        ]
    else:
        sections.append(bet_sections.outcomes(subject))
    sections += [award.page(currency=subject.currency) for award in subject.awards.values()]
    if len(subject.bets) > 1:
        sections.append(bet_sections.joint(subject))
    sections.append(playing.rolls(subject))
    if subject.bets:
        sections.append(playing.evening(subject, bankroll, stake, rounds))
    if simulate is not None:
        sections.append(simulation(subject, simulate, seed))
    sections += [made(subject) for made in asked]
    bias = playing.biased_dice(subject)
    if bias is not None:
        sections.append(bias)
    proof = certificate_of(subject, name, declaration)
    if proof and proof.rules and not declaration:
        file = game if isinstance(game, GameFile) else None
        stated = {"rules": subject.text, "maker": maker, "author": author, "version": version}
        proof = proof.stating(canonical_text(declared_of(subject.game, name, file, **stated)))
    sections.append(_sources(subject, proof))
    if offices := tuple(signatures):
        sections.append(first_page.signed(offices, author))
    given = [("maker", maker), ("author", author), ("version", version), ("bet limits", limits)]
    facts = [fact for fact in given if fact[1]] + first_page.facts(subject)
    kind = f" · {entry.family}" if entry and entry.family not in ("", name) else ""
    return Page(
        name,
        *sections,
        subtitle=f"Game sheet{kind}",
        facts=facts,
        date=date,
        author=author or maker,
        attached=[Attached(PROOF, b"".join(proof.lines()), "The certificate")] if proof else (),
    )


def subject_of(
    game: Game | Entry | GameFile,
    *,
    bets: Iterable[str] | None = None,
    rules: str | None = None,
    source: str | None = None,
    goal: Mapping[str, Any] | None = None,
    progressives: Mapping[str, Progressive] | None = None,
) -> Subject:
    """A game, solved, and what its reader chose to see; as `sheet` takes them.

    A game file says its awards itself.

    Raises:
        RulesError: an award on a bet that the game has not, or in a game with choices: what is best
            there would depend on the meter.
    """
    entry = game if isinstance(game, Entry | GameFile) else None
    played = _played(game)
    if progressives and isinstance(game, GameFile):
        raise RulesError(
            f"progressives= of {', '.join(progressives)}: a game file says its awards itself; "
            "declare the progressive award of a bet there"
        )
    awards = game.progressives if isinstance(game, GameFile) else progressives or {}
    optimum = _optimum(played, goal or {})
    solution = solve(played) if optimum is None else optimum.solution
    chosen = solution.chain.bets if bets is None else tuple(dict.fromkeys(bets))
    for name in (*chosen, *awards):
        solution.bet(name)
    if awards and optimum is not None:
        raise RulesError(
            f"the progressive award of {next(iter(awards))}: the player chooses, and what is best "
            "depends on the meter; leave the award or the choices out"
        )
    return Subject(
        played,
        solution,
        chosen,
        rules if rules is not None else entry.rules if entry else "",
        source if source is not None else getattr(entry, "source", ""),
        optimum,
        {bet: rule for bet, rule in awards.items() if bet in chosen},
        game.currency if isinstance(game, GameFile) else "",
    )


def _played(game: Game | Entry | GameFile) -> Game:
    match game:
        case Entry():
            return game.game()
        case GameFile():
            return game.game
    return game


def _optimum(game: Game, goal: Mapping[str, Any]) -> Optimum | None:
    """Optimal play, where the game asks."""
    if not has_choices(game):
        return None
    if isinstance(game, ByTurns):
        raise PageError(f"{type(game).__name__} is a game of turns, which has no bets")
    return best(game, **goal)


def simulation(subject: Subject, given: "int | Tally", seed: int) -> Page:
    from sevenout.simulate import simulate

    runs: list[Tally] = []
    if isinstance(given, int):
        games = given
        size = games // 2
        while size >= LEAST_RUN and subject.bets:
            own = seed ^ (len(runs) + 1)  # one seed would give the runs their first dice in common
            runs.append(simulate(subject.chain, size, own))
            size //= 2
        tally = simulate(subject.chain, games, seed)
    else:
        tally = given
        if tally.chain != subject.chain:
            raise PageError(
                f"the tally is of the game {tally.chain.fingerprint[:12]}, the sheet of "
                f"{subject.chain.fingerprint[:12]}; simulate the same rules"
            )
    return playing.simulation(subject, tally, seed, runs[::-1])


def certificate_of(subject: Subject, name: str, declaration: str = "") -> "Certificate | None":
    """The certificate of all bets and the rolls, of a game that is not large; with the text of the
    declaration, if the game is data.
    """
    solution = subject.solution
    if solution.bound or len(solution.chain.states) > LARGEST_PROVED:
        return None
    played = None if subject.optimum is not None else subject.game  # best play is no rule
    title = without_awards(name, subject.progressives)
    return solution.certificate(game=title, rules=played).stating(declaration)


def without_awards(name: str, awards: Iterable[str]) -> str:
    """The title of a certificate, which leaves progressive awards out.

    >>> without_awards("Ladder", ["fire"]), without_awards("Craps", [])
    ('Ladder, without the progressive award', 'Craps')
    """
    return f"{name}, without the progressive award" if list(awards) else name


def _sources(subject: Subject, proof: "Certificate | None") -> Page:
    texts = prose(subject.source)
    texts.append(
        Text(
            f"Computed by sevenout {__version__} from the declaration of the game: probabilities "
            f"{subject.solution.how}, figures as defined by "
            "Hannum and Cabot, Practical Casino Math (2005), and "
            "Ethier, The Doctrine of Chances (2010). No figure but those marked so is an estimate. "
            "Whoever has the declaration can make this sheet again, byte for byte.",
            tone="note",
        )
    )
    if proof is not None:
        texts.append(
            Text(
                f"Certificate, SHA-256 {proof.sha256}: with the value of every state. It is "
                "attached to this document as PDF; ",
                code("sevenout certify"),
                " writes it, and ",
                code("sevenout certify --checker"),
                " prints the program that checks it, which needs nothing but Python.",
                tone="note",
            )
        )
    return Page("Sources", *texts)
