"""The content of a dossier: a solved game, and its maker's statements."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sevenout import __version__
from sevenout.documents import Block, Page, Paper, Picture
from sevenout.errors import RulesError
from sevenout.model import Policy
from sevenout.numerals import Number
from sevenout.papers.canonical_text import canonical_text, declared_of, with_limits
from sevenout.papers.subject import Subject
from sevenout.rules import Game
from sevenout.verify import Book, Vectors
from sevenout.verify.counts import confidence_of
from sevenout.verify.monitoring import Monitor, monitor_of

if TYPE_CHECKING:
    from sevenout.rules.gamefiles.gamefile import GameFile
    from sevenout.simulation import Tally


S = TypeVar("S")


@dataclass(frozen=True, eq=False)
class DossierContent(ABC, Generic[S]):
    """The content of any dossier, for games with bets and games of turns.

    Attributes:
        command: its name on the command line.
        version: the maker's version of the rules; the file's, or 1, if not given.
        date: in print; the clock is never read.
        games: the number of games in the simulation.
        seed: the seed of the simulation and of the test vectors.
        fonts: a folder of fonts, for characters missing from the PDF's own.
        paper: "a4" or "letter".
        made_by: the maker, if the file has none.
        worked_by: the author of the mathematics, if the file has none.
        stated_limits: the limits of every bet that has none in the file.
        offices: the signatories; maker, author and laboratory if not given.
        sources: the files of a game that is a program: names and bytes.
    """

    subject: S
    title: str
    command: str = ""
    version: str = ""
    date: str = ""
    file: "GameFile | None" = None
    text: bytes = b""
    games: int = 1_000_000
    seed: int = 1
    fonts: Path | None = None
    paper: Paper = "a4"
    made_by: str = ""
    worked_by: str = ""
    stated_limits: str = ""
    offices: tuple[str, ...] = ()
    sources: tuple[tuple[str, bytes], ...] = ()
    written_by: str = ""

    def __post_init__(self) -> None:
        if not self.version:
            object.__setattr__(self, "version", (self.file and self.file.version) or "1")

    @property
    @abstractmethod
    def game(self) -> Game:
        """The rules."""

    @property
    @abstractmethod
    def identity(self) -> tuple[str, str]:
        """The name and value of the game's identifier, such as its fingerprint."""

    @property
    @abstractmethod
    def words(self) -> str:
        """The author's rules in words."""

    @property
    @abstractmethod
    def bets(self) -> tuple[str, ...]:
        """The bets of the game."""

    @property
    def maker(self) -> str:
        return self.made_by or (self.file.maker if self.file else "")

    @property
    def author(self) -> str:
        return self.worked_by or (self.file.author if self.file else "")

    @property
    def said_by(self) -> list[tuple[str, str]]:
        named = [("maker", self.maker), ("author", self.author)]
        return [(name, said) for name, said in named if said]

    @property
    def hashes(self) -> list[tuple[str, str]]:
        """The hash of the declaration, the game file and each source, as `sha256sum` prints
        them.
        """
        held = [("declaration", self.declaration), ("game file", self.text), *self.sources]
        return [(f"{name}, SHA-256", sha256(text).hexdigest()) for name, text in held if text]

    @cached_property
    def declared(self) -> "GameFile":
        said: dict[str, Any] = {"maker": self.maker, "author": self.author, "version": self.version}
        found = declared_of(self.game, self.title, self.file, rules=self.words, **said)
        return with_limits(found, self.bets, self.stated_limits) if self.stated_limits else found

    @cached_property
    def declaration(self) -> bytes:
        """The declaration's canonical text."""
        return canonical_text(self.declared, self.sources).encode()

    @property
    def digest(self) -> str:
        return sha256(self.declaration).hexdigest()

    def facts(self, **more: str) -> list[tuple[str, str]]:
        """The title block of every paper."""
        return [
            *self.said_by,
            ("version", self.version),
            self.identity,
            *self.hashes,
            *more.items(),
            ("computed by", f"sevenout {__version__}"),
        ]

    def page(self, kind: str, *blocks: Block, **more: Any) -> Page:
        return Page(
            self.title,
            *blocks,
            subtitle=kind,
            facts=self.facts(**more),
            date=self.date,
            author=self.author or self.maker,
        )


@dataclass(frozen=True, eq=False)
class Matter(DossierContent[Subject]):
    """The dossier's content of a game with bets; one with choices is played optimally.

    Attributes:
        policies: simple policies to compare with optimal play, by name.
        bankroll: the bankroll of an evening, in stakes.
        rounds: the number of bets in an evening.
        pace: rolls per hour.
        volume: bets per day, for the false-alarm rate of the monitoring rules.
        confidence: the least probability that a correct game raises no alarm in a year.
        picture: the maker's own picture of the layout, its name and bytes; else it is drawn.
        asked: further sections of the sheet, as `sheet` takes them.
    """

    policies: Mapping[str, Policy] = field(default_factory=dict)
    bankroll: Number = 100
    rounds: int = 200
    pace: Number = 100
    volume: int = 10_000
    confidence: Number = "99%"
    picture: tuple[str, bytes] | None = None
    asked: tuple[Callable[[Subject], Page], ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        declared = dict(self.file.progressives) if self.file else {}
        lost = [bet for bet in declared if self.subject.progressives.get(bet) != declared[bet]]
        if lost and {*lost} & {*self.subject.names}:
            raise RulesError(
                f"the file declares a progressive award of {lost[0]}, and the subject does not; "
                "give subject_of(file)"
            )

    @property
    def game(self) -> Game:
        return self.subject.game

    @cached_property
    def book(self) -> Book:
        return Book(self.game)

    @cached_property
    def vectors(self) -> Vectors:
        awards = {bet: tuple(award.rule.on) for bet, award in self.subject.awards.items()}
        return Vectors(self.book, awards=awards)

    @cached_property
    def felt(self) -> Picture:
        from sevenout.papers.dossier.felt_layout import layout

        return Picture(lambda: layout(self, "svg").decode(), f"Layout of {self.title}")

    @cached_property
    def tally(self) -> "Tally":
        from sevenout.simulation import simulate

        return simulate(self.subject.chain, self.games, self.seed)

    @cached_property
    def monitors(self) -> dict[str, Monitor]:
        """The monitors of the bets that can win or lose; they share the false alarms."""
        awards = self.subject.awards
        bets = [bet for bet in self.subject.bets if bet.variance or bet.name in awards]
        share = (1 - confidence_of(self.confidence)) / max(1, len(bets))
        return {bet.name: monitor_of(bet, awards.get(bet.name), 1 - share) for bet in bets}

    @property
    def identity(self) -> tuple[str, str]:
        """The name and value of the game's identifier, such as its fingerprint."""
        return "fingerprint", self.subject.chain.fingerprint

    @property
    def words(self) -> str:
        return self.subject.text

    @property
    def bets(self) -> tuple[str, ...]:
        return self.subject.names

    def limits(self, bet: str) -> str:
        """The limits of a bet and its highest payment, in words; empty if not declared."""
        return self.declared.limits_of(bet)

    def window(self, bet: str) -> str:
        """When a bet may be made and taken down, in words; empty if not declared."""
        return self.file.window_of(bet) if self.file else ""
