"""`sevenout play`: a game at the terminal, roll by roll."""

import sys
from collections.abc import Iterator
from contextlib import suppress
from random import Random

from sevenout.cli.options import Bet, Rules, Seed
from sevenout.cli.out import aligned, console, lines, print_json, slips
from sevenout.cli.playing.game_play import PlayedTable, Players, Screen, dice_drawn
from sevenout.errors import NotationError, TooManyStatesError, TooMuchWorkError
from sevenout.model import explore, has_choices
from sevenout.model.exploration import SOON_STATES
from sevenout.questions.subjects import check_bet, find_game

ASKED = "Enter rolls, answer with an option or its beginning, q stops."
HIDDEN = "Answer with an option or its beginning, q stops."
HELP = "Enter rolls, faces such as `3 5` play a roll of your own, q stops."


def play(
    game: str = "craps",
    /,
    *,
    seed: Seed | None = None,
    bet: Bet | None = None,
    against: str | None = None,
    coach: bool = False,
    strategy: str | None = None,
    json: bool = False,
    **rules: Rules,
) -> None:
    """Play a game, roll by roll and choice by choice. The statistics come at the end.

    Press Enter to roll. To use your own dice, type their faces, such as `3 5`, or a total if the
    game needs only the total. At a choice, type an option, its first letters or its number. In a
    game of two players, you play first. Type q to stop. Input can also be piped in.

    `sevenout play table` is a craps table. Bet as players call it: pass 10, place 6 8 12, odds max.

    Parameters
    ----------
    game
        A game as for `sevenout odds`, or table, with --bankroll 300, --house
        "minimum=5,crapless=yes", --currency, --pace, --tips, --comps, --hours and --resume FILE.
    seed
        The seed of the dice. The same seed rolls the same dice.
    against
        The second player's policy: best, a name such as hold-20, or mine.py:careful.
    coach
        Show what each choice costs, compared with optimal play.
    strategy
        Let a strategy bet at the craps table: a name or a file, with the options of `sevenout
        evening` (--bankroll 300 --hours 1 --stop-win 100). Add --number 7 to replay evening 7 of a
        simulation.
    json
        Print only the statistics, as JSON, with the rolls of an evening.
    """
    if game == "table":
        from sevenout.cli.playing.table_play import sit_down

        if (bet, against, coach, strategy) != (None, None, False, None):
            raise NotationError(
                "the table doesn't take --bet, --strategy or --coach; leave them out"
            )
        sit_down(rules, seed, json)
        return
    if strategy is not None:
        from sevenout.cli.playing.evening_play import sit

        if (game, bet, against, coach) != ("craps", None, None, False):
            raise NotationError("--strategy plays at the craps table; leave the game and --bet out")
        encoding = console().encoding
        sit(
            strategy,
            rules,
            seed=seed,
            typed=lambda: lines(json, lambda: "roll"),
            drawn=lambda faces: dice_drawn(faces, encoding),
            json=json,
        )
        return

    chosen = find_game(game, rules, files=True)
    chosen.refuse_bet(bet)
    if bet is not None:
        # A large game in code is checked while it is played.
        with suppress(TooManyStatesError, TooMuchWorkError):
            check_bet(bet, explore(chosen.game, SOON_STATES).bets)
    players = Players(chosen, against, coach)
    out = console()
    say = (lambda *_args, **_style: None) if json else out.print
    help_ = HIDDEN if players.hides else ASKED if has_choices(chosen.game) else HELP
    say(f"{chosen.title}: {help_}", style="bold")
    table, random = PlayedTable(chosen.game, players), Random(seed)
    screen = Screen(say, out.encoding, bet)
    _until_the_end(table, screen, lines(json, lambda: table.prompt), random, help_)
    statistics = table.statistics(bet)
    if json:
        print_json({"game": chosen.title} | statistics | table.cards)
        return
    if not table.position.settled:
        screen.show_card(table)
    say()
    say(aligned(statistics))


def _until_the_end(
    table: PlayedTable, screen: Screen, answers: Iterator[str], random: Random, help_: str
) -> None:
    players = table.players
    while True:
        table.ready()
        while not table.position.settled and not players.mine(table.position):
            screen.moved(table, table.other(random))
        if table.position.settled:
            continue
        screen.saw(table)
        line = next(answers, None)
        if line is None:
            return
        if line.lower() in ("help", "?"):
            screen.say(f"{help_} Now: {table.prompt}.")
            continue
        moved = None
        with slips(screen.say):
            moved = table.play(line, random)
        if moved is None:
            continue
        screen.moved(table, moved)
        if moved.rolls and sys.stdin.isatty() and table.to_roll:
            screen.moved(table, table.play("", random))  # the player has just chosen to roll
