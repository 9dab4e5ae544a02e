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
from sevenout.documents.kinds import LABEL
from sevenout.errors import NotationError, SevenoutError, shown
from sevenout.evenings.evening_plan import Plan
from sevenout.evenings.evening_result import PLAY_OUT, EveningComparison, EveningResult
from sevenout.lab.address import (
    MAX_DIGITS,
    Address,
    bet_of,
    error_sentence,
    game_subject,
    solution_of,
)
from sevenout.lab.pages.course_page import (
    DrawnCourse,
    course_bar,
    course_cards,
    course_summary,
    folded_figures,
    hero_of,
)
from sevenout.lab.pages.pays import choose_bet
from sevenout.lab.widgets import chart, copies
from sevenout.lab.widgets.parts import (
    PASTE_FIELD,
    Field,
    certainty,
    file_form,
    form,
    heading,
    link_button,
    not_here,
    problem,
    segments,
)
from sevenout.lab.widgets.view import Reply, View
from sevenout.numerals import check_digits, exact_money
from sevenout.questions.plans import find_strategy, plan_of
from sevenout.questions.subjects import pack_file

PATH = "/evening"
LINE_STYLES = {"a": "", "b": "two", "c": "three"}
"""The fields of an address that hold a strategy, and the classes of their lines."""
DEFAULT_STRATEGIES = {"a": "three-point-molly:amount=5", "b": "iron-cross", "c": "pass:amount=5"}
DEFAULT_ENDS = {"bankroll": "300", "hours": "4"}
"""The default bankroll and hours, at a table with a minimum of 5."""
OPTION_WORDS: dict[str, tuple[str, ...]] = {
    "side": ("pass", "don't pass"),
    "press": ("flat", "press", "power"),
    "vig": ("on win", "up front"),
}
"""The words of an option that takes one of a few."""
MAX_GAME_BETS = 2_000
"""Bets of an evening of a game, which are quicker to compute than those of a strategy."""
MAX_COUNTS = {"rolls": 100_000, "pace": 1_000, "shooters": 1_000, "bets": 1_000}
"""The largest counts of an evening of a strategy."""
AMOUNT_LABELS = {
    "bankroll": "Bankroll",
    "hours": "Hours",
    "stop_loss": "Leaves when down",
    "stop_win": "Leaves when up",
    "target": "Leaves with",
}
"""Fields with an amount above 0, and their labels."""
EVENING_FIELDS = (
    *("bankroll", "hours", "length", "pace", "shooters", "bets"),
    *("stop_loss", "stop_win", "target", "house"),
)
"""The fields of an evening, besides the strategies."""

# Tuples, because the arguments of a cached function must have a hash.
Arguments = tuple[tuple[str, Any], ...]


def page(address: Address) -> View | Reply:
    """The evenings of strategies, or of one bet; a form or a file redirects to its address."""
    if address.get("text"):
        return _file_redirect(address)
    if any(key.startswith("to-") for key in address.query):
        return Reply.redirect(_address_after_form(address))
    view = View(address, "An evening", PATH)
    try:
        body = _game_evening(view) if address.get("game") else _strategies_evening(view)
    except ImportError as error:
        body = [not_here(error, "Evenings need NumPy")]
    view.body = [_heading(view), *body]
    return view


def _heading(view: View) -> Any:
    """The heading, with links to both kinds of evening."""
    address = view.address
    game = address.get("game")
    lead = "The money left after some hours at craps, strategy by strategy."
    if game:
        lead = "One bet, made again and again: how much money is left, and how likely ruin is."
    kinds = [
        ("Strategies at craps", Address(PATH, {}), not game),
        ("One bet, over and over", Address(PATH, {"game": game or "craps"}), bool(game)),
    ]
    return heading("Evening", lead, segments("Of what", kinds))


# --- the evening of an address -------------------------------------------------------------------


def arguments_of(address: Address) -> Arguments:
    """When an evening ends and what the house is, from its address.

    `length` holds the number of rolls, because in old addresses of the table `rolls` counts those
    already made.
    """
    arguments: list[tuple[str, Any]] = []
    for key, label in AMOUNT_LABELS.items():
        if text := address.get(key):
            arguments.append((key, _above_zero(text, label)))
    for key, max_count in MAX_COUNTS.items():
        name = "length" if key == "rolls" else key
        if address.get(name):
            arguments.append((key, address.whole_number(name, 1, 1, max_count)))
    if house := address.get("house"):
        arguments.append(("house", house))
    return tuple(arguments)


def _above_zero(text: str, label: str) -> str:
    """The text itself, if it is an amount above 0."""
    try:
        if exact_money(text) > 0:
            return text
    except SevenoutError:
        # Refused below, with the label of the field.
        pass
    raise NotationError(
        f"{label} is {shown(text)}; write a number above 0 in digits, such as 4 or 1/2"
    )


@lru_cache(maxsize=64)
def evening_plan(strategy: str, arguments: Arguments) -> Plan:
    """The plan of an evening."""
    return plan_of(find_strategy(strategy), **dict(arguments))


@lru_cache(maxsize=32)
def evening_result(strategy: str, arguments: Arguments) -> EveningResult:
    """The distribution of an evening."""
    return evening_plan(strategy, arguments).solve()


# --- strategies at the craps table --------------------------------------------------------------


def _strategies_by_field(address: Address) -> dict[str, str]:
    """The strategies of an address by their fields, or else the default ones."""
    chosen = {field: address.get(field) for field in LINE_STYLES if address.get(field)}
    return chosen or DEFAULT_STRATEGIES


def _evening_address(address: Address) -> Address:
    """The address with the evening alone, without the fields of a form."""
    return address.to(keep=(*LINE_STYLES, *EVENING_FIELDS))


def _address_with_defaults(address: Address) -> Address:
    """The address itself, or the default evening if it has no field of one."""
    fields = address.query.keys() & {*LINE_STYLES, *EVENING_FIELDS}
    return address if fields else address.to(**DEFAULT_STRATEGIES, **DEFAULT_ENDS)


def _address_after_form(address: Address) -> Address:
    """The address after a form: the strategies' or the table's."""
    base = _evening_address(address)
    if any(key.startswith("to-house-") for key in address.query):
        return base.to(house=changed_options(address, "to-house-", House()))
    for field in LINE_STYLES:
        name, last_name = address.get(f"to-{field}"), base.get(field).partition(":")[0]
        options = ""
        if last_name in strategies:
            # The form sends the options of the last strategy; another one starts with its own.
            changed = changed_options(address, f"to-{field}-", strategies[last_name])
            options = changed if name == last_name else ""
        base = base.to(**{field: f"{name}:{options}" if options else name})
    return base


def changed_options(address: Address, prefix: str, usual: Any) -> str:
    """The options of a form that are not the usual ones, as text; fields begin with `prefix`."""
    sent = {name: address.get(prefix + name) for name in option_names(usual)}
    for name, value in sent.items():
        # The text of all options has commas between them, so a value with one would be two.
        if "," in value:
            raise NotationError(f"{prefix}{name}={shown(value)}; give one value, without a comma")
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
    base = _evening_address(address)
    field = next((name for name in LINE_STYLES if name not in base.query), "c")
    # What the visitor has set is kept.
    ends = {k: v for k, v in file.evening.items() if k in EVENING_FIELDS and k not in base.query}
    return Reply.redirect(base.to(**{field: f"~{pack_file(text)}"}, **ends))


def _strategies_evening(view: View) -> list[Any]:
    """The page of up to three strategies at the craps table, side by side."""
    address = _address_with_defaults(view.address)
    results: dict[str, EveningResult] = {}
    names_by_message: dict[str, list[str]] = {}
    for field, text in _strategies_by_field(address).items():
        try:
            results[field] = evening_result(text, arguments_of(address))
        except SevenoutError as error:
            # The text of a packed file would fill the message.
            name = "A strategy file" if text.startswith("~") else text
            # A mistake in the evening itself would be repeated for every strategy.
            names_by_message.setdefault(error_sentence(error), []).append(name)
    if not names_by_message:
        subjects = tuple(_strategies_by_field(address).values())
        question = questions.question("evening")
        values = question.argument_values(dict(arguments_of(address)))
        view.python, view.command = copies.of_question(question, subjects, values)
    problems = [
        problem(f"{', '.join(dict.fromkeys(names))}: {message}")
        for message, names in names_by_message.items()
    ]
    courses = {
        field: DrawnCourse(result.name, result, LINE_STYLES[field])
        for field, result in results.items()
    }
    top = [
        *problems,
        view.add_card(
            "evening",
            "The evening",
            _ends_form(address),
            _house_form(address),
            _strategy_file_form(view.address),
        ),
        _players_form(address, courses),
    ]
    if not results:
        return top
    comparison, all_courses = EveningComparison(tuple(results.values())), list(courses.values())
    view.title = ", ".join(course.name for course in all_courses)
    view.hero, view.bar = hero_of(all_courses), course_bar(all_courses)
    return [
        *top,
        *course_cards(view, all_courses, "rolls", comparison.distribution_table()),
        view.add_card(
            "figures",
            "In figures",
            *_figures(address, comparison),
            note=certainty(max(result.bound for result in results.values())),
        ),
    ]


def _figures(address: Address, comparison: EveningComparison) -> list[Any]:
    """The table of figures, and what they count in the words of the page."""
    table, *notes = comparison.page().blocks
    assert isinstance(table, Table)
    strategies_text = "|".join(_strategies_by_field(address).values())
    played_out = _question_address(address, strategies_text, standing="out")
    return [
        *folded_figures(table),
        # The link takes the place of the note on how to give the option.
        *(note for note in notes if note != PLAY_OUT),
        h.p(".hint")[
            "The money is all that the player has, in the rail and on the felt. A bet that they "
            "can't pay is not made. ",
            h.a(href=str(played_out))["Play the last bets out instead"]
            if any(result.standing for result in comparison.results)
            else None,
        ],
    ]


def _rows_of_facts(facts: Facts) -> Table:
    """Figures as rows of printed cells."""
    rows = [(fact.name, fact.kinds[-1](fact.value)) for fact in facts.facts]
    return Table(["", Column("", LABEL)], rows)


def _ends_form(address: Address) -> Any:
    """The form of what a player brings, and when their evening ends."""
    return form(
        _evening_address(address),
        *(
            Field(label, key, address.get(key), placeholder=hint)
            for label, key, hint in (
                (AMOUNT_LABELS["bankroll"], "bankroll", "100"),
                (AMOUNT_LABELS["hours"], "hours", "4"),
                ("Rolls per hour", "pace", "100"),
                ("Bets", "bets", "all"),
                (AMOUNT_LABELS["stop_loss"], "stop_loss", "never"),
                (AMOUNT_LABELS["stop_win"], "stop_win", "never"),
                (AMOUNT_LABELS["target"], "target", "never"),
            )
        ),
        submit="Play the evening",
    )


def _players_form(address: Address, courses: dict[str, DrawnCourse]) -> Any:
    """The strategies side by side, each with its figures and its options."""
    chosen = _strategies_by_field(address)
    return form(
        _evening_address(address),
        h.div(".evenings.players")[
            (
                h.div[
                    _player_fields(
                        field,
                        chosen.get(field, ""),
                        _summary(address, chosen[field], courses[field])
                        if field in courses
                        else None,
                    )
                ]
                for field in LINE_STYLES
            )
        ],
        submit="Play these",
        css_class="",
    )


def _summary(address: Address, strategy: str, course: DrawnCourse) -> Any:
    """What becomes of a strategy's evenings, and links to play one and to ask more."""
    play = address.to("/table", keep=EVENING_FIELDS, strategy=strategy)
    ask = _question_address(address, strategy, extremes="yes")
    return course_summary(
        course, [link_button("Play it", play), link_button("How high, how low?", ask)]
    )


def _question_address(address: Address, subjects: str, **fields: str) -> Address:
    """The question of the same evening, with more options; `subjects` are its strategies."""
    ends = {name: address.get(name) for name in EVENING_FIELDS if name != "length"}
    return Address("/ask", {"question": "evening", **fields}).to(
        strategies=subjects, rolls=address.get("length"), **ends
    )


def _player_fields(field: str, strategy: str, summary: Any) -> Any:
    """A strategy: its name, what becomes of its evenings, and its options."""
    name, _, options_text = strategy.partition(":")
    # An evening needs at least one strategy.
    choices = [("", "no other strategy")] if field != "a" else []
    # A list without the chosen file would select something else.
    with suppress(SevenoutError):
        choices += [(strategy, find_strategy(strategy).name)] if strategy.startswith("~") else []
    choices += strategy_options()
    choice = Field("Strategy", f"to-{field}", name, "wide", options=choices)
    nodes = [h.div(".strategy")[chart.swatch(LINE_STYLES[field]), choice], summary or h.div]
    if name in strategies:
        usual, values = strategies[name], _options(options_text)
        keys = option_names(usual)
        words = (
            f"{key.replace('_', ' ')} {option_text(values.get(key, getattr(usual, key)))}"
            for key in keys
        )
        nodes += [
            h.p(".hint")[strategies.entry(name).summary],
            h.details(".options")[
                h.summary(".hint")[", ".join(words)],
                h.div(".fields")[[option_field(f"to-{field}", usual, key, values) for key in keys]],
            ],
        ]
    return nodes


def strategy_options() -> list[tuple[str, str]]:
    """The strategies of the library as the options of a list."""
    return [(key, strategies.entry(key).title) for key in strategies]


def _options(text: str) -> dict[str, Any]:
    """The options in a text; none if it is wrong, which the answer says."""
    try:
        return options_of(text)
    except SevenoutError:
        return {}


def option_field(prefix: str, usual: Any, key: str, values: dict[str, Any]) -> Field:
    """The field of an option, with its value, or else the usual one."""
    value = option_text(values.get(key, getattr(usual, key)))
    name, label = f"{prefix}-{key}", key.replace("_", " ")
    is_switch = isinstance(getattr(usual, key), bool)
    words = ("no", "yes") if is_switch else OPTION_WORDS.get(key, ())
    if words:
        return Field(label, name, value, "tiny", options=[(word, word) for word in words])
    return Field(label, name, value if value != "None" else "", "tiny")


def _house_form(address: Address) -> Any:
    """The form of the table's limits and pays, unfolded if one of them is changed."""
    options = _options(address.get("house"))
    usual = House()
    fields = [option_field("to-house", usual, key, options) for key in option_names(usual)]
    return h.details(".house", open=bool(options))[
        h.summary(".hint")["The house: limits, odds, what it pays"],
        form(_evening_address(address), *fields, submit="Set"),
    ]


def _strategy_file_form(address: Address) -> Any:
    # The ends of the default evening are left out, since the file may have its own.
    target = Address(PATH, _evening_address(address).query or DEFAULT_STRATEGIES)
    return file_form("Your own strategy, from a file", target, PASTE_FIELD, file="A strategy file")


# --- one bet of a game --------------------------------------------------------------------------


def _game_evening(view: View) -> list[Any]:
    """The page of one bet of a game, made over and over."""
    from sevenout.evenings.sessions import session

    address = view.address
    notation = address.get("game")
    subject = game_subject(notation)
    bet = bet_of(notation, address.get("bet"))
    if bet is None:
        raise NotationError(f"nothing is bet on {subject.title}; an evening needs a bet")
    bets = address.whole_number("bets", 300, 1, MAX_GAME_BETS)
    money = address.get("bankroll", "100")
    stake = address.get("amount", "1")
    target = address.get("target")
    limits = {"target": target} if target else {}
    base = address.to(keep=("game", "bet", "bankroll", "amount", "bets", "target"))
    controls = view.add_card(
        "who",
        subject.title,
        choose_bet(base, solution_of(notation).chain.bets, bet.name),
        form(
            base,
            Field("Bankroll", "bankroll", money),
            Field("Amount", "amount", stake),
            Field("Bets", "bets", bets, inputmode="numeric"),
            Field("Leaves with", "target", target, placeholder="never"),
            submit="Play the evening",
        ),
    )
    try:
        result = session(bet, money, amount=stake, bets=bets, **limits)
    except SevenoutError as error:
        return [problem(error_sentence(error)), controls]
    course = DrawnCourse(bet.name, result)
    question = questions.question("evening")
    arguments = {"amount": stake, "bets": bets, "bankroll": money, "bet": bet.name}
    arguments |= limits
    view.python, view.command = copies.of_question(
        question, [subject], question.argument_values(arguments)
    )
    view.title = f"An evening of {subject.title}"
    view.hero, view.bar = hero_of([course]), course_bar([course])
    actions = [
        link_button("Back to the game", Address("/", {"game": notation})),
        link_button(
            "Risk of ruin",
            base.to(
                "/ask",
                keep=("bet", "bankroll"),
                question="evening",
                forever="yes",
                strategies=notation,
                amount=stake,
            ),
        ),
    ]
    return [
        h.div(".columns")[
            h.div(".stack")[controls, h.div(".evenings")[course_summary(course, actions)]],
            view.add_card("figures", "In figures", *folded_figures(_rows_of_facts(result.facts()))),
        ],
        *course_cards(view, [course], "bets", course.law_table()),
    ]
