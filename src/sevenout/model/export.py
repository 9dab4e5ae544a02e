"""State diagrams in the languages of Mermaid and Graphviz."""

from fractions import Fraction

from sevenout.model.chain import Chain


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
    return [
        (s, Fraction(weight, chain.denominator), target)
        for s, row in enumerate(chain.weights)
        for target, weight in row.items()
    ]


def _html(text: str) -> str:
    return comment(text).translate({ord(c): f"#{ord(c)};" for c in '#&"<>[](){}|`\\'})


def _quoted(text: str) -> str:
    escaped = comment(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def comment(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)
