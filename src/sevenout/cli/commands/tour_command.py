"""`sevenout tour`: a minute's tour on published examples."""

from fractions import Fraction
from time import perf_counter
from typing import Any

from sevenout.cli.options import Json
from sevenout.cli.out import console, headline, print_json
from sevenout.documents import Column, Page, Table
from sevenout.documents.kinds import COUNT, DECIMAL, FRACTION, LABEL, PERCENT
from sevenout.documents.numbers import percent

BILLION = 10**9


def tour(*, json: Json = False) -> None:
    """Show what sevenout does: exact odds, variants, dice, simulation."""
    from sevenout.catalogue import games
    from sevenout.solving import solve
    from sevenout.variants import Family, fairest

    start = perf_counter()
    craps = solve(games["craps"])
    fast = solve(games["fast-craps"])
    mains = {main: solve(games("hazard", main=main)) for main in range(5, 10)}
    turns = {main: solve(games("hazard-turn", main=main)) for main in mains}
    whole, article = Family("2d6"), Family("2d6", labelling="canonical")
    best = {family.labelling: fairest(family) for family in (article, whole)}
    if json:
        from sevenout.questions.dice_pages.ranked_pages import no_seven_data

        print_json(
            {
                "craps": craps.to_dict(),
                "fast-craps": fast.to_dict(),
                "hazard": {main: solution.to_dict() for main, solution in mains.items()},
                "dice": no_seven_data(6),
                "fairest": {labelling: found.to_dict() for labelling, found in best.items()},
            }
        )
        return
    out = console()
    _craps(out, craps)
    _fast_craps(out, fast)
    _hazard(out, mains, turns)
    _dice(out)
    _variants(out, craps, best)
    _simulation(out, best["all"])
    out.print()
    out.print(f"The tour took {perf_counter() - start:.1f} s.", style="dim")


def _craps(out: Any, craps: Any) -> None:
    _title(out, "Craps, exactly")
    rolls = craps.distribution("rolls")
    bet = craps.bet()
    out.print(f"P(win) = {bet.p_win} = {percent(bet.p_win)}; the house edge is {bet.edge} per bet.")
    out.print(
        f"A game lasts {rolls.mean} = {float(rolls.mean):.4f} rolls on average, with variance "
        f"{rolls.variance}; one in a million lasts more than {rolls.quantile('999999/1000000')}."
    )
    points = [f"{point}: {craps.given(point)['point']}" for point in (4, 5, 6, 8, 9, 10)]
    out.print(f"P(win) when the point is {', '.join(points)}.")


def _fast_craps(out: Any, fast: Any) -> None:
    _title(out, "Fast Craps: two bets on the same rolls")
    for bet in fast.bets.values():
        out.print(bet)
        out.print()
    covariance = fast.covariance("pass", "brick")
    out.print(f"covariance of the two: {covariance} = {float(covariance):.4f}")


def _hazard(out: Any, mains: Any, turns: Any) -> None:
    _title(out, "Hazard: which main should the caster name?")
    best = max(mains, key=lambda main: mains[main].bet().p_win)
    rows = [(main, s.bet().p_win, turns[main].mean("won")) for main, s in mains.items()]
    columns = [Column("main", LABEL), Column("wins a round", FRACTION, PERCENT)]
    columns.append(Column("rounds won in a turn", FRACTION, DECIMAL.to(4)))
    out.print(Page("", Table(columns, rows, tones={list(mains).index(best): "good"})))
    out.print(f"The best main is {best}; with main 7, hazard is craps.")


def _dice(out: Any) -> None:
    from sevenout.questions import question

    pair: Any = question("dice_no_seven")()
    out.print()
    out.print(pair.coloured())


def _variants(out: Any, craps: Any, best: Any) -> None:
    from sevenout.variants import Family, count, fairest

    _title(out, "Which craps variant is the fairest?")
    p = craps.bet().p_win
    names = {"canonical": "article's list", "all": "whole family"}
    rows = []
    for labelling, found in best.items():
        size = found.family.size
        between = count(found.family, p, Fraction(1, 2), ends="neither")
        shown = f"{between:,} = {percent(Fraction(between, size))}"
        rows.append((names[labelling], size, found.p_win, found.multiplicity, shown))
    columns = ["2d6", Column("variants", COUNT), Column("fairest below 1/2", FRACTION, PERCENT)]
    columns += [Column("attained by", COUNT), Column("between craps and 1/2", LABEL)]
    out.print(Page("", Table(columns, rows)))
    start = perf_counter()
    large = fairest(Family("2d20"))
    seconds = perf_counter() - start
    out.print(
        f"With two 20-sided dice there are {float(large.family.size):.2e} variants; the fairest "
        f"misses 1/2 by {float(large.distance):.1e}, proved in {seconds:.2f} s."
    )


def _simulation(out: Any, found: Any) -> None:
    from sevenout.simulation import simulate
    from sevenout.solving import solve

    (variant,) = found.first(1)
    _title(out, f"The fairest, {variant}, played {BILLION:,} times, roll by roll")
    start = perf_counter()
    tally = simulate(variant.game(), games=BILLION, seed=1)
    seconds = perf_counter() - start
    out.print(tally.page(solve(variant.game())))
    out.print(
        f"{tally.rolls:,} rolls in {seconds:.1f} s: {tally.rolls / seconds / 1e9:.1f} billion a "
        "second. z is the distance from the exact value in standard deviations."
    )


def _title(out: Any, text: str) -> None:
    out.print()
    headline(out, text)
    out.print()
