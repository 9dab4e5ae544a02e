"""Small certificates in which everything is altered once: what else than notes may still pass."""

import json
import re
from fractions import Fraction
from io import BytesIO
from itertools import combinations

import pytest

from sevenout.certify import check
from tests.certify import oracle
from tests.certify.test_mutations import NUMBER, leaves

HEADER = {"format": "sevenout certificate", "version": 4}
EXACT = {"scale": 1, "residual": 0, "one": None}


def exactly(of, name, value, **more):
    return {"of": of, "name": name, "value": value, "within": 0, **more}


def distribution(name, *terms):
    return {"of": "law", "name": name, "first": list(terms), "within": 0}


# Heads, of probability 1/3, wins; two tails lose.
COIN = [
    {
        **HEADER,
        "states": 2,
        "rollables": [{"rolls": ["heads", "tails"], "weights": [1, 2]}],
        "outcomes": [{"name": "won", "pays": {"coin": 4}}, {"name": "lost", "pays": {"coin": -2}}],
        "stakes": {"coin": 2},
        "passes": False,
        **EXACT,
        "claims": [
            exactly("bet", "coin", "2/3"),
            exactly("win", "coin", "5/9"),
            exactly("outcome", "in words", "4/9", outcomes=["lost"]),
            exactly("worth", "in words", 6, worth=[10, 1]),
            exactly("counter", "tails", "10/9"),
            exactly("counter", "rolls", "5/3"),
            distribution("tails", "1/3", "2/9", "4/9"),
            distribution("rolls", 0, "1/3", "2/3"),
        ],
    },
    {
        **{"state": "first", "roll": 0, "to": [2, 1], "counts": {"tails": [0, 1]}, "rank": 1},
        "values": ["2/3", "5/9", "4/9", 6, "10/9", "5/3", "1/3", "2/9", "4/9", 0, "1/3", "2/3"],
    },
    {
        **{"state": "second", "roll": 0, "to": [2, 3], "counts": {"tails": [0, 1]}, "rank": 1},
        "values": [0, "1/3", "2/3", 4, "2/3", 1, "1/3", "2/3", 0, 0, 1, 0],
    },
]
# Two of four cards; a pair wins, and there is a second deal.
PAIRS = [
    {
        **HEADER,
        "states": 2,
        "rules": {
            "cards": [1, 1, 2, 2],
            "draw": 2,
            "bets": {"pair": "1/2"},
            "sees": {"same": "d1 == d2"},
            "start": {"deals": 0},
            "roll": [
                {"if": "same", "end": "pair", "pays": {"pair": 2}},
                {
                    **{"if": "deals == 1", "count": {"misses": 1}, "end": "none"},
                    "pays": {"pair": {"profit": -1, "risk": 1}},
                },
                {"set": {"deals": "deals + 1"}, "count": {"misses": "deals + 1"}},
            ],
        },
        **EXACT,
        "claims": [
            exactly("bet", "pair", "4/3"),
            exactly("outcome", "in words", "5/9", outcomes=["pair"]),
            exactly("counter", "misses", "10/9"),
        ],
    },
    {"state": "deals 0", "rank": 1, "values": ["4/3", "5/9", "10/9"]},
    {"state": "deals 1", "rank": 1, "values": [0, "1/3", "2/3"]},
]
# Each 1 is a point, a 0 loses all, and a third 1 is worth 4.
PRESS = [
    {
        **HEADER,
        "states": 5,
        "rules": {
            "dice": [[0, 1, 1]],
            "bets": {},
            "sees": {"up": "d1"},
            "start": {"turn": 0},
            "choose": [
                {"option": "hold", "if": "turn > 0", "end": "held", "count": {"points": "turn"}},
                {"option": "press", "if": "turn > 0"},
                {"option": "press", "if": "turn > 0", "set": {"turn": 2}},
            ],
            "roll": [
                {"if": "not up", "end": "bust"},
                {"if": "turn == 2", "end": "home", "count": {"points": 4}},
                {"set": {"turn": "turn + 1"}},
            ],
        },
        **EXACT,
        "claims": [exactly("counter", "points", "32/27")],
    },
    {"state": "turn 0", "rank": 1, "values": ["32/27"]},
    {"state": "turn 1", "ask": "most", "pick": 1, "rank": 2, "values": ["16/9"]},
    {"state": "turn 1", "rank": 1, "values": ["16/9"]},
    {"state": "turn 2", "ask": "most", "pick": 1, "rank": 2, "values": ["8/3"]},
    {"state": "turn 2", "rank": 1, "values": ["8/3"]},
]

# The first head wins; a tail passes the coin to the other player.
PASSING = [
    {
        **HEADER,
        "states": 1,
        "rules": {
            "dice": [[0, 1]],
            "bets": {"first": 1},
            "sees": {"head": "d1"},
            "start": {},
            "roll": [{"if": "head", "end": "won", "pays": {"first": 1}}, {"pass_turn": True}],
        },
        **EXACT,
        "claims": [
            exactly("bet", "first", "1/3"),
            exactly("win", "first", "2/3"),
            exactly("counter", "rolls", 2),
        ],
    },
    {"state": "start", "rank": 1, "values": ["1/3", "2/3", 2]},
]

# Nothing, or a coin that wins two times in three.
OFFER = [
    {
        **HEADER,
        "states": 2,
        "rollables": [{"rolls": ["heads", "tails"], "weights": [2, 1]}],
        "outcomes": [
            {"name": name, "pays": {"coin": profit}}
            for name, profit in (("left", 0), ("won", 1), ("lost", -1))
        ],
        "stakes": {"coin": 1},
        "passes": False,
        **EXACT,
        "claims": [exactly("bet", "coin", "1/3")],
    },
    {
        **{"state": "offer", "options": ["leave", "toss"], "to": [2, 1], "ask": "most"},
        **{"pick": 1, "rank": 2, "values": ["1/3"]},
    },
    {"state": "toss", "roll": 0, "to": [3, 4], "rank": 1, "values": ["1/3"]},
]

# Tosses until the first head: 2, and the values are off by 1/8.
BOUNDED = [
    {
        **HEADER,
        "states": 1,
        "rollables": [{"rolls": ["heads", "tails"], "weights": [1, 1]}],
        "outcomes": [{"name": "heads", "pays": {}}],
        "stakes": {},
        "passes": False,
        **{"scale": 8, "residual": 1, "one": 4},
        "claims": [{"of": "counter", "name": "rolls", "value": "2.1", "within": "3e-1"}],
    },
    {"state": "toss", "roll": 0, "to": [1, 0], "rank": 8, "values": [17]},
]

# One time in three they match pennies; else the second player chooses what to pay, 3 or 6.
PENNIES = [
    {
        "format": "sevenout certificate of two policies",
        "version": 4,
        "of": "the money",
        "players": ["one", "two"],
        "wants": ["most", "least"],
        "rollables": [{"rolls": ["match", "pay"], "weights": [1, 2]}],
        "outcomes": [{"name": f"{x}", "worth": x} for x in (1, -1, 3, 6)],
        "sets": 3,
        "nodes": 6,
        "low": 2,
        "high": 2,
    },
    {"sees": "", "player": 0, "options": ["heads", "tails"], "plays": ["1/2", "1/2"]},
    {"sees": "", "player": 1, "options": ["heads", "tails"], "plays": ["1/2", "1/2"]},
    {"sees": "", "player": 1, "options": ["3", "6"], "plays": [1, 0]},
    {"position": "start", "root": True, "roll": 0, "to": [1, 2]},
    {"position": "match", "root": True, "set": 0, "to": [3, 4]},
    {"position": "pay", "root": True, "set": 2, "to": [5, 9]},
    {"position": "heads", "set": 1, "to": [6, 7]},
    {"position": "tails", "set": 1, "to": [7, 6]},
    {"position": "paid", "to": [8]},
]

LINES = {
    "coin": COIN,
    "pairs": PAIRS,
    "press": PRESS,
    "offer": OFFER,
    "passing": PASSING,
    "bounded": BOUNDED,
    "pennies": PENNIES,
}
PAGES = {
    "coin": [
        "Proved of the game whose moves have the SHA-256 * (2 states from 'first'; the file's is "
        "*): the mean profit of the bet 'coin' (stake 2) per unit staked is 2/3; "
        "the probability that the bet 'coin' gains is 5/9; the probability of 'lost' is 4/9; "
        "the mean, where end 1 ('won') is 10, end 2 ('lost') is 1, is 6; "
        "the mean of the counter 'tails' is 10/9; the mean of the counter 'rolls' is 5/3; the "
        "probabilities P(N = 0), P(N = 1) and so on of the counter N = 'tails' are 1/3, 2/9, 4/9; "
        "the probabilities P(N = 0), P(N = 1) and so on of the counter N = 'rolls' are "
        "0, 1/3, 2/3; the game ends with probability 1."
    ],
    "pairs": [
        "cards: [1, 1, 2, 2]",
        "draw: 2",
        'bets: {"pair": "1/2"}',
        'sees: {"same": "d1 == d2"}',
        'start: {"deals": 0}',
        'roll: {"if": "same", "end": "pair", "pays": {"pair": 2}}',
        'roll: {"if": "deals == 1", "count": {"misses": 1}, "end": "none", '
        '"pays": {"pair": {"profit": -1, "risk": 1}}}',
        'roll: {"set": {"deals": "deals + 1"}, "count": {"misses": "deals + 1"}}',
        "Proved of the game whose rules have the SHA-256 * (2 states from 'deals 0'; the file's is "
        "*): the mean profit of the bet 'pair' (stake 1/2) per unit staked is 4/3; "
        "the probability of 'pair' is 5/9; the mean of the counter 'misses' is 10/9; "
        "the game ends with probability 1.",
    ],
    "press": [
        "dice: [[0, 1, 1]]",
        "bets: {}",
        'sees: {"up": "d1"}',
        'start: {"turn": 0}',
        'choose: {"option": "hold", "if": "turn > 0", "end": "held", "count": {"points": "turn"}}',
        'choose: {"option": "press", "if": "turn > 0"}',
        'choose: {"option": "press", "if": "turn > 0", "set": {"turn": 2}}',
        'roll: {"if": "not up", "end": "bust"}',
        'roll: {"if": "turn == 2", "end": "home", "count": {"points": 4}}',
        'roll: {"set": {"turn": "turn + 1"}}',
        "Proved of the game whose rules have the SHA-256 * (5 states from 'turn 0'; the file's is "
        "*): the mean of the counter 'points' is 32/27; that is the most of all policies, and the "
        "picks in the file reach it; the game ends with probability 1.",
    ],
    "passing": [
        "dice: [[0, 1]]",
        'bets: {"first": 1}',
        'sees: {"head": "d1"}',
        "start: {}",
        'roll: {"if": "head", "end": "won", "pays": {"first": 1}}',
        'roll: {"pass_turn": true}',
        "Proved of the game whose rules have the SHA-256 * (1 state from 'start'; the file's is "
        "*): the mean profit of the bet 'first' (stake 1) per unit staked is 1/3; the probability "
        "that the bet 'first' gains is 2/3; the mean of the counter 'rolls' is 2; the game ends "
        "with probability 1; the value is that of the player whose turn it is at the start.",
    ],
    "offer": [
        "Proved of the game whose moves have the SHA-256 * (2 states from 'offer'; the file's is "
        "*): the mean profit of the bet 'coin' (stake 1) per unit staked is 1/3; that is the most "
        "of all policies, and the picks in the file reach it; the game ends with probability 1."
    ],
    "bounded": [
        "Proved of the game whose moves have the SHA-256 * (1 state from 'toss'; the file's is *): "
        "the mean of the counter 'rolls' is 2.1 within 3e-1; the game ends with probability 1."
    ],
    "pennies": [
        "Proved of the game of two players whose moves have the SHA-256 * (the file's is *): the "
        "mean worth of the outcomes, where player 1 wants the most and player 2 the least, is 2; "
        "the policies in the file guarantee that, whatever the other player does."
    ],
}


@pytest.fixture
def checked(monkeypatch):
    """The exit code of lines, and what is printed: hashes are stars."""

    def check_lines(lines):
        content = BytesIO(oracle.written(lines))  # files on a disk take most of the time
        monkeypatch.setattr(check, "open", lambda path, mode: content, raising=False)
        code, text = check.check("proof.json")
        return code, re.sub("[0-9a-f]{64}", "*", text)

    return check_lines


@pytest.mark.parametrize("name", LINES)
def test_the_rules_and_one_sentence_are_printed(name, checked):
    code, page = checked(LINES[name])
    assert code == 0
    assert page.splitlines() == PAGES[name]


def replaced(data, path, *value):
    """A copy in which the item at the path has this value, or none."""
    data = json.loads(json.dumps(data))
    item = data
    for key in path[:-1]:
        item = item[key]
    if value:
        item[path[-1]] = value[0]
    else:
        del item[path[-1]]
    return data


def other_values(value):
    """What to put in place of an item of JSON: other types, then neighbours of the same type."""
    yield from ([] if value is None else [None])
    match value:
        case bool():
            yield from (int(value), not value)
        case int():
            yield from (str(value), float(value))
            yield from ([bool(value)] if value in (0, 1) else [])
            yield from (value + 1, value - 1)
        case str() if NUMBER.fullmatch(value):
            step = Fraction(1, Fraction(value).denominator)
            yield from (str(Fraction(value) + step), str(Fraction(value) - step))
        case str():
            yield from (0, f"{value}s")
        case list():
            yield from ({}, [*value, *value[-1:]])
        case dict():
            yield []


def single_alterations(lines):
    """The path of what is altered in a file, and the altered lines.

    Each item is taken out or has another value, a line has a key of another, or two keys are gone.
    """
    for path in filter(len, leaves(lines)):
        yield path, replaced(lines, path)
        item = lines
        for key in path:
            item = item[key]
        for value in other_values(item):
            yield path, replaced(lines, path, value)
    values = {key: value for line in lines[1:] for key, value in line.items()}
    for i, line in enumerate(lines):
        for key in sorted(values.keys() - line.keys()):
            yield (i, key), replaced(lines, (i, key), values[key])
        for first, second in combinations(line, 2):
            yield (i, f"{first}+{second}"), replaced(replaced(lines, (i, first)), (i, second))


# Paths at which some alteration is accepted: notes, what nothing leads to, ranks with room, and
# rules that make the same claims true.
ACCEPTED = {
    "coin": "0.rollables 0.rollables.0.rolls.0 0.rollables.0.rolls.1 0.claims.2.name "
    "0.claims.3.name 1.rank 2.state 2.rank",
    "pairs": "0.rules.cards.0 0.rules.cards.1 0.rules.cards.2 0.rules.cards.3 0.rules.draw "
    "0.rules.roll 0.rules.roll.1.count.misses 0.rules.roll.1.end 0.rules.roll.1.pays.pair.risk "
    "0.claims.1.name 1.rank 2.rank",
    "press": "0.rules.dice 0.rules.dice.0.1 0.rules.dice.0.2 0.rules.choose "
    "0.rules.choose.0.option 0.rules.choose.0.end 0.rules.choose.0.count "
    "0.rules.choose.0.count.points 0.rules.choose.2 0.rules.choose.2.if 0.rules.choose.2.set "
    "0.rules.choose.2.set.turn 0.rules.roll 0.rules.roll.0.end 0.rules.roll.1.end "
    "0.rules.roll.1.count.points 1.rank 2.rank 4.rank",
    "passing": "0.rules.dice 0.rules.dice.0.1 0.rules.roll 0.rules.roll.0.end 1.rank",
    "offer": "0.rollables 0.rollables.0.rolls.0 0.rollables.0.rolls.1 0.outcomes "
    "0.outcomes.0.name 0.outcomes.0.pays.coin 0.outcomes.1.name 0.outcomes.2.name "
    "1.options.0 1.options.1 1.to.0 1.rank 2.state",
    "bounded": "0.rollables 0.rollables.0.rolls.0 0.rollables.0.rolls.1 0.outcomes "
    "0.outcomes.0.name",
    "pennies": "0.of 0.players 0.players.0 0.players.1 0.rollables 0.rollables.0.rolls.0 "
    "0.rollables.0.rolls.1 0.outcomes 0.outcomes.0.name 0.outcomes.1.name 0.outcomes.2.name "
    "0.outcomes.3.name 0.outcomes.3.worth 1.sees 1.options.0 1.options.1 2.sees 2.options.0 "
    "2.options.1 3.sees 3.options.0 3.options.1 4.position 4.root 5.position 5.root 6.position "
    "6.root 6.to.1 7.position 8.position 9.position 9.root",
}
OTHER_SENTENCES = {
    "coin": {"0.outcomes.0.name", "1.state"},
    "offer": {"0.passes", "1.state"},
    "bounded": {"0.passes", "1.state"},
    "pennies": {"0.low", "0.high"},
}


@pytest.mark.parametrize("name", LINES)
def test_what_is_altered_is_refused_or_proves_the_same(name, checked):
    lines, sentence = LINES[name], PAGES[name][-1]
    same, others = set(), set()
    for (i, *keys), altered in single_alterations(lines):
        code, text = checked(altered)
        if code == 0:
            found = same if text.splitlines()[-1] == sentence else others
            found.add(".".join(map(str, (i, *keys))))
            continue
        refusal = re.fullmatch("proof.json, line ([0-9]+): not proved: .+", text)
        assert code == 1
        assert 1 <= int(refusal[1]) <= len(altered)
        if "+" in str(keys):  # a key that is missing
            assert int(refusal[1]) == i + 1
    assert same == set(ACCEPTED[name].split())
    assert others == OTHER_SENTENCES.get(name, set())
