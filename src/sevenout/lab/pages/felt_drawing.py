"""What the pages of all tables share: the felt, its buttons, the puck, the chips, the money."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import htpy as h
from markupsafe import Markup, escape

from sevenout.catalogue import games
from sevenout.catalogue.craps_family.spots import HARD_NUMBERS, NEXT, spot
from sevenout.catalogue.craps_family.table_session import TableSession
from sevenout.catalogue.entries import title_slug
from sevenout.catalogue.strategies import strategies
from sevenout.documents.numbers import quantity
from sevenout.lab.address import Address, acts_of, entries_by_rules, with_acts, without_last_act
from sevenout.lab.pages.evening_page import strategy_options
from sevenout.lab.widgets import chart
from sevenout.lab.widgets.chart import Chart
from sevenout.lab.widgets.parts import Field, die, form, link_button
from sevenout.papers.table_talk import FeltSpot
from sevenout.rules.casino.felt import Money

PATH = "/table"
ROLL_HINT = "Roll the dice, with the button or the space bar."
MAX_SHOWN_ROLLS = 14
"""Rolls of the log that are shown at once."""
MAX_POINTS = 300
"""Points of the line of money, which keep a page of thousands of rolls small."""
SMALLEST, LARGEST, TAKE_DOWN = "least", "most", "down"
HAND_CONTENTS = (SMALLEST, "1", "5", "25", "100", "500", LARGEST, TAKE_DOWN)
"""What a hand may hold: the smallest bet paid in full, a chip, the largest bet, "take down"."""


def faces_text(faces: Iterable[Any]) -> str:
    """The faces of a roll, with spaces between."""
    return " ".join(map(str, faces))


def seats(address: Address, notation: str, seed: int) -> Any:
    """The form for the game, the player and the seed."""
    strategy = address.get("strategy")
    entries = games.entries
    name = notation if notation in entries else ""
    if notation in entries_by_rules():
        name = entries_by_rules()[notation].id
    options = [("", "Your game" if notation and not name else "Choose a game")]
    options += [(entry.id, entry.title) for entry in entries.values()]
    players = [("", "none: I roll"), *strategy_options()]
    if strategy and strategy not in strategies:
        players.insert(1, (strategy, strategy.partition(":")[0].replace("~", "your file ")[:20]))
    return h.div(".row.seats")[
        form(
            Address(PATH, {}),
            Field("Game", "game", name, "whole", options=options),
            submit="Sit down",
        ),
        form(
            # At the table of a game nothing would read these fields, which only an evening has.
            address.to(PATH, keep=("bankroll", "hours") if strategy else ()),
            Field("Or watch a strategy", "strategy", strategy, "medium", options=players),
            submit="Watch",
        ),
        form(
            address.to(did=None),
            Field("Seed", "seed", seed, inputmode="numeric"),
            submit="Set",
        ),
        link_button("Place your own bets at craps", PATH),
    ]


def felt(dice: Any, call: Any, buttons: Any, bets: Any = None) -> Any:
    """The felt: the dice, perhaps with a puck, the dealer's call, the buttons and the bets."""
    return h.section(".felt", aria_label="The felt")[
        h.div(".felt-top")[dice, h.p(".call", role="status")[call]], h.div(".row")[buttons], bets
    ]


def bar_buttons(*buttons: Any) -> Any:
    """Copies of the felt's buttons in the bar, which stays in view when the felt scrolls away."""
    return h.span(".reach")[buttons]


def roll_buttons(address: Address, rolls_left: int) -> list[Any]:
    """The buttons that roll; `rolls_left` is how many rolls may still follow."""
    return [
        link_button("Roll", with_acts(address, "roll*1"), "main", data_space=True),
        *(
            link_button(f"{n} rolls", with_acts(address, f"roll*{min(n, rolls_left)}"))
            for n in (10, 100)
        ),
    ]


def undo_button(address: Address) -> Any:
    """The button that takes back the last act; None before the first."""
    return link_button("Undo", without_last_act(address)) if acts_of(address) else None


def money_chart(
    line: Sequence[tuple[float, float]],
    axes: tuple[str, str],
    caption: str,
    *,
    min_steps: float = 5,
    level: float | None = None,
    bands: Iterable[Sequence[tuple[float, float, float]]] = (),
    mean: Sequence[tuple[float, float]] = (),
) -> Chart:
    """A chart of the money after each step, beside its mean and its usual range.

    Args:
        line: the steps, and the money after each.
        axes: what the steps are, and what the money is.
        caption: the chart in words.
        min_steps: the axis shows at least this many steps.
        level: the money at the start, dashed.
        bands: ranges of the money, each as (step, low, high) for some steps.
        mean: the mean money after some steps, dashed.
    """
    ends = [*(y for _, y in line), *([] if level is None else [level])]
    ends += [y for band in bands for _, *pair in band for y in pair]
    # If nothing was won or lost, the axis needs a height too.
    room = 0.06 * (max(ends) - min(ends)) or 1.0
    last = len(line) - 1
    x = chart.axis(0.0, max(line[last][0], min_steps), axes[0], 5)
    y = chart.axis(min(ends) - room, max(ends) + room, axes[1], 5)
    # The last step is always a point, since the caption names it.
    points = [line[n] for n in sorted({*range(0, last, max(1, last // MAX_POINTS)), last})]
    shapes = [
        "" if level is None else chart.horizontal_line(y, level),
        *(chart.band(x, y, band) for band in bands),
        chart.line(x, y, mean, "two") if mean else "",
        chart.line(x, y, points),
    ]
    return Chart(x, y, "".join(shapes), caption)


def rolls_log(rows: list[tuple[str, Any]]) -> Any:
    """The list of rolls, each with its result; all but the last few are folded."""
    if not rows:
        return h.p(".soft")["What is rolled is listed here; it is all in the address."]
    newest_first = [
        h.li[h.span(".soft")[str(n)], h.span[rolled], result]
        for n, (rolled, result) in enumerate(rows, 1)
    ][::-1]
    shown, earlier = newest_first[:MAX_SHOWN_ROLLS], newest_first[MAX_SHOWN_ROLLS:]
    return [
        h.ol(".log")[shown],
        h.details("#earlier")[
            h.summary(".hint")[f"The {quantity(len(earlier), 'roll')} before"],
            h.ol(".log")[earlier],
        ]
        if earlier
        else None,
    ]


def puck(point: Any) -> Any:
    """The puck of a point; off for None, and no puck for a game without one ("")."""
    if point == "":
        return None
    if point is None:
        return h.div(".puck", role="img", aria_label="the puck is off")["OFF"]
    return h.div(".puck.on", role="img", aria_label=f"the puck is on {point}")[
        "ON", h.b[str(point)]
    ]


# --- the layout of a craps table -----------------------------------------------------------------

CHIP_COLOURS = ((500, "c500"), (100, "c100"), (25, "c25"), (5, "c5"), (0, "c1"))
"""The chips' colours, by the amount from which they are used."""
PRINTED_NUMBERS = {4: "4", 5: "5", 6: "six", 8: "8", 9: "nine", 10: "10"}
"""The numbers as printed on a layout, where 6 and 9 are words so as not to be confused."""
LINE_BETS = ("don't come", "come", "field", "don't pass", "don't pass odds", "pass", "pass odds")
SPOT_LABELS = {"don't pass": "don't pass bar", "pass": "pass line"}
"""Names on the layout that differ from those of `spots`."""
PRINTED_DICE = {"aces": (1, 1), "ace-deuce": (1, 2), "yo": (5, 6), "boxcars": (6, 6)}
"""The dice printed on bets."""
SIDE_BETS_LABEL = "Side bets: fire, repeaters, hot hand, ..."
HAND_WORDS = {SMALLEST: "min", LARGEST: "max", TAKE_DOWN: "take down"}
"""What stands on a button of the rack that is no chip."""
HAND_LABELS = {
    SMALLEST: "the smallest bet that is paid in full",
    LARGEST: "the largest bet that the house takes",
    TAKE_DOWN: "take a bet down",
}


def chip(amount: Money, text: str) -> Markup:
    """A chip with a text on it, in the colour of its amount."""
    colour = next(name for value, name in CHIP_COLOURS if amount >= value)
    return Markup(
        f'<svg class="stack {colour}" viewBox="0 0 40 40" aria-hidden="true">'
        '<circle class="rim" cx="20" cy="20" r="19"/>'
        '<circle class="dash" cx="20" cy="20" r="16.5"/>'
        '<circle class="mid" cx="20" cy="20" r="13"/>'
        f'<text x="20" y="25" text-anchor="middle">{escape(text)}</text></svg>'
    )


def short_amount(amount: Money) -> str:
    """An amount that fits on a chip.

    >>> short_amount(12), short_amount(1250)
    ('12', '1.2k')
    """
    return f"{float(amount):g}" if amount < 1000 else f"{int(amount) // 100 / 10:g}k"


def rack(session: TableSession, held: str) -> Any:
    """The chips to choose from, with the one in hand marked."""
    return h.fieldset(".rack")[
        h.legend[f"In your hand: {HAND_LABELS.get(held) or session.money_text(int(held))}"],
        (
            h.label(".hold", data_chip=True)[
                h.input(
                    f"#chip-{chip_name}",
                    type="radio",
                    name="chip",
                    value=chip_name,
                    checked=chip_name == held,
                    data_send=True,
                    aria_label=HAND_LABELS.get(chip_name) or session.money_text(int(chip_name)),
                ),
                chip(int(chip_name), chip_name)
                if chip_name.isdecimal()
                else h.span(".word")[HAND_WORDS[chip_name]],
            ]
            for chip_name in HAND_CONTENTS
        ),
    ]


class FeltBoard:
    """The spots of a felt in their places.

    Attributes:
        session: the player's session.
        shows_side_bets: whether side bets are among the spots.
        spots: what the player sees of each spot, by its bet.
    """

    def __init__(
        self, session: TableSession, spots: Iterable[FeltSpot], shows_side_bets: bool
    ) -> None:
        self.session, self.shows_side_bets = session, shows_side_bets
        self.spots: Mapping[str, FeltSpot] = {felt_spot.bet: felt_spot for felt_spot in spots}

    def __html__(self) -> str:
        return str(
            h.div(".board", role="group", aria_label="The layout")[
                self._number_boxes(),
                self._line_bets(),
                self._propositions(),
                self._bonus_bets(),
                self._folded_bets(),
            ]
        )

    def button(self, bet: str, label: Any = None, css_class: str = "") -> Any:
        """The spot of a bet; None if the table doesn't offer the bet."""
        felt_spot = self.spots.get(bet)
        if felt_spot is None:
            return None
        description = felt_spot.in_words(self.session)
        # A spot with a bet on it can still be tapped, to take the bet down.
        closed = " closed" if felt_spot.why and not felt_spot.on else ""
        return h.button(
            f"#spot-{title_slug(bet)}",
            class_=f"spot {css_class}{closed}".replace("  ", " "),
            type="submit",
            name="on",
            value=bet,
            data_spot=True,
            data_on=str(felt_spot.on) if felt_spot.on else None,
            aria_label=description,
            title=description,
        )[
            h.span(".printed")[bet if label is None else label],
            chip(felt_spot.on, short_amount(felt_spot.on)) if felt_spot.on else None,
            h.span(".state")["off"] if felt_spot.on and felt_spot.off else None,
            h.span(".edge")[felt_spot.edge()] if felt_spot.edge() else None,
        ]

    def _buttons(self, *bets: str) -> Any:
        return [self.button(bet, self._label(bet)) for bet in bets]

    def _label(self, bet: str) -> Any:
        """What is printed on a spot: its name, or dice."""
        parsed = spot(bet)
        faces = PRINTED_DICE.get(bet, parsed.faces)
        if parsed.kind == "hard":
            faces = (parsed.number // 2,) * 2
        if not faces:
            return None
        name = None if parsed.kind == "hop" else h.span[bet]
        return [h.span(".small-dice", aria_hidden="true")[[die(f) for f in faces]], name]

    def _number_boxes(self) -> Any:
        """The boxes of the numbers that may be a point."""
        numbers = self.session.house.numbers
        # Crapless craps has ten numbers, which stand in two rows.
        return h.div(class_="numbers ten" if len(numbers) > 6 else "numbers")[
            (self._number_box(n) for n in numbers)
        ]

    def _number_box(self, number: int) -> Any:
        """A number's box: its bets and chips."""
        is_point = self.session.point == number
        travelled = [f"come {number}", f"don't come {number}"]
        return h.div(
            class_="box on" if is_point else "box", role="group", aria_label=f"The {number}"
        )[
            h.div(".number")[
                h.b[PRINTED_NUMBERS.get(number, str(number))],
                h.span(".on-puck", role="img", aria_label=f"the puck is on {number}")["ON"]
                if is_point
                else None,
            ],
            [self._come_bet(bet) for bet in travelled],
            self.button(f"lay {number}", "lay"),
            self.button(f"buy {number}", "buy"),
            self.button(f"place {number}", "place"),
        ]

    def _come_bet(self, bet: str) -> Any:
        """A come bet on its number, with its odds."""
        bets = self.session.bets
        if bet not in bets:
            return None
        line = bet.rpartition(" ")[0]
        label = f"{bet}, {self.session.money_text(bets[bet])} on it"
        return [
            h.div(".moved", role="img", aria_label=label)[
                h.span(".printed")[line], chip(bets[bet], short_amount(bets[bet]))
            ],
            self.button(f"{bet} odds", "odds"),
        ]

    def _line_bets(self) -> Any:
        """The bets on the line and around it: come, field, pass, big 6 and 8."""
        field = h.span["field", h.small["2 · 3 · 4 · 9 · 10 · 11 · 12"]]
        labels = {**SPOT_LABELS, "field": field}
        return h.div(".lines")[
            [self.button(bet, labels.get(bet, bet), f"at-{title_slug(bet)}") for bet in LINE_BETS],
            self._buttons("big 6", "big 8"),
        ]

    def _propositions(self) -> Any:
        """The hardways and the bets on the next roll."""
        next_roll = [bet for bet in NEXT if bet not in PRINTED_DICE]
        return h.div(".centre", role="group", aria_label="Propositions")[
            h.div(".fours")[self._buttons(*(f"hard {n}" for n in HARD_NUMBERS))],
            h.div(".fours")[self._buttons(*PRINTED_DICE)],
            h.div(".fours")[self._buttons(*next_roll)],
        ]

    def _bonus_bets(self) -> Any:
        return h.div(".bonus", role="group", aria_label="Small, all, tall")[
            self._buttons("small", "all", "tall")
        ]

    def _folded_bets(self) -> Any:
        """Hops, folded until one stands; and side bets, on demand because some take long to
        compute.
        """
        hops = [bet for bet in self.spots if bet.startswith("hop ")]
        side_bets = [bet for bet in self.spots if spot(bet).kind == "side"]
        is_open = any(self.spots[bet].on for bet in hops)
        return [
            h.details("#hops.folded", open=is_open)[
                h.summary["Hops"], h.div(".fours")[self._buttons(*hops)]
            ],
            h.div(".fours", role="group", aria_label="Side bets")[self._buttons(*side_bets)]
            if side_bets
            else None,
            None
            if self.shows_side_bets
            else h.button("#side.button", type="submit", name="more", value="side")[
                SIDE_BETS_LABEL
            ],
        ]
