"""Dice, beside icepool and beside the plain way of doing the same, in one run.

    python benchmarks/dice.py

Fourteen mechanics that people ask about come first, cold (the first call, with empty caches) and
warm (the least of further calls), in seconds of the processor. Each other line is the least of
several runs. A ratio above 1 means that sevenout takes longer. The answers are compared.
"""

import gc
import re
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import icepool
from icepool import MultisetEvaluator, Order, UnsupportedOrder, d6, d8, d10, d20

import sevenout as so
from sevenout.rolling import (
    faulty_law,
    mean_change,
    parse_dice,
    peel,
    random_faults,
    ranked_pairs,
    relabelled,
    sensitivity,
    shares_law,
    tatham,
)
from sevenout.rolling.faults import chi_square_distance, total_variation


def contest(won: int, face: int, a: int, b: int) -> int:
    """Who shows more dice of the highest face where the two differ; 2 if all are equal."""
    return won or (a > b) - (a < b) or (2 if a else 0)


def face_to_face(state: tuple[int, Any], face: int, a: int, b: int) -> tuple[int, Any]:
    """Infinity: the successes of one side above the best of the other."""
    net, first = state
    if face == 0 or first == "end":
        return state
    if not first:
        return (0, "end") if a and b else (a - b, "a" if a else "b" if b else None)
    return (net, "end") if (b if first == "a" else a) else (net + a - b, first)


class Walk(MultisetEvaluator):  # type: ignore[misc]
    """A walk of icepool's from the highest face down."""

    def __init__(self, step: Any, start: Any, finish: Any = None) -> None:
        self.step, self.start, self.finish = step, start, finish

    def next_state(self, state: Any, order: Any, face: Any, *counts: int) -> Any:
        if order != Order.Descending:
            raise UnsupportedOrder
        return (self.step(self.start if state is None else state[0], face, *counts),)

    def final_outcome(self, state: Any, *rest: Any) -> Any:
        return self.finish(state[0]) if self.finish else state[0]


def degenesis(state: tuple[int, int, int], face: int, n: int) -> tuple[int, int, int]:
    return state[0] + n * (face > 3), state[1] + n * (face == 1), state[2] + n * (face == 6)


def degenesis_result(state: tuple[int, int, int]) -> tuple[str, int]:
    hits, ones, sixes = state
    return ("success", min(4, sixes)) if hits >= 5 else ("botch", 0) if ones > hits else ("fail", 0)


def wounds(state: tuple[int, int], damage: int) -> tuple[int, int]:
    """Models of two wounds and ten of them: (wounds of the first, models lost)."""
    hurt, lost = state
    if lost == 10:
        return state
    return (0, lost + 1) if hurt + damage >= 2 else (hurt + damage, lost)


SYMBOLS = {
    "ability": "00 10 10 20 01 01 11 02",
    "proficiency": "00 10 10 20 20 01 11 11 11 02 02 10",
    "difficulty": "00 -10 -20 0-1 0-1 0-1 0-2 -1-1",
    "setback": "00 00 -10 -10 0-1 0-1",
}


def faces(name: str) -> list[tuple[int, int]]:
    """The (successes, advantages) of a Genesys die."""
    numbers = [int(x) for x in re.findall(r"-?[0-9]", SYMBOLS[name])]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def genesys(vector: Any, law: Any) -> Any:
    dice = [law([vector(x, y) for x, y in faces(name)]) for name in SYMBOLS]
    return 3 @ dice[0] + 5 @ dice[1] + 5 @ dice[2] + 2 @ dice[3]


def overkill() -> Any:
    hit, twice = so.law({0: 3, 1: 1}), so.law([0, 1])
    shot = so.mixture([(0, 2), (hit, 3), (twice + hit, 1)])
    damage = so.law("d3") @ so.law({0: 1, 1: 2})
    return so.repeat(wounds, damage, 20 @ shot, start=(0, 0)).map(lambda state: state[1])


def icepool_overkill() -> Any:
    one = 20 @ icepool.Die({0: 37, 1: 10, 2: 1})  # in 48 shots
    damage = icepool.d(3).map(lambda n: n @ icepool.Die([0, 1, 1]))
    states = [icepool.Die([(0, 0)])]
    for _ in range(40):
        states.append(icepool.map(wounds, states[-1], damage, star=False))
    return one.map(lambda n: states[n].map(lambda state: state[1], star=False))


def attacks(die: Any, hit: Any, plain: Callable[[Any, Any], Any]) -> Any:
    def damage(total: Any) -> Any:
        return 0 if total < 16 else hit // 2 if total == 16 else hit

    return 3 @ plain(die + 4, damage)


MECHANICS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "opposed pools, 10 v 10": (
        lambda: so.pool("10d6").by_face(contest, so.pool("10d6"), start=0),
        lambda: Walk(contest, 0)(d6.pool(10), d6.pool(10)),
    ),
    "opposed pools, 30 v 30": (
        lambda: so.pool("30d6").by_face(contest, so.pool("30d6"), start=0),
        lambda: Walk(contest, 0)(d6.pool(30), d6.pool(30)),
    ),
    "matched sets of 20d10": (
        lambda: so.pool("20d10").best_set(),
        lambda: d10.pool(20).largest_count_and_outcome(),
    ),
    "Risk, 3 v 2": (
        lambda: so.pool("3d6").sort_pair(">", so.pool("2d6")),
        lambda: d6.pool(3).highest(2).sort_pair(">", d6.pool(2)).size(),
    ),
    "Degenesis, 12d6": (
        lambda: so.pool("12d6").by_face(degenesis, start=(0, 0, 0), finish=degenesis_result),
        lambda: Walk(degenesis, (0, 0, 0), degenesis_result)(d6.pool(12)),
    ),
    "40K, 20 shots with overkill": (overkill, icepool_overkill),
    "Genesys, 15 dice": (
        lambda: genesys(so.Vector, so.law),
        lambda: genesys(lambda *xs: icepool.Vector(xs), icepool.Die),
    ),
    "Infinity, 5 v 5": (
        lambda: (
            so.d20.map(lambda x: x * (x <= 14))
            .pool(5)
            .by_face(
                face_to_face,
                so.d20.map(lambda x: x * (x <= 12)).pool(5),
                start=(0, None),
                finish=lambda state: state[0],
            )
        ),
        lambda: Walk(face_to_face, (0, None), lambda state: state[0])(
            d20.map(lambda x: x * (x <= 14)).pool(5), d20.map(lambda x: x * (x <= 12)).pool(5)
        ),
    ),
    "three attacks": (
        lambda: attacks(so.d20.own_law, 2 @ so.d6 + 2, lambda law, f: law.map(f)),
        lambda: attacks(d20, 2 @ d6 + 2, lambda die, f: die.map(f)),
    ),
    "four cards of a deck": (
        lambda: so.deck([1] * 5 + [3] * 3 + [5] * 2 + [7]).deal(4).sum(),
        lambda: icepool.Deck([1] * 5 + [3] * 3 + [5] * 2 + [7]).deal(4).sum(),
    ),
    "10d10, exploding 4 times, keep 5": (
        lambda: so.roll("10d10!^4kh5"),
        lambda: d10.explode(depth=4).highest(10, 5),
    ),
    "wild die, 9 explosions": (
        lambda: so.roll("max(d8!^9,d6!^9)"),
        lambda: icepool.highest(d8.explode(depth=9), d6.explode(depth=9)),
    ),
    "Blades in the Dark, 3d6": (
        lambda: so.pool("3d6").highest(2).hands,
        lambda: d6.pool(3).highest(2).expand(),
    ),
    "250d6": (lambda: 250 @ so.d6, lambda: 250 @ d6),  # at 1000 icepool fails
}


def cold_and_warm(run: Callable[[], Any]) -> tuple[float, float, Any]:
    """Processor seconds of the first call, and the least of further ones."""
    gc.collect()  # what one library leaves behind isn't collected in the time of the other
    start = time.process_time()
    answer = run()
    cold, warm = time.process_time() - start, float("inf")
    for _ in range(3):
        start = time.process_time()
        run()
        warm = min(warm, time.process_time() - start)
    return cold, warm, answer


def mechanics() -> None:
    """The mechanics beside icepool; their distributions must be equal."""
    print(f"{'':34}{'sevenout, cold':>16}{'warm':>12}{'icepool, cold':>16}{'warm':>12}")
    so.law("2d6"), so.deck([1]).deal(1), so.law("d4!")  # load what is loaded on first use
    for name, (own, peer) in MECHANICS.items():
        cold, warm, answer = cold_and_warm(own)
        peer_cold, peer_warm, other = cold_and_warm(peer)
        assert so.law(other) == answer, name
        times = (f"{1000 * t:9.2f} ms" for t in (cold, warm, peer_cold, peer_warm))
        print(f"{name:34}{'':4}{'  '.join(f'{t:>12}' for t in times)}", flush=True)


def best(run: Callable[[], Any], times: int = 5) -> float:
    """The least seconds of several runs."""
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def winner(first: tuple[int, int], second: tuple[int, int]) -> int:
    """What icepool rolls of a ranked pair; its faces are (rank, value)."""
    return max(first, second)[1]


def icepool_dice(weights: list[list[int]] | None = None) -> list[Any]:
    """Tatham's pair in icepool."""
    dice = tatham(6).dice
    return [
        icepool.Die({(f.rank, f.value or 0): w for f, w in zip(die.faces, row, strict=True)})
        for die, row in zip(dice, weights or [[1] * 6, [1] * 6], strict=True)
    ]


def differences() -> list[Any]:
    """The sensitivities of Tatham's pair by a finite difference of icepool's exact laws."""
    fair, huge = icepool.map(winner, *icepool_dice()), 10**9
    columns = []
    for die in range(2):
        for face in range(6):
            rows = [[huge] * 6, [huge] * 6]
            rows[die][face] += 1
            law = icepool.map(winner, *icepool_dice(rows))
            columns.append(
                [(law.probability(t) - fair.probability(t)) * huge for t in fair.outcomes()]
            )
    return columns


def any_order(sides: int) -> int:
    """The ranked pairs for two dice, by peeling lines in any order and sorting out doubles."""
    cells = [[0] * sides for _ in range(sides)]
    left = {t: sides - abs(sides + 1 - t) for t in range(2, 2 * sides + 1)}
    found = set()

    def peel_one(i: int, j: int) -> None:
        if sides in (i, j):
            pair = peel(cells)
            assert pair is not None
            found.add(pair.levels)
            return
        for value in list(left):
            if left[value] >= sides - j:
                left[value] -= sides - j
                cells[i][j:] = [value] * (sides - j)
                peel_one(i + 1, j)
                left[value] += sides - j
            if left[value] >= sides - i:
                left[value] -= sides - i
                for k in range(i, sides):
                    cells[k][j] = value
                peel_one(i, j + 1)
                left[value] += sides - i

    peel_one(0, 0)
    return len(found)


def one_by_one(draws: int) -> float:
    """The mean change by random faults, one exact law after another."""
    rollable, shares = tatham(6).totals, shares_law(Fraction(1, 20))
    laws = (faulty_law(rollable, random_faults(rollable, shares, seed)) for seed in range(draws))
    return sum(
        float(total_variation(rollable.law, law) + chi_square_distance(rollable.law, law))
        for law in laws
    )


def report(what: str, ours: float, peer: str, theirs: float) -> None:
    print(f"{what:42} {1000 * ours:10.3f} ms   {peer:24} {1000 * theirs:10.3f} ms   "
          f"ratio {ours / theirs:8.3f}")  # fmt: skip


def main() -> None:
    """Run the benchmarks and print them."""
    mechanics()
    for text in ("10d6", "100d6"):
        count = int(text.removesuffix("d6"))
        report(
            f"exact totals of {text}",
            best(lambda text=text: parse_dice(text).totals.law),
            "icepool",
            best(lambda count=count: count @ icepool.Die([1, 2, 3, 4, 5, 6])),
        )
    report(
        "exact law of the ranked pair",
        best(lambda: tatham(6).totals.law),
        "icepool",
        best(lambda: icepool.map(winner, *icepool_dice())),
    )
    report(
        "its sensitivities (exact; differences)",
        best(lambda: sensitivity(tatham(6).totals)),
        "icepool",
        best(differences),
    )
    shares, draws = shares_law(Fraction(1, 20)), 500
    report(
        f"mean over {draws} random faults",
        best(lambda: mean_change(tatham(6).totals, shares, draws=draws)),
        "one law after another",
        best(lambda: one_by_one(draws), 1),
    )
    for sides in (5, 6):
        assert any_order(sides) == len(ranked_pairs(f"2d{sides}"))
        report(
            f"all ranked pairs for 2d{sides}",
            best(lambda sides=sides: ranked_pairs(f"2d{sides}")),
            "peeling in any order",
            best(lambda sides=sides: any_order(sides), 2),
        )
    for text in ("2d6", "2d20", "4d6"):
        print(f"all relabellings of {text:22} {1000 * best(lambda t=text: relabelled(t)):10.3f} ms")


if __name__ == "__main__":
    main()
