"""Games in which a player does not see everything: Kuhn poker, liar's dice, Mia, moves at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import permutations, product
from typing import Any, Literal, NamedTuple

from sevenout.catalogue.entries import Entry
from sevenout.errors import RulesError, shown
from sevenout.rolling import Law, Reading, Roll, Rollable, parse_dice
from sevenout.rules import HiddenGame, HiddenHands, Outcome, choose_again, settle
from sevenout.rules.hidden_hands import FIRST, SECOND

# --- matching pennies, rock paper scissors, and Kuhn poker ---


NEUMANN = "J. von Neumann, Zur Theorie der Gesellschaftsspiele, Math. Annalen 100 (1928)"
KUHN = "H. W. Kuhn, A simplified two-person poker, Contributions to the Theory of Games I (1950)"


def zero_sum(label: str, amount: int) -> Outcome:
    """An outcome in which the first player wins an amount from the second.

    >>> zero_sum("raised", -2).profit("second")
    Fraction(2, 1)
    """
    risk = max(1, abs(amount))
    return settle(label, {FIRST: (amount, risk), SECOND: (-amount, risk)})


@dataclass(frozen=True)
class AtOnce(HiddenGame):
    """Both players choose at the same time.

    The state is the first player's choice, once made; the second does not see it.

    >>> pennies = AtOnce(("heads", "tails"), ((1, -1), (-1, 1)))
    >>> pennies.chooser("tails"), pennies.sees("tails", "second")
    ('second', 'nothing')

    Attributes:
        options: of each player.
        table: the first player's win: rows are the first player's options, columns the second's.
    """

    options: tuple[str, ...]
    table: tuple[tuple[int, ...], ...]
    start = "start"

    def chooser(self, state: str) -> str:
        """The first player, then the second."""
        return FIRST if state == self.start else SECOND

    def sees(self, state: str, player: str) -> str:
        """Nothing of the other's choice."""
        return "nothing"

    def choices(self, state: str) -> Mapping[str, Any]:
        """The options."""
        if state == self.start:
            return {mine: choose_again(mine) for mine in self.options}
        row = self.table[self.options.index(state)]
        return {
            yours: zero_sum(f"{state} against {yours}", amount)
            for yours, amount in zip(self.options, row, strict=True)
        }

    def step(self, state: Any, roll: Any) -> Any:
        raise AssertionError("nothing is rolled")


Actions = tuple[str, ...]
"""The players' actions so far, in order."""


@dataclass(frozen=True)
class KuhnPoker(HiddenHands):
    """Kuhn poker; the state is (first card, second card, actions).

    >>> KuhnPoker().sees(("J", "K", ("check",)), "second")
    ('K', 'check')

    Attributes:
        opening: no action yet.
    """

    cups = (Law(dict.fromkeys(permutations("JQK", 2), 1)),)
    opening: Actions = ()
    coordinates = (FIRST, SECOND, "done")

    def to_move(self, table: Actions) -> str:
        """The players act in turn."""
        return SECOND if len(table) == 1 else FIRST

    def moves(self, table: Actions) -> Mapping[str, Actions]:
        """Check or bet; after a bet, fold or call."""
        if table in ((), ("check",)):
            return {"check": (*table, "check"), "bet": (*table, "bet")}
        if table[-1] == "bet":
            return {"fold": (*table, "fold"), "call": (*table, "call")}
        return {}

    def showdown(self, table: Actions, first: str, second: str) -> Outcome:
        """The higher card wins, unless a player folds."""
        if table[-1] == "fold":
            return zero_sum("folded", 1 if len(table) == 2 else -1)
        sign = 1 if "JQK".index(first) > "JQK".index(second) else -1
        if table[-1] == "call":
            return zero_sum("called", 2 * sign)
        return zero_sum("checked", sign)


def matching_pennies() -> AtOnce:
    """Each of two players lays down a coin. The first wins if both show the same side."""
    return AtOnce(("heads", "tails"), ((1, -1), (-1, 1)))


def rock_paper_scissors(rock: int = 1) -> AtOnce:
    """Rock blunts scissors, scissors cut paper, paper wraps rock; two alike tie. A player who wins
    with a rock wins as much as `rock`.
    """
    return AtOnce(("rock", "paper", "scissors"), ((0, -1, rock), (1, 0, -1), (-rock, 1, 0)))


def kuhn() -> KuhnPoker:
    """Kuhn poker. Each of two players puts in 1 and is dealt one of the cards J, Q, K. The first
    checks or bets 1 more; then the second does. After a bet the other player calls, for 1 more, or
    folds. If no one folds, the higher card takes the pot.
    """
    return KuhnPoker()


AT_ONCE = ("Both show at once: the second is asked without seeing what the first shows.",)
entry = partial(Entry, players=2, most=FIRST)

# fmt: off
ENTRIES = [
    entry("matching-pennies", "Matching pennies", matching_pennies, family="Two at once",
          source=NEUMANN, readings=AT_ONCE, value="0"),
    entry("rock-paper-scissors", "Rock, paper, scissors", rock_paper_scissors,
          family="Two at once", source=NEUMANN, readings=AT_ONCE, value="0"),
    entry("kuhn", "Kuhn poker", kuhn, family="Poker", source=KUHN,
          readings=("Both put in 1 before the deal; a profit is what is won of the other's.",),
          value="-1/18"),
]
# fmt: on


# --- liar's Dice, Dudo and Perudo for two ---


Hand = tuple[int, ...]
Ones = Literal["plain", "wild"]
WON = {FIRST: zero_sum("first wins", 1), SECOND: zero_sum("second wins", -1)}
NELLER = "T. W. Neller and M. Lanctot, An Introduction to Counterfactual Regret Minimization (2013)"
BGA = "Board Game Arena, Perudo (rules of the game, as played with Asmodee's edition)"
AHLE = "T. D. Ahle, snyd: Liar's Dice in the sequence form (2017)"


class Bidding(NamedTuple):
    """The state of the bidding.

    Attributes:
        mover: the player to move, "first" or "second".
        bid: the last bid; None before the first.
        called: whether it was called.
    """

    mover: str
    bid: str | None = None
    called: bool = False


@dataclass(frozen=True)
class LiarsDice(HiddenHands):
    """Liar's Dice for two; the state is (first hand, second hand, bids).

    >>> game = LiarsDice(1, 1, 6, "plain")
    >>> game.sees(((3,), (5,), ("1x4",)), "second")
    ((5,), '1x4')
    >>> list(game.choices(((3,), (5,), ("2x5",))))
    ['2x6', 'call']

    Args:
        first_dice: the dice of the first player.
        second_dice: the dice of the second player.
        sides: of each die.
        ones: "plain", or "wild" if a 1 counts as any face.
        ones_last: whether a bid of ones is the highest of its number, as at Dudo.
        halving: whether a bid of ones ranks with twice as many of another face, as at Perudo.

    Raises:
        RulesError: numbers of dice or sides that are too small or too large.
    """

    first_dice: int
    second_dice: int
    sides: int
    ones: str
    ones_last: bool = False
    halving: bool = False
    opening = Bidding(FIRST)
    coordinates = (FIRST, SECOND, "bids")

    def __post_init__(self) -> None:
        for name, dice in (("first", self.first_dice), ("second", self.second_dice)):
            if not 1 <= dice <= 5:
                raise RulesError(f"{name}={shown(dice)}; each player rolls 1 to 5 dice")
        if not 1 <= self.sides <= 20:
            raise RulesError(f"sides={shown(self.sides)}; a die has 1 to 20 sides")
        if self.halving and self.sides < 2:
            raise RulesError("sides=1; at Perudo nobody opens with ones: give 2 or more")

    @cached_property
    def bids(self) -> dict[str, tuple[int, int]]:
        """The count and face of every bid, the lowest first."""
        faces = list(range(1, self.sides + 1))
        faces = [*faces[1:], 1] if self.ones_last else faces
        counts = range(1, self.first_dice + self.second_dice + 1)
        bids = [(count, face) for count in counts for face in faces]
        if self.halving:  # a bid of ones ranks above twice as many of another face
            bids.sort(key=lambda bid: (2 * bid[0], 1) if bid[1] == 1 else (bid[0], 0))
        return {f"{count}x{face}": (count, face) for count, face in bids}

    @cached_property
    def cups(self) -> tuple[Rollable, Rollable]:  # type: ignore[override]
        """The hands; a hand is the sorted dice."""
        dice = (parse_dice(f"{n}d{self.sides}") for n in (self.first_dice, self.second_dice))
        first, second = dice
        return first.hands, second.hands

    @cached_property
    def _moves(self) -> dict[Bidding, dict[str, Bidding]]:
        return {}

    @property
    def _openings(self) -> list[str]:
        return [bid for bid, (_, face) in self.bids.items() if not (self.halving and face == 1)]

    def to_move(self, table: Bidding) -> str:
        """The players bid in turn."""
        return table.mover

    def moves(self, table: Bidding) -> Mapping[str, Bidding]:
        """A higher bid, or a call."""
        if table.called:
            return {}
        if table not in self._moves:
            other, bids = _opponent(table.mover), list(self.bids)
            higher = self._openings if table.bid is None else bids[bids.index(table.bid) + 1 :]
            options = {bid: Bidding(other, bid) for bid in higher}
            call = {} if table.bid is None else {"call": table._replace(called=True)}
            self._moves[table] = options | call
        return self._moves[table]

    def showdown(self, table: Bidding, first: Hand, second: Hand) -> Outcome:
        """The bidder wins if the last bid is reached."""
        assert table.bid is not None
        count, face = self.bids[table.bid]
        is_reached = self.matching_dice(first, face) + self.matching_dice(second, face) >= count
        return WON[_opponent(table.mover) if is_reached else table.mover]

    def matching_dice(self, hand: Hand, face: int) -> int:
        """The number of dice in a hand that count as a face.

        >>> plain, wild = (LiarsDice(2, 2, 6, ones) for ones in ("plain", "wild"))
        >>> plain.matching_dice((1, 4), 4), wild.matching_dice((1, 4), 4)
        (1, 2)
        """
        return sum(die == face or (die == 1 and self.ones == "wild") for die in hand)


def liars_dice(first: int = 1, second: int = 1, sides: int = 6, ones: Ones = "plain") -> LiarsDice:
    """A round of Liar's Dice for two. Both players roll their dice in a cup, and see only their
    own. The first player bids: this many dice of both cups show this face. Then they take turns to
    bid higher, more dice or as many of a higher face, or to call. After a call all dice are shown:
    the bidder wins if there are as many as the last bid said, or more; else the caller wins. Ones
    may be wild: then they count as any face.
    """
    return LiarsDice(first, second, sides, ones)


def dudo(first: int = 1, second: int = 1, sides: int = 6) -> LiarsDice:
    """The last round of Dudo, for two. It is Liar's Dice with wild ones, in which a bid of ones is
    the highest of its number: 1x2, 1x3 and so on, then 1x1, then 2x2. The call is "dudo", I doubt.
    """
    return LiarsDice(first, second, sides, "wild", ones_last=True)


def perudo(first: int = 1, second: int = 1, sides: int = 6) -> LiarsDice:
    """A round of Perudo, for two. It is Liar's Dice with wild ones. A bid of ones equals twice as
    many of another face. A player who changes to ones bids half as many, rounded up. A player who
    changes back bids twice as many and one more. Nobody opens with a bid of ones.
    """
    return LiarsDice(first, second, sides, "wild", halving=True)


READINGS = (
    "A bid is higher if it is of more dice, or of as many of a higher face.",
    "A bid holds if there are as many dice as it says, or more.",
    "Ones can be bid, too; where they are wild, only ones count for a bid of ones.",
)
entry = partial(Entry, family="Liar's Dice", source=AHLE, players=2, most=FIRST, readings=READINGS)

# fmt: off
ENTRIES += [
    entry("liars-dice", "Liar's Dice", liars_dice, value="-1/9"),
    entry("liars-dice-wild", "Liar's Dice, ones wild", liars_dice, {"ones": "wild"},
          value="-7/327"),
    entry("dudo", "Dudo, the last dice", dudo, source=NELLER,
          readings=(READINGS[1], "Ones are wild, and their bids the highest of their number."),
          value="-7/258"),
    entry("perudo", "Perudo, a round for two", perudo, source=BGA,
          readings=(READINGS[1], "Ones halve a bid, rounded up; back, it is twice and one more.")),
]
# fmt: on


# --- mia (Meyer) for two ---


def as_announced(roll: Roll) -> str:
    """A roll of two dice as two digits, the higher first.

    >>> from sevenout.rolling import parse_dice
    >>> as_announced(parse_dice("2d6").roll([3, 5]))
    '53'
    """
    low, high = sorted(roll.faces)
    return f"{high}{low}"


@dataclass(frozen=True)
class Mia(HiddenGame):
    """Mia for two.

    The state is (the roller, the last announcement that stands, their roll, their announcement);
    whatever is not there yet is "".

    >>> mia = Mia(6)
    >>> mia.ranks[:3], mia.ranks[-3:]
    (('31', '32', '41'), ('55', '66', '21'))
    >>> mia.sees(("first", "54", "41", "61"), "second")
    ('54 stands', '61 announced')

    Args:
        sides: of both dice.
    """

    sides: int
    start = (FIRST, "", "", "")
    coordinates = ("roller", "stands", "roll", "announced")

    @cached_property
    def ranks(self) -> tuple[str, ...]:
        """The possible rolls, ascending: unlike dice, pairs, and Mia."""
        faces = range(1, self.sides + 1)
        unlike = [f"{high}{low}" for high in faces for low in range(1, high)]
        return *unlike[1:], *(f"{face}{face}" for face in faces), "21"

    @cached_property
    def dice(self) -> Rollable:  # type: ignore[override]
        """Two dice, hidden from the other player."""
        return Reading(parse_dice(f"2d{self.sides}"), as_announced)

    def step(self, state: tuple[str, str, str, str], roll: str) -> Any:
        return state[0], state[1], roll, ""

    def chooser(self, state: tuple[str, str, str, str]) -> str:
        """The roller announces; the other player then believes or doubts."""
        roller, _, _, announced = state
        return _opponent(roller) if announced else roller

    def sees(self, state: tuple[str, str, str, str], player: str) -> Any:
        """The announcements; for the roller, the roll too."""
        roller, stands, roll, announced = state
        last = f"{stands or 'nothing'} stands"
        return last, f"rolled {roll}" if player == roller else f"{announced} announced"

    def choices(self, state: tuple[str, str, str, str]) -> Mapping[str, Any]:
        """A higher announcement; a belief, or a doubt."""
        roller, stands, roll, announced = state
        if announced:
            options: dict[str, Any] = {"doubt": self._doubted(roller, roll, announced)}
            if announced != self.ranks[-1]:
                options["believe"] = (_opponent(roller), announced, "", "")
            return options
        if not roll:
            return {}
        higher = self.ranks[self.ranks.index(stands) + 1 :] if stands else self.ranks
        return {rank: choose_again((roller, stands, roll, rank)) for rank in higher}

    def _doubted(self, roller: str, roll: str, announced: str) -> Outcome:
        """A doubt loses if the roll is at least as high as announced."""
        lied = self.ranks.index(roll) < self.ranks.index(announced)
        return zero_sum("a lie" if lied else "no lie", 1 if lied != (roller == FIRST) else -1)


def _opponent(player: str) -> str:
    return SECOND if player == FIRST else FIRST


def mia(sides: int = 6) -> Mia:
    """Mia, or Meyer, for two. A player rolls two dice under the cup, looks, and announces a roll:
    32, 41 and so on to 65, then the pairs from 11, then 21, which is Mia and the highest of all.
    The other doubts or believes. After a doubt the cup is lifted: a roll as high as was announced,
    or higher, wins for the roller, else the doubt wins. A player who believes takes the cup, rolls
    without looking under it before, and must announce a higher roll. No one can believe in Mia.
    """
    if not 3 <= sides <= 9:
        raise RulesError(f"sides={shown(sides)}; dice of 3 to 9 sides can be read as two digits")
    return Mia(sides)


# fmt: off
ENTRIES += [
    Entry("mia", "Mia", mia, family="Mia", players=2, most=FIRST,
             source="the rules of Meyer as they are played in Denmark and Germany, without lives",
             readings=("An announcement must be higher than the last, not as high.",
                       "A player who announces Mia is doubted: nothing is higher.",
                       "The round is lost once, by Mia too.")),
]
# fmt: on


# --- dice games with simultaneous moves ---


HOLD, ROLL, BOTH = "hold", "roll", "both"


@dataclass(frozen=True)
class SimultaneousPig(HiddenGame):
    """A turn of Pig for two at once.

    The state is (the first player's points, the second's, whether each still rolls, and who has
    chosen: no one, the first player, or both).

    >>> pig = SimultaneousPig(12)
    >>> pig.chooser((7, 9, True, True, "hold")), pig.sees((7, 9, True, True, "hold"), "second")
    ('second', ('7 to 9', 'both roll'))

    Args:
        limit: points at which a player stops.
    """

    limit: int
    start = (0, 0, True, True, BOTH)
    coordinates = ("first", "second", "first rolls", "second rolls", "chosen")

    def chooser(self, state: tuple[int, int, bool, bool, str]) -> str:
        """The first player if undecided; else the second."""
        return FIRST if state[2] and not state[4] else SECOND

    def sees(self, state: tuple[int, int, bool, bool, str], player: str) -> Any:
        """Both players' points, and who still rolls."""
        first, second, first_rolls, second_rolls, _ = state
        if first_rolls and second_rolls:
            return f"{first} to {second}", "both roll"
        return f"{first} to {second}", "first rolls" if first_rolls else "second rolls"

    def choices(self, state: tuple[int, int, bool, bool, str]) -> Mapping[str, Any]:
        """A player who still rolls goes on or holds."""
        *points, first_rolls, second_rolls, chosen = state
        if chosen == BOTH:
            return {}
        if first_rolls and second_rolls and not chosen:
            return {option: choose_again((*points, True, True, option)) for option in (ROLL, HOLD)}
        if not second_rolls:
            return {ROLL: (*points, True, False, BOTH), HOLD: _higher_wins(*points)}
        first_goes_on = chosen == ROLL
        return {
            ROLL: (*points, first_goes_on, True, BOTH),
            HOLD: (*points, True, False, BOTH) if first_goes_on else _higher_wins(*points),
        }

    def rolls(self, state: tuple[int, int, bool, bool, str]) -> Rollable:
        """A die for each player who rolls; 0 for the other."""
        faces = (range(1, 7) if rolls else (0,) for rolls in state[2:4])
        return Law(dict.fromkeys(product(*faces), 1))

    def step(self, state: tuple[int, int, bool, bool, str], faces: tuple[int, int]) -> Any:
        first, first_rolls = self._after_face(state[0], state[2], faces[0])
        second, second_rolls = self._after_face(state[1], state[3], faces[1])
        if first_rolls or second_rolls:
            return first, second, first_rolls, second_rolls, ""
        return _higher_wins(first, second)

    def _after_face(self, points: int, rolls: bool, face: int) -> tuple[int, bool]:
        """A player's points after a face, and whether they may roll again."""
        if not rolls:
            return points, False
        if face == 1:
            return 0, False
        # Points beyond the limit change nothing, and would add states.
        return min(points + face, self.limit), points + face < self.limit


def _higher_wins(first: int, second: int) -> Outcome:
    """The outcome of two results, of which the higher wins."""
    if first == second:
        return zero_sum("as much", 0)
    if first > second:
        return zero_sum("the first has more", 1)
    return zero_sum("the second has more", -1)


@dataclass(frozen=True)
class DiceBids(HiddenGame):
    """Bids with dice.

    The state is (the dice left to each player, the first player's lead, the prize, the first
    player's bid).

    >>> list(DiceBids(3, 6).choices(((1, 3), (2, 3), 4, 5, 0)))
    ['bid 1', 'bid 3']

    Args:
        bids: the bids, and so the prizes, of a game: dice 1 to this number.
        sides: of the die that sets a prize.
    """

    bids: int
    sides: int
    coordinates = ("first", "second", "ahead", "prize", "bid")

    @property
    def start(self) -> Any:  # type: ignore[override]
        """All dice, before any bid."""
        dice = tuple(range(1, self.bids + 1))
        return dice, dice, 0, 0, 0

    def rolls(self, state: Any) -> Rollable:
        """The prize."""
        return parse_dice(f"d{self.sides}")

    def step(self, state: Any, roll: Any) -> Any:
        return (*state[:3], roll.total, 0)

    def chooser(self, state: Any) -> str:
        """The first player, then the second."""
        return SECOND if state[4] else FIRST

    def sees(self, state: Any, player: str) -> Any:
        """Everything except the other's bid."""
        first, second, lead, prize, _ = state
        dice_left = ("".join(map(str, dice)) for dice in (first, second))
        return f"prize {prize}", " v ".join(dice_left), f"{lead:+}"

    def choices(self, state: Any) -> Mapping[str, Any]:
        """A bid with one of the dice left."""
        first, second, lead, prize, bid = state
        if not prize:
            return {}
        # The first player bids; the second does not see it.
        if not bid:
            return {f"bid {die}": choose_again((first, second, lead, prize, die)) for die in first}
        options = {}
        first_left = tuple(die for die in first if die != bid)
        for answer in second:
            second_left = tuple(die for die in second if die != answer)
            new_lead = lead + prize * ((bid > answer) - (bid < answer))
            state_after = (first_left, second_left, new_lead, 0, 0)
            options[f"bid {answer}"] = state_after if first_left else _higher_wins(new_lead, 0)
        return options


def pig_simultaneous(goal: int = 20) -> SimultaneousPig:
    """One turn of Pig, for both at once. Both players roll a die; any face but 1 is added to what
    they have gained, a 1 loses it and ends their turn. All is open. Then both say at the same time
    whether they roll again or hold; a player who holds, or reaches the goal, rolls no more. When no
    one rolls any more, the player who has gained more wins.
    """
    if not 2 <= goal <= 100:
        raise RulesError(f"goal={shown(goal)}; a turn goes to 2 to 100")
    return SimultaneousPig(goal)


def dice_bids(bids: int = 4, sides: int = 6) -> DiceBids:
    """Goofspiel with dice. Each player has dice that show 1, 2 and so on, one of each. A die is
    rolled for the prize; then both bid one of their dice at the same time. The higher bid takes the
    prize, alike bids leave it, and both dice are gone. When no dice are left, the player who took
    more wins.
    """
    if not 1 <= bids <= 5:
        raise RulesError(f"bids={shown(bids)}; each player has 1 to 5 dice to bid")
    if not 1 <= sides <= 20:
        raise RulesError(f"sides={shown(sides)}; the prize is a die of 1 to 20 sides")
    return DiceBids(bids, sides)


entry = partial(Entry, players=2, most=FIRST, family="Two at once")

# fmt: off
ENTRIES += [
    entry("pig-simultaneous", "Pig, one turn at once", pig_simultaneous,
          source="a turn of Pig as sevenout states it",
          readings=("A player who holds or loses their gain waits for the other.",
                    "A turn that reaches the goal ends there, and gains no more than the goal.")),
    entry("dice-bids", "Bids with dice", dice_bids,
          source="S. M. Ross, Goofspiel, the game of pure strategy, J. Appl. Prob. 8 (1971); "
                 "here the prizes are rolled",
          readings=("Bids are shown at the same time, and open afterwards.",
                    "A prize for which both bid alike is nobody's."), value="0"),
]
# fmt: on
