"""Models in other languages: diagrams in Mermaid and Graphviz, processes in PRISM.

*Diagrams* are of chains; an edge shows its probability.

*PRISM* (also read by Storm) checks results with another program. Options are commands. PRISM
has rewards for states and commands, so a roll has the mean reward of its results. A bet is paid on
the move that settles it. Rewards must not be negative. Those of bets are profits less the least
profit, so add that to the mean. A counter that goes down has a second structure for its decreases;
subtract its mean. Two players each own their states (`smg`); if turns pass, seats are added first.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from sevenout.errors import printable
from sevenout.model.model import Chain, Model, add_seats
from sevenout.model.naming import state_name
from sevenout.model.process import NO_ROLL
from sevenout.rolling.distribution import sum_by_key
from sevenout.wrong_arguments import public

EMPTY_REWARDS = ["    true : 0;"]
"""The body of an empty reward structure, which must not be blank."""


@public
def mermaid(chain: Chain) -> str:
    """The state diagram for Mermaid; edges show probabilities.

    >>> from sevenout.model import explore
    >>> from sevenout.rules import PointGame
    >>> print(mermaid(explore(PointGame([7, 11], [2, 3, 12], 7))).splitlines()[1])
        s0["come-out"]
    """
    n = len(chain.states)
    lines = ["flowchart LR"]
    lines += [f'    s{s}["{_html(chain.name(s))}"]' for s in range(n)]
    lines += [f'    s{t}(["{_html(chain.name(t))}"])' for t in range(n, n + len(chain.outcomes))]
    lines += [f"    s{s} -- {p} --> s{t}" for s, p, t in _arrows(chain)]
    return "\n".join(lines) + "\n"


@public
def graphviz(chain: Chain) -> str:
    """The state diagram for Graphviz; outcomes have a double border.

    >>> from sevenout.model import explore
    >>> from sevenout.rules import PointGame
    >>> graphviz(explore(PointGame([7, 11], [2, 3, 12], 7))).startswith("digraph chain {")
    True
    """
    n = len(chain.states)
    lines = ["digraph chain {", "    rankdir=LR;", "    node [shape=box, style=rounded];"]
    lines += [f"    s{s} [label={_quoted(chain.name(s))}];" for s in range(n)]
    lines += [
        f"    s{t} [label={_quoted(chain.name(t))}, peripheries=2];"
        for t in range(n, n + len(chain.outcomes))
    ]
    lines += [f'    s{s} -> s{t} [label="{p}"];' for s, p, t in _arrows(chain)]
    return "\n".join([*lines, "}"]) + "\n"


def _arrows(chain: Chain) -> list[tuple[int, Fraction, int]]:
    """The arrows of a diagram: the state, the probability, the target."""
    return [
        (s, Fraction(weight, chain.denominator), target)
        for s, row in enumerate(chain.weights)
        for target, weight in row.items()
    ]


def _html(text: str) -> str:
    # Mermaid reads these as its own syntax, even inside quotes.
    return printable(text).translate({ord(c): f"#{ord(c)};" for c in '#&"<>[](){}|`\\'})


def _quoted(text: str) -> str:
    escaped = printable(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


@public
def prism(model: Model) -> str:
    """The model in the PRISM language.

    Outcome k is `s = states + k` with the label "outcome_k"; comments give the names. Option i of a
    decision is the command "[s<node>_<i>]". The reward structures are "rolls", "counter_<i>" and
    "bet_<i>", in the order of `model.counters` (without the rolls) and of `model.bets`. A counter
    that goes down has "counter_<i>_down", too.

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
    model = add_seats(model)  # in PRISM no turn passes, and a state has one owner
    n, k = len(model.states), len(model.outcomes)
    kind = _process_kind(model)
    lines = [kind, "", "module game", f"    s : [0..{n + k - 1}] init 0;"]
    for s in range(n):
        lines += [f"    {command}" for command in _commands(model, s)]
    # PRISM refuses a state without a command, so the settled game stays where it is.
    lines += [f"    [end] s>={n} -> true;", "endmodule", ""]
    if kind == "smg":
        lines += _player_blocks(model)
    lines += _labels(model)
    lines += ["", 'rewards "rolls"', *(_roll_rewards(model) or EMPTY_REWARDS), "endrewards"]
    for structure in _reward_structures(model):
        lines += ["", f'rewards "{structure.name}"  // {printable(structure.title)}']
        lines += list(_reward_lines(model, structure.gain)) or EMPTY_REWARDS
        lines.append("endrewards")
    return "\n".join(lines) + "\n"


def _process_kind(model: Model) -> str:
    """A stochastic game, a decision process or a chain, in PRISM's words."""
    if len(model.players) > 1:
        return "smg"
    return "mdp" if any(model.menus) else "dtmc"


def _player_blocks(model: Model) -> list[str]:
    """The commands that each player owns; every command needs exactly one owner."""
    lines = []
    for i, (player, nodes) in enumerate(_nodes_by_owner(model).items()):
        names = [f"[{name}]" for s in nodes for name in _command_names(model, s)]
        names += [] if i else ["[end]"]
        lines += [f"player player_{i}  // {printable(player)}", f"    {', '.join(names)}"]
        lines += ["endplayer", ""]
    return lines


def _roll_rewards(model: Model) -> list[str]:
    """A reward of 1 for each roll."""
    # A game that a policy settles at once has a single move, which is no roll.
    if any(NO_ROLL[0] in counts for counts in model.tags):
        return []
    if not any(model.menus):
        return [f"    s<{len(model.states)} : 1;"]
    return [f"    s={s} : 1;" for s, menu in enumerate(model.menus) if not menu]


def _nodes_by_owner(model: Model) -> dict[str, list[int]]:
    """The nodes of each player; rolls belong to the first."""
    owners: dict[str, list[int]] = {player: [] for player in model.players or ("player",)}
    first = next(iter(owners))
    for s in range(len(model.states)):
        owners[model.choosers.get(s, first)].append(s)
    return owners


def _command_names(model: Model, s: int) -> list[str]:
    """The names of a node's commands: one for each option, or one for the roll."""
    return [f"s{s}_{i}" for i in range(len(model.menus[s]))] or [f"s{s}"]


def _commands(model: Model, s: int) -> Iterator[str]:
    """The commands of a node, each with a comment that names its state and option."""
    # A line break in a name would end the comment.
    moves = model.moves_of(s)
    name = printable(state_name(model.states[s]))
    if model.menus[s]:
        labels = _command_names(model, s)
        for label, option, move in zip(labels, model.menus[s], moves, strict=True):
            yield f"[{label}] s={s} -> (s'={model.targets[move]});  // {name}: {printable(option)}"
        return
    law = model.rollables[model.rollable_index[s]].law
    targets = model.targets[moves.start : moves.stop]
    # Faces with one target become one update; a pool of dice has thousands of faces.
    weights = sum_by_key(zip(targets, law.weights, strict=True))
    # PRISM reads a fraction as Python prints it.
    updates = " + ".join(f"{Fraction(w, law.denominator)} : (s'={t})" for t, w in weights.items())
    yield f"[s{s}] s={s} -> {updates};  // {name}"


class RewardStructure(NamedTuple):
    """What PRISM adds up along a game.

    Attributes:
        name: its identifier.
        title: what it counts.
        gain: the reward of a move, by its index; at least 0.
    """

    name: str
    title: str
    gain: Callable[[int], Fraction]


def _reward_structures(model: Model) -> Iterator[RewardStructure]:
    """The reward structures of the counters and the bets."""
    for i, counter in enumerate(model.counters[1:]):
        yield RewardStructure(f"counter_{i}", counter, partial(_increase, model, counter, 1))
        if any(dict(counts).get(counter, 0) < 0 for counts in model.tags):
            title, gain = f"{counter}, decreases", partial(_increase, model, counter, -1)
            yield RewardStructure(f"counter_{i}_down", title, gain)
    for i, bet in enumerate(model.bets):
        # The title says what to add to the mean.
        least = min(outcome.profit(bet) for outcome in model.outcomes)
        title, gain = f"{bet}, less {least}", partial(_gain_of_bet, model, bet, least)
        yield RewardStructure(f"bet_{i}", title, gain)


def _increase(model: Model, counter: str, sign: int, move: int) -> Fraction:
    """The increase of a counter on a move, or its decrease if the sign is -1; at least 0."""
    increment = Fraction(dict(model.tags[model.tag_index[move]]).get(counter, 0))
    return max(sign * increment, Fraction(0))


def _gain_of_bet(model: Model, bet: str, least: Fraction, move: int) -> Fraction:
    end = model.targets[move] - len(model.states)
    return model.outcomes[end].profit(bet) - least if end >= 0 else Fraction(0)


def _reward_lines(model: Model, gain: Callable[[int], Fraction]) -> Iterator[str]:
    """The lines of a reward structure: the gain of each option, or the mean gain of each roll."""
    for s in range(len(model.states)):
        moves = model.moves_of(s)
        if model.menus[s]:
            gains = list(map(gain, moves))
        else:
            law = model.rollables[model.rollable_index[s]].law
            total = sum((gain(m) * w for m, w in zip(moves, law.weights, strict=True)), Fraction(0))
            gains = [total / law.denominator]
        for name, value in zip(_command_names(model, s), gains, strict=True):
            if value:
                yield f"    [{name}] s={s} : {value};"


def _labels(model: Model) -> list[str]:
    """The labels of the outcomes, in the PRISM language."""
    n = len(model.states)
    lines = [
        f'label "outcome_{i}" = s={n + i};  // {printable(outcome.label)}'
        for i, outcome in enumerate(model.outcomes)
    ]
    return [*lines, f'label "settled" = s>={n};']
