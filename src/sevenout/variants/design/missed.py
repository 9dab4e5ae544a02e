"""Reasons why no table keeps the bounds."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from sevenout.budgets.estimates import afford
from sevenout.documents.numbers import decimal, percent
from sevenout.errors import TooMuchWorkError
from sevenout.variants.design.bounded_search import closed
from sevenout.variants.design.forms import BetForm
from sevenout.variants.design.opensearch import Structure, seconds_of
from sevenout.variants.design.ranking import Ranking
from sevenout.variants.design.wanted import Between, Wanted

Range = tuple[float, float]
NONE = "no choice of the open numbers keeps their order"


def why_none(found: Sequence[Structure], wanted: Mapping[str, Wanted]) -> list[str]:
    """Why there is no table, in sentences."""
    if not any(structure.size[0] for structure in found):
        return [f"{NONE.capitalize()}."]
    notes = []
    for bet, want in wanted.items():
        if want.edge.is_open:
            continue
        try:
            ranges = [r for s in found if (r := _with_edge(s, bet, want.edge)) is not None]
        except TooMuchWorkError as error:
            notes.append(f"{bet}: {error}.")
            continue
        if not ranges:
            notes.append(
                f"{bet}: no edge of {want.edge} can be reached; {_nearest(found, bet, want.edge)}."
            )
        elif not (want.hit.is_open and want.volatility.is_open):
            (least, most), (calm, wild) = map(_hull, zip(*ranges, strict=True))
            notes.append(
                f"{bet}: with an edge of {want.edge} the hit frequency is from {percent(least)} to "
                f"{percent(most)}, and the volatility from {decimal(calm)} to {decimal(wild)}."
            )
    return notes or ["Each bound can be kept, but not all of them together."]


def _nearest(found: Sequence[Structure], bet: str, wanted: Between) -> str:
    """The nearest edges below and above an interval, in words."""
    said = []
    for up, end in ((False, wanted.low), (True, wanted.high)):
        if end is not None:
            each = [_nearest_edge(s, s.forms[bet], end, up) for s in found]
            edges = [edge for edge in each if edge is not None]
            if edges:
                said.append(
                    f"{_said(min(edges) if up else max(edges))} {'above' if up else 'below'}"
                )
    if not said:
        return NONE
    return f"the nearest {'are' if len(said) > 1 else 'is'} {' and '.join(said)}"


def _with_edge(structure: Structure, bet: str, edge: Between) -> tuple[Range, Range] | None:
    """The ranges of hit frequency and volatility with an edge; None without a table."""
    form = structure.forms[bet]
    if not form.chances:
        figures = form.figures({})
        hit, spread = float(figures.hit), figures.volatility
        return ((hit, hit), (spread, spread)) if edge.holds(figures.edge) else None
    wanted = {bet: Wanted(edge)}
    walk = structure.walk(_tied(structure, form), [form], wanted)
    ranking = Ranking(walk, [form], wanted)
    afford(
        f"a search of the tables with an edge of {edge}, for what comes with it,",
        seconds=seconds_of(walk),
        instead="narrow the edge",
    )
    ranges: list[tuple[Range, Range]] = []
    for block in walk.blocks():
        hits = 0 * ranking.means(block, 0) + float(form.hit)
        for i, name in enumerate(walk.names):
            hits += float(form.chances.get(name, 0)) * (walk.floats[block.ranks[i]] > 0)
        roots = ranking.variances(block, 0) ** 0.5
        ranges.append(
            ((float(hits.min()), float(hits.max())), (float(roots.min()), float(roots.max())))
        )
    if not ranges:
        return None
    hit_ends, root_ends = zip(*ranges, strict=True)
    return _hull(hit_ends), _hull(root_ends)


def _hull(ends: Sequence[Range]) -> Range:
    return min(low for low, _ in ends), max(high for _, high in ends)


def _tied(structure: Structure, form: BetForm) -> tuple[str, ...]:
    """The open numbers that affect a bet, directly or through the order."""
    paid = set(structure.opened.pays) if structure.margins else set(form.chances)
    names, tied = [*structure.values], set(paid)
    for i, j in closed(structure.opened.order, names):
        if names[i] in paid or names[j] in paid:
            tied |= {names[i], names[j]}
    return tuple(n for n in names if n in tied)


def _nearest_edge(structure: Structure, form: BetForm, edge: Fraction, up: bool) -> Fraction | None:
    """A bet's nearest possible edge above or below a number, if any.

    A window beside the number is widened until it contains one.
    """
    least, most = (mean + form.added for mean in structure.mean_ends(form))
    far = -least if up else -most
    width = Fraction(1, 10**7)
    names = _tied(structure, form)
    while True:
        end = edge + width if up else edge - width
        window = Between(edge, end) if up else Between(end, edge)
        walk = structure.walk(names, [form], {form.bet: Wanted(window)})
        ends = (int(b.sums[0].max() if up else b.sums[0].min()) for b in walk.blocks())
        best = max(ends, default=None) if up else min(ends, default=None)
        if best is not None:
            return -Fraction(best, walk.scales[0]) - form.mean - form.added
        if end > far if up else end < far:
            return None
        width *= 4


def _said(edge: Fraction) -> str:
    """An edge in words."""
    return f"{percent(edge)} ({edge})" if len(str(edge)) < 30 else percent(edge)
