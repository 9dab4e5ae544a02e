"""`sevenout play`: a game at the terminal, roll by roll."""

import sys
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

from sevenout.cli.numbers import Seed
from sevenout.cli.out import console, print_json
from sevenout.cli.resolve import choose
from sevenout.dice.throw import Faces, parse_throw
from sevenout.errors import NotationError, shown
from sevenout.rules import Game
from sevenout.rules.position import Position

PIPS = {
    1: "    ●    ",
    2: "●       ●",
    3: "●   ●   ●",
    4: "● ●   ● ●",
    5: "● ● ● ● ●",
    6: "● ●● ●● ●",
}
HELP = "Enter rolls, faces such as `3 5` play a roll of your own, q stops."


def play(
    game: str = "craps",
    /,
    *,
    seed: Seed | None = None,
    bet: str | None = None,
    json: bool = False,
    **rules: str,
) -> None:
    """Play a game, roll by roll; the statistics come at the end.

    Enter rolls the dice; faces such as `3 5`, or a total where the game looks at no more, play a
    roll of your own dice; q stops. Lines can be piped in.

    Parameters
    ----------
    game
        As for `sevenout odds`.
    seed
        The same seed rolls the same dice.
    bet
        Show this bet only.
    json
        Print only the statistics, as JSON.
    rules
        As for `sevenout odds`.
    """
    from sevenout.chain import state_name

    chosen = choose(game, **rules)
    if bet is not None:
        from sevenout.chain import explore

        bets = explore(chosen.game).bets
        if bet not in bets:
            raise NotationError(f"no bet {shown(bet)}; there are: {', '.join(bets) or 'none'}")
    out = console()
    quiet = json
    say = (lambda *_args, **_style: None) if quiet else out.print
    say(f"{chosen.title}: {HELP}", style="bold", markup=False)
    table, rng = Table(chosen.game), Random(seed)
    for line in _lines(quiet):
        table.ready()
        before = _once(state_name(table.position.state))
        try:
            faces = table.play(line, rng)
        except NotationError as error:
            if not sys.stdin.isatty():
                raise
            say(str(error), markup=False)  # a slip of the finger does not end the evening
            continue
        position = table.position
        seen = _total(position.history[-1].roll)
        say(_drawn(faces, out.encoding), highlight=False, markup=False)
        if position.settled is None:
            say(f"  {seen} on {before} → {_once(state_name(position.state))}", markup=False)
        else:
            pays = ", ".join(
                f"{name} {_signed(pay.profit)}"
                for name, pay in position.settled.pays
                if bet in (None, name)
            )
            counts = ", ".join(f"{n} {counter}" for counter, n in own(position).items())
            end = "  ".join(filter(None, [_once(position.settled.label), counts, pays]))
            say(f"  {seen} on {before} → {end}", style="bold", markup=False)
    statistics = table.statistics(bet)
    if json:
        print_json({"game": chosen.title} | statistics)
        return
    say()
    width = max(14, *map(len, statistics)) + 2
    for name, value in statistics.items():
        say(f"{name:<{width}}{value}", markup=False, highlight=False)


class Table:
    """A game in progress, and what has happened so far."""

    def __init__(self, game: Game) -> None:
        self.game, self.position = game, Position(game)
        self.total_rolls = self.longest = 0
        self.labels: Counter[str] = Counter()
        self.profits: dict[str, Fraction] = {}
        self.histograms: dict[str, Counter[Any]] = {}

    def ready(self) -> None:
        """Begin a new game where one is settled."""
        if self.position.settled:
            self.position = Position(self.game)

    def play(self, line: str, random: Random) -> Faces:
        """Roll the dice, or play what a line says; the faces.

        Raises:
            NotationError: the line is no roll of the game's dice.
        """
        if line:
            faces = parse_throw(line)
            settled = self.position.roll(faces)
        else:
            faces = self.position.throw(random)
            settled = self.position.settled
        if settled:
            self.total_rolls += self.position.rolls
            self.longest = max(self.longest, self.position.rolls)
            self.labels[settled.label] += 1
            for counter, n in own(self.position).items():
                self.histograms.setdefault(counter, Counter())[n] += 1
            for bet, pay in settled.pays:
                self.profits[bet] = self.profits.get(bet, Fraction(0)) + pay.profit
        return faces

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
                f"net, {name}": _signed(profit)
                for name, profit in self.profits.items()
                if bet in (None, name)
            },
            **{
                f"{n} {counter}": seen
                for counter, histogram in self.histograms.items()
                for n, seen in sorted({0: games - histogram.total(), **histogram}.items())
                if seen
            },
            **({"unfinished": f"{rolled} rolls"} if rolled else {}),
        }


def own(position: Position) -> dict[str, Any]:
    """What a game counted, beside its rolls."""
    return {name: n for name, n in position.counts if not name.startswith("rolls")}


def _lines(quiet: bool) -> Iterator[str]:
    prompt = "" if quiet or not sys.stdin.isatty() else "roll> "
    while True:
        if prompt:
            sys.stdout.write(prompt)
            sys.stdout.flush()
        try:
            line = sys.stdin.readline()
        except KeyboardInterrupt:  # leaving the table is no failure
            return
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


def _signed(x: Fraction) -> str:
    return f"+{x}" if x > 0 else str(x)
