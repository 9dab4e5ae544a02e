"""`sevenout best`: what to do in a game with choices, and what a mistake costs."""

from typing import Any, Literal

from sevenout.cli.choosing import (
    BEST,
    policies_of,
    policy_of,
    take_goal,
    titled,
    wish_of,
)
from sevenout.cli.options import Json, Plot
from sevenout.cli.out import print_json, show
from sevenout.cli.resolve import choose
from sevenout.cli.turn_words import turn_of
from sevenout.errors import NotationError, RulesError, shown
from sevenout.model import Chain, Model, explore, has_choices, state_name
from sevenout.model.naming import in_words
from sevenout.questions.states import states_meant
from sevenout.rules import ByTurns, Game


def best(
    game: str | None = None,
    /,
    *,
    table: str | None = None,
    goal: str | None = None,
    at: str | None = None,
    against: str | None = None,
    policy: tuple[str, ...] = (),
    method: Literal["auto", "exact", "certified"] = "auto",
    plot: Plot | None = None,
    picture: Literal["policy", "margins"] = "policy",
    law: bool = False,
    json: Json = False,
    **rules: str,
) -> None:
    """Optimal play: its value with its proof, a strategy card, and what simple play costs.

    Parameters
    ----------
    game
        A game with choices (see `sevenout games`), or one in a Python file: mine.py:Lucky.
    table
        Instead of a game, bets at the craps table and their amounts: "pass=1-2-5,field=1..10";
        with --bankroll, --goal or --rolls, --want goal, money or log, --idle yes, --house.
    goal
        What is wanted: "most turn", "fewest rolls", "P(shut)", "pass >= 10"; what the game is
        played for if not said. A whole number is the game's own goal, the score to reach.
    at
        Say what may be done in this state, such as "40,60,12": each option's value and cost. In a
        game of turns, the boxes that are taken and the dice: "sixes 18, chance 22; 1 3 3 5 6".
    against
        The other player follows this policy: a name such as hold-20, or mine.py:careful.
    policy
        Compare this policy, by the same names; may be given several times. The game's own simple
        policies if none is given. In a game of turns: greedy, or mine.py:careful, a function of the
        card and of the state of the turn.
    method
        exact (fractions), certified (digits with a proved bound), or auto.
    plot
        Save a picture to this file: .png, .svg or .pdf.
    picture
        Which: what to do by state, or what the wrong move costs.
    law
        In a game of turns: how often it comes to how much.
    rules
        Options of the game, such as --tiles 12.
    """
    from sevenout.solve.policies.policy_pages import page

    if table is not None:
        from sevenout import questions
        from sevenout.cli.asking import ask

        if (game, at, against, policy, plot) != (None, None, None, (), None):
            raise NotationError("--table is played alone: no game, --at, --against or --plot")
        wanted = {"goal": goal} if goal is not None else {}
        ask(questions.question("bets"), {"table": table, **wanted, **rules}, {}, json)
        return
    if game is None:
        raise NotationError("the best play of what? Name a game (see `sevenout games`), or --table")
    goal = take_goal(goal, rules)
    chosen = choose(game, **rules)
    if not has_choices(chosen.game) and isinstance(explore(chosen.game), Chain):
        raise RulesError(
            f"{chosen.title} asks the player nothing; `sevenout odds` says what is true of it"
        )
    turns = isinstance(chosen.game, ByTurns)
    if turns and (against is not None or plot is not None):
        raise RulesError(
            f"{chosen.title} is played alone, turn by turn: compare a way to play it with "
            "--policy, and leave --against and --plot out"
        )
    if law and not turns:
        raise RulesError(f"--law is for games of turns; `sevenout odds` has that of {chosen.title}")
    if against == BEST:
        raise NotationError("--against best is what `sevenout best` says anyway; leave it out")
    other = None if against is None else policy_of(chosen, against)
    named = {name: policy_of(chosen, name) for name in policy}
    asked = wish_of(chosen, goal) | {"against": other, "method": method}
    optimum, state = _solved(chosen.game, asked, at, against)
    title = titled(chosen, None, against)
    if plot is not None:
        from sevenout.report.pictures import decisions
        from sevenout.report.pictures.style import save

        draw = {"policy": decisions.policy_map, "margins": decisions.margin_map}[picture]
        save(draw(optimum), plot)
    if at is not None:
        _at(title, optimum, state, at if turns else "", json)
        return
    policies = named or policies_of(chosen, goal)
    if json:
        from sevenout.turns.turnpages import law_data

        data = {"game": title} | optimum.to_dict()
        data |= {"law": law_data(optimum.law)} if law else {}
        print_json(data | {"policies": [each.to_dict() for each in optimum.compared(policies)]})
    else:
        show(title, page(optimum, policies, law=law), text=chosen.text)


def _solved(
    game: Game, asked: dict[str, Any], at: str | None, against: str | None
) -> tuple[Any, Any]:
    """The optimum, and the state that is meant; where there is none, that is said at once."""
    from sevenout.optimal_play import best as solve
    from sevenout.optimal_play import posed, solved
    from sevenout.solve.goal import goal_of_turns

    if isinstance(game, ByTurns):
        goal = goal_of_turns(game, asked.get("most"), asked.get("least"))
        state = None if at is None else turn_of(game, goal, at)
        return solve(game, **asked), state
    arena = posed(game, **asked)
    state = None if at is None else state_of(arena.model, at, against)
    return solved(arena, asked["method"]), state


def state_of(model: Model, text: str, against: str | None = None) -> Any:
    """The state that is meant by a text: as it is printed, or as it is written in Python.

    Raises:
        RulesError: nobody is asked in such a state, or it never comes up against that policy.
    """
    asked = model.asked
    names = () if model.seen else model.coordinates  # what is seen has parts of its own
    if not asked:
        raise RulesError(f"--at {shown(text)}: nobody chooses anything in this game; leave it out")
    found = states_meant(text, asked, names)
    if model.seen and not found:  # as a table says it, below the name of the player
        found = [
            each
            for each in asked
            if isinstance(each, tuple) and state_name(each[1]) == text.strip()
        ]
    if len(found) == 1:
        return found[0]
    some = "; ".join(in_words(state, names) for state in found[:6] or list(asked)[:6])
    if found:
        raise RulesError(f"{shown(text)} may be several states: {some}")
    if against is not None:
        raise RulesError(
            f"against {against} state {shown(text)} never comes up, or nothing is asked there; "
            f"leave --against out, or ask of one such as: {some}"
        )
    raise RulesError(f"nobody is asked anything in state {shown(text)}; questions come in: {some}")


def _at(title: str, optimum: Any, state: Any, said: str, json: bool) -> None:
    """What may be done in a state; with a score card and no dice, how to play its next turn."""
    from sevenout.solve.policies import policy_pages as pages
    from sevenout.turns import turnpages

    whole = said and state[2] is None
    if json:
        data = (turnpages.card_data if whole else pages.options_data)(optimum, state, said)
        print_json({"game": title} | data)
        return
    show(title, (turnpages.card_page if whole else pages.options_page)(optimum, state, said))
