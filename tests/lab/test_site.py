"""The site as a function: what an address answers, and that nothing in one can do harm."""

import re
from base64 import urlsafe_b64encode
from fractions import Fraction
from html import unescape
from importlib.resources import files
from urllib.parse import quote, unquote
from xml.etree.ElementTree import fromstring
from zlib import compress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markupsafe import escape

from sevenout.catalogue import games
from sevenout.documents.numbers import decimal
from sevenout.errors import TooManyStatesError
from sevenout.lab import address as addresses
from sevenout.lab.address import (
    MAX_LENGTH,
    Address,
    bet_of,
    entries_by_rules,
    error_sentence,
    game_subject,
    optimum,
)
from sevenout.lab.by_hand import cached_session
from sevenout.lab.pages import PAGES
from sevenout.lab.pages.dice_page import GALLERY
from sevenout.lab.pages.variants_page import presets
from sevenout.lab.site import page
from sevenout.model import explore
from sevenout.questions.subjects import pack_file
from sevenout.variants import around
from sevenout.variants.rulebook import rules_of_game

CRAPS = "2,3,12/7,11/7"


def words(url: str) -> str:
    return page(url).body.decode()


def moved(url: str) -> str:
    answer = page(url)
    assert answer.status == 303, answer.body.decode()[-800:]
    return answer.location


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("/", "244/495"),
        ("/?game=3/7,8,9/3@3d6", "364249/384384"),
        ("/?game=hazard;main=5", "1396/2835"),
        ("/?game=fast-craps", "95341/419904"),
        ("/?game=hazard-turn", "no bet is made"),
        ("/table", "Begin with the pass line"),
        ("/table?game=craps", "Roll the dice"),
        ("/table?strategy=pass&bankroll=9&length=12", "Roll the dice"),
        ("/evening?a=pass&bankroll=9&length=12", "ends ahead"),
        ("/evening?game=hazard", "ends ahead"),
        ("/simulate?games=1000", "1,000"),
        ("/dice", "16.667"),
        ("/dice?dice=no-seven", "The grid"),
        ("/dice?read=at-least", "35/36"),
        ("/dice?dice=100d6", "17.078251"),
        ("/dice?dice=d100&read=at-most", "99.0000 %"),
        ("/dice?dice=4d6kh3&beside=3d6;d20", "15869/1296"),
        ("/dice?tab=test&taps=0123", "4 rolls"),
        ("/catalogue?q=hazard", "Hazard"),
        ("/best", "492303203/60466176"),
        ("/table?game=pig-turn&did=roll*1", "best"),
        ("/simulate?game=pig-turn&games=1000", "1,000"),
    ],
)
def test_an_address_is_a_page(url: str, said: str) -> None:
    assert page(url).status == 200
    assert said in words(url)


@pytest.mark.parametrize(
    ("url", "said", "status"),
    [
        ("/?game=bananas", "Nothing is called 'bananas'", 400),
        ("/?game=2,3/3,7/7", "both craps and naturals", 400),
        ("/?game=2,3/5/7", "The out 7 is a point", 200),
        ("/table?game=mia", "play it with `sevenout play mia --coach`", 200),
        ("/table?game=repeater-plus-citywide", "with `sevenout play repeater-plus-citywide`", 200),
        ("/variants?where=n_points > 8&page=999", "page=999; the table has 3 pages", 200),
        ("/?game=7,11/2,3,12/7&to-set=natural:--5", "write natural:4,5,6", 200),
        (f"/?game=7,11/2,3,12/7&to-set=natural:{'5' * 4400}", "write natural:4,5,6", 200),
        ("/table?text=garbage", "A new table", 400),
        ("/table?show=beside", "No strategy is chosen; choose one below", 200),
        ("/table?do=roll&amount=9", "amount='9'; the page /table has no such field", 400),
        ("/evening?a=pass&to-a=pass&to-a-amount=5,odds=1", "give one value", 400),
        ("/dice?tab=test&counts=1.2", "write 6 counts, such as 10.11.12.10.11.12", 200),
        ("/?game=hazard;main=4", "main is 5, 6, 7, 8 or 9", 400),
        ("/?game=2,3,12/7,11/7;limit=x", "a limit of 'x'", 400),
        ("/?game=~eJxxxx", "damaged", 400),
        ("/?game=2,3,12/7,11/7&bet=none", "no bet 'none'", 200),
        ("/table?rolls=9", "no such field", 400),
        ("/table?game=craps&did=roll*x", "write roll*1", 400),
        ("/simulate?games=1e99", "too many", 400),
        ("/simulate?seen=abc", "another game, bet or seed", 200),
        ("/dice?dice=2x6", "is not dice", 200),
        ("/dice?beside=d10!", "has no highest total", 200),
        ("/dice?beside=d4;d6;d8", "at most 3", 200),
        ("/dice?read=more", "give one of: exactly, at-least, at-most", 200),
        ("/dice?off=9.9", "no such face", 200),
        ("/dice?tab=faults&f0.1=--5", "f0.1='--5'; write a whole number from -50 to 50", 200),
        ("/dice?tab=faults&f0.9=5", "f0.9='5'; these dice have no such face", 200),
        ("/dice?tab=faults&design=tatham&f0.1=20", "design='tatham'; give one of", 200),
        ("/dice?tab=test&dice=2d6&taps=01", "tap one die", 200),
        ("/dice?tab=faults&share=7", "share='7'; give one of: 25, 5, 10, 50.", 200),
        ("/dice?tab=test&taps=01&more=1 x", "'x' is not a face of this die", 200),
        ("/?game=nix&each=yes&roles=all", "Nothing is called 'nix'", 400),
        ("/?game=craps&game=hazard", "The field 'game' is in the address twice", 400),
        ("/?to-hard=maybe", "to-hard='maybe'; give one of: no, yes", 200),
        ("/?to-hard=yes&to-hrad=yes", "to-hrad='yes'; give one of", 200),
        ("/?game=hazard;main=5&to-o-main=6&to-hard=yes", "give one of: to-o-main", 200),
        ("/?to-game=craps&to-dice=3d6", "to-dice='3d6'; give one of: to-game", 200),
        ("/best?game=pig&to-hrad=yes", "to-hrad='yes'; give one of", 400),
        ("/?p:point:3:1=2", "p:point:3:1='2'; the pay table has no such row", 200),
        ("/?p:point:4:2=2", "p:point:4:2='2'; the pay table has no such row", 200),
        ("/?p:point:4:0=2", "p:point:4:0='2'; the pay table has no such row", 200),
        ("/best?game=pig;goal=0", "goal", 400),
        ("/variants?down=yes", "give sort too", 400),
        ("/evening?a=pass&hours=-3", "Hours is '-3'; write a number above 0", 200),
        ("/evening?a=pass&stop_loss=x", "Leaves when down is 'x'", 200),
        ("/evening?a=pass&stop_loss=40%25", "Leaves when down is '40%'; write a number", 200),
        ("/nowhere", "The lab has no page /nowhere", 404),
        ("/?" + "x" * MAX_LENGTH, "give a shorter one", 400),
        ("/?" + "&".join(f"a{i}=1" for i in range(500)), "More than 400 fields", 400),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(url: str, said: str, status: int) -> None:
    answer = page(url)
    assert answer.status == status
    assert said.lower() in answer.body.decode().replace("&#39;", "'").lower()


def test_of_too_many_states_it_is_said_what_can_be_done_here() -> None:
    with pytest.raises(TooManyStatesError) as refused:
        explore(games("pig", goal=20), max_states=50)
    assert error_sentence(refused.value) == (
        "The game has more than 50 states; use smaller options, keep less in the state, or raise "
        "max_states in Python."
    )


def test_the_coach_says_what_a_mistake_costs() -> None:
    found = optimum("pig-turn")
    did = ["roll*1"]
    for _ in range(2):
        text = words(f"/table?game=pig-turn&seed=1&did={'|'.join(did)}")
        played = cached_session("pig-turn", 1, tuple(did), "")
        assert set(played.options) == {"roll", "hold"}
        worst = max(found.options(played.position.state), key=lambda option: abs(option.cost))
        assert f"costs {decimal(abs(worst.cost), 4)}" in text
        did += ["roll", "roll*1"]
    assert moved("/?game=pig-turn") == "/best?game=pig-turn"


def test_every_game_of_the_catalogue_has_its_page() -> None:
    """Also one that lists neither its bets nor its outcomes."""
    answers = {name: page(f"/?game={name}") for name in games.without_choices}
    assert [name for name, answer in answers.items() if answer.status != 200] == []


def test_faces_that_leave_all_proportions_are_said_to() -> None:
    assert "Every total still comes, exactly as often." in words(
        "/dice?dice=d4{1,1,2,2}&off=0.0,0.2"
    )
    assert "but their proportions have changed" in words("/dice?dice=d4{1,1,2,2}&off=0.0")
    assert "2 and 3 more never come" in words("/dice?dice=2d10&off=0.0,0.1,0.2,1.0")


def test_a_table_says_which_bets_it_has() -> None:
    bets = "".join(
        f'[[wager]]\nbet = "on {n}"\nlimit = 1\npays = {{ "{n}" = 5 }}\n' for n in range(2, 12)
    )
    game = "~" + pack_file(f'format = 1\nname = "Ten"\ndice = "2d6"\n{bets}')
    assert "These are the first 8 of 10 bets." in words(f"/table?game={game}")
    assert "the table has: on 2, on 3" in words(f"/table?game={game}&did=on 11=5")


def test_half_written_rules_show_no_odds() -> None:
    text = words("/?game=2,3/5/7")
    assert "make no sense yet" in text
    assert "house edge" not in text


def test_forms_lead_to_canonical_addresses_that_know_where_one_started() -> None:
    assert unquote(moved("/?to-dice=3d6")) == f"/?game=3,12/7,11/7@3d6&from={CRAPS}"
    more = moved(f"/?game={CRAPS}&p:point:4,10:1=9/5")
    assert Address.read(more).get("from") == CRAPS
    back = moved(f"{more}&p:point:4,10:1=1")
    assert Address.read(back).query == {"game": CRAPS}
    assert "points" in words(more)  # the change, in percentage points


def test_a_touched_die_becomes_the_next_larger_one() -> None:
    assert "Die 1, a d7: make it a d8" in words("/?game=2,3,12/7,11/7@2d7")
    assert "Die 1, a d20: make it a d4" in words("/?game=2,3,12/7,11/7@2d20")


def test_the_form_takes_a_roll_limit_away() -> None:
    """A form sends an empty field, which an address leaves out."""
    sent = moved(f"/?game={CRAPS};limit=3&to-dice=2d6&to-limit=&to-hard=no")
    assert Address.read(sent).get("game") == CRAPS
    kept = moved(f"/?game={CRAPS};limit=3&to-set=natural:4")
    assert Address.read(kept).get("game").endswith(";limit=3")


def test_the_form_of_options_keeps_those_that_it_does_not_hold() -> None:
    buy = "buy-4-10-up-front;commission=1/10"
    sent = moved(f"/?game={buy};on-win=yes&to-o-number=&to-o-on_win=yes&to-o-amount=20")
    assert Address.read(sent).get("game") == f"{buy};on_win=yes;amount=20"
    emptied = moved(f"/?game={sent.partition('game=')[2]}&to-o-amount=&to-o-on_win=no")
    assert Address.read(emptied).get("game") == buy
    assert '<option value="yes" selected>' in words(f"/?game={buy};on-win=yes")


def test_a_new_strategy_starts_with_its_own_options() -> None:
    sent = moved("/evening?a=pass:amount=5&to-a=molly&to-a-amount=9&to-a-odds=2-2-2")
    assert sent == "/evening?a=molly"


def test_the_catalogue_copies_the_family_that_it_shows() -> None:
    foot = words("/catalogue?family=hazard").partition('class="copies"')[2]
    _, *copies = re.findall(r'data-copy="([^"]*)"', foot)
    (program,) = map(unescape, copies)  # no command lists one family
    assert "entry.family == 'Hazard'" in program
    assert "sevenout games --all" in words("/catalogue")


def test_a_pay_changes_the_edge_by_what_it_is_worth() -> None:
    more = Address.read(moved(f"/?game={CRAPS}&p:point:4,10:1=9/5")).get("game")
    made = 2 * Fraction(3, 36) * Fraction(3, 9)
    assert bet_of(more, "").edge == Fraction(7, 495) - Fraction(4, 5) * made
    assert bet_of(more, "").p_win == Fraction(244, 495)


def test_every_kind_of_game_has_pays_to_edit() -> None:
    field = "field-2-2"
    before = bet_of(field, "")
    row = next(i for i, pay in enumerate(before.law, 1) if pay.profit == 2)
    after = bet_of(Address.read(moved(f"/?game={field}&p:{row}=3")).get("game"), "")
    event = list(before.law)[row - 1]
    assert before.edge - after.edge == before.law[event] / before.stake


def test_several_pays_are_changed_at_once_and_back_again() -> None:
    now = [pay.profit for pay in bet_of("field-2-2", "").law]
    more = moved(f"/?game=field-2-2&p:1={now[0]}&p:2={now[1] + 1}&p:3={now[2] + 2}")
    game = unquote(Address.read(more).get("game"))
    assert game == f"field-2-2;field:2={now[1] + 1};field:3={now[2] + 2}"
    paid = [pay.profit for pay in bet_of(game, "").law]
    assert paid[:3] == [now[0], now[1] + 1, now[2] + 2]
    back = moved(f"{more}&p:2={now[1]}&p:3={now[2]}")
    assert Address.read(back).query == {"game": "field-2-2"}
    assert "rows 1 to" in words("/?game=field-2-2&p:99=3")


@pytest.mark.parametrize(
    ("said", "pays"), [("3:2", "3/2"), ("3 to 2", "3/2"), ("3 for 2", "1/2"), ("1:1", "1")]
)
def test_a_pay_is_written_as_on_the_felt(said: str, pays: str) -> None:
    more = Address.read(moved(f"/?game={CRAPS}&p:point:4,10:1={quote(said)}&p:craps:2,3,12:1=-1"))
    usual = Address.read(moved(f"/?game={CRAPS}&p:point:4,10:1={pays}&p:craps:2,3,12:1=-1"))
    assert more.get("game", CRAPS) == usual.get("game", CRAPS)
    assert bet_of(moved_field(said), "").law == bet_of(moved_field(pays), "").law


def moved_field(said: str) -> str:
    """The field bet of which another row pays so."""
    return Address.read(moved(f"/?game=field-2-2&p:1={quote(said)}")).get("game")


@pytest.mark.parametrize("said", ["3:0", "a:b", "1:2:3", "-3 to 2", "for 1"])
def test_what_is_no_pay_is_said(said: str) -> None:
    assert "is not an amount" in words(f"/?game={CRAPS}&p:point:4,10:1={quote(said)}")


def test_the_catalogue_searches_and_sorts() -> None:
    assert "1 found" in words("/catalogue?q=barbut")
    assert "Yatzy" in words("/catalogue?q=yahtzee"), "games with choices are found too"
    for said, title in (("snakes", "Chutes and Ladders"), ("yathzee", "Yahtzee")):
        assert title in words(f"/catalogue?q={said}")
    found = words("/catalogue?q=sevens").partition('id="games"')[2]
    assert found.index("Any seven") < found.index("Gamesys Dice, seven")
    one = words("/catalogue?family=hazard")
    assert "Hazard, caster, main 5" in one
    assert "Sic bo, total" not in one
    assert page("/catalogue?family=none").status == 400
    text = words("/catalogue?sort=edge&card=games&as=csv")
    assert text.startswith("id,game,family")


def test_cards_are_files() -> None:
    csv = page("/?card=why&as=csv")
    assert (csv.media_type, csv.filename) == ("text/csv; charset=utf-8", "why.csv")
    assert csv.body.decode().endswith("all,,244/495,0.49292929292929294\n")
    svg = page("/?card=odds&as=svg")
    assert svg.media_type == "image/svg+xml"
    assert "244/495" in "".join(fromstring(svg.body).itertext())
    assert page("/?card=none&as=csv").status == page("/?card=why&as=pdf").status == 400
    assert page("/game.toml").body.startswith(b"format = 1")


@pytest.mark.parametrize("query", ["card=nonsense", "card=law&as=pdf"])
def test_a_file_that_is_not_there_is_refused_before_the_page_is_made(
    query: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Address] = []
    monkeypatch.setattr("sevenout.lab.pages.evening_page.page", made.append)
    answer = page(f"/evening?a=three-point-molly&{query}")
    assert answer.status == 400
    assert not made
    assert query.rsplit("=", maxsplit=1)[-1] in answer.body.decode()


def test_what_anydice_writes_is_no_link_to_ours() -> None:
    gallery = words("/dice").partition('id="gallery"')[2]
    assert gallery.count('href="/dice?dice=2d6%2B3"') == 1
    assert gallery.count("2d6+3") == 2


CARDS = re.compile(r'<section id="([^"]+)" class="card[^"]*"><header>')
CONTROLS = {"who", "evening", "games"}
"""Cards that only ask."""


@pytest.mark.parametrize(
    "url",
    [
        "/?game=2,3,12/7,11/7;pass:point=6/5&pin=crapless",
        "/?game=field-2-2&bet=field",
        "/table?game=craps-lines&did=roll*30",
        "/table?strategy=pass&bankroll=9&length=20&did=roll*9",
        "/evening?a=pass&b=dont-pass&bankroll=9&length=12",
        "/evening?game=hazard",
        "/simulate?games=1000",
        "/dice?dice=2d6&off=0.2",
        "/dice?tab=faults&f0.1=20",
        "/dice?tab=test&taps=012345",
        "/catalogue?q=field",
        "/variants",
    ],
)
def test_every_card_is_a_table_and_a_picture(url: str) -> None:
    text = words(url)
    for name in CARDS.findall(text):
        if name in CONTROLS or (name == "rules" and "field" in url):
            continue
        forms = set(re.findall(rf'download="{name}\.(\w+)"', text))
        assert forms >= {"svg", "png"}, name
        assert "csv" in forms or name == "states"
        for form in forms - {"png"}:
            saved = page(f"{url}{'&' if '?' in url else '?'}card={name}&as={form}")
            assert saved.status == 200
            if form == "svg":
                fromstring(saved.body)  # well-formed, or else an error


def test_exact_numbers_are_copied_by_a_click_and_long_ones_are_one_click_away() -> None:
    text = words("/")
    assert 'data-copy="244976/245025"' in text  # in a table, too
    long = words("/?game=repeater-plus-citywide")
    exact = str(bet_of("repeater-plus-citywide", "").p_win)
    assert len(exact) > 60
    assert f'data-copy="{exact}"' in long
    assert f"a fraction of {len(exact.partition('/')[2])} digits" in long


def test_a_log_too_long_for_an_address_has_its_counts_there() -> None:
    text = words("/dice?tab=test&counts=9000.9100.9050.9010.8990.8850&log=rolls.csv&taps=01")
    assert "54,002 rolls" in text
    assert "kept in this browser" in text
    assert "sevenout test dice rolls.csv" in text
    assert "serial" not in text.lower()  # the order is not known
    assert page("/dice?tab=test&counts=1.2").status == 200
    assert "write 6 counts" in words("/dice?tab=test&counts=1.2")
    assert moved("/dice?tab=test&taps=0&more=2%0A3") == "/dice?tab=test&taps=012"


def test_the_fairest_and_the_presets_are_those_of_the_house() -> None:
    found = around("2d6")
    text = words("/variants")
    for where, best in found.by_side.items():
        assert best is not None
        assert f'data-copy="{best.p_win}"' in text
        assert f'<td class="number">{best.multiplicity_or_none:,}</td>' in text
        for one in best.first(4):
            assert f'href="/?game={one}"' in text
        asked = next(said["where"] for name, said in presets() if name.lower() == where)
        listed = words(f"/variants?where={quote(asked)}")
        number = f"{best.multiplicity_or_none:,}"
        assert re.search(f"{number} variants, (one class|[0-9]+ classes)", listed)
    assert ">none</td>" in words("/variants?dice=d6%2Bd8&target=1/7")
    longest = words("/variants?sort=mean_rolls&down=yes")
    assert 'aria-sort="descending"' in longest
    assert "sevenout variants &#39;--order-by=mean_rolls desc&#39;" in longest


@pytest.mark.parametrize("text", [text for text, _, _ in GALLERY])
def test_the_gallery_opens_dice(text: str) -> None:
    there = str(Address("/dice", {"dice": text}))
    assert f'href="{escape(there)}"' in words("/dice")
    assert 'role="alert"' not in words(there)


def test_what_swells_is_refused_before_it_is_large() -> None:
    bomb = compress(b" " * 5_000_000, 9)
    deep = "a=" + "[" * 9_000
    long = "a=" + "9" * 7_000
    line = "[[line]]\nnaturals = [3]\ncraps = [1]\nout = 1\n"
    heavy = f'format = 1\nname = "x"\ndice = "d6{{1,2,3,4,5,6:{"9" * 4_000}}}"\n{line}'
    for game in (
        "~" + urlsafe_b64encode(bomb).decode(),
        "~" + pack_file(deep),
        "~" + pack_file(heavy),
    ):
        for path in ("/?game=", "/evening?a=", "/table?strategy="):
            assert page(path + quote(game)).status in (200, 400)
    assert page(f"/?game=~{pack_file(heavy)}").status == 400
    for path in ("/open", "/evening"):
        assert page(f"{path}?text={quote(long)}").status == 400
    faces = ",".join(f"{face}:{'9' * 600}{face}" for face in range(1, 7))
    for dice in (f"d6{{{faces}}}", f"6d6{{{faces}}}kh3", f"2d6{{{faces}}}!"):
        for path in ("/?game=7,13/14/15@", "/dice?dice=", "/dice?tab=test&dice="):
            assert "601 digits; the lab reads at most 18 here" in words(path + quote(dice))
    assert page("/table?game=yahtzee&seed=1e18").status == 200


def test_beside_a_game_none_is_solved_that_asks_its_player(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "best", None)
    shown = words("/?from=pig;goal=99&pin=pig;goal=98")
    assert "Pig, goal 98 has choices, so it can&#39;t be pinned" in shown
    assert "244/495" in shown


def test_a_game_file_is_an_address_and_is_escaped() -> None:
    text = 'format = 1\nname = "My <b>game</b>"\n[[line]]\nnaturals = [7]\ncraps = [2]\nout = 7\n'
    there = moved(f"/open?text={quote(text)}")
    assert "My &lt;b&gt;game&lt;/b&gt;" in words(there)
    assert 'name = "My <b>game</b>"' in words(there.replace("/?", "/game.toml?"))
    assert game_subject("~" + pack_file(text)).title == "My <b>game</b>"
    assert page("/open?text=nonsense").status == 400


MARKUP = "\"><script>alert(1)</script><img src=x onerror=alert(1)>'"


@pytest.mark.parametrize("path", PAGES)
def test_markup_in_any_field_is_escaped(path: str) -> None:
    fields = (
        "game from pin bet dice target where sort rolls seed chips did taps more q tab off text"
    )
    fields += " a b strategy house bankroll length to-a to-a-odds to-house-odds"
    fields += " design share f0.1 card as to-dice to-limit to-game to-set p:point:4:1 games seen"
    if path.startswith("/sheet"):
        fields = "game"
    for field in fields.split():
        text = page(f"{path}?{field}={quote(MARKUP)}").body.decode("utf-8", "replace")
        assert "<script>" not in text, field
        assert "<img src=x" not in text, field
    assert str(escape(MARKUP)) in words(f"/catalogue?q={quote(MARKUP)}")


def test_the_page_has_no_inline_script_or_style() -> None:
    for url in (
        "/",
        "/table?game=craps&did=roll*9",
        "/dice",
        "/simulate?games=100",
        "/catalogue?q=craps",
    ):
        text = words(url)
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*src=)", text), url


NAMES = (
    "game from pin bet each roles seed rolls chips did games seen go stop dice off tab design "
    "share taps more target where sort down page to q card as to-dice to-limit to-hard to-set "
    "to-game text p:1 p:point:4:1 f0.1"
)
FIELDS = st.sampled_from(re.split(r"\s", NAMES))
VALUES = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        [CRAPS, f"{CRAPS};limit=3", "hazard;main=9", "7/none/7", "3/7-9/3@3d6", "d4+d6", "yes", "0"]
    ),
    st.from_regex(r"[0-9,/;:@=|.~%+-]{0,30}", fullmatch=True),
    st.integers(-5, 200).map(str),
)
PATHS = st.sampled_from(["/", "/table", "/dice", "/catalogue", "/open", "/game.toml", "/x", ""])


@settings(max_examples=150, deadline=None, derandomize=True)
@given(PATHS, st.dictionaries(FIELDS, VALUES, max_size=5))
def test_no_address_does_harm(path: str, query: dict[str, str]) -> None:
    url = str(Address(path, query))
    answer = page(url)
    assert answer.status in (200, 303, 400, 404)
    if answer.status == 303:
        assert answer.location.startswith("/")
        assert not answer.location.startswith("//")
    assert b"Traceback" not in answer.body


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.text(max_size=200))
def test_no_text_is_a_harmful_address(text: str) -> None:
    assert page(text).status in (200, 303, 400, 404)


@given(
    st.dictionaries(st.text(min_size=1, max_size=9), st.text(min_size=1, max_size=30), max_size=6)
)
@settings(max_examples=100, deadline=None, derandomize=True)
def test_addresses_are_read_back(query: dict[str, str]) -> None:
    assert Address.read(str(Address("/a", query))) == Address("/a", query)


def test_code_in_the_rules_is_set_as_code() -> None:
    body = page("/best?game=shut-the-box").body.decode()
    assert "<code>low sum</code>" in body
    assert "`low" not in body


@pytest.mark.parametrize("kind", ["craps-like", "one-roll", "collect", "choice"])
def test_a_game_file_of_every_kind_has_its_pages(kind: str) -> None:
    text = (files("sevenout.rules.gamefiles") / "starters" / f"{kind}.toml").read_text(
        encoding="utf-8"
    )
    game = quote("~" + pack_file(text))
    asks = kind == "choice"
    assert page(f"/?game={game}").status == (303 if asks else 200)
    assert page(f"/best?game={game}").status == (200 if asks else 400)
    assert page(f"/table?game={game}&did=roll*1").status == 200
    assert page(f"/simulate?game={game}&games=1000").status == 200
    if asks:
        said = words(f"/best?game={game}")
        assert "parse_game" in said
        assert "surrender" in said


@pytest.mark.parametrize(
    ("url", "field"),
    [
        ("/simulate?game=craps&games=100&hours=1", "hours"),
        ("/evening?game=craps&hours=1", "hours"),
        ("/table?bankroll=50", "bankroll"),
        ("/?game=craps&gmae=hazard", "gmae"),
        ("/ask?question=odds&game=craps&rolls=9", "rolls"),
        ("/catalogue?query=hazard", "query"),
        ("/catalogue?to-dice=3d6", "to-dice"),
        ("/best?game=pig&p:1=2", "p:1"),
        ("/evening?to-a=pass&to-x=2", "to-x"),
        ("/dice?tab=test&log=mine.csv", "log"),
        ("/own?text=x&out=7", "out"),
    ],
)
def test_a_field_that_a_page_does_not_read_is_an_error(url: str, field: str) -> None:
    answer = page(url)
    assert answer.status == 400
    assert f"{field}=" in answer.body.decode()
    assert "has no such field" in answer.body.decode()


def test_a_simulation_is_of_as_many_games_in_both_editions(monkeypatch) -> None:
    """The edition without NumPy plays 20,000 games where the address says no number."""
    from sevenout.lab.pages import simulate_page

    seen = {}
    for engine in (True, False):
        monkeypatch.setattr(simulate_page, "is_installed", lambda _, engine=engine: engine)
        seen[engine] = page("/simulate?game=field-2-3&seed=3").body.decode().count("20,000")
    assert seen[True]
    assert seen[False]


@pytest.mark.parametrize(
    "address",
    [
        *("/?each=maybe", "/?roles=some", "/?from=nothing", "/variants?down=maybe"),
        *("/table?show=all", "/table?more=less", "/simulate?stop=never", "/simulate?go=on"),
        *("/table?did=hold", "/table?bankroll=500", "/table?hours=1"),
    ],
)
def test_a_field_that_a_page_can_not_use_is_an_error(address):
    reply = page(address)
    assert reply.status == 400
    assert "That doesn&#39;t work" in reply.body.decode()


def test_a_catalogue_game_that_has_a_rule_book_is_known_by_it() -> None:
    books = [rules_of_game(entry.game()) for entry in games.without_choices.values()]
    assert {book.text for book in books if book} == {*entries_by_rules()}
