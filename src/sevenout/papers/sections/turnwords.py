"""The rules of games of turns and of bets on a hand, in words."""

from collections.abc import Mapping
from fractions import Fraction

from sevenout.documents.numbers import odds
from sevenout.numerals import Number, exact
from sevenout.rolling import Dice
from sevenout.rules import Game
from sevenout.rules.families.handbets import PointsMade, RoundsWon
from sevenout.rules.families.holding import HoldGame
from sevenout.rules.families.keepscore import KeepScore
from sevenout.rules.families.racing import Race


def turn_sentences(game: Game) -> list[str]:
    """The rules of a game of turns, a paragraph each.

    >>> from sevenout.rolling import parse_dice
    >>> turn_sentences(HoldGame(parse_dice("d6"), (1,), 100, "turn"))[0]
    'A roll of d6 adds its total to the turn; any 1 busts, and the turn scores nothing.'
    """
    match game:
        case HoldGame():
            return _hold(game)
        case Race():
            return _race(game)
        case KeepScore():
            return _keep(game)
        case PointsMade():
            what = "Each point counts once" if game.different else "Each point made counts"
            each = _prizes(game.pays, game.stake, ("point", "points"))
            return [
                f"The bet “{game.bet}” is on the points made before the {game.dice.out} that ends "
                f"the hand. {what}. {each}; any other number loses the stake."
            ]
        case RoundsWon():
            each = _prizes(game.pays, game.stake, ("round won", "rounds won"))
            lost = "one round is" if game.losses == 1 else f"{game.losses} rounds in a row are"
            return [
                f"The bet “{game.bet}” is on the rounds won until {lost} lost; a push is neither. "
                f"{each}, each up to the next number; fewer lose the stake."
            ]
    return []


def _prizes(pays: Mapping[int, Number], stake: Fraction, words: tuple[str, str]) -> str:
    prizes = ((n, odds(exact(prize) / stake)) for n, prize in pays.items())
    return "; ".join(f"{n} {words[n != 1]}: {said}" for n, said in prizes)


def _hold(game: HoldGame) -> list[str]:
    faces = " or ".join(map(str, game.bust))
    turn = f"A roll of {game.die} adds its total to the turn; any {faces} busts, and the turn "
    turn += "scores nothing."
    hold = "After each roll the player rolls again, or holds and scores what the turn has gained."
    end = {
        "turn": f"The turn ends at {game.target} points at the latest.",
        "alone": f"The game ends with the turn that brings the score to {game.target}.",
        "two": f"Two players take turns; the first to reach {game.target} wins, in mid-turn too.",
    }[game.play]
    return [turn, hold, end]


def _race(game: Race) -> list[str]:
    who = "Two players take turns to move" if game.players == 2 else "The player moves"
    said = [f"{who} by a roll of {game.die}, from before square 1 to square {game.to}."]
    if game.exact:
        said.append("A roll that goes beyond the last square is lost.")
    if game.jumps:
        jumps = ", ".join(f"{start} to {end}" for start, end in game.jumps.items())
        said.append(f"Landing on the first of these squares leads to the second: {jumps}.")
    if game.again:
        said.append(f"After {' or '.join(map(str, game.again))} the same player rolls again.")
    if game.players == 2:
        said.append("The first to reach the last square wins.")
    return said


def _keep(game: KeepScore) -> list[str]:
    rolls = f", up to {game.limit} times" if game.limit else ""
    dice = Dice([game.die] * game.count)
    said = [f"{dice} are rolled{rolls}; dice that are kept are not rolled again."]
    if game.in_order:
        order = ", then ".join(map(str, game.needed))
        said.append(f"Set aside as they come, in this order: {order}.")
    elif game.needed:
        said.append(f"Among the dice kept there must be {', '.join(map(str, game.needed))}.")
    if game.whole:
        said.append("Then the player stops, or rolls all the other dice again.")
    elif game.keep:
        said.append(f"At least {game.keep} of each roll must be kept.")
    else:
        said.append("Any dice of a roll may be kept.")
    value = "".join(f"; a {face} counts {n}" for face, n in game.values.items())
    what = "the other dice" if game.needed else "the dice"
    said.append(f"The score is the total of {what}{value}.")
    if game.needed:
        said.append("Without the dice that are needed it is 0.")
    said.append("The fewest points are best." if game.low else "The most points are best.")
    return [" ".join(said)]
