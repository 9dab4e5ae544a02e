"""The law of every bet of the catalogue by closed forms and plain counting.

Nothing here uses the engines, or any code of the package. A bet is its law: the probability of
each profit per unit staked. The tools are ratios of ways, and sums over equally likely rolls; lists
of rolls are in `by_hand_lists`.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial, prod

F = Fraction
BetLaw = dict[F, F]

WAYS = {total: 6 - abs(total - 7) for total in range(2, 13)}
TRUE = {4: F(2), 5: F(3, 2), 6: F(6, 5), 8: F(6, 5), 9: F(3, 2), 10: F(2)}
LAWS: dict[str, Callable[[], BetLaw]] = {}


def law(pairs: Iterable[tuple[F | int, F]]) -> BetLaw:
    out: BetLaw = {}
    for profit, p in pairs:
        if p:
            out[F(profit)] = out.get(F(profit), F(0)) + p
    assert sum(out.values()) == 1
    return out


def win_or_lose(pays: F | int, p: F) -> BetLaw:
    return law([(pays, p), (-1, 1 - p)])


# --- point games -------------------------------------------------------------------------------


def point_law(
    p: Mapping[int, F],
    naturals: Iterable[int],
    craps: Iterable[int],
    out: int,
    *,
    natural: F | int = 1,
    crap: Callable[[int], F | int] = lambda total: -1,
    made: Callable[[int], F | int] = lambda point: 1,
    lost: Callable[[int], F | int] = lambda point: -1,
) -> BetLaw:
    """A law with P(point before out) = p / (p + q)."""
    pairs: list[tuple[F | int, F]] = [(natural, p.get(t, F(0))) for t in naturals]
    pairs += [(crap(t), p.get(t, F(0))) for t in craps]
    for point in p:
        if point not in (*naturals, *craps):
            share = p[point] / (p[point] + p[out])
            pairs += [(made(point), p[point] * share), (lost(point), p[point] * (1 - share))]
    return law(pairs)


P2 = {total: F(ways, 36) for total, ways in WAYS.items()}


def line(**rules: object) -> BetLaw:
    return point_law(P2, (7, 11), (2, 3, 12), 7, **rules)  # type: ignore[arg-type]


def against(bar: int | None, p: Mapping[int, F] = P2, lay: int = 0) -> BetLaw:
    return point_law(
        p,
        (7, 11),
        (2, 3, 12),
        7,
        natural=-1,
        crap=lambda total: 0 if total == bar else 1,
        made=lambda point: -1 - lay,
        lost=lambda point: 1 + lay / TRUE[point],
    )


def with_odds(multiples: tuple[int, int, int]) -> BetLaw:
    n = dict(zip((4, 5, 6, 8, 9, 10), (*multiples, *multiples[::-1]), strict=True))
    return line(made=lambda p: 1 + n[p] * TRUE[p], lost=lambda p: -1 - n[p])


LAWS["pass-line"] = LAWS["craps-lines"] = LAWS["come"] = LAWS["craps"] = line
LAWS["street-craps"] = LAWS["street-craps-shooter"] = line
LAWS["card-craps-pass-36"] = line
LAWS["street-craps-fader"] = lambda: against(None)
for name in ("dont-pass", "dont-pass-bar-12", "dont-pass-bar-12-resolved", "dont-come-bar-12"):
    LAWS[name] = lambda: against(12)
LAWS["dont-pass-bar-2"] = lambda: against(2)
LAWS["dont-pass-bar-3"] = lambda: against(3)
LAWS["dont-pass-6x-lay"] = lambda: against(12, lay=6)
for n in (1, 2, 3, 5, 10, 20, 100):
    LAWS[f"pass-{n}x-odds"] = lambda n=n: with_odds((n, n, n))
LAWS["pass-3-4-5x-odds"] = lambda: with_odds((3, 4, 5))


def crapless(multiple: int = 0) -> BetLaw:
    def odds(point: int) -> F:
        return F(6, WAYS[point])

    return point_law(
        P2,
        (7,),
        (),
        7,
        made=lambda point: 1 + multiple * odds(point),
        lost=lambda point: -1 - multiple,
    )


LAWS["crapless"] = LAWS["crapless-pass"] = crapless
for n in (1, 2, 5):
    LAWS[f"crapless-pass-{n}x-odds"] = lambda n=n: crapless(n)

P_GROUPED = {t: P2[t] for t in range(4, 11)} | {23: F(3, 36), 1112: F(3, 36)}
LAWS["no-crap-pass"] = lambda: point_law(P_GROUPED, (7,), (), 7)
LAWS["no-crap-dont-pass"] = lambda: point_law(
    P_GROUPED,
    (7,),
    (),
    7,
    natural=-1,
    made=lambda point: -1,
    lost=lambda point: F(1, 2) if point == 1112 else 1,
)

P_2D8 = {total: F(8 - abs(total - 9), 64) for total in range(2, 17)}
for natural, point, tail in (
    (F(1), F(1), ""),
    (F(1), F(6, 5), "-points-6-5"),
    (F(3, 2), F(1), "-naturals-3-2"),
):
    LAWS[f"pharaoh-pass{tail}"] = lambda natural=natural, point=point: point_law(
        P_2D8, (9, 15), (2, 3, 16), 9, natural=natural, made=lambda _: point
    )


def card_totals(copies: int) -> dict[int, F]:
    """Two cards of 6 x copies: copies² deals for a named pair, copies (copies - 1) for a double."""
    deals = 6 * copies * (6 * copies - 1)
    p: dict[int, F] = {}
    for one, other in product(range(1, 7), repeat=2):
        ways = copies * (copies - (one == other))
        p[one + other] = p.get(one + other, F(0)) + F(ways, deals)
    return {total: q for total, q in p.items() if q}


for cards in (6, 24, 48, 264, 312):
    LAWS[f"card-craps-pass-{cards}"] = lambda cards=cards: point_law(
        card_totals(cards // 6), (7, 11), (2, 3, 12), 7
    )
    LAWS[f"card-craps-dont-pass-{cards}"] = lambda cards=cards: against(12, card_totals(cards // 6))

NICKS = {5: (5,), 6: (6, 12), 7: (7, 11), 8: (8, 12), 9: (9,)}


def hazard(main: int, at_odds: bool = False) -> BetLaw:
    outs = tuple(t for t in (2, 3, 11, 12) if t not in NICKS[main])
    pays = (lambda c: F(WAYS[main], WAYS[c])) if at_odds else (lambda c: 1)
    return point_law(P2, NICKS[main], outs, main, made=pays)


def mixture(parts: Iterable[tuple[F, BetLaw]]) -> BetLaw:
    return law((profit, share * p) for share, part in parts for profit, p in part.items())


LAWS["hazard"] = lambda: hazard(7)
for main in NICKS:
    LAWS[f"hazard-caster-main-{main}"] = lambda main=main: hazard(main)
    LAWS[f"hazard-setter-main-{main}"] = lambda main=main: {-x: p for x, p in hazard(main).items()}
    LAWS[f"hazard-chance-at-odds-main-{main}"] = lambda main=main: hazard(main, True)
LAWS["hazard-main-thrown"] = lambda: mixture((F(WAYS[main], 24), hazard(main)) for main in NICKS)
LAWS["hazard-chance-bet"] = lambda: win_or_lose(2, F(3, 9))


def fast_pass() -> BetLaw:
    pays = {4: (5, 4, 3), 5: (4, 3, 2), 6: (3, 2, 1)}
    pairs: list[tuple[F | int, F]] = [(1, P2[11]), (0, P2[7]), (-1, P2[2] + P2[3] + P2[12])]
    for point in (4, 5, 6, 8, 9, 10):
        p, left = P2[point], P2[point]
        for pay in pays[min(point, 14 - point)]:
            pairs += [(pay, left * p), (-1, left * P2[7])]
            left *= 1 - p - P2[7]
        pairs.append((-1, left))
    return law(pairs)


def fast_brick() -> BetLaw:
    pairs: list[tuple[F | int, F]] = [(0, P2[7] + P2[11])]
    pairs.append((-1, sum((P2[t] for t in (2, 3, 5, 9, 12)), F(0))))
    for point in (4, 6, 8, 10):
        stay = 1 - P2[point] - P2[7]
        hard = P2[point] * F(1, 36) * (1 + stay + stay**2)
        pairs += [(25, hard), (-1, P2[point] - hard)]
    return law(pairs)


LAWS["fast-craps-pass"] = LAWS["fast-craps"] = fast_pass
LAWS["street-dice"] = fast_pass
LAWS["fast-craps-brick"] = fast_brick


def high_point() -> BetLaw:
    beat = sum(P2[point] * P2[roll] for point in range(4, 11) for roll in range(point + 1, 13))
    return win_or_lose(1, (P2[11] + P2[12] + beat) / (1 - P2[2] - P2[3]))


LAWS["high-point-pass"] = high_point
SET = F(24, 36)  # the come-out sets a point
LAWS["point-7-mugnolo"] = lambda: win_or_lose(7, SET * P2[7])
LAWS["muggsys-corner"] = lambda: law([(2, P2[7]), (3, SET * P2[7]), (-1, 1 - P2[7] - SET * P2[7])])

# --- one number before another -----------------------------------------------------------------


def before(ways: int, other: int, pays: F | int) -> BetLaw:
    return win_or_lose(pays, F(ways, ways + other))


PAIRS = ((4, "4-10", F(9, 5), F(5, 11)), (5, "5-9", F(7, 5), F(5, 8)), (6, "6-8", F(7, 6), F(4, 5)))
for number, tail, place, against_place in PAIRS:
    w, odds = WAYS[number], TRUE[number]
    simple: list[tuple[str, int, int, F]] = [
        (f"take-odds-{tail}", w, 6, odds),
        (f"lay-odds-{tail}", 6, w, 1 / odds),
        (f"place-{tail}", w, 6, place),
        (f"place-to-lose-{tail}", 6, w, against_place),
        (f"put-{tail}", w, 6, F(1)),
        (f"buy-{tail}-up-front", w, 6, (odds - F(1, 20)) / F(21, 20)),
        (f"buy-{tail}-on-win", w, 6, odds - F(1, 20)),
        (f"lay-{tail}-up-front", 6, w, F(19, 20) / odds / (1 + F(1, 20) / odds)),
        (f"lay-{tail}-on-win", 6, w, F(19, 20) / odds),
    ]
    for name, ways, other, pays in simple:
        LAWS[name] = lambda args=(ways, other, pays): before(*args)
LAWS["buy-4-10-25-1-up-front"] = lambda: before(3, 6, F(49, 26))
LAWS["buy-4-10-25-1-on-win"] = lambda: before(3, 6, F(49, 25))
LAWS["big-6-big-8"] = lambda: before(5, 6, 1)
LAWS["hardway-4-10"] = lambda: before(1, 2 + 6, 7)
LAWS["hardway-6-8"] = lambda: before(1, 4 + 6, 9)
LAWS["hardway-4-10-7-5-1"] = lambda: before(1, 2 + 6, F(15, 2))
LAWS["hardway-6-8-9-5-1"] = lambda: before(1, 4 + 6, F(19, 2))
LAWS["crapless-place-2-12"] = lambda: before(1, 6, F(11, 2))
LAWS["crapless-place-3-11"] = lambda: before(2, 6, F(11, 4))

# --- one roll of two dice ----------------------------------------------------------------------


def two_dice(profit: Callable[[int, int], F | int]) -> BetLaw:
    return law((profit(a, b), F(1, 36)) for a, b in product(range(1, 7), repeat=2))


def on_total(profit: Callable[[int], F | int]) -> BetLaw:
    return two_dice(lambda a, b: profit(a + b))


def field(two: int, twelve: int, plain: tuple[int, ...] = (3, 4, 9, 10, 11)) -> BetLaw:
    return on_total(lambda t: two if t == 2 else twelve if t == 12 else 1 if t in plain else -1)


LAWS["field-2-2"] = lambda: field(2, 2)
LAWS["field-2-3"] = lambda: field(2, 3)
LAWS["field-3-3"] = lambda: field(3, 3)
LAWS["field-1-1"] = lambda: field(1, 1)
LAWS["field-5-for-9"] = lambda: field(2, 2, (3, 4, 5, 10, 11))
for name, totals, pays in (
    ("any-seven", (7,), 4),
    ("any-craps", (2, 3, 12), 7),
    ("aces-2", (2,), 30),
    ("boxcars-12", (12,), 30),
    ("ace-deuce-3", (3,), 15),
    ("yo-11", (11,), 15),
    ("hi-lo-2-or-12", (2, 12), 15),
    ("aces-boxcars-29-1", (12,), 29),
    ("3-or-11-14-1", (11,), 14),
    ("over-7", range(8, 13), 1),
    ("under-7", range(2, 7), 1),
    ("gamesys-dice-odd-even", range(3, 13, 2), 1),
    ("gamesys-dice-total-2-6", range(2, 7), F(7, 5)),
    ("gamesys-dice-seven", (7,), 5),
):
    LAWS[name] = lambda totals=totals, pays=pays: on_total(lambda t: pays if t in totals else -1)
LAWS["hop-easy"] = lambda: two_dice(lambda a, b: 15 if {a, b} == {3, 5} else -1)
LAWS["hop-hard"] = lambda: two_dice(lambda a, b: 30 if a == b == 4 else -1)
LAWS["low-dice"] = lambda: on_total(lambda t: 5 if t == 2 else 1 if t <= 6 else -1)


def units(numbers: Mapping[int, int], seven: int = 0) -> BetLaw:
    """So many units on each of 2, 3, 11 and 12, and on any seven; per unit of all of them."""
    whole = sum(numbers.values()) + seven
    odds = {2: 30, 3: 15, 7: 4, 11: 15, 12: 30}
    on = {**numbers, 7: seven}
    return on_total(lambda t: F((odds.get(t, 0) + 1) * on.get(t, 0) - whole, whole))


LAWS["horn"] = lambda: units({2: 1, 3: 1, 11: 1, 12: 1})
LAWS["horn-high-12-or-2"] = lambda: units({2: 1, 3: 1, 11: 1, 12: 2})
LAWS["horn-high-yo-or-3"] = lambda: units({2: 1, 3: 1, 11: 2, 12: 1})
LAWS["world-whirl"] = lambda: units({2: 1, 3: 1, 11: 1, 12: 1}, seven=1)
LAWS["three-way-craps"] = lambda: units({2: 1, 3: 1, 12: 1})
LAWS["c-e"] = lambda: on_total(lambda t: {2: 3, 3: 3, 12: 3, 11: 7}.get(t, -1))


def iron_cross() -> BetLaw:
    dollars = {2: 10, 3: 5, 4: 5, 5: 2, 6: 2, 7: -22, 8: 2, 9: 5, 10: 5, 11: 5, 12: 15}
    return on_total(lambda t: F(dollars[t], 22))


LAWS["iron-cross"] = iron_cross
LAWS["dice-duel-red-higher"] = lambda: two_dice(
    lambda red, blue: 1 if red > blue else -1 if red < blue or red == 1 else 0
)
LAWS["dice-duel-tie"] = lambda: two_dice(lambda a, b: -1 if a != b else 8 if a == 6 else 4)
LAWS["dice-duel-number"] = lambda: two_dice(lambda a, b: (-1, 2, 4)[(a == 3) + (b == 3)])
LAWS["gamesys-dice-range"] = lambda: two_dice(
    lambda a, b: F(4, 5) if 1 <= a <= 2 or 1 <= b <= 2 else -1
)

# --- one roll of three dice --------------------------------------------------------------------


def three_dice(profit: Callable[[tuple[int, ...]], F | int]) -> BetLaw:
    return law((profit(r), F(1, 216)) for r in product(range(1, 7), repeat=3))


def on_three(pays: F | int, test: Callable[[tuple[int, ...]], bool]) -> BetLaw:
    return three_dice(lambda roll: pays if test(roll) else -1)


SIC_BO_TOTALS = (
    *((4, 50), (4, 60), (4, 62), (5, 18), (5, 30), (5, 31), (6, 14), (6, 17), (6, 18)),
    *((7, 12), (8, 8), (9, 6), (9, 7), (10, 6)),
)
for total, pays in SIC_BO_TOTALS:
    LAWS[f"sic-bo-total-{total}-{21 - total}-{pays}-1"] = lambda total=total, pays=pays: on_three(
        pays, lambda r: sum(r) == 21 - total
    )
for total, pays in ((4, 60), (5, 30), (6, 18), (7, 12), (8, 8), (9, 6), (10, 6)):
    for word in ("for", "to"):
        LAWS[f"grand-hazard-{total}-{21 - total}-{pays}-{word}-1"] = (
            lambda total=total, profit=pays - (word == "for"): on_three(
                profit, lambda r: sum(r) == 21 - total
            )
        )
LAWS["sic-bo-small-big"] = lambda: on_three(1, lambda r: sum(r) > 10 and len(set(r)) > 1)
LAWS["grand-hazard-high-low"] = lambda: on_three(1, lambda r: sum(r) % 2 == 1 and len(set(r)) > 1)
for pays in (150, 180):
    LAWS[f"sic-bo-triple-{pays}-1"] = lambda pays=pays: win_or_lose(pays, F(1, 216))
for pays in (24, 30, 31):
    LAWS[f"sic-bo-any-triple-{pays}-1"] = lambda pays=pays: win_or_lose(pays, F(1, 36))
for pays in (8, 10, 11):
    LAWS[f"sic-bo-double-{pays}-1"] = lambda pays=pays: win_or_lose(pays, F(3 * 5 + 1, 216))
for pays in (5, 6):
    LAWS[f"sic-bo-two-numbers-{pays}-1"] = lambda pays=pays: win_or_lose(
        pays, 1 - 2 * F(5, 6) ** 3 + F(4, 6) ** 3
    )
LAWS["sic-bo-three-numbers"] = lambda: win_or_lose(30, F(6, 216))
LAWS["sic-bo-pair-and-one"] = lambda: win_or_lose(50, F(3, 216))
LAWS["sic-bo-four-numbers"] = lambda: win_or_lose(7, F(4 * 3 * 2, 216))
for triple in range(3, 13):
    LAWS[f"chuck-a-luck-1-2-{triple}"] = lambda triple=triple: law(
        [(-1, F(125, 216)), (1, F(75, 216)), (2, F(15, 216)), (triple, F(1, 216))]
    )
LAWS["chuck-a-luck-field-5-8-13-16"] = lambda: on_three(
    1, lambda r: 5 <= sum(r) <= 8 or 13 <= sum(r) <= 16
)
LAWS["chuck-a-luck-field-3-7-13-18"] = lambda: on_three(1, lambda r: sum(r) <= 7 or sum(r) >= 13)
LAWS["chuck-a-luck-under-10-over-11"] = lambda: on_three(1, lambda r: sum(r) > 11)

# --- other games -------------------------------------------------------------------------------


def cee_lo() -> BetLaw:
    """Of the 108 rolls that mean something: 27 win, 21 lose, 15 for each of four points."""
    kinds: dict[object, int] = {}
    for roll in product(range(1, 7), repeat=3):
        faces = sorted(roll)
        if len(set(faces)) == 1 or faces == [4, 5, 6]:
            kind: object = "win"
        elif faces == [1, 2, 3]:
            kind = "lose"
        elif len(set(faces)) == 3:
            continue
        else:
            odd = next(f for f in faces if faces.count(f) == 1)
            kind = "win" if odd == 6 else "lose" if odd == 1 else odd
        kinds[kind] = kinds.get(kind, 0) + 1
    whole = sum(kinds.values())
    p = {kind: F(n, whole) for kind, n in kinds.items()}
    points = F(4 * 15, 108)
    won = p["lose"] + points * p["win"] + 6 * F(15, 108) ** 2
    tied = 4 * F(15, 108) ** 2
    return law([(1, won), (0, tied), (-1, 1 - won - tied)])


LAWS["cee-lo-player"] = cee_lo
LAWS["barbudi"] = lambda: win_or_lose(1, F(1, 2))
LAWS["barbudi-5-charge"] = lambda: win_or_lose(F(19, 20), F(1, 2))
LAWS["barbut"] = lambda: law([(1, F(4, 10)), (F(1, 2), F(1, 10)), (-1, F(5, 10))])


def klondike() -> BetLaw:
    """Two hands of five dice; a hand's worth is a number in base 8, its kind first."""
    kinds = [[1] * 5, [1, 1, 1, 2], [1, 2, 2], [1, 1, 3], [2, 3], [1, 4], [5]]
    hands: dict[int, int] = {}
    for faces in combinations_with_replacement(range(2, 8), 5):  # an ace is 7
        counts = {f: faces.count(f) for f in set(faces)}
        ways = factorial(5) // prod(map(factorial, counts.values()))
        best = sorted((f for f in counts if counts[f] > 1), key=lambda f: (-counts[f], -f))
        worth = kinds.index(sorted(counts.values())) * 64
        worth += sum(f * 8 ** (1 - i) for i, f in enumerate(best))
        hands[worth] = hands.get(worth, 0) + ways
    wins = sum(a * b for mine, a in hands.items() for bank, b in hands.items() if mine > bank)
    return win_or_lose(1, F(wins, 6**10))


LAWS["klondike-win-lose"] = klondike
LAWS["klondike-beat-two-aces"] = lambda: win_or_lose(1, F(1800 + 1200 + 300 + 150 + 6, 6**5))
LAWS["de-mere-six-in-4"] = lambda: win_or_lose(1, 1 - F(5, 6) ** 4)
LAWS["de-mere-double-six-in-24"] = lambda: win_or_lose(1, 1 - F(35, 36) ** 24)
