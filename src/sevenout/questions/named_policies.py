"""Policies by name, and games that follow them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sevenout.errors import NotationError, RulesError, shown
from sevenout.model import Chain, Policy, has_choices
from sevenout.questions.chosen_game import ChosenGame
from sevenout.rules import ByTurns, Game
from sevenout.rules.composed.tallied import compared_of
from sevenout.rules.objective import objective_of, parse_objective

if TYPE_CHECKING:
    from sevenout.solving.turns.turnpolicy import Play

BEST, GREEDY = "best", "greedy"


def wish_of(chosen: ChosenGame, goal: str | None) -> dict[str, Any]:
    """The objective: the goal in words, or the game's own."""
    wanted = objective_of(chosen.game) if goal is None else parse_objective(goal)
    return wanted.arguments if wanted else {}


def points_of(chosen: ChosenGame) -> str:
    """The counter that is the objective of a game of turns."""
    wish = wish_of(chosen, None)
    counter = wish.get("most", wish.get("least"))
    return counter if isinstance(counter, str) else "score"


def take_goal(goal: str | None, rules: dict[str, str]) -> str | None:
    """A goal in words; a whole number is an option of the game instead, and goes to `rules`.

    >>> rules = {}
    >>> take_goal("50", rules), rules, take_goal("fewest rolls", {})
    (None, {'goal': '50'}, 'fewest rolls')
    """
    if goal is not None and goal.strip().isdecimal():
        rules["goal"] = goal.strip()
        return None
    return goal


def policy_of(chosen: ChosenGame, name: Any) -> Any:
    """A policy by name, or from a Python file; anything else as given."""
    if not isinstance(name, str):
        return name
    if chosen.read is not None and name.partition(":")[0].endswith(".py"):
        return chosen.read(name)
    if isinstance(chosen.game, ByTurns):
        if name == GREEDY:
            return name
        raise NotationError(
            f"no policy {shown(name)} in a game of turns; give {GREEDY}, or mine.py:careful for "
            "a function of the card and the state of the turn"
        )
    if chosen.decision is None:
        raise NotationError(
            f"no policy {shown(name)}; give best, or a function of the state: mine.py:careful"
        )
    return chosen.decision.policy(name, **chosen.options)


def policies_of(chosen: ChosenGame, goal: str | None = None) -> Mapping[str, Policy]:
    """The simple policies of a game by name."""
    names = chosen.decision.policies if chosen.decision else ()
    if goal is not None and compared_of(chosen.game, parse_objective(goal)) is not chosen.game:
        return {}  # they ignore the counter
    return {name: policy_of(chosen, name) for name in names}


def followed(
    chosen: ChosenGame,
    policy: Any,
    against: Any = None,
    goal: str | None = None,
    how: str = "--policy ",
) -> Game | Chain:
    """The game to play, or the chain of a policy."""
    if not has_choices(chosen.game):
        if policy is not None or against is not None:
            raise RulesError(f"{chosen.title} has no choices; leave {how}out")
        return chosen.game
    from sevenout.model import chain_of, explore

    if goal is not None:
        asked = compared_of(chosen.game, parse_objective(goal))
        goal = goal if asked is chosen.game else None
        chosen = replace(chosen, game=asked)
    if isinstance(chosen.game, ByTurns):
        raise RulesError(
            f"{chosen.title} has too many states for a policy; use "
            "`sevenout best --distribution` or `sevenout simulate --policy best`"
        )
    if policy is None:
        known = ", ".join(chosen.decision.policies) if chosen.decision else ""
        raise RulesError(
            f"{chosen.title} has choices: say how the player plays, {how}best"
            + (f" or {how}{known.partition(',')[0]}" if known else "")
            + "; `sevenout best` shows optimal play"
        )
    names = [policy] if against is None else [policy, against]
    plays = [name if name == BEST else policy_of(chosen, name) for name in names]
    model = explore(chosen.game)
    if not model.questions:
        return chain_of(model)
    return model.under(*players_of(chosen, model, plays, goal))


def play_of(chosen: ChosenGame, policy: Any, how: str = "--policy ") -> "Play":
    """A game of turns under a policy; `how` names the policy option in errors."""
    if policy is None:
        raise RulesError(
            f"{chosen.title} has choices; give {how}{BEST}, {how}{GREEDY} (each turn by itself), "
            f"or {how}mine.py:careful"
        )
    from sevenout.solving.optimal_play import best

    wanted: Any = policy if policy == BEST else policy_of(chosen, policy)
    found: Any = best(chosen.game, **wish_of(chosen, None))
    play: Play = found.under(wanted)
    return play


def titled(chosen: ChosenGame, policy: Any, against: Any = None) -> str:
    """The printed name of a game with its policies.

    >>> from sevenout.questions.chosen_game import named_game
    >>> titled(named_game("pig"), "hold-20", "best")
    'Pig, hold-20 against best'
    """
    parts = [chosen.title, *([called(policy)] if policy else [])]
    return ", ".join(parts) + (f" against {called(against)}" if against else "")


def called(policy: Any) -> str:
    """The printed name of a policy."""
    return policy if isinstance(policy, str) else getattr(policy, "__name__", "a policy")


def players_of(
    chosen: ChosenGame, model: Any, plays: list[Any], goal: str | None = None
) -> list[Policy]:
    """The policy of the player, or of each of two players, by state."""
    if len(plays) > 1 and not model.passes and len(model.players) < 2:
        raise RulesError(f"{chosen.title} has one player; leave --against out")

    def best_one() -> Policy:
        from sevenout.solving.optimal_play import best

        found: Any = best(model, **wish_of(chosen, goal))
        policy: Policy = found.policy
        return policy

    found = {BEST: best_one()} if BEST in plays else {}
    return [found[BEST] if play == BEST else play for play in plays]
