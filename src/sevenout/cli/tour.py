"""`sevenout tour`: what the house does, in under a minute, on the inputs of its sources."""

from typing import Any

from sevenout.cli.out import console, print_json


def tour(*, json: bool = False) -> None:
    """Show what sevenout does: exact odds, variants, dice, simulation.

    Parameters
    ----------
    json
        Print the figures as JSON.
    """
    from sevenout.exact import solve
    from sevenout.games import catalogue

    craps = solve(catalogue["craps"])
    fast = solve(catalogue["fast-craps"])
    mains = {main: solve(catalogue("hazard", main=main)) for main in range(5, 10)}
    turns = {main: solve(catalogue("hazard-turn", main=main)) for main in mains}
    if json:
        print_json(
            {
                "craps": craps.to_dict(),
                "fast-craps": fast.to_dict(),
                "hazard": {main: solution.to_dict() for main, solution in mains.items()},
            }
        )
        return
    out = console()
    _craps(out, craps)
    _fast_craps(out, fast)
    _hazard(out, mains, turns)
    _dice(out)


def _craps(out: Any, craps: Any) -> None:
    from sevenout.exact.show import percent

    _title(out, "Craps, exactly")
    rolls = craps.law("rolls")
    bet = craps.bet()
    out.print(f"P(win) = {bet.p_win} = {percent(bet.p_win)}; the house edge is {bet.edge} a bet.")
    out.print(
        f"A game lasts {rolls.mean} = {float(rolls.mean):.4f} rolls in the mean, with variance "
        f"{rolls.variance}; one in a million lasts more than {rolls.quantile('999999/1000000')}."
    )
    points = [f"{point}: {craps.given(point)['point']}" for point in (4, 5, 6, 8, 9, 10)]
    out.print(f"P(win) when the point is {', '.join(points)}.")


def _fast_craps(out: Any, fast: Any) -> None:
    from sevenout.exact.show import bet_table, percent

    _title(out, "Fast Craps: two bets on the same rolls")
    for bet in fast.bets.values():
        out.print(bet_table(bet))
        out.print(f"house edge, per bet made: {bet.edge} = {percent(bet.edge)}")
        out.print()
    covariance = fast.covariance("pass", "brick")
    out.print(f"covariance of the two: {covariance} = {float(covariance):.4f}")


def _hazard(out: Any, mains: Any, turns: Any) -> None:
    from rich.table import Table

    from sevenout.exact.show import percent

    _title(out, "Hazard: which main should the caster name?")
    table = Table(header_style="bold")
    for heading in ("main", "wins a round", "", "rounds won in a turn"):
        table.add_column(heading, justify="right")
    best = max(mains, key=lambda main: mains[main].bet().p_win)
    for main, solution in mains.items():
        p = solution.bet().p_win
        won = turns[main].mean("won")
        style = "bold green" if main == best else ""
        table.add_row(str(main), str(p), percent(p), f"{won} = {float(won):.4f}", style=style)
    out.print(table)
    out.print(f"The best main is {best}; with main 7, hazard is craps.")


def _dice(out: Any) -> None:
    from sevenout.cli.dice import no_seven_page

    _title(out, "A pair of dice that never rolls 7")
    out.print(no_seven_page())


def _title(out: Any, text: str) -> None:
    out.print()
    out.rule(f"[bold]{text}[/]", align="left")
    out.print()
