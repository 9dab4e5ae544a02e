"""`sevenout sheet` and `sevenout dossier`: the papers of a game."""

from collections.abc import Mapping
from dataclasses import replace
from inspect import signature
from pathlib import Path
from shlex import join, split
from typing import TYPE_CHECKING, Annotated, Any, Literal

from sevenout.cli.options import (
    Amount,
    Author,
    Bets,
    Count,
    Date,
    Fonts,
    GameName,
    Games,
    Json,
    Maker,
    OutputFolder,
    Outputs,
    Paper,
    Plot,
    Rules,
    Sections,
    Seed,
    Title,
    Version,
    form_parameter,
    refuse_unread,
)
from sevenout.cli.out import console, print_json, render_documents
from sevenout.errors import NotationError, shown
from sevenout.model import has_choices
from sevenout.questions.arguments import whole_number
from sevenout.questions.policies import (
    BEST,
    game_under_policies,
    objective_arguments,
    simple_policies,
)
from sevenout.questions.subjects import GameSubject, find_game
from sevenout.rules import ByTurns
from sevenout.rules.gamefiles.python_file import sources_of

if TYPE_CHECKING:
    from sevenout.documents import Page
    from sevenout.solving import Solution
    from sevenout.verify import Conformity


PictureName = Literal["pays", "rolls", "returns", "bias", "sensitivity", "bankroll"]


OPTIONS_BY_PICTURE: dict[PictureName, tuple[str, ...]] = {
    "pays": ("bet",),
    "rolls": (),
    "returns": ("bet",),
    "bias": ("bet",),
    "sensitivity": (),
    "bankroll": ("bet", "bankroll", "amount", "bets"),
}
"""The options of `sheet` that each picture reads, besides the game's own."""
PAGE_OPTIONS = ("output", "json", "date", "fonts", "paper")
"""The options of `sheet` about the page itself."""
BET_OPTIONS = ("bankroll", "bets", "pace", "ask")
"""The options about bets, which a game of turns has none of."""


def sheet(
    game: GameName | None = None,
    /,
    *,
    output: Outputs = (),
    bet: Bets = (),
    title: Title | None = None,
    date: Date = "",
    version: Version = "",
    maker: Maker = "",
    author: Author = "",
    limits: str = "",
    sign: str = "",
    games: Games = 1_000_000,
    census: str | None = None,
    seed: Seed = 1,
    plot: Plot | None = None,
    picture: PictureName = "pays",
    fonts: Fonts | None = None,
    paper: Paper = "a4",
    bankroll: Amount = "100",
    amount: Amount = "1",
    bets: Count = 200,
    pace: Count = 100,
    ask: Sections = (),
    json: Json = False,
    **rules: Rules,
) -> None:
    """Write the math sheet of a game: rules, return tables, every figure, and a simulation to check
    them.

    Parameters
    ----------
    limits
        The table limits of bets whose game file gives none: "5 to 500", "$5 to $50".
    sign
        The roles of the signatories, separated by commas: author,laboratory. Each gets a line on
        the last page.
    census
        Instead of a game, print a one-page census of all craps variants over these dice, such as
        2d6.
    seed
        The seed of the worked rounds and the simulation. The same seed gives the same bytes.
    plot
        Save one picture to this file: .png, .svg or .pdf.
    picture
        The picture: the distribution of the pays or of the rolls, the return by event, the edge
        against a bias, the sensitivity of all bets, or the bankroll of a session.
    bankroll
        The player's bankroll in the session.
    amount
        The stake of each bet of the session, in the units of the bankroll.
    bets
        The number of bets in the session.
    pace
        Rolls per hour, for the expected loss per hour.
    """
    arguments = locals()
    if not (output or plot or json):
        raise NotationError("no file to write to; give -o NAME.pdf (or .html, .json), or --json")
    check_date(date)
    from sevenout.files import write

    files: list[tuple[Path, bytes]] = []
    page: Page | None = None
    if census is not None:
        refuse_unread(sheet, arguments, "--census", ["census", *PAGE_OPTIONS])
        from sevenout.papers import family_page

        page = family_page(census, date=date)
    else:
        _check_picture(arguments)
        subject = find_game(game, rules, files=True)
        for name in bet:
            subject.refuse_bet(name)
        if isinstance(subject.game, ByTurns):
            for_bets = {*BET_OPTIONS, "amount", "plot", "picture"}
            read_for_turns = signature(sheet).parameters.keys() - for_bets
            refuse_unread(sheet, arguments, "a game of turns", read_for_turns)
    if plot is not None:
        from sevenout.papers.picture_style import render

        session = {"bankroll": bankroll, "amount": amount, "bets": bets}
        drawn = _make_picture(picture, subject, bet[0] if bet else None, session)
        files.append((plot, render(drawn, plot.suffix.lower().lstrip("."))))
    if census is None and (output or json):
        from sevenout.papers import declaration
        from sevenout.papers import sheet as make
        from sevenout.questions.reference import section

        page = make(
            declaration(
                subject.file or subject.game,
                title or subject.title,
                limits=limits,
                rules=subject.rules_text,
                version=version,
                maker=maker,
                author=author,
            ),
            bets=bet or None,
            source=subject.source,
            date=date,
            simulate=games or None,
            seed=seed,
            goal=objective_arguments(subject, None),
            policies=simple_policies(subject),
            bankroll=bankroll,
            amount=amount,
            number_of_bets=bets,
            pace=pace,
            sections=tuple(map(section, ask)),
            signatures=_signatories(sign),
        )
    if page is not None:
        files += render_documents(page, output, fonts, paper)
    # Written last: a page that can't be set leaves no picture or other file behind.
    for path, content in files:
        write(path, content)
    if page is not None and json:
        print_json(page.to_dict())


def _check_picture(arguments: Mapping[str, Any]) -> None:
    """Refuse arguments of `sheet` that its picture, or its lack of one, does not read."""
    picture, plot, output = (arguments[name] for name in ("picture", "plot", "output"))
    if plot is None:
        if picture != "pays":
            raise NotationError(f"--picture {picture} is drawn to a file; give --plot FILE too")
        return
    if plot.resolve() in {path.resolve() for path in output}:
        raise NotationError(f"--plot and -o both write {plot}; name another file")
    options = OPTIONS_BY_PICTURE[picture]
    if not (output or arguments["json"]):
        read = ["game", "rules", "plot", "picture", *options]
        refuse_unread(sheet, arguments, f"--plot of {picture} without -o", read)
    if "bet" in options and len(arguments["bet"]) > 1:
        raise NotationError("--plot draws one bet; give --bet once")


def _signatories(text: str) -> tuple[str, ...]:
    """The roles of `--sign`."""
    return tuple(filter(None, map(str.strip, text.split(","))))


def check_date(date_text: str) -> None:
    """Refuse a text that is not a date.

    Raises:
        NotationError: not a date.
    """
    from datetime import date

    try:
        # `fromisoformat` reads other forms too, such as 20261120; papers print one form.
        is_date = not date_text or date.fromisoformat(date_text).isoformat() == date_text
    except ValueError:
        is_date = False
    if not is_date:
        raise NotationError(
            f"--date {shown(date_text)} is not a date; write one such as 2026-11-20"
        )


def _make_picture(
    picture: PictureName, subject: GameSubject, bet: str | None, session: dict[str, Any]
) -> Any:
    from sevenout.papers import plots
    from sevenout.solving import solve

    solution: Solution = solve(
        game_under_policies(subject, BEST if has_choices(subject.game) else None)
    )
    if picture == "rolls":
        return plots.roll_law(solution.distribution("rolls"))
    if picture == "sensitivity":
        return plots.sensitivity_map(solution)
    result = solution.bet(bet or subject.bet)
    if picture == "pays":
        return plots.pay_law(result)
    if picture == "returns":
        return plots.return_by_event(result)
    if picture == "bankroll":
        return plots.bankroll_fan(result, **session)
    return plots.edge_against_bias(plots.edge_curves(solution, result.name))


def dossier(
    game: GameName | None = None,
    /,
    *,
    output: OutputFolder | None = None,
    check: Path | None = None,
    title: Title | None = None,
    date: Date = "",
    version: Version | None = None,
    maker: Maker = "",
    author: Author = "",
    limits: str = "",
    declare: Path | None = None,
    sign: str = "",
    games: Games = 1_000_000,
    seed: Seed = 1,
    bankroll: Amount = "100",
    bets: Annotated[int, form_parameter(whole_number(1, 100_000))] = 200,
    pace: Count = 100,
    volume: Annotated[int, form_parameter(whole_number(1, 10**9))] = 10_000,
    confidence: str = "99%",
    fonts: Fonts | None = None,
    paper: Paper = "a4",
    ask: Sections = (),
    json: Json = False,
    **rules: Rules,
) -> int:
    """Write the dossier of a game: the papers, test vectors and proof for a test laboratory.

    The same game, options and seed give the same bytes. The folder must be new, empty, or an
    earlier dossier of the same game. With --check, a folder is checked instead: it is made again
    from its declaration, and every file is compared. A program in the folder is run for that. The
    exit code is 1 if a file differs.

    Parameters
    ----------
    output
        The folder to write.
    check
        Check this folder.
    limits
        The table limits to print for bets whose game file gives none: "5 to 500".
    declare
        A file that states maker, procedure, limits and awards of a game that is not a game file,
        in the form of the folder's declaration.toml.
    sign
        The roles of the signatories, separated by commas. The default is maker,author,laboratory.
    seed
        The seed of the simulation.
    bankroll
        The bankroll of a session, in stakes.
    bets
        The number of bets in a session.
    pace
        Rolls per hour.
    volume
        Rounds per day, for what the monitoring rules detect.
    confidence
        The minimum probability that a correct game raises no alarm in a year.
    json
        With --check, print the findings as JSON.
    """
    arguments = locals()
    if check is not None:
        refuse_unread(dossier, arguments, "--check", ["check", "json"])
        from sevenout.papers.folder_check import check_folder

        result = check_folder(check, _remake, _check_results)
        if json:
            print_json(result.to_dict())
        else:
            console().print(result.page())
        return int(not result.agrees)
    if json:
        raise NotationError("--json needs --check FOLDER; add it")
    if game is None and not rules:
        raise NotationError("no game; name one, such as craps or mine.toml")
    if output is None:
        raise NotationError("no folder to write to; give -o FOLDER")
    check_date(date)
    options = {
        key: str(value) if isinstance(value, Path) else value
        for key, value in arguments.items()
        if key in _stated_defaults() and value != _stated_defaults()[key]
    }
    content = _content(game, rules, options)
    from sevenout.papers.dossier import write_dossier

    folder = write_dossier(content, output)
    file_count = sum(1 for _ in folder.iterdir())
    console().print(
        f"{output}: {file_count} files; `sevenout dossier --check {output}` checks them",
        soft_wrap=True,
    )
    return 0


def _stated_defaults() -> dict[str, Any]:
    """The options that a folder states, with their defaults."""
    return {
        name: parameter.default
        for name, parameter in signature(dossier).parameters.items()
        if name not in ("game", "output", "check", "json", "rules")
    }


def _content(game: str | None, rules: Mapping[str, str], options: Mapping[str, Any]) -> Any:
    """The content of a dossier, from a game and the options that are not the defaults."""
    from sevenout.documents.artwork import read_picture
    from sevenout.files import read_bytes
    from sevenout.papers.dossier import DECLARATION, GAME_FILE, Dossier, TurnDossier, check_size
    from sevenout.papers.subject import TurnSubject, declaration, declared_bets, subject_of
    from sevenout.questions.reference import section
    from sevenout.rules.gamefiles.gamefile import read_statement

    values = _stated_defaults() | dict(options)
    subject = find_game(game, rules, files=True)
    declared, source = subject.file, Path(game or "")
    if values["declare"]:
        if subject.file:
            raise NotationError("--declare is for a game without a game file; leave it out")
        source = Path(values["declare"])
        declared = read_statement(source, subject.game, declared_bets(subject.game))
        declared = replace(declared, rules=declared.rules or subject.rules_text)
        # the folder's own declaration states the same, so `--check` makes the folder from that
        options = {**options, "declare": DECLARATION}
    picture_name = declared.picture if declared else ""
    picture = (picture_name, read_picture(source.parent / picture_name)) if picture_name else None
    sources = sources_of(game or "")
    game_word = Path(game or "").name if sources else game or ""
    if subject.file:
        game_word = GAME_FILE
    rule_words = [word for key, value in rules.items() for word in (f"--{key}", str(value))]
    declared = declaration(
        declared or subject.game,
        values["title"]
        or (declared.name if declared else _title_in_program(subject.game) or subject.title),
        rules="" if declared else subject.rules_text,
        version=values["version"],
        maker=values["maker"],
        author=values["author"],
        limits=values["limits"],
    )
    common: dict[str, Any] = {
        "command": join(filter(None, [game_word, *rule_words])),
        "date": values["date"],
        "games": values["games"],
        "seed": values["seed"],
        "fonts": None if values["fonts"] is None else Path(values["fonts"]),
        "paper": values["paper"],
        "offices": _signatories(values["sign"]),
        "sources": sources,
        "options": {**options, "rules": dict(rules)} if rules else dict(options),
        "picture": picture,
    }
    goal = objective_arguments(subject, None)
    if isinstance(subject.game, ByTurns):
        for name in ("volume", "confidence", *BET_OPTIONS):
            if name in options:
                raise NotationError(f"a game of turns does not read --{name}; leave --{name} out")
        from sevenout.solving.optimal_play import best

        optimum: Any = best(subject.game, **goal)
        return TurnDossier(TurnSubject(declared, optimum, subject.source), **common)
    check_size(subject.game)
    return Dossier(
        subject_of(declared, source=subject.source, goal=goal),
        game_file=read_bytes(game or "") if subject.file else b"",
        policies=simple_policies(subject),
        bankroll=values["bankroll"],
        number_of_bets=values["bets"],
        pace=values["pace"],
        volume=values["volume"],
        confidence=values["confidence"],
        sections=tuple(map(section, values["ask"])),
        **common,
    )


def _title_in_program(game: Any) -> str:
    """The title that a program gives its game; empty if none."""
    title = getattr(game, "title", "")
    return title if isinstance(title, str) else ""


def _game_of_folder(folder: Path, options: Mapping[str, Any]) -> tuple[str, dict[str, str]]:
    """The game of a folder and its rules: a file in it, or a name."""
    try:
        words = [*split(options["command"]), ""]
    except ValueError as error:
        raise NotationError(f"command {shown(options['command'])}: {error}") from None
    rules = options["options"].get("rules", {})
    if not isinstance(rules, dict) or not all(isinstance(text, str) for text in rules.values()):
        raise NotationError(f"rules {shown(rules)}; give a text by option")
    game = "" if words[0].startswith("--") else words[0]
    # only a file of the folder itself may be named
    path = folder / Path(game.partition(":")[0]).name
    return (str(folder / Path(game).name) if game and path.is_file() else game), rules


def _remake(folder: Path, options: dict[str, Any], output: Path) -> None:
    """Make a folder again from what it states."""
    from sevenout.papers.dossier import DECLARATION, write_dossier

    game, rules = _game_of_folder(folder, options)
    stated = {key: value for key, value in options["options"].items() if key != "rules"}
    if "declare" in stated:
        stated["declare"] = str(folder / DECLARATION)  # never another file, whatever is named
    _check_types(stated)
    write_dossier(_content(game or None, rules, stated), output)


def _check_types(options: Mapping[str, Any]) -> None:
    """Refuse an option that a folder can't state, or a value of another type than its default."""
    defaults = _stated_defaults()
    for name, value in options.items():
        default = defaults.get(name)
        kind = int if isinstance(default, int) else str
        items = value if isinstance(default, tuple) and isinstance(value, list) else [value]
        if name not in defaults or not all(type(item) is kind for item in items):
            raise NotationError(f"the option {shown(name)} is {shown(value)}; it is not one")


def _check_results(folder: Path, options: dict[str, Any], path: Path) -> "Conformity":
    """Compare vectors or a meter with the game of a folder."""
    from sevenout.verify import conform

    game, rules = _game_of_folder(folder, options)
    subject = find_game(game or None, rules, files=True)
    return conform(subject.game, path, awards=subject.awards)
