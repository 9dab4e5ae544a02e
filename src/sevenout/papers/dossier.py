"""The dossier: a folder with what a test laboratory and a regulator ask for.

| file | what it is |
| --- | --- |
| submission.pdf | one page: every bet's figures, what is assumed, what is missing, signatures |
| rules.pdf | the maker's rules, procedure and equipment; a worked example of each result |
| mathematics.pdf | the method, every figure, choices, awards, a simulation, the dice |
| layout.pdf, rack-card.pdf | the table's own papers |
| monitoring.pdf | what to record, limits of the actual return, what an alarm means |
| vectors.csv, meter.csv, scores.csv | games, meters and scores, for another program |
| certificate.jsonl, check.py | the proof, and the program that checks it |
| declaration.toml, the game file or program | everything that the maker states |
| dossier.json, SHA256SUMS | the options that make the folder again, and the hash of every file |

The same declaration, options and version give the same bytes. Each paper has the declaration's
hash, the version and the date at the foot of every page.
"""

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from sevenout import __version__
from sevenout.documents import Block, Column, Page, PageError, Paper, Table, Text, code, prose
from sevenout.documents.kinds import AMOUNT, DECIMAL, LABEL, ODDS, PERCENT
from sevenout.documents.numbers import odds, quantity
from sevenout.documents.typeset import check_paper
from sevenout.documents.words import word_list
from sevenout.errors import FileError, RulesError, TooManyStatesError, printable, shown
from sevenout.files import new_folder, shown_path
from sevenout.model import Policy, explore
from sevenout.numerals import Number
from sevenout.papers import bet_tables, game_sheet, turn_sections
from sevenout.papers.game_sheet import SheetChoices, replayed
from sevenout.papers.monitoring_paper import monitoring
from sevenout.papers.subject import (
    Subject,
    TurnSubject,
    canonical_text,
    makers_of,
    scheduled_exposure,
)
from sevenout.papers.table_cards import MAX_BETS, layout, rack_card
from sevenout.papers.wheels import wheels_of
from sevenout.papers.wording import (
    PROOF,
    dice_count,
    equipment,
    event_glossary,
    pays_in_words,
    quoted,
    signature_page,
)
from sevenout.rules import ByTurns, Game
from sevenout.rules.gamefiles.gamefile import GameFile
from sevenout.solving.metrics import Metrics
from sevenout.verify import Book, Vectors
from sevenout.verify.counts import parse_confidence
from sevenout.verify.monitoring import Monitor, monitor_of
from sevenout.verify.vectors import TurnVectors

if TYPE_CHECKING:
    from sevenout.certify import ProofFile
    from sevenout.simulation import Tally
    from sevenout.solving.turn_optimum import TurnOptimum
    from sevenout.solving.turn_policies import SimulatedScores

GAME_FILE, DECLARATION = "game.toml", "declaration.toml"
"""The names of the game file and of the declaration's canonical text in the folder."""
OPTIONS, SUMS = "dossier.json", "SHA256SUMS"
"""The names of the file of options and of the list of hashes."""
FORMAT, VERSION = "sevenout dossier", 2
"""The format that the file of options states, and its version: 1 had no options."""
OFFICES = "maker", "author", "laboratory"
"""The signatories, if none are given."""
STATEMENTS = {
    "origin": "whether the game is new or a variation of another",
    "patents": "patents",
    "jurisdictions": "other jurisdictions",
    "equipment": "specifications of the equipment",
    "procedure": "the dealing procedure",
    "late_bets": "late bets",
    "void_rolls": "void rolls",
    "cocked_dice": "cocked dice",
    "irregularities": "cheating and defective equipment",
    "disputes": "disputes",
    "seats": "the number of seats",
}
"""What a laboratory expects a declaration to state, by its key."""
PROCEDURES = (
    *("procedure", "late_bets", "void_rolls"),
    *("cocked_dice", "irregularities", "disputes"),
)
"""The statements that the rules print, in the maker's own words, each as a section."""
MAX_STATES = 60_000
"""The most states of a dossier: 46,656 take 32 s of a processor, half of it for the vectors."""
MAX_EXAMPLES = 120
"""The most results worked per bet; the test vectors have all."""
SubjectT = TypeVar("SubjectT", Subject, TurnSubject)

FolderFile = tuple[str, Callable[[], bytes]]
"""The name of a file, and what makes it."""


@dataclass(frozen=True, eq=False)
class DossierContent(ABC, Generic[SubjectT]):
    """What a dossier of any game is made from.

    Attributes:
        subject: the solved game and its declaration.
        command: its name on the command line, in the folder.
        date: in print; the clock is never read.
        game_file: the bytes of the game file, if it is from one.
        games: the number of games in the simulation.
        seed: the seed of the simulation and of the test vectors.
        fonts: a folder of fonts, for characters missing from the PDF's own.
        paper: "a4" or "letter".
        offices: the signatories; maker, author and laboratory if not given.
        sources: the files of a game that is a program: names and bytes.
        options: the command's options, to make the folder again.
        picture: the maker's own picture of the layout, its name and bytes; else it is drawn.

    Raises:
        PageError: another size of paper.
    """

    subject: SubjectT
    command: str = ""
    date: str = ""
    game_file: bytes = b""
    games: int = 1_000_000
    seed: int = 1
    fonts: Path | None = None
    paper: Paper = "a4"
    offices: tuple[str, ...] = ()
    sources: tuple[tuple[str, bytes], ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    picture: tuple[str, bytes] | None = None

    def __post_init__(self) -> None:
        check_paper(self.paper)

    @property
    def declared(self) -> GameFile:
        """Everything that the maker states."""
        return self.subject.declared

    @property
    def game(self) -> Game:
        """The rules."""
        return self.subject.declared.game

    @property
    def bets(self) -> tuple[str, ...]:
        """The bets of the game; one of turns has none."""
        return ()

    @property
    def title(self) -> str:
        """The name of the game in print."""
        return self.declared.name

    @property
    @abstractmethod
    def identity(self) -> tuple[str, str]:
        """The name and value of the game's identifier, such as its fingerprint."""

    @abstractmethod
    def papers(self) -> Iterator[FolderFile]:
        """The files of the folder apart from the declaration, the options and the hashes."""

    @property
    def author(self) -> str:
        """The author of a PDF: that of the mathematics, or else the maker."""
        return self.declared.author or self.declared.maker

    @property
    def provenance(self) -> list[tuple[str, str]]:
        """Whether the game is new, its patents, and other jurisdictions, as far as stated."""
        texts = {
            "origin": self.declared.origin,
            "patents": self.declared.patents,
            "other jurisdictions": self.declared.jurisdictions,
        }
        return [(name, " ".join(text.split())) for name, text in texts.items() if text]

    @cached_property
    def declaration(self) -> bytes:
        """The declaration's canonical text."""
        return canonical_text(self.declared, self.sources).encode()

    @property
    def digest(self) -> str:
        """The SHA-256 of the declaration, which stands on every page."""
        return sha256(self.declaration).hexdigest()

    @property
    def foot(self) -> str:
        """The foot of every page: version, date, and the declaration's hash."""
        digest = f"declaration, SHA-256 {self.digest}"
        return " · ".join(filter(None, [f"Version {self.declared.version}", self.date, digest]))

    def page(
        self, subtitle: str, *blocks: Block, facts: list[tuple[str, str]] | None = None
    ) -> Page:
        """A paper, with its title block and its foot."""
        return Page(
            self.title,
            *blocks,
            subtitle=subtitle,
            facts=[*makers_of(self.declared), ("version", self.declared.version), *(facts or [])],
            date=self.date,
            author=self.author,
            foot=self.foot,
        )

    def pdf(self, name: str, page: Page) -> FolderFile:
        """A paper as a PDF."""
        return f"{name}.pdf", partial(page.pdf, self.fonts, self.paper)

    def layout_files(self) -> Iterator[FolderFile]:
        """The layout, drawn or the maker's own, which is in the folder as it is too."""
        if self.picture is not None or 0 < len(self.bets) <= MAX_BETS:
            yield "layout.pdf", lambda: layout(self)
        if self.picture is not None:
            name, picture = self.picture
            yield name, lambda: picture

    def procedures(self) -> list[Page]:
        """The maker's procedure, and the layout in words if there is no picture of it."""
        pages = []
        for key in PROCEDURES:
            title = STATEMENTS[key].removeprefix("the dealing ").capitalize()
            if text := getattr(self.declared, key):
                pages.append(Page(title, *prose(text)))
        if self.declared.layout and self.picture is None:
            pages.append(Page("Layout", *prose(self.declared.layout)))
        return pages

    def not_covered(self) -> str:
        """What the declaration does not state, and what the figures leave out."""
        declared = self.declared
        stated = {
            "the maker": declared.maker,
            "the limits of every bet": all(map(declared.limits_of, self.bets)),
            **{words: getattr(declared, key) for key, words in STATEMENTS.items()},
        }
        missing = [statement for statement, value in stated.items() if not value]
        texts = [f"The declaration does not state {word_list(missing)}."] if missing else []
        texts.append(
            "The figures do not cover late bets, errors of dealing or payment, cheating or "
            "defective equipment."
        )
        if any(bet in declared.progressives for bet in self.bets):
            texts.append(
                "They are those of one bettor: the mathematics has the edge if several bettors on "
                "the same roll share an award, or are each paid all of it."
            )
        return " ".join(texts)

    def stated_files(self) -> Iterator[FolderFile]:
        """The declaration and the files that it is based on."""
        yield DECLARATION, lambda: self.declaration
        for name, source in self.sources:
            yield name, partial(bytes, source)
        if self.game_file:
            yield GAME_FILE, lambda: self.game_file

    def checking(self, claims: str = "") -> Page:
        """How to check the folder, with commands that work in it as printed.

        `claims` says what the certificate proves; empty for a folder without one.
        """
        checks = {f"sha256sum -c {SUMS}": "checks the files against their hashes."}
        # of a folder that was written from Python, no command is known that makes it again
        if self.command:
            again = "checks the folder: it makes every file again from the declaration."
            checks["sevenout dossier --check ."] = again
        if claims:
            checks[f"python check.py {PROOF}"] = "checks the proof, with Python alone."
        if claims and self.command:
            compare = f"sevenout certify --check {PROOF} {self.command}"
            checks[compare] = "compares the proof with the rules."
        if self.command:
            answers = "checks answers to the test vectors, or a log of games."
            checks[f"sevenout test log {self.command} vectors.csv"] = answers
        lines = [Text(code(command), f" {what}") for command, what in checks.items()]
        return Page("How to check it", *lines, *([Text(claims)] if claims else []))


class WorkedResult(NamedTuple):
    """A result of a bet, with a game that ends in it.

    Attributes:
        result: the event, and the award if it wins one.
        at_risk: all the money on the table by then, in stakes.
        pays: the profit per unit at risk.
        example: the shortest such game, in words.
    """

    result: str
    at_risk: Fraction
    pays: Fraction
    example: str


@dataclass(frozen=True, eq=False)
class Dossier(DossierContent[Subject], SheetChoices):
    """The dossier of a game with bets; one with choices is played optimally.

    The choices are those of a sheet. If no policies are given to compare with optimal play, it is
    compared with "always" each option that is open everywhere.

    Attributes:
        volume: rounds per day, for what the monitoring rules detect.
        confidence: the least probability that a correct game raises no alarm in a year.

    Raises:
        PageError: a volume of no rounds, or a pace or paper that can't be.
    """

    volume: int = 10_000
    confidence: Number = "99%"

    def __post_init__(self) -> None:
        super().__post_init__()
        SheetChoices.__post_init__(self)
        if self.volume < 1:
            raise PageError(f"volume={shown(self.volume)}; give 1 round per day or more")

    @cached_property
    def book(self) -> Book:
        """The game as tables of moves."""
        return Book(self.game)

    @cached_property
    def vectors(self) -> Vectors:
        """The test vectors."""
        awards = {bet: tuple(award.rule.on) for bet, award in self.subject.awards.items()}
        return Vectors(self.book, awards=awards)

    @cached_property
    def tally(self) -> "Tally | None":
        """The simulation; None for no games."""
        return game_sheet.tally_of(self.subject, self.games, self.seed)

    @cached_property
    def proof(self) -> "ProofFile | None":
        """The certificate; None if the game is too large for one."""
        return self.subject.certificate(self.title)

    @cached_property
    def monitors(self) -> dict[str, Monitor]:
        """The monitors of the bets that can win or lose; they share the false alarms."""
        awards = self.subject.awards
        bets = [bet for bet in self.subject.bets if bet.variance or bet.name in awards]
        # Bonferroni: together the bets keep the stated confidence
        share = (1 - parse_confidence(self.confidence)) / max(1, len(bets))
        return {
            bet.name: monitor_of(bet, awards.get(bet.name), 1 - share, any_stakes=True)
            for bet in bets
        }

    @cached_property
    def simple_policies(self) -> Mapping[str, Policy]:
        """The given policies; else the same option everywhere, for each that is open everywhere."""
        optimum = self.subject.optimum
        # policies of the caller replace the automatic ones
        if optimum is None or self.policies:
            return self.policies
        # only a decision state has options
        menus = [menu for menu in optimum.model.menus if menu]
        policies = {}
        for name in menus[0]:
            if all(name in menu for menu in menus):
                policy = partial(_constant, name)
                with suppress(RulesError):  # a policy that ends the game before any roll
                    optimum.model.under(policy)
                    policies[f"always {name}"] = policy
        return policies

    @cached_property
    def simple_returns(self) -> list[tuple[str, Fraction]]:
        """The return of the first bet under each simple policy, against optimal play."""
        optimum = self.subject.optimum
        if optimum is None or not self.bets:
            return []
        from sevenout.solving import solve

        # of two players, one alone plays simply: if both did, the first might return more
        opponent = optimum.policy if optimum.opponent_clause else None
        returns = []
        for name, policy in self.simple_policies.items():
            chain = optimum.model.under(policy, opponent)
            returns.append((name, solve(chain).bet(self.bets[0]).rtp))
        return returns

    @property
    def identity(self) -> tuple[str, str]:
        return "fingerprint", self.subject.chain.fingerprint

    @property
    def bets(self) -> tuple[str, ...]:
        return self.subject.bet_names

    def papers(self) -> Iterator[FolderFile]:
        proof = self.proof
        yield self.pdf("submission", self.submission())
        yield self.pdf("rules", self.rules())
        yield self.pdf("mathematics", self.mathematics())
        yield from self.layout_files()
        yield "rack-card.pdf", lambda: rack_card(self)
        # a game without a bet that can win or lose has nothing to watch
        if self.monitors:
            yield self.pdf("monitoring", monitoring(self))
        yield "vectors.csv", lambda: self.vectors.csv().encode()
        if self.subject.awards:
            yield "meter.csv", bet_tables.meter_csv(self.subject).encode
        if proof is not None:
            yield PROOF, lambda: b"".join(proof.lines())
            yield "check.py", files("sevenout.certify").joinpath("check.py").read_bytes

    # --- the papers -----------------------------------------------------------------------------

    def submission(self) -> Page:
        """One page: every bet's figures, what is assumed, what is missing, signatures."""
        subject = self.subject
        blocks: list[Block] = []
        if subject.bets:
            blocks += self._figures_of_bets()
        elif subject.optimum is not None:
            goal = subject.optimum.goal.description
            value = DECIMAL(subject.optimum.value_with_bound)
            blocks.append(Text(f"{goal[:1].upper()}{goal[1:]}: {value}, played optimally."))
        if exposed := bet_tables.exposure(subject):
            blocks.append(Page("Exposure", *exposed))
        blocks.append(Page("Assumed", Text(" ".join(game_sheet.assumptions(subject)))))
        blocks.append(Page("Not covered", Text(self.not_covered()), *self.pays_compared()))
        claims = game_sheet.proved_figures(subject) if self.proof else ""
        blocks.append(self.checking(claims))
        blocks.append(signature_page(self.offices or OFFICES, self.declared.author))
        facts = [*self.provenance, ("rolled", word_list(equipment(subject.chain))), self.identity]
        facts.append(("figures", f"{subject.solution.status}, by sevenout {__version__}"))
        # a program has no game file; its files are in the declaration
        if self.game_file:
            facts.append(("game file, SHA-256", sha256(self.game_file).hexdigest()))
        return self.page("Submission", *blocks, facts=facts)

    def _figures_of_bets(self) -> list[Block]:
        """The figures of the bets, with their conventions."""
        subject = self.subject
        # only an award has a reset and an increment
        awarded = bool(subject.awards)
        parts = ["return: base", "return: reset", "increment"] if awarded else ["return"]
        columns = [
            "bet",
            Column("edge", PERCENT.with_digits(3)),
            Column("hits", PERCENT.with_digits(2)),
            *(Column(part, PERCENT.with_digits(2 if awarded else 3)) for part in parts),
            *bet_tables.SPREAD,
            Column("most paid", LABEL),
        ]
        rows = []
        for metrics in subject.metrics:
            result = metrics.counted_result
            split: tuple[Any, ...] = result.rtp, None, None
            if metrics.award:
                split = bet_tables.return_split(metrics.award)
            row = metrics.bet.name, result.edge, metrics.bet.p_win, *split[: len(parts)]
            rows.append((*row, *bet_tables.spread_of(metrics), self._most_paid(metrics)))
        with_award = ", in the long run with the award" if awarded else ""
        stated = all(subject.limits(bet.name).maximum is not None for bet in subject.bets)
        at_stake = " at its largest stake" if stated else ""
        note = (
            f"Edge, return and standard deviation are per unit staked, per bet made{with_award}. "
            "“Hits” is the frequency of a profit. VI is the volatility index. “Most paid” is the "
            f"most that the house pays on one bet{at_stake}."
        )
        return [Table(columns, rows), Text(note, tone="note")]

    def _most_paid(self, metrics: Metrics) -> str:
        """The most that the house pays on a bet, in money if its limits are stated."""
        currency = self.subject.currency
        scheduled = self.subject.max_scheduled(metrics.bet)
        meter_limit = metrics.award.law.limit if metrics.award else Fraction(0)
        # the meter comes on top of the schedule
        if scheduled is not None and meter_limit is not None:
            return bet_tables.money_to_pay(scheduled + meter_limit, currency)
        if scheduled is None:
            paid = quantity(scheduled_exposure(metrics.bet), "stake")
        else:
            paid = bet_tables.money_to_pay(scheduled, currency)
        return f"{paid} + the meter" if metrics.award else paid

    def pays_compared(self) -> list[Block]:
        """The pays in the maker's words beside those of the mathematics."""
        if not self.declared.rules:
            return [Text("There are no rules in words to compare with the mathematics.")]
        paid = {row.pays for bet in self.subject.bets for row in bet.table}
        paid |= {row.profit / row.risk for row in self.vectors.rows if row.risk}
        pays = pays_in_words(f"{self.declared.rules}\n{self.declared.procedure}")
        if not pays or not self.bets:
            return [Text("The words of the rules were not compared with the mathematics.")]
        wrong = [quote for quote, pay in pays if pay not in paid]
        if wrong:
            text = f"The rules say {quoted(wrong)}. No bet pays that."
            return [Text(text, tone="bad")]
        names = word_list(dict.fromkeys(odds(pay) for _, pay in pays))
        return [
            Text(
                f"The pays in the words of the rules ({names}) are pays of the mathematics. The "
                "other words of the rules were not compared with it."
            )
        ]

    def rules(self) -> Page:
        """The maker's rules, equipment, limits, procedure, and a worked example of each result."""
        subject, declared = self.subject, self.declared
        pages = [Page("Rules", *game_sheet.author_rules(subject)), self._equipment()]
        pages += bet_tables.award_pages(subject, figures=False)
        bets = [(bet, declared.limits_of(bet), declared.window_of(bet)) for bet in self.bets]
        if any(limits or window for _, limits, window in bets):
            timed = any(window for *_, window in bets)
            columns = ["bet", "limits", *(["when"] if timed else [])]
            pages.append(Page("Bets", Table(columns, [row[: len(columns)] for row in bets])))
        pages += self.procedures()
        if self.bets:
            pages.append(self.worked_results())  # last, since it may take pages
        else:
            pages.append(game_sheet.rules(subject, self.seed))
        return self.page("Rules of play", *pages)

    def _equipment(self) -> Page:
        """What is rolled in the mathematics, and the specifications that the maker states."""
        sources = equipment(self.subject.chain)
        words = word_list(sources)
        blocks: list[Block] = [Text(f"{words[:1].upper()}{words[1:]}.")]
        blocks += prose(self.declared.equipment)
        wheels = wheels_of(self.subject.chain, self.declared.segments)
        blocks += [wheel.picture for wheel in wheels]
        return Page("Equipment", *blocks)

    def worked_results(self) -> Page:
        """What wins, loses and pushes: each result of each bet, with the shortest game to it."""
        by_bet: dict[str, list[WorkedResult]] = {}
        for row, number in self.vectors.rows.items():
            example = replayed(self.book, self.book.read(self.vectors[number].rolls).moves)
            stake = self.book.model.stake(row.bet)
            award = ", and the award" if self.vectors.wins_award(row.bet, row.event) else ""
            worked = WorkedResult(
                row.event + award, row.risk / stake, row.profit / (row.risk or 1), example.in_words
            )
            by_bet.setdefault(row.bet, []).append(worked)
        printed: list[tuple[str, WorkedResult]] = []
        for bet in self.bets:
            by_pay = sorted(by_bet.get(bet, []), key=lambda worked: -worked.pays)
            # the name of a bet stands beside its first row only
            names = [bet, *[""] * (MAX_EXAMPLES - 1)]
            printed += zip(names, by_pay, strict=False)
        note = "For each result of each bet, the shortest game that ends in it."
        note += game_sheet.arrow_note(w.example for _, w in printed) + " Pays are per unit at risk."
        if omitted := sum(map(len, by_bet.values())) - len(printed):
            note += f" {omitted:,} more results are in the test vectors."
        columns = ["bet", "result", Column("pays", ODDS), "a game that ends in it"]
        rows: list[list[Any]] = [[name, w.result, w.pays, w.example] for name, w in printed]
        # without added bets all that is at risk is the stake, and the column would say nothing
        if any(w.at_risk != 1 for _, w in printed):
            columns.insert(2, Column("at risk", AMOUNT))
            for row_cells, (_, worked) in zip(rows, printed, strict=True):
                row_cells.insert(2, worked.at_risk)
            note += " “At risk” is all the money on the table by then, in stakes."
        meanings = event_glossary((w.result for _, w in printed), dice_count(self.game))
        return Page(
            "What wins, loses and pushes",
            Table(columns, rows),
            *([Text(" ".join(meanings))] if meanings else []),
            Text(note, tone="note"),
        )

    def mathematics(self) -> Page:
        """The method and every figure."""
        choices = replace(self, policies=self.simple_policies)
        pages = game_sheet.mathematics(self.subject, choices, self.tally, self.seed)
        pages.append(game_sheet.sources(self.subject, self.proof))
        return self.page("Mathematics", *pages, facts=game_sheet.facts(self.subject))


def _constant(option: str, *state: Any) -> str:
    """A policy that takes the same option in every state."""
    return option


@dataclass(frozen=True, eq=False)
class TurnDossier(DossierContent[TurnSubject]):
    """The dossier of a game of turns, played optimally."""

    @property
    def optimum(self) -> "TurnOptimum":
        """Optimal play."""
        return self.subject.optimum

    @cached_property
    def simulation(self) -> "SimulatedScores | None":
        """The simulation; None for no games."""
        return self.optimum.simulate(self.games, self.seed) if self.games else None

    @cached_property
    def vectors(self) -> TurnVectors:
        """The test vectors."""
        return TurnVectors(self.optimum)

    @property
    def identity(self) -> tuple[str, str]:
        return turn_sections.RULES_HASH, self.optimum.rules_sha256

    @cached_property
    def declaration(self) -> bytes:
        """The canonical text, with the hash of the rules as integers."""
        return canonical_text(self.declared, self.sources, self.optimum.rules_sha256).encode()

    def papers(self) -> Iterator[FolderFile]:
        optimum = self.optimum
        yield self.pdf("submission", self.submission())
        rules = turn_sections.rules(optimum, self.declared.rules, self.seed)
        text = self.declared.equipment
        stated = [*([Page("Equipment", *prose(text))] if text else []), *self.procedures()]
        worked = turn_sections.worked_entries(optimum)
        yield self.pdf("rules", self.page("Rules of play", rules, *stated, worked))
        pages = turn_sections.mathematics(optimum, self.simulation, self.seed)
        pages.append(turn_sections.sources(self.subject.source))
        facts = turn_sections.facts(optimum)
        yield self.pdf("mathematics", self.page("Mathematics", *pages, facts=facts))
        yield from self.layout_files()
        yield "vectors.csv", lambda: self.vectors.csv().encode()
        yield "scores.csv", lambda: self.vectors.scores().encode()

    def submission(self) -> Page:
        """One page: the score, what is assumed, signatures."""
        optimum = self.optimum
        rows = [
            (optimum.goal.description, optimum.value_with_bound),
            ("standard deviation", optimum.law.std),
            ("mean under greedy play", optimum.greedy.law.mean_with_bound),
        ]
        cards = f"{optimum.card_count:,} score cards, {optimum.state_count:,} with their totals."
        return self.page(
            "Submission",
            Table(["", Column("of the score", DECIMAL)], rows),
            Text(cards),
            Page("Assumed", Text(turn_sections.assumptions(optimum))),
            Page("Not covered", Text(self.not_covered())),
            self.checking(),
            signature_page(self.offices or OFFICES, self.declared.author),
            facts=[*self.provenance, self.identity, ("computed by", f"sevenout {__version__}")],
        )


def check_size(game: Game) -> None:
    """Refuse a game whose test vectors would take minutes, before it is solved.

    Raises:
        TooManyStatesError: more states than a dossier lists.
    """
    if isinstance(game, ByTurns):
        return  # its vectors are drawn, not listed
    try:
        explore(game, MAX_STATES)
    except TooManyStatesError:
        raise TooManyStatesError(
            f"the dossier's test vectors make every roll and choice of every state, and the game "
            f"has more than {MAX_STATES:,} states; `sevenout sheet` prints its mathematics"
        ) from None


# --- the folder -----------------------------------------------------------------------------------


def write_dossier(content: DossierContent[Any], output: str | os.PathLike[str]) -> Path:
    r"""Write a dossier into a folder, which is new, empty, or an older dossier of the game.

    >>> from tempfile import TemporaryDirectory
    >>> from sevenout.catalogue import games
    >>> from sevenout.papers.subject import subject_of
    >>> craps = subject_of(games.entry("craps"))
    >>> with TemporaryDirectory() as folder_name:
    ...     made = write_dossier(Dossier(craps, games=0, volume=100), Path(folder_name, "new"))
    ...     len(list(made.iterdir())), (made / "SHA256SUMS").read_text().count("\n")
    (12, 11)

    Raises:
        FileError: the folder holds something else or another game's dossier, or can't be written.
    """
    with new_folder(output, partial(may_replace, content=content)) as path:
        hashes: dict[str, str] = {}
        for name, make in (*content.papers(), *content.stated_files()):
            data = make()
            (path / name).write_bytes(data)
            hashes[name] = sha256(data).hexdigest()
        description = {
            "format": FORMAT,
            "version": VERSION,
            "game": content.title,
            content.identity[0]: content.identity[1],
            "declaration": content.digest,
            "software": f"sevenout {__version__}",
            "command": content.command,
            "options": dict(content.options),
        }
        # the options come last, since their hash is listed too
        data = (json.dumps(description, indent=1, ensure_ascii=False) + "\n").encode()
        (path / OPTIONS).write_bytes(data)
        hashes[OPTIONS] = sha256(data).hexdigest()
        lines = (f"{digest}  {name}\n" for name, digest in sorted(hashes.items()))
        (path / SUMS).write_text("".join(lines), encoding="utf-8", newline="\n")
    return Path(output)


def may_replace(path: Path, content: DossierContent[Any]) -> bool:
    """Whether a folder holds only an older dossier of the game.

    Raises:
        FileError: it is another game's dossier, by title and fingerprint.
    """
    try:
        sums = (path / SUMS).read_text(encoding="utf-8").splitlines()
        data = json.loads((path / OPTIONS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    # a file that no dossier wrote is never overwritten
    listed_files = {line.partition("  ")[2] for line in sums} | {SUMS}
    names = {path.name for path in path.iterdir()}
    if not (isinstance(data, dict) and data.get("format") == FORMAT and names <= listed_files):
        return False
    name, value = content.identity
    if content.title != data.get("game") and value != data.get(name):
        other = printable(str(data.get("game")), 60)
        raise FileError(
            f"can't write {shown_path(path)}: it holds the dossier of another game, {other}; name "
            "another folder"
        )
    return True
