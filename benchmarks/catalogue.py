"""The catalogue, beside icepool, Storm (stormpy) and crapssim on what they can express, in one run.

    python benchmarks/catalogue.py

Each line is the least of several runs, a peer's slow one of a single run. Ours builds the bet,
explores its rules and solves it for the law of its pays, as a fraction. icepool plays the same
rules as an absorbing chain of its own, or as a mixture of dice. Storm gets our PRISM model, whose
parsing is not counted. crapssim plays the table; its line is the time to a given standard error,
reckoned from a short run.
"""

import platform
import sys
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from math import lcm, sqrt
from pathlib import Path
from typing import Any

from sevenout.catalogue import games
from sevenout.model import explore, prism
from sevenout.solving import solve

ALL = sum(1 << total for total in range(2, 13) if total != 7)
LOST, WON = -1, -2


def best(run: Callable[[], Any], times: int) -> float:
    """The least seconds of several runs."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        found.append(time.perf_counter() - start)
    return min(found)


def ours(name: str, **options: Any) -> Callable[[], Fraction]:
    """P(win) of an entry, from its rules."""
    bet = games.entry(name).bet
    return lambda: solve(games(name, **options)).bet(bet).p_win


# --- icepool --------------------------------------------------------------------------------------


def two_dice() -> Any:
    import icepool

    return 2 @ icepool.d6


def absorb(step: Callable[[Any, int], Any], start: Any, dice: Any = None) -> Any:
    import icepool

    # icepool sorts its states, so that they must be of one kind: whole numbers.
    rolled = two_dice() if dice is None else dice
    return icepool.map(step, icepool.Die([start]), rolled, repeat="inf")


def icepool_place() -> Fraction:
    ends = {6: WON, 7: LOST}
    return absorb(lambda s, roll: s if s else ends.get(roll, 0), 0).probability(WON)


def icepool_all() -> Fraction:
    def step(seen: int, roll: int) -> int:
        return seen if seen in (LOST, ALL) else LOST if roll == 7 else seen | 1 << roll

    return absorb(step, 0).probability(ALL)


def icepool_odd() -> Fraction:
    """At least one repeater of 3, 5, 9, 11: the counts are the digits of the state."""
    times = {3: 3, 5: 5, 9: 5, 11: 3}
    unit = {total: 8**i for i, total in enumerate(times)}

    def step(state: int, roll: int) -> int:
        if state < 0 or roll not in unit:
            return LOST if state >= 0 and roll == 7 else state
        return WON if state // unit[roll] % 8 + 1 == times[roll] else state + unit[roll]

    return absorb(step, 0).probability(WON)


def icepool_fire() -> Fraction:
    """P(4 or more points): a round is a die, given as fractions of a common denominator."""
    import icepool

    rounds = solve(games("fire-bet-a").dice)
    weights: dict[int, Fraction] = {}
    for outcome, p in rounds.outcomes.items():
        event = outcome.pay("pass").event
        face = int(event[6:]) if event.startswith("point") else 0 if event != "seven out" else 1
        weights[face] = weights.get(face, Fraction(0)) + p
    common = lcm(*(p.denominator for p in weights.values()))
    die = icepool.Die({face: int(p * common) for face, p in weights.items()})

    def step(made: int, point: int) -> int:
        if made < 0:
            return made
        if point == 1:
            return -1 - (made >> 2).bit_count()
        return made | 1 << point if point else made

    ends = absorb(step, 0, die)
    return sum((ends.probability(-1 - points) for points in (4, 5, 6)), Fraction(0))


def icepool_klondike() -> Fraction:
    import icepool

    from sevenout.catalogue.banked_games import poker_hand
    from sevenout.rolling import Roll

    hand = icepool.map(
        lambda *faces: poker_hand(Roll(faces, 0, False)), *(icepool.d6 for _ in range(5))
    )
    return icepool.map(lambda mine, bank: mine > bank, hand, hand).probability(True)


def icepool_sic_bo() -> Fraction:
    import icepool

    faces = [icepool.d6] * 3
    return icepool.map(
        lambda a, b, c: 4 <= a + b + c <= 10 and not a == b == c, *faces
    ).probability(True)


# --- Storm and crapssim ---------------------------------------------------------------------------


def storm(name: str, label: str) -> Callable[[], Fraction]:
    """Building the sparse model and checking it, exactly."""
    import stormpy

    chain = explore(games[name])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.prism"
        path.write_text(prism(chain))
        program = stormpy.parse_prism_program(str(path))
    outcome = [o.label for o in chain.outcomes].index(label)
    formula = stormpy.parse_properties(f'P=? [F "outcome_{outcome}"]', program)

    def check() -> Fraction:
        model = stormpy.build_model[stormpy.Rational](program, formula)
        value = stormpy.model_checking(model, formula[0]).get_value(model.initial_states[0])
        return Fraction(str(value))

    return check


def crapssim_edge(make: Callable[[], Any], rolls: int) -> tuple[float, float, float]:
    """The edge of a bet of one unit as crapssim plays it, its standard error, and the seconds."""
    from crapssim.strategy.tools import Strategy
    from crapssim.table import Table

    class OneAtATime(Strategy):
        """Makes the bet whenever it is not on the table, and books what the last one brought."""

        def __init__(self) -> None:
            super().__init__()
            self.profits: list[float] = []
            self.purse: float | None = None

        def update_bets(self, player: Any) -> None:
            if not player.bets:
                if self.purse is not None:
                    self.profits.append(player.bankroll - self.purse)
                purse = player.bankroll
                player.add_bet(make())
                self.purse = purse if player.bets else None

        def completed(self, player: Any) -> bool:
            return False

    start = time.perf_counter()
    table = Table(seed=1654)
    player = table.add_player(bankroll=10**9, strategy=OneAtATime())
    table.run(max_rolls=rolls, verbose=False)
    seconds = time.perf_counter() - start
    profits = player.strategy.profits
    n = len(profits)
    mean = sum(profits) / n
    squares = sum((x - mean) ** 2 for x in profits) / n
    return -mean, sqrt(squares / n), seconds


# --- the table ------------------------------------------------------------------------------------


def row(what: str, mine: float, peer: str = "", theirs: float | None = None) -> None:
    against = f"{peer:<9}{theirs * 1e3:12.3f} ms {theirs / mine:9.1f} x" if theirs else ""
    print(f"{what:<50}{mine * 1e3:10.3f} ms   {against}", flush=True)


def beside_icepool() -> None:
    for what, mine, theirs, times in (
        ("place 6", ours("place-6-8"), icepool_place, 9),
        ("sic bo, small", ours("sic-bo-small-big"), icepool_sic_bo, 9),
        ("klondike", ours("klondike-win-lose"), icepool_klondike, 3),
        ("All, 1,023 states", ours("bonus-all-175-1"), icepool_all, 1),
        ("All, entries alike, 242 states", ours("bonus-all-175-1", alike=True), None, 9),
        ("some odd repeater, 225 states", ours("repeater-plus-odd"), icepool_odd, 1),
        ("fire bet, 4 points or more", ours("fire-bet-a"), icepool_fire, 3),
    ):
        seconds = best(mine, 7)
        if theirs is None:
            row(what, seconds)
            continue
        found: list[Fraction] = []
        peer = best(lambda: found.append(theirs()), times)  # noqa: B023  used at once
        assert found[0] == mine(), what
        row(what, seconds, "icepool", peer)


def beside_storm() -> None:
    for name, label in (
        ("pass-line", "seven out"),
        ("bonus-all-175-1", "complete"),
        ("repeater-plus-even", "complete"),
        ("fire-bet-a", "6 points"),
    ):
        check = storm(name, label)
        truth = solve(games[name]).p(label)
        assert check() == truth, name
        mine = best(lambda: solve(games[name]).p(label), 5)  # noqa: B023  used at once
        row(f"{name}, P({label})", mine, "Storm", best(check, 3))


def beside_crapssim() -> None:
    from crapssim import bet

    print("\ncrapssim: the time to a standard error of 0.0001, from a run of 40,000 rolls")
    for name, make in (
        ("pass-line", lambda: bet.PassLine(1)),
        ("place-6-8", lambda: bet.Place(6, 6, always_working=True)),
        ("bonus-all-150-1", lambda: bet.All(1)),
        ("fire-bet-a", lambda: bet.Fire(1)),
    ):
        edge, error, seconds = crapssim_edge(make, 40_000)
        stake = make().amount
        edge, error = edge / stake, error / stake
        truth = solve(games[name]).bet(games.entry(name).bet).edge
        mine = best(lambda: solve(games[name]).bets, 5)  # noqa: B023  used at once
        row(f"{name}, edge {float(truth):.5f}", mine, "crapssim", seconds * (error / 1e-4) ** 2)
        print(f"{'':<50}played {edge:.5f} +- {error:.5f} in {seconds:.2f} s")


def whole() -> None:
    """Every bet of the catalogue, the first time and once more."""
    for when in ("cold", "warm"):
        start, cpu = time.perf_counter(), time.process_time()
        entries = {name: entry for name, entry in games.without_choices.items() if entry.bet}
        edges = [solve(games[name]).bet(entry.bet).edge for name, entry in entries.items()]
        wall, cpu = time.perf_counter() - start, time.process_time() - cpu
        print(f"the whole catalogue, {len(edges)} bets, {when}: {wall:.2f} s, {cpu:.2f} s of CPU")


def main() -> None:
    print(f"Python {platform.python_version()}, {platform.machine()}\n")
    whole()
    chain = explore(games["craps"])
    row("craps, the explored chain solved", best(lambda: solve(chain).outcomes, 300))
    print()
    beside_icepool()
    print()
    beside_storm()
    beside_crapssim()


if __name__ == "__main__":
    sys.exit(main())
