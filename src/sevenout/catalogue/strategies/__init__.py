"""Well-known betting strategies at craps, each with its source.

`strategies["three-point-molly"]` has the usual amounts, in units of the least bet;
`strategies("pass", amount=5)` has others.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sevenout.catalogue.dice_and_odds import ETHIER, SCARNE, WIZARD
from sevenout.catalogue.strategies.craps_strategies import (
    Bold,
    DAlembert,
    DiceDoctor,
    DoDont,
    Fibonacci,
    FiveCount,
    Hammerlock,
    IronCross,
    Labouchere,
    Martingale,
    Molly,
    OscarsGrind,
    PassLine,
    PlaceBesideLine,
    PlaceLadder,
    PlaceNumbers,
    RiskTwelve,
    Squeeze,
)
from sevenout.errors import NoSuchOptionError, RulesError, shown
from sevenout.numerals import exact_amount
from sevenout.rules.casino.betting import Strategy

__all__ = [
    "Bold",
    "DAlembert",
    "DiceDoctor",
    "DoDont",
    "Fibonacci",
    "FiveCount",
    "Hammerlock",
    "IronCross",
    "KnownStrategy",
    "Labouchere",
    "Library",
    "Martingale",
    "Molly",
    "OscarsGrind",
    "PassLine",
    "PlaceBesideLine",
    "PlaceLadder",
    "PlaceNumbers",
    "RiskTwelve",
    "Squeeze",
    "strategies",
]

CAPTAIN = "F. Scoblete, The Captain's Craps Revolution (1993)"
CRAPSSIM = "crapssim 0.4.1, crapssim.strategy.examples"
PATRICK = "J. Patrick, So You Wanna Be a Gambler: Craps (1991)"


@dataclass(frozen=True)
class KnownStrategy:
    """A strategy of the library.

    Attributes:
        title: its name for people.
        strategy: the strategy, with the usual amounts.
        source: the book, site or program that describes it.
        summary: what it bets, in a sentence; by default, how its docstring begins.
    """

    title: str
    strategy: Strategy
    source: str
    summary: str = ""

    def __post_init__(self) -> None:
        if not self.summary:
            object.__setattr__(self, "summary", " ".join(Strategy.sentences(self.strategy)))


def _read_option(option: str, default: Any, value: Any) -> Any:
    """The value of a strategy's option: a flag or a word as it is, or one or more exact numbers.

    Raises:
        RulesError: the value is not of the default's type.
    """
    # Text must stay text: "yes" is no amount.
    if isinstance(default, bool | str):
        if type(value) is not type(default):
            raise RulesError(
                f"{option}={shown(value)} is not valid; the default is {shown(default)}"
            )
        return value
    listed = value if isinstance(value, tuple) else (value,)
    numbers = tuple(exact_amount(n) for n in listed)
    if isinstance(default, tuple) and option != "odds":
        return numbers
    if len(numbers) != 1 and not (option == "odds" and len(numbers) == 3):
        expected = "one multiple, or three" if option == "odds" else "one number"
        raise RulesError(f"{option}={shown(value)}; give {expected}")
    if option in ("amount", "most") and numbers[0] <= 0:
        raise RulesError(f"{option}={shown(value)}; give more than 0")
    return numbers if len(numbers) > 1 else numbers[0]


class Library:
    """The strategies by name.

    >>> strategies["pass-odds"]
    PassLine(amount=1, odds=(3, 4, 5), side='pass', hedge=0)
    """

    def __init__(self, entries: Mapping[str, KnownStrategy]) -> None:
        self.entries = dict(entries)

    def entry(self, name: str) -> KnownStrategy:
        """The entry of a strategy.

        Raises:
            RulesError: there is none of that name.
        """
        if name not in self.entries:
            from difflib import get_close_matches

            near = get_close_matches(str(name), self.entries, 3) or list(self.entries)[:3]
            raise RulesError(f"no strategy {shown(name)}; the strategies include {', '.join(near)}")
        return self.entries[name]

    def __getitem__(self, name: str) -> Strategy:
        return self.entry(name).strategy

    def __call__(self, name: str, **options: Any) -> Strategy:
        """A strategy with options.

        Raises:
            RulesError: no such strategy or option, or an option of another type.
        """
        default: Any = self[name]
        fields = [field for field in default.__dataclass_fields__ if field != "memory"]
        values = {}
        for option, value in options.items():
            if option not in fields:
                raise NoSuchOptionError(name, option, fields)
            values[option] = _read_option(option, getattr(default, option), value)
        strategy: Strategy = replace(default, **values)
        return strategy

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __contains__(self, name: object) -> bool:
        return name in self.entries


FULL = (3, 4, 5)
INSIDE = (6, 8, 5, 9)
strategies = Library(
    {
        "pass": KnownStrategy(
            "Pass line", PassLine(), ETHIER, "A unit on the pass line at each come-out."
        ),
        "pass-odds": KnownStrategy(
            "Pass line with odds",
            PassLine(odds=FULL),
            WIZARD,
            "A unit on the pass line, and behind it 3, 4 or 5 times as much in odds.",
        ),
        "pass-any-craps": KnownStrategy(
            "Pass line hedged by any craps",
            PassLine(5, hedge=1),
            WIZARD,
            "Five units on the pass line, and one on any craps at each come-out.",
        ),
        "dont-pass": KnownStrategy(
            "Don't pass",
            PassLine(side="don't pass"),
            ETHIER,
            "A unit on the don't pass at each come-out.",
        ),
        "dont-pass-lay": KnownStrategy(
            "Don't pass with lay",
            PassLine(odds=6, side="don't pass"),
            WIZARD,
            "A unit on the don't pass, and six units laid behind it on the point.",
        ),
        "three-point-molly": KnownStrategy(
            "Three-point Molly",
            Molly(),
            WIZARD,
            "The pass line and come bets until three numbers are covered, each with full odds.",
        ),
        "three-point-dolly": KnownStrategy(
            "Three-point Dolly",
            Molly(odds=6, against=True),
            WIZARD,
            "The don't pass and don't come bets until three numbers are covered, each with full "
            "lay.",
        ),
        "iron-cross": KnownStrategy(
            "Iron cross",
            IronCross(),
            WIZARD,
            "While there is a point: 5 on the field, 5 to place the 5, 6 each to place 6 and 8.",
        ),
        "place-6-8": KnownStrategy(
            "Place 6 and 8",
            PlaceNumbers(),
            WIZARD,
            "Six units each to place the 6 and the 8 once there is a point; they stay up.",
        ),
        "place-6-8-press": KnownStrategy(
            "Place 6 and 8, pressed",
            PlaceNumbers(press="press"),
            PATRICK,
            "Six units each on 6 and 8, and six more on every other win, up to 30.",
        ),
        "place-6-8-power": KnownStrategy(
            "Place 6 and 8, power press",
            PlaceNumbers(press="power"),
            PATRICK,
            "Six units each on 6 and 8; what a win brings goes on top, by sixes, up to 30.",
        ),
        "place-6-8-double": KnownStrategy(
            "Place 6 and 8, press and regress",
            PlaceNumbers(press="double"),
            CRAPSSIM,
            "Six units each on 6 and 8; a win doubles the bet that won, the next takes that back.",
        ),
        "inside": KnownStrategy(
            "Inside numbers",
            PlaceNumbers(numbers=INSIDE),
            WIZARD,
            "Once there is a point, 22 inside: 5 each to place the 5 and 9, 6 each the 6 and 8.",
        ),
        "inside-one-hit": KnownStrategy(
            "Inside numbers, one hit and down",
            PlaceNumbers(numbers=INSIDE, hits=1),
            PATRICK,
            "22 inside once there is a point; after one win all is down until the next shooter.",
        ),
        "inside-regress": KnownStrategy(
            "Inside numbers, regressed",
            PlaceNumbers(12, 10, numbers=INSIDE, press="regress"),
            PATRICK,
            "44 inside once there is a point; after the first win of a shooter, 22.",
        ),
        "pass-6-8-move": KnownStrategy(
            "Pass line, 6 and 8 moved",
            PlaceBesideLine(),
            CRAPSSIM,
            "Five units on the pass line, six each to place the 6 and the 8; if one of these is "
            "the point, five to place the 5 or the 9 in its place.",
        ),
        "two-come-6-8-move": KnownStrategy(
            "Line and come, 6 and 8 moved",
            PlaceBesideLine(flat=2),
            CRAPSSIM,
            "Two line or come bets of five units, and two place bets on numbers that these do not "
            "cover: 6, 8, 5 or 9.",
        ),
        "double-tap": KnownStrategy(
            "Double tap",
            PlaceLadder(),
            CRAPSSIM,
            "Twelve units each to place the 6 and the 8. A number's win doubles its bet, another "
            "doubles it again, the third brings it back.",
        ),
        "squeeze": KnownStrategy("Squeeze play", Squeeze(), CRAPSSIM),
        "risk-12": KnownStrategy("Risk 12", RiskTwelve(), CRAPSSIM),
        "hammerlock": KnownStrategy("Hammerlock", Hammerlock(), CRAPSSIM),
        "dice-doctor": KnownStrategy("Dice doctor", DiceDoctor(), CRAPSSIM),
        "five-count": KnownStrategy("5-count", FiveCount(), CAPTAIN),
        "martingale": KnownStrategy("Martingale", Martingale(), ETHIER),
        "oscars-grind": KnownStrategy("Oscar's grind", OscarsGrind(most=20), ETHIER),
        "dalembert": KnownStrategy("d'Alembert", DAlembert(), ETHIER),
        "fibonacci": KnownStrategy("Fibonacci", Fibonacci(), ETHIER),
        "labouchere": KnownStrategy("Labouchère", Labouchere(), ETHIER),
        "do-dont": KnownStrategy("Do and don't", DoDont(), SCARNE),
    }
)
