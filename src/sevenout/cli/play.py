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
from sevenout.dice import Reading, Rollable
from sevenout.errors import NotationError, shown
from sevenout.rules import Flat, Game, Settled
from sevenout.rules.game import reach

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
        rollable = table.rolls
        try:
            faces, roll = _rolled(line, rollable, rng)
        except NotationError as error:
            if not sys.stdin.isatty():
                raise
            say(str(error), markup=False)  # a slip of the finger does not end the evening
            continue
        before = _once(state_name(table.inner_state))
        settled = table.play(roll)
        say(_drawn(faces, out.encoding), highlight=False, markup=False)
        if settled is None:
            after = _once(state_name(table.inner_state))
            say(f"  {_total(roll)} on {before} → {after}", markup=False)
        else:
            pays = ", ".join(
                f"{name} {_signed(pay.profit)}" for name, pay in settled.pays if bet in (None, name)
            )
            end = f"{_once(settled.label)}  {pays}"
            say(f"  {_total(roll)} on {before} → {end}", style="bold", markup=False)
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
        self.game = Flat(game)
        self.state: Any = self.game.start
        self.rolled = self.total_rolls = self.longest = 0
        self.labels: Counter[str] = Counter()
        self.profits: dict[str, Fraction] = {}

    @property
    def rolls(self) -> Rollable:
        """What is rolled now."""
        return self.game.rolls(self.state)

    @property
    def inner_state(self) -> Any:
        """The state, without the frame of a game of games."""
        return self.state[0] if len(self.state) == 1 else self.state

    def play(self, roll: Any) -> Settled | None:
        """Play one roll; the outcome, if that settles the game."""
        self.rolled += 1
        then, _ = reach(self.game, self.state, roll)
        if not isinstance(then, Settled):
            self.state = then
            return None
        self.total_rolls += self.rolled
        self.longest = max(self.longest, self.rolled)
        self.labels[then.label] += 1
        for bet, pay in then.pays:
            self.profits[bet] = self.profits.get(bet, Fraction(0)) + pay.profit
        self.state, self.rolled = self.game.start, 0
        return then

    def statistics(self, bet: str | None = None) -> dict[str, Any]:
        """What happened, in the finished games, to one bet or to all."""
        games = self.labels.total()
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
            **({"unfinished": f"{self.rolled} rolls"} if self.rolled else {}),
        }


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


def _rolled(line: str, rollable: Rollable, rng: Random) -> tuple[list[Any], Any]:
    """The faces to show, and what the game sees of them; a total has no faces but itself."""
    if line.strip() and len(line.replace(",", " ").split()) == 1 < len(rollable.sources):
        from sevenout.simulate.log import LogError, read_roll

        try:
            roll = read_roll(rollable, line)
        except LogError:
            pass  # then it wants all its faces
        else:
            return [line], roll
    faces = _faces(line, rollable) if line else _thrown(rollable, rng)
    return faces, _outcome(rollable, faces)


def _faces(line: str, rollable: Rollable) -> list[Any]:
    """The faces that a player names, checked against the dice."""
    words = line.replace(",", " ").split()
    sources = rollable.sources
    if len(words) != len(sources):
        raise NotationError(f"{line!r}: give {len(sources)} faces, such as {_example(rollable)!r}")
    faces = []
    for word, source in zip(words, sources, strict=True):
        found = [face for face in source.faces if str(face) == word]
        if not found:
            raise NotationError(f"{line!r}: no face {word!r} on {source}")
        faces.append(found[0])
    return faces


def _example(rollable: Rollable) -> str:
    return " ".join(str(source.faces[0]) for source in rollable.sources)


def _thrown(rollable: Rollable, rng: Random) -> list[Any]:
    faces = []
    for source in rollable.sources:
        ticket = rng.randrange(sum(source.weights))
        for face, weight in zip(source.faces, source.weights, strict=True):
            ticket -= weight
            if ticket < 0:
                faces.append(face)
                break
    return faces


def _outcome(rollable: Rollable, faces: list[Any]) -> Any:
    if isinstance(rollable, Reading):
        return rollable.function(_outcome(rollable.source, faces))
    shown = [
        [int(k == source.faces.index(face)) for k in range(len(source.faces))]
        for source, face in zip(rollable.sources, faces, strict=True)
    ]
    return next(outcome for outcome, weight in rollable.weigh(shown).items() if weight)


def _drawn(faces: list[Any], encoding: str) -> str:
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
