"""`sevenout compare`: games side by side, in the rules and in every figure."""

from dataclasses import replace
from typing import TYPE_CHECKING

from sevenout.cli.options import Json, Outputs
from sevenout.cli.out import documents, print_json, show
from sevenout.cli.resolve import choose, without_awards
from sevenout.errors import RulesError, SevenoutError
from sevenout.model import has_choices
from sevenout.questions.chosen_game import ChosenGame
from sevenout.questions.policies import BEST, followed, play_of, policy_of, titled
from sevenout.rules import ByTurns

if TYPE_CHECKING:
    from sevenout.report.contender import Contender
    from sevenout.turns.turn_distribution import FinalLaw


def compare(
    first: str,
    second: str,
    /,
    *more: str,
    bet: tuple[str, ...] = (),
    output: Outputs = (),
    json: Json = False,
) -> None:
    """Compare two games or more: what differs in the rules, and in every figure, exactly.

    Parameters
    ----------
    first
        A game: a name of the catalogue, a .toml file, a variant such as 2,3,12/7,11/7, a Python
        file's game, mine.py:Lucky; of a game with choices who plays it, too (of two players both):
        pig@hold-20, pig@best. A game of turns is played best or greedily, each turn for its own
        sake, or by a policy of one's own: yahtzee@best, yahtzee@greedy, yahtzee@mine.py:careful.
    second
        Another game.
    more
        Further games; each is compared with the first.
    bet
        Compare this bet only; may be given several times. Bets of one name are compared, and where
        each game has only one, those.
    """
    from sevenout.files import write
    from sevenout.page import Page
    from sevenout.report.comparison import compare as side_by_side
    from sevenout.report.turn_sheet import compared
    from sevenout.turns.turnpages import law_data

    laws = _laws((first, second, *more))
    if laws and bet:
        raise RulesError(f"--bet {bet[0]}: games of turns have no bets; leave it out")
    if laws:
        page = compared(laws)
    else:
        found = side_by_side(_contenders((first, second, *more)), bets=bet or None)
        # in files and as data the games have fingerprints, which may take minutes
        page = found.page() if output else Page(found.title, *([] if json else found.blocks()))
    for path, content in documents(page, output):
        write(path, content)
    if json:
        laid = {title: law_data(law) for title, law in laws.items()}
        print_json(laid or found.to_dict())
    elif not output:
        show(page.title, Page("", *page.blocks))


def _laws(words: tuple[str, ...]) -> "dict[str, FinalLaw]":
    """The law of what each comes to, where they are games of turns; else nothing.

    Raises:
        RulesError: only some are, or nobody says how they are played.
    """
    named = [_named(word) for word in words]
    turns = [isinstance(chosen.game, ByTurns) for chosen, _ in named]
    if not any(turns):
        return {}
    if not all(turns):
        title = named[turns.index(True)][0].title
        raise RulesError(f"{title} is a game of turns; compare it with another such game")
    found: dict[str, FinalLaw] = {}
    for (chosen, policy), word in zip(named, words, strict=True):
        title = titled(chosen, policy)
        title = title if title not in found else f"{title}, game {len(found) + 1}"
        found[title] = play_of(chosen, policy, f"{word}@").law
    return found


def _contenders(words: tuple[str, ...]) -> "list[Contender]":
    games: list[Contender] = []
    for word in words:
        game = _contender(word)
        taken = {other.title for other in games}
        if game.title in taken:
            game = replace(game, title=f"{game.title} ({word})")
        if game.title in taken:
            game = replace(game, title=f"{game.title}, game {len(games) + 1}")
        games.append(game)
    return games


def _contender(word: str) -> "Contender":
    from sevenout.report.contender import Contender
    from sevenout.solve import solve

    chosen, policy = _named(word)
    without_awards(chosen)
    if policy is None and has_choices(chosen.game):
        known = next(iter(chosen.decision.policies), None) if chosen.decision else None
        raise RulesError(
            f"{chosen.title} has choices: say who plays it, {word}@{BEST}"
            + (f" or {word}@{known}" if known else "")
        )
    if policy not in (None, BEST):
        policy_of(chosen, policy)  # a name that is none is found before the game is explored
    solution = solve(followed(chosen, policy))
    bets = (chosen.bet,) if chosen.bet else solution.chain.bets
    title = titled(chosen, policy)
    return Contender(title, chosen.game, solution, bets, chosen.text, policy or "")


def _named(word: str) -> tuple[ChosenGame, str | None]:
    """A game, and its policy where the word has one: GAME@POLICY."""
    name, at, policy = word.rpartition("@")
    if at and name and policy:
        try:
            chosen = choose(name)
            if has_choices(chosen.game):
                return chosen, policy
        except SevenoutError:
            pass  # a variant's dice, as in 2,3/4,12/12@d8
    return choose(word), None
