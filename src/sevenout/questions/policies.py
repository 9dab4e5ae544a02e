"""How a game is played: policies by name, games that follow them, and the search for the best.

`PlayedGame` is a game under policies, the subject of questions about odds and simulations.
`Choices` is a game with its objective, the subject of questions about optimal play. Both are
explored and solved once a question needs it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sevenout.errors import NotationError, RulesError, shown
from sevenout.model import Chain, Policy, chain_of, explore, has_choices
from sevenout.questions.arguments import ArgumentError, naming_argument
from sevenout.questions.states import decision_at, parse_turn
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


def objective_arguments(subject: GameSubject, goal: str | None) -> dict[str, Any]:
    """The objective: the goal in words, or the game's own."""
    objective = objective_of(subject.game) if goal is None else parse_objective(goal)
    return objective.arguments if objective else {}


def points_counter(subject: GameSubject) -> str:
    """The counter that is the objective of a game of turns."""
    objective = objective_arguments(subject, None)
    counter = objective.get("most", objective.get("least"))
    return counter if isinstance(counter, str) else "score"


def split_goal(goal: str | None, game_options: dict[str, str]) -> tuple[str | None, dict[str, str]]:
    """A goal in words, and the options of the game; a whole number is one of those instead.

    >>> split_goal("50", {}), split_goal("fewest rolls", {})
    ((None, {'goal': '50'}), ('fewest rolls', {}))
    """
    if goal is not None and goal.strip().isdecimal():
        return None, {**game_options, "goal": goal.strip()}
    return goal, game_options


def find_policy(subject: GameSubject, name: Any) -> Any:
    """A policy by name, or from a Python file; anything else as given."""
    if not isinstance(name, str):
        return name
    if subject.reads_files and is_python(name):
        return policy_in(name)
    if isinstance(subject.game, ByTurns):
        if name == GREEDY:
            return name
        raise NotationError(
            f"no policy {shown(name)} in a game of turns; give {GREEDY}, or mine.py:careful for "
            "a function of the card and the state of the turn"
        )
    if subject.decision_entry is None:
        raise NotationError(
            f"no policy {shown(name)}; give best, or a function of the state: mine.py:careful"
        )
    return subject.decision_entry.policy(name, **subject.options)


def simple_policies(subject: GameSubject, goal: str | None = None) -> Mapping[str, Policy]:
    """The simple policies of a game by name."""
    names = subject.decision_entry.policies if subject.decision_entry else ()
    if (
        goal is not None
        and with_comparison(subject.game, parse_objective(goal)) is not subject.game
    ):
        # Simple policies aim at the game's own goal; their cost for another says nothing.
        return {}
    return {name: find_policy(subject, name) for name in names}


def game_under_policies(
    subject: GameSubject,
    policy: Any,
    against: Any = None,
    policy_option: str = "--policy ",
) -> Game | Chain:
    """The game to play, or the chain of a policy."""
    if not has_choices(subject.game):
        if policy is not None or against is not None:
            option = "policy" if policy is not None else "against"
            option = policy_option.strip().replace("policy", option)
            raise RulesError(f"{subject.title} has no choices; leave {option} out")
        return subject.game
    # A card with its tally and the dice has millions of states; they are solved turn by turn.
    if isinstance(subject.game, ByTurns):
        raise RulesError(
            f"{subject.title} has too many states for a policy; use "
            "`sevenout best --distribution` or `sevenout simulate --policy best`"
        )
    if policy is None:
        policy_names = ", ".join(subject.decision_entry.policies) if subject.decision_entry else ""
        raise RulesError(
            f"{subject.title} has choices: say how the player plays, {policy_option}best"
            + (f" or {policy_option}{policy_names.partition(',')[0]}" if policy_names else "")
            + "; `sevenout best` shows optimal play"
        )
    names = [policy] if against is None else [policy, against]
    policies = [name if name == BEST else find_policy(subject, name) for name in names]
    model = explore(subject.game)
    if not model.decisions:
        return chain_of(model)
    return model.under(*player_policies(subject, model, policies))


def turns_under_policy(
    subject: GameSubject, policy: Any, policy_option: str = "--policy "
) -> "Play":
    """A game of turns under a policy; `policy_option` names it in errors."""
    if policy is None:
        raise RulesError(
            f"{subject.title} has choices; give {policy_option}{BEST}, {policy_option}{GREEDY} "
            f"(each turn by itself), or {policy_option}mine.py:careful"
        )
    from sevenout.solving.optimal_play import best

    followed_policy: Any = policy if policy == BEST else find_policy(subject, policy)
    optimum: Any = best(subject.game, **objective_arguments(subject, None))
    play: Play = optimum.under(followed_policy)
    return play


def title_with_policies(subject: GameSubject, policy: Any, against: Any = None) -> str:
    """The printed name of a game with its policies.

    >>> from sevenout.questions.subjects import named_game
    >>> title_with_policies(named_game("pig"), "hold-20", "best")
    'Pig, hold-20 against best'
    """
    parts = [subject.title, *([policy_name(policy)] if policy else [])]
    return ", ".join(parts) + (f" against {policy_name(against)}" if against else "")


def policy_name(policy: Any) -> str:
    """The printed name of a policy."""
    return policy if isinstance(policy, str) else getattr(policy, "__name__", "a policy")


def player_policies(subject: GameSubject, model: Any, followed_policies: list[Any]) -> list[Policy]:
    """The policy of the player, or of each of two players, by state."""
    if len(followed_policies) > 1 and not model.passes and len(model.players) < 2:
        raise RulesError(f"{subject.title} has one player; leave --against out")

    def optimal_policy() -> Policy:
        from sevenout.solving.optimal_play import best

        optimum: Any = best(model, **objective_arguments(subject, None))
        policy: Policy = optimum.policy
        return policy

    # Solved once, also where both players follow it.
    policies = {BEST: optimal_policy()} if BEST in followed_policies else {}
    return [policies[BEST] if play == BEST else play for play in followed_policies]


# --- what a question makes of a game and its policies ---------------------------------------------


@dataclass(frozen=True)
class PlayedGame:
    """A game under its policies: a subject that is explored and solved once a question needs it.

    Attributes:
        subject: the game; None if only its chain was given.
        policy: the player's, by name or as a function of the state; None without choices.
        against: the second player's; None if both follow `policy`.
        chain: the chain that was given, in place of a game.
    """

    subject: GameSubject | None
    policy: Any = None
    against: Any = None
    chain: Chain | None = None

    @cached_property
    def playable(self) -> Game | Chain:
        """The game to play, or the chain of the policies."""
        if self.chain is not None or self.subject is None:
            assert self.chain is not None
            return self.chain
        return game_under_policies(self.subject, self.policy, self.against, policy_option="policy=")

    @cached_property
    def solution(self) -> "Solution":
        """The exact answer."""
        from sevenout.solving import solve

        return solve(self.playable)

    @property
    def awards(self) -> "Mapping[str, Progressive]":
        """Progressive awards by bet."""
        return self.subject.awards if self.subject is not None else {}

    @property
    def currency(self) -> str:
        """The currency of amounts; "" for units."""
        return self.subject.file.currency if self.subject and self.subject.file else ""

    @property
    def rules_text(self) -> str:
        """The rules in words, if any."""
        return self.subject.rules_text if self.subject is not None else ""

    @classmethod
    def from_solution(
        cls, solution: "Solution", subject: GameSubject | None = None
    ) -> "PlayedGame":
        """A game that is solved already."""
        played = cls(subject, chain=solution.chain)
        vars(played)["solution"] = solution  # where `cached_property` looks
        return played


def played_game(game: Any, policy: Any = None, against: Any = None) -> PlayedGame:
    """A game under its policies, from a game, a chain or a solution.

    Raises:
        RulesError: not a game, or a policy for a game that is solved already.
    """
    from sevenout.solving import Solution

    if isinstance(game, Solution):
        game = PlayedGame.from_solution(game)
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
    if played.subject is not None:
        # A wrong name is said at once, not after the game is solved.
        played.subject.refuse_bet(bet)
    return played.solution.bet(bet or (played.subject.bet if played.subject else None))


@dataclass(frozen=True)
class Choices:
    """A game with choices, solved when needed.

    >>> from sevenout.catalogue import games
    >>> Choices.from_game(games.entry("pig-turn")).optimum.value
    Fraction(492303203, 60466176)

    Attributes:
        subject: None if the optimum is there already.
        goal: the objective in words; None for the game's own.
        against: the other player's policy; None for the best.
        method: the solver: "auto", "exact" or "certified".
        given_optimum: the optimum that was given in place of a game; None if a game was.
    """

    subject: GameSubject | None
    goal: str | None = None
    against: Any = None
    method: Any = "auto"
    given_optimum: BestPlay | None = None

    @classmethod
    def from_game(
        cls, game: Any, goal: str | None = None, against: Any = None, method: str = "auto"
    ) -> "Choices":
        """A game with choices, or its optimum, as a subject."""
        if isinstance(game, BestPlay):
            if (goal, against, method) != (None, None, "auto"):
                raise RulesError(
                    "the game is already solved; leave goal=, against= and method= out"
                )
            return cls(None, given_optimum=game)
        subject = subject_of(game)
        if not has_choices(subject.game) and isinstance(explore(subject.game), Chain):
            raise RulesError(f"{subject.title} has no choices; use `sevenout odds`")
        if isinstance(subject.game, ByTurns) and against is not None:
            raise RulesError(
                f"{subject.title} has one player; leave against= out, and use policy= to compare "
                "a policy"
            )
        # The best reply is what the page compares everything with.
        if against == BEST:
            raise ArgumentError("against", f"{BEST} is always shown; leave it out")
        against_policy = None if against is None else find_policy(subject, against)
        # Only for its error: a goal that can't be read is refused before the game is solved.
        objective_arguments(subject, goal)
        return cls(subject, goal, against_policy, method)

    @property
    def is_turn_game(self) -> bool:
        """Whether it is a game of turns."""
        played = (
            self.subject.game
            if self.subject is not None
            else getattr(self.given_optimum, "game", None)
        )
        return isinstance(played, ByTurns)

    @cached_property
    def solver_arguments(self) -> dict[str, Any]:
        """The arguments of the solver."""
        assert self.subject is not None
        wish = objective_arguments(self.subject, self.goal)
        return wish | {"against": self.against, "method": self.method}

    @cached_property
    def optimum(self) -> BestPlay:
        """Optimal play."""
        from sevenout.solving.optimal_play import best

        if self.given_optimum is not None:
            return self.given_optimum
        assert self.subject is not None
        optimum: BestPlay = best(self.subject.game, **self.solver_arguments)
        return optimum

    @property
    def decision_optimum(self) -> "Optimum":
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
        if self.subject is None:
            return {policy_name(policy): policy for policy in names}
        policies = {policy_name(name): find_policy(self.subject, name) for name in names}
        return policies or simple_policies(self.subject, self.goal)

    def optimum_and_state(self, state_text: Any) -> tuple[BestPlay, Any]:
        """Optimal play, and the state that a text describes; resolved before solving."""
        from sevenout.solving.goal import goal_of_turns
        from sevenout.solving.optimal_play import arena_of, optimum_of

        if self.subject is None:
            optimum: Any = self.optimum
            if hasattr(optimum, "parse_state"):
                return optimum, _hidden_state(optimum, state_text)
            model = getattr(optimum, "model", None)
            return optimum, state_text if model is None else decision_at(model, state_text)
        game = self.subject.game
        if isinstance(game, ByTurns):
            goal = goal_of_turns(
                game, self.solver_arguments.get("most"), self.solver_arguments.get("least")
            )
            state = parse_turn(game, goal, state_text)
            return self.optimum, state
        # The states are read from the explored game: a wrong one is refused before it is solved.
        arena = arena_of(game, **self.solver_arguments)
        if arena.hands is not None:
            optimum = optimum_of(arena, self.method)
            return optimum, _hidden_state(optimum, state_text)
        state = decision_at(arena.model, state_text, self.against)
        return optimum_of(arena, self.method), state


def _hidden_state(optimum: Any, state_text: Any) -> Any:
    """The state of a game of hidden hands that a text describes."""
    with naming_argument("at"):
        return optimum.parse_state(state_text)
