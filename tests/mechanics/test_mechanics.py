"""Forty mechanics that people ask about in public, each in a few lines, and each by another way.

The docstring of a mechanic has its source and the question in our words. Its body is what a user
would write; the function or value in `@mechanic` works the answer out without this library's laws:
by listing all rolls, by a closed form, or from a published figure.
"""

import ast
import inspect
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod
from statistics import median
from textwrap import dedent
from typing import Any

import pytest

import sevenout as so

F = Fraction
MECHANICS: dict[str, tuple[Callable[[], Any], Any]] = {}


def mechanic(witness: Any) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    """A mechanic, and its value by another way: a function, or the value itself."""

    def keep(function: Callable[[], Any]) -> Callable[[], Any]:
        MECHANICS[function.__name__] = function, witness
        return function

    return keep


def listed(*sides: Any, read: Callable[..., Any]) -> dict[Any, Fraction]:
    """The distribution of a function of the faces, over all rolls one by one."""
    dice = [range(1, n + 1) if isinstance(n, int) else n for n in sides]
    counts = Counter(read(*faces) for faces in product(*dice))
    return {x: F(n, counts.total()) for x, n in counts.items()}


def chance(*sides: Any, of: Callable[..., bool]) -> Fraction:
    """The probability of an event, over all rolls one by one."""
    return listed(*sides, read=lambda *faces: bool(of(*faces))).get(True, F(0))


def binomial(n: int, p: Fraction) -> dict[int, Fraction]:
    return {k: comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)}


# --- sums, keeps, rerolls ----------------------------------------------------------------------


@mechanic(lambda: listed(6, 6, 6, 6, read=lambda *f: sum(sorted(f)[1:])))
def ability_score():
    """D&D, character creation: four six-sided dice without the lowest."""
    return so.roll("4d6kh3")


@mechanic(1 - F(14, 20) ** 2)
def advantage():
    """D&D 5e, advantage: at least 15 on the better of two d20."""
    return so.roll("2d20kh1").at_least(15)


@mechanic(
    lambda: listed(*[[1, 2, 3, 4, 5, 6]] * 4, read=lambda a, b, c, d: _gwf(a, b) + _gwf(c, d))
)
def great_weapon():
    """D&D 5e, great weapon fighting: 2d6, each 1 or 2 rolled again once."""
    return so.roll("2d6ro<3")


def _gwf(first: int, second: int) -> int:
    return second if first < 3 else first


@mechanic(lambda: listed(6, 6, 6, 6, read=lambda *f: sum(max(2, x) for x in f)))
def elemental_adept():
    """D&D 5e, elemental adept: each 1 of the damage counts as a 2, here of 4d6."""
    return 4 @ so.d6.map({1: 2})


def half_on_a_save() -> Fraction:
    full = listed(6, 6, 6, 6, read=lambda *f: sum(f))
    saved = sum(p for x, p in full.items() if x // 2 >= 10)
    return F(8, 20) * saved + F(12, 20) * sum(p for x, p in full.items() if x >= 10)


@mechanic(half_on_a_save)
def fireball():
    """D&D 5e: 4d6 fire damage, half of it on a saving throw of d20+2 against 15; at least 10."""
    damage = so.roll("4d6")
    return so.mixture({damage // 2: 8, damage: 12}).at_least(10)


def attacks_listed() -> Fraction:
    hit = listed(6, 6, read=lambda a, b: a + b + 2)
    one: dict[int, Fraction] = {0: F(11, 20)}
    for damage, p in hit.items():
        for x, weight in ((damage // 2, F(1, 20)), (damage, F(8, 20))):
            one[x] = one.get(x, F(0)) + p * weight
    return sum(one[a] * one[b] * one[c] for a, b, c in product(one, repeat=3) if a + b + c >= 20)


@mechanic(attacks_listed)
def three_attacks():
    """D&D-like: three attacks at +4; a total of 16 does half of 2d6+2, more does all; 20 in sum."""
    hit = so.roll("2d6+2")
    attack = (so.d20 + 4).own_law.map(lambda t: 0 if t < 16 else hit // 2 if t == 16 else hit)
    return (3 @ attack).at_least(20)


@mechanic(lambda: listed(6, 6, 6, read=lambda *f: sorted(f)[1]))
def middle_die():
    """AnyDice, `output 2@3d6`: the middle of three dice."""
    return so.pool("3d6").middle().sum()


@mechanic(lambda: listed(8, 6, 10, read=lambda *f: sum(sorted(f)[1:])))
def cortex():
    """Cortex Prime: the two highest of a d8, a d6 and a d10."""
    return so.pool("d8", "d6", "d10").highest(2).sum()


@mechanic(lambda: listed(4, 6, 6, 6, 6, read=lambda n, *f: sum(f[:n])))
def a_random_number_of_dice():
    """AnyDice, `output (d4)d6`: a d4 says how many d6 are added."""
    return so.roll("(d4)d6")


@mechanic(F(135, 216))
def hero_roll():
    """Hero System: 11 or less on 3d6 (62.5 % by its rule book)."""
    return so.roll("3d6").at_most(11)


@mechanic(lambda: listed(*[[-1, 0, 1]] * 8, read=lambda *f: sum(f[:4]) > sum(f[4:]))[True])
def fate_opposed():
    """Fate Core: four Fudge dice beat four others."""
    return so.roll("4dF > 4dF").p()


@mechanic(F(2, 3))
def efron():
    """Efron's dice (Gardner 1970): 4,4,4,4,0,0 against 3,3,3,3,3,3."""
    return so.law([4, 4, 4, 4, 0, 0]).beats(so.law([3] * 6))


@mechanic(lambda: dict(listed(6, 6, read=lambda a, b: a + b)))
def sicherman():
    """Sicherman's dice (Gardner 1978): the totals of two ordinary dice."""
    return so.law([1, 2, 2, 3, 3, 4]) + so.law([1, 3, 4, 5, 6, 8])


@mechanic(lambda: chance(8, 6, of=lambda a, b: a > b) / chance(8, 6, of=lambda a, b: a != b))
def ties_again():
    """rpg.stackexchange, opposed rolls: d8 against d6, ties rolled again; the d8 wins."""
    return so.each("d8", "d6").given(lambda a, b: a != b).p(lambda pair: pair[0] > pair[1])


# --- successes -----------------------------------------------------------------------------------


@mechanic(lambda: binomial(8, F(3, 10)))
def target_number():
    """A pool of 8d10, success on 8 or more (rpg threads on target number pools)."""
    return so.roll("8d10>=8")


@mechanic((F(7, 10) ** 5, 5 * F(3, 9)))
def ten_again():
    """Chronicles of Darkness: 5d10, success on 8, tens rolled again; P(none), and the mean."""
    pool = so.roll("5d10!>=8")
    return pool.pmf(0), pool.mean


@mechanic(F(3, 7))
def eight_again():
    """Chronicles of Darkness, 8-again: the mean number of successes of a die."""
    return so.roll("d10!8>=8").mean


@mechanic(lambda: listed(10, 10, 10, read=lambda *f: sum((x >= 7) + (x == 10) for x in f)))
def exalted():
    """Exalted: success on 7 or more, tens count twice, here of 3d10."""
    return 3 @ so.d10.map(lambda face: (face >= 7) + (face == 10))


@mechanic(lambda: chance(*[6] * 6, of=lambda *f: 2 * f.count(1) > 6 and all(x < 5 for x in f)))
def shadowrun():
    """Shadowrun 5: 6d6, a critical glitch is more than half ones and no 5 or 6."""
    count = 6 @ so.d6.map(lambda face: so.Vector(face >= 5, face == 1))
    return count.p(lambda v: v[0] == 0 and v[1] > 3)


@mechanic(lambda: listed(*[6] * 5, read=lambda *f: _degenesis(f)))
def degenesis():
    """github.com/Humblemonk/DiceMaiden/issues/111: successes from 4, sixes and ones of one roll."""
    count = 5 @ so.d6.map(lambda face: so.Vector(face >= 4, face == 6, face == 1))
    return count.map(
        lambda v: "botch" if v[2] > v[0] else ("success", v[1]) if v[0] > 2 else "fail"
    )


def _degenesis(faces: tuple[int, ...]) -> Any:
    hits, ones = sum(x >= 4 for x in faces), faces.count(1)
    return "botch" if ones > hits else ("success", faces.count(6)) if hits > 2 else "fail"


@mechanic(lambda: listed(*[6] * 5, read=lambda *f: sum(x >= 4 for x in f) - f.count(1) // 2))
def two_ones_are_a_failure():
    """github.com/ArtemGr/Sidekick/issues/159: each two ones take away one success."""
    count = 5 @ so.d6.map(lambda face: so.Vector(face >= 4, face == 1))
    return count.map(lambda v: v[0] - v[1] // 2)


@mechanic(lambda: binomial(5, 1 - F(5, 6) ** 2))
def year_zero_push():
    """Alien, Year Zero Engine: 5d6, all but the sixes rolled again once; the sixes."""
    return so.roll("5d6ro<6>=6")


@mechanic(lambda: binomial(6, 1 - F(5, 6) ** 3))
def king_of_tokyo():
    """King of Tokyo: six dice, three rolls, keeping each claw; the claws."""
    return so.d6.reroll({1, 2, 3, 4, 5}, depth=2).pool(6).count(6)


@mechanic(lambda: chance(*[10] * 5, of=lambda *f: f.count(10) >= 2 and 10 in f[3:]))
def messy_critical():
    """Vampire 5: a pair of tens, at least one on the two hunger dice, of five dice."""
    return so.each("3d10=10", "2d10=10").p(lambda tens, hunger: hunger and tens + hunger >= 2)


@mechanic(lambda: binomial(10, F(2, 3) * F(1, 2) * F(2, 3)))
def wargame_sequence():
    """Warhammer 40,000: 10 attacks hit on 3+, wound on 4+, saved on 5+; unsaved wounds."""
    return so.roll("10d6>=3") @ so.law([0, 1]) @ so.law({0: 1, 1: 2})


# --- explosions ----------------------------------------------------------------------------------


@mechanic(1 - F(3, 8) * F(3, 6))
def wild_die():
    """insomnihack.com, Savage Worlds: a d8 and a wild d6, both open-ended, against 4."""
    return so.roll("max(d8!, d6!)").at_least(4)


@mechanic(
    lambda: sum(F(1, 10**5) for f in product(range(1, 10), repeat=5) if sum(sorted(f)[2:]) == 9)
)
def roll_and_keep():
    """Legend of the Five Rings: 5d10, tens explode, keep three; exactly 9."""
    return so.roll("5d10!kh3").pmf(9)


@mechanic(sum(F(1, 100) * F(101 - (150 - x), 100) for x in range(96, 101)))
def open_ended():
    """Rolemaster: d100, rolled again and added from 96 up; at least 150."""
    return so.roll("d100!96").at_least(150)


@mechanic(F(21, 2) + F(21, 5))
def star_wars_d6():
    """West End's D6 system: three dice and a wild one that is rolled again on a six; the mean."""
    return so.roll("3d6+d6!").mean


# --- pools, face by face -----------------------------------------------------------------------


@mechanic({0: F(2275, 7776), 1: F(2611, 7776), 2: F(2890, 7776)})
def risk():
    """Risk: three attackers against two defenders; the armies lost by the defence."""
    return so.pool("3d6").sort_pair(">", so.pool("2d6"))


@mechanic(F(300, 7776))
def full_house():
    """Yahtzee: a full house in one roll."""
    return so.pool("5d6").sets().p((3, 2))


@mechanic(F(240, 7776))
def large_straight():
    """Yahtzee: five in a row in one roll."""
    return so.pool("5d6").longest_run().at_least(5)


@mechanic(lambda: listed(10, 10, 10, 10, read=lambda *f: max((f.count(x), x) for x in f)))
def one_roll_engine():
    """github.com/rollem-discord/rollem-discord/issues/132: the widest, then highest set of 4d10."""
    return so.pool("4d10").best_set()


@mechanic(lambda: listed(*[6] * 6, read=lambda *f: _highest_first(f[:3], f[3:])))
def opposed_pools():
    """rpg.stackexchange, opposed pools: highest dice compared, then the next; 3 against 3."""
    step = lambda winner, face, a, b: winner or (a > b) - (a < b)  # noqa: E731
    return so.pool("3d6").by_face(step, so.pool("3d6"), start=0)


def _highest_first(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    a, b = sorted(one, reverse=True), sorted(other, reverse=True)
    return (a > b) - (a < b)


@mechanic(lambda: listed(20, 20, 20, 20, read=lambda a, b, c, d: _infinity((a, b), (c, d))))
def infinity():
    """github.com/HighDiceRoller/icepool/issues/100: hits above the other side's best success."""

    def step(net, face, a, b):
        beaten = isinstance(net, tuple) or not face or (b if net > 0 else a if net < 0 else a and b)
        return net if isinstance(net, tuple) or not face else (net,) if beaten else net + a - b

    mine, yours = (so.d20.map(lambda x, s=s: x if x <= s else 0).pool(2) for s in (14, 12))
    return mine.by_face(step, yours, start=0).map(lambda n: n[0] if isinstance(n, tuple) else n)


def _infinity(mine: tuple[int, ...], yours: tuple[int, ...]) -> int:
    a, b = [x for x in mine if x <= 14], [x for x in yours if x <= 12]
    return sum(x > max(b, default=0) for x in a) - sum(x > max(a, default=0) for x in b)


@mechanic(lambda: listed(*[6] * 5, read=lambda *f: _cancelled(f[:3], f[3:])))
def cancelling_dice():
    """rpg.stackexchange, "a complicated dice pool mechanic": a negative hit cancels a lower one."""

    def step(state, face, good, bad):
        spare, net = state[0] + bad * (face > 3), state[1]
        used = min(spare, good * (face > 3))
        return spare - used, net + good * (face > 3) - used

    return so.pool("3d6").by_face(step, so.pool("2d6"), start=(0, 0), finish=lambda s: s[1])


def _cancelled(good: tuple[int, ...], bad: tuple[int, ...]) -> int:
    left = [x for x in good if x > 3]
    for hit in sorted(x for x in bad if x > 3):
        if lower := [x for x in left if x <= hit]:
            left.remove(max(lower))
    return len(left)


@mechanic(lambda: listed(6, 6, 6, read=lambda *f: _blades(sorted(f))))
def blades_in_the_dark():
    """Blades in the Dark: the highest of 3d6; two sixes are critical."""
    top = so.pool("3d6").highest(2).hands
    return top.map(lambda h: "crit" if h == (6, 6) else "6" if h[1] == 6 else h[1] > 3)


def _blades(faces: list[int]) -> Any:
    return "crit" if faces[-2] == 6 else "6" if faces[-1] == 6 else faces[-1] > 3


@mechanic(lambda: listed(6, 10, 10, read=lambda a, b, c: sum(min(a + 2, 10) > x for x in (b, c))))
def ironsworn():
    """Ironsworn: d6+2, at most 10, against two d10: how many are beaten."""
    return so.each("d6", so.pool("2d10").hands).map(lambda a, two: sum(a + 2 > x for x in two))


@mechanic(lambda: chance(6, 6, 6, 6, of=lambda *f: any(a + b == 7 for a, b in combinations(f, 2))))
def cant_stop():
    """Can't Stop: two of four dice make 7 (64 % on the box)."""
    pairs = so.pool("4d6").hands.map(lambda hand: any(7 - x in hand for x in hand))
    return pairs.p()


# --- symbols, cards ------------------------------------------------------------------------------


GREEN = ((0, 0), (1, 0), (1, 0), (2, 0), (0, 1), (0, 1), (1, 1), (0, 2))
PURPLE = ((0, 0), (-1, 0), (-2, 0), (0, -1), (0, -1), (0, -1), (0, -2), (-1, -1))


@mechanic(lambda: chance(GREEN, GREEN, PURPLE, of=lambda *f: sum(x for x, _ in f) > 0))
def genesys():
    """Genesys: two ability dice against a difficulty die; a net success."""
    green, purple = (so.law([so.Vector(*face) for face in dice]) for dice in (GREEN, PURPLE))
    return (2 @ green + purple).p(lambda symbols: symbols[0] > 0)


@mechanic(F(comb(3, 2) * comb(10, 1) + comb(3, 3), comb(13, 3)))
def zombie_dice():
    """Zombie Dice: at least two red dice in the first handful of three."""
    cup = so.deck({"green": 6, "yellow": 4, "red": 3})
    return cup.deal(3).count("red").at_least(2)


@mechanic(F(13 * comb(4, 3) * 12 * comb(4, 2), comb(52, 5)))
def poker():
    """Poker: a full house in five cards."""
    return so.deck([*range(13)] * 4).deal(5).sets().p((3, 2))


@mechanic(lambda: {k: F(comb(7, k) * comb(3, 5 - k), comb(10, 5)) for k in range(2, 6)})
def opening_hand():
    """Dominion: the coppers among five cards of seven coppers and three estates."""
    return so.deck({1: 7, 0: 3}).deal(5).sum()


@mechanic(F(4 * 16 * 2, 52 * 51))
def blackjack():
    """Blackjack: an ace and a ten in two cards."""
    return so.deck({"ace": 4, "ten": 16, "other": 32}).deal(2).hands.p(("ace", "ten"))


@pytest.mark.parametrize("name", MECHANICS)
def test_a_mechanic_has_the_value_worked_out_another_way(name: str) -> None:
    function, witness = MECHANICS[name]
    value = function()
    right = witness() if callable(witness) else witness
    assert (dict(value) if isinstance(value, so.Law) else value) == right


def lines(function: Callable[[], Any]) -> int:
    """The lines of a mechanic's body, without its docstring and blank lines."""
    (tree,) = ast.parse(dedent(inspect.getsource(function))).body
    text = [line for node in tree.body[1:] for line in ast.unparse(node).splitlines()]
    return len([line for line in text if line.strip()])


def test_forty_mechanics_of_few_lines() -> None:
    sizes = {name: lines(function) for name, (function, _) in MECHANICS.items()}
    assert len(sizes) >= 40
    assert max(sizes.values()) <= 6, max(sizes, key=sizes.__getitem__)
    assert median(sizes.values()) <= 3
    assert prod(bool(function.__doc__) for function, _ in MECHANICS.values())
