"""Every part of a declaration is on every paper that it concerns; what can't be said is refused."""

import json
from functools import cache, partial
from typing import Any

import pytest
from tests.papers.test_declaration import CHANGES, WHOLE

from sevenout.catalogue import games
from sevenout.errors import SevenoutError
from sevenout.papers import declaration
from sevenout.papers.dossier import Dossier
from sevenout.papers.game_sheet import sheet
from sevenout.papers.monitoring_paper import monitoring
from sevenout.papers.subject import subject_of
from sevenout.papers.table_cards import areas, card_content
from sevenout.rules.gamefiles.gamefile import parse_game

# Each game of the file by itself, which is quick; a meter's limit makes the monitoring long.
HEADER, REST = WHOLE.split("[[line]]")
LINE, REST = REST.split("[[wager]]")
WAGER, REST = REST.split("[[checklist]]")
CHECKLIST, AWARD = REST.split("[progressive.pass]")
LINE = LINE.replace('top_award = "1500"\n', "").replace("limit = 9", "limit = 2")
AWARD = AWARD.replace("must_hit_by = 1000\n", "")
GAMES = {
    "line": f"{HEADER}[[line]]{LINE}",
    "award": f"{HEADER}[[line]]{LINE}[progressive.pass]{AWARD}",
    "wager": f"{HEADER}[[wager]]{WAGER}",
    "checklist": f"{HEADER}[[checklist]]{CHECKLIST}",
}
CHOICE = """
format = 1
name = "Three to make it"
[[line]]
naturals = [7, 11]
craps = [2, 3, 12]
out = 7
limit = 2
[line.bets.pass]
surrender = { "4,10" = "-1/2" }
"""
HEAD = {"maker", "author", "version", "name"}
WORDS = {"procedure", "void_rolls", "cocked_dice", "layout", "made", "stays"} | {
    *("late_bets", "irregularities", "disputes", "equipment")
}
STANDING = {"origin", "patents", "jurisdictions", "seats"}
MONEY = {"minimum", "maximum", "currency"}
METER = {"seed", "share", "on"}
CHANGED = {
    key: pair for key, pair in CHANGES.items() if key not in ("top_award", "must_hit_by")
} | {
    "made": ('made = "come-out"\nstays = "contract"', 'stays = "contract"'),
    "limit": ("limit = 2", "limit = 1"),
}
PAPERS = {
    "submission": lambda dossier: dossier.submission(),
    "rules": lambda dossier: dossier.rules(),
    "mathematics": lambda dossier: dossier.mathematics(),
    "rack card": card_content,
    "layout": areas,
    "monitoring": monitoring,
}


@cache
def printed(text: str, paper: str) -> str:
    """A paper as text, without the hashes that stand on each."""
    file = parse_game(text)
    dossier = Dossier(subject_of(file), games=0, number_of_bets=5, volume=100)
    made = PAPERS[paper](dossier)
    said = json.dumps(made, default=str) if isinstance(made, dict) else str(made)
    for digest in (dossier.digest, dossier.identity[1]):
        said = said.replace(digest, "").replace(digest[:16], "")
    return said


def concerned(key: str) -> set[str]:
    """The papers that a part concerns."""
    if key in HEAD:
        return {*PAPERS} - {"layout"}
    if key in WORDS:
        return {"rules"} | ({"rack card"} if key in ("made", "stays") else set())
    if key in STANDING:
        return {"submission"}
    if key == "rules":
        return {"rules", "rack card"}
    if key in MONEY:
        return {"rules", "rack card", "layout"} | ({"submission"} if key != "minimum" else set())
    if key in METER:
        return {"rules", "mathematics"} | ({"monitoring"} if key == "share" else set())
    if key == "bet":
        return {"submission", "rules", "mathematics", "rack card", "layout", "monitoring"}
    if key == "side_of":
        return {"mathematics"}
    if key == "naturals":  # which totals they are is in the maker's own rules; the odds change
        return {"submission", "mathematics", "monitoring"}
    if key in ("names", "limit", "pushes", "collect", "stop", "stake"):
        return {"rules", "mathematics"}
    return {"submission", "rules", "mathematics", "monitoring"}  # what is paid, and the dice


@pytest.mark.parametrize("key", CHANGED)
def test_a_change_of_a_part_changes_every_paper_that_it_concerns(key: str) -> None:
    old, new = CHANGED[key]
    text = next(text for text in GAMES.values() if old in text)
    other = text.replace(old, new)
    assert not [paper for paper in concerned(key) if printed(other, paper) == printed(text, paper)]


def test_every_key_is_varied_on_paper() -> None:
    assert CHANGED.keys() >= CHANGES.keys() - {"top_award", "must_hit_by"}


def refused() -> dict[str, tuple[Any, str]]:
    """What a paper can't say, and the part that it names."""
    line, choice = parse_game(GAMES["line"]), parse_game(CHOICE)
    award = parse_game(GAMES["award"])
    keep = parse_game('format = 1\nname = "Keep"\ndice = "2d6"\n[keep]\n')
    turns = games("yahtzee")
    return {
        "an award in a game with choices": (
            partial(sheet, declaration(choice.game, progressives=award.progressives)),
            "the progressive award of pass",
        ),
        "what is no part of a declaration": (
            partial(declaration, line, colour="red"),
            "colour can't be stated",
        ),
        "a goal where nobody chooses": (
            lambda: parse_game(HEADER + 'goal = "most pass"\n[[line]]' + LINE),
            "goal = ",
        ),
        "limits where there are no bets": (
            partial(declaration, keep, "Keep", limits="5 to 50"),
            "limits '5 to 50'; Keep has no bets",
        ),
        "limits of a game of turns": (partial(declaration, turns, limits="5 to 50"), "limits"),
        "bets of a game of turns": (partial(sheet, turns, bets=["pass"]), "bets="),
        "an award in a game of turns": (
            partial(sheet, declaration(turns, progressives=award.progressives)),
            "progressives=",
        ),
        "policies where nobody chooses": (
            partial(sheet, line, policies={"never": lambda _: "ride"}),
            "policies=",
        ),
        "a bet that the game lacks": (partial(sheet, line, bets=["field"]), "field"),
    }


@pytest.mark.parametrize("what", list(refused()))
def test_a_paper_that_can_t_say_a_part_refuses_and_names_it(what: str) -> None:
    make, named = refused()[what]
    with pytest.raises(SevenoutError) as error:
        make()
    assert named in str(error.value)
