"""A drawn craps layout: each spot is a button with its chips."""

from collections.abc import Iterable, Mapping
from typing import Any

import htpy as h
from markupsafe import Markup, escape

from sevenout.catalogue.craps_family.spots import HARD, NEXT, spot
from sevenout.catalogue.craps_family.table_session import TableSession
from sevenout.lab.addresses.seat_address import CHIPS, DOWN, LEAST, MOST
from sevenout.lab.pages.felt_page import die
from sevenout.papers.table_talk import FeltSpot
from sevenout.rules.casino.felt import Money

COLOURS = ((500, "c500"), (100, "c100"), (25, "c25"), (5, "c5"), (0, "c1"))
"""The chips' colours, by the amount from which they are used."""
WORDS = {4: "4", 5: "5", 6: "six", 8: "8", 9: "nine", 10: "10"}
"""The numbers as printed on a layout: 6 and 9 can't be confused."""
LEFT = ("don't come", "come", "field", "don't pass", "don't pass odds", "pass", "pass odds")
PRINTED = {"don't pass": "don't pass bar", "pass": "pass line"}
FACES = {"aces": (1, 1), "ace-deuce": (1, 2), "yo": (5, 6), "boxcars": (6, 6)}
"""The dice printed on bets."""
SIDE_BETS = "Side bets: fire, repeaters, hot hand, ..."
SAID = {LEAST: "min", MOST: "max", DOWN: "take down"}
IN_FULL = {
    LEAST: "the smallest bet that is paid in full",
    MOST: "the largest bet that the house takes",
    DOWN: "take a bet down",
}


def chip(amount: Money, text: str) -> Markup:
    colour = next(name for least, name in COLOURS if amount >= least)
    return Markup(
        f'<svg class="stack {colour}" viewBox="0 0 40 40" aria-hidden="true">'
        '<circle class="rim" cx="20" cy="20" r="19"/>'
        '<circle class="dash" cx="20" cy="20" r="16.5"/>'
        '<circle class="mid" cx="20" cy="20" r="13"/>'
        f'<text x="20" y="25" text-anchor="middle">{escape(text)}</text></svg>'
    )


def short(amount: Money) -> str:
    """An amount that fits on a chip.

    >>> short(12), short(1250)
    ('12', '1.2k')
    """
    return f"{float(amount):g}" if amount < 1000 else f"{int(amount) // 100 / 10:g}k"


def rack(session: TableSession, held: str) -> Any:
    """The chips to choose from, with the one in hand marked."""
    return h.fieldset(".rack")[
        h.legend[f"In your hand: {IN_FULL.get(held) or session.money_text(int(held))}"],
        (
            h.label(".hold", data_chip=True)[
                h.input(
                    f"#chip-{chip_name}",
                    type="radio",
                    name="chip",
                    value=chip_name,
                    checked=chip_name == held,
                    data_send=True,
                    aria_label=IN_FULL.get(chip_name) or session.money_text(int(chip_name)),
                ),
                chip(int(chip_name), chip_name)
                if chip_name.isdecimal()
                else h.span(".word")[SAID[chip_name]],
            ]
            for chip_name in CHIPS
        ),
    ]


class FeltBoard:
    """The spots of a felt in their places.

    Args:
        spots: what the player sees of each spot.
    """

    def __init__(self, session: TableSession, spots: Iterable[FeltSpot], side: bool) -> None:
        self.session, self.side = session, side
        self.spots: Mapping[str, FeltSpot] = {spot.bet: spot for spot in spots}

    def __html__(self) -> str:
        return str(
            h.div(".board", role="group", aria_label="The layout")[
                self._numbers(), self._left(), self._centre(), self._bonus(), self._more()
            ]
        )

    def button(self, bet: str, printed: Any = None, kind: str = "") -> Any:
        spot = self.spots.get(bet)
        if spot is None:
            return None
        words = spot.said(self.session)
        # A spot with a bet on it can still be tapped, to take the bet down.
        closed = " closed" if spot.why and not spot.on else ""
        return h.button(
            f"#spot-{_id(bet)}",
            class_=f"spot {kind}{closed}".replace("  ", " "),
            type="submit",
            name="on",
            value=bet,
            data_spot=True,
            data_on=str(spot.on) if spot.on else None,
            aria_label=words,
            title=words,
        )[
            h.span(".printed")[bet if printed is None else printed],
            chip(spot.on, short(spot.on)) if spot.on else None,
            h.span(".state")["off"] if spot.on and spot.off else None,
            h.span(".edge")[spot.edge()] if spot.edge() else None,
        ]

    def _some(self, *bets: str) -> Any:
        return [self.button(bet, self._drawn(bet)) for bet in bets]

    def _drawn(self, bet: str) -> Any:
        """What is printed on a spot: its name, or dice."""
        what = spot(bet)
        faces = FACES.get(bet) or (what.seen if what.kind == "hop" else ())
        faces = (what.number // 2,) * 2 if what.kind == "hard" else faces
        if not faces:
            return None
        name = None if what.kind == "hop" else h.span[bet]
        return [h.span(".small-dice", aria_hidden="true")[[die(f) for f in faces]], name]

    def _numbers(self) -> Any:
        numbers = self.session.house.numbers
        # Crapless craps has ten numbers, which stand in two rows.
        return h.div(class_="numbers ten" if len(numbers) > 6 else "numbers")[
            (self._box(n) for n in numbers)
        ]

    def _box(self, n: int) -> Any:
        """A number's box: its bets and chips."""
        on = self.session.point == n
        moved = [f"come {n}", f"don't come {n}"]
        return h.div(class_="box on" if on else "box", role="group", aria_label=f"The {n}")[
            h.div(".number")[
                h.b[WORDS.get(n, str(n))],
                h.span(".on-puck", role="img", aria_label=f"the puck is on {n}")["ON"]
                if on
                else None,
            ],
            [self._moved(bet) for bet in moved],
            self.button(f"lay {n}", "lay"),
            self.button(f"buy {n}", "buy"),
            self.button(f"place {n}", "place"),
        ]

    def _moved(self, bet: str) -> Any:
        """A come bet on its number, with its odds."""
        bets = self.session.bets
        if bet not in bets:
            return None
        line = bet.rpartition(" ")[0]
        label = f"{bet}, {self.session.money_text(bets[bet])} on it"
        return [
            h.div(".moved", role="img", aria_label=label)[
                h.span(".printed")[line], chip(bets[bet], short(bets[bet]))
            ],
            self.button(f"{bet} odds", "odds"),
        ]

    def _left(self) -> Any:
        """The line, and what is around it."""
        field = h.span["field", h.small["2 · 3 · 4 · 9 · 10 · 11 · 12"]]
        printed = {**PRINTED, "field": field}
        return h.div(".lines")[
            [self.button(bet, printed.get(bet, bet), f"at-{_id(bet)}") for bet in LEFT],
            self._some("big 6", "big 8"),
        ]

    def _centre(self) -> Any:
        next_roll = [bet for bet in NEXT if bet not in FACES]
        return h.div(".centre", role="group", aria_label="Propositions")[
            h.div(".fours")[self._some(*(f"hard {n}" for n in HARD))],
            h.div(".fours")[self._some(*FACES)],
            h.div(".fours")[self._some(*next_roll)],
        ]

    def _bonus(self) -> Any:
        return h.div(".bonus", role="group", aria_label="Small, all, tall")[
            self._some("small", "all", "tall")
        ]

    def _more(self) -> Any:
        """Hops, folded until one stands; and side bets, on demand because some take long to
        compute.
        """
        hops = [bet for bet in self.spots if bet.startswith("hop ")]
        side = [bet for bet in self.spots if spot(bet).kind == "side"]
        stands = any(self.spots[bet].on for bet in hops)
        return [
            h.details("#hops.folded", open=stands)[
                h.summary["Hops"], h.div(".fours")[self._some(*hops)]
            ],
            h.div(".fours", role="group", aria_label="Side bets")[self._some(*side)]
            if side
            else None,
            None
            if self.side
            else h.button("#side.button", type="submit", name="more", value="side")[SIDE_BETS],
        ]


def _id(bet: str) -> str:
    # HTML allows no spaces here.
    return "".join(c if c.isalnum() else "-" for c in bet.replace("'", ""))
