"""A seat at the drawn table in a real browser: taps, drags, keys; and crapssim's money."""

import re
from typing import Any
from urllib.parse import quote

import pytest

from sevenout.catalogue.craps_family.spots import split_switch, standing_name
from sevenout.catalogue.craps_family.table_lines import read_line
from sevenout.catalogue.craps_family.table_session import TableSession
from sevenout.lab.address import Address
from sevenout.lab.pages.craps_page import session_of
from tests.cli.typed_evening import EVENING, TABLE, lines_of, money_at_crapssim, money_here

CHIPS = (500, 100, 25, 5, 1)
BEGUN = f"/table?table=sevenout table;house: {TABLE};bankroll: 3000;seed: 1&more=side"
USUAL = "/table?table=sevenout table;house: minimum=5,props=1;bankroll: 300;currency: $;seed: 1"


class Seat:
    """A player at the drawn table, who taps."""

    def __init__(self, page: Any) -> None:
        self.page, self.chip = page, ""

    def session(self) -> TableSession:
        """The session that the buttons go on with."""
        field = self.page.locator("#seat input[name=table]").input_value()
        return session_of(Address("/table", {"table": field}))

    def then(self, do: Any) -> None:
        """Do something, and wait for the page that comes of it."""
        before = self.page.locator("#seat input[name=table]").input_value()
        do()
        there = "document.querySelector('#seat input[name=table]')?.value"
        self.page.wait_for_function(f"was => ({there} ?? was) !== was", arg=before)

    def hold(self, chip: str) -> None:
        if chip != self.chip:
            with self.page.expect_response(lambda answer: f"chip={chip}" in answer.url):
                self.page.locator(f"#chip-{chip}").check()
            self.page.wait_for_selector(f"#chip-{chip}[checked]")
            self.chip = chip

    def tap(self, bet: str) -> None:
        name = "hops" if bet.startswith("hop ") else ""
        if name and not self.page.locator(f"#{name}[open]").count():
            self.page.locator(f"#{name} summary").click()
        self.then(self.page.locator(f'.spot[value="{bet}"]').click)

    def press(self, words: str, bet: str) -> None:
        """A button beside a bet that stands."""
        name = f"{words}: {bet}"
        self.then(self.page.get_by_role("button", name=name, exact=True).click)

    def put(self, bet: str, amount: Any) -> None:
        """Have this much on a bet, chip by chip."""
        if amount == "max":
            self.hold("most")
            return self.tap(bet)
        bets = self.session().bets
        on = bets.get(standing_name(bets, bet), 0)
        if amount < on:
            self.press("Take down", standing_name(bets, bet))
            on = 0
        for chip in CHIPS:
            while amount - on >= chip:
                self.hold(str(chip))
                self.tap(bet)
                on += chip
        return None

    def roll(self, dice: str) -> None:
        field = self.page.get_by_label("Roll dice of your own")
        field.fill(dice)
        self.then(lambda: field.press("Enter"))

    def say(self, line: str) -> None:
        """Do with the hands what a player at the terminal would type."""
        words = {"press": "Press", "down": "Take down", "off": "Turn off", "on": "Turn on"}
        for command in read_line(self.session(), line):
            if command.verb == "roll":
                self.roll(command.text)
                continue
            bets = self.session().bets
            standing = command.bets or tuple(bets)
            for bet in standing:
                if command.verb == "bet":
                    self.put(bet, command.amount)
                elif command.verb == "press" and command.amount is not None:
                    self.put(bet, bets[standing_name(bets, bet)] + command.amount)
                else:
                    name = f"{words[command.verb]}: {standing_name(bets, bet)}"
                    if self.page.get_by_role("button", name=name, exact=True).count():
                        self.press(words[command.verb], standing_name(bets, bet))


@pytest.mark.slow  # 50 bets are some 200 pages in a browser
def test_a_drawn_evening_has_the_money_of_crapssim_after_every_roll(tab: Any) -> None:
    page = tab().open(quote(BEGUN, safe="/?=&;:,"))
    seat = Seat(page)
    said = lines_of(EVENING)
    for line in said[: said.index("3 4") + 1]:
        seat.say(line)
    session = seat.session()
    made = {split_switch(act.split(" = ")[0])[0] for act in session.acts if "=" in act}
    assert len({re.sub(r"(come|hop) \d\S*", r"\1", bet) for bet in made}) > 30, made
    assert session.rolls == 12
    assert f"{session.rail}" in page.locator(".rail").inner_text().replace(",", "")
    assert money_at_crapssim(session) == money_here(session)


def test_a_chip_is_dragged_onto_a_spot_and_off_the_felt(tab: Any) -> None:
    page = tab().open(quote(USUAL, safe="/?=&;:,"))
    seat = Seat(page)

    def drag(what: Any, to: Any) -> None:
        boxes = [each.bounding_box() for each in (what, to)]
        (x, y), (x2, y2) = [(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in boxes]
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x2, y2, steps=5)
        page.mouse.up()

    place = page.locator("#spot-place-8")
    seat.then(lambda: drag(page.locator("label:has(#chip-25)"), place))
    assert seat.session().bets == {"place 8": 25}
    assert page.locator("#chip-25").is_checked()
    seat.then(lambda: drag(place, page.locator("h1")))
    assert seat.session().bets == {}
    assert page.locator(".carried").count() == 0


def test_a_phone_and_keys_are_enough(tab: Any) -> None:
    one = tab(390)
    page = one.open(quote(USUAL, safe="/?=&;:,"))
    seat = Seat(page)
    page.locator("#spot-pass").focus()
    seat.then(lambda: page.keyboard.press("Enter"))
    assert page.evaluate("document.activeElement.id") == "spot-pass"
    assert seat.session().bets == {"pass": 5}
    page.evaluate("document.activeElement.blur()")
    seat.then(lambda: page.keyboard.press(" "))
    assert seat.session().rolls == 1
    page.locator("#chip-least").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#chip-1[checked]")
    page.locator("#undo").focus()
    seat.then(lambda: page.keyboard.press("Enter"))
    assert seat.session().acts == ["pass = 5"]
    page.go_back()
    page.wait_for_function("() => location.search.includes('chip=1')")
    page.wait_for_selector("#chip-1:checked")
    tops = page.locator(".own input:not([type=hidden])").evaluate_all(
        "inputs => inputs.map(input => Math.round(input.getBoundingClientRect().top))"
    )
    assert len(tops) == 3, "dice, chips, tip"
    assert len(set(tops)) == 1, "the three fields stand side by side"
    targets = page.locator(".spot:visible, .hold").all()
    assert all(
        min(box["width"], box["height"]) >= 24 for box in (t.bounding_box() for t in targets)
    )


def test_without_scripts_the_table_is_a_form(tab: Any) -> None:
    page = tab(script=False).open(quote(USUAL, safe="/?=&;:,"))
    page.locator("#chip-25").check()
    page.locator("#spot-pass").click()
    page.locator("#roll").click()
    assert "pass $25" in page.locator("main").inner_text() or page.locator(".log").count() == 1
