"""Strategies told in words, as a player would tell them."""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from random import Random
from typing import Any

from sevenout.catalogue.craps_family.craps_felt import House
from sevenout.catalogue.craps_family.spots import made_as, spot
from sevenout.catalogue.strategies import craps_strategies
from sevenout.catalogue.strategies.craps_strategies import Scaled
from sevenout.catalogue.strategies.strategy_file import item_in_words, odds_in_words
from sevenout.documents.numbers import amount as said
from sevenout.rolling.throw import throw
from sevenout.rules.casino.betting import Bettor, Sitting, Strategy

SHORT = (
    "Bets are paid from the rail.",
    "A bet that the rail can't pay is left out, and the next may still be paid.",
)
DOWN = "Bets come down before others go up."
ROLLS, RICH = 400, 10**7
"""The order of payment is that of this many rolls, with this bankroll."""


def in_words(strategy: Strategy) -> list[str]:
    """A strategy in sentences, and the order in which its bets are paid.

    >>> from sevenout.catalogue.strategies import strategies
    >>> for sentence in in_words(strategies("pass", amount=5, odds=2)):
    ...     print(sentence)
    On the come-out, bet 5 on the pass line.
    On a point, take odds of 2 times the bet.
    Bets are paid from the rail.
    A bet that the rail can't pay is left out, and the next may still be paid.
    """
    return [*_told(strategy), *_paid(strategy)]


def _told(strategy: Strategy) -> list[str]:
    if isinstance(strategy, Scaled):
        return [*_told(strategy.strategy), f"Every amount is multiplied by {strategy.times}."]
    if (items := getattr(strategy, "items", None)) is not None:
        return [sentence for item in items for sentence in item_in_words(item)]
    tell = TELLERS.get(type(strategy))
    if tell is None:
        return [" ".join((type(strategy).__doc__ or "").split("\n\n", maxsplit=1)[0].split())]
    return list(tell(strategy))


def _paid(strategy: Strategy) -> list[str]:
    """The sentences on the order of payment."""
    order, down = payment_order(strategy)
    sentences = [f"The order of payment is: {', '.join(order)}."] if len(order) > 1 else []
    return [*sentences, *SHORT, *([DOWN] if down else [])]


def payment_order(strategy: Strategy) -> tuple[list[str], bool]:
    """The bets that are made together, in the order in which they are paid, and whether any is
    taken down; from a table where the strategy is played.

    >>> from sevenout.catalogue.strategies import strategies
    >>> payment_order(strategies["iron-cross"])
    (['place 6', 'place 8', 'place 5', 'field'], False)
    """
    # With a full rail and 400 rolls nearly every bet of a strategy is made.
    sitting, random = Sitting(Bettor(House(), strategy), RICH), Random(1)
    before: dict[str, set[str]] = {}
    down = False
    for moment in [*sitting.moments, *_moments(sitting, random)]:
        kinds = list(dict.fromkeys(map(_kind, moment.made)))
        for i, kind in enumerate(kinds):
            before.setdefault(kind, set()).update(kinds[:i])
        down = down or bool(moment.down and moment.made)
    together = {kind for kind, first in before.items() if first}.union(*before.values())
    left, order = [kind for kind in before if kind in together], list[str]()
    while left:
        # A bet is next if all that was ever paid before it is listed.
        ready = (kind for kind in left if not before[kind] & set(left) - {kind})
        order.append(next(ready, left[0]))
        left.remove(order[-1])
    return order, down


def _moments(sitting: Sitting, random: Random) -> Iterator[Any]:
    for _ in range(ROLLS):
        yield sitting.roll(throw(sitting.bettor.felt.dice, random))


def _kind(bet: str) -> str:
    return f"{made_as(bet.removesuffix(' odds'))} odds" if spot(bet).odds else made_as(bet)


def _line(side: str) -> str:
    return "the pass line" if side == "pass" else "the don't pass"


def _pass_line(s: craps_strategies.PassLine) -> Iterable[str]:
    hedge = f", and {said(s.hedge)} on any craps" if s.hedge else ""
    yield f"On the come-out, bet {said(s.amount)} on {_line(s.side)}{hedge}."
    if s.odds:
        yield f"On a point, {odds_in_words(s.odds, s.side != 'pass')}"
    else:
        yield "Leave it there until it wins or loses."


def _molly(s: craps_strategies.Molly) -> Iterable[str]:
    line, come = ("the don't pass", "don't come") if s.against else ("the pass line", "come")
    amount = said(s.amount)
    yield f"On the come-out, bet {amount} on {line}."
    yield (
        f"On a point, bet {amount} on {come} before each roll, until {s.points} numbers are "
        "covered. The point of the line bet counts as one."
    )
    if s.odds:
        yield f"Behind every bet that is on a number, {odds_in_words(s.odds, s.against)}"


def _five_count(s: craps_strategies.FiveCount) -> Iterable[str]:
    yield (
        "Count the rolls of each shooter, from the first 4, 5, 6, 8, 9 or 10 on. The fifth of the "
        "count must be one of these numbers too; wait for it at four."
    )
    yield (
        f"Bet nothing before five. Then bet {said(s.amount)} on the pass line or on come at each "
        f"chance, until {s.points} numbers are covered."
    )
    if s.odds:
        yield f"Behind every bet that is on a number, {odds_in_words(s.odds, False)}"
    yield "A seven-out starts the count again."


def _do_dont(s: craps_strategies.DoDont) -> Iterable[str]:
    amount = said(s.amount)
    yield f"On the come-out, bet {amount} on the pass line and {amount} on the don't pass."
    which = "Behind the don't pass" if s.lay else "Behind the pass line"
    yield f"{which}, once there is a point, {odds_in_words(s.odds, s.lay)}"


def _iron_cross(s: craps_strategies.IronCross) -> Iterable[str]:
    when = "Before each roll" if s.come_out else "While there is a point"
    yield (
        f"{when}, have {said(s.six)} each on place 6 and place 8, {said(s.five)} on place 5 and "
        f"{said(s.field)} on the field."
    )
    yield "Make a bet again as soon as it is gone."


def _place_numbers(s: craps_strategies.PlaceNumbers) -> Iterable[str]:
    placed = [
        f"{said(s.amount if number in (6, 8) else s.outside)} on the {number}"
        for number in s.numbers
    ]
    yield f"Once there is a point, place {_list(placed)}."
    most = said(s.most)
    yield {
        "flat": "A win is paid, and the bet stays up as it is.",
        "press": "Every other win of a number raises its bet by as much as at first, up to "
        f"{most}. The first win is one of them.",
        "power": "Put what a number wins on top of its bet, in whole multiples of the first "
        f"amount, up to {most}.",
        "double": f"A win doubles the bet that won, up to {most}. Its next win brings it back.",
        "regress": "After the first win of a shooter, take half of every bet down, until the "
        "shooter is out.",
    }[s.press]
    if s.hits:
        wins = "one win" if s.hits == 1 else f"{s.hits} wins"
        yield f"After {wins}, take everything down until the next shooter."
    yield "On the come-out the bets stay, and are off."


def _hammerlock(s: craps_strategies.Hammerlock) -> Iterable[str]:
    amount, six = said(s.amount), Fraction(6 * s.amount, 5)
    yield f"On the come-out, bet {amount} on the pass line and {amount} on the don't pass."
    yield f"On a point, {odds_in_words(s.lay, True)} Place {said(2 * six)} each on the 6 and the 8."
    yield (
        f"After the first win of a placed number, have {said(six)} each on the 6 and the 8 and "
        f"{amount} each on the 5 and the 9. After the second, take them all down until the shooter "
        "is out."
    )
    yield "Take the place bets down for the come-out."


def _dice_doctor(s: craps_strategies.DiceDoctor) -> Iterable[str]:
    steps = ", ".join(said(Fraction(s.amount * step)) for step in s.ladder)
    yield f"Bet the field before each roll, in these steps: {steps}."
    yield "After a win, go one step on. After a loss, go back to the first step."
    yield "After the last step, stay on it until a loss."


def _beside_line(s: craps_strategies.PlaceBesideLine) -> Iterable[str]:
    more = f" On a point, bet {said(s.amount)} on come, until there are {s.flat} such bets."
    yield f"On the come-out, bet {said(s.amount)} on the pass line.{more if s.flat > 1 else ''}"
    yield (
        "On a point, have place bets on two numbers that no line or come bet is on: the first two "
        f"of 6, 8, 5 and 9. Bet {said(s.six)} on 6 or 8, and {said(s.five)} on 5 or 9."
    )
    yield "When a line or come bet moves to one of them, take that place bet down and move it."


def _place_ladder(s: craps_strategies.PlaceLadder) -> Iterable[str]:
    placed = [
        f"{', '.join(said(craps_strategies.placed(s.amount, n) * Fraction(k)) for k in s.ladder)} "
        f"on the {n}"
        for n in s.numbers
    ]
    yield f"While there is a point, place these numbers in steps: {_list(placed)}."
    yield "A win takes a number one step up. After the last step it begins again at the first."
    yield "When the shooter is out, all begin again."


def _squeeze(s: craps_strategies.Squeeze) -> Iterable[str]:
    def units(many: int) -> tuple[str, str]:
        return said(craps_strategies.placed(s.amount * many, 6)), said(s.amount * many)

    (six3, five3), (six4, five4), (six2, five2) = units(3), units(4), units(2)
    yield f"Once there is a point, place {six3} each on 6 and 8, and {five3} each on 5 and 9."
    yield f"After the first win of a shooter, place {five2} each on 4 and 10 too."
    yield f"After the second, have {six4} each on 6 and 8, and {five4} each on 5 and 9."
    yield (
        f"After the third, come down to {six2} each on 6 and 8, and {five2} on each other number, "
        "until the shooter is out."
    )


def _risk_12(s: craps_strategies.RiskTwelve) -> Iterable[str]:
    amount, six = said(s.amount), craps_strategies.placed(s.amount, 6)
    yield f"On the come-out, bet {amount} on the pass line and {amount} on the field."
    yield (
        f"On a point, place {said(six)} each on the 6 and the 8, but not on the point. Pay for "
        f"them with what this shooter has won, and {said(2 * six)} besides."
    )
    yield "Take the place bets down for the come-out."


def _list(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _start(s: craps_strategies.Progression, units: int = 1) -> str:
    return f"At each come-out, bet on {_line(s.side)}. Start with {said(s.amount * units)}."


def _martingale(s: craps_strategies.Martingale) -> Iterable[str]:
    yield _start(s)
    last = 1 << (int(s.most).bit_length() - 1)
    yield "After a loss, double the bet. After a win, start again."
    yield f"{said(s.amount * last)} is the last step: win or lose, start again."


def _oscars_grind(s: craps_strategies.OscarsGrind) -> Iterable[str]:
    unit = said(s.amount)
    yield _start(s)
    yield (
        f"A series aims to win {unit}. After a loss, bet the same. After a win, bet {unit} more, "
        "but no more than the series still needs."
    )
    yield (
        f"Start a new series once it is won, or once it is down by more than "
        f"{said(s.amount * s.most)}."
    )


def _dalembert(s: craps_strategies.DAlembert) -> Iterable[str]:
    unit = said(s.amount)
    yield _start(s)
    yield f"After a loss, bet {unit} more. After a win, bet {unit} less, but at least {unit}."
    yield f"At {said(s.amount * s.most)} the bet goes no higher: stay there until a win."


def _fibonacci(s: craps_strategies.Fibonacci) -> Iterable[str]:
    steps = [n for n in (s.units(k) for k in range(s.most + 1)) if n <= s.most]
    yield _start(s)
    yield f"The steps are {', '.join(said(s.amount * n) for n in steps)}."
    yield "After a loss, go one step on. After a win, go two steps back."
    yield "After a loss on the last step, begin again at the first."


def _labouchere(s: craps_strategies.Labouchere) -> Iterable[str]:
    numbers = [said(s.amount * n) for n in s.memory]
    yield f"At each come-out, bet on {_line(s.side)}. Write down a line: {', '.join(numbers)}."
    yield (
        "Bet the sum of the first and the last number, or the only one. After a win, strike them. "
        "After a loss, write the bet at the end."
    )
    yield (
        "Begin with a new line when this one is empty, or when the bet would be more than "
        f"{said(s.amount * s.most)}."
    )


TELLERS: dict[type, Callable[[Any], Iterable[str]]] = {
    craps_strategies.PassLine: _pass_line,
    craps_strategies.Molly: _molly,
    craps_strategies.FiveCount: _five_count,
    craps_strategies.DoDont: _do_dont,
    craps_strategies.IronCross: _iron_cross,
    craps_strategies.PlaceNumbers: _place_numbers,
    craps_strategies.Hammerlock: _hammerlock,
    craps_strategies.DiceDoctor: _dice_doctor,
    craps_strategies.PlaceBesideLine: _beside_line,
    craps_strategies.PlaceLadder: _place_ladder,
    craps_strategies.Squeeze: _squeeze,
    craps_strategies.RiskTwelve: _risk_12,
    craps_strategies.Martingale: _martingale,
    craps_strategies.OscarsGrind: _oscars_grind,
    craps_strategies.DAlembert: _dalembert,
    craps_strategies.Fibonacci: _fibonacci,
    craps_strategies.Labouchere: _labouchere,
}
