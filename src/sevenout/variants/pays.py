"""Pay tables by exact search: all of them whose house edge lies in an interval.

A bet's edge is linear in its pays: with p(g, r) the probability of making a point of group g on
roll r, it is a constant less Σ p(g, r) · pay(g, r). A table is a row of pays for each group; the
rows that fall from roll to roll are listed once, in the order of their worth Σ p · pay. Then rows
are chosen group by group, rarest first, and a choice is left as soon as the best or the worst that
the remaining groups could add keeps the edge out of the interval; the last row is a range of the
sorted list (`paytree`). Nothing is sampled, and everything is compared in whole numbers.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from heapq import heappush, heapreplace
from itertools import combinations, combinations_with_replacement, product
from math import ceil, comb, floor, lcm
from typing import TYPE_CHECKING, Any, Literal

from sevenout.errors import RulesError, shown
from sevenout.numerals import Number, exact
from sevenout.rules import PayTable, PointGame
from sevenout.variants.paytable import FoundTable, FoundTables, Group
from sevenout.variants.paytree import ByPoint, Tree
from sevenout.variants.residues import LIMB

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ByRoll = Literal["falling", "not rising", "free"]
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
) -> FoundTables:
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
            raise RulesError(f"{name}={shown(given)}; it is {', '.join(map(repr, known))}")
    if not isinstance(game, PointGame):
        raise RulesError(f"{shown(game)} is not a point game; give a PointGame")
    low, high = _ends("edge", edge)
    if not isinstance(top, int) or top < 0:
        raise RulesError(f"top={shown(top)}; return 0 tables or more")
    aim = (low + high) / 2 if target is None else exact(target)
    rows = _rows(_grid(exact(step), *_ends("pays", pays)), game.limit or 1, by_roll)
    search = _Search.of(game, bet, groups)
    units = lcm(*(pay.denominator for row in rows for pay in row))
    tree = Tree.of(
        search.chances,
        rows,
        step=units,
        scale=search.scale,
        most=ceil(abs(search.mean)),
        by_point=by_point,
    )
    tree.must_be_affordable(*_reach(tree, search, units, low, high))
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
    return FoundTables(tuple(best), count, tree.size)


def _leaders(
    score: "NDArray[Any]", near: "NDArray[Any]", top: int, heap: list[Any]
) -> Iterable[int]:
    """The entries that may be among the best so far: at most `top`."""
    import numpy as np

    if len(heap) == top and (not top or not (score >= heap[0][0]).any()):
        return ()
    order: list[int] = np.lexsort((near, score))[::-1][:top].tolist()
    return order


def _ends(name: str, given: Any) -> tuple[Fraction, Fraction]:
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise RulesError(f"{name}={shown(given)}; give the least and the most, such as (1, 2)")
    low, high = map(exact, given)
    if low > high:
        raise RulesError(f"{name} from {_said(low)} to {_said(high)}; put the smaller first")
    return low, high


def _said(amount: Fraction) -> str:
    text = str(amount)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _grid(step: Fraction, low: Fraction, high: Fraction) -> Sequence[Fraction]:
    if step <= 0:
        raise RulesError(f"step={_said(step)}; pays go in steps above 0")
    first, last = ceil(low / step), floor(high / step)
    if first > last:
        raise RulesError(
            f"no multiple of {_said(step)} is from {_said(low)} to {_said(high)}; widen the bounds"
        )
    if last - first >= MAX_ROWS:
        raise RulesError(
            f"{shown(last - first + 1)} amounts; pays are chosen from at most {MAX_ROWS:,}: "
            "choose other bounds or steps"
        )
    return [k * step for k in range(first, last + 1)]


def _rows(grid: Sequence[Fraction], rolls: int, by_roll: ByRoll) -> list[tuple[Fraction, ...]]:
    n, r = len(grid), min(rolls, MAX_ROWS + 1)  # more rolls change no answer below
    size = {"falling": comb(n, r), "not rising": comb(n + r - 1, r), "free": n**r}[by_roll]
    if not 0 < size <= MAX_ROWS:
        many = "more than a million" if size > 10**6 else f"{size:,}"
        raise RulesError(
            f"{many} rows of {rolls} pays from {n:,} amounts; the search takes from 1 to "
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
                "cell": PayTable(point=names),
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

    def table(self, rows: Sequence[tuple[Fraction, ...]]) -> FoundTable:
        """The table with these rows, and its exact figures."""
        cells = [
            (p, pay)
            for chances, row in zip(self.chances, rows, strict=True)
            for p, pay in zip(chances, row, strict=True)
        ]
        mean = self.mean + sum((p * pay for p, pay in cells), Fraction())
        square = self.square + sum((p * pay**2 for p, pay in cells), Fraction())
        pays = dict(zip(self.groups, rows, strict=True))
        line = self.game.bets[self.bet]
        stake = exact(line.stake)
        paid = {
            g: [(x * stake, stake * max(Fraction(1), -x)) for x in row] for g, row in pays.items()
        }
        schedule: dict[Any, Any] = {
            g: row if self.game.limit else row[0] for g, row in paid.items()
        }
        line = replace(line, point=schedule)
        return FoundTable(pays, -mean, square - mean**2, line)


def _scored(
    tree: Tree, search: _Search, step: int, edge: tuple[Fraction, Fraction, Fraction], wish: Wish
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
    low, high, aim = edge
    unit = tree.scale * step
    target = (-aim - search.mean) * unit
    goal = target.numerator
    for chosen, value, last in tree.walk(*_reach(tree, search, step, low, high)):
        sums = tree.worth[-1][last] + value
        wide = abs(goal) + target.denominator * int(abs(sums).max()) >= LIMB
        near = -abs((sums.astype(object) if wide else sums) * target.denominator - goal)
        if wish == "edge":
            score = near
        elif wish == "top":
            score = tree.top[last]
            if chosen:
                score = score.clip(max(int(tree.top[i]) for i in chosen))
        else:
            squares = tree.square[-1][last] + sum(
                int(tree.square[g][i]) for g, i in enumerate(chosen)
            )
            mean = sums + int(search.mean * unit)
            score = mean * mean - squares * tree.scale
        yield score, near, chosen, last


def _reach(
    tree: Tree, search: _Search, step: int, low: Fraction, high: Fraction
) -> tuple[int, int]:
    """The least and the most that the rows may be worth for an edge from low to high."""
    unit = tree.scale * step
    return ceil((-high - search.mean) * unit), floor((-low - search.mean) * unit)


def _with_bets(game: PointGame, bets: Mapping[str, PayTable]) -> PointGame:
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
    )  # by the usual names of events, one of which is looked for


def _groups(game: PointGame, line: PayTable, given: Sequence[Group] | None) -> tuple[Group, ...]:
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
