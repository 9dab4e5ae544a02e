"""Draws the pictures of the tutorials and how-to pages: `python docs/img/pictures.py`."""

from pathlib import Path

from sevenout.catalogue import games
from sevenout.model import explore
from sevenout.papers.picture_style import save
from sevenout.papers.plots import (
    bankroll_fan,
    edge_against_bias,
    return_by_event,
    roll_law,
)
from sevenout.papers.policy_maps import policy_map
from sevenout.solving import solve
from sevenout.solving.optimal_play import best
from sevenout.solving.sensitivity import bias

HERE = Path(__file__).parent


def main() -> None:
    craps = solve(games["craps"])
    chain = explore(games["craps"])
    tilts = {"1 and 6": {1: 1, 6: 1}, "6": {6: 1}, "5": {5: 1}, "1": {1: 1}}
    edges = {
        f"weight of {name}": bias(chain, tilt, lambda outcome: -outcome.profit("pass"))
        for name, tilt in tilts.items()
    }
    pictures = {
        "craps-rolls": roll_law(craps.distribution("rolls")),
        "hazard-won": roll_law(solve(games("hazard-turn", main=7)).distribution("won")),
        "fast-craps-pass": return_by_event(solve(games["fast-craps"]).bet("pass")),
        "craps-bias": edge_against_bias(edges, xlabel="bias t: the weight times 1 + t, both dice"),
        "pig-policy": policy_map(best(games("pig"), **games.entry("pig").goal)),
        "craps-session": bankroll_fan(craps.bet(), 100, 500),
    }
    for name, figure in pictures.items():
        save(figure, HERE / f"{name}.svg")


if __name__ == "__main__":
    main()
