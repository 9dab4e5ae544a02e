"""Games in which a turn goes on until its player stops or loses it: Pig, Farkle, Can't Stop."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from itertools import combinations
from typing import Any

from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError, shown
from sevenout.model.process import Policy
from sevenout.rolling import Dice, Die, Rollable, parse_dice
from sevenout.rules import Game, choose_again, counted, pass_turn, settle, win
from sevenout.rules.objective import objective_of
from sevenout.rules.race_games import HoldGame

# --- Pig ------------------------------------------------------------------------------------------

ONE = parse_dice("d6")
COIN = Die(["heads", "tails"])
NELLER = "T. W. Neller and C. G. M. Presser, Optimal Play of the Dice Game Pig, UMAP 25 (2004)"


@dataclass(frozen=True)
class Piglet(Game):
    """Pig for two with a coin; the state is (my points, your points, the turn's points).

    It is not a `HoldGame`, since heads and tails are not numbers.

    Args:
        target: the score that wins.
        dice: the coin.
    """

    target: int
    dice: Any = COIN
    start = (0, 0, 0)
    coordinates = ("mine", "yours", "turn")
    outcomes, counters = (win("home"),), ()

    def choices(self, state: tuple[int, int, int]) -> Mapping[str, Any]:
        """Toss again or hold."""
        mine, yours, turn = state
        return {"flip": state, "hold": pass_turn((yours, mine + turn, 0))} if turn else {}

    def step(self, state: tuple[int, int, int], face: str) -> Any:
        mine, yours, turn = state
        if face == "tails":
            return pass_turn((yours, mine, 0))
        return win("home") if mine + turn + 1 >= self.target else (mine, yours, turn + 1)


def pig_turn(goal: int = 100) -> HoldGame:
    """One turn at Pig. A die is rolled; any face but 1 is added to what the turn has gained, and
    the player rolls again or holds, which scores it. A 1 ends the turn and loses what it has
    gained. A turn that reaches the goal ends there. The goal is the highest mean.
    """
    return HoldGame(ONE, (1,), _checked_goal(goal), "turn")


def solitaire_pig(goal: int = 100) -> HoldGame:
    """Pig alone: turns at Pig until the score reaches the goal, as few of them as possible."""
    return HoldGame(ONE, (1,), _checked_goal(goal), "alone")


def pig(goal: int = 100) -> HoldGame:
    """Pig for two. In their turn a player rolls a die as often as they like; any face but 1 is
    added to what the turn has gained. Holding adds that to their score and passes the die, a 1
    passes it with nothing gained. The first player to reach the goal wins, the turn that does it
    included.
    """
    return HoldGame(ONE, (1,), _checked_goal(goal))


def piglet(goal: int = 10) -> Piglet:
    """Pig with a coin: a head gains 1, a tail loses what the turn has gained."""
    return Piglet(_checked_goal(goal))


def _checked_goal(goal: int) -> int:
    """A goal of 1 or more."""
    if goal < 1:
        raise RulesError(f"goal={shown(goal)}; play to 1 or more")
    return goal


def hold(game: Game, points: int) -> Policy:
    """Hold at this number of points.

    >>> hold(pig(), 20)((0, 0, 20))
    'hold'
    """
    roll_again = "flip" if isinstance(game, Piglet) else "roll"

    def policy(state: Any) -> str:
        gained = state[-1] if isinstance(state, tuple) else state
        return "hold" if gained >= points else roll_again

    return policy


HOLD = {"hold-20": hold}


def hold_entry(name: str, title: str, game: HoldGame) -> Entry:
    """The entry of a declared game of hold or roll.

    >>> hold_entry("mine", "Mine", HoldGame(parse_dice("d6"), (1,), 50, "alone")).goal
    {'least': 'turns'}
    """
    objective = objective_of(game)
    assert objective is not None
    players = 2 if game.play == "two" else 1
    goal = objective.arguments
    return Entry(name, title, lambda: game, family=title, players=players, policies=HOLD, **goal)


PIG_READINGS = (
    "A turn begins with a roll: nobody holds with nothing gained.",
    "The goal is reached in mid-turn: nobody needs to hold then.",
)
entry = partial(Entry, family="Pig", source=NELLER, readings=PIG_READINGS, policies=HOLD)

# fmt: off
PIG = [
    entry("pig-turn", "Pig, one turn", pig_turn, most="points", value="492303203/60466176"),
    entry("pig-solitaire", "Pig, the fewest turns", solitaire_pig, least="turns",
          readings=(*PIG_READINGS, "The last turn counts as a turn.")),
    entry("pig", "Pig", pig, most="pass > 0", players=2, value="0.530592725273746911..."),
    entry("piglet", "Piglet", piglet, most="pass > 0", players=2, policies={"hold-1": hold}),
]
# fmt: on


# --- Farkle and Zilch, one turn -------------------------------------------------------------------

Faces = tuple[int, ...]
Scores = tuple[tuple[int, int], ...]
"""The most points of a roll, by number of dice set aside."""
N_DICE = 6


@dataclass(frozen=True)
class ScoreTable:
    """The scores of sets of dice.

    Attributes:
        kinds: points for three and more of each face, by face and number.
        straight: points for 1-2-3-4-5-6.
        pairs: points for three pairs; four of a kind and a pair count, too.
        triplets: points for two triplets; 0 if they score as two threes of a kind.
        nothing: points for six dice of which nothing scores.
    """

    kinds: tuple[tuple[int, ...], ...]
    straight: int
    pairs: int
    triplets: int = 0
    nothing: int = 0

    def hand(self, dice: Faces) -> int:
        """The most points for dice that all score; 0 if some do not.

        >>> FARKLE.hand((1, 1, 5)), FARKLE.hand((2, 2, 2, 2)), FARKLE.hand((1, 2))
        (250, 1000, 0)
        """
        counts = [dice.count(face) for face in range(1, 7)]
        best = 0
        if len(dice) == N_DICE:
            if max(counts) == 1:
                best = self.straight
            # Four of a kind and a pair count as three pairs, six of a kind don't.
            if all(n % 2 == 0 for n in counts) and max(counts) < N_DICE:
                best = max(best, self.pairs)
            if sorted(counts)[-2:] == [3, 3]:
                best = max(best, self.triplets)
        singles = (100, 0, 0, 0, 50, 0)
        total = 0
        for n, single, kinds in zip(counts, singles, self.kinds, strict=True):
            scores = [single * n] if single or not n else []
            # Three or more of a kind; the other dice of the face must score singly.
            for k in range(3, n + 1):
                if single or k == n:
                    scores.append(kinds[k - 3] + single * (n - k))
            # A die that scores nothing can't be set aside with the others.
            if not scores:
                return best
            total += max(scores)
        return max(best, total)

    def scores(self, rolled: Faces) -> Scores:
        """The scores of a roll.

        >>> FARKLE.scores((1, 2, 2, 2, 3, 5))
        ((1, 100), (2, 150), (3, 200), (4, 300), (5, 350))
        """
        most_points: dict[int, int] = {}
        for size in range(1, len(rolled) + 1):
            # Of as many dice only the best are worth setting aside.
            points = max(self.hand(chosen) for chosen in set(combinations(rolled, size)))
            if points:
                most_points[size] = points
        if not most_points and len(rolled) == N_DICE and self.nothing:
            most_points[N_DICE] = self.nothing
        return tuple(most_points.items())


def _of_a_kind(*points: int) -> tuple[tuple[int, ...], ...]:
    """The points for three and more of each face: more than three score alike for all faces."""
    return tuple((three, *points) for three in THREE)


THREE = (1000, 200, 300, 400, 500, 600)
"""The points for three of each face."""
FARKLE = ScoreTable(_of_a_kind(1000, 2000, 3000), straight=1500, pairs=1500, triplets=2500)
ZILCH = ScoreTable(
    tuple((three, 2 * three, 4 * three, 8 * three) for three in THREE),
    straight=1500,
    pairs=1500,
    nothing=500,
)


@cache
def dice_of(table: ScoreTable, dice: int) -> Rollable:
    """Dice, read as their scores."""
    return parse_dice(f"{dice}d6").hands.read(table.scores)


@dataclass(frozen=True)
class Turn(Game):
    """One turn at Farkle or Zilch.

    A state is the points so far and the dice to roll; or the points, the dice rolled, and their
    scores.

    >>> turn = Turn(FARKLE, 10_000, 0)
    >>> list(turn.choices((300, 6, ((1, 100), (2, 150))))), list(turn.choices((450, 4)))
    (['set aside 1', 'set aside 2'], ['bank', 'roll'])

    Args:
        table: the scores of sets of dice.
        target: points that end the turn, since the game is won.
        min_banked: the fewest points that may be banked.
    """

    table: ScoreTable = field(repr=False)
    target: int
    min_banked: int
    start = (0, N_DICE)
    coordinates = ("points", "dice", "offered")

    def rolls(self, state: Any) -> Rollable:
        """The remaining dice, read as their scores."""
        return dice_of(self.table, state[1])

    def choices(self, state: Any) -> Mapping[str, Any]:
        """The dice to set aside; then roll or bank."""
        points, dice, *offered = state
        if offered:
            return {
                f"set aside {n}": self._next_state(points + score, dice - n)
                for n, score in offered[0]
            }
        # A turn begins with a roll, and few points can't be banked.
        if not points or points < self.min_banked:
            return {}
        return {"bank": _bank(points), "roll": state}

    def step(self, state: Any, offered: Scores) -> Any:
        return (*state, offered) if offered else settle("farkle")

    def _next_state(self, points: int, dice_left: int) -> Any:
        if points >= self.target:
            return _bank(points)
        # When all six have scored, all six are rolled again.
        state = (points, dice_left or N_DICE)
        return choose_again(state) if points >= self.min_banked else state


def _bank(points: int) -> Any:
    return counted(settle("banked"), points=points)


def farkle(goal: int = 10_000, least: int = 0) -> Turn:
    """One turn at Farkle. Six dice are rolled; at least one that scores is set aside, and the
    player banks their points or rolls the others on. When all six have scored, all six are rolled
    again. A roll of which nothing scores, a farkle, ends the turn and loses its points.

    A 1 scores 100 and a 5 scores 50; three 1s 1000, three of another face 100 times the face; four
    of a kind 1000, five 2000, six 3000; a straight 1500, three pairs 1500, two triplets 2500. A
    turn banks `least` points or more; one that reaches the goal of the game banks at once.
    """
    return _turn(FARKLE, goal, least)


def zilch(goal: int = 10_000, least: int = 300) -> Turn:
    """One turn at Zilch, as at Farkle, with three differences. Each die beyond three of a kind
    doubles what they score, and two triplets are two threes of a kind. Six dice of which nothing
    scores count 500 and are rolled again. A turn banks `least` points or more.
    """
    return _turn(ZILCH, goal, least)


def _turn(table: ScoreTable, goal: int, least: int) -> Turn:
    """The turn of a score table, with a goal of 50 or more."""
    if goal < 50:
        raise RulesError(f"goal={shown(goal)}; play to 50 or more")
    if not 0 <= least <= goal:
        raise RulesError(f"least={shown(least)}; bank from 0 up to the goal")
    return Turn(table, goal, least)


def bank_at(_: Game, least: int) -> Policy:
    """Set aside everything that scores; bank at this number of points."""

    def policy(state: Any) -> str:
        points, _, *offered = state
        if offered:
            return f"set aside {offered[0][-1][0]}"
        return "bank" if points >= least else "roll"

    return policy


entry = partial(Entry, family="Farkle", most="points", policies={"bank-300": bank_at})
FARKLE_READINGS = (
    "Dice score together only if they were rolled together.",
    "Of several ways to set aside as many dice, the one that scores most is taken.",
    "Four of a kind and a pair are three pairs.",
    "After six scoring dice the player may bank; they need not roll again.",
)

# fmt: off
FARKLE_TURNS = [
    entry("farkle-turn", "Farkle, one turn", farkle, source="Wikipedia, Farkle",
          readings=(*FARKLE_READINGS,
                    "Four, five and six of a kind score 1000, 2000 and 3000, of any face.",
                    "No least score to bank; 500 is usual for a player's first (least=).")),
    entry("zilch-turn", "Zilch, one turn", zilch, source="Zilch, zilch.playr.co.uk, Rules",
          readings=(*FARKLE_READINGS,
                    "The 500 that a third zilch in a row costs are outside the turn.")),
]
# fmt: on


# --- Can't Stop, alone for the fewest turns -------------------------------------------------------

Heights = tuple[int, ...]
"""The progress in each column, from 2 up."""
Pairing = tuple[int, int]
"""The totals of two pairs of dice."""

RUNNERS = 3


def pairings(hand: tuple[int, ...]) -> tuple[Pairing, ...]:
    """The pairs of totals into which four dice can be split.

    >>> pairings((1, 2, 2, 5))
    ((3, 7), (4, 6))
    """
    a, b, c, d = hand
    pairs = {tuple(sorted(pair)) for pair in ((a + b, c + d), (a + c, b + d), (a + d, b + c))}
    return tuple(sorted(pairs))  # type: ignore[arg-type]


@dataclass(frozen=True)
class CantStop(Game):
    """Can't Stop alone.

    A state is the kind of choice, the safe heights, and the heights of this turn's runners (0 for
    none).

    Args:
        sides: of the four dice.
        shortest: the length of the outermost columns; each column is 2 longer than its outer
            neighbour.
        columns: the number of columns to complete.
    """

    sides: int
    shortest: int
    columns: int
    coordinates = ("", "safe", "runners", "pairs")

    @cached_property
    def lengths(self) -> Heights:
        """The length of each column.

        >>> CantStop(6, 3, 3).lengths
        (3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3)
        """
        last = 2 * self.sides - 2
        return tuple(self.shortest + 2 * min(i, last - i) for i in range(last + 1))

    @cached_property
    def dice(self) -> Rollable:  # type: ignore[override]
        """Four dice, read as their pairings."""
        return Dice([Die.standard(self.sides)] * 4).hands.read(pairings)

    @property
    def start(self) -> Any:  # type: ignore[override]
        none = (0,) * len(self.lengths)
        return ("roll", none, none)

    def choices(self, state: Any) -> Mapping[str, Any]:
        """The totals to climb; then roll or stop."""
        kind, safe, runners, *rolled = state
        if kind == "go on?":
            return {
                "roll": ("roll", safe, runners),
                "stop": counted(("roll", _new_heights(safe, runners), (0,) * len(safe)), turns=1),
            }
        if kind == "pair":
            return {
                " and ".join(map(str, totals)): self._next_state(safe, new_runners)
                for totals, new_runners in self._moves(safe, runners, rolled[0])
            }
        return {}

    def step(self, state: Any, rolled: tuple[Pairing, ...]) -> Any:
        _, safe, runners = state
        # No pair can be climbed: the turn's climb is lost.
        if not any(True for _ in self._moves(safe, runners, rolled)):
            return counted(("roll", safe, (0,) * len(safe)), turns=1)
        return ("pair", safe, runners, rolled)

    def _moves(
        self, safe: Heights, runners: Heights, rolled: tuple[Pairing, ...]
    ) -> Iterator[tuple[tuple[int, ...], Heights]]:
        """The totals that may be climbed, with the runners after each."""
        for pair in rolled:
            climbed, heights = self._climb(safe, runners, pair)
            # Where both totals can be climbed they must be.
            if climbed == pair:
                yield climbed, heights
                continue
            for total in dict.fromkeys(pair):
                climbed, heights = self._climb(safe, runners, (total,))
                if climbed:
                    yield climbed, heights

    def _climb(
        self, safe: Heights, runners: Heights, totals: tuple[int, ...]
    ) -> tuple[tuple[int, ...], Heights]:
        """The totals climbed in order, as far as runners and columns allow."""
        new_runners = list(runners)
        climbed = []
        for total in totals:
            i = total - 2
            height = new_runners[i] or safe[i]
            has_runner = new_runners[i] or sum(map(bool, new_runners)) < RUNNERS
            # A column climbed to the top is closed, and there are three runners.
            if height < self.lengths[i] and has_runner:
                new_runners[i] = height + 1
                climbed.append(total)
        return tuple(climbed), tuple(new_runners)

    def _next_state(self, safe: Heights, runners: Heights) -> Any:
        heights = _new_heights(safe, runners)
        completed = sum(height == top for height, top in zip(heights, self.lengths, strict=True))
        if completed >= self.columns:
            return counted(settle("climbed"), turns=1)
        return choose_again(("go on?", safe, runners))


def _new_heights(safe: Heights, runners: Heights) -> Heights:
    return tuple(map(max, safe, runners))


def cant_stop(sides: int = 2, shortest: int = 1, columns: int = 3) -> CantStop:
    """Can't Stop alone, in as few turns as possible. Four dice are rolled and paired, and a runner
    climbs one step in the column of each pair's total; there are three runners. After each roll the
    player rolls again, or stops, and then what the runners have climbed is safe. A roll of which no
    pair can be climbed ends the turn and loses what they have climbed. The columns of the ends are
    `shortest` long and each is 2 longer than its neighbour; `columns` columns must be climbed to
    the top. The game in the box has dice of 6 sides and a shortest column of 3.
    """
    for name, value, low, high in (
        ("sides", sides, 2, 6),
        ("shortest", shortest, 1, 3),
        ("columns", columns, 1, 3),
    ):
        if not low <= value <= high:
            raise RulesError(f"{name}={shown(value)}; give {low} to {high}")
    return CantStop(sides, shortest, columns)


def stop_after(game: Game, steps: int) -> Policy:
    """Climb both pairs if possible; stop after this number of steps."""

    def policy(state: Any) -> str:
        kind, safe, runners, *_ = state
        if kind == "go on?":
            heights = zip(runners, safe, strict=True)
            climbed = sum(height - start for height, start in heights if height)
            return "stop" if climbed >= steps else "roll"
        options = list(game.choices(state))
        return max(options, key=lambda option: " and " in option)

    return policy


entry = partial(
    Entry,
    family="Can't Stop",
    source="S. Sackson, Can't Stop (1980); J. Glenn, H. Fang and C. P. Kruskal, A Retrograde "
    "Approximation Algorithm for One-Player Can't Stop (2006)",
    least="turns",
    readings=(
        "Both pairs are climbed where both can be; with one runner left, the player says which.",
        "A column that has been climbed to the top in this turn can't be climbed further.",
        "The turn of the last column counts, and ends the game at once.",
    ),
    policies={"stop-after-3": stop_after},
)

# fmt: off
CANT_STOP = [
    entry("cant-stop", "Can't Stop, two-sided dice", cant_stop),
    entry("cant-stop-3", "Can't Stop, three-sided dice", cant_stop, {"sides": 3}),
]
# fmt: on
