"""Lines of a card that optimal play does not reach."""

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from sevenout.solving.policies.card import Regions

if TYPE_CHECKING:
    from sevenout.solving.optimum import Optimum


def lines_of(part: Regions, places: Collection[Any], optimum: "Optimum") -> Regions:
    """The lines of a part of a card, one for every place: values of its other coordinates.

    A line that optimal play does not reach ends where optimal play would leave it.
    """
    asked, menus, axis = optimum.model.asked, set(part.options), part.axis or 0
    lines: dict[Any, list[Any]] = {}
    for state, node in asked.items():
        apart = part.shape.apart(state)
        place = tuple([apart[k] for k in part.others])
        if place in places and menus.issuperset(optimum.model.menus[node]):
            lines.setdefault(place, []).append(state)
    wanted: list[Any] = []
    for line in lines.values():
        met = [state for state in line if state in optimum.come_up]
        least = min(line, key=lambda state: part.shape.apart(state)[axis])
        wanted += met or _onward(least, set(line), optimum)
    for _, found in optimum.card_of(wanted).parts:
        if isinstance(found, Regions) and (found.axis, found.others) == (part.axis, part.others):
            return found
    return part


def _onward(start: Any, line: set[Any], optimum: "Optimum") -> Iterator[Any]:
    """The states of a line that are reachable from its first."""
    queue = [start]
    for state in queue:  # grows during the loop
        yield state
        for then in optimum.asked_next(state, best=True):
            if then in line:
                line.discard(then)
                queue.append(then)
