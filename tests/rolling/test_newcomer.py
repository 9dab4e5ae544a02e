"""What a newcomer writes first: it works, or an error says what to write instead."""

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from typing import Any

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sevenout as so
from sevenout.errors import NotationError, RulesError
from sevenout.rolling import Law, designs, parse_dice, relabelled
from sevenout.rolling.pools import remembered

PAIR = so.dice("2d6")


class Seven(so.Game):
    """7 or 11 wins; the roll is taken for its total."""

    dice = so.dice("2d6")

    def step(self, state: Any, roll: Any) -> Any:
        return so.win() if roll in (7, 11) else so.lose()


class NotOne(so.Game):
    """Anything but a 1 wins; the roll of one die is taken for a number."""

    dice = so.dice("d6")

    def step(self, state: Any, roll: Any) -> Any:
        return so.lose() if roll == 1 else so.win()


class SevenByTotal(Seven):
    """7 or 11 wins."""

    def step(self, state: Any, roll: Any) -> Any:
        return so.win() if roll.total in (7, 11) else so.lose()


class NotOneOfADie(NotOne):
    """The roll of `so.d6` is a number."""

    dice = so.d6


@pytest.mark.parametrize("game", [Seven(), NotOne()])
def test_a_game_can_t_take_a_roll_for_a_number_in_silence(game: so.Game) -> None:
    with pytest.raises(RulesError, match=r"write roll\.total =="):
        so.solve(game)


def test_the_same_games_with_totals_have_the_right_odds() -> None:
    assert so.solve(SevenByTotal()).p("win") == Fraction(8, 36)
    assert so.solve(NotOneOfADie()).p("win") == Fraction(5, 6)


def matched(roll: Any) -> str:
    match roll:
        case 7 | 11:
            return "natural"
        case _:
            return "no"


@pytest.mark.parametrize(
    "use",
    [
        lambda roll: roll == 7,
        lambda roll: roll != 7,
        lambda roll: roll in (7, 11),
        lambda roll: roll in [7],
        lambda roll: roll in {7, 11},
        {7: "seven"}.get,
        lambda roll: roll < 7,
        lambda roll: roll >= 7,
        lambda roll: roll + 1,
        lambda roll: 1 + roll,
        lambda roll: sum([roll, roll]),
        lambda roll: roll * 2,
        lambda roll: roll % 2,
        int,
        range,
        lambda roll: PAIR.law.p(7),
        lambda roll: PAIR.law.p({7, 11}),
        matched,
    ],
)
def test_a_roll_is_not_its_total(use: Callable[[Any], Any]) -> None:
    with pytest.raises(RulesError, match=r"roll\.total"):
        use(PAIR.roll([3, 4]))


@given(st.data(), st.integers(1, 9), st.integers(2, 20), st.sets(st.integers(0, 60), max_size=9))
def test_a_roll_of_any_dice_refuses_or_is_right(
    data: st.DataObject, count: int, sides: int, numbers: set[int]
) -> None:
    faces = data.draw(st.lists(st.integers(1, sides), min_size=count, max_size=count))
    roll = so.Dice([so.Die(range(1, sides + 1))] * count).roll(faces)
    uses: list[Callable[[], bool]] = [
        lambda: roll in numbers,
        lambda: roll in frozenset(numbers),
        lambda: roll in tuple(numbers),
        lambda: roll in dict.fromkeys(numbers),
        lambda: dict.fromkeys(numbers, True).get(roll, False),
        lambda: any(number in {roll: "a key"} for number in numbers),
        lambda: any(roll == number for number in numbers),
        lambda: not all(roll != number for number in numbers),
        lambda: any(roll <= number for number in numbers),
        lambda: any(roll + number == 0 for number in numbers),
    ]
    for use in uses:
        with suppress(RulesError):  # refused
            assert use() == (roll.total in numbers) is False


def test_a_label_in_a_set_is_not_a_roll() -> None:
    with pytest.raises(RulesError, match="write 'H' in roll"):
        so.dice("d2{H,T}").roll(["H"]) in {"H"}  # noqa: B015


def test_the_rolls_of_many_dice_are_found_by_their_faces() -> None:
    dice = so.dice("6d6")
    assert dice.law[dice.roll([1, 2, 3, 4, 5, 6])] == Fraction(1, 6**6)
    assert dice.law.given(lambda roll: len(set(roll)) == 6).p(
        lambda roll: roll[0] == 1
    ) == Fraction(1, 6)
    assert dice.law.p(dice.roll([7] * 6)) == 0


def test_a_roll_is_not_a_tuple_or_a_label_either() -> None:
    with pytest.raises(RulesError, match=r"write roll\.faces == \(3, 4\)"):
        PAIR.roll([3, 4]) == (3, 4)  # noqa: B015
    with pytest.raises(RulesError, match="these dice have no total; write 'H' in roll"):
        so.dice("2d2{H,T}").roll(["H", "T"]) == "H"  # noqa: B015


def test_a_roll_is_a_sequence_of_its_faces() -> None:
    roll = PAIR.roll([6, 3])
    first, second = roll
    assert (first, second, len(roll), roll[-1], max(roll), roll.count(6)) == (6, 3, 2, 3, 6, 1)
    assert 6 in roll
    assert sorted(roll) == [3, 6]
    assert roll == PAIR.roll([6, 3]) != PAIR.roll([3, 6])
    match roll:
        case [6, lower]:
            assert lower == 3
        case _:
            raise AssertionError


def test_a_whole_number_of_rolls_may_be_a_fraction() -> None:
    assert so.repeat(max, "d6", Fraction(3), start=0) == so.highest("d6", "d6", "d6")


def test_a_die_and_dice_of_one_calculate_alike() -> None:
    for die in (so.d6, so.dice("d6")):
        assert (die.mean, die.p(6), (die >= 5).p()) == (
            Fraction(7, 2),
            Fraction(1, 6),
            Fraction(1, 3),
        )
        assert 2 @ die == so.law("2d6") == (die + die).own_law
        assert so.pool(die, die).highest().sum() == so.law("2d6kh1")


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: so.Die([1, 2, 3], b"2d6"), "weights=b'2d6'; list one"),
        (lambda: so.Die([1, 2, 3], "123"), "weights='123'; list one"),
        (lambda: so.Die(b"123"), "faces=b'123'; list one"),
        (lambda: so.Die({1: 8, 2: 5}, [1, 1]), "give them once"),
        (lambda: so.Die([1, 2], {1: 8, 2: 5}), "weights={1: 8, 2: 5}; list one"),
        (lambda: so.Die([1, 2], [True, True]), "the weight of face 1 is True"),
        (lambda: so.Dice({so.d6: 2}), "is not a list of dice"),
        (lambda: so.deck(b"AKQ"), "cards=b'AKQ'; give a list"),
        (lambda: so.deck({"A": 1.5}), "1.5 cards 'A'; give a whole number"),
        (lambda: so.pool(6), "write so.pool"),
        (lambda: so.pool("2d6+3"), "is not a pool of dice"),
        (lambda: so.law(b"2d6"), "has no distribution"),
        (lambda: so.mixture({so.d6: 0.5}), "0.5; give a whole number"),
        (lambda: "2" @ so.d6, "'2' @ dice; give a whole number"),
        (lambda: so.d6 @ so.law([-1, 1]) @ so.d6, "-6 dice; a number of dice is whole"),
        (lambda: so.d6 // so.law([0, 1]), "0 is an outcome of the divisor"),
        (lambda: 2 * so.law("d2{H,T}"), "is not a number and can't be added"),
        (lambda: bool(so.d6 > 3), r"true with probability 1/2.*take \.p\(\)"),
        (lambda: so.d6.given(7), "never true"),
        (lambda: so.pool("3d6").keep(1), "1 number for 3 dice"),
        (lambda: so.pool("3d6").keep(0, -1, 1).hands, "no hand has a die less than 0 times"),
        (lambda: so.pool("3d6").keep(-1, 0, 1).sets(), "no hand has a die less than 0 times"),
        (lambda: so.pool("2d6").keep(-1, 1).longest_run(), "no hand has a die less than 0 times"),
        (lambda: so.pool("2d6").keep(-1, 1).largest_set(), "no hand has a die less than 0 times"),
        (lambda: so.pool("2d6").keep(-1, 1).best_set(), "no hand has a die less than 0 times"),
        (lambda: so.pool("3d6").keep(1.5, 1, 1), "a die counts 1.5 times"),
        (lambda: so.Pool(so.pool("3d6").groups, (1,)), "1 number for 3 dice"),
        (lambda: so.pool("3d6").highest(4), "keep at most 3"),
        (lambda: so.pool("3d6").sort_pair(">", ["d6"]), "is not a pool; write so.pool"),
        (lambda: so.pool("3d6").by_face(max, "2d6", start=0), "'2d6' is not a pool"),
        (lambda: so.pool("3d6").sets([2]), r"min_size=\[2\]; give a whole number, 1 or more"),
        (lambda: so.pool("3d6").sets(0), "min_size=0; give a whole number, 1 or more"),
        (lambda: so.pool("2d2{H,T}").longest_run(), "'H' is in no run"),
        (lambda: so.law({1: Fraction(1, 2), 2: 0.5}), "or fractions with a sum of exactly 1"),
        (lambda: so.law({1: Fraction(1, 2), 2: "x"}), "or fractions with a sum of exactly 1"),
        (lambda: so.law({1: Fraction(1, 2), 2: 1}), r"a sum of exactly 1; \.given\("),
        (lambda: so.mixture({}), "no part has a weight above 0"),
        (lambda: so.mixture([("d6",)]), r"\('d6',\) is no part with its weight"),
        (lambda: so.mixture(["d6", "d8"]), "'d6' is no part with its weight"),
        (lambda: so.repeat(max, "d6", Fraction(1, 2), start=0), "give a whole number"),
        (lambda: relabelled("2d6", [6, "6"]), "relabelled: sides_of_each="),
        (lambda: designs("x"), "designs: sides='x'; give int"),
        (lambda: so.repeat(max, "d6", 10**9, start=0), "1,?000,?000,?000 rolls one after another"),
        (lambda: so.pool("3d6").sort_pair("=", so.pool("d6")), "give '>'"),
        (lambda: so.pool("3d6").by_face(max, order="sideways"), "give 'down'"),
        (lambda: so.dice("12d6").read(sum).law, r"dice\.hands\.read\(f\)"),
        (lambda: so.dice("2d6!"), r"no highest total.*so\.roll\('2d6!'\)"),
        (lambda: so.roll("d6!").p(lambda x: x > 9), r"\.map\(f, constant_from=\.\.\.\)"),
    ],
)
def test_what_can_t_be_says_what_can(make: Callable[[], Any], says: str) -> None:
    with pytest.raises(so.SevenoutError, match=says):
        make()


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("probability", "law.p"),
        ("outcomes", "law.faces"),
        ("highest", "pool"),
        ("stdev", "law.std"),
    ],
)
def test_names_of_other_libraries_say_what_to_write(name: str, says: str) -> None:
    with pytest.raises(AttributeError, match=says):
        getattr(so.d6, name)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        so.d6.nonsense  # noqa: B018


def test_a_mapping_of_faces_to_weights_is_a_die() -> None:
    assert so.Die({1: 8, 2: 5}).law == Law({1: 8, 2: 5})


@pytest.mark.parametrize(
    ("text", "faces"),
    [
        ("dFr-1", {0: 1, 1: 1}),
        ("dFro-1", {-1: 1, 0: 4, 1: 4}),
        ("d{0..9}", dict.fromkeys(range(10), 1)),
        ("d{1..2:3,9}", {1: 3, 2: 3, 9: 1}),
        ("d{-1..1}", {-1: 1, 0: 1, 1: 1}),
    ],
)
def test_faces_that_were_refused_or_misread(text: str, faces: dict[int, int]) -> None:
    assert so.dice(text).totals.law == Law(faces)


def test_fudge_dice_are_rolled_again() -> None:
    assert parse_dice("4dFr-1").mean == 2


@pytest.mark.parametrize(
    ("text", "icepools"),
    [
        ("4d6dl1dh1", icepool.d6.pool(4)[1:3].sum()),
        ("(d8+2d6)kh2", icepool.Pool({icepool.d8: 1, icepool.d6: 2}).highest(2).sum()),
        ("(d4)d6", icepool.d4 @ icepool.d6),
        ("d(d6)", icepool.d6.map(icepool.d, star=False)),
        ("2d6*d4", (2 @ icepool.d6) * icepool.d4),
        ("2d6//2", (2 @ icepool.d6) // 2),
        ("d10!8^2", icepool.d10.explode([8, 9, 10], depth=2)),
        ("highest 3 of 4d6", icepool.d6.highest(4, 3)),
        ("[middle 2 of 4d6]", icepool.d6.pool(4)[1:3].sum()),
        ("count {5,6} in 4d6", 4 @ icepool.Die([0, 0, 1])),
        ("10d10ro1kh5", icepool.d10.reroll([1], depth=1).highest(10, 5)),
        ("max(2d6,d12)", icepool.highest(2 @ icepool.d6, icepool.d12)),
        ("d20+5>=15", (icepool.d20 + 5) >= 15),
        ("(2d6)>=7", (2 @ icepool.d6) >= 7),
        ("2d6>d12", (2 @ icepool.d6) > icepool.d12),
        ("0d6", icepool.Die([0])),
    ],
)
def test_the_notation_beside_icepool(text: str, icepools: Any) -> None:
    assert so.roll(text) == so.law(icepools)
    assert so.roll(text).to_icepool() == icepools.simplify()


def test_a_comparison_that_no_die_can_meet_was_meant_for_the_total() -> None:
    with pytest.raises(NotationError, match=r"write \(2d6\)>=7"):
        so.roll("2d6>=7")


def test_ten_against_ten_and_more_are_quick() -> None:
    """Who shows more of the highest face, then of the next; each side wins as often."""
    for size in (10, 30):
        pool = so.pool(f"{size}d6")
        result = pool.by_face(lambda won, face, a, b: won or (a > b) - (a < b), pool, start=0)
        ties = sum(law**2 for law in _hands(size)) if size == 10 else result[0]
        assert result[1] == result[-1] == (1 - ties) / 2


def _hands(size: int) -> list[Fraction]:
    return list(so.pool(f"{size}d6").hands.values())


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("so.d6.mean()", "write .mean without brackets"),
        ('so.law("2d6").variance()', "write .mean without brackets"),
        ('so.law("d6!").mean()', "write .mean without brackets"),
        ("so.d6.roll()", r"die\.sample\(\)"),
        ("so.d6.outcomes()", r"law\.faces"),
        ("so.d6 @ 3", "3 @ dice"),
        ('so.pool("4d6")[1:]', r"\.highest\(2\)"),
        ('so.pool("4d6").expand()', r"pool\.hands"),
        ('so.pool("4d6").largest_count()', "largest_set"),
        ('so.pool("4d6").unique()', "by_face"),
        ("so.Pool([so.d6])", r"so\.pool"),
        ('so.Deck({"ace": 4})', r"so\.deck"),
        ('so.law("d6 d6")', r"d6\+d6"),
        ("so.law('2d6').at_least('7')", "can't be compared"),
        ("so.law(['H', 'T']).at_most(3)", "can't be compared"),
        ("so.repeat(max, 'd6', -1, start=0)", "times=-1; give a whole number"),
        ("so.d100", r"so\.dice\('d100'\)"),
        ("so.d(6)", r"so\.dice"),
        ("so.map(max, so.d6, so.d8)", r"so\.each\(a, b\)\.map\(f\)"),
        ("so.z(6)", r"range\(6\)"),
        ("so.coin(1, 2)", "True: 1"),
        ("so.H(6)", r"so\.law"),
        ("so.Again", r"die\.explode"),
        ("so.foreach(max, so.d6, so.d8)", r"so\.each\(a, b\)\.map\(f\)"),
        ("so.d6[3]", r"write \.p\(3\)"),
        ("so.d6.denominator()", r"law\.denominator"),
        ("so.d6.vs(so.d8)", r"so\.versus"),
        ("so.d6.map([1, 1, 2])", "a mapping as in {6: 7}"),
        ("(so.d6 > 2) & (so.d6 < 5)", "write one condition"),
        ("so.pool('3d6') - so.pool('2d6')", r"a\.sum\(\) - b\.sum\(\)"),
        ("so.pool('3d6').h(-1)", r"pool\.highest"),
        ("so.law('output 3d6')", "leave out 'output'"),
        ("so.law('1@3d6')", "highest 1 of 3d6"),
        ("so.law('[reroll 1 in d6]')", "write d6r1"),
        ("so.d6.drop_lowest()", r"highest\(3\)"),
        ("so.d20.advantage()", r"so\.highest\(die, die\)"),
        ("so.law('2d6').max", r"max\(law\)"),
        ("so.highest('2d20')", r"two or more.*so\.pool\('2d20'\)\.highest\(\)"),
        ("so.lowest()", "two or more"),
        ("so.d6.quantile(0.5)", r"0.5 is a float, .*'0\.95'"),
        ("so.law('2d6 <= 7')", r"every die.*write \(2d6\)>=7"),
        ("so.law('2d6 != 7')", r"every die.*write \(2d6\)>=7"),
    ],
)
def test_what_others_write_says_what_to_write_here(line: str, advice: str) -> None:
    with pytest.raises((TypeError, AttributeError, RulesError, NotationError), match=advice):
        eval(line, {"so": so})


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("so.law('2d6').p('7')", "'7' is not among the outcomes 2, 3, .*without quotes: 7"),
        ("so.d6.p('7')", "without quotes"),
        ("so.law('2d6').p(7.0)", "7.0 is a float.*write 7"),
        ("so.law('2d6').p(0.5)", r"0.5 is a float.*Fraction\(1, 2\)"),
        ("so.law('2d6').p({7, '11'})", "'11' is not among"),
        ("so.law('2d6').p([7, 1.5])", "1.5 is a float"),
        ("so.law('2d6').p((3, 4))", r"\(3, 4\) is not among"),
        ("so.law('2d6').p(None)", "None is not among"),
        ("so.law('2d6').p()", r"compare them first, as in \(dice >= 10\)\.p\(\)"),
        ("so.law({'win': 1, 'lose': 2}).p('natural')", "'natural' is not among.*'win', 'lose'"),
        ("so.law({'win': 1, 'lose': 2}).p(7)", "7 is not among"),
        ("so.law({'win': 1, 'lose': 2}) == 'natural'", "'natural' is not among"),
        ("so.law('2d6') == '7'", "'7' is not among"),
        ("so.law('2d6').at_least(7.5)", "7.5 is a float"),
        ("so.law('2d6').given('7')", "'7' is not among"),
        ("so.d6.reroll('1')", "'1' is not among"),
        ("so.d6.reroll(['1', 2], depth=1)", "'1' is not among"),
        ("so.d6.explode('6')", "'6' is not among"),
        ("so.d6.map({'6': 7})", "'6' is not among"),
        ("so.pool('5d6').count('6')", "'6' is not among"),
        ("so.pool('5d6').hands.p((6, 6))", r"\(6, 6\) is not among"),
        ("so.deck({'king': 4, 'other': 48}).deal(5).count('queen')", "'queen' is not among"),
        ("so.d6.beats('3')", "can't be rolled"),
    ],
)
def test_what_no_roll_could_match_is_refused(line: str, says: str) -> None:
    with pytest.raises(RulesError, match=says):
        eval(line, {"so": so})


def test_what_could_be_rolled_but_is_not_has_probability_0() -> None:
    law = so.law("2d6")
    assert law.p(13) == law.p({0, 13}) == law.p(range(13, 99)) == law.p(Fraction(7, 2)) == 0
    assert law.p(range(10**12)) == 1
    assert law.p([7, 11]) == Fraction(2, 9)
    assert so.pool("2d6").hands.p((2, 1)) == 0
    assert (law >= 13).p() == (law == 13).p() == 0
    assert (so.d6 != 3).p() == Fraction(5, 6)
    assert (so.law({"win": 1, "lose": 2}) == "win").p() == Fraction(1, 3)
    for law in (so.dice("2d6").totals, so.pool("2d6"), so.deck(range(7)).deal(2)):
        assert (law == 7).p() == law.p(7) > 0


def test_lines_of_anydice_that_were_refused() -> None:
    assert so.law("[highest of d6 and 2d4]") == so.law("max(d6,2d4)")
    assert so.law("lowest of 2d6 and d12 and d8") == so.law("min(2d6,d12,d8)")
    assert so.law("[count 6 in 5d6]") == so.law("count {6} in 5d6") == so.pool("5d6").count(6)
    assert so.law("no-seven") == so.dice("no-seven").totals.law


def test_a_model_is_asked_for_by_name() -> None:
    assert so.explore("craps").states == so.explore(so.games["craps"]).states
    assert len(so.explore(so.games.entry("craps")).states) == 7
    with pytest.raises(RulesError, match="crasp"):
        so.explore("crasp")


def test_more_lines_of_icepool_work_as_they_are() -> None:
    assert so.mixture(so.d6, so.d8) == so.mixture({so.d6: 1, so.d8: 1})
    assert so.pool("4d6").keep([0, 1, 1, 1]) == so.pool("4d6").highest(3)
    assert so.d6.reroll([1], depth=1).mean == Fraction(47, 12)
    assert (so.d6**2).mean == Fraction(91, 6)
    assert (7 // so.d6)[3] == Fraction(1, 6)
    assert (2 / so.d6).p(Fraction(2, 3)) == Fraction(1, 6)
    assert so.pool([so.d6, so.d8]) == so.pool("d6", "d8")
    assert repr(so.d6.mean) == "Fraction(7, 2)"


@pytest.mark.parametrize(
    "line",
    [
        "so.explore(so.games['pig-turn'])",
        "so.solve('craps')",
        "so.solve('craps').bet()",
        "so.solve('craps').sheet()",
        "so.best('pig-turn')",
        "so.best('pig-turn').card",
        "so.simulate('craps', 1000)",
        "so.confirm(so.simulate('craps', 1000), so.solve('craps'))",
        "so.compare(['craps', 'crapless'])",
        "so.long_run('dogs-and-fleas')",
        "so.evening('pass', 10, rolls=5)",
        "so.session(so.solve('craps').bet(), 10, target=20)",
        "so.spread('3d6')",
        "so.versus('2d6', 'd12!')",
        "so.deck(range(52))",
        "so.deck(range(52)).deal(5)",
        "so.pool('5d6').highest(3)",
        "so.each('d6', 'd8')",
        "so.dice('2d6').totals",
        "so.dice('5d6').law",
        "so.law('1000d6')",
        "so.games",
    ],
)
def test_an_answer_is_short_where_it_is_not_printed(line: str) -> None:
    text = repr(eval(line, {"so": so}))
    assert len(text) < 250
    assert " object at 0x" not in text


def test_whole_fractions_are_whole_numbers() -> None:
    assert so.law({1: Fraction(2), 2: Fraction(3)}) == so.law({1: 2, 2: 3})
    halves = so.law({Fraction(n, 2): 1 for n in (2, 4, 6)})
    assert halves.pool(3).longest_run() == so.pool("3d3").longest_run()


def test_the_dice_that_count_are_any_iterable() -> None:
    assert so.pool("3d6").keep(n for n in (0, 1, 1)) == so.pool("3d6").highest(2)


def test_a_read_that_fails_runs_once() -> None:
    runs = []

    @remembered
    def read(pool: so.Pool) -> Law:
        runs.append(pool)
        return pool + None  # type: ignore[operator]

    with pytest.raises(TypeError):
        read(so.pool("d6"))
    assert len(runs) == 1


def test_dice_after_weighted_parts_are_refused() -> None:
    with pytest.raises(RulesError, match="mixes weighted parts and dice; give all parts"):
        so.mixture({0: 1}, so.d6)


def test_dice_and_a_number_keep_their_own_hard_way() -> None:
    def both_high(faces: tuple[int, ...]) -> bool:
        return min(faces) > 4

    raised = so.Dice([so.d6, so.d6], hard=both_high) + 1
    assert raised.roll([5, 6]).hard
    assert not raised.roll([1, 1]).hard
