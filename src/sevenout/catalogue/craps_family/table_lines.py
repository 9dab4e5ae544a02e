"""The lines that a player types at a craps table: their grammar, and what they do to the bets.

A line is a command alone (`roll`, `undo`, `bets`), or bets separated by commas:

    place 6 8 12, field 5       a bet, its numbers, an amount for each
    press 8 6, down 5, off      a verb, a bet, an amount

VERB    none to bet; `press` to raise a bet that stands, `parlay` to let its win ride, `down` to
        take it down, `off` and `on` to turn it, `working` to keep it on at the next come-out;
        `edge` and `why` ask about a bet.
BET     a name of `bet_names`: pass, don't pass, come, field, place 6, buy 4, hard 8, hop 5-3, yo.
        `odds` is behind the line, `odds 9` behind the come bet on the 9. `8` alone is what stands
        on the 8, or its place bet. `hardways` are the four hard ways; `inside`, `outside` and
        `across` are place bets that share their amount.
AMOUNT  the last number, such as 10 or $10; `min`, the least that is paid in full; `max` or `all`,
        the most that the house takes and the rail can pay. It is what then lies on the bet.

Where the last number could also be a number of the bet, and would not be paid in full there,
the line is unclear and refused: `place 6 $8` is an amount, `place 6 8 min` two numbers.
`place 6 5` and `place 4 10` are amounts: one number, and a common chip.
"""

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from fractions import Fraction
from typing import Final, Literal, NamedTuple

from sevenout.catalogue.bet_names import (
    BET_ALIASES,
    FELT,
    NUMBERED,
    bet_named,
    plain_words,
)
from sevenout.catalogue.craps_family.craps_offers import paid_in_full, unit_of
from sevenout.catalogue.craps_family.spots import (
    COME_BETS,
    HARD_NUMBERS,
    LINE_BETS,
    can_be_off,
    original_bet,
    split_switch,
    spot,
    standing_name,
)
from sevenout.catalogue.craps_family.table_session import BetChange, TableSession
from sevenout.errors import NotationError, RulesError, SevenoutError, shown
from sevenout.numerals import exact, exact_amount, int_if_whole
from sevenout.rules.casino.felt import Money

MAX: Final = "max"
"""As an amount: the most that the house takes and the rail can pay."""
MIN: Final = "min"
"""As an amount: the least that is paid in full."""
AMOUNT_WORDS: Mapping[str, Literal["max", "min"]] = {"max": MAX, "all": MAX, "min": MIN}
AMOUNT_PATTERN = re.compile(r"[$€£]?(\d{1,12}(?:\.\d{1,4})?)", re.ASCII)
"""An amount in digits; longer ones would overflow the pictures of chips."""
MAX_LINE = 200
"""The most characters in a line."""
GROUPS = {"inside": (5, 6, 8, 9), "outside": (4, 5, 9, 10), "across": (4, 5, 6, 8, 9, 10)}
"""Place bets that share an amount."""
STANDING = ("press", "parlay", "down", "off", "on", "working")
"""The verbs that need a bet on the felt."""
BET_VERBS = ("bet", *STANDING, "edge", "why")
FORMS = {
    "roll": (r"(?:[1-6][ +-][1-6])?", "roll, or 4 2 for dice of your own"),
    "undo": (r"(?:\d{1,5}|all)?", "undo, undo 3 or undo all"),
    "rest": (r"(?:\d{1,6}(?: (?:rolls?|hours?))?)?", "rest, rest 2 hours or rest 50 rolls"),
    "longer": (r"(?:\d{1,6})?", "longer 10"),
    "history": (r"(?:\d{1,6})?", "history or history 5"),
    "tip": (r"[$€£]?\d{1,12}(?:\.\d{1,4})?", "tip 5"),
    "chips": (r"[$€£]?\d{1,12}(?:\.\d{1,4})?", "chips 100"),
    "save": (r".+", "save tonight.txt"),
    "resume": (r".+", "resume tonight.txt"),
    "help": (r".*", "help odds"),
    **{word: ("", word) for word in ("same", "bets", "limits", "felt", "mean", "rare", "coach")},
    "quit": ("", "quit"),
}
"""Commands that stand alone: what may follow them, and how they are written."""
ALIASES = {"r": "roll", "?": "help", "q": "quit", "leave": "quit", "exit": "quit"}


class Units(NamedTuple):
    """An amount in units of each bet: one unit is the least amount that is paid in full.

    An amount for a group of bets is split in units. `inside 44` is two units on each: 10 on
    the five and on the nine, 12 on the six and on the eight.

    Attributes:
        per_bet: the number of units on each bet.
    """

    per_bet: int


Amount = Money | Literal["max", "min"] | Units
"""In money, `MAX`, `MIN`, or in units."""


class Remark(NamedTuple):
    """What a command says of a bet when it changes no amount.

    Attributes:
        text: for the player.
        is_refusal: whether the command was refused; else it is done.
    """

    text: str
    is_refusal: bool = False


class TableCommand(NamedTuple):
    """One command of a line.

    Attributes:
        verb: one of `BET_VERBS`, or a key of `FORMS`.
        bets: the bets that it names; none for all that stand.
        amount: on each of them; None if the line has none.
        text: what follows a command that stands alone.
    """

    verb: str
    bets: tuple[str, ...] = ()
    amount: Amount | None = None
    text: str = ""


class UnknownWordError(NotationError):
    """A word that the table does not know.

    Attributes:
        word: the word.
    """

    def __init__(self, word: str) -> None:
        self.word = word
        parts = {part for name in (*FELT, *BET_ALIASES) for part in plain_words(name).split()}
        # Words of two letters resemble too many others.
        vocabulary = {part for part in parts if len(part) > 2}
        vocabulary |= {*FORMS, *BET_VERBS, *GROUPS, "hardways", "odds"}
        near = get_close_matches(word, vocabulary - {word}, 1, 0.76) if len(word) > 2 else []
        suggestion = f"did you mean {near[0]}? " if near else ""
        super().__init__(
            f"{shown(word)} is not understood here; {suggestion}write a bet and an amount, such as "
            "place 6 12; `bets` lists the bets, `help` the commands"
        )


def read_line(session: TableSession, line: str) -> list[TableCommand]:
    """The commands of a line, none of which is done yet.

    >>> session = TableSession()
    >>> [tuple(command)[:3] for command in read_line(session, "place 5 9 100, hard 8 $4")]
    [('bet', ('place 5', 'place 9'), 100), ('bet', ('hard 8',), 4)]
    >>> read_line(session, "4 2")[0].text, read_line(session, "undo 3")[0].text
    ('4 2', '3')

    Raises:
        NotationError: a word is not understood; the message says what to write.
    """
    if len(line) > MAX_LINE:
        raise NotationError(f"{shown(line)} is too long; write at most {MAX_LINE} characters")
    text = " ".join(line.replace("’", "'").split())
    # Two faces alone are a roll of the player's own dice.
    if re.fullmatch(r"[1-6][ +-][1-6]", text):
        return [TableCommand("roll", text=text)]
    first, _, rest = text.partition(" ")
    verb = ALIASES.get(first.lower(), first.lower()) or "roll"
    verb = "bets" if verb == "bet" and not rest else verb
    if verb in FORMS:
        pattern, example = FORMS[verb]
        if not re.fullmatch(pattern, rest, re.IGNORECASE | re.ASCII):
            raise NotationError(f"{shown(text)} is not a command; write {example}")
        return [TableCommand(verb, text=rest)]
    return [_command(session, part.split()) for part in text.split(",")]


def _command(session: TableSession, words: list[str]) -> TableCommand:
    """The command of the words between two commas."""
    verb, bet_words = "bet", words
    if words and words[0].lower() in BET_VERBS:
        verb, bet_words = words[0].lower(), words[1:]
    says_all = verb in STANDING and [word.lower() for word in bet_words] == ["all"]
    if says_all or not bet_words:
        # `press all` presses every bet; `press` alone is more likely a slip.
        if says_all or (verb in STANDING and verb != "press"):
            return TableCommand(verb)
        example = f"{verb} 8" if verb in STANDING else f"{verb} place 6".removeprefix("bet ")
        raise NotationError(f"no bet is named; write one, such as {example}")
    takes_amount = verb in ("bet", "press", "edge")
    bets, amount = _bets_and_amount(session, bet_words, takes_amount=takes_amount)
    if amount is not None and not takes_amount:
        # A group is named by its own words, before the amount.
        name = bets[0] if len(bets) == 1 else " ".join(bet_words[:-1])
        raise NotationError(f"{verb} takes no amount; write {verb} {name}")
    return TableCommand(verb, bets, amount)


def _bets_and_amount(
    session: TableSession, words: list[str], *, takes_amount: bool
) -> tuple[tuple[str, ...], Amount | None]:
    """The bets that words name, and the amount after them; where the verb takes no amount, every
    number is that of a bet.
    """
    # The longest name first: "horn high 11" before "horn".
    for count in range(len(words), 0, -1):
        name = plain_words(" ".join(words[:count]))
        after = words[count:]
        if name in ("hardways", "hard ways"):
            return tuple(f"hard {n}" for n in HARD_NUMBERS), _only_amount(after)
        if name.removeprefix("place ") in GROUPS:
            return _group(session, name.removeprefix("place "), _only_amount(after))
        if name == "odds" or name.endswith(" odds"):
            return _odds(session, name, after)
        if name.isdecimal():
            _check_number(session, name)
            numbers, amount = _numbers_and_amount(
                session, "place", [name, *after], takes_amount=takes_amount
            )
            return tuple(_bet_on_number(session, n) for n in numbers), amount
        bet = bet_named(name)
        if bet is not None:
            kind = spot(bet).kind
            if kind not in NUMBERED:
                return (bet,), _only_amount(after)
            numbers, amount = _numbers_and_amount(
                session, kind, [str(spot(bet).number), *after], takes_amount=takes_amount
            )
            return tuple(f"{kind} {n}" for n in numbers), amount
    first = words[0].lower()
    if first in NUMBERED and len(words) > 1 and words[1].isdecimal():
        raise _no_such_number(session, first, words[1])
    if first in NUMBERED:
        raise NotationError(f"no number; write a number and an amount, such as {first} 6 12")
    if first == "hop":
        raise NotationError("a hop bet names two dice; write hop 5-3 2 for 2 on 5 and 3")
    raise UnknownWordError(first)


def _amount(word: str) -> Amount:
    """An amount in digits, `min`, `max` or `all`."""
    if word.lower() in AMOUNT_WORDS:
        return AMOUNT_WORDS[word.lower()]
    digits = AMOUNT_PATTERN.fullmatch(word)
    if digits:
        return exact_amount(digits[1])
    if re.fullmatch(r"[$€£]?\d{13,}", word):
        raise NotationError(f"{shown(word)} is too much; bet at most 999,999,999,999")
    if re.fullmatch(r"[-$€£]*\d.*", word):
        raise NotationError(f"{shown(word)} is not an amount; write it in digits, such as 10")
    raise UnknownWordError(word.lower())


def _only_amount(words: list[str]) -> Amount | None:
    """The amount after a bet's name, which nothing may follow; None without words."""
    if len(words) > 1:
        for word in words:
            if bet_named(word) is not None or word.lower() in NUMBERED:
                raise NotationError(
                    f"{shown(word)} is not an amount; separate bets by commas, such as "
                    "pass 10, field 5"
                )
            # An unknown word is refused as such, before the number of words.
            _amount(word)
        raise NotationError(
            f"{' '.join(words)} is more than one amount; separate bets by commas, such as "
            "pass 10, field 5"
        )
    return _amount(words[0]) if words else None


def _numbers_of_kind(session: TableSession, kind: str) -> tuple[int, ...]:
    """The numbers of a kind of bet at this table."""
    return NUMBERED[kind] if kind in ("hard", "big") else session.house.numbers


def _no_such_number(session: TableSession, kind: str, number: str) -> RulesError:
    """The error for a number that a kind of bet doesn't have; it lists those that it has."""
    numbers = ", ".join(map(str, _numbers_of_kind(session, kind)))
    return RulesError(f"no {kind} bet on {number}: its numbers are {numbers}")


def _numbers_and_amount(
    session: TableSession, kind: str, words: list[str], *, takes_amount: bool
) -> tuple[list[int], Amount | None]:
    """Numbers of one kind of bet, and the amount after them."""
    *numbers, last = words
    allowed = _numbers_of_kind(session, kind)
    amount: Amount | None = None
    if not numbers or not takes_amount:
        numbers = words
    elif (
        last.isdecimal()
        and int(last) in allowed
        and not _is_likely_amount(session, kind, numbers, last)
    ):
        placed = " ".join(numbers)
        raise NotationError(
            f"{kind} {placed} {last} is unclear; write {kind} {placed} ${last} for an amount, or "
            f"{kind} {placed} {last} min for the numbers"
        )
    else:
        amount = _amount(last)
    for number in numbers:
        if not number.isdecimal():
            raise UnknownWordError(number.lower())
        if int(number) not in allowed:
            raise _no_such_number(session, kind, number)
    return [int(number) for number in dict.fromkeys(numbers)], amount


def _check_number(session: TableSession, number: str) -> None:
    """Refuse a number that stands alone and is no point of this table."""
    if int(number) not in session.house.numbers:
        bets = {"2": "aces 1", "3": "ace-deuce 1", "7": "any 7 5", "11": "yo 1", "12": "boxcars 1"}
        alternative = f", or {bets[number]} for that number" if number in bets else ""
        raise NotationError(
            f"{number} is an amount without a bet; write one, such as pass {number}{alternative}"
        )


def _is_likely_amount(session: TableSession, kind: str, numbers: list[str], last: str) -> bool:
    """Whether a last number is an amount that all the bets before it pay in full; or a chip of 5 or
    10 after one number.
    """
    if len(numbers) == 1 and last in ("5", "10"):
        return True
    bets = [name for number in numbers if (name := bet_named(f"{kind} {number}"))]
    return not any(int(last) % exact(unit_of(session.house, None, bet)) for bet in bets)


def _bet_on_number(session: TableSession, number: int) -> str:
    """The bet that a number alone means: the one on it, else its place bet."""
    # The bets that a player most often means by a number alone.
    for kind in ("place", "buy", "lay", "hard", "big", *COME_BETS):
        bet = standing_name(session.bets, f"{kind} {number}")
        if bet in session.bets:
            return split_switch(bet)[0]
    return f"place {number}"


def _odds(
    session: TableSession, name: str, after: list[str]
) -> tuple[tuple[str, ...], Amount | None]:
    """Odds behind the line, or behind the come bet on a number; and their amount."""
    base, number = _bet_behind(name.removesuffix("odds").strip())
    come_spots = [spot(bet) for bet in session.bets if spot(bet).kind in COME_BETS]
    come_numbers = {str(come.number) for come in come_spots if come.number}
    may_be_number = base not in LINE_BETS and after and after[0].isdecimal()
    # "odds 6 20" names a number; "odds 20" is an amount, unless a come bet is on that number.
    if number is None and may_be_number and (after[0] in come_numbers or len(after) == 2):
        if len(after) == 1:
            raise NotationError(
                f"odds {after[0]} is unclear; write odds {after[0]} 20 for 20 behind the "
                f"{after[0]}, or odds ${after[0]} for odds behind the line"
            )
        number, after = after[0], after[1:]
    amount = _only_amount(after)
    # The point's own number means the line.
    if number == str(session.point) and base is None and number not in come_numbers:
        number = None
    return (_odds_bet(session, base, number),), amount


def _bet_behind(words: str) -> tuple[str | None, str | None]:
    """The line or come bet before the word `odds`, and its number; None for what isn't named."""
    match = re.fullmatch(r"(.*?)(?: ?(\d+))?", words)
    assert match is not None  # every text matches
    base = bet_named(match[1]) if match[1] else None
    if match[1] and base not in (*LINE_BETS, *COME_BETS):
        raise NotationError(f"odds go behind line and come bets, not behind {words}")
    return base, match[2]


def _odds_bet(session: TableSession, base: str | None, number: str | None) -> str:
    """The odds behind a bet on a number; what isn't named follows from the bets on the felt."""
    if number is not None:
        bases = [f"{kind} {number}" for kind in ((base,) if base else COME_BETS)]
        standing = [bet for bet in bases if bet in session.bets]
        return f"{(standing or bases)[0]} odds"
    if base in COME_BETS:
        raise RulesError(
            f"{base} odds: odds go behind a {base} bet once a roll has moved it to its number; "
            f"write {base} 10 now, and odds 6 20 when it is on the 6"
        )
    lines = [base] if base else [bet for bet in LINE_BETS if bet in session.bets]
    if len(lines) > 1:
        raise NotationError(
            "there are several bets to take odds on; write pass odds 20 or don't pass odds 20"
        )
    return f"{lines[0] if lines else 'pass'} odds"


def _group(
    session: TableSession, name: str, amount: Amount | None
) -> tuple[tuple[str, ...], Amount | None]:
    """The place bets of a group, and the units of their common amount that go on each of them."""
    bets = tuple(f"place {number}" for number in GROUPS[name])
    if amount is None or isinstance(amount, str | Units):
        return bets, amount
    units = sum(exact(unit_of(session.house, session.point, bet)) for bet in bets)
    if amount % units:
        lower = max(1, amount // units) * units
        raise NotationError(
            f"{amount} {name} is not a multiple of {units}; write {name} {lower} or {name} "
            f"{lower + units}"
        )
    return bets, Units(int(amount // units))


# --- what a line does -----------------------------------------------------------------------------


def play(session: TableSession, commands: list[TableCommand]) -> Iterator[BetChange | Remark]:
    """Do the commands of a line that change bets: each change, or a remark in its place.

    `undo` takes them back together. A bet that is refused does not keep back the others, and its
    reason is a remark; but the refusal of a line's only bet is raised.

    >>> session = TableSession()
    >>> [change.now for change in play(session, read_line(session, "hardways 4, pass 10"))]
    [4, 4, 4, 4, 10]
    >>> session.undo(), session.bets
    ('pass = 10; hard 10 = 4; hard 8 = 4; hard 6 = 4; hard 4 = 4', {})

    Raises:
        SevenoutError: the only bet of the line is refused.
    """
    requests = [(command, bet) for command in commands for bet in _requested_bets(session, command)]
    for _, bet in requests:
        # A bet that this table doesn't have refuses the line, before any bet of it is made.
        session.offer(bet)
    with session.one_line():
        for command, bet in requests:
            try:
                yield from _change(session, command, bet)
            except SevenoutError as error:
                if len(requests) == 1:
                    raise
                yield Remark(str(error), is_refusal=True)


def _requested_bets(session: TableSession, command: TableCommand) -> list[str]:
    """The bets of a command; if it names none, those that its verb is about."""
    if command.bets:
        # A bet that won may have come down already, and parlays all the same.
        if command.verb in STANDING and command.verb != "parlay":
            for bet in command.bets:
                _check_stands(session, bet)
        return list(command.bets)
    if command.verb == "same":
        bets, refusal = [bet for bet, _ in bets_to_repeat(session)], "there is no bet to make again"
    elif command.verb == "parlay":
        bets, refusal = list(winning_bets(session)), "nothing won on the last roll"
    elif command.verb in ("off", "on", "working"):
        plain_names = [split_switch(bet)[0] for bet in session.bets]
        bets = [bet for bet in plain_names if can_be_off(spot(bet))]
        refusal = "nothing on the felt can be turned off and on"
    else:
        bets, refusal = list(session.bets), "nothing is on the felt"
    if not bets:
        raise RulesError(refusal)
    return bets


def _check_stands(session: TableSession, bet: str) -> None:
    """Refuse a bet that does not stand; the message lists those that do."""
    if standing_name(session.bets, bet) not in session.bets:
        standing = ", ".join(session.bets) or "nothing"
        raise RulesError(f"{bet}: there is nothing on it; on the felt: {standing}")


def _change(session: TableSession, command: TableCommand, bet: str) -> Iterator[BetChange | Remark]:
    """Do a command to one of its bets: the changes, or that it is now on or off."""
    verb, amount = command.verb, command.amount
    if verb == "bet":
        yield session.set(bet, _requested_amount(session, bet, amount))
    elif verb == "same":
        yield session.set(bet, dict(bets_to_repeat(session)).get(bet, session.bets.get(bet, 0)))
    elif verb == "press":
        more = None if amount is None else _requested_amount(session, bet, amount)
        yield session.set(bet, MAX) if more == MAX else session.press(bet, more)
    elif verb == "parlay":
        if bet not in winning_bets(session):
            raise RulesError(f"{bet}: it did not win on the last roll; parlay a bet that did")
        yield session.set(bet, winning_bets(session)[bet])
    elif verb == "down":
        # The odds that a line names too came down with their bet.
        if standing_name(session.bets, bet) in session.bets:
            yield from session.take_down(bet)
    elif verb in ("off", "on", "working"):
        turned = session.turn(bet, verb != "off", early=verb == "working")
        switched = f"{bet}: {'off' if verb == 'off' else 'on'}"
        yield Remark(turned.remarks[0] if turned.remarks else switched)
    else:
        raise NotationError(f"{verb} changes no bet; write one, such as pass 10")


def _requested_amount(
    session: TableSession, bet: str, amount: Amount | None
) -> Money | Literal["max"]:
    """An amount in money, or `MAX`; without one, what stands or the least that is paid in full."""
    if amount is None:
        return session.bets.get(standing_name(session.bets, bet)) or default_amount(session, bet)
    if amount == MIN:
        return paid_in_full(session.house, session.offer(bet))
    if isinstance(amount, Units):
        amount = amount_of_units(session, bet, amount)
    if not amount and standing_name(session.bets, bet) not in session.bets:
        raise RulesError(f"{bet}: there is nothing on it; bet more than 0")
    return amount


def amount_of_units(session: TableSession, bet: str, units: Units) -> Money:
    """A number of a bet's units, in money.

    >>> amount_of_units(TableSession(), "place 6", Units(2))
    12
    """
    return units.per_bet * unit_of(session.house, session.point, bet)


def default_amount(session: TableSession, bet: str) -> Money:
    """The default amount of a bet: the least that is paid in full.

    >>> default_amount(TableSession(), "place 6"), default_amount(TableSession(), "buy 4")
    (6, 20)

    Raises:
        NotationError: odds have no default.
    """
    offer = session.offer(bet)
    amount = paid_in_full(session.house, offer)
    if spot(bet).odds and not offer.why:
        maximum = session.money_text(offer.maximum or 0)
        odds = f"odds {spot(bet).number or ''}".strip()
        raise NotationError(
            f"no amount of odds; write {odds} {amount} (up to {maximum}) or {odds} max"
        )
    return amount


def winning_bets(session: TableSession) -> Mapping[str, Money]:
    """The bets, without odds, that won on the last roll, and the stake and win of each together.

    >>> winning_bets(TableSession.from_text("sevenout table;field = 6;roll 2 1"))
    {'field': 12}
    """
    rolled = session.moments[-1].rolled
    return {
        original_bet(paid.bet): int_if_whole(Fraction(paid.stake) + Fraction(paid.profit))
        for paid in (rolled.paid if rolled else ())
        if paid.profit > 0 and not spot(paid.bet).odds
    }


def bets_to_repeat(session: TableSession) -> list[tuple[str, Money]]:
    """The bets, without odds, that the last deciding roll took down, if they don't stand again.

    >>> bets_to_repeat(TableSession.from_text("sevenout table;field = 5;roll 4 2;roll 3 3"))
    [('field', 5)]
    """
    standing = {original_bet(bet) for bet in session.bets}
    for act in reversed(list(session.history())):
        after = dict(act.after.bets)
        paid = act.rolled.paid if act.rolled else ()
        taken_down = [
            (original_bet(payment.bet), payment.stake)
            for payment in paid
            if payment.bet not in after and not spot(payment.bet).odds
        ]
        if taken_down:
            return [(bet, stake) for bet, stake in taken_down if bet not in standing]
    return []
