"""Words that a prompt shows are words that it takes, in every game with choices."""

import re
from random import Random

import pytest

from sevenout.catalogue import games
from sevenout.cli.playing.game_play import PlayedTable, Players
from sevenout.questions.subjects import find_game

STEPS = 30
LARGE = ("dice-bids", "mia", "pig-simultaneous", "dudo")
"""The other side of these takes seconds."""


def words_of(prompt):
    """What a prompt offers, such as "roll or hold" or "keep which, such as keep 5, or keep all"."""
    if "keep which" in prompt:
        return [re.search(r"such as (keep \S+),", prompt)[1], "keep all"]
    return [word for word in re.split(r" or |, ", prompt) if word and word != "..."]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow) if name in LARGE else name
        for name in (*games.without_choices, "craps")
    ],
)
def test_a_prompt_takes_each_word_that_it_shows(name):
    chosen = find_game(name)
    table, chance = PlayedTable(chosen.game, Players(chosen, None, False)), Random(5)
    seen = 0
    for _ in range(STEPS):
        table.begin_if_settled()
        if table.position.settled:
            continue
        if table.players.player_moves(table.position):
            shown = words_of(table.prompt)
            word = chance.choice(shown)
            table.play(word.upper() if seen % 2 else word, chance)
            seen += 1
        elif table.position.options:  # the other side, by any option
            table._choose((chance.choice(table.position.options),), "")
        else:
            table._roll(None, chance)
    assert seen
