"""States that behave alike, checked against definitions that are too slow for anything else."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

from flint import fmpq

import sevenout as so
from sevenout.model import Chain, Move
from sevenout.model.equivalence import refined_cells
from sevenout.rolling import Law
from sevenout.rolling.generating_functions import to_fraction
from sevenout.rules import Counted, counted, settle

A = so.win("A")
COIN = Law({"heads": 1, "tails": 1})


class Coin(so.Game):
    """Heads and tails lead where a table says."""

    dice = COIN

    def __init__(self, table: dict[Any, tuple[Any, Any]]) -> None:
        self.table, self.start = table, next(iter(table))

    def step(self, state: Any, roll: str) -> Any:
        return self.table[state][roll == "tails"]


class TwoLoops(so.Game):
    """The first roll chooses one of two loops that are nearly alike."""

    dice = so.d6
    start = "start"

    def __init__(self, first: int) -> None:
        self.first = first

    def step(self, state: str, roll: int) -> Any:
        match state:
            case "start":
                return "p" if roll <= self.first else "P"
            case "p":
                return "p" if roll <= 3 else "q"
            case "P":
                return "P" if roll <= 3 else "Q"
            case "q":
                return "p" if roll <= 2 else "q" if roll == 3 else so.win()
            case _:
                return "P" if roll == 1 else "Q" if roll <= 3 else so.win()


def test_states_on_a_cycle_that_do_not_behave_alike_are_not_merged() -> None:
    game = Coin({0: (2, A), 2: (5, 0), 5: (2, 3), 3: (4, 5), 4: (A, 4)})
    solution = so.solve(game)
    assert solution.mean_rolls == solution.distribution("rolls").mean == Fraction(22, 5)
    assert solution.chain.lumping == [0, 1, 2, 3, 4]


def test_games_with_other_means_are_other_games() -> None:
    one, five = so.solve(TwoLoops(1)), so.solve(TwoLoops(5))
    assert (one.mean_rolls, five.mean_rolls) == (Fraction(52, 9), Fraction(56, 9))
    assert one.chain != five.chain
    for solution in one, five:
        assert solution.distribution("rolls").mean == solution.mean_rolls


def test_the_order_of_counters_and_of_bets_says_nothing() -> None:
    one = settle("end", {"a": 1, "b": "1/2"})
    other = settle("end", {"b": "1/2", "a": 1})
    chains = [
        so.explore(Coin({0: (counted(0, x=1, y=2), one)})),
        so.explore(Coin({0: (counted(0, y=2, x=1), other)})),
    ]
    assert chains[0] == chains[1]
    mixed = so.explore(
        Coin(
            {
                0: (1, 2),
                1: (counted(1, x=1, y=2), one),
                2: (Counted(2, (("y", 2), ("x", 1))), other),
            }
        )
    )
    assert mixed.lumping == [0, 1, 1]


def test_fingerprints_that_were_printed_stay() -> None:
    """Sheets, saved models and scripts name a game by its fingerprint, whatever the version."""
    in_turn = {
        0: (counted(1, x=1, y=Fraction(1, 2)), settle("end", {"a": 1, "b": "1/2"})),
        1: (counted(0, x=2), counted(0, y=1)),
    }
    for game, start in (
        (so.games["craps"], "9289061ff1ab82cd657403380c294558"),
        (Coin({0: (counted(0, x=1), 1), 1: (1, A)}), "db62f19f5d1d269811e2b8abd8043d7d"),
        (Coin(in_turn), "71a6ecaeade010ede9b11ca3165ef6b6"),
        (TwoLoops(1), "b72449099719a9463b44e1303c01b4a9"),
    ):
        assert so.explore(game).fingerprint.startswith(start)


def test_games_that_count_something_else_are_other_games() -> None:
    counts = [{}, {"x": 1}, {"x": 2}, {"x": -1}, {"x": Fraction(1, 2)}, {"y": 1}, {"x": 1, "y": 1}]
    chains = [so.explore(Coin({0: (counted(A, **each), 0)})) for each in counts]
    loops = [so.explore(Coin({0: (counted(1, **each), 1), 1: (A, 0)})) for each in counts]
    assert len({*chains, *loops}) == 2 * len(counts)


def test_a_denominator_that_says_nothing_is_not_seen() -> None:
    dice = so.dice("2d6")
    parity = [COIN, dice.read(lambda roll: roll.total % 2).law]
    outcomes = [A, "again"]

    class Parity(so.Game):
        start = "again"

        def __init__(self, law: Law) -> None:
            self.dice = law
            self.first = next(iter(law))

        def step(self, state: str, roll: Any) -> Any:
            return outcomes[roll == self.first]

    thirty_six = Law(dict.fromkeys(range(36), 1))
    fine = so.explore(Coin({"again": (A, "again")}))
    assert all(so.explore(Parity(law)) == fine for law in parity)

    class Of36(so.Game):
        dice = thirty_six
        start = "again"

        def step(self, state: str, roll: int) -> Any:
            return outcomes[roll % 2]

    assert so.explore(Of36()).denominator == 36
    assert so.explore(Of36()) == fine


def test_a_state_that_leads_to_its_like_is_its_like() -> None:
    stays = {"s": ("s", A), "t": ("s", A), "u": ("t", A), "v": ("w", A), "w": ("v", A)}
    game = Coin({"start": ("x", "y"), "x": ("u", "v"), "y": ("v", "t"), **stays})
    chain = so.explore(game)
    assert len(set(chain.lumping)) == 3
    assert chain == so.explore(Coin({0: (1, 1), 1: ("s", "s"), "s": ("s", A)}))


def test_states_that_only_stay_or_lead_to_their_like_are_alike() -> None:
    """s stays on heads; t and u lead to their likes on heads, so all of them are geometric."""
    game = Coin({"start": ("t", "u"), "t": ("s", A), "u": ("t", A), "s": ("s", A)})
    chain = so.explore(game)
    like = [chain.lumping[chain.states.index(name)] for name in "stu"]
    assert len(set(like)) == 1
    assert chain.lumping[0] != like[0]


# Random chains.


def random_chain(rng: Random) -> Chain:
    """A small chain with cycles, in which states are often alike."""
    n, faces = rng.randint(1, 6), rng.choice([2, 2, 3, 4])
    laws = [
        Law({f: rng.choice([1, 1, 2]) for f in range(faces)}) for _ in range(rng.choice([1, 1, 2]))
    ]
    counts = rng.choice(
        [[()], [()], [(), (("x", 1),)], [(("x", 1), ("y", 1)), (("y", 1), ("x", 1)), ()]]
    )
    ends = [so.win("A"), settle("B", {"pass": -1}), settle("A", {"pass": 2})][: rng.randint(1, 3)]
    while True:
        rolled = tuple(rng.randrange(len(laws)) for _ in range(n))
        moves = tuple(
            tuple(Move(rng.randrange(n + len(ends)), rng.choice(counts)) for _ in range(faces))
            for _ in range(n)
        )
        chain = Chain.of_moves(
            states=range(n),
            outcomes=ends,
            rollables=laws,
            rollable_index=rolled,
            moves=moves,
            stakes={},
        )
        if ends_always(chain):
            return pruned(chain)


def remade(chain: Chain, **changes: Any) -> Chain:
    """The chain with something else in its place."""
    names = ("states", "outcomes", "rollables", "rollable_index", "moves", "stakes")
    return Chain.of_moves(**{name: getattr(chain, name) for name in names} | changes)


def copied(chain: Chain, rng: Random) -> Chain:
    """The same chain with copies of its states, in another order: alike, as what is rolled is."""
    n = len(chain.states)
    copies = [s for s in range(1, n) for _ in range(rng.randint(1, 2))]
    original = [0, *rng.sample(copies, len(copies))]
    of = {s: [i for i, o in enumerate(original) if o == s] for s in range(n)}
    size = len(original)

    def moved(move: Move) -> Move:
        if move.target >= n:
            return move._replace(target=move.target - n + size)
        return move._replace(target=rng.choice(of[move.target]))

    moves = tuple(tuple(map(moved, chain.moves[o])) for o in original)
    rolled = tuple(chain.rollable_index[o] for o in original)
    return pruned(remade(chain, states=range(size), rollable_index=rolled, moves=moves))


def changed(chain: Chain, rng: Random) -> Chain:
    """The same chain but for one move."""
    n, k = len(chain.states), len(chain.outcomes)
    while True:
        moves = [list(row) for row in chain.moves]
        row = rng.choice(moves)
        i = rng.randrange(len(row))
        row[i] = row[i]._replace(target=rng.randrange(n + k))
        other = remade(chain, moves=moves)
        if ends_always(other):
            return pruned(other)


def ends_always(chain: Chain) -> bool:
    n = len(chain.states)
    ends: set[int] = set()
    for _ in range(n):
        ends |= {s for s, row in enumerate(chain.moves) if any(t >= n or t in ends for t, _ in row)}
    return len(ends) == n


def pruned(chain: Chain) -> Chain:
    """Without the states and the outcomes that are never reached."""
    n = len(chain.states)
    seen = [0]
    for s in seen:
        seen += dict.fromkeys(t for t, _ in chain.moves[s] if t < n and t not in seen)
    ends = sorted({t for s in seen for t, _ in chain.moves[s] if t >= n})
    place = {old: new for new, old in enumerate([*seen, *ends])}
    return Chain.of_moves(
        states=[chain.states[s] for s in seen],
        outcomes=[chain.outcomes[t - n] for t in ends],
        rollables=chain.rollables,
        rollable_index=[chain.rollable_index[s] for s in seen],
        moves=[[(place[to], counts) for to, counts in chain.moves[s]] for s in seen],
        stakes=chain.stakes,
    )


def rows_of(chain: Chain, block: list[int]) -> list[dict[Any, int]]:
    """For each state the weight of each (block or what the outcome says, counters)."""
    at = [*block, *((o.label, frozenset(o.pays)) for o in chain.outcomes)]
    counts = {tag: frozenset(tag) for tag in chain.tags}
    weights = [[w * chain.denominator // r.law.denominator for w in r.law.weights]
               for r in chain.rollables]  # fmt: skip
    rows = []
    for rolled, moves in zip(chain.rollable_index, chain.moves, strict=True):
        row: dict[Any, int] = {}
        for (target, tag), weight in zip(moves, weights[rolled], strict=True):
            key = at[target], counts[tag]
            row[key] = row.get(key, 0) + weight
        rows.append(row)
    return rows


def coarsest(chain: Chain) -> list[int]:
    """Blocks are cut by whole rows until nothing changes: the definition, as a fixpoint."""
    block = [0] * len(chain.states)
    while True:
        looks = [
            (b, frozenset(row.items())) for b, row in zip(block, rows_of(chain, block), strict=True)
        ]
        number = {look: i for i, look in enumerate(dict.fromkeys(looks))}
        finer = [number[look] for look in looks]
        if len(number) == 1 + max(block):
            return finer
        block = finer


def isomorphic(one: Chain, other: Chain) -> bool:
    """Some map of the blocks of one onto those of the other keeps the start and all rows."""
    quotients = []
    for chain in one, other:
        block = coarsest(chain)
        rows = rows_of(chain, block)
        whole = chain.denominator
        quotients.append(
            [
                {to: Fraction(w, whole) for to, w in rows[block.index(b)].items()}
                for b in range(1 + max(block))
            ]
        )
    ours, theirs = quotients
    if len(ours) != len(theirs):
        return False
    for order in permutations(range(1, len(ours))):
        name = (0, *order)
        if all(
            {((name[to] if isinstance(to, int) else to), c): p for (to, c), p in row.items()}
            == theirs[name[b]]
            for b, row in enumerate(ours)
        ):
            return True
    return False


def random_pairs(seed: int, times: int) -> Iterator[tuple[Chain, Chain]]:
    rng = Random(seed)
    for _ in range(times):
        one = random_chain(rng)
        yield one, rng.choice([copied, copied, changed])(one, rng)


def check_lumpings(seed: int, times: int) -> None:
    for one, other in random_pairs(seed, times):
        assert one.lumping == coarsest(one), one.moves
        assert other.lumping == coarsest(other), other.moves
        assert (one == other) == isomorphic(one, other), (one.moves, other.moves)


def test_lumpings_of_random_chains_are_the_coarsest() -> None:
    check_lumpings(seed=2026, times=3_000)


def moments(chain: Chain) -> tuple[Fraction, Fraction]:
    """Mean and variance of the rolls, by the linear systems of all the states, unlumped.

    m(s) = 1 + Σ p(s, t) m(t) and q(s) = 1 + Σ p(s, t) (2 m(t) + q(t)).
    """
    mean = expected(chain, [fmpq(1)] * len(chain.states))
    again = [2 * m - 1 for m in mean]  # 1 + 2 Σ p(s, t) m(t)
    return to_fraction(mean[0]), to_fraction(expected(chain, again)[0] - mean[0] ** 2)


def expected(chain: Chain, gains: list[fmpq]) -> list[fmpq]:
    """What is gained in all from each state on, by so much each time in each: cycle after cycle."""
    n, found = len(chain.states), [fmpq(0)] * len(gains)
    for component in reversed(chain.components):
        system = []
        for s in component:
            row = {t: fmpq(w, chain.denominator) for t, w in chain.weights[s].items() if t < n}
            inside = [int(s == t) - row.get(t, fmpq(0)) for t in component]
            system.append([*inside, gains[s] + sum(p * found[t] for t, p in row.items())])
        for s, value in zip(component, solved(system), strict=True):
            found[s] = value
    return found


def solved(system: list[list[fmpq]]) -> list[fmpq]:
    """The solution of a linear system, each row with its right-hand side; Gauss and Jordan."""
    n = len(system)
    for i in range(n):
        pivot = next(r for r in range(i, n) if system[r][i])
        system[i], system[pivot] = system[pivot], system[i]
        system[i] = [x / system[i][i] for x in system[i]]
        for r in range(n):
            if r != i and system[r][i]:
                system[r] = [
                    x - system[r][i] * y for x, y in zip(system[r], system[i], strict=True)
                ]
    return [row[-1] for row in system]


def test_the_law_of_rolls_has_the_moments_of_the_unlumped_chain() -> None:
    rng = Random(7)
    for _ in range(800):
        chain = copied(random_chain(rng), rng)
        law = so.solve(chain).distribution("rolls")
        assert (law.mean, law.variance) == moments(chain), chain.moves


def test_the_catalogue_is_lumped_as_coarsely_as_can_be_and_its_rolls_have_their_moments() -> None:
    for name in so.games.without_choices:
        chain = so.explore(so.games[name])
        if len(chain.states) < 10_000:
            assert chain.lumping == coarsest(chain), name
            law = so.solve(chain).distribution("rolls")
            assert (law.mean, law.variance) == moments(chain), name


def test_no_two_states_of_citywide_are_alike() -> None:
    """One pass and the worklist go different ways, and come to the same."""
    chain = so.explore(so.games["repeater-plus-citywide"])
    assert len(chain.components) == len(set(chain.lumping)) == len(chain.states) == 56_700
    rows = [[(weight, t, "") for weight, t, _ in row] for row in chain.rows]
    assert len(set(refined_cells(rows, [o.label for o in chain.outcomes])[:56_700])) == 56_700
