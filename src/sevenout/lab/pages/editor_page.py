"""The rules editor: the distribution of the dice, with each total's role under its bar."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import htpy as h

from sevenout.catalogue import games
from sevenout.documents import Column, Table
from sevenout.documents.kinds import COUNT, LABEL
from sevenout.errors import NotationError, shown
from sevenout.lab.address import Address, entries_by_rules, game_subject, split_notation
from sevenout.lab.widgets import chart
from sevenout.lab.widgets.parts import (
    PASTE_FIELD,
    Field,
    die,
    file_form,
    form,
    link_button,
    scroll_box,
)
from sevenout.lab.widgets.view import Saved
from sevenout.questions.subjects import GameSubject, is_rules, option_text
from sevenout.variants.rulebook import COME_OUT_ROLES, VariantRules, parse_limit, read_rules

EDITED_FIELDS = ("game", "from", "bet", "pin", "each")
"""The fields that a page's address keeps when its rules or pays change."""
RULES_FIELDS = ("to-dice", "to-hard", "to-limit", "to-set")
"""The fields that change the rules of a point game."""
SCRATCH_RULES = "7/none/7"
DIE_SIZES, MAX_TOUCHED_DICE = (4, 6, 8, 10, 12, 20), 4
"""The sizes that a touch goes through; and up to how many dice can be touched."""
PLAIN_DICE = re.compile(r"(\d{0,3})d(\d{1,3})")
TOTAL = re.compile(r"-?\d{1,9}", re.ASCII)
PLAIN_TEXT = re.compile(r"\d{0,3}d\d{1,3}(\+\d{0,3}d\d{1,3})*")
EXAMPLE_DICE = ("2d6", "3d6", "d6", "2d8", "d6+d8", "no-seven")


def edited_text(address: Address, notation: str) -> str | None:
    """The game's text after a form of the editor; None if none was sent."""
    sent = address.form_fields("to-")
    if not sent:
        return None
    options = [key for key in sent if key.startswith("to-o-")]
    form_fields = ["to-game"] if "to-game" in sent else options or RULES_FIELDS
    for key, text in sent.items():
        if key not in form_fields:
            raise NotationError(f"{key}={shown(text)}; give one of: {', '.join(form_fields)}")
    if "to-game" in sent:
        return sent["to-game"] or notation
    if options:
        return _text_with_options(notation, {key.removeprefix("to-o-"): sent[key] for key in sent})
    return _book_after_form(address, book_of(notation)).text


def _text_with_options(notation: str, options: Mapping[str, str]) -> str:
    """A game of the catalogue with other options."""
    entry_id, present = split_notation(notation)
    usual, in_form = games.entry(entry_id).options, _options_in_form(entry_id)
    # An option of the form that isn't sent was emptied; changed pays hold for the old options only.
    kept = {k: v for k, v in present.items() if k not in in_form and ":" not in k}
    # Usual values are left out, so that equal games have equal addresses.
    changed = [
        f"{k}={v}" for k, v in {**kept, **options}.items() if v and v != option_text(usual.get(k))
    ]
    return ";".join([entry_id, *changed])


def _book_after_form(address: Address, book: VariantRules) -> VariantRules:
    """The rules after the form of the dice, or after a drag in the grid."""
    if setting := address.get("to-set"):
        role, _, totals = setting.partition(":")
        for total in totals.split(","):
            is_total = TOTAL.fullmatch(total) and int(total) in book.ways
            if role not in COME_OUT_ROLES or not is_total:
                raise NotationError(f"to-set={shown(setting)}; write natural:4,5,6")
            book = book.with_role(int(total), role)
    # Setting the dice drops the roles of totals that they can't roll.
    if address.get("to-dice", book.dice) != book.dice:
        book = book.with_dice(address.get("to-dice"))
    # The form sends all three; an address has no empty fields, so that of no limit is missing.
    if "to-limit" in address.query or {"to-dice", "to-hard"} <= address.query.keys():
        book = replace(book, limit=parse_limit(address.get("to-limit")))
    if "to-hard" in address.query:
        book = replace(book, hard=address.one_of("to-hard", ("no", "yes")) == "yes")
    return book


def book_of(notation: str) -> VariantRules:
    """The rules of a text, valid or not."""
    if is_rules(notation):
        return read_rules(notation).check()
    book = game_subject(notation).variant_rules
    if book is None:
        raise NotationError(f"the rules of {game_subject(notation).title} can't be edited here")
    return book


def editor(address: Address, book: VariantRules) -> Any:
    """The forms and the grid that change the rules of a point game."""
    base = address.to("/", keep=EDITED_FIELDS)
    starts = [("", "Start from …"), (SCRATCH_RULES, "Scratch: 7 loses, all else is a point")]
    starts += [(text, entry.title) for text, entry in entries_by_rules().items()]
    start = book.text if book.text in entries_by_rules() else ""
    shows_all_roles = address.has("roles", "all")
    main_roles = [
        r for r in COME_OUT_ROLES if r in ("natural", "craps", "point") or book.totals_with(r)
    ]
    return h.div(".rules")[
        form(
            base.to(each=None),
            Field("Start from", "to-game", start, "wide", options=starts),
            submit="Open",
            css_class="fields one",
        ),
        form(
            base,
            Field("Dice", "to-dice", book.dice, "medium", list="dice"),
            Field(
                "Roll limit",
                "to-limit",
                book.limit or "",
                placeholder="none",
                title="How many rolls there are to make the point",
                inputmode="numeric",
            ),
            Field(
                "Point made",
                "to-hard",
                "yes" if book.hard else "no",
                options=[("no", "any way"), ("yes", "hard way")],
            ),
            submit="Set",
        ),
        h.datalist("#dice")[(h.option(value=d) for d in EXAMPLE_DICE)],
        grid(base, book, COME_OUT_ROLES if shows_all_roles else main_roles),
        h.p(".hint")[
            "Choose what each total means on the come-out; the out ends the point. Keys: arrows "
            "move, n c p set a role. Drag across totals to set several. ",
            h.a(href=str(address.to(roles=None if shows_all_roles else "all")))[
                "Fewer roles" if shows_all_roles else "More roles: push, roll again"
            ],
        ],
        file_form("Open a game file", Address("/open", {}), PASTE_FIELD, file="A game file"),
    ]


def repair_links(address: Address, book: VariantRules) -> list[Any]:
    """What mends rules whose out could also be the point, as links; and a hint."""
    hint = h.p(".hint")["No odds are shown until the rules make sense. Back undoes."]
    if book.role_of(book.out) != "point":
        return [hint]
    base, out = address.to("/", keep=EDITED_FIELDS), book.out
    losing = [total for total in book.totals_with("craps") if total != out]
    return [
        h.div(".actions")[
            link_button(
                f"A {out} loses at once", base.to(game=book.with_role(out, "craps").text), "main"
            ),
            link_button(f"A {out} wins at once", base.to(game=book.with_role(out, "natural").text)),
            [
                link_button(
                    f"Make {total} the out", base.to(game=book.with_role(total, "out").text)
                )
                for total in losing[:3]
            ],
        ],
        hint,
    ]


def _with_role(book: VariantRules, total: int, role: str) -> VariantRules:
    """The rules with another role for a total; a new out that was a point loses at once too."""
    changed = book.with_role(total, role)
    # Such an out would make its point and lose it with the same roll.
    if role == "out" and changed.role_of(total) == "point":
        return changed.with_role(total, "craps")
    return changed


def roles_table(book: VariantRules) -> Saved:
    """The totals with their ways and their roles, for the file."""
    rows = [
        (total, n, book.role_of(total) + (", the out" if total == book.out else ""))
        for total, n in book.ways.items()
    ]
    return Saved(Table([Column("total", LABEL), Column("ways", COUNT), "on the come-out"], rows))


def dice_links(address: Address, book: VariantRules) -> Any:
    """The dice, each a link to the game with the next larger one; None for other dice.

    The largest is followed by the smallest.
    """
    sizes = [
        int(size)
        for count, size in PLAIN_DICE.findall(book.dice)
        # One more than allowed shows that there are too many, without a list of 999.
        for _ in range(min(int(count or 1), MAX_TOUCHED_DICE + 1))
    ]
    if not PLAIN_TEXT.fullmatch(book.dice) or len(sizes) > MAX_TOUCHED_DICE:
        return None
    base = address.to("/", keep=EDITED_FIELDS)

    def die_link(i: int) -> Any:
        size = sizes[i]
        next_size = next((larger for larger in DIE_SIZES if larger > size), DIE_SIZES[0])
        text = _dice_text([*sizes[:i], next_size, *sizes[i + 1 :]])
        target = base.to(game=book.with_dice(text).text, **_start_field(base, book.text))
        label = f"Die {i + 1}, a d{size}: make it a d{next_size}"
        return h.a(id=f"die-{i}", href=str(target), aria_label=label)[die(f"d{size}")]

    return h.div(".touched")[
        h.div(".dice")[(die_link(i) for i in range(len(sizes)))],
        h.p(".hint")["Touch a die to change its size."],
    ]


def _dice_text(sizes: list[int]) -> str:
    if len(set(sizes)) == 1:
        return f"{len(sizes)}d{sizes[0]}" if len(sizes) > 1 else f"d{sizes[0]}"
    return "+".join(f"d{size}" for size in sizes)


def grid(base: Address, book: VariantRules, roles: Iterable[str]) -> Any:
    """The totals under their bars, and under each a cell for every role, which sets it."""
    ways = book.ways
    most_ways, all_ways = max(ways.values()), sum(ways.values())

    def link(total: int, role: str) -> Any:
        is_set = book.out == total if role == "out" else book.role_of(total) == role
        changed = base.to(game=_with_role(book, total, role).text, **_start_field(base, book.text))
        label = f"{total}: {'the out' if role == 'out' else role}"
        return h.a(
            id=f"{role}-{total}",
            class_=f"cell {role}",
            # The current role stays a link, so that the keyboard reaches every cell.
            href=str(base if is_set else changed),
            aria_label=label + (", as it is" if is_set else ""),
            aria_current="true" if is_set else None,
            data_role=role,
            data_total=str(total),
        )[h.i]

    css_class = "totals" + (" many" if len(ways) > 13 else "") + (" most" if len(ways) > 22 else "")
    return scroll_box("Totals and their roles")[
        h.table(class_=css_class, data_grid=True)[
            h.caption(".hidden")["What each total means on the come-out"],
            h.thead[
                h.tr[
                    h.td,
                    (
                        h.th(scope="col", title=f"{n} in {all_ways:,}")[
                            chart.column(n / most_ways, book.role_of(t)),
                            h.span(class_=f"total {book.role_of(t)}")[str(t)],
                        ]
                        for t, n in ways.items()
                    ),
                ]
            ],
            h.tbody[
                (
                    h.tr[
                        h.th(scope="row")["the out" if role == "out" else role],
                        (h.td[link(t, role)] for t in ways),
                    ]
                    for role in (*roles, "out")
                )
            ],
        ]
    ]


def _start_field(base: Address, text: str) -> dict[str, str]:
    """The field of the game before all changes, which every address holds after the first."""
    return {"from": base.get("from") or text}


def game_options(address: Address, subject: GameSubject) -> Any:
    """The options of a game without a grid of totals, or why it has none."""
    entry_id, options = split_notation(subject.unedited_notation)
    if entry_id.startswith("~"):
        return h.p(".hint")["From a game file; you can change its pays."]
    if subject.entry is None:
        return h.p(".hint")["Several games on the same rolls."]
    base = address.to("/", keep=["bet", "from", "pin"], game=subject.unedited_notation)
    return options_form(base, entry_id, options)


def options_form(base: Address, entry_id: str, values: dict[str, str]) -> Any:
    """The options of a game that a text can hold, with their values; None without any."""
    words = games.entry(entry_id).alternatives
    fields = [
        _value_field(k, values.get(k, option_text(v)), words.get(k, ()))
        for k, v in _options_in_form(entry_id).items()
    ]
    return form(base, *fields, submit="Set") if fields else None


def _options_in_form(entry_id: str) -> dict[str, Any]:
    """The usual values of the options that a text can hold: no shares and no amounts by number."""
    return {
        k: v
        for k, v in games.entry(entry_id).options.items()
        if isinstance(v, int | str | tuple) or v is None
    }


def _value_field(option: str, value: str, words: tuple[str, ...]) -> Field:
    """The field of a game's option: a list of its words, or a text."""
    # A value that is none of the words was refused; it stays, so that it can be corrected.
    listed = [(word, word) for word in words] if value in words else None
    return Field(option.replace("_", " "), f"to-o-{option}", value, options=listed)
