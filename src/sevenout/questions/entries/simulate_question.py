"""Simulate many complete games, roll by roll."""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sevenout.errors import NotationError, RulesError, shown
from sevenout.questions.arguments import Argument, seed, text, whole
from sevenout.questions.findings import LazyAnswer
from sevenout.questions.question import Question
from sevenout.questions.schema import by_name, exact, integer, listed, number, record, string
from sevenout.questions.subject_kinds import PLAYABLE

if TYPE_CHECKING:
    from sevenout.model import Chain
    from sevenout.questions.named_policies import PlayedGame
    from sevenout.rules import Game
    from sevenout.simulation import Tally

MOST_GAMES = 2**54
PILOTS = 100
INTERRUPTED = 130


def answer(
    playing: "PlayedGame",
    *,
    games: int,
    seed: int,
    bet: str | None,
    histogram: str | None,
    backend: str,
    executor: Any = None,
    **run: Any,
) -> LazyAnswer:
    """The tally of the games; `executor` and `run` are arguments of `simulate`."""
    from sevenout.model import Chain, has_choices
    from sevenout.questions.named_policies import play_of
    from sevenout.rules import ByTurns
    from sevenout.simulation import Interrupted, simulate
    from sevenout.simulation.backends.engine_choice import engine
    from sevenout.simulation.unexplored.exploration_choice import explored

    chosen = playing.chosen
    engine(backend)
    if chosen is not None:
        chosen.refuse_bet(bet)
    if histogram not in (None, "none") and chosen is not None and has_choices(chosen.game):
        raise NotationError("histogram= is for games without choices; leave it out")
    if chosen is not None and isinstance(chosen.game, ByTurns):
        if playing.against is not None:
            raise RulesError(f"{chosen.title} has one player; leave against= out")
        found = play_of(chosen, playing.policy, "policy=").simulate(games, seed)
        return LazyAnswer(found.page, lambda: {"seed": seed} | found.to_dict())
    subject = playing.playable
    chain = explored(subject, games, executor)
    if chain is not None:  # else it is checked during play
        check_bet(chain, bet)
    if not isinstance(subject, Chain):
        told = counting(subject, chain, histogram)
        subject = told if chain is None or told is not subject else chain
    code = 0
    try:
        tally = simulate(subject, games, seed, backend=backend, executor=executor, **run)
    except Interrupted as stopped:
        if not stopped.tally.games:
            raise
        tally, code = stopped.tally, INTERRUPTED
    return of_tally(tally, seed, bet, code)


def of_tally(tally: "Tally", seed: int | None, bet: str | None, code: int = 0) -> LazyAnswer:
    """The tally beside exact values, if these are known."""
    from sevenout.simulation.statistics import as_data, has_exact_values
    from sevenout.solving import solve

    solution = None
    if has_exact_values(tally.about):
        with suppress(KeyboardInterrupt):  # show the tally without them
            solution = solve(tally.chain)

    def data() -> dict[str, Any]:
        lines = as_data(tally, solution, bet)
        return {"seed": seed, "statistics": lines, "tally": tally.to_dict()}

    return LazyAnswer(lambda: tally.page(solution, bet), data, tally, code=code)


def check_bet(chain: "Chain", bet: str | None) -> None:
    """Refuse an unknown bet."""
    if bet is not None and bet not in chain.bets:
        raise NotationError(f"no bet {shown(bet)}; the bets are: {', '.join(chain.bets) or 'none'}")


def counting(game: "Game", chain: "Chain | None", counter: str | None) -> "Game":
    """The game with outcomes by counter value, up to where 99 % of games end.

    For an unexplored game, the limit comes from 100 other games.
    """
    from sevenout.rules import CounterOutcomes
    from sevenout.simulation.statistics import has_exact_values
    from sevenout.solving import solve

    if counter == "none" or (counter is None and not game.counters):
        return game
    if counter is None and (chain is None or chain.bets or not has_exact_values(chain)):
        return game
    counter = counter or list(game.counters)[-1]
    if chain is None:
        return CounterOutcomes(game, counter, _most(game, counter) + 1)
    likely = int(solve(chain).distribution(counter).quantile("99/100"))
    return CounterOutcomes(game, counter, likely + 1)


def _most(game: "Game", counter: str) -> int:
    """The highest value of a counter in some games, for an unexplored game."""
    from math import ceil

    from sevenout.simulation.unexplored.lazy_replay import play_alone

    seen = [dict(one.counts) | {"rolls": len(one.rolls)} for one in play_alone(game, 0, 0, PILOTS)]
    known = dict.fromkeys(["rolls", *game.counters, *(name for counts in seen for name in counts)])
    if counter not in known:
        raise RulesError(f"the game has no counter {shown(counter)}; it has: {', '.join(known)}")
    return max(0, *(ceil(counts.get(counter, 0)) for counts in seen))


STATISTIC = record(
    "a figure",
    {
        "name": string("what it is"),
        "seen": {"type": ["integer", "string", "number"], "description": "what was seen"},
        "exact": exact("what it should be", optional=True),
        "z": number("how far that is off, in standard errors", optional=True),
    },
)
QUESTION = Question(
    name="simulate",
    help="Simulate a game many times, roll by roll, each to its end.",
    of=PLAYABLE,
    answer=answer,
    arguments=(
        Argument(
            "games", whole(1, MOST_GAMES), "The number of games: 1e9, 10_000, 2.5e6.", "1000", "1e6"
        ),
        Argument(
            "seed",
            seed(),
            "The seed of the random numbers. The same seed gives the same tally.",
            default="1",
        ),
        Argument("bet", text(), "Show only this bet.", default=None),
        Argument(
            "histogram",
            text(),
            "Keep the histogram of this counter, such as won, instead of the outcomes. Write "
            "none for no histogram. The default in a game without bets is its goal.",
            default=None,
        ),
        Argument(
            "backend",
            text(),
            "The engine: auto, numpy, llvm, llvm-128, llvm-256 or llvm-512; the tally is the same.",
            default="auto",
        ),
    ),
    heading=lambda **_: "",
    returns={
        "seed": integer("the seed", optional=True),
        "statistics?": listed(STATISTIC) | {"description": "the figures, beside the exact ones"},
        "tally?": {"type": "object", "description": "all that was counted"},
        "goal?": string("of a game of turns: what is wanted"),
        "games?": integer("how many games were played"),
        "mean?": string("the mean of the simulation"),
        "deviation?": number("the standard deviation of the simulation"),
        "value?": string("the exact mean"),
        "bound?": string("its error bound; 0 if exact"),
        "z?": number("how far the mean seen is off, in standard errors"),
        "quantiles?": by_name(string("the quantiles of the simulation")),
    },
)
