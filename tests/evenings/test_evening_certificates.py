"""Certificates of evenings: proved of the file, and rebuilt from the strategy."""

from fractions import Fraction

import pytest
from tests.certify import oracle
from tests.certify.test_sentence import judged  # noqa: F401

from sevenout.cli import main
from sevenout.errors import TooMuchWorkError
from sevenout.evenings import Plan, evening_certificates
from sevenout.evenings.evening_certificates import evening_certificate

EVENINGS = {
    "rolls": Plan.of("pass", 5, rolls=6),
    "ladder": Plan.of("martingale", 15, bets=4),
    "bounds": Plan.of("pass-odds", 9, stop_win=9, stop_loss=9),
}


@pytest.mark.parametrize("name", EVENINGS)
def test_an_evening_is_proved_with_the_figures_of_the_evening(name, judged):  # noqa: F811
    plan = EVENINGS[name]
    code, text = judged(b"".join(evening_certificate(plan, name).lines()))
    assert code == 0, text
    result = plan.solve()
    if not result.bound:
        assert f"(stake {plan.bankroll}) per unit staked is {result.mean / plan.bankroll};" in text
    head, *states = oracle.opened(b"".join(evening_certificate(plan).lines()))
    head["outcomes"][0]["pays"]["evening"] = 99
    assert judged([head, *states])[0] == 1


def test_a_file_is_compared_with_the_strategy(tmp_path, capsys):
    path = str(tmp_path / "evening.json")
    plan = ["certify", "--evening", "pass:amount=5", "--bankroll", "10", "--rolls", "4"]
    assert main([*plan, "-o", path]) == 0
    assert main(["certify", "--check", path]) == 0
    assert main([*plan, "--check", path]) == 0
    assert "It is an evening of pass:amount=5, bankroll 10, rolls 4" in capsys.readouterr().out
    for change in (("4", "5"), ("10", "11"), ("pass:amount=5", "pass:amount=4")):
        assert main([change[1] if x == change[0] else x for x in plan] + ["--check", path]) == 1
        assert "not a certificate of an evening of pass" in capsys.readouterr().out
    assert main([*plan, "--bet", "pass", "-o", path]) == 2
    assert main([*plan[:-2], "--wind", "4", "-o", path]) == 2
    assert main([*plan[:-1], "few", "-o", path]) == 2
    assert main(["certify", "craps", *plan[1:], "-o", path]) == 2


@pytest.mark.parametrize(
    ("plan", "arithmetic"),
    [
        (Plan.of("pass", 5, rolls=6), "is exact by sevenout's own engine"),
        (Plan.of("pass", 5, rolls=60), r"is within 2\.\d+e-13 by the error bound of its own arith"),
    ],
)
def test_of_what_is_too_large_the_bound_is_stated(plan, arithmetic, monkeypatch):
    monkeypatch.setattr(evening_certificates, "MAX_STATES", 10)
    with pytest.raises(TooMuchWorkError, match=f"more than 10 states, so its dist.* {arithmetic}"):
        evening_certificate(plan)


def test_a_certificate_of_an_evening_has_the_title_or_the_strategys_name():
    plan = Plan.of("pass", 2, target=3)
    titles = [evening_certificate(plan, *title).header["game"] for title in ((), ("mine",))]
    assert titles == ["Pass line", "mine"]


def test_a_large_evening_is_certified_to_twelve_digits(monkeypatch, judged):  # noqa: F811
    plan = Plan.of("pass", 2, target=3)
    exact = evening_certificate(plan).header["claims"]
    monkeypatch.setattr(evening_certificates, "MAX_FRACTION_STATES", 0)
    certificate = evening_certificate(plan)
    for claim, true in zip(certificate.header["claims"], exact, strict=True):
        assert abs(Fraction(claim["value"]) - Fraction(true["value"])) <= Fraction(claim["within"])
        assert 0 < Fraction(claim["within"]) < Fraction(1, 10**12)
        assert len(claim["value"]) < 30, "more digits would fill the file"
    assert judged(oracle.opened(b"".join(certificate.lines())))[0] == 0
