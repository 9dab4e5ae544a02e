"""`sevenout odds`: everything that is true of a game."""

from typing import TYPE_CHECKING

from sevenout.cli.choosing import followed, titled
from sevenout.cli.out import console, introduce, print_json
from sevenout.cli.resolve import Chosen, choose
from sevenout.errors import RulesError

if TYPE_CHECKING:
    from sevenout.exact import Solution
    from sevenout.exact.progressive import ProgressiveResult


def odds(
    game: str | None = None,
    /,
    *,
    bet: str | None = None,
    policy: str | None = None,
    against: str | None = None,
    meter: str | None = None,
    json: bool = False,
    **rules: str,
) -> None:
    """Exact odds of a game: its outcomes, return tables, house edges and rolls.

    Parameters
    ----------
    game
        A name of the catalogue (see `sevenout games`), a .toml file, or a variant such as
        2,3,12/7,11/7; several joined by + are bets on the same rolls: craps+place-6-8.
    bet
        Show this bet only.
    policy
        In a game with choices, how the player plays: best, a name such as hold-20, or a function in
        a Python file, mine.py:careful; of two players both, unless --against is given.
    against
        How the second of two players plays.
    meter
        What the meter of a progressive award shows: also say what the next bet returns then.
    json
        Print JSON; exact figures are texts such as "244/495".
    rules
        Options of the game (--main 5, --dice 2d8, --limit 3), or rules: --naturals 7,11 --craps
        2,3,12 --out 7; none is no total.
    """
    from sevenout.exact import solve

    chosen = choose(game, **rules)
    title = titled(chosen, policy, against)
    solution = solve(followed(chosen, policy, against))
    only = None if bet is None else solution.bet(bet)
    awards = _awards(chosen, solution, bet)
    if meter is not None and not awards:
        raise RulesError(f"--meter {meter}: {title} has no progressive award")
    if json:
        data = {"game": title} | solution.to_dict()
        data = data if only is None else data | {"bets": [only.to_dict()]}
        found = [award.to_dict(meter) for award in awards]
        print_json(data | ({"progressives": found} if found else {}))
        return
    pages = [award.page(meter) for award in awards]
    out = console()
    introduce(out, title, chosen.text)
    out.print(solution if only is None else only)
    out.print()
    for page in pages:
        out.print(page)
        out.print()
    out.print(_rolls(solution), style="dim")


def _awards(chosen: Chosen, solution: "Solution", bet: str | None) -> "list[ProgressiveResult]":
    from sevenout.exact.progressive import progressive

    rules = chosen.file.progressives if chosen.file is not None else {}
    return [progressive(solution.bet(b), rule) for b, rule in rules.items() if bet in (None, b)]


def _rolls(solution: object) -> str:
    from sevenout.exact import Solution

    assert isinstance(solution, Solution)
    states = len(solution.chain.states)
    parts = [f"{solution.status}; {states:,} state{'s' if states > 1 else ''}"]
    for counter in solution.chain.counters:
        if not counter.startswith("rolls of "):
            parts.append(f"mean {counter} {float(solution.mean(counter)):.6f}")
    return "; ".join(parts)
