"""Policies as files that a program checks which knows nothing of ours; wrong ones refused."""

import json
from fractions import Fraction
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import jsonschema
import pytest
from hypothesis import given

import sevenout as so
from sevenout.certify import check, rulebook_models
from sevenout.errors import RulesError
from sevenout.model import Chain
from sevenout.rolling import dice
from sevenout.rules import Progressive, Wager
from sevenout.rules.guarded_rules import Rulebook
from sevenout.solving.awards import progressive
from sevenout.solving.certificates import certificate_difference, mixed_difference
from tests.certify import oracle
from tests.certify.test_catalogue import SCHEMA, run_alone
from tests.solving.dealt import dealt
from tests.solving.pigs import Pig
from tests.solving.test_equilibria import QUICKLY

QUICK = {
    "matching-pennies": {},
    "rock-paper-scissors": {"rock": 3},
    "kuhn": {},
    "liars-dice": {"sides": 3},
    "dudo": {"sides": 3},
    "mia": {"sides": 3},
    "pig-simultaneous": {"goal": 6},
    "dice-bids": {"bids": 3},
}


def proved(lines):
    """Whether the checker proves a file; what it says."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "proof.json"
        path.write_bytes(oracle.written(lines))
        code, said = check.check(str(path))
    return code == 0, said.splitlines()[-1]


def claimed(head):
    """What the checker says of a file with this header, whose first player wants the most."""
    most = head["players"].index("first")
    assert head["wants"][most] == "most"
    low, high = head["low"], head["high"]
    value = f"is {low}" if low == high else f"lies between {low} and {high}"
    return (
        f"the mean worth of the outcomes, where player {most + 1} wants the most and player "
        f"{2 - most} the least, {value}; the policies in the file guarantee that, whatever the "
        "other player does."
    )


def written(name, **options):
    """The lines of a certificate of optimal play."""
    made = so.best(so.explore(so.games(name, **options))).certificate(title=name)
    return [json.loads(line) for line in made.lines()]


@pytest.mark.parametrize("name", QUICK)
def test_every_game_is_certified(name, tmp_path):
    game = so.games(name, **QUICK[name])
    best = so.best(game)
    made = best.certificate(title=name)
    lines = list(made.lines())
    for line in {*lines[:5], *lines[-5:]}:
        jsonschema.validate(json.loads(line), SCHEMA)
    ran = run_alone(made.write(tmp_path / "proof.json"))
    assert ran.returncode == 0, ran.stdout
    assert claimed(json.loads(lines[0])) in ran.stdout
    low, high = (Fraction(json.loads(lines[0])[end]) for end in ("low", "high"))
    assert low == best.value - best.bound
    assert high == best.value + best.bound


@QUICKLY
@given(dealt())
def test_random_games_are_certified(game):
    if isinstance(so.explore(game), Chain):
        return
    best = so.best(game)
    lines = [json.loads(line) for line in best.certificate().lines()]
    held, said = proved(lines)
    assert held, said
    for end, change in (("low", Fraction(1, 50)), ("high", Fraction(-1, 50))):
        wrong = [lines[0] | {end: str(Fraction(lines[0][end]) + change)}, *lines[1:]]
        assert not proved(wrong)[0]


def test_an_interval_is_certified():
    near = so.best(so.games("liars-dice", sides=3, ones="wild"), method="certified")
    held, said = proved([json.loads(line) for line in near.certificate().lines()])
    assert held
    assert ("lies between" in said) == bool(near.bound)


def test_wrong_certificates_are_refused():
    """Each of these is a lie about Kuhn poker."""
    lines = written("kuhn")
    sets = {(row["player"], row["sees"]): row for row in lines if "sees" in row}
    assert proved(lines)[0]
    bluffs = lines.index(sets[1, "J, check"])
    k_jack, k_king = (lines.index(sets[0, f"{card}, check, bet"]) - 1 for card in "JK")
    jack = next(k for k, row in enumerate(lines) if row.get("set") == k_jack)

    def told(change):
        now = json.loads(json.dumps(lines))
        change(now)
        held, said = proved(now)
        assert not held, said
        return said

    assert "allows more" in told(lambda x: x[bluffs].update(plays=[1, 0]))
    assert "don't add up" in told(lambda x: x[bluffs].update(plays=["1/3", "1/3"]))
    assert "don't add up" in told(lambda x: x[bluffs].update(plays=[2, -1]))
    # The first checked with a jack, and then sees a king.
    assert "forgets" in told(lambda x: x[jack].update(set=k_king))
    assert "forgets" in told(lambda x: x[-1].pop("root", None) or x[-1].update(root=True))
    assert "the key 'note' is unknown" in told(lambda x: x[3].update(note="trust me"))
    assert "fewer lines than announced" in told(lambda x: x.pop())
    assert "guarantees less" in told(lambda x: x[0].update(low=0, high=0))


def test_a_file_is_compared_with_the_rules():
    for name, options in list(QUICK.items())[:4]:
        model = so.explore(so.games(name, **options))
        made = so.best(model).certificate()
        assert mixed_difference(made.lines(), model) == ""
        other = so.explore(so.games("liars-dice", sides=2))
        assert mixed_difference(made.lines(), other)


@pytest.mark.parametrize("change", [{"of": "north"}, {"of": 5}, {"players": ["north", "south"]}])
def test_a_file_of_other_players_is_no_file_of_the_game(change):
    model = so.explore(so.games["rock-paper-scissors"])
    head, *rows = so.best(model).certificate().lines()
    head = json.dumps(json.loads(head) | change).encode()
    assert mixed_difference([head, *rows], model).startswith("line 1: this is not what the rules")


def test_mutations_are_refused_or_true():
    """Numbers changed at random: what the checker still proves of the value, is true."""
    lines = written("liars-dice", sides=2)
    truth, random = Fraction(0), Random(26)
    for _ in range(300):
        now = json.loads(json.dumps(lines))
        row = random.choice([row for row in now if "plays" in row])
        k = random.randrange(len(row["plays"]))
        row["plays"][k] = random.choice([0, 1, "1/2", "1/3", -1, "2"])
        held, said = proved(now)
        if held:
            assert f"is {truth}" in said


FOLLOWED = [
    ("pig-turn", lambda turn: "roll" if turn < 4 else "hold"),
    ("pig", lambda state: "hold"),  # many states are reached in one seat only, or in none
    ("pig", lambda state: "roll"),
]


@pytest.mark.parametrize(("name", "policy"), FOLLOWED)
def test_a_game_under_a_policy_is_certified(name, policy):
    game = so.games(name, goal=6)
    solution = so.solve(so.explore(game).under(policy))
    lines = list(solution.certificate(rules=game, policy=policy).lines())
    assert proved(map(json.loads, lines))[0]
    assert certificate_difference(lines, game, policy=policy) == ""

    def other(state):
        return next(option for option in ("roll", "hold") if option != policy(state))

    assert certificate_difference(lines, game, policy=other)
    assert certificate_difference(lines, so.games(name, goal=7), policy=policy)


def test_a_policy_is_certified_for_the_claims_that_are_named():
    game, policy = so.games("pig-turn", goal=6), FOLLOWED[0][1]
    solution = so.solve(so.explore(game).under(policy))
    proof = solution.certificate("rolls", "hold", rules=game, policy=policy)
    assert [claim["name"] for claim in proof.header["claims"]] == ["rolls", "hold"]
    assert "rules" in proof.header
    lines = list(proof.lines())
    assert "it with --policy" in certificate_difference(lines, game)
    best = list(so.best(game).certificate(rules=game).lines())
    assert certificate_difference(best, game) == ""
    message = "line 1: the file is of best play; leave --policy out"
    assert certificate_difference(best, game, policy=policy) == message


@pytest.mark.parametrize("option", ["go", "stop"])
def test_an_award_is_claimed_under_a_policy_too(option):
    """Whether the file has the rules or the moves, it claims what the award's own result is."""
    game = Rulebook(
        dice("d6"),
        sees={"face": "d1"},
        start={"late": 0},
        bets={"pass": 1},
        roll=[
            {"if": "face == 6", "end": "six", "pays": {"pass": 4}},
            {"if": "late", "end": "lost", "pays": {"pass": -1}},
            {"set": {"late": 1}},
        ],
        choose=[
            {"option": "go", "if": "late"},
            {"option": "stop", "if": "late", "end": "stopped", "pays": {"pass": 0}},
        ],
    )
    award = Progressive(seed=10, share="1%", on="six")
    policy, other = (lambda state: option), Progressive(seed=9, share="1%", on="six")
    solution = so.solve(so.explore(game).under(policy))
    for fields in ({"rules": game, "policy": policy}, {}):
        proof = solution.certificate(**fields, awards={"pass": award})
        (*_, claim), lines = proof.header["claims"], list(proof.lines())
        assert "its award in the long run" in claim["name"]
        assert Fraction(claim["value"]) == -progressive(solution.bet(), award).edge
        assert proved(map(json.loads, lines))[0]
        assert certificate_difference(lines, game, policy=policy, awards={"pass": award}) == ""
        assert certificate_difference(lines, game, policy=policy, awards={"pass": other})


def test_a_policy_without_its_game_is_refused():
    with pytest.raises(RulesError, match="policy= is given without the game"):
        so.solve("craps").certificate(policy=lambda state: "roll")


def test_what_was_not_solved_is_refused(monkeypatch):
    """A certificate with the rules of another game, or of another policy, is not of the results."""
    turn, policies = so.games["pig-turn"], so.games.entry("pig-turn")
    hold = policies.policy("hold-20")
    solution = so.solve(so.explore(turn).under(hold))
    other_rules = Rulebook(dice("d6"), roll=[{"end": "rolled"}])
    for fields in (
        {"rules": turn, "policy": policies.policy("hold-4")},
        {"rules": turn},
        {"rules": other_rules},
        {"rules": so.games["craps"]},
    ):
        with pytest.raises(RulesError, match="rules= is not what was solved"):
            solution.certificate(**fields)
    with pytest.raises(RulesError, match="rules= is not what was solved"):
        so.best(turn).certificate(rules=so.games("pig-turn", goal=30))
    monkeypatch.setattr(rulebook_models, "MAX_STATES_COMPARED", 0)
    with pytest.raises(RulesError, match="rules= is not what was solved"):
        so.best(turn).certificate(rules=so.games("pig-turn", goal=30))
    assert so.best(turn).certificate(rules=turn).rules is not None
    with pytest.raises(RulesError, match="rules='pig-turn'; give the game that was solved"):
        solution.certificate(rules="pig-turn")


@pytest.mark.parametrize("award", [{"on": "13"}, {"on": ("12", "13")}])
def test_an_award_on_a_row_that_never_comes_is_refused(award):
    box = Wager(dice("2d6").totals, {12: 20}, limit=1)
    with pytest.raises(RulesError, match="bet has no row '13' to win the award; it has: 12; any"):
        so.solve(box).certificate(awards={"bet": Progressive(seed=5, share="1%", **award)})


def test_a_number_of_terms_is_no_flag():
    with pytest.raises(RulesError, match="True terms of a distribution"):
        so.solve("craps").certificate(terms={"rolls": True})


def test_a_goal_that_the_checker_can_read_is_claimed_in_its_own_words():
    """The probability of a win is one: the amounts of its outcomes need no trust."""
    (claim,) = so.best(Pig(5)).certificate().header["claims"]
    assert (claim["of"], claim["name"], claim["value"]) == ("win", "pass", "216/271")


def test_a_certificate_of_seats_is_compared_with_the_game_in_which_turns_pass():
    """A listed outcome has no value for the other player, so the certificate has both seats."""
    lines = list(so.best(Pig(4), "home").certificate().lines())
    assert not json.loads(lines[0])["passes"]
    assert certificate_difference(lines, Pig(4)) == ""
    assert certificate_difference(lines, Pig(5))


def test_the_amounts_of_a_goal_are_compared():
    game = so.games("pig-turn", goal=6)
    proof = so.best(game, ["home", "hold"]).certificate(rules=game)
    lines = list(proof.lines())
    (claim,) = proof.header["claims"]
    assert certificate_difference(lines, game) == ""
    claim["worth"][0] = 5
    wrong = json.dumps(json.loads(lines[0]) | {"claims": [claim]}).encode()
    assert "other amounts" in certificate_difference([wrong, *lines[1:]], game)
