"""`sevenout play`: a game at the terminal, roll by roll."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from sevenout.cli.options import Bet, Rules, Seed
from sevenout.cli.out import aligned, console, print_json
from sevenout.cli.resolve import choose, must_have
from sevenout.dice.throw import Faces, parse_throw
from sevenout.errors import NotationError, printable
from sevenout.files import LONGEST
from sevenout.model import has_choices
from sevenout.page.numbers import decimal, signed
from sevenout.questions.named_policies import points_of
from sevenout.rules import ByTurns, Game, KeepRoll, Outcome
from sevenout.rules.families.scorecard import ScoreCard, is_entry
from sevenout.rules.position import Position
from sevenout.watchdog import waiting

if TYPE_CHECKING:
    from sevenout.cli.playing.opponent import Players

PIPS = {
    1: "    ●    ",
    2: "●       ●",
    3: "●   ●   ●",
    4: "● ●   ● ●",
    5: "● ● ● ● ●",
    6: "● ●● ●● ●",
}
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
        Show the cost of each choice.
    strategy
        Let a strategy bet at the craps table: a name or a file, with the options of `sevenout
        evening` (--bankroll 300 --hours 1 --stop-win 100). Add --number 7 to replay evening 7 of a
        simulation.
    json
        Print only the statistics, as JSON, with the rolls of an evening.
    """
    from sevenout.cli.playing.opponent import Players

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
            drawn=lambda faces: _drawn(faces, encoding),
            json=json,
        )
        return

    chosen = choose(game, **rules)
    chosen.refuse_bet(bet)
    must_have(chosen.game, bet)
    players = Players(chosen, against, coach)
    out = console()
    say = (lambda *_args, **_style: None) if json else out.print
    help_ = HIDDEN if players.hides else ASKED if has_choices(chosen.game) else HELP
    say(f"{chosen.title}: {help_}", style="bold")
    table, random = PlayedTable(chosen.game, players), Random(seed)
    screen = Screen(say, out.encoding, bet)
    answers = lines(json, lambda: table.prompt)
    while True:
        table.ready()
        while not table.position.settled and not players.mine(table.position):
            screen.moved(table, table.other(random))
        if table.position.settled:
            continue
        screen.saw(table)
        line = next(answers, None)
        if line is None:
            break
        if line.lower() in ("help", "?"):
            say(f"{help_} Now: {table.prompt}.")
            continue
        try:
            moved = table.play(line, random)
        except NotationError as error:
            if not sys.stdin.isatty():
                raise
            say(str(error))  # a slip of the finger does not end the evening
            continue
        screen.moved(table, moved)
        if moved.rolls and sys.stdin.isatty() and table.to_roll:
            screen.moved(table, table.play("", random))  # who has said roll is not asked again
    statistics = table.statistics(bet)
    if json:
        print_json({"game": chosen.title} | statistics | table.cards)
        return
    if not table.position.settled:
        screen.show_card(table)
    say()
    say(aligned(statistics))


class PlayedMove(NamedTuple):
    """What was done.

    Attributes:
        before: where the game stood, in words.
        who: whose move it was; "" where one plays alone.
        faces: what was rolled; None for an answer.
        said: of an answer: the option, or what the coach says of it.
        mine: whether the player at the terminal did it.
        rolls: whether the answer was to roll.
    """

    before: str
    who: str
    faces: Faces | None = None
    said: str = ""
    mine: bool = False
    rolls: bool = False


class Screen:
    """What is seen of the game at the terminal."""

    def __init__(self, say: Any, encoding: str, bet: str | None) -> None:
        self.say, self.encoding, self.bet = say, encoding, bet

    def moved(self, table: "PlayedTable", move: PlayedMove) -> None:
        """Show what was done, and where it led; hidden dice when they are lifted."""
        position = table.position
        if table.players.hides and position.settled is None:
            if move.said and move.mine:
                self.say(f"  {move.said}")
            return
        who = f"{move.who}: " if move.who else ""
        if move.faces is not None:
            several = isinstance(_turn(table.game), KeepRoll)
            seen = " ".join(map(str, move.faces)) if several else _total(position.history[-1].roll)
            self.say(_drawn(move.faces, self.encoding))
            what = f"  {who}{seen} on {move.before}"
        else:
            what = f"  {who}{move.said}"
        if table.players.hides:
            what = f"{what}\n  {move.before}"
        if position.settled is None:
            after = f" → {table.stands}" if move.faces is not None else self._scored(table)
            self.say(f"{what}{after}")
            return
        settled = table.players.seen(position)
        pays = ", ".join(
            f"{name} {signed(pay.profit)}" for name, pay in settled.pays if self.bet in (None, name)
        )
        counts = ", ".join(f"{n} {counter}" for counter, n in own(position).items())
        end = "  ".join(filter(None, [_once(settled.label), counts, pays]))
        self.say(f"{what} → {end}", style="bold")
        self.show_card(table)

    def saw(self, table: "PlayedTable") -> None:
        """Show what the player at the terminal sees, in a game in which something is hidden."""
        from sevenout.model.naming import state_name

        if table.players.hides:
            _, seen = table.position.question
            self.say(f"you see {state_name(seen)}")

    def show_card(self, table: "PlayedTable") -> None:
        """Print the score card of a game of turns, where something is on it."""
        card = table.card
        if card is None or not card.counts:
            return
        self.say()
        self.say(
            aligned(
                {
                    row.name: row.note or ("–" if row.amount is None else row.amount)
                    for row in card.rows
                }
            )
        )

    def _scored(self, table: "PlayedTable") -> str:
        """What an entry scored, and what there is in all."""
        last, card = table.position.history[-1], table.card
        if card is None or not is_entry(last):
            return ""
        points = card.game.pays(last.state[0], str(last.option), last.state[2])
        return f" → scores {points.get(card.counter, 0)}, {card.total} in all"


class PlayedTable:
    """A game in progress, and what has happened so far."""

    def __init__(self, game: Game, players: "Players") -> None:
        self.game, self.players, self.position = game, players, Position(game)
        self.total_rolls = self.longest = 0
        self.labels: Counter[str] = Counter()
        self.profits: dict[str, Fraction] = {}
        self.histograms: dict[str, Counter[Any]] = {}
        self.full: list[ScoreCard] = []

    def ready(self) -> None:
        """Begin a new game where one is settled."""
        if self.position.settled:
            self.position = Position(self.game)

    @property
    def card(self) -> ScoreCard | None:
        """The score card of a game of turns."""
        if not isinstance(self.game, ByTurns):
            return None
        return ScoreCard.of(self.position, points_of(self.players.chosen))

    @property
    def cards(self) -> dict[str, Any]:
        """The score cards of all games as data: None for a box that is open."""
        if not isinstance(self.game, ByTurns):
            return {}
        cards = [*self.full, *([self.card] if self.card and self.card.counts else [])]
        return {
            "score cards": [
                {row.name: None if row.amount is None else str(row.amount) for row in card.rows}
                for card in cards
            ]
        }

    @property
    def to_roll(self) -> bool:
        """Whether the dice are rolled next, by the player at the terminal."""
        position = self.position
        waits = position.settled or position.options or not self.players.mine(position)
        return not waits

    @property
    def prompt(self) -> str:
        """What the player is asked."""
        options = self.position.options
        if not options:
            return "roll"
        if any(option.startswith("put back") for option in options):
            return f"{self.stands}: keep which, such as keep {options[-1].split()[-1]}, or keep all"
        return " or ".join(options) if len(options) < 7 else f"{', '.join(options[:7])}, ..."

    def play(self, line: str, random: Random) -> PlayedMove:
        """Roll the dice, or play what a line says: a roll, or an answer.

        Raises:
            NotationError: the line is no roll of the game's dice, or none of the options.
        """
        from sevenout.cli.playing.opponent import kept
        from sevenout.questions.turn_states import meant

        if not self.position.options:
            faces = line[4:].strip() if line[:4].lower() == "roll" else line
            faces = "" if faces.lower() == "r" else faces
            return self._rolled(parse_throw(faces) if faces else None, random)
        if not line and "roll" in self.position.options:
            line = "roll"  # as Enter does everywhere
        if not (plan := kept(line, self.position)):
            option = meant(line, self.position.options)
            plan = option, (option,)
        said, answers = plan
        weighed = self.players.weigh(self.position, said) if self.players.coached else said
        return self._answered(answers, weighed)

    def other(self, random: Random) -> PlayedMove:
        """The move of the other side."""
        if not self.position.options:
            return self._rolled(None, random)
        option = self.players.answer(self.position, random)
        return self._answered((option,), option)

    def _rolled(self, faces: Faces | None, random: Random) -> PlayedMove:
        before, who = self.stands, self.players.who(self.position)
        turn = _turn(self.game)
        if isinstance(turn, KeepRoll):  # all the dice that are not held, at once
            to_come = turn.count - len(_inner(self.position.state)[1])
            if faces is not None and len(faces) != to_come:
                raise NotationError(f"{len(faces)} dice; roll {to_come}")
            each = [None] * to_come if faces is None else [(face,) for face in faces]
            faces = sum((self._one(face, random) for face in each), ())
        else:
            faces = self._one(faces, random)
        self._count()
        return PlayedMove(before, who, faces)

    def _one(self, faces: Faces | None, random: Random) -> Faces:
        if faces is None:
            return self.position.throw(random)
        self.position.roll(faces)
        return faces

    def _answered(self, options: Iterable[str], said: str) -> PlayedMove:
        before, who = self.stands, self.players.who(self.position)
        mine = self.players.mine(self.position)
        for option in options:
            self.position.choose(option)
        self._count()
        rolls = options == ("roll",)
        return PlayedMove(before, who, said=said, mine=mine, rolls=rolls)

    @property
    def stands(self) -> str:
        """Where the game stands, in words."""
        from sevenout.model.naming import in_words
        from sevenout.report.sections.rules_in_words import state_in_words

        turn = _turn(self.game)
        if isinstance(turn, KeepRoll):
            return turn.said(_inner(self.position.state))
        named = partial(in_words, names=self.game.coordinates)
        return _once(state_in_words(self.game, self.position.state, named))

    def _count(self) -> None:
        if self.position.settled:
            settled = self.players.seen(self.position)
            self.total_rolls += self.position.rolls
            self.longest = max(self.longest, self.position.rolls)
            self.labels[settled.label] += 1
            self.full += [self.card] if self.card else []
            for counter, n in own(self.position).items():
                self.histograms.setdefault(counter, Counter())[n] += 1
            for bet, pay in settled.pays:
                self.profits[bet] = self.profits.get(bet, Fraction(0)) + pay.profit

    def statistics(self, bet: str | None = None) -> dict[str, Any]:
        """What happened, in the finished games, to one bet or to all."""
        games = self.labels.total()
        rolled = 0 if self.position.settled else self.position.rolls
        mean = f"{self.total_rolls / games:.4f}" if games else "none yet"
        return {
            "games": games,
            "rolls": self.total_rolls,
            "rolls per game": mean,
            "longest game": self.longest,
            **{_once(label): n for label, n in self.labels.most_common()},
            **{
                f"net, {name}": signed(profit)
                for name, profit in self.profits.items()
                if bet in (None, name)
            },
            **{
                f"{n} {counter}": seen
                for counter, histogram in self.histograms.items()
                for n, seen in sorted({0: games - histogram.total(), **histogram}.items())
                if seen
            },
            **({"cost of choices": decimal(self.players.cost)} if self.players.coached else {}),
            **({"unfinished": f"{rolled} rolls"} if rolled else {}),
        }


def _turn(game: Game) -> Game:
    """The turn of a game of turns; any other game is its own."""
    return game.turn if isinstance(game, ByTurns) else game


def _inner(state: Any) -> Any:
    """The state of the dice that are kept and rolled."""
    return state if isinstance(state, Outcome) or isinstance(state[0], str) else state[2]


def own(position: Position) -> dict[str, Any]:
    """What a game counted, beside its rolls."""
    return {name: n for name, n in position.counts if not name.startswith("rolls")}


def lines(quiet: bool, prompt: Callable[[], str]) -> Iterator[str]:
    prompts = not quiet and sys.stdin.isatty()
    while True:
        if prompts:
            sys.stdout.write(printable(f"{prompt()}> "))
            sys.stdout.flush()
        try:
            with waiting(anew=sys.stdin.isatty()):
                line = sys.stdin.readline(LONGEST)
        except KeyboardInterrupt:  # leaving the table is no failure
            return
        if len(line) == LONGEST:
            raise NotationError(
                f"the line has more than {LONGEST:,} characters; write a shorter one"
            )
        if not line or line.strip().lower() in ("q", "quit"):
            return
        yield line.strip()


def _drawn(faces: tuple[Any, ...], encoding: str) -> str:
    if not encoding.startswith("utf") or not all(face in PIPS for face in faces):
        return "  ".join(f"[ {face} ]" for face in faces)
    rows = ["┌───────┐  " * len(faces)]
    for row in range(3):
        cells = (PIPS[face][3 * row : 3 * row + 3] for face in faces)
        rows.append("".join(f"│ {' '.join(cell)} │  " for cell in cells))
    return "\n".join([*rows, "└───────┘  " * len(faces)])


def _once(text: str) -> str:
    """What games on the same rolls say, once where all say the same.

    >>> _once("natural · natural"), _once("natural · push")
    ('natural', 'natural · push')
    """
    for joint in (" · ", ", "):
        said = set(text.split(joint))
        if len(said) == 1:
            return said.pop()
    return text


def _total(roll: Any) -> str:
    if isinstance(roll, tuple) and len(roll) == 2 and isinstance(roll[1], bool):
        return f"{'hard' if roll[1] else 'easy'} {roll[0]}"
    if isinstance(roll, tuple):  # as the bets of a table see it
        return ", ".join(dict.fromkeys(_total(seen) for seen in roll if seen is not None))
    return str(getattr(roll, "total", roll))
