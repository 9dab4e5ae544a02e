"""The rest of an evening at the table: its distribution, or evenings played if that is large."""

from typing import Any

from sevenout.cost import allowed, budget
from sevenout.errors import TooManyStatesError, TooMuchWorkError
from sevenout.games.craps_family.table_session import TableSession

SECONDS, EVENINGS = 6.0, 200


def rest_page(session: TableSession, rolls: int) -> Any:
    """How the rest of an evening ends if the player keeps their bets up.

    Raises:
        RulesError: nothing was bet yet, or no rolls are left.
    """
    from sevenout.evening.rest_of_evening import rest_of
    from sevenout.simulate.played_evenings.sittings import play_sittings

    plan = rest_of(session, rolls)
    limits = allowed()
    try:
        with budget(min(SECONDS, limits.seconds / 2), limits.memory / 2, enforce=True):
            return plan.solve().page()
    except (TooMuchWorkError, TooManyStatesError):
        return play_sittings(plan, EVENINGS, session.seed).page()
