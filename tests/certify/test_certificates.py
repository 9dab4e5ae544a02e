"""Certificates of every kind; and certificates that others wrote, right and wrong."""

import gzip
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import sevenout as so
from sevenout.certify import check
from sevenout.errors import RulesError
from sevenout.model import explore
from sevenout.rolling import Law
from sevenout.solving.optimal_play import best
from tests.certify import oracle
from tests.certify.test_catalogue import run_alone
from tests.model.test_export import Tosses
from tests.solving.pigs import Pig, PigTurn, SeatedPig, Solitaire


def says(made, tmp_path, capsys):
    """What the checker says of a certificate that it accepts."""
    path = made.write(tmp_path / "proof.json")
    code, said = check.main([str(path)]), capsys.readouterr().out
    assert code == 0, said
    assert made.sha256 in said
    return said


class Money(so.Game):
    """A counter that goes down as well as up, by fractions."""

    dice, start = so.d6, "on"

    def step(self, state, face):
        if face == 6:
            return so.counted(so.win(), money=Fraction(-7, 2))
        return so.counted("on", money=face - 2)


class Walk(so.Game):
    """A bankroll between ruin and a target."""

    dice = Law({-3: 4, -1: 6, 1: 5, 4: 2})

    def __init__(self, top):
        self.start, self.top = top // 2, top

    def step(self, money, change):
        money += change
        return so.lose("ruin") if money <= 0 else so.win("target") if money >= self.top else money


@pytest.mark.parametrize("method", ["elimination", "certified"])
def test_a_chain(method, tmp_path, capsys):
    solution = so.solve(Money(), method, digits=12)
    said = says(solution.certificate("pass", "money"), tmp_path, capsys)
    mean = solution.mean("money")
    if method == "elimination":
        assert f"'money' is {mean};" in said
    else:
        assert "within 2e-1" in said
        shown = Fraction(said.split("'money' is ")[1].split(" ")[0])
        assert abs(shown - mean) <= Fraction(2, 10**12) + 4 * solution.rolls_bound
    with pytest.raises(RulesError, match="doesn't count up"):
        solution.certificate(terms={"money": 3})


def test_a_long_cycle(tmp_path, capsys):
    chain = explore(Walk(600))
    solution = so.solve(chain)
    assert solution.method == "lifting"
    said = says(solution.certificate("target", "rolls", terms={"rolls": 5}), tmp_path, capsys)
    shown = Fraction(said.split("'target' is ")[1].split(" ")[0])
    assert abs(shown - solution.p("target")) <= Fraction(2, 10**50)


@pytest.mark.parametrize("method", ["exact", "certified"])
@pytest.mark.parametrize(
    ("game", "want"),
    [
        (PigTurn(), {}),
        (PigTurn(), {"most": "turn >= 20"}),
        (PigTurn(), {"most": "turn > 0"}),
        (PigTurn(), {"least": "rolls"}),
        (PigTurn(), {"most": lambda outcome: outcome.profit("turn") ** 2}),
        (Solitaire(15), {"least": "turns"}),
        (Pig(8), {}),
        (Pig(5), {"most": "pass"}),
        (SeatedPig(6), {"most": "first"}),
        (SeatedPig(6), {"most": "second"}),
    ],
)
def test_an_optimum(game, want, method, tmp_path, capsys):
    optimum = best(game, **want, method=method)
    made = optimum.certificate(title="it")
    says(made, tmp_path, capsys)
    (claim,) = made.header["claims"]
    assert abs(Fraction(claim["value"]) - optimum.value) <= Fraction(claim["within"])
    assert (claim["within"] == 0) == (method == "exact")
    assert Fraction(claim["within"]) < Fraction(1, 10**15)


def test_a_compressed_file(tmp_path, capsys):
    made = so.solve(so.games["craps"]).certificate(title="craps")
    path = made.write(tmp_path / "proof.json.gz")
    assert gzip.decompress(path.read_bytes()) == b"".join(made.lines())
    assert path.read_bytes() == made.write(tmp_path / "again.json.gz").read_bytes()
    assert path.read_bytes()[3:8] == bytes(5)  # the header of gzip has no name and no time
    assert check.main([str(path)]) == 0
    assert "is -7/495;" in capsys.readouterr().out


def test_a_certificate_says_the_moves_and_the_value_of_each_claim_in_each_state() -> None:
    claims = ("coin", "coin > 0", "coin >= 3", "coin >= -1", "lost", "tosses", "rolls")
    made = so.solve(Tosses()).certificate(*claims, terms={"rolls": 3}, title="Tosses")
    assert (
        repr(made) == f"<Certificate of Tosses: coin, coin, coin, {', '.join(claims[3:])}, rolls>"
    )
    head, *states = made.data()
    assert head == HEADER | {
        "game": "Tosses",
        "states": 2,
        "rollables": [{"rolls": ["heads", "tails"], "weights": [1, 2]}],
        "outcomes": [{"name": "won", "pays": {"coin": 3}}, {"name": "lost", "pays": {"coin": -1}}],
        "stakes": {"coin": 1},
        "claims": [
            {"of": "bet", "name": "coin", "value": "11/9", "within": 0},
            {"of": "win", "name": "coin", "value": "5/9", "within": 0},
            {"of": "win", "name": "coin", "value": "5/9", "within": 0},
            {"of": "worth", "name": "coin >= -1", "worth": [1, 1], "value": 1, "within": 0},
            {"of": "outcome", "name": "lost", "outcomes": ["lost"], "value": "4/9", "within": 0},
            {"of": "counter", "name": "tosses", "value": "10/9", "within": 0},
            {"of": "counter", "name": "rolls", "value": "5/3", "within": 0},
            {"of": "law", "name": "rolls", "first": [0, "1/3", "2/3"], "within": 0},
        ],
    }
    moves = {"roll": 0, "counts": {"tosses": [1, "1/2"]}, "rank": 1}
    assert states == [
        moves
        | {"state": "first", "to": [2, 1]}
        | {"values": ["11/9", "5/9", "5/9", 1, "4/9", "10/9", "5/3", 0, "1/3", "2/3"]},
        moves
        | {"state": "second", "to": [2, 3]}
        | {"values": ["1/3", "1/3", "1/3", 1, "2/3", "2/3", 1, 0, 1, 0]},
    ]


def test_without_bets_the_outcomes_the_rolls_and_the_counters_are_claimed() -> None:
    class Six(so.Game):
        dice, start = so.d6, "on"

        def step(self, state: str, roll: int) -> Any:
            return so.settle("six", {}) if roll == 6 else so.counted(state, low=int(roll < 4))

    claims = so.solve(Six()).certificate().header["claims"]
    assert [(claim["of"], claim["name"], claim["value"]) for claim in claims] == [
        ("outcome", "six", 1),
        ("counter", "rolls", 6),
        ("counter", "low", 3),
    ]


def test_a_value_within_a_bound_has_as_many_decimals_as_are_proved() -> None:
    solution = so.solve(so.games["craps"], "certified", digits=9)
    (claim,) = solution.certificate("pass").header["claims"]
    digits = int(claim["within"].removeprefix("2e-"))
    assert digits >= 9
    # -7/495 = -0.0141414..., whose last digit is rounded down or up
    assert claim["value"][:8] == "-0.01414"
    assert len(claim["value"]) == len("-0.") + digits
    assert abs(Fraction(claim["value"]) - Fraction(-7, 495)) <= Fraction(2, 10**digits)


def test_names_that_no_terminal_should_obey(tmp_path, capsys):
    game = so.PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    made = so.solve(game).certificate(title="\x1b[31m\nProved of \udcff")
    assert "\x1b" not in says(made, tmp_path, capsys)


def test_nothing_of_that_name():
    solution = so.solve(so.games["craps"])
    for claim in ("naturals", "pas >= 2", "", "pass >= x"):
        with pytest.raises(RulesError):
            solution.certificate(claim)
    for terms in ({"won": 1}, {"rolls": 0}, {"rolls": 1_001}, {"rolls": "3"}):
        with pytest.raises(RulesError):
            solution.certificate(terms=terms)


HEADER = {
    "format": "sevenout certificate",
    "version": 4,
    "game": "by hand",
    "states": 1,
    "rollables": [{"rolls": ["heads", "tails"], "weights": [1, 1]}],
    "outcomes": [{"name": "won", "pays": {"bet": 1}}, {"name": "lost", "pays": {"bet": -1}}],
    "stakes": {"bet": 1},
    "passes": False,
    "scale": 1,
    "residual": 0,
    "one": None,
    "claims": [{"of": "counter", "name": "rolls", "value": 2, "within": 0}],
}
TOSS = {"state": "toss", "roll": 0, "to": [1, 0], "rank": 1, "values": [2]}
"""Until the first heads."""


def judged(head, states, tmp_path, capsys):
    path = tmp_path / "hand.json"
    path.write_bytes(oracle.written([HEADER | {"states": len(states)} | head, *states]))
    code = check.main([str(path)])
    return code, capsys.readouterr().out


def claimed(of, value, **more):
    return {"claims": [{"of": of, "name": "bet", "value": value, "within": 0, **more}]}


def test_by_hand(tmp_path, capsys):
    assert judged({}, [TOSS], tmp_path, capsys)[0] == 0
    surely = TOSS | {"values": [1]}
    assert judged(claimed("bet", 1), [surely], tmp_path, capsys)[0] == 0
    bounded = {"one": 4, "scale": 8, "residual": 1}
    near = {"rank": 8, "values": [17]}
    claims = [{"of": "counter", "name": "rolls", "value": "2.1", "within": "4e-1"}]
    code, said = judged(bounded | {"claims": claims}, [TOSS | near], tmp_path, capsys)
    assert code == 0
    assert "is 2.1 within 4e-1; the game ends" in said
    claims[0]["within"] = "2e-1"  # 0.025 off, and 2/8 by the ranking: 0.275
    assert judged(bounded | {"claims": claims}, [TOSS | near], tmp_path, capsys)[0] == 1


@pytest.mark.parametrize("many", [1, 2])
def test_decisions_by_a_policy_that_need_not_be_best_are_counted(many, tmp_path, capsys):
    wait = {"options": ["wait", "end"], "ask": "fixed", "pick": 0, "values": [1]}
    states = [
        wait | {"state": f"wait {k}?", "to": [k + 1, many + 1], "rank": many - k}
        for k in range(many)
    ]
    code, said = judged(claimed("bet", 1), states, tmp_path, capsys)
    assert code == 0
    counted = "1 decision" if many == 1 else "2 decisions"
    assert f"in {counted} the pick in the file is made, best or not; the game ends" in said


def test_a_game_that_a_policy_settles_before_a_roll_is_a_decision_in_its_file(tmp_path, capsys):
    class Offer(so.Game):
        dice, start = so.d6, "offer"

        def choices(self, state: str) -> Any:
            return {"take": so.settle("taken", {"bet": 3}), "roll": "refused"}

        def step(self, state: str, roll: int) -> Any:
            return so.settle("rolled", {"bet": roll})

    made = so.solve(so.explore(Offer()).under({"offer": "take"})).certificate("bet", "rolls")
    said = says(made, tmp_path, capsys)
    assert "is 3; the mean of the counter 'rolls' is 0; in 1 decision" in said
    _, line = oracle.opened(b"".join(made.lines()))
    assert (line["options"], line["ask"], line["pick"]) == (["taken"], "fixed", 0)


@pytest.mark.parametrize(
    ("head", "states", "wrong"),
    [
        # An equation has many solutions where the game never ends.
        (claimed("bet", 17), [TOSS | {"to": [0, 0], "values": [17]}], "rank doesn't fall"),
        (
            claimed("bet", 17),
            [
                TOSS | {"to": [1, 1], "values": [17], "rank": 2},
                TOSS | {"to": [0, 0], "values": [17], "rank": 1},
            ],
            "rank doesn't fall",
        ),
        # A player who can wait for ever need not take what they are offered.
        (
            claimed("bet", 17),
            [
                {
                    "state": "wait?",
                    "ask": "most",
                    "options": ["wait", "end"],
                    "to": [0, 1],
                    "rank": 1,
                    "values": [17],
                    "pick": 0,
                }
            ],
            "rank doesn't fall",
        ),
        # A ranking by the mean that stands still.
        (
            {"one": 1, "scale": 1, "residual": 0} | claimed("bet", 17),
            [TOSS | {"to": [0, 0], "values": [17], "rank": 5}],
            "fall enough",
        ),
        ({"residual": 1}, [TOSS], "scale 1, residual 0"),
        ({"scale": 2}, [TOSS | {"values": [4]}], "scale 1, residual 0"),
        ({}, [TOSS | {"to": [-1, 0]}], "out of range"),
        ({}, [TOSS | {"to": [3, 0]}], "out of range"),
        ({}, [TOSS | {"to": [1]}], "not one each"),
        ({}, [TOSS | {"rank": -1}], "out of range"),
        ({}, [TOSS | {"rank": True}], "True is not a whole number"),
        ({}, [TOSS | {"values": [2.0]}], "not an exact number"),
        ({}, [TOSS | {"values": [2, 2]}], "not one value"),
        ({}, [TOSS | {"counts": {"rolls": [0, 0]}, "values": [0]}], "counts the rolls"),
        ({}, [TOSS | {"passes": [0, 1]}], "where none does"),
        ({}, [TOSS | {"comment": "trust me"}], "is unknown"),
        ({"rollables": [{"rolls": ["a", "b"], "weights": [0, 1]}]}, [TOSS], "out of range"),
        ({"rollables": [{"rolls": ["a", "b"], "weights": [2, -1]}]}, [TOSS], "out of range"),
        ({"stakes": {"bet": -1}} | claimed("bet", -1), [TOSS | {"values": [-1]}], "is not above 0"),
        ({"one": 1, "scale": 0} | claimed("bet", 17), [TOSS], "0 is out of range"),
        ({"one": 0, "scale": 1} | claimed("bet", 17), [TOSS], "0 is out of range"),
        (
            {"claims": [{"of": [], "name": "bet"}]},
            [TOSS],
            "proved: it is not written as certificates are\n",
        ),
        ({"version": 1}, [TOSS], "checks version 4"),
        ({"states": 2}, [TOSS], "than announced"),
        (claimed("miracle", 1), [TOSS], "no such claim"),
        (claimed("bet", 1, least=0), [TOSS | {"values": [1]}], "is unknown"),
        (claimed("bet", "1"), [TOSS | {"values": [2]}], "mean of what follows"),
        (claimed("outcome", 1, outcomes="won"), [TOSS | {"values": [1]}], "is not a list"),
        ({"passes": True} | claimed("outcome", 1, outcomes=["won"]), [TOSS], "claim a bet"),
        (
            {"passes": True, "outcomes": [{"name": "push", "pays": {"bet": 0}}]}
            | claimed("win", 1),
            [TOSS | {"to": [0, 1], "values": [1]}],
            "neither player wins",
        ),
    ],
)
def test_wrong_by_hand(head, states, wrong, tmp_path, capsys):
    code, said = judged(head, states, tmp_path, capsys)
    assert code == 1
    assert wrong in said
    assert "Proved" not in said


def test_a_key_that_stands_twice(tmp_path, capsys):
    lines = oracle.written([HEADER, TOSS])
    twice = lines.replace(b'"rank": 1', b'"rank": 1, "rank": 1')
    path = tmp_path / "twice.json"
    path.write_bytes(twice)
    assert check.main([str(path)]) == 1
    assert "appears twice" in capsys.readouterr().out


class Climb(so.Game):
    """A walk with one long cycle, counting its steps up."""

    dice = so.Law({-2: 3, -1: 4, 1: 4, 2: 2, 3: 1})
    start = 300

    def __init__(self, pay: Any) -> None:
        self.pay = pay

    def step(self, place: int, change: int) -> Any:
        place += change
        if place <= 0 or place >= 600:
            return so.lose("ruin") if place <= 0 else so.win("top", self.pay)
        return so.counted(place, up=change) if change > 0 else place


@pytest.mark.parametrize("pay", [1, Fraction(7, 3), 10**30, Fraction(1, 10**15)])
def test_digits_of_long_cycles_are_proved_whatever_is_paid(pay: Any, tmp_path: Path) -> None:
    solved = so.solve(Climb(pay), "certified", digits=40)
    proof = solved.certificate("pass", "rolls", "up", terms={"rolls": 4, "up": 5})
    assert proof.scale > 1
    result = run_alone(proof.write(tmp_path / "climb.jsonl"))
    assert result.returncode == 0, result.stdout
    exact = so.solve(Climb(pay), "elimination").bet().mean
    value, within = map(Fraction, (proof.header["claims"][0][k] for k in ("value", "within")))
    assert abs(value - exact) <= within < Fraction(1, 10**40) * 10**30
