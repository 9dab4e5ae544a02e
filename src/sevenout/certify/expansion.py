"""The checker's expansion of a declaration as a model, and its comparison with the game."""

from array import array
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from itertools import zip_longest
from typing import Any

from sevenout.certify import check
from sevenout.model import Chain, Model
from sevenout.rolling import Law, Rollable
from sevenout.rules import Outcome
from sevenout.rules.outcome import Counts, Pay


def model_of_rules(
    rules: Mapping[str, Any], policy: Callable[[Hashable], str] | None = None
) -> Model:
    """The checker's expansion of a declaration; a chain if there are no decisions.

    `policy` picks an option by the states of the expansion.

    >>> from sevenout.certify.declaration import declaration_of
    >>> from sevenout.catalogue import games
    >>> model_of_rules(declaration_of(games["craps"])).states[:2]
    ('come-out', 'point 4')
    """
    program: Any = check
    expansion = program.Expansion(rules, policy)
    head = expansion.head()
    stakes = {bet: Fraction(x) for bet, x in head["stakes"].items()}
    outcomes = [
        Outcome(end["name"], tuple((b, _pay(x, stakes[b])) for b, x in end["pays"].items()))
        for end in head["outcomes"]
    ]
    tags: dict[tuple[Any, bool], int] = {((), False): 0}
    states, menus, rolled = list[str](), list[tuple[str, ...]](), array("i")
    first, targets, tagged = array("q", [0]), array("i"), array("i")
    for s in range(len(expansion.states)):
        row = expansion.row(s)
        states.append(row["state"])
        menus.append(tuple(row.get("options", ())))
        rolled.append(row.get("roll", -1))
        passes, counts = row.get("passes"), row.get("counts", {})
        for k, target in enumerate(row["to"]):
            counted = tuple((name, each[k]) for name, each in counts.items() if each[k])
            targets.append(target)
            tagged.append(tags.setdefault((counted, bool(passes and passes[k])), len(tags)))
        first.append(len(targets))
    simple = not any(menus) and not head["passes"]
    return (Chain if simple else Model)(
        states=tuple(states),
        outcomes=tuple(outcomes),
        rollables=tuple(_as_law(each) for each in head["rollables"]),
        rolled=rolled,
        first=first,
        targets=targets,
        tagged=tagged,
        tags=tuple(counted for counted, _ in tags),
        passing=tuple(passes for _, passes in tags),
        menus=menus,
        stakes=stakes,
    )


def _as_law(each: Mapping[str, Any]) -> Law:
    return Law(dict(zip(each["rolls"], each["weights"], strict=True)))


def _pay(profit: Any, stake: Fraction) -> Pay:
    return Pay("", Fraction(profit), stake, stake)


def behaviour(model: Model) -> Chain:
    """A chain that represents a model for comparison.

    Options become rolls, with counters for the option and for a passed turn. What declarations lack
    is left out: money at risk, and rows of return tables.
    """
    outcomes = [
        Outcome(end.label, tuple((bet, _pay(pay.profit, pay.stake)) for bet, pay in end.pays))
        for end in model.outcomes
    ]
    rollables: list[Rollable] = list(model.rollables)
    menus: dict[tuple[str, ...], int] = {}
    rolled = []
    for s, menu in enumerate(model.menus):
        if menu and menu not in menus:
            menus[menu] = len(rollables)
            rollables.append(Law(dict.fromkeys(menu, 1)))
        rolled.append(menus[menu] if menu else model.rolled[s])

    def moves(s: int) -> Iterable[tuple[int, Counts]]:
        a, b = model.first[s], model.first[s + 1]
        for option, move in zip_longest(model.menus[s], range(a, b)):
            tag = model.tagged[move]
            counts = {name: n for name, n in model.tags[tag] if n}
            counts |= {f"option {option}": 1} if option is not None else {}
            counts |= {"turn passes": 1} if model.passing[tag] else {}
            yield model.targets[move], tuple(sorted(counts.items()))

    return Chain.of_moves(
        states=range(len(model.states)),
        outcomes=outcomes,
        rollables=rollables,
        rolled=rolled,
        moves=map(moves, range(len(model.states))),
        stakes=model.stakes,
    )
