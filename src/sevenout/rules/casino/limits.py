"""What the house declares about a bet: its limits, its window and its progressive award.

`Limits` has the least and the largest stake, the top award, and the window: when the bet is made
and taken down. Windows that contradict the rest of a game file are refused
(`conflict_with_figures`, `conflict_with_procedure`). `waiting_for` is the time until a side bet can
be made again: if it is settled while the round goes on, the next one waits for the next come-out.
`Progressive` is a meter that every bet feeds and one bet wins.
"""

import re
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from sevenout.documents.numbers import money
from sevenout.errors import RulesError, shown
from sevenout.numerals import Number, exact
from sevenout.rolling import Rollable
from sevenout.rules.combined_games import (
    JointGame,
    RenamedGame,
    flattened,
    joined_reading,
)
from sevenout.rules.game import Frozen, Game, overrides_choices, set_fields, take_step
from sevenout.rules.modified_games import Surrender
from sevenout.rules.outcome import Outcome, settle
from sevenout.rules.pay_tables import ByRoll
from sevenout.rules.point_games import PointGame, PointsMade, RoundsWon
from sevenout.rules.wagers import Checklist, Wager

LIMITS = ("minimum", "maximum", "top_award", "made", "stays")
MADE, STAYS = ("come-out", "new shooter", "any roll"), ("contract", "removable")
"""The allowed values of `made` and `stays`."""
AMOUNT = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:[.][0-9]+)?|[0-9]{1,18}(?:[.][0-9]+)?")
"""An amount in the text of a top award."""


RANGE = re.compile(
    rf"(?:(?P<from>from )?(?P<currency>[^\s\d]{{0,3}}) ?(?P<least>{AMOUNT.pattern}))?"
    rf"(?: ?to (?P<currency_of_largest>[^\s\d]{{0,3}}) ?(?P<largest>{AMOUNT.pattern}))?",
    re.IGNORECASE,
)
"""Both limits in words: 5 to 500."""
CURRENCIES = ("least", "currency"), ("largest", "currency_of_largest")


@dataclass(frozen=True)
class Limits:
    """The limits of the house on a bet.

    >>> limits = Limits(Fraction(5), Fraction(500), "25,000")
    >>> print(limits)
    from 5 to 500 units, top award 25,000 units
    >>> limits.in_words("$")
    'from $5 to $500, top award $25,000'

    Attributes:
        minimum: the least stake; None if not given.
        maximum: the largest stake; None if not given.
        top_award: the largest payment, in the author's words.
        made: "come-out" or "new shooter" if the bet is made only then, or "any roll".
        stays: "contract" if it stays until it is settled, or "removable".
    """

    minimum: Fraction | None = None
    maximum: Fraction | None = None
    top_award: str = ""
    made: str = ""
    stays: str = ""

    @classmethod
    def from_words(cls, text: str) -> tuple["Limits", str]:
        """Limits and their currency, from words.

        >>> Limits.from_words("$5 to $1,000") == (Limits(Fraction(5), Fraction(1000)), "$")
        True

        Raises:
            RulesError: the words contain no amounts.
        """
        match = RANGE.fullmatch(" ".join(text.split()))
        groups = match.groupdict() if match else {}
        least, largest = (
            Fraction(digits.replace(",", "")) if (digits := groups.get(end)) else None
            for end in ("least", "largest")
        )
        currencies = {groups[key] for end, key in CURRENCIES if groups.get(end)}
        # "5" alone could be either limit.
        is_ambiguous = largest is None and not groups.get("from")
        is_empty = least is not None and largest is not None and least > largest
        if is_ambiguous or is_empty or len(currencies) > 1:
            raise RulesError(f"limits {shown(text)}; write '5 to 500', 'from $5' or 'to 500'")
        return cls(least, largest), currencies.pop()

    def __str__(self) -> str:
        return self.in_words()

    def in_words(self, currency: str = "") -> str:
        """The limits in words, in a currency or in units."""
        ends = [("from", self.minimum), ("to", self.maximum)]
        bounds = [(word, end) for word, end in ends if end is not None]
        if self.minimum is not None and self.minimum == self.maximum:
            bounds = [("always", self.minimum)]
        parts = [f"{word} {money(end, currency)}" for word, end in bounds]
        if len(parts) > 1 and not currency:
            parts[0] = parts[0].removesuffix("units").removesuffix("unit").strip()
        award = self.top_award
        if self.top_award_amount is not None and set(award) <= {*"0123456789,."}:
            award = money(self.top_award_amount, currency)
        return ", ".join(filter(None, (" ".join(parts), award and f"top award {award}")))

    @property
    def when(self) -> str:
        """When the bet is made and taken down, in words.

        >>> Limits(made="come-out", stays="contract").when
        'made at the come-out only; stays until it is settled'
        """
        made = {
            "come-out": "made at the come-out only",
            "new shooter": "made before a shooter's first come-out only",
            "any roll": "made before any roll",
        }
        stays = {
            "contract": "stays until it is settled",
            "removable": "may be taken down before any roll",
        }
        return "; ".join(filter(None, (made.get(self.made), stays.get(self.stays))))

    @property
    def top_award_amount(self) -> Fraction | None:
        """The amount of the top award; None if its words give none."""
        match = AMOUNT.search(self.top_award)
        return Fraction(match[0].replace(",", "")) if match else None


def most_paid(game: Game, bet: str) -> Fraction:
    """The most that a bet of a game file wins, per unit staked.

    >>> from sevenout.catalogue import games
    >>> most_paid(games["fast-craps-pass"], "pass")
    Fraction(5, 1)
    """
    match game:
        case Surrender():
            offers = [profit for profit, _ in game.offers.values()]
            return max(most_paid(game.game, bet), *map(Fraction, offers))
        case PointGame():
            line = game.bets[bet]
            events = [getattr(line, event) for event, on in game.totals_by_event.items() if on]
            return max(x for schedule in events for x in _profits(schedule)) / exact(line.stake)
        case Wager():
            late = [] if game.late is None else [game.late[0]]
            return max(*_profits(game.pays), *late, -game.stake) / game.stake
        case Checklist() | PointsMade() | RoundsWon():
            return max(map(exact, game.pays.values())) / game.stake
    return Fraction(1)  # a race pays even money


def _profits(schedule: Any) -> Iterator[Fraction]:
    """Every profit in a schedule."""
    if isinstance(schedule, Frozen):
        for row in schedule.values():
            yield from _profits(row)
    elif isinstance(schedule, ByRoll):
        yield from (profit for profit, _ in schedule)
    else:
        yield schedule[0]


# --- windows that contradict the rest -------------------------------------------------------------

_NOT = re.compile(r"\b(?:not|never|no|cannot|nor)\b|n't\b", re.IGNORECASE)
_MADE = re.compile(r"\b(?:made|make|makes|placed|place|places|bets? (?:on|at|before))\b", re.I)
_ANY = re.compile(
    r"\b(?:any|every|each) (?:roll|time)\b|between rolls|\bafter the come[- ]out\b|"
    r"\b(?:once|when|while|after) (?:a|the) point is (?:on|set|established)\b",
    re.IGNORECASE,
)
_COME_OUT = re.compile(
    r"\bonly\b[^.;]*\bcome[- ]out\b|\bcome[- ]out\b[^.;]*\b(?:only|alone)\b", re.IGNORECASE
)
_DOWN = re.compile(
    r"\b(?:take|takes|taken|taking)\b[^.;]*\bdown\b|\bremov(?:e|es|ed|able)\b", re.IGNORECASE
)
_STAYS = re.compile(r"\bcontract\b|\bstays? until\b", re.IGNORECASE)


def conflict_with_figures(
    limits: Limits, game: Game, games: tuple[Game, ...]
) -> tuple[str, str] | None:
    """The key and the reason if a bet's limits contradict its figures; else None.

    The expected loss per hour assumes that a bet is made at the come-out of the game beside it, or
    before any roll.

    >>> from sevenout.catalogue import games
    >>> place = games["place-6-8"]
    >>> conflict_with_figures(Limits(made="come-out"), place, (place,))[0]
    'made'
    """
    if limits.stays == "contract" and isinstance(game, Surrender):
        return "stays", "which may be surrendered; leave one of them out"
    inner = game.game if isinstance(game, Surrender) else game
    first = next((other for other in games if isinstance(other, PointGame)), None)
    is_side_bet = inner.side_of is not None or isinstance(inner, RoundsWon)
    is_side_bet |= isinstance(inner, PointGame | Checklist) and first not in (None, inner)
    is_line_bet = isinstance(inner, PointGame) and not is_side_bet
    # Only a bet on the points of a hand begins with the shooter.
    if isinstance(inner, PointsMade) != (limits.made == "new shooter") and limits.made:
        hand = "which counts the points of a hand from its start in its figures"
        if limits.made != "new shooter":
            return "made", f'{hand}; write made = "new shooter"'
        return "made", "which is for a bet on the points of a hand, [[points]]; leave it out"
    if limits.made == "come-out" and not is_side_bet and not is_line_bet:
        return "made", (
            "which is made before any roll in its figures; say of which game: "
            "side_of = { naturals = [7, 11], craps = [2, 3, 12], out = 7 }"
        )
    if limits.made == "any roll" and is_side_bet:
        return "made", "which is made at the come-out alone in its figures; leave it out"
    return None


def conflict_with_procedure(limits: Limits, bet: str, procedure: str) -> tuple[str, str] | None:
    """The key, and the sentence of the procedure that contradicts a bet's limits; else None.

    >>> procedure = "The field may be made before any roll. The fire bet may be made at any time."
    >>> conflict_with_procedure(Limits(made="come-out"), "fire bet", procedure)
    ('made', 'The fire bet may be made at any time.')

    Sentences with a negation are ignored.
    """
    named = re.compile(rf"\b{re.escape(bet)}\b", re.IGNORECASE)
    for sentence in re.split(r"(?<=[.;!?])\s+|\n+", procedure):
        # A negation turns a sentence round, and is left to people.
        if not named.search(sentence) or _NOT.search(sentence):
            continue
        made = _MADE.search(sentence) is not None
        if limits.made in ("come-out", "new shooter") and made and _ANY.search(sentence):
            return "made", sentence.strip()
        if limits.made == "any roll" and made and _COME_OUT.search(sentence):
            return "made", sentence.strip()
        if limits.stays == "contract" and _DOWN.search(sentence):
            return "stays", sentence.strip()
        if limits.stays == "removable" and _STAYS.search(sentence):
            return "stays", sentence.strip()
    return None


# --- when a side bet is made again ----------------------------------------------------------------


@dataclass(frozen=True)
class UntilAgain(Game):
    """The rolls between two come-outs at which a side bet is made.

    >>> from sevenout.catalogue import games
    >>> from sevenout.solving import solve
    >>> waits = UntilAgain(games["point-7-mugnolo"], games["craps"])
    >>> solve(waits).mean_rolls == solve(games["craps"]).mean_rolls
    True

    Raises:
        RulesError: the bet's game and the table's roll different dice.
    """

    side_bet: Game
    table: Game

    @cached_property
    def _games(self) -> tuple[Game, Game]:
        return flattened(self.side_bet), flattened(self.table)

    @property
    def start(self) -> Hashable:  # type: ignore[override]
        return tuple(game.start for game in self._games)

    def check_size(self) -> None:
        """Refuse a side bet whose game is too large."""
        self.side_bet.check_size()

    def rolls(self, state: tuple[Any, ...]) -> Rollable:
        """The dice, as both games read them."""
        side, table = self._games
        side_reading = None if state[0] is None else side.rolls(state[0])
        return joined_reading((side_reading, table.rolls(state[1])))

    def step(self, state: tuple[Any, ...], roll: tuple[Any, ...]) -> Any:
        """One roll; a settled side bet waits in the state None."""
        side, table = self._games
        side_state, table_state = state
        if side_state is not None:
            side_state, _ = take_step(side, side_state, roll[0])
        table_state, _ = take_step(table, table_state, roll[1])
        if isinstance(side_state, Outcome):
            side_state = None
        if isinstance(table_state, Outcome):
            table_state = table.start
        # At a come-out the side bet is made again, unless it is still on.
        if side_state is None and table_state == table.start:
            return settle("again")
        return side_state, table_state


def waiting_for(game: Game, bet: str) -> Game | None:
    """The rolls until a settled bet can be made again, as a game; None if at once.

    `side_of` names the game beside a bet. Without it, among several games on the same rolls, a
    wager may be made before any roll, and other bets at the come-out of the first point game.

    >>> from sevenout.catalogue import games
    >>> waiting_for(games["fast-craps"], "brick").table == games["fast-craps-pass"]
    True
    """
    table: Game | None = None
    while True:
        if isinstance(game, RenamedGame):
            bet = {new: old for old, new in game.names}.get(bet, bet)
            game = game.game
        elif isinstance(game, JointGame):
            lines = [part for part in game.games if isinstance(part, PointGame)]
            table = table or next(iter(lines), None)
            game = game.game_of(bet)
        else:
            break
    if game.side_of is not None:
        table = game.side_of
    # A wager may be made before any roll.
    elif not isinstance(game, PointGame | Checklist):
        table = None
    # Nothing is beside the bet, or how long it lasts depends on the player.
    if table is None or table is game or overrides_choices(game):
        return None
    return UntilAgain(game, table)


# --- progressive awards ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Progressive:
    """A progressive award, paid beside a bet's other payments.

    When a bet is made, a share of its stake is added to the meter. A bet that comes to one of the
    rows of `on` wins the meter, beside that row's payment; the meter then restarts from its seed.
    With `must_hit_by`, the bet that brings the meter to that amount wins exactly that amount.
    Without rows it is a mystery award: the winning bet is drawn beforehand, with equal probability
    for each bet up to the limit.

    >>> Progressive(seed=1000, share="1%", on="craps 12").share
    Fraction(1, 100)

    Args:
        seed: the first amount on the meter.
        share: the part of each stake that is added to it.
        on: one or several rows of the bet's return table; none for a mystery award.
        must_hit_by: the largest amount on the meter; None for no limit.
        split: whether bettors who win together split the meter; False if each of them is paid all
            of it, and None if the rules don't say.

    Raises:
        RulesError: a seed below 0, a share outside (0, 1], a limit not above the seed, neither rows
            nor a limit, or a mystery award that is split.
    """

    seed: Number
    share: Number
    on: str | tuple[str, ...] = ()
    must_hit_by: Number | None = None
    split: bool | None = None

    def __post_init__(self) -> None:
        on = (self.on,) if isinstance(self.on, str) else self.on
        if not isinstance(on, tuple | list) or not all(isinstance(row, str) for row in on):
            raise RulesError(f"on={shown(self.on)}; name rows of the bet's return table")
        limit = None if self.must_hit_by is None else exact(self.must_hit_by)
        set_fields(
            self, seed=exact(self.seed), share=exact(self.share), on=tuple(on), must_hit_by=limit
        )
        if exact(self.seed) < 0:
            raise RulesError(f"seed={shown(str(self.seed))}; start the meter at 0 or more")
        if not 0 < exact(self.share) <= 1:
            raise RulesError(
                f"share={shown(str(self.share))}; feed the meter a part of each stake, such as '1%'"
            )
        # The first bet would hit it.
        if limit is not None and limit <= exact(self.seed):
            raise RulesError(f"must_hit_by={shown(str(limit))}; set it above the seed, {self.seed}")
        if limit is None and not on:
            raise RulesError(
                "nothing wins this award; name the rows that win it, on=, or a limit, must_hit_by="
            )
        if not isinstance(self.split, bool | None):
            raise RulesError(f"split={shown(self.split)}; give True, False, or None if undeclared")
        # one bet, drawn beforehand, wins alone
        if self.split is not None and not on:
            raise RulesError(f"split={self.split}; a mystery award is won by one bet, leave it out")

    def require_rows(self, bet: str, rows: Iterable[str]) -> None:
        """Refuse an award on a row that no bet can come to: its meter would grow for ever.

        Raises:
            RulesError: a row of `on` is not among `rows`, those of the bet's return table.
        """
        rows = list(dict.fromkeys(rows))
        for event in self.on:
            if event not in rows:
                listed = shown("; ".join(rows), 200)[1:-1]
                raise RulesError(
                    f"{bet} has no row {shown(event)} to win the award; it has: {listed}"
                )
