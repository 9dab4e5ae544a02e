"""How a user's program looks to a type checker; `test_typing.py` says what it must find."""

from collections import Counter
from collections.abc import Hashable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, assert_type

import sevenout as so
from sevenout.model import Model
from sevenout.rolling import Dice, Reading, Roll, UnboundedLaw, dice, tatham
from sevenout.rules import ByTurns, HiddenGame, Outcome
from sevenout.simulation import Tally, simulate
from sevenout.solving import Optimum
from sevenout.solving.mixed_optimum import MixedOptimum
from sevenout.solving.turn_optimum import TurnOptimum

# dice: what a text holds is known when it is read, and not before
assert_type(so.dice("2d6"), Dice[Any])
assert_type(so.dice(Counter([1, 1, 2])), so.Dice[int])
assert_type(dice(tatham()), Dice[Any])
assert_type(so.dice([so.d6, so.Die([1, 2])]), Dice[int])
assert_type(so.d6, so.Die[int])
assert_type(so.Die(["H", "T"]), so.Die[str])
assert_type(so.Die({"H": 1, "T": 3}).law, so.Law[str])
assert_type(so.d6.relabel(str), so.Die[str])
assert_type(so.d6.law, so.Law[int])
assert_type(so.d6.sample(3), list[int])
assert_type((so.d6 + so.d8).law, so.Law[Roll])
assert_type((so.d6 + so.d8).totals, Reading[int])
assert_type((so.d6 + so.d8).ways.law, so.Law[tuple[int, bool]])
assert_type((so.d6 + so.d8).read(str).law, so.Law[str])
assert_type(so.d6 + so.d8, so.Dice[int])
assert_type(so.d6 + 4, so.Dice[int])
assert_type(4 + so.d6, so.Dice[int])
assert_type(so.d6 - Fraction(1, 2), so.Dice[int | Fraction])
assert_type(so.dice("2d6") - so.d4, Dice[Any])
assert_type(so.d6 + so.law([1, 2]), so.Law[int])
assert_type(so.d6 + so.d8.explode(), UnboundedLaw)

# distributions
assert_type(so.law("2d6"), so.Law[Any] | UnboundedLaw)
assert_type(so.law({1: 2, 2: 1}), so.Law[int])
assert_type(so.law({"a": Fraction(1, 3), "b": Fraction(2, 3)}), so.Law[str])
assert_type(so.law([1, 1, 2]), so.Law[int])
assert_type(so.law(5), so.Law[int])
assert_type(so.law(Fraction(1, 2)), so.Law[Fraction])
assert_type(so.law(so.d6 + so.d8), so.Law[int])
assert_type(so.law([so.Vector(1, 0)]), so.Law[so.Vector])
assert_type(so.law({1: 2, 2: 1})[1], Fraction)
assert_type(list(so.law({1: 2, 2: 1})), list[int])
assert_type(so.d6.explode(), UnboundedLaw)
assert_type(so.d6.explode(depth=2), so.Law[int])
assert_type(so.d6.explode(depth=2, score=lambda face: face // 5), so.Law[int])
assert_type(2 @ so.d6, so.Law[int])
assert_type(3 @ (so.d6 > 4), so.Law[int])
assert_type(so.d4 @ so.d6, so.Law[int])
assert_type((2 @ so.d6) + so.d8, so.Law[int])
assert_type(so.law([1, 2]) * 2, so.Law[int])
assert_type(so.law([1, 2]) * Fraction(1, 2), so.Law[int | Fraction])
assert_type(so.law([1, 2]) / 2, so.Law[int | Fraction])
assert_type(7 // so.d6, so.Law[int])
assert_type(so.d6 % 2, so.Law[int])
assert_type(so.d6**2, so.Law[int])
assert_type(abs(so.law([1, 2]) - 3), so.Law[int])
assert_type((so.d6 > 4) + (so.d6 > 4), so.Law[int])
assert_type(so.law([so.Vector(1, 0)]) + so.Vector(0, 1), so.Law[so.Vector])
assert_type(3 * so.law([so.Vector(1, 0)]), so.Law[so.Vector])
assert_type(so.dice("2d6").own_law + 1, so.Law[Any])
assert_type((so.d6 > so.d8).p(), Fraction)
assert_type((so.d6 > so.d8).own_law, so.Law[bool])
assert_type((so.d6 == 6).p(), Fraction)
assert_type(so.law([1, 2]) == so.law([1, 2]), bool)
assert_type((so.d6 < so.d8.explode()).p(), Fraction)
assert_type(so.d6.map(lambda face: 2 @ so.d6 if face == 6 else face), so.Law[int])
assert_type(so.d6.map(lambda face: face > 3), so.Law[bool])
assert_type(so.d6.map(lambda face: 2 @ so.d8), so.Law[int])
assert_type(so.d6.map(str), so.Law[str])
assert_type(so.d6.map({6: "hit"}), so.Law[int | str])
assert_type(so.d8.explode().map(lambda total: total > 9, constant_from=10), so.Law[bool])
assert_type(so.d6.reroll([1, 2], depth=1), so.Law[int])
assert_type(so.d6.given(range(2, 5)), so.Law[int])
assert_type(so.Die(["H", "T"]).given(lambda face: face.isupper()), so.Law[str])
assert_type(so.d6.p({5, 6}), Fraction)
assert_type(so.d6.mode, int)
assert_type(so.law("2d6").p(lambda total: total > 7), Fraction)
assert_type(so.law([1, 2]).quantile("1/2"), int | Fraction)
assert_type(so.highest("d8!", "d6!"), so.Law[Any] | UnboundedLaw)
assert_type(so.highest(so.d8, so.d6), so.Law[int])


def higher(best: int, face: int) -> int:
    """A step of a repetition."""
    return max(best, face)


# mixtures, several dice, pools, decks
assert_type(so.mixture({so.d6: 2, so.d8: 1}), so.Law[int])
assert_type(so.mixture({so.d6 + so.d6: 2, so.d8 + so.d8: 1}), so.Law[Any])
assert_type(so.mixture({"d6": 1, "d8": 2}), so.Law[Any])
assert_type(so.mixture({0: 1, 6: 2}), so.Law[int])
assert_type(so.mixture(so.d6, so.d8), so.Law[int])
assert_type(so.mixture([(so.d6, 1), (so.d8, 2)]), so.Law[int])
assert_type(so.mixture("d6", so.d8), so.Law[Any])
assert_type(so.repeat(higher, so.d6, 3, start=0), so.Law[int])
assert_type(so.repeat(lambda last, face: face, "d6", 3, start=0), so.Law[Any])
assert_type(so.each(so.d6, so.Die("HT")).own_law, so.Law[tuple[int, str]])
assert_type(so.each(so.d6, so.d8).map(max), so.Law[int])
assert_type(so.each(so.d6, so.d8).map(lambda a, b: a > b), so.Law[bool])
assert_type(so.each(so.d6, so.d8).map(lambda a, b: a @ so.d4), so.Law[int])
assert_type(so.each(so.d6, so.d8).given(lambda a, b: a > b), so.Law[tuple[int, int]])
assert_type(so.each("d6", "d8").map(lambda a, b: (a, b)), so.Law[tuple[Any, Any]])
assert_type(
    so.each(so.d4, so.d4, so.d4, so.d4, so.d4).map(lambda a, b, c, d, e: (a, e)),
    so.Law[tuple[int, int]],
)
assert_type(so.pool("2d6").highest(1).sum(), so.Law[Any])
assert_type(so.pool(so.d6, so.d8), so.Pool[int])
assert_type(so.d6.pool(3), so.Pool[int])
assert_type(so.d6.pool(3) + so.d8.pool(2), so.Pool[int])
assert_type(so.d6.pool(3) + 1, so.Law[int])
assert_type(so.d6.pool(3).highest(2).sum(), so.Law[int])
assert_type(so.d6.pool(3).count({5, 6}), so.Law[int])
assert_type(so.Die("HT").pool(3).hands, so.Law[tuple[str, ...]])
assert_type(so.Die("HT").pool(3).best_set(), so.Law[tuple[int, str]])
assert_type(so.d6.pool(3).sets(), so.Law[tuple[int, ...]])
assert_type(so.d6.pool(3).by_face(lambda n, face, k: n + k, start=0), so.Law[int])
assert_type(
    so.d6.pool(3).by_face(lambda n, face, k: n + k, start=0, finish=lambda n: n @ so.d6),
    so.Law[int],
)
assert_type(
    so.d6.pool(3).by_face(lambda n, face, k: n + k, start=0, finish=lambda n: f"{n} dice"),
    so.Law[str],
)
so.d6.pool(3).by_face(lambda hand, face, k: hand + (face,) * k, start=())
so.d6.pool(3).by_face(lambda best, face, k: max(best or 0, face))
assert_type(so.deck({"king": 4, "other": 48}), so.Deck[str])
assert_type(so.deck({"king": 4, "other": 48}).deal(5).count("king"), so.Law[int])
assert_type(so.deck([1, 1, 2]).deal(2).sum(), so.Law[int])
assert_type(so.deck([1, 1, 2]).deal(2).law, so.Law[Roll])
assert_type(so.deck([1, 1, 2]).deal(2).hands, so.Law[tuple[int, ...]])


assert_type(so.win(), Outcome)
assert_type(so.settle("7", {"pass": -1, "don't": 1}).profit("pass"), Fraction)
assert_type(so.counted("next", won=2).counts, tuple[tuple[str, int | Fraction], ...])
assert_type(so.counted("next", won=2).state, Hashable)
assert_type(so.Vector(1, 0) + so.Vector(0, 1), so.Vector)
assert_type(3 * so.Vector(1, 0), so.Vector)


def net(hits: int, face: int, mine: int, yours: int) -> int:
    """A step of a walk over two pools."""
    return hits + mine - yours


assert_type(so.d6.pool(3).by_face(net, so.d6.pool(2), start=0), so.Law[int])


def chances(law: so.Law[int], other: so.Law[int | Fraction]) -> so.Law[int | Fraction]:
    """A distribution of whole numbers is one of numbers: it never changes."""
    assert_type(law + other, so.Law[int | Fraction])
    return law


assert_type(so.explore("craps"), Model)
assert_type(so.explore(so.games["craps"]), Model)

craps = so.PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
assert_type(so.simulate(craps, games=10, seed=1), Tally)
assert_type(simulate(craps, 10), Tally)
assert_type(so.solve(craps), so.Solution)
assert_type(so.solve("craps"), so.Solution)
assert_type(so.solve(so.games.entry("craps")), so.Solution)
assert_type(so.simulate("craps", 10), Tally)
assert_type(so.games["craps"], so.Game)


def answers(game: so.Game, turns: ByTurns, hidden: HiddenGame) -> None:
    """The kind of game decides the kind of answer."""
    assert_type(so.best(game), Optimum)
    assert_type(so.best(turns), TurnOptimum)
    assert_type(so.best(hidden), MixedOptimum)
    assert_type(so.best("pig"), Optimum | TurnOptimum | MixedOptimum)
    so.best("pig-turn").simulate(10)
    so.best("pig-turn").sheet("pig.pdf")


if TYPE_CHECKING:
    so.dice(6)  # E: dice
    so.simulate(7, games=10)  # E: simulate
    so.simulate(craps)  # E: simulate
    so.slove(craps)  # E: slove
    so.solve(craps).distributoin("rolls")  # E: a method that there isn't
    so.best(craps, "pass", "again")  # E: most and least by name
    so.d6.highest(4)  # E: a pool has it
    so.law(craps)  # E: no distribution
    so.pool(6)  # E: no dice
    so.solve(craps).p(7)  # E: no label
    so.d6 + "4"  # E: no number
    so.d6 * 1.5  # E: a float
    so.d6 > 1.5  # noqa: B015  # E: a float
    so.d6**so.d6  # E: a power is a number
    so.d6 @ 2  # E: the number comes first
    1.5 @ so.d6  # E: a whole number
    so.d6.map(6)  # E: a function or a mapping
    so.d6.explode(depth="2")  # E: a number
    so.law("2d6").quantile([1, 2])  # E: one probability
    so.pool("3d6").by_face(3)  # E: a function
    so.pool("3d6").sort_pair(">", so.law("2d6"))  # E: a pool
    so.mixture(6)  # E: parts
    so.repeat(3, "d6", 2, start=0)  # E: a function
    so.explore(6)  # E: a game
    so.Die(6)  # E: faces
    so.law({"H": 1}) + 1  # E: labels don't add up
    so.law({"H": 1}) * 2  # E: labels are not multiplied
    so.Die("HT").pool(3).sum()  # E: labels don't add up
    so.deck(["ace", "king"]).deal(1).sum()  # E: labels don't add up
    so.d6.map(lambda face: face.upper())  # E: a number has no letters
    so.d6.given(lambda face: face.upper())  # E: a number has no letters
    so.d6.map(str).map(lambda face: face + 1)  # E: a text and a number
    so.each(so.d6, so.d8).map(lambda a: a)  # E: two arguments
    so.each(so.d6, so.Die("HT")).map(lambda a, b: a + b)  # E: a number and a text
    so.d6.pool(3).by_face(lambda n, face: n, start=0)  # E: three arguments
    so.law([1, 2])[1].probability  # noqa: B018  # E: a probability is a fraction
    so.d6[3]  # E: dice have no items
    list(so.d6)  # E: dice are no list
    texts: so.Law[str] = so.d6.law  # E: numbers
    whole: so.Law[int] = so.d6 / 2  # E: fractions
    so.deck(5)  # E: no cards
    so.Vector("a", "b")  # E: numbers
    so.settle("7", ["pass"])  # E: a pay for each bet
    so.settle("7", {"pass": 1.5})  # E: a float
    so.counted("next", won=1.5)  # E: a float
    so.counted(["next"])  # E: a state is hashable
