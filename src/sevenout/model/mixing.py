"""Mixed policies: the chain in which players draw their options at random."""

from array import array
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from random import Random
from typing import Any

from sevenout.errors import RulesError, shown
from sevenout.model.chain import Chain
from sevenout.model.exploration.end_components import traps_of
from sevenout.model.model import Model
from sevenout.numerals import exact
from sevenout.rolling import Law, Rollable

Mixture = Mapping[str, Fraction]
"""The probability of each option."""

MixedPolicy = Callable[[Any], str | Mixture] | Mapping[Any, str | Mixture]
"""A player's option or mixture, by (player, what they see)."""


def mixture_of(model: Model, policy: MixedPolicy, node: int) -> Mixture:
    """The probability of each option at a decision node.

    Raises:
        RulesError: the policy has no entry, names an unknown option, or its probabilities don't add
            up to 1.
    """
    asked, menu = model.question(node), model.menus[node]
    said: Any
    if isinstance(policy, Mapping):
        said = policy.get(asked)
    else:
        said = policy(asked) if callable(policy) else None
    if not isinstance(said, Mapping):
        by_name: Any = policy
        return {menu[model.answer(by_name, node) - model.first[node]]: Fraction(1)}
    mixture = {option: exact(share) for option, share in said.items()}
    if min(mixture.values(), default=-1) < 0 or sum(mixture.values()) != 1:
        wrong = "which don't add up to 1, or are less than 0"
    elif not set(mixture) <= set(menu):
        wrong = "and not all of these are options"
    else:
        return mixture
    told = ", ".join(f"{option} {share}" for option, share in mixture.items())
    raise RulesError(
        f"the policy returned {told[:100]} in state {shown(asked)}, {wrong}; give each of "
        f"{', '.join(menu)} its probability"
    )


def drawn(said: str | Mixture, random: Random) -> str:
    """The option of a policy, or one drawn by its probabilities.

    >>> drawn("fold", Random(1)), drawn({"fold": Fraction(0), "call": Fraction(1)}, Random(1))
    ('fold', 'call')
    """
    if isinstance(said, str):
        return said
    used = {option: share for option, share in said.items() if share}
    option: str = Law.of(used).drawing(random)()
    return option


def under_mixtures(model: Model, policy: MixedPolicy, other: MixedPolicy | None = None) -> Chain:
    """The chain under mixed policies; each draw is a step of the chain, like a roll.

    >>> import sevenout as so
    >>> pennies = so.explore(so.decisions("matching-pennies"))
    >>> even = {"heads": Fraction(1, 2), "tails": Fraction(1, 2)}
    >>> so.solve(under_mixtures(pennies, dict.fromkeys(pennies.asked, even))).bet("first").p_win
    Fraction(1, 2)

    Args:
        model: the game; turns must not pass.
        policy: the first player's; options without an entry have probability 0.
        other: the second player's; default the same.

    Raises:
        RulesError: an invalid policy.
        EndlessGameError: the game would go on for ever.
    """
    n = len(model.states)
    order, place = [0], {0: 0}
    outcomes: dict[int, int] = {}
    rollables: dict[Rollable, int] = {}
    first, targets, tagged, rolled = array("q", [0]), array("i"), array("i"), array("i")
    for node in order:  # grows during the loop
        moves = list(range(model.first[node], model.first[node + 1]))
        what: Rollable
        if (menu := model.menus[node]) and node not in model.choosers:
            what = Law({menu[0]: 1})
        elif menu:
            second = other is not None and model.choosers.get(node) != model.players[0]
            mixture = mixture_of(model, other if second and other is not None else policy, node)
            moves = [m for m, option in zip(moves, menu, strict=True) if mixture.get(option)]
            what = Law.of({option: mixture[option] for option in menu if mixture.get(option)})
        else:
            what = model.rollables[model.rolled[node]]
        rolled.append(rollables.setdefault(what, len(rollables)))
        for move in moves:
            target = model.targets[move]
            if target >= n:
                targets.append(~outcomes.setdefault(target - n, len(outcomes)))
            else:
                if target not in place:
                    place[target] = len(order)
                    order.append(target)
                targets.append(place[target])
            tagged.append(model.tagged[move])
        first.append(len(targets))
    for i, target in enumerate(targets):
        if target < 0:
            targets[i] = len(order) + ~target
    states = tuple(_named(model, order))
    traps_of(states, (), first, targets)
    return Chain(
        states=states,
        outcomes=tuple(model.outcomes[k] for k in outcomes),
        rollables=tuple(rollables),
        rolled=rolled,
        first=first,
        targets=targets,
        tagged=tagged,
        tags=model.tags,
        stakes=dict(model.stakes),
    )


def _named(model: Model, order: list[int]) -> list[Hashable]:
    """The states; one with a choice before a roll is listed twice, once with the roll."""
    taken: set[Hashable] = set()
    names: list[Hashable] = []
    for node in order:
        state = model.states[node]
        name: Hashable = ("rolled", state) if state in taken else state
        taken.add(name)
        names.append(name)
    return names
