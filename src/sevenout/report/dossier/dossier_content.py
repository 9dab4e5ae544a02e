"""What a dossier is about: a game, solved, and what its maker says of it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sevenout import __version__
from sevenout.errors import RulesError
from sevenout.model import Policy
from sevenout.numerals import Number
from sevenout.page import Block, Page, Paper, Picture
from sevenout.report.canonical_text import canonical_text, declared_of, with_limits
from sevenout.report.subject import Subject
from sevenout.rules import Game
from sevenout.verify import Book, Vectors
from sevenout.verify.confidence import confidence_of
from sevenout.verify.metered import monitor_of
from sevenout.verify.monitoring import Monitor

if TYPE_CHECKING:
    from sevenout.rules.gamefiles.gamefile import GameFile
    from sevenout.simulate import Tally


S = TypeVar("S")


@dataclass(frozen=True, eq=False)
class DossierContent(ABC, Generic[S]):
    """What every dossier says: of a game with bets, and of a game of turns.

    Attributes:
        subject: the game, solved.
        title: its name in print.
        command: the game as it is named on the command line.
        version: of the rules, as the maker counts them; that of the file, or 1, if not given.
        date: in print; the clock is never asked.
        file: the game file, if it is from one.
        text: the bytes of that file.
        games: how many games the simulation plays.
        seed: of the simulation, and of the games rolled for the test vectors.
        fonts: a folder of fonts, for characters that those of the PDF lack.
        paper: of what is printed: "a4" or "letter".
        made_by: whose game it is, where the file doesn't say it.
        worked_by: who did the mathematics, where the file doesn't say it.
        stated_limits: what may be staked on every bet of which the file says nothing.
        offices: who signs; the maker, the author and the laboratory if not given.
        sources: of a game that is a program, its files: names and bytes.
        written_by: the command that writes this dossier.
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
        """What tells the game from others, and what that is called."""

    @property
    @abstractmethod
    def words(self) -> str:
        """The rules in the words of who wrote them."""

    @property
    @abstractmethod
    def bets(self) -> tuple[str, ...]:
        """The bets of the game."""

    @property
    def maker(self) -> str:
        """Whose game it is, where that is said."""
        return self.made_by or (self.file.maker if self.file else "")

    @property
    def author(self) -> str:
        """The author of the mathematics, if given."""
        return self.worked_by or (self.file.author if self.file else "")

    @property
    def said_by(self) -> list[tuple[str, str]]:
        """The maker of the game and the author of the mathematics, if given."""
        named = [("maker", self.maker), ("author", self.author)]
        return [(name, said) for name, said in named if said]

    @property
    def hashes(self) -> list[tuple[str, str]]:
        """The hash of the declaration, of the game file and of each source: what `sha256sum` prints
        of the files of the dossier.
        """
        held = [("declaration", self.declaration), ("game file", self.text), *self.sources]
        return [(f"{name}, SHA-256", sha256(text).hexdigest()) for name, text in held if text]

    @cached_property
    def declared(self) -> "GameFile":
        """All that is declared, by the game file and by anyone who writes the dossier."""
        said: dict[str, Any] = {"maker": self.maker, "author": self.author, "version": self.version}
        found = declared_of(self.game, self.title, self.file, rules=self.words, **said)
        return with_limits(found, self.bets, self.stated_limits) if self.stated_limits else found

    @cached_property
    def declaration(self) -> bytes:
        """The canonical text of all that is declared."""
        return canonical_text(self.declared, self.sources).encode()

    @property
    def digest(self) -> str:
        """The SHA-256 of the declaration."""
        return sha256(self.declaration).hexdigest()

    def facts(self, **more: str) -> list[tuple[str, str]]:
        """What stands in the title block of every paper."""
        return [
            *self.said_by,
            ("version", self.version),
            self.identity,
            *self.hashes,
            *more.items(),
            ("computed by", f"sevenout {__version__}"),
        ]

    def page(self, kind: str, *blocks: Block, **more: Any) -> Page:
        """A paper of the dossier."""
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
        policies: simple policies to compare with the best, by name.
        bankroll: of an evening, in stakes.
        rounds: bets in an evening.
        pace: rolls per hour.
        volume: bets a day, for the false-alarm rate of the monitoring rules.
        confidence: how likely, at least, a right game raises no alarm in a year.
        picture: the maker's own picture of the layout, its name and its bytes; else it is drawn.
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
        """The rules."""
        return self.subject.game

    @cached_property
    def book(self) -> Book:
        """Its moves."""
        return Book(self.game)

    @cached_property
    def vectors(self) -> Vectors:
        """Its test vectors."""
        awards = {bet: tuple(award.rule.on) for bet, award in self.subject.awards.items()}
        return Vectors(self.book, awards=awards)

    @cached_property
    def felt(self) -> Picture:
        """The layout, drawn."""
        from sevenout.report.dossier.felt_layout import layout

        return Picture(lambda: layout(self, "svg").decode(), f"Layout of {self.title}")

    @cached_property
    def tally(self) -> "Tally":
        """The simulation."""
        from sevenout.simulate import simulate

        return simulate(self.subject.chain, self.games, self.seed)

    @cached_property
    def monitors(self) -> dict[str, Monitor]:
        """The monitor of each bet that can be lost or won; they share the false alarms."""
        awards = self.subject.awards
        bets = [bet for bet in self.subject.bets if bet.variance or bet.name in awards]
        share = (1 - confidence_of(self.confidence)) / max(1, len(bets))
        return {bet.name: monitor_of(bet, awards.get(bet.name), 1 - share) for bet in bets}

    @property
    def identity(self) -> tuple[str, str]:
        """What tells the game from others, and what that is called."""
        return "fingerprint", self.subject.chain.fingerprint

    @property
    def words(self) -> str:
        """The rules in the words of who wrote them."""
        return self.subject.text

    @property
    def bets(self) -> tuple[str, ...]:
        """The bets of the game."""
        return self.subject.names

    def limits(self, bet: str) -> str:
        """What the house takes on a bet and pays at most, in words; empty if that is not said."""
        return self.declared.limits_of(bet)

    def window(self, bet: str) -> str:
        """When a bet may be made and taken down, in words; empty if that is not said."""
        return self.file.window_of(bet) if self.file else ""
