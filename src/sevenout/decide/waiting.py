"""Games that a player could prolong for ever: solved only where waiting costs him."""

from sevenout.chain import Model, state_name
from sevenout.decide.goal import Goal
from sevenout.errors import EndlessGameError


def must_cost_to_wait(model: Model, goal: Goal) -> None:
    """Refuse a game that can be prolonged for ever, unless that costs more than anything.

    It does where, on the moves between the nodes in which the game can be prolonged
    (`Model.traps`), nothing is gained, and whoever stays among them pays again and again: every end
    component has a move that costs. From any other node the game may end before it comes back,
    whatever is chosen, so that what is gained there is bounded. Then a policy that never ends is
    worth minus infinity, and policy iteration from one that ends finds the optimum (Bertsekas and
    Tsitsiklis 1991).

    Raises:
        EndlessGameError: the players can prolong the game for ever, and lose nothing by it.
    """
    costs = [
        -goal.sense * sum(goal.counters.get(name, 0) * n for name, n in counts)
        for counts in model.tags
    ]
    roll = -goal.sense * goal.counters.get("rolls", 0)
    free = set(model.traps)

    def stays(s: int) -> bool:
        moves = range(model.first[s], model.first[s + 1])
        at_no_cost = (model.targets[m] in free and costs[model.tagged[m]] <= 0 for m in moves)
        return any(at_no_cost) if model.menus[s] else roll <= 0 and all(at_no_cost)

    gains = roll < 0 or any(
        costs[model.tagged[m]] < 0
        for s in model.traps
        for m in range(model.first[s], model.first[s + 1])
        if model.targets[m] in model.traps
    )
    while not gains:
        out = {s for s in free if not stays(s)}
        if not out:
            break
        free -= out
    if free or len(model.players) > 1 or model.passes:
        # a question and the roll after it may be in the same state
        names = dict.fromkeys(state_name(model.states[s]) for s in sorted(free or model.traps))
        some = [*names][:6]
        if len(model.players) > 1 or model.passes:
            raise EndlessGameError(
                f"two players could together prolong the game for ever, in {', '.join(some)}; "
                "let an option end it, or let one follow a policy, with `against`"
            )
        how = "and something gained on the way" if gains else "at no cost"
        raise EndlessGameError(
            f"the game can be prolonged for ever {how}, in {', '.join(some)}; "
            "let an option end it, or want the fewest of something that goes on"
        )
