"""`sevenout odds`: everything that is true of a game."""

from typing import TYPE_CHECKING

from sevenout.cli.choosing import followed, titled
from sevenout.cli.options import Against, Bet, GameName, Json, Policy, Rules
from sevenout.cli.out import print_json, show
from sevenout.cli.resolve import choose
from sevenout.errors import NotationError, RulesError
from sevenout.page.numbers import many

if TYPE_CHECKING:
    from sevenout.solve import Solution


def odds(
    game: GameName | None = None,
    /,
    *,
    bet: Bet | None = None,
    policy: Policy | None = None,
    against: Against | None = None,
    at: str | None = None,
    meter: str | None = None,
    json: Json = False,
    **rules: Rules,
) -> None:
    """Exact odds of a game: its outcomes, return tables, house edges and rolls.

    Parameters
    ----------
    at
        From this state on: as it is printed, such as 4; what `sevenout given` says.
    meter
        What the meter of a progressive award shows: also say what the next bet returns then.
    """
    from sevenout.page import Page, Text
    from sevenout.solve import solve
    from sevenout.solve.bets.award_return import progressive

    if at is not None:
        from sevenout import questions
        from sevenout.cli.asking import ask

        if (bet, meter) != (None, None):
            raise NotationError("--at says what is true of every bet; leave --bet and --meter out")
        said = {"game": game, "policy": policy, "against": against, "at": at}
        ask(questions.question("given"), said, rules, json)
        return
    chosen = choose(game, **rules)
    title = titled(chosen, policy, against)
    solution = solve(followed(chosen, policy, against))
    only = None if bet is None else solution.bet(bet)
    rules_of = chosen.file.progressives if chosen.file is not None else {}
    awards = [progressive(solution.bet(b), r) for b, r in rules_of.items() if bet in (None, b)]
    if meter is not None and not awards:
        raise RulesError(f"--meter {meter}: {title} has no progressive award")
    if json:
        data = {"game": title} | solution.to_dict()
        data = data if only is None else data | {"bets": [only.to_dict()]}
        found = [award.to_dict(meter) for award in awards]
        print_json(data | ({"progressives": found} if found else {}))
        return
    out = "Figures above this line leave the progressive award out."
    pages = [Page("", Text(out), award.page(meter)) for award in awards]
    rolls = Page("", Text(_rolls(solution), tone="note"))
    show(title, solution if only is None else only, *pages, rolls, text=chosen.text)


def _rolls(solution: "Solution") -> str:
    states = len(solution.chain.states)
    parts = [f"{solution.status}; {many(states, 'state')}"]
    for counter in solution.chain.counters:
        if not counter.startswith("rolls of "):
            parts.append(f"mean {counter} {float(solution.mean(counter)):.6f}")
    return "; ".join(parts)
