"""What a player wants: the most, or the least, of a worth of outcomes and of counters.

A goal is linear in what happens: an outcome is worth something when the game is settled, and a
counter something each time it advances. The mean of a bet, of a counter, the probability of an
outcome and P(profit >= t) are of this kind.

Of two players each wants his own worth, and what one gets the other must lack: the two add up to
the same in every outcome. Then half of that sum taken off leaves a game of zero sum.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from sevenout.chain import Model
from sevenout.chain.model import SEATS, seen_by_first
from sevenout.errors import RulesError, shown
from sevenout.numerals import exact
from sevenout.rules import Outcome

Wish = str | Iterable[str] | Callable[[Outcome], Any]
"""A bet or a counter (its mean), an outcome's label or several (their probability), "bet >= 3" (the
probability of such a profit per unit staked), or the worth of an outcome as a function."""

_WISHES = "name a bet, a counter, an outcome or several, or give the worth of an outcome"


@dataclass(frozen=True)
class Goal:
    """What is wanted of a game.

    >>> goal = Goal("least rolls", -1, lambda outcome: Fraction(0), {"rolls": Fraction(1)})
    >>> goal.said
    'the lowest mean of rolls'

    Attributes:
        name: in words: "most turn".
        sense: 1 for the most, -1 for the least.
        worth: what each outcome is worth, as the player to move sees it.
        counters: what each advance of a counter is worth.
        probability: the value is a probability.
        player: of several players, the one who wants it.
    """

    name: str
    sense: int
    worth: Callable[[Outcome], Fraction]
    counters: Mapping[str, Fraction] = field(default_factory=dict)
    probability: bool = False
    player: str | None = None

    @property
    def said(self) -> str:
        """The goal within a sentence."""
        what = self.name.partition(" ")[2]
        highest = "highest" if self.sense > 0 else "lowest"
        return f"the {highest} {what}" if self.probability else f"the {highest} mean of {what}"


MOST, LEAST = ("most", "highest", "best"), ("least", "fewest", "lowest")


def in_words(text: str) -> dict[str, str]:
    """A goal in words, as the arguments of `best`: the most of it, if nothing else is said.

    >>> in_words("fewest rolls"), in_words("P(shut)"), in_words("most turn")
    ({'least': 'rolls'}, {'most': 'P(shut)'}, {'most': 'turn'})
    """
    word, _, rest = text.strip().partition(" ")
    if rest and word in LEAST:
        return {"least": rest.strip()}
    return {"most": rest.strip() if rest and word in MOST else text.strip()}


def goal_of(model: Model, most: Wish | None = None, least: Wish | None = None) -> Goal:
    """The goal that is meant; the most of the only bet if nothing is said.

    >>> import sevenout as so
    >>> from sevenout.rules import Game, settle
    >>> class Turn(Game):
    ...     dice, start = so.d6, 0
    ...     def choices(self, worth):
    ...         return {"roll": worth, "hold": settle("hold", {"turn": worth})}
    ...     def step(self, worth, face):
    ...         return settle("pig", {"turn": 0}) if face == 1 else min(worth + face, 30)
    >>> goal_of(so.explore(Turn())).name, goal_of(so.explore(Turn()), least="pig").name
    ('most turn', 'least P(pig)')

    Raises:
        RulesError: two goals, or none where there are several bets; no such bet, counter or label.
    """
    goal = _goal(model, most, least)
    if model.passes:
        goal = replace(goal, worth=_own(goal.worth))
    if goal.player is None and model.players:
        return replace(goal, player=model.players[0])
    return goal


def _goal(model: Model, most: Wish | None, least: Wish | None) -> Goal:
    if most is not None and least is not None:
        raise RulesError("most= and least= are both given; want one thing")
    sense, word = (-1, "least") if least is not None else (1, "most")
    wish = least if least is not None else most
    if wish is None:
        wish = _default(model)
    if callable(wish):
        return Goal(f"{word} {_called(wish)}", sense, _worth(wish))
    if not isinstance(wish, str):
        if not isinstance(wish, Iterable) or not (labels := tuple(wish)):
            raise RulesError(f"{shown(wish)} is wanted; {_WISHES}")
        for label in labels:
            _must_be(label, model.labels, "outcome")
        return _chance(f"{word} P({' or '.join(labels)})", sense, lambda o: o.label in labels)
    if wish in model.bets:
        return Goal(
            f"{word} {wish}",
            sense,
            lambda o: o.profit(wish) / stake(model, wish),
            player=wish if wish in model.players else None,
        )
    if wish in model.counters:
        return Goal(f"{word} {wish}", sense, lambda o: Fraction(0), {wish: Fraction(1)})
    if wish in model.labels:
        return _chance(f"{word} P({wish})", sense, lambda o: o.label == wish)
    return _of_text(model, word, sense, wish)


def goal_of_turns(most: Wish | None = None, least: Wish | None = None) -> Goal:
    """The goal of a game of turns: a counter, "score" if nothing is said, or a worth of outcomes.

    >>> goal_of_turns(least="score").name
    'least score'
    """
    if most is not None and least is not None:
        raise RulesError("most= and least= are both given; want one thing")
    sense, word = (-1, "least") if least is not None else (1, "most")
    wish = least if least is not None else "score" if most is None else most
    if isinstance(wish, str):
        return Goal(f"{word} {wish}", sense, lambda o: Fraction(0), {wish: Fraction(1)})
    if not callable(wish):
        raise RulesError(
            f"{shown(wish)} is wanted; name a counter, or give the worth of an outcome"
        )
    return Goal(f"{word} {_called(wish)}", sense, _worth(wish))


def _called(wish: Callable[[Outcome], Any]) -> str:
    name = getattr(wish, "__name__", "")
    return name.replace("_", " ") if name.isidentifier() else "worth"


def _worth(function: Callable[[Outcome], Any]) -> Callable[[Outcome], Fraction]:
    """A user's function, which may answer with yes or no."""

    def worth(outcome: Outcome) -> Fraction:
        found = function(outcome)
        return Fraction(int(found)) if isinstance(found, bool) else exact(found)

    return worth


def _own(worth: Callable[[Outcome], Fraction]) -> Callable[[Outcome], Fraction]:
    """The same of an outcome that says by whom it was settled: a player's own has its own label."""

    def of(outcome: Outcome) -> Fraction:
        label = outcome.label.removeprefix(f"{SEATS[0]}: ")
        return worth(outcome if label == outcome.label else Outcome(label, outcome.pays))

    return of


def stake(model: Model, bet: str) -> Fraction:
    """What is staked when a bet is made."""
    return Fraction(model.stakes.get(bet, 1))


_PROFIT = re.compile(r"(?P<bet>.+?)\s*(?P<sign>>=|>)\s*(?P<amount>[^<>=\s]+)")


def _of_text(model: Model, word: str, sense: int, wish: str) -> Goal:
    named = re.fullmatch(r"P\((.+)\)", wish)
    labels: tuple[str, ...] = ()
    if named:
        whole = named[1] in model.labels
        labels = (named[1],) if whole else tuple(map(str.strip, named[1].split(" or ")))
    if labels and set(labels) <= set(model.labels):
        return _chance(f"{word} P({' or '.join(labels)})", sense, lambda o: o.label in labels)
    found = _PROFIT.fullmatch(named[1] if named else wish)
    if found and found["bet"] in model.bets:
        bet, least, strict = found["bet"], exact(found["amount"]), found["sign"] == ">"

        def reached(outcome: Outcome) -> bool:
            profit = outcome.profit(bet) / stake(model, bet)
            return profit > least if strict else profit >= least

        return _chance(f"{word} P({bet} {found['sign']} {least})", sense, reached)
    known = {
        "bets": model.bets,
        "counters": model.counters,
        "outcomes": model.labels[:12],
    }
    there = "; ".join(f"{kind}: {', '.join(names)}" for kind, names in known.items() if names)
    raise RulesError(f"nothing called {shown(wish)} to want; {there}"[:390])


def _chance(name: str, sense: int, event: Callable[[Outcome], bool]) -> Goal:
    return Goal(name, sense, lambda o: Fraction(int(event(o))), probability=True)


def _must_be(name: Any, known: tuple[str, ...], kind: str) -> None:
    if name not in known:
        raise RulesError(f"no {kind} {shown(name)}; there are: {', '.join(known[:12])}")


def _default(model: Model) -> str:
    if model.players:
        return model.players[0]
    if len(model.bets) == 1:
        bet = model.bets[0]
        even = {abs(o.profit(bet)) for o in model.outcomes} == {stake(model, bet)}
        return f"{bet} > 0" if model.passes and even else bet
    if not model.bets:
        raise RulesError(
            "the game has no bet to win; say what is wanted, such as most='outcome' or "
            f"least='rolls'; its outcomes: {', '.join(model.labels[:8])}"
        )
    raise RulesError(f"several bets; say which: most={' or '.join(map(repr, model.bets[:8]))}")


def opposed(model: Model, goal: Goal) -> Fraction:
    """What the worths of the two players add up to, the same in every outcome.

    Raises:
        RulesError: they do not, so that the players are not opposed.
    """
    if goal.counters:
        raise RulesError("two players can't be opposed in a counter; want a bet or an outcome")
    sums = set()
    for outcome in model.outcomes:
        if model.passes:
            sums.add(goal.worth(outcome) + goal.worth(seen_by_first(outcome, 1)))
        else:
            one, two = model.players
            sums.add(
                outcome.profit(one) / stake(model, one) + outcome.profit(two) / stake(model, two)
            )
    if len(sums) > 1:
        some = ", ".join(map(str, sorted(sums)[:3]))
        raise RulesError(
            f"the players are not opposed: what they get adds up to {some}; "
            "let all but one play a fixed policy, with `against`"
        )
    return sums.pop()
