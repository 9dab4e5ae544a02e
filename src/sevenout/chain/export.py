"""The chain as a picture and as a model: Mermaid, Graphviz, and the language of PRISM.

All are drawn from the chain, never by hand. The PRISM model lets anyone check us in Storm or PRISM.
"""

from fractions import Fraction
from math import gcd

from sevenout.chain.chain import Chain
from sevenout.chain.model import Model


def mermaid(chain: Chain) -> str:
    """The state diagram in Mermaid's language; an edge shows its probability.

    >>> from sevenout.chain import explore
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


def graphviz(chain: Chain) -> str:
    """The state diagram in Graphviz's language; outcomes have a double border.

    >>> from sevenout.chain import explore
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


def prism(chain: Chain | Model) -> str:
    """The chain as a DTMC in the PRISM language, with a label for each outcome and its rolls.

    Outcome k is `s = states + k` and the label "outcome_k"; the reward structure "rolls" counts the
    rolls. Comments give the names. A game with choices is an MDP, or a game of two players; see
    `sevenout.chain.processes`.

    >>> from sevenout.chain import explore
    >>> from sevenout.rules import PointGame
    >>> "dtmc" in prism(explore(PointGame([7, 11], [2, 3, 12], 7)))
    True
    """
    if isinstance(chain, Model):
        from sevenout.chain.processes import process

        return process(chain)
    n, k = len(chain.states), len(chain.outcomes)
    lines = ["dtmc", "", "module game", f"    s : [0..{n + k - 1}] init 0;"]
    for s, row in enumerate(chain.weights):
        choices = " + ".join(f"{ratio(w, chain.denominator)} : (s'={t})" for t, w in row.items())
        lines.append(f"    [] s={s} -> {choices};  // {comment(chain.name(s))}")
    lines += [f"    [] s>={n} -> true;", "endmodule", "", *labels(chain)]
    lines += ["", 'rewards "rolls"', f"    s<{n} : 1;", "endrewards"]
    return "\n".join(lines) + "\n"


def labels(game: Chain | Model) -> list[str]:
    """The labels of the outcomes, in the PRISM language."""
    n = len(game.states)
    lines = [
        f'label "outcome_{i}" = s={n + i};  // {comment(outcome.label)}'
        for i, outcome in enumerate(game.outcomes)
    ]
    return [*lines, f'label "settled" = s>={n};']


def _arrows(chain: Chain) -> list[tuple[int, Fraction, int]]:
    return [
        (s, Fraction(weight, chain.denominator), target)
        for s, row in enumerate(chain.weights)
        for target, weight in row.items()
    ]


def ratio(weight: int, total: int) -> str:
    common = gcd(weight, total)
    return f"{weight // common}/{total // common}" if weight < total else "1"


def _html(text: str) -> str:
    return comment(text).translate({ord(c): f"#{ord(c)};" for c in '#&"<>[](){}|`\\'})


def _quoted(text: str) -> str:
    escaped = comment(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def comment(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)
