"""Games side by side: differences in rules and figures."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sevenout.documents import Page
from sevenout.errors import RulesError, shown
from sevenout.questions.arguments import Argument, text
from sevenout.questions.findings import LazyAnswer
from sevenout.questions.question import Question
from sevenout.questions.schema import boolean, by_name, exact, listed, number, record, string
from sevenout.questions.subject_kinds import GAMES

if TYPE_CHECKING:
    from sevenout.papers.comparison import Contender
    from sevenout.questions.subjects import GameSubject
    from sevenout.solving.turns.turn_distribution import FinalLaw


def answer(games: "tuple[GameSubject, ...]", *, bet: tuple[str, ...]) -> LazyAnswer:
    """The games beside the first; games of turns by their final distributions."""
    from sevenout.papers.comparison import compare
    from sevenout.papers.turn_sections import compared
    from sevenout.solving.turns.turnpages import law_data

    if laws := _laws(games):
        if bet:
            raise RulesError(f"bet={bet[0]}: games of turns have no bets; leave it out")
        page = compared(laws)
        data = {title: law_data(law) for title, law in laws.items()}
        return LazyAnswer(lambda: page, lambda: {"distributions": data}, lambda: page)
    for name in bet:  # refused before exploring, if the rules list the bets
        if all(each.bets and name not in each.bets for each in games):
            raise RulesError(f"no game has the bet {shown(name)}")
    found = compare(_contenders(games), bets=bet or None)
    # data and files include fingerprints, which may take minutes
    return LazyAnswer(lambda: Page(found.title, *found.blocks()), found.to_dict, found.page)


def _laws(games: "tuple[GameSubject, ...]") -> "dict[str, FinalLaw]":
    """The final distribution of each game of turns; empty for other games."""
    from sevenout.questions.named_policies import play_of, titled
    from sevenout.rules import ByTurns

    turns = [isinstance(chosen.game, ByTurns) for chosen in games]
    if not any(turns):
        return {}
    if not all(turns):
        title = games[turns.index(True)].title
        raise RulesError(f"{title} is a game of turns; compare it with another such game")
    found: dict[str, FinalLaw] = {}
    for chosen in games:
        title = titled(chosen, chosen.policy)
        title = title if title not in found else f"{title}, game {len(found) + 1}"
        found[title] = play_of(chosen, chosen.policy, f"{_name(chosen)}@").law
    return found


def _contenders(games: "tuple[GameSubject, ...]") -> "list[Contender]":
    found: list[Contender] = []
    for chosen in games:
        game = _contender(chosen)
        if game.title in {other.title for other in found}:
            game = replace(game, title=f"{game.title}, game {len(found) + 1}")
        found.append(game)
    return found


def _contender(chosen: "GameSubject") -> "Contender":
    from sevenout.model import has_choices
    from sevenout.papers.comparison import Contender
    from sevenout.questions.named_policies import BEST, followed, policy_of, titled
    from sevenout.solving import solve

    policy: Any = chosen.policy
    if policy is None and has_choices(chosen.game):
        known = next(iter(chosen.decision.policies), None) if chosen.decision else None
        name = _name(chosen)
        raise RulesError(
            f"{chosen.title} has choices; add a policy, {name}@{BEST}"
            + (f" or {name}@{known}" if known else "")
        )
    if policy not in (None, BEST):
        policy_of(chosen, policy)  # refuse an unknown name before exploring
    solution = solve(followed(chosen, policy))
    bets = (chosen.bet,) if chosen.bet else solution.chain.bets
    title = titled(chosen, policy)
    return Contender(title, chosen.game, solution, bets, chosen.text, policy or "")


def _name(chosen: "GameSubject") -> str:
    """The game's name before a policy."""
    return chosen.decision.id if chosen.decision else "GAME"


FIGURE = {"anyOf": [{"type": ["string", "number", "null"]}, {"type": "object"}]}
FIGURES = by_name(
    record(
        "figures by their names",
        {
            "values": listed({**FIGURE, "description": "of each game"}),
            "differences": listed({**FIGURE, "description": "from the first game"}),
        },
    )
)
QUESTION = Question(
    name="compare",
    help="Games side by side: the differences in their rules and in every figure, exactly.",
    of=GAMES,
    answer=answer,
    arguments=(
        Argument(
            "bet",
            text(),
            "Compare only this bet. Otherwise sevenout compares bets of the same name, or the "
            "only bet of each game.",
            default=None,
            many=True,
        ),
    ),
    returns={
        "games?": listed(
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
        "bets?": listed(
            record(
                "the bets, each with its figures in all games",
                {
                    "bets": listed(string("its name in each game", optional=True)),
                    "figures": FIGURES,
                    "table": listed(
                        record(
                            "the return table",
                            {
                                "event": string("what happens"),
                                "pays": listed(exact("the profit per unit", optional=True)),
                                "probability": listed(exact("its probability", optional=True)),
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
)
