"""Game files of every kind, for hypothesis."""

from fractions import Fraction

from hypothesis import assume
from hypothesis import strategies as st

import sevenout as so
from sevenout.rules import Checklist, PayTable, PointGame, Streak, Surrender, Wager
from sevenout.rules.casino.limits import Limits
from sevenout.rules.game import Frozen
from sevenout.rules.gamefiles import gamefile as gf
from sevenout.rules.gamefiles.gamekeys import HEAD
from sevenout.rules.keep_games import KeepScore
from sevenout.rules.point_games import PointsMade, RoundsWon
from sevenout.rules.race_games import PLAYED, HoldGame, Race
from sevenout.rules.wagers import event_reading

printed = st.characters(exclude_categories=["C", "Zl", "Zp"])
texts = st.text(printed, min_size=1, max_size=20).filter(str.strip)
prose = texts | st.just("") | st.just("one\n\ttwo\r\n")
PROSE = [key.name for key in HEAD if key.kind == "text"]
PAIR = so.dice("2d6")
pays = st.fractions(-1, 40, max_denominator=20)
risks = st.fractions(1, 9, max_denominator=6)


@st.composite
def amounts(draw, stake):
    """A profit in money, with what is at risk where it could be more than the stake."""
    profit, risk = draw(pays) * stake, draw(risks) * stake
    if profit.denominator == 1 and draw(st.booleans()):
        return int(profit)
    return draw(st.sampled_from([profit, (profit, risk), (-risk, risk)]))


@st.composite
def lines(draw):
    stake = draw(st.sampled_from([Fraction(1), Fraction(5), Fraction(21, 20)]))
    amount = amounts(stake)
    by_roll = amount | st.lists(amount, min_size=3, max_size=3)
    by_total = st.fixed_dictionaries({(4, 10): by_roll, (5, 9): by_roll, (6, 8): by_roll})
    events = {
        "natural": amount | st.fixed_dictionaries({7: amount, 11: amount}),
        "craps": amount | st.fixed_dictionaries({(2, 3): amount, 12: amount}),
        "point": by_roll | by_total,
        "out": amount,
        "late": amount,
    }
    return PayTable(**draw(st.fixed_dictionaries({}, optional=events)), stake=stake)


@st.composite
def point_games(draw):
    bets = draw(st.dictionaries(texts, lines(), min_size=1, max_size=3))
    names = draw(
        st.dictionaries(
            st.sampled_from(["natural", "craps", "point", "out", "late"]), texts, max_size=3
        )
    )
    return PointGame([7, 11], [2, 3, 12], 7, limit=3, bets=bets, names=names)


@st.composite
def wagers(draw):
    stake = draw(st.sampled_from([Fraction(1), Fraction(5, 2)]))
    events = draw(st.sampled_from([(2, 3, 12), ("hard 8", 7, "5-6"), ("doubles", "1-2")]))
    cut = draw(st.integers(1, len(events)))
    groups = [events[:cut], *((event,) for event in events[cut:])]
    limit = draw(st.sampled_from([None, 1, 24]))
    return Wager(
        event_reading(PAIR, events),
        {group: draw(amounts(stake)) for group in groups},
        limit=limit,
        late=None if limit is None else draw(st.none() | amounts(stake)),
        bet=draw(texts),
        stake=stake,
        names=draw(st.dictionaries(st.sampled_from(groups), texts, max_size=2)),
        side_of=draw(st.none() | st.just(ROUNDS[0])),
    )


@st.composite
def checklists(draw):
    first, stake = draw(st.booleans()), draw(st.sampled_from([Fraction(1), Fraction(3)]))
    times = draw(st.dictionaries(st.sampled_from([(4, 10), (6,), (8,)]), st.integers(1, 3)))
    times = times or {(2,): 2}
    whole = 1 if first else len(times)
    return Checklist(
        PAIR.totals,
        times,
        7,
        draw(st.dictionaries(st.just(whole), pays.map(lambda p: p * stake), min_size=1)),
        first_wins=first,
        bet=draw(texts),
        stake=stake,
        names=draw(st.dictionaries(st.sampled_from(["complete", "stop"]), texts)),
    )


@st.composite
def given_up(draw):
    stake = Fraction(1)
    game = draw(
        st.sampled_from(
            [
                PointGame([7, 11], [2, 3, 12], 7),
                PointGame([7, 11], [2, 3, 12], 7, limit=2),
                Checklist(PAIR.totals, {6: 4}, 7, 20, bet="sixes"),
            ]
        )
    )
    offered = draw(st.sets(st.sampled_from([at for at in game.offer_keys if at != (4, 1)])))
    if isinstance(game, PointGame) and game.limit:
        offered = {(point, made) for point, _ in offered for made in range(2)}
    offered = offered or set(game.offer_keys)
    offers = {at: draw(amounts(stake)) for at in offered}
    return Surrender(game, offers, draw(texts | st.just("")))


ROUNDS = [PointGame([7, 11], [2, 3, 12], 7), PointGame([7], [2, 12], 7, rerolls=[3], limit=4)]


@st.composite
def hand_bets(draw):
    stake = draw(st.sampled_from([Fraction(1), Fraction(5)]))
    profits = pays.map(lambda p: p * stake)
    prizes = draw(st.dictionaries(st.integers(1, 6), profits, min_size=1, max_size=3))
    return PointsMade(
        draw(st.sampled_from(ROUNDS)),
        prizes,
        different=draw(st.booleans()),
        bet=draw(texts),
        stake=stake,
    )


@st.composite
def of_turns(draw):
    """A game that is alone in its file."""
    losses, rounds = draw(st.integers(1, 3)), st.sampled_from(ROUNDS)
    prizes = st.dictionaries(st.integers(1, 9), pays, min_size=1, max_size=3)
    jumps = st.dictionaries(st.integers(1, 9), st.integers(10, 19), max_size=2)
    one, pair, five = map(so.dice, ("d6", "2d6", "5d6"))
    again = st.sets(st.integers(2, 12), max_size=2).map(lambda found: tuple(sorted(found)))
    turns = st.builds(Streak, rounds, st.just(losses))
    won = st.builds(RoundsWon, rounds, st.just(losses), prizes, bet=texts)
    hold = st.builds(
        HoldGame,
        st.sampled_from([one, pair]),
        st.sampled_from([(1,), (1, 6)]),
        st.integers(1, 30),
        st.sampled_from(PLAYED),
    )
    race = st.builds(
        Race, st.just(pair), st.just(20), jumps.map(Frozen), st.integers(1, 2), st.booleans(), again
    )
    values = st.dictionaries(st.integers(1, 6), st.integers(-3, 9), max_size=2).map(Frozen)
    threes = st.builds(
        KeepScore, st.just(so.d6), st.just(4), values=values, fewest_wins=st.booleans()
    )
    needed = st.sampled_from([(), (1, 4), (6, 5, 4)])
    midnight = st.builds(
        KeepScore, st.just(so.d6), st.just(4), st.integers(0, 1), st.integers(1, 3), needed
    )
    ship = KeepScore(five.dice[0], 5, 0, 3, (6, 5, 4), True, draw(st.booleans()))
    return draw(st.one_of(turns, won, hold, race, threes, midnight, st.just(ship)))


@st.composite
def limits(draw):
    least = draw(st.none() | st.fractions(Fraction(1, 4), 10, max_denominator=4))
    most = draw(st.none() | st.fractions(10, 100, max_denominator=4))
    wordy = texts.filter(lambda text: not any(letter.isdigit() for letter in text))
    award = draw(wordy | st.sampled_from(["", "10,000,000 a round"]))
    return Limits(least, most, award, "", draw(st.sampled_from(["", "removable"])))


@st.composite
def files(draw):
    parts = st.lists(wagers() | checklists() | point_games() | hand_bets(), min_size=1, max_size=3)
    inside = draw((given_up() | of_turns()).map(lambda game: [game]) | parts)
    order = [PointGame, Wager, Checklist, PointsMade]
    if len(inside) > 1:
        inside.sort(key=lambda game: order.index(type(game)))
    bets = [bet for game in inside for bet in so.rules.bets_of(game)]
    assume(len(set(bets)) == len(bets))
    limited = bets if isinstance(inside[0], (*order, Surrender, RoundsWon)) else []
    given = draw(st.dictionaries(st.sampled_from(limited or [""]), limits(), max_size=2))
    given = given if limited else {}
    said = {bet: each for bet, each in given.items() if each != Limits()}
    heads = {key: draw(texts | st.just("")) for key in ("maker", "author", "version", "currency")}
    heads |= {key: draw(prose) for key in PROSE}
    if isinstance(inside[0], Surrender):
        goals = ["", inside[0].bet, "fewest rolls", f"P({inside[0].bet} <= -1/2)"]
        heads["goal"] = draw(st.sampled_from(goals))
    return gf.GameFile(draw(texts), tuple(inside), limits=said, **heads)
