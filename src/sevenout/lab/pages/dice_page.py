"""Dice: any faces, any reading; partners with the same totals; faults; a test of real dice."""

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from typing import Any

import htpy as h

from sevenout.documents import Column, Fact, Facts, Page, Table
from sevenout.documents.kinds import COUNT, DECIMAL, FRACTION, LABEL, MONO, PERCENT
from sevenout.documents.numbers import quantity
from sevenout.errors import NotationError, SevenoutError, shown
from sevenout.lab.address import Address, error_sentence
from sevenout.lab.pages import dicefaults_page, dicetest_page
from sevenout.lab.pages.dice_spreads import (
    READINGS,
    TITLES,
    dice_in_words,
    figures_table,
    probability_of,
    reading_links,
    spread_chart,
    spreads_of,
    totals_tables,
)
from sevenout.lab.widgets import copies
from sevenout.lab.widgets.parts import (
    Bar,
    Bars,
    Field,
    die,
    face_text,
    form,
    heading,
    link_button,
    problem,
    scroll_box,
    segments,
    sorted_outcomes,
)
from sevenout.lab.widgets.view import Linked, Reply, Saved, View, nodes_of
from sevenout.numerals import check_digits
from sevenout.questions import question
from sevenout.rolling import Dice, Die, has_notation, parse_dice, relabelled, spread
from sevenout.variants.rulebook import MAX_DIGITS, dice_of

PATH = "/dice"
TABS = {"editor": "Faces and totals", "faults": "Faults", "test": "Test your dice"}
EXAMPLES = (
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
MAX_DICE, MAX_FACES, MAX_LISTED_TOTALS = 10, 40, 120
"""The most dice, faces of a die and totals of dice whose faces can be taken away."""
MAX_GRID = 30
"""The most faces of a die in the grid of two dice."""
FacePlaces = set[tuple[int, int]]
"""Some faces of some dice: the numbers of the die and of the face on it, both from 0."""
MAX_UNFOLDED_ROWS, MAX_PARTNERS = 24, 40
"""Rows of a table that is shown unfolded; and other dice that are listed."""


def page(address: Address) -> View | Reply:
    """One of the tabs; a mistake in its address leaves only the sentence that says so."""
    tab = address.one_of("tab", TABS)
    view = View(address, f"Dice: {TABS[tab].lower()}", PATH)
    tabs = [(name, Address(PATH, {"tab": key}), key == tab) for key, name in TABS.items()]
    lead = "Any faces, any reading; every distribution is exact."
    head = heading("Dice", lead, segments("What about them", tabs))
    make = {
        "editor": _editor,
        "faults": dicefaults_page.tab_content,
        "test": dicetest_page.tab_content,
    }[tab]
    try:
        content: list[Any] | Reply = make(view)
        if isinstance(content, Reply):
            return content
        view.body = [head, *content]
    except SevenoutError as error:
        # The fields after the mistake were not read, and it is named before them.
        address.read_keys.update(address.query)
        view.body = [
            head,
            problem(error_sentence(error), link_button("Start over", Address(PATH, {"tab": tab}))),
        ]
    return view


def are_small(dice: Dice) -> bool:
    """Whether all faces can be drawn and taken away, and all totals listed."""
    sides = [len(one_die.faces) for one_die in dice.dice]
    if len(sides) > MAX_DICE or max(sides) > MAX_FACES:
        return False
    return len(dice.totals.law) <= MAX_LISTED_TOTALS


# --- faces and totals ---------------------------------------------------------------------------


def _editor(view: View) -> list[Any]:
    """The cards of dice whose faces can be taken away; of other dice, their distribution alone."""
    address = view.address
    dice_text = address.get("dice") or "2d6"
    beside = [part.strip() for part in address.get("beside").split(";") if part.strip()]
    if beside:
        return _distribution_comparison(view, [dice_text, *beside])
    # Exploding dice have no highest total, so a chart or a grid can't show them.
    if "!" in dice_text:
        return _exploding(view, dice_text)
    dice = dice_of(dice_text)
    if not are_small(dice):
        return _distribution_comparison(view, [dice_text])
    removed_faces = _removed_faces(address, dice)
    remaining = _remaining_dice(dice, removed_faces)
    base = address.to(keep=("dice", "off", "read"))
    # Dice without some of their faces may have no notation to copy.
    if has_notation(remaining):
        view.python, view.command = copies.of_question(
            question("dice"), [str(remaining) if removed_faces else dice_text], {}
        )
    law, full_law = remaining.totals.law, dice.totals.law
    numeric = all(isinstance(total, int | Fraction) for total in full_law)
    reading = address.one_of("read", READINGS) if numeric else "exactly"
    return _columns(
        view.add_card(
            "faces",
            "The dice",
            *_dice_form(address, dice_text),
            _face_links(base, dice, removed_faces),
            _faces_table(dice, removed_faces),
        ),
        [
            view.add_card(
                "law",
                "Every total",
                reading_links(base) if numeric else None,
                _total_bars(remaining, reading, full_law if removed_faces else None),
                note="the tick is with all faces" if removed_faces and reading == "exactly" else "",
            ),
            view.add_card("figures", "In figures", _figures(law)),
            _removal_effect(law, full_law) if removed_faces else None,
        ],
        view.add_card("grid", "The grid", *_grid(dice, removed_faces))
        if len(dice.dice) == 2
        else None,
        view.add_card("partners", "The same totals from other dice", *_partners(dice, dice_text)),
        _gallery(view),
    )


def _total_bars(dice: Dice, reading: str, full_law: Any) -> Bars:
    """A bar for each total; without some faces, beside the distribution of all faces."""
    law = dice.totals.law
    totals = sorted_outcomes(full_law or law)
    if reading == "exactly":
        earlier = full_law or {}
        return Bars(
            Bar(face_text(t), law.get(t, Fraction(0)), earlier=earlier.get(t)) for t in totals
        )
    sums = spread(dice)
    return Bars(Bar(face_text(t), probability_of(sums, reading, t)) for t in totals)


def _columns(dice: Any, distribution: list[Any], *below: Any) -> list[Any]:
    """The dice, their distribution beside them, and below the dice what else there is."""
    return [
        h.div(".columns")[
            h.div(".stack")[dice],
            h.div(".stack.beside")[distribution],
            h.div(".stack.below")[below],
        ]
    ]


def _dice_form(address: Address, dice_text: str) -> list[Any]:
    """The form for the dice, and its alternatives."""
    return [
        form(
            address.to(keep=()),
            Field("Dice", "dice", dice_text, "wide", list="known"),
            Field("Beside them", "beside", address.get("beside"), "wide"),
            submit="Show",
            css_class="fields one",
        ),
        h.datalist("#known")[(h.option(value=k) for k in EXAMPLES)],
        h.p(".hint")[
            "Write any dice: 3d6, d4+d8, d6{1,2,2,3,3,4}, weights d6{1,2,3,4,5,6:2}, "
            "ranks d2{2^1,4^2}, readings 2d6|skip7. Up to two more beside them: 3d6; d20."
        ],
    ]


def _gallery(view: View) -> Any:
    """The card of common dice, as links."""
    links = {text: {text: Address(PATH, {"dice": text})} for text, *_ in GALLERY}
    return view.add_card(
        "gallery",
        "A gallery of dice",
        Linked(Table(["here", "it is", Column("AnyDice", MONO)], GALLERY), links, first_only=True),
        note="common AnyDice questions, and how to write them here",
    )


def _distribution_comparison(view: View, dice_texts: list[str]) -> list[Any]:
    """One to three distributions in a chart, of any size."""
    address = view.address
    spreads = spreads_of(dice_texts)
    reading = address.one_of("read", READINGS)
    table, all_totals = totals_tables(spreads, reading)
    view.python, view.command = copies.of_dice(dice_texts)
    words = [dice_in_words(dice_of(dice_text).dice) for dice_text in dice_texts]
    shown_all = len(table.rows) == len(all_totals.rows)
    note = "" if shown_all else f"the {len(table.rows)} likeliest; the file has all"
    return _columns(
        view.add_card(
            "faces",
            "The dice",
            *_dice_form(address, dice_texts[0]),
            [h.p(".hint")[line] for line in words],
        ),
        [
            view.add_card(
                "law",
                "Every total",
                reading_links(address.to(keep=("dice", "beside", "read"))),
                spread_chart(spreads, reading),
                Saved(all_totals),
            ),
            view.add_card("figures", "In figures", figures_table(spreads)),
            view.add_card("totals", TITLES[reading], *_folded_table(table), note=note),
        ],
        _gallery(view),
    )


def _folded_table(table: Table) -> list[Any]:
    """A table; a long one is folded, as the chart above has the same figures."""
    if len(table.rows) <= MAX_UNFOLDED_ROWS:
        return [table]
    rows = list(nodes_of([table]))
    return [
        h.details[h.summary(".hint")[f"{len(table.rows)} totals, one by one"], rows],
        Saved(table),
    ]


def _exploding(view: View, dice_text: str) -> list[Any]:
    """Dice without a highest total."""
    distribution = spread(check_digits(dice_text, MAX_DIGITS))
    view.python, view.command = copies.of_question(question("dice"), [dice_text], {})
    facts, *table = distribution.page().blocks
    return _columns(
        view.add_card("faces", "The dice", *_dice_form(view.address, dice_text)),
        [
            view.add_card("figures", "In figures", facts),
            view.add_card("law", "Every total", Page("", *table)),
        ],
        _gallery(view),
    )


def _removed_faces(address: Address, dice: Dice) -> FacePlaces:
    """The faces taken away, `0.3,1.5` in the address: die and face, both from 0."""
    removed_faces = set()
    for part in filter(None, address.get("off").split(",")):
        d, _, f = part.partition(".")
        is_pair = d.isdecimal() and f.isdecimal() and len(part) < 8
        if not is_pair or int(d) >= len(dice.dice) or int(f) >= len(dice.dice[int(d)].faces):
            raise NotationError(f"off={shown(part)}; no such face on these dice")
        removed_faces.add((int(d), int(f)))
    removed_by_die = Counter(number for number, _ in removed_faces)
    for number, one_die in enumerate(dice.dice):
        if removed_by_die[number] >= len(one_die.faces):
            raise NotationError("a die needs at least one face; put one back")
    return removed_faces


def _remaining_dice(dice: Dice, removed_faces: FacePlaces) -> Dice:
    """The dice without the faces taken away."""
    if not removed_faces:
        return dice
    remaining = []
    for d, one_die in enumerate(dice.dice):
        pairs = [
            (face, w)
            for f, (face, w) in enumerate(zip(one_die.faces, one_die.weights, strict=True))
            if (d, f) not in removed_faces
        ]
        remaining.append(Die([face for face, _ in pairs], [w for _, w in pairs]))
    return Dice(remaining, total=dice.total, hard=dice.hard)


def _face_links(base: Address, dice: Dice, removed_faces: FacePlaces) -> Any:
    """The dice, each face a link that takes it away or puts it back."""

    def face_link(d: int, f: int) -> Any:
        one_die, is_removed = dice.dice[d], (d, f) in removed_faces
        face, verb = one_die.faces[f], "Put back" if is_removed else "Take away"
        # A set with one face more, or with one fewer.
        off = ",".join(f"{die_n}.{face_n}" for die_n, face_n in sorted(removed_faces ^ {(d, f)}))
        return h.a(
            class_="face gone" if is_removed else "face",
            href=str(base.to(off=off)),
            aria_label=f"{verb} {face_text(face)} of die {d + 1}",
            title=f"weight {one_die.weights[f]}" if set(one_die.weights) != {1} else None,
        )[die(face, faces=one_die.law)]

    return [
        h.div(".row")[
            h.span(".hint")[f"die {d + 1}"], [face_link(d, f) for f in range(len(one_die.faces))]
        ]
        for d, one_die in enumerate(dice.dice)
    ]


def _faces_table(dice: Dice, removed_faces: FacePlaces) -> Saved:
    """The faces that are left with their weights, for the file."""
    rows = [
        (d + 1, face_text(face), one_die.weights[f])
        for d, one_die in enumerate(dice.dice)
        for f, face in enumerate(one_die.faces)
        if (d, f) not in removed_faces
    ]
    return Saved(Table(["die", "face", Column("weight", COUNT)], rows))


def _grid(dice: Dice, removed_faces: FacePlaces) -> list[Any]:
    """The totals of two dice side by side; and as a table, for the file."""
    rows, columns = (list(enumerate(one_die.faces)) for one_die in dice.dice)
    if len(rows) > MAX_GRID or len(columns) > MAX_GRID:
        return [h.p(".soft")[f"Dice of more than {MAX_GRID} faces have too large a grid."]]
    numbers = {t: i for i, t in enumerate(sorted_outcomes(dice.totals.law))}
    totals = [
        [
            "" if removed_faces & {(0, r), (1, c)} else dice.total((row, column))
            for c, column in columns
        ]
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
        scroll_box("The grid of totals")[
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
    """How many totals there are, their mean and variance if they are numbers, and the likeliest."""
    facts = [Fact("totals", len(law), COUNT)]
    if all(isinstance(t, int | Fraction) for t in law):
        facts += [
            Fact("mean", law.mean, FRACTION, DECIMAL),
            Fact("variance", law.moment(2) - law.mean**2, FRACTION, DECIMAL),
        ]
    highest = max(p for _, p in law.items())
    likeliest = [face_text(t) for t in sorted_outcomes(law) if law[t] == highest]
    facts.append(Fact(f"likeliest: {_in_words(likeliest)}", highest, FRACTION, PERCENT))
    return Facts(*facts)


def _removal_effect(law: Any, full_law: Any) -> Any:
    """The effect of the missing faces."""
    missing = [face_text(t) for t in full_law if not law.get(t, Fraction(0))]
    is_alike = len({law[t] / full_law[t] for t in full_law if law.get(t, Fraction(0))}) == 1
    if not missing:
        change = "exactly as often" if is_alike else "but their proportions have changed"
        return h.p[f"Every total still comes, {change}."]
    verb = "comes" if len(missing) == 1 else "come"
    others = "keep their proportions exactly" if is_alike else "have other proportions"
    return h.p[f"{_in_words(missing)} never {verb}; the others {others}."]


def _in_words(totals: list[str]) -> str:
    """Up to three totals, or the first and how many more."""
    if len(totals) > 3:
        totals = [totals[0], f"{len(totals) - 1} more"]
    return " and ".join(totals)


@lru_cache(maxsize=32)
def _relabellings(dice_text: str) -> tuple[tuple[str, ...], ...]:
    """The other dice with the same totals, each set as the notations of its dice."""
    return tuple(tuple(map(str, dice)) for dice in relabelled(parse_dice(dice_text)))


def _has_quick_partners(dice: Dice) -> bool:
    """Whether a page has the time to find other dice: for a few dice with plain faces."""
    is_plain = all(
        set(one_die.weights) == {1} and all(isinstance(f, int) and f > 0 for f in one_die.faces)
        for one_die in dice.dice
    )
    return is_plain and len(dice.dice) <= 3 and max(len(one.faces) for one in dice.dice) <= 20


def _partners(dice: Dice, dice_text: str) -> list[Any]:
    """Other dice with the same totals, as links; or why there are none."""
    if not (has_notation(dice) and _has_quick_partners(dice)):
        return [
            h.p(".soft")["The lab finds such dice for up to three plain dice of up to 20 sides."]
        ]
    try:
        partners = _relabellings(dice_text)
    except SevenoutError as error:
        return [h.p(".soft")[error_sentence(error)]]
    items = [
        h.li[h.a(href=str(Address(PATH, {"dice": "+".join(pair)})))[" and ".join(pair)]]
        for pair in partners[:MAX_PARTNERS]
    ]
    count = quantity(len(partners), "set")
    listed = f"; {MAX_PARTNERS} of them" if len(partners) > MAX_PARTNERS else ""
    return [
        h.p(".soft")[f"{count} of dice add up to exactly these totals{listed}."],
        h.ul(".links-list")[items],
        Saved(Table(["dice"], [(" and ".join(pair),) for pair in partners])),
    ]
