"""`sevenout paytables`: the pay tables of a point game that have the house edge one wants."""

from typing import Literal

from sevenout.cli.out import console, print_json
from sevenout.cli.resolve import choose
from sevenout.errors import RulesError


def paytables(
    game: str,
    /,
    *,
    edge: tuple[str, str],
    bet: str | None = None,
    step: str = "1",
    pays: tuple[str, str] = ("1", "10"),
    by_roll: Literal["falling", "not rising", "free"] = "falling",
    by_point: Literal["rising", "not falling", "free"] = "rising",
    wish: Literal["edge", "variance", "top"] = "edge",
    target: str | None = None,
    top: int = 10,
    json: bool = False,
    **rules: str,
) -> None:
    """Search all the pay tables of a point game for those with the edge that you want.

    Parameters
    ----------
    game
        A point game: a name of the catalogue, a .toml file of one line, or a variant.
    edge
        The least and the most house edge per bet made: --edge 1/100 2/100.
    bet
        The bet whose pays are sought; the first if not given.
    step
        Pays are multiples of it: 1, 1/2.
    pays
        The least and the most that a point may pay: --pays 1 10.
    by_roll
        How pays go from roll to roll.
    by_point
        How they go from commoner points to rarer ones.
    wish
        The best first: the edge nearest to the target, the lowest variance, the highest top pay.
    target
        The edge to come near to; the middle of the interval if not given.
    top
        How many to show.
    json
        Print JSON.
    rules
        Options of the game, as for `sevenout odds`.
    """
    from sevenout.rules import PointGame
    from sevenout.variants import paytables as search

    chosen = choose(game, **rules)
    if not isinstance(chosen.game, PointGame):
        raise RulesError(f"{chosen.title} is not one point game; try fast-craps-pass")
    found = search(
        chosen.game,
        edge,
        bet=bet or chosen.bet or next(iter(chosen.game.bets)),
        step=step,
        pays=pays,
        by_roll=by_roll,
        by_point=by_point,
        wish=wish,
        target=target,
        top=top,
    )
    if json:
        print_json({"game": chosen.title} | found.to_dict())
        return
    console().print(found)
