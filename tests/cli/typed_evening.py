"""Two evenings of bets of all kinds as they are typed, and their money at crapssim's table."""

import re
from io import StringIO

import pytest

from sevenout.catalogue.craps_family.spots import split_switch, spot
from sevenout.cli import main

EVENING = """
pass 10 | no pass 10 | small 5 | tall 5 | all 5 | fire 5 | yo 1 | c&e 2 | 4 2
pass odds max | no pass odds 60 | come 10 | dont come 10 | place 5 10 | place 8 12 | field 5 | 5 4
odds 9 20 | dont come 9 odds 30 | buy 4 20 | lay 10 40 | hard 8 5 | hop 5 3 2 | any craps 5 | 5 3
hard 4 5 | big 6 10 | big 8 10 | horn 4 | any 7 5 | 2 2
press 8 | world 5 | aces 1 | ace deuce 1 | boxcars 1 | 6 6
off 5 | come 10 | 3 2
down 8 | hop 3 3 1 | 3 3
pass 10 | on 5 | 5 4
odds max | hard 6 5 | hard 10 5 | place 6 12 | 6 5
1 1
come 15 | 1 2
3 4
pass 25 | small 10 | tall 10 | all 10 | fire 1 | 6 5
pass 20 | 4 4
inside 22 | lay 4 40 | 5 4
press 9 5 | buy 10 40 | roll 6 4
5 5 | 3 1
place 4 10 | come 10 | 4 4
pass 5 | 6 3 | come 20 | 6 4 | odds 10 60 | 4 5
pass 5 | roll 6 4 | 6 1
"""
CRAPLESS = """
pass 10 | small 5 | place 2 10 | place 12 10 | buy 3 20 | lay 4 40 | 6 5
odds max | come 10 | field 5 | hop 1 1 2 | 1 1
odds 2 10 | come 10 | big 6 10 | 6 6
odds 12 max | hard 4 5 | yo 5 | 6 5
pass 10 | 1 1
odds max | come 20 | world 5 | 2 1
place 11 12 | buy 9 20 | roll 5 6
off 11 | 6 5
place 4 5 6 8 9 for 10 | pass 10 | roll 3 4
"""
TABLE = "field=2-2,bonus=30-30-150,vig=up front"


def lines_of(evening):
    return [line.strip() for part in evening.strip().splitlines() for line in part.split("|")]


def typed(lines, monkeypatch, capsys, *words):
    monkeypatch.setattr("sys.stdin", StringIO("\n".join(lines) + "\n"))
    code = main(["play", "table", "--seed", "3", *words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def crapssim_bet(bet, amount, point):
    """A bet as crapssim has it; None for one that it has in a state of its own."""
    from crapssim import bet as theirs

    what = spot(bet)
    line = {"pass": theirs.PassLine, "don't pass": theirs.DontPass}
    line |= {"come": theirs.Come, "don't come": theirs.DontCome}
    if what.odds:
        working = True if what.works else None
        return theirs.Odds(line[what.kind], what.number or point, amount, working)
    if what.kind in line:
        return None if what.number else line[what.kind](amount)
    if what.kind in ("place", "buy", "lay"):
        on = True if what.kind == "lay" or what.works else None
        made = {"place": theirs.Place, "buy": theirs.Buy, "lay": theirs.Lay}[what.kind]
        return made(what.number, amount, on)
    if what.kind == "hard":
        return theirs.HardWay(what.number, amount)
    if what.kind == "hop":
        return theirs.Hop(what.faces, amount)
    simple = {
        "field": theirs.Field,
        "any 7": theirs.Any7,
        "any craps": theirs.AnyCraps,
        "yo": theirs.Yo,
        "aces": theirs.Two,
        "ace-deuce": theirs.Three,
        "boxcars": theirs.Boxcars,
        "horn": theirs.Horn,
        "world": theirs.World,
        "C&E": theirs.CAndE,
        "small": theirs.Small,
        "tall": theirs.Tall,
        "all": theirs.All,
        "fire": theirs.Fire,
    }
    if what.kind == "big":
        return {6: theirs.Big6, 8: theirs.Big8}[what.number](amount)
    if what.faces or what.hit_totals or "@" in bet:
        return None
    return simple[bet](amount)


def stands_as(theirs):
    """What a bet of crapssim is called here; its kind alone for those on a hand."""
    name = type(theirs).__name__
    kept = {"Come": "come", "DontCome": "don't come", "Fire": "fire", "Small": "small"}
    kept |= {"Tall": "tall", "All": "all"}
    if name in kept:
        number = getattr(theirs, "number", None)
        return f"{kept[name]} {number}" if number else kept[name]
    return None


def money_here(session):
    """The money after each roll: rail and felt."""
    return [moment.money for moment in session.moments[1 : session.rolls + 1]]


def money_at_crapssim(session):
    """The money after each roll of the same bets, played by crapssim."""
    pytest.importorskip("crapssim")
    from crapssim.rules import ClassicRules, CraplessRules
    from crapssim.strategy.tools import NullStrategy
    from crapssim.table import Table, TableUpdate

    table = Table(rules=CraplessRules() if session.house.crapless else ClassicRules())
    player = table.add_player(bankroll=session.bankroll, strategy=NullStrategy())
    money = []
    for act in session.history():
        if act.rolled is None:
            continue
        here = dict(act.before.bets)
        kept = {
            re.split(r" @| \d+(?:,\d+)*$", b)[0]
            if spot(b).kind not in ("come", "don't come")
            else b
            for b in here
        }
        for bet in list(player.bets):  # what they take down on a win stands here, so begin anew
            name = stands_as(bet)
            if name is None and type(bet).__name__ not in ("PassLine", "DontPass"):
                player.remove_bet(bet)
            elif name is not None:
                assert name in kept, (act.line, name, kept)
        for bet, amount in here.items():
            off = session.house.is_off(spot(bet), act.before.point)
            if off and not spot(bet).odds:
                continue
            made = crapssim_bet(
                split_switch(bet)[0] if spot(bet).works is None else bet, amount, act.before.point
            )
            if made is not None and made not in player.bets:
                before = len(player.bets)
                player.add_bet(made)
                assert len(player.bets) == before + 1, (act.line, bet, "refused by crapssim")
        faces = session.moments[len(money) + 1].faces
        TableUpdate().run(table, dice_outcome=faces)
        money.append(player.bankroll + sum(bet.cost(table) for bet in player.bets))
    return money
