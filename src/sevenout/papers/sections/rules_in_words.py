"""Rules in words, from a game's declaration."""

from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from typing import Any

from sevenout import rules
from sevenout.evenings.evening_game import EveningGame
from sevenout.evenings.positions import Positions
from sevenout.model import state_name
from sevenout.numerals import exact
from sevenout.papers.sections.turnwords import turn_sentences
from sevenout.rolling import Dice
from sevenout.rules import (
    Checklist,
    Flat,
    Game,
    Outcome,
    PointGame,
    Renamed,
    Streak,
    Surrender,
    Together,
    Wager,
)
from sevenout.rules.casino.betting import Bettor, Strategy, TableView
from sevenout.rules.casino.onebet import OneBet
from sevenout.rules.composed.tallied import Tallied
from sevenout.rules.composed.together import bottom
from sevenout.rules.families.events import event_words
from sevenout.rules.families.handbets import PointsMade, RoundsWon
from sevenout.rules.families.holding import HoldGame
from sevenout.rules.families.keepscore import KeepScore
from sevenout.rules.families.racing import Race
from sevenout.rules.families.wager import rest_words
from sevenout.rules.game import own_words

NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def number(n: int) -> str:
    """A small number in words, a large one in figures.

    >>> number(2), number(30)
    ('two', '30')
    """
    return NUMBERS[n] if 0 <= n < len(NUMBERS) else f"{n:,}"


def listed(items: Iterable[Any], last: str = "and") -> str:
    """Items in a row.

    >>> listed([2, 3, 12])
    '2, 3 and 12'
    """
    words = [str(item) for item in items]
    return (
        f" {last} ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)
    )


def parts(game: Game) -> list[Game]:
    """The games played on the same rolls; the game itself if it is one."""
    if isinstance(game, Together):
        return [part for each in game.games for part in parts(each)]
    return [game]


def bets_of(game: Game) -> list[str]:
    """The names of a game's bets; none if it doesn't list them."""
    return list(rules.bets_of(game)) if game.bets is not None or game.outcomes else []


def sentences(game: Game) -> list[str]:
    """The rules, a paragraph each; empty for a game that is only code.

    >>> from sevenout.catalogue import games
    >>> sentences(games["craps"])[1]
    'The first roll is the come-out: 7 and 11 are naturals; 2, 3 and 12 are craps.'
    """
    match game:
        case PointGame():
            return [f"{_dice(game.dice)} {_bets(game)}", *_point_game(game), *_beside(game)]
        case Together():
            return _together(game)
        case Renamed():
            return sentences(game.game)
        case Wager():
            said = f"{_dice(game.dice, total=False)} The bet is “{game.bet}”. {_wager(game)}"
            return [said, *_beside(game)]
        case Checklist():
            said = f"{_dice(game.dice, total=False)} The bet is “{game.bet}”. {_checklist(game)}"
            return [said, *_beside(game)]
        case Surrender():
            return [*sentences(game.game), _offers(game)]
        case PointsMade() | RoundsWon():
            # the round's own bet marks its winner; nobody makes it
            return [*turn_sentences(game), _dice(game.dice.dice), *_point_game(game.dice)]
        case HoldGame() | KeepScore() | Race():
            return turn_sentences(game)
        case Flat() | Tallied():
            return sentences(game.game)
        case Streak():
            lost = (
                "one round is" if game.losses == 1 else f"{number(game.losses)} rounds in a row are"
            )
            return [
                f"What is played over and over is a round; the turn is over when {lost} lost. A "
                "push neither wins a round nor loses one.",
                *(sentences(game.dice) if isinstance(game.dice, Game) else []),
            ]
        case EveningGame(layouts=Positions(bettor=Bettor(felt=OneBet() as felt, strategy=bets))):
            return _one_bet(game.layouts, felt, bets)
    return []


def _one_bet(evening: Positions, felt: OneBet, bets: Strategy) -> list[str]:
    stake = Fraction(bets.wants(TableView(None, {}))[felt.bet]) / felt.risk
    ends = ["the next bet can't be paid"]
    if evening.ends.ceiling is not None:
        ends.append(f"{evening.ends.ceiling} or more is reached")
    if evening.ends.rounds is not None:
        ends.append(f"{evening.ends.rounds:,} bets have been made")
    return [
        f"The gambler brings {evening.bankroll} and stakes {stake} on “{felt.bet}” again "
        f"and again, until {listed(ends, 'or')}.",
        *(sentences(felt.dice) if isinstance(felt.dice, Game) else []),
    ]


def _wager(game: Wager) -> str:
    said = [
        f"{listed(rolls, 'or')} {_paid(outcome.pay(game.bet), game.stake)}"
        f"{_called(outcome.label, event_words(rolls))}"
        for rolls, outcome in ((k, game.settled(k, paid)) for k, paid in game.pays.items())
    ]
    if game.rest is None:
        return f"The dice are rolled until one of these decides it: {'; '.join(said)}."
    paid = _paid(game.rest.pay(game.bet), game.stake)
    called = _called(game.rest.label, rest_words(game.limit))
    if game.limit == 1:
        return f"The next roll decides it: {'; '.join(said)}; any other {paid}{called}."
    rolls = number(game.limit or 0)
    return f"It has {rolls} rolls: {'; '.join(said)}; if none of them comes, it {paid}{called}."


def _checklist(game: Checklist) -> str:
    wanted = listed(
        f"{listed(rolls, 'or')}{'' if n == 1 else f' ({number(n)} times)'}"
        for rolls, n in game.times.items()
    )
    ends = {n: prize for n, prize in game.pays.items() if n != game.whole}
    full = game.pays.get(game.whole)
    said = []
    if full is not None:
        what = "one of them" if game.first else "the list"
        said.append(f"once {what} is complete, it {_money(exact(full))}")
    said += [f"with {n} of them at the {game.stop}, it {_money(exact(p))}" for n, p in ends.items()]
    return (
        f"Before a {game.stop} comes, these are collected: {wanted}. {'; '.join(said).capitalize()}"
        f"; otherwise the {game.stop} loses the stake."
    )


def _offers(game: Surrender) -> str:
    by_point: dict[Any, list[Any]] = {}
    for at, (profit, _) in game.offers.items():
        by_point.setdefault(at[0] if isinstance(at, tuple) else at, []).append(profit)
    alike: dict[tuple[Any, ...], list[Any]] = {}
    for at, profits in by_point.items():
        alike.setdefault(tuple(dict.fromkeys(profits)), []).append(at)
    what = "{} boxes ticked" if isinstance(game.game, Checklist) else "the point {}"
    said = [
        f"with {what.format(listed(where, 'or'))} it {', then '.join(map(_money, profits))}"
        for profits, where in alike.items()
    ]
    rolls = ", roll after roll" if any(len(profits) > 1 for profits in alike) else ""
    return f"Before a roll the player may surrender the bet{rolls}: {'; '.join(said)}."


def _paid(paid: Any, stake: Any) -> str:
    risked = f" with {paid.risk} at risk" if paid.risk != stake else ""
    return f"{_money(paid.profit)}{risked}"


def _money(profit: Any) -> str:
    if not profit:
        return "returns the stake"
    return f"wins {profit}" if profit > 0 else f"loses {-profit}"


def _called(label: str, usual: str) -> str:
    return f" (“{label}”)" if label != usual else ""


def _beside(game: Game) -> list[str]:
    """When a side bet is made: at the come-out of the game beside it."""
    table = game.side_of
    if not isinstance(table, PointGame):
        return []
    named = listed(f"“{bet}”" for bet in bets_of(game))
    said = _point_game(table)[0]
    return [
        f"{named} is made at the come-out of the game beside it, and at no other roll. There "
        f"{said[:1].lower()}{said[1:]} The out is {table.out}."
    ]


def _together(game: Together) -> list[str]:
    out = [
        f"{number(len(game.games)).capitalize()} games are played on the same rolls, each until it "
        f"is settled. {_dice(game.rolls(tuple(part.start for part in game.games)))}"
    ]
    for n, part in enumerate(game.games, 1):
        named = listed(f"“{bet}”" for bet in bets_of(part))
        head = f"Game {n}" + (f", the bet {named}." if named else ".")
        bare = part.game if isinstance(part, Renamed) else part
        match bare:
            case PointGame():
                alike = _point_game(bare)
            case Wager():
                alike = [_wager(bare)]
            case Checklist():
                alike = [_checklist(bare)]
            case _:
                alike = sentences(part)
        inside = " ".join([*(alike or describe(part)), *_made(bare, game)])
        out.append(f"{head} {inside}".strip())
    return out


def _made(game: Game, table: Together) -> list[str]:
    """When a side bet is made, if the game beside it may be on the same rolls."""
    for n, other in enumerate(table.games, 1):
        if other is not game and isinstance(other, PointGame) and _alike(other, game.side_of):
            return [f"It is made at the come-out of game {n}, and at no other roll."]
    return _beside(game)


def _alike(game: PointGame, other: Game | None) -> bool:
    return isinstance(other, PointGame) and _point_game(game) == _point_game(other)


def _point_game(game: PointGame) -> list[str]:
    return [_come_out(game), _the_point(game)]


def describe(game: Game) -> list[str]:
    """The docstring of a game's own class by paragraphs, without code.

    >>> from sevenout.catalogue import games
    >>> describe(games["cee-lo-player"])
    ["The bank rolls; if it sets a point, the player rolls. The bet is the player's."]
    """
    return paragraphs(own_words(type(game)))


def paragraphs(text: str) -> list[str]:
    return [" ".join(part.split()) for part in text.split("\n\n") if part.strip()]


def _dice(rolled: Any, total: bool = True) -> str:
    counts = ", and what counts is the total" if total else ""
    rolled = bottom(rolled)
    if isinstance(rolled, Dice):
        count = len(rolled)
        what = "One die is" if count == 1 else f"{number(count).capitalize()} dice are"
        return f"{what} rolled ({rolled}){counts}."
    return f"The dice are rolled{counts}."


def _bets(game: PointGame) -> str:
    several = len(game.bets) > 1
    named = listed(f"“{bet}”" for bet in game.bets)
    stakes = {bet: line.stake for bet, line in game.bets.items() if line.stake != 1}
    odd = listed(f"{stake} on “{bet}”" for bet, stake in stakes.items())
    return f"The {'bets are' if several else 'bet is'} {named}." + (
        f" The stake is {odd}." if odd else ""
    )


def ranked(game: PointGame, totals: Iterable[Hashable]) -> list[Hashable]:
    """Totals in the dice's own order."""
    return sorted(totals, key=game.totals.index)


def _come_out(game: PointGame) -> str:
    clauses = []
    events = {"natural": "is a natural", "craps": "is craps", "push": "is a push"}
    names = {events[e]: f" (“{name}”)" for e, name in game.names.items() if e in events}
    for totals, one, many in (
        (game.naturals, "is a natural", "are naturals"),
        (game.craps, "is craps", "are craps"),
        (game.pushes, "is a push", "are pushes"),
        (game.rerolls, "means nothing and is rolled again", "mean nothing and are rolled again"),
    ):
        if totals:
            verb = one if len(totals) == 1 else many
            clauses.append(f"{listed(ranked(game, totals))} {verb}{names.get(one, '')}")
    if not clauses:
        return "The first roll is the come-out; it always sets the point."
    return f"The first roll is the come-out: {'; '.join(clauses)}."


def _the_point(game: PointGame) -> str:
    points = listed(ranked(game, game.points), "or")
    only = len(game.points) == 1
    name = "the seven-out" if game.out == 7 else "the out"
    first = f"{'The other' if only else 'Any other'} total becomes the point: {points}."
    if game.limit is None:
        then = (
            f"The dice are rolled until the point comes again or {game.out}, {name}, comes first."
        )
    else:
        rolls = "roll follows" if game.limit == 1 else "rolls follow"
        then = (
            f"At most {number(game.limit)} more {rolls}: the game ends with the point or with "
            f"{game.out}, {name}; if neither comes, it is out of rolls."
        )
    if game.hard:
        then += (
            " The point is made the hard way when the dice are all alike; made the easy way, with "
            "dice that differ, it ends the game too."
        )
    own = {"point": "the point made", "easy": "made easy", "out": "the out", "late": "out of rolls"}
    called = [f"{own[e]} “{name}”" for e, name in game.names.items() if e in own]
    return f"{first} {then}" + (f" The tables call {listed(called)}." if called else "")


def state_in_words(game: Game, state: Any, otherwise: Callable[[Any], str] = state_name) -> str:
    """A state in the words of the rules; `otherwise` names the states of a game that is only code.

    >>> from sevenout.catalogue import games
    >>> state_in_words(games["fast-craps-pass"], (8, 1))
    'point 8, 2 rolls left'
    """
    match game:
        case PointGame():
            if state == game.start:
                return str(state)
            if game.limit is None:
                return f"point {state}"
            left = game.limit - state[1]
            return f"point {state[0]}, {left} {'roll' if left == 1 else 'rolls'} left"
        case Renamed():
            return state_in_words(game.game, state, otherwise)
        case Surrender():
            return state_in_words(game.game, game.inner(state), otherwise)
        case Checklist():
            return game.said(state)
        case Together():
            words = [
                s.label if isinstance(s, Outcome) else state_in_words(part, s, otherwise)
                for part, s in zip(game.games, state, strict=True)
            ]
            return " · ".join(dict.fromkeys(filter(None, words)))
        case Streak():
            return f"{state} lost"
        case Flat():
            words = [state_in_words(game.game, state[0], otherwise)]
            if len(state) == 2:
                inner = Flat(game.game.rolls(state[0]))  # type: ignore[arg-type]
                words.append(state_in_words(inner, state[1], otherwise))
            return ", ".join(filter(None, words))
    return otherwise(state)
