"""Export to the PRISM language, to check results with Storm or PRISM.

Options are commands. PRISM has rewards for states and commands, so a roll has the mean reward of
its results. A bet is paid on the move that settles it. Rewards must not be negative: they are
profits less the least profit, so add that to the mean. Two players each own their states (`smg`);
if turns pass, seats are added first.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from math import gcd

from sevenout.model.export import comment
from sevenout.model.model import Model
from sevenout.model.naming import state_name
from sevenout.model.seats import seated
from sevenout.rolling.distribution import summed


def prism(model: Model) -> str:
    """The model in the PRISM language.

    Outcome k is `s = states + k` with the label "outcome_k"; comments give the names. Option i of a
    decision is the command "[s<node>_<i>]". The reward structures are "rolls", "counter_<i>" and
    "bet_<i>", in the order of `model.counters` (without the rolls) and of `model.bets`.

    >>> import sevenout as so
    >>> class Turn(so.Game):
    ...     dice, start = so.d6, 0
    ...     def choices(self, points):
    ...         return {"roll": points, "hold": so.settle("hold", {"turn": points})}
    ...     def step(self, points, face):
    ...         return so.settle("pig", {"turn": 0}) if face == 1 else min(points + face, 30)
    >>> print(prism(so.explore(Turn())).splitlines()[4])
        [s0_0] s=0 -> (s'=1);  // 0: roll
    """
    model = seated(model)
    n, k = len(model.states), len(model.outcomes)
    owners = _owners(model)
    kind = "smg" if len(model.players) > 1 else "mdp" if any(model.menus) else "dtmc"
    lines = [kind, "", "module game", f"    s : [0..{n + k - 1}] init 0;"]
    for s in range(n):
        lines += [f"    {command}" for command in _commands(model, s)]
    lines += [f"    [end] s>={n} -> true;", "endmodule", ""]
    if kind == "smg":
        for i, (player, nodes) in enumerate(owners.items()):
            names = [f"[{name}]" for s in nodes for name in _names(model, s)]
            names += [] if i else ["[end]"]
            lines += [f"player player_{i}  // {comment(player)}", f"    {', '.join(names)}"]
            lines += ["endplayer", ""]
    lines += _labels(model)
    if any(model.menus):
        rolls = [f"    s={s} : 1;" for s, menu in enumerate(model.menus) if not menu]
    else:
        rolls = [f"    s<{n} : 1;"]
    lines += ["", 'rewards "rolls"', *(rolls or NOTHING), "endrewards"]
    for name, title, gain in _rewards(model):
        lines += ["", f'rewards "{name}"  // {comment(title)}']
        lines += list(_gains(model, gain)) or NOTHING
        lines.append("endrewards")
    return "\n".join(lines) + "\n"


NOTHING = ["    true : 0;"]
"""The body of an empty reward structure, which must not be blank."""


def _owners(model: Model) -> dict[str, list[int]]:
    """The nodes of each player; rolls belong to the first."""
    owners: dict[str, list[int]] = {player: [] for player in model.players or ("player",)}
    first = next(iter(owners))
    for s in range(len(model.states)):
        owners[model.choosers.get(s, first)].append(s)
    return owners


def _names(model: Model, s: int) -> list[str]:
    return [f"s{s}_{i}" for i in range(len(model.menus[s]))] or [f"s{s}"]


def _commands(model: Model, s: int) -> Iterator[str]:
    moves = range(model.first[s], model.first[s + 1])
    name = comment(state_name(model.states[s]))
    if model.menus[s]:
        for label, option, move in zip(_names(model, s), model.menus[s], moves, strict=True):
            yield f"[{label}] s={s} -> (s'={model.targets[move]});  // {name}: {comment(option)}"
        return
    law = model.rollables[model.rolled[s]].law
    targets = model.targets[moves.start : moves.stop]
    weights = summed(zip(targets, law.weights, strict=True))
    after = " + ".join(f"{_ratio(w, law.denominator)} : (s'={t})" for t, w in weights.items())
    yield f"[s{s}] s={s} -> {after};  // {name}"


def _rewards(model: Model) -> Iterator[tuple[str, str, Callable[[int], Fraction]]]:
    """The name, the description and the gain of a move, for each reward structure."""
    for i, counter in enumerate(model.counters[1:]):
        yield f"counter_{i}", counter, partial(_counted, model, counter)
    for i, bet in enumerate(model.bets):
        least = min(outcome.profit(bet) for outcome in model.outcomes)
        yield f"bet_{i}", f"{bet}, less {least}", partial(_paid, model, bet, least)


def _counted(model: Model, counter: str, move: int) -> Fraction:
    return Fraction(dict(model.tags[model.tagged[move]]).get(counter, 0))


def _paid(model: Model, bet: str, least: Fraction, move: int) -> Fraction:
    end = model.targets[move] - len(model.states)
    return model.outcomes[end].profit(bet) - least if end >= 0 else Fraction(0)


def _gains(model: Model, gain: Callable[[int], Fraction]) -> Iterator[str]:
    for s in range(len(model.states)):
        moves = range(model.first[s], model.first[s + 1])
        if model.menus[s]:
            gains = list(map(gain, moves))
        else:
            law = model.rollables[model.rolled[s]].law
            total = sum((gain(m) * w for m, w in zip(moves, law.weights, strict=True)), Fraction(0))
            gains = [total / law.denominator]
        for name, value in zip(_names(model, s), gains, strict=True):
            if value:
                yield f"    [{name}] s={s} : {value};"


def _labels(model: Model) -> list[str]:
    """The labels of the outcomes, in the PRISM language."""
    n = len(model.states)
    lines = [
        f'label "outcome_{i}" = s={n + i};  // {comment(outcome.label)}'
        for i, outcome in enumerate(model.outcomes)
    ]
    return [*lines, f'label "settled" = s>={n};']


def _ratio(weight: int, total: int) -> str:
    common = gcd(weight, total)
    return f"{weight // common}/{total // common}" if weight < total else "1"
