"""Best play: a game with choices, its value with the proof, and the strategy on a card."""

from shlex import join
from typing import Any

import htpy as h

from sevenout.errors import SevenoutError, TooMuchWorkError
from sevenout.games import decisions
from sevenout.lab.address import Address
from sevenout.lab.chosen import choose, kind_of, optimum, value_of
from sevenout.lab.pages.editor import tuned, values_form
from sevenout.lab.pages.game import program
from sevenout.lab.parts import go, in_words, problem
from sevenout.lab.view import Answer, View

PATH = "/best"
FIRST = "pig-turn"


def page(address: Address) -> View | Answer:
    """The page of a game with choices."""
    text = address.get("game") or FIRST
    moved = tuned(address, text)
    if moved is not None:
        return Answer(b"", status=303, location=str(Address(PATH, {"game": moved})))
    chosen = choose(text)
    view = View(address, f"{chosen.title}, played best", PATH)
    name, *more = chosen.text.split(";")
    options = dict(part.partition("=")[::2] for part in more)
    said = "".join(f", {k}={value_of(v)!r}" for k, v in options.items())
    goal = ", ".join(f"{k}={v!r}" for k, v in (chosen.goal or {}).items())
    if chosen.file is not None:
        view.python = program(chosen, f"so.best({{game}}, {goal})")
    else:
        view.command = join(["sevenout", "best", name, *_flags(options)])
        view.python = (
            "import sevenout as so\nfrom sevenout.games import decisions\n\n"
            f"print(so.best(decisions({name!r}{said}), {goal}))\n"
        )
    try:
        shown = view.card("best", "What to do", *optimum(chosen.text).page().blocks)
    except SevenoutError as error:
        if chosen.goal is None:
            raise
        patient = h.p(".hint")[
            "The command line takes its time: ", h.code[f"{view.command} --budget 3600"]
        ]
        large = isinstance(error, TooMuchWorkError) and view.command
        shown = problem(kind_of(error), large and patient)
    here = address.to(keep=("game",))
    values = values_form(here, name, options) if chosen.file is None else None
    view.body = [
        h.div(".heading")[
            h.div[h.h1["Best play"], h.p(".lead")[in_words(f"{chosen.title}. {chosen.words}")]],
            h.div(".actions")[
                go("Play with a coach", address.to("/table", keep=(), game=chosen.text), "main"),
                go("Simulate", address.to("/simulate", keep=(), game=chosen.text)),
            ],
        ],
        h.div(".columns")[
            h.div(".stack")[values, shown],
            view.card("games", "Games with choices", _games()),
        ],
    ]
    return view


def _flags(options: dict[str, str]) -> list[str]:
    return [word for k, v in options.items() for word in (f"--{k.replace('_', '-')}", v)]


def _games() -> Any:
    families: dict[str, list[Any]] = {}
    for entry in decisions.values():
        link = h.a(href=str(Address(PATH, {"game": entry.id})))[entry.title]
        families.setdefault(entry.family, []).append(h.li[link])
    return [[h.h3[name], h.ul(".links-list")[links]] for name, links in families.items()]
