"""Mixed policies as pages: what each player sees, what they do, and how often."""

from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any

from sevenout.documents import Block, Column, Page, Table, Text
from sevenout.documents.kinds import PERCENT
from sevenout.documents.numbers import percent
from sevenout.documents.tables import datum
from sevenout.model import state_name
from sevenout.model.process import Mixture

if TYPE_CHECKING:
    from sevenout.solving.hidden.mixed import MixedOptimum

MOST_LINES = 24
"""The most information sets shown per player, most frequent first."""
MOST_LISTED = 300
"""The most listed for a game too large to list in full."""
MOST_NAMED = 4
"""The most options named in a line, most likely first."""
LEAST_NAMED = Fraction(1, 10_000)
"""Less likely options are not named."""
SHORT = 1000
"""Probabilities with larger denominators are printed in per cent."""


def mixtures(best: "MixedOptimum") -> list[Page]:
    """Each player's policy, most frequent states first."""
    players = sorted(best.players, key=lambda player: player != best.goal.player)
    return [Page(f"How {player} plays", *_player(best, player)) for player in players]


def _player(best: "MixedOptimum", player: str) -> list[Block]:
    if not best.listed:
        return _likeliest(best, player)
    chosen = [state for state, mixture in best.policy.items() if len(mixture) > 1]
    seen = [(best.comes_up(state), state) for state in chosen if state[0] == player]
    up = sorted(((p, state) for p, state in seen if p), key=lambda each: -each[0])
    rows = [
        [state_name(state[1]), mixture_said(best.policy[state]), p] for p, state in up[:MOST_LINES]
    ]
    blocks: list[Block] = [Table(["sees", "plays", Column("reached", PERCENT.to(2))], rows)]
    more = len(up) - len(rows)
    if more:
        share = 1 - sum(p for p, _ in up[:MOST_LINES]) / sum(p for p, _ in up)
        blocks.append(
            Text(
                f"… and {more:,} more, in {percent(share, 2)} of the choices. --at says what to do "
                "where a player sees this or that.",
                tone="note",
            )
        )
    if len(up) < len(seen):
        never = f"In best play {len(seen) - len(up):,} more are never seen. --json lists them."
        blocks.append(Text(never, tone="note"))
    return blocks


def _likeliest(best: "MixedOptimum", player: str) -> list[Block]:
    """The most frequent states, for a game too large to list in full."""
    seen = [state for state in islice(best.policy, MOST_LISTED) if state[0] == player]
    rows = [[state_name(s[1]), mixture_said(best.policy[s]), best.comes_up(s)] for s in seen]
    blocks: list[Block] = [
        Table(["sees", "plays", Column("reached", PERCENT.to(2))], rows[:MOST_LINES]),
        Text(
            "… and many more. --at says what to do where a player sees this or that.", tone="note"
        ),
    ]
    return blocks


def mixture_said(mixture: Mixture) -> str:
    """The options and their probabilities in words.

    >>> mixture_said({"fold": Fraction(2, 3), "call": Fraction(1, 3), "raise": Fraction(0)})
    'fold 2/3, call 1/3'
    >>> mixture_said({"fold": Fraction(1), "call": Fraction(0)})
    'fold'
    """
    used = sorted(((name, p) for name, p in mixture.items() if p), key=lambda each: -each[1])
    if len(used) == 1:
        return used[0][0]
    named = [(name, p) for name, p in used[:MOST_NAMED] if p >= LEAST_NAMED]
    said = ", ".join(f"{name} {probability_said(p)}" for name, p in named)
    return said + (", …" if len(used) > len(named) else "")


def probability_said(p: Fraction) -> str:
    """A probability as a short fraction, or in per cent."""
    return str(p) if p.denominator < SHORT else percent(p, 2)


def mixtures_data(best: "MixedOptimum") -> dict[str, Any]:
    """The whole policy as data, with the probability of each state."""
    policy = [
        {
            "player": player,
            "sees": state_name(seen),
            "plays": {name: datum(p) for name, p in mixture.items() if p},
            "comes_up": datum(best.comes_up((player, seen))),
        }
        for player, seen in islice(best.policy, None if best.listed else MOST_LISTED)
        for mixture in [best.policy[player, seen]]
    ]
    return {"policy": policy} | ({} if best.listed else {"of": len(best.policy)})
