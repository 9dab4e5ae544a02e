"""The games with choices: their rules written a second time, and solved by recursion.

Over every roll of dice told apart.
"""

from collections import Counter
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, permutations, product

import pytest

import sevenout as so
from sevenout.catalogue import games
from sevenout.catalogue.board_games import boards, epc, named
from sevenout.errors import TooMuchWorkError


def quick(name, **options):
    return so.best(games(name, **options), **games.entry(name).goal)


def rolls(dice, sides=6):
    """How often each hand comes."""
    return Counter(tuple(sorted(r)) for r in product(range(1, sides + 1), repeat=dice))


def mean(dice, worth, sides=6):
    law = rolls(dice, sides)
    return sum((n * Fraction(worth(hand)) for hand, n in law.items()), Fraction(0)) / law.total()


def subsets(hand):
    return {c for size in range(1, len(hand) + 1) for c in combinations(hand, size)}


def left_of(hand, kept):
    return tuple((Counter(hand) - Counter(kept)).elements())


@pytest.mark.parametrize("dice", [1, 2, 3, 4])
def test_threes_again(dice):
    @cache
    def least(dice):
        def of(hand):
            return min(
                sum(f for f in kept if f != 3) + least(dice - len(kept)) for kept in subsets(hand)
            )

        return mean(dice, of) if dice else Fraction(0)

    assert quick("threes", dice=dice).value == least(dice)


@pytest.mark.parametrize(("dice", "needed"), [(3, (1, 4)), (4, (1, 4)), (3, (2,)), (3, ())])
def test_midnight_again(dice, needed):
    @cache
    def most(kept):
        if len(kept) == dice:
            if set(needed) <= set(kept):
                return Fraction(sum(kept) - sum(needed))
            return Fraction(0)
        return mean(
            dice - len(kept),
            lambda hand: max(most(tuple(sorted(kept + more))) for more in subsets(hand)),
        )

    assert quick("midnight", dice=dice, needed=needed).value == most(())


def test_midnight_scores_as_often_as_in_21_rolls_of_a_die():
    """One die kept at a time, 6 + 5 + ... + 1 dice are rolled: more can't be had."""
    missed = 2 * Fraction(5, 6) ** 21 - Fraction(4, 6) ** 21
    assert so.best(games("midnight"), least="no score").value == missed


@pytest.mark.parametrize("either", [False, True])
def test_ship_captain_and_crew_again(either):
    @cache
    def most(kept, left):
        def of(hand):
            have, free = list(kept), list(hand)
            for face in (6, 5, 4)[len(have) :]:
                if face not in free:
                    break
                have.append(face)
                free.remove(face)
            if len(have) < 3:
                return most(tuple(have), left - 1) if left > 1 else 0
            options = [sum(free)]
            if left > 1:
                options.append(most(tuple(have), left - 1))
                if either:
                    options += [face + one(left - 1) for face in free]
            return max(options)

        return mean(5 - len(kept), of)

    @cache
    def one(left):
        return mean(1, lambda hand: max(hand[0], one(left - 1)) if left > 1 else hand[0])

    value = so.best(games("ship-captain-and-crew", either=either), "points").value
    if either:
        # With one die kept, both may still be rolled on: the recursion above leaves that out.
        assert value >= most((), 3)
    else:
        assert value == most((), 3)


def scored(table, dice):
    """The most that dice are worth if each of them scores, by taking sets of them away."""
    if not dice:
        return 0
    found = []
    counts = Counter(dice)
    if len(dice) == 6:
        if len(counts) == 6:
            found.append(1500)
        if sorted(counts.values()) in ([2, 2, 2], [2, 4]):
            found.append(1500)
        if sorted(counts.values()) == [3, 3] and table == "farkle":
            found.append(2500)
    face = dice[0]
    for n in range(1, counts[face] + 1):
        worth = {1: 100, 5: 50}.get(face, 0) * n if n < 3 else (1000 if face == 1 else 100 * face)
        if n > 3:
            worth = (n - 3) * 1000 if table == "farkle" else worth * 2 ** (n - 3)
        rest = scored(table, left_of(dice, (face,) * n))
        if worth and rest is not None:
            found.append(worth + rest)
    return max(found, default=None)


@pytest.mark.parametrize(("game", "least"), [("farkle", 0), ("farkle", 350), ("zilch", 300)])
def test_farkle_and_zilch_again(game, least):
    goal = 600
    scores = cache(partial(scored, game))

    @cache
    def most(points, dice):
        def of(hand):
            takes = {}
            for kept in subsets(hand):
                if worth := scores(kept):
                    takes[len(kept)] = max(worth, takes.get(len(kept), 0))
            if not takes and dice == 6 and game == "zilch":
                takes[6] = 500
            return max((then(points + w, dice - n or 6) for n, w in takes.items()), default=0)

        def then(now, left):
            if now >= goal:
                return now
            return max(now * (now >= least), most(now, left))

        return mean(dice, of)

    assert quick(f"{game}-turn", goal=goal, least=least).value == most(0, 6)


@pytest.mark.parametrize("one_die", ["never", "low sum", "high shut", "always", "only"])
@pytest.mark.parametrize("shut", ["any", "two", "dice"])
def test_shut_the_box_again(one_die, shut):
    tiles = 6 if one_die == "only" else 8

    def may(box):
        return {
            "never": False,
            "only": False,
            "always": True,
            "low sum": sum(box) <= 6,
            "high shut": not box & {7, 8, 9},
        }[one_die]

    def ways(box, hand):
        for size in range(1, {"any": 9}.get(shut, 2) + 1):
            for tiles in combinations(sorted(box), size):
                if sum(tiles) == sum(hand) and (shut != "dice" or size == 1 or tiles == hand):
                    yield frozenset(tiles)

    @cache
    def value(box, goal):
        if not box:
            return Fraction(goal == "shut")

        def of(hand):
            then = [value(box - tiles, goal) for tiles in ways(box, hand)]
            if goal == "shut":
                return max(then, default=0)
            return min(then, default=sum(box))

        dice = [1, 2] if may(box) else [1] if one_die == "only" else [2]
        return (max if goal == "shut" else min)(mean(n, of) for n in dice)

    game = games("shut-the-box", tiles=tiles, one_die=one_die, shut=shut)
    whole = frozenset(range(1, tiles + 1))
    assert so.best(game, "shut").value == value(whole, "shut")
    assert so.best(game, least="points").value == value(whole, "points")


def test_open_tiles_may_be_read_as_a_number():
    """Of two tiles, a 3 shuts both and a 2 leaves the 1, which two dice can't shut."""
    game = games("shut-the-box", tiles=2, one_die="never", score="digits")
    assert so.best(game, least="points").value == 12 * Fraction(33, 36) + 1 * Fraction(1, 36)


def off_in(board):
    """The mean number of rolls of a board, one checker's steps after another's."""
    if not board:
        return Fraction(0)
    return _off_in(tuple(sorted(board)))


@cache
def _off_in(board):
    def after(board, dice):
        if not dice or not board:
            yield board
            return
        die, *others = dice
        for i, point in enumerate(board):
            if point >= die or (point == board[-1]):
                moved = [] if point <= die else [point - die]
                yield from after(tuple(sorted([*board[:i], *board[i + 1 :], *moved])), others)

    total = Fraction(0)
    for a, b in product(range(1, 7), repeat=2):
        orders = [(a,) * 4] if a == b else permutations((a, b))
        total += min(off_in(then) for order in orders for then in after(board, order))
    return 1 + total / 36


def test_bearing_off_again():
    """Every board of up to three checkers, from one model."""
    game = so.best(games("bear-off-every", checkers=3), least="rolls")
    found = {o.name: o.value for options in game.margins.values() for o in options}
    drawn = [board for n in range(1, 4) for board in boards(n)]
    truth = {b: off_in([i + 1 for i, n in enumerate(b) for _ in range(n)]) for b in drawn}
    assert game.value == 1 + sum(truth.values()) / len(drawn)
    checked = 0
    for board, value in truth.items():
        assert found.get(named(board), value) == value
        checked += named(board) in found
    assert checked > 60
    for board in [(0, 0, 0, 0, 0, 1), (0, 0, 0, 0, 1, 1), (1, 0, 1, 0, 0, 1)]:
        assert quick("bear-off", board=board).value == truth[board]
    assert quick("bear-off", board=(3, 2, 1, 1)).value == off_in([1, 1, 1, 2, 2, 3, 4])
    assert truth[0, 0, 0, 0, 0, 1] == Fraction(5, 4)
    assert epc(truth[1, 0, 0, 0, 0, 0]) == Fraction(49, 6)


def test_more_boards_than_can_be_solved_are_refused_at_once():
    games("bear-off-every", checkers=14).afford()
    game = games("bear-off-every", checkers=15)
    with pytest.raises(TooMuchWorkError, match="1,193,786 states, would take"):
        so.explore(game)


def test_a_race_of_two_checkers_each():
    """Whoever bears off within the first roll wins; else the other has one roll, and so on."""
    game = quick("bear-off-race", board=(0, 0, 0, 0, 1, 1), other=(0, 1, 0, 0, 0, 0))
    assert game.value == Fraction(6, 36)  # the doubles but 1-1 and 2-2, and 6-5
    game = quick("bear-off-race", board=(0, 0, 0, 0, 0, 1), other=(0, 0, 0, 0, 0, 1))
    p = Fraction(3, 4)
    q = 1  # whatever is left after a roll is borne off with the next
    assert game.value == p + (1 - p) * (1 - p) * q


def test_risk_again():
    @cache
    def wins(attack, defend):
        if not attack or not defend:
            return Fraction(not defend)
        ours, theirs = min(attack, 3), min(defend, 2)
        total = Fraction(0)
        for roll in product(range(1, 7), repeat=ours + theirs):
            a, d = sorted(roll[:ours])[::-1], sorted(roll[ours:])[::-1]
            lost = [x <= y for x, y in zip(a, d, strict=False)]
            total += wins(attack - sum(lost), defend - (len(lost) - sum(lost)))
        return total / 6 ** (ours + theirs)

    for attackers, defenders in ((1, 1), (3, 2), (4, 3), (2, 5)):
        battle = so.solve(games("risk-battle", attackers=attackers, defenders=defenders))
        assert battle.p("attacker wins") == wins(attackers, defenders)
