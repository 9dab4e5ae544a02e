"""The best of many tables: by floats first, and where those can't tell, in whole numbers."""

from collections.abc import Mapping, Sequence
from math import lcm
from typing import Any, Literal

from sevenout.variants.forms import Form
from sevenout.variants.walk import Block, Walk
from sevenout.variants.wanted import Wanted

Wish = Literal["plain", "edge", "calm", "top"]
WISHES: tuple[Wish, ...] = ("plain", "edge", "calm", "top")
CLOSE = 1e-9
"""What floats can't tell apart, relative to what they were computed from."""


def means(walk: Walk, block: Block, form: Form, k: int) -> Any:
    """The mean profit of a bet, whose sum is the k-th, in floats."""
    return (block.sums[k] / walk.scales[k]).astype(float) + float(form.mean)


def variances(walk: Walk, block: Block, form: Form, k: int) -> Any:
    """The variance of the profit, in floats."""
    import numpy as np

    square: Any = np.full(len(block), float(form.square))
    for i, name in enumerate(walk.names):
        if p := form.chances.get(name):
            square = square + float(p) * (walk.floats[block.ranks[i]] / float(form.stake)) ** 2
    return (square - means(walk, block, form, k) ** 2).clip(0)


def slack(walk: Walk, block: Block, form: Form, k: int) -> Any:
    """How far off these may be."""
    size = variances(walk, block, form, k) + means(walk, block, form, k) ** 2
    return CLOSE * (1 + size)


def leaders(
    walk: Walk,
    block: Block,
    forms: Sequence[Form],
    *,
    wanted: Mapping[str, Wanted],
    wish: Wish,
    top: int,
    worst: tuple[float, float] | None,
) -> list[int]:
    """The rows of the best tables, the best first; ties go to the nearer edge, then to the plainer.

    Args:
        walk: the search.
        block: its tables.
        forms: the bets; the k-th sum is the mean of the k-th.
        wanted: what edges are aimed at.
        wish: what makes a table good.
        top: how many rows.
        worst: the score and the distance that a table must not exceed.
    """
    import numpy as np

    score, near, off = _floats(walk, block, forms, wanted, wish)
    doubt = 0.0 if wish == "plain" else off
    rows: Any = np.arange(len(block))
    for _ in range(2):
        if worst is not None:
            s, n = score[rows], near[rows]
            keep = s <= worst[0] + doubt
            if wish in ("plain", "edge"):  # whose ties floats tell
                keep &= (s < worst[0] - doubt) | (n <= worst[1] + off)
            rows = rows[keep]
        if len(rows) > top:
            last = rows[np.lexsort((near[rows], score[rows]))[top - 1]]
            worst = float(score[last]), float(near[last])
    few = block.take(rows)
    exact = [
        np.unique(each, return_inverse=True)[1] for each in _exact(walk, few, forms, wanted, wish)
    ]
    values = [few.ranks[walk.names.index(name)] for name in walk.given]
    keys: Any = (*reversed(values), few.cost, *reversed(exact))
    order = np.lexsort(keys)
    return rows[order[:top]].tolist()  # type: ignore[no-any-return]


def _floats(
    walk: Walk, block: Block, forms: Sequence[Form], wanted: Mapping[str, Wanted], wish: Wish
) -> tuple[Any, Any, float]:
    """The score of each table, its distance from the edges aimed at, and how far off both are."""
    import numpy as np

    near: Any = np.zeros(len(block))
    size: Any = np.zeros(len(block))
    score: Any = np.zeros(len(block))
    for k, form in enumerate(forms):
        mean = means(walk, block, form, k)
        size = size + mean**2
        aim = wanted[form.bet].edge.middle
        if aim is not None:
            near = near + abs(mean + float(aim))
        if wish == "calm":
            score = score + variances(walk, block, form, k)
        elif wish == "top":
            score = score - walk.floats[_highest(walk, block, form)] / float(form.stake)
    if wish == "plain":
        score = block.cost.astype(float)
    off = CLOSE * (1 + float((size + abs(score)).max(initial=0)))
    return (near if wish == "edge" else score), near, off


def _exact(
    walk: Walk, block: Block, forms: Sequence[Form], wanted: Mapping[str, Wanted], wish: Wish
) -> tuple[Any, Any]:
    """The score and the distance in whole numbers, each by a factor of its own."""
    import numpy as np

    aims = {form.bet: wanted[form.bet].edge.middle for form in forms}
    ends = [x for form in forms for x in (form.mean, aims[form.bet]) if x is not None]
    unit = lcm(1, *walk.scales[: len(forms)], *(x.denominator for x in ends))
    near: Any = np.zeros(len(block), object)
    score: Any = np.zeros(len(block), object)
    own = [
        block.sums[k].astype(object) * (unit // walk.scales[k]) + int(form.mean * unit)
        for k, form in enumerate(forms)
    ]
    for form, mean in zip(forms, own, strict=True):
        aim = aims[form.bet]
        if aim is not None:
            near = near + abs(mean + int(aim * unit))
    if wish == "calm":
        squares = [
            (i, [form.chances[n] * (x / form.stake) ** 2 for x in walk.all])
            for form in forms
            for i, n in enumerate(walk.names)
            if n in form.chances
        ]
        finer = lcm(unit**2, *(x.denominator for _, each in squares for x in each))
        for i, each in squares:
            score = score + np.array([int(x * finer) for x in each], object)[block.ranks[i]]
        score = score - sum(mean * mean for mean in own) * (finer // unit**2)
    elif wish == "top":
        parts = lcm(1, *((x / form.stake).denominator for form in forms for x in walk.all))
        for form in forms:
            paid = np.array([int(x / form.stake * parts) for x in walk.all], object)
            score = score - paid[_highest(walk, block, form)]
    return {"plain": block.cost, "edge": near}.get(wish, score), near


def _highest(walk: Walk, block: Block, form: Form) -> Any:
    """The highest pay of a bet, by its rank among all values."""
    import numpy as np

    paid = [r for n, r in zip(walk.names, block.ranks, strict=True) if n in form.chances]
    return np.maximum.reduce(paid)
