"""A bet that may be surrendered for an offer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sevenout.errors import RulesError, shown
from sevenout.rolling import Rollable
from sevenout.rules.families.checklist import Checklist
from sevenout.rules.families.point import PointGame
from sevenout.rules.frozen_mapping import Frozen
from sevenout.rules.game import Around, Game, bets_of
from sevenout.rules.outcome import Amount, Outcome, amounts, pay

RIDE, LEAVE = "let it ride", "surrender"
"""The two options where there is an offer."""


@dataclass(frozen=True, init=False)
class Surrender(Around):
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
        put = object.__setattr__
        put(self, "game", game)
        put(self, "label", label)
        stake = game.stake_of(bets[0])
        put(self, "offers", Frozen({at: amounts(given, stake) for at, given in offers.items()}))
        may = game.ways_on
        for at in offers:
            if at not in may:
                known = ", ".join(map(str, may[:12])) + (", ..." if len(may) > 12 else "")
                raise RulesError(
                    f"an offer on {shown(at)}, which can't happen; it can be on {known}"
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
            return tuple(f"{self.game.named(rolls)}:" for rolls in self.game.times)
        return ("point",) if self.game.limit is None else ("point", "rolled")

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:  # type: ignore[override]
        """The game's outcomes, then those of a surrender."""
        return tuple(dict.fromkeys([*self.game.outcomes, *self._taken.values()]))

    @cached_property
    def _taken(self) -> dict[Any, Outcome]:
        stake, where = self.game.stake_of(self.bet), self._where()
        made = {}
        for at, amount in self.offers.items():
            label = self.label or f"surrendered {_at(self.game, at)}"
            event = f"{self.label} {where[at]}".rstrip() if self.label else label
            made[at] = Outcome(label, ((self.bet, pay(event, amount, stake)),))
        return made

    def _where(self) -> dict[Any, str]:
        """The place of each offer in words; equal offers share one."""
        offers = self.offers
        if len({*offers.values()}) == 1:
            return dict.fromkeys(offers, "")
        if isinstance(self.game, Checklist) or self.game.limit is None:
            alike = {at: [k for k in offers if offers[k] == offers[at]] for at in offers}
            word = "at" if isinstance(self.game, Checklist) else "on"
            return {at: f"{word} {' or '.join(map(str, alike[at]))}" for at in offers}
        by_point: dict[Any, dict[int, Any]] = {}
        for (point, rolled), amount in offers.items():
            by_point.setdefault(point, {})[rolled] = amount
        said = {}
        for point, rolled in offers:
            rolls = by_point[point]
            place = f"on {' or '.join(str(p) for p in by_point if by_point[p] == rolls)}"
            one = len({*rolls.values()}) == 1
            said[point, rolled] = place if one else f"{place}, roll {rolled + 1}"
        return said

    def rolls(self, state: Any) -> "Rollable | Game":
        return self.game.rolls(self.inner(state))

    def step(self, state: Any, roll: Any) -> Any:
        then = self.game.step(self.inner(state), roll)
        return then if isinstance(then, Outcome) else self._outer(then)

    def inner(self, state: Any) -> Any:
        """The state of the game itself; several counts become one number."""
        return state if self._list is None else self._list.state_of(state)

    def _outer(self, state: Any) -> Any:
        return state if self._list is None else self._list.counts(state)

    @cached_property
    def _list(self) -> Checklist | None:
        """The checklist, if its state is a tuple of counts."""
        listed = isinstance(self.game, Checklist) and len(self.game.times) > 1
        return self.game if listed else None  # type: ignore[return-value]

    def choices(self, state: Any) -> Mapping[str, Any]:
        """Surrender, or let it ride."""
        at = state if self._list is None else sum(state)
        taken = self._taken.get(at)
        return {} if taken is None else {RIDE: state, LEAVE: taken}


def _at(game: Game, at: Any) -> str:
    if not isinstance(game, PointGame):
        return f"at {at}"
    return f"on {at[0]}, roll {at[1] + 1}" if isinstance(at, tuple) else f"on {at}"
