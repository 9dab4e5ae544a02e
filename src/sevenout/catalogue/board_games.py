"""Games on a board: Shut the Box, bearing off at backgammon, Chutes and Ladders, Risk."""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache, partial
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Any, Literal

from sevenout.budgets.estimates import afford
from sevenout.catalogue.dice_and_odds import TWO_DICE
from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError, shown
from sevenout.model.process import Policy
from sevenout.rolling import Dice, Die, Law, Roll, Rollable, d6, parse_dice
from sevenout.rules import Game, choose_again, counted, pass_turn, settle, win
from sevenout.rules.game import Frozen
from sevenout.rules.race_games import Race
from sevenout.wrong_arguments import public

# --- bearing off at backgammon, alone for the fewest rolls, or as a race --------------------------

Board = tuple[int, ...]
"""The number of checkers on each point of the home board, the ace point first."""

HOME = 6
SECONDS_PER_STATE, BYTES_PER_STATE = 5e-5, 2_100
"""The measured seconds and bytes per state."""
MEAN_PIPS = Fraction(49, 6)
"""The mean pips of a roll, with doubles counted twice."""
TWO_PIPS = TWO_DICE.hands
"""Two dice, as the ascending pair of their faces."""


def boards(checkers: int) -> Iterator[Board]:
    """Every board with this number of checkers.

    >>> len(list(boards(3)))
    56
    """
    for points in combinations_with_replacement(range(HOME), checkers):
        yield tuple(points.count(point) for point in range(HOME))


def plays(board: Board, roll: tuple[int, int]) -> tuple[Board, ...]:
    """The boards to which a roll can be played in full.

    In bearing off every die can be played: a die larger than the rearmost point bears off from it,
    an exact one bears off, and a smaller one moves a checker.

    >>> plays((0, 1, 1, 0, 0, 0), (1, 2))
    ((2, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0))
    """
    low, high = roll
    # Doubles are played four times; else either die may go first.
    orders = [(low,) * 4] if low == high else [(low, high), (high, low)]
    played: dict[Board, None] = {}
    for order in orders:
        reached: dict[Board, None] = {board: None}
        for die in order:
            reached = {after: None for before in reached for after in _plays_of_die(before, die)}
        played |= reached
    return tuple(played)


@lru_cache(1 << 19)  # called for each die on each board
def _plays_of_die(board: Board, die: int) -> tuple[Board, ...]:
    """The boards after each play of one die; an empty board stays empty."""
    return tuple(_checker_moves(board, die)) if any(board) else (board,)


def _checker_moves(board: Board, die: int) -> Iterator[Board]:
    """The boards after each play of one die."""
    rear = max(point for point, checkers in enumerate(board) if checkers)
    # A die larger than the rearmost point bears off from it.
    for point in range(min(die - 1, rear), rear + 1):
        if board[point]:
            after = list(board)
            after[point] -= 1
            # The checker stays on the board; else it is off.
            if point + 1 > die:
                after[point - die] += 1
            yield tuple(after)


@lru_cache(1 << 16)
def board_name(board: Board) -> str:
    """The points of a board's checkers.

    >>> board_name((2, 0, 0, 0, 1, 0)), board_name((0,) * 6)
    ('1-1-5', 'off')
    """
    points = [str(point + 1) for point in range(HOME) for _ in range(board[point])]
    return "-".join(points) or "off"


@dataclass(frozen=True)
class BearOff(Game):
    """Bearing off alone; a state is a board, with the roll to play.

    Attributes:
        start: the first board, and no roll.
    """

    start: Any
    coordinates = ("board", "roll")

    def rolls(self, state: Any) -> Rollable:
        return TWO_PIPS

    def choices(self, state: Any) -> Mapping[str, Any]:
        """The plays of a roll."""
        board, roll = state
        if not roll:
            return {}
        return {board_name(after): _state_after(after) for after in plays(board, roll)}

    def step(self, state: Any, roll: tuple[int, int]) -> Any:
        return state[0], roll


@lru_cache(1 << 16)
def _state_after(board: Board) -> Any:
    """The state after a play: the board before the next roll, or the end."""
    return (board, ()) if any(board) else settle("off")


@dataclass(frozen=True)
class EveryBearOff(BearOff):
    """Bearing off from a random board, in one model.

    Args:
        checkers: the most checkers on a board.
    """

    checkers: int = 1

    def check_size(self) -> None:
        """Refuse too many boards."""
        states = (comb(self.checkers + HOME, HOME) - 1) * (1 + len(TWO_PIPS.law))
        afford(
            f"every board of up to {self.checkers} checkers, {states:,} states,",
            seconds=states * SECONDS_PER_STATE,
            memory=states * BYTES_PER_STATE,
            instead="take one board (bear-off), or fewer checkers",
        )

    def rolls(self, state: Any) -> Rollable:
        """The board, then two dice."""
        return _random_board(self.checkers) if state == self.start else TWO_PIPS

    def step(self, state: Any, roll: Any) -> Any:
        """The board, or one roll."""
        return (roll, ()) if state == self.start else (state[0], roll)

    def choices(self, state: Any) -> Mapping[str, Any]:
        """The plays of a roll."""
        return {} if state == self.start else super().choices(state)


def _random_board(checkers: int) -> Law:
    """Every board of up to this many checkers, each as likely."""
    return Law({board: 1 for n in range(1, checkers + 1) for board in boards(n)})


@dataclass(frozen=True)
class BearOffRace(Game):
    """A bear-off race; a state is (mine, yours, the roll to play).

    Attributes:
        start: both boards, and no roll.
    """

    start: Any
    coordinates = ("mine", "yours", "roll")

    def rolls(self, state: Any) -> Rollable:
        return TWO_PIPS

    def choices(self, state: Any) -> Mapping[str, Any]:
        """The plays of a roll."""
        mine, yours, roll = state
        if not roll:
            return {}
        return {
            board_name(after): pass_turn((yours, after, ())) if any(after) else win("off")
            for after in plays(mine, roll)
        }

    def step(self, state: Any, roll: tuple[int, int]) -> Any:
        mine, yours, _ = state
        return mine, yours, roll


def bear_off(board: tuple[int, ...] = (1, 1, 1, 1, 1, 1)) -> BearOff:
    """Bearing off alone, in as few rolls as possible. `board` says how many checkers are on each
    point of the home board, the ace point first. Two dice are rolled, doubles count four times, and
    each die moves a checker down by as many points. A checker is borne off by the number of its
    point, or by a larger one if it is the rearmost; a roll is played in full.

    The mean number of rolls times 49/6, the mean pips of a roll, is the effective pip count.
    """
    return BearOff((_checked_board(board), ()))


def every_bear_off(checkers: int = 4) -> EveryBearOff:
    """Bearing off from every board of this many checkers or fewer, in one model; the board is
    drawn, each of them as likely. The value of a board is given where it is an option.
    """
    if not 1 <= checkers <= 15:
        raise RulesError(f"checkers={shown(checkers)}; a side has 1 to 15")
    return EveryBearOff("drawn", checkers)


def bear_off_race(
    board: tuple[int, ...] = (1, 1, 1, 0, 0, 0), other: tuple[int, ...] = (1, 1, 1, 0, 0, 0)
) -> BearOffRace:
    """Two players bear off in turn, and the first to finish wins. `board` is that of the player who
    begins, `other` the second player's.
    """
    return BearOffRace((_checked_board(board), _checked_board(other), ()))


def _checked_board(board: Board) -> Board:
    """A board of six points; refused if it has no checkers or more than 15."""
    if len(board) > HOME or not all(n >= 0 for n in board) or not 1 <= sum(board) <= 15:
        raise RulesError(
            f"board={shown(board)}; give the number of checkers on each of 6 points, 1 to 15 in all"
        )
    return (*board, *(0,) * (HOME - len(board)))


@public
def epc(rolls: Fraction) -> Fraction:
    """The effective pip count: the mean rolls times the mean pips of a roll.

    >>> epc(Fraction(6))
    Fraction(49, 1)
    """
    return rolls * MEAN_PIPS


def _most_off_key(board: Board) -> tuple[Any, ...]:
    """Fewer checkers first, then more points, then a lighter rear."""
    return sum(board), -sum(map(bool, board)), board[::-1]


def most_off(game: Game) -> Policy:
    """Bear off the most checkers, then occupy the most points, then clear the rear."""

    def policy(state: Any) -> str:
        *_, roll = state
        return board_name(min(plays(state[0], roll), key=_most_off_key))

    return policy


entry = partial(
    Entry,
    family="Backgammon",
    source="W. Trice, Backgammon Boot Camp (2004); GNU Backgammon, one-sided database",
    policies={"most-off": most_off},
)
READINGS = ("A roll is played in full, its dice in either order.",)

# fmt: off
BEARING_OFF = [
    entry("bear-off", "Backgammon, bearing off alone", bear_off, least="rolls", readings=READINGS),
    entry("bear-off-every", "Backgammon, bearing off from any board", every_bear_off, least="rolls",
          readings=(*READINGS, "The draw of the board counts as a roll.")),
    entry("bear-off-race", "Backgammon, bearing off in a race",
          bear_off_race, most="pass > 0", players=2,
          readings=(*READINGS, "No cube and no gammons: each has borne off a checker before.")),
]
# fmt: on


# --- Shut the Box: tiles that add up to the roll --------------------------------------------------

Tiles = tuple[int, ...]

OneDie = Literal["never", "low sum", "high shut", "always", "only"]
"""When one die may be rolled; see `shut_the_box`."""
Shut = Literal["any", "two", "dice"]
Scored = Literal["sum", "digits"]
"""Which tiles may be shut, and how open ones are scored; see `shut_the_box`."""
PIPS = TWO_DICE.read(lambda roll: tuple(sorted(roll.faces)))
ONE_DIE = d6.read(lambda face: (face,))
LOW = 6
"""The largest low tile, and the largest low sum of open tiles."""
TOTAL = TWO_DICE.read(lambda roll: (roll.total,))
"""Two dice, read as a set of one tile: their total."""


@dataclass(frozen=True)
class ShutTheBox(Game):
    """Shut the Box; a state is the open tiles, with the dice or the roll.

    >>> list(ShutTheBox(9).choices(("shut", (1, 2, 3, 4, 9), (7,))))
    ['3+4', '1+2+4']

    Args:
        tiles: the number of the highest tile.
        one_die: when one die may be rolled.
        shut: which tiles may be shut.
        score: how open tiles are counted.
    """

    tiles: int
    one_die: OneDie = "low sum"
    shut: Shut = "any"
    score: Scored = "sum"
    coordinates = ("", "open", "roll")

    @property
    def start(self) -> Any:  # type: ignore[override]
        return ("open", tuple(range(1, self.tiles + 1)))

    def rolls(self, state: Any) -> Rollable:
        """One die or two dice."""
        if state[0] == "one die" or self.one_die == "only":
            return ONE_DIE
        return PIPS if self.shut == "dice" else TOTAL

    def choices(self, state: Any) -> Mapping[str, Any]:
        """The number of dice; then the tiles to shut."""
        kind, tiles, *rolled = state
        if kind == "open":
            options = {"one die": ("one die", tiles), "two dice": ("two dice", tiles)}
            return options if self._may_roll_one(tiles) else {}
        if kind != "shut":
            return {}
        return {
            "+".join(map(str, chosen)): self._next_state(tuple(t for t in tiles if t not in chosen))
            for chosen in self._shuttable(tiles, rolled[0])
        }

    def step(self, state: Any, rolled: Tiles) -> Any:
        _, tiles = state
        # No tile can be shut: the game is over.
        if not any(True for _ in self._shuttable(tiles, rolled)):
            return self._score(tiles)
        return ("shut", tiles, rolled)

    def _shuttable(self, tiles: Tiles, rolled: Tiles) -> Iterator[Tiles]:
        """The sets of tiles that may be shut."""
        total = sum(rolled)
        max_size = {"any": len(tiles), "two": 2, "dice": 2}[self.shut]
        for size in range(1, max_size + 1):
            for chosen in combinations(tiles, size):
                if sum(chosen) == total and (self.shut != "dice" or size == 1 or chosen == rolled):
                    yield chosen

    def _may_roll_one(self, tiles: Tiles) -> bool:
        """Whether one die may be rolled with these tiles open."""
        match self.one_die:
            case "low sum":
                return sum(tiles) <= LOW
            case "high shut":
                return max(tiles) <= LOW
            case never_or_always:
                return never_or_always == "always"

    def _next_state(self, tiles: Tiles) -> Any:
        """What follows with these tiles open; without any, the box is shut."""
        if not tiles:
            return settle("shut")
        return choose_again(("open", tiles)) if self._may_roll_one(tiles) else ("open", tiles)

    def _score(self, tiles: Tiles) -> Any:
        """The end with these tiles open, whose points are their sum or the number they spell."""
        points = sum(tiles) if self.score == "sum" else int("".join(map(str, tiles)))
        return counted(settle("open"), points=points)


def shut_the_box(
    tiles: int = 9, one_die: OneDie = "low sum", shut: Shut = "any", score: Scored = "sum"
) -> ShutTheBox:
    """Tiles 1 to `tiles` are open. Two dice are rolled, and open tiles that add up to the roll are
    shut. When none do, the game ends, and the tiles still open are the score; the fewer the better,
    and with all tiles shut it is 0.

    One die may be rolled instead of two: `never`, `always`, at `low sum` (the open tiles add up to
    6 or less) or at `high shut` (all tiles above 6 are shut). With `only` there is one die.
    The tiles to shut are `any`, at most `two`, or those of the `dice`: the two tiles that the dice
    show or the one of their total.
    The score is the `sum` of the open tiles, or their `digits` read as a number.
    """
    if not 1 <= tiles <= 12:
        raise RulesError(f"tiles={shown(tiles)}; a box has 1 to 12")
    return ShutTheBox(tiles, one_die, shut, score)


def most_tiles_first(game: Game) -> Policy:
    """Shut the most tiles; ties go to the highest tile."""
    return partial(_option_by_size, game, 1)


def fewest_tiles_first(game: Game) -> Policy:
    """Shut the fewest tiles; ties go to the highest tile."""
    return partial(_option_by_size, game, -1)


def _option_by_size(game: Game, sign: int, state: Any) -> str:
    """The option with the most tiles, or for sign -1 with the fewest."""
    options = list(game.choices(state))
    # One die, if allowed.
    if state[0] == "open":
        return options[0]
    sets = [tuple(map(int, option.split("+"))) for option in options]
    best = max(sets, key=lambda tiles: (sign * len(tiles), tiles[-1]))
    return options[sets.index(best)]


entry = partial(
    Entry,
    family="Shut the Box",
    source="D. Pritchard, The Family Book of Games (1983); Wikipedia, Shut the box",
    readings=(
        "One die at choice once the open tiles add up to 6 or less; also: never, once 7, 8 and 9 "
        "are shut, always, or with one die alone (one_die=).",
        "Any tiles that add up to the roll; also: at most two, or those the dice show (shut=).",
        "The open tiles are added up; also: read as a number (score=).",
        "A player who can shut tiles must.",
    ),
    policies={"fewest-tiles-first": fewest_tiles_first, "most-tiles-first": most_tiles_first},
)

# fmt: off
SHUT_THE_BOX = [
    entry("shut-the-box", "Shut the Box, all shut", shut_the_box, most="shut",
          value="956177159/9795520512"),
    entry("shut-the-box-two-dice", "Shut the Box, always two dice, all shut",
          shut_the_box, {"one_die": "never"}, most="shut", value="466473281/6530347008"),
    entry("shut-the-box-score", "Shut the Box, the least score", shut_the_box, least="points"),
    entry("shut-the-box-6", "Shut the Box, six tiles and one die",
          shut_the_box, {"tiles": 6, "one_die": "only"}, most="shut", value="145/1944"),
    entry("shut-the-box-10", "Shut the Box, ten tiles", shut_the_box, {"tiles": 10}, most="shut"),
    entry("shut-the-box-12", "Shut the Box, twelve tiles",
          shut_the_box, {"tiles": 12}, most="shut"),
]
# fmt: on


# --- chutes and ladders ---


LADDERS = {1: 38, 4: 14, 9: 31, 21: 42, 28: 84, 36: 44, 51: 67, 71: 91, 80: 100}
CHUTES = {16: 6, 47: 26, 49: 11, 56: 53, 62: 19, 64: 60, 87: 24, 93: 73, 95: 75, 98: 78}
"""The ladders and chutes of Milton Bradley's board."""


def chutes(squares: int = 100, jumps: Mapping[int, int] | None = None, spinner: int = 6) -> Race:
    """Chutes and Ladders, alone. The player starts before square 1 and moves by a spinner, 1 to
    `spinner`, up a ladder or down a chute where they land on one. The game ends on square
    `squares`, exactly: a spin that would go beyond it is lost. The board is Milton Bradley's, or
    `jumps` says from where to where.
    """
    if squares < 1 or spinner < 1:
        raise RulesError(f"squares={shown(squares)}, spinner={shown(spinner)}; 1 or more of each")
    board = LADDERS | CHUTES if jumps is None else jumps
    # A smaller board has those of the jumps that lie on it.
    if jumps is None and squares != 100:
        board = {start: end for start, end in board.items() if max(start, end) <= squares}
    die = Dice([Die.standard(spinner)])
    return Race(die, squares, Frozen(board), players=1, exact=True)


entry = partial(Entry, family="Chutes and Ladders", bet="")

# fmt: off
RACES = [
    entry("chutes-and-ladders", "Chutes and Ladders", chutes,
          source="S. C. Althoen, L. King and K. Schilling, How Long Is a Game of Snakes and "
          "Ladders? Math. Gazette 77 (1993)"),
]
# fmt: on


# --- risk: a battle to the end ---


Armies = tuple[int, int]


def losses(roll: Roll, attack: int) -> Armies:
    """The armies lost by attacker and defender; ties go to the defender.

    >>> losses(parse_dice("5d6").roll([6, 2, 2, 5, 2]), 3)
    (1, 1)
    """
    ours = sorted(roll.faces[:attack], reverse=True)
    theirs = sorted(roll.faces[attack:], reverse=True)
    # Highest against highest; a tie is the defender's, and dice without an opponent don't count.
    lost = sum(mine <= yours for mine, yours in zip(ours, theirs, strict=False))
    return lost, min(len(ours), len(theirs)) - lost


@cache
def _battle_dice(attack: int, defend: int) -> Rollable:
    return parse_dice(f"{attack + defend}d6").read(partial(losses, attack=attack))


@dataclass(frozen=True)
class Battle(Game):
    """A battle; a state is (attacking, defending) armies.

    >>> Battle((3, 2)).step((3, 2), (0, 2)).label
    'attacker wins'

    Args:
        start: the armies at the start, (attacking, defending).
    """

    start: Hashable

    def rolls(self, state: Armies) -> Rollable:
        """Up to three dice against up to two."""
        attack, defend = state
        return _battle_dice(min(attack, 3), min(defend, 2))

    def step(self, state: Armies, lost: Armies) -> Any:
        attack, defend = state[0] - lost[0], state[1] - lost[1]
        if not attack:
            return settle("defender wins")
        return (attack, defend) if defend else settle("attacker wins")


def risk(attackers: int = 5, defenders: int = 5) -> Battle:
    """A battle at Risk, fought until one side has no armies left. The attacker rolls a die for each
    army, up to three, and the defender up to two. The highest die of each side is compared, and
    then the second highest, and the lower loses an army. A tie is the defender's. The army that
    must stay behind in the attacker's country is not counted among them.
    """
    for name, armies in (("attackers", attackers), ("defenders", defenders)):
        if not 1 <= armies <= 500:
            raise RulesError(f"{name}={shown(armies)}; an army has 1 to 500")
    return Battle((attackers, defenders))


entry = partial(Entry, family="Risk", bet="")

# fmt: off
RACES += [
    entry("risk-battle", "Risk, a battle", risk,
          source="J. A. Osborne, Markov Chains for the RISK Board Game Revisited, Math. "
          "Magazine 76 (2003)"),
]
# fmt: on
