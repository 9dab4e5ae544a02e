"""Best play: a game with choices, its value with the proof, and the strategy on a card."""

from typing import Any

import htpy as h

from sevenout.games import decisions
from sevenout.lab.address import Address
from sevenout.lab.chosen import choose, optimum
from sevenout.lab.pages.editor import tuned, values_form
from sevenout.lab.pages.game import program
from sevenout.lab.parts import go, in_words
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
    found = optimum(chosen.text)
    view = View(address, f"{chosen.title}, played best", PATH)
    name, *more = chosen.text.split(";")
    said = ", ".join(f"{k}={v}" for k, _, v in (part.partition("=") for part in more))
    goal = ", ".join(f"{k}={v!r}" for k, v in (chosen.goal or {}).items())
    if chosen.file is not None:
        view.python = program(chosen, f"so.best({{game}}, {goal})")
    else:
        view.python = (
            "import sevenout as so\nfrom sevenout.games import decisions\n\n"
            f"print(so.best(decisions({name!r}{', ' + said if said else ''}), {goal}))\n"
        )
    made = found.page()
    view.body = [
        h.div(".heading")[
            h.div[h.h1["Best play"], h.p(".lead")[in_words(f"{chosen.title}. {chosen.words}")]],
            h.div(".actions")[
                go("Play with a coach", address.to("/table", keep=(), game=chosen.text), "main"),
                go("Simulate", address.to("/simulate", keep=(), game=chosen.text)),
            ],
        ],
        h.div(".columns")[
            view.card("best", "What to do", *made.blocks),
            view.card(
                "games",
                "Games with choices",
                None
                if chosen.file is not None
                else values_form(
                    address.to(keep=("game",)),
                    name,
                    dict(part.partition("=")[::2] for part in more),
                ),
                _games(),
            ),
        ],
    ]
    return view


def _games() -> Any:
    families: dict[str, list[Any]] = {}
    for entry in decisions.values():
        link = h.a(href=str(Address(PATH, {"game": entry.id})))[entry.title]
        families.setdefault(entry.family, []).append(h.li[link])
    return [[h.h3[name], h.ul(".links-list")[links]] for name, links in families.items()]
