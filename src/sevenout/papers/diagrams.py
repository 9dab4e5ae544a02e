"""The states of a chain as a diagram, drawn as SVG.

States that behave alike share a card. A card lists the endings from there with their probabilities;
arrows lead to other cards. The cards are in columns by the fewest rolls. Lines to a common sink
would be hard to read.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from math import fsum
from typing import Any

from sevenout.documents import Picture, clean
from sevenout.documents.numbers import decimal
from sevenout.documents.words import word_list
from sevenout.model import Chain
from sevenout.papers.picture_style import BLUE, GREY, INK, PAPER, SVG_FONT
from sevenout.rules import Outcome

MAX_CARDS = 14
"""The most cards of a diagram that can be read on a page."""
SIZE, LINE, PADDING, GAP, COLUMN_GAP = 8.5, 10.2, 4.0, 6.0, 56.0
"""In points: the size of letters, the height of a line, and the room at the edges of a card,
between cards, and between columns."""
MAX_LABEL = 30
"""The most characters of a label; longer ones are cut."""
MAX_TITLE_LINES = 3
"""The most lines of a card's title; a longer one is cut."""


@dataclass
class StateCard:
    """A card of the diagram: a kind of states, what follows, and where it is drawn.

    Attributes:
        title: the names of the states, in lines.
        endings: (outcome, probability) of each end from there, and of staying.
        arrows: (the other card's index, probability) of each move ahead.
        column: the fewest rolls to it from the start.
        x: the left edge, in points.
        y: the top edge, in points.
        width: in points; that of the widest card in the column.
    """

    title: list[str]
    endings: list[tuple[str, Fraction]] = field(default_factory=list)
    arrows: list[tuple[int, Fraction]] = field(default_factory=list)
    column: int = 0
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0

    @property
    def height(self) -> float:
        """In points: the lines, their room, and the rule below the title."""
        rule = 3 if self.endings else 0
        return 2 * PADDING + LINE * (len(self.title) + len(self.endings)) + rule


def diagram(
    chain: Chain, name: Callable[[Any], str], caption: str, max_cards: int = MAX_CARDS
) -> Picture | None:
    """The diagram of a chain with its states named; None if it would have too many cards."""
    chain = _by_label(chain)
    if max(chain.lumping) >= max_cards:
        return None
    cards = _cards(chain, chain.lumping, name)
    _set_columns(cards)
    _replace_arrows_back(cards)
    _set_coordinates(cards)
    # A point of room on each side: half of a border lies outside its rectangle.
    width = max(card.x + card.width for card in cards) + 2
    height = max(card.y + card.height for card in cards) + 2
    # Arrows first, so that a card covers an arrow that passes behind it.
    shapes = [
        _arrow(cards, source, target, probability)
        for source, card in enumerate(cards)
        for target, probability in card.arrows
    ]
    shapes += [_card(card) for card in cards]
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.1f}pt" height="{height:.1f}pt" '
        f'viewBox="-1 -1 {width:.1f} {height:.1f}" {SVG_FONT} font-size="{SIZE}">'
        f'<defs><marker id="head" viewBox="0 0 6 6" refX="5.4" refY="3" markerWidth="5" '
        f'markerHeight="5" orient="auto"><path d="M0,0.6 L6,3 L0,5.4 z" fill="{GREY}"/></marker>'
        f"</defs>{''.join(shapes)}</svg>"
    )
    return Picture(svg, caption)


def _by_label(chain: Chain) -> Chain:
    """The chain with one outcome per label, since a card shows no pays."""
    n = len(chain.states)
    number = {label: k for k, label in enumerate(dict.fromkeys(o.label for o in chain.outcomes))}
    ends = [number[outcome.label] for outcome in chain.outcomes]
    return Chain.of_moves(
        states=chain.states,
        outcomes=map(Outcome, number),
        rollables=chain.rollables,
        rollable_index=chain.rollable_index,
        moves=[
            [move if move.target < n else (n + ends[move.target - n], ()) for move in row]
            for row in chain.moves
        ],
        stakes=chain.stakes,
        declared_counters=chain.declared_counters,
    )


def _cards(chain: Chain, class_by_state: list[int], name: Callable[[Any], str]) -> list[StateCard]:
    """A card for each class of states, with its endings and arrows, not yet placed."""
    n = len(chain.states)
    cards = []
    for card_index in range(max(class_by_state) + 1):
        members = [s for s in range(n) if class_by_state[s] == card_index]
        card = StateCard(_title([name(chain.states[s]) for s in members]))
        ends: dict[str, Fraction] = {}
        arrows: dict[int, Fraction] = {}
        # states of one card have equal moves between cards, so the first stands for all
        for weight, target, _ in sorted(chain.rows[members[0]], key=lambda edge: edge.target):
            p = Fraction(weight, chain.denominator)
            if target >= n:
                label = chain.outcomes[target - n].label
                ends[label] = ends.get(label, Fraction(0)) + p
            else:
                arrows[class_by_state[target]] = arrows.get(class_by_state[target], Fraction(0)) + p
        # an arrow from a card to itself would hide the others
        p_again = arrows.pop(card_index, None)
        card.endings = list(ends.items()) + ([("again", p_again)] if p_again else [])
        card.arrows = list(arrows.items())
        cards.append(card)
    return cards


def _title(names: list[str]) -> list[str]:
    """The states' names in lines; a common beginning and end is printed once."""
    first, *others = (name.split(" ") for name in names)
    if all(len(words) == len(first) for words in others):
        columns = list(zip(first, *others, strict=True))
        differing = [i for i, words in enumerate(columns) if len({*words}) > 1]
        # only one word differs, such as the point: the card lists its values
        if len(differing) == 1:
            (i,) = differing
            comma = "," if first[i].endswith(",") else ""
            values = word_list((word.rstrip(",") for word in columns[i]), "or")
            return _wrapped(" ".join([*first[:i], values + comma, *first[i + 1 :]]))
    more = f" and {len(others)} like it" if others else ""
    return _wrapped(names[0] + more)


def _wrapped(text: str) -> list[str]:
    """A title in at most `MAX_TITLE_LINES`, broken after commas if possible."""
    lines: list[str] = []
    for clause in clean(text).split(", "):
        if lines and len(lines[-1]) + len(clause) < MAX_LABEL // 2:
            lines[-1] += f", {clause}"
            continue
        if lines:
            lines[-1] += ","
        lines.append("")
        for word in map(_shortened, clause.split(" ")):
            if lines[-1] and len(lines[-1]) + 1 + len(word) > MAX_LABEL - 4:
                lines.append(word)
            else:
                lines[-1] = f"{lines[-1]} {word}".strip()
    # the last clause tells most states apart, such as a point's
    if len(lines) > MAX_TITLE_LINES:
        lines = [*lines[: MAX_TITLE_LINES - 2], "…", lines[-1]]
    return lines


def _set_columns(cards: list[StateCard]) -> None:
    """Set the column of each card: the fewest rolls that reach it."""
    reached, frontier = {0}, [0]
    while frontier:
        next_frontier: list[int] = []
        # breadth first, so that the first arrow to a card is on a shortest way
        for card_index in frontier:
            for target, _ in cards[card_index].arrows:
                if target not in reached:
                    reached.add(target)
                    cards[target].column = cards[card_index].column + 1
                    next_frontier.append(target)
        frontier = next_frontier


def _replace_arrows_back(cards: list[StateCard]) -> None:
    """Make endings of arrows that don't lead ahead, which would tangle the picture."""
    for card in cards:
        arrows, card.arrows = card.arrows, []
        for target, p in arrows:
            if cards[target].column > card.column:
                card.arrows.append((target, p))
            else:
                card.endings.append((f"to {' '.join(cards[target].title)}", p))


def _set_coordinates(cards: list[StateCard]) -> None:
    """Place the cards, each column centred."""
    x = 0.0
    columns = [
        [card for card in cards if card.column == c]
        for c in range(max(c.column for c in cards) + 1)
    ]
    heights = [fsum(card.height for card in column) + GAP * (len(column) - 1) for column in columns]
    tallest = max(heights)
    for column, height in zip(columns, heights, strict=True):
        widest = max(_width(card) for card in column)
        y = (tallest - height) / 2
        for card in column:
            card.x, card.y, card.width = x, y, widest
            y += card.height + GAP
        x += widest + COLUMN_GAP


def _width(card: StateCard) -> float:
    """The width of the card of a state, in points."""
    # A title is bold, and so a little wider than it is measured.
    longest = max(
        [_text_width(line) * 1.05 for line in card.title]
        + [
            _text_width(_shortened(label)) + _text_width(_probability_text(p)) + 12
            for label, p in card.endings
        ]
    )
    return longest + 2 * PADDING


def _text_width(text: str) -> float:
    """The estimated width of a text in points."""
    # No font is read here: the reader's viewer may have any of the list.
    return fsum(0.26 if c in " ,.il1/" else 0.8 if c in "mwMW·" else 0.5 for c in text) * SIZE


def _shortened(text: str) -> str:
    """A label, cut off after `MAX_LABEL` characters."""
    text = clean(text)
    return text if len(text) <= MAX_LABEL else text[: MAX_LABEL - 1] + "…"


def _probability_text(p: Fraction) -> str:
    """A probability as a fraction, or rounded if that is long."""
    text = str(p)
    return text if len(text) <= 9 else decimal(p, 4)


def _card(card: StateCard) -> str:
    """The card of a state as SVG: its name, and the probability of each ending."""
    x, y, w = card.x, card.y, card.width
    shapes = [
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{card.height:.1f}" rx="3" '
        f'fill="{PAPER}" stroke="{INK}" stroke-width="0.6"/>'
    ]
    baseline = y + PADDING + SIZE - 1
    for line in card.title:
        shapes.append(_text(x + w / 2, baseline, line, anchor="middle", weight="bold"))
        baseline += LINE
    if card.endings:
        shapes.append(
            f'<line x1="{x:.1f}" x2="{x + w:.1f}" y1="{baseline - SIZE + 1:.1f}" '
            f'y2="{baseline - SIZE + 1:.1f}" stroke="{GREY}" stroke-width="0.4"/>'
        )
        baseline += 3
    for label, p in card.endings:
        shapes.append(_text(x + PADDING, baseline, _shortened(label)))
        shapes.append(_text(x + w - PADDING, baseline, _probability_text(p), anchor="end"))
        baseline += LINE
    return "".join(shapes)


def _text(x: float, y: float, text: str, anchor: str = "start", weight: str = "normal") -> str:
    """A line of text as SVG, on a baseline."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}" '
        f'fill="{INK}">{escape(text)}</text>'
    )


def _arrow(cards: list[StateCard], source_index: int, target_index: int, p: Fraction) -> str:
    """An arrow from one card to another as SVG, with its probability."""
    source, target = cards[source_index], cards[target_index]
    # it leaves its card evenly along the side, in the order of the targets
    ahead = sorted((index for index, _ in source.arrows), key=lambda index: cards[index].y)
    share = (ahead.index(target_index) + 1) / (len(ahead) + 1)
    x1, y1 = source.x + source.width, source.y + source.height * share
    x2, y2 = target.x - 1.5, target.y + target.height / 2
    # a nearly level arrow is drawn level
    if abs(y1 - y2) < target.height / 4:
        y2 = y1
    middle = (x1 + x2) / 2
    path = f"M{x1:.1f},{y1:.1f} C{middle:.1f},{y1:.1f} {middle:.1f},{y2:.1f} {x2:.1f},{y2:.1f}"
    x, y = x1 + 0.64 * (x2 - x1), y1 + 0.78 * (y2 - y1) - (3 if y1 == y2 else -2)
    label = _probability_text(p)
    label_width = _text_width(label) + 3
    return (
        f'<path d="{path}" fill="none" stroke="{GREY}" stroke-width="0.7" '
        f'marker-end="url(#head)"/><rect x="{x - label_width / 2:.1f}" y="{y - 6.5:.1f}" '
        f'width="{label_width:.1f}" height="9" fill="{PAPER}" fill-opacity="0.85"/>'
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" fill="{BLUE}" '
        f'font-size="7.5">{escape(label)}</text>'
    )
