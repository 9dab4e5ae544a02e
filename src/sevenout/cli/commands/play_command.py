"""`sevenout play`: a game at the terminal, roll by roll."""

import sys
from collections.abc import Iterator
from contextlib import suppress
from random import Random

from sevenout.cli.options import Bet, Rules, Seed, refuse_unread
from sevenout.cli.out import aligned, console, forgiving_slips, print_json, typed_lines
from sevenout.cli.playing.game_play import PlayedTable, Players, Screen
from sevenout.errors import TooManyStatesError, TooMuchWorkError
from sevenout.model import explore, has_choices
from sevenout.model.exploration import QUICK_STATES
from sevenout.questions.subjects import check_bet, find_game

CHOICE_HELP = "Enter rolls, answer with an option or its beginning, q stops."
HIDDEN_HELP = "Answer with an option or its beginning, q stops."
ROLL_HELP = "Enter rolls, faces such as `3 5` play a roll of your own, q stops."


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
    arguments = locals()
    if game == "table":
        from sevenout.cli.playing.table_play import sit_down

        refuse_unread(play, arguments, "play table", ["game", "seed", "json", "rules"])
        sit_down(rules, seed, json)
        return
    if strategy is not None:
        from sevenout.cli.playing.evening_play import play_evening

        refuse_unread(play, arguments, "--strategy", ["strategy", "seed", "json", "rules"])
        play_evening(strategy, rules, seed=seed, json=json)
        return

    subject = find_game(game, rules, files=True)
    subject.refuse_bet(bet)
    if bet is not None:
        # A large game in code is checked while it is played.
        with suppress(TooManyStatesError, TooMuchWorkError):
            check_bet(bet, explore(subject.game, QUICK_STATES).bets)
    players = Players(subject, against, coach)
    out = console()
    print_line = (lambda *_args, **_style: None) if json else out.print
    help_text = CHOICE_HELP if has_choices(subject.game) else ROLL_HELP
    if players.hides_dice:
        help_text = HIDDEN_HELP
    print_line(f"{subject.title}: {help_text}", style="bold")
    table, random = PlayedTable(subject.game, players), Random(seed)
    screen = Screen(print_line, out.encoding, bet)
    _play_games(table, screen, typed_lines(json, lambda: table.prompt), random, help_text)
    statistics = table.statistics(bet)
    if json:
        print_json({"game": subject.title} | statistics | table.score_cards)
        return
    if not table.position.settled:
        screen.show_card(table)
    print_line()
    print_line(aligned(statistics))


def _play_games(
    table: PlayedTable, screen: Screen, answers: Iterator[str], random: Random, help_text: str
) -> None:
    """Play game after game with the player's answers, until they end."""
    while True:
        table.begin_if_settled()
        while not table.position.settled and not table.players.player_moves(table.position):
            screen.show_move(table, table.move_other_side(random))
        if table.position.settled:
            continue
        screen.show_view(table)
        line = next(answers, None)
        if line is None:
            return
        if line.lower() in ("help", "?"):
            screen.print_line(f"{help_text} Now: {table.prompt}.")
            continue
        move = None
        with forgiving_slips(screen.print_line):
            move = table.play(line, random)
        if move is None:
            continue
        screen.show_move(table, move)
        if move.is_roll_choice and sys.stdin.isatty() and table.player_rolls:
            screen.show_move(table, table.play("", random))  # the player has just chosen to roll
