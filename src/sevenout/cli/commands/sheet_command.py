"""`sevenout sheet`: the math sheet as PDF, HTML or JSON; `--plot` saves one picture."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sevenout.cli.options import (
    Amount,
    Asks,
    Bets,
    Count,
    Date,
    Fonts,
    GameName,
    Games,
    Json,
    Outputs,
    Paper,
    Plot,
    Rules,
    Seed,
    Title,
    Version,
)
from sevenout.cli.out import documents, print_json
from sevenout.errors import NotationError, shown
from sevenout.model import has_choices
from sevenout.questions.named_policies import BEST, followed, policies_of, wish_of
from sevenout.questions.subjects import GameSubject, find_game
from sevenout.rules import ByTurns

if TYPE_CHECKING:
    from sevenout.documents import Page
    from sevenout.solving import Solution

PictureName = Literal["pays", "rolls", "returns", "bias", "sensitivity", "bankroll"]


def sheet(
    game: GameName | None = None,
    /,
    *,
    output: Outputs = (),
    bet: Bets = (),
    title: Title | None = None,
    date: Date = "",
    version: Version = "",
    maker: str = "",
    author: str = "",
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
    ask: Asks = (),
    json: Json = False,
    **rules: Rules,
) -> None:
    """Write the math sheet of a game: rules, return tables, every figure, and a simulation to check
    them.

    Parameters
    ----------
    maker
        The maker of the game.
    author
        The author of the mathematics.
    limits
        The table limits of bets whose game file gives none: "5 to 500", "$5 to $50".
    sign
        The roles of the signatories, separated by commas: author,laboratory. Each gets a line on
        the last page.
    games
        The number of games in the simulation: 1e8, 10_000. Write 0 for no simulation.
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
    if not (output or plot or json):
        raise NotationError("no file to write to; give -o NAME.pdf (or .html, .json), or --json")
    check_date(date)
    from sevenout.files import write

    files: list[tuple[Path, bytes]] = []
    page: Page | None = None
    if census is not None:
        if game is not None or rules or plot is not None:
            raise NotationError("--census takes no game, rules or --plot; leave them out")
        from sevenout.papers import family_page

        page = family_page(census, date=date)
    else:
        chosen = find_game(game, rules, files=True)
        for name in bet:
            chosen.refuse_bet(name)
        if ask and isinstance(chosen.game, ByTurns):
            raise NotationError("--ask does not work for a game of turns; leave it out")
    if plot is not None:
        from sevenout.papers.picture_style import render

        session = {"bankroll": bankroll, "stake": amount, "rounds": bets}
        drawn = _draw(picture, chosen, bet[0] if bet else None, session)
        files.append((plot, render(drawn, plot.suffix.lower().lstrip("."))))
    if census is None and (output or json):
        from sevenout.papers import declaration
        from sevenout.papers import sheet as make
        from sevenout.questions.section import section

        page = make(
            declaration(
                chosen.file or chosen.game,
                title or chosen.title,
                limits=limits,
                rules=chosen.text,
                version=version,
                maker=maker,
                author=author,
            ),
            bets=bet or None,
            source=chosen.source,
            date=date,
            simulate=games or None,
            seed=seed,
            goal=wish_of(chosen, None),
            policies=policies_of(chosen),
            bankroll=bankroll,
            stake=amount,
            rounds=bets,
            pace=pace,
            sections=tuple(map(section, ask)),
            signatures=tuple(filter(None, map(str.strip, sign.split(",")))),
        )
    if page is not None:
        if json:
            print_json(page.to_dict())
        files += documents(page, output, fonts, paper)
    for path, content in files:
        write(path, content)


def check_date(text: str) -> None:
    """Refuse a text that is not a date.

    Raises:
        NotationError: not a date.
    """
    from datetime import date

    try:
        good = not text or date.fromisoformat(text).isoformat() == text
    except ValueError:
        good = False
    if not good:
        raise NotationError(f"--date {shown(text)} is not a date; write one such as 2026-11-20")


def _draw(
    picture: PictureName, chosen: GameSubject, bet: str | None, session: dict[str, Any]
) -> Any:
    from sevenout.papers import plots
    from sevenout.solving import solve

    solution: Solution = solve(followed(chosen, BEST if has_choices(chosen.game) else None))
    if picture == "rolls":
        return plots.roll_law(solution.distribution("rolls"))
    if picture == "sensitivity":
        return plots.sensitivity_map(solution)
    shown = solution.bet(bet or chosen.bet)
    if picture == "pays":
        return plots.pay_law(shown)
    if picture == "returns":
        return plots.return_by_event(shown)
    if picture == "bankroll":
        return plots.bankroll_fan(shown, **session)
    from sevenout.papers.plots import edge_curves

    return plots.edge_against_bias(edge_curves(solution, shown.name))
