"""An evening: the money over some hours by strategy, or bet after bet of a game.

    a=pass:amount=5,odds=3-4-5      a strategy of the library
    a=~eNpLzk...                    a strategy file, packed

`questions.subjects.pack_file` packs it.
"""

from contextlib import suppress
from functools import lru_cache
from typing import Any

import htpy as h

from sevenout import questions
from sevenout.catalogue.craps_family.craps_felt import House, option_text, options_of
from sevenout.catalogue.strategies import strategies
from sevenout.catalogue.strategies.strategy_file import parse_strategy
from sevenout.documents import Column, Facts, Table
from sevenout.documents.kinds import DECIMAL, LABEL, WON
from sevenout.errors import NotationError, SevenoutError, shown
from sevenout.evenings.evening_plan import Plan
from sevenout.evenings.evening_result import PLAY_OUT, EveningResult, SideBySide
from sevenout.lab.address import MAX_DIGITS, Address, bet_of, choose, kind_of, solved
from sevenout.lab.pages.course_page import (
    CoursePage,
    bar,
    figures,
    hero,
    in_figures,
    pictures,
    swatch,
)
from sevenout.lab.pages.pays import choose_bet
from sevenout.lab.widgets import copies
from sevenout.lab.widgets.parts import (
    PASTE,
    Field,
    certainty,
    file_form,
    form,
    go,
    heading,
    problem,
    segments,
)
from sevenout.lab.widgets.view import Reply, View
from sevenout.numerals import check_digits, exact
from sevenout.questions.plans import find_strategy, plan_of
from sevenout.questions.subjects import pack_file

PATH = "/evening"
PLACES = ("a", "b", "c")
KINDS = ("", "two", "three")
FIRST = {"a": "three-point-molly:amount=5", "b": "iron-cross", "c": "pass:amount=5"}
AT_FIRST = {"bankroll": "300", "hours": "4"}
"""The default bankroll and hours, at a table with a minimum of 5."""
CHOICES: dict[str, tuple[str, ...]] = {
    "side": ("pass", "don't pass"),
    "press": ("flat", "press", "power"),
    "vig": ("on win", "up front"),
}
"""The words of an option that takes one of a few."""
MOST_BETS = 2_000
COUNTED = {"rolls": 100_000, "pace": 1_000, "shooters": 1_000, "bets": 1_000}
AMOUNTS = {
    "bankroll": "Bankroll",
    "hours": "Hours",
    "stop_loss": "Leaves when down",
    "stop_win": "Leaves when up",
    "target": "Leaves with",
}
"""Fields with an amount above 0, and their labels."""
KEPT_FIELDS = (
    *("bankroll", "hours", "length", "pace", "shooters", "bets"),
    *("stop_loss", "stop_win", "target", "house"),
)
"""The fields of an evening, besides the strategies."""

# Tuples, because the arguments of a cached function must have a hash.
Arguments = tuple[tuple[str, Any], ...]


def page(address: Address) -> View | Reply:
    if address.get("text"):
        return _file_redirect(address)
    if any(key.startswith("to-") for key in address.query):
        return Reply.to(_address_after_form(address))
    view = View(address, "An evening", PATH)
    try:
        body = _of_game(view) if address.get("game") else _of_strategies(view)
    except ImportError:
        body = [problem("Evenings need NumPy, which is not here; the local lab has it.")]
    view.body = [_heading(view), *body]
    return view


def _heading(view: View) -> Any:
    address = view.address
    game = address.get("game")
    own = address.to(PATH, keep=(), game=game or "craps")
    lead = (
        "One bet, made again and again: how much money is left, and how likely ruin is."
        if game
        else "The money left after some hours at craps, strategy by strategy."
    )
    what = [
        ("Strategies at craps", Address(PATH, {}), not game),
        ("One bet, over and over", own, bool(game)),
    ]
    return heading("Evening", lead, segments("Of what", what))


# --- the evening of an address -------------------------------------------------------------------


def arguments_of(address: Address) -> Arguments:
    """When an evening ends, from its address. `length` is in rolls: in old addresses of the table
    `rolls` counts those already made.
    """
    arguments: list[tuple[str, Any]] = []
    for key, label in AMOUNTS.items():
        if text := address.get(key):
            arguments.append((key, _above_zero(text, label)))
    for key, most in COUNTED.items():
        name = "length" if key == "rolls" else key
        if address.get(name):
            arguments.append((key, address.whole(name, 1, 1, most)))
    return tuple(arguments)


def _above_zero(text: str, label: str) -> str:
    """The text itself, if it is an amount above 0."""
    try:
        if exact(text) > 0:
            return text
    except SevenoutError:
        # Refused below, with the label of the field.
        pass
    raise NotationError(f"{label} is {shown(text)}; write a number above 0, such as 4 or 1/2")


@lru_cache(maxsize=64)
def evening_plan(text: str, arguments: Arguments, house: str) -> Plan:
    """The plan of an evening."""
    return plan_of(find_strategy(text), house, **dict(arguments))


@lru_cache(maxsize=32)
def evening_result(text: str, arguments: Arguments, house: str) -> EveningResult:
    return evening_plan(text, arguments, house).solve()


# --- strategies at the craps table --------------------------------------------------------------


def _strategies_by_place(address: Address) -> dict[str, str]:
    places = {place: address.get(place) for place in PLACES if address.get(place)}
    return places or FIRST


def _address_with_defaults(address: Address) -> Address:
    fields = address.query.keys() & {*PLACES, *KEPT_FIELDS}
    return address if fields else address.to(**FIRST, **AT_FIRST)


def _address_after_form(address: Address) -> Address:
    """The address after a form: the strategies' or the table's."""
    base = address.to(keep=(*PLACES, *KEPT_FIELDS))
    if any(key.startswith("to-house-") for key in address.query):
        return base.to(house=changed_options(address, "to-house-", House()))
    for place in PLACES:
        name = address.get(f"to-{place}")
        options = ""
        # Options belong to a strategy, so another one starts with its own.
        if name in strategies and name == base.get(place).partition(":")[0]:
            options = changed_options(address, f"to-{place}-", strategies[name])
        base = base.to(**{place: f"{name}:{options}" if options else name})
    return base


def changed_options(address: Address, form: str, usual: Any) -> str:
    """The options of a form that are not the usual ones, as text; fields begin with `form`."""
    sent = {name: address.get(form + name) for name in option_names(usual)}
    return ",".join(
        f"{k}={v}" for k, v in sent.items() if v and v != option_text(getattr(usual, k))
    )


def option_names(usual: Any) -> list[str]:
    """The options of a strategy or of a house that have a text."""
    # A house's side bets are games, but the side of a strategy is a word.
    without = {"memory", "side"} if isinstance(usual, House) else {"memory"}
    return [name for name in getattr(usual, "__dataclass_fields__", ()) if name not in without]


def _file_redirect(address: Address) -> Reply:
    """A redirect that puts an opened strategy file in the first free place, or the last."""
    text = address.get("text")
    file = parse_strategy(check_digits(text, MAX_DIGITS))
    base = address.to(keep=(*PLACES, *KEPT_FIELDS))
    place = next((p for p in PLACES if p not in base.query), PLACES[-1])
    # What the visitor has set is kept.
    ends = {k: v for k, v in file.evening.items() if k in KEPT_FIELDS and k not in base.query}
    return Reply.to(base.to(**{place: f"~{pack_file(text)}"}, **ends))


def _of_strategies(view: View) -> list[Any]:
    address = _address_with_defaults(view.address)
    house = address.get("house")
    results: dict[str, EveningResult] = {}
    wrong: dict[str, list[str]] = {}
    for place, text in _strategies_by_place(address).items():
        try:
            results[place] = evening_result(text, arguments_of(address), house)
        except SevenoutError as error:
            # The text of a packed file would fill the message.
            name = "A strategy file" if text.startswith("~") else text
            # A mistake in the evening itself would be repeated for every strategy.
            wrong.setdefault(kind_of(error), []).append(name)
    if not wrong:
        chosen = tuple(_strategies_by_place(address).values())
        question = questions.question("evening")
        arguments = {**dict(arguments_of(address)), **({"house": house} if house else {})}
        values = question.argument_values(arguments)
        view.python, view.command = copies.of_question(question, chosen, values)
    problems = [problem(f"{', '.join(dict.fromkeys(who))}: {why}") for why, who in wrong.items()]
    courses = {
        place: CoursePage.of(r.name, r, r.result, list(r.fan)) for place, r in results.items()
    }
    top = [
        *problems,
        view.card("evening", "The evening", _ends(address), _house(address), _file(view.address)),
        _players(address, courses),
    ]
    if not results:
        return top
    both = SideBySide(tuple(results.values()))
    drawn = [(KINDS[PLACES.index(place)], course) for place, course in courses.items()]
    view.title, view.hero = ", ".join(course.name for _, course in drawn), figures(drawn)
    view.bar = bar(drawn)
    return [
        *top,
        *pictures(view, drawn, "rolls", both.law()),
        view.card(
            "figures",
            "In figures",
            *_figures(address, both),
            note=certainty(max(result.bound for result in results.values())),
        ),
    ]


def _figures(address: Address, both: SideBySide) -> list[Any]:
    """The table of figures, and what they count in the words of the page."""
    table, *notes = both.page().blocks
    assert isinstance(table, Table)
    out = _question(address, "|".join(_strategies_by_place(address).values()), standing="out")
    standing = PLAY_OUT in notes
    return [
        *in_figures(table),
        *(note for note in notes if note is not PLAY_OUT),
        h.p(".hint")[
            "The money is all that the player has, in the rail and on the felt. A bet that they "
            "can't pay is not made. ",
            h.a(href=str(out))["Play the last bets out instead"] if standing else None,
        ],
    ]


def _rows(facts: Facts) -> Table:
    """Figures as rows of printed cells."""
    rows = [(fact.name, fact.kinds[-1](fact.value)) for fact in facts.facts]
    return Table(["", Column("", LABEL)], rows)


def _ends(address: Address) -> Any:
    return form(
        address.to(keep=(*PLACES, *KEPT_FIELDS)),
        *(
            Field(label, key, address.get(key), placeholder=hint)
            for label, key, hint in (
                (AMOUNTS["bankroll"], "bankroll", "100"),
                (AMOUNTS["hours"], "hours", "4"),
                ("Rolls per hour", "pace", "100"),
                ("Bets", "bets", "all"),
                (AMOUNTS["stop_loss"], "stop_loss", "never"),
                (AMOUNTS["stop_win"], "stop_win", "never"),
                (AMOUNTS["target"], "target", "never"),
            )
        ),
        submit="Play the evening",
    )


def _players(address: Address, courses: dict[str, CoursePage]) -> Any:
    base, chosen = address.to(keep=(*PLACES, *KEPT_FIELDS)), _strategies_by_place(address)
    return form(
        base,
        h.div(".evenings.players")[
            (
                h.div[
                    _player(
                        place,
                        chosen.get(place, ""),
                        _evening_heading(address, place, chosen, courses),
                    )
                ]
                for place in PLACES
            )
        ],
        submit="Play these",
        kind="",
    )


def _evening_heading(
    address: Address, place: str, chosen: dict[str, str], courses: dict[str, CoursePage]
) -> Any:
    if place not in courses:
        return None
    play = address.to("/table", keep=KEPT_FIELDS, strategy=chosen[place])
    ask = _question(address, chosen[place], extremes="yes")
    return hero(courses[place], [go("Play it", play), go("How high, how low?", ask)])


def _question(address: Address, strategies: str, **fields: str) -> Address:
    """The question of the same evening, with more options."""
    kept = {name: address.get(name) for name in KEPT_FIELDS if name not in ("length", "rolls")}
    return Address("/ask", {"question": "evening", **fields}).to(
        strategies=strategies, rolls=address.get("length"), **kept
    )


def _player(place: str, text: str, became: Any) -> Any:
    """A strategy: its name, what becomes of its evenings, and its options."""
    name, _, rest = text.partition(":")
    known = [(key, strategies.entry(key).title) for key in strategies]
    # An evening needs at least one strategy.
    none = [("", "no other strategy")] if place != PLACES[0] else []
    # A list without the chosen file would select something else.
    own = []
    with suppress(SevenoutError):
        own = [(text, find_strategy(text).name)] if text.startswith("~") else []
    choice = Field("Strategy", f"to-{place}", name, "wide", options=[*none, *own, *known])
    made = [h.div(".strategy")[swatch(KINDS[PLACES.index(place)]), choice], became or h.div]
    if name in strategies:
        usual, values = strategies[name], _options(rest)
        now = {
            key: option_text(values.get(key, getattr(usual, key))) for key in option_names(usual)
        }
        words = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in now.items())
        made += [
            h.p(".hint")[strategies.entry(name).text],
            h.details(".options")[
                h.summary(".hint")[words],
                h.div(".fields")[[option_field(f"to-{place}", usual, key, values) for key in now]],
            ],
        ]
    return made


def _options(rest: str) -> dict[str, Any]:
    try:
        return options_of(rest)
    except SevenoutError:
        return {}


def option_field(form: str, usual: Any, key: str, values: dict[str, Any]) -> Field:
    """The field of an option, with its value, or else the usual one."""
    now = option_text(values.get(key, getattr(usual, key)))
    name, label = f"{form}-{key}", key.replace("_", " ")
    if some := CHOICES.get(key) or (("no", "yes") if isinstance(getattr(usual, key), bool) else ()):
        return Field(label, name, now, "tiny", options=[(w, w) for w in some])
    return Field(label, name, now if now != "None" else "", "tiny")


def _house(address: Address) -> Any:
    options = _options(address.get("house"))
    usual = House()
    base = address.to(keep=(*PLACES, *KEPT_FIELDS))
    fields = [option_field("to-house", usual, key, options) for key in option_names(usual)]
    return h.details(".house", open=bool(options))[
        h.summary(".hint")["The house: limits, odds, what it pays"],
        form(base, *fields, submit="Set"),
    ]


def _file(address: Address) -> Any:
    kept = address.to(keep=(*PLACES, *KEPT_FIELDS)).query or FIRST  # its own, if none is given
    to = Address(PATH, kept)
    return file_form("Your own strategy, from a file", to, PASTE, file="A strategy file")


# --- one bet of a game --------------------------------------------------------------------------


def _of_game(view: View) -> list[Any]:
    from sevenout.evenings.sessions import session

    address = view.address
    text = address.get("game")
    chosen = choose(text)
    bet = bet_of(text, address.get("bet"))
    if bet is None:
        raise NotationError(f"nothing is bet on {chosen.title}; an evening needs a bet")
    bets = address.whole("bets", 300, 1, MOST_BETS)
    money = address.get("bankroll", "100")
    stake = address.get("amount", "1")
    limits: dict[str, Any] = {}
    if address.get("target"):
        limits["target"] = address.get("target")
    base = address.to(keep=("game", "bet", "bankroll", "amount", "bets", "target"))
    controls = view.card(
        "who",
        chosen.title,
        choose_bet(base, solved(text).chain.bets, bet.name),
        form(
            base,
            Field("Bankroll", "bankroll", money),
            Field("Amount", "amount", stake),
            Field("Bets", "bets", bets, inputmode="numeric"),
            Field("Leaves with", "target", address.get("target"), placeholder="never"),
            submit="Play the evening",
        ),
    )
    try:
        result = session(bet, money, amount=stake, bets=bets, **limits)
        rows = list(result.fan)
    except SevenoutError as error:
        return [problem(kind_of(error)), controls]
    question = questions.question("evening")
    arguments = {"amount": stake, "bets": bets, "bankroll": money, "bet": bet.name}
    arguments |= {"target": limits["target"]} if "target" in limits else {}
    view.python, view.command = copies.of_question(
        question, [chosen], question.argument_values(arguments)
    )
    course = CoursePage.of(bet.name, result, result.result, rows)
    law = Table(
        [Column("result", WON), Column("probability", DECIMAL)],
        course.law,
    )
    drawn = [("", course)]
    view.title, view.hero = f"An evening of {chosen.title}", figures(drawn)
    view.bar = bar(drawn)
    back = [
        go("Back to the game", Address("/", {"game": text})),
        go(
            "Risk of ruin",
            base.to(
                "/ask",
                keep=("bet", "bankroll"),
                question="evening",
                forever="yes",
                strategies=text,
                amount=stake,
            ),
        ),
    ]
    return [
        h.div(".columns")[
            h.div(".stack")[controls, h.div(".evenings")[hero(course, back)]],
            view.card("figures", "In figures", *in_figures(_rows(result.facts()))),
        ],
        *pictures(view, drawn, "bets", law),
    ]
