"""The rules of a game of turns, with a worked turn for every box of the card."""

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sevenout.documents import Column, Page, Table, Text
from sevenout.documents.kinds import FRACTION, PERCENT
from sevenout.rules import KeepRoll, Outcome

if TYPE_CHECKING:
    from sevenout.solving.turns.turnplay import TurnOptimum

Place = Any
"""A state of the turn, or its end."""


def worked(optimum: "TurnOptimum") -> Page:
    """For each box of the first card, the likeliest turns with its highest and lowest pay."""
    turn, pays = _Turn(optimum), optimum.pays()
    rows: list[list[Any]] = []
    for box in optimum.game.entries(optimum.game.card):
        own = {hand: paid[box] for hand, paid in pays.items() if box in paid}
        for amount in dict.fromkeys((max(own.values()), min(own.values()))):
            chance, steps = turn.likeliest(own, amount)
            rows.append([box, amount, chance, "; ".join(steps)])
    columns = ["entry", Column("pays", FRACTION), Column("how often", PERCENT.to(3))]
    note = (
        "The most and the least that each entry pays, with the likeliest turn that comes to it, "
        "found by search over all turns, and how often a turn comes to it: where the turn is "
        "played for that entry alone, for the best mean. Of several as likely one is shown."
    )
    table = Table([*columns, "a turn"], rows)
    return Page("Every entry, worked", Text(note, tone="note"), table)


class _Turn:
    """The turn as a graph: what follows each choice, and each roll until the next one."""

    def __init__(self, optimum: "TurnOptimum") -> None:
        self.optimum, self.rules = optimum, optimum.game.turn
        self.model, self.order = optimum.turn, optimum.turn_order
        model, n = self.model, len(self.model.states)
        asked = [s for s in range(n) if model.menus[s]]
        rolled = {t for s in asked for t in self._targets(s) if t < n and not model.menus[t]} | {0}
        self.after = {s: self._until_asked(s) for s in rolled if not model.menus[s]}

    def _targets(self, s: int) -> tuple[int, ...]:
        return tuple(self.model.targets[self.model.first[s] : self.model.first[s + 1]])

    def _moves(self, s: int) -> Iterator[tuple[int, Fraction]]:
        weights = self.model.rollables[self.model.rolled[s]].law.weights
        whole = sum(weights)
        for target, weight in zip(self._targets(s), weights, strict=True):
            yield target, Fraction(weight, whole)

    def _until_asked(self, start: int) -> dict[int, Fraction]:
        """The probabilities of the choices and ends that rolls lead to."""
        n, found, mass = len(self.model.states), dict[int, Fraction](), {start: Fraction(1)}
        for s in reversed(self.order):  # each before its successors
            if s not in mass:
                continue
            for target, chance in self._moves(s):
                more = mass[s] * chance
                into = mass if target < n and not self.model.menus[target] else found
                into[target] = into.get(target, Fraction(0)) + more
        return found

    def likeliest(
        self, own: dict[Outcome, Fraction], amount: Fraction
    ) -> tuple[Fraction, list[str]]:
        """The probability that a turn played for one entry pays an amount, and such a turn.

        `own` is the entry's pay by end.
        """
        model, sense, n = self.model, self.optimum.goal.sense, len(self.model.states)
        worst = min(own.values(), key=lambda paid: paid * sense)
        value: dict[int, Fraction] = {}
        often: dict[int, Fraction] = {}
        way: dict[int, Fraction] = {}
        then: dict[int, int] = {}
        for k, ending in enumerate(model.outcomes):
            value[n + k] = own.get(ending, worst)
            often[n + k] = way[n + k] = Fraction(own.get(ending) == amount)
        for s in self.order:
            if model.menus[s]:
                then[s] = max(self._targets(s), key=lambda t: value[t] * sense)
                value[s], often[s] = value[then[s]], often[then[s]]
                way[s] = way.get(then[s], Fraction(0))
                continue
            moves = list(self._moves(s))
            value[s] = sum((value[t] * p for t, p in moves), Fraction(0))
            often[s] = sum((often[t] * p for t, p in moves), Fraction(0))
            if s in self.after:
                then[s] = max(self.after[s], key=lambda t: self.after[s][t] * way[t])
                way[s] = self.after[s][then[s]] * way[then[s]]
        return often[0], list(self._told(then))

    def _told(self, then: dict[int, int]) -> Iterator[str]:
        """A turn in words, from its start."""
        model, n, at = self.model, len(self.model.states), 0
        while at < n:
            if not model.menus[at]:
                at = then[at]
                continue
            asked, did = at, list[str]()
            while at < n and model.menus[at]:
                did.append(model.menus[at][self._targets(at).index(then[at])])
                at = then[at]
            place: Place = model.states[at] if at < n else model.outcomes[at - n]
            kept = self.rules.plan(place) if isinstance(self.rules, KeepRoll) else ", ".join(did)
            yield f"{self.optimum.hand(model.states[asked])}: {kept}"
        yield self.optimum.hand(model.outcomes[at - n])
