"""Games changed in one respect.

`Surrender` offers money for a bet while it is on. `on_dice` plays a game on other dice, `limited`
with a limit on its rolls. `Repaid` keeps the rolls and events of a game and pays other amounts.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from sevenout.errors import RulesError, SevenoutError, shown
from sevenout.rolling import Dice, Die, Reading, Rollable
from sevenout.rules.combined_games import (
    FlatGame,
    JointGame,
    Mixture,
    OutcomeWrapper,
    RenamedGame,
    Streak,
)
from sevenout.rules.game import Frozen, Game, GameWrapper, bets_of, set_fields
from sevenout.rules.outcome import Amount, Outcome, Pay, pay, profit_and_risk
from sevenout.rules.point_games import PointGame
from sevenout.rules.race_games import Race
from sevenout.rules.wagers import REST, Checklist, Wager

# --- an offer for the bet -------------------------------------------------------------------------

RIDE, LEAVE = "let it ride", "surrender"
"""The two options where there is an offer."""


@dataclass(frozen=True, init=False)
class Surrender(GameWrapper):
    """A game whose one bet may be surrendered for an offer.

    >>> from sevenout.rules import PointGame
    >>> craps = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    >>> half = Surrender(craps, {4: "-1/2", 10: "-1/2"})
    >>> half.choices(4)["surrender"].profit("pass"), half.choices(5)
    (Fraction(-1, 2), {})

    Args:
        game: the game; it has one bet and no choices.
        offers: by state, the profit, or (profit, money at risk), of a surrender; in a `Checklist`
            by number of ticked boxes.
        label: a surrender's name in tables, with the place if offers differ; "surrendered on 4" and
            so on by default.

    Raises:
        RulesError: no offer, several bets, an offer in an impossible state, or an amount that `pay`
            refuses.
    """

    game: PointGame | Checklist
    offers: Mapping[Any, tuple[Any, Any]]
    label: str
    pays_of = Game.pays_of  # includes what a surrender pays

    def __init__(
        self, game: PointGame | Checklist, offers: Mapping[Any, Amount], label: str = ""
    ) -> None:
        if not isinstance(game, PointGame | Checklist):
            raise RulesError(f"{shown(game)} can't be surrendered; give a PointGame or a Checklist")
        if not isinstance(offers, Mapping) or not offers:
            raise RulesError(f"offers={shown(offers)}; offer something, such as {{4: '-1/2'}}")
        bets = bets_of(game)
        if len(bets) != 1:
            raise RulesError(f"the bets are {', '.join(bets)}; surrender is for a game of one bet")
        stake = game.stake_of(bets[0])
        checked_offers = {key: profit_and_risk(amount, stake) for key, amount in offers.items()}
        set_fields(self, game=game, label=label, offers=Frozen(checked_offers))
        # Before the bet is on there is nothing to surrender.
        possible = game.offer_keys
        for state in offers:
            if state not in possible:
                known = ", ".join(map(str, possible[:12])) + (", ..." if len(possible) > 12 else "")
                raise RulesError(
                    f"an offer on {shown(state)}, which can't happen; it can be on {known}"
                )

    @property
    def bet(self) -> str:
        """The bet."""
        return bets_of(self.game)[0]

    @property
    def dice(self) -> "Rollable | Game":  # type: ignore[override]
        return self.game.dice

    @property
    def start(self) -> Any:  # type: ignore[override]
        return self._outer(self.game.start)

    @property
    def coordinates(self) -> Sequence[str]:  # type: ignore[override]
        if isinstance(self.game, Checklist):
            if len(self.game.times) == 1:
                return ("come",)
            return tuple(f"{self.game.entry_name(rolls)}:" for rolls in self.game.times)
        return ("point",) if self.game.limit is None else ("point", "rolled")

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:  # type: ignore[override]
        """The game's outcomes, then those of a surrender."""
        return tuple(dict.fromkeys([*self.game.outcomes, *self.surrender_outcomes.values()]))

    @cached_property
    def surrender_outcomes(self) -> dict[Any, Outcome]:
        """The outcome of a surrender, by the key of its offer."""
        stake, places = self.game.stake_of(self.bet), self._offer_places()
        outcomes = {}
        for state, amount in self.offers.items():
            label = self.label or f"surrendered {_place_in_words(self.game, state)}"
            event = f"{self.label} {places[state]}".rstrip() if self.label else label
            outcomes[state] = Outcome(label, ((self.bet, pay(event, amount, stake)),))
        return outcomes

    def _offer_places(self) -> dict[Any, str]:
        """The place of each offer in words; equal offers share one."""
        offers = self.offers
        if len({*offers.values()}) == 1:
            return dict.fromkeys(offers, "")
        # The place is a number, not a pair of point and roll.
        if isinstance(self.game, Checklist) or self.game.limit is None:
            same_offer = {key: [k for k in offers if offers[k] == offers[key]] for key in offers}
            word = "at" if isinstance(self.game, Checklist) else "on"
            return {key: f"{word} {' or '.join(map(str, same_offer[key]))}" for key in offers}
        by_point: dict[Any, dict[int, Any]] = {}
        for (point, rolled), amount in offers.items():
            by_point.setdefault(point, {})[rolled] = amount
        places = {}
        for point, rolled in offers:
            rolls = by_point[point]
            place = f"on {' or '.join(str(p) for p in by_point if by_point[p] == rolls)}"
            same_on_each_roll = len({*rolls.values()}) == 1
            places[point, rolled] = place if same_on_each_roll else f"{place}, roll {rolled + 1}"
        return places

    def rolls(self, state: Any) -> "Rollable | Game":
        return self.game.rolls(self.inner(state))

    def step(self, state: Any, roll: Any) -> Any:
        successor = self.game.step(self.inner(state), roll)
        return successor if isinstance(successor, Outcome) else self._outer(successor)

    def inner(self, state: Any) -> Any:
        """The state of the game itself; several counts become one number."""
        return state if self._checklist is None else self._checklist.state_of(state)

    def _outer(self, state: Any) -> Any:
        return state if self._checklist is None else self._checklist.tick_counts(state)

    @cached_property
    def _checklist(self) -> Checklist | None:
        """The checklist, if its state is a tuple of counts."""
        # One entry's count is the state itself.
        listed = isinstance(self.game, Checklist) and len(self.game.times) > 1
        return self.game if listed else None  # type: ignore[return-value]

    def choices(self, state: Any) -> Mapping[str, Any]:
        """Surrender, or let it ride."""
        offer_key = state if self._checklist is None else sum(state)
        surrendered = self.surrender_outcomes.get(offer_key)
        return {} if surrendered is None else {RIDE: state, LEAVE: surrendered}


def _place_in_words(game: Game, state: Any) -> str:
    """Where a bet is surrendered: "on 4", "on 4, roll 2", or "at 3" ticked boxes."""
    if not isinstance(game, PointGame):
        return f"at {state}"
    return f"on {state[0]}, roll {state[1] + 1}" if isinstance(state, tuple) else f"on {state}"


# --- other dice, or a limit on the rolls ----------------------------------------------------------


def on_dice(game: Game, dice: Dice) -> Game:
    """A game with the same rules on other dice.

    >>> from sevenout.rolling import parse_dice
    >>> from sevenout.catalogue import games
    >>> on_dice(games["craps"], parse_dice("2d8")).totals[-1]
    16

    Raises:
        RulesError: the rules don't fit these dice.
    """
    match game:
        case PointGame() | Wager() | Checklist(alike=False):
            table = None if game.side_of is None else on_dice(game.side_of, dice)
            return replace(game, dice=_read_as(game.dice, dice), side_of=table)
        case Race():
            return replace(game, die=dice)
    changed = _with_changed_parts(game, lambda part: on_dice(part, dice))
    if isinstance(changed, Mixture):
        return Mixture(_read_as(changed.dice, dice), dict(changed.games))
    if changed is not None:
        return changed
    # A program that rolls other things in other states can't be given dice from outside.
    own = type(game).rolls is Game.rolls and hasattr(game, "dice")
    if not own or isinstance(game.dice, Game):
        raise RulesError(f"the rules of {type(game).__name__} don't work with other dice")
    # A copy, since any program's constructor may take other arguments.
    other = copy(game)
    # What was computed from the old dice is computed again; a file's goal is in the same place.
    for name in {*vars(other)} - {"goal"}:
        if isinstance(getattr(type(game), name, None), cached_property):
            del vars(other)[name]
    set_fields(other, dice=_read_as(game.dice, dice))
    return other


def limited(game: Game, limit: int) -> Game:
    """A game with a limit on the rolls for the point or of a bet.

    >>> from sevenout.catalogue import games
    >>> limited(games["place-6-8"], 2).start
    2

    Raises:
        RulesError: the rules have no limit, or the limit is invalid.
    """
    match game:
        case PointGame():
            return replace(game, limit=limit)
        case Wager():
            # The name of the rest may say how many rolls there were.
            names = {key: name for key, name in game.names.items() if key != REST}
            if limit == game.limit:
                return game
            return replace(game, limit=limit, names=names)
    changed = _with_changed_parts(game, lambda part: limited(part, limit))
    if changed is None:
        raise RulesError(f"limit={shown(limit)}; the rules of {type(game).__name__} have no limit")
    return changed


def _with_changed_parts(game: Game, change: Callable[[Game], Game]) -> Game | None:
    """A game built from games, with each of them changed; None for any other game."""
    match game:
        case JointGame():
            return JointGame(*map(change, game.games))
        case RenamedGame():
            return RenamedGame(change(game.game), dict(game.names))
        case Streak(dice=Game() as inside):
            return replace(game, dice=change(inside))
        case FlatGame():
            return FlatGame(change(game.game))
        case Surrender():
            return Surrender(change(game.game), game.offers, game.label)  # type: ignore[arg-type]
        case Mixture():
            return Mixture(game.dice, {roll: change(part) for roll, part in game.games})
    return None


def _read_as(old: Any, dice: Dice) -> Any:
    """The dice, with the reading of the old ones."""
    if isinstance(old, Dice):
        return dice
    if isinstance(old, Die) and len(dice) == 1:
        return dice.dice[0]
    if not isinstance(old, Reading):
        instead = "give one die" if isinstance(old, Die) else "it is not made of dice"
        raise RulesError(f"{dice} can't replace {shown(old)}; {instead}")
    if not isinstance(old.source, Dice):
        return _read_as(old.source, dice).read(old.function)
    # Known readings fit any dice; others are tried below.
    if old == old.source.totals:
        return dice.totals
    if old == old.source.ways:
        return dice.ways
    read = dice.read(old.function)
    try:
        read.law  # noqa: B018  a reading of three dice, say, may make nothing of two
    except SevenoutError:
        raise
    except Exception:
        raise RulesError(
            f"{dice} can't replace {old.source}: the game reads faces that they don't have"
        ) from None
    return read


# --- other pays -----------------------------------------------------------------------------------


@dataclass(frozen=True, init=False)
class Repaid(OutcomeWrapper):
    """A game without choices, with other pays.

    >>> from sevenout.solving import solve
    >>> from sevenout.catalogue import games
    >>> big = games.entry("big-6-big-8")
    >>> paid = {(big.bet, pay): Fraction(7, 6) for pay in big.pays if pay.profit > 0}
    >>> solve(Repaid(big.game(), paid)).bet().edge
    Fraction(1, 66)

    Args:
        profits: the new profit of each (bet, old pay).

    Raises:
        RulesError: a pay that the game lacks, or an amount that `pay` refuses.
    """

    game: Game
    profits: tuple[tuple[tuple[str, Pay], Fraction], ...]

    def __init__(self, game: Game, profits: Mapping[tuple[str, Pay], Fraction]) -> None:
        set_fields(self, game=game, profits=tuple(profits.items()))
        listed = [(bet, old) for bet in self.bets or () for old in game.pays_of(bet)]
        for key in profits:
            # A game in code need not list its pays.
            if listed and key not in listed:
                raise RulesError(f"no pay {shown(key)}; give a bet and a pay of this game")
        new = {
            (bet, old): pay(old.event, (profit, old.risk), old.stake)
            for (bet, old), profit in profits.items()
        }
        set_fields(self, _new=new)

    @property
    def bets(self) -> Collection[str] | None:  # type: ignore[override]
        return bets_of(self.game) if self.game.outcomes else self.game.bets

    def pays_of(self, bet: str) -> Sequence[Pay]:
        return tuple(self._paid(bet, old) for old in self.game.pays_of(bet))

    def changed_outcome(self, settled: Outcome) -> Outcome:
        """The outcome, with other pays."""
        return Outcome(settled.label, tuple((b, self._paid(b, p)) for b, p in settled.pays))

    def _paid(self, bet: str, old: Pay) -> Pay:
        new: Pay = self._new.get((bet, old), old)  # type: ignore[attr-defined]
        return new
