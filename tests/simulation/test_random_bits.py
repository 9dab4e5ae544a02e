"""The random bits: published answers, the same bits from every engine, and exact trees of coins."""

from fractions import Fraction
from itertools import islice
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sevenout.simulation import portable_engine
from sevenout.simulation.random_bits import DDGTree, bits, ddg_tree, philox, words

# Random123, tests/kat_vectors: philox4x32 with 10 rounds.
KNOWN = [
    (
        "00000000 00000000 00000000 00000000",
        "00000000 00000000",
        "6627e8d5 e169c58d bc57ac4c 9b00dbd8",
    ),
    (
        "ffffffff ffffffff ffffffff ffffffff",
        "ffffffff ffffffff",
        "408f276d 41c83b0e a20bc7c6 6d5451fd",
    ),
    (
        "243f6a88 85a308d3 13198a2e 03707344",
        "a4093822 299f31d0",
        "d16cfe09 94fdcceb 5001e420 24126ea1",
    ),
]


def numbers(text: str) -> tuple[int, ...]:
    return tuple(int(word, 16) for word in text.split())


@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN)
def test_published_answers(counter: str, key: str, answer: str) -> None:
    assert philox(numbers(counter), numbers(key)) == numbers(answer)  # type: ignore[arg-type]


@given(
    seed=st.integers(0, 2**64 - 1),
    batch=st.integers(0, 2**32 - 1),
    draw=st.integers(0, 2**62),
    first=st.integers(0, 2**20),
)
def test_portable_words_are_the_definition(seed: int, batch: int, draw: int, first: int) -> None:
    j = np.arange(4 * first, 4 * first + 8)
    got = portable_engine.words_at(j, draw, batch, seed).tolist()
    expected = [word for call in (first, first + 1) for word in reordered(call, seed, batch, draw)]
    assert got == expected


def reordered(call: int, seed: int, batch: int, draw: int) -> tuple[int, int, int, int]:
    counter = (call, draw % 2**32, batch, draw >> 32)
    x0, x1, x2, x3 = philox(counter, (seed % 2**32, seed >> 32))
    return x1, x0, x3, x2


@given(
    seed=st.integers(0, 2**64 - 1),
    draw=st.integers(0, 2**40),
    games=st.lists(st.integers(1, 700), min_size=1, max_size=5),
)
def test_heads_are_the_ones_among_the_first_bits(seed: int, draw: int, games: list[int]) -> None:
    draws = draw + np.arange(len(games))
    got = portable_engine.count_heads(np.array(games), draws, batch=3, seed=seed).tolist()
    assert got == [sum(islice(bits(seed, 3, draw + i), n)) for i, n in enumerate(games)]


def test_bits_are_words_from_the_lowest_bit_up() -> None:
    word = next(words(9, 8, 7))
    assert sum(bit << i for i, bit in enumerate(islice(bits(9, 8, 7), 32))) == word


small = st.lists(st.integers(1, 40), min_size=1, max_size=12).map(tuple)
large = st.lists(st.integers(1, 10**40), min_size=1, max_size=6).map(tuple)


def chances(tree: DDGTree) -> list[Fraction]:
    """The probability of every slot, refusals not repeated."""
    p = [Fraction(0)] * tree.slots
    p[0] = Fraction(1)
    for node, children in enumerate(tree.children):
        for slot in children:
            assert slot > node
            p[slot] += p[node] / 2
    return p


@given(small | large)
def test_a_tree_gives_each_outcome_its_weight_exactly(weights: tuple[int, ...]) -> None:
    tree = ddg_tree(weights)
    p = chances(tree)
    refused = p[tree.refusal] if tree.children else Fraction(0)
    outcomes = p[len(tree.children) : tree.refusal]
    accepted = 1 - refused
    assert refused < Fraction(1, 2)
    assert [q / accepted for q in outcomes] == [Fraction(w, sum(weights)) for w in weights]


@given(small | large)
def test_a_tree_costs_at_most_two_bits_more_than_the_entropy(weights: tuple[int, ...]) -> None:
    # The bound of Knuth and Yao, for the law that has the refusal as one more outcome.
    tree = ddg_tree(weights)
    p = chances(tree)
    leaves = [float(q) for q in p[len(tree.children) :] if q]
    entropy = -sum(q * log2(q) for q in leaves)
    tossed = float(sum(p[: len(tree.children)]))
    assert tossed <= entropy + 2 + 1e-9


@given(small | large)
def test_depths_are_those_of_the_nodes(weights: tuple[int, ...]) -> None:
    tree = ddg_tree(weights)
    depth = dict(enumerate(tree.depths))
    for node, children in enumerate(tree.children):
        for slot in children:
            assert slot >= len(tree.children) or depth[slot] == depth[node] + 1
    assert list(tree.depths) == sorted(tree.depths)


def test_one_outcome_costs_nothing() -> None:
    assert ddg_tree((5,)).children == ()
