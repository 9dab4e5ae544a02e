"""The first page of a sheet: its facts and its signature lines."""

from collections.abc import Iterable

from sevenout import __version__
from sevenout.documents import Page, Table
from sevenout.documents.numbers import amount, decimal, many, money, percent
from sevenout.papers.subject import Subject

LINE = "_" * 24
"""A line to write on."""


def facts(subject: Subject) -> list[tuple[str, str]]:
    """The facts at the head of a sheet.

    >>> from sevenout.solving import solve
    >>> from sevenout.catalogue import games
    >>> game = games["craps"]
    >>> found = facts(Subject(game, solve(game), ("pass",)))
    >>> found[0]
    ('highest pay', '1 to 1: pass, natural; one bet in 4.50')
    """
    chain = subject.solution.chain
    states, outcomes = many(len(chain.states), "state"), many(len(chain.outcomes), "outcome")
    return [
        *_highest_pay(subject),
        *(
            ("house edge", f"{percent(award.edge)} of {bet}, in the long run with its award")
            for bet, award in subject.awards.items()
        ),
        ("fingerprint", chain.fingerprint),
        ("model", f"{states}, {outcomes}"),
        ("solved", f"{subject.solution.status}, by sevenout {__version__}"),
    ]


def _highest_pay(subject: Subject) -> list[tuple[str, str]]:
    """The highest pay per unit staked, and its cycle: the bets between two such awards."""
    won = [
        (row.pays, bet.name, row)
        for bet in subject.bets
        for row in bet.table
        if row.pays > 0 and row.probability
    ]
    if not won:
        return []
    most = max(pays for pays, *_ in won)
    name, row = next((name, row) for pays, name, row in won if pays == most)
    cycle = 1 / row.probability
    bets = amount(cycle) if cycle.denominator == 1 else decimal(cycle, 2)
    seeds = {bet: award.law.seed for bet, award in subject.awards.items()}
    meters = "".join(
        f"; beside that {bet} wins its meter, which starts from {money(seed, subject.currency)}"
        for bet, seed in seeds.items()
    )
    said = f"{amount(most)} to 1: {name}, {row.event}; one bet in {bets}{meters}"
    return [("highest pay", said)]


def signed(offices: Iterable[str], author: str) -> Page:
    rows = [
        (office, (office == "author" and author) or LINE, LINE, LINE[: len(LINE) // 2])
        for office in offices
    ]
    return Page("Signatures", Table(["office", "name", "signature", "date"], rows))
