"""Game files of every kind that a checker expands, with their certificates."""

from functools import cache

import sevenout as so
from sevenout.model import Chain, explore
from sevenout.rules.gamefiles.gamefile import parse_game

CRAPS = "naturals = [7, 11], craps = [2, 3, 12], out = 7"
LINE = "[[line]]\nnaturals = [7, 11]\ncraps = [2, 3, 12]\nout = 7\n"

KINDS = {
    "surrender": LINE + '[line.bets.pass]\nsurrender = { "4,10" = "-1/2", 6 = "-1/4" }',
    "surrender by roll": LINE + "limit = 3\n[line.bets.pass]\npoint = 2\n"
    'surrender = { "4,10" = "-1/2", "5,9" = ["-1/2", "-1/2", "-3/4"] }',
    "surrender of a list": '[[checklist]]\nbet = "low"\ncollect = [2, 3, 4]\nstop = 7\npays = 34\n'
    "surrender = { 1 = 2, 2 = 8 }",
    "points": f'[[points]]\nbet = "fire"\npays = {{ 2 = 4, 3 = 9 }}\nround = {{ {CRAPS} }}',
    "points, each time": '[[points]]\nbet = "hot"\npays = { 0 = 1, 2 = 24 }\ndifferent = false\n'
    f"round = {{ {CRAPS}, limit = 3 }}",
    "points and a line": f'{LINE}[[points]]\nbet = "hot"\npays = {{ 2 = 4 }}\ndifferent = false\n'
    f"round = {{ {CRAPS} }}",
    "a turn": f"[turn]\nlosses = 2\nround = {{ {CRAPS} }}",
    "a turn with a bet": '[turn]\nlosses = 2\nbet = "hot"\nstake = 5\npays = { 2 = 2, 4 = 8 }\n'
    f"round = {{ {CRAPS} }}",
    "hold": 'dice = "d6"\n[hold]\nbust = [1]\ntarget = 12\nplay = "turn"',
    "hold alone": 'dice = "2d6"\n[hold]\nbust = [1, 2]\ntarget = 15\nplay = "alone"',
    "hold, two": 'dice = "d4+1"\n[hold]\nbust = [1]\ntarget = 6\nplay = "two"',
    "keep": 'dice = "3d4"\n[keep]\nvalues = { 3 = 0 }\nbest = "least"',
    "keep, needed": 'dice = "3d4"\n[keep]\nneeded = [1, 4]',
    "keep, rolls": 'dice = "3d4"\n[keep]\nneeded = [1]\nrolls = 2\nleast = 0',
    "keep, in order": 'dice = "4d4"\n[keep]\nneeded = [4, 3]\nin_order = true\nall_or_none = true\n'
    "rolls = 3",
    "compared": 'dice = "3d4"\ngoal = "points <= 5"\n[keep]\nvalues = { 3 = 0 }\nbest = "least"',
    "compared, points of a turn": 'dice = "d6"\ngoal = "points > 17/2"\n[hold]\nbust = [1]\n'
    'target = 12\nplay = "turn"',
    "compared, rolls": 'goal = "rolls = 2"\n'
    + LINE
    + '[line.bets.pass]\nsurrender = { "4,10" = "-1/2", 6 = "-1/4" }',
    "race": 'dice = "d4"\n[race]\nto = 8\nexact = true\njumps = { 2 = 5, 6 = 1 }\nagain = [4]',
    "rules": 'dice = "2d6"\nsees = { total = "d1 + d2" }\nstart = { point = 0 }\n'
    '[[roll]]\nif = "point == 0 and total in (7, 11)"\nend = "natural"\npays = { pass = 1 }\n'
    '[[roll]]\nif = "point == 0"\nset.point = "total"\n'
    '[[roll]]\nif = "total == point"\nend = "point"\npays.pass = { profit = 2, risk = 2 }\n'
    '[[roll]]\nif = "total == 7"\nend = "seven out"\npays.pass = { profit = -2, risk = 2 }\n',
    "rules with options": 'goal = "points"\ndice = "d6"\nsees.face = "d1"\nstart.turn = 0\n'
    '[[choose]]\noption = "roll"\nif = "turn"\n'
    '[[choose]]\noption = "hold"\nif = "turn"\nend = "held"\ncount.points = "turn"\n'
    '[[roll]]\nif = "face == 1"\nend = "bust"\n'
    '[[roll]]\nif = "turn + face > 20"\nend = "home"\ncount.points = "turn + face"\n'
    '[[roll]]\nset.turn = "turn + face"\n',
    "race alone": 'dice = "d6"\n[race]\nto = 10\nplayers = 1',
}


@cache
def game_of_kind(name):
    return parse_game(f'format = 1\nname = "{name}"\n{KINDS[name]}\n').game


@cache
def solved(name):
    """The answer of a game: best play, or where nobody chooses its solution."""
    game = game_of_kind(name)
    if isinstance(explore(game), Chain):
        return so.solve(game)
    return so.best(game, most="pass") if name == "race" else so.best(game)


@cache
def proof_of(name):
    """The certificate of a game, as a file."""
    return b"".join(solved(name).certificate(title=name, rules=game_of_kind(name)).lines())
