"""Several games as words of a command line, each with who plays it: craps pig@hold-20."""

from collections.abc import Iterable
from dataclasses import replace

from sevenout.cli.resolve import choose, without_awards
from sevenout.errors import SevenoutError
from sevenout.model import has_choices
from sevenout.questions.chosen_game import ChosenGame
from sevenout.questions.named_policies import titled


def games_of(words: Iterable[str]) -> list[ChosenGame]:
    """The games that are meant by words; of two with one title the second says its word.

    Raises:
        SevenoutError: a word means none.
    """
    found: list[ChosenGame] = []
    for word in words:
        game = without_awards(_game(word))
        if titled(game, game.policy) in {titled(other, other.policy) for other in found}:
            game = replace(game, title=f"{game.title} ({word})")
        found.append(game)
    return found


def _game(word: str) -> ChosenGame:
    name, at, policy = word.rpartition("@")
    if at and name and policy:
        try:
            chosen = choose(name)
            if has_choices(chosen.game):
                return replace(chosen, policy=policy)
        except SevenoutError:
            pass  # a variant's dice, as in 2,3/4,12/12@d8
    return choose(word)
