"""`sevenout dossier`: the folder for a test laboratory and a regulator."""

from pathlib import Path
from shlex import join
from typing import Annotated, Any

from sevenout.cli.commands.sheet_command import check_date
from sevenout.cli.options import (
    Amount,
    Asks,
    Count,
    Date,
    Fonts,
    GameName,
    Games,
    OutputFolder,
    Paper,
    Rules,
    Seed,
    Title,
    Version,
    counts,
    options_given,
)
from sevenout.cli.out import console
from sevenout.errors import NotationError
from sevenout.questions.named_policies import policies_of, wish_of
from sevenout.questions.subjects import find_game
from sevenout.rules import ByTurns
from sevenout.rules.gamefiles.python_file import sources_of


def dossier(
    game: GameName,
    /,
    *,
    output: OutputFolder | None = None,
    title: Title | None = None,
    date: Date = "",
    version: Version | None = None,
    maker: str = "",
    author: str = "",
    limits: str = "",
    sign: str = "",
    games: Games = 1_000_000,
    seed: Seed = 1,
    bankroll: Amount = "100",
    rounds: Annotated[int, counts(most=100_000)] = 200,
    pace: Count = 100,
    volume: Annotated[int, counts(most=10**9)] = 10_000,
    confidence: str = "99%",
    fonts: Fonts | None = None,
    paper: Paper = "a4",
    ask: Asks = (),
    **rules: Rules,
) -> None:
    """Write the dossier of a game: sheet, rack card, worked rules, monitoring, test vectors, proof.

    The folder has an index with the SHA-256 of each file. The same game, options and seed give the
    same bytes. The folder must be new, empty, or an earlier dossier of the same game.

    Parameters
    ----------
    output
        The folder to write.
    maker
        The maker of the game.
    author
        The author of the mathematics.
    limits
        The table limits to print for bets whose game file gives none: "5 to 500".
    sign
        The roles of the signatories, separated by commas. The default is maker,author,laboratory.
    games
        The number of games in the simulation: 1e8, 10_000. Write 0 for no simulation.
    seed
        The seed of the simulation.
    bankroll
        The bankroll of a session, in stakes.
    rounds
        The number of bets in a session.
    pace
        Rolls per hour.
    volume
        Bets per day, for the false-alarm rate of the monitoring rules.
    confidence
        The minimum probability that a correct game raises no alarm in a year.
    """
    given = locals()
    if output is None:
        raise NotationError("no folder to write to; give -o FOLDER")
    check_date(date)
    from sevenout.documents.artwork import read_picture
    from sevenout.files import read_bytes
    from sevenout.papers.dossier import GAME_FILE, Matter
    from sevenout.papers.dossier import dossier as make
    from sevenout.papers.sheet import subject_of
    from sevenout.questions.section import section

    chosen = find_game(game, rules, files=True)
    name = chosen.file.picture if chosen.file else ""
    picture = (name, read_picture(Path(game).parent / name)) if name else None
    options = [word for key, value in rules.items() for word in (f"--{key}", str(value))]
    words = [*options_given(dossier, given, "output", "ask")]
    words += [word for each in ask for word in ("--ask", each)]
    sources = sources_of(game)
    named = GAME_FILE if chosen.file else Path(game).name if sources else game
    stated: dict[str, Any] = {
        "made_by": maker,
        "worked_by": author,
        "stated_limits": limits,
        "offices": tuple(filter(None, map(str.strip, sign.split(",")))),
        "sources": sources,
        "written_by": join(["sevenout", "dossier", named, "-o", "FOLDER", *words, *options]),
    }
    if isinstance(chosen.game, ByTurns):
        if ask:
            raise NotationError("--ask does not work for a game of turns; leave it out")
        from sevenout.papers.dossier.turn_dossier import TurnMatter, turn_dossier
        from sevenout.solving.optimal_play import best

        optimum = best(chosen.game, **wish_of(chosen, None))
        turns = TurnMatter(
            optimum,
            title or chosen.title,
            join([game, *options]),
            rules=chosen.text,
            source=chosen.source,
            version=version or "1",
            date=date,
            games=games,
            seed=seed,
            fonts=fonts,
            paper=paper,
            **stated,
        )
        _told(output, turn_dossier(turns, output))
        return
    subject = subject_of(
        chosen.file or chosen.game,
        rules=chosen.text,
        source=chosen.source,
        goal=wish_of(chosen, None),
    )
    matter = Matter(
        subject,
        title or chosen.title,
        join([GAME_FILE if chosen.file else game, *options]),
        version=version or (chosen.file.version if chosen.file else "") or "1",
        date=date,
        file=chosen.file,
        text=read_bytes(game) if chosen.file else b"",
        policies=policies_of(chosen),
        games=games,
        seed=seed,
        bankroll=bankroll,
        rounds=rounds,
        pace=pace,
        volume=volume,
        confidence=confidence,
        fonts=fonts,
        paper=paper,
        picture=picture,
        asked=tuple(map(section, ask)),
        **stated,
    )
    _told(output, make(matter, output))


def _told(output: Path, place: Path) -> None:
    many = sum(1 for _ in place.iterdir())
    console().print(
        f"{output}: {many} files; in it, `sha256sum -c SHA256SUMS` checks them",
        soft_wrap=True,
    )
