"""Games of the catalogue: the list, games side by side, and simulations."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sevenout.documents import Column, Page, Table, Text
from sevenout.documents.kinds import COUNT, DECIMAL, FRACTION, LABEL, MONO, SCORE
from sevenout.errors import NotationError, RulesError, shown
from sevenout.questions.arguments import arg, input_file, output_file, seed, whole_number
from sevenout.questions.question import LazyAnswer, asks
from sevenout.questions.schema import (
    boolean,
    by_name,
    exact,
    integer,
    list_of,
    mapping,
    number,
    record,
    string,
)
from sevenout.questions.subject_kinds import GAMES, NUMBERS, PLAYABLE

if TYPE_CHECKING:
    from sevenout.catalogue.entries import Entry
    from sevenout.model import Chain
    from sevenout.papers.comparison import Contender
    from sevenout.questions.policies import PlayedGame
    from sevenout.questions.subjects import GameSubject
    from sevenout.rules import Game
    from sevenout.simulation import Progress, Tally
    from sevenout.solving.turn_policies import ScoreDistribution


# --- the list -------------------------------------------------------------------------------------

FIRST_GAMES = {
    "craps": "the line at craps, the game of the casino",
    "place-6-8": "place the 6 or the 8",
    "field": "the field, a bet on the next roll",
    "hard-8": "the hard 8: two fours before a 7 or another 8",
    "fire-bet-a": "the fire bet, on the points of one shooter",
    "hazard": "hazard, the ancestor of craps",
    "chuck-a-luck-1-2-3": "chuck-a-luck, three dice in a cage",
    "sic-bo-any-triple-30-1": "sic bo: any triple",
    "pig": "Pig: roll on, or hold",
    "yahtzee": "Yahtzee, thirteen boxes",
    "shut-the-box": "shut the box",
    "risk-battle": "a battle in Risk",
}
"""The games that a newcomer sees first."""
GAME_ENTRY = record(
    "a game",
    {
        "id": string("its name"),
        "title": string("its name in print"),
        "family": string("the games that it belongs to"),
        "options": by_name(string("the default of each option")),
        "rules": string("its rules"),
        "source": string("where they come from"),
        "bet?": string("its main bet"),
        "goal?": mapping("of a game with choices: its objective"),
        "policies?": list_of(string("a policy that it knows")),
    },
)


@asks(
    NUMBERS,
    "List the games and bets of the catalogue, or search them.",
    {"games": list_of(GAME_ENTRY, "the games that were found, or all")},
    label="Games",
)
def games(
    _: None,
    search: tuple[str, ...] = arg(
        "List only games that have every one of these words in their name, title, family or rules.",
        example="hard",
        positional=True,
    ),
    all: bool = arg("List all games, and not only the first twelve."),
) -> LazyAnswer:
    """Twelve games to begin with, or all that are searched for."""
    from sevenout.catalogue import games as shelf

    matches = shelf.search(*search)
    with_choices = [entry for entry in matches if entry.has_choices]
    entries = [entry for entry in matches if not entry.has_choices] + shelf.endless.search(*search)
    if not entries and not with_choices:
        raise RulesError(
            f"no game in the catalogue has {' and '.join(search)!r}; see `sevenout games`"
        )

    def page() -> Page:
        if not search and not all:
            return _first_games(len(entries) + len(with_choices))
        by_family: dict[str, list[Entry]] = {}
        for entry in sorted(entries, key=lambda entry: entry.family):
            by_family.setdefault(entry.family, []).append(entry)
        for entry in with_choices:
            by_family.setdefault("Games with choices, for sevenout best", []).append(entry)
        # a name is copied from the screen, so it must not break
        columns: list[Any] = [Column("game", MONO), "title", "options"]
        return Page(
            "Games",
            *(
                Page(family, Table(columns, [(e.id, e.title, _options_text(e)) for e in members]))
                for family, members in by_family.items()
            ),
        )

    def data() -> dict[str, Any]:
        return {
            "games": [_entry_data(entry) | {"bet": entry.bet} for entry in entries]
            + [
                _entry_data(entry) | {"goal": dict(entry.goal), "policies": list(entry.policies)}
                for entry in with_choices
            ]
        }

    return LazyAnswer(page, data)


def _first_games(count: int) -> Page:
    more = count - len(FIRST_GAMES)
    return Page(
        "Games",
        Table(["game", "what it is"], list(FIRST_GAMES.items())),
        Text(
            "Write a name after sevenout: `sevenout field`. There are "
            f"{more} more: `sevenout games --all` lists them, `sevenout games hard` searches them.",
            tone="note",
        ),
    )


def _entry_data(entry: "Entry") -> dict[str, Any]:
    from sevenout.questions.subjects import option_text

    return {
        "id": entry.id,
        "title": entry.title,
        "family": entry.family,
        "options": {name: option_text(value) for name, value in entry.options.items()},
        "rules": " ".join(entry.rules.split()),
        "source": entry.source,
    }


def _options_text(entry: "Entry") -> str:
    from sevenout.questions.subjects import option_text

    texts = ((name.replace("_", "-"), option_text(value)) for name, value in entry.options.items())
    return " ".join(f"--{name} {text}" for name, text in texts if text)


# --- games side by side ---------------------------------------------------------------------------

FIGURE = {"anyOf": [{"type": ["string", "number", "null"]}, {"type": "object"}]}
FIGURES = by_name(
    record(
        "figures by their names",
        {
            "values": list_of(FIGURE, "of each game"),
            "differences": list_of(FIGURE, "from the first game"),
        },
    )
)


@asks(
    GAMES,
    "Games side by side: the differences in rules and figures, exactly.",
    {
        "games?": list_of(
            record(
                "the games",
                {
                    "title": string("its title"),
                    "fingerprint": string("the hash of its chain"),
                    "rules": by_name(string("its rules, by what they are about")),
                },
            )
        ),
        "same_chain?": boolean("whether the games have the same chain"),
        "bets?": list_of(
            record(
                "the bets, each with its figures in all games",
                {
                    "bets": list_of(string("its name in each game", optional=True)),
                    "figures": FIGURES,
                    "table": list_of(
                        record(
                            "the return table",
                            {
                                "event": string("what happens"),
                                "pays": list_of(exact("the profit per unit", optional=True)),
                                "probability": list_of(exact("its probability", optional=True)),
                            },
                        )
                    ),
                },
            )
        ),
        "length?": FIGURES | {"description": "how long the games last"},
        "distributions?": by_name(
            record(
                "of games of turns: the distribution of the result",
                {
                    "mean": string("the mean"),
                    "deviation": number("the standard deviation"),
                    "error": string("its error bound"),
                    "chances": by_name(number("the probability of each result")),
                },
            )
        ),
    },
    label="Games compared",
)
def compare(
    games: "tuple[GameSubject, ...]",
    bet: tuple[str, ...] = arg(
        "Compare only this bet. Otherwise sevenout compares bets of the same name, or the only bet "
        "of each game."
    ),
) -> LazyAnswer:
    """The games beside the first; games of turns by their final distributions."""
    from sevenout.papers.comparison import compare as compared_games
    from sevenout.papers.turn_sections import compared

    if laws := _final_laws(games):
        if bet:
            raise RulesError(f"bet={bet[0]}: games of turns have no bets; leave it out")
        page = compared(laws)
        data = {title: law.to_dict() for title, law in laws.items()}
        return LazyAnswer(lambda: page, lambda: {"distributions": data}, lambda: page)
    for name in bet:  # refused before exploring, if the rules list the bets
        if all(game.bets and name not in game.bets for game in games):
            raise RulesError(f"no game has the bet {shown(name)}")
    contenders = list(map(_contender, games, _distinct_titles(games)))
    comparison = compared_games(contenders, bets=bet or None)
    # data and files include fingerprints, which may take minutes
    return LazyAnswer(
        lambda: Page(comparison.title, *comparison.blocks()), comparison.to_dict, comparison.page
    )


def _final_laws(games: "tuple[GameSubject, ...]") -> "dict[str, ScoreDistribution]":
    """The final distribution of each game of turns; empty for other games."""
    from sevenout.questions.policies import turns_under_policy
    from sevenout.rules import ByTurns

    turns = [isinstance(subject.game, ByTurns) for subject in games]
    if not any(turns):
        return {}
    # Their results are scores; other games have profits.
    if not all(turns):
        title = games[turns.index(True)].title
        raise RulesError(f"{title} is a game of turns; compare it with another such game")
    return {
        title: turns_under_policy(subject, subject.policy, f"{_name_before_policy(subject)}@").law
        for title, subject in zip(_distinct_titles(games), games, strict=True)
    }


def _distinct_titles(games: "tuple[GameSubject, ...]") -> list[str]:
    """The titles of games with their policies; two policies may have one name."""
    from sevenout.questions.policies import title_with_policies

    titles: list[str] = []
    for subject in games:
        title = title_with_policies(subject, subject.policy)
        titles.append(f"{title}, game {len(titles) + 1}" if title in titles else title)
    return titles


def _contender(subject: "GameSubject", title: str) -> "Contender":
    from sevenout.papers.comparison import Contender
    from sevenout.questions.policies import game_under_policies
    from sevenout.solving import solve

    policy: Any = subject.policy
    solution = solve(
        game_under_policies(subject, policy, policy_option=f"{_name_before_policy(subject)}@")
    )
    bets = (subject.bet,) if subject.bet else solution.chain.bets
    return Contender(title, subject.game, solution, bets, subject.rules_text, policy or "")


def _name_before_policy(subject: "GameSubject") -> str:
    """The game's name before a policy."""
    return subject.decision_entry.id if subject.decision_entry else "GAME"


@compare.saving
def comparison_as_documents(
    answer: LazyAnswer,
    output: tuple[Path, ...] = arg(
        "The file to write: .pdf, .html or .json. Repeat the option for several files.",
        output_file("a page", ".pdf", ".html", ".json"),
        short_option="-o",
    ),
) -> str:
    """The comparison as documents."""
    from sevenout.files import write

    (document,) = answer.results
    page = document()
    contents = {".pdf": page.pdf, ".html": page.html, ".json": page.json}
    for path in output:
        write(path, contents[path.suffix.lower()]())
    return ""


# --- simulations ----------------------------------------------------------------------------------

MAX_GAMES = 2**54
PILOT_GAMES = 100
"""The games that are played to find how high a counter goes."""
INTERRUPTED = 130
"""The exit code after Ctrl-C, as after SIGINT."""
STATISTIC = record(
    "a figure",
    {
        "name": string("what it is"),
        "seen": {"type": ["integer", "string", "number"], "description": "what was seen"},
        "exact": exact("what it should be", optional=True),
        "z": number("how far that is off, in standard errors", optional=True),
    },
)

HISTOGRAM = arg(
    "Keep the histogram of this counter, such as won, instead of the outcomes. Write none for no "
    "histogram. The default in a game without bets is its goal."
)


@asks(
    PLAYABLE,
    "Simulate a game many times, roll by roll, each to its end.",
    {
        "seed": integer("the seed", optional=True),
        "statistics?": list_of(STATISTIC, "the figures, beside the exact ones"),
        "tally?": mapping("all that was counted"),
        "goal?": string("of a game of turns: what is wanted"),
        "games?": integer("how many games were played"),
        "mean?": string("the mean of the simulation"),
        "deviation?": number("the standard deviation of the simulation"),
        "value?": string("the exact mean"),
        "bound?": string("its error bound; 0 if exact"),
        "z?": number("how far the mean seen is off, in standard errors"),
        "quantiles?": by_name(string("the quantiles of the simulation")),
    },
    label="Simulation",
)
def simulate(
    playing: "PlayedGame",
    games: int = arg(
        "The number of games: 1e9, 10_000, 2.5e6.",
        whole_number(1, MAX_GAMES),
        example="1000",
        default="1e6",
    ),
    seed: int = arg(
        "The seed of the random numbers. The same seed gives the same tally.", seed(), default="1"
    ),
    bet: str | None = arg("Show only this bet."),
    histogram: str | None = HISTOGRAM,
    backend: str = arg(
        "The engine: auto, numpy, llvm, llvm-128, llvm-256 or llvm-512; the tally is the same.",
        default="auto",
    ),
    threads: int | None = arg(
        "The number of threads. The default is one for each processor.", local_only=True
    ),
    cluster: str | None = arg(
        "The scheduler of a Dask cluster, such as tcp://host:8786.", local_only=True
    ),
    save: str | None = arg("Write checkpoints to this file.", local_only=True),
    resume: bool = arg("Continue from the checkpoint, if there is one.", local_only=True),
    progress: Callable[..., object] | None = None,
) -> LazyAnswer:
    """The tally of the games."""
    from sevenout.model import Chain, has_choices
    from sevenout.questions.subjects import check_bet
    from sevenout.rules import ByTurns
    from sevenout.simulation import Interrupted
    from sevenout.simulation import simulate as play
    from sevenout.simulation.lazy_sampler import affordable_chain
    from sevenout.simulation.run import engine

    if threads is not None and cluster is not None:
        raise NotationError(f"threads={threads} does not go with cluster=; give one of them")
    chosen = playing.subject
    # A wrong name is refused before the game is explored.
    engine(backend)
    if chosen is not None:
        chosen.refuse_bet(bet)
    if histogram not in (None, "none") and chosen is not None and has_choices(chosen.game):
        raise NotationError("histogram= is for games without choices; leave it out")
    if chosen is not None and isinstance(chosen.game, ByTurns):
        for_rolls = {
            "bet": bet,
            "backend": backend != "auto",
            "threads": threads,
            "cluster": cluster,
            "save": save,
            "resume": resume,
        }
        if stated := [name for name, value in for_rolls.items() if value]:
            raise RulesError(f"{stated[0]}= does not work for a game of turns; leave it out")
        return _simulate_turns(playing, chosen, games, seed)
    subject, exit_code = playing.playable, 0
    with _executor(threads, cluster) as (executor, window):
        chain = affordable_chain(subject, games, executor)
        if chain is not None:  # else it is checked during play
            check_bet(bet, chain.bets)
        if not isinstance(subject, Chain):
            counted = game_by_counter(subject, chain, histogram)
            subject = counted if chain is None or counted is not subject else chain
        try:
            tally = play(
                subject,
                games,
                seed,
                backend=backend,
                executor=executor,
                window=window,
                progress=None if progress is None else partial(_show_progress, progress),
                save=save,
                resume=resume,
            )
        except Interrupted as stopped:
            if not stopped.tally.games:
                raise
            tally, exit_code = stopped.tally, INTERRUPTED
    return tally_answer(tally, seed, bet, exit_code)


def _simulate_turns(
    playing: "PlayedGame", subject: "GameSubject", games: int, seed: int
) -> LazyAnswer:
    """The simulation of a game of turns, whose score has figures of its own."""
    from sevenout.questions.policies import turns_under_policy

    if playing.against is not None:
        raise RulesError(f"{subject.title} has one player; leave against= out")
    sample = turns_under_policy(subject, playing.policy, "policy=").simulate(games, seed)
    return LazyAnswer(sample.page, lambda: {"seed": seed} | sample.to_dict())


def _show_progress(report: Callable[..., object], state: "Progress") -> None:
    # the first report may come before the clock has moved
    speed = state.rolls / max(state.seconds, 1e-9) / 1e6
    report(state.finished, state.games, f"{speed:,.0f} million rolls/s")


@contextmanager
def _executor(
    threads: int | None, cluster: str | None
) -> Iterator[tuple[Executor | None, int | None]]:
    """Where to play, and the most tasks in flight."""
    if cluster is not None:
        from sevenout.simulation.run import connect

        with connect(cluster) as (executor, window):
            yield executor, window
    elif threads is not None:
        with ThreadPoolExecutor(threads) as pool:
            yield pool, 2 * threads
    else:
        yield None, None


def tally_answer(tally: "Tally", seed: int | None, bet: str | None, code: int = 0) -> LazyAnswer:
    """The tally beside exact values, if these are known."""
    from sevenout.simulation.tally import has_exact_values, statistics_data
    from sevenout.solving import solve

    solution = None
    if has_exact_values(tally.outline):
        with suppress(KeyboardInterrupt):  # show the tally without them
            solution = solve(tally.chain)

    def data() -> dict[str, Any]:
        lines = statistics_data(tally, solution, bet)
        return {"seed": seed, "statistics": lines, "tally": tally.to_dict()}

    return LazyAnswer(lambda: tally.page(solution, bet), data, tally, exit_code=code)


UNREACHED = 10**9
"""A count that no game reaches, for a histogram in which every value has its own row."""


def game_by_counter(game: "Game", chain: "Chain | None", counter: str | None) -> "Game":
    """The game with outcomes by counter value, up to where 99 % of games end.

    For an unexplored game, the limit comes from 100 other games.
    """
    from sevenout.rules import CounterOutcomes
    from sevenout.simulation.tally import has_exact_values
    from sevenout.solving import solve

    if counter == "none" or (counter is None and not game.counters):
        return game
    if counter is None and (chain is None or chain.bets or not has_exact_values(chain)):
        return game
    counter = counter or list(game.counters)[-1]
    if chain is None:
        return CounterOutcomes(game, counter, _largest_count(game, counter) + 1)
    # Larger counts share a row, from which a count could not fall again.
    if counter != "rolls" and any(
        step < 0 for counts in chain.tags for name, step in counts if name == counter
    ):
        return CounterOutcomes(game, counter, UNREACHED)
    # The last row holds the rest, so that no game is left out.
    likely = int(solve(chain).distribution(counter).quantile("99/100"))
    return CounterOutcomes(game, counter, likely + 1)


def _largest_count(game: "Game", counter: str) -> int:
    """The highest value of a counter in some games, for an unexplored game."""
    from math import ceil

    from sevenout.simulation.replay import play_alone

    counts_by_game = [
        dict(pilot.counts) | {"rolls": len(pilot.rolls)}
        for pilot in play_alone(game, 0, 0, PILOT_GAMES)
    ]
    counters = dict.fromkeys(["rolls", *game.counters])
    for counts in counts_by_game:
        counters |= dict.fromkeys(counts)
    if counter not in counters:
        raise RulesError(f"the game has no counter {shown(counter)}; it has: {', '.join(counters)}")
    return max(0, *(ceil(counts.get(counter, 0)) for counts in counts_by_game))


MAINS = range(5, 10)


@simulate.mode(
    "Rounds of hazard with each main from 5 to 9: how often the caster wins.",
    {
        "seed": integer("the seed of main 5; main 6 uses the next one, and so on"),
        "mains": by_name(
            record(
                "by main",
                {
                    "rounds": integer("how many rounds were played"),
                    "wins": integer("how many the caster won"),
                    "seen": number("the share"),
                    "exact": exact("the probability"),
                    "z": number("how far the share is off, in standard errors", optional=True),
                },
            )
        ),
    },
    example="hazard",
    label="Mains of hazard",
)
def simulate_mains(
    playing: "PlayedGame",
    rounds: int = arg(
        "Play this many rounds of hazard with each main from 5 to 9.",
        whole_number(1, MAX_GAMES),
        example="1000",
    ),
    seed: int = arg("The seed of main 5; main 6 uses the next one.", seed(), default="1"),
) -> LazyAnswer:
    """The caster's win rates; with one seed for all, mains 6 and 8 would roll alike."""
    from sevenout.catalogue import games as shelf
    from sevenout.simulation import simulate as play
    from sevenout.simulation.tally import statistics
    from sevenout.solving import solve

    if playing.subject is None or getattr(playing.subject.entry, "id", "") != "hazard":
        raise RulesError("rounds= is for hazard, with each main; give games=")
    if playing.policy is not None or playing.against is not None:
        raise RulesError("hazard has no choices; leave policy= and against= out")
    if playing.subject.options:
        raise RulesError("rounds= plays hazard with each main; leave main= out")
    rows = []
    for index, main in enumerate(MAINS):
        tally = play(shelf("hazard", main=main), rounds, seed + index)
        lines = statistics(tally, solve(tally.chain))
        line = next(line for line in lines if line.name == "probability of winning")
        rows.append((main, tally.games, tally.bet().won, line.seen, line.exact, line.z))

    def page() -> Page:
        columns = [Column("main", LABEL), Column("rounds", COUNT), Column("wins", COUNT)]
        columns += [Column("win rate", DECIMAL), Column("exact", FRACTION, DECIMAL)]
        caption = "Hazard: how often the caster wins"
        return Page("", Table([*columns, Column("z", SCORE)], rows, caption=caption))

    def data() -> dict[str, Any]:
        mains = {
            str(main): {
                "rounds": played,
                "wins": wins,
                "seen": float(seen),
                "exact": str(probability),
                "z": z,
            }
            for main, played, wins, seen, probability, z in rows
        }
        return {"seed": seed, "mains": mains}

    return LazyAnswer(page, data, terminal_view=page)  # the table says that it is hazard


@simulate.mode(
    "The games of a log of rolls.",
    {
        "seed": {"type": "null", "description": "null: nothing was drawn"},
        "statistics": list_of(STATISTIC, "the figures, beside the exact ones"),
        "tally": mapping("all that was counted"),
    },
    label="Games of a log",
)
def simulate_log(
    playing: "PlayedGame",
    log: Path = arg(
        "Replay the rolls of this file instead, one roll per line, such as 3,4 or 7.",
        input_file(),
        local_only=True,
    ),
    bet: str | None = arg("Show only this bet."),
    histogram: str | None = HISTOGRAM,
) -> LazyAnswer:
    """The tally of the games in the file."""
    from sevenout.model import has_choices
    from sevenout.simulation import read_log, recount, replay_log
    from sevenout.simulation.lazy_sampler import affordable_chain

    game_subject = playing.subject
    if game_subject is None:
        raise NotationError("log= needs the rules of a game, and not its chain")
    if has_choices(game_subject.game):
        raise NotationError(
            f"log={shown(str(log))}: a log holds only rolls, and {game_subject.title} has choices; "
            "simulate it without a log"
        )
    playing.playable  # noqa: B018  raises if a policy is given
    game = game_by_counter(game_subject.game, affordable_chain(game_subject.game, 0), histogram)
    tally = recount(game, replay_log(game, read_log(str(log))))
    if not tally.games:
        raise NotationError(
            f"{log} has no finished game; write the rolls of at least one, one roll per line"
        )
    return tally_answer(tally, None, bet)
