"""The game: its rules, pays and exact figures."""

from contextlib import suppress
from typing import Any

import htpy as h

from sevenout import questions
from sevenout.catalogue import games
from sevenout.catalogue.entries import typed
from sevenout.documents import Fact, Facts
from sevenout.documents.kinds import DECIMAL, FRACTION, PERCENT
from sevenout.documents.numbers import decimal, percent
from sevenout.errors import NotationError, SevenoutError
from sevenout.extras import has
from sevenout.lab.addresses.address import Address
from sevenout.lab.addresses.chosen import CRAPS, MAX_DIGITS, bet_of, choose, kind_of, named, solved
from sevenout.lab.pages import pay_slider, pays, results
from sevenout.lab.pages.editor_page import editor, mended, options, roles, touched, tuned
from sevenout.lab.widgets import copies
from sevenout.lab.widgets.parts import (
    Field,
    Hero,
    KeyFigure,
    change,
    form,
    go,
    heading,
    in_words,
    item,
    problem,
    with_unit,
)
from sevenout.lab.widgets.view import Reply, Saved, View, drawn
from sevenout.numerals import few_digits
from sevenout.questions.subjects import GameSubject, pack
from sevenout.rules.gamefiles.gamefile import parse_game
from sevenout.solving.bet_result import BetResult
from sevenout.variants.rulebook import VariantRules, of_game, read

PATH = "/"
LARGE = ("win probability", "house edge, per bet made")
"""Figures that are set large."""
PLAIN = ("push probability", "mean result", "mean rolls to settle")
"""Figures that are shown at once, in the table below those."""
SEATS: dict[str, dict[str, str]] = {"Craps": {}, "Crapless craps": {"new-game": "crapless"}}
"""The families whose bets are made at a table with all others, and that table's fields."""
KEPT = ("game", "bet", "from", "pin", "each", "roles")
WHAT = "Change a die, a rule or a pay of a dice game, and see its exact odds at once."
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
    text = address.get("game") or CRAPS
    wrong = ""
    try:
        moved = None
        # Its fields begin like those of the editor, so this form is looked at first.
        if "to-edge" in address.query or "to-row" in address.query:
            bet = bet_of(text, address.get("bet"))
            moved = (pay_slider.at_edge(address, choose(text), bet) if bet else None) or text
        elif _sent(address, "to-"):
            moved = tuned(address, text)
        if _sent(address, "p:"):
            chosen = choose(text)
            moved = pays.repaid(address, chosen, _bet_name(address, text))
        if moved is not None:
            return _moved(address, text, moved)
    except SevenoutError as error:
        wrong = kind_of(error)
        # Without this every link of the page would repeat the mistake.
        address = address.to(keep=KEPT)
    view = View(address, "", PATH)
    try:
        chosen = choose(text)
        if chosen.goal is not None:
            best_play = address.to("/best", keep=(), game=chosen.words)
            return Reply.to(best_play)
        solution = solved(chosen.words)
    except SevenoutError as error:
        return _unfinished(view, text, wrong or kind_of(error))
    _finish(view, chosen, solution, wrong)
    return view


def _sent(address: Address, prefix: str) -> bool:
    return any(key.startswith(prefix) for key in address.query)


def _bet_name(address: Address, text: str) -> str:
    bet = bet_of(text, address.get("bet"))
    return bet.name if bet else ""


def _moved(address: Address, text: str, moved: str) -> Reply:
    """The address with a form's changes, without its fields."""
    fresh = "to-game" in address.query
    start = "" if fresh else (address.get("from") or text)
    # Another game has other bets.
    bet = None if fresh else address.get("bet")
    base = address.to(keep=("pin", "each"), game=moved, bet=bet)
    if start != moved and not fresh:
        base = base.to(**{"from": start}, was=text if text not in (start, moved) else None)
    return Reply.to(base)


def _unfinished(view: View, text: str, wrong: str) -> View:
    """The editor for unfinished rules; an error for other texts."""
    view.title = "A game of your own"
    try:
        book = read(text).check()
    except SevenoutError:
        view.title, view.status = "No game", 400
        view.body = [
            h.h1["No game at this address"],
            problem(wrong, go("Open craps", "/", "main"), go("The catalogue", "/catalogue")),
        ]
        return view
    view.body = [
        heading(view.title, in_words(book.name)),
        problem(wrong, *mended(view.address, book)),
        view.card("rules", "The rules", editor(view.address, book)),
    ]
    view.bar = [h.strong["These rules make no sense yet."], h.span[wrong]]
    # Nothing can be played or asked of such a game, so the tabs leave it out.
    view.unfinished = True
    return view


def _finish(view: View, chosen: GameSubject, solution: Any, wrong: str) -> None:
    address = view.address
    view.title = chosen.title
    try:
        bet = bet_of(chosen.words, address.get("bet"))
    except SevenoutError as error:
        wrong = wrong or kind_of(error)
        # A change of the rules may have removed the bet, so the main bet is shown.
        bet = bet_of(chosen.words, "")
    book = chosen.book
    lead = chosen.text or (book.name if book else "")
    fields = {"bet": bet.name} if bet and address.get("bet") else {}
    view.python, view.command = copies.asked(questions.question("odds"), [chosen], fields)
    left = [view.card("rules", "The rules", *_rules(address, chosen, book))]
    if bet:
        left += [
            view.card(
                "pays",
                "What it pays",
                pays.choose_bet(address, solution.chain.bets, bet.name),
                *_pays(address, chosen, bet),
                pays.saved(chosen, bet.name),
                note="edit any amount",
            ),
        ]
    right = _of_bet(view, chosen, solution, bet) if bet else _without_bets(view, solution)
    more = []
    if bet:
        more = [
            view.card("rolls", "How long it takes", *results.law_of_rolls(chosen.words)),
            view.card("returns", "Return table", results.returns(bet), note="per unit staked"),
        ]
    shape = results.diagram(chosen.words)
    view.body = [
        None if address.get("game") else h.p(".intro")[WHAT],
        heading(chosen.title, in_words(lead), _actions(address, chosen, bet)),
        problem(wrong) if wrong else None,
        _compared(view, chosen, bet) if bet and address.get("pin") else None,
        h.div("#game.columns")[
            h.div(".stack")[right[0], None if address.get("game") else _questions()],
            h.div(".stack.beside")[left],
            h.div(".stack.below")[right[1:]],
            h.div(".stack.rest")[more] if more else None,
        ],
        view.card("states", "The states", *shape, note="each card is a kind of state")
        if shape
        else None,
    ]
    view.bar = _bar(address, chosen, bet) if bet else None


def _questions() -> Any:
    return h.nav(".questions", aria_label="Questions")[
        h.span["More questions it answers:"],
        (h.a(href=to)[question] for question, to in QUESTIONS.items()),
    ]


def _pays(address: Address, chosen: GameSubject, bet: BetResult) -> list[Any]:
    """The pays with their sliders, and the form that asks for an edge."""
    slides = pay_slider.slides(chosen.words, bet.name, address.has("each"))
    sliders = {slide.name: pay_slider.slider(slide, bet.edge) for slide in slides}
    return [
        pays.table(address, chosen, bet.name, sliders),
        pay_slider.ask_edge(address, slides),
    ]


def _rules(address: Address, chosen: GameSubject, book: VariantRules | None) -> list[Any]:
    if book is not None:
        return [editor(address.to(game=chosen.words), book), roles(book)]
    return [
        options(address.to(game=chosen.words), chosen),
        h.p(".hint")[
            "The grid of totals can't show these rules. You can change the pays below. ",
            h.a(href="/catalogue")["Choose another game"],
        ],
    ]


def _actions(address: Address, chosen: GameSubject, bet: BetResult | None) -> Any:
    game = {"game": chosen.words}
    file = chosen.file is not None or chosen.book is not None
    return h.div(".actions")[
        go("Play it", _table_of(address, chosen), "main"),
        go("Evening", address.to("/evening", keep=("bet",), **game)) if bet else None,
        go("Simulate", address.to("/simulate", keep=("bet",), **game)),
        go("Ask", address.to("/ask", keep=("bet",), **game)),
        go("Sheet", address.to("/sheet", keep=(), **game)) if has("matplotlib") else None,
        go(
            "File",
            address.to("/game.toml", keep=(), **game),
            title="A game file",
            download="game.toml",
        )
        if file
        else None,
    ]


def _family(chosen: GameSubject) -> str:
    """The family of a game of the catalogue, by its usual rules; "" for any other game."""
    title_and_id = named().get(chosen.words)
    entry = games.entry(title_and_id[1]) if title_and_id else chosen.entry
    usual = entry is not None and ";" not in chosen.plain
    return entry.family if entry is not None and usual else ""


def _table_of(address: Address, chosen: GameSubject) -> Address:
    """Where a game is played: a bet of the craps table there, with all others beside it."""
    seat = SEATS.get(_family(chosen))
    if seat is not None:
        return Address("/sit", seat)
    return address.to("/table", keep=(), game=chosen.words)


def _neighbours(chosen: GameSubject) -> Any:
    """The other bets of a family, each a click away; None if there is only one."""
    family = _family(chosen)
    others = [entry for entry in games.without_choices.values() if entry.family == family]
    if len(others) < 2:
        return None
    options = [("", f"{family}: {len(others) - 1} other bets"), *((e.id, e.title) for e in others)]
    by_edge = Address("/catalogue", {"family": typed(family), "sort": "edge"})
    return h.div(".row")[
        form(
            Address(PATH, {}),
            Field("Another bet", "game", "", "whole", options=options),
            submit="Open",
        ),
        go("The cheapest first", by_edge),
    ]


def _of_bet(view: View, chosen: GameSubject, solution: Any, bet: BetResult) -> list[Any]:
    # The edge leads: it compares all bets, and how often they win does not.
    hero = Hero(_edge(bet, True), _wins(bet, False), words=_sentence(bet))
    exact = bet.p_win
    short = len(str(exact)) < 16
    return [
        view.card(
            "odds",
            bet.name.capitalize(),
            touched(view.address, chosen.book) if chosen.book else None,
            hero,
            *_figures(bet),
            _steps(view.address, chosen),
            _neighbours(chosen),
            kind="odds",
        ),
        view.card(
            "why",
            f"Why {exact}" if short else "Why it wins as often as it does",
            *results.why(chosen, solution, bet),
            note="the sum, term by term",
        ),
    ]


def _figures(bet: BetResult) -> list[Any]:
    facts = bet.figures().facts
    plain = [fact for fact in facts if fact.name in PLAIN]
    others = [fact for fact in facts if fact.name not in (*PLAIN, *LARGE)]
    more = h.details(".more")[h.summary["More figures"], list(drawn([Facts(*others)]))]
    return [Facts(*plain), Saved(Facts(*facts)), more if others else None]


def _sentence(bet: BetResult) -> str:
    edge = bet.edge
    if bet.is_score:
        return f"A score of {decimal(bet.mean, 2)} on average; nothing can be lost."
    if not edge:
        return "A fair bet: in the long run neither side wins."
    who = "The house keeps" if edge > 0 else "The player gains"
    return f"{who} {decimal(100 * abs(edge), 2)} of every 100 staked, in the long run."


def _wins(bet: BetResult, big: bool) -> KeyFigure:
    return KeyFigure(percent(bet.p_win, 4), "wins", bet.p_win, big)


def _edge(bet: BetResult, big: bool) -> KeyFigure:
    if bet.is_score:
        return KeyFigure(decimal(bet.mean, 4), "mean result", bet.mean, big)
    return KeyFigure(percent(bet.edge, 4), "house edge, per bet made", bet.edge, big)


def _without_bets(view: View, solution: Any) -> list[Any]:
    ends = [Fact(label, p, FRACTION, PERCENT) for label, p in list(solution.labels.items())[:60]]
    counted = [
        Fact(f"mean {counter}", solution.mean(counter), FRACTION, DECIMAL)
        for counter in solution.chain.counters
    ]
    return [
        view.card("odds", "What it counts", Facts(*counted), note="no bet is made on it"),
        view.card("ends", "How it ends", Facts(*ends)),
    ]


def _bar(address: Address, chosen: GameSubject, bet: BetResult) -> Any:
    start = address.get("from")
    before: BetResult | None = None
    if start and start != chosen.words:
        first = choose(start)
        with suppress(SevenoutError):  # the bet may be a new one
            before = bet_of(start, bet.name) if first.goal is None else None
    less = change(bet.edge, before.edge, -1) if before else None
    more = change(bet.p_win, before.p_win) if before else None
    edge = item(with_unit(percent(bet.edge, 4)), "edge", more=less, main=True)
    return [edge, item(with_unit(percent(bet.p_win, 4)), "wins", more=more)]


def _steps(address: Address, chosen: GameSubject) -> Any:
    """Links that take changes back, or set the game beside another."""
    start, pin = address.get("from"), address.get("pin")
    pinned, changed = pin == chosen.words, bool(start) and start != chosen.words
    base = address.to(game=chosen.words)
    undo_all = address.to(keep=("bet", "pin"), game=start)
    return h.p(".steps")[
        h.span["Pinned as A: now change a rule or a pay"] if pinned else None,
        h.a(href=str(_undone(address)))["Undo"] if changed and address.get("was") else None,
        h.a(href=str(undo_all))["Undo all"] if changed else None,
        h.a(href="#compare")["A beside B"] if pin and not pinned else None,
        h.a(href=str(base.to(pin=None)))["Unpin"] if pinned else None,
        None if pin else h.a(href=str(base.to(pin=chosen.words)), title="Pin this as A")["Compare"],
    ]


def _undone(address: Address) -> Address:
    return address.to(keep=("bet", "pin", "each", "from"), game=address.get("was"))


def _compared(view: View, chosen: GameSubject, bet: BetResult) -> Any:
    pin = view.address.get("pin")
    if pin == chosen.words:
        return None
    try:
        other = choose(pin)
        if other.goal is not None:
            return problem(f"The pinned game: {other.title} has choices, so it can't be pinned.")
        names = solved(other.words).chain.bets
        first = bet_of(other.words, bet.name if bet.name in names else "")
    except SevenoutError as error:
        return problem(f"The pinned game: {kind_of(error)}")
    if first is None:
        return None
    a = other.title if other.title != chosen.title else "before"
    b = chosen.title if other.title != chosen.title else "now"
    swap = view.address.to(game=other.words, pin=chosen.words, bet=None, **{"from": None})
    bets = [bet.name] if first.name == bet.name and len(names) > 1 else []
    compare = questions.question("compare")
    view.python, view.command = copies.asked(compare, [other, chosen], {"bet": tuple(bets)})
    return view.card(
        "compare",
        "Side by side",
        results.comparison((a, first), (b, bet)),
        h.p[go("Open A", swap), " ", go("Unpin", view.address.to(pin=None))],
        kind="full",
    )


def toml(address: Address) -> Reply:
    """The game as a file."""
    text = copies.file_of(choose(address.get("game")))
    if text is None:
        raise NotationError("a game file can't hold this game")
    return Reply(text.encode(), "application/toml", filename="game.toml")


def opened(address: Address) -> Reply:
    """A redirect to the game of a file."""
    text = address.get("text")
    file = parse_game(few_digits(text, MAX_DIGITS), "file")
    book = of_game(file.game) if not file.rules else None
    game = book.text if book and book.text in named() else f"~{pack(text)}"
    return Reply.to(Address(PATH, {"game": game}))
