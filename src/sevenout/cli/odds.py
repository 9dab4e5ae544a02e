"""`sevenout odds`: everything that is true of a game."""

from sevenout.cli.choosing import followed, titled
from sevenout.cli.out import console, introduce, print_json
from sevenout.cli.resolve import choose


def odds(
    game: str | None = None,
    /,
    *,
    bet: str | None = None,
    policy: str | None = None,
    against: str | None = None,
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
    if json:
        data = {"game": title} | solution.to_dict()
        print_json(data if only is None else data | {"bets": [only.to_dict()]})
        return
    out = console()
    introduce(out, title, chosen.text)
    out.print(solution if only is None else only)
    out.print()
    out.print(_rolls(solution), style="dim")


def _rolls(solution: object) -> str:
    from sevenout.exact import Solution

    assert isinstance(solution, Solution)
    parts = [f"{solution.status}; {len(solution.chain.states):,} states"]
    for counter in solution.chain.counters:
        if not counter.startswith("rolls of "):
            parts.append(f"mean {counter} {float(solution.mean(counter)):.6f}")
    return "; ".join(parts)
