"""The sheet of a game, from its rules to its sources."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from sevenout import __version__
from sevenout.catalogue import Entry
from sevenout.documents import Attached, Page, PageError, Text, code, prose
from sevenout.errors import RulesError
from sevenout.model import Policy, has_choices
from sevenout.numerals import Number
from sevenout.papers.canonical_text import canonical_text, declaration
from sevenout.papers.sections import bet_sections, first_page, playing
from sevenout.papers.sections import rules_section as rulebook
from sevenout.papers.subject import FEW_BETS, Subject
from sevenout.rules import ByTurns, Game
from sevenout.rules.gamefiles.gamefile import GameFile
from sevenout.solving import Optimum, solve
from sevenout.solving.optimal_play import best

if TYPE_CHECKING:
    from sevenout.certify import Certificate
    from sevenout.simulation import Tally

LEAST_RUN = 1_000
"""The shortest run in the picture of convergence."""
PROOF = "certificate.jsonl"
"""The name of the certificate in the PDF."""
LARGEST_PROVED = 2_000
"""The most states for a certificate on a sheet; larger ones take seconds to write."""


def sheet(
    game: Game | Entry | GameFile | Subject,
    *,
    bets: Iterable[str] | None = None,
    source: str | None = None,
    date: str = "",
    simulate: "int | Tally | None" = None,
    seed: int = 1,
    bankroll: Number = 100,
    stake: Number = 1,
    rounds: int = 200,
    pace: Number = 100,
    goal: Mapping[str, Any] | None = None,
    policies: Mapping[str, Policy] | None = None,
    signatures: Iterable[str] = (),
    asked: Iterable[Callable[[Subject], Page]] = (),
) -> Page:
    """The sheet of a game: rules, tables, figures, and a simulation that confirms them.

    >>> from sevenout.catalogue import games
    >>> craps = sheet(games.entry("craps"), date="2026-11-20")
    >>> [section.title for section in craps.sections][:4]
    ['The rules', 'State diagram', 'Payout schedule', 'Return table']

    Args:
        game: a declaration or game file; or bare rules, an entry of the catalogue or a solved
            subject, which declare less.
        bets: the bets to show; all if not given.
        source: the source of the rules.
        date: the sheet's date; the clock is never read.
        simulate: the number of games, or the tally of a run with `seed`; None for no simulation.
        seed: the seed of the worked rounds and the simulation.
        bankroll: the bankroll of the session.
        stake: the stake per bet, in the bankroll's units.
        rounds: the number of bets in the session.
        pace: rolls per hour.
        goal: the objective of a game with choices, as `sevenout.best` takes it.
        policies: simple policies to compare with optimal play, by name.
        signatures: the offices that sign, a line each.
        asked: further sections, made from the subject, such as `sevenout.questions.section`.

    Raises:
        SevenoutError: no such bet, a tally of another game, or contradictory rules.
    """
    if simulate is None or isinstance(simulate, int):
        from sevenout.simulation.run import check_run

        check_run(1 if simulate is None else simulate, seed)
    entry = game if isinstance(game, Entry) else None
    declared = game.declared if isinstance(game, Subject) else declaration(game)
    if declared is None:
        assert isinstance(game, Subject)
        declared = declaration(game.game)
    source = source if source is not None else entry.source if entry else ""
    stated = [("maker", declared.maker), ("author", declared.author)]
    offices = tuple(signatures)
    if not isinstance(game, Subject) and isinstance(declared.game, ByTurns):
        return _of_turns(
            declared,
            bets=bets,
            asked=asked,
            goal=goal,
            simulate=simulate,
            seed=seed,
            source=source,
            date=date,
            offices=offices,
        )
    subject = game if isinstance(game, Subject) else _subject(declared, bets, goal, source)
    name = declared.name
    if policies and subject.optimum is None:
        raise PageError("policies= is for a game with choices; leave it out")
    sections = _of_bets(subject, seed, pace, policies or {})
    if subject.bets:
        sections.append(playing.evening(subject, bankroll, stake, rounds))
    if simulate is not None:
        sections.append(simulation(subject, simulate, seed))
    sections += [made(subject) for made in asked]
    bias = playing.biased_dice(subject)
    if bias is not None:
        sections.append(bias)
    proof = certificate_of(subject, name, subject.declaration)
    if proof and proof.rules and not subject.declaration:
        proof = proof.stating(canonical_text(declared))
    sections.append(_sources(subject, proof))
    if offices:
        sections.append(first_page.signed(offices, declared.author))
    stated += [("version", declared.version), ("bet limits", _limits(declared, subject.names))]
    facts = [fact for fact in stated if fact[1]] + first_page.facts(subject)
    kind = f" · {entry.family}" if entry and entry.family not in ("", name) else ""
    return Page(
        name,
        *sections,
        subtitle=f"Game sheet{kind}",
        facts=facts,
        date=date,
        author=declared.author or declared.maker,
        attached=[Attached(PROOF, b"".join(proof.lines()), "The certificate")] if proof else (),
    )


def _of_bets(
    subject: Subject, seed: int, pace: Number, policies: Mapping[str, Policy]
) -> list[Page]:
    many = len(subject.bets) > FEW_BETS
    sections = [Page("The bets", bet_sections.side_by_side(subject))] if many else []
    sections.append(rulebook.rules(subject, seed))
    if subject.optimum is not None:
        from sevenout.papers.sections.strategy_section import strategy

        sections.append(strategy(subject.optimum, policies))
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
    return [*sections, playing.rolls(subject)]


def _of_turns(
    declared: GameFile,
    *,
    bets: Iterable[str] | None,
    asked: Iterable[Any],
    goal: Mapping[str, Any] | None,
    simulate: "int | Tally | None",
    seed: int,
    source: str,
    date: str,
    offices: tuple[str, ...],
) -> Page:
    from sevenout.papers.turn_sheet import turn_sheet

    if tuple(asked):
        raise PageError("the sheet of a game of turns has no further sections; leave them out")
    parts = {"bets": bets, "limits": declared.limits, "progressives": declared.progressives}
    if said := next((part for part, value in parts.items() if value), ""):
        raise PageError(f"{said}= of a game of turns, which has no bets; leave it out")
    if not isinstance(simulate, int | None):
        raise PageError("the sheet simulates a game of turns itself; give the number of games")
    found: Any = best(declared.game, **(goal or {}))
    return turn_sheet(
        found,
        declared.name,
        text=declared.rules,
        source=source,
        version=declared.version,
        date=date,
        simulate=simulate,
        seed=seed,
        maker=declared.maker,
        author=declared.author,
        signatures=offices,
    )


def _limits(declared: GameFile, bets: Iterable[str]) -> str:
    said = {bet: limits for bet in bets if (limits := declared.limits_of(bet))}
    if len(said) > 1 and len({*said.values()}) == 1 and {*said} == {*bets}:
        return f"each bet {next(iter(said.values()))}"
    return "; ".join(f"{bet} {limits}" for bet, limits in said.items())


def subject_of(
    game: Game | Entry | GameFile,
    *,
    bets: Iterable[str] | None = None,
    rules: str = "",
    source: str = "",
    goal: Mapping[str, Any] | None = None,
) -> Subject:
    """A solved game with the reader's choices, as `sheet` takes them.

    Raises:
        RulesError: an award on a bet that the game lacks, or in a game with choices, where optimal
            play would depend on the meter.
    """
    found = source or (game.source if isinstance(game, Entry) else "")
    return _subject(declaration(game, rules=rules), bets, goal, found)


def _subject(
    declared: GameFile,
    bets: Iterable[str] | None,
    goal: Mapping[str, Any] | None,
    source: str,
) -> Subject:
    played, awards = declared.game, declared.progressives
    optimum = _optimum(played, goal or {})
    solution = solve(played) if optimum is None else optimum.solution
    chosen = solution.chain.bets if bets is None else tuple(dict.fromkeys(bets))
    for name in (*chosen, *awards):
        solution.bet(name)
    if awards and optimum is not None:
        raise RulesError(
            f"the progressive award of {next(iter(awards))} makes optimal play depend on the "
            "meter; leave the award or the choices out"
        )
    shown = {bet: rule for bet, rule in awards.items() if bet in chosen}
    return Subject(played, solution, chosen, declared.rules, source, optimum, shown, declared)


def _optimum(game: Game, goal: Mapping[str, Any]) -> Optimum | None:
    if not has_choices(game):
        return None
    if isinstance(game, ByTurns):
        raise PageError(f"{type(game).__name__} is a game of turns, which has no bets")
    return best(game, **goal)


def simulation(subject: Subject, given: "int | Tally", seed: int) -> Page:
    from sevenout.simulation import simulate

    runs: list[Tally] = []
    if isinstance(given, int):
        games = given
        size = games // 2
        while size >= LEAST_RUN and subject.bets:
            own = seed ^ (len(runs) + 1)  # with one seed the runs would start with the same dice
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
    """The certificate of all bets and the rolls, unless the game is large; with the declaration's
    text if the rules are data.
    """
    solution = subject.solution
    if solution.bound or len(solution.chain.states) > LARGEST_PROVED:
        return None
    best = None if subject.optimum is None else subject.optimum.policy.__getitem__
    title = without_awards(name, subject.progressives)
    made = solution.certificate(
        game=title, rules=subject.game, policy=best, awards=subject.progressives
    )
    return made if best and made.rules is None else made.stating(declaration)


def without_awards(name: str, awards: Iterable[str]) -> str:
    """The title of a certificate whose claims leave out progressive awards.

    >>> without_awards("Ladder", ["fire"]), without_awards("Craps", [])
    ('Ladder, progressive awards left out except where named', 'Craps')
    """
    return f"{name}, progressive awards left out except where named" if list(awards) else name


def _sources(subject: Subject, proof: "Certificate | None") -> Page:
    texts = prose(subject.source)
    texts.append(
        Text(
            f"Computed by sevenout {__version__} from the declaration of the game: probabilities "
            f"{subject.solution.how}, figures as defined by "
            "Hannum and Cabot, Practical Casino Math (2005), and "
            "Ethier, The Doctrine of Chances (2010). No figure but those marked so is an estimate. "
            "Anyone who has the declaration can make this sheet again, byte for byte.",
            tone="note",
        )
    )
    if proof is not None:
        texts.append(
            Text(
                f"Certificate, SHA-256 {proof.sha256}. It holds the value of every state and is "
                "attached to the PDF of this document. ",
                code("sevenout certify"),
                " writes it, and ",
                code("sevenout certify --checker"),
                " prints the program that checks it, which needs only Python.",
                tone="note",
            )
        )
    return Page("Sources", *texts)
