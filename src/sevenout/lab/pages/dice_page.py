"""Dice: any faces, any reading; partners with the same totals; faults; a test of real dice."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any

import htpy as h

from sevenout.documents import Column, Fact, Facts, Page, Table
from sevenout.documents.kinds import COUNT, DECIMAL, FRACTION, LABEL, MONO, PERCENT
from sevenout.errors import NotationError, SevenoutError, printable, shown
from sevenout.lab.address import Address, kind_of
from sevenout.lab.pages import dicefaults_page, dicetest_page
from sevenout.lab.widgets import chart, copies
from sevenout.lab.widgets.chart import Chart
from sevenout.lab.widgets.parts import (
    Bars,
    Field,
    die,
    face_text,
    form,
    go,
    heading,
    in_order,
    problem,
    scroll,
    segments,
)
from sevenout.lab.widgets.view import Linked, Reply, Saved, View, nodes_of
from sevenout.numerals import check_digits
from sevenout.questions import question
from sevenout.rolling import Dice, Spread, has_notation, parse_dice, relabelled, spread
from sevenout.rolling.spreads import UnboundedSpread
from sevenout.variants.rulebook import MAX_DIGITS, dice_of

PATH = "/dice"
TABS = {"editor": "Faces and totals", "faults": "Faults", "test": "Test your dice"}
KNOWN = (
    "2d6",
    "tatham",
    "no-seven",
    "3d6",
    "d6{1,2,2,3,3,4}+d6{1,3,4,5,6,8}",
    "d4+d6",
    "2d6|skip7",
)
GALLERY = (
    ("4d6kh3", "the highest three of four dice", "[highest 3 of 4d6]"),
    ("2d20kh1", "with advantage: the higher of two", "[highest 1 of 2d20]"),
    ("2d20kl1", "with disadvantage: the lower", "[lowest 1 of 2d20]"),
    ("2d6+3", "a bonus", "2d6+3"),
    ("8d10>=8", "a pool: how many show 8 or more", "[count {8..10} in 8d10]"),
    ("4dF", "the dice of Fudge", "4d{-1..1}"),
    ("3d6{1,1,2,2,3,3}", "faces of your own", "3d{1,1,2,2,3,3}"),
    ("d6{1,2,3,4,5,6:2}", "a loaded die", "d{1,2,3,4,5,6:2}"),
    ("d20-d4", "one roll minus another", "1d20-1d4"),
    ("d10!", "a ten is rolled again and added, without end", "[explode d10]"),
)
"""Common dice: the notation, in words, and in AnyDice."""
MOST_DICE, MOST_FACES, MOST_TOTALS, MOST_GRID = 10, 40, 120, 30
LONG = 24
"""Rows of a table that are shown at once."""


def page(address: Address) -> View | Reply:
    tab = address.one_of("tab", TABS)
    view = View(address, f"Dice: {TABS[tab].lower()}", PATH)
    tabs = [(name, Address(PATH, {"tab": key}), key == tab) for key, name in TABS.items()]
    lead = "Any faces, any reading; every distribution is exact."
    head = heading("Dice", lead, segments("What about them", tabs))
    make = {"editor": _editor, "faults": dicefaults_page.body, "test": dicetest_page.body}[tab]
    try:
        if tab == "test" and (moved_to := dicetest_page.pasted_rolls_redirect(address)):
            return moved_to
        view.body = [head, *make(view)]
    except SevenoutError as error:
        view.body = [head, problem(kind_of(error), go("Start over", Address(PATH, {"tab": tab})))]
    return view


def are_small(dice: Dice) -> bool:
    """Whether all faces can be drawn and taken away, and all totals listed."""
    sides = [len(die.faces) for die in dice.dice]
    if len(sides) > MOST_DICE or max(sides) > MOST_FACES:
        return False
    return len(dice.totals.law) <= MOST_TOTALS


# --- faces and totals ---------------------------------------------------------------------------


def _editor(view: View) -> list[Any]:
    address = view.address
    text = address.get("dice") or "2d6"
    beside = [part.strip() for part in address.get("beside").split(";") if part.strip()]
    if beside:
        return _distribution_comparison(view, [text, *beside])
    # Exploding dice have no highest total, so a chart or a grid can't show them.
    if "!" in text:
        return _exploding(view, text)
    dice = dice_of(text)
    if not are_small(dice):
        return _distribution_comparison(view, [text])
    gone = _removed_faces(address, dice)
    left = _remaining_dice(dice, gone)
    base = address.to(keep=("dice", "off", "read"))
    # Dice without some of their faces may have no notation to copy.
    if has_notation(left):
        view.python, view.command = copies.of_question(
            question("dice"), [str(left) if gone else text], {}
        )
    law, plain = left.totals.law, dice.totals.law
    order = in_order(plain)
    numeric = all(isinstance(total, int | Fraction) for total in plain)
    reading = address.one_of("read", READINGS) if numeric else "exactly"
    if reading == "exactly":
        rows = [
            (face_text(t), law.get(t, Fraction(0)), "", plain[t] if gone else None) for t in order
        ]
    else:
        sums = spread(left)
        rows = [(face_text(t), reading_of(sums, reading, t), "", None) for t in order]
    return _columns(
        view.card(
            "faces",
            "The dice",
            *_dice_form(address, text),
            _faces(base, dice, gone),
            _faces_table(dice, gone),
        ),
        [
            view.card(
                "law",
                "Every total",
                reading_links(base) if numeric else None,
                Bars(rows),
                note="the tick is with all faces" if gone and reading == "exactly" else "",
            ),
            view.card("figures", "In figures", _figures(law)),
            _removal_effect(law, plain) if gone else None,
        ],
        view.card("grid", "The grid", *_grid(dice, gone)) if len(dice.dice) == 2 else None,
        view.card("partners", "The same totals from other dice", *_partners(dice, text)),
        _gallery(view),
    )


def _columns(dice: Any, distribution: list[Any], *below: Any) -> list[Any]:
    """The dice, their distribution beside them, and below the dice what else there is."""
    return [
        h.div(".columns")[
            h.div(".stack")[dice],
            h.div(".stack.beside")[distribution],
            h.div(".stack.below")[below],
        ]
    ]


def _dice_form(address: Address, text: str) -> list[Any]:
    """The form for the dice, and its alternatives."""
    return [
        form(
            address.to(keep=()),
            Field("Dice", "dice", text, "wide", list="known"),
            Field("Beside them", "beside", address.get("beside"), "wide"),
            submit="Show",
            kind="fields one",
        ),
        h.datalist("#known")[(h.option(value=k) for k in KNOWN)],
        h.p(".hint")[
            "Write any dice: 3d6, d4+d8, d6{1,2,2,3,3,4}, weights d6{1,2,3,4,5,6:2}, "
            "ranks d2{2^1,4^2}, readings 2d6|skip7. Up to two more beside them: 3d6; d20."
        ],
    ]


def _gallery(view: View) -> Any:
    links = {text: {text: Address(PATH, {"dice": text})} for text, *_ in GALLERY}
    return view.card(
        "gallery",
        "A gallery of dice",
        Linked(Table(["here", "it is", Column("AnyDice", MONO)], GALLERY), links, first=True),
        note="common AnyDice questions, and how to write them here",
    )


def _distribution_comparison(view: View, texts: list[str]) -> list[Any]:
    """One to three distributions in a chart, of any size."""
    address = view.address
    spreads = spreads_of(texts)
    reading = address.one_of("read", READINGS)
    table, every = totals_of(spreads, reading)
    view.python, view.command = copies.of_question(question("dice"), [texts[0]], {})
    words = [dice_in_words(dice_of(text).dice, str) for text in texts]
    shown_all = len(table.rows) == len(every.rows)
    note = "" if shown_all else f"the {len(table.rows)} likeliest; the file has all"
    return _columns(
        view.card(
            "faces",
            "The dice",
            *_dice_form(address, texts[0]),
            [h.p(".hint")[line] for line in words],
        ),
        [
            view.card(
                "law",
                "Every total",
                reading_links(address.to(keep=("dice", "beside", "read"))),
                chart_of(spreads, reading),
                Saved(every),
            ),
            view.card("figures", "In figures", figures_of(spreads)),
            view.card("totals", TITLES[reading], *_folded_table(table), note=note),
        ],
        _gallery(view),
    )


def _folded_table(table: Table) -> list[Any]:
    """A table; a long one is folded, as the chart above has the same figures."""
    if len(table.rows) <= LONG:
        return [table]
    rows = list(nodes_of([table]))
    return [
        h.details[h.summary(".hint")[f"{len(table.rows)} totals, one by one"], rows],
        Saved(table),
    ]


def _exploding(view: View, text: str) -> list[Any]:
    """Dice without a highest total."""
    distribution = spread(check_digits(text, MAX_DIGITS))
    view.python, view.command = copies.of_question(question("dice"), [text], {})
    facts, *table = distribution.page().blocks
    return _columns(
        view.card("faces", "The dice", *_dice_form(view.address, text)),
        [
            view.card("figures", "In figures", facts),
            view.card("law", "Every total", Page("", *table)),
        ],
        _gallery(view),
    )


def _removed_faces(address: Address, dice: Dice) -> set[tuple[int, int]]:
    """The removed faces, `0.3,1.5` in the address."""
    gone = set()
    for part in filter(None, address.get("off").split(",")):
        d, _, f = part.partition(".")
        ok = d.isdecimal() and f.isdecimal() and len(part) < 8
        if not ok or int(d) >= len(dice.dice) or int(f) >= len(dice.dice[int(d)].faces):
            raise NotationError(f"off={shown(part)}; no such face on these dice")
        gone.add((int(d), int(f)))
    for n, one_die in enumerate(dice.dice):
        if sum(place[0] == n for place in gone) >= len(one_die.faces):
            raise NotationError("a die needs at least one face; put one back")
    return gone


def _remaining_dice(dice: Dice, gone: set[tuple[int, int]]) -> Dice:
    from sevenout.rolling import Die

    if not gone:
        return dice
    kept = []
    for d, one_die in enumerate(dice.dice):
        pairs = [
            (face, w)
            for f, (face, w) in enumerate(zip(one_die.faces, one_die.weights, strict=True))
            if (d, f) not in gone
        ]
        kept.append(Die([face for face, _ in pairs], [w for _, w in pairs]))
    return Dice(kept, total=dice.total, hard=dice.hard)


def _faces(base: Address, dice: Dice, gone: set[tuple[int, int]]) -> Any:
    def face(d: int, f: int) -> Any:
        then = gone ^ {(d, f)}
        off = ",".join(f"{a}.{b}" for a, b in sorted(then))
        text = face_text(dice.dice[d].faces[f])
        is_gone = (d, f) in gone
        verb = "Put back" if is_gone else "Take away"
        weight = dice.dice[d].weights[f]
        return h.a(
            class_="face" + (" gone" if is_gone else ""),
            href=str(base.to(off=off)),
            aria_label=f"{verb} {text} of die {d + 1}",
            title=f"weight {weight}" if set(dice.dice[d].weights) != {1} else None,
        )[die(dice.dice[d].faces[f], law=dice.dice[d].law)]

    return [
        h.div(".row")[
            h.span(".hint")[f"die {d + 1}"], [face(d, f) for f in range(len(one_die.faces))]
        ]
        for d, one_die in enumerate(dice.dice)
    ]


def _faces_table(dice: Dice, gone: set[tuple[int, int]]) -> Saved:
    rows = [
        (d + 1, face_text(face), one_die.weights[f])
        for d, one_die in enumerate(dice.dice)
        for f, face in enumerate(one_die.faces)
        if (d, f) not in gone
    ]
    return Saved(Table(["die", "face", Column("weight", COUNT)], rows))


def _grid(dice: Dice, gone: set[tuple[int, int]]) -> list[Any]:
    """The totals of two dice side by side; and as a table, for the file."""
    rows, columns = (list(enumerate(one_die.faces)) for one_die in dice.dice)
    if len(rows) > MOST_GRID or len(columns) > MOST_GRID:
        return [h.p(".soft")[f"Dice of more than {MOST_GRID} faces have too large a grid."]]
    numbers = {t: i for i, t in enumerate(in_order(dice.totals.law))}
    totals = [
        ["" if gone & {(0, r), (1, c)} else dice.total((row, column)) for c, column in columns]
        for r, row in rows
    ]

    def cell(total: Any) -> Any:
        if total == "":
            return h.td[h.span(".sum.gone")]
        # The style sheet has six colours, which tell neighbouring totals apart.
        return h.td[h.span(class_=f"sum t{numbers[total] % 6}")[face_text(total)]]

    heads = [face_text(face) for _, face in columns]
    lines = [(face_text(face), line) for (_, face), line in zip(rows, totals, strict=True)]
    plain = [[row, *map(face_text, line)] for row, line in lines]
    return [
        scroll("The grid of totals")[
            h.table(".dicegrid")[
                h.tbody[
                    h.tr[h.td, (h.th(scope="col")[h.span(".sum")[head]] for head in heads)],
                    (
                        h.tr[h.th(scope="row")[h.span(".sum")[row]], map(cell, line)]
                        for row, line in lines
                    ),
                ]
            ]
        ],
        Saved(Table(["", *(Column(head, LABEL) for head in heads)], plain)),
    ]


def _figures(law: Any) -> Facts:
    facts = [Fact("totals", len(law), COUNT)]
    if all(isinstance(t, int | Fraction) for t in law):
        facts += [
            Fact("mean", law.mean, FRACTION, DECIMAL),
            Fact("variance", law.moment(2) - law.mean**2, FRACTION, DECIMAL),
        ]
    most = max(p for _, p in law.items())
    likely = [face_text(t) for t in in_order(law) if law[t] == most]
    names = " and ".join(likely if len(likely) < 4 else [likely[0], f"{len(likely) - 1} more"])
    facts.append(Fact(f"likeliest: {names}", most, FRACTION, PERCENT))
    return Facts(*facts)


def _removal_effect(law: Any, plain: Any) -> Any:
    """The effect of the missing faces."""
    missing = [face_text(t) for t in plain if not law.get(t, Fraction(0))]
    kept = [t for t in plain if law.get(t, Fraction(0))]
    same = len({law.get(t, Fraction(0)) / plain[t] for t in kept}) == 1
    if not missing:
        return h.p["Every total still comes, but their proportions have changed."]
    verb = "comes" if len(missing) == 1 else "come"
    rest = "keep their proportions exactly" if same else "have other proportions"
    return h.p[f"{' and '.join(missing)} never {verb}; the others {rest}."]


@lru_cache(maxsize=32)
def _relabellings(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(map(str, dice)) for dice in relabelled(parse_dice(text)))


def _partners(dice: Dice, text: str) -> list[Any]:
    whole = all(isinstance(f, int) and f > 0 for one_die in dice.dice for f in one_die.faces)
    weighted = any(set(one_die.weights) != {1} for one_die in dice.dice)
    sides = [len(one_die.faces) for one_die in dice.dice]
    if not whole or weighted or len(sides) > 3 or max(sides) > 20 or not has_notation(dice):
        return [
            h.p(".soft")["The lab finds such dice for up to three plain dice of up to 20 sides."]
        ]
    try:
        partners = _relabellings(text)
    except SevenoutError as error:
        return [h.p(".soft")[kind_of(error)]]
    items = [
        h.li[h.a(href=str(Address(PATH, {"dice": "+".join(pair)})))[" and ".join(pair)]]
        for pair in partners[:40]
    ]
    count = f"{len(partners)} {'set' if len(partners) == 1 else 'sets'} of dice"
    return [
        h.p(".soft")[
            f"{count} add up to exactly these totals{'; 40 of them' if len(partners) > 40 else ''}."
        ],
        h.ul(".links-list")[items],
        Saved(Table(["dice"], [(" and ".join(pair),) for pair in partners])),
    ]


# --- the chart -----------------------------------------------------------------------------------

READINGS = {"exactly": "exactly", "at-least": "at least", "at-most": "at most"}
TITLES = {
    "exactly": "Each total",
    "at-least": "Each total or more",
    "at-most": "Each total or less",
}
LINES = ("", "two", "three")
"""The classes of lines that can be told apart in light, in dark and without colours."""
MAX_TOTALS = 20_000
"""More points than this are slower to draw than to compute, and a chart shows no more."""
MAX_ROWS = 120
"""Totals in the table; the card's file has all."""
OUTSIDE = 10**6
"""The chart leaves out ends of the distribution that are rarer than 1 in this many."""
MAX_BARS = 150


def spreads_of(texts: Sequence[str]) -> list[Spread]:
    """The distributions of one to three dice expressions."""
    if len(texts) > len(LINES):
        raise NotationError(f"{len(texts)} dice beside each other; give at most {len(LINES)}")
    spreads = [spread(check_digits(text, MAX_DIGITS)) for text in texts]
    for text, one in zip(texts, spreads, strict=True):
        if isinstance(one, UnboundedSpread):
            raise NotationError(f"{shown(text)} has no highest total; ask for it alone")
        if len(one.totals) > MAX_TOTALS:
            raise NotationError(
                f"{shown(text)} has {len(one.totals):,} totals; a chart draws {MAX_TOTALS:,}"
            )
    return spreads


def reading_of(one: Spread, reading: str, total: Any) -> Fraction:
    """The probability of this total, of it or more, or of it or less."""
    if reading == "exactly":
        return Fraction(one.law.p(total))
    return one.at_least(total) if reading == "at-least" else one.at_most(total)


def reading_links(address: Address) -> Any:
    """Links to the three readings of the same dice."""
    reading = address.one_of("read", READINGS)
    links = [
        (words, address.to(read=None if name == "exactly" else name), name == reading)
        for name, words in READINGS.items()
    ]
    return segments("Probability of", links)


def likely_totals(one: Spread) -> list[Any]:
    """The totals between the two rare ends."""
    # `below` counts ways, so the threshold is a number of ways too.
    cut = one.law.denominator // (2 * OUTSIDE)
    first = bisect_right(one.below, cut) - 1
    last = bisect_left(one.below, one.law.denominator - cut)
    return list(one.totals[first:last])


def chart_of(spreads: Sequence[Spread], reading: str) -> Chart:
    """Bars of one distribution, or a line for each of several."""
    lines = [
        [(float(total), float(reading_of(one, reading, total))) for total in likely_totals(one)]
        for one in spreads
    ]
    totals = [total for line in lines for total, _ in line]
    x = chart.axis(min(totals) - 0.5, max(totals) + 0.5, "total", 8)
    caption = "; ".join(
        f"{one.name}: mean {float(one.mean):.4g}, standard deviation {one.std:.4g}"
        for one in spreads
    )
    if len(lines) == 1 and len(totals) <= MAX_BARS:
        # a lattice of halves or of fives has bars as wide as its step
        gaps = [b - a for a, b in pairwise(totals)]
        return chart.histogram(x, lines[0], min(gaps, default=1.0), READINGS[reading], caption)
    y = chart.probabilities(p for line in lines for _, p in line)
    shapes = "".join(chart.line(x, y, line, kind) for kind, line in zip(LINES, lines, strict=False))
    legend = tuple(zip(LINES, (printable(one.name, 60) for one in spreads), strict=False))
    return Chart(x, y, shapes, caption, legend=legend if len(spreads) > 1 else ())


def figures_of(spreads: Sequence[Spread]) -> Table:
    """Mean, standard deviation and range of each."""
    # The fraction of a whole mean would say the same again, and a phone has no room for it.
    is_whole = all(one.mean == int(one.mean) for one in spreads)
    columns = [
        Column("dice", MONO),
        Column("mean", DECIMAL) if is_whole else Column("mean", FRACTION, DECIMAL),
        Column("standard deviation", DECIMAL),
        Column("lowest", LABEL),
        Column("highest", LABEL),
    ]
    rows = [
        (printable(one.name, 60), one.mean, one.std, str(one.totals[0]), str(one.totals[-1]))
        for one in spreads
    ]
    return Table(columns, rows)


def totals_of(spreads: Sequence[Spread], reading: str) -> tuple[Table, Table]:
    """The likeliest totals as percentages, and all totals with fractions."""
    every = sorted({total for one in spreads for total in one.totals})
    weight = {total: max(reading_of(one, "exactly", total) for one in spreads) for total in every}
    # Chosen by weight, but in the order of totals, in which a reader looks them up.
    likeliest = sorted(sorted(every, key=lambda total: -weight[total])[:MAX_ROWS])
    names = [printable(one.name, 60) for one in spreads]

    def table(totals: Sequence[Any], *kinds: Any) -> Table:
        columns = [Column("total", LABEL), *(Column(name, *kinds) for name in names)]
        rows = [
            (str(total), *(reading_of(one, reading, total) for one in spreads)) for total in totals
        ]
        return Table(columns, rows)

    return table(likeliest, PERCENT), table(every, FRACTION, PERCENT)


def dice_in_words(dice: Sequence[Any], name: Any) -> str:
    """100 × d6, or 2 × d6 and d8: dice of a kind together, in the order of their first.

    >>> dice_in_words(["d6", "d8", "d6"], str)
    '2 × d6 and d8'
    """
    counts: dict[str, int] = {}
    for one in dice:
        counts[name(one)] = counts.get(name(one), 0) + 1
    return " and ".join(f"{n:,} × {kind}" if n > 1 else kind for kind, n in counts.items())
