"""The random bits: published answers, and the same bits from every engine."""

from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sevenout.simulation.backends import portable
from sevenout.simulation.backends.random_bits import bits, philox, words

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
    block=st.integers(0, 2**32 - 1),
    draw=st.integers(0, 2**62),
    first=st.integers(0, 2**20),
)
def test_portable_words_are_the_definition(seed: int, block: int, draw: int, first: int) -> None:
    j = np.arange(4 * first, 4 * first + 8)
    got = portable.words_at(j, draw, block, seed).tolist()
    expected = [word for call in (first, first + 1) for word in reordered(call, seed, block, draw)]
    assert got == expected


def reordered(call: int, seed: int, block: int, draw: int) -> tuple[int, int, int, int]:
    counter = (call, draw % 2**32, block, draw >> 32)
    x0, x1, x2, x3 = philox(counter, (seed % 2**32, seed >> 32))
    return x1, x0, x3, x2


@given(
    seed=st.integers(0, 2**64 - 1),
    draw=st.integers(0, 2**40),
    games=st.lists(st.integers(1, 700), min_size=1, max_size=5),
)
def test_heads_are_the_ones_among_the_first_bits(seed: int, draw: int, games: list[int]) -> None:
    draws = draw + np.arange(len(games))
    got = portable.heads(np.array(games), draws, block=3, seed=seed).tolist()
    assert got == [sum(islice(bits(seed, 3, draw + i), n)) for i, n in enumerate(games)]


def test_bits_are_words_from_the_lowest_bit_up() -> None:
    word = next(words(9, 8, 7))
    assert sum(bit << i for i, bit in enumerate(islice(bits(9, 8, 7), 32))) == word
