"""Certificates that carry a declaration: the checker expands the rules, so the game is proved."""

import copy
import json
from fractions import Fraction
from pathlib import Path
from random import Random

import jsonschema
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import sevenout as so
from sevenout.catalogue.undeclared import REASONS
from sevenout.certify import check
from sevenout.certify.declaration import declaration_of, declared
from sevenout.certify.expansion import model_of_rules
from sevenout.cli import main
from sevenout.errors import RulesError, SevenoutError
from sevenout.rolling import Dice, Die, parse_dice
from sevenout.rules import Checklist, PayTable, PointGame, Together, Wager
from sevenout.rules.families.events import event_reading, parse_event
from sevenout.rules.gamefiles.gamefile import read_game
from tests.certify import oracle
from tests.certify.test_catalogue import SCHEMA, run_alone
from tests.certify.test_mutations import leaves
from tests.certify.test_sentence import said
from tests.conftest import point_games

NOT_DATA = {
    "barbudi",
    "barbudi-5-charge",
    "cee-lo-player",
    "hazard-main-thrown",
    "high-point-pass",
    "hot-shooter-jackpot",
    "klondike-win-lose",
    "repeater-plus-citywide",
    "risk-battle",
}


KEPT = {"needed": [], "values": {}, "best": "most"}


def proof(game, /, *claims, **more):
    return so.solve(game).certificate(*claims, rules=game, **more)


@pytest.fixture(scope="module")
def catalogue():
    """The certificate of every game of the catalogue that is data, by name."""
    made = {}
    for name in so.games.without_choices:
        game = so.games[name]
        if name not in NOT_DATA:
            solution = so.solve(game)
            lines = b"".join(solution.certificate(game=name, rules=game).lines())
            made[name] = lines, solution
    return made


@pytest.mark.slow
def test_every_game_of_the_catalogue_that_is_data_is_proved_without_us(catalogue, tmp_path):
    paths = []
    for i, (lines, _) in enumerate(catalogue.values()):
        paths.append(tmp_path / f"{i}.json")
        paths[-1].write_bytes(lines)
    done = run_alone(*paths)
    assert done.returncode == 0, done.stdout[-500:] + done.stderr
    text = done.stdout.splitlines()
    assert len(text) == len(catalogue) > 220
    for line, (name, (_, solution)) in zip(text, catalogue.items(), strict=True):
        assert line.startswith(
            f"Proved of the game in this file, which it calls {name!r} (as declared, "
        )
        for bet in solution.bets.values():
            assert f"{bet.name!a} (stake {bet.stake}) per unit staked is {bet.mean};" in line
        assert f"the mean of the counter 'rolls' is {solution.mean_rolls};" in line


def test_the_games_that_are_not_data_are_listed_with_the_reason(capsys):
    for name in NOT_DATA:
        with pytest.raises(RulesError):
            declaration_of(so.games[name])
    assert main(["certify", "--list"]) == 0
    head, *text = capsys.readouterr().out.splitlines()
    proved = text[: int(head.partition("(")[2].partition(")")[0])]
    others = [
        name for line in text[len(proved) + 1 :] for name in line.partition(": ")[0].split(", ")
    ]
    assert len(others) == len({*others})
    assert {*others} == {name for names in REASONS.values() for name in names}
    assert {"pig", "pig-solitaire", "ship-captain-and-crew"} <= {*proved}
    assert set(so.games.without_choices) & set(others) == NOT_DATA
    assert {*proved, *others} == set(so.games)
    assert "piglet: a coin has no numbers on its faces" in text


def test_lines_fit_the_schema(catalogue):
    validator = jsonschema.Draft202012Validator(SCHEMA)
    for name in ("craps", "fast-craps", "hardway-6-8", "sic-bo-small-big", "different-doubles"):
        for line in catalogue[name][0].splitlines()[:9]:
            assert validator.is_valid(json.loads(line)), line[:300]


def test_the_words_are_the_declaration_the_claim_and_what_was_checked():
    code, text = said(b"".join(proof(so.games["craps"], "pass", game="Craps").lines()), True)
    assert code == 0
    *words, claim = text.splitlines()
    assert words == [
        "dice: [[1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6]]",
        "line 1, naturals: [7, 11]",
        "line 1, craps: [2, 3, 12]",
        "line 1, pushes: []",
        "line 1, rerolls: []",
        "line 1, out: 7",
        'line 1, bets, pass: {"stake": 1, "natural": 1, "craps": -1, "point": 1, "out": -1}',
        'line 1, names: {"out": "seven out"}',
        "checked: the rules make 7 states; the value of each is the mean of what follows a roll; "
        "ranks that fall prove that the game ends",
    ]
    assert claim.startswith(
        "Proved of the game in this file, which it calls 'Craps' (as declared, 7 states from "
        "'come-out', SHA-256 "
    )
    assert claim.endswith("is -7/495; the game ends with probability 1.")


# --- what a declaration means, by other means ----------------------------------------------------


def game_of(rules):
    """The game of a declaration, by the classes that people play."""
    dice = Dice([Die(faces) for faces in rules["dice"]])
    games = [_line(table, dice) for table in rules.get("line", [])]
    for table in rules.get("wager", []):
        pays = {
            tuple(map(parse_event, key.split(","))): profit(amount)
            for key, amount in table["pays"].items()
        }
        read = event_reading(dice, [event for events in pays for event in events])
        late = profit(table["rest"]) if "rest" in table else None
        limit, stake = table.get("limit"), Fraction(table["stake"])
        games.append(Wager(read, pays, limit=limit, late=late, bet=table["bet"], stake=stake))
    for table in rules.get("checklist", []):
        times = {tuple(map(parse_event, key.split(","))): n for key, n in table["collect"].items()}
        stop = parse_event(str(table["stop"]))
        read = event_reading(dice, [*(event for events in times for event in events), stop])
        pays = {int(n): Fraction(amount) for n, amount in table["pays"].items()}
        own = {"first": table.get("first", False), "bet": table["bet"]}
        games.append(Checklist(read, times, stop, pays, stake=Fraction(table["stake"]), **own))
    return games[0] if len(games) == 1 else Together(*games)


def profit(amount):
    """A profit, with more at risk than it can lose."""
    return Fraction(amount), Fraction(10**9)


def schedule(pays):
    if isinstance(pays, dict):
        return {tuple(map(int, key.split(","))): schedule(each) for key, each in pays.items()}
    return [profit(x) for x in pays] if isinstance(pays, list) else profit(pays)


def _line(table, dice):
    bets = {}
    for name, bet in table["bets"].items():
        pays = {event: schedule(x) for event, x in bet.items() if event != "stake"}
        bets[name] = PayTable(**pays, stake=Fraction(bet["stake"]))
    sets = {name: table[name] for name in ("naturals", "craps", "pushes", "rerolls")}
    more = {"limit": table.get("limit"), "hard": table.get("hard", False)}
    return PointGame(**sets, out=table["out"], **more, bets=bets, dice=dice)


SAMPLE = (
    "craps",
    "craps-lines",
    "crapless",
    "dont-pass",
    "fast-craps",
    "hazard",
    "pharaoh-pass",
    "hardway-6-8",
    "hop-easy",
    "take-odds-4-10",
    "de-mere-double-six-in-24",
    "sic-bo-total-4-17-50-1",
    "bonus-small-30-1",
    "bonus-all-150-1",
)


def changed(rules, chance):
    """The rules with one thing changed."""
    rules = copy.deepcopy(rules)
    *way, last = chance.choice([path for path in leaves(rules) if path])
    data = rules
    for key in way:
        data = data[key]
    match data[last]:
        case bool() as old:
            data[last] = not old
        case int() as old:
            data[last] = chance.choice([old + 1, old - 1, -old, 2 * old, old + 3])
        case str() as old:
            other = str(Fraction(old) + 1) if check.NUMBER.fullmatch(old) else f"{old}s"
            data[last] = other
        case list() as old if old:
            del old[chance.randrange(len(old))]
        case dict() as old if len(old) > 1:
            del old[chance.choice(list(old))]
        case _:
            del data[last]
    return rules


@pytest.mark.parametrize("name", SAMPLE)
def test_an_altered_rule_with_the_old_numbers_is_rejected(name, catalogue):
    head, *states = oracle.opened(catalogue[name][0])
    chance, rejected, true = Random(name), 0, 0
    for _ in range(60):
        rules = changed(head["rules"], chance)
        code, text = said([head | {"rules": rules}, *states])
        if code:
            assert code == 1
            assert "Proved" not in text
            rejected += 1
            continue
        try:
            solution = so.solve(game_of(rules))
        except (SevenoutError, ValueError, KeyError):
            continue  # refused by us, though it has a meaning: a total that can't be rolled
        for claim in head["claims"]:
            value = Fraction(claim["value"])
            if claim["of"] == "bet":
                assert solution.bet(claim["name"]).mean == value, rules
            else:
                assert solution.mean_rolls == value, rules
        true += 1
    assert rejected > 20, (rejected, true)


@pytest.mark.parametrize("name", SAMPLE)
def test_the_same_game_is_read_by_others(name, catalogue):
    head, *_ = oracle.opened(catalogue[name][0])
    solution = so.solve(game_of(head["rules"]))
    for bet in catalogue[name][1].bets.values():
        assert solution.bet(bet.name).mean == bet.mean


@settings(max_examples=60, derandomize=True, deadline=None)
@given(point_games())
def test_any_point_game_is_declared(game):
    assume(sum(game.dice.weights) <= 1_000)
    rules, chain = declared(game, so.explore(game))
    assert json.loads(json.dumps(rules)) == rules
    assert chain.counters == so.explore(game).counters


events = st.sampled_from(["hard 8", "easy 8", "6-6", "1-2", 7, 11, 4])


@settings(max_examples=60, derandomize=True, deadline=None)
@given(
    st.lists(events, min_size=2, max_size=5, unique=True),
    st.integers(1, 3) | st.none(),
    st.integers(1, 3),
    st.booleans(),
    st.sampled_from(["2d6", "d4+d8", "2d6"]),
)
def test_any_wager_and_any_checklist_is_declared(words, limit, times, first, notation):
    dice = parse_dice(notation)
    read = event_reading(dice, words)
    try:
        games = [
            Wager(read, {word: i - 1 for i, word in enumerate(words)}, limit=limit, bet="wager"),
            Checklist(read, dict.fromkeys(words[1:], times), words[0], 5, first=first),
        ]
    except RulesError:  # what these dice can't roll
        return
    for game in (*games, Together(*games)):
        rules, chain = declared(game, so.explore(game))
        assert model_of_rules(json.loads(json.dumps(rules))) == chain


def test_rolls_that_no_word_names_are_listed(catalogue):
    (duel,) = oracle.opened(catalogue["dice-duel-tie"][0])[0]["rules"]["wager"]
    assert sorted(x for key in duel["pays"] for x in key.split(","))[1:] == ["6-6", "tie"]
    (red,) = oracle.opened(catalogue["dice-duel-red-higher"][0])[0]["rules"]["wager"]
    (listed,) = (each for name, each in red["events"].items() if name == "red higher")
    assert len(listed) == 15
    assert all(one > two for one, two in listed) or all(one < two for one, two in listed)
    (sic_bo,) = oracle.opened(catalogue["sic-bo-small-big"][0])[0]["rules"]["wager"]
    assert "1-1-2" in sic_bo["events"]["small"]
    assert "1-1-1" not in sic_bo["events"]["small"]


@pytest.mark.parametrize(
    ("mend", "wrong"),
    [
        (lambda rules: rules["dice"].clear(), "nothing is rolled"),
        (lambda rules: rules["dice"].append([]), "a die has no face"),
        (lambda rules: rules["dice"].append(["1"]), "is not a whole number"),
        (lambda rules: rules["dice"].append([True]), "is not a whole number"),
        (lambda rules: rules["dice"].extend([list(range(100))] * 3), "too many rolls"),
        (lambda rules: rules.update(cards=[1, 2], draw=2), "nobody checks the key 'dice'"),
        (lambda rules: rules.update(line=[]), "there is no game"),
        (lambda rules: rules.update(line=rules["line"] * 2), "a bet appears in two tables"),
        (lambda rules: rules["line"][0].update(out=8), "the out is a point"),
        (lambda rules: rules["line"][0]["craps"].append(7), "in two lists"),
        (lambda rules: rules["line"][0].update(limit=0), "can't be"),
        (lambda rules: rules["line"][0].update(limit=3), "late is paid nothing"),
        (lambda rules: rules["line"][0].update(hard=1), "is not a Boolean"),
        (lambda rules: rules["line"][0].update(events={"a": ["7"]}), "state"),
        (lambda rules: rules["line"][0].update(events={"a": ["7"], "b": [[3, 4]]}), "two events"),
        (lambda rules: rules["line"][0].update(events={"a": ["seven"]}), "is not an event"),
        (lambda rules: rules["line"][0]["bets"]["pass"].update(point=[1, 2]), "have no limit"),
        (lambda rules: rules["line"][0]["bets"]["pass"].update(point={"4": 1}), "not paid once"),
        (lambda rules: rules["line"][0]["bets"]["pass"].update(point=1.5), "not an exact number"),
        (lambda rules: rules["line"][0]["bets"]["pass"].update(stake=0), "more than 0"),
        (lambda rules: rules["line"][0]["names"].update(out=7), "is not a text"),
    ],
)
def test_what_has_no_meaning_is_refused(mend, wrong, catalogue):
    head, *states = oracle.opened(catalogue["craps"][0])
    mend(head["rules"])
    code, text = said([head, *states])
    assert code == 1
    assert wrong in text
    assert "Proved" not in text


def test_one_roll_and_one_die_are_singular():
    game = Wager(parse_dice("2d6").totals, {7: 4}, limit=2, bet="seven")
    _, *states = oracle.opened(b"".join(proof(game).lines()))
    assert [state["state"] for state in states] == ["2 rolls left", "1 roll left"]
    keep = check.game_of({"dice": [[1, 2]], "keep": {"least": 1, **KEPT}})
    assert keep.said(keep.start) == "1 die"


def test_states_are_those_of_the_declaration(catalogue):
    head, *states = oracle.opened(catalogue["craps"][0])
    one, two, *others = states
    for lines, wrong in (
        ([two, one, *others], "another state"),
        ([one, two, *others[:-1]], "not as many states"),
        ([*states, two], "not as many states"),
        ([one | {"to": [0] * 11}, two, *others], "nobody checks the key 'to'"),
        ([one | {"counts": {}}, two, *others], "nobody checks the key 'counts'"),
    ):
        code, text = said([head, *lines])
        assert code == 1
        assert wrong in text
    code, text = said([head | {"states": 6}, *states[:-1]])
    assert code == 1
    assert "not the states that the declaration expands into" in text
    code, text = said([head | {"outcomes": []}, *states])
    assert "nobody checks the key 'outcomes'" in text


def test_game_files_are_proved(tmp_path, capsys):
    for name in ("eights", "progressive"):
        source, path = f"docs/examples/{name}.toml", str(tmp_path / f"{name}.json")
        assert main(["certify", source, "-o", path]) == 0
        assert main(["certify", "--check", path, source]) == 0
        assert "(as declared, " in capsys.readouterr().out
        assert main(["certify", "--check", path, "craps"]) == 1
        game = read_game(source).game
        assert declaration_of(game) == oracle.opened(Path(path).read_bytes())[0]["rules"]


class Own(PointGame):
    """Nobody wins."""

    def step(self, state, roll):
        return self._settle("craps", 2)


def test_a_class_of_ones_own_is_not_data():
    game = Own(naturals=[7, 11], craps=[2, 3, 12], out=7)
    with pytest.raises(RulesError, match="the rules of Own are a program"):
        declaration_of(game)
    assert "rules" not in proof(game).header


def test_digits_are_proved_of_a_declaration_too():
    game = so.games["craps"]
    made = so.solve(game, "certified", digits=12).certificate("pass", rules=game)
    code, text = said(b"".join(made.lines()))
    assert code == 0
    assert "as declared" in text
    assert " within 2e-" in text
