"""How a game is played: policies by name, games that follow them, and the search for the best.

`PlayedGame` is a game under policies, the subject of questions about odds and simulations.
`Choices` is a game with its objective, the subject of questions about optimal play. Both are
explored and solved once a question needs it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sevenout.errors import NotationError, RulesError, shown
from sevenout.model import Chain, Policy, explore, has_choices
from sevenout.questions.arguments import ArgumentError
from sevenout.questions.states import decision_at, turn_of
from sevenout.questions.subjects import GameSubject, subject_of
from sevenout.rules import ByTurns, Game
from sevenout.rules.gamefiles.python_file import is_python, policy_in
from sevenout.rules.objective import objective_of, parse_objective, with_comparison
from sevenout.solving.best_play import BestPlay

if TYPE_CHECKING:
    from sevenout.rules import Progressive
    from sevenout.solving import Optimum, Solution
    from sevenout.solving.bet_result import BetResult
    from sevenout.solving.turn_policies import Play


BEST, GREEDY = "best", "greedy"


def wish_of(chosen: GameSubject, goal: str | None) -> dict[str, Any]:
    """The objective: the goal in words, or the game's own."""
    objective = objective_of(chosen.game) if goal is None else parse_objective(goal)
    return objective.arguments if objective else {}


def points_of(chosen: GameSubject) -> str:
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


def policy_of(chosen: GameSubject, name: Any) -> Any:
    """A policy by name, or from a Python file; anything else as given."""
    if not isinstance(name, str):
        return name
    if chosen.reads_files and is_python(name):
        return policy_in(name)
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


def policies_of(chosen: GameSubject, goal: str | None = None) -> Mapping[str, Policy]:
    """The simple policies of a game by name."""
    names = chosen.decision.policies if chosen.decision else ()
    if goal is not None and with_comparison(chosen.game, parse_objective(goal)) is not chosen.game:
        # Simple policies aim at the game's own goal; their cost for another says nothing.
        return {}
    return {name: policy_of(chosen, name) for name in names}


def followed(
    chosen: GameSubject,
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
        compared = with_comparison(chosen.game, parse_objective(goal))
        goal = goal if compared is chosen.game else None
        chosen = replace(chosen, game=compared)
    # A card with its tally and the dice has millions of states; they are solved turn by turn.
    if isinstance(chosen.game, ByTurns):
        raise RulesError(
            f"{chosen.title} has too many states for a policy; use "
            "`sevenout best --distribution` or `sevenout simulate --policy best`"
        )
    if policy is None:
        policy_names = ", ".join(chosen.decision.policies) if chosen.decision else ""
        raise RulesError(
            f"{chosen.title} has choices: say how the player plays, {how}best"
            + (f" or {how}{policy_names.partition(',')[0]}" if policy_names else "")
            + "; `sevenout best` shows optimal play"
        )
    names = [policy] if against is None else [policy, against]
    plays = [name if name == BEST else policy_of(chosen, name) for name in names]
    model = explore(chosen.game)
    if not model.decisions:
        return chain_of(model)
    return model.under(*players_of(chosen, model, plays, goal))


def play_of(chosen: GameSubject, policy: Any, how: str = "--policy ") -> "Play":
    """A game of turns under a policy; `how` names the policy option in errors."""
    if policy is None:
        raise RulesError(
            f"{chosen.title} has choices; give {how}{BEST}, {how}{GREEDY} (each turn by itself), "
            f"or {how}mine.py:careful"
        )
    from sevenout.solving.optimal_play import best

    followed_policy: Any = policy if policy == BEST else policy_of(chosen, policy)
    optimum: Any = best(chosen.game, **wish_of(chosen, None))
    play: Play = optimum.under(followed_policy)
    return play


def titled(chosen: GameSubject, policy: Any, against: Any = None) -> str:
    """The printed name of a game with its policies.

    >>> from sevenout.questions.subjects import named_game
    >>> titled(named_game("pig"), "hold-20", "best")
    'Pig, hold-20 against best'
    """
    parts = [chosen.title, *([called(policy)] if policy else [])]
    return ", ".join(parts) + (f" against {called(against)}" if against else "")


def called(policy: Any) -> str:
    """The printed name of a policy."""
    return policy if isinstance(policy, str) else getattr(policy, "__name__", "a policy")


def players_of(
    chosen: GameSubject, model: Any, plays: list[Any], goal: str | None = None
) -> list[Policy]:
    """The policy of the player, or of each of two players, by state."""
    if len(plays) > 1 and not model.passes and len(model.players) < 2:
        raise RulesError(f"{chosen.title} has one player; leave --against out")

    def best_one() -> Policy:
        from sevenout.solving.optimal_play import best

        optimum: Any = best(model, **wish_of(chosen, goal))
        policy: Policy = optimum.policy
        return policy

    # Solved once, also where both players follow it.
    policies = {BEST: best_one()} if BEST in plays else {}
    return [policies[BEST] if play == BEST else play for play in plays]


# --- what a question makes of a game and its policies ---------------------------------------------


@dataclass(frozen=True)
class PlayedGame:
    """A game under its policies: a subject that is explored and solved once a question needs it.

    Attributes:
        chosen: the game; None if only its chain was given.
        policy: the player's, by name or as a function of the state; None without choices.
        against: the second player's; None if both follow `policy`.
        chain: the chain that was given, in place of a game.
    """

    chosen: GameSubject | None
    policy: Any = None
    against: Any = None
    chain: Chain | None = None

    @cached_property
    def playable(self) -> Game | Chain:
        """The game to play, or the chain of the policies."""
        if self.chain is not None or self.chosen is None:
            assert self.chain is not None
            return self.chain
        return followed(self.chosen, self.policy, self.against, how="policy=")

    @cached_property
    def solution(self) -> "Solution":
        """The exact answer."""
        from sevenout.solving import solve

        return solve(self.playable)

    @property
    def awards(self) -> "Mapping[str, Progressive]":
        """Progressive awards by bet."""
        return self.chosen.awards if self.chosen is not None else {}

    @property
    def currency(self) -> str:
        """The currency of amounts; "" for units."""
        return self.chosen.file.currency if self.chosen and self.chosen.file else ""

    @property
    def text(self) -> str:
        """The rules in words, if any."""
        return self.chosen.text if self.chosen is not None else ""

    @classmethod
    def of_solution(cls, solution: "Solution", chosen: GameSubject | None = None) -> "PlayedGame":
        """A game that is solved already."""
        played = cls(chosen, chain=solution.chain)
        vars(played)["solution"] = solution  # where `cached_property` looks
        return played


def played_game(game: Any, policy: Any = None, against: Any = None) -> PlayedGame:
    """A game under its policies, from a game, a chain or a solution.

    Raises:
        RulesError: not a game, or a policy for a game that is solved already.
    """
    from sevenout.solving import Solution

    if isinstance(game, Solution):
        game = PlayedGame.of_solution(game)
    if isinstance(game, Chain):
        game = PlayedGame(None, chain=game)
    if isinstance(game, PlayedGame):
        # A solution was computed under its policies; others would need its game.
        if policy not in (None, BEST) or against is not None:
            raise RulesError("the game is already solved; leave policy= and against= out")
        return game
    return PlayedGame(subject_of(game), policy, against)


def solved_game(game: Any, policy: Any = None, against: Any = None) -> PlayedGame:
    """The same, solved at once, so that what is wrong with the game is said first."""
    played = played_game(game, policy, against)
    played.solution  # noqa: B018
    return played


def bet_of_game(
    game: Any, bet: str | None = None, policy: Any = None, against: Any = None
) -> "BetResult":
    """A bet of a game; the game's main bet if none is named."""
    from sevenout.solving.bet_result import BetResult

    if isinstance(game, BetResult):
        return game
    played = played_game(game, policy, against)
    if played.chosen is not None:
        # A wrong name is said at once, not after the game is solved.
        played.chosen.refuse_bet(bet)
    return played.solution.bet(bet or (played.chosen.bet if played.chosen else None))


@dataclass(frozen=True)
class Choices:
    """A game with choices, solved when needed.

    >>> from sevenout.catalogue import games
    >>> Choices.of(games.entry("pig-turn")).optimum.value
    Fraction(492303203, 60466176)

    Attributes:
        chosen: None if the optimum is there already.
        goal: the objective in words; None for the game's own.
        against: the other player's policy; None for the best.
        method: the solver: "auto", "exact" or "certified".
        solved: the optimum that was given in place of a game; None if a game was.
    """

    chosen: GameSubject | None
    goal: str | None = None
    against: Any = None
    method: Any = "auto"
    solved: BestPlay | None = None

    @classmethod
    def of(
        cls, game: Any, goal: str | None = None, against: Any = None, method: str = "auto"
    ) -> "Choices":
        """A game with choices, or its optimum, as a subject."""
        if isinstance(game, BestPlay):
            if (goal, against, method) != (None, None, "auto"):
                raise RulesError(
                    "the game is already solved; leave goal=, against= and method= out"
                )
            return cls(None, solved=game)
        chosen = subject_of(game)
        if not has_choices(chosen.game) and isinstance(explore(chosen.game), Chain):
            raise RulesError(f"{chosen.title} has no choices; use `sevenout odds`")
        if isinstance(chosen.game, ByTurns) and against is not None:
            raise RulesError(
                f"{chosen.title} has one player; leave against= out, and use policy= to compare "
                "a policy"
            )
        # The best reply is what the page compares everything with.
        if against == BEST:
            raise ArgumentError("against", f"{BEST} is always shown; leave it out")
        other = None if against is None else policy_of(chosen, against)
        # Only for its error: a goal that can't be read is refused before the game is solved.
        wish_of(chosen, goal)
        return cls(chosen, goal, other, method)

    @property
    def turns(self) -> bool:
        """Whether it is a game of turns."""
        played = self.chosen.game if self.chosen is not None else getattr(self.solved, "game", None)
        return isinstance(played, ByTurns)

    @cached_property
    def asked(self) -> dict[str, Any]:
        """The arguments of the solver."""
        assert self.chosen is not None
        wish = wish_of(self.chosen, self.goal)
        return wish | {"against": self.against, "method": self.method}

    @cached_property
    def optimum(self) -> BestPlay:
        """Optimal play."""
        from sevenout.solving.optimal_play import best

        if self.solved is not None:
            return self.solved
        assert self.chosen is not None
        optimum: BestPlay = best(self.chosen.game, **self.asked)
        return optimum

    @property
    def table(self) -> "Optimum":
        """Optimal play of a game with a list of decision states and costs."""
        from sevenout.solving import Optimum

        if not isinstance(self.optimum, Optimum):
            raise RulesError(
                "a game of turns or of hidden dice has no list of decision states; give another "
                "game with choices, such as pig"
            )
        return self.optimum

    def policies(self, names: tuple[Any, ...] = ()) -> Mapping[str, Any]:
        """Policies to compare, by name; by default, the game's own simple ones."""
        if self.chosen is None:
            return {called(one): one for one in names}
        policies = {called(name): policy_of(self.chosen, name) for name in names}
        return policies or policies_of(self.chosen, self.goal)

    def at(self, text: Any) -> tuple[BestPlay, Any]:
        """Optimal play, and the state that a text describes; resolved before solving."""
        from sevenout.solving.goal import goal_of_turns
        from sevenout.solving.optimal_play import arena_of, optimum_of

        if self.chosen is None:
            optimum: Any = self.optimum
            if hasattr(optimum, "meant"):
                return optimum, _meant(optimum, text)
            model = getattr(optimum, "model", None)
            return optimum, text if model is None else decision_at(model, text)
        game = self.chosen.game
        if isinstance(game, ByTurns):
            goal = goal_of_turns(game, self.asked.get("most"), self.asked.get("least"))
            state = turn_of(game, goal, text)
            return self.optimum, state
        # The states are read from the explored game: a wrong one is refused before it is solved.
        arena = arena_of(game, **self.asked)
        if arena.hands is not None:
            optimum = optimum_of(arena, self.method)
            return optimum, _meant(optimum, text)
        state = decision_at(arena.model, text, self.against)
        return optimum_of(arena, self.method), state


def _meant(optimum: Any, text: Any) -> Any:
    """The state of a game of hidden hands that a text describes."""
    try:
        return optimum.meant(text)
    except RulesError as error:
        raise ArgumentError("at", str(error)) from None
