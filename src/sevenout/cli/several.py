"""Several games as words, each with its policy: craps pig@hold-20."""

from collections.abc import Iterable
from dataclasses import replace

from sevenout.cli.resolve import choose, without_awards
from sevenout.errors import SevenoutError
from sevenout.model import has_choices
from sevenout.questions.chosen_game import ChosenGame
from sevenout.questions.named_policies import titled


def games_of(words: Iterable[str]) -> list[ChosenGame]:
    """The games of some words; a second one with the same title gets its word.

    Raises:
        SevenoutError: a word is not a game.
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
            pass  # the dice of a variant, as in 2,3/4,12/12@d8
    return choose(word)
