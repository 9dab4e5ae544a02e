"""Every kind of game file is proved of its declaration, and of no other."""

import json
from random import Random

import jsonschema
import pytest

import sevenout as so
from sevenout.certify.declaration import declaration_of
from sevenout.certify.expansion import model_of_rules
from sevenout.cli import main
from sevenout.errors import RulesError
from sevenout.rolling import parse_dice
from sevenout.rules.families.holding import HoldGame
from tests.certify import oracle
from tests.certify.kinds import KINDS, proof_of, solved
from tests.certify.test_catalogue import SCHEMA
from tests.certify.test_declared import changed, said


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_is_proved_of_its_declaration(name):
    code, text = said(proof_of(name), words=True)
    assert code == 0, text
    *rules, checked, sentence = text.splitlines()
    assert rules[0].startswith("dice: [[1, 2, ")
    assert checked.startswith("checked: ")
    assert f"which it calls {name!r} (as declared, " in sentence
    answer = solved(name)
    if isinstance(answer, so.Solution):
        values = [answer.mean_rolls, *(bet.mean for bet in answer.bets.values())]
    else:
        values = [answer.value]
    for value in values:
        assert f" is {value};" in sentence


@pytest.mark.parametrize("name", KINDS)
def test_lines_fit_the_schema(name):
    validator = jsonschema.Draft202012Validator(SCHEMA)
    for line in proof_of(name).splitlines():
        assert validator.is_valid(json.loads(line)), line[:300]


@pytest.mark.parametrize("name", KINDS)
def test_an_altered_rule_with_the_old_numbers_is_rejected(name):
    head, *states = oracle.opened(proof_of(name))
    chance, rejected = Random(name), 0
    for _ in range(60):
        rules = changed(head["rules"], chance)
        code, text = said([head | {"rules": rules}, *states])
        rejected += code
        if not code:  # it matters to nobody: a name, a face that is never rolled
            assert _value(rules, head) == _value(head["rules"], head), (rules, text)
    assert rejected > 20


def _value(rules, head):
    """What the rules are worth, by our own engines."""
    model, claim = model_of_rules(rules), head["claims"][0]
    if isinstance(model, so.Chain):
        solution = so.solve(model)
        return solution.bet(claim["name"]).mean if claim["of"] == "bet" else solution.mean_rolls
    wish = f"{claim['name']} > 0" if claim["of"] == "profit" else claim["name"]
    asks = {row for row in ("most", "least") if KIND_WANTS.get(row) == wish}
    return so.best(model, **{asks.pop() if asks else _sense(head): wish}).value


KIND_WANTS = {"least": "turns"}


def _sense(head):
    rules = head["rules"]
    return "most" if "compare" in rules else rules.get("keep", {}).get("best", "most")


def test_a_name_is_not_proved():
    head, *states = oracle.opened(proof_of("hold"))
    code, text = said([head | {"game": "Yahtzee"}, *states])
    assert code == 0
    assert text.startswith("Proved of the game in this file, which it calls 'Yahtzee' (as ")


def test_a_larger_game_of_turns(tmp_path, capsys):
    source, path = tmp_path / "pig.toml", tmp_path / "pig.json"
    source.write_text(
        'format = 1\nname = "Pig"\ndice = "d6"\n[hold]\nbust = [1]\ntarget = 15\n', encoding="utf-8"
    )
    assert main(["certify", str(source), "--method", "certified", "-o", str(path)]) == 0
    assert main(["certify", "--check", str(path), str(source)]) == 0
    assert " within 2e-" in capsys.readouterr().out
    head, *states = oracle.opened(path.read_bytes())
    head["rules"]["hold"]["target"] = 14
    assert said([head, *states])[0] == 1


class Cautious(HoldGame):
    """The player may not roll with 6 or more."""

    def choices(self, state):
        menu = super().choices(state)
        return {"hold": menu["hold"]} if menu and state >= 6 else menu


def test_a_class_of_ones_own_is_not_data():
    game = Cautious(parse_dice("d6"), (1,), 20, "turn")
    with pytest.raises(RulesError, match="the rules of Cautious are a program"):
        declaration_of(game)
    assert "rules" not in so.best(game).certificate(rules=game).header


def test_a_goal_that_compares_a_counter_is_proved_of_the_rules(tmp_path, capsys):
    path = str(tmp_path / "turn.json")
    assert main(["certify", "pig-turn", "--goal", "points >= 20", "-o", path]) == 0
    assert main(["certify", "--check", path, "pig-turn"]) == 0
    text = capsys.readouterr().out
    assert "(as declared, 197 states from '0; points 0', SHA" in text
    assert ", declaration " in text
    assert "the probability of 'points >= 20' is 5675645/15116544; that is the most" in text
    assert "nothing differs" in text
    assert main(["certify", "--check", path, "pig-turn", "--goal", "30"]) == 1


@pytest.mark.parametrize(
    "wrong", [{"counter": 1}, {"sign": "=="}, {"amount": 5.5}, {"amount": None}, {"more": 1}]
)
def test_what_compares_nothing_is_refused(wrong):
    head, *states = oracle.opened(proof_of("compared"))
    rules = head["rules"] | {"compare": head["rules"]["compare"] | wrong}
    assert said([head | {"rules": rules}, *states])[0] == 1
