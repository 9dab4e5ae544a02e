"""Optimal play of a game with choices: its value with the proof, and the strategy card."""

from fractions import Fraction
from typing import Any

import htpy as h

from sevenout import questions
from sevenout.catalogue import games
from sevenout.documents.numbers import decimal
from sevenout.errors import SevenoutError, TooMuchWorkError
from sevenout.extras import MissingError
from sevenout.lab.addresses.address import Address
from sevenout.lab.addresses.chosen import choose, kind_of, optimum
from sevenout.lab.pages.editor_page import tuned, values_form
from sevenout.lab.widgets import copies
from sevenout.lab.widgets.parts import Hero, KeyFigure, go, heading, in_words, problem
from sevenout.lab.widgets.view import Reply, Saved, View

PATH = "/best"
FIRST = "pig-turn"


def page(address: Address) -> View | Reply:
    text = address.get("game") or FIRST
    moved = tuned(address, text)
    if moved is not None:
        return Reply.to(Address(PATH, {"game": moved}))
    chosen = choose(text)
    view = View(address, f"{chosen.title}, played best", PATH)
    name, *more = chosen.words.split(";")
    options = dict(part.partition("=")[::2] for part in more)
    view.python, view.command = copies.asked(questions.question("best"), [chosen], {})
    coached = True
    try:
        shown = view.card("best", "What to do", *_played(optimum(chosen.words)))
    except SevenoutError as error:
        # A game without choices is refused; for all others the page still shows the rules.
        if chosen.goal is None:
            raise
        patient = h.p(".hint")[
            "The command line can take longer: ", h.code[f"{view.command} --budget 3600"]
        ]
        large = isinstance(error, TooMuchWorkError) and view.command
        coached = not isinstance(error, MissingError)
        shown = problem(kind_of(error), large and patient)
    base = address.to(keep=("game",))
    values = values_form(base, name, options) if chosen.file is None else None
    view.body = [
        heading(
            chosen.title,
            in_words(chosen.text),
            h.div(".actions")[
                go(
                    "Play with a coach" if coached else "Play it",
                    address.to("/table", keep=(), game=chosen.words),
                    "main",
                ),
                go("Simulate", address.to("/simulate", keep=(), game=chosen.words))
                if coached
                else None,
            ],
        ),
        h.div(".columns")[
            h.div(".stack")[view.card("rules", "The rules", values) if values else None, shown],
            view.card("games", "Games with choices", _games()),
        ],
    ]
    return view


def _played(optimum: Any) -> list[Any]:
    """The cards of optimal play, with the value set large."""
    value, *more = optimum.page().blocks
    (fact,) = value.facts
    exact = fact.value if isinstance(fact.value, Fraction) else fact.kinds[-1](fact.value)
    large = KeyFigure(decimal(fact.value, 4), f"{fact.name}: {fact.note}", exact, big=True)
    return [Hero(large), Saved(value), *more]


def _games() -> Any:
    families: dict[str, list[Any]] = {}
    for entry in games.with_choices.values():
        link = h.a(href=str(Address(PATH, {"game": entry.id})))[entry.title]
        families.setdefault(entry.family, []).append(h.li[link])
    return [[h.h3[name], h.ul(".links-list")[links]] for name, links in families.items()]
