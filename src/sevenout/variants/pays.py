"""Pay tables by exact search: all of them whose house edge lies in an interval.

A bet's edge is linear in its pays: with p(g, r) the probability of making a point of group g on
roll r, it is a constant less Σ p(g, r) · pay(g, r). A table is a row of pays for each group; the
rows that fall from roll to roll are listed once, in the order of their worth Σ p · pay. Then rows
are chosen group by group, rarest first, and a choice is left as soon as the best or the worst that
the remaining groups could add keeps the edge out of the interval; the last row is a range of the
sorted list. Nothing is sampled, and everything is compared in whole numbers.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from heapq import heappush, heapreplace
from itertools import combinations, combinations_with_replacement, product
from math import ceil, comb, floor, lcm
from typing import TYPE_CHECKING, Any, Literal

from sevenout.errors import RulesError
from sevenout.rules import Line, PointGame
from sevenout.rules.game import Number, exact
from sevenout.variants.paytable import Group, PayTable, PayTables
from sevenout.variants.residues import LIMB

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ByRoll = Literal["falling", "not rising", "free"]
ByPoint = Literal["rising", "not falling", "free"]
Wish = Literal["edge", "variance", "top"]

MAX_ROWS = 3_000


def paytables(
    game: PointGame,
    edge: tuple[Number, Number],
    *,
    bet: str = "pass",
    step: Number = 1,
    pays: tuple[Number, Number] = (1, 10),
    groups: Sequence[Group] | None = None,
    by_roll: ByRoll = "falling",
    by_point: ByPoint = "rising",
    wish: Wish = "edge",
    target: Number | None = None,
    top: int = 10,
) -> PayTables:
    """All pay tables for making the point whose house edge lies in an interval, the best first.

    >>> craps = PointGame([7, 11], [2, 3, 12], 7)
    >>> found = paytables(craps, ("1/100", "2/100"), step="1/10", pays=("1/2", "3/2"))
    >>> found.count, found.considered, found.tables[0].edge
    (13, 165, Fraction(38, 2475))
    >>> found.tables[0].to_dict()["pays"]
    {'4,10': ['3/2'], '5,9': ['11/10'], '6,8': ['7/10']}

    Args:
        game: a point game; what its bet pays for points is replaced, the rest stays.
        edge: the least and the most house edge per bet made, both included.
        bet: the bet.
        step: pays are multiples of it.
        pays: the least and the most that a point may pay.
        groups: points that pay alike, rarest first; those that the bet's schedule has, if it has
            any, or else points of equal probability.
        by_roll: how pays go from roll to roll: "falling", "not rising" or "free".
        by_point: how they go from commoner to rarer groups: "rising", "not falling" or "free".
        wish: what makes a table good: an "edge" nearest to `target`, the lowest "variance", or the
            highest "top" pay; ties go to the nearer edge.
        target: an edge; the middle of the interval, if not given.
        top: how many tables to return.

    Raises:
        RulesError: numbers out of order, unknown words, groups that are not the points, more rows
            or tables than can be searched.
    """
    for name, given, known in (
        ("by_roll", by_roll, ("falling", "not rising", "free")),
        ("by_point", by_point, ("rising", "not falling", "free")),
        ("wish", wish, ("edge", "variance", "top")),
    ):
        if given not in known:
            raise RulesError(f"{name}={given!r}; it is {', '.join(map(repr, known))}")
    low, high = exact(edge[0]), exact(edge[1])
    if low > high:
        raise RulesError(f"edge from {low} to {high}; put the smaller first")
    if top < 0:
        raise RulesError(f"top={top}; return 0 tables or more")
    search = _Search.of(game, bet, groups)
    grid = _grid(exact(step), exact(pays[0]), exact(pays[1]))
    rows = _rows(grid, game.limit or 1, by_roll)
    units = lcm(*(pay.denominator for row in rows for pay in row))
    tree = _Tree.of(search, rows, units, by_point)
    aim = (low + high) / 2 if target is None else exact(target)
    heap: list[tuple[int, int, int, tuple[int, ...]]] = []
    count = 0
    for score, near, chosen, last in _scored(tree, search, units, (low, high, aim), wish):
        count += len(last)
        for k in _leaders(score, near, top, heap):
            item = (int(score[k]), int(near[k]), -count, (*chosen, int(last[k])))
            if len(heap) < top:
                heappush(heap, item)
            elif item > heap[0]:
                heapreplace(heap, item)
    best = [search.table([rows[i] for i in chosen]) for *_, chosen in sorted(heap, reverse=True)]
    return PayTables(tuple(best), count, tree.size)


def _leaders(
    score: "NDArray[Any]", near: "NDArray[Any]", top: int, heap: list[Any]
) -> Iterable[int]:
    """The entries that may be among the best so far: at most `top`."""
    import numpy as np

    if len(heap) == top and (not top or not (score >= heap[0][0]).any()):
        return ()
    order: list[int] = np.lexsort((near, score))[::-1][:top].tolist()
    return order


def _grid(step: Fraction, low: Fraction, high: Fraction) -> list[Fraction]:
    if step <= 0:
        raise RulesError(f"step={step}; pays go in steps above 0")
    first, last = -(-low // step), high // step
    if first > last:
        raise RulesError(f"no multiple of {step} is from {low} to {high}; widen the bounds")
    return [k * step for k in range(int(first), int(last) + 1)]


def _rows(grid: list[Fraction], rolls: int, by_roll: ByRoll) -> list[tuple[Fraction, ...]]:
    n = len(grid)
    size = {"falling": comb(n, rolls), "not rising": comb(n + rolls - 1, rolls), "free": n**rolls}
    if not 0 < size[by_roll] <= MAX_ROWS:
        raise RulesError(
            f"{size[by_roll]:,} rows of {rolls} pays from {n} amounts; the search takes from 1 to "
            f"{MAX_ROWS:,}: choose other bounds or steps"
        )
    down = grid[::-1]
    if by_roll == "falling":
        return list(combinations(down, rolls))
    if by_roll == "not rising":
        return list(combinations_with_replacement(down, rolls))
    return list(product(down, repeat=rolls))


@dataclass(frozen=True)
class _Search:
    """A bet's exact probabilities, and what is sought.

    Attributes:
        game: the game.
        bet: the bet.
        groups: the groups of points, rarest first.
        chances: p(group, roll), for each group by roll.
        mean: of the profit from all else, per unit staked.
        square: the mean of its square.
    """

    game: PointGame
    bet: str
    groups: tuple[Group, ...]
    chances: tuple[tuple[Fraction, ...], ...]
    mean: Fraction
    square: Fraction

    @classmethod
    def of(cls, game: PointGame, bet: str, groups: Sequence[Group] | None) -> "_Search":
        from sevenout.exact import solve

        if bet not in game.bets:
            raise RulesError(f"no bet {bet!r}; the game's bets are: {', '.join(game.bets)}")
        line, rolls = game.bets[bet], game.limit or 1
        by_rarity = _groups(game, line, groups)
        # a second bet whose points pay 0, 1, 2, ...: each pay then names its group and roll
        names: dict[Any, Any] = {
            group: [k * rolls + r for r in range(rolls)] if game.limit else k
            for k, group in enumerate(by_rarity)
        }
        probe = _with_bets(
            game,
            {
                "cell": Line(natural=0, craps=0, push=0, point=names, easy=0, out=0, late=0),
                bet: replace(line, point=0),
            },
        )
        chances = [[Fraction(0)] * rolls for _ in by_rarity]
        mean = square = Fraction(0)
        stake = exact(line.stake)
        for outcome, p in solve(probe).outcomes.items():
            if outcome.label in ("point", "point, hard way"):
                cell = int(outcome.profit("cell"))
                chances[cell // rolls][cell % rolls] += p
            else:
                profit = outcome.profit(bet) / stake
                mean, square = mean + p * profit, square + p * profit**2
        return cls(game, bet, by_rarity, tuple(map(tuple, chances)), mean, square)

    @cached_property
    def scale(self) -> int:
        """The common denominator of the probabilities and of the mean profit from all else."""
        chances = (p.denominator for row in self.chances for p in row)
        return lcm(self.mean.denominator, *chances)

    def table(self, rows: Sequence[tuple[Fraction, ...]]) -> PayTable:
        """The table with these rows, and its exact figures."""
        cells = [
            (p, pay)
            for chances, row in zip(self.chances, rows, strict=True)
            for p, pay in zip(chances, row, strict=True)
        ]
        mean = self.mean + sum((p * pay for p, pay in cells), Fraction())
        square = self.square + sum((p * pay**2 for p, pay in cells), Fraction())
        pays = dict(zip(self.groups, rows, strict=True))
        schedule: dict[Any, Any] = {
            group: list(row) if self.game.limit else row[0] for group, row in pays.items()
        }
        line = replace(self.game.bets[self.bet], point=schedule)
        return PayTable(pays, -mean, square - mean**2, line)


@dataclass(frozen=True)
class _Tree:
    """All choices of a row for each group, and what each is worth, in whole units.

    A unit is 1/(scale · step) of the stake.

    Attributes:
        worth: worth[g][i] is what row i adds to the mean profit as the row of group g.
        square: square[g][i], the same for the mean square, in units of 1/(scale · step²).
        top: the highest pay of each row, in steps.
        follow: follow[i, j] says whether row j may come next, for the next commoner group.
        scale: the common denominator of the probabilities.
    """

    worth: "list[NDArray[Any]]"
    square: "list[NDArray[Any]]"
    top: "NDArray[Any]"
    follow: "NDArray[np.bool_]"
    scale: int

    @classmethod
    def of(
        cls, search: _Search, rows: Sequence[tuple[Fraction, ...]], step: int, by_point: ByPoint
    ) -> "_Tree":
        import numpy as np

        pays = np.array([[int(pay * step) for pay in row] for row in rows], object)
        highest = int(abs(pays).max()) + step
        # the largest number is below the square of this: the variance, all else than points in it
        most = 2 * search.scale * (highest + ceil(abs(search.mean) * step))
        small = most**2 < LIMB
        dtype: Any = np.int64 if small else object
        pays = pays.astype(dtype)
        chances = [np.array([int(p * search.scale) for p in row], dtype) for row in search.chances]
        follow: Any
        if by_point == "free":
            follow = np.ones((len(rows), len(rows)), bool)
        elif by_point == "rising":
            follow = (pays[:, None, :] > pays[None, :, :]).all(axis=2)
        else:
            follow = (pays[:, None, :] >= pays[None, :, :]).all(axis=2)
        return cls(
            [pays @ p for p in chances],
            [pays**2 @ p for p in chances],
            pays.max(axis=1),
            follow,
            search.scale,
        )

    @cached_property
    def size(self) -> int:
        """How many choices there are."""
        import numpy as np

        ways = np.ones(len(self.top), object)
        for _ in self.worth[1:]:
            ways = self.follow @ ways
        return int(ways.sum())

    @cached_property
    def rest(self) -> "list[tuple[NDArray[Any], NDArray[Any]]]":
        """For each group and row: the least and the most that the groups after it can add."""
        import numpy as np

        far = 1 << 62
        low = high = np.zeros(len(self.top), self.worth[0].dtype)
        rest = [(low, high)]
        for worth in self.worth[:0:-1]:
            low = np.where(self.follow, worth + low, far).min(axis=1)
            high = np.where(self.follow, worth + high, -far).max(axis=1)
            rest.append((low, high))
        return rest[::-1]

    def walk(
        self, least: int, most: int, chosen: tuple[int, ...] = (), value: int = 0
    ) -> "Iterator[tuple[tuple[int, ...], int, NDArray[np.int64]]]":
        """The choices worth from `least` to `most`.

        Yields:
            the rows of all groups but the last, what they are worth, the rows that the last may
            have.
        """
        import numpy as np

        g = len(chosen)
        low, high = self.rest[g]
        worth = self.worth[g] + value
        fits = (worth + low <= most) & (worth + high >= least)
        if chosen:
            fits &= self.follow[chosen[-1]]
        found = np.flatnonzero(fits)
        if g == len(self.worth) - 1:
            if len(found):
                yield chosen, value, found
            return
        for i in found.tolist():
            yield from self.walk(least, most, (*chosen, i), int(worth[i]))


def _scored(
    tree: _Tree, search: _Search, step: int, edge: tuple[Fraction, Fraction, Fraction], wish: Wish
) -> "Iterator[tuple[NDArray[Any], NDArray[Any], tuple[int, ...], NDArray[np.int64]]]":
    """For each choice of all rows but the last: the scores of the last rows that fit.

    Args:
        tree: the choices.
        search: the bet.
        step: how many steps of pay make one unit of money.
        edge: the least, the most, and the one aimed at.
        wish: what makes a score; larger is better.

    Yields:
        scores, nearness to the edge aimed at (minus a distance), the other rows, the last rows.
    """
    unit = tree.scale * step
    low, high, target = ((-e - search.mean) * unit for e in edge)
    goal = target.numerator
    for chosen, value, last in tree.walk(ceil(high), floor(low)):
        sums = tree.worth[-1][last] + value
        wide = abs(goal) + target.denominator * int(abs(sums).max()) >= LIMB
        near = -abs((sums.astype(object) if wide else sums) * target.denominator - goal)
        if wish == "edge":
            score = near
        elif wish == "top":
            head = max((int(tree.top[i]) for i in chosen), default=0)
            score = tree.top[last].clip(head)
        else:
            squares = tree.square[-1][last] + sum(
                int(tree.square[g][i]) for g, i in enumerate(chosen)
            )
            mean = sums + int(search.mean * unit)
            score = mean * mean - squares * tree.scale
        yield score, near, chosen, last


def _with_bets(game: PointGame, bets: Mapping[str, Line]) -> PointGame:
    return PointGame(
        game.naturals,
        game.craps,
        game.out,
        pushes=game.pushes,
        rerolls=game.rerolls,
        limit=game.limit,
        hard=game.hard,
        dice=game.dice,
        bets=bets,
    )


def _groups(game: PointGame, line: Line, given: Sequence[Group] | None) -> tuple[Group, ...]:
    law: Any = getattr(game.dice, "totals", game.dice).law
    if given is None and isinstance(line.point, Mapping):
        given = sorted(line.point, key=lambda group: max((law.get(p, 0) for p in group), default=0))
    if given is None:
        weights = sorted({law[point] for point in game.points})
        points = [total for total in game.totals if total in game.points]
        given = [tuple(p for p in points if law[p] == w) for w in weights]
    groups = tuple(tuple(group) for group in given)
    listed = [point for group in groups for point in group]
    if len(listed) != len(set(listed)) or set(listed) != game.points:
        named = ", ".join(map(str, sorted(game.points, key=str)))
        raise RulesError(f"groups={groups}; put each of the points {named} in one group")
    return groups
