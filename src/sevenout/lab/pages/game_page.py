"""The game: its rules, pays and exact figures."""

import re
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from typing import Any

import htpy as h
from markupsafe import Markup

from sevenout import questions
from sevenout.catalogue import games
from sevenout.catalogue.entries import title_slug
from sevenout.documents import Column, Fact, Facts, Table, Text
from sevenout.documents.kinds import DECIMAL, FRACTION, LABEL, PAYS, PERCENT, SIGNED, Kind
from sevenout.documents.numbers import decimal, percent, quantity
from sevenout.errors import NotationError, SevenoutError
from sevenout.extras import is_installed
from sevenout.lab.address import (
    DEFAULT_GAME,
    MAX_DIGITS,
    Address,
    bet_of,
    entries_by_rules,
    error_sentence,
    game_subject,
    solution_of,
)
from sevenout.lab.pages import pays
from sevenout.lab.pages.editor_page import (
    dice_links,
    edited_text,
    editor,
    game_options,
    repair_links,
    roles_table,
)
from sevenout.lab.widgets import chart, copies
from sevenout.lab.widgets.parts import (
    Bar,
    Bars,
    Field,
    Hero,
    KeyFigure,
    bar_item,
    change,
    form,
    heading,
    link_button,
    problem,
    prose_nodes,
    scroll_box,
    with_unit,
)
from sevenout.lab.widgets.view import Reply, Saved, View, folded
from sevenout.numerals import check_digits
from sevenout.questions.subjects import GameSubject, pack_file
from sevenout.rules import PointGame
from sevenout.rules.gamefiles.gamefile import parse_game
from sevenout.solving import Solution
from sevenout.solving.bet_result import BetResult
from sevenout.variants.rulebook import VariantRules, read_rules, rules_of_game

PATH = "/"
MAIN_FIGURES = ("win probability", "house edge, per bet made")
"""Figures that are set large."""
SECOND_FIGURES = ("push probability", "mean result")
"""Figures that are shown at once, in the table below those."""
TABLE_FIELDS: dict[str, dict[str, str]] = {"Craps": {}, "Crapless craps": {"new-crapless": "yes"}}
"""The families whose bets are made at a table with all others, and that table's fields."""
GAME_FIELDS = ("game", "bet", "from", "pin", "each", "roles")
"""The fields that stay after a form with a mistake."""
INTRODUCTION = "Change a die, a rule or a pay of a dice game, and see its exact odds at once."
"""The lab in a sentence, for a new visitor."""
QUESTIONS = {
    "Which rules are fairest?": "/variants",
    "How will my evening end?": "/evening",
    "Is my die fair?": "/dice?tab=test",
    "What do other dice roll?": "/dice",
    "How is Yahtzee played best?": "/best?game=yahtzee",
    "What are the odds of a game of mine?": "/own",
    "Which bet costs least?": "/catalogue?sort=edge",
    "What else can I ask?": "/ask",
}


def page(address: Address) -> View | Reply:
    """A game and its odds; a form redirects to the changed game."""
    notation = address.get("game") or DEFAULT_GAME
    message = ""
    try:
        changed_text = _text_after_form(address, notation)
        if changed_text is not None:
            return _form_redirect(address, notation, changed_text)
    except SevenoutError as error:
        message = error_sentence(error)
        # Without this every link of the page would repeat the mistake.
        address = address.to(keep=GAME_FIELDS)
    view = View(address, "", PATH)
    try:
        subject = game_subject(notation)
        if subject.goal is not None:
            return Reply.redirect(address.to("/best", keep=(), game=subject.notation))
        solution = solution_of(subject.notation)
    except SevenoutError as error:
        return _unfinished_view(view, notation, message or error_sentence(error))
    _finish(view, subject, solution, message)
    return view


def _text_after_form(address: Address, notation: str) -> str | None:
    """The game's text after one of the page's forms; None if none was sent."""
    if profits := address.form_fields("p:"):
        bet = bet_of(notation, address.get("bet"))
        return pays.text_with_pays(profits, game_subject(notation), bet.name if bet else "")
    # Its fields begin like those of the editor, so this form is looked at before that.
    if "to-edge" in address.query or "to-row" in address.query:
        bet = bet_of(notation, address.get("bet"))
        text = pays.text_at_edge(address, game_subject(notation), bet) if bet else None
        return text or notation
    return edited_text(address, notation)


def _form_redirect(address: Address, notation: str, changed_text: str) -> Reply:
    """The address with a form's changes, without its fields."""
    base = address.to(keep=("pin", "each"), game=changed_text)
    if "to-game" in address.query:  # another game has other bets, and nothing to take back
        return Reply.redirect(base)
    start = address.get("from") or notation
    base = base.to(bet=address.get("bet"))
    if start != changed_text:
        was = notation if notation not in (start, changed_text) else None
        base = base.to(**{"from": start}, was=was)
    return Reply.redirect(base)


def _unfinished_view(view: View, notation: str, message: str) -> View:
    """The editor for unfinished rules; an error for other texts."""
    view.title = "A game of your own"
    try:
        book = read_rules(notation).check()
    except SevenoutError:
        view.title, view.status = "No game", 400
        view.body = [
            h.h1["No game at this address"],
            problem(
                message,
                link_button("Open craps", "/", "main"),
                link_button("The catalogue", "/catalogue"),
            ),
        ]
        return view
    view.body = [
        heading(view.title, prose_nodes(book.name)),
        problem(message, *repair_links(view.address, book)),
        view.add_card("rules", "The rules", editor(view.address, book)),
    ]
    view.bar = [h.strong["These rules make no sense yet."], h.span[message]]
    # Nothing can be played or asked of such a game, so the tabs leave it out.
    view.is_unfinished = True
    return view


def _finish(view: View, subject: GameSubject, solution: Any, message: str) -> None:
    """Fill the page of a game that could be solved."""
    address = view.address
    view.title = subject.title
    try:
        bet = bet_of(subject.notation, address.get("bet"))
    except SevenoutError as error:
        message = message or error_sentence(error)
        # A change of the rules may have removed the bet, so the main bet is shown.
        bet = bet_of(subject.notation, "")
    book = subject.variant_rules
    lead = subject.rules_text or (book.name if book else "")
    fields = {"bet": bet.name} if bet and address.get("bet") else {}
    view.python, view.command = copies.of_question(questions.question("odds"), [subject], fields)
    controls = [view.add_card("rules", "The rules", *_rules_parts(address, subject, book))]
    if bet:
        controls += [
            view.add_card(
                "pays",
                "What it pays",
                pays.choose_bet(address, solution.chain.bets, bet.name),
                *_pays_forms(address, subject, bet),
                pays.pays_table(subject, bet.name),
                note="edit any amount",
            ),
        ]
    results = _bet_cards(view, subject, solution, bet) if bet else _count_cards(view, solution)
    distributions = []
    if bet:
        distributions = [
            view.add_card("rolls", "How long it takes", *rolls_distribution(subject.notation)),
            view.add_card("returns", "Return table", return_table(bet), note="per unit staked"),
        ]
    state_diagram = diagram(subject.notation)
    view.body = [
        None if address.get("game") else h.p(".intro")[INTRODUCTION],
        heading(subject.title, prose_nodes(lead), _actions(address, subject, bet)),
        problem(message) if message else None,
        _comparison_card(view, subject, bet) if bet and address.get("pin") else None,
        h.div("#game.columns")[
            h.div(".stack")[results[0], None if address.get("game") else _questions()],
            h.div(".stack.beside")[controls],
            h.div(".stack.below")[results[1:]],
            h.div(".stack.rest")[distributions] if distributions else None,
        ],
        view.add_card("states", "The states", *state_diagram, note="each card is a kind of state")
        if state_diagram
        else None,
    ]
    view.bar = _bar(address, subject, bet) if bet else None


def _questions() -> Any:
    return h.nav(".questions", aria_label="Questions")[
        h.span["More questions it answers:"],
        (h.a(href=to)[question] for question, to in QUESTIONS.items()),
    ]


def _pays_forms(address: Address, subject: GameSubject, bet: BetResult) -> list[Any]:
    """The pays with their sliders, and the form that asks for an edge."""
    slides = pays.pay_sliders(subject.notation, bet.name, address.has("each"))
    sliders = {slide.name: pays.slider_nodes(slide, bet.edge) for slide in slides}
    return [pays.pay_form(address, subject, bet.name, sliders), pays.edge_form(address, slides)]


def _rules_parts(address: Address, subject: GameSubject, book: VariantRules | None) -> list[Any]:
    """The editor of the rules, or the options of a game that it can't show."""
    if book is not None:
        return [editor(address.to(game=subject.notation), book), roles_table(book)]
    return [
        game_options(address.to(game=subject.notation), subject),
        h.p(".hint")[
            "The grid of totals can't show these rules. You can change the pays below. ",
            h.a(href="/catalogue")["Choose another game"],
        ],
    ]


def _actions(address: Address, subject: GameSubject, bet: BetResult | None) -> Any:
    """Links to what else can be done with the game."""
    game = {"game": subject.notation}
    has_file = subject.file is not None or subject.variant_rules is not None
    return h.div(".actions")[
        link_button("Play it", _table_of(address, subject), "main"),
        link_button("Evening", address.to("/evening", keep=("bet",), **game)) if bet else None,
        link_button("Simulate", address.to("/simulate", keep=("bet",), **game)),
        link_button("Ask", address.to("/ask", keep=("bet",), **game)),
        link_button("Sheet", address.to("/sheet", keep=(), **game))
        if is_installed("matplotlib")
        else None,
        link_button(
            "File",
            address.to("/game.toml", keep=(), **game),
            title="A game file",
            download="game.toml",
        )
        if has_file
        else None,
    ]


def _family(subject: GameSubject) -> str:
    """The family of a game of the catalogue, by its usual rules; "" for any other game."""
    entry = entries_by_rules().get(subject.notation, subject.entry)
    has_options = ";" in subject.unedited_notation
    return entry.family if entry is not None and not has_options else ""


def _table_of(address: Address, subject: GameSubject) -> Address:
    """Where a game is played: a bet of the craps table there, with all others beside it."""
    fields = TABLE_FIELDS.get(_family(subject))
    if fields is not None:
        return Address("/table", fields)
    return address.to("/table", keep=(), game=subject.notation)


def _family_form(subject: GameSubject) -> Any:
    """The other bets of a family, each a click away; None if there is only one."""
    family = _family(subject)
    others = [entry for entry in games.without_choices.values() if entry.family == family]
    if len(others) < 2:
        return None
    bets = [(entry.id, entry.title) for entry in others]
    bets.insert(0, ("", f"{family}: {len(others) - 1} other bets"))
    by_edge = Address("/catalogue", {"family": title_slug(family), "sort": "edge"})
    return h.div(".row")[
        form(
            Address(PATH, {}),
            Field("Another bet", "game", "", "whole", options=bets),
            submit="Open",
        ),
        link_button("The cheapest first", by_edge),
    ]


def _bet_cards(view: View, subject: GameSubject, solution: Any, bet: BetResult) -> list[Any]:
    """The cards of a bet: its figures, and the sum that its win probability is."""
    # The edge leads: it compares all bets, and how often they win does not.
    wins = KeyFigure(percent(bet.p_win, 4), "wins", bet.p_win)
    hero = Hero(_edge(bet), wins, words=_sentence(bet))
    is_short = len(str(bet.p_win)) < 16
    return [
        view.add_card(
            "odds",
            bet.name.capitalize(),
            dice_links(view.address, subject.variant_rules) if subject.variant_rules else None,
            hero,
            *_figures(bet),
            _change_links(view.address, subject),
            _family_form(subject),
            css_class="odds",
        ),
        view.add_card(
            "why",
            f"Why {bet.p_win}" if is_short else "Why it wins as often as it does",
            *win_sum(subject, solution, bet),
            note="the sum, term by term",
        ),
    ]


def _figures(bet: BetResult) -> list[Any]:
    """The figures below the main ones: some shown at once, and the rest folded."""
    facts = bet.figures().facts
    second = [fact for fact in facts if fact.name in SECOND_FIGURES]
    others = [fact for fact in facts if fact.name not in (*SECOND_FIGURES, *MAIN_FIGURES)]
    return [
        Facts(*second) if second else None,
        Saved(Facts(*facts)),
        folded("More figures", Facts(*others)) if others else None,
    ]


def _sentence(bet: BetResult) -> str:
    """What the edge of a bet means, in words."""
    edge = bet.edge
    if bet.is_score:
        return f"A score of {decimal(bet.mean, 2)} on average; nothing can be lost."
    if not edge:
        return "A fair bet: in the long run neither side wins."
    gain = "The house keeps" if edge > 0 else "The player gains"
    return f"{gain} {decimal(100 * abs(edge), 2)} of every 100 staked, in the long run."


def _edge(bet: BetResult) -> KeyFigure:
    """The main figure: the edge, or the mean of a score, on which nothing is staked."""
    if bet.is_score:
        return KeyFigure(decimal(bet.mean, 4), "mean result", bet.mean, big=True)
    return KeyFigure(percent(bet.edge, 4), "house edge, per bet made", bet.edge, big=True)


def _count_cards(view: View, solution: Any) -> list[Any]:
    """The cards of a game without bets: the means of its counters, and how it ends."""
    ends = [Fact(label, p, FRACTION, PERCENT) for label, p in solution.labels.items()]
    counted = [
        Fact(f"mean {counter}", solution.mean(counter), FRACTION, DECIMAL)
        for counter in solution.chain.counters
    ]
    return [
        view.add_card("odds", "What it counts", Facts(*counted), note="no bet is made on it"),
        view.add_card("ends", "How it ends", Facts(*ends)),
    ]


def _bar(address: Address, subject: GameSubject, bet: BetResult) -> Any:
    """The edge and the win probability, and their changes since the first rules, for the bar."""
    start = address.get("from")
    before: BetResult | None = None
    if start and start != subject.notation:
        first = game_subject(start)
        with suppress(SevenoutError):  # the bet may be a new one
            before = bet_of(start, bet.name) if first.goal is None else None
    edge_change = change(bet.edge, before.edge, less_is_better=True) if before else None
    win_change = change(bet.p_win, before.p_win) if before else None
    return [
        bar_item(with_unit(percent(bet.edge, 4)), "edge", suffix=edge_change, main=True),
        bar_item(with_unit(percent(bet.p_win, 4)), "wins", suffix=win_change),
    ]


def _change_links(address: Address, subject: GameSubject) -> Any:
    """Links that take changes back, or set the game beside another."""
    start, pin = address.get("from"), address.get("pin")
    is_pinned, is_changed = pin == subject.notation, start not in ("", subject.notation)
    base = address.to(game=subject.notation)
    undo = address.to(keep=("bet", "pin", "each", "from"), game=address.get("was"))
    undo_all = address.to(keep=("bet", "pin"), game=start)
    return h.p(".steps")[
        h.span["Pinned as A: now change a rule or a pay"] if is_pinned else None,
        h.a(href=str(undo))["Undo"] if is_changed and address.get("was") else None,
        h.a(href=str(undo_all))["Undo all"] if is_changed else None,
        h.a(href="#compare")["A beside B"] if pin and not is_pinned else None,
        h.a(href=str(base.to(pin=None)))["Unpin"] if is_pinned else None,
        None
        if pin
        else h.a(href=str(base.to(pin=subject.notation)), title="Pin this as A")["Compare"],
    ]


def _comparison_card(view: View, subject: GameSubject, bet: BetResult) -> Any:
    """The pinned game beside this one; None if it is the same. It sets the copies of the page."""
    pin = view.address.get("pin")
    if pin == subject.notation:
        return None
    try:
        other = game_subject(pin)
        if other.goal is not None:
            return problem(f"The pinned game: {other.title} has choices, so it can't be pinned.")
        names = solution_of(other.notation).chain.bets
        other_bet = bet_of(other.notation, bet.name if bet.name in names else "")
    except SevenoutError as error:
        return problem(f"The pinned game: {error_sentence(error)}")
    if other_bet is None:
        return None
    titles = (other.title, subject.title)
    # Of the same game with other pays, the titles don't tell them apart.
    title_a, title_b = titles if titles[0] != titles[1] else ("before", "now")
    swap = view.address.to(game=other.notation, pin=subject.notation, bet=None, **{"from": None})
    bets = [bet.name] if other_bet.name == bet.name and len(names) > 1 else []
    compare = questions.question("compare")
    view.python, view.command = copies.of_question(compare, [other, subject], {"bet": tuple(bets)})
    return view.add_card(
        "compare",
        "Side by side",
        comparison((title_a, other_bet), (title_b, bet)),
        h.p[link_button("Open A", swap), " ", link_button("Unpin", view.address.to(pin=None))],
        css_class="full",
    )


def game_file(address: Address) -> Reply:
    """The game as a file."""
    text = copies.game_file_text(game_subject(address.get("game")))
    if text is None:
        raise NotationError("a game file can't hold this game")
    return Reply(text.encode(), "application/toml", filename="game.toml")


def file_redirect(address: Address) -> Reply:
    """A redirect to the game of a file."""
    text = address.get("text")
    file = parse_game(check_digits(text, MAX_DIGITS), "file")
    book = rules_of_game(file.game) if not file.rules else None
    game = book.text if book and book.text in entries_by_rules() else f"~{pack_file(text)}"
    return Reply.redirect(Address(PATH, {"game": game}))


# --- the cards of a bet --------------------------------------------------------------------------

MAX_STATES = 500
"""States of a game whose rolls have an exact distribution on the page, and of a diagram."""
MAX_ROWS = 60
"""Rows of a table, and terms of a sum."""


def return_table(bet: BetResult) -> Table:
    """The events of a bet with their pays; those that pay least are summed up if there are many."""
    rows = sorted(bet.table, key=lambda row: -row.pays) if len(bet.table) > MAX_ROWS else bet.table
    cells: list[tuple[Any, ...]] = [tuple(row) for row in rows[:MAX_ROWS]]
    if others := rows[MAX_ROWS:]:
        p = sum((row.probability for row in others), Fraction(0))
        contribution = sum((row.contribution for row in others), Fraction(0))
        cells.append((f"{len(others)} other events", None, p, contribution))
    columns = [
        Column("event"),
        Column("pays", PAYS),
        Column("probability", FRACTION, DECIMAL),
        Column("return", SIGNED),
    ]
    return Table(columns, cells, ("total", None, Fraction(1), bet.mean))


def win_sum(subject: GameSubject, solution: Solution, bet: BetResult) -> list[Any]:
    """The sum behind a win probability, term by term; its terms also as bars and a table."""
    game = subject.game
    # The terms below are those of the plain rules only.
    if not isinstance(game, PointGame) or game.limit or game.hard or game.rerolls:
        return _win_sum_by_event(bet)
    law = getattr(game.dice, "totals", game.dice).law
    ways = dict(zip(law.faces, law.weights, strict=True))
    whole, out = law.denominator, ways[game.out]
    rows: list[tuple[Any, ...]] = []
    roles = {"natural": game.naturals, "craps": game.craps, "push": game.pushes}
    events = {t: role for role, totals in roles.items() for t in totals}
    for t in sorted(events, key=lambda t: (events[t] != "natural", law.faces.index(t))):
        if game.outcome_of(events[t], t).profit(bet.name) > 0:
            rows.append((str(t), f"{events[t]}: {ways[t]} ways in {whole}", law.p(t)))
    for t in sorted(game.points, key=law.faces.index):
        made = Fraction(ways[t], ways[t] + out)
        wins = game.outcome_of("point", t, 1).profit(bet.name) > 0
        loses = game.outcome_of("out", t).profit(bet.name) > 0
        share = made * wins + (1 - made) * loses
        if not share:
            continue
        n = ways[t] if wins else out
        product = f"{ways[t]}/{whole}" + (f" × {n}/{ways[t] + out}" if wins != loses else "")
        rows.append((str(t), product, law.p(t) * share))
    total = sum((row[2] for row in rows), Fraction(0))
    # A sum that differs from the solved value explains nothing.
    if total != bet.p_win:
        return _win_sum_by_event(bet)
    columns = [Column("total", LABEL), Column("how it wins"), Column("adds", FRACTION, DECIMAL)]
    points = [t for t in game.points if ways[t] != out] or list(game.points)
    t = min(points, key=law.faces.index)
    words = (
        f"A {t} comes {ways[t]} times in {whole}. Once it is the point only {t} and {game.out} "
        f"matter: {ways[t]} ways against {out}, so it is made {ways[t]} times in {ways[t] + out}. "
        "Add up every way to win."
    )
    css_classes = {str(t): "point" for t in game.points}
    terms = [Bar(f"{t}: {event}", p, css_classes.get(t, "")) for t, event, p in rows]
    return _sum(words, terms, Table(columns, rows, ("all", "", total)))


def _sum(words: str, terms: list[Bar], table: Table) -> list[Any]:
    """A sum in words and as bars; and as a table, for the file."""
    return [Text(words), Bars(terms[:MAX_ROWS]), Saved(table)]


def _win_sum_by_event(bet: BetResult) -> list[Any]:
    """The win probability of a bet as a sum over the events that pay."""
    merged: dict[str, Fraction] = {}
    for event, profit, p, _ in bet.table:
        if profit > 0:
            merged[event] = merged.get(event, Fraction(0)) + p
    rows = sorted(merged.items(), key=lambda row: -row[1])
    if not rows:
        return [Text("This bet never wins.")]
    columns = [Column("event"), Column("adds", FRACTION, DECIMAL)]
    words = "Add up every event that pays."
    if len(rows) > MAX_ROWS:
        words = f"Add up every event that pays; the {MAX_ROWS} likeliest of {len(rows):,} are:"
    terms = [Bar(event, p) for event, p in rows]
    return _sum(words, terms, Table(columns, rows, ("all", bet.p_win)))


@lru_cache(maxsize=64)
def rolls_distribution(notation: str) -> tuple[Any, ...]:
    """The distribution of a game's rolls, as a chart and quantiles; of a large game the mean."""
    solution = solution_of(notation)
    if len(solution.chain.states) > MAX_STATES or solution.bound:
        return (Facts(Fact("mean rolls", solution.mean_rolls, DECIMAL)),)
    law = solution.distribution("rolls")
    if not law.variance:
        return (Facts(Fact("every game takes", quantity(law.mean, "roll"))),)
    last = max(law.quantile(Fraction(99, 100)), 1)
    shown = min(last, 120)
    pmf = [(float(n), float(law.pmf(n))) for n in range(1, shown + 1)]
    x = chart.axis(0.5, shown + 0.5, "rolls in a game", min(8, shown))
    mean = law.mean
    caption = f"The probability of each number of rolls; the mean is {decimal(mean, 4)}."
    return (
        chart.histogram(
            x, pmf, 1.0, "ends at roll", caption, marks=chart.vertical_line(x, float(mean))
        ),
        Facts(
            Fact("mean, dashed", mean, FRACTION, DECIMAL),
            Fact("standard deviation", float(law.variance) ** 0.5, DECIMAL),
            Fact("half of all games take at most", quantity(law.quantile(Fraction(1, 2)), "roll")),
            Fact("99 in 100 take at most", quantity(last, "roll")),
        ),
    )


@lru_cache(maxsize=64)
def diagram(notation: str) -> Any:
    """The state diagram in the page's colours; None for one state, or too many."""
    from sevenout.papers.diagrams import diagram as draw
    from sevenout.papers.wording import state_in_words
    from sevenout.rules import FlatGame

    solution, game = solution_of(notation), game_subject(notation).game
    chain = solution.chain
    # One state says what the return table says.
    if not 1 < len(chain.states) <= MAX_STATES:
        return None
    # The states of a game of games are those of its flat form.
    explored = FlatGame(game) if chain.states[0] != game.start else game
    picture = draw(chain, lambda state: state_in_words(explored, state), "The states of the game")
    if picture is None:
        return None
    svg = picture.svg.replace("<svg ", '<svg role="img" aria-label="The states of the game" ', 1)
    svg = re.sub(
        r'(width|height)="([\d.]+)pt"',
        lambda size: f'{size[1]}="{1.75 * float(size[2]):.0f}"',
        svg,
        count=2,
    )
    return scroll_box("State diagram", "diagram")[Markup(svg)], Saved(picture)


def comparison(first: tuple[str, BetResult], second: tuple[str, BetResult]) -> Table:
    """The figures of two bets side by side, each with its title."""
    (title_a, a), (title_b, b) = first, second
    figures: list[tuple[str, Fraction, Fraction, Kind]] = [
        ("wins", a.p_win, b.p_win, PERCENT),
        ("pushes", a.p_push, b.p_push, PERCENT),
        ("house edge, per bet made", a.edge, b.edge, PERCENT),
        ("house edge, per roll", a.edge_per_roll, b.edge_per_roll, PERCENT),
        ("variance per unit staked", a.variance, b.variance, DECIMAL),
        ("mean rolls", a.rolls, b.rolls, DECIMAL),
    ]
    rows = [
        (
            name,
            kind(first_value),
            kind(second_value),
            _difference(kind, second_value - first_value),
        )
        for name, first_value, second_value, kind in figures
        if first_value or second_value
    ]
    heads = [f"A: {title_a}", f"B: {title_b}", "B − A"]
    return Table([Column(), *(Column(head, LABEL) for head in heads)], rows)


def _difference(kind: Kind, difference: Fraction) -> str:
    return kind.with_digits(kind.digits or 4, sign=True)(difference) if difference else "same"
