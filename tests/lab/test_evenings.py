"""Evenings in the lab: the house's own figures, and the same evening roll by roll."""

import re
from fractions import Fraction
from html import unescape
from urllib.parse import quote, unquote

import pytest

import sevenout as so
from sevenout.catalogue import games
from sevenout.documents.numbers import percent
from sevenout.evenings import session
from sevenout.lab.address import Address
from sevenout.lab.pages.evening_page import arguments_of
from sevenout.lab.pages.strategy_page import cached_evening
from sevenout.lab.site import page
from sevenout.solving import solve

FILE = """format = 1
name = "Five and press"

[[bet]]
on = "pass"
amount = 5

[evening]
bankroll = 60
hours = 1
stop_loss = 30
"""


def words(url: str) -> str:
    answer = page(url)
    assert answer.status == 200, answer.body.decode()[-500:]
    return answer.body.decode()


def moved(url: str) -> str:
    answer = page(url)
    assert answer.status == 303, answer.body.decode()[-500:]
    return unquote(answer.location)


def test_the_figures_are_those_of_the_house() -> None:
    text = words("/evening?a=pass-odds&b=dont-pass&bankroll=40&hours=1&stop_win=20")
    for name in ("pass-odds", "dont-pass"):
        result = so.evening(name, bankroll=40, hours=1, stop_win=20)
        for p in (result.ahead, result.ruin):
            # A tiny chance has no room in a large figure.
            number = percent(p, 2).rpartition(" ")[0] if p >= Fraction(1, 10_000) else "< 0.01"
            assert number.replace("<", "&lt;").replace("-", "\u2212") in text
    law = page("/evening?a=pass&bankroll=9&length=12&card=law&as=csv").body.decode()
    assert 'name="bets"' in text
    result = so.evening("pass", bankroll=9, rolls=12)
    rows = dict(line.split(",")[:2] for line in law.splitlines()[1:])
    assert {Fraction(x): Fraction(p) for x, p in rows.items()} == dict(result.profit.items())


def test_what_is_wrong_with_all_of_them_is_said_once() -> None:
    text = words("/evening?a=pass&b=iron-cross&bankroll=many")
    assert text.count("Bankroll is &#39;many&#39;; write a number above 0") == 1
    assert '<div class="problem" role="alert"><p>pass, iron-cross: ' in text


def test_what_an_address_copies_is_the_same_evening() -> None:
    made = page("/evening?a=pass:odds=2&bankroll=50&length=20&house=minimum=1")
    text = made.body.decode().replace("&#39;", "'")
    assert "sevenout evening pass:odds=2 --bankroll=50 --rolls=20 --house=minimum=1" in text
    program = text.split('data-copy="from')[1].split('"')[0]
    assert "evening('pass:odds=2', bankroll=50, rolls=20, house='minimum=1')" in program


@pytest.mark.parametrize(
    ("sent", "there"),
    [
        ("to-a=pass&to-a-amount=5&to-a-odds=3-4-5", "/evening?a=pass:amount=5,odds=3-4-5"),
        ("to-a=pass&to-a-amount=1&to-a-odds=0", "/evening?a=pass"),
        ("b=five-count&to-a=pass", "/evening?a=pass"),
        ("b=five-count&to-a=pass&to-b=molly&to-b-amount=9", "/evening?a=pass&b=molly"),
        ("to-house-odds=2-2-2&to-house-minimum=1", "/evening?a=pass&house=odds=2-2-2"),
    ],
)
def test_forms_lead_to_short_addresses(sent: str, there: str) -> None:
    assert moved(f"/evening?a=pass&{sent}") == there


def test_a_strategy_file_takes_a_free_place_and_says_when_it_ends() -> None:
    there = moved(f"/evening?a=pass&text={quote(FILE)}")
    address = Address.read(there)
    assert address.get("b").startswith("~")
    assert (address.get("bankroll"), address.get("stop_loss")) == ("60", "30")
    assert "Five and press" in words(quote(there, safe="/?&=:~"))
    assert page("/evening?text=nonsense").status == 400
    form = words("/evening").partition("data-file")[2].partition("</form>")[0]
    sent = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))
    first = Address("/evening", {**sent, "text": FILE})
    assert Address.read(moved(str(first))).get("bankroll") == "60", "nothing else was said"


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("/evening?a=nobody", "no strategy"),
        ("/evening?a=pass:bananas=2", "no option"),
        ("/evening?a=pass&bankroll=x", "x"),
        ("/evening?a=pass&house=roof=2", "no house rule"),
        ("/evening?a=~eJxxxx", "damaged"),
        ("/evening?a=pass:amount=5&bankroll=3", "does not pay for the first bet"),
        ("/evening?game=craps&bankroll=1/4", "1/4"),
    ],
)
def test_what_is_wrong_is_said_beside_the_form(url: str, said: str) -> None:
    text = words(url).replace("&#39;", "'")
    assert said in text.lower().split('role="alert"')[1]
    assert "Bankroll" in text


def test_one_bet_of_any_game() -> None:
    bet = solve(games["fast-craps"]).bet("pass")
    result = session(bet, 30, bets=25)
    text = words("/evening?game=fast-craps&bet=pass&bankroll=30&bets=25")
    assert percent(result.ahead, 2).split()[0] in text
    assert page("/evening?game=hazard-turn").status == 400  # nothing is bet on it


@pytest.mark.parametrize("name", ["three-point-molly", "place-6-8-press", "oscars-grind"])
def test_an_evening_is_played_as_its_bets_are_paid(name: str) -> None:
    said = arguments_of(Address.read("/table?bankroll=60&length=150"))
    played = cached_evening.__wrapped__(name, said, 5)
    turns = played.first_rolls(150)
    assert turns == cached_evening.__wrapped__(name, said, 5).first_rolls(150)
    assert turns != cached_evening.__wrapped__(name, said, 6).first_rolls(150)
    money = Fraction(60)
    for turn in turns:
        money += turn.moment.rolled.net
        assert turn.moment.money == money
        assert sum(amount for _, amount in turn.bets) <= money
    assert turns[-1].moment.end in ("time", "ruin")


def test_a_long_evening_counts_the_rolls_of_its_fan() -> None:
    """From 1,000 rolls on, a fan has fewer rows than there are rolls."""
    result = so.evening("pass", bankroll=30, rolls=1001)
    url = "/evening?a=pass&bankroll=30&length=1001"
    low, _, middle, _, high = result.fan[-1]
    ends = f"money is {middle}, and nine evenings in ten are between {low} and {high}."
    assert f"after 1,001 rolls the median of the {ends}" in words(url)
    rows = words(f"{url}&card=fan&as=csv").splitlines()[1:]
    assert [row.partition(",")[0] for row in rows] == [str(n) for n in result.fan_rolls]
    assert rows[-1] == ",".join(map(str, (1001, *result.fan[-1])))
    text = words("/table?strategy=pass&bankroll=30&length=1001&seed=2&did=roll*31")
    low, _, middle, _, high = result.fan[15]
    assert "the median after 30 rolls" in text
    assert f"{low} to {high}" in text
    assert f">{middle}<" in text


def test_the_table_shows_the_band_of_all_evenings() -> None:
    url = "/table?strategy=pass-odds&bankroll=60&length=80&seed=2&did=roll*30"
    result = so.evening("pass-odds", bankroll=60, rolls=80)
    low, _, middle, _, high = result.fan[30]
    text = words(url)
    assert f"{low} to {high}" in text
    assert f">{middle}<" in text
    assert "The evening is over: time" in words(url.replace("*30", "*999"))


@pytest.mark.parametrize(
    "url",
    ["/evening?a=pass&b=iron-cross&bankroll=60&length=9", "/evening?game=craps&bets=20"],
)
def test_an_evening_leads_to_questions_about_it(url: str) -> None:
    links = [unescape(link) for link in re.findall(r'href="(/ask[^"]*question=[^"]*)"', words(url))]
    assert links
    for link in links:
        assert 'id="answer"' in words(link), link


def test_the_form_of_the_house_is_sent_as_it_stands() -> None:
    """A browser sends each field, also those that nobody touched."""
    html = page("/evening?a=pass&bankroll=9&hours=1").body.decode()
    form = html.partition('name="to-house-minimum"')[0].rpartition("<form")[2]
    form += html.partition('name="to-house-minimum"')[2].partition("</form>")[0]
    names = set(re.findall(r'name="(to-house-\w+)"', form))
    assert "to-house-crapless" in names
    assert "to-house-side" not in names, "side bets are games, which no field holds"
    sent = "to-house-minimum=1&to-house-odds=3-4-5&to-house-vig=up front&to-house-put=no"
    answer = page(quote(f"/evening?a=pass&bankroll=9&hours=1&{sent}", safe="/?=&"))
    assert Address.read(answer.location).get("house") == "vig=up front"
    wrong = page("/evening?a=pass&bankroll=9&hours=1&house=side=pass")
    assert "No house rule" in unescape(wrong.body.decode())
