"""The laws of bets on lists of rolls before a stop, by hand as in `by_hand`.

The rolls are independent Poisson clocks: roll i rings at the rate of its ways, so that the moments
at which the entries are ticked off are independent.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations, product
from math import comb, factorial

from tests.catalogue.by_hand import P2, TRUE, WAYS, BetLaw, F, before, law, win_or_lose

LAWS: dict[str, Callable[[], BetLaw]] = {}


def all_before(rates: Iterable[F | int], stop: F | int) -> F:
    """P(every clock rings before the stop's), by inclusion and exclusion."""
    rates = tuple(rates)
    return sum(
        (
            (-1) ** k * F(stop) / (stop + sum(some))
            for k in range(len(rates) + 1)
            for some in combinations(rates, k)
        ),
        F(0),
    )


def number_before(rates: tuple[F | int, ...], stop: F | int) -> list[F]:
    """P(exactly n clocks ring before the stop's), for each n: Jordan's formula."""
    n = len(rates)
    sums = [sum(all_before(c, stop) for c in combinations(rates, k)) for k in range(n + 1)]
    return [
        sum((-1) ** (j - k) * comb(j, k) * sums[j] for j in range(k, n + 1)) for k in range(n + 1)
    ]


def none_before(entries: Iterable[tuple[int, int]], stop: int) -> F:
    """P(no clock of rate w rings k times before the stop's), by integrating a polynomial.

    Given the stop at time t, the entry (w, k) is missed with probability exp(-wt) times the sum of
    (wt)^j / j! for j < k; and the integral of t^m exp(-ct) is m! / c^(m + 1).
    """
    poly, rate = [F(1)], stop
    for w, k in entries:
        missed = [F(w**j, factorial(j)) for j in range(k)]
        longer = [F(0)] * (len(poly) + k - 1)
        for (i, a), (j, b) in product(enumerate(poly), enumerate(missed)):
            longer[i + j] += a * b
        poly, rate = longer, rate + w
    return sum((stop * c * factorial(m) / F(rate) ** (m + 1) for m, c in enumerate(poly)), F(0))


SMALL, TALL = (2, 3, 4, 5, 6), (8, 9, 10, 11, 12)
for name, totals, pays in (
    ("bonus-small-30-1", SMALL, 30),
    ("bonus-small-34-1", SMALL, 34),
    ("bonus-tall-30-1", TALL, 30),
    ("bonus-tall-34-1", TALL, 34),
    ("bonus-all-150-1", SMALL + TALL, 150),
    ("bonus-all-155-1", SMALL + TALL, 155),
    ("bonus-all-175-1", SMALL + TALL, 175),
    ("bonus-all-174-1", SMALL + TALL, 174),
    ("flaming-four", (2, 3, 11, 12), 70),
    ("sizzling-six", (4, 5, 6, 8, 9, 10), 12),
):
    LAWS[name] = lambda totals=totals, pays=pays: win_or_lose(
        pays, all_before((WAYS[t] for t in totals), 6)
    )


def by_number(counts: list[F], prizes: Mapping[int, int]) -> BetLaw:
    return law((prizes.get(n, -1), p) for n, p in enumerate(counts))


def hot_hand() -> BetLaw:
    rates = [WAYS[t] for t in SMALL + TALL]
    every = all_before(rates, 6)
    all_but = sum(all_before(rates[:i] + rates[i + 1 :], 6) - every for i in range(10))
    return law([(80, every), (20, all_but), (-1, 1 - every - all_but)])


LAWS["hot-hand"] = hot_hand
LAWS["different-doubles"] = lambda: by_number(
    number_before((1,) * 6, 6), {3: 4, 4: 8, 5: 15, 6: 100}
)


def fire(prizes: Mapping[int, int]) -> BetLaw:
    """Rounds of craps as clocks: one for each point made, one for the seven-out."""
    made = {point: P2[point] * P2[point] / (P2[point] + P2[7]) for point in TRUE}
    out = sum(P2[point] - p for point, p in made.items())
    return by_number(number_before(tuple(made.values()), out), prizes)


for name, pays in (
    ("fire-bet-a", (24, 249, 999)),
    ("fire-bet-b", (9, 199, 1999)),
    ("fire-bet-c", (10, 200, 2000)),
    ("fire-bet-d", (39, 199, 499)),
):
    LAWS[name] = lambda pays=pays: fire(dict(zip((4, 5, 6), pays, strict=True)))


def hot_shooter() -> BetLaw:
    """The hand roll by roll: at[None] is the come-out, at[point] on a point."""
    at: dict[int | None, F] = {None: F(1)}
    ends: dict[int, F] = {}
    for roll in range(1, 51):
        after: dict[int | None, F] = {None: F(0), **dict.fromkeys(TRUE, F(0))}
        for point, p in at.items():
            for total, q in P2.items():
                if point is None:
                    after[total if total in TRUE else None] += p * q
                elif total == 7:
                    ends[roll] = ends.get(roll, F(0)) + p * q
                else:
                    after[None if total == point else point] += p * q
        at = after
    steps = ((51, 99), (45, 29), (40, 11), (32, 6), (24, 4), (16, 2), (8, 0), (2, -1))
    ends[51] = sum(at.values())
    return law((next(pay for least, pay in steps if n >= least), p) for n, p in ends.items())


LAWS["hot-shooter-jackpot"] = hot_shooter
TIMES = {2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 8: 6, 9: 5, 10: 4, 11: 3, 12: 2}
for number, pays in ((2, 40), (3, 50), (4, 65), (5, 80), (6, 90)):
    k, w = TIMES[number], WAYS[number]
    tail = f"{number}-{14 - number}"
    LAWS[f"repeater-{tail}"] = lambda pays=pays, k=k, w=w: win_or_lose(pays, F(w, w + 6) ** k)
    LAWS[f"repeater-plus-{tail}"] = lambda pays=pays, k=k, w=w: win_or_lose(
        pays - 1, F(w, w + 6) ** k
    )
LAWS["repeater-plus-2-or-12"] = lambda: before(2, 6, 2)
LAWS["repeater-plus-3-or-11"] = lambda: before(4, 6, 1)
LAWS["repeater-plus-any-seven-times"] = lambda: win_or_lose(99, F(1, 2) ** 7)
for tail, totals, pays in (
    ("updown", SMALL, 14),
    ("even", (2, 4, 6, 8, 10, 12), 11),
    ("odd", (3, 5, 9, 11), 17),
    ("horn", (2, 3, 11, 12), 11),
    ("citywide", SMALL + TALL, 8),
):
    LAWS[f"repeater-plus-{tail}"] = lambda totals=totals, pays=pays: win_or_lose(
        pays, 1 - none_before([(WAYS[t], TIMES[t]) for t in totals], 6)
    )
